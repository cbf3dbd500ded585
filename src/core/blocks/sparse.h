/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Items on a grid, most of which are 0: only tiles of the grid that hold something take
 * memory, so that what is known of a part is as large as the part. */

#ifndef RUGI_SPARSE_H
#define RUGI_SPARSE_H

#include "cover.h"

/** A tile that is there; its number + 1, 0 where a place in the table is free. */
typedef struct rugi_sparse_slot {
    size_t key;
    void *items; /* x fastest; NULL: it was closed */
} rugi_sparse_slot;

/** Nothing is there when it begins. */
typedef struct rugi_sparse {
    size_t n_items[3]; /* of the grid, z y x */
    unsigned bits;     /* a tile has 2^bits items along y and x, and one along z */
    size_t n_tiles[3];
    size_t item_bytes;
    rugi_sparse_slot *slots; /* [capacity], a power of two or 0 */
    size_t n_used, capacity; /* slots with a key */
} rugi_sparse;

/** Begins without any memory. */
void rugi_sparse_begin(rugi_sparse *sparse, const size_t n_items[3], unsigned bits,
                       size_t item_bytes);

void rugi_sparse_free(rug_context *ctx, rugi_sparse *sparse);

/** The number of a tile.
 *  @param at  its place, in tiles */
static inline size_t rugi_sparse_tile(const rugi_sparse *s, const size_t at[3])
{
    return (at[0] * s->n_tiles[1] + at[1]) * s->n_tiles[2] + at[2];
}

/** The place of a tile, in tiles. */
static inline void rugi_sparse_place(const rugi_sparse *s, size_t tile, size_t at[3])
{
    at[2] = tile % s->n_tiles[2];
    at[1] = tile / s->n_tiles[2] % s->n_tiles[1];
    at[0] = tile / s->n_tiles[2] / s->n_tiles[1];
}

/** The items of a tile; NULL: all are 0. */
void *rugi_sparse_find(const rugi_sparse *sparse, size_t tile);

/** The items of a tile, 0 at first; NULL: memory ran out. */
void *rugi_sparse_open(rug_context *ctx, rugi_sparse *sparse, size_t tile);

/** Makes all items of a tile 0. */
void rugi_sparse_close(rug_context *ctx, rugi_sparse *sparse, size_t tile);

/** The tiles that are there, ascending.
 *  @param out  owned by the caller
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_sparse_list(rug_context *ctx, size_t **out, size_t *n,
                            const rugi_sparse *sparse);

/** Sets the items of a box, which are 0.
 *  @param items  x fastest
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_sparse_put(rug_context *ctx, rugi_sparse *sparse, const rugi_box *box,
                           const void *items);

/** Copies all items of the grid, x fastest. */
void rugi_sparse_get(const rugi_sparse *sparse, void *items);

/** Sets the items of another one of the same grid, which are 0 here.
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_sparse_merge(rug_context *ctx, rugi_sparse *sparse,
                             const rugi_sparse *other);

/** Called with n items side by side, in the order of the grid.
 *  @param first  the place of the first of them in the grid, x fastest */
typedef void rugi_sparse_fn(void *user, size_t first, const void *items, size_t n);

/** Goes over all tiles that are there, in the order of the grid.
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_sparse_each(rug_context *ctx, const rugi_sparse *sparse,
                            rugi_sparse_fn *fn, void *user);

#endif
