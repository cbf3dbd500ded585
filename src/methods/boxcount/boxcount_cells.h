/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Where the method HOU gets its cells from, whatever they are: blocks that are loaded in
 * any order, on any thread. */

#ifndef RUGI_BOXCOUNT_CELLS_H
#define RUGI_BOXCOUNT_CELLS_H

#include "boxcount_bits.h"
#include "boxcount_keys.h"

typedef struct rugi_cells {
    rugi_cell_range range; /* holds all cells */
    uint64_t n;            /* cells, with those that come more than once */
    size_t n_blocks;
    const uint64_t *first; /* [n_blocks + 1]: cells before each block; NULL when all
                              blocks, but the last, have RUGI_CELLS_BLOCK cells */
    /** Fills places[a * RUGI_CELLS_BLOCK + i]. */
    void (*load)(const void *user, size_t block, uint64_t *places);
    const void *user;
    const rug_points
        *plain;            /* cell i is floor() of the coordinates of point i, and blocks
                                are whole; NULL when not so */
    const rugi_bits *bits; /* cells are its set bits in order, and blocks have
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

/** Counts the boxes of result->counts[i].size for every i < result->n_sizes on the grid
 *  through coordinate 0, and sets nonempty, black, n_set, engine, busy_least and
 *  busy_most.
 *  @return RUG_OK, RUG_E_ARG (the cells have no keys), RUG_E_NOMEM, RUG_E_DEVICE,
 *          RUG_E_CANCELLED */
rug_status rugi_boxcount_hou_cells(rug_context *ctx, rug_boxcount_result *result,
                                   const rugi_cells *cells);

/** The box of a place on the grid through coordinate 0, as the place of a coordinate:
 *  floor(coordinate / size).
 *  @param zero  the place of coordinate 0. @return with zero at 2^63 for size > 1; the
 *               place itself for size 1 */
uint64_t rugi_box_place(uint64_t place, uint64_t zero, uint64_t size);

#endif
