/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* States of co-occurrence as bytes: docs/states.md. */

#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "core/state/state.h"
#include "glcm_contents.h"
#include <math.h>

/* ---- Numbers ---- */

static void put_integer(rugi_state_writer *w, int64_t v)
{
    rugi_state_put_bytes(w, (uint64_t)v, sizeof v);
}

static int64_t get_integer(rugi_state_reader *r)
{
    return (int64_t)rugi_state_get_bytes(r, sizeof(int64_t));
}

static void put_box(rugi_state_writer *w, int n_axes, const rugi_box *box)
{
    for (int a = 3 - n_axes; a < 3; a++) {
        rugi_state_put(w, box->first[a]);
        rugi_state_put(w, box->end[a] - box->first[a]);
    }
}

/* A box that is inside of another one. */
static rugi_box get_box(rugi_state_reader *r, int n_axes, const rugi_box *most)
{
    rugi_box box = *most;
    for (int a = 3 - n_axes; a < 3; a++) {
        size_t first =
            (size_t)rugi_state_get_below(r, most->end[a] - 1, "place of a box");
        size_t n = (size_t)rugi_state_get_below(r, most->end[a] - first, "side of a box");
        if (n == 0 || first < most->first[a])
            rugi_state_refuse(r, "a box is empty, or outside");
        box.first[a] = first;
        box.end[a] = first + n;
    }
    return box;
}

/* ---- Options ---- */

static void put_options(rugi_state_writer *w, const rug_glcm_parts *p)
{
    const rug_glcm_options *o = &p->opts;
    rugi_state_put_shape(w, p->ndim, p->shape);
    rugi_state_put(w, p->dtype);
    rugi_state_put(w, o->mask != NULL ? 1 : 0);
    rugi_state_put(w, o->labels != NULL ? 1 : 0);
    rugi_state_put(w, o->n_distances);
    for (uint32_t i = 0; i < o->n_distances; i++)
        rugi_state_put(w, p->distances[i]);
    rugi_state_put(w, o->directions);
    rugi_state_put(w, o->asymmetric ? 1 : 0);
    rugi_state_put(w, o->aggregate);
    rugi_state_put(w, o->slices);
    rugi_state_put(w, o->features);
    rugi_state_put_real(w, o->log_base);
    rugi_state_put(w, o->levels);
    rugi_state_put(w, o->n_levels);
    rugi_state_put_real(w, o->bin_width);
    rugi_state_put(w, o->range);
    rugi_state_put_real(w, o->range_lo);
    rugi_state_put_real(w, o->range_hi);
    rugi_state_put(w, o->origin);
    rugi_state_put_real(w, o->bin_origin);
    rugi_state_put(w, o->resegment ? 1 : 0);
    rugi_state_put_real(w, o->resegment_lo);
    rugi_state_put_real(w, o->resegment_hi);
    rugi_state_put(w, p->has_range ? 1 : 0);
    if (p->has_range) {
        rugi_state_put_real(w, p->range_lo);
        rugi_state_put_real(w, p->range_hi);
    }
}

static void get_bins(rugi_state_reader *r, rug_glcm_options *o)
{
    o->levels = (rug_glcm_levels)rugi_state_get_below(r, RUG_GLCM_LEVELS_WIDTH, "levels");
    o->n_levels =
        (uint32_t)rugi_state_get_below(r, RUG_GLCM_MAX_SPAN, "number of levels");
    o->bin_width = rugi_state_get_real(r);
    o->range = (rug_glcm_range)rugi_state_get_below(r, RUG_GLCM_RANGE_GIVEN, "range");
    o->range_lo = rugi_state_get_real(r);
    o->range_hi = rugi_state_get_real(r);
    o->origin = (rug_glcm_origin)rugi_state_get_below(r, RUG_GLCM_ORIGIN_GIVEN, "origin");
    o->bin_origin = rugi_state_get_real(r);
    o->resegment = (int)rugi_state_get_below(r, 1, "re-segmentation");
    o->resegment_lo = rugi_state_get_real(r);
    o->resegment_hi = rugi_state_get_real(r);
}

