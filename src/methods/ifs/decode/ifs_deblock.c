/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Smoothing across the edges of blocks where a small step lies in a smooth place: what
 * the quantiser made, not the image. Left edges of all blocks first, then upper ones.
 * Edges of one direction never touch the same pixels, so their order is free. */

#include "core/context/threads.h"
#include "ifs/stream/ifs_model.h"
#include "ifs_decoder.h"
#include <stdlib.h>
#include <string.h>

/* Weights of 64 by the distance from an edge, of blocks from 16 pixels on and below. */
#define TAPS_MAX 3
static const int32_t weights[2][TAPS_MAX] = {{23, 8, 0}, {27, 16, 6}};

typedef struct deblocking {
    const rugi_ifs_tree *tree;
    int32_t *pixels;
    size_t nx; /* of pixels */
    uint8_t *levels;
    size_t level_nx;
    unsigned octave;
    int32_t most; /* of the step and of the slopes beside it */
    int upper;    /* edges */
} deblocking;

/* One line across an edge: p[-pitch] | p[0]. */
static void smooth(int32_t *p, ptrdiff_t pitch, const deblocking *d, int is_large)
{
    ptrdiff_t unit = pitch * ((ptrdiff_t)1 << d->octave);
    int32_t step = p[0] - p[-pitch];
    int32_t slopes = abs(p[unit] - p[0]) + abs(p[-pitch - unit] - p[-pitch]);
    if (abs(step) > d->most + d->most / 5 || slopes > d->most)
        return;
    int taps = (is_large ? 3 : 2) << d->octave;
    for (int t = 0; t < taps; t++) {
        int32_t change = (step * weights[is_large][t >> d->octave] + 32) >> 6;
        p[t * pitch] -= change;
        p[-(t + 1) * pitch] += change;
    }
}

static void smooth_edge(const deblocking *d, const rugi_ifs_leaf *leaf)
{
    size_t n = (size_t)rugi_ifs_side(leaf->level) << d->octave;
    size_t y = (size_t)leaf->y << d->octave, x = (size_t)leaf->x << d->octave;
    size_t row = leaf->y / RUGI_IFS_LEAST, column = leaf->x / RUGI_IFS_LEAST;
    for (size_t i = 0; i < n; i++) {
        size_t along = i >> d->octave >> 2;
        size_t other = d->upper ? (row - 1) * d->level_nx + column + along
                                : (row + along) * d->level_nx + column - 1;
        int is_large = leaf->level <= 1 && d->levels[other] <= 1;
        int32_t *p = d->pixels + y * d->nx + x + (d->upper ? i : i * d->nx);
        smooth(p, d->upper ? (ptrdiff_t)d->nx : 1, d, is_large);
    }
}

static void deblock_task(void *shared, size_t task, int thread)
{
    const deblocking *d = shared;
    size_t i = task * RUGI_IFS_TASK, to = i + RUGI_IFS_TASK;
    (void)thread;
    for (to = to < d->tree->n_leaves ? to : d->tree->n_leaves; i < to; i++) {
        const rugi_ifs_leaf *leaf = &d->tree->leaves[i];
        if ((d->upper ? leaf->y : leaf->x) > 0)
            smooth_edge(d, leaf);
    }
}

static void fill_levels(deblocking *d)
{
    for (size_t i = 0; i < d->tree->n_leaves; i++) {
        const rugi_ifs_leaf *leaf = &d->tree->leaves[i];
        size_t n = rugi_ifs_side(leaf->level) / RUGI_IFS_LEAST;
        uint8_t *at =
            d->levels + leaf->y / RUGI_IFS_LEAST * d->level_nx + leaf->x / RUGI_IFS_LEAST;
        for (size_t y = 0; y < n; y++)
            memset(at + y * d->level_nx, leaf->level, n);
    }
}

rug_status rugi_ifs_deblock(rug_context *ctx, int32_t *pixels, const rugi_ifs_tree *tree,
                            unsigned octave, int strength)
{
    const rugi_ifs_frame *frame = &tree->frame;
    deblocking d = {.tree = tree, .pixels = pixels, .octave = octave};
    d.nx = (size_t)frame->nx << octave;
    d.most = (int32_t)(frame->delta * (uint32_t)strength / 2);
    d.level_nx = frame->nx / RUGI_IFS_LEAST;
    d.levels = rug_context_allocate(ctx, d.level_nx, frame->ny / RUGI_IFS_LEAST,
                                    "levels of fractal coding");
    if (d.levels == NULL)
        return RUG_E_NOMEM;
    fill_levels(&d);
    size_t n_tasks = (tree->n_leaves + RUGI_IFS_TASK - 1) / RUGI_IFS_TASK;
    rug_status status = rugi_parallel_for(ctx, n_tasks, deblock_task, &d);
    d.upper = 1;
    if (status == RUG_OK)
        status = rugi_parallel_for(ctx, n_tasks, deblock_task, &d);
    rug_context_release(ctx, d.levels);
    return status;
}
