/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The plan of lacunarity: which boxes of which sizes, and in how many bits their masses are
 * kept. Made by lacunarity.c. */

#ifndef RUGI_LACUNARITY_PLAN_H
#define RUGI_LACUNARITY_PLAN_H

#include "lacunarity_kernels.h"
#include "lacunarity_plane.h"
#include <rugose/lacunarity.h>

/** The box of a size that fits the image. */
typedef struct rugi_lacunarity_box {
    uint32_t index; /* into the sizes of the call */
    size_t e[3];    /* its sides in pixels, z y x */
    uint64_t full;  /* its pixels */
    uint64_t most;  /* no position has a larger mass */
    unsigned type;  /* of its sums: 1, 2 or 3 */
    int is_ring; /* masses are differences of rows of sums over all pixels above, which sizes
                    share; else this size has sums over its own rows, which slide along */
} rugi_lacunarity_box;

typedef struct rugi_lacunarity_plan {
    const rugi_lacunarity_plane *plane;
    int is_fixed;
    size_t n_boxes;                          /* one for each size that fits */
    size_t ring_rows[RUGI_LACUNARITY_TYPES]; /* [type] rows of shared sums; 0: none */
    rugi_lacunarity_box boxes[RUG_LACUNARITY_MAX_SIZES];
} rugi_lacunarity_plan;

/** Adds up the boxes of all sizes that fit, on the processor.
 *  @param out     [plan->n_boxes]
 *  @param engine  set; static text */
rug_status rugi_lacunarity_cpu(rug_context *ctx, rugi_lacunarity_sums *out,
                               const char **engine, const rugi_lacunarity_plan *plan);

#endif
