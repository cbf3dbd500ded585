/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Counting by the method in force, on the first engine that works. */

#include "boxcount_count.h"
#include "boxcount/hou/boxcount_hou.h"
#include "boxcount/opencl/boxcount_hou_device.h"
#include "boxcount/opencl/boxcount_opencl.h"
#include "boxcount/result/boxcount_result.h"
#include "boxcount/window/boxcount_window.h"
#include "core/context/engine.h"
#include "core/context/threads.h"
#include <string.h>

/* ---- Pyramid ---- */

/* `auto` takes no device: to bring pixels there takes longer than to count them here, at
 * the speed of reading memory. */
static const rugi_engine pyramid_engines[] = {
#ifdef RUGI_HAVE_OPENCL
    {"opencl", RUGI_DEVICE_OPENCL, rugi_boxcount_opencl, rugi_engine_only_by_name},
#endif
    {"cpu", RUGI_DEVICE_CPU, rugi_boxcount_cpu, NULL},
};

/* Nanoseconds of work for a byte of pixels, and for a cell. */
#define BYTE_WORK 0.03
#define CELL_WORK 2.0

static rugi_pyramid_job begin_levels(rugi_boxcount_levels *levels, uint8_t *blocks,
                                     const rugi_boxcount_plan *plan)
{
    memset(levels, 0, sizeof *levels);
    levels->n = plan->n_levels;
    return (rugi_pyramid_job){plan, levels, blocks};
}

rug_status rugi_boxcount_blocks(rug_context *ctx, rugi_boxcount_levels *levels,
                                uint8_t *blocks, const rugi_boxcount_plan *plan)
{
    rugi_pyramid_job job = begin_levels(levels, blocks, plan);
    rug_status status = RUG_OK;
    RUGI_WORK(ctx, BYTE_WORK * rugi_image_bytes(&plan->volume), status,
              rugi_engine_run(ctx, pyramid_engines,
                              sizeof pyramid_engines / sizeof pyramid_engines[0], &job));
    return status;
}

rug_status rugi_boxcount_blocks_by_cpu(rug_context *ctx, rugi_boxcount_levels *levels,
                                       uint8_t *blocks, const rugi_boxcount_plan *plan)
{
    rugi_pyramid_job job = begin_levels(levels, blocks, plan);
    return rugi_boxcount_cpu(ctx, &job);
}

static rug_status count_pyramid(rug_context *ctx, rugi_boxcount_levels *levels,
                                const rugi_boxcount_job *job)
{
    const rug_image *image = job->image;
    rugi_boxcount_plan plan;
    rug_image volume = rugi_image_volume(image);
    rugi_boxcount_make_plan(ctx, &plan, &volume, image->ndim, &job->is_set,
                            rugi_boxcount_n_levels(image->ndim, image->shape));
    size_t n_blocks = plan.blocks[0] * plan.blocks[1] * plan.blocks[2];
    uint8_t *blocks = rug_context_allocate(ctx, n_blocks, 1, "blocks of 64 pixels");
    if (blocks == NULL)
        return RUG_E_NOMEM;
    rug_status status = rugi_boxcount_blocks(ctx, levels, blocks, &plan);
    if (status == RUG_OK)
        rugi_boxcount_raise(levels, blocks, plan.blocks, plan.box_axes);
    rug_context_release(ctx, blocks);
    return status;
}

/* ---- HOU ---- */

/* `auto` takes no device: cells take longer to get to a device than to be counted
 * here. */
static const rugi_engine hou_engines[] = {
#ifdef RUGI_HAVE_OPENCL
    {"opencl", RUGI_DEVICE_OPENCL, rugi_boxcount_hou_opencl, rugi_engine_only_by_name},
#endif
    {"cpu", RUGI_DEVICE_CPU, rugi_boxcount_hou_cpu, NULL},
};

rug_status rugi_boxcount_hou_cells(rug_context *ctx, rug_boxcount_result *result,
                                   const rugi_cells *cells)
{
    rugi_key_layout layout;
    rugi_hou_call call = {result, cells, &layout};
    rugi_key_layout_make(&layout, &cells->range);
    if (layout.bits > RUGI_KEY_BITS)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "lattice cells on %d axes given, whose coordinates have %u bits together (the "
            "first axis %u), at most %d expected; use larger lattice cells or fewer axes",
            layout.axes, layout.bits, layout.n_bits[0], RUGI_KEY_BITS);
    result->facts.n_set = 0;
    result->facts.busy_least = result->facts.busy_most = 0;
    for (uint32_t i = 0; i < result->facts.n_sizes; i++)
        result->counts[i].nonempty = result->counts[i].black = 0;
    rug_status status = RUG_OK;
    RUGI_WORK(ctx, CELL_WORK * (double)cells->n, status,
              rugi_engine_run(ctx, hou_engines,
                              sizeof hou_engines / sizeof hou_engines[0], &call));
    return status;
}

static rug_status count_hou(rug_context *ctx, rug_boxcount_result *result,
                            const rugi_boxcount_job *job)
{
    rug_status status = RUG_OK;
    rugi_packed_cells packed;
    RUGI_PHASE(ctx, 0, 0.4, status,
               rugi_packed_cells_new(ctx, &packed, job->image, &job->is_set));
    if (status != RUG_OK)
        return status;
    RUGI_PHASE(ctx, 0.4, 1, status, rugi_boxcount_hou_cells(ctx, result, &packed.cells));
    rugi_packed_cells_free(ctx, &packed);
    return status;
}

