/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Alpha slices: the Hölder exponent of every pixel, and the box-counting dimension of the
 * sets of pixels with nearly the same exponent, f(alpha) (Mukundan 2015).
 *
 * Alpha of a pixel is the slope of ln mu(w) against ln w, where mu(w) is a measure of the
 * w x w (x w) window about it. The range of alpha is cut into slices of equal width; each
 * slice is a set of pixels, and all slices are counted in one pass.
 *
 *     float alpha[64 * 64];
 *     rug_alpha_options opts = RUG_ALPHA_OPTIONS_INIT;
 *     opts.n_slices = 4;
 *     rug_image map;
 *     rug_alpha_result *slices = NULL;
 *     rug_status status = rug_alpha_map(ctx, alpha, &grey, &opts);
 *     if (status == RUG_OK)
 *         status = rug_image_view(ctx, &map, alpha, RUG_F32, 2, grey.shape);
 *     if (status == RUG_OK)
 *         status = rug_alpha_slices(ctx, &slices, &map, &opts);
 *     for (uint32_t i = 0; status == RUG_OK && i < 2; i++) {
 *         rug_fit fit = RUG_FIT_INIT;
 *         status = rug_alpha_fit(ctx, &fit, slices, i, NULL);
 *         printf("alpha from %.2f on: f = %.2f\n", rug_alpha_at(slices, i)->alpha_min,
 *                fit.slope);
 *     }
 *     rug_alpha_free(slices);
 *     // prints: alpha from 1.13 on: f = 1.80
 *     // prints: alpha from 2.00 on: f = 1.71
 */

#ifndef RUGOSE_MULTIFRACTAL_ALPHA_H
#define RUGOSE_MULTIFRACTAL_ALPHA_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/fit.h>
#include <rugose/image.h>
#include <rugose/source.h>
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

/** "max", "min", "sum" or "iso"; "?" for other numbers. Static text. */
RUG_API const char *rug_alpha_measure_name(rug_alpha_measure measure);

/** The maximum number of windows. */
#define RUG_ALPHA_MAX_WINDOWS 16
/** The side of the largest window, in pixels. */
#define RUG_ALPHA_WINDOW_MAX 31
/** The maximum number of slices. */
#define RUG_ALPHA_MAX_SLICES 1024

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
    /** of the image's shape, any dtype; pixels that are 0 or NaN there have no alpha, but
     *  still count in their neighbours' windows. NULL (default): no mask */
    const rug_source *mask;
} rug_alpha_options;

/** The defaults. */
#define RUG_ALPHA_OPTIONS_INIT                                         \
    {                                                                  \
        sizeof(rug_alpha_options), RUG_ALPHA_SUM, 4, 0, 64, 0, 0, NULL \
    }

/** The map of alpha of an image or volume. Measures of integers are exact up to the
 *  logarithm. The result is the same on every CPU level, device and number of threads.
 *  @param out   one float for every pixel, in C order: alpha, rounded to single
 *               precision; NaN outside the mask, where a window has no positive measure,
 *               and where a pixel in the largest window is NaN or infinite or, unless the
 *               measure is ISO, below 0. Undefined after a failure
 *  @param image   [ny][nx] or [nz][ny][nx], any dtype and byte strides
 *  @param opts  NULL = defaults
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED, or what the
 *          mask's source returns */
RUG_API rug_status rug_alpha_map(rug_context *ctx, float *out, const rug_image *image,
                                 const rug_alpha_options *opts);

/** The alphas of some rows. */
typedef struct rug_alpha_map_rows {
    size_t slice;       /**< of a volume, else 0 */
    size_t first, n;    /**< rows first .. first + n - 1 of the image or slice */
    size_t nx;          /**< columns */
    const float *alpha; /**< [n][nx], as in rug_alpha_map(); valid during the call */
} rug_alpha_map_rows;

/** Receives a map, on the calling thread: all rows in order.
 *  @return RUG_OK; anything else ends the call, which returns it */
