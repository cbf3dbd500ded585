/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The method HOU, of whatever pixels. */

#ifndef RUGI_BOXCOUNT_PIXELS_H
#define RUGI_BOXCOUNT_PIXELS_H

#include "boxcount/bits/boxcount_bits.h"
#include "core/points/point_cells.h"
#include <rugose/boxcount.h>

/** Counts the boxes of result->counts[i].size for every i < result->n_sizes on the grid
 *  through coordinate 0, and sets nonempty, black, n_set, engine, busy_least and
 *  busy_most.
 *  @return RUG_OK, RUG_E_ARG (the pixels have no keys), RUG_E_NOMEM, RUG_E_DEVICE,
 *          RUG_E_CANCELLED */
rug_status rugi_boxcount_hou_cells(rug_context *ctx, rug_boxcount_result *result,
                                   const rugi_cells *pixels);

#endif
