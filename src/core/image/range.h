/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the range of some pixels says, in a form that adds up. */

#ifndef RUGI_RANGE_H
#define RUGI_RANGE_H

#include "whole.h"
#include <math.h>
#include <rugose/source.h>
#include <stdint.h>
#include <string.h>

/** A value: a double, and what a 64-bit integer has more. */
typedef struct rugi_exact {
    double value;
    int64_t rest;
} rugi_exact;

static inline int rugi_exact_is_less(rugi_exact a, rugi_exact b)
{
    return a.value < b.value || (a.value <= b.value && a.rest < b.rest);
}

/** What a value is in a set: an integer modulo 2^64, the bits of a real, where 0 has but one
 *  sign. */
static inline uint64_t rugi_key_of(rugi_exact v, rug_dtype dtype)
{
    uint64_t bits;
    if (dtype != RUG_F32 && dtype != RUG_F64)
        return rugi_whole_wrap(v.value) + (uint64_t)v.rest;
    v.value += 0.0; /* -0 is 0 */
    memcpy(&bits, &v.value, sizeof bits);
    return bits;
}

/** A small sorted set of distinct values, by key. */
typedef struct rugi_distinct {
    uint32_t n;
    int overflow; /* more values were seen than fit */
    uint64_t key[RUG_DISTINCT_MAX];
} rugi_distinct;

/** Of no pixels, or of some. */
typedef struct rugi_range_facts {
    rugi_exact min, max; /* of finite values; min > max: there are none */
    uint64_t n_nan, n_infinite;
    rugi_distinct distinct; /* finite values */
} rugi_range_facts;

/** Those of no pixels. */
#define RUGI_RANGE_FACTS_INIT                \
    {                                        \
        {INFINITY, 0}, {-INFINITY, 0}, 0, 0, \
        {                                    \
            0, 0,                            \
            {                                \
                0                            \
            }                                \
        }                                    \
    }

/** Adds those of other pixels. */
void rugi_range_merge(rugi_range_facts *out, const rugi_range_facts *other);

/** The range that they say. */
rug_image_range rugi_range_of_facts(const rugi_range_facts *facts);

/** Measures them.
 *  @param source, mask  checked
 *  @param out  written on RUG_OK */
rug_status rugi_range_measure(rug_context *ctx, rugi_range_facts *out,
                              const rug_source *source, const rug_source *mask);

#endif
