/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The encoder of one plane: what is fixed while it is coded, what a thread works with,
 * and its stages. */

#ifndef RUGI_IFS_ENCODE_H
#define RUGI_IFS_ENCODE_H

#include "core/context/context_internal.h"
#include "core/context/threads.h"
#include "ifs/search/ifs_search_plan.h"
#include "ifs/stream/ifs_planes.h"
#include "ifs_job.h"
#include "ifs_quantise.h"
#include "ifs_wave.h"
#include <stdlib.h>

/** Near domains are chosen on pixels of 10 bits. */
#define RUGI_IFS_SHORT_MAX 1023

/** The most leaves of a block of 32 x 32. */
#define RUGI_IFS_LEAVES 64

/** What is chosen of a row of roots, root by root. */
typedef struct rugi_ifs_row {
    RUGI_OWN_LINES rugi_ifs_leaf *leaves;
    int32_t *coefs; /* of the leaves, packed as those of a tree */
    size_t n_leaves, n_coefs, leaf_capacity, coef_capacity;
} rugi_ifs_row;

/** A plane of pixels, padded to whole blocks: of 8 bits, with one more of chroma, in 16
 *  bits with RUGI_IFS_ORIGIN added (lines that go on in the padding leave the range), of
 *  more bits in 32. */
typedef struct rugi_ifs_pixels {
    uint16_t *narrow; /* [ny][nx]; NULL: */
    int32_t *wide;
    uint32_t nx, ny;
    uint32_t used_x, used_y; /* without padding */
    unsigned depth;          /* bits of a pixel: 8 or 16, of chroma one more */
    int32_t min, max;
} rugi_ifs_pixels;

#define RUGI_IFS_ORIGIN 8192

static inline int32_t rugi_ifs_pixel_at(const rugi_ifs_pixels *p, size_t at)
{
    return p->narrow != NULL ? (int32_t)p->narrow[at] - RUGI_IFS_ORIGIN : p->wide[at];
}

static inline void rugi_ifs_put_pixel(const rugi_ifs_pixels *p, size_t at, int32_t value)
{
    if (p->narrow != NULL)
        p->narrow[at] = (uint16_t)(value + RUGI_IFS_ORIGIN);
    else
        p->wide[at] = value;
}

/** What is known of a plane while it is coded. */
typedef struct rugi_ifs_encoder {
    rug_context *ctx;
    const rugi_ifs_tables *tables;
    const rugi_ifs_pixels *plane;
    rugi_ifs_frame frame;
    rugi_ifs_effort effort;
    double lambda; /* distortion that is worth a bit */

    float *half; /* [ny / 2][nx / 2] means of 2 x 2 pixels of the source of domains */
    int16_t *half_short;  /* the same in 10 bits */
    unsigned short_shift; /* from the plane to 10 bits */
    int8_t *k_caps;       /* [ny / 4][nx / 4] largest |k| of a leaf there */
    /* [block] the domain of the grid; NULL: the level has none */
    uint32_t *grid[RUGI_IFS_LEVELS];

    rugi_ifs_map map;
    rugi_ifs_model **models; /* of each row of roots */
    rugi_ifs_row *rows;      /* of roots */
    rugi_ifs_wave wave;
    atomic_int failed;          /* a row could not grow */
    struct rugi_ifs_work *work; /* [thread] */
} rugi_ifs_encoder;

/** What a thread works with. */
typedef struct rugi_ifs_work {
    RUGI_OWN_LINES rugi_ifs_prices prices[RUGI_IFS_LEVELS];
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
    int8_t *k_caps;      /* as in rugi_ifs_encoder: lowered where leaves move */
} rugi_ifs_convergence;

/** Runs the decoder of a tree to see whether its iterations converge.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_ifs_converge(rug_context *ctx, rugi_ifs_convergence *convergence,
                             const rugi_ifs_tree *tree);

/** The domain of a block on the grid, in 32 bits: x / 4, y / 4 and the symmetry, and that
 *  there is one. */
#define RUGI_IFS_GRID_FOUND ((uint32_t)1 << 31)

static inline uint32_t rugi_ifs_grid_domain(const rugi_ifs_match *m)
{
    return m->found ? RUGI_IFS_GRID_FOUND | (uint32_t)m->symmetry << 28 |
                          m->y / RUGI_IFS_LEAST << 14 | m->x / RUGI_IFS_LEAST
                    : 0;
}

/** A value in 10 bits. */
static inline int16_t rugi_ifs_short_of(int64_t value, unsigned shift)
{
    int64_t v = value < 0 ? 0 : value >> shift;
    return (int16_t)(v > RUGI_IFS_SHORT_MAX ? RUGI_IFS_SHORT_MAX : v);
}

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

/** Searches the grid for the domains of all blocks that may pay for one: fills `grid`.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
rug_status rugi_ifs_search_grid(rugi_ifs_encoder *e);

/** Decides one root: the leaves of `work` are filled, the map is entered, and the model of
 *  its row learns.
 *  @return how many leaves there are */
size_t rugi_ifs_choose_root(rugi_ifs_encoder *e, rugi_ifs_work *work, uint32_t column,
                            uint32_t row);

#endif
