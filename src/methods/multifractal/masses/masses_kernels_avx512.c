/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The AVX-512 kernels of flags and of 8-bit pixels. Ends of rows are masked, and what is
 * masked adds nothing. */

#include "masses_kernels.h"
#include <immintrin.h>

#define COMPARED_SIZE 17

static inline __mmask64 first_bytes(size_t n)
{
    return n >= 64 ? ~(__mmask64)0 : ((__mmask64)1 << n) - 1;
}

static inline __mmask32 first_words(size_t n)
{
    return n >= 32 ? ~(__mmask32)0 : ((__mmask32)1 << n) - 1;
}

/* The sums of neighbours among 64 bytes of each row, as 16-bit words. */
static inline __m512i pairs_of_bytes(const void *const *rows, int n_rows, size_t at,
                                     __mmask64 these)
{
    const __m512i one = _mm512_set1_epi8(1);
    __m512i sum = _mm512_setzero_si512();
    for (int r = 0; r < n_rows; r++)
        sum = _mm512_add_epi16(
            sum, _mm512_maddubs_epi16(
                     _mm512_maskz_loadu_epi8(these, (const uint8_t *)rows[r] + at), one));
    return sum;
}

static inline void join_u8_u16_of(uint16_t *out, const void *const *rows, int n_rows,
                                  size_t n)
{
    for (size_t i = 0; i < n; i += 32)
        _mm512_mask_storeu_epi16(
            out + i, first_words(n - i),
            pairs_of_bytes(rows, n_rows, 2 * i, first_bytes(2 * (n - i))));
}

static inline void join_u8_u8_of(uint8_t *out, const void *const *rows, int n_rows,
                                 size_t n)
{
    for (size_t i = 0; i < n; i += 32) {
        __m512i sum = pairs_of_bytes(rows, n_rows, 2 * i, first_bytes(2 * (n - i)));
        _mm256_mask_storeu_epi8(out + i, first_words(n - i), _mm512_cvtepi16_epi8(sum));
    }
}

/* Sums of rows are below 2^15, as the signed multiplication needs: 2 * 16320 of an image,
 * 4 * 2040 of a volume. */
static inline void join_u16_u16_of(uint16_t *out, const void *const *rows, int n_rows,
                                   size_t n)
{
    const __m512i one = _mm512_set1_epi16(1);
    for (size_t i = 0; i < n; i += 16) {
        __mmask32 these = first_words(2 * (n - i));
        __m512i sum = _mm512_setzero_si512();
        for (int r = 0; r < n_rows; r++)
            sum = _mm512_add_epi16(
                sum, _mm512_maskz_loadu_epi16(these, (const uint16_t *)rows[r] + 2 * i));
        _mm256_mask_storeu_epi16(out + i, (__mmask16)first_words(n - i),
                                 _mm512_cvtepi32_epi16(_mm512_madd_epi16(sum, one)));
    }
}

static void count_flags(uint32_t *t, size_t size, size_t step, const void *masses,
                        size_t n)
{
    const uint8_t *m = masses;
    __m512i sum = _mm512_setzero_si512();
    (void)size;
    (void)step;
    for (size_t i = 0; i < n; i += 64)
        sum = _mm512_add_epi64(
            sum, _mm512_sad_epu8(_mm512_maskz_loadu_epi8(first_bytes(n - i), m + i),
                                 _mm512_setzero_si512()));
    t[1] += (uint32_t)_mm512_reduce_add_epi64(sum);
}

static uint64_t count_equal(const uint8_t *m, size_t n, uint8_t mass)
{
    const __m512i wanted = _mm512_set1_epi8((char)mass);
    uint64_t found = 0;
    for (size_t i = 0; i < n; i += 64)
        found += (uint64_t)_mm_popcnt_u64(_mm512_cmpeq_epi8_mask(
            _mm512_maskz_loadu_epi8(first_bytes(n - i), m + i), wanted));
    return found;
}

#include "masses_kernels_tmpl.h"

void rugi_masses_set_kernels_avx512(rugi_masses_kernels *kernels)
{
    set_kernels(kernels);
}
