/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A region cut out: its memory, and the ranks of its levels. */

#include "glcm_region.h"
#include "core/context/threads.h"
#include <math.h>
#include <string.h>

/* Pixels of a bounding box that are never too many, and those allowed per pixel of the
 * region. */
#define SMALL_BOX 1024
#define SCATTERED 16

/* Words of a mask between two looks for cancellation. */
#define LOOK_WORDS ((size_t)1 << 14)

/* Whether a bounding box is so empty that its pixels are better listed one by one. */
static int is_scattered(const rugi_glcm_tile *t, const rug_region *region)
{
    rugi_glcm_u128 box = (rugi_glcm_u128)t->nz * t->ny * (64 * t->n_words);
    return region != NULL && box > SMALL_BOX + SCATTERED * (rugi_glcm_u128)region->area;
}

/* Memory for a list of pixels, which is empty. */
static rug_status make_pixel_list(rug_context *ctx, rugi_glcm_region *r, uint64_t area)
{
    static const char what[] = "the pixels of a region";
    size_t n = (size_t)area;
    r->pixel_row =
        rugi_glcm_grow(ctx, &r->pixel_row_scratch, n, sizeof *r->pixel_row, what);
    r->pixel_x = rugi_glcm_grow(ctx, &r->pixel_x_scratch, n, sizeof *r->pixel_x, what);
    r->is_inside = rugi_glcm_grow(ctx, &r->mask_scratch, n, sizeof *r->is_inside, what);
    r->level = rugi_glcm_grow(ctx, &r->level_scratch, n, sizeof *r->level, what);
    r->tile.pixel_row = r->pixel_row;
    r->tile.pixel_x = r->pixel_x;
    r->tile.level = r->level;
    return r->pixel_row != NULL && r->pixel_x != NULL && r->is_inside != NULL &&
                   r->level != NULL
               ? RUG_OK
               : RUG_E_NOMEM;
}

/* Memory for the shape of the tile; the mask is empty. */
static rug_status make_tile(rug_context *ctx, rugi_glcm_region *r)
{
    rugi_glcm_tile *t = &r->tile;
    size_t n_words = t->nz * t->ny * t->n_words;
    size_t n_pixels = 64 * n_words + 2 * RUGI_GLCM_MARGIN;
    r->mask = rugi_glcm_grow(ctx, &r->mask_scratch, n_words, sizeof *r->mask,
                             "the mask of a region");
    uint16_t *level = rugi_glcm_grow(ctx, &r->level_scratch, n_pixels, sizeof *level,
                                     "the levels of a region");
    if (r->mask == NULL || level == NULL)
        return RUG_E_NOMEM;
    r->level = level + RUGI_GLCM_MARGIN;
    t->mask = r->mask;
    t->level = r->level;
    rug_status status = rugi_glcm_clear(ctx, r->mask, n_words * sizeof *r->mask);
    return status == RUG_OK ? rugi_glcm_clear(ctx, level, n_pixels * sizeof *level)
                            : status;
}

static void set_shape(rugi_glcm_region *r, const rugi_glcm_plan *plan,
                      const rug_region *region)
{
    const size_t *shape = region != NULL ? region->shape : plan->image.shape;
    r->label = region != NULL ? region->label : 0;
    r->whole = NULL;
    for (int a = 0; a < 3; a++) {
        r->first[a] = region != NULL ? region->first[a] : 0;
        r->shape[a] = shape[a];
    }
    r->tile = (rugi_glcm_tile){.nz = shape[0],
                               .ny = shape[1],
                               .nx = shape[2],
                               .n_words = (shape[2] - 1) / 64 + 1};
}

/* How many pixels a tile keeps levels and ranks of. */
static size_t kept_pixels(const rugi_glcm_tile *t)
{
    return t->pixel_row != NULL ? t->n_pixels : 64 * t->n_words * t->nz * t->ny;
}

/* Adds a level that occurs in n pixels; levels come in ascending order of k. */
static void add_level(rugi_glcm_region *r, uint32_t k, uint32_t n)
{
    uint32_t rank = r->tile.n_ranks++;
    ((uint16_t *)r->rank_of_scratch.data)[k] = (uint16_t)rank;
    ((uint16_t *)r->level_of_scratch.data)[rank] = (uint16_t)k;
    ((uint32_t *)r->count_scratch.data)[rank] = n;
    r->n_levels += n > 0;
    r->n_most = n > r->n_most ? n : r->n_most;
}

