/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* NRRD, MetaImage and MRC files that other programs wrote (tests/data/README.md): volumes of 3 x
 * 4 x 5 whose values are 100 z + 10 y + x. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include "support.h"
#include "volume_support.h"

static const char *path_of(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/volumes/%s", RUGOSE_TEST_DATA, name);
    return path;
}

/* @param sign  of the values */
static void assert_ramp(const rug_file *file, rug_dtype dtype, double sign)
{
    assert_shape(file, dtype, 3, 4, 5);
    for (size_t z = 0; z < 3; z++)
        for (size_t y = 0; y < 4; y++)
            for (size_t x = 0; x < 5; x++)
                assert_pixel(file, z, y, x, sign * (double)(100 * z + 10 * y + x));
}

static void values_and_spacing(void **state)
{
    static const struct {
        const char *name;
        rug_dtype dtype;
        const char *unit;
    } files[] = {{"pynrrd_u16.nrrd", RUG_U16, "mm"},
                 {"pynrrd_i32.nhdr", RUG_I32, "um"},
                 {"simpleitk_f64.mha", RUG_F64, NULL},
                 {"mrcfile_f16.mrc", RUG_F32, "angstrom"}};
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        rug_file *file = must_read(path_of(files[i].name), NULL);
        const rug_image *m = rug_file_image(file);
        assert_ramp(file, files[i].dtype, 1);
        assert_true(m->spacing[0] == 2 && m->spacing[1] == 0.75 && m->spacing[2] == 0.5);
        assert_true((m->spacing_unit == NULL) == (files[i].unit == NULL));
        if (files[i].unit != NULL)
            assert_string_equal(m->spacing_unit, files[i].unit);
        rug_file_free(file);
    }
}

/* Their space has x to the left and y to the back; NIfTI's the other way. */
static void places(void **state)
{
    (void)state;
    assert_located(path_of("pynrrd_u16.nrrd"), "NRRD", "mm",
                   (const double[]){0, 0, -0.5, -1, 0, -0.75, 0, -2, 2, 0, 0, 3});
    assert_located(path_of("simpleitk_f64.mha"), "MetaImage", "mm",
                   (const double[]){0, 0, -0.5, -1, 2, 0, 0, -2, 0, 0.75, 0, 3});
    assert_located(path_of("mrcfile_f16.mrc"), "MRC", "angstrom",
                   (const double[]){0, 0, 0.5, 1, 0, 0.75, 0, 2, 2, 0, 0, 3});
}

static void channels(void **state)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    (void)state;
    for (opts.channel = 0; opts.channel < 2; opts.channel++) {
        rug_file *file = must_read(path_of("simpleitk_vector.mhd"), &opts);
        assert_ramp(file, RUG_I16, opts.channel == 0 ? 1 : -1);
        rug_file_free(file);
    }
}

static void images_of_a_stack(void **state)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    (void)state;
    for (opts.page = 0; opts.page < 3; opts.page++) {
        rug_file *file = must_read(path_of("mrcfile_stack.mrc.gz"), &opts);
        assert_shape(file, RUG_I16, 0, 4, 5);
        assert_int_equal(rug_file_get_facts(file)->n_pages, 3);
        assert_pixel(file, 0, 3, 4, 100 * opts.page + 34);
        rug_file_free(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_spacing),
        cmocka_unit_test(places),
        cmocka_unit_test(channels),
        cmocka_unit_test(images_of_a_stack),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
