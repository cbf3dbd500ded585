/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Random images and volumes with rules: every dtype, odd sizes, padded, negative, permuted
 * and strided axes, and guard bytes round every buffer. Include it after support.h. */

#ifndef RUGOSE_SAMPLE_SUPPORT_H
#define RUGOSE_SAMPLE_SUPPORT_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE_GUARD 64

/* A random image with the buffer that it looks into. */
typedef struct sample {
    rug_image img;
    rug_foreground rule;
    uint8_t *buffer;
    uint8_t *copy; /* of the buffer, to see that it is never written */
    size_t n_bytes;
} sample;

static inline size_t random_length(uint64_t *rng, int ndim)
{
    switch (test_below(rng, 12)) {
    case 0: return 1;
    case 1: return ndim == 2 ? 1 + test_below(rng, 300) : 1 + test_below(rng, 70);
    case 2: return (size_t)1 << test_below(rng, ndim == 2 ? 8 : 6);
    case 3: return 60 + test_below(rng, 10);
    default: return 1 + test_below(rng, ndim == 2 ? 40 : 14);
    }
}

/* Strides of axes in a random order of nesting, with padding and flips; returns the bytes
 * spanned and where the first pixel lies. */
static inline size_t random_strides(uint64_t *rng, rug_image *img, size_t *first)
{
    int order[3] = {2, 1, 0}; /* innermost first */
    size_t size = rug_dtype_size(img->dtype);
    int plain = img->dtype == RUG_BIT || test_below(rng, 2);
    if (!plain)
        for (int a = 2; a > 0; a--) {
            int b = (int)test_below(rng, (uint64_t)a + 1), t = order[a];
            order[a] = order[b];
            order[b] = t;
        }
    size_t span = plain ? size : size * (1 + test_below(rng, 3));
    *first = 0;
    for (int i = 0; i < 3; i++) {
        int a = order[i] - (3 - img->ndim);
        if (a < 0)
            continue;
        int bit_row = img->dtype == RUG_BIT && i == 0;
        img->stride[a] = (ptrdiff_t)span;
        span = bit_row ? (img->shape[a] + 7) / 8 : span * img->shape[a];
        if (!bit_row && test_below(rng, 4) == 0) {
            *first += (img->shape[a] - 1) * (size_t)img->stride[a];
            img->stride[a] = -img->stride[a];
        }
        if (test_below(rng, 3) == 0)
            span += test_below(rng, 5);
    }
    return span;
}

/* Pixels of a few styles: sparse, dense, runs, full. Only some bit patterns, so that
 * thresholds, NaN and extremes occur often. */
static inline void random_pixels(uint64_t *rng, sample *s)
{
    static const float f32[] = {0.0f, -0.0f,    1.0f,      0.5f, -3.25f,
                                NAN,  INFINITY, -INFINITY, 1e30f};
    static const double f64[] = {0.0, -0.0,     1.0,       0.5,  -3.25,
                                 NAN, INFINITY, -INFINITY, 1e300};
    size_t size = rug_dtype_size(s->img.dtype);
    uint64_t style = test_below(rng, 5), run = 0, value = 0;
    uint64_t step = size == 0 ? 1 : size;
    for (size_t i = 0; i + step <= s->n_bytes; i += step) {
        if (run-- == 0) {
            run = style == 0 ? test_below(rng, 50) : style == 1 ? 0 : test_below(rng, 4);
            value = test_random(rng) >> test_below(rng, 64);
            if (style == 3 && test_below(rng, 100) != 0)
                value = 0;
            if (style == 4 && test_below(rng, 300) != 0)
                value = UINT64_MAX;
        }
        if (s->img.dtype == RUG_F32 && style != 4)
            memcpy(s->buffer + i, &f32[value % 9], 4);
        else if (s->img.dtype == RUG_F64 && style != 4)
            memcpy(s->buffer + i, &f64[value % 9], 8);
        else
            memcpy(s->buffer + i, &value, step);
    }
}

static inline rug_foreground random_rule(uint64_t *rng, const rug_image *img)
{
    rug_foreground rule = {
        (rug_foreground_kind)(RUG_FOREGROUND_NONZERO + test_below(rng, 5)), 0, 0};
    if (rule.kind == RUG_FOREGROUND_OTSU)
        rule.kind = RUG_FOREGROUND_NONZERO;
    size_t z = img->ndim == 3 ? test_below(rng, img->shape[0]) : 0;
    size_t y = test_below(rng, img->shape[img->ndim - 2]);
    size_t x = test_below(rng, img->shape[img->ndim - 1]);
    long double pixel = test_pixel(img, z, y, x); /* a value that occurs */
    rule.value = (double)pixel;
    switch (test_below(rng, 8)) {
    case 0: rule.value = 0; break;
    case 1: rule.value += 0.5; break;
    case 2: rule.value = -1e18; break;
    case 3: rule.value = 1e20; break;
    default:
        if (img->dtype == RUG_U64 || img->dtype == RUG_I64)
            rule.rest = (int64_t)(pixel - (long double)rule.value);
        break;
    }
    if (isnan(rule.value))
        rule.value = 1;
    return rule;
}

/* Free it with free_sample(). */
static inline sample random_sample(uint64_t *rng)
{
    sample s = {.img = {.ndim = 2 + (int)test_below(rng, 2)}};
    s.img.dtype = (rug_dtype)test_below(rng, RUG_N_DTYPES);
    for (int a = 0; a < s.img.ndim; a++)
        s.img.shape[a] = random_length(rng, s.img.ndim);
    size_t first;
    size_t span = random_strides(rng, &s.img, &first);
    s.n_bytes = span + 2 * SAMPLE_GUARD;
    s.buffer = malloc(s.n_bytes);
    s.copy = malloc(s.n_bytes);
    assert_true(s.buffer != NULL && s.copy != NULL);
    random_pixels(rng, &s);
    memcpy(s.copy, s.buffer, s.n_bytes);
    s.img.data = s.buffer + SAMPLE_GUARD + first;
    s.rule = random_rule(rng, &s.img);
    return s;
}

static inline void free_sample(const sample *s)
{
    free(s->buffer);
    free(s->copy);
}

#endif
