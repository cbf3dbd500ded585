/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The dimension of a surface: a line through ln N(s) against ln(1 / s). */

#include "core/fit/scaling.h"
#include <math.h>
#include <rugose/dbc.h>
#include <string.h>

static void fill_fit(rug_dbc_dimension *out, const uint64_t *sizes,
                     const rugi_scaling_points *p)
{
    rugi_line line = rugi_fit_line(p->n, p->x, p->y);
    out->dimension = line.slope;
    out->std_error = line.std_error;
    out->r_squared = line.r_squared;
    out->intercept = line.intercept;
    out->n_sizes = (uint32_t)p->n;
    for (size_t k = 0; k < p->n; k++)
        out->used[p->index[k]] = 1;
    if (p->n > 0) {
        out->size_min = sizes[p->index[0]];
        out->size_max = sizes[p->index[p->n - 1]];
    }
}

rug_status rug_dbc_fit(rug_context *ctx, rug_dbc_dimension *out,
                       const rug_dbc_result *counts, int auto_range, uint64_t size_min,
                       uint64_t size_max)
{
    if (out != NULL)
        memset(out, 0, sizeof *out);
    if (out == NULL || counts == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_dbc_fit: NULL given");
    rugi_scaling_range range = {auto_range, size_min, size_max};
    rug_status status = rugi_scaling_check(ctx, range);
    if (status != RUG_OK)
        return status;
    if (counts->n_sizes > RUG_DBC_MAX_SIZES || counts->ndim < 0 ||
        counts->ndim > RUG_MAX_AXES)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "fit: counts of %u sizes and %d axes given, at most %d and "
            "%d expected",
            counts->n_sizes, counts->ndim, RUG_DBC_MAX_SIZES, RUG_MAX_AXES);
    uint64_t sizes[RUG_DBC_MAX_SIZES];
    double boxes[RUG_DBC_MAX_SIZES];
    for (uint32_t i = 0; i < RUG_DBC_MAX_SIZES; i++) {
        sizes[i] = counts->sizes[i].size;
        boxes[i] = (double)counts->sizes[i].boxes;
        out->local_slope[i] = NAN;
    }
    rugi_scaling_points p;
    rugi_scaling_collect_range(&p, range, counts->ndim, counts->shape, counts->n_sizes,
                               sizes, boxes);
    out->status = auto_range ? rugi_scaling_choose(&p, boxes, NULL) : "ok";
    rugi_scaling_local_slopes(out->local_slope, counts->n_sizes, sizes, boxes);
    fill_fit(out, sizes, &p);
    if (counts->n_pixels == counts->n_left_out)
        out->status = "empty";
    else if (p.n < 2)
        out->status = "too few sizes";
    return RUG_OK;
}
