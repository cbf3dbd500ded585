/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Bins of an image in parts as bytes (docs/states.md). */

#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "core/state/state.h"
#include "lbp/lbp_state.h"
#include <rugose/regions.h>

/* ---- Saving ---- */

static void put_options(rugi_state_writer *w, const rug_lbp_parts *p)
{
    const rug_lbp_options *o = &p->opts;
    rugi_state_put_shape(w, p->ndim, p->shape);
    const uint64_t numbers[] = {p->dtype,        o->method,         o->interpolation,
                                o->border,       o->exact,          o->planes,
                                o->origin[0],    o->origin[1],      o->leave_out_nan,
                                o->mask != NULL, o->labels != NULL, o->n_operators};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        rugi_state_put(w, numbers[i]);
    for (uint32_t i = 0; i < o->n_operators; i++) {
        const rug_lbp_operator *op = &p->operators[i];
        rugi_state_put(w, op->points);
        rugi_state_put_real(w, op->radius);
        rugi_state_put(w, op->n_cuts);
        for (uint32_t k = 0; k < op->n_cuts; k++)
            rugi_state_put_real(w, op->cuts[k]);
    }
}

/* One histogram, whose bins begin at *i, and *i moves past. */
static void put_histogram(rugi_state_writer *w, const rugi_lbp_bins *b, size_t *i,
                          uint64_t label, uint32_t op)
{
    size_t n = 0, end = *i;
    uint32_t next = 0;
    for (; end < b->n && b->at[end].label == label && b->at[end].op == op; end++)
        n += b->at[end].n > 0;
    rugi_state_put(w, n);
    for (; *i < end; ++*i) {
        const rugi_lbp_bin *bin = &b->at[*i];
        if (bin->n == 0)
            continue;
        rugi_state_put(w, bin->number - next);
        rugi_state_put(w, bin->n);
        next = bin->number + 1;
    }
}

static void put_bins(rugi_state_writer *w, const rug_lbp_parts *p)
{
    const rugi_lbp_bins *b = &p->bins;
    size_t n_labels = 0, i = 0;
    uint64_t last = 0;
    for (size_t k = 0; k < b->n; k++)
        n_labels += rugi_lbp_bin_is_first(&b->at[k]) ? 1 : 0;
    if (p->opts.labels == NULL)
        for (uint32_t op = 0; op < p->opts.n_operators; op++)
            put_histogram(w, b, &i, 0, op);
    else
        rugi_state_put(w, n_labels);
    while (i < b->n) {
        uint64_t label = b->at[i].label;
        rugi_state_put(w, label - last);
        for (uint32_t op = 0; op < p->opts.n_operators; op++)
            put_histogram(w, b, &i, label, op);
        last = label;
    }
}

