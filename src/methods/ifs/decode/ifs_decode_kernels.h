/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What a CPU level does for decoding: one block at a time. All values are in 1/64 of a
 * grey level. */

#ifndef RUGI_IFS_DECODE_KERNELS_H
#define RUGI_IFS_DECODE_KERNELS_H

#include "core/context/levels.h"
#include "ifs/stream/ifs_isometry.h"
#include "ifs/stream/ifs_syntax.h"

/** The largest octave. */
#define RUGI_IFS_OCTAVE_MAX 4

/** The base of one leaf: its mean and inverse transform. */
typedef struct rugi_ifs_base {
    uint32_t side, n;     /* of the coefficients; of the output: side << octave */
    const int32_t *coefs; /* [side * side]; NULL: none */
    const int32_t *basis; /* [side][n] the cosines of the side, sampled at n places */
    int32_t delta;
    unsigned log2_side, depth;
    int32_t mean, least, most;
} rugi_ifs_base;

/** The part of one leaf that its domain makes: base + k (domain - its mean) / 8. */
typedef struct rugi_ifs_copy {
    const int32_t *base; /* n rows of n pixels */
    size_t base_pitch;
    const int32_t *from; /* the domain: n x n pixels, or when halved 2n x 2n */
    size_t from_pitch;
    uint32_t n;
    unsigned log2_n, symmetry;
    int32_t k, least, most;
} rugi_ifs_copy;

/** A CPU level. */
typedef struct rugi_ifs_decode_kernels {
    void (*base)(int32_t *out, size_t pitch, const rugi_ifs_base *base);
    /** The domain has the size of the range already. */
    void (*copy)(int32_t *out, size_t pitch, const rugi_ifs_copy *copy);
    /** The domain is shrunk to half its side by sums of 2 x 2 pixels; n is at most 8. */
    void (*shrink)(int32_t *out, size_t pitch, const rugi_ifs_copy *copy);
    /** A row of means of 2 x 2 pixels, of rows a and b; n is the length of the result. */
    void (*halve)(int32_t *out, const int32_t *a, const int32_t *b, size_t n);
} rugi_ifs_decode_kernels;

RUGI_KERNEL_LEVELS_X86(rugi_ifs_set_decode_kernels, rugi_ifs_decode_kernels)

#endif
