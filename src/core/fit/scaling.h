/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Scaling laws: how a number that depends on the size of boxes goes with that size.
 * Which sizes the line in a log-log plot takes, the line with its errors, and the local
 * slopes. Shared by every method that measures boxes of many sizes, so that equal counts
 * have equal dimensions.
 *
 *     rug_fit_options o = RUG_FIT_OPTIONS_INIT;
 *     rug_fit fit = RUG_FIT_INIT;
 *     rug_status status = rugi_fit_options_take(ctx, &o, opts);
 *     rugi_fit(&fit, &o, &input);
 */

#ifndef RUGI_SCALING_H
#define RUGI_SCALING_H

#include <rugose/context.h>
#include <rugose/fit.h>
#include <stddef.h>
#include <stdint.h>

/** A least-squares line y = intercept + slope * x. What is undefined is NaN. */
typedef struct rugi_line {
    double slope, intercept;
    double std_error; /* of the slope; NaN below three points */
    double r_squared; /* NaN when all y are equal */
} rugi_line;

/** Fits a line to n points; all NaN below two points or when all x are equal. */
rugi_line rugi_fit_line(size_t n, const double *x, const double *y);

/** The slopes between neighbouring points: slope[i] belongs to points i and i + 1, n - 1
 *  of them. */
void rugi_local_slopes(size_t n, const double *x, const double *y, double *slope);

/** A run of points: first, first + 1 … last. */
typedef struct rugi_run {
    size_t first, last;
    int agrees; /* 0: no run of three does; this is the steadiest run of three */
} rugi_run;

/** The longest run of at least three points whose local slopes lie within `spread` of
 *  each other; among equally long ones the one with the smallest spread, then the first.
 *  @param n      at least 3
 *  @param slope  n - 1 local slopes, none of them NaN */
rugi_run rugi_longest_run(size_t n, const double *slope, double spread);

/** The sizes of a fit, ascending, with what a line is laid through. */
typedef struct rugi_scaling_points {
    size_t n;
    uint32_t index[RUG_FIT_MAX_SIZES]; /* into all sizes */
    double x[RUG_FIT_MAX_SIZES];       /* ln(1 / size) */
    double y[RUG_FIT_MAX_SIZES];       /* ln(value) */
} rugi_scaling_points;

/** How many sizes 1, 2, 4 … there are up to the first that is >= longest; at most 64.
 *  @param longest  axis in pixels, at least 1 */
uint32_t rugi_scaling_n_dyadic(uint64_t longest);

/** Takes the options of a fit, which a caller gives, and checks them.
 *  @param given  NULL: the defaults
 *  @return RUG_OK, RUG_E_ARG (both kinds of range given, or an empty one) */
rug_status rugi_fit_options_take(rug_context *ctx, rug_fit_options *own,
                                 const rug_fit_options *given);

/** The largest size that a fit takes unless asked otherwise: a quarter of the shortest
 *  axis longer than 1; where that gives fewer than three sizes, half of the longest; 1
 *  for a single pixel.
 *  @param n_axes, shape  pixels per axis
 *  @param sizes          ascending */
uint64_t rugi_scaling_size_max(int n_axes, const uint64_t *shape, size_t n_sizes,
                               const uint64_t *sizes);

/** The sizes within [size_min, size_max] whose value has a logarithm.
 *  @param n_sizes  at most RUG_FIT_MAX_SIZES
 *  @param values   [n_sizes]; those that are not above 0 (NaN too) are left out */
void rugi_scaling_collect(rugi_scaling_points *out, size_t n_sizes, const uint64_t *sizes,
                          const double *values, uint64_t size_min, uint64_t size_max);

/** A line through the sizes of a fit. */
typedef struct rugi_scaling_fit {
    rugi_line line;
    uint64_t size_min, size_max; /* 0: no size was fitted */
} rugi_scaling_fit;

/** Fits a line.
 *  @param sizes  all of them
 *  @param used   of all sizes, zeroed: 1 is set for those of the fit; or NULL */
rugi_scaling_fit rugi_scaling_fit_line(const rugi_scaling_points *p,
                                       const uint64_t *sizes, uint8_t *used);

/** Keeps the longest range whose local slopes agree, without the large sizes at which all
 *  boxes count. Where these are all but one, all stay: what fills its space has the dimension
 *  of the space.
 *  @param p       without sizes at which one box holds everything
 *  @param values  of rugi_scaling_collect(); used with totals only
 *  @param totals  [all sizes]: the value at which all boxes count, which then follow the
 *                 frame of the image and not what is in it. NULL: no value says so, as
 *                 where all of the image counts
 *  @return OK, or NO_SCALING_RANGE (no three sizes agree: the steadiest three, or all of
 *          fewer, are kept) */
rug_fit_status rugi_scaling_choose(rugi_scaling_points *p, const double *values,
                                   const double *totals);

/** Pixels are isolated where boxes of side 2 or 3 are more than this share of them. */
#define RUGI_ISOLATED_SHARE 0.75

/** What is fitted: a value for each size. */
typedef struct rugi_fit_input {
    int n_axes;
    const uint64_t *shape; /* pixels per axis, or its length in the unit of sizes; 1 for a
                              single pixel */
    size_t n_sizes;        /* at most RUG_FIT_MAX_SIZES */
    const uint64_t *sizes; /* ascending */
    const double *values;
    const double
        *boxes; /* that hold anything: the values, unless those are of other boxes */
    const double *totals; /* as for rugi_scaling_choose() */
    double n_points;      /* of a set of points; 0: not one */
} rugi_fit_input;

/** rugi_scaling_collect() of the range that was asked for; that of an automatic one has
 *  yet to be chosen. Where none was asked for, sizes that say nothing are left out: those at
 *  which one box holds everything, and, of points and of isolated pixels, those with more than
 *  a third as many boxes as points. */
void rugi_scaling_collect_range(rugi_scaling_points *out, const rug_fit_options *options,
                                const rugi_fit_input *in);

/** The fit of a public call, but for its state EMPTY.
 *  @param out      with its struct_size; all the rest is set
 *  @param options  of rugi_fit_options_take() */
void rugi_fit(rug_fit *out, const rug_fit_options *options, const rugi_fit_input *input);

/** The local slopes of all sizes.
 *  @param slope  [n_sizes]: between sizes i and i + 1; NaN where one has no logarithm,
 *          and at the last size */
void rugi_scaling_local_slopes(double *slope, size_t n_sizes, const uint64_t *sizes,
                               const double *values);

#endif
