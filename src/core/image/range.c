/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The range of the values of an image or a source: least, largest, how many are not numbers, how
 * many are distinct. */

#include "core/context/context_internal.h"
#include "core/context/sized.h"
#include "core/context/threads.h"
#include "range_kernels.h"
#include "source_internal.h"
#include "whole.h"
#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* Independent minima and maxima of floats, whose order compilers must keep otherwise: so
 * they stay in vector registers. */
#define LANES 16

/* Values that are remembered, so that they need not be searched for again: so many that few of
 * RUG_DISTINCT_MAX share a slot. */
#define LATELY_BITS 12
#define LATELY      ((size_t)1 << LATELY_BITS)

/* A small sorted set of distinct values, by key: an integer modulo 2^64, the bits of a real. */
typedef struct distinct_set {
    uint32_t n;
    int overflow; /* more values were seen than fit */
    uint64_t key[RUG_DISTINCT_MAX];
} distinct_set;

/* A value: a double, and what a 64-bit integer has more. */
typedef struct exact {
    double value;
    int64_t rest;
} exact;

typedef struct range_state {
    rug_dtype dtype;
    exact min, max; /* of the pixels seen; min > max: none yet */
    uint64_t n_nan, n_infinite;
    exact whole_min, whole_max; /* second pass: of the whole image */
    atomic_int *crowded;        /* second pass: set once any thread's set overflows */
    uint64_t lately[LATELY];    /* bits of values that went to the set, by slot_of() */
    uint8_t lately_used[LATELY];
    distinct_set distinct;
    rugi_range_kernels kernels;
    uint8_t seen[RUGI_SEEN_BYTES_16]; /* values of 8 and 16 bits, as unsigned numbers */
    uint32_t n_seen;                  /* of 16 bits */
} range_state;

static int is_less(exact a, exact b)
{
    return a.value < b.value || (a.value <= b.value && a.rest < b.rest);
}

static void widen(range_state *s, exact min, exact max)
{
    s->min = is_less(min, s->min) ? min : s->min;
    s->max = is_less(s->max, max) ? max : s->max;
}

static inline exact exact_real(double v)
{
    return (exact){v, 0};
}

static inline exact exact_whole(rugi_whole v)
{
    exact e;
    e.value = rugi_whole_split(v, &e.rest);
    return e;
}

#define EXACT_SIGNED(v)   exact_whole(rugi_whole_signed(v))
#define EXACT_UNSIGNED(v) exact_whole(rugi_whole_unsigned(v))

#define DEFINE_INTEGER_EXTREMES(name, type, as_exact)                    \
    static void extremes_##name(range_state *s, const type *v, size_t n) \
    {                                                                    \
        type lo = v[0], hi = v[0];                                       \
        for (size_t i = 0; i < n; i++) {                                 \
            lo = v[i] < lo ? v[i] : lo;                                  \
            hi = v[i] > hi ? v[i] : hi;                                  \
        }                                                                \
        widen(s, as_exact(lo), as_exact(hi));                            \
    }

#define DEFINE_REAL_EXTREMES(name, type)                                     \
    static void extremes_##name(range_state *s, const type *v, size_t n)     \
    {                                                                        \
        type lo[LANES], hi[LANES];                                           \
        for (int j = 0; j < LANES; j++)                                      \
            lo[j] = hi[j] = v[0];                                            \
        size_t i = 0;                                                        \
        for (; i + LANES <= n; i += LANES)                                   \
            for (int j = 0; j < LANES; j++) {                                \
                lo[j] = v[i + (size_t)j] < lo[j] ? v[i + (size_t)j] : lo[j]; \
                hi[j] = v[i + (size_t)j] > hi[j] ? v[i + (size_t)j] : hi[j]; \
            }                                                                \
        for (; i < n; i++) {                                                 \
            lo[0] = v[i] < lo[0] ? v[i] : lo[0];                             \
            hi[0] = v[i] > hi[0] ? v[i] : hi[0];                             \
        }                                                                    \
        for (int j = 0; j < LANES; j++)                                      \
            widen(s, exact_real((double)lo[j]), exact_real((double)hi[j]));  \
    }

