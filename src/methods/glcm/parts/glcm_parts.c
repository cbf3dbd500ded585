/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Co-occurrence of an image in parts: the public calls. */

#include "core/blocks/partial_blocks.h"
#include "core/context/context_internal.h"
#include "core/context/engine.h"
#include "core/context/sized.h"
#include "core/context/small.h"
#include "core/image/number.h"
#include "glcm_contents.h"
#include <math.h>
#include <string.h>

/* ---- Options ---- */

static rug_status take_options(rug_context *ctx, rug_glcm_options *own,
                               const rug_glcm_options *opts)
{
    *own = (rug_glcm_options)RUG_GLCM_OPTIONS_INIT;
    rug_status status = RUGI_TAKE(ctx, own, opts, "rug_glcm_options");
    return status == RUG_OK ? rugi_glcm_check_options(ctx, own) : status;
}

size_t rug_glcm_reach(const rug_glcm_options *opts)
{
    rug_glcm_options own;
    if (take_options(NULL, &own, opts) != RUG_OK)
        return 0;
    return own.n_distances > 0 ? own.distances[own.n_distances - 1] : 1;
}

/* ---- Begin, add, merge ---- */

static rug_status check_new(rug_context *ctx, rug_dtype dtype, int ndim,
                            const size_t *shape, const rug_glcm_options *o)
{
    if ((unsigned)dtype >= RUG_N_DTYPES)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence of dtype %d given, 0..%d expected",
                                (int)dtype, RUG_N_DTYPES - 1);
    if (o->pairs == RUG_GLCM_PAIRS_FRAME)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "co-occurrence in parts: pairs FRAME given, whose background no part shows; "
            "INSIDE expected");
    rug_status status = rugi_shape_check(ctx, ndim, shape);
    return status == RUG_OK ? rugi_engine_cpu_only(ctx, "co-occurrence in parts")
                            : status;
}

/* How many matrices a region has. */
static rug_status plan_matrices(rug_context *ctx, rug_glcm_parts *p)
{
    rugi_glcm_plan plan;
    rug_status status = rugi_glcm_parts_plan(ctx, &plan, p, NULL, NULL, NULL);
    if (status == RUG_OK) {
        p->n_distances = plan.n_distances;
        memcpy(p->distances, plan.distance, plan.n_distances * sizeof *p->distances);
        p->n_directions =
            plan.aggregate == RUG_GLCM_AGGREGATE_MERGED ? 1 : plan.n_directions;
        p->n_slices = plan.slices == RUG_GLCM_SLICES_MEAN ? p->shape[0] : 1;
        size_t each = (size_t)p->n_distances * p->n_directions;
        if (p->n_slices > UINT32_MAX / each)
            status =
                rug_context_fail(ctx, RUG_E_UNSUPPORTED,
                                 "co-occurrence in parts: %zu slices with %zu matrices "
                                 "each given, less than 2^32 in all expected",
                                 p->n_slices, each);
    }
    rugi_glcm_plan_free(ctx, &plan);
    return status;
}

rug_status rug_glcm_parts_new(rug_context *ctx, rug_glcm_parts **out, rug_dtype dtype,
                              int ndim, const size_t *shape, const rug_glcm_options *opts,
                              const rug_image_range *range)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || shape == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_glcm_parts_new: NULL given");
    rug_glcm_options own;
    rug_status status = take_options(ctx, &own, opts);
    if (status == RUG_OK)
        status = check_new(ctx, dtype, ndim, shape, &own);
    if (status != RUG_OK)
        return status;
    rug_glcm_parts *p = rugi_allocate_zeros(ctx, 1, sizeof *p, "image in parts");
    if (p == NULL)
        return RUG_E_NOMEM;
    p->ctx = ctx;
    p->opts = own;
    p->dtype = dtype;
    p->ndim = ndim;
    for (int a = 0; a < 3; a++)
        p->shape[a] = a >= 3 - ndim ? shape[a - (3 - ndim)] : 1;
    status = rugi_glcm_parts_take_range(ctx, p, range);
    if (status == RUG_OK)
        status = plan_matrices(ctx, p);
    p->opts.distances = own.distances != NULL ? p->distances : NULL;
    if (status == RUG_OK)
        *out = p;
    else
        rug_glcm_parts_free(p);
    return status;
}

