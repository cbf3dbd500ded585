/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Families of programs: their sets of options, and that no other is built. */

#include "support.h"

#include "ocl/work/ocl_family.h"
#include <string.h>

static int is_mixed(const int *values)
{
    return values[0] != values[1];
}

static const rugi_ocl_source first = {"first.cl", "int a;", 6};
static const rugi_ocl_source second = {"second.cl", "int b;", 6};
static const rugi_ocl_family family = {.sources = {&first, &second},
                                       .kernels = {"one", "two"},
                                       .options = {{"A", 2, {0, 8}}, {"B", 3, {8, 0, 5}}},
                                       .has = is_mixed,
                                       .no_contract = 1};

static void sets(void **state)
{
    (void)state;
    static const int wanted[6][3] = {{0, 8, 1}, {8, 8, 0}, {0, 0, 0},
                                     {8, 0, 1}, {0, 5, 1}, {8, 5, 1}};
    assert_int_equal(rugi_ocl_family_size(&family), 6);
    for (size_t i = 0; i < 6; i++) {
        int values[RUGI_OCL_OPTIONS_MAX];
        assert_int_equal(rugi_ocl_family_values(&family, i, values), wanted[i][2]);
        assert_memory_equal(values, wanted[i], 2 * sizeof values[0]);
    }
}

static void text_of_a_program(void **state)
{
    (void)state;
    char options[RUGI_OCL_FAMILY_TEXT], all[256] = "";
    rugi_ocl_text text;
    const int values[] = {8, 5};
    const rugi_ocl_build build =
        rugi_ocl_family_build(&family, values, "-DITEMS=4 ", options);
    assert_string_equal(build.options, "-DITEMS=4 -DA=8 -DB=5");
    assert_int_equal(build.n_sources, 2);
    rugi_ocl_build_text(&text, &build);
    for (unsigned i = 0; i < text.n; i++)
        strncat(all, text.pieces[i], text.sizes[i]);
    assert_string_equal(all, "#pragma OPENCL FP_CONTRACT OFF\n"
                             "\n#line 1 \"first.cl\"\nint a;"
                             "\n#line 1 \"second.cl\"\nint b;");
}

/* Before a device is asked: there is none. */
static void refusals(void **state)
{
    (void)state;
    static const struct {
        int values[2];
        const char *kernel;
        const char *error;
    } bad[] = {{{8, 8}, "one", "-DA=8 -DB=8"},
               {{1, 5}, "one", "-DA=1 -DB=5"},
               {{0, 8}, "three", "kernel three"}};
    rug_context *ctx = test_context();
    rugi_ocl_kernel *kernel;
    rugi_ocl_build build;
    char text[RUGI_OCL_FAMILY_TEXT];
    assert_int_equal(
        rugi_ocl_family_program(ctx, &build, &family, (int[]){0, 8}, "two", "", text),
        RUG_OK);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(rugi_ocl_family_get(ctx, NULL, &kernel, &family, bad[i].values,
                                             bad[i].kernel),
                         RUG_E_DEVICE);
        assert_non_null(strstr(rug_context_error(ctx), bad[i].error));
        assert_null(kernel);
    }
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets),
        cmocka_unit_test(text_of_a_program),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
