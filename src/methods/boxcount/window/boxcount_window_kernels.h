/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The single-thread kernels of counting boxes of any size. They work on *streams*: rows
 * of packed pixels or windows laid end to end, each followed by enough zero bits that no
 * window reaches from one row into another. So a short row costs no more than its words.
 *
 * Most come in two versions, "any" (OR: does the window hold a set pixel?) and "all"
 * (AND: are all of its pixels set?). All levels give the same words. */

#ifndef RUGI_BOXCOUNT_WINDOW_KERNELS_H
#define RUGI_BOXCOUNT_WINDOW_KERNELS_H

#include "core/context/levels.h"
#include <stddef.h>
#include <stdint.h>

/** Streams are whole vectors of this many words. */
#define RUGI_STREAM_VECTOR 8

enum { RUGI_ANY = 0, RUGI_ALL = 1, RUGI_N_JOINS = 2 };

/** Words before a stream that windows of w pixels along x read; whole vectors. */
static inline size_t rugi_window_reach(size_t w)
{
    return ((w - 1) / 64 / RUGI_STREAM_VECTOR + 1) * RUGI_STREAM_VECTOR;
}

/** Rows of a box: [n_z][n_y], from row to row stride_z and stride_y words. */
typedef struct rugi_box_rows {
    const uint64_t *words;
    size_t n_z, n_y, stride_z, stride_y;
} rugi_box_rows;

/** Windows of lines that share a core. Window n - 1 begins with the core, window k with
 *  window k + 1 and line `older` + k + 1, modulo 2^64; each also has lines `newer` + 1 …
 *  k. Missing lines are empty. */
typedef struct rugi_sliding {
    const uint64_t *core, *lines;
    size_t stride, n_lines;
    size_t older, newer;
    size_t n, n_words;
} rugi_sliding;

/** Counters of the bits of a stream, in slices: bit i of plane l of `sums`, and of `held`
 *  if bit l of n_added is set, is worth 2^l for column i; planes of `sums` that need more
 *  rows than have been added mean nothing yet. `held` turns two additions to a plane into
 *  one (the carry-save tree of Harley and Seal). */
typedef struct rugi_counter {
    uint64_t *sums, *held; /**< [n_planes][stride] */
    size_t stride;
    int n_planes;   /**< 2^n_planes is more than the rows that are added */
    size_t n_added; /**< rows added so far */
} rugi_counter;

/** Sliced numbers: bit i of plane l is worth 2^l in number i. */
typedef struct rugi_planes {
    uint64_t *words; /**< [n_planes][stride] */
    size_t stride;
    int n_planes;
} rugi_planes;

/** One set of kernels. n are words, and a whole number of vectors unless said. */
typedef struct rugi_window_kernels {
    const char *name; /**< of the engine in results */
    /** any: the OR, all: the AND of all rows of a box. n: any number. */
    void (*join_box)(uint64_t *any, uint64_t *all, rugi_box_rows rows, size_t n);
    /** dst: n_lines lines joined, from line to line `stride` words. n: any number. */
    void (*join_lines[RUGI_N_JOINS])(uint64_t *dst, const uint64_t *lines, size_t n_lines,
                                     size_t stride, size_t n);
    /** dst: a and b. n: any number. */
    void (*join_pair[RUGI_N_JOINS])(uint64_t *dst, const uint64_t *a, const uint64_t *b,
                                    size_t n);
    /** dst: the windows, from one to the next `stride_dst` words. */
    void (*slide[RUGI_N_JOINS])(uint64_t *dst, size_t stride_dst,
                                const rugi_sliding *sliding);
    /** Bit i of dst: the bits i - w + 1 … i of src joined. Reads rugi_window_reach(w) + 1
     *  words left of src.
     *  @param scratch  n + 2 * rugi_window_reach(w) words, where w > 64 */
    void (*windows[RUGI_N_JOINS])(uint64_t *dst, uint64_t *scratch, const uint64_t *src,
                                  size_t n, size_t w);
    /** The bits of src that are also in mask. */
    uint64_t (*count)(const uint64_t *src, const uint64_t *mask, size_t n);
    /** n: any number. */
    int (*is_zero)(const uint64_t *src, size_t n);
    /** Adds bits to n words of counters, from word `at` on. Uses up `bits`. */
    void (*add)(const rugi_counter *c, size_t at, uint64_t *bits, size_t n);
    /** dst: n words of a counter from word `at` on, `held` included, and zeros up to a
     *  whole vector. Reads up to a vector. n: any number.
     *  @param dst  with the planes of the counter */
    void (*read_counter)(rugi_planes dst, const rugi_counter *c, size_t at, size_t n);
    /** Number i of dst: the sum of number i + k * period of src for k < n_pieces. All of
     *  dst's stride, whole vectors, is set; numbers behind the period mean nothing.
     *  @param src  can be read a stride of dst and a word behind where a piece begins */
    void (*fold)(rugi_planes dst, rugi_planes src, size_t n_pieces, size_t period);
    /** The sum of the numbers that are in mask, [stride], whole vectors.
     *  @param is_beyond  whether one of them is below range[0] or above range[1], which
     *                    are below 2^n_planes */
    uint64_t (*survey)(int *is_beyond, rugi_planes p, const uint64_t *mask,
                       const uint64_t range[2]);
    /** The first 64 * n numbers. n: any number. */
    void (*columns)(uint64_t *counts, rugi_planes p, size_t n);
} rugi_window_kernels;

RUGI_KERNEL_LEVELS_X86(rugi_window_set_kernels, rugi_window_kernels)

#endif