/* By the histogram of all levels. `background` is no level outside of frames. */
static void find_levels(rugi_glcm_region *r, uint32_t background)
{
    const uint32_t *histogram = r->histogram;
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

/* By sorting the levels of all pixels: for few pixels, whose levels fit in the
 * histogram's memory. */
static void find_sorted_levels(rugi_glcm_region *r, uint32_t background, int is_frame)
{
    uint16_t *all = (uint16_t *)(void *)r->histogram, *other = all + UINT16_MAX + 1;
    size_t n = 0, n_words = r->tile.nz * r->tile.ny * r->tile.n_words;
    if (r->tile.pixel_row != NULL) {
        n = r->tile.n_pixels;
        n_words = 0;
        memcpy(all, r->level, n * sizeof *all);
    }
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
    uint16_t *rank_of = rugi_glcm_grow(ctx, &r->rank_of_scratch, n, sizeof *rank_of,
                                       "the ranks of levels");
    uint16_t *level_of = rugi_glcm_grow(ctx, &r->level_of_scratch, n, sizeof *level_of,
                                        "the levels of a region");
    uint32_t *count = rugi_glcm_grow(ctx, &r->count_scratch, n, sizeof *count,
                                     "the levels of a region");
    if (rank_of == NULL || level_of == NULL || count == NULL)
        return RUG_E_NOMEM;
    uint32_t background =
        plan->is_frame ? (uint32_t)(0 - r->binning.true_base) : UINT32_MAX;
    r->n_most = r->n_levels = 0;
    if (rugi_glcm_is_sparse(r))
        find_sorted_levels(r, background, plan->is_frame);
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
static rug_status rank_pixels(rug_context *ctx, rugi_glcm_region *r)
{
    rugi_glcm_tile *t = &r->tile;
    t->rank = t->level;
    if (t->n_ranks == t->span)
        return RUG_OK;
    size_t n_pixels = kept_pixels(t), n = n_pixels + 2 * RUGI_GLCM_MARGIN;
    const uint16_t *rank_of = r->rank_of_scratch.data;
    uint16_t *rank =
        rugi_glcm_grow(ctx, &r->rank_scratch, n, sizeof *rank, "the ranks of pixels");
    if (rank == NULL)
        return RUG_E_NOMEM;
    memset(rank, 0, RUGI_GLCM_MARGIN * sizeof *rank);
    memset(rank + n_pixels + RUGI_GLCM_MARGIN, 0, RUGI_GLCM_MARGIN * sizeof *rank);
    rank += RUGI_GLCM_MARGIN;
    t->rank = rank;
    for (size_t i = 0; i < n_pixels && t->pixel_row != NULL; i++)
        rank[i] = rank_of[t->level[i]];
    if (t->pixel_row != NULL)
        return RUG_OK;
    size_t n_words = n_pixels / 64;
    rug_status status = rugi_glcm_clear(ctx, rank, n_pixels * sizeof *rank);
    for (size_t i = 0; i < n_words && status == RUG_OK; i++) {
        for (uint64_t bits = t->mask[i]; bits != 0; bits &= bits - 1) {
            size_t at = 64 * i + (size_t)__builtin_ctzll(bits);
            rank[at] = rank_of[t->level[at]];
        }
        if (i % LOOK_WORDS == LOOK_WORDS - 1)
            status = rugi_look(ctx);
    }
    return status;
}

rug_status rugi_glcm_cut(rug_context *ctx, rugi_glcm_region *r,
                         const rugi_glcm_plan *plan, size_t i)
{
    size_t at = rugi_glcm_region_at(plan, i);
    const rug_region *region = rug_regions_at(plan->regions, at);
    set_shape(r, plan, region);
    rug_status status = is_scattered(&r->tile, region)
                            ? make_pixel_list(ctx, r, region->area)
                            : make_tile(ctx, r);
    if (status == RUG_OK)
        status = rugi_glcm_scan(ctx, r, plan, at);
    if (status == RUG_OK)
        status = rank_levels(ctx, r, plan);
    return status == RUG_OK ? rank_pixels(ctx, r) : status;
}

void rugi_glcm_region_free(rug_context *ctx, rugi_glcm_region *r)
{
    rugi_glcm_scratch *all[] = {
        &r->mask_scratch,    &r->rank_scratch,      &r->level_scratch,
        &r->scanner_scratch, &r->pixel_row_scratch, &r->pixel_x_scratch,
        &r->rank_of_scratch, &r->level_of_scratch,  &r->count_scratch};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        rugi_glcm_scratch_free(ctx, all[i]);
}
