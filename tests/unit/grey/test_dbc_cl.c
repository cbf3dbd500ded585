/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Differential box counting on an OpenCL device against the definition: random images and
 * masks, parts that are brought there one after the other, refusals, failing memory. */

#include "support.h"

#include "dbc/dbc_opencl.h"
#include "dbc_support.h"
#include "memory_support.h"
#include "ocl_support.h"
#include "sample_support.h"
#include <stdio.h>

#define N_CASES 300

static int has_64_bits(const rug_image *img)
{
    return rug_dtype_size(img->dtype) == 8 && img->dtype != RUG_F64;
}

static void equal_to_naive(void **state)
{
    (void)state;
    rug_context *device = ocl_context();
    const uint64_t seed = 20261128;
    print_message("seed %llu, %d cases\n", (unsigned long long)seed, N_CASES);
    for (int i = 0; i < N_CASES; i++) {
        uint64_t rng = seed + (uint64_t)i;
        sample s = random_sample(&rng);
        rug_dbc_options opts = RUG_DBC_OPTIONS_INIT;
        uint8_t *inside = malloc((size_t)rug_image_pixels(&s.img));
        assert_non_null(inside);
        for (size_t k = 0; k < rug_image_pixels(&s.img); k++)
            inside[k] = test_below(&rng, 3) > 0;
        rug_image mask;
        assert_int_equal(
            rug_image_view(NULL, &mask, inside, RUG_U8, s.img.ndim, s.img.shape), RUG_OK);
        rug_source mask_source = source_of_image(&mask);
        opts.mask = test_below(&rng, 2) ? &mask_source : NULL;
        dbc_counts expected = dbc_naive(&s.img, opts.mask != NULL ? &mask : NULL, 0), got;
        rug_status status = dbc_count(device, &got, &s.img, &opts);
        char what[128];
        snprintf(what, sizeof what, "case %d: %s %zux%zux%zu", i,
                 rug_dtype_name(s.img.dtype), s.img.shape[0], s.img.shape[1],
                 s.img.ndim == 3 ? s.img.shape[2] : 0);
        if (has_64_bits(&s.img)) {
            assert_int_equal(status, RUG_E_DEVICE);
            assert_error_part(device, "32 bits");
        } else {
            if (status != RUG_OK)
                fail_msg("%s: %s", what, rug_context_error(device));
            assert_string_equal(got.engine, "opencl:0");
            dbc_assert_equal(&got, &expected, what);
        }
        free(inside);
        free_sample(&s);
    }
    rug_context_free(device);
}

static uint16_t pixels[70 * 140 * 130];

static rug_image random_volume(rug_dtype dtype)
{
    uint64_t rng = 8;
    for (size_t i = 0; i < sizeof pixels / sizeof pixels[0]; i++)
        pixels[i] = (uint16_t)(test_random(&rng) % (1 + i / 200));
    rug_image img;
    const size_t shape[3] = {70, 140, 130};
    assert_int_equal(rug_image_view(NULL, &img, pixels, dtype, 3, shape), RUG_OK);
    return img;
}

/* Parts of one block, of a few and of all have the same results, and so have slabs. */
static void in_parts(void **state)
{
    (void)state;
    rug_context *device = ocl_context();
    static const rug_dtype dtypes[] = {RUG_U8, RUG_U16, RUG_I16};
    const rug_dbc_options opts = RUG_DBC_OPTIONS_INIT;
    for (int d = 0; d < 3; d++) {
        rug_image img = random_volume(dtypes[d]);
        rug_source source = source_of_image(&img);
        rugi_dbc_plan plan;
        rugi_dbc_block whole[2 * 3 * 3], parts[2 * 3 * 3];
        assert_int_equal(rugi_dbc_plan_make(device, &plan, &source, NULL, &opts, NULL),
                         RUG_OK);
        assert_int_equal(plan.n_blocks, 18);
        rugi_dbc_job all = {.plan = &plan, .slab = img, .blocks = whole};
        assert_int_equal(rugi_dbc_cpu(device, &all), RUG_OK);
        rugi_dbc_cpu_end(device, &all);
        for (size_t most = 1; most < 1 << 23; most *= 20) {
            rugi_dbc_job job = {.plan = &plan, .slab = img, .blocks = parts};
            memset(parts, 0, sizeof parts);
            job.slab.shape[0] = 64;
            if (rugi_dbc_opencl_parts(device, &job, most) != RUG_OK)
                fail_msg("%s", rug_context_error(device));
            job.first = 64;
            job.slab.shape[0] = 6;
            job.slab.data = (const char *)img.data + 64 * img.stride[0];
            assert_int_equal(rugi_dbc_opencl_parts(device, &job, most), RUG_OK);
            assert_memory_equal(parts, whole, sizeof whole);
            for (int m = 1; m <= RUGI_DBC_BLOCK_LEVEL; m++)
                for (int c = 0; c < RUGI_DBC_CLASSES; c++)
                    assert_true(job.tally.at[m][c].blocks == all.tally.at[m][c].blocks &&
                                job.tally.at[m][c].beyond == all.tally.at[m][c].beyond);
        }
        rugi_dbc_job thin = {.plan = &plan, .slab = img, .blocks = parts};
        thin.slab.shape[0] = 30;
        assert_int_equal(rugi_dbc_opencl_parts(device, &thin, 1 << 20), RUG_E_DEVICE);
        assert_error_part(device, "64 slices");
    }
    rug_context_free(device);
}

static void failing_memory(void **state)
{
    (void)state;
    rug_context *probe = ocl_context();
    rug_context_free(probe);
    rug_image img = random_volume(RUG_U8);
    static uint8_t inside[70 * 140 * 130];
    memset(inside, 1, sizeof inside);
    rug_image mask = img;
    mask.data = inside;
    rug_dbc_options opts = RUG_DBC_OPTIONS_INIT;
    rug_source mask_source = source_of_image(&mask);
    opts.mask = &mask_source;
    rug_status status = RUG_E_NOMEM;
    for (size_t k = 1; status != RUG_OK; k++) {
        memory m = {.fail_at = k};
        rug_context *ctx = test_context();
        dbc_counts out;
        memory_hook(ctx, &m);
        assert_int_equal(rug_context_set_device(ctx, "opencl:0"), RUG_OK);
        status = dbc_count(ctx, &out, &img, &opts);
        assert_true(status == RUG_OK || status == RUG_E_NOMEM || status == RUG_E_DEVICE);
        rug_context_free(ctx);
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
        assert_true(k < 200);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_to_naive),
        cmocka_unit_test(in_parts),
        cmocka_unit_test(failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
