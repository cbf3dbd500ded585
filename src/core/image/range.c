/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The range of the values of an image or a source: least, largest, how many are not numbers, how
 * many are distinct. */

#include "range.h"
#include "core/context/context_internal.h"
#include "core/context/sized.h"
#include "core/context/threads.h"
#include "range_kernels.h"
#include "source_internal.h"
#include <math.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

typedef struct range_state {
    RUGI_OWN_LINES rug_dtype dtype;
    rugi_range_facts
        facts; /* values of up to 16 bits are in `seen` instead of `distinct` */
    atomic_int
        *crowded; /* set once any thread has seen more than RUG_DISTINCT_MAX values */
    rugi_range_kernels kernels;
    uint8_t seen[RUGI_SEEN_BYTES_16]; /* values of 8 and 16 bits, as unsigned numbers */
    uint32_t n_seen;                  /* of 16 bits */
    union {
        uint32_t of_32[RUGI_KNOWN];
        uint64_t of_64[RUGI_KNOWN];
    } known; /* bits of values in `facts.distinct`, by rugi_slot_of() */
} range_state;

static void widen(rugi_range_facts *f, rugi_exact min, rugi_exact max)
{
    f->min = rugi_exact_is_less(min, f->min) ? min : f->min;
    f->max = rugi_exact_is_less(f->max, max) ? max : f->max;
}

static inline rugi_exact exact_real(double v)
{
    return (rugi_exact){v, 0};
}

static inline rugi_exact exact_whole(rugi_whole v)
{
    rugi_exact e;
    e.value = rugi_whole_split(v, &e.rest);
    return e;
}

#define EXACT_SIGNED(v)   exact_whole(rugi_whole_signed(v))
#define EXACT_UNSIGNED(v) exact_whole(rugi_whole_unsigned(v))

static void see_real(range_state *s, double v)
{
    if (isnan(v))
        s->facts.n_nan++;
    else if (isinf(v))
        s->facts.n_infinite++;
    else
        widen(&s->facts, exact_real(v), exact_real(v));
}

/* Looks for the extremes alone. */
static void range_segment(range_state *s, const void *pixels, size_t n)
{
    double ends[2];
    uint64_t whole[2];
    switch (s->dtype) {
    case RUG_U32:
    case RUG_U64:
        s->kernels.extremes(whole, s->dtype, pixels, n);
        widen(&s->facts, EXACT_UNSIGNED(whole[0]), EXACT_UNSIGNED(whole[1]));
        return;
    case RUG_I32:
    case RUG_I64:
        s->kernels.extremes(whole, s->dtype, pixels, n);
        widen(&s->facts, EXACT_SIGNED((int64_t)whole[0]),
              EXACT_SIGNED((int64_t)whole[1]));
        return;
    case RUG_F32:
        if (s->kernels.extremes_f32(ends, pixels, n))
            widen(&s->facts, exact_real(ends[0]), exact_real(ends[1]));
        else
            for (size_t i = 0; i < n; i++)
                see_real(s, (double)((const float *)pixels)[i]);
        return;
    default:
        if (s->kernels.extremes_f64(ends, pixels, n))
            widen(&s->facts, exact_real(ends[0]), exact_real(ends[1]));
        else
            for (size_t i = 0; i < n; i++)
                see_real(s, ((const double *)pixels)[i]);
    }
}

static void distinct_add(rugi_distinct *set, uint64_t key)
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

/* ---- Pixels of 32 and 64 bits ----
 *
 * As long as there are few values, those that are known are passed over, whatever they are; only a new one
 * is looked at, which also widens the range. With many values only the range is left to be found. */

/* Pixels whose values are looked up at once. */
#define CHUNK 1024

/* Nothing is known: each slot has bits of another one. */
static void forget(range_state *s)
{
    memset(&s->known, 0, sizeof s->known);
    if (rug_dtype_size(s->dtype) == 4)
        s->known.of_32[rugi_slot_of(0)] = 1;
    else
        s->known.of_64[rugi_slot_of(0)] = 1;
}

