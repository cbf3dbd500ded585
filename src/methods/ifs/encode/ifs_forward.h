/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the encoder computes most: cosine transforms of blocks, and products of a range
 * with domains in all 8 isometries. Single precision in a fixed order and whole
 * numbers, so the same on every CPU level. */

#ifndef RUGI_IFS_FORWARD_H
#define RUGI_IFS_FORWARD_H

#include "core/context/levels.h"
#include "ifs/stream/ifs_isometry.h"
#include "ifs/stream/ifs_syntax.h"

/** Pixels of the largest block. */
#define RUGI_IFS_PIXELS (RUGI_IFS_BLOCK * RUGI_IFS_BLOCK)

/** Cosines: basis[level][k n + i] is function k at pixel i, orthonormal; transposed is
 *  its transpose. */
typedef struct rugi_ifs_cosines {
    float basis[RUGI_IFS_LEVELS][RUGI_IFS_PIXELS];
    float transposed[RUGI_IFS_LEVELS][RUGI_IFS_PIXELS];
} rugi_ifs_cosines;

/** A CPU level. */
typedef struct rugi_ifs_forward_kernels {
    /** The orthonormal two-dimensional DCT-II of a block of level 0..3, row by row. */
    void (*forward)(float *out, const float *in, const rugi_ifs_cosines *cosines,
                    unsigned level);
    /** out[g] = sum over n pixels of ranges[g][i] domain[i]; |values| up to 1023, n a
     *  multiple of 16 up to RUGI_IFS_PIXELS. */
    void (*cross)(int32_t out[RUGI_IFS_ISOMETRIES], const int16_t *ranges,
                  const int16_t *domain, size_t n);
    /** x[i] = r[i] - s e[i]. @return the index behind the last |x| >= least, 0: none */
    size_t (*residual)(float *x, const float *r, const float *e, float s, float least,
                       size_t n);
} rugi_ifs_forward_kernels;

RUGI_KERNEL_LEVELS_X86(rugi_ifs_set_forward_kernels, rugi_ifs_forward_kernels)

#endif
