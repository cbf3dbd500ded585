/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Few pairs whose levels may be far apart, such as of small pixels of 16 bits: everything is
 * sorted, so that a matrix costs as its pairs, however large the span. */

#include "core/points/radix_sort.h"
#include "glcm_count.h"

/* Levels of the span for each pair, from which on looking at all of them takes longer than
 * sorting pairs; when the other way would be tagged counters, and else. */
#define LEVELS_OF_TAGGED 24
#define LEVELS_OF_ROWS   6

int rugi_glcm_few_fits(const rugi_glcm_matrix *m)
{
    unsigned levels = rugi_glcm_tagged_fits(m) ? LEVELS_OF_TAGGED : LEVELS_OF_ROWS;
    return rugi_glcm_most_pairs(m) * levels < m->tile->span;
}

/* What is sorted. */
typedef struct sorted {
    uint64_t *value, *scratch;
    size_t n;
} sorted;

/* Pairs with the background, as keys like others. */
static void list_frame(rugi_glcm_lists *l, const rugi_glcm_matrix *m)
{
    for (size_t i = 0; i < l->n_no_next; i++)
        l->key[l->n_pairs++] = rugi_glcm_frame_key(m, l->no_next[i], m->background);
    for (size_t i = 0; i < l->n_no_last; i++)
        l->key[l->n_pairs++] = rugi_glcm_frame_key(m, m->background, l->no_last[i]);
}

static void count_borders(rugi_glcm_counting *c, const rugi_glcm_matrix *m)
{
    uint32_t *x = c->x_block.data, *y = c->y_block.data;
    const rugi_glcm_lists *l = &c->lists;
    if (m->plan->is_frame) {
        x[m->background] += (uint32_t)l->n_no_last;
        y[m->background] += (uint32_t)l->n_no_next;
        return;
    }
    for (size_t i = 0; i < l->n_no_next; i++)
        x[l->no_next[i]]--;
    for (size_t i = 0; i < l->n_no_last; i++)
        y[l->no_last[i]]--;
}

static void list_all(rugi_glcm_counting *c, const rugi_glcm_matrix *m)
{
    for (uint32_t k = 0; k < m->n_offsets; k++) {
        const int *o = m->offset[k];
        rugi_glcm_wanted wanted = {.offset = {o[0], o[1], o[2]},
                                   .end_row = rugi_glcm_list_rows(m->tile),
                                   .keys = m->plan->is_symmetric ? RUGI_GLCM_SORTED
                                                                 : RUGI_GLCM_ORDERED,
                                   .with_borders = 1};
        rugi_glcm_list(&c->lists, m, &wanted);
    }
    count_borders(c, m);
    if (m->plan->is_frame)
        list_frame(&c->lists, m);
}

/* Sorts values and makes bins of the equal ones, `more` at one place among them. */
static rug_status sort_to_bins(rug_context *ctx, rugi_glcm_counting *c, sorted *s,
                               unsigned bits, uint64_t more_at, uint64_t more)
{
    rug_status status = rugi_sort_u64(ctx, s->value, s->scratch, s->n, bits, NULL);
    c->n_bins = 0;
    for (size_t i = 0, end; i < s->n && status == RUG_OK; i = end) {
        for (end = i + 1; end < s->n && s->value[end] == s->value[i];)
            end++;
        if (more > 0 && s->value[i] >= more_at) {
            uint64_t n = s->value[i] == more_at ? end - i : 0;
            c->bin[c->n_bins++] = (rugi_glcm_bin_count){n + more, (uint32_t)more_at};
            more = 0;
            if (n > 0)
                continue;
        }
        c->bin[c->n_bins++] = (rugi_glcm_bin_count){end - i, (uint32_t)s->value[i]};
    }
    if (more > 0)
        c->bin[c->n_bins++] = (rugi_glcm_bin_count){more, (uint32_t)more_at};
    return status;
}

