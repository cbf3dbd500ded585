/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Emptying a counter of bits. */

#include "alpha_slice_kernels.h"
#include <string.h>

static void add_plane(uint64_t total[64], const uint64_t plane[RUGI_ALPHA_LANES],
                      uint32_t bit)
{
    for (size_t lane = 0; lane < RUGI_ALPHA_LANES; lane++)
        for (uint32_t i = 0; i < 64; i++)
            total[i] += (plane[lane] >> i & 1) << bit;
}

void rugi_alpha_counter_empty(rugi_alpha_counter *counter)
{
    for (uint32_t p = 0; p < RUGI_ALPHA_COUNTER_BITS; p++) {
        int waits = p >= RUGI_ALPHA_GROUP_BITS &&
                    (counter->n_groups >> (p - RUGI_ALPHA_GROUP_BITS) & 1);
        add_plane(counter->total, counter->plane[p], p);
        if (waits)
            add_plane(counter->total, counter->carry[p], p);
    }
    memset(counter->plane, 0, sizeof counter->plane);
    counter->n_groups = 0;
}
