/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Options of alpha checked and turned into the numbers that engines need; the map of
 * alpha of an image or a volume, by an engine, and that of a source slab by slab. */

#include "alpha/map/alpha_log.h"
#include "alpha/opencl/alpha_opencl.h"
#include "core/context/context_internal.h"
#include "core/context/engine.h"
#include "core/context/names.h"
#include "core/context/sized.h"
#include "core/context/small.h"
#include "core/image/source_internal.h"
#include <math.h>
#include <string.h>

const char *rug_alpha_measure_name(rug_alpha_measure measure)
{
    static const char *const names[] = {"max", "min", "sum", "iso"};
    return RUGI_NAME(names, measure);
}

/* ---- The plan ---- */

static rug_status check_range(rug_context *ctx, double min, double max)
{
    if (min == 0 && max == 0)
        return RUG_OK;
    if (isfinite(min) && isfinite(max) && min < max && isfinite(max - min))
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "alpha: range %g..%g given, two finite numbers expected, the lower "
        "one first; or 0 and 0 for the range of the map",
        min, max);
}

rug_status rugi_alpha_take(rug_context *ctx, rug_alpha_options *opts,
                           const rug_alpha_options *given)
{
    *opts = (rug_alpha_options)RUG_ALPHA_OPTIONS_INIT;
    rug_status status = RUGI_TAKE(ctx, opts, given, "rug_alpha_options");
    if (status != RUG_OK)
        return status;
    if ((unsigned)opts->measure > RUG_ALPHA_ISO)
        return rug_context_fail(ctx, RUG_E_ARG, "alpha: measure %d given, 0..%d expected",
                                (int)opts->measure, RUG_ALPHA_ISO);
    if (opts->n_windows < 2 || opts->n_windows > RUG_ALPHA_MAX_WINDOWS)
        return rug_context_fail(ctx, RUG_E_ARG, "alpha: %u windows given, 2..%d expected",
                                opts->n_windows, RUG_ALPHA_MAX_WINDOWS);
    if (!(opts->iso_tolerance >= 0 && opts->iso_tolerance <= DBL_MAX))
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "alpha: a tolerance of %g given, a finite number of at least 0 expected",
            opts->iso_tolerance);
    if (opts->n_slices < 1 || opts->n_slices > RUG_ALPHA_MAX_SLICES)
        return rug_context_fail(ctx, RUG_E_ARG, "alpha: %u slices given, 1..%d expected",
                                opts->n_slices, RUG_ALPHA_MAX_SLICES);
    return check_range(ctx, opts->alpha_min, opts->alpha_max);
}

/* With x_k = ln w_k, the slope is the sum of (x_k - mean) y_k over that of (x_k -
 * mean)^2. */
static void set_weights(rugi_alpha_plan *plan)
{
    double x[RUG_ALPHA_MAX_WINDOWS], mean = 0, squares = 0;
    for (int k = 0; k < plan->n_windows; k++) {
        x[k] = rugi_alpha_log(2.0 * k + 1.0);
        mean += x[k];
    }
    mean /= plan->n_windows;
    for (int k = 0; k < plan->n_windows; k++)
        squares += (x[k] - mean) * (x[k] - mean);
    for (int k = 0; k < plan->n_windows; k++)
        plan->weight[k] = (x[k] - mean) / squares;
}

void rugi_alpha_plan_make(rugi_alpha_plan *plan, const rug_alpha_options *opts)
{
    memset(plan, 0, sizeof *plan);
    plan->measure = opts->measure;
    plan->n_windows = (int)opts->n_windows;
    plan->reach = plan->n_windows - 1;
    plan->tolerance = opts->iso_tolerance;
    plan->whole_tolerance =
        plan->tolerance < 18446744073709551616.0 ? (uint64_t)plan->tolerance : UINT64_MAX;
    set_weights(plan);
}

/* @param is_flat  the rows become slices */
static rug_image view_of(const rug_image *image, int is_flat)
{
    rug_image v = rugi_image_with_z(image);
    if (!is_flat)
        return v;
    v.shape[0] = v.shape[1];
    v.stride[0] = v.stride[1];
    v.shape[1] = 1;
    return v;
}

static int is_flat(int ndim, const size_t *shape)
{
    return ndim == 2 || shape[0] == 1;
}

rug_image rugi_alpha_view(const rug_image *image)
{
    return view_of(image, is_flat(image->ndim, image->shape));
}

/* ---- The map ---- */

