/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the files of `rugose boxcount` share. */

#ifndef CLI_CMD_BOXCOUNT_H
#define CLI_CMD_BOXCOUNT_H

#include "draw/draw.h"

/** Choices of --of, --method and --grid, in the order of rug_boxcount_of,
 *  rug_boxcount_method and rug_boxcount_grid. */
#define CLI_BOXCOUNT_OF     "nonempty|black|gray|white"
#define CLI_BOXCOUNT_METHOD "auto|pyramid|window|hou|atomic|local"
#define CLI_BOXCOUNT_GRID   "origin|min|mean"
/** Choices of --anchor, in the order of rug_dbc_anchor. */
#define CLI_BOXCOUNT_ANCHOR "zero|min"

/** Its ways of working, as bits: sets of pixels or points, and grey values. */
#define CLI_BOXCOUNT_SET  1u
#define CLI_BOXCOUNT_GRAY 2u

/** Values of its own options. */
typedef struct cli_boxcount_values {
    rug_foreground foreground;
    cli_sizes sizes;
    int grid;
    cli_range fit;
    int of;
    int method;
    const char *mask;
    const char *labels;
    int points;
    const char *columns; /**< NULL: not given */
    uint64_t skip_rows;
    uint64_t resolution; /**< 0: not given */
    double spacing;      /**< 0: not given */
    const char *counts;
    const char *plot;
    const char *save_volume; /**< NULL: not given */
    int gray;
    double levels; /**< 0: not given */
    int anchor;
    const char *box_unit; /**< NULL: not given */
} cli_boxcount_values;

/** Sizes that were asked for as lengths. */
typedef struct cli_boxcount_asked {
    uint32_t n; /**< 0: the default */
    double length[RUG_BOXCOUNT_MAX_SIZES];
    double fit_min, fit_max; /**< 0: not asked */
} cli_boxcount_asked;

/** Sizes in a unit of length. The library counts in parts of it, of which pixels and boxes
 *  have whole numbers. */
typedef struct cli_boxcount_lengths {
    const char *unit; /**< NULL: that of the file, which has no name */
    double pixel;     /**< the largest side of a pixel */
    uint64_t pixel_size[RUG_MAX_AXES], largest;
    const cli_boxcount_asked *asked;
    uint64_t size[RUG_BOXCOUNT_MAX_SIZES]; /**< those that were asked for */
    uint64_t fit_min, fit_max;
    double parts; /**< in the unit */
} cli_boxcount_lengths;

/** The command's state over its images. */
typedef struct cli_boxcount_job {
    cli_boxcount_values values;
    int has_lengths;          /**< sizes are in a unit of length */
    cli_boxcount_asked asked; /**< then these */
    cli_plots plots;
    cli_outputs volumes;
} cli_boxcount_job;

/** Measures one image, with all its labels. */
rug_status cli_boxcount_image(cli_run *run, cli_boxcount_job *job,
                              const cli_image *image);

/** Measures one set of points; user is the job. */
rug_status cli_boxcount_points(cli_run *run, const cli_points *points, void *user);

/** Checks --box-unit, and reads the sizes that go with it. @return an error text, or NULL */
const char *cli_boxcount_check_lengths(cli_run *run, cli_boxcount_job *job);

/** Finds how the pixels of an image are divided. @return RUG_OK, RUG_E_ARG (the image has no
 *  such unit, or no pixels that fit the sizes) */
rug_status cli_boxcount_find_lengths(cli_run *run, cli_boxcount_lengths *out,
                                     const cli_boxcount_job *job, const rug_image *image);

/** A size of boxes as a length. */
double cli_boxcount_length(const cli_boxcount_lengths *lengths, uint64_t size);

/** Sets the columns of a fit. @param lengths  NULL: sizes are in pixels */
void cli_boxcount_set_fit(cli_record *row, const rug_fit *fit,
                          const cli_boxcount_lengths *lengths);

/** Puts size i with what the fit made of it into a JSON row; takes the size over. */
void cli_boxcount_append_size(cli_record *row, cli_record *size, const rug_fit *fit,
                              uint32_t i);

/** Counts against sizes, and the line through them. */
typedef struct cli_boxcount_curve {
    const char *label;  /**< what was counted */
    cli_plot_unit unit; /**< of sizes */
    size_t n;
    const rug_fit *fit;
    double ends[2], intercept; /**< of the line, as the sizes */
    double size[RUG_BOXCOUNT_MAX_SIZES], count[RUG_BOXCOUNT_MAX_SIZES];
} cli_boxcount_curve;

/** Draws it, where a plot is asked. */
rug_status cli_boxcount_draw(cli_run *run, cli_boxcount_job *job, const char *name,
                             const cli_boxcount_curve *curve);

/** Counts an image in parts. @param out  NULL: another run or process goes on with it */
rug_status cli_boxcount_in_parts(cli_run *run, const cli_image *image,
                                 const rug_boxcount_options *opts,
                                 rug_boxcount_result **out);

/** Counts points in parts. @param out  NULL: another run goes on with them */
rug_status cli_boxcount_points_in_parts(cli_run *run, const cli_points *points,
                                        const rug_boxcount_points_options *opts,
                                        rug_boxcount_result **out);

/** Measures the grey values of one image. */
rug_status cli_boxcount_gray(cli_run *run, cli_boxcount_job *job, const cli_image *image);

#endif
