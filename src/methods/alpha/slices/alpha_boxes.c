/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A range of alpha cut into slices, and the boxes of all slices, of every size.
 *
 * A box is the set of slices that have a pixel in it: a bit for each. The set of a box is
 * that of the four (in volumes eight) boxes of half its side joined, and how many boxes a
 * slice has is how many sets have its bit. Threads take tiles, 64 rows of an image or 16
 * x 16 rows of a volume high. A tile joins two rows of boxes as soon as both are there,
 * as a counter carries, so that a few rows of each size are all that is kept, and leaves
 * one row of its largest boxes. Those are few, and joined at the end. */

#include "alpha_boxes.h"
#include "alpha/map/alpha_plan.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "core/image/image_internal.h"
#include <math.h>
#include <string.h>

/* ---- Edges of slices ---- */

/* The least float that is not below x. */
static float float_from(double x)
{
    float f = (float)x;
    return (double)f < x ? nextafterf(f, INFINITY) : f;
}

static int whole(float t)
{
    return (int)t;
}

/* The arithmetic of kernels is monotone in alpha: no rounding turns the order of two
 * numbers. So a slice whose first and last float are found right is found right as a
 * whole. */
static int is_found(const rugi_alpha_cut *cut, uint32_t i)
{
    float first = cut->least[i], last = nextafterf(cut->least[i + 1], -INFINITY);
    if (!(first < cut->least[i + 1]))
        return 1; /* no float is in it */
    float a = (first - cut->least[0]) * cut->scale;
    float b = (last - cut->least[0]) * cut->scale;
    return isfinite(b) && whole(b - cut->slack) <= (int)i &&
           whole(a + cut->slack) >= (int)i && whole(b + cut->slack) <= (int)cut->n;
}

static int all_are_found(const rugi_alpha_cut *cut)
{
    int all = 1;
    for (uint32_t i = 0; i < cut->n && all; i++)
        all = is_found(cut, i);
    return all;
}

/* As little slack as will do: alphas within it of an edge are looked up. */
static void make_guess(rugi_alpha_cut *cut)
{
    cut->scale = (float)(cut->n / (cut->edge[cut->n] - cut->edge[0]));
    cut->slack = (float)cut->n * 0x1p-22F;
    while (isfinite(cut->scale) && !cut->has_guess && cut->slack < 0.125F) {
        cut->slack *= 2;
        cut->has_guess = all_are_found(cut);
    }
}

/* Cuts min..max, finite, into n slices; min may be max. */
static void make_cut(rugi_alpha_cut *cut, uint32_t n, double min, double max)
{
    memset(cut, 0, sizeof *cut);
    cut->n = n;
    for (uint32_t i = 0; i <= n; i++) {
        double edge = min + (max - min) * i / n;
        cut->edge[i] = i == n || edge > max ? max : edge;
        cut->least[i] = float_from(cut->edge[i]);
    }
    if ((double)cut->least[n] <= max)
        cut->least[n] = nextafterf(cut->least[n], INFINITY);
    make_guess(cut);
}

uint16_t rugi_alpha_cut_find(const rugi_alpha_cut *cut, float alpha)
{
    if (!(alpha >= cut->least[0] && alpha < cut->least[cut->n]))
        return RUGI_ALPHA_NO_SLICE;
    uint32_t from = 0, to = cut->n; /* least[from] <= alpha < least[to] */
    while (to - from > 1) {
        uint32_t middle = (from + to) / 2;
        if (alpha >= cut->least[middle])
            from = middle;
        else
            to = middle;
    }
    return (uint16_t)from;
}

/* ---- Counters of bits ---- */

static void add_plane(uint64_t total[64], const uint64_t plane[RUGI_ALPHA_LANES],
                      uint32_t bit)
{
    for (size_t lane = 0; lane < RUGI_ALPHA_LANES; lane++)
        for (uint32_t i = 0; i < 64; i++)
            total[i] += (plane[lane] >> i & 1) << bit;
}

