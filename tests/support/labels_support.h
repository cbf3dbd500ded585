/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Label images to find regions in: of every dtype, with odd strides, from an array of
 * numbers. Include it after support.h. */

#ifndef RUGOSE_LABELS_SUPPORT_H
#define RUGOSE_LABELS_SUPPORT_H

#include <stdlib.h>
#include <string.h>

/* An image that owns its pixels. */
typedef struct stored {
    rug_image img;
    unsigned char *buffer;
} stored;

/* The largest label that a dtype holds, below 2^24 for floats. */
static inline uint64_t largest_label(rug_dtype dtype)
{
    static const uint64_t largest[RUG_N_DTYPES] = {
        1,         UINT8_MAX,  INT8_MAX,  UINT16_MAX,        INT16_MAX,        UINT32_MAX,
        INT32_MAX, UINT64_MAX, INT64_MAX, (uint64_t)1 << 24, (uint64_t)1 << 53};
    return largest[dtype];
}

#define STORE(type)               \
    do {                          \
        type v = (type)value;     \
        memcpy(to, &v, sizeof v); \
    } while (0)

static inline void store_pixel(unsigned char *to, rug_dtype dtype, uint64_t value)
{
    switch (dtype) {
    case RUG_U8:
    case RUG_I8: STORE(uint8_t); break;
    case RUG_U16:
    case RUG_I16: STORE(uint16_t); break;
    case RUG_U32:
    case RUG_I32: STORE(uint32_t); break;
    case RUG_U64:
    case RUG_I64: STORE(uint64_t); break;
    case RUG_F32: STORE(float); break;
    default: STORE(double); break;
    }
}

/* Rows with padding, upside down when `odd` is 1; pixels of a row apart and from right to
 * left too when it is 2; Fortran order when it is 3. Returns the place of the first
 * pixel. */
static inline size_t set_strides(rug_image *img, int odd)
{
    size_t size = rug_dtype_size(img->dtype), first = 0;
    size_t step = odd == 2 && size > 0 ? 2 * size + 1 : size;
    int fortran = odd == 3 && size > 0;
    for (int k = 0; k < img->ndim; k++) {
        int a = fortran ? k : img->ndim - 1 - k, last = a == img->ndim - 1;
        size_t n = img->shape[a];
        img->stride[a] = (ptrdiff_t)step;
        if ((last && odd == 2 && size > 0) || (!last && odd > 0)) {
            first += (n - 1) * step;
            img->stride[a] = -img->stride[a];
        }
        step = last && size == 0 ? (n + 7) / 8 : n * step;
        step += odd == 1 ? 3 : 0;
    }
    return first;
}

/* An image (nz = 0) or volume with these numbers for its pixels. */
static inline stored store_numbers(const uint64_t *numbers, rug_dtype dtype, size_t nz,
                                   size_t ny, size_t nx, int odd)
{
    stored s = {.img = {.dtype = dtype, .ndim = nz == 0 ? 2 : 3}};
    const size_t shape[3] = {nz, ny, nx};
    memcpy(s.img.shape, shape + (nz == 0), (size_t)s.img.ndim * sizeof shape[0]);
    size_t layers = nz == 0 ? 1 : nz, n_bytes = layers * (ny * (nx * 17 + 4) + 4) + 64;
    s.buffer = calloc(n_bytes, 1);
    assert_non_null(s.buffer);
    unsigned char *first = s.buffer + set_strides(&s.img, odd);
    s.img.data = first;
    const ptrdiff_t *stride = s.img.stride + s.img.ndim - 2;
    for (size_t z = 0; z < layers; z++)
        for (size_t y = 0; y < ny; y++)
            for (size_t x = 0; x < nx; x++, numbers++) {
                unsigned char *row = first + (ptrdiff_t)y * stride[0];
                if (nz > 0)
                    row += (ptrdiff_t)z * s.img.stride[0];
                if (dtype == RUG_BIT)
                    row[x / 8] = (unsigned char)(row[x / 8] | *numbers << x % 8);
                else
                    store_pixel(row + (ptrdiff_t)x * stride[1], dtype, *numbers);
            }
    return s;
}

/* Labels of a style: 0 blobs of few labels, 1 runs, 2 noise of few labels, 3 noise of many,
 * 4 a single pixel, 5 the largest ones; about half of the pixels are outside. */
static inline void random_labels(uint64_t *rng, uint64_t *numbers, size_t n, size_t nx,
                                 rug_dtype dtype, int style)
{
    uint64_t largest = largest_label(dtype), run = 0, label = 0;
    for (size_t i = 0; i < n; i++) {
        size_t y = i / nx, x = i % nx;
        if (style == 0)
            label = (y / 5 * 7 + x / 6) % 11 * ((x % 6 > 0) & (y % 5 > 0));
        else if (style == 1 && run-- == 0) {
            run = test_below(rng, 9);
            label = test_below(rng, 2) * test_below(rng, 6);
        } else if (style == 2)
            label = test_below(rng, 4);
        else if (style == 3)
            label = test_below(rng, 2) * (test_random(rng) >> test_below(rng, 64));
        else if (style == 4)
            label = i == n / 2;
        else if (style == 5)
            label = largest - test_below(rng, 3) % largest;
        numbers[i] = label <= largest ? label : label % largest;
    }
}

#endif
