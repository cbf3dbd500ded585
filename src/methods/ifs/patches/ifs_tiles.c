/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The container of version 3, written and read, with checksums. */

#include "ifs_tiles.h"
#include "core/context/context_internal.h"
#include "core/context/crc.h"
#include <string.h>

/* Bytes of the header: the fixed part, that of each plane, of each part, the checksum. */
#define FIXED_BYTES 16
#define PLANE_BYTES 4
#define PART_BYTES  8
#define CRC_BYTES   4

/* Bits of the flags. */
#define FLAG_LOSSLESS 1u
#define FLAG_ALPHA    2u
#define FLAG_COLOUR   4u
#define FLAG_16       8u
#define FLAG_HALVED   16u
#define FLAG_PREVIEW  32u
#define FLAG_NOTES    64u
#define FLAG_FILTERS  128u

/* Bits of a plane's flags. */
#define PLANE_DEBLOCK 15u
#define PLANE_OFFSETS 16u

/* A tile has at least a byte for so many roots, so that no small stream asks for much memory. */
#define ROOTS_OF_BYTE 16

static size_t n_tiles(const rugi_ifs_tiled *t)
{
    return (size_t)rugi_ifs_tiles_along(t->nx, t->tile) *
           rugi_ifs_tiles_along(t->ny, t->tile);
}

rugi_ifs_patch_frame rugi_ifs_tile_frame(const rugi_ifs_tiled *t, int plane, uint32_t nx,
                                         uint32_t ny)
{
    unsigned halved = plane > 0 ? t->halved : 0;
    return (rugi_ifs_patch_frame){
        .nx = rugi_ifs_whole_roots((nx + halved) >> halved),
        .ny = rugi_ifs_whole_roots((ny + halved) >> halved),
        .depth = t->depth + (plane > 0),
        .delta = t->planes[plane].delta,
        .has_luma = plane > 0,
        .halved = halved,
        .before_halved = plane == 1 ? halved : 0,
        .has_offsets = t->planes[plane].has_offsets,
    };
}

/* Pixels of tile i of those along n pixels. */
static uint32_t side_of(uint32_t n, uint32_t tile, uint32_t i)
{
    return n - i * tile < tile ? n - i * tile : tile;
}

void rugi_ifs_exact_tile(const rugi_ifs_tiled *t, uint32_t column, uint32_t row,
                         rugi_ifs_exact_frame *frame)
{
    int n = rugi_ifs_exact_planes(t), n_colours = n - (t->has_alpha != 0);
    *frame = (rugi_ifs_exact_frame){.nx = side_of(t->nx, t->tile, column),
                                    .ny = side_of(t->ny, t->tile, row)};
    for (int i = 0; i < n; i++)
        frame->depth[i] = i < n_colours ? t->depth + (i > 0) : t->is_16 ? 16 : 8;
}

size_t rugi_ifs_least_of_tile(const rugi_ifs_tiled *t, uint32_t column, uint32_t row)
{
    size_t nx = rugi_ifs_whole_roots(side_of(t->nx, t->tile, column)) / RUGI_IFS_BLOCK;
    size_t ny = rugi_ifs_whole_roots(side_of(t->ny, t->tile, row)) / RUGI_IFS_BLOCK;
    return (nx * ny + ROOTS_OF_BYTE - 1) / ROOTS_OF_BYTE;
}

uint64_t rugi_ifs_tiled_header_bytes(const rugi_ifs_tiled *t)
{
    return FIXED_BYTES + PLANE_BYTES * (uint64_t)rugi_ifs_patch_planes(t) +
           PART_BYTES * ((uint64_t)(t->has_notes != 0) + (t->has_filters != 0) +
                         (t->has_preview != 0) + n_tiles(t)) +
           CRC_BYTES;
}

/* ---- Writing ---- */

static void write_fixed(uint8_t *at, const rugi_ifs_tiled *t)
{
    memcpy(at, rugi_ifs_magic, sizeof rugi_ifs_magic);
    at[4] = RUGI_IFS_TILED_VERSION;
    at[5] =
        (uint8_t)((t->is_lossless ? FLAG_LOSSLESS : 0) | (t->has_alpha ? FLAG_ALPHA : 0) |
                  (t->is_colour ? FLAG_COLOUR : 0) | (t->is_16 ? FLAG_16 : 0) |
                  (t->halved ? FLAG_HALVED : 0) | (t->has_preview ? FLAG_PREVIEW : 0) |
                  (t->has_notes ? FLAG_NOTES : 0) | (t->has_filters ? FLAG_FILTERS : 0));
    at[6] = (uint8_t)t->depth;
    at[7] = 0;
    rugi_ifs_put_bytes(at + 8, t->nx, 2);
    rugi_ifs_put_bytes(at + 10, t->ny, 2);
    rugi_ifs_put_bytes(at + 12, t->tile / RUGI_IFS_TILE_UNIT, 2);
    rugi_ifs_put_bytes(at + 14, t->minimum, 2);
}

