/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A pyramid in parts, by blocks of 64 pixels a side. What a part holds of whole blocks is
 * counted at once, by the same engine as a whole image. The pixels of other blocks are packed
 * and wait until their block is whole. */

#include "boxcount_tiled.h"
#include "boxcount/bits/boxcount_bits.h"
#include <string.h>

rug_status rugi_tiled_new(rug_context *ctx, rugi_tiled *t, int box_axes,
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

void rugi_tiled_free(rug_context *ctx, rugi_tiled *t)
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

/* Counts whole blocks of pixels and records what they are. The engine in the result is that
 * of blocks that a part held whole, where there were any.
 *  @param b          the first block
 *  @param is_single  one that waited for its last pixel */
static rug_status count_blocks(rug_context *ctx, rugi_tiled *t, const rug_image *pixels,
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
    rugi_tiled *tiled;
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
    rugi_predicate is_set =
        rugi_predicate_make(RUG_BIT, (rug_foreground){RUG_FOREGROUND_NONZERO, 0});
    return count_blocks(ctx, j->tiled, &pixels, &is_set, at, 1);
}

static const rugi_block_counter counter = {count_whole, begin, fill, count};

static rug_status add_pixels(rug_context *ctx, rugi_tiled *t, const rugi_box *place,
                             const rug_image *pixels, const rugi_predicate *predicate)
{
    part_job j = {.tiled = t, .place = place, .pixels = pixels, .predicate = predicate};
    rug_status status = rugi_partial_blocks_add(ctx, &t->partial, place, &counter, &j);
    rugi_bits_free(ctx, &j.bits);
    return status;
}

/* Packed pixels that do not begin at a byte of the whole's rows are unpacked before, for
 * their boxes would begin between bits. */
static rug_status add_unaligned_bits(rug_context *ctx, rugi_tiled *t,
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
    rugi_predicate is_set =
        rugi_predicate_make(RUG_U8, (rug_foreground){RUG_FOREGROUND_NONZERO, 0});
    if (status == RUG_OK)
        status = add_pixels(ctx, t, place, &v, &is_set);
    rug_context_release(ctx, bytes);
    return status;
}

rug_status rugi_tiled_add(rug_context *ctx, rugi_tiled *t, const rugi_box *place,
                          const rug_image *pixels, const rugi_predicate *predicate)
{
    if (pixels->dtype == RUG_BIT && place->first[2] % 8 != 0)
        return add_unaligned_bits(ctx, t, place, pixels, predicate);
    return add_pixels(ctx, t, place, pixels, predicate);
}

rug_status rugi_tiled_merge(rug_context *ctx, rugi_tiled *t, const rugi_tiled *other)
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

rug_status rugi_tiled_finish(rug_context *ctx, rugi_boxcount_levels *levels,
                             const rugi_tiled *t)
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
