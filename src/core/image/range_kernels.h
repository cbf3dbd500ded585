/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Which values occur, the least and the largest, and in which bins they lie: kernels for each level of
 * processors. */

#ifndef RUGI_RANGE_KERNELS_H
#define RUGI_RANGE_KERNELS_H

#include "core/context/levels.h"
#include <float.h>
#include <math.h>
#include <rugose/image.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes of the set of all values of 8 bits and of 16: value v is bit v % 8 of byte v / 8. */
#define RUGI_SEEN_BYTES_8  32
#define RUGI_SEEN_BYTES_16 8192

/** Slots of a table of known values: so many that few of RUG_DISTINCT_MAX share one. */
#define RUGI_KNOWN_BITS 14
#define RUGI_KNOWN      ((size_t)1 << RUGI_KNOWN_BITS)

/** The slot of a value's bits, of 64 that of the exclusive or of their halves (Fibonacci hashing). */
static inline uint32_t rugi_slot_of(uint32_t bits)
{
    return bits * 0x9e3779b1u >> (32 - RUGI_KNOWN_BITS);
}

/** Equal bins of a range. */
typedef struct rugi_bins {
    double min;
    double scale;         /* a power of two that brings values near 1 */
    double bins_per_unit; /* of scaled values */
    int32_t n;
} rugi_bins;

/** The bin of a value; never falls when the value rises. n for what is not finite. */
static inline uint32_t rugi_bin_of(const rugi_bins *bins, double v)
{
    double bin = (v * bins->scale - bins->min * bins->scale) * bins->bins_per_unit;
    double last = (double)(bins->n - 1);
    bin = bin > 0 ? bin : 0;
    bin = bin < last ? bin : last;
    return (uint32_t)(fabs(v) <= DBL_MAX ? (int32_t)bin : bins->n);
}

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
    /** Which of n pixels are not in a table, of as many bits. Several may have the same value.
     *  @param at     [n]: their indices
     *  @param table  [RUGI_KNOWN] of uint32_t or uint64_t
     *  @param n      at most 65536
     *  @return how many */
    size_t (*unknown_32)(uint16_t *at, const void *table, const void *pixels, size_t n);
    size_t (*unknown_64)(uint16_t *at, const void *table, const void *pixels, size_t n);
    /** The least and the largest of n > 0 integers of 32 or 64 bits, of which signed ones are
     *  made int64_t. */
    void (*extremes)(uint64_t out[2], rug_dtype dtype, const void *pixels, size_t n);
    /** The same of floats. @return whether all are finite; else nothing is found */
    int (*extremes_f32)(double out[2], const void *pixels, size_t n);
    int (*extremes_f64)(double out[2], const void *pixels, size_t n);
    /** rugi_bin_of() of n values. */
    void (*bins)(uint32_t *out, const double *values, size_t n, const rugi_bins *bins);
} rugi_range_kernels;

RUGI_KERNEL_LEVELS(rugi_range_kernels_at, rugi_range_kernels)

#endif
