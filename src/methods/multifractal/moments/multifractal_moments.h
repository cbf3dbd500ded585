/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The sums of orders and sizes. */

#ifndef RUGI_MULTIFRACTAL_MOMENTS_H
#define RUGI_MULTIFRACTAL_MOMENTS_H

#include "multifractal/masses/masses_state.h"

/** RUG_OK, or RUG_E_ARG: an order that is not finite or too large. */
rug_status rugi_orders_check(rug_context *ctx, const double *q, size_t n_q);

/** rug_multifractal_moments() of levels that are there.
 *  @param near_empty  [n_q][n_levels], the share of Z of nearly empty boxes, or NULL */
rug_status rugi_multifractal_sums(rug_context *ctx, rug_moments *out, double *near_empty,
                                  const rug_masses *masses, const double *q, size_t n_q);

/** The boxes of a level that have a mass. */
uint64_t rugi_mass_level_boxes(const rugi_mass_level *level);

#endif
