/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Cuts images into pieces and brings them to a device, by the shortest way there is: left
 * where they are, uploaded as they lie, or staged, which is converting rows into memory of
 * the processor on all threads and uploading that. */

#include "ocl_pieces.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "core/image/image_internal.h"
#include <string.h>

/* Bytes that a thread stages at once, about. */
#define BYTES_PER_TASK ((size_t)1 << 16)

void rugi_ocl_halve_sides(size_t side[3], const size_t unit[3], size_t n_most)
{
    while (side[0] * side[1] * side[2] > n_most) {
        size_t longest = 0, units = 0;
        for (size_t a = 0; a < 3; a++)
            if ((side[a] - 1) / unit[a] + 1 > units) {
                units = (side[a] - 1) / unit[a] + 1;
                longest = a;
            }
        if (units == 1)
            return;
        side[longest] = (units + 1) / 2 * unit[longest];
    }
}

/* ---- The cut ---- */

/* Bytes of a row of n pixels on the device. */
static size_t pitch_of(const rugi_ocl_pieces *p, size_t n)
{
    return p->source != NULL
               ? rugi_ocl_row_bytes(p->dtype, n, p->row_unit)
               : (n + p->row_unit - 1) / p->row_unit * p->row_unit * p->pixel_bytes;
}

static void cut(const rugi_ocl_pieces *p, rugi_ocl_piece *piece, size_t i)
{
    const size_t at[3] = {i / p->n[2] / p->n[1], i / p->n[2] % p->n[1], i % p->n[2]};
    for (int a = 0; a < 3; a++) {
        size_t first = p->first[a] + at[a] * p->side[a];
        size_t shape = rugi_smaller(p->side[a], p->end[a] - first);
        size_t behind = p->source != NULL ? p->source->shape[a] - first - shape : 0;
        size_t before = rugi_smaller(p->halo[a][0], first);
        piece->first[a] = first;
        piece->shape[a] = shape;
        piece->read_first[a] = first - before;
        piece->read_shape[a] = before + shape + rugi_smaller(p->halo[a][1], behind);
    }
    piece->pitch = pitch_of(p, piece->read_shape[2]);
}

/* Pixels along an axis that the largest piece takes on the device. */
static size_t read_most(const rugi_ocl_pieces *p, int a)
{
    size_t n = rugi_smaller(p->side[a], p->end[a] - p->first[a]);
    size_t halo = p->halo[a][0] + p->halo[a][1];
    return halo > 0 ? rugi_smaller(n + halo, p->source->shape[a]) : n;
}

/* Where a piece of the source begins; of bits, with a whole byte. */
static const char *source_row(const rugi_ocl_pieces *p, const rugi_ocl_piece *piece)
{
    const rug_image *v = p->source;
    const size_t *at = piece->read_first;
    const char *row = rugi_image_row(v, at[0], at[1]);
    return row + (v->dtype == RUG_BIT ? (ptrdiff_t)(at[2] / 8)
                                      : (ptrdiff_t)at[2] * v->stride[2]);
}

/* ---- The memory ---- */

/* Whether pieces are runs of memory that a device of the same memory can read there. */
static int can_wrap(const rugi_ocl_pieces *p)
{
    const rug_image *v = p->source;
    if (p->wrap_alignment == 0 || !p->is_direct || !rugi_ocl_is_unified(p->device) ||
        (uintptr_t)v->data % p->wrap_alignment != 0)
        return 0;
    ptrdiff_t row = (ptrdiff_t)pitch_of(p, v->shape[2]);
    int is_dense = (v->shape[1] == 1 || v->stride[1] == row) &&
                   (v->shape[0] == 1 || v->stride[0] == row * (ptrdiff_t)v->shape[1]);
    return is_dense && p->n[2] == 1 && (p->n[1] == 1 || v->shape[0] == 1);
}

static rug_status make_staging(rug_context *ctx, rugi_ocl_pieces *p, size_t n_bytes)
{
    size_t n_scratch = p->scratch_bytes * (size_t)rug_context_threads(ctx);
    p->staging = rug_context_allocate(ctx, p->n_planes, n_bytes, p->what);
    if (p->staging == NULL)
        return RUG_E_NOMEM;
    if (n_scratch == 0)
        return RUG_OK;
    p->scratch = rug_context_allocate(ctx, n_scratch, 1, "row buffers");
    if (p->scratch == NULL)
        return RUG_E_NOMEM;
    memset(p->scratch, 0, n_scratch);
    return RUG_OK;
}

static rug_status make_memory(rug_context *ctx, rugi_ocl_pieces *p)
{
    size_t n_rows = read_most(p, 0) * read_most(p, 1),
           pitch = pitch_of(p, read_most(p, 2));
    rug_status status = RUG_OK;
    if (p->is_wrapped)
        return RUG_OK;
    if (!p->is_direct)
        status = make_staging(ctx, p, n_rows * pitch);
    if (p->is_image) /* made as large as each piece, since its edge is that of the image */
        return status;
    for (size_t k = 0; k < p->n_planes && status == RUG_OK; k++)
        status = rugi_ocl_buffer_new(ctx, p->device, &p->pixels[k], n_rows, pitch,
                                     RUGI_OCL_READ, p->what);
    return status;
}

