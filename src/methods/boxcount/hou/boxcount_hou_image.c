/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The foreground of an image as cells of the method HOU: packed once, then read word by
 * word. */

#include "boxcount_bitmap_tmpl.h"
#include "boxcount_hou.h"
#include "core/context/context_internal.h"
#include "core/context/threads.h"
#include <string.h>

/* Words of a block: all their cells may be set. */
#define BLOCK_WORDS (RUGI_CELLS_BLOCK / 64)

/* Blocks of a task that counts cells. */
#define TASK_BLOCKS 1024

static size_t block_words(const rugi_packed_cells *p, size_t block)
{
    size_t left = p->n_words - block * BLOCK_WORDS;
    return left < BLOCK_WORDS ? left : BLOCK_WORDS;
}

static void load_block(const void *user, size_t block, uint64_t *places)
{
    const rugi_packed_cells *p = user;
    size_t w = block * BLOCK_WORDS, n = block_words(p, block), at = 0;
    size_t row = w / p->bits.row_words, column = w % p->bits.row_words;
    size_t y = row % p->bits.shape[1], z = row / p->bits.shape[1];
    uint64_t *out_x = places + (size_t)(p->bits.box_axes - 1) * RUGI_CELLS_BLOCK;
    uint64_t *out_y = out_x - RUGI_CELLS_BLOCK;
    uint64_t *out_z = p->bits.box_axes == 3 ? places : NULL;
    for (size_t i = 0; i < n; i++) {
        for (uint64_t word = p->bits.words[w + i]; word != 0; word &= word - 1) {
            out_x[at] = column * 64 + (unsigned)__builtin_ctzll(word);
            out_y[at] = y;
            if (out_z != NULL)
                out_z[at] = z;
            at++;
        }
        if (++column < p->bits.row_words)
            continue;
        column = 0;
        if (++y == p->bits.shape[1]) {
            y = 0;
            z++;
        }
    }
}

static void count_task(void *shared, size_t task, int thread)
{
    const rugi_packed_cells *p = shared;
    (void)thread;
    for (size_t b = task * TASK_BLOCKS;
         b < (task + 1) * TASK_BLOCKS && b < p->cells.n_blocks; b++) {
        const uint64_t *words = p->bits.words + b * BLOCK_WORDS;
        uint64_t n = 0;
        for (size_t i = 0; i < block_words(p, b); i++)
            n += rugi_bitmap_ones(words[i]);
        p->first[b + 1] = n;
    }
}

static rug_status count_blocks(rug_context *ctx, rugi_packed_cells *p)
{
    p->n_words = p->bits.shape[0] * p->bits.shape[1] * p->bits.row_words;
    p->cells.n_blocks = (p->n_words - 1) / BLOCK_WORDS + 1;
    p->first = rug_context_allocate(ctx, p->cells.n_blocks + 1, sizeof *p->first,
                                    "cells of blocks");
    if (p->first == NULL)
        return RUG_E_NOMEM;
    p->first[0] = 0;
    rug_status status =
        rugi_parallel_for(ctx, (p->cells.n_blocks - 1) / TASK_BLOCKS + 1, count_task, p);
    for (size_t b = 0; status == RUG_OK && b < p->cells.n_blocks; b++)
        p->first[b + 1] += p->first[b];
    return status;
}

static void describe(rugi_packed_cells *p)
{
    p->cells.n = p->first[p->cells.n_blocks];
    p->cells.first = p->first;
    p->cells.load = load_block;
    p->cells.user = p;
    p->cells.bits = &p->bits;
    p->cells.range.axes = p->bits.box_axes;
    for (int a = 0; a < p->bits.box_axes; a++)
        p->cells.range.most[a] = p->bits.shape[3 - p->bits.box_axes + a] - 1;
}

rug_status rugi_packed_cells_new(rug_context *ctx, rugi_packed_cells *out,
                                 const rug_image *img, const rugi_predicate *predicate)
{
    static const size_t first[3] = {0, 0, 0};
    memset(out, 0, sizeof *out);
    rug_status status =
        rugi_bits_new(ctx, &out->bits, img->ndim, img->shape, "packed cells");
    if (status != RUG_OK)
        return status;
    rugi_phase outer = rugi_phase_enter(ctx, 0, 0.75);
    status = rugi_bits_add(ctx, &out->bits, img, predicate, first);
    rugi_phase_leave(ctx, outer);
    outer = rugi_phase_enter(ctx, 0.75, 1);
    if (status == RUG_OK)
        status = count_blocks(ctx, out);
    rugi_phase_leave(ctx, outer);
    if (status == RUG_OK)
        describe(out);
    else
        rugi_packed_cells_free(ctx, out);
    return status;
}

void rugi_packed_cells_free(rug_context *ctx, rugi_packed_cells *cells)
{
    rug_context_release(ctx, cells->first);
    rugi_bits_free(ctx, &cells->bits);
    cells->first = NULL;
}

rug_status rugi_boxcount_hou_image(rug_context *ctx, rug_boxcount_result *result,
                                   const rug_image *img, const rugi_predicate *predicate)
{
    rugi_packed_cells packed;
    rugi_phase outer = rugi_phase_enter(ctx, 0, 0.4);
    rug_status status = rugi_packed_cells_new(ctx, &packed, img, predicate);
    rugi_phase_leave(ctx, outer);
    if (status != RUG_OK)
        return status;
    outer = rugi_phase_enter(ctx, 0.4, 1);
    status = rugi_boxcount_hou_cells(ctx, result, &packed.cells);
    rugi_phase_leave(ctx, outer);
    rugi_packed_cells_free(ctx, &packed);
    return status;
}
