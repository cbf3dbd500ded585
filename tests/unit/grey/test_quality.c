/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Comparing images: truths by hand, numbers of scikit-image, random images, bad calls. */

#include "support.h"

#include "memory_support.h"
#include "sample_support.h"
#include <math.h>
#include <rugose/io.h>
#include <rugose/quality.h>
#include <stdio.h>

static rug_quality_result must_compare(rug_context *ctx, const rug_image *a,
                                       const rug_image *b, int n_planes,
                                       const rug_quality_options *opts)
{
    rug_quality_result r = RUG_QUALITY_RESULT_INIT;
    if (rug_quality(ctx, &r, a, b, n_planes, opts) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return r;
}

static void assert_close(double got, double expected, double bound, const char *what)
{
    if (!(fabs(got - expected) <= bound * (1 + fabs(expected))))
        fail_msg("%s is %.17g, %.17g expected", what, got, expected);
}

static void by_hand(void **state)
{
    (void)state;
    static const uint8_t a[4] = {10, 20, 30, 40}, b[4] = {10, 22, 30, 30};
    rug_image p = test_u8(a, 0, 2, 2), q = test_u8(b, 0, 2, 2);
    rug_context *ctx = test_context();
    rug_quality_result r = must_compare(ctx, &p, &q, 1, NULL);
    assert_true(r.mse == 26);
    assert_true(r.max_difference == 10);
    assert_true(r.peak == 255);
    assert_close(r.psnr, 10 * log10(255.0 * 255 / 26), 1e-14, "PSNR");
    assert_true(isnan(r.ssim));
    assert_string_equal(rug_quality_status_name(r.status),
                        "smaller than the SSIM window");
    const rug_quality_options hundred = {sizeof hundred, 100};
    r = must_compare(ctx, &p, &q, 1, &hundred);
    assert_close(r.psnr, 10 * log10(100.0 * 100 / 26), 1e-14, "PSNR");
    rug_context_free(ctx);
}

static void equal_and_flat(void **state)
{
    (void)state;
    static uint8_t noise[40 * 30];
    static double ones[20 * 20], twos[20 * 20];
    uint64_t rng = 3;
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (uint8_t)test_random(&rng);
    for (size_t i = 0; i < 400; i++)
        twos[i] = 2 * (ones[i] = 1);
    rug_image p = test_u8(noise, 0, 40, 30), one, two;
    rug_context *ctx = test_context();
    rug_quality_result r = must_compare(ctx, &p, &p, 1, NULL);
    assert_true(r.mse == 0 && r.psnr == (double)INFINITY && r.ssim == 1);
    assert_string_equal(rug_quality_status_name(r.status), "ok");
    const size_t shape[2] = {20, 20};
    assert_int_equal(rug_image_view(ctx, &one, ones, RUG_F64, 2, shape), RUG_OK);
    assert_int_equal(rug_image_view(ctx, &two, twos, RUG_F64, 2, shape), RUG_OK);
    r = must_compare(ctx, &one, &one, 1, NULL);
    assert_true(isnan(r.ssim) && r.psnr == (double)INFINITY);
    assert_string_equal(rug_quality_status_name(r.status), "flat");
    /* Flat images differ by their brightness alone: (2 ab + C1) / (a² + b² + C1). */
    r = must_compare(ctx, &one, &two, 1, NULL);
    assert_true(r.peak == 1 && r.mse == 1 && r.psnr == 0);
    assert_close(r.ssim, (4 + 1e-4) / (5 + 1e-4), 1e-12, "SSIM");
    rug_context_free(ctx);
}

/* The range of types: 2^bits - 1, and 64-bit differences beyond what doubles tell. */
static void every_peak(void **state)
{
    (void)state;
    uint64_t a[1] = {0}, b[1] = {0};
    const size_t shape[2] = {1, 1};
    rug_image p, q;
    rug_context *ctx = test_context();
    for (int d = RUG_U8; d <= RUG_I32; d++) {
        rug_image_view(ctx, &p, a, (rug_dtype)d, 2, shape);
        double peak = exp2(8 * (double)rug_dtype_size(p.dtype)) - 1;
        assert_true(must_compare(ctx, &p, &p, 1, NULL).peak == peak);
    }
    a[0] = UINT64_MAX;
    b[0] = UINT64_MAX - 1;
    rug_image_view(ctx, &p, a, RUG_U64, 2, shape);
    rug_image_view(ctx, &q, b, RUG_U64, 2, shape);
    assert_true(must_compare(ctx, &p, &q, 1, NULL).max_difference == 1);
    a[0] = (uint64_t)INT64_MAX;
    b[0] = (uint64_t)INT64_MIN;
    p.dtype = q.dtype = RUG_I64;
    assert_true(must_compare(ctx, &p, &q, 1, NULL).max_difference == (double)UINT64_MAX);
    rug_context_free(ctx);
}

/* Grey values of 8 bits as another type. */
static void set_value(void *pixels, size_t i, const char *type, int gray)
{
    if (strcmp(type, "u8") == 0)
        ((uint8_t *)pixels)[i] = (uint8_t)gray;
    else if (strcmp(type, "u16") == 0)
        ((uint16_t *)pixels)[i] = (uint16_t)(gray * 257);
    else
        ((double *)pixels)[i] = gray / 255.0 + (strcmp(type, "f64") == 0 ? 0 : 1000);
}

static void compare_with_golden(rug_context *ctx, const rug_image *gray, const char *line)
{
    static double pixels[2][512 * 512];
    char image[32], type[32];
    size_t shape[2];
    double mse, psnr, ssim, most;
    rug_image a, b;
    assert_int_equal(sscanf(line, "%31[^\t]\t%31[^\t]\t%zu\t%zu\t%lf\t%lf\t%lf\t%lf",
                            image, type, &shape[0], &shape[1], &mse, &psnr, &ssim, &most),
                     8);
    rug_dtype dtype = strcmp(type, "u8") == 0    ? RUG_U8
                      : strcmp(type, "u16") == 0 ? RUG_U16
                                                 : RUG_F64;
    for (size_t i = 0; i < shape[0] * shape[1]; i++) {
        size_t y = i / shape[1], x = i % shape[1];
        int g = (int)test_pixel(gray, 0, y, x), h = g + (int)((7 * x + 13 * y) % 31) - 15;
        set_value(pixels[0], i, type, g);
        set_value(pixels[1], i, type, h < 0 ? 0 : h > 255 ? 255 : h);
    }
    rug_image_view(ctx, &a, pixels[0], dtype, 2, shape);
    rug_image_view(ctx, &b, pixels[1], dtype, 2, shape);
    rug_quality_options opts = RUG_QUALITY_OPTIONS_INIT;
    opts.peak = dtype == RUG_F64 ? 1 : 0;
    rug_quality_result r = must_compare(ctx, &a, &b, 1, &opts);
    assert_close(r.mse, mse, 1e-9, line);
    assert_close(r.psnr, psnr, 1e-9, line);
    assert_close(r.ssim, ssim, 1e-6, line);
    assert_close(r.max_difference, most, 1e-9, line);
}

/* golden/quality.tsv, which says how it was made. */
static void as_scikit_image(void **state)
{
    (void)state;
    static const char *const names[2] = {"camera", "brick"};
    rug_context *ctx = test_context();
    int n_lines = 0;
    for (int i = 0; i < 2; i++) {
        char name[32], line[256];
        rug_file *file;
        snprintf(name, sizeof name, "%s.png", names[i]);
        if (rug_file_read(ctx, &file, test_data(name), NULL) != RUG_OK)
            fail_msg("%s", rug_context_error(ctx));
        FILE *golden = fopen(test_data("golden/quality.tsv"), "r");
        assert_non_null(golden);
        while (fgets(line, sizeof line, golden) != NULL)
            if (strncmp(line, names[i], strlen(names[i])) == 0) {
                compare_with_golden(ctx, rug_file_image(file), line);
                n_lines++;
            }
        fclose(golden);
        rug_file_free(file);
    }
    assert_int_equal(n_lines, 32);
    rug_context_free(ctx);
}

/* One window, by definition. */
static double naive_window(const rug_image *a, const rug_image *b, size_t z, size_t y,
                           size_t x, double peak)
{
    double sum = 0, ua = 0, ub = 0, va = 0, vb = 0, vab = 0;
    double c1 = 1e-4 * peak * peak, c2 = 9e-4 * peak * peak;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < 121; i++) {
            int dy = i / 11 - 5, dx = i % 11 - 5;
            double w = exp(-(dy * dy + dx * dx) / (2 * 1.5 * 1.5));
            double p =
                (double)test_pixel(a, z, y + (size_t)(i / 11), x + (size_t)(i % 11));
            double q =
                (double)test_pixel(b, z, y + (size_t)(i / 11), x + (size_t)(i % 11));
            if (pass == 0) {
                sum += w;
                ua += w * p;
                ub += w * q;
            } else {
                va += w * (p - ua / sum) * (p - ua / sum);
                vb += w * (q - ub / sum) * (q - ub / sum);
                vab += w * (p - ua / sum) * (q - ub / sum);
            }
        }
    ua /= sum;
    ub /= sum;
    return (2 * ua * ub + c1) * (2 * vab / sum + c2) /
           ((ua * ua + ub * ub + c1) * (va / sum + vb / sum + c2));
}