void rugi_alpha_counter_empty(rugi_alpha_counter *counter)
{
    for (uint32_t p = 0; p < RUGI_ALPHA_COUNTER_BITS; p++) {
        int waits = p >= RUGI_ALPHA_GROUP_BITS &&
                    (counter->n_groups >> (p - RUGI_ALPHA_GROUP_BITS) & 1);
        add_plane(counter->total, counter->plane[p], p);
        if (waits)
            add_plane(counter->total, counter->carry[p], p);
    }
    memset(counter->plane, 0, sizeof counter->plane);
    counter->n_groups = 0;
}

/* ---- Tiles ---- */

/* Columns of a tile with 64 slices; with more they are fewer, so that rows of all sizes
 * stay in the second-level cache. */
#define COLUMNS     4096
#define MIN_COLUMNS 512

/* log2 of the rows of a tile along each axis. */
#define LEVELS_2D  6
#define LEVELS_3D  4
#define MAX_LEVELS LEVELS_2D

/* What all threads share. */
typedef struct work {
    const rugi_alpha_boxes *job;
    int levels;      /* T: a tile leaves boxes of side 2^T */
    size_t n_words;  /* sets of 64 slices that a box has */
    size_t columns;  /* of a tile */
    size_t tiles[3]; /* along each axis */
    size_t top_row;  /* sets of a row of the boxes that tiles leave */
    uint64_t *top;   /* [tiles[0]][tiles[1]][n_words][top_row] */
    struct worker *workers;
} work;

/* A thread. */
typedef struct worker {
    RUGI_OWN_LINES const work *work;
    size_t x, nx;                    /* of the tile at hand */
    uint64_t n_outside, n_undefined; /* of the mask; NaN or infinite */
    rugi_alpha_counter *counters;    /* [levels][n_words] */
    uint16_t *slices[2];             /* two rows of pixels */
    const uint16_t *no_slices;       /* a row outside of the map */
    uint64_t *rows[MAX_LEVELS][2];   /* [level]: two rows of boxes of that level,
                                               [n_words][columns >> level]; from 1 on */
    const uint64_t *no_sets;         /* a row of them */
    void *scratch;
    float *alpha; /* a row that can be changed */
} worker;

static size_t ceil_div(size_t n, size_t d)
{
    return (n - 1) / d + 1;
}

/* Columns of a tile are a multiple of this, so that each row has pairs of the widest
 * vectors. */
static size_t granule_of(int levels)
{
    return (size_t)(2 * RUGI_ALPHA_LANES) << (levels - 1);
}

static void make_work(work *w, const rugi_alpha_boxes *job)
{
    memset(w, 0, sizeof *w);
    w->job = job;
    w->levels = job->box_axes == 3 ? LEVELS_3D : LEVELS_2D;
    w->n_words = ceil_div(job->cut.n, 64);
    size_t granule = granule_of(w->levels), side = (size_t)1 << w->levels;
    size_t columns = ceil_div(job->map.shape[2], granule) * granule;
    size_t most = COLUMNS / w->n_words / MIN_COLUMNS * MIN_COLUMNS;
    w->columns = rugi_smaller(columns, rugi_larger(most, MIN_COLUMNS));
    w->tiles[0] = job->box_axes == 3 ? ceil_div(job->map.shape[0], side) : 1;
    w->tiles[1] = ceil_div(job->map.shape[1], side);
    w->tiles[2] = ceil_div(job->map.shape[2], w->columns);
    /* At the end rows are halved again: by pairs of vectors. */
    w->top_row = w->tiles[2] * (w->columns >> w->levels);
    w->top_row = ceil_div(w->top_row, 2 * RUGI_ALPHA_LANES) * 2 * RUGI_ALPHA_LANES;
}

/* Where a part begins; NULL where only its place is asked for. */
static void *part_of(char *memory, size_t at)
{
    return memory != NULL ? memory + at : NULL;
}