/* `auto` takes no device: what one gains over many processors is not known. */
static const rugi_engine engines[] = {
#ifdef RUGI_HAVE_OPENCL
    {"opencl", RUGI_DEVICE_OPENCL, rugi_alpha_opencl, rugi_engine_only_by_name},
#endif
    {"cpu", RUGI_DEVICE_CPU, rugi_alpha_cpu, NULL},
};

rug_status rugi_alpha_run(rug_context *ctx, rugi_alpha_job *job)
{
    return rugi_engine_run(ctx, engines, sizeof engines / sizeof engines[0], job);
}

rug_status rug_alpha_map(rug_context *ctx, float *out, const rug_image *image,
                         const rug_alpha_options *opts)
{
    rug_alpha_options o;
    rugi_alpha_plan plan;
    rugi_twin mask;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_alpha_map: NULL given");
    rug_status status = rugi_alpha_take(ctx, &o, opts);
    if (status == RUG_OK)
        status = rugi_image_check(ctx, image);
    if (status != RUG_OK)
        return status;
    rugi_alpha_plan_make(&plan, &o);
    rugi_alpha_job job = {.plan = &plan, .volume = rugi_alpha_view(image), .out = out};
    job.n = job.volume.shape[0];
    status = rugi_twin_open(ctx, &mask, o.mask, "mask", image);
    if (mask.image != NULL)
        job.mask = rugi_alpha_view(mask.image);
    if (status == RUG_OK)
        status = rugi_alpha_run(ctx, &job);
    rugi_twin_close(ctx, &mask);
    if (status == RUG_OK)
        rugi_context_set_engine(ctx, job.engine);
    return status;
}

/* ---- The map of a source ---- */

/* The share of a step that reading is, for progress. */
#define READ_SHARE 0.3

/* A source on its way through: some of its layers in memory, those whose windows are still to
 * be measured and those that these reach. Reads begin at multiples of the slab, so that whole
 * blocks of a file are decoded once; what is measured lags behind by what windows reach. */
typedef struct stream {
    const rug_source *source, *mask;
    const rugi_alpha_plan *plan;
    rug_alpha_map_fn fn;
    void *user;
    int is_flat, in_memory;
    size_t n, reach;   /* layers of a slab, and that a window reaches */
    size_t n_pixels;   /* of a layer */
    size_t layer;      /* bytes of one */
    size_t first, end; /* layers that are held */
    size_t done;       /* layers that are measured */
    rug_image held;    /* in memory: all of the image */
    char *pixels;
    float *map;
    const char *engine;
} stream;

/* The layers of a slab: pixels and alphas. */
static size_t layers_of(const stream *s)
{
    size_t cost = s->layer + s->n_pixels * sizeof *s->map, n = RUGI_SLAB_BYTES / cost;
    n = n >= 64 ? n / 64 * 64 : n;
    return rugi_larger(n, s->reach); /* fewer would be measured more than once */
}

static rug_status begin_stream(rug_context *ctx, stream *s, size_t n_layers)
{
    const rug_source *source = s->source;
    size_t nx = source->shape[source->ndim - 1], n_all = source->shape[0];
    size_t n_rows = source->ndim == 3 ? source->shape[1] : 1;
    s->is_flat = is_flat(source->ndim, source->shape);
    s->in_memory = rugi_source_is_memory(source);
    s->reach = (size_t)s->plan->reach;
    s->n_pixels = n_rows * nx;
    s->layer = rugi_layer_bytes(source);
    s->n = rugi_smaller(n_layers > 0 ? n_layers : layers_of(s), n_all);
    s->map = rug_context_allocate(ctx, rugi_smaller(s->n + s->reach, n_all),
                                  s->n_pixels * sizeof *s->map, "alpha of a slab");
    if (s->map == NULL)
        return RUG_E_NOMEM;
    if (s->in_memory) {
        s->held = *(const rug_image *)source->user;
        return RUG_OK;
    }
    size_t most = rugi_smaller(s->n + 2 * s->reach, n_all), shape[RUG_MAX_AXES];
    s->pixels = rug_context_allocate(ctx, most, s->layer, "a slab of pixels");
    if (s->pixels == NULL)
        return RUG_E_NOMEM;
    memcpy(shape, source->shape, sizeof shape);
    shape[0] = most;
    return rug_image_view(ctx, &s->held, s->pixels, source->dtype, source->ndim, shape);
}

