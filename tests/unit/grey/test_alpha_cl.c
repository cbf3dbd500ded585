/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Maps of alpha on an OpenCL device: the bits of the processor's maps, whatever the
 * dtype, the measure and the pieces; and failures. */

#include "support.h"

#include "alpha_cl_support.h"
#include "alpha_support.h"
#include "memory_support.h"
#include "ocl_support.h"
#include "sample_support.h"
#include <stdio.h>

/* Programs are built for each dtype, measure and number of windows. */
#define N_PROGRAMS 11
#define CASES_EACH 4

static sample random_image(uint64_t *rng, rug_dtype dtype)
{
    for (;;) {
        sample s = random_sample(rng);
        if (s.img.dtype == dtype && rug_image_pixels(&s.img) <= 6000)
            return s;
        free_sample(&s);
    }
}

static void check_case(rug_context *device, uint64_t *rng, rug_alpha_options opts,
                       rug_dtype dtype)
{
    static const size_t most[] = {1, 5000, 60000, RUGI_ALPHA_OPENCL_BYTES};
    sample s = random_image(rng, dtype);
    size_t n = rug_image_pixels(&s.img), bytes = most[test_below(rng, 4)];
    uint8_t *inside = malloc(n);
    assert_non_null(inside);
    for (size_t i = 0; i < n; i++)
        inside[i] = (uint8_t)test_below(rng, 3);
    rug_image mask;
    assert_int_equal(
        rug_image_view(device, &mask, inside, RUG_U8, s.img.ndim, s.img.shape), RUG_OK);
    int has_mask = test_below(rng, 3) == 0;
    char what[96];
    snprintf(what, sizeof what,
             "%s, %d axes, measure %d, %u windows, pieces of %zu bytes",
             rug_dtype_name(dtype), s.img.ndim, (int)opts.measure, opts.n_windows, bytes);
    assert_same_map(device, &s.img, has_mask ? &mask : NULL, &opts, bytes, what);
    assert_memory_equal(s.buffer, s.copy, s.n_bytes);
    free(inside);
    free_sample(&s);
}

static void random_jobs(void **state)
{
    (void)state;
    static const double tolerances[] = {0, 0.75, 3, 1e6};
    rug_context *device = ocl_context();
    for (int i = 0; i < N_PROGRAMS; i++) {
        uint64_t rng = 20261128 + (uint64_t)i;
        rug_alpha_options opts = RUG_ALPHA_OPTIONS_INIT;
        opts.measure = (rug_alpha_measure)test_below(&rng, 4);
        opts.n_windows = 2 + (uint32_t)test_below(&rng, 4);
        opts.iso_tolerance = tolerances[test_below(&rng, 4)];
        for (int k = 0; k < CASES_EACH; k++)
            check_case(device, &rng, opts, (rug_dtype)(i % RUG_N_DTYPES));
    }
    rug_context_free(device);
}

/* Sums of floats whose order tells, all windows, and logarithms of all exponents. */
static void order_of_floats(void **state)
{
    (void)state;
    static double pixels[40 * 50];
    static const size_t shape[2] = {40, 50};
    rug_context *device = ocl_context();
    uint64_t rng = 5;
    rug_image img;
    assert_int_equal(rug_image_view(device, &img, pixels, RUG_F64, 2, shape), RUG_OK);
    for (int i = 0; i < 3; i++) {
        rug_alpha_options opts = RUG_ALPHA_OPTIONS_INIT;
        for (size_t k = 0; k < 40 * 50; k++) {
            uint64_t bits = test_random(&rng) >> (i == 0 ? 1 : 2);
            memcpy(&pixels[k], &bits, sizeof bits);
            if (i == 2)
                pixels[k] = (double)test_below(&rng, 1000) + 1e-3;
        }
        opts.n_windows = i == 2 ? RUG_ALPHA_MAX_WINDOWS : 3;
        assert_same_map(device, &img, NULL, &opts, 1 << 20, "floats");
    }
    rug_context_free(device);
}

