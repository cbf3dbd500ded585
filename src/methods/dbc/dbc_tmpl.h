/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The bodies of the vector kernels, for keys of 1 and 2 bytes. A kernel defines what a vector is
 * (V, VECTOR bytes) and its operations before it includes this.
 *
 * A row that was joined with the next one holds pairs of neighbours in lanes of twice the
 * width: one shift brings the second below the first, and the joined keys lie there with
 * room for the multiplication that makes numbers of boxes of them. */

#ifndef RUGI_DBC_TMPL_H
#define RUGI_DBC_TMPL_H

#include "dbc_range_tmpl.h"

RUGI_DBC_DEFINE_JOIN(rest_1, uint8_t)
RUGI_DBC_DEFINE_JOIN(rest_2, uint16_t)

/* Rows follow each other too far apart for the hardware to foresee. */
static inline void prefetch(const void *row, size_t at, ptrdiff_t ahead)
{
    _mm_prefetch((const char *)((uintptr_t)row + at + (uintptr_t)ahead), _MM_HINT_T0);
}

/* Least and largest of rows that are joined; pixels (is_plain) are both. */
#define JOIN_ROWS(MIN, MAX)                             \
    V l = LOAD((const char *)rows[0].lo + at), h = l;   \
    if (!is_plain)                                      \
        h = LOAD((const char *)rows[0].hi + at);        \
    for (int k = 0; is_plain && k < n_rows; k++)        \
        prefetch(rows[k].lo, at, step->ahead);          \
    for (int k = 1; k < n_rows; k++) {                  \
        V more = LOAD((const char *)rows[k].lo + at);   \
        l = MIN(l, more);                               \
        if (!is_plain)                                  \
            more = LOAD((const char *)rows[k].hi + at); \
        h = MAX(h, more);                               \
    }

static inline void vectors_1(const rugi_dbc_row *rows, const int n_rows, size_t n,
                             void *lo, void *hi, const rugi_dbc_step *step,
                             const int is_plain, const int is_unit)
{
    const V low = SET16(0xff);
    const V factor = SET16((short)step->plan->height[step->level].factor);
    size_t n_vectors = n / VECTOR;
    uint64_t sum = 0;
    for (size_t i = 0; i < n_vectors;) {
        size_t end = n_vectors - i < RUGI_DBC_FLUSH ? n_vectors : i + RUGI_DBC_FLUSH;
        V lanes = SET16(0);
        for (; i < end; i++) {
            size_t at = i * VECTOR;
            JOIN_ROWS(MIN8, MAX8)
            l = MIN8(l, SHIFT16(l, 8)); /* what comes in above is 0 */
            h = AND(MAX8(h, SHIFT16(h, 8)), low);
            STORE_LOW_8((char *)lo + at / 2, l);
            STORE_LOW_8((char *)hi + at / 2, h);
            V first = is_unit ? l : HIGH16(l, factor),
              last = is_unit ? h : HIGH16(h, factor);
            lanes = ADD16(lanes, SUB16(last, first));
        }
        sum += SUM16(lanes);
    }
    step->tally->blocks += n_vectors * VECTOR / 2;
    step->tally->beyond += sum;
    rest_1(rows, n_rows, n, lo, hi, step, n_vectors * VECTOR / 2);
}

/* floor(key * factor / 2^32) in lanes of 64 bits, of the even and the odd keys. */
#define BOXES_2(sum, keys)                                  \
    ADD64(sum, ADD64(SHIFT64(MULTIPLY32(keys, factor), 32), \
                     SHIFT64(MULTIPLY32(SHIFT64(keys, 32), factor), 32)))

static inline void vectors_2(const rugi_dbc_row *rows, const int n_rows, size_t n,
                             void *lo, void *hi, const rugi_dbc_step *step,
                             const int is_plain, const int is_unit)
{
    const V low = SET32(0xffff), base = SET32((int)step->plan->base);
    const V factor = SET64((long long)step->plan->height[step->level].factor);
    size_t n_vectors = n * 2 / VECTOR;
    V firsts = SET32(0), lasts = SET32(0);
    for (size_t i = 0; i < n_vectors; i++) {
        size_t at = i * VECTOR;
        JOIN_ROWS(MIN16, MAX16)
        l = MIN16(l, SHIFT32(l, 16));
        h = AND(MAX16(h, SHIFT32(h, 16)), low);
        STORE_LOW_16((char *)lo + at / 2, l);
        STORE_LOW_16((char *)hi + at / 2, h);
        l = SUB32(l, base);
        h = SUB32(h, base);
        if (is_unit) { /* sums of both halves of a lane */
            firsts = ADD64(firsts, ADD64(SHIFT64(l, 32), AND(l, SET64(0xffffffff))));
            lasts = ADD64(lasts, ADD64(SHIFT64(h, 32), AND(h, SET64(0xffffffff))));
        } else {
            firsts = BOXES_2(firsts, l);
            lasts = BOXES_2(lasts, h);
        }
    }
    step->tally->blocks += n_vectors * VECTOR / 4;
    step->tally->beyond += SUM64(SUB64(lasts, firsts));
    rest_2(rows, n_rows, n, lo, hi, step, n_vectors * VECTOR / 4);
}

