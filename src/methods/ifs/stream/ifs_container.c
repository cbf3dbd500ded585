/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The container, written and read, with checksums. */

#include "ifs_container.h"
#include "core/context/crc.h"
#include <string.h>

/* ---- The header ---- */

/* Bytes of the header: the fixed part, that of each plane, the checksum. */
#define FIXED_BYTES 17
#define PLANE_BYTES 11
#define CRC_BYTES   4

/* Bits of the mode byte. */
#define MODE_PARTITION 3u
#define MODE_PLANES    4u
#define MODE_DEPTH     8u
#define MODE_YCOCG     16u
#define MODE_RESIDUAL  32u
#define MODE_WRAPS     64u

/* The version whose streams may have domains that wrap around. */
#define WRAPS_VERSION 2

/* What both versions fix: log2 of the alignment of domains and of the levels of s, and the
 * sides of ranges of QUADTREE. */
#define TREE_ALIGNMENT 2
#define TREE_SCALES    3
#define BLOCK_SCALES   6

/* A plane of a tree has at least a byte for so many blocks of 32 x 32, one of blocks at
 * least a byte for each, so that no small stream asks for much memory. */
#define BLOCKS_OF_BYTE 16

static size_t header_bytes(int n_planes)
{
    return FIXED_BYTES + PLANE_BYTES * (size_t)n_planes + CRC_BYTES;
}

