/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From planes to pixels, for whatever writes them. */

#include "picture_formats.h"
#include <string.h>

#define COPY_PLANE(type)                                          \
    for (size_t x = 0; x < n; x++, from += stride, to += to_step) \
    memcpy(to, from, sizeof(type))

void rugi_weave_row(void *pixels, const rug_image *planes, int n_planes, size_t y)
{
    size_t n = planes->shape[1], size = rug_dtype_size(planes->dtype);
    size_t to_step = size * (size_t)n_planes;
    for (int p = 0; p < n_planes; p++) {
        unsigned char *to = (unsigned char *)pixels + (size_t)p * size;
        ptrdiff_t stride = planes[p].stride[1];
        const unsigned char *from =
            (const unsigned char *)planes[p].data + (ptrdiff_t)y * planes[p].stride[0];
        if (n_planes == 1 && stride == (ptrdiff_t)size)
            memcpy(to, from, n * size);
        else if (size == 1)
            COPY_PLANE(uint8_t);
        else
            COPY_PLANE(uint16_t);
    }
}
