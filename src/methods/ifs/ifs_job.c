/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What compress is asked for: its options and planes, checked and resolved into a job once. */

#include "ifs/encode/ifs_job.h"
#include "core/context/context_internal.h"
#include "core/context/engine.h"
#include "core/context/sized.h"
#include "core/image/image_internal.h"
#include "ifs/paper/ifs_paper_code.h"
#include "ifs/patches/ifs_tiles.h"
#include "ifs/stream/ifs_notes.h"

/* Ranges and steps of FIXED and OVERLAP by default. */
#define DEFAULT_SIZE 8
#define DEFAULT_STEP 8

/* lambda = this times delta², found by trial on photographs: distortion at high rates
 * is delta² / 12, and a bit less costs 6 dB / 2 of it, which gives 0.115 (Sullivan and
 * Wiegand 1998); blocks whose coefficients are nearly all 0 want less. */
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
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "a rate or a PSNR is given as the target of the partition "
            "%s, which cannot meet one: take QUADTREE",
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
    if (o->shadow_limit != 0)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "a shadow limit is given with QUADTREE: take FIXED or "
                                "OVERLAP");
    if (o->domain_wrap)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "domains that go on at the opposite edge are asked for with "
            "QUADTREE: take FIXED or OVERLAP");
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
    if (!(o->shadow_limit >= 0 && o->shadow_limit <= RUGI_IFS_SHADOW_MAX))
        return wrong_number(ctx, "the shadow limit", o->shadow_limit,
                            "0 to 1073709056.25 (squared grey levels)");
    if (o->domain_step > 1024)
        return wrong_number(ctx, "the domain step", o->domain_step,
                            "1 to 1024 pixels, or 0 for 8");
    if (o->search == RUG_IFS_SEARCH_FAST)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "the search FAST is asked for with the partition %s, which "
            "always tries all domains: take QUADTREE, or AUTO",
            o->partition == RUG_IFS_FIXED ? "FIXED" : "OVERLAP");
    return RUG_OK;
}

/* ---- Version 3 ---- */

static int is_tiled(const rug_ifs_options *o)
{
    return o->partition == RUG_IFS_QUADTREE && !o->without_residual && o->version != 1;
}

/* What only earlier versions do. */
static rug_status check_earlier(rug_context *ctx, const rug_ifs_options *o)
{
    const char *name = o->domain_step != 0                ? "a domain step"
                       : o->scale_max > 0                 ? "a largest scale"
                       : o->search != RUG_IFS_SEARCH_AUTO ? "a search"
                                                          : NULL;
    if (name == NULL)
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "%s is given for a stream of version 3, whose effort says how "
        "domains are looked for: leave it out, or ask for version 1",
        name);
}

static rug_status check_lossless(rug_context *ctx, const rug_ifs_options *o)
{
    const char *name = o->target != RUG_IFS_TARGET_QUALITY ? "a target"
                       : o->effort > 0                     ? "an effort"
                       : o->tune != RUG_IFS_TUNE_SSIM      ? "a tuning"
                       : o->chroma != RUG_IFS_CHROMA_444   ? "chroma 420"
                       : o->chroma_quality > 0             ? "a quality of chroma"
                       : o->progressive ? "a small picture (progressive)"
                                        : NULL;
    if (!o->lossless || name == NULL)
        return RUG_OK;
    return rug_context_fail(ctx, RUG_E_ARG,
                            "%s is asked for with lossless coding, which has none: leave "
                            "it out",
                            name);
}

static rug_status check_tiled(rug_context *ctx, const rug_ifs_options *o)
{
    if (o->version != 0 && o->version != RUGI_IFS_TILED_VERSION)
        return wrong_number(ctx, "the version", o->version,
                            "1, 3, or 0 for the latest that is needed");
    if (o->effort > RUG_IFS_EFFORT_MAX)
        return wrong_number(ctx, "the effort", o->effort, "1 to 9, or 0 for 5");
    if (o->tune != RUG_IFS_TUNE_SSIM && o->tune != RUG_IFS_TUNE_PSNR)
        return wrong_number(ctx, "what to tune for", o->tune,
                            "RUG_IFS_TUNE_SSIM or PSNR");
    if (o->chroma != RUG_IFS_CHROMA_444 && o->chroma != RUG_IFS_CHROMA_420)
        return wrong_number(ctx, "the chroma", o->chroma, "RUG_IFS_CHROMA_444 or 420");
    if (o->chroma_quality != 0 && !(o->chroma_quality >= 1 && o->chroma_quality <= 100))
        return wrong_number(ctx, "the quality of chroma", o->chroma_quality,
                            "1 to 100, or 0 to follow the target");
    if (o->tile != 0 &&
        (o->tile < RUGI_IFS_TILE_LEAST || o->tile > RUGI_IFS_TILE_LARGEST ||
         o->tile % RUGI_IFS_TILE_UNIT != 0))
        return wrong_number(
            ctx, "the tile", o->tile,
            "a multiple of 64 from 256 to 65536 pixels, or 0 for the default");
    rug_status status = check_earlier(ctx, o);
    return status == RUG_OK ? check_lossless(ctx, o) : status;
}