/* The public call names the device. */
static void public_call(void **state)
{
    (void)state;
    static uint8_t pixels[32 * 32];
    static float out[32 * 32];
    rug_context *device = ocl_context();
    rug_image img = test_u8(pixels, 0, 32, 32);
    memset(pixels, 3, sizeof pixels);
    assert_int_equal(rug_alpha_map(device, out, &img, NULL), RUG_OK);
    assert_string_equal(rug_context_engine(device), "opencl:0");
    assert_true(out[16 * 32 + 16] == 2);
    assert_int_equal(rug_context_set_device(device, "auto"), RUG_OK);
    assert_int_equal(rug_alpha_map(device, out, &img, NULL), RUG_OK);
    assert_int_equal(strncmp(rug_context_engine(device), "cpu-", 4), 0);
    rug_context_free(device);
}

static rug_status keep_rows(void *user, const rug_alpha_map_rows *rows)
{
    float **to = user;
    memcpy(*to, rows->alpha, rows->n * rows->nx * sizeof **to);
    *to += rows->n * rows->nx;
    return RUG_OK;
}

/* Slabs of a source, of images and volumes: the processor's map of the whole. */
static void sources(void **state)
{
    (void)state;
    static float pixels[12 * 15 * 20], mask_pixels[12 * 15 * 20], got[12 * 15 * 20];
    static const size_t shapes[][3] = {{0, 180, 20}, {12, 15, 20}, {1, 180, 20}};
    rug_context *device = ocl_context(), *cpu = test_context();
    uint64_t rng = 6;
    for (size_t i = 0; i < 12 * 15 * 20; i++) {
        pixels[i] = (float)(1 + test_below(&rng, 1 << 20)) / 1e3f;
        mask_pixels[i] = (float)test_below(&rng, 4);
    }
    for (size_t i = 0; i < 6; i++) {
        rug_image img, mask;
        layers_source layers, mask_layers;
        const size_t *shape = shapes[i % 3] + (shapes[i % 3][0] == 0);
        int ndim = shapes[i % 3][0] == 0 ? 2 : 3;
        assert_int_equal(rug_image_view(cpu, &img, pixels, RUG_F32, ndim, shape), RUG_OK);
        assert_int_equal(rug_image_view(cpu, &mask, mask_pixels, RUG_F32, ndim, shape),
                         RUG_OK);
        rug_source source = source_of_layers(&layers, &img);
        rug_source inside = source_of_layers(&mask_layers, &mask);
        rug_alpha_options opts = RUG_ALPHA_OPTIONS_INIT;
        opts.measure = i % 2 ? RUG_ALPHA_SUM : RUG_ALPHA_ISO;
        opts.iso_tolerance = 300;
        opts.mask = i < 3 ? &inside : NULL;
        float *expected = must_map(cpu, &img, &opts), *to = got;
        if (rugi_alpha_map_source_by(device, &source, &opts, keep_rows, &to, 1 + 2 * i) !=
            RUG_OK)
            fail_msg("%s", rug_context_error(device));
        assert_string_equal(rug_context_engine(device), "opencl:0");
        assert_memory_equal(got, expected, sizeof got);
        free(expected);
    }
    rug_context_free(device);
    rug_context_free(cpu);
}

/* The k-th allocation fails, for every k. */
static void failing_memory(void **state)
{
    (void)state;
    static uint8_t pixels[20 * 20];
    static float out[20 * 20];
    rug_image img = test_u8(pixels, 0, 20, 20);
    rug_status status = RUG_E_NOMEM;
    size_t n_fails = 0;
    while (status != RUG_OK) {
        memory m = {.fail_at = n_fails + 1};
        rug_context *ctx = test_context();
        ocl_need_device(ctx);
        memory_hook(ctx, &m);
        assert_int_equal(rug_context_set_device(ctx, "opencl:0"), RUG_OK);
        status = rug_alpha_map(ctx, out, &img, NULL);
        if (status != RUG_OK) {
            assert_int_equal(status, RUG_E_NOMEM);
            n_fails++;
        }
        rug_context_free(ctx);
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
    }
    assert_in_range(n_fails, 3, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_jobs),    cmocka_unit_test(order_of_floats),
        cmocka_unit_test(public_call),    cmocka_unit_test(sources),
        cmocka_unit_test(failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
