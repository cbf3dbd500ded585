/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Whole images of few levels: whether one is, its rows as bytes, the parallel loop, slabs
 * of images that are not in memory, and what becomes of the counters: pairs by their levels
 * in each of the four directions.
 *
 * Pixels a b above c e, d apart: 0 degrees are pairs a b, 45 c b, 90 c a (or e b) and
 * 135 e a. */

#include "glcm_whole.h"
#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "core/image/image_internal.h"
#include <string.h>

#define MAX_SPAN 256
#define CORNERS  4 /* directions of an image */

/* Counters from one table to the next: 65536, and some more so that counters of the same
 * key are not a multiple of 4096 bytes apart, when they would share a few lines of the
 * first-level cache (5.1 against 10.3 ms for the pairs of 2048x2048 pixels). */
#define TUPLES ((size_t)65536 + 1088)

/* Tables of tuples. */
#define TURNS 4

/* What a distance is counted in, one per thread. */
struct rugi_glcm_whole_counts {
    RUGI_OWN_LINES uint32_t *tuple; /* [TURNS][TUPLES] by the corners */
    uint32_t *pair[CORNERS];        /* pairs by themselves, first level 256 + second */
    uint16_t *keys;                 /* [4][nx + SLACK] of a row */
    uint8_t *ring;                  /* [distance + 1][nx + SLACK] rows as bytes */
    size_t *row_of;                 /* [distance + 1] that lies there, + 1 */
    rugi_glcm_scratch tuple_scratch, keys_scratch, ring_scratch, row_scratch;
};

typedef struct rugi_glcm_whole_counts counts;

/* ---- Rows of bytes ---- */

enum { DIRECTION_0, DIRECTION_45, DIRECTION_90, DIRECTION_135 };

/* In turns: an addition to a counter that has just been stored has to wait for it, which
 * flat parts of images would do all the time. */
static void count_tuples(uint32_t *tuple, const uint16_t *key, size_t n)
{
    uint32_t *t1 = tuple + TUPLES, *t2 = t1 + TUPLES, *t3 = t2 + TUPLES;
    size_t x = 0;
    for (; x + 3 < n; x += 4) {
        tuple[key[x]]++;
        t1[key[x + 1]]++;
        t2[key[x + 2]]++;
        t3[key[x + 3]]++;
    }
    for (; x < n; x++)
        tuple[key[x]]++;
}

static void count_two(uint32_t *tuple, const uint16_t *key, uint32_t *pair,
                      const uint16_t *key_of_pair, size_t n)
{
    uint32_t *other = tuple + TUPLES;
    size_t x = 0;
    for (; x + 1 < n; x += 2) {
        tuple[key[x]]++;
        pair[key_of_pair[x]]++;
        other[key[x + 1]]++;
        pair[key_of_pair[x + 1]]++;
    }
    for (; x < n; x++) {
        tuple[key[x]]++;
        pair[key_of_pair[x]]++;
    }
}

/* A few pairs, of levels. */
static void count_pairs(const rugi_glcm_whole *w, uint32_t *pair, const uint8_t *from,
                        const uint8_t *to, size_t n)
{
    for (size_t x = 0; x < n; x++)
        pair[(from[x] - w->base) << 8 | (to[x] - w->base)]++;
}

static void tuples_row(const rugi_glcm_whole *w, counts *c, const uint8_t *top,
                       const uint8_t *bottom, size_t nx)
{
    const rugi_glcm_bytes_kernels *kernels = w->plan->kernels.bytes;
    size_t d = w->distance, n = nx - d;
    uint16_t *key = c->keys, *other = key + nx + RUGI_GLCM_SLACK;
    if (bottom == NULL) {
        count_pairs(w, c->pair[DIRECTION_0], top, top + d, n);
    } else if (w->span <= 16) {
        kernels->corners(key, top, bottom, n, d, (uint8_t)w->base);
        count_tuples(c->tuple, key, n);
        count_pairs(w, c->pair[DIRECTION_90], bottom + n, top + n, d);
    } else {
        kernels->triples(key, other, top, bottom, n, d, (uint8_t)w->base);
        count_two(c->tuple, key, c->pair[DIRECTION_45], other, n);
        count_pairs(w, c->pair[DIRECTION_90], bottom, top, d);
    }
}

