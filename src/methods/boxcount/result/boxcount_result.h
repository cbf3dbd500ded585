/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From options to an empty result, and from nonempty and black boxes to all of them: what
 * counts of an image, of its parts and of points have in common. */

#ifndef RUGI_BOXCOUNT_RESULT_H
#define RUGI_BOXCOUNT_RESULT_H

#include <rugose/boxcount.h>

struct rug_boxcount_result {
    rug_context *ctx; /* whose memory it is */
    rug_boxcount_facts facts;
    uint64_t n_points;            /* of a set of points; 0: an image */
    rug_box_count *counts;        /* [facts.n_sizes] */
    rug_box_positions *positions; /* [facts.n_sizes]; NULL with grid ORIGIN */
};

/** Takes the options of a count, which a caller gives, and checks them: all but foreground
 *  and mask, and that they go together.
 *  @param given  NULL: the defaults
 *  @return RUG_OK, RUG_E_ARG, RUG_E_DEVICE (the method does not run on the device chosen
 *          in the context) */
rug_status rugi_boxcount_take(rug_context *ctx, rug_boxcount_options *own,
                              const rug_boxcount_options *given);

/** Whether a method is one of the kernels of Mukundan, for whole images on OpenCL
 *  devices. */
static inline int rugi_boxcount_is_mukundan(rug_boxcount_method method)
{
    return method == RUG_BOXCOUNT_ATOMIC || method == RUG_BOXCOUNT_LOCAL;
}

/** A result that is 0 but for shape, n_pixels, grid, sizes and the method in force, for
 *  rug_boxcount_free().
 *  @param out   NULL on failure
 *  @param opts  their method and grid are checked; default sizes end with the first that is
 *               >= the longest axis, 2^63 at most
 *  @return RUG_OK, RUG_E_ARG (sizes), RUG_E_NOMEM */
rug_status rugi_boxcount_new(rug_context *ctx, rug_boxcount_result **out, int ndim,
                             const uint64_t *shape, const rug_boxcount_options *opts);

/** The same for an image. */
static inline rug_status rugi_boxcount_begin(rug_context *ctx, rug_boxcount_result **out,
                                             int ndim, const size_t *shape,
                                             const rug_boxcount_options *opts)
{
    uint64_t wide[RUG_MAX_AXES] = {0};
    for (int a = 0; a < ndim; a++)
        wide[a] = shape[a];
    return rugi_boxcount_new(ctx, out, ndim, wide, opts);
}

/** Another result with the same contents, for rug_boxcount_free().
 *  @param out  NULL on failure
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_boxcount_copy(rug_context *ctx, rug_boxcount_result **out,
                              const rug_boxcount_result *result);

/** Ends a public call: the caller gets the result where all went well, else it is freed.
 *  @return status */
rug_status rugi_boxcount_hand_over(rug_context *ctx, rug_boxcount_result **out,
                                   rug_boxcount_result *result, rug_status status);

/** Boxes of size i of the grid in force that hold a pixel of the result's shape;
 *  RUG_BOXCOUNT_TOO_MANY if the number does not fit 64 bits. */
uint64_t rugi_boxcount_total(const rug_boxcount_result *result, uint32_t i);

/** Sets gray and white of all sizes from total, nonempty and black. */
void rugi_boxcount_set_gray_white(rug_boxcount_result *result);

#endif
