/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Sums of a matrix whose entries an OpenCL device has counted, or summed. All are integers, so
 * that it does not matter in which order the device found them. */

#include "glcm_count.h"
#include <string.h>

/* Marginals and histograms, all 0. */
static rug_status make_room(rug_context *ctx, rugi_glcm_counting *c,
                            const rugi_glcm_matrix *m, size_t n)
{
    size_t n_ranks = m->tile->n_ranks;
    rug_status status = rugi_glcm_wide_room(ctx, c, 1, m);
    if (status == RUG_OK)
        status = rugi_glcm_marginals_room(ctx, c, 1, m);
    if (status != RUG_OK)
        return status;
    memset(c->x_block.data, 0, n_ranks * sizeof(uint32_t));
    memset(c->y_block.data, 0, n_ranks * sizeof(uint32_t));
    c->n_entries = 0;
    if (!m->plan->with_entries)
        return RUG_OK;
    c->entry = rugi_glcm_room(ctx, &c->entry_block, n + 1, sizeof *c->entry,
                              "entries of a matrix");
    return c->entry != NULL ? RUG_OK : RUG_E_NOMEM;
}

/* What n pairs at (i, j) of the matrix add to the sum of squares. */
static rugi_glcm_u128 square(const rugi_glcm_sums *s, uint32_t i, uint32_t j, uint64_t n)
{
    rugi_glcm_u128 once = (rugi_glcm_u128)n * n;
    return s->is_symmetric ? (i == j ? 4 : 2) * once : once;
}

static int can_be(const rugi_glcm_matrix *m, uint32_t i, uint32_t j)
{
    return i < m->tile->n_ranks && j < (m->plan->is_symmetric ? i + 1 : m->tile->n_ranks);
}

/* Adds all entries. @return 0 when one of them cannot be */
static int add_all(rugi_glcm_counting *c, rugi_glcm_sums *out, const rugi_glcm_matrix *m,
                   const rugi_glcm_taken *taken, size_t n, uint64_t *of_background)
{
    uint32_t *d = c->wide_difference.data, *s = c->wide_sum.data;
    uint32_t *x = c->x_block.data, *y = c->y_block.data;
    const uint16_t *level_of = m->tile->level_of;
    for (size_t e = 0; e < n; e++) {
        uint32_t i = taken[e].key >> 16, j = taken[e].key & 65535, count = taken[e].n;
        if (!can_be(m, i, j))
            return 0;
        uint32_t a = level_of[i], b = level_of[j];
        d[a > b ? a - b : b - a] += count;
        s[a + b] += count;
        x[i] += count;
        y[j] += count;
        out->pairs += count;
        out->squares += square(out, i, j, count);
        out->t += rugi_glcm_t(&m->plan->logs, count);
        if (i == m->background && j == i)
            *of_background += count;
        if (m->plan->with_entries)
            c->entry[c->n_entries++] =
                (rugi_glcm_entry){.i = (uint16_t)i, .j = (uint16_t)j, .n = count};
    }
    return 1;
}

/* The background's pairs with itself that nobody listed. */
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

static rug_status disbelieve(rug_context *ctx)
{
    return rug_context_fail(ctx, RUG_E_DEVICE,
                            "co-occurrence: the device counted levels that the region "
                            "does not have; use device 'cpu'");
}

rug_status rugi_glcm_count_taken(rug_context *ctx, rugi_glcm_counting *c,
                                 rugi_glcm_sums *out, const rugi_glcm_matrix *m,
                                 const rugi_glcm_taken *taken, size_t n)
{
    uint64_t of_background = 0;
    *out = (rugi_glcm_sums){.is_symmetric = m->plan->is_symmetric};
    if (m->tile->area == 0)
        return RUG_OK;
    rug_status status = make_room(ctx, c, m, n);
    if (status != RUG_OK)
        return status;
    if (!add_all(c, out, m, taken, n, &of_background))
        return disbelieve(ctx);
    status = rugi_glcm_find_bulk(ctx, &c->bulk, m, out->pairs);
    if (status != RUG_OK)
        return status;
    add_bulk(c, out, m, of_background);
    out->total = out->is_symmetric ? 2 * out->pairs : out->pairs;
    if (out->pairs == 0)
        return RUG_OK;
    rugi_glcm_wide_sums(out, c, 1, m);
    return m->plan->with_entries ? rugi_glcm_entry_sums(ctx, c, out, m) : RUG_OK;
}

rug_status rugi_glcm_count_summed(rug_context *ctx, rugi_glcm_counting *c,
                                  rugi_glcm_sums *out, const rugi_glcm_matrix *m,
                                  const rugi_glcm_summed *summed,
                                  const rugi_glcm_taken *differences, size_t n)
{
    size_t span = m->tile->span;
    uint32_t *d = rugi_glcm_room(ctx, &c->wide_difference, span, sizeof *d, "histograms");
    rug_status status = rugi_glcm_bins_room(ctx, c, span);
    *out = (rugi_glcm_sums){.is_symmetric = 1, .pairs = summed->pairs};
    if (d == NULL || status != RUG_OK)
        return RUG_E_NOMEM;
    memset(d, 0, span * sizeof *d);
    for (size_t i = 0; i < n; i++) {
        if (differences[i].key >= span)
            return disbelieve(ctx);
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
