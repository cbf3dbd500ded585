/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Counts of an image in parts, and of a source. Powers of two have a pyramid, by blocks
 * of 64 pixels a side: what a part holds of whole blocks is counted at once, by the same
 * engine as a whole image; the pixels of other blocks are packed and wait until their
 * block is whole. For other sizes and grids, and with a mask, all pixels are kept
 * packed. */

#include "boxcount/bits/boxcount_bits.h"
#include "boxcount/count/boxcount_count.h"
#include "boxcount/pyramid/boxcount_pyramid.h"
#include "boxcount/result/boxcount_result.h"
#include "core/blocks/partial_blocks.h"
#include "core/context/context_internal.h"
#include "core/image/source_internal.h"
#include <rugose/boxcount_parts.h>
#include <string.h>

/* ---- Pyramids in parts ---- */

/* The pyramid of an image of which parts have come. */
typedef struct tiled {
    int box_axes;
    rugi_partial_blocks partial; /* blocks of 64 pixels a side */
    rugi_boxcount_levels levels; /* 0..6 of the whole blocks */
    uint8_t *blocks; /* of each whole block RUGI_BLOCK_ANY | RUGI_BLOCK_ALL; else 0 */
} tiled;

/* @param shape  z y x
 *  @return RUG_OK, RUG_E_NOMEM; tiled_free() is to be called in either case */
static rug_status tiled_new(rug_context *ctx, tiled *t, int box_axes,
                            const size_t shape[3])
{
    memset(t, 0, sizeof *t);
    t->box_axes = box_axes;
    const unsigned bits[3] = {box_axes == 3 ? RUGI_BLOCK_LEVEL : 0, RUGI_BLOCK_LEVEL,
                              RUGI_BLOCK_LEVEL};
    rugi_partial_blocks_begin(&t->partial, shape, bits, (size_t)1 << (bits[0] + bits[1]));
    t->levels.n = rugi_boxcount_n_levels(3, shape);
    size_t n = rugi_partial_blocks_n(&t->partial);
    t->blocks = rug_context_allocate(ctx, n, 1, "blocks of 64 pixels");
    if (t->blocks == NULL)
        return RUG_E_NOMEM;
    memset(t->blocks, 0, n);
    return RUG_OK;
}

static void tiled_free(rug_context *ctx, tiled *t)
{
    rugi_partial_blocks_free(ctx, &t->partial);
    rug_context_release(ctx, t->blocks);
    memset(t, 0, sizeof *t);
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
static rug_status count_blocks(rug_context *ctx, tiled *t, const rug_image *pixels,
                               const rugi_predicate *predicate, const size_t b[3],
                               int is_single)
{
    rugi_boxcount_plan plan;
    rugi_boxcount_levels levels;
    rugi_boxcount_make_plan(ctx, &plan, pixels, t->box_axes, predicate, t->levels.n);
    const size_t *n = plan.blocks, *n_all = t->partial.n_blocks;
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
        for (size_t z = 0; z < n[0]; z++)
            for (size_t y = 0; y < n[1]; y++)
                memcpy(t->blocks + ((b[0] + z) * n_all[1] + b[1] + y) * n_all[2] + b[2],
                       blocks + (z * n[1] + y) * n[2], n[2]);
    }
    rug_context_release(ctx, blocks);
    return status;
}

/* A part at work. */
typedef struct part_job {
    tiled *tiled;
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
    rugi_box inner = rugi_partial_blocks_pixels(&j->tiled->partial, blocks);
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
    size_t word = first[2] / RUGI_BLOCK - j->rest->first[2] / RUGI_BLOCK;
    for (size_t z = pixels->first[0]; z < pixels->end[0]; z++)
        for (size_t y = pixels->first[1]; y < pixels->end[1]; y++)
            words[(z - first[0]) * RUGI_BLOCK + y - first[1]] |= rugi_bits_row(
                &j->bits, z - j->rest->first[0], y - j->rest->first[1])[word];
}

static rug_status count(rug_context *ctx, void *job, const size_t at[3],
                        const uint64_t *words)
{
    const part_job *j = job;
    const rugi_box one = {{at[0], at[1], at[2]}, {at[0] + 1, at[1] + 1, at[2] + 1}};
    rugi_box box = rugi_partial_blocks_pixels(&j->tiled->partial, &one);
    rug_image pixels = {.data = (void *)words,
                        .dtype = RUG_BIT,
                        .ndim = 3,
                        .stride = {8 * RUGI_BLOCK, 8, 0}};
    for (int a = 0; a < 3; a++)
        pixels.shape[a] = box.end[a] - box.first[a];
    rugi_predicate is_set = rugi_bits_are_set();
    return count_blocks(ctx, j->tiled, &pixels, &is_set, at, 1);
}

static const rugi_block_counter counter = {count_whole, begin, fill, count};