static void assert_naive(const rug_quality_result *r, const rug_image *a,
                         const rug_image *b, int n_planes)
{
    double squares = 0, most = 0, ssim = 0, n_windows = 0;
    size_t nz = a->ndim == 3 ? a->shape[0] : 1;
    size_t ny = a->shape[a->ndim - 2], nx = a->shape[a->ndim - 1];
    for (int p = 0; p < n_planes; p++)
        for (size_t i = 0; i < nz * ny * nx; i++) {
            size_t z = i / nx / ny, y = i / nx % ny, x = i % nx;
            double d =
                (double)fabsl(test_pixel(&a[p], z, y, x) - test_pixel(&b[p], z, y, x));
            squares += d * d;
            most = d > most ? d : most;
            if (y + 11 <= ny && x + 11 <= nx) {
                ssim += naive_window(&a[p], &b[p], z, y, x, r->peak);
                n_windows++;
            }
        }
    assert_close(r->mse, squares / (double)(nz * ny * nx * (size_t)n_planes), 1e-12,
                 "MSE");
    assert_true(r->max_difference == most);
    if (n_windows > 0)
        assert_close(r->ssim, ssim / n_windows, 1e-9, "SSIM");
    else
        assert_true(isnan(r->ssim));
}

/* An image of finite values with random strides; *buffer is to be freed. */
static rug_image random_image(uint64_t *rng, rug_dtype dtype, int ndim,
                              const size_t *shape, uint8_t **buffer)
{
    rug_image img = {.dtype = dtype, .ndim = ndim};
    size_t first, size = rug_dtype_size(dtype);
    memcpy(img.shape, shape, (size_t)ndim * sizeof *shape);
    size_t span = random_strides(rng, &img, &first);
    *buffer = calloc(span, 1);
    assert_non_null(*buffer);
    img.data = *buffer + first;
    for (uint64_t i = 0; i < rug_image_pixels(&img); i++) {
        uint64_t left = i;
        uint8_t *to = *buffer + first;
        for (int a = ndim - 1; a >= 0; a--, left /= img.shape[a + 1])
            to += (ptrdiff_t)(left % img.shape[a]) * img.stride[a];
        uint64_t whole = test_random(rng);
        float f32 = (float)test_below(rng, 4096) / 1024 - 2;
        double f64 = (double)f32 * 3 + 1e6;
        memcpy(to,
               dtype == RUG_F32   ? (void *)&f32
               : dtype == RUG_F64 ? (void *)&f64
                                  : &whole,
               size);
    }
    return img;
}

