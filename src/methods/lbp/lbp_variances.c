/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Variances of many images, counted in buckets of 2^-8 of their value, and the cuts that
 * part them in bins of equal frequency (Ojala et al. 2002, section 2.4). Buckets add up,
 * so that neither the order of the images nor the number of threads matters. */

#include "core/context/context_internal.h"
#include "core/context/sized.h"
#include "core/context/threads.h"
#include "core/image/source_internal.h"
#include "lbp/plan/lbp_plan.h"
#include <float.h>
#include <math.h>
#include <rugose/lbp_model.h>
#include <string.h>

/* The sign is 0; 11 bits of exponent and 8 of the mantissa number a bucket. */
#define BUCKET_SHIFT 44
#define N_BUCKETS    ((size_t)1 << 19)
#define MOST_BINS    1024

static const char what[] = "variances of images";

struct rug_lbp_variances {
    rug_context *ctx;
    rug_lbp_options options; /* of VAR, with least_variance as its only cut */
    rug_lbp_operator operators[RUG_LBP_MAX_OPERATORS];
    uint64_t *buckets; /* [operator][N_BUCKETS]; bucket 0 holds variances of 0 */
};

/* Below are variances of 0, which maps do not tell from pixels without a code. */
static const double least_variance = DBL_MIN;

/* An image whose variances come in. */
typedef struct job {
    rug_context *ctx;
    rug_lbp_variances *variances;
    const rug_image *mask; /* NULL: there is none */
} job;

/* Buckets that a thread counts by itself: those of four octaves, so that what all threads write is
 * written once for very many pixels. */
#define N_NEAR 1024

typedef struct tally {
    RUGI_OWN_LINES uint64_t *buckets; /* of all threads */
    uint32_t near[N_NEAR];            /* which bucket is counted there, */
    uint64_t n[N_NEAR];               /* and how often it was seen */
} tally;

static void drain(tally *t, size_t slot)
{
    if (t->n[slot] > 0)
        __atomic_fetch_add(&t->buckets[t->near[slot]], t->n[slot], __ATOMIC_RELAXED);
    t->n[slot] = 0;
}

static void add_segment(void *state, const void *pixels, size_t n)
{
    tally *t = state;
    const double *variance = pixels;
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        if (!(variance[i] >= least_variance)) /* counted as zeros, or NaN */
            continue;
        memcpy(&bits, &variance[i], sizeof bits);
        uint32_t bucket = (uint32_t)(bits >> BUCKET_SHIFT);
        size_t slot = bucket % N_NEAR;
        if (t->near[slot] != bucket)
            drain(t, slot);
        t->near[slot] = bucket;
        t->n[slot]++;
    }
}

/* Maps know no mask, so it is applied here. */
static rug_status add_rows(void *user, const rug_lbp_rows *rows)
{
    const job *j = user;
    const size_t shape[2] = {rows->n, rows->nx};
    rug_image view, mask;
    rug_status status = rug_image_view(j->ctx, &view, rows->codes, rows->dtype, 2, shape);
    if (status != RUG_OK)
        return status;
    if (j->mask != NULL) {
        mask = *j->mask;
        mask.shape[0] = rows->n;
        mask.data = (const char *)mask.data + (ptrdiff_t)rows->first * mask.stride[0];
    }
    size_t n_threads = (size_t)rug_context_threads(j->ctx);
    tally *tallies = rugi_allocate_zeros(j->ctx, n_threads, sizeof *tallies, what);
    if (tallies == NULL)
        return RUG_E_NOMEM;
    for (size_t t = 0; t < n_threads; t++)
        tallies[t].buckets = j->variances->buckets + rows->op * N_BUCKETS;
    status = rugi_image_for_segments(j->ctx, &view, j->mask != NULL ? &mask : NULL,
                                     add_segment, tallies, sizeof *tallies);
    for (size_t t = 0; t < n_threads; t++)
        for (size_t slot = 0; slot < N_NEAR; slot++)
            drain(&tallies[t], slot);
    rug_context_release(j->ctx, tallies);
    return status;
}

/* Options that show all variances, and count those of 0 as bin 0. */
static void set_options(rug_lbp_variances *v, const rug_lbp_options *opts)
{
    uint32_t n;
    const rug_lbp_operator *ops = rugi_lbp_operators(opts, &n);
    v->options.operators = v->operators;
    v->options.n_operators = n;
    v->options.method = RUG_LBP_VAR;
    v->options.interpolation = opts->interpolation;
    v->options.border = opts->border;
    for (uint32_t i = 0; i < n; i++) {
        v->operators[i] = ops[i];
        v->operators[i].cuts = &least_variance;
        v->operators[i].n_cuts = 1;
    }
}

static rug_lbp_variances *make(rug_context *ctx, const rug_lbp_options *opts)
{
    rug_lbp_variances *v = rug_context_allocate(ctx, 1, sizeof *v, what);
    if (v == NULL)
        return NULL;
    *v = (rug_lbp_variances){.ctx = ctx, .options = RUG_LBP_OPTIONS_INIT};
    set_options(v, opts);
    size_t n = v->options.n_operators;
    v->buckets = rug_context_allocate(ctx, n * N_BUCKETS, sizeof *v->buckets, what);
    if (v->buckets == NULL) {
        rug_context_release(ctx, v);
        return NULL;
    }
    memset(v->buckets, 0, n * N_BUCKETS * sizeof *v->buckets);
    return v;
}

