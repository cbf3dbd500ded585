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

/** Boxes whose sides have up to 2^bits pixels, in steps. */
typedef struct rugi_box_kind {
    unsigned char bits[3];
    size_t n; /* how many there are */
} rugi_box_kind;

/** Which pixels of an image have come: disjoint boxes, joined where they make a larger
 *  box, so that a finished image is one. Nothing has come when zeroed. */
typedef struct rugi_cover {
    rugi_box *boxes;
    size_t n, capacity;
    uint64_t n_pixels; /* in all of them */
    /* Where boxes are: those of a kind by the cell of 2^bits pixels a side that they begin in, so
     * that a box has few to be compared with. Many cells share a chain. */
    size_t *chains;  /* [n_chains]: 1 + the first box, 0: none; NULL: there are none */
    size_t *next;    /* [capacity]: 1 + the next box of the chain */
    size_t n_chains; /* a power of two */
    rugi_box_kind *kinds; /* [capacity] */
    size_t n_kinds;
} rugi_cover;

/** The pixels that two boxes share. @return 0 when there are none */
int rugi_box_intersect(rugi_box *out, const rugi_box *a, const rugi_box *b);

/** Makes chains of boxes that were put in by other ways.
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_cover_index(rug_context *ctx, rugi_cover *cover);

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

/** Called with what a box and one of a cover share. */
typedef void rugi_cover_fn(void *user, const rugi_box *both);

/** Calls a function with all that a box has of a sorted cover, in its order. */
void rugi_cover_each(const rugi_cover *sorted, const rugi_box *box, rugi_cover_fn *fn,
                     void *user);

void rugi_cover_free(rug_context *ctx, rugi_cover *cover);

#endif
