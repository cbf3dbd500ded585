/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A view of a set of points owned by the caller: N points with D coordinates each.
 *
 *     struct { double x, y; int kind; } rows[3] = {{0.5, 1, 7}, {2, 2, 7}, {2.5, 2, 8}};
 *     rug_points places = {rows, RUG_F64, 3, 2, {sizeof rows[0], sizeof rows[0].x}};
 *     rug_boxcount_points_options opts = RUG_BOXCOUNT_POINTS_OPTIONS_INIT;
 *     opts.spacing = 1;
 *     rug_boxcount_result *counts;
 *     rug_status status = rug_boxcount_points(ctx, &counts, &places, &opts);
 *     if (status != RUG_OK)
 *         return status;
 *     printf("%g lattice cells\n", rug_boxcount_boxes(counts, 0, RUG_BOXCOUNT_OF_NONEMPTY));
 *     rug_boxcount_free(counts);
 *     // prints: 2 lattice cells
 */

#ifndef RUGOSE_POINTS_H
#define RUGOSE_POINTS_H

#include <rugose/image.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The largest number of coordinates of a point. */
#define RUG_POINTS_MAX_AXES 10

/** A borrowed, read-only view of points. Coordinate a of point i is the value at
 *  data + i * stride[0] + a * stride[1]. */
typedef struct rug_points {
    const void *data; /**< the first coordinate of the first point; never written */
    rug_dtype dtype;  /**< of all coordinates; not RUG_BIT */
    uint64_t n;       /**< number of points; may be 0 */
    int ndim;         /**< coordinates of a point, 1..RUG_POINTS_MAX_AXES */
    /** Bytes from point to point, and from coordinate to coordinate; any sign, any
     *  padding. */
    ptrdiff_t stride[2];
} rug_points;

#ifdef __cplusplus
}
#endif

#endif
