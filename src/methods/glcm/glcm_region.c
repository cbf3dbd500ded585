/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Cuts a region out: its mask, a bit for each cell, its levels and their ranks. */

#include "glcm_region.h"
#include "image_internal.h"
#include <math.h>
#include <string.h>

void *rugi_glcm_room(rug_context *ctx, rugi_glcm_block *block, size_t n, size_t size,
                     const char *what)
{
    if (block->data != NULL && n <= block->n_bytes / size)
        return block->data;
    rugi_glcm_block_free(ctx, block);
    block->data = rug_context_allocate(ctx, n, size, what);
    block->n_bytes = block->data != NULL ? n * size : 0;
    return block->data;
}

void rugi_glcm_block_free(rug_context *ctx, rugi_glcm_block *block)
{
    rug_context_release(ctx, block->data);
    *block = (rugi_glcm_block){0};
}

#define LEVELS_PER_CELL 16

/* Cells of a segment, in the forms that cutting needs. */
typedef struct scratch {
    uint64_t loaded[RUGI_SEGMENT_CELLS];
    uint64_t gathered[RUGI_SEGMENT_CELLS];
    uint8_t inside[RUGI_SEGMENT_CELLS];
} scratch;

/* Cells of one row that follow one another. */
typedef struct stretch {
    size_t at[3]; /* of the image */
    size_t n;     /* at most RUGI_SEGMENT_CELLS */
    size_t row;   /* of the tile */
    size_t x;
} stretch;

typedef void (*stretch_fn)(rugi_glcm_region *r, const rugi_glcm_plan *plan, scratch *s,
                           stretch cells);

static const void *load(const rugi_glcm_plan *plan, scratch *s, const stretch *c)
{
    const void *cells = rugi_image_segment(&plan->image, c->at, c->n, s->gathered);
    rugi_glcm_load(s->loaded, cells, c->n, rugi_segment_dtype(plan->image.dtype),
                   rugi_glcm_is_exact(plan));
    return s->loaded;
}

/* Which cells the mask lets in. */
static void find_inside(const rugi_glcm_plan *plan, scratch *s, const stretch *c)
{
    memset(s->inside, 1, c->n);
    if (plan->mask.data == NULL)
        return;
    const void *cells = rugi_image_segment(&plan->mask, c->at, c->n, s->gathered);
    rugi_glcm_load(s->loaded, cells, c->n, rugi_segment_dtype(plan->mask.dtype), 0);
    const double *v = (const double *)(const void *)s->loaded;
    for (size_t i = 0; i < c->n; i++)
        s->inside[i] = v[i] < 0 || v[i] > 0;
}

static void look(rugi_glcm_region *r, const rugi_glcm_plan *plan, scratch *s, stretch c)
{
    find_inside(plan, s, &c);
    rugi_glcm_look(&r->values, plan, load(plan, s, &c), s->inside, c.n);
    uint64_t *mask = r->mask + c.row * r->tile.n_words;
    for (size_t i = 0; i < c.n; i++)
        mask[(c.x + i) / 64] |= (uint64_t)s->inside[i] << (c.x + i) % 64;
}

/* Whether sorting the levels of the cells is faster than looking at all that there can be. */
static int is_sparse(const rugi_glcm_region *r)
{
    return r->values.n * LEVELS_PER_CELL < r->binning.span;
}

static void bin(rugi_glcm_region *r, const rugi_glcm_plan *plan, scratch *s, stretch c)
{
    uint16_t *level = r->level + c.row * r->tile.n_words * 64 + c.x;
    const uint64_t *mask = r->mask + c.row * r->tile.n_words;
    uint32_t *histogram = r->histogram_block.data;
    rugi_glcm_bin(level, &r->binning, load(plan, s, &c), c.n);
    for (size_t i = 0; i < c.n && !is_sparse(r); i++)
        if (mask[(c.x + i) / 64] >> (c.x + i) % 64 & 1)
            histogram[level[i]]++;
}

