/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Every number of a text of points is the double nearest to what is written, as strtod()
 * rounds it: known hard cases, then random ones in many notations, then the middles
 * between two doubles. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include "points_support.h"
#include <inttypes.h>
#include <math.h>

#define SEED     UINT64_C(0xD1B54A32D192ED03)
#define N_RANDOM 60000

/* splitmix64 */
static uint64_t next(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* Reads a text of one number a line, a point in the first one, and compares all of them
 * with strtod(). Bits count, but for the sign of zero. */
static void assert_as_strtod(scratch *here, const char *text)
{
    rug_point_file *file =
        must_read_points(put_bytes(here, "numbers.txt", text, strlen(text)));
    const rug_points *points = rug_point_file_points(file);
    size_t i = 0;
    assert_int_equal(points->dtype, RUG_F64);
    for (const char *at = text; *at != '\0'; i++) {
        char *end;
        double expected = strtod(at, &end), got = coordinate(file, i, 0);
        int same = memcmp(&got, &expected, sizeof got) == 0;
        if (!same && !(fpclassify(got) == FP_ZERO && fpclassify(expected) == FP_ZERO))
            fail_msg("seed %" PRIx64 ": %.*s gives %a, %a expected", SEED,
                     (int)(end - at), at, got, expected);
        assert_int_equal(*end, '\n');
        at = end + 1;
    }
    assert_int_equal(points->n, i);
    rug_point_file_free(file);
}

static void hard_cases(void **state)
{
    assert_as_strtod(*state, "0.1\n-0.0\n0\n1e22\n1e23\n9007199254740993\n"
                             "9007199254740992.5\n9007199254740993.0\n"
                             "9007199254740993.0000000000000000001\n"
                             "9007199254740991e22\n9007199254740993e22\n1e-22\n3e-23\n"
                             "8.5e-27\n8.5e27\n1e28\n1e-28\n"
                             "2.2250738585072011e-308\n2.2250738585072014e-308\n"
                             "4.9e-324\n2.4703282292062327e-324\n1e-400\n"
                             "1.7976931348623157e308\n"
                             "18446744073709551615\n18446744073709551616\n"
                             "9999999999999999999\n9999999999999999999e-27\n"
                             "99999999999999999999\n-9223372036854775809\n"
                             "0.000000000000000000000000000000000000000000000001\n"
                             "0000000000000000000000000000000000000000.5\n"
                             "1e0000000000000000000000000000005\n"
                             "0e99999\n0.5e-0\n"
                             "6.02214076e+23\n1.602176634e-19\n");
}

/* Writes a random number in one of several notations. */
static int write_random(char *at, size_t size, uint64_t *state)
{
    uint64_t bits = next(state), kind = next(state) % 7;
    uint64_t digits = bits >> next(state) % 64;
    int exponent = (int)(next(state) % 61) - 30;
    double real;
    memcpy(&real, &bits, sizeof real);
    if (kind == 0 && isfinite(real)) /* any double */
        return snprintf(at, size, "%.17g\n", real);
    if (kind == 1) /* as NumPy writes them */
        return snprintf(at, size, "%.18e\n", (double)digits * pow(10, exponent));
    if (kind == 2) /* of few digits */
        return snprintf(at, size, "%" PRId64 ".%03d\n", (int64_t)digits / 4,
                        (int)(bits % 1000));
    if (kind == 3)
        return snprintf(at, size, "-%.9f\n", (double)(digits >> 20) / 1048576);
    if (kind == 4)
        return snprintf(at, size, "%" PRIu64 "\n", digits);
    if (kind == 5)
        return snprintf(at, size, "0.%019" PRIu64 "\n",
                        digits % UINT64_C(10000000000000000000));
    return snprintf(at, size, "%" PRIu64 "e%d\n", digits, exponent);
}

static void random_numbers(void **state)
{
    const size_t room = N_RANDOM * 48;
    char *text = malloc(room);
    uint64_t random = SEED;
    assert_non_null(text);
    size_t n = (size_t)sprintf(text, "0.5\n");
    for (int i = 0; i < N_RANDOM; i++) {
        n += (size_t)write_random(text + n, room - n, &random);
        assert_true(n < room);
    }
    assert_as_strtod(*state, text);
    free(text);
}

/* Integers that end in the middle between two doubles, or one beside it, shifted by
 * powers of ten: what two roundings would get wrong. */
static void middles(void **state)
{
    const size_t room = N_RANDOM * 48;
    char *text = malloc(room);
    uint64_t random = SEED + 1;
    assert_non_null(text);
    size_t n = (size_t)sprintf(text, "0.5\n");
    for (int i = 0; i < N_RANDOM; i++) {
        int shift = 1 + (int)(next(&random) % 10);
        uint64_t whole = UINT64_C(1) << (53 + shift) | next(&random) >> (11 - shift);
        whole = (whole >> (shift + 1) << (shift + 1) | UINT64_C(1) << shift) +
                next(&random) % 3 - 1;
        if (whole > UINT64_C(9999999999999999999))
            whole /= 2;
        int exponent = i % 2 ? 0 : (int)(next(&random) % 55) - 27;
        n += (size_t)snprintf(text + n, room - n, "%" PRIu64 ".e%d\n", whole, exponent);
        assert_true(n < room);
    }
    assert_as_strtod(*state, text);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(hard_cases),
        SCRATCH_TEST(random_numbers),
        SCRATCH_TEST(middles),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
