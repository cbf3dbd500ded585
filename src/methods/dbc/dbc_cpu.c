/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The engine of the processor. A slab is cut into tiles, and tiles into bands of 64 layers,
 * which go to threads. In a tile, two layers of a level are joined as soon as both are
 * there, and what they make is joined at once with what waits at the next level, while it is
 * in the cache. */

#include "core/context/small.h"
#include "core/context/threads.h"
#include "core/image/predicate.h"
#include "dbc_job.h"
#include <string.h>

/* One thread's memory: of each level an even and an odd layer, since a layer waits until its
 * neighbour has come. */
typedef struct worker {
    RUGI_OWN_LINES rugi_dbc_job *job;
    const rugi_dbc_kernels *kernels;
    char *lo[RUGI_DBC_BLOCK_LEVEL + 1][2]; /* [level][parity of the layer] */
    char *hi[RUGI_DBC_BLOCK_LEVEL + 1][2];
    char *scratch; /* a row of pixels, a row of the mask, and its flags */
    rugi_dbc_tallies tally;
    rugi_dbc_seen seen;
} worker;

/* ---- A tile and its layers ---- */

/* Where a tile lies in each layer. */
typedef struct place {
    size_t row, column;       /* the first of it */
    size_t n_rows, n_columns; /* of pixels */
} place;

/* A layer of a tile: its first row, and how far apart rows are. */
typedef struct layer {
    const char *lo, *hi;
    ptrdiff_t step;
} layer;

/* How many blocks of a level n pixels make. */
static size_t at_level(size_t n, uint32_t level)
{
    return ((n - 1) >> level) + 1;
}

static place place_of(const rugi_dbc_plan *plan, size_t tile)
{
    place p = {.row = tile / plan->tiles[1] * plan->tile[0],
               .column = tile % plan->tiles[1] * plan->tile[1]};
    p.n_rows = rugi_smaller(plan->shape[1] - p.row, plan->tile[0]);
    p.n_columns = rugi_smaller(plan->shape[2] - p.column, plan->tile[1]);
    return p;
}

static size_t round_up(size_t n_bytes)
{
    return (n_bytes + RUGI_ALIGNMENT - 1) / RUGI_ALIGNMENT * RUGI_ALIGNMENT;
}

/* Bytes from row to row of a level. */
static size_t row_bytes(const rugi_dbc_plan *plan, uint32_t level)
{
    size_t widest = rugi_smaller(plan->tile[1], plan->shape[2]);
    return round_up(at_level(widest, level) * plan->key_bytes);
}

static size_t layer_bytes(const rugi_dbc_plan *plan, uint32_t level)
{
    size_t highest = rugi_smaller(plan->tile[0], plan->shape[1]);
    return at_level(highest, level) * row_bytes(plan, level);
}

static size_t scratch_pixels(const rugi_dbc_plan *plan)
{
    return round_up(rugi_smaller(plan->tile[1], plan->shape[2]));
}

/* Whether pixels can be read as keys where they lie. */
static int is_direct(const rugi_dbc_job *job)
{
    rug_dtype t = job->plan->dtype;
    size_t size = rug_dtype_size(t);
    const rug_image *v = &job->slab;
    int is_unsigned = t == RUG_U8 || t == RUG_U16 || t == RUG_U32 || t == RUG_U64;
    return is_unsigned && !job->plan->is_whole && job->mask.data == NULL &&
           v->stride[2] == (ptrdiff_t)size &&
           ((uintptr_t)v->data | (uintptr_t)v->stride[0] | (uintptr_t)v->stride[1]) %
                   size ==
               0;
}

/* Bytes of memory that a worker needs. */
static size_t worker_bytes(const rugi_dbc_job *job)
{
    size_t n = 0;
    for (uint32_t m = 0; m <= RUGI_DBC_BLOCK_LEVEL; m++)
        n += 4 * layer_bytes(job->plan, m);
    return n + scratch_pixels(job->plan) * (2 * sizeof(uint64_t) + 1);
}