/* Begins a state with the options of the bytes. */
static rug_glcm_parts *get_options(rugi_state_reader *r)
{
    static const rug_source some;
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    rug_image_range range = RUG_IMAGE_RANGE_INIT;
    uint32_t distances[RUG_GLCM_MAX_DISTANCES];
    rug_glcm_parts *p = NULL;
    size_t shape[3];
    int ndim = rugi_state_get_shape(r, shape);
    rug_dtype dtype = (rug_dtype)rugi_state_get_below(r, RUG_N_DTYPES - 1, "dtype");
    o.mask = rugi_state_get_below(r, 1, "mask") == 1 ? &some : NULL;
    o.labels = rugi_state_get_below(r, 1, "labels") == 1 ? &some : NULL;
    o.n_distances =
        (uint32_t)rugi_state_get_below(r, RUG_GLCM_MAX_DISTANCES, "distances");
    for (uint32_t i = 0; i < o.n_distances; i++)
        distances[i] =
            (uint32_t)rugi_state_get_below(r, RUG_GLCM_MAX_DISTANCE, "distance");
    o.distances = o.n_distances > 0 ? distances : NULL;
    o.directions = (uint32_t)rugi_state_get_below(r, UINT32_MAX, "directions");
    o.asymmetric = (int)rugi_state_get_below(r, 1, "order");
    o.aggregate = (rug_glcm_aggregate)rugi_state_get_below(r, RUG_GLCM_AGGREGATE_MERGED,
                                                           "aggregate");
    o.slices = (rug_glcm_slices)rugi_state_get_below(r, RUG_GLCM_SLICES_MERGED, "slices");
    o.features =
        (rug_glcm_features)rugi_state_get_below(r, RUG_GLCM_FEATURES_ALL, "features");
    o.log_base = rugi_state_get_real(r);
    get_bins(r, &o);
    int has_range = rugi_state_get_below(r, 1, "range of the image") == 1;
    if (has_range) {
        range.min = rugi_state_get_real(r);
        range.max = rugi_state_get_real(r);
    }
    if (r->status == RUG_OK)
        rugi_state_note(r, rug_glcm_parts_new(r->ctx, &p, dtype, ndim, shape, &o,
                                              has_range ? &range : NULL));
    if (p != NULL && p->has_range != has_range)
        rugi_state_refuse(r, "a range that no bins need is given");
    return p;
}

/* ---- Regions ---- */

static int has_left(const rug_glcm_parts *p, const rugi_glcm_values *v)
{
    return (p->opts.mask != NULL || p->opts.resegment) && v->n + v->n_nan > 0;
}

static int is_real(const rug_glcm_parts *p)
{
    return p->dtype >= RUG_F32;
}

static void put_values(rugi_state_writer *w, const rug_glcm_parts *p,
                       const rugi_glcm_values *v)
{
    rugi_state_put(w, v->n);
    rugi_state_put(w, v->n_nan);
    rugi_state_put(w, v->n_clamped);
    rugi_state_put(w, v->n_outside);
    if (v->n > 0 && is_real(p)) {
        rugi_state_put_real(w, v->lo);
        rugi_state_put_real(w, v->hi);
    } else if (v->n > 0) {
        put_integer(w, v->least);
        put_integer(w, v->most);
    }
}

/* @param most  pixels of the region, at most */
static void get_values(rugi_state_reader *r, const rug_glcm_parts *p, rugi_glcm_values *v,
                       uint64_t most)
{
    v->n = rugi_state_get_below(r, most, "pixels");
    v->n_nan =
        rugi_state_get_below(r, is_real(p) ? most - v->n : 0, "pixels that are NaN");
    v->n_clamped = rugi_state_get_below(r, v->n, "pixels outside the range");
    most = p->opts.resegment ? most - v->n - v->n_nan : 0;
    v->n_outside = rugi_state_get_below(r, most, "pixels outside re-segmentation");
    if (v->n > 0 && is_real(p)) {
        v->lo = rugi_state_get_real(r);
        v->hi = rugi_state_get_real(r);
        if (!(isfinite(v->lo) && isfinite(v->hi) && v->lo <= v->hi))
            rugi_state_refuse(r, "the values of a region are from no number to another");
    } else if (v->n > 0) {
        v->least = get_integer(r);
        v->most = get_integer(r);
        if (v->least > v->most)
            rugi_state_refuse(r, "the least value of a region is above its largest");
    }
}

