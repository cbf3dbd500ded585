/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Prefix sums and sorting on the first device, compared with loops and qsort(). Include it
 * after support.h. */

#ifndef RUGOSE_OCL_SORT_SUPPORT_H
#define RUGOSE_OCL_SORT_SUPPORT_H

#include "ocl/work/ocl_sort.h"
#include "ocl_support.h"
#include <string.h>

static const rugi_ocl_shape sort_shapes[] = {RUGI_OCL_SHAPE_WIDE, RUGI_OCL_SHAPE_CHUNKS};

static inline rugi_ocl *sort_device(rug_context *ctx)
{
    rugi_ocl *device;
    if (rugi_ocl_open(ctx, &device) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return device;
}

static inline rugi_ocl_buffer *sort_buffer(rug_context *ctx, rugi_ocl *device, size_t n,
                                           size_t item_size, const void *data)
{
    rugi_ocl_buffer *buffer;
    if (rugi_ocl_buffer_new(ctx, device, &buffer, n, item_size, RUGI_OCL_READ_WRITE,
                            "pixels of the test") != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    if (data != NULL)
        assert_int_equal(rugi_ocl_write(ctx, device, buffer, 0, data, n * item_size),
                         RUG_OK);
    return buffer;
}

/* Sums n numbers up on the device and in a loop. One number behind them must stay. */
static inline void check_scan(rug_context *ctx, const uint32_t *numbers, size_t n,
                              rugi_ocl_shape shape)
{
    rugi_ocl *device = sort_device(ctx);
    rugi_ocl_buffer *pixels = sort_buffer(ctx, device, n + 1, 4, numbers);
    rugi_ocl_buffer *scratch =
        sort_buffer(ctx, device, rugi_ocl_scan_scratch(n), 4, NULL);
    uint32_t *out = malloc((n + 1) * sizeof *out), sum = 0;
    if (rugi_ocl_scan_u32(ctx, device, pixels, n, scratch, shape) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    assert_int_equal(rugi_ocl_read(ctx, device, pixels, 0, out, (n + 1) * 4), RUG_OK);
    for (size_t i = 0; i < n; i++) {
        if (out[i] != sum)
            fail_msg("scan of %zu, shape %d: %lu at %zu, expected %lu", n, (int)shape,
                     (unsigned long)out[i], i, (unsigned long)sum);
        sum += numbers[i];
    }
    assert_int_equal(out[n], numbers[n]);
    free(out);
    rugi_ocl_buffer_free(device, scratch);
    rugi_ocl_buffer_free(device, pixels);
}

static inline int sort_compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static inline void sort_pack(void *to, const uint64_t *keys, size_t n, size_t key_bytes)
{
    for (size_t i = 0; i < n; i++)
        if (key_bytes == 8)
            ((uint64_t *)to)[i] = keys[i];
        else
            ((uint32_t *)to)[i] = (uint32_t)keys[i];
}

/* Sorts n keys by a sorter that may have room for more. One key behind them must stay as it
 * is, in both buffers. */
static inline void check_sorter(rug_context *ctx, rugi_ocl_sorter *sorter,
                                const uint64_t *keys, size_t n, size_t key_bytes,
                                unsigned bits, const char *what)
{
    rugi_ocl *device = sort_device(ctx);
    uint64_t *expected = malloc((n + 1) * 8);
    char *in = malloc((n + 1) * key_bytes), *out = malloc((n + 1) * key_bytes);
    memcpy(expected, keys, n * 8);
    qsort(expected, n, 8, sort_compare);
    expected[n] = 0x1234567890abcdef;
    sort_pack(in, keys, n, key_bytes);
    sort_pack(in + n * key_bytes, expected + n, 1, key_bytes);
    rugi_ocl_buffer *from = sort_buffer(ctx, device, n + 1, key_bytes, in);
    rugi_ocl_buffer *other = sort_buffer(ctx, device, n + 1, key_bytes, in);
    if (rugi_ocl_sort(ctx, sorter, &from, &other, n, bits) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    assert_int_equal(rugi_ocl_read(ctx, device, from, 0, out, (n + 1) * key_bytes),
                     RUG_OK);
    sort_pack(in, expected, n + 1, key_bytes);
    if (memcmp(in, out, (n + 1) * key_bytes) != 0)
        fail_msg("%s: %zu keys of %zu bytes, %u bits are not sorted", what, n, key_bytes,
                 bits);
    assert_int_equal(rugi_ocl_read(ctx, device, other, n * key_bytes, out, key_bytes),
                     RUG_OK);
    assert_memory_equal(out, in + n * key_bytes, key_bytes);
    rugi_ocl_buffer_free(device, other);
    rugi_ocl_buffer_free(device, from);
    free(out);
    free(in);
    free(expected);
}

static inline rugi_ocl_sorter *new_sorter(rug_context *ctx, size_t n_max,
                                          size_t key_bytes, rugi_ocl_shape shape)
{
    rugi_ocl_sorter *sorter;
    if (rugi_ocl_sorter_new(ctx, sort_device(ctx), &sorter, n_max, key_bytes, shape) !=
        RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return sorter;
}

static inline uint64_t sort_mask(unsigned bits)
{
    return bits == 0 ? 0 : UINT64_MAX >> (64 - bits);
}

#endif
