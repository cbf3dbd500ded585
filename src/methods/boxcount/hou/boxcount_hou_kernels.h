/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels of the method HOU: the scan of sorted keys, and the fold of a bitmap. */

#ifndef RUGI_BOXCOUNT_HOU_KERNELS_H
#define RUGI_BOXCOUNT_HOU_KERNELS_H

#include "boxcount_scan.h"
#include "core/context/levels.h"
#include "core/context/threads.h"
#include <stddef.h>
#include <stdint.h>

/** The most levels that are faster to count one by one than by the highest bit. */
#define RUGI_SCAN_LEVELS_MAX 10

/** Keys of more bits would be negative to the kernels. */
#define RUGI_SCAN_BITS_MAX 63

/** Words of a bitmap: bit k of `any` is set when there is a key in set k, of `all` when
 *  all its keys are there. They may be the same. */
typedef struct rugi_bitmap_words {
    RUGI_OWN_LINES const uint64_t *any, *all;
    size_t n;                      /* a multiple of RUGI_BITMAP_STEP */
    uint64_t *next_any, *next_all; /* a bit for each word */
    unsigned asked;                /* bit b, 1..6: sets of 2^b bits are counted */
    uint64_t nonempty[7];          /* [b]: sets of 2^b bits are added */
    uint64_t full[7];
} rugi_bitmap_words;

/** One set of kernels. Those of keys, for keys of up to RUGI_SCAN_BITS_MAX bits, are NULL
 *  where portable code is as good. */
typedef struct rugi_hou_kernels {
    /** Folds the words of a bitmap, and counts its sets. */
    void (*fold)(rugi_bitmap_words *words);
    /** Adds to begun[j], j < n_levels, how many of keys 1 .. n - 1 differ from the one
     *  before in more than the bits of largest[j], which is 2^b - 1. */
    void (*count_levels)(uint64_t *begun, const uint64_t *largest, int n_levels,
                         const uint64_t *keys, size_t n);
    /** Looks at keys 1..64 and the steps to them from the keys before.
     *  @param breaks  bit i: the step to key i + 1 is above 1
     *  @param ends    bit i: it is 1, and all bits of `low` are set in key i + 1 */
    void (*find_runs)(uint64_t *breaks, uint64_t *ends, const uint64_t *keys,
                      uint64_t low);
} rugi_hou_kernels;

RUGI_KERNEL_LEVELS_X86(rugi_hou_set_kernels, rugi_hou_kernels)

/** The number of set bits: adds neighbours up, and again those sums. The instruction
 *  where the level has it. */
static inline uint64_t rugi_bitmap_ones(uint64_t v)
{
#ifdef __POPCNT__
    return (uint64_t)__builtin_popcountll(v);
#else
    v -= v >> 1 & 0x5555555555555555;
    v = (v & 0x3333333333333333) + (v >> 2 & 0x3333333333333333);
    v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return v * 0x0101010101010101 >> 56;
#endif
}

#endif
