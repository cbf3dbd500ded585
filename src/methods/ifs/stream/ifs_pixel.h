/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Values of pixels: as an image holds them, as the decoder does, and their colours. */

#ifndef RUGI_IFS_PIXEL_H
#define RUGI_IFS_PIXEL_H

#include "core/context/small.h"
#include <rugose/image.h>
#include <string.h>

/** The pixel of a view [ny][nx] of U8 or U16, which may lie at any address. */
static inline uint16_t rugi_ifs_pixel_of(const rug_image *view, size_t y, size_t x)
{
    const char *pixel = (const char *)view->data + (ptrdiff_t)y * view->stride[0] +
                        (ptrdiff_t)x * view->stride[1];
    uint16_t value;
    if (view->dtype == RUG_U8)
        return *(const uint8_t *)pixel;
    memcpy(&value, pixel, sizeof value);
    return value;
}

/** The same of an image that its last row and column continue. */
static inline uint16_t rugi_ifs_continued_pixel(const rug_image *view, size_t y, size_t x)
{
    return rugi_ifs_pixel_of(view, rugi_smaller(y, view->shape[0] - 1),
                             rugi_smaller(x, view->shape[1] - 1));
}

/** a / b rounded down, b > 0. */
static inline int64_t rugi_ifs_floor_div(int64_t a, int64_t b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/** The bounds of all values of the decoder, in 1/64 of a grey level: a quarter of the
 *  range of grey below it and above it. */
static inline int32_t rugi_ifs_least(unsigned depth)
{
    return -(1 << (depth + 4));
}
static inline int32_t rugi_ifs_most(unsigned depth)
{
    return (1 << (depth + 6)) + (1 << (depth + 4));
}

/** Grey from 1/64: rounded and clamped to 0 .. 2^depth - 1. */
static inline int32_t rugi_ifs_gray(int32_t value, unsigned depth)
{
    int32_t gray = (value + 32) >> 6, top = (int32_t)((1u << depth) - 1);
    return gray < 0 ? 0 : gray > top ? top : gray;
}

/** Red, green and blue to Y, Co, Cg and back, exactly (YCoCg-R: Malvar, Sullivan 2003).
 *  Co and Cg are kept with 2^depth added, so that they are not negative. */
static inline void rugi_ifs_to_ycocg(int32_t c[3], unsigned depth)
{
    int32_t red = c[0], green = c[1], blue = c[2], co = red - blue;
    int32_t t = blue + (co >> 1), cg = green - t;
    c[0] = t + (cg >> 1);
    c[1] = co + (1 << depth);
    c[2] = cg + (1 << depth);
}
static inline void rugi_ifs_from_ycocg(int32_t c[3], unsigned depth)
{
    int32_t co = c[1] - (1 << depth), cg = c[2] - (1 << depth), t = c[0] - (cg >> 1);
    c[1] = cg + t;
    c[2] = t - (co >> 1);
    c[0] = c[2] + co;
}

#endif
