/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The tables of mixed decisions, by whole numbers alone, so that they are the same on every
 * machine. */

#include "ifs_exact_mix.h"

#define STEPS 768 /* of odds, to each side */

/* 2^32 e^(-1/64): an odds' step of 4 / 256. */
#define STEP 4228380000u

/* A weight before anything is learned. */
#define WEIGHT_FIRST 16000

static void begin_squash(rugi_ifs_mix_tables *t)
{
    uint64_t against = (uint64_t)1 << 32; /* e^-odds, in 2^-32 */
    for (int i = 0; i <= STEPS; i++) {
        uint64_t one = ((uint64_t)1 << 48) / (((uint64_t)1 << 32) + against);
        t->squash[STEPS + i] = (uint16_t)(one < 65535 ? one : 65535);
        t->squash[STEPS - i] = (uint16_t)(65536 - t->squash[STEPS + i]);
        against = against * STEP >> 32;
    }
}

void rugi_ifs_mix_tables_begin(rugi_ifs_mix_tables *t)
{
    begin_squash(t);
    for (int i = 0, at = 0; i < 4096; i++) {
        while (at < 2 * STEPS - 1 && t->squash[at] < 16 * i + 8)
            at++;
        t->stretch[i] = (int16_t)(4 * (at - STEPS));
    }
    for (int i = 0; i <= RUGI_IFS_SLOT_SEEN; i++) {
        t->rate[i] = (uint16_t)(655360 / (10 * i + 16));
        t->trust[i] = (uint8_t)(i < 8 ? (i + 2) * 128 / 10 : 128);
    }
}

void rugi_ifs_mix_weights_begin(int32_t *weights, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < RUGI_IFS_MIX_WEIGHTS; k++)
            weights[i * RUGI_IFS_MIX_WEIGHTS + (size_t)k] =
                k < RUGI_IFS_MIX ? WEIGHT_FIRST : 0;
}

/* How slowly weights learn, after so many decisions as *n says; counts one more. */
static unsigned shift_of(int32_t *n)
{
    const unsigned shift = *n < 600 ? 14 : *n < 8000 ? 15 : 16;
    *n += *n < 8000;
    return shift;
}

static int32_t move(int32_t weight, int32_t step, unsigned shift)
{
    const int32_t to = weight + ((step + (1 << (shift - 1))) >> shift), most = 1 << 24;
    return to > most ? most : to < -most ? -most : to;
}

int rugi_ifs_mix_code(const rugi_ifs_mix *m, rugi_ifs_coder *coder, unsigned node,
                      int value)
{
    const rugi_ifs_mix_tables *t = m->tables;
    int32_t *w = m->weights + (size_t)node * RUGI_IFS_MIX_WEIGHTS, in[RUGI_IFS_MIX];
    rugi_ifs_slot *s[RUGI_IFS_MIX];
    int64_t sum = (int64_t)w[RUGI_IFS_MIX] * 256;
    for (int i = 0; i < RUGI_IFS_MIX; i++) {
        s[i] = m->at[i] + node;
        in[i] = (t->stretch[(s[i]->chance + 32768) >> 4] * t->trust[s[i]->seen]) >> 7;
        sum += (int64_t)w[i] * in[i];
    }
    sum >>= 16;
    const int32_t odds = sum > RUGI_IFS_ODDS    ? RUGI_IFS_ODDS
                         : sum < -RUGI_IFS_ODDS ? -RUGI_IFS_ODDS
                                                : (int32_t)sum;
    const int32_t one = t->squash[(odds + 3072) >> 2];
    value = rugi_ifs_code_chance(coder, 65536 - rugi_ifs_sure(one), value);
    const int32_t wrong = (value ? 65536 : 0) - one;
    const unsigned shift = shift_of(&w[RUGI_IFS_MIX + 1]);
    for (int i = 0; i < RUGI_IFS_MIX; i++) {
        w[i] = move(w[i], in[i] * wrong, shift);
        rugi_ifs_slot_learn(t, s[i], value);
    }
    w[RUGI_IFS_MIX] = move(w[RUGI_IFS_MIX], 256 * wrong, shift);
    return value;
}
