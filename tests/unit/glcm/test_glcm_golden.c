/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Co-occurrence features of real pixels, images and volumes against tables that were made by
 * others: f1 .. f14 of each label and of whole images, IBSI's digital phantom, and the
 * regression values of PyRadiomics. Where a table writes a number for an undefined feature, of
 * a flat region, ours is NaN. */

#include "support.h"

#include "glcm_support.h"
#include "golden_support.h"
#include <rugose/io.h>
#include <stdio.h>

/* The tables have 12 digits. */
#define BOUND 2e-11

/* Of values that are given in full. */
#define FULL_BOUND 1e-12

/* PyRadiomics takes the eigenvalues of Q, which is not symmetric; those of the symmetric
 * matrix, by another program, agree with ours to the last digit. */
#define MCC_BOUND 1e-11

static double worst;

static double number(const char *text)
{
    double value;
    if (strcmp(text, "nan") == 0)
        return NAN;
    if (!rugi_parse_real(&value, text))
        fail_msg("'%s' is no number", text);
    return value;
}

static rug_file *must_open(rug_context *ctx, const char *path)
{
    rug_file *file = NULL;
    if (rug_file_read(ctx, &file, path, NULL) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return file;
}

/* A table by its whole path; its head is read. */
static FILE *open_table(const char *path)
{
    golden_row head;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail_msg("%s cannot be opened", path);
    assert_true(golden_next(file, &head));
    return file;
}

/* The 14 features from field `first` on; sum averages are `shift` larger here, where bins
 * are numbered from 1. */
static void check_14(const glcm_row *row, const golden_row *table, int first,
                     double shift)
{
    assert_int_equal(table->n, first + 14);
    int flat = row->status == RUG_GLCM_FLAT;
    for (int f = 0; f < 14; f++) {
        double expected = number(table->field[first + f]);
        if (f == RUG_GLCM_SUM_AVERAGE)
            expected += shift;
        if (flat && (f == RUG_GLCM_CORRELATION || f == RUG_GLCM_INFO_CORRELATION_1 ||
                     f == RUG_GLCM_MAX_CORRELATION_COEFFICIENT))
            expected = NAN;
        double error = glcm_error(row->features[f], expected, 1e-3);
        if (!(error <= BOUND))
            fail_msg("label %llu, direction %d: %s is %.15g, %.15g expected",
                     (unsigned long long)row->label, row->direction,
                     rug_glcm_feature_name((rug_glcm_feature)f), row->features[f],
                     expected);
        worst = fmax(worst, error);
    }
}

/* How a table divides values into levels. */
typedef enum quantisation { RAW, Q32, FBN32 } quantisation;

static rug_glcm_options options_of(quantisation q, int bits)
{
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    if (q == RAW)
        return o;
    o.levels = RUG_GLCM_LEVELS_COUNT;
    o.n_levels = 32;
    o.range = q == Q32 ? RUG_GLCM_RANGE_GIVEN : RUG_GLCM_RANGE_ROI;
    o.range_hi = q == Q32 ? (double)(1 << bits) : 0;
    return o;
}

/* A table by label: label, area, directions, pairs of each, features. Its pairs are counted
 * both ways. */
static void check_labels(const char *path, const glcm_rows *rows, int first, double shift)
{
    FILE *file = open_table(path);
    golden_row table;
    size_t n = 0;
    for (; golden_next(file, &table); n++) {
        assert_true(n < rows->n);
        const glcm_row *row = &rows->row[n];
        double pairs = 0;
        for (int i = 3; i < first; i++)
            pairs += number(table.field[i]);
        assert_int_equal(row->label, (uint64_t)number(table.field[0]));
        assert_int_equal(row->area, (uint64_t)number(table.field[1]));
        assert_int_equal(2 * row->pairs, (uint64_t)pairs);
        check_14(row, &table, first, shift);
    }
    fclose(file);
    assert_int_equal(n, rows->n);
}

/* A table by label and direction. */
static void check_directions(const char *path, const glcm_rows *rows, double shift)
{
    FILE *file = open_table(path);
    golden_row table;
    size_t n = 0, i = 0;
    for (; golden_next(file, &table); n++) {
        uint64_t label = (uint64_t)number(table.field[0]);
        while (i < rows->n &&
               (rows->row[i].label != label ||
                strcmp(rug_glcm_direction_name((uint32_t)rows->row[i].direction),
                       table.field[1]) != 0))
            i++;
        assert_true(i < rows->n);
        assert_int_equal(2 * rows->row[i].pairs, (uint64_t)number(table.field[2]));
        check_14(&rows->row[i], &table, 3, shift);
    }
    fclose(file);
    assert_true(n > 0);
}

/* Pixels of a file against tables, both named without their folders. */
typedef struct pixels_case {
    const char *image, *labels, *table, *directions;
    quantisation levels;
    int bits;
} pixels_case;

static void check_pixels(rug_context *ctx, const char *folder, const char *tables,
                         const pixels_case *c)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, c->image);
    rug_file *image = must_open(ctx, path);
    snprintf(path, sizeof path, "%s/%s", folder, c->labels);
    rug_file *labels = must_open(ctx, path);
    rug_glcm_options o = options_of(c->levels, c->bits);
    o.labels = glcm_source(rug_file_image(labels));
    int first = rug_file_image(image)->ndim == 3 ? 4 : 7;
    double shift = c->levels == RAW ? 0 : 2;
    glcm_rows rows = must_measure(ctx, rug_file_image(image), &o);
    snprintf(path, sizeof path, "%s%s.tsv", tables, c->table);
    check_labels(path, &rows, first, shift);
    free(rows.row);
    if (c->directions != NULL) {
        o.aggregate = RUG_GLCM_AGGREGATE_NONE;
        rows = must_measure(ctx, rug_file_image(image), &o);
        snprintf(path, sizeof path, "%s%s.tsv", tables, c->directions);
        check_directions(path, &rows, shift);
        free(rows.row);
    }
    rug_file_free(image);
    rug_file_free(labels);
}

