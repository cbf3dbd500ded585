/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Lattice cells and their keys: the foreground of an image as cells, packed once and then
 * read word by word; and the keys of cells, block by block. */

#include "boxcount_hou_job.h"
#include "boxcount_hou_kernels.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include <string.h>

/* ---- The foreground of an image as cells ---- */

/* Words of a block: all their cells may be set. */
#define BLOCK_WORDS (RUGI_CELLS_BLOCK / 64)

/* Blocks of a task that counts cells. */
#define TASK_BLOCKS 1024

static size_t block_words(const rugi_packed_cells *p, size_t block)
{
    return rugi_smaller(p->n_words - block * BLOCK_WORDS, BLOCK_WORDS);
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
                                 const rug_image *image, const rugi_predicate *predicate)
{
    rug_status status = RUG_OK;
    memset(out, 0, sizeof *out);
    RUGI_PHASE(ctx, 0, 0.75, status,
               rugi_bits_of_image(ctx, &out->bits, image, predicate, "packed cells"));
    RUGI_PHASE(ctx, 0.75, 1, status, count_blocks(ctx, out));
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

/* ---- Keys of cells ---- */

size_t rugi_hou_first_block(const rugi_hou *h, size_t n_tasks, size_t task)
{
    uint64_t wanted = rugi_share_begin((size_t)h->cells->n, n_tasks, task);
    size_t low = 0, high = h->cells->n_blocks;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rugi_cells_before(h->cells, middle) < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int is_plain(const rugi_hou *h)
{
    return h->kernels.of_points_u64 != NULL && h->cells->plain != NULL &&
           h->layout->axes <= RUGI_PLAIN_AXES;
}

static size_t block_cells(const rugi_hou *h, size_t block)
{
    return (size_t)(rugi_cells_before(h->cells, block + 1) -
                    rugi_cells_before(h->cells, block));
}

static const uint64_t *load_places(const rugi_hou *h, size_t block, int thread)
{
    uint64_t *places = h->places + (size_t)thread * h->places_step;
    h->cells->load(h->cells->user, block, places);
    return places;
}

size_t rugi_hou_keys_u64(const rugi_hou *h, size_t block, int thread, uint64_t *keys)
{
    size_t n = block_cells(h, block);
    if (is_plain(h))
        h->kernels.of_points_u64(h->layout, h->cells->plain, h->cells->range.zero,
                                 rugi_cells_before(h->cells, block), n, keys);
    else if (n > 0)
        h->kernels.encode_u64(h->layout, load_places(h, block, thread), n, keys);
    return n;
}

size_t rugi_hou_keys_u32(const rugi_hou *h, size_t block, int thread, uint32_t *keys)
{
    uint64_t wide[RUGI_CELLS_BLOCK];
    size_t n = block_cells(h, block);
    if (is_plain(h)) {
        h->kernels.of_points_u32(h->layout, h->cells->plain, h->cells->range.zero,
                                 rugi_cells_before(h->cells, block), n, keys);
        return n;
    }
    rugi_hou_keys_u64(h, block, thread, wide);
    for (size_t i = 0; i < n; i++)
        keys[i] = (uint32_t)wide[i];
    return n;
}

static size_t keys_u128(const rugi_hou *h, size_t block, int thread, rugi_u128 *keys)
{
    size_t n = block_cells(h, block);
    if (n > 0)
        h->kernels.encode_u128(h->layout, load_places(h, block, thread), n, keys);
    return n;
}

/* The keys of the cells of some blocks. */
#define DEFINE_ENCODE_TASK(name, KEY, keys_of_block)                     \
    static void name(void *shared, size_t task, int thread)              \
    {                                                                    \
        const rugi_hou *h = shared;                                      \
        size_t block = rugi_hou_first_block(h, h->n_tasks, task);        \
        size_t end = rugi_hou_first_block(h, h->n_tasks, task + 1);      \
        KEY *keys = (KEY *)h->keys + rugi_cells_before(h->cells, block); \
        for (; block < end; block++)                                     \
            keys += keys_of_block(h, block, thread, keys);               \
    }

DEFINE_ENCODE_TASK(encode_task_u64, uint64_t, rugi_hou_keys_u64)
DEFINE_ENCODE_TASK(encode_task_u128, rugi_u128, keys_u128)

rug_status rugi_hou_encode(rugi_hou *h)
{
    return rugi_parallel_for_timed(h->ctx, h->n_tasks,
                                   h->is_wide ? encode_task_u128 : encode_task_u64, h,
                                   h->seconds);
}