void rug_glcm_parts_free(rug_glcm_parts *p)
{
    if (p == NULL)
        return;
    rugi_cover_free(p->ctx, &p->cover);
    rugi_glcm_contents_free(p->ctx, &p->contents);
    rug_context_release(p->ctx, p);
}

/* What is counted of a part: some of its pixels, with those around them that are needed. */
static rug_status find_own(rug_context *ctx, rugi_box *own, const rug_glcm_parts *p,
                           const rugi_box *place, const size_t *first,
                           const size_t *shape)
{
    size_t reach = p->distances[p->n_distances - 1];
    int added = 3 - p->ndim;
    *own = *place;
    for (int a = added; a < 3; a++) {
        if (first != NULL) {
            own->first[a] = first[a - added];
            if (own->first[a] < place->first[a] || shape[a - added] < 1 ||
                own->first[a] > place->end[a] ||
                shape[a - added] > place->end[a] - own->first[a])
                return rug_context_fail(
                    ctx, RUG_E_ARG,
                    "%zu own pixels from pixel %zu on along axis %d given; some of the part, "
                    "%zu from %zu on, expected",
                    shape[a - added], own->first[a], a - added,
                    place->end[a] - place->first[a], place->first[a]);
            own->end[a] = own->first[a] + shape[a - added];
        }
        size_t around = a == 0 && p->opts.slices != RUG_GLCM_SLICES_NONE ? 0 : reach;
        size_t before = rugi_smaller(around, own->first[a]);
        size_t behind = rugi_smaller(around, p->shape[a] - own->end[a]);
        if (own->first[a] - place->first[a] < before ||
            place->end[a] - own->end[a] < behind)
            return rug_context_fail(
                ctx, RUG_E_ARG,
                "part with %zu pixels before and %zu behind its own along axis %d given, %zu "
                "and %zu expected (rug_glcm_reach())",
                own->first[a] - place->first[a], place->end[a] - own->end[a], a - added,
                before, behind);
    }
    return RUG_OK;
}

static rug_status check_part(rug_context *ctx, const rug_glcm_parts *p,
                             const rug_image *part, const rug_image *labels)
{
    if (part->dtype != p->dtype)
        return rug_context_fail(ctx, RUG_E_ARG, "part of dtype %s given, %s expected",
                                rug_dtype_name(part->dtype), rug_dtype_name(p->dtype));
    if ((labels != NULL) != (p->opts.labels != NULL))
        return rug_context_fail(ctx, RUG_E_ARG, "part %s labels given, %s expected",
                                labels != NULL ? "with" : "without",
                                labels != NULL ? "none" : "some");
    return labels != NULL ? rugi_image_check_twin(ctx, labels, "label image", part)
                          : RUG_OK;
}

rug_status rug_glcm_parts_add(rug_context *ctx, rug_glcm_parts *p, const rug_image *part,
                              const rug_image *mask, const rug_image *labels,
                              const size_t *first, const size_t *own_first,
                              const size_t *own_shape)
{
    if (ctx == NULL || p == NULL || first == NULL ||
        (own_first == NULL) != (own_shape == NULL))
        return rug_context_fail(ctx, RUG_E_ARG, "rug_glcm_parts_add: NULL given");
    rugi_box place, own;
    rugi_glcm_contents found = {0};
    rug_status status = rugi_part_check(ctx, &place, p->ndim, p->shape, part, mask,
                                        p->opts.mask != NULL, first);
    if (status == RUG_OK)
        status = check_part(ctx, p, part, labels);
    if (status == RUG_OK)
        status = find_own(ctx, &own, p, &place, own_first, own_shape);
    if (status == RUG_OK)
        status = rugi_cover_add(ctx, &p->cover, own);
    if (status == RUG_OK)
        status = rugi_glcm_count_part(ctx, &found, p, part, mask, labels, &place, &own);
    if (status == RUG_OK)
        status = rugi_glcm_contents_move(ctx, &p->contents, &found);
    else
        rugi_glcm_contents_free(ctx, &found);
    return status;
}

