/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From decoded planes to a picture: the wanted size, colours, whole grey levels; and from
 * an image's colours to planes. */

#ifndef RUGI_IFS_PICTURE_H
#define RUGI_IFS_PICTURE_H

#include "ifs/stream/ifs_container.h"

/** A part of a plane, in 1/64 of a grey level. */
typedef struct rugi_ifs_view {
    const int32_t *pixels;
    size_t pitch; /* from one row to the next */
    size_t nx, ny;
} rugi_ifs_view;

/** Resamples by area means: each pixel of the result is the mean of what it covers. A view
 *  of the same size is copied.
 *  @param out  [ny][nx], at most as large as the view in both directions
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_ifs_resize(rug_context *ctx, int32_t *out, size_t nx, size_t ny,
                           const rugi_ifs_view *view);

/** Room for a picture.
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_ifs_picture_new(rug_context *ctx, rug_ifs_picture *picture,
                                const rugi_ifs_header *header, uint32_t nx, uint32_t ny);

/** Fills a picture from its planes.
 *  @param planes  [n_planes] of the picture's size
 *  @return RUG_OK, RUG_E_CANCELLED */
rug_status rugi_ifs_picture_fill(rug_context *ctx, rug_ifs_picture *picture,
                                 const rugi_ifs_header *header,
                                 const rugi_ifs_view *planes);

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
