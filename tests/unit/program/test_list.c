/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Lists of images: columns, paths, line ends, quotes, and errors that name the line. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include "../io/read_support.h"
#include "tables/list.h"

static cli_list *must_list(scratch *here, const char *text)
{
    cli_list *list = NULL;
    const char *path = put_bytes(here, "list.csv", text, strlen(text));
    if (cli_list_read(ctx, &list, path, 1) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return list;
}

static void must_refuse(scratch *here, const char *text, size_t n, const char *expected)
{
    cli_list *list = (cli_list *)&list;
    const char *path = put_bytes(here, "list.csv", text, n);
    assert_int_equal(cli_list_read(ctx, &list, path, 1), RUG_E_FORMAT);
    assert_null(list);
    if (strstr(rug_context_error(ctx), path) == NULL ||
        strstr(rug_context_error(ctx), expected) == NULL)
        fail_msg("\"%s\" expected: %s", expected, rug_context_error(ctx));
}

static void assert_text(const char *got, const char *expected)
{
    if (expected == NULL)
        assert_null(got);
    else {
        assert_non_null(got);
        assert_string_equal(got, expected);
    }
}

/* Checks a row. */
static void assert_row(const cli_list *list, size_t i, const char *image,
                       const char *mask, const char *class_name)
{
    const cli_list_row *row = &list->rows[i];
    assert_text(row->image, image);
    assert_text(row->mask, mask);
    assert_text(row->class_name, class_name);
}

static void columns_in_any_order(void **state)
{
    cli_list *list = must_list(*state, "image\na.png\nb.png\n");
    assert_int_equal(list->n_rows, 2);
    assert_row(list, 1, "b.png", NULL, NULL);
    cli_list_free(list);
    list = must_list(*state, "class,image,mask\ngrass,a.png,a_mask.png\n,b.png,\n");
    assert_int_equal(list->n_rows, 2);
    assert_row(list, 0, "a.png", "a_mask.png", "grass");
    assert_row(list, 1, "b.png", NULL, NULL);
    cli_list_free(list);
    cli_list_free(NULL);
}

static void paths(void **state)
{
    cli_list *list =
        must_list(*state, "labels,image,mask\nl.png,/abs/a.png,sub/../m.png\n,b.png,\n");
    assert_string_equal(list->rows[0].image, "/abs/a.png");
    assert_string_equal(list->rows[0].mask, "sub/../m.png");
    assert_string_equal(list->rows[0].labels, "l.png");
    assert_string_equal(list->folder, scratch_path(*state, ""));
    assert_null(list->rows[1].labels);
    cli_list_free(list);
    scratch *here = *state; /* a list in the working folder */
    char back[1024];
    assert_non_null(getcwd(back, sizeof back));
    assert_int_equal(chdir(here->folder), 0);
    rug_status status = cli_list_read(ctx, &list, "list.csv", 1);
    assert_int_equal(chdir(back), 0);
    assert_int_equal(status, RUG_OK);
    assert_string_equal(list->folder, "");
    cli_list_free(list);
}

static void other_columns_are_carried(void **state)
{
    cli_list *list = must_list(
        *state,
        "well,image,\"a site\",mask\nA1,a.png,\"3,\"\"x\"\"\n\",m.png\n,b.png,,\n");
    assert_int_equal(list->n_carried, 2);
    assert_string_equal(list->carried[0], "well");
    assert_string_equal(list->carried[1], "a site");
    assert_row(list, 0, "a.png", "m.png", NULL);
    assert_string_equal(list->rows[0].carried[0], "A1");
    assert_string_equal(list->rows[0].carried[1], "3,\"x\"\n");
    assert_row(list, 1, "b.png", NULL, NULL);
    assert_string_equal(list->rows[1].carried[0], "");
    assert_string_equal(list->rows[1].carried[1], "");
    cli_list_free(list);
}

/* The list comes from a pipe, where nothing can be read twice. */
static void standard_input(void **state)
{
    static const char *const texts[] = {"\xef\xbb\xbfimage\r\nsub/a.png\r\nb.png",
                                        "image\nsub/a.png\nb.png\n"};
    int own = dup(STDIN_FILENO);
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        int ends[2];
        cli_list *list = NULL;
        ssize_t n = (ssize_t)strlen(texts[i]);
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], texts[i], (size_t)n), n);
        close(ends[1]);
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        clearerr(stdin);
        assert_int_equal(cli_list_read(ctx, &list, "-", 1), RUG_OK);
        assert_int_equal(list->n_rows, 2);
        assert_row(list, 0, "sub/a.png", NULL, NULL);
        assert_string_equal(list->folder, "");
        cli_list_free(list);
        clearerr(stdin);
        assert_int_equal(cli_list_read(ctx, &list, "-", 1), RUG_E_FORMAT);
        assert_non_null(strstr(rug_context_error(ctx), "standard input: is empty"));
    }
    dup2(own, STDIN_FILENO);
    close(own);
}

