/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels of cells, the same text for each level: the compiler makes of it what the
 * level has. */

#include "ifs_cell_kernels.h"
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* A call for each usual side, so that loops have lengths that the compiler knows. */
#define FOR_SIDE(n, call)         \
    do {                          \
        switch (n) {              \
        case 4: call(4); break;   \
        case 8: call(8); break;   \
        case 16: call(16); break; \
        case 32: call(32); break; \
        default: call(n); break;  \
        }                         \
    } while (0)

/* ---- Edges continued ---- */

INLINE void project_n(int16_t *out, const int16_t *edge, uint32_t n, int slope)
{
    for (uint32_t y = 0; y < n; y++) {
        int32_t at = (int32_t)(y + 1) * slope;
        int32_t part = at & 31;
        const int16_t *from = edge + (at >> 5) + 1;
        int16_t *row = out + y * n;
        if (part == 0)
            for (uint32_t x = 0; x < n; x++)
                row[x] = from[x];
        else
            for (uint32_t x = 0; x < n; x++)
                row[x] =
                    (int16_t)(((32 - part) * from[x] + part * from[x + 1] + 16) >> 5);
    }
}

static void project(int16_t *out, const int16_t *edge, uint32_t n, int slope)
{
#define CALL(n) project_n(out, edge, n, slope)
    FOR_SIDE(n, CALL);
#undef CALL
}

INLINE void planar_n(int16_t *out, const int16_t *corner, uint32_t n)
{
    int32_t right = corner[n + 1], below = corner[-(int32_t)n - 1];
    unsigned shift = 1 + 31u - (unsigned)__builtin_clz(n);
    for (uint32_t y = 0; y < n; y++) {
        int32_t left = corner[-(int32_t)y - 1];
        int32_t up = (int32_t)(n - 1 - y), down = (int32_t)(y + 1) * below + (int32_t)n;
        for (uint32_t x = 0; x < n; x++)
            out[y * n + x] =
                (int16_t)(((int32_t)(n - 1 - x) * left + (int32_t)(x + 1) * right +
                           up * corner[x + 1] + down) >>
                          shift);
    }
}

static void planar(int16_t *out, const int16_t *corner, uint32_t n)
{
#define CALL(n) planar_n(out, corner, n)
    FOR_SIDE(n, CALL);
#undef CALL
}

static void median(int16_t *out, const int16_t *corner, uint32_t n)
{
    for (uint32_t y = 0; y < n; y++) {
        int32_t left = corner[-(int32_t)y - 1];
        for (uint32_t x = 0; x < n; x++) {
            int32_t above = corner[x + 1], both = left + above - corner[0];
            int32_t low = left < above ? left : above, high = left < above ? above : left;
            out[y * n + x] = (int16_t)(both < low ? low : both > high ? high : both);
        }
    }
}

/* ---- Copies ---- */

/* The samples of a source, those of 2 x 2 added up. @return their sum */
INLINE int64_t read_source(int32_t *out, const rugi_ifs_source *s, uint32_t n)
{
    int64_t total = 0;
    for (uint32_t y = 0; y < n; y++) {
        int32_t *row = out + y * n, sum = 0;
        if (s->halved) {
            const int16_t *a = s->from + 2 * y * s->pitch, *b = a + s->pitch;
            for (uint32_t x = 0; x < n; x++)
                row[x] = a[2 * x] + a[2 * x + 1] + b[2 * x] + b[2 * x + 1];
        } else {
            const int16_t *a = s->from + y * s->pitch;
            for (uint32_t x = 0; x < n; x++)
                row[x] = a[x];
        }
        for (uint32_t x = 0; x < n; x++)
            sum += row[x];
        total += sum;
    }
    return total;
}

/* Rows that are done at once where a cell is too large to be kept. */
static int64_t sum_of(const rugi_ifs_source *s, uint32_t n)
{
    int32_t row[RUGI_IFS_CELL_MOST];
    int64_t total = 0;
    for (uint32_t y = 0; y < n; y++) {
        const int16_t *a = s->from + (size_t)y * (1 + s->halved) * s->pitch;
        const int16_t *b = s->halved ? a + s->pitch : a;
        for (uint32_t x = 0; x < n; x++)
            row[x] = s->halved ? a[2 * x] + a[2 * x + 1] + b[2 * x] + b[2 * x + 1] : a[x];
        for (uint32_t x = 0; x < n; x++)
            total += row[x];
    }
    return total;
}

static int32_t mean_of(int64_t sum, uint32_t n)
{
    unsigned shift = 2 * (31u - (unsigned)__builtin_clz(n));
    return (int32_t)((sum + ((int64_t)1 << shift >> 1)) >> shift);
}

static int32_t source_at(const rugi_ifs_source *s, size_t y, size_t x)
{
    if (!s->halved)
        return s->from[y * s->pitch + x];
    const int16_t *a = s->from + 2 * y * s->pitch + 2 * x, *b = a + s->pitch;
    return a[0] + a[1] + b[0] + b[1];
}

/* Of cells that are larger than coded. */
static void copy_large(int16_t *out, const rugi_ifs_source *s, uint32_t n, int32_t mean,
                       int32_t k, unsigned symmetry)
{
    unsigned shift = s->halved ? 5 : 3;
    int32_t middle = mean_of(sum_of(s, n), n), half = 1 << (shift - 1);
    for (uint32_t y = 0; y < n; y++)
        for (uint32_t x = 0; x < n; x++) {
            size_t at = rugi_ifs_isometry_place(symmetry, n, y, x);
            int32_t value = source_at(s, at / n, at % n) - middle;
            out[(size_t)y * n + x] = rugi_ifs_clip(mean + ((k * value + half) >> shift));
        }
}

