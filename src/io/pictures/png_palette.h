/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The palette of a picture of few colours: a byte a pixel in place of three, so that it is smaller and is
 * compressed sooner. No colour changes. */

#ifndef RUGI_PNG_PALETTE_H
#define RUGI_PNG_PALETTE_H

#include "picture_formats.h"
#include <png.h>
#include <string.h>

#define RUGI_PALETTE_COLOURS 256
#define RUGI_PALETTE_BITS    10 /* of the number of slots */
#define RUGI_PALETTE_SLOTS   (1u << RUGI_PALETTE_BITS)

/** Begin with all zero. */
typedef struct rugi_palette {
    int n; /**< colours; 0: there is no palette */
    png_color colours[RUGI_PALETTE_COLOURS];
    uint16_t slots[RUGI_PALETTE_SLOTS]; /**< by hash: 1 + a colour's index; 0: free */
} rugi_palette;

/** The slot of a colour, or the free one that it would have: at least three of four are free. */
static inline uint16_t *rugi_palette_slot(rugi_palette *p, const unsigned char rgb[3])
{
    uint32_t key = (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
    uint32_t at = key * 2654435769u >> (32 - RUGI_PALETTE_BITS); /* Fibonacci hashing */
    while (p->slots[at] != 0) {
        const png_color *c = &p->colours[p->slots[at] - 1];
        if (c->red == rgb[0] && c->green == rgb[1] && c->blue == rgb[2])
            break;
        at = (at + 1) % RUGI_PALETTE_SLOTS;
    }
    return &p->slots[at];
}

/** Finds the colours of three planes of u8, in the order of the pixels.
 *  @param p    gets n = 0 where there are more than it holds
 *  @param row  room for a row of pixels */
static inline void rugi_palette_find(rugi_palette *p, const rug_image *planes,
                                     unsigned char *row)
{
    for (size_t y = 0; y < planes->shape[0]; y++) {
        rugi_weave_row(row, planes, 3, y);
        for (size_t x = 0; x < planes->shape[1]; x++) {
            const unsigned char *rgb = row + 3 * x;
            uint16_t *slot = rugi_palette_slot(p, rgb);
            if (*slot != 0)
                continue;
            if (p->n == RUGI_PALETTE_COLOURS) {
                p->n = 0;
                return;
            }
            p->colours[p->n++] = (png_color){rgb[0], rgb[1], rgb[2]};
            *slot = (uint16_t)p->n;
        }
    }
}

/** Makes indices of a row of n pixels, where it is. */
static inline void rugi_palette_apply(rugi_palette *p, unsigned char *row, size_t n)
{
    for (size_t x = 0; x < n; x++)
        row[x] = (unsigned char)(*rugi_palette_slot(p, row + 3 * x) - 1);
}

#endif
