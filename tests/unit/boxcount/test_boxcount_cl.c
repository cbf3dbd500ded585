/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counts on an OpenCL device: known truths, random images against the CPU, parts that
 * are brought to the device one after the other, masks, golden images, refusals, and
 * failures. */

#include "support.h"

#include "boxcount/opencl/boxcount_opencl.h"
#include "boxcount_cl_support.h"
#include "boxcount_support.h"
#include "memory_support.h"
#include "ocl_support.h"
#include "sample_support.h"
#include <rugose/io.h>

#define N_CASES 400

static rug_boxcount_result count_by(rug_context *device, const rug_image *img,
                                    rug_boxcount_method method)
{
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground.kind = RUG_FOREGROUND_NONZERO;
    opts.method = method;
    rug_boxcount_result out;
    if (rug_boxcount(device, &out, img, &opts) != RUG_OK)
        fail_msg("%s", rug_context_error(device));
    return out;
}

/* The square of 96 pixels in 100 x 128 on each method: at size 32 the 9 boxes are black,
 * at 64 one is and three are cut; 128 holds all. */
static void known_truths(void **state)
{
    (void)state;
    rug_context *device = ocl_context();
    rug_image square = draw_shape(0, 100, 128, is_square_96);
    rug_image cube = draw_shape(100, 97, 128, is_square_96);
    rug_image sierpinski = draw_shape(0, 256, 256, is_sierpinski);
    static const uint64_t powers_of_3[] = {6561, 2187, 729, 243, 81, 27, 9, 3, 1, 0};
    for (int i = 0; i < N_CL_METHODS; i++) {
        rug_boxcount_result r = count_by(device, &square, cl_methods[i]);
        assert_int_equal(r.n_set, 96 * 96);
        assert_int_equal(r.n_sizes, 8);
        assert_int_equal(r.counts[5].black, 9);
        assert_int_equal(r.counts[5].white, 4 * 4 - 9);
        assert_int_equal(r.counts[6].nonempty, 4);
        assert_int_equal(r.counts[6].black, 1);
        assert_int_equal(r.counts[7].gray, 1);
        r = count_by(device, &cube, cl_methods[i]);
        assert_int_equal(r.counts[0].black, 96 * 96 * 96);
        assert_int_equal(r.counts[4].black, 6 * 6 * 6);
        assert_int_equal(r.counts[5].black, 27);
        assert_int_equal(r.counts[6].black, 1);
        assert_int_equal(r.counts[6].gray, 7);
        assert_int_equal(r.counts[7].gray, 1);
        r = count_by(device, &sierpinski, cl_methods[i]);
        assert_nonempty(&r, powers_of_3, r.method);
        assert_int_equal(r.counts[1].black, 0);
    }
    free_shape(square);
    free_shape(cube);
    free_shape(sierpinski);
    rug_context_free(device);
}

static void equal_to_cpu(void **state)
{
    (void)state;
    rug_context *device = ocl_context();
    rug_context *cpu = test_context();
    const uint64_t seed = 20261128;
    print_message("seed %llu, %d cases\n", (unsigned long long)seed, N_CASES);
    for (int i = 0; i < N_CASES; i++) {
        uint64_t rng = seed + (uint64_t)i;
        sample s = random_sample(&rng);
        rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
        opts.foreground = s.rule;
        char what[128];
        snprintf(what, sizeof what, "case %d: %s %zux%zux%zu rule %d %g", i,
                 rug_dtype_name(s.img.dtype), s.img.shape[0], s.img.shape[1],
                 s.img.ndim == 3 ? s.img.shape[2] : 0, (int)s.rule.kind, s.rule.value);
        check_on_device(device, cpu, &s.img, &opts, what);
        assert_memory_equal(s.buffer, s.copy, s.n_bytes);
        free_sample(&s);
    }
    rug_context_free(cpu);
    rug_context_free(device);
}

#define ROOM (150 * 150 * 70) /* pixels of the largest dtype */

static void assert_levels(const rugi_boxcount_levels *got,
                          const rug_boxcount_result *expected, const char *what)
{
    for (uint32_t i = 0; i < expected->n_sizes; i++)
        if (got->nonempty[i] != expected->counts[i].nonempty ||
            got->black[i] != expected->counts[i].black)
            fail_msg("%s, size %u: nonempty %llu, black %llu; %llu and %llu expected",
                     what, 1u << i, (unsigned long long)got->nonempty[i],
                     (unsigned long long)got->black[i],
                     (unsigned long long)expected->counts[i].nonempty,
                     (unsigned long long)expected->counts[i].black);
}

