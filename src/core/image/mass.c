/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Masses: from pixels to whole numbers, and from a source to how its pixels become them: the
 * unit of floats, the total, and the refusal of what cannot be a mass. */

#include "mass.h"
#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "image_internal.h"
#include "source_internal.h"
#include <math.h>
#include <string.h>

/* Pixels whose flags or masses are made at once. */
#define BLOCK 1024

/* ---- Pixels to masses ---- */

rugi_mass rugi_mass_make(rug_dtype dtype, int is_binary, rug_foreground rule,
                         int exponent)
{
    rugi_mass m = {.dtype = dtype, .is_binary = is_binary};
    if (is_binary)
        m.predicate = rugi_predicate_make(dtype, rule);
    else if (dtype == RUG_F32 || dtype == RUG_F64)
        m.exponent = exponent;
    return m;
}

/* 2^-exponent as two factors, since one alone may leave the range of double. What becomes
 * subnormal on the way is far below half a unit. */
typedef struct scale {
    double first, second;
} scale;

static scale scale_of(int exponent)
{
    int first = exponent < -1000 ? 1000 : -exponent;
    return (scale){ldexp(1.0, first), ldexp(1.0, -exponent - first)};
}

/* Rounds to the nearest number of units, halves to even. */
static uint64_t units_of(double v, scale s)
{
    double units = v * s.first * s.second;
    if (!(units > 0 && isfinite(v)))
        return 0;
    if (units >= 0x1p64)
        return UINT64_MAX;
    return (uint64_t)(units < 0x1p52 ? units + 0x1p52 - 0x1p52 : units);
}

static void masses_of_flags(const rugi_mass *mass, uint64_t *out, const char *pixels,
                            size_t n)
{
    uint8_t flags[BLOCK];
    size_t size = rug_dtype_size(rugi_segment_dtype(mass->dtype));
    for (size_t done = 0; done < n; done += BLOCK) {
        size_t m = rugi_smaller(n - done, BLOCK);
        rugi_predicate_flags(&mass->predicate, mass->dtype, flags, pixels + done * size,
                             m);
        for (size_t i = 0; i < m; i++)
            out[done + i] = flags[i];
    }
}

#define UNSIGNED_MASSES(type)      \
    for (size_t i = 0; i < n; i++) \
    out[i] = ((const type *)pixels)[i]

#define SIGNED_MASSES(type)                    \
    for (size_t i = 0; i < n; i++) {           \
        int64_t v = ((const type *)pixels)[i]; \
        out[i] = v < 0 ? 0 : (uint64_t)v;      \
    }

#define REAL_MASSES(type)          \
    for (size_t i = 0; i < n; i++) \
    out[i] = units_of((double)((const type *)pixels)[i], s)

static void masses_of_values(const rugi_mass *mass, uint64_t *out, const void *pixels,
                             size_t n)
{
    scale s = scale_of(mass->exponent);
    switch (rugi_segment_dtype(mass->dtype)) {
    case RUG_U8: UNSIGNED_MASSES(uint8_t); break;
    case RUG_U16: UNSIGNED_MASSES(uint16_t); break;
    case RUG_U32: UNSIGNED_MASSES(uint32_t); break;
    case RUG_U64: UNSIGNED_MASSES(uint64_t); break;
    case RUG_I8: SIGNED_MASSES(int8_t); break;
    case RUG_I16: SIGNED_MASSES(int16_t); break;
    case RUG_I32: SIGNED_MASSES(int32_t); break;
    case RUG_I64: SIGNED_MASSES(int64_t); break;
    case RUG_F32: REAL_MASSES(float); break;
    default: REAL_MASSES(double); break;
    }
}

void rugi_mass_of_pixels(const rugi_mass *mass, uint64_t *out, const void *pixels,
                         size_t n, const uint8_t *inside)
{
    if (mass->is_binary)
        masses_of_flags(mass, out, pixels, n);
    else
        masses_of_values(mass, out, pixels, n);
    for (size_t i = 0; inside != NULL && i < n; i++)
        out[i] = inside[i] ? out[i] : 0;
}

#define COUNT_LEFT_OUT(type)                                                           \
    for (size_t i = 0; i < n; i++) {                                                   \
        type v = ((const type *)pixels)[i];                                            \
        n_left_out +=                                                                  \
            !(mass->is_binary ? v == v : isfinite(v)) & (inside == NULL || inside[i]); \
    }

