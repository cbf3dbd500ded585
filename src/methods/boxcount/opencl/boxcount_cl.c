/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The OpenCL engine of the pyramid: brick after brick, levels 0 to 6 on the device; and what it
 * shares with the other kernels of box counting: bricks of whole blocks, and the rule by which
 * pixels are set. */

#include "boxcount_bricks.h"
#include "boxcount_opencl.h"
#include "core/context/small.h"
#include <stdio.h>
#include <string.h>

extern const rugi_ocl_source rugi_cl_boxcount_pixels;
extern const rugi_ocl_source rugi_cl_boxcount_pyramid;

/* Pixels of a row that kernels load at once. */
#define UNIT 16

/* Kernels load a unit of the widest pixels from an address that is a multiple of it. */
#define WRAP_ALIGNMENT 128

/* The longest axes of a brick: groups of work items along y and z are counted in 16 bits
 * by some devices. */
#define AXIS_MAX ((size_t)1 << 19)
#define ROW_MAX  ((size_t)1 << 30)

/* The whole axis, or as many whole blocks as fit. */
static size_t side_of(size_t n, size_t most)
{
    most = most / RUGI_BLOCK * RUGI_BLOCK;
    if (most == 0)
        most = RUGI_BLOCK;
    return n <= most ? n : most;
}

/* Cuts along z first: what lies together stays together. */
static void choose_sides(size_t side[3], const rug_image *volume, size_t most_bytes)
{
    const size_t *n = volume->shape;
    size_t rows = rugi_smaller(n[1], RUGI_BLOCK), slices = rugi_smaller(n[0], RUGI_BLOCK);
    size_t bits = rugi_ocl_pixel_bits(volume->dtype);
    size_t columns = rugi_smaller(most_bytes / rows / slices, ROW_MAX) * 8 / bits;
    side[2] = side_of(n[2], rugi_smaller(columns, ROW_MAX));
    size_t pitch = rugi_ocl_row_bytes(volume->dtype, side[2], UNIT);
    side[1] = side_of(n[1], rugi_smaller(most_bytes / pitch / slices, AXIS_MAX));
    side[0] = side_of(n[0], rugi_smaller(most_bytes / pitch / side[1], AXIS_MAX));
}

/* The least key of a value in the order of the values; see boxcount_pixels.cl. Zero has
 * two.
 * @param is_high  the largest key instead */
static uint64_t key_of(rug_dtype dtype, double v, int is_high)
{
    uint64_t bits, sign = 0;
    if (v == 0)
        v = is_high ? 0.0 : -0.0;
    if (dtype == RUG_F32) {
        float f = (float)v;
        uint32_t u;
        memcpy(&u, &f, sizeof u);
        bits = u;
        sign = (uint64_t)1 << 31;
    } else {
        memcpy(&bits, &v, sizeof bits);
        sign = (uint64_t)1 << 63;
    }
    return (bits & sign) != 0 ? bits ^ (sign - 1) : bits;
}

static void set_rule(uint64_t rule[4], rug_dtype dtype, const rugi_predicate *p)
{
    rule[0] = p->lo;
    rule[1] = p->span;
    rule[2] = p->outside != 0;
    rule[3] = 0;
    if (dtype == RUG_BIT) {
        rule[0] = p->set_bit[0] ? 0xffff : 0;
        rule[1] = p->set_bit[1] ? 0xffff : 0;
    } else if (dtype == RUG_F32 || dtype == RUG_F64) {
        rule[0] = key_of(dtype, p->real_lo, 0);
        rule[1] = key_of(dtype, p->real_hi, 1) - rule[0];
        if (p->real_lo > p->real_hi) { /* none: the key of a value that is not a number */
            rule[0] = dtype == RUG_F32 ? INT32_MAX : INT64_MAX;
            rule[1] = 0;
        }
    }
}

rug_status rugi_bricks_new(rug_context *ctx, rugi_bricks *b, rugi_ocl *device,
                           const rugi_boxcount_plan *plan, size_t most_bytes)
{
    const rug_image *v = &plan->volume;
    *b = (rugi_bricks){.pieces = {.device = device,
                                  .source = v,
                                  .dtype = v->dtype,
                                  .end = {v->shape[0], v->shape[1], v->shape[2]},
                                  .row_unit = UNIT,
                                  .wrap_alignment = WRAP_ALIGNMENT,
                                  .what = "pixels"}};
    if (!rugi_ocl_rows_are_direct(v, v->dtype, UNIT))
        most_bytes = rugi_smaller(most_bytes, RUGI_BRICK_STAGED_BYTES);
    choose_sides(b->pieces.side, v, most_bytes);
    set_rule(b->rule, v->dtype, &plan->predicate);
    return rugi_ocl_pieces_new(ctx, &b->pieces);
}

void rugi_brick_extent(uint64_t extent[4], const rugi_ocl_piece *brick)
{
    for (int a = 0; a < 3; a++)
        extent[2 - a] = brick->shape[a];
    extent[3] = brick->pitch;
}

/* The dtype whose kernels count one: they do not see the sign of integers. */
static rug_dtype kernel_dtype(rug_dtype dtype)
{
    switch (dtype) {
    case RUG_I8: return RUG_U8;
    case RUG_I16: return RUG_U16;
    case RUG_I32: return RUG_U32;
    case RUG_I64: return RUG_U64;
    default: return dtype;
    }
}

rug_status rugi_bricks_kernel(rug_context *ctx, rugi_ocl *device, rugi_ocl_kernel **out,
                              const rugi_boxcount_plan *plan,
                              const rugi_ocl_source *source, const char *name)
{
    const rugi_ocl_source *const sources[] = {&rugi_cl_boxcount_pixels, source};
    char options[64];
    snprintf(options, sizeof options, "-DPIXEL_TYPE=%d -DBOX_AXES=%d",
             (int)kernel_dtype(plan->volume.dtype), plan->box_axes);
    rugi_ocl_build build = {.sources = sources, .n_sources = 2, .options = options};
    rug_status status = rugi_ocl_kernel_get(ctx, device, out, &build, name);
    if (status != RUG_OK || rugi_ocl_kernel_group_max(*out) >= RUGI_BRICK_ITEMS)
        return status;
    return rug_context_fail(ctx, RUG_E_DEVICE,
                            "%s: box counting needs work groups of %d items, and this "
                            "device has %zu; use device 'cpu'",
                            rugi_ocl_facts(device)->name, RUGI_BRICK_ITEMS,
                            rugi_ocl_kernel_group_max(*out));
}

/* ---- The engine ---- */

/* Of boxcount_pyramid.cl: blocks of the tile of a group, numbers that it counts. */
#define TILE_BLOCKS_2D 4
#define TILE_BLOCKS_3D 1
#define N_TALLIES      7

/* What the device fills, here and there, of the size of the largest brick. */
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
