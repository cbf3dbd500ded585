/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Foreground rules: reading, writing and resolving them. The threshold is that of Otsu (1979),
 * "A threshold selection method from grey-level histograms", IEEE Trans. SMC 9(1). */

#include "core/context/context_internal.h"
#include "core/context/names.h"
#include "core/context/sized.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "number.h"
#include "predicate.h"
#include "range_kernels.h"
#include "source_internal.h"
#include "whole.h"
#include <math.h>
#include <rugose/foreground.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define MAX_BINS 65536
/* Few bins are counted in several tables, so that equal neighbours do not wait for each other. */
#define FEW_BINS 4096
#define N_TABLES 4
/* Values of 8 bits, each of which has a slot of a table. */
#define N_BYTES 256

/* Pixels that get their bins at once. */
#define CHUNK 256

typedef struct histogram_state {
    RUGI_OWN_LINES rug_dtype dtype;
    int is_exact;     /* a bin per level, else equal bins */
    rugi_whole least; /* is_exact: the level of bin 0 */
    rugi_bins bins;   /* equal bins */
    size_t n_bins;
    size_t n_slots;         /* of a table: n_bins and one for others, or all of 8 bits */
    size_t n_tables;        /* 1 or N_TABLES */
    uint32_t *counts;       /* [n_tables][n_slots] */
    uint32_t n_counted;     /* pixels in counts */
    _Atomic uint64_t *sums; /* [n_bins], of all threads */
    rugi_range_kernels kernels;
    int has_parts; /* is_exact: some floats are no whole numbers */
    double from;   /* second pass: where the upper class begins */
    double upper;  /* second pass: the least value of the upper class, and its rest */
    int64_t upper_rest;
} histogram_state;

/* Moves counts to the sums. */
static void drain(histogram_state *s)
{
    for (size_t bin = 0; bin < s->n_bins; bin++) {
        size_t slot = s->n_slots == N_BYTES ? (s->least.bits + bin) % N_BYTES : bin;
        uint64_t sum = 0;
        for (size_t t = 0; t < s->n_tables; t++)
            sum += s->counts[t * s->n_slots + slot];
        if (sum > 0)
            atomic_fetch_add_explicit(&s->sums[bin], sum, memory_order_relaxed);
    }
    memset(s->counts, 0, s->n_tables * s->n_slots * sizeof *s->counts);
    s->n_counted = 0;
}

/* Values of 8 bits, signed ones too, by eight at once. */
static void histogram_bytes(histogram_state *s, const uint8_t *v, size_t n)
{
    uint32_t *counts = s->counts;
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        uint64_t word;
        memcpy(&word, v + i, sizeof word);
        for (size_t k = 0; k < 8; k++)
            counts[k % N_TABLES * N_BYTES + (word >> 8 * k & 0xff)]++;
    }
    for (; i < n; i++)
        counts[v[i]]++;
}

/* A range of another image must do no harm: its levels have the last slot. */
static inline void count_level(uint32_t *counts, uint64_t level, uint64_t n_bins)
{
    counts[level < n_bins ? level : n_bins]++;
}

#define DEFINE_INTEGER_HISTOGRAM(name, type, wide)                                  \
    static void histogram_##name(histogram_state *s, const type *v, size_t n)       \
    {                                                                               \
        uint64_t least = s->least.bits, n_bins = s->n_bins;                         \
        size_t step = s->n_tables > 1 ? s->n_slots : 0, i = 0;                      \
        for (; i + N_TABLES <= n; i += N_TABLES)                                    \
            for (size_t k = 0; k < N_TABLES; k++)                                   \
                count_level(s->counts + k * step, (uint64_t)(wide)v[i + k] - least, \
                            n_bins);                                                \
        for (; i < n; i++)                                                          \
            count_level(s->counts, (uint64_t)(wide)v[i] - least, n_bins);           \
    }

