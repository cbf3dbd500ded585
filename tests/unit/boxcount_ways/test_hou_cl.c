/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The method HOU on an OpenCL device: known truths, golden and random images and random
 * points of 1 to 10 axes against the CPU, odd sizes, duplicates, sets of more than one
 * piece, both shapes of launch, refusals, cancelling, failing memory. */

#include "support.h"

#include "box_points_support.h"
#include "boxcount_support.h"
#include "hou_cl_support.h"
#include "memory_support.h"
#include "ocl_support.h"
#include "sample_support.h"
#include <rugose/io.h>

#define N_CASES 150

static const uint64_t all_sizes[] = {1,  2,  3,  4,  5,  6,  7,  9,  12, 15,
                                     16, 27, 32, 33, 48, 64, 81, 96, 128};
#define N_ALL (sizeof all_sizes / sizeof all_sizes[0])

static rug_boxcount_options options_of(rug_boxcount_method method, int with_odd)
{
    rug_boxcount_options o = RUG_BOXCOUNT_OPTIONS_INIT;
    o.foreground.kind = RUG_FOREGROUND_NONZERO;
    o.method = method;
    if (with_odd) {
        o.sizes = all_sizes;
        o.n_sizes = N_ALL;
    }
    return o;
}

/* By HOU on the device and by what `auto` takes on the CPU. */
static void check_image(rug_context *device, rug_context *cpu, const rug_image *img,
                        const rug_boxcount_options *opts, const char *what)
{
    static test_counts expected, got;
    rug_boxcount_options o = *opts;
    o.method = RUG_BOXCOUNT_AUTO;
    if (test_boxcount(cpu, &expected, img, &o) != RUG_OK)
        fail_msg("%s: %s", what, rug_context_error(cpu));
    o.method = RUG_BOXCOUNT_HOU;
    if (test_boxcount(device, &got, img, &o) != RUG_OK)
        fail_msg("%s: %s", what, rug_context_error(device));
    test_assert_counts_equal(&got, &expected, what);
    assert_int_equal(got.n_set, expected.n_set);
    assert_string_equal(got.engine, "opencl:0");
    assert_string_equal(got.method, "hou");
    for (int i = 0; i < 2 && expected.n_set > 0 && opts->mask == NULL; i++) {
        memcpy(&got, &expected, sizeof got);
        spoil_boxes(&got);
        if (hou_image_in_shape(device, &got, img, expected.foreground, hou_shapes[i]) !=
            RUG_OK)
            fail_msg("%s: %s", what, rug_context_error(device));
        assert_same_boxes(&got, &expected, what);
    }
}

/* A square of 96 cells in 100 x 128: at size 32 the 9 boxes are black, at 48 4, at 96 1,
 * at 64 one is and three are cut. */
static void known_truths(void **state)
{
    (void)state;
    static test_counts r;
    static const uint64_t sizes[] = {1, 5, 32, 48, 64, 96, 128};
    rug_context *device = ocl_context();
    rug_image square = draw_shape(0, 100, 128, is_square_96);
    rug_boxcount_options opts = options_of(RUG_BOXCOUNT_HOU, 0);
    opts.sizes = sizes;
    opts.n_sizes = 7;
    assert_int_equal(test_boxcount(device, &r, &square, &opts), RUG_OK);
    assert_int_equal(r.n_set, 96 * 96);
    assert_int_equal(r.counts[0].black, 96 * 96);
    assert_int_equal(r.counts[1].nonempty, 20 * 20);
    assert_int_equal(r.counts[1].black, 19 * 19);
    assert_int_equal(r.counts[1].total, 20 * 26);
    assert_int_equal(r.counts[2].black, 9);
    assert_int_equal(r.counts[2].white, 4 * 4 - 9);
    assert_int_equal(r.counts[3].black, 4);
    assert_int_equal(r.counts[4].black, 1);
    assert_int_equal(r.counts[4].gray, 3);
    assert_int_equal(r.counts[5].black, 1);
    assert_int_equal(r.counts[5].nonempty, 1);
    assert_int_equal(r.counts[6].gray, 1);
    free_shape(square);
    rug_image sierpinski = draw_shape(0, 256, 256, is_sierpinski);
    static const uint64_t powers_of_3[] = {6561, 2187, 729, 243, 81, 27, 9, 3, 1, 0};
    opts = options_of(RUG_BOXCOUNT_HOU, 0);
    assert_int_equal(test_boxcount(device, &r, &sierpinski, &opts), RUG_OK);
    assert_nonempty(&r, powers_of_3, "sierpinski");
    assert_int_equal(r.counts[1].black, 0);
    assert_true(r.busy_least == 0 && r.busy_most == 0);
    free_shape(sierpinski);
    rug_context_free(device);
}

