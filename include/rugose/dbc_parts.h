/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Differential box counting of an image that comes in parts: strips, tiles or slabs, in any
 * order, also in states of several threads or processes, which are merged. The result is that of
 * rug_dbc() for the whole image, bit for bit.
 *
 *     rug_dbc_parts *parts;
 *     rug_dbc_result *counts = NULL;
 *     rug_status status = rug_dbc_parts_new(ctx, &parts, grey.dtype, 2, grey.shape, NULL, NULL);
 *     for (size_t y = 0; y < grey.shape[0] && status == RUG_OK; y += 64) {
 *         rug_image strip = grey;
 *         strip.shape[0] = grey.shape[0] - y < 64 ? grey.shape[0] - y : 64;
 *         strip.data = (const char *)grey.data + (ptrdiff_t)y * grey.stride[0];
 *         status = rug_dbc_parts_add(ctx, parts, &strip, NULL, (size_t[]){y, 0});
 *     }
 *     if (status == RUG_OK)
 *         status = rug_dbc_parts_finish(ctx, &counts, parts);
 *     if (status == RUG_OK)
 *         printf("%d boxes of size 2\n", (int)rug_dbc_at(counts, 0)->boxes);
 *     rug_dbc_free(counts);
 *     rug_dbc_parts_free(parts);
 *     // prints: 21592 boxes of size 2
 */

#ifndef RUGOSE_DBC_PARTS_H
#define RUGOSE_DBC_PARTS_H

#include <rugose/dbc.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The state of a count in parts. Opaque, owned by the caller. Whole blocks of 64 pixels a side
 *  are counted at once, and 16 bytes are kept of each; the pixels of blocks that have come only
 *  in part wait. Nothing is kept of regions that have not come. */
typedef struct rug_dbc_parts rug_dbc_parts;

/** Whether rug_dbc_parts_new() needs the range of the whole image: for floats, for integers of more
 *  than 8 bits without `levels`, and with RUG_DBC_ANCHOR_MIN.
 *  @param opts  NULL = defaults
 *  @return nonzero if so; 0 for options that are not valid */
RUG_API int rug_dbc_must_know_range(rug_dtype dtype, const rug_dbc_options *opts);

/** Begins a count.
 *  @param out    the state; NULL on failure; free it with rug_dbc_parts_free(), before its
 *                context
 *  @param dtype  of all parts
 *  @param ndim   2 or 3
 *  @param shape  of the whole image, slowest axis first
 *  @param opts   as for rug_dbc(); NULL = defaults. A mask, which is never read here, only says
 *                that every part comes with its own
 *  @param range  of the whole image inside the mask, as from rug_values_range(); ignored unless
 *                rug_dbc_must_know_range()
 *  @return RUG_OK, RUG_E_ARG (also a range that is needed and not given), RUG_E_NOMEM */
RUG_API rug_status rug_dbc_parts_new(rug_context *ctx, rug_dbc_parts **out,
                                     rug_dtype dtype, int ndim, const size_t *shape,
                                     const rug_dbc_options *opts,
                                     const rug_image_range *range);

/** Frees a state. NULL is allowed. */
RUG_API void rug_dbc_parts_free(rug_dbc_parts *parts);

/** Adds a part. Every pixel must be added exactly once.
 *  @param part   of the dtype, any shape and strides; borrowed for the call
 *  @param mask   of the part; NULL when there is no mask
 *  @param first  the position of the part's first pixel in the whole image
 *  @return RUG_OK, RUG_E_ARG (also a part that reaches beyond the image or overlaps an earlier
 *          one, and pixels beyond the range), RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED. After
 *          a failure the state can only be freed */
RUG_API rug_status rug_dbc_parts_add(rug_context *ctx, rug_dbc_parts *parts,
                                     const rug_image *part, const rug_image *mask,
                                     const size_t *first);

/** Adds all parts of another state, which is not changed.
 *  @param parts  of the same shape, dtype, options and range as `other`
 *  @return RUG_OK, RUG_E_ARG (also a part that both have), RUG_E_NOMEM, RUG_E_DEVICE,
 *          RUG_E_CANCELLED. After a failure `parts` can only be freed */
RUG_API rug_status rug_dbc_merge(rug_context *ctx, rug_dbc_parts *parts,
                                 const rug_dbc_parts *other);

/** The result, once all pixels were added.
 *  @param out  NULL on failure; free it with rug_dbc_free(), before its context. The state stays
 *              as it is
 *  @return RUG_OK, RUG_E_ARG (pixels are missing, or levels are so few that 64 bits cannot count
 *          the boxes), RUG_E_NOMEM */
RUG_API rug_status rug_dbc_parts_finish(rug_context *ctx, rug_dbc_result **out,
                                        const rug_dbc_parts *parts);

/** The state as bytes, for a file or another process: docs/states.md has their format. They take
 *  room for the pixels that were added, not for the whole image, and are the same in whatever
 *  order parts were added and merged.
 *  @param out  NULL on failure; to be released with rug_context_release()
 *  @param n    the number of bytes; 0 on failure
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_CANCELLED */
RUG_API rug_status rug_dbc_parts_save(rug_context *ctx, uint8_t **out, size_t *n,
                                      const rug_dbc_parts *parts);

/** A state from its bytes, which may come from anywhere: all of them are checked, and memory is
 *  taken for what is there only.
 *  @param out    NULL on failure; free it with rug_dbc_parts_free(), before its context
 *  @param bytes  borrowed for the call
 *  @return RUG_OK, RUG_E_FORMAT (the bytes are not a state of differential box counts, damaged, or
 *          of another format), RUG_E_ARG, RUG_E_NOMEM, RUG_E_CANCELLED */
RUG_API rug_status rug_dbc_parts_load(rug_context *ctx, rug_dbc_parts **out,
                                      const uint8_t *bytes, size_t n);

#ifdef __cplusplus
}
#endif

#endif
