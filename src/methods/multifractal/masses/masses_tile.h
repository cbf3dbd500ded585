/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The pyramid of a row of blocks: rows of pixels come in, and four levels of boxes come
 * out while they are in the first-level cache. */

#ifndef RUGI_MASSES_TILE_H
#define RUGI_MASSES_TILE_H

#include "mass_list.h"
#include "masses_kernels.h"

/** Where the masses of a thread go. */
typedef struct rugi_masses_sink {
    uint32_t *tables;      /* [plan->n_entries] of this thread */
    rugi_mass_list *lists; /* [RUGI_MASSES_FINE], with room */
} rugi_masses_sink;

/** A row of blocks at work. */
typedef struct rugi_masses_tile {
    const rugi_masses_plan *plan;
    const rugi_masses_kernels *kernels;
    rugi_masses_sink sink;
    uint64_t *last;               /* the masses of the blocks */
    size_t n;                     /* pixels of a row, a multiple of those of a block */
    char *rows[RUGI_MASSES_FINE]; /* [plan->group] rows of each level above 0 */
    const void *waiting[RUGI_MASSES_FINE][4];
    int n_waiting[RUGI_MASSES_FINE];
} rugi_masses_tile;

/** Bytes that a tile of rows of n pixels needs. */
size_t rugi_masses_tile_bytes(const rugi_masses_plan *plan,
                              const rugi_masses_kernels *kernels, size_t n);

/** Begins a row of blocks.
 *  @param memory  rugi_masses_tile_bytes() of these n pixels, 64-byte aligned */
void rugi_masses_tile_begin(rugi_masses_tile *tile, const rugi_masses_plan *plan,
                            const rugi_masses_kernels *kernels, void *memory, size_t n,
                            rugi_masses_sink sink, uint64_t *last);

/** Rows of a row of blocks. */
size_t rugi_masses_tile_rows(const rugi_masses_plan *plan);

/** Which one the k-th is that rugi_masses_tile_add() wants: those that are joined come
 *  one after the other. */
void rugi_masses_tile_row(const rugi_masses_plan *plan, size_t k, size_t *z, size_t *y);

/** Takes in a row of pixels. It must stay until plan->group of them have come. */
void rugi_masses_tile_add(rugi_masses_tile *tile, const void *row);

#endif
