/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The pyramid: its plan (levels, blocks and tiles), the engine `cpu`, which counts levels
 * 0..6 by the kernels, and the few levels above from one byte per block of 64 pixels.
 *
 * Reading the pixels is what takes the time, so the order in which they are read comes
 * first. It is that in which they lie in memory as far as possible: an image row by row,
 * a volume two slices at a time, in turns of a few rows of each. The first-level cache
 * then still holds the boxes that wait for the second slice, and the prefetching of the
 * hardware follows both slices. */

#include "boxcount_pyramid.h"
#include "boxcount_kernels.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "core/fit/scaling.h"
#include <string.h>

/* ---- The plan ---- */

/* Widest tiles in words, so that a thread's rows of all levels stay in its second-level
 * cache. */
#define TILE_WORDS_2D 512
#define TILE_WORDS_3D 64

/* Groups of blocks in a tile of a volume, for the same reason: 3.5 KB each. */
#define TILE_GROUPS_3D 32

/* Tiles for each thread, so that none waits long for the last one. */
#define TILES_PER_THREAD 4

static size_t ceil_div(size_t n, size_t d)
{
    return (n - 1) / d + 1;
}

uint32_t rugi_boxcount_n_levels(int ndim, const size_t *shape)
{
    size_t longest = 1;
    for (int a = 0; a < ndim; a++)
        longest = rugi_larger(shape[a], longest);
    return rugi_scaling_n_dyadic(longest);
}

static void set_tile_rows(rugi_boxcount_plan *plan, size_t n)
{
    plan->tile_rows = n;
    plan->tiles_y = ceil_div(plan->blocks[1], n);
    plan->n_tiles = plan->blocks[0] * plan->tiles_y * plan->tiles_x;
}

/* A tile reads its part of slice after slice: the higher it is, the fewer the gaps
 * between what it reads, each of which stops the processor's prefetching. */
static void plan_tiles(rug_context *ctx, rugi_boxcount_plan *plan)
{
    int is_image = plan->box_axes == 2;
    for (int a = 0; a < 3; a++)
        plan->blocks[a] = ceil_div(plan->volume.shape[a], RUGI_BLOCK);
    size_t widest = is_image ? TILE_WORDS_2D : TILE_WORDS_3D;
    plan->tile_words = rugi_smaller(plan->blocks[2], widest);
    plan->tiles_x = ceil_div(plan->blocks[2], plan->tile_words);
    size_t highest =
        is_image ? 1 : ceil_div(TILE_GROUPS_3D, ceil_div(plan->tile_words, RUGI_GROUP));
    set_tile_rows(plan, rugi_smaller(plan->blocks[1], highest));
    size_t wanted = TILES_PER_THREAD * (size_t)rug_context_threads(ctx);
    while (plan->tile_rows > 1 && plan->n_tiles < wanted)
        set_tile_rows(plan, ceil_div(plan->tile_rows, 2));
}

void rugi_boxcount_make_plan(rug_context *ctx, rugi_boxcount_plan *plan,
                             const rug_image *volume, int box_axes,
                             const rugi_predicate *predicate, uint32_t n_levels)
{
    memset(plan, 0, sizeof *plan);
    plan->volume = *volume;
    plan->box_axes = box_axes;
    plan->predicate = *predicate;
    plan->n_levels = n_levels;
    plan_tiles(ctx, plan);
}

/* ---- One tile ---- */

/* Bytes of a slice to read before the other one's turn: a page, which is as far as the
 * hardware prefetches, and small compared with the first-level cache. */
#define TURN_BYTES 4096

/* A tile's place. */
typedef struct tile {
    size_t bz, by, bx;      /* its first block */
    size_t n_rows, n_words; /* blocks along y and x */
    size_t n_groups;        /* groups of blocks along x */
    size_t nz, ny, nx;      /* pixels inside the image */
} tile;

/* What one thread works with. */
typedef struct worker {
    const rugi_boxcount_plan *plan;
    const rugi_boxcount_kernels *kernels;
    uint8_t *blocks; /* [bz][by][bx] of RUGI_BLOCK_ANY | RUGI_BLOCK_ALL; shared, but each
                        tile has its own */
    rugi_boxcount_tally tally;
    uint64_t *slab_words;                 /* memory of the slabs */
    uint64_t *slab[RUGI_BLOCK_LEVEL + 2]; /* of the current tile, see rugi_rise */
    char *gathered; /* strided pixels, made contiguous; NULL: they are */
} worker;

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
    t.n_words = rugi_smaller(plan->blocks[2] - t.bx, plan->tile_words);
    t.n_rows = rugi_smaller(plan->blocks[1] - t.by, plan->tile_rows);
    t.n_groups = groups_of(t.n_words);
    t.nz = rugi_smaller(shape[0] - t.bz * RUGI_BLOCK, RUGI_BLOCK);
    t.ny = rugi_smaller(shape[1] - t.by * RUGI_BLOCK, t.n_rows * RUGI_BLOCK);
    t.nx = rugi_smaller(shape[2] - t.bx * RUGI_BLOCK, t.n_words * RUGI_BLOCK);
    return t;
}

