/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box masses on an OpenCL device are those of the processor: random images of every dtype
 * by grey values and rules, with masks, in bricks, in parts, of sources; failing memory. */

#include "support.h"

#include "masses_cl_support.h"
#include "masses_support.h"
#include "memory_support.h"
#include "ocl_support.h"
#include "sample_support.h"
#include <stdio.h>

#define SEED 20150316

#define N_CASES 150

static void random_images(void **state)
{
    (void)state;
    rug_context *device = ocl_context(), *cpu = test_context();
    print_message("seed %d, %d cases\n", SEED, N_CASES);
    for (int i = 0; i < N_CASES; i++) {
        uint64_t rng = SEED + (uint64_t)i;
        char what[96];
        sample s = random_sample(&rng);
        make_positive(&s.img);
        size_t n = (size_t)rug_image_pixels(&s.img);
        uint8_t *inside = malloc(n);
        assert_non_null(inside);
        for (size_t k = 0; k < n; k++)
            inside[k] = (uint8_t)test_below(&rng, 3);
        rug_image mask;
        assert_int_equal(
            rug_image_view(cpu, &mask, inside, RUG_U8, s.img.ndim, s.img.shape), RUG_OK);
        rug_masses_options opts = RUG_MASSES_OPTIONS_INIT;
        opts.of = (rug_mass_of)test_below(&rng, 2);
        opts.foreground = s.rule;
        opts.mask = test_below(&rng, 2) ? &mask : NULL;
        snprintf(what, sizeof what, "case %d: %s %zux%zux%zu, mass %d", i,
                 rug_dtype_name(s.img.dtype), s.img.shape[0], s.img.shape[1],
                 s.img.ndim == 3 ? s.img.shape[2] : 0, (int)opts.of);
        rug_context_set_threads(device, 1 + i % 4);
        rug_masses *expected = must_measure(cpu, &s.img, &opts);
        rug_masses *got = must_measure(device, &s.img, &opts);
        assert_same_masses(device, got, cpu, expected, what);
        assert_string_equal(masses_engine(got), "opencl:0");
        rug_masses_free(got);
        rug_masses_free(expected);
        free(inside);
        free_sample(&s);
    }
    rug_context_free(device);
    rug_context_free(cpu);
}

static uint32_t pixels[40 * 50 * 35];

static rug_image numbers(rug_dtype dtype, int ndim)
{
    uint64_t rng = 8;
    for (size_t i = 0; i < sizeof pixels / sizeof pixels[0]; i++)
        pixels[i] = (uint32_t)(test_random(&rng) % (1 + i / 2)) & 0x7f7f7f7f;
    rug_image img;
    const size_t flat[2] = {280, 250}, deep[3] = {40, 50, 35};
    assert_int_equal(
        rug_image_view(NULL, &img, pixels, dtype, ndim, ndim == 3 ? deep : flat), RUG_OK);
    return img;
}

/* Bricks of one block, of a few and of all have the same masses, and so have tables in local
 * and in global memory. */
static void in_bricks(void **state)
{
    (void)state;
    rug_context *device = ocl_context(), *cpu = test_context();
    static const rug_dtype dtypes[] = {RUG_BIT, RUG_U8, RUG_U16, RUG_I16, RUG_U32};
    for (int k = 0; k < 10; k++) {
        rug_image img = numbers(dtypes[k / 2], 2 + k % 2);
        rug_masses_options opts = RUG_MASSES_OPTIONS_INIT;
        opts.of = k % 3 < 2 ? RUG_MASS_OF_GRAY : RUG_MASS_OF_FOREGROUND;
        opts.foreground = (rug_foreground){RUG_FOREGROUND_ABOVE, 40, 0};
        rug_masses *expected = must_measure(cpu, &img, &opts);
        for (size_t most = 1; most < 1 << 21; most *= 80) {
            char what[96];
            size_t table = (most + (size_t)k) % 3 * 4096;
            snprintf(what, sizeof what, "case %d: bricks of %zu bytes, table of %zu", k,
                     most, table);
            rug_masses *m = masses_by_bricks(device, &img, &opts, most, table);
            assert_same_masses(device, m, cpu, expected, what);
            rug_masses_free(m);
        }
        rug_masses_free(expected);
    }
    rug_context_free(device);
    rug_context_free(cpu);
}

