/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counting of images on OpenCL devices, brick after brick: the engine of the pyramid, whose
 * levels 0 to 6 are counted there, and kernels 1 and 2 of Mukundan (2015), "Parallel
 * implementation of the box counting algorithm in OpenCL", Fractals 23(3), on images of any
 * size. Bricks are of whole blocks of 64 pixels, so that their counts add up. */

#include "boxcount_opencl.h"
#include "core/context/small.h"
#include "ocl/work/ocl_family.h"
#include "ocl/work/ocl_pieces.h"
#include <string.h>

extern const rugi_ocl_source rugi_cl_boxcount_pixels;
extern const rugi_ocl_source rugi_cl_boxcount_pyramid;
extern const rugi_ocl_source rugi_cl_boxcount_mukundan;

#define PIXELS_AND_AXES                                                   \
    {                                                                     \
        {"PIXEL_TYPE",                                                    \
         7,                                                               \
         {RUG_BIT, RUG_U8, RUG_U16, RUG_U32, RUG_U64, RUG_F32, RUG_F64}}, \
        {                                                                 \
            "BOX_AXES", 2,                                                \
            {                                                             \
                2, 3                                                      \
            }                                                             \
        }                                                                 \
    }

extern const rugi_ocl_family rugi_cl_boxcount_pyramid_family;
const rugi_ocl_family rugi_cl_boxcount_pyramid_family = {
    .sources = {&rugi_cl_boxcount_pixels, &rugi_cl_boxcount_pyramid},
    .kernels = {"boxes_pyramid"},
    .options = PIXELS_AND_AXES};

extern const rugi_ocl_family rugi_cl_boxcount_mukundan_family;
const rugi_ocl_family rugi_cl_boxcount_mukundan_family = {
    .sources = {&rugi_cl_boxcount_pixels, &rugi_cl_boxcount_mukundan},
    .kernels = {"boxes_atomic", "boxes_local"},
    .options = PIXELS_AND_AXES};

/* Pixels of a row that kernels load at once. */
#define UNIT 16

/* Kernels load a unit of the widest pixels from an address that is a multiple of it. */
#define WRAP_ALIGNMENT 128

/* The longest axes of a brick: groups of work items along y and z are counted in 16 bits
 * by some devices. */
#define AXIS_MAX ((size_t)1 << 19)
#define ROW_MAX  ((size_t)1 << 30)

/* Bytes of a brick that has to be staged. */
#define STAGED_BYTES ((size_t)64 << 20)

/* Work items of a group. */
#define ITEMS 256

/* All bricks of an image, and the rule by which its pixels are set. */
typedef struct brick_set {
    rugi_ocl_pieces pieces;
    uint64_t rule[4];
} brick_set;

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

/* Plans the bricks, to be freed by rugi_ocl_pieces_free(); the plan outlives them.
 * @param most_bytes  of a brick; less is taken where the device or the staging asks for it. A
 *                    brick has 64 pixels along each axis at least */
static rug_status make_bricks(rug_context *ctx, brick_set *b, rugi_ocl *device,
                              const rugi_boxcount_plan *plan, size_t most_bytes)
{
    const rug_image *v = &plan->volume;
    *b = (brick_set){.pieces = {.device = device,
                                .source = v,
                                .dtype = v->dtype,
                                .end = {v->shape[0], v->shape[1], v->shape[2]},
                                .row_unit = UNIT,
                                .wrap_alignment = WRAP_ALIGNMENT,
                                .what = "pixels"}};
    if (!rugi_ocl_rows_are_direct(v, v->dtype, UNIT))
        most_bytes = rugi_smaller(most_bytes, STAGED_BYTES);
    choose_sides(b->pieces.side, v, most_bytes);
    set_rule(b->rule, v->dtype, &plan->predicate);
    return rugi_ocl_pieces_new(ctx, &b->pieces);
}

/* What kernels know as shape: pixels along x, y and z, bytes from row to row. */
static void find_extent(uint64_t extent[4], const rugi_ocl_piece *brick)
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

/* A kernel for the pixels of a plan. */
static rug_status get_kernel(rug_context *ctx, rugi_ocl *device, rugi_ocl_kernel **out,
                             const rugi_boxcount_plan *plan,
                             const rugi_ocl_family *family, const char *name)
{
    const int values[] = {(int)kernel_dtype(plan->volume.dtype), plan->box_axes};
    rug_status status = rugi_ocl_family_get(ctx, device, out, family, values, name);
    if (status != RUG_OK || rugi_ocl_kernel_group_max(*out) >= ITEMS)
        return status;
    return rug_context_fail(ctx, RUG_E_DEVICE,
                            "%s: box counting needs work groups of %d items, and this "
                            "device has %zu; use device 'cpu'",
                            rugi_ocl_facts(device)->name, ITEMS,
                            rugi_ocl_kernel_group_max(*out));
}

