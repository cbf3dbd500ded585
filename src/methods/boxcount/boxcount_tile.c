/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Levels 0..6 of a tile, by the leaves.
 *
 * A tile is a sequence of *slabs* along its leading axis: pairs of rows in 2D, of slices in 3D. Two
 * slabs of a level join to one of the next, like the carry of a binary counter, so that a tile needs
 * two slabs a level and stays in the cache. In a 3D slab row y lies at the bit-reversed place of y,
 * so that the rows that join are the slab's two contiguous halves at every level.
 *
 * Cells are read in the order in which they lie in memory, in runs as long as the cache allows:
 * that is what the processor's own prefetching wants, and it outweighs all else. */

#include "boxcount_tile.h"
#include "threads.h"
#include <string.h>

/* Words between arrays that are used together: a power of two apart they would share the sets of the
 * first-level cache. */
#define SKEW_WORDS 24

/* A tile's place. */
typedef struct tile {
    size_t bz, by, bx; /* its first block */
    size_t n_words;    /* blocks along x */
    size_t nz, ny, nx; /* cells inside the image */
} tile;

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static tile tile_at(const rugi_boxcount_plan *plan, size_t index)
{
    tile t = {.bx = index % plan->tiles_x * plan->tile_words,
              .by = index / plan->tiles_x % plan->blocks[1],
              .bz = index / plan->tiles_x / plan->blocks[1]};
    const size_t *shape = plan->volume.shape;
    t.n_words = smaller(plan->blocks[2] - t.bx, plan->tile_words);
    t.nz = smaller(shape[0] - t.bz * RUGI_BLOCK, RUGI_BLOCK);
    t.ny = smaller(shape[1] - t.by * RUGI_BLOCK, RUGI_BLOCK);
    t.nx = smaller(shape[2] - t.bx * RUGI_BLOCK, t.n_words * RUGI_BLOCK);
    return t;
}

/* The address of the first cell of row y of slice z, all relative to the tile. */
static const char *cell_at(const rugi_worker *w, const tile *t, size_t z, size_t y)
{
    const rug_image *v = &w->plan->volume;
    const char *row = rugi_image_row(v, t->bz * RUGI_BLOCK + z, t->by * RUGI_BLOCK + y);
    size_t x = t->bx * RUGI_BLOCK;
    return v->dtype == RUG_BIT ? row + x / 8 : row + (ptrdiff_t)x * v->stride[2];
}

/* Joins row y of slice z to level 1; a row outside of the image is empty. */
static void add_row(rugi_worker *w, const tile *t, size_t z, size_t y, uint64_t *boxes,
                    rugi_row_mode mode)
{
    static const rugi_predicate never;
    const rug_image *v = &w->plan->volume;
    if (z >= t->nz || y >= t->ny) {
        w->leaf->row[RUG_BIT](boxes, w->empty, t->nx, &never, mode, &w->tally);
        return;
    }
    const char *cells = cell_at(w, t, z, y);
    if (w->gathered != NULL) {
        rugi_gather(w->gathered, cells, t->nx, v->stride[2], rug_dtype_size(v->dtype));
        cells = w->gathered;
    }
    w->leaf->row[v->dtype](boxes, cells, t->nx, &w->plan->predicate, mode, &w->tally);
}

static void clear(uint64_t *words, size_t n)
{
    memset(words, 0, n * sizeof *words);
}

/* Words of a slab of one level of a tile. */
static size_t slab_words(const rugi_boxcount_plan *plan, size_t tile_words, int level)
{
    return tile_words * (plan->box_axes == 3 ? (size_t)RUGI_BLOCK >> level : 1);
}

/* From one array of a level's slabs to the next. */
static size_t slab_stride(const rugi_boxcount_plan *plan, size_t tile_words, int level)
{
    return slab_words(plan, tile_words, level) + SKEW_WORDS;
}

/* Joins the two slabs of level - 1 to slab number k of `level`: four rows in 3D; in 2D the two slabs
 * are the halves of one. */
static void join_slabs(rugi_worker *w, const tile *t, int level, size_t k)
{
    uint64_t *const *in = w->slab[level - 1], *out = w->slab[level][k % 2];
    size_t n = slab_words(w->plan, t->n_words, level);
    if (w->plan->box_axes == 3)
        w->leaf->join(out, in[0], in[1], n, n, level, &w->tally);
    else
        w->leaf->join(out, in[0], NULL, (size_t)(in[1] - in[0]), n, level, &w->tally);
}

/* Joins upwards after slab number done - 1 of level 1: every pair that is now complete. */
static void carry(rugi_worker *w, const tile *t, size_t done)
{
    for (int level = 2; level <= RUGI_BLOCK_LEVEL && done % 2 == 0; level++) {
        done /= 2;
        join_slabs(w, t, level, done - 1);
    }
}

/* Joins what is left when a tile ends after `done` slabs of level 1, cut off by the image's edge:
 * an odd slab is joined to an empty one. */
static void finish(rugi_worker *w, const tile *t, size_t done)
{
    int grown = 0; /* a slab of level - 1 is new since carry() */
    for (int level = 2; level <= RUGI_BLOCK_LEVEL; level++) {
        if (done % 2 == 1) {
            clear(w->slab[level - 1][1], slab_words(w->plan, t->n_words, level - 1));
            grown = 1;
        }
        done = (done + 1) / 2;
        if (grown)
            join_slabs(w, t, level, done - 1);
    }
}

