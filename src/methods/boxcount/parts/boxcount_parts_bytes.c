/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Counts in parts as bytes (docs/states.md). Numbers that could not be of one image are
 * refused, so that what was loaded is as good as what was counted here. */

#include "boxcount_parts_state.h"
#include "core/state/state.h"
#include <string.h>

/* Levels that are counted inside blocks. */
static uint32_t n_fine(const rugi_boxcount_tiled *t)
{
    return t->levels.n <= RUGI_BLOCK_LEVEL ? t->levels.n : RUGI_BLOCK_LEVEL + 1;
}

/* ---- Saving ---- */

static void put_options(rugi_state_writer *w, const rug_boxcount_parts *p)
{
    const rug_boxcount_facts *facts = &p->begun->facts;
    rugi_state_put_shape(w, facts->ndim, p->shape);
    rugi_state_put(w, facts->method);
    rugi_state_put(w, facts->grid);
    rugi_state_put(w, p->has_mask ? 1 : 0);
    rugi_state_put_rule(w, facts->foreground);
    for (int a = 0; a < facts->ndim; a++)
        rugi_state_put(w, facts->pixel_size[a]);
    rugi_state_put(w, facts->n_sizes);
    for (uint32_t i = 0; i < facts->n_sizes; i++)
        rugi_state_put(w, p->begun->counts[i].size);
}

/* Blocks that are not empty, on their way. */
typedef struct listing {
    rugi_state_writer *w; /* NULL: they are only counted */
    uint64_t n;
    size_t next; /* behind the last one */
} listing;

static void list_blocks(void *user, size_t first, const void *items, size_t n)
{
    listing *l = user;
    const uint8_t *blocks = items;
    for (size_t i = 0; i < n; i++) {
        if (blocks[i] == 0)
            continue;
        uint64_t gap = first + i - l->next, is_all = (blocks[i] & RUGI_BLOCK_ALL) != 0;
        if (l->w != NULL)
            rugi_state_put(l->w, gap << 1 | is_all);
        l->next = first + i + 1;
        l->n++;
    }
}

static void put_tiled(rugi_state_writer *w, const rugi_boxcount_tiled *t,
                      const rugi_cover *cover)
{
    listing counted = {0}, listed = {.w = w};
    for (uint32_t i = 0; i < n_fine(t); i++) {
        rugi_state_put(w, t->levels.nonempty[i]);
        rugi_state_put(w, t->levels.black[i]);
    }
    if (w->status == RUG_OK)
        w->status = rugi_sparse_each(w->ctx, &t->blocks, list_blocks, &counted);
    rugi_state_put(w, counted.n);
    if (w->status == RUG_OK)
        w->status = rugi_sparse_each(w->ctx, &t->blocks, list_blocks, &listed);
    rugi_state_put_blocks(w, &t->partial, cover, 0);
}