/* @param memory  of worker_bytes(), aligned for vectors */
static void init_worker(worker *w, rugi_dbc_job *job, const rugi_dbc_kernels *kernels,
                        char *memory)
{
    memset(w, 0, sizeof *w);
    w->job = job;
    w->kernels = kernels;
    for (uint32_t m = 0; m <= RUGI_DBC_BLOCK_LEVEL; m++)
        for (int parity = 0; parity < 2; parity++) {
            size_t n = layer_bytes(job->plan, m);
            w->lo[m][parity] = memory;
            w->hi[m][parity] = memory + n;
            memory += 2 * n;
        }
    w->scratch = memory;
}

/* ---- Pixels to the layers of level 0 ---- */

/* Which pixels of a row are inside the mask; NULL without one. */
static const uint8_t *inside_of(worker *w, const size_t at[3], size_t n)
{
    const rug_image *mask = &w->job->mask;
    if (mask->data == NULL)
        return NULL;
    size_t row = scratch_pixels(w->job->plan) * sizeof(uint64_t);
    return rugi_mask_flags(mask, at, n, (uint8_t *)w->scratch + 2 * row,
                           w->scratch + row);
}

/* Makes the keys of layer z. */
static layer layer_of_pixels(worker *w, const place *p, size_t z)
{
    const rugi_dbc_plan *plan = w->job->plan;
    const rug_image *v = &w->job->slab;
    size_t at[3] = {z - w->job->first, p->row, p->column}, step = row_bytes(plan, 0);
    char *lo = w->lo[0][z & 1], *hi = plan->may_be_empty ? w->hi[0][z & 1] : lo;
    for (size_t r = 0; r < p->n_rows; r++, at[1]++)
        rugi_dbc_keys(plan, lo + r * step, hi + r * step,
                      rugi_image_segment(v, at, p->n_columns, w->scratch), p->n_columns,
                      inside_of(w, at, p->n_columns), &w->seen);
    return (layer){lo, hi, (ptrdiff_t)step};
}

/* Layer z of the pixels, where they lie or as keys. */
static layer layer_at(worker *w, const place *p, size_t z)
{
    const rug_image *v = &w->job->slab;
    if (!is_direct(w->job))
        return layer_of_pixels(w, p, z);
    const char *pixels = rugi_image_row(v, z - w->job->first, p->row);
    pixels += (ptrdiff_t)p->column * v->stride[2];
    return (layer){pixels, pixels, v->stride[1]};
}

/* A layer of a level that the worker keeps. */
static layer kept_layer(const worker *w, uint32_t level, int parity)
{
    const char *lo = w->lo[level][parity], *hi = w->hi[level][parity];
    if (level == 0 && !w->job->plan->may_be_empty)
        hi = lo;
    return (layer){lo, hi, (ptrdiff_t)row_bytes(w->job->plan, level)};
}

/* Keeps layer z of the pixels for the next slab, which has its neighbour. */
static void keep_layer(worker *w, const place *p, size_t z)
{
    const rugi_dbc_plan *plan = w->job->plan;
    layer from = layer_at(w, p, z), to = kept_layer(w, 0, z & 1);
    if (from.lo == to.lo)
        return;
    for (size_t r = 0; r < p->n_rows; r++)
        memcpy(w->lo[0][z & 1] + (ptrdiff_t)r * to.step,
               from.lo + (ptrdiff_t)r * from.step, p->n_columns * plan->key_bytes);
}

/* ---- From level to level ---- */

/* Hands over layer z of the blocks of the highest level. */
static void store_blocks(const worker *w, const place *p, size_t z)
{
    const rugi_dbc_plan *plan = w->job->plan;
    const uint32_t top = RUGI_DBC_BLOCK_LEVEL;
    size_t n = at_level(p->n_columns, top), row = p->row >> top;
    rugi_dbc_block *to = w->job->blocks + (z * plan->blocks[1] + row) * plan->blocks[2] +
                         (p->column >> top);
    for (size_t i = 0; i < n; i++)
        to[i] = (rugi_dbc_block){rugi_dbc_key_at(w->lo[top][z & 1], plan->key_bytes, i),
                                 rugi_dbc_key_at(w->hi[top][z & 1], plan->key_bytes, i)};
}

/* What the edge cuts of a layer of blocks of a tile, as bits of classes. */
typedef struct cuts {
    unsigned layer, last_row, last_column;
} cuts;

