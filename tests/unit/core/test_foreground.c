/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Foreground rules: as text and back, resolved, and which pixels they set. Otsu's
 * threshold has a test of its own. */

#define _XOPEN_SOURCE 700

#include "support.h"

#include "boxcount_support.h"
#include "io_scratch.h"
#include "memory_support.h"
#include <float.h>
#include <math.h>

static const struct {
    const char *text;
    rug_foreground rule;
} texts[] = {
    {"auto", {RUG_FOREGROUND_AUTO, 0, 0}},
    {"nonzero", {RUG_FOREGROUND_NONZERO, 0, 0}},
    {"otsu", {RUG_FOREGROUND_OTSU, 0, 0}},
    {"otsu-dark", {RUG_FOREGROUND_OTSU_DARK, 0, 0}},
    {"above=103", {RUG_FOREGROUND_ABOVE, 103, 0}},
    {"above=0.5", {RUG_FOREGROUND_ABOVE, 0.5, 0}},
    {"below=-2.25", {RUG_FOREGROUND_BELOW, -2.25, 0}},
    {"label=7", {RUG_FOREGROUND_LABEL, 7, 0}},
    {"above=1e+300", {RUG_FOREGROUND_ABOVE, 1e300, 0}},
    {"label=-9223372036854775808", {RUG_FOREGROUND_LABEL, -9223372036854775808.0, 0}},
    {"above=0", {RUG_FOREGROUND_ABOVE, 0, 0}},
    {"label=9007199254740991", {RUG_FOREGROUND_LABEL, 9007199254740991.0, 0}},
    {"label=9007199254740992", {RUG_FOREGROUND_LABEL, 9007199254740992.0, 0}},
    {"label=9007199254740993", {RUG_FOREGROUND_LABEL, 9007199254740992.0, 1}},
    {"below=-9007199254740993", {RUG_FOREGROUND_BELOW, -9007199254740992.0, -1}},
    {"above=9223372036854775807", {RUG_FOREGROUND_ABOVE, 9223372036854775808.0, -1}},
    {"above=-9223372036854775807", {RUG_FOREGROUND_ABOVE, -9223372036854775808.0, 1}},
    {"label=18446744073709551615", {RUG_FOREGROUND_LABEL, 18446744073709551616.0, -1}},
    {"label=18446744073709551616", {RUG_FOREGROUND_LABEL, 18446744073709551616.0, 0}},
    {"above=18446744073709551617", {RUG_FOREGROUND_ABOVE, 18446744073709551616.0, 0}},
    {"above=-9223372036854775809", {RUG_FOREGROUND_ABOVE, -9223372036854775808.0, 0}},
    {"above=9007199254740993.0", {RUG_FOREGROUND_ABOVE, 9007199254740992.0, 0}},
    {"above=9007199254740993e0", {RUG_FOREGROUND_ABOVE, 9007199254740992.0, 0}},
    {"above=1000000000000000000000", {RUG_FOREGROUND_ABOVE, 1e21, 0}},
    {"above=+000009007199254740993", {RUG_FOREGROUND_ABOVE, 9007199254740992.0, 1}},
};

/* Whether a rule is written as it is in the table. */
static int is_usual(const char *text, rug_foreground rule)
{
    if (strchr(text, '+') != NULL)
        return 0;
    return rule.rest != 0 || (fabs(rule.value) < 1e16 && strstr(text, "3.0") == NULL &&
                              strstr(text, "e0") == NULL);
}

static int equal_rules(rug_foreground a, rug_foreground b)
{
    return a.kind == b.kind && a.value == b.value && a.rest == b.rest;
}

static rug_foreground parsed(rug_context *ctx, const char *text)
{
    rug_foreground rule = {RUG_FOREGROUND_LABEL, NAN, 0};
    if (rug_foreground_parse(ctx, &rule, text) != RUG_OK)
        fail_msg("'%s': %s", text, rug_context_error(ctx));
    return rule;
}

