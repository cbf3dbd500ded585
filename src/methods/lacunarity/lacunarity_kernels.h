/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels of lacunarity: rows of sums over boxes, in numbers that wrap around. Sums of
 * masses wrap, the mass of a box does not: so it is exact where the largest box fits. */

#ifndef RUGI_LACUNARITY_KERNELS_H
#define RUGI_LACUNARITY_KERNELS_H

#include "core/context/levels.h"
#include <stddef.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 rugi_lacunarity_u128;

/** Types of rows: unsigned numbers of 2^type bytes. */
#define RUGI_LACUNARITY_TYPES 4

/** The largest mass of a box that is kept in 16 bits: its square fits 30. */
#define RUGI_LACUNARITY_MAX_16 32767

/** Bytes before the first number of a row of sums, all 0, and after the last. */
#define RUGI_LACUNARITY_PAD 64

/** Sums over boxes. */
typedef struct rugi_lacunarity_sums {
    uint64_t positions;
    rugi_lacunarity_u128 mass;   /* of M */
    rugi_lacunarity_u128 square; /* of M^2, the lower 128 bits */
    uint64_t square_high;        /* and the upper ones */
} rugi_lacunarity_sums;

static inline void rugi_lacunarity_add_square(rugi_lacunarity_sums *s,
                                              rugi_lacunarity_u128 square)
{
    s->square += square;
    s->square_high += s->square < square;
}

/** Rows of sums whose differences are masses of boxes: M at the end x of a box of e pixels is
 *  now[x] - before[x] - now[x - e] + before[x - e]. */
typedef struct rugi_lacunarity_row {
    const void *now;    /**< sums of all pixels above and to the left */
    const void *before; /**< those of the row above the boxes; NULL: all 0 */
    size_t first, n;    /**< boxes end at pixels first .. n - 1; first >= e - 1 */
    size_t e;           /**< pixels of a box */
    uint64_t most;      /**< no box has a larger mass */
} rugi_lacunarity_row;

/** sums = base + the running sum of (add - sub).
 *  @param sums, base  may be the same
 *  @param sub         NULL: 0
 *  @param n           pixels; up to the next multiple of 64 bytes more are read and written */
typedef void (*rugi_lacunarity_accumulate_fn)(void *sums, const void *base,
                                              const void *add, const void *sub, size_t n);

/** column += add - sub, pixel by pixel. */
typedef void (*rugi_lacunarity_slide_fn)(void *column, const void *add, const void *sub,
                                         size_t n);

/** Adds the boxes that end in a row. */
typedef void (*rugi_lacunarity_sum_fn)(const rugi_lacunarity_row *row,
                                       rugi_lacunarity_sums *out);

/** The same of those whose count is full. */
typedef void (*rugi_lacunarity_sum_full_fn)(const rugi_lacunarity_row *row,
                                            const rugi_lacunarity_row *count,
                                            uint64_t full, rugi_lacunarity_sums *out);

/** Adds boxes side by side.
 *  @param column  sums over the rows of the boxes, [row->n]
 *  @param count   NULL: all count */
typedef void (*rugi_lacunarity_fixed_fn)(const void *column, const void *count, size_t n,
                                         size_t e, uint64_t full,
                                         rugi_lacunarity_sums *out);

/** Flags of 0 or 1 from bits, the lowest of a byte first.
 *  @param flags  [8 * n_bytes] */
typedef void (*rugi_lacunarity_unpack_fn)(void *flags, const void *bits, size_t n_bytes);

/** One set of kernels, by types of pixels and sums. Pixels are never wider than sums, which
 *  have at least 16 bits. */
typedef struct rugi_lacunarity_kernels {
    const char *name; /**< of the engine in results */
    /** [pixels][sums] */
    rugi_lacunarity_accumulate_fn accumulate[RUGI_LACUNARITY_TYPES]
                                            [RUGI_LACUNARITY_TYPES];
    rugi_lacunarity_slide_fn slide[RUGI_LACUNARITY_TYPES][RUGI_LACUNARITY_TYPES];
    rugi_lacunarity_sum_fn sum[RUGI_LACUNARITY_TYPES];
    rugi_lacunarity_sum_full_fn sum_full[RUGI_LACUNARITY_TYPES];
    rugi_lacunarity_fixed_fn fixed[RUGI_LACUNARITY_TYPES];
    rugi_lacunarity_unpack_fn unpack;
} rugi_lacunarity_kernels;

/** Bytes of a row of n numbers, with the pads before it (in rows of sums) and after it. */
static inline size_t rugi_lacunarity_row_bytes(size_t n, unsigned type)
{
    size_t line = RUGI_LACUNARITY_PAD;
    return ((n << type) + line - 1) / line * line + 2 * line;
}

RUGI_KERNEL_LEVELS(rugi_lacunarity_set_kernels, rugi_lacunarity_kernels)

#endif
