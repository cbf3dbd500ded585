/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reports: the exact bytes of CSV, text and a page's data, JSON read back by json-c, and lost memory. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"
#include "tables/report.h"

#include <json-c/json.h>
#include <math.h>

static const char *const columns[] = {"image", "pixels", "dimension",
                                      "flat",  "status", NULL};

/* A name that every writer has to look at: comma, quote, newline, escape, and a byte that
 * is no UTF-8 between two that are one. */
#define HOSTILE "a,\"b\"\nc\x1b[2J\xFF\xC3\xA4.tif"

static cli_record *make_row(const char *image, uint64_t pixels, double dimension,
                            int flat, const char *status)
{
    cli_record *row = cli_record_new();

    assert_non_null(row);
    cli_record_set_text(row, "image", image);
    cli_record_set_integer(row, "pixels", pixels);
    cli_record_set_real(row, "dimension", dimension);
    cli_record_set_bool(row, "flat", flat);
    cli_record_set_text(row, "status", status);
    return row;
}

static void add_counts(cli_record *row)
{
    for (uint64_t size = 1; size <= 4; size *= 2) {
        cli_record *count = cli_record_new();

        cli_record_set_integer(count, "size", size);
        cli_record_append(row, "counts", count);
    }
}

/* Two rows with everything, one that holds but its name. */
static cli_report *make_report(void)
{
    cli_report *report = cli_report_new(columns);
    cli_record *row = make_row("pixel.tif", UINT64_MAX, 1.892789260714372, 0, "ok");
    cli_record *bare = cli_record_new();

    assert_non_null(report);
    add_counts(row);
    cli_report_add(report, row);
    cli_report_add(report, make_row(HOSTILE, 0, (double)NAN, 7, "empty"));
    cli_record_set_text(bare, "image", "");
    cli_report_add(report, bare);
    assert_int_equal(cli_report_rows(report), 3);
    return report;
}

static void write_report(scratch *here, const cli_report *report, const char *name,
                         cli_report_format format)
{
    assert_int_equal(cli_report_write(NULL, report, scratch_path(here, name), format),
                     RUG_OK);
}

static const char expected_csv[] =
    "image,pixels,dimension,flat,status\n"
    "pixel.tif,18446744073709551615,1.892789260714372,false,ok\n"
    "\"a,\"\"b\"\"\nc\x1b[2J\xFF\xC3\xA4.tif\",0,nan,true,empty\n"
    "\"\",nan,nan,nan,nan\n";

static void csv_bytes(void **state)
{
    cli_report *report = make_report();

    write_report(*state, report, "out.csv", CLI_REPORT_CSV);
    assert_file_holds(*state, "out.csv", expected_csv);
    cli_report_free(report);
}

static void csv_quotes_what_needs_it(void **state)
{
    static const char *const names[] = {"plain",  "a,b",    "say \"x\"",
                                        "cr\rlf", "sp ace", NULL};
    cli_report *report = cli_report_new(names);

    write_report(*state, report, "out.csv", CLI_REPORT_CSV);
    assert_file_holds(*state, "out.csv",
                      "plain,\"a,b\",\"say \"\"x\"\"\",\"cr\rlf\",sp ace\n");
    cli_report_free(report);
}

/* Texts that a spreadsheet would run; numbers are none, whichever type they have. */
static void csv_runs_nothing(void **state)
{
    static const char *const names[] = {"a", "=b", NULL};
    static const char *const texts[] = {"=1+1",  "+cmd|' /C calc'!A0",
                                        "-2+3",  "@SUM(A1)",
                                        "\ta",   "\r=a",
                                        "\n=a",  "-",
                                        "'=1",   "a=1",
                                        "-12.5", "+3",
                                        "-1e-7", " =1"};
    cli_report *report = cli_report_new(names);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cli_record *row = cli_record_new();
        cli_record_set_text(row, "a", texts[i]);
        cli_record_set_real(row, "=b", -0.5);
        cli_report_add(report, row);
    }
    write_report(*state, report, "out.csv", CLI_REPORT_CSV);
    assert_file_holds(*state, "out.csv",
                      "a,'=b\n'=1+1,-0.5\n'+cmd|' /C calc'!A0,-0.5\n'-2+3,-0.5\n"
                      "'@SUM(A1),-0.5\n'\ta,-0.5\n\"'\r=a\",-0.5\n\"'\n=a\",-0.5\n"
                      "'-,-0.5\n'=1,-0.5\na=1,-0.5\n-12.5,-0.5\n+3,-0.5\n"
                      "-1e-7,-0.5\n =1,-0.5\n");
    cli_report_free(report);
}