/* All directions in turns, so that four other counters lie between two of the same
 * matrix. */
static void pairs_row(const rugi_glcm_whole *w, counts *c, const uint8_t *top,
                      const uint8_t *bottom, size_t nx)
{
    const rugi_glcm_bytes_kernels *kernels = w->plan->kernels.bytes;
    size_t d = w->distance, n = nx - d, pitch = nx + RUGI_GLCM_SLACK;
    int sorted = w->plan->is_symmetric;
    uint16_t *key[CORNERS];
    for (size_t k = 0; k < CORNERS; k++)
        key[k] = c->keys + k * pitch;
    kernels->pairs(key[0], top, top + d, n, sorted);
    if (bottom == NULL) {
        for (size_t x = 0; x < n; x++)
            c->pair[0][key[0][x]]++;
        return;
    }
    kernels->pairs(key[1], bottom, top + d, n, sorted);
    kernels->pairs(key[2], bottom, top, nx, sorted);
    kernels->pairs(key[3], bottom + d, top, n, sorted);
    uint32_t *p0 = c->pair[0], *p1 = c->pair[1], *p2 = c->pair[2], *p3 = c->pair[3];
    const uint16_t *k0 = key[0], *k1 = key[1], *k2 = key[2], *k3 = key[3];
    for (size_t x = 0; x < n; x++) {
        p0[k0[x]]++;
        p1[k1[x]]++;
        p2[k2[x]]++;
        p3[k3[x]]++;
    }
    for (size_t x = n; x < nx; x++)
        p2[k2[x]]++;
}

static void count_row(const rugi_glcm_whole *w, counts *c, const uint8_t *top,
                      const uint8_t *bottom)
{
    if (w->span <= 32)
        tuples_row(w, c, top, bottom, w->plan->image.shape[2]);
    else
        pairs_row(w, c, top, bottom, w->plan->image.shape[2]);
}

static inline void add(const rugi_glcm_whole *w, uint32_t direction, uint32_t from,
                       uint32_t to, uint32_t n)
{
    if (n > 0)
        w->square[(direction * (size_t)w->span + from) * w->span + to] += n;
}

static void add_pairs(const rugi_glcm_whole *w, const counts *c)
{
    uint32_t base = w->span > 32 ? w->base : 0;
    for (uint32_t k = 0; k < CORNERS; k++)
        for (uint32_t i = 0; i < w->span; i++)
            for (uint32_t j = 0; j < w->span; j++)
                add(w, k, i, j, c->pair[k][(i + base) << 8 | (j + base)]);
}

static inline uint32_t sum_of_turns(const uint32_t *tuple, size_t key)
{
    uint32_t n = 0;
    for (size_t i = 0; i < TURNS; i++)
        n += tuple[i * TUPLES + key];
    return n;
}

static void add_corners(const rugi_glcm_whole *w, const uint32_t *tuple)
{
    for (uint32_t key = 0; key < 1 << 16; key++) {
        uint32_t n = sum_of_turns(tuple, key);
        uint32_t a = key >> 12, b = key >> 8 & 15, c = key >> 4 & 15, e = key & 15;
        if (n == 0)
            continue;
        add(w, DIRECTION_0, a, b, n);
        add(w, DIRECTION_45, c, b, n);
        add(w, DIRECTION_90, c, a, n);
        add(w, DIRECTION_135, e, a, n);
    }
}

static void add_triples(const rugi_glcm_whole *w, const uint32_t *tuple)
{
    for (uint32_t key = 0; key < 1 << 15; key++) {
        uint32_t n = sum_of_turns(tuple, key);
        uint32_t a = key >> 10, b = key >> 5 & 31, e = key & 31;
        if (n == 0)
            continue;
        add(w, DIRECTION_0, a, b, n);
        add(w, DIRECTION_90, e, b, n);
        add(w, DIRECTION_135, e, a, n);
    }
}

static void add_counts(const rugi_glcm_whole *w, const counts *c)
{
    add_pairs(w, c);
    if (w->span <= 16)
        add_corners(w, c->tuple);
    else if (w->span <= 32)
        add_triples(w, c->tuple);
}

/* ---- The image ---- */

