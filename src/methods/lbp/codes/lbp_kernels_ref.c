/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The portable kernel of local binary patterns: the truth for the others. The order of
 * operations is part of each rule, and none of them may be fused. */

#define RUGI_LBP_LANES 2
#include "lbp_tmpl.h"

/* Compares samples, whose values are an expression in x, with their centres. */
#define TEST_WORDS(real, VALUE)                            \
    for (size_t word = 0; word < c->n_words; word++) {     \
        uint64_t bits = 0;                                 \
        for (size_t k = 0; k < 64; k++) {                  \
            size_t x = 64 * word + k;                      \
            bits |= (uint64_t)((VALUE) >= centre[x]) << k; \
        }                                                  \
        t->plane[word] = bits;                             \
    }                                                      \
    break

/* Samples of a column, from values of the row and of the row before, by one rule. */
#define TEST_COLUMN(real, ALONE, LERP)                                                \
    for (int i = 0; i < c->n_tests; i++) {                                            \
        const rugi_lbp_test *t = &c->test[i];                                         \
        const real *centre = t->centre, *kept = c->kept;                              \
        const real row_weight = (real)t->weight;                                      \
        switch (t->rows) {                                                            \
        case RUGI_LBP_ROW: TEST_WORDS(real, ALONE(here[x]));                          \
        case RUGI_LBP_SAME_ROW: TEST_WORDS(real, LERP(here[x], here[x], row_weight)); \
        case RUGI_LBP_TWO_ROWS: TEST_WORDS(real, LERP(kept[x], here[x], row_weight)); \
        }                                                                             \
    }                                                                                 \
    memcpy(c->here, here, 64 * c->n_words * sizeof *here)

#define AS_IT_IS(v)           (v)
#define WEIGHTED(from, to, w) ((1 - (w)) * (from) + (w) * (to))
#define SCALED(v)             (RUGI_LBP_DECIMAL * (v))
#define DECIMAL(from, to, w)  (RUGI_LBP_DECIMAL * (from) + (w) * ((to) - (from)))
#define STEPPED(from, to, w)  ((from) + (w) * ((to) - (from)))

/* scikit-image's order of operations. */
static void column_skimage(const rugi_lbp_column *c)
{
    double here[RUGI_LBP_TILE];
    const double *left = c->left, *right = c->right;
    for (size_t x = 0; x < 64 * c->n_words; x++) {
        const double w = c->weights != NULL ? c->weights[x] : c->weight;
        here[x] = c->is_whole ? left[x] : WEIGHTED(left[x], right[x], w);
    }
    TEST_COLUMN(double, AS_IT_IS, WEIGHTED);
}

/* Weights are whole numbers, so that nothing is rounded as long as values fit 16 bits:
 * sums stay below 2^53. */
static void column_decimal(const rugi_lbp_column *c)
{
    double here[RUGI_LBP_TILE];
    const double *left = c->left, *right = c->right, w = c->weight;
    for (size_t x = 0; x < 64 * c->n_words; x++)
        here[x] = c->is_whole ? SCALED(left[x]) : DECIMAL(left[x], right[x], w);
    TEST_COLUMN(double, SCALED, DECIMAL);
}

static void column_float(const rugi_lbp_column *c)
{
    float here[RUGI_LBP_TILE];
    const float *left = c->left, *right = c->right, w = (float)c->weight;
    for (size_t x = 0; x < 64 * c->n_words; x++)
        here[x] = c->is_whole ? left[x] : STEPPED(left[x], right[x], w);
    TEST_COLUMN(float, AS_IT_IS, STEPPED);
}

static inline void count_bits(uint64_t *counts, const uint64_t *bits)
{
    plain_count_bits(counts, bits);
}

/* Byte k of the answer is bit k of each byte, transposed (Warren, Hacker's Delight 7-3). */
static uint64_t transpose_8x8(uint64_t x)
{
    uint64_t t = (x ^ (x >> 7)) & UINT64_C(0x00AA00AA00AA00AA);
    x ^= t ^ (t << 7);
    t = (x ^ (x >> 14)) & UINT64_C(0x0000CCCC0000CCCC);
    x ^= t ^ (t << 14);
    t = (x ^ (x >> 28)) & UINT64_C(0x00000000F0F0F0F0);
    return x ^ t ^ (t << 28);
}

static void spread(uint8_t *bytes, const uint64_t (*planes)[RUGI_LBP_WORDS],
                   uint32_t n_planes)
{
    for (size_t at = 0; at < RUGI_LBP_TILE; at += 8) {
        uint64_t x = 0;
        for (uint32_t k = 0; k < n_planes; k++)
            x |= (planes[k][at / 64] >> at % 64 & 0xFF) << 8 * k;
        x = transpose_8x8(x);
        for (size_t i = 0; i < 8; i++)
            bytes[at + i] = (uint8_t)(x >> 8 * i);
    }
}

void rugi_lbp_set_kernels_ref(rugi_lbp_kernels *kernels)
{
    *kernels =
        (rugi_lbp_kernels){.name = "cpu-ref",
                           .column = {column_skimage, column_decimal, column_float},
                           .riu2 = riu2,
                           .spread = spread,
                           .to_double = to_double,
                           .to_float = to_float,
                           .variance = variance};
}
