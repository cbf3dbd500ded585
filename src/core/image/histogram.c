/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Histograms of grey levels. The threshold is that of Otsu (1979), "A threshold selection method from
 * grey-level histograms", IEEE Trans. SMC 9(1). */

#include "histogram.h"
#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "source_internal.h"
#include <string.h>

/* Few bins are counted in several tables, so that equal neighbours do not wait for each other. */
#define FEW_BINS 4096
#define N_TABLES 4
/* Values of 8 bits, each of which has a slot of a table. */
#define N_BYTES 256

/* Pixels that get their bins at once. */
#define CHUNK 256

typedef struct histogram_state {
    RUGI_OWN_LINES rugi_histogram *h; /* of all threads; only its counts are written to */
    rug_dtype dtype;
    uint64_t least, n_bins; /* exact levels: that of bin 0 */
    size_t n_slots;         /* of a table: n_bins and one for others, or all of 8 bits */
    size_t n_tables;        /* 1 or N_TABLES */
    uint32_t *counts;       /* [n_tables][n_slots] */
    uint32_t n_counted;     /* pixels in counts */
    rugi_range_kernels kernels;
    int has_parts;      /* some floats are no whole numbers */
    rugi_exact *lowest; /* [n_bins + 1]; NULL: not wanted */
    double from;        /* second pass: where the upper class begins */
    rugi_exact upper;   /* second pass: the least value of the upper class */
} histogram_state;

/* Moves counts to the sums. */
static void drain(histogram_state *s)
{
    int is_byte = rug_dtype_size(s->dtype) == 1;
    for (size_t bin = 0; bin < s->n_bins; bin++) {
        size_t slot = is_byte ? (s->least + bin) % N_BYTES : bin;
        uint64_t sum = 0;
        for (size_t t = 0; t < s->n_tables; t++)
            sum += s->counts[t * s->n_slots + slot];
        if (sum > 0)
            atomic_fetch_add_explicit(&s->h->counts[bin], sum, memory_order_relaxed);
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
        uint64_t least = s->least, n_bins = s->n_bins;                              \
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
        double level = v[i] - (double)(int64_t)s->least;
        int is_level = level >= 0 && level < (double)s->n_bins;
        bin[i] = (uint32_t)(is_level ? level : (double)s->n_bins);
        s->has_parts |= is_level && level > (double)bin[i];
    }
}

/* What 64-bit integers have more than their nearest doubles. */
static rugi_exact exact_of(rug_dtype dtype, double v, const void *pixels, size_t i)
{
    rugi_exact e = {v + 0.0, 0}; /* -0 is 0 */
    if (dtype == RUG_U64)
        rugi_whole_split(rugi_whole_unsigned(((const uint64_t *)pixels)[i]), &e.rest);
    else if (dtype == RUG_I64)
        rugi_whole_split(rugi_whole_signed(((const int64_t *)pixels)[i]), &e.rest);
    return e;
}

/* The least values of bins, and whether all are whole numbers, as those beyond 2^53 are. */
static void keep_lowest(histogram_state *s, const uint32_t *bin, const double *v,
                        const void *pixels, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        rugi_exact e = exact_of(s->dtype, v[i], pixels, i);
        if (rugi_exact_is_less(e, s->lowest[bin[i]]))
            s->lowest[bin[i]] = e;
        double whole = fabs(v[i]) < 0x1p53 ? (double)(int64_t)v[i] : v[i];
        s->has_parts |= whole < v[i] || whole > v[i];
    }
}

static void scaled_segment(void *state, const void *pixels, size_t n)
{
    histogram_state *s = state;
    size_t size = rug_dtype_size(s->dtype);
    if (n > UINT32_MAX - s->n_counted)
        drain(s);
    s->n_counted += (uint32_t)n;
    for (size_t first = 0; first < n; first += CHUNK) {
        double v[CHUNK];
        uint32_t bin[CHUNK];
        size_t n_here = rugi_smaller(n - first, CHUNK);
        read_reals(v, s->dtype, pixels, first, n_here);
        if (s->h->is_exact)
            whole_bins(s, bin, v, n_here);
        else
            s->kernels.bins(bin, v, n_here, &s->h->bins);
        if (s->lowest != NULL)
            keep_lowest(s, bin, v, (const char *)pixels + first * size, n_here);
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
        least[k] = s->upper.value;
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++) {
            double above = v[i + k] >= s->from ? v[i + k] : (double)INFINITY;
            least[k] = above < least[k] ? above : least[k];
        }
    for (; i < n; i++)
        if (v[i] >= s->from && v[i] < least[0])
            least[0] = v[i];
    for (size_t k = 0; k < LANES; k++)
        s->upper.value = least[k] < s->upper.value ? least[k] : s->upper.value;
}

