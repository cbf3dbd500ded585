/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Levels 0..6 of a tile, by the kernels.
 *
 * Reading the pixels is what takes the time, so the order in which they are read comes
 * first. It is that in which they lie in memory as far as possible: an image row by row,
 * a volume two slices at a time, in turns of a few rows of each. The first-level cache
 * then still holds the boxes that wait for the second slice, and the prefetching of the
 * hardware follows both slices. */

#include "boxcount_tile.h"
#include "core/context/threads.h"
#include <string.h>

/* Bytes to read of a slice before it is the other one's turn: a page, which is as far as
 * the hardware looks ahead, and small beside the first-level cache. */
#define TURN_BYTES 4096

/* A tile's place. */
typedef struct tile {
    size_t bz, by, bx;      /* its first block */
    size_t n_rows, n_words; /* blocks along y and x */
    size_t n_groups;        /* groups of blocks along x */
    size_t nz, ny, nx;      /* pixels inside the image */
} tile;

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t groups_of(size_t n_blocks)
{
    return (n_blocks + RUGI_GROUP - 1) / RUGI_GROUP;
}

static tile tile_at(const rugi_boxcount_plan *plan, size_t index)
{
    tile t = {.bx = index % plan->tiles_x * plan->tile_words,
              .by = index / plan->tiles_x % plan->tiles_y * plan->tile_rows,
              .bz = index / plan->tiles_x / plan->tiles_y};
    const size_t *shape = plan->volume.shape;
    t.n_words = smaller(plan->blocks[2] - t.bx, plan->tile_words);
    t.n_rows = smaller(plan->blocks[1] - t.by, plan->tile_rows);
    t.n_groups = groups_of(t.n_words);
    t.nz = smaller(shape[0] - t.bz * RUGI_BLOCK, RUGI_BLOCK);
    t.ny = smaller(shape[1] - t.by * RUGI_BLOCK, t.n_rows * RUGI_BLOCK);
    t.nx = smaller(shape[2] - t.bx * RUGI_BLOCK, t.n_words * RUGI_BLOCK);
    return t;
}

/* The address of the first pixel of row y of slice z, all relative to the tile. */
static const char *pixel_at(const rugi_worker *w, const tile *t, size_t z, size_t y)
{
    const rug_image *v = &w->plan->volume;
    const char *row = rugi_image_row(v, t->bz * RUGI_BLOCK + z, t->by * RUGI_BLOCK + y);
    size_t x = t->bx * RUGI_BLOCK;
    return v->dtype == RUG_BIT ? row + x / 8 : row + (ptrdiff_t)x * v->stride[2];
}

/* Where a row of pixels or boxes goes whose last pixels are row y of slice z. */
static rugi_rise rise_at(const rugi_worker *w, const tile *t, size_t z, size_t y)
{
    if (w->plan->box_axes == 3)
        return (rugi_rise){w->slab, t->n_groups, z, y};
    return (rugi_rise){w->slab, 0, RUGI_BLOCK - 1, y};
}

/* Adds rows y .. y + n - 1 of slice z. */
static void add_rows(rugi_worker *w, const tile *t, size_t z, size_t y, size_t n)
{
    const rug_image *v = &w->plan->volume;
    const rugi_predicate *p = &w->plan->predicate;
    const char *pixels = pixel_at(w, t, z, y);
    rugi_rows_fn rows = w->kernels->rows[v->dtype];
    if (w->gathered == NULL) {
        rows(rise_at(w, t, z, y), pixels, t->nx, n, v->stride[1], p, &w->tally);
        return;
    }
    for (size_t end = y + n; y < end; y++, pixels += v->stride[1]) {
        rugi_gather(w->gathered, pixels, t->nx, v->stride[2], rug_dtype_size(v->dtype));
        rows(rise_at(w, t, z, y), w->gathered, t->nx, 1, 0, p, &w->tally);
    }
}

static void add_empty_row(rugi_worker *w, const tile *t, size_t z, size_t y, int level)
{
    w->kernels->empty_row(rise_at(w, t, z, y), level, t->n_groups, &w->tally);
}

/* The largest level whose boxes can begin at pixel n > 0 of an axis. */
static int level_of(size_t n)
{
    int level = 0;
    while ((n >> level & 1) == 0)
        level++;
    return level;
}

/* Adds what the image lacks from row y on, as empty boxes, the largest that fit. Those
 * end with slice z, or do not and are added with a later one. */
static void add_missing_rows(rugi_worker *w, const tile *t, size_t z, size_t y)
{
    while (y % RUGI_BLOCK > 0) {
        int level = level_of(y);
        y += (size_t)1 << level;
        if ((z + 1) >> level << level == z + 1)
            add_empty_row(w, t, z, y - 1, level);
    }
}