DEFINE_INTEGER_HISTOGRAM(u16, uint16_t, int64_t)
DEFINE_INTEGER_HISTOGRAM(i16, int16_t, int64_t)
DEFINE_INTEGER_HISTOGRAM(u32, uint32_t, int64_t)
DEFINE_INTEGER_HISTOGRAM(i32, int32_t, int64_t)
DEFINE_INTEGER_HISTOGRAM(whole, uint64_t, uint64_t) /* signed ones too: modulo 2^64 */

static void exact_segment(void *state, const void *pixels, size_t n)
{
    histogram_state *s = state;
    if (n > UINT32_MAX - s->n_counted)
        drain(s);
    s->n_counted += (uint32_t)n;
    switch (s->dtype) {
    case RUG_U8:
    case RUG_I8: histogram_bytes(s, pixels, n); break;
    case RUG_U16: histogram_u16(s, pixels, n); break;
    case RUG_I16: histogram_i16(s, pixels, n); break;
    case RUG_U32: histogram_u32(s, pixels, n); break;
    case RUG_I32: histogram_i32(s, pixels, n); break;
    default: histogram_whole(s, pixels, n); break;
    }
}

/* ---- Equal bins ---- */

#define AS_REALS(type)                                      \
    for (size_t i = 0; i < n; i++)                          \
        out[i] = (double)((const type *)pixels)[first + i]; \
    break

/* Pixels first .. first + n - 1, as the nearest doubles. */
static void read_reals(double out[CHUNK], rug_dtype dtype, const void *pixels,
                       size_t first, size_t n)
{
    switch (dtype) {
    case RUG_U32: AS_REALS(uint32_t);
    case RUG_I32: AS_REALS(int32_t);
    case RUG_U64: AS_REALS(uint64_t);
    case RUG_I64: AS_REALS(int64_t);
    case RUG_F32: AS_REALS(float);
    default: AS_REALS(double);
    }
}

/* Bins of floats that are expected to be whole numbers; the one behind the last is of others. */
static void whole_bins(histogram_state *s, uint32_t *bin, const double *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double level = v[i] - (double)(int64_t)s->least.bits;
        int is_level = level >= 0 && level < (double)s->n_bins;
        bin[i] = (uint32_t)(is_level ? level : (double)s->n_bins);
        s->has_parts |= is_level && level > (double)bin[i];
    }
}

static void scaled_segment(void *state, const void *pixels, size_t n)
{
    histogram_state *s = state;
    if (n > UINT32_MAX - s->n_counted)
        drain(s);
    s->n_counted += (uint32_t)n;
    for (size_t first = 0; first < n; first += CHUNK) {
        double v[CHUNK];
        uint32_t bin[CHUNK];
        size_t n_here = rugi_smaller(n - first, CHUNK);
        read_reals(v, s->dtype, pixels, first, n_here);
        if (s->is_exact)
            whole_bins(s, bin, v, n_here);
        else
            s->kernels.bins(bin, v, n_here, &s->bins);
        for (size_t i = 0; i < n_here; i++)
            s->counts[bin[i]]++;
    }
}

