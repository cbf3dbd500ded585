/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reading points as text: separators, headers, comments, line ends, molecules, exactness, and a
 * reason for everything that is refused. Every number is the double nearest to what is written, as
 * strtod() rounds it: known hard cases, then random ones in many notations, then the middles between
 * two doubles. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/base/disk.h"
#include "io_scratch.h"
#include "tables/read_line.h"

#include "points_support.h"

#include <inttypes.h>
#include <math.h>

/* ---- Texts ---- */

static rug_point_file *must_text(scratch *here, const char *text)
{
    return must_read_points(put_bytes(here, "a.txt", text, strlen(text)));
}

static void must_refuse_text(scratch *here, const char *text, const char *expected)
{
    must_refuse_points(put_bytes(here, "a.txt", text, strlen(text)), RUG_E_FORMAT,
                       expected);
}

static void endings(void **state)
{
    static const char *const points[] = {"a.csv", "b/A.CSV", "a.tsv", "a.Txt", "x.y.xyz"};
    static const char *const others[] = {"",      "a",    "csv",    "a.csv/b",
                                         "a.npy", "a.cs", "a.csvx", "a.csv "};
    (void)state;
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++)
        assert_int_equal(rugi_path_is_points(points[i]), 1);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_int_equal(rugi_path_is_points(others[i]), 0);
    assert_int_equal(rugi_path_is_points(NULL), 0);
}

/* The same two points in every dress. */
static void every_form(void **state)
{
    static const double expected[] = {1.5, -2, 0.25, 1e3};
    static const struct {
        const char *text;
        char separator;
    } forms[] = {
        {"1.5,-2\n.25,1e3\n", ','},
        {"1.5;-2\n0.25;+1.E3", ';'},
        {"1.5\t-2\n.25\t1e+3\n", '\t'},
        {"1.5 -2\n0.25 1000\n", ' '},
        {"   1.5    -2  \n .25        1e3\n", ' '},
        {"1.5 , -2\n.25\t,\t1e3 \n", ','},
        {" 1.5 \t -2 \n0.25\t1e03\n", '\t'},
        {"1.5 ;\t-2\n00.25;1e3\n", ';'},
        {"1.5,-2\r\n.25,1e3\r\n", ','},
        {"1.5,-2\r\n.25,1e3\r", ','},
        {"\357\273\2771.5,-2\n.25,1e3\n", ','},
        {"\n\n1.5,-2\n \t\n.25,1e3\n\n\n", ','},
        {"# a b c\n1.5,-2\n  # 5,6\n#\n.25,1e3\n#", ','},
        {"x,y\n1.5,-2\n.25,1e3\n", ','},
        {"\xef\xbb\xbf# c\r\n\r\n\"x, in \xc2\xb5m\";y z\r\n1.5;-2\r\n.25;1e3\r\n", ';'},
        {"lon lat (degrees)\n1.5 -2\n.25 1e3\n", ' '},
        {",lon,lat\n1.5 -2\n.25 1e3\n", ' '}};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        rug_point_file *file = must_text(*state, forms[i].text);
        const rug_point_facts *facts = rug_point_file_get_facts(file);
        assert_points(file, RUG_F64, 2, 2, expected);
        assert_int_equal(facts->separator, forms[i].separator);
        assert_string_equal(facts->format, "text");
        assert_int_equal(facts->has_header, i >= 13);
        assert_int_equal(facts->has_elements, 0);
        assert_int_equal(facts->all_whole, 0);
        rug_point_file_free(file);
    }
}

