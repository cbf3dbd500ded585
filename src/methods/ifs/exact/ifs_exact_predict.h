/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Predicts a pixel from its causal neighbours and from the planes before. */

#ifndef RUGI_IFS_EXACT_PREDICT_H
#define RUGI_IFS_EXACT_PREDICT_H

#include "ifs_exact_plane.h"

/** The neighbours of a pixel, by the points of the compass, and what surrounds it. */
typedef struct rugi_ifs_near {
    int32_t w, nw, n, ne, ww, nn, nne, nee;
    uint32_t energy; /* 8 times the mean |error| near by, in 1/16 */
} rugi_ifs_near;

typedef struct rugi_ifs_guess {
    int32_t value; /* the prediction, in 1/16, within 0..16 max */
    int pattern;   /* 8 bits: which neighbours are above it */
    /* What to teach when the pixel is known (SMOOTH). */
    int32_t bias;
    uint32_t bias_context[RUGI_IFS_BIASES];
    int32_t guesses[RUGI_IFS_GUESSES];
    int32_t steps[RUGI_IFS_STEPS_MAX];
} rugi_ifs_guess;

/** A logarithm in quarters of an octave; 0..3 are themselves. Up to 119. */
static inline unsigned rugi_ifs_quarters(uint32_t v)
{
    if (v < 4)
        return v;
    const unsigned top = 31u - (unsigned)__builtin_clz(v);
    return (top - 1) * 4 + (v >> (top - 2) & 3);
}

/** -5..5: sign and size of a number: 0, 1, 2..3, 4..7, 8..15, more. */
static inline int rugi_ifs_signed_class(int32_t v)
{
    const uint32_t size = v < 0 ? (uint32_t)-v : (uint32_t)v;
    const int c = size == 0 ? 0 : size < 16 ? 32 - __builtin_clz(size) : 5;
    return v < 0 ? -c : c;
}

static inline uint32_t rugi_ifs_size(int32_t v)
{
    return v < 0 ? (uint32_t)-v : (uint32_t)v;
}

void rugi_ifs_exact_predict(rugi_ifs_exact_plane *plane, uint32_t x,
                            const rugi_ifs_near *near, rugi_ifs_guess *guess);

/** Teaches the predictor the value of the pixel, plane->row[0][x], and keeps the error. */
void rugi_ifs_predict_learn(rugi_ifs_exact_plane *plane, uint32_t x,
                            const rugi_ifs_near *near, const rugi_ifs_guess *guess);

#endif