/* The next slab takes the place of layers that no window reaches any more. */
static rug_status read_layers(rug_context *ctx, stream *s)
{
    size_t n = rugi_smaller(s->n, s->source->shape[0] - s->end);
    if (s->in_memory) {
        s->end += n;
        return RUG_OK;
    }
    size_t first = s->done - rugi_smaller(s->done, s->reach);
    memmove(s->pixels, s->pixels + (first - s->first) * s->layer,
            (s->end - first) * s->layer);
    s->first = first;
    rug_image slab;
    rug_status status = rugi_source_read(ctx, s->source, &slab, s->end, n);
    if (status != RUG_OK)
        return status;
    rugi_slab_copy(s->pixels + (s->end - s->first) * s->layer, &slab);
    s->end += n;
    s->held.shape[0] = s->end - s->first;
    return RUG_OK;
}

/* Hands the alphas of n layers on: of a volume slice by slice. */
static rug_status hand_on(const stream *s, size_t n)
{
    const rug_source *source = s->source;
    rug_status status = RUG_OK;
    rug_alpha_map_rows rows = {.nx = source->shape[source->ndim - 1], .alpha = s->map};
    if (source->ndim == 2) {
        rows.first = s->done;
        rows.n = n;
        return s->fn(s->user, &rows);
    }
    rows.n = source->shape[1];
    for (size_t i = 0; i < n && status == RUG_OK; i++, rows.alpha += s->n_pixels) {
        rows.slice = s->done + i;
        status = s->fn(s->user, &rows);
    }
    return status;
}

/* Measures n layers. */
static rug_status map_layers(rug_context *ctx, stream *s, size_t n)
{
    rug_image mask;
    rug_status status = RUG_OK;
    rugi_alpha_job job = {
        .plan = s->plan, .volume = view_of(&s->held, s->is_flat), .out = s->map};
    int is_slice =
        s->is_flat && s->source->ndim == 3; /* one layer, whose rows are slices */
    job.first = s->done - s->first;
    job.n = is_slice ? job.volume.shape[0] : n;
    if (s->mask != NULL)
        status = rugi_source_read(ctx, s->mask, &mask, s->done, n);
    if (status == RUG_OK && s->mask != NULL)
        job.mask = view_of(&mask, s->is_flat);
    if (status == RUG_OK)
        status = rugi_alpha_run(ctx, &job);
    s->engine = job.engine;
    if (status == RUG_OK)
        status = hand_on(s, n);
    s->done += n;
    return status;
}

/* One slab; the last layers wait for what windows reach. */
static rug_status map_slab(rug_context *ctx, stream *s)
{
    rug_status status = RUG_OK;
    double read_share = s->in_memory ? 0 : READ_SHARE;
    RUGI_PHASE(ctx, 0, read_share, status, read_layers(ctx, s));
    size_t ready = s->end;
    if (s->end < s->source->shape[0] && !s->in_memory)
        ready -= rugi_smaller(s->reach, s->end);
    if (status == RUG_OK && ready > s->done)
        RUGI_PHASE(ctx, read_share, 1, status, map_layers(ctx, s, ready - s->done));
    return status;
}

static rug_status map_stream(rug_context *ctx, stream *s, size_t n_layers)
{
    double n_all = (double)s->source->shape[0];
    rug_status status = begin_stream(ctx, s, n_layers);
    while (status == RUG_OK && s->done < s->source->shape[0]) {
        double from = (double)s->end / n_all;
        double to = fmin((double)(s->end + s->n) / n_all, 1);
        RUGI_PHASE(ctx, from, to, status, map_slab(ctx, s));
    }
    rug_context_release(ctx, s->pixels);
    rug_context_release(ctx, s->map);
    if (status == RUG_OK)
        rugi_context_set_engine(ctx, s->engine);
    return status;
}

rug_status rugi_alpha_map_source_by(rug_context *ctx, const rug_source *source,
                                    const rug_alpha_options *opts, rug_alpha_map_fn fn,
                                    void *user, size_t n_layers)
{
    rug_alpha_options o;
    rug_source own, own_mask;
    rugi_alpha_plan plan;
    stream s = {.source = &own, .plan = &plan, .fn = fn, .user = user};
    if (ctx == NULL || fn == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_alpha_map_source: NULL given");
    rug_status status = rugi_alpha_take(ctx, &o, opts);
    if (status == RUG_OK)
        status = rugi_source_take(ctx, &own, source, "source");
    if (status == RUG_OK)
        status = rugi_twin_source_take(ctx, &own_mask, &s.mask, o.mask, "mask", &own);
    if (status != RUG_OK)
        return status;
    rugi_alpha_plan_make(&plan, &o);
    return map_stream(ctx, &s, n_layers);
}

rug_status rug_alpha_map_source(rug_context *ctx, const rug_source *source,
                                const rug_alpha_options *opts, rug_alpha_map_fn fn,
                                void *user)
{
    return rugi_alpha_map_source_by(ctx, source, opts, fn, user, 0);
}
