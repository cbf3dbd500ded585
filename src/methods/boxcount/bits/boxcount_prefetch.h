/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Prefetching of pixels by software. The hardware foresees their order too, but tells
 * streams apart by the addresses of the instructions that load and follows few of them
 * from page to page, so that without it the speed depended, by half, on the processor and
 * on where the linker had put the code. */

#ifndef RUGI_BOXCOUNT_PREFETCH_H
#define RUGI_BOXCOUNT_PREFETCH_H

#include <stddef.h>
#include <stdint.h>

/** How far ahead, in bytes in the order of reading: a page. At 15 to 50 bytes in a
 *  nanosecond that is the latency of memory or more, and little of the first-level cache. */
#define RUGI_BYTES_AHEAD 4096

/** Prefetches n bytes that begin `ahead` bytes behind `at`, which may be outside of the
 *  image. */
static inline void rugi_prefetch(const void *at, ptrdiff_t ahead, size_t n_bytes)
{
#ifdef __GNUC__
    uintptr_t target = (uintptr_t)at + (uintptr_t)ahead;
    for (size_t i = 0; i < n_bytes; i += 64)
        __builtin_prefetch((const void *)(target + i));
#else
    (void)at;
    (void)ahead;
    (void)n_bytes;
#endif
}

#endif
