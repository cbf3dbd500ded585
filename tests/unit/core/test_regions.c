/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Regions of label images: by hand, of every dtype and layout against looking at every
 * pixel, and labels that are none. */

#include "support.h"

#include "labels_support.h"
#include "memory_support.h"
#include <math.h>
#include <rugose/io.h>
#include <stdio.h>

static rug_regions *must_find(rug_context *ctx, const rug_image *labels)
{
    rug_regions *regions;
    if (rug_regions_find(ctx, &regions, labels) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    assert_non_null(regions);
    return regions;
}

static void assert_region(const rug_regions *regions, size_t i, rug_region expected)
{
    const rug_region *got = rug_regions_at(regions, i);
    assert_non_null(got);
    assert_int_equal(got->label, expected.label);
    assert_int_equal(got->area, expected.area);
    for (int a = 0; a < 3; a++) {
        assert_int_equal(got->first[a], expected.first[a]);
        assert_int_equal(got->shape[a], expected.shape[a]);
    }
}

static void assert_runs(const rug_regions *regions, size_t i,
                        const rug_region_run *expected, size_t n_expected)
{
    size_t n;
    const rug_region_run *runs = rug_regions_runs(regions, i, &n);
    assert_non_null(runs);
    assert_int_equal(n, n_expected);
    for (size_t k = 0; k < n; k++)
        if (memcmp(&runs[k], &expected[k], sizeof runs[k]) != 0)
            fail_msg("region %zu, run %zu: z %u y %u x %u n %u, not z %u y %u x %u n %u",
                     i, k, runs[k].z, runs[k].y, runs[k].x, runs[k].n, expected[k].z,
                     expected[k].y, expected[k].x, expected[k].n);
}

/* Labels with gaps; two of them touch. */
static void labels_by_hand(void **state)
{
    (void)state;
    static const uint8_t pixels[] = {1, 1, 2, 2, /**/ 1, 1, 2, 2,
                                     4, 4, 0, 7, /**/ 4, 4, 0, 7};
    rug_context *ctx = test_context();
    rug_image img = test_u8(pixels, 0, 4, 4);
    rug_regions *r = must_find(ctx, &img);
    assert_int_equal(rug_regions_count(r), 4);
    assert_region(r, 0, (rug_region){1, {0, 0, 0}, {1, 2, 2}, 4});
    assert_region(r, 1, (rug_region){2, {0, 0, 2}, {1, 2, 2}, 4});
    assert_region(r, 2, (rug_region){4, {0, 2, 0}, {1, 2, 2}, 4});
    assert_region(r, 3, (rug_region){7, {0, 2, 3}, {1, 2, 1}, 2});
    assert_runs(r, 1, (rug_region_run[]){{0, 0, 2, 2}, {0, 1, 2, 2}}, 2);
    assert_runs(r, 3, (rug_region_run[]){{0, 2, 3, 1}, {0, 3, 3, 1}}, 2);
    assert_null(rug_regions_at(r, 4));
    size_t n = 5;
    assert_null(rug_regions_runs(r, 4, &n));
    assert_int_equal(n, 0);
    assert_non_null(rug_regions_runs(r, 3, NULL));
    rug_regions_free(r);
    rug_context_free(ctx);
}

/* A label in three pieces, round a hole, over layers. */
static void pieces_by_hand(void **state)
{
    (void)state;
    static const uint8_t pixels[] = {0, 9, 9, 0, 9, /**/ 0, 0, 0, 0, 0,
                                     0, 9, 3, 9, 0, /**/ 0, 0, 9, 9, 0};
    rug_context *ctx = test_context();
    rug_image img = test_u8(pixels, 2, 2, 5);
    rug_regions *r = must_find(ctx, &img);
    assert_int_equal(rug_regions_count(r), 2);
    assert_region(r, 0, (rug_region){3, {1, 0, 2}, {1, 1, 1}, 1});
    assert_region(r, 1, (rug_region){9, {0, 0, 1}, {2, 2, 4}, 7});
    assert_runs(r, 1,
                (rug_region_run[]){
                    {0, 0, 1, 2}, {0, 0, 4, 1}, {1, 0, 1, 1}, {1, 0, 3, 1}, {1, 1, 2, 2}},
                5);
    rug_regions_free(r);
    rug_context_free(ctx);
}

static void no_label_at_all(void **state)
{
    (void)state;
    static const float pixels[] = {0, -0.0f, 0, 0};
    rug_context *ctx = test_context();
    rug_image img;
    assert_int_equal(rug_image_view(ctx, &img, pixels, RUG_F32, 2, (size_t[]){2, 2}),
                     RUG_OK);
    rug_regions *r = must_find(ctx, &img);
    assert_int_equal(rug_regions_count(r), 0);
    assert_null(rug_regions_at(r, 0));
    rug_regions_free(r);
    rug_regions_free(NULL);
    assert_int_equal(rug_regions_count(NULL), 0);
    rug_context_free(ctx);
}

/* The least label above `label`; 0 when there is none. */
static uint64_t next_label(const uint64_t *numbers, size_t n, uint64_t label)
{
    uint64_t next = 0;
    for (size_t i = 0; i < n; i++)
        if (numbers[i] > label && (next == 0 || numbers[i] < next))
            next = numbers[i];
    return next;
}

/* The same region by looking at every pixel. Returns its number of runs. */
static size_t naive_region(rug_region *out, rug_region_run *runs, const uint64_t *numbers,
                           const size_t shape[3], uint64_t label)
{
    size_t n = 0, hi[3] = {0, 0, 0};
    *out = (rug_region){.label = label, .first = {SIZE_MAX, SIZE_MAX, SIZE_MAX}};
    for (size_t z = 0; z < shape[0]; z++)
        for (size_t y = 0; y < shape[1]; y++)
            for (size_t x = 0; x < shape[2]; x++) {
                const uint64_t *pixel = &numbers[(z * shape[1] + y) * shape[2] + x];
                const size_t at[3] = {z, y, x};
                if (*pixel != label)
                    continue;
                if (x == 0 || pixel[-1] != label)
                    runs[n++] =
                        (rug_region_run){(uint32_t)z, (uint32_t)y, (uint32_t)x, 0};
                runs[n - 1].n++;
                out->area++;
                for (int a = 0; a < 3; a++) {
                    out->first[a] = at[a] < out->first[a] ? at[a] : out->first[a];
                    hi[a] = at[a] > hi[a] ? at[a] : hi[a];
                    out->shape[a] = hi[a] - out->first[a] + 1;
                }
            }
    return n;
}

static void check_against_naive(const rug_regions *regions, const uint64_t *numbers,
                                const size_t shape[3])
{
    size_t n = shape[0] * shape[1] * shape[2], i = 0;
    rug_region_run *runs = malloc(n * sizeof *runs);
    assert_non_null(runs);
    for (uint64_t label = 0; (label = next_label(numbers, n, label)) != 0; i++) {
        rug_region expected;
        size_t n_runs = naive_region(&expected, runs, numbers, shape, label);
        assert_region(regions, i, expected);
        assert_runs(regions, i, runs, n_runs);
    }
    assert_int_equal(rug_regions_count(regions), i);
    free(runs);
}

/* Every dtype, layout and style, for 1 to 4 threads. */
static void equal_to_naive(void **state)
{
    (void)state;
    static uint64_t numbers[4096];
    rug_context *ctx = test_context();
    uint64_t rng = 11;
    for (rug_dtype dtype = RUG_BIT; dtype < RUG_N_DTYPES; dtype++)
        for (int k = 0; k < 48; k++) {
            size_t nz = test_below(&rng, 4), ny = 1 + test_below(&rng, 12);
            size_t nx = 1 + test_below(&rng, 40), layers = nz == 0 ? 1 : nz;
            random_labels(&rng, numbers, layers * ny * nx, nx, dtype, k % 6);
            stored s = store_numbers(numbers, dtype, nz, ny, nx, k / 6 % 4);
            assert_int_equal(rug_context_set_threads(ctx, 1 + k % 4), RUG_OK);
            rug_regions *r = must_find(ctx, &s.img);
            check_against_naive(r, numbers, (size_t[3]){layers, ny, nx});
            rug_regions_free(r);
            free(s.buffer);
        }
    rug_context_free(ctx);
}

/* Rows longer than what is looked at in one go, and enough rows for many tasks. */
static void large_images(void **state)
{
    (void)state;
    static const size_t shapes[][2] = {{3, 70001}, {3000, 300}, {600000, 1}};
    rug_context *ctx = test_context();
    uint64_t *numbers = calloc(900000, sizeof *numbers);
    assert_non_null(numbers);
    for (size_t k = 0; k < 3; k++) {
        size_t ny = shapes[k][0], nx = shapes[k][1];
        for (size_t i = 0; i < ny * nx; i++)
            numbers[i] = (i / nx / 100 + i % nx / 20000) % 3;
        stored s = store_numbers(numbers, RUG_U16, 0, ny, nx, 0);
        for (int t = 1; t <= 4; t++) {
            assert_int_equal(rug_context_set_threads(ctx, t), RUG_OK);
            rug_regions *r = must_find(ctx, &s.img);
            check_against_naive(r, numbers, (size_t[3]){1, ny, nx});
            rug_regions_free(r);
        }
        free(s.buffer);
    }
    free(numbers);
    rug_context_free(ctx);
}

/* As many labels as pixels, scattered over all 64 bits: each is found where it was put. */
static void a_label_for_every_pixel(void **state)
{
    (void)state;
    enum { N = 700 };
    rug_context *ctx = test_context();
    uint64_t *numbers = malloc((size_t)N * N * sizeof *numbers), rng = 3;
    assert_non_null(numbers);
    for (uint64_t i = 0; i < N * N; i++) /* distinct in the low bits */
        numbers[i] = test_random(&rng) << 20 | (i + 1);
    stored s = store_numbers(numbers, RUG_U64, 0, N, N, 0);
    rug_regions *r = must_find(ctx, &s.img);
    assert_int_equal(rug_regions_count(r), N * N);
    uint64_t last = 0;
    for (size_t i = 0; i < rug_regions_count(r); i++) {
        const rug_region *region = rug_regions_at(r, i);
        assert_true(region->label > last);
        last = region->label;
        assert_int_equal(numbers[region->first[1] * N + region->first[2]], last);
        assert_int_equal(region->area, 1);
    }
    rug_regions_free(r);
    free(s.buffer);
    free(numbers);
    rug_context_free(ctx);
}

static void refused(rug_context *ctx, const rug_image *labels, rug_status expected,
                    const char *text)
{
    rug_regions *regions = (rug_regions *)(uintptr_t)1;
    rug_context_fail(ctx, RUG_E_IO, "-");
    assert_int_equal(rug_regions_find(ctx, &regions, labels), expected);
    assert_null(regions);
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("\"%s\" is not part of the error text: %s", text,
                 rug_context_error(ctx));
}

static void pixels_that_are_no_labels(void **state)
{
    (void)state;
    static const int8_t i8[] = {1, 0, -128, 0};
    static const int16_t i16[] = {1, 0, -3, -4};
    static const int32_t i32[] = {INT32_MIN, 0, 1, 1};
    static const int64_t i64[] = {INT64_MAX, 1, INT64_MIN, 0};
    static const float half[] = {1, 1, 1.5f, 0}, f32_nan[] = {1, 1, 1, NAN};
    static const float f32_large[] = {0, 18014398509481984.0f, 0, 0};
    static const double negative[] = {0, -1, 0, 0}, infinite[] = {0, 0, INFINITY, 0};
    const struct {
        const void *pixels;
        rug_dtype dtype;
        const char *text;
    } cases[] = {
        {i8, RUG_I8, "-128 at y 1, x 0 "},
        {i16, RUG_I16, "-3 at y 1, x 0 "},
        {i32, RUG_I32, "-2147483648 at y 0, x 0 "},
        {i64, RUG_I64, "-9223372036854775808 at y 1, x 0 given, 0 or more expected"},
        {half, RUG_F32, "1.5 at y 1, x 0 "},
        {f32_nan, RUG_F32, "nan at y 1, x 1 "},
        {f32_large, RUG_F32, " at y 0, x 1 given, whole numbers 0..9007199254740992"},
        {negative, RUG_F64, "-1 at y 0, x 1 "},
        {infinite, RUG_F64, "inf at y 1, x 0 "},
    };
    rug_context *ctx = test_context();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rug_image img;
        assert_int_equal(rug_image_view(ctx, &img, cases[i].pixels, cases[i].dtype, 2,
                                        (size_t[]){2, 2}),
                         RUG_OK);
        refused(ctx, &img, RUG_E_ARG, cases[i].text);
    }
    rug_context_free(ctx);
}

