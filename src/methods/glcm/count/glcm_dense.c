/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Matrices by their entries. Many pairs of few levels have a counter for each entry;
 * differences and sums follow from the entries, so that a pair costs one addition. The
 * pairs of a whole image, and entries or sums from a device, are counted already. */

#include "glcm_whole.h"
#include <string.h>

/* Sets of counters. */
#define N_SETS 4

/* Neighbouring pairs are often equal: counted in turns in four sets of counters, none
 * waits for the one before. */
static void count_lists(rugi_glcm_counting *c, const rugi_glcm_matrix *m)
{
    size_t n = (size_t)rugi_glcm_most_entries(m), i = 0;
    uint32_t *counter = c->dense_scratch.data;
    uint32_t *x = c->x_scratch.data, *y = c->y_scratch.data;
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

/* What n pairs at (i, j) of the matrix add to the sum of squares. */
static rugi_glcm_u128 square(const rugi_glcm_sums *s, uint32_t i, uint32_t j, uint64_t n)
{
    rugi_glcm_u128 once = (rugi_glcm_u128)n * n;
    return s->is_symmetric ? (i == j ? 4 : 2) * once : once;
}

/* One entry to the histograms and sums. */
static inline void add_entry(rugi_glcm_counting *c, rugi_glcm_sums *out,
                             const rugi_glcm_matrix *m, uint32_t i, uint32_t j,
                             uint32_t n)
{
    uint32_t *d = c->wide_difference.data, *s = c->wide_sum.data;
    uint32_t a = m->tile->level_of[i], b = m->tile->level_of[j];
    d[a > b ? a - b : b - a] += n;
    s[a + b] += n;
    out->squares += square(out, i, j, n);
    out->t += rugi_glcm_t(&m->plan->logs, n);
    if (m->plan->with_entries)
        c->entry[c->n_entries++] =
            (rugi_glcm_entry){.i = (uint16_t)i, .j = (uint16_t)j, .n = n};
}

static void add_entries(rugi_glcm_counting *c, rugi_glcm_sums *out,
                        const rugi_glcm_matrix *m)
{
    const uint32_t *counter = c->dense_scratch.data;
    uint32_t n = m->tile->n_ranks;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < (out->is_symmetric ? i + 1 : n); j++, counter++)
            if (*counter > 0)
                add_entry(c, out, m, i, j, *counter);
}

