/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Matrices themselves: counted as for features, one region after the other, each by all threads
 * that it pays for; and the features of a matrix from anywhere, of which sums are made that
 * counting would have made. */

#include "core/context/engine.h"
#include "core/context/sized.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "glcm/count/glcm_whole.h"
#include "glcm/measure/glcm_measure.h"
#include <math.h>
#include <rugose/glcm_matrix.h>
#include <string.h>

/* ---- Counting ---- */

/* Offsets of a call: more than there are within a distance of 100 in a plane. */
#define MAX_OFFSETS 65535

/* What a call works with. */
typedef struct work {
    rug_context quiet; /* for loops that report no progress */
    rugi_glcm_plan plan;
    rugi_glcm_region region;
    rugi_glcm_whole whole;
    rugi_glcm_counting *counting; /* of each thread */
    rugi_glcm_scratch counts;
    size_t first_slice; /* of the region */
    rug_glcm_matrix_fn fn;
    void *user;
} work;

static rug_status take_options(rug_context *ctx, rug_glcm_options *own,
                               const rug_glcm_options *opts)
{
    *own = (rug_glcm_options)RUG_GLCM_OPTIONS_INIT;
    rug_status status = RUGI_TAKE(ctx, own, opts, "rug_glcm_options");
    if (status == RUG_OK)
        status = rugi_glcm_check_options(ctx, own);
    if (status != RUG_OK)
        return status;
    if (own->aggregate == RUG_GLCM_AGGREGATE_RANGE)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "matrices: aggregate RANGE given, which features alone have; "
            "NONE or MERGED expected");
    if (own->features != RUG_GLCM_FEATURES_14 || own->log_base != 2.0)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "matrices: a choice of features or of logarithms given, which "
            "rug_glcm_matrix_features() takes; the defaults expected");
    if (own->aggregate == RUG_GLCM_AGGREGATE_MEAN)
        own->aggregate = RUG_GLCM_AGGREGATE_NONE;
    return rugi_engine_cpu_only(ctx, "matrices of co-occurrence");
}

/* The levels of a region's matrices: those that there can be of bins by number, else those between
 * the least and the largest that occur. */
static rug_status frame_of(rug_context *ctx, rug_glcm_matrix *out, const work *w)
{
    const rugi_glcm_binning *b = &w->region.binning;
    rugi_glcm_i128 first = b->true_base, last = first + b->span - 1;
    if (w->plan.levels == RUG_GLCM_LEVELS_COUNT) {
        first = w->plan.is_frame ? 0 : 1;
        last = (rugi_glcm_i128)b->largest;
    }
    if (last - first >= RUG_GLCM_MATRIX_MAX_LEVELS)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "matrices: label %llu has levels from %.17g to %.17g, at most %d "
            "of them expected; use fewer levels COUNT, or a wider WIDTH",
            (unsigned long long)w->region.label, (double)first, (double)last,
            RUG_GLCM_MATRIX_MAX_LEVELS);
    if (last > INT64_MAX)
        return rug_context_fail(
            ctx, RUG_E_UNSUPPORTED,
            "matrices: label %llu has levels from %.17g, up to 2^63 - 1 "
            "expected; use levels COUNT or WIDTH",
            (unsigned long long)w->region.label, (double)first);
    out->label = w->region.label;
    out->level_min = (int64_t)first;
    out->n_levels = (uint32_t)(last - first) + 1;
    out->n_gray = (uint64_t)b->largest;
    return RUG_OK;
}

/* Adds n pairs of the levels at ranks i and j. */
static void add_pairs(uint64_t *counts, size_t n_levels, size_t i, size_t j, uint64_t n,
                      int is_symmetric)
{
    counts[i * n_levels + j] += n;
    if (is_symmetric)
        counts[j * n_levels + i] += n;
}

