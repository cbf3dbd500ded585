/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Results of lacunarity: quotients of whole numbers, rounded once; and what a caller sees of
 * them. */

#include "lacunarity_result.h"
#include "core/context/names.h"
#include <math.h>

/* ---- Quotients of large whole numbers ---- */

/* Whole numbers below 2^512. With P positions, sums S1 of M and S2 of M^2: P < 2^63, S1 <
 * 2^126 and S2 < 2^190, so that what is divided stays below 2^256, and 2^384 shifted. */
#define LIMBS 8

typedef struct large {
    uint64_t limb[LIMBS]; /* the lowest first */
} large;

typedef rugi_lacunarity_u128 u128;

static large large_of(u128 low, uint64_t high)
{
    return (large){{(uint64_t)low, (uint64_t)(low >> 64), high}};
}

static large product(const large *a, const large *b)
{
    large out = {{0}};
    for (int i = 0; i < LIMBS; i++) {
        u128 carry = 0;
        for (int j = 0; i + j < LIMBS; j++) {
            carry += (u128)a->limb[i] * b->limb[j] + out.limb[i + j];
            out.limb[i + j] = (uint64_t)carry;
            carry >>= 64;
        }
    }
    return out;
}

/* Subtracts b from a. @return whether b was larger, and a has wrapped around */
static int subtract(large *a, const large *b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < LIMBS; i++) {
        u128 d = (u128)a->limb[i] - b->limb[i] - borrow;
        a->limb[i] = (uint64_t)d;
        borrow = (uint64_t)(d >> 64) & 1;
    }
    return borrow > 0;
}

static int bits_of(const large *a)
{
    for (int i = LIMBS - 1; i >= 0; i--)
        for (int b = 63; b >= 0; b--)
            if (a->limb[i] >> b & 1)
                return 64 * i + b + 1;
    return 0;
}

static large shifted(const large *a, int left)
{
    large out = {{0}};
    int limbs = left / 64, bits = left % 64;
    for (int i = LIMBS - 1; i >= limbs; i--) {
        out.limb[i] = a->limb[i - limbs] << bits;
        if (bits > 0 && i > limbs)
            out.limb[i] |= a->limb[i - limbs - 1] >> (64 - bits);
    }
    return out;
}

/* a / b, rounded to the nearest double: 64 or 65 bits of the quotient by long division, and
 * one more that says whether anything is left. */
static double quotient(large a, large b)
{
    int scale = 64 - bits_of(&a) + bits_of(&b);
    if (bits_of(&a) == 0)
        return 0;
    if (scale > 0)
        a = shifted(&a, scale);
    else
        b = shifted(&b, -scale);
    u128 q = 0;
    for (int k = 65; k >= 0; k--) {
        large step = shifted(&b, k), rest = a;
        if (subtract(&rest, &step))
            continue;
        a = rest;
        q |= (u128)1 << k;
    }
    q |= bits_of(&a) > 0;
    return ldexp((double)q, -scale);
}

/* ---- A size ---- */

void rugi_lacunarity_fill(rug_lacunarity_size *out, uint64_t size,
                          const rugi_lacunarity_sums *sums, int unit_exponent)
{
    *out = (rug_lacunarity_size){size, NAN, NAN, NAN, 0, RUG_LACUNARITY_NO_BOXES};
    if (sums == NULL || sums->positions == 0)
        return;
    large p = large_of(sums->positions, 0), s1 = large_of(sums->mass, 0);
    large s2 = large_of(sums->square, sums->square_high);
    large p_s2 = product(&p, &s2), s1_s1 = product(&s1, &s1), p_p = product(&p, &p);
    large spread = p_s2;
    subtract(&spread, &s1_s1); /* never negative: Cauchy and Schwarz */
    out->positions = sums->positions;
    out->mean = ldexp(quotient(s1, p), unit_exponent);
    out->variance = ldexp(quotient(spread, p_p), 2 * unit_exponent);
    out->status = sums->mass > 0 ? RUG_LACUNARITY_OK : RUG_LACUNARITY_EMPTY;
    if (sums->mass > 0)
        out->lacunarity = quotient(p_s2, s1_s1);
}

/* ---- What a caller sees ---- */

void rug_lacunarity_free(rug_lacunarity_result *result)
{
    if (result != NULL)
        rug_context_release(result->ctx, result);
}

const rug_lacunarity_facts *rug_lacunarity_get_facts(const rug_lacunarity_result *result)
{
    return result != NULL ? &result->facts : NULL;
}

const rug_lacunarity_size *rug_lacunarity_at(const rug_lacunarity_result *result,
                                             size_t i)
{
    return result != NULL && i < result->facts.n_sizes ? &result->sizes[i] : NULL;
}

const char *rug_lacunarity_boxes_name(rug_lacunarity_boxes boxes)
{
    static const char *const names[] = {"gliding", "fixed"};
    return RUGI_NAME(names, boxes);
}

const char *rug_lacunarity_status_name(rug_lacunarity_status status)
{
    static const char *const names[] = {"ok", "empty", "no boxes"};
    return RUGI_NAME(names, status);
}
