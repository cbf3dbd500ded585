/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Counts of an image in parts, and of a source: a mosaic for powers of two, packed pixels
 * for all else. */

#include <rugose/boxcount_parts.h>

#include "boxcount/count/boxcount_count.h"
#include "boxcount/result/boxcount_result.h"
#include "boxcount_mosaic.h"
#include "core/context/context_internal.h"
#include "core/image/source_internal.h"
#include <string.h>

struct rug_boxcount_parts {
    rug_context *ctx;
    rug_boxcount_result begun; /* all but the counts */
    rug_boxcount_method method;
    int has_mask;
    size_t shape[3]; /* z y x; z = 1 for an image */
    rugi_cover cover;
    rugi_mosaic mosaic; /* method PYRAMID without a mask */
    rugi_bits pixels;   /* else */
    rugi_bits inside;   /* the mask */
};

static int has_mosaic(const rug_boxcount_parts *p)
{
    return p->method == RUG_BOXCOUNT_PYRAMID && !p->has_mask;
}

static rug_status check_new(rug_context *ctx, int ndim, const size_t *shape,
                            const rug_boxcount_options *opts)
{
    rug_status status = rugi_boxcount_check(ctx, opts);
    if (status == RUG_OK)
        status = rugi_shape_check(ctx, ndim, shape);
    if (status != RUG_OK)
        return status;
    if (rugi_rule_is_open(opts->foreground) ||
        (unsigned)opts->foreground.kind > RUG_FOREGROUND_LABEL)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "parts: foreground kind %d given; a part does not know "
                                "the whole, so nonzero, above, below or label expected "
                                "(rug_foreground_resolve() finds it)",
                                (int)opts->foreground.kind);
    if (opts->foreground.kind >= RUG_FOREGROUND_ABOVE &&
        !(opts->foreground.value == opts->foreground.value))
        return rug_context_fail(ctx, RUG_E_ARG, "foreground: threshold NaN given");
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
    if (has_mosaic(p))
        return rugi_mosaic_new(ctx, &p->mosaic, p->begun.ndim, p->shape);
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
    rugi_mosaic_free(p->ctx, &p->mosaic);
    rugi_bits_free(p->ctx, &p->pixels);
    rugi_bits_free(p->ctx, &p->inside);
    rug_context_release(p->ctx, p);
}

/* Where a part lies, checked against the whole. */
static rug_status place_part(rug_context *ctx, const rug_boxcount_parts *p, rugi_box *box,
                             const rug_image *part, const size_t *first)
{
    int added = 3 - p->begun.ndim;
    if (part->ndim != p->begun.ndim)
        return rug_context_fail(ctx, RUG_E_ARG, "part of %d axes given, %d expected",
                                part->ndim, p->begun.ndim);
    for (int a = 0; a < 3; a++) {
        size_t n = a >= added ? part->shape[a - added] : 1;
        box->first[a] = a >= added ? first[a - added] : 0;
        if (box->first[a] > p->shape[a] || n > p->shape[a] - box->first[a])
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "part of %zu pixels from pixel %zu on along axis %d "
                                    "given, but the image has %zu",
                                    n, box->first[a], a - added, p->shape[a]);
        box->end[a] = box->first[a] + n;
    }
    return RUG_OK;
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
    rug_status status = rugi_image_check(ctx, part);
    if (status == RUG_OK && (mask != NULL) != p->has_mask)
        status = rug_context_fail(ctx, RUG_E_ARG, "part %s a mask given, %s expected",
                                  mask != NULL ? "with" : "without",
                                  p->has_mask ? "one" : "none");
    if (status == RUG_OK && mask != NULL)
        status = rugi_image_check_twin(ctx, mask, "mask", part);
    if (status == RUG_OK)
        status = place_part(ctx, p, &box, part, first);
    if (status == RUG_OK)
        status = rugi_cover_add(ctx, &p->cover, box);
    if (status != RUG_OK)
        return status;
    if (has_mosaic(p)) {
        rug_image pixels = rugi_image_with_z(part);
        rugi_predicate is_set = rugi_predicate_make(part->dtype, p->begun.foreground);
        return rugi_mosaic_add(ctx, &p->mosaic, &box, &pixels, &is_set);
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
               x->foreground.kind == y->foreground.kind &&
               memcmp(a->shape, b->shape, sizeof a->shape) == 0;
    if (same && x->foreground.kind >= RUG_FOREGROUND_ABOVE)
        same = x->foreground.value <= y->foreground.value &&
               x->foreground.value >= y->foreground.value;
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
    if (has_mosaic(p))
        return rugi_mosaic_merge(ctx, &p->mosaic, &other->mosaic);
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
    if (has_mosaic(p)) {
        status = rugi_mosaic_finish(ctx, &levels, &p->mosaic);
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
    uint64_t n_pixels = (uint64_t)p->shape[0] * p->shape[1] * p->shape[2];
    if (p->cover.n_pixels != n_pixels)
        return rug_context_fail(
            ctx, RUG_E_ARG, "parts: %llu of %llu pixels have come; all expected",
            (unsigned long long)p->cover.n_pixels, (unsigned long long)n_pixels);
    *out = p->begun;
    rug_status status = count_parts(ctx, out, p);
    if (status != RUG_OK)
        memset(out, 0, sizeof *out);
    return status;
}