static void text_bytes(void **state)
{
    cli_report *report = make_report();

    write_report(*state, report, "out.txt", CLI_REPORT_TEXT);
    assert_file_holds(
        *state, "out.txt",
        "image                                   pixels  dimension  flat   status\n"
        "pixel.tif                 18446744073709551615    1.89279  false  ok\n"
        "a,\"b\"\\nc\\x1b[2J\\xff\xC3\xA4.tif                     0        nan  "
        "true   empty\n"
        "                                           nan        nan  nan    nan\n");
    cli_report_free(report);
}

static void text_rounds_reals(void **state)
{
    static const struct {
        double value;
        const char *text;
    } known[] = {{1.0 / 3, "0.333333"},       {2e-7 / 3, "6.66667e-8"},
                 {999999.96, "1000000"},      {123456.789, "123457"},
                 {1234567.89, "1234568"},     {0.1 + 0.2, "0.3"},
                 {-1234.5678, "-1234.57"},    {12, "12"},
                 {1e300 / 3, "3.33333e+299"}, {123456789012.3, "123456789012"}};
    static const char *const names[] = {"x", NULL};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        cli_report *report = cli_report_new(names);
        cli_record *row = cli_record_new();
        char expected[64];

        cli_record_set_real(row, "x", known[i].value);
        cli_report_add(report, row);
        write_report(*state, report, "out.txt", CLI_REPORT_TEXT);
        snprintf(expected, sizeof expected, "%*s\n%s\n", (int)strlen(known[i].text), "x",
                 known[i].text);
        assert_file_holds(*state, "out.txt", expected);
        cli_report_free(report);
    }
}

static void columns_do_not_depend_on_rows(void **state)
{
    cli_report *report = cli_report_new(columns);
    cli_record *row = cli_record_new();

    write_report(*state, report, "out.csv", CLI_REPORT_CSV);
    assert_file_holds(*state, "out.csv", "image,pixels,dimension,flat,status\n");
    write_report(*state, report, "out.txt", CLI_REPORT_TEXT);
    assert_file_holds(*state, "out.txt", "image  pixels  dimension  flat  status\n");
    cli_record_set_text(row, "not_a_column", "x");
    cli_record_set_record(row, "image", cli_record_new());
    cli_report_add(report, row);
    write_report(*state, report, "out.csv", CLI_REPORT_CSV);
    assert_file_holds(*state, "out.csv",
                      "image,pixels,dimension,flat,status\nnan,nan,nan,nan,nan\n");
    cli_report_free(report);
}

static json_object *member(json_object *object, const char *name)
{
    json_object *value = NULL;

    if (!json_object_object_get_ex(object, name, &value))
        fail_msg("there is no member %s", name);
    return value;
}

static const char *text_member(json_object *object, const char *name)
{
    return json_object_get_string(member(object, name));
}

