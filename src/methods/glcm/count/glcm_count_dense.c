/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Many pairs of few levels: a counter for each entry. Differences and sums follow from the
 * entries, so that a pair costs one addition. */

#include "glcm_count.h"
#include <string.h>

/* Sets of counters, counters of one at most, 16 MB in all sets, and pairs for each. */
#define N_SETS       4
#define MAX_COUNTERS ((size_t)1 << 20)

static size_t n_counters(const rugi_glcm_matrix *m)
{
    size_t n = m->tile->n_ranks;
    return m->plan->is_symmetric ? n * (n + 1) / 2 : n * n;
}

int rugi_glcm_dense_fits(const rugi_glcm_matrix *m)
{
    size_t n = n_counters(m);
    return !m->plan->is_frame && n <= MAX_COUNTERS && n <= m->tile->area * m->n_offsets;
}

/* Neighbouring pairs are often equal: counted in turns in four sets of counters, none waits
 * for the one before. */
static void count_lists(rugi_glcm_counting *c, const rugi_glcm_matrix *m)
{
    size_t n = n_counters(m), i = 0;
    uint32_t *counter = c->dense_block.data;
    uint32_t *x = c->x_block.data, *y = c->y_block.data;
    const rugi_glcm_lists *l = &c->lists;
    const uint32_t *key = l->key;
    for (; i + N_SETS <= l->n_pairs; i += N_SETS) {
        counter[key[i]]++;
        counter[n + key[i + 1]]++;
        counter[2 * n + key[i + 2]]++;
        counter[3 * n + key[i + 3]]++;
    }
    for (; i < l->n_pairs; i++)
        counter[key[i]]++;
    for (i = 0; i < l->n_no_next; i++)
        x[l->no_next[i]]--;
    for (i = 0; i < l->n_no_last; i++)
        y[l->no_last[i]]--;
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

/* Threads for whose counters there are pairs enough. */
static size_t choose_threads(const rug_context *ctx, const rugi_glcm_matrix *m)
{
    uint64_t n = m->tile->area * m->n_offsets / (4 * n_counters(m)) + 1;
    uint64_t most = (uint64_t)rug_context_threads(ctx);
    return (size_t)(n < most ? n : most);
}

static rug_status make_room(rug_context *ctx, rugi_glcm_counting *c, size_t n_threads,
                            size_t n)
{
    for (size_t t = 0; t < n_threads; t++) {
        uint32_t *counter = rugi_glcm_room(ctx, &c[t].dense_block, N_SETS * n,
                                           sizeof *counter, "counters of co-occurrence");
        if (counter == NULL)
            return RUG_E_NOMEM;
        memset(counter, 0, N_SETS * n * sizeof *counter);
    }
    return RUG_OK;
}

/* All counters in one set. @return entries that are not 0 */
static size_t add_up(rugi_glcm_counting *c, size_t n_threads, size_t n)
{
    uint32_t *sum = c->dense_block.data;
    size_t n_entries = 0;
    rugi_glcm_add_up(c, n_threads, offsetof(rugi_glcm_counting, dense_block), N_SETS * n);
    for (size_t i = 0; i < n; i++) {
        sum[i] += sum[n + i] + sum[2 * n + i] + sum[3 * n + i];
        n_entries += sum[i] > 0;
    }
    return n_entries;
}

static rug_status make_all_room(rug_context *ctx, rugi_glcm_counting *c, size_t n_threads,
                                const rugi_glcm_matrix *m)
{
    rug_status status = make_room(ctx, c, n_threads, n_counters(m));
    if (status == RUG_OK)
        status = rugi_glcm_wide_room(ctx, c, n_threads, m);
    return status == RUG_OK ? rugi_glcm_marginals_room(ctx, c, n_threads, m) : status;
}

uint32_t *rugi_glcm_dense_room(rug_context *ctx, rugi_glcm_counting *c,
                               const rugi_glcm_matrix *m)
{
    return make_all_room(ctx, c, 1, m) == RUG_OK ? c->dense_block.data : NULL;
}

rug_status rugi_glcm_dense_sums(rug_context *ctx, rugi_glcm_counting *c, size_t n_threads,
                                rugi_glcm_sums *out, const rugi_glcm_matrix *m)
{
    size_t n_entries = add_up(c, n_threads, n_counters(m));
    if (m->plan->with_entries) {
        c->n_entries = 0;
        c->entry = rugi_glcm_room(ctx, &c->entry_block, n_entries, sizeof *c->entry,
                                  "entries of a matrix");
        if (c->entry == NULL)
            return RUG_E_NOMEM;
    }
    add_entries(c, out, m);
    rugi_glcm_wide_sums(out, c, n_threads, m);
    return m->plan->with_entries ? rugi_glcm_entry_sums(ctx, c, out, m) : RUG_OK;
}

rug_status rugi_glcm_count_dense(rug_context *ctx, rugi_glcm_counting *c,
                                 rugi_glcm_sums *out, const rugi_glcm_matrix *m)
{
    size_t n_threads = choose_threads(ctx, m);
    rug_status status = make_all_room(ctx, c, n_threads, m);
    if (status == RUG_OK)
        status = rugi_glcm_for_lists(
            ctx, c, n_threads, m,
            out->is_symmetric ? RUGI_GLCM_TRIANGLE : RUGI_GLCM_SQUARE, 1, count_lists);
    for (size_t t = 0; t < n_threads && status == RUG_OK; t++)
        out->pairs += c[t].pairs;
    if (status != RUG_OK || out->pairs == 0)
        return status;
    return rugi_glcm_dense_sums(ctx, c, n_threads, out, m);
}