static void for_run(rugi_glcm_region *r, const rugi_glcm_plan *plan, scratch *s,
                    const size_t first[3], const size_t at[3], size_t n, stretch_fn fn)
{
    size_t row = (at[0] - first[0]) * r->tile.ny + at[1] - first[1];
    for (size_t i = 0; i < n; i += RUGI_SEGMENT_CELLS) {
        size_t left = n - i;
        stretch c = {{at[0], at[1], at[2] + i},
                     left < RUGI_SEGMENT_CELLS ? left : RUGI_SEGMENT_CELLS,
                     row,
                     at[2] - first[2] + i};
        fn(r, plan, s, c);
    }
}

/* Shows all cells of the region, or of the image, to a function. */
static void for_cells(rugi_glcm_region *r, const rugi_glcm_plan *plan,
                      const rug_regions *regions, size_t region, stretch_fn fn)
{
    static const size_t origin[3] = {0, 0, 0};
    scratch *s = r->scratch_block.data;
    if (regions == NULL) {
        for (size_t z = 0; z < r->tile.nz; z++)
            for (size_t y = 0; y < r->tile.ny; y++) {
                const size_t at[3] = {z, y, 0};
                for_run(r, plan, s, origin, at, r->tile.nx, fn);
            }
        return;
    }
    size_t n;
    const size_t *first = rug_regions_at(regions, region)->first;
    const rug_region_run *run = rug_regions_runs(regions, region, &n);
    for (const rug_region_run *end = run + n; run < end; run++) {
        const size_t at[3] = {run->z, run->y, run->x};
        for_run(r, plan, s, first, at, run->n, fn);
    }
}

/* Memory for the shape of the tile; the mask is empty. */
static rug_status make_room(rug_context *ctx, rugi_glcm_region *r)
{
    rugi_glcm_tile *t = &r->tile;
    size_t n_words = t->nz * t->ny * t->n_words;
    size_t n_cells = 64 * n_words + 2 * RUGI_GLCM_MARGIN;
    r->mask = rugi_glcm_room(ctx, &r->mask_block, n_words, sizeof *r->mask,
                             "the mask of a region");
    uint16_t *level = rugi_glcm_room(ctx, &r->level_block, n_cells, sizeof *level,
                                     "the levels of a region");
    void *s =
        rugi_glcm_room(ctx, &r->scratch_block, 1, sizeof(scratch), "cells of a region");
    if (r->mask == NULL || level == NULL || s == NULL)
        return RUG_E_NOMEM;
    memset(r->mask, 0, n_words * sizeof *r->mask);
    memset(level, 0, n_cells * sizeof *level);
    r->level = level + RUGI_GLCM_MARGIN;
    t->mask = r->mask;
    t->level = r->level;
    return RUG_OK;
}

static void set_shape(rugi_glcm_region *r, const rugi_glcm_plan *plan,
                      const rug_region *region)
{
    const size_t *shape = region != NULL ? region->shape : plan->image.shape;
    r->label = region != NULL ? region->label : 0;
    r->tile = (rugi_glcm_tile){.nz = shape[0],
                               .ny = shape[1],
                               .nx = shape[2],
                               .n_words = (shape[2] - 1) / 64 + 1};
}

/* One level more, which occurs in n cells; levels come by rising k. */
static void add_level(rugi_glcm_region *r, uint32_t k, uint32_t n)
{
    uint32_t rank = r->tile.n_ranks++;
    ((uint16_t *)r->rank_of_block.data)[k] = (uint16_t)rank;
    ((uint16_t *)r->level_of_block.data)[rank] = (uint16_t)k;
    ((uint32_t *)r->count_block.data)[rank] = n;
    r->n_levels += n > 0;
    r->n_most = n > r->n_most ? n : r->n_most;
}

