/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The encoder's side of the filters of a plane. */

#ifndef RUGI_IFS_FILTER_FIND_H
#define RUGI_IFS_FILTER_FIND_H

#include "ifs_filter.h"

/** Finds the filters of a plane and the roots they are for. The result does not depend on
 *  threads and CPU levels.
 *  @param out       valid on RUG_OK; without filters when they do not pay
 *  @param on        [ny / 32][nx / 32] whether a root is filtered; all 0 without filters
 *  @param decoded   at octave 0; below 2^23 pixels a row
 *  @param original  [ny][pitch], as decoded; what is beyond used_x and used_y is not read
 *  @param used_x    columns that count, above nx - 32, at most nx; used_y likewise rows
 *  @param lambda    squared error that is worth a bit, above 0; its root is the unit of the
 *                   filters' limit
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_ifs_find_filters(rug_context *ctx, rugi_ifs_filters *out, uint8_t *on,
                                 const rugi_ifs_unfiltered *decoded,
                                 const int16_t *original, uint32_t used_x,
                                 uint32_t used_y, double lambda);

#endif