/* Rows of a task. */
#define BAND ((size_t)64)

/* Distances at most: rows that are kept. */
#define MAX_DISTANCE 64

/* The least and the largest value, by each thread. */
typedef struct extremes {
    uint32_t of[2];
    rug_dtype dtype;
    const rugi_glcm_bytes_kernels *kernels;
    char apart[64]; /* from the next thread's cache line */
} extremes;

static void widen(void *state, const void *pixels, size_t n)
{
    extremes *e = state;
    if (e->dtype == RUG_U8)
        e->kernels->extremes8(e->of, pixels, n);
    else
        e->kernels->extremes16(e->of, pixels, n);
}

static rug_status widen_by_slab(rug_context *ctx, void *extremes_of_threads,
                                const rug_image *slab, const rug_image *mask,
                                size_t first)
{
    (void)mask;
    (void)first;
    return rugi_image_for_segments(ctx, slab, NULL, widen, extremes_of_threads,
                                   sizeof(extremes));
}

static rug_status find_extremes(rug_context *ctx, uint32_t out[2],
                                const rugi_glcm_plan *plan)
{
    size_t n = (size_t)rug_context_threads(ctx);
    extremes *e = rug_context_allocate(ctx, n, sizeof *e, "ranges of threads");
    if (e == NULL)
        return RUG_E_NOMEM;
    for (size_t i = 0; i < n; i++)
        e[i] = (extremes){{UINT32_MAX, 0}, plan->image.dtype, plan->kernels.bytes, {0}};
    rug_status status =
        rugi_glcm_is_streamed(plan)
            ? rugi_glcm_for_slabs(ctx, plan, 0, RUGI_GLCM_RANGE_SHARE, widen_by_slab, e)
            : widen_by_slab(ctx, e, &plan->image, NULL, 0);
    out[0] = UINT32_MAX, out[1] = 0;
    for (size_t i = 0; i < n; i++) {
        out[0] = e[i].of[0] < out[0] ? e[i].of[0] : out[0];
        out[1] = e[i].of[1] > out[1] ? e[i].of[1] : out[1];
    }
    rug_context_release(ctx, e);
    return status;
}

/* Every pixel is in a pair of direction 0, which is counted whether or not it is
 * wanted. */
static int is_whole(const rugi_glcm_plan *plan)
{
    const rug_image *image = &plan->image;
    uint32_t most = plan->distance[plan->n_distances - 1];
    return plan->regions == NULL && plan->offset == NULL && !plan->with_mask &&
           plan->ndim == 2 && !plan->is_frame &&
           (image->dtype == RUG_U8 || image->dtype == RUG_U16) && most <= MAX_DISTANCE &&
           2 * (size_t)most <= image->shape[2] && most < image->shape[1] &&
           rug_image_pixels(image) <= UINT32_MAX;
}

/* Values that are clamped or left out would have to be counted. */
static int are_inside(const rugi_glcm_plan *plan, const uint32_t ends[2])
{
    int is_kept = (int64_t)ends[0] >= plan->keep_least && ends[1] <= plan->keep_most;
    return (double)ends[0] >= plan->clamp_lo && (double)ends[1] <= plan->clamp_hi &&
           (is_kept || !plan->is_resegmented);
}

/* The level of every value that occurs. */
static rug_status make_bytes(rug_context *ctx, rugi_glcm_whole *w,
                             const rugi_glcm_binning *binning, const uint32_t ends[2])
{
    size_t n = (size_t)UINT16_MAX + 1;
    w->byte_of = rugi_glcm_grow(ctx, &w->byte_scratch, n, 1, "the levels of values");
    if (w->byte_of == NULL)
        return RUG_E_NOMEM;
    memset(w->byte_of, 0, n);
    for (uint32_t v = ends[0]; v <= ends[1]; v++) {
        uint16_t level;
        int64_t value = v;
        rugi_glcm_bin(&level, binning, &value, 1);
        w->byte_of[v] = (uint8_t)level;
    }
    return RUG_OK;
}

