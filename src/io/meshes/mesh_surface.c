/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The voxels that a triangle touches, by the separating axes of Akenine-Moller 2001 ("Fast 3D
 * triangle-box overlap testing", Journal of Graphics Tools 6(1)): three of the cube, the normal of the
 * triangle, and nine products of their edges. Each axis leaves an interval of the voxels of a row, as
 * the projections of both change linearly along it, so that rows are set at once. With coordinates up
 * to 2^30 areas are below 2^62, and their products with coordinates below 2^93. */

#include "mesh_voxels.h"

/* Projections of a triangle and of the cubes of a row, or a column of rows, along one axis: cube i
 * has least + step i to most + step i. */
typedef struct projection {
    int64_t step, least, most, from, to; /* from, to: of the triangle */
} projection;

/* The triangle in work, and what all slices need of it. */
typedef struct triangle {
    const int32_t *at[3];
    int64_t edge[3][3];
    int64_t normal[3];
} triangle;

static void measure(triangle *t)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            t->edge[i][k] = (int64_t)t->at[(i + 1) % 3][k] - t->at[i][k];
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        t->normal[k] = t->edge[0][l] * t->edge[1][m] - t->edge[0][m] * t->edge[1][l];
    }
}

/* The voxels that a closed range of units meets. */
static rugi_span span_of(const rugi_voxels *v, int64_t least, int64_t largest)
{
    int64_t side = (int64_t)v->side;
    rugi_span span = {(least - 1) / v->unit, largest / v->unit + 1};
    span.begin = span.begin > 0 ? span.begin : 0;
    span.end = span.end < side ? span.end : side;
    return span;
}

static void keep_meeting(rugi_span *span, const projection *p)
{
    rugi_keep(span, p->step, (rugi_int128)p->from - p->most);
    rugi_keep(span, -(rugi_int128)p->step, (rugi_int128)p->least - p->to);
}

/* Keeps the voxels along axis `along` that an axis across an edge does not part from the triangle: the
 * edge in the plane of `along` and `other`, on which the cube is that of number `at`. */
static void keep_edge(const rugi_voxels *v, rugi_span *span, const triangle *t, int edge,
                      int along, int other, int64_t at)
{
    int64_t u = v->unit, a = -t->edge[edge][other], b = t->edge[edge][along];
    const int32_t *p = t->at[edge], *q = t->at[(edge + 2) % 3];
    int64_t on_edge = a * p[along] + b * p[other], off = a * q[along] + b * q[other];
    projection axis = {a * u, b * u * at, b * u * at, on_edge, off};
    if (off < on_edge) {
        axis.from = off;
        axis.to = on_edge;
    }
    axis.least += (a < 0 ? a * u : 0) + (b < 0 ? b * u : 0);
    axis.most += (a > 0 ? a * u : 0) + (b > 0 ? b * u : 0);
    keep_meeting(span, &axis);
}

/* Keeps those of a row that the plane of the triangle goes through. */
static void keep_plane(const rugi_voxels *v, rugi_span *span, const triangle *t,
                       int64_t y, int64_t z)
{
    const int64_t *n = t->normal, u = v->unit;
    rugi_int128 least = (rugi_int128)n[1] * (y * u - t->at[0][1]) +
                        (rugi_int128)n[2] * (z * u - t->at[0][2]) -
                        (rugi_int128)n[0] * t->at[0][0];
    rugi_int128 most = least;
    for (int k = 0; k < 3; k++) {
        least += n[k] < 0 ? (rugi_int128)n[k] * u : 0;
        most += n[k] > 0 ? (rugi_int128)n[k] * u : 0;
    }
    rugi_keep(span, (rugi_int128)n[0] * u, -most);
    rugi_keep(span, -(rugi_int128)n[0] * u, least);
}

static void touch(const rugi_voxels *v, unsigned char *slice, const triangle *t,
                  int64_t z)
{
    rugi_span rows = span_of(v, rugi_least(t->at, 1), rugi_largest(t->at, 1));
    rugi_span columns = span_of(v, rugi_least(t->at, 0), rugi_largest(t->at, 0));
    for (int edge = 0; edge < 3; edge++) {
        keep_edge(v, &rows, t, edge, 1, 2, z);
        keep_edge(v, &columns, t, edge, 0, 2, z);
    }
    for (int64_t y = rows.begin; y < rows.end; y++) {
        rugi_span row = columns;
        for (int edge = 0; edge < 3; edge++)
            keep_edge(v, &row, t, edge, 0, 1, y);
        keep_plane(v, &row, t, y, z);
        rugi_set_bits(slice + (size_t)y * v->row_bytes, row, RUGI_SET);
    }
}

void rugi_surface_slice(const rugi_voxels *v, unsigned char *slice, size_t z)
{
    rugi_walk walk = rugi_walk_begin(v, z);
    for (triangle t; rugi_walk_next(&walk, t.at);) {
        rugi_span slices = span_of(v, rugi_least(t.at, 2), rugi_largest(t.at, 2));
        if ((int64_t)z < slices.begin || (int64_t)z >= slices.end)
            continue;
        measure(&t);
        touch(v, slice, &t, (int64_t)z);
    }
}