/* By the histogram of all levels. `background` is no level outside of frames. */
static void find_levels(rugi_glcm_region *r, uint32_t background)
{
    const uint32_t *histogram = r->histogram_block.data;
    for (uint32_t k = 0; k < r->binning.span; k++)
        if (histogram[k] > 0 || k == background)
            add_level(r, k, histogram[k]);
}

/* Sorts by one digit of 8 bits, stably. */
static void sort_by_byte(uint16_t *to, const uint16_t *from, size_t n, unsigned shift)
{
    size_t place[257] = {0};
    for (size_t i = 0; i < n; i++)
        place[(from[i] >> shift & 255) + 1]++;
    for (size_t k = 0; k < 256; k++)
        place[k + 1] += place[k];
    for (size_t i = 0; i < n; i++)
        to[place[from[i] >> shift & 255]++] = from[i];
}

static void sort_levels(uint16_t *level, uint16_t *other, size_t n)
{
    if (n > 64) {
        sort_by_byte(other, level, n, 0);
        sort_by_byte(level, other, n, 8);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        uint16_t v = level[i];
        size_t k = i;
        for (; k > 0 && level[k - 1] > v; k--)
            level[k] = level[k - 1];
        level[k] = v;
    }
}

/* By the levels of all cells, sorted: of a region of few cells, which has room for them where
 * the histogram would be. */
static void find_few_levels(rugi_glcm_region *r, uint32_t background, int is_frame)
{
    uint16_t *all = r->histogram_block.data, *other = all + UINT16_MAX + 1;
    size_t n = 0, n_words = r->tile.nz * r->tile.ny * r->tile.n_words;
    for (size_t i = 0; i < n_words; i++)
        for (uint64_t bits = r->mask[i]; bits != 0; bits &= bits - 1)
            all[n++] = r->level[64 * i + (size_t)__builtin_ctzll(bits)];
    sort_levels(all, other, n);
    int is_missing = is_frame;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && all[end] == all[i];)
            end++;
        if (is_missing && all[i] > background)
            add_level(r, background, 0);
        is_missing = is_missing && all[i] < background;
        add_level(r, all[i], (uint32_t)(end - i));
    }
    if (is_missing)
        add_level(r, background, 0);
}

/* Numbers the levels that occur. In a frame the background's level is among them. */
static rug_status rank_levels(rug_context *ctx, rugi_glcm_region *r,
                              const rugi_glcm_plan *plan)
{
    uint32_t span = r->binning.span;
    size_t n = (size_t)span + RUGI_GLCM_SLACK;
    uint16_t *rank_of =
        rugi_glcm_room(ctx, &r->rank_of_block, n, sizeof *rank_of, "the ranks of levels");
    uint16_t *level_of = rugi_glcm_room(ctx, &r->level_of_block, n, sizeof *level_of,
                                        "the levels of a region");
    uint32_t *count =
        rugi_glcm_room(ctx, &r->count_block, n, sizeof *count, "the levels of a region");
    if (rank_of == NULL || level_of == NULL || count == NULL)
        return RUG_E_NOMEM;
    uint32_t background =
        plan->is_frame ? (uint32_t)(0 - r->binning.true_base) : UINT32_MAX;
    r->n_most = r->n_levels = 0;
    if (is_sparse(r))
        find_few_levels(r, background, plan->is_frame);
    else
        find_levels(r, background);
    r->background = plan->is_frame ? rank_of[background] : 0;
    memset(level_of + r->tile.n_ranks, 0, RUGI_GLCM_SLACK * sizeof *level_of);
    memset(count + r->tile.n_ranks, 0, RUGI_GLCM_SLACK * sizeof *count);
    r->tile.span = span;
    r->tile.level_of = level_of;
    r->tile.count = count;
    r->tile.area = r->values.n;
    return RUG_OK;
}