static rug_status add_pixels(rug_context *ctx, tiled *t, const rugi_box *place,
                             const rug_image *pixels, const rugi_predicate *predicate)
{
    part_job j = {.tiled = t, .place = place, .pixels = pixels, .predicate = predicate};
    rug_status status = rugi_partial_blocks_add(ctx, &t->partial, place, &counter, &j);
    rugi_bits_free(ctx, &j.bits);
    return status;
}

/* Packed pixels that do not begin at a byte of the whole image's rows are unpacked
 * first, as boxes of them would begin within a byte. */
static rug_status add_unaligned_bits(rug_context *ctx, tiled *t, const rugi_box *place,
                                     const rug_image *pixels,
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
static rug_status tiled_add(rug_context *ctx, tiled *t, const rugi_box *place,
                            const rug_image *pixels, const rugi_predicate *predicate)
{
    if (pixels->dtype == RUG_BIT && place->first[2] % 8 != 0)
        return add_unaligned_bits(ctx, t, place, pixels, predicate);
    return add_pixels(ctx, t, place, pixels, predicate);
}

/* Adds the parts of another one of the same shape. */
static rug_status tiled_merge(rug_context *ctx, tiled *t, const tiled *other)
{
    part_job j = {.tiled = t};
    size_t n = rugi_partial_blocks_n(&t->partial);
    add_levels(&t->levels, &other->levels);
    if (other->levels.engine != NULL)
        t->levels.engine = other->levels.engine;
    for (size_t i = 0; i < n; i++)
        t->blocks[i] |= other->blocks[i];
    return rugi_partial_blocks_merge(ctx, &t->partial, &other->partial, &counter, &j);
}

/* All levels, once all pixels have come. */
static rug_status tiled_finish(rug_context *ctx, rugi_boxcount_levels *levels,
                               const tiled *t)
{
    size_t n = rugi_partial_blocks_n(&t->partial);
    uint8_t *blocks = rug_context_allocate(ctx, n, 1, "blocks of 64 pixels");
    if (blocks == NULL)
        return RUG_E_NOMEM;
    memcpy(blocks, t->blocks, n);
    *levels = t->levels;
    rugi_boxcount_raise(levels, blocks, t->partial.n_blocks, t->box_axes);
    rug_context_release(ctx, blocks);
    return RUG_OK;
}

/* ---- Counts in parts ---- */

struct rug_boxcount_parts {
    rug_context *ctx;
    rug_boxcount_result *begun; /* all but the counts */
    int has_mask;
    size_t shape[3]; /* z y x; z = 1 for an image */
    rugi_cover cover;
    tiled tiled;      /* method PYRAMID without a mask */
    rugi_bits pixels; /* else */
    rugi_bits inside; /* the mask */
};

static int is_tiled(const rug_boxcount_parts *p)
{
    return p->begun->facts.method == RUG_BOXCOUNT_PYRAMID && !p->has_mask;
}

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

/* Allocates what keeps pixels or blocks. */
static rug_status make_state(rug_context *ctx, rug_boxcount_parts *p)
{
    size_t *shape = p->shape + 3 - p->begun->facts.ndim;
    if (is_tiled(p))
        return tiled_new(ctx, &p->tiled, p->begun->facts.ndim, p->shape);
    rug_status status =
        rugi_bits_new(ctx, &p->pixels, p->begun->facts.ndim, shape, "packed pixels");
    if (status == RUG_OK && p->has_mask)
        status =
            rugi_bits_new(ctx, &p->inside, p->begun->facts.ndim, shape, "packed mask");
    return status;
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
        status = make_state(ctx, p);
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
    tiled_free(p->ctx, &p->tiled);
    rugi_bits_free(p->ctx, &p->pixels);
    rugi_bits_free(p->ctx, &p->inside);
    rug_boxcount_free(p->begun);
    rug_context_release(p->ctx, p);
}

static rug_status add_bits(rug_context *ctx, rugi_bits *bits, const rug_image *image,
                           rug_foreground rule, const rugi_box *box)
{
    rugi_predicate is_set = rugi_predicate_make(image->dtype, rule);
    return rugi_bits_add(ctx, bits, image, &is_set, box->first);
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
    if (is_tiled(p)) {
        rug_image pixels = rugi_image_with_z(part);
        rugi_predicate is_set =
            rugi_predicate_make(part->dtype, p->begun->facts.foreground);
        return tiled_add(ctx, &p->tiled, &box, &pixels, &is_set);
    }
    status = add_bits(ctx, &p->pixels, part, p->begun->facts.foreground, &box);
    return status == RUG_OK && mask != NULL
               ? add_bits(ctx, &p->inside, mask, nonzero, &box)
               : status;
}

/* Whether both are of the same image, counted in the same way. */
static int match(const rug_boxcount_parts *a, const rug_boxcount_parts *b)
{
    const rug_boxcount_facts *x = &a->begun->facts, *y = &b->begun->facts;
    int same = x->method == y->method && a->has_mask == b->has_mask &&
               x->ndim == y->ndim && x->grid == y->grid && x->n_sizes == y->n_sizes &&
               rugi_rules_match(x->foreground, y->foreground) &&
               memcmp(x->pixel_size, y->pixel_size, sizeof x->pixel_size) == 0 &&
               memcmp(a->shape, b->shape, sizeof a->shape) == 0;
    for (uint32_t i = 0; same && i < x->n_sizes; i++)
        same = a->begun->counts[i].size == b->begun->counts[i].size;
    return same;
}

/* Sets the bits that are set in other bits of the same shape. */
static void bits_unite(rugi_bits *bits, const rugi_bits *other)
{
    size_t n = bits->shape[0] * bits->shape[1] * bits->row_words;
    for (size_t i = 0; i < n; i++)
        bits->words[i] |= other->words[i];
}

rug_status rug_boxcount_merge(rug_context *ctx, rug_boxcount_parts *p,
                              const rug_boxcount_parts *other)
{
    if (ctx == NULL || p == NULL || other == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_boxcount_merge: NULL given");
    if (!match(p, other))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "merge: the counts differ in shape or options; begin "
                                "both with the same ones");
    rug_status status = rugi_cover_merge(ctx, &p->cover, &other->cover);
    if (status != RUG_OK)
        return status;
    if (is_tiled(p))
        return tiled_merge(ctx, &p->tiled, &other->tiled);
    bits_unite(&p->pixels, &other->pixels);
    if (p->has_mask)
        bits_unite(&p->inside, &other->inside);
    return RUG_OK;
}

/* Copies packed pixels without those outside of the mask. */
static rug_status mask_pixels(rug_context *ctx, rugi_bits *out,
                              const rug_boxcount_parts *p)
{
    rug_status status =
        rugi_bits_new(ctx, out, p->begun->facts.ndim, p->shape + 3 - p->begun->facts.ndim,
                      "masked pixels");
    if (status == RUG_OK) {
        bits_unite(out, &p->pixels);
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
    if (is_tiled(p)) {
        status = tiled_finish(ctx, &levels, &p->tiled);
        if (status == RUG_OK)
            rugi_boxcount_take_levels(out, &levels);
    } else {
        if (p->has_mask)
            status = mask_pixels(ctx, &masked, p);
        if (status == RUG_OK)
            status = rugi_boxcount_of_bits(ctx, out, p->begun->facts.method,
                                           p->has_mask ? &masked : &p->pixels);
        rugi_bits_free(ctx, &masked);
    }
    return status == RUG_OK ? rugi_boxcount_complete(ctx, out, p->begun->facts.method,
                                                     p->has_mask ? &p->inside : NULL)
                            : status;
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

/* ---- Sources: their slabs are the parts ---- */

/* The share of the work that resolves a rule. */
#define PLAN_SHARE 0.6

static rug_status add_slab(rug_context *ctx, void *parts, const rug_image *slab,
                           const rug_image *mask, size_t first)
{
    const size_t place[RUG_MAX_AXES] = {first, 0, 0};
    return rug_boxcount_parts_add(ctx, parts, slab, mask, place);
}

/* Counts with a rule that is resolved. */
static rug_status count_slabs(rug_context *ctx, rug_boxcount_result **out,
                              const rug_source *source, const rug_source *mask,
                              const rug_boxcount_options *opts)
{
    rug_boxcount_parts *parts;
    rug_status status =
        rug_boxcount_parts_new(ctx, &parts, source->ndim, source->shape, opts);
    if (status == RUG_OK)
        status = rugi_source_for_slabs(ctx, source, mask, add_slab, parts);
    if (status == RUG_OK)
        status = rug_boxcount_parts_finish(ctx, out, parts);
    rug_boxcount_parts_free(parts);
    return status;
}

rug_status rug_boxcount_source(rug_context *ctx, rug_boxcount_result **out,
                               const rug_source *source, const rug_boxcount_options *opts)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_boxcount_source: NULL given");
    rug_boxcount_options o;
    rug_source pixels, own_mask;
    const rug_source *mask;
    rug_status status = rugi_boxcount_take(ctx, &o, opts);
    if (status == RUG_OK)
        status = rugi_source_take(ctx, &pixels, source, "source");
    if (status == RUG_OK)
        status = rugi_twin_source_take(ctx, &own_mask, &mask, o.mask, "mask", &pixels);
    if (status != RUG_OK)
        return status;
    double plan_share = rugi_rule_is_open(o.foreground) ? PLAN_SHARE : 0;
    RUGI_PHASE(ctx, 0, plan_share, status,
               rug_source_resolve_foreground(ctx, &o.foreground, &pixels, mask, NULL,
                                             o.foreground));
    RUGI_PHASE(ctx, plan_share, 1, status, count_slabs(ctx, out, &pixels, mask, &o));
    return status;
}
