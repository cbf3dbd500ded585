/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Lists of the pairs of a region, one block of rows after the other, and the number of
 * pairs of a frame that are not listed. */

#include "core/context/small.h"
#include "core/context/threads.h"
#include "glcm_count.h"

/* ---- Numbers of pairs ---- */

uint64_t rugi_glcm_most_pairs(const rugi_glcm_matrix *m)
{
    return m->tile->area * m->n_offsets * (m->plan->is_frame ? 2 : 1);
}

/* Pairs of background alone, at most: so that all sums fit 128 bits. */
#define MAX_BULK ((uint64_t)1 << 44)

/* All pairs at an offset in the box that is `reach` wider than the region on each
 * side. */
static rugi_glcm_u128 pairs_of_box(const rugi_glcm_matrix *m, const int offset[3])
{
    rugi_glcm_u128 n = 1;
    for (int a = 0; a < 3; a++) {
        size_t side = (m->tile->nz == 1 && a == 0 ? 1 : m->box[a]) +
                      (a >= 3 - m->frame_axes ? 2 * (size_t)m->reach : 0);
        size_t step = (size_t)(offset[a] < 0 ? -offset[a] : offset[a]);
        n *= side > step ? side - step : 0;
    }
    return n;
}

rug_status rugi_glcm_find_bulk(rug_context *ctx, rugi_glcm_bulk *out,
                               const rugi_glcm_matrix *m, uint64_t listed)
{
    rugi_glcm_u128 n = 0;
    *out = (rugi_glcm_bulk){0};
    if (!m->plan->is_frame)
        return RUG_OK;
    for (uint32_t k = 0; k < m->n_offsets; k++)
        n += pairs_of_box(m, m->offset[k]);
    n -= listed;
    if (n > MAX_BULK)
        return rug_context_fail(ctx, RUG_E_UNSUPPORTED,
                                "co-occurrence: a frame with more than %llu pairs; use "
                                "pairs INSIDE",
                                (unsigned long long)MAX_BULK);
    *out = (rugi_glcm_bulk){.n = (uint64_t)n,
                            .level = m->tile->level_of[m->background],
                            .rank = m->background};
    return RUG_OK;
}

/* ---- Scattered pixels ----
 *
 * Labels in no order have tiles that are empty but for a few pixels, so that many of them
 * would cost the image times their number. Pixels in the order of z, y, x keep it when
 * they move by an offset, so partners are found like equal numbers in two sorted
 * lists. */

/* Whether pixel i is before the place, at it (0), or behind. */
static int compare(const rugi_glcm_tile *t, size_t i, int64_t row, int64_t x)
{
    if (t->pixel_row[i] != row)
        return t->pixel_row[i] < row ? -1 : 1;
    return t->pixel_x[i] < x ? -1 : t->pixel_x[i] > x;
}