static void pixels_of_the_tree(void **state)
{
    (void)state;
    static const pixels_case cases[] = {
        {"ht29_dna.png", "ht29_labels.png", "ht29_fbn32", NULL, FBN32, 8},
        {"nuclei3d.nii.gz", "nuclei3d_labels.nii.gz", "nuclei3d_fbn32", NULL, FBN32, 0},
    };
    rug_context *ctx = test_context();
    worst = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_pixels(ctx, RUGOSE_TEST_DATA, RUGOSE_TEST_DATA "/golden/haralick_",
                     &cases[i]);
    print_message("largest error of 14 features: %.2g\n", worst);
    rug_context_free(ctx);
}

static const char *shared_or_skip(const char *what)
{
    const char *folder = test_shared_data();
    if (folder == NULL) {
        print_message("LEFT OUT: %s\n", what);
        skip();
    }
    return folder;
}

static void pixels_of_the_shared_data(void **state)
{
    (void)state;
    static const pixels_case cases[] = {
        {"bbbc022_ch0.png", "bbbc022_labels.png", "bbbc022_ch0_fbn32",
         "bbbc022_ch0_fbn32_perdir", FBN32, 12},
        {"bbbc022_ch0.png", "bbbc022_labels.png", "bbbc022_ch0_q32", NULL, Q32, 12},
        {"bbbc022_ch0.png", "bbbc022_labels.png", "bbbc022_ch0_raw", NULL, RAW, 12},
        {"bbbc022_ch1.png", "bbbc022_labels.png", "bbbc022_ch1_fbn32", NULL, FBN32, 12},
        {"bbbc022_ch2.png", "bbbc022_labels.png", "bbbc022_ch2_fbn32", NULL, FBN32, 12},
        {"dsb2018.png", "dsb2018_labels.png", "dsb2018_fbn32", "dsb2018_fbn32_perdir",
         FBN32, 8},
        {"dsb2018.png", "dsb2018_labels.png", "dsb2018_q32", NULL, Q32, 8},
        {"dsb2018.png", "dsb2018_labels.png", "dsb2018_raw", NULL, RAW, 8},
        {"ht29_dna.png", "ht29_labels.png", "ht29_q32", NULL, Q32, 8},
        {"maize.png", "maize_labels.png", "maize_q32", "maize_q32_perdir", Q32, 8},
    };
    char folder[256], tables[256];
    const char *shared = shared_or_skip("features of more cells");
    snprintf(folder, sizeof folder, "%s/cells", shared);
    snprintf(tables, sizeof tables, "%s/golden/haralick/", shared);
    rug_context *ctx = test_context();
    worst = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_pixels(ctx, folder, tables, &cases[i]);
    print_message("largest error of 14 features: %.2g\n", worst);
    rug_context_free(ctx);
}

