/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Differential box counts in parts as bytes: docs/states.md. */

#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "core/state/state.h"
#include "dbc_parts_state.h"
#include <math.h>
#include <string.h>

/* Which classes of blocks there are at a level, as those within their bits. */
static unsigned classes_of(const rugi_dbc_plan *plan, uint32_t level)
{
    unsigned bits = 0;
    for (int a = 0; a < 3; a++)
        bits |= rugi_dbc_rest(plan, level, a) > 0 ? 4u >> a : 0;
    return bits;
}

/* Levels that are counted in whole blocks. */
static uint32_t levels_of(const rugi_dbc_plan *plan)
{
    return plan->n_levels < RUGI_DBC_BLOCK_LEVEL ? plan->n_levels : RUGI_DBC_BLOCK_LEVEL;
}

/* Bytes of a pixel in the bytes; 0: a bit. */
static unsigned saved_bytes(const rug_dbc_parts *p)
{
    return (unsigned)rug_dtype_size(p->dtype);
}

/* ---- Saving ---- */

static void put_real(rugi_state_writer *w, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    rugi_state_put_bytes(w, isnan(v) ? UINT64_MAX : bits, 8);
}

static void put_options(rugi_state_writer *w, const rug_dbc_parts *p)
{
    rugi_state_put_shape(w, p->ndim, p->shape);
    rugi_state_put(w, p->dtype);
    put_real(w, p->opts.levels + 0.0); /* -0 is 0 */
    rugi_state_put(w, p->opts.anchor);
    rugi_state_put(w, p->opts.values);
    rugi_state_put(w, p->opts.mask != NULL ? 1 : 0);
    if (!p->plan.has_range)
        return;
    put_real(w, p->range.min);
    put_real(w, p->range.max);
    rugi_state_put_bytes(w, (uint64_t)p->range.min_rest, 8);
    rugi_state_put_bytes(w, (uint64_t)p->range.max_rest, 8);
}

static void put_tallies(rugi_state_writer *w, const rug_dbc_parts *p)
{
    for (uint32_t level = 1; level <= levels_of(&p->plan); level++)
        for (unsigned c = 0; c < RUGI_DBC_CLASSES; c++) {
            const rugi_dbc_tally *t = &p->tally.at[level][c];
            if ((c & ~classes_of(&p->plan, level)) != 0)
                continue;
            rugi_state_put(w, t->blocks);
            rugi_state_put(w, (uint64_t)t->beyond);
            rugi_state_put(w, (uint64_t)(t->beyond >> 64));
        }
}

/* Blocks that have pixels, on their way. */
typedef struct listing {
    rugi_state_writer *w; /* NULL: they are only counted */
    uint64_t n;
    size_t next; /* behind the last one */
} listing;

static void list_blocks(void *user, size_t first, const void *items, size_t n)
{
    listing *l = user;
    const rugi_dbc_kept *kept = items;
    for (size_t i = 0; i < n; i++) {
        if (kept[i].not_lo == 0 && kept[i].hi == 0)
            continue;
        if (l->w != NULL) {
            rugi_state_put(l->w, first + i - l->next);
            rugi_state_put(l->w, ~kept[i].not_lo);
            rugi_state_put(l->w, kept[i].hi - ~kept[i].not_lo);
        }
        l->next = first + i + 1;
        l->n++;
    }
}

static void put_blocks(rugi_state_writer *w, const rug_dbc_parts *p)
{
    listing counted = {0}, listed = {.w = w};
    if (w->status == RUG_OK)
        w->status = rugi_sparse_each(w->ctx, &p->blocks, list_blocks, &counted);
    rugi_state_put(w, counted.n);
    if (w->status == RUG_OK)
        w->status = rugi_sparse_each(w->ctx, &p->blocks, list_blocks, &listed);
}

