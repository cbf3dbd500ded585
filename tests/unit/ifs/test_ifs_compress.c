/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fractal coding by versions 1 and 2: what is known of coded images, images of any size, and the
 * same bytes on every CPU level and number of threads. */

#include "support.h"

#include "ifs_compress_support.h"

static rug_ifs_options with_quality(double quality)
{
    rug_ifs_options opts = earlier_options();
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

static void quality_is_monotone(void **state)
{
    (void)state;
    check_qualities(earlier_options());
}

/* The best quality is within a few grey levels everywhere, whatever the content. */
static void best_quality_is_near(void **state)
{
    (void)state;
    rug_context *ctx = small_context();
    for (int kind = 0; kind < N_KINDS; kind += TEST_STEP(2))
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
    rug_ifs_info info = RUG_IFS_INFO_INIT;
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
    for (int way = 0; way < 5; way++)
        for (int kind = 0; kind < N_KINDS; kind += TEST_STEP(2)) {
            picture p = picture_of(kind, 90, 70, 1, 8);
            rug_ifs_options opts = with_quality(30);
            opts.partition = (rug_ifs_partition)(way < 3 ? way : way - 2);
            opts.domain_wrap = way >= 3;
            rug_ifs_stream stream = must_compress(ctx, &p, &opts);
            rug_ifs_picture got = must_decompress(ctx, &stream),
                            more = RUG_IFS_PICTURE_INIT;
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

/* Noise cannot be coded in fewer bits than it has; the stream says how many it takes,
 * and they are not many more. */
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

/* ---- Images of any size ---- */

/* Sizes up to 70 x 70 come back as large as they were, and about as they were. Every seventh
 * width meets all remainders by the sides of blocks. */
static void all_small_sizes(void **state)
{
    (void)state;
    rug_context *ctx = small_context();
    rug_ifs_options opts = earlier_options();
    opts.search = RUG_IFS_SEARCH_FAST;
    opts.target_value = 40;
    const size_t step = TEST_STEP(TEST_RACES(60, 29));
    for (size_t ny = 1; ny <= 70; ny++)
        for (size_t nx = 1 + ny % step; nx <= 70; nx += step) {
            if (step == 1 && (nx + ny) % 7 != 0)
                continue;
            picture p = picture_of(GENTLE, nx, ny, 1, 8);
            double psnr = psnr_by(ctx, &p, &opts, NULL);
            if (!(psnr > 36))
                fail_msg("%zu x %zu: %.2f dB", nx, ny, psnr);
            picture_free(&p);
        }
    rug_context_free(ctx);
}

/* Sizes about multiples of blocks, of all kinds, partitions, depths and colours. */
static void some_sizes_of_all_kinds(void **state)
{
    (void)state;
    rug_context *ctx = small_context();
    uint64_t rng = 11;
    for (int i = 0; i < TEST_CASES(120); i++) {
        size_t nx = 1 + test_below(&rng, 70), ny = 1 + test_below(&rng, 70);
        int n_planes = test_below(&rng, 3) == 0 ? 3 : 1;
        picture p = picture_of((int)test_below(&rng, N_KINDS), nx, ny, n_planes,
                               test_below(&rng, 2) ? 8 : 16);
        rug_ifs_options opts = earlier_options();
        opts.partition = (rug_ifs_partition)test_below(&rng, 3);
        opts.without_residual = opts.partition == RUG_IFS_QUADTREE && i % 8 == 0;
        if (opts.partition != RUG_IFS_QUADTREE)
            opts.range_size = 2 * (1 + (uint32_t)test_below(&rng, 8));
        opts.domain_wrap = opts.partition != RUG_IFS_QUADTREE && i % 3 == 0;
        double psnr = psnr_by(ctx, &p, &opts, NULL);
        if (!(psnr > 5))
            fail_msg("%zu x %zu: %.2f dB", nx, ny, psnr);
        picture_free(&p);
    }
    rug_context_free(ctx);
}

/* Sizes that users had trouble with. */
static void sizes_of_cases(void **state)
{
    (void)state;
    rug_ifs_options opts = earlier_options();
    static const size_t sizes[][2] = {{64, 64}, {17, 13}, {1, 1},
                                      {640, 1}, {1, 640}, {7, 5}};
    rug_context *ctx = small_context();
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        picture p = picture_of(RAMP, sizes[i][0], sizes[i][1], 3, 8);
        assert_true(psnr_by(ctx, &p, &opts, NULL) > 25);
        picture_free(&p);
    }
    rug_context_free(ctx);
}

/* Blocks of one size where a side has no room for a domain: each block has its own mean. */
static void narrow_images_of_blocks(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{1, 640}, {640, 1}, {5, 90}, {90, 15}, {7, 5}};
    rug_context *ctx = small_context();
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int overlaps = 0; overlaps < 2; overlaps++) {
            picture p = picture_of(GENTLE, sizes[i][0], sizes[i][1], 1, 8);
            rug_ifs_options opts = earlier_options();
            opts.partition = overlaps ? RUG_IFS_OVERLAP : RUG_IFS_FIXED;
            double psnr = psnr_by(ctx, &p, &opts, NULL);
            if (!(psnr > (overlaps ? 36 : 46)))
                fail_msg("%zu x %zu: %.2f dB", p.nx, p.ny, psnr);
            picture_free(&p);
        }
    rug_context_free(ctx);
}

