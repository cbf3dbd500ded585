/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels of counting boxes of any size, at each level: two words at a time in
 * portable C where the compiler has vectors (else one), four with AVX2, eight with
 * AVX-512. */

#include "core/context/levels.h"

#if RUGI_VECTOR_BYTES > 0
#include <immintrin.h>
#define RUGI_LANES (RUGI_VECTOR_BYTES / 8)
#elif defined __GNUC__
#define RUGI_LANES 2
#else
#define RUGI_LANES 1
#endif
#include "boxcount_window_tmpl.h"

/* ---- What levels do in their own way ---- */

/* Bits to numbers without shifts, which many vectors cannot do by lane. */
static inline void plain_columns(uint64_t *counts, rugi_planes p, size_t n)
{
    uint64_t bit[64];
    for (int k = 0; k < 64; k++)
        bit[k] = (uint64_t)1 << k;
    for (size_t i = 0; i < n; i++, counts += 64) {
        memset(counts, 0, 64 * sizeof *counts);
        for (int l = 0; l < p.n_planes; l++) {
            uint64_t word = p.words[(size_t)l * p.stride + i], worth = (uint64_t)1 << l;
            for (int k = 0; k < 64; k++)
                counts[k] += (word & bit[k]) != 0 ? worth : 0;
        }
    }
}

#if RUGI_VECTOR_BYTES == 64

static inline lanes word_counts(lanes x)
{
    return (lanes)_mm512_popcnt_epi64((__m512i)x);
}

static inline lanes below_last(lanes x)
{
    __m512i n_before = _mm512_lzcnt_epi64((__m512i)x); /* 64 shift all bits out */
    return (lanes)_mm512_srlv_epi64(_mm512_set1_epi64(INT64_MAX), n_before);
}

static inline uint64_t sum_of_lanes(lanes x)
{
    return (uint64_t)_mm512_reduce_add_epi64((__m512i)x);
}

static inline int has_bits(lanes x)
{
    return _mm512_test_epi64_mask((__m512i)x, (__m512i)x) != 0;
}

/* Eight bits are the mask of an addition. */
static void columns(uint64_t *counts, rugi_planes p, size_t n)
{
    for (size_t i = 0; i < n; i++, counts += 64) {
        __m512i sum[8];
        for (int k = 0; k < 8; k++)
            sum[k] = _mm512_setzero_si512();
        for (int l = 0; l < p.n_planes; l++) {
            uint64_t word = p.words[(size_t)l * p.stride + i];
            __m512i worth = _mm512_set1_epi64((int64_t)((uint64_t)1 << l));
            for (int k = 0; k < 8; k++)
                sum[k] = _mm512_mask_add_epi64(sum[k], (__mmask8)(word >> 8 * k), sum[k],
                                               worth);
        }
        for (int k = 0; k < 8; k++)
            _mm512_storeu_si512(counts + 8 * k, sum[k]);
    }
}

#elif RUGI_VECTOR_BYTES == 32

/* Four bits at a time by table (Muła, Kurz and Lemire 2018). */
static inline lanes word_counts(lanes x)
{
    const __m256i table =
        _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2,
                         2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(15);
    __m256i v = (__m256i)x;
    __m256i a = _mm256_shuffle_epi8(table, _mm256_and_si256(v, low));
    __m256i b =
        _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(v, 4), low));
    return (lanes)_mm256_sad_epu8(_mm256_add_epi8(a, b), _mm256_setzero_si256());
}

static inline lanes below_last(lanes x)
{
    return plain_below_last(x);
}

static inline uint64_t sum_of_lanes(lanes x)
{
    return plain_sum_of_lanes(x);
}

static inline int has_bits(lanes x)
{
    return !_mm256_testz_si256((__m256i)x, (__m256i)x);
}

static void columns(uint64_t *counts, rugi_planes p, size_t n)
{
    plain_columns(counts, p, n);
}

#else

static inline lanes word_counts(lanes x)
{
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    x += x >> 8;
    x += x >> 16;
    return (x + (x >> 32)) & 0xff;
}

static inline lanes below_last(lanes x)
{
    return plain_below_last(x);
}

static inline uint64_t sum_of_lanes(lanes x)
{
    return plain_sum_of_lanes(x);
}

static inline int has_bits(lanes x)
{
    return plain_has_bits(x);
}

static void columns(uint64_t *counts, rugi_planes p, size_t n)
{
    plain_columns(counts, p, n);
}

#endif

/* ---- Sliced numbers: all numbers of a vector are added or compared at once, bit by bit
 * ---- */

