/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Foreground rules: reading, writing and resolving them. The threshold is that of Otsu
 * (1979), "A threshold selection method from grey-level histograms", IEEE Trans. SMC
 * 9(1). */

#include "core/context/context_internal.h"
#include "number.h"
#include "predicate.h"
#include "source_internal.h"
#include <math.h>
#include <rugose/foreground.h>
#include <stdio.h>
#include <string.h>

#define MAX_BINS 65536
/* Few bins are counted in several tables, so that equal neighbours do not wait for each
 * other. */
#define FEW_BINS 4096
#define N_TABLES 4

typedef struct histogram_state {
    rug_dtype dtype;
    int is_exact; /* a bin per level, else equal bins */
    double min;
    double scale;         /* equal bins: a power of two that brings values near 1 */
    double bins_per_unit; /* of scaled values */
    size_t n_bins;
    size_t n_tables;  /* 1 or N_TABLES */
    uint64_t *counts; /* [n_tables][n_bins] */
    size_t below;     /* second pass: the last bin of the lower class */
    double least;     /* second pass: the least value of the upper class */
} histogram_state;

#define DEFINE_INTEGER_HISTOGRAM(name, type, wide)                              \
    static void histogram_##name(histogram_state *s, const type *v, size_t n)   \
    {                                                                           \
        wide min = (wide)s->min;                                                \
        size_t table = 0;                                                       \
        for (size_t i = 0; i < n; i++) {                                        \
            size_t bin = (size_t)((wide)v[i] - min);                            \
            if (bin < s->n_bins) /* a range of another image must do no harm */ \
                s->counts[table + bin]++;                                       \
            table = s->n_tables == 1 ? 0 : (i + 1) % N_TABLES * s->n_bins;      \
        }                                                                       \
    }

DEFINE_INTEGER_HISTOGRAM(u8, uint8_t, int64_t)
DEFINE_INTEGER_HISTOGRAM(i8, int8_t, int64_t)
DEFINE_INTEGER_HISTOGRAM(u16, uint16_t, int64_t)
DEFINE_INTEGER_HISTOGRAM(i16, int16_t, int64_t)
DEFINE_INTEGER_HISTOGRAM(u32, uint32_t, int64_t)
DEFINE_INTEGER_HISTOGRAM(i32, int32_t, int64_t)
DEFINE_INTEGER_HISTOGRAM(u64, uint64_t, uint64_t)
DEFINE_INTEGER_HISTOGRAM(i64, int64_t, int64_t)

/* The equal bin of a finite value. Never falls when the value rises. */
static size_t bin_of(const histogram_state *s, double v)
{
    double bin = (v * s->scale - s->min * s->scale) * s->bins_per_unit;
    if (!(bin > 0))
        return 0;
    return bin < (double)s->n_bins ? (size_t)bin : s->n_bins - 1;
}

static void count_scaled(histogram_state *s, double v)
{
    if (isfinite(v))
        s->counts[bin_of(s, v)]++;
}

static void find_least(histogram_state *s, double v)
{
    if (v < s->least && isfinite(v) && bin_of(s, v) > s->below)
        s->least = v;
}

/* Shows the pixels of a segment, whatever their type, to a function. */
#define FOR_PIXELS(type, fn)       \
    for (size_t i = 0; i < n; i++) \
    fn(s, (double)((const type *)pixels)[i])

#define DEFINE_SCALED_SEGMENT(name, fn)                         \
    static void name(void *state, const void *pixels, size_t n) \
    {                                                           \
        histogram_state *s = state;                             \
        switch (s->dtype) {                                     \
        case RUG_U32: FOR_PIXELS(uint32_t, fn); break;          \
        case RUG_I32: FOR_PIXELS(int32_t, fn); break;           \
        case RUG_U64: FOR_PIXELS(uint64_t, fn); break;          \
        case RUG_I64: FOR_PIXELS(int64_t, fn); break;           \
        case RUG_F32: FOR_PIXELS(float, fn); break;             \
        default: FOR_PIXELS(double, fn); break;                 \
        }                                                       \
    }

DEFINE_SCALED_SEGMENT(scaled_segment, count_scaled)
DEFINE_SCALED_SEGMENT(least_segment, find_least)

