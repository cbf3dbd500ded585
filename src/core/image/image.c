/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Image views: dtypes, checks, and the walk over pixels in cache-sized segments. */

#include "core/context/small.h"
#include "core/context/threads.h"
#include "image_internal.h"
#include <stdio.h>
#include <string.h>

/* Bytes of a shape as text. */
#define SHAPE_TEXT_MAX 80

size_t rug_dtype_size(rug_dtype dtype)
{
    static const unsigned char sizes[RUG_N_DTYPES] = {0, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    return (unsigned)dtype < RUG_N_DTYPES ? sizes[dtype] : 0;
}

const char *rug_dtype_name(rug_dtype dtype)
{
    static const char *const names[RUG_N_DTYPES] = {
        "bit", "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f32", "f64"};
    return (unsigned)dtype < RUG_N_DTYPES ? names[dtype] : "?";
}

double rugi_image_bytes(const rug_image *image)
{
    double n = image->dtype == RUG_BIT ? 0.125 : (double)rug_dtype_size(image->dtype);
    return n * (double)rug_image_pixels(image);
}

rug_status rugi_shape_check(rug_context *ctx, int ndim, const size_t *shape)
{
    if (ndim < 2 || ndim > RUG_MAX_AXES)
        return rug_context_fail(ctx, RUG_E_ARG, "image of %d axes given, 2 or 3 expected",
                                ndim);
    size_t n = 1;
    for (int a = 0; a < ndim; a++) {
        if (shape[a] == 0)
            return rug_context_fail(
                ctx, RUG_E_ARG,
                "image of size 0 along axis %d given, at least 1 expected", a);
        if (n > (size_t)PTRDIFF_MAX / shape[a])
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "image with more pixels than an address can count");
        n *= shape[a];
    }
    return RUG_OK;
}

rug_status rugi_image_check(rug_context *ctx, const rug_image *image)
{
    if (image == NULL || image->data == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "image: NULL given");
    if ((unsigned)image->dtype >= RUG_N_DTYPES)
        return rug_context_fail(ctx, RUG_E_ARG, "image of dtype %d given, 0..%d expected",
                                (int)image->dtype, RUG_N_DTYPES - 1);
    return rugi_shape_check(ctx, image->ndim, image->shape);
}

rug_status rug_image_view(rug_context *ctx, rug_image *out, const void *data,
                          rug_dtype dtype, int ndim, const size_t *shape)
{
    if (out != NULL)
        memset(out, 0, sizeof *out);
    if (out == NULL || shape == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "image view: NULL given");
    rug_image view = {.data = data, .dtype = dtype, .ndim = ndim};
    for (int a = 0; a < ndim && a < RUG_MAX_AXES; a++)
        view.shape[a] = shape[a];
    rug_status status = rugi_image_check(ctx, &view);
    if (status != RUG_OK)
        return status;
    size_t row = dtype == RUG_BIT ? (shape[ndim - 1] + 7) / 8 : rug_dtype_size(dtype);
    for (int a = ndim - 1; a >= 0; a--) {
        view.stride[a] = (ptrdiff_t)row;
        int whole = dtype == RUG_BIT && a == ndim - 1; /* `row` is a whole row already */
        size_t n = whole ? 1 : shape[a];
        if (row > (size_t)PTRDIFF_MAX / n)
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "image with more bytes than an address can count");
        row *= n;
    }
    *out = view;
    return RUG_OK;
}

/* "512x512", slowest axis first. */
static void format_shape(char text[SHAPE_TEXT_MAX], int ndim, const size_t *shape)
{
    size_t n = 0;
    for (int a = 0; a < ndim; a++)
        n += (size_t)snprintf(text + n, SHAPE_TEXT_MAX - n, a > 0 ? "x%zu" : "%zu",
                              shape[a]);
}

rug_status rugi_shapes_check(rug_context *ctx, const char *what, int ndim,
                             const size_t *shape, int image_ndim,
                             const size_t *image_shape)
{
    int same = ndim == image_ndim;
    for (int a = 0; same && a < ndim; a++)
        same = shape[a] == image_shape[a];
    if (same)
        return RUG_OK;
    char theirs[SHAPE_TEXT_MAX], ours[SHAPE_TEXT_MAX];
    format_shape(theirs, ndim, shape);
    format_shape(ours, image_ndim, image_shape);
    return rug_context_fail(ctx, RUG_E_ARG,
                            "the %s has %s pixels, the image %s: the same shape expected",
                            what, theirs, ours);
}

rug_status rugi_image_check_twin(rug_context *ctx, const rug_image *twin,
                                 const char *what, const rug_image *image)
{
    rug_status status = rugi_image_check(ctx, twin);
    return status == RUG_OK ? rugi_shapes_check(ctx, what, twin->ndim, twin->shape,
                                                image->ndim, image->shape)
                            : status;
}

uint64_t rug_image_pixels(const rug_image *image)
{
    uint64_t n = 1;
    for (int a = 0; a < image->ndim; a++)
        n *= image->shape[a];
    return n;
}

