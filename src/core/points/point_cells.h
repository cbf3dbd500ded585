/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Lattice cells of points, or of anything that is sparse: blocks that are loaded in any order,
 * on any thread. */

#ifndef RUGI_POINT_CELLS_H
#define RUGI_POINT_CELLS_H

#include "morton.h"

typedef struct rugi_cells {
    rugi_cell_range range; /* holds all cells */
    uint64_t n;            /* cells, with those that come more than once */
    size_t n_blocks;
    const uint64_t *first; /* [n_blocks + 1]: cells before each block; NULL when all
                              blocks but the last have RUGI_CELLS_BLOCK cells */
    /** Fills places[a * RUGI_CELLS_BLOCK + i]. */
    void (*load)(const void *user, size_t block, uint64_t *places);
    const void *user;
    const rug_points *plain; /* cell i is floor() of the coordinates of point i, and
                                blocks are whole; NULL when not so */
    const struct rugi_bits
        *bits; /* of a method: cells are its set bits in order, and blocks have
                              RUGI_CELLS_BLOCK bits of all its words; NULL when not so */
} rugi_cells;

/** Cells before a block. */
static inline uint64_t rugi_cells_before(const rugi_cells *cells, size_t block)
{
    if (cells->first != NULL)
        return cells->first[block];
    uint64_t n = (uint64_t)block * RUGI_CELLS_BLOCK;
    return n < cells->n ? n : cells->n;
}

/** The box of a place on the grid through coordinate 0, as the place of a coordinate:
 *  floor(coordinate / size).
 *  @param zero  the place of coordinate 0. @return with zero at 2^63 for size > 1; the
 *               place itself for size 1 */
uint64_t rugi_box_place(uint64_t place, uint64_t zero, uint64_t size);

/** Cells from the least place to the largest; 2^64 - 1 stands for 2^64. */
uint64_t rugi_cells_extent(uint64_t least, uint64_t most);

/** a b, or 2^64 - 1 where that is more. */
uint64_t rugi_saturating_product(uint64_t a, uint64_t b);

/** The boxes that hold a cell of the range, on the grid through coordinate 0; 2^64 - 1
 *  when 64 bits do not hold the number. */
uint64_t rugi_cells_boxes(const rugi_cell_range *range, uint64_t size);

#endif
