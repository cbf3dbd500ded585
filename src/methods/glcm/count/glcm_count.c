/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Counts a matrix by the way that fits it, and what the ways share: lists block by block. */

#include "glcm_count.h"
#include "core/context/threads.h"

/* Pairs of a matrix, all offsets together; of a frame without those of the background. */
#define MAX_PAIRS ((uint64_t)UINT32_MAX)

/* Pairs of background alone, at most: so that all sums fit 128 bits. */
#define MAX_BULK ((uint64_t)1 << 44)

/* Pixels of a block of rows. */
#define BLOCK_PIXELS ((size_t)1 << 14)

rug_status rugi_glcm_lists_room(rug_context *ctx, rugi_glcm_counting *c, size_t n_pixels)
{
    static const char what[] = "pairs of pixels";
    size_t n = n_pixels + RUGI_GLCM_SLACK;
    rugi_glcm_lists *l = &c->lists;
    l->key = rugi_glcm_room(ctx, &c->key_block, n, sizeof *l->key, what);
    l->difference =
        rugi_glcm_room(ctx, &c->difference_block, n, sizeof *l->difference, what);
    l->sum = rugi_glcm_room(ctx, &c->sum_block, n, sizeof *l->sum, what);
    l->no_next = rugi_glcm_room(ctx, &c->next_block, n, sizeof *l->no_next, what);
    l->no_last = rugi_glcm_room(ctx, &c->last_block, n, sizeof *l->no_last, what);
    l->n_pairs = l->n_no_next = l->n_no_last = 0;
    if (l->key == NULL || l->difference == NULL || l->sum == NULL || l->no_next == NULL ||
        l->no_last == NULL)
        return RUG_E_NOMEM;
    return RUG_OK;
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
    size_t left = rugi_glcm_list_rows(t) - row;
    rugi_glcm_wanted wanted = {
        .offset = {o[0], o[1], o[2]},
        .first_row = row,
        .end_row = row + (left < l->rows_of_block ? left : l->rows_of_block),
        .keys = l->keys,
        .with_borders = l->with_borders};
    c->lists.n_pairs = c->lists.n_no_next = c->lists.n_no_last = 0;
    rugi_glcm_list(&c->lists, l->m, &wanted);
    l->fn(c, l->m);
    c->pairs += c->lists.n_pairs;
}

/* The share of one thread, whichever does it: always the same blocks. */
static void list_task(void *shared, size_t task, int thread)
{
    const listing *l = shared;
    size_t n = l->blocks_of_offset * l->m->n_offsets;
    (void)thread;
    for (size_t i = n * task / l->n_threads; i < n * (task + 1) / l->n_threads; i++)
        list_block(l, &l->c[task], i);
}

rug_status rugi_glcm_for_lists(rug_context *ctx, rugi_glcm_counting *c, size_t n_threads,
                               const rugi_glcm_matrix *m, rugi_glcm_keys keys,
                               int with_borders, rugi_glcm_lists_fn fn)
{
    const rugi_glcm_tile *t = m->tile;
    size_t pixels = t->pixel_row != NULL ? 1 : t->nx; /* of a row */
    size_t block = pixels < BLOCK_PIXELS ? BLOCK_PIXELS / pixels : 1;
    listing l = {c,
                 n_threads,
                 m,
                 keys,
                 with_borders,
                 fn,
                 block,
                 (rugi_glcm_list_rows(t) - 1) / block + 1};
    rug_status status = RUG_OK;
    for (size_t i = 0; i < n_threads && status == RUG_OK; i++) {
        status = rugi_glcm_lists_room(ctx, &c[i], block * pixels);
        c[i].pairs = 0;
    }
    return status == RUG_OK ? rugi_parallel_for(ctx, n_threads, list_task, &l) : status;
}

uint64_t rugi_glcm_most_pairs(const rugi_glcm_matrix *m)
{
    return m->tile->area * m->n_offsets * (m->plan->is_frame ? 2 : 1);
}

/* All pairs at an offset in the box that is `reach` wider than the region on each side. */
static rugi_glcm_u128 pairs_of_box(const rugi_glcm_matrix *m, const int offset[3])
{
    const size_t shape[3] = {m->tile->nz, m->tile->ny, m->tile->nx};
    rugi_glcm_u128 n = 1;
    for (int a = 0; a < 3; a++) {
        size_t side = shape[a] + (a >= 3 - m->frame_axes ? 2 * (size_t)m->reach : 0);
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
                                "co-occurrence: a frame of more than %llu pairs; use "
                                "pairs INSIDE",
                                (unsigned long long)MAX_BULK);
    *out = (rugi_glcm_bulk){.n = (uint64_t)n,
                            .level = m->tile->level_of[m->background],
                            .rank = m->background};
    return RUG_OK;
}

static void finish_totals(rugi_glcm_sums *s)
{
    s->total = s->is_symmetric ? 2 * s->pairs : s->pairs;
}

rug_status rugi_glcm_count(rug_context *ctx, rugi_glcm_counting *c, rugi_glcm_sums *out,
                           const rugi_glcm_matrix *m)
{
    *out = (rugi_glcm_sums){.is_symmetric = m->plan->is_symmetric};
    if (m->tile->area == 0)
        return RUG_OK;
    if (rugi_glcm_most_pairs(m) > MAX_PAIRS)
        return rug_context_fail(ctx, RUG_E_UNSUPPORTED,
                                "co-occurrence: a region with %llu pairs in a matrix, at "
                                "most %llu expected; measure it in parts",
                                (unsigned long long)rugi_glcm_most_pairs(m),
                                (unsigned long long)MAX_PAIRS);
    rug_status status = m->whole != NULL        ? rugi_glcm_count_whole(ctx, c, out, m)
                        : rugi_glcm_few_fits(m) ? rugi_glcm_count_few(ctx, c, out, m)
                        : rugi_glcm_tagged_fits(m)
                            ? rugi_glcm_count_tagged(ctx, c, out, m)
                        : rugi_glcm_dense_fits(m) ? rugi_glcm_count_dense(ctx, c, out, m)
                                                  : rugi_glcm_count_rows(ctx, c, out, m);
    finish_totals(out);
    return status;
}

void rugi_glcm_counting_free(rug_context *ctx, rugi_glcm_counting *c)
{
    rugi_glcm_block *all[] = {
        &c->key_block,  &c->difference_block, &c->sum_block,       &c->next_block,
        &c->last_block, &c->counter8_block,   &c->counter16_block, &c->narrow_difference,
        &c->narrow_sum, &c->wide_difference,  &c->wide_sum,        &c->x_block,
        &c->y_block,    &c->dense_block,      &c->place_block,     &c->value_block,
        &c->row_block,  &c->entry_block,      &c->sorted_block,    &c->rank_place_block,
        &c->bin_block,  &c->sort_block,       &c->slice_count};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        rugi_glcm_block_free(ctx, all[i]);
    for (size_t i = 0; i < sizeof c->mcc_block / sizeof c->mcc_block[0]; i++)
        rugi_glcm_block_free(ctx, &c->mcc_block[i]);
}
