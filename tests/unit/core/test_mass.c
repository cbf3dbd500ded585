/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pixels to masses: src/core/mass. Known units and totals, refusals, and random images of
 * every dtype against a slow reimplementation. */

#include "support.h"

#include "core/image/mass.h" /* src/core */
#include "memory_support.h"
#include "sample_support.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SEED     20240611
#define N_IMAGES 400

static const rug_foreground no_rule = {RUG_FOREGROUND_NONZERO, 0, 0};

static rug_status resolve(rug_context *ctx, rugi_mass *mass, rugi_mass_facts *facts,
                          const rug_image *img, const rug_image *mask)
{
    rug_source source = source_of_image(img), inside = {0};
    if (mask != NULL)
        inside = source_of_image(mask);
    return rugi_mass_resolve(ctx, mass, facts, &source, mask != NULL ? &inside : NULL, 0,
                             no_rule);
}

/* A row of pixels as an image of two rows of half of them. */
static rug_image view_of(rug_context *ctx, const void *pixels, rug_dtype dtype, size_t n)
{
    rug_image img;
    size_t shape[] = {2, n / 2};
    assert_int_equal(rug_image_view(ctx, &img, pixels, dtype, 2, shape), RUG_OK);
    return img;
}

static void whole_floats_stay_as_they_are(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    const float pixels[] = {0, 1, 4096, 255, 7, -0.0f, 16777216, 3};
    const uint64_t expected[] = {0, 1, 4096, 255, 7, 0, 16777216, 3};
    rug_image img = view_of(ctx, pixels, RUG_F32, 8);
    rugi_mass mass;
    rugi_mass_facts facts;
    uint64_t out[8];
    assert_int_equal(resolve(ctx, &mass, &facts, &img, NULL), RUG_OK);
    rugi_mass_of_pixels(&mass, out, pixels, 8, NULL);
    assert_int_equal(mass.exponent, 0);
    assert_memory_equal(out, expected, sizeof out);
    assert_int_equal(facts.total, 16777216 + 4096 + 255 + 11);
    assert_int_equal(facts.largest, 16777216);
    assert_int_equal(facts.n_pixels, 8);
    assert_int_equal(facts.n_left_out + facts.n_lost, 0);
    rug_context_free(ctx);
}

static void fractions_take_the_smallest_unit(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    const double pixels[] = {0.5, 1e-30, NAN, INFINITY, -INFINITY, 0.25, 0.125, 0};
    rug_image img = view_of(ctx, pixels, RUG_F64, 8);
    rugi_mass mass;
    rugi_mass_facts facts;
    assert_int_equal(resolve(ctx, &mass, &facts, &img, NULL), RUG_OK);
    assert_int_equal(mass.exponent, -61); /* 0.875, or up to 1.1 in their quarters */
    assert_true(facts.total == (uint64_t)7 << 58);
    assert_true(facts.largest == (uint64_t)1 << 60);
    assert_int_equal(facts.n_left_out, 3);
    assert_int_equal(facts.n_lost, 1);
    const double tiny[] = {5e-324, 1e-323, 0, 0};
    img = view_of(ctx, tiny, RUG_F64, 4);
    assert_int_equal(resolve(ctx, &mass, &facts, &img, NULL), RUG_OK);
    assert_int_equal(mass.exponent, -1074);
    assert_int_equal(facts.total, 3);
    const double huge[] = {1.7976931348623157e308, 1.7976931348623157e308, 1e300, 1};
    img = view_of(ctx, huge, RUG_F64, 4);
    assert_int_equal(resolve(ctx, &mass, &facts, &img, NULL), RUG_OK);
    assert_in_range(mass.exponent, 963, 965);
    assert_true(facts.total < (uint64_t)1 << 62 && facts.total >= (uint64_t)1 << 60);
    assert_int_equal(facts.n_lost, 1);
    const float halves[] = {0.5f, 1.5f, 2.5f, 0x1p62f};
    img = view_of(ctx, halves, RUG_F32, 4);
    assert_int_equal(resolve(ctx, &mass, &facts, &img, NULL), RUG_OK);
    uint64_t out[4];
    mass.exponent = 0;
    rugi_mass_of_pixels(&mass, out, halves, 4, NULL);
    const uint64_t to_even[] = {0, 2, 2, (uint64_t)1 << 62};
    assert_memory_equal(out, to_even, sizeof out);
    rug_context_free(ctx);
}

static void assert_refused(rug_context *ctx, const rug_image *img, const rug_image *mask,
                           const char *text)
{
    rugi_mass mass;
    rugi_mass_facts facts;
    assert_int_equal(resolve(ctx, &mass, &facts, img, mask), RUG_E_ARG);
    if (strncmp(rug_context_error(ctx), text, strlen(text)) != 0)
        fail_msg("\"%s\" does not begin with \"%s\"", rug_context_error(ctx), text);
}