static void describe(rugi_glcm_region *r, const rugi_glcm_plan *plan,
                     const uint32_t ends[2])
{
    const size_t *shape = plan->image.shape;
    uint64_t n = rug_image_pixels(&plan->image);
    r->label = 0;
    for (int a = 0; a < 3; a++) {
        r->first[a] = 0;
        r->shape[a] = shape[a];
    }
    r->tile = (rugi_glcm_tile){.nz = 1, .ny = shape[1], .nx = shape[2], .area = n};
    r->values = (rugi_glcm_values){
        .n = n, .least = ends[0], .most = ends[1], .lo = ends[0], .hi = ends[1]};
}

static rug_status get_memory(rug_context *ctx, rugi_glcm_whole *w)
{
    size_t n = CORNERS * (size_t)w->span * w->span;
    n *= rugi_glcm_is_streamed(w->plan) ? w->plan->n_distances : 1;
    w->squares =
        rugi_glcm_grow(ctx, &w->square_scratch, n, sizeof *w->squares, "pairs of levels");
    if (w->squares != NULL)
        memset(w->squares, 0, n * sizeof *w->squares);
    w->n_counts = (size_t)rug_context_threads(ctx);
    w->counts =
        rugi_allocate_zeros(ctx, w->n_counts, sizeof *w->counts, "counters of pairs");
    return w->squares != NULL && w->counts != NULL ? RUG_OK : RUG_E_NOMEM;
}

static rug_status make_counts(rug_context *ctx, const rugi_glcm_whole *w, counts *c)
{
    static const char what[] = "counters of pairs";
    size_t n_pairs = CORNERS * TUPLES;
    size_t n_tuples = w->span <= 32 ? TURNS * TUPLES : 0;
    size_t pitch = w->plan->image.shape[2] + RUGI_GLCM_SLACK;
    size_t n_rows = (size_t)w->distance + 1;
    uint32_t *counter =
        rugi_glcm_grow(ctx, &c->tuple_scratch, n_pairs + n_tuples, sizeof *counter, what);
    c->keys = rugi_glcm_grow(ctx, &c->keys_scratch, 4 * pitch, sizeof *c->keys, what);
    c->ring = rugi_glcm_grow(ctx, &c->ring_scratch, n_rows * pitch, 1, what);
    c->row_of = rugi_glcm_grow(ctx, &c->row_scratch, n_rows, sizeof *c->row_of, what);
    if (counter == NULL || c->keys == NULL || c->ring == NULL || c->row_of == NULL)
        return RUG_E_NOMEM;
    memset(counter, 0, (n_pairs + n_tuples) * sizeof *counter);
    memset(c->row_of, 0, n_rows * sizeof *c->row_of);
    for (size_t k = 0; k < CORNERS; k++)
        c->pair[k] = counter + k * TUPLES;
    c->tuple = counter + n_pairs;
    return RUG_OK;
}

/* Row y of an image as levels. */
static void make_row(uint8_t *row, const rugi_glcm_whole *w, const rug_image *image,
                     size_t y)
{
    uint16_t scratch[512];
    size_t nx = image->shape[2];
    for (size_t x = 0; x < nx; x += 512) {
        size_t n = nx - x < 512 ? nx - x : 512;
        const void *pixels =
            rugi_image_segment(image, (const size_t[]){0, y, x}, n, scratch);
        const uint8_t *bytes = pixels;
        const uint16_t *words = pixels;
        for (size_t i = 0; i < n; i++)
            row[x + i] = w->byte_of[image->dtype == RUG_U8 ? bytes[i] : words[i]];
    }
}

/* Row y as bytes: where it lies, or in the ring, where it stays until it is d rows
 * back. */
static const uint8_t *row_at(const rugi_glcm_whole *w, counts *c, size_t y)
{
    if (w->is_plain)
        return rugi_image_row(&w->rows, 0, y);
    size_t slot = y % ((size_t)w->distance + 1);
    uint8_t *row = c->ring + slot * (w->rows.shape[2] + RUGI_GLCM_SLACK);
    if (c->row_of[slot] != y + 1)
        make_row(row, w, &w->rows, y);
    c->row_of[slot] = y + 1;
    return row;
}

static void band_task(void *shared, size_t task, int thread)
{
    const rugi_glcm_whole *w = shared;
    counts *c = &w->counts[thread];
    size_t ny = w->rows.shape[1], first = w->first_row + task * BAND;
    size_t end = rugi_smaller(first + BAND, w->end_row);
    for (size_t y = first; y < end; y++) {
        size_t below = y + w->distance;
        const uint8_t *top = row_at(w, c, y);
        count_row(w, c, top, below < ny ? row_at(w, c, below) : NULL);
    }
}

