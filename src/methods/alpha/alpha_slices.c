/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The slices of a map of alpha: the range, the boxes of all slices, and a line through each. */

#include "alpha/map/alpha_plan.h"
#include "alpha/slices/alpha_boxes.h"
#include "core/context/context_internal.h"
#include "core/context/sized.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "core/fit/scaling.h"
#include "core/image/source_internal.h"
#include <math.h>
#include <string.h>

struct rug_alpha_result {
    rug_context *ctx;
    rug_alpha_facts facts;
    rugi_alpha_counted slices[]; /* [facts.n_slices] */
};

/* The part of a call that measuring the range is. */
#define RANGE_SHARE 0.4

/* What a thread knows of the extremes. */
typedef struct range_state {
    RUGI_OWN_LINES const rugi_alpha_slice_kernels *kernels;
    rugi_alpha_extremes extremes;
} range_state;

static void see_segment(void *state, const void *pixels, size_t n)
{
    range_state *s = state;
    s->kernels->extremes(&s->extremes, pixels, n);
}

/* The range of the finite alphas; NaN when there are none. */
static rug_status measure_range(rug_context *ctx, double range[2], const rug_image *map,
                                const rug_image *mask,
                                const rugi_alpha_slice_kernels *kernels)
{
    size_t n = (size_t)rug_context_threads(ctx);
    range_state *states = rug_context_allocate(ctx, n, sizeof *states, "range of alpha");
    if (states == NULL)
        return RUG_E_NOMEM;
    rugi_alpha_extremes all = {INFINITY, -INFINITY};
    for (size_t i = 0; i < n; i++)
        states[i] = (range_state){kernels, all};
    rug_status status =
        rugi_image_for_segments(ctx, map, mask, see_segment, states, sizeof *states);
    for (size_t i = 0; i < n; i++) {
        all.least = fminf(all.least, states[i].extremes.least);
        all.largest = fmaxf(all.largest, states[i].extremes.largest);
    }
    rug_context_release(ctx, states);
    int has_any = all.least <= all.largest;
    range[0] = has_any ? (double)all.least + 0.0 : (double)NAN; /* -0 becomes 0 */
    range[1] = has_any ? (double)all.largest + 0.0 : (double)NAN;
    return status;
}

/* Nanoseconds of work for each byte. */
#define BYTE_WORK 0.05

static rug_status find_range(rug_context *ctx, double range[2], const rug_image *map,
                             const rug_image *mask,
                             const rugi_alpha_slice_kernels *kernels)
{
    rug_status status = RUG_OK;
    RUGI_WORK(ctx, BYTE_WORK * rugi_image_bytes(map), status,
              measure_range(ctx, range, map, mask, kernels));
    return status;
}

static uint32_t number_of_sizes(const rug_image *map)
{
    size_t longest = 1;
    for (int a = 0; a < map->ndim; a++)
        longest = rugi_larger(map->shape[a], longest);
    return rugi_scaling_n_dyadic(longest);
}

static rug_status check_map(rug_context *ctx, const rug_image *map)
{
    rug_status status = rugi_image_check(ctx, map);
    if (status == RUG_OK && map->dtype != RUG_F32)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "slices of a map of dtype %s given, f32 expected, as "
                                "rug_alpha_map() makes it",
                                rug_dtype_name(map->dtype));
    return status;
}

static rug_alpha_result *new_result(rug_context *ctx, const rug_image *map, uint32_t n)
{
    size_t n_bytes = sizeof(rug_alpha_result) + n * sizeof(rugi_alpha_counted);
    rug_alpha_result *r = rug_context_allocate(ctx, 1, n_bytes, "slices");
    if (r == NULL)
        return NULL;
    memset(r, 0, n_bytes);
    r->ctx = ctx;
    r->facts.ndim = map->ndim;
    for (int a = 0; a < map->ndim; a++)
        r->facts.shape[a] = map->shape[a];
    r->facts.n_slices = n;
    r->facts.n_sizes = number_of_sizes(map);
    return r;
}

static void fill(rug_alpha_result *out, const rugi_alpha_boxes *job,
                 const double range[2])
{
    const rugi_alpha_cut *cut = &job->cut;
    rug_alpha_facts *f = &out->facts;
    uint64_t n_inside = 0;
    for (uint32_t i = 0; i < cut->n; i++) {
        rug_alpha_slice *s = &out->slices[i].slice;
        s->alpha_min = isnan(range[0]) ? range[0] : cut->edge[i];
        s->alpha_max = isnan(range[0]) ? range[0] : cut->edge[i + 1];
        s->n_pixels = out->slices[i].boxes[0];
        n_inside += s->n_pixels;
    }
    f->alpha_min = range[0];
    f->alpha_max = range[1];
    f->n_pixels = job->n_pixels;
    f->n_undefined = job->n_undefined;
    f->n_outside = job->n_pixels - job->n_undefined - n_inside;
    f->engine = job->kernels->name;
}