/* Neighbours of 2^53, which doubles do not tell apart, and the largest of all. */
static void large_labels(void **state)
{
    (void)state;
    const uint64_t two53 = (uint64_t)1 << 53;
    const uint64_t u64[] = {two53 + 1, two53, two53 + 1, UINT64_MAX, 0, two53 + 2};
    const int64_t i64[] = {INT64_MAX, (int64_t)two53 + 1, INT64_MAX - 1, 0, 0, INT64_MAX};
    rug_context *ctx = test_context();
    rug_image img;
    assert_int_equal(rug_image_view(ctx, &img, u64, RUG_U64, 2, (size_t[]){2, 3}),
                     RUG_OK);
    rug_regions *r = must_find(ctx, &img);
    assert_int_equal(rug_regions_count(r), 4);
    assert_region(r, 0, (rug_region){two53, {0, 0, 1}, {1, 1, 1}, 1});
    assert_region(r, 1, (rug_region){two53 + 1, {0, 0, 0}, {1, 1, 3}, 2});
    assert_region(r, 2, (rug_region){two53 + 2, {0, 1, 2}, {1, 1, 1}, 1});
    assert_region(r, 3, (rug_region){UINT64_MAX, {0, 1, 0}, {1, 1, 1}, 1});
    rug_regions_free(r);
    assert_int_equal(rug_image_view(ctx, &img, i64, RUG_I64, 2, (size_t[]){2, 3}),
                     RUG_OK);
    r = must_find(ctx, &img);
    assert_int_equal(rug_regions_count(r), 3);
    assert_region(r, 0, (rug_region){two53 + 1, {0, 0, 1}, {1, 1, 1}, 1});
    assert_region(r, 1, (rug_region){INT64_MAX - 1, {0, 0, 2}, {1, 1, 1}, 1});
    assert_region(r, 2, (rug_region){INT64_MAX, {0, 0, 0}, {1, 2, 3}, 2});
    rug_regions_free(r);
    rug_context_free(ctx);
}

