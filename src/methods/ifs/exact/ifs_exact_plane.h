/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What is known of a plane while its rows are coded exactly: the rows above, how far predictions
 * were off there, what the predictor has learned, and the slots of all contexts. */

#ifndef RUGI_IFS_EXACT_PLANE_H
#define RUGI_IFS_EXACT_PLANE_H

#include "ifs_exact_mix.h"

/** Rows are readable so far beyond both ends; so many equal ones come before a run. */
#define RUGI_IFS_MARGIN 8

/** Differences of neighbours that predict: of the plane itself, with those of planes before. */
#define RUGI_IFS_STEPS     7
#define RUGI_IFS_STEPS_MAX 12
/** Sums of products for n of them: n (n + 1) / 2 among each other, n with what they predict. */
#define RUGI_IFS_SUMS(n) ((n) * ((n) + 1) / 2 + (n))

/** Columns whose sums are added from the right at once, and columns beyond them that are
 *  still seen. */
#define RUGI_IFS_CHUNK 64
#define RUGI_IFS_AHEAD 16

#define RUGI_IFS_GUESSES 5
#define RUGI_IFS_BIASES  3

/** Nodes of the decisions about a pixel; those about equal neighbours have slots of their
 *  own. */
#define RUGI_IFS_NODES   64
#define RUGI_IFS_MATCHES 4

typedef enum rugi_ifs_exact_mode {
    RUGI_IFS_SMOOTH, /* pixels are predicted by weighted neighbours */
    RUGI_IFS_MATCH   /* most are equal to a neighbour */
} rugi_ifs_exact_mode;

typedef struct rugi_ifs_bias {
    int32_t sum, n;
} rugi_ifs_bias;

typedef struct rugi_ifs_exact_plane {
    const struct rugi_ifs_exact_plane
        *before[2]; /* the plane before, the one before it */
    int n_before;
    uint32_t nx;
    int32_t max;     /* values are 0..max */
    unsigned coarse; /* values >> coarse have 8 bits at most */
    unsigned noise;  /* differences are seen >> noise, 0..8 */
    rugi_ifs_exact_mode mode;

    int32_t *row[4];                   /* values of this row and of those above it */
    int32_t *error[3];                 /* value less prediction, in 1/16 */
    int32_t *off[3][RUGI_IFS_GUESSES]; /* |value less guess|, in 1/16 */

    unsigned n_steps, n_sums;
    int32_t *columns; /* [nx][n_sums] */
    int32_t *right;   /* [RUGI_IFS_CHUNK + RUGI_IFS_AHEAD + 1][n_sums], of a chunk */
    uint32_t chunk;   /* whose right is known; UINT32_MAX: of none */
    int32_t left[RUGI_IFS_SUMS(RUGI_IFS_STEPS_MAX)];
    int32_t weights[RUGI_IFS_STEPS_MAX]; /* in 1/65536 */
    rugi_ifs_bias *bias[RUGI_IFS_BIASES];

    rugi_ifs_mix mix;
    rugi_ifs_slot *slots[RUGI_IFS_MIX];   /* [contexts][RUGI_IFS_NODES] */
    rugi_ifs_slot *matches[RUGI_IFS_MIX]; /* [contexts][RUGI_IFS_MATCHES]; MATCH only */
    int32_t *mix_weights;                 /* [sets][RUGI_IFS_NODES][..] */
    int32_t *match_weights;               /* [sets][RUGI_IFS_MATCHES][..] */
    rugi_ifs_slot *low;                   /* lower bits of sizes: [20][8] */
    rugi_ifs_slot run[17][2];             /* by length, by whether the run before held */
    int run_held;
    void *memory;
} rugi_ifs_exact_plane;

#define RUGI_IFS_MIX_SETS 33

#endif
