/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Walking over all pixels of a source. */

#ifndef RUGI_SOURCE_INTERNAL_H
#define RUGI_SOURCE_INTERNAL_H

#include "image_internal.h"
#include <rugose/source.h>

/** Bytes of a slab that is read at once, about. */
#define RUGI_SLAB_BYTES ((size_t)128 << 20)

/** The source of an image in memory. Its user is the view, which must outlive it. */
rug_source rugi_source_of_image(const rug_image *image);

/** Takes a source that a caller gives.
 *  @param own   filled on RUG_OK
 *  @param what  it is: "source", "mask" ..., for the error text
 *  @return RUG_OK, RUG_E_ARG (no source that the library can read) */
rug_status rugi_source_take(rug_context *ctx, rug_source *own, const rug_source *given,
                            const char *what);

/** Takes a source that goes with another pixel by pixel, such as a mask.
 *  @param own    filled on RUG_OK if there is one
 *  @param twin   own, or NULL: none was given
 *  @param given  NULL: there is none
 *  @return RUG_OK, RUG_E_ARG (also when its shape is not that of `source`) */
rug_status rugi_twin_source_take(rug_context *ctx, rug_source *own,
                                 const rug_source **twin, const rug_source *given,
                                 const char *what, const rug_source *source);

/** Bytes of a layer in C order; rows of RUG_BIT begin at a byte. */
static inline size_t rugi_layer_bytes(const rug_source *source)
{
    size_t n_rows = source->ndim == 3 ? source->shape[1] : 1;
    size_t nx = source->shape[source->ndim - 1];
    return n_rows *
           (source->dtype == RUG_BIT ? (nx + 7) / 8 : nx * rug_dtype_size(source->dtype));
}

/** Copies a slab in C order. */
void rugi_slab_copy(void *to, const rug_image *slab);

/** The whole source in memory: where it lies, or read.
 *  @param out    the image
 *  @param block  to be released with rug_context_release(); NULL where nothing was copied
 *  @return RUG_OK, RUG_E_NOMEM, what the source returns */
rug_status rugi_source_load(rug_context *ctx, rug_image *out, void **block,
                            const rug_source *source);

/** An image that goes with another pixel by pixel, in memory: a mask or labels. */
typedef struct rugi_twin {
    const rug_image *image; /* NULL: none was given */
    rug_image view;
    void *block;
} rugi_twin;

/** Takes such an image, and reads it if it is not in memory.
 *  @param twin   for rugi_twin_close(), also after a failure
 *  @param given  NULL: there is none
 *  @param what   it is, for the error text
 *  @return RUG_OK, RUG_E_ARG (also when its shape is not that of the image), RUG_E_NOMEM, what
 *          the source returns */
rug_status rugi_twin_open(rug_context *ctx, rugi_twin *twin, const rug_source *given,
                          const char *what, const rug_image *image);
void rugi_twin_close(rug_context *ctx, rugi_twin *twin);

/** rug_source_measure_range() of a source and a mask that are checked. */
rug_status rugi_source_range(rug_context *ctx, rug_image_range *out,
                             const rug_source *source, const rug_source *mask);

/** Pixels of a source, for estimates of work. */
double rugi_source_pixels(const rug_source *source);

/** Whether it is an image in memory, which costs nothing to read again. */
int rugi_source_is_memory(const rug_source *source);

/** Reads layers of a source, and checks that they are those that were asked for.
 *  @return RUG_OK, what the source returns, RUG_E_ARG (another slab came) */
rug_status rugi_source_read(rug_context *ctx, const rug_source *source, rug_image *slab,
                            size_t first, size_t n);

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
