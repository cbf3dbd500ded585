/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Co-occurrence on an OpenCL device: the same rows as by the CPU, to the last bit. */

#include "support.h"

#include "glcm/measure/glcm_measure.h"
#include "glcm_support.h"
#include "labels_support.h"
#include "memory_support.h"
#include "naive_glcm.h"
#include "ocl_support.h"

#include "glcm_cl_support.h"
#include "glcm_random_support.h"
#include <stdio.h>

/* The image of Haralick, Shanmugam and Dinstein (1973), figure 3, and its matrix of 0 degrees:
 * 4 2 1 0, 2 4 0 0, 1 0 6 1, 0 0 1 2. */
static void known_truths(void **state)
{
    (void)state;
    static const uint8_t pixels[16] = {0, 0, 1, 1, 0, 0, 1, 1, 0, 2, 2, 2, 2, 2, 3, 3};
    rug_context *device = ocl_context();
    rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
    opts.aggregate = RUG_GLCM_AGGREGATE_NONE;
    opts.directions = 1;
    rug_image img = test_u8(pixels, 0, 4, 4);
    glcm_rows rows = must_measure(device, &img, &opts);
    assert_int_equal(rows.n, 1);
    assert_int_equal(rows.row[0].pairs, 12);
    assert_int_equal(rows.row[0].levels, 4);
    assert_feature(&rows.row[0], RUG_GLCM_ANGULAR_SECOND_MOMENT, 84.0 / 576, 1e-14);
    assert_feature(&rows.row[0], RUG_GLCM_CONTRAST, 14.0 / 24, 1e-14);
    assert_string_equal(rows.row[0].engine, "opencl:0");
    free(rows.row);
    rug_context_free(device);
}

static void random_jobs(void **state)
{
    (void)state;
    rug_context *device = ocl_context();
    rug_context *cpu = test_context();
    static job j;
    for (uint64_t seed = 1; seed <= 120; seed++) {
        char what[64];
        make_job(&j, seed);
        snprintf(what, sizeof what, "seed %llu", (unsigned long long)seed);
        rug_context_set_threads(device, 1 + (int)(seed % 4));
        check_glcm_on_device(device, cpu, &j.image.img, &j.opts, what);
        free_job(&j);
    }
    rug_context_free(cpu);
    rug_context_free(device);
}

/* Few bytes: a launch, or a round, for each region. Few slots: through global memory. */
static void random_pieces(void **state)
{
    (void)state;
    static const size_t most_bytes[] = {1, 20000, 1 << 20};
    static const uint32_t most_slots[] = {64, 8192};
    rug_context *device = ocl_context();
    rug_context *cpu = test_context();
    static job j;
    for (uint64_t seed = 1001; seed <= 1150; seed++) {
        make_job(&j, seed);
        rug_context_set_threads(device, 1 + (int)(seed % 4));
        check_in_pieces(device, cpu, &j.image.img, &j.opts, most_bytes[seed % 3],
                        most_slots[seed / 3 % 2]);
        free_job(&j);
    }
    rug_context_free(cpu);
    rug_context_free(device);
}

/* Pixels of a smooth surface with noise. */
static rug_image draw(uint64_t *rng, size_t nz, size_t ny, size_t nx, uint32_t n_levels)
{
    size_t n = (nz > 0 ? nz : 1) * ny * nx;
    const size_t shape[3] = {nz, ny, nx};
    uint16_t *pixels = malloc(n * sizeof *pixels);
    rug_image img;
    assert_non_null(pixels);
    for (size_t i = 0; i < n; i++)
        pixels[i] = (uint16_t)((i % nx / 16 * 37 + i / nx / 16 * 11 +
                                test_below(rng, n_levels / 2 + 1)) %
                               n_levels);
    assert_int_equal(rug_image_view(NULL, &img, pixels, RUG_U16, nz > 0 ? 3 : 2,
                                    shape + (nz > 0 ? 0 : 1)),
                     RUG_OK);
    return img;
}

/* Large regions: few levels, which work groups count first, and many; the most levels that
 * there are, and all of them. */