/* All methods, in parts of so many bytes. */
static void check_parts(rug_context *device, rug_context *cpu, const rug_image *img,
                        rug_foreground rule, size_t most_bytes)
{
    char what[128];
    snprintf(what, sizeof what, "%s %zux%zux%zu in parts of %zu bytes",
             rug_dtype_name(img->dtype), img->shape[0], img->shape[1],
             img->ndim == 3 ? img->shape[2] : 0, most_bytes);
    rug_boxcount_result expected = must_count(cpu, img, rule);
    rugi_predicate predicate = rugi_predicate_make(img->dtype, rule);
    rugi_boxcount_levels levels;
    for (int m = 1; m < N_CL_METHODS; m++) {
        if (rugi_boxcount_mukundan(device, &levels, img, &predicate, cl_methods[m],
                                   most_bytes) != RUG_OK)
            fail_msg("%s", rug_context_error(device));
        assert_levels(&levels, &expected, what);
    }
    rugi_boxcount_plan plan;
    rug_image volume = rugi_image_volume(img);
    rugi_boxcount_make_plan(cpu, &plan, &volume, img->ndim, &predicate, expected.n_sizes);
    uint8_t *blocks = malloc(plan.blocks[0] * plan.blocks[1] * plan.blocks[2]);
    assert_non_null(blocks);
    levels = (rugi_boxcount_levels){.n = expected.n_sizes};
    rugi_pyramid_job job = {&plan, &levels, blocks};
    if (rugi_boxcount_opencl_bricks(device, &job, most_bytes) != RUG_OK)
        fail_msg("%s", rug_context_error(device));
    rugi_boxcount_raise(&levels, blocks, plan.blocks, img->ndim);
    assert_levels(&levels, &expected, what);
    free(blocks);
}

/* Rows that are whole units of 16 pixels go to the device as they lie, others are copied
 * together; in parts of 64 pixels a side and of more. */
static void in_parts(void **state)
{
    (void)state;
    rug_context *device = ocl_context();
    static const size_t shapes[][3] = {
        {1, 200, 336}, {1, 200, 333}, {1, 1, 5000}, {130, 70, 144}, {70, 135, 77}};
    static const size_t most[] = {1, 20000, 400000};
    static const rug_dtype dtypes[] = {RUG_BIT, RUG_U8, RUG_I16};
    static uint64_t pixels[ROOM / 4];
    rug_context *cpu = test_context();
    uint64_t rng = 5;
    for (size_t i = 0; i < ROOM / 4; i++)
        pixels[i] = test_below(&rng, 40) == 0 ? UINT64_MAX : test_random(&rng);
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (size_t k = 0; k < 9; k++) {
            rug_image img;
            int ndim = shapes[s][0] == 1 ? 2 : 3;
            rug_foreground rule = {RUG_FOREGROUND_ABOVE, k % 3 == 0 ? 1 : 60, 0};
            assert_int_equal(rug_image_view(cpu, &img, pixels, dtypes[k % 3], ndim,
                                            shapes[s] + 3 - ndim),
                             RUG_OK);
            check_parts(device, cpu, &img, rule, most[k / 3]);
        }
    rug_context_free(cpu);
    rug_context_free(device);
}

static void masks_too(void **state)
{
    (void)state;
    rug_context *device = ocl_context();
    rug_context *cpu = test_context();
    static uint8_t pixels[90 * 77 * 70], inside[90 * 77 * 70];
    uint64_t rng = 11;
    for (size_t i = 0; i < sizeof pixels; i++) {
        pixels[i] = test_below(&rng, 3) == 0;
        inside[i] = i / 7 % 100 < 60;
    }
    rug_image mask = test_u8(inside, 90, 77, 70), img = test_u8(pixels, 90, 77, 70);
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground.kind = RUG_FOREGROUND_NONZERO;
    opts.mask = &mask;
    check_on_device(device, cpu, &img, &opts, "with a mask");
    rug_context_free(cpu);
    rug_context_free(device);
}

