/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Packing pixels: every dtype, rule, CPU level and number of threads, odd lengths, strides,
 * and places, against looking at each pixel. */

#include "support.h"
/* support.h brings cmocka, which this uses */
#include "memory_support.h"
#include "window_support.h"
#include <math.h>

#define N_CASES TEST_CASES(1200)

typedef struct sample {
    rug_image img;
    rug_foreground rule;
    uint8_t *buffer;
} sample;

/* A view of pixels that lie 1..3 apart, or backwards; bits lie side by side. */
static sample draw_sample(uint64_t *seed)
{
    sample s = {.img = {.ndim = 2 + (int)test_below(seed, 2)}};
    rug_image *img = &s.img;
    img->dtype = (rug_dtype)test_below(seed, RUG_N_DTYPES);
    size_t size = rug_dtype_size(img->dtype), n = img->ndim == 3 ? 9 : 20;
    for (int a = 0; a < img->ndim; a++)
        img->shape[a] = (size_t)(1 + test_below(seed, n));
    size_t *nx = &img->shape[img->ndim - 1];
    *nx = (size_t)(1 + test_below(seed, test_below(seed, 20) == 0 ? 40000 : 200));
    size_t step = size == 0 ? 1 : size * (size_t)(1 + test_below(seed, 3) / 2);
    size_t span = size == 0 ? (*nx + 7) / 8 : *nx * step, padded = span + 3;
    size_t n_rows = img->shape[0] * (img->ndim == 3 ? img->shape[1] : 1);
    s.buffer = malloc(n_rows * padded + 1);
    assert_non_null(s.buffer);
    uint64_t style = test_below(seed, 3);
    for (size_t i = 0; i <= n_rows * padded; i++)
        s.buffer[i] = style == 0 ? (uint8_t)test_random(seed)
                                 : (uint8_t)(test_below(seed, 9) == 0 ? 1 : 0);
    img->data = s.buffer + 1; /* pixels need no alignment */
    img->stride[img->ndim - 1] = (ptrdiff_t)step;
    img->stride[img->ndim - 2] = (ptrdiff_t)padded;
    if (img->ndim == 3)
        img->stride[0] = (ptrdiff_t)(padded * img->shape[1]);
    if (size > 0 && test_below(seed, 4) == 0) {
        img->data = s.buffer + 1 + (*nx - 1) * step;
        img->stride[img->ndim - 1] = -(ptrdiff_t)step;
    }
    return s;
}

static rug_foreground draw_rule(uint64_t *seed, const rug_image *img)
{
    static const rug_foreground_kind kinds[] = {
        RUG_FOREGROUND_NONZERO, RUG_FOREGROUND_ABOVE, RUG_FOREGROUND_BELOW,
        RUG_FOREGROUND_LABEL};
    rug_foreground rule = {kinds[test_below(seed, 4)], 0, 0};
    rule.value = (double)test_pixel(img, 0, 0, 0) + (double)test_below(seed, 3) - 1;
    if (isnan(rule.value))
        rule.value = 0;
    return rule;
}

static int bit_at(const rugi_bits *bits, size_t z, size_t y, size_t x)
{
    return (int)(rugi_bits_row(bits, z, y)[x / 64] >> x % 64 & 1);
}

/* The whole field: the image at its place, what was set before, nothing else. */
static void check_bits(const rugi_bits *bits, const sample *s, const size_t first[3],
                       const char *what)
{
    const rug_image *img = &s->img;
    size_t n[3] = {1, 1, 1};
    for (int a = 0; a < img->ndim; a++)
        n[3 - img->ndim + a] = img->shape[a];
    for (size_t z = 0; z < bits->shape[0]; z++)
        for (size_t y = 0; y < bits->shape[1]; y++)
            for (size_t x = 0; x < bits->row_words * 64; x++) {
                size_t at[3] = {z - first[0], y - first[1], x - first[2]};
                int inside = at[0] < n[0] && at[1] < n[1] && at[2] < n[2];
                int expected = x % 11 == 3 && x < bits->shape[2];
                if (inside)
                    expected |=
                        test_is_set(s->rule, test_pixel(img, at[0], at[1], at[2]));
                if (bit_at(bits, z, y, x) != expected)
                    fail_msg("%s: pixel %zu %zu %zu is %d", what, z, y, x, !expected);
            }
}

