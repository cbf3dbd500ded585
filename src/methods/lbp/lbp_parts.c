/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Local binary patterns of an image in parts. A part is coded as an image of its own, with the
 * place of its first pixel as the origin that weights follow: all pixels that it counts have what
 * their circles reach, so that nothing shows that the image was cut. What is kept are bins. */

#include "core/context/sized.h"
#include "core/context/small.h"
#include "core/image/image_internal.h"
#include "lbp/lbp_state.h"
#include "lbp/run/lbp_planes.h"
#include <string.h>

/* ---- Bins ---- */

static int compare(const rugi_lbp_bin *a, const rugi_lbp_bin *b)
{
    if (a->label != b->label)
        return a->label < b->label ? -1 : 1;
    if (a->op != b->op)
        return a->op < b->op ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* Adds other bins. */
static rug_status add_bins(rug_context *ctx, rugi_lbp_bins *b, const rugi_lbp_bin *other,
                           size_t n)
{
    if (n == 0)
        return RUG_OK;
    rugi_lbp_bins all = {.capacity = b->n + n};
    size_t i = 0, k = 0;
    all.at = rug_context_allocate(ctx, all.capacity, sizeof *all.at, "bins of parts");
    if (all.at == NULL)
        return RUG_E_NOMEM;
    while (i < b->n || k < n) {
        int order = i == b->n ? 1 : k == n ? -1 : compare(&b->at[i], &other[k]);
        rugi_lbp_bin *next = &all.at[all.n++];
        *next = order <= 0 ? b->at[i] : other[k];
        if (order == 0)
            next->n += other[k].n;
        i += order <= 0;
        k += order >= 0;
    }
    rug_context_release(ctx, b->at);
    *b = all;
    return RUG_OK;
}

/* Lists the bins of a result that are kept.
 * @param out  NULL: only counts them
 * @return how many */
static size_t list_bins(rugi_lbp_bin *out, const rug_lbp_result *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->facts.n_histograms; i++) {
        const rug_lbp_histogram *h = &r->histograms[i];
        for (uint32_t k = 0; k < h->n_bins; k++) {
            const rugi_lbp_bin next = {h->label, h->op, k, h->bins[k]};
            if (next.n == 0 && (h->label == 0 || !rugi_lbp_bin_is_first(&next)))
                continue;
            if (out != NULL)
                out[n] = next;
            n++;
        }
    }
    return n;
}

/* Adds the histograms of a part. */
static rug_status add_result(rug_context *ctx, rug_lbp_parts *p, const rug_lbp_result *r)
{
    size_t n = list_bins(NULL, r);
    rugi_lbp_bin *list = rug_context_allocate(ctx, n, sizeof *list, "bins of a part");
    if (list == NULL)
        return RUG_E_NOMEM;
    list_bins(list, r);
    rug_status status = add_bins(ctx, &p->bins, list, n);
    rug_context_release(ctx, list);
    return status;
}

/* ---- A part ---- */

/* A part at work: planes of its pixels, and of mask and labels where they are there. */
typedef struct part {
    rugi_lbp_planes views[3];
    rugi_box own;    /* slices, rows and columns that are counted */
    size_t first[3]; /* of these, in the whole image */
    rug_regions *regions;
} part;

/* The labels of the pixels that are counted alone: others may not occur here. */
static rug_image own_labels(const part *t)
{
    rug_image v = t->views[2].volume;
    const char *data = v.data;
    for (int a = 0; a < 3; a++) {
        data += (ptrdiff_t)t->own.first[a] * v.stride[a];
        v.shape[a] = t->own.end[a] - t->own.first[a];
    }
    v.data = data;
    return v;
}

/* Says where the place is counted from that the text about a pixel that is no label names. */
static rug_status tell_place(rug_context *ctx, const part *t)
{
    char text[RUGI_ERROR_MAX];
    const size_t *first = t->first;
    if (first[0] + first[1] + first[2] == 0)
        return RUG_E_ARG;
    memcpy(text, rug_context_error(ctx), sizeof text - 1);
    text[sizeof text - 1] = '\0';
    return rug_context_fail(ctx, RUG_E_ARG,
                            "%s (counted from slice %zu, row %zu, column %zu on)", text,
                            first[0], first[1], first[2]);
}

static rug_status open_part(rug_context *ctx, const rug_lbp_parts *p, part *t,
                            const rug_image *const given[3])
{
    rug_status status = RUG_OK;
    for (int i = 0; i < 3 && status == RUG_OK; i++)
        if (given[i] != NULL)
            status =
                rugi_lbp_planes_make(ctx, &t->views[i], given[i], p->opts.planes, i == 2);
    if (given[2] == NULL || status != RUG_OK)
        return status;
    const rug_image labels = own_labels(t);
    status = rugi_lbp_find_regions(ctx, &t->regions, &labels, given[2]);
    return status == RUG_E_ARG ? tell_place(ctx, t) : status;
}

