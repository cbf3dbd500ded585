/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A pyramid in pieces. What a piece holds of whole blocks is counted at once, by the same
 * engine as a whole image. Its rim, which lies in blocks of which only a part has come, is
 * packed and waits: a block is counted when its last pixel comes. So any pieces do, in any
 * order, and two mosaics add up. */

#include "boxcount_mosaic.h"
#include "boxcount/bits/boxcount_bits.h"
#include "boxcount/count/boxcount_count.h"
#include <string.h>

struct rugi_waiting_block {
    uint64_t n_pixels; /* that have come */
    uint64_t words[];  /* [z][y]: a row of 64 pixels each, packed */
};

static size_t block_rows(const rugi_mosaic *m)
{
    return m->box_axes == 3 ? (size_t)RUGI_BLOCK * RUGI_BLOCK : RUGI_BLOCK;
}

static size_t block_index(const rugi_mosaic *m, const size_t b[3])
{
    return (b[0] * m->n_blocks[1] + b[1]) * m->n_blocks[2] + b[2];
}

rug_status rugi_mosaic_new(rug_context *ctx, rugi_mosaic *m, int box_axes,
                           const size_t shape[3])
{
    memset(m, 0, sizeof *m);
    m->box_axes = box_axes;
    size_t n = 1;
    for (int a = 0; a < 3; a++) {
        m->shape[a] = shape[a];
        m->n_blocks[a] = (shape[a] - 1) / RUGI_BLOCK + 1;
        n *= m->n_blocks[a]; /* no more than pixels, which an address can count */
    }
    m->levels.n = rugi_boxcount_n_levels(3, shape);
    m->blocks = rug_context_allocate(ctx, n, 1, "blocks of 64 pixels");
    m->waiting = rug_context_allocate(ctx, n, sizeof *m->waiting, "waiting blocks");
    if (m->blocks != NULL)
        memset(m->blocks, 0, n);
    if (m->waiting != NULL)
        memset(m->waiting, 0, n * sizeof *m->waiting);
    return m->blocks != NULL && m->waiting != NULL ? RUG_OK : RUG_E_NOMEM;
}

void rugi_mosaic_free(rug_context *ctx, rugi_mosaic *m)
{
    size_t n = m->n_blocks[0] * m->n_blocks[1] * m->n_blocks[2];
    for (size_t i = 0; m->waiting != NULL && i < n; i++)
        rug_context_release(ctx, m->waiting[i]);
    rug_context_release(ctx, m->waiting);
    rug_context_release(ctx, m->blocks);
    memset(m, 0, sizeof *m);
}

/* The pixels of a block that lie in the image. */
static rugi_box block_box(const rugi_mosaic *m, const size_t b[3])
{
    rugi_box box;
    for (int a = 0; a < 3; a++) {
        box.first[a] = b[a] * RUGI_BLOCK;
        box.end[a] = box.first[a] + RUGI_BLOCK;
        if (box.end[a] > m->shape[a])
            box.end[a] = m->shape[a];
    }
    return box;
}

static void add_levels(rugi_boxcount_levels *to, const rugi_boxcount_levels *from)
{
    for (uint32_t i = 0; i < from->n; i++) {
        to->nonempty[i] += from->nonempty[i];
        to->black[i] += from->black[i];
    }
}

/* Counts whole blocks of pixels and puts down what they are. The engine that is told is
 *  that of pieces, where there were any.
 *  @param b           the first block
 *  @param is_waiting  one that waited for its last pixel, not a part of a piece */
static rug_status count_blocks(rug_context *ctx, rugi_mosaic *m, const rug_image *pixels,
                               const rugi_predicate *predicate, const size_t b[3],
                               int is_waiting)
{
    rugi_boxcount_plan plan;
    rugi_boxcount_levels levels;
    rugi_boxcount_make_plan(ctx, &plan, pixels, m->box_axes, predicate, m->levels.n);
    const size_t *n = plan.blocks;
    uint8_t *blocks =
        rug_context_allocate(ctx, n[0] * n[1] * n[2], 1, "blocks of 64 pixels");
    if (blocks == NULL)
        return RUG_E_NOMEM;
    rug_status status = is_waiting
                            ? rugi_boxcount_blocks_by_cpu(ctx, &levels, blocks, &plan)
                            : rugi_boxcount_blocks(ctx, &levels, blocks, &plan);
    if (status == RUG_OK) {
        add_levels(&m->levels, &levels);
        if (!is_waiting || m->levels.engine == NULL)
            m->levels.engine = levels.engine;
        for (size_t z = 0; z < n[0]; z++)
            for (size_t y = 0; y < n[1]; y++)
                memcpy(m->blocks + block_index(m, (size_t[3]){b[0] + z, b[1] + y, b[2]}),
                       blocks + (z * n[1] + y) * n[2], n[2]);
    }
    rug_context_release(ctx, blocks);
    return status;
}

