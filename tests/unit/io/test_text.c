/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Words and numbers in the texts of files, and how texts are shown. */

#define _POSIX_C_SOURCE 200809L
#include "io/base/text.h"
#include "io/base/utf8.h"
#include "support.h"
#include <stdlib.h>
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

static void assert_shows(const char *text, const char *expected)
{
    char *shown = NULL;
    size_t n;
    FILE *stream = open_memstream(&shown, &n);
    assert_non_null(stream);
    size_t width = rugi_utf8_show(stream, text);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(shown, expected);
    assert_int_equal(rugi_utf8_show(NULL, text), width);
    free(shown);
}

static void test_shown(void **state)
{
    (void)state;
    assert_shows("", "");
    assert_shows("a b\\c\xc3\xa4\xf0\x9f\x98\x80", "a b\\c\xc3\xa4\xf0\x9f\x98\x80");
    assert_int_equal(rugi_utf8_show(NULL, "\xc3\xa4\n"), 3);
    assert_shows("\n\r\t\x1b[2J\x01\x7f", "\\n\\r\\t\\x1b[2J\\x01\\x7f");
    assert_shows("\xc2\x9b", "\\u009b");
    assert_shows("\xe2\x80\xae\xe2\x80\xa8\xe2\x81\xa6", "\\u202e\\u2028\\u2066");
    assert_shows("\xe2\x80\xa6", "\xe2\x80\xa6");
    assert_shows("\x9b\xff\xc3", "\\x9b\\xff\\xc3"); /* bytes that are no UTF-8 */
    assert_shows("\xc0\x8a\xed\xa0\x80", "\\xc0\\x8a\\xed\\xa0\\x80"); /* nor are these */
    assert_shows("\xef\xbf\xbd", "\xef\xbf\xbd");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_letters),
                                       cmocka_unit_test(test_leading_real),
                                       cmocka_unit_test(test_shown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
