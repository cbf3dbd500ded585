/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Cuts a label out of packed pixels by its runs alone, so that what a label costs follows
 * its size and not the image's. */

#include "boxcount_crop.h"
#include <string.h>

/* An empty crop of the size of a region. */
static rug_status begin(rug_context *ctx, rugi_crop *c, const rug_region *region,
                        int ndim)
{
    return rugi_bits_renew(ctx, &c->bits, &c->n_held, ndim, region->shape + 3 - ndim,
                           "packed pixels of a label");
}

/* The foreground of region i. */
static rug_status crop_pixels(rug_context *ctx, rugi_crop *c, const rugi_labelling *l,
                              size_t i)
{
    size_t n;
    const rug_region *region = rug_regions_at(l->regions, i);
    const rug_region_run *run = rug_regions_runs(l->regions, i, &n);
    rug_status status = begin(ctx, c, region, l->image.box_axes);
    if (status != RUG_OK)
        return status;
    for (const rug_region_run *end = run + n; run < end; run++) {
        const size_t at[3] = {run->z, run->y, run->x};
        const size_t to[3] = {at[0] - region->first[0], at[1] - region->first[1],
                              at[2] - region->first[2]};
        rugi_bits_add_run(&c->bits, to, &l->image, at, run->n);
    }
    return RUG_OK;
}

/* The mask in the bounding box of a region. */
static rug_status crop_mask(rug_context *ctx, rugi_crop *c, const rugi_labelling *l,
                            const rug_region *region)
{
    rug_status status = begin(ctx, c, region, l->mask.box_axes);
    for (size_t z = 0; z < region->shape[0] && status == RUG_OK; z++)
        for (size_t y = 0; y < region->shape[1]; y++) {
            const size_t to[3] = {z, y, 0};
            const size_t at[3] = {region->first[0] + z, region->first[1] + y,
                                  region->first[2]};
            rugi_bits_add_run(&c->bits, to, &l->mask, at, region->shape[2]);
        }
    return status;
}

/* Makes a result all 0 that is 0 behind its entries. */
static void clear(rug_boxcount_result *r)
{
    memset(r->counts, 0, r->n_sizes * sizeof r->counts[0]);
    memset(r->positions, 0, r->n_sizes * sizeof r->positions[0]);
    memset(r, 0, RUGI_RESULT_HEAD);
    r->busy_least = r->busy_most = 0;
}

rug_status rugi_cropper_count(rug_context *ctx, rugi_cropper *c, const rugi_labelling *l,
                              size_t i)
{
    rug_boxcount_options opts = *l->opts;
    opts.foreground = (rug_foreground){RUG_FOREGROUND_NONZERO, 0};
    rug_status status = crop_pixels(ctx, &c->pixels, l, i);
    if (status != RUG_OK)
        return status;
    rug_image pixels = rugi_bits_view(&c->pixels.bits), inside;
    if (opts.mask != NULL) {
        status = crop_mask(ctx, &c->inside, l, rug_regions_at(l->regions, i));
        if (status != RUG_OK)
            return status;
        inside = rugi_bits_view(&c->inside.bits);
        opts.mask = &inside;
    }
    clear(&c->result);
    status = rugi_boxcount_zeroed(ctx, &c->result, &pixels, &opts);
    if (status == RUG_OK)
        c->result.foreground = l->foreground;
    return status;
}

void rugi_cropper_free(rug_context *ctx, rugi_cropper *c)
{
    rugi_bits_free(ctx, &c->inside.bits);
    rugi_bits_free(ctx, &c->pixels.bits);
}
