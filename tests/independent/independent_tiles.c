/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* FORMAT.md, sections 8, 11 and 12: tiles, smoothing, and the picture of version 3. */

#include "independent_v3.h"
#include <stdlib.h>

int ind_depth_of(const ind_head_v3 *head, int plane)
{
    return head->depth + (plane > 0);
}

int64_t ind_shift(int64_t a, int n)
{
    return n >= 0 ? a * ((int64_t)1 << n) : ind_round(a, -n);
}

int64_t ind_clip(int64_t a)
{
    return ind_limit(a, IND_SAMPLE_LEAST, IND_SAMPLE_MOST);
}

/* A sample as a value. */
static int64_t value_of(int64_t sample, int depth)
{
    int64_t v = ((int64_t)1 << (depth - 1)) + ind_shift(sample, depth - 15);
    return ind_limit(v, 0, ((int64_t)1 << depth) - 1);
}

/* A picture while it is decoded. Planes of patches are padded. */
typedef struct decoding {
    const ind_head_v3 *head;
    int octave;
    int64_t u;
    ind_plane patches[3], exact[4];
    /* [padded ny / 4][padded nx / 4] of the patch that covers a square: its side, the step of its root, and
     * whether it begins there, along x and along y */
    ind_plane side[3], step[3], begins_x[3], begins_y[3];
} decoding;

static int64_t halves(const ind_head_v3 *head, int plane)
{
    return head->is_halved && plane > 0 ? 2 : 1;
}

static void begin(decoding *d)
{
    const ind_head_v3 *head = d->head;
    for (int p = 0; p < head->n_patch_planes; p++) {
        int64_t h = halves(head, p);
        int64_t nx = ((head->nx + h - 1) / h + 31) / 32 * 32;
        int64_t ny = ((head->ny + h - 1) / h + 31) / 32 * 32;
        d->patches[p] = ind_new_plane(nx * d->u, ny * d->u);
        d->side[p] = ind_new_plane(nx / 4, ny / 4);
        d->step[p] = ind_new_plane(nx / 4, ny / 4);
        d->begins_x[p] = ind_new_plane(nx / 4, ny / 4);
        d->begins_y[p] = ind_new_plane(nx / 4, ny / 4);
    }
    for (int p = 0; p < head->n_exact_planes; p++)
        d->exact[p] = ind_new_plane(head->nx, head->ny);
}

static void end(decoding *d)
{
    for (int p = 0; p < 3; p++) {
        free(d->patches[p].v);
        free(d->side[p].v);
        free(d->step[p].v);
        free(d->begins_x[p].v);
        free(d->begins_y[p].v);
    }
    for (int p = 0; p < 4; p++)
        free(d->exact[p].v);
}

/* A plane of a tile takes its place in the whole. */
static void put(ind_plane *to, const ind_plane *from, int64_t y, int64_t x)
{
    for (int64_t i = 0; i < from->ny && y + i < to->ny; i++)
        for (int64_t j = 0; j < from->nx && x + j < to->nx; j++)
            *ind_at(to, y + i, x + j) = *ind_at(from, i, j);
}

static void note_patches(decoding *d, int plane, const ind_patches *patches, int64_t y,
                         int64_t x)
{
    for (const ind_patch *patch = patches->first; patch; patch = patch->next)
        for (int64_t i = 0; i < patch->side; i += 4)
            for (int64_t j = 0; j < patch->side; j += 4) {
                int64_t row = (y + patch->y + i) / 4, column = (x + patch->x + j) / 4;
                *ind_at(&d->side[plane], row, column) = patch->side;
                *ind_at(&d->step[plane], row, column) = patch->step;
                *ind_at(&d->begins_x[plane], row, column) = j == 0;
                *ind_at(&d->begins_y[plane], row, column) = i == 0;
            }
}

