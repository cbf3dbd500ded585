/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The container of version 3: FORMAT.md, section 7. */

#include "independent_v3.h"
#include <stdlib.h>

static int64_t number_at(const uint8_t *bytes, int n)
{
    return n == 0 ? 0 : bytes[0] + 256 * number_at(bytes + 1, n - 1);
}

static const char *read_flags(ind_head_v3 *head, const uint8_t *bytes)
{
    int flags = bytes[5];
    head->is_exact = flags & 1;
    head->has_alpha = flags & 2;
    head->has_colour = flags & 4;
    head->pixel_depth = flags & 8 ? 16 : 8;
    head->is_halved = flags & 16;
    head->has_small = flags & 32;
    head->has_notes = flags & 64;
    head->has_filters = flags & 128;
    int planes = head->has_colour ? 3 : 1;
    head->n_patch_planes = head->is_exact ? 0 : planes;
    head->n_exact_planes = (head->is_exact ? planes : 0) + head->has_alpha;
    if (head->is_halved && (head->is_exact || !head->has_colour))
        return "planes of colour are halved that are not there";
    if (head->is_exact && head->has_filters)
        return "filters of exact planes";
    return NULL;
}

static const char *read_sizes(ind_head_v3 *head, const uint8_t *bytes)
{
    head->depth = bytes[6];
    head->nx = number_at(bytes + 8, 2);
    head->ny = number_at(bytes + 10, 2);
    head->tile_side = 64 * number_at(bytes + 12, 2);
    head->minimum = number_at(bytes + 14, 2);
    if (head->depth < 1 || head->depth > head->pixel_depth)
        return "the depth is not that of a pixel";
    if (bytes[7] != 0)
        return "byte 7 is not 0";
    if (head->nx == 0 || head->ny == 0)
        return "a side is 0";
    if (head->tile_side < 64 || head->tile_side > 65536)
        return "the side of a tile is not 1..1024";
    if (head->minimum >= (int64_t)1 << head->pixel_depth)
        return "the minimum is too large";
    for (int p = 0; p < head->n_patch_planes; p++) {
        const uint8_t *row = bytes + 16 + 4 * p;
        head->delta[p] = number_at(row, 3);
        head->strength[p] = row[3] & 15;
        head->has_offsets[p] = row[3] & 16;
        if (row[3] & 224 || head->delta[p] < 1 || head->delta[p] > 1 << 20)
            return "a plane is described in no valid way";
    }
    head->tiles_nx = (head->nx + head->tile_side - 1) / head->tile_side;
    head->tiles_ny = (head->ny + head->tile_side - 1) / head->tile_side;
    return NULL;
}

/* Blocks of 32 x 32 pixels along a tile that begins at a pixel. */
static int64_t blocks_along(int64_t begin, int64_t n, int64_t side)
{
    int64_t length = n - begin < side ? n - begin : side;
    return (length + 31) / 32;
}

/* The parts, in the order of the stream; those of tiles last. */
static const char *read_parts(ind_head_v3 *head, const uint8_t *bytes, size_t size)
{
    size_t before = (size_t)(head->has_notes + head->has_filters + head->has_small);
    size_t n_tiles = (size_t)(head->tiles_nx * head->tiles_ny), n = before + n_tiles;
    size_t rows = (size_t)(16 + 4 * head->n_patch_planes), end = rows + 8 * n;
    if (size < end + 4)
        return "the file is too short";
    if (ind_checksum(bytes, end) != number_at(bytes + end, 4))
        return "the checksum of the header differs";
    head->tiles = ind_alloc(n_tiles, sizeof *head->tiles);
    size_t at = end + 4;
    for (size_t i = 0; i < n; i++) {
        const uint8_t *row = bytes + rows + 8 * i;
        ind_bytes part = {bytes + at, (size_t)number_at(row, 4)};
        if (part.size > size - at)
            return "the file is too short";
        bool is_filters = head->has_filters && i == (size_t)head->has_notes;
        if ((is_filters || i >= before) &&
            ind_checksum(part.bytes, part.size) != number_at(row + 4, 4))
            return "the checksum of a part that is needed differs";
        at += part.size;
        if (is_filters)
            head->filters = part;
        if (i < before)
            continue;
        int64_t tile = (int64_t)(i - before), side = head->tile_side;
        int64_t blocks = blocks_along(tile % head->tiles_nx * side, head->nx, side) *
                         blocks_along(tile / head->tiles_nx * side, head->ny, side);
        if ((int64_t)part.size < (blocks + 15) / 16)
            return "a tile is too short";
        head->tiles[tile] = part;
    }
    return at == size ? NULL : "something follows the parts";
}

const char *ind_read_head_v3(ind_head_v3 *out, const uint8_t *bytes, size_t size)
{
    *out = (ind_head_v3){0};
    if (size < 16 || number_at(bytes, 4) != 0x4946528a || bytes[4] != 3)
        return "not a stream of version 3";
    const char *wrong = read_flags(out, bytes);
    if (!wrong && size < (size_t)(16 + 4 * out->n_patch_planes))
        wrong = "the file is too short";
    if (!wrong)
        wrong = read_sizes(out, bytes);
    if (!wrong)
        wrong = read_parts(out, bytes, size);
    if (wrong) {
        free(out->tiles);
        out->tiles = NULL;
    }
    return wrong;
}