/* The address of the first pixel of row y of slice z, all relative to the tile. */
static const char *pixel_at(const worker *w, const tile *t, size_t z, size_t y)
{
    const rug_image *v = &w->plan->volume;
    const char *row = rugi_image_row(v, t->bz * RUGI_BLOCK + z, t->by * RUGI_BLOCK + y);
    size_t x = t->bx * RUGI_BLOCK;
    return v->dtype == RUG_BIT ? row + x / 8 : row + (ptrdiff_t)x * v->stride[2];
}

/* Where a row of pixels or boxes goes whose last pixels are row y of slice z. */
static rugi_rise rise_at(const worker *w, const tile *t, size_t z, size_t y)
{
    if (w->plan->box_axes == 3)
        return (rugi_rise){w->slab, t->n_groups, z, y};
    return (rugi_rise){w->slab, 0, RUGI_BLOCK - 1, y};
}

/* Adds rows y .. y + n - 1 of slice z. */
static void add_rows(worker *w, const tile *t, size_t z, size_t y, size_t n)
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

static void add_empty_row(worker *w, const tile *t, size_t z, size_t y, int level)
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

/* Adds what is missing in the image from row y on, as empty boxes, the largest that fit.
 * Boxes that do not end with slice z are added with a later one. */
static void add_missing_rows(worker *w, const tile *t, size_t z, size_t y)
{
    while (y % RUGI_BLOCK > 0) {
        int level = level_of(y);
        y += (size_t)1 << level;
        if ((z + 1) >> level << level == z + 1)
            add_empty_row(w, t, z, y - 1, level);
    }
}

/* Adds empty boxes of a level, which end with slice z. */
static void add_missing_slices(worker *w, const tile *t, size_t z, int level)
{
    size_t y = 0, size = (size_t)1 << level;
    for (; y < t->ny; y += size)
        add_empty_row(w, t, z, y + size - 1, level);
    add_missing_rows(w, t, z, y);
}

static void count_two_slices(worker *w, const tile *t, size_t z)
{
    const rug_image *v = &w->plan->volume;
    size_t n_bytes = t->nx * rug_dtype_size(v->dtype) + 1,
           end = rugi_smaller(z + 2, t->nz);
    size_t turn = n_bytes < TURN_BYTES ? (TURN_BYTES / n_bytes + 1) / 2 * 2 : 2;
    for (size_t y = 0; y < t->ny; y += turn)
        for (size_t k = z; k < end; k++)
            add_rows(w, t, k, y, rugi_smaller(turn, t->ny - y));
    for (size_t k = z; k < end; k++)
        add_missing_rows(w, t, k, t->ny);
}

static void count_slices(worker *w, const tile *t)
{
    for (size_t z = 0; z < t->nz; z += 2)
        count_two_slices(w, t, z);
    for (size_t z = t->nz; z % RUGI_BLOCK > 0;) {
        int level = level_of(z);
        z += (size_t)1 << level;
        add_missing_slices(w, t, z - 1, level);
    }
}

static void count_rows(worker *w, const tile *t)
{
    add_rows(w, t, 0, 0, t->ny);
    add_missing_rows(w, t, RUGI_BLOCK - 1, t->ny);
}

/* The tile's 64-blocks, from the boxes of the last level. */
static void store_blocks(const worker *w, const tile *t)
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
static void lay_out_slabs(worker *w, const tile *t)
{
    uint64_t *words = w->slab_words;
    for (int level = 1; level <= RUGI_BLOCK_LEVEL + 1; level++) {
        w->slab[level] = words;
        words += slab_words(w->plan, t->n_rows, t->n_groups, level);
    }
}

static void count_tile(worker *w, size_t index)
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

/* Bytes of memory that init_worker() hands out. */
static size_t worker_bytes(const rugi_boxcount_plan *plan)
{
    return slabs_bytes(plan) + gathered_bytes(plan);
}

/* @param memory  worker_bytes(), aligned to RUGI_ALIGNMENT */
static void init_worker(worker *w, const rugi_boxcount_plan *plan,
                        const rugi_boxcount_kernels *kernels, uint8_t *blocks,
                        void *memory)
{
    memset(w, 0, sizeof *w);
    w->plan = plan;
    w->kernels = kernels;
    w->blocks = blocks;
    w->slab_words = memory;
    if (gathered_bytes(plan) > 0)
        w->gathered = (char *)memory + slabs_bytes(plan);
}

/* ---- Tiles to threads ---- */

static void tile_task(void *workers, size_t task, int thread)
{
    count_tile((worker *)workers + thread, task);
}

