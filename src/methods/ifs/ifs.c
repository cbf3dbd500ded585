/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The public calls on streams but for decoding. What compress is asked for, its
 * options and planes, is checked and resolved into a job once; what comes of it is put
 * into a stream. What a stream says is read from it. */

#include "core/context/context_internal.h"
#include "core/context/engine.h"
#include "core/context/names.h"
#include "core/context/sized.h"
#include "core/image/image_internal.h"
#include "ifs/cells/ifs_tiles.h"
#include "ifs/cells_encode/ifs_compress_cells.h"
#include "ifs/encode/ifs_job.h"
#include "ifs/paper/ifs_paper_code.h"
#include "ifs/stream/ifs_notes.h"
#include "ifs/stream/ifs_planes.h"
#include <math.h>
#include <string.h>

/* ---- The job ---- */

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
    if (o->unused != 0)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "rug_ifs_options: %u given for `unused`, 0 expected",
                                o->unused);
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

/* Begins a job with its options. */
static rug_status read_options(rug_context *ctx, rugi_ifs_job *job,
                               const rug_ifs_options *opts)
{
    rug_ifs_options own = RUG_IFS_OPTIONS_INIT;
    const rug_ifs_options *o = &own;
    rug_status status = RUGI_TAKE(ctx, &own, opts, "rug_ifs_options");
    if (status == RUG_OK)
        status = check(ctx, o);
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
        .scale_max = scale_max,
        .shadow_limit = o->shadow_limit,
        .wraps = o->domain_wrap != 0};
    job->effort = (rugi_ifs_effort){.lambda_factor = LAMBDA_FACTOR,
                                    .k_max = (int)(scale_max * RUGI_IFS_K_MAX),
                                    .with_grid = o->search != RUG_IFS_SEARCH_FAST,
                                    .with_all = o->search == RUG_IFS_SEARCH_EXHAUSTIVE,
                                    .n_passes = o->search != RUG_IFS_SEARCH_FAST ? 2 : 1};
    job->is_tiled = is_tree && !o->without_residual && o->version != 1;
    job->level = o->effort > 0 ? o->effort : RUG_IFS_EFFORT_DEFAULT;
    job->tune = o->tune;
    job->halved = o->chroma == RUG_IFS_CHROMA_420;
    job->chroma_quality = o->chroma_quality;
    job->is_lossless = o->lossless;
    job->is_progressive = o->progressive;
    job->search = o->search;
    job->tile = o->tile > 0 ? o->tile : 65536;
    return read_notes(ctx, job, o->notes);
}

/* Completes it with the planes of an image. */
static rug_status read_planes(rug_context *ctx, rugi_ifs_job *job,
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

/* ---- Compressing ---- */

rug_status rug_ifs_check_options(rug_context *ctx, const rug_ifs_options *opts)
{
    rugi_ifs_job job;
    return ctx == NULL ? RUG_E_ARG : read_options(ctx, &job, opts);
}

static rug_status write_stream(rug_context *ctx, rug_ifs_stream *out,
                               const rugi_ifs_coded *coded)
{
    rugi_ifs_part parts[RUG_IFS_PLANES_MAX];
    memset(parts, 0, sizeof parts);
    for (int i = 0; i < coded->header.n_planes; i++) {
        parts[i].bytes = coded->planes[i].bytes;
        parts[i].n = coded->planes[i].n_bytes;
    }
    return rugi_ifs_container_write(ctx, out, &coded->header, parts);
}

rug_status rug_ifs_compress(rug_context *ctx, rug_ifs_stream *out,
                            const rug_image *planes, int n_planes,
                            const rug_ifs_options *opts)
{
    rugi_ifs_job job;
    rugi_ifs_coded coded;
    if (out != NULL)
        memset(out, 0, sizeof *out);
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "NULL is given, expected %s",
                                ctx == NULL ? "a context" : "a stream to fill");
    rug_status status = read_options(ctx, &job, opts);
    if (status == RUG_OK)
        status = read_planes(ctx, &job, planes, n_planes);
    if (status != RUG_OK)
        return status;
    rugi_context_set_engine(ctx, "cpu"); /* unless a search runs elsewhere */
    if (job.is_tiled)
        return rugi_ifs_compress_cells(ctx, out, &job);
    status = job.partition == RUG_IFS_QUADTREE
                 ? rugi_ifs_compress_tree(ctx, &coded, &job)
                 : rugi_ifs_compress_blocks(ctx, &coded, &job);
    if (status == RUG_OK)
        status = write_stream(ctx, out, &coded);
    rugi_ifs_coded_free(ctx, &coded);
    return status;
}

