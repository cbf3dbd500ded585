/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Sources: an image in memory as a source, and the walk over the slabs of any. */

#include "core/context/context_internal.h"
#include "core/context/sized.h"
#include "core/context/small.h"
#include "source_internal.h"
#include <string.h>

/* Layers of a slab come in multiples of this where memory allows it, because methods
 * work in blocks of so many pixels a side. */
#define SLAB_LAYERS 64

/* The part of a slab's work that reading is, for progress. */
#define READ_SHARE 0.8

static rug_status read_image(rug_context *ctx, void *user, rug_image *out, size_t first,
                             size_t n)
{
    const rug_image *image = user;
    if (n == 0 || first > image->shape[0] || n > image->shape[0] - first)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "%zu layers from %zu on requested, but there are %zu", n,
                                first, image->shape[0]);
    *out = *image;
    out->shape[0] = n;
    out->data = (const char *)image->data + (ptrdiff_t)first * image->stride[0];
    return RUG_OK;
}

rug_source rugi_source_of_image(const rug_image *image)
{
    rug_source s = {.struct_size = sizeof s,
                    .dtype = image->dtype,
                    .ndim = image->ndim,
                    .spacing_unit = image->spacing_unit,
                    .read = read_image,
                    .user = (void *)(uintptr_t)image,
                    .any_order = 1};
    memcpy(s.shape, image->shape, sizeof s.shape);
    memcpy(s.spacing, image->spacing, sizeof s.spacing);
    return s;
}

const rug_source *rug_source_of_image(rug_source *out, const rug_image *image)
{
    if (image == NULL || rugi_clear(NULL, out, "rug_source") != RUG_OK)
        return NULL;
    rug_source source = rugi_source_of_image(image);
    RUGI_GIVE(out, &source);
    return out;
}

int rugi_source_is_memory(const rug_source *source)
{
    return source->read == read_image;
}

size_t rug_source_layers(const rug_source *source, size_t n_bytes)
{
    if (rugi_source_is_memory(source)) /* nothing is copied */
        return source->shape[0];
    double layer =
        source->dtype == RUG_BIT ? 0.125 : (double)rug_dtype_size(source->dtype);
    for (int a = 1; a < source->ndim; a++)
        layer *= (double)source->shape[a];
    double fit = (double)n_bytes / layer;
    size_t n = fit >= (double)source->shape[0] ? source->shape[0] : (size_t)fit;
    if (n >= SLAB_LAYERS && n < source->shape[0])
        n = n / SLAB_LAYERS * SLAB_LAYERS;
    return n > 0 ? n : 1;
}

double rugi_source_pixels(const rug_source *source)
{
    double n = 1;
    for (int a = 0; a < source->ndim; a++)
        n *= (double)source->shape[a];
    return n;
}

static rug_status check_one(rug_context *ctx, const rug_source *source)
{
    if (source == NULL || source->read == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "source: NULL given");
    if (rugi_source_is_memory(source))
        return rugi_image_check(ctx, source->user);
    if ((unsigned)source->dtype >= RUG_N_DTYPES)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "source of dtype %d given, 0..%d expected",
                                (int)source->dtype, RUG_N_DTYPES - 1);
    return rugi_shape_check(ctx, source->ndim, source->shape);
}

/* ---- What a caller gives ---- */

rug_status rugi_source_take(rug_context *ctx, rug_source *own, const rug_source *given,
                            const char *what)
{
    if (given == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "%s: NULL given", what);
    *own = (rug_source)RUG_SOURCE_INIT;
    rug_status status = RUGI_TAKE(ctx, own, given, "rug_source");
    return status == RUG_OK ? check_one(ctx, own) : status;
}

rug_status rugi_twin_source_take(rug_context *ctx, rug_source *own,
                                 const rug_source **twin, const rug_source *given,
                                 const char *what, const rug_source *source)
{
    *twin = NULL;
    if (given == NULL)
        return RUG_OK;
    rug_status status = rugi_source_take(ctx, own, given, what);
    if (status == RUG_OK)
        status = rugi_shapes_check(ctx, what, own->ndim, own->shape, source->ndim,
                                   source->shape);
    if (status == RUG_OK)
        *twin = own;
    return status;
}

void rugi_slab_copy(void *to, const rug_image *slab)
{
    rug_image v = rugi_image_with_z(slab);
    size_t n_rows = v.shape[0] * v.shape[1], size = rug_dtype_size(v.dtype);
    size_t row_bytes = v.dtype == RUG_BIT ? (v.shape[2] + 7) / 8 : v.shape[2] * size;
    char *row = to;
    for (size_t i = 0; i < n_rows; i++, row += row_bytes) {
        const void *from = rugi_image_row(&v, i / v.shape[1], i % v.shape[1]);
        if (v.dtype == RUG_BIT)
            memcpy(row, from, row_bytes);
        else
            rugi_gather(row, from, v.shape[2], v.stride[2], size);
    }
}

/* What rugi_source_load() fills. */
typedef struct load {
    char *pixels;
    size_t layer_bytes;
} load;

static rug_status keep_slab(rug_context *ctx, void *user, const rug_image *slab,
                            const rug_image *mask, size_t first)
{
    const load *l = user;
    (void)ctx;
    (void)mask;
    rugi_slab_copy(l->pixels + first * l->layer_bytes, slab);
    return RUG_OK;
}

