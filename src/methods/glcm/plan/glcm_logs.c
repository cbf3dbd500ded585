/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Logarithms of whole numbers in whole numbers: those of libraries of C differ in their last digits, and
 * so would the features from one processor to another. */

#include "core/context/context_internal.h"
#include "glcm_plan.h"
#include <math.h>

/* Entries of the tables at most: enough for the marginals of 65535 pairs. */
#define TABLE_MAX ((size_t)1 << 17)

#define ONE  ((rugi_glcm_u128)1 << RUGI_GLCM_LN_BITS)
#define LN_2 ((rugi_glcm_u128)0xb17217f7d << 64 | 0x1cf79abc9e3b3980)

/* The product of two numbers below 1. */
static rugi_glcm_u128 times(rugi_glcm_u128 a, rugi_glcm_u128 b)
{
    const int half = RUGI_GLCM_LN_BITS / 2;
    const rugi_glcm_u128 below = ((rugi_glcm_u128)1 << half) - 1;
    rugi_glcm_u128 a0 = a & below, a1 = a >> half, b0 = b & below, b1 = b >> half;
    return a1 * b1 + ((a1 * b0 + a0 * b1 + (a0 * b0 >> half)) >> half);
}

/* x / n for x < n < 2^64. */
static rugi_glcm_u128 fraction(uint64_t x, uint64_t n)
{
    rugi_glcm_u128 top = (rugi_glcm_u128)x << 64;
    const int rest = RUGI_GLCM_LN_BITS - 64;
    return (top / n) << rest | ((top % n) << rest) / n;
}

/* 2 atanh z, for small z. */
static rugi_glcm_u128 twice_atanh(rugi_glcm_u128 z)
{
    rugi_glcm_u128 square = times(z, z), sum = 0;
    for (uint64_t k = 1; z > 0; k += 2, z = times(z, square))
        sum += z / k;
    return 2 * sum;
}

rugi_glcm_u128 rugi_glcm_ln(uint64_t c)
{
    if (c < 2)
        return 0;
    int e = 0;
    while (c >> e > 1)
        e++;
    const uint64_t power = (uint64_t)1 << e;
    /* c is nearer to the power of two below it or to the one above it */
    if (c - power <= power / 2)
        return (rugi_glcm_u128)e * LN_2 + twice_atanh(fraction(c - power, c + power));
    return (rugi_glcm_u128)(e + 1) * LN_2 -
           twice_atanh(fraction(2 * power - c, 2 * power + c));
}

rugi_glcm_u128 rugi_glcm_share(rugi_glcm_u128 t, uint64_t n)
{
    const int rest = RUGI_GLCM_LN_BITS - RUGI_GLCM_T_BITS;
    return (t / n) << rest | ((t % n) << rest) / n;
}

/* c times its logarithm, to the nearest unit. */
static rugi_glcm_u128 t_of(uint64_t c, rugi_glcm_u128 ln)
{
    const int rest = RUGI_GLCM_LN_BITS - RUGI_GLCM_T_BITS;
    const rugi_glcm_u128 below = ((rugi_glcm_u128)1 << rest) - 1;
    rugi_glcm_u128 low = (rugi_glcm_u128)c * (uint64_t)(ln & below);
    return c * (ln >> rest) + ((low + (below + 1) / 2) >> rest);
}

rugi_glcm_u128 rugi_glcm_t_far(uint64_t c)
{
    return t_of(c, rugi_glcm_ln(c));
}

/* ln c of an odd number, from those of its neighbours: c^2 is (c - 1) (c + 1) (1 + 1 / (c^2 - 1)), and half of
 * the last logarithm is atanh(1 / d), d = 2 c^2 - 1. */
static rugi_glcm_u128 ln_between(uint64_t c, rugi_glcm_u128 before, rugi_glcm_u128 behind)
{
    const uint64_t d = 2 * c * c - 1;
    rugi_glcm_u128 sum = (before + behind) / 2, power = ONE / d;
    for (uint64_t k = 1; power > 0; k += 2, power = power / d / d)
        sum += power / k;
    return sum;
}

/* Those of all numbers below n: an even one has that of its half. */
static void fill_ln(rugi_glcm_u128 *ln, size_t n)
{
    ln[0] = ln[1] = 0;
    for (size_t c = 2; c < n; c++)
        ln[c] = c % 2 == 0 ? ln[c / 2] + LN_2
                           : ln_between(c, ln[c - 1], ln[(c + 1) / 2] + LN_2);
}

rug_status rugi_glcm_make_logs(rug_context *ctx, rugi_glcm_logs *out, uint64_t largest)
{
    size_t n = largest < TABLE_MAX - 1 ? (size_t)largest + 1 : TABLE_MAX;
    n = n < 256 ? 256 : n;
    *out = (rugi_glcm_logs){.n = n};
    out->t = rug_context_allocate(ctx, n, sizeof *out->t, "a table of logarithms");
    out->step = rug_context_allocate(ctx, n, sizeof *out->step, "a table of logarithms");
    rugi_glcm_u128 *ln =
        rug_context_allocate(ctx, n + 1, sizeof *ln, "a table of logarithms");
    if (out->t == NULL || out->step == NULL || ln == NULL) {
        rug_context_release(ctx, ln);
        return RUG_E_NOMEM;
    }
    fill_ln(ln, n + 1);
    uint64_t last = 0;
    for (size_t c = 0; c < n; c++) {
        uint64_t next = (uint64_t)t_of(c + 1, ln[c + 1]);
        out->t[c] = last;
        out->step[c] = next - last;
        last = next;
    }
    rug_context_release(ctx, ln);
    return RUG_OK;
}