/* ---- Reading ---- */

static rug_status tiled_info(rug_context *ctx, rug_ifs_info *out, const uint8_t *bytes,
                             size_t size)
{
    rugi_ifs_tiled t;
    rug_status status = rugi_ifs_tiled_read(ctx, &t, bytes, size, 1);
    if (status != RUG_OK)
        return status;
    rug_ifs_info info = {
        .version = RUGI_IFS_TILED_VERSION,
        .nx = t.nx,
        .ny = t.ny,
        .n_planes = rugi_ifs_picture_planes(&t),
        .depth = t.is_16 ? 16 : 8,
        .partition = RUG_IFS_QUADTREE,
        .range_min = RUGI_IFS_LEAST,
        .range_max = RUGI_IFS_BLOCK,
        .domain_step = RUGI_IFS_DOMAIN_UNIT,
        .has_residual = 1,
        .quantiser_step = t.is_lossless ? 0 : t.planes[0].delta / 16.0,
        .is_deblocked = t.planes[0].deblock > 0,
        .bytes = size,
        .has_alpha = t.has_alpha,
        .is_lossless = t.is_lossless,
        .chroma = t.halved ? RUG_IFS_CHROMA_420 : RUG_IFS_CHROMA_444,
        .has_preview = t.has_preview,
        .tile_nx = t.tile < t.nx ? t.tile : t.nx,
        .tile_ny = t.tile < t.ny ? t.tile : t.ny,
        .value_min = t.minimum,
        .value_max = t.minimum + ((1u << t.depth) - 1),
    };
    rugi_ifs_tiled_free(ctx, &t);
    RUGI_GIVE(out, &info);
    return RUG_OK;
}

rug_status rug_ifs_read_info(rug_context *ctx, rug_ifs_info *out, const uint8_t *bytes,
                             size_t size)
{
    rugi_ifs_header h;
    rugi_ifs_part parts[RUG_IFS_PLANES_MAX];
    rug_status status = rugi_clear(ctx, out, "rug_ifs_info");
    if (status == RUG_OK && (ctx == NULL || (bytes == NULL && size > 0)))
        status = rug_context_fail(ctx, RUG_E_ARG, "rug_ifs_read_info: NULL given");
    if (status == RUG_OK && rugi_ifs_is_tiled(bytes, size))
        return tiled_info(ctx, out, bytes, size);
    if (status == RUG_OK)
        status = rugi_ifs_container_read(ctx, &h, parts, bytes, size);
    if (status != RUG_OK)
        return status;
    int is_tree = h.partition == RUG_IFS_QUADTREE;
    rug_ifs_info info = {
        .version = bytes[4],
        .nx = h.nx,
        .ny = h.ny,
        .n_planes = h.n_planes,
        .depth = (int)h.depth,
        .partition = h.partition,
        .range_min = is_tree ? RUGI_IFS_LEAST : h.range_size,
        .range_max = is_tree ? RUGI_IFS_BLOCK : h.range_size,
        .domain_step = h.step,
        .has_residual = h.has_residual,
        .quantiser_step = h.has_residual ? h.delta[0] / 16.0 : 0,
        .iterations = h.iterations,
        .is_deblocked = h.deblock > 0,
        .bytes = size,
        .domain_wrap = h.wraps,
    };
    RUGI_GIVE(out, &info);
    return RUG_OK;
}

static rug_status show_tree(rug_context *ctx, const rugi_ifs_header *h,
                            const rugi_ifs_part *part, int plane, size_t room,
                            rug_ifs_transform_fn fn, void *user)
{
    rugi_ifs_tree tree;
    rugi_ifs_frame frame = rugi_ifs_frame_of(h, plane);
    rug_status status =
        rugi_ifs_read_tree(ctx, &tree, &frame, part->bytes, part->n, room);
    for (size_t i = 0; i < tree.n_leaves && status == RUG_OK; i++) {
        const rugi_ifs_leaf *leaf = &tree.leaves[i];
        int has_domain = leaf->zone != RUGI_IFS_FLAT;
        rug_ifs_transform t = {
            .range_x = leaf->x,
            .range_y = leaf->y,
            .size = (uint32_t)RUGI_IFS_SIDE(leaf->level),
            .domain_x = leaf->domain_x,
            .domain_y = leaf->domain_y,
            .plane = (uint8_t)plane,
            .symmetry = leaf->symmetry,
            .has_domain = (uint8_t)has_domain,
            .s = leaf->k / 8.0,
            .mean = leaf->mean * (double)rugi_ifs_mean_step(&frame, leaf->level) / 64,
            .error = NAN,
        };
        status = fn(user, &t);
    }
    rugi_ifs_tree_free(ctx, &tree);
    return status;
}