static void check_texts(rug_context *ctx)
{
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char text[RUG_FOREGROUND_TEXT_MAX];
        if (!equal_rules(parsed(ctx, texts[i].text), texts[i].rule))
            fail_msg("'%s' is read as another rule", texts[i].text);
        rug_foreground_format(text, texts[i].rule);
        if (!equal_rules(parsed(ctx, text), texts[i].rule))
            fail_msg("'%s' is written as '%s'", texts[i].text, text);
        if (is_usual(texts[i].text, texts[i].rule))
            assert_string_equal(text, texts[i].text);
    }
}

static void texts_and_back(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    check_texts(ctx);
    assert_true(parsed(ctx, "above=+1.5E2").value == 150);
    assert_true(parsed(ctx, "below=.5").value == 0.5);
    char text[RUG_FOREGROUND_TEXT_MAX];
    rug_foreground_format(text, (rug_foreground){RUG_FOREGROUND_ABOVE, -0.0, 0});
    assert_string_equal(text, "above=0");
    rug_foreground_format(text, (rug_foreground){RUG_FOREGROUND_OTSU, NAN, 0});
    assert_string_equal(text, "otsu");
    rug_context_free(ctx);
}

static void random_thresholds_and_back(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    uint64_t rng = 3;
    for (int i = 0; i < 20000; i++) {
        char text[RUG_FOREGROUND_TEXT_MAX + 1];
        rug_foreground rule = {
            (rug_foreground_kind)(RUG_FOREGROUND_ABOVE + test_below(&rng, 3)), 0, 0};
        uint64_t bits = test_random(&rng);
        memcpy(&rule.value, &bits, sizeof bits);
        if (!isfinite(rule.value))
            continue;
        text[RUG_FOREGROUND_TEXT_MAX] = '#';
        rug_foreground_format(text, rule);
        assert_true(text[RUG_FOREGROUND_TEXT_MAX] == '#');
        if (!equal_rules(parsed(ctx, text), rule))
            fail_msg("%.17g is written as '%s'", rule.value, text);
    }
    rug_context_free(ctx);
}

/* A rule with an infinite threshold is valid, so its text must be, too. */
static void infinite_thresholds_and_back(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static const double values[] = {INFINITY, -INFINITY};
    for (int i = 0; i < 2; i++) {
        char text[RUG_FOREGROUND_TEXT_MAX];
        rug_foreground rule = {RUG_FOREGROUND_ABOVE, values[i], 0};
        rug_foreground_format(text, rule);
        assert_true(equal_rules(parsed(ctx, text), rule));
    }
    rug_context_free(ctx);
}

/* Every whole number of 64 bits, whichever double the rest is added to. */
static void whole_numbers_and_back(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    uint64_t rng = 8;
    for (int i = 0; i < 20000; i++) {
        char text[RUG_FOREGROUND_TEXT_MAX], number[32];
        uint64_t bits = test_random(&rng) >> test_below(&rng, 60);
        int is_signed = i % 2;
        rug_foreground rule = {RUG_FOREGROUND_LABEL, 0, (int64_t)bits};
        if (is_signed) {
            snprintf(number, sizeof number, "label=%lld", (long long)bits);
        } else {
            snprintf(number, sizeof number, "label=%llu", (unsigned long long)bits);
            if (rule.rest < 0)
                rule.value = 18446744073709551616.0;
        }
        rug_foreground read = parsed(ctx, number);
        long double sum = (long double)read.value + read.rest;
        assert_true(sum == (is_signed ? (long double)(int64_t)bits : (long double)bits));
        assert_true(read.value == (double)sum);
        rug_foreground_format(text, read);
        assert_true(equal_rules(parsed(ctx, text), read));
        if (rule.rest != 0)
            rug_foreground_format(text, rule);
        assert_true(equal_rules(parsed(ctx, text), read));
        if (rule.rest != 0)
            assert_string_equal(text, number);
    }
    rug_context_free(ctx);
}