/* Regions that are flat, tiny, or without pairs. */
static void edge_cases(void **state)
{
    (void)state;
    static const uint8_t pixels[] = {5, 5, 5, 9, 1, 3, 5, 5, 5, 9, 0, 0, 5, 5, 5,
                                     0, 0, 7, 2, 0, 0, 0, 7, 8, 4, 0, 6, 0, 0, 0};
    static const uint8_t names[] = {1, 1, 1, 2, 4, 4, 1, 1, 1, 2, 0, 0, 1, 1, 1,
                                    0, 0, 5, 7, 0, 0, 0, 5, 5, 7, 0, 9, 0, 0, 0};
    rug_context *ctx = test_context();
    rug_image img = test_u8(pixels, 0, 5, 6), labels = test_u8(names, 0, 5, 6);
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.labels = glcm_source(&labels);
    glcm_rows rows = must_measure(ctx, &img, &o);
    check_labels(RUGOSE_TEST_DATA "/golden/haralick_edge_cases.tsv", &rows, 7, 0);
    static const rug_glcm_status status[] = {RUG_GLCM_FLAT, RUG_GLCM_FLAT,
                                             RUG_GLCM_OK,   RUG_GLCM_FLAT,
                                             RUG_GLCM_OK,   RUG_GLCM_NO_PAIRS};
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(rows.row[i].status, status[i]);
    free(rows.row);
    rug_context_free(ctx);
}

/* The rows of one image, with levels by v * L >> bits. */
static void check_whole(rug_context *ctx, const char *path, const char *name,
                        double n_levels, int bits, FILE *table)
{
    rug_file *image = must_open(ctx, path);
    rug_glcm_options o = options_of(Q32, bits);
    o.n_levels = (uint32_t)n_levels;
    o.aggregate = RUG_GLCM_AGGREGATE_NONE;
    glcm_rows rows = must_measure(ctx, rug_file_image(image), &o);
    golden_row row;
    int n = 0;
    rewind(table);
    while (golden_next(table, &row)) {
        if (strcmp(row.field[0], name) != 0 || number(row.field[1]) != n_levels ||
            strcmp(row.field[3], "own") != 0)
            continue;
        for (size_t i = 0; i < rows.n; i++)
            if (strcmp(rug_glcm_direction_name((uint32_t)rows.row[i].direction),
                       row.field[2]) == 0) {
                check_14(&rows.row[i], &row, 4, 2);
                n++;
            }
    }
    assert_int_equal(n, 4);
    free(rows.row);
    rug_file_free(image);
}

static void whole_images(void **state)
{
    (void)state;
    static const struct {
        const char *name, *file;
        int bits;
    } images[] = {{"brick", "brick.png", 8},
                  {"ct_12bit", "ct_12bit.png", 12},
                  {"xray256", "xray256.pgm", 8}};
    rug_context *ctx = test_context();
    FILE *table = open_table(RUGOSE_TEST_DATA "/golden/haralick_whole.tsv");
    worst = 0;
    check_whole(ctx, test_data("camera.png"), "camera", 32, 8, table);
    check_whole(ctx, test_data("camera.png"), "camera", 256, 8, table);
    const char *shared = test_shared_data();
    if (shared == NULL)
        print_message("LEFT OUT: features of brick, ct_12bit and xray256\n");
    for (size_t i = 0; shared != NULL && i < sizeof images / sizeof images[0]; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/images/%s", shared, images[i].file);
        check_whole(ctx, path, images[i].name, 32, images[i].bits, table);
        check_whole(ctx, path, images[i].name, 256, images[i].bits, table);
    }
    print_message("largest error of 14 features: %.2g\n", worst);
    fclose(table);
    rug_context_free(ctx);
}

