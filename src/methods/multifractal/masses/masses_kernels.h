/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels of a mass pyramid: rows are joined in both (all three) directions, and
 * their masses counted in tables. All levels give the same numbers. */

#ifndef RUGI_MASSES_KERNELS_H
#define RUGI_MASSES_KERNELS_H

#include "core/context/levels.h"
#include "masses_plan.h"
#include <string.h>

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
    rugi_masses_kind kind; /* set by the caller */
    size_t pixel_size, sum_size;
    rugi_masses_join_fn join_pixels; /* to sums */
    rugi_masses_join_fn join_sums;   /* to sums */
    rugi_masses_join_fn join_last;   /* sums to the 64-bit masses of blocks */
    rugi_masses_count_fn count_pixels, count_sums;
    /* of U8 only: pixels to a table of pairs; n is even */
    rugi_masses_count_fn count_pairs;
    rugi_masses_widen_fn widen_pixels, widen_sums;
} rugi_masses_kernels;

/** Sets the kernels of a level for the kind in `kernels`. */
RUGI_KERNEL_LEVELS_X86(rugi_masses_set_kernels, rugi_masses_kernels)

/** Counts 8-bit masses in a table, which no vector makes faster: each level compiles its
 *  own. Eight masses are read at once. */
static inline void rugi_masses_count_u8(uint32_t *t, size_t size, size_t step,
                                        const void *masses, size_t n)
{
    const uint8_t *m = masses;
    uint32_t *t1 = t + step, *t2 = t1 + step, *t3 = t2 + step;
    size_t i = 0;
    (void)size;
    for (; i + 8 <= n; i += 8) {
        uint64_t v;
        memcpy(&v, m + i, sizeof v);
        t[v & 255]++;
        t1[v >> 8 & 255]++;
        t2[v >> 16 & 255]++;
        t3[v >> 24 & 255]++;
        t[v >> 32 & 255]++;
        t1[v >> 40 & 255]++;
        t2[v >> 48 & 255]++;
        t3[v >> 56]++;
    }
    for (; i < n; i++)
        t[m[i]]++;
}

#endif
