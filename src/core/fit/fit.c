/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Straight-line fits in two passes (means first), so that no digits are lost to
 * cancellation. */

#include "fit.h"
#include <math.h>

rugi_line rugi_fit_line(size_t n, const double *x, const double *y)
{
    rugi_line line = {NAN, NAN, NAN, NAN};
    if (n < 2)
        return line;
    double mean_x = 0, mean_y = 0;
    for (size_t i = 0; i < n; i++) {
        mean_x += x[i] / (double)n;
        mean_y += y[i] / (double)n;
    }
    double xx = 0, xy = 0;
    int equal_y = 1;
    for (size_t i = 0; i < n; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
        equal_y &= y[i] == y[0];
    }
    if (!(xx > 0))
        return line;
    line.slope = equal_y ? 0.0 : xy / xx;
    line.intercept = equal_y ? y[0] : mean_y - line.slope * mean_x;
    double residual = 0, total = 0;
    for (size_t i = 0; i < n; i++) {
        double r = y[i] - line.intercept - line.slope * x[i];
        residual += r * r;
        total += (y[i] - mean_y) * (y[i] - mean_y);
    }
    if (n > 2)
        line.std_error = sqrt(residual / (double)(n - 2) / xx);
    if (!equal_y)
        line.r_squared = 1.0 - residual / total;
    return line;
}

void rugi_local_slopes(size_t n, const double *x, const double *y, double *slope)
{
    for (size_t i = 0; i + 1 < n; i++)
        slope[i] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
}

static double spread_of(const double *slope, size_t first, size_t last)
{
    double lo = slope[first], hi = slope[first];
    for (size_t i = first + 1; i < last; i++) {
        lo = fmin(lo, slope[i]);
        hi = fmax(hi, slope[i]);
    }
    return hi - lo;
}

rugi_run rugi_longest_run(size_t n, const double *slope, double spread)
{
    rugi_run best = {0, 2, 0};
    for (size_t length = n; length >= 3; length--) {
        double best_spread = INFINITY;
        for (size_t first = 0; first + length <= n; first++) {
            double s = spread_of(slope, first, first + length - 1);
            if (s < best_spread) {
                best_spread = s;
                best.first = first;
                best.last = first + length - 1;
            }
        }
        if (best_spread <= spread) {
            best.agrees = 1;
            return best;
        }
    }
    return best;
}