static void put_levels(rugi_state_writer *w, const rugi_glcm_found *f)
{
    rugi_state_put(w, f->n_levels);
    for (size_t i = 0; i < f->n_levels; i++)
        if (i == 0)
            put_integer(w, f->levels[0]);
        else
            rugi_state_put(w, (uint64_t)f->levels[i] - (uint64_t)f->levels[i - 1] - 1);
}

/* How many items of a list there can be that have a byte or more each. */
static size_t get_number(rugi_state_reader *r, size_t bytes_each, const char *what)
{
    size_t left = (size_t)(r->end - r->at) / bytes_each;
    return (size_t)rugi_state_get_below(r, rugi_smaller(left, UINT32_MAX), what);
}

static void get_levels(rugi_state_reader *r, rugi_glcm_found *f)
{
    size_t n = get_number(r, 1, "levels");
    if (n == 0)
        return;
    f->levels = rug_context_allocate(r->ctx, n, sizeof *f->levels, "levels of a region");
    if (f->levels == NULL)
        rugi_state_note(r, RUG_E_NOMEM);
    for (size_t i = 0; i < n && r->status == RUG_OK; i++, f->n_levels++) {
        rugi_state_look(r, i);
        if (i == 0) {
            f->levels[0] = get_integer(r);
            continue;
        }
        uint64_t left = (uint64_t)INT64_MAX - (uint64_t)f->levels[i - 1];
        uint64_t step = left > 0 ? rugi_state_get_below(r, left - 1, "level") : 0;
        if (left == 0)
            rugi_state_refuse(r, "a level is above all");
        f->levels[i] = (int64_t)((uint64_t)f->levels[i - 1] + step + 1);
    }
}

/* Each number as its difference from that of the pair before, unless an earlier one differs. */
static void put_cells(rugi_state_writer *w, const rugi_glcm_found *f)
{
    rugi_glcm_cell last = {0};
    rugi_state_put(w, f->n_cells);
    for (size_t k = 0; k < f->n_cells; k++) {
        const rugi_glcm_cell *c = &f->cells[k];
        int is_matrix = k > 0 && c->matrix == last.matrix;
        int is_row = is_matrix && c->i == last.i;
        rugi_state_put(w, c->matrix - last.matrix);
        rugi_state_put(w, is_matrix ? c->i - last.i : c->i);
        rugi_state_put(w, is_row ? c->j - last.j - 1 : c->j);
        rugi_state_put(w, c->n - 1);
        last = *c;
    }
}

/* A pair behind the one before. */
static rugi_glcm_cell get_cell(rugi_state_reader *r, const rug_glcm_parts *p,
                               const rugi_glcm_found *f, const rugi_glcm_cell *last)
{
    static const rugi_glcm_cell none;
    const rugi_glcm_cell *from = last != NULL ? last : &none;
    uint32_t n_matrices = rugi_glcm_parts_matrices(p), n = (uint32_t)f->n_levels;
    uint64_t step = rugi_state_get_below(r, n_matrices - 1 - from->matrix, "matrix");
    rugi_glcm_cell c = {.matrix = from->matrix + (uint32_t)step};
    int is_matrix = last != NULL && step == 0;
    uint32_t i = is_matrix ? from->i : 0;
    step = rugi_state_get_below(r, n - 1 - i, "level of a pair");
    c.i = i + (uint32_t)step;
    int is_row = is_matrix && step == 0;
    uint32_t j = is_row ? from->j + 1 : 0, most = p->opts.asymmetric ? n - 1 : c.i;
    if (j > most)
        rugi_state_refuse(r, "a pair comes behind the last one of its row");
    else
        c.j = j + (uint32_t)rugi_state_get_below(r, most - j, "level of a pair");
    c.n = rugi_state_get_below(r, UINT64_MAX / 32, "number of pairs") + 1;
    return c;
}

static void get_cells(rugi_state_reader *r, const rug_glcm_parts *p, rugi_glcm_found *f)
{
    size_t n = get_number(r, 4, "pairs");
    if (n > 0 && f->n_levels == 0)
        rugi_state_refuse(r, "there are pairs without levels");
    if (n == 0 || r->status != RUG_OK)
        return;
    f->cells = rug_context_allocate(r->ctx, n, sizeof *f->cells, "pairs of a region");
    if (f->cells == NULL)
        rugi_state_note(r, RUG_E_NOMEM);
    for (size_t k = 0; k < n && r->status == RUG_OK; k++) {
        rugi_state_look(r, k);
        f->cells[f->n_cells++] = get_cell(r, p, f, k > 0 ? &f->cells[k - 1] : NULL);
    }
    f->capacity = n;
}