/* Adds empty boxes of a level, which end with slice z. */
static void add_missing_slices(rugi_worker *w, const tile *t, size_t z, int level)
{
    size_t y = 0, size = (size_t)1 << level;
    for (; y < t->ny; y += size)
        add_empty_row(w, t, z, y + size - 1, level);
    add_missing_rows(w, t, z, y);
}

static void count_two_slices(rugi_worker *w, const tile *t, size_t z)
{
    const rug_image *v = &w->plan->volume;
    size_t n_bytes = t->nx * rug_dtype_size(v->dtype) + 1, end = smaller(z + 2, t->nz);
    size_t turn = n_bytes < TURN_BYTES ? (TURN_BYTES / n_bytes + 1) / 2 * 2 : 2;
    for (size_t y = 0; y < t->ny; y += turn)
        for (size_t k = z; k < end; k++)
            add_rows(w, t, k, y, smaller(turn, t->ny - y));
    for (size_t k = z; k < end; k++)
        add_missing_rows(w, t, k, t->ny);
}

static void count_slices(rugi_worker *w, const tile *t)
{
    for (size_t z = 0; z < t->nz; z += 2)
        count_two_slices(w, t, z);
    for (size_t z = t->nz; z % RUGI_BLOCK > 0;) {
        int level = level_of(z);
        z += (size_t)1 << level;
        add_missing_slices(w, t, z - 1, level);
    }
}

static void count_rows(rugi_worker *w, const tile *t)
{
    add_rows(w, t, 0, 0, t->ny);
    add_missing_rows(w, t, RUGI_BLOCK - 1, t->ny);
}

/* The tile's 64-blocks, from the boxes of the last level. */
static void store_blocks(const rugi_worker *w, const tile *t)
{
    const size_t *n = w->plan->blocks;
    uint8_t *blocks = w->blocks + (t->bz * n[1] + t->by) * n[2] + t->bx;
    rugi_rise to = rise_at(w, t, RUGI_BLOCK - 1, RUGI_BLOCK - 1);
    for (size_t y = 0; y < t->n_rows; y++, blocks += n[2], to.y += RUGI_BLOCK)
        for (size_t x = 0; x < t->n_words; x++) {
            unsigned field =
                (unsigned)*rugi_waiting(&to, RUGI_BLOCK_LEVEL + 1, x / RUGI_GROUP);
            unsigned any = field & RUGI_BLOCK_BIT(x % RUGI_GROUP);
            unsigned all = field >> 8 & RUGI_BLOCK_BIT(x % RUGI_GROUP);
            blocks[x] =
                (uint8_t)((any ? RUGI_BLOCK_ANY : 0) | (all ? RUGI_BLOCK_ALL : 0));
        }
}

/* Words of a slab of a tile. */
static size_t slab_words(const rugi_boxcount_plan *plan, size_t n_rows, size_t n_groups,
                         int level)
{
    size_t n = plan->box_axes == 3 ? n_rows * RUGI_BLOCK >> rugi_slab_shift(level) : 1;
    return n * n_groups * rugi_slab_words(level);
}

/* Gives out the memory of the slabs. */
static void lay_out_slabs(rugi_worker *w, const tile *t)
{
    uint64_t *words = w->slab_words;
    for (int level = 1; level <= RUGI_BLOCK_LEVEL + 1; level++) {
        w->slab[level] = words;
        words += slab_words(w->plan, t->n_rows, t->n_groups, level);
    }
}

void rugi_worker_count_tile(rugi_worker *w, size_t index)
{
    tile t = tile_at(w->plan, index);
    lay_out_slabs(w, &t);
    if (w->plan->box_axes == 3)
        count_slices(w, &t);
    else
        count_rows(w, &t);
    store_blocks(w, &t);
}

static size_t round_up(size_t n_bytes)
{
    return (n_bytes + RUGI_ALIGNMENT - 1) / RUGI_ALIGNMENT * RUGI_ALIGNMENT;
}

static size_t slabs_bytes(const rugi_boxcount_plan *plan)
{
    size_t n_words = 0;
    for (int level = 1; level <= RUGI_BLOCK_LEVEL + 1; level++)
        n_words += slab_words(plan, plan->tile_rows, groups_of(plan->tile_words), level);
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
    return slabs_bytes(plan) + gathered_bytes(plan);
}

void rugi_worker_init(rugi_worker *w, const rugi_boxcount_plan *plan,
                      const rugi_boxcount_kernels *kernels, uint8_t *blocks, void *memory)
{
    memset(w, 0, sizeof *w);
    w->plan = plan;
    w->kernels = kernels;
    w->blocks = blocks;
    w->slab_words = memory;
    if (gathered_bytes(plan) > 0)
        w->gathered = (char *)memory + slabs_bytes(plan);
}