static rug_status show_blocks(rug_context *ctx, const rugi_ifs_header *h,
                              const rugi_ifs_part *part, int plane,
                              rug_ifs_transform_fn fn, void *user)
{
    rugi_ifs_blocks blocks;
    rugi_ifs_block_frame frame = rugi_ifs_block_frame_of(h, plane);
    rug_status status = rugi_ifs_read_blocks(ctx, &blocks, &frame, part->bytes, part->n);
    for (size_t i = 0; i < blocks.n && status == RUG_OK; i++) {
        const rugi_ifs_block *b = &blocks.blocks[i];
        rug_ifs_transform t = {
            .range_x = b->x,
            .range_y = b->y,
            .size = frame.size,
            .domain_x = b->domain_x,
            .domain_y = b->domain_y,
            .plane = (uint8_t)plane,
            .symmetry = b->symmetry,
            .has_domain = b->k != 0,
            .s = b->k / (double)RUGI_IFS_BLOCK_SCALES,
            .mean = b->mean / (double)RUGI_IFS_BLOCK_MEANS,
            .error = NAN,
        };
        status = fn(user, &t);
    }
    rugi_ifs_blocks_free(ctx, &blocks);
    return status;
}

rug_status rug_ifs_read_transforms(rug_context *ctx, const uint8_t *bytes, size_t size,
                                   uint64_t pixels_max, rug_ifs_transform_fn fn,
                                   void *user)
{
    rugi_ifs_header h;
    rugi_ifs_part parts[RUG_IFS_PLANES_MAX];
    if (ctx == NULL || fn == NULL || (bytes == NULL && size > 0))
        return rug_context_fail(ctx, RUG_E_ARG, "rug_ifs_read_transforms: NULL given");
    rug_status status = rugi_ifs_container_read(ctx, &h, parts, bytes, size);
    if (status == RUG_OK) {
        const rugi_ifs_size image = rugi_ifs_size_of(&h);
        status = rugi_ifs_check_pixels(ctx, &image, size, pixels_max);
    }
    for (int p = 0; p < h.n_planes && status == RUG_OK; p++) {
        rugi_phase outer =
            rugi_phase_enter(ctx, (double)p / h.n_planes, (p + 1.0) / h.n_planes);
        status = rugi_ifs_check_part(ctx, &parts[p], p);
        if (status == RUG_OK && h.partition == RUG_IFS_QUADTREE)
            status = show_tree(ctx, &h, &parts[p], p,
                               rugi_ifs_tree_room(&parts[p], pixels_max), fn, user);
        else if (status == RUG_OK)
            status = show_blocks(ctx, &h, &parts[p], p, fn, user);
        rugi_phase_leave(ctx, outer);
    }
    return status;
}

/* ---- What the calls return ---- */

const char *rug_ifs_partition_name(rug_ifs_partition partition)
{
    static const char *const names[] = {"quadtree", "fixed", "overlap"};
    return RUGI_NAME(names, partition);
}

const char *rug_ifs_search_name(rug_ifs_search search)
{
    static const char *const names[] = {"auto", "exhaustive", "fast"};
    return RUGI_NAME(names, search);
}

const char *rug_ifs_tune_name(rug_ifs_tune tune)
{
    static const char *const names[] = {"ssim", "psnr"};
    return RUGI_NAME(names, tune);
}

const char *rug_ifs_chroma_name(rug_ifs_chroma chroma)
{
    static const char *const names[] = {"444", "420"};
    return RUGI_NAME(names, chroma);
}

const char *rug_ifs_target_name(rug_ifs_target target)
{
    static const char *const names[] = {"quality", "bpp", "psnr"};
    return RUGI_NAME(names, target);
}

void rug_ifs_stream_free(rug_context *ctx, rug_ifs_stream *stream)
{
    if (stream == NULL)
        return;
    rug_context_release(ctx, stream->bytes);
    memset(stream, 0, sizeof *stream);
}

void rug_ifs_picture_free(rug_context *ctx, rug_ifs_picture *picture)
{
    if (picture == NULL)
        return;
    rug_context_release(ctx, picture->pixels);
    picture->pixels = NULL;
    rugi_clear(ctx, picture, "rug_ifs_picture");
}
