/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Checks of points, and the boxes of their cells. */

#include "point_cells.h"
#include "quantise.h"
#include <rugose/boxcount.h>

rug_status rugi_cell_size_check(rug_context *ctx, double spacing, uint64_t resolution)
{
    if (!(spacing >= 0) || !(spacing <= 1.7976931348623157e308))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "spacing %g given, a positive number expected, or 0 for "
                                "none",
                                spacing);
    if (resolution > RUG_BOXCOUNT_SIZE_MAX)
        return rug_context_fail(ctx, RUG_E_ARG, "resolution %llu given, 1..%llu expected",
                                (unsigned long long)resolution,
                                (unsigned long long)RUG_BOXCOUNT_SIZE_MAX);
    if (spacing > 0 && resolution > 0)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "both spacing %g and resolution %llu given, one of them "
                                "expected",
                                spacing, (unsigned long long)resolution);
    return RUG_OK;
}

/* |stride| * (n - 1) more bytes, or SIZE_MAX when that is beyond an address. */
static size_t add_span(size_t span, ptrdiff_t stride, uint64_t n)
{
    size_t step = stride < 0 ? 0 - (size_t)stride : (size_t)stride;
    if (n > 1 && step > 0 && (span > PTRDIFF_MAX || n - 1 > (PTRDIFF_MAX - span) / step))
        return SIZE_MAX;
    return n > 1 ? span + step * (size_t)(n - 1) : span;
}

rug_status rugi_points_check(rug_context *ctx, const rug_points *p)
{
    if (p == NULL || (p->data == NULL && p->n > 0))
        return rug_context_fail(ctx, RUG_E_ARG, "points: NULL given");
    if ((unsigned)p->dtype >= RUG_N_DTYPES || p->dtype == RUG_BIT)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "points of dtype %d given, 1..%d expected", (int)p->dtype,
                                RUG_N_DTYPES - 1);
    if (p->ndim < 1 || p->ndim > RUG_POINTS_MAX_AXES)
        return rug_context_fail(ctx, RUG_E_ARG, "points of %d axes given, 1..%d expected",
                                p->ndim, RUG_POINTS_MAX_AXES);
    size_t span = add_span(0, p->stride[0], p->n);
    if (p->n > PTRDIFF_MAX / RUG_POINTS_MAX_AXES ||
        add_span(span, p->stride[1], (uint64_t)p->ndim) == SIZE_MAX)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "%llu points of strides %td and %td given: more than an "
                                "address can count",
                                (unsigned long long)p->n, p->stride[0], p->stride[1]);
    return RUG_OK;
}

uint64_t rugi_cells_extent(uint64_t least, uint64_t most)
{
    return most - least < UINT64_MAX ? most - least + 1 : UINT64_MAX;
}

uint64_t rugi_saturating_product(uint64_t a, uint64_t b)
{
    return a != 0 && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

uint64_t rugi_box_place(uint64_t place, uint64_t zero, uint64_t size)
{
    const uint64_t box_zero = (uint64_t)1 << 63;
    if (size == 1)
        return place;
    if (place >= zero)
        return box_zero + (place - zero) / size;
    return box_zero - 1 - (zero - 1 - place) / size;
}

uint64_t rugi_cells_boxes(const rugi_cell_range *range, uint64_t size)
{
    uint64_t total = 1;
    for (int a = 0; a < range->axes; a++)
        total = rugi_saturating_product(
            total, rugi_cells_extent(rugi_box_place(range->least[a], range->zero, size),
                                     rugi_box_place(range->most[a], range->zero, size)));
    return total;
}
