/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What a call to compress is asked for: its options and planes are checked, and every number
 * that follows from them is made, once. */

#include "ifs_job.h"
#include "core/context/context_internal.h"
#include "core/context/engine.h"
#include "core/image/image_internal.h"
#include "ifs/paper/ifs_paper_code.h"
#include "ifs_encode.h"
#include <math.h>

/* Ranges and steps of FIXED and OVERLAP by default. */
#define DEFAULT_SIZE 8
#define DEFAULT_STEP 8

/* The default step of the grid is 4, or the next multiple of it that leaves so few
 * domains: the search takes time in proportion to both blocks and domains. */
#define DOMAINS_MOST 32768

/* lambda = this times delta², found by trial on photographs: distortion at high rates is
 * delta² / 12, and a bit less costs 6 dB / 2 of it, which gives 0.115 (Sullivan and Wiegand
 * 1998); blocks whose coefficients are nearly all 0 want less. */
#define LAMBDA_FACTOR 0.1

static rug_status wrong_number(rug_context *ctx, const char *name, double given,
                               const char *expected)
{
    return rug_context_fail(ctx, RUG_E_ARG, "%s is %g, expected %s", name, given,
                            expected);
}

static rug_status check_target(rug_context *ctx, const rug_ifs_options *o)
{
    double v = o->target_value;
    switch (o->target) {
    case RUG_IFS_TARGET_QUALITY:
        if (o->partition == RUG_IFS_QUADTREE && !(v >= 1 && v <= 100))
            return wrong_number(ctx, "the quality", v, "1 to 100");
        return RUG_OK;
    case RUG_IFS_TARGET_RATE:
        if (!(v > 0 && v <= 1000))
            return wrong_number(ctx, "the rate", v,
                                "bits for each pixel above 0 and at most 1000");
        break;
    case RUG_IFS_TARGET_PSNR:
        if (!(v > 0 && v <= 200))
            return wrong_number(ctx, "the PSNR", v, "dB above 0 and at most 200");
        break;
    default:
        return wrong_number(ctx, "the target", o->target,
                            "RUG_IFS_TARGET_QUALITY, RATE or PSNR");
    }
    if (o->partition != RUG_IFS_QUADTREE)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "a rate or a PSNR is asked for with the partition %s, "
                                "which cannot aim at one: take QUADTREE",
                                o->partition == RUG_IFS_FIXED ? "FIXED" : "OVERLAP");
    return RUG_OK;
}

static rug_status check_quadtree(rug_context *ctx, const rug_ifs_options *o)
{
    if (o->range_size != 0)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "a range size of %u is given with QUADTREE, whose ranges "
                                "are 4 to 32: leave it 0, or take FIXED or OVERLAP",
                                o->range_size);
    if (o->domain_step > 1024 || o->domain_step % RUGI_IFS_LEAST != 0)
        return wrong_number(ctx, "the domain step", o->domain_step,
                            "a multiple of 4 up to 1024 with QUADTREE, or 0 for the "
                            "default");
    return RUG_OK;
}

static rug_status check_blocks(rug_context *ctx, const rug_ifs_options *o)
{
    uint32_t size = o->range_size;
    if (size != 0 && (size < 2 || size > 32))
        return wrong_number(ctx, "the range size", size, "2 to 32 pixels, or 0 for 8");
    if (o->partition == RUG_IFS_OVERLAP && size % 2 != 0)
        return wrong_number(ctx, "the range size", size,
                            "an even one with OVERLAP, whose grids lie half a range "
                            "apart");
    if (o->domain_step > 1024)
        return wrong_number(ctx, "the domain step", o->domain_step,
                            "1 to 1024 pixels, or 0 for 8");
    if (o->search == RUG_IFS_SEARCH_FAST)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "the search FAST is asked for with the partition %s, which "
            "always looks at all domains: take QUADTREE, or AUTO",
            o->partition == RUG_IFS_FIXED ? "FIXED" : "OVERLAP");
    return RUG_OK;
}

