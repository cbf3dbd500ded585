/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Whole images of few levels, which are counted as they lie, against the same image with a
 * mask that lets every pixel in, which is cut out and counted like any region. */

#include "support.h"
/* support.h brings cmocka, which these use */
#include "glcm_support.h"
#include "memory_support.h"

#define NY    ((size_t)363)
#define NX    ((size_t)367) /* together just more than the least that is taken as a whole */
#define PITCH (NX + 5)

typedef struct picture {
    uint8_t bytes[NY * PITCH];
    uint16_t words[NY * PITCH];
    uint8_t ones[NY * NX];
    rug_image image, mask;
} picture;

/* Levels from `base` on, the ends among them; flat in places. */
static void draw(rug_context *ctx, picture *p, rug_dtype dtype, uint32_t n_levels,
                 uint32_t base, uint64_t *seed)
{
    size_t shape[2] = {NY, NX};
    for (size_t i = 0; i < NY * PITCH; i++) {
        uint64_t level = i / PITCH < 40 ? n_levels / 2 : test_below(seed, n_levels);
        level = i == 7 ? 0 : i == PITCH + 1 ? n_levels - 1 : level;
        p->bytes[i] = (uint8_t)(base + level);
        p->words[i] = (uint16_t)(base + level);
    }
    memset(p->ones, 1, sizeof p->ones);
    const void *pixels = dtype == RUG_U8 ? (void *)p->bytes : p->words;
    assert_int_equal(rug_image_view(ctx, &p->image, pixels, dtype, 2, shape), RUG_OK);
    p->image.stride[0] = (ptrdiff_t)PITCH * p->image.stride[1];
    assert_int_equal(rug_image_view(ctx, &p->mask, p->ones, RUG_U8, 2, shape), RUG_OK);
}

/* Mirrored, so that pixels of a row do not follow one another. */
static void mirror(rug_image *img)
{
    img->data = (const char *)img->data + (ptrdiff_t)(img->shape[1] - 1) * img->stride[1];
    img->stride[1] = -img->stride[1];
}

static void compare(rug_context *ctx, picture *p, rug_glcm_options *opts)
{
    opts->mask = glcm_source(&p->mask);
    rug_context_set_threads(ctx, 1);
    glcm_rows expected = must_measure(ctx, &p->image, opts);
    opts->mask = NULL;
    for (int level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++)
        for (int threads = 1; threads <= 4; threads += level == RUG_CPU_REF ? 1 : 3) {
            rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
            rug_context_set_threads(ctx, threads);
            glcm_rows got = must_measure(ctx, &p->image, opts);
            assert_same_rows(&got, &expected);
            free(got.row);
        }
    rug_context_set_cpu_level(ctx, RUG_CPU_MAX);
    free(expected.row);
}

/* Levels on both sides of where the way of counting changes, of bytes and words. */
static void exact_levels(void **state)
{
    (void)state;
    static picture p;
    static const uint32_t n_levels[] = {1, 2, 15, 16, 17, 31, 32, 33, 200, 256, 257};
    static const uint32_t distances[] = {1, 3};
    rug_context *ctx = test_context();
    uint64_t seed = 101;
    for (size_t k = 0; k < sizeof n_levels / sizeof n_levels[0]; k += TEST_RACES(3, 1)) {
        uint32_t n = n_levels[k];
        rug_dtype dtype = n > 256 || k % 3 == 2 ? RUG_U16 : RUG_U8;
        uint32_t most_base = dtype == RUG_U8 ? 256 - n : 65536 - n;
        draw(ctx, &p, dtype, n, k % 2 ? most_base : most_base / 2, &seed);
        if (k % 4 == 3)
            mirror(&p.image);
        rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
        opts.distances = distances;
        opts.n_distances = 2;
        opts.asymmetric = k % 3 == 1;
        opts.aggregate = RUG_GLCM_AGGREGATE_NONE;
        opts.features = n < 40 ? RUG_GLCM_FEATURES_ALL : RUG_GLCM_FEATURES_13;
        compare(ctx, &p, &opts);
    }
    rug_context_free(ctx);
}

/* Bins, of every range; of one that is given, with values inside and outside. */
static void bins(void **state)
{
    (void)state;
    static picture p;
    rug_context *ctx = test_context();
    uint64_t seed = 102;
    draw(ctx, &p, RUG_U16, 4000, 50, &seed);
    for (int k = 0; k < 7; k += TEST_RACES(3, 1)) {
        rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
        static const rug_glcm_range ranges[] = {RUG_GLCM_RANGE_AUTO, RUG_GLCM_RANGE_TYPE,
                                                RUG_GLCM_RANGE_ROI, RUG_GLCM_RANGE_GIVEN};
        int is_width = k >= 5;
        opts.levels = is_width ? RUG_GLCM_LEVELS_WIDTH : RUG_GLCM_LEVELS_COUNT;
        opts.n_levels = is_width ? 0 : k % 2 ? 16 : 100;
        opts.bin_width = is_width ? 33.5 : 0;
        opts.range = k < 4 ? ranges[k] : RUG_GLCM_RANGE_GIVEN;
        opts.range_lo = k == 4 ? 100 : 0;
        opts.range_hi = k < 3 ? 0 : k == 6 ? 3000 : 5000;
        opts.features = RUG_GLCM_FEATURES_13;
        opts.aggregate = k % 2 ? RUG_GLCM_AGGREGATE_MERGED : RUG_GLCM_AGGREGATE_MEAN;
        compare(ctx, &p, &opts);
    }
    rug_context_free(ctx);
}

/* Some directions, and distances up to what is taken as a whole and beyond. */
static void directions(void **state)
{
    (void)state;
    static picture p;
    static const uint32_t distances[] = {2, 64}, far[] = {1, 65}, farther[] = {200, 364};
    const uint32_t *const all[] = {distances, far, farther};
    rug_context *ctx = test_context();
    uint64_t seed = 103;
    for (uint32_t bits = 1; bits < 16; bits += TEST_RACES(4, 2)) {
        draw(ctx, &p, RUG_U8, bits % 3 == 0 ? 12 : bits % 3 == 1 ? 25 : 90, 100, &seed);
        rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
        opts.directions = bits == 1 ? 2 : bits;
        opts.distances = all[bits / 2 % 3];
        opts.n_distances = 2;
        opts.features = RUG_GLCM_FEATURES_13;
        opts.aggregate =
            bits % 5 == 0 ? RUG_GLCM_AGGREGATE_MERGED : RUG_GLCM_AGGREGATE_NONE;
        compare(ctx, &p, &opts);
    }
    rug_context_free(ctx);
}

/* Every allocation fails once; nothing is lost. */
static void out_of_memory(void **state)
{
    (void)state;
    static picture p;
    rug_context *ctx = test_context();
    uint64_t seed = 104;
    draw(ctx, &p, RUG_U16, 20, 1000, &seed);
    rug_context_set_threads(ctx, 2);
    rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
    rug_status status = RUG_E_NOMEM;
    for (size_t at = 1; status != RUG_OK; at++) {
        memory m = {.fail_at = at};
        glcm_rows rows = {0};
        memory_hook(ctx, &m);
        status = rug_glcm(ctx, &p.image, &opts, glcm_keep, &rows);
        assert_true(status == RUG_OK || status == RUG_E_NOMEM);
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
        assert_true(status == RUG_OK || rug_context_error(ctx)[0] != '\0');
        free(rows.row);
        rug_context_set_allocator(ctx, NULL);
        assert_true(at < 1000);
    }
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_levels), cmocka_unit_test(bins),
        cmocka_unit_test(directions), cmocka_unit_test(out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
