/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Which columns of a text of points are coordinates: those of a header, those that were asked for,
 * and why others are refused. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include "points_support.h"

/* What a header or the caller calls coordinates is taken, the rest is named. */
static void columns(void **state)
{
    static const double pairs[] = {1, 2, 3, 4};
    static const struct {
        const char *text, *columns;
        uint64_t skip_rows;
        const char *taken, *left_out;
    } tables[] = {
        {"\"id\",\"x [nm]\",\"y [nm]\",\"I\"\n9,1,2,9\n9,3,4,9\n", NULL, 0,
         "x [nm], y [nm]", "id, I"},
        {"X\tY\tclass\n1\t2\ta b\n3\t4\t\n", NULL, 0, "X, Y", "class"},
        {",x,y\n0,1,2\n1,3,4\n", NULL, 0, "x, y", "1"},
        {"y(um);x(um)\n2;1\n4;3\n", NULL, 0, "x(um), y(um)", NULL},
        {"x,name,y\n1,\"a, \"\"b\"\"\",2\n3,\"c\",4\n", NULL, 0, "x, y", "name"},
        {"id  x y\n7  1 2\n8  3 4\n", NULL, 0, "x, y", "id"},
        {"x,y,t\n1 2 5\n3 4 6\n", NULL, 0, "x, y", "t"},
        {"x,y\n1,2\n3,4\n", NULL, 0, NULL, NULL},
        {"1,2,9\n3,4,9\n", "1,2", 0, "1, 2", "3"},
        {"2,9,1\n4,9,3\n", " 3 , 1", 0, "3, 1", "2"},
        {"u,v [m],x\n1,2,5\n3,4,6\n", "U,v", 0, "u, v [m]", "x"},
        {"\"x\" \"y\"\n\"1\" 1 2\n\"2\" 3 4\n", "2,3", 0, "2, 3", "1"},
        {"made by a tool, 2020\nx,y,z\n1,2,0\n3,4,0\n", "x,y", 1, "x, y", "z"},
        {"5,6,7,8\n1,2\n3,4\n", NULL, 1, NULL, NULL},
        {"frame,x_nm,y_nm\n9,1,2\n9,3,4\n", NULL, 0, "x_nm, y_nm", "frame"},
        {"\"Position X\",\"Position Y\",\"Unit\"\n1,2,um\n3,4,um\n", NULL, 0,
         "Position X, Position Y", "Unit"},
        {"x,y,x_nm\n1,2,9\n3,4,9\n", NULL, 0, "x, y", "x_nm"},
        {"# id x y\n9 1 2\n9 3 4\n", NULL, 0, "x, y", "id"},
        {"# x y z\n1 2\n3 4\n", NULL, 0, NULL, NULL},
        {"# x X\n1 2\n3 4\n", NULL, 0, NULL, NULL},
        {"# a b c\n1 2 9\n3 4 9\n", "a,b", 0, "a, b", "c"},
        {"# x y\n# made by hand\n1 2\n3 4\n", NULL, 0, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        rug_point_file *file = must_read_columns(
            put_bytes(*state, "a.txt", tables[i].text, strlen(tables[i].text)),
            tables[i].columns, tables[i].skip_rows);
        const rug_point_facts *facts = rug_point_file_get_facts(file);
        assert_points(file, RUG_I64, 2, 2, pairs);
        const char *got[2] = {facts->columns, facts->left_out};
        const char *expected[2] = {tables[i].taken, tables[i].left_out};
        for (int k = 0; k < 2; k++)
            if ((got[k] == NULL) != (expected[k] == NULL) ||
                (got[k] != NULL && strcmp(got[k], expected[k]) != 0))
                fail_msg("table %zu: columns \"%s\", \"%s\" expected", i,
                         got[k] != NULL ? got[k] : "-",
                         expected[k] != NULL ? expected[k] : "-");
        rug_point_file_free(file);
    }
}

static void columns_refused(void **state)
{
    static const struct {
        const char *text, *columns;
        uint64_t skip_rows;
        rug_status status;
        const char *expected;
    } tables[] = {
        {"a,b,c,d\n1,2,3,4\n", NULL, 0, RUG_E_FORMAT,
         "line 2: 4 columns: a, b, c, d, and no header that names x, y, z"},
        {"y,z,a,b\n1,2,3,4\n", NULL, 0, RUG_E_FORMAT, "no header that names x, y, z"},
        {"x,X [um]\n1,2\n", NULL, 0, RUG_E_FORMAT, "x, y or z twice"},
        {"x y\n1 2 3\n", NULL, 0, RUG_E_FORMAT,
         "the header names 2 columns, and line 2 has 3 fields"},
        {"x\n1;2\n", NULL, 0, RUG_E_FORMAT, "the header names 1 column, and line 2"},
        {"x,y,n\n1,2,a\n3,b,c\n", NULL, 0, RUG_E_FORMAT, "line 3: field 2 is 'b'"},
        {"x,y,n\n1,2,a\n3,4\n", NULL, 0, RUG_E_FORMAT, "line 3: 2 fields separated by"},
        {"x,y\n1,2\n", "x,w", 0, RUG_E_ARG, "there is no 'w'"},
        {"u,U\n1,2\n", "u", 0, RUG_E_ARG, "more than one is called 'u'"},
        {"x,y\n1,2\n", "x,1", 0, RUG_E_ARG, "column 1 given twice"},
        {"x,y\n1,2\n", "x,", 0, RUG_E_ARG, "an empty name given"},
        {"x,y\n1,2\n", "", 0, RUG_E_ARG, "an empty name given"},
        {"x,y\n1,2\n", "3", 0, RUG_E_ARG, "3 given; numbers from 1 to 2"},
        {"x,y\n1,2\n", "0", 0, RUG_E_ARG, "0 given; numbers from 1 to 2"},
        {"x,y\n1,2\n", "9999999999", 0, RUG_E_ARG, "9999999999 given; numbers from 1"},
        {"1,2\n", "x", 0, RUG_E_ARG, "'x' given, and no header names the 2 columns"},
        {"1,2\n", NULL, 9, RUG_E_ARG, "9 rows to be skipped of 1;"},
        {"1,2\n", NULL, 1, RUG_E_FORMAT, "no points in 1 line"},
        {"1\n\nC 1 2 3\n", "1", 0, RUG_E_ARG, "columns given for a molecule"},
    };
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        must_refuse_columns(
            put_bytes(*state, "a.txt", tables[i].text, strlen(tables[i].text)),
            tables[i].columns, tables[i].skip_rows, tables[i].status, tables[i].expected);
}

/* A first column that only numbers the points is warned of, where nothing says that it is a
 * coordinate. */
static void index_column(void **state)
{
    static const struct {
        const char *text, *columns;
        int is_warned;
    } tables[] = {
        {",lon,lat\n0,5,6\n1,7,8\n2,9,9\n", NULL, 1},
        {"1 0.5\n2 0.25\n3 0.5\n", NULL, 1},
        {"x,y\n1,5\n2,6\n3,5\n", NULL, 0},
        {"1 5\n2 6\n3 5\n", "1,2", 0},
        {"1 5\n2 6\n4 5\n", NULL, 0},
        {"1\n2\n3\n", NULL, 0},
        {"1 5\n2 6\n", NULL, 0},
    };
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        warning[0] = '\0';
        rug_point_file_free(must_read_columns(
            put_bytes(*state, "a.txt", tables[i].text, strlen(tables[i].text)),
            tables[i].columns, 0));
        if ((strstr(warning, "the first column numbers the points, from ") != NULL) !=
            tables[i].is_warned)
            fail_msg("table %zu: \"%s\"", i, warning);
    }
}

/* Names of any length and number make a text that is cut, never one that is too long. */
static void many_columns(void **state)
{
    size_t n = 0, most = 60000;
    char *text = malloc(2 * most);
    assert_non_null(text);
    n += (size_t)sprintf(text, "x,\xc3\xa9");
    memset(text + n, 'a', 100);
    n += 100;
    for (int i = 0; i < 5000; i++)
        n += (size_t)sprintf(text + n, ",c%d\x01", i);
    text[n++] = '\n';
    n += (size_t)sprintf(text + n, "5,0");
    for (int i = 0; i < 5000; i++)
        n += (size_t)sprintf(text + n, ",1");
    rug_point_file *file = must_read_points(put_bytes(*state, "a.txt", text, n));
    assert_points(file, RUG_I64, 1, 1, (const double[]){5});
    const char *left_out = rug_point_file_get_facts(file)->left_out;
    assert_non_null(strstr(left_out, "aaa..., c0?, c1?"));
    assert_string_equal(left_out + strlen(left_out) - 5, ", ...");
    rug_point_file_free(file);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(columns),
        SCRATCH_TEST(columns_refused),
        SCRATCH_TEST(index_column),
        SCRATCH_TEST(many_columns),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
