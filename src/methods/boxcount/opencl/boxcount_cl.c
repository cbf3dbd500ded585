/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The OpenCL engine of the pyramid: brick after brick, levels 0 to 6 on the device. */

#include "boxcount_bricks.h"
#include "boxcount_opencl.h"
#include "core/context/small.h"
#include <string.h>

extern const rugi_ocl_source rugi_cl_boxcount_pyramid;

/* Of boxcount_pyramid.cl: blocks of the tile of a group, numbers that it counts. */
#define TILE_BLOCKS_2D 4
#define TILE_BLOCKS_3D 1
#define N_TALLIES      7

/* What the device fills, here and there, with room for the largest brick. */
typedef struct results {
    rugi_ocl_buffer *counts, *blocks;
    uint32_t *host_counts; /* [tile][N_TALLIES] */
    uint8_t *host_blocks;  /* [z][y][x] of the brick */
} results;

static size_t tiles_of(size_t n_blocks_x, int box_axes)
{
    size_t wide = box_axes == 3 ? TILE_BLOCKS_3D : TILE_BLOCKS_2D;
    return (n_blocks_x - 1) / wide + 1;
}

static void blocks_of(size_t blocks[3], const size_t pixels[3])
{
    for (int a = 0; a < 3; a++)
        blocks[a] = (pixels[a] - 1) / RUGI_BLOCK + 1;
}

static rug_status make_results(rug_context *ctx, results *r,
                               const rugi_ocl_pieces *bricks, int box_axes)
{
    size_t n[3];
    blocks_of(n, bricks->side);
    size_t n_blocks = n[0] * n[1] * n[2];
    size_t n_tiles = n[0] * n[1] * tiles_of(n[2], box_axes);
    r->host_counts = rug_context_allocate(
        ctx, n_tiles, N_TALLIES * sizeof *r->host_counts, "counts of tiles");
    r->host_blocks = rug_context_allocate(ctx, n_blocks, 1, "blocks of a brick");
    if (r->host_counts == NULL || r->host_blocks == NULL)
        return RUG_E_NOMEM;
    rug_status status = rugi_ocl_buffer_new(ctx, bricks->device, &r->counts, n_tiles,
                                            N_TALLIES * sizeof *r->host_counts,
                                            RUGI_OCL_WRITE, "counts of tiles");
    if (status == RUG_OK)
        status = rugi_ocl_buffer_new(ctx, bricks->device, &r->blocks, n_blocks, 1,
                                     RUGI_OCL_WRITE, "blocks");
    return status;
}

static void free_results(rug_context *ctx, results *r, rugi_ocl *device)
{
    rugi_ocl_buffer_free(device, r->blocks);
    rugi_ocl_buffer_free(device, r->counts);
    rug_context_release(ctx, r->host_blocks);
    rug_context_release(ctx, r->host_counts);
}

/* A count under way. */
typedef struct counting {
    const rugi_boxcount_job *job;
    rugi_bricks bricks;
    rugi_ocl_kernel *kernel;
    results results;
    rugi_boxcount_levels levels;
} counting;

static rug_status run_tiles(rug_context *ctx, const counting *c,
                            const rugi_ocl_piece *brick, const size_t blocks[3],
                            size_t tiles_x)
{
    uint64_t extent[4];
    rugi_brick_extent(extent, brick);
    const rugi_ocl_arg args[] = {rugi_ocl_arg_buffer(c->bricks.pieces.pixels[0]),
                                 RUGI_OCL_ARG(extent), RUGI_OCL_ARG(c->bricks.rule),
                                 rugi_ocl_arg_buffer(c->results.counts),
                                 rugi_ocl_arg_buffer(c->results.blocks)};
    const size_t items[3] = {tiles_x * RUGI_BRICK_ITEMS, blocks[1], blocks[0]};
    const size_t group[3] = {RUGI_BRICK_ITEMS, 1, 1};
    return rugi_ocl_run(ctx, c->bricks.pieces.device, c->kernel, args,
                        sizeof args / sizeof args[0], 3, items, group);
}

