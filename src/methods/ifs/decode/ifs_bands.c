/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What it takes to decode a tree in bands: the plane at half the size, where each row of
 * roots begins, and the levels of all blocks. */

#include "ifs_bands.h"
#include "ifs_picture.h"
#include <string.h>

static const char what[] = "decoder of fractal coding";

/* Leaves come root by root, row by row. */
static void find_rows(rugi_ifs_bands *b)
{
    const rugi_ifs_tree *tree = b->tree;
    size_t n_rows = tree->frame.ny / RUGI_IFS_BLOCK, row = 0;
    for (size_t i = 0; i < tree->n_leaves; i++)
        while (row <= tree->leaves[i].y / RUGI_IFS_BLOCK)
            b->first[row++] = i;
    while (row <= n_rows)
        b->first[row++] = tree->n_leaves;
}

static rug_status allocate(rug_context *ctx, rugi_ifs_bands *b)
{
    const rugi_ifs_frame *frame = &b->tree->frame;
    b->first = rug_context_allocate(ctx, frame->ny / RUGI_IFS_BLOCK + 1, sizeof *b->first,
                                    what);
    b->levels = rug_context_allocate(ctx, frame->nx / RUGI_IFS_LEAST,
                                     frame->ny / RUGI_IFS_LEAST, what);
    return b->first != NULL && b->levels != NULL ? RUG_OK : RUG_E_NOMEM;
}

static rug_status iterate(rug_context *ctx, rugi_ifs_bands *b, uint32_t iterations)
{
    rugi_ifs_decoder d;
    rug_status status = rugi_ifs_decoder_begin(ctx, &d, b->tree);
    for (uint32_t i = 0; i < iterations && !d.converged && status == RUG_OK; i++)
        status = rugi_ifs_decoder_iterate(ctx, &d);
    if (status == RUG_OK)
        status = rugi_ifs_decoder_half(ctx, &d, &b->half);
    rugi_ifs_decoder_end(ctx, &d);
    return status;
}

rug_status rugi_ifs_bands_begin(rug_context *ctx, rugi_ifs_bands *b,
                                const rugi_ifs_tree *tree, uint32_t iterations)
{
    memset(b, 0, sizeof *b);
    b->tree = tree;
    rugi_ifs_set_decode_kernels(&b->kernels, rug_context_cpu_level(ctx));
    rug_status status = allocate(ctx, b);
    if (status == RUG_OK)
        status = rugi_ifs_bases_make(ctx, &b->bases, 0);
    if (status != RUG_OK)
        return status;
    find_rows(b);
    rugi_ifs_fill_levels(b->levels, tree);
    return iterate(ctx, b, iterations);
}

void rugi_ifs_bands_end(rug_context *ctx, rugi_ifs_bands *b)
{
    rug_context_release(ctx, b->half.pixels);
    rug_context_release(ctx, b->bases.all);
    rug_context_release(ctx, b->levels);
    rug_context_release(ctx, b->first);
    memset(b, 0, sizeof *b);
}

/* @param top  the row of pixels of the plane at which out begins; may be 32 above it */
static void decode_leaf(const rugi_ifs_bands *b, int32_t *out, const rugi_ifs_leaf *leaf,
                        ptrdiff_t top)
{
    ptrdiff_t nx = (ptrdiff_t)b->tree->frame.nx;
    rugi_ifs_decode_leaf(b, out + ((ptrdiff_t)leaf->y - top) * nx + leaf->x, leaf);
}

void rugi_ifs_decode_band(const rugi_ifs_bands *b, int32_t *out, size_t from, size_t to)
{
    for (size_t i = b->first[from]; i < b->first[to]; i++)
        decode_leaf(b, out, &b->tree->leaves[i], (ptrdiff_t)(from * RUGI_IFS_BLOCK));
}

void rugi_ifs_decode_band_around(const rugi_ifs_bands *b, int32_t *out, size_t from,
                                 size_t to)
{
    size_t n_rows = b->tree->frame.ny / RUGI_IFS_BLOCK;
    size_t end = b->first[to < n_rows ? to + 1 : to];
    ptrdiff_t top = (ptrdiff_t)(from * RUGI_IFS_BLOCK) - RUGI_IFS_BLOCK;
    for (size_t i = b->first[from > 0 ? from - 1 : 0]; i < end; i++) {
        const rugi_ifs_leaf *leaf = &b->tree->leaves[i];
        if (rugi_ifs_touches_band(leaf, from, to))
            decode_leaf(b, out, leaf, top);
    }
}