/* The tile's 64-blocks, from the single slab of the last level. */
static void store_blocks(const rugi_worker *w, const tile *t)
{
    const size_t *n = w->plan->blocks;
    uint8_t *blocks = w->blocks + (t->bz * n[1] + t->by) * n[2] + t->bx;
    const uint64_t *top = w->slab[RUGI_BLOCK_LEVEL][0];
    for (size_t i = 0; i < t->n_words; i++) {
        uint64_t any = top[i] & 1, all = top[i] >> w->leaf->all_bit & 1;
        blocks[i] = (uint8_t)(any * RUGI_BLOCK_ANY | all * RUGI_BLOCK_ALL);
    }
}

static size_t count_rows(rugi_worker *w, const tile *t)
{
    size_t done = 0;
    for (size_t y = 0; y < t->ny; y += 2) {
        uint64_t *boxes = w->slab[1][done % 2];
        add_row(w, t, 0, y, boxes, RUGI_ROW_FIRST);
        add_row(w, t, 0, y + 1, boxes, RUGI_ROW_LAST);
        carry(w, t, ++done);
    }
    return done;
}

/* The bit-reversed place of a pair of rows, 0..31. */
static size_t place_of_pair(size_t pair)
{
    size_t place = 0;
    for (int bit = 0; bit < RUGI_BLOCK_LEVEL - 1; bit++)
        place = place << 1 | (pair >> bit & 1);
    return place;
}

/* Makes level 1 of slices z and z + 1. */
static void count_two_slices(rugi_worker *w, const tile *t, size_t z, uint64_t *slab)
{
    for (size_t y = 0; y < t->ny; y += 2) {
        uint64_t *boxes = slab + place_of_pair(y / 2) * t->n_words;
        add_row(w, t, z, y, boxes, RUGI_ROW_FIRST);
        add_row(w, t, z, y + 1, boxes, RUGI_ROW_MIDDLE);
        add_row(w, t, z + 1, y, boxes, RUGI_ROW_MIDDLE);
        add_row(w, t, z + 1, y + 1, boxes, RUGI_ROW_LAST);
    }
}

static size_t count_slices(rugi_worker *w, const tile *t)
{
    size_t done = 0;
    if (t->ny < RUGI_BLOCK) /* some rows of the slabs stay empty */
        clear(w->slab[1][0], 2 * slab_stride(w->plan, t->n_words, 1));
    for (size_t z = 0; z < t->nz; z += 2) {
        count_two_slices(w, t, z, w->slab[1][done % 2]);
        carry(w, t, ++done);
    }
    return done;
}

/* Gives out the memory of the slabs, level 1 first. */
static void lay_out_slabs(rugi_worker *w, const tile *t)
{
    uint64_t *words = w->slab_words;
    for (int level = 1; level <= RUGI_BLOCK_LEVEL; level++) {
        size_t n = slab_stride(w->plan, t->n_words, level);
        for (size_t k = 0; k < 2; k++, words += n)
            w->slab[level][k] = words;
    }
}

void rugi_worker_count_tile(rugi_worker *w, size_t index)
{
    tile t = tile_at(w->plan, index);
    lay_out_slabs(w, &t);
    finish(w, &t, w->plan->box_axes == 3 ? count_slices(w, &t) : count_rows(w, &t));
    store_blocks(w, &t);
}

static size_t round_up(size_t n_bytes)
{
    return (n_bytes + RUGI_ALIGNMENT - 1) / RUGI_ALIGNMENT * RUGI_ALIGNMENT;
}

static size_t empty_bytes(const rugi_boxcount_plan *plan)
{
    return round_up(plan->tile_words * sizeof(uint64_t));
}

static size_t slabs_bytes(const rugi_boxcount_plan *plan)
{
    size_t n_words = 0;
    for (int level = 1; level <= RUGI_BLOCK_LEVEL; level++)
        n_words += 2 * slab_stride(plan, plan->tile_words, level);
    return round_up(n_words * sizeof(uint64_t));
}

static size_t gathered_bytes(const rugi_boxcount_plan *plan)
{
    size_t size = rug_dtype_size(plan->volume.dtype);
    int strided = size > 0 && plan->volume.stride[2] != (ptrdiff_t)size;
    return strided ? round_up(plan->tile_words * RUGI_BLOCK * size) : 0;
}

size_t rugi_worker_bytes(const rugi_boxcount_plan *plan)
{
    return empty_bytes(plan) + slabs_bytes(plan) + gathered_bytes(plan);
}

void rugi_worker_init(rugi_worker *w, const rugi_boxcount_plan *plan,
                      const rugi_boxcount_leaf *leaf, uint8_t *blocks, void *memory)
{
    char *bytes = memory;
    memset(w, 0, sizeof *w);
    w->plan = plan;
    w->leaf = leaf;
    w->blocks = blocks;
    w->empty = memset(bytes, 0, empty_bytes(plan));
    w->slab_words = (uint64_t *)(void *)(bytes + empty_bytes(plan));
    if (gathered_bytes(plan) > 0)
        w->gathered = bytes + empty_bytes(plan) + slabs_bytes(plan);
}
