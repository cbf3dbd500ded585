/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the files that decode exact planes share: FORMAT.md, section 13. */

#ifndef TESTS_INDEPENDENT_EXACT_H
#define TESTS_INDEPENDENT_EXACT_H

#include "independent_v3.h"

enum { IND_STEPS_MOST = 12, IND_GUESSES = 5 };

/** The sums of a column, of what lies to the left, or to the right. */
typedef struct ind_sums {
    int64_t products[IND_STEPS_MOST][IND_STEPS_MOST]; /**< of two steps */
    int64_t target[IND_STEPS_MOST];                   /**< of a step and the target */
} ind_sums;

/** A context of the bias. */
typedef struct ind_bias {
    int64_t sum, count;
} ind_bias;

/** What SMOOTH prediction keeps from pixel to pixel. */
typedef struct ind_smooth {
    ind_sums *columns; /**< [nx]; owned */
    ind_sums left;
    ind_sums right[64]; /**< of the columns of a group, made when its first one is met */
    int64_t group;      /**< which columns they are of; -1: none */
    int64_t weights[IND_STEPS_MOST];
    ind_plane guess_errors[IND_GUESSES];
    ind_bias bias[3][2048];
    /* of the pixel */
    int64_t d[IND_STEPS_MOST], guesses[IND_GUESSES], beta;
    ind_bias *contexts[3];
} ind_smooth;

/** Small, as there are many. */
typedef struct ind_slot {
    int16_t c, seen;
} ind_slot;

/** A plane while it is decoded. */
typedef struct ind_exact {
    int64_t *values; /**< [max + 1] what the numbers stand for; owned */
    int64_t max;
    int coarse;
    bool is_match;
    int noise;
    ind_plane pixels, errors; /**< as numbers; owned */
    struct ind_exact *before, *second;
    ind_smooth *smooth; /**< owned */
    struct mixer *match, *residual;
    ind_slot held[17][2];
    int last_held;
    ind_slot bits[33][8];
} ind_exact;

/** What stands around a pixel. */
typedef struct ind_around {
    int64_t y, x;
    int64_t w, nw, n, ne, ww, nn, nne, nee;
    int64_t e_w, e_nw, e_n, e_ne, e_ww, e_nn, energy;
    int64_t p;       /**< the prediction, times 16 */
    int64_t pattern; /**< what is above it */
} ind_around;

/** A value of pixels or errors at a place, by the rules beyond edges. */
int64_t ind_around_at(const ind_plane *plane, int64_t y, int64_t x);
int64_t ind_quarters(int64_t v);
int64_t ind_signed(int64_t v);
int ind_log2(int64_t v);
/** Whether N, W, NW, NE, WW, NN, 2 N - NN, 2 W - WW are above a value. */
int64_t ind_pattern(const ind_around *a, int64_t v);

ind_smooth *ind_begin_smooth(int64_t ny, int64_t nx);
void ind_begin_row(ind_smooth *s);
/** Sets p and pattern. */
void ind_predict_smooth(ind_exact *e, ind_around *a);
void ind_learn_smooth(ind_exact *e, const ind_around *a, int64_t value);
/** A pixel of a run: no guess was wrong. */
void ind_skip_smooth(ind_smooth *s, int64_t y, int64_t x);
void ind_free_smooth(ind_smooth *s);

#endif