/* The next of the planes of a tile: with its length in front, or the last one. */
static const char *take(ind_bytes *out, ind_bytes *rest, bool is_last)
{
    *out = *rest;
    if (is_last)
        return NULL;
    if (rest->size < 4)
        return "a tile is too short";
    size_t n = 0;
    for (size_t i = 0; i < 4; i++)
        n += (size_t)rest->bytes[i] << 8 * i;
    if (n > rest->size - 4)
        return "a tile is too short";
    *out = (ind_bytes){rest->bytes + 4, n};
    *rest = (ind_bytes){rest->bytes + 4 + n, rest->size - 4 - n};
    return NULL;
}

/* The planes of patches of the tile at (y, x), of ny x nx pixels. */
static const char *decode_patches(decoding *d, ind_bytes *rest, int64_t y, int64_t x,
                                  int64_t ny, int64_t nx)
{
    const ind_head_v3 *head = d->head;
    ind_patches patches[3] = {0};
    ind_plane luma[2] = {{0, 0, NULL}, {0, 0, NULL}}; /* as coded, and at the octave */
    const char *wrong = NULL;
    for (int p = 0; p < head->n_patch_planes && !wrong; p++) {
        ind_bytes payload;
        wrong =
            take(&payload, rest, p + 1 == head->n_patch_planes && !head->n_exact_planes);
        if (!wrong)
            wrong = ind_read_patches(&patches[p], head, p, ny, nx, payload,
                                     p > 0 ? &patches[p - 1] : NULL);
        if (wrong)
            break;
        int64_t h = halves(head, p);
        ind_plane coded = ind_draw_patches(&patches[p], &luma[0], h == 2, 0, NULL);
        ind_plane drawn =
            ind_draw_patches(&patches[p], &luma[1], h == 2, d->octave, &coded);
        put(&d->patches[p], &drawn, y / h * d->u, x / h * d->u);
        note_patches(d, p, &patches[p], y / h, x / h);
        if (p == 0) {
            luma[0] = coded;
            luma[1] = drawn;
        } else {
            free(coded.v);
            free(drawn.v);
        }
    }
    for (int p = 0; p < 3; p++)
        ind_free_patches(&patches[p]);
    free(luma[0].v);
    free(luma[1].v);
    return wrong;
}

static const char *decode_tile(decoding *d, int64_t row, int64_t column)
{
    const ind_head_v3 *head = d->head;
    int64_t y = row * head->tile_side, x = column * head->tile_side;
    int64_t ny = head->ny - y < head->tile_side ? head->ny - y : head->tile_side;
    int64_t nx = head->nx - x < head->tile_side ? head->nx - x : head->tile_side;
    ind_bytes rest = head->tiles[row * head->tiles_nx + column];
    const char *wrong = decode_patches(d, &rest, y, x, ny, nx);
    if (wrong || !head->n_exact_planes)
        return wrong;
    ind_plane planes[4];
    int depths[4], n = head->n_exact_planes;
    for (int p = 0; p < n; p++)
        depths[p] =
            head->has_alpha && p + 1 == n ? head->pixel_depth : ind_depth_of(head, p);
    wrong = ind_decode_exact(planes, n, depths, ny, nx, rest);
    for (int p = 0; p < n && !wrong; p++) {
        put(&d->exact[p], &planes[p], y, x);
        free(planes[p].v);
    }
    return wrong;
}

/* ---- Smoothing ---- */

/* Smooths the samples on both sides of an edge; line[0] is the first one behind it. */
static void smooth(int64_t *line, int64_t stride, int64_t limit, bool both_large,
                   int64_t u)
{
    static const int64_t large[] = {27, 16, 6}, small[] = {23, 8};
    const int64_t *w = both_large ? large : small;
    int64_t step = line[0] - line[-stride];
    if (llabs(step) > limit + limit / 5)
        return;
    if (llabs(line[u * stride] - line[0]) +
            llabs(line[(-1 - u) * stride] - line[-stride]) >
        limit)
        return;
    for (int64_t t = 0; t < (both_large ? 3 : 2) * u; t++) {
        int64_t v = ind_round(step * w[t / u], 6);
        line[t * stride] = ind_clip(line[t * stride] - v);
        line[(-1 - t) * stride] = ind_clip(line[(-1 - t) * stride] + v);
    }
}

