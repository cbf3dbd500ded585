/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The encoder of one plane: what is fixed while it is coded, what a thread works with,
 * and its stages. */

#ifndef RUGI_IFS_ENCODE_H
#define RUGI_IFS_ENCODE_H

#include "core/context/context_internal.h"
#include "ifs/search/ifs_search_plan.h"
#include "ifs/stream/ifs_planes.h"
#include "ifs_job.h"
#include "ifs_quantise.h"
#include <stdatomic.h>
#include <stdlib.h>

/** The most leaves of a block of 32 x 32. */
#define RUGI_IFS_LEAVES 64

/** What is chosen of a row of roots, root by root. */
typedef struct rugi_ifs_row {
    rugi_ifs_leaf *leaves;
    int32_t *coefs; /* of the leaves, packed as those of a tree */
    size_t n_leaves, n_coefs, leaf_capacity, coef_capacity;
    atomic_uint state; /* 2 * roots that are done, 1 while one is at work */
} rugi_ifs_row;

/** A plane of pixels, padded to whole blocks. */
typedef struct rugi_ifs_pixels {
    int32_t *pixels; /* [ny][nx] */
    uint32_t nx, ny;
    uint32_t used_x, used_y; /* without padding */
    int32_t min, max;
} rugi_ifs_pixels;

/** What is known of a plane while it is coded. */
typedef struct rugi_ifs_encoder {
    rug_context *ctx;
    const rugi_ifs_tables *tables;
    const rugi_ifs_pixels *plane;
    rugi_ifs_frame frame;
    rugi_ifs_effort effort;
    double lambda; /* distortion that is worth a bit */

    float *half; /* [ny / 2][nx / 2] means of 2 x 2 pixels of the source of domains */
    int16_t *half_short, *short_pixels; /* the same and the plane in 10 bits */
    int16_t *k_caps;                    /* [ny / 4][nx / 4] largest |k| of a leaf there */

    uint32_t n_grid[RUGI_IFS_LEVELS]; /* matches of each level */
    rugi_ifs_place *ranges[RUGI_IFS_LEVELS];
    rugi_ifs_match *matches[RUGI_IFS_LEVELS];
    /* [block] one more than the index of its match; 0: none. NULL: the level has none */
    uint32_t *match_of[RUGI_IFS_LEVELS];

    rugi_ifs_map map;
    rugi_ifs_model **models; /* of each row of roots */
    rugi_ifs_row *rows;         /* of roots */
    atomic_int failed;          /* a row could not grow */
    struct rugi_ifs_work *work; /* [thread] */
} rugi_ifs_encoder;

/** What a thread works with. */
typedef struct rugi_ifs_work {
    rugi_ifs_prices prices[RUGI_IFS_LEVELS];
    uint8_t magnitudes[RUGI_IFS_BORDERED * RUGI_IFS_BORDERED];
    uint16_t set[RUGI_IFS_PIXELS];
    float range_pixels[RUGI_IFS_PIXELS], domain_pixels[RUGI_IFS_PIXELS];
    float natural[RUGI_IFS_PIXELS], mapped[RUGI_IFS_PIXELS];
    float range[RUGI_IFS_PIXELS], domain[RUGI_IFS_PIXELS], rest[RUGI_IFS_PIXELS];
    int16_t ranges[RUGI_IFS_ISOMETRIES * RUGI_IFS_PIXELS], piece[RUGI_IFS_PIXELS];
    int32_t trial[RUGI_IFS_PIXELS];
    int32_t best[RUGI_IFS_LEVELS][RUGI_IFS_PIXELS];
    rugi_ifs_leaf leaves[RUGI_IFS_LEAVES]; /* of the root */
    int32_t coefs[RUGI_IFS_PIXELS];        /* of its leaves */
} rugi_ifs_work;

/** Work whose progress nobody needs to see: it stays at `share` of the phase.
 *  @return what rugi_phase_leave() takes */
static inline rugi_phase rugi_ifs_quiet(rug_context *ctx, double share)
{
    return rugi_phase_enter(ctx, share, share);
}

/** The largest difference of n values. */
static inline int32_t rugi_ifs_largest_change(const int32_t *a, const int32_t *b,
                                              size_t n)
{
    int32_t largest = 0;
    for (size_t i = 0; i < n; i++) {
        int32_t change = abs(a[i] - b[i]);
        largest = change > largest ? change : largest;
    }
    return largest;
}

/** What was found of a tree's iterations. */
typedef struct rugi_ifs_convergence {
    uint32_t iterations; /* after which nothing changes, 0.. */
    size_t n_moving;     /* leaves that do not come to rest */
    int16_t *k_caps;     /* as in rugi_ifs_encoder: lowered where leaves move */
} rugi_ifs_convergence;

/** Runs the decoder of a tree to see whether its iterations converge.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_ifs_converge(rug_context *ctx, rugi_ifs_convergence *convergence,
                             const rugi_ifs_tree *tree);

/** Codes a plane.
 *  @param tree  filled on RUG_OK; rugi_ifs_tree_free()
 *  @param iterations  after which a decoder of it has converged
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
rug_status rugi_ifs_encode(rug_context *ctx, rugi_ifs_tree *tree, uint32_t *iterations,
                           const rugi_ifs_tables *tables, const rugi_ifs_pixels *plane,
                           const rugi_ifs_frame *frame, const rugi_ifs_effort *effort);

/* ---- Stages ---- */

/** Coefficients of the block that an isometry makes, from those of the block, both row
 *  by row. */
void rugi_ifs_map_coefs(float *out, const float *in, unsigned symmetry, size_t side);

/** Decides one root: the leaves of `work` are filled, the map is entered, and the model of
 *  its row learns.
 *  @return how many leaves there are */
size_t rugi_ifs_choose_root(rugi_ifs_encoder *e, rugi_ifs_work *work, uint32_t column,
                            uint32_t row);

#endif
