/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The voxels inside of a mesh. A ray along an axis through the centre of a voxel is inside behind an
 * odd number of triangles; of the rays along x, y and z the majority decides. Where a mesh is open, a ray
 * may come out inside of it: it has gone through a hole, and does not count. A ray through an edge or a
 * vertex is one a little beside it, always on the same side, so that neighbours never both have it or
 * both miss it. Rays turn bits where they meet triangles; then each bit becomes the parity of those
 * before it and its own. */

#include "io/base/parallel.h"
#include "mesh_voxels.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Where rays meet triangles ---- */

/* How many rays, in units of axis `along`, lie before the point where an edge crosses the rays of number
 * `row` on axis `across`. It depends on the edge alone, not on its direction. */
static int64_t rays_before(const rugi_voxels *v, const int32_t *a, const int32_t *b,
                           int along, int across, int64_t at)
{
    const int32_t *low = a[across] < b[across] ? a : b, *high = low == a ? b : a;
    int64_t rise = (int64_t)high[across] - low[across];
    int64_t point = (low[along] - v->unit / 2) * rise +
                    ((int64_t)high[along] - low[along]) * (at - low[across]);
    int64_t step = v->unit * rise;
    return point / step + (point % step > 0);
}

/* The rays of a row, on axis `along`, that go through a triangle. An edge has its lower end, but not its
 * upper one, so that of edges that meet each row crosses the right ones. */
static rugi_span rays_through(const rugi_voxels *v, const int32_t *const t[3], int along,
                              int across, int64_t row)
{
    int64_t at = row * v->unit + v->unit / 2, ends[3] = {0, 0, 0};
    int n = 0;
    for (int i = 0; i < 3; i++) {
        const int32_t *a = t[i], *b = t[(i + 1) % 3];
        if ((a[across] > at) != (b[across] > at))
            ends[n++] = rays_before(v, a, b, along, across, at);
    }
    return ends[0] < ends[1] ? (rugi_span){ends[0], ends[1]}
                             : (rugi_span){ends[1], ends[0]};
}

/* The plane of a triangle as seen along an axis: the first voxel whose centre lies at or behind it is
 * (start - along step[0] - across step[1]) / under, rounded up. */
typedef struct depth {
    rugi_int128 start, step[2], under;
} depth;

static depth depth_of(const rugi_voxels *v, const int32_t *const t[3], int axis,
                      int along, int across)
{
    int64_t n[3], p[3], q[3], u = v->unit;
    for (int k = 0; k < 3; k++) {
        p[k] = (int64_t)t[1][k] - t[0][k];
        q[k] = (int64_t)t[2][k] - t[0][k];
    }
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        n[k] = p[l] * q[m] - p[m] * q[l];
    }
    if (n[axis] < 0)
        for (int k = 0; k < 3; k++)
            n[k] = -n[k];
    rugi_int128 start = 0; /* all three coordinates begin in the middle of a voxel */
    for (int k = 0; k < 3; k++)
        start += (rugi_int128)n[k] * (t[0][k] - u / 2);
    return (depth){start,
                   {(rugi_int128)n[along] * u, (rugi_int128)n[across] * u},
                   (rugi_int128)n[axis] * u};
}

static int64_t voxel_at(const depth *d, int64_t along, int64_t across)
{
    return (int64_t)rugi_divide_up(d->start - along * d->step[0] - across * d->step[1],
                                   d->under);
}

/* Turns the bits of a slice where rays within it meet a triangle: along x, whose rows are y, or along
 * y, whose rows are x. */
static void turn_within(const rugi_voxels *v, unsigned char *plane,
                        const int32_t *const t[3], int axis, int64_t z)
{
    int along = 1 - axis;
    rugi_span rays = rays_through(v, t, along, 2, z);
    if (rays.begin >= rays.end)
        return;
    depth d = depth_of(v, t, axis, along, 2);
    for (int64_t i = rays.begin; i < rays.end; i++) {
        int64_t at = voxel_at(&d, i, z), x = axis == 0 ? at : i, y = axis == 0 ? i : at;
        plane[(size_t)y * v->row_bytes + (size_t)x / 8] ^= (unsigned char)(1 << (x & 7));
    }
}

/* The rows, along y, whose centres a triangle may cover. */
static rugi_span rows_of(const rugi_voxels *v, const int32_t *const t[3])
{
    rugi_span rows = {rugi_least(t, 1) / v->unit, rugi_largest(t, 1) / v->unit + 1};
    return rows;
}

