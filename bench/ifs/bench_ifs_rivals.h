/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Two other ways to search all domains under all symmetries: as the paper writes it, and as
 * a product of matrices. */

#ifndef BENCH_IFS_RIVALS_H
#define BENCH_IFS_RIVALS_H

#include <stddef.h>
#include <stdint.h>

/** An image of n x n pixels cut into ranges of `size`; domains begin at multiples of step. */
typedef struct bench_search {
    const uint8_t *pixels;
    size_t side, size, step;
} bench_search;

/** Loops over the pixels of each range, domain and symmetry, with the sums of Pedersen
 *  (2011), in single precision, on two threads, for every k-th range.
 *  @return seconds, extrapolated to all ranges */
double bench_search_pixels(const bench_search *s, size_t k);

/** Centred domains of norm 1 times the eight turned copies of each range: 8 x 48 sums in
 *  registers, fused multiply-adds of AVX-512 where they are, on two threads.
 *  @param error  the squared error that is left
 *  @return seconds */
double bench_search_product(const bench_search *s, double *error);

/** Whether the product has AVX-512. */
int bench_search_has_avx512(void);

#endif