size_t rugi_mass_count_left_out(const rugi_mass *mass, const void *pixels, size_t n,
                                const uint8_t *inside)
{
    size_t n_left_out = 0;
    if (mass->dtype == RUG_F32) {
        COUNT_LEFT_OUT(float)
    } else if (mass->dtype == RUG_F64) {
        COUNT_LEFT_OUT(double)
    }
    return n_left_out;
}

#define FIND(type, is_bad)                             \
    for (size_t i = 0; i < n; i++) {                   \
        type v = ((const type *)pixels)[i];            \
        if ((is_bad) && (inside == NULL || inside[i])) \
            return i;                                  \
    }                                                  \
    return n

/* Whether pixels hold a value that no mass can be: below 0 and not infinite.
 *  @return the first of them; n when there is none */
static size_t mass_find_negative(const rugi_mass *mass, const void *pixels, size_t n,
                                 const uint8_t *inside)
{
    if (mass->is_binary)
        return n;
    switch (mass->dtype) {
    case RUG_I8: FIND(int8_t, v < 0);
    case RUG_I16: FIND(int16_t, v < 0);
    case RUG_I32: FIND(int32_t, v < 0);
    case RUG_I64: FIND(int64_t, v < 0);
    case RUG_F32: FIND(float, v < 0 && isfinite(v));
    case RUG_F64: FIND(double, v < 0 && isfinite(v));
    default: return n;
    }
}

/* ---- The masses of a source ---- */

/* Floats are counted by sign, exponent and the first two bits behind the point. */
#define KEY_SHIFT 50

/* The total of floats is below this. */
#define REAL_TOTAL_END 0x1p62

typedef struct mass_state {
    RUGI_OWN_LINES rugi_mass mass;
    rugi_mass_facts facts;
    uint8_t has_negative, is_too_large;
} mass_state;

static void add_total(mass_state *s, uint64_t mass)
{
    s->is_too_large |= mass > RUGI_MASS_MAX - s->facts.total;
    s->facts.total = s->is_too_large ? RUGI_MASS_MAX : s->facts.total + mass;
}

static void add_masses(mass_state *s, const uint64_t *masses, size_t n)
{
    uint64_t all = 0, sum = 0, largest = s->facts.largest;
    for (size_t i = 0; i < n; i++) {
        all |= masses[i];
        sum += masses[i];
        largest = masses[i] > largest ? masses[i] : largest;
    }
    s->facts.largest = largest;
    if (all < UINT64_MAX / BLOCK) /* the sum did not wrap */
        add_total(s, sum);
    else
        for (size_t i = 0; i < n; i++)
            add_total(s, masses[i]);
}

#define COUNT_LOST(type)                                           \
    for (size_t i = 0; i < n; i++) {                               \
        type v = ((const type *)pixels)[i];                        \
        s->facts.n_lost += masses[i] == 0 && v > 0 && isfinite(v); \
    }

/* Grey values above 0 that have no mass. */
static void count_lost(mass_state *s, const uint64_t *masses, const void *pixels,
                       size_t n)
{
    if (s->mass.is_binary)
        return;
    if (s->mass.dtype == RUG_F32) {
        COUNT_LOST(float)
    } else if (s->mass.dtype == RUG_F64) {
        COUNT_LOST(double)
    }
}

static void measure_segment(void *state, const void *pixels, size_t n)
{
    mass_state *s = state;
    uint64_t masses[BLOCK];
    size_t size = rug_dtype_size(rugi_segment_dtype(s->mass.dtype));
    s->facts.n_pixels += n;
    s->facts.n_left_out += rugi_mass_count_left_out(&s->mass, pixels, n, NULL);
    if (mass_find_negative(&s->mass, pixels, n, NULL) < n)
        s->has_negative = 1;
    for (size_t done = 0; done < n; done += BLOCK) {
        size_t m = rugi_smaller(n - done, BLOCK);
        const char *block = (const char *)pixels + done * size;
        rugi_mass_of_pixels(&s->mass, masses, block, m, NULL);
        add_masses(s, masses, m);
        count_lost(s, masses, block, m);
    }
}

/* ---- The unit of floats ---- */

typedef struct octave_state {
    RUGI_OWN_LINES rug_dtype dtype;
    rugi_octaves octaves;
} octave_state;

