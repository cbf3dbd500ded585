/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* One pixel of an image that is coded. */

#ifndef RUGI_IFS_PIXEL_H
#define RUGI_IFS_PIXEL_H

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

#endif