static void kinds_have_names(void **state)
{
    (void)state;
    for (int k = RUG_FOREGROUND_AUTO; k <= RUG_FOREGROUND_OTSU_DARK; k++) {
        const char *name = rug_foreground_kind_name((rug_foreground_kind)k);
        char text[RUG_FOREGROUND_TEXT_MAX];
        rug_foreground_format(text, (rug_foreground){(rug_foreground_kind)k, 1, 0});
        assert_int_equal(strncmp(text, name, strlen(name)), 0);
    }
    assert_string_equal(rug_foreground_kind_name((rug_foreground_kind)7), "?");
    assert_string_equal(rug_foreground_kind_name((rug_foreground_kind)-1), "?");
}

static void texts_in_a_german_locale(void **state)
{
    rug_context *ctx = test_context();
    scratch_speak_german(*state);
    check_texts(ctx);
    rug_foreground rule;
    assert_int_equal(rug_foreground_parse(ctx, &rule, "above=1,5"), RUG_E_ARG);
    rug_context_free(ctx);
}

static void texts_that_are_no_rule(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",          "auto ",       " auto",      "Auto",      "autox",     "aut",
        "auto=1",    "nonzero=1",   "otsu=3",     "above",     "above=",    "above=x",
        "above=1,5", "above=nan",   "above=0x10", "label= 3",  "above=3 ",  "above=1e400",
        "above:3",   "ABOVE=3",     "below=1e",   "label=--1", "above=1;2", "above=1\n",
        "otsu-",     "otsu-dark=3", "=3",         "label==3",  "3",         "above=.",
        "below=1e+", "above =3"};
    rug_context *ctx = test_context();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        rug_foreground rule;
        memset(&rule, 0xff, sizeof rule);
        if (rug_foreground_parse(ctx, &rule, bad[i]) != RUG_E_ARG)
            fail_msg("'%s' is taken as a rule", bad[i]);
        assert_true(equal_rules(rule, (rug_foreground){RUG_FOREGROUND_AUTO, 0, 0}));
        assert_non_null(strstr(rug_context_error(ctx), bad[i]));
        assert_non_null(strstr(rug_context_error(ctx), "above=T"));
    }
    assert_int_equal(rug_foreground_parse(ctx, NULL, "auto"), RUG_E_ARG);
    rug_context_free(ctx);
}

/* Like every other failure, a missing text leaves the rule zeroed. */
static void missing_text_zeroes_the_rule(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_foreground rule = {RUG_FOREGROUND_LABEL, 3, 0};
    assert_int_equal(rug_foreground_parse(ctx, &rule, NULL), RUG_E_ARG);
    assert_true(equal_rules(rule, (rug_foreground){RUG_FOREGROUND_AUTO, 0, 0}));
    rug_context_free(ctx);
}

/* Resolves for a row of doubles; with the range measured there and handed over. */
static rug_foreground resolved(size_t n, const double *pixels, rug_foreground asked)
{
    rug_context *ctx = test_context();
    rug_image img;
    rug_image_range range = RUG_IMAGE_RANGE_INIT;
    rug_foreground a = {RUG_FOREGROUND_LABEL, -1, 0}, b = a;
    assert_int_equal(rug_image_view(ctx, &img, pixels, RUG_F64, 2, (size_t[]){1, n}),
                     RUG_OK);
    assert_int_equal(rug_foreground_resolve(ctx, &a, &img, NULL, asked), RUG_OK);
    assert_int_equal(rug_image_measure_range(ctx, &range, &img), RUG_OK);
    assert_int_equal(rug_foreground_resolve(ctx, &b, &img, &range, asked), RUG_OK);
    assert_true(equal_rules(a, b));
    rug_context_free(ctx);
    return a;
}

#define RESOLVED(kind, ...)                                          \
    resolved(sizeof((const double[]){__VA_ARGS__}) / sizeof(double), \
             (const double[]){__VA_ARGS__}, (rug_foreground){kind, 0, 0})

static void assert_rule(rug_foreground got, rug_foreground_kind kind, double value)
{
    if (got.kind != kind || got.value != value)
        fail_msg("rule %d with %.17g, %d with %.17g expected", (int)got.kind, got.value,
                 (int)kind, value);
}

