/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Regions of tiles. Planes of colour that have half as many samples are enlarged by weights of 3/4
 * and 1/4 along each side. */

#include "ifs_patch_picture.h"
#include "core/context/context_internal.h"
#include "core/context/crc.h"
#include "core/context/small.h"
#include "ifs/stream/ifs_pixel.h"
#include <string.h>

/* ---- Memory ---- */

static rug_status begin_plane(rug_context *ctx, rugi_ifs_region *r, int i)
{
    static const char what[] = "planes of a picture";
    rugi_ifs_region_plane *p = &r->planes[i];
    p->halved = i > 0 ? r->tiled->halved : 0;
    p->depth = r->tiled->depth + (i > 0);
    p->nx = rugi_ifs_whole_roots((r->nx + p->halved) >> p->halved);
    p->ny = rugi_ifs_whole_roots((r->ny + p->halved) >> p->halved);
    size_t nx = p->nx, ny = p->ny;
    if (i == 0 && r->tiled->halved) { /* what halved planes reach */
        nx = 2 * (size_t)rugi_ifs_whole_roots((r->nx + 1) >> 1);
        ny = 2 * (size_t)rugi_ifs_whole_roots((r->ny + 1) >> 1);
    }
    p->pitch = nx << r->octave;
    p->samples =
        rugi_allocate_zeros(ctx, p->pitch * (ny << r->octave), sizeof *p->samples, what);
    if (p->samples == NULL)
        return RUG_E_NOMEM;
    return rugi_ifs_patch_map_new(ctx, &p->map, p->nx, p->ny);
}

rug_status rugi_ifs_region_begin(rug_context *ctx, rugi_ifs_region *r,
                                 const rugi_ifs_tiled *t, uint32_t x, uint32_t y,
                                 uint32_t nx, uint32_t ny, unsigned octave)
{
    memset(r, 0, sizeof *r);
    r->tiled = t;
    r->octave = octave;
    r->n_planes = rugi_ifs_patch_planes(t);
    r->column = x / t->tile;
    r->row = y / t->tile;
    r->n_columns = (x + nx - 1) / t->tile + 1 - r->column;
    r->n_rows = (y + ny - 1) / t->tile + 1 - r->row;
    r->x = r->column * t->tile;
    r->y = r->row * t->tile;
    uint64_t end_x = (uint64_t)(r->column + r->n_columns) * t->tile,
             end_y = (uint64_t)(r->row + r->n_rows) * t->tile;
    r->nx = (uint32_t)(end_x < t->nx ? end_x : t->nx) - r->x;
    r->ny = (uint32_t)(end_y < t->ny ? end_y : t->ny) - r->y;
    for (int i = 0; i < r->n_planes; i++)
        if (begin_plane(ctx, r, i) != RUG_OK)
            return RUG_E_NOMEM;
    return RUG_OK;
}

void rugi_ifs_region_end(rug_context *ctx, rugi_ifs_region *r)
{
    for (int i = 0; i < RUGI_IFS_PATCH_PLANES; i++) {
        rug_context_release(ctx, r->planes[i].samples);
        rugi_ifs_patch_map_free(ctx, &r->planes[i].map);
    }
    memset(r, 0, sizeof *r);
}

/* ---- Tiles ---- */

/* Pixels of a tile of the region. */
static void tile_size(const rugi_ifs_region *r, uint32_t column, uint32_t row,
                      uint32_t *nx, uint32_t *ny)
{
    uint32_t tile = r->tiled->tile, x = column * tile, y = row * tile;
    *nx = r->nx - x < tile ? r->nx - x : tile;
    *ny = r->ny - y < tile ? r->ny - y : tile;
}

