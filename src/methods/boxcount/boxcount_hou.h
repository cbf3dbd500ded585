/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Boxes of sparse sets: the foreground of an image, or points, as sorted Morton keys. */

#ifndef RUGI_BOXCOUNT_HOU_H
#define RUGI_BOXCOUNT_HOU_H

#include "image_internal.h"
#include "predicate.h"
#include <rugose/boxcount.h>

/** Counts the boxes of result->counts[i].size for every i < result->n_sizes on the grid at
 *  the first cell, and sets nonempty, black, n_set, engine, busy_least and busy_most.
 *  @param img  any dtype, shape and strides
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
rug_status rugi_boxcount_hou_image(rug_context *ctx, rug_boxcount_result *result,
                                   const rug_image *img, const rugi_predicate *predicate);

#endif
