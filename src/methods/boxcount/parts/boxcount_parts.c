/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Counts of an image in parts. Powers of two have a pyramid, by blocks of 64 pixels a side:
 * what a part holds of whole blocks is counted at once, by the same engine as a whole image;
 * the pixels of other blocks are packed and wait until their block is whole. For other sizes
 * and grids, and with a mask, all pixels are kept packed, in such blocks. Where nothing is
 * set, nothing is kept. */

#include "boxcount/bits/boxcount_bits.h"
#include "boxcount/count/boxcount_count.h"
#include "boxcount_parts_state.h"
#include "core/context/context_internal.h"
#include <string.h>

/* ---- Pyramids in parts ---- */

/* log2 of the blocks of a tile along an axis. */
#define TILE_BITS 4

/* @param shape  z y x */
static void tiled_begin(rugi_boxcount_tiled *t, int box_axes, const size_t shape[3],
                        const rugi_cover *cover)
{
    t->box_axes = box_axes;
    const unsigned bits[3] = {box_axes == 3 ? RUGI_BLOCK_LEVEL : 0, RUGI_BLOCK_LEVEL,
                              RUGI_BLOCK_LEVEL};
    rugi_partial_blocks_begin(&t->partial, shape, bits, (size_t)1 << (bits[0] + bits[1]),
                              cover);
    t->levels.n = rugi_boxcount_n_levels(3, shape);
    rugi_sparse_begin(&t->blocks, t->partial.n_blocks, TILE_BITS, 1);
}

static void add_levels(rugi_boxcount_levels *to, const rugi_boxcount_levels *from)
{
    for (uint32_t i = 0; i < from->n; i++) {
        to->nonempty[i] += from->nonempty[i];
        to->black[i] += from->black[i];
    }
}

/* Counts whole blocks of pixels and records what they are. The engine in the result is
 * that of blocks that a part held whole, where there were any.
 *  @param b          the first block
 *  @param is_single  one that waited for its last pixel */
static rug_status count_blocks(rug_context *ctx, rugi_boxcount_tiled *t,
                               const rug_image *pixels, const rugi_predicate *predicate,
                               const size_t b[3], int is_single)
{
    rugi_boxcount_plan plan;
    rugi_boxcount_levels levels;
    rugi_boxcount_make_plan(ctx, &plan, pixels, t->box_axes, predicate, t->levels.n);
    const size_t *n = plan.blocks;
    const rugi_box all = {{b[0], b[1], b[2]}, {b[0] + n[0], b[1] + n[1], b[2] + n[2]}};
    uint8_t *blocks =
        rug_context_allocate(ctx, n[0] * n[1] * n[2], 1, "blocks of 64 pixels");
    if (blocks == NULL)
        return RUG_E_NOMEM;
    rug_status status = is_single
                            ? rugi_boxcount_blocks_by_cpu(ctx, &levels, blocks, &plan)
                            : rugi_boxcount_blocks(ctx, &levels, blocks, &plan);
    if (status == RUG_OK) {
        add_levels(&t->levels, &levels);
        if (!is_single || t->levels.engine == NULL)
            t->levels.engine = levels.engine;
        status = rugi_sparse_put(ctx, &t->blocks, &all, blocks);
    }
    rug_context_release(ctx, blocks);
    return status;
}

/* A part at work. */
typedef struct part_job {
    rugi_boxcount_tiled *tiled; /* NULL: pixels are kept */
    rugi_partial_blocks *partial;
    const rugi_box *place;
    const rug_image *pixels;
    const rugi_predicate *predicate;
    rugi_bits bits;       /* packed pixels of a box; their words begin at its blocks */
    const rugi_box *rest; /* that box */
} part_job;

/* The view of a box of a part.
 *  @param box  for RUG_BIT, begins at a byte of the part */
static rug_image view_of(const part_job *j, const rugi_box *box)
{
    rug_image v = *j->pixels;
    ptrdiff_t n_bytes = 0;
    for (int a = 0; a < 3; a++) {
        size_t offset = box->first[a] - j->place->first[a];
        v.shape[a] = box->end[a] - box->first[a];
        n_bytes += a == 2 && v.dtype == RUG_BIT ? (ptrdiff_t)(offset / 8)
                                                : (ptrdiff_t)offset * v.stride[a];
    }
    v.data = (const char *)v.data + n_bytes;
    return v;
}

