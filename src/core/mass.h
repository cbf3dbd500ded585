/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The mass of a cell, as a whole number: its grey value, or 1 where it is foreground. Whole
 * numbers add up to the same sum in any order, on any engine, whatever the cells were. */

#ifndef RUGI_MASS_H
#define RUGI_MASS_H

#include "predicate.h"
#include <rugose/image.h>
#include <rugose/source.h>
#include <stddef.h>
#include <stdint.h>

/** How cells become masses, resolved. */
typedef struct rugi_mass {
    rug_dtype dtype;          /* of the cells */
    int is_binary;            /* 1 where the predicate holds, else 0 */
    rugi_predicate predicate; /* is_binary only */
    int exponent;             /* floats: a mass of 1 is 2^exponent, so that the total is below 2^62 and no more
                                 than half a unit is lost of any cell; integers: 0 */
} rugi_mass;

/** What is known of the masses of an image. */
typedef struct rugi_mass_facts {
    uint64_t total;      /* of all masses, below 2^63 */
    uint64_t largest;    /* mass of one cell */
    uint64_t n_cells;    /* cells inside of the mask */
    uint64_t n_left_out; /* of them, those that are NaN or infinite: mass 0 */
    uint64_t n_lost;     /* of them, those above 0 whose mass rounds to 0 (floats) */
} rugi_mass_facts;

/** Resolves how the cells of a source become masses: reads floats once or twice to find their unit, integers
 *  once.
 *  @param is_binary   by the rule, which is resolved (not AUTO, not OTSU); else grey values
 *  @param mask        NULL: all are inside
 *  @param facts       of the same pass
 *  @return RUG_OK, RUG_E_ARG (a cell below 0: the text names the first, its place and what
 *          to do; a total that 63 bits do not hold), RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_mass_resolve(rug_context *ctx, rugi_mass *out, rugi_mass_facts *facts,
                             const rug_source *source, const rug_source *mask,
                             int is_binary, rug_foreground rule);

/** The masses of n cells that lie side by side.
 *  @param cells  of rugi_segment_dtype() (RUG_BIT unpacked); values were checked by
 *                rugi_mass_resolve()
 *  @param inside of the mask, 0 or not; NULL: all are */
void rugi_mass_of_cells(const rugi_mass *mass, uint64_t *out, const void *cells, size_t n,
                        const uint8_t *inside);

#endif
