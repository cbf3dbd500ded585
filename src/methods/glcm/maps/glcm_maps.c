/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Maps of co-occurrence features: the image is cut out once, as one region, whose range
 * is that of the image, and rows of the maps are made by all threads, a block after the
 * other. */

#include "core/context/context_internal.h"
#include "core/context/engine.h"
#include "core/context/sized.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "core/image/image_internal.h"
#include "glcm_slide.h"
#include <math.h>
#include <rugose/glcm_maps.h>
#include <stdio.h>
#include <string.h>

/* Values of a block of rows at most, unless a row for each thread is more. */
#define BLOCK_VALUES ((size_t)1 << 20)

#define FEATURE(name) ((uint32_t)1 << RUG_GLCM_##name)

/* Features that follow from sums over pairs, and those that need counters. */
#define FROM_MOMENTS                                                                     \
    (FEATURE(CONTRAST) | FEATURE(CORRELATION) | FEATURE(VARIANCE) |                      \
     FEATURE(INVERSE_DIFFERENCE_MOMENT) | FEATURE(SUM_AVERAGE) | FEATURE(SUM_VARIANCE) | \
     FEATURE(DIFFERENCE_VARIANCE) | FEATURE(JOINT_AVERAGE) |                             \
     FEATURE(DIFFERENCE_AVERAGE) | FEATURE(DISSIMILARITY) | FEATURE(AUTOCORRELATION) |   \
     FEATURE(CLUSTER_TENDENCY))
#define FROM_COUNTS                                                             \
    (FEATURE(ANGULAR_SECOND_MOMENT) | FEATURE(SUM_ENTROPY) | FEATURE(ENTROPY) | \
     FEATURE(DIFFERENCE_ENTROPY) | FEATURE(INFO_CORRELATION_1) |                \
     FEATURE(INFO_CORRELATION_2))

/* f1 .. f13. */
#define DEFAULT_FEATURES 13

typedef struct work {
    rugi_glcm_plan plan;
    rugi_glcm_region region;
    rugi_glcm_windows windows;
    rugi_glcm_u128 *weight;
    size_t n_slides;
    rugi_glcm_slide *slide; /* [n_slides] */
    size_t n_rows;          /* of a block */
    double *values;         /* [n_features][n_rows][nx] */
    size_t first;           /* row of the block */
    int leaves_out;         /* pixels that are in no pair have no value */
} work;

int rug_glcm_has_map(rug_glcm_feature feature)
{
    return (unsigned)feature < RUG_GLCM_N_FEATURES &&
           ((FROM_MOMENTS | FROM_COUNTS) >> (unsigned)feature & 1) != 0;
}

static rug_status check_features(rug_context *ctx, const rug_glcm_maps_options *maps)
{
    uint32_t seen = 0;
    if ((maps->features == NULL) != (maps->n_features == 0))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "maps: %lu features given; a list and its length "
                                "expected, or NULL and 0 for f1 to f13",
                                (unsigned long)maps->n_features);
    for (uint32_t i = 0; i < maps->n_features; i++) {
        rug_glcm_feature f = maps->features[i];
        if (!rug_glcm_has_map(f))
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "maps: no map of feature %d (%s); f1 to f13, the "
                                    "joint and difference averages, autocorrelation and "
                                    "cluster tendency have one",
                                    (int)f, rug_glcm_feature_name(f));
        if (seen >> f & 1)
            return rug_context_fail(ctx, RUG_E_ARG, "maps: feature %d (%s) given twice",
                                    (int)f, rug_glcm_feature_name(f));
        seen |= (uint32_t)1 << f;
    }
    return RUG_OK;
}

/* Options that maps do not support. */
static rug_status check_choices(rug_context *ctx, const rug_glcm_options *opts)
{
    const struct {
        int is_given;
        const char *what;
    } all[] = {
        {opts->asymmetric, "asymmetric pairs"},
        {opts->pairs != RUG_GLCM_PAIRS_INSIDE, "pairs of a FRAME"},
        {opts->range == RUG_GLCM_RANGE_ROI, "the range of each region"},
        {opts->aggregate != RUG_GLCM_AGGREGATE_MEAN, "an aggregate other than MEAN"},
        {opts->slices != RUG_GLCM_SLICES_NONE, "slices"},
        {opts->labels != NULL, "labels"},
        {opts->features != RUG_GLCM_FEATURES_14,
         "features of regions, not the list of the maps,"},
        {opts->n_distances > 1, "more than one distance"},
        {opts->directions >> RUG_GLCM_DIRECTIONS_2D != 0, "directions of volumes"},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].is_given)
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "maps: %s requested, which maps do not support",
                                    all[i].what);
    return RUG_OK;
}

