/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* An opened file: what readers fill in, and its pixels, all of them or slab by slab. Both go
 * through the reader's one function, so that they cannot differ; here it is checked that layers
 * are asked for in order, and owned what they are decoded to. */

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

/* Frees what is needed only to read pixels. */
static void file_close_slabs(rug_file *file)
{
    if (file->slabs.close != NULL)
        file->slabs.close(file->ctx, file->slabs.state);
    rug_context_release(file->ctx, file->slab);
    memset(&file->slabs, 0, sizeof file->slabs);
    file->slab = NULL;
    file->slab_bytes = 0;
}

void rug_file_free(rug_file *file)
{
    if (file == NULL)
        return;
    file_close_slabs(file);
    rug_context_release(file->ctx, file->pixels);
    rug_context_release(file->ctx, file->path);
    rug_context_release(file->ctx, file);
}

const rug_image *rug_file_image(const rug_file *file)
{
    return &file->image;
}

rug_image rug_file_plane(const rug_file *file, int plane)
{
    rug_image image = file->image;
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

const rug_file_facts *rug_file_get_facts(const rug_file *file)
{
    return &file->facts;
}

uint64_t rug_file_bytes(const rug_file *file)
{
    return rug_image_pixels(&file->image) * rug_dtype_size(file->image.dtype);
}

/** Has layers decoded, and notes how far the pass is. */
static rug_status decode(rug_context *ctx, rug_file *file, void *to, size_t first,
                         size_t n)
{
    file->next = 0;
    rug_status status = file->slabs.read(ctx, file, to, first, n);
    if (status != RUG_OK)
        return status;
    file->next = first + n;
    if (file->next == file->image.shape[0])
        file->facts.equal_channels = file->is_colour && !file->unequal;
    return RUG_OK;
}

/** Memory comes from the context that opened the file and goes back there. */
static rug_status check_context(rug_context *ctx, const rug_file *file)
{
    if (ctx == file->ctx)
        return RUG_OK;
    return rug_context_fail(ctx, RUG_E_ARG,
                            "%s: read with a context other than the one that opened it",
                            file->path);
}

rug_status rug_file_load(rug_context *ctx, rug_file *file)
{
    if (ctx == NULL || file == NULL)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "rug_file_load: NULL given for the context or the file");
    rug_status status = check_context(ctx, file);
    if (status != RUG_OK || file->pixels != NULL)
        return status;
    const rug_image *image = &file->image;
    void *pixels = rug_context_allocate(ctx, (size_t)rug_image_pixels(image),
                                        rug_dtype_size(image->dtype), file->path);
    if (pixels == NULL)
        return RUG_E_NOMEM;
    status = decode(ctx, file, pixels, 0, image->shape[0]);
    if (status != RUG_OK) {
        rug_context_release(ctx, pixels);
        return status;
    }
    file_close_slabs(file);
    file->pixels = pixels;
    file->image.data = pixels;
    return RUG_OK;
}

static rug_status check_layers(rug_context *ctx, const rug_file *file, size_t first,
                               size_t n)
{
    size_t n_layers = file->image.shape[0];
    if (n == 0 || first > n_layers || n > n_layers - first)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "%s: %zu layers from %zu on requested, but there are %zu",
                                file->path, n, first, n_layers);
    if (file->pixels == NULL && first != 0 && first != file->next)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: layers from %zu on requested; %zu, where the last ones ended, or 0 expected",
            file->path, first, file->next);
    return RUG_OK;
}

/** Decodes layers into the file's slab, which grows as it is needed. */
static rug_status read_slab(rug_context *ctx, rug_file *file, size_t first, size_t n)
{
    size_t n_bytes = n * (size_t)file->image.stride[0];
    if (n_bytes > file->slab_bytes) {
        rug_context_release(ctx, file->slab);
        file->slab_bytes = 0;
        file->slab = rug_context_allocate(ctx, n_bytes, 1, file->path);
        if (file->slab == NULL)
            return RUG_E_NOMEM;
        file->slab_bytes = n_bytes;
    }
    return decode(ctx, file, file->slab, first, n);
}

static rug_status read_layers(rug_context *ctx, void *user, rug_image *out, size_t first,
                              size_t n)
{
    rug_file *file = user;
    memset(out, 0, sizeof *out);
    rug_status status = check_context(ctx, file);
    if (status == RUG_OK)
        status = check_layers(ctx, file, first, n);
    if (status == RUG_OK && file->slabs.whole_only)
        status = rug_file_load(ctx, file);
    if (status == RUG_OK && file->pixels == NULL)
        status = read_slab(ctx, file, first, n);
    if (status != RUG_OK)
        return status;
    *out = file->image;
    out->shape[0] = n;
    if (file->pixels == NULL)
        out->data = file->slab;
    else
        out->data = (const unsigned char *)file->pixels +
                    (ptrdiff_t)first * file->image.stride[0];
    return RUG_OK;
}

void rugi_file_set_source(rug_file *file)
{
    const rug_image *image = &file->image;
    rug_source *source = &file->source;
    source->struct_size = sizeof *source;
    source->dtype = image->dtype;
    source->ndim = image->ndim;
    memcpy(source->shape, image->shape, sizeof source->shape);
    memcpy(source->spacing, image->spacing, sizeof source->spacing);
    source->spacing_unit = image->spacing_unit;
    source->read = read_layers;
    source->user = file;
}

const rug_source *rug_file_source(rug_file *file)
{
    return &file->source;
}