rug_status rug_boxcount_parts_save(rug_context *ctx, uint8_t **out, size_t *n,
                                   const rug_boxcount_parts *parts)
{
    if (out != NULL)
        *out = NULL;
    if (n != NULL)
        *n = 0;
    if (ctx == NULL || out == NULL || n == NULL || parts == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_boxcount_parts_save: NULL given");
    rugi_cover cover;
    rug_status status = rugi_cover_sorted(ctx, &cover, &parts->cover, SIZE_MAX);
    if (status == RUG_OK) {
        rugi_state_writer w = rugi_state_begin(ctx, RUGI_STATE_BOXCOUNT);
        put_options(&w, parts);
        rugi_state_put_cover(&w, parts->begun->facts.ndim, &cover);
        if (rugi_boxcount_is_tiled(parts)) {
            put_tiled(&w, &parts->tiled, &cover);
        } else {
            rugi_state_put_blocks(&w, &parts->pixels, &cover, 0);
            if (parts->has_mask)
                rugi_state_put_blocks(&w, &parts->inside, &cover, 0);
        }
        status = rugi_state_end(&w, out, n);
    }
    rugi_cover_free(ctx, &cover);
    return status;
}

/* ---- Loading ---- */

/* Begins a state with the options of the bytes. */
static rug_boxcount_parts *get_options(rugi_state_reader *r)
{
    static const rug_source some_mask;
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    rug_boxcount_parts *p = NULL;
    uint64_t sizes[RUG_BOXCOUNT_MAX_SIZES];
    size_t shape[3];
    int ndim = rugi_state_get_shape(r, shape);
    opts.method =
        (rug_boxcount_method)rugi_state_get_below(r, RUG_BOXCOUNT_WINDOW, "method");
    opts.grid =
        (rug_boxcount_grid)rugi_state_get_below(r, RUG_BOXCOUNT_GRID_MEAN, "grid");
    opts.mask = rugi_state_get_below(r, 1, "mask") == 1 ? &some_mask : NULL;
    opts.foreground = rugi_state_get_rule(r);
    for (int a = 0; a < ndim; a++)
        opts.pixel_size[a] = rugi_state_get(r);
    opts.n_sizes = (uint32_t)rugi_state_get_below(r, RUG_BOXCOUNT_MAX_SIZES, "sizes");
    opts.sizes = sizes;
    for (uint32_t i = 0; i < opts.n_sizes; i++)
        sizes[i] = rugi_state_get(r);
    if (r->status == RUG_OK && (opts.method == RUG_BOXCOUNT_AUTO || opts.n_sizes == 0))
        rugi_state_refuse(r, "it has no method or no sizes");
    if (r->status == RUG_OK)
        rugi_state_note(r, rug_boxcount_parts_new(r->ctx, &p, ndim, shape, &opts));
    return p;
}

/* Boxes that hold a pixel hold 1 to 2^D of half their size; black ones hold black ones. */
static void check_levels(rugi_state_reader *r, const rugi_boxcount_tiled *t,
                         uint64_t n_pixels)
{
    const uint64_t *any = t->levels.nonempty, *all = t->levels.black;
    uint64_t most = (uint64_t)1 << t->box_axes;
    int is_right = any[0] == all[0] && any[0] <= n_pixels;
    for (uint32_t i = 1; i < n_fine(t); i++)
        is_right &= any[i] <= any[i - 1] && any[i] >= (any[i - 1] + most - 1) / most &&
                    all[i] <= all[i - 1] / most && all[i] <= any[i];
    if (!is_right)
        rugi_state_refuse(r, "box counts contradict each other");
}

/* A block that is not empty. */
static void get_block(rugi_state_reader *r, rugi_boxcount_tiled *t, size_t block,
                      int is_all)
{
    rugi_box place;
    uint8_t kind = RUGI_BLOCK_ANY;
    rugi_box pixels = rugi_partial_blocks_block(&t->partial, block);
    if (is_all)
        kind |= RUGI_BLOCK_ALL;
    if (!rugi_partial_blocks_is_whole(&t->partial, &pixels))
        rugi_state_refuse(r, "a block is counted that is not whole");
    if (r->status != RUG_OK)
        return;
    rugi_sparse_place(&t->partial.waiting, block, place.first);
    for (int a = 0; a < 3; a++)
        place.end[a] = place.first[a] + 1;
    r->status = rugi_sparse_put(r->ctx, &t->blocks, &place, &kind);
}

static void get_tiled(rugi_state_reader *r, rugi_boxcount_tiled *t)
{
    size_t n_all = rugi_partial_blocks_n(&t->partial), block = 0;
    uint64_t n_black = 0;
    for (uint32_t i = 0; i < n_fine(t); i++) {
        t->levels.nonempty[i] = rugi_state_get(r);
        t->levels.black[i] = rugi_state_get(r);
    }
    check_levels(r, t, t->partial.cover->n_pixels);
    size_t n = (size_t)rugi_state_get_below(r, n_all, "number of blocks");
    for (size_t i = 0; i < n && r->status == RUG_OK; i++) {
        rugi_state_look(r, i);
        uint64_t number = rugi_state_get(r);
        if (number >> 1 >= n_all - block)
            rugi_state_refuse(r, "a block lies outside of the image");
        else
            block += (size_t)(number >> 1);
        n_black += number & 1;
        if (r->status == RUG_OK)
            get_block(r, t, block++, number & 1);
    }
    if (t->levels.n > RUGI_BLOCK_LEVEL && (t->levels.nonempty[RUGI_BLOCK_LEVEL] != n ||
                                           t->levels.black[RUGI_BLOCK_LEVEL] != n_black))
        rugi_state_refuse(r, "blocks and box counts contradict each other");
    rugi_state_get_blocks(r, &t->partial, 0, 1, 0);
}

rug_status rug_boxcount_parts_load(rug_context *ctx, rug_boxcount_parts **out,
                                   const uint8_t *bytes, size_t n)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || bytes == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_boxcount_parts_load: NULL given");
    rugi_state_reader r = rugi_state_open(ctx, bytes, n, RUGI_STATE_BOXCOUNT);
    rug_boxcount_parts *p = get_options(&r);
    if (p != NULL) {
        rugi_state_get_cover(&r, p->begun->facts.ndim, p->shape, &p->cover);
        if (rugi_boxcount_is_tiled(p)) {
            get_tiled(&r, &p->tiled);
        } else {
            rugi_state_get_blocks(&r, &p->pixels, 0, 1, 1);
            if (p->has_mask)
                rugi_state_get_blocks(&r, &p->inside, 0, 1, 1);
        }
    }
    rug_status status = rugi_state_close(&r);
    if (status == RUG_OK)
        *out = p;
    else
        rug_boxcount_parts_free(p);
    return status;
}
