/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Cuts an image into pieces and brings their pixels to an OpenCL device: as they lie where
 * rows have no gaps and the device knows the dtype, else copied together by all threads. */

#include "core/context/threads.h"
#include "core/image/image_internal.h"
#include "lbp_pieces.h"
#include <string.h>

/* Pixels of a piece along each axis, at least. */
#define LEAST_ROWS    4
#define LEAST_COLUMNS 64

/* And at most: groups along y are counted in 16 bits by some devices. */
#define ROWS_MAX    65535
#define COLUMNS_MAX ((size_t)1 << 28)

/* Pixels that a thread copies at once. */
#define PIXELS_PER_TASK 65536

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

rug_dtype rugi_lbp_device_dtype(rug_dtype dtype, int is_single)
{
    switch (dtype) {
    case RUG_BIT:
    case RUG_U8: return RUG_U8;
    case RUG_I8:
    case RUG_I16: return RUG_I16;
    case RUG_U16: return RUG_U16;
    case RUG_F32: return RUG_F32;
    default: return is_single ? RUG_F32 : RUG_F64;
    }
}

/* The largest circle of all operators. */
static void find_reach(rugi_lbp_pieces *p)
{
    const rugi_lbp_plan *plan = p->job->plan;
    for (uint32_t i = 0; i < plan->n_operators; i++) {
        const rugi_lbp_operator *op = &plan->op[i];
        p->reach[0][0] = larger(p->reach[0][0], op->above);
        p->reach[0][1] = larger(p->reach[0][1], op->below);
        p->reach[1][0] = larger(p->reach[1][0], op->before);
        p->reach[1][1] = larger(p->reach[1][1], op->behind);
    }
}

/* Pixels along an axis that a piece of n pixels reads. */
static size_t read_along(const rugi_lbp_pieces *p, int axis, size_t n)
{
    size_t all = axis == 0 ? p->job->ny : p->job->rows.shape[1];
    return smaller(all, n + p->reach[axis][0] + p->reach[axis][1]);
}

/* The most pixels along an axis of a piece that reads at most n; at least one. */
static size_t pixels_along(const rugi_lbp_pieces *p, int axis, size_t n)
{
    size_t reach = p->reach[axis][0] + p->reach[axis][1];
    size_t all = axis == 0 ? p->job->ny : p->job->rows.shape[1];
    if (n >= all)
        return all;
    return n > reach ? n - reach : 1;
}

/* Whole rows where pieces get more rows than circles reach, else fewer columns: what
 * pieces share is uploaded again for each.
 * @param most  rows and columns of the pixels of a piece */
static void choose_sides(rugi_lbp_pieces *p, const size_t most[2], size_t most_bytes)
{
    const size_t all[2] = {p->job->to - p->job->from, p->job->rows.shape[1]};
    size_t rows_max = smaller(all[0], ROWS_MAX);
    size_t n_pixels = most_bytes / rug_dtype_size(p->dtype);
    size_t enough = smaller(rows_max, 2 * (p->reach[0][0] + p->reach[0][1]) + LEAST_ROWS);
    size_t columns = smaller(all[1], pixels_along(p, 1, most[1])), rows;
    for (;; columns = larger(columns / 2, LEAST_COLUMNS)) {
        size_t n = smaller(n_pixels / read_along(p, 1, columns), most[0]);
        rows = smaller(rows_max, pixels_along(p, 0, n));
        if (rows >= enough || columns <= LEAST_COLUMNS)
            break;
    }
    p->side[0] = larger(rows, smaller(all[0], LEAST_ROWS));
    p->side[1] = columns;
    for (int a = 0; a < 2; a++)
        p->n[a] = (all[a] - 1) / p->side[a] + 1;
}

/* Whether rows go to the device as they lie. */
static int is_plain(const rugi_lbp_pieces *p)
{
    const rug_image *rows = &p->job->rows;
    size_t size = rug_dtype_size(p->dtype);
    return rows->dtype == p->dtype && rows->stride[1] == (ptrdiff_t)size &&
           (rows->shape[0] == 1 || rows->stride[0] >= (ptrdiff_t)(size * rows->shape[1]));
}

