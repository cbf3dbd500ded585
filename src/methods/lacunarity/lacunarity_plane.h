/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pixels as masses, in the narrowest numbers that hold each of them. */

#ifndef RUGI_LACUNARITY_PLANE_H
#define RUGI_LACUNARITY_PLANE_H

#include "core/context/context_internal.h"
#include "core/image/image_internal.h"
#include "core/image/mass.h"
#include <rugose/lacunarity.h>

/** Rows of numbers of 2^type bytes. Behind each row are zeros that a vector may read. */
typedef struct rugi_lacunarity_rows {
    char *data; /* NULL: there are none */
    unsigned type;
    size_t row_bytes;
} rugi_lacunarity_rows;

/** An image or volume at work, z y x. */
typedef struct rugi_lacunarity_plane {
    size_t n[3];
    rugi_lacunarity_rows masses;
    rugi_lacunarity_rows inside; /* bytes 1 and 0: the mask; without data there is none */
    uint64_t total, largest;     /* of all masses together and of one there is no more */
    uint64_t n_pixels, n_set, n_left_out;
} rugi_lacunarity_plane;

/** Rows for n pixels, whose numbers have yet to be set. @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_lacunarity_rows_new(rug_context *ctx, rugi_lacunarity_rows *out,
                                    size_t n_rows, size_t n, unsigned type);

/** Bytes of a row of n numbers, with the pads before it (in rows of sums) and after it. */
size_t rugi_lacunarity_row_bytes(size_t n, unsigned type);

/** Makes the masses of an image, or of one label of it: a plane of the label's bounding box,
 *  in which only its own pixels have a mass.
 *  @param out      to be freed, also on failure
 *  @param mask     or NULL
 *  @param regions  of the labels; NULL: the whole image
 *  @param label    index into the regions */
rug_status rugi_lacunarity_plane_new(rug_context *ctx, rugi_lacunarity_plane *out,
                                     const rugi_mass *mass, const rugi_mass_facts *facts,
                                     const rug_image *image, const rug_image *mask,
                                     const rug_regions *regions, size_t label);

static inline void rugi_lacunarity_plane_free(rug_context *ctx,
                                              rugi_lacunarity_plane *plane)
{
    rug_context_release(ctx, plane->masses.data);
    rug_context_release(ctx, plane->inside.data);
    plane->masses.data = plane->inside.data = NULL;
}

#endif
