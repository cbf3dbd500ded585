/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The contexts of a plane's decisions: one probability each. */

#ifndef RUGI_IFS_MODEL_H
#define RUGI_IFS_MODEL_H

#include "ifs_pixel.h"
#include "ifs_syntax.h"

/* Numbers of contexts. */
#define RUGI_IFS_BANDS      6 /* of a coefficient's place in the zigzag */
#define RUGI_IFS_WIDE_BANDS 3 /* the same, coarser */
#define RUGI_IFS_SUMS       8 /* of the magnitudes of coefficients around one */
#define RUGI_IFS_WIDE_SUMS  6 /* the same, coarser */
#define RUGI_IFS_ACTIVITIES 4 /* of the means around a block */
#define RUGI_IFS_MEAN_UNARY 4
#define RUGI_IFS_LAST_UNARY 2
#define RUGI_IFS_SIZE_UNARY 6
#define RUGI_IFS_SCALE_BITS 4
#define RUGI_IFS_NEAR_BITS  6
#define RUGI_IFS_NUMBER(n)  ((n) + RUGI_IFS_GOLOMB)

/* All members are probabilities. [2]: without or with a domain; [LEVELS / 2]: blocks
 * of 32 and 16 pixels, of 8 and 4. */
struct rugi_ifs_model {
    rugi_ifs_bit split[RUGI_IFS_LEVELS - 1][5];
    rugi_ifs_bit has_domain[RUGI_IFS_LEVELS][3];
    rugi_ifs_bit zone[RUGI_IFS_LEVELS][2];
    rugi_ifs_bit near[RUGI_IFS_LEVELS][1 << RUGI_IFS_NEAR_BITS];
    rugi_ifs_bit symmetry[3][8];
    rugi_ifs_bit scale[RUGI_IFS_LEVELS][3][1 << RUGI_IFS_SCALE_BITS];
    rugi_ifs_bit mean[RUGI_IFS_LEVELS / 2][RUGI_IFS_ACTIVITIES]
                     [RUGI_IFS_NUMBER(RUGI_IFS_MEAN_UNARY)];
    rugi_ifs_bit has_coefs[RUGI_IFS_LEVELS][2][3];
    rugi_ifs_bit last[RUGI_IFS_LEVELS][2][RUGI_IFS_NUMBER(RUGI_IFS_LAST_UNARY)];
    rugi_ifs_bit is_not_0[RUGI_IFS_LEVELS / 2][RUGI_IFS_BANDS][RUGI_IFS_SUMS];
    rugi_ifs_bit is_not_1[RUGI_IFS_WIDE_BANDS][RUGI_IFS_SUMS];
    rugi_ifs_bit size[RUGI_IFS_WIDE_BANDS][RUGI_IFS_WIDE_SUMS]
                     [RUGI_IFS_NUMBER(RUGI_IFS_SIZE_UNARY)];
};

/** All of them as they are before the first decision. */
static inline void rugi_ifs_model_begin(rugi_ifs_model *model)
{
    rugi_ifs_bits_begin((rugi_ifs_bit *)(void *)model,
                        sizeof *model / sizeof(rugi_ifs_bit));
}

/** What lies around a block. */
typedef struct rugi_ifs_around {
    unsigned finer;   /* 0..4: how much finer the blocks to the left and above are */
    unsigned fractal; /* of both, those with a domain */
    unsigned coded;   /* of both, those with coefficients */
    int32_t mean;     /* prediction of its mean, in 1/64 of a grey level */
    int32_t contrast; /* greatest difference between left, above and both */
} rugi_ifs_around;

void rugi_ifs_look_around(rugi_ifs_around *out, const rugi_ifs_map *map, uint32_t x,
                          uint32_t y, unsigned level);

/** The coefficients of a leaf. */
void rugi_ifs_code_coefs(rugi_ifs_coder *coder, rugi_ifs_model *model,
                         const rugi_ifs_around *around, rugi_ifs_leaf *leaf);

/** Magnitudes count up to this in the sum that is the context of a coefficient: twice
 *  those to the right and below, and those diagonally below, two to the right and two
 *  below. */
#define RUGI_IFS_SIZE_SEEN 15
#define RUGI_IFS_SUM_MAX   (7 * RUGI_IFS_SIZE_SEEN)

/** The classes of that sum for each of the three questions. */
typedef struct rugi_ifs_sum_class {
    uint8_t of_0, of_1, of_size;
} rugi_ifs_sum_class;
extern const rugi_ifs_sum_class rugi_ifs_sum_classes[RUGI_IFS_SUM_MAX + 1];

/** The class of coefficient i of the zigzag, for whether it is 0 and for what it is. */
static inline unsigned rugi_ifs_band(unsigned i)
{
    return i < 3 ? 0 : i < 10 ? 1 : i < 28 ? 2 : i < 66 ? 3 : i < 150 ? 4 : 5;
}
static inline unsigned rugi_ifs_wide_band(unsigned i)
{
    return i < 3 ? 0 : i < 10 ? 1 : 2;
}

#endif
