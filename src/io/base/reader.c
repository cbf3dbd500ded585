/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* An opened file: what readers fill in and check. */

#include "reader.h"
#include <math.h>
#include <string.h>

int rugi_multiply(uint64_t *out, uint64_t a, uint64_t b)
{
    if (b != 0 && a > UINT64_MAX / b)
        return 0;
    *out = a * b;
    return 1;
}

rug_status rugi_file_set_image(rug_context *ctx, rug_file *file, rug_dtype dtype,
                               int ndim, const size_t *shape)
{
    uint64_t n_bytes = rug_dtype_size(dtype);
    int fits = 1;
    for (int i = 0; i < ndim; i++)
        fits = fits && rugi_multiply(&n_bytes, n_bytes, shape[i]);
    if (!fits || n_bytes > PTRDIFF_MAX)
        return rug_context_fail(ctx, RUG_E_NOMEM,
                                "%s: more pixels than an address can count", file->path);
    /* A view must point to something: the file stands in for its pixels. */
    rug_status status = rug_image_view(ctx, &file->image, file, dtype, ndim, shape);
    file->image.data = NULL;
    file->shown = file->image;
    return status;
}

void rugi_file_set_spacing(rug_file *file, const double *spacing, const char *unit)
{
    int known = 0;
    for (int i = 0; i < file->image.ndim; i++) {
        int good = isfinite(spacing[i]) && spacing[i] > 0;
        file->image.spacing[i] = good ? spacing[i] : 0;
        known = known || good;
    }
    size_t n = unit != NULL ? strlen(unit) : 0;
    if (!known || n == 0 || n >= sizeof file->unit)
        return;
    memcpy(file->unit, unit, n + 1);
    file->image.spacing_unit = file->unit;
}

/** @param what  "page", "level", "channel" */
static rug_status check_count(rug_context *ctx, const rug_file *file, const char *what,
                              int asked, int count)
{
    if (asked < count)
        return RUG_OK;
    if (count == 1)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "%s: %s %d requested, but the %s file has one %s (0)",
                                file->path, what, asked, file->facts.format, what);
    return rug_context_fail(
        ctx, RUG_E_ARG, "%s: %s %d requested, but the %s file has %d (0..%d)", file->path,
        what, asked, file->facts.format, count, count - 1);
}

rug_status rugi_check_page(rug_context *ctx, const rug_file *file, int page)
{
    return check_count(ctx, file, "page", page, file->facts.n_pages);
}

rug_status rugi_check_level(rug_context *ctx, const rug_file *file, int level)
{
    return check_count(ctx, file, "level", level, file->facts.n_levels);
}

rug_status rugi_check_channel(rug_context *ctx, const rug_file *file, int channel)
{
    return check_count(ctx, file, "channel", channel, file->facts.n_channels);
}

rug_status rugi_check_flat(rug_context *ctx, const rug_file *file,
                           const rug_read_options *opts)
{
    if (opts->volume)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: a %s file holds no volume; TIFF (its pages), NIfTI and npy do",
            file->path, file->facts.format);
    rug_status status = rugi_check_page(ctx, file, opts->page);
    return status == RUG_OK ? rugi_check_level(ctx, file, opts->level) : status;
}

void rugi_warn_of_turn(rug_context *ctx, const rug_file *file, int orientation)
{
    static const char *const turns[] = {"mirrored left to right",
                                        "turned by 180 degrees",
                                        "mirrored top to bottom",
                                        "transposed",
                                        "turned by 90 degrees to the right",
                                        "transposed and turned by 180 degrees",
                                        "turned by 90 degrees to the left"};
    if (orientation >= 2 && orientation <= 8)
        rug_context_warn(
            ctx,
            "%s: is to be shown %s (orientation %d); its pixels are read as they are "
            "stored",
            file->path, turns[orientation - 2], orientation);
}

rug_image rug_file_plane(const rug_file *file, int plane)
{
    rug_image image = file->shown;
    if (file->facts.n_planes == 1)
        return image;
    if (image.data != NULL)
        image.data = (const unsigned char *)image.data + plane * image.stride[0];
    image.ndim = 2;
    for (int a = 0; a < 2; a++) {
        image.shape[a] = image.shape[a + 1];
        image.stride[a] = image.stride[a + 1];
        image.spacing[a] = image.spacing[a + 1];
    }
    image.shape[2] = 0;
    return image;
}
