/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pixels as masses, in the narrowest numbers that hold each of them. */

#ifndef RUGI_LACUNARITY_PLANE_H
#define RUGI_LACUNARITY_PLANE_H

#include "core/image/image_internal.h"
#include "core/image/mass.h"

/** Rows of numbers of 2^type bytes. Behind each of them are zeros that a vector may read. */
typedef struct rugi_lacunarity_rows {
    char *data; /* NULL: there are none */
    unsigned type;
    size_t row_bytes;
} rugi_lacunarity_rows;

/** An image or volume at work, z y x. */
typedef struct rugi_lacunarity_plane {
    size_t n[3];
    rugi_lacunarity_rows masses;
    rugi_lacunarity_rows
        inside;              /* of the mask, 1 or 0; of bytes; without data: all are */
    uint64_t total, largest; /* bounds of all masses and of one */
    uint64_t n_pixels, n_set, n_left_out;
} rugi_lacunarity_plane;

/** Rows for n pixels, whose numbers have yet to be set. @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_lacunarity_rows_new(rug_context *ctx, rugi_lacunarity_rows *out,
                                    size_t n_rows, size_t n, unsigned type);

/** The bytes of a row of n pixels, and of a row of sums with what lies before it. */
size_t rugi_lacunarity_row_bytes(size_t n, unsigned type);

/** The narrowest type that holds a mass. */
unsigned rugi_lacunarity_type_of(uint64_t largest);

/** How pixels become masses, and what is known of these without making them. */
rug_status rugi_lacunarity_resolve(rug_context *ctx, rugi_mass *mass,
                                   rugi_mass_facts *facts, const rug_image *img,
                                   const rug_image *mask, int is_gray,
                                   rug_foreground rule);

/** Makes the masses of an image.
 *  @param out  to be freed, also on failure */
rug_status rugi_lacunarity_plane_new(rug_context *ctx, rugi_lacunarity_plane *out,
                                     const rugi_mass *mass, const rugi_mass_facts *facts,
                                     const rug_image *img, const rug_image *mask);

void rugi_lacunarity_plane_free(rug_context *ctx, rugi_lacunarity_plane *plane);

#endif
