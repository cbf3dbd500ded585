/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Which pixels of an image have come: disjoint boxes of pixels, joined where they make a
 * larger box, so that a finished image is one. */

#ifndef RUGI_COVER_H
#define RUGI_COVER_H

#include <rugose/context.h>
#include <stddef.h>
#include <stdint.h>

/** Pixels first .. end - 1 of every axis, z y x. */
typedef struct rugi_box {
    size_t first[3], end[3];
} rugi_box;

/** Nothing has come when zeroed. */
typedef struct rugi_cover {
    rugi_box *boxes;
    size_t n, room;
    uint64_t n_pixels; /* in all of them */
} rugi_cover;

/** The number of pixels of a box. */
uint64_t rugi_box_pixels(const rugi_box *box);

/** The pixels that two boxes share. @return 0 when there are none */
int rugi_box_intersect(rugi_box *out, const rugi_box *a, const rugi_box *b);

/** Adds a box.
 *  @return RUG_OK, RUG_E_ARG (some of it has come before), RUG_E_NOMEM */
rug_status rugi_cover_add(rug_context *ctx, rugi_cover *cover, rugi_box box);

/** Adds all boxes of another cover, or none.
 *  @return as rugi_cover_add() */
rug_status rugi_cover_merge(rug_context *ctx, rugi_cover *cover, const rugi_cover *other);

void rugi_cover_free(rug_context *ctx, rugi_cover *cover);

#endif
