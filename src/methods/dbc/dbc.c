/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Differential box counting (Sarkar and Chaudhuri 1994) of an image, a volume or a source.
 * The public functions check what they are given and ask for the plan; slabs of the image go
 * to an engine, which joins blocks up to 64 pixels; larger blocks, the result and the
 * dimension are made here. */

#include "core/context/context_internal.h"
#include "core/context/engine.h"
#include "core/context/names.h"
#include "core/context/sized.h"
#include "core/context/threads.h"
#include "core/fit/scaling.h"
#include "core/image/source_internal.h"
#include "dbc_keys.h"
#include "dbc_opencl.h"
#include "dbc_result.h"
#include <math.h>

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

rug_status rugi_dbc_add_slab(rug_context *ctx, void *user, const rug_image *slab,
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
 * which are read before they are overwritten; n becomes what is left.
 * @param tally  [class]; added to */
static void next_level(const rugi_dbc_plan *plan, rugi_dbc_block *blocks, size_t n[3],
                       uint32_t level, rugi_dbc_tally *tally)
{
    size_t to = 0;
    for (size_t z = 0; 2 * z < n[0]; z++)
        for (size_t y = 0; 2 * y < n[1]; y++)
            for (size_t x = 0; 2 * x < n[2]; x++) {
                rugi_dbc_block b = joined(blocks, n, z, y, x);
                blocks[to++] = b;
                if (b.lo > b.hi)
                    continue;
                rugi_dbc_tally *t = &tally[rugi_dbc_cut(plan, level, 0, z) |
                                           rugi_dbc_cut(plan, level, 1, y) |
                                           rugi_dbc_cut(plan, level, 2, x)];
                t->blocks++;
                t->beyond +=
                    rugi_dbc_box(plan, level, b.hi) - rugi_dbc_box(plan, level, b.lo);
            }
    for (int a = 0; a < 3; a++)
        n[a] = (n[a] + 1) / 2;
}

/* ---- The result ---- */

/* How many pixels a block of a class has inside the image. */
static uint64_t area_of(const rugi_dbc_plan *plan, uint32_t level, unsigned class)
{
    uint64_t area = 1;
    for (int a = 0; a < 3; a++)
        if (plan->edge[a] > 0)
            area *=
                class & (4u >> a) ? rugi_dbc_rest(plan, level, a) : (uint64_t)1 << level;
    return area;
}

/* The pixels of a whole block are 2 to this. */
static int exponent_of(const rugi_dbc_plan *plan, uint32_t level)
{
    int n_axes = 0;
    for (int a = 0; a < 3; a++)
        n_axes += plan->edge[a] > 0;
    return n_axes * (int)level;
}

/* Sums up the classes of a level. Boxes are counted by 64 bits, and the pixels of all blocks
 * by 63: so 128 bits hold what each block's boxes times its pixels add up to. */
static rug_status set_size(rug_context *ctx, rug_dbc_size *out, const rugi_dbc_plan *plan,
                           uint32_t level, const rugi_dbc_tally *tally)
{
    rugi_dbc_u128 all = 0, by_area = 0;
    uint64_t blocks = 0;
    for (unsigned c = 0; c < RUGI_DBC_CLASSES; c++) {
        rugi_dbc_u128 boxes = tally[c].beyond + tally[c].blocks;
        blocks += tally[c].blocks;
        all += boxes;
        by_area += boxes > 0 ? boxes * area_of(plan, level, c) : 0;
    }
    *out =
        (rug_dbc_size){(uint64_t)1 << level, plan->height[level].height, blocks,
                       (uint64_t)all, ldexp((double)by_area, -exponent_of(plan, level))};
    if (all > UINT64_MAX)
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
    out->facts.min = lo <= hi ? rugi_dbc_value(plan->dtype, lo) : NAN;
    out->facts.max = lo <= hi ? rugi_dbc_value(plan->dtype, hi) : NAN;
    rug_status status = RUG_OK;
    for (uint32_t m = 1; m <= plan->n_levels && status == RUG_OK; m++) {
        rugi_dbc_tally above[RUGI_DBC_CLASSES] = {{0}};
        const rugi_dbc_tally *tally = above;
        if (m <= RUGI_DBC_BLOCK_LEVEL)
            tally = job->tally.at[m];
        else
            next_level(plan, job->blocks, n, m, above);
        status = set_size(ctx, &out->sizes[m - 1], plan, m, tally);
    }
    out->facts.n_sizes = plan->n_levels;
    return status;
}

rug_status rugi_dbc_fill(rug_context *ctx, rug_dbc_result *out, rugi_dbc_job *job,
                         int ndim, const size_t *shape)
{
    const rugi_dbc_plan *plan = job->plan;
    rug_status status = fill_sizes(ctx, out, job);
    uint64_t n_pixels = 1;
    out->facts.ndim = ndim;
    for (int a = 0; a < ndim; a++) {
        out->facts.shape[a] = shape[a];
        n_pixels *= shape[a];
    }
    out->facts.n_pixels = plan->may_be_empty ? job->seen.n_pixels : n_pixels;
    out->facts.n_left_out = job->seen.n_left_out;
    if (plan->is_real) {
        out->facts.min = plan->range.real_lo;
        out->facts.max = plan->range.real_hi;
    }
    out->facts.levels = plan->shown_levels;
    out->facts.base = plan->shown_base;
    out->facts.engine = job->engine;
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
    rug_status status = rugi_source_for_slabs(ctx, source, mask, rugi_dbc_add_slab, &job);
    rugi_dbc_cpu_end(ctx, &job);
    if (status == RUG_OK)
        status = rugi_dbc_fill(ctx, out, &job, source->ndim, source->shape);
    rug_context_release(ctx, job.blocks);
    return status;
}

static rug_status run(rug_context *ctx, rug_dbc_result *out, const rug_source *source,
                      const rug_source *mask, const rug_dbc_options *opts)
{
    rugi_dbc_plan plan;
    rug_status status = RUG_OK;
    RUGI_PHASE(ctx, 0, RANGE_SHARE, status,
               rugi_dbc_plan_make(ctx, &plan, source, mask, opts, NULL));
    RUGI_PHASE(ctx, plan.has_range ? RANGE_SHARE : 0, 1, status,
               count(ctx, out, &plan, source, mask));
    return status;
}

/* Nanoseconds of work for each pixel. */
#define PIXEL_WORK 0.3

/* Counts with options and a source that are checked, into a new result. */
static rug_status measure(rug_context *ctx, rug_dbc_result **out,
                          const rug_source *source, const rug_source *mask,
                          const rug_dbc_options *opts)
{
    rug_dbc_result *result =
        rugi_allocate_zeros(ctx, 1, sizeof *result, "counts of grey boxes");
    if (result == NULL)
        return RUG_E_NOMEM;
    result->ctx = ctx;
    rug_status status = RUG_OK;
    RUGI_WORK(ctx, PIXEL_WORK * rugi_source_pixels(source), status,
              run(ctx, result, source, mask, opts));
    if (status != RUG_OK) {
        rug_dbc_free(result);
        return status;
    }
    rugi_context_set_engine(ctx, result->facts.engine);
    *out = result;
    return RUG_OK;
}

/* ---- The public functions ---- */

const char *rug_dbc_anchor_name(rug_dbc_anchor anchor)
{
    static const char *const names[] = {"zero", "min"};
    return RUGI_NAME(names, anchor);
}

rug_status rugi_dbc_take(rug_context *ctx, rug_dbc_options *own,
                         const rug_dbc_options *given)
{
    *own = (rug_dbc_options)RUG_DBC_OPTIONS_INIT;
    rug_status status = RUGI_TAKE(ctx, own, given, "rug_dbc_options");
    if (status == RUG_OK && (!(own->levels >= 0) || isinf(own->levels)))
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "grey levels: %g given, a finite number above 0 expected, or 0 "
            "for those of the dtype or the image",
            own->levels);
    if (status == RUG_OK && (unsigned)own->anchor > RUG_DBC_ANCHOR_MIN)
        return rug_context_fail(
            ctx, RUG_E_ARG, "differential box counting: anchor %d given, 0..%d expected",
            (int)own->anchor, RUG_DBC_ANCHOR_MIN);
    if (status == RUG_OK && (unsigned)own->values > RUG_I64)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "differential box counting: dtype %d of values given, one of integers expected",
            (int)own->values);
    if (status == RUG_OK && (own->unused | own->unused_too) != 0)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "rug_dbc_options: %u given for `unused`, 0 expected",
                                (unsigned)(own->unused | own->unused_too));
    return status;
}

