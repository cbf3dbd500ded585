/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fractal coding: what is known of coded images. */

#include "support.h"

#include "ifs_compress_support.h"

static rug_ifs_options with_quality(double quality)
{
    rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
    opts.target_value = quality;
    return opts;
}

/* A flat image comes back exactly, of any depth and partition, whatever the quality. */
static void flat_stays_flat(void **state)
{
    (void)state;
    rug_context *ctx = small_context();
    for (int n_planes = 1; n_planes <= 3; n_planes += 2)
        for (int depth = 8; depth <= 16; depth += 8)
            for (int partition = 0; partition < 3; partition++) {
                picture p = picture_of(FLAT, 70, 45, n_planes, depth);
                rug_ifs_options opts = with_quality(20);
                opts.partition = (rug_ifs_partition)partition;
                rug_ifs_stream stream = must_compress(ctx, &p, &opts);
                rug_ifs_picture got = must_decompress(ctx, &stream);
                assert_memory_equal(got.pixels, p.pixels,
                                    p.nx * p.ny * (size_t)(n_planes * depth / 8));
                rug_ifs_picture_free(ctx, &got);
                rug_ifs_stream_free(ctx, &stream);
                picture_free(&p);
            }
    rug_context_free(ctx);
}

/* More quality: more bytes, and less error. */
static void quality_is_monotone(void **state)
{
    (void)state;
    rug_context *ctx = small_context();
    picture p = picture_of(EDGES, 96, 96, 1, 8);
    double last_psnr = 0, last_bits = 0;
    for (int quality = 10; quality <= 100; quality += 15) {
        rug_ifs_options opts = with_quality(quality);
        double bits, psnr = psnr_by(ctx, &p, &opts, &bits);
        assert_true(psnr > last_psnr);
        assert_true(bits > last_bits);
        last_psnr = psnr;
        last_bits = bits;
    }
    assert_true(last_psnr > 50);
    picture_free(&p);
    rug_context_free(ctx);
}

/* The best quality is within a few grey levels everywhere, whatever the content. */
static void best_quality_is_near(void **state)
{
    (void)state;
    rug_context *ctx = small_context();
    for (int kind = 0; kind < N_KINDS; kind++)
        for (int n_planes = 1; n_planes <= 3; n_planes += 2)
            for (int depth = 8; depth <= 16; depth += 8) {
                picture p = picture_of(kind, 50, 37, n_planes, depth);
                rug_ifs_options opts = with_quality(100);
                double psnr = psnr_by(ctx, &p, &opts, NULL);
                if (!(psnr > 50))
                    fail_msg("kind %d, %d planes, %d bits: %.2f dB", kind, n_planes,
                             depth, psnr);
                picture_free(&p);
            }
    rug_context_free(ctx);
}

/* 12 bits in pixels of 16 are coded as finely as 8 in pixels of 8. */
static void few_bits_in_wide_pixels(void **state)
{
    (void)state;
    rug_context *ctx = small_context();
    picture p = picture_of(EDGES, 64, 64, 1, 16);
    for (size_t i = 0; i < p.nx * p.ny; i++)
        ((uint16_t *)p.pixels)[i] >>= 4;
    rug_ifs_options opts = with_quality(80);
    assert_true(psnr_by(ctx, &p, &opts, NULL) - 20 * log10(16) > 38);
    picture_free(&p);
    rug_context_free(ctx);
}

/* Self-similar content is where domains are for: with them fewer bits for as much. */
static void domains_pay(void **state)
{
    (void)state;
    rug_context *ctx = small_context();
    picture p = picture_of(WEDGES, 128, 128, 1, 8);
    rug_ifs_options with = with_quality(33), without;
    with.target = RUG_IFS_TARGET_PSNR;
    with.search = RUG_IFS_SEARCH_FAST;
    without = with;
    without.scale_max = 0.01; /* no k / 8 is as small */
    double bits, bits_without;
    psnr_by(ctx, &p, &with, &bits);
    psnr_by(ctx, &p, &without, &bits_without);
    assert_true(bits < 0.8 * bits_without);
    picture_free(&p);
    rug_context_free(ctx);
}

