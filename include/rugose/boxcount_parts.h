/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counts of an image that comes in parts: strips, tiles or slabs, in any order. Threads
 * may count parts in states of their own, which are merged. The result is the same as that of
 * rug_boxcount() for the whole image.
 *
 *     rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
 *     opts.foreground.kind = RUG_FOREGROUND_NONZERO;
 *     rug_boxcount_parts *parts;
 *     rug_boxcount_result *counts = NULL;
 *     rug_status status = rug_boxcount_parts_new(ctx, &parts, 2, image.shape, &opts);
 *     for (size_t y = 0; y < 256 && status == RUG_OK; y += 100) {
 *         rug_image strip = image;
 *         strip.shape[0] = y < 200 ? 100 : 56;
 *         strip.data = (const char *)image.data + (ptrdiff_t)y * image.stride[0];
 *         status = rug_boxcount_parts_add(ctx, parts, &strip, NULL, (size_t[]){y, 0});
 *     }
 *     uint8_t *bytes = NULL; // for a file, or another process
 *     size_t n;
 *     if (status == RUG_OK)
 *         status = rug_boxcount_parts_save(ctx, &bytes, &n, parts);
 *     rug_boxcount_parts_free(parts);
 *     parts = NULL;
 *     if (status == RUG_OK)
 *         status = rug_boxcount_parts_load(ctx, &parts, bytes, n);
 *     rug_context_release(ctx, bytes);
 *     if (status == RUG_OK)
 *         status = rug_boxcount_parts_finish(ctx, &counts, parts);
 *     if (status == RUG_OK)
 *         printf("%d boxes of size 2\n", (int)rug_boxcount_at(counts, 1)->nonempty);
 *     rug_boxcount_free(counts);
 *     rug_boxcount_parts_free(parts);
 *     // prints: 2187 boxes of size 2
 */

#ifndef RUGOSE_BOXCOUNT_PARTS_H
#define RUGOSE_BOXCOUNT_PARTS_H

#include <rugose/boxcount.h>
#include <rugose/source.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The state of a count in parts. Opaque, owned by the caller.
 *
 *  Sizes that are powers of two, on the grid at the first pixel, need little memory:
 *  whole blocks of 64 pixels a side are counted at once, and one byte is kept for each;
 *  the pixels of blocks that have come only in part wait as packed bits. With other sizes
 *  or grids, with pixel_size, or a mask, all pixels are kept as packed bits: an eighth of a
 *  byte each, twice that with a mask, and once more while rug_boxcount_parts_finish() runs.
 *  Nothing is kept of regions that have not come, or where no pixel is set. */
typedef struct rug_boxcount_parts rug_boxcount_parts;

/** Begins a count.
 *  @param out    the state; NULL on failure; free it with rug_boxcount_parts_free(),
 *                before its context
 *  @param ndim   2 or 3
 *  @param shape  of the whole image, slowest axis first
 *  @param opts   as for rug_boxcount(), but the foreground must be resolved (not AUTO or
 *                OTSU), and the method AUTO, PYRAMID or WINDOW. A mask, which is never
 *                read here, only says that every part comes with its own
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM */
RUG_API rug_status rug_boxcount_parts_new(rug_context *ctx, rug_boxcount_parts **out,
                                          int ndim, const size_t *shape,
                                          const rug_boxcount_options *opts);

/** Frees a state. NULL is allowed. */
RUG_API void rug_boxcount_parts_free(rug_boxcount_parts *parts);

/** Adds a part. Every pixel must be added exactly once.
 *  @param part   any dtype, shape and strides; borrowed for the call
 *  @param mask   of the part; NULL when there is no mask
 *  @param first  the position of the part's first pixel in the whole image
 *  @return RUG_OK, RUG_E_ARG (also a part that reaches beyond the image or overlaps an
 *          earlier one), RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED. After a failure the
 *          state can only be freed */
RUG_API rug_status rug_boxcount_parts_add(rug_context *ctx, rug_boxcount_parts *parts,
                                          const rug_image *part, const rug_image *mask,
                                          const size_t *first);

/** Adds all parts of another state, which is not changed.
 *  @param parts  of the same shape and options as `other`
 *  @return RUG_OK, RUG_E_ARG (also a part that both have), RUG_E_NOMEM, RUG_E_DEVICE,
 *          RUG_E_CANCELLED. After a failure `parts` can only be freed */
RUG_API rug_status rug_boxcount_merge(rug_context *ctx, rug_boxcount_parts *parts,
                                      const rug_boxcount_parts *other);

/** The result, once all pixels were added.
 *  @param out  NULL on failure; free it with rug_boxcount_free(), before its context. The
 *              state stays as it is
 *  @return RUG_OK, RUG_E_ARG (pixels are missing), RUG_E_NOMEM, RUG_E_CANCELLED */
RUG_API rug_status rug_boxcount_parts_finish(rug_context *ctx, rug_boxcount_result **out,
                                             const rug_boxcount_parts *parts);

/** The state as bytes, for a file or another process: docs/states.md has their format. They take
 *  room for the pixels that were added, not for the whole image, and are the same in whatever
 *  order parts were added and merged.
 *  @param out    NULL on failure; to be released with rug_context_release()
 *  @param n      the number of bytes; 0 on failure
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_CANCELLED */
RUG_API rug_status rug_boxcount_parts_save(rug_context *ctx, uint8_t **out, size_t *n,
                                           const rug_boxcount_parts *parts);

/** A state from its bytes, which may come from anywhere: all of them are checked, and memory is
 *  taken for what is there only. What is added and merged from then on, and the result, are as
 *  if it had never been saved; but the facts of a result have the engine of what was counted
 *  here, "cpu" if nothing was.
 *  @param out    NULL on failure; free it with rug_boxcount_parts_free(), before its context
 *  @param bytes  borrowed for the call
 *  @return RUG_OK, RUG_E_FORMAT (the bytes are not a state of box counts, damaged, or of another
 *          format), RUG_E_ARG, RUG_E_NOMEM, RUG_E_DEVICE (as rug_boxcount_parts_new()),
 *          RUG_E_CANCELLED */
RUG_API rug_status rug_boxcount_parts_load(rug_context *ctx, rug_boxcount_parts **out,
                                           const uint8_t *bytes, size_t n);

/** rug_boxcount() of an image that is larger than memory. Reads the source, and the mask with
 *  it, once, and once or twice more before that to resolve the foreground AUTO or OTSU.
 *  @param out   as for rug_boxcount()
 *  @param opts  NULL = defaults; the method must be AUTO, PYRAMID or WINDOW
 *  @return as rug_boxcount(), or what the source returns */
RUG_API rug_status rug_boxcount_source(rug_context *ctx, rug_boxcount_result **out,
                                       const rug_source *source,
                                       const rug_boxcount_options *opts);

#ifdef __cplusplus
}
#endif

#endif