rug_status rug_lbp_variances_new(rug_context *ctx, rug_lbp_variances **out,
                                 const rug_lbp_options *opts)
{
    rug_lbp_options own = RUG_LBP_OPTIONS_INIT;
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lbp_variances_new: NULL given");
    rug_status status = RUGI_TAKE(ctx, &own, opts, "rug_lbp_options");
    if (status == RUG_OK)
        status = rugi_lbp_plan_check(ctx, &own);
    if (status != RUG_OK)
        return status;
    *out = make(ctx, &own);
    return *out != NULL ? RUG_OK : RUG_E_NOMEM;
}

void rug_lbp_variances_free(rug_lbp_variances *variances)
{
    if (variances == NULL)
        return;
    rug_context_release(variances->ctx, variances->buckets);
    rug_context_release(variances->ctx, variances);
}

/* A mask is wanted in memory: maps come in blocks of rows of their own. */
static rug_status open_mask(rug_context *ctx, rugi_twin *twin, const rug_source *mask,
                            const rug_source *source)
{
    rug_image shape = {.ndim = source->ndim};
    memcpy(shape.shape, source->shape, sizeof shape.shape);
    return rugi_twin_open(ctx, twin, mask, "mask", &shape);
}

static rug_status add_source(rug_context *ctx, rug_lbp_variances *variances,
                             const rug_source *source, const rug_lbp_options *opts)
{
    rug_lbp_result *result;
    rug_status status = rug_lbp_source(ctx, &result, source, opts);
    if (status != RUG_OK)
        return status;
    for (size_t i = 0; i < variances->options.n_operators; i++)
        variances->buckets[i * N_BUCKETS] += rug_lbp_at(result, i)->bins[0];
    rug_lbp_free(result);
    return RUG_OK;
}

rug_status rug_lbp_variances_add(rug_context *ctx, rug_lbp_variances *variances,
                                 const rug_source *source, const rug_source *mask)
{
    if (ctx == NULL || variances == NULL || source == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lbp_variances_add: NULL given");
    rug_source own, inside = RUG_SOURCE_INIT;
    rugi_twin twin = {.image = NULL};
    rug_status status = rugi_source_take(ctx, &own, source, "source");
    if (status == RUG_OK)
        status = open_mask(ctx, &twin, mask, &own);
    if (status == RUG_OK) {
        job j = {.ctx = ctx, .variances = variances, .mask = twin.image};
        rug_lbp_options opts = variances->options;
        if (twin.image != NULL)
            opts.mask = rug_source_of_image(&inside, twin.image);
        opts.map = add_rows;
        opts.map_user = &j;
        status = add_source(ctx, variances, &own, &opts);
    }
    rugi_twin_close(ctx, &twin);
    return status;
}

/* The least variance of a bucket. */
static double edge_of(size_t bucket)
{
    uint64_t bits = (uint64_t)bucket << BUCKET_SHIFT;
    double edge;
    memcpy(&edge, &bits, sizeof edge);
    return edge;
}

static size_t next_bucket(const uint64_t *buckets, size_t from)
{
    while (from < N_BUCKETS && buckets[from] == 0)
        from++;
    return from;
}

/* Walks up the buckets; where a quantile lies inside one, the nearer of its edges is
 * taken. A cut has variances on either side. */
static uint32_t place_cuts(const uint64_t *buckets, double n_all, uint32_t n_bins,
                           double *cuts)
{
    uint32_t n_cuts = 0, k = 1;
    double below = 0;
    for (size_t b = next_bucket(buckets, 0); b < N_BUCKETS;) {
        size_t next = next_bucket(buckets, b + 1);
        double with = below + (double)buckets[b];
        int is_lower = 0, is_upper = 0;
        for (; k < n_bins && n_all * k <= with * n_bins; k++) {
            double rank = n_all * k / n_bins;
            if (rank - below < with - rank)
                is_lower = 1;
            else
                is_upper = 1;
        }
        if (is_lower && below > 0 && isfinite(edge_of(b)) &&
            (n_cuts == 0 || cuts[n_cuts - 1] < edge_of(b)))
            cuts[n_cuts++] = edge_of(b);
        if (is_upper && next < N_BUCKETS && isfinite(edge_of(next)))
            cuts[n_cuts++] = edge_of(next);
        below = with;
        b = next;
    }
    return n_cuts;
}

rug_status rug_lbp_variances_cuts(rug_context *ctx, const rug_lbp_variances *variances,
                                  uint32_t op, uint32_t n_bins, double *cuts,
                                  uint32_t *n_cuts)
{
    if (n_cuts != NULL)
        *n_cuts = 0;
    if (ctx == NULL || variances == NULL || cuts == NULL || n_cuts == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lbp_variances_cuts: NULL given");
    if (op >= variances->options.n_operators)
        return rug_context_fail(ctx, RUG_E_ARG, "operator %u of %u requested", op,
                                variances->options.n_operators);
    if (n_bins < 2 || n_bins > MOST_BINS)
        return rug_context_fail(ctx, RUG_E_ARG, "%u bins given, 2..%d expected", n_bins,
                                MOST_BINS);
    const uint64_t *buckets = variances->buckets + op * N_BUCKETS;
    double n_all = 0;
    for (size_t b = 0; b < N_BUCKETS; b++)
        n_all += (double)buckets[b];
    *n_cuts = place_cuts(buckets, n_all, n_bins, cuts);
    return *n_cuts > 0
               ? RUG_OK
               : rug_context_fail(ctx, RUG_E_ARG,
                                  "the variances of (%u, %g) cannot be divided into "
                                  "bins: all %.0f of them are about the same",
                                  variances->operators[op].points,
                                  variances->operators[op].radius, n_all);
}
