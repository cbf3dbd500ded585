/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Attractors of iterated function systems as pictures: the bounding box of an attractor, and
 * the cells of a fine grid that the maps reach from each other. */

#include "core/context/context_internal.h"
#include "core/context/engine.h"
#include "core/context/sized.h"
#include "core/context/small.h"
#include <math.h>
#include <rugose/ifs_draw.h>

/* Cells of a picture at most, of two bits each. */
#define CELLS_MAX 0x1p31

typedef struct point {
    double x, y;
} point;

static point image_of(const rug_ifs_map *m, point p)
{
    return (point){m->a * p.x + m->b * p.y + m->e, m->c * p.x + m->d * p.y + m->f};
}

/* The largest singular value of the linear part. */
static double contraction_of(const rug_ifs_map *m)
{
    return (hypot(m->a + m->d, m->b - m->c) + hypot(m->a - m->d, m->b + m->c)) / 2;
}

/* The point that a contraction leaves where it is; it belongs to the attractor. */
static point fixed_point(const rug_ifs_map *m)
{
    double det = (1 - m->a) * (1 - m->d) - m->b * m->c;
    return (point){((1 - m->d) * m->e + m->b * m->f) / det,
                   (m->c * m->e + (1 - m->a) * m->f) / det};
}

/* ---- The bounding box ---- */

/* Directions are the points of a square around the origin, counterclockwise: no two neighbours
 * are further apart than 1 / 256, and there is no angle to round. */
#define QUARTER      512
#define N_DIRECTIONS (4 * (size_t)QUARTER)
#define EAST         ((size_t)QUARTER / 2)

static point turned(point p, size_t quarters)
{
    for (; quarters > 0; quarters--)
        p = (point){-p.y, p.x};
    return p;
}

static point direction_at(size_t i)
{
    return turned((point){QUARTER / 2, (double)(i % QUARTER) - QUARTER / 2}, i / QUARTER);
}

static size_t direction_near(point u)
{
    size_t quarter = 0;
    if (fabs(u.x) + fabs(u.y) == 0)
        return 0;
    for (; !(u.x > 0 && -u.x <= u.y && u.y < u.x); quarter++)
        u = turned(u, 3);
    size_t step = (size_t)floor(QUARTER * ((u.y / u.x + 1) / 2) + 0.5);
    return (quarter * QUARTER + step) % N_DIRECTIONS;
}

static double along(point u, point p)
{
    return u.x * p.x + u.y * p.y;
}

/* A rectangle that holds the attractor. */
typedef struct box {
    double x, y; /* the left and the upper edge; y is upwards */
    double width, height;
    double reach; /* of the coordinates */
} box;

static box box_of(const point *farthest)
{
    double right = farthest[EAST].x, top = farthest[EAST + QUARTER].y;
    double left = farthest[EAST + 2 * QUARTER].x, bottom = farthest[EAST + 3 * QUARTER].y;
    double reach = fmax(fmax(fabs(left), fabs(right)), fmax(fabs(top), fabs(bottom)));
    return (box){left, top, right - left, top - bottom, reach};
}

/* Takes a point that is farther in a direction. @return by how much */
static double advance(point *farthest, size_t direction, point p)
{
    point u = direction_at(direction);
    double gain = along(u, p) - along(u, farthest[direction]);
    if (gain > 0)
        farthest[direction] = p;
    return gain / (QUARTER / 2);
}

/* The points of the attractor that are farthest in each direction. Those of its image under a map
 * with the linear part A are images of the farthest in the direction A^T u.
 * @param farthest  [N_DIRECTIONS]
 * @return RUG_OK, RUG_E_CANCELLED */
static rug_status find_farthest(rug_context *ctx, point *farthest,
                                const rug_ifs_map *maps, size_t n_maps)
{
    rug_status status = RUG_OK;
    for (size_t i = 0; i < N_DIRECTIONS; i++) {
        farthest[i] = fixed_point(&maps[0]);
        for (size_t k = 1; k < n_maps; k++)
            advance(farthest, i, fixed_point(&maps[k]));
    }
    for (double gained = 1, least = 0; gained > least && status == RUG_OK;) {
        box b = box_of(farthest);
        least = 1e-7 * (b.width + b.height) + 1e-12 * b.reach;
        gained = 0;
        for (size_t i = 0; i < N_DIRECTIONS; i++)
            for (size_t k = 0; k < n_maps; k++) {
                const rug_ifs_map *m = &maps[k];
                point u = direction_at(i);
                size_t from = direction_near(
                    (point){m->a * u.x + m->c * u.y, m->b * u.x + m->d * u.y});
                gained = fmax(gained, advance(farthest, i, image_of(m, farthest[from])));
            }
        status = rug_context_step(ctx, 0);
    }
    return status;
}

/* ---- Cells ---- */

typedef struct cell {
    size_t x, y;
} cell;

