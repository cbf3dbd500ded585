/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Meshes as volumes of cells; see bench_voxels.h. With coordinates below 2^20 the largest number is
 * three times the product of an area, 2^41, and a coordinate: below 2^63. */

#include "bench_voxels.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Units of a cell. */
#define UNIT 1024

typedef int64_t corner[3];

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The vertices in units; NULL: the mesh has no extent, or there is no memory. */
static corner *place_vertices(const bench_mesh *mesh, size_t side)
{
    double low[3], extent = 0, length[3];
    corner *out = malloc(mesh->n_vertices * sizeof *out);
    for (int a = 0; a < 3; a++) {
        double high = low[a] = mesh->vertices[0][a];
        for (size_t i = 1; i < mesh->n_vertices; i++) {
            low[a] = fmin(low[a], mesh->vertices[i][a]);
            high = fmax(high, mesh->vertices[i][a]);
        }
        length[a] = high - low[a];
        extent = fmax(extent, length[a]);
    }
    if (out == NULL || extent <= 0 || !isfinite(extent)) {
        free(out);
        return NULL;
    }
    double scale = (double)(side * UNIT);
    for (int a = 0; a < 3; a++) {
        double begin = (scale - length[a] / extent * scale) / 2;
        for (size_t i = 0; i < mesh->n_vertices; i++)
            out[i][a] = llround(begin + (mesh->vertices[i][a] - low[a]) / extent * scale);
    }
    return out;
}

/* The first and the last cell, in 0 .. side - 1, that a range meets. */
static void range_of_cells(int64_t range[2], int64_t low, int64_t high, int64_t side)
{
    range[0] = most((low - 1) / UNIT, 0);
    range[1] = least(high / UNIT, side - 1);
}

/* ---- Solid ---- */

/* Whether a step in +u from a point leads across an edge. The edge has its lower end, of the v axis,
 * but not its upper one, so that of edges that meet in a vertex each point crosses the right ones. The
 * answer depends on the edge alone, not on its direction. */
static int is_crossed(const int64_t *a, const int64_t *b, int u, int v,
                      const int64_t at[2])
{
    if ((a[v] > at[1]) == (b[v] > at[1]))
        return 0;
    const int64_t *low = a[v] < b[v] ? a : b, *high = low == a ? b : a;
    return (high[u] - low[u]) * (at[1] - low[v]) > (at[0] - low[u]) * (high[v] - low[v]);
}

/* The first cell along axis w whose centre lies at or behind the triangle's plane. */
static int64_t first_behind(corner *const t[3], int w, const int64_t at[2])
{
    int u = (w + 1) % 3, v = (w + 2) % 3;
    const int64_t *a = *t[0], *b = *t[1], *c = *t[2];
    int64_t bu = b[u] - a[u], bv = b[v] - a[v], cu = c[u] - a[u], cv = c[v] - a[v];
    int64_t pu = at[0] - a[u], pv = at[1] - a[v];
    double area = (double)(bu * cv - bv * cu);
    double of_b = (double)(pu * cv - pv * cu) / area;
    double of_c = (double)(bu * pv - bv * pu) / area;
    double depth =
        (double)a[w] + of_b * (double)(b[w] - a[w]) + of_c * (double)(c[w] - a[w]);
    return (int64_t)ceil(depth / UNIT - 0.5);
}

static size_t place(size_t side, int u, int64_t at_u, int v, int64_t at_v, int w,
                    int64_t at_w)
{
    size_t xyz[3];
    xyz[u] = (size_t)at_u;
    xyz[v] = (size_t)at_v;
    xyz[w] = (size_t)at_w;
    return (xyz[2] * side + xyz[1]) * side + xyz[0];
}

/* Bit w of a cell is turned where a ray along axis w comes through the triangle before it. Crossings
 * behind the last cell are turned in `behind`, [side][side]. */
static void cross(uint8_t *cells, uint8_t *behind, size_t side, corner *const t[3], int w)
{
    int u = (w + 1) % 3, v = (w + 2) % 3;
    const int64_t *a = *t[0], *b = *t[1], *c = *t[2];
    int64_t n = (int64_t)side, us[2], vs[2], p[2];
    range_of_cells(us, least(a[u], least(b[u], c[u])), most(a[u], most(b[u], c[u])), n);
    range_of_cells(vs, least(a[v], least(b[v], c[v])), most(a[v], most(b[v], c[v])), n);
    for (int64_t j = vs[0]; j <= vs[1]; j++)
        for (int64_t i = us[0]; i <= us[1]; i++) {
            p[0] = i * UNIT + UNIT / 2;
            p[1] = j * UNIT + UNIT / 2;
            if (!(is_crossed(a, b, u, v, p) ^ is_crossed(b, c, u, v, p) ^
                  is_crossed(c, a, u, v, p)))
                continue;
            int64_t k = most(first_behind(t, w, p), 0);
            if (k < n)
                cells[place(side, u, i, v, j, w, k)] ^= (uint8_t)(1 << w);
            else
                behind[(size_t)(j * n + i)] ^= 1;
        }
}

