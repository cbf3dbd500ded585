/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From what was measured of a plane to the filters that pay best for their bits. */

#ifndef RUGI_IFS_FILTER_DESIGN_H
#define RUGI_IFS_FILTER_DESIGN_H

#include "ifs_filter.h"

/** Sums of products of the taps' differences and, last, the error: the lower triangle row by
 *  row. */
#define RUGI_IFS_FILTER_MOMENTS \
    ((RUGI_IFS_FILTER_TAPS + 1) * (RUGI_IFS_FILTER_TAPS + 2) / 2)
typedef double rugi_ifs_filter_moments[RUGI_IFS_FILTER_MOMENTS];

/** Finds filters: classes are merged, and taps rounded, by what they gain and cost.
 *  @param filters     all but their limit
 *  @param bits        what they cost, about
 *  @param of_classes  [RUGI_IFS_FILTER_CLASSES]
 *  @param lambda      squared error that is worth a bit, above 0
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_ifs_design_filters(rug_context *ctx, rugi_ifs_filters *filters,
                                   double *bits, rugi_ifs_filter_moments *of_classes,
                                   double lambda);

/** log2(n), n = 1..65536. */
static inline double rugi_ifs_filter_log2(uint32_t n)
{
    return 16 - (double)rugi_ifs_price_of(n) / (1 << RUGI_IFS_PRICE_BITS);
}

#endif
