/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Sliding windows over lines (van Herk 1992; Gil and Werman 1993): windows that lie close
 * together share a core, and differ by the end of a run before it and the beginning of a
 * run behind it. Cores of many lines are made of blocks of lines, joined once before. */

#include "boxcount_window_slide.h"
#include "core/context/threads.h"
#include <string.h>

#define LINES_A_LOOK 16
#define PART_WORDS   512 /* of lines that are joined in the first cache */

rugi_lines rugi_lines_part(const rugi_lines *lines, size_t at, size_t n)
{
    rugi_lines part = *lines;
    part.words += at;
    part.n_words = lines->n_words - at < n ? lines->n_words - at : n;
    for (int join = 0; join < RUGI_N_JOINS; join++)
        if (part.blocks[join] != NULL)
            part.blocks[join] += at;
    return part;
}

/* The most lines from `first` on that can be joined at once. */
typedef struct piece {
    const uint64_t *from;
    size_t n, n_lines; /* of those to join, of the image */
} piece;

static piece piece_at(const rugi_lines *lines, int join, size_t first, size_t end)
{
    const uint64_t *blocks = lines->blocks[join];
    size_t left = end - first, in_block = first % RUGI_BLOCK_LINES;
    if (blocks != NULL && in_block == 0 && left >= RUGI_BLOCK_LINES) {
        size_t n = left / RUGI_BLOCK_LINES;
        const uint64_t *from = blocks + first / RUGI_BLOCK_LINES * lines->stride;
        return (piece){from, n, n * RUGI_BLOCK_LINES};
    }
    if (blocks != NULL && in_block > 0 && left > RUGI_BLOCK_LINES - in_block)
        left = RUGI_BLOCK_LINES - in_block;
    else if (join == RUGI_ALL && left > LINES_A_LOOK)
        left = LINES_A_LOOK;
    return (piece){lines->words + first * lines->stride, left, left};
}

/* Joins lines, of which there is one at least. Returns whether there is still something to
 * lose: "all" is mostly nothing after a few. */
static int join_range(const rugi_window_kernels *kernels, int join, uint64_t *dst,
                      uint64_t *scratch, const rugi_lines *lines, size_t first,
                      size_t end)
{
    for (size_t at = first; at < end;) {
        piece p = piece_at(lines, join, at, end);
        kernels->join_lines[join](at == first ? dst : scratch, p.from, p.n, lines->stride,
                                  lines->n_words);
        if (at > first)
            kernels->join_pair[join](dst, dst, scratch, lines->n_words);
        if (join == RUGI_ALL && kernels->is_zero(dst, lines->n_words))
            return 0;
        at += p.n_lines;
    }
    return 1;
}

/* The lines that all windows have: from the first of the last window to the last of the
 * first window. Returns 0 when no window can have a bit. */
static int join_core(const rugi_window_kernels *kernels, int join, uint64_t *dst,
                     uint64_t *scratch, const rugi_lines *lines, rugi_slide s)
{
    size_t before = s.window - s.n, end = s.last + 1 < lines->n ? s.last + 1 : lines->n;
    size_t first = s.last > before ? s.last - before : 0;
    if (join == RUGI_ALL && (s.last < before || s.last >= lines->n))
        return 0;
    if (first < end)
        return join_range(kernels, join, dst, scratch, lines, first, end);
    memset(dst, 0, lines->n_words * sizeof *dst);
    return 1;
}

int rugi_slide_lines(const rugi_window_kernels *kernels, int join, uint64_t *dst,
                     uint64_t *core, const rugi_lines *lines, rugi_slide s)
{
    if (!join_core(kernels, join, core, dst, lines, s))
        return 0;
    rugi_sliding sliding = {.core = core,
                            .lines = lines->words,
                            .stride = lines->stride,
                            .n_lines = lines->n,
                            .older = s.last - s.window,
                            .newer = s.last,
                            .n = s.n,
                            .n_words = lines->n_words};
    kernels->slide[join](dst, s.stride, &sliding);
    return 1;
}

typedef struct blocks {
    const rugi_window_kernels *kernels;
    const rugi_lines *lines;
    uint64_t *out;
    size_t n;
} blocks;

static void join_block(void *shared, size_t task, int thread)
{
    (void)thread;
    const blocks *b = shared;
    size_t first = task * RUGI_BLOCK_LINES, left = b->lines->n - first;
    size_t stride = b->lines->stride;
    for (size_t at = 0; at < b->lines->n_words; at += PART_WORDS) {
        rugi_lines part = rugi_lines_part(b->lines, at, PART_WORDS);
        rugi_box_rows rows = {part.words + first * stride, 1,
                              left < RUGI_BLOCK_LINES ? left : RUGI_BLOCK_LINES, 0,
                              stride};
        uint64_t *any = b->out + task * stride + at;
        b->kernels->join_box(any, any + b->n * stride, rows, part.n_words);
    }
}

rug_status rugi_join_blocks(rug_context *ctx, uint64_t *out,
                            const rugi_window_kernels *kernels, const rugi_lines *lines)
{
    blocks b = {kernels, lines, out, (lines->n - 1) / RUGI_BLOCK_LINES + 1};
    return rugi_parallel_for(ctx, b.n, join_block, &b);
}