/* How far apart neighbours along an axis are; an axis of one pixel never counts as
 * near. */
static size_t step_of(const rug_image *volume, int axis)
{
    if (volume->shape[axis] == 1)
        return SIZE_MAX;
    ptrdiff_t s = volume->stride[axis];
    return s < 0 ? 0 - (size_t)s : (size_t)s;
}

static void swap_axes(rug_image *image, int a, int b)
{
    size_t n = image->shape[a];
    image->shape[a] = image->shape[b];
    image->shape[b] = n;
    ptrdiff_t s = image->stride[a];
    image->stride[a] = image->stride[b];
    image->stride[b] = s;
    double d = image->spacing[a];
    image->spacing[a] = image->spacing[b];
    image->spacing[b] = d;
}

rug_image rugi_image_with_z(const rug_image *image)
{
    rug_image v = *image;
    int added = 3 - image->ndim;
    for (int a = 2; a >= 0; a--) {
        int from = a - added;
        v.shape[a] = from >= 0 ? image->shape[from] : 1;
        v.stride[a] = from >= 0 ? image->stride[from] : 0;
        v.spacing[a] = from >= 0 ? image->spacing[from] : 0;
    }
    v.ndim = 3;
    return v;
}

rug_image rugi_image_volume(const rug_image *image)
{
    rug_image v = rugi_image_with_z(image);
    if (v.dtype == RUG_BIT)
        return v;
    static const int order[3] = {0, 1, 0}; /* bubble sort: the nearest axis to the end */
    for (int i = 0; i < 3; i++)
        if (step_of(&v, order[i]) < step_of(&v, order[i] + 1))
            swap_axes(&v, order[i], order[i] + 1);
    return v;
}

const void *rugi_image_row(const rug_image *volume, size_t z, size_t y)
{
    return (const char *)volume->data + (ptrdiff_t)z * volume->stride[0] +
           (ptrdiff_t)y * volume->stride[1];
}

#define GATHER(type)                                \
    do {                                            \
        type *d = dst;                              \
        for (size_t i = 0; i < n; i++, s += stride) \
            memcpy(d + i, s, sizeof(type));         \
    } while (0)

void rugi_gather(void *dst, const void *src, size_t n, ptrdiff_t stride, size_t size)
{
    const char *s = src;
    switch (size) {
    case 1: GATHER(uint8_t); break;
    case 2: GATHER(uint16_t); break;
    case 4: GATHER(uint32_t); break;
    default: GATHER(uint64_t); break;
    }
}

rug_dtype rugi_segment_dtype(rug_dtype dtype)
{
    return dtype == RUG_BIT ? RUG_U8 : dtype;
}

typedef struct walk {
    rug_image volume;
    rug_image mask; /* with the same axes; data NULL: none */
    rugi_segment_fn fn;
    char *states;
    size_t state_size;
    char *scratch; /* N_SCRATCH segments per thread */
    size_t
        rows_per_task; /* 0: there is one row, for which tasks are of so many pixels: */
    size_t pixels_per_task;
} walk;

/* Scratch segments of a thread, for pixels and for mask; of this many bytes each. */
#define N_SCRATCH     2
#define SCRATCH_BYTES (RUGI_SEGMENT_PIXELS * sizeof(uint64_t))

static void unpack_bits(uint8_t *dst, const uint8_t *row, size_t first, size_t n)
{
    for (size_t i = 0; i < n; i++)
        dst[i] = row[(first + i) / 8] >> ((first + i) % 8) & 1;
}

const void *rugi_image_segment(const rug_image *volume, const size_t at[3], size_t n,
                               void *scratch)
{
    const char *row = rugi_image_row(volume, at[0], at[1]);
    size_t size = rug_dtype_size(volume->dtype);
    if (volume->dtype == RUG_BIT) {
        unpack_bits(scratch, (const uint8_t *)row, at[2], n);
        return scratch;
    }
    const char *pixels = row + (ptrdiff_t)at[2] * volume->stride[2];
    if (volume->stride[2] == (ptrdiff_t)size && (uintptr_t)pixels % size == 0)
        return pixels;
    rugi_gather(scratch, pixels, n, volume->stride[2], size);
    return scratch;
}

#define KEEP_INSIDE(type, IS_INSIDE)        \
    for (size_t i = 0; i < n; i++) {        \
        type m = ((const type *)mask)[i];   \
        memmove(to, from + i * size, size); \
        to += (IS_INSIDE) ? size : 0;       \
    }                                       \
    break

/* Moves the pixels that the mask holds together. @return how many */
static size_t keep_inside(char *to, const char *from, size_t n, size_t size,
                          const void *mask, rug_dtype dtype)
{
    const char *first = to;
    switch (dtype) {
    case RUG_U8:
    case RUG_I8: KEEP_INSIDE(uint8_t, m != 0);
    case RUG_U16:
    case RUG_I16: KEEP_INSIDE(uint16_t, m != 0);
    case RUG_U32:
    case RUG_I32: KEEP_INSIDE(uint32_t, m != 0);
    case RUG_U64:
    case RUG_I64: KEEP_INSIDE(uint64_t, m != 0);
    case RUG_F32: KEEP_INSIDE(float, m<0 || m> 0);
    default: KEEP_INSIDE(double, m<0 || m> 0);
    }
    return (size_t)(to - first) / size;
}

