/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Scaling laws: how a number that depends on the size of boxes goes with that size. Which
 * sizes the line in a log-log plot takes, and the line. Shared by every method that
 * measures boxes of many sizes, so that equal counts have equal dimensions. */

#ifndef RUGI_SCALING_H
#define RUGI_SCALING_H

#include "fit.h"
#include <rugose/context.h>
#include <stdint.h>

/** Which sizes are fitted, as asked. */
typedef struct rugi_scaling_range {
    int is_auto;                 /* the longest range with steady local slopes */
    uint64_t size_min, size_max; /* 0: not given */
} rugi_scaling_range;

/** RUG_OK, or RUG_E_ARG with a text: both kinds of range given, or an empty one. */
rug_status rugi_scaling_check(rug_context *ctx, rugi_scaling_range range);

/** The largest size that a fit takes unless asked otherwise: a quarter of the shortest axis
 *  longer than 1; where that gives fewer than three sizes, half of the longest; 1 for a
 *  single cell.
 *  @param n_axes, shape  cells per axis
 *  @param sizes          ascending */
uint64_t rugi_scaling_size_max(int n_axes, const uint64_t *shape, size_t n_sizes,
                               const uint64_t *sizes);

#endif
