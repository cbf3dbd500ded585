/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Places a mesh in a cube of voxels, and reads its slices. The box around the triangles lies in the
 * middle, and its longest side spans all voxels but two. Triangles are sorted by height and first slice,
 * so that a slice finds those that may meet it without looking at the others, and any thread may do
 * any slice. Memory is that of the mesh and the slices that are asked for. */

#include "mesh_voxels.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bits of the largest coordinate. */
#define COORDINATE_BITS 30

#define SLICE_BITS  25 /* of the key of a triangle */
#define NUMBER_BITS 32

/* ---- Order ---- */

int rugi_compare_u64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t key_of(size_t height, size_t slice, size_t number)
{
    return ((uint64_t)height << SLICE_BITS | slice) << NUMBER_BITS | number;
}

/* The first in a part of the order that is not below a key. */
static size_t find(const uint64_t *order, size_t begin, size_t end, uint64_t key)
{
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        if (order[middle] < key)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

/* Where the triangles of the height in work lie that may meet the slice. */
static void choose_height(rugi_walk *walk)
{
    const rugi_voxels *v = walk->v;
    size_t h = walk->height, begin = v->heights[h], end = v->heights[h + 1];
    size_t reach = (size_t)1 << h, first = walk->z < reach ? 0 : walk->z - reach;
    walk->at = find(v->order, begin, end, key_of(h, first, 0));
    walk->end = find(v->order, walk->at, end, key_of(h, walk->z + 1, 0));
    walk->height++;
}

int rugi_walk_next(rugi_walk *walk, const int32_t *t[3])
{
    while (walk->at == walk->end) {
        if (walk->height == RUGI_HEIGHTS)
            return 0;
        choose_height(walk);
    }
    uint64_t key = walk->v->order[walk->at++];
    rugi_voxels_triangle(walk->v, (size_t)(uint32_t)key, t);
    return 1;
}

/* A triangle meets slices, or the upper half of the one before, from `first` to at most
 * first + 2^height. */
static void sort_triangles(rugi_voxels *v)
{
    for (size_t i = 0; i < v->n_triangles; i++) {
        const int32_t *t[3];
        rugi_voxels_triangle(v, i, t);
        size_t first = (size_t)((rugi_least(t, 2) - 1) / v->unit);
        size_t last = (size_t)(rugi_largest(t, 2) / v->unit) + 1, height = 0;
        while ((size_t)1 << height < last - first)
            height++;
        v->order[i] = key_of(height, first, i);
        v->heights[height + 1]++;
    }
    for (size_t h = 0; h < RUGI_HEIGHTS; h++)
        v->heights[h + 1] += v->heights[h];
    qsort(v->order, v->n_triangles, sizeof *v->order, rugi_compare_u64);
}

/* ---- Place ---- */

/* The box around the triangles: vertices that none has do not count. */
static void find_box(const rugi_mesh *mesh, double low[3], double high[3])
{
    for (int a = 0; a < 3; a++) {
        low[a] = high[a] = mesh->vertices[mesh->triangles[0][0]][a];
        for (size_t i = 0; i < mesh->n_triangles; i++)
            for (int k = 0; k < 3; k++) {
                double c = mesh->vertices[mesh->triangles[i][k]][a];
                low[a] = fmin(low[a], c);
                high[a] = fmax(high[a], c);
            }
    }
}

static void place_vertices(const rugi_mesh *mesh, rugi_voxels *v, const double low[3],
                           const double high[3], double extent)
{
    double whole = (double)v->side * (double)v->unit;
    double scale = (double)(v->side - 2) * (double)v->unit;
    v->pitch = extent / (double)(v->side - 2);
    for (int a = 0; a < 3; a++) {
        double begin = (whole - (high[a] - low[a]) / extent * scale) / 2;
        v->origin[a] = low[a] - begin / scale * extent;
        for (size_t i = 0; i < mesh->n_vertices; i++) {
            double c = fmin(fmax(mesh->vertices[i][a], low[a]), high[a]);
            v->corners[i][a] = (int32_t)lround(begin + (c - low[a]) / extent * scale);
        }
    }
}

rug_status rugi_voxels_place(rugi_mesh *mesh, rugi_voxels *v)
{
    double low[3], high[3], extent = 0;
    find_box(mesh, low, high);
    for (int a = 0; a < 3; a++)
        extent = fmax(extent, high[a] - low[a]);
    if (!(extent > 0) || !isfinite(extent) || !(extent / (double)v->side > 0))
        return rugi_mesh_damaged(
            mesh,
            "the box around its triangles is %g long; a mesh with an extent expected",
            extent);
    v->row_bytes = (v->side + 7) / 8;
    v->unit = (int64_t)1 << COORDINATE_BITS;
    while ((size_t)v->unit * v->side > (size_t)1 << COORDINATE_BITS)
        v->unit /= 2;
    v->n_triangles = mesh->n_triangles;
    v->triangles = mesh->triangles;
    mesh->triangles = NULL;
    v->corners =
        rug_context_allocate(mesh->ctx, mesh->n_vertices, sizeof *v->corners, mesh->path);
    v->order =
        rug_context_allocate(mesh->ctx, v->n_triangles, sizeof *v->order, mesh->path);
    if (v->corners == NULL || v->order == NULL)
        return RUG_E_NOMEM;
    place_vertices(mesh, v, low, high, extent);
    sort_triangles(v);
    return RUG_OK;
}
