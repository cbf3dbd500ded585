/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Alpha slices: the Hölder exponent of every pixel, and the box-counting dimension of the
 * sets of pixels with nearly the same exponent, f(alpha) (Mukundan 2015).
 *
 * Alpha of a pixel is the slope of ln mu(w) against ln w, where mu(w) is a measure of the
 * w x w (x w) window about it. The range of alpha is cut into slices of equal width; each
 * slice is a set of pixels, and all slices are counted in one pass. */

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

/** What is measured in a window; windows are cut off at the edge of the image. The
 *  numbers never change. */
typedef enum rug_alpha_measure {
    RUG_ALPHA_MAX = 0, /**< the largest value */
    RUG_ALPHA_MIN = 1, /**< the smallest value */
    RUG_ALPHA_SUM = 2, /**< the sum of values */
    /** how many pixels differ from the centre by at most iso_tolerance */
    RUG_ALPHA_ISO = 3
} rug_alpha_measure;

/** The maximum number of windows. */
#define RUG_ALPHA_MAX_WINDOWS 16
/** The side of the largest window, in pixels. */
#define RUG_ALPHA_WINDOW_MAX 31
/** The maximum number of slices. */
#define RUG_ALPHA_MAX_SLICES 1024
/** The maximum number of box sizes: 1, 2, 4 … 2^63. */
#define RUG_ALPHA_MAX_SIZES 64

/** Options of rug_alpha_map() and rug_alpha_slices(). */
typedef struct rug_alpha_options {
    size_t struct_size;        /**< sizeof(rug_alpha_options); set by the INIT macro */
    rug_alpha_measure measure; /**< default SUM */
    uint32_t n_windows; /**< 2..RUG_ALPHA_MAX_WINDOWS (default 4): sides 1, 3, 5, 7 … */
    double iso_tolerance;        /**< ISO: 0 (default) or more */
    uint32_t n_slices;           /**< 1..RUG_ALPHA_MAX_SLICES (default 64) */
    double alpha_min, alpha_max; /**< the range that is cut, finite and not empty; both 0
                                    (default): that of the map. Pixels outside it are in
                                    no slice; the upper edge belongs to the last slice */
    /** of the image's shape; pixels outside have no alpha, but still count in their
     *  neighbours' windows. NULL (default): no mask */
    const rug_image *mask;
    const char **engine; /**< rug_alpha_map() sets it to the name of the engine, static
                                text; NULL (default): not reported */
} rug_alpha_options;

/** The defaults. */
#define RUG_ALPHA_OPTIONS_INIT                                               \
    {                                                                        \
        sizeof(rug_alpha_options), RUG_ALPHA_SUM, 4, 0, 64, 0, 0, NULL, NULL \
    }

/** The map of alpha of an image or volume. Measures of integers are exact up to the
 *  logarithm. The result is the same on every CPU level, device and number of threads.
 *  @param out   one float for every pixel, in C order: alpha, rounded to single
 *               precision; NaN outside the mask, where a window has no positive measure,
 *               and where a pixel in the largest window is NaN or infinite or, unless the
 *               measure is ISO, below 0. Undefined after a failure
 *  @param image   any dtype, shape and strides
 *  @param opts  NULL = defaults
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
RUG_API rug_status rug_alpha_map(rug_context *ctx, float *out, const rug_image *image,
                                 const rug_alpha_options *opts);

/** One slice. Undefined numbers are NaN and the status says why. */
typedef struct rug_alpha_slice {
    double alpha_min, alpha_max; /**< its edges: alpha_min <= alpha < alpha_max */
    uint64_t n_pixels;
    /** [i]: boxes of size 2^i that hold one of its pixels */
    uint64_t boxes[RUG_ALPHA_MAX_SIZES];
    double f, f_error, r_squared; /**< as rug_boxcount_fit() gives them */
    uint64_t size_min, size_max;  /**< of the fit; 0: no size */
    const char *status;           /**< "ok", "empty", "too few sizes"; static text */
} rug_alpha_slice;

/** The result of rug_alpha_slices(), without the slices. */
typedef struct rug_alpha_result {
    /** The range that was cut; NaN when no pixel has an alpha. */
    double alpha_min, alpha_max;
    uint64_t n_pixels;    /**< inside the mask */
    uint64_t n_undefined; /**< of them, without an alpha: NaN or infinite */
    uint64_t n_outside;   /**< of them, with an alpha outside the range */
    uint32_t n_sizes;     /**< 1, 2, 4 … up to the first that is >= the longest axis */
    uint32_t n_slices;
    const char *engine; /**< such as "cpu-avx512"; static text */
} rug_alpha_result;

/** Cuts a map of alpha into slices and counts the boxes of all of them in one pass. Edge
 *  i of n is alpha_min + (alpha_max - alpha_min) i / n in double precision. If all alphas
 *  of the map are equal, so are all edges, and all pixels are in the last slice. Always
 *  runs on the processor, whatever the device.
 *  @param out     filled on RUG_OK, zeroed otherwise
 *  @param slices  [opts->n_slices]; zeroed if the call fails with a valid number of
 *                 slices
 *  @param map     F32, such as a map of rug_alpha_map(); NaN and infinity are in no slice
 *  @param opts    NULL = defaults; measure and windows are checked but not used
 *  @param size_min, size_max  the range of the fit; 0: as in rug_boxcount_fit_options
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_CANCELLED */
RUG_API rug_status rug_alpha_slices(rug_context *ctx, rug_alpha_result *out,
                                    rug_alpha_slice *slices, const rug_image *map,
                                    const rug_alpha_options *opts, uint64_t size_min,
                                    uint64_t size_max);

#ifdef __cplusplus
}
#endif

#endif
