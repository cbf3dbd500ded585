/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Alpha of an image in parts. All pixels that a part measures have what their windows reach, so
 * that their alphas are those of the whole image. These are kept, and become a map in the end. */

#include "alpha/map/alpha_plan.h"
#include "core/blocks/kept_pixels.h"
#include "core/context/context_internal.h"
#include "core/image/image_internal.h"
#include "core/image/source_internal.h"
#include "core/state/state.h"
#include <math.h>
#include <rugose/alpha_parts.h>

struct rug_alpha_parts {
    rug_context *ctx;
    rug_alpha_options opts; /* mask: only whether there is one */
    rug_dtype dtype;
    int ndim;
    size_t shape[3]; /* z y x; z = 1 for an image */
    rugi_cover cover;
    rugi_kept alphas, inside; /* inside: of a mask, bits */
};

static const rug_foreground nonzero = {RUG_FOREGROUND_NONZERO, 0, 0};

/* ---- Alphas as they are kept: the bits of a float, turned so that NaN is 0 ---- */

#define NAN_BITS 0x7fc00000u

static void turn(void *alphas, size_t n)
{
    uint32_t *bits = alphas, nan_bits = NAN_BITS;
    for (size_t i = 0; i < n; i++)
        bits[i] ^= nan_bits;
}

/* All NaN become the same one first, whichever engine made them. */
static void turn_floats(float *alphas, size_t n)
{
    const uint32_t bits = NAN_BITS;
    float one;
    memcpy(&one, &bits, sizeof one);
    for (size_t i = 0; i < n; i++)
        alphas[i] = isnan(alphas[i]) ? one : alphas[i];
    turn(alphas, n);
}

/* ---- The public calls ---- */

static rug_status check_new(rug_context *ctx, rug_dtype dtype, int ndim,
                            const size_t *shape)
{
    if ((unsigned)dtype >= RUG_N_DTYPES)
        return rug_context_fail(ctx, RUG_E_ARG, "alpha of dtype %d given, 0..%d expected",
                                (int)dtype, RUG_N_DTYPES - 1);
    return rugi_shape_check(ctx, ndim, shape);
}

rug_status rug_alpha_parts_new(rug_context *ctx, rug_alpha_parts **out, rug_dtype dtype,
                               int ndim, const size_t *shape,
                               const rug_alpha_options *opts)
{
    rug_alpha_options o;
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || shape == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_alpha_parts_new: NULL given");
    rug_status status = rugi_alpha_take(ctx, &o, opts);
    if (status == RUG_OK)
        status = check_new(ctx, dtype, ndim, shape);
    if (status != RUG_OK)
        return status;
    rug_alpha_parts *p = rugi_allocate_zeros(ctx, 1, sizeof *p, "image in parts");
    if (p == NULL)
        return RUG_E_NOMEM;
    p->ctx = ctx;
    p->opts = o;
    if (o.measure != RUG_ALPHA_ISO)
        p->opts.iso_tolerance = 0;
    p->dtype = dtype;
    p->ndim = ndim;
    for (int a = 0; a < 3; a++)
        p->shape[a] = a >= 3 - ndim ? shape[a - (3 - ndim)] : 1;
    rugi_kept_begin(&p->alphas, p->shape, sizeof(float), &p->cover);
    rugi_kept_begin(&p->inside, p->shape, 0, &p->cover);
    *out = p;
    return RUG_OK;
}

void rug_alpha_parts_free(rug_alpha_parts *p)
{
    if (p == NULL)
        return;
    rugi_cover_free(p->ctx, &p->cover);
    rugi_partial_blocks_free(p->ctx, &p->alphas.blocks);
    rugi_partial_blocks_free(p->ctx, &p->inside.blocks);
    rug_context_release(p->ctx, p);
}

size_t rug_alpha_reach(const rug_alpha_options *opts)
{
    rug_alpha_options o;
    return rugi_alpha_take(NULL, &o, opts) == RUG_OK ? o.n_windows - 1 : 0;
}

/* The axis along which engines walk, as rugi_alpha_view() has it. */
static int slow_axis(const rugi_box *place)
{
    return place->end[0] - place->first[0] == 1 ? 1 : 0;
}

/* Layers of a view from one on. */
static rug_image layers_of(const rug_image *view, size_t first, size_t n)
{
    rug_image v = *view;
    v.data = (const char *)view->data + (ptrdiff_t)first * view->stride[0];
    v.shape[0] = n;
    return v;
}

/* Measures the slices, or rows of one slice, that have own pixels, and keeps these. */
static rug_status measure(rug_context *ctx, rug_alpha_parts *p, rugi_alpha_job *job,
                          const rugi_box *place, const rugi_box *own)
{
    const size_t *n = job->volume.shape;
    size_t n_pixels = job->n * n[1] * n[2];
    float *alphas =
        rug_context_allocate(ctx, n_pixels, sizeof *alphas, "alpha of a part");
    if (alphas == NULL)
        return RUG_E_NOMEM;
    job->out = alphas;
    rugi_box measured = *place;
    int slow = slow_axis(place);
    measured.first[slow] = own->first[slow];
    measured.end[slow] = own->end[slow];
    size_t shape[3];
    rug_image map;
    for (int a = 0; a < 3; a++)
        shape[a] = measured.end[a] - measured.first[a];
    rug_status status = rugi_alpha_run(ctx, job);
    turn_floats(alphas, status == RUG_OK ? n_pixels : 0);
    if (status == RUG_OK)
        status = rug_image_view(ctx, &map, alphas, RUG_U32, 3, shape);
    if (status == RUG_OK)
        status = rugi_kept_add(ctx, &p->alphas, own, &map, &measured, nonzero);
    rug_context_release(ctx, alphas);
    return status;
}