static void close_part(rug_context *ctx, const part *t)
{
    rug_regions_free(t->regions);
    for (int i = 0; i < 3; i++)
        rug_context_release(ctx, t->views[i].unpacked);
}

static rug_status count_part(rug_context *ctx, rug_lbp_parts *p, const part *t,
                             const rug_lbp_options *opts)
{
    const rug_image *image = &t->views[0].volume;
    rugi_lbp_run run = {.opts = opts,
                        .nx = image->shape[2],
                        .ny = image->shape[1],
                        .has_mask = opts->mask != NULL,
                        .regions = t->regions};
    memcpy(run.regions_first, t->own.first, sizeof run.regions_first);
    rug_status status = rugi_lbp_run_begin(ctx, &run);
    run.plan.left_out[0] = t->own.first[2];
    run.plan.left_out[1] = run.nx - t->own.end[2];
    if (status == RUG_OK)
        status = rugi_lbp_run_planes(ctx, &run, image, &t->views[1].volume, &t->own);
    if (status == RUG_OK)
        status = add_result(ctx, p, run.result);
    if (status == RUG_OK)
        p->engine = run.result->facts.engine;
    rug_lbp_free(run.result);
    rugi_lbp_run_end(ctx, &run);
    return status;
}

/* Where a pixel of the image may have to be: circles reach along the axes of planes. */
static void reach_along(const rug_lbp_parts *p, size_t reach[3])
{
    const int *axes = rugi_lbp_axes(p->opts.planes);
    reach[axes[0]] = 0;
    reach[axes[1]] = reach[axes[2]] = rug_lbp_reach(&p->opts);
}

static rug_status add_part(rug_context *ctx, rug_lbp_parts *p,
                           const rug_image *const given[3], const rugi_box *place,
                           const rugi_box *own)
{
    const int *axes = rugi_lbp_axes(p->opts.planes);
    rug_lbp_options opts = p->opts;
    part t = {.regions = NULL};
    for (int a = 0; a < 3; a++) {
        t.first[a] = own->first[axes[a]];
        t.own.first[a] = t.first[a] - place->first[axes[a]];
        t.own.end[a] = own->end[axes[a]] - place->first[axes[a]];
    }
    for (int a = 0; a < 2; a++)
        opts.origin[a] += place->first[axes[a + 1]];
    rug_status status = open_part(ctx, p, &t, given);
    if (status == RUG_OK)
        status = count_part(ctx, p, &t, &opts);
    close_part(ctx, &t);
    return status;
}

static rug_status check_given(rug_context *ctx, const rug_lbp_parts *p,
                              const rug_image *pixels, const rug_image *labels)
{
    int has_labels = p->opts.labels != NULL;
    if (pixels->dtype != p->dtype)
        return rug_context_fail(ctx, RUG_E_ARG, "part of dtype %s given, %s expected",
                                rug_dtype_name(pixels->dtype), rug_dtype_name(p->dtype));
    if ((labels != NULL) != has_labels)
        return rug_context_fail(ctx, RUG_E_ARG, "part %s labels given, %s expected",
                                labels != NULL ? "with" : "without",
                                has_labels ? "some" : "none");
    return labels != NULL ? rugi_image_check_twin(ctx, labels, "label image", pixels)
                          : RUG_OK;
}