static void json_reads_back(void **state)
{
    cli_report *report = make_report();
    json_object *document, *results, *row;

    cli_record_set_text(cli_report_head(report), "version", "0.1.0");
    cli_record_set_signed(cli_report_head(report), "offset", INT64_MIN);
    write_report(*state, report, "out.json", CLI_REPORT_JSON);
    document = json_object_from_file(scratch_path(*state, "out.json"));
    assert_non_null(document);
    assert_string_equal(text_member(document, "version"), "0.1.0");
    assert_true(json_object_get_int64(member(document, "offset")) == INT64_MIN);
    results = member(document, "results");
    assert_int_equal(json_object_array_length(results), 3);
    row = json_object_array_get_idx(results, 0);
    assert_true(json_object_get_uint64(member(row, "pixels")) == UINT64_MAX);
    assert_true(json_object_get_double(member(row, "dimension")) == 1.892789260714372);
    assert_true(json_object_is_type(member(row, "flat"), json_type_boolean));
    assert_int_equal(json_object_array_length(member(row, "counts")), 3);
    row = json_object_array_get_idx(results, 1);
    assert_null(member(row, "dimension"));
    assert_string_equal(text_member(row, "image"),
                        "a,\"b\"\nc\x1b[2J\xEF\xBF\xBD\xC3\xA4.tif");
    row = json_object_array_get_idx(results, 2);
    assert_int_equal(json_object_object_length(row), 1);
    json_object_put(document);
    cli_report_free(report);
}

/* Takes out the blanks, which differ between versions of json-c. */
static char *read_compact(scratch *here, const char *name)
{
    char *text = scratch_read(here, name, NULL);
    char *to = text;

    for (const char *from = text; *from != '\0'; from++)
        if (*from != ' ' && *from != '\n')
            *to++ = *from;
    *to = '\0';
    return text;
}

static void json_text(void **state)
{
    cli_report *report = cli_report_new(columns);
    cli_record *row = make_row("dir/pixel.tif", 12, 0.1, 1, NULL);
    char *text;

    cli_record_set_real(row, "infinite", -HUGE_VAL);
    cli_record_set_integer(row, "pixels", 13);
    cli_report_add(report, row);
    cli_record_set_text(cli_report_head(report), "version", "0.1.0");
    write_report(*state, report, "out.json", CLI_REPORT_JSON);
    text = read_compact(*state, "out.json");
    assert_string_equal(
        text, "{\"version\":\"0.1.0\",\"results\":[{\"image\":\"dir/pixel.tif\","
              "\"pixels\":13,\"dimension\":0.1,\"flat\":true,\"status\":null,"
              "\"infinite\":null}]}");
    free(text);
    cli_report_free(report);
}

/* Lists of numbers: whole ones as they are, undefined ones null; `nan` in tables. */
static void lists_of_numbers(void **state)
{
    static const char *const names[] = {"bins", NULL};
    static const uint64_t bins[] = {0, UINT64_MAX};
    static const double shares[] = {0.1, (double)NAN, -0.0, 1e300};
    cli_report *report = cli_report_new(names);
    cli_record *row = cli_record_new();
    char *text;

    cli_record_set_integers(row, "bins", bins, 2);
    cli_record_set_reals(row, "shares", shares, 4);
    cli_record_set_integers(row, "none", NULL, 0);
    cli_record_set_reals(NULL, "shares", shares, 4);
    cli_report_add(report, row);
    write_report(*state, report, "out.json", CLI_REPORT_JSON);
    text = read_compact(*state, "out.json");
    assert_string_equal(text, "{\"results\":[{\"bins\":[0,18446744073709551615],"
                              "\"shares\":[0.1,null,0,1e+300],\"none\":[]}]}");
    free(text);
    write_report(*state, report, "out.csv", CLI_REPORT_CSV);
    assert_file_holds(*state, "out.csv", "bins\nnan\n");
    cli_report_free(report);
}

/* Each sequence is wrong at its first byte in another way; the rest is as many wrong
 * bytes. */
