/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Prefix sums and sorting on a device, in both shapes of launch, against loops and
 * qsort(). CMake runs it a second time on a device with small work groups. */

#include "support.h"

#include "memory_support.h"
#include "ocl_sort_support.h"
#include <stdio.h>

#define N_MAX 300000

static uint64_t keys[N_MAX];
static uint32_t numbers[N_MAX + 1];

/* The run on small groups has them. */
static void groups_are_small(void **state)
{
    (void)state;
    rug_context *ctx = ocl_context();
    rugi_ocl *device = sort_device(ctx);
    const char *wish = getenv("POCL_MAX_WORK_GROUP_SIZE");
    if (wish != NULL && strstr(rugi_ocl_facts(device)->platform, "Portable") != NULL)
        assert_int_equal(rugi_ocl_group_max(device), strtoul(wish, NULL, 10));
    rug_context_free(ctx);
}

static void known_sums(void **state)
{
    (void)state;
    rug_context *ctx = ocl_context();
    static const uint32_t few[] = {3, 0, 7, 0xffffffff, 2, 9};
    for (int s = 0; s < 2; s++)
        for (size_t n = 1; n < sizeof few / sizeof few[0]; n++)
            check_scan(ctx, few, n, sort_shapes[s]);
    rug_context_free(ctx);
}

/* Around one block, one block of blocks (2048), many chunks; sums that wrap around. */
static void random_sums(void **state)
{
    (void)state;
    rug_context *ctx = ocl_context();
    static const size_t sizes[] = {1,     2,     255,    256,    257,       2047,  2048,
                                   2049,  4096,  16383,  16384,  16385,     32768, 65535,
                                   65537, 99991, 131072, 131073, N_MAX - 1, N_MAX};
    uint64_t rng = 11;
    for (size_t i = 0; i <= N_MAX; i++)
        numbers[i] = (uint32_t)(test_random(&rng) >> test_below(&rng, 64));
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
            check_scan(ctx, numbers, sizes[i], sort_shapes[s]);
    rug_context_free(ctx);
}

/* More than 2048^2 numbers: sums of sums of sums. */
static void many_sums(void **state)
{
    (void)state;
    rug_context *ctx = ocl_context();
    size_t n = (size_t)2048 * 2048 + 5;
    uint32_t *many = malloc((n + 1) * sizeof *many);
    uint64_t rng = 12;
    for (size_t i = 0; i <= n; i++)
        many[i] = (uint32_t)test_random(&rng);
    for (int s = 0; s < 2; s++)
        check_scan(ctx, many, n, sort_shapes[s]);
    free(many);
    rug_context_free(ctx);
}

static void random_keys(uint64_t *rng, size_t n, unsigned bits)
{
    for (size_t i = 0; i < n; i++)
        keys[i] = test_random(rng) & sort_mask(bits);
}

static void every_width(void **state)
{
    (void)state;
    rug_context *ctx = ocl_context();
    static const unsigned widths[] = {0,  1,  2,  7,  8,  9,  10, 11, 12, 16, 17, 24,
                                      25, 27, 31, 32, 33, 36, 40, 41, 48, 63, 64};
    uint64_t rng = 13;
    for (int s = 0; s < 2; s++)
        for (size_t key_bytes = 4; key_bytes <= 8; key_bytes += 4) {
            rugi_ocl_sorter *sorter = new_sorter(ctx, 9000, key_bytes, sort_shapes[s]);
            for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
                if (widths[w] > 8 * key_bytes)
                    continue;
                size_t n = 7000 + (size_t)test_below(&rng, 2001);
                random_keys(&rng, n, widths[w]);
                check_sorter(ctx, sorter, keys, n, key_bytes, widths[w], "widths");
            }
            rugi_ocl_sorter_free(sorter);
        }
    rug_context_free(ctx);
}

/* Nothing, one, two, and around the borders of groups, tiles (3840, 1792) and chunks
 * (16384 keys at least). */