/* Puts the entries of the last matrix, and its background's, into a square of zeros. */
static void fill_counts(uint64_t *counts, const work *w, const rug_glcm_matrix *m,
                        const rugi_glcm_sums *sums, const rugi_glcm_tile *tile)
{
    const rugi_glcm_counting *c = w->counting;
    size_t n = m->n_levels;
    size_t base = (size_t)(w->region.binning.true_base - m->level_min);
    if (sums->pairs == 0)
        return;
    for (size_t e = 0; e < c->n_entries; e++)
        add_pairs(counts, n, base + tile->level_of[c->entry[e].i],
                  base + tile->level_of[c->entry[e].j], c->entry[e].n,
                  sums->is_symmetric);
    size_t level = base + c->bulk.level;
    if (c->bulk.n > 0)
        add_pairs(counts, n, level, level, c->bulk.n, sums->is_symmetric);
}

/* The largest coordinate of an offset. */
static uint32_t reach_of(const int32_t offset[3])
{
    int64_t reach = 0;
    for (int a = 0; a < 3; a++) {
        int64_t step = offset[a] < 0 ? -(int64_t)offset[a] : offset[a];
        reach = step > reach ? step : reach;
    }
    return (uint32_t)reach;
}

/* Says at which offset the matrix is. */
static void describe(rug_glcm_matrix *m, const rugi_glcm_plan *plan, uint32_t i)
{
    int offset[3] = {0, 0, 0};
    if (plan->aggregate != RUG_GLCM_AGGREGATE_MERGED)
        rugi_glcm_offset(plan, offset, i, m->distance);
    int is_listed = plan->offset != NULL || plan->aggregate == RUG_GLCM_AGGREGATE_MERGED;
    m->direction = is_listed ? -1 : (int)plan->direction[i];
    for (int a = 0; a < 3; a++)
        m->offset[a] = offset[a];
    if (plan->offset != NULL)
        m->distance = reach_of(plan->offset[i]);
}

static rug_status hand_out(work *w, rug_glcm_matrix *m, size_t number)
{
    rugi_glcm_matrices all = rugi_glcm_matrices_of(&w->plan, &w->region);
    describe(m, &w->plan, (uint32_t)(number % all.n_directions));
    rugi_glcm_place place;
    rugi_glcm_sums sums = {0};
    rug_status status = rugi_glcm_matrix_of(&w->quiet, w->counting, &place, &w->plan,
                                            &w->region, m->distance, number);
    if (status == RUG_OK && place.matrix.n_offsets > 0)
        status = rugi_glcm_count(&w->quiet, w->counting, &sums, &place.matrix);
    uint64_t *counts =
        rugi_glcm_grow(&w->quiet, &w->counts, (size_t)m->n_levels * m->n_levels,
                       sizeof *counts, "a matrix of co-occurrence");
    if (status != RUG_OK || counts == NULL)
        return status != RUG_OK ? status : RUG_E_NOMEM;
    status = rugi_glcm_clear(&w->quiet, counts,
                             (size_t)m->n_levels * m->n_levels * sizeof *counts);
    if (status != RUG_OK)
        return status;
    fill_counts(counts, w, m, &sums, &place.tile);
    m->slice = w->first_slice + number / all.n_directions;
    m->counts = counts;
    m->pairs = sums.pairs;
    return w->fn(w->user, m);
}

/* The matrices of one region. */
static rug_status measure(rug_context *ctx, work *w, size_t i)
{
    const rugi_glcm_plan *plan = &w->plan;
    rugi_glcm_region *r = &w->region;
    rug_glcm_matrix m = {0};
    r->whole = NULL;
    rug_status status = rugi_glcm_whole_new(&w->quiet, &w->whole, r, plan);
    if (status == RUG_OK && r->whole == NULL)
        status = rugi_glcm_cut(&w->quiet, r, plan, i);
    if (status == RUG_OK)
        status = frame_of(&w->quiet, &m, w);
    rugi_glcm_matrices all = rugi_glcm_matrices_of(plan, r);
    size_t n = all.n_slices * all.n_directions;
    if (plan->slices == RUG_GLCM_SLICES_MEAN && plan->regions != NULL)
        w->first_slice = rug_regions_at(plan->regions, i)->first[0];
    for (uint32_t d = 0; d < plan->n_distances && status == RUG_OK; d++) {
        m.distance = plan->distance[d];
        if (r->whole != NULL)
            status = rugi_glcm_whole_count(&w->quiet, &w->whole, r, m.distance);
        for (size_t k = 0; k < n && status == RUG_OK; k++) {
            status = hand_out(w, &m, k);
            if (status == RUG_OK)
                status = rug_context_step(ctx, (double)(k + 1 + d * n) /
                                                   ((double)n * plan->n_distances));
        }
    }
    return status;
}