/* Doubles in their order, as whole numbers. */
static uint64_t place_of(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static double at_place(uint64_t place)
{
    uint64_t bits = place >> 63 ? place & ~((uint64_t)1 << 63) : ~place;
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* The least double of a bin above `below`, which no bin of a smaller one is. */
static double end_of_bin(const rugi_bins *bins, double least, double most, size_t below)
{
    uint64_t in = place_of(least), out = place_of(most);
    if (rugi_bin_of(bins, most) <= below)
        return INFINITY;
    while (out - in > 1) {
        uint64_t middle = in + (out - in) / 2;
        if (rugi_bin_of(bins, at_place(middle)) > below)
            out = middle;
        else
            in = middle;
    }
    return at_place(out);
}

/* Independent minima, which stay in vector registers. */
#define LANES 8

static void find_upper(histogram_state *s, const double *v, size_t n)
{
    double least[LANES];
    size_t i = 0;
    for (size_t k = 0; k < LANES; k++)
        least[k] = s->upper;
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++) {
            double above = v[i + k] >= s->from ? v[i + k] : (double)INFINITY;
            least[k] = above < least[k] ? above : least[k];
        }
    for (; i < n; i++)
        if (v[i] >= s->from && v[i] < least[0])
            least[0] = v[i];
    for (size_t k = 0; k < LANES; k++)
        s->upper = least[k] < s->upper ? least[k] : s->upper;
}

/* The same of a 64-bit integer, many of which may have the same nearest double. */
static void find_upper_whole(histogram_state *s, rugi_whole v)
{
    int64_t rest;
    double value = rugi_whole_split(v, &rest);
    if (value >= s->from &&
        (value < s->upper || (value <= s->upper && rest < s->upper_rest))) {
        s->upper = value;
        s->upper_rest = rest;
    }
}

static void upper_segment(void *state, const void *pixels, size_t n)
{
    histogram_state *s = state;
    if (s->dtype == RUG_U64 || s->dtype == RUG_I64) {
        const uint64_t *v = pixels;
        for (size_t i = 0; i < n; i++)
            find_upper_whole(s, s->dtype == RUG_U64 ? rugi_whole_unsigned(v[i])
                                                    : rugi_whole_signed((int64_t)v[i]));
        return;
    }
    for (size_t first = 0; first < n; first += CHUNK) {
        double v[CHUNK];
        size_t n_here = rugi_smaller(n - first, CHUNK);
        read_reals(v, s->dtype, pixels, first, n_here);
        find_upper(s, v, n_here);
    }
}

/* ---- The threshold ---- */

/* Otsu's eq. 18 without its constant factors: the first bin k that makes the
 * between-class variance of {0..k} and {k+1..} largest. */
static size_t otsu_bin(const _Atomic uint64_t *counts, size_t n_bins)
{
    double n = 0, sum = 0;
    for (size_t k = 0; k < n_bins; k++) {
        n += (double)counts[k];
        sum += (double)counts[k] * (double)k;
    }
    double n0 = 0, sum0 = 0, best = -1;
    size_t best_bin = 0;
    for (size_t k = 0; k + 1 < n_bins; k++) {
        n0 += (double)counts[k];
        sum0 += (double)counts[k] * (double)k;
        double n1 = n - n0;
        if (n0 == 0 || n1 == 0)
            continue;
        double gap = sum0 / n0 - (sum - sum0) / n1;
        double variance = n0 * n1 * gap * gap;
        if (variance > best) {
            best = variance;
            best_bin = k;
        }
    }
    return best_bin;
}

/* Whether a bin per level is enough. @param least  the least level */
static int has_exact_levels(rugi_whole *least, rug_dtype dtype,
                            const rug_image_range *range)
{
    rugi_whole most;
    return (dtype < RUG_F32 || fmax(fabs(range->min), fabs(range->max)) < 0x1p53) &&
           rugi_whole_of(least, range->min, range->min_rest) &&
           rugi_whole_of(&most, range->max, range->max_rest) &&
           most.bits - least->bits < MAX_BINS;
}

/* Equal bins of a range. */
static rugi_bins cut_range(const rug_image_range *range)
{
    int exponent = ilogb(fmax(fabs(range->min), fabs(range->max)));
    rugi_bins bins = {.min = range->min, .n = MAX_BINS};
    bins.scale = ldexp(1.0, exponent < -1000  ? 1000
                            : exponent > 1000 ? -1000
                                              : -exponent);
    bins.bins_per_unit = MAX_BINS / (range->max * bins.scale - range->min * bins.scale);
    return bins;
}

static histogram_state plan_histogram(const rug_source *source,
                                      const rug_image_range *range, int has_parts)
{
    histogram_state s = {.dtype = rugi_segment_dtype(source->dtype), .n_bins = MAX_BINS};
    s.is_exact = !has_parts && has_exact_levels(&s.least, s.dtype, range);
    if (s.is_exact) {
        rugi_whole most;
        rugi_whole_of(&most, range->max, range->max_rest);
        s.n_bins = (size_t)(most.bits - s.least.bits) + 1;
    } else {
        s.bins = cut_range(range);
    }
    int is_byte = rug_dtype_size(s.dtype) == 1;
    s.n_slots = is_byte ? N_BYTES : s.n_bins + 1;
    s.n_tables = is_byte || s.n_bins <= FEW_BINS ? N_TABLES : 1;
    return s;
}

/* The level of a bin; above 0 if bin 0 is not, since all levels are of one dtype. */
static rugi_whole level_of(rugi_whole least, size_t bin)
{
    uint64_t bits = least.bits + bin;
    return (rugi_whole){least.is_negative && bits >= least.bits, bits};
}

/* The least value of the upper class as the rule's threshold. With equal bins that is a value of the
 * image, not an edge, so that rounding cannot move a pixel from one class to the other. */
static rug_status least_of_upper(rug_context *ctx, rug_foreground *rule,
                                 const rug_source *source, const rug_source *mask,
                                 const rug_image_range *range, histogram_state *states)
{
    size_t below = otsu_bin(states[0].sums, states[0].n_bins);
    if (states[0].is_exact) {
        rule->value = rugi_whole_split(level_of(states[0].least, below + 1), &rule->rest);
        return RUG_OK;
    }
    int n_threads = rug_context_threads(ctx);
    double from = end_of_bin(&states[0].bins, range->min, range->max, below);
    for (int t = 0; t < n_threads; t++) {
        states[t].from = from;
        states[t].upper = INFINITY;
    }
    rug_status status = rugi_source_for_segments(ctx, source, mask, upper_segment, states,
                                                 sizeof *states);
    rule->value = INFINITY;
    for (int t = 0; t < n_threads; t++) {
        double value = states[t].upper;
        int64_t rest = states[t].upper_rest;
        if (value < rule->value || (value <= rule->value && rest < rule->rest)) {
            rule->value = value;
            rule->rest = rest;
        }
    }
    return status;
}

static rug_status count_levels(rug_context *ctx, const rug_source *source,
                               const rug_source *mask, histogram_state *states)
{
    int is_whole = states[0].is_exact && states[0].dtype < RUG_F32;
    rug_status status = rugi_source_for_segments(
        ctx, source, mask, is_whole ? exact_segment : scaled_segment, states,
        sizeof *states);
    for (int t = 0; t < rug_context_threads(ctx); t++) {
        drain(&states[t]);
        states[0].has_parts |= states[t].has_parts;
    }
    return status;
}

/* @param has_parts  whether floats are known to be no whole numbers; set when they are not */
static rug_status otsu(rug_context *ctx, rug_foreground *rule, const rug_source *source,
                       const rug_source *mask, const rug_image_range *range,
                       int *has_parts)
{
    size_t n_threads = (size_t)rug_context_threads(ctx);
    histogram_state plan = plan_histogram(source, range, *has_parts);
    size_t n_each = plan.n_slots * plan.n_tables, n_counts = n_threads * n_each;
    histogram_state *states =
        rug_context_allocate(ctx, n_threads, sizeof *states, "histogram states");
    uint32_t *counts = rug_context_allocate(ctx, n_counts, sizeof *counts, "histogram");
    plan.sums = rug_context_allocate(ctx, plan.n_bins, sizeof *plan.sums, "histogram");
    rug_status status =
        states != NULL && counts != NULL && plan.sums != NULL ? RUG_OK : RUG_E_NOMEM;
    if (status != RUG_OK)
        goto done;
    memset(counts, 0, n_counts * sizeof *counts);
    for (size_t bin = 0; bin < plan.n_bins; bin++)
        atomic_init(&plan.sums[bin], 0);
    rugi_range_kernels_at(&plan.kernels, rug_context_cpu_level(ctx));
    for (size_t t = 0; t < n_threads; t++) {
        states[t] = plan;
        states[t].counts = counts + t * n_each;
    }
    RUGI_PHASE(ctx, 0, 0.7, status, count_levels(ctx, source, mask, states));
    *has_parts = states[0].has_parts;
    if (!*has_parts)
        RUGI_PHASE(ctx, 0.7, 1, status,
                   least_of_upper(ctx, rule, source, mask, range, states));
done:
    rug_context_release(ctx, plan.sums);
    rug_context_release(ctx, counts);
    rug_context_release(ctx, states);
    return status;
}

static int is_flat(const rug_image_range *range)
{
    return !(range->min < range->max ||
             (range->min <= range->max && range->min_rest < range->max_rest));
}

/* Nanoseconds of work for each pixel, at least. */
#define PIXEL_WORK 0.3

static rug_status resolve(rug_context *ctx, rug_foreground *out, const rug_source *source,
                          const rug_source *mask, const rug_image_range *range,
                          rug_foreground asked)
{
    int is_dark = asked.kind == RUG_FOREGROUND_OTSU_DARK;
    if (is_flat(range)) { /* or no finite value at all */
        *out = (rug_foreground){is_dark ? RUG_FOREGROUND_LABEL : RUG_FOREGROUND_NONZERO,
                                0.0, 0};
        return RUG_OK;
    }
    int two_valued = range->n_distinct == 2 && !range->distinct_is_min;
    *out = (rug_foreground){RUG_FOREGROUND_ABOVE, range->max, range->max_rest};
    if (asked.kind == RUG_FOREGROUND_AUTO && two_valued)
        return rugi_rule_take(ctx, out, *out);
    out->rest = 0;
    rug_status status = RUG_OK;
    int has_parts = 0;
    int most = rugi_threads_enter(ctx, PIXEL_WORK * rugi_source_pixels(source));
    RUGI_PHASE(ctx, 0, source->dtype < RUG_F32 ? 1 : 0.5, status,
               otsu(ctx, out, source, mask, range, &has_parts));
    if (has_parts)
        RUGI_PHASE(ctx, 0.5, 1, status, otsu(ctx, out, source, mask, range, &has_parts));
    rugi_threads_leave(ctx, most);
    if (is_dark)
        out->kind = RUG_FOREGROUND_BELOW;
    return status;
}

/* The source and the mask are checked. */
static rug_status resolve_checked(rug_context *ctx, rug_foreground *out,
                                  const rug_source *source, const rug_source *mask,
                                  const rug_image_range *range, rug_foreground asked)
{
    rug_foreground resolved;
    rug_status status = rugi_rule_take(ctx, &resolved, asked);
    if (status == RUG_OK && rugi_rule_is_open(asked)) {
        rug_image_range own;
        if (range == NULL)
            RUGI_PHASE(ctx, 0, 0.5, status, rugi_source_range(ctx, &own, source, mask));
        RUGI_PHASE(
            ctx, range == NULL ? 0.5 : 0, 1, status,
            resolve(ctx, &resolved, source, mask, range == NULL ? &own : range, asked));
    }
    if (status == RUG_OK)
        *out = resolved;
    return status;
}

rug_status rug_source_resolve_foreground(rug_context *ctx, rug_foreground *out,
                                         const rug_source *source, const rug_source *mask,
                                         const rug_image_range *range,
                                         rug_foreground asked)
{
    if (out != NULL)
        *out = (rug_foreground)RUG_FOREGROUND_INIT;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "foreground: NULL given");
    rug_source own, inside;
    rug_image_range known = RUG_IMAGE_RANGE_INIT;
    rug_status status = rugi_source_take(ctx, &own, source, "source");
    if (status == RUG_OK)
        status = rugi_twin_source_take(ctx, &inside, &mask, mask, "mask", &own);
    if (status == RUG_OK)
        status = RUGI_TAKE(ctx, &known, range, "rug_image_range");
    return status == RUG_OK ? resolve_checked(ctx, out, &own, mask,
                                              range != NULL ? &known : NULL, asked)
                            : status;
}