static void every_size(void **state)
{
    (void)state;
    rug_context *ctx = ocl_context();
    static const size_t sizes[] = {0,    1,    2,     3,     255,   256,   257,   1791,
                                   1792, 1793, 3584,  3839,  3840,  3841,  7680,  7681,
                                   8191, 8192, 16383, 16384, 32767, 32768, 32769, 49153};
    uint64_t rng = 14;
    for (int s = 0; s < 2; s++)
        for (size_t key_bytes = 4; key_bytes <= 8; key_bytes += 4) {
            rugi_ocl_sorter *sorter = new_sorter(ctx, 49153, key_bytes, sort_shapes[s]);
            for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
                random_keys(&rng, sizes[i], 19);
                check_sorter(ctx, sorter, keys, sizes[i], key_bytes, 19, "sizes");
            }
            rugi_ocl_sorter_free(sorter);
        }
    rug_context_free(ctx);
}

/* What sorts trip over. */
static void draw_keys(int kind, size_t n, unsigned bits)
{
    uint64_t rng = 15, few[3], all = sort_mask(bits);
    for (int i = 0; i < 3; i++)
        few[i] = test_random(&rng) & all;
    for (size_t i = 0; i < n; i++)
        switch (kind) {
        case 0: keys[i] = 0; break;
        case 1: keys[i] = all; break;
        case 2: keys[i] = i & all; break;
        case 3: keys[i] = (n - i) & all; break;
        case 4: keys[i] = few[test_below(&rng, 3)]; break;
        case 5: keys[i] = i % 2 == 0 ? all : 0; break;
        default: keys[i] = test_random(&rng) >> test_below(&rng, 64) & all; break;
        }
}

static void odd_keys(void **state)
{
    (void)state;
    rug_context *ctx = ocl_context();
    for (int s = 0; s < 2; s++)
        for (size_t key_bytes = 4; key_bytes <= 8; key_bytes += 4) {
            size_t n = 40000;
            rugi_ocl_sorter *sorter = new_sorter(ctx, n, key_bytes, sort_shapes[s]);
            for (int kind = 0; kind < 7; kind++) {
                char what[32];
                unsigned bits = (unsigned)key_bytes * 8 - (kind % 2 == 0);
                snprintf(what, sizeof what, "kind %d", kind);
                draw_keys(kind, n, bits);
                check_sorter(ctx, sorter, keys, n, key_bytes, bits, what);
            }
            rugi_ocl_sorter_free(sorter);
        }
    rug_context_free(ctx);
}

/* Of random numbers and widths, in the shape of the device too. */
static void random_sorts(void **state)
{
    (void)state;
    rug_context *ctx = ocl_context();
    uint64_t rng = 16;
    for (int round = 0; round < 12; round++) {
        rugi_ocl_shape shape = (rugi_ocl_shape)(round % 3);
        size_t key_bytes = test_below(&rng, 2) == 0 ? 4 : 8;
        size_t n = 1 + (size_t)test_below(&rng, round < 3 ? N_MAX : N_MAX / 4);
        unsigned bits = 1 + (unsigned)test_below(&rng, 8 * key_bytes);
        rugi_ocl_sorter *sorter = new_sorter(ctx, n, key_bytes, shape);
        random_keys(&rng, n, bits);
        check_sorter(ctx, sorter, keys, n, key_bytes, bits, "random, seed 16");
        rugi_ocl_sorter_free(sorter);
    }
    rug_context_free(ctx);
}

static void shapes_and_memory(void **state)
{
    (void)state;
    rug_context *ctx = ocl_context();
    rugi_ocl *device = sort_device(ctx);
    int is_cpu = rugi_ocl_facts(device)->type == RUG_DEVICE_CPU;
    assert_int_equal(rugi_ocl_shape_resolve(device, RUGI_OCL_SHAPE_DEVICE),
                     is_cpu ? RUGI_OCL_SHAPE_CHUNKS : RUGI_OCL_SHAPE_WIDE);
    for (int s = 0; s < 2; s++) {
        assert_int_equal(rugi_ocl_shape_resolve(device, sort_shapes[s]), sort_shapes[s]);
        uint64_t free_bytes = rugi_ocl_piece_max(device, 1, 0), used;
        rugi_ocl_sorter *sorter = new_sorter(ctx, 1000000, 8, sort_shapes[s]);
        used = rugi_ocl_sorter_bytes(device, 1000000, 8, sort_shapes[s]);
        assert_in_range(used, 1024, 8000000); /* less than the keys */
        if (free_bytes < rugi_ocl_facts(device)->max_allocation / 4096 * 4096)
            assert_in_range(free_bytes - rugi_ocl_piece_max(device, 1, 0), used - 4096,
                            used + 4096);
        rugi_ocl_sorter_free(sorter);
        assert_int_equal(rugi_ocl_piece_max(device, 1, 0), free_bytes);
    }
    rug_context_free(ctx);
}