static rug_status measure_all(rug_context *ctx, work *w)
{
    size_t n = w->plan.n_regions, n_threads = (size_t)rug_context_threads(ctx);
    w->counting = rugi_allocate_zeros(ctx, n_threads, sizeof *w->counting,
                                      "counters of co-occurrence");
    rug_status status = w->counting != NULL ? RUG_OK : RUG_E_NOMEM;
    for (size_t i = 0; i < n; i++)
        RUGI_PHASE(ctx, (double)i / (double)n, (double)(i + 1) / (double)n, status,
                   measure(ctx, w, i));
    for (size_t t = 0; t < n_threads && w->counting != NULL; t++)
        rugi_glcm_counting_free(ctx, &w->counting[t]);
    return status;
}

static rug_status count_all(rug_context *ctx, const rug_image *image,
                            const rug_glcm_options *opts, const int32_t (*offsets)[3],
                            size_t n_offsets, rug_glcm_matrix_fn fn, void *user)
{
    rug_source source = rugi_source_of_image(image);
    work w = {.quiet = rugi_context_quiet(ctx), .fn = fn, .user = user};
    rug_status status = RUG_OK;
    RUGI_PHASE(ctx, 0, 0.1, status, rugi_glcm_plan_new(ctx, &w.plan, &source, opts, 0));
    w.plan.with_entries = 1;
    w.plan.with_mcc = 0;
    if (offsets != NULL) {
        w.plan.offset = offsets;
        w.plan.n_directions = (uint32_t)n_offsets;
    }
    RUGI_PHASE(ctx, 0.1, 1, status, measure_all(ctx, &w));
    if (w.quiet.error[0] != '\0')
        rug_context_fail(ctx, status, "%s", w.quiet.error);
    if (status == RUG_OK)
        rugi_context_set_engine(ctx, w.plan.kernels.name);
    rug_context_release(ctx, w.counting);
    rugi_glcm_scratch_free(ctx, &w.counts);
    rugi_glcm_whole_free(ctx, &w.whole);
    rugi_glcm_region_free(ctx, &w.region);
    rugi_glcm_plan_free(ctx, &w.plan);
    return status;
}

rug_status rug_glcm_matrices(rug_context *ctx, const rug_image *image,
                             const rug_glcm_options *opts, rug_glcm_matrix_fn fn,
                             void *user)
{
    if (ctx == NULL || image == NULL || fn == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_glcm_matrices: NULL given");
    rug_glcm_options own;
    rug_status status = take_options(ctx, &own, opts);
    return status == RUG_OK ? count_all(ctx, image, &own, NULL, 0, fn, user) : status;
}

/* Whether offsets are some, and lead from a pixel to another one of the image. */
static rug_status check_offsets(rug_context *ctx, const rug_image *image,
                                const rug_glcm_options *opts, const int32_t (*offsets)[3],
                                size_t n)
{
    int is_flat = image->ndim == 2 || opts->slices != RUG_GLCM_SLICES_NONE;
    if (n < 1 || n > MAX_OFFSETS)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "matrices: %zu offsets given, 1..%d expected", n,
                                MAX_OFFSETS);
    if (opts->distances != NULL || opts->directions != 0 ||
        opts->aggregate == RUG_GLCM_AGGREGATE_MERGED)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "matrices: distances, directions or aggregate MERGED given "
            "beside offsets; offsets alone expected");
    for (size_t i = 0; i < n; i++) {
        const int32_t *o = offsets[i];
        uint32_t reach = reach_of(o);
        if (reach < 1 || reach > RUG_GLCM_MAX_DISTANCE || (is_flat && o[0] != 0) ||
            (opts->frame > 0 && reach > opts->frame))
            return rug_context_fail(
                ctx, RUG_E_ARG,
                "matrices: offset %ld %ld %ld (z y x) given; not all 0, each at most %d and no "
                "more than a frame is wide, and 0 along z of images and slices expected",
                (long)o[0], (long)o[1], (long)o[2], RUG_GLCM_MAX_DISTANCE);
    }
    return RUG_OK;
}