/* The parts in their order: notes, filters, preview, tiles. @return NULL: no more */
static const rugi_ifs_part *part_of(const rugi_ifs_tiled *t, size_t i)
{
    if (t->has_notes && i-- == 0)
        return &t->notes;
    if (t->has_filters && i-- == 0)
        return &t->filters;
    if (t->has_preview && i-- == 0)
        return &t->preview;
    return i < n_tiles(t) ? &t->tiles[i] : NULL;
}

static rug_status check_parts(rug_context *ctx, const rugi_ifs_tiled *t, uint64_t *size)
{
    const rugi_ifs_part *part;
    *size = rugi_ifs_tiled_header_bytes(t);
    for (size_t i = 0; (part = part_of(t, i)) != NULL; i++) {
        if (part->n > UINT32_MAX)
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "a part of %zu bytes: less than 4 GiB expected; code "
                                    "it in smaller tiles",
                                    part->n);
        *size += part->n;
    }
    return RUG_OK;
}

rug_status rugi_ifs_tiled_write(rug_context *ctx, rug_ifs_stream *out,
                                const rugi_ifs_tiled *t)
{
    uint64_t size;
    const rugi_ifs_part *part;
    memset(out, 0, sizeof *out);
    rug_status status = check_parts(ctx, t, &size);
    if (status != RUG_OK)
        return status;
    out->bytes = rug_context_allocate(ctx, (size_t)size, 1, "stream of fractal coding");
    if (out->bytes == NULL)
        return RUG_E_NOMEM;
    out->size = (size_t)size;
    uint8_t *at = out->bytes + FIXED_BYTES;
    uint8_t *to = out->bytes + rugi_ifs_tiled_header_bytes(t);
    write_fixed(out->bytes, t);
    for (int i = 0; i < rugi_ifs_patch_planes(t); i++, at += PLANE_BYTES) {
        const rugi_ifs_tiled_plane *p = &t->planes[i];
        rugi_ifs_put_bytes(at, p->delta, 3);
        at[3] = (uint8_t)((unsigned)p->deblock | (p->has_offsets ? PLANE_OFFSETS : 0));
    }
    for (size_t i = 0; (part = part_of(t, i)) != NULL; i++, at += PART_BYTES) {
        rugi_ifs_put_bytes(at, (uint32_t)part->n, 4);
        rugi_ifs_put_bytes(at + 4, rugi_crc(part->bytes, part->n), 4);
        memcpy(to, part->bytes, part->n);
        to += part->n;
    }
    rugi_ifs_put_bytes(at, rugi_crc(out->bytes, (size_t)(at - out->bytes)), CRC_BYTES);
    return RUG_OK;
}

/* ---- Reading ---- */

static void read_fixed(rugi_ifs_tiled *t, const uint8_t *at)
{
    memset(t, 0, sizeof *t);
    t->is_lossless = (at[5] & FLAG_LOSSLESS) != 0;
    t->has_alpha = (at[5] & FLAG_ALPHA) != 0;
    t->is_colour = (at[5] & FLAG_COLOUR) != 0;
    t->is_16 = (at[5] & FLAG_16) != 0;
    t->halved = (at[5] & FLAG_HALVED) != 0;
    t->has_preview = (at[5] & FLAG_PREVIEW) != 0;
    t->has_notes = (at[5] & FLAG_NOTES) != 0;
    t->has_filters = (at[5] & FLAG_FILTERS) != 0;
    t->depth = at[6];
    t->nx = rugi_ifs_get_word(at + 8, 2);
    t->ny = rugi_ifs_get_word(at + 10, 2);
    t->tile = rugi_ifs_get_word(at + 12, 2) * RUGI_IFS_TILE_UNIT;
    t->minimum = rugi_ifs_get_word(at + 14, 2);
}

/* The name of the first field that is out of its bounds; NULL: none. */
static const char *wrong_field(const rugi_ifs_tiled *t, const uint8_t *at)
{
    uint32_t most = t->is_16 ? 65535 : 255;
    if ((t->halved && (!t->is_colour || t->is_lossless)) || at[7] != 0)
        return "flags";
    if (t->has_filters && t->is_lossless)
        return "flags";
    if (t->depth < 1 || t->depth > (t->is_16 ? 16u : 8u))
        return "depth";
    if (t->nx == 0 || t->ny == 0)
        return "size";
    if (t->tile == 0 || t->tile > RUGI_IFS_TILE_MOST * RUGI_IFS_TILE_UNIT)
        return "tile";
    if (t->minimum > most)
        return "minimum";
    return NULL;
}

static const char *read_planes(rugi_ifs_tiled *t, const uint8_t *at)
{
    for (int i = 0; i < rugi_ifs_patch_planes(t); i++, at += PLANE_BYTES) {
        t->planes[i] =
            (rugi_ifs_tiled_plane){.delta = rugi_ifs_get_word(at, 3),
                                   .deblock = at[3] & PLANE_DEBLOCK,
                                   .has_offsets = (at[3] & PLANE_OFFSETS) != 0};
        if (t->planes[i].delta < 1 || t->planes[i].delta > RUGI_IFS_DELTA_MAX)
            return "quantiser step";
        if (at[3] >= 2 * PLANE_OFFSETS)
            return "plane";
    }
    return NULL;
}