rug_status rug_lbp_parts_add(rug_context *ctx, rug_lbp_parts *p, const rug_image *pixels,
                             const rug_image *mask, const rug_image *labels,
                             const size_t *first, const size_t *own_first,
                             const size_t *own_shape)
{
    if (ctx == NULL || p == NULL || first == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lbp_parts_add: NULL given");
    const rug_image *const given[3] = {pixels, mask, labels};
    rugi_box place, own;
    size_t reach[3];
    reach_along(p, reach);
    rug_status status = rugi_part_check(ctx, &place, p->ndim, p->shape, pixels, mask,
                                        p->opts.mask != NULL, first);
    if (status == RUG_OK)
        status = check_given(ctx, p, pixels, labels);
    if (status == RUG_OK)
        status = rugi_part_own(ctx, &own, &place, p->ndim, p->shape, own_first, own_shape,
                               reach);
    if (status == RUG_OK)
        status = rugi_cover_add(ctx, &p->cover, own);
    return status == RUG_OK ? add_part(ctx, p, given, &place, &own) : status;
}

/* ---- States ---- */

static rug_status check_new(rug_context *ctx, rug_dtype dtype, int ndim,
                            const size_t *shape, const rug_lbp_options *o)
{
    uint32_t n;
    if ((unsigned)dtype >= RUG_N_DTYPES)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "patterns of dtype %d given, 0..%d expected", (int)dtype,
                                RUG_N_DTYPES - 1);
    if (o->map != NULL)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "patterns in parts: a map requested, which parts do not "
                                "keep; take rug_lbp_source()");
    if (o->interpolation == RUG_LBP_HARDWARE)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "patterns in parts: interpolation 'hardware' given, whose "
            "codes differ between devices; 'bilinear' or 'nearest' "
            "expected");
    rug_status status = rugi_shape_check(ctx, ndim, shape);
    if (status == RUG_OK)
        status = rug_lbp_check_options(ctx, o);
    if (status == RUG_OK)
        status = rugi_lbp_check_planes(ctx, ndim, o->planes);
    const rug_lbp_operator *op = rugi_lbp_operators(o, &n);
    for (uint32_t i = 0; i < n && status == RUG_OK; i++)
        if (rug_lbp_n_bins(o->method, &op[i]) == 0)
            status = rug_context_fail(
                ctx, RUG_E_ARG,
                "patterns in parts: no histogram of method '%s' with %u points and %u "
                "cuts; VAR needs cuts, and a histogram has at most %d bins",
                rug_lbp_method_name(o->method), op[i].points, op[i].n_cuts,
                RUG_LBP_MAX_BINS);
    return status;
}

/* Copies the operators and their cuts. */
static rug_status keep_operators(rug_context *ctx, rug_lbp_parts *p,
                                 const rug_lbp_options *o)
{
    uint32_t n;
    const rug_lbp_operator *op = rugi_lbp_operators(o, &n);
    size_t n_cuts = 0;
    for (uint32_t i = 0; i < n; i++)
        n_cuts += op[i].n_cuts;
    p->cuts = rug_context_allocate(ctx, n_cuts, sizeof *p->cuts, "cuts of the variance");
    if (p->cuts == NULL)
        return RUG_E_NOMEM;
    double *cuts = p->cuts;
    for (uint32_t i = 0; i < n; i++) {
        p->operators[i] = op[i];
        p->operators[i].cuts = op[i].n_cuts > 0 ? cuts : NULL;
        if (op[i].n_cuts > 0)
            memcpy(cuts, op[i].cuts, op[i].n_cuts * sizeof *cuts);
        cuts += op[i].n_cuts;
    }
    p->opts.operators = p->operators;
    p->opts.n_operators = n;
    return RUG_OK;
}

rug_status rug_lbp_parts_new(rug_context *ctx, rug_lbp_parts **out, rug_dtype dtype,
                             int ndim, const size_t *shape, const rug_lbp_options *opts)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || shape == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lbp_parts_new: NULL given");
    rug_lbp_options o = RUG_LBP_OPTIONS_INIT;
    rug_status status = RUGI_TAKE(ctx, &o, opts, "rug_lbp_options");
    if (status == RUG_OK)
        status = check_new(ctx, dtype, ndim, shape, &o);
    if (status != RUG_OK)
        return status;
    rug_lbp_parts *p = rugi_allocate_zeros(ctx, 1, sizeof *p, "image in parts");
    if (p == NULL)
        return RUG_E_NOMEM;
    p->ctx = ctx;
    p->opts = o;
    p->opts.leave_out_nan = o.leave_out_nan != 0;
    p->dtype = dtype;
    p->ndim = ndim;
    for (int a = 0; a < 3; a++)
        p->shape[a] = a >= 3 - ndim ? shape[a - (3 - ndim)] : 1;
    status = keep_operators(ctx, p, &o);
    if (status == RUG_OK)
        *out = p;
    else
        rug_lbp_parts_free(p);
    return status;
}

void rug_lbp_parts_free(rug_lbp_parts *p)
{
    if (p == NULL)
        return;
    rugi_cover_free(p->ctx, &p->cover);
    rug_context_release(p->ctx, p->bins.at);
    rug_context_release(p->ctx, p->cuts);
    rug_context_release(p->ctx, p);
}

static rug_status check_operator(rug_context *ctx, const rug_lbp_operator *a,
                                 const rug_lbp_operator *b)
{
    rug_status status = rugi_parts_check_number(ctx, "points", a->points, b->points);
    if (status == RUG_OK)
        status = rugi_parts_check_real(ctx, "radius", a->radius, b->radius);
    if (status == RUG_OK)
        status = rugi_parts_check_number(ctx, "number of cuts", a->n_cuts, b->n_cuts);
    for (uint32_t i = 0; i < b->n_cuts && status == RUG_OK; i++)
        status = rugi_parts_check_real(ctx, "cut", a->cuts[i], b->cuts[i]);
    return status;
}