static cuts cuts_of(const rugi_dbc_plan *plan, const place *p, uint32_t level, size_t z)
{
    size_t row = at_level(p->row + p->n_rows, level) - 1,
           column = at_level(p->column + p->n_columns, level) - 1;
    return (cuts){rugi_dbc_cut(plan, level, 0, z), rugi_dbc_cut(plan, level, 1, row),
                  rugi_dbc_cut(plan, level, 2, column)};
}

/* Moves the last block of a row that was counted to the class where it is cut besides.
 * @param keys   the row
 * @param tally  of the level, [class] */
static void move_last(const rugi_dbc_plan *plan, uint32_t level, rugi_dbc_row keys,
                      size_t last, unsigned class, unsigned cut, rugi_dbc_tally *tally)
{
    uint64_t least = rugi_dbc_key_at(keys.lo, plan->key_bytes, last),
             largest = rugi_dbc_key_at(keys.hi, plan->key_bytes, last);
    if (least > largest)
        return;
    uint64_t beyond =
        rugi_dbc_box(plan, level, largest) - rugi_dbc_box(plan, level, least);
    tally[class].blocks--;
    tally[class].beyond -= beyond;
    tally[class | cut].blocks++;
    tally[class | cut].beyond += beyond;
}

/* Joins layers a and b (NULL: there is no other) of a level to layer z of the next. */
static void join_layers(worker *w, const place *p, uint32_t level, const layer *a,
                        const layer *b, size_t z)
{
    const rugi_dbc_plan *plan = w->job->plan;
    size_t n_rows = at_level(p->n_rows, level), n = at_level(p->n_columns, level);
    size_t step = row_bytes(plan, level + 1), to = 0;
    rugi_dbc_step count = {plan, level + 1,
                           2 * (plan->shape[1] > 1 ? a->step : w->job->slab.stride[0]),
                           NULL};
    cuts cut = cuts_of(plan, p, level + 1, z);
    for (size_t r = 0; r < n_rows; r += 2, to += step) {
        rugi_dbc_row rows[4];
        int k = 0;
        for (size_t q = r; q < rugi_smaller(r + 2, n_rows); q++) {
            rows[k++] = (rugi_dbc_row){a->lo + (ptrdiff_t)q * a->step,
                                       a->hi + (ptrdiff_t)q * a->step};
            if (b != NULL)
                rows[k++] = (rugi_dbc_row){b->lo + (ptrdiff_t)q * b->step,
                                           b->hi + (ptrdiff_t)q * b->step};
        }
        if (k == 1)
            rows[k++] = rows[0];
        char *lo = w->lo[level + 1][z & 1] + to, *hi = w->hi[level + 1][z & 1] + to;
        unsigned class = cut.layer | (r + 2 >= n_rows ? cut.last_row : 0);
        count.tally = &w->tally.at[level + 1][class];
        w->kernels->join[plan->key_bytes](rows, k, n, lo, hi, &count);
        if (cut.last_column > 0)
            move_last(plan, level + 1, (rugi_dbc_row){lo, hi}, (n - 1) / 2, class,
                      cut.last_column, w->tally.at[level + 1]);
    }
}

/* Layer z of a level above the pixels has come: joins whatever it completes. */
static void rise(worker *w, const place *p, uint32_t level, size_t z)
{
    for (; level < RUGI_DBC_BLOCK_LEVEL; level++, z >>= 1) {
        int is_last = z + 1 == at_level(w->job->plan->shape[0], level);
        if (z % 2 == 0 && !is_last)
            return;
        layer even = kept_layer(w, level, 0), odd = kept_layer(w, level, 1);
        join_layers(w, p, level, &even, z % 2 > 0 ? &odd : NULL, z >> 1);
    }
    store_blocks(w, p, z);
}

/* Joins layers from .. to - 1 of a tile. Where they end within a block of layers, the next
 * call for this worker goes on with the same tile. */
static void add_layers(worker *w, size_t tile, size_t from, size_t to)
{
    place p = place_of(w->job->plan, tile);
    for (size_t z = from; z < to; z++) {
        int is_end = z + 1 == w->job->plan->shape[0];
        if (z % 2 == 0 && z + 1 == to && !is_end) {
            keep_layer(w, &p, z);
            return;
        }
        layer even = z % 2 > 0 ? kept_layer(w, 0, 0) : layer_at(w, &p, z), odd;
        int has_odd = z % 2 > 0 || !is_end;
        z += z % 2 == 0 && has_odd;
        if (has_odd)
            odd = layer_at(w, &p, z);
        join_layers(w, &p, 0, &even, has_odd ? &odd : NULL, z >> 1);
        rise(w, &p, 1, z >> 1);
    }
}