/* ---- The engine ---- */

/* Of boxcount_pyramid.cl: blocks of the tile of a group along x and y, numbers that it
 * counts. */
#define TILE_BLOCKS_2D 4
#define TILE_BLOCKS_3D 1
#define N_TALLIES      7

/* What the device fills, here and there, of the size of the largest brick. */
typedef struct results {
    rugi_ocl_buffer *counts, *blocks;
    uint32_t *host_counts; /* [tile][N_TALLIES] */
    uint8_t *host_blocks;  /* [z][y][x] of the brick */
} results;

/* Tiles of a brick along each axis. */
static void tiles_of(size_t tiles[3], const size_t n_blocks[3], int box_axes)
{
    size_t side = box_axes == 3 ? TILE_BLOCKS_3D : TILE_BLOCKS_2D;
    tiles[0] = n_blocks[0];
    for (int a = 1; a < 3; a++)
        tiles[a] = (n_blocks[a] - 1) / side + 1;
}

static void blocks_of(size_t blocks[3], const size_t pixels[3])
{
    for (int a = 0; a < 3; a++)
        blocks[a] = (pixels[a] - 1) / RUGI_BLOCK + 1;
}

static rug_status make_results(rug_context *ctx, results *r,
                               const rugi_ocl_pieces *bricks, int box_axes)
{
    size_t n[3], tiles[3];
    blocks_of(n, bricks->side);
    tiles_of(tiles, n, box_axes);
    size_t n_blocks = n[0] * n[1] * n[2], n_tiles = tiles[0] * tiles[1] * tiles[2];
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
    const rugi_pyramid_job *job;
    brick_set bricks;
    rugi_ocl_kernel *kernel;
    results results;
    rugi_boxcount_levels levels;
} counting;

