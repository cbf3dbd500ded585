/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Planes of cells, and how they are painted. A cell is a pixel of an image, or many of them. */

#ifndef CLI_OVERLAY_PICTURE_H
#define CLI_OVERLAY_PICTURE_H

#include "shared/cli.h"

/** Slices or projections of one picture, side by side. */
#define CLI_MAX_PLANES 3
/** Pixels between two of them. */
#define CLI_PLANE_GAP 8

/** One of them. */
typedef struct cli_plane {
    size_t n_rows, n_columns; /**< of cells, each at least 1 */
    size_t height,
        width;       /**< of it in the picture; not below those: cells are repeated */
    double *value;   /**< the mean of the cell's pixels; NaN: none has a value */
    uint8_t *set;    /**< share of the cell that was counted: 0 none, 255 all; NULL: grey
                               values are measured */
    uint8_t *inside; /**< share of it inside the mask; NULL: there is no mask */
    uint64_t *label; /**< of the pixel in the middle; 0: none; NULL: there are none */
} cli_plane;

/** A picture. Begin with all zero. */
typedef struct cli_picture {
    size_t n_planes;
    cli_plane planes[CLI_MAX_PLANES];
    int has_range;       /**< the values that become black and white are given */
    double black, white; /**< these; else the percentiles of the values */
} cli_picture;

/** Parts of a plane, beside its values. */
#define CLI_PLANE_SET    1u
#define CLI_PLANE_INSIDE 2u
#define CLI_PLANE_LABEL  4u

/** Adds a plane of all 0.
 *  @param shape  its four sizes
 *  @return RUG_OK, RUG_E_NOMEM; what is there is freed by cli_free_picture() */
rug_status cli_add_plane(cli_run *run, cli_picture *picture, const cli_plane *shape,
                         unsigned parts);
void cli_free_picture(cli_run *run, cli_picture *picture);

/** Where a picture goes. */
typedef struct cli_picture_end {
    const char *name; /**< of the image, for the file's name; NULL: it stays in memory */
    unsigned char **png; /**< then there, and its length */
    size_t *n;
} cli_picture_end;

/** Paints a picture, and writes it where it goes. */
rug_status cli_end_picture(cli_run *run, const cli_picture *picture,
                           const cli_picture_end *end);

#endif
