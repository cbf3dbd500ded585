/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From values to keys and back. */

#ifndef RUGI_DBC_KEYS_H
#define RUGI_DBC_KEYS_H

#include "dbc_plan.h"
#include <math.h>

/** Key i of a row. */
static inline uint64_t rugi_dbc_key_at(const void *keys, unsigned key_bytes, size_t i)
{
    switch (key_bytes) {
    case 1: return ((const uint8_t *)keys)[i];
    case 2: return ((const uint16_t *)keys)[i];
    case 4: return ((const uint32_t *)keys)[i];
    default: return ((const uint64_t *)keys)[i];
    }
}

/** How many pixels were seen. */
typedef struct rugi_dbc_seen {
    uint64_t n_pixels;   /* inside the mask */
    uint64_t n_left_out; /* of these, NaN or infinite */
} rugi_dbc_seen;

/** Makes the keys of n pixels that lie side by side, of plan->key_bytes bytes. A pixel that is
 *  ignored becomes an empty range: its key in lo is the largest number, that in hi is 0.
 *  @param lo, hi  the same memory unless plan->may_be_empty
 *  @param pixels  of rugi_segment_dtype()
 *  @param inside  flags of the mask; NULL: all pixels are inside
 *  @param seen    added to */
void rugi_dbc_keys(const rugi_dbc_plan *plan, void *lo, void *hi, const void *pixels,
                   size_t n, const uint8_t *inside, rugi_dbc_seen *seen);

static inline int rugi_dbc_is_signed(rug_dtype dtype)
{
    return dtype == RUG_I8 || dtype == RUG_I16 || dtype == RUG_I32 || dtype == RUG_I64;
}

/** The key of a float that stands for an integer. @return 0: the dtype does not hold it */
static inline int rugi_dbc_whole_key(uint64_t *key, rug_dtype dtype, double v)
{
    int bits = (int)(8 * rug_dtype_size(dtype)), has_sign = rugi_dbc_is_signed(dtype);
    double least = has_sign ? -ldexp(1, bits - 1) : 0;
    if (!(v >= least && v < least + ldexp(1, bits) && v <= floor(v)))
        return 0;
    uint64_t size = (uint64_t)fabs(v), half = (uint64_t)1 << (bits - 1);
    *key = !has_sign ? size : v < 0 ? half - size : half + size;
    return 1;
}

/** The value of a key of an integer dtype. */
double rugi_dbc_value(rug_dtype dtype, uint64_t key);

#endif
