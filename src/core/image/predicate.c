/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Turns a foreground rule, whose threshold is a double, into exact comparisons of each
 * dtype. */

#include "predicate.h"
#include "image_internal.h"
#include <assert.h>
#include <float.h>
#include <math.h>

/* The values of an integer dtype, as doubles: [min, end). */
typedef struct int_domain {
    double min, end;
    uint64_t lo, span; /* all of them, as an interval */
} int_domain;

static int_domain domain_of(rug_dtype dtype)
{
    unsigned bits = (unsigned)rug_dtype_size(dtype) * 8;
    int is_signed =
        dtype == RUG_I8 || dtype == RUG_I16 || dtype == RUG_I32 || dtype == RUG_I64;
    uint64_t span = UINT64_MAX >> (64 - bits);
    double half = ldexp(1.0, (int)bits - 1);
    int_domain d = {0.0, 2 * half, 0, span};
    if (is_signed) {
        d.min = -half;
        d.end = half;
        d.lo = span / 2 + 1;
    }
    return d;
}

/* An integral double of the domain as two's complement bits. */
static uint64_t bits_of(double v)
{
    return v < 0 ? (uint64_t)(int64_t)v : (uint64_t)v;
}

static rugi_predicate integer_above(int_domain d, double threshold)
{
    double t = ceil(threshold);
    if (t >= d.end) /* none: outside of everything */
        return (rugi_predicate){.outside = 1, .lo = d.lo, .span = d.span};
    if (t <= d.min)
        return (rugi_predicate){.lo = d.lo, .span = d.span};
    uint64_t lo = bits_of(t) & d.span;
    uint64_t max = (d.lo + d.span) & d.span;
    return (rugi_predicate){.lo = lo, .span = (max - lo) & d.span};
}

static rugi_predicate integer_equal(int_domain d, double value)
{
    if (!(value >= d.min && value < d.end) || value != floor(value))
        return (rugi_predicate){.outside = 1, .lo = d.lo, .span = d.span};
    return (rugi_predicate){.lo = bits_of(value) & d.span, .span = 0};
}

static rugi_predicate make_integer(rug_dtype dtype, rug_foreground rule)
{
    int_domain d = domain_of(dtype);
    rugi_predicate p;
    switch (rule.kind) {
    case RUG_FOREGROUND_ABOVE: return integer_above(d, rule.value);
    case RUG_FOREGROUND_LABEL: return integer_equal(d, rule.value);
    case RUG_FOREGROUND_BELOW: p = integer_above(d, rule.value); break;
    default: p = integer_equal(d, 0.0); break;
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
    assert(rule.kind != RUG_FOREGROUND_AUTO && rule.kind != RUG_FOREGROUND_OTSU);
    if (dtype == RUG_F32 || dtype == RUG_F64)
        return make_real(dtype, rule);
    if (dtype == RUG_BIT)
        return (rugi_predicate){.set_bit = {is_set(rule, 0.0), is_set(rule, 1.0)}};
    return make_integer(dtype, rule);
}

rugi_predicate rugi_predicate_of_mask(rug_dtype dtype)
{
    return rugi_predicate_make(dtype, (rug_foreground){RUG_FOREGROUND_NONZERO, 0});
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
