/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Layers are read in order. Those that are counted are never read together with others, so that what
 * reading finds out is that of the part. Where a pixel needs its surroundings layers are copied, as
 * slabs overlap. */

#include "part_pass.h"
#include <string.h>

/* Bytes of a slab, about, and layers that blocks of the methods have: to have whole ones is worth memory. */
#define SLAB_BYTES   ((size_t)128 << 20)
#define BLOCK_LAYERS 64

/* Image, mask and labels, as far as they are there. */
enum { IMAGE, MASK, LABELS, N_FILES };

/* One of them. */
typedef struct reader {
    const rug_source *source; /* NULL: it is not there */
    cli_twin *twin;           /* NULL: the image */
    const rug_file *file;
    const rug_file_facts *facts;
    cli_found_file *found;
    rug_image slab; /* layers that were read last */
    uint8_t *kept;  /* copied layers, in C order; owned */
    size_t layer_bytes;
} reader;

typedef struct pass {
    rug_context *ctx;
    const cli_part_pass *asked;
    reader files[N_FILES];
    size_t next;              /* layer of the sources */
    size_t first, end, n_max; /* layers that are kept, and how many fit */
} pass;

/* ---- Reading ---- */

/* Adds what a file counted of layers that are the part's. One that was loaded has counted all of them
 * at once, which is noted with the first layer.
 * @param nodata, nan  counted before */
static void note_counts(reader *f, size_t first, uint64_t nodata, uint64_t nan)
{
    const rug_file_facts *facts = f->facts;
    f->found->is_unequal |= facts->channels_differ;
    if (first > 0 && rug_file_image(f->file)->data != NULL)
        return;
    int is_new = facts->pass_first == first; /* the pass began here */
    f->found->n_nodata += facts->pass_nodata - (is_new ? 0 : nodata);
    f->found->n_nan += facts->pass_nan - (is_new ? 0 : nan);
}

static rug_status read_file(pass *p, reader *f, size_t first, size_t n, int is_own)
{
    uint64_t nodata = f->facts->pass_nodata, nan = f->facts->pass_nan;
    if (f->twin != NULL)
        f->twin->is_own = is_own;
    rug_status status = f->source->read(p->ctx, f->source->user, &f->slab, first, n);
    if (f->twin != NULL)
        f->twin->is_own = 0;
    if (status == RUG_OK && is_own)
        note_counts(f, first, nodata, nan);
    return status;
}

/* Reads layers from p->next on, all of which are counted, or none. */
static rug_status read_layers(pass *p, size_t n)
{
    const cli_part_pass *asked = p->asked;
    size_t first[RUG_MAX_AXES] = {p->next, 0, 0};
    int is_own = p->next >= asked->first && p->next < asked->end;
    rug_status status = RUG_OK;
    for (int i = 0; i < N_FILES && status == RUG_OK; i++)
        if (p->files[i].source != NULL)
            status =
                read_file(p, &p->files[i], p->next, n, is_own && asked->found != NULL);
    p->next += n;
    if (status != RUG_OK || !is_own || asked->values == NULL)
        return status;
    return rug_values_add(p->ctx, asked->values, &p->files[IMAGE].slab,
                          p->files[MASK].source != NULL ? &p->files[MASK].slab : NULL,
                          first);
}

static size_t slab_layers(const rug_source *source)
{
    size_t n = rug_source_layers(source, SLAB_BYTES);
    return n < BLOCK_LAYERS ? rug_source_layers(source, 2 * SLAB_BYTES) : n;
}

/* How many layers can be read at once, on the way to others. */
static size_t step_to(const pass *p, size_t to, size_t n_most)
{
    const cli_part_pass *asked = p->asked;
    size_t end = to;
    if (p->next < asked->first && asked->first < end)
        end = asked->first;
    if (p->next < asked->end && asked->end < end)
        end = asked->end;
    return end - p->next < n_most ? end - p->next : n_most;
}

