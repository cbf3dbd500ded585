/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The context: threads, device, CPU level, error text, callbacks, memory. */

#include "support.h"

#include "memory_support.h"
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int context_setup(void **state)
{
    *state = test_context();
    return 0;
}

static int context_teardown(void **state)
{
    rug_context_free(*state);
    return 0;
}

#define CONTEXT_TEST(f) \
    cmocka_unit_test_setup_teardown(f, context_setup, context_teardown)

static void assert_error_has(const rug_context *ctx, const char *part)
{
    if (strstr(rug_context_error(ctx), part) == NULL)
        fail_msg("\"%s\" is not part of the error text: %s", part,
                 rug_context_error(ctx));
}

static void version_is_that_of_the_headers(void **state)
{
    (void)state;
    char text[64];
    snprintf(text, sizeof text, "%d.%d.%d", RUG_VERSION_MAJOR, RUG_VERSION_MINOR,
             RUG_VERSION_PATCH);
    assert_string_equal(rug_version(), text);
}

static void status_names(void **state)
{
    (void)state;
    static const char *const names[] = {
        "RUG_OK",   "RUG_E_ARG",    "RUG_E_NOMEM",       "RUG_E_DEVICE",
        "RUG_E_IO", "RUG_E_FORMAT", "RUG_E_UNSUPPORTED", "RUG_E_CANCELLED"};
    for (int i = 0; i < 8; i++)
        assert_string_equal(rug_status_name((rug_status)i), names[i]);
    assert_string_equal(rug_status_name((rug_status)8), "RUG_E_?");
    assert_string_equal(rug_status_name((rug_status)-1), "RUG_E_?");
}

static void null_arguments(void **state)
{
    (void)state;
    assert_int_equal(rug_context_new(NULL), RUG_E_ARG);
    rug_context_free(NULL);
    assert_true(strlen(rug_context_error(NULL)) > 0);
    assert_int_equal(rug_context_set_threads(NULL, 1), RUG_E_ARG);
    assert_int_equal(rug_context_threads(NULL), 1);
    assert_int_equal(rug_context_set_device(NULL, "cpu"), RUG_E_ARG);
    assert_int_equal(rug_context_set_cpu_level(NULL, RUG_CPU_REF), RUG_E_ARG);
    assert_int_equal(rug_context_cpu_level(NULL), RUG_CPU_REF);
    assert_int_equal(rug_context_fail(NULL, RUG_E_IO, "%s", "x"), RUG_E_IO);
    rug_context_warn(NULL, "%s", "x");
    assert_int_equal(rug_context_step(NULL, 0.5), RUG_OK);
    assert_null(rug_context_allocate(NULL, 1, 1, "x"));
}

static void threads(void **state)
{
    rug_context *ctx = *state;
    int all = rug_context_threads(ctx);
    assert_in_range(all, 1, 4096);
    static const int good[] = {1, 2, 7, 4096};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_int_equal(rug_context_set_threads(ctx, good[i]), RUG_OK);
        assert_int_equal(rug_context_threads(ctx), good[i]);
    }
    static const int bad[] = {-1, 4097, INT32_MIN, INT32_MAX};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[16];
        snprintf(text, sizeof text, "%d", bad[i]);
        assert_int_equal(rug_context_set_threads(ctx, bad[i]), RUG_E_ARG);
        assert_error_has(ctx, text);
        assert_int_equal(rug_context_threads(ctx), 4096); /* as before */
    }
    assert_int_equal(rug_context_set_threads(ctx, 0), RUG_OK);
    assert_int_equal(rug_context_threads(ctx), all);
}

static void devices(void **state)
{
    rug_context *ctx = *state;
    assert_int_equal(rug_context_set_device(ctx, "cpu"), RUG_OK);
    assert_int_equal(rug_context_set_device(ctx, "auto"), RUG_OK);
    static const char *const bad[] = {"",     "gpu",     "CPU",     "cpu ",
                                      "cpu0", "opencl ", "opencl0", "openc"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(rug_context_set_device(ctx, bad[i]), RUG_E_ARG);
        assert_error_has(ctx, bad[i]);
        assert_error_has(ctx, "opencl:N");
    }
    assert_int_equal(rug_context_set_device(ctx, NULL), RUG_E_ARG);
    assert_error_has(ctx, "NULL");
}

