/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Rows as they come: the tables of a run are written input by input, in the order of the inputs,
 * and what is finished is noted, so that a run that was stopped can be gone on with. */

#ifndef CLI_ROWS_H
#define CLI_ROWS_H

#include "tables/run_log.h"

typedef struct cli_run cli_run;

/** Where the tables of a run stand. */
typedef struct cli_writing {
    const char *second_path, *third_path; /**< of further tables; set by the check of a
                                               command, NULL: they are not asked */
    cli_log log;                          /**< without a stream none is kept */
    cli_record *identity;                 /**< for it; owned */
    size_t n_finished; /**< inputs, from the first on, whose rows are written */
    size_t n_skipped;  /**< of them, those that an earlier run finished */
    size_t n_logged;   /**< failures that are in the log */
    int writes_files;  /**< some for each image */
    int is_opened;     /**< the tables are */
    int is_stopped;    /**< one could not be written, so that there is no use going on */
} cli_writing;

/** Whether a table goes to standard output. */
static inline int cli_is_stdout(const char *path)
{
    return path == NULL || (path[0] == '-' && path[1] == '\0');
}

/** Opens the tables that were begun, the first time; then writes the rows of the input in work, which
 *  is finished, and notes that in the log. */
void cli_write_rows(cli_run *run);

/** Writes what is left of a report, or all of it, and frees it; unless the run was stopped. A
 *  failure is one of the run. It goes to a file, or to stdout for "-" or NULL, in the form that the
 *  run's format or, of further reports, the file's ending asks for.
 *  @param report  set to NULL; NULL there: none */
void cli_end_report(cli_run *run, cli_report **report, const char *path);

#endif