rug_status rugi_source_load(rug_context *ctx, rug_image *out, void **block,
                            const rug_source *source)
{
    *block = NULL;
    if (rugi_source_is_memory(source)) {
        *out = *(const rug_image *)source->user;
        return RUG_OK;
    }
    load l = {.layer_bytes = rugi_layer_bytes(source)};
    l.pixels =
        rug_context_allocate(ctx, source->shape[0], l.layer_bytes, "pixels of a source");
    if (l.pixels == NULL)
        return RUG_E_NOMEM;
    *block = l.pixels;
    rug_status status =
        rug_image_view(ctx, out, l.pixels, source->dtype, source->ndim, source->shape);
    if (status == RUG_OK)
        status = rugi_source_for_slabs(ctx, source, NULL, keep_slab, &l);
    memcpy(out->spacing, source->spacing, sizeof out->spacing);
    out->spacing_unit = source->spacing_unit;
    return status;
}

rug_status rugi_twin_open(rug_context *ctx, rugi_twin *twin, const rug_source *given,
                          const char *what, const rug_image *image)
{
    memset(twin, 0, sizeof *twin);
    if (given == NULL)
        return RUG_OK;
    rug_source own;
    rug_status status = rugi_source_take(ctx, &own, given, what);
    if (status == RUG_OK)
        status =
            rugi_shapes_check(ctx, what, own.ndim, own.shape, image->ndim, image->shape);
    if (status == RUG_OK)
        status = rugi_source_load(ctx, &twin->view, &twin->block, &own);
    if (status == RUG_OK)
        twin->image = &twin->view;
    return status;
}

void rugi_twin_close(rug_context *ctx, rugi_twin *twin)
{
    rug_context_release(ctx, twin->block);
    memset(twin, 0, sizeof *twin);
}

/* ---- Slabs ---- */

/* Whether a slab is the one that was asked for. */
static int is_slab(const rug_image *slab, const rug_source *source, size_t n)
{
    int good = slab->dtype == source->dtype && slab->ndim == source->ndim &&
               slab->shape[0] == n && slab->data != NULL;
    for (int a = 1; good && a < source->ndim; a++)
        good = slab->shape[a] == source->shape[a];
    return good;
}

rug_status rugi_source_read(rug_context *ctx, const rug_source *source, rug_image *slab,
                            size_t first, size_t n)
{
    memset(slab, 0, sizeof *slab);
    rug_status status = source->read(ctx, source->user, slab, first, n);
    if (status == RUG_OK && !is_slab(slab, source, n))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "source: %zu layers from %zu on requested, but "
                                "another slab was returned",
                                n, first);
    return status;
}

/* How many layers are read at once, with those of the mask. */
static size_t slab_layers(const rug_source *source, const rug_source *mask)
{
    size_t n_bytes = mask != NULL ? RUGI_SLAB_BYTES / 2 : RUGI_SLAB_BYTES;
    size_t n = rug_source_layers(source, n_bytes);
    if (n < SLAB_LAYERS) /* whole blocks are worth a little more memory */
        n = rug_source_layers(source, 2 * n_bytes);
    size_t n_mask = mask != NULL ? rug_source_layers(mask, n_bytes) : n;
    return rugi_smaller(n, n_mask);
}

rug_status rugi_source_for_slabs(rug_context *ctx, const rug_source *source,
                                 const rug_source *mask, rugi_slab_fn fn, void *user)
{
    size_t n_all = source->shape[0], most = slab_layers(source, mask);
    double read_share = rugi_source_is_memory(source) ? 0 : READ_SHARE;
    rug_status status = RUG_OK;
    for (size_t first = 0; status == RUG_OK && first < n_all; first += most) {
        size_t n = rugi_smaller(n_all - first, most);
        double from = (double)first / (double)n_all, all = (double)n / (double)n_all;
        rug_image slab, mask_slab;
        RUGI_PHASE(ctx, from, from + all * read_share, status,
                   rugi_source_read(ctx, source, &slab, first, n));
        rugi_phase outer = rugi_phase_enter(ctx, from + all * read_share, from + all);
        if (status == RUG_OK && mask != NULL)
            status = rugi_source_read(ctx, mask, &mask_slab, first, n);
        if (status == RUG_OK)
            status = fn(ctx, user, &slab, mask != NULL ? &mask_slab : NULL, first);
        rugi_phase_leave(ctx, outer);
    }
    return status;
}

/* What rugi_source_for_segments() hands on. */
typedef struct segments {
    rugi_segment_fn fn;
    void *states;
    size_t state_size;
} segments;

static rug_status walk_slab(rug_context *ctx, void *user, const rug_image *slab,
                            const rug_image *mask, size_t first)
{
    const segments *s = user;
    (void)first;
    return rugi_image_for_segments(ctx, slab, mask, s->fn, s->states, s->state_size);
}

rug_status rugi_source_for_segments(rug_context *ctx, const rug_source *source,
                                    const rug_source *mask, rugi_segment_fn fn,
                                    void *states, size_t state_size)
{
    segments s = {fn, states, state_size};
    return rugi_source_for_slabs(ctx, source, mask, walk_slab, &s);
}
