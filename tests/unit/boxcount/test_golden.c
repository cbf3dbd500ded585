/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counts and dimensions of real images and volumes against tables that were made with
 * numpy. Those tables pad to a square or cube with a power of two for its side: their
 * totals are not ours, their nonempty, full and partial boxes are. */

#include "support.h"

#include "boxcount_support.h"
#include "golden_support.h"
#include <math.h>
#include <rugose/io.h>
#include <stdlib.h>
#include <string.h>

/* The padded side of the table, and which boxes and sizes each pair of columns is of. */
typedef struct fit_column {
    rug_boxcount_of of;
    uint64_t lo, hi;
} fit_column;

#define N_FITS 5

static void fit_columns(fit_column out[N_FITS], uint64_t side)
{
    const rug_boxcount_of all = RUG_BOXCOUNT_OF_NONEMPTY, gray = RUG_BOXCOUNT_OF_GRAY;
    out[0] = (fit_column){all, 1, side / 2};
    out[1] = (fit_column){all, 1, side};
    out[2] = (fit_column){all, 2, side / 4};
    out[3] = (fit_column){all, 1, 16};
    out[4] = (fit_column){gray, 2, side / 4};
}

static uint64_t number(const char *text)
{
    char *end;
    uint64_t value = strtoull(text, &end, 10);
    assert_true(end != text && *end == '\0');
    return value;
}

static void check_counts(const char *name, const test_counts *r)
{
    FILE *file = golden_open(name, "size", 6);
    golden_row row;
    uint32_t n = 0;
    for (; golden_next(file, &row); n++) {
        assert_true(n < r->n_sizes);
        const rug_box_count *c = &r->counts[n];
        assert_int_equal(c->size, number(row.field[0]));
        if (c->nonempty != number(row.field[2]) || c->black != number(row.field[3]) ||
            c->gray != number(row.field[4]))
            fail_msg("%s, size %llu: nonempty %llu, black %llu; %s and %s expected", name,
                     (unsigned long long)c->size, (unsigned long long)c->nonempty,
                     (unsigned long long)c->black, row.field[2], row.field[3]);
    }
    fclose(file);
    assert_int_equal(n, r->n_sizes);
}

static void assert_number(double got, const char *expected, double bound,
                          const char *what)
{
    double value = strtod(expected, NULL);
    if (isnan(value))
        assert_nan(got, what);
    else
        assert_within(got, value, bound, what);
}

/* Where no box is partial the table says dimension 0; for us a line through no points is
 * undefined. */
static int has_no_points(const rug_fit *d, const char *r_squared)
{
    if (d->n_sizes != 0)
        return 0;
    assert_string_equal(r_squared, "nan");
    assert_nan(d->slope, "dimension of no boxes");
    assert_nan(d->r_squared, "R squared of no boxes");
    return 1;
}

static void check_fits(rug_context *ctx, const golden_row *row, const test_counts *r)
{
    fit_column columns[N_FITS];
    fit_columns(columns, number(row->field[2]));
    for (int i = 0; i < N_FITS; i++) {
        char what[128];
        const char *dimension = row->field[4 + 2 * i], *r_squared = row->field[5 + 2 * i];
        rug_fit d = must_fit(ctx, r, columns[i].of, columns[i].lo, columns[i].hi);
        if (has_no_points(&d, r_squared))
            continue;
        snprintf(what, sizeof what, "%s, fit %d", row->field[0], i);
        assert_number(d.slope, dimension, 1e-10, what);
        assert_number(d.r_squared, r_squared, 1e-9, what); /* nine digits there */
    }
}

/* Counts a file as its row of the summary says, at every CPU level. */
static void check_file(const golden_row *row, const char *path)
{
    rug_context *ctx = test_context();
    rug_file *file = NULL;
    if (rug_file_read(ctx, &file, path, NULL) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    const rug_image *img = rug_file_image(file);
    char shape[64];
    int n = snprintf(shape, sizeof shape, "%zux%zu", img->shape[0], img->shape[1]);
    if (img->ndim == 3)
        snprintf(shape + n, sizeof shape - (size_t)n, "x%zu", img->shape[2]);
    assert_string_equal(shape, row->field[1]);
    for (rug_cpu_level level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++) {
        assert_int_equal(rug_context_set_cpu_level(ctx, level), RUG_OK);
        test_counts r = must_count(ctx, img, (rug_foreground)RUG_FOREGROUND_INIT);
        assert_int_equal(r.counts[0].nonempty, number(row->field[3]));
        check_counts(row->field[0], &r);
        check_fits(ctx, row, &r);
    }
    rug_file_free(file);
    rug_context_free(ctx);
}

/* Stanford's models, whose licence keeps them out of a public tree. */
static int is_shared(const char *name)
{
    return strncmp(name, "bunny_", 6) == 0 || strncmp(name, "dragon_", 7) == 0;
}

/* All rows of the summary whose files lie in a folder. Returns how many. */
static int check_rows(int shared, const char *folder)
{
    FILE *summary = golden_open("summary", "name", 14);
    golden_row row;
    int n = 0;
    while (golden_next(summary, &row)) {
        char path[1024];
        const char *ending = strncmp(row.field[0], "bin_", 4) == 0 ? "png" : "nii.gz";
        assert_int_equal(row.n, 14);
        if (is_shared(row.field[0]) != shared)
            continue;
        snprintf(path, sizeof path, "%s/%s.%s", folder, row.field[0], ending);
        check_file(&row, path);
        n++;
    }
    fclose(summary);
    return n;
}

static void files_of_the_tree(void **state)
{
    (void)state;
    assert_int_equal(check_rows(0, RUGOSE_TEST_DATA), 17);
}

static void stanford_models(void **state)
{
    (void)state;
    char volumes[1024];
    const char *folder = test_shared_data();
    if (folder == NULL) {
        print_message("LEFT OUT: the twelve volumes of the bunny and the dragon\n");
        skip();
    }
    snprintf(volumes, sizeof volumes, "%s/volumes", folder);
    assert_int_equal(check_rows(1, volumes), 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_the_tree),
        cmocka_unit_test(stanford_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