/* Turns those where rays along z meet a triangle in this slice. */
static void turn_across(const rugi_voxels *v, unsigned char *plane,
                        const int32_t *const t[3], int64_t z)
{
    rugi_span rows = rows_of(v, t);
    depth d = depth_of(v, t, 2, 0, 1);
    if (d.under == 0)
        return;
    for (int64_t y = rows.begin; y < rows.end; y++) {
        rugi_span rays = rays_through(v, t, 0, 1, y);
        rugi_int128 start = d.start - y * d.step[1];
        rugi_keep(&rays, d.step[0], start - z * d.under);
        rugi_keep(&rays, -d.step[0], 1 - start + (z - 1) * d.under);
        rugi_set_bits(plane + (size_t)y * v->row_bytes, rays, RUGI_TURN);
    }
}

/* ---- Edges ---- */

static uint64_t mix(uint64_t h)
{
    h = (h ^ h >> 32) * 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9u;
    return h ^ h >> 32;
}

/* A number for a point, whichever vertex has it. */
static uint64_t number_of(const int32_t p[3])
{
    uint64_t xy = (uint64_t)(uint32_t)p[0] << 32 | (uint32_t)p[1];
    return mix(mix(xy) + (uint32_t)p[2]);
}

/* Numbers of edges, the same for both directions; those of no length are left out. @return how many */
static size_t list_edges(const rugi_voxels *v, uint64_t *edges)
{
    size_t n = 0;
    for (size_t i = 0; i < v->n_triangles; i++)
        for (int k = 0; k < 3; k++) {
            uint64_t a = number_of(v->corners[v->triangles[i][k]]);
            uint64_t b = number_of(v->corners[v->triangles[i][(k + 1) % 3]]);
            if (a != b)
                edges[n++] = mix(a) + mix(b);
        }
    return n;
}

rug_status rugi_solid_check(rug_context *ctx, rugi_voxels *v, const char *path)
{
    size_t n_edges = 0, n_open = 0;
    uint64_t *edges = rug_context_allocate(ctx, v->n_triangles, 3 * sizeof *edges, path);
    if (edges == NULL)
        return RUG_E_NOMEM;
    size_t n = list_edges(v, edges);
    qsort(edges, n, sizeof *edges, rugi_compare_u64);
    for (size_t begin = 0, end = 0; begin < n; begin = end) {
        while (end < n && edges[end] == edges[begin])
            end++;
        n_edges++;
        n_open += (end - begin) % 2;
    }
    rug_context_release(ctx, edges);
    v->is_told =
        n_open == 0; /* rays may still differ about a centre that lies on the surface */
    if (n_open > 0)
        rug_context_warn(
            ctx,
            "%s: the mesh is not closed: %zu of %zu edges have an odd number "
            "of triangles; what is inside of it is a guess",
            path, n_open, n_edges);
    return RUG_OK;
}

/* ---- Planes ---- */

/* One call over all threads. */
typedef struct solid_work {
    rugi_voxels *v;
    unsigned char *slices;
    size_t z, n, band; /* rows of a piece */
} solid_work;

static size_t plane_bytes(const rugi_voxels *v)
{
    return v->side * v->row_bytes;
}

/* The rays along z that an odd number of triangles meets, for a band of rows. */
static rug_status sum_band(void *shared, size_t piece, int thread, char *text)
{
    const solid_work *w = shared;
    const rugi_voxels *v = w->v;
    int64_t begin = (int64_t)(piece * w->band), end = begin + (int64_t)w->band;
    (void)thread;
    (void)text;
    for (size_t i = 0; i < v->n_triangles; i++) {
        const int32_t *t[3];
        rugi_voxels_triangle(v, i, t);
        rugi_span rows = rows_of(v, t);
        rows.begin = rows.begin > begin ? rows.begin : begin;
        rows.end = rows.end < end ? rows.end : end;
        for (int64_t y = rows.begin; y < rows.end; y++)
            rugi_set_bits(v->through + (size_t)y * v->row_bytes,
                          rays_through(v, t, 0, 1, y), RUGI_TURN);
    }
    return RUG_OK;
}