/* Where blocks reach over the edge the image is as good as inside. */
static void borders_are_as_good(void **state)
{
    (void)state;
    rug_ifs_options opts = earlier_options();
    static const size_t sizes[][2] = {{63, 65}, {607, 505}};
    rug_context *ctx = small_context();
    for (size_t i = 0; i < 2; i += TEST_STEP(2)) {
        size_t nx = sizes[i][0], ny = sizes[i][1];
        picture p = picture_new(nx, ny, 1, 8);
        for (size_t y = 0; y < ny; y++)
            for (size_t x = 0; x < nx; x++)
                put_pixel(&p, y * nx + x,
                          0.1 + 0.4 * (double)x / (double)nx +
                              0.4 * (double)y / (double)ny);
        rug_ifs_stream stream = must_compress(ctx, &p, &opts);
        rug_ifs_picture got = must_decompress(ctx, &stream);
        double inside = 4 * error_within(&p, &got, 0, nx, 0, ny) + 0.1; /* of squares */
        assert_true(error_within(&p, &got, 0, nx, ny - 1, ny) < inside);
        assert_true(error_within(&p, &got, nx - 1, nx, 0, ny) < inside);
        assert_true(error_within(&p, &got, 0, nx, 0, 1) < inside);
        rug_ifs_picture_free(ctx, &got);
        rug_ifs_stream_free(ctx, &stream);
        picture_free(&p);
    }
    rug_context_free(ctx);
}

/* ---- The same bytes on every CPU level and number of threads ---- */

static void same_bytes(const rug_ifs_stream *a, const rug_ifs_stream *b, const char *what)
{
    if (a->size != b->size || memcmp(a->bytes, b->bytes, a->size) != 0)
        fail_msg("%s: other bytes (%zu, %zu)", what, a->size, b->size);
}

static void at_all_levels(const picture *p, const rug_ifs_options *opts, const char *what)
{
    rug_context *first = test_context();
    assert_int_equal(rug_context_set_threads(first, 1), RUG_OK);
    assert_int_equal(rug_context_set_cpu_level(first, RUG_CPU_REF), RUG_OK);
    rug_ifs_stream expected = must_compress(first, p, opts);
    for (int level = TEST_RACES(RUG_CPU_MAX, RUG_CPU_REF); level <= RUG_CPU_MAX; level++)
        for (int threads = 1; threads <= 4; threads++) {
            if (level != RUG_CPU_MAX ? threads != 2 : threads % TEST_STEP(2) != 0)
                continue;
            rug_context *ctx = test_context();
            assert_int_equal(rug_context_set_threads(ctx, threads), RUG_OK);
            assert_int_equal(rug_context_set_cpu_level(ctx, (rug_cpu_level)level),
                             RUG_OK);
            rug_ifs_stream got = must_compress(ctx, p, opts);
            same_bytes(&got, &expected, what);
            rug_ifs_stream_free(ctx, &got);
            rug_context_free(ctx);
        }
    rug_ifs_stream_free(first, &expected);
    rug_context_free(first);
}

static void trees(void **state)
{
    (void)state;
    rug_ifs_options opts = earlier_options();
    picture gray = picture_of(EDGES, 66, 70, 1, 8);
    at_all_levels(&gray, &opts, "grey");
    opts.search = RUG_IFS_SEARCH_FAST;
    at_all_levels(&gray, &opts, "fast");
    opts.without_residual = 1;
    at_all_levels(&gray, &opts, "transforms alone");
    picture_free(&gray);
    picture colour = picture_of(WEDGES, 40, 35, 3, 16);
    opts = earlier_options();
    at_all_levels(&colour, &opts, "colour of 16 bits");
    picture_free(&colour);
    picture noise = picture_of(NOISE, 34, 40, 1, 16);
    opts = earlier_options();
    opts.target_value = 95;
    at_all_levels(&noise, &opts, "noise");
    picture_free(&noise);
}