static void put_regions(rugi_state_writer *w, const rug_glcm_parts *p)
{
    const rugi_glcm_contents *all = &p->contents;
    uint64_t last = 0;
    if (p->opts.labels != NULL)
        rugi_state_put(w, all->n);
    for (size_t i = 0; i < all->n; i++) {
        const rugi_glcm_found *f = &all->regions[i];
        if (p->opts.labels != NULL) {
            rugi_state_put(w, f->label - last);
            put_box(w, p->ndim, &f->box);
        }
        put_values(w, p, &f->values);
        if (has_left(p, &f->values))
            put_box(w, p->ndim, &f->left);
        put_levels(w, f);
        put_cells(w, f);
        last = f->label;
    }
}

static void get_region(rugi_state_reader *r, const rug_glcm_parts *p, rugi_glcm_found *f,
                       uint64_t last)
{
    const rugi_box whole = {{0, 0, 0}, {p->shape[0], p->shape[1], p->shape[2]}};
    rugi_box box = whole;
    *f = rugi_glcm_nothing(0);
    if (p->opts.labels != NULL) {
        uint64_t step = rugi_state_get_below(r, UINT64_MAX - last, "label");
        f->label = last + step;
        if (step == 0)
            rugi_state_refuse(r, "labels do not ascend");
        f->box = box = get_box(r, p->ndim, &whole);
    }
    uint64_t most = rugi_box_pixels(&box);
    get_values(r, p, &f->values, most < p->cover.n_pixels ? most : p->cover.n_pixels);
    if (has_left(p, &f->values))
        f->left = get_box(r, p->ndim, &box);
    get_levels(r, f);
    get_cells(r, p, f);
}

static void get_regions(rugi_state_reader *r, rug_glcm_parts *p)
{
    rugi_glcm_contents *all = &p->contents;
    size_t n = p->cover.n > 0;
    if (p->opts.labels != NULL)
        n = get_number(r, 8, "regions");
    if (n > p->cover.n_pixels)
        rugi_state_refuse(r, "there are more regions than pixels");
    if (n == 0 || r->status != RUG_OK)
        return;
    all->regions = rug_context_allocate(r->ctx, n, sizeof *all->regions, "regions");
    if (all->regions == NULL)
        rugi_state_note(r, RUG_E_NOMEM);
    for (size_t i = 0; i < n && r->status == RUG_OK; i++)
        get_region(r, p, &all->regions[all->n++], i > 0 ? all->regions[i - 1].label : 0);
}

/* ---- The public calls ---- */

rug_status rug_glcm_parts_save(rug_context *ctx, uint8_t **out, size_t *n,
                               const rug_glcm_parts *p)
{
    if (out != NULL)
        *out = NULL;
    if (n != NULL)
        *n = 0;
    if (ctx == NULL || out == NULL || n == NULL || p == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_glcm_parts_save: NULL given");
    rugi_cover cover;
    rug_status status = rugi_cover_sorted(ctx, &cover, &p->cover, SIZE_MAX);
    if (status == RUG_OK) {
        rugi_state_writer w = rugi_state_begin(ctx, RUGI_STATE_GLCM);
        put_options(&w, p);
        rugi_state_put_cover(&w, p->ndim, &cover);
        put_regions(&w, p);
        status = rugi_state_end(&w, out, n);
    }
    rugi_cover_free(ctx, &cover);
    return status;
}

rug_status rug_glcm_parts_load(rug_context *ctx, rug_glcm_parts **out,
                               const uint8_t *bytes, size_t n)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || bytes == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_glcm_parts_load: NULL given");
    rugi_state_reader r = rugi_state_open(ctx, bytes, n, RUGI_STATE_GLCM);
    rug_glcm_parts *p = get_options(&r);
    if (p != NULL) {
        rugi_state_get_cover(&r, p->ndim, p->shape, &p->cover);
        get_regions(&r, p);
    }
    rug_status status = rugi_state_close(&r);
    if (status == RUG_OK)
        *out = p;
    else
        rug_glcm_parts_free(p);
    return status;
}
