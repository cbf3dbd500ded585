/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the files that decode version 3 share. */

#ifndef TESTS_INDEPENDENT_V3_H
#define TESTS_INDEPENDENT_V3_H

#include "independent.h"

/** Samples are limited to these. */
enum { IND_SAMPLE_LEAST = -16384, IND_SAMPLE_MOST = 16383 };

typedef struct ind_bytes {
    const uint8_t *bytes;
    size_t size;
} ind_bytes;

/** What the header of version 3 says. */
typedef struct ind_head_v3 {
    bool is_exact, has_alpha, has_colour, is_halved, has_small, has_notes, has_filters;
    int pixel_depth; /**< bits of a pixel: 8 or 16 */
    int depth;       /**< of the values */
    int64_t nx, ny, tile_side, minimum;
    int n_patch_planes, n_exact_planes;
    int64_t delta[3];
    int strength[3];
    bool has_offsets[3];
    ind_bytes filters;
    int64_t tiles_nx, tiles_ny;
    ind_bytes *tiles; /**< [tiles_ny][tiles_nx]; owned */
} ind_head_v3;

/** @return NULL, or what is wrong; there are no tiles then */
const char *ind_read_head_v3(ind_head_v3 *out, const uint8_t *bytes, size_t size);

/** Decodes a stream of version 3 to a size that is at most 16 times its own. */
const char *ind_decode_v3(ind_picture *out, const uint8_t *bytes, size_t size, int64_t nx,
                          int64_t ny);

/** Depth of a plane of patches. */
int ind_depth_of(const ind_head_v3 *head, int plane);
/** a 2^n for n >= 0, else round(a, -n). */
int64_t ind_shift(int64_t a, int n);
int64_t ind_clip(int64_t a);

/** Kinds of patches, in the order of the questions. */
enum { IND_LUMA, IND_ANGLE, IND_PLANAR, IND_FLAT, IND_MEDIAN, IND_DOMAIN };

typedef struct ind_patch {
    int64_t x, y, side; /**< in its tile, at the coded size */
    int level, kind, angle;
    int64_t domain_x, domain_y;
    int symmetry;
    int64_t k;
    int64_t *coefficients; /**< q, [side][side], or NULL: none; owned */
    int64_t step;          /**< of its root */
    int64_t order;         /**< patches that were read before it */
    struct ind_patch *next;
} ind_patch;

/** The patches of a plane of a tile. */
typedef struct ind_patches {
    int64_t nx, ny; /**< padded */
    int depth;
    ind_patch *first; /**< in the order of the stream; owned */
    ind_patch **at;   /**< [ny / 4][nx / 4] that which covers a square; owned */
} ind_patches;

/** Reads them.
 *  @param ny, nx  pixels of the tile
 *  @param before  patches of the plane before this one; NULL: none
 *  @return NULL, or what is wrong; free in both cases */
const char *ind_read_patches(ind_patches *out, const ind_head_v3 *head, int plane,
                             int64_t ny, int64_t nx, ind_bytes payload,
                             const ind_patches *before);
void ind_free_patches(ind_patches *patches);
/** The patch that covers a sample; NULL outside, or when it was not read yet. */
ind_patch *ind_patch_at(const ind_patches *patches, int64_t y, int64_t x);

/** Draws patches at 2^octave times the coded size.
 *  @param luma    Y, drawn at the same octave, of Co and Cg; NULL: of others
 *  @param halved  whether Y has twice as many samples a side
 *  @param coded   the plane drawn at the coded size; NULL when octave is 0 */
ind_plane ind_draw_patches(const ind_patches *patches, const ind_plane *luma, bool halved,
                           int octave, const ind_plane *coded);

/** Decodes exact planes of nx x ny pixels.
 *  @return NULL, or what is wrong; there are no planes then */
const char *ind_decode_exact(ind_plane *out, int n_planes, const int *depths, int64_t ny,
                             int64_t nx, ind_bytes bytes);

#endif