static void check_sample(rug_context *ctx, const sample *s, const size_t first[3],
                         const char *what)
{
    size_t shape[3] = {0};
    for (int a = 0; a < s->img.ndim; a++)
        shape[a] = s->img.shape[a] + first[3 - s->img.ndim + a] + (size_t)a % 2;
    rugi_predicate predicate = rugi_predicate_make(s->img.dtype, s->rule);
    for (int level = 0; level <= RUG_CPU_MAX; level++) {
        rugi_bits bits;
        rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
        rug_context_set_threads(ctx, 1 + level);
        assert_int_equal(rugi_bits_new(ctx, &bits, s->img.ndim, shape, "field"), RUG_OK);
        for (size_t z = 0; z < bits.shape[0]; z++)
            for (size_t y = 0; y < bits.shape[1]; y++)
                for (size_t x = 3; x < bits.shape[2]; x += 11)
                    rugi_bits_row(&bits, z, y)[x / 64] |= (uint64_t)1 << x % 64;
        assert_int_equal(rugi_bits_add(ctx, &bits, &s->img, &predicate, first), RUG_OK);
        check_bits(&bits, s, first, what);
        rugi_bits_free(ctx, &bits);
    }
}

static void equal_to_pixels(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    for (uint64_t i = 0; i < N_CASES; i++) {
        uint64_t seed = 100 + i;
        sample s = draw_sample(&seed);
        s.rule = draw_rule(&seed, &s.img);
        size_t first[3] = {0};
        for (int a = 3 - s.img.ndim; a < 3; a++)
            first[a] = (size_t)test_below(&seed, a == 2 ? 130 : 3) *
                       (size_t)test_below(&seed, 2);
        char what[128];
        snprintf(what, sizeof what, "case %d: %s, rule %d %g", (int)i,
                 rug_dtype_name(s.img.dtype), (int)s.rule.kind, s.rule.value);
        check_sample(ctx, &s, first, what);
        free(s.buffer);
    }
    rug_context_free(ctx);
}

/* Bits of two fields, and their view as an image. */
static void intersection_and_view(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    uint8_t pixels[2][3 * 5 * 70];
    uint64_t seed = 5;
    for (size_t i = 0; i < sizeof pixels[0]; i++)
        for (int k = 0; k < 2; k++)
            pixels[k][i] = (uint8_t)test_below(&seed, 2);
    rug_image a = test_u8(pixels[0], 3, 5, 70), b = test_u8(pixels[1], 3, 5, 70);
    rugi_bits bits = must_pack(ctx, &a), other = must_pack(ctx, &b);
    rugi_bits_intersect(&bits, &other);
    rug_image view = rugi_bits_view(&bits);
    assert_int_equal(view.ndim, 3);
    for (size_t i = 0; i < sizeof pixels[0]; i++) {
        size_t z = i / 350, y = i / 70 % 5, x = i % 70;
        assert_true(test_pixel(&view, z, y, x) == (pixels[0][i] & pixels[1][i]));
    }
    rugi_bits_free(ctx, &other);
    rugi_bits_free(ctx, &bits);
    rug_context_free(ctx);
}

static void failing_memory(void **state)
{
    (void)state;
    uint8_t pixels[12] = {1};
    rug_image img = test_u8(pixels, 0, 3, 4);
    rugi_predicate predicate =
        rugi_predicate_make(RUG_U8, (rug_foreground){RUG_FOREGROUND_NONZERO, 0, 0});
    size_t first[3] = {0}, huge[2] = {SIZE_MAX / 4, 64};
    for (size_t fail_at = 1; fail_at <= 2; fail_at++) {
        memory m = {.fail_at = fail_at};
        rug_context *ctx = test_context();
        memory_hook(ctx, &m);
        rugi_bits bits;
        rug_status status = rugi_bits_new(ctx, &bits, 2, img.shape, "field");
        assert_int_equal(status, fail_at == 1 ? RUG_E_NOMEM : RUG_OK);
        if (status == RUG_OK)
            assert_int_equal(rugi_bits_add(ctx, &bits, &img, &predicate, first),
                             RUG_E_NOMEM);
        rugi_bits_free(ctx, &bits);
        assert_int_equal(rugi_bits_new(ctx, &bits, 2, huge, "field"), RUG_E_NOMEM);
        assert_int_equal(m.n_live, 0);
        rug_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_to_pixels),
        cmocka_unit_test(intersection_and_view),
        cmocka_unit_test(failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