/* Passes over the layers before those that are asked for, which some files must read. */
static rug_status skip(pass *p, size_t to)
{
    size_t n_most = slab_layers(&p->asked->image->source);
    rug_status status = RUG_OK;
    p->next = to;
    for (int i = 0; i < N_FILES; i++)
        if (p->files[i].source != NULL && !p->files[i].source->any_order)
            p->next = 0;
    while (p->next < to && status == RUG_OK) {
        status = read_layers(p, step_to(p, to, n_most));
        if (status == RUG_OK)
            status = rug_context_step(p->ctx, 0);
    }
    return status;
}

/* ---- Layers that are kept ---- */

/* Bytes of a row in C order. */
static size_t row_bytes(const rug_image *image)
{
    size_t n = image->shape[image->ndim - 1];
    return image->dtype == RUG_BIT ? (n + 7) / 8 : n * rug_dtype_size(image->dtype);
}

static void copy_row(uint8_t *to, const uint8_t *from, const rug_image *image)
{
    size_t size = rug_dtype_size(image->dtype), n = image->shape[image->ndim - 1];
    ptrdiff_t stride = image->stride[image->ndim - 1];
    if (image->dtype == RUG_BIT || stride == (ptrdiff_t)size) {
        memcpy(to, from, row_bytes(image));
        return;
    }
    for (size_t x = 0; x < n; x++)
        memcpy(to + x * size, from + (ptrdiff_t)x * stride, size);
}

/* Copies the slab behind the layers that are kept. */
static void keep_slab(const pass *p, reader *f)
{
    const rug_image *s = &f->slab;
    size_t n_rows = s->ndim == 3 ? s->shape[1] : 1, n_bytes = row_bytes(s);
    uint8_t *to = f->kept + (p->end - p->first) * f->layer_bytes;
    for (size_t z = 0; z < s->shape[0]; z++)
        for (size_t y = 0; y < n_rows; y++, to += n_bytes)
            copy_row(to,
                     (const uint8_t *)s->data + (ptrdiff_t)z * s->stride[0] +
                         (s->ndim == 3 ? (ptrdiff_t)y * s->stride[1] : 0),
                     s);
}

/* Drops layers before the first that is still needed. */
static void drop(pass *p, size_t first)
{
    size_t n = p->end > first ? p->end - first : 0;
    for (int i = 0; i < N_FILES; i++) {
        reader *f = &p->files[i];
        if (f->source != NULL && n > 0 && first > p->first)
            memmove(f->kept, f->kept + (first - p->first) * f->layer_bytes,
                    n * f->layer_bytes);
    }
    p->first = first;
    p->end = first + n;
}

/* Keeps the layers first .. end - 1. */
static rug_status keep(pass *p, size_t first, size_t end)
{
    rug_status status = RUG_OK;
    drop(p, first);
    while (p->end < end && status == RUG_OK) {
        size_t n = step_to(p, end, end - p->next);
        status = read_layers(p, n);
        for (int i = 0; i < N_FILES && status == RUG_OK; i++)
            if (p->files[i].source != NULL)
                keep_slab(p, &p->files[i]);
        p->end += n;
    }
    return status;
}

static rug_status make_room(pass *p, size_t n_layers)
{
    for (int i = 0; i < N_FILES; i++) {
        reader *f = &p->files[i];
        const rug_source *s = f->source;
        if (s == NULL)
            continue;
        rug_image layer = {.dtype = s->dtype, .ndim = s->ndim};
        memcpy(layer.shape, s->shape, sizeof layer.shape);
        f->layer_bytes = row_bytes(&layer) * (s->ndim == 3 ? s->shape[1] : 1);
        f->kept =
            rug_context_allocate(p->ctx, n_layers, f->layer_bytes, p->asked->image->path);
        if (f->kept == NULL)
            return RUG_E_NOMEM;
    }
    return RUG_OK;
}

