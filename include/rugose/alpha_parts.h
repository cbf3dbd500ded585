/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Alpha slices of an image that comes in parts: strips, tiles or boxes, in any order, also in
 * several processes. The result is the same as that of rug_alpha_map() and rug_alpha_slices() for
 * the whole image. The alpha of a pixel depends on the pixels in its windows, so a part brings its
 * surroundings, too. The range of alpha is known only at the end, so a state keeps all alphas.
 *
 *     rug_alpha_options opts = RUG_ALPHA_OPTIONS_INIT;
 *     opts.n_slices = 4;
 *     rug_alpha_parts *parts;
 *     rug_alpha_result *slices = NULL;
 *     const size_t reach = rug_alpha_reach(&opts), n = grey.shape[0];
 *     rug_status status = rug_alpha_parts_new(ctx, &parts, grey.dtype, 2, grey.shape, &opts);
 *     for (size_t y = 0; y < n && status == RUG_OK; y += 20) {
 *         size_t end = y + 20 < n ? y + 20 : n, above = y < reach ? y : reach;
 *         size_t below = n - end < reach ? n - end : reach;
 *         rug_image strip = grey;
 *         strip.shape[0] = above + end - y + below;
 *         strip.data = (const char *)grey.data + (ptrdiff_t)(y - above) * grey.stride[0];
 *         status = rug_alpha_parts_add(ctx, parts, &strip, NULL, (size_t[]){y - above, 0},
 *                                      (size_t[]){y, 0}, (size_t[]){end - y, grey.shape[1]});
 *     }
 *     if (status == RUG_OK)
 *         status = rug_alpha_parts_finish(ctx, &slices, parts);
 *     if (status == RUG_OK)
 *         printf("alpha from %.2f on\n", rug_alpha_at(slices, 0)->alpha_min);
 *     rug_alpha_free(slices);
 *     rug_alpha_parts_free(parts);
 *     // prints: alpha from 1.13 on
 */

#ifndef RUGOSE_ALPHA_PARTS_H
#define RUGOSE_ALPHA_PARTS_H

#include <rugose/multifractal_alpha.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The alphas of the parts that have come. Opaque, owned by the caller. Takes four bytes for each
 *  pixel, and a bit more with a mask; nothing for regions that have not come, or where no pixel has
 *  an alpha. */
typedef struct rug_alpha_parts rug_alpha_parts;

/** Begins an image in parts.
 *  @param out    the state; NULL on failure; free it with rug_alpha_parts_free(), before its
 *                context
 *  @param dtype  of all parts
 *  @param ndim   2 or 3
 *  @param shape  of the whole image, slowest axis first
 *  @param opts   as for rug_alpha_map() and rug_alpha_slices(). A mask, which is never read here,
 *                only says that every part comes with its own. NULL = defaults
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM */
RUG_API rug_status rug_alpha_parts_new(rug_context *ctx, rug_alpha_parts **out,
                                       rug_dtype dtype, int ndim, const size_t *shape,
                                       const rug_alpha_options *opts);

/** Frees a state. NULL is allowed. */
RUG_API void rug_alpha_parts_free(rug_alpha_parts *parts);

/** The pixels that the largest window reaches to each side of a pixel, along all axes.
 *  @param opts  NULL = defaults
 *  @return 0 for options that are not valid */
RUG_API size_t rug_alpha_reach(const rug_alpha_options *opts);

/** Adds a part. Every pixel must be measured exactly once.
 *  @param part       of the dtype, any shape and strides; borrowed for the call
 *  @param mask       of the part; NULL when there is no mask
 *  @param first      the position of the part's first pixel in the whole image
 *  @param own_first  the position, in the whole image, of the first pixel that is measured; NULL:
 *                    that of the part
 *  @param own_shape  the pixels that are measured, along each axis; all others of the part are their
 *                    surroundings, of which rug_alpha_reach() pixels must be there to each side, or
 *                    as many as the image has. NULL: all of the part from own_first on
 *  @return RUG_OK, RUG_E_ARG (also a part that reaches beyond the image, one without its
 *          surroundings, and pixels that were measured before), RUG_E_NOMEM, RUG_E_DEVICE,
 *          RUG_E_CANCELLED. After a failure the state can only be freed */
RUG_API rug_status rug_alpha_parts_add(rug_context *ctx, rug_alpha_parts *parts,
                                       const rug_image *part, const rug_image *mask,
                                       const size_t *first, const size_t *own_first,
                                       const size_t *own_shape);

/** Adds all parts of another state, which is not changed.
 *  @param parts  of the same shape, dtype and options as `other`
 *  @return RUG_OK, RUG_E_ARG (also a part that both have), RUG_E_NOMEM. After RUG_E_NOMEM
 *          `parts` can only be freed */
RUG_API rug_status rug_alpha_merge(rug_context *ctx, rug_alpha_parts *parts,
                                   const rug_alpha_parts *other);

/** The result, once all pixels were measured: that of rug_alpha_slices(). Takes the map, four bytes
 *  for each pixel of the image.
 *  @param out  NULL on failure; free it with rug_alpha_free(), before its context. The state stays
 *              as it is
 *  @return RUG_OK, RUG_E_ARG (pixels are missing), RUG_E_NOMEM, RUG_E_CANCELLED */
RUG_API rug_status rug_alpha_parts_finish(rug_context *ctx, rug_alpha_result **out,
                                          const rug_alpha_parts *parts);

/** The state as bytes, for a file or another process: docs/states.md has their format. They are
 *  the same in whatever order parts were added and merged.
 *  @param out    NULL on failure; to be released with rug_context_release()
 *  @param n      the number of bytes; 0 on failure
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_CANCELLED */
RUG_API rug_status rug_alpha_parts_save(rug_context *ctx, uint8_t **out, size_t *n,
                                        const rug_alpha_parts *parts);

/** A state from its bytes, which may come from anywhere: all of them are checked, and memory is
 *  taken for what is there only.
 *  @param out    NULL on failure; free it with rug_alpha_parts_free(), before its context
 *  @param bytes  borrowed for the call
 *  @return RUG_OK, RUG_E_FORMAT (the bytes are not a state of alpha, damaged, or of another format),
 *          RUG_E_ARG, RUG_E_NOMEM, RUG_E_CANCELLED */
RUG_API rug_status rug_alpha_parts_load(rug_context *ctx, rug_alpha_parts **out,
                                        const uint8_t *bytes, size_t n);

#ifdef __cplusplus
}
#endif

#endif