/* Bytes of a worker, and its parts where they begin. */
static size_t place_worker(const work *w, worker *k, char *memory)
{
    size_t n_counters = (size_t)w->levels * w->n_words, n = 0;
    worker unused;
    k = k != NULL ? k : &unused;
    k->counters = part_of(memory, n);
    n += n_counters * sizeof *k->counters;
    for (int level = 1; level < w->levels; level++)
        for (int i = 0; i < 2; i++) {
            k->rows[level][i] = part_of(memory, n);
            n += w->n_words * (w->columns >> level) * sizeof(uint64_t);
        }
    k->no_sets = part_of(memory, n);
    n += w->columns / 2 * sizeof(uint64_t);
    k->scratch = part_of(memory, n);
    n += w->columns * sizeof(uint64_t);
    k->alpha = part_of(memory, n);
    n += w->columns * sizeof *k->alpha;
    for (int i = 0; i < 2; i++, n += w->columns * sizeof(uint16_t))
        k->slices[i] = part_of(memory, n);
    k->no_slices = part_of(memory, n);
    return n + w->columns * sizeof(uint16_t);
}

static void begin_worker(const work *w, worker *k, char *memory)
{
    memset(k, 0, sizeof *k);
    size_t n = place_worker(w, k, memory);
    memset(memory, 0, n);
    k->work = w;
    size_t n_none = w->columns * sizeof *k->no_slices;
    memset(memory + n - n_none, 0xFF, n_none); /* k->no_slices lies last */
}

/* The slices of a row of pixels. */
static const uint16_t *find_row(worker *k, size_t z, size_t y, uint16_t *to)
{
    const rugi_alpha_boxes *job = k->work->job;
    const size_t at[3] = {z, y, k->x};
    const float *alpha = rugi_image_segment(&job->map, at, k->nx, k->alpha);
    const float *next = alpha;
    size_t n_outside = 0;
    /* Tiles end before the processor sees that the next row will be wanted. */
    if (alpha != k->alpha && y + 1 < job->map.shape[1])
        next = (const void *)((const char *)alpha + job->map.stride[1]);
    if (job->mask.data != NULL) {
        if (alpha != k->alpha)
            memcpy(k->alpha, alpha, k->nx * sizeof *alpha);
        const void *mask = rugi_image_segment(&job->mask, at, k->nx, k->scratch);
        n_outside = rugi_alpha_drop_outside(k->alpha, mask,
                                            rugi_segment_dtype(job->mask.dtype), k->nx);
        alpha = k->alpha;
    }
    size_t n_undefined = job->kernels->find(to, alpha, next, k->nx, &job->cut);
    k->n_undefined += n_undefined - n_outside;
    k->n_outside += n_outside;
    memset(to + k->nx, 0xFF, (k->work->columns - k->nx) * sizeof *to);
    return to;
}

/* Rows of boxes of one size: [n_words] of them, `step` sets apart. */
typedef struct sets {
    uint64_t *at;
    size_t step;
} sets;

static void join_pixels(worker *k, sets to, size_t z, size_t y)
{
    const work *w = k->work;
    const size_t *shape = w->job->map.shape;
    size_t n_slices = w->job->box_axes == 3 && z + 1 < shape[0] ? 2 : 1;
    for (size_t dz = 0; dz < n_slices; dz++) {
        const uint16_t *a = find_row(k, z + dz, y, k->slices[0]);
        const uint16_t *b =
            y + 1 < shape[1] ? find_row(k, z + dz, y + 1, k->slices[1]) : k->no_slices;
        for (size_t i = 0; i < w->n_words; i++)
            w->job->kernels->pixels(to.at + i * to.step, a, b, w->columns,
                                    (uint32_t)i * 64, dz > 0, &k->counters[i]);
    }
}