rug_status rug_dbc_source(rug_context *ctx, rug_dbc_result **out,
                          const rug_source *source, const rug_dbc_options *opts)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_dbc_source: NULL given");
    rug_dbc_options own;
    rug_source pixels, own_mask;
    const rug_source *mask;
    rug_status status = rugi_dbc_take(ctx, &own, opts);
    if (status == RUG_OK)
        status = rugi_source_take(ctx, &pixels, source, "source");
    if (status == RUG_OK)
        status = rugi_twin_source_take(ctx, &own_mask, &mask, own.mask, "mask", &pixels);
    return status == RUG_OK ? measure(ctx, out, &pixels, mask, &own) : status;
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

rug_status rug_dbc(rug_context *ctx, rug_dbc_result **out, const rug_image *image,
                   const rug_dbc_options *opts)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_dbc: NULL given");
    rug_dbc_options own;
    rug_source source, own_mask;
    const rug_source *mask = NULL;
    rug_status status = rugi_dbc_take(ctx, &own, opts);
    if (status == RUG_OK)
        status = rugi_image_check(ctx, image);
    if (status != RUG_OK)
        return status;
    source = rugi_source_of_image(image);
    status = rugi_twin_source_take(ctx, &own_mask, &mask, own.mask, "mask", &source);
    if (status != RUG_OK)
        return status;
    rug_image turned = in_memory_order(image);
    if (mask == NULL)
        source = rugi_source_of_image(&turned);
    status = measure(ctx, out, &source, mask, &own);
    for (int a = 0; a < image->ndim && status == RUG_OK; a++)
        (*out)->facts.shape[a] = image->shape[a];
    return status;
}