static rug_status run_tiles(rug_context *ctx, const counting *c,
                            const rugi_ocl_piece *brick, const size_t tiles[3])
{
    uint64_t extent[4];
    find_extent(extent, brick);
    const rugi_ocl_arg args[] = {rugi_ocl_arg_buffer(c->bricks.pieces.pixels[0]),
                                 RUGI_OCL_ARG(extent), RUGI_OCL_ARG(c->bricks.rule),
                                 rugi_ocl_arg_buffer(c->results.counts),
                                 rugi_ocl_arg_buffer(c->results.blocks)};
    const size_t items[3] = {tiles[2] * ITEMS, tiles[1], tiles[0]};
    const size_t group[3] = {ITEMS, 1, 1};
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

static void place_blocks(const rugi_pyramid_job *job, const rugi_ocl_piece *brick,
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
    size_t n[3], tiles[3];
    blocks_of(n, brick->shape);
    tiles_of(tiles, n, c->job->plan->box_axes);
    size_t n_tiles = tiles[0] * tiles[1] * tiles[2];
    rug_status status = run_tiles(ctx, c, brick, tiles);
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

rug_status rugi_boxcount_opencl_bricks(rug_context *ctx, const rugi_pyramid_job *job,
                                       size_t most_bytes)
{
    rugi_ocl *device;
    counting c = {.job = job, .levels = {.n = job->levels->n}};
    rug_status status = rugi_ocl_open(ctx, &device);
    if (status == RUG_OK)
        status = get_kernel(ctx, device, &c.kernel, job->plan,
                            &rugi_cl_boxcount_pyramid_family, "boxes_pyramid");
    if (status == RUG_OK)
        status = make_bricks(ctx, &c.bricks, device, job->plan,
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

/* ---- Kernels 1 and 2 of Mukundan ---- */

/* Boxes that lie within one brick have their status in memory that is used anew for each brick;
 * the status of larger ones stays over all bricks. */

/* Of boxcount_mukundan.cl: the side of a group, counters of a level, and the least level
 * whose status is in global memory in kernel 2. */
#define SIDE         16
#define SEEN         3
#define LOCAL_LEVELS 5

/* Pixels of a brick at most: its counters have 32 bits. */
#define BRICK_PIXELS ((size_t)1 << 30)

/* All that a count has on the device. */
typedef struct mukundan {
    const rugi_boxcount_plan *plan;
    brick_set bricks;
    rugi_ocl_kernel *kernel;
    uint32_t kept_level;       /* the least whose status stays */
    rugi_ocl_buffer *kept;     /* [level][z][y][x] from there on */
    rugi_ocl_buffer *passing;  /* of one level of a brick; NULL: none below */
    rugi_ocl_buffer *counters; /* [level][SEEN], of a brick */
    int64_t seen[RUGI_MAX_LEVELS][SEEN];
} mukundan;

/* Boxes of a level in part of a volume. */
static size_t boxes_of(const size_t shape[3], uint32_t level)
{
    size_t n = 1;
    for (int a = 0; a < 3; a++)
        n *= ((shape[a] - 1) >> level) + 1;
    return n;
}

/* Boxes of levels first .. end - 1. */
static size_t boxes_of_levels(const size_t shape[3], uint32_t first, uint32_t end)
{
    size_t n = 0;
    for (uint32_t m = first; m < end; m++)
        n += boxes_of(shape, m);
    return n;
}

/* Bytes of a brick at most, so that its pixels and their status fit the device. */
static size_t brick_capacity(const mukundan *c, rugi_ocl *device, size_t n_kept)
{
    size_t bits = rugi_ocl_pixel_bits(c->plan->volume.dtype),
           status = 8 * sizeof(int32_t);
    size_t kept = n_kept * sizeof(int32_t), capacity = BRICK_PIXELS / 8 * bits;
    if (c->kept_level == LOCAL_LEVELS) /* only pixels */
        return rugi_smaller(capacity, rugi_ocl_piece_max(device, 1, kept));
    uint64_t largest = rugi_ocl_facts(device)->max_allocation / status * bits;
    if (largest < capacity)
        capacity = (size_t)largest;
    return rugi_smaller(capacity,
                        rugi_ocl_piece_max(device, 2 + (status - 1) / bits, kept));
}

static rug_status make_status(rug_context *ctx, mukundan *c, size_t n_kept)
{
    const size_t *side = c->bricks.pieces.side;
    rugi_ocl *device = c->bricks.pieces.device;
    size_t n_pixels = side[0] * side[1] * side[2];
    rug_status status =
        rugi_ocl_buffer_new(ctx, device, &c->kept, n_kept, sizeof(int32_t),
                            RUGI_OCL_READ_WRITE, "status of boxes");
    if (status == RUG_OK && n_kept > 0)
        status = rugi_ocl_zero(ctx, device, c->kept, 0, n_kept * sizeof(int32_t));
    if (status == RUG_OK && c->kept_level > LOCAL_LEVELS)
        status = rugi_ocl_buffer_new(ctx, device, &c->passing, n_pixels, sizeof(int32_t),
                                     RUGI_OCL_READ_WRITE, "status of small boxes");
    if (status == RUG_OK)
        status = rugi_ocl_buffer_new(ctx, device, &c->counters, RUGI_MAX_LEVELS,
                                     SEEN * sizeof(int32_t), RUGI_OCL_READ_WRITE,
                                     "counters of boxes");
    return status;
}

/* Groups of SIDE x SIDE items over the pixels of a brick.
 * @param level     of the boxes in kernel 1; how many there are in kernel 2
 * @param is_kept   whether the status of these boxes stays
 * @param n_args    9 in kernel 1, 8 in kernel 2, which sees all of the status
 * @param n_slices  of a group */
static rug_status see_boxes(rug_context *ctx, mukundan *c, const rugi_ocl_piece *brick,
                            uint32_t level, int is_kept, size_t n_args, size_t n_slices)
{
    /* Where the brick lies on the grid of the status, and how far the image reaches on
     * that grid. A small box ends with its brick only where the image ends. */
    uint64_t first[4] = {0}, whole[4] = {0}, extent[4];
    const size_t *shape = c->plan->volume.shape;
    for (int a = 0; a < 3; a++) {
        first[2 - a] = is_kept ? brick->first[a] : 0;
        whole[2 - a] = is_kept ? shape[a] : brick->shape[a];
    }
    find_extent(extent, brick);
    uint64_t begin = is_kept ? boxes_of_levels(shape, c->kept_level, level) : 0;
    const rugi_ocl_arg args[] = {rugi_ocl_arg_buffer(c->bricks.pieces.pixels[0]),
                                 RUGI_OCL_ARG(extent),
                                 RUGI_OCL_ARG(c->bricks.rule),
                                 RUGI_OCL_ARG(first),
                                 RUGI_OCL_ARG(whole),
                                 rugi_ocl_arg_buffer(c->counters),
                                 rugi_ocl_arg_buffer(is_kept ? c->kept : c->passing),
                                 RUGI_OCL_ARG(level),
                                 RUGI_OCL_ARG(begin)};
    const size_t group[3] = {SIDE, SIDE, 1};
    const size_t items[3] = {((brick->shape[2] - 1) / SIDE + 1) * SIDE,
                             ((brick->shape[1] - 1) / SIDE + 1) * SIDE,
                             (brick->shape[0] - 1) / n_slices + 1};
    return rugi_ocl_run(ctx, c->bricks.pieces.device, c->kernel, args, n_args, 3, items,
                        group);
}

/* Kernel 1: a launch for each level. */
static rug_status see_by_atomic(rug_context *ctx, mukundan *c,
                                const rugi_ocl_piece *brick)
{
    rug_status status = RUG_OK;
    for (uint32_t m = 0; m < c->plan->n_levels && status == RUG_OK; m++) {
        int is_kept = m >= c->kept_level;
        if (!is_kept)
            status = rugi_ocl_zero(ctx, c->bricks.pieces.device, c->passing, 0,
                                   boxes_of(brick->shape, m) * sizeof(int32_t));
        if (status == RUG_OK)
            status = see_boxes(ctx, c, brick, m, is_kept, 9, 1);
    }
    return status;
}

static rug_status see_by_local(rug_context *ctx, mukundan *c, const rugi_ocl_piece *brick)
{
    return see_boxes(ctx, c, brick, c->plan->n_levels, 1, 8,
                     c->plan->box_axes == 3 ? SIDE : 1);
}

/* What the device has seen of one brick is added up here. */
static rug_status see_brick(rug_context *ctx, void *user, const rugi_ocl_piece *brick)
{
    mukundan *c = user;
    int32_t seen[RUGI_MAX_LEVELS][SEEN];
    rugi_ocl *device = c->bricks.pieces.device;
    rug_status status = rugi_ocl_zero(ctx, device, c->counters, 0, sizeof seen);
    if (status == RUG_OK)
        status = c->passing != NULL ? see_by_atomic(ctx, c, brick)
                                    : see_by_local(ctx, c, brick);
    if (status == RUG_OK)
        status = rugi_ocl_read(ctx, device, c->counters, 0, seen, sizeof seen);
    if (status != RUG_OK)
        return status;
    for (uint32_t m = 0; m < c->plan->n_levels; m++)
        for (int k = 0; k < SEEN; k++)
            c->seen[m][k] += seen[m][k];
    return RUG_OK;
}

static void take_seen(rugi_boxcount_levels *levels, const mukundan *c)
{
    memset(levels, 0, sizeof *levels);
    levels->n = c->plan->n_levels;
    levels->engine = rugi_ocl_engine_name(c->bricks.pieces.device);
    for (uint32_t m = 0; m < levels->n; m++) {
        levels->black[m] = (uint64_t)c->seen[m][1];
        levels->nonempty[m] = (uint64_t)(c->seen[m][1] + c->seen[m][2]);
    }
}

/* The kernel is there. */
static rug_status count(rug_context *ctx, mukundan *c, rugi_ocl *device,
                        rugi_boxcount_levels *levels, size_t most_bytes)
{
    size_t n_kept =
        boxes_of_levels(c->plan->volume.shape, c->kept_level, c->plan->n_levels);
    size_t capacity = brick_capacity(c, device, n_kept);
    rug_status status =
        make_bricks(ctx, &c->bricks, device, c->plan, rugi_smaller(most_bytes, capacity));
    if (status != RUG_OK)
        return status;
    status = make_status(ctx, c, n_kept);
    if (status == RUG_OK)
        status = rugi_ocl_pieces_each(ctx, &c->bricks.pieces, see_brick, c);
    if (status == RUG_OK)
        take_seen(levels, c);
    rugi_ocl_pieces_free(ctx, &c->bricks.pieces);
    rugi_ocl_buffer_free(device, c->counters);
    rugi_ocl_buffer_free(device, c->passing);
    rugi_ocl_buffer_free(device, c->kept);
    return status;
}

rug_status rugi_boxcount_mukundan(rug_context *ctx, rugi_boxcount_levels *levels,
                                  const rug_image *image, const rugi_predicate *predicate,
                                  rug_boxcount_method method, size_t most_bytes)
{
    int is_local = method == RUG_BOXCOUNT_LOCAL;
    rugi_boxcount_plan plan;
    rug_image volume = rugi_image_volume(image);
    rugi_ocl *device;
    rugi_boxcount_make_plan(ctx, &plan, &volume, image->ndim, predicate,
                            rugi_boxcount_n_levels(image->ndim, image->shape));
    mukundan *c = rug_context_allocate(ctx, 1, sizeof *c, "counters of boxes");
    if (c == NULL)
        return RUG_E_NOMEM;
    memset(c, 0, sizeof *c);
    c->plan = &plan;
    c->kept_level = is_local ? LOCAL_LEVELS : RUGI_BLOCK_LEVEL + 1;
    rug_status status = rugi_ocl_open(ctx, &device);
    if (status == RUG_OK)
        status =
            get_kernel(ctx, device, &c->kernel, &plan, &rugi_cl_boxcount_mukundan_family,
                       is_local ? "boxes_local" : "boxes_atomic");
    if (status == RUG_OK)
        status = count(ctx, c, device, levels, most_bytes);
    rug_context_release(ctx, c);
    return status;
}