rug_status rug_glcm_matrices_at(rug_context *ctx, const rug_image *image,
                                const int32_t (*offsets)[3], size_t n_offsets,
                                const rug_glcm_options *opts, rug_glcm_matrix_fn fn,
                                void *user)
{
    if (ctx == NULL || image == NULL || offsets == NULL || fn == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_glcm_matrices_at: NULL given");
    rug_glcm_options own;
    rug_status status = take_options(ctx, &own, opts);
    if (status == RUG_OK)
        status = check_offsets(ctx, image, &own, offsets, n_offsets);
    return status == RUG_OK ? count_all(ctx, image, &own, offsets, n_offsets, fn, user)
                            : status;
}

/* ---- Features ---- */

/* So that all sums fit 128 bits, as in frames. */
#define MAX_PAIRS ((uint64_t)1 << 44)

/* A matrix from anywhere. */
typedef struct given {
    const uint64_t *counts;
    size_t n;
    int is_symmetric;
} given;

/* Pairs of levels i and j, of both orders together. */
static uint64_t pairs_at(const given *g, size_t i, size_t j)
{
    uint64_t n = g->counts[i * g->n + j];
    return g->is_symmetric && i == j ? n / 2 : n;
}

/* Where a row of pairs ends: those of a symmetric matrix are in its lower half. */
static size_t end_of_row(const given *g, size_t i)
{
    return g->is_symmetric ? i + 1 : g->n;
}

static rug_status check_counts(rug_context *ctx, const given *g)
{
    uint64_t n_pairs = 0;
    rug_status status = RUG_OK;
    for (size_t i = 0; i < g->n && status == RUG_OK; i++, status = rugi_look(ctx))
        for (size_t j = 0; j < end_of_row(g, i); j++) {
            uint64_t n = g->counts[i * g->n + j], other = g->counts[j * g->n + i];
            if (g->is_symmetric && (i == j ? n % 2 != 0 : n != other))
                return rug_context_fail(
                    ctx, RUG_E_ARG,
                    "a matrix with %llu at row %zu, column %zu and %llu the other way given; "
                    "of both orders a symmetric one with even numbers on its diagonal "
                    "expected. Set asymmetric for pairs in one order",
                    (unsigned long long)n, i, j, (unsigned long long)other);
            n = pairs_at(g, i, j);
            if (n >= MAX_PAIRS || (n_pairs += n) >= MAX_PAIRS)
                return rug_context_fail(
                    ctx, RUG_E_UNSUPPORTED,
                    "a matrix of %llu pairs or more given; fewer expected",
                    (unsigned long long)MAX_PAIRS);
        }
    return status;
}

/* What sums are made in: histograms of 64 bits, and a plan and a tile that stand for those of a
 * region. */
typedef struct feature_work {
    rugi_glcm_plan plan;
    rugi_glcm_region region;
    rugi_glcm_counting counting;
    rugi_glcm_matrix matrix;
    uint64_t *x, *y;            /* [n] marginals, of a symmetric matrix x alone */
    uint64_t *difference, *sum; /* [n], [2 n - 1] */
    uint16_t *rank_of;          /* [n] of the levels that occur */
    rugi_glcm_scratch histograms, closeness, ranks;
} feature_work;

static rug_status get_memory(rug_context *ctx, feature_work *w, size_t n)
{
    static const char what[] = "features of a matrix";
    uint64_t *all = rugi_glcm_grow(ctx, &w->histograms, 5 * n, sizeof *all, what);
    double *closeness = rugi_glcm_grow(ctx, &w->closeness, n, sizeof *closeness, what);
    w->rank_of = rugi_glcm_grow(ctx, &w->ranks, n, sizeof *w->rank_of, what);
    if (all == NULL || closeness == NULL || w->rank_of == NULL)
        return RUG_E_NOMEM;
    memset(all, 0, 5 * n * sizeof *all);
    for (size_t k = 0; k < n; k++)
        closeness[k] = 1 / (1 + (double)k * (double)k);
    w->x = all;
    w->y = all + n;
    w->difference = all + 2 * n;
    w->sum = all + 3 * n;
    w->plan.closeness = closeness;
    w->matrix.plan = &w->plan;
    w->matrix.tile = &w->region.tile;
    return rugi_glcm_bins_begin(ctx, &w->counting, 2 * n);
}

/* Sums over the entries, and histograms. */
static rug_status add_entries(rug_context *ctx, feature_work *w, rugi_glcm_sums *out,
                              const given *g)
{
    rug_status status = RUG_OK;
    for (size_t i = 0; i < g->n && status == RUG_OK; i++, status = rugi_look(ctx))
        for (size_t j = 0; j < end_of_row(g, i); j++) {
            uint64_t n = pairs_at(g, i, j), entry = g->counts[i * g->n + j];
            rugi_glcm_u128 square = (rugi_glcm_u128)entry * entry;
            if (n == 0)
                continue;
            out->pairs += n;
            out->squares += g->is_symmetric && i != j ? 2 * square : square;
            out->t += rugi_glcm_t(&w->plan.logs, n);
            out->largest = entry > out->largest ? entry : out->largest;
            w->x[i] += n;
            *(g->is_symmetric ? &w->x[j] : &w->y[j]) += n;
            w->difference[i > j ? i - j : j - i] += n;
            w->sum[i + j] += n;
        }
    out->total = g->is_symmetric ? 2 * out->pairs : out->pairs;
    return status;
}

static void add_marginal(rugi_glcm_u128 *t, rugi_glcm_u128 *first, rugi_glcm_u128 *second,
                         const feature_work *w, const uint64_t *counts, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        *t += rugi_glcm_t(&w->plan.logs, counts[k]);
        *first += (rugi_glcm_u128)counts[k] * k;
        *second += (rugi_glcm_u128)counts[k] * k * k;
    }
}

