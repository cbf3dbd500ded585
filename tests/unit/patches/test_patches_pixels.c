/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pixels of streams of version 3: without loss they are those of the image, alpha always is; regions
 * are parts of the whole, and larger pictures keep its means. */

#include "support.h"

#include "../ifs/ifs_compress_support.h"
#include "patches_support.h"

static size_t bytes_of(const picture *p)
{
    return p->nx * p->ny * (size_t)p->n_planes * (size_t)(p->depth / 8);
}

static void lossless_is_exact(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{1, 1}, {1, 70}, {70, 1}, {33, 31}, {64, 64}};
    rug_context *ctx = small_context();
    rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
    opts.lossless = 1;
    for (int kind = 0; kind < N_KINDS; kind += TEST_STEP(2))
        for (int n_planes = 1; n_planes <= 4; n_planes++)
            for (int depth = 8; depth <= 16; depth += 8)
                for (int i = (kind + n_planes) % 3; i < 5; i += 3) {
                    picture p =
                        picture_of(kind, sizes[i][0], sizes[i][1], n_planes, depth);
                    rug_ifs_stream s = must_compress(ctx, &p, &opts);
                    rug_ifs_picture got = must_decompress(ctx, &s);
                    assert_int_equal(got.n_planes, n_planes);
                    assert_memory_equal(got.pixels, p.pixels, bytes_of(&p));
                    rug_ifs_picture_free(ctx, &got);
                    rug_ifs_stream_free(ctx, &s);
                    picture_free(&p);
                }
    rug_context_free(ctx);
}

/* 9 bits far above 0 are coded as 9, and come back within their type, also without loss. */
static void values_have_a_minimum(void **state)
{
    (void)state;
    rug_context *ctx = small_context();
    for (int lossless = 0; lossless < 2; lossless++) {
        picture p = picture_of(EDGES, 70, 50, 1, 16);
        rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
        rug_ifs_info info = RUG_IFS_INFO_INIT;
        opts.lossless = lossless;
        opts.target_value = lossless ? 50 : 100;
        for (size_t i = 0; i < 70 * 50; i++)
            ((uint16_t *)p.pixels)[i] =
                (uint16_t)(65000 + ((uint16_t *)p.pixels)[i] / 128);
        rug_ifs_stream s = must_compress(ctx, &p, &opts);
        assert_int_equal(rug_ifs_read_info(ctx, &info, s.bytes, s.size), RUG_OK);
        assert_true(info.value_min >= 65000 && info.value_max >= 65511 &&
                    info.value_max <= 65535);
        rug_ifs_picture got = must_decompress(ctx, &s);
        double error = error_within(&p, &got, 0, 70, 0, 50);
        assert_true(lossless ? error == 0 : error < 2);
        rug_ifs_picture_free(ctx, &got);
        rug_ifs_stream_free(ctx, &s);
        picture_free(&p);
    }
    rug_context_free(ctx);
}

/* Alpha is exact beside colours that are not, at every quality, and transparent or not. */
static void alpha_is_exact(void **state)
{
    (void)state;
    rug_context *ctx = small_context();
    for (int n_planes = 2; n_planes <= 4; n_planes += 2)
        for (int depth = 8; depth <= 16; depth += 8) {
            picture p = picture_of(EDGES, 61, 47, n_planes, depth);
            rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
            opts.target_value = depth == 8 ? 10 : 90;
            rug_ifs_stream s = must_compress(ctx, &p, &opts);
            rug_ifs_picture got = must_decompress(ctx, &s);
            assert_int_equal(got.n_planes, n_planes);
            size_t n = bytes_of(&p) / (size_t)n_planes, at = n * (size_t)(n_planes - 1);
            assert_memory_equal((char *)got.pixels + at, (char *)p.pixels + at, n);
            assert_true(psnr_of(&p, &got) > 20);
            rug_ifs_picture_free(ctx, &got);
            rug_ifs_stream_free(ctx, &s);
            picture_free(&p);
        }
    rug_context_free(ctx);
}

/* ---- Regions ---- */

