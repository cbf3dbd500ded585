/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernel of the moments: sums over the masses of boxes of one size. All levels add
 * up in the same order and give the same bits. */

#ifndef RUGI_MOMENTS_KERNELS_H
#define RUGI_MOMENTS_KERNELS_H

#include "core/context/levels.h"
#include <stddef.h>

/** Masses of a block are added up in so many lanes. */
#define RUGI_MOMENT_LANES 16

/** Sums over boxes; w = e^(q u). */
typedef struct rugi_moment_sums {
    double w;   /* sum of boxes * w */
    double w_u; /* sum of boxes * w * u */
} rugi_moment_sums;

/** Sums over n masses, a multiple of RUGI_MOMENT_LANES, 64-byte aligned.
 *  @param log_p  [n], u = log_p - reference; q u is at most about 0
 *  @param boxes  [n] */
typedef rugi_moment_sums (*rugi_moment_fn)(const double *log_p, const double *boxes,
                                           size_t n, double q, double reference);

/** Sets the kernel of a level. */
RUGI_KERNEL_LEVELS_X86(rugi_moments_set_kernel, rugi_moment_fn)

#endif