/* Every double above 2^52 is whole. */
static int is_whole(double v)
{
    return v >= 0x1p52 || v + 0x1p52 - 0x1p52 == v;
}

static void count_octave(rugi_octaves *octaves, double v)
{
    uint64_t bits;
    if (!isfinite(v) || !(v > 0))
        return;
    memcpy(&bits, &v, sizeof bits);
    octaves->n[bits >> KEY_SHIFT]++;
    octaves->has_fraction |= !is_whole(v);
}

static void count_octaves_segment(void *state, const void *pixels, size_t n)
{
    octave_state *s = state;
    if (s->dtype == RUG_F32)
        for (size_t i = 0; i < n; i++)
            count_octave(&s->octaves, (double)((const float *)pixels)[i]);
    else
        for (size_t i = 0; i < n; i++)
            count_octave(&s->octaves, ((const double *)pixels)[i]);
}

void rugi_octaves_merge(rugi_octaves *octaves, const rugi_octaves *other)
{
    octaves->has_fraction |= other->has_fraction;
    for (size_t key = 0; key < RUGI_OCTAVES; key++)
        octaves->n[key] += other->n[key];
}

rug_status rugi_octaves_count(rug_context *ctx, rugi_octaves *octaves,
                              const rug_source *source, const rug_source *mask)
{
    size_t n_states = (size_t)rug_context_threads(ctx);
    octave_state *states = rugi_allocate_zeros(ctx, n_states, sizeof *states, "octaves");
    if (states == NULL)
        return RUG_E_NOMEM;
    for (size_t t = 0; t < n_states; t++)
        states[t].dtype = source->dtype;
    rug_status status = rugi_source_for_segments(ctx, source, mask, count_octaves_segment,
                                                 states, sizeof *states);
    for (size_t t = 0; t < n_states; t++)
        rugi_octaves_merge(octaves, &states[t].octaves);
    rug_context_release(ctx, states);
    return status;
}

/* The end of a quarter of an octave, divided by 2^exponent. */
static double end_of_key(size_t key, int exponent)
{
    int e = (int)(key >> 2), quarter = (int)(key & 3);
    if (e == 0) /* subnormal */
        return ldexp(quarter + 1, -1024 - exponent);
    return ldexp(5 + quarter, e - 1023 - 2 - exponent);
}

/* The least exponent with a total below the limit, whatever the pixels are within their
 * quarter of an octave and however they are rounded. */
static int least_exponent(const uint64_t octaves[RUGI_OCTAVES])
{
    size_t top = RUGI_OCTAVES;
    while (top > 0 && octaves[top - 1] == 0)
        top--;
    if (top == 0)
        return 0;
    int exponent = (int)(top >> 2) - 1023; /* sums of this unit stay near 1 to 2^64 */
    double sum = 0, n = 0;
    for (size_t key = 0; key < top; key++) {
        sum += (double)octaves[key] * end_of_key(key, exponent);
        n += (double)octaves[key];
    }
    sum *= 1 + 0x1p-30; /* more than rounding can have taken */
    int finer = 0;
    while (exponent - finer > RUGI_MASS_EXPONENT_MIN &&
           ldexp(sum, finer + 1) + n < REAL_TOTAL_END)
        finer++;
    while (ldexp(sum, finer) + n >= REAL_TOTAL_END)
        finer--;
    return exponent - finer;
}

int rugi_octaves_exponent(const rugi_octaves *octaves)
{
    int exponent = least_exponent(octaves->n);
    return !octaves->has_fraction && exponent < 0 ? 0 : exponent;
}

/* ---- The masses of a source, measured ---- */

static void join_states(mass_state *states, int n_states)
{
    mass_state *all = &states[0];
    for (int t = 1; t < n_states; t++) {
        const mass_state *s = &states[t];
        add_total(all, s->facts.total);
        all->is_too_large |= s->is_too_large;
        all->has_negative |= s->has_negative;
        all->facts.n_pixels += s->facts.n_pixels;
        all->facts.n_left_out += s->facts.n_left_out;
        all->facts.n_lost += s->facts.n_lost;
        if (s->facts.largest > all->facts.largest)
            all->facts.largest = s->facts.largest;
    }
}