static rug_status count_whole(rug_context *ctx, void *job, const rugi_box *blocks)
{
    const part_job *j = job;
    rugi_box inner = rugi_partial_blocks_pixels(j->partial, blocks);
    rug_image pixels = view_of(j, &inner);
    return count_blocks(ctx, j->tiled, &pixels, j->predicate, blocks->first, 0);
}

/* Packs the pixels of a box. */
static rug_status begin(rug_context *ctx, void *job, const rugi_box *rest)
{
    part_job *j = job;
    rug_image pixels = view_of(j, rest);
    size_t lead = rest->first[2] % RUGI_BLOCK;
    size_t shape[3] = {pixels.shape[0], pixels.shape[1], pixels.shape[2] + lead};
    rugi_bits_free(ctx, &j->bits);
    j->rest = rest;
    rug_status status = rugi_bits_new(ctx, &j->bits, 3, shape, "packed rest of a part");
    return status == RUG_OK ? rugi_bits_add(ctx, &j->bits, &pixels, j->predicate,
                                            (const size_t[3]){0, 0, lead})
                            : status;
}

/* A block is a word for each of its rows (z, y). */
static void fill(void *job, uint64_t *words, const size_t first[3],
                 const rugi_box *pixels)
{
    const part_job *j = job;
    unsigned bits = j->partial->bits[1];
    size_t word = first[2] / RUGI_BLOCK - j->rest->first[2] / RUGI_BLOCK;
    for (size_t z = pixels->first[0]; z < pixels->end[0]; z++)
        for (size_t y = pixels->first[1]; y < pixels->end[1]; y++)
            words[((z - first[0]) << bits) + y - first[1]] |= rugi_bits_row(
                &j->bits, z - j->rest->first[0], y - j->rest->first[1])[word];
}

static rug_status count(rug_context *ctx, void *job, const size_t at[3], uint64_t *words)
{
    const part_job *j = job;
    const rugi_box one = {{at[0], at[1], at[2]}, {at[0] + 1, at[1] + 1, at[2] + 1}};
    rugi_box box = rugi_partial_blocks_pixels(j->partial, &one);
    rug_image pixels = {
        .data = words, .dtype = RUG_BIT, .ndim = 3, .stride = {8 * RUGI_BLOCK, 8, 0}};
    for (int a = 0; a < 3; a++)
        pixels.shape[a] = box.end[a] - box.first[a];
    rugi_predicate is_set = rugi_bits_are_set();
    rugi_turn_words(words, (size_t)1 << (j->partial->bits[0] + j->partial->bits[1]));
    return count_blocks(ctx, j->tiled, &pixels, &is_set, at, 1);
}

static const rugi_block_counter counter = {count_whole, begin, fill, count};

static rug_status add_pixels(rug_context *ctx, rugi_boxcount_tiled *t,
                             const rugi_box *place, const rug_image *pixels,
                             const rugi_predicate *predicate)
{
    part_job j = {.tiled = t,
                  .partial = &t->partial,
                  .place = place,
                  .pixels = pixels,
                  .predicate = predicate};
    rug_status status = rugi_partial_blocks_add(ctx, &t->partial, place, &counter, &j);
    rugi_bits_free(ctx, &j.bits);
    return status;
}

/* Packed pixels that do not begin at a byte of the whole image's rows are unpacked
 * first, as boxes of them would begin within a byte. */
static rug_status add_unaligned_bits(rug_context *ctx, rugi_boxcount_tiled *t,
                                     const rugi_box *place, const rug_image *pixels,
                                     const rugi_predicate *predicate)
{
    rug_image v = {.dtype = RUG_U8, .ndim = 3};
    const size_t *n = pixels->shape;
    uint8_t *bytes = rug_context_allocate(ctx, n[0] * n[1] * n[2], 1, "unpacked pixels");
    if (bytes == NULL)
        return RUG_E_NOMEM;
    uint8_t *to = bytes;
    for (size_t row = 0; row < n[0] * n[1]; row++) {
        const uint8_t *from = rugi_image_row(pixels, row / n[1], row % n[1]);
        for (size_t x = 0; x < n[2]; x++)
            *to++ = predicate->set_bit[from[x / 8] >> x % 8 & 1];
    }
    rug_status status = rug_image_view(ctx, &v, bytes, RUG_U8, 3, n);
    rugi_predicate is_set = rugi_predicate_of_mask(RUG_U8);
    if (status == RUG_OK)
        status = add_pixels(ctx, t, place, &v, &is_set);
    rug_context_release(ctx, bytes);
    return status;
}