static void exact_segment(void *state, const void *pixels, size_t n)
{
    histogram_state *s = state;
    switch (s->dtype) {
    case RUG_U8: histogram_u8(s, pixels, n); break;
    case RUG_I8: histogram_i8(s, pixels, n); break;
    case RUG_U16: histogram_u16(s, pixels, n); break;
    case RUG_I16: histogram_i16(s, pixels, n); break;
    case RUG_U32: histogram_u32(s, pixels, n); break;
    case RUG_U64: histogram_u64(s, pixels, n); break;
    case RUG_I64: histogram_i64(s, pixels, n); break;
    default: histogram_i32(s, pixels, n); break;
    }
}

/* Otsu's eq. 18 without its constant factors: the first bin k that makes the
 * between-class variance of {0..k} and {k+1..} largest. */
static size_t otsu_bin(const uint64_t *counts, size_t n_bins)
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

/* Doubles hold all integers up to here. */
#define EXACT_MAX 9007199254740992.0

static int has_exact_levels(rug_dtype dtype, const rug_image_range *range)
{
    return dtype != RUG_F32 && dtype != RUG_F64 && range->max - range->min < MAX_BINS &&
           range->min >= -EXACT_MAX && range->max <= EXACT_MAX;
}

static histogram_state plan_histogram(const rug_source *source,
                                      const rug_image_range *range)
{
    histogram_state s = {.dtype = rugi_segment_dtype(source->dtype), .min = range->min};
    s.is_exact = has_exact_levels(s.dtype, range);
    if (s.is_exact) {
        s.n_bins = (size_t)(range->max - range->min) + 1;
    } else {
        int exponent = ilogb(fmax(fabs(range->min), fabs(range->max)));
        s.n_bins = MAX_BINS;
        s.scale = ldexp(1.0, exponent < -1000  ? 1000
                             : exponent > 1000 ? -1000
                                               : -exponent);
        s.bins_per_unit = MAX_BINS / (range->max * s.scale - range->min * s.scale);
    }
    s.n_tables = s.n_bins <= FEW_BINS ? N_TABLES : 1;
    return s;
}

/* The least value of the upper class. With equal bins that is a value of the image, not
 * an edge, so that rounding cannot move a pixel from one class to the other. */
static rug_status least_of_upper(rug_context *ctx, double *threshold,
                                 const rug_source *source, const rug_source *mask,
                                 histogram_state *states)
{
    size_t below = otsu_bin(states[0].counts, states[0].n_bins);
    *threshold = states[0].min + (double)(below + 1);
    if (states[0].is_exact)
        return RUG_OK;
    int n_threads = rug_context_threads(ctx);
    for (int t = 0; t < n_threads; t++) {
        states[t].below = below;
        states[t].least = INFINITY;
    }
    rug_status status = rugi_source_for_segments(ctx, source, mask, least_segment, states,
                                                 sizeof *states);
    *threshold = INFINITY;
    for (int t = 0; t < n_threads; t++)
        *threshold = fmin(*threshold, states[t].least);
    return status;
}

static rug_status count_levels(rug_context *ctx, const rug_source *source,
                               const rug_source *mask, histogram_state *states,
                               uint64_t *counts, size_t n_counts)
{
    rug_status status = rugi_source_for_segments(
        ctx, source, mask, states[0].is_exact ? exact_segment : scaled_segment, states,
        sizeof *states);
    for (size_t i = states[0].n_bins; i < n_counts; i++)
        counts[i % states[0].n_bins] += counts[i];
    return status;
}

static rug_status otsu(rug_context *ctx, double *threshold, const rug_source *source,
                       const rug_source *mask, const rug_image_range *range)
{
    size_t n_threads = (size_t)rug_context_threads(ctx);
    histogram_state plan = plan_histogram(source, range);
    size_t n_each = plan.n_bins * plan.n_tables, n_counts = n_threads * n_each;
    histogram_state *states =
        rug_context_allocate(ctx, n_threads, sizeof *states, "histogram states");
    uint64_t *counts = rug_context_allocate(ctx, n_counts, sizeof *counts, "histogram");
    rug_status status = states != NULL && counts != NULL ? RUG_OK : RUG_E_NOMEM;
    if (status != RUG_OK)
        goto done;
    memset(counts, 0, n_counts * sizeof *counts);
    for (size_t t = 0; t < n_threads; t++) {
        states[t] = plan;
        states[t].counts = counts + t * n_each;
    }
    RUGI_PHASE(ctx, 0, 0.7, status,
               count_levels(ctx, source, mask, states, counts, n_counts));
    RUGI_PHASE(ctx, 0.7, 1, status, least_of_upper(ctx, threshold, source, mask, states));
done:
    rug_context_release(ctx, counts);
    rug_context_release(ctx, states);
    return status;
}