static void large_regions(void **state)
{
    (void)state;
    static const struct {
        size_t nz, ny, nx;
        uint32_t n_levels;
    } all[] = {{0, 400, 500, 8},    {0, 401, 333, 256}, {0, 300, 301, 5000},
               {0, 1, 70000, 2},    {0, 9000, 7, 1000}, {30, 40, 50, 64},
               {0, 300, 300, 65536}};
    rug_context *device = ocl_context();
    rug_context *cpu = test_context();
    uint64_t rng = 21;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
        rug_image img = draw(&rng, all[i].nz, all[i].ny, all[i].nx, all[i].n_levels);
        char what[64];
        snprintf(what, sizeof what, "image %zu", i);
        opts.features =
            all[i].n_levels > 300 ? RUG_GLCM_FEATURES_13 : RUG_GLCM_FEATURES_ALL;
        opts.asymmetric = i % 3 == 1;
        opts.pairs = i % 3 == 2 ? RUG_GLCM_PAIRS_FRAME : RUG_GLCM_PAIRS_INSIDE;
        check_glcm_on_device(device, cpu, &img, &opts, what);
        opts.aggregate = RUG_GLCM_AGGREGATE_MERGED;
        check_glcm_on_device(device, cpu, &img, &opts, what);
        free((void *)(uintptr_t)img.data);
    }
    rug_context_free(cpu);
    rug_context_free(device);
}

/* The largest key there can be: two pixels of the last of 65536 levels side by side. */
static void last_key(void **state)
{
    (void)state;
    static uint16_t pixels[65540];
    rug_context *device = ocl_context();
    rug_context *cpu = test_context();
    rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
    rug_image img;
    for (size_t i = 0; i < 65540; i++)
        pixels[i] = (uint16_t)(i < 65536 ? i : 65535);
    assert_int_equal(rug_image_view(cpu, &img, pixels, RUG_U16, 2, (size_t[]){1, 65540}),
                     RUG_OK);
    opts.features = RUG_GLCM_FEATURES_13;
    for (int asymmetric = 0; asymmetric < 2; asymmetric++) {
        opts.asymmetric = asymmetric;
        check_glcm_on_device(device, cpu, &img, &opts, "all levels");
    }
    rug_context_free(cpu);
    rug_context_free(device);
}

/* Pixels on a grid, small ones and large ones, each by itself and all of them. */
static void many_regions(void **state)
{
    (void)state;
    static const uint32_t distances[] = {1, 3, 9};
    static uint16_t labels[300 * 400];
    rug_context *device = ocl_context();
    rug_context *cpu = test_context();
    uint64_t rng = 22;
    rug_image img = draw(&rng, 0, 300, 400, 4000), twin;
    for (size_t i = 0; i < 300 * 400; i++) {
        size_t y = i / 400, x = i % 400;
        size_t pixel = x < 200 ? y / 20 * 10 + x / 20 + 1 : 1000 + y / 200;
        labels[i] = (uint16_t)(x % 20 + y % 20 > 5 ? pixel : 0);
    }
    assert_int_equal(rug_image_view(cpu, &twin, labels, RUG_U16, 2, (size_t[]){300, 400}),
                     RUG_OK);
    rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
    opts.labels = glcm_source(&twin);
    opts.distances = distances;
    opts.n_distances = 3;
    opts.features = RUG_GLCM_FEATURES_13;
    check_glcm_on_device(device, cpu, &img, &opts, "pixels");
    check_in_pieces(device, cpu, &img, &opts, 1 << 24, 8192);
    opts.levels = RUG_GLCM_LEVELS_COUNT;
    opts.n_levels = 32;
    opts.features = RUG_GLCM_FEATURES_ALL;
    check_glcm_on_device(device, cpu, &img, &opts, "bins of pixels");
    free((void *)(uintptr_t)img.data);
    rug_context_free(cpu);
    rug_context_free(device);
}

