/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counts per label: the image is packed once, then each label's runs are copied to a
 * crop of their own, so that what a label costs follows its size and not the image's. */

#include "boxcount_bits.h"
#include "context_internal.h"
#include "image_internal.h"
#include <rugose/boxcount_labels.h>
#include <stdio.h>
#include <string.h>

/* The part of the work that comes before the first label. */
#define PREPARE_SHARE 0.5

/* A crop whose memory is used again for the next label. */
typedef struct crop {
    rugi_bits bits;
    size_t n_held;
} crop;

typedef struct labelling {
    rug_regions *regions;
    rug_foreground foreground; /* resolved */
    rugi_bits image;           /* its foreground */
    rugi_bits mask;            /* words NULL: none */
    crop cells, inside;        /* of the label at hand: its cells, the mask */
    rug_boxcount_result *result;
} labelling;

static void write_shape(char text[80], const rug_image *img)
{
    int n = snprintf(text, 80, "%zux%zu", img->shape[0], img->shape[1]);
    if (img->ndim == 3)
        snprintf(text + n, 80 - (size_t)n, "x%zu", img->shape[2]);
}

/* Whether something that goes with the image is one and has its shape. */
static rug_status check_beside(rug_context *ctx, const rug_image *img,
                               const rug_image *other, const char *name)
{
    rug_status status = rugi_image_check(ctx, other);
    if (status != RUG_OK)
        return status;
    int same = img->ndim == other->ndim;
    for (int a = 0; a < img->ndim && same; a++)
        same = img->shape[a] == other->shape[a];
    if (same)
        return RUG_OK;
    char shape[80], expected[80];
    write_shape(shape, other);
    write_shape(expected, img);
    return rug_context_fail(ctx, RUG_E_ARG,
                            "%s of %s given for an image of %s: the same shape expected",
                            name, shape, expected);
}

static rug_status check(rug_context *ctx, const rug_image *img, const rug_image *labels,
                        const rug_boxcount_options *opts)
{
    if (!rugi_options_fit(ctx, opts->struct_size, sizeof *opts, "rug_boxcount_options"))
        return RUG_E_ARG;
    rug_status status = rugi_image_check(ctx, img);
    if (status == RUG_OK)
        status = check_beside(ctx, img, labels, "labels");
    if (status == RUG_OK && opts->mask != NULL)
        status = check_beside(ctx, img, opts->mask, "mask");
    return status;
}

static rug_status pack(rug_context *ctx, rugi_bits *out, const rug_image *img,
                       rug_foreground rule)
{
    rugi_predicate predicate = rugi_predicate_make(img->dtype, rule);
    rug_status status = rugi_bits_new(ctx, out, img->ndim, img->shape, "packed cells");
    if (status == RUG_OK)
        status = rugi_bits_add(ctx, out, img, &predicate, (size_t[3]){0, 0, 0});
    return status;
}

/* All that is done once for the whole image. */
static rug_status prepare(rug_context *ctx, labelling *l, const rug_image *img,
                          const rug_image *labels, const rug_boxcount_options *opts)
{
    const rug_foreground nonzero = {RUG_FOREGROUND_NONZERO, 0};
    rugi_phase outer = rugi_phase_enter(ctx, 0, 0.4);
    rug_status status =
        rug_foreground_resolve(ctx, &l->foreground, img, NULL, opts->foreground);
    rugi_phase_leave(ctx, outer);
    outer = rugi_phase_enter(ctx, 0.4, 0.8);
    if (status == RUG_OK)
        status = rug_regions_find(ctx, &l->regions, labels);
    rugi_phase_leave(ctx, outer);
    outer = rugi_phase_enter(ctx, 0.8, 0.9);
    if (status == RUG_OK)
        status = pack(ctx, &l->image, img, l->foreground);
    rugi_phase_leave(ctx, outer);
    outer = rugi_phase_enter(ctx, 0.9, 1);
    if (status == RUG_OK && opts->mask != NULL)
        status = pack(ctx, &l->mask, opts->mask, nonzero);
    rugi_phase_leave(ctx, outer);
    if (status != RUG_OK)
        return status;
    l->result = rug_context_allocate(ctx, 1, sizeof *l->result, "counts of a label");
    return l->result != NULL ? RUG_OK : RUG_E_NOMEM;
}

/* An empty crop of the size of a region. */
static rug_status begin_crop(rug_context *ctx, crop *c, const rug_region *region,
                             int ndim)
{
    return rugi_bits_renew(ctx, &c->bits, &c->n_held, ndim, region->shape + 3 - ndim,
                           "packed cells of a label");
}