/* A picture in work. */
typedef struct drawing {
    rug_ifs_picture picture;
    size_t n_cells;   /* along a pixel */
    size_t nx, ny;    /* cells a row, rows of cells */
    size_t n_words;   /* a row */
    uint64_t *met;    /* [ny][n_words] a bit for each cell that is met */
    uint64_t *todo;   /* likewise of those whose images are still to be met */
    uint8_t *rows;    /* [ny] whether such are in the row */
    cell first, last; /* those that the bounding box meets */
    rug_ifs_map maps[RUG_IFS_MAPS_MAX]; /* in cells, y downwards */
    size_t n_maps;
} drawing;

/* What lies before so many pixels in the middle of a row: whole pixels, so that an attractor of
 * whole pixels stays one; a thin one lies within a pixel. */
static double margin_of(double room, double n)
{
    return n < 0.5 ? floor(room / 2) + (1 - n) / 2 : fmax(floor((room - n) / 2), 0);
}

/* The last of the cells that an extent meets; one that it ends at is none. */
static size_t last_of(double first, double extent, size_t n)
{
    size_t end = (size_t)ceil(first + extent - 1e-6);
    return rugi_smaller(rugi_larger(end, (size_t)first + 1), n) - 1;
}

/* Maps of cells from those of the plane.
 * @return the cell of a point of the attractor */
static point place(drawing *d, const rug_ifs_map *maps, const box *b)
{
    double nx = d->picture.nx, ny = d->picture.ny, q = (double)d->n_cells, k = 1;
    double width = b->width, height = b->height;
    if (fmax(width, height) > 1e-10 * b->reach)
        k = fmin(nx / width, ny / height);
    else
        width = height = 0;
    double left = q * margin_of(nx, k * width), top = q * margin_of(ny, k * height);
    k *= q;
    d->first = (cell){(size_t)left, (size_t)top};
    d->last = (cell){last_of(left, k * width, d->nx), last_of(top, k * height, d->ny)};
    for (size_t i = 0; i < d->n_maps; i++) {
        const rug_ifs_map *m = &maps[i];
        point corner = image_of(m, (point){b->x, b->y});
        double e = left + k * (corner.x - b->x), f = top + k * (b->y - corner.y);
        d->maps[i] = (rug_ifs_map){m->a,
                                   -m->b,
                                   -m->c,
                                   m->d,
                                   e - m->a * left + m->b * top,
                                   f + m->c * left - m->d * top};
    }
    return fixed_point(&d->maps[0]);
}

/* The cell that holds a number, or the nearest in the bounding box. */
static size_t cell_at(double at, size_t first, size_t last)
{
    return at > (double)first ? (at < (double)last ? (size_t)at : last) : first;
}

static void meet(drawing *d, point p)
{
    size_t x = cell_at(p.x, d->first.x, d->last.x);
    size_t y = cell_at(p.y, d->first.y, d->last.y);
    size_t word = y * d->n_words + x / 64;
    uint64_t bit = (uint64_t)1 << x % 64;
    if (d->met[word] & bit)
        return;
    d->met[word] |= bit;
    d->todo[word] |= bit;
    d->rows[y] = 1;
    size_t pixel = y / d->n_cells * d->picture.nx + x / d->n_cells;
    ((uint8_t *)d->picture.pixels)[pixel] = 255;
}

static void meet_images(drawing *d, size_t y)
{
    uint64_t *todo = d->todo + y * d->n_words, bits;
    for (size_t w = 0; w < d->n_words; w++)
        while ((bits = todo[w]) != 0) {
            size_t x = 64 * w + (size_t)__builtin_ctzll(bits);
            todo[w] &= bits - 1;
            for (size_t i = 0; i < d->n_maps; i++)
                meet(d, image_of(&d->maps[i], (point){(double)x + 0.5, (double)y + 0.5}));
        }
}

/* All cells that can be met, in whatever order. */
static rug_status meet_all(rug_context *ctx, drawing *d)
{
    rug_status status = RUG_OK;
    for (int again = 1; again && status == RUG_OK;) {
        again = 0;
        for (size_t y = 0; y < d->ny && status == RUG_OK; y++)
            if (d->rows[y]) {
                d->rows[y] = 0;
                meet_images(d, y);
                again = 1;
                status = rug_context_step(ctx, 0.5);
            }
    }
    return status;
}

/* ---- The call ---- */

/* Checks the maps, and copies them with offsets of at most 1: a power of 2 changes no digit, and
 * the picture is the same. */