/* "opencl:N" with no number for N is none of the four forms. */
static void device_without_a_number(void **state)
{
    rug_context *ctx = *state;
    static const char *const bad[] = {"opencl:",   "opencl:x",     "opencl:-1",
                                      "opencl:1x", "opencl:00000", "opencl:+1"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (rug_context_set_device(ctx, bad[i]) != RUG_E_ARG)
            fail_msg("device '%s' is not refused with RUG_E_ARG", bad[i]);
        assert_error_has(ctx, bad[i]);
    }
}

/* Whether a device is there is seen when it is used: then it is an honest failure, and
 * the processor does not step in. */
static void missing_device_fails_when_used(void **state)
{
    rug_context *ctx = *state;
    assert_int_equal(rug_context_set_device(ctx, "opencl"), RUG_OK);
    assert_int_equal(rug_context_set_device(ctx, "opencl:0"), RUG_OK);
    assert_int_equal(rug_context_set_device(ctx, "opencl:9999"), RUG_OK);
    static const uint8_t pixel = 1;
    rug_image img = test_u8(&pixel, 0, 1, 1);
    test_counts out;
    assert_int_equal(test_boxcount(ctx, &out, &img, NULL), RUG_E_DEVICE);
    assert_error_has(ctx, "device 'opencl");
    assert_null(out.engine);
    assert_int_equal(rug_context_set_device(ctx, "opencl:10000"), RUG_E_ARG);
    assert_int_equal(test_boxcount(ctx, &out, &img, NULL), RUG_E_DEVICE); /* as before */
    assert_int_equal(rug_context_set_device(ctx, "cpu"), RUG_OK);
    assert_int_equal(test_boxcount(ctx, &out, &img, NULL), RUG_OK);
    assert_int_equal(strncmp(out.engine, "cpu-", 4), 0);
}

static void cpu_levels(void **state)
{
    rug_context *ctx = *state;
    rug_cpu_level best = rug_context_cpu_level(ctx);
    assert_in_range(best, RUG_CPU_REF, RUG_CPU_MAX);
    for (rug_cpu_level cap = RUG_CPU_REF; cap <= RUG_CPU_MAX; cap++) {
        assert_int_equal(rug_context_set_cpu_level(ctx, cap), RUG_OK);
        assert_int_equal(rug_context_cpu_level(ctx), cap < best ? cap : best);
    }
    assert_int_equal(rug_context_set_cpu_level(ctx, RUG_CPU_REF), RUG_OK);
    assert_int_equal(rug_context_set_cpu_level(ctx, (rug_cpu_level)(RUG_CPU_MAX + 1)),
                     RUG_E_ARG);
    assert_error_has(ctx, "CPU level 3");
    assert_int_equal(rug_context_set_cpu_level(ctx, (rug_cpu_level)-1), RUG_E_ARG);
    assert_error_has(ctx, "CPU level -1");
    assert_int_equal(rug_context_cpu_level(ctx), RUG_CPU_REF);
    assert_string_equal(rug_cpu_level_name(RUG_CPU_REF), "ref");
    assert_string_equal(rug_cpu_level_name(RUG_CPU_AVX2), "avx2");
    assert_string_equal(rug_cpu_level_name(RUG_CPU_AVX512), "avx512");
    assert_string_equal(rug_cpu_level_name((rug_cpu_level)-1), "?");
    assert_string_equal(rug_cpu_level_name((rug_cpu_level)(RUG_CPU_MAX + 1)), "?");
}

