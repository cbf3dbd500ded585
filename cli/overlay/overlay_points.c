/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Overlays of points: projections along axes. The more points a pixel holds, the brighter it is. */

#include "overlay.h"
#include "overlay_picture.h"
#include <math.h>
#include <string.h>

#define LONGEST  1000 /* pixels of the longest axis */
#define THINNEST 16   /* of an axis along which points do not differ */

/* Where points lie. */
typedef struct bounds {
    double least[3], length[3];
} bounds;

static double coordinate(const rug_points *points, uint64_t i, int axis)
{
    const char *at = (const char *)points->data + (ptrdiff_t)i * points->stride[0] +
                     axis * points->stride[1];
    double value = (double)NAN;
    cli_take_values(&value, at, 1, 0, points->dtype);
    return value;
}

static void find_bounds(bounds *b, const rug_points *points, int n_axes)
{
    for (int a = 0; a < n_axes; a++) {
        double least = HUGE_VAL, most = -HUGE_VAL;
        for (uint64_t i = 0; i < points->n; i++) {
            double c = coordinate(points, i, a);
            least = fmin(least, c);
            most = fmax(most, c);
        }
        b->least[a] = points->n > 0 ? least : 0;
        b->length[a] =
            points->n > 0 ? most / 2 - least / 2 : 0; /* halved, as they may be far */
    }
}

/* The pixel of a coordinate, of n along an axis. */
static size_t pixel_of(const bounds *b, int axis, double c, size_t n)
{
    if (!(b->length[axis] > 0))
        return n / 2;
    double at = (c / 2 - b->least[axis] / 2) / b->length[axis] * (double)n;
    return at < (double)n ? (size_t)at : n - 1;
}

/* Counts the points in each pixel; y goes up. */
static void project(cli_plane *p, const rug_points *points, const bounds *b, int x_axis,
                    int y_axis)
{
    for (uint64_t i = 0; i < points->n; i++) {
        size_t x = pixel_of(b, x_axis, coordinate(points, i, x_axis), p->n_columns);
        size_t y = y_axis < points->ndim
                       ? pixel_of(b, y_axis, coordinate(points, i, y_axis), p->n_rows)
                       : p->n_rows / 2;
        size_t cell = (p->n_rows - 1 - y) * p->n_columns + x;
        p->value[cell] += 1;
        p->set[cell] = 255;
    }
}

static void make_densities(cli_picture *picture)
{
    picture->has_range = 1;
    for (size_t i = 0; i < picture->n_planes; i++) {
        const cli_plane *p = &picture->planes[i];
        for (size_t k = 0; k < p->n_rows * p->n_columns; k++) {
            p->value[k] = log1p(p->value[k]);
            picture->white = fmax(picture->white, p->value[k]);
        }
    }
}

static double longest_of(const bounds *b)
{
    return fmax(b->length[0], fmax(b->length[1], b->length[2]));
}

/* Pixels of the longest axis, so that all planes have room. */
static double find_pixels(const bounds *b, int n_planes, size_t limit)
{
    double room = (double)limit, longest = longest_of(b);
    if (n_planes == 1 || !(longest > 0))
        return fmin(LONGEST, room);
    double width = 2 * (b->length[0] / longest) + b->length[1] / longest;
    room -= 2 * CLI_PLANE_GAP + 3 * THINNEST;
    return fmin(LONGEST, fmax(room, THINNEST) / fmax(width, 1));
}

static size_t side_of(const bounds *b, int axis, double pixels)
{
    double side = floor(b->length[axis] / longest_of(b) * pixels + 0.5);
    return side > THINNEST ? (size_t)side : THINNEST;
}

static rug_status show(cli_run *run, const cli_points *points, size_t limit,
                       const cli_picture_end *end)
{
    static const int axes[CLI_MAX_PLANES][2] = {{0, 1}, {0, 2}, {1, 2}};
    const rug_points *p = points->points;
    const int n_axes = p->ndim < 3 ? p->ndim : p->ndim == 3 ? 3 : 2;
    const int n_planes = n_axes == 3 ? 3 : 1;
    bounds b = {{0, 0, 0}, {0, 0, 0}};
    cli_picture picture = {.n_planes = 0};
    rug_status status = RUG_OK;
    find_bounds(&b, p, n_axes);
    double pixels = find_pixels(&b, n_planes, limit);
    for (int i = 0; i < n_planes && status == RUG_OK; i++) {
        cli_plane shape = {.n_rows = side_of(&b, axes[i][1], pixels),
                           .n_columns = side_of(&b, axes[i][0], pixels)};
        shape.height = shape.n_rows;
        shape.width = shape.n_columns;
        status = cli_add_plane(run, &picture, &shape, CLI_PLANE_SET);
        if (status == RUG_OK)
            project(&picture.planes[i], p, &b, axes[i][0], axes[i][1]);
    }
    if (status == RUG_OK) {
        make_densities(&picture);
        status = cli_end_picture(run, &picture, end);
    }
    cli_free_picture(run, &picture);
    return status;
}

/* For the page. */
static rug_status encode(cli_run *run, const void *points, size_t limit,
                         unsigned char **png, size_t *n)
{
    return show(run, points, limit, &(cli_picture_end){.png = png, .n = n});
}

rug_status cli_show_points(cli_run *run, const cli_points *points)
{
    const cli_picture_end end = {.name = points->path};
    const cli_making page = {
        points->path, "the points, projected along each axis", encode, points, 0, 0, 1};
    rug_status status = RUG_OK;
    cli_phase(run, 1);
    if (run->common.overlay != NULL)
        status = show(run, points, CLI_OVERLAY_LIMIT, &end);
    return status == RUG_OK ? cli_fit_picture(run, &page) : status;
}
