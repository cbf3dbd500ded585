/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Differential box counting: the fractal dimension of grey values as a surface over the
 * image (Sarkar and Chaudhuri 1994). A column of boxes of side s and height h stands over
 * each s x s (x s) block; n = floor(max / h) - floor(min / h) + 1 boxes of it meet the
 * surface. */

#ifndef RUGOSE_DBC_H
#define RUGOSE_DBC_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/image.h>
#include <rugose/source.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Box sizes: 2, 4, 8 … 2^63 at most. */
#define RUG_DBC_MAX_SIZES 64

/** Options of rug_dbc(). */
typedef struct rug_dbc_options {
    size_t struct_size; /**< sizeof(rug_dbc_options); set by the INIT macro */
    /** G, the number of grey levels. 0 (default): 256 of integers of 8 bits, 2 of RUG_BIT,
     *  else the range: largest - least + 1 of integers, largest - least of floats. Values
     *  count from the least one where the range is taken and of all floats, else from the
     *  least of the dtype. Integers: a whole number up to 2^53 */
    double levels;
    /** Of the image's shape; pixels outside are not looked at, blocks without any other pixel
     *  are not counted. NULL (default): all are inside */
    const rug_image *mask;
} rug_dbc_options;

/** The defaults. */
#define RUG_DBC_OPTIONS_INIT             \
    {                                    \
        sizeof(rug_dbc_options), 0, NULL \
    }

/** One size. */
typedef struct rug_dbc_size {
    uint64_t size; /**< side of the block in pixels */
    /** h = max(1, s G / M); of floats s G / M. M: the longest axis. Rounded here only. */
    double height;
    uint64_t blocks; /**< that hold a pixel; also those that the edge cuts */
    uint64_t boxes;  /**< the sum of n over them: N(s) */
} rug_dbc_size;

/** What rug_dbc() found. A plain struct, nothing to free. */
typedef struct rug_dbc_result {
    int ndim;
    uint64_t shape[RUG_MAX_AXES];
    uint64_t n_pixels;   /**< inside of the mask */
    uint64_t n_left_out; /**< of them, NaN or infinite: not looked at */
    double min, max;     /**< of the others; NaN without any */
    double levels, base; /**< G, and the value that counts as 0 */
    const char *engine;  /**< static text */
    uint32_t n_sizes;    /**< 2, 4, 8 … below the longest axis */
    rug_dbc_size sizes[RUG_DBC_MAX_SIZES];
} rug_dbc_result;

/** Counts the boxes of all sizes in one pass over the image, after one for the range of
 *  values where that is taken.
 *  @param out   filled on RUG_OK, zeroed otherwise
 *  @param img   [ny][nx] or [nz][ny][nx], any dtype and strides
 *  @param opts  NULL = defaults
 *  @return RUG_OK, RUG_E_ARG (also so few levels that 64 bits do not count the boxes),
 *          RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
RUG_API rug_status rug_dbc(rug_context *ctx, rug_dbc_result *out, const rug_image *img,
                           const rug_dbc_options *opts);

/** rug_dbc() of what is larger than memory.
 *  @param mask  or NULL; takes the place of opts->mask */
RUG_API rug_status rug_dbc_source(rug_context *ctx, rug_dbc_result *out,
                                  const rug_source *source, const rug_source *mask,
                                  const rug_dbc_options *opts);

/** The dimension, with its fit. Undefined numbers are NaN and the status says why. */
typedef struct rug_dbc_dimension {
    double dimension; /**< slope of ln N(s) against ln(1 / s) */
    double std_error, r_squared, intercept;
    uint64_t size_min, size_max; /**< used */
    uint32_t n_sizes;
    const char *status; /**< "ok", "empty", "too few sizes"; static text */
    double local_slope[RUG_DBC_MAX_SIZES]; /**< as in rug_boxcount_dimension */
    uint8_t used[RUG_DBC_MAX_SIZES];
} rug_dbc_dimension;

/** Fits the dimension.
 *  @param auto_range          nonzero: the longest range of steady local slopes; sizes must be 0
 *  @param size_min, size_max  0: those of rug_boxcount_fit_options */
RUG_API rug_status rug_dbc_fit(rug_context *ctx, rug_dbc_dimension *out,
                               const rug_dbc_result *counts, int auto_range,
                               uint64_t size_min, uint64_t size_max);

#ifdef __cplusplus
}
#endif

#endif
