/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Lacunarity of an image in parts. Pixels are kept in blocks: a bit each where a rule says which
 * are set, else as they are. A result reads them as a source. */

#include "core/blocks/kept_pixels.h"
#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "core/image/mass.h"
#include "core/image/source_internal.h"
#include "core/state/state.h"
#include "lacunarity_result.h"
#include <rugose/lacunarity_parts.h>
#include <stdint.h>
#include <string.h>

struct rug_lacunarity_parts {
    rug_context *ctx;
    rug_lacunarity_options opts; /* sizes: own; mask: only whether there is one */
    uint64_t sizes[RUG_LACUNARITY_MAX_SIZES];
    rug_dtype dtype;
    int ndim;
    size_t shape[3]; /* z y x; z = 1 for an image */
    rugi_cover cover;
    rugi_kept pixels, inside; /* inside: of a mask, bits */
    uint64_t n_left_out;      /* bits only: NaN */
};

/* Whether pixels are kept as bits. */
static int is_binary(const rug_lacunarity_parts *p)
{
    return !p->opts.is_gray || p->dtype == RUG_BIT;
}

/* Bytes that are kept of a pixel; 0: a bit. */
static size_t pixel_bytes(const rug_lacunarity_parts *p)
{
    return is_binary(p) ? 0 : rug_dtype_size(p->dtype);
}

/* The pixels of a part that are NaN, inside the mask. */
static uint64_t count_left_out(const rug_lacunarity_parts *p, const rug_image *part,
                               const rug_image *mask)
{
    enum { RUN = 1024 };
    uint64_t scratch[RUN], mask_scratch[RUN], n_left_out = 0;
    uint8_t flags[RUN];
    if (p->dtype < RUG_F32 || p->opts.is_gray)
        return 0;
    rug_image pixels = rugi_image_with_z(part), inside = {0};
    rugi_mass mass = rugi_mass_make(part->dtype, 1, p->opts.foreground, 0);
    if (mask != NULL)
        inside = rugi_image_with_z(mask);
    size_t at[3], n;
    for (at[0] = 0; at[0] < pixels.shape[0]; at[0]++)
        for (at[1] = 0; at[1] < pixels.shape[1]; at[1]++)
            for (at[2] = 0; at[2] < pixels.shape[2]; at[2] += n) {
                n = rugi_smaller(pixels.shape[2] - at[2], RUN);
                const uint8_t *in =
                    mask != NULL ? rugi_mask_flags(&inside, at, n, flags, mask_scratch)
                                 : NULL;
                n_left_out += rugi_mass_count_left_out(
                    &mass, rugi_image_segment(&pixels, at, n, scratch), n, in);
            }
    return n_left_out;
}

/* ---- The public calls ---- */

static rug_status check_new(rug_context *ctx, rug_dtype dtype, int ndim,
                            const size_t *shape, const rug_lacunarity_options *o)
{
    if ((unsigned)dtype >= RUG_N_DTYPES)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "lacunarity of dtype %d given, 0..%d expected",
                                (int)dtype, RUG_N_DTYPES - 1);
    rug_status status = rugi_shape_check(ctx, ndim, shape);
    return status == RUG_OK && !o->is_gray
               ? rugi_parts_check_rule(ctx, o->foreground, "lacunarity")
               : status;
}

rug_status rug_lacunarity_parts_new(rug_context *ctx, rug_lacunarity_parts **out,
                                    rug_dtype dtype, int ndim, const size_t *shape,
                                    const rug_lacunarity_options *opts)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || shape == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lacunarity_parts_new: NULL given");
    rug_lacunarity_options o = RUG_LACUNARITY_OPTIONS_INIT;
    rug_status status = rugi_lacunarity_take(ctx, &o, opts);
    if (status == RUG_OK)
        status = check_new(ctx, dtype, ndim, shape, &o);
    if (status != RUG_OK)
        return status;
    rug_lacunarity_parts *p = rugi_allocate_zeros(ctx, 1, sizeof *p, "image in parts");
    if (p == NULL)
        return RUG_E_NOMEM;
    p->ctx = ctx;
    p->opts = o;
    p->opts.is_gray = o.is_gray != 0;
    if (o.is_gray)
        p->opts.foreground = (rug_foreground){RUG_FOREGROUND_NONZERO, 0, 0};
    if (o.sizes != NULL) {
        memcpy(p->sizes, o.sizes, o.n_sizes * sizeof *o.sizes);
        p->opts.sizes = p->sizes;
    }
    p->dtype = dtype;
    p->ndim = ndim;
    for (int a = 0; a < 3; a++)
        p->shape[a] = a >= 3 - ndim ? shape[a - (3 - ndim)] : 1;
    rugi_kept_begin(&p->pixels, p->shape, pixel_bytes(p), &p->cover);
    rugi_kept_begin(&p->inside, p->shape, 0, &p->cover);
    *out = p;
    return RUG_OK;
}