static void automatic_rules(void **state)
{
    (void)state;
    const rug_foreground_kind a = RUG_FOREGROUND_AUTO;
    assert_rule(RESOLVED(a, 0, 0, 0), RUG_FOREGROUND_NONZERO, 0);
    assert_rule(RESOLVED(a, 7, 7), RUG_FOREGROUND_NONZERO, 0);
    assert_rule(RESOLVED(a, NAN, NAN), RUG_FOREGROUND_NONZERO, 0);
    assert_rule(RESOLVED(a, INFINITY, -INFINITY), RUG_FOREGROUND_NONZERO, 0);
    assert_rule(RESOLVED(a, 3, NAN, 3), RUG_FOREGROUND_NONZERO, 0);
    assert_rule(RESOLVED(a, 3, 9, 3), RUG_FOREGROUND_ABOVE, 9);
    assert_rule(RESOLVED(a, -1, 0), RUG_FOREGROUND_ABOVE, 0);
    assert_rule(RESOLVED(a, 9, NAN, 3, 3), RUG_FOREGROUND_ABOVE, 9);
    assert_rule(RESOLVED(a, -DBL_MAX, DBL_MAX), RUG_FOREGROUND_ABOVE, DBL_MAX);
    rug_foreground many = RESOLVED(a, 0, 1, 99, 100, 1, 0);
    assert_int_equal(many.kind, RUG_FOREGROUND_ABOVE);
    assert_true(many.value > 1 && many.value <= 99);
    assert_true(equal_rules(many, RESOLVED(RUG_FOREGROUND_OTSU, 0, 1, 99, 100, 1, 0)));
}

/* The larger of two numbers that have one nearest double. */
static void automatic_rules_beyond_doubles(void **state)
{
    (void)state;
    static const uint64_t u64[] = {9007199254740992, 9007199254740993, 9007199254740992};
    static const int64_t i64[] = {INT64_MIN + 1, INT64_MIN, INT64_MIN + 1};
    rug_context *ctx = test_context();
    rug_image img;
    rug_foreground rule = RUG_FOREGROUND_INIT;
    assert_int_equal(rug_image_view(ctx, &img, u64, RUG_U64, 2, (size_t[]){1, 3}),
                     RUG_OK);
    assert_int_equal(rug_foreground_resolve(ctx, &rule, &img, NULL, rule), RUG_OK);
    assert_true(
        equal_rules(rule, (rug_foreground){RUG_FOREGROUND_ABOVE, 9007199254740992.0, 1}));
    rule.kind = RUG_FOREGROUND_AUTO;
    assert_int_equal(rug_image_view(ctx, &img, i64, RUG_I64, 2, (size_t[]){1, 3}),
                     RUG_OK);
    assert_int_equal(rug_foreground_resolve(ctx, &rule, &img, NULL, rule), RUG_OK);
    assert_true(equal_rules(
        rule, (rug_foreground){RUG_FOREGROUND_ABOVE, -9223372036854775808.0, 1}));
    /* a range of a caller of another version, and one that says nonsense */
    rug_image_range range = RUG_IMAGE_RANGE_INIT;
    assert_int_equal(rug_image_measure_range(ctx, &range, &img), RUG_OK);
    rule.kind = RUG_FOREGROUND_AUTO;
    range.struct_size = 0;
    assert_int_equal(rug_foreground_resolve(ctx, &rule, &img, &range, rule), RUG_E_ARG);
    range.struct_size = sizeof range;
    range.max = 1e30;
    assert_int_equal(rug_foreground_resolve(ctx, &rule, &img, &range, rule), RUG_E_ARG);
    rug_context_free(ctx);
}

