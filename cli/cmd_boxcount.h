/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the files of `rugose boxcount` share. */

#ifndef CLI_CMD_BOXCOUNT_H
#define CLI_CMD_BOXCOUNT_H

#include "cli.h"

/** Choices of --of and --method, in the order of rug_boxcount_of and rug_boxcount_method. */
#define CLI_BOXCOUNT_OF     "nonempty|black|gray|white"
#define CLI_BOXCOUNT_METHOD "auto|pyramid"

/** Values of its own options. */
typedef struct cli_boxcount_values {
    const char *foreground;
    const char *fit;
    int of;
    int method;
    const char *counts;
    const char *plot;
} cli_boxcount_values;

/** The command's state over its images. */
typedef struct cli_boxcount_job {
    cli_boxcount_values values;
    rug_foreground foreground; /* as asked */
    rug_boxcount_fit_options fit;
    rug_report *counts; /* NULL: not asked */
    char **plots;       /* names written so far */
    size_t n_plots;
} cli_boxcount_job;

/** What was measured of one image. */
typedef struct cli_boxcount_found {
    rug_boxcount_result counts;
    rug_boxcount_dimension dimension;
    double share; /* of the cells that are foreground, 0..1 */
} cli_boxcount_found;

/** Prints the read line and the warnings. */
void cli_boxcount_tell(cli_run *run, const cli_boxcount_job *job, const cli_image *image,
                       const cli_boxcount_found *found);

/** Adds the row of the image, and its sizes to the table
 *  of counts where that is asked. */
void cli_boxcount_add(cli_run *run, cli_boxcount_job *job, const cli_image *image,
                      const cli_boxcount_found *found);

/** Checks --plot before any image is read. @return an error text, or NULL */
const char *cli_boxcount_check_plot(const cli_run *run, const cli_boxcount_job *job);

/** Draws the log-log plot, where that is asked. */
rug_status cli_boxcount_plot(cli_run *run, cli_boxcount_job *job, const cli_image *image,
                             const cli_boxcount_found *found);

#endif
