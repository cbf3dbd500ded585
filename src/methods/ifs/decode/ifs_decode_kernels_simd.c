/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels of decoding, the same text for each level: the compiler makes of it what
 * the level has. All of it is whole numbers, so the levels cannot differ. */

#include "ifs_decode_kernels.h"

/* Columns of the inverse transform that are done at once. */
#define STRIP 32

/* Dequantised coefficients and which rows and columns of them are not all 0. */
typedef struct coefs {
    int32_t at[RUGI_IFS_BLOCK * RUGI_IFS_BLOCK];
    uint32_t rows, columns; /* up to the last one that is not 0 */
} coefs;

static inline int32_t clamp(int64_t value, int32_t least, int32_t most)
{
    return (int32_t)(value < least ? least : value > most ? most : value);
}

static void dequantise(coefs *c, const rugi_ifs_base *b)
{
    int32_t limit = 1 << (b->depth + 10);
    c->rows = c->columns = 0;
    for (uint32_t y = 0; y < b->side; y++)
        for (uint32_t x = 0; x < b->side; x++) {
            int32_t q = b->coefs[y * b->side + x];
            c->at[y * b->side + x] = clamp((int64_t)q * b->delta, -limit, limit);
            if (q != 0) {
                c->rows = y + 1;
                c->columns = x + 1 > c->columns ? x + 1 : c->columns;
            }
        }
}

/* Of one length, known to the compiler. */
#define INLINE static inline __attribute__((always_inline))

/* Along rows: t[y][i] = sum of c[y][k] basis[k][i]. */
INLINE void transform_rows(int32_t (*t)[STRIP], const coefs *c, const rugi_ifs_base *b,
                           uint32_t from, uint32_t width)
{
    unsigned shift = b->depth > 9 ? b->depth - 1 : 8;
    for (uint32_t y = 0; y < c->rows; y++) {
        int64_t sum[STRIP] = {0};
        for (uint32_t k = 0; k < c->columns; k++) {
            int32_t q = c->at[y * b->side + k];
            const int32_t *row = b->basis + (size_t)k * b->n + from;
            if (q != 0)
                for (uint32_t i = 0; i < width; i++)
                    sum[i] += (int64_t)q * row[i];
        }
        for (uint32_t i = 0; i < width; i++)
            t[y][i] = (int32_t)((sum[i] + ((int64_t)1 << (shift - 1))) >> shift);
    }
}

/* Along columns, with the mean. */
INLINE void transform_columns(int32_t *out, size_t pitch, int32_t (*t)[STRIP],
                              const coefs *c, const rugi_ifs_base *b, uint32_t width)
{
    unsigned shift = 25 + b->log2_side - (b->depth > 9 ? b->depth - 1 : 8);
    for (uint32_t j = 0; j < b->n; j++, out += pitch) {
        int64_t sum[STRIP] = {0};
        for (uint32_t y = 0; y < c->rows; y++) {
            int32_t weight = b->basis[(size_t)y * b->n + j];
            for (uint32_t i = 0; i < width; i++)
                sum[i] += (int64_t)weight * t[y][i];
        }
        for (uint32_t i = 0; i < width; i++)
            out[i] = clamp(b->mean + ((sum[i] + ((int64_t)1 << (shift - 1))) >> shift),
                           b->least, b->most);
    }
}

INLINE void transform(int32_t *out, size_t pitch, const coefs *c, const rugi_ifs_base *b,
                      uint32_t from, uint32_t width)
{
    int32_t t[RUGI_IFS_BLOCK][STRIP];
    transform_rows(t, c, b, from, width);
    transform_columns(out + from, pitch, t, c, b, width);
}

static void make_base(int32_t *out, size_t pitch, const rugi_ifs_base *b)
{
    coefs c;
    if (b->coefs == NULL) {
        for (uint32_t y = 0; y < b->n; y++)
            for (uint32_t x = 0; x < b->n; x++)
                out[y * pitch + x] = b->mean;
        return;
    }
    dequantise(&c, b);
    if (b->n == 4)
        transform(out, pitch, &c, b, 0, 4);
    else if (b->n == 8)
        transform(out, pitch, &c, b, 0, 8);
    else if (b->n == 16)
        transform(out, pitch, &c, b, 0, 16);
    for (uint32_t from = 0; b->n >= STRIP && from < b->n; from += STRIP)
        transform(out, pitch, &c, b, from, STRIP);
}

/* base + k (pixel - mean) / 2^shift, rounded. */
static void add_mapped(int32_t *out, size_t pitch, const rugi_ifs_copy *p,
                       const int32_t *from, size_t from_pitch, int32_t mean,
                       unsigned shift)
{
    rugi_ifs_isometry walk = rugi_ifs_isometry_of(p->symmetry, p->n, from_pitch);
    int32_t half = 1 << (shift - 1);
    for (uint32_t y = 0; y < p->n; y++) {
        const int32_t *source = from + walk.start + (ptrdiff_t)y * walk.row;
        const int32_t *base = p->base + y * p->base_pitch;
        int32_t *row = out + y * pitch;
        if (walk.column == 1)
            for (uint32_t x = 0; x < p->n; x++)
                row[x] = clamp(base[x] + ((p->k * (source[x] - mean) + half) >> shift),
                               p->least, p->most);
        else
            for (uint32_t x = 0; x < p->n; x++)
                row[x] = clamp(
                    base[x] +
                        ((p->k * (source[(ptrdiff_t)x * walk.column] - mean) + half) >>
                         shift),
                    p->least, p->most);
    }
}

static int32_t mean_of(int64_t sum, unsigned log2_n)
{
    return (int32_t)((sum + ((int64_t)1 << (2 * log2_n) >> 1)) >> (2 * log2_n));
}

static void copy_domain(int32_t *out, size_t pitch, const rugi_ifs_copy *p)
{
    int64_t sum = 0;
    for (uint32_t y = 0; y < p->n; y++)
        for (uint32_t x = 0; x < p->n; x++)
            sum += p->from[y * p->from_pitch + x];
    add_mapped(out, pitch, p, p->from, p->from_pitch, mean_of(sum, p->log2_n), 3);
}

static void shrink_domain(int32_t *out, size_t pitch, const rugi_ifs_copy *p)
{
    int32_t small[64];
    int64_t sum = 0;
    for (uint32_t y = 0; y < p->n; y++)
        for (uint32_t x = 0; x < p->n; x++) {
            const int32_t *q = p->from + 2 * y * p->from_pitch + 2 * x;
            int32_t four = q[0] + q[1] + q[p->from_pitch] + q[p->from_pitch + 1];
            small[y * p->n + x] = four;
            sum += four;
        }
    add_mapped(out, pitch, p, small, p->n, mean_of(sum, p->log2_n), 5);
}

static void halve_rows(int32_t *out, const int32_t *a, const int32_t *b, size_t n)
{
    for (size_t x = 0; x < n; x++)
        out[x] = (a[2 * x] + a[2 * x + 1] + b[2 * x] + b[2 * x + 1] + 2) >> 2;
}

void RUGI_AT_LEVEL(rugi_ifs_set_decode_kernels)(rugi_ifs_decode_kernels *kernels)
{
    *kernels =
        (rugi_ifs_decode_kernels){make_base, copy_domain, shrink_domain, halve_rows};
}
