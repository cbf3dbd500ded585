/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The values of an image in parts, as their files see them. */

#ifndef RUGI_VALUES_STATE_H
#define RUGI_VALUES_STATE_H

#include "core/blocks/cover.h"
#include "core/image/histogram.h"
#include "core/image/image_internal.h"
#include "core/image/mass.h"
#include <float.h>
#include <rugose/values.h>

struct rug_values {
    rug_context *ctx;
    rug_dtype dtype;
    int ndim;
    size_t shape[3]; /* z y x; z = 1 for an image */
    int has_mask;
    int has_range;         /* more than 16 bits: of an earlier round, and not flat */
    rug_image_range range; /* has_range */
    rugi_cover cover;
    rugi_range_facts facts; /* more than 16 bits */
    rugi_histogram
        histogram;         /* 16 bits or less, or has_range; floats: always equal bins */
    rugi_octaves *octaves; /* floats */
};

static inline int rugi_values_is_real(rug_dtype dtype)
{
    return dtype == RUG_F32 || dtype == RUG_F64;
}

static inline int rugi_values_is_narrow(rug_dtype dtype)
{
    return rug_dtype_size(rugi_segment_dtype(dtype)) <= 2;
}

static inline int rugi_values_has_histogram(const rug_values *v)
{
    return v->has_range || rugi_values_is_narrow(v->dtype);
}

/** Whether pixels of more than 16 bits can have a value. */
static inline int rugi_values_is_possible(rug_dtype dtype, rugi_exact e)
{
    rugi_whole whole;
    if (rugi_values_is_real(dtype))
        return e.rest == 0 && isfinite(e.value) &&
               (dtype == RUG_F64 || fabs(e.value) <= (double)FLT_MAX);
    if (!rugi_whole_of(&whole, e.value, e.rest))
        return 0;
    switch (dtype) {
    case RUG_U32: return !whole.is_negative && whole.bits <= UINT32_MAX;
    case RUG_I32: return e.rest == 0 && e.value >= INT32_MIN && e.value <= INT32_MAX;
    case RUG_U64: return !whole.is_negative;
    default: return whole.is_negative || whole.bits <= INT64_MAX;
    }
}

#endif