/* Counts the pairs of rows first .. end - 1 with those below them, by all threads. */
static rug_status count_rows(rug_context *ctx, rugi_glcm_whole *w, uint32_t distance,
                             size_t first, size_t end)
{
    if (first == end)
        return RUG_OK;
    size_t n_tasks = (end - first - 1) / BAND + 1;
    int n_threads = rugi_loop_threads(ctx, n_tasks);
    rug_status status = RUG_OK;
    w->distance = distance;
    w->first_row = first;
    w->end_row = end;
    for (int t = 0; t < n_threads && status == RUG_OK; t++)
        status = make_counts(ctx, w, &w->counts[t]);
    if (status == RUG_OK)
        status = rugi_parallel_for(ctx, n_tasks, band_task, w);
    for (int t = 0; t < n_threads && status == RUG_OK; t++)
        add_counts(w, &w->counts[t]);
    return status;
}

/* ---- Slabs ---- */

static uint32_t *square_of(const rugi_glcm_whole *w, size_t distance)
{
    return w->squares + distance * CORNERS * w->span * w->span;
}

static void keep_task(void *shared, size_t task, int thread)
{
    const rugi_glcm_whole *w = shared;
    (void)thread;
    make_row(w->kept + (w->n_kept + task) * w->slab->shape[2], w, w->slab, task);
}

/* The rows of a slab follow those that are kept. The first slab is the longest. */
static rug_status keep_rows(rug_context *ctx, rugi_glcm_whole *w, const rug_image *slab)
{
    const rugi_glcm_plan *plan = w->plan;
    size_t most = plan->distance[plan->n_distances - 1], nx = slab->shape[2];
    w->slab = slab;
    w->n_new = slab->shape[1];
    if (w->kept == NULL)
        w->kept = rugi_glcm_grow(ctx, &w->kept_scratch, most + w->n_new, nx,
                                 "levels of a slab");
    if (w->kept == NULL)
        return RUG_E_NOMEM;
    rug_status status = rugi_parallel_for(ctx, w->n_new, keep_task, w);
    w->n_kept += w->n_new;
    w->rows = (rug_image){.data = w->kept,
                          .dtype = RUG_U8,
                          .ndim = 3,
                          .shape = {1, w->n_kept, nx},
                          .stride = {(ptrdiff_t)(w->n_kept * nx), (ptrdiff_t)nx, 1}};
    return status;
}

/* Counts all pairs whose lower row has come; at the end of the image also rows that have
 * none below. Then the rows that are needed no more go. */
static rug_status take_slab(rug_context *ctx, void *user, const rug_image *given,
                            const rug_image *mask, size_t first)
{
    rugi_glcm_whole *w = user;
    const rugi_glcm_plan *plan = w->plan;
    rug_image slab = rugi_image_with_z(given);
    size_t most = plan->distance[plan->n_distances - 1], nx = slab.shape[2];
    int is_last = first + slab.shape[1] == plan->image.shape[1];
    size_t n_before = w->n_kept;
    (void)mask;
    rug_status status = keep_rows(ctx, w, &slab);
    w->is_plain = 1;
    for (uint32_t d = 0; d < plan->n_distances && status == RUG_OK; d++) {
        size_t distance = plan->distance[d];
        size_t from = n_before > distance ? n_before - distance : 0;
        size_t end = is_last                ? w->n_kept
                     : w->n_kept > distance ? w->n_kept - distance
                                            : 0;
        w->square = square_of(w, d);
        status = count_rows(ctx, w, plan->distance[d], from, end);
    }
    w->is_plain = 0;
    size_t n = rugi_smaller(w->n_kept, most);
    memmove(w->kept, w->kept + (w->n_kept - n) * nx, n * nx);
    w->n_kept = n;
    return status;
}

static rug_status count_slabs(rug_context *ctx, rugi_glcm_whole *w)
{
    return rugi_glcm_for_slabs(ctx, w->plan, RUGI_GLCM_RANGE_SHARE, RUGI_GLCM_SLABS_SHARE,
                               take_slab, w);
}

