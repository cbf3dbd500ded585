/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Sorts keys on an OpenCL device by the digits of a radix sort, the lowest first. In each
 * pass the device counts the digits, part by part, sums the counts up to places, and moves
 * the keys there. */

#include "ocl_shape.h"
#include <assert.h>
#include <stdio.h>

extern const rugi_ocl_source rugi_cl_ocl_sort_wide;
extern const rugi_ocl_source rugi_cl_ocl_sort_chunks;

/* Of ocl_sort_wide.cl. */
#define WIDE_DIGIT_BITS 8
#define TILE(key_bytes) ((size_t)((key_bytes) == 4 ? 3840 : 1792))

/* Of a chunk: the lines that it writes to, one for each digit, stay in the nearest cache. */
#define CHUNK_DIGIT_BITS 9

struct rugi_ocl_sorter {
    rug_context *ctx;
    rugi_ocl *device;
    rugi_ocl_shape shape;
    size_t n_max, key_bytes;
    rugi_ocl_grouped count, scatter;
    rugi_ocl_buffer *counts; /* [digit][part] */
    rugi_ocl_buffer *scratch;
};

static unsigned digit_bits(rugi_ocl_shape shape)
{
    return shape == RUGI_OCL_SHAPE_WIDE ? WIDE_DIGIT_BITS : CHUNK_DIGIT_BITS;
}

/* Tiles or chunks of n keys. */
static size_t parts_of(const rugi_ocl *device, rugi_ocl_shape shape, size_t n,
                       size_t key_bytes)
{
    return shape == RUGI_OCL_SHAPE_WIDE ? (n + TILE(key_bytes) - 1) / TILE(key_bytes)
                                        : rugi_ocl_n_chunks(device, n);
}

/* The most numbers of counts. */
static size_t counts_of(const rugi_ocl *device, rugi_ocl_shape shape, size_t n_max,
                        size_t key_bytes)
{
    return parts_of(device, shape, n_max, key_bytes) << digit_bits(shape);
}

uint64_t rugi_ocl_sorter_bytes(const rugi_ocl *device, size_t n_max, size_t key_bytes,
                               rugi_ocl_shape shape)
{
    shape = rugi_ocl_shape_resolve(device, shape);
    size_t n = counts_of(device, shape, n_max, key_bytes);
    return (n + rugi_ocl_scan_scratch(n)) * (uint64_t)sizeof(uint32_t);
}

static rug_status get_kernels(rug_context *ctx, rugi_ocl_sorter *s)
{
    char options[64];
    snprintf(options, sizeof options, "-DKEY_BYTES=%zu -DDIGITS=%u", s->key_bytes,
             1U << digit_bits(s->shape));
    if (s->shape == RUGI_OCL_SHAPE_WIDE) {
        rug_status status = rugi_ocl_grouped_get(
            ctx, s->device, &s->count, &rugi_cl_ocl_sort_wide, options, "count_tiles");
        if (status == RUG_OK)
            status =
                rugi_ocl_grouped_get(ctx, s->device, &s->scatter, &rugi_cl_ocl_sort_wide,
                                     options, "scatter_tiles");
        return status;
    }
    static const rugi_ocl_source *const sources[] = {&rugi_cl_ocl_sort_chunks};
    const rugi_ocl_build build = {.sources = sources, .n_sources = 1, .options = options};
    s->count.items = s->scatter.items = 1;
    rug_status status =
        rugi_ocl_kernel_get(ctx, s->device, &s->count.kernel, &build, "count_chunks");
    if (status == RUG_OK)
        status = rugi_ocl_kernel_get(ctx, s->device, &s->scatter.kernel, &build,
                                     "scatter_chunks");
    return status;
}

static rug_status make_buffers(rug_context *ctx, rugi_ocl_sorter *s)
{
    size_t n = counts_of(s->device, s->shape, s->n_max, s->key_bytes);
    rug_status status =
        rugi_ocl_buffer_new(ctx, s->device, &s->counts, n, sizeof(uint32_t),
                            RUGI_OCL_READ_WRITE, "counts of digits");
    if (status == RUG_OK)
        status =
            rugi_ocl_buffer_new(ctx, s->device, &s->scratch, rugi_ocl_scan_scratch(n),
                                sizeof(uint32_t), RUGI_OCL_READ_WRITE, "sums of counts");
    return status;
}

