/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The contexts of a plane of patches: one probability each. */

#ifndef RUGI_IFS_PATCH_MODEL_H
#define RUGI_IFS_PATCH_MODEL_H

#include "ifs/stream/ifs_model.h"
#include "ifs_patches.h"

/* Numbers of contexts. */
#define RUGI_IFS_PATCH_BANDS      7 /* of a coefficient's place in the zigzag */
#define RUGI_IFS_PATCH_WIDE_BANDS 4 /* the same, coarser */
#define RUGI_IFS_KIND_QUESTIONS   5 /* to tell the kind of a patch */
#define RUGI_IFS_ANGLES_GUESSED   3 /* directions that are asked for before the others */
#define RUGI_IFS_PLACE_UNARY      2
#define RUGI_IFS_STATES           8 /* of the choice of quantisers */
#define RUGI_IFS_QUANTISERS       3 /* that are told apart */

/* All members are probabilities. [2]: predicted from neighbours, or from a domain or luma;
 * [LEVELS / 2]: blocks of 32 and 16 samples, of 8 and 4. */
struct rugi_ifs_patch_model {
    rugi_ifs_bit offset[1 + RUGI_IFS_NUMBER(2)];
    rugi_ifs_bit split[3][RUGI_IFS_LEVELS - 1]
                      [5]; /* [plane before: none, coarser, finer] */
    rugi_ifs_bit kind[RUGI_IFS_KIND_QUESTIONS][RUGI_IFS_LEVELS][3];
    rugi_ifs_bit guessed[RUGI_IFS_ANGLES_GUESSED][3];
    rugi_ifs_bit angle[RUGI_IFS_LEVELS / 2][RUGI_IFS_ANGLES];
    rugi_ifs_bit symmetry[8];
    rugi_ifs_bit scale[2][RUGI_IFS_LEVELS / 2][1 << RUGI_IFS_SCALE_BITS];
    rugi_ifs_bit place[2][RUGI_IFS_LEVELS][1 + RUGI_IFS_NUMBER(RUGI_IFS_PLACE_UNARY)];
    rugi_ifs_bit has_coefs[RUGI_IFS_LEVELS][2][3][2]; /* [][][around][plane before] */
    rugi_ifs_bit last[RUGI_IFS_LEVELS][2][RUGI_IFS_NUMBER(RUGI_IFS_LAST_UNARY)];
    rugi_ifs_bit is_not_0[RUGI_IFS_QUANTISERS][RUGI_IFS_LEVELS / 2][RUGI_IFS_PATCH_BANDS]
                         [RUGI_IFS_SUMS];
    rugi_ifs_bit is_not_1[RUGI_IFS_PATCH_WIDE_BANDS][RUGI_IFS_SUMS];
    rugi_ifs_bit size[RUGI_IFS_PATCH_WIDE_BANDS][RUGI_IFS_WIDE_SUMS]
                     [RUGI_IFS_NUMBER(RUGI_IFS_SIZE_UNARY)];
    rugi_ifs_bit is_fitted[3][RUGI_IFS_LEVELS]; /* slope of luma, [around] */
};

/** How many there are, and what they are before the first decision, [has_luma]: the chance of a 0
 *  in 1/65536 but for its last 4 bits, which are log2 of 2 + decisions it stands for. */
#define RUGI_IFS_PATCH_BITS (sizeof(struct rugi_ifs_patch_model) / sizeof(rugi_ifs_bit))
extern const uint16_t rugi_ifs_patch_start[2][RUGI_IFS_PATCH_BITS];

/** What lies around a block. */
typedef struct rugi_ifs_patch_around {
    const rugi_ifs_patch_square *left, *above; /* NULL: none */
    const rugi_ifs_patch_square *before;       /* in the plane coded before; NULL: none */
    unsigned finer; /* 0..4: how much finer the patches to the left and above are */
    unsigned coded; /* of both, those with coefficients */
} rugi_ifs_patch_around;

void rugi_ifs_patch_look_around(rugi_ifs_patch_around *out,
                                const rugi_ifs_patch_coding *c, uint32_t x, uint32_t y,
                                unsigned level);

/** The first coefficients of the zigzag of each class of them. */
static const uint8_t rugi_ifs_patch_bands[RUGI_IFS_PATCH_BANDS] = {0,  1,  3,  10,
                                                                   28, 66, 150};

/** The class of coefficient i, for whether it is 0 and for what it is. */
static inline unsigned rugi_ifs_patch_band(unsigned i)
{
    unsigned band = RUGI_IFS_PATCH_BANDS - 1;
    while (i < rugi_ifs_patch_bands[band])
        band--;
    return band;
}
static inline unsigned rugi_ifs_patch_wide_band(unsigned i)
{
    return i == 0 ? 0 : i < 3 ? 1 : i < 10 ? 2 : 3;
}

/* Coefficients are quantised by one of two quantisers, whose values lie between each other's
 * (trellis coded quantisation; Marcellin and Fischer 1990, Schwarz et al. 2019): even numbers of
 * half steps, or odd ones and 0. Which one, a state says that follows from the magnitudes before. */

/** The state behind a coefficient. */
static inline unsigned rugi_ifs_next_state(unsigned state, uint32_t magnitude)
{
    static const uint8_t next[RUGI_IFS_STATES][2] = {{0, 2}, {5, 7}, {1, 3}, {6, 4},
                                                     {2, 0}, {4, 6}, {3, 1}, {7, 5}};
    return next[state][magnitude & 1];
}

/** 1: the quantiser of odd numbers. */
static inline unsigned rugi_ifs_is_odd(unsigned state)
{
    return state & 1;
}

static inline unsigned rugi_ifs_quantiser_of(unsigned state)
{
    return (state & 1) << (state >> 1 & 1);
}

/** Of a value in half steps. */
static inline uint32_t rugi_ifs_magnitude_of(int32_t value)
{
    return ((uint32_t)(value < 0 ? -value : value) + 1) / 2;
}

/** Whether a patch is predicted from a domain or luma. */
static inline unsigned rugi_ifs_is_copied(unsigned kind)
{
    return kind >= RUGI_IFS_DOMAIN;
}

#endif