static void add_counts(rugi_boxcount_levels *levels, const uint32_t *counts,
                       size_t n_tiles)
{
    for (size_t t = 0; t < n_tiles; t++) {
        levels->nonempty[0] += counts[t * N_TALLIES];
        for (uint32_t m = 1; m <= RUGI_BLOCK_LEVEL; m++) {
            levels->nonempty[m] += counts[t * N_TALLIES + m] & 0xffff;
            levels->black[m] += counts[t * N_TALLIES + m] >> 16;
        }
    }
}

static void place_blocks(const rugi_boxcount_job *job, const rugi_ocl_piece *brick,
                         const uint8_t *blocks, const size_t n[3])
{
    const size_t *all = job->plan->blocks;
    size_t first[3];
    for (int a = 0; a < 3; a++)
        first[a] = brick->first[a] / RUGI_BLOCK;
    for (size_t z = 0; z < n[0]; z++)
        for (size_t y = 0; y < n[1]; y++)
            memcpy(job->blocks + ((first[0] + z) * all[1] + first[1] + y) * all[2] +
                       first[2],
                   blocks + (z * n[1] + y) * n[2], n[2]);
}

static rug_status count_brick(rug_context *ctx, void *user, const rugi_ocl_piece *brick)
{
    counting *c = user;
    const results *r = &c->results;
    rugi_ocl *device = c->bricks.pieces.device;
    size_t n[3];
    blocks_of(n, brick->shape);
    size_t tiles_x = tiles_of(n[2], c->job->plan->box_axes);
    size_t n_tiles = tiles_x * n[1] * n[0];
    rug_status status = run_tiles(ctx, c, brick, n, tiles_x);
    if (status == RUG_OK)
        status = rugi_ocl_read(ctx, device, r->counts, 0, r->host_counts,
                               n_tiles * N_TALLIES * sizeof *r->host_counts);
    if (status == RUG_OK)
        status =
            rugi_ocl_read(ctx, device, r->blocks, 0, r->host_blocks, n[0] * n[1] * n[2]);
    if (status != RUG_OK)
        return status;
    add_counts(&c->levels, r->host_counts, n_tiles);
    place_blocks(c->job, brick, r->host_blocks, n);
    return RUG_OK;
}

static rug_status count_bricks(rug_context *ctx, counting *c)
{
    rugi_ocl_pieces *bricks = &c->bricks.pieces;
    rug_status status = make_results(ctx, &c->results, bricks, c->job->plan->box_axes);
    if (status == RUG_OK)
        status = rugi_ocl_pieces_each(ctx, bricks, count_brick, c);
    free_results(ctx, &c->results, bricks->device);
    return status;
}

rug_status rugi_boxcount_opencl_bricks(rug_context *ctx, const rugi_boxcount_job *job,
                                       size_t most_bytes)
{
    rugi_ocl *device;
    counting c = {.job = job, .levels = {.n = job->levels->n}};
    rug_status status = rugi_ocl_open(ctx, &device);
    if (status == RUG_OK)
        status = rugi_bricks_kernel(ctx, device, &c.kernel, job->plan,
                                    &rugi_cl_boxcount_pyramid, "boxes_pyramid");
    if (status == RUG_OK)
        status =
            rugi_bricks_new(ctx, &c.bricks, device, job->plan,
                            rugi_smaller(most_bytes, rugi_ocl_piece_max(device, 1, 0)));
    if (status != RUG_OK)
        return status;
    status = count_bricks(ctx, &c);
    rugi_ocl_pieces_free(ctx, &c.bricks.pieces);
    if (status != RUG_OK)
        return status;
    c.levels.black[0] = c.levels.nonempty[0];
    c.levels.engine = rugi_ocl_engine_name(device);
    *job->levels = c.levels;
    return RUG_OK;
}

rug_status rugi_boxcount_opencl(rug_context *ctx, void *job)
{
    return rugi_boxcount_opencl_bricks(ctx, job, RUGI_OPENCL_BYTES);
}