RUGI_DBC_DEFINE_JOIN(rest_4, uint32_t)

/* Least and largest of pairs of neighbours in each row, in loops that compilers make vectors
 * of. */
static inline void join_pairs(const rugi_dbc_row *rows, const int n_rows, size_t n_pairs,
                              uint32_t *restrict lo, uint32_t *restrict hi)
{
    for (size_t i = 0; i < n_pairs; i++) {
        uint32_t least = UINT32_MAX, largest = 0;
        for (int k = 0; k < n_rows; k++) {
            const uint32_t *l = rows[k].lo, *h = rows[k].hi;
            uint32_t u = l[2 * i] < l[2 * i + 1] ? l[2 * i] : l[2 * i + 1];
            uint32_t v = h[2 * i] > h[2 * i + 1] ? h[2 * i] : h[2 * i + 1];
            least = u < least ? u : least;
            largest = v > largest ? v : largest;
        }
        lo[i] = least;
        hi[i] = largest;
    }
}

/* Floats: the number of a box is the key shifted. Integers have a division for each block. */
static void join_4(const rugi_dbc_row *rows, int n_rows, size_t n, void *lo, void *hi,
                   const rugi_dbc_step *step)
{
    size_t n_pairs = step->plan->is_real ? n / 2 : 0;
    const uint32_t *l = lo, *h = hi;
    uint64_t blocks = 0, beyond = 0;
    if (n_rows == 2)
        join_pairs(rows, 2, n_pairs, lo, hi);
    else
        join_pairs(rows, 4, n_pairs, lo, hi);
    for (size_t i = 0; i < n_pairs; i++) {
        uint32_t more = (h[i] >> step->level) - (l[i] >> step->level);
        blocks += l[i] <= h[i];
        beyond += l[i] <= h[i] ? more : 0;
    }
    step->tally->blocks += blocks;
    step->tally->beyond += beyond;
    rest_4(rows, n_rows, n, lo, hi, step, n_pairs);
}

/* What is the same for a whole row is decided before it. */
#define DEFINE_VECTOR_JOIN(bytes)                                                      \
    static inline void rows_##bytes(const rugi_dbc_row *rows, const int n_rows,        \
                                    size_t n, void *lo, void *hi,                      \
                                    const rugi_dbc_step *step)                         \
    {                                                                                  \
        int is_unit = step->plan->height[step->level].is_unit;                         \
        if (rows[0].lo == rows[0].hi && is_unit)                                       \
            vectors_##bytes(rows, n_rows, n, lo, hi, step, 1, 1);                      \
        else if (rows[0].lo == rows[0].hi)                                             \
            vectors_##bytes(rows, n_rows, n, lo, hi, step, 1, 0);                      \
        else if (is_unit)                                                              \
            vectors_##bytes(rows, n_rows, n, lo, hi, step, 0, 1);                      \
        else                                                                           \
            vectors_##bytes(rows, n_rows, n, lo, hi, step, 0, 0);                      \
    }                                                                                  \
                                                                                       \
    static void join_##bytes(const rugi_dbc_row *rows, int n_rows, size_t n, void *lo, \
                             void *hi, const rugi_dbc_step *step)                      \
    {                                                                                  \
        if (step->plan->may_be_empty)                                                  \
            rest_##bytes(rows, n_rows, n, lo, hi, step, 0);                            \
        else if (n_rows == 2)                                                          \
            rows_##bytes(rows, 2, n, lo, hi, step);                                    \
        else                                                                           \
            rows_##bytes(rows, 4, n, lo, hi, step);                                    \
    }

DEFINE_VECTOR_JOIN(1)
DEFINE_VECTOR_JOIN(2)

#endif