/* IBSI's short names, in the order of our features; f14 is not among them. */
static const char *const ibsi_name[RUG_GLCM_N_FEATURES] = {
    "energy",      "contrast",      "corr",
    "joint_var",   "inv_diff_mom",  "sum_avg",
    "sum_var",     "sum_entr",      "joint_entr",
    "diff_var",    "diff_entr",     "info_corr1",
    "info_corr2",  "mcc",           "joint_max",
    "joint_avg",   "diff_avg",      "dissimilarity",
    "inv_diff",    "inv_diff_norm", "inv_diff_mom_norm",
    "inv_var",     "auto_corr",     "clust_tend",
    "clust_shade", "clust_prom"};

static int find_feature(const char *name)
{
    for (int f = 0; f < RUG_GLCM_N_FEATURES; f++)
        if (strcmp(ibsi_name[f], name) == 0)
            return f;
    return -1;
}

/* The digital phantom, 4 x 4 x 5 pixels; 0 is outside. */
static void read_phantom(const char *shared, uint8_t pixels[80])
{
    char path[512], line[256];
    snprintf(path, sizeof path, "%s/golden/ibsi/phantom.txt", shared);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t n = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#')
            continue;
        for (char *at = strtok(line, " \n"); at != NULL; at = strtok(NULL, " \n")) {
            assert_true(n < 80);
            pixels[n++] = (uint8_t)number(at);
        }
    }
    fclose(file);
    assert_int_equal(n, 80);
}

static void check_phantom(const glcm_row *row, const char *aggregation, FILE *table)
{
    golden_row line;
    int n = 0;
    rewind(table);
    while (golden_next(table, &line)) {
        if (strcmp(line.field[1], aggregation) != 0)
            continue;
        int f = find_feature(line.field[0]);
        assert_true(f >= 0);
        double v = row->features[f], reference = number(line.field[2]);
        double tolerance = number(line.field[3]),
               error = glcm_error(v, number(line.field[4]), 1e-3);
        char rounded[32], expected[32]; /* three digits are published */
        snprintf(rounded, sizeof rounded, "%.3g", v);
        snprintf(expected, sizeof expected, "%.3g", reference);
        if (fabs(v - reference) > tolerance && strcmp(rounded, expected) != 0)
            fail_msg("%s, %s: %.17g, IBSI has %s", line.field[0], aggregation, v,
                     line.field[2]);
        if (!(error <= FULL_BOUND))
            fail_msg("%s, %s: %.17g, %s expected", line.field[0], aggregation, v,
                     line.field[4]);
        worst = fmax(worst, error);
        n++;
    }
    assert_int_equal(n, 25);
}

static void ibsi_phantom(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        rug_glcm_slices slices;
        rug_glcm_aggregate aggregate;
    } ways[] = {
        {"2D_avg", RUG_GLCM_SLICES_MEAN, RUG_GLCM_AGGREGATE_MEAN},
        {"2D_comb", RUG_GLCM_SLICES_MEAN, RUG_GLCM_AGGREGATE_MERGED},
        {"2_5D_avg", RUG_GLCM_SLICES_MERGED, RUG_GLCM_AGGREGATE_MEAN},
        {"2_5D_comb", RUG_GLCM_SLICES_MERGED, RUG_GLCM_AGGREGATE_MERGED},
        {"3D_avg", RUG_GLCM_SLICES_NONE, RUG_GLCM_AGGREGATE_MEAN},
        {"3D_comb", RUG_GLCM_SLICES_NONE, RUG_GLCM_AGGREGATE_MERGED},
    };
    const char *shared = shared_or_skip("IBSI's digital phantom");
    char path[512];
    uint8_t pixels[80];
    read_phantom(shared, pixels);
    snprintf(path, sizeof path, "%s/golden/ibsi/glcm_phantom.tsv", shared);
    FILE *table = open_table(path);
    rug_context *ctx = test_context();
    rug_image img = test_u8(pixels, 4, 4, 5);
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.mask = glcm_source(&img);
    o.features = RUG_GLCM_FEATURES_ALL;
    worst = 0;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        o.slices = ways[i].slices;
        o.aggregate = ways[i].aggregate;
        glcm_rows rows = must_measure(ctx, &img, &o);
        assert_int_equal(rows.n, 1);
        check_phantom(&rows.row[0], ways[i].name, table);
        free(rows.row);
    }
    print_message("25 features, 6 aggregations: largest error %.2g\n", worst);
    fclose(table);
    rug_context_free(ctx);
}