static void line_ends_marks_and_blanks(void **state)
{
    static const char *const texts[] = {"image,class\na.png,x\nb.png,y\n",
                                        "image,class\r\na.png,x\r\nb.png,y\r\n",
                                        "image,class\na.png,x\nb.png,y",
                                        "\xef\xbb\xbfimage,class\na.png,x\nb.png,y\n",
                                        "\n\nimage,class\n\na.png,x\n\n\nb.png,y\n\n",
                                        "image,class\ra.png,x\rb.png,y\r",
                                        "image , class\n a.png , x\n b.png,y\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cli_list *list = must_list(*state, texts[i]);
        assert_int_equal(list->n_rows, 2);
        assert_row(list, 0, "a.png", NULL, "x");
        assert_row(list, 1, "b.png", NULL, "y");
        cli_list_free(list);
    }
}

static void quotes(void **state)
{
    cli_list *list =
        must_list(*state, "\"image\",class\n\"a,b \"\"c\"\".png\",\"two\nlines\"\n");
    assert_row(list, 0, "a,b \"c\".png", NULL, "two\nlines");
    cli_list_free(list);
}

static void many_rows(void **state)
{
    char *text = malloc(20000);
    size_t n = (size_t)sprintf(text, "image\n");
    for (int i = 0; i < 1000; i++)
        n += (size_t)sprintf(text + n, "%d.png\n", i);
    cli_list *list = must_list(*state, text);
    free(text);
    assert_int_equal(list->n_rows, 1000);
    assert_row(list, 999, "999.png", NULL, NULL);
    cli_list_free(list);
}

static void errors_name_the_line(void **state)
{
    static const struct {
        const char *text, *expected;
    } lists[] = {
        {"", "is empty"},
        {"\n\n\r\n", "is empty"},
        {"image,class\n", "no rows"},
        {"image,class\n\n\n", "no rows"},
        {"mask,class\nm.png,x\n", "line 1: no column 'image'"},
        {"a.png\nb.png\n", "line 1: no column 'image', and the first is 'a.png'"},
        {"image;class\na.png;x\n", "and the first is 'image;class'"},
        {"Image\na.png\n", "line 1: column 'Image': write it 'image'"},
        {"image,LABELS\na.png,b\n", "line 1: column 'LABELS': write it 'labels'"},
        {"image,well,well\na,b,c\n", "line 1: column 'well' occurs twice"},
        {"image,,well\na,b,c\n", "line 1: column 2 has no name"},
        {"image,well\na.png\n", "line 2: 1 fields; 2 expected"},
        {"image,image\na,b\n", "line 1: column 'image' occurs twice"},
        {"image,class\na.png,x\nb.png\n", "line 3: 1 fields; 2 expected"},
        {"image,class\na.png,x\n\nb.png,y,z\n", "line 4: 3 fields; 2 expected"},
        {"image,class\n  \t\nb.png\n", "line 3: 1 fields"},
        {"image,class\r\na.png,x\r\n\r\nb.png,y,z\r\n", "line 4: 3 fields"},
        {"image,class\na.png,\"two\nlines\"\n,y\n", "line 4: the image is missing"},
        {"image,class\n\"\",x\n", "line 2: the image is missing"},
        {"image,class\na.png,x\"y\n", "line 2: unbalanced quotes"},
        {"image,class\na.png,\"x\"y\n", "line 2: unbalanced quotes"},
        {"image,class\na.png,x\nb.png,\"never closed\n\n\n",
         "line 3: unbalanced quotes"}};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        must_refuse(*state, lists[i].text, strlen(lists[i].text), lists[i].expected);
    must_refuse(*state, "image\na\0b.png\n", 14, "line 2: a zero byte");
    char many[3000] = "image";
    for (int i = 0; i < 1000; i++)
        strcat(many, ",x");
    strcat(many, "\n");
    must_refuse(*state, many, strlen(many), "line 1: 1001 columns; at most 1000");
}

static void what_cannot_be_opened(void **state)
{
    scratch *here = *state;
    cli_list *list = NULL;
    assert_int_equal(cli_list_read(ctx, &list, scratch_path(here, "none.csv"), 1),
                     RUG_E_IO);
    assert_non_null(strstr(rug_context_error(ctx), here->path));
    assert_int_equal(cli_list_read(ctx, &list, here->folder, 1), RUG_E_IO);
    assert_non_null(strstr(rug_context_error(ctx), here->folder));
    assert_int_equal(cli_list_read(ctx, NULL, here->path, 1), RUG_E_ARG);
    assert_int_equal(cli_list_read(ctx, &list, NULL, 1), RUG_E_ARG);
    assert_int_equal(cli_list_read(NULL, &list, here->path, 1), RUG_E_ARG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(columns_in_any_order),
        SCRATCH_TEST(paths),
        SCRATCH_TEST(other_columns_are_carried),
        SCRATCH_TEST(standard_input),
        SCRATCH_TEST(line_ends_marks_and_blanks),
        SCRATCH_TEST(quotes),
        SCRATCH_TEST(many_rows),
        SCRATCH_TEST(errors_name_the_line),
        SCRATCH_TEST(what_cannot_be_opened),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
