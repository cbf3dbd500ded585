/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fractal coding of images of any size. */

#include "support.h"

#include "ifs_compress_support.h"

/* Every size up to 70 x 70 comes back as large as it was, and about as it was. */
static void all_small_sizes(void **state)
{
    (void)state;
    rug_context *ctx = small_context();
    rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
    opts.search = RUG_IFS_SEARCH_FAST;
    opts.target_value = 40;
    for (size_t ny = 1; ny <= 70; ny++)
        for (size_t nx = 1; nx <= 70; nx++) {
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
    for (int i = 0; i < 240; i++) {
        size_t nx = 1 + test_below(&rng, 70), ny = 1 + test_below(&rng, 70);
        int n_planes = test_below(&rng, 3) == 0 ? 3 : 1;
        picture p = picture_of((int)test_below(&rng, N_KINDS), nx, ny, n_planes,
                               test_below(&rng, 2) ? 8 : 16);
        rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
        opts.partition = (rug_ifs_partition)test_below(&rng, 3);
        opts.without_residual = opts.partition == RUG_IFS_QUADTREE && i % 8 == 0;
        if (opts.partition != RUG_IFS_QUADTREE)
            opts.range_size = 2 * (1 + (uint32_t)test_below(&rng, 8));
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
    static const size_t sizes[][2] = {{64, 64}, {17, 13}, {1, 1},
                                      {640, 1}, {1, 640}, {7, 5}};
    rug_context *ctx = small_context();
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        picture p = picture_of(RAMP, sizes[i][0], sizes[i][1], 3, 8);
        assert_true(psnr_by(ctx, &p, NULL, NULL) > 25);
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
            rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
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
    static const size_t sizes[][2] = {{63, 65}, {607, 505}};
    rug_context *ctx = small_context();
    for (size_t i = 0; i < 2; i++) {
        size_t nx = sizes[i][0], ny = sizes[i][1];
        picture p = picture_new(nx, ny, 1, 8);
        for (size_t y = 0; y < ny; y++)
            for (size_t x = 0; x < nx; x++)
                put_pixel(&p, y * nx + x,
                          0.1 + 0.4 * (double)x / (double)nx +
                              0.4 * (double)y / (double)ny);
        rug_ifs_stream stream = must_compress(ctx, &p, NULL);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_small_sizes),     cmocka_unit_test(some_sizes_of_all_kinds),
        cmocka_unit_test(sizes_of_cases),      cmocka_unit_test(narrow_images_of_blocks),
        cmocka_unit_test(borders_are_as_good),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