static void know(range_state *s, uint64_t bits)
{
    if (rug_dtype_size(s->dtype) == 4)
        s->known.of_32[rugi_slot_of((uint32_t)bits)] = (uint32_t)bits;
    else
        s->known.of_64[rugi_slot_of((uint32_t)(bits ^ bits >> 32))] = bits;
}

static rugi_exact exact_of(rug_dtype dtype, const void *pixel)
{
    switch (dtype) {
    case RUG_U32: return EXACT_UNSIGNED(*(const uint32_t *)pixel);
    case RUG_I32: return EXACT_SIGNED(*(const int32_t *)pixel);
    case RUG_U64: return EXACT_UNSIGNED(*(const uint64_t *)pixel);
    case RUG_I64: return EXACT_SIGNED(*(const int64_t *)pixel);
    case RUG_F32: return exact_real((double)*(const float *)pixel);
    default: return exact_real(*(const double *)pixel);
    }
}

/* NaN and infinities are counted, and so never known. */
static void see_value(range_state *s, const void *pixel)
{
    rugi_exact e = exact_of(s->dtype, pixel);
    if (!isfinite(e.value)) {
        see_real(s, e.value);
        return;
    }
    uint64_t bits = 0;
    memcpy(&bits, pixel, rug_dtype_size(s->dtype));
    know(s, bits);
    widen(&s->facts, e, e);
    distinct_add(&s->facts.distinct, rugi_key_of(e, s->dtype));
}

/* @return whether there are too many values */
static int see_chunk(range_state *s, const char *pixels, size_t n)
{
    uint16_t at[CHUNK];
    size_t size = rug_dtype_size(s->dtype);
    size_t n_new = size == 4 ? s->kernels.unknown_32(at, &s->known, pixels, n)
                             : s->kernels.unknown_64(at, &s->known, pixels, n);
    for (size_t i = 0; i < n_new; i++)
        see_value(s, pixels + at[i] * size);
    return s->facts.distinct.overflow;
}

static void wide_segment(void *state, const void *pixels, size_t n)
{
    range_state *s = state;
    const char *from = pixels;
    size_t size = rug_dtype_size(s->dtype);
    int is_crowded = atomic_load_explicit(s->crowded, memory_order_relaxed);
    for (size_t n_here; !is_crowded && n > 0; from += n_here * size, n -= n_here) {
        n_here = n < CHUNK ? n : CHUNK;
        is_crowded = see_chunk(s, from, n_here);
    }
    if (is_crowded && !atomic_load_explicit(s->crowded, memory_order_relaxed))
        atomic_store_explicit(s->crowded, 1, memory_order_relaxed);
    if (n > 0)
        range_segment(s, from, n);
}

/* ---- Facts ---- */

void rugi_range_merge(rugi_range_facts *out, const rugi_range_facts *other)
{
    widen(out, other->min, other->max);
    out->n_nan += other->n_nan;
    out->n_infinite += other->n_infinite;
    out->distinct.overflow |= other->distinct.overflow;
    for (uint32_t i = 0; i < other->distinct.n; i++)
        distinct_add(&out->distinct, other->distinct.key[i]);
}

rug_image_range rugi_range_of_facts(const rugi_range_facts *f)
{
    rug_image_range out = RUG_IMAGE_RANGE_INIT;
    int some = !rugi_exact_is_less(f->max, f->min);
    out.n_nan = f->n_nan;
    out.n_infinite = f->n_infinite;
    out.min = some ? f->min.value + 0.0 : NAN; /* + 0.0 turns -0 into 0 */
    out.max = some ? f->max.value + 0.0 : NAN;
    out.min_rest = f->min.rest;
    out.max_rest = f->max.rest;
    out.n_distinct = f->distinct.overflow ? RUG_DISTINCT_MAX : f->distinct.n;
    out.distinct_is_min = f->distinct.overflow != 0;
    return out;
}

