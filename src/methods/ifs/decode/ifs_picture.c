/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From decoded planes to a picture: edges of blocks smoothed, area means to the wanted
 * size, colours and whole grey levels. */

#include "ifs_picture.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "ifs/stream/ifs_model.h"
#include "ifs_bands.h"
#include <stdlib.h>
#include <string.h>

/* ---- Deblocking ---- */

/* Smoothing across the edges of blocks where a small step lies in a smooth place: what
 * the quantiser made, not the image. Left edges of all blocks first, then upper ones.
 * Edges of one direction never touch the same pixels, so their order is free. */

/* Weights of 64 by the distance from an edge, of blocks from 16 pixels on and below. */
#define TAPS_MAX 3
static const int32_t weights[2][TAPS_MAX] = {{23, 8, 0}, {27, 16, 6}};

/* Leaves that are a task. */
#define LEAVES_OF_TASK 128

typedef struct deblocking {
    const rugi_ifs_tree *tree;
    int32_t *pixels;
    size_t nx;     /* of pixels */
    ptrdiff_t top; /* the row of the plane at which they begin */
    const uint8_t *levels;
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
        int32_t *p = d->pixels + ((ptrdiff_t)y - d->top) * (ptrdiff_t)d->nx +
                     (ptrdiff_t)(x + (d->upper ? i : i * d->nx));
        smooth(p, d->upper ? (ptrdiff_t)d->nx : 1, d, is_large);
    }
}

static void deblock_task(void *shared, size_t task, int thread)
{
    const deblocking *d = shared;
    size_t i = task * LEAVES_OF_TASK,
           to = rugi_smaller(d->tree->n_leaves, i + LEAVES_OF_TASK);
    (void)thread;
    for (; i < to; i++) {
        const rugi_ifs_leaf *leaf = &d->tree->leaves[i];
        if ((d->upper ? leaf->y : leaf->x) > 0)
            smooth_edge(d, leaf);
    }
}

static int32_t most_of(const rugi_ifs_frame *frame, int strength)
{
    return (int32_t)(frame->delta * (uint32_t)strength / 2);
}

void rugi_ifs_deblock_band(const rugi_ifs_bands *b, int32_t *window, size_t from,
                           size_t to, int strength)
{
    const rugi_ifs_frame *frame = &b->tree->frame;
    size_t n_rows = frame->ny / RUGI_IFS_BLOCK, top = from * RUGI_IFS_BLOCK;
    size_t first = b->first[from > 0 ? from - 1 : 0];
    size_t end = b->first[to < n_rows ? to + 1 : to];
    deblocking d = {.tree = b->tree,
                    .pixels = window,
                    .nx = frame->nx,
                    .top = (ptrdiff_t)top - RUGI_IFS_BLOCK,
                    .levels = b->levels,
                    .level_nx = frame->nx / RUGI_IFS_LEAST,
                    .most = most_of(frame, strength)};
    for (size_t i = first; i < end; i++) {
        const rugi_ifs_leaf *leaf = &b->tree->leaves[i];
        if (leaf->x > 0 && rugi_ifs_touches_band(leaf, from, to))
            smooth_edge(&d, leaf);
    }
    d.upper = 1;
    for (size_t i = b->first[from]; i < end; i++) {
        const rugi_ifs_leaf *leaf = &b->tree->leaves[i];
        if (leaf->y > 0 && rugi_ifs_touches_band(leaf, from, to))
            smooth_edge(&d, leaf);
    }
}

rug_status rugi_ifs_deblock(rug_context *ctx, int32_t *pixels, const rugi_ifs_tree *tree,
                            unsigned octave, int strength)
{
    const rugi_ifs_frame *frame = &tree->frame;
    deblocking d = {.tree = tree, .pixels = pixels, .octave = octave};
    d.nx = (size_t)frame->nx << octave;
    d.most = most_of(frame, strength);
    d.level_nx = frame->nx / RUGI_IFS_LEAST;
    uint8_t *levels = rug_context_allocate(ctx, d.level_nx, frame->ny / RUGI_IFS_LEAST,
                                           "levels of fractal coding");
    if (levels == NULL)
        return RUG_E_NOMEM;
    rugi_ifs_fill_levels(levels, tree);
    d.levels = levels;
    size_t n_tasks = (tree->n_leaves + LEAVES_OF_TASK - 1) / LEAVES_OF_TASK;
    rug_status status = rugi_parallel_for(ctx, n_tasks, deblock_task, &d);
    d.upper = 1;
    if (status == RUG_OK)
        status = rugi_parallel_for(ctx, n_tasks, deblock_task, &d);
    rug_context_release(ctx, levels);
    return status;
}

/* ---- Resizing ---- */

/* Area means in whole numbers: rows first, then columns, each rounded once. */

/* Rows of the result that are a task. */
#define TASK 32

typedef struct resizing {
    int32_t *out;
    size_t nx, ny;
    const rugi_ifs_view *view;
    int64_t *sums;  /* [threads][nx] */
    int32_t *means; /* [threads][nx] */
} resizing;

static int32_t divide(int64_t sum, int64_t by)
{
    return (int32_t)rugi_ifs_floor_div(sum + by / 2, by);
}

/* How much of pixel j of n lies in pixel i of the `to` pixels that these become: in
 * units of 1 / to of a pixel, i covers i n .. (i + 1) n, and j covers j to .. (j + 1)
 * to. */