static void free_memory(rug_context *ctx, rugi_ocl_pieces *p)
{
    for (int k = 0; k < RUGI_OCL_PLANES; k++)
        rugi_ocl_buffer_free(p->device, p->pixels[k]);
    rug_context_release(ctx, p->scratch);
    rug_context_release(ctx, p->staging);
}

rug_status rugi_ocl_pieces_new(rug_context *ctx, rugi_ocl_pieces *p)
{
    p->row_unit = rugi_larger(p->row_unit, 1);
    p->n_planes = rugi_larger(p->n_planes, 1);
    p->n_pieces = 1;
    for (int a = 0; a < 3; a++) {
        p->n[a] = (p->end[a] - p->first[a] - 1) / p->side[a] + 1;
        p->n_pieces *= p->n[a];
    }
    p->is_direct =
        p->source != NULL && rugi_ocl_rows_are_direct(p->source, p->dtype, p->row_unit);
    p->is_wrapped = can_wrap(p);
    rug_status status = make_memory(ctx, p);
    if (status != RUG_OK) {
        free_memory(ctx, p);
        memset(p, 0, sizeof *p);
    }
    return status;
}

void rugi_ocl_pieces_free(rug_context *ctx, rugi_ocl_pieces *p)
{
    if (p->n_pieces == 0)
        return;
    (void)rugi_ocl_wait(ctx, p->device);
    free_memory(ctx, p);
}

/* ---- Rows of other dtypes ---- */

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
    case RUG_I8: WIDEN(to, int8_t);    \
    case RUG_I16: WIDEN(to, int16_t);  \
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

static void copy_segments(void *out, const rug_image *v, const size_t first[3], size_t n)
{
    size_t at[3] = {first[0], first[1], first[2]}, size = rug_dtype_size(v->dtype);
    char *to = out;
    size = rugi_larger(size, 1); /* bits become bytes */
    for (size_t m; n > 0; n -= m, at[2] += m, to += m * size) {
        m = rugi_smaller(n, RUGI_SEGMENT_PIXELS);
        const void *pixels = rugi_image_segment(v, at, m, to);
        if (pixels != to)
            memcpy(to, pixels, m * size);
    }
}

static void copy_row(const rugi_ocl_pieces *p, const rugi_ocl_row *row)
{
    const rug_image *v = p->source;
    const char *from = rugi_image_row(v, row->at[0], row->at[1]);
    if (p->dtype == RUG_BIT)
        memcpy(row->out[0], from + row->at[2] / 8, (row->n + 7) / 8);
    else if (p->dtype == rugi_segment_dtype(v->dtype))
        copy_segments(row->out[0], v, row->at, row->n);
    else
        widen(row->out[0], p->dtype, from + (ptrdiff_t)row->at[2] * v->stride[2],
              v->dtype, row->n, v->stride[2]);
}

/* ---- The ways to the device ---- */

typedef struct staging {
    const rugi_ocl_pieces *pieces;
    const rugi_ocl_piece *piece;
    size_t n_rows, rows_per_task;
    size_t used; /* bytes of a row, without its padding */
} staging;

static void stage_row(const staging *s, size_t i, int thread)
{
    const rugi_ocl_pieces *p = s->pieces;
    const rugi_ocl_piece *t = s->piece;
    rugi_ocl_row row = {.at = {t->read_first[0] + i / t->read_shape[1],
                               t->read_first[1] + i % t->read_shape[1], t->read_first[2]},
                        .n = t->read_shape[2],
                        .scratch = p->scratch != NULL ? rugi_ocl_pieces_scratch(p, thread)
                                                      : NULL};
    for (size_t k = 0; k < p->n_planes; k++)
        row.out[k] = p->staging + (k * s->n_rows + i) * t->pitch;
    if (p->make_row != NULL)
        p->make_row(p->user, &row);
    else
        copy_row(p, &row);
    for (size_t k = 0; k < p->n_planes; k++)
        memset((char *)row.out[k] + s->used, 0, t->pitch - s->used);
}

static void stage_rows(void *shared, size_t task, int thread)
{
    const staging *s = shared;
    size_t first = task * s->rows_per_task;
    size_t end = rugi_smaller(first + s->rows_per_task, s->n_rows);
    for (size_t i = first; i < end; i++)
        stage_row(s, i, thread);
}