static void free_rays(rug_context *ctx, rugi_voxels *v)
{
    for (int i = 0; i < v->n_rays; i++) {
        rug_context_release(ctx, v->rays[i].along[0]);
        rug_context_release(ctx, v->rays[i].along[1]);
        rug_context_release(ctx, v->rays[i].row);
    }
    rug_context_release(ctx, v->rays);
    v->rays = NULL;
    v->n_rays = 0;
}

void rugi_solid_close(rug_context *ctx, rugi_voxels *v)
{
    free_rays(ctx, v);
    rug_context_release(ctx, v->before);
    rug_context_release(ctx, v->through);
}

/* Planes for n threads, if there are fewer. */
static rug_status make_rays(rug_context *ctx, rugi_voxels *v, int n, const char *path)
{
    if (n <= v->n_rays)
        return RUG_OK;
    free_rays(ctx, v);
    v->rays = rug_context_allocate(ctx, (size_t)n, sizeof *v->rays, path);
    if (v->rays == NULL)
        return RUG_E_NOMEM;
    memset(v->rays, 0, (size_t)n * sizeof *v->rays);
    v->n_rays = n;
    for (int i = 0; i < n; i++) {
        rugi_rays *r = &v->rays[i];
        r->along[0] = rug_context_allocate(ctx, plane_bytes(v), 1, path);
        r->along[1] = rug_context_allocate(ctx, plane_bytes(v), 1, path);
        r->row = rug_context_allocate(ctx, v->row_bytes, 1, path);
        if (r->along[0] == NULL || r->along[1] == NULL || r->row == NULL)
            return RUG_E_NOMEM;
    }
    return RUG_OK;
}

/* Begins a pass. */
static rug_status begin(rug_context *ctx, rugi_voxels *v, const char *path)
{
    if (v->before == NULL)
        v->before = rug_context_allocate(ctx, plane_bytes(v), 1, path);
    if (v->through == NULL)
        v->through = rug_context_allocate(ctx, plane_bytes(v), 1, path);
    if (v->before == NULL || v->through == NULL)
        return RUG_E_NOMEM;
    v->n_doubtful = 0;
    memset(v->before, 0, plane_bytes(v));
    memset(v->through, 0, plane_bytes(v));
    solid_work w = {.v = v, .band = v->side / 64 + 1};
    return rugi_for_pieces(ctx, (v->side + w.band - 1) / w.band, sum_band, &w);
}

static rug_status turn_slice(void *shared, size_t piece, int thread, char *text)
{
    const solid_work *w = shared;
    const rugi_voxels *v = w->v;
    unsigned char *plane = w->slices + piece * plane_bytes(v);
    (void)thread;
    (void)text;
    memset(plane, 0, plane_bytes(v));
    rugi_walk walk = rugi_walk_begin(v, w->z + piece);
    for (const int32_t *t[3]; rugi_walk_next(&walk, t);)
        turn_across(v, plane, t, (int64_t)(w->z + piece));
    return RUG_OK;
}

/* From turns along z to parities, for a band of rows of all slices. */
static rug_status add_up_band(void *shared, size_t piece, int thread, char *text)
{
    const solid_work *w = shared;
    const rugi_voxels *v = w->v;
    size_t begin = piece * w->band, end = begin + w->band;
    (void)thread;
    (void)text;
    begin *= v->row_bytes;
    end = end < v->side ? end * v->row_bytes : plane_bytes(v);
    for (size_t s = 0; s < w->n; s++) {
        unsigned char *slice = w->slices + s * plane_bytes(v);
        for (size_t i = begin; i < end; i++)
            slice[i] = v->before[i] = (unsigned char)(v->before[i] ^ slice[i]);
    }
    return RUG_OK;
}

/* Each bit of a row becomes the parity of those up to it. @return that of all, as a byte of them */
static unsigned add_up_row(unsigned char *row, size_t n)
{
    unsigned carry = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned b = row[i];
        b ^= b << 1;
        b ^= b << 2;
        b ^= b << 4;
        row[i] = (unsigned char)(b ^ carry);
        carry = row[i] & 0x80 ? 0xff : 0;
    }
    return carry;
}

/* Which voxels of 8 are inside, by bits of rays along x, y and z, and of those that do not count. */
static unsigned majority(unsigned x, unsigned y, unsigned z, unsigned no_x, unsigned no_y,
                         unsigned no_z)
{
    x &= ~no_x;
    y &= ~no_y;
    z &= ~no_z;
    unsigned only = (no_x & no_y) | (no_y & no_z) | (no_x & no_z);
    return (x & y) | (y & z) | (x & z) | ((x | y | z) & only);
}