static rug_status find_unit(rug_context *ctx, rugi_mass *mass, const rug_source *source,
                            const rug_source *mask)
{
    rugi_octaves *octaves = rugi_allocate_zeros(ctx, 1, sizeof *octaves, "octaves");
    if (octaves == NULL)
        return RUG_E_NOMEM;
    rug_status status = rugi_octaves_count(ctx, octaves, source, mask);
    mass->exponent = rugi_octaves_exponent(octaves);
    rug_context_release(ctx, octaves);
    return status;
}

/* The search for the first negative pixel. */
typedef struct search {
    const rugi_mass *mass;
    rugi_predicate inside;
    const size_t *origin; /* of the source's first pixel; NULL: 0 */
    void *scratch;        /* N_SCRATCH segments of 8 bytes a pixel, and flags */
} search;

#define N_SCRATCH 3

static rug_status refuse(rug_context *ctx, const rugi_mass *mass, int ndim,
                         const size_t at[3], const void *pixels, size_t i)
{
    double v = 0;
    switch (mass->dtype) {
    case RUG_I8: v = ((const int8_t *)pixels)[i]; break;
    case RUG_I16: v = ((const int16_t *)pixels)[i]; break;
    case RUG_I32: v = ((const int32_t *)pixels)[i]; break;
    case RUG_I64: v = (double)((const int64_t *)pixels)[i]; break;
    case RUG_F32: v = (double)((const float *)pixels)[i]; break;
    default: v = ((const double *)pixels)[i]; break;
    }
    const char *todo =
        "a mass of at least 0 expected; add a constant to all pixels first, "
        "or take the foreground as mass";
    if (ndim == 2)
        return rug_context_fail(ctx, RUG_E_ARG, "pixel %zu,%zu (y,x) is %.17g: %s", at[1],
                                at[2] + i, v, todo);
    return rug_context_fail(ctx, RUG_E_ARG, "pixel %zu,%zu,%zu (z,y,x) is %.17g: %s",
                            at[0], at[1], at[2] + i, v, todo);
}

static rug_status search_segment(rug_context *ctx, const search *s,
                                 const rug_image *pixels, const rug_image *mask,
                                 const size_t at[3], size_t n, size_t place[3], int ndim)
{
    size_t bytes = RUGI_SEGMENT_PIXELS * sizeof(uint64_t);
    const void *segment = rugi_image_segment(pixels, at, n, s->scratch);
    uint8_t *flags = NULL;
    if (mask != NULL) {
        flags = (uint8_t *)s->scratch + 2 * bytes;
        const void *m = rugi_image_segment(mask, at, n, (char *)s->scratch + bytes);
        rugi_predicate_flags(&s->inside, mask->dtype, flags, m, n);
    }
    size_t i = mass_find_negative(s->mass, segment, n, flags);
    return i < n ? refuse(ctx, s->mass, ndim, place, segment, i) : RUG_OK;
}

/* Sees pixels in their order, unlike rugi_image_for_segments(). */
static rug_status search_slab(rug_context *ctx, void *user, const rug_image *slab,
                              const rug_image *mask, size_t first)
{
    search *s = user;
    rug_image pixels = rugi_image_with_z(slab), inside = {0};
    if (mask != NULL) {
        inside = rugi_image_with_z(mask);
        s->inside = rugi_predicate_of_mask(mask->dtype);
    }
    rug_status status = RUG_OK;
    for (size_t row = 0; row < pixels.shape[0] * pixels.shape[1]; row++)
        for (size_t x = 0; x < pixels.shape[2] && status == RUG_OK;
             x += RUGI_SEGMENT_PIXELS) {
            size_t left = pixels.shape[2] - x;
            size_t at[3] = {row / pixels.shape[1], row % pixels.shape[1], x};
            size_t place[3] = {at[0], at[1], x};
            place[3 - slab->ndim] += first;
            for (int a = 0; s->origin != NULL && a < slab->ndim; a++)
                place[3 - slab->ndim + a] += s->origin[a];
            status = search_segment(ctx, s, &pixels, mask != NULL ? &inside : NULL, at,
                                    rugi_smaller(left, RUGI_SEGMENT_PIXELS), place,
                                    slab->ndim);
        }
    return status;
}

