/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels of a mass pyramid: rows are joined in both (all three) directions, and their
 * masses counted in tables. All levels give the same numbers. */

#ifndef RUGI_MASSES_KERNELS_H
#define RUGI_MASSES_KERNELS_H

#include "masses_plan.h"

/** The sums of two neighbours along x in n_rows rows, 2 or 4.
 *  @param n  sums that are made; each row has 2 n values */
typedef void (*rugi_masses_join_fn)(void *out, const void *const *rows, int n_rows,
                                    size_t n);

/** Counts n masses, each below the size of the table.
 *  @param table  4 tables, `step` entries one from the other */
typedef void (*rugi_masses_count_fn)(uint32_t *table, size_t size, size_t step,
                                     const void *masses, size_t n);

/** The masses as 64-bit numbers. */
typedef void (*rugi_masses_widen_fn)(uint64_t *out, const void *masses, size_t n);

/** How rows of a kind are worked on. Sums are those of boxes below the level of a block:
 *  of flags u8, of u8 u16, of u16 u32. */
typedef struct rugi_masses_kernels {
    size_t pixel_size, sum_size;
    rugi_masses_join_fn join_pixels; /* to sums */
    rugi_masses_join_fn join_sums;   /* to sums */
    rugi_masses_join_fn join_last;   /* sums to the 64-bit masses of blocks */
    rugi_masses_count_fn count_pixels, count_sums;
    rugi_masses_count_fn
        count_pairs; /* of U8 only: pixels to a table of pairs; n is even */
    rugi_masses_widen_fn widen_pixels, widen_sums;
} rugi_masses_kernels;

/** The kernel of a kind for a CPU level. */
rugi_masses_kernels rugi_masses_kernels_choose(rug_cpu_level level,
                                               rugi_masses_kind kind);

/** Overlay what a level does better. */
void rugi_masses_kernels_avx2(rugi_masses_kernels *kernels, rugi_masses_kind kind);
void rugi_masses_kernels_avx512(rugi_masses_kernels *kernels, rugi_masses_kind kind);

#endif