/* Adds a part whose pixels have not come before.
 *  @param place   in the whole
 *  @param pixels  [nz][ny][nx] */
static rug_status tiled_add(rug_context *ctx, rugi_boxcount_tiled *t,
                            const rugi_box *place, const rug_image *pixels,
                            const rugi_predicate *predicate)
{
    if (pixels->dtype == RUG_BIT && place->first[2] % 8 != 0)
        return add_unaligned_bits(ctx, t, place, pixels, predicate);
    return add_pixels(ctx, t, place, pixels, predicate);
}

/* Adds the parts of another one of the same shape. */
static rug_status tiled_merge(rug_context *ctx, rugi_boxcount_tiled *t,
                              const rugi_boxcount_tiled *other)
{
    part_job j = {.tiled = t, .partial = &t->partial};
    add_levels(&t->levels, &other->levels);
    if (other->levels.engine != NULL)
        t->levels.engine = other->levels.engine;
    rug_status status = rugi_sparse_merge(ctx, &t->blocks, &other->blocks);
    return status == RUG_OK ? rugi_partial_blocks_merge(ctx, &t->partial, &other->partial,
                                                        &counter, &j)
                            : status;
}

/* All levels, once all pixels have come. */
static rug_status tiled_finish(rug_context *ctx, rugi_boxcount_levels *levels,
                               const rugi_boxcount_tiled *t)
{
    uint8_t *blocks = rug_context_allocate(ctx, rugi_partial_blocks_n(&t->partial), 1,
                                           "blocks of 64 pixels");
    if (blocks == NULL)
        return RUG_E_NOMEM;
    rugi_sparse_get(&t->blocks, blocks);
    *levels = t->levels;
    if (levels->engine ==
        NULL) /* nothing is set, or was counted before the state was saved */
        levels->engine = "cpu";
    rugi_boxcount_raise(levels, blocks, t->partial.n_blocks, t->box_axes);
    rug_context_release(ctx, blocks);
    return RUG_OK;
}

/* ---- Pixels that are kept ---- */

/* Blocks of 64 pixels a side, or of fewer where the image has fewer rows or layers. */
static void kept_begin(rugi_partial_blocks *kept, const size_t shape[3],
                       const rugi_cover *cover)
{
    unsigned bits[3] = {0, 0, RUGI_BLOCK_LEVEL};
    for (int a = 0; a < 2; a++)
        while (bits[a] < RUGI_BLOCK_LEVEL && (size_t)1 << bits[a] < shape[a])
            bits[a]++;
    rugi_partial_blocks_begin(kept, shape, bits, (size_t)1 << (bits[0] + bits[1]), cover);
}

static const rugi_block_counter keeper = {NULL, begin, fill, NULL};

static rug_status keep(rug_context *ctx, rugi_partial_blocks *kept,
                       const rug_image *image, rug_foreground rule, const rugi_box *place)
{
    rugi_predicate is_set = rugi_predicate_make(image->dtype, rule);
    rug_image pixels = rugi_image_with_z(image);
    part_job j = {
        .partial = kept, .place = place, .pixels = &pixels, .predicate = &is_set};
    rug_status status = rugi_partial_blocks_add(ctx, kept, place, &keeper, &j);
    rugi_bits_free(ctx, &j.bits);
    return status;
}

/* The words of a block to their rows. */
static void take_block(const rugi_bits *bits, const rugi_partial_blocks *kept,
                       size_t block, const uint64_t *words)
{
    rugi_box all = rugi_partial_blocks_block(kept, block);
    for (size_t z = all.first[0]; z < all.end[0]; z++)
        for (size_t y = all.first[1]; y < all.end[1]; y++)
            rugi_bits_row(bits, z, y)[all.first[2] / RUGI_BLOCK] =
                words[((z - all.first[0]) << kept->bits[1]) + y - all.first[1]];
}

/* All pixels side by side. @return as rugi_bits_new() */
static rug_status bits_of_kept(rug_context *ctx, rugi_bits *out,
                               const rug_boxcount_parts *p,
                               const rugi_partial_blocks *kept, const char *what)
{
    int ndim = p->begun->facts.ndim;
    rug_status status = rugi_bits_new(ctx, out, ndim, p->shape + 3 - ndim, what);
    const rugi_sparse *w = &kept->waiting;
    for (size_t i = 0; i < w->capacity && status == RUG_OK; i++)
        if (w->slots[i].items != NULL)
            take_block(out, kept, w->slots[i].key - 1, w->slots[i].items);
    return status;
}