rug_status rug_dbc_parts_save(rug_context *ctx, uint8_t **out, size_t *n,
                              const rug_dbc_parts *p)
{
    if (out != NULL)
        *out = NULL;
    if (n != NULL)
        *n = 0;
    if (ctx == NULL || out == NULL || n == NULL || p == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_dbc_parts_save: NULL given");
    rugi_cover cover;
    rug_status status = rugi_cover_sorted(ctx, &cover, &p->cover, SIZE_MAX);
    if (status == RUG_OK) {
        rugi_state_writer w = rugi_state_begin(ctx, RUGI_STATE_DBC);
        put_options(&w, p);
        if (p->plan.may_be_empty) {
            rugi_state_put(&w, p->seen.n_pixels);
            rugi_state_put(&w, p->seen.n_left_out);
        }
        rugi_state_put_cover(&w, p->ndim, &cover);
        put_tallies(&w, p);
        put_blocks(&w, p);
        rugi_state_put_blocks(&w, &p->pixels, &cover, saved_bytes(p));
        if (p->opts.mask != NULL)
            rugi_state_put_blocks(&w, &p->inside, &cover, 0);
        status = rugi_state_end(&w, out, n);
    }
    rugi_cover_free(ctx, &cover);
    return status;
}

/* ---- Loading ---- */

static double get_real(rugi_state_reader *r)
{
    uint64_t bits = rugi_state_get_bytes(r, 8);
    double v;
    memcpy(&v, &bits, sizeof v);
    if ((isnan(v) && bits != UINT64_MAX) || bits == (uint64_t)1 << 63)
        rugi_state_refuse(r, "a number is written in another way");
    return v;
}

static rug_dbc_parts *get_options(rugi_state_reader *r)
{
    static const rug_source some_mask;
    rug_dbc_options o = RUG_DBC_OPTIONS_INIT;
    rug_image_range range = RUG_IMAGE_RANGE_INIT;
    rug_dbc_parts *p = NULL;
    size_t shape[3];
    int ndim = rugi_state_get_shape(r, shape);
    rug_dtype dtype = (rug_dtype)rugi_state_get_below(r, RUG_N_DTYPES - 1, "dtype");
    o.levels = get_real(r);
    o.anchor =
        (rug_dbc_anchor)rugi_state_get_below(r, RUG_DBC_ANCHOR_MIN, "kind of anchor");
    o.values = (rug_dtype)rugi_state_get_below(r, RUG_I64, "dtype of values");
    o.mask = rugi_state_get_below(r, 1, "mask") == 1 ? &some_mask : NULL;
    if (rug_dbc_must_know_range(dtype, &o)) {
        range.min = get_real(r);
        range.max = get_real(r);
        uint64_t rests[2] = {rugi_state_get_bytes(r, 8), 0};
        rests[1] = rugi_state_get_bytes(r, 8);
        memcpy(&range.min_rest, &rests[0], sizeof range.min_rest);
        memcpy(&range.max_rest, &rests[1], sizeof range.max_rest);
    }
    if (r->status == RUG_OK)
        rugi_state_note(r, rug_dbc_parts_new(r->ctx, &p, dtype, ndim, shape, &o, &range));
    return p;
}

static void get_tallies(rugi_state_reader *r, rug_dbc_parts *p)
{
    for (uint32_t level = 1; level <= levels_of(&p->plan); level++) {
        uint64_t left = p->cover.n_pixels;
        for (unsigned c = 0; c < RUGI_DBC_CLASSES; c++) {
            rugi_dbc_tally *t = &p->tally.at[level][c];
            if ((c & ~classes_of(&p->plan, level)) != 0)
                continue;
            t->blocks = rugi_state_get_below(r, left, "number of blocks");
            left -= t->blocks;
            t->beyond = rugi_state_get(r);
            t->beyond |= (rugi_dbc_u128)rugi_state_get(r) << 64;
            if (t->blocks == 0 && t->beyond != 0)
                rugi_state_refuse(r, "there are boxes without blocks");
        }
    }
}

/* Puts a whole block at its place. */
static void keep_block(rugi_state_reader *r, rug_dbc_parts *p, size_t block,
                       const rugi_dbc_kept *kept)
{
    rugi_box place, pixels = rugi_partial_blocks_block(&p->pixels, block);
    rugi_sparse_place(&p->pixels.waiting, block, place.first);
    for (int a = 0; a < 3; a++)
        place.end[a] = place.first[a] + 1;
    if (!rugi_partial_blocks_is_whole(&p->pixels, &pixels))
        rugi_state_refuse(r, "a block is listed that is not whole");
    if (r->status == RUG_OK)
        r->status = rugi_sparse_put(r->ctx, &p->blocks, &place, kept);
}

static void get_blocks(rugi_state_reader *r, rug_dbc_parts *p)
{
    size_t n_all = rugi_partial_blocks_n(&p->pixels), block = 0;
    size_t n = (size_t)rugi_state_get_below(r, n_all, "number of blocks");
    const rugi_dbc_range *range = &p->plan.range;
    int has_ends = p->plan.has_range && !p->plan.is_real && range->lo <= range->hi;
    const uint64_t least = has_ends ? range->lo : 0;
    const uint64_t most =
        has_ends ? range->hi : UINT64_MAX >> (64 - 8 * p->plan.key_bytes);
    for (size_t i = 0; i < n && r->status == RUG_OK; i++) {
        rugi_state_look(r, i);
        if (block == n_all)
            rugi_state_refuse(r, "more blocks are listed than there are");
        else
            block +=
                (size_t)rugi_state_get_below(r, n_all - block - 1, "place of a block");
        uint64_t lo = rugi_state_get_below(r, most, "least key");
        uint64_t hi = lo + rugi_state_get_below(r, most - lo, "largest key");
        const rugi_dbc_kept kept = {~lo, hi};
        if (lo < least || (kept.not_lo == 0 && kept.hi == 0))
            rugi_state_refuse(r, "a block is listed that has no pixels of the image");
        if (r->status == RUG_OK)
            keep_block(r, p, block++, &kept);
    }
}

static void get_seen(rugi_state_reader *r, rug_dbc_parts *p)
{
    if (!p->plan.may_be_empty)
        return;
    p->seen.n_pixels = rugi_state_get(r);
    p->seen.n_left_out = rugi_state_get_below(r, p->seen.n_pixels, "pixels left out");
}

rug_status rug_dbc_parts_load(rug_context *ctx, rug_dbc_parts **out, const uint8_t *bytes,
                              size_t n)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || bytes == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_dbc_parts_load: NULL given");
    rugi_state_reader r = rugi_state_open(ctx, bytes, n, RUGI_STATE_DBC);
    rug_dbc_parts *p = get_options(&r);
    if (p != NULL) {
        get_seen(&r, p);
        rugi_state_get_cover(&r, p->ndim, p->shape, &p->cover);
        if (p->seen.n_pixels > p->cover.n_pixels)
            rugi_state_refuse(&r, "more pixels were seen than have come");
        get_tallies(&r, p);
        get_blocks(&r, p);
        rugi_state_get_blocks(&r, &p->pixels, saved_bytes(p),
                              saved_bytes(p) > 0 ? UINT64_MAX : 1, 0);
        if (p->opts.mask != NULL)
            rugi_state_get_blocks(&r, &p->inside, 0, 1, 0);
    }
    rug_status status = rugi_state_close(&r);
    if (status == RUG_OK)
        *out = p;
    else
        rug_dbc_parts_free(p);
    return status;
}
