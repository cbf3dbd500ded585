/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Boxes of pixels, and which pixels of an image have come. */

#ifndef RUGI_COVER_H
#define RUGI_COVER_H

#include <rugose/context.h>
#include <stddef.h>
#include <stdint.h>

/** Pixels first .. end - 1 of every axis, z y x. */
typedef struct rugi_box {
    size_t first[3], end[3];
} rugi_box;

/** The number of pixels of a box. */
static inline uint64_t rugi_box_pixels(const rugi_box *box)
{
    uint64_t n = 1;
    for (int a = 0; a < 3; a++)
        n *= box->end[a] - box->first[a];
    return n;
}

/** Which pixels of an image have come: disjoint boxes, joined where they make a larger
 *  box, so that a finished image is one. Nothing has come when zeroed. */
typedef struct rugi_cover {
    rugi_box *boxes;
    size_t n, capacity;
    uint64_t n_pixels; /* in all of them */
} rugi_cover;

/** The pixels that two boxes share. @return 0 when there are none */
int rugi_box_intersect(rugi_box *out, const rugi_box *a, const rugi_box *b);

/** Adds a box.
 *  @return RUG_OK, RUG_E_ARG (some of it has come before), RUG_E_NOMEM */
rug_status rugi_cover_add(rug_context *ctx, rugi_cover *cover, rugi_box box);

/** Adds all boxes of another cover, or none.
 *  @return as rugi_cover_add() */
rug_status rugi_cover_merge(rug_context *ctx, rugi_cover *cover, const rugi_cover *other);

/** Checks that all pixels of an image have come.
 *  @param what  begins the error text
 *  @return RUG_OK, RUG_E_ARG */
rug_status rugi_cover_check_whole(rug_context *ctx, const rugi_cover *cover,
                                  const size_t shape[3], const char *what);

/** How many pixels of a box have come. */
uint64_t rugi_cover_pixels(const rugi_cover *cover, const rugi_box *box);

/** The same pixels in boxes that depend on nothing else, ascending.
 *  @param out   for rugi_cover_free(), also on failure
 *  @param most  boxes
 *  @return RUG_OK, RUG_E_ARG (more boxes are needed, or some overlap), RUG_E_NOMEM,
 *          RUG_E_CANCELLED */
rug_status rugi_cover_sorted(rug_context *ctx, rugi_cover *out, const rugi_cover *cover,
                             size_t most);

void rugi_cover_free(rug_context *ctx, rugi_cover *cover);

#endif
