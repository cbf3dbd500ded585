/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels of differential box counting, compiled once for each level of processors.
 * Level ref has the plain loops of the first part: they are the truth, and what vectors
 * leave over at the end of a row. AVX2, AVX-512 and WebAssembly share one body in the last part. */

#include "core/context/vectors.h"
#include "dbc_kernels.h"
#include <float.h>
#include <math.h>

/* ---- Rows of keys, block by block ---- */

/* Joins rows of keys of some bytes from block `first` of the row that is made, one by one. */
#define DEFINE_REST(bytes, type)                                                    \
    static inline void rest_##bytes(const rugi_dbc_row *rows, int n_rows, size_t n, \
                                    void *lo, void *hi, const rugi_dbc_step *step,  \
                                    size_t first)                                   \
    {                                                                               \
        uint64_t blocks = 0;                                                        \
        rugi_dbc_u128 beyond = 0;                                                   \
        for (size_t i = first; 2 * i < n; i++) {                                    \
            size_t a = 2 * i, b = a + 1 < n ? a + 1 : a;                            \
            type least = (type)-1, largest = 0;                                     \
            for (int k = 0; k < n_rows; k++) {                                      \
                const type *l = rows[k].lo, *h = rows[k].hi;                        \
                type u = l[a] < l[b] ? l[a] : l[b], v = h[a] > h[b] ? h[a] : h[b];  \
                least = u < least ? u : least;                                      \
                largest = v > largest ? v : largest;                                \
            }                                                                       \
            ((type *)lo)[i] = least;                                                \
            ((type *)hi)[i] = largest;                                              \
            if (least > largest)                                                    \
                continue;                                                           \
            blocks++;                                                               \
            beyond += rugi_dbc_box(step->plan, step->level, largest) -              \
                      rugi_dbc_box(step->plan, step->level, least);                 \
        }                                                                           \
        step->tally->blocks += blocks;                                              \
        step->tally->beyond += beyond;                                              \
    }

DEFINE_REST(1, uint8_t)
DEFINE_REST(2, uint16_t)
DEFINE_REST(4, uint32_t)

/* ---- The range of values ----
 *
 * Loops that compilers make vectors of where a level has them. */

/* Independent extremes of floats, whose order compilers must keep otherwise. */
#define LANES 32

#define DEFINE_INTEGER_RANGE(name, type, flip)                         \
    static void name(rugi_dbc_range *s, const type *pixels, size_t n)  \
    {                                                                  \
        type lo = pixels[0], hi = lo;                                  \
        for (size_t i = 0; i < n; i++) {                               \
            lo = pixels[i] < lo ? pixels[i] : lo;                      \
            hi = pixels[i] > hi ? pixels[i] : hi;                      \
        }                                                              \
        uint64_t a = (uint64_t)lo + (flip), b = (uint64_t)hi + (flip); \
        s->lo = a < s->lo ? a : s->lo;                                 \
        s->hi = b > s->hi ? b : s->hi;                                 \
    }

/* NaN is neither below nor above anything, and what is infinite is kept out. */
#define DEFINE_REAL_RANGE(name, type, largest)                                    \
    static void name(rugi_dbc_range *s, const type *pixels, size_t n)             \
    {                                                                             \
        type lo[LANES], hi[LANES];                                                \
        size_t i = 0;                                                             \
        for (int j = 0; j < LANES; j++) {                                         \
            lo[j] = (type)INFINITY;                                               \
            hi[j] = -(type)INFINITY;                                              \
        }                                                                         \
        for (; i + LANES <= n; i += LANES)                                        \
            for (int j = 0; j < LANES; j++) {                                     \
                type v = pixels[i + (size_t)j];                                   \
                lo[j] = ((v >= -(largest)) & (v < lo[j])) ? v : lo[j];            \
                hi[j] = ((v <= (largest)) & (v > hi[j])) ? v : hi[j];             \
            }                                                                     \
        for (; i < n; i++) {                                                      \
            type v = pixels[i];                                                   \
            lo[0] = ((v >= -(largest)) & (v < lo[0])) ? v : lo[0];                \
            hi[0] = ((v <= (largest)) & (v > hi[0])) ? v : hi[0];                 \
        }                                                                         \
        for (int j = 0; j < LANES; j++) {                                         \
            s->real_lo = (double)lo[j] < s->real_lo ? (double)lo[j] : s->real_lo; \
            s->real_hi = (double)hi[j] > s->real_hi ? (double)hi[j] : s->real_hi; \
        }                                                                         \
    }

DEFINE_INTEGER_RANGE(range_u8, uint8_t, 0)
DEFINE_INTEGER_RANGE(range_i8, int8_t, 0x80)
DEFINE_INTEGER_RANGE(range_u16, uint16_t, 0)
DEFINE_INTEGER_RANGE(range_i16, int16_t, 0x8000)
DEFINE_INTEGER_RANGE(range_u32, uint32_t, 0)
DEFINE_INTEGER_RANGE(range_i32, int32_t, (uint64_t)1 << 31)
DEFINE_INTEGER_RANGE(range_u64, uint64_t, 0)
DEFINE_INTEGER_RANGE(range_i64, int64_t, (uint64_t)1 << 63)
DEFINE_REAL_RANGE(range_f32, float, FLT_MAX)
DEFINE_REAL_RANGE(range_f64, double, DBL_MAX)

