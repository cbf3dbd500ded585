/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Foreground rules: reading, writing and resolving them. The threshold is that of Otsu
 * (1979), "A threshold selection method from gray-level histograms", IEEE Trans. SMC
 * 9(1). */

#include "image_internal.h"
#include "threads.h"
#include <ctype.h>
#include <math.h>
#include <rugose/foreground.h>
#include <rugose/number.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BINS 65536
/* Few bins are counted in several tables, so that equal neighbours do not wait for each
 * other. */
#define FEW_BINS 4096
#define N_TABLES 4

typedef struct histogram_state {
    rug_dtype dtype;
    double min, bins_per_unit;
    size_t n_bins;
    size_t n_tables;  /* 1 or N_TABLES */
    uint64_t *counts; /* [n_tables][n_bins] */
} histogram_state;

#define DEFINE_INTEGER_HISTOGRAM(name, type, wide)                            \
    static void histogram_##name(histogram_state *s, const type *v, size_t n) \
    {                                                                         \
        wide min = (wide)s->min;                                              \
        size_t table = 0;                                                     \
        for (size_t i = 0; i < n; i++) {                                      \
            s->counts[table + (size_t)((wide)v[i] - min)]++;                  \
            table = s->n_tables == 1 ? 0 : (i + 1) % N_TABLES * s->n_bins;    \
        }                                                                     \
    }

DEFINE_INTEGER_HISTOGRAM(u8, uint8_t, int64_t)
DEFINE_INTEGER_HISTOGRAM(i8, int8_t, int64_t)
DEFINE_INTEGER_HISTOGRAM(u16, uint16_t, int64_t)
DEFINE_INTEGER_HISTOGRAM(i16, int16_t, int64_t)
DEFINE_INTEGER_HISTOGRAM(u32, uint32_t, int64_t)
DEFINE_INTEGER_HISTOGRAM(i32, int32_t, int64_t)

/* Floats, and integers of a wide range: equal bins. Halving keeps the difference finite.
 */
static void count_scaled(histogram_state *s, double v)
{
    if (!isfinite(v))
        return;
    double bin = (v / 2 - s->min / 2) * s->bins_per_unit;
    size_t b = (size_t)bin;
    s->counts[b < s->n_bins ? b : s->n_bins - 1]++;
}

#define SCALED(type)               \
    for (size_t i = 0; i < n; i++) \
    count_scaled(s, (double)((const type *)cells)[i])

static void scaled_segment(void *state, const void *cells, size_t n)
{
    histogram_state *s = state;
    switch (s->dtype) {
    case RUG_U32: SCALED(uint32_t); break;
    case RUG_I32: SCALED(int32_t); break;
    case RUG_U64: SCALED(uint64_t); break;
    case RUG_I64: SCALED(int64_t); break;
    case RUG_F32: SCALED(float); break;
    default: SCALED(double); break;
    }
}