/* ---- Counts in parts ---- */

static rug_status check_new(rug_context *ctx, int ndim, const size_t *shape,
                            const rug_boxcount_options *opts)
{
    rug_status status = rugi_shape_check(ctx, ndim, shape);
    if (status == RUG_OK)
        status = rugi_parts_check_rule(ctx, opts->foreground, "parts");
    if (status != RUG_OK)
        return status;
    if (opts->method >= RUG_BOXCOUNT_HOU)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "parts: methods hou, atomic and local need the whole "
                                "image; use auto, pyramid or window");
    return RUG_OK;
}

rug_status rug_boxcount_parts_new(rug_context *ctx, rug_boxcount_parts **out, int ndim,
                                  const size_t *shape, const rug_boxcount_options *opts)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || shape == NULL || opts == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_boxcount_parts_new: NULL given");
    rug_boxcount_options own;
    rug_status status = rugi_boxcount_take(ctx, &own, opts);
    if (status == RUG_OK)
        status = check_new(ctx, ndim, shape, &own);
    if (status != RUG_OK)
        return status;
    rug_boxcount_parts *p = rugi_allocate_zeros(ctx, 1, sizeof *p, "count in parts");
    if (p == NULL)
        return RUG_E_NOMEM;
    p->ctx = ctx;
    p->has_mask = own.mask != NULL;
    for (int a = 0; a < 3; a++)
        p->shape[a] = a >= 3 - ndim ? shape[a - (3 - ndim)] : 1;
    status = rugi_boxcount_begin(ctx, &p->begun, ndim, shape, &own);
    if (status == RUG_OK) {
        p->begun->facts.foreground = own.foreground;
        tiled_begin(&p->tiled, ndim, p->shape, &p->cover);
        kept_begin(&p->pixels, p->shape, &p->cover);
        kept_begin(&p->inside, p->shape, &p->cover);
    }
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
    rugi_partial_blocks_free(p->ctx, &p->tiled.partial);
    rugi_sparse_free(p->ctx, &p->tiled.blocks);
    rugi_partial_blocks_free(p->ctx, &p->pixels);
    rugi_partial_blocks_free(p->ctx, &p->inside);
    rug_boxcount_free(p->begun);
    rug_context_release(p->ctx, p);
}

