/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The plan of lacunarity: which boxes of which sizes, and in how many bits their masses are
 * kept. Computed once for all engines. */

#ifndef RUGI_LACUNARITY_PLAN_H
#define RUGI_LACUNARITY_PLAN_H

#include "lacunarity_kernels.h"
#include "lacunarity_plane.h"
#include <rugose/lacunarity.h>

/** A size whose boxes fit the image. */
typedef struct rugi_lacunarity_lane {
    uint32_t index; /* into the sizes that were asked for */
    size_t e[3];    /* pixels of a box along z y x */
    uint64_t full;  /* pixels of a box */
    uint64_t most;  /* no box has a larger mass */
    unsigned type;  /* of its sums: 1, 2 or 3 */
    int is_ring; /* from rows of sums over all pixels above, shared by sizes; else each size has
                       sums over its own rows, which slide along */
} rugi_lacunarity_lane;

typedef struct rugi_lacunarity_plan {
    const rugi_lacunarity_plane *plane;
    int is_fixed;
    size_t n_lanes;
    size_t ring_rows[RUGI_LACUNARITY_TYPES]; /* [type]; 0: none */
    rugi_lacunarity_lane lanes[RUG_LACUNARITY_MAX_SIZES];
} rugi_lacunarity_plan;

/** The sizes that are asked for, or the default ones.
 *  @return how many */
uint32_t rugi_lacunarity_sizes(uint64_t sizes[RUG_LACUNARITY_MAX_SIZES],
                               const size_t shape[3], const rug_lacunarity_options *opts);

void rugi_lacunarity_plan_make(rugi_lacunarity_plan *plan,
                               const rugi_lacunarity_plane *plane, uint32_t n_sizes,
                               const uint64_t *sizes, int is_fixed);

/** The sums of all lanes.
 *  @param out  [plan->n_lanes] */
rug_status rugi_lacunarity_run(rug_context *ctx, rugi_lacunarity_sums *out,
                               const char **engine, const rugi_lacunarity_plan *plan);

#endif
