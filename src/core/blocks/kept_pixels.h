/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The pixels of an image that comes in parts, kept until all are there: a bit each, or as they
 * are. Regions that have not come, or where all pixels are 0, take no memory. */

#ifndef RUGI_KEPT_PIXELS_H
#define RUGI_KEPT_PIXELS_H

#include "partial_blocks.h"
#include <rugose/source.h>

/** Pixels that have come. */
typedef struct rugi_kept {
    rugi_partial_blocks blocks; /* see rugi_state_put_blocks() */
    size_t n_bytes;             /* of a pixel; 0: a bit */
} rugi_kept;

/** Begins without any memory.
 *  @param shape  z y x
 *  @param cover  as for rugi_partial_blocks_begin() */
void rugi_kept_begin(rugi_kept *kept, const size_t shape[3], size_t n_bytes,
                     const rugi_cover *cover);

/** Keeps pixels of an image, which are in the cover now.
 *  @param box    those to be kept
 *  @param image  which has them
 *  @param place  of that image
 *  @param rule   of bits: which pixels are 1
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_kept_add(rug_context *ctx, rugi_kept *kept, const rugi_box *box,
                         const rug_image *image, const rugi_box *place,
                         rug_foreground rule);

/** Adds those of another one of the same image, whose pixels are in the cover now.
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_kept_merge(rug_context *ctx, rugi_kept *kept, const rugi_kept *other);

/** Checks that all pixels of the image have come, and are no more than an address can count the
 *  bytes of.
 *  @param what  begins the error text
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM */
rug_status rugi_kept_check_whole(rug_context *ctx, const rugi_kept *kept,
                                 const char *what);

/** Pixels that are kept as a source. */
typedef struct rugi_kept_reader {
    const rugi_kept *kept;
    rug_context *ctx;
    char *slab;
    size_t capacity;
    rug_source source;
} rugi_kept_reader;

/** Makes a source; close it in the end.
 *  @param dtype  of the pixels; RUG_BIT where bits are kept
 *  @param ndim   2 or 3 */
void rugi_kept_open(rug_context *ctx, rugi_kept_reader *reader, const rugi_kept *kept,
                    rug_dtype dtype, int ndim);

static inline void rugi_kept_close(const rugi_kept_reader *reader)
{
    rug_context_release(reader->ctx, reader->slab);
}

#endif