static void make_bins(rugi_glcm_counting *c, const uint64_t *counts, size_t n)
{
    c->n_bins = 0;
    for (size_t k = 0; k < n; k++)
        if (counts[k] > 0)
            c->bin[c->n_bins++] = (rugi_glcm_bin_count){counts[k], (uint32_t)k};
}

/* f14 needs entries of 32 bits, by the levels that occur; a larger one is several. */
static rug_status find_mcc(rug_context *ctx, feature_work *w, rugi_glcm_sums *out,
                           const given *g)
{
    rugi_glcm_counting *c = &w->counting;
    size_t n = 0;
    for (size_t i = 0; i < g->n; i++) {
        w->rank_of[i] = (uint16_t)w->region.tile.n_ranks;
        w->region.tile.n_ranks += w->x[i] + w->y[i] > 0;
        for (size_t j = 0; j < end_of_row(g, i); j++)
            n += (size_t)((pairs_at(g, i, j) + UINT32_MAX - 1) / UINT32_MAX);
    }
    c->entry = rugi_glcm_grow(ctx, &c->entry_scratch, n, sizeof *c->entry,
                              "entries of a matrix");
    if (c->entry == NULL)
        return RUG_E_NOMEM;
    for (size_t i = 0; i < g->n; i++)
        for (size_t j = 0; j < end_of_row(g, i); j++)
            for (uint64_t left = pairs_at(g, i, j), here; left > 0; left -= here) {
                here = left < UINT32_MAX ? left : UINT32_MAX;
                c->entry[c->n_entries++] = (rugi_glcm_entry){
                    .i = w->rank_of[i], .j = w->rank_of[j], .n = (uint32_t)here};
            }
    uint64_t largest = out->largest;
    rug_status status = rugi_glcm_entry_sums(ctx, c, out, &w->matrix);
    out->largest = largest;
    return status;
}