static rug_status check_reals(rug_context *ctx, const char *what, double given,
                              double expected)
{
    char a[RUGI_REAL_TEXT_MAX], b[RUGI_REAL_TEXT_MAX];
    if (memcmp(&given, &expected, sizeof given) == 0 ||
        (given <= expected && given >= expected))
        return RUG_OK;
    rugi_format_real(a, given);
    rugi_format_real(b, expected);
    return rugi_parts_differ(ctx, what, a, b);
}

/* Whether both are of the same image, with the same options. */
static rug_status check_match(rug_context *ctx, const rug_glcm_parts *a,
                              const rug_glcm_parts *b)
{
    const rug_glcm_options *x = &a->opts, *y = &b->opts;
    const rug_foreground none = {RUG_FOREGROUND_NONZERO, 0, 0};
    const rugi_parts_whole given = {a->ndim, a->shape, x->mask != NULL, none},
                           expected = {b->ndim, b->shape, y->mask != NULL, none};
    rug_status status = rugi_parts_check_same(ctx, &given, &expected);
    if (status == RUG_OK && a->dtype != b->dtype)
        status = rugi_parts_differ(ctx, "dtype", rug_dtype_name(a->dtype),
                                   rug_dtype_name(b->dtype));
    if (status == RUG_OK && (x->labels != NULL) != (y->labels != NULL))
        status = rugi_parts_differ(ctx, "labels:", x->labels != NULL ? "some" : "none",
                                   y->labels != NULL ? "some" : "none");
    const struct {
        const char *what;
        int64_t given, expected;
    } numbers[] = {
        {"directions", x->directions, y->directions},
        {"asymmetric", x->asymmetric != 0, y->asymmetric != 0},
        {"levels", x->levels, y->levels},
        {"number of levels", x->n_levels, y->n_levels},
        {"range", x->range, y->range},
        {"aggregate", x->aggregate, y->aggregate},
        {"slices", x->slices, y->slices},
        {"features", x->features, y->features},
        {"origin", x->origin, y->origin},
        {"resegment", x->resegment != 0, y->resegment != 0},
        {"range of the image", a->has_range, b->has_range},
        {"number of distances", a->n_distances, b->n_distances},
    };
    const struct {
        const char *what;
        double given, expected;
    } reals[] = {
        {"bin width", x->bin_width, y->bin_width},
        {"low end of the range", x->range_lo, y->range_lo},
        {"high end of the range", x->range_hi, y->range_hi},
        {"base of logarithms", x->log_base, y->log_base},
        {"origin of bins", x->bin_origin, y->bin_origin},
        {"low end of re-segmentation", x->resegment_lo, y->resegment_lo},
        {"high end of re-segmentation", x->resegment_hi, y->resegment_hi},
        {"least value of the image", a->range_lo, b->range_lo},
        {"largest value of the image", a->range_hi, b->range_hi},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && status == RUG_OK; i++)
        status = rugi_parts_check_number(ctx, numbers[i].what, numbers[i].given,
                                         numbers[i].expected);
    for (size_t i = 0; i < sizeof reals / sizeof *reals && status == RUG_OK; i++)
        status = check_reals(ctx, reals[i].what, reals[i].given, reals[i].expected);
    for (uint32_t i = 0; i < b->n_distances && status == RUG_OK; i++)
        status =
            rugi_parts_check_number(ctx, "distance", a->distances[i], b->distances[i]);
    return status;
}

rug_status rug_glcm_merge(rug_context *ctx, rug_glcm_parts *p,
                          const rug_glcm_parts *other)
{
    if (ctx == NULL || p == NULL || other == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_glcm_merge: NULL given");
    rug_status status = check_match(ctx, other, p);
    if (status == RUG_OK)
        status = rugi_cover_merge(ctx, &p->cover, &other->cover);
    return status == RUG_OK
               ? rugi_glcm_contents_merge(ctx, &p->contents, &other->contents)
               : status;
}
