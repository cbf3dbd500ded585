/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Keys of the method HOU on an OpenCL device: packed cells, or places of cells, go there
 * piece by piece and become keys, and distinct keys become those of the boxes that hold
 * them. */

#include "boxcount_hou_keys_cl.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include <string.h>

/* Cells that are brought there at once by their places, and words of packed cells, whole
 * blocks of them. */
#define PIECE_CELLS ((size_t)1 << 20)
#define PIECE_WORDS ((size_t)1 << 21)
#define BLOCK_WORDS ((size_t)RUGI_CELLS_BLOCK / 64)

/* What each value of a byte of a place is in a key. */
static void fill_tables(rugi_hou_device *d, const rugi_key_layout *layout)
{
    size_t at = 0;
    for (uint32_t a = 0; a < d->axes; a++)
        for (unsigned first = 0; first < 8 * d->place_bytes; first += 8)
            for (unsigned v = 0; v < 256; v++, at++) {
                uint64_t key = 0;
                for (unsigned b = 0; b < 8 && first + b < layout->n_bits[a]; b++)
                    key |= (uint64_t)(v >> b & 1) << layout->key_bit[a][first + b];
                if (d->key_bytes == sizeof key)
                    ((uint64_t *)d->host_tables)[at] = key;
                else
                    ((uint32_t *)d->host_tables)[at] = (uint32_t)key;
            }
}

/* Sends a layout and its tables.
 * @param which  0: of cells, 1: of boxes, whose tables take the place of those of cells */
static rug_status write_layout(rugi_hou_device *d, size_t which,
                               const rugi_key_layout *layout)
{
    size_t n_bytes = d->axes * sizeof d->host_layouts[0][0];
    for (int a = 0; a < layout->axes; a++) {
        uint8_t *flat = d->host_layouts[which][a];
        flat[0] = (uint8_t)layout->n_bits[a];
        memcpy(flat + 1, layout->key_bit[a], sizeof layout->key_bit[a]);
    }
    fill_tables(d, layout);
    rug_status status = rugi_ocl_write(d->ctx, d->ocl, d->layouts, which * n_bytes,
                                       d->host_layouts[which], n_bytes);
    if (status == RUG_OK)
        status = rugi_ocl_write(d->ctx, d->ocl, d->tables, 0, d->host_tables,
                                rugi_hou_table_keys(d) * d->key_bytes);
    return status;
}

/* Cells of some blocks, on their way to the device. */
typedef struct piece {
    const rugi_hou_device *d;
    size_t first_block, n_blocks, n;
    uint64_t *places; /* of a block, per thread */
    void *staged;     /* [axis][n], from the base of the axis, of place_bytes */
    rugi_ocl_buffer *buffer;
} piece;

static void stage_task(void *shared, size_t task, int thread)
{
    const piece *p = shared;
    const rugi_hou_device *d = p->d;
    const rugi_cells *cells = d->cells;
    uint64_t *places = p->places + (size_t)thread * d->axes * RUGI_CELLS_BLOCK;
    size_t block = p->first_block + task;
    uint64_t before = rugi_cells_before(cells, block);
    size_t n = (size_t)(rugi_cells_before(cells, block + 1) - before);
    size_t at = (size_t)(before - rugi_cells_before(cells, p->first_block));
    if (n == 0)
        return;
    cells->load(cells->user, block, places);
    for (uint32_t a = 0; a < d->axes; a++, at += p->n, places += RUGI_CELLS_BLOCK)
        for (size_t i = 0; i < n; i++) {
            uint64_t v = places[i] - d->layout->base[a];
            if (d->place_bytes == sizeof v)
                ((uint64_t *)p->staged)[at + i] = v;
            else
                ((uint32_t *)p->staged)[at + i] = (uint32_t)v;
        }
}

/* As many blocks as fit a piece. */
static void choose_blocks(piece *p)
{
    const rugi_cells *cells = p->d->cells;
    uint64_t before = rugi_cells_before(cells, p->first_block);
    size_t end = p->first_block;
    while (end < cells->n_blocks &&
           rugi_cells_before(cells, end + 1) - before <= PIECE_CELLS)
        end++;
    p->n_blocks = end - p->first_block;
    p->n = (size_t)(rugi_cells_before(cells, end) - before);
}