static rug_status stage(rug_context *ctx, const rugi_ocl_pieces *p,
                        const rugi_ocl_piece *piece)
{
    size_t n = piece->read_shape[2];
    staging s = {.pieces = p,
                 .piece = piece,
                 .n_rows = piece->read_shape[0] * piece->read_shape[1],
                 .rows_per_task = BYTES_PER_TASK / piece->pitch + 1,
                 .used = p->source != NULL ? rugi_ocl_row_bytes(p->dtype, n, 1)
                                           : n * p->pixel_bytes};
    rug_status status = rugi_ocl_wait(ctx, p->device); /* it may still read the staging */
    return status == RUG_OK ? rugi_parallel_for(ctx, (s.n_rows - 1) / s.rows_per_task + 1,
                                                stage_rows, &s)
                            : status;
}

static rug_status upload_staged(rug_context *ctx, const rugi_ocl_pieces *p,
                                const rugi_ocl_piece *piece)
{
    size_t n_bytes = piece->read_shape[0] * piece->read_shape[1] * piece->pitch;
    rug_status status = RUG_OK;
    for (size_t k = 0; k < p->n_planes && status == RUG_OK; k++)
        status = rugi_ocl_write(ctx, p->device, p->pixels[k], 0, p->staging + k * n_bytes,
                                n_bytes);
    return status;
}

/* Slice by slice, or all slices at once where their rows follow each other. */
static rug_status upload_direct(rug_context *ctx, const rugi_ocl_pieces *p,
                                const rugi_ocl_piece *piece)
{
    const rug_image *v = p->source;
    const char *from = source_row(p, piece);
    size_t pitch = piece->pitch, n_slices = piece->read_shape[0];
    size_t n_rows = piece->read_shape[1];
    ptrdiff_t stride = n_rows > 1 ? v->stride[1] : v->stride[0];
    if (n_rows > 1 ? v->stride[0] == stride * (ptrdiff_t)n_rows
                   : stride >= (ptrdiff_t)pitch) {
        n_rows *= n_slices;
        n_slices = 1;
    }
    rug_status status = RUG_OK;
    for (size_t z = 0; z < n_slices && status == RUG_OK; z++)
        status = rugi_ocl_write_rows(ctx, p->device, p->pixels[0], z * n_rows * pitch,
                                     from + (ptrdiff_t)z * v->stride[0], n_rows, pitch,
                                     n_rows > 1 ? (size_t)stride : pitch);
    return status;
}

static rug_status wrap(rug_context *ctx, rugi_ocl_pieces *p, const rugi_ocl_piece *piece)
{
    rugi_ocl_buffer_free(p->device, p->pixels[0]);
    return rugi_ocl_buffer_wrap(ctx, p->device, &p->pixels[0], source_row(p, piece),
                                piece->read_shape[0] * piece->read_shape[1], piece->pitch,
                                p->what);
}

/* An image object of just the shape of a piece: what lies outside of it is 0. */
static rug_status upload_image(rug_context *ctx, rugi_ocl_pieces *p,
                               const rugi_ocl_piece *piece)
{
    const size_t *shape = piece->read_shape + 1;
    const void *from = p->is_direct ? source_row(p, piece) : p->staging;
    size_t stride =
        p->is_direct && shape[0] > 1 ? (size_t)p->source->stride[1] : piece->pitch;
    rug_status status = RUG_OK;
    if (p->pixels[0] == NULL ||
        memcmp(p->image_shape, shape, sizeof p->image_shape) != 0) {
        rugi_ocl_buffer_free(p->device, p->pixels[0]);
        p->pixels[0] = NULL;
        memcpy(p->image_shape, shape, sizeof p->image_shape);
        status = rugi_ocl_image_new(ctx, p->device, &p->pixels[0], shape, p->dtype,
                                    p->is_filtered, p->what);
    }
    return status == RUG_OK
               ? rugi_ocl_write_image(ctx, p->device, p->pixels[0], from, stride)
               : status;
}

/* Brings a piece to the device, in place of the one before. */
static rug_status upload(rug_context *ctx, rugi_ocl_pieces *p,
                         const rugi_ocl_piece *piece)
{
    if (p->is_wrapped)
        return wrap(ctx, p, piece);
    rug_status status = p->is_direct ? RUG_OK : stage(ctx, p, piece);
    if (status != RUG_OK)
        return status;
    if (p->is_image)
        return upload_image(ctx, p, piece);
    return p->is_direct ? upload_direct(ctx, p, piece) : upload_staged(ctx, p, piece);
}

rug_status rugi_ocl_pieces_each(rug_context *ctx, rugi_ocl_pieces *p,
                                rugi_ocl_piece_fn work, void *user)
{
    double n = (double)p->n_pieces;
    rug_status status = RUG_OK;
    for (size_t i = 0; i < p->n_pieces && status == RUG_OK; i++) {
        rugi_ocl_piece piece;
        rugi_phase outer = rugi_phase_enter(ctx, (double)i / n, (double)(i + 1) / n);
        cut(p, &piece, i);
        status = upload(ctx, p, &piece);
        if (status == RUG_OK)
            status = work(ctx, user, &piece);
        if (status == RUG_OK)
            status = rug_context_step(ctx, 1);
        rugi_phase_leave(ctx, outer);
    }
    return status;
}