/* The left edges of a plane's patches, or their upper ones. */
static void smooth_edges(decoding *d, int p, bool upper)
{
    ind_plane *plane = &d->patches[p];
    int64_t g = d->head->strength[p], shift = 15 - ind_depth_of(d->head, p) - 7;
    int64_t most = plane->nx > plane->ny ? plane->nx : plane->ny;
    for (int64_t at = 4 * d->u; at < most; at += 4 * d->u)
        for (int64_t i = 0; i < most; i++) {
            int64_t y = upper ? at : i, x = upper ? i : at;
            int64_t row = y / d->u / 4, column = x / d->u / 4;
            if (y >= plane->ny || x >= plane->nx ||
                !*ind_at(upper ? &d->begins_y[p] : &d->begins_x[p], row, column))
                continue;
            int64_t limit = ind_shift(*ind_at(&d->step[p], row, column) * g, (int)shift);
            int64_t before = *ind_at(&d->side[p], row - upper, column - !upper);
            smooth(ind_at(plane, y, x), upper ? plane->nx : 1,
                   limit < 32767 ? limit : 32767,
                   before >= 16 && *ind_at(&d->side[p], row, column) >= 16, d->u);
        }
}

static const char *smooth_planes(decoding *d)
{
    const ind_head_v3 *head = d->head;
    ind_coder coder;
    ind_begin(&coder, head->filters.bytes, head->filters.size);
    for (int p = 0; p < head->n_patch_planes; p++) {
        ind_plane *plane = &d->patches[p];
        if (head->strength[p] > 0) {
            smooth_edges(d, p, false);
            smooth_edges(d, p, true);
        }
        if (!head->has_filters)
            continue;
        ind_filters *filters =
            ind_read_filters(&coder, plane->ny / d->u / 32, plane->nx / d->u / 32);
        if (!coder.damaged)
            ind_filter(plane, filters, d->octave, IND_SAMPLE_LEAST, IND_SAMPLE_MOST);
        ind_free_filters(filters);
    }
    return head->has_filters ? coder.damaged : NULL;
}

/* ---- The picture ---- */

/* Twice as many samples a side. */
static ind_plane enlarge(const ind_plane *a)
{
    ind_plane to = ind_new_plane(2 * a->nx, 2 * a->ny);
    for (int64_t y = 0; y < to.ny; y++)
        for (int64_t x = 0; x < to.nx; x++) {
            int64_t y0 = y / 2, y1 = ind_limit(y % 2 ? y0 + 1 : y0 - 1, 0, a->ny - 1);
            int64_t x0 = x / 2, x1 = ind_limit(x % 2 ? x0 + 1 : x0 - 1, 0, a->nx - 1);
            *ind_at(&to, y, x) =
                ind_round(9 * *ind_at(a, y0, x0) + 3 * *ind_at(a, y0, x1) +
                              3 * *ind_at(a, y1, x0) + *ind_at(a, y1, x1),
                          4);
        }
    return to;
}

/* A plane of patches at the wanted size. */
static ind_plane sized_patches(decoding *d, int p, int64_t nx, int64_t ny)
{
    const ind_head_v3 *head = d->head;
    ind_plane whole = d->patches[p];
    if (halves(head, p) == 2)
        whole = enlarge(&d->patches[p]);
    ind_plane out = ind_resize(&whole, head->ny * d->u, head->nx * d->u, ny, nx);
    if (halves(head, p) == 2)
        free(whole.v);
    return out;
}