/* Rows of 8 MB, each the one above moved by a pixel, so that they come in several slabs and
 * take the memory of one. */
static void check_slabs(rug_context *ctx, int ndim)
{
    enum { NY = 72, NX = 1 << 20 };
    uint64_t *pixels = calloc(NX + NY, sizeof *pixels);
    assert_non_null(pixels);
    for (size_t i = 0; i < NX + NY; i++)
        pixels[i] = i / 9000 % 5 == 0 ? UINT64_MAX - i / 9000 % 3 : 0;
    rug_image img = {.data = pixels,
                     .dtype = RUG_U64,
                     .ndim = ndim,
                     .shape = {NY, ndim == 3 ? 1 : NX, NX},
                     .stride = {8, 8, 8}};
    rug_source source = streamed_source_of_image(&img);
    rug_regions *a = must_find(ctx, &img), *b;
    if (rug_regions_find_source(ctx, &b, &source) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    assert_int_equal(rug_regions_count(a), 3);
    assert_int_equal(rug_regions_count(b), 3);
    for (size_t i = 0; i < 3; i++) {
        size_t n;
        const rug_region_run *runs = rug_regions_runs(a, i, &n);
        assert_true(n > NY);
        assert_region(b, i, *rug_regions_at(a, i));
        assert_runs(b, i, runs, n);
    }
    rug_regions_free(b);
    rug_regions_free(a);
    img.dtype = source.dtype = RUG_I64; /* the last pixel of the last row is no label */
    memset(pixels, 0, (NX + NY) * sizeof *pixels);
    pixels[NX + NY - 2] = (uint64_t)1 << 63;
    b = (rug_regions *)(uintptr_t)1;
    assert_int_equal(rug_regions_find_source(ctx, &b, &source), RUG_E_ARG);
    assert_null(b);
    const char *place = ndim == 3 ? "at z 71, y 0, x 1048575 " : "at y 71, x 1048575 ";
    if (strstr(rug_context_error(ctx), place) == NULL)
        fail_msg("%s is not part of: %s", place, rug_context_error(ctx));
    free(pixels);
}

static void labels_in_slabs(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    check_slabs(ctx, 2);
    check_slabs(ctx, 3);
    rug_context_free(ctx);
}

/* The first in the order of z, y, x, whichever thread finds its own first. */
static void the_first_of_many(void **state)
{
    (void)state;
    enum { NZ = 30, NY = 200, NX = 300 };
    rug_context *ctx = test_context();
    int32_t *pixels = calloc((size_t)NZ * NY * NX, sizeof *pixels);
    assert_non_null(pixels);
    for (size_t z = 3; z < NZ; z++)
        for (size_t y = 150; y < NY; y++)
            pixels[(z * NY + y) * NX + 299 - y] = -(int32_t)z;
    rug_image img;
    assert_int_equal(
        rug_image_view(ctx, &img, pixels, RUG_I32, 3, (size_t[]){NZ, NY, NX}), RUG_OK);
    for (int t = 1; t <= 4; t++) {
        assert_int_equal(rug_context_set_threads(ctx, t), RUG_OK);
        refused(ctx, &img, RUG_E_ARG, "-3 at z 3, y 150, x 149 ");
    }
    free(pixels);
    rug_context_free(ctx);
}

static void bad_arguments(void **state)
{
    (void)state;
    static const uint8_t pixels[8] = {1};
    rug_context *ctx = test_context();
    const rug_image good = test_u8(pixels, 2, 2, 2);
    refused(ctx, NULL, RUG_E_ARG, "NULL");
    rug_image bad = good;
    bad.dtype = (rug_dtype)RUG_N_DTYPES;
    refused(ctx, &bad, RUG_E_ARG, "dtype");
    bad = good;
    bad.shape[1] = 0;
    refused(ctx, &bad, RUG_E_ARG, "size 0");
    bad = good;
    bad.shape[2] = (size_t)UINT32_MAX + 1;
    memset(bad.stride, 0, sizeof bad.stride);
    refused(ctx, &bad, RUG_E_UNSUPPORTED, "4294967296 pixels along axis 2");
    assert_int_equal(rug_regions_find(ctx, NULL, &good), RUG_E_ARG);
    assert_non_null(strstr(rug_context_error(ctx), "NULL"));
    rug_regions *regions = (rug_regions *)(uintptr_t)1;
    assert_int_equal(rug_regions_find(NULL, &regions, &good), RUG_E_ARG);
    assert_null(regions);
    assert_int_equal(rug_regions_find_source(ctx, &regions, NULL), RUG_E_ARG);
    assert_non_null(strstr(rug_context_error(ctx), "label image: NULL"));
    rug_source unsized = source_of_image(&good);
    unsized.struct_size = 0;
    assert_int_equal(rug_regions_find_source(ctx, &regions, &unsized), RUG_E_ARG);
    rug_context_free(ctx);
}

static void failing_memory(void **state)
{
    (void)state;
    enum { NY = 700, NX = 1000 };
    memory m = {0};
    rug_context *ctx = test_context();
    memory_hook(ctx, &m);
    uint16_t *pixels = malloc((size_t)NY * NX * sizeof *pixels);
    assert_non_null(pixels);
    for (size_t i = 0; i < (size_t)NY * NX; i++)
        pixels[i] = (uint16_t)(i / 50 % 7 * 1000);
    rug_image img;
    assert_int_equal(rug_image_view(ctx, &img, pixels, RUG_U16, 2, (size_t[]){NY, NX}),
                     RUG_OK);
    for (int t = 1; t <= 2; t++) {
        assert_int_equal(rug_context_set_threads(ctx, t), RUG_OK);
        rug_status status = RUG_E_NOMEM;
        for (size_t k = 1; status == RUG_E_NOMEM; k++) {
            rug_regions *regions;
            m.n_calls = 0;
            m.fail_at = k;
            rug_context_fail(ctx, RUG_E_IO, "-");
            status = rug_regions_find(ctx, &regions, &img);
            if (status == RUG_OK)
                assert_true(k > 10);
            else
                assert_non_null(strstr(rug_context_error(ctx), "not enough memory"));
            rug_regions_free(regions);
            assert_int_equal(m.n_live, 0);
        }
        assert_int_equal(status, RUG_OK);
    }
    assert_int_equal(m.n_wrong, 0);
    free(pixels);
    rug_context_free(ctx);
}

static int always(void *user)
{
    (void)user;
    return 1;
}

static void cancelled(void **state)
{
    (void)state;
    static const uint8_t pixels[8] = {1};
    memory m = {0};
    rug_context *ctx = test_context();
    memory_hook(ctx, &m);
    rug_image img = test_u8(pixels, 2, 2, 2);
    rug_context_set_cancel(ctx, always, NULL);
    refused(ctx, &img, RUG_E_CANCELLED, "cancelled");
    assert_int_equal(m.n_live, 0);
    rug_context_free(ctx);
}

/* Areas of a real label image against counting its pixels one by one. */
static void check_file(rug_context *ctx, const char *folder, const char *name,
                       size_t n_labels, uint64_t last)
{
    char path[1024];
    rug_file *file = NULL;
    snprintf(path, sizeof path, "%s/cells/%s", folder, name);
    if (rug_file_read(ctx, &file, path, NULL) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    const rug_image *img = rug_file_image(file);
    uint64_t *areas = calloc((size_t)last + 1, sizeof *areas);
    assert_non_null(areas);
    for (size_t z = 0; z < (img->ndim == 3 ? img->shape[0] : 1); z++)
        for (size_t y = 0; y < img->shape[img->ndim - 2]; y++)
            for (size_t x = 0; x < img->shape[img->ndim - 1]; x++) {
                uint64_t label = (uint64_t)test_pixel(img, z, y, x);
                assert_true(label <= last);
                areas[label]++;
            }
    rug_regions *r = must_find(ctx, img);
    assert_int_equal(rug_regions_count(r), n_labels);
    for (size_t i = 0; i < n_labels; i++) {
        const rug_region *region = rug_regions_at(r, i);
        assert_int_equal(region->area, areas[region->label]);
        areas[region->label] = 0;
    }
    for (uint64_t label = 1; label <= last; label++)
        assert_int_equal(areas[label], 0);
    rug_regions_free(r);
    free(areas);
    rug_file_free(file);
}

static void real_label_images(void **state)
{
    (void)state;
    const char *folder = test_shared_data();
    if (folder == NULL) {
        print_message("LEFT OUT: label images of pixels\n");
        skip();
    }
    rug_context *ctx = test_context();
    check_file(ctx, folder, "bbbc022_labels.png", 25, 25);
    check_file(ctx, folder, "dsb2018_labels.png", 125, 183);
    check_file(ctx, folder, "maize_labels.png", 460, 460);
    check_file(ctx, folder, "nuclei3d_labels.nii.gz", 51, 162);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_by_hand),
        cmocka_unit_test(pieces_by_hand),
        cmocka_unit_test(no_label_at_all),
        cmocka_unit_test(equal_to_naive),
        cmocka_unit_test(large_images),
        cmocka_unit_test(a_label_for_every_pixel),
        cmocka_unit_test(pixels_that_are_no_labels),
        cmocka_unit_test(large_labels),
        cmocka_unit_test(labels_in_slabs),
        cmocka_unit_test(the_first_of_many),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(failing_memory),
        cmocka_unit_test(cancelled),
        cmocka_unit_test(real_label_images),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