static rug_status resolve(rug_context *ctx, rug_foreground *out, const rug_source *source,
                          const rug_source *mask, const rug_image_range *range,
                          rug_foreground asked)
{
    if (!(range->min < range->max)) { /* flat, or no finite value at all */
        *out = (rug_foreground){RUG_FOREGROUND_NONZERO, 0.0};
        return RUG_OK;
    }
    int two_valued = range->n_distinct == 2 && !range->distinct_is_min;
    out->kind = RUG_FOREGROUND_ABOVE;
    if (asked.kind == RUG_FOREGROUND_AUTO && two_valued) {
        out->value = range->max;
        return RUG_OK;
    }
    return otsu(ctx, &out->value, source, mask, range);
}

/* The source and the mask are checked. */
static rug_status resolve_checked(rug_context *ctx, rug_foreground *out,
                                  const rug_source *source, const rug_source *mask,
                                  const rug_image_range *range, rug_foreground asked)
{
    rug_status status = RUG_OK;
    if ((unsigned)asked.kind > RUG_FOREGROUND_LABEL)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "foreground kind %d given, 0..%d expected",
                                (int)asked.kind, RUG_FOREGROUND_LABEL);
    if (asked.kind >= RUG_FOREGROUND_ABOVE && isnan(asked.value))
        return rug_context_fail(ctx, RUG_E_ARG, "foreground: threshold NaN given");
    if (!rugi_rule_is_open(asked)) {
        *out = asked;
        return RUG_OK;
    }
    rug_image_range own;
    rug_foreground resolved = RUG_FOREGROUND_INIT;
    if (range == NULL)
        RUGI_PHASE(ctx, 0, 0.5, status, rugi_source_range(ctx, &own, source, mask));
    RUGI_PHASE(
        ctx, range == NULL ? 0.5 : 0, 1, status,
        resolve(ctx, &resolved, source, mask, range == NULL ? &own : range, asked));
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
    rug_status status = rugi_source_check(ctx, source, mask);
    return status == RUG_OK ? resolve_checked(ctx, out, source, mask, range, asked)
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

static const char *const kind_names[] = {"auto",  "nonzero", "otsu",
                                         "above", "below",   "label"};

/* T of a rule: a number, or "inf" and "-inf" as they are written by
 * rug_foreground_format(). */
static int parse_value(double *value, const char *text)
{
    if (strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0) {
        *value = text[0] == '-' ? -INFINITY : INFINITY;
        return 1;
    }
    return rug_parse_real(value, text);
}

rug_status rug_foreground_parse(rug_context *ctx, rug_foreground *out, const char *text)
{
    if (out != NULL)
        *out = (rug_foreground)RUG_FOREGROUND_INIT;
    if (out == NULL || text == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "foreground: NULL given");
    for (int k = RUG_FOREGROUND_AUTO; k <= RUG_FOREGROUND_LABEL; k++) {
        size_t n = strlen(kind_names[k]);
        if (strncmp(text, kind_names[k], n) != 0)
            continue;
        if (k < RUG_FOREGROUND_ABOVE && text[n] == '\0') {
            out->kind = (rug_foreground_kind)k;
            return RUG_OK;
        }
        double value;
        if (k >= RUG_FOREGROUND_ABOVE && text[n] == '=' &&
            parse_value(&value, text + n + 1)) {
            *out = (rug_foreground){(rug_foreground_kind)k, value};
            return RUG_OK;
        }
    }
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "foreground '%s' given; auto, nonzero, otsu, above=T, below=T or "
        "label=L expected, with a number for T or L",
        text);
}

void rug_foreground_format(char text[RUG_FOREGROUND_TEXT_MAX], rug_foreground rule)
{
    const char *name =
        (unsigned)rule.kind <= RUG_FOREGROUND_LABEL ? kind_names[rule.kind] : "?";
    if (rule.kind < RUG_FOREGROUND_ABOVE) {
        snprintf(text, RUG_FOREGROUND_TEXT_MAX, "%s", name);
        return;
    }
    char number[RUG_REAL_TEXT_MAX];
    rug_format_real(number, rule.value);
    snprintf(text, RUG_FOREGROUND_TEXT_MAX, "%s=%s", name, number);
}
