/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Small random files for soak.c. */

#ifndef SOAK_IMAGES_H
#define SOAK_IMAGES_H

#include <stddef.h>
#include <stdint.h>

/** What random numbers are drawn from; the same seed gives the same numbers. */
typedef struct soak_random {
    uint64_t state;
} soak_random;

/** A number from 0 to n - 1. */
unsigned soak_draw(soak_random *random, unsigned n);

/** Axes of an image, slowest first. */
typedef struct soak_shape {
    int ndim; /* 2 or 3 */
    unsigned sizes[3];
} soak_shape;

/** A shape of at most 30 pixels a side, often with a side of 1. */
soak_shape soak_draw_shape(soak_random *random);

/** Writes an image of any type and content as .npy: raw bits, few levels, flat, ramps, sparse, extremes,
 *  NaN. */
void soak_write_image(soak_random *random, const char *path, const soak_shape *shape);

/** Writes a binary PGM or PPM of 8 or 16 bits, in two axes. */
void soak_write_pnm(soak_random *random, const char *path, const soak_shape *shape);

/** Writes whole numbers from 0 to n - 1 as .npy: masks and labels. */
void soak_write_levels(soak_random *random, const char *path, const soak_shape *shape,
                       unsigned n);

/** Writes up to 40 points as text, of 1 to 4 columns. */
void soak_write_points(soak_random *random, const char *path);

#endif
