/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The transforms of a stream, one by one. */

#include "core/context/context_internal.h"
#include "ifs/stream/ifs_container.h"
#include <math.h>

static rug_status show_tree(rug_context *ctx, const rugi_ifs_header *h,
                            const rugi_ifs_part *part, int plane, rug_ifs_transform_fn fn,
                            void *user)
{
    rugi_ifs_tree tree;
    rugi_ifs_frame frame = rugi_ifs_frame_of(h, plane);
    rug_status status = rugi_ifs_read_tree(ctx, &tree, &frame, part->bytes, part->n);
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
    if (status == RUG_OK)
        status = rugi_ifs_check_pixels(ctx, &h, pixels_max);
    for (int p = 0; p < h.n_planes && status == RUG_OK; p++) {
        rugi_phase outer =
            rugi_phase_enter(ctx, (double)p / h.n_planes, (p + 1.0) / h.n_planes);
        status = rugi_ifs_check_part(ctx, &parts[p], p);
        if (status == RUG_OK && h.partition == RUG_IFS_QUADTREE)
            status = show_tree(ctx, &h, &parts[p], p, fn, user);
        else if (status == RUG_OK)
            status = show_blocks(ctx, &h, &parts[p], p, fn, user);
        rugi_phase_leave(ctx, outer);
    }
    return status;
}