void rug_lacunarity_parts_free(rug_lacunarity_parts *p)
{
    if (p == NULL)
        return;
    rugi_cover_free(p->ctx, &p->cover);
    rugi_partial_blocks_free(p->ctx, &p->pixels.blocks);
    rugi_partial_blocks_free(p->ctx, &p->inside.blocks);
    rug_context_release(p->ctx, p);
}

rug_status rug_lacunarity_parts_add(rug_context *ctx, rug_lacunarity_parts *p,
                                    const rug_image *part, const rug_image *mask,
                                    const size_t *first)
{
    static const rug_foreground nonzero = {RUG_FOREGROUND_NONZERO, 0, 0};
    if (ctx == NULL || p == NULL || first == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lacunarity_parts_add: NULL given");
    rugi_box place;
    rug_status status = rugi_part_check(ctx, &place, p->ndim, p->shape, part, mask,
                                        p->opts.mask != NULL, first);
    if (status == RUG_OK && part->dtype != p->dtype)
        status = rug_context_fail(ctx, RUG_E_ARG, "part of dtype %s given, %s expected",
                                  rug_dtype_name(part->dtype), rug_dtype_name(p->dtype));
    if (status == RUG_OK)
        status = rugi_cover_add(ctx, &p->cover, place);
    if (status != RUG_OK)
        return status;
    p->n_left_out += count_left_out(p, part, mask);
    status = rugi_kept_add(ctx, &p->pixels, &place, part, &place, p->opts.foreground);
    return status == RUG_OK && mask != NULL
               ? rugi_kept_add(ctx, &p->inside, &place, mask, &place, nonzero)
               : status;
}

/* Whether both are of the same image, with the same boxes. */
static rug_status check_match(rug_context *ctx, const rug_lacunarity_parts *a,
                              const rug_lacunarity_parts *b)
{
    const rugi_parts_whole given = {a->ndim, a->shape, a->opts.mask != NULL,
                                    a->opts.foreground},
                           expected = {b->ndim, b->shape, b->opts.mask != NULL,
                                       b->opts.foreground};
    rug_status status = rugi_parts_check_same(ctx, &given, &expected);
    if (status == RUG_OK && a->dtype != b->dtype)
        status = rugi_parts_differ(ctx, "dtype", rug_dtype_name(a->dtype),
                                   rug_dtype_name(b->dtype));
    if (status == RUG_OK && a->opts.is_gray != b->opts.is_gray)
        status = rugi_parts_differ(ctx, "masses of",
                                   a->opts.is_gray ? "grey values" : "foreground",
                                   b->opts.is_gray ? "grey values" : "foreground");
    if (status == RUG_OK && a->opts.boxes != b->opts.boxes)
        status = rugi_parts_differ(ctx, "boxes", rug_lacunarity_boxes_name(a->opts.boxes),
                                   rug_lacunarity_boxes_name(b->opts.boxes));
    if (status == RUG_OK)
        status = rugi_parts_check_number(ctx, "number of sizes", a->opts.n_sizes,
                                         b->opts.n_sizes);
    for (uint32_t i = 0; i < b->opts.n_sizes && status == RUG_OK; i++)
        status = rugi_parts_check_number(ctx, "box size", (int64_t)a->sizes[i],
                                         (int64_t)b->sizes[i]);
    return status;
}

rug_status rug_lacunarity_merge(rug_context *ctx, rug_lacunarity_parts *p,
                                const rug_lacunarity_parts *other)
{
    if (ctx == NULL || p == NULL || other == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lacunarity_merge: NULL given");
    rug_status status = check_match(ctx, other, p);
    if (status == RUG_OK)
        status = rugi_cover_merge(ctx, &p->cover, &other->cover);
    if (status != RUG_OK)
        return status;
    p->n_left_out += other->n_left_out;
    status = rugi_kept_merge(ctx, &p->pixels, &other->pixels);
    return status == RUG_OK ? rugi_kept_merge(ctx, &p->inside, &other->inside) : status;
}

rug_status rug_lacunarity_parts_finish(rug_context *ctx, rug_lacunarity_result **out,
                                       const rug_lacunarity_parts *p)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || p == NULL)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "rug_lacunarity_parts_finish: NULL given");
    rug_status status = rugi_kept_check_whole(ctx, &p->pixels, "lacunarity");
    if (status != RUG_OK)
        return status;
    rug_lacunarity_options opts = p->opts;
    rugi_kept_reader pixels, inside;
    rugi_kept_open(ctx, &pixels, &p->pixels, is_binary(p) ? RUG_BIT : p->dtype, p->ndim);
    rugi_kept_open(ctx, &inside, &p->inside, RUG_BIT, p->ndim);
    opts.foreground.kind = RUG_FOREGROUND_NONZERO;
    opts.mask = p->opts.mask != NULL ? &inside.source : NULL;
    status = rug_lacunarity_source(ctx, out, &pixels.source, &opts);
    rugi_kept_close(&pixels);
    rugi_kept_close(&inside);
    if (status == RUG_OK && !p->opts.is_gray) {
        (*out)->facts.foreground = p->opts.foreground;
        (*out)->facts.n_left_out = p->n_left_out;
    }
    return status;
}

