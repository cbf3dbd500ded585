/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernel of the scan of sorted keys of up to 63 bits. */

#ifndef RUGI_BOXCOUNT_SCAN_LEVELS_H
#define RUGI_BOXCOUNT_SCAN_LEVELS_H

#include <stddef.h>
#include <stdint.h>

/** The most levels that are faster to count one by one than by the highest bit. */
#define RUGI_SCAN_LEVELS_MAX 10

/** Keys of more bits would be negative to the kernel. */
#define RUGI_SCAN_BITS_MAX 63

/** Adds to begun[j], j < n_levels, how many of keys 1 .. n - 1 differ from the one before
 *  in more than the bits of largest[j], which is 2^b - 1. */
void rugi_scan_levels_avx2(uint64_t *begun, const uint64_t *largest, int n_levels,
                           const uint64_t *keys, size_t n);

/** Looks at keys 1..64 and the steps to them from the keys before.
 *  @param breaks  bit i: the step to key i + 1 is above 1
 *  @param ends    bit i: it is 1, and all bits of `low` are set in key i + 1 */
void rugi_scan_runs_avx2(uint64_t *breaks, uint64_t *ends, const uint64_t *keys,
                         uint64_t low);

#endif
