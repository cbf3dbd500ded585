/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the files of `rugose multifractal` share. */

#ifndef CLI_CMD_MULTIFRACTAL_H
#define CLI_CMD_MULTIFRACTAL_H

#include "draw/draw.h"
#include <math.h>

/** Choices; those of --measure in the order of rug_alpha_measure. */
#define CLI_MULTIFRACTAL_METHOD  "moments|alpha"
#define CLI_MULTIFRACTAL_MEASURE "max|min|sum|iso"

/** Its ways of working, as bits, in the order of --method. */
#define CLI_MULTIFRACTAL_MOMENTS 1u
#define CLI_MULTIFRACTAL_ALPHA   2u

/** Orders of one run at most, and those of the summary: 0, 1 and 2. */
#define CLI_MULTIFRACTAL_MAX_Q  1024
#define CLI_MULTIFRACTAL_N_MAIN 3

/** Values of its own options. */
typedef struct cli_multifractal_values {
    int method;
    cli_range fit;
    const char *mask;
    const char *plot;
    /* Moments. */
    const char *q;
    rug_foreground foreground;
    int points;
    const char *columns; /**< NULL: not given */
    uint64_t skip_rows;
    uint64_t resolution; /**< 0: not given */
    double spacing;      /**< 0: not given */
    const char *moments;
    const char *summary;
    /* Alpha. */
    int measure;
    int windows;
    double iso_tolerance;
    int slices;
    const char *alpha_range;
    const char *map;
} cli_multifractal_values;

/** The command's state over its images. */
typedef struct cli_multifractal_job {
    cli_multifractal_values values;
    size_t n_q;
    double q[CLI_MULTIFRACTAL_MAX_Q + CLI_MULTIFRACTAL_N_MAIN]; /**< ascending; behind
                                    them those of the summary */
    rug_alpha_options alpha; /**< as asked; the mask is that of an image */
    cli_plots plots;
    cli_outputs maps;
} cli_multifractal_job;

/** What the moments of one image or one set of points are. */
typedef struct cli_multifractal_found {
    rug_masses_facts facts;
    const rug_multifractal_result *orders; /**< [job->n_q], and those of q = 0, 1, 2 */
    const rug_multifractal_facts *fit;
    const rug_moments *moments; /**< [job->n_q][facts.n_sizes]; NULL: not needed */
    uint64_t boxes[64];         /**< with mass, by size */
    int is_points;
    double threshold_seconds, count_seconds, fit_seconds;
} cli_multifractal_found;

/** Measure one image or one set of points by moments, or one image by slices of alpha; user
 *  is the job. */
rug_status cli_multifractal_image(cli_run *run, const cli_image *image, void *user);
rug_status cli_multifractal_points(cli_run *run, const cli_points *points, void *user);
rug_status cli_multifractal_alpha(cli_run *run, const cli_image *image, void *user);

/** Order i of those asked for, and of those of the summary. */
static inline const rug_multifractal_order *
cli_multifractal_order(const cli_multifractal_found *found, size_t i)
{
    return rug_multifractal_at(found->orders, i);
}
static inline const rug_multifractal_order *
cli_multifractal_main(const cli_multifractal_job *job,
                      const cli_multifractal_found *found, size_t i)
{
    return rug_multifractal_at(found->orders, job->n_q + i);
}

/** A standard error, which two sizes do not have. */
static inline double cli_multifractal_error(double error)
{
    return isnan(error) ? 0 : error;
}

/** What rounding may add to a slope. */
#define CLI_MULTIFRACTAL_ROUNDING 1e-6

/** How far f of order i is below 0 or above D0, beyond its errors: above 0 the fit is not that of a
 *  multifractal. */
static inline double cli_multifractal_excess(const cli_multifractal_job *job,
                                             const cli_multifractal_found *found,
                                             size_t i)
{
    const rug_multifractal_order *o = cli_multifractal_order(found, i);
    const rug_multifractal_order *support = cli_multifractal_main(job, found, 0);
    double above =
        o->f - support->dimension - cli_multifractal_error(support->dimension_error);
    return fmax(above, -o->f) - cli_multifractal_error(o->f_error) -
           CLI_MULTIFRACTAL_ROUNDING;
}

/** Whether D rises with q, which is impossible for a multifractal, and the orders between which it
 *  rises most, errors taken away. Orders from 0 on come first: they are those to rely on. */
int cli_multifractal_find_rise(const cli_multifractal_job *job,
                               const cli_multifractal_found *found,
                               const rug_multifractal_order *ends[2]);

/** Draws the spectrum, where a plot is asked. */
rug_status cli_multifractal_draw(cli_run *run, cli_multifractal_job *job,
                                 const char *name, const cli_multifractal_found *found);

#endif
