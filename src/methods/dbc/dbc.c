/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Differential box counting (Sarkar and Chaudhuri 1994) of an image, a volume or a source.
 * The public functions check what they are given and ask for the plan; slabs of the image go
 * to an engine, which joins blocks up to 64 pixels; larger blocks, the result and the
 * dimension are made here. */

#include "core/context/context_internal.h"
#include "core/context/engine.h"
#include "core/fit/scaling.h"
#include "core/image/source_internal.h"
#include "dbc_keys.h"
#include "dbc_opencl.h"
#include <math.h>
#include <string.h>

/* How much of the work finding the range of values is. */
#define RANGE_SHARE 0.4

/* `auto` takes no device: the way there takes longer than the work here. */
static const rugi_engine engines[] = {
#ifdef RUGI_HAVE_OPENCL
    {"opencl", RUGI_DEVICE_OPENCL, rugi_dbc_opencl, rugi_engine_only_by_name},
#endif
    {"cpu", RUGI_DEVICE_CPU, rugi_dbc_cpu, NULL},
};

/* ---- A slab to an engine ---- */

/* A slab as layers: an image has layers of one row. */
static rug_image layers_of(const rug_image *slab)
{
    rug_image v = *slab;
    if (slab->ndim == 2) {
        v.ndim = 3;
        v.shape[1] = 1;
        v.stride[1] = 0;
        v.shape[2] = slab->shape[1];
        v.stride[2] = slab->stride[1];
    }
    return v;
}

static rug_status add_slab(rug_context *ctx, void *user, const rug_image *slab,
                           const rug_image *mask, size_t first)
{
    rugi_dbc_job *job = user;
    job->slab = layers_of(slab);
    job->mask = mask != NULL ? layers_of(mask) : (rug_image){0};
    job->first = first;
    return rugi_engine_run(ctx, engines, sizeof engines / sizeof engines[0], job);
}

/* ---- Blocks of more than 64 pixels ---- */

/* Joins the blocks at (z, y, x) of the next level. */
static rugi_dbc_block joined(const rugi_dbc_block *blocks, const size_t n[3], size_t z,
                             size_t y, size_t x)
{
    rugi_dbc_block out = {UINT64_MAX, 0};
    for (size_t k = 0; k < 8; k++) {
        size_t a = 2 * z + (k >> 2), b = 2 * y + (k >> 1 & 1), c = 2 * x + (k & 1);
        if (a >= n[0] || b >= n[1] || c >= n[2])
            continue;
        const rugi_dbc_block *in = &blocks[(a * n[1] + b) * n[2] + c];
        out.lo = in->lo < out.lo ? in->lo : out.lo;
        out.hi = in->hi > out.hi ? in->hi : out.hi;
    }
    return out;
}

/* Makes the blocks of a level in the place of those of the level below, n along each axis,
 * which are read before they are overwritten; n becomes what is left. */
static rugi_dbc_tally next_level(const rugi_dbc_plan *plan, rugi_dbc_block *blocks,
                                 size_t n[3], uint32_t level)
{
    rugi_dbc_tally tally = {0};
    size_t to = 0;
    for (size_t z = 0; 2 * z < n[0]; z++)
        for (size_t y = 0; 2 * y < n[1]; y++)
            for (size_t x = 0; 2 * x < n[2]; x++) {
                rugi_dbc_block b = joined(blocks, n, z, y, x);
                blocks[to++] = b;
                if (b.lo > b.hi)
                    continue;
                tally.blocks++;
                tally.beyond +=
                    rugi_dbc_box(plan, level, b.hi) - rugi_dbc_box(plan, level, b.lo);
            }
    for (int a = 0; a < 3; a++)
        n[a] = (n[a] + 1) / 2;
    return tally;
}

/* ---- The result ---- */

static rug_status set_size(rug_context *ctx, rug_dbc_size *out, const rugi_dbc_plan *plan,
                           uint32_t level, rugi_dbc_tally tally)
{
    rugi_dbc_u128 boxes = tally.beyond + tally.blocks;
    *out = (rug_dbc_size){(uint64_t)1 << level, plan->height[level].height, tally.blocks,
                          (uint64_t)boxes};
    if (boxes > UINT64_MAX)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "grey levels: %g given: the boxes of size %llu are more than "
            "64 bits can count; give more levels",
            plan->shown_levels, (unsigned long long)out->size);
    return RUG_OK;
}

