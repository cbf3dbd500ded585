/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reads NumPy's .npy files of 2 or 3 axes as images. Pixels keep the order that they have
 * in the file (Fortran order becomes strides); the other byte order is swapped. Never
 * colour: three planes are a volume. */

#include "npy_array.h"

static int claims(const rug_file *file)
{
    return rugi_npy_claims(file->head, file->n_head);
}

/** Checks the axes and turns them into sizes, slowest axis as written first.
 *  @param n_pixels  their product */
static rug_status check_shape(rug_context *ctx, const rugi_npy_array *array,
                              size_t *shape, uint64_t *n_pixels)
{
    int ndim = array->header.ndim;
    if (ndim != 2 && ndim != 3)
        return rug_context_fail(
            ctx, RUG_E_UNSUPPORTED,
            "%s: the npy array has %d axes; 2 (image) or 3 (volume) expected%s",
            array->path, ndim,
            ndim == 1 ? "; --points reads numbers on a line as points" : "");
    rug_status status = rugi_npy_count_pixels(ctx, array, n_pixels);
    for (int i = 0; status == RUG_OK && i < ndim; i++)
        shape[i] = (size_t)array->header.shape[i];
    return status;
}

static rug_status check_asked(rug_context *ctx, const rug_file *file,
                              const rug_read_options *opts, int ndim)
{
    rug_status status = rugi_check_page(ctx, file, opts->page);
    if (status == RUG_OK)
        status = rugi_check_level(ctx, file, opts->level);
    if (status == RUG_OK)
        status = rugi_check_channel(ctx, file, opts->channel);
    if (status == RUG_OK && opts->volume && ndim == 2)
        status = rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: a volume is asked, but the npy array has 2 axes; 3 expected",
            file->path);
    return status;
}

/** Fortran order: the first axis is the fastest. */
static void set_fortran_strides(rug_image *image)
{
    ptrdiff_t step = (ptrdiff_t)rug_dtype_size(image->dtype);
    for (int i = 0; i < image->ndim; i++) {
        image->stride[i] = step;
        step *= (ptrdiff_t)image->shape[i];
    }
}

static rug_status open_npy(rug_context *ctx, rug_file *file, const rug_read_options *opts)
{
    rugi_npy_array array = {.path = file->path, .n_bytes = file->n_bytes};
    uint64_t n_pixels = 0;
    size_t shape[RUG_MAX_AXES];
    file->facts.format = "npy";
    rug_status status = rugi_npy_open(ctx, &array);
    if (status == RUG_OK)
        status = check_shape(ctx, &array, shape, &n_pixels);
    const int ndim = array.header.ndim;
    if (status == RUG_OK)
        status = check_asked(ctx, file, opts, ndim);
    if (status == RUG_OK)
        status = rugi_npy_check_room(ctx, &array, n_pixels);
    if (status == RUG_OK)
        status =
            rugi_file_set_image(ctx, file, rugi_coding_dtype(&array.coding), ndim, shape);
    if (status == RUG_OK)
        status = rugi_stream_pixels(ctx, file, &array.coding, file->path, array.offset);
    if (status == RUG_OK && array.header.fortran_order) {
        set_fortran_strides(&file->image);
        file->slabs.whole_only = 1;
    }
    return status;
}

const rugi_reader rugi_npy_reader = {claims, open_npy};
