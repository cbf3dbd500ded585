/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Scaling laws: how a number that depends on the size of boxes goes with that size.
 * Which sizes the line in a log-log plot takes, the line with its errors, and the local
 * slopes. Shared by every method that measures boxes of many sizes, so that equal counts
 * have equal dimensions.
 *
 *     rugi_scaling_points p;
 *     rugi_scaling_collect(&p, n, sizes, values, size_min, size_max);
 *     const char *status = is_auto ? rugi_scaling_choose(&p, values, totals) : "ok";
 *     rugi_scaling_fit fit = rugi_scaling_fit_line(&p, sizes, NULL);
 */

#ifndef RUGI_SCALING_H
#define RUGI_SCALING_H

#include <rugose/boxcount.h> /* its public limits hold for all methods */
#include <rugose/context.h>
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

/** The most sizes. */
#define RUGI_SCALING_MAX_SIZES RUG_BOXCOUNT_MAX_SIZES

/** How far the local slopes of an automatic range may lie apart. */
#define RUGI_SCALING_SLOPE_SPREAD RUG_BOXCOUNT_SLOPE_SPREAD

/** Which sizes are fitted, as asked. */
typedef struct rugi_scaling_range {
    int is_auto;                 /* the longest range with steady local slopes */
    uint64_t size_min, size_max; /* 0: not given */
} rugi_scaling_range;

/** The sizes of a fit, ascending, with what a line is laid through. */
typedef struct rugi_scaling_points {
    size_t n;
    uint32_t index[RUGI_SCALING_MAX_SIZES]; /* into all sizes */
    double x[RUGI_SCALING_MAX_SIZES];       /* ln(1 / size) */
    double y[RUGI_SCALING_MAX_SIZES];       /* ln(value) */
} rugi_scaling_points;

/** How many sizes 1, 2, 4 … there are up to the first that is >= longest; at most 64.
 *  @param longest  axis in pixels, at least 1 */
uint32_t rugi_scaling_n_dyadic(uint64_t longest);

/** RUG_OK, or RUG_E_ARG with a text: both kinds of range given, or an empty one. */
rug_status rugi_scaling_check(rug_context *ctx, rugi_scaling_range range);

/** The largest size that a fit takes unless asked otherwise: a quarter of the shortest
 *  axis longer than 1; where that gives fewer than three sizes, half of the longest; 1
 *  for a single pixel.
 *  @param n_axes, shape  pixels per axis
 *  @param sizes          ascending */
uint64_t rugi_scaling_size_max(int n_axes, const uint64_t *shape, size_t n_sizes,
                               const uint64_t *sizes);

/** The sizes within [size_min, size_max] whose value has a logarithm.
 *  @param n_sizes  at most RUGI_SCALING_MAX_SIZES
 *  @param values   [n_sizes]; those that are not above 0 (NaN too) are left out */
void rugi_scaling_collect(rugi_scaling_points *out, size_t n_sizes, const uint64_t *sizes,
                          const double *values, uint64_t size_min, uint64_t size_max);

/** rugi_scaling_collect() of the range that was asked for; that of an automatic one has
 *  yet to be chosen. */
void rugi_scaling_collect_range(rugi_scaling_points *out, rugi_scaling_range range,
                                int n_axes, const uint64_t *shape, size_t n_sizes,
                                const uint64_t *sizes, const double *values);

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
 *  boxes count or one holds everything.
 *  @param values  of rugi_scaling_collect(); used with totals only
 *  @param totals  [all sizes]: the value at which all boxes count, which then follow the
 *                 frame of the image and not what is in it. NULL: no value says so, as
 *                 where all of the image counts
 *  @return "ok" or "no scaling range" (no three sizes agree: the steadiest three, or all
 *          of fewer, are kept); static text */
const char *rugi_scaling_choose(rugi_scaling_points *p, const double *values,
                                const double *totals);

/** The local slopes of all sizes.
 *  @param slope  [n_sizes]: between sizes i and i + 1; NaN where one has no logarithm,
 *          and at the last size */
void rugi_scaling_local_slopes(double *slope, size_t n_sizes, const uint64_t *sizes,
                               const double *values);

#endif