rug_status rug_lbp_parts_save(rug_context *ctx, uint8_t **out, size_t *n,
                              const rug_lbp_parts *p)
{
    if (out != NULL)
        *out = NULL;
    if (n != NULL)
        *n = 0;
    if (ctx == NULL || out == NULL || n == NULL || p == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lbp_parts_save: NULL given");
    rugi_cover cover;
    rug_status status = rugi_cover_sorted(ctx, &cover, &p->cover, SIZE_MAX);
    if (status == RUG_OK) {
        rugi_state_writer w = rugi_state_begin(ctx, RUGI_STATE_LBP);
        put_options(&w, p);
        rugi_state_put_cover(&w, p->ndim, &cover);
        put_bins(&w, p);
        status = rugi_state_end(&w, out, n);
    }
    rugi_cover_free(ctx, &cover);
    return status;
}

/* ---- Loading ---- */

/* The operators of the bytes.
 *  @param cuts  of all of them, to be released; NULL: there are none */
static void get_operators(rugi_state_reader *r, rug_lbp_operator *ops, uint32_t n,
                          double **cuts)
{
    size_t n_cuts = 0, most = (size_t)(r->end - r->at) / sizeof **cuts;
    *cuts = rug_context_allocate(r->ctx, most, sizeof **cuts, "cuts of the variance");
    if (*cuts == NULL)
        rugi_state_note(r, RUG_E_NOMEM);
    for (uint32_t i = 0; i < n && r->status == RUG_OK; i++) {
        rug_lbp_operator *op = &ops[i];
        op->points = (uint32_t)rugi_state_get_below(r, RUG_LBP_MAX_POINTS, "points");
        op->radius = rugi_state_get_real(r);
        uint64_t left = rugi_smaller(most - n_cuts, RUG_LBP_MAX_BINS - 1);
        op->n_cuts = (uint32_t)rugi_state_get_below(r, left, "number of cuts");
        op->cuts = op->n_cuts > 0 ? *cuts + n_cuts : NULL;
        for (uint32_t k = 0; k < op->n_cuts; k++)
            (*cuts)[n_cuts++] = rugi_state_get_real(r);
    }
}

/* Begins a state with the options of the bytes. */
static rug_lbp_parts *get_options(rugi_state_reader *r)
{
    static const rug_source some;
    rug_lbp_options o = RUG_LBP_OPTIONS_INIT;
    rug_lbp_operator ops[RUG_LBP_MAX_OPERATORS];
    rug_lbp_parts *p = NULL;
    double *cuts;
    size_t shape[3];
    int ndim = rugi_state_get_shape(r, shape);
    rug_dtype dtype = (rug_dtype)rugi_state_get_below(r, RUG_N_DTYPES - 1, "dtype");
    o.method = (rug_lbp_method)rugi_state_get_below(r, RUG_LBP_VAR, "method");
    o.interpolation =
        (rug_lbp_interpolation)rugi_state_get_below(r, RUG_LBP_NEAREST, "interpolation");
    o.border = (rug_lbp_border)rugi_state_get_below(r, RUG_LBP_BORDER_SKIP, "border");
    o.exact = (rug_lbp_exact)rugi_state_get_below(r, RUG_LBP_EXACT_FLOAT, "rule");
    o.planes = (rug_lbp_planes)rugi_state_get_below(r, RUG_LBP_PLANES_YZ, "planes");
    for (int a = 0; a < 2; a++)
        o.origin[a] = rugi_state_get(r);
    o.leave_out_nan = (uint32_t)rugi_state_get_below(r, 1, "kind of NaN");
    o.mask = rugi_state_get_below(r, 1, "mask") == 1 ? &some : NULL;
    o.labels = rugi_state_get_below(r, 1, "labels") == 1 ? &some : NULL;
    o.n_operators =
        (uint32_t)rugi_state_get_below(r, RUG_LBP_MAX_OPERATORS, "number of operators");
    o.operators = ops;
    get_operators(r, ops, o.n_operators, &cuts);
    if (r->status == RUG_OK)
        rugi_state_note(r, rug_lbp_parts_new(r->ctx, &p, dtype, ndim, shape, &o));
    rug_context_release(r->ctx, cuts);
    return p;
}

static void push(rugi_state_reader *r, rugi_lbp_bins *b, rugi_lbp_bin bin)
{
    if (r->status != RUG_OK)
        return;
    if (b->n == b->capacity) {
        size_t capacity = 2 * b->capacity + 16;
        rugi_lbp_bin *at =
            rug_context_allocate(r->ctx, capacity, sizeof *at, "bins of parts");
        if (at == NULL) {
            r->status = RUG_E_NOMEM;
            return;
        }
        if (b->n > 0)
            memcpy(at, b->at, b->n * sizeof *at);
        rug_context_release(r->ctx, b->at);
        b->at = at;
        b->capacity = capacity;
    }
    b->at[b->n++] = bin;
}

/* @param left  pixels that no bin of the operator has so far */
static void get_histogram(rugi_state_reader *r, rug_lbp_parts *p, uint64_t label,
                          uint32_t op, uint64_t *left)
{
    uint32_t n_bins = rug_lbp_n_bins(p->opts.method, &p->operators[op]), next = 0;
    uint64_t n = rugi_state_get_below(r, n_bins, "number of bins");
    size_t begin = p->bins.n;
    for (uint64_t i = 0; i < n && r->status == RUG_OK; i++) {
        if (next == n_bins) {
            rugi_state_refuse(r, "more bins are listed than there are");
            return;
        }
        next += (uint32_t)rugi_state_get_below(r, n_bins - 1 - next, "number of a bin");
        rugi_lbp_bin bin = {label, op, next++,
                            rugi_state_get_below(r, *left, "pixels of a bin")};
        if (bin.n == 0)
            rugi_state_refuse(r, "a bin is listed without pixels");
        if (i == 0 && p->opts.labels != NULL && op == 0 && bin.number > 0)
            push(r, &p->bins, (rugi_lbp_bin){label, 0, 0, 0});
        push(r, &p->bins, bin);
        *left -= bin.n;
    }
    if (p->bins.n == begin && p->opts.labels != NULL && op == 0)
        push(r, &p->bins, (rugi_lbp_bin){label, 0, 0, 0});
}

static void get_bins(rugi_state_reader *r, rug_lbp_parts *p)
{
    uint64_t left[RUG_LBP_MAX_OPERATORS], n_labels = 1, label = 0;
    rugi_state_get_cover(r, p->ndim, p->shape, &p->cover);
    for (uint32_t op = 0; op < p->opts.n_operators; op++)
        left[op] = p->cover.n_pixels;
    if (p->opts.labels != NULL)
        n_labels = rugi_state_get_below(r, p->cover.n_pixels, "number of labels");
    for (uint64_t i = 0; i < n_labels && r->status == RUG_OK; i++) {
        rugi_state_look(r, (size_t)i);
        uint64_t step = p->opts.labels == NULL
                            ? 0
                            : rugi_state_get_below(r, RUG_LABEL_MAX - label, "label");
        if (step == 0 && p->opts.labels != NULL)
            rugi_state_refuse(r, "labels are not ascending");
        label += step;
        for (uint32_t op = 0; op < p->opts.n_operators; op++)
            get_histogram(r, p, label, op, &left[op]);
    }
}

rug_status rug_lbp_parts_load(rug_context *ctx, rug_lbp_parts **out, const uint8_t *bytes,
                              size_t n)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || bytes == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lbp_parts_load: NULL given");
    rugi_state_reader r = rugi_state_open(ctx, bytes, n, RUGI_STATE_LBP);
    rug_lbp_parts *p = get_options(&r);
    if (p != NULL)
        get_bins(&r, p);
    rug_status status = rugi_state_close(&r);
    if (status == RUG_OK)
        *out = p;
    else
        rug_lbp_parts_free(p);
    return status;
}
