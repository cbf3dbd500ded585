/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Many pairs of few levels: a counter for each entry. Differences and sums follow from the
 * entries, so that a pair costs one addition. */

#include "glcm_count.h"
#include <string.h>

/* Counters at most, 16 MB, and for each pair. */
#define MAX_COUNTERS ((size_t)1 << 22)
#define PER_PAIR     4

static size_t n_counters(const rugi_glcm_matrix *m)
{
    size_t n = m->tile->n_ranks;
    return m->plan->is_symmetric ? n * (n + 1) / 2 : n * n;
}

int rugi_glcm_dense_fits(const rugi_glcm_matrix *m)
{
    size_t n = n_counters(m);
    return !m->plan->is_frame && n <= MAX_COUNTERS &&
           n <= PER_PAIR * m->tile->area * m->n_offsets;
}

static void count_lists(rugi_glcm_counting *c, const rugi_glcm_matrix *m, void *user)
{
    uint32_t *counter = c->dense_block.data, *x = c->x_block.data, *y = c->y_block.data;
    const rugi_glcm_lists *l = &c->lists;
    uint64_t *pairs = user;
    (void)m;
    for (size_t i = 0; i < l->n_pairs; i++)
        counter[l->key[i]]++;
    for (size_t i = 0; i < l->n_no_next; i++)
        x[l->no_next[i]]--;
    for (size_t i = 0; i < l->n_no_last; i++)
        y[l->no_last[i]]--;
    *pairs += l->n_pairs;
}

/* One entry to the histograms and sums. */
static void add_entry(rugi_glcm_counting *c, rugi_glcm_sums *out,
                      const rugi_glcm_matrix *m, uint32_t i, uint32_t j, uint32_t n)
{
    uint32_t *d = c->wide_difference.data, *s = c->wide_sum.data;
    uint32_t a = m->tile->level_of[i], b = m->tile->level_of[j];
    uint64_t square = (uint64_t)n * n;
    d[a > b ? a - b : b - a] += n;
    s[a + b] += n;
    out->squares +=
        out->is_symmetric ? (i == j ? 4 : 2) * (rugi_glcm_u128)square : square;
    out->t += rugi_glcm_t(&m->plan->logs, n);
    if (m->plan->with_entries)
        c->entry[c->n_entries++] =
            (rugi_glcm_entry){.i = (uint16_t)i, .j = (uint16_t)j, .n = n};
}

static void add_entries(rugi_glcm_counting *c, rugi_glcm_sums *out,
                        const rugi_glcm_matrix *m)
{
    const uint32_t *counter = c->dense_block.data;
    uint32_t n = m->tile->n_ranks;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < (out->is_symmetric ? i + 1 : n); j++, counter++)
            if (*counter > 0)
                add_entry(c, out, m, i, j, *counter);
}

static size_t count_entries(const uint32_t *counter, size_t n)
{
    size_t n_entries = 0;
    for (size_t i = 0; i < n; i++)
        n_entries += counter[i] > 0;
    return n_entries;
}

rug_status rugi_glcm_count_dense(rug_context *ctx, rugi_glcm_counting *c,
                                 rugi_glcm_sums *out, const rugi_glcm_matrix *m)
{
    size_t n = n_counters(m);
    uint32_t *counter = rugi_glcm_room(ctx, &c->dense_block, n, sizeof *counter,
                                       "counters of co-occurrence");
    rug_status status = counter != NULL ? rugi_glcm_wide_room(ctx, c, m) : RUG_E_NOMEM;
    if (status != RUG_OK)
        return status;
    memset(counter, 0, n * sizeof *counter);
    status = rugi_glcm_for_lists(
        ctx, c, m, out->is_symmetric ? RUGI_GLCM_TRIANGLE : RUGI_GLCM_SQUARE, 1,
        count_lists, &out->pairs);
    if (status != RUG_OK || out->pairs == 0)
        return status;
    if (m->plan->with_entries) {
        c->n_entries = 0;
        c->entry = rugi_glcm_room(ctx, &c->entry_block, count_entries(counter, n),
                                  sizeof *c->entry, "entries of a matrix");
        if (c->entry == NULL)
            return RUG_E_NOMEM;
    }
    add_entries(c, out, m);
    rugi_glcm_wide_sums(out, c, m, (rugi_glcm_bulk){0});
    return m->plan->with_entries ? rugi_glcm_entry_sums(ctx, c, out, m) : RUG_OK;
}
