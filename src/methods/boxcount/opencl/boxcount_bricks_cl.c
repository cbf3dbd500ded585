/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Cuts an image into bricks and brings them to an OpenCL device: as they lie where rows
 * are whole units of 16 pixels, else copied together by all threads. */

#include "boxcount_bricks.h"
#include "core/context/threads.h"
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

/* Rows that a thread copies at once. */
#define ROWS_PER_TASK 256

size_t rugi_cell_bits(rug_dtype dtype)
{
    return dtype == RUG_BIT ? 1 : 8 * rug_dtype_size(dtype);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Bytes of n pixels that begin at a byte. */
static size_t bytes_of(const rugi_bricks *b, size_t n)
{
    size_t bits = rugi_cell_bits(b->volume->dtype);
    return bits == 1 ? (n + 7) / 8 : n * (bits / 8);
}

/* Bytes from row to row on the device. */
static size_t pitch_of(const rugi_bricks *b, size_t n_columns)
{
    return bytes_of(b, (n_columns + UNIT - 1) / UNIT * UNIT);
}

/* Whether rows have no gaps, follow each other and need no padding. */
static int is_plain(const rug_image *v)
{
    size_t bits = rugi_cell_bits(v->dtype);
    if (v->shape[2] % UNIT != 0)
        return 0;
    if (bits > 1 && v->stride[2] != (ptrdiff_t)(bits / 8))
        return 0;
    size_t row = v->shape[2] / 8 * bits;
    return v->shape[1] == 1 || v->stride[1] >= (ptrdiff_t)row;
}

/* The whole axis, or as many whole blocks as fit. */
static size_t side_of(size_t n, size_t most)
{
    most = most / RUGI_BLOCK * RUGI_BLOCK;
    if (most == 0)
        most = RUGI_BLOCK;
    return n <= most ? n : most;
}

/* Cuts along z first: what lies together stays together. */
static void choose_sides(rugi_bricks *b, size_t most_bytes)
{
    const size_t *n = b->volume->shape;
    size_t rows = smaller(n[1], RUGI_BLOCK), slices = smaller(n[0], RUGI_BLOCK);
    size_t bits = rugi_cell_bits(b->volume->dtype);
    size_t columns = smaller(most_bytes / rows / slices, ROW_MAX) * 8 / bits;
    b->side[2] = side_of(n[2], smaller(columns, ROW_MAX));
    size_t pitch = pitch_of(b, b->side[2]);
    b->side[1] = side_of(n[1], smaller(most_bytes / pitch / slices, AXIS_MAX));
    b->side[0] = side_of(n[0], smaller(most_bytes / pitch / b->side[1], AXIS_MAX));
    b->n_bricks = 1;
    for (int a = 0; a < 3; a++) {
        b->n[a] = (n[a] - 1) / b->side[a] + 1;
        b->n_bricks *= b->n[a];
    }
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

/* The pixels on the device and their staging, for the largest brick. */
static rug_status make_memory(rug_context *ctx, rugi_bricks *b)
{
    size_t n_rows = b->side[0] * b->side[1], pitch = pitch_of(b, b->side[2]);
    if (b->is_wrapped)
        return RUG_OK;
    if (!b->is_plain) {
        b->staging = rug_context_allocate(ctx, n_rows, pitch, "pixels for the device");
        if (b->staging == NULL)
            return RUG_E_NOMEM;
    }
    rug_status status = rugi_ocl_buffer_new(ctx, b->device, &b->pixels, n_rows, pitch,
                                            RUGI_OCL_READ, "pixels");
    if (status != RUG_OK)
        rug_context_release(ctx, b->staging);
    return status;
}

/* Whether bricks are runs of memory that a device of the same memory can read there. */
static int can_wrap(const rugi_bricks *b)
{
    const rug_image *v = b->volume;
    ptrdiff_t row = (ptrdiff_t)bytes_of(b, v->shape[2]);
    int is_dense = (v->shape[1] == 1 || v->stride[1] == row) &&
                   (v->shape[0] == 1 || v->stride[0] == row * (ptrdiff_t)v->shape[1]);
    int is_run = b->n[2] == 1 && (b->n[1] == 1 || v->shape[0] == 1);
    return rugi_ocl_is_unified(b->device) && b->is_plain && is_dense && is_run &&
           (uintptr_t)v->data % WRAP_ALIGNMENT == 0;
}

rug_status rugi_bricks_new(rug_context *ctx, rugi_bricks *b, rugi_ocl *device,
                           const rugi_boxcount_plan *plan, size_t most_bytes)
{
    memset(b, 0, sizeof *b);
    b->device = device;
    b->volume = &plan->volume;
    b->is_plain = is_plain(b->volume);
    if (!b->is_plain)
        most_bytes = smaller(most_bytes, RUGI_BRICK_STAGED_BYTES);
    choose_sides(b, most_bytes);
    b->is_wrapped = can_wrap(b);
    set_rule(b->rule, b->volume->dtype, &plan->predicate);
    return make_memory(ctx, b);
}

void rugi_bricks_free(rug_context *ctx, rugi_bricks *b)
{
    rugi_ocl_wait(ctx, b->device);
    rugi_ocl_buffer_free(b->device, b->pixels);
    rug_context_release(ctx, b->staging);
}

static void set_brick(const rugi_bricks *b, rugi_brick *brick, size_t i)
{
    const size_t at[3] = {i / b->n[2] / b->n[1], i / b->n[2] % b->n[1], i % b->n[2]};
    for (int a = 0; a < 3; a++) {
        brick->first[a] = at[a] * b->side[a];
        brick->shape[a] = smaller(b->side[a], b->volume->shape[a] - brick->first[a]);
        brick->blocks[a] = (brick->shape[a] - 1) / RUGI_BLOCK + 1;
        brick->extent[2 - a] = brick->shape[a];
    }
    brick->extent[3] = pitch_of(b, brick->shape[2]);
}

/* The first pixel of row (z, y) of a brick. */
static const char *brick_row(const rugi_bricks *b, const rugi_brick *brick, size_t z,
                             size_t y)
{
    const rug_image *v = b->volume;
    const char *row = rugi_image_row(v, brick->first[0] + z, brick->first[1] + y);
    return row + (v->dtype == RUG_BIT ? (ptrdiff_t)(brick->first[2] / 8)
                                      : (ptrdiff_t)brick->first[2] * v->stride[2]);
}

typedef struct copy {
    const rugi_bricks *bricks;
    const rugi_brick *brick;
} copy;

static void copy_rows(void *shared, size_t task, int thread)
{
    (void)thread;
    const copy *c = shared;
    const rugi_bricks *b = c->bricks;
    size_t n = c->brick->shape[2], n_y = c->brick->shape[1];
    size_t end = smaller((task + 1) * ROWS_PER_TASK, c->brick->shape[0] * n_y);
    size_t size = rug_dtype_size(b->volume->dtype), pitch = c->brick->extent[3];
    for (size_t r = task * ROWS_PER_TASK; r < end; r++) {
        char *to = (char *)b->staging + r * pitch;
        const char *from = brick_row(b, c->brick, r / n_y, r % n_y);
        size_t used = bytes_of(b, n);
        if (size == 0)
            memcpy(to, from, used);
        else
            rugi_gather(to, from, n, b->volume->stride[2], size);
        memset(to + used, 0, pitch - used);
    }
}

static rug_status upload_copied(rug_context *ctx, rugi_bricks *b, const rugi_brick *brick)
{
    copy c = {b, brick};
    size_t n_rows = brick->shape[0] * brick->shape[1];
    rug_status status = rugi_ocl_wait(ctx, b->device); /* it may still read the staging */
    if (status == RUG_OK)
        status = rugi_parallel_for(ctx, (n_rows - 1) / ROWS_PER_TASK + 1, copy_rows, &c);
    if (status == RUG_OK)
        status = rugi_ocl_write(ctx, b->device, b->pixels, 0, b->staging,
                                n_rows * brick->extent[3]);
    return status;
}

/* Slice by slice, or all slices at once where they follow each other. */
static rug_status upload_plain(rug_context *ctx, rugi_bricks *b, const rugi_brick *brick)
{
    const rug_image *v = b->volume;
    size_t pitch = brick->extent[3], n_y = brick->shape[1], n_z = brick->shape[0];
    size_t stride = n_y == 1 ? pitch : (size_t)v->stride[1];
    int is_whole = n_z == 1 || v->stride[0] == (ptrdiff_t)(stride * n_y);
    size_t n_writes = is_whole ? 1 : n_z, rows = is_whole ? n_z * n_y : n_y;
    rug_status status = RUG_OK;
    for (size_t z = 0; z < n_writes && status == RUG_OK; z++) {
        const char *from = brick_row(b, brick, z, 0);
        size_t to = z * n_y * pitch;
        if (stride == pitch || rows == 1)
            status = rugi_ocl_write(ctx, b->device, b->pixels, to, from, rows * pitch);
        else
            status = rugi_ocl_write_rows(ctx, b->device, b->pixels, to, from, rows, pitch,
                                         stride);
    }
    return status;
}

static rug_status wrap(rug_context *ctx, rugi_bricks *b, const rugi_brick *brick)
{
    rugi_ocl_buffer_free(b->device, b->pixels);
    size_t n_rows = brick->shape[0] * brick->shape[1];
    return rugi_ocl_buffer_wrap(ctx, b->device, &b->pixels, brick_row(b, brick, 0, 0),
                                n_rows, brick->extent[3], "pixels");
}

rug_status rugi_bricks_upload(rug_context *ctx, rugi_bricks *b, rugi_brick *brick,
                              size_t i)
{
    set_brick(b, brick, i);
    if (b->is_wrapped)
        return wrap(ctx, b, brick);
    return b->is_plain ? upload_plain(ctx, b, brick) : upload_copied(ctx, b, brick);
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
    snprintf(options, sizeof options, "-DCELL_TYPE=%d -DBOX_AXES=%d",
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
