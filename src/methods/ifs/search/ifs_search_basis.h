/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The orthonormal basis of blocks in which the symmetries of the square do next to nothing:
 * they change signs, and exchange the two halves of pairs. */

#ifndef RUGI_IFS_SEARCH_BASIS_H
#define RUGI_IFS_SEARCH_BASIS_H

#include <stddef.h>
#include <stdint.h>

/** Blocks that are changed, and domains that are compared, at once. */
#define RUGI_IFS_LANES 16

/** How many coefficients of each kind there are; they follow one another in this order. */
typedef struct rugi_ifs_basis {
    uint32_t size, n; /* side of a block, its pixels: also the coefficients */
    uint32_t n_a1;    /* no symmetry changes them */
    uint32_t n_b1;    /* sign: transposing */
    uint32_t n_b2;    /* sign: each reflection about an axis */
    uint32_t n_a2;    /* sign: all of the reflections */
    uint32_t n_pairs; /* odd along x, odd along y: reflections change the sign of one,
                         transposing exchanges them */
} rugi_ifs_basis;

/** @param size  2..32, even or odd */
rugi_ifs_basis rugi_ifs_basis_make(uint32_t size);

/** Changes blocks to the basis.
 *  @param out    [n][RUGI_IFS_LANES]
 *  @param in     [n][RUGI_IFS_LANES] pixels row by row, with a mean of 0
 *  @param scale  of each block */
void rugi_ifs_basis_change(const rugi_ifs_basis *basis, float *out, const double *in,
                           const double scale[RUGI_IFS_LANES]);

#endif