static void pyradiomics_baseline(void **state)
{
    (void)state;
    const char *shared = shared_or_skip("the regression values of PyRadiomics");
    char path[512];
    rug_context *ctx = test_context();
    snprintf(path, sizeof path, "%s/volumes/pyrad_brain1.nii.gz", shared);
    rug_file *image = must_open(ctx, path);
    snprintf(path, sizeof path, "%s/volumes/pyrad_brain1_label.nii.gz", shared);
    rug_file *labels = must_open(ctx, path);
    snprintf(path, sizeof path, "%s/golden/pyradiomics/glcm_baseline.tsv", shared);
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.labels = glcm_source(rug_file_image(labels));
    o.levels = RUG_GLCM_LEVELS_WIDTH;
    o.bin_width = 25;
    o.features = RUG_GLCM_FEATURES_ALL;
    glcm_rows rows = {0};
    for (int flat = 0; flat < 2; flat++) {
        o.slices = flat ? RUG_GLCM_SLICES_MERGED : RUG_GLCM_SLICES_NONE;
        assert_int_equal(rug_glcm(ctx, rug_file_image(image), &o, glcm_keep, &rows),
                         RUG_OK);
    }
    assert_int_equal(rows.n, 2);
    FILE *table = open_table(path);
    golden_row line;
    int n = 0;
    for (worst = 0; golden_next(table, &line); n++) {
        int f = find_feature(line.field[3]);
        assert_true(f >= 0);
        assert_string_equal(rug_glcm_feature_pyradiomics((rug_glcm_feature)f),
                            line.field[2]);
        const glcm_row *row = &rows.row[strcmp(line.field[1], "2D") == 0];
        double error = glcm_error(row->features[f], number(line.field[4]), 1e-3);
        int is_mcc = f == RUG_GLCM_MAX_CORRELATION_COEFFICIENT;
        if (!(error <= (is_mcc ? MCC_BOUND : FULL_BOUND)))
            fail_msg("%s, %s: %.17g, %s expected", line.field[1], line.field[2],
                     row->features[f], line.field[4]);
        worst = fmax(worst, error);
    }
    assert_int_equal(n, 48);
    print_message("largest error of the baseline: %.2g\n", worst);
    fclose(table);
    free(rows.row);
    rug_file_free(image);
    rug_file_free(labels);
    rug_context_free(ctx);
}

/* Direction means do not see a flip; labels of the image are flips of 25 cells. */
static void flips_have_equal_means(void **state)
{
    (void)state;
    const char *shared = shared_or_skip("an image of flipped cells");
    char path[512];
    rug_context *ctx = test_context();
    snprintf(path, sizeof path, "%s/cells/mosaic12.png", shared);
    rug_file *image = must_open(ctx, path);
    snprintf(path, sizeof path, "%s/cells/mosaic12_labels.png", shared);
    rug_file *labels = must_open(ctx, path);
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.labels = glcm_source(rug_file_image(labels));
    o.features = RUG_GLCM_FEATURES_ALL;
    glcm_rows rows = must_measure(ctx, rug_file_image(image), &o);
    assert_int_equal(rows.n, 400);
    for (size_t i = 25; i < rows.n; i++) {
        const glcm_row *row = &rows.row[i], *first = &rows.row[i % 25];
        assert_int_equal(row->pairs, first->pairs);
        for (int f = 0; f < RUG_GLCM_N_FEATURES; f++)
            assert_feature(row, (rug_glcm_feature)f, first->features[f], 1e-11);
    }
    free(rows.row);
    rug_file_free(image);
    rug_file_free(labels);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edge_cases),
        cmocka_unit_test(pixels_of_the_tree),
        cmocka_unit_test(pixels_of_the_shared_data),
        cmocka_unit_test(whole_images),
        cmocka_unit_test(ibsi_phantom),
        cmocka_unit_test(pyradiomics_baseline),
        cmocka_unit_test(flips_have_equal_means),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
