/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Words and numbers in the texts of files. */

#include "io/base/text.h"
#include "support.h"
#include <string.h>

static void test_letters(void **state)
{
    (void)state;
    assert_true(rugi_same_letters("Micron", "mICRON", 16));
    assert_true(rugi_same_letters("NaN, 3", "nan", 3));
    assert_false(rugi_same_letters("NaN, 3", "nan", 4));
    assert_false(rugi_same_letters("micron", "microns", 16));
    assert_false(rugi_same_letters("[", "{", 1)); /* they differ as A and a do */
    assert_true(rugi_same_letters("\xc2\xb5m", "\xc2\xb5M", 16));
    assert_false(
        rugi_same_letters("\xc5\x8e", "\xc5\x8f", 16)); /* only ASCII has cases */
    assert_true(rugi_same_letters("", "", 16));
}

static void assert_leads(const char *text, double value)
{
    double found = rugi_leading_real(text);
    assert_true(found <= value && found >= value);
}

static void test_leading_real(void **state)
{
    char text[1000];
    (void)state;
    assert_leads("0.65", 0.65);
    assert_leads(" \t-1.5e3 um", -1500);
    assert_leads("0.5em", 0.5); /* the e begins no exponent */
    assert_leads("1.2.3", 1.2);
    assert_leads("7e-", 7);
    assert_leads(".5", 0.5);
    assert_leads("2,5", 2);
    const char *const none[] = {"", " ", "-", ".", "e5", "nan", "inf", "x1", "1e999"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_leads(none[i], 0);
    memset(text, '7', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_leads(text, 0); /* above all doubles */
    text[1] = '.';
    assert_true(rugi_leading_real(text) > 7.7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_letters),
                                       cmocka_unit_test(test_leading_real)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