/* Every type, odd strides, several planes and slices: the definition, and the same bits
 * for 1 to 4 threads. */
static void random_images(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    uint64_t rng = 11;
    for (int round = 0; round < 120; round++) {
        uint8_t *buffers[4] = {NULL};
        rug_image p[2], q[2];
        int n_planes = 1 + (int)test_below(&rng, 2), ndim = 2 + (int)test_below(&rng, 2);
        rug_dtype dtype = (rug_dtype)(RUG_U8 + test_below(&rng, RUG_N_DTYPES - 1));
        size_t shape[3] = {1 + test_below(&rng, 2), 1 + test_below(&rng, 30),
                           1 + test_below(&rng, 150)};
        for (int i = 0; i < n_planes; i++) {
            p[i] = random_image(&rng, dtype, ndim, shape + 3 - ndim, &buffers[2 * i]);
            q[i] = random_image(&rng, dtype, ndim, shape + 3 - ndim, &buffers[2 * i + 1]);
        }
        rug_quality_result first = {0};
        for (int threads = 1; threads <= 4; threads++) {
            rug_context_set_threads(ctx, threads);
            rug_quality_result r = must_compare(ctx, p, q, n_planes, NULL);
            if (threads == 1)
                assert_naive(&r, p, q, n_planes);
            else
                assert_memory_equal(&r, &first, sizeof r);
            first = r;
        }
        for (int i = 0; i < 4; i++)
            free(buffers[i]);
    }
    rug_context_free(ctx);
}