/* What is staged is written anew for the next piece, so the device must have read it. */
static rug_status send_piece(rugi_hou_device *d, piece *p)
{
    uint64_t n = p->n, first = rugi_cells_before(d->cells, p->first_block);
    rug_status status = rugi_parallel_for(d->ctx, p->n_blocks, stage_task, p);
    if (status != RUG_OK || n == 0)
        return status;
    status = rugi_ocl_write(d->ctx, d->ocl, p->buffer, 0, p->staged,
                            p->n * d->axes * d->place_bytes);
    const rugi_ocl_arg args[] = {rugi_ocl_arg_buffer(p->buffer),
                                 RUGI_OCL_ARG(n),
                                 RUGI_OCL_ARG(d->axes),
                                 rugi_ocl_arg_buffer(d->layouts),
                                 rugi_ocl_arg_buffer(d->tables),
                                 rugi_ocl_arg_buffer(d->keys),
                                 RUGI_OCL_ARG(first)};
    if (status == RUG_OK)
        status = rugi_hou_run(d, RUGI_HOU_KEYS, args, 7, p->n);
    return status == RUG_OK ? rugi_ocl_wait(d->ctx, d->ocl) : status;
}

static rug_status send_pieces(rugi_hou_device *d, piece *p)
{
    const rugi_cells *cells = d->cells;
    rug_status status = write_layout(d, 0, d->layout);
    for (; status == RUG_OK && p->first_block < cells->n_blocks;
         p->first_block += p->n_blocks) {
        choose_blocks(p);
        double done = (double)rugi_cells_before(cells, p->first_block);
        double all = (double)cells->n;
        RUGI_PHASE(d->ctx, done / all, (done + (double)p->n) / all, status,
                   send_piece(d, p));
    }
    return status;
}

static size_t piece_cells(const rugi_hou_device *d)
{
    return d->cells->n < PIECE_CELLS ? (size_t)d->cells->n : PIECE_CELLS;
}

static rug_status make_keys_of_places(rugi_hou_device *d)
{
    piece p = {.d = d};
    size_t n = piece_cells(d);
    size_t n_threads = (size_t)rug_context_threads(d->ctx);
    p.places =
        rug_context_allocate(d->ctx, n_threads * d->axes,
                             RUGI_CELLS_BLOCK * sizeof *p.places, "cells of a block");
    p.staged =
        rug_context_allocate(d->ctx, n * d->axes, d->place_bytes, "cells for the device");
    rug_status status = RUG_E_NOMEM;
    if (p.places != NULL && p.staged != NULL)
        status = rugi_ocl_buffer_new(d->ctx, d->ocl, &p.buffer, n * d->axes,
                                     d->place_bytes, RUGI_OCL_READ, "cells");
    if (status == RUG_OK)
        status = send_pieces(d, &p);
    rugi_ocl_buffer_free(d->ocl, p.buffer);
    rug_context_release(d->ctx, p.staged);
    rug_context_release(d->ctx, p.places);
    return status;
}

rug_status rugi_hou_device_boxes(rugi_hou_device *d, rugi_ocl_buffer *to, uint64_t size,
                                 const rugi_key_layout *boxes)
{
    uint64_t n = d->n, zero = d->cells->range.zero;
    for (uint32_t a = 0; a < d->axes; a++) {
        d->host_bases[a][0] = d->layout->base[a];
        d->host_bases[a][1] = boxes->base[a];
    }
    rug_status status = write_layout(d, 1, boxes);
    if (status == RUG_OK)
        status = rugi_ocl_write(d->ctx, d->ocl, d->bases, 0, d->host_bases,
                                d->axes * sizeof d->host_bases[0]);
    const rugi_ocl_arg args[] = {rugi_ocl_arg_buffer(d->keys),
                                 RUGI_OCL_ARG(n),
                                 RUGI_OCL_ARG(d->axes),
                                 rugi_ocl_arg_buffer(d->layouts),
                                 rugi_ocl_arg_buffer(d->tables),
                                 rugi_ocl_arg_buffer(d->bases),
                                 RUGI_OCL_ARG(zero),
                                 RUGI_OCL_ARG(size),
                                 rugi_ocl_arg_buffer(to)};
    return status == RUG_OK ? rugi_hou_run(d, RUGI_HOU_BOXES, args, 9, d->n) : status;
}

/* ---- Cells of packed images ---- */

static size_t piece_words(const rugi_hou_device *d)
{
    size_t n = d->cells->n_blocks * BLOCK_WORDS;
    return n < PIECE_WORDS ? n : PIECE_WORDS;
}

uint64_t rugi_hou_piece_bytes(const rugi_hou_device *d)
{
    if (d->cells->bits == NULL)
        return (uint64_t)piece_cells(d) * d->axes * d->place_bytes;
    uint64_t n = piece_words(d), n_sums = n + 1 + rugi_ocl_scan_scratch((size_t)n + 1);
    return n * sizeof(uint64_t) + n_sums * sizeof(uint32_t);
}