rug_status rugi_glcm_whole_new(rug_context *ctx, rugi_glcm_whole *w, rugi_glcm_region *r,
                               const rugi_glcm_plan *plan)
{
    uint32_t ends[2];
    if (!is_whole(plan))
        return RUG_OK;
    rug_status status = find_extremes(ctx, ends, plan);
    int exact = rugi_glcm_is_exact(plan);
    if (status != RUG_OK || !are_inside(plan, ends) ||
        (exact && ends[1] - ends[0] >= MAX_SPAN))
        return status;
    describe(r, plan, ends);
    status = rugi_glcm_binning_new(ctx, &r->binning, plan, &r->values, 0, NULL);
    if (status != RUG_OK || r->binning.span > MAX_SPAN)
        return status;
    w->plan = plan;
    w->span = r->tile.span = r->binning.span;
    w->rows = plan->image;
    w->is_plain = exact && plan->image.dtype == RUG_U8 && plan->image.stride[2] == 1 &&
                  !rugi_glcm_is_streamed(plan);
    w->base = w->is_plain ? ends[0] : 0;
    r->whole = w;
    status = get_memory(ctx, w);
    if (status == RUG_OK && !w->is_plain)
        status = make_bytes(ctx, w, &r->binning, ends);
    return status == RUG_OK && rugi_glcm_is_streamed(plan) ? count_slabs(ctx, w) : status;
}

/* The levels that occur; the marginals are made of the squares. */
static rug_status rank(rug_context *ctx, const rugi_glcm_whole *w, rugi_glcm_region *r)
{
    size_t span = w->span, n = span + RUGI_GLCM_SLACK;
    uint16_t *level_of = rugi_glcm_grow(ctx, &r->level_of_scratch, n, sizeof *level_of,
                                        "the levels of an image");
    uint32_t *count = rugi_glcm_grow(ctx, &r->count_scratch, n, sizeof *count,
                                     "the levels of an image");
    if (level_of == NULL || count == NULL)
        return RUG_E_NOMEM;
    memset(count, 0, n * sizeof *count);
    memset(level_of, 0, n * sizeof *level_of);
    r->n_levels = 0;
    for (size_t k = 0; k < span; k++) {
        uint32_t occurs = 0;
        for (size_t i = 0; i < span; i++)
            occurs |= w->square[k * span + i] | w->square[i * span + k];
        if (occurs)
            level_of[r->n_levels++] = (uint16_t)k;
    }
    r->tile.n_ranks = r->n_levels;
    r->tile.level_of = level_of;
    r->tile.count = count;
    return RUG_OK;
}

rug_status rugi_glcm_whole_count(rug_context *ctx, rugi_glcm_whole *w,
                                 rugi_glcm_region *r, uint32_t distance)
{
    rug_status status = RUG_OK;
    if (rugi_glcm_is_streamed(w->plan)) {
        size_t d = 0;
        while (w->plan->distance[d] != distance)
            d++;
        w->square = square_of(w, d);
    } else {
        w->square = w->squares;
        memset(w->square, 0, CORNERS * (size_t)w->span * w->span * sizeof *w->square);
        status = count_rows(ctx, w, distance, 0, w->rows.shape[1]);
    }
    return status == RUG_OK ? rank(ctx, w, r) : status;
}

static void free_counts(rug_context *ctx, counts *c)
{
    rugi_glcm_scratch_free(ctx, &c->tuple_scratch);
    rugi_glcm_scratch_free(ctx, &c->keys_scratch);
    rugi_glcm_scratch_free(ctx, &c->ring_scratch);
    rugi_glcm_scratch_free(ctx, &c->row_scratch);
}

void rugi_glcm_whole_free(rug_context *ctx, rugi_glcm_whole *w)
{
    for (size_t t = 0; t < w->n_counts && w->counts != NULL; t++)
        free_counts(ctx, &w->counts[t]);
    rug_context_release(ctx, w->counts);
    rugi_glcm_scratch_free(ctx, &w->square_scratch);
    rugi_glcm_scratch_free(ctx, &w->byte_scratch);
    rugi_glcm_scratch_free(ctx, &w->kept_scratch);
}
