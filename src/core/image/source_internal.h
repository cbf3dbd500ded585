/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Walking over all pixels of a source. */

#ifndef RUGI_SOURCE_INTERNAL_H
#define RUGI_SOURCE_INTERNAL_H

#include "image_internal.h"
#include <rugose/source.h>

/** Bytes of a slab that is read at once, about. */
#define RUGI_SLAB_BYTES ((size_t)128 << 20)

/** RUG_OK when the source is one that the library can read and the mask, unless NULL, is
 *  one of the same shape; else RUG_E_ARG with an error text. */
rug_status rugi_source_check(rug_context *ctx, const rug_source *source,
                             const rug_source *mask);

/** rug_source_measure_range() of a source and a mask that are checked. */
rug_status rugi_source_range(rug_context *ctx, rug_image_range *out,
                             const rug_source *source, const rug_source *mask);

/** Whether it is an image in memory, which costs nothing to read again. */
int rugi_source_is_memory(const rug_source *source);

/** Called with one slab.
 *  @param mask   the mask's slab; NULL: there is none
 *  @param first  the first layer */
typedef rug_status (*rugi_slab_fn)(rug_context *ctx, void *user, const rug_image *slab,
                                   const rug_image *mask, size_t first);

/** Reads a source, and a mask with it, once, slab after slab.
 *  @param mask  NULL: there is none
 *  @return RUG_OK, what the source or the function returns, RUG_E_ARG (the source returned
 *          a slab that was not requested) */
rug_status rugi_source_for_slabs(rug_context *ctx, const rug_source *source,
                                 const rug_source *mask, rugi_slab_fn fn, void *user);

/** rugi_image_for_segments() over all slabs. */
rug_status rugi_source_for_segments(rug_context *ctx, const rug_source *source,
                                    const rug_source *mask, rugi_segment_fn fn,
                                    void *states, size_t state_size);

#endif