static void see_domains(const rug_ifs_transform *t, size_t *n)
{
    n[0]++;
    n[1] += t->has_domain;
}

static rug_status count_domains(void *user, const rug_ifs_transform *t)
{
    see_domains(t, user);
    return RUG_OK;
}

/* Without a residual blocks are transforms alone, and most of them have a domain. */
static void transforms_alone(void **state)
{
    (void)state;
    rug_context *ctx = small_context();
    picture p = picture_of(WEDGES, 128, 96, 1, 8);
    rug_ifs_options opts = with_quality(70);
    opts.without_residual = 1;
    rug_ifs_stream stream = must_compress(ctx, &p, &opts);
    rug_ifs_info info;
    size_t n[2] = {0, 0};
    assert_int_equal(rug_ifs_read_info(ctx, &info, stream.bytes, stream.size), RUG_OK);
    assert_int_equal(info.has_residual, 0);
    assert_int_equal(rug_ifs_read_transforms(ctx, stream.bytes, stream.size,
                                             RUG_IFS_PIXELS_DEFAULT, count_domains, n),
                     RUG_OK);
    assert_true(n[0] > 50 && 3 * n[1] > n[0]);
    rug_ifs_picture got = must_decompress(ctx, &stream);
    assert_true(psnr_of(&p, &got) > 28);
    rug_ifs_picture_free(ctx, &got);
    rug_ifs_stream_free(ctx, &stream);
    picture_free(&p);
    rug_context_free(ctx);
}

/* What the header says, and iterating longer changes nothing. */
static void iterations_are_enough(void **state)
{
    (void)state;
    rug_context *ctx = small_context();
    for (int partition = 0; partition < 3; partition++)
        for (int kind = 0; kind < N_KINDS; kind++) {
            picture p = picture_of(kind, 90, 70, 1, 8);
            rug_ifs_options opts = with_quality(30);
            opts.partition = (rug_ifs_partition)partition;
            rug_ifs_stream stream = must_compress(ctx, &p, &opts);
            rug_ifs_picture got = must_decompress(ctx, &stream), more;
            rug_ifs_decode_options longer = RUG_IFS_DECODE_OPTIONS_INIT;
            longer.iterations = 64;
            assert_int_equal(
                rug_ifs_decompress(ctx, &more, stream.bytes, stream.size, &longer),
                RUG_OK);
            for (size_t i = 0; i < p.nx * p.ny; i++) {
                double d = pixel_of(got.pixels, 8, i) - pixel_of(more.pixels, 8, i);
                assert_true(fabs(d) <= 1);
            }
            rug_ifs_picture_free(ctx, &got);
            rug_ifs_picture_free(ctx, &more);
            rug_ifs_stream_free(ctx, &stream);
            picture_free(&p);
        }
    rug_context_free(ctx);
}

/* Noise cannot be coded in fewer bits than it has; the stream says how many it takes, and
 * they are not many more. */
static void noise_takes_its_bits(void **state)
{
    (void)state;
    rug_context *ctx = small_context();
    picture p = picture_of(NOISE, 64, 64, 1, 8);
    rug_ifs_options opts = with_quality(100);
    double bits, psnr = psnr_by(ctx, &p, &opts, &bits);
    assert_true(psnr > 50);
    assert_true(bits > 7 && bits < 9.5);
    picture_free(&p);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_stays_flat),
        cmocka_unit_test(quality_is_monotone),
        cmocka_unit_test(best_quality_is_near),
        cmocka_unit_test(few_bits_in_wide_pixels),
        cmocka_unit_test(domains_pay),
        cmocka_unit_test(transforms_alone),
        cmocka_unit_test(iterations_are_enough),
        cmocka_unit_test(noise_takes_its_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