/* A row of boxes of side 2^level from pixel (z, y) on, which is inside. */
static void join(worker *k, int level, sets to, size_t z, size_t y)
{
    if (level == 1) {
        join_pixels(k, to, z, y);
        return;
    }
    const work *w = k->work;
    const size_t *shape = w->job->map.shape, half = (size_t)1 << (level - 1);
    size_t n = w->columns >> (level - 1);
    size_t n_slices = w->job->box_axes == 3 && z + half < shape[0] ? 2 : 1;
    for (size_t dz = 0; dz < n_slices; dz++) {
        sets a = {k->rows[level - 1][0], n}, b = {k->rows[level - 1][1], n};
        int has_b = y + half < shape[1];
        join(k, level - 1, a, z + dz * half, y);
        if (has_b)
            join(k, level - 1, b, z + dz * half, y + half);
        for (size_t i = 0; i < w->n_words; i++)
            w->job->kernels->boxes(to.at + i * to.step, a.at + i * n,
                                   has_b ? b.at + i * n : k->no_sets, n, dz > 0,
                                   &k->counters[(size_t)(level - 1) * w->n_words + i]);
    }
}

static void count_tile(void *shared, size_t task, int thread)
{
    const work *w = shared;
    worker *k = &w->workers[thread];
    size_t tx = task % w->tiles[2], ty = task / w->tiles[2] % w->tiles[1];
    size_t tz = task / w->tiles[2] / w->tiles[1], left = w->job->map.shape[2];
    k->x = tx * w->columns;
    left -= k->x;
    k->nx = rugi_smaller(left, w->columns);
    sets to = {w->top + (tz * w->tiles[1] + ty) * w->n_words * w->top_row, w->top_row};
    to.at += tx * (w->columns >> w->levels);
    join(k, w->levels, to, tz << w->levels, ty << w->levels);
}

/* Adds what counters found to slices. */
static void take_counts(const work *w, rugi_alpha_counter *counters, uint32_t level)
{
    for (size_t i = 0; i < w->job->cut.n && level < w->job->n_sizes; i++)
        w->job->slices[i].boxes[level] += counters[i / 64].total[i % 64];
}

static void end_worker(const work *w, const worker *k, rugi_alpha_boxes *job)
{
    job->n_pixels -= k->n_outside;
    job->n_undefined += k->n_undefined;
    for (int level = 0; level < w->levels; level++) {
        rugi_alpha_counter *counters = k->counters + (size_t)level * w->n_words;
        for (size_t i = 0; i < w->n_words; i++)
            rugi_alpha_counter_empty(&counters[i]);
        take_counts(w, counters, (uint32_t)level);
    }
}

/* Joining what tiles left. */
typedef struct top {
    size_t n[3];    /* boxes along z and y, and sets of a row */
    uint64_t *sets; /* a row */
    const uint64_t *no_sets;
    rugi_alpha_counter *counters; /* [n_words] */
} top;

/* Word i of the boxes of a row of boxes twice as long. */
static void join_row(const work *w, top *t, size_t z, size_t y, size_t i)
{
    size_t side = w->job->box_axes == 3 ? 2 : 1, step = w->n_words * w->top_row;
    size_t n = ceil_div(t->n[2], 2 * RUGI_ALPHA_LANES) * 2 * RUGI_ALPHA_LANES;
    for (size_t dz = 0; dz < side && z * side + dz < t->n[0]; dz++) {
        const uint64_t *a =
            w->top + ((z * side + dz) * t->n[1] + 2 * y) * step + i * w->top_row;
        const uint64_t *b = 2 * y + 1 < t->n[1] ? a + step : t->no_sets;
        w->job->kernels->boxes(t->sets, a, b, n, dz > 0, &t->counters[i]);
    }
    /* In place: what is written is never in front of what is still to be read. */
    uint64_t *to = w->top + (z * ceil_div(t->n[1], 2) + y) * step + i * w->top_row;
    memcpy(to, t->sets, n / 2 * sizeof *to);
    memset(to + n / 2, 0, (w->top_row - n / 2) * sizeof *to);
}

