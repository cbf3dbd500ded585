/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The result of lacunarity, and the numbers of a size from its sums. */

#ifndef RUGI_LACUNARITY_RESULT_H
#define RUGI_LACUNARITY_RESULT_H

#include "lacunarity_kernels.h"
#include <rugose/lacunarity.h>

struct rug_lacunarity_result {
    rug_context *ctx;
    rug_lacunarity_facts facts;
    rug_lacunarity_size sizes[]; /* [facts.n_sizes] */
};

/** Lacunarity, mean and variance of a size, each exact until it is rounded once.
 *  @param sums           NULL: no box fits
 *  @param unit_exponent  a mass of 1 is 2^unit_exponent */
void rugi_lacunarity_fill(rug_lacunarity_size *out, uint64_t size,
                          const rugi_lacunarity_sums *sums, int unit_exponent);

#endif