/* Fills in the sizes, and the extremes, which are those of all blocks. */
static rug_status fill_sizes(rug_context *ctx, rug_dbc_result *out, rugi_dbc_job *job)
{
    const rugi_dbc_plan *plan = job->plan;
    size_t n[3] = {plan->blocks[0], plan->blocks[1], plan->blocks[2]};
    uint64_t lo = UINT64_MAX, hi = 0;
    for (size_t i = 0; i < plan->n_blocks; i++) {
        lo = job->blocks[i].lo < lo ? job->blocks[i].lo : lo;
        hi = job->blocks[i].hi > hi ? job->blocks[i].hi : hi;
    }
    out->min = lo <= hi ? rugi_dbc_value(plan->dtype, lo) : NAN;
    out->max = lo <= hi ? rugi_dbc_value(plan->dtype, hi) : NAN;
    rug_status status = RUG_OK;
    for (uint32_t m = 1; m <= plan->n_levels && status == RUG_OK; m++) {
        rugi_dbc_tally tally = m <= RUGI_DBC_BLOCK_LEVEL
                                   ? job->tally[m]
                                   : next_level(plan, job->blocks, n, m);
        status = set_size(ctx, &out->sizes[m - 1], plan, m, tally);
    }
    out->n_sizes = plan->n_levels;
    return status;
}

static rug_status fill(rug_context *ctx, rug_dbc_result *out, rugi_dbc_job *job,
                       const rug_source *source)
{
    const rugi_dbc_plan *plan = job->plan;
    rug_status status = fill_sizes(ctx, out, job);
    uint64_t n_pixels = 1;
    out->ndim = source->ndim;
    for (int a = 0; a < source->ndim; a++) {
        out->shape[a] = source->shape[a];
        n_pixels *= source->shape[a];
    }
    out->n_pixels = plan->may_be_empty ? job->seen.n_pixels : n_pixels;
    out->n_left_out = job->seen.n_left_out;
    if (plan->is_real) {
        out->min = plan->range.real_lo;
        out->max = plan->range.real_hi;
    }
    out->levels = plan->shown_levels;
    out->base = plan->shown_base;
    out->engine = job->engine;
    return status;
}

/* Counts by a plan. */
static rug_status count(rug_context *ctx, rug_dbc_result *out, const rugi_dbc_plan *plan,
                        const rug_source *source, const rug_source *mask)
{
    rugi_dbc_job job = {.plan = plan};
    job.blocks =
        rug_context_allocate(ctx, plan->n_blocks, sizeof *job.blocks, "blocks of pixels");
    if (job.blocks == NULL)
        return RUG_E_NOMEM;
    rug_status status = rugi_source_for_slabs(ctx, source, mask, add_slab, &job);
    rugi_dbc_cpu_end(ctx, &job);
    if (status == RUG_OK)
        status = fill(ctx, out, &job, source);
    rug_context_release(ctx, job.blocks);
    if (status != RUG_OK)
        memset(out, 0, sizeof *out);
    return status;
}

static rug_status run(rug_context *ctx, rug_dbc_result *out, const rug_source *source,
                      const rug_source *mask, const rug_dbc_options *opts)
{
    rugi_dbc_plan plan;
    rug_status status = RUG_OK;
    RUGI_PHASE(ctx, 0, RANGE_SHARE, status,
               rugi_dbc_plan_make(ctx, &plan, source, mask, opts));
    RUGI_PHASE(ctx, plan.has_range ? RANGE_SHARE : 0, 1, status,
               count(ctx, out, &plan, source, mask));
    return status;
}

/* ---- The public functions ---- */

static rug_status check(rug_context *ctx, const rug_dbc_options *opts)
{
    if (!rugi_options_fit(ctx, opts->struct_size, sizeof *opts, "rug_dbc_options"))
        return RUG_E_ARG;
    if (!(opts->levels >= 0) || isinf(opts->levels))
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "grey levels: %g given, a finite number above 0 expected, or 0 "
            "for those of the dtype or the image",
            opts->levels);
    return RUG_OK;
}

rug_status rug_dbc_source(rug_context *ctx, rug_dbc_result *out, const rug_source *source,
                          const rug_source *mask, const rug_dbc_options *opts)
{
    static const rug_dbc_options defaults = RUG_DBC_OPTIONS_INIT;
    if (out != NULL)
        memset(out, 0, sizeof *out);
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_dbc_source: NULL given");
    if (opts == NULL)
        opts = &defaults;
    rug_status status = check(ctx, opts);
    if (status == RUG_OK)
        status = rugi_source_check(ctx, source, mask);
    return status == RUG_OK ? run(ctx, out, source, mask, opts) : status;
}