rugi_ifs_patch_plane rugi_ifs_tile_plane(const rugi_ifs_region *r, int plane,
                                         uint32_t column, uint32_t row,
                                         rugi_ifs_patch_map *map)
{
    const rugi_ifs_region_plane *p = &r->planes[plane], *luma = &r->planes[0];
    uint32_t nx, ny, tile = r->tiled->tile, x = column * tile, y = row * tile;
    tile_size(r, column, row, &nx, &ny);
    rugi_ifs_patch_plane out = {.frame = rugi_ifs_tile_frame(r->tiled, plane, nx, ny),
                                .pitch = p->pitch};
    uint32_t from_x = x >> p->halved, from_y = y >> p->halved;
    out.samples = p->samples + ((size_t)from_y << r->octave) * p->pitch +
                  ((size_t)from_x << r->octave);
    if (plane > 0) {
        out.luma_pitch = luma->pitch;
        out.luma = luma->samples + ((size_t)y << r->octave) * luma->pitch +
                   ((size_t)x << r->octave);
    }
    *map = rugi_ifs_patch_map_part(&p->map, from_x, from_y, out.frame.nx, out.frame.ny);
    return out;
}

void rugi_ifs_continue_luma(const rugi_ifs_region *r, uint32_t column, uint32_t row)
{
    rugi_ifs_patch_map map;
    uint32_t nx, ny;
    if (!r->tiled->halved)
        return;
    tile_size(r, column, row, &nx, &ny);
    rugi_ifs_patch_plane p = rugi_ifs_tile_plane(r, 0, column, row, &map);
    rugi_ifs_patch_frame half = rugi_ifs_tile_frame(r->tiled, 1, nx, ny);
    size_t from_x = (size_t)p.frame.nx << r->octave,
           from_y = (size_t)p.frame.ny << r->octave;
    size_t to_x = (size_t)half.nx << (r->octave + 1),
           to_y = (size_t)half.ny << (r->octave + 1);
    for (size_t y = 0; y < from_y && from_x < to_x; y++)
        for (size_t x = from_x; x < to_x; x++)
            p.samples[y * p.pitch + x] = p.samples[y * p.pitch + from_x - 1];
    for (size_t y = from_y; y < to_y; y++)
        memcpy(p.samples + y * p.pitch, p.samples + (from_y - 1) * p.pitch,
               to_x * sizeof *p.samples);
}

/* Takes the next part of a tile, whose length stands before it. */
static void take_part(rugi_ifs_part *part, const uint8_t **at, const uint8_t *end)
{
    size_t size = (size_t)(end - *at), n = 0;
    int has_length = size >= RUGI_IFS_LENGTH_BYTES;
    if (has_length)
        n = rugi_ifs_get_word(*at, RUGI_IFS_LENGTH_BYTES);
    *at += has_length ? RUGI_IFS_LENGTH_BYTES : size;
    size = (size_t)(end - *at);
    *part = (rugi_ifs_part){*at, rugi_smaller(n, size), 0, !has_length || n > size};
    *at += part->n;
}

rug_status rugi_ifs_split_tile(rug_context *ctx, const rugi_ifs_tiled *t,
                               const rugi_ifs_part *tile, rugi_ifs_part *parts)
{
    int last = rugi_ifs_patch_planes(t) + (rugi_ifs_exact_planes(t) > 0) - 1;
    const uint8_t *at = tile->bytes, *end = tile->bytes + tile->n;
    if (!tile->is_cut && rugi_crc(tile->bytes, tile->n) != tile->crc)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "the checksum of a tile of the stream is wrong: it is "
                                "damaged, fetch it again");
    for (int i = 0; i < last; i++) {
        take_part(&parts[i], &at, end);
        if (parts[i].is_cut && !tile->is_cut)
            return rug_context_fail(ctx, RUG_E_FORMAT,
                                    "a tile of the stream is shorter than its planes: it "
                                    "is damaged");
    }
    parts[last] = (rugi_ifs_part){at, (size_t)(end - at), 0, tile->is_cut};
    return RUG_OK;
}

