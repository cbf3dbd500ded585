/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* One part: its own pixels as an image of their own, whose matrices the processor's engine counts
 * as those of any image; and its rim. */

#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "glcm_contents.h"
#include <string.h>

/* Regions of a batch per thread. */
#define BATCH_REGIONS 256

static const char what[] = "regions of a part";

/* ---- Own pixels ---- */

/* A box of an image, as a view. */
typedef struct crop {
    rug_image view;
    rug_source source;
    void *block; /* packed bits that do not begin at a byte; else NULL */
} crop;

static rug_status copy_bits(rug_context *ctx, crop *c, const rug_image *from,
                            const size_t first[3], const size_t shape[3])
{
    uint8_t run[1024];
    size_t row_bytes = (shape[2] + 7) / 8, row = 0;
    uint8_t *to = rugi_allocate_zeros(ctx, shape[0] * shape[1], row_bytes, what);
    c->block = to;
    if (to == NULL)
        return RUG_E_NOMEM;
    for (size_t z = 0; z < shape[0]; z++)
        for (size_t y = 0; y < shape[1]; y++, row++)
            for (size_t x = 0; x < shape[2]; x += sizeof run) {
                size_t n = rugi_smaller(shape[2] - x, sizeof run);
                const size_t at[3] = {first[0] + z, first[1] + y, first[2] + x};
                const uint8_t *bits = rugi_image_segment(from, at, n, run);
                for (size_t i = 0; i < n; i++)
                    to[row * row_bytes + (x + i) / 8] |=
                        (uint8_t)(bits[i] << (x + i) % 8);
            }
    c->view.data = to;
    c->view.stride[0] = (ptrdiff_t)(shape[1] * row_bytes);
    c->view.stride[1] = (ptrdiff_t)row_bytes;
    return RUG_OK;
}

/* @param from  with z; data NULL: there is none
 * @param ndim  of the crop */
static rug_status cut_out(rug_context *ctx, crop *c, const rug_image *from,
                          const rugi_glcm_part *part, int ndim)
{
    size_t first[3], shape[3];
    rug_status status = RUG_OK;
    *c = (crop){.view = *from};
    if (from->data == NULL)
        return RUG_OK;
    for (int a = 0; a < 3; a++) {
        first[a] = part->own.first[a] - part->place.first[a];
        shape[a] = part->own.end[a] - part->own.first[a];
    }
    if (from->dtype == RUG_BIT && first[2] % 8 != 0) {
        status = copy_bits(ctx, c, from, first, shape);
    } else {
        ptrdiff_t x = from->dtype == RUG_BIT ? (ptrdiff_t)(first[2] / 8)
                                             : (ptrdiff_t)first[2] * from->stride[2];
        c->view.data = (const char *)from->data + (ptrdiff_t)first[0] * from->stride[0] +
                       (ptrdiff_t)first[1] * from->stride[1] + x;
    }
    c->view.ndim = ndim;
    for (int a = 0; a < ndim; a++) {
        c->view.shape[a] = shape[a + 3 - ndim];
        c->view.stride[a] = c->view.stride[a + 3 - ndim];
    }
    return status;
}

/* ---- Regions ---- */

/* What counting fills. */
typedef struct collector {
    const rugi_glcm_part *part;
    const rugi_glcm_plan *plan;
    rugi_glcm_found *regions; /* [n_regions] */
} collector;

/* A box of the own pixels, in the whole image. */
static rugi_box box_at(const rugi_box *own, const size_t first[3], const size_t shape[3])
{
    rugi_box box;
    for (int a = 0; a < 3; a++) {
        box.first[a] = own->first[a] + first[a];
        box.end[a] = box.first[a] + shape[a];
    }
    return box;
}

/* Values, boxes and levels. */
static rug_status describe(rug_context *ctx, const collector *c, rugi_glcm_found *f,
                           size_t region, const rugi_glcm_region *r)
{
    const rugi_glcm_plan *plan = c->plan;
    const rugi_box *own = &c->part->own;
    f->label = r->label;
    f->values = r->values;
    if (!plan->is_float) {
        f->values.lo = INFINITY;
        f->values.hi = -INFINITY;
    }
    if (plan->regions != NULL) {
        const rug_region *whole = rug_regions_at(plan->regions, region);
        f->box = box_at(own, whole->first, whole->shape);
    }
    if ((plan->with_mask || plan->is_resegmented) && r->values.n + r->values.n_nan > 0)
        f->left = box_at(own, r->first, r->shape);
    f->levels =
        rug_context_allocate(ctx, (size_t)r->tile.n_ranks + 1, sizeof *f->levels, what);
    if (f->levels == NULL)
        return RUG_E_NOMEM;
    for (uint32_t k = 0; k < r->tile.n_ranks; k++)
        f->levels[k] = r->binning.base + r->tile.level_of[k];
    f->n_levels = r->tile.n_ranks;
    return RUG_OK;
}

/* The number of a matrix in the whole image. */
static uint32_t number_of(const collector *c, const rugi_glcm_counted *counted)
{
    const rug_glcm_parts *p = c->part->parts;
    size_t slice = counted->matrix / p->n_directions;
    if (p->n_slices > 1) {
        slice += c->part->own.first[0];
        if (c->plan->regions != NULL)
            slice += rug_regions_at(c->plan->regions, counted->region)->first[0];
    }
    return (uint32_t)((counted->d * p->n_slices + slice) * p->n_directions +
                      counted->matrix % p->n_directions);
}