static rug_status get_memory(rug_context *ctx, rugi_glcm_counting *c, size_t n_threads,
                             size_t n)
{
    for (size_t t = 0; t < n_threads; t++) {
        uint32_t *counter = rugi_glcm_grow(ctx, &c[t].dense_scratch, N_SETS * n,
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
    uint32_t *sum = c->dense_scratch.data;
    size_t n_entries = 0;
    rugi_glcm_add_up(c, n_threads, offsetof(rugi_glcm_counting, dense_scratch),
                     N_SETS * n);
    for (size_t i = 0; i < n; i++) {
        sum[i] += sum[n + i] + sum[2 * n + i] + sum[3 * n + i];
        n_entries += sum[i] > 0;
    }
    return n_entries;
}

static rug_status begin(rug_context *ctx, rugi_glcm_counting *c, size_t n_threads,
                        const rugi_glcm_matrix *m)
{
    rug_status status = get_memory(ctx, c, n_threads, (size_t)rugi_glcm_most_entries(m));
    if (status == RUG_OK)
        status = rugi_glcm_histograms_begin(ctx, c, n_threads, m);
    return status == RUG_OK ? rugi_glcm_marginals_begin(ctx, c, n_threads, m) : status;
}

/* All sums from the counters and marginals. */
static rug_status sum_counters(rug_context *ctx, rugi_glcm_counting *c, size_t n_threads,
                               rugi_glcm_sums *out, const rugi_glcm_matrix *m)
{
    size_t n_entries = add_up(c, n_threads, (size_t)rugi_glcm_most_entries(m));
    if (m->plan->with_entries) {
        c->n_entries = 0;
        c->entry = rugi_glcm_grow(ctx, &c->entry_scratch, n_entries, sizeof *c->entry,
                                  "entries of a matrix");
        if (c->entry == NULL)
            return RUG_E_NOMEM;
    }
    add_entries(c, out, m);
    rugi_glcm_histogram_sums(out, c, n_threads, m);
    return m->plan->with_entries ? rugi_glcm_entry_sums(ctx, c, out, m) : RUG_OK;
}

/* Pairs of one direction of a whole image, counted already, to the counters and
 * marginals. */
static void take_square(rugi_glcm_counting *c, rugi_glcm_sums *out,
                        const rugi_glcm_matrix *m, uint32_t direction)
{
    uint32_t *counter = c->dense_scratch.data, *x = c->x_scratch.data,
             *y = c->y_scratch.data;
    const uint16_t *level_of = m->tile->level_of;
    size_t span = m->whole->span, n = m->tile->n_ranks;
    const uint32_t *square = m->whole->square + direction * span * span;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            uint32_t count = square[level_of[i] * span + level_of[j]];
            size_t hi = i > j ? i : j, lo = i > j ? j : i;
            counter[out->is_symmetric ? hi * (hi + 1) / 2 + lo : i * n + j] += count;
            x[i] += count;
            y[j] += count;
            out->pairs += count;
        }
}

static rug_status count_whole(rug_context *ctx, rugi_glcm_counting *c,
                              rugi_glcm_sums *out, const rugi_glcm_matrix *m)
{
    rug_status status = begin(ctx, c, 1, m);
    if (status != RUG_OK)
        return status;
    for (uint32_t k = 0; k < m->n_offsets; k++)
        take_square(c, out, m, m->plan->direction[m->first + k]);
    return sum_counters(ctx, c, 1, out, m);
}

rug_status rugi_glcm_count_dense(rug_context *ctx, rugi_glcm_counting *c,
                                 rugi_glcm_sums *out, const rugi_glcm_matrix *m)
{
    if (m->whole != NULL)
        return count_whole(ctx, c, out, m);
    size_t n_threads = rugi_glcm_choose_threads(ctx, m, 4 * rugi_glcm_most_entries(m));
    rug_status status = begin(ctx, c, n_threads, m);
    if (status == RUG_OK)
        status = rugi_glcm_for_lists(
            ctx, c, n_threads, m,
            out->is_symmetric ? RUGI_GLCM_TRIANGLE : RUGI_GLCM_SQUARE, 1, count_lists);
    for (size_t t = 0; t < n_threads && status == RUG_OK; t++)
        out->pairs += c[t].pairs;
    if (status != RUG_OK || out->pairs == 0)
        return status;
    return sum_counters(ctx, c, n_threads, out, m);
}

/* ---- What a device has counted ----
 *
 * All are integers, so that it does not matter in which order the device found them. */

/* Marginals and histograms, all 0. */
static rug_status begin_device(rug_context *ctx, rugi_glcm_counting *c,
                               const rugi_glcm_matrix *m, size_t n)
{
    size_t n_ranks = m->tile->n_ranks;
    rug_status status = rugi_glcm_histograms_begin(ctx, c, 1, m);
    if (status == RUG_OK)
        status = rugi_glcm_marginals_begin(ctx, c, 1, m);
    if (status != RUG_OK)
        return status;
    memset(c->x_scratch.data, 0, n_ranks * sizeof(uint32_t));
    memset(c->y_scratch.data, 0, n_ranks * sizeof(uint32_t));
    c->n_entries = 0;
    if (!m->plan->with_entries)
        return RUG_OK;
    c->entry = rugi_glcm_grow(ctx, &c->entry_scratch, n + 1, sizeof *c->entry,
                              "entries of a matrix");
    return c->entry != NULL ? RUG_OK : RUG_E_NOMEM;
}

static int can_be(const rugi_glcm_matrix *m, uint32_t i, uint32_t j)
{
    return i < m->tile->n_ranks && j < (m->plan->is_symmetric ? i + 1 : m->tile->n_ranks);
}

/* Adds all entries. @return 0 when one of them cannot be */
static int add_all(rugi_glcm_counting *c, rugi_glcm_sums *out, const rugi_glcm_matrix *m,
                   const rugi_glcm_device_count *counts, size_t n,
                   uint64_t *of_background)
{
    uint32_t *x = c->x_scratch.data, *y = c->y_scratch.data;
    for (size_t e = 0; e < n; e++) {
        uint32_t i = counts[e].key >> 16, j = counts[e].key & 65535, count = counts[e].n;
        if (!can_be(m, i, j))
            return 0;
        x[i] += count;
        y[j] += count;
        out->pairs += count;
        if (i == m->background && j == i)
            *of_background += count;
        add_entry(c, out, m, i, j, count);
    }
    return 1;
}

/* The background's pairs with itself that are not listed. */
static void add_bulk(const rugi_glcm_counting *c, rugi_glcm_sums *out,
                     const rugi_glcm_matrix *m, uint64_t before)
{
    const rugi_glcm_logs *logs = &m->plan->logs;
    uint64_t n = before + c->bulk.n;
    uint32_t i = c->bulk.rank;
    if (c->bulk.n == 0)
        return;
    out->pairs += c->bulk.n;
    out->squares += square(out, i, i, n) - square(out, i, i, before);
    out->t += rugi_glcm_t(logs, n) - rugi_glcm_t(logs, before);
}

static rug_status fail_impossible(rug_context *ctx)
{
    return rug_context_fail(ctx, RUG_E_DEVICE,
                            "co-occurrence: the device counted levels that the region "
                            "does not have; use device 'cpu'");
}

rug_status rugi_glcm_sum_device_counts(rug_context *ctx, rugi_glcm_counting *c,
                                       rugi_glcm_sums *out, const rugi_glcm_matrix *m,
                                       const rugi_glcm_device_count *counts, size_t n)
{
    uint64_t of_background = 0;
    *out = (rugi_glcm_sums){.is_symmetric = m->plan->is_symmetric};
    if (m->tile->area == 0)
        return RUG_OK;
    rug_status status = begin_device(ctx, c, m, n);
    if (status != RUG_OK)
        return status;
    if (!add_all(c, out, m, counts, n, &of_background))
        return fail_impossible(ctx);
    status = rugi_glcm_find_bulk(ctx, &c->bulk, m, out->pairs);
    if (status != RUG_OK)
        return status;
    add_bulk(c, out, m, of_background);
    out->total = out->is_symmetric ? 2 * out->pairs : out->pairs;
    if (out->pairs == 0)
        return RUG_OK;
    rugi_glcm_histogram_sums(out, c, 1, m);
    return m->plan->with_entries ? rugi_glcm_entry_sums(ctx, c, out, m) : RUG_OK;
}

rug_status rugi_glcm_sum_device_sums(rug_context *ctx, rugi_glcm_counting *c,
                                     rugi_glcm_sums *out, const rugi_glcm_matrix *m,
                                     const rugi_glcm_device_sums *summed,
                                     const rugi_glcm_device_count *differences, size_t n)
{
    size_t span = m->tile->span;
    uint32_t *d = rugi_glcm_grow(ctx, &c->wide_difference, span, sizeof *d, "histograms");
    rug_status status = rugi_glcm_bins_begin(ctx, c, span);
    *out = (rugi_glcm_sums){.is_symmetric = 1, .pairs = summed->pairs};
    if (d == NULL || status != RUG_OK)
        return RUG_E_NOMEM;
    memset(d, 0, span * sizeof *d);
    for (size_t i = 0; i < n; i++) {
        if (differences[i].key >= span)
            return fail_impossible(ctx);
        d[differences[i].key] = differences[i].n;
    }
    out->total = 2 * summed->pairs;
    out->squares = 2 * (rugi_glcm_u128)summed->squares;
    out->t = summed->t;
    out->t_x = out->t_y = summed->t_x;
    out->x1 = out->y1 = summed->x1;
    out->x2 = out->y2 = summed->x2;
    out->t_sum = summed->t_sum;
    rugi_glcm_bins_of_32(c, d, span, 0, 0);
    rugi_glcm_difference_sums(out, c, m);
    return RUG_OK;
}