/* An exact plane at the wanted size. */
static ind_plane sized_exact(decoding *d, int p, int64_t nx, int64_t ny)
{
    const ind_plane *plane = &d->exact[p];
    ind_plane larger = ind_new_plane(plane->nx * d->u, plane->ny * d->u);
    for (int64_t y = 0; y < larger.ny; y++)
        for (int64_t x = 0; x < larger.nx; x++)
            *ind_at(&larger, y, x) = *ind_at(plane, y / d->u, x / d->u);
    ind_plane out = ind_resize(&larger, larger.ny, larger.nx, ny, nx);
    free(larger.v);
    return out;
}

/* Values of the planes of patches: grey, or red, green and blue. */
static void to_values(const ind_head_v3 *head, ind_plane planes[3])
{
    for (int64_t i = 0; i < planes[0].nx * planes[0].ny; i++) {
        int64_t y = planes[0].v[i];
        planes[0].v[i] = value_of(y, head->depth);
        if (!head->has_colour)
            continue;
        int64_t co = planes[1].v[i], cg = planes[2].v[i];
        planes[0].v[i] = value_of(y - cg + co, head->depth);
        planes[1].v[i] = value_of(y + cg, head->depth);
        planes[2].v[i] = value_of(y - cg - co, head->depth);
    }
}

/* Red, green and blue, which are limited to what the type holds with the minimum. */
static void exact_colours(decoding *d)
{
    const ind_head_v3 *head = d->head;
    int64_t most = ((int64_t)1 << head->pixel_depth) - 1 - head->minimum;
    ind_to_colours(d->exact, head->depth);
    for (int p = 0; p < 3; p++)
        for (int64_t i = 0; i < head->nx * head->ny; i++)
            d->exact[p].v[i] = ind_limit(d->exact[p].v[i], -head->minimum, most);
}

static void finish(ind_picture *out, decoding *d, int64_t nx, int64_t ny)
{
    const ind_head_v3 *head = d->head;
    ind_plane planes[4] = {0};
    int n_patches = head->n_patch_planes, n = n_patches + head->n_exact_planes;
    if (n_patches == 0 && head->has_colour)
        exact_colours(d);
    for (int p = 0; p < n; p++)
        planes[p] = p < n_patches ? sized_patches(d, p, nx, ny)
                                  : sized_exact(d, p - n_patches, nx, ny);
    if (n_patches > 0)
        to_values(head, planes);
    *out = (ind_picture){nx, ny, n, head->pixel_depth, NULL};
    out->pixels = ind_alloc((size_t)(n * nx * ny), sizeof *out->pixels);
    int64_t white = ((int64_t)1 << head->pixel_depth) - 1;
    for (int64_t i = 0; i < n * nx * ny; i++) {
        int p = (int)(i / (nx * ny));
        int64_t v = planes[p].v[i % (nx * ny)];
        if (!head->has_alpha || p + 1 < n)
            v += head->minimum;
        out->pixels[i] = (uint16_t)ind_limit(v, 0, white);
    }
    for (int p = 0; p < 4; p++)
        free(planes[p].v);
}

const char *ind_decode_v3(ind_picture *out, const uint8_t *bytes, size_t size, int64_t nx,
                          int64_t ny)
{
    ind_head_v3 head;
    const char *wrong = ind_read_head_v3(&head, bytes, size);
    if (wrong)
        return wrong;
    decoding d = {.head = &head};
    while (head.nx << d.octave < nx || head.ny << d.octave < ny)
        d.octave++;
    d.u = (int64_t)1 << d.octave;
    if (head.is_exact && d.octave > 0)
        wrong = "pictures without loss are not enlarged";
    begin(&d);
    for (int64_t i = 0; i < head.tiles_nx * head.tiles_ny && !wrong; i++)
        wrong = decode_tile(&d, i / head.tiles_nx, i % head.tiles_nx);
    if (!wrong)
        wrong = smooth_planes(&d);
    if (!wrong)
        finish(out, &d, nx, ny);
    end(&d);
    free(head.tiles);
    return wrong;
}