static void negative_pixels_are_named(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    int16_t pixels[24];
    uint8_t inside[24];
    for (int i = 0; i < 24; i++)
        pixels[i] = (int16_t)(i == 13 || i == 22 ? -i : i);
    memset(inside, 1, sizeof inside);
    rug_image img, mask = test_u8(inside, 0, 4, 6);
    assert_int_equal(
        rug_image_view(ctx, &img, pixels, RUG_I16, 2, (const size_t[]){4, 6}), RUG_OK);
    assert_refused(ctx, &img, NULL, "pixel 2,1 (y,x) is -13: a mass of at least 0 ");
    assert_refused(ctx, &img, &mask, "pixel 2,1 (y,x) is -13: ");
    inside[13] = 0;
    assert_refused(ctx, &img, &mask, "pixel 3,4 (y,x) is -22: ");
    inside[22] = 0;
    rugi_mass mass;
    rugi_mass_facts facts;
    assert_int_equal(resolve(ctx, &mass, &facts, &img, &mask), RUG_OK);
    assert_int_equal(facts.total, 24 * 23 / 2 - 13 - 22);
    assert_int_equal(facts.n_pixels, 22);
    assert_int_equal(
        rug_image_view(ctx, &img, pixels, RUG_I16, 3, (const size_t[]){2, 3, 4}), RUG_OK);
    assert_refused(ctx, &img, NULL, "pixel 1,0,1 (z,y,x) is -13: ");
    float real[4] = {1, 2, NAN, -0.5f};
    img = view_of(ctx, real, RUG_F32, 4);
    assert_refused(ctx, &img, NULL, "pixel 1,1 (y,x) is -0.5: ");
    rug_context_free(ctx);
}

static void totals_have_63_bits(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    uint64_t pixels[] = {INT64_MAX - 3, 1, 1, 1};
    rug_image img = view_of(ctx, pixels, RUG_U64, 4);
    rugi_mass mass;
    rugi_mass_facts facts;
    assert_int_equal(resolve(ctx, &mass, &facts, &img, NULL), RUG_OK);
    assert_true(facts.total == RUGI_MASS_MAX && facts.largest == RUGI_MASS_MAX - 3);
    pixels[2] = 2;
    assert_refused(ctx, &img, NULL,
                   "the masses add up to more than 9223372036854775807;");
    pixels[1] = pixels[2] = UINT64_MAX; /* and sums that wrap */
    assert_refused(ctx, &img, NULL, "the masses add up to more than ");
    rug_context_free(ctx);
}

/* What a slow look at every pixel finds. */
typedef struct naive {
    rugi_mass_facts facts;
    long double total, real_total;
    int has_negative, is_whole;
} naive;

static naive look(const rug_image *img, const rug_image *mask, int is_binary,
                  rug_foreground rule, int exponent)
{
    naive n = {.is_whole = 1};
    for (size_t z = 0; z < (img->ndim == 3 ? img->shape[0] : 1); z++)
        for (size_t y = 0; y < img->shape[img->ndim - 2]; y++)
            for (size_t x = 0; x < img->shape[img->ndim - 1]; x++) {
                if (mask != NULL && test_pixel(mask, z, y, x) == 0)
                    continue;
                long double v = test_pixel(img, z, y, x), m = 0;
                n.facts.n_pixels++;
                if (is_binary) {
                    n.facts.n_left_out += isnan(v) ? 1 : 0;
                    m = test_is_set(rule, v);
                } else if (!isfinite(v)) {
                    n.facts.n_left_out++;
                } else {
                    n.has_negative |= v < 0;
                    n.is_whole &= v == floorl(v);
                    n.real_total += v;
                    m = rintl(ldexpl(v, -exponent));
                    n.facts.n_lost += v > 0 && m == 0;
                }
                n.total += m;
                if (m > (long double)n.facts.largest)
                    n.facts.largest = m < 0x1p64L ? (uint64_t)m : UINT64_MAX;
            }
    n.facts.total =
        n.total >= 0 && n.total <= (long double)RUGI_MASS_MAX ? (uint64_t)n.total : 0;
    return n;
}

static void assert_unit(const rugi_mass *mass, const naive *n, int i)
{
    int is_real = mass->dtype == RUG_F32 || mass->dtype == RUG_F64;
    if (!is_real || mass->is_binary || n->real_total == 0)
        assert_int_equal(mass->exponent, 0);
    else if (n->is_whole && n->real_total < 0x1p61L)
        assert_int_equal(mass->exponent, 0);
    else if (!(n->total < 0x1p62L) ||
             (n->total < 0x1p62L * 0.39L && mass->exponent > RUGI_MASS_EXPONENT_MIN))
        fail_msg("image %d: total %Lg with unit 2^%d", i, n->total, mass->exponent);
}

