/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The three rules of local binary patterns and what each promises: scikit-image's codes,
 * arithmetic without rounding, nearness; and one code of flat images. */

#include "support.h"

#include "golden_support.h"
#include "lbp_support.h"
#include <rugose/io.h>
#include <zlib.h>

/* A flat image has one code, however its value rounds. */
static void flat_images(void **state)
{
    (void)state;
    static double doubles[32 * 32];
    static float floats[32 * 32];
    const size_t shape[2] = {32, 32};
    rug_context *ctx = test_context();
    const rug_lbp_operator ops[] = {{8, 1, NULL, 0}, {16, 2, NULL, 0}, {24, 3, NULL, 0}};
    for (int i = 0; i < 2 * 2 * 3 * 2; i++) {
        rug_image img;
        const double value = i < 12 ? 0.1 : 1.0 / 3;
        for (int k = 0; k < 32 * 32; k++)
            floats[k] = (float)(doubles[k] = value);
        const rug_lbp_operator *op = &ops[i / 2 % 3];
        assert_int_equal(rug_image_view(ctx, &img, i % 2 ? (void *)floats : doubles,
                                        i % 2 ? RUG_F32 : RUG_F64, 2, shape),
                         RUG_OK);
        rug_lbp_options opts = options_of(op, RUG_LBP_RIU2);
        opts.exact = i / 6 % 2 ? RUG_LBP_EXACT_FLOAT : RUG_LBP_EXACT_DECIMAL;
        opts.border = RUG_LBP_BORDER_SKIP;
        rug_lbp_result *r = must_lbp(ctx, &img, &opts);
        const rug_lbp_histogram *h = rug_lbp_at(r, 0);
        size_t inner = 32 - 2 * (size_t)op->radius;
        assert_int_equal(h->pixels, inner * inner);
        assert_int_equal(h->bins[op->points], h->pixels);
        rug_lbp_free(r);
    }
    rug_context_free(ctx);
}

/* By the rule SKIMAGE that is not so: 1/3 loses ties, 0.1 none. */
static void flat_images_of_skimage(void **state)
{
    (void)state;
    static double pixels[32 * 32];
    const size_t shape[2] = {32, 32};
    const rug_lbp_operator op = {16, 2, NULL, 0};
    rug_lbp_options opts = options_of(&op, RUG_LBP_RIU2);
    opts.border = RUG_LBP_BORDER_SKIP;
    rug_context *ctx = test_context();
    rug_image img;
    assert_int_equal(rug_image_view(ctx, &img, pixels, RUG_F64, 2, shape), RUG_OK);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 32 * 32; k++)
            pixels[k] = i ? 1.0 / 3 : 0.1;
        rug_lbp_result *r = must_lbp(ctx, &img, &opts);
        const rug_lbp_histogram *h = rug_lbp_at(r, 0);
        assert_true((h->bins[16] == h->pixels) == (i == 0));
        rug_lbp_free(r);
    }
    rug_context_free(ctx);
}

