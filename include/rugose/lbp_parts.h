/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Histograms of local binary patterns of an image that comes in parts: strips, tiles or boxes, in
 * any order, also in several processes. The result is the same as that of rug_lbp() for the whole
 * image. The code of a pixel depends on the pixels around it, so a part brings these, too.
 *
 *     rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
 *     rug_lbp_parts *parts;
 *     rug_lbp_result *result = NULL;
 *     const size_t reach = rug_lbp_reach(&opts), n = image.shape[0];
 *     rug_status status = rug_lbp_parts_new(ctx, &parts, image.dtype, 2, image.shape, &opts);
 *     for (size_t y = 0; y < n && status == RUG_OK; y += 100) {
 *         size_t end = y + 100 < n ? y + 100 : n, above = y < reach ? y : reach;
 *         size_t below = n - end < reach ? n - end : reach;
 *         rug_image strip = image;
 *         strip.shape[0] = above + end - y + below;
 *         strip.data = (const char *)image.data + (ptrdiff_t)(y - above) * image.stride[0];
 *         status = rug_lbp_parts_add(ctx, parts, &strip, NULL, NULL,
 *                                    (size_t[]){y - above, 0}, (size_t[]){y, 0},
 *                                    (size_t[]){end - y, image.shape[1]});
 *     }
 *     if (status == RUG_OK)
 *         status = rug_lbp_parts_finish(ctx, &result, parts);
 *     if (status == RUG_OK) {
 *         const rug_lbp_histogram *h = rug_lbp_at(result, 0);
 *         printf("%d pixels, %d flat\n", (int)h->pixels, (int)h->bins[8]);
 *     }
 *     rug_lbp_free(result);
 *     rug_lbp_parts_free(parts);
 *     // prints: 65536 pixels, 58975 flat
 */

#ifndef RUGOSE_LBP_PARTS_H
#define RUGOSE_LBP_PARTS_H

#include <rugose/lbp.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The histograms of the parts that have come. Opaque, owned by the caller. Takes 24 bytes for
 *  each bin that is not 0, of each label that has come. */
typedef struct rug_lbp_parts rug_lbp_parts;

/** Begins an image in parts.
 *  @param out    the state; NULL on failure; free it with rug_lbp_parts_free(), before its context
 *  @param dtype  of all parts
 *  @param ndim   2, or 3 with planes
 *  @param shape  of the whole image, slowest axis first
 *  @param opts   as for rug_lbp(), with a histogram of each operator, but without a map and without
 *                RUG_LBP_HARDWARE, whose codes differ between devices. A mask and labels, which are
 *                never read here, only say that every part comes with its own; operators and cuts
 *                are copied. NULL = defaults
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_DEVICE */
RUG_API rug_status rug_lbp_parts_new(rug_context *ctx, rug_lbp_parts **out,
                                     rug_dtype dtype, int ndim, const size_t *shape,
                                     const rug_lbp_options *opts);

/** Frees a state. NULL is allowed. */
RUG_API void rug_lbp_parts_free(rug_lbp_parts *parts);

/** The pixels that circles reach to each side of a centre, at most, along the axes of its plane.
 *  @param opts  NULL = defaults
 *  @return 0 for options that are not valid */
RUG_API size_t rug_lbp_reach(const rug_lbp_options *opts);

/** Adds a part. Every pixel must be counted exactly once. A label that many parts have has one
 *  histogram.
 *  @param part       of the dtype, any shape and strides; borrowed for the call
 *  @param mask       of the part; NULL when there is no mask
 *  @param labels     of the part; NULL when there are no labels. Only those of the pixels that are
 *                    counted are read
 *  @param first      the position of the part's first pixel in the whole image
 *  @param own_first  the position, in the whole image, of the first pixel that is counted; NULL:
 *                    that of the part
 *  @param own_shape  the pixels that are counted, along each axis; all others of the part are their
 *                    surroundings, of which rug_lbp_reach() pixels must be there to each side along
 *                    the axes of the planes, or as many as the image has. NULL: all of the part
 *                    from own_first on
 *  @return RUG_OK, RUG_E_ARG (also a part that reaches beyond the image, one without its
 *          surroundings, and pixels that were counted before), RUG_E_NOMEM, RUG_E_DEVICE,
 *          RUG_E_CANCELLED. After a failure the state can only be freed */
RUG_API rug_status rug_lbp_parts_add(rug_context *ctx, rug_lbp_parts *parts,
                                     const rug_image *part, const rug_image *mask,
                                     const rug_image *labels, const size_t *first,
                                     const size_t *own_first, const size_t *own_shape);

/** Adds all parts of another state, which is not changed.
 *  @param parts  of the same shape, dtype and options as `other`
 *  @return RUG_OK, RUG_E_ARG (also a part that both have), RUG_E_NOMEM. After RUG_E_NOMEM
 *          `parts` can only be freed */
RUG_API rug_status rug_lbp_merge(rug_context *ctx, rug_lbp_parts *parts,
                                 const rug_lbp_parts *other);

/** The result, once all pixels were counted.
 *  @param out  NULL on failure; free it with rug_lbp_free(), before its context. The state stays
 *              as it is
 *  @return RUG_OK, RUG_E_ARG (pixels are missing), RUG_E_NOMEM */
RUG_API rug_status rug_lbp_parts_finish(rug_context *ctx, rug_lbp_result **out,
                                        const rug_lbp_parts *parts);

/** The state as bytes, for a file or another process: docs/states.md has their format. They are
 *  the same in whatever order parts were added and merged.
 *  @param out    NULL on failure; to be released with rug_context_release()
 *  @param n      the number of bytes; 0 on failure
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_CANCELLED */
RUG_API rug_status rug_lbp_parts_save(rug_context *ctx, uint8_t **out, size_t *n,
                                      const rug_lbp_parts *parts);

/** A state from its bytes, which may come from anywhere: all of them are checked, and memory is
 *  taken for what is there only. The facts of a result have the engine of what was counted here,
 *  "cpu" if nothing was.
 *  @param out    NULL on failure; free it with rug_lbp_parts_free(), before its context
 *  @param bytes  borrowed for the call
 *  @return RUG_OK, RUG_E_FORMAT (the bytes are not a state of local binary patterns, damaged, or of
 *          another format), RUG_E_ARG, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
RUG_API rug_status rug_lbp_parts_load(rug_context *ctx, rug_lbp_parts **out,
                                      const uint8_t *bytes, size_t n);

#ifdef __cplusplus
}
#endif

#endif