static rug_status check(rug_context *ctx, const rug_ifs_options *o)
{
    if (o->partition != RUG_IFS_QUADTREE && o->partition != RUG_IFS_FIXED &&
        o->partition != RUG_IFS_OVERLAP)
        return wrong_number(ctx, "the partition", o->partition,
                            "RUG_IFS_QUADTREE, FIXED or OVERLAP");
    if (o->search != RUG_IFS_SEARCH_AUTO && o->search != RUG_IFS_SEARCH_EXHAUSTIVE &&
        o->search != RUG_IFS_SEARCH_FAST)
        return wrong_number(ctx, "the search", o->search,
                            "RUG_IFS_SEARCH_AUTO, EXHAUSTIVE or FAST");
    if (!(o->scale_max >= 0 && o->scale_max <= 1))
        return wrong_number(ctx, "the largest scale", o->scale_max,
                            "above 0 and at most 1, or 0 for 1");
    rug_status status = check_target(ctx, o);
    if (status != RUG_OK)
        return status;
    return o->partition == RUG_IFS_QUADTREE ? check_quadtree(ctx, o)
                                            : check_blocks(ctx, o);
}

static rug_status check_planes(rug_context *ctx, const rug_image *planes, int n_planes)
{
    if (n_planes != 1 && n_planes != 3)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "%d planes are given, expected 1 (grey) or 3 (red, green "
                                "and blue)",
                                n_planes);
    if (planes == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "the planes are NULL, expected %d views",
                                n_planes);
    for (int i = 0; i < n_planes; i++) {
        rug_status status = rugi_ifs_check_plane(ctx, &planes[i]);
        if (status != RUG_OK)
            return status;
        if (planes[i].dtype != planes[0].dtype)
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "plane %d is of %s and the first of %s, expected the "
                                    "same",
                                    i, rug_dtype_name(planes[i].dtype),
                                    rug_dtype_name(planes[0].dtype));
        status = rugi_shapes_check(ctx, "colour plane", planes[i].ndim, planes[i].shape,
                                   planes[0].ndim, planes[0].shape);
        if (status != RUG_OK)
            return status;
    }
    return RUG_OK;
}

rug_status rugi_ifs_job_options(rug_context *ctx, rugi_ifs_job *job,
                                const rug_ifs_options *opts)
{
    static const rug_ifs_options defaults = RUG_IFS_OPTIONS_INIT;
    const rug_ifs_options *o = opts != NULL ? opts : &defaults;
    if (!rugi_options_fit(ctx, o->struct_size, sizeof *o, "rug_ifs_options"))
        return RUG_E_ARG;
    rug_status status = check(ctx, o);
    if (status != RUG_OK)
        return status;
    if (o->search == RUG_IFS_SEARCH_FAST)
        status = rugi_engine_cpu_only(ctx, "coding without a search of all domains");
    if (status != RUG_OK)
        return status;
    int is_tree = o->partition == RUG_IFS_QUADTREE;
    double scale_max = o->scale_max > 0 ? o->scale_max : 1;
    *job = (rugi_ifs_job){
        .partition = o->partition,
        .target = o->target,
        .target_value = o->target_value,
        .range_size = o->range_size != 0 || is_tree ? o->range_size : DEFAULT_SIZE,
        .domain_step = o->domain_step != 0 || is_tree ? o->domain_step : DEFAULT_STEP,
        .has_residual = !o->without_residual,
        .scale_max = scale_max};
    job->effort = (rugi_ifs_effort){.lambda_factor = LAMBDA_FACTOR,
                                    .k_max = (int)(scale_max * RUGI_IFS_K_MAX),
                                    .with_grid = o->search != RUG_IFS_SEARCH_FAST,
                                    .with_all = o->search == RUG_IFS_SEARCH_EXHAUSTIVE,
                                    .n_passes = o->search != RUG_IFS_SEARCH_FAST ? 2 : 1};
    return RUG_OK;
}

rug_status rugi_ifs_job_planes(rug_context *ctx, rugi_ifs_job *job,
                               const rug_image *planes, int n_planes)
{
    rug_status status = check_planes(ctx, planes, n_planes);
    if (status != RUG_OK)
        return status;
    job->planes = planes;
    job->n_planes = n_planes;
    job->depth = planes[0].dtype == RUG_U8 ? 8 : 16;
    job->nx = (uint32_t)planes[0].shape[1];
    job->ny = (uint32_t)planes[0].shape[0];
    return RUG_OK;
}

uint32_t rugi_ifs_job_step(const rugi_ifs_job *job, uint32_t nx, uint32_t ny)
{
    uint32_t step = RUGI_IFS_LEAST;
    if (job->domain_step != 0)
        return job->domain_step;
    while (!job->effort.with_all && step < 1024 &&
           (uint64_t)(nx / step) * (ny / step) > DOMAINS_MOST)
        step += RUGI_IFS_LEAST;
    return step;
}