rug_status rugi_image_resolve_foreground(rug_context *ctx, rug_foreground *out,
                                         const rug_image *image, const rug_image *mask,
                                         rug_foreground asked)
{
    rug_source source = rugi_source_of_image(image), inside;
    if (mask != NULL)
        inside = rugi_source_of_image(mask);
    return resolve_checked(ctx, out, &source, mask != NULL ? &inside : NULL, NULL, asked);
}

rug_status rug_foreground_resolve(rug_context *ctx, rug_foreground *out,
                                  const rug_image *image, const rug_image_range *range,
                                  rug_foreground asked)
{
    if (out != NULL)
        *out = (rug_foreground)RUG_FOREGROUND_INIT;
    rug_status status = rugi_image_check(ctx, image);
    if (status != RUG_OK)
        return status;
    rug_source source = rugi_source_of_image(image);
    return rug_source_resolve_foreground(ctx, out, &source, NULL, range, asked);
}

static const char *const kind_names[] = {"auto",  "nonzero", "otsu",     "above",
                                         "below", "label",   "otsu-dark"};

const char *rug_foreground_kind_name(rug_foreground_kind kind)
{
    return RUGI_NAME(kind_names, kind);
}

/* Digits alone that make a whole number of 64 bits, signed or unsigned. */
static int parse_whole(rugi_whole *out, const char *text)
{
    int is_negative = text[0] == '-';
    const char *at = text + (is_negative || text[0] == '+');
    uint64_t most = is_negative ? (uint64_t)1 << 63 : UINT64_MAX, size = 0;
    if (*at == '\0')
        return 0;
    for (; *at >= '0' && *at <= '9'; at++) {
        unsigned digit = (unsigned)(*at - '0');
        if (size > (most - digit) / 10)
            return 0;
        size = 10 * size + digit;
    }
    *out = (rugi_whole){is_negative && size > 0, is_negative ? 0 - size : size};
    return *at == '\0';
}

