/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The table of 8-bit masses, which no vector makes faster; each kernel compiles its own. */

#ifndef RUGI_MASSES_COUNT_H
#define RUGI_MASSES_COUNT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Eight masses are read at once. */
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