static uint32_t up_to(uint32_t n, uint32_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/* The least bytes of a plane. */
static size_t least_bytes(const rugi_ifs_header *h)
{
    if (h->partition != RUG_IFS_QUADTREE) {
        rugi_ifs_block_frame f = rugi_ifs_block_frame_of(h, 0);
        return rugi_ifs_blocks_of_grid(&f) * rugi_ifs_block_grids(&f);
    }
    rugi_ifs_frame f = rugi_ifs_frame_of(h, 0);
    size_t n = (size_t)(f.nx / RUGI_IFS_BLOCK) * (f.ny / RUGI_IFS_BLOCK);
    return (n + BLOCKS_OF_BYTE - 1) / BLOCKS_OF_BYTE;
}

static unsigned depth_of(const rugi_ifs_header *h, int plane)
{
    return h->depth + (h->is_ycocg && plane > 0);
}

rugi_ifs_frame rugi_ifs_frame_of(const rugi_ifs_header *h, int plane)
{
    unsigned depth = depth_of(h, plane);
    return (rugi_ifs_frame){
        .nx = up_to(h->nx, RUGI_IFS_BLOCK),
        .ny = up_to(h->ny, RUGI_IFS_BLOCK),
        .step = h->step,
        .delta = h->delta[plane],
        .has_residual = h->has_residual,
        .depth = depth,
        .middle = 1 << (depth - 1),
    };
}

rugi_ifs_block_frame rugi_ifs_block_frame_of(const rugi_ifs_header *h, int plane)
{
    return (rugi_ifs_block_frame){
        .nx = up_to(h->nx, h->range_size),
        .ny = up_to(h->ny, h->range_size),
        .size = h->range_size,
        .step = h->step,
        .overlaps = h->partition == RUG_IFS_OVERLAP,
        .wraps = h->wraps,
        .depth = depth_of(h, plane),
    };
}

uint64_t rugi_ifs_container_size(const rugi_ifs_header *h, const size_t *n)
{
    size_t least = least_bytes(h);
    uint64_t size = header_bytes(h->n_planes);
    for (int i = 0; i < h->n_planes; i++)
        size += n[i] > least ? n[i] : least;
    return size;
}

static void write_fixed(uint8_t *at, const rugi_ifs_header *h)
{
    int is_tree = h->partition == RUG_IFS_QUADTREE;
    memcpy(at, rugi_ifs_magic, sizeof rugi_ifs_magic);
    at[4] = h->wraps ? WRAPS_VERSION : 1;
    at[5] =
        (uint8_t)((unsigned)h->partition | (h->n_planes == 3 ? MODE_PLANES : 0) |
                  (h->depth == 16 ? MODE_DEPTH : 0) | (h->is_ycocg ? MODE_YCOCG : 0) |
                  (h->has_residual ? MODE_RESIDUAL : 0) | (h->wraps ? MODE_WRAPS : 0));
    at[6] = (uint8_t)h->iterations;
    at[7] = (uint8_t)(h->deblock | (is_tree ? TREE_ALIGNMENT << 4 : 0));
    rugi_ifs_put_bytes(at + 8, h->nx, 2);
    rugi_ifs_put_bytes(at + 10, h->ny, 2);
    at[12] = is_tree ? RUGI_IFS_LEAST : (uint8_t)h->range_size;
    at[13] = is_tree ? RUGI_IFS_BLOCK : (uint8_t)h->range_size;
    rugi_ifs_put_bytes(at + 14, h->step, 2);
    at[16] = is_tree ? TREE_SCALES : BLOCK_SCALES;
}

rug_status rugi_ifs_container_write(rug_context *ctx, rug_ifs_stream *out,
                                    const rugi_ifs_header *h, const rugi_ifs_part *parts)
{
    size_t n[RUG_IFS_PLANES_MAX] = {0}, least = least_bytes(h);
    memset(out, 0, sizeof *out);
    for (int i = 0; i < h->n_planes; i++) {
        n[i] = parts[i].n > least ? parts[i].n : least;
        if (n[i] > UINT32_MAX)
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "a plane of %zu bytes: less than 4 GiB expected; "
                                    "code it with less quality",
                                    n[i]);
    }
    out->size = (size_t)rugi_ifs_container_size(h, n);
    out->bytes = rug_context_allocate(ctx, out->size, 1, "stream of fractal coding");
    if (out->bytes == NULL) {
        out->size = 0;
        return RUG_E_NOMEM;
    }
    uint8_t *plane = out->bytes + FIXED_BYTES;
    uint8_t *to = out->bytes + header_bytes(h->n_planes);
    write_fixed(out->bytes, h);
    for (int i = 0; i < h->n_planes; i++, plane += PLANE_BYTES) {
        memset(to, 0, n[i]);
        if (parts[i].n > 0)
            memcpy(to, parts[i].bytes, parts[i].n);
        rugi_ifs_put_bytes(plane, h->delta[i], 3);
        rugi_ifs_put_bytes(plane + 3, (uint32_t)n[i], 4);
        rugi_ifs_put_bytes(plane + 7, rugi_crc(to, n[i]), 4);
        to += n[i];
    }
    rugi_ifs_put_bytes(plane, rugi_crc(out->bytes, (size_t)(plane - out->bytes)),
                       CRC_BYTES);
    return RUG_OK;
}

static rug_status check_start(rug_context *ctx, const uint8_t *bytes, size_t size)
{
    if (size < RUGI_IFS_MAGIC_BYTES ||
        memcmp(bytes, rugi_ifs_magic, RUGI_IFS_MAGIC_BYTES) != 0)
        return rug_context_fail(
            ctx, RUG_E_FORMAT,
            "%zu bytes that do not begin like a stream of fractal coding "
            "(8a 'RFI'): a file of 'rugose compress' expected",
            size);
    if (size < FIXED_BYTES)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "a stream of %zu bytes is cut off: its header has at "
                                "least %zu",
                                size, header_bytes(1));
    if (bytes[4] < 1 || bytes[4] > RUGI_IFS_VERSION)
        return rug_context_fail(
            ctx, RUG_E_FORMAT,
            "a stream of version %u given, 1..%d expected: it takes a "
            "later rugose",
            bytes[4], RUGI_IFS_TILED_VERSION);
    return RUG_OK;
}