/* Where every level occurs, levels are their own ranks. */
static rug_status rank_cells(rug_context *ctx, rugi_glcm_region *r)
{
    rugi_glcm_tile *t = &r->tile;
    t->rank = t->level;
    if (t->n_ranks == t->span)
        return RUG_OK;
    size_t n_cells = 64 * t->n_words * t->nz * t->ny, n = n_cells + 2 * RUGI_GLCM_MARGIN;
    const uint16_t *rank_of = r->rank_of_block.data;
    uint16_t *rank =
        rugi_glcm_room(ctx, &r->rank_block, n, sizeof *rank, "the ranks of cells");
    if (rank == NULL)
        return RUG_E_NOMEM;
    memset(rank, 0, RUGI_GLCM_MARGIN * sizeof *rank);
    memset(rank + n_cells + RUGI_GLCM_MARGIN, 0, RUGI_GLCM_MARGIN * sizeof *rank);
    rank += RUGI_GLCM_MARGIN;
    size_t n_words = n_cells / 64;
    memset(rank, 0, n_cells * sizeof *rank);
    for (size_t i = 0; i < n_words; i++)
        for (uint64_t bits = t->mask[i]; bits != 0; bits &= bits - 1) {
            size_t at = 64 * i + (size_t)__builtin_ctzll(bits);
            rank[at] = rank_of[t->level[at]];
        }
    t->rank = rank;
    return RUG_OK;
}

rug_status rugi_glcm_cut(rug_context *ctx, rugi_glcm_region *r,
                         const rugi_glcm_plan *plan, const rug_regions *regions, size_t i)
{
    set_shape(r, plan, rug_regions_at(regions, i));
    r->values = (rugi_glcm_values){.is_float = !rugi_glcm_is_exact(plan),
                                   .least = INT64_MAX,
                                   .most = INT64_MIN,
                                   .lo = INFINITY,
                                   .hi = -INFINITY};
    rug_status status = make_room(ctx, r);
    if (status != RUG_OK)
        return status;
    for_cells(r, plan, regions, i, look);
    status = rugi_glcm_binning_new(ctx, &r->binning, plan, &r->values, r->label);
    if (status != RUG_OK)
        return status;
    size_t span = r->binning.span;
    void *histogram = rugi_glcm_room(ctx, &r->histogram_block, (size_t)UINT16_MAX + 1,
                                     sizeof(uint32_t), "the levels of a region");
    if (histogram == NULL)
        return RUG_E_NOMEM;
    if (!is_sparse(r))
        memset(histogram, 0, span * sizeof(uint32_t));
    if (r->values.n > 0)
        for_cells(r, plan, regions, i, bin);
    status = rank_levels(ctx, r, plan);
    return status == RUG_OK ? rank_cells(ctx, r) : status;
}

void rugi_glcm_region_free(rug_context *ctx, rugi_glcm_region *r)
{
    rugi_glcm_block *all[] = {&r->mask_block,      &r->rank_block,    &r->level_block,
                              &r->histogram_block, &r->rank_of_block, &r->level_of_block,
                              &r->count_block,     &r->scratch_block};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        rugi_glcm_block_free(ctx, all[i]);
}

rugi_glcm_tile rugi_glcm_slice(const rugi_glcm_tile *tile, size_t z, uint32_t *count)
{
    rugi_glcm_tile t = *tile;
    size_t first = z * t.ny * t.n_words;
    t.nz = 1;
    t.mask += first;
    t.rank += 64 * first;
    t.level += 64 * first;
    t.count = count;
    t.area = 0;
    memset(count, 0, ((size_t)t.n_ranks + RUGI_GLCM_SLACK) * sizeof *count);
    for (size_t i = 0; i < t.ny * t.n_words; i++)
        for (uint64_t bits = t.mask[i]; bits != 0; bits &= bits - 1, t.area++)
            count[t.rank[64 * i + (size_t)__builtin_ctzll(bits)]]++;
    return t;
}