/* Matrices of a region come one after the other, with their entries sorted. */
static rug_status take_matrix(rug_context *ctx, void *user,
                              const rugi_glcm_counted *counted)
{
    const collector *c = user;
    rugi_glcm_found *f = &c->regions[counted->region];
    const rugi_glcm_counting *from = counted->counting;
    rug_status status = RUG_OK;
    if (f->levels == NULL)
        status = describe(ctx, c, f, counted->region, counted->r);
    if (status != RUG_OK || counted->sums->pairs == 0)
        return status;
    status = rugi_glcm_found_grow(ctx, f, from->n_entries);
    uint32_t matrix = number_of(c, counted);
    for (size_t e = 0; e < from->n_entries && status == RUG_OK; e++)
        f->cells[f->n_cells++] = (rugi_glcm_cell){matrix, from->entry[e].i,
                                                  from->entry[e].j, from->entry[e].n};
    return status;
}

static size_t batch_size(const rugi_glcm_plan *plan, size_t first, size_t most)
{
    size_t n = 0;
    while (first + n < plan->n_regions && n < most &&
           rugi_glcm_area(plan, first + n) < RUGI_GLCM_LARGE)
        n++;
    return rugi_larger(n, 1);
}

static rug_status count_own(rug_context *ctx, rugi_glcm_contents *out,
                            const rugi_glcm_part *part)
{
    const rugi_glcm_plan *plan = part->plan;
    size_t n = plan->n_regions, most = BATCH_REGIONS * (size_t)rug_context_threads(ctx);
    if (n == 0)
        return RUG_OK;
    out->regions = rugi_allocate_zeros(ctx, n, sizeof *out->regions, what);
    if (out->regions == NULL)
        return RUG_E_NOMEM;
    out->n = n;
    for (size_t i = 0; i < n; i++)
        out->regions[i] = rugi_glcm_nothing(0);
    collector c = {part, plan, out->regions};
    rugi_glcm_job job = {.plan = plan, .take = take_matrix, .user = &c};
    rug_status status = rugi_glcm_workers_new(ctx, &job.workers, rugi_smaller(most, n));
    for (; job.first < n && status == RUG_OK; job.first += job.n) {
        job.n = batch_size(plan, job.first, most);
        RUGI_PHASE(ctx, (double)job.first / (double)n,
                   (double)(job.first + job.n) / (double)n, status,
                   rugi_glcm_cpu(ctx, &job));
    }
    rugi_glcm_workers_free(ctx, job.workers);
    return status;
}

/* ---- The part ---- */

/* Pixels that tables of counts are made for: of a small part all, else 0, as is known best. */
static uint64_t table_of(const rug_image *own)
{
    uint64_t n = rug_image_pixels(own);
    return n <= RUGI_GLCM_SMALL ? n : 0;
}

static rug_status count_all(rug_context *ctx, rugi_glcm_contents *out,
                            rugi_glcm_part *part, const crop own[3])
{
    rugi_glcm_plan plan;
    rugi_glcm_contents rim = {0};
    rug_status status =
        rugi_glcm_parts_plan(ctx, &plan, part->parts, &own[0].source,
                             own[1].view.data != NULL ? &own[1].source : NULL,
                             own[2].view.data != NULL ? &own[2].source : NULL);
    part->plan = &plan;
    if (status == RUG_OK)
        status = rugi_glcm_plan_tables(ctx, &plan, table_of(&own[0].view));
    RUGI_PHASE(ctx, 0, 0.9, status, count_own(ctx, out, part));
    RUGI_PHASE(ctx, 0.9, 1, status, rugi_glcm_count_rim(ctx, &rim, part));
    if (status == RUG_OK)
        status = rugi_glcm_contents_move(ctx, out, &rim);
    else
        rugi_glcm_contents_free(ctx, &rim);
    rugi_glcm_plan_free(ctx, &plan);
    return status;
}

rug_status rugi_glcm_count_part(rug_context *ctx, rugi_glcm_contents *out,
                                const rug_glcm_parts *parts, const rug_image *image,
                                const rug_image *mask, const rug_image *labels,
                                const rugi_box *place, const rugi_box *own)
{
    rugi_glcm_part part = {
        .parts = parts, .image = rugi_image_with_z(image), .place = *place, .own = *own};
    const rug_image *views[3] = {&part.image, &part.mask, &part.labels};
    crop crops[3] = {0};
    rug_status status = RUG_OK;
    *out = (rugi_glcm_contents){0};
    if (mask != NULL)
        part.mask = rugi_image_with_z(mask);
    if (labels != NULL)
        part.labels = rugi_image_with_z(labels);
    for (int k = 0; k < 3 && status == RUG_OK; k++) {
        status = cut_out(ctx, &crops[k], views[k], &part, parts->ndim);
        crops[k].source = rugi_source_of_image(&crops[k].view);
    }
    if (status == RUG_OK)
        status = count_all(ctx, out, &part, crops);
    for (int k = 0; k < 3; k++)
        rug_context_release(ctx, crops[k].block);
    return status;
}