DEFINE_INTEGER_EXTREMES(u32, uint32_t, EXACT_UNSIGNED)
DEFINE_INTEGER_EXTREMES(i32, int32_t, EXACT_SIGNED)
DEFINE_INTEGER_EXTREMES(u64, uint64_t, EXACT_UNSIGNED)
DEFINE_INTEGER_EXTREMES(i64, int64_t, EXACT_SIGNED)
DEFINE_REAL_EXTREMES(f32, float)
DEFINE_REAL_EXTREMES(f64, double)

/* Pixels whose exponent bits are all ones are NaN or infinite. */
static size_t count_special_f32(const float *v, size_t n)
{
    uint32_t bits, count = 0;
    for (size_t i = 0; i < n; i++) {
        memcpy(&bits, v + i, sizeof bits);
        count += (bits & 0x7f800000u) == 0x7f800000u;
    }
    return count;
}

static size_t count_special_f64(const double *v, size_t n)
{
    uint64_t bits, count = 0;
    for (size_t i = 0; i < n; i++) {
        memcpy(&bits, v + i, sizeof bits);
        count += (bits & 0x7ff0000000000000u) == 0x7ff0000000000000u;
    }
    return (size_t)count;
}

static void extremes_one_by_one(range_state *s, double v)
{
    if (isnan(v))
        s->n_nan++;
    else if (isinf(v))
        s->n_infinite++;
    else
        widen(s, exact_real(v), exact_real(v));
}

static void range_segment(void *state, const void *pixels, size_t n)
{
    range_state *s = state;
    switch (s->dtype) {
    case RUG_U32: extremes_u32(s, pixels, n); break;
    case RUG_I32: extremes_i32(s, pixels, n); break;
    case RUG_U64: extremes_u64(s, pixels, n); break;
    case RUG_I64: extremes_i64(s, pixels, n); break;
    case RUG_F32:
        if (count_special_f32(pixels, n) == 0)
            extremes_f32(s, pixels, n);
        else
            for (size_t i = 0; i < n; i++)
                extremes_one_by_one(s, (double)((const float *)pixels)[i]);
        break;
    default:
        if (count_special_f64(pixels, n) == 0)
            extremes_f64(s, pixels, n);
        else
            for (size_t i = 0; i < n; i++)
                extremes_one_by_one(s, ((const double *)pixels)[i]);
        break;
    }
}

static void distinct_add(distinct_set *set, uint64_t key)
{
    uint32_t lo = 0, hi = set->n;
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (set->key[mid] < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo < set->n && set->key[lo] == key)
        return;
    if (set->n == RUG_DISTINCT_MAX) {
        set->overflow = 1;
        return;
    }
    memmove(set->key + lo + 1, set->key + lo, (set->n - lo) * sizeof set->key[0]);
    set->key[lo] = key;
    set->n++;
}

