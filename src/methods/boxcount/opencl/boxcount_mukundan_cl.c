/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Kernels 1 and 2 of Mukundan (2015), "Parallel implementation of the box counting
 * algorithm in OpenCL", Fractals 23(3), on images of any size. Boxes that lie within one
 * brick have their status in memory that is used anew for each brick; the status of larger
 * ones stays over all bricks. */

#include "boxcount_bricks.h"
#include "boxcount_opencl.h"
#include "core/context/small.h"
#include <string.h>

extern const rugi_ocl_source rugi_cl_boxcount_mukundan;

/* Of boxcount_mukundan.cl: the side of a group, counters of a level, and the least level
 * whose status is in global memory in kernel 2. */
#define SIDE         16
#define SEEN         3
#define LOCAL_LEVELS 5

/* Pixels of a brick at most: its counters have 32 bits. */
#define BRICK_PIXELS ((size_t)1 << 30)

/* All that a count has on the device. */
typedef struct counting {
    const rugi_boxcount_plan *plan;
    rugi_bricks bricks;
    rugi_ocl_kernel *kernel;
    uint32_t kept_level;       /* the least whose status stays */
    rugi_ocl_buffer *kept;     /* [level][z][y][x] from there on */
    rugi_ocl_buffer *passing;  /* of one level of a brick; NULL: none below */
    rugi_ocl_buffer *counters; /* [level][SEEN], of a brick */
    int64_t seen[RUGI_MAX_LEVELS][SEEN];
} counting;

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
static size_t brick_capacity(const counting *c, rugi_ocl *device, size_t n_kept)
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

static rug_status make_status(rug_context *ctx, counting *c, size_t n_kept)
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
static rug_status see_boxes(rug_context *ctx, counting *c, const rugi_ocl_piece *brick,
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
    rugi_brick_extent(extent, brick);
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
static rug_status see_by_atomic(rug_context *ctx, counting *c,
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

static rug_status see_by_local(rug_context *ctx, counting *c, const rugi_ocl_piece *brick)
{
    return see_boxes(ctx, c, brick, c->plan->n_levels, 1, 8,
                     c->plan->box_axes == 3 ? SIDE : 1);
}

/* What the device has seen of one brick is added up here. */
static rug_status see_brick(rug_context *ctx, void *user, const rugi_ocl_piece *brick)
{
    counting *c = user;
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

static void take_seen(rugi_boxcount_levels *levels, const counting *c)
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
static rug_status count(rug_context *ctx, counting *c, rugi_ocl *device,
                        rugi_boxcount_levels *levels, size_t most_bytes)
{
    size_t n_kept =
        boxes_of_levels(c->plan->volume.shape, c->kept_level, c->plan->n_levels);
    size_t capacity = brick_capacity(c, device, n_kept);
    rug_status status = rugi_bricks_new(ctx, &c->bricks, device, c->plan,
                                        rugi_smaller(most_bytes, capacity));
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
                                  const rug_image *img, const rugi_predicate *predicate,
                                  rug_boxcount_method method, size_t most_bytes)
{
    int is_local = method == RUG_BOXCOUNT_LOCAL;
    rugi_boxcount_plan plan;
    rug_image volume = rugi_image_volume(img);
    rugi_ocl *device;
    rugi_boxcount_make_plan(ctx, &plan, &volume, img->ndim, predicate,
                            rugi_boxcount_n_levels(img->ndim, img->shape));
    counting *c = rug_context_allocate(ctx, 1, sizeof *c, "counters of boxes");
    if (c == NULL)
        return RUG_E_NOMEM;
    memset(c, 0, sizeof *c);
    c->plan = &plan;
    c->kept_level = is_local ? LOCAL_LEVELS : RUGI_BLOCK_LEVEL + 1;
    rug_status status = rugi_ocl_open(ctx, &device);
    if (status == RUG_OK)
        status =
            rugi_bricks_kernel(ctx, device, &c->kernel, &plan, &rugi_cl_boxcount_mukundan,
                               is_local ? "boxes_local" : "boxes_atomic");
    if (status == RUG_OK)
        status = count(ctx, c, device, levels, most_bytes);
    rug_context_release(ctx, c);
    return status;
}
