/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Differential box counting: the fractal dimension of grey values as a surface over the
 * image (Sarkar and Chaudhuri 1994). A column of boxes of side s and height h stands over
 * each s x s (x s) block; n = floor(max / h) - floor(min / h) + 1 boxes of it meet the
 * surface. A block that the edge of the image cuts counts by the share of it that lies inside,
 * so that a flat image of any shape has dimension 2, and a flat volume 3.
 *
 *     rug_dbc_result *counts;
 *     rug_status status = rug_dbc(ctx, &counts, &grey, NULL);
 *     rug_fit fit = RUG_FIT_INIT;
 *     if (status == RUG_OK)
 *         status = rug_dbc_fit(ctx, &fit, counts, NULL);
 *     if (status == RUG_OK)
 *         printf("%d boxes of size 2, D = %.3f\n", (int)rug_dbc_at(counts, 0)->boxes,
 *                fit.slope);
 *     rug_dbc_free(counts);
 *     // prints: 21592 boxes of size 2, D = 2.808
 */

#ifndef RUGOSE_DBC_H
#define RUGOSE_DBC_H

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

/** The most box sizes: 2, 4, 8 … 2^63. */
#define RUG_DBC_MAX_SIZES 64

/** Where heights are measured from, where that is a choice. The numbers are never changed. */
typedef enum rug_dbc_anchor {
    /** The least value of the dtype for integers of 8 bits, for RUG_BIT and for all with
     *  `levels` given, else the least value of the image. */
    RUG_DBC_ANCHOR_ZERO = 0,
    /** The least value of the image, so that a constant added to it changes nothing. */
    RUG_DBC_ANCHOR_MIN = 1
} rug_dbc_anchor;

/** "zero" or "min"; "?" for other numbers. Static text. */
RUG_API const char *rug_dbc_anchor_name(rug_dbc_anchor anchor);

/** Options of rug_dbc(). */
typedef struct rug_dbc_options {
    size_t struct_size; /**< sizeof(rug_dbc_options); set by the INIT macro */
    /** G, the number of grey levels. 0 (default): 256 for integers of 8 bits, 2 for RUG_BIT,
     *  else the range of the values: largest - least + 1 of integers, largest - least of
     *  floats. For integers G must be a whole number up to 2^53. */
    double levels;
    /** Of the image's shape, any dtype; pixels are inside where it is neither 0 nor NaN.
     *  Pixels outside are ignored, and blocks without a pixel inside are not counted. NULL
     *  (default): all are inside. */
    const rug_source *mask;
    rug_dbc_anchor anchor; /**< default ZERO */
    uint32_t unused;       /**< 0 */
    /** For floats that stand for integers, such as those beside pixels that hold no data: the
     *  dtype of the integers, whose levels, base and boxes they get. Floats that it does not hold
     *  are left out, as NaN is. RUG_BIT (default): floats are floats. Integers ignore it. */
    rug_dtype values;
    uint32_t unused_too; /**< 0 */
} rug_dbc_options;

/** The defaults. */
#define RUG_DBC_OPTIONS_INIT                                                 \
    {                                                                        \
        sizeof(rug_dbc_options), 0, NULL, RUG_DBC_ANCHOR_ZERO, 0, RUG_BIT, 0 \
    }

/** One size. */
typedef struct rug_dbc_size {
    uint64_t size; /**< side of the block in pixels */
    /** h = max(1, s G / M), for floats s G / M, where M is the longest axis. Rounded only
     *  here: counts are by the exact h. */
    double height;
    uint64_t blocks; /**< blocks that hold a pixel, including those that the edge cuts */
    uint64_t boxes;  /**< the sum of n over these */
    /** N(s), which is fitted: the sum of n times the share of the block that lies inside the
     *  image. Where s divides all sides it equals boxes. Rounded once. */
    double boxes_by_area;
} rug_dbc_size;

/** What holds for all sizes of a result. */
typedef struct rug_dbc_facts {
    int ndim;
    uint64_t shape[RUG_MAX_AXES]; /**< slowest axis first */
    uint64_t n_pixels;            /**< inside the mask */
    uint64_t n_left_out;          /**< of these, NaN or infinite, and ignored */
    double min, max;              /**< of the others; NaN if there are none */
    double levels, base;          /**< G, and the value that heights are measured from */
    const char *engine;           /**< that ran, such as "cpu-avx512"; static text */
    uint32_t n_sizes;             /**< sizes 2, 4, 8 … below the longest axis */
} rug_dbc_facts;

/** What rug_dbc() found. Opaque, owned by the caller. */
typedef struct rug_dbc_result rug_dbc_result;

/** Counts the boxes of all sizes in one pass over the image, after another one for the range
 *  of values where that is needed.
 *  @param out    the result; NULL on failure; free it with rug_dbc_free(), before its context
 *  @param image  [ny][nx] or [nz][ny][nx], any dtype and strides
 *  @param opts   NULL = defaults
 *  @return RUG_OK, RUG_E_ARG (also when levels are so few that 64 bits cannot count the
 *          boxes), RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED, or what the mask returns */
RUG_API rug_status rug_dbc(rug_context *ctx, rug_dbc_result **out, const rug_image *image,
                           const rug_dbc_options *opts);

/** rug_dbc() for images and volumes larger than memory.
 *  @return as rug_dbc(), or what the source returns */
RUG_API rug_status rug_dbc_source(rug_context *ctx, rug_dbc_result **out,
                                  const rug_source *source, const rug_dbc_options *opts);

/** Frees a result. NULL is allowed. */
RUG_API void rug_dbc_free(rug_dbc_result *result);

/** What holds for all sizes; lent until the result is freed. */
RUG_API const rug_dbc_facts *rug_dbc_get_facts(const rug_dbc_result *result);

/** Size i, sizes ascending; NULL unless i < n_sizes. Lent. */
RUG_API const rug_dbc_size *rug_dbc_at(const rug_dbc_result *result, size_t i);

/** Fits the dimension: the slope of ln N(s), of boxes_by_area, against ln(1 / s). Its status is
 *  RUG_FIT_EMPTY where no pixel counts.
 *  @param out   begun with RUG_FIT_INIT; filled on RUG_OK, zeroed otherwise
 *  @param opts  NULL = defaults
 *  @return RUG_OK (also when the dimension is undefined: see status), RUG_E_ARG */
RUG_API rug_status rug_dbc_fit(rug_context *ctx, rug_fit *out,
                               const rug_dbc_result *counts, const rug_fit_options *opts);

#ifdef __cplusplus
}
#endif

#endif
