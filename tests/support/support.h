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
 *  tenth in the others, a thirtieth where only races are looked for (RUGOSE_RACES). The step through
 *  a list of cases: 1 in the full build, else n. What differs between the last two: where only races
 *  are looked for `few`, else `usual`. */
#if defined RUGOSE_FULL_TESTS
#define TEST_CASES(n)          (n)
#define TEST_STEP(n)           1
#define TEST_RACES(few, usual) (usual)
#elif defined RUGOSE_RACES
#define TEST_CASES(n)          (((n) + 29) / 30)
#define TEST_STEP(n)           (n)
#define TEST_RACES(few, usual) (few)
#else
#define TEST_CASES(n)          (((n) + 9) / 10)
#define TEST_STEP(n)           (n)
#define TEST_RACES(few, usual) (usual)
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

/** The counts of a result as plain values; positions are all 0 with grid ORIGIN. */
typedef struct test_counts {
    int ndim;
    uint64_t shape[RUG_POINTS_MAX_AXES];
    uint64_t n_pixels, n_set;
    uint64_t n_points; /* 0: an image */
    rug_foreground foreground;
    const char *method, *engine;
    rug_boxcount_grid grid;
    uint32_t n_sizes;
    rug_box_count counts[RUG_BOXCOUNT_MAX_SIZES];
    rug_box_positions positions[RUG_BOXCOUNT_MAX_SIZES];
    double busy_least, busy_most;
} test_counts;

void test_copy_counts(test_counts *out, const rug_boxcount_result *result);

/** The calls of the library, whose result is copied and freed. A failed one must give none,
 *  and makes the copy 0. */
rug_status test_boxcount(rug_context *ctx, test_counts *out, const rug_image *image,
                         const rug_boxcount_options *opts);
rug_status test_boxcount_source(rug_context *ctx, test_counts *out,
                                const rug_source *source,
                                const rug_boxcount_options *opts);
rug_status test_boxcount_points(rug_context *ctx, test_counts *out,
                                const rug_points *points,
                                const rug_boxcount_points_options *opts);
rug_status test_boxcount_parts_finish(rug_context *ctx, test_counts *out,
                                      const rug_boxcount_parts *parts);

/** Box counts by looking at every pixel of every box. */
void test_naive_boxcount(test_counts *out, const rug_image *img, rug_foreground rule);

/** Fails when two results differ in shape, sizes or any count. */
void test_assert_counts_equal(const test_counts *a, const test_counts *b,
                              const char *what);

/** A u8 image or volume in C order; nz = 0 makes an image. */
rug_image test_u8(const uint8_t *pixels, size_t nz, size_t ny, size_t nx);

/** The source of an image in memory. */
rug_source source_of_image(const rug_image *image);

/** Reads layers of the image that is the user of a source. */
rug_status test_read_layers(rug_context *ctx, void *user, rug_image *out, size_t first,
                            size_t n);

/** The source of an image, read by test_read_layers() like any other source. */
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
