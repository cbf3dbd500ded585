/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Local binary patterns on a device that fails at each of its calls, has no image objects,
 * does not interpolate them or compute in double precision, by a library of OpenCL that is made up
 * (support/fake_opencl.c, which CMake puts before the machine's). */

#define _XOPEN_SOURCE 700 /* setenv */

#include "support.h"

#include "fake_support.h"
#include "lbp_cl_support.h"

static filled out;

static void make_device(const char *devices, const char *image_side)
{
    fake_devices(devices, "lbp=12", "256");
    setenv("FAKE_OPENCL_IMAGE", image_side, 1);
}

/* Codes a small image; counts are 7 before. @return the status */
static rug_status code(rug_context *ctx, rug_dtype dtype, const rug_lbp_options *opts,
                       rugi_lbp_picture picture)
{
    static uint64_t pixels[50 * 50];
    static filled *const all[] = {&out};
    rugi_lbp_plan plan;
    rug_image img;
    assert_int_equal(rug_image_view(ctx, &img, pixels, dtype, 2, (size_t[]){50, 50}),
                     RUG_OK);
    assert_int_equal(rugi_lbp_plan_make(ctx, &plan, opts), RUG_OK);
    rugi_lbp_job job = make_job(&plan, &img, 0, 50, all);
    for (int i = 0; i < 10; i++)
        out.counts[i] = 7;
    const rugi_lbp_way way = {.picture = picture, .most_bytes = RUGI_LBP_OPENCL_BYTES};
    rug_status status = rugi_lbp_opencl_by(ctx, &job, &way);
    rugi_lbp_plan_free(ctx, &plan);
    for (int i = 0; i < 10; i++) /* kernels of this device count nothing */
        assert_int_equal(out.counts[i], 7);
    return status;
}

static rug_status code_picture(rug_context *ctx, const void *picture)
{
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    return code(ctx, RUG_U8, &opts, *(const rugi_lbp_picture *)picture);
}

static void fails_at_each_call(void **state)
{
    (void)state;
    static const rugi_lbp_picture pictures[] = {
        RUGI_LBP_PICTURE_TILE, RUGI_LBP_PICTURE_PIXELS, RUGI_LBP_PICTURE_IMAGE};
    make_device("gpu:8192", "8192");
    for (int i = 0; i < 3; i++) {
        unsigned image = pictures[i] == RUGI_LBP_PICTURE_IMAGE ? FAKE_IMAGE : 0;
        fake_fail_each(FAKE_WRITE | FAKE_READ | FAKE_FILL | image, 0, code_picture,
                       &pictures[i]);
    }
}

/* Where there are no image objects, or none of the dtype, the kernel with tiles is taken:
 * a failure of images goes unnoticed. */
static void without_images(void **state)
{
    (void)state;
    static const char *const sides[] = {"0", "2048", "8192"};
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    for (int i = 0; i < 3; i++)
        for (int dtype = RUG_U8; dtype <= RUG_U16; dtype += RUG_U16 - RUG_U8) {
            rug_context *ctx = test_context();
            int has_images = i == 2 && dtype == RUG_U8;
            make_device("gpu:8192", sides[i]);
            fake_failure("clCreateImage=-10");
            assert_int_equal(rug_context_set_device(ctx, "opencl"), RUG_OK);
            assert_int_equal(code(ctx, (rug_dtype)dtype, &opts, RUGI_LBP_PICTURE_IMAGE),
                             has_images ? RUG_E_DEVICE : RUG_OK);
            rug_context_free(ctx);
        }
}

/* A device whose filter is allowed but does nothing is found out, and one that lacks it says so,
 * with nothing left behind at any failure. */
static void without_filter(void **state)
{
    (void)state;
    static const struct {
        const char *side, *failure, *part;
        rug_dtype dtype;
    } cases[] = {
        {"8192", "", "does not interpolate image objects of u8", RUG_U8},
        {"8192", "", "has no image objects of u16", RUG_U16},
        {"0", "", "has no image objects of u8", RUG_U8},
        {"8192", "clCreateImage=-10", "-10", RUG_U8},
        {"8192", "clEnqueueWriteImage=-5", "-5", RUG_U8},
        {"8192", "clEnqueueNDRangeKernel=-54", "-54", RUG_U8},
        {"8192", "clEnqueueReadBuffer=-5", "-5", RUG_U8},
        {"8192", "clCreateKernel=-46", "-46", RUG_U8},
        {"8192", "clCreateBuffer=-4", "-4", RUG_U8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memory m = {.fail_at = 0};
        rug_context *ctx = test_context();
        rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
        opts.interpolation = RUG_LBP_HARDWARE;
        memory_hook(ctx, &m);
        fake_devices("gpu:8192", "lbp=12 filter_quarters=2", "256");
        setenv("FAKE_OPENCL_IMAGE", cases[i].side, 1);
        fake_failure(cases[i].failure);
        assert_int_equal(rug_context_set_device(ctx, "opencl"), RUG_OK);
        assert_int_equal(code(ctx, cases[i].dtype, &opts, RUGI_LBP_PICTURE_AUTO),
                         RUG_E_DEVICE);
        assert_error_part(ctx, cases[i].part);
        rug_context_free(ctx);
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
    }
}

/* What needs double precision says so on a device that has none; the rest works. */
static void without_double(void **state)
{
    (void)state;
    static const double cut = 3;
    static const rug_lbp_operator joint = {8, 1, &cut, 1};
    static const struct {
        rug_dtype dtype;
        rug_lbp_exact exact;
        int is_nearest, has_cuts, works;
    } cases[] = {
        {RUG_U8, RUG_LBP_EXACT_SKIMAGE, 0, 0, 0},
        {RUG_U8, RUG_LBP_EXACT_DECIMAL, 0, 0, 1},
        {RUG_I16, RUG_LBP_EXACT_DECIMAL, 0, 0, 1},
        {RUG_U32, RUG_LBP_EXACT_DECIMAL, 0, 0, 0},
        {RUG_F32, RUG_LBP_EXACT_DECIMAL, 0, 0, 0},
        {RUG_F32, RUG_LBP_EXACT_FLOAT, 0, 0, 1},
        {RUG_F64, RUG_LBP_EXACT_FLOAT, 0, 0, 1},
        {RUG_F32, RUG_LBP_EXACT_SKIMAGE, 1, 0, 1},
        {RUG_F64, RUG_LBP_EXACT_SKIMAGE, 1, 0, 0},
        {RUG_U8, RUG_LBP_EXACT_SKIMAGE, 1, 1, 0},
    };
    make_device("cpu:4096", "0");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rug_context *ctx = test_context();
        rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
        opts.exact = cases[i].exact;
        if (cases[i].is_nearest)
            opts.interpolation = RUG_LBP_NEAREST;
        opts.operators = cases[i].has_cuts ? &joint : NULL;
        opts.n_operators = 1;
        assert_int_equal(rug_context_set_device(ctx, "opencl"), RUG_OK);
        rug_status status = code(ctx, cases[i].dtype, &opts, RUGI_LBP_PICTURE_AUTO);
        if (status != (cases[i].works ? RUG_OK : RUG_E_DEVICE))
            fail_msg("case %zu: status %d", i, status);
        if (!cases[i].works)
            assert_error_part(ctx, "'decimal'");
        rug_context_free(ctx);
    }
}

/* In `auto` no device is taken. */
static void auto_is_the_processor(void **state)
{
    (void)state;
    static const uint8_t pixels[64] = {3, 1, 4, 1, 5};
    rug_context *ctx = test_context();
    rug_image img = test_u8(pixels, 0, 8, 8);
    rug_lbp_result *result;
    make_device("gpu:8192", "0");
    assert_int_equal(rug_context_set_device(ctx, "auto"), RUG_OK);
    assert_int_equal(rug_lbp(ctx, &result, &img, NULL), RUG_OK);
    assert_true(strncmp(rug_lbp_get_facts(result)->engine, "cpu-", 4) == 0);
    rug_lbp_free(result);
    rug_context_free(ctx);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(fails_at_each_call),    cmocka_unit_test(without_images),
        cmocka_unit_test(without_filter),        cmocka_unit_test(without_double),
        cmocka_unit_test(auto_is_the_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