static inline uint64_t key_of_real(double v)
{
    uint64_t bits;
    v += 0.0; /* -0 is 0 */
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static uint64_t key_of(exact v, rug_dtype dtype)
{
    return dtype == RUG_F32 || dtype == RUG_F64
               ? key_of_real(v.value)
               : rugi_whole_wrap(v.value) + (uint64_t)v.rest;
}

/* Where a value's bits are remembered (Fibonacci hashing). */
static inline size_t slot_of(uint64_t bits)
{
    return (size_t)(bits * 0x9e3779b97f4a7c15u >> (64 - LATELY_BITS));
}

/* Most images worth a box count are two-valued: one vector pass finds out. Else each value
 * that was not seen lately goes to the set. */
#define DEFINE_DISTINCT(name, type, flag, from_exact, is_finite, to_key)   \
    static void distinct_##name(range_state *s, const type *v, size_t n)   \
    {                                                                      \
        type lo = (type)from_exact(s->whole_min);                          \
        type hi = (type)from_exact(s->whole_max);                          \
        flag others = 0; /* as wide as a pixel, for vectors */             \
        for (size_t i = 0; i < n; i++)                                     \
            others = (flag)(others | (flag)((v[i] != lo) & (v[i] != hi))); \
        for (size_t i = 0; i < n && others > 0; i++) {                     \
            uint64_t bits = 0;                                             \
            memcpy(&bits, v + i, sizeof v[i]);                             \
            size_t slot = slot_of(bits);                                   \
            if (s->lately[slot] == bits && s->lately_used[slot])           \
                continue;                                                  \
            s->lately[slot] = bits;                                        \
            s->lately_used[slot] = 1;                                      \
            if (is_finite(v[i]))                                           \
                distinct_add(&s->distinct, to_key(v[i]));                  \
            if (s->distinct.overflow)                                      \
                return;                                                    \
        }                                                                  \
    }

#define REAL_OF(e)      ((e).value)
#define WHOLE_OF(e)     (rugi_whole_wrap((e).value) + (uint64_t)(e).rest)
#define ALWAYS(v)       1
#define IS_FINITE(v)    isfinite((double)(v))
#define SIGNED_KEY(v)   ((uint64_t)(int64_t)(v))
#define UNSIGNED_KEY(v) ((uint64_t)(v))
#define REAL_KEY(v)     key_of_real((double)(v))

DEFINE_DISTINCT(u32, uint32_t, uint32_t, WHOLE_OF, ALWAYS, UNSIGNED_KEY)
DEFINE_DISTINCT(i32, int32_t, uint32_t, WHOLE_OF, ALWAYS, SIGNED_KEY)
DEFINE_DISTINCT(u64, uint64_t, uint64_t, WHOLE_OF, ALWAYS, UNSIGNED_KEY)
DEFINE_DISTINCT(i64, int64_t, uint64_t, WHOLE_OF, ALWAYS, SIGNED_KEY)
DEFINE_DISTINCT(f32, float, uint32_t, REAL_OF, IS_FINITE, REAL_KEY)
DEFINE_DISTINCT(f64, double, uint64_t, REAL_OF, IS_FINITE, REAL_KEY)

static void distinct_segment(void *state, const void *pixels, size_t n)
{
    range_state *s = state;
    if (atomic_load_explicit(s->crowded, memory_order_relaxed))
        return;
    switch (s->dtype) {
    case RUG_U32: distinct_u32(s, pixels, n); break;
    case RUG_I32: distinct_i32(s, pixels, n); break;
    case RUG_U64: distinct_u64(s, pixels, n); break;
    case RUG_I64: distinct_i64(s, pixels, n); break;
    case RUG_F32: distinct_f32(s, pixels, n); break;
    default: distinct_f64(s, pixels, n); break;
    }
    if (s->distinct.overflow)
        atomic_store_explicit(s->crowded, 1, memory_order_relaxed);
}

/* Both at once, for a source whose every pass is decoded anew. The least and the largest
 * value so far take the place of those of the whole. */
static void range_and_distinct_segment(void *state, const void *pixels, size_t n)
{
    range_state *s = state;
    range_segment(s, pixels, n);
    if (is_less(s->max, s->min))
        return;
    s->whole_min = s->min;
    s->whole_max = s->max;
    distinct_add(&s->distinct, key_of(s->min, s->dtype));
    distinct_add(&s->distinct, key_of(s->max, s->dtype));
    distinct_segment(s, pixels, n);
}

static void merge_extremes(rug_image_range *out, const range_state *states, int n_states)
{
    exact min = states[0].min, max = states[0].max;
    for (int t = 0; t < n_states; t++) {
        min = is_less(states[t].min, min) ? states[t].min : min;
        max = is_less(max, states[t].max) ? states[t].max : max;
        out->n_nan += states[t].n_nan;
        out->n_infinite += states[t].n_infinite;
    }
    int some = !is_less(max, min);
    out->min = some ? min.value + 0.0 : NAN; /* + 0.0 turns -0 into 0 */
    out->max = some ? max.value + 0.0 : NAN;
    out->min_rest = min.rest;
    out->max_rest = max.rest;
    out->n_distinct = some ? is_less(min, max) ? 2 : 1 : 0;
}

/* ---- Pixels of 8 and 16 bits: all in one pass ---- */

static int is_narrow(rug_dtype dtype)
{
    return rug_dtype_size(dtype) <= 2;
}

/* A value of 8 or 16 bits of the state's dtype, from its bits. */
static exact exact_narrow(rug_dtype dtype, uint32_t bits)
{
    switch (dtype) {
    case RUG_I8: return exact_real((double)(bits < 0x80 ? (int)bits : (int)bits - 0x100));
    case RUG_I16:
        return exact_real((double)(bits < 0x8000 ? (int)bits : (int)bits - 0x10000));
    default: return exact_real((double)bits);
    }
}

static void narrow_segment(void *state, const void *pixels, size_t n)
{
    range_state *s = state;
    if (rug_dtype_size(s->dtype) == 1) {
        s->kernels.add_8(s->seen, pixels, n);
        return;
    }
    uint16_t flip = s->dtype == RUG_I16 ? 0x8000 : 0, ends[2];
    s->kernels.extremes_16(ends, pixels, n, flip);
    widen(s, exact_narrow(s->dtype, ends[0] ^ flip),
          exact_narrow(s->dtype, ends[1] ^ flip));
    if (atomic_load_explicit(s->crowded, memory_order_relaxed))
        return;
    s->n_seen += s->kernels.add_16(s->seen, pixels, n, RUG_DISTINCT_MAX - s->n_seen);
    if (s->n_seen > RUG_DISTINCT_MAX)
        atomic_store_explicit(s->crowded, 1, memory_order_relaxed);
}

/* The values that any state has seen. */
static void merge_narrow(rug_image_range *out, range_state *states, int n_states)
{
    rug_dtype dtype = states[0].dtype;
    size_t n_bytes = rug_dtype_size(dtype) == 1 ? RUGI_SEEN_BYTES_8 : RUGI_SEEN_BYTES_16;
    uint32_t n = 0;
    for (size_t b = 0; b < n_bytes; b++) {
        unsigned all = 0;
        for (int t = 0; t < n_states; t++)
            all |= states[t].seen[b];
        for (uint32_t v = (uint32_t)b * 8; all != 0; all >>= 1, v++)
            if (all & 1) {
                exact e = exact_narrow(dtype, v);
                widen(&states[0], e, e);
                n++;
            }
    }
    merge_extremes(out, states, n_states);
    int is_crowded = n > RUG_DISTINCT_MAX ||
                     atomic_load_explicit(states[0].crowded, memory_order_relaxed);
    out->n_distinct = is_crowded ? RUG_DISTINCT_MAX : n;
    out->distinct_is_min = is_crowded ? 1 : 0;
}

/* ---- The passes ---- */

static exact least_of(const rug_image_range *range)
{
    return (exact){range->min, range->min_rest};
}

static exact most_of(const rug_image_range *range)
{
    return (exact){range->max, range->max_rest};
}

static void merge_distinct(rug_image_range *out, range_state *states, int n_states)
{
    distinct_set all = {0};
    distinct_add(&all, key_of(least_of(out), states[0].dtype));
    distinct_add(&all, key_of(most_of(out), states[0].dtype));
    for (int t = 0; t < n_states; t++) {
        all.overflow |= states[t].distinct.overflow;
        for (uint32_t i = 0; i < states[t].distinct.n; i++)
            distinct_add(&all, states[t].distinct.key[i]);
    }
    out->n_distinct = all.overflow ? RUG_DISTINCT_MAX : all.n;
    out->distinct_is_min = all.overflow != 0;
}

static rug_status second_pass(rug_context *ctx, const rug_image_range *whole,
                              const rug_source *source, const rug_source *mask,
                              range_state *states)
{
    for (int t = 0; t < rug_context_threads(ctx); t++) {
        states[t].whole_min = least_of(whole);
        states[t].whole_max = most_of(whole);
    }
    rug_status status = RUG_OK;
    RUGI_PHASE(ctx, 0.5, 1, status,
               rugi_source_for_segments(ctx, source, mask, distinct_segment, states,
                                        sizeof *states));
    return status;
}

static rug_status measure(rug_context *ctx, rug_image_range *out,
                          const rug_source *source, const rug_source *mask,
                          range_state *states)
{
    int n_states = rug_context_threads(ctx);
    atomic_int crowded = 0;
    for (int t = 0; t < n_states; t++) {
        memset(states + t, 0, sizeof *states);
        states[t].dtype = rugi_segment_dtype(source->dtype);
        states[t].min = exact_real(INFINITY);
        states[t].max = exact_real(-INFINITY);
        states[t].crowded = &crowded;
        rugi_range_kernels_at(&states[t].kernels, rug_context_cpu_level(ctx));
    }
    if (is_narrow(states[0].dtype)) {
        rug_status done = rugi_source_for_segments(ctx, source, mask, narrow_segment,
                                                   states, sizeof *states);
        if (done == RUG_OK)
            merge_narrow(out, states, n_states);
        return done;
    }
    int in_memory = rugi_source_is_memory(source);
    rug_status status = RUG_OK;
    RUGI_PHASE(
        ctx, 0, in_memory ? 0.5 : 1, status,
        rugi_source_for_segments(ctx, source, mask,
                                 in_memory ? range_segment : range_and_distinct_segment,
                                 states, sizeof *states));
    if (status != RUG_OK)
        return status;
    merge_extremes(out, states, n_states);
    if (out->n_distinct < 2)
        return RUG_OK;
    if (in_memory)
        status = second_pass(ctx, out, source, mask, states);
    if (status == RUG_OK)
        merge_distinct(out, states, n_states);
    return status;
}

static rug_status measure_with_states(rug_context *ctx, rug_image_range *out,
                                      const rug_source *source, const rug_source *mask)
{
    range_state *states = rug_context_allocate(ctx, (size_t)rug_context_threads(ctx),
                                               sizeof *states, "range");
    if (states == NULL)
        return RUG_E_NOMEM;
    rug_status status = measure(ctx, out, source, mask, states);
    rug_context_release(ctx, states);
    return status;
}

/* Nanoseconds of work for each pixel: of up to 16 bits, and of more. */
#define NARROW_WORK 0.04
#define WIDE_WORK   0.5

rug_status rugi_source_range(rug_context *ctx, rug_image_range *out,
                             const rug_source *source, const rug_source *mask)
{
    double work = is_narrow(rugi_segment_dtype(source->dtype)) ? NARROW_WORK : WIDE_WORK;
    rug_image_range range = RUG_IMAGE_RANGE_INIT;
    rug_status status = RUG_OK;
    RUGI_WORK(ctx, work * rugi_source_pixels(source), status,
              measure_with_states(ctx, &range, source, mask));
    if (status == RUG_OK)
        *out = range;
    return status;
}

rug_status rug_source_measure_range(rug_context *ctx, rug_image_range *out,
                                    const rug_source *source, const rug_source *mask)
{
    rug_status status = rugi_clear(ctx, out, "rug_image_range");
    if (ctx == NULL)
        return RUG_E_ARG;
    rug_source own, inside;
    if (status == RUG_OK)
        status = rugi_source_take(ctx, &own, source, "source");
    if (status == RUG_OK)
        status = rugi_twin_source_take(ctx, &inside, &mask, mask, "mask", &own);
    rug_image_range range;
    if (status == RUG_OK)
        status = rugi_source_range(ctx, &range, &own, mask);
    if (status == RUG_OK)
        RUGI_GIVE(out, &range);
    return status;
}

rug_status rug_image_measure_range(rug_context *ctx, rug_image_range *out,
                                   const rug_image *image)
{
    rug_status status = rugi_clear(ctx, out, "rug_image_range");
    if (status == RUG_OK)
        status = rugi_image_check(ctx, image);
    if (status != RUG_OK)
        return status;
    rug_source source = rugi_source_of_image(image);
    return rug_source_measure_range(ctx, out, &source, NULL);
}
