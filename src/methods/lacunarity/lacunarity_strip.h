/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Boxes that end in some rows of a plane, row by row, by one thread. */

#ifndef RUGI_LACUNARITY_STRIP_H
#define RUGI_LACUNARITY_STRIP_H

#include "lacunarity_plan.h"

/** What a strip knows of a lane. */
typedef struct rugi_lacunarity_track {
    const rugi_lacunarity_lane *lane;
    size_t begin; /* the first row that boxes hold */
    char *masses; /* sums over the rows of boxes, unless they come from the ring */
    char *inside; /* the same of the mask */
    rugi_lacunarity_sums sums;
} rugi_lacunarity_track;

typedef struct rugi_lacunarity_strip {
    const rugi_lacunarity_kernels *kernels;
    int is_fixed;
    size_t nx;
    rugi_lacunarity_rows masses, inside; /* of the plane, not owned */
    size_t first, end; /* boxes that end in rows first .. end - 1 count */
    size_t y;          /* the next row */
    size_t ring_rows[RUGI_LACUNARITY_TYPES], ring_begin[RUGI_LACUNARITY_TYPES];
    char *ring[RUGI_LACUNARITY_TYPES];
    size_t n_tracks;
    rugi_lacunarity_track *tracks;
} rugi_lacunarity_strip;

/** Bytes of memory for strips of these lanes. */
size_t rugi_lacunarity_strip_bytes(const rugi_lacunarity_plan *plan, size_t first_lane,
                                   size_t n_lanes);

/** Begins a strip; its sums are 0.
 *  @param memory  aligned for vectors */
void rugi_lacunarity_strip_init(rugi_lacunarity_strip *s,
                                const rugi_lacunarity_plan *plan,
                                const rugi_lacunarity_kernels *kernels, size_t first_lane,
                                size_t n_lanes, char *memory);

/** Sets it on rows of a plane.
 *  @param inside  without data: no mask */
void rugi_lacunarity_strip_begin(rugi_lacunarity_strip *s, rugi_lacunarity_rows masses,
                                 rugi_lacunarity_rows inside, size_t first, size_t end);

/** Does the next n rows, or all that are left. */
void rugi_lacunarity_strip_advance(rugi_lacunarity_strip *s, size_t n);

#endif
