/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Keys of rows of bytes. Plain loops that compilers turn into vectors; included by each
 * kernel, and so made of the instructions of its level. */

#ifndef RUGI_GLCM_BYTES_TMPL_H
#define RUGI_GLCM_BYTES_TMPL_H

#include "glcm_kernels.h"

static void corners(uint16_t *restrict key, const uint8_t *top, const uint8_t *bottom,
                    size_t n, size_t d, uint8_t base)
{
    for (size_t x = 0; x < n; x++) {
        unsigned a = (uint8_t)(top[x] - base), b = (uint8_t)(top[x + d] - base);
        unsigned c = (uint8_t)(bottom[x] - base), e = (uint8_t)(bottom[x + d] - base);
        key[x] = (uint16_t)(a << 12 | b << 8 | c << 4 | e);
    }
}

static void triples(uint16_t *restrict key, uint16_t *restrict other, const uint8_t *top,
                    const uint8_t *bottom, size_t n, size_t d, uint8_t base)
{
    for (size_t x = 0; x < n; x++) {
        unsigned a = (uint8_t)(top[x] - base), b = (uint8_t)(top[x + d] - base);
        unsigned c = (uint8_t)(bottom[x] - base), e = (uint8_t)(bottom[x + d] - base);
        key[x] = (uint16_t)(a << 10 | b << 5 | e);
        other[x] = (uint16_t)(c << 8 | b);
    }
}

static void pairs(uint16_t *restrict key, const uint8_t *from, const uint8_t *to,
                  size_t n, int sorted)
{
    if (!sorted) {
        for (size_t x = 0; x < n; x++)
            key[x] = (uint16_t)(from[x] << 8 | to[x]);
        return;
    }
    for (size_t x = 0; x < n; x++) {
        uint8_t a = from[x], b = to[x], hi = a > b ? a : b, lo = a > b ? b : a;
        key[x] = (uint16_t)(hi << 8 | lo);
    }
}

static void extremes8(uint32_t extremes[2], const uint8_t *pixels, size_t n)
{
    uint8_t lo = UINT8_MAX, hi = 0;
    for (size_t i = 0; i < n; i++) {
        lo = pixels[i] < lo ? pixels[i] : lo;
        hi = pixels[i] > hi ? pixels[i] : hi;
    }
    extremes[0] = lo < extremes[0] ? lo : extremes[0];
    extremes[1] = hi > extremes[1] ? hi : extremes[1];
}

static void extremes16(uint32_t extremes[2], const uint16_t *pixels, size_t n)
{
    uint16_t lo = UINT16_MAX, hi = 0;
    for (size_t i = 0; i < n; i++) {
        lo = pixels[i] < lo ? pixels[i] : lo;
        hi = pixels[i] > hi ? pixels[i] : hi;
    }
    extremes[0] = lo < extremes[0] ? lo : extremes[0];
    extremes[1] = hi > extremes[1] ? hi : extremes[1];
}

static const rugi_glcm_bytes_kernels bytes_kernels = {corners, triples, pairs, extremes8,
                                                      extremes16};

#endif