static rug_status find_sums(rug_context *ctx, feature_work *w, rugi_glcm_sums *out,
                            const given *g)
{
    *out = (rugi_glcm_sums){.is_symmetric = g->is_symmetric};
    rug_status status = add_entries(ctx, w, out, g);
    if (status != RUG_OK || out->pairs == 0)
        return status;
    add_marginal(&out->t_x, &out->x1, &out->x2, w, w->x, g->n);
    if (g->is_symmetric)
        out->t_y = out->t_x, out->y1 = out->x1, out->y2 = out->x2;
    else
        add_marginal(&out->t_y, &out->y1, &out->y2, w, w->y, g->n);
    make_bins(&w->counting, w->difference, g->n);
    rugi_glcm_difference_sums(out, &w->counting, &w->matrix);
    make_bins(&w->counting, w->sum, 2 * g->n - 1);
    rugi_glcm_sum_sums(out, &w->counting, &w->matrix);
    return w->plan.with_mcc ? find_mcc(ctx, w, out, g) : RUG_OK;
}

static rug_status take_matrix_options(rug_context *ctx, rug_glcm_matrix_options *own,
                                      const rug_glcm_matrix_options *opts,
                                      size_t n_levels)
{
    *own = (rug_glcm_matrix_options)RUG_GLCM_MATRIX_OPTIONS_INIT;
    rug_status status = RUGI_TAKE(ctx, own, opts, "rug_glcm_matrix_options");
    if (status != RUG_OK)
        return status;
    if (n_levels < 1 || n_levels > RUG_GLCM_MATRIX_MAX_LEVELS)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "a matrix of %zu levels given, 1..%d expected", n_levels,
                                RUG_GLCM_MATRIX_MAX_LEVELS);
    rug_glcm_options same =
        RUG_GLCM_OPTIONS_INIT; /* the rules of these are those of it */
    same.features = own->features;
    same.log_base = own->log_base;
    return rugi_glcm_check_options(ctx, &same);
}

static void plan_features(feature_work *w, const rug_glcm_matrix_options *opts, size_t n)
{
    rugi_glcm_plan *p = &w->plan;
    p->is_symmetric = !opts->asymmetric;
    p->with_entries = p->with_mcc = opts->features != RUG_GLCM_FEATURES_13;
    p->with_all = opts->features == RUG_GLCM_FEATURES_ALL;
    p->per_nat = rugi_glcm_per_nat(opts->log_base);
    w->matrix.n_gray = opts->n_gray > 0 ? (double)opts->n_gray : (double)n;
    w->region.binning.true_base = opts->level_min;
}

rug_status rug_glcm_matrix_features(rug_context *ctx, double *features, size_t n_features,
                                    rug_glcm_status *status_out, const uint64_t *counts,
                                    size_t n_levels, const rug_glcm_matrix_options *opts)
{
    if (ctx == NULL || features == NULL || n_features == 0 || counts == NULL)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "rug_glcm_matrix_features: NULL or 0 given");
    memset(features, 0, n_features * sizeof *features);
    if (status_out != NULL)
        *status_out = RUG_GLCM_OK;
    rug_glcm_matrix_options own;
    rug_status status = take_matrix_options(ctx, &own, opts, n_levels);
    given g = {counts, n_levels, !own.asymmetric};
    if (status == RUG_OK)
        status = check_counts(ctx, &g);
    if (status != RUG_OK)
        return status;
    feature_work w = {.region = {.label = 0}};
    rugi_glcm_sums sums;
    rugi_glcm_measured measured;
    plan_features(&w, &own, n_levels);
    status = get_memory(ctx, &w, n_levels);
    if (status == RUG_OK)
        status = find_sums(ctx, &w, &sums, &g);
    if (status == RUG_OK) {
        rugi_glcm_finish(&measured, &sums, &w.plan, &w.region);
        for (size_t i = 0; i < n_features; i++)
            features[i] = i < RUG_GLCM_N_FEATURES ? measured.features[i] : (double)NAN;
        if (status_out != NULL)
            *status_out = rugi_glcm_status_of(&measured);
    }
    rugi_glcm_counting_free(ctx, &w.counting);
    rugi_glcm_scratch_free(ctx, &w.histograms);
    rugi_glcm_scratch_free(ctx, &w.closeness);
    rugi_glcm_scratch_free(ctx, &w.ranks);
    return status;
}
