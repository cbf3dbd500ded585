/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Decisions whose chance is mixed from those of several contexts, after Mahoney, "Adaptive
 * weighing of context models for lossless data compression" (2005): the chances are stretched
 * to the logarithm of their odds and added with weights, which learn by gradient descent
 * on the cost. All on whole numbers. */

#ifndef RUGI_IFS_EXACT_MIX_H
#define RUGI_IFS_EXACT_MIX_H

#include "ifs/stream/ifs_coder.h"

/** The chance of a 1 in one context. All 0 at first: a half. */
typedef struct rugi_ifs_slot {
    int16_t chance; /* of 65536, less 32768 */
    uint16_t seen;  /* decisions, up to 255: the first ones teach more, and count less */
} rugi_ifs_slot;

/** Contexts of a decision, and numbers of a row of weights: one for each, one for a
 *  constant, and how many decisions they have learned from. */
#define RUGI_IFS_MIX         6
#define RUGI_IFS_MIX_WEIGHTS 8

/** Logarithms of odds are in 1/256, within +-RUGI_IFS_ODDS. */
#define RUGI_IFS_ODDS      3071
#define RUGI_IFS_SLOT_SEEN 255

typedef struct rugi_ifs_mix_tables {
    int16_t stretch[4096]; /* of a chance in 1/4096 */
    uint16_t squash[1537]; /* of 65536, of (odds + 3072) / 4 */
    uint16_t rate[256];    /* how much a decision teaches, of 65536, after so many */
    uint8_t trust[256];    /* of 128 */
} rugi_ifs_mix_tables;

typedef struct rugi_ifs_mix {
    const rugi_ifs_mix_tables *tables;
    rugi_ifs_slot
        *at[RUGI_IFS_MIX]; /* borrowed: the slots of each context that holds now */
    int32_t *weights;      /* borrowed: [node][RUGI_IFS_MIX_WEIGHTS] */
} rugi_ifs_mix;

void rugi_ifs_mix_tables_begin(rugi_ifs_mix_tables *tables);

/** The weights of n rows before anything is learned. */
void rugi_ifs_mix_weights_begin(int32_t *weights, size_t n);

static inline void rugi_ifs_slot_learn(const rugi_ifs_mix_tables *t, rugi_ifs_slot *s,
                                       int value)
{
    /* A 1 teaches as a 0 does the chance from the other side; without a branch, as what is
     * coded can not be foreseen. */
    const int32_t other = -value, chance = s->chance ^ other;
    const int32_t rate = t->rate[s->seen] >> 1;
    s->chance = (int16_t)((chance - (((chance + 32768) * rate + 32767) >> 15)) ^ other);
    s->seen = (uint16_t)(s->seen + (s->seen < RUGI_IFS_SLOT_SEEN));
}

/** No decision is surer than 1 - 16 / 65536. */
static inline uint32_t rugi_ifs_sure(int32_t one)
{
    return (uint32_t)(one < 16 ? 16 : one > 65520 ? 65520 : one);
}

/** A decision in one context alone. @return the value */
static inline int rugi_ifs_slot_code(const rugi_ifs_mix_tables *t, rugi_ifs_coder *coder,
                                     rugi_ifs_slot *s, int value)
{
    value = rugi_ifs_code_chance(coder, 65536 - rugi_ifs_sure(s->chance + 32768), value);
    rugi_ifs_slot_learn(t, s, value);
    return value;
}

/** A decision in all contexts that hold, each with its slot of this node. @return the value */
int rugi_ifs_mix_code(const rugi_ifs_mix *mix, rugi_ifs_coder *coder, unsigned node,
                      int value);

#endif
