/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* How far two images are from each other: mean squared error, PSNR and SSIM.
 *
 *     rug_image other = image;
 *     other.data = mask.data;
 *     rug_quality_result r = RUG_QUALITY_RESULT_INIT;
 *     rug_status status = rug_quality(ctx, &r, &image, &other, 1, NULL);
 *     if (status == RUG_OK)
 *         printf("MSE %.2f, PSNR %.3f dB, SSIM %.4f, %s\n", r.mse, r.psnr, r.ssim,
 *                rug_quality_status_name(r.status));
 *     return status;
 *     // prints: MSE 6476.30, PSNR 10.018 dB, SSIM 0.6196, ok
 */

#ifndef RUGOSE_QUALITY_H
#define RUGOSE_QUALITY_H

#include <rugose/context.h>
#include <rugose/export.h>
#include <rugose/image.h>
#include <rugose/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Options of rug_quality(). */
typedef struct rug_quality_options {
    size_t struct_size; /**< sizeof(rug_quality_options); set by the INIT macro */
    double peak; /**< the range of values, L; 0 (default): that of the integer dtype,
                             such as 255, or for floats the largest value of both images less
                             the least */
} rug_quality_options;

/** The defaults. */
#define RUG_QUALITY_OPTIONS_INIT       \
    {                                  \
        sizeof(rug_quality_options), 0 \
    }

/** Why a number is undefined. The numbers never change. */
typedef enum rug_quality_status {
    RUG_QUALITY_OK = 0,
    RUG_QUALITY_SMALLER_THAN_WINDOW =
        1,                   /**< no SSIM: a side is shorter than its window */
    RUG_QUALITY_FLAT = 2,    /**< no SSIM: there is no range of values */
    RUG_QUALITY_OVERFLOW = 3 /**< squares leave the range of double */
} rug_quality_status;

/** "ok", "smaller than the SSIM window", "flat" or "overflow"; "?" for other numbers. Static
 *  text. */
RUG_API const char *rug_quality_status_name(rug_quality_status status);

/** What rug_quality() found. Undefined numbers are NaN and the status says why. */
typedef struct rug_quality_result {
    size_t struct_size; /**< sizeof(rug_quality_result); set by the INIT macro */
    double mse;         /**< mean squared error */
    double psnr;        /**< 10 log10(peak² / mse) in dB; infinite for equal images */
    /** Mean SSIM (Wang, Bovik, Sheikh and Simoncelli 2004): Gaussian window of 11 × 11
     *  pixels and σ 1.5, K1 = 0.01, K2 = 0.03, moments of the population, over all
     *  windows that lie inside; for several planes, their mean. NaN where a side is
     *  shorter than 11 pixels */
    double ssim;
    double max_difference; /**< largest |a - b| */
    double peak;           /**< L as used */
    rug_quality_status status;
} rug_quality_result;

/** A result to be filled. */
#define RUG_QUALITY_RESULT_INIT                                   \
    {                                                             \
        sizeof(rug_quality_result), 0, 0, 0, 0, 0, RUG_QUALITY_OK \
    }

/** Compares two images of one shape and dtype.
 *  @param out       begun with RUG_QUALITY_RESULT_INIT; filled on RUG_OK, zeroed otherwise
 *  @param a         n_planes views, [ny][nx] or [nz][ny][nx] (SSIM: the mean over slices), any
 *                   dtype but BIT
 *  @param b         likewise
 *  @param opts      NULL = defaults
 *  @return RUG_OK, RUG_E_ARG (shapes or dtypes differ; a value is NaN or infinite), RUG_E_NOMEM,
 *          RUG_E_DEVICE (an OpenCL device was named: there is no such engine), RUG_E_CANCELLED */
RUG_API rug_status rug_quality(rug_context *ctx, rug_quality_result *out,
                               const rug_image *a, const rug_image *b, int n_planes,
                               const rug_quality_options *opts);

#ifdef __cplusplus
}
#endif

#endif
