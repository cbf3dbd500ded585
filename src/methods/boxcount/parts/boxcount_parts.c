/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Counts of an image in parts, and of a source: a tiled pyramid for powers of two, packed
 * pixels for all else. */

#include "boxcount/boxcount_result.h"
#include "boxcount_tiled.h"
#include "core/context/context_internal.h"
#include "core/image/source_internal.h"
#include <rugose/boxcount_parts.h>
#include <string.h>

struct rug_boxcount_parts {
    rug_context *ctx;
    rug_boxcount_result begun; /* all but the counts */
    rug_boxcount_method method;
    int has_mask;
    size_t shape[3]; /* z y x; z = 1 for an image */
    rugi_cover cover;
    rugi_tiled tiled; /* method PYRAMID without a mask */
    rugi_bits pixels; /* else */
    rugi_bits inside; /* the mask */
};

static int is_tiled(const rug_boxcount_parts *p)
{
    return p->method == RUG_BOXCOUNT_PYRAMID && !p->has_mask;
}

static rug_status check_new(rug_context *ctx, int ndim, const size_t *shape,
                            const rug_boxcount_options *opts)
{
    rug_status status = rugi_boxcount_check(ctx, opts);
    if (status == RUG_OK)
        status = rugi_shape_check(ctx, ndim, shape);
    if (status == RUG_OK)
        status = rugi_parts_check_rule(ctx, opts->foreground, "parts");
    if (status != RUG_OK)
        return status;
    if (opts->method >= RUG_BOXCOUNT_HOU)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "parts: methods hou, atomic and local need the whole "
                                "image; use auto, pyramid or window");
    return RUG_OK;
}

/* Memory for the pixels. */
static rug_status make_state(rug_context *ctx, rug_boxcount_parts *p)
{
    size_t *shape = p->shape + 3 - p->begun.ndim;
    if (is_tiled(p))
        return rugi_tiled_new(ctx, &p->tiled, p->begun.ndim, p->shape);
    rug_status status =
        rugi_bits_new(ctx, &p->pixels, p->begun.ndim, shape, "packed pixels");
    if (status == RUG_OK && p->has_mask)
        status = rugi_bits_new(ctx, &p->inside, p->begun.ndim, shape, "packed mask");
    return status;
}

rug_status rug_boxcount_parts_new(rug_context *ctx, rug_boxcount_parts **out, int ndim,
                                  const size_t *shape, const rug_boxcount_options *opts)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || shape == NULL || opts == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_boxcount_parts_new: NULL given");
    rug_status status = check_new(ctx, ndim, shape, opts);
    if (status != RUG_OK)
        return status;
    rug_boxcount_parts *p = rug_context_allocate(ctx, 1, sizeof *p, "count in parts");
    if (p == NULL)
        return RUG_E_NOMEM;
    memset(p, 0, sizeof *p);
    p->ctx = ctx;
    p->method = rugi_boxcount_begin(&p->begun, ndim, shape, opts);
    p->begun.foreground = opts->foreground;
    p->has_mask = opts->mask != NULL;
    for (int a = 0; a < 3; a++)
        p->shape[a] = a >= 3 - ndim ? shape[a - (3 - ndim)] : 1;
    status = make_state(ctx, p);
    if (status == RUG_OK)
        *out = p;
    else
        rug_boxcount_parts_free(p);
    return status;
}

void rug_boxcount_parts_free(rug_boxcount_parts *p)
{
    if (p == NULL)
        return;
    rugi_cover_free(p->ctx, &p->cover);
    rugi_tiled_free(p->ctx, &p->tiled);
    rugi_bits_free(p->ctx, &p->pixels);
    rugi_bits_free(p->ctx, &p->inside);
    rug_context_release(p->ctx, p);
}

static rug_status add_bits(rug_context *ctx, rugi_bits *bits, const rug_image *img,
                           rug_foreground rule, const rugi_box *box)
{
    rugi_predicate is_set = rugi_predicate_make(img->dtype, rule);
    return rugi_bits_add(ctx, bits, img, &is_set, box->first);
}

