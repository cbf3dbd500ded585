/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Parts that are carried by files. */

#ifndef CLI_PART_RUN_H
#define CLI_PART_RUN_H

#include "shared/cli.h"
#include "tables/part_file.h"
#include <pthread.h>

/** The run that measures one part, or goes on with the files of parts. */
typedef struct cli_part_run {
    cli_parts parts;
    cli_part_file in;     /**< files that are merged; empty while a part is measured */
    cli_part_file out;    /**< what is written, where there are no rows */
    cli_part_file values; /**< of --values; empty where it is not given */
    int is_lost;          /**< `out` is not whole, as there was no memory */
    pthread_mutex_t lock; /**< of `out` */
} cli_part_run;

/** Has the next run go on with the files of parts.
 *  @param all  outlives that run; moved where it is written to a file again
 *  @param to_file  the run writes a file of them all; else the tables */
void cli_merge_next(cli_part_file *all, int to_file);

#endif
