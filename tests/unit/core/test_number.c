/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* rugi_format_real(): known texts, then round trips and shortness on random bit
 * patterns. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/image/number.h"
#include "io_scratch.h"

#include <ctype.h>
#include <float.h>
#include <math.h>

#define SEED     UINT64_C(0x9E3779B97F4A7C15)
#define N_RANDOM 100000

static void sums_with_a_rest(void **state)
{
    (void)state;
    static const struct {
        double value;
        int64_t rest;
        const char *text;
    } known[] = {
        {0.5, 0, "0.5"},
        {9007199254740992.0, 0, "9007199254740992"},
        {9007199254740992.0, 1, "9007199254740993"},
        {-9007199254740992.0, -1, "-9007199254740993"},
        {18446744073709551616.0, -1, "18446744073709551615"},
        {18446744073709551616.0, 0, "1.8446744073709552e+19"},
        {-9223372036854775808.0, 1, "-9223372036854775807"},
        {9007199254740992.0, -9007199254740993, "-1"},
        {0, INT64_MIN, "-9223372036854775808"},
        {1e30, 1, "1e+30"},
        {NAN, 1, "nan"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char text[RUGI_REAL_TEXT_MAX];
        rugi_format_exact(text, known[i].value, known[i].rest);
        assert_string_equal(text, known[i].text);
    }
}

static void known_texts(void **state)
{
    static const struct {
        double value;
        const char *text;
    } known[] = {
        {0.0, "0"},
        {-0.0, "0"},
        {1, "1"},
        {-3, "-3"},
        {100, "100"},
        {1234567, "1234567"},
        {9007199254740993.0, "9007199254740992"},
        {9999999999999998.0, "9999999999999998"},
        {1e16, "1e+16"},
        {1e300, "1e+300"},
        {-1.5e300, "-1.5e+300"},
        {0.1, "0.1"},
        {0.5, "0.5"},
        {-0.25, "-0.25"},
        {1.0 / 3, "0.3333333333333333"},
        {2.0 / 3, "0.6666666666666666"},
        {0.1 + 0.2, "0.30000000000000004"},
        {123.456, "123.456"},
        {0.0001, "0.0001"},
        {0.00001, "0.00001"},
        {0.000001, "1e-6"},
        {1.5e-7, "1.5e-7"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {-DBL_MAX, "-1.7976931348623157e+308"},
        {DBL_MIN, "2.2250738585072014e-308"},
        {5e-324, "5e-324"},
        {1.892789260714372, "1.892789260714372"},
        /* Powers of two whose nearest decimal of 16 digits does not read back. */
        {0x1p-140, "7.174648137343064e-43"},
        {0x1p-1017, "7.120236347223045e-307"},
        {HUGE_VAL, "inf"},
        {-HUGE_VAL, "-inf"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char text[RUGI_REAL_TEXT_MAX];

        rugi_format_real(text, known[i].value);
        assert_string_equal(text, known[i].text);
    }
}

static void nan_of_either_sign(void **state)
{
    char text[RUGI_REAL_TEXT_MAX];

    (void)state;
    rugi_format_real(text, (double)NAN);
    assert_string_equal(text, "nan");
    rugi_format_real(text, copysign((double)NAN, -1));
    assert_string_equal(text, "nan");
}

/* xorshift64* (Vigna 2016). */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545F4914F6CDD1D);
}

/* Significant digits of a text, without zeros at either end. */
static int count_digits(const char *text)
{
    int n = 0, n_significant = 0;

    for (; *text != '\0' && *text != 'e'; text++) {
        if (isdigit((unsigned char)*text) && (*text != '0' || n > 0))
            n++;
        if (isdigit((unsigned char)*text) && *text != '0')
            n_significant = n;
    }
    return n_significant;
}

/* What a reader in the C locale makes of a text, without leaving the locale in force. */
static double read_number(const char *text)
{
    char *mark = strdup(text);
    double value;

    assert_non_null(mark);
    if (strchr(mark, '.') != NULL)
        *strchr(mark, '.') = localeconv()->decimal_point[0];
    value = strtod(mark, NULL);
    free(mark);
    return value;
}

static void check_round_trip(double value)
{
    char text[RUGI_REAL_TEXT_MAX], shorter[64];
    double back;
    int n_digits;

    rugi_format_real(text, value);
    if (strspn(text, "0123456789.e+-") != strlen(text))
        fail_msg("%a (seed %#llx) prints as %s", value, (unsigned long long)SEED, text);
    back = read_number(text);
    if (memcmp(&back, &value, sizeof back) != 0)
        fail_msg("%a (seed %#llx) reads back from %s as %a", value,
                 (unsigned long long)SEED, text, back);
    n_digits = count_digits(text);
    if (n_digits == 1)
        return;
    snprintf(shorter, sizeof shorter, "%.*e", n_digits - 2, value);
    if (strtod(shorter, NULL) == value)
        fail_msg("%a (seed %#llx) prints as %s, but %s would do", value,
                 (unsigned long long)SEED, text, shorter);
}

static void check_random(void)
{
    uint64_t random = SEED;
    int n_checked = 0;

    for (int i = 0; i < N_RANDOM; i++) {
        uint64_t bits = next_random(&random);
        double value;

        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value) || value == 0)
            continue;
        check_round_trip(value);
        n_checked++;
    }
    assert_true(n_checked > N_RANDOM * 9 / 10);
}