static rug_file *read_image(rug_context *ctx, const char *name)
{
    char file[64];
    rug_file *out;
    snprintf(file, sizeof file, "%s.png", name);
    if (rug_file_read(ctx, &out, test_data(file), NULL) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return out;
}

static rug_lbp_method method_of(const char *name)
{
    if (strcmp(name, "uniform") == 0)
        return RUG_LBP_RIU2; /* scikit-image's name of it */
    int m = RUG_LBP_RIU2;
    while (m < RUG_LBP_VAR && strcmp(name, rug_lbp_method_name((rug_lbp_method)m)) != 0)
        m++;
    return (rug_lbp_method)m;
}

static void assert_golden(const golden_row *row, const codes *c)
{
    uLong crc = crc32(0, NULL, 0);
    double sum = 0, most = 0;
    for (size_t i = 0; i < c->ny * c->nx; i++) {
        uint32_t code = (uint32_t)c->at[i];
        unsigned char bytes[4] = {(unsigned char)code, (unsigned char)(code >> 8),
                                  (unsigned char)(code >> 16),
                                  (unsigned char)(code >> 24)};
        crc = crc32(crc, bytes, 4);
        sum += c->at[i];
        most = c->at[i] > most ? c->at[i] : most;
    }
    assert_true(sum == strtod(row->field[5], NULL));
    assert_true(most == strtod(row->field[7], NULL));
    if (crc != strtoul(row->field[4], NULL, 16))
        fail_msg("%s %s (%s, %s): other codes than scikit-image's", row->field[0],
                 row->field[1], row->field[2], row->field[3]);
}

/* scikit-image's codes of photographs, by every CPU level. */
static void golden_codes(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_file *camera = read_image(ctx, "camera"), *brick = read_image(ctx, "brick");
    FILE *file = golden_open("lbp_codes", "image", 8);
    golden_row row;
    int n_rows = 0;
    while (golden_next(file, &row)) {
        int is_camera = strcmp(row.field[0], "camera") == 0;
        const rug_image *img = rug_file_image(is_camera ? camera : brick);
        const rug_lbp_operator op = {(uint32_t)strtoul(row.field[2], NULL, 10),
                                     strtod(row.field[3], NULL), NULL, 0};
        /* Each level has its turn with each image and method. */
        rug_context_set_cpu_level(ctx, (rug_cpu_level)((n_rows + n_rows / 4) % 3));
        rug_lbp_options opts = options_of(&op, method_of(row.field[1]));
        codes c = map_of(ctx, img, opts);
        assert_golden(&row, &c);
        free(c.at);
        n_rows++;
    }
    assert_int_equal(n_rows, 56);
    fclose(file);
    rug_file_free(camera);
    rug_file_free(brick);
    rug_context_free(ctx);
}

/* A patch of 220 in steps of 1, as bytes and as floats: no level rounds otherwise. */
static void levels_agree(void **state)
{
    (void)state;
    uint8_t bytes[81];
    float floats[81];
    for (int i = 0; i < 81; i++) {
        int y = i / 9, x = i % 9, is_patch = y / 3 == 1 && x / 3 == 1;
        bytes[i] = (uint8_t)(is_patch ? 220 : 100 + y + x);
        floats[i] = bytes[i];
    }
    rug_context *ctx = test_context();
    const size_t shape[2] = {9, 9};
    const rug_lbp_operator op = {16, 2, NULL, 0};
    for (int e = RUG_LBP_EXACT_SKIMAGE; e <= RUG_LBP_EXACT_FLOAT; e++) {
        rug_lbp_options opts = options_of(&op, RUG_LBP_RIU2);
        opts.exact = (rug_lbp_exact)e;
        rug_image img = test_u8(bytes, 0, 9, 9);
        codes expected = naive_map(&img, &op, &opts);
        for (int i = 0; i < 6; i++) {
            if (i >= 3)
                assert_int_equal(rug_image_view(ctx, &img, floats, RUG_F32, 2, shape),
                                 RUG_OK);
            rug_context_set_cpu_level(ctx, (rug_cpu_level)(i % 3));
            codes got = map_of(ctx, &img, opts);
            assert_same_codes(&got, &expected, "levels");
            free(got.at);
        }
        free(expected.at);
    }
    rug_context_free(ctx);
}

/* A sample that lies between integers, times 10^10. */
static int64_t whole_value(const rug_image *img, size_t y, size_t x,
                           const double offset[2])
{
    int64_t row = llrint(floor(offset[0])), col = llrint(floor(offset[1]));
    int64_t b = llrint(offset[0] * 1e5) - 100000 * row;
    int64_t r = llrint(offset[1] * 1e5) - 100000 * col;
    int64_t sum = 0;
    for (int k = 0; k < 4; k++) {
        int64_t weight = (k / 2 ? b : 100000 - b) * (k % 2 ? r : 100000 - r);
        sum += weight * (int64_t)naive_pixel(img, (double)((int64_t)y + row + k / 2),
                                             (double)((int64_t)x + col + k % 2));
    }
    return sum;
}

/* The rule DECIMAL is arithmetic of integers, up to the largest ones of 16 bits. */
static void decimal_is_exact(void **state)
{
    (void)state;
    static uint16_t pixels[40 * 50];
    uint64_t rng = 8;
    for (size_t i = 0; i < 40 * 50; i++)
        pixels[i] = (uint16_t)(65535 - test_below(&rng, 3));
    const size_t shape[2] = {40, 50};
    const rug_lbp_operator op = {24, 3, NULL, 0};
    rug_context *ctx = test_context();
    rug_image img;
    assert_int_equal(rug_image_view(ctx, &img, pixels, RUG_U16, 2, shape), RUG_OK);
    rug_lbp_options opts = options_of(&op, RUG_LBP_DEFAULT);
    opts.exact = RUG_LBP_EXACT_DECIMAL;
    codes got = map_of(ctx, &img, opts);
    for (size_t i = 0; i < 40 * 50; i++) {
        uint32_t pattern = 0;
        for (uint32_t k = 0; k < op.points; k++) {
            double offset[2];
            naive_offset(&op, k, RUG_LBP_BILINEAR, offset);
            int64_t value = whole_value(&img, i / 50, i % 50, offset);
            int64_t centre = (int64_t)pixels[i] * 10000000000;
            pattern |= (uint32_t)(value >= centre) << k;
        }
        assert_true(got.at[i] == (double)pattern);
    }
    free(got.at);
    rug_context_free(ctx);
}

static size_t bits_that_differ(const codes *a, const codes *b)
{
    size_t n = 0;
    for (size_t i = 0; i < a->ny * a->nx; i++)
        for (uint32_t x = (uint32_t)a->at[i] ^ (uint32_t)b->at[i]; x != 0; x &= x - 1)
            n++;
    return n;
}

/* How far the fast rule is from the exact one: on photographs at most one bit in fifty
 * thousand, on four grey values one in five thousand. */
static void float_is_near(void **state)
{
    (void)state;
    static uint8_t few[256 * 256];
    uint64_t rng = 5;
    for (size_t i = 0; i < sizeof few; i++)
        few[i] = (uint8_t)test_below(&rng, 4);
    rug_context *ctx = test_context();
    rug_file *camera = read_image(ctx, "camera");
    const rug_image images[2] = {*rug_file_image(camera), test_u8(few, 0, 256, 256)};
    const rug_lbp_operator ops[] = {{8, 1, NULL, 0}, {16, 2, NULL, 0}, {24, 3, NULL, 0}};
    for (int i = 0; i < 6; i++) {
        rug_lbp_options opts = options_of(&ops[i / 2], RUG_LBP_DEFAULT);
        opts.exact = RUG_LBP_EXACT_DECIMAL;
        codes exact = map_of(ctx, &images[i % 2], opts);
        opts.exact = RUG_LBP_EXACT_FLOAT;
        codes fast = map_of(ctx, &images[i % 2], opts);
        size_t n_bits = exact.ny * exact.nx * ops[i / 2].points;
        size_t most = n_bits / (i % 2 ? 5000 : 50000);
        if (bits_that_differ(&exact, &fast) > most)
            fail_msg("%zu bits differ, at most %zu expected",
                     bits_that_differ(&exact, &fast), most);
        free(exact.at);
        free(fast.at);
    }
    rug_file_free(camera);
    rug_context_free(ctx);
}

/* Turning an image by 90 degrees permutes its pixels and turns its patterns: by the rule
 * DECIMAL without any rounding. */
static void quarter_turns(void **state)
{
    (void)state;
    static uint8_t pixels[41 * 67], turned[41 * 67];
    uint64_t rng = 11;
    for (int y = 0; y < 41; y++)
        for (int x = 0; x < 67; x++) {
            uint8_t v = (uint8_t)test_below(&rng, 6);
            pixels[y * 67 + x] = v;
            turned[(66 - x) * 41 + y] = v;
        }
    rug_image a = test_u8(pixels, 0, 41, 67), b = test_u8(turned, 0, 67, 41);
    rug_context *ctx = test_context();
    const rug_lbp_operator ops[] = {
        {8, 1, NULL, 0}, {16, 2, NULL, 0}, {24, 3, NULL, 0}, {12, 2.5, NULL, 0}};
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    opts.operators = ops;
    opts.n_operators = 4;
    opts.exact = RUG_LBP_EXACT_DECIMAL;
    rug_lbp_result *r = must_lbp(ctx, &a, &opts), *s = must_lbp(ctx, &b, &opts);
    for (size_t i = 0; i < 4; i++) {
        const rug_lbp_histogram *h = rug_lbp_at(r, i), *k = rug_lbp_at(s, i);
        assert_int_equal(h->pixels, 41 * 67);
        assert_memory_equal(h->bins, k->bins, h->n_bins * sizeof *h->bins);
    }
    rug_lbp_free(r);
    rug_lbp_free(s);
    rug_context_free(ctx);
}

/* How many pixels of a part, whose circles lie in it, have other codes than in the whole. */
static size_t count_other_codes(const codes *whole, const codes *part, size_t y0,
                                size_t x0, size_t reach)
{
    size_t n = 0;
    for (size_t y = reach; y + reach < part->ny; y++)
        for (size_t x = reach; x + reach < part->nx; x++)
            n += part->at[y * part->nx + x] != whole->at[(y0 + y) * whole->nx + x0 + x];
    return n;
}

/* Ties of flat places go by coordinates: those of the whole image, where the part says its own. */
static void parts_have_codes_of_the_whole(void **state)
{
    (void)state;
    enum { NY = 300, NX = 160, Y0 = 250, X0 = 101 };
    static double pixels[NY * NX];
    for (size_t i = 0; i < NY * NX; i++) /* squares of a grey each */
        pixels[i] = 0.1 * (double)((i / NX / 10 * 31 + i % NX / 10 * 7) % 256);
    rug_context *ctx = test_context();
    rug_image whole;
    assert_int_equal(
        rug_image_view(ctx, &whole, pixels, RUG_F64, 2, (const size_t[]){NY, NX}),
        RUG_OK);
    rug_image part = whole;
    part.data = pixels + Y0 * NX + X0;
    part.shape[0] = NY - Y0;
    part.shape[1] = NX - X0;
    const rug_lbp_operator op = {24, 3, NULL, 0};
    for (int level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++) {
        rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
        rug_lbp_options opts = options_of(&op, RUG_LBP_DEFAULT);
        codes all = map_of(ctx, &whole, opts), alone = map_of(ctx, &part, opts);
        opts.origin[0] = Y0;
        opts.origin[1] = X0;
        codes placed = map_of(ctx, &part, opts);
        assert_int_equal(count_other_codes(&all, &placed, Y0, X0, 3), 0);
        assert_true(count_other_codes(&all, &alone, Y0, X0, 3) > 0);
        free(all.at);
        free(alone.at);
        free(placed.at);
    }
    rug_lbp_options opts = options_of(&op, RUG_LBP_DEFAULT);
    opts.origin[1] = UINT64_C(1) << 53;
    assert_int_equal(rug_lbp_check_options(ctx, &opts), RUG_E_ARG);
    assert_non_null(strstr(rug_context_error(ctx), "below 2^53"));
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_images),
        cmocka_unit_test(flat_images_of_skimage),
        cmocka_unit_test(golden_codes),
        cmocka_unit_test(levels_agree),
        cmocka_unit_test(decimal_is_exact),
        cmocka_unit_test(float_is_near),
        cmocka_unit_test(quarter_turns),
        cmocka_unit_test(parts_have_codes_of_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