rug_status rugi_ifs_decode_tile(rug_context *ctx, const rugi_ifs_region *r,
                                const rugi_ifs_region *coded,
                                const rugi_ifs_patch_tools *tools, uint32_t column,
                                uint32_t row, const rugi_ifs_part *parts,
                                uint32_t *n_roots, const rugi_ifs_patch_watch *watch)
{
    rugi_ifs_patch_map maps[RUGI_IFS_PATCH_PLANES];
    rug_status status = RUG_OK;
    for (int i = 0; i < r->n_planes && status == RUG_OK; i++) {
        rugi_ifs_patch_plane plane = rugi_ifs_tile_plane(r, i, column, row, &maps[i]);
        rugi_ifs_patch_plane small;
        if (coded != NULL) {
            rugi_ifs_patch_map unused;
            small = rugi_ifs_tile_plane(coded, i, column, row, &unused);
        }
        rugi_ifs_patch_reading reading = {.tools = tools,
                                          .plane = &plane,
                                          .map = &maps[i],
                                          .before = i > 0 ? &maps[i - 1] : NULL,
                                          .coded = coded != NULL ? &small : NULL,
                                          .bytes = parts[i].bytes,
                                          .n_bytes = parts[i].n,
                                          .is_partial = parts[i].is_cut,
                                          .index = i,
                                          .watch = watch};
        status = rugi_ifs_read_patches(ctx, &reading);
        n_roots[i] = reading.n_roots;
        if (i == 0)
            rugi_ifs_continue_luma(r, column, row);
    }
    return status;
}

/* ---- What is missing ---- */

/* A sample of a small plane, enlarged between its samples by their distances.
 * @param y, x  at the coded size of the plane, in 1 / 2^octave samples */
static int16_t enlarged(const rugi_ifs_region_plane *small, size_t y, size_t x,
                        unsigned octave)
{
    const int64_t unit = (int64_t)RUGI_IFS_PREVIEW << octave;
    int64_t at_y = 2 * (int64_t)y + 1 - unit, at_x = 2 * (int64_t)x + 1 - unit;
    at_y = at_y < 0 ? 0 : at_y;
    at_x = at_x < 0 ? 0 : at_x;
    size_t y0 = (size_t)(at_y / (2 * unit)), x0 = (size_t)(at_x / (2 * unit));
    y0 = y0 < small->ny ? y0 : small->ny - 1;
    x0 = x0 < small->nx ? x0 : small->nx - 1;
    size_t y1 = y0 + 1 < small->ny ? y0 + 1 : y0, x1 = x0 + 1 < small->nx ? x0 + 1 : x0;
    int64_t py = at_y % (2 * unit), px = at_x % (2 * unit);
    const int16_t *a = small->samples + y0 * small->pitch,
                  *b = small->samples + y1 * small->pitch;
    int64_t upper = a[x0] * (2 * unit - px) + a[x1] * px;
    int64_t lower = b[x0] * (2 * unit - px) + b[x1] * px;
    return (int16_t)((upper * (2 * unit - py) + lower * py) / (4 * unit * unit));
}

static void fill_root(const rugi_ifs_region *r, const rugi_ifs_region *preview, int plane,
                      const rugi_ifs_patch_plane *tile, uint32_t x0, uint32_t y0)
{
    const rugi_ifs_region_plane *p = &r->planes[plane];
    size_t n = (size_t)RUGI_IFS_BLOCK << r->octave;
    int16_t *to =
        tile->samples + ((size_t)y0 << r->octave) * p->pitch + ((size_t)x0 << r->octave);
    size_t at = (size_t)(to - p->samples);
    size_t y = at / p->pitch + ((size_t)(r->y >> p->halved) << r->octave),
           x = at % p->pitch + ((size_t)(r->x >> p->halved) << r->octave);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            to[i * p->pitch + j] = preview == NULL ? 0
                                                   : enlarged(&preview->planes[plane],
                                                              y + i, x + j, r->octave);
}

/* Its bytes may have ended in a root, which then is in the map in part. */
static void forget_root(rugi_ifs_patch_map *map, uint32_t column, uint32_t row)
{
    for (size_t y = 8 * row; y < 8 * (size_t)row + 8; y++)
        memset(&map->squares[y * map->pitch + 8 * column], 0, 8 * sizeof *map->squares);
    map->offsets[row * (map->pitch / 8) + column] = 0;
}