rug_status rugi_lbp_pieces_new(rug_context *ctx, rugi_lbp_pieces *p, rugi_ocl *device,
                               const rugi_lbp_job *job, rug_dtype dtype, int is_image,
                               size_t most_bytes)
{
    size_t most[2] = {COLUMNS_MAX, COLUMNS_MAX};
    *p = (rugi_lbp_pieces){
        .device = device, .job = job, .dtype = dtype, .is_image = is_image};
    if (is_image)
        rugi_ocl_image_max(device, most, dtype);
    find_reach(p);
    choose_sides(p, most, most_bytes);
    size_t rows = read_along(p, 0, p->side[0]),
           columns = read_along(p, 1, p->side[1]);
    size_t size = rug_dtype_size(dtype);
    if (!is_plain(p)) {
        p->staging =
            rug_context_allocate(ctx, rows, columns * size, "pixels for the device");
        if (p->staging == NULL)
            return RUG_E_NOMEM;
    }
    if (is_image) /* made as large as each piece, since its edge is that of the image */
        return RUG_OK;
    rug_status status = rugi_ocl_buffer_new(ctx, device, &p->pixels, rows, columns * size,
                                            RUGI_OCL_READ, "pixels");
    if (status != RUG_OK)
        rug_context_release(ctx, p->staging);
    return status;
}

void rugi_lbp_pieces_free(rug_context *ctx, rugi_lbp_pieces *p)
{
    rugi_ocl_wait(ctx, p->device);
    rugi_ocl_buffer_free(p->device, p->pixels);
    rug_context_release(ctx, p->staging);
}

static void set_piece(const rugi_lbp_pieces *p, rugi_lbp_piece *piece, size_t i)
{
    const rugi_lbp_job *job = p->job;
    const size_t at[2] = {i / p->n[1], i % p->n[1]};
    const size_t begin[2] = {job->from, 0}, end[2] = {job->to, job->rows.shape[1]};
    const size_t all[2] = {job->ny, job->rows.shape[1]};
    for (int a = 0; a < 2; a++) {
        size_t first = begin[a] + at[a] * p->side[a];
        piece->first[a] = first;
        piece->end[a] = first + smaller(p->side[a], end[a] - first);
        piece->pixels_first[a] = first - smaller(first, p->reach[a][0]);
        piece->pixels_end[a] =
            piece->end[a] + smaller(p->reach[a][1], all[a] - piece->end[a]);
    }
}

/* The first pixel that a piece has of a row of the image; of bits, their first byte. */
static const char *row_of(const rugi_lbp_pieces *p, const rugi_lbp_piece *piece,
                          size_t row)
{
    const rug_image *rows = &p->job->rows;
    const char *at =
        (const char *)rows->data + (ptrdiff_t)(row - p->job->first_row) * rows->stride[0];
    if (rows->dtype == RUG_BIT)
        return at;
    return at + (ptrdiff_t)piece->pixels_first[1] * rows->stride[1];
}

/* 64-bit integers are rounded to double first, as all engines do. Rows may lie anywhere. */
#define WIDEN(to, from)                                               \
    for (size_t i = 0; i < n; i++) {                                  \
        from pixel;                                                   \
        memcpy(&pixel, pixels + (ptrdiff_t)i * stride, sizeof pixel); \
        ((to *)out)[i] = (to)(double)pixel;                           \
    }                                                                 \
    break

#define WIDEN_TO(to)                   \
    switch (dtype) {                   \
    case RUG_U32: WIDEN(to, uint32_t); \
    case RUG_I32: WIDEN(to, int32_t);  \
    case RUG_U64: WIDEN(to, uint64_t); \
    case RUG_I64: WIDEN(to, int64_t);  \
    default: WIDEN(to, double);        \
    }

static void widen_to_float(void *out, const char *pixels, rug_dtype dtype, size_t n,
                           ptrdiff_t stride)
{
    WIDEN_TO(float)
}