INLINE void copy_n(int16_t *out, const rugi_ifs_source *s, uint32_t n, int32_t mean,
                   int32_t k, unsigned symmetry)
{
    int32_t block[RUGI_IFS_BLOCK * RUGI_IFS_BLOCK];
    unsigned shift = s->halved ? 5 : 3;
    int32_t middle = mean_of(read_source(block, s, n), n), half = 1 << (shift - 1);
    rugi_ifs_isometry walk = rugi_ifs_isometry_of(symmetry, n, n);
    for (uint32_t y = 0; y < n; y++) {
        const int32_t *from = block + walk.start + (ptrdiff_t)y * walk.row;
        int16_t *row = out + y * n;
        if (walk.column == 1)
            for (uint32_t x = 0; x < n; x++)
                row[x] = rugi_ifs_clip(mean + ((k * (from[x] - middle) + half) >> shift));
        else
            for (uint32_t x = 0; x < n; x++)
                row[x] = rugi_ifs_clip(
                    mean +
                    ((k * (from[(ptrdiff_t)x * walk.column] - middle) + half) >> shift));
    }
}

static void copy(int16_t *out, const rugi_ifs_source *s, uint32_t n, int32_t mean,
                 int32_t k, unsigned symmetry)
{
    switch (n) {
    case 4: copy_n(out, s, 4, mean, k, symmetry); break;
    case 8: copy_n(out, s, 8, mean, k, symmetry); break;
    case 16: copy_n(out, s, 16, mean, k, symmetry); break;
    case 32: copy_n(out, s, 32, mean, k, symmetry); break;
    default: copy_large(out, s, n, mean, k, symmetry); break;
    }
}

/* ---- Residuals ---- */

/* Columns of the inverse transform that are done at once. */
#define STRIP 32

/* Coefficients, in 1/4 of their share of a sample, and which rows and columns of them are not all
 * 0. */
typedef struct coefs {
    int32_t at[RUGI_IFS_BLOCK * RUGI_IFS_BLOCK];
    uint32_t rows, columns; /* up to the last one that is not 0 */
} coefs;

#define LIMIT (1 << 18)

static void dequantise(coefs *c, const rugi_ifs_rest *rest)
{
    c->rows = c->columns = 0;
    for (uint32_t y = 0; y < rest->side; y++)
        for (uint32_t x = 0; x < rest->side; x++) {
            int32_t q = rest->coefs[y * rest->side + x];
            if (q == 0) {
                c->at[y * rest->side + x] = 0;
                continue;
            }
            int64_t value = rugi_ifs_shift((int64_t)q * rest->delta, rest->shift);
            c->at[y * rest->side + x] = (int32_t)(value < -LIMIT  ? -LIMIT
                                                  : value > LIMIT ? LIMIT
                                                                  : value);
            c->rows = y + 1;
            c->columns = x + 1 > c->columns ? x + 1 : c->columns;
        }
}

/* Products and their sums are modulo 2^32: those of a picture never come near it. */
static inline uint32_t multiply(int32_t a, int32_t b)
{
    return (uint32_t)a * (uint32_t)b;
}

INLINE void transform(int16_t *out, size_t pitch, const int16_t *prediction,
                      const coefs *c, const rugi_ifs_rest *rest, uint32_t from,
                      uint32_t width)
{
    int32_t t[RUGI_IFS_BLOCK][STRIP];
    for (uint32_t y = 0; y < c->rows; y++) {
        uint32_t sum[STRIP];
        for (uint32_t i = 0; i < width; i++)
            sum[i] = 1u << 11;
        for (uint32_t k = 0; k < c->columns; k++) {
            int32_t q = c->at[y * rest->side + k];
            const int16_t *row = rest->basis + (size_t)k * rest->n + from;
            if (q != 0)
                for (uint32_t i = 0; i < width; i++)
                    sum[i] += multiply(q, row[i]);
        }
        for (uint32_t i = 0; i < width; i++)
            t[y][i] = (int32_t)sum[i] >> 12;
    }
    for (uint32_t j = 0; j < rest->n; j++) {
        uint32_t sum[STRIP];
        for (uint32_t i = 0; i < width; i++)
            sum[i] = 1u << 13;
        for (uint32_t y = 0; y < c->rows; y++) {
            int32_t weight = rest->basis[(size_t)y * rest->n + j];
            for (uint32_t i = 0; i < width; i++)
                sum[i] += multiply(weight, t[y][i]);
        }
        const int16_t *p = prediction + (size_t)j * rest->n + from;
        for (uint32_t i = 0; i < width; i++)
            out[j * pitch + from + i] = rugi_ifs_clip(p[i] + ((int32_t)sum[i] >> 14));
    }
}

static void add(int16_t *out, size_t pitch, const int16_t *prediction,
                const rugi_ifs_rest *rest)
{
    coefs c;
    dequantise(&c, rest);
    if (rest->n == 4)
        transform(out, pitch, prediction, &c, rest, 0, 4);
    else if (rest->n == 8)
        transform(out, pitch, prediction, &c, rest, 0, 8);
    else if (rest->n == 16)
        transform(out, pitch, prediction, &c, rest, 0, 16);
    for (uint32_t from = 0; rest->n >= STRIP && from < rest->n; from += STRIP)
        transform(out, pitch, prediction, &c, rest, from, STRIP);
}

void RUGI_AT_LEVEL(rugi_ifs_set_cell_kernels)(rugi_ifs_cell_kernels *kernels)
{
    *kernels = (rugi_ifs_cell_kernels){project, planar, median, copy, add};
}
