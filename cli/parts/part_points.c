/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Points that are measured in parts: cut in rows, as images are in layers. A file of points is read
 * whole by every part, so that all know where all points lie. */

#include "found.h"
#include "parts.h"
#include <string.h>

CLI_STATE_CALLS(rug_points_parts, rug_points_parts_merge, rug_points_parts_save,
                rug_points_parts_load, rug_points_parts_free)

static rug_status begin_points(cli_run *run, const cli_points *points, double spacing,
                               uint64_t resolution, void **state)
{
    rug_points_range range = RUG_POINTS_RANGE_INIT;
    rug_points_parts_options opts = RUG_POINTS_PARTS_OPTIONS_INIT;
    rug_points_parts *parts;
    range.n_points = points->points->n;
    range.ndim = (uint32_t)points->points->ndim;
    range.is_broken = !points->facts->all_whole;
    memcpy(range.least, points->facts->min, sizeof range.least);
    memcpy(range.most, points->facts->max, sizeof range.most);
    opts.spacing = spacing;
    opts.resolution = resolution;
    opts.range = &range;
    opts.n_points = range.n_points;
    rug_status status = rug_points_parts_new(run->ctx, &parts, points->points->dtype,
                                             points->points->ndim, &opts);
    *state = parts;
    return status;
}

/* Adds the rows of the part of this process. */
static rug_status add_own(cli_run *run, const cli_points *points, void *state)
{
    size_t first, end;
    rug_points own = *points->points;
    cli_part_layers(&first, &end, (size_t)own.n, run->parts->own, run->parts->n);
    own.data = (const char *)own.data + (ptrdiff_t)first * own.stride[0];
    own.n = end - first;
    return own.n > 0 ? rug_points_parts_add(run->ctx, state, &own, first) : RUG_OK;
}

rug_status cli_points_in_parts(cli_run *run, const cli_points *points, double spacing,
                               uint64_t resolution, rug_points_parts **out)
{
    static const cli_state_kind kind = {.name = "points", CLI_STATE_MEMBERS};
    const cli_found nothing = {.has_rule = 0};
    const cli_parts *parts = run->parts;
    void *state = NULL, *found = NULL;
    rug_status status = begin_points(run, points, spacing, resolution, &state);
    if (status == RUG_OK)
        status = add_own(run, points, state);
    if (status == RUG_OK)
        status = cli_found_kind.begin(run->ctx, &found, points->rows, &nothing);
    status = parts->join(run, points->rows, &kind, status, 0, &state);
    status = parts->join(run, points->rows, &cli_found_kind, status, 0, &found);
    if (found != NULL)
        cli_found_kind.free(found);
    if (status != RUG_OK) {
        free_state(state);
        state = NULL;
    }
    *out = state;
    return status;
}
