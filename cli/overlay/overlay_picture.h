/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Planes of cells, and how they are painted. A cell is a pixel of an image, or many of them. */

#ifndef CLI_OVERLAY_PICTURE_H
#define CLI_OVERLAY_PICTURE_H

#include "shared/cli.h"
#include <string.h>

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

/** The first pixel of a cell: pixel x is in cell x * cells / pixels. */
static inline size_t cli_first_pixel(size_t cell, size_t n_cells, size_t n_pixels)
{
    return (cell * n_pixels + n_cells - 1) / n_cells;
}

#define CLI_TAKE_VALUES(type)                    \
    for (size_t i = 0; i < n; i++, at += step) { \
        type value;                              \
        memcpy(&value, at, sizeof value);        \
        out[i] = (double)value;                  \
    }                                            \
    break

/** Takes n values of any type but bits as doubles.
 *  @param step  bytes from one to the next */
static inline void cli_take_values(double *out, const char *at, size_t n, ptrdiff_t step,
                                   rug_dtype dtype)
{
    switch (dtype) {
    case RUG_BIT: break;
    case RUG_U8: CLI_TAKE_VALUES(uint8_t);
    case RUG_I8: CLI_TAKE_VALUES(int8_t);
    case RUG_U16: CLI_TAKE_VALUES(uint16_t);
    case RUG_I16: CLI_TAKE_VALUES(int16_t);
    case RUG_U32: CLI_TAKE_VALUES(uint32_t);
    case RUG_I32: CLI_TAKE_VALUES(int32_t);
    case RUG_U64: CLI_TAKE_VALUES(uint64_t);
    case RUG_I64: CLI_TAKE_VALUES(int64_t);
    case RUG_F32: CLI_TAKE_VALUES(float);
    case RUG_F64: CLI_TAKE_VALUES(double);
    }
}

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
