/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The mass of a pixel, as a whole number: its grey value, or 1 where it is foreground.
 * Whole numbers add up to the same sum in any order, on any engine, whatever the pixels
 * were. */

#ifndef RUGI_MASS_H
#define RUGI_MASS_H

#include "predicate.h"
#include <rugose/image.h>
#include <rugose/source.h>
#include <stddef.h>
#include <stdint.h>

/** The total of all masses is at most this: it fits an int64_t, too. */
#define RUGI_MASS_MAX ((uint64_t)INT64_MAX)

/** Limits of the exponent of a unit: no double is finer, and the largest one is below 2^62
 *  units of the coarsest. */
#define RUGI_MASS_EXPONENT_MIN (-1074)
#define RUGI_MASS_EXPONENT_MAX 1023

/** How pixels become masses, resolved. */
typedef struct rugi_mass {
    rug_dtype dtype;          /* of the pixels */
    int is_binary;            /* 1 where the predicate holds, else 0 */
    rugi_predicate predicate; /* is_binary only */
    int exponent; /* floats: a mass of 1 is 2^exponent, and no pixel loses more than half
                     of that; else 0 */
} rugi_mass;

/** What is known of the masses of an image. */
typedef struct rugi_mass_facts {
    uint64_t total;      /* of all masses; floats: below 2^62 */
    uint64_t largest;    /* mass of one pixel */
    uint64_t n_pixels;   /* pixels inside the mask */
    uint64_t n_left_out; /* of them, mass 0 for being NaN or infinite; is_binary: NaN
                            only, as rules compare infinities as numbers */
    uint64_t n_lost;     /* of them, pixels above 0 whose mass rounds to 0 (floats) */
} rugi_mass_facts;

/** How pixels become masses where that does not depend on their values.
 *  @param rule      resolved; is_binary only
 *  @param exponent  of floats, RUGI_MASS_EXPONENT_MIN..MAX; else 0 */
rugi_mass rugi_mass_make(rug_dtype dtype, int is_binary, rug_foreground rule,
                         int exponent);

/** Quarters of an octave. */
#define RUGI_OCTAVES (0x7ff << 2)

/** What the unit of floats follows from. Of no pixels when zeroed. */
typedef struct rugi_octaves {
    int has_fraction;         /* some are no whole numbers */
    uint64_t n[RUGI_OCTAVES]; /* finite pixels above 0 in each */
} rugi_octaves;

/** Adds the pixels of a source of floats.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED, what the source returns */
rug_status rugi_octaves_count(rug_context *ctx, rugi_octaves *octaves,
                              const rug_source *source, const rug_source *mask);

void rugi_octaves_merge(rugi_octaves *octaves, const rugi_octaves *other);

/** The exponent of the unit: see rugi_mass_resolve(). */
int rugi_octaves_exponent(const rugi_octaves *octaves);

/** Finds out how the pixels of a source become masses, and measures these. Reads it once,
 *  floats as grey values twice.
 *
 *  The unit of floats is 1 where all of them are whole numbers and their total is below
 *  2^62; else it is as small a power of two as that limit allows, found from how many
 *  pixels lie in each quarter of an octave, so that it depends neither on threads nor on
 *  slabs.
 *  @param is_binary   by the rule, which is resolved (not AUTO, not OTSU); else grey
 *          values
 *  @param mask        NULL: all are inside
 *  @return RUG_OK, RUG_E_ARG (a pixel below 0: the text names the first, its place and
 *          what to do; a total above RUGI_MASS_MAX), RUG_E_NOMEM, RUG_E_CANCELLED, what
 *          the source returns */
rug_status rugi_mass_resolve(rug_context *ctx, rugi_mass *out, rugi_mass_facts *facts,
                             const rug_source *source, const rug_source *mask,
                             int is_binary, rug_foreground rule);

/** Measures the masses where it is known how pixels become masses.
 *  @param origin  NULL, or the place of the first pixel in a whole image, for the text
 *  @return as rugi_mass_resolve() */
rug_status rugi_mass_measure(rug_context *ctx, const rugi_mass *mass,
                             rugi_mass_facts *facts, const rug_source *source,
                             const rug_source *mask, const size_t *origin);

/** The masses of n pixels that lie side by side.
 *  @param pixels  of rugi_segment_dtype() (RUG_BIT unpacked). Those below 0 become 0,
 *                those beyond 64 bits the largest number:
 *                rugi_mass_resolve() makes sure that there are none
 *  @param inside  0 where a pixel is outside the mask; NULL: all are inside */
void rugi_mass_of_pixels(const rugi_mass *mass, uint64_t *out, const void *pixels,
                         size_t n, const uint8_t *inside);

/** How many pixels have no mass because they are NaN or, as grey values, infinite.
 *  @param inside  0 where a pixel is outside the mask; NULL: all are inside */
size_t rugi_mass_count_left_out(const rugi_mass *mass, const void *pixels, size_t n,
                                const uint8_t *inside);

#endif