/* The foreground of region i, from its runs alone. */
static rug_status crop_cells(rug_context *ctx, labelling *l, size_t i)
{
    size_t n;
    const rug_region *region = rug_regions_at(l->regions, i);
    const rug_region_run *run = rug_regions_runs(l->regions, i, &n);
    rug_status status = begin_crop(ctx, &l->cells, region, l->image.box_axes);
    if (status != RUG_OK)
        return status;
    for (const rug_region_run *end = run + n; run < end; run++) {
        const size_t at[3] = {run->z, run->y, run->x};
        const size_t to[3] = {at[0] - region->first[0], at[1] - region->first[1],
                              at[2] - region->first[2]};
        rugi_bits_add_run(&l->cells.bits, to, &l->image, at, run->n);
    }
    return RUG_OK;
}

/* The mask in the bounding box of a region. */
static rug_status crop_mask(rug_context *ctx, labelling *l, const rug_region *region)
{
    rug_status status = begin_crop(ctx, &l->inside, region, l->mask.box_axes);
    for (size_t z = 0; z < region->shape[0] && status == RUG_OK; z++)
        for (size_t y = 0; y < region->shape[1]; y++) {
            const size_t to[3] = {z, y, 0};
            const size_t at[3] = {region->first[0] + z, region->first[1] + y,
                                  region->first[2]};
            rugi_bits_add_run(&l->inside.bits, to, &l->mask, at, region->shape[2]);
        }
    return status;
}

static rug_status count_label(rug_context *ctx, labelling *l, size_t i,
                              const rug_boxcount_options *opts)
{
    const rug_region *region = rug_regions_at(l->regions, i);
    rug_boxcount_options own = *opts;
    own.foreground = (rug_foreground){RUG_FOREGROUND_NONZERO, 0};
    rug_status status = crop_cells(ctx, l, i);
    if (status != RUG_OK)
        return status;
    rug_image cells = rugi_bits_view(&l->cells.bits), inside;
    if (opts->mask != NULL) {
        status = crop_mask(ctx, l, region);
        if (status != RUG_OK)
            return status;
        inside = rugi_bits_view(&l->inside.bits);
        own.mask = &inside;
    }
    status = rug_boxcount(ctx, l->result, &cells, &own);
    l->result->foreground = l->foreground;
    return status;
}

/* Progress goes with the number of labels. */
static rug_status count_labels(rug_context *ctx, labelling *l,
                               const rug_boxcount_options *opts, rug_boxcount_label_fn fn,
                               void *user)
{
    size_t n = rug_regions_count(l->regions);
    rug_status status = RUG_OK;
    for (size_t i = 0; i < n && status == RUG_OK; i++) {
        rugi_phase outer =
            rugi_phase_enter(ctx, (double)i / (double)n, (double)(i + 1) / (double)n);
        status = count_label(ctx, l, i, opts);
        rugi_phase_leave(ctx, outer);
        if (status == RUG_OK)
            status = fn(user, rug_regions_at(l->regions, i), l->result);
    }
    return status;
}

static void release(rug_context *ctx, labelling *l)
{
    rug_context_release(ctx, l->result);
    rugi_bits_free(ctx, &l->inside.bits);
    rugi_bits_free(ctx, &l->cells.bits);
    rugi_bits_free(ctx, &l->mask);
    rugi_bits_free(ctx, &l->image);
    rug_regions_free(l->regions);
}

rug_status rug_boxcount_labels(rug_context *ctx, const rug_image *img,
                               const rug_image *labels, const rug_boxcount_options *opts,
                               rug_boxcount_label_fn fn, void *user)
{
    static const rug_boxcount_options defaults = RUG_BOXCOUNT_OPTIONS_INIT;
    if (ctx == NULL || fn == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_boxcount_labels: NULL given");
    if (opts == NULL)
        opts = &defaults;
    rug_status status = check(ctx, img, labels, opts);
    if (status != RUG_OK)
        return status;
    labelling l = {0};
    rugi_phase outer = rugi_phase_enter(ctx, 0, PREPARE_SHARE);
    status = prepare(ctx, &l, img, labels, opts);
    rugi_phase_leave(ctx, outer);
    outer = rugi_phase_enter(ctx, PREPARE_SHARE, 1);
    if (status == RUG_OK)
        status = count_labels(ctx, &l, opts, fn, user);
    rugi_phase_leave(ctx, outer);
    release(ctx, &l);
    return status;
}