static void golden_images(void **state)
{
    (void)state;
    rug_context *device = ocl_context();
    rug_context *cpu = test_context();
    static const char *const names[] = {"bin_camera_otsu.png",
                                        "bin_cantor_dust_243.png",
                                        "bin_carpet_243.png",
                                        "bin_diagonal_256.png",
                                        "bin_full_256.png",
                                        "bin_horse.png",
                                        "bin_hubble_gt60.png",
                                        "bin_retina_vessels.png",
                                        "bin_sierpinski_256.png",
                                        "bin_uk_coast_2048.png",
                                        "bin_uk_land_2048.png",
                                        "bin_vicsek_243.png",
                                        "camera.png",
                                        "menger_81.nii.gz",
                                        "menger_243.nii.gz",
                                        "colin27_gm_boundary.nii.gz",
                                        "mni152_gm_mask.nii.gz"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        rug_file *file;
        rug_boxcount_options opts = RUG_BOXCOUNT_OPTIONS_INIT;
        if (rug_file_read(cpu, &file, test_data(names[i]), NULL) != RUG_OK)
            fail_msg("%s", rug_context_error(cpu));
        check_image(device, cpu, rug_file_image(file), &opts, names[i]);
        if (strstr(names[i], "243.png") != NULL || strstr(names[i], "81") != NULL) {
            opts = options_of(RUG_BOXCOUNT_HOU, 1);
            check_image(device, cpu, rug_file_image(file), &opts, names[i]);
        }
        rug_file_free(file);
    }
    rug_context_free(cpu);
    rug_context_free(device);
}

static void random_images(void **state)
{
    (void)state;
    rug_context *device = ocl_context();
    rug_context *cpu = test_context();
    const uint64_t seed = 20130809;
    print_message("seed %llu, %d cases\n", (unsigned long long)seed, N_CASES);
    for (int i = 0; i < N_CASES; i++) {
        uint64_t rng = seed + (uint64_t)i;
        sample s = random_sample(&rng);
        rug_boxcount_options opts = options_of(RUG_BOXCOUNT_HOU, i % 3 == 0);
        opts.foreground = s.rule;
        char what[128];
        snprintf(what, sizeof what, "case %d: %s %zux%zux%zu", i,
                 rug_dtype_name(s.img.dtype), s.img.shape[0], s.img.shape[1],
                 s.img.ndim == 3 ? s.img.shape[2] : 0);
        check_image(device, cpu, &s.img, &opts, what);
        assert_memory_equal(s.buffer, s.copy, s.n_bytes);
        free_sample(&s);
    }
    rug_context_free(cpu);
    rug_context_free(device);
}

static void masks_too(void **state)
{
    (void)state;
    rug_context *device = ocl_context();
    rug_context *cpu = test_context();
    static uint8_t cells[40 * 37 * 30], inside[40 * 37 * 30];
    uint64_t rng = 11;
    for (size_t i = 0; i < sizeof cells; i++) {
        cells[i] = test_below(&rng, 3) == 0;
        inside[i] = i / 7 % 100 < 60;
    }
    rug_image mask = test_u8(inside, 40, 37, 30), img = test_u8(cells, 40, 37, 30);
    rug_boxcount_options opts = options_of(RUG_BOXCOUNT_HOU, 1);
    rug_source mask_source = source_of_image(&mask);
    opts.mask = &mask_source;
    check_image(device, cpu, &img, &opts, "with a mask");
    rug_context_free(cpu);
    rug_context_free(device);
}

