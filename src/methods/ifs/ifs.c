/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The public calls on streams but for decoding. What compress is asked for, its
 * options and planes, is checked and resolved into a job once; what comes of it is put
 * into a stream. What a stream says is read from it. */

#include "core/context/context_internal.h"
#include "core/context/engine.h"
#include "core/context/names.h"
#include "core/context/sized.h"
#include "core/context/small.h"
#include "core/image/image_internal.h"
#include "ifs/encode/ifs_job.h"
#include "ifs/paper/ifs_paper_code.h"
#include "ifs/patches/ifs_decompress_patches.h"
#include "ifs/patches/ifs_tiles.h"
#include "ifs/patches_encode/ifs_compress_patches.h"
#include "ifs/stream/ifs_notes.h"
#include "ifs/stream/ifs_planes.h"
#include <math.h>
#include <string.h>

/* ---- Compressing ---- */

rug_status rug_ifs_check_options(rug_context *ctx, const rug_ifs_options *opts)
{
    rugi_ifs_job job;
    return ctx == NULL ? RUG_E_ARG : rugi_ifs_job_begin(ctx, &job, opts);
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
    rug_status status = rugi_ifs_job_begin(ctx, &job, opts);
    if (status == RUG_OK)
        status = rugi_ifs_job_take(ctx, &job, planes, n_planes);
    if (status != RUG_OK)
        return status;
    rugi_context_set_engine(ctx, "cpu"); /* unless a search runs elsewhere */
    if (job.is_tiled)
        return rugi_ifs_compress_patches(ctx, out, &job);
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
        .value_max = (uint32_t)rugi_smaller(t.minimum + ((1u << t.depth) - 1),
                                            t.is_16 ? 65535 : 255),
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
    if (rugi_ifs_is_tiled(bytes, size))
        return rugi_ifs_show_patches(ctx, bytes, size, pixels_max, fn, user);
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