void rug_dbc_free(rug_dbc_result *result)
{
    if (result != NULL)
        rug_context_release(result->ctx, result);
}

const rug_dbc_facts *rug_dbc_get_facts(const rug_dbc_result *result)
{
    return result != NULL ? &result->facts : NULL;
}

const rug_dbc_size *rug_dbc_at(const rug_dbc_result *result, size_t i)
{
    return result != NULL && i < result->facts.n_sizes ? &result->sizes[i] : NULL;
}

/* ---- The dimension: a line through ln N(s) against ln(1 / s) ---- */

/* How far the rounding of logarithms alone can take a slope from where it is. */
#define ROUNDING 1e-12

/* A slope that only rounding holds off a bound lies there: a flat image has exactly 2. */
static double to_bounds(double slope, int ndim)
{
    for (int bound = ndim; bound <= ndim + 1; bound++)
        if (fabs(slope - bound) <= ROUNDING)
            return bound;
    return slope;
}

rug_status rug_dbc_fit(rug_context *ctx, rug_fit *out, const rug_dbc_result *counts,
                       const rug_fit_options *opts)
{
    rug_status status = rugi_clear(ctx, out, "rug_fit");
    if (status != RUG_OK)
        return status;
    if (counts == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_dbc_fit: NULL given");
    rug_fit_options range;
    status = rugi_fit_options_take(ctx, &range, opts);
    if (status != RUG_OK)
        return status;
    const rug_dbc_facts *facts = &counts->facts;
    uint64_t sizes[RUG_DBC_MAX_SIZES];
    double boxes[RUG_DBC_MAX_SIZES], blocks[RUG_DBC_MAX_SIZES];
    for (uint32_t i = 0; i < facts->n_sizes; i++) {
        sizes[i] = counts->sizes[i].size;
        boxes[i] = counts->sizes[i].boxes_by_area;
        blocks[i] = (double)counts->sizes[i].blocks;
    }
    rug_fit fit;
    rugi_fit(&fit, &range,
             &(rugi_fit_input){.n_axes = facts->ndim,
                               .shape = facts->shape,
                               .n_sizes = facts->n_sizes,
                               .sizes = sizes,
                               .values = boxes,
                               .boxes = blocks});
    if (facts->n_pixels == facts->n_left_out)
        fit.status = RUG_FIT_EMPTY;
    fit.slope = to_bounds(fit.slope, facts->ndim);
    RUGI_GIVE(out, &fit);
    return RUG_OK;
}