/* The same of a 64-bit integer, many of which may have the same nearest double. */
static void find_upper_whole(histogram_state *s, rugi_whole v)
{
    rugi_exact e;
    e.value = rugi_whole_split(v, &e.rest);
    if (e.value >= s->from && rugi_exact_is_less(e, s->upper))
        s->upper = e;
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

/* ---- The histogram ---- */

/* Whether a bin per level is enough. @param least  the least level */
static int has_exact_levels(rugi_whole *least, rug_dtype dtype,
                            const rug_image_range *range)
{
    rugi_whole most;
    return (dtype < RUG_F32 || fmax(fabs(range->min), fabs(range->max)) < 0x1p53) &&
           rugi_whole_of(least, range->min, range->min_rest) &&
           rugi_whole_of(&most, range->max, range->max_rest) &&
           most.bits - least->bits < RUGI_HISTOGRAM_MAX;
}

/* Equal bins of a range. */
static rugi_bins cut_range(const rug_image_range *range)
{
    int exponent = ilogb(fmax(fabs(range->min), fabs(range->max)));
    rugi_bins bins = {.min = range->min, .n = RUGI_HISTOGRAM_MAX};
    bins.scale = ldexp(1.0, exponent < -1000  ? 1000
                            : exponent > 1000 ? -1000
                                              : -exponent);
    bins.bins_per_unit =
        RUGI_HISTOGRAM_MAX / (range->max * bins.scale - range->min * bins.scale);
    return bins;
}

rugi_histogram rugi_histogram_plan(rug_dtype dtype, const rug_image_range *range,
                                   int has_parts)
{
    rugi_histogram h = {.dtype = dtype, .n_bins = RUGI_HISTOGRAM_MAX};
    h.is_exact = !has_parts && has_exact_levels(&h.least, dtype, range);
    if (h.is_exact) {
        rugi_whole most;
        rugi_whole_of(&most, range->max, range->max_rest);
        h.n_bins = (size_t)(most.bits - h.least.bits) + 1;
    } else {
        h.bins = cut_range(range);
    }
    return h;
}

/* Of n histograms. */
static rugi_exact *new_lowest(rug_context *ctx, size_t n_bins, size_t n)
{
    rugi_exact *lowest =
        rug_context_allocate(ctx, n * (n_bins + 1), sizeof *lowest, "histogram");
    for (size_t i = 0; lowest != NULL && i < n * (n_bins + 1); i++)
        lowest[i] = (rugi_exact){INFINITY, 0};
    return lowest;
}

rug_status rugi_histogram_begin(rug_context *ctx, rugi_histogram *h, int with_lowest)
{
    h->counts = rug_context_allocate(ctx, h->n_bins, sizeof *h->counts, "histogram");
    if (h->counts == NULL)
        return RUG_E_NOMEM;
    for (size_t bin = 0; bin < h->n_bins; bin++)
        atomic_init(&h->counts[bin], 0);
    if (h->is_exact || !with_lowest)
        return RUG_OK;
    h->lowest = new_lowest(ctx, h->n_bins, 1);
    return h->lowest != NULL ? RUG_OK : RUG_E_NOMEM;
}

void rugi_histogram_free(rug_context *ctx, rugi_histogram *h)
{
    rug_context_release(ctx, h->counts);
    rug_context_release(ctx, h->lowest);
}

/* What threads begin with. */
static histogram_state plan_state(rug_context *ctx, rugi_histogram *h)
{
    histogram_state s = {.h = h, .dtype = h->dtype, .n_bins = h->n_bins};
    int is_byte = rug_dtype_size(s.dtype) == 1;
    s.least = h->least.bits;
    s.n_slots = is_byte ? N_BYTES : h->n_bins + 1;
    s.n_tables = is_byte || h->n_bins <= FEW_BINS ? N_TABLES : 1;
    rugi_range_kernels_at(&s.kernels, rug_context_cpu_level(ctx));
    return s;
}

static rug_status count_with_states(rug_context *ctx, rugi_histogram *h,
                                    const rug_source *source, const rug_source *mask,
                                    histogram_state *states)
{
    int n_states = rug_context_threads(ctx);
    rug_status status = rugi_source_for_segments(
        ctx, source, mask,
        h->is_exact && h->dtype < RUG_F32 ? exact_segment : scaled_segment, states,
        sizeof *states);
    for (int t = 0; t < n_states; t++) {
        drain(&states[t]);
        h->has_parts |= states[t].has_parts;
        for (size_t bin = 0; t > 0 && h->lowest != NULL && bin < h->n_bins; bin++)
            if (rugi_exact_is_less(states[t].lowest[bin], h->lowest[bin]))
                h->lowest[bin] = states[t].lowest[bin];
    }
    return status;
}

rug_status rugi_histogram_count(rug_context *ctx, rugi_histogram *h,
                                const rug_source *source, const rug_source *mask)
{
    const histogram_state plan = plan_state(ctx, h);
    size_t n_threads = (size_t)rug_context_threads(ctx);
    size_t n_each = plan.n_slots * plan.n_tables;
    histogram_state *states =
        rug_context_allocate(ctx, n_threads, sizeof *states, "histogram states");
    uint32_t *counts =
        rugi_allocate_zeros(ctx, n_threads * n_each, sizeof *counts, "histogram");
    rugi_exact *lowest = /* of all threads but the first */
        h->lowest != NULL ? new_lowest(ctx, h->n_bins, n_threads - 1) : NULL;
    rug_status status = RUG_E_NOMEM;
    if (states != NULL && counts != NULL && (lowest == NULL) == (h->lowest == NULL)) {
        for (size_t t = 0; t < n_threads; t++) {
            states[t] = plan;
            states[t].counts = counts + t * n_each;
            if (h->lowest != NULL)
                states[t].lowest =
                    t == 0 ? h->lowest : lowest + (t - 1) * (h->n_bins + 1);
        }
        status = count_with_states(ctx, h, source, mask, states);
    }
    rug_context_release(ctx, lowest);
    rug_context_release(ctx, counts);
    rug_context_release(ctx, states);
    return status;
}

/* ---- The threshold ---- */

/* Otsu's eq. 18 without its constant factors: the first bin k that makes the
 * between-class variance of {0..k} and {k+1..} largest. */
size_t rugi_histogram_otsu(const rugi_histogram *h)
{
    const _Atomic uint64_t *counts = h->counts;
    size_t n_bins = h->n_bins;
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

/* The level is above 0 if that of bin 0 is not, since all levels are of one dtype. */
rugi_exact rugi_histogram_level(const rugi_histogram *h, size_t bin)
{
    rugi_exact e;
    uint64_t bits = h->least.bits + bin;
    rugi_whole level = {h->least.is_negative && bits >= h->least.bits, bits};
    e.value = rugi_whole_split(level, &e.rest);
    return e;
}

/* That is a value of the image, not an edge, so that rounding cannot move a pixel from one class to
 * the other. */
rug_status rugi_histogram_upper(rug_context *ctx, rugi_exact *out, rugi_histogram *h,
                                const rug_image_range *range, size_t below,
                                const rug_source *source, const rug_source *mask)
{
    int n_threads = rug_context_threads(ctx);
    histogram_state *states =
        rug_context_allocate(ctx, (size_t)n_threads, sizeof *states, "histogram states");
    if (states == NULL)
        return RUG_E_NOMEM;
    for (int t = 0; t < n_threads; t++) {
        states[t] = plan_state(ctx, h);
        states[t].from = end_of_bin(&h->bins, range->min, range->max, below);
        states[t].upper = (rugi_exact){INFINITY, 0};
    }
    rug_status status = rugi_source_for_segments(ctx, source, mask, upper_segment, states,
                                                 sizeof *states);
    *out = states[0].upper;
    for (int t = 1; t < n_threads; t++)
        if (rugi_exact_is_less(states[t].upper, *out))
            *out = states[t].upper;
    rug_context_release(ctx, states);
    return status;
}