static rug_status view_kept(const pass *p, rug_image *out, const reader *f)
{
    size_t shape[RUG_MAX_AXES];
    memcpy(shape, f->source->shape, sizeof shape);
    shape[0] = p->end - p->first;
    rug_status status =
        rug_image_view(p->ctx, out, f->kept, f->source->dtype, f->source->ndim, shape);
    memcpy(out->spacing, f->source->spacing, sizeof out->spacing);
    out->spacing_unit = f->source->spacing_unit;
    return status;
}

/* ---- Slabs ---- */

/* Adds layers with their surroundings, which are kept. */
static rug_status add(pass *p, size_t at, size_t to)
{
    const cli_part_pass *asked = p->asked;
    rug_image slabs[N_FILES];
    const rug_image *given[N_FILES] = {NULL, NULL, NULL};
    const cli_where where = {{asked->reach > 0 ? p->first : at, 0, 0}, at, to};
    rug_status status = RUG_OK;
    for (int i = 0; i < N_FILES && status == RUG_OK; i++) {
        const reader *f = &p->files[i];
        if (f->source == NULL)
            continue;
        slabs[i] = f->slab;
        if (asked->reach > 0)
            status = view_kept(p, &slabs[i], f);
        given[i] = &slabs[i];
    }
    return status == RUG_OK && asked->kind != NULL
               ? asked->kind->add(p->ctx, asked->state, given[IMAGE], given[MASK],
                                  given[LABELS], &where)
               : status;
}

static rug_status read_all(pass *p, size_t n_most)
{
    const cli_part_pass *asked = p->asked;
    const size_t n_layers = asked->image->source.shape[0], reach = asked->reach;
    rug_status status = RUG_OK;
    for (size_t at = asked->first, to; at < asked->end && status == RUG_OK; at = to) {
        to = asked->end - at < n_most ? asked->end : at + n_most;
        if (reach > 0)
            status = keep(p, at > reach ? at - reach : 0,
                          n_layers - to > reach ? to + reach : n_layers);
        else
            status = read_layers(p, to - at);
        if (status == RUG_OK)
            status = add(p, at, to);
        if (status == RUG_OK)
            status = rug_context_step(p->ctx, (double)(to - asked->first) /
                                                  (double)(asked->end - asked->first));
    }
    return status;
}

static reader begin_file(const rug_source *source, cli_twin *twin, const rug_file *file,
                         cli_found_file *found)
{
    return (reader){.source = source,
                    .twin = twin,
                    .file = file,
                    .facts = rug_file_get_facts(file),
                    .found = found};
}

static void begin(pass *p)
{
    const cli_image *image = p->asked->image;
    cli_labels *labels = image->labels;
    cli_found *found = p->asked->found;
    p->files[IMAGE] = begin_file(&image->source, NULL, image->file,
                                 found != NULL ? &found->image : NULL);
    if (image->mask_path != NULL)
        p->files[MASK] = begin_file(&image->mask, image->twin, image->twin->file,
                                    found != NULL ? &found->mask : NULL);
    if (labels != NULL)
        p->files[LABELS] =
            begin_file(&labels->twin.source, &labels->twin, labels->twin.file,
                       found != NULL ? &found->labels : NULL);
}

rug_status cli_read_part(rug_context *ctx, const cli_part_pass *asked)
{
    pass p = {.ctx = ctx, .asked = asked};
    size_t n_most = slab_layers(&asked->image->source);
    size_t first = asked->first > asked->reach ? asked->first - asked->reach : 0;
    size_t n_layers = asked->image->source.shape[0];
    if (asked->first >= asked->end)
        return RUG_OK;
    begin(&p);
    size_t n_kept = asked->reach < n_layers ? n_most + 2 * asked->reach : n_layers;
    rug_status status =
        asked->reach > 0 ? make_room(&p, n_kept < n_layers ? n_kept : n_layers) : RUG_OK;
    if (status == RUG_OK)
        status = skip(&p, first);
    p.first = p.end = first;
    if (status == RUG_OK)
        status = read_all(&p, n_most);
    for (int i = 0; i < N_FILES; i++)
        rug_context_release(ctx, p.files[i].kept);
    return status;
}