static rug_status add_part(rug_context *ctx, rug_alpha_parts *p, const rug_image *part,
                           const rug_image *mask, const rugi_box *place,
                           const rugi_box *own)
{
    rugi_alpha_plan plan;
    rugi_alpha_plan_make(&plan, &p->opts);
    rugi_alpha_job job = {.plan = &plan, .volume = rugi_alpha_view(part)};
    int slow = slow_axis(place);
    job.first = own->first[slow] - place->first[slow];
    job.n = own->end[slow] - own->first[slow];
    if (mask != NULL) {
        const rug_image view = rugi_alpha_view(mask);
        job.mask = layers_of(&view, job.first, job.n);
    }
    rug_status status = measure(ctx, p, &job, place, own);
    return status == RUG_OK && mask != NULL
               ? rugi_kept_add(ctx, &p->inside, own, mask, place, nonzero)
               : status;
}

rug_status rug_alpha_parts_add(rug_context *ctx, rug_alpha_parts *p,
                               const rug_image *part, const rug_image *mask,
                               const size_t *first, const size_t *own_first,
                               const size_t *own_shape)
{
    if (ctx == NULL || p == NULL || first == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_alpha_parts_add: NULL given");
    rugi_box place, own;
    const size_t n = p->opts.n_windows - 1, reach[3] = {n, n, n};
    rug_status status = rugi_part_check(ctx, &place, p->ndim, p->shape, part, mask,
                                        p->opts.mask != NULL, first);
    if (status == RUG_OK && part->dtype != p->dtype)
        status = rug_context_fail(ctx, RUG_E_ARG, "part of dtype %s given, %s expected",
                                  rug_dtype_name(part->dtype), rug_dtype_name(p->dtype));
    if (status == RUG_OK)
        status = rugi_part_own(ctx, &own, &place, p->ndim, p->shape, own_first, own_shape,
                               reach);
    if (status == RUG_OK)
        status = rugi_cover_add(ctx, &p->cover, own);
    return status == RUG_OK ? add_part(ctx, p, part, mask, &place, &own) : status;
}

/* Whether both are of the same image, with the same options. */
static rug_status check_match(rug_context *ctx, const rug_alpha_parts *a,
                              const rug_alpha_parts *b)
{
    const rug_alpha_options *x = &a->opts, *y = &b->opts;
    const rugi_parts_whole given = {a->ndim, a->shape, x->mask != NULL, nonzero},
                           expected = {b->ndim, b->shape, y->mask != NULL, nonzero};
    rug_status status = rugi_parts_check_same(ctx, &given, &expected);
    if (status == RUG_OK)
        status = rugi_parts_check_text(ctx, "dtype", rug_dtype_name(a->dtype),
                                       rug_dtype_name(b->dtype));
    if (status == RUG_OK)
        status = rugi_parts_check_text(ctx, "measure", rug_alpha_measure_name(x->measure),
                                       rug_alpha_measure_name(y->measure));
    if (status == RUG_OK)
        status =
            rugi_parts_check_number(ctx, "number of windows", x->n_windows, y->n_windows);
    if (status == RUG_OK)
        status =
            rugi_parts_check_real(ctx, "tolerance", x->iso_tolerance, y->iso_tolerance);
    if (status == RUG_OK)
        status =
            rugi_parts_check_number(ctx, "number of slices", x->n_slices, y->n_slices);
    if (status == RUG_OK)
        status = rugi_parts_check_real(ctx, "least alpha", x->alpha_min, y->alpha_min);
    if (status == RUG_OK)
        status = rugi_parts_check_real(ctx, "largest alpha", x->alpha_max, y->alpha_max);
    return status;
}

rug_status rug_alpha_merge(rug_context *ctx, rug_alpha_parts *p,
                           const rug_alpha_parts *other)
{
    if (ctx == NULL || p == NULL || other == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_alpha_merge: NULL given");
    rug_status status = check_match(ctx, other, p);
    if (status == RUG_OK)
        status = rugi_cover_merge(ctx, &p->cover, &other->cover);
    if (status == RUG_OK)
        status = rugi_kept_merge(ctx, &p->alphas, &other->alphas);
    return status == RUG_OK ? rugi_kept_merge(ctx, &p->inside, &other->inside) : status;
}

/* Puts the map together, and cuts it into slices. */
static rug_status make_slices(rug_context *ctx, rug_alpha_result **out,
                              const rug_alpha_parts *p, const rug_source *alphas,
                              const rug_source *inside)
{
    rug_alpha_options opts = p->opts;
    rug_image map;
    opts.mask = p->opts.mask != NULL ? inside : NULL;
    rug_status status = rugi_source_read(ctx, alphas, &map, 0, alphas->shape[0]);
    if (status != RUG_OK)
        return status;
    turn((void *)(uintptr_t)map.data, (size_t)rug_image_pixels(&map));
    map.dtype = RUG_F32;
    return rug_alpha_slices(ctx, out, &map, &opts);
}

rug_status rug_alpha_parts_finish(rug_context *ctx, rug_alpha_result **out,
                                  const rug_alpha_parts *p)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || p == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_alpha_parts_finish: NULL given");
    rug_status status = rugi_kept_check_whole(ctx, &p->alphas, "alpha");
    if (status != RUG_OK)
        return status;
    rugi_kept_reader alphas, inside;
    rugi_kept_open(ctx, &alphas, &p->alphas, RUG_U32, p->ndim);
    rugi_kept_open(ctx, &inside, &p->inside, RUG_BIT, p->ndim);
    status = make_slices(ctx, out, p, &alphas.source, &inside.source);
    rugi_kept_close(&alphas);
    rugi_kept_close(&inside);
    return status;
}

/* ---- Bytes: docs/states.md ---- */

rug_status rug_alpha_parts_save(rug_context *ctx, uint8_t **out, size_t *n,
                                const rug_alpha_parts *p)
{
    if (out != NULL)
        *out = NULL;
    if (n != NULL)
        *n = 0;
    if (ctx == NULL || out == NULL || n == NULL || p == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_alpha_parts_save: NULL given");
    rugi_cover cover;
    rug_status status = rugi_cover_sorted(ctx, &cover, &p->cover, SIZE_MAX);
    if (status == RUG_OK) {
        rugi_state_writer w = rugi_state_begin(ctx, RUGI_STATE_ALPHA);
        rugi_state_put_shape(&w, p->ndim, p->shape);
        rugi_state_put(&w, p->dtype);
        rugi_state_put(&w, p->opts.measure);
        rugi_state_put(&w, p->opts.n_windows);
        rugi_state_put_real(&w, p->opts.iso_tolerance);
        rugi_state_put(&w, p->opts.n_slices);
        rugi_state_put_real(&w, p->opts.alpha_min);
        rugi_state_put_real(&w, p->opts.alpha_max);
        rugi_state_put(&w, p->opts.mask != NULL ? 1 : 0);
        rugi_state_put_cover(&w, p->ndim, &cover);
        rugi_state_put_blocks(&w, &p->alphas.blocks, &cover, sizeof(float));
        if (p->opts.mask != NULL)
            rugi_state_put_blocks(&w, &p->inside.blocks, &cover, 0);
        status = rugi_state_end(&w, out, n);
    }
    rugi_cover_free(ctx, &cover);
    return status;
}

/* Begins a state with the options of the bytes. */
static rug_alpha_parts *get_options(rugi_state_reader *r)
{
    static const rug_source some_mask;
    rug_alpha_options o = RUG_ALPHA_OPTIONS_INIT;
    rug_alpha_parts *p = NULL;
    size_t shape[3];
    int ndim = rugi_state_get_shape(r, shape);
    rug_dtype dtype = (rug_dtype)rugi_state_get_below(r, RUG_N_DTYPES - 1, "dtype");
    o.measure = (rug_alpha_measure)rugi_state_get_below(r, RUG_ALPHA_ISO, "measure");
    o.n_windows =
        (uint32_t)rugi_state_get_below(r, RUG_ALPHA_MAX_WINDOWS, "number of windows");
    o.iso_tolerance = rugi_state_get_real(r);
    o.n_slices =
        (uint32_t)rugi_state_get_below(r, RUG_ALPHA_MAX_SLICES, "number of slices");
    o.alpha_min = rugi_state_get_real(r);
    o.alpha_max = rugi_state_get_real(r);
    o.mask = rugi_state_get_below(r, 1, "mask") == 1 ? &some_mask : NULL;
    if (r->status == RUG_OK)
        rugi_state_note(r, rug_alpha_parts_new(r->ctx, &p, dtype, ndim, shape, &o));
    return p;
}

rug_status rug_alpha_parts_load(rug_context *ctx, rug_alpha_parts **out,
                                const uint8_t *bytes, size_t n)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || bytes == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_alpha_parts_load: NULL given");
    rugi_state_reader r = rugi_state_open(ctx, bytes, n, RUGI_STATE_ALPHA);
    rug_alpha_parts *p = get_options(&r);
    if (p != NULL) {
        rugi_state_get_cover(&r, p->ndim, p->shape, &p->cover);
        rugi_state_get_blocks(&r, &p->alphas.blocks, sizeof(float), UINT32_MAX, 1);
        if (p->opts.mask != NULL)
            rugi_state_get_blocks(&r, &p->inside.blocks, 0, 1, 1);
    }
    rug_status status = rugi_state_close(&r);
    if (status == RUG_OK)
        *out = p;
    else
        rug_alpha_parts_free(p);
    return status;
}
