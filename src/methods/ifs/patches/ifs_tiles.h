/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The container of version 3: a header, what goes with the image, and tiles that are decoded on
 * their own. FORMAT.md is its specification. */

#ifndef RUGI_IFS_TILES_H
#define RUGI_IFS_TILES_H

#include "ifs/exact/ifs_exact.h"
#include "ifs/stream/ifs_container.h"
#include "ifs_patches.h"
#include <string.h>

/** Planes that are coded as patches: luma and two of colour. */
#define RUGI_IFS_PATCH_PLANES 3

/** How many times smaller the first picture of a progressive stream is, along each side. */
#define RUGI_IFS_PREVIEW 8

/** Sides of tiles are multiples of this, up to RUGI_IFS_TILE_MOST of them. */
#define RUGI_IFS_TILE_UNIT    64
#define RUGI_IFS_TILE_MOST    1024
#define RUGI_IFS_TILE_LEAST   256 /* of those that are made */
#define RUGI_IFS_TILE_LARGEST (RUGI_IFS_TILE_UNIT * RUGI_IFS_TILE_MOST)

/** What is said of a plane of patches. */
typedef struct rugi_ifs_tiled_plane {
    uint32_t delta; /* in 1/16 of a grey level */
    int deblock;    /* 0..15 */
    int has_offsets;
} rugi_ifs_tiled_plane;

/** What a header says. */
typedef struct rugi_ifs_tiled {
    uint32_t nx, ny;  /* of the image */
    uint32_t tile;    /* side of a tile, in pixels */
    unsigned depth;   /* bits of value - minimum, 1..16 */
    uint32_t minimum; /* of the values */
    int is_16;        /* pixels are U16, else U8 */
    int is_colour;    /* red, green and blue: planes are Y, Co, Cg; else grey */
    int has_alpha;    /* of the type's bits; always exact */
    int is_lossless;  /* all planes are exact */
    unsigned halved;  /* 1: planes of colour have half as many samples a side */
    int has_notes, has_filters, has_preview;
    rugi_ifs_tiled_plane planes[RUGI_IFS_PATCH_PLANES];
    /* where things lie: */
    rugi_ifs_part notes, filters, preview;
    rugi_ifs_part *tiles; /* [rows][columns]; owned: rugi_ifs_tiled_free() */
} rugi_ifs_tiled;

/** Bytes of the length of a part of a tile. */
#define RUGI_IFS_LENGTH_BYTES 4

/** Planes that are coded as patches: 0, 1 or 3. */
static inline int rugi_ifs_patch_planes(const rugi_ifs_tiled *t)
{
    return t->is_lossless ? 0 : t->is_colour ? 3 : 1;
}
/** Planes that are exact, colours first, alpha last. */
static inline int rugi_ifs_exact_planes(const rugi_ifs_tiled *t)
{
    return (t->is_lossless ? (t->is_colour ? 3 : 1) : 0) + (t->has_alpha != 0);
}
/** Planes of the picture. */
static inline int rugi_ifs_picture_planes(const rugi_ifs_tiled *t)
{
    return (t->is_colour ? 3 : 1) + (t->has_alpha != 0);
}

static inline uint32_t rugi_ifs_tiles_along(uint32_t n, uint32_t tile)
{
    return (n + tile - 1) / tile;
}

/** n rounded up to whole roots. */
static inline uint32_t rugi_ifs_whole_roots(uint32_t n)
{
    return (n + RUGI_IFS_BLOCK - 1) / RUGI_IFS_BLOCK * RUGI_IFS_BLOCK;
}

/** A plane of a tile of nx x ny pixels. */
rugi_ifs_patch_frame rugi_ifs_tile_frame(const rugi_ifs_tiled *t, int plane, uint32_t nx,
                                         uint32_t ny);

/** The exact planes of a tile. */
void rugi_ifs_exact_tile(const rugi_ifs_tiled *t, uint32_t column, uint32_t row,
                         rugi_ifs_exact_frame *frame);

/** The least bytes of a tile, which a writer fills with zeros. */
size_t rugi_ifs_least_of_tile(const rugi_ifs_tiled *t, uint32_t column, uint32_t row);

/** Bytes of a stream but for its parts. */
uint64_t rugi_ifs_tiled_header_bytes(const rugi_ifs_tiled *t);

/** Writes a stream of the parts.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_ARG (a part of 4 GiB or more) */
rug_status rugi_ifs_tiled_write(rug_context *ctx, rug_ifs_stream *out,
                                const rugi_ifs_tiled *t);

/** Reads a header.
 *  @param is_partial  the stream may end anywhere behind it: parts have the bytes that are there
 *  @param t           filled on RUG_OK, zeroed otherwise
 *  @return RUG_OK, RUG_E_FORMAT, RUG_E_NOMEM */
rug_status rugi_ifs_tiled_read(rug_context *ctx, rugi_ifs_tiled *t, const uint8_t *bytes,
                               size_t size, int is_partial);
void rugi_ifs_tiled_free(rug_context *ctx, rugi_ifs_tiled *t);

/** Whether bytes begin like a stream of this version. */
static inline int rugi_ifs_is_tiled(const uint8_t *bytes, size_t size)
{
    return size > RUGI_IFS_MAGIC_BYTES &&
           memcmp(bytes, rugi_ifs_magic, RUGI_IFS_MAGIC_BYTES) == 0 &&
           bytes[RUGI_IFS_MAGIC_BYTES] == RUGI_IFS_TILED_VERSION;
}

#endif