static void facts_and_line(void **state)
{
    rug_point_file *file =
        must_text(*state, "# one\n#two\nx y z\n1 2.5 -3\n\n4 1e9 0.0625\n");
    const rug_point_facts *facts = rug_point_file_get_facts(file);
    assert_int_equal(facts->n_lines, 6);
    assert_int_equal(facts->n_comment_lines, 2);
    const double min[4] = {1, 2.5, -3, 0}, max[4] = {4, 1e9, 0.0625, 0};
    assert_memory_equal(facts->min, min, sizeof min);
    assert_memory_equal(facts->max, max, sizeof max);
    const char *path = ((scratch *)*state)->path;
    char expected[1024];
    snprintf(expected, sizeof expected,
             "read %s: 2 points in 3D f64, x 1..4, y 2.5..1000000000, z -3..0.0625, "
             "header skipped, 2 comment lines, extra",
             path);
    char *line = cli_point_file_read_line(file, NULL, "extra");
    assert_string_equal(line, expected);
    free(line);
    rug_point_file_free(file);
    file = must_read_columns(put_bytes(*state, "a.txt", "1,2,3,4\n#", 9), "1,2,3,4", 0);
    line = cli_point_file_read_line(file, NULL, NULL);
    snprintf(expected, sizeof expected,
             "read %s: 1 point in 4D i64, x 1..1, y 2..2, z 3..3, axis 4 4..4, 1 comment "
             "line",
             path);
    assert_string_equal(line, expected);
    free(line);
    rug_point_file_free(file);
    rug_point_file_free(NULL);
}