static void otsu_of_few_values(void **state)
{
    (void)state;
    const rug_foreground_kind o = RUG_FOREGROUND_OTSU;
    assert_rule(RESOLVED(o, 0, 0, 0), RUG_FOREGROUND_NONZERO, 0);
    assert_rule(RESOLVED(o, 7, 7), RUG_FOREGROUND_NONZERO, 0);
    assert_rule(RESOLVED(o, NAN), RUG_FOREGROUND_NONZERO, 0);
    static const uint8_t pixels[] = {3, 9, 3, 9, 9, 3};
    rug_context *ctx = test_context();
    rug_image img = test_u8(pixels, 0, 2, 3);
    rug_foreground rule;
    assert_int_equal(
        rug_foreground_resolve(ctx, &rule, &img, NULL, (rug_foreground){o, NAN, 0}),
        RUG_OK);
    assert_rule(rule, RUG_FOREGROUND_ABOVE, 4); /* the lowest level above 3 */
    rug_context_free(ctx);
}

/* As many levels as bytes have, with the one for others: where they begin does not matter. */
static void otsu_of_255_levels(void **state)
{
    (void)state;
    const rug_foreground_kind o = RUG_FOREGROUND_OTSU;
    assert_rule(RESOLVED(o, 0, 0, 1, 253, 254, 254), RUG_FOREGROUND_ABOVE, 2);
    assert_rule(RESOLVED(o, 40, 40, 41, 293, 294, 294), RUG_FOREGROUND_ABOVE, 42);
}

/* What is dark is what Otsu's rule leaves out, but for NaN. */
static void dark_pixels(void **state)
{
    (void)state;
    const rug_foreground_kind o = RUG_FOREGROUND_OTSU, d = RUG_FOREGROUND_OTSU_DARK;
    assert_rule(RESOLVED(d, 0, 0, 0), RUG_FOREGROUND_LABEL, 0);
    assert_rule(RESOLVED(d, 7, 7), RUG_FOREGROUND_LABEL, 0);
    assert_rule(RESOLVED(d, NAN), RUG_FOREGROUND_LABEL, 0);
    rug_foreground bright = RESOLVED(o, 0, 1, 1.5, 99, NAN, 100, INFINITY);
    assert_int_equal(bright.kind, RUG_FOREGROUND_ABOVE);
    assert_rule(RESOLVED(d, 0, 1, 1.5, 99, NAN, 100, INFINITY), RUG_FOREGROUND_BELOW,
                bright.value);
    static const uint8_t pixels[] = {3, 9, 3, 9, 9, 3, 9, 9};
    rug_context *ctx = test_context();
    rug_image img = test_u8(pixels, 0, 2, 4);
    rug_foreground rule;
    assert_int_equal(
        rug_foreground_resolve(ctx, &rule, &img, NULL, (rug_foreground){d, NAN, 0}),
        RUG_OK);
    assert_rule(rule, RUG_FOREGROUND_BELOW, 4);
    rug_context_free(ctx);
}

static void other_rules_come_back(void **state)
{
    (void)state;
    static const double pixels[] = {1, 2, 3};
    for (int k = RUG_FOREGROUND_ABOVE; k <= RUG_FOREGROUND_LABEL; k++) {
        rug_foreground asked = {(rug_foreground_kind)k, 2.5, 0};
        assert_true(equal_rules(resolved(3, pixels, asked), asked));
    }
    rug_foreground nonzero = {RUG_FOREGROUND_NONZERO, 0, 0};
    assert_true(equal_rules(resolved(3, pixels, nonzero), nonzero));
    rug_foreground whole = {RUG_FOREGROUND_LABEL, 0, 9007199254740993};
    assert_true(
        equal_rules(resolved(3, pixels, whole),
                    (rug_foreground){RUG_FOREGROUND_LABEL, 9007199254740992.0, 1}));
    whole = (rug_foreground){RUG_FOREGROUND_ABOVE, 9007199254740992.0, -9007199254740993};
    assert_true(equal_rules(resolved(3, pixels, whole),
                            (rug_foreground){RUG_FOREGROUND_ABOVE, -1, 0}));
}