static uint64_t sum_lanes(const uint64_t lanes[RUGI_TALLY_LANES])
{
    uint64_t sum = 0;
    for (int i = 0; i < RUGI_TALLY_LANES; i++)
        sum += lanes[i];
    return sum;
}

static void add_tallies(const rugi_boxcount_plan *plan, const worker *workers,
                        size_t n_workers, rugi_boxcount_levels *levels)
{
    for (uint32_t m = 0; m < plan->n_levels && m <= RUGI_BLOCK_LEVEL; m++)
        for (size_t t = 0; t < n_workers; t++) {
            levels->nonempty[m] += sum_lanes(workers[t].tally.nonempty[m]);
            levels->black[m] += sum_lanes(workers[t].tally.black[m]);
        }
    levels->black[0] = levels->nonempty[0];
}

rug_status rugi_boxcount_cpu(rug_context *ctx, void *job)
{
    const rugi_pyramid_job *j = job;
    const rugi_boxcount_plan *plan = j->plan;
    rugi_boxcount_kernels kernels;
    rugi_boxcount_set_kernels(&kernels, rug_context_cpu_level(ctx));
    size_t n_workers = (size_t)rugi_loop_threads(ctx, plan->n_tiles);
    size_t n_bytes = worker_bytes(plan);
    rug_status status = RUG_E_NOMEM;
    worker *workers =
        rug_context_allocate(ctx, n_workers, sizeof *workers, "box counting workers");
    char *memory = rug_context_allocate(ctx, n_workers, n_bytes, "packed rows");
    if (workers == NULL || memory == NULL)
        goto done;
    for (size_t t = 0; t < n_workers; t++)
        init_worker(&workers[t], plan, &kernels, j->blocks, memory + t * n_bytes);
    status = rugi_parallel_for(ctx, plan->n_tiles, tile_task, workers);
    if (status == RUG_OK) {
        add_tallies(plan, workers, n_workers, j->levels);
        j->levels->engine = kernels.name;
    }
done:
    rug_context_release(ctx, memory);
    rug_context_release(ctx, workers);
    return status;
}

/* ---- Levels above those of blocks ---- */

/* One box of the next level from its 4 or 8 blocks; blocks outside of the grid are
 * empty. */
static uint8_t merge_blocks(const uint8_t *blocks, const size_t n[3],
                            const size_t first[3], size_t deep)
{
    unsigned any = 0, all = RUGI_BLOCK_ALL;
    for (size_t k = 0; k < 4 * deep; k++) {
        size_t z = first[0] + k / 4, y = first[1] + k / 2 % 2, x = first[2] + k % 2;
        int inside = z < n[0] && y < n[1] && x < n[2];
        unsigned b = inside ? blocks[(z * n[1] + y) * n[2] + x] : 0;
        any |= b;
        all &= b;
    }
    return (uint8_t)((any & RUGI_BLOCK_ANY) | all);
}

/* Halves the grid of blocks along the box's axes, in place, counting the boxes of one
 * level. */
static void halve_blocks(uint8_t *blocks, size_t n[3], int box_axes,
                         rugi_boxcount_levels *levels, uint32_t m)
{
    size_t deep = box_axes == 3 ? 2 : 1;
    size_t half[3] = {(n[0] + deep - 1) / deep, (n[1] + 1) / 2, (n[2] + 1) / 2};
    for (size_t z = 0; z < half[0]; z++)
        for (size_t y = 0; y < half[1]; y++)
            for (size_t x = 0; x < half[2]; x++) {
                uint8_t b =
                    merge_blocks(blocks, n, (size_t[3]){z * deep, 2 * y, 2 * x}, deep);
                blocks[(z * half[1] + y) * half[2] + x] = b;
                levels->nonempty[m] += b & RUGI_BLOCK_ANY;
                levels->black[m] += b / RUGI_BLOCK_ALL;
            }
    memcpy(n, half, sizeof half);
}

void rugi_boxcount_raise(rugi_boxcount_levels *levels, uint8_t *blocks,
                         const size_t n_blocks[3], int box_axes)
{
    size_t n[3];
    memcpy(n, n_blocks, sizeof n);
    for (uint32_t m = RUGI_BLOCK_LEVEL + 1; m < levels->n; m++)
        halve_blocks(blocks, n, box_axes, levels, m);
}

void rugi_boxcount_take_levels(rug_boxcount_result *result,
                               const rugi_boxcount_levels *levels)
{
    result->facts.engine = levels->engine;
    result->facts.n_set = levels->nonempty[0];
    for (uint32_t i = 0; i < result->facts.n_sizes; i++) {
        rug_box_count *c = &result->counts[i];
        uint32_t m = 0;
        while (c->size >> m > 1)
            m++;
        /* Boxes above the last level hold the whole image and more. */
        c->nonempty = levels->nonempty[m < levels->n ? m : levels->n - 1];
        c->black = m < levels->n ? levels->black[m] : 0;
    }
}
