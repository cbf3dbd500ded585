/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From values to keys and back. Unsigned integers are their own keys, of signed ones the
 * sign is flipped, and floats become numbers of boxes of the smallest size, by two
 * operations that are rounded alike everywhere. */

#include "dbc_keys.h"
#include <math.h>

double rugi_dbc_value(rug_dtype dtype, uint64_t key)
{
    if (!rugi_dbc_is_signed(dtype))
        return (double)key;
    uint64_t half = (uint64_t)1 << (rug_dtype_size(dtype) * 8 - 1);
    return key >= half ? (double)(key - half) : -(double)(half - key);
}

#define KEYS(type, key_type, flip) \
    for (size_t i = 0; i < n; i++) \
    ((key_type *)lo)[i] =          \
        (key_type)((key_type)((const type *)pixels)[i] ^ (key_type)(flip))

static void keys_of_integers(rug_dtype dtype, void *lo, const void *pixels, size_t n)
{
    switch (rugi_segment_dtype(dtype)) {
    case RUG_U8: KEYS(uint8_t, uint8_t, 0); break;
    case RUG_I8: KEYS(int8_t, uint8_t, 0x80); break;
    case RUG_U16: KEYS(uint16_t, uint16_t, 0); break;
    case RUG_I16: KEYS(int16_t, uint16_t, 0x8000); break;
    case RUG_U32: KEYS(uint32_t, uint32_t, 0); break;
    case RUG_I32: KEYS(int32_t, uint32_t, (uint32_t)1 << 31); break;
    case RUG_U64: KEYS(uint64_t, uint64_t, 0); break;
    default: KEYS(int64_t, uint64_t, (uint64_t)1 << 63); break;
    }
}

/* Copies the keys in lo to hi, and makes the range of pixels outside the mask empty. */
#define SPREAD(key_type)                                \
    for (size_t i = 0; i < n; i++) {                    \
        key_type v = ((key_type *)lo)[i];               \
        int keep = inside == NULL || inside[i];         \
        ((key_type *)lo)[i] = keep ? v : (key_type)-1;  \
        ((key_type *)hi)[i] = (key_type)(keep ? v : 0); \
    }

static void spread(unsigned key_bytes, void *lo, void *hi, size_t n,
                   const uint8_t *inside)
{
    switch (key_bytes) {
    case 1: SPREAD(uint8_t); break;
    case 2: SPREAD(uint16_t); break;
    case 4: SPREAD(uint32_t); break;
    default: SPREAD(uint64_t); break;
    }
}

/* floor((v - base) / G * M). */
static uint64_t key_of(const rugi_dbc_plan *p, double v)
{
    if (!(p->real_levels > 0))
        return 0;
    return (uint64_t)((p->scale * v - p->real_base) / p->real_levels *
                      (double)p->longest);
}

#define REAL_KEYS(type, key_type)                                  \
    for (size_t i = 0; i < n; i++) {                               \
        double v = (double)((const type *)pixels)[i];              \
        int keep = inside == NULL || inside[i];                    \
        n_left_out += keep && !isfinite(v);                        \
        keep = keep && isfinite(v);                                \
        uint64_t key = keep ? key_of(plan, v) : 0;                 \
        ((key_type *)lo)[i] = keep ? (key_type)key : (key_type)-1; \
        ((key_type *)hi)[i] = (key_type)key;                       \
    }

static uint64_t keys_of_reals(const rugi_dbc_plan *plan, void *lo, void *hi,
                              const void *pixels, size_t n, const uint8_t *inside)
{
    uint64_t n_left_out = 0;
    if (plan->dtype == RUG_F32 && plan->key_bytes == 4) {
        REAL_KEYS(float, uint32_t)
    } else if (plan->dtype == RUG_F32) {
        REAL_KEYS(float, uint64_t)
    } else if (plan->key_bytes == 4) {
        REAL_KEYS(double, uint32_t)
    } else {
        REAL_KEYS(double, uint64_t)
    }
    return n_left_out;
}

#define STORE_KEY(key_type)                                 \
    do {                                                    \
        ((key_type *)lo)[i] = (key_type)(keep ? key : max); \
        ((key_type *)hi)[i] = (key_type)(keep ? key : 0);   \
    } while (0)

/* Keys of floats that stand for integers. */
static uint64_t keys_of_whole(const rugi_dbc_plan *plan, void *lo, void *hi,
                              const void *pixels, size_t n, const uint8_t *inside)
{
    const uint64_t max = UINT64_MAX;
    uint64_t n_left_out = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t key = 0;
        double v = plan->is_single ? (double)((const float *)pixels)[i]
                                   : ((const double *)pixels)[i];
        int is_held = rugi_dbc_whole_key(&key, plan->dtype, v);
        int is_inside = inside == NULL || inside[i], keep = is_held && is_inside;
        n_left_out += is_inside && !is_held;
        switch (plan->key_bytes) {
        case 1: STORE_KEY(uint8_t); break;
        case 2: STORE_KEY(uint16_t); break;
        case 4: STORE_KEY(uint32_t); break;
        default: STORE_KEY(uint64_t); break;
        }
    }
    return n_left_out;
}

void rugi_dbc_keys(const rugi_dbc_plan *plan, void *lo, void *hi, const void *pixels,
                   size_t n, const uint8_t *inside, rugi_dbc_seen *seen)
{
    seen->n_pixels += n;
    for (size_t i = 0; inside != NULL && i < n; i++)
        seen->n_pixels -= inside[i] == 0;
    if (plan->is_real) {
        seen->n_left_out += keys_of_reals(plan, lo, hi, pixels, n, inside);
        return;
    }
    if (plan->is_whole) {
        seen->n_left_out += keys_of_whole(plan, lo, hi, pixels, n, inside);
        return;
    }
    keys_of_integers(plan->dtype, lo, pixels, n);
    if (plan->may_be_empty)
        spread(plan->key_bytes, lo, hi, n, inside);
}