/* T of a rule: a number, or "inf" and "-inf" as they are written by
 * rug_foreground_format(). */
static int parse_value(double *value, int64_t *rest, const char *text)
{
    rugi_whole whole;
    *rest = 0;
    if (parse_whole(&whole, text)) {
        *value = rugi_whole_split(whole, rest);
        return 1;
    }
    if (strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0) {
        *value = text[0] == '-' ? -INFINITY : INFINITY;
        return 1;
    }
    return rugi_parse_real(value, text);
}

rug_status rug_foreground_parse(rug_context *ctx, rug_foreground *out, const char *text)
{
    if (out != NULL)
        *out = (rug_foreground)RUG_FOREGROUND_INIT;
    if (out == NULL || text == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "foreground: NULL given");
    for (int k = RUG_FOREGROUND_AUTO; k <= RUG_FOREGROUND_OTSU_DARK; k++) {
        size_t n = strlen(kind_names[k]);
        if (strncmp(text, kind_names[k], n) != 0)
            continue;
        rug_foreground_kind kind = (rug_foreground_kind)k;
        if (!rugi_kind_has_value(kind) && text[n] == '\0') {
            out->kind = kind;
            return RUG_OK;
        }
        double value;
        int64_t rest;
        if (rugi_kind_has_value(kind) && text[n] == '=' &&
            parse_value(&value, &rest, text + n + 1)) {
            *out = (rug_foreground){kind, value, rest};
            return RUG_OK;
        }
    }
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "foreground '%s' given; auto, nonzero, otsu, otsu-dark, above=T, below=T or "
        "label=L expected, with a number for T or L",
        text);
}

void rug_foreground_format(char text[RUG_FOREGROUND_TEXT_MAX], rug_foreground rule)
{
    const char *name = rug_foreground_kind_name(rule.kind);
    if (!rugi_kind_has_value(rule.kind)) {
        snprintf(text, RUG_FOREGROUND_TEXT_MAX, "%s", name);
        return;
    }
    char number[RUGI_REAL_TEXT_MAX];
    rugi_format_exact(number, rule.value, rule.rest);
    snprintf(text, RUG_FOREGROUND_TEXT_MAX, "%s=%s", name, number);
}