static void refused(rug_context *ctx, const rug_image *a, const rug_image *b,
                    int n_planes, const rug_quality_options *opts, const char *why)
{
    rug_quality_result r = {sizeof r, 7, 0, 0, 0, 0, RUG_QUALITY_FLAT};
    assert_int_equal(rug_quality(ctx, &r, a, b, n_planes, opts), RUG_E_ARG);
    assert_true(r.mse == 0 && r.status == RUG_QUALITY_OK);
    if (strstr(rug_context_error(ctx), why) == NULL)
        fail_msg("'%s' does not say '%s'", rug_context_error(ctx), why);
}

static void bad_calls(void **state)
{
    (void)state;
    static uint8_t pixels[20 * 20];
    double reals[4] = {1, 2, 3, 4};
    const size_t two[2] = {2, 2};
    rug_context *ctx = test_context();
    rug_image a = test_u8(pixels, 0, 20, 20), b = test_u8(pixels, 0, 20, 19), c = a, real;
    rug_quality_options opts = RUG_QUALITY_OPTIONS_INIT;
    refused(ctx, NULL, &a, 1, NULL, "NULL");
    refused(ctx, &a, NULL, 1, NULL, "NULL");
    refused(ctx, &a, &a, 0, NULL, "planes");
    refused(ctx, &a, &a, 65, NULL, "planes");
    refused(ctx, &a, &b, 1, NULL, "20x19");
    c.dtype = RUG_I8;
    refused(ctx, &a, &c, 1, NULL, "u8 and i8");
    c.dtype = RUG_BIT;
    refused(ctx, &c, &c, 1, NULL, "bit");
    opts.peak = -1;
    refused(ctx, &a, &a, 1, &opts, "peak");
    opts.peak = NAN;
    refused(ctx, &a, &a, 1, &opts, "peak");
    opts.struct_size = 3;
    refused(ctx, &a, &a, 1, &opts, "struct_size");
    rug_quality_result none = {0};
    assert_int_equal(rug_quality(ctx, &none, &a, &a, 1, NULL), RUG_E_ARG);
    assert_string_equal(rug_quality_status_name((rug_quality_status)-1), "?");
    assert_string_equal(rug_quality_status_name((rug_quality_status)4), "?");
    rug_image_view(ctx, &real, reals, RUG_F64, 2, two);
    reals[2] = NAN;
    refused(ctx, &real, &real, 1, NULL, "NaN");
    reals[2] = INFINITY;
    refused(ctx, &real, &real, 1, NULL, "infinite values");
    rug_quality_result r = RUG_QUALITY_RESULT_INIT;
    assert_int_equal(rug_quality(NULL, &r, &a, &a, 1, NULL), RUG_E_ARG);
    assert_int_equal(rug_quality(ctx, NULL, &a, &a, 1, NULL), RUG_E_ARG);
    rug_context_set_device(ctx, "opencl");
    assert_int_equal(rug_quality(ctx, &r, &a, &a, 1, NULL), RUG_E_DEVICE);
    rug_context_free(ctx);
}

