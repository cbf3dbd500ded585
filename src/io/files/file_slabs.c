/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The pixels of an opened file, all of them or slab by slab. Both go through the reader's
 * one function, so that they cannot differ; here is checked that layers are asked in
 * order, and owned what they are decoded to. */

#include "reader.h"
#include <string.h>

uint64_t rug_file_bytes(const rug_file *file)
{
    return rug_image_pixels(&file->image) * rug_dtype_size(file->image.dtype);
}

void rugi_file_close_slabs(rug_file *file)
{
    if (file->slabs.close != NULL)
        file->slabs.close(file->ctx, file->slabs.state);
    rug_context_release(file->ctx, file->slab);
    memset(&file->slabs, 0, sizeof file->slabs);
    file->slab = NULL;
    file->slab_bytes = 0;
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
                            "%s: read with another context than it was opened with",
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
    rugi_file_close_slabs(file);
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
                                "%s: %zu layers from %zu on asked, but there are %zu",
                                file->path, n, first, n_layers);
    if (file->pixels == NULL && first != 0 && first != file->next)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: layers from %zu on asked; %zu, where the last ones ended, or 0 expected",
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