static void add(const rugi_counter *c, size_t at, uint64_t *bits, size_t n)
{
    for (int l = 0; l < c->n_planes; l++) {
        uint64_t *sums = c->sums + (size_t)l * c->stride + at;
        uint64_t *held = c->held + (size_t)l * c->stride + at;
        if ((c->n_added >> l & 1) == 0) {
            memcpy(held, bits, n * sizeof *bits);
            return;
        }
        int is_empty = c->n_added >> l == 1;
        for (size_t i = 0; i < n; i += RUGI_LANES) {
            lanes a = {0}, b = load_lanes(held + i), d = load_lanes(bits + i);
            if (!is_empty)
                a = load_lanes(sums + i);
            store_lanes(sums + i, a ^ b ^ d);
            store_lanes(bits + i, (a & b) | (d & (a ^ b)));
        }
    }
}

static void read_counter(rugi_planes dst, const rugi_counter *c, size_t at, size_t n)
{
    size_t i = 0;
    for (; i < n; i += RUGI_LANES) {
        lanes carry = {0};
        for (int l = 0; l < c->n_planes; l++) {
            size_t from = (size_t)l * c->stride + at + i;
            lanes a = {0}, b = {0};
            if (c->n_added >> l > 1)
                a = load_lanes(c->sums + from);
            if (c->n_added >> l & 1)
                b = load_lanes(c->held + from);
            store_lanes(dst.words + (size_t)l * dst.stride + i, a ^ b ^ carry);
            carry = (a & b) | (carry & (a ^ b));
        }
    }
    for (int l = 0; l < c->n_planes; l++)
        for (size_t k = n; k < i; k++)
            dst.words[(size_t)l * dst.stride + k] = 0;
}

/* The bits of two words from bit `shift` of the first on. */
static inline lanes load_shifted(const uint64_t *from, uint64_t shift)
{
    lanes v = load_lanes(from);
    return shift == 0 ? v : v >> shift | load_lanes(from + 1) << (64 - shift);
}

/* The same numbers, in as many planes as dst has. */
static inline void copy_planes(rugi_planes dst, rugi_planes src)
{
    for (int l = 0; l < dst.n_planes; l++) {
        lanes v = {0};
        if (l < src.n_planes)
            v = load_lanes(src.words + (size_t)l * src.stride);
        store_lanes(dst.words + (size_t)l * dst.stride, v);
    }
}

/* Adds the numbers from bit `shift` of src on to those of dst. */
static inline void add_planes(rugi_planes dst, rugi_planes src, uint64_t shift)
{
    lanes carry = {0};
    for (int l = 0; l < src.n_planes; l++) {
        uint64_t *to = dst.words + (size_t)l * dst.stride;
        lanes a = load_lanes(to);
        lanes b = load_shifted(src.words + (size_t)l * src.stride, shift);
        store_lanes(to, a ^ b ^ carry);
        carry = (a & b) | (carry & (a ^ b));
    }
    for (int l = src.n_planes; l < dst.n_planes; l++) {
        uint64_t *to = dst.words + (size_t)l * dst.stride;
        lanes a = load_lanes(to);
        store_lanes(to, a ^ carry);
        carry &= a;
    }
}

static void fold(rugi_planes dst, rugi_planes src, size_t n_pieces, size_t period)
{
    for (size_t i = 0; i < dst.stride; i += RUGI_LANES) {
        rugi_planes to = dst, from = src;
        to.words += i;
        from.words += i;
        copy_planes(to, from);
        for (size_t k = 1; k < n_pieces; k++) {
            from.words = src.words + k * period / 64 + i;
            add_planes(to, from, k * period % 64);
        }
    }
}

static uint64_t survey(int *is_beyond, rugi_planes p, const uint64_t *mask,
                       const uint64_t range[2])
{
    lanes sum = {0}, beyond = {0};
    for (size_t i = 0; i < p.stride; i += RUGI_LANES) {
        lanes valid = load_lanes(mask + i), below = {0}, above = {0};
        for (int l = 0; l < p.n_planes; l++) { /* a higher bit overrules those before */
            lanes v = load_lanes(p.words + (size_t)l * p.stride + i) & valid;
            sum += word_counts(v) << (uint64_t)l;
            below = range[0] >> l & 1 ? below | ~v : below & ~v;
            above = range[1] >> l & 1 ? above & v : above | v;
        }
        beyond |= (below & valid) | above;
    }
    *is_beyond = has_bits(beyond);
    return sum_of_lanes(sum);
}

void RUGI_AT_LEVEL(rugi_window_set_kernels)(rugi_window_kernels *kernels)
{
    static const rugi_window_kernels all = {RUGI_LEVEL_ENGINE,
                                            join_box,
                                            {join_lines_any, join_lines_all},
                                            {join_pair_any, join_pair_all},
                                            {slide_any, slide_all},
                                            {windows_any, windows_all},
                                            count,
                                            is_zero,
                                            add,
                                            read_counter,
                                            fold,
                                            survey,
                                            columns};
    *kernels = all;
}
