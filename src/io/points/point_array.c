/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reads an npy array as points: a row each, or a number each. Rows keep the order that
 * they have in the file; Fortran order becomes strides. */

#include "io/arrays/npy_array.h"
#include "point_file.h"
#include <inttypes.h>

static rug_status check_shape(rug_context *ctx, const rugi_npy_array *array)
{
    const rugi_npy_header *header = &array->header;
    if (header->ndim != 1 && header->ndim != 2)
        return rug_context_fail(
            ctx, RUG_E_UNSUPPORTED,
            "%s: the npy array has %d axes; 2 (a row for each point) or 1 expected",
            array->path, header->ndim);
    if (header->shape[0] == 0)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: the npy array has no points; at least 1 expected",
                                array->path);
    if (header->ndim == 2 && header->shape[1] > RUG_POINTS_MAX_AXES)
        return rug_context_fail(
            ctx, RUG_E_UNSUPPORTED,
            "%s: the npy array is %" PRIu64 "x%" PRIu64
            ": its rows are points of %" PRIu64
            " coordinates; at most %d expected, so transpose it if its columns are the "
            "points",
            array->path, header->shape[0], header->shape[1], header->shape[1],
            RUG_POINTS_MAX_AXES);
    return RUG_OK;
}

/** Makes the view of cells of the type that their coding gives. */
static void make_view(rug_point_file *file, const rugi_npy_array *array)
{
    const rugi_npy_header *header = &array->header;
    rug_points *points = &file->points;
    points->data = file->coordinates;
    points->dtype = rugi_coding_dtype(&array->coding);
    points->n = header->shape[0];
    points->ndim = header->ndim == 2 ? (int)header->shape[1] : 1;
    ptrdiff_t size = (ptrdiff_t)rug_dtype_size(points->dtype);
    points->stride[0] = header->fortran_order ? size : size * points->ndim;
    points->stride[1] = header->fortran_order ? size * (ptrdiff_t)points->n : size;
}

rug_status rugi_read_point_array(rug_context *ctx, rug_point_file *file)
{
    rugi_npy_array array = {.path = file->path, .n_bytes = file->n_bytes};
    uint64_t n_cells = 0;
    file->facts.format = "npy";
    rug_status status = rugi_npy_open(ctx, &array);
    if (status == RUG_OK)
        status = check_shape(ctx, &array);
    if (status == RUG_OK)
        status = rugi_npy_count_pixels(ctx, &array, &n_cells);
    if (status == RUG_OK)
        status = rugi_npy_check_room(ctx, &array, n_cells);
    if (status != RUG_OK)
        return status;
    /* the file holds the cells, so that their number fits an address */
    file->coordinates = rug_context_allocate(
        ctx, (size_t)n_cells, rug_dtype_size(rugi_coding_dtype(&array.coding)),
        file->path);
    if (file->coordinates == NULL)
        return RUG_E_NOMEM;
    make_view(file, &array);
    return rugi_read_pixels(ctx, file->coordinates, n_cells, &array.coding, file->path,
                           array.offset);
}
