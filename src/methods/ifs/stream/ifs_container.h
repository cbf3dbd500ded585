/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The container of a stream: a header, and the bytes of each plane. FORMAT.md is its
 * specification. */

#ifndef RUGI_IFS_CONTAINER_H
#define RUGI_IFS_CONTAINER_H

#include "ifs_bytes.h"
#include "ifs_planes.h"
#include "ifs_syntax.h"
#include <rugose/ifs.h>

/** The latest version of this container. A stream has the first that can say what it is: 2 with
 *  domains that wrap around, else 1. */
#define RUGI_IFS_VERSION 2

/** The version of patches, whose container is another one. */
#define RUGI_IFS_TILED_VERSION 3

/** Bounds of what a header says. */
#define RUGI_IFS_DELTA_MAX      (1u << 20)
#define RUGI_IFS_STEP_MAX       1024
#define RUGI_IFS_ITERATIONS_MAX 64
#define RUGI_IFS_DEBLOCK_MAX    15

/** What a header says, but for the planes' lengths and checksums. */
typedef struct rugi_ifs_header {
    rug_ifs_partition partition;
    int n_planes;        /* 1 or 3 */
    unsigned depth;      /* of the image: 8 or 16 */
    int is_ycocg;        /* three planes are Y, Co, Cg */
    int has_residual;    /* QUADTREE only */
    uint32_t nx, ny;     /* of the image, 1..65535 */
    uint32_t range_size; /* FIXED, OVERLAP: 2..32, OVERLAP: even. QUADTREE: 0 */
    uint32_t step;       /* of domains, 1..1024; QUADTREE: a multiple of 4 */
    uint32_t iterations; /* 1..64 */
    int deblock;         /* 0..15; QUADTREE only */
    uint32_t delta[RUG_IFS_PLANES_MAX]; /* in 1/16 of a grey level, 1..2^20; FIXED,
                                           OVERLAP: 1 */
    int wraps; /* FIXED, OVERLAP: domains that cross an edge go on at the opposite one */
} rugi_ifs_header;

/** Where a plane lies in the stream. */
typedef struct rugi_ifs_part {
    const uint8_t *bytes;
    size_t n;
    uint32_t crc;
    int is_cut; /* fewer bytes than the header says, of a stream that is cut off */
} rugi_ifs_part;

/** Writes a stream.
 *  @param parts  [n_planes] what rugi_ifs_write_end() left of each plane; crc is
 *                ignored
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_ARG (a plane of 4 GiB or more) */
rug_status rugi_ifs_container_write(rug_context *ctx, rug_ifs_stream *out,
                                    const rugi_ifs_header *header,
                                    const rugi_ifs_part *parts);

/** The bytes that a stream will have, so that a rate can be aimed at without writing it.
 *  @param n  [n_planes] bytes of each plane */
uint64_t rugi_ifs_container_size(const rugi_ifs_header *header, const size_t *n);

/** Reads a header, and checks it against the size of the stream. The planes' checksums are
 *  not checked.
 *  @param parts  [RUG_IFS_PLANES_MAX]
 *  @return RUG_OK, RUG_E_FORMAT */
rug_status rugi_ifs_container_read(rug_context *ctx, rugi_ifs_header *header,
                                   rugi_ifs_part *parts, const uint8_t *bytes,
                                   size_t size);

/** RUG_OK, or RUG_E_FORMAT when the bytes of a plane do not have their checksum. */
rug_status rugi_ifs_check_part(rug_context *ctx, const rugi_ifs_part *part, int plane);

/** What an image takes. */
typedef struct rugi_ifs_size {
    uint32_t nx, ny;
    int n_planes;
    unsigned depth; /* of its type: 8 or 16 */
} rugi_ifs_size;

static inline rugi_ifs_size rugi_ifs_size_of(const rugi_ifs_header *h)
{
    return (rugi_ifs_size){h->nx, h->ny, h->n_planes, h->depth};
}

/** Checks the pixels of the coded image.
 *  @param size        of the stream
 *  @param pixels_max  0: as many as the stream can be trusted with
 *  @return RUG_OK, RUG_E_ARG (there are more) */
rug_status rugi_ifs_check_pixels(rug_context *ctx, const rugi_ifs_size *image,
                                 size_t size, uint64_t pixels_max);

/** Memory for the blocks of a tree, in bytes. It follows from the bytes of the plane, unless the
 *  caller allows a number of pixels: nobody codes a picture in blocks that say nothing. */
size_t rugi_ifs_tree_room(const rugi_ifs_part *part, uint64_t pixels_max);

/** What follows from a header for a plane. */
rugi_ifs_frame rugi_ifs_frame_of(const rugi_ifs_header *header, int plane);
rugi_ifs_block_frame rugi_ifs_block_frame_of(const rugi_ifs_header *header, int plane);

#endif