void rugi_ifs_fill_missing(const rugi_ifs_region *r, const rugi_ifs_region *preview,
                           const uint32_t *n_roots)
{
    for (uint32_t i = 0; i < r->n_rows * r->n_columns; i++)
        for (int plane = 0; plane < r->n_planes; plane++) {
            rugi_ifs_patch_map map;
            rugi_ifs_patch_plane tile =
                rugi_ifs_tile_plane(r, plane, i % r->n_columns, i / r->n_columns, &map);
            uint32_t across = tile.frame.nx / RUGI_IFS_BLOCK,
                     n = across * (tile.frame.ny / RUGI_IFS_BLOCK);
            for (uint32_t k = n_roots[i * (uint32_t)r->n_planes + (uint32_t)plane]; k < n;
                 k++) {
                forget_root(&map, k % across, k / across);
                fill_root(r, preview, plane, &tile, k % across * RUGI_IFS_BLOCK,
                          k / across * RUGI_IFS_BLOCK);
            }
        }
}

/* ---- Pixels ---- */

/* The two rows that a row of enlarged samples lies between, the nearer one first. */
typedef struct between {
    const int16_t *near, *far;
} between;

static inline int32_t mix(between rows, size_t at, size_t beside)
{
    return (9 * rows.near[at] + 3 * rows.near[beside] + 3 * rows.far[at] +
            rows.far[beside] + 8) >>
           4;
}

/* @param nx  samples of the rows */
static int32_t enlarged_at(between rows, size_t nx, size_t x)
{
    size_t at = x / 2, beside = x % 2 ? at + 1 : at > 0 ? at - 1 : 0;
    return mix(rows, at, beside < nx ? beside : nx - 1);
}

/* A row of a plane that has half as many samples, at twice its size: pairs of samples but for those
 * at the ends. */
static void enlarge_row(int32_t *out, const rugi_ifs_region_plane *p, unsigned octave,
                        size_t y, size_t from, size_t n)
{
    size_t ny = (size_t)p->ny << octave, nx = (size_t)p->nx << octave, near = y / 2;
    size_t far = y % 2 ? near + 1 : near > 0 ? near - 1 : 0, end = from + n, x = from;
    const between rows = {p->samples + near * p->pitch,
                          p->samples + (far < ny ? far : ny - 1) * p->pitch};
    size_t last = end < 2 * (nx - 1) ? end / 2 : nx - 1; /* pairs end before it */
    for (; x < end && (x % 2 != 0 || x == 0); x++)
        out[x - from] = enlarged_at(rows, nx, x);
    if (x < end && x / 2 < last) {
        int32_t *pairs = out + (x - from);
        const between here = {rows.near + x / 2, rows.far + x / 2};
        size_t n_pairs = last - x / 2;
        for (size_t i = 0; i < n_pairs; i++) {
            pairs[2 * i] = mix((between){here.near - 1, here.far - 1}, i + 1, i);
            pairs[2 * i + 1] = mix(here, i, i + 1);
        }
        x += 2 * n_pairs;
    }
    for (; x < end; x++)
        out[x - from] = enlarged_at(rows, nx, x);
}

void rugi_ifs_region_row(const rugi_ifs_region *r, int plane, size_t y, size_t x,
                         size_t n, int32_t *samples)
{
    const rugi_ifs_region_plane *p = &r->planes[plane];
    const int16_t *from = p->samples + y * p->pitch + x;
    if (p->halved)
        enlarge_row(samples, p, r->octave, y, x, n);
    else
        for (size_t k = 0; k < n; k++)
            samples[k] = from[k];
}

void rugi_ifs_samples_to_pixels(const rugi_ifs_patch_kernels *kernels,
                                const rugi_ifs_tiled *t, int32_t *samples, size_t n)
{
    const rugi_ifs_levels levels = {t->depth, (int32_t)t->minimum, t->is_16 ? 65535 : 255,
                                    t->is_colour};
    kernels->pixels(samples, n, &levels);
}
