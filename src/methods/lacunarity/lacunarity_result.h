/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Sums over boxes to numbers. */

#ifndef RUGI_LACUNARITY_RESULT_H
#define RUGI_LACUNARITY_RESULT_H

#include "lacunarity_plan.h"

/** Lacunarity, mean and variance of a size, each exact until it is rounded once.
 *  @param sums           NULL: no box fits
 *  @param unit_exponent  a mass of 1 is 2^unit_exponent */
void rugi_lacunarity_fill(rug_lacunarity_size *out, uint64_t size,
                          const rugi_lacunarity_sums *sums, int unit_exponent);

#endif
