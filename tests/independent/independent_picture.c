/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* FORMAT.md, section 6: from planes to a picture of the wanted size; the notation; and what the
 * planes of trees and of blocks have in common. */

#include "independent_v3.h"
#include <stdio.h>
#include <stdlib.h>

void *ind_alloc(size_t n, size_t size)
{
    void *memory = calloc(n, size);
    if (!memory) {
        fprintf(stderr, "no memory for %zu x %zu bytes\n", n, size);
        exit(2);
    }
    return memory;
}

ind_plane ind_new_plane(int64_t nx, int64_t ny)
{
    return (ind_plane){nx, ny, ind_alloc((size_t)nx * (size_t)ny, sizeof(int64_t))};
}

int64_t *ind_at(const ind_plane *plane, int64_t y, int64_t x)
{
    return &plane->v[y * plane->nx + x];
}

int64_t ind_floor(int64_t a, int64_t b)
{
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

int64_t ind_round(int64_t a, int n)
{
    int64_t unit = (int64_t)1 << n;
    return ind_floor(a + unit / 2, unit);
}

int64_t ind_limit(int64_t a, int64_t least, int64_t most)
{
    return a < least ? least : a > most ? most : a;
}

int64_t ind_least(int depth)
{
    return -((int64_t)1 << (depth + 4));
}

int64_t ind_most(int depth)
{
    return ((int64_t)1 << (depth + 6)) + ((int64_t)1 << (depth + 4));
}

int64_t ind_clamp(int64_t a, int depth)
{
    return ind_limit(a, ind_least(depth), ind_most(depth));
}

void ind_isometry(int symmetry, int64_t n, int64_t *y, int64_t *x)
{
    int64_t b = *y, a = *x;
    int64_t rows[] = {b, a, n - 1 - b, n - 1 - a, b, n - 1 - b, a, n - 1 - a};
    int64_t columns[] = {a, n - 1 - b, n - 1 - a, b, n - 1 - a, a, b, n - 1 - b};
    *y = rows[symmetry];
    *x = columns[symmetry];
}

/* Pixel (y, x) of a domain as it is. */
static int64_t domain_pixel(const ind_plane *from, const ind_square *s, bool sums,
                            int64_t y, int64_t x)
{
    int64_t pixels = sums ? 2 : 1, sum = 0;
    for (int64_t i = 0; i < pixels; i++)
        for (int64_t j = 0; j < pixels; j++)
            sum += *ind_at(from, (s->domain_y + pixels * y + i) % from->ny,
                           (s->domain_x + pixels * x + j) % from->nx);
    return sum;
}

void ind_changes(int64_t *out, const ind_plane *from, const ind_square *square, bool sums,
                 int shift)
{
    if (!square->has_domain)
        return;
    int64_t n = square->side, sum = 0;
    for (int64_t y = 0; y < n; y++)
        for (int64_t x = 0; x < n; x++)
            sum += domain_pixel(from, square, sums, y, x);
    int64_t mean = ind_floor(sum + n * n / 2, n * n);
    for (int64_t y = 0; y < n; y++) {
        for (int64_t x = 0; x < n; x++) {
            int64_t b = y, a = x;
            ind_isometry(square->symmetry, n, &b, &a);
            int64_t d = domain_pixel(from, square, sums, b, a);
            out[y * n + x] = ind_round(square->k * (d - mean), shift);
        }
    }
}

/* n pixels from `from_n`, by area means: of a line whose pixels lie `stride` apart. */
static void resize_line(int64_t *to, int64_t to_stride, int64_t n, const int64_t *from,
                        int64_t from_stride, int64_t from_n)
{
    for (int64_t i = 0; i < n; i++) {
        int64_t sum = 0;
        for (int64_t j = i * from_n / n; j < from_n && j * n < (i + 1) * from_n; j++) {
            int64_t begin = j * n > i * from_n ? j * n : i * from_n;
            int64_t end = (j + 1) * n < (i + 1) * from_n ? (j + 1) * n : (i + 1) * from_n;
            sum += (end - begin) * from[j * from_stride];
        }
        to[i * to_stride] = ind_floor(sum + from_n / 2, from_n);
    }
}

ind_plane ind_resize(const ind_plane *from, int64_t from_ny, int64_t from_nx, int64_t ny,
                     int64_t nx)
{
    ind_plane rows = ind_new_plane(nx, from_ny), out = ind_new_plane(nx, ny);
    for (int64_t y = 0; y < from_ny; y++)
        resize_line(ind_at(&rows, y, 0), 1, nx, ind_at(from, y, 0), 1, from_nx);
    for (int64_t x = 0; x < nx; x++)
        resize_line(ind_at(&out, 0, x), nx, ny, ind_at(&rows, 0, x), nx, from_ny);
    free(rows.v);
    return out;
}

/* A plane of grey levels at the wanted size. */
static const char *decode_plane(ind_plane *out, const ind_head *head, int plane,
                                int64_t nx, int64_t ny)
{
    int octave = 0, depth = head->planes[plane].depth;
    while (head->nx << octave < nx || head->ny << octave < ny)
        octave++;
    ind_plane padded;
    const char *wrong = head->partition == IND_QUADTREE
                            ? ind_decode_trees(&padded, head, plane, octave)
                            : ind_decode_blocks(&padded, head, plane, octave);
    if (wrong)
        return wrong;
    *out = ind_resize(&padded, head->ny << octave, head->nx << octave, ny, nx);
    for (int64_t i = 0; i < nx * ny; i++)
        out->v[i] = ind_limit(ind_round(out->v[i], 6), 0, ((int64_t)1 << depth) - 1);
    free(padded.v);
    return NULL;
}

void ind_to_colours(ind_plane planes[3], int depth)
{
    int64_t middle = (int64_t)1 << depth;
    for (int64_t i = 0; i < planes[0].nx * planes[0].ny; i++) {
        int64_t co = planes[1].v[i] - middle, cg = planes[2].v[i] - middle;
        int64_t t = planes[0].v[i] - ind_floor(cg, 2);
        int64_t green = cg + t, blue = t - ind_floor(co, 2), red = blue + co;
        planes[0].v[i] = red;
        planes[1].v[i] = green;
        planes[2].v[i] = blue;
    }
}

const char *ind_read_size(int64_t *nx, int64_t *ny, const uint8_t *bytes, size_t size)
{
    bool is_v3 = size > 4 && bytes[4] == 3;
    ind_head head = {0};
    ind_head_v3 head_v3 = {0};
    const char *wrong = is_v3 ? ind_read_head_v3(&head_v3, bytes, size)
                              : ind_read_head(&head, bytes, size);
    *nx = is_v3 ? head_v3.nx : head.nx;
    *ny = is_v3 ? head_v3.ny : head.ny;
    free(head_v3.tiles);
    return wrong;
}

const char *ind_decode(ind_picture *out, const uint8_t *bytes, size_t size, int64_t nx,
                       int64_t ny)
{
    int64_t coded_nx, coded_ny;
    const char *wrong = ind_read_size(&coded_nx, &coded_ny, bytes, size);
    if (wrong)
        return wrong;
    nx = nx ? nx : coded_nx;
    ny = ny ? ny : coded_ny;
    if (nx > 16 * coded_nx || ny > 16 * coded_ny)
        return "the picture would be more than 16 times as large";
    if (size > 4 && bytes[4] == 3)
        return ind_decode_v3(out, bytes, size, nx, ny);
    ind_head head;
    ind_plane planes[3] = {{0, 0, NULL}, {0, 0, NULL}, {0, 0, NULL}};
    wrong = ind_read_head(&head, bytes, size);
    for (int p = 0; p < head.n_planes && !wrong; p++)
        wrong = decode_plane(&planes[p], &head, p, nx, ny);
    if (!wrong) {
        if (head.has_colour_transform)
            ind_to_colours(planes, head.depth);
        *out = (ind_picture){nx, ny, head.n_planes, head.depth, NULL};
        out->pixels = ind_alloc((size_t)(head.n_planes * nx * ny), sizeof *out->pixels);
        int64_t white = ((int64_t)1 << head.depth) - 1;
        for (int64_t i = 0; i < head.n_planes * nx * ny; i++)
            out->pixels[i] =
                (uint16_t)ind_limit(planes[i / (nx * ny)].v[i % (nx * ny)], 0, white);
    }
    for (int p = 0; p < 3; p++)
        free(planes[p].v);
    return wrong;
}