static void too_many_keys(void **state)
{
    (void)state;
    rug_context *ctx = ocl_context();
    rugi_ocl *device = sort_device(ctx);
    for (int s = 0; s < 2; s++) {
        rugi_ocl_sorter *sorter = (rugi_ocl_sorter *)&sorter;
        assert_int_equal(rugi_ocl_sorter_new(ctx, device, &sorter, (size_t)UINT32_MAX + 1,
                                             4, sort_shapes[s]),
                         RUG_E_DEVICE);
        assert_null(sorter);
        assert_error_part(ctx, "4294967296 keys");
        assert_error_part(ctx, "at most 4294967295");
    }
    rugi_ocl_sorter_free(NULL);
    rug_context_free(ctx);
}

/* All that asks for memory, once. */
static rug_status sort_some(rug_context *ctx, rugi_ocl_shape shape)
{
    rugi_ocl *device;
    rugi_ocl_sorter *sorter = NULL;
    rugi_ocl_buffer *from = NULL, *other = NULL;
    rug_status status = rugi_ocl_open(ctx, &device);
    if (status != RUG_OK)
        return status;
    status = rugi_ocl_buffer_new(ctx, device, &from, 100, 4, RUGI_OCL_READ_WRITE, "a");
    if (status == RUG_OK)
        status =
            rugi_ocl_buffer_new(ctx, device, &other, 100, 4, RUGI_OCL_READ_WRITE, "b");
    if (status == RUG_OK)
        status = rugi_ocl_zero(ctx, device, from, 0, 400);
    if (status == RUG_OK)
        status = rugi_ocl_sorter_new(ctx, device, &sorter, 100, 4, shape);
    if (status == RUG_OK)
        status = rugi_ocl_sort(ctx, sorter, &from, &other, 100, 8);
    else
        assert_null(sorter);
    if (status == RUG_OK)
        status = rugi_ocl_wait(ctx, device);
    rugi_ocl_sorter_free(sorter);
    rugi_ocl_buffer_free(device, other);
    rugi_ocl_buffer_free(device, from);
    return status;
}

static void memory_is_out(void **state)
{
    (void)state;
    rug_context_free(ocl_context()); /* skips */
    for (int s = 0; s < 2; s++) {
        size_t fail_at = 0;
        rug_status status;
        do {
            rug_context *ctx = test_context();
            memory m = {.fail_at = ++fail_at};
            memory_hook(ctx, &m);
            assert_int_equal(rug_context_set_device(ctx, "opencl:0"), RUG_OK);
            status = sort_some(ctx, sort_shapes[s]);
            if (m.n_calls >= fail_at)
                assert_int_equal(status, RUG_E_NOMEM);
            rug_context_free(ctx);
            assert_int_equal(m.n_live, 0);
            assert_int_equal(m.n_wrong, 0);
        } while (status != RUG_OK);
        assert_in_range(fail_at, 8, 60);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_small),  cmocka_unit_test(known_sums),
        cmocka_unit_test(random_sums),       cmocka_unit_test(many_sums),
        cmocka_unit_test(every_width),       cmocka_unit_test(every_size),
        cmocka_unit_test(odd_keys),          cmocka_unit_test(random_sorts),
        cmocka_unit_test(shapes_and_memory), cmocka_unit_test(too_many_keys),
        cmocka_unit_test(memory_is_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