rug_status rugi_ocl_sorter_new(rug_context *ctx, rugi_ocl *device, rugi_ocl_sorter **out,
                               size_t n_max, size_t key_bytes, rugi_ocl_shape shape)
{
    assert(n_max > 0 && (key_bytes == 4 || key_bytes == 8));
    *out = NULL;
    if (n_max > UINT32_MAX)
        return rug_context_fail(ctx, RUG_E_DEVICE,
                                "%zu keys to sort on %s, which takes at most %lu; use "
                                "device 'cpu'",
                                n_max, rugi_ocl_facts(device)->name,
                                (unsigned long)UINT32_MAX);
    rugi_ocl_sorter *s = rug_context_allocate(ctx, 1, sizeof *s, "sorter");
    if (s == NULL)
        return RUG_E_NOMEM;
    *s = (rugi_ocl_sorter){.ctx = ctx,
                           .device = device,
                           .shape = rugi_ocl_shape_resolve(device, shape),
                           .n_max = n_max,
                           .key_bytes = key_bytes};
    rug_status status = get_kernels(ctx, s);
    if (status == RUG_OK)
        status = make_buffers(ctx, s);
    if (status == RUG_OK)
        *out = s;
    else
        rugi_ocl_sorter_free(s);
    return status;
}

void rugi_ocl_sorter_free(rugi_ocl_sorter *sorter)
{
    if (sorter == NULL)
        return;
    rugi_ocl_buffer_free(sorter->device, sorter->scratch);
    rugi_ocl_buffer_free(sorter->device, sorter->counts);
    rug_context_release(sorter->ctx, sorter);
}

/* One pass, by the digit of `width` bits at `shift`. */
static rug_status move_keys(rug_context *ctx, rugi_ocl_sorter *s, rugi_ocl_buffer *from,
                            rugi_ocl_buffer *to, uint32_t n, uint32_t shift,
                            unsigned width)
{
    size_t n_parts = parts_of(s->device, s->shape, n, s->key_bytes);
    uint32_t mask = (1U << width) - 1;
    rugi_ocl_arg count[] = {rugi_ocl_arg_buffer(from), RUGI_OCL_ARG(n),
                            RUGI_OCL_ARG(shift), RUGI_OCL_ARG(mask),
                            rugi_ocl_arg_buffer(s->counts)};
    rugi_ocl_arg scatter[] = {rugi_ocl_arg_buffer(from), rugi_ocl_arg_buffer(to),
                              RUGI_OCL_ARG(n),           RUGI_OCL_ARG(shift),
                              RUGI_OCL_ARG(mask),        rugi_ocl_arg_buffer(s->counts)};
    rug_status status =
        rugi_ocl_grouped_run(ctx, s->device, &s->count, count, 5, n_parts);
    if (status == RUG_OK)
        status = rugi_ocl_scan_u32(ctx, s->device, s->counts, n_parts << width,
                                   s->scratch, s->shape);
    if (status == RUG_OK)
        status = rugi_ocl_grouped_run(ctx, s->device, &s->scatter, scatter, 6, n_parts);
    return status;
}

rug_status rugi_ocl_sort(rug_context *ctx, rugi_ocl_sorter *sorter,
                         rugi_ocl_buffer **keys, rugi_ocl_buffer **other, size_t n,
                         unsigned bits)
{
    assert(n <= sorter->n_max && bits <= 8 * sorter->key_bytes);
    if (n < 2)
        return RUG_OK;
    unsigned most = digit_bits(sorter->shape), width;
    for (unsigned shift = 0; shift < bits; shift += width) {
        unsigned n_left = (bits - shift - 1) / most + 1; /* passes, of equal widths */
        width = (bits - shift - 1) / n_left + 1;
        rug_status status =
            move_keys(ctx, sorter, *keys, *other, (uint32_t)n, shift, width);
        if (status != RUG_OK)
            return status;
        rugi_ocl_buffer *sorted = *other;
        *other = *keys;
        *keys = sorted;
    }
    return RUG_OK;
}