static void golden_images(void **state)
{
    (void)state;
    rug_context *device = ocl_context();
    rug_context *cpu = test_context();
    static const char *const names[] = {"bin_carpet_243.png",  "bin_retina_vessels.png",
                                        "bin_horse.png",       "camera.png",
                                        "bin_hubble_gt60.png", "menger_81.nii.gz"};
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        rug_file *file;
        if (rug_file_read(cpu, &file, test_data(names[i]), NULL) != RUG_OK)
            fail_msg("%s", rug_context_error(cpu));
        check_on_device(device, cpu, rug_file_image(file), &opts, names[i]);
        rug_file_free(file);
    }
    rug_context_free(cpu);
    rug_context_free(device);
}

/* Slab by slab, where blocks that wait for their last pixel are counted by the CPU. */
static void by_slabs(void **state)
{
    (void)state;
    rug_context *device = ocl_context();
    rug_context *cpu = test_context();
    static uint8_t pixels[200 * 150];
    static rug_boxcount_result expected, got;
    uint64_t rng = 12;
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = test_below(&rng, 9) != 0;
    rug_image img = test_u8(pixels, 0, 200, 150), part = img;
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground.kind = RUG_FOREGROUND_NONZERO;
    assert_int_equal(rug_boxcount(cpu, &expected, &img, &opts), RUG_OK);
    rug_boxcount_parts *parts;
    assert_int_equal(rug_boxcount_parts_new(device, &parts, 2, img.shape, &opts), RUG_OK);
    for (size_t y = 0; y < 200; y += 100) {
        part.data = pixels + y * 150;
        part.shape[0] = 100;
        if (rug_boxcount_parts_add(device, parts, &part, NULL, (size_t[]){y, 0}) !=
            RUG_OK)
            fail_msg("%s", rug_context_error(device));
    }
    assert_int_equal(rug_boxcount_parts_finish(device, &got, parts), RUG_OK);
    test_assert_counts_equal(&got, &expected, "by slabs");
    assert_string_equal(got.engine, "opencl:0");
    rug_boxcount_parts_free(parts);
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
    rug_image img = draw_shape(0, 100, 100, is_any);
    rug_context_set_cancel(device, always, NULL);
    for (int i = 0; i < N_CL_METHODS; i++) {
        static rug_boxcount_result out;
        rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
        opts.foreground.kind = RUG_FOREGROUND_NONZERO;
        opts.method = cl_methods[i];
        memset(&out, 1, sizeof out);
        assert_int_equal(rug_boxcount(device, &out, &img, &opts), RUG_E_CANCELLED);
        assert_zeroed(&out, sizeof out, "cancelled");
    }
    rug_context_set_cancel(device, NULL, NULL);
    assert_int_equal(count_by(device, &img, RUG_BOXCOUNT_PYRAMID).n_set, 10000);
    free_shape(img);
    rug_context_free(device);
}

/* Each allocation fails once; then all works, and nothing is lost. */
static void failing_memory(void **state)
{
    (void)state;
    rug_context *device = ocl_context();
    static rug_boxcount_result out;
    rug_image img = draw_shape(0, 70, 75, is_sierpinski);
    for (int i = 0; i < N_CL_METHODS; i++) {
        rug_status status = RUG_E_NOMEM;
        for (size_t k = 1; status != RUG_OK; k++) {
            memory m = {.fail_at = k};
            rug_context *ctx = test_context();
            memory_hook(ctx, &m);
            assert_int_equal(rug_context_set_device(ctx, "opencl:0"), RUG_OK);
            rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
            opts.foreground.kind = RUG_FOREGROUND_NONZERO;
            opts.method = cl_methods[i];
            memset(&out, 1, sizeof out);
            status = rug_boxcount(ctx, &out, &img, &opts);
            if (status != RUG_OK) {
                assert_int_equal(status, RUG_E_NOMEM);
                assert_zeroed(&out, sizeof out, "without memory");
                assert_string_not_equal(rug_context_error(ctx), "");
            }
            rug_context_free(ctx);
            assert_int_equal(m.n_live, 0);
            assert_int_equal(m.n_wrong, 0);
            assert_true(k < 200);
        }
        assert_int_equal(out.counts[0].nonempty, count_by(device, &img, 1).n_set);
    }
    free_shape(img);
    rug_context_free(device);
}

static void expect_refusal(rug_context *ctx, rug_status got, rug_status expected,
                           const char *word)
{
    assert_int_equal(got, expected);
    if (strstr(rug_context_error(ctx), word) == NULL)
        fail_msg("'%s' does not say '%s'", rug_context_error(ctx), word);
}

static rug_status no_label(void *user, const rug_region *region,
                           const rug_boxcount_result *counts)
{
    (void)user;
    (void)region;
    (void)counts;
    return RUG_OK;
}