static void one_and_ten_axes(void **state)
{
    static const double expected[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    rug_point_file *file = must_text(*state, "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    assert_points(file, RUG_I64, 10, 1, expected);
    assert_int_equal(rug_point_file_get_facts(file)->separator, 0);
    rug_point_file_free(file);
    file = must_text(*state, "value\n 0 \n");
    assert_points(file, RUG_I64, 1, 1, expected);
    rug_point_file_free(file);
    file = must_read_columns(put_bytes(*state, "a.txt", "0,1,2,3,4,5,6,7,8,9", 19),
                             "1,2,3,4,5,6,7,8,9,10", 0);
    assert_points(file, RUG_I64, 1, 10, expected);
    rug_point_file_free(file);
    must_refuse_text(*state, "\n0,1,2,3\n",
                     "line 2: 4 columns, and no header that names x, y, z");
    must_refuse_columns(put_bytes(*state, "a.txt", "0,1,2,3,4,5,6,7,8,9,10", 22),
                        "1,2,3,4,5,6,7,8,9,10,11", 0, RUG_E_ARG, "more than 10 given");
}

/* Integers stay exact when all are; else every number is the nearest double. */
static void large_integers(void **state)
{
    rug_point_file *file = must_text(*state, "9223372036854775807 -9223372036854775808\n"
                                             "9007199254740993 -00000000000000000000007\n"
                                             "+5 -0\n");
    const rug_points *p = rug_point_file_points(file);
    const int64_t whole[] = {INT64_MAX, INT64_MIN, INT64_C(9007199254740993), -7, 5, 0};
    assert_int_equal(p->dtype, RUG_I64);
    assert_int_equal(p->stride[0], 16);
    assert_int_equal(p->stride[1], 8);
    assert_memory_equal(p->data, whole, sizeof whole);
    assert_int_equal(rug_point_file_get_facts(file)->all_whole, 1);
    rug_point_file_free(file);
    static const double nearest[] = {9007199254740992.0, 1, 9223372036854775808.0, 2};
    file = must_text(*state, "9007199254740993,1\n9223372036854775808,2\n");
    assert_points(file, RUG_F64, 2, 2, nearest);
    assert_int_equal(rug_point_file_get_facts(file)->all_whole, 1);
    rug_point_file_free(file);
    static const double mixed[] = {9007199254740992.0, 1, 2, 2.5, 3, 9007199254740996.0};
    file = must_text(*state, "9007199254740993,1\n2,2.5\n3,9007199254740995\n");
    assert_points(file, RUG_F64, 3, 2, mixed);
    assert_int_equal(rug_point_file_get_facts(file)->all_whole, 0);
    rug_point_file_free(file);
    file = must_text(*state, "1.0 2e0\n");
    assert_points(file, RUG_F64, 1, 2, (const double[]){1, 2});
    assert_int_equal(rug_point_file_get_facts(file)->all_whole, 1);
    rug_point_file_free(file);
}

static void molecules(void **state)
{
    static const double water[] = {0, 0, 0.117, 0, 0.757, -0.469, 0, -0.757, -0.469};
    static const char *const texts[] = {
        "3\nwater\nO 0 0 0.117\nH 0 0.757 -0.469\nH 0 -0.757 -0.469\n",
        " 3 \r\n\r\n  O   0 0 .117\r\nH1  0 .757  -.469\r\nH2 0 -.757 -.469\r\n\r\n  \r\n",
        "\357\273\2773\n# 1 2 3\nO\t0\t0\t.117\nH\t0\t.757\t-.469\nH\t0\t-.757\t-.469"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        rug_point_file *file = must_text(*state, texts[i]);
        const rug_point_facts *facts = rug_point_file_get_facts(file);
        assert_points(file, RUG_F64, 3, 3, water);
        assert_int_equal(facts->has_elements, 1);
        assert_int_equal(facts->has_header, 0);
        assert_int_equal(facts->n_comment_lines, 1);
        char *line = cli_point_file_read_line(file, NULL, NULL);
        assert_non_null(strstr(line, ", element symbols skipped, 1 comment line"));
        free(line);
        rug_point_file_free(file);
    }
    must_refuse_text(*state, "3\nwater\nO 0 0 1\nH 0 1 2\n",
                     "line 1 announces 3 atoms, and 2 follow");
    must_refuse_text(*state, "1\nwater\nO 0 0 1\nH 0 1 2\n",
                     "line 4: text after the 1 atoms");
    must_refuse_text(*state, "0\nnothing\nO 0 0 1\n", "line 3: text after the 0 atoms");
    must_refuse_text(
        *state, "2\nwater\nO 0 0 1\nH 0 1\n",
        "line 4: an element symbol and 3 finite numbers separated by blanks");
    must_refuse_text(*state, "2\n\nO 0 0 1\nH 0 1 2 3\n", "line 4: an element");
    must_refuse_text(*state, "2\n\nO 0 0 1\n1 0 1 2\n", "line 4: an element");
    must_refuse_text(*state, "2\n\nO 0 0 1\nH 0 1 nan\n", "line 4: an element");
    must_refuse_text(*state, "2\nwater\n", "line 2: field 1 is 'water'");
}

static void errors_name_the_line(void **state)
{
    static const struct {
        const char *text, *expected;
    } texts[] = {
        {"", "is empty (0 bytes)"},
        {"\xef\xbb\xbf", "no points in 0 lines"},
        {"\n \n", "no points in 2 lines (0 of comments, no header)"},
        {"# a\n#b", "no points in 2 lines (2 of comments, no header)"},
        {"x y\n", "no points in 1 line (0 of comments, a header)"},
        {"x,y\nm,m\n1,2\n", "line 2: field 1 is 'm'; a finite number"},
        {"1,2\n3,4\n5\n",
         "line 3: 1 field separated by commas; 2 expected, as in line 1"},
        {"1 2\n#\n3 4 5\n", "line 3: 3 fields separated by blanks; 2 expected"},
        {"value\n1;2\n3;", "line 3: field 2 is empty"},
        {"1;2\n3", "as in line 1 (is the file cut off?)"},
        {"1\t2\n3\t\n", "line 2: field 2 is empty"},
        {"1\t2\n3\t4\t\n", "line 2: 3 fields separated by tabs"},
        {"1,2\n3;4\n", "line 2: 1 field separated by commas"},
        {"1 2\n3\t4\n", "line 2: 1 field separated by blanks"},
        {"1\t2 3\n", "line 1: field 2 is '2 3'"},
        {"1,2\n,\n", "line 2: field 1 is empty"},
        {"1,2\n3,abc\n", "line 2: field 2 is 'abc'"},
        {"abc,1\n", "line 1: field 1 is 'abc'"},
        {"1,5;2,5\n", "line 1: field 1 is '1,5'; a finite number with a decimal point"},
        {"1,2\n3,nan\n", "line 2: field 2 is 'nan'"},
        {"nan,nan\n1,2\n", "line 1: field 1 is 'nan'"},
        {"x,Inf\n1,2\n", "line 1: field 1 is 'x'"},
        {"NA NULL\n", "line 1: field 1 is 'NA'"},
        {"1 -inf\n", "line 1: field 2 is '-inf'"},
        {"1 1e999\n", "line 1: field 2 is '1e999'"},
        {"1 1e18446744073709551617\n", "line 1: field 2 is '1e184467"},
        {"1 0x10\n", "line 1: field 2 is '0x10'"},
        {"1.2.3\n", "line 1: field 1 is '1.2.3'"},
        {"- -\n", "line 1: field 1 is '-'"},
        {". .\n", "line 1: field 1 is '.'"},
        {"1 2e\n", "line 1: field 2 is '2e'"},
        {"1 2e+\n", "line 1: field 2 is '2e+'"},
        {"1 --2\n", "line 1: field 2 is '--2'"},
        {"1 2 #\n", "line 1: field 3 is '#'"},
        {"\"1\",\"2\"\n\"3\",\"4\"\n", "line 2: field 1 is '\"3\"'"},
        {"1,2\n3,m\xc3\xa9\n", "line 2: field 2 is 'm\?\?'"},
        {"1,2\n3,\x1b[31m\n", "line 2: a byte 0x1b; plain text"},
        {"1,2\n3,123456789012345678901234x\n", "'123456789012345678901234...'"},
        {"1 2\r3 4\r", "line 1: a carriage return within"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        must_refuse_text(*state, texts[i].text, texts[i].expected);
    must_refuse_points(put_bytes(*state, "a.csv", "1,2\n3,4\0\n", 10), RUG_E_FORMAT,
                       "line 2: a zero byte");
    must_refuse_points(put_bytes(*state, "a.csv",
                                 "\377\3761\0,\0"
                                 "2\0\n\0",
                                 10),
                       RUG_E_FORMAT, "line 1: a zero byte");
    must_refuse_points(put_bytes(*state, "a.csv", "# a\0b\n1 2\n", 10), RUG_E_FORMAT,
                       "line 1: a zero byte");
}

/* A line may be as long as the limit, also where it just fills the reader's buffer. */
static void long_lines(void **state)
{
    size_t n = 0, most = 1 << 20;
    char *text = malloc(most);
    assert_non_null(text);
    text[n++] = '\n';
    for (int i = 0; i < 9; i++) {
        n += (size_t)sprintf(text + n, "%d", i);
        memset(text + n, ' ', 65535);
        n += 65533;
        text[n++] = (char)('0' + i);
        text[n++] = '\n';
    }
    rug_point_file *file = must_read_points(put_bytes(*state, "a.txt", text, n));
    assert_points(file, RUG_I64, 9, 2,
                  (const double[]){0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8});
    assert_int_equal(rug_point_file_get_facts(file)->n_lines, 10);
    rug_point_file_free(file);
    memmove(text + n - 1, " \n", 2);
    must_refuse_points(put_bytes(*state, "a.txt", text, n + 1), RUG_E_FORMAT,
                       "line 10: more than 65535 bytes");
    memset(text, '1', most);
    must_refuse_points(put_bytes(*state, "a.txt", text, most), RUG_E_FORMAT,
                       "line 1: more than 65535 bytes");
    must_refuse_points(put_bytes(*state, "a.txt", text, 401), RUG_E_FORMAT,
                       "line 1: field 1 is '1111");
    free(text);
}

/* Many points, whole at first and real at last, of a number of axes that does not divide
 * the blocks. */
static void many_points(void **state)
{
    const int n = 100000;
    for (int with_real = 0; with_real < 2; with_real++) {
        FILE *out = fopen(scratch_path(*state, "many.csv"), "wb");
        assert_non_null(out);
        for (int i = 0; i < n; i++)
            fprintf(out, "%d,%d,%d\n", i, -3 * i, i / 7);
        if (with_real)
            fputs("0.5,0,0\n", out);
        assert_int_equal(fclose(out), 0);
        rug_point_file *file = must_read_points(((scratch *)*state)->path);
        const rug_points *p = rug_point_file_points(file);
        assert_int_equal(p->dtype, with_real ? RUG_F64 : RUG_I64);
        assert_int_equal(p->n, n + with_real);
        for (int i = 0; i < n; i++) {
            assert_true(coordinate(file, (size_t)i, 0) == i);
            assert_true(coordinate(file, (size_t)i, 1) == -3 * i);
            assert_true(coordinate(file, (size_t)i, 2) == i / 7);
        }
        rug_point_file_free(file);
    }
}

static void german(void **state)
{
    scratch_speak_german(*state);
    rug_point_file *file = must_text(*state, "1.5,2.25\n3,1234567890.1234567890123\n");
    assert_points(file, RUG_F64, 2, 2,
                  (const double[]){1.5, 2.25, 3, 1234567890.1234567890123});
    char *line = cli_point_file_read_line(file, NULL, NULL);
    assert_non_null(strstr(line, "x 1.5..3, y 2.25..1234567890"));
    free(line);
    rug_point_file_free(file);
    must_refuse_text(*state, "1,5;2,25\n", "field 1 is '1,5'");
}

static int stop(void *user)
{
    return --*(int *)user < 0;
}

static void cancel(void **state)
{
    int n_steps = 0;
    const char *path = put_bytes(*state, "a.txt", "1 2\n", 4);
    rug_context_set_cancel(ctx, stop, &n_steps);
    rug_point_file *file;
    assert_int_equal(rug_point_file_read(ctx, &file, path), RUG_E_CANCELLED);
    assert_null(file);
    rug_context_set_cancel(ctx, NULL, NULL);
}

static void bad_arguments(void **state)
{
    scratch *here = *state;
    rug_point_file *file = (rug_point_file *)&file;
    assert_int_equal(rug_point_file_read(ctx, &file, NULL), RUG_E_ARG);
    assert_null(file);
    assert_int_equal(rug_point_file_read(ctx, NULL, here->folder), RUG_E_ARG);
    assert_int_equal(rug_point_file_read(NULL, &file, here->folder), RUG_E_ARG);
    must_refuse_points(scratch_path(here, "none.csv"), RUG_E_IO, "cannot be opened");
    must_refuse_points(here->folder, RUG_E_IO, "is a directory");
}

/* Points opened as an image: the error says why that fails. */
static void no_image(void **state)
{
    must_fail(put_bytes(*state, "a.csv", "1,2\n", 4), NULL, RUG_E_FORMAT,
              "its ending suggests points");
}

static void shared_coastline(void **state)
{
    (void)state;
    const char *folder = getenv("RUGOSE_SHARED_DATA");
    char path[1024];
    if (folder == NULL) {
        print_message("SKIPPED: RUGOSE_SHARED_DATA is not set\n");
        skip();
    }
    snprintf(path, sizeof path, "%s/points/gb_coast_xy.tsv", folder);
    rug_point_file *file = must_read_points(path);
    const rug_point_facts *facts = rug_point_file_get_facts(file);
    assert_int_equal(rug_point_file_points(file)->n, 3698);
    assert_int_equal(rug_point_file_points(file)->ndim, 2);
    assert_int_equal(facts->n_comment_lines, 1);
    assert_int_equal(facts->separator, '\t');
    assert_true(coordinate(file, 0, 0) == -1.529055355);
    assert_true(coordinate(file, 0, 1) == 51.616987039);
    rug_point_file_free(file);
}

/* ---- Numbers ---- */

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
        cmocka_unit_test(endings),
        SCRATCH_TEST(every_form),
        SCRATCH_TEST(facts_and_line),
        SCRATCH_TEST(one_and_ten_axes),
        SCRATCH_TEST(large_integers),
        SCRATCH_TEST(molecules),
        SCRATCH_TEST(errors_name_the_line),
        SCRATCH_TEST(long_lines),
        SCRATCH_TEST(many_points),
        SCRATCH_TEST(german),
        SCRATCH_TEST(cancel),
        SCRATCH_TEST(bad_arguments),
        SCRATCH_TEST(no_image),
        cmocka_unit_test(shared_coastline),
        SCRATCH_TEST(hard_cases),
        SCRATCH_TEST(random_numbers),
        SCRATCH_TEST(middles),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
