/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From options to an empty result, and from nonempty and black boxes to all of them: what
 * counts of an image, of its parts and of points have in common. */

#ifndef RUGI_BOXCOUNT_RESULT_H
#define RUGI_BOXCOUNT_RESULT_H

#include <rugose/boxcount.h>

/** Checks all options but foreground and mask, and that they go together.
 *  @return RUG_OK, RUG_E_ARG, RUG_E_DEVICE (the method does not run on the device chosen
 *          in the context) */
rug_status rugi_boxcount_check(rug_context *ctx, const rug_boxcount_options *opts);

/** Whether a method is one of the kernels of Mukundan, for whole images on OpenCL
 *  devices. */
static inline int rugi_boxcount_is_mukundan(rug_boxcount_method method)
{
    return method == RUG_BOXCOUNT_ATOMIC || method == RUG_BOXCOUNT_LOCAL;
}

/** Sets shape, n_pixels, grid, sizes and method; the options are checked.
 *  @param result  zeroed
 *  @return the method in force, never AUTO */
rug_boxcount_method rugi_boxcount_begin(rug_boxcount_result *result, int ndim,
                                        const size_t *shape,
                                        const rug_boxcount_options *opts);

/** Checks a list of sizes; NULL and 0 are the default.
 *  @return RUG_OK, RUG_E_ARG */
rug_status rugi_sizes_check(rug_context *ctx, const uint64_t *sizes, uint32_t n_sizes);

/** Sets counts[].size and n_sizes of a result whose shape is set.
 *  @param sizes  NULL: 1, 2, 4 … up to the first that is >= the longest axis, 2^63 at
 *                most */
void rugi_sizes_set(rug_boxcount_result *result, const uint64_t *sizes, uint32_t n_sizes);

/** Boxes of size i of the grid in force that hold a pixel of the result's shape;
 *  RUG_BOXCOUNT_TOO_MANY if the number does not fit 64 bits. */
uint64_t rugi_boxcount_total(const rug_boxcount_result *result, uint32_t i);

/** Sets gray and white of all sizes from total, nonempty and black. */
void rugi_boxcount_set_gray_white(rug_boxcount_result *result);

#endif
