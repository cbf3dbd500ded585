/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Enlarging: better than bicubic interpolation, true to the image that was given, flat
 * where it is flat, at any size and in colours. */

#include "support.h"

#include "ifs_paper_support.h"
#include "memory_support.h"

static rug_ifs_picture must_upscale(rug_context *ctx, const rug_image *planes, int n,
                                    const rug_ifs_upscale_options *opts)
{
    rug_ifs_picture p = RUG_IFS_PICTURE_INIT;
    if (rug_ifs_upscale(ctx, &p, planes, n, opts) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return p;
}

static double cubic(double x)
{
    x = fabs(x);
    return x < 1   ? 1.5 * x * x * x - 2.5 * x * x + 1
           : x < 2 ? -0.5 * x * x * x + 2.5 * x * x - 4 * x + 2
                   : 0;
}

/* Bicubic interpolation, pixel by pixel from its definition. */
static uint8_t *naive_bicubic(const gray *g, size_t scale)
{
    uint8_t *out = malloc(g->ny * g->nx * scale * scale);
    assert_non_null(out);
    for (size_t y = 0; y < g->ny * scale; y++)
        for (size_t x = 0; x < g->nx * scale; x++) {
            double at_y = ((double)y + 0.5) / (double)scale - 0.5, sum = 0;
            double at_x = ((double)x + 0.5) / (double)scale - 0.5;
            for (int i = -1; i <= 2; i++)
                for (int j = -1; j <= 2; j++) {
                    double fy = floor(at_y) + i, fx = floor(at_x) + j;
                    double cy = fmin(fmax(fy, 0), (double)g->ny - 1);
                    double cx = fmin(fmax(fx, 0), (double)g->nx - 1);
                    sum += cubic(at_y - fy) * cubic(at_x - fx) *
                           g->pixels[(size_t)cy * g->nx + (size_t)cx];
                }
            out[y * g->nx * scale + x] = (uint8_t)lrint(fmin(fmax(sum, 0), 255));
        }
    return out;
}

/* A part of camera.png, halved and enlarged again. */
static void better_than_bicubic(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    gray camera = read_gray(ctx, test_data("camera.png"));
    gray part = cut(&camera, 100, 150, 192, 192), small = halve(&part);
    uint8_t *bicubic = naive_bicubic(&small, 2);
    double before = psnr(bicubic, part.pixels, 192 * 192), last = 0;
    for (uint32_t rounds = 0; rounds <= 3; rounds += 3) {
        rug_ifs_upscale_options opts = RUG_IFS_UPSCALE_OPTIONS_INIT;
        opts.rounds = rounds;
        rug_ifs_picture p = must_upscale(ctx, &small.img, 1, &opts);
        assert_true(p.nx == 192 && p.ny == 192 && p.n_planes == 1 && p.dtype == RUG_U8);
        double quality = psnr(p.pixels, part.pixels, 192 * 192);
        print_message("%u rounds: %.3f dB, bicubic %.3f\n", rounds, quality, before);
        if (rounds == 3)
            assert_true(quality > before + 0.5 && quality > last);
        last = quality;
        rug_context_release(ctx, p.pixels);
    }
    free(bicubic);
    free(small.pixels);
    free(part.pixels);
    free(camera.pixels);
    rug_context_free(ctx);
}

/* Rounds bring it nearer to what shrinks to the image, for both scales. */
static void shrinks_to_the_image(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    gray camera = read_gray(ctx, test_data("camera.png"));
    gray part = cut(&camera, 150, 200, 41, 37);
    for (uint32_t scale = 2; scale <= 4; scale += 2) {
        double error[2];
        for (int k = 0; k < 2; k++) {
            rug_ifs_upscale_options opts = RUG_IFS_UPSCALE_OPTIONS_INIT;
            opts.scale = scale;
            opts.domain_step = 2;
            opts.rounds = k == 0 ? 0 : 16;
            rug_ifs_picture p = must_upscale(ctx, &part.img, 1, &opts);
            assert_true(p.nx == 37 * scale && p.ny == 41 * scale);
            error[k] = 0;
            for (size_t i = 0; i < 41 * 37; i++) {
                double sum = 0;
                for (size_t c = 0; c < scale * scale; c++)
                    sum += ((uint8_t *)p.pixels)[(i / 37 * scale + c / scale) * p.nx +
                                                 i % 37 * scale + c % scale];
                double d = sum / (scale * scale) - part.pixels[i];
                error[k] += d * d / (41 * 37);
            }
            rug_context_release(ctx, p.pixels);
        }
        assert_true(error[1] < 0.5 && error[1] < error[0] / 10);
    }
    free(part.pixels);
    free(camera.pixels);
    rug_context_free(ctx);
}

/* Flat stays flat exactly; every size works, 16 bits too; planes do not mix. */
static void flat_and_small(void **state)
{
    (void)state;
    static const size_t shapes[][2] = {{1, 1}, {1, 9}, {5, 3}, {12, 8}};
    static uint16_t pixels[3][96];
    rug_context *ctx = test_context();
    for (size_t i = 0; i < 4; i++)
        for (uint32_t scale = 2; scale <= 4; scale += 2) {
            rug_image planes[3];
            rug_ifs_upscale_options opts = RUG_IFS_UPSCALE_OPTIONS_INIT;
            opts.scale = scale;
            for (int k = 0; k < 3; k++) {
                for (int c = 0; c < 96; c++)
                    pixels[k][c] = (uint16_t)(k * 32767 + (k == 2 ? 1 : 0));
                assert_int_equal(
                    rug_image_view(ctx, &planes[k], pixels[k], RUG_U16, 2, shapes[i]),
                    RUG_OK);
            }
            rug_ifs_picture p = must_upscale(ctx, planes, 3, &opts);
            size_t n = shapes[i][0] * shapes[i][1] * scale * scale;
            assert_true(p.n_planes == 3 && p.nx * p.ny == n && p.dtype == RUG_U16);
            for (size_t c = 0; c < 3 * n; c++)
                assert_int_equal(((uint16_t *)p.pixels)[c], pixels[c / n][0]);
            rug_context_release(ctx, p.pixels);
        }
    rug_context_free(ctx);
}

/* Black and white: nothing leaves the range; levels and threads make no difference. */
static void clamped(void **state)
{
    (void)state;
    uint64_t rng = 50;
    gray g = new_gray(23, 30);
    uint8_t *first = NULL;
    for (size_t i = 0; i < 23 * 30; i++)
        g.pixels[i] = test_below(&rng, 2) != 0 ? 255 : 0;
    for (int level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++) {
        rug_context *ctx = test_context();
        rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
        rug_context_set_threads(ctx, 1 + level);
        rug_ifs_picture p = must_upscale(ctx, &g.img, 1, NULL);
        if (first == NULL)
            first = memcpy(malloc(4 * 23 * 30), p.pixels, 4 * 23 * 30);
        assert_memory_equal(first, p.pixels, 4 * 23 * 30);
        rug_context_release(ctx, p.pixels);
        rug_context_free(ctx);
    }
    free(first);
    free(g.pixels);
}

static void refused(rug_context *ctx, const rug_image *planes, int n,
                    const rug_ifs_upscale_options *opts, const char *why)
{
    rug_ifs_picture p = RUG_IFS_PICTURE_INIT;
    p.nx = 7;
    assert_int_equal(rug_ifs_upscale(ctx, &p, planes, n, opts), RUG_E_ARG);
    assert_true(p.pixels == NULL && p.nx == 0);
    if (strstr(rug_context_error(ctx), why) == NULL)
        fail_msg("'%s' does not say '%s'", rug_context_error(ctx), why);
}

static void bad_calls(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static uint8_t pixels[64];
    rug_image planes[3] = {test_u8(pixels, 0, 8, 8), test_u8(pixels, 0, 8, 8),
                           test_u8(pixels, 0, 8, 8)};
    rug_ifs_upscale_options good = RUG_IFS_UPSCALE_OPTIONS_INIT, o = good;
    refused(ctx, NULL, 1, NULL, "NULL");
    refused(ctx, planes, 2, NULL, "2 planes");
    o.scale = 3;
    refused(ctx, planes, 1, &o, "scale 3");
    o = good, o.rounds = 17;
    refused(ctx, planes, 1, &o, "17");
    o = good, o.struct_size = 4;
    refused(ctx, planes, 1, &o, "rug_ifs_upscale_options");
    o = good, o.domain_step = 2000;
    refused(ctx, planes, 1, &o, "domain step");
    planes[1].shape[0] = 4;
    refused(ctx, planes, 3, NULL, "plane");
    planes[1].shape[0] = 8;
    planes[2].dtype = RUG_U16;
    refused(ctx, planes, 3, NULL, "u16");
    planes[0].dtype = RUG_F64;
    refused(ctx, planes, 1, NULL, "f64");
    assert_int_equal(rug_ifs_upscale(ctx, NULL, planes, 1, NULL), RUG_E_ARG);
    assert_int_equal(rug_ifs_upscale(NULL, NULL, planes, 1, NULL), RUG_E_ARG);
    rug_context_free(ctx);
}

static void failing_memory(void **state)
{
    (void)state;
    uint64_t rng = 51;
    gray g = new_gray(9, 12);
    for (size_t i = 0; i < 108; i++)
        g.pixels[i] = (uint8_t)test_below(&rng, 200);
    rug_status status = RUG_E_NOMEM;
    size_t n_fails = 0;
    while (status != RUG_OK) {
        memory m = {.fail_at = n_fails + 1};
        rug_context *ctx = test_context();
        rug_ifs_picture p = RUG_IFS_PICTURE_INIT;
        memory_hook(ctx, &m);
        status = rug_ifs_upscale(ctx, &p, &g.img, 1, NULL);
        assert_true((p.pixels == NULL) == (status != RUG_OK));
        if (status != RUG_OK) {
            assert_int_equal(status, RUG_E_NOMEM);
            n_fails++;
        }
        rug_context_release(ctx, p.pixels);
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
        rug_context_free(ctx);
    }
    assert_in_range(n_fails, 15, 100);
    free(g.pixels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(better_than_bicubic), cmocka_unit_test(shrinks_to_the_image),
        cmocka_unit_test(flat_and_small),      cmocka_unit_test(clamped),
        cmocka_unit_test(bad_calls),           cmocka_unit_test(failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