/* An image without foreground, and no points: the device is still the one that is named. */
static void nothing_to_count(void **state)
{
    (void)state;
    rug_context *device = ocl_context();
    rug_context *cpu = test_context();
    rug_image empty = draw_shape(0, 20, 30, is_none);
    rug_boxcount_options opts = options_of(RUG_BOXCOUNT_HOU, 1);
    check_image(device, cpu, &empty, &opts, "no foreground");
    rug_points none = points_view(NULL, RUG_I32, 0, 3);
    rug_boxcount_points_options o = RUG_BOXCOUNT_POINTS_OPTIONS_INIT;
    check_points_on_device(device, cpu, &none, &o, "no points");
    assert_int_equal(rug_context_set_device(device, "opencl:9999"), RUG_OK);
    static test_counts r;
    assert_int_equal(test_boxcount_points(device, &r, &none, &o), RUG_E_DEVICE);
    assert_int_equal(test_boxcount(device, &r, &empty, &opts), RUG_E_DEVICE);
    free_shape(empty);
    rug_context_free(cpu);
    rug_context_free(device);
}

/* ---- Points ---- */

#define MANY 3000

/* Blocks of cells, so that boxes are full, single ones, and many twice. The bits of all
 * axes together, up to two more of each where blocks reach over a border, stay within 64. */
static size_t random_points(uint64_t *rng, int64_t (*at)[RUG_POINTS_MAX_AXES], int axes)
{
    size_t n = 0, wanted = 1 + test_below(rng, test_below(rng, 4) == 0 ? 30 : MANY - 1);
    unsigned bits = 1 + (unsigned)test_below(rng, 62 / (unsigned)axes - 1);
    int64_t first = -(int64_t)(test_random(rng) >> (64 - bits) >> test_below(rng, 2));
    while (n < wanted) {
        int64_t corner[RUG_POINTS_MAX_AXES];
        uint64_t side = axes <= 3 ? (uint64_t)1 << test_below(rng, 4) : 1;
        side = test_below(rng, 3) == 0 ? 1 : side;
        size_t n_block = 1;
        for (int a = 0; a < axes; a++) {
            n_block *= (size_t)side;
            corner[a] = first + (int64_t)(test_random(rng) >> (64 - bits));
            corner[a] -= test_below(rng, 2) ? corner[a] % (int64_t)side : 0;
        }
        for (size_t k = 0; k < n_block && n < wanted; k++, n++) {
            uint64_t left = k;
            for (int a = 0; a < axes; a++, left /= side)
                at[n][a] = corner[a] + (int64_t)(left % side);
        }
        if (test_below(rng, 3) == 0 && n < wanted) {
            memcpy(at[n], at[test_below(rng, n)], sizeof at[n]);
            n++;
        }
    }
    return n;
}

static void random_points_of_all_axes(void **state)
{
    (void)state;
    static int64_t at[MANY][RUG_POINTS_MAX_AXES];
    static test_pixel_at cells[MANY];
    rug_context *device = ocl_context();
    rug_context *cpu = test_context();
    const uint64_t seed = 20130810;
    print_message("seed %llu, %d cases\n", (unsigned long long)seed, N_CASES);
    for (int i = 0; i < N_CASES; i++) {
        uint64_t rng = seed + (uint64_t)i;
        int axes = 1 + i % RUG_POINTS_MAX_AXES;
        size_t n = random_points(&rng, at, axes);
        rug_points p = {at, RUG_I64, n, axes, {sizeof at[0], sizeof at[0][0]}};
        rug_boxcount_points_options o = RUG_BOXCOUNT_POINTS_OPTIONS_INIT;
        if (i % 2 == 0) {
            o.sizes = all_sizes;
            o.n_sizes = N_ALL;
        }
        char what[64];
        snprintf(what, sizeof what, "case %d: %zu points of %d axes", i, n, axes);
        check_points_on_device(device, cpu, &p, &o, what);
        if (i % 8 == 0) {
            static test_counts r;
            r = must_count_points(device, &p, &o);
            assert_counts_of(&r, cells, whole_cells(cells, &p), what);
        }
    }
    rug_context_free(cpu);
    rug_context_free(device);
}

