/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Counts of a source, slab by slab. Slabs are parts of a pyramid; for all else they are packed
 * to one image. */

#include "boxcount/count/boxcount_count.h"
#include "boxcount_parts_state.h"
#include "core/context/context_internal.h"
#include "core/image/source_internal.h"

/* The share of the work that resolves a rule. */
#define PLAN_SHARE 0.6

static rug_status add_slab(rug_context *ctx, void *parts, const rug_image *slab,
                           const rug_image *mask, size_t first)
{
    const size_t place[RUG_MAX_AXES] = {first, 0, 0};
    return rug_boxcount_parts_add(ctx, parts, slab, mask, place);
}

/* Slabs that are packed. */
typedef struct packing {
    rug_foreground rule;
    rugi_bits pixels, inside; /* inside: of a mask */
} packing;

static rug_status pack_slab(rug_context *ctx, void *user, const rug_image *slab,
                            const rug_image *mask, size_t first)
{
    packing *p = user;
    const size_t place[3] = {slab->ndim == 3 ? first : 0, slab->ndim == 3 ? 0 : first, 0};
    rugi_predicate is_set = rugi_predicate_make(slab->dtype, p->rule);
    rug_status status = rugi_bits_add(ctx, &p->pixels, slab, &is_set, place);
    if (status != RUG_OK || mask == NULL)
        return status;
    rugi_predicate is_inside = rugi_predicate_of_mask(mask->dtype);
    return rugi_bits_add(ctx, &p->inside, mask, &is_inside, place);
}

/* Packs all pixels, and counts them. */
static rug_status count_packed(rug_context *ctx, rug_boxcount_result *result,
                               const rug_source *source, const rug_source *mask)
{
    packing p = {.rule = result->facts.foreground};
    rug_boxcount_method method = result->facts.method;
    rug_status status =
        rugi_bits_new(ctx, &p.pixels, source->ndim, source->shape, "packed pixels");
    if (status == RUG_OK && mask != NULL)
        status =
            rugi_bits_new(ctx, &p.inside, source->ndim, source->shape, "packed mask");
    if (status == RUG_OK)
        status = rugi_source_for_slabs(ctx, source, mask, pack_slab, &p);
    if (status == RUG_OK && mask != NULL)
        rugi_bits_intersect(&p.pixels, &p.inside);
    if (status == RUG_OK)
        status = rugi_boxcount_of_bits(ctx, result, method, &p.pixels);
    if (status == RUG_OK)
        status =
            rugi_boxcount_complete(ctx, result, method, mask != NULL ? &p.inside : NULL);
    rugi_bits_free(ctx, &p.pixels);
    rugi_bits_free(ctx, &p.inside);
    return status;
}

/* Counts with a rule that is resolved. */
static rug_status count_slabs(rug_context *ctx, rug_boxcount_result **out,
                              const rug_source *source, const rug_source *mask,
                              const rug_boxcount_options *opts)
{
    rug_boxcount_parts *parts;
    rug_boxcount_result *result = NULL;
    rug_status status =
        rug_boxcount_parts_new(ctx, &parts, source->ndim, source->shape, opts);
    if (status != RUG_OK)
        return status;
    if (rugi_boxcount_is_tiled(parts)) {
        status = rugi_source_for_slabs(ctx, source, NULL, add_slab, parts);
        if (status == RUG_OK)
            status = rug_boxcount_parts_finish(ctx, out, parts);
    } else {
        status = rugi_boxcount_copy(ctx, &result, parts->begun);
        if (status == RUG_OK)
            status = count_packed(ctx, result, source, mask);
        status = rugi_boxcount_hand_over(ctx, out, result, status);
    }
    rug_boxcount_parts_free(parts);
    return status;
}

rug_status rug_boxcount_source(rug_context *ctx, rug_boxcount_result **out,
                               const rug_source *source, const rug_boxcount_options *opts)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_boxcount_source: NULL given");
    rug_boxcount_options o;
    rug_source pixels, own_mask;
    const rug_source *mask;
    rug_status status = rugi_boxcount_take(ctx, &o, opts);
    if (status == RUG_OK)
        status = rugi_source_take(ctx, &pixels, source, "source");
    if (status == RUG_OK)
        status = rugi_twin_source_take(ctx, &own_mask, &mask, o.mask, "mask", &pixels);
    if (status != RUG_OK)
        return status;
    double plan_share = rugi_rule_is_open(o.foreground) ? PLAN_SHARE : 0;
    RUGI_PHASE(ctx, 0, plan_share, status,
               rug_source_resolve_foreground(ctx, &o.foreground, &pixels, mask, NULL,
                                             o.foreground));
    RUGI_PHASE(ctx, plan_share, 1, status, count_slabs(ctx, out, &pixels, mask, &o));
    return status;
}
