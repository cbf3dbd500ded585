/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* How far two images are from each other: mean squared error, PSNR and SSIM. */

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

/** What rug_quality() found. Undefined numbers are NaN and the status says why. */
typedef struct rug_quality_result {
    double mse;  /**< mean squared error */
    double psnr; /**< 10 log10(peak² / mse) in dB; infinite for equal images */
    /** Mean SSIM (Wang, Bovik, Sheikh and Simoncelli 2004): Gaussian window of 11 × 11
     *  pixels and σ 1.5, K1 = 0.01, K2 = 0.03, moments of the population, over all
     *  windows that lie inside; for several planes, their mean. NaN where a side is
     *  shorter than 11 pixels */
    double ssim;
    double max_difference; /**< largest |a - b| */
    double peak;           /**< L as used */
    const char *status;    /**< "ok", "smaller than the SSIM window", "flat" (no range of
                              values), "overflow"; static text */
} rug_quality_result;

/** Compares two images of one shape and dtype.
 *  @param out       filled on RUG_OK, zeroed otherwise
 *  @param a, b      n_planes views each, [ny][nx] or [nz][ny][nx] (SSIM: the mean over slices),
 *                   any dtype but BIT
 *  @return RUG_OK, RUG_E_ARG (shapes or dtypes differ; a value is NaN or infinite), RUG_E_NOMEM,
 *          RUG_E_DEVICE (an OpenCL device was named: there is no such engine), RUG_E_CANCELLED */
RUG_API rug_status rug_quality(rug_context *ctx, rug_quality_result *out,
                               const rug_image *a, const rug_image *b, int n_planes,
                               const rug_quality_options *opts);

#ifdef __cplusplus
}
#endif

#endif