/* ---- Window ---- */

/* The share of the work that counting the foreground is, beside all sizes. */
#define SET_SHARE 0.05

static rug_status count_window(rug_context *ctx, rug_boxcount_result *result,
                               const rugi_bits *pixels)
{
    rug_status status = RUG_OK;
    RUGI_PHASE(ctx, 0, SET_SHARE, status,
               rugi_boxcount_window_set(ctx, &result->facts.n_set, pixels));
    RUGI_PHASE(ctx, SET_SHARE, 1, status, rugi_boxcount_window(ctx, result, pixels));
    return status;
}

/* ---- Images ---- */

/* Counts pixels as they lie in memory, by a method that reads them there: any but
 * WINDOW. */
static rug_status count_pixels(rug_context *ctx, rug_boxcount_result *result,
                               const rugi_boxcount_job *job)
{
    rugi_boxcount_levels levels;
    rug_status status;
    if (job->method == RUG_BOXCOUNT_HOU)
        return count_hou(ctx, result, job);
#ifdef RUGI_HAVE_OPENCL
    if (rugi_boxcount_is_mukundan(job->method))
        status = rugi_boxcount_mukundan(ctx, &levels, job->image, &job->is_set,
                                        job->method, RUGI_OPENCL_BYTES);
    else
#endif
        status = count_pyramid(ctx, &levels, job);
    if (status == RUG_OK)
        rugi_boxcount_take_levels(result, &levels);
    return status;
}

rug_status rugi_boxcount_of_bits(rug_context *ctx, rug_boxcount_result *result,
                                 rug_boxcount_method method, const rugi_bits *pixels)
{
    if (method == RUG_BOXCOUNT_WINDOW)
        return count_window(ctx, result, pixels);
    rug_image image = rugi_bits_view(pixels);
    rugi_boxcount_job job = {
        .image = &image, .is_set = rugi_bits_are_set(), .method = method};
    rug_status status = count_pixels(ctx, result, &job);
    rugi_bits_end_view(pixels);
    return status;
}

/* The boxes that hold a pixel of the mask, from a count of the mask alone. */
static rug_status count_mask(rug_context *ctx, rug_boxcount_result *result,
                             rug_boxcount_method method, const rugi_bits *mask)
{
    rug_boxcount_result *m;
    rug_status status = rugi_boxcount_copy(ctx, &m, result);
    if (status != RUG_OK)
        return status;
    uint32_t n_sizes = result->facts.n_sizes;
    status = rugi_boxcount_of_bits(ctx, m, method, mask);
    result->facts.n_pixels = m->facts.n_set;
    if (result->positions != NULL)
        for (uint32_t i = 0; i < n_sizes; i++)
            result->positions[i].mean_total = m->positions[i].mean_nonempty;
    if (status == RUG_OK && result->facts.grid == RUG_BOXCOUNT_GRID_MIN) {
        memcpy(m->positions, result->positions, n_sizes * sizeof *m->positions);
        status = rugi_boxcount_window_at(ctx, m, mask);
    }
    for (uint32_t i = 0; i < n_sizes; i++)
        result->counts[i].total = m->counts[i].nonempty;
    rug_boxcount_free(m);
    return status;
}

rug_status rugi_boxcount_complete(rug_context *ctx, rug_boxcount_result *result,
                                  rug_boxcount_method method, const rugi_bits *mask)
{
    rug_status status = RUG_OK;
    if (mask != NULL)
        status = count_mask(ctx, result, method, mask);
    else
        for (uint32_t i = 0; i < result->facts.n_sizes; i++)
            result->counts[i].total = rugi_boxcount_total(result, i);
    if (status == RUG_OK)
        rugi_boxcount_set_gray_white(result);
    return status;
}

/* Packs the pixels, without those outside of the mask, and counts them. */
static rug_status count_packed(rug_context *ctx, rug_boxcount_result *result,
                               const rugi_boxcount_job *job)
{
    rugi_bits pixels = {0}, inside = {0};
    rug_status status =
        rugi_bits_of_image(ctx, &pixels, job->image, &job->is_set, "packed pixels");
    if (status == RUG_OK && job->mask != NULL) {
        status = rugi_bits_of_mask(ctx, &inside, job->mask);
        if (status == RUG_OK)
            rugi_bits_intersect(&pixels, &inside);
    }
    if (status == RUG_OK)
        status = rugi_boxcount_of_bits(ctx, result, job->method, &pixels);
    if (status == RUG_OK)
        status = rugi_boxcount_complete(ctx, result, job->method,
                                        job->mask != NULL ? &inside : NULL);
    rugi_bits_free(ctx, &inside);
    rugi_bits_free(ctx, &pixels);
    return status;
}

rug_status rugi_boxcount_count(rug_context *ctx, rug_boxcount_result *result,
                               const rugi_boxcount_job *job)
{
    if (job->method == RUG_BOXCOUNT_WINDOW || job->mask != NULL)
        return count_packed(ctx, result, job);
    rug_status status = count_pixels(ctx, result, job);
    return status == RUG_OK ? rugi_boxcount_complete(ctx, result, job->method, NULL)
                            : status;
}
