/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The AVX2 kernels of flags and of 8-bit pixels. What is left at the end of a row is
 * added up one by one. */

#include "masses_kernels.h"
#include <immintrin.h>

#define COMPARED_SIZE 9

/* The sums of neighbours among 32 bytes of each row, as 16-bit words. */
static inline __m256i pairs_of_bytes(const void *const *rows, int n_rows, size_t at)
{
    const __m256i one = _mm256_set1_epi8(1);
    __m256i sum = _mm256_setzero_si256();
    for (int r = 0; r < n_rows; r++)
        sum = _mm256_add_epi16(
            sum,
            _mm256_maddubs_epi16(
                _mm256_loadu_si256((const void *)((const uint8_t *)rows[r] + at)), one));
    return sum;
}

static inline unsigned sum_of_bytes(const void *const *rows, int n_rows, size_t i)
{
    unsigned sum = 0;
    for (int r = 0; r < n_rows; r++)
        sum += (unsigned)((const uint8_t *)rows[r])[2 * i] +
               ((const uint8_t *)rows[r])[2 * i + 1];
    return sum;
}

static inline void join_u8_u16_of(uint16_t *out, const void *const *rows, int n_rows,
                                  size_t n)
{
    size_t i = 0;
    for (; i + 16 <= n; i += 16)
        _mm256_storeu_si256((void *)(out + i), pairs_of_bytes(rows, n_rows, 2 * i));
    for (; i < n; i++)
        out[i] = (uint16_t)sum_of_bytes(rows, n_rows, i);
}

static inline void join_u8_u8_of(uint8_t *out, const void *const *rows, int n_rows,
                                 size_t n)
{
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        __m256i sum = pairs_of_bytes(rows, n_rows, 2 * i);
        __m256i bytes = _mm256_permute4x64_epi64(_mm256_packus_epi16(sum, sum), 0x08);
        _mm_storeu_si128((void *)(out + i), _mm256_castsi256_si128(bytes));
    }
    for (; i < n; i++)
        out[i] = (uint8_t)sum_of_bytes(rows, n_rows, i);
}

/* Sums of rows are below 2^15, as the signed multiplication needs: 2 * 16320 of an image,
 * 4 * 2040 of a volume. */
static inline void join_u16_u16_of(uint16_t *out, const void *const *rows, int n_rows,
                                   size_t n)
{
    const __m256i one = _mm256_set1_epi16(1);
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        __m256i sum = _mm256_setzero_si256();
        for (int r = 0; r < n_rows; r++)
            sum = _mm256_add_epi16(
                sum,
                _mm256_loadu_si256((const void *)((const uint16_t *)rows[r] + 2 * i)));
        sum = _mm256_madd_epi16(sum, one);
        __m256i words = _mm256_permute4x64_epi64(_mm256_packus_epi32(sum, sum), 0x08);
        _mm_storeu_si128((void *)(out + i), _mm256_castsi256_si128(words));
    }
    for (; i < n; i++) {
        unsigned sum = 0;
        for (int r = 0; r < n_rows; r++)
            sum += (unsigned)((const uint16_t *)rows[r])[2 * i] +
                   ((const uint16_t *)rows[r])[2 * i + 1];
        out[i] = (uint16_t)sum;
    }
}

static void count_flags(uint32_t *t, size_t size, size_t step, const void *masses,
                        size_t n)
{
    const uint8_t *m = masses;
    __m256i sum = _mm256_setzero_si256();
    uint64_t parts[4], n_set = 0;
    size_t i = 0;
    (void)size;
    (void)step;
    for (; i + 32 <= n; i += 32)
        sum = _mm256_add_epi64(sum,
                               _mm256_sad_epu8(_mm256_loadu_si256((const void *)(m + i)),
                                               _mm256_setzero_si256()));
    for (; i < n; i++)
        n_set += m[i];
    _mm256_storeu_si256((void *)parts, sum);
    t[1] += (uint32_t)(n_set + parts[0] + parts[1] + parts[2] + parts[3]);
}

static uint64_t count_equal(const uint8_t *m, size_t n, uint8_t mass)
{
    const __m256i wanted = _mm256_set1_epi8((char)mass);
    uint64_t found = 0;
    size_t i = 0;
    for (; i + 32 <= n; i += 32) {
        __m256i equal =
            _mm256_cmpeq_epi8(_mm256_loadu_si256((const void *)(m + i)), wanted);
        found += (uint64_t)_mm_popcnt_u32((uint32_t)_mm256_movemask_epi8(equal));
    }
    for (; i < n; i++)
        found += m[i] == mass;
    return found;
}

#include "masses_kernels_tmpl.h"

void rugi_masses_set_kernels_avx2(rugi_masses_kernels *kernels)
{
    set_kernels(kernels);
}