/* Pixels begin .. end - 1 of a row. */
static void walk_row(const walk *w, size_t row, size_t begin, size_t end, int thread)
{
    const rug_image *v = &w->volume;
    rug_dtype dtype = rugi_segment_dtype(v->dtype);
    char *scratch = w->scratch + (size_t)thread * N_SCRATCH * SCRATCH_BYTES;
    for (size_t x = begin; x < end; x += RUGI_SEGMENT_PIXELS) {
        size_t at[3] = {row / v->shape[1], row % v->shape[1], x};
        size_t n = rugi_smaller(end - x, RUGI_SEGMENT_PIXELS);
        const void *segment = rugi_image_segment(v, at, n, scratch);
        if (w->mask.data != NULL) {
            const void *mask =
                rugi_image_segment(&w->mask, at, n, scratch + SCRATCH_BYTES);
            n = keep_inside(scratch, segment, n, rug_dtype_size(dtype), mask,
                            rugi_segment_dtype(w->mask.dtype));
            segment = scratch;
        }
        if (n > 0)
            w->fn(w->states + (size_t)thread * w->state_size, segment, n);
    }
}

static void walk_task(void *shared, size_t task, int thread)
{
    const walk *w = shared;
    size_t n_rows = w->volume.shape[0] * w->volume.shape[1], n = w->volume.shape[2];
    if (w->rows_per_task == 0) {
        size_t first = task * w->pixels_per_task;
        walk_row(w, 0, first, rugi_smaller(first + w->pixels_per_task, n), thread);
        return;
    }
    size_t begin = task * w->rows_per_task;
    size_t end = rugi_smaller(begin + w->rows_per_task, n_rows);
    for (size_t row = begin; row < end; row++)
        walk_row(w, row, 0, n, thread);
}

/* Makes one row of an image without gaps, so that short rows make no short segments.
 * @return whether it has none */
static int make_flat(rug_image *volume)
{
    ptrdiff_t step = (ptrdiff_t)rug_dtype_size(volume->dtype);
    if (volume->dtype == RUG_BIT)
        return 0;
    for (int a = 2; a >= 0; a--) {
        if (volume->shape[a] > 1 && volume->stride[a] != step)
            return 0;
        step *= (ptrdiff_t)volume->shape[a];
    }
    volume->stride[2] = (ptrdiff_t)rug_dtype_size(volume->dtype);
    volume->shape[2] *= volume->shape[0] * volume->shape[1];
    volume->shape[0] = volume->shape[1] = 1;
    return 1;
}

/* Tasks of a thread from which on threads end at about the same time; and pixels of a task, which
 * are tens of microseconds to a millisecond of work. */
#define TASKS_PER_THREAD  4
#define LEAST_TASK_PIXELS ((size_t)1 << 16)
#define MOST_TASK_PIXELS  ((size_t)1 << 20)

static size_t pixels_of_task(const rug_context *ctx, const rug_image *volume)
{
    size_t n_tasks = TASKS_PER_THREAD * (size_t)rug_context_threads(ctx);
    size_t n = (size_t)(rug_image_pixels(volume) / n_tasks);
    return rugi_smaller(rugi_larger(n, LEAST_TASK_PIXELS), MOST_TASK_PIXELS);
}

rug_status rugi_image_for_segments(rug_context *ctx, const rug_image *image,
                                   const rug_image *mask, rugi_segment_fn fn,
                                   void *states, size_t state_size)
{
    walk w = {.volume =
                  mask != NULL ? rugi_image_with_z(image) : rugi_image_volume(image),
              .fn = fn,
              .states = states,
              .state_size = state_size};
    if (mask != NULL)
        w.mask = rugi_image_with_z(mask);
    w.pixels_per_task = pixels_of_task(ctx, &w.volume);
    size_t n_tasks = 0;
    if (mask == NULL && make_flat(&w.volume)) {
        n_tasks = (w.volume.shape[2] - 1) / w.pixels_per_task + 1;
    } else {
        size_t n_rows = w.volume.shape[0] * w.volume.shape[1];
        w.rows_per_task = 1 + w.pixels_per_task / w.volume.shape[2];
        n_tasks = (n_rows - 1) / w.rows_per_task + 1;
    }
    w.scratch = rug_context_allocate(ctx, (size_t)rug_context_threads(ctx),
                                     N_SCRATCH * SCRATCH_BYTES, "row buffers");
    if (w.scratch == NULL)
        return RUG_E_NOMEM;
    rug_status status = rugi_parallel_for(ctx, n_tasks, walk_task, &w);
    rug_context_release(ctx, w.scratch);
    return status;
}
