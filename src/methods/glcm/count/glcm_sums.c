/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the ways of counting share: marginals, and sums over histograms of |gi - gj| and
 * gi + gj, of which only nonzero counts are visited. Sums of doubles go by rising k in
 * lanes, as in the kernels, so that all ways give the same numbers. */

#include "glcm_count.h"
#include <math.h>
#include <string.h>

rug_status rugi_glcm_marginals_begin(rug_context *ctx, rugi_glcm_counting *c,
                                     size_t n_threads, const rugi_glcm_matrix *m)
{
    size_t n = m->tile->n_ranks;
    c->bulk = (rugi_glcm_bulk){0};
    for (size_t t = 0; t < n_threads; t++) {
        uint32_t *x = rugi_glcm_grow(ctx, &c[t].x_scratch, n, sizeof *x, "marginals");
        uint32_t *y = rugi_glcm_grow(ctx, &c[t].y_scratch, n, sizeof *y, "marginals");
        if (x == NULL || y == NULL)
            return RUG_E_NOMEM;
        for (size_t i = 0; i < n; i++)
            x[i] = y[i] = t == 0 ? m->tile->count[i] * m->n_offsets : 0;
    }
    return RUG_OK;
}

rug_status rugi_glcm_histograms_begin(rug_context *ctx, rugi_glcm_counting *c,
                                      size_t n_threads, const rugi_glcm_matrix *m)
{
    size_t span = m->tile->span;
    for (size_t t = 0; t < n_threads; t++) {
        uint32_t *d =
            rugi_glcm_grow(ctx, &c[t].wide_difference, span, sizeof *d, "histograms");
        uint32_t *s =
            rugi_glcm_grow(ctx, &c[t].wide_sum, 2 * span, sizeof *s, "histograms");
        if (d == NULL || s == NULL)
            return RUG_E_NOMEM;
        memset(d, 0, span * sizeof *d);
        memset(s, 0, 2 * span * sizeof *s);
    }
    return rugi_glcm_bins_begin(ctx, c, 2 * span);
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

void rugi_glcm_marginal_sums(rugi_glcm_sums *out, const rugi_glcm_counting *c,
                             const rugi_glcm_matrix *m)
{
    const uint32_t *x = c->x_scratch.data, *y = c->y_scratch.data;
    rugi_glcm_u128 of_x[3], of_y[3];
    sum_marginal(of_x, x, out->is_symmetric ? y : NULL, m, c->bulk);
    memcpy(of_y, of_x, sizeof of_y);
    if (!out->is_symmetric)
        sum_marginal(of_y, y, NULL, m, c->bulk);
    out->t_x = of_x[0], out->x1 = of_x[1], out->x2 = of_x[2];
    out->t_y = of_y[0], out->y1 = of_y[1], out->y2 = of_y[2];
}

rug_status rugi_glcm_bins_begin(rug_context *ctx, rugi_glcm_counting *c, size_t n)
{
    c->bin = rugi_glcm_grow(ctx, &c->bin_scratch, n, sizeof *c->bin, "histograms");
    c->n_bins = 0;
    return c->bin != NULL ? RUG_OK : RUG_E_NOMEM;
}

static void more_difference_sums(rugi_glcm_sums *out, const rugi_glcm_counting *c,
                                 const rugi_glcm_matrix *m)
{
    for (size_t i = 0; i < c->n_bins; i++) {
        double n = (double)c->bin[i].n, k = (double)c->bin[i].k, scaled = k / m->n_gray;
        out->inverse += n / (1 + k);
        out->inverse_scaled += n / (1 + scaled);
        out->closeness_scaled += n / (1 + scaled * scaled);
        out->inverse_variance += k > 0 ? n / (k * k) : 0;
    }
}

void rugi_glcm_difference_sums(rugi_glcm_sums *out, const rugi_glcm_counting *c,
                               const rugi_glcm_matrix *m)
{
    double lane[RUGI_GLCM_LANES] = {0};
    for (size_t i = 0; i < c->n_bins; i++) {
        uint64_t n = c->bin[i].n, k = c->bin[i].k;
        out->t_difference += rugi_glcm_t(&m->plan->logs, n);
        out->d1 += (rugi_glcm_u128)n * k;
        out->d2 += (rugi_glcm_u128)n * (k * k);
        out->equal += k == 0 ? n : 0;
        lane[k % RUGI_GLCM_LANES] += (double)n * m->plan->closeness[k];
    }
    out->closeness = rugi_glcm_fold(lane);
    if (m->plan->with_all)
        more_difference_sums(out, c, m);
}

static void more_sum_sums(rugi_glcm_sums *out, const rugi_glcm_counting *c)
{
    long double first = 0, pairs = 0, shade = 0, prominence = 0;
    for (size_t i = 0; i < c->n_bins; i++) {
        first += (long double)c->bin[i].n * (long double)c->bin[i].k;
        pairs += (long double)c->bin[i].n;
    }
    for (size_t i = 0; i < c->n_bins; i++) {
        long double n = (long double)c->bin[i].n;
        long double x = (long double)c->bin[i].k - first / pairs;
        shade += n * x * x * x;
        prominence += n * x * x * x * x;
    }
    out->shade = (double)shade;
    out->prominence = (double)prominence;
}

void rugi_glcm_sum_sums(rugi_glcm_sums *out, const rugi_glcm_counting *c,
                        const rugi_glcm_matrix *m)
{
    for (size_t i = 0; i < c->n_bins; i++)
        out->t_sum += rugi_glcm_t(&m->plan->logs, c->bin[i].n);
    if (m->plan->with_all)
        more_sum_sums(out, c);
}

static void bins_of_16(rugi_glcm_counting *c, const uint16_t *counts, size_t n)
{
    c->n_bins = 0;
    for (size_t k = 0; k < n; k++)
        if (counts[k] > 0)
            c->bin[c->n_bins++] = (rugi_glcm_bin_count){counts[k], (uint32_t)k};
}

rug_status rugi_glcm_more_sums(rug_context *ctx, rugi_glcm_counting *c,
                               rugi_glcm_sums *out, const rugi_glcm_matrix *m,
                               const uint16_t *difference, const uint16_t *sum)
{
    size_t span = m->tile->span;
    rug_status status = rugi_glcm_bins_begin(ctx, c, 2 * span);
    if (status != RUG_OK)
        return status;
    bins_of_16(c, difference, span);
    more_difference_sums(out, c, m);
    bins_of_16(c, sum, 2 * span - 1);
    more_sum_sums(out, c);
    return RUG_OK;
}

void rugi_glcm_histogram_sums(rugi_glcm_sums *out, rugi_glcm_counting *c,
                              size_t n_threads, const rugi_glcm_matrix *m)
{
    size_t span = m->tile->span, n = m->tile->n_ranks;
    rugi_glcm_add_up(c, n_threads, offsetof(rugi_glcm_counting, wide_difference), span);
    rugi_glcm_add_up(c, n_threads, offsetof(rugi_glcm_counting, wide_sum), 2 * span);
    rugi_glcm_add_up(c, n_threads, offsetof(rugi_glcm_counting, x_scratch), n);
    rugi_glcm_add_up(c, n_threads, offsetof(rugi_glcm_counting, y_scratch), n);
    rugi_glcm_marginal_sums(out, c, m);
    rugi_glcm_bins_of_32(c, c->wide_difference.data, span, 0, c->bulk.n);
    rugi_glcm_difference_sums(out, c, m);
    rugi_glcm_bins_of_32(c, c->wide_sum.data, 2 * span - 1, 2 * (size_t)c->bulk.level,
                         c->bulk.n);
    rugi_glcm_sum_sums(out, c, m);
}