static void targets(void **state)
{
    (void)state;
    rug_ifs_options opts = earlier_options();
    opts.search = RUG_IFS_SEARCH_FAST;
    picture p = picture_of(EDGES, 40, 40, 1, 8);
    opts.target = RUG_IFS_TARGET_RATE;
    opts.target_value = 2;
    at_all_levels(&p, &opts, "rate");
    opts.target = RUG_IFS_TARGET_PSNR;
    opts.target_value = 40;
    at_all_levels(&p, &opts, "PSNR");
    picture_free(&p);
}

static void blocks(void **state)
{
    (void)state;
    rug_ifs_options opts = earlier_options();
    picture p = picture_of(EDGES, 61, 50, 1, 8);
    opts.partition = RUG_IFS_FIXED;
    at_all_levels(&p, &opts, "FIXED");
    opts.partition = RUG_IFS_OVERLAP;
    at_all_levels(&p, &opts, "OVERLAP");
    opts.domain_wrap = 1;
    opts.domain_step = 3;
    at_all_levels(&p, &opts, "OVERLAP with domains that wrap around");
    picture_free(&p);
}

/* Rows with gaps, mirrored, and colours pixel by pixel are the same image. */
static void any_strides(void **state)
{
    (void)state;
    rug_ifs_options opts = earlier_options();
    rug_context *ctx = test_context();
    picture p = picture_of(EDGES, 45, 39, 3, 8);
    rug_ifs_stream expected = must_compress(ctx, &p, &opts), got;
    enum { ROW = 3 * 45 + 11 };
    uint8_t *mixed = calloc(39, ROW);
    rug_image views[3];
    assert_non_null(mixed);
    for (int i = 0; i < 3; i++) {
        views[i] = p.views[i];
        views[i].data = mixed + (size_t)38 * ROW + 2 - i;
        views[i].stride[0] = -ROW;
        views[i].stride[1] = 3;
        for (size_t y = 0; y < 39; y++)
            for (size_t x = 0; x < 45; x++)
                mixed[(38 - y) * ROW + 3 * x + 2 - (size_t)i] =
                    ((uint8_t *)p.pixels)[((size_t)i * 39 + y) * 45 + x];
    }
    assert_int_equal(rug_ifs_compress(ctx, &got, views, 3, &opts), RUG_OK);
    same_bytes(&got, &expected, "strides");
    rug_ifs_stream_free(ctx, &got);
    rug_ifs_stream_free(ctx, &expected);
    free(mixed);
    picture_free(&p);
    rug_context_free(ctx);
}

/* 16 bits a pixel at odd addresses. */
static void odd_addresses(void **state)
{
    (void)state;
    rug_ifs_options opts = earlier_options();
    rug_context *ctx = test_context();
    picture p = picture_of(EDGES, 20, 18, 1, 16);
    rug_ifs_stream expected = must_compress(ctx, &p, &opts), got;
    enum { ROW = 3 * 20 };
    uint8_t *spread = calloc(18, ROW);
    rug_image view = p.views[0];
    assert_non_null(spread);
    view.data = spread + 1;
    view.stride[0] = ROW;
    view.stride[1] = 3;
    for (size_t y = 0; y < 18; y++)
        for (size_t x = 0; x < 20; x++)
            memcpy(spread + 1 + y * ROW + 3 * x, (uint16_t *)p.pixels + y * 20 + x, 2);
    assert_int_equal(rug_ifs_compress(ctx, &got, &view, 1, &opts), RUG_OK);
    same_bytes(&got, &expected, "odd addresses");
    rug_ifs_stream_free(ctx, &got);
    rug_ifs_stream_free(ctx, &expected);
    free(spread);
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
        cmocka_unit_test(all_small_sizes),
        cmocka_unit_test(some_sizes_of_all_kinds),
        cmocka_unit_test(sizes_of_cases),
        cmocka_unit_test(narrow_images_of_blocks),
        cmocka_unit_test(borders_are_as_good),
        cmocka_unit_test(trees),
        cmocka_unit_test(targets),
        cmocka_unit_test(blocks),
        cmocka_unit_test(any_strides),
        cmocka_unit_test(odd_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