static void refusals(void **state)
{
    (void)state;
    static rug_boxcount_result out;
    rug_context *ctx = test_context();
    rug_image img = draw_shape(0, 20, 20, is_any);
    static const uint64_t sizes[] = {1, 3};
    for (int i = 1; i < N_CL_METHODS; i++) {
        rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
        opts.method = cl_methods[i];
        opts.foreground.kind = RUG_FOREGROUND_NONZERO;
        assert_int_equal(rug_context_set_device(ctx, "cpu"), RUG_OK);
        expect_refusal(ctx, rug_boxcount(ctx, &out, &img, &opts), RUG_E_DEVICE, "OpenCL");
        assert_int_equal(rug_context_set_device(ctx, "opencl:9999"), RUG_OK);
        expect_refusal(ctx, rug_boxcount(ctx, &out, &img, &opts), RUG_E_DEVICE, "9999");
        rug_boxcount_parts *parts;
        expect_refusal(ctx, rug_boxcount_parts_new(ctx, &parts, 2, img.shape, &opts),
                       RUG_E_ARG, "whole image");
        opts.grid = RUG_BOXCOUNT_GRID_MIN;
        expect_refusal(ctx, rug_boxcount(ctx, &out, &img, &opts), RUG_E_ARG, "origin");
        opts.grid = RUG_BOXCOUNT_GRID_ORIGIN;
        opts.sizes = sizes;
        opts.n_sizes = 2;
        expect_refusal(ctx, rug_boxcount(ctx, &out, &img, &opts), RUG_E_ARG, "powers");
    }
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.method = (rug_boxcount_method)6;
    expect_refusal(ctx, rug_boxcount(ctx, &out, &img, &opts), RUG_E_ARG, "0..5");
    free_shape(img);
    rug_context_free(ctx);
}

/* A device that is asked for by name is not silently replaced by the processor. */
static void only_on_the_processor(void **state)
{
    (void)state;
    static rug_boxcount_result out;
    static const double at[] = {1, 2, 3, 4};
    rug_points points = {at, RUG_F64, 2, 2, {16, 8}};
    rug_context *ctx = test_context();
    rug_image img = draw_shape(0, 20, 20, is_any);
    rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
    opts.foreground.kind = RUG_FOREGROUND_NONZERO;
    assert_int_equal(rug_context_set_device(ctx, "opencl:0"), RUG_OK);
    opts.grid = RUG_BOXCOUNT_GRID_MIN;
    expect_refusal(ctx, rug_boxcount(ctx, &out, &img, &opts), RUG_E_DEVICE, "window");
    opts.grid = RUG_BOXCOUNT_GRID_ORIGIN;
    expect_refusal(ctx, rug_boxcount_labels(ctx, &img, &img, &opts, no_label, NULL),
                   RUG_E_DEVICE, "labels");
    rug_boxcount_points_options best = RUG_BOXCOUNT_POINTS_OPTIONS_INIT;
    best.grid = RUG_BOXCOUNT_GRID_MIN;
    expect_refusal(ctx, rug_boxcount_points(ctx, &out, &points, &best), RUG_E_DEVICE,
                   "points");
    assert_int_equal(rug_context_set_device(ctx, "auto"), RUG_OK);
    assert_int_equal(rug_boxcount_points(ctx, &out, &points, NULL), RUG_OK);
    free_shape(img);
    rug_context_free(ctx);
}

/* Bringing pixels to a device takes longer than counting them. */
static void auto_stays_on_the_cpu(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_image img = draw_shape(0, 300, 300, is_sierpinski);
    assert_int_equal(rug_context_set_device(ctx, "auto"), RUG_OK);
    rug_boxcount_result r = must_count(ctx, &img, (rug_foreground)RUG_FOREGROUND_INIT);
    assert_true(strncmp(r.engine, "cpu-", 4) == 0);
    free_shape(img);
    rug_context_free(ctx);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_truths),
        cmocka_unit_test(equal_to_cpu),
        cmocka_unit_test(in_parts),
        cmocka_unit_test(masks_too),
        cmocka_unit_test(golden_images),
        cmocka_unit_test(by_slabs),
        cmocka_unit_test(stops_when_cancelled),
        cmocka_unit_test(failing_memory),
        cmocka_unit_test(refusals),
        cmocka_unit_test(only_on_the_processor),
        cmocka_unit_test(auto_stays_on_the_cpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