static int is_side(size_t n)
{
    return n >= RUG_GLCM_MIN_WINDOW && n <= RUG_GLCM_MAX_WINDOW && n % 2 == 1;
}

/* Whether the window has room for a pair. */
static int has_pairs(const rug_glcm_options *opts, const rug_glcm_maps_options *maps,
                     uint32_t distance)
{
    for (uint32_t k = 0; k < RUG_GLCM_DIRECTIONS_2D; k++) {
        int step[3];
        rug_glcm_direction(NULL, step, 2, k);
        int is_taken = opts->directions == 0 || (opts->directions >> k & 1) != 0;
        if (is_taken && (step[1] == 0 || distance < maps->rows) &&
            (step[2] == 0 || distance < maps->columns))
            return 1;
    }
    return 0;
}

/* "7", or "3x7". */
#define SIDES_MAX 48
static const char *format_sides(char text[SIDES_MAX], const rug_glcm_maps_options *maps)
{
    int is_square = maps->rows == maps->columns;
    snprintf(text, SIDES_MAX, is_square ? "%zu" : "%zux%zu", maps->rows, maps->columns);
    return text;
}

/* Sets both sides of the window. */
static rug_status take_sides(rug_context *ctx, rug_glcm_maps_options *maps)
{
    char text[SIDES_MAX];
    if (maps->rows == 0 && maps->columns == 0)
        maps->rows = maps->columns = maps->window;
    if (!is_side(maps->rows) || !is_side(maps->columns))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "maps: a window of %s given, an odd number from %d to %d "
                                "expected for each side",
                                format_sides(text, maps), RUG_GLCM_MIN_WINDOW,
                                RUG_GLCM_MAX_WINDOW);
    return RUG_OK;
}

static rug_status check(rug_context *ctx, const rug_glcm_options *opts,
                        rug_glcm_maps_options *maps)
{
    char text[SIDES_MAX];
    rug_status status = rugi_glcm_check_options(ctx, opts);
    if (status == RUG_OK)
        status = check_choices(ctx, opts);
    if (status != RUG_OK)
        return status;
    uint32_t distance = opts->distances != NULL ? *opts->distances : 1;
    status = take_sides(ctx, maps);
    if (status == RUG_OK && !has_pairs(opts, maps, distance))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "maps: distance %lu given for a window of %s, which "
                                "leaves no pairs; a smaller distance expected",
                                (unsigned long)distance, format_sides(text, maps));
    if (status != RUG_OK)
        return status;
    return check_features(ctx, maps);
}

static rug_status take_options(rug_context *ctx, rug_glcm_options *own_opts,
                               rug_glcm_maps_options *own_maps,
                               const rug_glcm_options *opts,
                               const rug_glcm_maps_options *maps)
{
    *own_opts = (rug_glcm_options)RUG_GLCM_OPTIONS_INIT;
    *own_maps = (rug_glcm_maps_options)RUG_GLCM_MAPS_OPTIONS_INIT;
    rug_status status = RUGI_TAKE(ctx, own_opts, opts, "rug_glcm_options");
    if (status == RUG_OK)
        status = RUGI_TAKE(ctx, own_maps, maps, "rug_glcm_maps_options");
    if (status == RUG_OK)
        status = check(ctx, own_opts, own_maps);
    return status == RUG_OK ? rugi_engine_cpu_only(ctx, "mapping windows") : status;
}

rug_status rug_glcm_maps_check_options(rug_context *ctx, const rug_glcm_options *opts,
                                       const rug_glcm_maps_options *maps)
{
    rug_glcm_options own_opts;
    rug_glcm_maps_options own_maps;
    return ctx != NULL ? take_options(ctx, &own_opts, &own_maps, opts, maps) : RUG_E_ARG;
}

/* Unordered pairs: those of each direction begin at the upper pixel. */
static void set_steps(rugi_glcm_windows *w, const rugi_glcm_plan *plan)
{
    w->n_steps = plan->n_directions;
    for (uint32_t i = 0; i < w->n_steps; i++) {
        int offset[3];
        rugi_glcm_offset(plan, offset, i, plan->distance[0]);
        int down = offset[1] < 0, dx = down ? -offset[2] : offset[2];
        w->step[i] = (rugi_glcm_step){.dy = (size_t)(down ? -offset[1] : offset[1]),
                                      .dx = (size_t)(dx < 0 ? -dx : dx),
                                      .is_left = dx < 0};
    }
}

