/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* How many boxes of every size that is a power of two hold cells, and how many are full,
 * from the cells' keys in ascending order, or from a bitmap of them. */

#ifndef RUGI_BOXCOUNT_SCAN_H
#define RUGI_BOXCOUNT_SCAN_H

#include "core/points/morton.h"

/** Sets of keys that agree above their lowest b bits. */
typedef struct rugi_key_counts {
    uint64_t nonempty[RUGI_KEY_BITS + 1]; /* [b]: sets with a key that is there; set for
                                             what is asked for */
    uint64_t full[RUGI_KEY_BITS + 1]; /* [b]: sets of which all 2^b keys are there; set
                                         for 0 and from `least_bits` on */
} rugi_key_counts;

/** Bitmaps are whole steps of so many words. */
#define RUGI_BITMAP_STEP 64

/** Scans keys once.
 *  @param keys        ascending; equal ones count once
 *  @param bits        all keys are below 2^bits
 *  @param least_bits  full sets of fewer bits, but of 0, are not asked for
 *  @param asked       bit b: nonempty[b] is asked for; all are with keys of 128 bits,
 *                     and full[0] is where nonempty[0] is
 *  @param seconds     as of rugi_sort_u64()
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_scan_u64(rug_context *ctx, rugi_key_counts *out, const uint64_t *keys,
                         size_t n, unsigned bits, unsigned least_bits, uint64_t asked,
                         double *seconds);
rug_status rugi_scan_u128(rug_context *ctx, rugi_key_counts *out, const rugi_u128 *keys,
                          size_t n, unsigned bits, unsigned least_bits, double *seconds);

/** The same from a bitmap.
 *  @param maps    [n_maps][words]: bit k % 64 of word k / 64 of any of them is set when
 *                 key k is there; the first one becomes the OR of all
 *  @param n_words of each map; a multiple of RUGI_BITMAP_STEP
 *  @param asked   bit b: the sets of b bits are asked for; others are not counted
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_scan_bitmap(rug_context *ctx, rugi_key_counts *out, uint64_t *maps,
                            size_t n_maps, size_t n_words, uint64_t asked,
                            double *seconds);

#endif