/* Strips at odd rows: whole blocks of them go to the device, the others to the processor. */
static void in_parts(void **state)
{
    (void)state;
    rug_context *device = ocl_context(), *cpu = test_context();
    for (int ndim = 2; ndim <= 3; ndim++) {
        rug_image img = numbers(RUG_U16, ndim);
        rug_masses *expected = must_measure(cpu, &img, NULL), *m, *rest;
        assert_int_equal(rug_masses_new(device, &m, RUG_U16, ndim, img.shape, 0, NULL),
                         RUG_OK);
        assert_int_equal(rug_masses_new(device, &rest, RUG_U16, ndim, img.shape, 0, NULL),
                         RUG_OK);
        size_t rows[] = {0, 5, 28, img.shape[0]};
        for (int k = 0; k < 3; k++) {
            rug_image part = img;
            size_t first[3] = {rows[k]};
            part.data = (const char *)img.data + (ptrdiff_t)rows[k] * img.stride[0];
            part.shape[0] = rows[k + 1] - rows[k];
            if (rug_masses_add(device, k == 1 ? rest : m, &part, NULL, first) != RUG_OK)
                fail_msg("%s", rug_context_error(device));
        }
        assert_int_equal(rug_masses_merge(device, m, rest), RUG_OK);
        assert_same_masses(device, m, cpu, expected, "parts");
        assert_string_equal(masses_engine(m), "opencl:0");
        rug_masses_free(m);
        rug_masses_free(rest);
        rug_masses_free(expected);
    }
    rug_context_free(device);
    rug_context_free(cpu);
}

static void sources(void **state)
{
    (void)state;
    rug_context *device = ocl_context(), *cpu = test_context();
    static const rug_dtype dtypes[] = {RUG_U8, RUG_F32};
    for (int k = 0; k < 4; k++) {
        rug_image img = numbers(dtypes[k / 2], 2 + k % 2),
                  mask = numbers(RUG_U8, 2 + k % 2);
        rug_source source = source_of_image(&img);
        rug_source inside = source_of_image(&mask);
        rug_masses *got, *expected;
        if (rug_masses_measure_source(device, &got, &source, &inside, NULL) != RUG_OK)
            fail_msg("%s", rug_context_error(device));
        assert_int_equal(
            rug_masses_measure_source(cpu, &expected, &source, &inside, NULL), RUG_OK);
        assert_same_masses(device, got, cpu, expected, rug_dtype_name(img.dtype));
        rug_masses_free(got);
        rug_masses_free(expected);
    }
    rug_context_free(device);
    rug_context_free(cpu);
}

static void failing_memory(void **state)
{
    (void)state;
    rug_context *probe = ocl_context();
    rug_context_free(probe);
    rug_image img = numbers(RUG_I16, 3); /* has tables and lists */
    rug_status status = RUG_E_NOMEM;
    for (size_t k = 1; status != RUG_OK; k++) {
        memory m = {.fail_at = k};
        rug_context *ctx = test_context();
        rug_masses *out;
        memory_hook(ctx, &m);
        assert_int_equal(rug_context_set_device(ctx, "opencl:0"), RUG_OK);
        status = rug_masses_measure(ctx, &out, &img, NULL);
        assert_true(status == RUG_OK || status == RUG_E_NOMEM || status == RUG_E_DEVICE);
        assert_int_equal(out == NULL, status != RUG_OK);
        rug_masses_free(out);
        rug_context_free(ctx);
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
        assert_true(k < 300);
    }
}

static int stop_at(void *user)
{
    int *left = user;
    return (*left)-- <= 0;
}

/* Wherever it stops, nothing is left behind; some day it does not stop any more. */
static void cancelled(void **state)
{
    (void)state;
    rug_context *device = ocl_context();
    rug_context_set_threads(device, 1);
    rug_image img = numbers(RUG_U8, 2);
    rug_status status = RUG_E_CANCELLED;
    int n_stops = 0;
    for (; status == RUG_E_CANCELLED; n_stops++) {
        int left = n_stops;
        rug_masses *out;
        rug_context_set_cancel(device, stop_at, &left);
        status = rug_masses_measure(device, &out, &img, NULL);
        assert_int_equal(out == NULL, status != RUG_OK);
        rug_masses_free(out);
    }
    assert_int_equal(status, RUG_OK);
    assert_true(n_stops > 2);
    rug_context_free(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_images),  cmocka_unit_test(in_bricks),
        cmocka_unit_test(in_parts),       cmocka_unit_test(sources),
        cmocka_unit_test(failing_memory), cmocka_unit_test(cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
