/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Keys of the method HOU on an OpenCL device: places of cells go there piece by piece and
 * become keys, and distinct keys become those of the boxes that hold them. */

#include "boxcount_hou_steps.h"
#include "threads.h"
#include <string.h>

/* Cells that are brought there at once. */
#define PIECE_CELLS ((size_t)1 << 20)

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

/* @param which  0: of cells, 1: of boxes, whose tables take the place of those of cells */
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
        rugi_phase outer =
            rugi_phase_enter(d->ctx, done / all, (done + (double)p->n) / all);
        status = send_piece(d, p);
        rugi_phase_leave(d->ctx, outer);
    }
    return status;
}

rug_status rugi_hou_device_keys(rugi_hou_device *d)
{
    piece p = {.d = d};
    size_t room = d->n < PIECE_CELLS ? d->n : PIECE_CELLS;
    size_t n_threads = (size_t)rug_context_threads(d->ctx);
    p.places =
        rug_context_allocate(d->ctx, n_threads * d->axes,
                             RUGI_CELLS_BLOCK * sizeof *p.places, "cells of a block");
    p.staged = rug_context_allocate(d->ctx, room * d->axes, d->place_bytes,
                                    "cells for the device");
    rug_status status = RUG_E_NOMEM;
    if (p.places != NULL && p.staged != NULL)
        status = rugi_ocl_buffer_new(d->ctx, d->ocl, &p.buffer, room * d->axes,
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