/* The checksum of the header, whose length its mode says. */
static rug_status check_header_crc(rug_context *ctx, const uint8_t *bytes, size_t size,
                                   int n_planes)
{
    size_t n = header_bytes(n_planes);
    if (size < n)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "a stream of %zu bytes is cut off: its header has %zu",
                                size, n);
    if (rugi_crc(bytes, n - CRC_BYTES) !=
        rugi_ifs_get_word(bytes + n - CRC_BYTES, CRC_BYTES))
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "the checksum of the stream's header is wrong: it is "
                                "damaged, fetch it again");
    return RUG_OK;
}

static void read_fixed(rugi_ifs_header *h, const uint8_t *at)
{
    memset(h, 0, sizeof *h);
    h->partition = (rug_ifs_partition)(at[5] & MODE_PARTITION);
    h->n_planes = (at[5] & MODE_PLANES) != 0 ? 3 : 1;
    h->depth = (at[5] & MODE_DEPTH) != 0 ? 16 : 8;
    h->is_ycocg = (at[5] & MODE_YCOCG) != 0;
    h->has_residual = (at[5] & MODE_RESIDUAL) != 0;
    h->wraps = (at[5] & MODE_WRAPS) != 0;
    h->iterations = at[6];
    h->deblock = at[7] & RUGI_IFS_DEBLOCK_MAX;
    h->nx = rugi_ifs_get_word(at + 8, 2);
    h->ny = rugi_ifs_get_word(at + 10, 2);
    h->range_size = h->partition == RUG_IFS_QUADTREE ? 0 : at[12];
    h->step = rugi_ifs_get_word(at + 14, 2);
}

/* The name of the first field that is out of its bounds; NULL: none. */
static const char *wrong_field(const rugi_ifs_header *h, const uint8_t *at)
{
    int is_tree = h->partition == RUG_IFS_QUADTREE;
    if (at[5] >= 2 * MODE_WRAPS || h->partition > RUG_IFS_OVERLAP ||
        h->wraps != (at[4] == WRAPS_VERSION) || (h->wraps && is_tree) ||
        (h->is_ycocg && h->n_planes == 1) || (h->has_residual && !is_tree))
        return "mode";
    if (h->iterations < 1 || h->iterations > RUGI_IFS_ITERATIONS_MAX)
        return "iterations";
    if (at[7] >> 4 != (is_tree ? TREE_ALIGNMENT : 0) || (h->deblock > 0 && !is_tree))
        return "deblocking";
    if (h->nx == 0 || h->ny == 0)
        return "size";
    if (is_tree ? at[12] != RUGI_IFS_LEAST || at[13] != RUGI_IFS_BLOCK
                : at[12] < 2 || at[12] > RUGI_IFS_BLOCK || at[13] != at[12])
        return "range size";
    if (h->partition == RUG_IFS_OVERLAP && at[12] % 2 != 0)
        return "range size";
    if (h->step < 1 || h->step > RUGI_IFS_STEP_MAX || (is_tree && h->step % 4 != 0))
        return "domain step";
    if (at[16] != (is_tree ? TREE_SCALES : BLOCK_SCALES))
        return "levels of s";
    return NULL;
}

