/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Which values occur in pixels of 8 and 16 bits: kernels for each level of processors. */

#ifndef RUGI_RANGE_KERNELS_H
#define RUGI_RANGE_KERNELS_H

#include "core/context/levels.h"
#include <stddef.h>
#include <stdint.h>

/** Bytes of the set of all values of 8 bits and of 16: value v is bit v % 8 of byte v / 8. */
#define RUGI_SEEN_BYTES_8  32
#define RUGI_SEEN_BYTES_16 8192

typedef struct rugi_range_kernels {
    /** Adds the values of n pixels of 8 bits to their set. */
    void (*add_8)(uint8_t seen[RUGI_SEEN_BYTES_8], const uint8_t *pixels, size_t n);
    /** Adds those of 16 bits. @return how many were not in it, or more than `most` when it
     *  stopped there */
    uint32_t (*add_16)(uint8_t seen[RUGI_SEEN_BYTES_16], const uint16_t *pixels, size_t n,
                       uint32_t most);
    /** The least and the largest of n > 0 pixels.
     *  @param flip  0x8000 for signed pixels, whose order it makes that of unsigned ones; else
     *               0. Values come with it */
    void (*extremes_16)(uint16_t out[2], const uint16_t *pixels, size_t n, uint16_t flip);
} rugi_range_kernels;

RUGI_KERNEL_LEVELS(rugi_range_kernels_at, rugi_range_kernels)

#endif