/* Squares, t and entries by the sorted keys. */
static void sum_keys(rugi_glcm_counting *c, rugi_glcm_sums *out,
                     const rugi_glcm_matrix *m)
{
    rugi_glcm_u128 squares = 0, diagonal = 0;
    c->n_entries = 0;
    for (size_t i = 0; i < c->n_bins; i++) {
        uint64_t n = c->bin[i].n, listed = n;
        uint32_t row = c->bin[i].k >> 16, column = c->bin[i].k & 65535;
        squares += (rugi_glcm_u128)n * n;
        diagonal += row == column ? (rugi_glcm_u128)n * n : 0;
        out->t += rugi_glcm_t(&m->plan->logs, n);
        if (c->bulk.n > 0 && row == column && row == c->bulk.rank)
            listed -= c->bulk.n;
        if (m->plan->with_entries && listed > 0)
            c->entry[c->n_entries++] = (rugi_glcm_entry){
                .i = (uint16_t)row, .j = (uint16_t)column, .n = (uint32_t)listed};
    }
    out->squares = out->is_symmetric ? 2 * (squares + diagonal) : squares;
}

static rug_status make_room(rug_context *ctx, rugi_glcm_counting *c, sorted *s,
                            const rugi_glcm_matrix *m)
{
    size_t n = (size_t)rugi_glcm_most_pairs(m) + 8;
    s->value = rugi_glcm_room(ctx, &c->sort_block, 2 * ((n + 7) / 8 * 8),
                              sizeof *s->value, "sorted pairs");
    c->entry =
        rugi_glcm_room(ctx, &c->entry_block, n, sizeof *c->entry, "entries of a matrix");
    if (s->value == NULL || c->entry == NULL)
        return RUG_E_NOMEM;
    s->scratch = s->value + (n + 7) / 8 * 8;
    rug_status status = rugi_glcm_bins_room(ctx, c, n);
    if (status == RUG_OK)
        status = rugi_glcm_marginals_room(ctx, c, 1, m);
    return status == RUG_OK ? rugi_glcm_lists_room(ctx, c, n) : status;
}

/* Sums over differences and over sums, sorted one after the other. */
static rug_status sum_levels(rug_context *ctx, rugi_glcm_counting *c, sorted *s,
                             rugi_glcm_sums *out, const rugi_glcm_matrix *m)
{
    const uint16_t *level_of = m->tile->level_of;
    const uint32_t *key = c->lists.key;
    for (size_t i = 0; i < s->n; i++) {
        uint32_t a = level_of[key[i] >> 16], b = level_of[key[i] & 65535];
        s->value[i] = a > b ? a - b : b - a;
    }
    rug_status status = sort_to_bins(ctx, c, s, 16, 0, c->bulk.n);
    if (status != RUG_OK)
        return status;
    rugi_glcm_difference_sums(out, c, m);
    if (m->plan->with_all)
        rugi_glcm_more_difference_sums(out, c, m);
    for (size_t i = 0; i < s->n; i++)
        s->value[i] = (uint64_t)level_of[key[i] >> 16] + level_of[key[i] & 65535];
    status = sort_to_bins(ctx, c, s, 17, 2 * (uint64_t)c->bulk.level, c->bulk.n);
    if (status != RUG_OK)
        return status;
    rugi_glcm_sum_sums(out, c, m);
    if (m->plan->with_all)
        rugi_glcm_more_sum_sums(out, c);
    return RUG_OK;
}

rug_status rugi_glcm_count_few(rug_context *ctx, rugi_glcm_counting *c,
                               rugi_glcm_sums *out, const rugi_glcm_matrix *m)
{
    sorted s = {0};
    rug_status status = make_room(ctx, c, &s, m);
    if (status != RUG_OK)
        return status;
    list_all(c, m);
    s.n = c->lists.n_pairs;
    status = rugi_glcm_find_bulk(ctx, &c->bulk, m, s.n);
    out->pairs = s.n + c->bulk.n;
    if (status != RUG_OK || out->pairs == 0)
        return status;
    rugi_glcm_marginal_sums(out, c, m);
    for (size_t i = 0; i < s.n; i++)
        s.value[i] = c->lists.key[i];
    status = sort_to_bins(ctx, c, &s, 32, (uint64_t)c->bulk.rank << 16 | c->bulk.rank,
                          c->bulk.n);
    if (status != RUG_OK)
        return status;
    sum_keys(c, out, m);
    status = sum_levels(ctx, c, &s, out, m);
    if (status != RUG_OK || !m->plan->with_entries)
        return status;
    return rugi_glcm_entry_sums(ctx, c, out, m);
}