/* Words on the device, and sums of their cells. */
typedef struct word_piece {
    rugi_ocl_buffer *words, *sums, *scratch;
} word_piece;

/* The words stay where they are until all is done, so that nothing need be waited for.
 * @param word  the first */
static rug_status send_words(rugi_hou_device *d, const word_piece *p, uint64_t word,
                             uint64_t n, uint64_t n_cells, uint64_t first)
{
    const rugi_bits *bits = d->cells->bits;
    uint64_t shape[2] = {bits->row_words, bits->shape[1]};
    const rugi_ocl_arg count[] = {rugi_ocl_arg_buffer(p->words), RUGI_OCL_ARG(n),
                                  rugi_ocl_arg_buffer(p->sums)};
    const rugi_ocl_arg put[] = {rugi_ocl_arg_buffer(p->words),
                                RUGI_OCL_ARG(n),
                                rugi_ocl_arg_buffer(p->sums),
                                RUGI_OCL_ARG(word),
                                RUGI_OCL_ARG(shape),
                                RUGI_OCL_ARG(d->axes),
                                rugi_ocl_arg_buffer(d->layouts),
                                rugi_ocl_arg_buffer(d->tables),
                                rugi_ocl_arg_buffer(d->keys),
                                RUGI_OCL_ARG(first)};
    rug_status status = rugi_ocl_write(d->ctx, d->ocl, p->words, 0, bits->words + word,
                                       (size_t)n * sizeof *bits->words);
    if (status == RUG_OK)
        status = rugi_hou_run(d, RUGI_HOU_COUNT_CELLS, count, 3, (size_t)n + 1);
    if (status == RUG_OK)
        status = rugi_ocl_scan_u32(d->ctx, d->ocl, p->sums, (size_t)n + 1, p->scratch,
                                   d->shape);
    if (status == RUG_OK)
        status = rugi_hou_run(d, RUGI_HOU_CELLS, put, 10,
                              (size_t)(d->shape == RUGI_OCL_SHAPE_WIDE ? n : n_cells));
    return status;
}

static rug_status send_all_words(rugi_hou_device *d, const word_piece *p)
{
    const rugi_cells *cells = d->cells;
    const rugi_bits *bits = cells->bits;
    uint64_t n_words = (uint64_t)bits->shape[0] * bits->shape[1] * bits->row_words;
    rug_status status = write_layout(d, 0, d->layout);
    for (uint64_t w = 0; status == RUG_OK && w < n_words; w += PIECE_WORDS) {
        uint64_t n = n_words - w < PIECE_WORDS ? n_words - w : PIECE_WORDS;
        uint64_t first = rugi_cells_before(cells, (size_t)(w / BLOCK_WORDS));
        uint64_t last = rugi_cells_before(cells, (size_t)((w + n - 1) / BLOCK_WORDS + 1));
        if (last > first)
            status = send_words(d, p, w, n, last - first, first);
        if (status == RUG_OK)
            status = rug_context_step(d->ctx, (double)(w + n) / (double)n_words);
    }
    return status;
}

static rug_status make_keys_of_bits(rugi_hou_device *d)
{
    word_piece p = {NULL, NULL, NULL};
    size_t n = piece_words(d);
    rug_status status = rugi_ocl_buffer_new(d->ctx, d->ocl, &p.words, n, sizeof(uint64_t),
                                            RUGI_OCL_READ, "packed cells");
    if (status == RUG_OK)
        status = rugi_ocl_buffer_new(d->ctx, d->ocl, &p.sums, n + 1, sizeof(uint32_t),
                                     RUGI_OCL_READ_WRITE, "cells of words");
    if (status == RUG_OK)
        status =
            rugi_ocl_buffer_new(d->ctx, d->ocl, &p.scratch, rugi_ocl_scan_scratch(n + 1),
                                sizeof(uint32_t), RUGI_OCL_READ_WRITE, "sums of words");
    if (status == RUG_OK)
        status = send_all_words(d, &p);
    rugi_ocl_buffer_free(d->ocl, p.scratch);
    rugi_ocl_buffer_free(d->ocl, p.sums);
    rugi_ocl_buffer_free(d->ocl, p.words);
    return status;
}

rug_status rugi_hou_device_keys(rugi_hou_device *d)
{
    return d->cells->bits != NULL ? make_keys_of_bits(d) : make_keys_of_places(d);
}
