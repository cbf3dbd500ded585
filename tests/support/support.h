/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the unit tests share: cmocka, a seeded generator, and slow, obvious
 * reimplementations. */

#ifndef TESTS_SUPPORT_H
#define TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include <rugose/rugose.h>

/** Cases of a random test: all of them in the build that takes its time (RUGOSE_FULL_TESTS), a
 *  tenth in the others; the step through a list of cases: 1 there, else n. */
#ifdef RUGOSE_FULL_TESTS
#define TEST_CASES(n) (n)
#define TEST_STEP(n)  1
#else
#define TEST_CASES(n) (((n) + 9) / 10)
#define TEST_STEP(n)  (n)
#endif

/** splitmix64: any seed, the same numbers everywhere. */
uint64_t test_random(uint64_t *state);

/** A number in 0..n-1. */
uint64_t test_below(uint64_t *state, uint64_t n);

/** A new context; fails the test when there is none. */
rug_context *test_context(void);

/** The value of pixel (z, y, x) of a view, exactly (64-bit integers too); z = 0 for an
 *  image. */
long double test_pixel(const rug_image *img, size_t z, size_t y, size_t x);

/** Whether a value is foreground, straight from the rule's definition. */
int test_is_set(rug_foreground rule, long double value);

/** Box counts by looking at every pixel of every box. */
void test_naive_boxcount(rug_boxcount_result *out, const rug_image *img,
                         rug_foreground rule);

/** Fails when two results differ in shape, sizes or any count. */
void test_assert_counts_equal(const rug_boxcount_result *a, const rug_boxcount_result *b,
                              const char *what);

/** A u8 image or volume in C order; nz = 0 makes an image. */
rug_image test_u8(const uint8_t *pixels, size_t nz, size_t ny, size_t nx);

/** The source of an image in memory. */
rug_source source_of_image(const rug_image *image);

/** The same, but read slab by slab like any other source. */
rug_source streamed_source_of_image(const rug_image *image);

/** The path of a file of tests/data. Static buffer. */
const char *test_data(const char *name);

/** The folder of the shared data set from RUGOSE_SHARED_DATA; NULL, said loudly, without
 *  one. */
const char *test_shared_data(void);

/** The seed of a random test: RUGOSE_TEST_SEED, or else the given one. Says it, and which
 *  CPU levels this processor lacks. */
uint64_t test_seed(rug_context *ctx, uint64_t usual, int n_cases);

#endif
