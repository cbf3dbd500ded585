/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fits: the line through the logarithms of counts against the logarithm of 1 / size, whose slope
 * is a dimension. Every method that measures boxes of many sizes shares it, so that equal counts
 * have equal dimensions.
 *
 *     rug_boxcount_result *counts;
 *     rug_status status = rug_boxcount(ctx, &counts, &image, NULL);
 *     rug_fit_options opts = RUG_FIT_OPTIONS_INIT;
 *     opts.size_max = 32;
 *     rug_fit fit = RUG_FIT_INIT;
 *     if (status == RUG_OK)
 *         status = rug_boxcount_fit(ctx, &fit, counts, RUG_BOXCOUNT_OF_NONEMPTY, &opts);
 *     if (status == RUG_OK)
 *         printf("D = %.4f from sizes %d to %d, %s\n", fit.slope, (int)fit.size_min,
 *                (int)fit.size_max, rug_fit_status_name(fit.status));
 *     rug_boxcount_free(counts);
 *     // prints: D = 1.5850 from sizes 1 to 32, ok
 */

#ifndef RUGOSE_FIT_H
#define RUGOSE_FIT_H

#include <rugose/export.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The most sizes of a fit. */
#define RUG_FIT_MAX_SIZES 1024

/** The largest difference between local slopes of an automatic range. */
#define RUG_FIT_SLOPE_SPREAD 0.1

/** The least coefficient of determination of a fit that is not doubtful. */
#define RUG_FIT_R_SQUARED 0.98

/** Whether a slope means anything. The numbers never change. */
typedef enum rug_fit_status {
    RUG_FIT_OK = 0,
    RUG_FIT_EMPTY = 1,         /**< there is nothing to count */
    RUG_FIT_TOO_FEW_SIZES = 2, /**< fewer than two sizes with boxes in the range */
    RUG_FIT_NO_SCALING_RANGE =
        3, /**< automatic range: no three sizes agree; the steadiest
                                       three are used */
    RUG_FIT_NEAR_EMPTY_BOXES =
        4, /**< multifractals, q < 0: more than half of the sum comes
                                       from nearly empty boxes */
    /** the slope rests on little: R2 below RUG_FIT_R_SQUARED, fewer than three sizes, or less
     *  than a decade of them */
    RUG_FIT_DOUBTFUL = 5
} rug_fit_status;

/** "ok", "empty", "too few sizes", "no scaling range", "near-empty boxes" or
 *  "doubtful"; "?" for other numbers. Static text. */
RUG_API const char *rug_fit_status_name(rug_fit_status status);

/** Which sizes are fitted. Unless a size is given here, those that say nothing are left out:
 *  those at which one box holds everything, and, of points and of images whose set pixels are
 *  isolated, those with more than a third as many boxes as points. */
typedef struct rug_fit_options {
    size_t struct_size; /**< sizeof(rug_fit_options); set by the INIT macro */
    /** Nonzero: the longest range whose local slopes differ by at most RUG_FIT_SLOPE_SPREAD,
     *  without the large sizes at which every box counts, where two others are left; size_min
     *  and size_max must be 0. */
    int auto_range;
    uint64_t size_min; /**< smallest size of the fit; 0 (default): 1 */
    /** Largest size of the fit; 0 (default): a quarter of the shortest axis longer than 1, or,
     *  if that gives fewer than three sizes, half of the longest axis. */
    uint64_t size_max;
} rug_fit_options;

/** The defaults. */
#define RUG_FIT_OPTIONS_INIT             \
    {                                    \
        sizeof(rug_fit_options), 0, 0, 0 \
    }

/** A line and how well it fits. Undefined numbers are NaN, and the status says why. */
typedef struct rug_fit {
    size_t struct_size; /**< sizeof(rug_fit); set by the INIT macro */
    double slope;       /**< least-squares slope of ln(count) against ln(1 / size): the
                             dimension */
    double std_error;   /**< standard error of the slope; NaN below three sizes */
    double r_squared;  /**< coefficient of determination; NaN when all counts are equal */
    double intercept;  /**< ln(count) of the line at size 1 */
    uint64_t size_min; /**< smallest size used; 0: none */
    uint64_t size_max; /**< largest size used */
    uint32_t n_sizes;  /**< sizes used; sizes with a count of 0 are left out */
    rug_fit_status status;
    /** By the index of the size in the result: 1 where it is part of the fit. */
    uint8_t used[RUG_FIT_MAX_SIZES];
    /** [i]: the slope between sizes i and i + 1; NaN if a count is 0, and from the last size
     *  on. */
    double local_slope[RUG_FIT_MAX_SIZES];
} rug_fit;

/** A fit to be filled. */
#define RUG_FIT_INIT                                           \
    {                                                          \
        sizeof(rug_fit), 0, 0, 0, 0, 0, 0, 0, RUG_FIT_OK, {0}, \
        {                                                      \
            0.0                                                \
        }                                                      \
    }

#ifdef __cplusplus
}
#endif

#endif
