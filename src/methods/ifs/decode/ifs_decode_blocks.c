/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The decoder of FIXED and OVERLAP. Blocks of a grid never share a pixel, so they are
 * free in order; the four grids of OVERLAP add up one after the other, and the last
 * divides. */

#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "ifs/stream/ifs_model.h"
#include "ifs_decode.h"
#include <string.h>

/* Blocks that are a task. */
#define TASK 32

typedef struct block_pass {
    const rugi_ifs_blocks *blocks;
    const int32_t *from; /* NULL; of the size of `to`, or of half of it */
    size_t from_nx, from_ny;
    size_t side;      /* of a domain in from */
    int32_t *domains; /* [threads][side][side], where domains go round the edges */
    int32_t *to;
    size_t nx, ny;   /* of to */
    unsigned octave; /* of to */
    uint32_t grid;
} block_pass;

/* How pixels of a block come from its domain: base + (k (pixel - mean) + half) >>
 * shift. */
typedef struct block_pixels {
    const int32_t *from;
    rugi_ifs_isometry walk;
    int32_t k, mean, base;
    unsigned shift;
} block_pixels;

static int32_t mean_of(int64_t sum, int64_t n)
{
    return (int32_t)rugi_ifs_floor_div(sum + n / 2, n);
}

static void shrink(block_pixels *pixels, int32_t *small, const int32_t *from,
                   size_t pitch, size_t n)
{
    int64_t sum = 0;
    for (size_t y = 0; y < n; y++)
        for (size_t x = 0; x < n; x++) {
            const int32_t *q = from + 2 * y * pitch + 2 * x;
            small[y * n + x] = q[0] + q[1] + q[pitch] + q[pitch + 1];
            sum += small[y * n + x];
        }
    pixels->from = small;
    pixels->mean = mean_of(sum, (int64_t)(n * n));
    pixels->shift = 8;
}

static void take(block_pixels *pixels, const int32_t *from, size_t pitch, size_t n)
{
    int64_t sum = 0;
    for (size_t y = 0; y < n; y++)
        for (size_t x = 0; x < n; x++)
            sum += from[y * pitch + x];
    pixels->from = from;
    pixels->mean = mean_of(sum, (int64_t)(n * n));
    pixels->shift = 6;
}

/* One pixel into the sum of the grids. */
static inline void put(int32_t *to, int32_t value, const block_pass *p)
{
    if (!p->blocks->frame.overlaps)
        *to = value;
    else if (p->grid == 0)
        *to = value;
    else if (p->grid < 3)
        *to += value;
    else
        *to = (*to + value + 2) >> 2;
}

static int32_t pixel_of(const block_pixels *pixels, size_t y, size_t x, unsigned depth)
{
    int32_t value = pixels->base;
    if (pixels->from != NULL) {
        int32_t d = pixels->from[pixels->walk.start + (ptrdiff_t)y * pixels->walk.row +
                                 (ptrdiff_t)x * pixels->walk.column];
        int64_t rest = (int64_t)pixels->k * (d - pixels->mean);
        value += (int32_t)((rest + (1 << (pixels->shift - 1))) >> pixels->shift);
    }
    int32_t least = rugi_ifs_least(depth), most = rugi_ifs_most(depth);
    return value < least ? least : value > most ? most : value;
}

/* The first pixel of a block's domain; one that crosses an edge is put together.
 * @param pitch  from one of its rows to the next */
static const int32_t *domain_of(const block_pass *p, const rugi_ifs_block *b, int thread,
                                size_t *pitch)
{
    const unsigned up = p->octave > 0 ? p->octave - 1 : 0;
    const size_t x = (size_t)b->domain_x << up, y = (size_t)b->domain_y << up;
    *pitch = p->from_nx;
    if (x + p->side <= p->from_nx && y + p->side <= p->from_ny)
        return p->from + y * p->from_nx + x;
    int32_t *out = p->domains + (size_t)thread * p->side * p->side;
    const size_t n = rugi_smaller(p->side, p->from_nx - x);
    *pitch = p->side;
    for (size_t i = 0; i < p->side; i++) {
        const int32_t *row = p->from + (y + i) % p->from_ny * p->from_nx;
        memcpy(out + i * p->side, row + x, n * sizeof *out);
        memcpy(out + i * p->side + n, row, (p->side - n) * sizeof *out);
    }
    return out;
}

static void do_block(const block_pass *p, const rugi_ifs_block *b, int thread)
{
    const rugi_ifs_block_frame *f = &p->blocks->frame;
    int32_t small[RUGI_IFS_BLOCK * RUGI_IFS_BLOCK];
    size_t n = (size_t)f->size << p->octave, pitch = n;
    block_pixels pixels = {.k = b->k, .base = b->mean * (64 / RUGI_IFS_BLOCK_MEANS)};
    if (p->from != NULL && b->k != 0) {
        const int32_t *domain = domain_of(p, b, thread, &pitch);
        if (p->octave > 0) {
            take(&pixels, domain, pitch, n);
        } else {
            shrink(&pixels, small, domain, pitch, n);
            pitch = n;
        }
    }
    pixels.walk = rugi_ifs_isometry_of(b->symmetry, n, pitch);
    size_t x0 = (size_t)b->x << p->octave, y0 = (size_t)b->y << p->octave;
    for (size_t y = 0; y < n; y++) {
        int32_t *row = p->to + (y0 + y) % p->ny * p->nx;
        for (size_t x = 0, at = x0; x < n; x++, at++) {
            if (at >= p->nx) /* round the plane */
                at -= p->nx;
            put(row + at, pixel_of(&pixels, y, x, f->depth), p);
        }
    }
}

static void pass_task(void *shared, size_t task, int thread)
{
    const block_pass *p = shared;
    size_t n = rugi_ifs_blocks_of_grid(&p->blocks->frame), i = task * TASK;
    size_t to = rugi_smaller(n, i + TASK);
    for (; i < to; i++)
        do_block(p, &p->blocks->blocks[p->grid * n + i], thread);
}

rug_status rugi_ifs_blocks_pass(rug_context *ctx, int32_t *to, const int32_t *from,
                                const rugi_ifs_blocks *blocks, unsigned octave)
{
    const rugi_ifs_block_frame *f = &blocks->frame;
    size_t n_tasks = (rugi_ifs_blocks_of_grid(f) + TASK - 1) / TASK;
    rug_status status = RUG_OK;
    block_pass p = {.blocks = blocks, .from = from, .to = to, .octave = octave};
    p.nx = (size_t)f->nx << octave;
    p.ny = (size_t)f->ny << octave;
    p.from_nx = octave > 0 ? p.nx / 2 : p.nx;
    p.from_ny = octave > 0 ? p.ny / 2 : p.ny;
    p.side = (size_t)f->size << (octave > 0 ? octave : 1);
    if (f->wraps && from != NULL) {
        p.domains = rug_context_allocate(ctx, (size_t)rug_context_threads(ctx),
                                         p.side * p.side * sizeof *p.domains,
                                         "domains that go round the edges");
        status = p.domains != NULL ? RUG_OK : RUG_E_NOMEM;
    }
    for (p.grid = 0; p.grid < rugi_ifs_block_grids(f) && status == RUG_OK; p.grid++)
        status = rugi_parallel_for(ctx, n_tasks, pass_task, &p);
    rug_context_release(ctx, p.domains);
    return status;
}