static void set_features(rugi_glcm_windows *w, const rug_glcm_maps_options *maps)
{
    w->n_features = maps->features != NULL ? maps->n_features : DEFAULT_FEATURES;
    for (uint32_t i = 0; i < w->n_features; i++) {
        w->feature[i] = maps->features != NULL ? maps->features[i] : (rug_glcm_feature)i;
        w->wanted |= (uint32_t)1 << w->feature[i];
    }
    w->with_counts = (w->wanted & FROM_COUNTS) != 0;
}

static rug_status make_weights(rug_context *ctx, work *w)
{
    size_t n = w->region.tile.span;
    w->weight = rug_context_allocate(ctx, n, sizeof *w->weight, "weights of differences");
    for (size_t k = 0; w->weight != NULL && k < n; k++)
        w->weight[k] =
            ((rugi_glcm_u128)1 << RUGI_GLCM_WEIGHT_BITS) / (1 + (rugi_glcm_u128)k * k);
    w->windows.weight = w->weight;
    return w->weight != NULL ? RUG_OK : RUG_E_NOMEM;
}

static const char what[] = "counters of windows";

static rug_status make_slide(rug_context *ctx, rugi_glcm_slide *s,
                             const rugi_glcm_windows *w)
{
    size_t n = rugi_larger(w->tile->n_ranks, 1);
    s->n_means = rugi_allocate_zeros(ctx, w->tile->nx, sizeof *s->n_means, what);
    if (s->n_means == NULL || !w->with_counts)
        return s->n_means != NULL ? RUG_OK : RUG_E_NOMEM;
    s->matrix = rugi_allocate_zeros(ctx, n * (n + 1) / 2, sizeof *s->matrix, what);
    s->marginal = rugi_allocate_zeros(ctx, n, sizeof *s->marginal, what);
    s->difference = rugi_allocate_zeros(ctx, w->tile->span, sizeof *s->difference, what);
    s->sum = rugi_allocate_zeros(ctx, 2 * (size_t)w->tile->span, sizeof *s->sum, what);
    return s->matrix != NULL && s->marginal != NULL && s->difference != NULL &&
                   s->sum != NULL
               ? RUG_OK
               : RUG_E_NOMEM;
}

static rug_status make_slides(rug_context *ctx, work *w)
{
    const rugi_glcm_tile *t = &w->region.tile;
    size_t n = (size_t)rug_context_threads(ctx);
    size_t row = t->nx * w->windows.n_features;
    w->n_slides = rugi_smaller(n, t->ny);
    w->n_rows = rugi_smaller(rugi_larger(BLOCK_VALUES / row, w->n_slides), t->ny);
    w->values =
        rug_context_allocate(ctx, w->n_rows * row, sizeof *w->values, "rows of maps");
    w->slide = rugi_allocate_zeros(ctx, w->n_slides, sizeof *w->slide, what);
    if (w->values == NULL || w->slide == NULL)
        return RUG_E_NOMEM;
    rug_status status = RUG_OK;
    for (size_t i = 0; i < w->n_slides && status == RUG_OK; i++) {
        status = make_slide(ctx, &w->slide[i], &w->windows);
        if (status == RUG_OK)
            status = rugi_look(ctx);
    }
    return status;
}

static void free_work(rug_context *ctx, work *w)
{
    for (size_t i = 0; i < w->n_slides && w->slide != NULL; i++) {
        rugi_glcm_slide *s = &w->slide[i];
        rug_context_release(ctx, s->n_means);
        rug_context_release(ctx, s->matrix);
        rug_context_release(ctx, s->marginal);
        rug_context_release(ctx, s->difference);
        rug_context_release(ctx, s->sum);
    }
    rug_context_release(ctx, w->slide);
    rug_context_release(ctx, w->values);
    rug_context_release(ctx, w->weight);
    rugi_glcm_region_free(ctx, &w->region);
    rugi_glcm_plan_free(ctx, &w->plan);
}

static rug_status check_levels(rug_context *ctx, uint32_t n)
{
    if (n <= RUG_GLCM_MAPS_MAX_LEVELS)
        return RUG_OK;
    return rug_context_fail(ctx, RUG_E_ARG,
                            "maps: the image has %lu grey levels, at most %d expected; "
                            "use bins (levels COUNT or wider WIDTH)",
                            (unsigned long)n, RUG_GLCM_MAPS_MAX_LEVELS);
}

