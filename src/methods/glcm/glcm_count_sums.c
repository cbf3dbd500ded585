/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Sums over histograms of 32 bits, for matrices of any size, and what the sums of the further
 * features share. Sums of doubles go by rising k in lanes, as in the leaves, so that ways of
 * counting that both could take a region give the same numbers. */

#include "glcm_count.h"
#include <math.h>
#include <string.h>

static rug_status wide_room(rug_context *ctx, rugi_glcm_counting *c,
                            const rugi_glcm_matrix *m, uint32_t times)
{
    size_t span = m->tile->span, n = (size_t)m->tile->n_ranks;
    uint32_t *d = rugi_glcm_room(ctx, &c->wide_difference, span, sizeof *d, "histograms");
    uint32_t *s = rugi_glcm_room(ctx, &c->wide_sum, 2 * span, sizeof *s, "histograms");
    uint32_t *x = rugi_glcm_room(ctx, &c->x_block, n, sizeof *x, "marginals");
    uint32_t *y = rugi_glcm_room(ctx, &c->y_block, n, sizeof *y, "marginals");
    if (d == NULL || s == NULL || x == NULL || y == NULL)
        return RUG_E_NOMEM;
    memset(d, 0, span * sizeof *d);
    memset(s, 0, 2 * span * sizeof *s);
    for (size_t i = 0; i < n; i++)
        x[i] = y[i] = m->tile->count[i] * times;
    return RUG_OK;
}

rug_status rugi_glcm_wide_room(rug_context *ctx, rugi_glcm_counting *c, size_t n_threads,
                               const rugi_glcm_matrix *m)
{
    rug_status status = RUG_OK;
    c->bulk = (rugi_glcm_bulk){0};
    for (size_t i = 0; i < n_threads && status == RUG_OK; i++)
        status = wide_room(ctx, &c[i], m, i == 0 ? m->n_offsets : 0);
    return status;
}

void rugi_glcm_add_up(rugi_glcm_counting *c, size_t n_threads, size_t offset, size_t n)
{
    uint32_t *sum = ((rugi_glcm_block *)(void *)((char *)c + offset))->data;
    for (size_t t = 1; t < n_threads; t++) {
        const uint32_t *add =
            ((rugi_glcm_block *)(void *)((char *)(c + t) + offset))->data;
        for (size_t i = 0; i < n; i++)
            sum[i] += add[i];
    }
}

/* One marginal, or both in one. */
static void sum_marginal(rugi_glcm_u128 out[3], const uint32_t *x, const uint32_t *y,
                         const rugi_glcm_matrix *m, rugi_glcm_bulk bulk)
{
    out[0] = out[1] = out[2] = 0;
    for (size_t i = 0; i < m->tile->n_ranks; i++) {
        uint64_t n = x[i], k = m->tile->level_of[i];
        n += y != NULL ? y[i] : 0;
        if (bulk.n > 0 && i == bulk.rank)
            n += y != NULL ? 2 * bulk.n : bulk.n;
        out[0] += rugi_glcm_t(&m->plan->logs, n);
        out[1] += (rugi_glcm_u128)n * k;
        out[2] += (rugi_glcm_u128)n * (k * k);
    }
}

static void sum_marginals(rugi_glcm_sums *out, const rugi_glcm_counting *c,
                          const rugi_glcm_matrix *m, rugi_glcm_bulk bulk)
{
    const uint32_t *x = c->x_block.data, *y = c->y_block.data;
    rugi_glcm_u128 of_x[3], of_y[3];
    sum_marginal(of_x, x, out->is_symmetric ? y : NULL, m, bulk);
    memcpy(of_y, of_x, sizeof of_y);
    if (!out->is_symmetric)
        sum_marginal(of_y, y, NULL, m, bulk);
    out->t_x = of_x[0], out->x1 = of_x[1], out->x2 = of_x[2];
    out->t_y = of_y[0], out->y1 = of_y[1], out->y2 = of_y[2];
}

