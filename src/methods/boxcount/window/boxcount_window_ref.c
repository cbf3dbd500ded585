/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The portable kernels of counting boxes of any size: two words at a time where the
 * compiler has vectors, else one. */

#ifdef __GNUC__
#define RUGI_LANES 2
#else
#define RUGI_LANES 1
#endif
#include "boxcount_window_tmpl.h"

static inline lanes word_counts(lanes x)
{
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    x += x >> 8;
    x += x >> 16;
    return (x + (x >> 32)) & 0xff;
}

static inline lanes below_last(lanes x)
{
    return plain_below_last(x);
}

static inline uint64_t sum_of_lanes(lanes x)
{
    return plain_sum_of_lanes(x);
}

static inline int has_bits(lanes x)
{
    return plain_has_bits(x);
}

static void columns(uint64_t *counts, rugi_planes p, size_t n)
{
    plain_columns(counts, p, n);
}

void rugi_window_kernels_ref(rugi_window_kernels *kernels)
{
    static const rugi_window_kernels ref = RUGI_WINDOW_KERNELS("cpu-ref", columns);
    *kernels = ref;
}