static void make_positive(sample *s)
{
    size_t size = rug_dtype_size(s->img.dtype); /* little-endian: the sign comes last */
    int is_unsigned = s->img.dtype == RUG_BIT || s->img.dtype == RUG_U8 ||
                      s->img.dtype == RUG_U16 || s->img.dtype == RUG_U32 ||
                      s->img.dtype == RUG_U64;
    const uint8_t *first = s->img.data;
    if (is_unsigned)
        return;
    size_t offset = (size_t)(first - s->buffer) % size;
    for (size_t i = offset + size - 1; i < s->n_bytes; i += size)
        s->buffer[i] &= 0x7f;
}

static void check_random(uint64_t *rng, int i)
{
    rug_context *ctx = test_context();
    rug_context_set_threads(ctx, 1 + i % 4);
    sample s = random_sample(rng);
    if (test_below(rng, 4) != 0)
        make_positive(&s);
    int is_binary = test_below(rng, 3) == 0;
    size_t n_pixels = (size_t)rug_image_pixels(&s.img);
    uint8_t *inside = malloc(n_pixels);
    assert_non_null(inside);
    for (size_t k = 0; k < n_pixels; k++)
        inside[k] = (uint8_t)test_below(rng, 3);
    rug_image view = test_u8(inside, s.img.ndim == 3 ? s.img.shape[0] : 0,
                             s.img.shape[s.img.ndim - 2], s.img.shape[s.img.ndim - 1]);
    const rug_image *mask = test_below(rng, 2) ? &view : NULL;
    rug_source source = source_of_image(&s.img), masked = source_of_image(&view);
    rugi_mass mass;
    rugi_mass_facts facts;
    rug_status status = rugi_mass_resolve(
        ctx, &mass, &facts, &source, mask != NULL ? &masked : NULL, is_binary, s.rule);
    naive n = look(&s.img, mask, is_binary, s.rule, mass.exponent);
    if (n.has_negative || n.total > (long double)RUGI_MASS_MAX) {
        assert_int_equal(status, RUG_E_ARG);
    } else {
        assert_int_equal(status, RUG_OK);
        assert_memory_equal(&facts, &n.facts, sizeof facts);
        assert_unit(&mass, &n, i);
    }
    free(inside);
    free_sample(&s);
    rug_context_free(ctx);
}

static void random_images(void **state)
{
    (void)state;
    uint64_t rng = SEED;
    printf("seed %d\n", SEED);
    for (int i = 0; i < N_IMAGES; i++)
        check_random(&rng, i);
}

static void pixels_outside_have_no_mass(void **state)
{
    (void)state;
    const uint16_t pixels[] = {5, 0, 65535, 9};
    const uint8_t inside[] = {1, 1, 0, 7};
    uint64_t out[4];
    rugi_mass gray = rugi_mass_make(RUG_U16, 0, no_rule, 3);
    assert_int_equal(gray.exponent, 0); /* of floats only */
    rugi_mass_of_pixels(&gray, out, pixels, 4, inside);
    assert_memory_equal(out, ((const uint64_t[]){5, 0, 0, 9}), sizeof out);
    rugi_mass binary = rugi_mass_make(RUG_U16, 1, no_rule, 0);
    rugi_mass_of_pixels(&binary, out, pixels, 4, inside);
    assert_memory_equal(out, ((const uint64_t[]){1, 0, 0, 1}), sizeof out);
}

static int no(void *user)
{
    (void)user;
    return 1;
}

static void failing_memory_and_cancel(void **state)
{
    (void)state;
    const float pixels[] = {1, 2, 3.5f, -4};
    rugi_mass mass;
    rugi_mass_facts facts;
    rug_status status = RUG_E_NOMEM;
    size_t n_fails = 0;
    while (status == RUG_E_NOMEM) {
        memory m = {.fail_at = n_fails + 1};
        rug_context *ctx = test_context();
        rug_image img = view_of(ctx, pixels, RUG_F32, 4);
        memory_hook(ctx, &m);
        status = resolve(ctx, &mass, &facts, &img, NULL);
        n_fails += status == RUG_E_NOMEM;
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
        rug_context_free(ctx);
    }
    assert_int_equal(status, RUG_E_ARG); /* -4, at last */
    assert_int_equal(n_fails, 6);
    rug_context *ctx = test_context();
    rug_image img = view_of(ctx, pixels, RUG_F32, 2);
    rug_context_set_cancel(ctx, no, NULL);
    assert_int_equal(resolve(ctx, &mass, &facts, &img, NULL), RUG_E_CANCELLED);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_floats_stay_as_they_are),
        cmocka_unit_test(fractions_take_the_smallest_unit),
        cmocka_unit_test(negative_pixels_are_named),
        cmocka_unit_test(totals_have_63_bits),
        cmocka_unit_test(random_images),
        cmocka_unit_test(pixels_outside_have_no_mass),
        cmocka_unit_test(failing_memory_and_cancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
