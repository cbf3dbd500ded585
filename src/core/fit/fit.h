/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Straight-line fits: the slope with its error, and the choice of a range. Shared by
 * every method whose result is a slope in a log-log plot. */

#ifndef RUGI_FIT_H
#define RUGI_FIT_H

#include <stddef.h>

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

#endif