/* Counts a waiting block once all its pixels have come. */
static rug_status count_if_whole(rug_context *ctx, rugi_mosaic *m, const size_t b[3])
{
    rugi_waiting_block **w = &m->waiting[block_index(m, b)];
    rugi_box box = block_box(m, b);
    if ((*w)->n_pixels < rugi_box_pixels(&box))
        return RUG_OK;
    rug_image pixels = {.data = (*w)->words,
                        .dtype = RUG_BIT,
                        .ndim = 3,
                        .stride = {8 * RUGI_BLOCK, 8, 0}};
    for (int a = 0; a < 3; a++)
        pixels.shape[a] = box.end[a] - box.first[a];
    rugi_predicate is_set =
        rugi_predicate_make(RUG_BIT, (rug_foreground){RUG_FOREGROUND_NONZERO, 0});
    rug_status status = count_blocks(ctx, m, &pixels, &is_set, b, 1);
    rug_context_release(ctx, *w);
    *w = NULL;
    return status;
}

static rugi_waiting_block *waiting_at(rug_context *ctx, rugi_mosaic *m, const size_t b[3])
{
    rugi_waiting_block **w = &m->waiting[block_index(m, b)];
    if (*w == NULL) {
        size_t n_bytes = sizeof **w + block_rows(m) * sizeof(uint64_t);
        *w = rug_context_allocate(ctx, n_bytes, 1, "pixels of a block");
        if (*w != NULL)
            memset(*w, 0, n_bytes);
    }
    return *w;
}

/* Takes the pixels of one block out of packed ones.
 *  @param piece  where the packed pixels lie in the whole; their words begin at its blocks */
static rug_status take_block(rug_context *ctx, rugi_mosaic *m, const rugi_bits *bits,
                             const rugi_box *piece, const size_t b[3])
{
    rugi_waiting_block *w = waiting_at(ctx, m, b);
    if (w == NULL)
        return RUG_E_NOMEM;
    rugi_box block = block_box(m, b), both;
    rugi_box_intersect(&both, &block, piece);
    size_t word = b[2] - piece->first[2] / RUGI_BLOCK;
    for (size_t z = both.first[0]; z < both.end[0]; z++)
        for (size_t y = both.first[1]; y < both.end[1]; y++)
            w->words[z % RUGI_BLOCK * RUGI_BLOCK + y % RUGI_BLOCK] |=
                rugi_bits_row(bits, z - piece->first[0], y - piece->first[1])[word];
    w->n_pixels += rugi_box_pixels(&both);
    return count_if_whole(ctx, m, b);
}

/* The view of a part of a piece.
 *  @param part  for RUG_BIT, begins at a byte of the piece */
static rug_image part_of(const rug_image *pixels, const rugi_box *piece,
                         const rugi_box *part)
{
    rug_image v = *pixels;
    ptrdiff_t n_bytes = 0;
    for (int a = 0; a < 3; a++) {
        size_t offset = part->first[a] - piece->first[a];
        v.shape[a] = part->end[a] - part->first[a];
        n_bytes += a == 2 && v.dtype == RUG_BIT ? (ptrdiff_t)(offset / 8)
                                                : (ptrdiff_t)offset * v.stride[a];
    }
    v.data = (const char *)v.data + n_bytes;
    return v;
}

/* Packs a part of the rim and gives it to its blocks. */
static rug_status add_rim(rug_context *ctx, rugi_mosaic *m, const rug_image *pixels,
                          const rugi_predicate *predicate, const rugi_box *rim)
{
    size_t lead = rim->first[2] % RUGI_BLOCK;
    size_t shape[3] = {pixels->shape[0], pixels->shape[1], pixels->shape[2] + lead};
    rugi_bits bits;
    rug_status status = rugi_bits_new(ctx, &bits, 3, shape, "packed rim of a part");
    if (status == RUG_OK)
        status =
            rugi_bits_add(ctx, &bits, pixels, predicate, (const size_t[3]){0, 0, lead});
    size_t b[3], end[3];
    for (int a = 0; a < 3; a++)
        end[a] = (rim->end[a] - 1) / RUGI_BLOCK + 1;
    for (b[0] = rim->first[0] / RUGI_BLOCK; b[0] < end[0]; b[0]++)
        for (b[1] = rim->first[1] / RUGI_BLOCK; b[1] < end[1]; b[1]++)
            for (b[2] = rim->first[2] / RUGI_BLOCK; b[2] < end[2]; b[2]++)
                if (status == RUG_OK)
                    status = take_block(ctx, m, &bits, rim, b);
    rugi_bits_free(ctx, &bits);
    return status;
}