static int64_t share(size_t i, size_t n, size_t j, size_t to)
{
    size_t from = i * n > j * to ? i * n : j * to;
    size_t end = (i + 1) * n < (j + 1) * to ? (i + 1) * n : (j + 1) * to;
    return (int64_t)(end - from);
}

/* One row of the source. */
static void shrink_row(int32_t *out, size_t nx, const int32_t *row, size_t n)
{
    if (nx == n) {
        memcpy(out, row, n * sizeof *out);
        return;
    }
    for (size_t i = 0; i < nx; i++) {
        int64_t sum = 0;
        for (size_t j = i * n / nx; j * nx < (i + 1) * n; j++)
            sum += share(i, n, j, nx) * row[j];
        out[i] = divide(sum, (int64_t)n);
    }
}

static void resize_row(const resizing *r, size_t y, int thread)
{
    int64_t *sums = r->sums + (size_t)thread * r->nx;
    int32_t *means = r->means + (size_t)thread * r->nx, *out = r->out + y * r->nx;
    const rugi_ifs_view *v = r->view;
    if (v->ny == r->ny) {
        shrink_row(out, r->nx, v->pixels + y * v->pitch, v->nx);
        return;
    }
    memset(sums, 0, r->nx * sizeof *sums);
    for (size_t j = y * v->ny / r->ny; j * r->ny < (y + 1) * v->ny; j++) {
        int64_t weight = share(y, v->ny, j, r->ny);
        shrink_row(means, r->nx, v->pixels + j * v->pitch, v->nx);
        for (size_t x = 0; x < r->nx; x++)
            sums[x] += weight * means[x];
    }
    for (size_t x = 0; x < r->nx; x++)
        out[x] = divide(sums[x], (int64_t)v->ny);
}

static void resize_task(void *shared, size_t task, int thread)
{
    const resizing *r = shared;
    size_t y = task * TASK, to = rugi_smaller(r->ny, y + TASK);
    for (; y < to; y++)
        resize_row(r, y, thread);
}

rug_status rugi_ifs_resize(rug_context *ctx, int32_t *out, size_t nx, size_t ny,
                           const rugi_ifs_view *view)
{
    static const char what[] = "resized picture";
    size_t n_tasks = (ny + TASK - 1) / TASK;
    size_t n_threads = (size_t)rugi_loop_threads(ctx, n_tasks);
    resizing r = {.out = out, .nx = nx, .ny = ny, .view = view};
    rug_status status = RUG_E_NOMEM;
    r.sums = rug_context_allocate(ctx, n_threads * nx, sizeof *r.sums, what);
    if (r.sums != NULL)
        r.means = rug_context_allocate(ctx, n_threads * nx, sizeof *r.means, what);
    if (r.means != NULL)
        status = rugi_parallel_for(ctx, n_tasks, resize_task, &r);
    rug_context_release(ctx, r.sums);
    rug_context_release(ctx, r.means);
    return status;
}

/* ---- Pictures ---- */

typedef struct filling {
    rug_ifs_picture *picture;
    const rugi_ifs_header *header;
    const rugi_ifs_view *planes;
    size_t first; /* row of the planes */
} filling;

static void put(const filling *f, int plane, size_t y, size_t x, int32_t gray)
{
    const rug_ifs_picture *p = f->picture;
    size_t pixel = ((size_t)plane * p->ny + y) * p->nx + x;
    if (p->dtype == RUG_U16)
        ((uint16_t *)p->pixels)[pixel] = (uint16_t)gray;
    else
        ((uint8_t *)p->pixels)[pixel] = (uint8_t)gray;
}

static void put_colours(const filling *f, size_t y)
{
    unsigned depth = f->header->depth;
    int32_t c[3], most = (1 << depth) - 1;
    for (size_t x = 0; x < f->picture->nx; x++) {
        for (int i = 0; i < 3; i++)
            c[i] = rugi_ifs_gray(
                f->planes[i].pixels[(y - f->first) * f->planes[i].pitch + x],
                depth + (i > 0));
        rugi_ifs_from_ycocg(c, depth);
        for (int i = 0; i < 3; i++)
            put(f, i, y, x, c[i] < 0 ? 0 : c[i] > most ? most : c[i]);
    }
}

static void put_grays(const filling *f, int plane, size_t y)
{
    const rug_ifs_picture *p = f->picture;
    const int32_t *values =
        f->planes[plane].pixels + (y - f->first) * f->planes[plane].pitch;
    size_t at = ((size_t)plane * p->ny + y) * p->nx, n = p->nx;
    unsigned depth = f->header->depth;
    if (p->dtype == RUG_U16)
        for (size_t i = 0; i < n; i++)
            ((uint16_t *)p->pixels)[at + i] = (uint16_t)rugi_ifs_gray(values[i], depth);
    else
        for (size_t i = 0; i < n; i++)
            ((uint8_t *)p->pixels)[at + i] = (uint8_t)rugi_ifs_gray(values[i], depth);
}

static void put_row(const filling *f, size_t y)
{
    if (f->header->is_ycocg) {
        put_colours(f, y);
        return;
    }
    for (int plane = 0; plane < f->header->n_planes; plane++)
        put_grays(f, plane, y);
}

void rugi_ifs_picture_rows(rug_ifs_picture *picture, const rugi_ifs_header *header,
                           const rugi_ifs_view *planes, size_t from, size_t to)
{
    const filling f = {picture, header, planes, from};
    for (size_t y = from; y < to; y++)
        put_row(&f, y);
}
