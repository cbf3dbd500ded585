/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Bricks of whole blocks for the kernels of box counting, and which pixels are set. */

#include "boxcount_bricks.h"
#include "core/context/small.h"
#include <stdio.h>
#include <string.h>

extern const rugi_ocl_source rugi_cl_boxcount_pixels;

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