static unsigned count_bits(unsigned b)
{
    b = (b & 0x55) + (b >> 1 & 0x55);
    b = (b & 0x33) + (b >> 2 & 0x33);
    return (b & 15) + (b >> 4);
}

/* Decides on a row of a slice, which has the parities along z. */
static void decide(const rugi_voxels *v, rugi_rays *r, unsigned char *slice, size_t y)
{
    const unsigned char *no_z = v->through + y * v->row_bytes, *no_y = r->row;
    unsigned char *xs = r->along[0] + y * v->row_bytes,
                  *ys = r->along[1] + y * v->row_bytes, *out = slice + y * v->row_bytes;
    unsigned no_x = add_up_row(xs, v->row_bytes), last = (unsigned)v->side % 8;
    for (size_t i = 0; i < v->row_bytes; i++) {
        unsigned kept = i + 1 == v->row_bytes && last != 0 ? (1u << last) - 1 : 0xff;
        unsigned x = xs[i], z = out[i];
        unsigned doubtful = (x ^ ys[i]) | (x ^ z) | no_x | no_y[i] | no_z[i];
        r->n_doubtful += doubtful & kept ? count_bits(doubtful & kept) : 0;
        out[i] = (unsigned char)(kept & majority(x, ys[i], z, no_x, no_y[i], no_z[i]));
    }
}

static rug_status decide_slice(void *shared, size_t piece, int thread, char *text)
{
    const solid_work *w = shared;
    const rugi_voxels *v = w->v;
    rugi_rays *r = &v->rays[thread];
    unsigned char *slice = w->slices + piece * plane_bytes(v);
    (void)text;
    memset(r->along[0], 0, plane_bytes(v));
    memset(r->along[1], 0, plane_bytes(v));
    memset(r->row, 0, v->row_bytes);
    rugi_walk walk = rugi_walk_begin(v, w->z + piece);
    for (const int32_t *t[3]; rugi_walk_next(&walk, t);) {
        turn_within(v, r->along[0], t, 0, (int64_t)(w->z + piece));
        turn_within(v, r->along[1], t, 1, (int64_t)(w->z + piece));
    }
    for (size_t y = 0; y < v->side; y++) {
        unsigned char *row = r->along[1] + y * v->row_bytes;
        for (size_t i = 0; i < v->row_bytes; i++)
            r->row[i] = row[i] = (unsigned char)(r->row[i] ^ row[i]);
    }
    for (size_t y = 0; y < v->side; y++)
        decide(v, r, slice, y);
    return RUG_OK;
}

/* Adds up what the threads have seen, and tells of it once all slices are done. */
static void tell(rug_context *ctx, rugi_voxels *v, int is_end, const char *path)
{
    double all = (double)v->side * (double)v->side * (double)v->side;
    for (int i = 0; i < v->n_rays; i++) {
        v->n_doubtful += v->rays[i].n_doubtful;
        v->rays[i].n_doubtful = 0;
    }
    if (!is_end || v->is_told || v->n_doubtful == 0)
        return;
    v->is_told = 1;
    rug_context_warn(ctx,
                     "%s: rays along x, y and z disagree about %" PRIu64
                     " voxels, %.2g %% of the cube; the majority decided",
                     path, v->n_doubtful, 100 * (double)v->n_doubtful / all);
}

rug_status rugi_solid_slices(rug_context *ctx, rugi_voxels *v, unsigned char *slices,
                             size_t z, size_t n, const char *path)
{
    solid_work w = {v, slices, z, n, v->side / 64 + 1};
    size_t n_bands = (v->side + w.band - 1) / w.band;
    rug_status status = make_rays(ctx, v, rugi_loop_threads(ctx, n), path);
    if (status == RUG_OK && z == 0)
        status = begin(ctx, v, path);
    if (status == RUG_OK)
        status = rugi_for_pieces(ctx, n, turn_slice, &w);
    if (status == RUG_OK)
        status = rugi_for_pieces(ctx, n_bands, add_up_band, &w);
    if (status == RUG_OK)
        status = rugi_for_pieces(ctx, n, decide_slice, &w);
    if (status == RUG_OK)
        tell(ctx, v, z + n == v->side, path);
    return status;
}