rug_status rug_boxcount_parts_add(rug_context *ctx, rug_boxcount_parts *p,
                                  const rug_image *part, const rug_image *mask,
                                  const size_t *first)
{
    static const rug_foreground nonzero = {RUG_FOREGROUND_NONZERO, 0};
    if (ctx == NULL || p == NULL || first == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_boxcount_parts_add: NULL given");
    rugi_box box;
    rug_status status = rugi_part_check(ctx, &box, p->begun.ndim, p->shape, part, mask,
                                        p->has_mask, first);
    if (status == RUG_OK)
        status = rugi_cover_add(ctx, &p->cover, box);
    if (status != RUG_OK)
        return status;
    if (is_tiled(p)) {
        rug_image pixels = rugi_image_with_z(part);
        rugi_predicate is_set = rugi_predicate_make(part->dtype, p->begun.foreground);
        return rugi_tiled_add(ctx, &p->tiled, &box, &pixels, &is_set);
    }
    status = add_bits(ctx, &p->pixels, part, p->begun.foreground, &box);
    return status == RUG_OK && mask != NULL
               ? add_bits(ctx, &p->inside, mask, nonzero, &box)
               : status;
}

/* Whether two counts are of one image in one way. */
static int match(const rug_boxcount_parts *a, const rug_boxcount_parts *b)
{
    const rug_boxcount_result *x = &a->begun, *y = &b->begun;
    int same = a->method == b->method && a->has_mask == b->has_mask &&
               x->ndim == y->ndim && x->grid == y->grid && x->n_sizes == y->n_sizes &&
               rugi_rules_match(x->foreground, y->foreground) &&
               memcmp(a->shape, b->shape, sizeof a->shape) == 0;
    for (uint32_t i = 0; same && i < x->n_sizes; i++)
        same = x->counts[i].size == y->counts[i].size;
    return same;
}

rug_status rug_boxcount_merge(rug_context *ctx, rug_boxcount_parts *p,
                              const rug_boxcount_parts *other)
{
    if (ctx == NULL || p == NULL || other == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_boxcount_merge: NULL given");
    if (!match(p, other))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "merge: counts of another shape or with other options "
                                "given; begin both with the same ones");
    rug_status status = rugi_cover_merge(ctx, &p->cover, &other->cover);
    if (status != RUG_OK)
        return status;
    if (is_tiled(p))
        return rugi_tiled_merge(ctx, &p->tiled, &other->tiled);
    rugi_bits_unite(&p->pixels, &other->pixels);
    if (p->has_mask)
        rugi_bits_unite(&p->inside, &other->inside);
    return RUG_OK;
}

/* Copies packed pixels without those outside of the mask. */
static rug_status mask_pixels(rug_context *ctx, rugi_bits *out,
                              const rug_boxcount_parts *p)
{
    rug_status status = rugi_bits_new(ctx, out, p->begun.ndim,
                                      p->shape + 3 - p->begun.ndim, "masked pixels");
    if (status == RUG_OK) {
        rugi_bits_unite(out, &p->pixels);
        rugi_bits_intersect(out, &p->inside);
    }
    return status;
}

static rug_status count_parts(rug_context *ctx, rug_boxcount_result *out,
                              const rug_boxcount_parts *p)
{
    rugi_bits masked = {0};
    rugi_boxcount_levels levels;
    rug_status status = RUG_OK;
    if (is_tiled(p)) {
        status = rugi_tiled_finish(ctx, &levels, &p->tiled);
        if (status == RUG_OK)
            rugi_boxcount_take_levels(out, &levels);
    } else {
        if (p->has_mask)
            status = mask_pixels(ctx, &masked, p);
        if (status == RUG_OK)
            status = rugi_boxcount_of_bits(ctx, out, p->method,
                                           p->has_mask ? &masked : &p->pixels);
        rugi_bits_free(ctx, &masked);
    }
    return status == RUG_OK ? rugi_boxcount_complete(ctx, out, p->method,
                                                     p->has_mask ? &p->inside : NULL)
                            : status;
}

rug_status rug_boxcount_parts_finish(rug_context *ctx, rug_boxcount_result *out,
                                     const rug_boxcount_parts *p)
{
    if (out != NULL)
        memset(out, 0, sizeof *out);
    if (ctx == NULL || out == NULL || p == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_boxcount_parts_finish: NULL given");
    rug_status status = rugi_cover_check_whole(ctx, &p->cover, p->shape, "parts");
    if (status != RUG_OK)
        return status;
    *out = p->begun;
    status = count_parts(ctx, out, p);
    if (status != RUG_OK)
        memset(out, 0, sizeof *out);
    return status;
}

/* ---- Sources: their slabs are the parts ---- */

/* The part of the work of a rule that has yet to be found. */
#define PLAN_SHARE 0.6

static rug_status add_slab(rug_context *ctx, void *parts, const rug_image *slab,
                           const rug_image *mask, size_t first)
{
    const size_t place[RUG_MAX_AXES] = {first, 0, 0};
    return rug_boxcount_parts_add(ctx, parts, slab, mask, place);
}

/* Counts with a rule that is resolved. */
static rug_status count_slabs(rug_context *ctx, rug_boxcount_result *out,
                              const rug_source *source, const rug_source *mask,
                              const rug_boxcount_options *opts)
{
    static const rug_image some_mask;
    rug_boxcount_options o = *opts;
    o.mask = mask != NULL ? &some_mask : NULL;
    rug_boxcount_parts *parts;
    rug_status status =
        rug_boxcount_parts_new(ctx, &parts, source->ndim, source->shape, &o);
    if (status == RUG_OK)
        status = rugi_source_for_slabs(ctx, source, mask, add_slab, parts);
    if (status == RUG_OK)
        status = rug_boxcount_parts_finish(ctx, out, parts);
    rug_boxcount_parts_free(parts);
    return status;
}

rug_status rug_boxcount_source(rug_context *ctx, rug_boxcount_result *out,
                               const rug_source *source, const rug_source *mask,
                               const rug_boxcount_options *opts)
{
    static const rug_boxcount_options defaults = RUG_BOXCOUNT_OPTIONS_INIT;
    if (out != NULL)
        memset(out, 0, sizeof *out);
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_boxcount_source: NULL given");
    rug_boxcount_options o = opts != NULL ? *opts : defaults;
    rug_status status = rugi_boxcount_check(ctx, &o);
    if (status == RUG_OK)
        status = rugi_source_check(ctx, source, mask);
    if (status != RUG_OK)
        return status;
    double plan_share = rugi_rule_is_open(o.foreground) ? PLAN_SHARE : 0;
    rugi_phase outer = rugi_phase_enter(ctx, 0, plan_share);
    status = rug_source_resolve_foreground(ctx, &o.foreground, source, mask, NULL,
                                           o.foreground);
    rugi_phase_leave(ctx, outer);
    outer = rugi_phase_enter(ctx, plan_share, 1);
    if (status == RUG_OK)
        status = count_slabs(ctx, out, source, mask, &o);
    rugi_phase_leave(ctx, outer);
    return status;
}
