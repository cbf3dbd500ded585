/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Alpha slices: the Hölder exponent of every cell, and the box-counting dimension of the
 * sets of cells with nearly the same exponent, f(alpha) (Mukundan 2015).
 *
 * Alpha of a cell is the slope of ln mu(w) against ln w, where mu(w) is a measure of the w x w (x w)
 * window about it. The range of alpha is cut into slices of equal width; each is a set of
 * cells, and all of them are counted in one pass. */

#ifndef RUGOSE_MULTIFRACTAL_ALPHA_H
#define RUGOSE_MULTIFRACTAL_ALPHA_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/image.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What is measured in a window; windows are cut at the image's edge. The numbers are never changed. */
typedef enum rug_alpha_measure {
    RUG_ALPHA_MAX = 0, /**< the largest value */
    RUG_ALPHA_MIN = 1, /**< the least value */
    RUG_ALPHA_SUM = 2, /**< the sum of values */
    RUG_ALPHA_ISO = 3  /**< how many cells differ from the centre by at most iso_tolerance */
} rug_alpha_measure;

/** Windows of one call at most. */
#define RUG_ALPHA_MAX_WINDOWS 16
/** The largest window. */
#define RUG_ALPHA_WINDOW_MAX 63
/** Slices at most. */
#define RUG_ALPHA_MAX_SLICES 1024
/** Box sizes at most: 1, 2, 4 … 2^63. */
#define RUG_ALPHA_MAX_SIZES 64

/** Options. */
typedef struct rug_alpha_options {
    size_t struct_size;        /**< sizeof(rug_alpha_options); set by the INIT macro */
    rug_alpha_measure measure; /**< default SUM */
    uint32_t n_windows;        /**< 2..RUG_ALPHA_MAX_WINDOWS (default 4): 1, 3, 5, 7 … */
    double iso_tolerance;      /**< ISO: 0 (default) or more */
    uint32_t n_slices;         /**< 1..RUG_ALPHA_MAX_SLICES (default 64) */
    double alpha_min, alpha_max; /**< the range that is cut; both 0 (default): that of the
                                      image. Cells outside of it are in no slice; the upper edge belongs to the last slice */
    const rug_image *mask; /**< of the image's shape; cells outside have no alpha, but are
                                still part of their neighbours' windows. NULL (default): all have one */
} rug_alpha_options;

/** The defaults. */
#define RUG_ALPHA_OPTIONS_INIT                                             \
    {                                                                      \
        sizeof(rug_alpha_options), RUG_ALPHA_SUM, 4, 0, 64, 0, 0, NULL     \
    }

/** The map of alpha of an image or volume.
 *  @param out   room for all cells in C order: alpha, rounded to single precision; NaN outside of the mask and
 *               where a window has no positive measure (or a cell in it is negative, NaN or infinite)
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
RUG_API rug_status rug_alpha_map(rug_context *ctx, float *out, const rug_image *img,
                                 const rug_alpha_options *opts);

/** One slice. Undefined numbers are NaN and the status says why. */
typedef struct rug_alpha_slice {
    double alpha_min, alpha_max; /**< its edges: alpha_min <= alpha < alpha_max */
    uint64_t n_cells;
    uint64_t boxes[RUG_ALPHA_MAX_SIZES]; /**< [i]: boxes of size 2^i that hold a cell of it */
    double f, f_error, r_squared; /**< the box-counting dimension, as of rug_boxcount_fit() */
    uint64_t size_min, size_max;
    const char *status; /**< "ok", "empty", "too few sizes"; static text */
} rug_alpha_slice;

/** What rug_alpha_slices() found. */
typedef struct rug_alpha_result {
    double alpha_min, alpha_max; /**< the range that was cut; NaN when no cell has an alpha */
    uint64_t n_cells;     /**< inside of the mask */
    uint64_t n_undefined; /**< of them, without an alpha */
    uint64_t n_outside;   /**< of them, with an alpha outside of the range */
    uint32_t n_sizes;     /**< 1, 2, 4 … up to the first that is >= the longest axis */
    uint32_t n_slices;
    const char *engine;   /**< of the map; static text */
} rug_alpha_result;

/** Cuts a map of alpha into slices and counts the boxes of all of them in one pass.
 *  @param slices  [opts->n_slices]
 *  @param map     F32, such as a map of rug_alpha_map(); NaN is in no slice
 *  @param size_min, size_max  of the fit; 0: as in rug_boxcount_fit_options */
RUG_API rug_status rug_alpha_slices(rug_context *ctx, rug_alpha_result *out,
                                    rug_alpha_slice *slices, const rug_image *map,
                                    const rug_alpha_options *opts, uint64_t size_min,
                                    uint64_t size_max);

#ifdef __cplusplus
}
#endif

#endif