rug_status rug_boxcount_parts_add(rug_context *ctx, rug_boxcount_parts *p,
                                  const rug_image *part, const rug_image *mask,
                                  const size_t *first)
{
    static const rug_foreground nonzero = {RUG_FOREGROUND_NONZERO, 0, 0};
    if (ctx == NULL || p == NULL || first == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_boxcount_parts_add: NULL given");
    rugi_box box;
    rug_status status = rugi_part_check(ctx, &box, p->begun->facts.ndim, p->shape, part,
                                        mask, p->has_mask, first);
    if (status == RUG_OK)
        status = rugi_cover_add(ctx, &p->cover, box);
    if (status != RUG_OK)
        return status;
    if (rugi_boxcount_is_tiled(p)) {
        rug_image pixels = rugi_image_with_z(part);
        rugi_predicate is_set =
            rugi_predicate_make(part->dtype, p->begun->facts.foreground);
        return tiled_add(ctx, &p->tiled, &box, &pixels, &is_set);
    }
    status = keep(ctx, &p->pixels, part, p->begun->facts.foreground, &box);
    return status == RUG_OK && mask != NULL ? keep(ctx, &p->inside, mask, nonzero, &box)
                                            : status;
}

static rugi_parts_whole whole_of(const rug_boxcount_parts *p)
{
    return (rugi_parts_whole){p->begun->facts.ndim, p->shape, p->has_mask,
                              p->begun->facts.foreground};
}

/* Whether both have the same sizes, of boxes and of pixels. */
static rug_status check_sizes(rug_context *ctx, const rug_boxcount_result *given,
                              const rug_boxcount_result *expected)
{
    const rug_boxcount_facts *a = &given->facts, *b = &expected->facts;
    rug_status status =
        rugi_parts_check_number(ctx, "number of sizes", a->n_sizes, b->n_sizes);
    for (uint32_t i = 0; i < b->n_sizes && status == RUG_OK; i++)
        status = rugi_parts_check_number(ctx, "box size", (int64_t)given->counts[i].size,
                                         (int64_t)expected->counts[i].size);
    for (int i = 0; i < RUG_MAX_AXES && status == RUG_OK; i++)
        status = rugi_parts_check_number(
            ctx, "side of a pixel", (int64_t)a->pixel_size[i], (int64_t)b->pixel_size[i]);
    return status;
}

/* Whether both are of the same image, counted in the same way. */
static rug_status check_match(rug_context *ctx, const rug_boxcount_parts *p,
                              const rug_boxcount_parts *other)
{
    const rug_boxcount_facts *a = &other->begun->facts, *b = &p->begun->facts;
    rugi_parts_whole given = whole_of(other), expected = whole_of(p);
    rug_status status = rugi_parts_check_same(ctx, &given, &expected);
    if (status == RUG_OK && a->method != b->method)
        status = rugi_parts_differ(ctx, "method", rug_boxcount_method_name(a->method),
                                   rug_boxcount_method_name(b->method));
    if (status == RUG_OK && a->grid != b->grid)
        status = rugi_parts_differ(ctx, "grid", rug_boxcount_grid_name(a->grid),
                                   rug_boxcount_grid_name(b->grid));
    return status == RUG_OK ? check_sizes(ctx, other->begun, p->begun) : status;
}

rug_status rug_boxcount_merge(rug_context *ctx, rug_boxcount_parts *p,
                              const rug_boxcount_parts *other)
{
    if (ctx == NULL || p == NULL || other == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_boxcount_merge: NULL given");
    rug_status status = check_match(ctx, p, other);
    if (status == RUG_OK)
        status = rugi_cover_merge(ctx, &p->cover, &other->cover);
    if (status != RUG_OK)
        return status;
    if (rugi_boxcount_is_tiled(p))
        return tiled_merge(ctx, &p->tiled, &other->tiled);
    part_job j = {.partial = &p->pixels};
    status = rugi_partial_blocks_merge(ctx, &p->pixels, &other->pixels, &keeper, &j);
    return status == RUG_OK
               ? rugi_partial_blocks_merge(ctx, &p->inside, &other->inside, &keeper, &j)
               : status;
}

static rug_status count_kept(rug_context *ctx, rug_boxcount_result *out,
                             const rug_boxcount_parts *p)
{
    rug_boxcount_method method = p->begun->facts.method;
    rugi_bits pixels = {0}, inside = {0};
    rug_status status = bits_of_kept(ctx, &pixels, p, &p->pixels, "packed pixels");
    if (status == RUG_OK && p->has_mask) {
        status = bits_of_kept(ctx, &inside, p, &p->inside, "packed mask");
        if (status == RUG_OK)
            rugi_bits_intersect(&pixels, &inside);
    }
    if (status == RUG_OK)
        status = rugi_boxcount_of_bits(ctx, out, method, &pixels);
    if (status == RUG_OK)
        status = rugi_boxcount_complete(ctx, out, method, p->has_mask ? &inside : NULL);
    rugi_bits_free(ctx, &pixels);
    rugi_bits_free(ctx, &inside);
    return status;
}

static rug_status count_parts(rug_context *ctx, rug_boxcount_result *out,
                              const rug_boxcount_parts *p)
{
    rugi_boxcount_levels levels;
    if (!rugi_boxcount_is_tiled(p))
        return count_kept(ctx, out, p);
    rug_status status = tiled_finish(ctx, &levels, &p->tiled);
    if (status != RUG_OK)
        return status;
    rugi_boxcount_take_levels(out, &levels);
    return rugi_boxcount_complete(ctx, out, p->begun->facts.method, NULL);
}

rug_status rug_boxcount_parts_finish(rug_context *ctx, rug_boxcount_result **out,
                                     const rug_boxcount_parts *p)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || p == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_boxcount_parts_finish: NULL given");
    rug_boxcount_result *result;
    rug_status status = rugi_cover_check_whole(ctx, &p->cover, p->shape, "parts");
    if (status == RUG_OK)
        status = rugi_boxcount_copy(ctx, &result, p->begun);
    if (status != RUG_OK)
        return status;
    status = count_parts(ctx, result, p);
    return rugi_boxcount_hand_over(ctx, out, result, status);
}
