/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Libraries that are loaded when they are needed. */

#include "io/base/library.h"
#include "support.h"
#include <math.h>
#include <string.h>

typedef struct functions {
    __typeof__(cos) *cos;
    __typeof__(sqrt) *sqrt;
} functions;

static const char *const symbols[] = {"cos", "sqrt", NULL};

static void test_loads_once(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static functions f;
    const rugi_library libm = {"libm", "libm.so.6", "libc6", symbols, &f};
    for (int i = 0; i < 2; i++)
        assert_int_equal(rugi_library_load(ctx, &libm, "a.png"), RUG_OK);
    assert_true(f.sqrt(9) <= 3 && f.sqrt(9) >= 3 && f.cos(0) <= 1 && f.cos(0) >= 1);
    rug_context_free(ctx);
}

static void test_missing(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static functions f;
    const rugi_library none = {"libnone", "libnone.so.7", "libnone7", symbols, &f};
    assert_int_equal(rugi_library_load(ctx, &none, "a.png"), RUG_E_UNSUPPORTED);
    const char *error = rug_context_error(ctx);
    assert_non_null(strstr(
        error,
        "a.png: needs libnone, which cannot be loaded; install libnone7 (libnone.so.7: "));
    assert_true(f.cos == NULL);
    rug_context_free(ctx);
}

static void test_too_old(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    static functions f;
    static const char *const others[] = {"cos", "cos_of_tomorrow", NULL};
    const rugi_library old = {"libm", "libm.so.6", "libc6", others, &f};
    assert_int_equal(rugi_library_load(ctx, &old, "a.png"), RUG_E_UNSUPPORTED);
    assert_string_equal(rug_context_error(ctx),
                        "a.png: needs libm, but that of this system has no "
                        "cos_of_tomorrow; install another libc6");
    assert_true(f.cos == NULL && f.sqrt == NULL);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loads_once),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_too_old),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
