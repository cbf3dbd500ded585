/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pictures of the attractors of iterated function systems: of contracting affine maps of the
 * plane, the one closed and bounded set that is the union of its images under all of them
 * (Hutchinson 1981), such as Barnsley's fern and Sierpinski's triangle (Barnsley 1988).
 *
 *     const rug_ifs_map triangle[3] = {
 *         {.a = 0.5, .d = 0.5}, {.a = 0.5, .d = 0.5, .e = 0.5}, {.a = 0.5, .d = 0.5, .f = 0.5}};
 *     rug_ifs_picture picture = RUG_IFS_PICTURE_INIT;
 *     rug_status status = rug_ifs_draw(ctx, &picture, triangle, 3, 64, 64);
 *     int n = 0;
 *     for (size_t i = 0; status == RUG_OK && i < 64 * 64; i++)
 *         n += ((const uint8_t *)picture.pixels)[i] == 255;
 *     printf("%d pixels\n", n);
 *     rug_ifs_picture_free(ctx, &picture);
 *     // prints: 729 pixels
 */

#ifndef RUGOSE_IFS_DRAW_H
#define RUGOSE_IFS_DRAW_H

#include <rugose/ifs.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The most maps of a system. */
#define RUG_IFS_MAPS_MAX 100

/** One map: x' = a x + b y + e, y' = c x + d y + f, with y upwards. */
typedef struct rug_ifs_map {
    double a, b, c, d, e, f;
} rug_ifs_map;

/** Draws the attractor of a system of maps. Its bounding box fills the picture as far as its
 *  shape allows, in the middle and not distorted; an attractor that is one point is one pixel.
 *  Pixels are 255 where it is, else 0: each pixel of 255 has a point of the attractor within
 *  half a pixel of it, and each point of the attractor such a pixel.
 *
 *  Pixels are divided into cells, and a cell is met when the image of the centre of a cell that
 *  is met lies in it; a pixel is 255 when one of its cells is. There is no chance in it. Cells
 *  are so small that what the centres are off by adds up to less than half a pixel, which takes
 *  sqrt(2) / (1 - s) cells along a pixel, where s is the largest singular value of all maps.
 *  @param out     begun with RUG_IFS_PICTURE_INIT: one plane of U8; filled on RUG_OK, zeroed
 *                 otherwise; rug_ifs_picture_free()
 *  @param maps    [n_maps], 1..RUG_IFS_MAPS_MAX; finite numbers, and each map contracts: its
 *                 largest singular value is below 1
 *  @param nx      pixels a row, 1..RUG_IFS_SIDE_MAX
 *  @param ny      rows, 1..RUG_IFS_SIDE_MAX; nx and ny together have at most 2^31 cells, which
 *                 take two bits of memory each
 *  @return RUG_OK, RUG_E_ARG (the text names the map), RUG_E_NOMEM, RUG_E_DEVICE (a device is
 *          named: the processor draws), RUG_E_CANCELLED */
RUG_API rug_status rug_ifs_draw(rug_context *ctx, rug_ifs_picture *out,
                                const rug_ifs_map *maps, size_t n_maps, uint32_t nx,
                                uint32_t ny);

#ifdef __cplusplus
}
#endif

#endif