static void random_bit_patterns(void **state)
{
    (void)state;
    check_random();
}

/* Few digits, as measured data often have. */
static void short_decimals(void **state)
{
    uint64_t random = SEED;

    (void)state;
    for (int i = 0; i < N_RANDOM / 10; i++) {
        int mantissa = (int)(next_random(&random) % 100000) + 1;
        int exponent = (int)(next_random(&random) % 40) - 20;
        char text[RUGI_REAL_TEXT_MAX];

        snprintf(text, sizeof text, "%de%d", mantissa, exponent);
        check_round_trip(strtod(text, NULL));
    }
}

/* The digits of a text as it stands, without the point and zeros before them. */
static void take_significant(char *out, const char *text)
{
    for (; *text != '\0' && *text != 'e'; text++)
        if (isdigit((unsigned char)*text))
            *out++ = *text;
    *out = '\0';
}

/* Whether the digits are those that the C library rounds to. */
static void check_rounding(const char *text, double value)
{
    char digits[64] = "1", expected[64] = "1", rounded[64];
    size_t n = strspn(text, "0.");

    take_significant(digits, text + n);
    n = strlen(digits);
    snprintf(rounded, sizeof rounded, "%.*e", (int)n - 1, value);
    take_significant(expected, rounded);
    if (strcmp(digits, expected) != 0 && strtod(rounded, NULL) == value)
        fail_msg("%a (seed %#llx) prints as %s, but %s is nearer", value,
                 (unsigned long long)SEED, text, rounded);
}

/* Results as tables hold them, and sums of few decimals, whose last digits are often 0, 5 or 9. */
static void usual_sizes(void **state)
{
    uint64_t random = SEED;

    (void)state;
    for (int i = 0; i < N_RANDOM / 2; i++) {
        double share = (double)(next_random(&random) >> 11) * 0x1p-53;
        int exponent = (int)(next_random(&random) % 27) - 9;
        double value = share * pow(10, exponent);
        char text[RUGI_REAL_TEXT_MAX];

        if (i % 3 == 0)
            value = (double)(int)(share * 1e6) / 1e3 + 0.1;
        else if (i % 64 == 1)
            value = nextafter(pow(10, exponent), 0);
        if (!(value > 0))
            continue;
        check_round_trip(value);
        rugi_format_real(text, value);
        check_rounding(text, value);
        rugi_format_real_short(text, value);
        if (strtod(text, NULL) < value * (1 - 5.1e-6) ||
            strtod(text, NULL) > value * (1 + 5.1e-6))
            fail_msg("%a (seed %#llx) prints for people as %s", value,
                     (unsigned long long)SEED, text);
    }
}

static void every_power_of_two(void **state)
{
    (void)state;
    for (int k = -1074; k < 1024; k++)
        check_round_trip(ldexp(1, k));
}

static void decimal_comma_never_shows(void **state)
{
    scratch_speak_german(*state);
    known_texts(state);
    check_random();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_with_a_rest),
        cmocka_unit_test(known_texts),
        cmocka_unit_test(nan_of_either_sign),
        cmocka_unit_test(random_bit_patterns),
        cmocka_unit_test(short_decimals),
        cmocka_unit_test(usual_sizes),
        cmocka_unit_test(every_power_of_two),
        cmocka_unit_test_setup_teardown(decimal_comma_never_shows, scratch_setup,
                                        scratch_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