static void widen_to_double(void *out, const char *pixels, rug_dtype dtype, size_t n,
                            ptrdiff_t stride)
{
    WIDEN_TO(double)
}

static void widen(void *out, rug_dtype to, const char *pixels, rug_dtype dtype, size_t n,
                  ptrdiff_t stride)
{
    if (to == RUG_F32)
        widen_to_float(out, pixels, dtype, n, stride);
    else if (to == RUG_F64)
        widen_to_double(out, pixels, dtype, n, stride);
    else
        for (size_t i = 0; i < n; i++)
            ((int16_t *)out)[i] = ((const int8_t *)pixels)[(ptrdiff_t)i * stride];
}

static void unpack(uint8_t *out, const char *bits, size_t first, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)bits[(first + i) / 8] >> (first + i) % 8 & 1;
}

typedef struct copy {
    const rugi_lbp_pieces *pieces;
    const rugi_lbp_piece *piece;
    size_t rows_per_task;
} copy;

static void copy_row(const copy *c, size_t row)
{
    const rugi_lbp_pieces *p = c->pieces;
    const rug_image *rows = &p->job->rows;
    size_t first = c->piece->pixels_first[1], n = c->piece->pixels_end[1] - first;
    size_t size = rug_dtype_size(p->dtype);
    char *out = (char *)p->staging + row * n * size;
    const char *from = row_of(p, c->piece, c->piece->pixels_first[0] + row);
    if (rows->dtype == RUG_BIT)
        unpack((uint8_t *)out, from, first, n);
    else if (rows->dtype == p->dtype)
        rugi_gather(out, from, n, rows->stride[1], size);
    else
        widen(out, p->dtype, from, rows->dtype, n, rows->stride[1]);
}

static void copy_rows(void *shared, size_t task, int thread)
{
    (void)thread;
    const copy *c = shared;
    size_t n = c->piece->pixels_end[0] - c->piece->pixels_first[0];
    size_t first = task * c->rows_per_task;
    for (size_t row = first; row < smaller(n, first + c->rows_per_task); row++)
        copy_row(c, row);
}

/* Makes an image object of just the shape of a piece: what lies outside of it is 0. */
static rug_status fit_image(rug_context *ctx, rugi_lbp_pieces *p, const size_t shape[2])
{
    if (p->pixels != NULL && p->pixels_shape[0] == shape[0] &&
        p->pixels_shape[1] == shape[1])
        return RUG_OK;
    rugi_ocl_buffer_free(p->device, p->pixels);
    p->pixels = NULL;
    p->pixels_shape[0] = shape[0];
    p->pixels_shape[1] = shape[1];
    return rugi_ocl_image_new(ctx, p->device, &p->pixels, shape, p->dtype, "pixels");
}

rug_status rugi_lbp_pieces_upload(rug_context *ctx, rugi_lbp_pieces *p,
                                  rugi_lbp_piece *piece, size_t i)
{
    set_piece(p, piece, i);
    const size_t shape[2] = {piece->pixels_end[0] - piece->pixels_first[0],
                             piece->pixels_end[1] - piece->pixels_first[1]};
    size_t row_bytes = shape[1] * rug_dtype_size(p->dtype), stride = row_bytes;
    const void *pixels = p->staging;
    rug_status status = RUG_OK;
    if (p->staging == NULL) {
        pixels = row_of(p, piece, piece->pixels_first[0]);
        if (shape[0] > 1)
            stride = (size_t)p->job->rows.stride[0];
    } else {
        copy c = {p, piece, PIXELS_PER_TASK / shape[1] + 1};
        status =
            rugi_parallel_for(ctx, (shape[0] - 1) / c.rows_per_task + 1, copy_rows, &c);
    }
    if (status == RUG_OK && p->is_image)
        status = fit_image(ctx, p, shape);
    if (status != RUG_OK)
        return status;
    if (p->is_image)
        return rugi_ocl_write_image(ctx, p->device, p->pixels, pixels, stride);
    return rugi_ocl_write_rows(ctx, p->device, p->pixels, 0, pixels, shape[0], row_bytes,
                               stride);
}