static rug_status read_planes(rug_context *ctx, rugi_ifs_header *h, rugi_ifs_part *parts,
                              const uint8_t *bytes, size_t size)
{
    const uint8_t *plane = bytes + FIXED_BYTES;
    size_t at = header_bytes(h->n_planes), least = least_bytes(h);
    for (int i = 0; i < h->n_planes; i++, plane += PLANE_BYTES) {
        h->delta[i] = rugi_ifs_get_word(plane, 3);
        parts[i] = (rugi_ifs_part){bytes + at, rugi_ifs_get_word(plane + 3, 4),
                                   rugi_ifs_get_word(plane + 7, 4), 0};
        if (h->delta[i] < 1 || h->delta[i] > RUGI_IFS_DELTA_MAX)
            return rug_context_fail(ctx, RUG_E_FORMAT,
                                    "the quantiser step %u / 16 of plane %d is not in "
                                    "1..2^20 / 16: the stream is damaged",
                                    h->delta[i], i);
        if (parts[i].n < least)
            return rug_context_fail(ctx, RUG_E_FORMAT,
                                    "plane %d has %zu bytes, at least %zu for %u x %u "
                                    "pixels expected: the stream is damaged",
                                    i, parts[i].n, least, h->nx, h->ny);
        if (parts[i].n > size - at)
            return rug_context_fail(ctx, RUG_E_FORMAT,
                                    "the stream is cut off: plane %d has %zu bytes, %zu "
                                    "are there",
                                    i, parts[i].n, size - at);
        at += parts[i].n;
    }
    if (at != size)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%zu bytes follow the end of the stream: %zu expected in "
                                "all",
                                size - at, at);
    return RUG_OK;
}

rug_status rugi_ifs_container_read(rug_context *ctx, rugi_ifs_header *h,
                                   rugi_ifs_part *parts, const uint8_t *bytes,
                                   size_t size)
{
    memset(parts, 0, RUG_IFS_PLANES_MAX * sizeof *parts);
    rug_status status = check_start(ctx, bytes, size);
    if (status != RUG_OK)
        return status;
    read_fixed(h, bytes);
    status = check_header_crc(ctx, bytes, size, h->n_planes);
    if (status != RUG_OK)
        return status;
    const char *wrong = wrong_field(h, bytes);
    if (wrong != NULL)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "the %s in the header is not allowed in version %d: the "
                                "stream is damaged",
                                wrong, bytes[4]);
    return read_planes(ctx, h, parts, bytes, size);
}

rug_status rugi_ifs_check_part(rug_context *ctx, const rugi_ifs_part *part, int plane)
{
    if (rugi_crc(part->bytes, part->n) == part->crc)
        return RUG_OK;
    return rug_context_fail(ctx, RUG_E_FORMAT,
                            "the checksum of the stream's plane %d is wrong: it is "
                            "damaged, fetch it again",
                            plane);
}

/* Of each plane; more than 1,600,000 blocks, whatever the plane's bytes are. */
#define TREE_BYTES ((size_t)64 << 20)
#define TREE_BYTES_OF_BYTE \
    1024 /* a block takes 40 bytes of memory, and at least a bit in a picture */

size_t rugi_ifs_tree_room(const rugi_ifs_part *part, uint64_t pixels_max)
{
    if (pixels_max > 0 || part->n > (SIZE_MAX - TREE_BYTES) / TREE_BYTES_OF_BYTE)
        return SIZE_MAX;
    return TREE_BYTES + TREE_BYTES_OF_BYTE * part->n;
}

rug_status rugi_ifs_check_pixels(rug_context *ctx, const rugi_ifs_size *h, size_t size,
                                 uint64_t pixels_max)
{
    uint64_t n = (uint64_t)h->nx * h->ny * (uint64_t)h->n_planes;
    uint64_t always = RUG_IFS_PICTURE_BYTES_DEFAULT / (unsigned)(h->depth / 8);
    uint64_t justified = RUG_IFS_PIXELS_OF_BYTE_DEFAULT * (uint64_t)size;
    uint64_t usual = always > justified ? always : justified;
    if (n <= (pixels_max > 0 ? pixels_max : usual))
        return RUG_OK;
    if (pixels_max == 0)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "the stream is an image of %u x %u pixels, %llu in all planes; at most %llu are "
            "decoded from %zu bytes unless more are allowed (pixels_max, --max-pixels)",
            h->nx, h->ny, (unsigned long long)n, (unsigned long long)usual, size);
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "the stream is an image of %u x %u pixels, %llu in all planes; at most %llu are "
        "allowed: allow more (pixels_max, --max-pixels)",
        h->nx, h->ny, (unsigned long long)n, (unsigned long long)pixels_max);
}