static void huge_values(void **state)
{
    (void)state;
    static double a[144], b[144];
    const size_t shape[2] = {12, 12};
    rug_image p, q;
    rug_context *ctx = test_context();
    for (int i = 0; i < 144; i++) {
        a[i] = 1e308;
        b[i] = -1e308;
    }
    rug_image_view(ctx, &p, a, RUG_F64, 2, shape);
    rug_image_view(ctx, &q, b, RUG_F64, 2, shape);
    rug_quality_result r = must_compare(ctx, &p, &q, 1, NULL);
    assert_string_equal(rug_quality_status_name(r.status), "overflow");
    assert_true(isnan(r.mse) && isnan(r.psnr) && isnan(r.ssim));
    rug_context_free(ctx);
}

static int cancel_at(void *user)
{
    return --*(int *)user <= 0;
}

static void failing_memory_and_cancel(void **state)
{
    (void)state;
    static uint8_t pixels[200 * 300];
    rug_image a = test_u8(pixels, 0, 200, 300);
    rug_quality_result r = RUG_QUALITY_RESULT_INIT;
    for (size_t k = 1;; k++) {
        memory m = {.fail_at = k};
        rug_context *ctx = test_context();
        memory_hook(ctx, &m);
        rug_status status = rug_quality(ctx, &r, &a, &a, 1, NULL);
        rug_context_free(ctx);
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
        if (status == RUG_OK) {
            assert_true(k > 4);
            break;
        }
        assert_int_equal(status, RUG_E_NOMEM);
        assert_true(r.mse == 0 && r.peak == 0);
    }
    rug_context *ctx = test_context();
    for (int calls = 1; calls < 4; calls++) {
        int left = calls;
        rug_context_set_cancel(ctx, cancel_at, &left);
        assert_int_equal(rug_quality(ctx, &r, &a, &a, 1, NULL), RUG_E_CANCELLED);
        assert_true(r.mse == 0 && r.peak == 0);
    }
    rug_context_free(ctx);
}

/* ---- SSIM stays within -1 and 1 where rounding is all that is left of a variance ---- */

enum { NY = 11, NX = 40 };

static void large_values_and_a_small_peak(void **state)
{
    (void)state;
    static double a[NY * NX], b[NY * NX];
    const size_t shape[2] = {NY, NX};
    uint64_t rng = 1;
    rug_image p, q;
    rug_quality_result r = RUG_QUALITY_RESULT_INIT;
    rug_context *ctx = test_context();
    const rug_quality_options o = {sizeof o, 1e-6};
    assert_int_equal(rug_image_view(ctx, &p, a, RUG_F64, 2, shape), RUG_OK);
    assert_int_equal(rug_image_view(ctx, &q, b, RUG_F64, 2, shape), RUG_OK);
    for (int k = 0; k < 20; k++) {
        for (size_t i = 0; i < NY * NX; i++) {
            a[i] = i % NX < 12 ? 0 : 1e9;
            b[i] = a[i] + (double)(test_random(&rng) % 3);
        }
        assert_int_equal(rug_quality(ctx, &r, &p, &q, 1, &o), RUG_OK);
        assert_true(r.ssim >= -1 && r.ssim <= 1);
    }
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(equal_and_flat),
        cmocka_unit_test(every_peak),
        cmocka_unit_test(as_scikit_image),
        cmocka_unit_test(random_images),
        cmocka_unit_test(bad_calls),
        cmocka_unit_test(huge_values),
        cmocka_unit_test(failing_memory_and_cancel),
        cmocka_unit_test(large_values_and_a_small_peak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