static void json_is_utf8(void **state)
{
    static const struct {
        const char *bytes, *text;
    } known[] = {{"\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD"},
                 {"\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
                 {"\xE2\x82", "\xEF\xBF\xBD\xEF\xBF\xBD"},
                 {"\xF8z", "\xEF\xBF\xBDz"},
                 {"\xF4\x90\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
                 {"z\xC2\xB5\xE2\x82\xAC\xF0\x9F\x94\xAC",
                  "z\xC2\xB5\xE2\x82\xAC\xF0\x9F\x94\xAC"},
                 {"\xC2\x9B"
                  "2J\x7F",
                  "\\u009b2J\\u007f"}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        cli_report *report = cli_report_new(columns);
        char expected[128], *text;

        cli_record_set_text(cli_report_head(report), "x", known[i].bytes);
        write_report(*state, report, "out.json", CLI_REPORT_JSON);
        text = read_compact(*state, "out.json");
        snprintf(expected, sizeof expected, "{\"x\":\"%s\",\"results\":[]}",
                 known[i].text);
        assert_string_equal(text, expected);
        free(text);
        cli_report_free(report);
    }
}

/* What a page holds between its own bytes, to be freed. */
static char *read_data(scratch *here, const char *name)
{
    static const char end[] = "</script>";
    char *text = scratch_read(here, name, NULL), *at;

    assert_memory_equal(text, cli_page.begin, (size_t)(cli_page.behind - cli_page.begin));
    memmove(text, text + (cli_page.behind - cli_page.begin),
            strlen(text + (cli_page.behind - cli_page.begin)) + 1);
    at = strstr(text, end);
    assert_non_null(at);
    assert_string_equal(at, cli_page.behind);
    *at = '\0';
    return text;
}

static cli_record *make_bins(const char *image, uint64_t bin)
{
    const uint64_t bins[] = {7, bin};
    cli_record *row = cli_record_new();

    cli_record_set_text(row, "image", image);
    cli_record_set_integers(row, CLI_BINS, bins, 2);
    cli_record_add_text(row, "names", "x");
    cli_record_set_integers(row, CLI_MOMENTS, bins, 2);
    return row;
}

/* The bytes of a page's data: cells as in CSV, rows as in JSON but for what the row before has, pictures. */
static void page_data(void **state)
{
    static const char *const names[] = {"image", "bin_1", "bin_2", NULL};
    cli_report *page = cli_report_new(names), *report = cli_report_new(names);
    cli_record *picture = cli_record_new(), *entry = cli_record_new();
    char *text;

    if (cli_page.behind == NULL)
        skip(); /* it was built without */
    cli_record_set_text(picture, "alt", "</script>&\xE2\x80\xA8");
    cli_record_set_record(entry, CLI_PICTURE, picture);
    cli_record_set_text(cli_report_head(report), "command", "<c>");
    cli_report_share(report, page);
    cli_report_share_head(report);
    cli_report_add(report, make_bins("=1+1", 8));
    cli_report_add(page, entry);
    cli_report_add(report, make_bins("-1", 9));
    write_report(*state, page, "out.html", CLI_REPORT_PAGE);
    text = read_data(*state, "out.html");
    assert_string_equal(
        text, "{\"columns\":[\"image\",\"bin_1\",\"bin_2\"],\n"
              "\"command\":\"\\u003cc\\u003e\",\n\"entries\":[\n"
              "{\"cells\":[\"'=1+1\",\"8\",\"nan\"],"
              "\"row\":{\"image\":\"=1+1\",\"bins\":[7,8],\"names\":[\"x\"]}},\n"
              "{\"picture\":{\"alt\":\"\\u003c/script\\u003e\\u0026\\u2028\"}},\n"
              "{\"cells\":[\"-1\",\"9\",\"nan\"],"
              "\"row\":{\"image\":\"-1\",\"bins\":[7,9]},\"as_before\":[\"names\"]}]}\n");
    free(text);
    write_report(*state, report, "out.csv", CLI_REPORT_CSV);
    assert_file_holds(*state, "out.csv", "image,bin_1,bin_2\n'=1+1,8,nan\n-1,9,nan\n");
    cli_report_free(report);
    cli_report_free(page);
}

static void locale_changes_nothing(void **state)
{
    cli_report *report = make_report();
    char *before;

    write_report(*state, report, "out.json", CLI_REPORT_JSON);
    before = scratch_read(*state, "out.json", NULL);
    cli_report_free(report);
    scratch_speak_german(*state);
    report = make_report();
    write_report(*state, report, "out.csv", CLI_REPORT_CSV);
    write_report(*state, report, "out.json", CLI_REPORT_JSON);
    assert_file_holds(*state, "out.csv", expected_csv);
    assert_file_holds(*state, "out.json", before);
    free(before);
    cli_report_free(report);
}

static void assert_incomplete(scratch *here, const cli_report *report)
{
    for (int format = CLI_REPORT_TEXT; format <= CLI_REPORT_PAGE; format++)
        assert_int_equal(cli_report_write(NULL, report, scratch_path(here, "out"),
                                          (cli_report_format)format),
                         RUG_E_NOMEM);
    assert_int_equal(scratch_count(here), 0);
}

/* NULL is what cli_record_new() gives when memory runs out; nothing may crash on it, nor
 * may the report pass for whole. */
static void lost_records_are_reported(void **state)
{
    cli_report *report = cli_report_new(columns);
    cli_record *row;

    cli_report_add(report, NULL);
    assert_incomplete(*state, report);
    cli_report_free(report);

    report = cli_report_new(columns);
    row = make_row("a", 1, 1, 1, "ok");
    cli_record_append(row, "counts", NULL);
    cli_record_set_text(row, "image", "after");
    cli_report_add(report, row);
    assert_incomplete(*state, report);
    cli_report_free(report);

    report = cli_report_new(columns);
    cli_record_set_record(cli_report_head(report), "parameters", NULL);
    assert_incomplete(*state, report);
    cli_report_free(report);
}

static void null_records_are_ignored(void **state)
{
    (void)state;
    cli_record_set_text(NULL, "a", "b");
    cli_record_set_integer(NULL, "a", 1);
    cli_record_set_signed(NULL, "a", -1);
    cli_record_set_bool(NULL, "a", 1);
    cli_record_set_real(NULL, "a", 0.5);
    cli_record_set_real(NULL, "a", (double)NAN);
    cli_record_set_record(NULL, "a", cli_record_new());
    cli_record_append(NULL, "a", cli_record_new());
    cli_record_free(NULL);
    cli_report_free(NULL);
}

static void endings(void **state)
{
    static const struct {
        const char *path;
        rug_status status;
        cli_report_format format;
    } known[] = {{"a.csv", RUG_OK, CLI_REPORT_CSV},
                 {"x.y/A.CSV", RUG_OK, CLI_REPORT_CSV},
                 {"a.json", RUG_OK, CLI_REPORT_JSON},
                 {"a.Txt", RUG_OK, CLI_REPORT_TEXT},
                 {"a.csv.gz", RUG_E_ARG, 0},
                 {"csv", RUG_E_ARG, 0},
                 {"", RUG_E_ARG, 0},
                 {NULL, RUG_E_ARG, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        cli_report_format format = CLI_REPORT_JSON;

        assert_int_equal(cli_report_format_of(NULL, &format, known[i].path),
                         known[i].status);
        assert_int_equal(format, known[i].format);
    }
}

static void bad_arguments(void **state)
{
    cli_report *report = make_report();
    const char *path = scratch_path(*state, "out");

    assert_int_equal(cli_report_write(NULL, NULL, path, CLI_REPORT_CSV), RUG_E_ARG);
    assert_int_equal(cli_report_write(NULL, report, path, (cli_report_format)4),
                     RUG_E_ARG);
    assert_int_equal(cli_report_write(NULL, report, "", CLI_REPORT_CSV), RUG_E_ARG);
    assert_int_equal(scratch_count(*state), 0);
    cli_report_free(report);
}

#define WITH_SCRATCH(test) \
    cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(csv_bytes),
        WITH_SCRATCH(csv_quotes_what_needs_it),
        WITH_SCRATCH(text_bytes),
        WITH_SCRATCH(text_rounds_reals),
        WITH_SCRATCH(columns_do_not_depend_on_rows),
        WITH_SCRATCH(json_reads_back),
        WITH_SCRATCH(json_text),
        WITH_SCRATCH(lists_of_numbers),
        WITH_SCRATCH(csv_runs_nothing),
        WITH_SCRATCH(json_is_utf8),
        WITH_SCRATCH(page_data),
        WITH_SCRATCH(locale_changes_nothing),
        WITH_SCRATCH(lost_records_are_reported),
        cmocka_unit_test(null_records_are_ignored),
        cmocka_unit_test(endings),
        WITH_SCRATCH(bad_arguments),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
