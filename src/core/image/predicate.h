/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A resolved foreground rule in the form that kernels compare with: one interval per
 * dtype.
 *
 * Integers: pixel is set when ((v - lo) mod 2^width <= span) != outside.
 * Floats:   inside:  lo <= v && v <= hi;  outside: v < lo || v > hi. NaN is never set.
 * RUG_BIT:  set_bit[v]. */

#ifndef RUGI_PREDICATE_H
#define RUGI_PREDICATE_H

#include <rugose/foreground.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rugi_predicate {
    int outside;
    uint64_t lo, span;       /* integers: two's complement, in the low bits */
    double real_lo, real_hi; /* floats: already representable in the dtype */
    uint8_t set_bit[2];
} rugi_predicate;

/** Whether a rule depends on the values of an image. */
static inline int rugi_rule_is_open(rug_foreground rule)
{
    return rule.kind == RUG_FOREGROUND_AUTO || rule.kind == RUG_FOREGROUND_OTSU ||
           rule.kind == RUG_FOREGROUND_OTSU_DARK;
}

/** Whether rules of a kind have a value: T or L. */
static inline int rugi_kind_has_value(rug_foreground_kind kind)
{
    return kind >= RUG_FOREGROUND_ABOVE && kind <= RUG_FOREGROUND_LABEL;
}

/** rug_source_resolve_foreground() of an image and a mask that are checked.
 *  @param mask  NULL: there is none
 *  @return RUG_OK, RUG_E_ARG (no rule), RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_image_resolve_foreground(rug_context *ctx, rug_foreground *out,
                                         const rug_image *image, const rug_image *mask,
                                         rug_foreground asked);

/** The rule that AUTO and OTSU come to where the range says it: of two-valued and flat images.
 *  @param out  on 0 its threshold is left to be found
 *  @return whether it is found */
int rugi_rule_of_range(rug_foreground *out, const rug_image_range *range,
                       rug_foreground asked);

/** Checks a rule of any kind, and makes its value the nearest double.
 *  @return RUG_OK, RUG_E_ARG (no rule) */
rug_status rugi_rule_take(rug_context *ctx, rug_foreground *own, rug_foreground given);

/** @param rule  resolved and checked: NONZERO, ABOVE, BELOW or LABEL */
rugi_predicate rugi_predicate_make(rug_dtype dtype, rug_foreground rule);

/** The predicate of a mask: pixels that are neither 0 nor NaN are inside. */
rugi_predicate rugi_predicate_of_mask(rug_dtype dtype);

/** 1 for each pixel that is set, else 0.
 *  @param dtype  of the predicate and the pixels
 *  @param pixels  n that lie side by side, of rugi_segment_dtype() (RUG_BIT unpacked) */
void rugi_predicate_flags(const rugi_predicate *p, rug_dtype dtype, uint8_t *out,
                          const void *pixels, size_t n);

/** 1 for each of n pixels from (z, y, x) on that is inside a 3D mask, else 0.
 *  @param n        at most RUGI_SEGMENT_PIXELS
 *  @param scratch  n pixels, aligned for each dtype
 *  @return out */
const uint8_t *rugi_mask_flags(const rug_image *mask, const size_t at[3], size_t n,
                               uint8_t *out, void *scratch);

#endif
