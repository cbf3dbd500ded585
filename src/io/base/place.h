/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Where on Earth an image lies: GeoTIFF's tags as they are stored (OGC 19-008r4). */

#ifndef RUGI_PLACE_H
#define RUGI_PLACE_H

#include <stddef.h>
#include <stdint.h>

/** The tags, those of doubles first. */
enum { RUGI_SCALE, RUGI_TIEPOINTS, RUGI_MATRIX, RUGI_NUMBERS, RUGI_KEYS, RUGI_NAMES };
#define RUGI_PLACE_TAGS 6

/** The value of one tag. */
typedef struct rugi_place_tag {
    void *data;     /**< doubles; of KEYS uint16_t, of NAMES char; NULL: there is none */
    uint32_t count; /**< of them */
} rugi_place_tag;

/** All tags of a page; one block of memory. They tell of its full resolution. */
typedef struct rugi_place {
    rugi_place_tag tag[RUGI_PLACE_TAGS];
} rugi_place;

/** What makes the tags known to libtiff, in the order of the enum: number and type. */
#define RUGI_PLACE_TAG_LIST                                           \
    {33550, TIFF_DOUBLE}, {33922, TIFF_DOUBLE}, {34264, TIFF_DOUBLE}, \
        {34736, TIFF_DOUBLE}, {34735, TIFF_SHORT},                    \
    {                                                                 \
        34737, TIFF_ASCII                                             \
    }

/** GDAL's tag for the value of pixels that hold no data: a number as text. */
#define RUGI_TAG_NODATA 42113

#endif
