/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Lacunarity and differential box counting of real images against tables that were made with
 * numpy and exact fractions. All numbers are equal to the last bit. */

#include "support.h"

#include "dbc_support.h"
#include "golden_support.h"
#include "lacunarity_support.h"
#include <rugose/io.h>

static rug_file *read_file(rug_context *ctx, const char *name)
{
    char path[128];
    rug_file *file = NULL;
    snprintf(path, sizeof path, "%s.png", name);
    if (rug_file_read(ctx, &file, test_data(path), NULL) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return file;
}

static void check_double(double got, const char *expected, const golden_row *row,
                         const char *what)
{
    double e = strtod(expected, NULL);
    if (got < e || got > e)
        fail_msg("%s, %s, size %s: %s %.17g, %s expected", row->field[0], row->field[2],
                 row->field[3], what, got, expected);
}

static void lacunarity_of_images(void **state)
{
    (void)state;
    static lacunarity r;
    FILE *table = golden_open("lacunarity", "file", 8);
    rug_context *ctx = test_context();
    rug_file *file = NULL;
    char name[64] = "";
    golden_row row;
    int n = 0;
    for (; golden_next(table, &row); n++) {
        uint64_t size = strtoull(row.field[3], NULL, 10);
        rug_lacunarity_options opts = RUG_LACUNARITY_OPTIONS_INIT;
        opts.is_gray = strcmp(row.field[1], "grey") == 0;
        opts.foreground.kind = RUG_FOREGROUND_NONZERO;
        opts.boxes = strcmp(row.field[2], "fixed") == 0 ? RUG_LACUNARITY_FIXED
                                                        : RUG_LACUNARITY_GLIDING;
        opts.sizes = &size;
        opts.n_sizes = 1;
        if (strcmp(name, row.field[0]) != 0) {
            rug_file_free(file);
            file = read_file(ctx, row.field[0]);
            snprintf(name, sizeof name, "%s", row.field[0]);
        }
        for (int level = 0; level <= RUG_CPU_MAX; level++) {
            rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
            if (find_lacunarity(ctx, &r, rug_file_image(file), &opts) != RUG_OK)
                fail_msg("%s", rug_context_error(ctx));
            assert_int_equal(r.sizes[0].positions, strtoull(row.field[4], NULL, 10));
            check_double(r.sizes[0].lacunarity, row.field[5], &row, "lacunarity");
            check_double(r.sizes[0].mean, row.field[6], &row, "mean");
            check_double(r.sizes[0].variance, row.field[7], &row, "variance");
        }
    }
    assert_int_equal(n, 64);
    rug_file_free(file);
    rug_context_free(ctx);
    fclose(table);
}

static void boxes_of_surfaces(void **state)
{
    (void)state;
    static dbc_counts r;
    FILE *table = golden_open("dbc", "file", 3);
    rug_context *ctx = test_context();
    golden_row row;
    int n = 0;
    for (; golden_next(table, &row); n++) {
        rug_file *file = read_file(ctx, row.field[0]);
        uint64_t size = strtoull(row.field[1], NULL, 10);
        for (int level = 0; level <= RUG_CPU_MAX; level++) {
            rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
            assert_int_equal(dbc_count(ctx, &r, rug_file_image(file), NULL), RUG_OK);
            for (uint32_t i = 0; i < r.n_sizes; i++)
                if (r.sizes[i].size == size)
                    assert_int_equal(r.sizes[i].boxes, strtoull(row.field[2], NULL, 10));
        }
        assert_int_equal(r.n_sizes, 8);
        rug_file_free(file);
    }
    assert_int_equal(n, 16);
    rug_context_free(ctx);
    fclose(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lacunarity_of_images),
        cmocka_unit_test(boxes_of_surfaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
