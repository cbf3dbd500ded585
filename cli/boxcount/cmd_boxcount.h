/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the files of `rugose boxcount` share. */

#ifndef CLI_CMD_BOXCOUNT_H
#define CLI_CMD_BOXCOUNT_H

#include "shared/option_values.h"

/** Choices of --of, --method and --grid, in the order of rug_boxcount_of,
 *  rug_boxcount_method and rug_boxcount_grid. */
#define CLI_BOXCOUNT_OF     "nonempty|black|gray|white"
#define CLI_BOXCOUNT_METHOD "auto|pyramid|window|hou|atomic|local"
#define CLI_BOXCOUNT_GRID   "origin|min|mean"

/** Values of its own options. */
typedef struct cli_boxcount_values {
    const char *foreground;
    const char *sizes;
    int grid;
    const char *fit;
    int of;
    int method;
    const char *mask;
    const char *labels;
    int points;
    const char *resolution;
    const char *spacing;
    const char *counts;
    const char *plot;
    int gray;
    const char *levels;
} cli_boxcount_values;

/** The command's state over its images. */
typedef struct cli_boxcount_job {
    cli_boxcount_values values;
    rug_foreground foreground; /* as asked */
    rug_boxcount_fit_options fit;
    cli_sizes sizes;
    uint64_t resolution; /* 0: not given */
    double spacing;      /* 0: not given */
    double levels;       /* 0: not given */
    rug_report *counts;  /* NULL: not asked */
    cli_outputs plots;
} cli_boxcount_job;

/** What was measured of one image, one label or one set of points. */
typedef struct cli_boxcount_found {
    rug_boxcount_result counts;
    rug_boxcount_dimension dimension;
    const rug_region *label; /* NULL: not a label */
    int is_points;
    double count_seconds, threshold_seconds;
} cli_boxcount_found;

/** Reads the values of the options, and checks them before any image is read.
 *  @return an error text, or NULL */
const char *cli_boxcount_check(cli_run *run, cli_boxcount_job *job);

/** Puts all parameters into the head of the report. */
void cli_boxcount_describe(cli_run *run, const cli_boxcount_job *job);

/** Measure one image, with all its labels, or one set of points; user is the job. */
rug_status cli_boxcount_image(cli_run *run, const cli_image *image, void *user);
rug_status cli_boxcount_points(cli_run *run, const cli_points *points, void *user);

/** The share of the pixels that are foreground, 0..1. */
double cli_boxcount_share(const rug_boxcount_result *counts);

/** Prints the read line, warnings with numbers, and the times where they are asked. */
void cli_boxcount_tell_image(cli_run *run, const cli_boxcount_job *job,
                             const cli_image *image, const cli_boxcount_found *found);
void cli_boxcount_tell_points(cli_run *run, const cli_points *points,
                              const cli_boxcount_found *found);

/** The same of an image whose labels were counted.
 *  @param whole    of it, only the foreground and the times are read
 *  @param n_short  labels whose fit says little */
void cli_boxcount_tell_labels(cli_run *run, const cli_boxcount_job *job,
                              const cli_image *image, const cli_boxcount_found *whole,
                              size_t n_labels, size_t n_short);

/** Whether a fit covers so little that it says little. */
int cli_boxcount_is_short(const rug_boxcount_dimension *dimension);

/** Adds a row, which says already what was read, and its sizes to the table of counts
 *  where that is asked; takes the row over.
 *  @param name  of the image */
void cli_boxcount_add(cli_run *run, cli_boxcount_job *job, const char *name,
                      rug_record *row, const cli_boxcount_found *found);

/** The columns of both tables, ended by NULL. */
const char *const *cli_boxcount_columns(const cli_boxcount_job *job);
const char *const *cli_boxcount_count_columns(const cli_boxcount_job *job);

/** Draws the log-log plot, where that is asked.
 *  @param name  of the image, and of the label where there is one */
rug_status cli_boxcount_plot(cli_run *run, cli_boxcount_job *job, const char *name,
                             const cli_boxcount_found *found);

/** Counts against sizes, and the line through them. */
typedef struct cli_boxcount_curve {
    const char *label; /**< what was counted */
    size_t n;
    double size[RUG_BOXCOUNT_MAX_SIZES], count[RUG_BOXCOUNT_MAX_SIZES];
    const uint8_t *used;
    const double *local_slope;
    double dimension, std_error, r_squared, intercept;
    uint64_t size_min, size_max;
} cli_boxcount_curve;

/** Draws it, where a plot is asked. */
rug_status cli_boxcount_draw(cli_run *run, cli_boxcount_job *job, const char *name,
                             const cli_boxcount_curve *curve);

/** Grey values: checks the options that go with --gray and those that do not, puts its own
 *  into the parameters, and measures one image; user is the job. */
const char *cli_boxcount_check_gray(cli_run *run, cli_boxcount_job *job);
void cli_boxcount_describe_gray(rug_record *p, const cli_boxcount_job *job);
rug_status cli_boxcount_gray(cli_run *run, const cli_image *image, void *user);

/** The columns of both tables with --gray, ended by NULL. */
extern const char *const cli_boxcount_gray_columns[],
    *const cli_boxcount_gray_count_columns[];

#endif