static void exact_segment(void *state, const void *cells, size_t n)
{
    histogram_state *s = state;
    switch (s->dtype) {
    case RUG_U8: histogram_u8(s, cells, n); break;
    case RUG_I8: histogram_i8(s, cells, n); break;
    case RUG_U16: histogram_u16(s, cells, n); break;
    case RUG_I16: histogram_i16(s, cells, n); break;
    case RUG_U32: histogram_u32(s, cells, n); break;
    default: histogram_i32(s, cells, n); break;
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

static int has_exact_levels(rug_dtype dtype, const rug_image_range *range)
{
    int narrow =
        dtype != RUG_F32 && dtype != RUG_F64 && dtype != RUG_U64 && dtype != RUG_I64;
    return narrow && range->max - range->min < MAX_BINS;
}

static histogram_state plan_histogram(const rug_image *img, const rug_image_range *range)
{
    histogram_state s = {.dtype = rugi_segment_dtype(img->dtype), .min = range->min};
    if (has_exact_levels(s.dtype, range)) {
        s.n_bins = (size_t)(range->max - range->min) + 1;
    } else {
        s.n_bins = MAX_BINS;
        s.bins_per_unit = MAX_BINS / (range->max / 2 - range->min / 2);
    }
    s.n_tables = s.n_bins <= FEW_BINS ? N_TABLES : 1;
    return s;
}

/* The threshold as a value: the lower end of the bin after Otsu's. */
static double otsu_value(const histogram_state *s, const uint64_t *counts)
{
    double first = (double)(otsu_bin(counts, s->n_bins) + 1);
    if (s->bins_per_unit == 0.0)
        return s->min + first;
    return s->min + 2 * (first / s->bins_per_unit);
}

static rug_status otsu(rug_context *ctx, double *threshold, const rug_image *img,
                       const rug_image_range *range)
{
    size_t n_threads = (size_t)rug_context_threads(ctx);
    histogram_state plan = plan_histogram(img, range);
    size_t n_counts = plan.n_bins * plan.n_tables;
    histogram_state *states =
        rug_context_allocate(ctx, n_threads, sizeof *states, "histogram states");
    uint64_t *counts =
        rug_context_allocate(ctx, n_threads * n_counts, sizeof *counts, "histogram");
    rug_status status = RUG_E_NOMEM;
    if (states == NULL || counts == NULL)
        goto done;
    memset(counts, 0, n_threads * n_counts * sizeof *counts);
    for (size_t t = 0; t < n_threads; t++) {
        states[t] = plan;
        states[t].counts = counts + t * n_counts;
    }
    status = rugi_image_for_segments(
        ctx, img, plan.bins_per_unit == 0.0 ? exact_segment : scaled_segment, states,
        sizeof *states);
    if (status != RUG_OK)
        goto done;
    for (size_t i = plan.n_bins; i < n_threads * n_counts; i++)
        counts[i % plan.n_bins] += counts[i];
    *threshold = otsu_value(&plan, counts);
done:
    rug_context_release(ctx, counts);
    rug_context_release(ctx, states);
    return status;
}

static rug_status resolve(rug_context *ctx, rug_foreground *out, const rug_image *img,
                          const rug_image_range *range, rug_foreground asked)
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
    return otsu(ctx, &out->value, img, range);
}

rug_status rug_foreground_resolve(rug_context *ctx, rug_foreground *out,
                                  const rug_image *img, const rug_image_range *range,
                                  rug_foreground asked)
{
    if (out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "foreground: NULL given");
    *out = (rug_foreground)RUG_FOREGROUND_INIT;
    rug_status status = rugi_image_check(ctx, img);
    if (status != RUG_OK)
        return status;
    if ((unsigned)asked.kind > RUG_FOREGROUND_LABEL)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "foreground kind %d given, 0..%d expected",
                                (int)asked.kind, RUG_FOREGROUND_LABEL);
    if (asked.kind >= RUG_FOREGROUND_ABOVE && isnan(asked.value))
        return rug_context_fail(ctx, RUG_E_ARG, "foreground: threshold NaN given");
    if (asked.kind != RUG_FOREGROUND_AUTO && asked.kind != RUG_FOREGROUND_OTSU) {
        *out = asked;
        return RUG_OK;
    }
    rug_image_range own;
    if (range == NULL) {
        status = rug_image_measure_range(ctx, &own, img);
        if (status != RUG_OK)
            return status;
        range = &own;
    }
    rug_foreground resolved = RUG_FOREGROUND_INIT;
    status = resolve(ctx, &resolved, img, range, asked);
    if (status == RUG_OK)
        *out = resolved;
    return status;
}

static const char *const kind_names[] = {"auto",  "nonzero", "otsu",
                                         "above", "below",   "label"};

rug_status rug_foreground_parse(rug_context *ctx, rug_foreground *out, const char *text)
{
    if (out == NULL || text == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "foreground: NULL given");
    *out = (rug_foreground)RUG_FOREGROUND_INIT;
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
            rug_parse_real(&value, text + n + 1)) {
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