static rug_ifs_picture decoded(rug_context *ctx, const rug_ifs_stream *s,
                               const uint32_t *crop, double scale)
{
    rug_ifs_picture out = RUG_IFS_PICTURE_INIT;
    rug_ifs_decode_options o = RUG_IFS_DECODE_OPTIONS_INIT;
    o.scale = scale;
    o.crop_x = crop[0];
    o.crop_y = crop[1];
    o.crop_nx = crop[2];
    o.crop_ny = crop[3];
    if (rug_ifs_decompress(ctx, &out, s->bytes, s->size, &o) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return out;
}

static void check_crop(rug_context *ctx, const rug_ifs_stream *s,
                       const rug_ifs_picture *whole, const uint32_t *crop, uint32_t scale)
{
    rug_ifs_picture part = decoded(ctx, s, crop, scale);
    assert_true(part.nx == crop[2] * scale && part.ny == crop[3] * scale);
    for (size_t plane = 0; plane < (size_t)part.n_planes; plane++)
        for (size_t y = 0; y < part.ny; y++) {
            size_t from = (plane * whole->ny + crop[1] * scale + y) * whole->nx;
            if (memcmp((uint8_t *)part.pixels + (plane * part.ny + y) * part.nx,
                       (uint8_t *)whole->pixels + from + crop[0] * scale, part.nx) != 0)
                fail_msg("region %u, %u, scale %u: row %zu of plane %zu differs", crop[0],
                         crop[1], scale, y, plane);
        }
    rug_ifs_picture_free(ctx, &part);
}

/* Parts of an image in four tiles, in colours with alpha, are those of the whole, bit for bit. */
static void regions_are_parts(void **state)
{
    (void)state;
    static const uint32_t all[4] = {0},
                          crops[][4] = {{0, 0, 10, 10},      {250, 250, 20, 20},
                                        {256, 256, 1, 1},    {255, 0, 1, 280},
                                        {100, 200, 120, 80}, {257, 3, 43, 250},
                                        {299, 279, 1, 1},    {0, 256, 300, 24}};
    picture p = picture_of(EDGES, 300, 280, 4, 8);
    rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
    rug_context *ctx = test_context();
    assert_int_equal(rug_context_set_threads(ctx, 2), RUG_OK);
    opts.effort = 1;
    opts.tile = 256;
    opts.target_value = 20; /* edges that are smoothed far */
    for (int halved = 0; halved < 2; halved++) {
        opts.chroma = halved ? RUG_IFS_CHROMA_420 : RUG_IFS_CHROMA_444;
        rug_ifs_stream s = must_compress(ctx, &p, &opts);
        uint32_t most = TEST_RACES(1, halved ? 2 : 4);
        for (uint32_t scale = 1; scale <= most; scale *= 2) {
            rug_ifs_picture whole = decoded(ctx, &s, all, scale);
            for (size_t i = scale / 2; i < 8; i += scale * TEST_STEP(3))
                check_crop(ctx, &s, &whole, crops[i], scale);
            rug_ifs_picture_free(ctx, &whole);
        }
        rug_ifs_stream_free(ctx, &s);
    }
    picture_free(&p);
    rug_context_free(ctx);
}

/* A region beyond the image, and one that is large where it is decoded. */
static void refused_regions(void **state)
{
    (void)state;
    static const uint32_t crops[][4] = {{0, 0, 0, 5},   {40, 0, 1, 1},  {0, 30, 1, 1},
                                        {30, 0, 11, 5}, {0, 1, 40, 30}, {5, 5, 0, 0}};
    rug_context *ctx = small_context();
    picture p = picture_of(RAMP, 40, 30, 1, 8);
    rug_ifs_stream s = must_compress(ctx, &p, NULL);
    rug_ifs_picture out = RUG_IFS_PICTURE_INIT;
    rug_ifs_decode_options o = RUG_IFS_DECODE_OPTIONS_INIT;
    for (size_t i = 0; i < sizeof crops / sizeof crops[0]; i++) {
        o.crop_x = crops[i][0];
        o.crop_y = crops[i][1];
        o.crop_nx = crops[i][2];
        o.crop_ny = crops[i][3];
        assert_int_equal(rug_ifs_decompress(ctx, &out, s.bytes, s.size, &o), RUG_E_ARG);
        assert_non_null(strstr(rug_context_error(ctx), "inside the image of 40 x 30"));
    }
    o = (rug_ifs_decode_options)RUG_IFS_DECODE_OPTIONS_INIT;
    o.crop_nx = o.crop_ny = 2;
    o.scale = 16;
    o.pixels_max = 64 * 32 * 256 - 1;
    assert_int_equal(rug_ifs_decompress(ctx, &out, s.bytes, s.size, &o), RUG_E_ARG);
    assert_non_null(strstr(rug_context_error(ctx), "1024 x 512"));
    o.pixels_max++;
    assert_int_equal(rug_ifs_decompress(ctx, &out, s.bytes, s.size, &o), RUG_OK);
    assert_int_equal(out.nx, 32);
    rug_ifs_picture_free(ctx, &out);
    rug_ifs_stream_free(ctx, &s);
    picture_free(&p);
    rug_context_free(ctx);
}

/* ---- Other sizes ---- */

/* Means of u x u pixels of a picture that is u times as large are the pixels as coded. */
static void enlarging_keeps_means(void **state)
{
    (void)state;
    static const uint32_t all[4] = {0};
    rug_context *ctx = small_context();
    for (int kind = RAMP; kind <= GENTLE; kind++) {
        picture p = picture_of(kind, 90, 64, 1, 8);
        rug_ifs_stream s = must_compress(ctx, &p, NULL);
        rug_ifs_picture plain = must_decompress(ctx, &s);
        for (uint32_t u = 2; u <= 4; u *= 2) {
            rug_ifs_picture large = decoded(ctx, &s, all, u);
            double worst = 0;
            for (size_t i = 0; i < 90 * 64; i++) {
                double mean = 0;
                for (size_t k = 0; k < u * u; k++)
                    mean += ((uint8_t *)large.pixels)[(i / 90 * u + k / u) * large.nx +
                                                      i % 90 * u + k % u];
                worst = fmax(worst, fabs(mean / (u * u) - ((uint8_t *)plain.pixels)[i]));
            }
            if (!(worst <= 1))
                fail_msg("kind %d, %u times: %.2f", kind, u, worst);
            rug_ifs_picture_free(ctx, &large);
        }
        rug_ifs_picture_free(ctx, &plain);
        rug_ifs_stream_free(ctx, &s);
        picture_free(&p);
    }
    rug_context_free(ctx);
}

/* Without loss there is nothing to enlarge by; smaller it is area means. */
static void sizes_of_exact_pixels(void **state)
{
    (void)state;
    rug_context *ctx = small_context();
    picture p = picture_of(RAMP, 40, 30, 1, 8);
    rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
    rug_ifs_decode_options o = RUG_IFS_DECODE_OPTIONS_INIT;
    rug_ifs_picture out = RUG_IFS_PICTURE_INIT;
    opts.lossless = 1;
    rug_ifs_stream s = must_compress(ctx, &p, &opts);
    o.scale = 2;
    assert_int_equal(rug_ifs_decompress(ctx, &out, s.bytes, s.size, &o), RUG_E_ARG);
    assert_non_null(strstr(rug_context_error(ctx), "rug_ifs_upscale()"));
    o.scale = 0.5;
    assert_int_equal(rug_ifs_decompress(ctx, &out, s.bytes, s.size, &o), RUG_OK);
    const uint8_t *a = p.pixels, *b = out.pixels;
    assert_int_equal(b[0], ((a[0] + a[1] + 1) / 2 + (a[40] + a[41] + 1) / 2 + 1) / 2);
    rug_ifs_picture_free(ctx, &out);
    rug_ifs_stream_free(ctx, &s);
    picture_free(&p);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lossless_is_exact),     cmocka_unit_test(values_have_a_minimum),
        cmocka_unit_test(alpha_is_exact),        cmocka_unit_test(regions_are_parts),
        cmocka_unit_test(refused_regions),       cmocka_unit_test(enlarging_keeps_means),
        cmocka_unit_test(sizes_of_exact_pixels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