typedef rug_status (*rug_alpha_map_fn)(void *user, const rug_alpha_map_rows *rows);

/** rug_alpha_map() of an image that is larger than memory, bit for bit. Reads the source and
 *  the mask once; holds a slab of layers, pixels and alphas of about 128 MB together but at
 *  least as many layers as the largest window reaches to one side, and those that it
 *  reaches before and behind the slab.
 *  @param source  2D or 3D, any dtype
 *  @param opts    NULL = defaults
 *  @param user    handed to fn
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED, or what fn or a
 *          source returns */
RUG_API rug_status rug_alpha_map_source(rug_context *ctx, const rug_source *source,
                                        const rug_alpha_options *opts,
                                        rug_alpha_map_fn fn, void *user);

/** One slice. */
typedef struct rug_alpha_slice {
    /** Its edges: alpha_min <= alpha < alpha_max; NaN when no pixel has an alpha and no
     *  range was given. */
    double alpha_min, alpha_max;
    uint64_t n_pixels;
} rug_alpha_slice;

/** What all slices have in common. */
typedef struct rug_alpha_facts {
    int ndim;                     /**< axes of the map */
    uint64_t shape[RUG_MAX_AXES]; /**< pixels per axis, slowest first */
    /** The range that was cut; NaN when no pixel has an alpha and none was given. */
    double alpha_min, alpha_max;
    uint64_t n_pixels;    /**< inside the mask */
    uint64_t n_undefined; /**< of them, without an alpha: NaN or infinite */
    uint64_t n_outside;   /**< of them, with an alpha outside the range */
    uint32_t n_sizes;     /**< 1, 2, 4 … up to the first that is >= the longest axis */
    uint32_t n_slices;
    const char *engine; /**< such as "cpu-avx512"; static text */
} rug_alpha_facts;

/** Slices and their boxes. Opaque, owned by the caller. */
typedef struct rug_alpha_result rug_alpha_result;

/** Cuts a map of alpha into slices and counts the boxes of all of them in one pass. Edge
 *  i of n is alpha_min + (alpha_max - alpha_min) i / n in double precision. If all alphas
 *  of the map are equal, so are all edges, and all pixels are in the last slice. Always
 *  runs on the processor, whatever the device.
 *  @param out     NULL on failure; free it with rug_alpha_free(), before its context
 *  @param map     F32, such as a map of rug_alpha_map(); NaN and infinity are in no slice
 *  @param opts    NULL = defaults; measure and windows are checked but not used
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_CANCELLED, or what the mask's source
 *          returns */
RUG_API rug_status rug_alpha_slices(rug_context *ctx, rug_alpha_result **out,
                                    const rug_image *map, const rug_alpha_options *opts);

/** Frees slices. NULL is allowed. */
RUG_API void rug_alpha_free(rug_alpha_result *result);

/** What all slices have in common; valid as long as the result.
 *  @return NULL for NULL */
RUG_API const rug_alpha_facts *rug_alpha_get_facts(const rug_alpha_result *result);

/** Slice i, by ascending alpha; valid as long as the result.
 *  @return NULL when there is none */
RUG_API const rug_alpha_slice *rug_alpha_at(const rug_alpha_result *result, size_t i);

/** How many boxes of size 2^k hold a pixel of a slice; 0 when there is no such slice or
 *  size. */
RUG_API uint64_t rug_alpha_boxes(const rug_alpha_result *result, size_t slice, size_t k);

/** f(alpha) of a slice, the slope: what rug_boxcount_fit() gives of the slice as a binary
 *  image, bit for bit.
 *  @param out   filled on RUG_OK, zeroed otherwise
 *  @param opts  NULL = defaults
 *  @return RUG_OK (even when numbers are undefined: see status), RUG_E_ARG (also when there
 *          is no such slice) */
RUG_API rug_status rug_alpha_fit(rug_context *ctx, rug_fit *out,
                                 const rug_alpha_result *result, size_t slice,
                                 const rug_fit_options *opts);

#ifdef __cplusplus
}
#endif

#endif
