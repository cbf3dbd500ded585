/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Sizes, and how their sums are kept. */

#include "lacunarity_plan.h"
#include <string.h>

/* Rows of sums that sizes share take at most so many bytes: further ones are cheaper to make
 * anew for each size than to fetch from memory. */
#define RING_BYTES ((size_t)8 << 20)

uint32_t rugi_lacunarity_sizes(uint64_t sizes[RUG_LACUNARITY_MAX_SIZES],
                               const size_t shape[3], const rug_lacunarity_options *opts)
{
    uint64_t shortest = UINT64_MAX;
    uint32_t n = 0;
    if (opts->sizes != NULL) {
        memcpy(sizes, opts->sizes, opts->n_sizes * sizeof *sizes);
        return opts->n_sizes;
    }
    for (int a = 0; a < 3; a++)
        if (shape[a] > 1 && shape[a] < shortest)
            shortest = shape[a];
    if (shortest == UINT64_MAX)
        shortest = 1;
    for (uint64_t s = 1; s <= shortest && s > 0; s *= 2)
        sizes[n++] = s;
    return n;
}

/* Whether boxes of a size fit; then the lane has their sides. Axes of a single pixel are no
 * sides, but where there is no other. */
static int fits(rugi_lacunarity_lane *lane, const size_t n[3], uint64_t size)
{
    lane->full = 1;
    if (size > 1 && n[0] == 1 && n[1] == 1 && n[2] == 1)
        return 0;
    for (int a = 0; a < 3; a++) {
        if (n[a] > 1 && size > n[a])
            return 0;
        lane->e[a] = n[a] > 1 ? (size_t)size : 1;
        lane->full *= lane->e[a];
    }
    return 1;
}

static void choose_type(rugi_lacunarity_lane *lane, const rugi_lacunarity_plane *plane)
{
    rugi_lacunarity_u128 most = (rugi_lacunarity_u128)plane->largest * lane->full;
    lane->most = most < plane->total ? (uint64_t)most : plane->total;
    uint64_t wide = lane->most;
    if (plane->inside.data != NULL && lane->full > wide)
        wide = lane->full;
    lane->type = wide <= RUGI_LACUNARITY_MAX_16 ? 1 : wide <= UINT32_MAX ? 2 : 3;
    if (lane->type < plane->masses.type)
        lane->type = plane->masses.type;
}

void rugi_lacunarity_plan_make(rugi_lacunarity_plan *plan,
                               const rugi_lacunarity_plane *plane, uint32_t n_sizes,
                               const uint64_t *sizes, int is_fixed)
{
    plan->plane = plane;
    plan->is_fixed = is_fixed;
    plan->n_lanes = 0;
    memset(plan->ring_rows, 0, sizeof plan->ring_rows);
    for (uint32_t i = 0; i < n_sizes; i++) {
        rugi_lacunarity_lane *lane = &plan->lanes[plan->n_lanes];
        if (!fits(lane, plane->n, sizes[i]))
            continue;
        lane->index = i;
        choose_type(lane, plane);
        size_t room = RING_BYTES / rugi_lacunarity_row_bytes(plane->n[2], lane->type);
        lane->is_ring = !is_fixed && plane->inside.data == NULL && plane->n[0] == 1 &&
                        lane->e[1] < room;
        if (lane->is_ring)
            plan->ring_rows[lane->type] = lane->e[1] + 1; /* sizes ascend */
        plan->n_lanes++;
    }
}