/* A few pixels in a wide box are left to the processor, those in a narrow one are not. */
static void scattered_pixels(void **state)
{
    (void)state;
    static uint8_t pixels[300 * 300], labels[300 * 300];
    rug_context *device = ocl_context();
    rug_context *cpu = test_context();
    uint64_t rng = 26;
    for (size_t i = 0; i < 300 * 300; i++) {
        size_t y = i / 300, x = i % 300;
        pixels[i] = (uint8_t)test_below(&rng, 9);
        labels[i] = (uint8_t)(test_below(&rng, 60) > 0 ? 0 : y < 100 && x < 60 ? 2 : 1);
    }
    rug_image img = test_u8(pixels, 0, 300, 300), twin = test_u8(labels, 0, 300, 300);
    rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
    opts.labels = glcm_source(&twin);
    glcm_rows expected = must_measure(cpu, &img, &opts);
    glcm_rows got = must_measure(device, &img, &opts);
    assert_same_rows(&got, &expected);
    assert_int_equal(got.n, 2);
    assert_true(strncmp(got.row[0].engine, "cpu-", 4) == 0);
    assert_string_equal(got.row[1].engine, "opencl:0");
    free(got.row);
    free(expected.row);
    rug_context_free(cpu);
    rug_context_free(device);
}

static int always(void *user)
{
    (void)user;
    return 1;
}

static void stops_when_cancelled(void **state)
{
    (void)state;
    rug_context *device = ocl_context();
    uint64_t rng = 23;
    rug_image img = draw(&rng, 0, 200, 200, 256);
    glcm_rows rows = {0};
    rug_context_set_cancel(device, always, NULL);
    assert_int_equal(rug_glcm(device, &img, NULL, glcm_keep, &rows), RUG_E_CANCELLED);
    assert_int_equal(rows.n, 0);
    free((void *)(uintptr_t)img.data);
    rug_context_free(device);
}

/* Each allocation fails once; then all works, and nothing is lost. */
static void failing_memory(void **state)
{
    (void)state;
    rug_context *device = ocl_context();
    static job j;
    make_job(&j, 7); /* with labels */
    uint64_t rng = 24;
    rug_image large = draw(&rng, 0, 90, 100, 3000);
    rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
    for (int i = 0; i < 2; i++) {
        rug_status status = RUG_E_NOMEM;
        for (size_t k = 1; status != RUG_OK; k++) {
            memory m = {.fail_at = k};
            rug_context *ctx = test_context();
            glcm_rows rows = {0};
            memory_hook(ctx, &m);
            rug_context_set_threads(ctx, 1);
            assert_int_equal(rug_context_set_device(ctx, "opencl:0"), RUG_OK);
            status = i == 0 ? rug_glcm(ctx, &j.image.img, &j.opts, glcm_keep, &rows)
                            : rug_glcm(ctx, &large, &opts, glcm_keep, &rows);
            if (status != RUG_OK) {
                assert_int_equal(status, RUG_E_NOMEM);
                assert_int_equal(rows.n, 0);
                assert_string_not_equal(rug_context_error(ctx), "");
            }
            free(rows.row);
            rug_context_free(ctx);
            assert_int_equal(m.n_live, 0);
            assert_int_equal(m.n_wrong, 0);
            assert_true(k < 300);
        }
    }
    free_job(&j);
    free((void *)(uintptr_t)large.data);
    rug_context_free(device);
}

static void auto_stays_on_the_cpu(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    uint64_t rng = 25;
    rug_image img = draw(&rng, 0, 100, 100, 100);
    assert_int_equal(rug_context_set_device(ctx, "auto"), RUG_OK);
    glcm_rows rows = must_measure(ctx, &img, NULL);
    assert_true(strncmp(rows.row[0].engine, "cpu-", 4) == 0);
    assert_int_equal(rug_context_set_device(ctx, "opencl:9999"), RUG_OK);
    assert_int_equal(rug_glcm(ctx, &img, NULL, glcm_keep, &rows), RUG_E_DEVICE);
    assert_int_equal(rows.n, 1);
    free(rows.row);
    free((void *)(uintptr_t)img.data);
    rug_context_free(ctx);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_truths),     cmocka_unit_test(random_jobs),
        cmocka_unit_test(random_pieces),    cmocka_unit_test(large_regions),
        cmocka_unit_test(last_key),         cmocka_unit_test(many_regions),
        cmocka_unit_test(scattered_pixels), cmocka_unit_test(stops_when_cancelled),
        cmocka_unit_test(failing_memory),   cmocka_unit_test(auto_stays_on_the_cpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