/* From turns to votes: bit w is set inside; bit 3 + w where the ray has no vote. */
static void add_up(uint8_t *cells, const uint8_t *behind, size_t side, int w)
{
    int u = (w + 1) % 3, v = (w + 2) % 3;
    int64_t n = (int64_t)side;
    size_t step = place(side, u, 0, v, 0, w, 1);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            uint8_t *ray = cells + place(side, u, i, v, j, w, 0);
            uint8_t is_inside = 0;
            for (size_t k = 0; k < side; k++) {
                is_inside = (uint8_t)(is_inside ^ (ray[k * step] >> w & 1));
                ray[k * step] = (uint8_t)((ray[k * step] & ~(1 << w)) | is_inside << w);
            }
            if (is_inside == behind[(size_t)(j * n + i)])
                continue;
            for (size_t k = 0; k < side; k++)
                ray[k * step] |= (uint8_t)(8 << w);
        }
}

static uint8_t majority(uint8_t votes)
{
    int n = 0, n_inside = 0;
    for (int w = 0; w < 3; w++) {
        int has_vote = !(votes >> (3 + w) & 1);
        n += has_vote;
        n_inside += has_vote & votes >> w;
    }
    return 2 * n_inside > n;
}

int bench_voxels_solid(uint8_t *cells, size_t side, const bench_mesh *mesh)
{
    corner *vertices = place_vertices(mesh, side);
    uint8_t *behind = malloc(side * side), decided[64];
    if (vertices == NULL || behind == NULL) {
        free(vertices);
        free(behind);
        return 0;
    }
    memset(cells, 0, side * side * side);
    for (int w = 0; w < 3; w++) {
        memset(behind, 0, side * side);
        for (size_t i = 0; i < mesh->n_triangles; i++) {
            const uint32_t *t = mesh->triangles[i];
            corner *const corners[3] = {&vertices[t[0]], &vertices[t[1]],
                                        &vertices[t[2]]};
            cross(cells, behind, side, corners, w);
        }
        add_up(cells, behind, side, w);
    }
    for (uint8_t votes = 0; votes < 64; votes++)
        decided[votes] = majority(votes);
    for (size_t i = 0; i < side * side * side; i++)
        cells[i] = decided[cells[i]];
    free(behind);
    free(vertices);
    return 1;
}

/* ---- Surface ---- */

static void cross_product(corner out, const corner a, const corner b)
{
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        out[k] = a[l] * b[m] - a[m] * b[l];
    }
}

static int64_t dot(const corner a, const corner b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* A triangle and what its tests share. */
typedef struct triangle {
    corner at[3], edges[3], normal;
} triangle;

static triangle make_triangle(const corner a, const corner b, const corner c)
{
    triangle t;
    memcpy(t.at[0], a, sizeof(corner));
    memcpy(t.at[1], b, sizeof(corner));
    memcpy(t.at[2], c, sizeof(corner));
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            t.edges[i][k] = t.at[(i + 1) % 3][k] - t.at[i][k];
    cross_product(t.normal, t.edges[0], t.edges[1]);
    return t;
}

/* Whether an axis parts the triangle from the cell around 0. */
static int parts(const corner axis, corner at[3])
{
    int64_t p[3];
    for (int i = 0; i < 3; i++)
        p[i] = dot(axis, at[i]);
    int64_t reach = UNIT / 2 * (llabs(axis[0]) + llabs(axis[1]) + llabs(axis[2]));
    return least(p[0], least(p[1], p[2])) > reach ||
           most(p[0], most(p[1], p[2])) < -reach;
}

static int meets_cell(const triangle *t, const int64_t cell[3])
{
    corner at[3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            at[i][k] = t->at[i][k] - (cell[k] * UNIT + UNIT / 2);
    if (parts(t->normal, at))
        return 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            corner unit = {0}, axis;
            unit[k] = 1;
            cross_product(axis, unit, t->edges[i]);
            if (parts(axis, at))
                return 0;
        }
    return 1;
}

/* The three axes of the cells are tested by the ranges of cells that are looked at. */
static void touch(uint8_t *cells, size_t side, const triangle *t)
{
    int64_t ranges[3][2], cell[3];
    for (int k = 0; k < 3; k++)
        range_of_cells(ranges[k], least(t->at[0][k], least(t->at[1][k], t->at[2][k])),
                       most(t->at[0][k], most(t->at[1][k], t->at[2][k])), (int64_t)side);
    for (cell[2] = ranges[2][0]; cell[2] <= ranges[2][1]; cell[2]++)
        for (cell[1] = ranges[1][0]; cell[1] <= ranges[1][1]; cell[1]++)
            for (cell[0] = ranges[0][0]; cell[0] <= ranges[0][1]; cell[0]++) {
                uint8_t *is_set = &cells[place(side, 0, cell[0], 1, cell[1], 2, cell[2])];
                if (!*is_set)
                    *is_set = (uint8_t)meets_cell(t, cell);
            }
}

int bench_voxels_surface(uint8_t *cells, size_t side, const bench_mesh *mesh)
{
    corner *vertices = place_vertices(mesh, side);
    if (vertices == NULL)
        return 0;
    memset(cells, 0, side * side * side);
    for (size_t i = 0; i < mesh->n_triangles; i++) {
        const uint32_t *n = mesh->triangles[i];
        triangle t = make_triangle(vertices[n[0]], vertices[n[1]], vertices[n[2]]);
        touch(cells, side, &t);
    }
    free(vertices);
    return 1;
}