/* The same pixels with their axes in the order in which they lie in memory, on which counts
 * do not depend. */
static rug_image in_memory_order(const rug_image *image)
{
    rug_image v = rugi_image_volume(image);
    if (image->ndim == 3)
        return v;
    v.ndim = 2;
    for (int a = 0; a < 2; a++) {
        v.shape[a] = v.shape[a + 1];
        v.stride[a] = v.stride[a + 1];
        v.spacing[a] = v.spacing[a + 1];
    }
    return v;
}

rug_status rug_dbc(rug_context *ctx, rug_dbc_result *out, const rug_image *image,
                   const rug_dbc_options *opts)
{
    static const rug_dbc_options defaults = RUG_DBC_OPTIONS_INIT;
    if (out != NULL)
        memset(out, 0, sizeof *out);
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_dbc: NULL given");
    if (opts == NULL)
        opts = &defaults;
    rug_status status = check(ctx, opts);
    if (status == RUG_OK)
        status = rugi_image_check(ctx, image);
    if (status == RUG_OK && opts->mask != NULL)
        status = rugi_image_check_twin(ctx, opts->mask, "mask", image);
    if (status != RUG_OK)
        return status;
    rug_image pixels = opts->mask != NULL ? *image : in_memory_order(image);
    rug_source source = rugi_source_of_image(&pixels), mask;
    if (opts->mask != NULL)
        mask = rugi_source_of_image(opts->mask);
    status = run(ctx, out, &source, opts->mask != NULL ? &mask : NULL, opts);
    for (int a = 0; a < image->ndim && status == RUG_OK; a++)
        out->shape[a] = image->shape[a];
    return status;
}

/* ---- The dimension: a line through ln N(s) against ln(1 / s) ---- */

static void fill_line(rug_dbc_dimension *out, const uint64_t *sizes,
                      const rugi_scaling_points *p)
{
    rugi_scaling_fit fit = rugi_scaling_fit_line(p, sizes, out->used);
    out->dimension = fit.line.slope;
    out->std_error = fit.line.std_error;
    out->r_squared = fit.line.r_squared;
    out->intercept = fit.line.intercept;
    out->size_min = fit.size_min;
    out->size_max = fit.size_max;
    out->n_sizes = (uint32_t)p->n;
}

rug_status rug_dbc_fit(rug_context *ctx, rug_dbc_dimension *out,
                       const rug_dbc_result *counts, int auto_range, uint64_t size_min,
                       uint64_t size_max)
{
    if (out != NULL)
        memset(out, 0, sizeof *out);
    if (out == NULL || counts == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_dbc_fit: NULL given");
    rug_fit_options range, asked = {sizeof asked, auto_range, size_min, size_max};
    rug_status status = rugi_fit_options_take(ctx, &range, &asked);
    if (status != RUG_OK)
        return status;
    if (counts->n_sizes > RUG_DBC_MAX_SIZES || counts->ndim < 0 ||
        counts->ndim > RUG_MAX_AXES)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "fit: counts of %u sizes and %d axes given, at most %d and "
            "%d expected",
            counts->n_sizes, counts->ndim, RUG_DBC_MAX_SIZES, RUG_MAX_AXES);
    uint64_t sizes[RUG_DBC_MAX_SIZES];
    double boxes[RUG_DBC_MAX_SIZES];
    for (uint32_t i = 0; i < RUG_DBC_MAX_SIZES; i++) {
        sizes[i] = counts->sizes[i].size;
        boxes[i] = (double)counts->sizes[i].boxes;
        out->local_slope[i] = NAN;
    }
    rugi_scaling_points p;
    rugi_scaling_collect_range(&p, &range, counts->ndim, counts->shape, counts->n_sizes,
                               sizes, boxes);
    out->status =
        auto_range ? rug_fit_status_name(rugi_scaling_choose(&p, boxes, NULL)) : "ok";
    rugi_scaling_local_slopes(out->local_slope, counts->n_sizes, sizes, boxes);
    fill_line(out, sizes, &p);
    if (counts->n_pixels == counts->n_left_out)
        out->status = "empty";
    else if (p.n < 2)
        out->status = "too few sizes";
    return RUG_OK;
}
