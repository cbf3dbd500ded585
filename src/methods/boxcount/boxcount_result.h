/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From options to an empty result, and from nonempty and black boxes to a whole one:
 * what counts of an image, of its parts and of points have in common. */

#ifndef RUGI_BOXCOUNT_RESULT_H
#define RUGI_BOXCOUNT_RESULT_H

#include "boxcount/bits/boxcount_bits.h"
#include "boxcount/pyramid/boxcount_pyramid.h"
#include <rugose/boxcount.h>

/** Checks all options but foreground and mask, and that they go together.
 *  @return RUG_OK, RUG_E_ARG, RUG_E_DEVICE (the method does not run on the device of the
 *          context's choice) */
rug_status rugi_boxcount_check(rug_context *ctx, const rug_boxcount_options *opts);

/** Whether a method is one of the kernels of Mukundan, for whole images on OpenCL devices. */
static inline int rugi_boxcount_is_mukundan(rug_boxcount_method method)
{
    return method == RUG_BOXCOUNT_ATOMIC || method == RUG_BOXCOUNT_LOCAL;
}

/** Resolves the foreground of the options inside their mask.
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_boxcount_resolve(rug_context *ctx, rug_foreground *rule,
                                 const rug_image *img, const rug_boxcount_options *opts);

/** Sets shape, n_pixels, grid, sizes and method; the options are checked.
 *  @param result  zeroed
 *  @return the method in force, never AUTO */
rug_boxcount_method rugi_boxcount_begin(rug_boxcount_result *result, int ndim,
                                        const size_t *shape,
                                        const rug_boxcount_options *opts);

/** Checks a list of sizes; NULL and 0 are the default.
 *  @return RUG_OK, RUG_E_ARG */
rug_status rugi_sizes_check(rug_context *ctx, const uint64_t *sizes, uint32_t n_sizes);

/** Sets counts[].size and n_sizes.
 *  @param sizes    NULL: 1, 2, 4 … up to the first that is >= longest, 2^63 at most
 *  @param longest  axis in pixels, at least 1 */
void rugi_sizes_set(rug_boxcount_result *result, const uint64_t *sizes, uint32_t n_sizes,
                    uint64_t longest);

/** Sets n_set, engine, and nonempty and black of sizes that are all powers of two. */
void rugi_boxcount_take_levels(rug_boxcount_result *result,
                               const rugi_boxcount_levels *levels);

/** Counts packed pixels: fills the result but for total, grey and white.
 *  @param result  from rugi_boxcount_begin()
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
rug_status rugi_boxcount_of_bits(rug_context *ctx, rug_boxcount_result *result,
                                 rug_boxcount_method method, const rugi_bits *pixels);

/** The same of pixels as they lie in memory, by a method that reads them there: any but
 *  WINDOW. */
rug_status rugi_boxcount_of_cells(rug_context *ctx, rug_boxcount_result *result,
                                  rug_boxcount_method method, const rug_image *img,
                                  const rugi_predicate *predicate);

/** Sets total, grey and white, and n_pixels of a mask, by the image's extent or by the pixels of a mask.
 *  @param mask  NULL: there is none
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
rug_status rugi_boxcount_complete(rug_context *ctx, rug_boxcount_result *result,
                                  rug_boxcount_method method, const rugi_bits *mask);

#endif