/* Keys of exactly 32, 33 and 64 bits, axes of more than 32 bits, negative and huge cells. */
static void widths_of_keys(void **state)
{
    (void)state;
    static const unsigned bits[][3] = {{16, 16, 0}, {17, 16, 0},  {32, 32, 0},
                                       {63, 1, 0},  {21, 21, 22}, {11, 11, 10}};
    static int64_t at[512][3];
    rug_context *device = ocl_context();
    rug_context *cpu = test_context();
    uint64_t rng = 5;
    for (size_t k = 0; k < sizeof bits / sizeof bits[0]; k++) {
        int axes = bits[k][2] == 0 ? 2 : 3;
        for (size_t i = 0; i < 512; i++)
            for (int a = 0; a < axes; a++) {
                uint64_t last = (UINT64_MAX >> (64 - bits[k][a]));
                at[i][a] = (int64_t)(i == 0   ? 0
                                     : i == 1 ? last
                                              : test_random(&rng) & last);
            }
        rug_points p = {at, RUG_I64, 512, axes, {sizeof at[0], sizeof at[0][0]}};
        rug_boxcount_points_options o = RUG_BOXCOUNT_POINTS_OPTIONS_INIT;
        static const uint64_t sizes[] = {1, 3, 5, 8, 1000, 1 << 20, 3 << 20};
        check_points_on_device(device, cpu, &p, &o, "powers of two");
        o.sizes = sizes;
        o.n_sizes = 7;
        check_points_on_device(device, cpu, &p, &o, "other sizes");
    }
    rug_context_free(cpu);
    rug_context_free(device);
}

/* More cells than go to the device at once, with runs across the borders of shares. */
static void more_than_a_piece(void **state)
{
    (void)state;
    const size_t nz = 40, ny = 250, nx = 130, n = nz * ny * nx;
    uint32_t(*at)[3] = malloc((n + 1000) * sizeof *at);
    rug_context *device = ocl_context();
    rug_context *cpu = test_context();
    assert_non_null(at);
    uint64_t rng = 8;
    for (size_t i = 0; i < n; i++) {
        at[i][0] = (uint32_t)(i / nx / ny);
        at[i][1] = (uint32_t)(i / nx % ny);
        at[i][2] = (uint32_t)(i % nx);
    }
    for (size_t i = n; i < n + 1000; i++)
        memcpy(at[i], at[test_below(&rng, n)], sizeof at[i]);
    static const uint64_t sizes[] = {1, 2, 3, 4, 8, 12, 16, 32, 64};
    rug_points p = points_view(at, RUG_U32, n + 1000, 3);
    rug_boxcount_points_options o = RUG_BOXCOUNT_POINTS_OPTIONS_INIT;
    o.sizes = sizes;
    o.n_sizes = 9;
    check_points_on_device(device, cpu, &p, &o, "a full box of cells, some twice");
    free(at);
    rug_context_free(cpu);
    rug_context_free(device);
}

/* More packed words than go there at once, with a full patch across the border. */
static void more_than_a_piece_of_words(void **state)
{
    (void)state;
    const size_t shape[2] = {3400, 40000}, row = shape[1] / 8;
    uint8_t *cells = calloc(shape[0], row);
    rug_context *device = ocl_context();
    rug_context *cpu = test_context();
    rug_image img;
    rug_boxcount_options opts = options_of(RUG_BOXCOUNT_HOU, 0);
    uint64_t rng = 12;
    assert_non_null(cells);
    for (int i = 0; i < 50000; i++)
        cells[test_below(&rng, shape[0] * row)] |= (uint8_t)(1 << test_below(&rng, 8));
    for (size_t y = 3300; y < 3340; y++)
        memset(cells + y * row + 1000, 255, 1000);
    assert_int_equal(rug_image_view(cpu, &img, cells, RUG_BIT, 2, shape), RUG_OK);
    check_image(device, cpu, &img, &opts, "many words");
    free(cells);
    rug_context_free(cpu);
    rug_context_free(device);
}

