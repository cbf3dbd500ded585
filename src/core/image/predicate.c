/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Checks a foreground rule, and turns it into exact comparisons of each dtype. */

#include "predicate.h"
#include "image_internal.h"
#include "whole.h"
#include <assert.h>
#include <float.h>
#include <math.h>

rug_status rugi_rule_take(rug_context *ctx, rug_foreground *own, rug_foreground given)
{
    *own = given;
    if ((unsigned)given.kind > RUG_FOREGROUND_OTSU_DARK)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "foreground kind %d given, 0..%d expected",
                                (int)given.kind, RUG_FOREGROUND_OTSU_DARK);
    if (!rugi_kind_has_value(given.kind))
        return RUG_OK;
    if (isnan(given.value))
        return rug_context_fail(ctx, RUG_E_ARG, "foreground: threshold NaN given");
    rugi_whole t;
    if (given.rest == 0)
        return RUG_OK;
    if (!rugi_whole_of(&t, given.value, given.rest))
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "foreground: threshold %g with a rest of %lld given; with a rest the sum is a "
            "whole number of 64 bits",
            given.value, (long long)given.rest);
    own->value = rugi_whole_split(t, &own->rest);
    return RUG_OK;
}

/* The values of an integer dtype. */
typedef struct int_domain {
    int64_t min;
    uint64_t max;
    uint64_t lo, span; /* all of them, as an interval */
} int_domain;

static int_domain domain_of(rug_dtype dtype)
{
    unsigned bits = (unsigned)rug_dtype_size(dtype) * 8;
    int is_signed =
        dtype == RUG_I8 || dtype == RUG_I16 || dtype == RUG_I32 || dtype == RUG_I64;
    uint64_t span = UINT64_MAX >> (64 - bits);
    if (!is_signed)
        return (int_domain){0, span, 0, span};
    return (int_domain){-(int64_t)(span / 2) - 1, span / 2, span / 2 + 1, span};
}

/* Where a whole number lies: -1 below the dtype's values, 0 among them, 1 above.
 * @param value, rest  of the number
 * @param bits         of the number among them */
static int side_of(int_domain d, double value, int64_t rest, uint64_t *bits)
{
    rugi_whole t;
    if (!rugi_whole_of(&t, value, rest)) /* so there is no rest */
        return value < 0 ? -1 : 1;
    *bits = t.bits & d.span;
    if (t.is_negative)
        return (int64_t)t.bits < d.min ? -1 : 0;
    return t.bits > d.max;
}

static rugi_predicate integer_above(int_domain d, rug_foreground rule)
{
    uint64_t lo;
    int side = side_of(d, ceil(rule.value), rule.rest, &lo);
    if (side > 0) /* none: outside of everything */
        return (rugi_predicate){.outside = 1, .lo = d.lo, .span = d.span};
    if (side < 0)
        return (rugi_predicate){.lo = d.lo, .span = d.span};
    return (rugi_predicate){.lo = lo, .span = (d.max - lo) & d.span};
}

static rugi_predicate integer_equal(int_domain d, double value, int64_t rest)
{
    uint64_t lo;
    if (value < ceil(value) || side_of(d, value, rest, &lo) != 0)
        return (rugi_predicate){.outside = 1, .lo = d.lo, .span = d.span};
    return (rugi_predicate){.lo = lo, .span = 0};
}

static rugi_predicate make_integer(rug_dtype dtype, rug_foreground rule)
{
    int_domain d = domain_of(dtype);
    rugi_predicate p;
    switch (rule.kind) {
    case RUG_FOREGROUND_ABOVE: return integer_above(d, rule);
    case RUG_FOREGROUND_LABEL: return integer_equal(d, rule.value, rule.rest);
    case RUG_FOREGROUND_BELOW: p = integer_above(d, rule); break;
    default: p = integer_equal(d, 0.0, 0); break;
    }
    p.outside = !p.outside;
    return p;
}

/* The least value of the dtype that is >= v. */
static double round_up(rug_dtype dtype, double v)
{
    if (dtype == RUG_F64 || isinf(v))
        return v;
    if (v > (double)FLT_MAX)
        return INFINITY;
    float f = v < -(double)FLT_MAX ? -FLT_MAX : (float)v;
    return (double)f >= v ? (double)f : (double)nextafterf(f, INFINITY);
}

static rugi_predicate make_real(rug_dtype dtype, rug_foreground rule)
{
    double v = rule.value;
    switch (rule.kind) {
    case RUG_FOREGROUND_ABOVE:
        return (rugi_predicate){.real_lo = round_up(dtype, v), .real_hi = INFINITY};
    case RUG_FOREGROUND_BELOW:
        return (rugi_predicate){
            .outside = 1, .real_lo = round_up(dtype, v), .real_hi = INFINITY};
    case RUG_FOREGROUND_LABEL:
        if (round_up(dtype, v) != v) /* no pixel can be equal: an empty interval */
            return (rugi_predicate){.real_lo = INFINITY, .real_hi = -INFINITY};
        return (rugi_predicate){.real_lo = v, .real_hi = v};
    default: return (rugi_predicate){.outside = 1, .real_lo = 0.0, .real_hi = 0.0};
    }
}

/* Whether a value is set, by the rule's definition. */
static uint8_t is_set(rug_foreground rule, double v)
{
    switch (rule.kind) {
    case RUG_FOREGROUND_ABOVE: return v >= rule.value;
    case RUG_FOREGROUND_BELOW: return v < rule.value;
    case RUG_FOREGROUND_LABEL: return v == rule.value;
    default: return v != 0.0;
    }
}