static void error_text(void **state)
{
    rug_context *ctx = *state, *other = test_context();
    assert_string_equal(rug_context_error(ctx), "");
    assert_int_equal(rug_context_fail(ctx, RUG_E_FORMAT, "%s is %d %%", "a", 5),
                     RUG_E_FORMAT);
    assert_string_equal(rug_context_error(ctx), "a is 5 %");
    assert_int_equal(rug_context_set_threads(ctx, 2), RUG_OK);
    assert_string_equal(rug_context_error(ctx), "a is 5 %"); /* of the last failure */
    assert_int_equal(rug_context_fail(ctx, RUG_E_IO, "b"), RUG_E_IO);
    assert_string_equal(rug_context_error(ctx), "b");
    assert_string_equal(rug_context_error(other), "");
    rug_context_free(other);
}

/* A text longer than the context keeps is cut off, and ended. */
static void long_error_text(void **state)
{
    rug_context *ctx = *state;
    static char text[100001];
    memset(text, 'x', sizeof text - 1);
    rug_context_fail(ctx, RUG_E_ARG, "%s", text);
    size_t n = strlen(rug_context_error(ctx));
    assert_in_range(n, 200, sizeof text - 2);
    assert_int_equal(strspn(rug_context_error(ctx), "x"), n);
}

static void keep_text(void *user, const char *text)
{
    snprintf(user, 64, "%s", text);
}

static void warnings(void **state)
{
    rug_context *ctx = *state;
    char told[64] = "";
    rug_context_warn(ctx, "dropped");
    rug_context_set_warn(ctx, keep_text, told);
    assert_string_equal(told, "");
    rug_context_warn(ctx, "%d of %s", 3, "four");
    assert_string_equal(told, "3 of four");
    rug_context_set_warn(ctx, NULL, NULL);
    rug_context_warn(ctx, "dropped");
    assert_string_equal(told, "3 of four");
    assert_string_equal(rug_context_error(ctx), ""); /* a warning is no failure */
}

static void keep_share(void *user, double share)
{
    *(double *)user = share;
}

static int answer(void *user)
{
    return *(const int *)user;
}

static void steps(void **state)
{
    rug_context *ctx = *state;
    double share = -1;
    int cancelled = 0;
    assert_int_equal(rug_context_step(ctx, 0.25), RUG_OK);
    rug_context_set_progress(ctx, keep_share, &share);
    rug_context_set_cancel(ctx, answer, &cancelled);
    assert_int_equal(rug_context_step(ctx, 0.5), RUG_OK);
    assert_true(share == 0.5);
    cancelled = -1; /* any nonzero answer */
    assert_int_equal(rug_context_step(ctx, 0.75), RUG_E_CANCELLED);
    assert_true(share == 0.75);
    assert_error_has(ctx, "cancelled");
    rug_context_set_progress(ctx, NULL, NULL);
    rug_context_set_cancel(ctx, NULL, NULL);
    assert_int_equal(rug_context_step(ctx, 1), RUG_OK);
    assert_true(share == 0.75);
}

static void allocate_with(rug_context *ctx)
{
    unsigned char *block = rug_context_allocate(ctx, 3, 7, "a block");
    assert_non_null(block);
    assert_int_equal((uintptr_t)block % 64, 0);
    memset(block, 1, 21); /* the address sanitizer watches */
    rug_context_release(ctx, block);
    block = rug_context_allocate(ctx, 0, 8, "nothing");
    assert_non_null(block);
    rug_context_release(ctx, block);
    block = rug_context_allocate(ctx, 8, 0, "nothing");
    assert_non_null(block);
    rug_context_release(ctx, block);
    rug_context_release(ctx, NULL);
}

static void allocator(void **state)
{
    rug_context *ctx = *state;
    memory m = {0};
    allocate_with(ctx);
    memory_hook(ctx, &m);
    allocate_with(ctx);
    assert_int_equal(m.n_calls, 3);
    assert_int_equal(m.n_live, 0);
    assert_int_equal(m.n_wrong, 0);
    m.fail_at = m.n_calls + 1;
    assert_null(rug_context_allocate(ctx, 5, 3, "the fourth"));
    assert_error_has(ctx, "the fourth");
    assert_error_has(ctx, "15");
    rug_context_set_allocator(ctx, NULL);
    allocate_with(ctx);
    assert_int_equal(m.n_calls, 4);
}

