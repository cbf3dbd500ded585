/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Rows as bytes: reports that get them write the same, in every form, and bytes that are cut off or
 * changed are refused. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"
#include "tables/report.h"

#include <math.h>

static const char *const columns[] = {"image", "count", "least", "real",
                                      "whole", "flat",  NULL};

static cli_record *make_row(const char *image, double real)
{
    const double reals[] = {0.1, 1e300, (double)NAN, -0.0};
    const uint64_t sizes[] = {1, 2, UINT64_MAX};
    cli_record *row = cli_record_new(), *child = cli_record_new();

    assert_non_null(row);
    cli_record_set_text(row, "image", image);
    cli_record_set_integer(row, "count", UINT64_MAX);
    cli_record_set_signed(row, "least", INT64_MIN);
    cli_record_set_real(row, "real", real);
    cli_record_set_real(row, "whole", 3);
    cli_record_set_bool(row, "flat", 1);
    cli_record_set_text(row, "unit", NULL);
    cli_record_set_text(child, "empty", "");
    cli_record_set_reals(child, "reals", reals, 4);
    cli_record_set_integers(child, "sizes", sizes, 3);
    cli_record_append(row, "nested", child);
    return row;
}

static cli_report *make_report(int n_rows)
{
    cli_report *report = cli_report_new(columns);

    assert_non_null(report);
    for (int i = 0; i < n_rows; i++) {
        cli_report_add(report,
                       make_row("a,\"b\"\n\xFF.tif", 1.892789260714372 / (i + 1)));
        cli_report_note(report, "a warning");
        cli_report_note(report, NULL);
    }
    return report;
}

static char *save(const cli_report *report, size_t *n)
{
    char *bytes = NULL;
    FILE *out = open_memstream(&bytes, n);

    assert_non_null(out);
    cli_report_save(out, report);
    assert_int_equal(fclose(out), 0);
    return bytes;
}

/* Loads from a block of exactly that size. @return whether all was there */
static int load(cli_report *report, const char *bytes, size_t n)
{
    char *copy = malloc(n > 0 ? n : 1);
    cli_bytes from = {.at = (unsigned char *)copy, .end = (unsigned char *)copy + n};

    assert_non_null(copy);
    memcpy(copy, bytes, n);
    cli_report_load(report, &from);
    free(copy);
    return !from.is_short && from.at == from.end;
}

static void must_write(cli_report *report, scratch *here, const char *name, int format)
{
    assert_int_equal(cli_report_write(NULL, report, scratch_path(here, name),
                                      (cli_report_format)format),
                     RUG_OK);
}

static void test_same(void **state)
{
    scratch *here = *state;
    size_t n;

    for (int format = CLI_REPORT_TEXT; format <= CLI_REPORT_JSON; format++) {
        cli_report *report = make_report(3), *other = cli_report_new(columns);
        char *bytes = save(report, &n);

        assert_true(load(other, bytes, n));
        assert_int_equal(cli_report_rows(other), 3);
        must_write(report, here, "a", format);
        must_write(other, here, "b", format);
        char *text = scratch_read(here, "a", NULL);
        assert_file_holds(here, "b", text);
        free(text);
        free(bytes);
        cli_report_free(report);
        cli_report_free(other);
    }
}

static void test_none(void **state)
{
    cli_report *report = make_report(0), *other = make_report(2);
    size_t n;
    char *bytes = save(report, &n);

    (void)state;
    assert_true(load(other, bytes, n));
    assert_int_equal(cli_report_rows(other), 0);
    free(bytes);
    cli_report_free(report);
    cli_report_free(other);
}

/* Bytes that are cut off at any place are too few, and the report is not whole. */
static void test_short(void **state)
{
    scratch *here = *state;
    cli_report *report = make_report(1);
    size_t n;
    char *bytes = save(report, &n);

    for (size_t i = 0; i < n; i++) {
        cli_report *other = cli_report_new(columns);
        assert_false(load(other, bytes, i));
        assert_int_equal(
            cli_report_write(NULL, other, scratch_path(here, "c"), CLI_REPORT_JSON),
            RUG_E_NOMEM);
        cli_report_free(other);
    }
    free(bytes);
    cli_report_free(report);
}

/* Whatever a byte is, nothing beyond the bytes is read. */
static void test_changed(void **state)
{
    cli_report *report = make_report(1);
    size_t n;
    char *bytes = save(report, &n);

    (void)state;
    for (size_t i = 0; i < n; i++)
        for (int change = 1; change < 256; change *= 2) {
            cli_report *other = cli_report_new(columns);
            bytes[i] = (char)(bytes[i] ^ change);
            load(other, bytes, n);
            bytes[i] = (char)(bytes[i] ^ change);
            cli_report_free(other);
        }
    free(bytes);
    cli_report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_same, scratch_setup, scratch_teardown),
        cmocka_unit_test(test_none),
        cmocka_unit_test_setup_teardown(test_short, scratch_setup, scratch_teardown),
        cmocka_unit_test(test_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
