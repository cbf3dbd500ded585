/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What is finished of a run whose tables are files: a line for each input, in a file beside the part
 * of its first table. A run that was stopped, at whichever byte, goes on from there.
 *
 * The first line is the identity of the run. A line behind it counts for as long as all tables hold
 * the bytes that it says; what they hold behind the last that counts belongs to no finished input. */

#ifndef TABLES_RUN_LOG_H
#define TABLES_RUN_LOG_H

#include "record.h"
#include "report.h"
#include <rugose/context.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Most tables of a run. */
#define CLI_LOG_TABLES 4

/** Texts, each owned. */
typedef struct cli_lines {
    char **items;
    size_t n;
} cli_lines;

/** A run that writes parts. Begin with all zero but for the tables. */
typedef struct cli_log {
    const char *tables[CLI_LOG_TABLES]; /**< their names as they were given */
    size_t n_tables;
    char *parts
        [CLI_LOG_TABLES]; /**< where they are written until they are complete; owned */
    char *path;           /**< of the log; owned */
    FILE *stream;
    FILE *part; /**< of the first table, as it was found: keeps other runs off */
    long end;   /**< bytes of it that count */

    size_t n_inputs;                /**< which are finished, from the first on */
    cli_mark marks[CLI_LOG_TABLES]; /**< how far the tables are then */
    cli_lines failures;             /**< of these inputs */
    int is_found;                   /**< there is something to go on from */
    int is_complete; /**< the first table has its name, and there is no part */
} cli_log;

/** Looks for what a run that was stopped has left.
 *  @param identity  what must be the same: "version", "command", "options" with their values,
 *                   "inputs"
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_ARG: it is that of another run, and the text says what
 *          differs; RUG_E_IO: another run writes it */
rug_status cli_log_read(rug_context *ctx, cli_log *log, const cli_record *identity);

/** Adds a line: n_inputs and the marks, as they are now. The first time, when the tables are open, it
 *  begins the log or goes on with what was found.
 *  @param identity  needed the first time
 *  @param failures  that came with it
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_IO */
rug_status cli_log_add(rug_context *ctx, cli_log *log, const cli_record *identity,
                       char *const *failures, size_t n);

/** Closes the log and frees what it owns. @param is_over  the tables are complete: it goes */
static inline void cli_log_end(cli_log *log, int is_over)
{
    if (log->stream != NULL)
        fclose(log->stream);
    if (log->part != NULL)
        fclose(log->part);
    if (is_over && log->path != NULL)
        unlink(log->path);
    for (size_t i = 0; i < log->failures.n; i++)
        free(log->failures.items[i]);
    for (size_t i = 0; i < log->n_tables; i++)
        free(log->parts[i]);
    free(log->failures.items);
    free(log->path);
    memset(log, 0, sizeof *log);
}

#endif