/* A product that does not fit is refused before the allocator sees it. */
static void allocation_overflow(void **state)
{
    rug_context *ctx = *state;
    memory m = {0};
    memory_hook(ctx, &m);
    static const size_t bad[][2] = {{SIZE_MAX, 2},
                                    {2, SIZE_MAX},
                                    {SIZE_MAX / 2 + 1, 2}, /* 0 modulo 2^64 */
                                    {(size_t)PTRDIFF_MAX / 8 + 1, 8},
                                    {SIZE_MAX, SIZE_MAX},
                                    {SIZE_MAX, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        rug_context_fail(ctx, RUG_E_ARG, "-");
        assert_null(rug_context_allocate(ctx, bad[i][0], bad[i][1], "too much"));
        assert_error_has(ctx, "too much");
    }
    assert_int_equal(m.n_calls, 0);
}

#define MIB ((size_t)1 << 20)

/* Whether a block of a size is the one that was released. */
static int is_again(rug_context *ctx, const void *released, size_t n_bytes)
{
    char *block = rug_context_allocate(ctx, n_bytes, 1, "block");
    assert_non_null(block);
    assert_int_equal((uintptr_t)block % 64, 0);
    int again = block == released;
    memset(block, 7, n_bytes);
    rug_context_release(ctx, block);
    return again;
}

/* Of large blocks the largest waits for the next one that it fits. The address sanitizer has its own
 * way with released blocks. */
static void a_large_block_is_kept(void **state)
{
    rug_context *ctx = *state;
    char *image = rug_context_allocate(ctx, 64 * MIB, 1, "image");
    char *scratch = rug_context_allocate(ctx, 40 * MIB, 1, "scratch");
    assert_true(image != NULL && scratch != NULL && image != scratch);
    memset(image, 1, 64 * MIB);
    memset(scratch, 2, 40 * MIB);
    assert_int_equal(image[64 * MIB - 1], 1);
    rug_context_release(ctx, scratch);
    rug_context_release(ctx, image);
#ifndef __SANITIZE_ADDRESS__
    assert_true(is_again(ctx, image, 64 * MIB));
    assert_true(is_again(ctx, image, 32 * MIB));
    assert_true(is_again(ctx, image, 63 * MIB + 1));
#endif
    is_again(ctx, image, 64 * MIB + 1); /* fits none, nor does the next */
    is_again(ctx, image, 20 * MIB);
    rug_context_set_allocator(ctx, NULL);
    is_again(ctx, image, 20 * MIB);
}

/* Takes and releases large blocks, and looks whether another thread has them too. */
static void *take_blocks(void *user)
{
    rug_context *ctx = user;
    size_t n_wrong = 0;
    for (size_t i = 0; i < 200; i++) {
        const size_t n = (4 + i % 5) * MIB / sizeof(pthread_t), step = MIB / 8;
        volatile pthread_t *block = rug_context_allocate(ctx, n, sizeof *block, "block");
        if (block == NULL)
            return user;
        for (size_t at = 0; at < n; at += step)
            block[at] = pthread_self();
        for (size_t at = 0; at < n; at += step)
            n_wrong += !pthread_equal(block[at], pthread_self());
        rug_context_release(ctx, (void *)(uintptr_t)block);
    }
    return n_wrong == 0 ? NULL : user;
}

static void a_kept_block_is_taken_once(void **state)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, take_blocks, *state), 0);
    for (int i = 0; i < 4; i++) {
        void *wrong;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_is_that_of_the_headers),
        cmocka_unit_test(status_names),
        cmocka_unit_test(null_arguments),
        CONTEXT_TEST(threads),
        CONTEXT_TEST(devices),
        CONTEXT_TEST(device_without_a_number),
        CONTEXT_TEST(missing_device_fails_when_used),
        CONTEXT_TEST(cpu_levels),
        CONTEXT_TEST(error_text),
        CONTEXT_TEST(long_error_text),
        CONTEXT_TEST(warnings),
        CONTEXT_TEST(steps),
        CONTEXT_TEST(allocator),
        CONTEXT_TEST(allocation_overflow),
        CONTEXT_TEST(a_large_block_is_kept),
        CONTEXT_TEST(a_kept_block_is_taken_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