/* What earlier versions cannot say. */
static rug_status check_untiled(rug_context *ctx, const rug_ifs_options *o)
{
    const char *name = o->effort > 0                     ? "an effort"
                       : o->tune != RUG_IFS_TUNE_SSIM    ? "what to tune for"
                       : o->chroma != RUG_IFS_CHROMA_444 ? "chroma 420"
                       : o->chroma_quality != 0          ? "a quality of chroma"
                       : o->lossless                     ? "lossless coding"
                       : o->progressive                  ? "a small picture (progressive)"
                       : o->tile > 0                     ? "a tile"
                                                         : NULL;
    if (o->version > 1)
        return wrong_number(ctx, "the version", o->version,
                            "1, or 0, with FIXED, OVERLAP, or without a residual");
    if (name == NULL)
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "%s is asked for, which only streams of version 3 have: leave it "
        "out, or take QUADTREE with a residual, and version 0",
        name);
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
    if (o->unused != 0 || o->unused2 != 0)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "rug_ifs_options: %u given for `unused`, 0 expected",
                                o->unused != 0 ? o->unused : o->unused2);
    rug_status status = check_target(ctx, o);
    if (status == RUG_OK)
        status = is_tiled(o) ? check_tiled(ctx, o) : check_untiled(ctx, o);
    if (status != RUG_OK)
        return status;
    return o->partition == RUG_IFS_QUADTREE ? check_quadtree(ctx, o)
                                            : check_blocks(ctx, o);
}

static rug_status check_planes(rug_context *ctx, const rug_image *planes, int n_planes,
                               int takes_alpha)
{
    if (n_planes < 1 || n_planes > RUG_IFS_PLANES_MAX)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "%d planes are given, expected 1 (grey) or 3 (red, green "
                                "and blue), or 2 or 4 with alpha",
                                n_planes);
    if (n_planes % 2 == 0 && !takes_alpha)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%d planes are given, of which the last is alpha, which only "
            "streams of version 3 have: leave it out, or take QUADTREE "
            "with a residual, and version 0",
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

/* Only streams of version 3 have a place for them. */
static rug_status read_notes(rug_context *ctx, rugi_ifs_job *job,
                             const rug_ifs_notes *notes)
{
    job->notes = (rug_ifs_notes)RUG_IFS_NOTES_INIT;
    rug_status status = RUGI_TAKE(ctx, &job->notes, notes, "rug_ifs_notes");
    if (status == RUG_OK)
        status = rugi_ifs_notes_check(ctx, &job->notes);
    if (status != RUG_OK || job->is_tiled || rugi_ifs_notes_size(&job->notes) == 0)
        return status;
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "notes are given, which only streams of version 3 hold: leave "
        "them out, or take QUADTREE with a residual, and version 0");
}

static void take_tiled(rugi_ifs_job *job, const rug_ifs_options *o)
{
    job->is_tiled = 1;
    job->level = o->effort > 0 ? o->effort : RUG_IFS_EFFORT_DEFAULT;
    job->tune = o->tune;
    job->halved = o->chroma == RUG_IFS_CHROMA_420;
    job->chroma_quality = o->chroma_quality;
    job->is_lossless = o->lossless != 0;
    job->is_progressive = o->progressive != 0;
    job->tile = o->tile;
}

rug_status rugi_ifs_job_begin(rug_context *ctx, rugi_ifs_job *job,
                              const rug_ifs_options *opts)
{
    rug_ifs_options own = RUG_IFS_OPTIONS_INIT;
    const rug_ifs_options *o = &own;
    rug_status status = RUGI_TAKE(ctx, &own, opts, "rug_ifs_options");
    if (status == RUG_OK)
        status = check(ctx, o);
    if (status != RUG_OK)
        return status;
    if (is_tiled(o))
        status = rugi_engine_cpu_only(ctx, "coding a stream of version 3");
    else if (o->search == RUG_IFS_SEARCH_FAST)
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
        .scale_max = scale_max,
        .shadow_limit = o->shadow_limit,
        .wraps = o->domain_wrap != 0};
    job->effort = (rugi_ifs_effort){.lambda_factor = LAMBDA_FACTOR,
                                    .k_max = (int)(scale_max * RUGI_IFS_K_MAX),
                                    .with_grid = o->search != RUG_IFS_SEARCH_FAST,
                                    .with_all = o->search == RUG_IFS_SEARCH_EXHAUSTIVE,
                                    .n_passes = o->search != RUG_IFS_SEARCH_FAST ? 2 : 1};
    if (is_tiled(o))
        take_tiled(job, o);
    return read_notes(ctx, job, o->notes);
}

/* Tiles of images of more than TILED_FROM pixels, by default. */
#define TILED_FROM   ((uint64_t)4096 * 4096)
#define DEFAULT_TILE 2048

rug_status rugi_ifs_job_take(rug_context *ctx, rugi_ifs_job *job, const rug_image *planes,
                             int n_planes)
{
    rug_status status = check_planes(ctx, planes, n_planes, job->is_tiled);
    if (status != RUG_OK)
        return status;
    job->planes = planes;
    job->has_alpha = n_planes % 2 == 0;
    job->n_planes = n_planes - job->has_alpha;
    job->depth = planes[0].dtype == RUG_U8 ? 8 : 16;
    job->nx = (uint32_t)planes[0].shape[1];
    job->ny = (uint32_t)planes[0].shape[0];
    if (job->tile == 0)
        job->tile = (uint64_t)job->nx * job->ny > TILED_FROM ? DEFAULT_TILE
                                                             : RUGI_IFS_TILE_LARGEST;
    return RUG_OK;
}