static void resolve_refuses(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static const uint8_t pixels[] = {1, 2, 3};
    rug_image img = test_u8(pixels, 0, 1, 3), bad = img;
    bad.shape[0] = 0;
    const struct {
        const rug_image *img;
        rug_foreground asked;
    } cases[] = {
        {NULL, {RUG_FOREGROUND_AUTO, 0, 0}},
        {&bad, {RUG_FOREGROUND_AUTO, 0, 0}},
        {&bad, {RUG_FOREGROUND_NONZERO, 0, 0}},
        {&img, {(rug_foreground_kind)7, 0, 0}},
        {&img, {(rug_foreground_kind)-1, 0, 0}},
        {&img, {RUG_FOREGROUND_ABOVE, NAN, 0}},
        {&img, {RUG_FOREGROUND_BELOW, -NAN, 0}},
        {&img, {RUG_FOREGROUND_LABEL, NAN, 0}},
        {&img, {RUG_FOREGROUND_ABOVE, 0.5, 1}},
        {&img, {RUG_FOREGROUND_ABOVE, INFINITY, 1}},
        {&img, {RUG_FOREGROUND_BELOW, 18446744073709551616.0, 1}},
        {&img, {RUG_FOREGROUND_LABEL, -9223372036854775808.0, -1}},
        {&img, {RUG_FOREGROUND_LABEL, 1e30, -1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rug_foreground out;
        memset(&out, 0xff, sizeof out);
        rug_context_fail(ctx, RUG_E_IO, "%s", "");
        assert_int_equal(
            rug_foreground_resolve(ctx, &out, cases[i].img, NULL, cases[i].asked),
            RUG_E_ARG);
        assert_rule(out, RUG_FOREGROUND_AUTO, 0);
        assert_string_not_equal(rug_context_error(ctx), "");
    }
    assert_int_equal(rug_foreground_resolve(ctx, NULL, &img, NULL,
                                            (rug_foreground)RUG_FOREGROUND_INIT),
                     RUG_E_ARG);
    rug_context_free(ctx);
}

/* Every allocation may fail: an error, a zeroed rule, nothing kept. */
static void resolve_without_memory(void **state)
{
    (void)state;
    static const uint8_t pixels[] = {1, 2, 3, 9, 8, 7};
    rug_image img = test_u8(pixels, 0, 2, 3);
    rug_status status = RUG_E_NOMEM;
    size_t k = 1;
    for (; status != RUG_OK; k++) {
        memory m = {.fail_at = k};
        rug_context *ctx = test_context();
        memory_hook(ctx, &m);
        rug_foreground out;
        memset(&out, 0xff, sizeof out);
        status = rug_foreground_resolve(ctx, &out, &img, NULL,
                                        (rug_foreground){RUG_FOREGROUND_OTSU, 0, 0});
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
        if (status != RUG_OK) {
            assert_int_equal(status, RUG_E_NOMEM);
            assert_rule(out, RUG_FOREGROUND_AUTO, 0);
            assert_string_not_equal(rug_context_error(ctx), "");
        }
        rug_context_free(ctx);
    }
    assert_true(k > 3);
}

/* ---- Flags ---- */

/* Rows longer than a segment, of every second pixel, inside a mask with NaN. */
static void flags_of_pixels(void **state)
{
    (void)state;
    enum { NY = 3, NX = 20000 };
    static float pixels[NY][2 * NX], inside[NY][NX];
    static uint8_t flags[NY][NX];
    const size_t shape[2] = {NY, NX};
    rug_image image, mask;
    rug_context *ctx = test_context();
    uint64_t seed = 8;
    for (size_t y = 0; y < NY; y++)
        for (size_t x = 0; x < NX; x++) {
            pixels[y][2 * x] =
                x % 7 == 0 ? (float)NAN : (float)test_below(&seed, 9) - 4.0f;
            inside[y][x] = x % 5 == 0 ? (float)NAN : (float)test_below(&seed, 3);
        }
    rug_image_view(ctx, &image, pixels, RUG_F32, 2, shape);
    image.stride[0] = sizeof pixels[0];
    image.stride[1] = 2 * sizeof pixels[0][0];
    rug_image_view(ctx, &mask, inside, RUG_F32, 2, shape);
    for (int k = 0; k < 2; k++) {
        memset(flags, 0xff, sizeof flags);
        assert_int_equal(
            rug_foreground_flags(ctx, flags[0], &image, k == 1 ? &mask : NULL,
                                 (rug_foreground){RUG_FOREGROUND_BELOW, 1, 0}),
            RUG_OK);
        for (size_t y = 0; y < NY; y++)
            for (size_t x = 0; x < NX; x++)
                assert_int_equal(flags[y][x],
                                 pixels[y][2 * x] < 1 && (k == 0 || inside[y][x] > 0));
    }
    rug_context_free(ctx);
}

static void flags_of_bits(void **state)
{
    (void)state;
    static const uint8_t bits[2][3][2] = {{{0x80, 0x40}, {0xff, 0xc0}, {0, 0}},
                                          {{0x01, 0}, {0xaa, 0x80}, {0, 0x40}}};
    const size_t shape[3] = {2, 3, 10};
    uint8_t flags[60];
    rug_image image;
    rug_context *ctx = test_context();
    rug_image_view(ctx, &image, bits, RUG_BIT, 3, shape);
    assert_int_equal(rug_foreground_flags(ctx, flags, &image, NULL,
                                          (rug_foreground){RUG_FOREGROUND_LABEL, 0, 0}),
                     RUG_OK);
    for (size_t i = 0; i < 60; i++) {
        size_t x = i % 10;
        int bit = bits[i / 30][i / 10 % 3][x / 8] >> (x % 8) & 1;
        assert_int_equal(flags[i], !bit);
    }
    rug_context_free(ctx);
}

static void flags_refuse(void **state)
{
    (void)state;
    static const uint8_t pixels[6] = {1, 0, 1};
    uint8_t flags[6];
    rug_image image = test_u8(pixels, 0, 2, 3), other = test_u8(pixels, 0, 3, 2);
    rug_foreground rule = {RUG_FOREGROUND_NONZERO, 0, 0};
    rug_context *ctx = test_context();
    assert_int_equal(rug_foreground_flags(NULL, flags, &image, NULL, rule), RUG_E_ARG);
    assert_int_equal(rug_foreground_flags(ctx, NULL, &image, NULL, rule), RUG_E_ARG);
    assert_int_equal(rug_foreground_flags(ctx, flags, NULL, NULL, rule), RUG_E_ARG);
    assert_int_equal(rug_foreground_flags(ctx, flags, &image, &other, rule), RUG_E_ARG);
    rule.kind = RUG_FOREGROUND_OTSU;
    assert_int_equal(rug_foreground_flags(ctx, flags, &image, NULL, rule), RUG_E_ARG);
    rule = (rug_foreground){RUG_FOREGROUND_ABOVE, (double)NAN, 0};
    assert_int_equal(rug_foreground_flags(ctx, flags, &image, NULL, rule), RUG_E_ARG);
    rule.kind = RUG_FOREGROUND_NONZERO;
    memory m = {.fail_at = 1};
    memory_hook(ctx, &m);
    assert_int_equal(rug_foreground_flags(ctx, flags, &image, NULL, rule), RUG_E_NOMEM);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_and_back),
        cmocka_unit_test(random_thresholds_and_back),
        cmocka_unit_test(infinite_thresholds_and_back),
        cmocka_unit_test(whole_numbers_and_back),
        cmocka_unit_test(kinds_have_names),
        cmocka_unit_test_setup_teardown(texts_in_a_german_locale, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test(texts_that_are_no_rule),
        cmocka_unit_test(missing_text_zeroes_the_rule),
        cmocka_unit_test(automatic_rules),
        cmocka_unit_test(automatic_rules_beyond_doubles),
        cmocka_unit_test(otsu_of_few_values),
        cmocka_unit_test(otsu_of_255_levels),
        cmocka_unit_test(dark_pixels),
        cmocka_unit_test(other_rules_come_back),
        cmocka_unit_test(resolve_refuses),
        cmocka_unit_test(resolve_without_memory),
        cmocka_unit_test(flags_of_pixels),
        cmocka_unit_test(flags_of_bits),
        cmocka_unit_test(flags_refuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
