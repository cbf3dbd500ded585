/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The result: histograms by label and operator. */

#include "lbp/codes/lbp_run.h"
#include <string.h>

/* Histograms of one label, of which *bins are the first; moves on behind them. */
static void make_label(rug_lbp_histogram *h, const rugi_lbp_plan *plan, uint64_t label,
                       uint64_t **bins)
{
    for (uint32_t i = 0; i < plan->n_operators; i++) {
        h[i] = (rug_lbp_histogram){
            .label = label, .op = i, .n_bins = plan->op[i].n_bins, .bins = *bins};
        *bins += plan->op[i].n_bins;
    }
}

static rug_status make_histograms(rug_context *ctx, rug_lbp_result *r,
                                  const rugi_lbp_plan *plan, const rug_regions *regions)
{
    size_t n_labels = regions != NULL ? rug_regions_count(regions) : 1;
    size_t n_bins = 0;
    for (uint32_t i = 0; i < plan->n_operators; i++)
        n_bins += plan->op[i].n_bins;
    r->histograms = rug_context_allocate(
        ctx, n_labels, plan->n_operators * sizeof *r->histograms, "histograms");
    r->bins = rug_context_allocate(ctx, n_labels, n_bins * sizeof *r->bins,
                                   "bins of histograms");
    if (r->histograms == NULL || r->bins == NULL)
        return RUG_E_NOMEM;
    memset(r->bins, 0, n_labels * n_bins * sizeof *r->bins);
    r->n = n_labels * plan->n_operators;
    uint64_t *bins = r->bins;
    for (size_t k = 0; k < n_labels; k++) {
        uint64_t label = regions != NULL ? rug_regions_at(regions, k)->label : 0;
        make_label(r->histograms + k * plan->n_operators, plan, label, &bins);
    }
    return RUG_OK;
}

rug_status rugi_lbp_result_new(rug_context *ctx, rug_lbp_result **out,
                               const rugi_lbp_plan *plan, const rug_regions *regions)
{
    *out = NULL;
    rug_lbp_result *r = rug_context_allocate(ctx, 1, sizeof *r, "a result");
    if (r == NULL)
        return RUG_E_NOMEM;
    *r = (rug_lbp_result){.ctx = ctx, .engine = "none"};
    rug_status status = make_histograms(ctx, r, plan, regions);
    if (status == RUG_OK)
        *out = r;
    else
        rug_lbp_free(r);
    return status;
}

void rugi_lbp_result_close(rug_lbp_result *result)
{
    for (size_t i = 0; i < result->n; i++) {
        rug_lbp_histogram *h = &result->histograms[i];
        for (uint32_t b = 0; b < h->n_bins; b++)
            h->pixels += h->bins[b];
    }
}

void rug_lbp_free(rug_lbp_result *result)
{
    if (result == NULL)
        return;
    rug_context *ctx = result->ctx;
    rug_context_release(ctx, result->bins);
    rug_context_release(ctx, result->histograms);
    rug_context_release(ctx, result);
}

size_t rug_lbp_count(const rug_lbp_result *result)
{
    return result != NULL ? result->n : 0;
}

const rug_lbp_histogram *rug_lbp_at(const rug_lbp_result *result, size_t i)
{
    return result != NULL && i < result->n ? &result->histograms[i] : NULL;
}

const char *rug_lbp_engine(const rug_lbp_result *result)
{
    return result != NULL ? result->engine : "none";
}
