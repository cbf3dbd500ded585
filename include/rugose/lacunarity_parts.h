/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Lacunarity of an image that comes in parts: strips, tiles or slabs, in any order, also in
 * several processes. The result is the same as that of rug_lacunarity() for the whole image. Boxes
 * at every position know no parts: so a state keeps pixels, and all work is done at the end.
 *
 *     rug_lacunarity_options opts = RUG_LACUNARITY_OPTIONS_INIT;
 *     opts.foreground.kind = RUG_FOREGROUND_NONZERO;
 *     rug_lacunarity_parts *parts;
 *     rug_lacunarity_result *result = NULL;
 *     rug_status status =
 *         rug_lacunarity_parts_new(ctx, &parts, image.dtype, 2, image.shape, &opts);
 *     for (size_t y = 0; y < 256 && status == RUG_OK; y += 100) {
 *         rug_image strip = image;
 *         strip.shape[0] = y < 200 ? 100 : 56;
 *         strip.data = (const char *)image.data + (ptrdiff_t)y * image.stride[0];
 *         status = rug_lacunarity_parts_add(ctx, parts, &strip, NULL, (size_t[]){y, 0});
 *     }
 *     if (status == RUG_OK)
 *         status = rug_lacunarity_parts_finish(ctx, &result, parts);
 *     if (status == RUG_OK)
 *         printf("16: %.4f\n", rug_lacunarity_at(result, 4)->lacunarity);
 *     rug_lacunarity_free(result);
 *     rug_lacunarity_parts_free(parts);
 *     // prints: 16: 2.7395
 */

#ifndef RUGOSE_LACUNARITY_PARTS_H
#define RUGOSE_LACUNARITY_PARTS_H

#include <rugose/lacunarity.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The pixels that have come. Opaque, owned by the caller. Takes a bit for each of them, with
 *  is_gray the bytes of its dtype, and a bit more with a mask; nothing for regions that have not
 *  come, or where all pixels are 0. */
typedef struct rug_lacunarity_parts rug_lacunarity_parts;

/** Begins an image in parts.
 *  @param out    the state; NULL on failure; free it with rug_lacunarity_parts_free(), before
 *                its context
 *  @param dtype  of all parts
 *  @param ndim   2 or 3
 *  @param shape  of the whole image, slowest axis first
 *  @param opts   as for rug_lacunarity(), but without is_gray the foreground must be resolved (not
 *                AUTO or OTSU). A mask, which is never read here, only says that every part comes
 *                with its own; sizes are copied
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_DEVICE */
RUG_API rug_status rug_lacunarity_parts_new(rug_context *ctx, rug_lacunarity_parts **out,
                                            rug_dtype dtype, int ndim,
                                            const size_t *shape,
                                            const rug_lacunarity_options *opts);

/** Frees a state. NULL is allowed. */
RUG_API void rug_lacunarity_parts_free(rug_lacunarity_parts *parts);

/** Adds a part. Every pixel must be added exactly once.
 *  @param part   of the dtype, any shape and strides; borrowed for the call
 *  @param mask   of the part; NULL when there is no mask
 *  @param first  the position of the part's first pixel in the whole image
 *  @return RUG_OK, RUG_E_ARG (also a part that reaches beyond the image or overlaps an earlier
 *          one), RUG_E_NOMEM. After a failure the state can only be freed */
RUG_API rug_status rug_lacunarity_parts_add(rug_context *ctx, rug_lacunarity_parts *parts,
                                            const rug_image *part, const rug_image *mask,
                                            const size_t *first);

/** Adds all parts of another state, which is not changed.
 *  @param parts  of the same shape, dtype and options as `other`
 *  @return RUG_OK, RUG_E_ARG (also a part that both have), RUG_E_NOMEM. After RUG_E_NOMEM
 *          `parts` can only be freed */
RUG_API rug_status rug_lacunarity_merge(rug_context *ctx, rug_lacunarity_parts *parts,
                                        const rug_lacunarity_parts *other);

/** The result, once all pixels were added: that of rug_lacunarity(), in its memory and a slab of
 *  pixels.
 *  @param out  NULL on failure; free it with rug_lacunarity_free(), before its context. The state
 *              stays as it is
 *  @return RUG_OK, RUG_E_ARG (pixels are missing, or with is_gray one is negative), RUG_E_NOMEM,
 *          RUG_E_CANCELLED */
RUG_API rug_status rug_lacunarity_parts_finish(rug_context *ctx,
                                               rug_lacunarity_result **out,
                                               const rug_lacunarity_parts *parts);

/** The state as bytes, for a file or another process: docs/states.md has their format. They are
 *  the same in whatever order parts were added and merged.
 *  @param out    NULL on failure; to be released with rug_context_release()
 *  @param n      the number of bytes; 0 on failure
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_CANCELLED */
RUG_API rug_status rug_lacunarity_parts_save(rug_context *ctx, uint8_t **out, size_t *n,
                                             const rug_lacunarity_parts *parts);

/** A state from its bytes, which may come from anywhere: all of them are checked, and memory is
 *  taken for what is there only.
 *  @param out    NULL on failure; free it with rug_lacunarity_parts_free(), before its context
 *  @param bytes  borrowed for the call
 *  @return RUG_OK, RUG_E_FORMAT (the bytes are not a state of lacunarity, damaged, or of another
 *          format), RUG_E_ARG, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
RUG_API rug_status rug_lacunarity_parts_load(rug_context *ctx, rug_lacunarity_parts **out,
                                             const uint8_t *bytes, size_t n);

#ifdef __cplusplus
}
#endif

#endif