/* ---- Tiles to threads ---- */

/* What the engine keeps from slab to slab. Slabs that end within blocks of layers are thin:
 * then each tile has a worker of its own, which keeps what waits. Else each thread has one. */
typedef struct processor {
    rugi_dbc_kernels kernels;
    int is_thin;
    size_t n_workers;
    char *memory;
    worker workers[];
} processor;

static size_t tiles_of(const rugi_dbc_plan *plan)
{
    return plan->tiles[0] * plan->tiles[1];
}

static rug_status begin(rug_context *ctx, rugi_dbc_job *job)
{
    size_t n_layers = job->slab.shape[0], n_tiles = tiles_of(job->plan);
    int is_thin = n_layers < job->plan->shape[0] && n_layers % RUGI_DBC_BLOCK > 0;
    size_t n_tasks = ((n_layers - 1) / RUGI_DBC_BLOCK + 1) * n_tiles;
    size_t n = is_thin ? n_tiles : (size_t)rugi_loop_threads(ctx, n_tasks);
    size_t n_bytes = worker_bytes(job);
    processor *p = rug_context_allocate(ctx, 1, sizeof *p + n * sizeof p->workers[0],
                                        "workers of box counting");
    if (p == NULL)
        return RUG_E_NOMEM;
    memset(p, 0, sizeof *p);
    p->memory = rug_context_allocate(ctx, n, n_bytes, "layers of boxes");
    if (p->memory == NULL) {
        rug_context_release(ctx, p);
        return RUG_E_NOMEM;
    }
    rugi_dbc_set_kernels(&p->kernels, rug_context_cpu_level(ctx));
    p->is_thin = is_thin;
    p->n_workers = n;
    for (size_t t = 0; t < n; t++)
        init_worker(&p->workers[t], job, &p->kernels, p->memory + t * n_bytes);
    job->processor = p;
    return RUG_OK;
}

/* A task: a band of a tile, or all layers of it where slabs are thin. */
static void add_band(void *shared, size_t task, int thread)
{
    rugi_dbc_job *job = shared;
    processor *p = job->processor;
    size_t n_tiles = tiles_of(job->plan), tile = task % n_tiles;
    size_t end = job->first + job->slab.shape[0];
    size_t from = job->first + task / n_tiles * RUGI_DBC_BLOCK;
    size_t to = from + rugi_smaller(end - from, RUGI_DBC_BLOCK);
    worker *w = &p->workers[p->is_thin ? tile : (size_t)thread];
    add_layers(w, tile, from, p->is_thin ? end : to);
}

static void take_tallies(rugi_dbc_job *job, processor *p)
{
    for (size_t t = 0; t < p->n_workers; t++) {
        worker *w = &p->workers[t];
        rugi_dbc_add_tallies(&job->tally, &w->tally);
        job->seen.n_pixels += w->seen.n_pixels;
        job->seen.n_left_out += w->seen.n_left_out;
        memset(&w->tally, 0, sizeof w->tally);
        memset(&w->seen, 0, sizeof w->seen);
    }
}

rug_status rugi_dbc_cpu(rug_context *ctx, void *user)
{
    rugi_dbc_job *job = user;
    rug_status status = job->processor == NULL ? begin(ctx, job) : RUG_OK;
    if (status != RUG_OK)
        return status;
    processor *p = job->processor;
    size_t n_bands = p->is_thin ? 1 : (job->slab.shape[0] - 1) / RUGI_DBC_BLOCK + 1;
    status = rugi_parallel_for(ctx, n_bands * tiles_of(job->plan), add_band, job);
    if (status == RUG_OK)
        take_tallies(job, p);
    job->engine = p->kernels.name;
    return status;
}

void rugi_dbc_cpu_end(rug_context *ctx, rugi_dbc_job *job)
{
    processor *p = job->processor;
    if (p != NULL)
        rug_context_release(ctx, p->memory);
    rug_context_release(ctx, p);
    job->processor = NULL;
}
