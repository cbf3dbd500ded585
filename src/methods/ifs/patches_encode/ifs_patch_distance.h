/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* How far predictions are from a block, before anything is transformed. Whole numbers. */

#ifndef RUGI_IFS_PATCH_DISTANCE_H
#define RUGI_IFS_PATCH_DISTANCE_H

#include "core/context/levels.h"
#include <stddef.h>
#include <stdint.h>

typedef struct rugi_ifs_distance_kernels {
    /** The sum of the magnitudes of the Hadamard transform, orthonormal, of a difference, by squares
     *  of 8 x 8 (n = 4: of 4 x 4).
     *  @param a, b  [n][n], n = 4, 8, 16, 32 */
    uint32_t (*hadamard)(const int16_t *a, const int16_t *b, uint32_t n);
    /** out = a - b of n values. */
    void (*subtract)(float *out, const int16_t *a, const int16_t *b, size_t n);
    /** What a transformed block may cost in squared steps: of each value its square, or about what
     *  it takes to code it, whichever is less.
     *  @param scale  of in: to steps
     *  @param bit    what a bit is worth
     *  @param n      a multiple of 16 */
    float (*estimate)(const float *in, float scale, float bit, size_t n);
} rugi_ifs_distance_kernels;

RUGI_KERNEL_LEVELS_X86(rugi_ifs_set_distance_kernels, rugi_ifs_distance_kernels)

#endif