/* The first pixel that is not before the place. */
static size_t find(const rugi_glcm_tile *t, int64_t row, int64_t x)
{
    size_t lo = 0, hi = t->n_pixels;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (compare(t, middle, row, x) < 0)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

static uint32_t make_key(rugi_glcm_keys keys, uint32_t a, uint32_t b, uint32_t n_ranks)
{
    uint32_t lo = a < b ? a : b, hi = a < b ? b : a;
    switch (keys) {
    case RUGI_GLCM_TRIANGLE: return hi * (hi + 1) / 2 + lo;
    case RUGI_GLCM_SQUARE: return a * n_ranks + b;
    case RUGI_GLCM_SORTED: return hi << 16 | lo;
    default: return a << 16 | b;
    }
}

static void add_pair(rugi_glcm_lists *out, const rugi_glcm_tile *t,
                     const rugi_glcm_wanted *w, size_t i, size_t j)
{
    size_t n = out->n_pairs++;
    uint16_t a = t->level[i], b = t->level[j];
    out->key[n] = make_key(w->keys, t->rank[i], t->rank[j], t->n_ranks);
    if (!w->with_levels)
        return;
    out->difference[n] = (uint16_t)(a > b ? a - b : b - a);
    out->sum[n] = (uint16_t)(a + b);
}

static void list_pixels(rugi_glcm_lists *out, const rugi_glcm_tile *t,
                        const rugi_glcm_wanted *w)
{
    int64_t stride = (int64_t)t->ny + RUGI_GLCM_ROW_GAP, x = w->offset[2];
    int64_t row = w->offset[0] * stride + w->offset[1];
    size_t first = w->first_row;
    if (first >= w->end_row)
        return;
    size_t next = find(t, t->pixel_row[first] + row, t->pixel_x[first] + x);
    size_t last = find(t, t->pixel_row[first] - row, t->pixel_x[first] - x);
    for (size_t i = first; i < w->end_row; i++) {
        int64_t at_row = t->pixel_row[i], at_x = t->pixel_x[i];
        while (next < t->n_pixels && compare(t, next, at_row + row, at_x + x) < 0)
            next++;
        while (last < t->n_pixels && compare(t, last, at_row - row, at_x - x) < 0)
            last++;
        if (next < t->n_pixels && compare(t, next, at_row + row, at_x + x) == 0)
            add_pair(out, t, w, i, next);
        else if (w->with_borders)
            out->no_next[out->n_no_next++] = t->rank[i];
        if (w->with_borders &&
            !(last < t->n_pixels && compare(t, last, at_row - row, at_x - x) == 0))
            out->no_last[out->n_no_last++] = t->rank[i];
    }
}

/* Lists pairs by a kernel, or those of scattered pixels, whose rows are single pixels. */
static void list_pairs(rugi_glcm_lists *out, const rugi_glcm_matrix *m,
                       const rugi_glcm_wanted *wanted)
{
    if (m->tile->pixel_row != NULL)
        list_pixels(out, m->tile, wanted);
    else
        m->plan->kernels.list(out, m->tile, wanted);
}

/* How many rows there are to be listed. */
static size_t list_rows(const rugi_glcm_tile *t)
{
    return t->pixel_row != NULL ? t->n_pixels : t->nz * t->ny;
}

/* ---- Lists ---- */

/* Pixels of a block of rows. */
#define BLOCK_PIXELS ((size_t)1 << 14)

/* Empties the lists, with memory for the pairs of so many pixels. */
static rug_status begin_lists(rug_context *ctx, rugi_glcm_counting *c, size_t n_pixels)
{
    static const char what[] = "pairs of pixels";
    size_t n = n_pixels + RUGI_GLCM_SLACK;
    rugi_glcm_lists *l = &c->lists;
    l->key = rugi_glcm_grow(ctx, &c->key_scratch, n, sizeof *l->key, what);
    l->difference =
        rugi_glcm_grow(ctx, &c->difference_scratch, n, sizeof *l->difference, what);
    l->sum = rugi_glcm_grow(ctx, &c->sum_scratch, n, sizeof *l->sum, what);
    l->no_next = rugi_glcm_grow(ctx, &c->next_scratch, n, sizeof *l->no_next, what);
    l->no_last = rugi_glcm_grow(ctx, &c->last_scratch, n, sizeof *l->no_last, what);
    l->n_pairs = l->n_no_next = l->n_no_last = 0;
    if (l->key == NULL || l->difference == NULL || l->sum == NULL || l->no_next == NULL ||
        l->no_last == NULL)
        return RUG_E_NOMEM;
    return RUG_OK;
}

rug_status rugi_glcm_list_all(rug_context *ctx, rugi_glcm_counting *c,
                              const rugi_glcm_matrix *m, rugi_glcm_keys keys,
                              int with_levels)
{
    rug_status status = begin_lists(ctx, c, (size_t)rugi_glcm_most_pairs(m));
    for (uint32_t k = 0; k < m->n_offsets && status == RUG_OK; k++) {
        const int *o = m->offset[k];
        rugi_glcm_wanted wanted = {.offset = {o[0], o[1], o[2]},
                                   .end_row = list_rows(m->tile),
                                   .keys = keys,
                                   .with_levels = with_levels,
                                   .with_borders = 1};
        list_pairs(&c->lists, m, &wanted);
    }
    return status;
}

/* Blocks of rows of all offsets, dealt out to threads. */
typedef struct listing {
    rugi_glcm_counting *c;
    size_t n_threads;
    const rugi_glcm_matrix *m;
    rugi_glcm_keys keys;
    int with_borders;
    rugi_glcm_lists_fn fn;
    size_t rows_of_block, blocks_of_offset;
} listing;

static void list_block(const listing *l, rugi_glcm_counting *c, size_t block)
{
    const rugi_glcm_tile *t = l->m->tile;
    const int *o = l->m->offset[block / l->blocks_of_offset];
    size_t row = block % l->blocks_of_offset * l->rows_of_block;
    size_t left = list_rows(t) - row;
    rugi_glcm_wanted wanted = {.offset = {o[0], o[1], o[2]},
                               .first_row = row,
                               .end_row = row + rugi_smaller(left, l->rows_of_block),
                               .keys = l->keys,
                               .with_borders = l->with_borders};
    c->lists.n_pairs = c->lists.n_no_next = c->lists.n_no_last = 0;
    list_pairs(&c->lists, l->m, &wanted);
    l->fn(c, l->m);
    c->pairs += c->lists.n_pairs;
}

/* The share of one thread, whichever does it: always the same blocks. */
static void list_task(void *shared, size_t task, int thread)
{
    const listing *l = shared;
    size_t n = l->blocks_of_offset * l->m->n_offsets;
    (void)thread;
    size_t end = n * (task + 1) / l->n_threads;
    for (size_t i = n * task / l->n_threads; i < end && !rugi_must_stop(); i++)
        list_block(l, &l->c[task], i);
}

rug_status rugi_glcm_for_lists(rug_context *ctx, rugi_glcm_counting *c, size_t n_threads,
                               const rugi_glcm_matrix *m, rugi_glcm_keys keys,
                               int with_borders, rugi_glcm_lists_fn fn)
{
    const rugi_glcm_tile *t = m->tile;
    size_t pixels = t->pixel_row != NULL ? 1 : t->nx; /* of a row */
    size_t block = pixels < BLOCK_PIXELS ? BLOCK_PIXELS / pixels : 1;
    listing l = {
        c, n_threads, m, keys, with_borders, fn, block, (list_rows(t) - 1) / block + 1};
    rug_status status = RUG_OK;
    for (size_t i = 0; i < n_threads && status == RUG_OK; i++) {
        status = begin_lists(ctx, &c[i], block * pixels);
        c[i].pairs = 0;
    }
    return status == RUG_OK ? rugi_parallel_for(ctx, n_threads, list_task, &l) : status;
}

/* ---- Memory ---- */

void rugi_glcm_counting_free(rug_context *ctx, rugi_glcm_counting *c)
{
    rugi_glcm_scratch *all[] = {
        &c->key_scratch,       &c->difference_scratch, &c->sum_scratch,
        &c->next_scratch,      &c->last_scratch,       &c->counter8_scratch,
        &c->counter16_scratch, &c->narrow_difference,  &c->narrow_sum,
        &c->wide_difference,   &c->wide_sum,           &c->x_scratch,
        &c->y_scratch,         &c->dense_scratch,      &c->place_scratch,
        &c->value_scratch,     &c->row_scratch,        &c->entry_scratch,
        &c->sorted_scratch,    &c->rank_place_scratch, &c->bin_scratch,
        &c->sort_scratch,      &c->slice_count};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        rugi_glcm_scratch_free(ctx, all[i]);
    for (size_t i = 0; i < sizeof c->mcc_scratch / sizeof c->mcc_scratch[0]; i++)
        rugi_glcm_scratch_free(ctx, &c->mcc_scratch[i]);
}