/* The whole blocks of a piece, as pixels. @return 0 when it has none */
static int whole_blocks(const rugi_mosaic *m, rugi_box *out, const rugi_box *piece)
{
    for (int a = 0; a < 3; a++) {
        out->first[a] = (piece->first[a] + RUGI_BLOCK - 1) / RUGI_BLOCK * RUGI_BLOCK;
        out->end[a] = piece->end[a] < m->shape[a]
                          ? piece->end[a] / RUGI_BLOCK * RUGI_BLOCK
                          : piece->end[a];
        if (out->first[a] >= out->end[a])
            return 0;
    }
    return 1;
}

/* Adds the rim that lies before or behind `inner` on each axis. */
static rug_status add_rims(rug_context *ctx, rugi_mosaic *m, const rugi_box *piece,
                           const rugi_box *inner, const rug_image *pixels,
                           const rugi_predicate *predicate)
{
    rug_status status = RUG_OK;
    rugi_box left = *piece;
    for (int k = 0; k < 6 && status == RUG_OK; k++) {
        int axis = k / 2;
        rugi_box rim = left;
        if (k % 2 == 0)
            rim.end[axis] = left.first[axis] = inner->first[axis];
        else
            rim.first[axis] = left.end[axis] = inner->end[axis];
        if (rim.first[axis] == rim.end[axis])
            continue;
        rug_image part = part_of(pixels, piece, &rim);
        status = add_rim(ctx, m, &part, predicate, &rim);
    }
    return status;
}

static rug_status add_pixels(rug_context *ctx, rugi_mosaic *m, const rugi_box *piece,
                             const rug_image *pixels, const rugi_predicate *predicate)
{
    rugi_box inner;
    if (!whole_blocks(m, &inner, piece))
        return add_rim(ctx, m, pixels, predicate, piece);
    rug_image part = part_of(pixels, piece, &inner);
    size_t b[3];
    for (int a = 0; a < 3; a++)
        b[a] = inner.first[a] / RUGI_BLOCK;
    rug_status status = count_blocks(ctx, m, &part, predicate, b, 0);
    return status == RUG_OK ? add_rims(ctx, m, piece, &inner, pixels, predicate) : status;
}

/* Packed pixels that do not begin at a byte of the whole's rows are unpacked before, for
 * their parts would begin between bits. */
static rug_status add_unaligned_bits(rug_context *ctx, rugi_mosaic *m,
                                     const rugi_box *piece, const rug_image *pixels,
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
        status = add_pixels(ctx, m, piece, &v, &is_set);
    rug_context_release(ctx, bytes);
    return status;
}

rug_status rugi_mosaic_add(rug_context *ctx, rugi_mosaic *m, const rugi_box *piece,
                           const rug_image *pixels, const rugi_predicate *predicate)
{
    if (pixels->dtype == RUG_BIT && piece->first[2] % 8 != 0)
        return add_unaligned_bits(ctx, m, piece, pixels, predicate);
    return add_pixels(ctx, m, piece, pixels, predicate);
}

static rug_status merge_block(rug_context *ctx, rugi_mosaic *m, const size_t b[3],
                              const rugi_waiting_block *other)
{
    rugi_waiting_block *w = waiting_at(ctx, m, b);
    if (w == NULL)
        return RUG_E_NOMEM;
    for (size_t i = 0; i < block_rows(m); i++)
        w->words[i] |= other->words[i];
    w->n_pixels += other->n_pixels;
    return count_if_whole(ctx, m, b);
}

rug_status rugi_mosaic_merge(rug_context *ctx, rugi_mosaic *m, const rugi_mosaic *other)
{
    rug_status status = RUG_OK;
    size_t b[3];
    add_levels(&m->levels, &other->levels);
    if (other->levels.engine != NULL)
        m->levels.engine = other->levels.engine;
    for (b[0] = 0; b[0] < m->n_blocks[0]; b[0]++)
        for (b[1] = 0; b[1] < m->n_blocks[1]; b[1]++)
            for (b[2] = 0; b[2] < m->n_blocks[2] && status == RUG_OK; b[2]++) {
                size_t i = block_index(m, b);
                m->blocks[i] |= other->blocks[i];
                if (other->waiting[i] != NULL)
                    status = merge_block(ctx, m, b, other->waiting[i]);
            }
    return status;
}

rug_status rugi_mosaic_finish(rug_context *ctx, rugi_boxcount_levels *levels,
                              const rugi_mosaic *m)
{
    size_t n = m->n_blocks[0] * m->n_blocks[1] * m->n_blocks[2];
    uint8_t *blocks = rug_context_allocate(ctx, n, 1, "blocks of 64 pixels");
    if (blocks == NULL)
        return RUG_E_NOMEM;
    memcpy(blocks, m->blocks, n);
    *levels = m->levels;
    rugi_boxcount_raise(levels, blocks, m->n_blocks, m->box_axes);
    rug_context_release(ctx, blocks);
    return RUG_OK;
}