/* ---- Pixels of 8 and 16 bits: all in one pass ---- */

static int is_narrow(rug_dtype dtype)
{
    return rug_dtype_size(dtype) <= 2;
}

/* A value of 8 or 16 bits of the state's dtype, from its bits. */
static rugi_exact exact_narrow(rug_dtype dtype, uint32_t bits)
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
    widen(&s->facts, exact_narrow(s->dtype, ends[0] ^ flip),
          exact_narrow(s->dtype, ends[1] ^ flip));
    if (atomic_load_explicit(s->crowded, memory_order_relaxed))
        return;
    s->n_seen += s->kernels.add_16(s->seen, pixels, n, RUG_DISTINCT_MAX - s->n_seen);
    if (s->n_seen > RUG_DISTINCT_MAX)
        atomic_store_explicit(s->crowded, 1, memory_order_relaxed);
}

/* The values that any state has seen, as those of the first one. */
static void take_seen(range_state *states, int n_states)
{
    rugi_range_facts *f = &states[0].facts;
    rug_dtype dtype = states[0].dtype;
    size_t n_bytes = rug_dtype_size(dtype) == 1 ? RUGI_SEEN_BYTES_8 : RUGI_SEEN_BYTES_16;
    f->distinct.overflow = atomic_load_explicit(states[0].crowded, memory_order_relaxed);
    for (size_t b = 0; b < n_bytes; b++) {
        unsigned all = 0;
        for (int t = 0; t < n_states; t++)
            all |= states[t].seen[b];
        for (uint32_t v = (uint32_t)b * 8; all != 0; all >>= 1, v++)
            if (all & 1) {
                rugi_exact e = exact_narrow(dtype, v);
                widen(f, e, e);
                distinct_add(&f->distinct, rugi_key_of(e, dtype));
            }
    }
}

/* ---- The pass ---- */

static rug_status measure(rug_context *ctx, rugi_range_facts *out,
                          const rug_source *source, const rug_source *mask,
                          range_state *states)
{
    int n_states = rug_context_threads(ctx);
    atomic_int crowded = 0;
    for (int t = 0; t < n_states; t++) {
        memset(states + t, 0, offsetof(range_state, known));
        states[t].dtype = rugi_segment_dtype(source->dtype);
        states[t].facts = (rugi_range_facts)RUGI_RANGE_FACTS_INIT;
        states[t].crowded = &crowded;
        rugi_range_kernels_at(&states[t].kernels, rug_context_cpu_level(ctx));
    }
    int narrow = is_narrow(states[0].dtype);
    for (int t = 0; t < n_states && !narrow; t++)
        forget(&states[t]);
    rug_status status = rugi_source_for_segments(ctx, source, mask,
                                                 narrow ? narrow_segment : wide_segment,
                                                 states, sizeof *states);
    if (status != RUG_OK)
        return status;
    if (narrow)
        take_seen(states, n_states);
    *out = states[0].facts;
    for (int t = 1; t < n_states; t++)
        rugi_range_merge(out, &states[t].facts);
    return RUG_OK;
}

static rug_status measure_with_states(rug_context *ctx, rugi_range_facts *out,
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

rug_status rugi_range_measure(rug_context *ctx, rugi_range_facts *out,
                              const rug_source *source, const rug_source *mask)
{
    double work = is_narrow(rugi_segment_dtype(source->dtype)) ? NARROW_WORK : WIDE_WORK;
    rug_status status = RUG_OK;
    RUGI_WORK(ctx, work * rugi_source_pixels(source), status,
              measure_with_states(ctx, out, source, mask));
    return status;
}

rug_status rugi_source_range(rug_context *ctx, rug_image_range *out,
                             const rug_source *source, const rug_source *mask)
{
    rugi_range_facts facts;
    rug_status status = rugi_range_measure(ctx, &facts, source, mask);
    if (status == RUG_OK)
        *out = rugi_range_of_facts(&facts);
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