rugi_predicate rugi_predicate_make(rug_dtype dtype, rug_foreground rule)
{
    assert(!rugi_rule_is_open(rule));
    rugi_rule_take(NULL, &rule, rule);
    if (dtype == RUG_F32 || dtype == RUG_F64)
        return make_real(dtype, rule);
    if (dtype == RUG_BIT)
        return (rugi_predicate){.set_bit = {is_set(rule, 0.0), is_set(rule, 1.0)}};
    return make_integer(dtype, rule);
}

rugi_predicate rugi_predicate_of_mask(rug_dtype dtype)
{
    return rugi_predicate_make(dtype, (rug_foreground){RUG_FOREGROUND_NONZERO, 0, 0});
}

#define INTEGER_FLAGS(type)                                             \
    do {                                                                \
        const type *v = pixels, lo = (type)p->lo, span = (type)p->span; \
        uint8_t outside = p->outside != 0;                              \
        for (size_t i = 0; i < n; i++)                                  \
            out[i] = (uint8_t)((type)(v[i] - lo) <= span) ^ outside;    \
    } while (0)

#define REAL_FLAGS(type)                                                      \
    do {                                                                      \
        const type *v = pixels, lo = (type)p->real_lo, hi = (type)p->real_hi; \
        if (p->outside)                                                       \
            for (size_t i = 0; i < n; i++)                                    \
                out[i] = (v[i] < lo) | (v[i] > hi);                           \
        else                                                                  \
            for (size_t i = 0; i < n; i++)                                    \
                out[i] = (lo <= v[i]) & (v[i] <= hi);                         \
    } while (0)

void rugi_predicate_flags(const rugi_predicate *p, rug_dtype dtype, uint8_t *out,
                          const void *pixels, size_t n)
{
    switch (dtype) {
    case RUG_BIT:
        for (size_t i = 0; i < n; i++)
            out[i] = p->set_bit[((const uint8_t *)pixels)[i] & 1];
        break;
    case RUG_U8:
    case RUG_I8: INTEGER_FLAGS(uint8_t); break;
    case RUG_U16:
    case RUG_I16: INTEGER_FLAGS(uint16_t); break;
    case RUG_U32:
    case RUG_I32: INTEGER_FLAGS(uint32_t); break;
    case RUG_U64:
    case RUG_I64: INTEGER_FLAGS(uint64_t); break;
    case RUG_F32: REAL_FLAGS(float); break;
    default: REAL_FLAGS(double); break;
    }
}

const uint8_t *rugi_mask_flags(const rug_image *mask, const size_t at[3], size_t n,
                               uint8_t *out, void *scratch)
{
    rugi_predicate is_inside = rugi_predicate_of_mask(mask->dtype);
    rugi_predicate_flags(&is_inside, mask->dtype, out,
                         rugi_image_segment(mask, at, n, scratch), n);
    return out;
}

/* A row of flags from (z, y, 0) on. @param mask  NULL: there is none */
static void row_flags(uint8_t *out, const rug_image *image, const rugi_predicate *p,
                      const rug_image *mask, size_t z, size_t y, unsigned char *scratch)
{
    uint8_t *inside = scratch + RUGI_SEGMENT_PIXELS * sizeof(double);
    for (size_t x = 0, n; x < image->shape[2]; x += n) {
        const size_t at[3] = {z, y, x}, rest = image->shape[2] - x;
        n = rest < RUGI_SEGMENT_PIXELS ? rest : RUGI_SEGMENT_PIXELS;
        rugi_predicate_flags(p, image->dtype, out + x,
                             rugi_image_segment(image, at, n, scratch), n);
        if (mask == NULL)
            continue;
        rugi_mask_flags(mask, at, n, inside, scratch);
        for (size_t i = 0; i < n; i++)
            out[x + i] &= inside[i];
    }
}

static rug_status check_flags(rug_context *ctx, const uint8_t *out,
                              const rug_image *image, const rug_image *mask,
                              rug_foreground rule)
{
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_foreground_flags: NULL given");
    rug_status status = rugi_image_check(ctx, image);
    if (status == RUG_OK && mask != NULL)
        status = rugi_image_check_twin(ctx, mask, "mask", image);
    if (status == RUG_OK && rugi_rule_is_open(rule))
        status = rug_context_fail(
            ctx, RUG_E_ARG,
            "rug_foreground_flags: a rule that depends on the image given, a resolved one "
            "expected");
    return status;
}

rug_status rug_foreground_flags(rug_context *ctx, uint8_t *out, const rug_image *image,
                                const rug_image *mask, rug_foreground rule)
{
    rug_foreground own;
    rug_status status = check_flags(ctx, out, image, mask, rule);
    if (status == RUG_OK)
        status = rugi_rule_take(ctx, &own, rule);
    if (status != RUG_OK)
        return status;
    unsigned char *scratch =
        rug_context_allocate(ctx, RUGI_SEGMENT_PIXELS, sizeof(double) + 1, "foreground");
    if (scratch == NULL)
        return RUG_E_NOMEM;
    const rugi_predicate p = rugi_predicate_make(image->dtype, own);
    const rug_image whole = rugi_image_with_z(image);
    const rug_image inside = mask != NULL ? rugi_image_with_z(mask) : whole;
    for (size_t z = 0; z < whole.shape[0]; z++)
        for (size_t y = 0; y < whole.shape[1]; y++, out += whole.shape[2])
            row_flags(out, &whole, &p, mask != NULL ? &inside : NULL, z, y, scratch);
    rug_context_release(ctx, scratch);
    return RUG_OK;
}
