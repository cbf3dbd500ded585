/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The lattice cells of points. */

#ifndef RUGI_QUANTISE_H
#define RUGI_QUANTISE_H

#include "point_cells.h"
#include <rugose/points.h>

/** Cells along the longest side where coordinates are neither integers nor all whole. */
#define RUGI_DEFAULT_RESOLUTION 1024

/** How coordinates become cells. */
typedef enum rugi_cell_rule {
    RUGI_CELL_WHOLE,     /* integers by a whole spacing, exactly */
    RUGI_CELL_SPACING,   /* floor(coordinate / spacing) */
    RUGI_CELL_RESOLUTION /* floor((coordinate - least) / longest * resolution) */
} rugi_cell_rule;

typedef struct rugi_quantiser {
    const rug_points *points;
    rugi_cell_rule rule;
    double spacing;
    uint64_t whole_spacing, resolution;
    double least[RUG_POINTS_MAX_AXES], longest; /* of the coordinates */
} rugi_quantiser;

/** Reads all points once, and finds out how they become cells.
 *  @param spacing, resolution  as in rug_boxcount_points_options, at most one of them
 *                              above 0
 *  @param cells   of the points, at least one; borrows the quantiser
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_quantise(rug_context *ctx, rugi_quantiser *out, rugi_cells *cells,
                         const rug_points *points, double spacing, uint64_t resolution);

/** Reads points once, at least one: where they lie.
 *  @return RUG_OK, RUG_E_ARG (a coordinate is not finite), RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_points_ends(rug_context *ctx, rugi_ends *out, const rug_points *points);

/** How coordinates become cells.
 *  @param spacing, resolution  one of them is above 0 */
rugi_cell_rule rugi_cell_rule_of(rug_dtype dtype, double spacing, uint64_t resolution);

/** rugi_quantise() of points that may be a part.
 *  @param spacing, resolution  one of them is above 0
 *  @param ends         of the points
 *  @param least, most  of all points, by axis; used with a resolution only */
rug_status rugi_quantise_part(rug_context *ctx, rugi_quantiser *out, rugi_cells *cells,
                              const rug_points *points, double spacing,
                              uint64_t resolution, const rugi_ends *ends,
                              const double *least, const double *most);

/** RUG_OK when the view is one of points that the library can read, else RUG_E_ARG. */
rug_status rugi_points_check(rug_context *ctx, const rug_points *points);

/** RUG_OK when at most one of spacing and resolution is given, and possible. */
rug_status rugi_cell_size_check(rug_context *ctx, double spacing, uint64_t resolution);

#endif
