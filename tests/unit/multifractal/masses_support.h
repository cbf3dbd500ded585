/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box masses by a slow look at every pixel, images that have them, and multiplicative
 * cascades. Include it after support.h. */

#ifndef RUGOSE_MASSES_SUPPORT_H
#define RUGOSE_MASSES_SUPPORT_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The masses of all boxes of a size, 0 where there is none. */
typedef struct naive_boxes {
    size_t n;
    uint64_t *mass;
} naive_boxes;

/* Clears the sign of every pixel, and the upper bits of 64-bit pixels, so that totals fit
 * (little-endian: they come last). */
static inline void make_positive(const rug_image *img)
{
    size_t size = rug_dtype_size(img->dtype);
    int is_signed = img->dtype == RUG_I8 || img->dtype == RUG_I16 ||
                    img->dtype == RUG_I32 || img->dtype >= RUG_I64;
    int is_long = img->dtype == RUG_U64 || img->dtype == RUG_I64;
    for (uint64_t i = 0; (is_signed || is_long) && i < rug_image_pixels(img); i++) {
        uint8_t *at = (uint8_t *)(uintptr_t)img->data;
        uint64_t rest = i;
        for (int a = img->ndim - 1; a >= 0; a--) {
            at += (ptrdiff_t)(rest % img->shape[a]) * img->stride[a];
            rest /= img->shape[a];
        }
        at[size - 1] = is_long ? 0 : at[size - 1] & 0x7f;
        if (is_long)
            at[size - 2] = 0;
    }
}

/* What mass a pixel has; an exponent of floats. */
static inline uint64_t naive_mass(const rug_image *img, const rug_image *mask,
                                  const rug_masses_facts *facts, size_t z, size_t y,
                                  size_t x)
{
    long double v = test_pixel(img, z, y, x);
    if (mask != NULL) {
        long double m = test_pixel(mask, z, y, x);
        if (m == 0 || isnan(m))
            return 0;
    }
    if (facts->of == RUG_MASS_OF_FOREGROUND)
        return test_is_set(facts->foreground, v) ? 1 : 0;
    return isfinite(v) ? (uint64_t)rintl(ldexpl(v, -facts->unit_exponent)) : 0;
}

static inline int compare_u64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sorted. */
static inline naive_boxes naive_level(const rug_image *img, const rug_image *mask,
                                      const rug_masses_facts *facts, unsigned level)
{
    size_t shape[3] = {img->ndim == 3 ? img->shape[0] : 1, img->shape[img->ndim - 2],
                       img->shape[img->ndim - 1]};
    size_t n[3];
    for (int a = 0; a < 3; a++)
        n[a] = ((shape[a] - 1) >> level) + 1;
    naive_boxes b = {.n = n[0] * n[1] * n[2]};
    b.mass = calloc(b.n, sizeof *b.mass);
    assert_non_null(b.mass);
    for (size_t z = 0; z < shape[0]; z++)
        for (size_t y = 0; y < shape[1]; y++)
            for (size_t x = 0; x < shape[2]; x++)
                b.mass[((z >> level) * n[1] + (y >> level)) * n[2] + (x >> level)] +=
                    naive_mass(img, mask, facts, z, y, x);
    qsort(b.mass, b.n, sizeof *b.mass, compare_u64);
    return b;
}

/* Fails when the boxes of a level are not those of a slow look. */
static inline void assert_level(rug_context *ctx, rug_masses *masses,
                                const rug_image *img, const rug_image *mask,
                                const rug_masses_facts *facts, unsigned level,
                                const char *what)
{
    naive_boxes b = naive_level(img, mask, facts, level);
    size_t n, i = 0;
    const rug_mass_boxes *pairs = rug_masses_boxes(ctx, masses, level, &n);
    while (i < b.n && b.mass[i] == 0)
        i++;
    for (size_t k = 0; k < n; k++) {
        size_t first = i;
        while (i < b.n && b.mass[i] == pairs[k].mass)
            i++;
        if (i - first != pairs[k].boxes || i == first)
            fail_msg("%s, level %u: %llu boxes of mass %llu, %zu expected", what, level,
                     (unsigned long long)pairs[k].boxes,
                     (unsigned long long)pairs[k].mass, i - first);
    }
    if (i != b.n)
        fail_msg("%s, level %u: no box of mass %llu, some expected", what, level,
                 (unsigned long long)b.mass[i]);
    free(b.mass);
}

/* A cascade of k steps: each pixel becomes 2 x 2 pixels, w times it. */
static inline void fill_cascade(uint16_t *pixels, unsigned k, const uint16_t w[4])
{
    size_t n = (size_t)1 << k;
    for (size_t y = 0; y < n; y++)
        for (size_t x = 0; x < n; x++) {
            unsigned v = 1;
            for (unsigned bit = 0; bit < k; bit++)
                v *= w[(y >> bit & 1) * 2 + (x >> bit & 1)];
            pixels[y * n + x] = (uint16_t)v;
        }
}

static inline rug_masses *must_measure(rug_context *ctx, const rug_image *img,
                                       const rug_masses_options *opts)
{
    rug_masses *m = NULL;
    if (rug_masses_measure(ctx, &m, img, opts) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return m;
}

#endif