/* Where the parts lie; of those that are cut off, as much as is there. */
static rug_status place_parts(rug_context *ctx, rugi_ifs_tiled *t, const uint8_t *bytes,
                              size_t size, int is_partial)
{
    uint64_t begin = rugi_ifs_tiled_header_bytes(t);
    const uint8_t *at =
        bytes + FIXED_BYTES + PLANE_BYTES * (size_t)rugi_ifs_patch_planes(t);
    for (size_t i = 0; part_of(t, i) != NULL; i++, at += PART_BYTES) {
        rugi_ifs_part *part = (rugi_ifs_part *)(uintptr_t)part_of(t, i);
        uint64_t n = rugi_ifs_get_word(at, 4), there = begin < size ? size - begin : 0;
        part->bytes = bytes + (begin < size ? begin : size);
        part->n = (size_t)(n < there ? n : there);
        part->crc = rugi_ifs_get_word(at + 4, 4);
        part->is_cut = n > there;
        begin += n;
    }
    if (begin > size && !is_partial)
        return rug_context_fail(
            ctx, RUG_E_FORMAT,
            "the stream is cut off: %zu of %llu bytes are there; --partial (in C: partial) "
            "decodes those",
            size, (unsigned long long)begin);
    if (begin < size)
        return rug_context_fail(
            ctx, RUG_E_FORMAT,
            "%llu bytes follow the end of the stream: %llu expected in "
            "all",
            (unsigned long long)(size - begin), (unsigned long long)begin);
    return RUG_OK;
}

/* Whether tiles are as long as their pixels ask for; lengths are those of the header. */
static rug_status check_tiles(rug_context *ctx, const rugi_ifs_tiled *t,
                              const uint8_t *bytes)
{
    uint32_t nx = rugi_ifs_tiles_along(t->nx, t->tile);
    size_t n = n_tiles(t);
    const uint8_t *at =
        bytes + rugi_ifs_tiled_header_bytes(t) - CRC_BYTES - PART_BYTES * n;
    for (size_t i = 0; i < n; i++, at += PART_BYTES) {
        size_t least = rugi_ifs_least_of_tile(t, (uint32_t)(i % nx), (uint32_t)(i / nx));
        if (rugi_ifs_get_word(at, 4) < least)
            return rug_context_fail(ctx, RUG_E_FORMAT,
                                    "tile %zu has %u bytes, at least %zu expected: the "
                                    "stream is damaged",
                                    i, rugi_ifs_get_word(at, 4), least);
    }
    return RUG_OK;
}

static rug_status cut_off(rug_context *ctx, size_t size, uint64_t expected)
{
    return rug_context_fail(
        ctx, RUG_E_FORMAT, "a stream of %zu bytes is cut off: its header has %s%llu",
        size, expected <= FIXED_BYTES ? "at least " : "", (unsigned long long)expected);
}

static rug_status read_header(rug_context *ctx, rugi_ifs_tiled *t, const uint8_t *bytes,
                              size_t size)
{
    if (size < FIXED_BYTES)
        return cut_off(ctx, size, FIXED_BYTES);
    read_fixed(t, bytes);
    const char *wrong = wrong_field(t, bytes);
    uint64_t n = wrong == NULL ? rugi_ifs_tiled_header_bytes(t) : 0;
    if (wrong == NULL && size < n)
        return cut_off(ctx, size, n);
    if (wrong == NULL && rugi_crc(bytes, (size_t)n - CRC_BYTES) !=
                             rugi_ifs_get_word(bytes + n - CRC_BYTES, CRC_BYTES))
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "the checksum of the stream's header is wrong: it is "
                                "damaged, fetch it again");
    if (wrong == NULL)
        wrong = read_planes(t, bytes + FIXED_BYTES);
    if (wrong != NULL)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "the %s in the header is not allowed in version %d: the "
                                "stream is damaged",
                                wrong, RUGI_IFS_TILED_VERSION);
    return RUG_OK;
}

rug_status rugi_ifs_tiled_read(rug_context *ctx, rugi_ifs_tiled *t, const uint8_t *bytes,
                               size_t size, int is_partial)
{
    memset(t, 0, sizeof *t);
    rug_status status = read_header(ctx, t, bytes, size);
    if (status == RUG_OK)
        status = check_tiles(ctx, t, bytes);
    if (status == RUG_OK) {
        t->tiles =
            rug_context_allocate(ctx, n_tiles(t), sizeof *t->tiles, "tiles of a stream");
        status =
            t->tiles != NULL ? place_parts(ctx, t, bytes, size, is_partial) : RUG_E_NOMEM;
    }
    if (status != RUG_OK)
        rugi_ifs_tiled_free(ctx, t);
    return status;
}

void rugi_ifs_tiled_free(rug_context *ctx, rugi_ifs_tiled *t)
{
    rug_context_release(ctx, t->tiles);
    memset(t, 0, sizeof *t);
}