static void add_up_all(rugi_glcm_counting *c, size_t n_threads, const rugi_glcm_matrix *m)
{
    size_t span = m->tile->span, n = m->tile->n_ranks;
    rugi_glcm_add_up(c, n_threads, offsetof(rugi_glcm_counting, wide_difference), span);
    rugi_glcm_add_up(c, n_threads, offsetof(rugi_glcm_counting, wide_sum), 2 * span);
    rugi_glcm_add_up(c, n_threads, offsetof(rugi_glcm_counting, x_block), n);
    rugi_glcm_add_up(c, n_threads, offsetof(rugi_glcm_counting, y_block), n);
}

void rugi_glcm_wide_sums(rugi_glcm_sums *out, rugi_glcm_counting *c, size_t n_threads,
                         const rugi_glcm_matrix *m)
{
    add_up_all(c, n_threads, m);
    rugi_glcm_bulk bulk = c->bulk;
    const uint32_t *d = c->wide_difference.data, *s = c->wide_sum.data;
    const rugi_glcm_logs *logs = &m->plan->logs;
    size_t span = m->tile->span;
    double lane[RUGI_GLCM_LANES] = {0};
    for (size_t k = 0; k < span; k++) {
        uint64_t n = d[k] + (k == 0 ? bulk.n : 0);
        out->t_difference += rugi_glcm_t(logs, n);
        out->d1 += (rugi_glcm_u128)n * k;
        out->d2 += (rugi_glcm_u128)n * (k * k);
        lane[k % RUGI_GLCM_LANES] += (double)n * m->plan->closeness[k];
    }
    out->closeness = rugi_glcm_fold(lane);
    out->equal = d[0] + bulk.n;
    for (size_t k = 0; k + 1 < 2 * span; k++)
        out->t_sum += rugi_glcm_t(logs, s[k] + (k == 2 * bulk.level ? bulk.n : 0));
    sum_marginals(out, c, m, bulk);
    if (m->plan->with_all)
        rugi_glcm_more_sums(out, d, s, 1, m, bulk);
}

static inline uint64_t at(const void *histogram, int is_wide, size_t k)
{
    return is_wide ? ((const uint32_t *)histogram)[k] : ((const uint16_t *)histogram)[k];
}

static void more_of_differences(rugi_glcm_sums *out, const void *d, int is_wide,
                                const rugi_glcm_matrix *m, rugi_glcm_bulk bulk)
{
    for (size_t k = 0; k < m->tile->span; k++) {
        uint64_t count = at(d, is_wide, k) + (k == 0 ? bulk.n : 0);
        if (count == 0)
            continue;
        double n = (double)count, x = (double)k, scaled = x / m->n_grey;
        out->inverse += n / (1 + x);
        out->inverse_scaled += n / (1 + scaled);
        out->closeness_scaled += n / (1 + scaled * scaled);
        out->inverse_variance += k > 0 ? n / (x * x) : 0;
    }
}

void rugi_glcm_more_sums(rugi_glcm_sums *out, const void *differences, const void *sums,
                         int is_wide, const rugi_glcm_matrix *m, rugi_glcm_bulk bulk)
{
    more_of_differences(out, differences, is_wide, m, bulk);
    long double first = 0, shade = 0, prominence = 0, pairs = 0;
    size_t n = 2 * (size_t)m->tile->span - 1;
    for (int pass = 0; pass < 2; pass++) {
        long double mean = pairs > 0 ? first / pairs : 0;
        for (size_t k = 0; k < n; k++) {
            uint64_t here = at(sums, is_wide, k) + (k == 2 * bulk.level ? bulk.n : 0);
            long double count = (long double)here, x = (long double)k - mean;
            if (here == 0)
                continue;
            if (pass == 0) {
                first += count * x;
                pairs += count;
            } else {
                shade += count * x * x * x;
                prominence += count * x * x * x * x;
            }
        }
    }
    out->shade = (double)shade;
    out->prominence = (double)prominence;
}