static rug_status prepare(rug_context *ctx, work *w, const rug_source *source,
                          const rug_glcm_options *opts, const rug_glcm_maps_options *maps)
{
    rugi_glcm_windows *windows = &w->windows;
    rug_status status = rugi_glcm_plan_new(ctx, &w->plan, source, opts,
                                           (uint64_t)maps->rows * maps->columns);
    if (status == RUG_OK && w->plan.ndim == 3)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "maps: a volume of %d axes given, an image of 2 expected",
                                w->plan.ndim);
    if (status == RUG_OK)
        status = rugi_glcm_cut(ctx, &w->region, &w->plan, 0);
    if (status == RUG_OK)
        status = check_levels(ctx, w->region.n_levels);
    if (status != RUG_OK)
        return status;
    windows->plan = &w->plan;
    windows->tile = &w->region.tile;
    windows->base = w->region.binning.true_base;
    windows->radius[0] = maps->rows / 2;
    windows->radius[1] = maps->columns / 2;
    windows->with_mask = w->region.tile.area < rug_image_pixels(&w->plan.image);
    w->leaves_out = maps->leave_out != 0;
    set_steps(windows, &w->plan);
    set_features(windows, maps);
    status = make_weights(ctx, w);
    return status == RUG_OK ? make_slides(ctx, w) : status;
}

static double *values_of(const work *w, uint32_t map, size_t row)
{
    return w->values + (map * w->n_rows + row) * w->region.tile.nx;
}

static void row_task(void *shared, size_t task, int thread)
{
    work *w = shared;
    double *row[RUG_GLCM_N_FEATURES];
    for (uint32_t k = 0; k < w->windows.n_features; k++)
        row[k] = values_of(w, k, task);
    rugi_glcm_slide_row(&w->slide[thread], &w->windows, w->first + task, row);
    const rugi_glcm_tile *t = &w->region.tile;
    const uint64_t *inside = t->mask + (w->first + task) * t->n_words;
    for (size_t x = 0; x < t->nx && w->leaves_out; x++)
        for (uint32_t k = 0; k < w->windows.n_features; k++)
            if (!(inside[x / 64] >> x % 64 & 1))
                row[k][x] = (double)NAN;
}

static rug_status make_maps(rug_context *ctx, work *w, rug_glcm_map_fn fn, void *user)
{
    size_t ny = w->region.tile.ny;
    rug_status status = RUG_OK;
    for (; w->first < ny && status == RUG_OK; w->first += w->n_rows) {
        size_t n = rugi_smaller(ny - w->first, w->n_rows);
        RUGI_PHASE(ctx, (double)w->first / (double)ny,
                   (double)(w->first + n) / (double)ny, status,
                   rugi_parallel_for(ctx, n, row_task, w));
        for (uint32_t k = 0; k < w->windows.n_features && status == RUG_OK; k++) {
            rug_glcm_map_rows rows = {.map = k,
                                      .feature = w->windows.feature[k],
                                      .first = w->first,
                                      .n = n,
                                      .nx = w->region.tile.nx,
                                      .values = values_of(w, k, 0)};
            status = fn(user, &rows);
        }
    }
    return status;
}

rug_status rug_glcm_maps_source(rug_context *ctx, const rug_source *source,
                                const rug_glcm_options *opts,
                                const rug_glcm_maps_options *maps, rug_glcm_map_fn fn,
                                void *user)
{
    if (ctx == NULL || fn == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_glcm_maps_source: NULL given");
    rug_glcm_options own_opts;
    rug_glcm_maps_options own_maps;
    rug_status status = take_options(ctx, &own_opts, &own_maps, opts, maps);
    if (status != RUG_OK)
        return status;
    work w = {.first = 0};
    RUGI_PHASE(ctx, 0, 0.1, status, prepare(ctx, &w, source, &own_opts, &own_maps));
    RUGI_PHASE(ctx, 0.1, 1, status, make_maps(ctx, &w, fn, user));
    if (status == RUG_OK)
        rugi_context_set_engine(ctx, "cpu");
    free_work(ctx, &w);
    return status;
}

rug_status rug_glcm_maps(rug_context *ctx, const rug_image *image,
                         const rug_glcm_options *opts, const rug_glcm_maps_options *maps,
                         rug_glcm_map_fn fn, void *user)
{
    if (ctx == NULL || image == NULL || fn == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_glcm_maps: NULL given");
    rug_source source = rugi_source_of_image(image);
    return rug_glcm_maps_source(ctx, &source, opts, maps, fn, user);
}