static rug_status count_slices(rug_context *ctx, rug_alpha_result *out,
                               const rug_image *map, const rug_image *mask,
                               const rug_alpha_options *opts)
{
    rugi_alpha_slice_kernels kernels;
    rugi_alpha_set_slice_kernels(&kernels, rug_context_cpu_level(ctx));
    double range[2] = {opts->alpha_min, opts->alpha_max};
    int is_measured = range[0] == 0 && range[1] == 0;
    rug_status status = RUG_OK;
    if (is_measured)
        RUGI_PHASE(ctx, 0, RANGE_SHARE, status,
                   find_range(ctx, range, map, mask, &kernels));
    if (status != RUG_OK)
        return status;
    int has_range = !isnan(range[0]);
    rugi_alpha_boxes job = {.box_axes = map->ndim,
                            .kernels = &kernels,
                            .n_sizes = out->facts.n_sizes,
                            .slices = out->slices};
    job.map = mask != NULL ? rugi_image_with_z(map) : rugi_image_volume(map);
    if (mask != NULL)
        job.mask = rugi_image_with_z(mask);
    RUGI_PHASE(ctx, is_measured ? RANGE_SHARE : 0, 1, status,
               rugi_alpha_count_boxes(ctx, &job, opts->n_slices, has_range ? range[0] : 0,
                                      has_range ? range[1] : 0));
    if (status == RUG_OK)
        fill(out, &job, range);
    return status;
}

rug_status rug_alpha_slices(rug_context *ctx, rug_alpha_result **out,
                            const rug_image *map, const rug_alpha_options *opts)
{
    rug_alpha_options o;
    rugi_twin mask;
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_alpha_slices: NULL given");
    rug_status status = rugi_alpha_take(ctx, &o, opts);
    if (status == RUG_OK)
        status = check_map(ctx, map);
    if (status != RUG_OK)
        return status;
    rug_alpha_result *r = new_result(ctx, map, o.n_slices);
    if (r == NULL)
        return RUG_E_NOMEM;
    status = rugi_twin_open(ctx, &mask, o.mask, "mask", map);
    if (status == RUG_OK)
        status = count_slices(ctx, r, map, mask.image, &o);
    rugi_twin_close(ctx, &mask);
    if (status != RUG_OK) {
        rug_alpha_free(r);
        return status;
    }
    rugi_context_set_engine(ctx, r->facts.engine);
    *out = r;
    return RUG_OK;
}

void rug_alpha_free(rug_alpha_result *result)
{
    if (result != NULL)
        rug_context_release(result->ctx, result);
}

const rug_alpha_facts *rug_alpha_get_facts(const rug_alpha_result *result)
{
    return result != NULL ? &result->facts : NULL;
}

static const rugi_alpha_counted *slice_of(const rug_alpha_result *r, size_t i)
{
    return r != NULL && i < r->facts.n_slices ? &r->slices[i] : NULL;
}

const rug_alpha_slice *rug_alpha_at(const rug_alpha_result *result, size_t i)
{
    const rugi_alpha_counted *c = slice_of(result, i);
    return c != NULL ? &c->slice : NULL;
}

uint64_t rug_alpha_boxes(const rug_alpha_result *result, size_t slice, size_t k)
{
    const rugi_alpha_counted *c = slice_of(result, slice);
    return c != NULL && k < RUGI_ALPHA_MAX_SIZES ? c->boxes[k] : 0;
}

/* The boxes that there are of each size. */
static double all_boxes(const rug_alpha_facts *f, uint32_t k)
{
    double n = 1;
    for (int a = 0; a < f->ndim; a++)
        n *= (double)(((f->shape[a] - 1) >> k) + 1);
    return n;
}

static void fit_slice(rug_fit *out, const rug_fit_options *options,
                      const rug_alpha_facts *f, const uint64_t *boxes)
{
    uint64_t sizes[RUGI_ALPHA_MAX_SIZES];
    double values[RUGI_ALPHA_MAX_SIZES], totals[RUGI_ALPHA_MAX_SIZES];
    for (uint32_t k = 0; k < f->n_sizes; k++) {
        sizes[k] = (uint64_t)1 << k;
        values[k] = (double)boxes[k];
        totals[k] = all_boxes(f, k);
    }
    const rugi_fit_input input = {.n_axes = f->ndim,
                                  .shape = f->shape,
                                  .n_sizes = f->n_sizes,
                                  .sizes = sizes,
                                  .values = values,
                                  .boxes = values,
                                  .totals = values[0] < totals[0] ? totals : NULL};
    rugi_fit(out, options, &input);
    if (boxes[0] == 0)
        out->status = RUG_FIT_EMPTY;
}

rug_status rug_alpha_fit(rug_context *ctx, rug_fit *out, const rug_alpha_result *result,
                         size_t slice, const rug_fit_options *opts)
{
    rug_fit own;
    rug_fit_options range;
    rug_status status = rugi_clear(ctx, out, "rug_fit");
    if (status == RUG_OK)
        status = rugi_fit_options_take(ctx, &range, opts);
    if (status != RUG_OK)
        return status;
    const rugi_alpha_counted *c = slice_of(result, slice);
    if (c == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_alpha_fit: there is no slice %zu",
                                slice);
    fit_slice(&own, &range, &result->facts, c->boxes);
    RUGI_GIVE(out, &own);
    return RUG_OK;
}
