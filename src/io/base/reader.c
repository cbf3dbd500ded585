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
    uint64_t n_bytes = dtype == RUG_BIT ? 1 : rug_dtype_size(dtype);
    int fits = 1;
    for (int i = 0; i < ndim; i++) {
        size_t n = dtype == RUG_BIT && i == ndim - 1 ? (shape[i] + 7) / 8 : shape[i];
        fits = fits && rugi_multiply(&n_bytes, n_bytes, n);
    }
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

rug_status rugi_check_array(rug_context *ctx, const rug_file *file,
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
            "%s: a volume is requested, but the %s array has 2 axes; 3 expected",
            file->path, file->facts.format);
    return status;
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

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Makes a vector one of length 1. @return 0: its length is not finite, or not above `least` */
static int make_unit(double v[3], double least)
{
    double length = sqrt(dot(v, v));
    if (!isfinite(length) || !(length > least))
        return 0;
    for (int i = 0; i < 3; i++)
        v[i] /= length;
    return 1;
}

/** Whether the first n columns are steps along axes: finite, and none is parallel to those before. */
static int are_axes(double affine[3][4], int n)
{
    double base[3][3]; /* orthonormal */
    for (int a = 0; a < n; a++) {
        double *v = base[a];
        for (int i = 0; i < 3; i++)
            v[i] = affine[i][a];
        if (!make_unit(v, 0))
            return 0;
        for (int b = 0; b < a; b++) {
            double along = dot(v, base[b]);
            for (int i = 0; i < 3; i++)
                v[i] -= along * base[b][i];
        }
        if (!make_unit(v, 1e-6))
            return 0;
    }
    return 1;
}

void rugi_file_set_affine(rug_context *ctx, rug_file *file, const char *by,
                          const char *unit, double affine[3][4])
{
    rug_file_facts *facts = &file->facts;
    int n = file->facts.n_planes > 1 ? 2 : file->image.ndim;
    int good = are_axes(affine, n);
    for (int i = 0; i < 3; i++)
        good = good && isfinite(affine[i][3]);
    if (!good) {
        rug_context_warn(
            ctx,
            "%s: where it lies is not known: its %s is not finite, or has axes that "
            "are parallel or of no length",
            file->path, by);
        return;
    }
    facts->located_by = by;
    facts->affine_unit = unit;
    for (int i = 0; i < 3; i++) {
        for (int a = 0; a < n; a++)
            facts->affine[i][a] = affine[i][n - 1 - a];
        facts->affine[i][3] = affine[i][3];
    }
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
