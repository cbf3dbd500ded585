/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The least and the largest value, exactly, also of 64 bits. */

#include "dbc_plan.h"
#include "source_internal.h"
#include <math.h>

typedef struct extremes {
    rug_dtype dtype;
    uint64_t lo, hi;
    double real_lo, real_hi;
} extremes;

#define INTEGERS(type, flip)                                           \
    do {                                                               \
        type lo = ((const type *)cells)[0], hi = lo;                   \
        for (size_t i = 0; i < n; i++) {                               \
            type v = ((const type *)cells)[i];                         \
            lo = v < lo ? v : lo;                                      \
            hi = v > hi ? v : hi;                                      \
        }                                                              \
        uint64_t a = (uint64_t)lo + (flip), b = (uint64_t)hi + (flip); \
        s->lo = a < s->lo ? a : s->lo;                                 \
        s->hi = b > s->hi ? b : s->hi;                                 \
    } while (0)

#define REALS(type)                                   \
    for (size_t i = 0; i < n; i++) {                  \
        double v = (double)((const type *)cells)[i];  \
        if (!isfinite(v))                             \
            continue;                                 \
        s->real_lo = v < s->real_lo ? v : s->real_lo; \
        s->real_hi = v > s->real_hi ? v : s->real_hi; \
    }

static void see_segment(void *state, const void *cells, size_t n)
{
    extremes *s = state;
    switch (s->dtype) {
    case RUG_U8: INTEGERS(uint8_t, 0); break;
    case RUG_I8: INTEGERS(int8_t, 0x80); break;
    case RUG_U16: INTEGERS(uint16_t, 0); break;
    case RUG_I16: INTEGERS(int16_t, 0x8000); break;
    case RUG_U32: INTEGERS(uint32_t, 0); break;
    case RUG_I32: INTEGERS(int32_t, (uint64_t)1 << 31); break;
    case RUG_U64: INTEGERS(uint64_t, 0); break;
    case RUG_I64: INTEGERS(int64_t, (uint64_t)1 << 63); break;
    case RUG_F32: REALS(float) break;
    default: REALS(double) break;
    }
}

rug_status rugi_dbc_find_range(rug_context *ctx, rugi_dbc_range *out,
                               const rug_source *source, const rug_source *mask)
{
    size_t n_threads = (size_t)rug_context_threads(ctx);
    extremes *states = rug_context_allocate(ctx, n_threads, sizeof *states, "range");
    if (states == NULL)
        return RUG_E_NOMEM;
    const extremes none = {.dtype = rugi_segment_dtype(source->dtype),
                           .lo = UINT64_MAX,
                           .real_lo = INFINITY,
                           .real_hi = -INFINITY};
    for (size_t t = 0; t < n_threads; t++)
        states[t] = none;
    rug_status status =
        rugi_source_for_segments(ctx, source, mask, see_segment, states, sizeof *states);
    extremes all = none;
    for (size_t t = 0; t < n_threads && status == RUG_OK; t++) {
        all.lo = states[t].lo < all.lo ? states[t].lo : all.lo;
        all.hi = states[t].hi > all.hi ? states[t].hi : all.hi;
        all.real_lo = fmin(states[t].real_lo, all.real_lo);
        all.real_hi = fmax(states[t].real_hi, all.real_hi);
    }
    int some = all.real_lo <= all.real_hi;
    *out = (rugi_dbc_range){all.lo, all.hi, some ? all.real_lo + 0.0 : NAN,
                            some ? all.real_hi + 0.0 : NAN}; /* + 0.0 turns -0 into 0 */
    rug_context_release(ctx, states);
    return status;
}
