/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Counts a matrix by the way that fits it, and what the ways share: lists block by block. */

#include "glcm_count.h"

/* Pairs of a matrix, all offsets together; of a frame without those of the background. */
#define MAX_PAIRS ((uint64_t)UINT32_MAX)

/* Cells of a block of rows. */
#define BLOCK_CELLS ((size_t)1 << 16)

rug_status rugi_glcm_lists_room(rug_context *ctx, rugi_glcm_counting *c, size_t n_cells)
{
    static const char what[] = "pairs of cells";
    size_t n = n_cells + RUGI_GLCM_SLACK;
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
    c->n_listed = n_cells;
    return RUG_OK;
}

rug_status rugi_glcm_for_lists(rug_context *ctx, rugi_glcm_counting *c,
                               const rugi_glcm_matrix *m, rugi_glcm_keys keys,
                               int with_borders, rugi_glcm_lists_fn fn, void *user)
{
    const rugi_glcm_tile *t = m->tile;
    size_t n_rows = t->nz * t->ny, block = t->nx < BLOCK_CELLS ? BLOCK_CELLS / t->nx : 1;
    rug_status status = rugi_glcm_lists_room(ctx, c, block * t->nx);
    if (status != RUG_OK)
        return status;
    for (uint32_t k = 0; k < m->n_offsets; k++)
        for (size_t row = 0; row < n_rows; row += block) {
            size_t left = n_rows - row;
            const int *o = m->offset[k];
            rugi_glcm_wanted wanted = {.offset = {o[0], o[1], o[2]},
                                       .first_row = row,
                                       .end_row = row + (left < block ? left : block),
                                       .keys = keys,
                                       .with_borders = with_borders};
            m->plan->leaf.list(&c->lists, t, &wanted);
            fn(c, m, user);
            c->lists.n_pairs = c->lists.n_no_next = c->lists.n_no_last = 0;
        }
    return RUG_OK;
}

/* Pairs that are counted one by one. */
static uint64_t most_pairs(const rugi_glcm_matrix *m)
{
    return m->tile->area * m->n_offsets * (m->plan->is_frame ? 2 : 1);
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
    if (most_pairs(m) > MAX_PAIRS)
        return rug_context_fail(ctx, RUG_E_UNSUPPORTED,
                                "co-occurrence: a region with %llu pairs in a matrix, at "
                                "most %llu expected; measure it in parts",
                                (unsigned long long)most_pairs(m),
                                (unsigned long long)MAX_PAIRS);
    rug_status status = rugi_glcm_tagged_fits(m)  ? rugi_glcm_count_tagged(ctx, c, out, m)
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
        &c->y_block,    &c->dense_block,      &c->bucket_block,    &c->value_block,
        &c->row_block,  &c->entry_block,      &c->sorted_block,    &c->place_block,
        &c->slice_count};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        rugi_glcm_block_free(ctx, all[i]);
    for (size_t i = 0; i < sizeof c->mcc_block / sizeof c->mcc_block[0]; i++)
        rugi_glcm_block_free(ctx, &c->mcc_block[i]);
}