/* ---- Bytes: docs/states.md ---- */

rug_status rug_lacunarity_parts_save(rug_context *ctx, uint8_t **out, size_t *n,
                                     const rug_lacunarity_parts *p)
{
    if (out != NULL)
        *out = NULL;
    if (n != NULL)
        *n = 0;
    if (ctx == NULL || out == NULL || n == NULL || p == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lacunarity_parts_save: NULL given");
    rugi_cover cover;
    rug_status status = rugi_cover_sorted(ctx, &cover, &p->cover, SIZE_MAX);
    if (status == RUG_OK) {
        rugi_state_writer w = rugi_state_begin(ctx, RUGI_STATE_LACUNARITY);
        rugi_state_put_shape(&w, p->ndim, p->shape);
        rugi_state_put(&w, p->dtype);
        rugi_state_put(&w, p->opts.boxes);
        rugi_state_put(&w, p->opts.is_gray ? 1 : 0);
        rugi_state_put(&w, p->opts.mask != NULL ? 1 : 0);
        rugi_state_put_rule(&w, p->opts.foreground);
        rugi_state_put(&w, p->opts.n_sizes);
        for (uint32_t i = 0; i < p->opts.n_sizes; i++)
            rugi_state_put(&w, p->sizes[i]);
        rugi_state_put(&w, p->n_left_out);
        rugi_state_put_cover(&w, p->ndim, &cover);
        rugi_state_put_blocks(&w, &p->pixels.blocks, &cover, (unsigned)pixel_bytes(p));
        if (p->opts.mask != NULL)
            rugi_state_put_blocks(&w, &p->inside.blocks, &cover, 0);
        status = rugi_state_end(&w, out, n);
    }
    rugi_cover_free(ctx, &cover);
    return status;
}

/* Begins a state with the options of the bytes. */
static rug_lacunarity_parts *get_options(rugi_state_reader *r)
{
    static const rug_source some_mask;
    rug_lacunarity_options o = RUG_LACUNARITY_OPTIONS_INIT;
    rug_lacunarity_parts *p = NULL;
    uint64_t sizes[RUG_LACUNARITY_MAX_SIZES];
    size_t shape[3];
    int ndim = rugi_state_get_shape(r, shape);
    rug_dtype dtype = (rug_dtype)rugi_state_get_below(r, RUG_N_DTYPES - 1, "dtype");
    o.boxes = (rug_lacunarity_boxes)rugi_state_get_below(r, RUG_LACUNARITY_FIXED,
                                                         "kind of boxes");
    o.is_gray = (int)rugi_state_get_below(r, 1, "kind of mass");
    o.mask = rugi_state_get_below(r, 1, "mask") == 1 ? &some_mask : NULL;
    o.foreground = rugi_state_get_rule(r);
    o.n_sizes = (uint32_t)rugi_state_get_below(r, RUG_LACUNARITY_MAX_SIZES, "sizes");
    o.sizes = o.n_sizes > 0 ? sizes : NULL;
    for (uint32_t i = 0; i < o.n_sizes; i++)
        sizes[i] = rugi_state_get(r);
    if (o.is_gray && o.foreground.kind != RUG_FOREGROUND_NONZERO)
        rugi_state_refuse(r, "grey values have a rule");
    if (r->status == RUG_OK)
        rugi_state_note(r, rug_lacunarity_parts_new(r->ctx, &p, dtype, ndim, shape, &o));
    return p;
}

static void get_pixels(rugi_state_reader *r, rug_lacunarity_parts *p)
{
    p->n_left_out = rugi_state_get(r);
    rugi_state_get_cover(r, p->ndim, p->shape, &p->cover);
    int may_leave_out = p->dtype >= RUG_F32 && !p->opts.is_gray;
    if (p->n_left_out > (may_leave_out ? p->cover.n_pixels : 0))
        rugi_state_refuse(r, "more pixels are left out than can be");
    rugi_state_get_blocks(r, &p->pixels.blocks, (unsigned)pixel_bytes(p), UINT64_MAX, 1);
    if (p->opts.mask != NULL)
        rugi_state_get_blocks(r, &p->inside.blocks, 0, 1, 1);
}

rug_status rug_lacunarity_parts_load(rug_context *ctx, rug_lacunarity_parts **out,
                                     const uint8_t *bytes, size_t n)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || bytes == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lacunarity_parts_load: NULL given");
    rugi_state_reader r = rugi_state_open(ctx, bytes, n, RUGI_STATE_LACUNARITY);
    rug_lacunarity_parts *p = get_options(&r);
    if (p != NULL)
        get_pixels(&r, p);
    rug_status status = rugi_state_close(&r);
    if (status == RUG_OK)
        *out = p;
    else
        rug_lacunarity_parts_free(p);
    return status;
}