static void widen_range(rugi_dbc_range *s, rug_dtype dtype, const void *pixels, size_t n)
{
    switch (dtype) {
    case RUG_U8: range_u8(s, pixels, n); break;
    case RUG_I8: range_i8(s, pixels, n); break;
    case RUG_U16: range_u16(s, pixels, n); break;
    case RUG_I16: range_i16(s, pixels, n); break;
    case RUG_U32: range_u32(s, pixels, n); break;
    case RUG_I32: range_i32(s, pixels, n); break;
    case RUG_U64: range_u64(s, pixels, n); break;
    case RUG_I64: range_i64(s, pixels, n); break;
    case RUG_F32: range_f32(s, pixels, n); break;
    default: range_f64(s, pixels, n); break;
    }
}

#if RUGI_VECTOR_BYTES == 0

/* ---- Level ref ---- */

DEFINE_REST(8, uint64_t)

#define DEFINE_JOIN(bytes)                                                             \
    static void join_##bytes(const rugi_dbc_row *rows, int n_rows, size_t n, void *lo, \
                             void *hi, const rugi_dbc_step *step)                      \
    {                                                                                  \
        rest_##bytes(rows, n_rows, n, lo, hi, step, 0);                                \
    }

DEFINE_JOIN(1)
DEFINE_JOIN(2)
DEFINE_JOIN(4)
DEFINE_JOIN(8)

#else

/* ---- Vectors ----
 *
 * A row that was joined with the next one holds pairs of neighbours in lanes of twice the
 * width: one shift brings the second below the first, and the joined keys lie there with
 * room for the multiplication that makes numbers of boxes of them. */

#if RUGI_VECTOR_BYTES == 32

/* Stores the lower halves of lanes of 16 or 32 bits. Packing works in halves of a vector. */
static inline void store_low(void *p, V v)
{
    _mm_storeu_si128(p, _mm256_castsi256_si128(_mm256_permute4x64_epi64(v, 0x08)));
}

#define STORE_LOW_8(p, v)  store_low(p, _mm256_packus_epi16(v, v))
#define STORE_LOW_16(p, v) store_low(p, _mm256_packus_epi32(v, v))

#elif RUGI_VECTOR_BYTES == 64

#define STORE_LOW_8(p, v)  _mm256_storeu_si256((void *)(p), _mm512_cvtepi16_epi8(v))
#define STORE_LOW_16(p, v) _mm256_storeu_si256((void *)(p), _mm512_cvtepi32_epi16(v))

#else

#define STORE_LOW_8(p, v)  wasm_v128_store64_lane(p, wasm_u8x16_narrow_i16x8(v, v), 0)
#define STORE_LOW_16(p, v) wasm_v128_store64_lane(p, wasm_u16x8_narrow_i32x4(v, v), 0)

#endif

/* The sum of lanes of 16 bits. */
static inline uint64_t sum_16(V v)
{
    const V low = SET64(0xffff);
    V sum = AND(v, low);
    for (int k = 0; k < 3; k++) {
        v = SHIFT64(v, 16);
        sum = ADD64(sum, AND(v, low));
    }
    return SUM64(sum);
}

/* The number of vectors whose differences of 8 bits a lane of 16 bits can add up. */
#define FLUSH 256

/* Rows follow each other too far apart for the hardware to foresee. */
static inline void prefetch(const void *row, size_t at, ptrdiff_t ahead)
{
    __builtin_prefetch((const char *)((uintptr_t)row + at + (uintptr_t)ahead));
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
    const V low = SET16(0xff), base = SET16((short)step->plan->base);
    const V factor = SET16((short)step->plan->height[step->level].factor);
    size_t n_vectors = n / RUGI_VECTOR_BYTES;
    uint64_t sum = 0;
    for (size_t i = 0; i < n_vectors;) {
        size_t end = n_vectors - i < FLUSH ? n_vectors : i + FLUSH;
        V lanes = SET16(0);
        for (; i < end; i++) {
            size_t at = i * RUGI_VECTOR_BYTES;
            JOIN_ROWS(MIN8, MAX8)
            l = MIN8(l, SHIFT16(l, 8)); /* what comes in above is 0 */
            h = AND(MAX8(h, SHIFT16(h, 8)), low);
            STORE_LOW_8((char *)lo + at / 2, l);
            STORE_LOW_8((char *)hi + at / 2, h);
            V first = is_unit ? l : HIGH16(SUB16(l, base), factor),
              last = is_unit ? h : HIGH16(SUB16(h, base), factor);
            lanes = ADD16(lanes, SUB16(last, first));
        }
        sum += sum_16(lanes);
    }
    step->tally->blocks += n_vectors * RUGI_VECTOR_BYTES / 2;
    step->tally->beyond += sum;
    rest_1(rows, n_rows, n, lo, hi, step, n_vectors * RUGI_VECTOR_BYTES / 2);
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
    size_t n_vectors = n * 2 / RUGI_VECTOR_BYTES;
    V firsts = SET32(0), lasts = SET32(0);
    for (size_t i = 0; i < n_vectors; i++) {
        size_t at = i * RUGI_VECTOR_BYTES;
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
    step->tally->blocks += n_vectors * RUGI_VECTOR_BYTES / 4;
    step->tally->beyond += SUM64(SUB64(lasts, firsts));
    rest_2(rows, n_rows, n, lo, hi, step, n_vectors * RUGI_VECTOR_BYTES / 4);
}

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

/* Floats: the number of a box is the key shifted. Integers need a division for each block. */
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

/* ---- The kernels of a level ----
 *
 * Those of the levels above ref replace what is set already. */

void RUGI_AT_LEVEL(rugi_dbc_set_kernels)(rugi_dbc_kernels *kernels)
{
#if RUGI_VECTOR_BYTES == 0
    *kernels = (rugi_dbc_kernels){.join[8] = join_8};
#endif
    kernels->name = RUGI_LEVEL_ENGINE;
    kernels->join[1] = join_1;
    kernels->join[2] = join_2;
    kernels->join[4] = join_4;
    kernels->widen_range = widen_range;
}