static void join_level(const work *w, top *t)
{
    size_t nz = ceil_div(t->n[0], w->job->box_axes == 3 ? 2 : 1);
    size_t ny = ceil_div(t->n[1], 2);
    for (size_t z = 0; z < nz; z++)
        for (size_t y = 0; y < ny; y++)
            for (size_t i = 0; i < w->n_words; i++)
                join_row(w, t, z, y, i);
    t->n[0] = nz;
    t->n[1] = ny;
    t->n[2] = ceil_div(t->n[2], 2);
}

static rug_status join_tiles(rug_context *ctx, const work *w)
{
    size_t n_bytes = w->n_words * sizeof(rugi_alpha_counter);
    char *memory = rug_context_allocate(
        ctx, 1, n_bytes + 2 * w->top_row * sizeof(uint64_t), "large boxes of slices");
    if (memory == NULL)
        return RUG_E_NOMEM;
    memset(memory, 0, n_bytes + 2 * w->top_row * sizeof(uint64_t));
    uint64_t *rows = (void *)(memory + n_bytes);
    top t = {{w->tiles[0], w->tiles[1], w->tiles[2] * (w->columns >> w->levels)},
             rows,
             rows + w->top_row,
             (void *)memory};
    for (uint32_t level = (uint32_t)w->levels; level < w->job->n_sizes; level++) {
        memset(t.counters, 0, n_bytes);
        join_level(w, &t);
        for (size_t i = 0; i < w->n_words; i++)
            rugi_alpha_counter_empty(&t.counters[i]);
        take_counts(w, t.counters, level);
    }
    rug_context_release(ctx, memory);
    return RUG_OK;
}

static rug_status count_tiles(rug_context *ctx, work *w, rugi_alpha_boxes *job)
{
    size_t n_tasks = w->tiles[0] * w->tiles[1] * w->tiles[2];
    size_t n_workers = (size_t)rugi_loop_threads(ctx, n_tasks);
    size_t n_bytes = (place_worker(w, NULL, NULL) + RUGI_ALIGNMENT - 1) / RUGI_ALIGNMENT *
                     RUGI_ALIGNMENT;
    rug_status status = RUG_E_NOMEM;
    char *memory = rug_context_allocate(ctx, n_workers, n_bytes, "rows of slices");
    w->workers =
        rug_context_allocate(ctx, n_workers, sizeof *w->workers, "workers of slices");
    if (memory == NULL || w->workers == NULL)
        goto done;
    for (size_t i = 0; i < n_workers; i++)
        begin_worker(w, &w->workers[i], memory + i * n_bytes);
    status = rugi_parallel_for(ctx, n_tasks, count_tile, w);
    for (size_t i = 0; i < n_workers && status == RUG_OK; i++)
        end_worker(w, &w->workers[i], job);
done:
    rug_context_release(ctx, w->workers);
    rug_context_release(ctx, memory);
    return status;
}

/* Nanoseconds of work for each pixel. */
#define PIXEL_WORK 0.5

rug_status rugi_alpha_count_boxes(rug_context *ctx, rugi_alpha_boxes *job, uint32_t n,
                                  double min, double max)
{
    work w;
    make_cut(&job->cut, n, min, max);
    make_work(&w, job);
    job->n_pixels = rug_image_pixels(&job->map);
    job->n_undefined = 0;
    size_t n_rows = w.tiles[0] * w.tiles[1] * w.n_words;
    w.top =
        rug_context_allocate(ctx, n_rows, w.top_row * sizeof *w.top, "boxes of slices");
    if (w.top == NULL)
        return RUG_E_NOMEM;
    memset(w.top, 0, n_rows * w.top_row * sizeof *w.top);
    rug_status status = RUG_OK;
    RUGI_WORK(ctx, PIXEL_WORK * (double)job->n_pixels, status, count_tiles(ctx, &w, job));
    if (status == RUG_OK)
        status = join_tiles(ctx, &w);
    rug_context_release(ctx, w.top);
    return status;
}
