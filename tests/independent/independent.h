/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A second decoder of the streams of fractal coding, written from their specification
 * (src/methods/ifs/FORMAT.md) alone: plain, slow, one number after the other, and without any
 * code of the library. What both decoders agree on is what the text says. */

#ifndef TESTS_INDEPENDENT_H
#define TESTS_INDEPENDENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A decoded picture. */
typedef struct ind_picture {
    int64_t nx, ny;
    int n_planes;     /**< 1 grey, 3 red, green and blue; 2 and 4: alpha behind these */
    int depth;        /**< bits of a pixel: 8 or 16 */
    uint16_t *pixels; /**< [n_planes][ny][nx]; owned; free() */
} ind_picture;

/** Decodes a stream to nx x ny pixels; both 0: to the coded size.
 *  @return NULL, or what is wrong with the stream (static); there is no picture then */
const char *ind_decode(ind_picture *out, const uint8_t *bytes, size_t size, int64_t nx,
                       int64_t ny);

/** The size that a stream was coded at. @return NULL, or what is wrong with its header */
const char *ind_read_size(int64_t *nx, int64_t *ny, const uint8_t *bytes, size_t size);

/* What the files of the decoder share. */

/** Pixels in 1/64 of a grey level, or, at the end, in grey levels. */
typedef struct ind_plane {
    int64_t nx, ny;
    int64_t *v; /**< [ny][nx]; owned */
} ind_plane;

/** All 0. Without memory the program ends: the decoder is for streams of tests. */
ind_plane ind_new_plane(int64_t nx, int64_t ny);
int64_t *ind_at(const ind_plane *plane, int64_t y, int64_t x);
void *ind_alloc(size_t n, size_t size);

/** floor(a / b), b > 0. */
int64_t ind_floor(int64_t a, int64_t b);
/** (a + 2^(n-1)) >> n, n > 0. */
int64_t ind_round(int64_t a, int n);
int64_t ind_limit(int64_t a, int64_t least, int64_t most);
/** The limits of a pixel of a plane of that depth; clamp() to them. */
int64_t ind_least(int depth);
int64_t ind_most(int depth);
int64_t ind_clamp(int64_t a, int depth);

/** What the header says of a plane. */
typedef struct ind_plane_head {
    int64_t delta; /**< in 1/16 of a grey level */
    const uint8_t *payload;
    size_t size;
    int depth; /**< of this plane: one more for Co and Cg */
} ind_plane_head;

enum { IND_QUADTREE = 0, IND_FIXED = 1, IND_OVERLAP = 2 };

/** What the header says. */
typedef struct ind_head {
    int partition;
    int n_planes;
    int depth; /**< of the image */
    bool has_colour_transform, has_residual, wraps;
    int iterations, deblocking;
    int64_t nx, ny;
    int64_t padded_nx, padded_ny;
    int64_t range_side; /**< of FIXED and OVERLAP */
    int64_t step;
    ind_plane_head planes[3];
} ind_head;

/** CRC-32 of ISO 3309. */
uint32_t ind_checksum(const uint8_t *bytes, size_t n);

/** Reads the header and compares all checksums. @return NULL, or what is wrong */
const char *ind_read_head(ind_head *out, const uint8_t *bytes, size_t size);

/** The probability of one decision. */
typedef struct ind_context {
    int64_t fast, slow, seen;
} ind_context;

/** A reader of decisions. Once it is damaged, all that it reads is 0. */
typedef struct ind_coder {
    const uint8_t *bytes;
    size_t size, at;
    uint64_t range, code;
    const char *damaged; /**< NULL, or what is wrong */
} ind_coder;

void ind_begin(ind_coder *coder, const uint8_t *bytes, size_t size);
void ind_begin_contexts(void *contexts, size_t size);
/** A decision whose chance of a 0 is `chance` / 65536. */
int ind_decide(ind_coder *coder, int64_t chance);
int ind_bit(ind_coder *coder, ind_context *context);
int64_t ind_raw(ind_coder *coder, int n);
int64_t ind_uniform(ind_coder *coder, int64_t n);
int64_t ind_tree(ind_coder *coder, ind_context *contexts, int n);

/** Contexts of a number whose first u values have one each. */
#define IND_NUMBER(u) ((u) + 22)
int64_t ind_number(ind_coder *coder, ind_context *contexts, int u);

/** A square that is made of another part of the picture. */
typedef struct ind_square {
    int64_t x, y, side;
    bool has_domain;
    int64_t domain_x, domain_y;
    int symmetry;
    int64_t k;
} ind_square;

/** Which pixel of a square of side n is at (y, x) under an isometry. */
void ind_isometry(int symmetry, int64_t n, int64_t *y, int64_t *x);

/** The first from_ny x from_nx pixels of a plane, as ny x nx ones, by area means. */
ind_plane ind_resize(const ind_plane *from, int64_t from_ny, int64_t from_nx, int64_t ny,
                     int64_t nx);

/** Which place of a square of that side coefficient i has. */
void ind_zigzag(int64_t *y, int64_t *x, int64_t i, int64_t side);

/** Red, green and blue of Y, Co + 2^depth and Cg + 2^depth, not limited. */
void ind_to_colours(ind_plane planes[3], int depth);

/** What a square adds to its pixels: out[y * side + x] = round(k (D - mean of D), shift), where D
 *  is the domain under the isometry: sums of 2 x 2 pixels of `from`, or its pixels. Places are in
 *  pixels of the result and of `from`; beyond an edge `from` goes on at the opposite one. */
void ind_changes(int64_t *out, const ind_plane *from, const ind_square *square, bool sums,
                 int shift);

/** A plane decoded at 2^octave times its size, padding included.
 *  @return NULL, or what is wrong; there is no plane then */
const char *ind_decode_trees(ind_plane *out, const ind_head *head, int plane, int octave);
const char *ind_decode_blocks(ind_plane *out, const ind_head *head, int plane,
                              int octave);

/** A leaf of a quadtree. */
typedef struct ind_leaf {
    ind_square square; /**< at the coded size */
    int level;
    int64_t mean;
    int64_t *coefficients; /**< q, [side][side], or NULL: none; owned */
    struct ind_leaf *next; /**< in the order of the stream */
} ind_leaf;

/** Reads the leaves of a plane. @return NULL, or what is wrong; there are no leaves then */
const char *ind_read_leaves(ind_leaf **out, const ind_head *head, int plane);
void ind_free_leaves(ind_leaf *first);

/** The filters of a plane. */
typedef struct ind_filters ind_filters;

/** Reads them. Free with ind_free_filters(), also when the coder is damaged. */
ind_filters *ind_read_filters(ind_coder *coder, int64_t roots_ny, int64_t roots_nx);
void ind_free_filters(ind_filters *f);

/** Filters a plane, 2^octave times as large as coded, to values within least .. most. */
void ind_filter(ind_plane *plane, const ind_filters *f, int octave, int64_t least,
                int64_t most);

#endif
