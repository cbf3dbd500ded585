/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counts of an image that comes in parts: strips, tiles or slabs, in any order, on one
 * machine or on many. The result is that of rug_boxcount() on the whole.
 *
 *     rug_boxcount_parts *parts;
 *     rug_boxcount_parts_new(ctx, &parts, 2, shape, &opts);
 *     for (each tile)
 *         rug_boxcount_parts_add(ctx, parts, &tile, NULL, first);
 *     rug_boxcount_merge(ctx, parts, of_another_thread_or_machine);
 *     rug_boxcount_parts_finish(ctx, parts, &counts);
 *     rug_boxcount_parts_free(parts);
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
 *  Powers of two on the grid at the first pixel need little: what lies in whole blocks of
 *  64 pixels a side is counted at once, and one byte is kept for each block; the pixels of
 *  blocks of which only a part has come wait as packed bits. Other sizes and grids, and
 *  masks, keep all pixels as packed bits: an eighth of a byte for each, twice that with a
 *  mask. */
typedef struct rug_boxcount_parts rug_boxcount_parts;

/** Begins a count.
 *  @param out    the state; NULL on failure; free it with rug_boxcount_parts_free(),
 *                before its context
 *  @param ndim   2 or 3
 *  @param shape  of the whole image, slowest axis first
 *  @param opts   as of rug_boxcount(), but with a foreground that is resolved (not AUTO or
 *                OTSU) and no method HOU. A mask only says that there will be one: parts
 *                bring theirs
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM */
RUG_API rug_status rug_boxcount_parts_new(rug_context *ctx, rug_boxcount_parts **out,
                                          int ndim, const size_t *shape,
                                          const rug_boxcount_options *opts);

/** Frees a state. NULL is allowed. */
RUG_API void rug_boxcount_parts_free(rug_boxcount_parts *parts);

/** Adds a part. Every pixel must come once.
 *  @param part   any dtype, shape and strides; borrowed for the call
 *  @param mask   of the part; NULL when there is no mask
 *  @param first  the place of the part's first pixel in the whole image
 *  @return RUG_OK, RUG_E_ARG (also a part that reaches beyond the image, or overlaps with
 *          one that has come), RUG_E_NOMEM, RUG_E_CANCELLED. After a failure the state is
 *          of no more use */
RUG_API rug_status rug_boxcount_parts_add(rug_context *ctx, rug_boxcount_parts *parts,
                                          const rug_image *part, const rug_image *mask,
                                          const size_t *first);

/** Adds all that another state has seen, which stays as it is.
 *  @param parts  of the same shape and options as `other`
 *  @return RUG_OK, RUG_E_ARG (also parts that both have seen), RUG_E_NOMEM,
 *          RUG_E_CANCELLED. After a failure `parts` is of no more use */
RUG_API rug_status rug_boxcount_merge(rug_context *ctx, rug_boxcount_parts *parts,
                                      const rug_boxcount_parts *other);

/** The result, once all pixels have come.
 *  @param out  filled on RUG_OK, zeroed otherwise
 *  @return RUG_OK, RUG_E_ARG (pixels are missing), RUG_E_NOMEM, RUG_E_CANCELLED */
RUG_API rug_status rug_boxcount_parts_finish(rug_context *ctx, rug_boxcount_result *out,
                                             const rug_boxcount_parts *parts);

/** rug_boxcount() of an image that is larger than memory: reads the source once, and
 *  before that once or twice more for a foreground that has yet to be found.
 *  @param mask  of the image's shape, or NULL; takes the place of opts->mask
 *  @param opts  NULL = defaults; no method HOU */
RUG_API rug_status rug_boxcount_source(rug_context *ctx, rug_boxcount_result *out,
                                       const rug_source *source, const rug_source *mask,
                                       const rug_boxcount_options *opts);

#ifdef __cplusplus
}
#endif

#endif
