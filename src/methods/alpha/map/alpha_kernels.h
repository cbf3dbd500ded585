/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What a CPU level does for maps of alpha: loops over the pixels of a row. No operation
 * depends on its place in a vector, so all levels give the same bits. */

#ifndef RUGI_ALPHA_KERNELS_H
#define RUGI_ALPHA_KERNELS_H

#include "alpha_plan.h"
#include "core/context/levels.h"

/** What a CPU level has. */
typedef struct rugi_alpha_kernels {
    const char *name; /* "cpu-avx512"; static text */
    /** n contiguous pixels of a dtype other than RUG_BIT as what windows are made of:
     *  MAX, MIN: the logarithm, -infinity of 0; of pixels below 0 and of NaN and infinity
     *    what wins over all others
     *  SUM: the pixel, NaN for such pixels; of wide pixels part 0 has the upper half,
     *    part 1 the lower
     *  ISO: the pixel, NaN for infinity; wide pixels as uint64_t, in order
     *  @param wide  by rugi_alpha_is_wide()
     *  @param out   one row of each part */
    void (*load)(double *const out[RUGI_ALPHA_MAX_PARTS], const void *pixels,
                 rug_dtype dtype, size_t n, rug_alpha_measure measure, int wide);
    /** to = from ∘ (a ∘ b), ∘ of the measure MAX, MIN or SUM; to may be from. */
    void (*fold[3])(double *to, const double *from, const double *a, const double *b,
                    size_t n);
    /** to = to ∘ a */
    void (*fold_one[3])(double *to, const double *a, size_t n);
    /** mu += 1 where a pixel is like its centre; NaN where one of them is NaN. */
    void (*iso)(double *mu, const double *pixels, const double *centres, double tolerance,
                size_t n);
    void (*iso_wide)(double *mu, const uint64_t *pixels, const uint64_t *centres,
                     uint64_t tolerance, size_t n);
    /** upper = 2^32 upper + lower, rounded once: both are whole numbers below 2^53. */
    void (*join)(double *upper, const double *lower, size_t n);
    void (*log)(double *out, const double *x, size_t n);
    /** sum += weight (ln_mu - ln_centre) */
    void (*add)(double *sum, const double *ln_mu, const double *ln_centre, double weight,
                size_t n);
    /** Single precision; NaN of what is not finite. */
    void (*finish)(float *out, const double *sum, size_t n);
} rugi_alpha_kernels;

RUGI_KERNEL_LEVELS_X86(rugi_alpha_set_kernels, rugi_alpha_kernels)

#endif
