/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Where on Earth an image lies: GeoTIFF's tags as they are stored (OGC 19-008r4). */

#ifndef RUGI_PLACE_H
#define RUGI_PLACE_H

#include <rugose/context.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

/** The bytes of a tag's value. @param which  as in the enum */
static inline size_t rugi_place_bytes(int which, uint32_t count)
{
    return count * (which < RUGI_KEYS    ? sizeof(double)
                    : which == RUGI_KEYS ? sizeof(uint16_t)
                                         : sizeof(char));
}

/** Copies tags into one block.
 *  @param out  to be released with rug_context_release(); NULL: none of the tags is there
 *  @return RUG_OK, RUG_E_NOMEM */
static inline rug_status rugi_place_keep(rug_context *ctx, rugi_place **out,
                                         const rugi_place_tag found[RUGI_PLACE_TAGS],
                                         const char *path)
{
    size_t n = 0;
    *out = NULL;
    for (int i = 0; i < RUGI_PLACE_TAGS; i++)
        n += rugi_place_bytes(i, found[i].count);
    if (n == 0)
        return RUG_OK;
    *out = rug_context_allocate(ctx, sizeof **out + n, 1, path);
    if (*out == NULL)
        return RUG_E_NOMEM;
    char *at = (char *)(*out + 1);
    for (int i = 0; i < RUGI_PLACE_TAGS; i++) {
        size_t size = rugi_place_bytes(i, found[i].count);
        if (size > 0)
            memcpy(at, found[i].data, size);
        (*out)->tag[i] = (rugi_place_tag){size > 0 ? at : NULL, found[i].count};
        at += size;
    }
    return RUG_OK;
}

/** What makes the tags known to libtiff, in the order of the enum: number and type. */
#define RUGI_PLACE_TAG_LIST                                           \
    {33550, TIFF_DOUBLE}, {33922, TIFF_DOUBLE}, {34264, TIFF_DOUBLE}, \
        {34736, TIFF_DOUBLE}, {34735, TIFF_SHORT},                    \
    {                                                                 \
        34737, TIFF_ASCII                                             \
    }

/** Where an image lies, as GDAL says it: what the tags are made of when they are written. From column c
 *  and row r, which are 0 at the corner of the first pixel, to x = t[0] + t[1] c + t[2] r and y = t[3] +
 *  t[4] c + t[5] r. */
typedef struct rugi_georeference {
    double transform[6]; /**< t */
    char crs[];          /**< WKT of the system that x and y are of; "" = not known */
} rugi_georeference;

/** GDAL's tag for the value of pixels that hold no data: a number as text. */
#define RUGI_TAG_NODATA 42113

#endif
