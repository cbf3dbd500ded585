/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counting: how many boxes of each size hold foreground, and the fractal dimension
 * that follows.
 *
 * A box of size s is *black* when all its s^D cells are foreground, *white* when none is,
 * *gray* otherwise (Mukundan 2015). The grid begins at the first cell of every axis.
 * Cells outside the image are background, so a box that the edge cuts off is never black.
 *
 *     rug_boxcount_result counts;
 *     rug_boxcount_dimension dim;
 *     rug_boxcount(ctx, &counts, &image, NULL);
 *     rug_boxcount_fit(ctx, &dim, &counts, NULL);
 *     printf("D = %g +- %g\n", dim.dimension, dim.std_error);
 */

#ifndef RUGOSE_BOXCOUNT_H
#define RUGOSE_BOXCOUNT_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/foreground.h>
#include <rugose/image.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Box sizes in one result: 1, 2, 4 … 2^63 at most. */
#define RUG_BOXCOUNT_MAX_SIZES 64

/** The boxes of one size. total = white + gray + black; nonempty = gray + black. */
typedef struct rug_box_count {
    uint64_t size;     /**< side of the box in cells */
    uint64_t total;    /**< product of ceil(n / size) over the axes */
    uint64_t nonempty; /**< boxes with at least one foreground cell */
    uint64_t black;    /**< boxes with foreground cells only */
    uint64_t gray;     /**< nonempty, but not black */
    uint64_t white;    /**< boxes without a foreground cell */
} rug_box_count;

/** How to count. All methods give the same counts. */
typedef enum rug_boxcount_method {
    RUG_BOXCOUNT_AUTO = 0,   /**< the fastest for this input */
    RUG_BOXCOUNT_PYRAMID = 1 /**< dense: every cell read once, all sizes in one pass */
} rug_boxcount_method;

/** Options of rug_boxcount(). */
typedef struct rug_boxcount_options {
    size_t struct_size;        /**< sizeof(rug_boxcount_options); set by the INIT macro */
    rug_foreground foreground; /**< which cells are set (default AUTO) */
    rug_boxcount_method method; /**< default AUTO */
} rug_boxcount_options;

/** The defaults. */
#define RUG_BOXCOUNT_OPTIONS_INIT                                            \
    {                                                                        \
        sizeof(rug_boxcount_options), RUG_FOREGROUND_INIT, RUG_BOXCOUNT_AUTO \
    }

/** What rug_boxcount() found. A plain struct, nothing to free. */
typedef struct rug_boxcount_result {
    int ndim;                   /**< axes of the image */
    size_t shape[RUG_MAX_AXES]; /**< cells per axis, slowest first */
    rug_foreground foreground;  /**< the rule in force, resolved: never AUTO or OTSU */
    const char *method;         /**< "pyramid"; static text */
    const char *engine;         /**< what ran, such as "cpu-avx512"; static text */
    uint32_t n_sizes;           /**< entries of counts */
    rug_box_count
        counts[RUG_BOXCOUNT_MAX_SIZES]; /**< sizes 1, 2, 4 … up to the first that is
                                             >= the longest axis */
} rug_boxcount_result;

/** Counts the boxes of every power-of-two size (Mukundan 2015; Jimenez & Ruiz de Miras
 *  2013).
 *  @param ctx   threads, device, error text; one per calling thread
 *  @param out   filled on RUG_OK, zeroed otherwise
 *  @param img   [ny][nx] or [nz][ny][nx], any dtype and byte strides; borrowed, never
 *               written
 *  @param opts  NULL = defaults
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
RUG_API rug_status rug_boxcount(rug_context *ctx, rug_boxcount_result *out,
                                const rug_image *img, const rug_boxcount_options *opts);

/** Which boxes the dimension is taken of. The numbers are never changed. */
typedef enum rug_boxcount_of {
    RUG_BOXCOUNT_OF_NONEMPTY = 0, /**< gray + black: the set itself */
    RUG_BOXCOUNT_OF_BLACK = 1,    /**< the inside */
    RUG_BOXCOUNT_OF_GRAY = 2,     /**< the border; no box of size 1 is gray */
    RUG_BOXCOUNT_OF_WHITE = 3     /**< the complement */
} rug_boxcount_of;

/** Options of rug_boxcount_fit(). */
typedef struct rug_boxcount_fit_options {
    size_t struct_size; /**< sizeof(rug_boxcount_fit_options); set by the INIT macro */
    rug_boxcount_of of; /**< default NONEMPTY */
    int auto_range; /**< nonzero: the longest range whose local slopes differ by at most
                         RUG_BOXCOUNT_SLOPE_SPREAD, without the large sizes at which all
                         boxes count or one holds everything; size_min and size_max must
                         be 0 */
    uint64_t size_min; /**< least box size of the fit; 0 = 1 */
    uint64_t size_max; /**< largest box size; 0 = the largest power of two <= a quarter of
                          the shortest axis longer than 1, or, where that gives fewer than
                          three sizes, <= half of the longest axis */
} rug_boxcount_fit_options;

/** The defaults. */
#define RUG_BOXCOUNT_FIT_OPTIONS_INIT                                       \
    {                                                                       \
        sizeof(rug_boxcount_fit_options), RUG_BOXCOUNT_OF_NONEMPTY, 0, 0, 0 \
    }

/** How far the local slopes of an automatic range may lie apart. */
#define RUG_BOXCOUNT_SLOPE_SPREAD 0.1

/** A fractal dimension with its fit. Undefined numbers are NaN
 *  and the status says why. */
typedef struct rug_boxcount_dimension {
    double dimension;  /**< least-squares slope of ln(count) against ln(1 / size) */
    double std_error;  /**< standard error of the slope; NaN below three sizes */
    double r_squared;  /**< coefficient of determination; NaN when all counts are equal */
    double intercept;  /**< ln(count) of the line at size 1 */
    uint64_t size_min; /**< least size used */
    uint64_t size_max; /**< largest size used */
    uint32_t n_sizes;  /**< sizes used; those with a count of 0 are left out */
    const char
        *status; /**< "ok", "empty" (no foreground), "too few sizes" (fewer than two sizes
                      with boxes in the range), "no scaling range" (auto: no three sizes
                      agree; the steadiest three were used); static text */
    uint8_t used[RUG_BOXCOUNT_MAX_SIZES]; /**< 1 where counts[i] is part of the fit */
    double local_slope[RUG_BOXCOUNT_MAX_SIZES]; /**< [i]: slope between sizes i and i + 1;
                                                   NaN where a count is 0 and at the last
                                                   size */
} rug_boxcount_dimension;

/** Fits the dimension to counts.
 *  @param out     filled on RUG_OK, zeroed otherwise
 *  @param counts  from rug_boxcount()
 *  @param opts    NULL = defaults
 *  @return RUG_OK (also when the dimension is undefined: see status), RUG_E_ARG */
RUG_API rug_status rug_boxcount_fit(rug_context *ctx, rug_boxcount_dimension *out,
                                    const rug_boxcount_result *counts,
                                    const rug_boxcount_fit_options *opts);

#ifdef __cplusplus
}
#endif

#endif