static rug_status refuse_first_negative(rug_context *ctx, const rugi_mass *mass,
                                        const rug_source *source, const rug_source *mask,
                                        const size_t *origin)
{
    search s = {.mass = mass, .origin = origin};
    s.scratch = rug_context_allocate(ctx, N_SCRATCH * RUGI_SEGMENT_PIXELS,
                                     sizeof(uint64_t), "row buffers");
    if (s.scratch == NULL)
        return RUG_E_NOMEM;
    rug_status status = rugi_source_for_slabs(ctx, source, mask, search_slab, &s);
    rug_context_release(ctx, s.scratch);
    if (status == RUG_OK) /* the source did not show the same pixels again */
        return rug_context_fail(ctx, RUG_E_ARG,
                                "a pixel is below 0: a mass of at least 0 expected");
    return status;
}

static rug_status measure(rug_context *ctx, const rugi_mass *mass, rugi_mass_facts *facts,
                          const rug_source *source, const rug_source *mask,
                          const size_t *origin, mass_state *states)
{
    int n_states = rug_context_threads(ctx);
    for (int t = 0; t < n_states; t++)
        states[t] = (mass_state){.mass = *mass};
    rug_status status = rugi_source_for_segments(ctx, source, mask, measure_segment,
                                                 states, sizeof *states);
    if (status != RUG_OK)
        return status;
    join_states(states, n_states);
    if (states[0].has_negative)
        return refuse_first_negative(ctx, mass, source, mask, origin);
    if (states[0].is_too_large)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "the masses add up to more than %llu; divide the values "
                                "first, or %s",
                                (unsigned long long)RUGI_MASS_MAX,
                                mass->dtype >= RUG_F32 ? "take a larger unit"
                                                       : "give them as floats");
    *facts = states[0].facts;
    return RUG_OK;
}

static mass_state *new_states(rug_context *ctx)
{
    return rug_context_allocate(ctx, (size_t)rug_context_threads(ctx), sizeof(mass_state),
                                "masses of pixels");
}

static rug_status measure_alone(rug_context *ctx, const rugi_mass *mass,
                                rugi_mass_facts *facts, const rug_source *source,
                                const rug_source *mask, const size_t *origin)
{
    mass_state *states = new_states(ctx);
    if (states == NULL)
        return RUG_E_NOMEM;
    rug_status status = measure(ctx, mass, facts, source, mask, origin, states);
    rug_context_release(ctx, states);
    return status;
}

static rug_status resolve(rug_context *ctx, rugi_mass *mass, rugi_mass_facts *facts,
                          const rug_source *source, const rug_source *mask, int has_unit)
{
    rug_status status = RUG_OK;
    mass_state *states = new_states(ctx);
    if (states == NULL)
        return RUG_E_NOMEM;
    if (!has_unit)
        RUGI_PHASE(ctx, 0, 0.5, status, find_unit(ctx, mass, source, mask));
    RUGI_PHASE(ctx, has_unit ? 0 : 0.5, 1, status,
               measure(ctx, mass, facts, source, mask, NULL, states));
    rug_context_release(ctx, states);
    return status;
}

/* Nanoseconds of work for each pixel. */
#define PIXEL_WORK 0.5

rug_status rugi_mass_measure(rug_context *ctx, const rugi_mass *mass,
                             rugi_mass_facts *facts, const rug_source *source,
                             const rug_source *mask, const size_t *origin)
{
    rug_status status = RUG_OK;
    memset(facts, 0, sizeof *facts);
    RUGI_WORK(ctx, PIXEL_WORK * rugi_source_pixels(source), status,
              measure_alone(ctx, mass, facts, source, mask, origin));
    return status;
}

rug_status rugi_mass_resolve(rug_context *ctx, rugi_mass *out, rugi_mass_facts *facts,
                             const rug_source *source, const rug_source *mask,
                             int is_binary, rug_foreground rule)
{
    rug_status status = RUG_OK;
    memset(facts, 0, sizeof *facts);
    memset(out, 0, sizeof *out);
    rugi_mass mass = rugi_mass_make(source->dtype, is_binary, rule, 0);
    int is_real = !is_binary && (mass.dtype == RUG_F32 || mass.dtype == RUG_F64);
    RUGI_WORK(ctx, PIXEL_WORK * rugi_source_pixels(source), status,
              resolve(ctx, &mass, facts, source, mask, !is_real));
    if (status == RUG_OK)
        *out = mass;
    return status;
}