static rug_status check_options(rug_context *ctx, const rug_lbp_options *a,
                                const rug_lbp_options *b)
{
    const char *const pairs[][3] = {
        {"labels:", a->labels != NULL ? "some" : "none",
         b->labels != NULL ? "some" : "none"},
        {"method", rug_lbp_method_name(a->method), rug_lbp_method_name(b->method)},
        {"interpolation", rug_lbp_interpolation_name(a->interpolation),
         rug_lbp_interpolation_name(b->interpolation)},
        {"border", rug_lbp_border_name(a->border), rug_lbp_border_name(b->border)},
        {"rule", rug_lbp_exact_name(a->exact), rug_lbp_exact_name(b->exact)},
        {"planes", rug_lbp_planes_name(a->planes), rug_lbp_planes_name(b->planes)},
        {"NaN", a->leave_out_nan ? "left out" : "as 0",
         b->leave_out_nan ? "left out" : "as 0"},
    };
    rug_status status = RUG_OK;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0] && status == RUG_OK; i++)
        status = rugi_parts_check_text(ctx, pairs[i][0], pairs[i][1], pairs[i][2]);
    for (int k = 0; k < 2 && status == RUG_OK; k++)
        status = rugi_parts_check_number(ctx, "origin", (int64_t)a->origin[k],
                                         (int64_t)b->origin[k]);
    return status == RUG_OK ? rugi_parts_check_number(ctx, "number of operators",
                                                      a->n_operators, b->n_operators)
                            : status;
}

/* Whether both are of the same image, with the same options. */
static rug_status check_match(rug_context *ctx, const rug_lbp_parts *a,
                              const rug_lbp_parts *b)
{
    static const rug_foreground nonzero = {RUG_FOREGROUND_NONZERO, 0, 0};
    const rugi_parts_whole given = {a->ndim, a->shape, a->opts.mask != NULL, nonzero},
                           expected = {b->ndim, b->shape, b->opts.mask != NULL, nonzero};
    rug_status status = rugi_parts_check_same(ctx, &given, &expected);
    if (status == RUG_OK)
        status = rugi_parts_check_text(ctx, "dtype", rug_dtype_name(a->dtype),
                                       rug_dtype_name(b->dtype));
    if (status == RUG_OK)
        status = check_options(ctx, &a->opts, &b->opts);
    for (uint32_t i = 0; i < b->opts.n_operators && status == RUG_OK; i++)
        status = check_operator(ctx, &a->operators[i], &b->operators[i]);
    return status;
}

rug_status rug_lbp_merge(rug_context *ctx, rug_lbp_parts *p, const rug_lbp_parts *other)
{
    if (ctx == NULL || p == NULL || other == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lbp_merge: NULL given");
    rug_status status = check_match(ctx, other, p);
    if (status == RUG_OK)
        status = rugi_cover_merge(ctx, &p->cover, &other->cover);
    if (status != RUG_OK)
        return status;
    if (other->engine != NULL)
        p->engine = other->engine;
    return add_bins(ctx, &p->bins, other->bins.at, other->bins.n);
}

static void fill_result(rug_lbp_result *r, const rug_lbp_parts *p)
{
    rug_lbp_histogram *h = r->histograms;
    for (size_t i = 0; i < p->bins.n; i++) {
        const rugi_lbp_bin *b = &p->bins.at[i];
        if (i > 0 && b->label != b[-1].label)
            h += p->opts.n_operators;
        for (uint32_t k = 0; k < p->opts.n_operators; k++)
            h[k].label = b->label;
        ((uint64_t *)h[b->op].bins)[b->number] = b->n;
    }
    r->facts.engine = p->engine != NULL ? p->engine : "cpu";
    rugi_lbp_result_close(r);
}

static size_t count_labels(const rug_lbp_parts *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->bins.n; i++)
        n += rugi_lbp_bin_is_first(&p->bins.at[i]) ? 1 : 0;
    return n;
}

rug_status rug_lbp_parts_finish(rug_context *ctx, rug_lbp_result **out,
                                const rug_lbp_parts *p)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || p == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lbp_parts_finish: NULL given");
    rugi_lbp_plan plan;
    rug_status status =
        rugi_cover_check_whole(ctx, &p->cover, p->shape, "local binary patterns");
    if (status == RUG_OK)
        status = rugi_lbp_plan_make(ctx, &plan, &p->opts);
    if (status != RUG_OK)
        return status;
    status =
        rugi_lbp_result_new(ctx, out, &plan, p->opts.labels != NULL, count_labels(p));
    if (status == RUG_OK)
        fill_result(*out, p);
    rugi_lbp_plan_free(ctx, &plan);
    return status;
}