/* ---- Failures ---- */

static void refusals(void **state)
{
    (void)state;
    static test_counts r;
    static const int64_t far[2][2] = {{0, 0}, {(int64_t)1 << 40, (int64_t)1 << 40}};
    rug_context *device = ocl_context();
    rug_points p = points_view(far, RUG_I64, 2, 2);
    rug_boxcount_points_options o = RUG_BOXCOUNT_POINTS_OPTIONS_INIT;
    assert_int_equal(test_boxcount_points(device, &r, &p, &o), RUG_E_DEVICE);
    assert_error_part(device, "82 bits together, at most 64");
    assert_error_part(device, "device 'cpu'");
    o.grid = RUG_BOXCOUNT_GRID_MIN;
    assert_int_equal(test_boxcount_points(device, &r, &p, &o), RUG_E_DEVICE);
    assert_error_part(device, "grids min and mean");
    o.grid = RUG_BOXCOUNT_GRID_ORIGIN;
    assert_int_equal(rug_context_set_device(device, "auto"), RUG_OK);
    r = must_count_points(device, &p, &o);
    assert_string_equal(r.engine, "cpu");
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
    static test_counts r;
    rug_context *device = ocl_context();
    rug_image img = draw_shape(0, 100, 100, is_any);
    rug_boxcount_options opts = options_of(RUG_BOXCOUNT_HOU, 1);
    rug_context_set_cancel(device, always, NULL);
    memset(&r, 1, sizeof r);
    assert_int_equal(test_boxcount(device, &r, &img, &opts), RUG_E_CANCELLED);
    rug_context_set_cancel(device, NULL, NULL);
    assert_int_equal(test_boxcount(device, &r, &img, &opts), RUG_OK);
    free_shape(img);
    rug_context_free(device);
}

/* Each allocation fails once; then all works, and nothing is lost. Points that come twice
 * take every step. */
static void failing_memory(void **state)
{
    (void)state;
    static test_counts r;
    static const int32_t at[][2] = {{1, 1}, {1, 1}, {2, 1}, {1, 2}, {2, 2}, {9, 9}};
    static const uint64_t sizes[] = {1, 2, 3};
    rug_context_free(ocl_context());
    rug_points p = points_view(at, RUG_I32, 6, 2);
    rug_boxcount_points_options o = RUG_BOXCOUNT_POINTS_OPTIONS_INIT;
    o.sizes = sizes;
    o.n_sizes = 3;
    rug_status status = RUG_E_NOMEM;
    for (size_t k = 1; status != RUG_OK; k++) {
        memory m = {.fail_at = k};
        rug_context *ctx = test_context();
        memory_hook(ctx, &m);
        assert_int_equal(rug_context_set_device(ctx, "opencl:0"), RUG_OK);
        memset(&r, 1, sizeof r);
        status = test_boxcount_points(ctx, &r, &p, &o);
        if (status != RUG_OK) {
            assert_int_equal(status, RUG_E_NOMEM);
            assert_string_not_equal(rug_context_error(ctx), "");
        }
        rug_context_free(ctx);
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
        assert_true(k < 300);
    }
    assert_int_equal(r.counts[0].nonempty, 5);
    assert_int_equal(r.counts[1].nonempty, 5);
    assert_int_equal(r.counts[2].nonempty, 2);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_truths),
        cmocka_unit_test(golden_images),
        cmocka_unit_test(random_images),
        cmocka_unit_test(masks_too),
        cmocka_unit_test(nothing_to_count),
        cmocka_unit_test(random_points_of_all_axes),
        cmocka_unit_test(widths_of_keys),
        cmocka_unit_test(more_than_a_piece),
        cmocka_unit_test(more_than_a_piece_of_words),
        cmocka_unit_test(refusals),
        cmocka_unit_test(stops_when_cancelled),
        cmocka_unit_test(failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