static rug_status take_maps(rug_context *ctx, rug_ifs_map *own, double *contraction,
                            const rug_ifs_map *maps, size_t n_maps)
{
    double largest = 0;
    int exponent = 0;
    *contraction = 0;
    if (n_maps < 1 || n_maps > RUG_IFS_MAPS_MAX)
        return rug_context_fail(ctx, RUG_E_ARG, "%zu maps given, 1..%d expected", n_maps,
                                RUG_IFS_MAPS_MAX);
    for (size_t i = 0; i < n_maps; i++) {
        const rug_ifs_map *m = &maps[i];
        double s = contraction_of(m), offset = fmax(fabs(m->e), fabs(m->f));
        if (!isfinite(m->e) || !isfinite(m->f) || isnan(s))
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "maps[%zu] has a number that is not finite", i);
        if (!(s < 1))
            return rug_context_fail(
                ctx, RUG_E_ARG,
                "maps[%zu] does not contract: its largest singular value is %.12g, "
                "below 1 expected",
                i, s);
        *contraction = fmax(*contraction, s);
        largest = fmax(largest, offset);
    }
    frexp(largest, &exponent);
    for (size_t i = 0; i < n_maps; i++) {
        own[i] = maps[i];
        own[i].e = ldexp(maps[i].e, -exponent);
        own[i].f = ldexp(maps[i].f, -exponent);
    }
    return RUG_OK;
}

/* Where centres are off by half a cell's diagonal, images of images are by at most 1 / (1 - s)
 * as much. */
static rug_status size_up(rug_context *ctx, drawing *d, double contraction)
{
    double nx = d->picture.nx, ny = d->picture.ny;
    double n_cells = ceil(sqrt(2) / (1 - contraction));
    if (!(n_cells * n_cells <= CELLS_MAX))
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "a map has a largest singular value of %.12g, at most %.5f can be drawn",
            contraction, 1 - 1 / sqrt(CELLS_MAX / 2));
    if (nx * n_cells * ny * n_cells > CELLS_MAX)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "a picture of %.0f x %.0f pixels given; a largest singular value of %.12g "
            "needs one of at most %.0f pixels in all",
            nx, ny, contraction, floor(CELLS_MAX / (n_cells * n_cells)));
    d->n_cells = (size_t)n_cells;
    d->nx = d->picture.nx * d->n_cells;
    d->ny = d->picture.ny * d->n_cells;
    d->n_words = (d->nx + 63) / 64;
    return RUG_OK;
}

static rug_status draw(rug_context *ctx, drawing *d, const rug_ifs_map *maps)
{
    static const char what[] = "cells of a picture";
    size_t n = d->n_words * d->ny;
    point *farthest = rug_context_allocate(ctx, N_DIRECTIONS, sizeof *farthest, what);
    d->met = rugi_allocate_zeros(ctx, n, sizeof *d->met, what);
    d->todo = rugi_allocate_zeros(ctx, n, sizeof *d->todo, what);
    d->rows = rugi_allocate_zeros(ctx, d->ny, sizeof *d->rows, what);
    d->picture.pixels = rugi_allocate_zeros(ctx, d->picture.ny, d->picture.nx, what);
    rug_status status = RUG_E_NOMEM;
    if (farthest != NULL && d->met != NULL && d->todo != NULL && d->rows != NULL &&
        d->picture.pixels != NULL)
        status = find_farthest(ctx, farthest, maps, d->n_maps);
    if (status == RUG_OK) {
        box b = box_of(farthest);
        meet(d, place(d, maps, &b));
        status = meet_all(ctx, d);
    }
    rug_context_release(ctx, farthest);
    rug_context_release(ctx, d->met);
    rug_context_release(ctx, d->todo);
    rug_context_release(ctx, d->rows);
    return status;
}

rug_status rug_ifs_draw(rug_context *ctx, rug_ifs_picture *out, const rug_ifs_map *maps,
                        size_t n_maps, uint32_t nx, uint32_t ny)
{
    drawing d = {.picture = RUG_IFS_PICTURE_INIT, .n_maps = n_maps};
    rug_ifs_map own[RUG_IFS_MAPS_MAX];
    double contraction;
    rug_status status = rugi_clear(ctx, out, "rug_ifs_picture");
    d.picture.dtype = RUG_U8;
    d.picture.n_planes = 1;
    d.picture.nx = nx;
    d.picture.ny = ny;
    if (status == RUG_OK && (ctx == NULL || maps == NULL))
        status = rug_context_fail(ctx, RUG_E_ARG, "rug_ifs_draw: NULL given");
    if (status == RUG_OK)
        status = rugi_engine_cpu_only(ctx, "drawing function systems");
    if (status == RUG_OK)
        status = take_maps(ctx, own, &contraction, maps, n_maps);
    if (status == RUG_OK &&
        (nx < 1 || ny < 1 || nx > RUG_IFS_SIDE_MAX || ny > RUG_IFS_SIDE_MAX))
        status = rug_context_fail(
            ctx, RUG_E_ARG, "a picture of %u x %u pixels given, sides of 1..%d expected",
            nx, ny, RUG_IFS_SIDE_MAX);
    if (status == RUG_OK)
        status = size_up(ctx, &d, contraction);
    if (status != RUG_OK)
        return status;
    rugi_context_set_engine(ctx, "cpu");
    status = draw(ctx, &d, own);
    if (status == RUG_OK)
        RUGI_GIVE(out, &d.picture);
    else
        rug_ifs_picture_free(ctx, &d.picture);
    return status;
}
