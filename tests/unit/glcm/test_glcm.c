/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Co-occurrence features that are known: the example of Haralick et al. (1973), images whose
 * features follow by hand, and what users of other programs ran into. */

#include "support.h"

#include "glcm_support.h"
#include "golden_support.h"
#include <stdio.h>

/* Printed numbers have 12 digits. */
#define PRINTED 1e-11

/* The example of 1973. */
static const uint8_t h4[16] = {0, 0, 1, 1, 0, 0, 1, 1, 0, 2, 2, 2, 2, 2, 3, 3};

/* The rows of an u8 image. */
static glcm_rows measure_u8(const uint8_t *pixels, size_t ny, size_t nx,
                            const rug_glcm_options *opts)
{
    rug_context *ctx = test_context();
    rug_image img = test_u8(pixels, 0, ny, nx);
    glcm_rows rows = must_measure(ctx, &img, opts);
    rug_context_free(ctx);
    return rows;
}

/* The only row of direction k at a distance. */
static glcm_row measure_one(const uint8_t *pixels, size_t ny, size_t nx, uint32_t k,
                            uint32_t distance, int asymmetric)
{
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.directions = 1U << k;
    o.distances = &distance;
    o.n_distances = 1;
    o.asymmetric = asymmetric;
    o.features = RUG_GLCM_FEATURES_ALL;
    o.aggregate = RUG_GLCM_AGGREGATE_NONE;
    glcm_rows rows = measure_u8(pixels, ny, nx, &o);
    assert_int_equal(rows.n, 1);
    glcm_row row = rows.row[0];
    assert_int_equal(row.direction, (int)k);
    free(rows.row);
    return row;
}

static double parse(const char *text)
{
    double value = 0;
    assert_true(rugi_parse_real(&value, text));
    return value;
}

/* All four matrices of the paper: the sums of their entries are told by the number of pairs,
 * the squares and the contrast, and the 14 features by the table. */
static void example_of_1973(void **state)
{
    (void)state;
    FILE *file = golden_open("haralick1973", "angle", 18);
    golden_row line;
    uint32_t k = 0;
    for (; golden_next(file, &line); k++) {
        int unit[3];
        glcm_row row = measure_one(h4, 4, 4, k, 1, 0);
        assert_string_equal(rug_glcm_direction_name(k), line.field[0]);
        assert_int_equal(rug_glcm_direction(NULL, unit, 2, k), RUG_OK);
        assert_int_equal(unit[1], (int)parse(line.field[1]));
        assert_int_equal(unit[2], (int)parse(line.field[2]));
        double total = 0;
        for (char *at = strtok(line.field[3], " "); at != NULL; at = strtok(NULL, " "))
            total += parse(at);
        assert_int_equal(2 * row.pairs, (uint64_t)total);
        assert_int_equal(row.levels, 4);
        assert_int_equal(row.status, RUG_GLCM_OK);
        for (int f = 0; f < 14; f++)
            assert_feature(&row, (rug_glcm_feature)f, parse(line.field[4 + f]), PRINTED);
    }
    assert_int_equal(k, 4);
    fclose(file);
}

/* 45 degrees at distance 2 is (-2, 2), not (-1, 1). */
static void distances_of_diagonals(void **state)
{
    (void)state;
    glcm_row one = measure_one(h4, 4, 4, 1, 1, 0), two = measure_one(h4, 4, 4, 1, 2, 0);
    assert_int_equal(one.pairs, 9);
    assert_int_equal(two.pairs, 4);
    assert_feature(&one, RUG_GLCM_CONTRAST, 4.0 / 9, 1e-15);
    assert_feature(&two, RUG_GLCM_CONTRAST, 1, 1e-15);
    assert_feature(&one, RUG_GLCM_INVERSE_DIFFERENCE, 7.0 / 9, 1e-15);
    one = measure_one(h4, 4, 4, 0, 1, 0);
    assert_feature(&one, RUG_GLCM_INVERSE_DIFFERENCE, 0.8194444444444444, 1e-15);
    assert_feature(&one, RUG_GLCM_INVERSE_DIFFERENCE_MOMENT, 0.8083333333333333, 1e-15);
}

/* One way, a mirror changes the features; both ways it does not. */
static void symmetric_or_not(void **state)
{
    (void)state;
    uint8_t mirror[16];
    for (size_t i = 0; i < 16; i++)
        mirror[i] = h4[i / 4 * 4 + 3 - i % 4];
    glcm_row both = measure_one(h4, 4, 4, 0, 1, 0);
    glcm_row again = measure_one(mirror, 4, 4, 0, 1, 0);
    glcm_row one = measure_one(h4, 4, 4, 0, 1, 1);
    assert_feature(&both, RUG_GLCM_CORRELATION, 0.719532554257095, 1e-14);
    assert_feature(&one, RUG_GLCM_CORRELATION, 0.79699, 5e-6);
    assert_int_equal(one.pairs, 12);
    for (int f = 0; f < RUG_GLCM_N_FEATURES; f++)
        assert_true(same_number(both.features[f], again.features[f]));
    /* 90 degrees is the pixel above: the 2 at the top is the second level of a pair. */
    static const uint8_t top[9] = {2, 0, 0, 0, 0, 0, 0, 0, 0};
    one = measure_one(top, 3, 3, 2, 1, 1);
    assert_int_equal(one.pairs, 6);
    assert_feature(&one, RUG_GLCM_JOINT_AVERAGE, 0, 0);
    assert_feature(&one, RUG_GLCM_SUM_AVERAGE, 2.0 / 6, 1e-15);
    assert_int_equal(one.status, RUG_GLCM_FLAT);
}

static void flat_region(void **state)
{
    (void)state;
    uint8_t pixels[256];
    memset(pixels, 7, sizeof pixels);
    for (int asymmetric = 0; asymmetric < 2; asymmetric++) {
        glcm_row row = measure_one(pixels, 16, 16, 0, 1, asymmetric);
        assert_int_equal(row.status, RUG_GLCM_FLAT);
        assert_int_equal(row.levels, 1);
        assert_feature(&row, RUG_GLCM_ANGULAR_SECOND_MOMENT, 1, 0);
        assert_feature(&row, RUG_GLCM_INVERSE_DIFFERENCE_MOMENT, 1, 0);
        assert_feature(&row, RUG_GLCM_SUM_AVERAGE, 14, 0);
        static const rug_glcm_feature zero[] = {RUG_GLCM_CONTRAST,
                                                RUG_GLCM_VARIANCE,
                                                RUG_GLCM_SUM_VARIANCE,
                                                RUG_GLCM_SUM_ENTROPY,
                                                RUG_GLCM_ENTROPY,
                                                RUG_GLCM_DIFFERENCE_VARIANCE,
                                                RUG_GLCM_DIFFERENCE_ENTROPY,
                                                RUG_GLCM_INFO_CORRELATION_2};
        for (size_t i = 0; i < sizeof zero / sizeof zero[0]; i++)
            if (!same_number(row.features[zero[i]], 0))
                fail_msg("%s is %g", rug_glcm_feature_name(zero[i]),
                         row.features[zero[i]]);
        assert_true(isnan(row.features[RUG_GLCM_CORRELATION]));
        assert_true(isnan(row.features[RUG_GLCM_INFO_CORRELATION_1]));
        assert_true(isnan(row.features[RUG_GLCM_MAX_CORRELATION_COEFFICIENT]));
    }
}

/* Levels that are independent: nothing is left of rounding under the root of f13. */
static void independent_levels(void **state)
{
    (void)state;
    static const uint8_t five[5] = {0, 0, 1, 1, 0};
    glcm_row row = measure_one(five, 1, 5, 0, 1, 0);
    assert_feature(&row, RUG_GLCM_CORRELATION, 0, 0);
    assert_feature(&row, RUG_GLCM_INFO_CORRELATION_1, 0, 0);
    assert_feature(&row, RUG_GLCM_INFO_CORRELATION_2, 0, 0);
    assert_feature(&row, RUG_GLCM_MAX_CORRELATION_COEFFICIENT, 0, 1e-15);
    assert_feature(&row, RUG_GLCM_ENTROPY, 2, 1e-13);
    assert_int_equal(row.status, RUG_GLCM_OK);
    uint8_t noise[10000], board[64];
    uint64_t rng = 3;
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (uint8_t)test_below(&rng, 8);
    row = measure_one(noise, 100, 100, 0, 1, 0);
    assert_true(fabs(row.features[RUG_GLCM_CORRELATION]) < 0.05);
    for (size_t i = 0; i < sizeof board; i++)
        board[i] = (uint8_t)((i / 8 + i) & 1);
    row = measure_one(board, 8, 8, 0, 1, 0);
    assert_feature(&row, RUG_GLCM_DIFFERENCE_VARIANCE, 0, 0);
    assert_feature(&row, RUG_GLCM_CORRELATION, -1, 0);
    assert_feature(&row, RUG_GLCM_MAX_CORRELATION_COEFFICIENT, 1, 1e-15);
}

static void directions_and_their_means(void **state)
{
    (void)state;
    static const double contrast[4] = {7.0 / 12, 4.0 / 9, 1, 16.0 / 9};
    static const uint64_t pairs[4] = {12, 9, 12, 9};
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.aggregate = RUG_GLCM_AGGREGATE_NONE;
    glcm_rows rows = measure_u8(h4, 4, 4, &o);
    assert_int_equal(rows.n, 4);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(rows.row[k].direction, k);
        assert_int_equal(rows.row[k].pairs, pairs[k]);
        assert_feature(&rows.row[k], RUG_GLCM_CONTRAST, contrast[k], 1e-15);
    }
    free(rows.row);
    static const struct {
        rug_glcm_aggregate aggregate;
        double contrast;
    } ways[] = {{RUG_GLCM_AGGREGATE_MEAN, 0.9513888888888888},
                {RUG_GLCM_AGGREGATE_RANGE, 16.0 / 9 - 4.0 / 9},
                {RUG_GLCM_AGGREGATE_MERGED, 0.9285714285714286}};
    for (size_t i = 0; i < 3; i++) {
        o.aggregate = ways[i].aggregate;
        rows = measure_u8(h4, 4, 4, &o);
        assert_int_equal(rows.n, 1);
        assert_int_equal(rows.row[0].direction, -1);
        assert_int_equal(rows.row[0].pairs, 42);
        assert_feature(&rows.row[0], RUG_GLCM_CONTRAST, ways[i].contrast, 1e-15);
        free(rows.row);
    }
    o.directions = 8;
    rows = measure_u8(h4, 4, 4, &o);
    assert_feature(&rows.row[0], RUG_GLCM_CONTRAST, 16.0 / 9, 1e-15);
    free(rows.row);
}

/* Pairs of an image of 5 x 7 one way, also where the distance is as large as the image. */
static void distances_beyond_the_image(void **state)
{
    (void)state;
    static const uint64_t pairs[4] = {30, 24, 28, 24};
    uint8_t pixels[35];
    for (uint8_t i = 0; i < 35; i++)
        pixels[i] = i;
    for (uint32_t k = 0; k < 4; k++) {
        glcm_row row = measure_one(pixels, 5, 7, k, 1, 1);
        assert_int_equal(row.pairs, pairs[k]);
        row = measure_one(pixels, 5, 7, k, 7, 1);
        assert_int_equal(row.pairs, 0);
        assert_int_equal(row.status, RUG_GLCM_NO_PAIRS);
        for (int f = 0; f < RUG_GLCM_N_FEATURES; f++)
            assert_true(isnan(row.features[f]));
        row = measure_one(pixels, 5, 7, k, RUG_GLCM_MAX_DISTANCE, 0);
        assert_int_equal(row.pairs, 0);
    }
}

/* Labels with gaps in their numbers; the border of a region is in no pair of it. */
static void labels_by_hand(void **state)
{
    (void)state;
    static const uint8_t names[16] = {1, 1, 2, 2, 1, 1, 2, 2, 4, 4, 0, 7, 4, 4, 0, 7};
    static const uint8_t pixels[16] = {0, 1, 2, 3, 1, 0, 3, 2, 2, 2, 0, 1, 3, 3, 0, 3};
    static const struct {
        uint64_t label, area;
        double contrast[4]; /* NaN: no pairs */
    } expected[4] = {{1, 4, {1, 0, 1, 0}},
                     {2, 4, {1, 0, 1, 0}},
                     {4, 4, {0, 1, 1, 1}},
                     {7, 2, {NAN, NAN, 4, NAN}}};
    rug_image labels = test_u8(names, 0, 4, 4);
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.labels = glcm_source(&labels);
    o.aggregate = RUG_GLCM_AGGREGATE_NONE;
    glcm_rows rows = measure_u8(pixels, 4, 4, &o);
    assert_int_equal(rows.n, 16);
    for (size_t i = 0; i < 16; i++) {
        const glcm_row *row = &rows.row[i];
        assert_int_equal(row->label, expected[i / 4].label);
        assert_int_equal(row->area, expected[i / 4].area);
        assert_int_equal(row->direction, i % 4);
        assert_feature(row, RUG_GLCM_CONTRAST, expected[i / 4].contrast[i % 4], 0);
    }
    free(rows.row);
    static const uint8_t centre[16] = {9, 9, 9, 9, 9, 0, 1, 9, 9, 1, 0, 9, 9, 9, 9, 9};
    static const uint8_t roi[16] = {0, 0,   0,   0, 0, 255, 255, 0,
                                    0, 255, 255, 0, 0, 0,   0,   0};
    labels = test_u8(roi, 0, 4, 4);
    o.directions = 1;
    rows = measure_u8(centre, 4, 4, &o);
    assert_int_equal(rows.n, 1);
    assert_int_equal(rows.row[0].label, 255);
    assert_int_equal(rows.row[0].pairs, 2);
    assert_feature(&rows.row[0], RUG_GLCM_CONTRAST, 1, 0);
    assert_feature(&rows.row[0], RUG_GLCM_CORRELATION, -1, 0);
    free(rows.row);
}

/* Pixels that touch no other; a region of one pixel beside a large one; a mask of nothing. */
static void regions_without_pairs(void **state)
{
    (void)state;
    static const uint8_t alone[25] = {1, 0, 2, 0, 3, 0, 0, 0, 0, 0, 0, 4, 0,
                                      5, 0, 0, 0, 0, 0, 0, 6, 0, 7, 0, 8};
    uint8_t names[36] = {0}, pixels[36], nothing[36] = {0};
    rug_image mask = test_u8(alone, 0, 5, 5);
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.mask = glcm_source(&mask);
    glcm_rows rows = measure_u8(alone, 5, 5, &o);
    assert_int_equal(rows.n, 1);
    assert_int_equal(rows.row[0].area, 8);
    assert_int_equal(rows.row[0].levels, 8);
    assert_int_equal(rows.row[0].status, RUG_GLCM_NO_PAIRS);
    free(rows.row);
    for (size_t i = 0; i < 36; i++) {
        pixels[i] = (uint8_t)(i * 7 % 11);
        names[i] = i % 6 < 5 && i / 6 < 5 ? 1 : 0;
    }
    names[35] = 2;
    rug_image labels = test_u8(names, 0, 6, 6);
    o.mask = NULL;
    o.labels = glcm_source(&labels);
    rows = measure_u8(pixels, 6, 6, &o);
    assert_int_equal(rows.n, 2);
    assert_int_equal(rows.row[0].status, RUG_GLCM_OK);
    assert_int_equal(rows.row[0].pairs, 20 + 16 + 20 + 16);
    assert_int_equal(rows.row[1].area, 1);
    assert_int_equal(rows.row[1].status, RUG_GLCM_NO_PAIRS);
    free(rows.row);
    mask = test_u8(nothing, 0, 6, 6);
    o.mask = glcm_source(&mask);
    rows = measure_u8(pixels, 6, 6, &o);
    assert_int_equal(rows.n, 2);
    assert_int_equal(rows.row[0].area, 0);
    assert_int_equal(rows.row[0].levels, 0);
    assert_int_equal(rows.row[0].status, RUG_GLCM_NO_PAIRS);
    free(rows.row);
}

/* Gipp et al. (2009): two pixels on a background of zeros, by hand. Wider by 1 the box is
 * 3 x 4; at 0 degrees its pairs are (0 0) 7 times, (0 5), (5 9), (9 0). */
static void pixels_in_a_frame(void **state)
{
    (void)state;
    static const uint8_t pixels[2] = {5, 9};
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.pairs = RUG_GLCM_PAIRS_FRAME;
    o.directions = 1;
    o.features = RUG_GLCM_FEATURES_ALL;
    glcm_rows rows = measure_u8(pixels, 1, 2, &o);
    assert_int_equal(rows.n, 1);
    const glcm_row *row = &rows.row[0];
    assert_int_equal(row->pairs, 9);
    assert_int_equal(row->area, 2);
    assert_int_equal(row->levels, 2);
    double n = 18;
    assert_feature(row, RUG_GLCM_JOINT_MAXIMUM, 12 / n, 1e-15);
    assert_feature(row, RUG_GLCM_CONTRAST, (25 + 16 + 81) / 9.0, 1e-15);
    assert_feature(row, RUG_GLCM_ANGULAR_SECOND_MOMENT, (144 + 6) / n / n, 1e-15);
    assert_feature(row, RUG_GLCM_JOINT_AVERAGE, 2 * (5 + 9) / n, 1e-15);
    assert_feature(row, RUG_GLCM_ENTROPY, -(12 / n * log2(12 / n) + 6 / n * log2(1 / n)),
                   1e-14);
    free(rows.row);
}

/* The same frame for all distances, by hand: wider by 5 the box is 12 x 12, with 12 * 11 pairs
 * at distance 1 and 12 * 7 at 5. */
static void frame_of_a_width(void **state)
{
    (void)state;
    static const uint16_t pixels[4] = {100, 200, 300, 50};
    static const uint32_t distances[] = {1, 5};
    rug_context *ctx = test_context();
    rug_image img;
    assert_int_equal(rug_image_view(ctx, &img, pixels, RUG_U16, 2, (size_t[]){2, 2}),
                     RUG_OK);
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.distances = distances;
    o.n_distances = 2;
    o.pairs = RUG_GLCM_PAIRS_FRAME;
    o.frame = 5;
    o.directions = 1;
    glcm_rows rows = must_measure(ctx, &img, &o);
    assert_int_equal(rows.n, 2);
    assert_int_equal(rows.row[0].pairs, 132);
    assert_feature(&rows.row[0], RUG_GLCM_CONTRAST, 215000 / 132.0, 1e-15);
    assert_int_equal(rows.row[1].pairs, 84);
    assert_feature(&rows.row[1], RUG_GLCM_CONTRAST, 285000 / 84.0, 1e-15);
    free(rows.row);
    o.frame = 0;
    rows = must_measure(ctx, &img, &o);
    assert_int_equal(rows.row[0].pairs, 4 * 3);
    assert_int_equal(rows.row[1].pairs, 84);
    free(rows.row);
    rug_context_free(ctx);
}

static void refused_frames(void **state)
{
    (void)state;
    static const uint32_t distances[] = {1, 4, 7};
    rug_context *ctx = test_context();
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.frame = 3;
    assert_int_equal(rug_glcm_check_options(ctx, &o), RUG_E_ARG);
    assert_non_null(strstr(rug_context_error(ctx), "FRAME"));
    o.pairs = RUG_GLCM_PAIRS_FRAME;
    assert_int_equal(rug_glcm_check_options(ctx, &o), RUG_OK);
    o.distances = distances;
    o.n_distances = 3;
    assert_int_equal(rug_glcm_check_options(ctx, &o), RUG_E_ARG);
    assert_non_null(strstr(rug_context_error(ctx), "distance 4"));
    o.frame = 7;
    assert_int_equal(rug_glcm_check_options(ctx, &o), RUG_OK);
    o.frame = RUG_GLCM_MAX_DISTANCE + 1;
    assert_int_equal(rug_glcm_check_options(ctx, &o), RUG_E_ARG);
    o.frame = 0;
    o.unused = 1;
    assert_int_equal(rug_glcm_check_options(ctx, &o), RUG_E_ARG);
    rug_context_free(ctx);
}

/* NaN and infinite pixels are in no pair, and counted. */
static void nan_is_left_out(void **state)
{
    (void)state;
    static const uint64_t counts[4] = {20, 14, 20, 14};
    float pixels[16];
    for (size_t i = 0; i < 16; i++)
        pixels[i] = h4[i];
    rug_context *ctx = test_context();
    rug_image img;
    assert_int_equal(rug_image_view(ctx, &img, pixels, RUG_F32, 2, (size_t[]){4, 4}),
                     RUG_OK);
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.levels = RUG_GLCM_LEVELS_WIDTH;
    o.bin_width = 1;
    o.aggregate = RUG_GLCM_AGGREGATE_NONE;
    for (int infinite = 0; infinite < 2; infinite++) {
        pixels[5] = infinite ? -INFINITY : NAN;
        glcm_rows rows = must_measure(ctx, &img, &o);
        for (size_t k = 0; k < 4; k++) {
            assert_int_equal(2 * rows.row[k].pairs, counts[k]);
            assert_int_equal(rows.row[k].area, 15);
            assert_int_equal(rows.row[k].n_nan, 1);
        }
        assert_feature(&rows.row[0], RUG_GLCM_CONTRAST, 0.6, 1e-15);
        free(rows.row);
    }
    for (size_t i = 0; i < 16; i++)
        pixels[i] = NAN;
    o.levels = RUG_GLCM_LEVELS_AUTO;
    o.bin_width = 0;
    glcm_rows rows = must_measure(ctx, &img, &o);
    assert_int_equal(rows.row[0].n_nan, 16);
    assert_int_equal(rows.row[0].status, RUG_GLCM_NO_PAIRS);
    free(rows.row);
    rug_context_free(ctx);
}

/* Every feature has a name of its own. */
static void names(void **state)
{
    (void)state;
    int out[3];
    for (int a = 0; a < RUG_GLCM_N_FEATURES; a++)
        for (int b = 0; b < a; b++)
            assert_string_not_equal(rug_glcm_feature_name((rug_glcm_feature)a),
                                    rug_glcm_feature_name((rug_glcm_feature)b));
    assert_string_equal(rug_glcm_feature_name(RUG_GLCM_CLUSTER_PROMINENCE),
                        "cluster_prominence");
    assert_string_equal(rug_glcm_feature_ibsi(RUG_GLCM_VARIANCE), "joint_variance");
    assert_string_equal(rug_glcm_feature_pyradiomics(RUG_GLCM_VARIANCE), "SumSquares");
    assert_string_equal(rug_glcm_feature_pyradiomics(RUG_GLCM_DISSIMILARITY), "");
    assert_string_equal(rug_glcm_feature_name((rug_glcm_feature)RUG_GLCM_N_FEATURES),
                        "?");
    assert_string_equal(rug_glcm_direction_name(13), "?");
    for (uint32_t a = 0; a < RUG_GLCM_DIRECTIONS_3D; a++) {
        assert_int_equal(rug_glcm_direction(NULL, out, 3, a), RUG_OK);
        assert_true(out[0] > 0 || (out[0] == 0 && out[1] <= 0 && out[1] + out[2] != -3));
        if (a >= 4) {
            char name[32];
            snprintf(name, sizeof name, "z%+d,y%+d,x%+d", out[0], out[1], out[2]);
            assert_string_equal(rug_glcm_direction_name(a), name);
        }
    }
    assert_int_equal(rug_glcm_direction(NULL, out, 2, 4), RUG_E_ARG);
    assert_int_equal(rug_glcm_direction(NULL, out, 3, 13), RUG_E_ARG);
    assert_int_equal(out[0] | out[1] | out[2], 0);
}

/* f12 is undefined only where neither marginal has any variance. */
static void info_correlation_of_flat_marginals(void **state)
{
    (void)state;
    static const uint8_t pixels[9] = {1, 1, 2, 1, 1, 3, 1, 1, 4}, flat[9] = {0};
    glcm_row row = measure_one(pixels, 3, 3, 0, 1, 1);
    assert_feature(&row, RUG_GLCM_INFO_CORRELATION_1, 0, 0);
    assert_true(isnan(row.features[RUG_GLCM_CORRELATION]));
    assert_int_equal(row.status, RUG_GLCM_FLAT);
    row = measure_one(pixels, 3, 3, 2, 1, 1);
    assert_feature(&row, RUG_GLCM_INFO_CORRELATION_1, -1, 1e-14);
    assert_int_equal(row.status, RUG_GLCM_OK);
    row = measure_one(flat, 3, 3, 2, 1, 1);
    assert_true(isnan(row.features[RUG_GLCM_INFO_CORRELATION_1]));
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.asymmetric = 1;
    o.directions = 5;
    glcm_rows rows = measure_u8(pixels, 3, 3, &o);
    assert_feature(&rows.row[0], RUG_GLCM_INFO_CORRELATION_1, -0.5, 1e-14);
    free(rows.row);
}

/* However few the pairs, rounding leads no correlation out of -1..1. */
static void bounds_of_correlations(void **state)
{
    (void)state;
    static const uint8_t once[6] = {0, 2, 1, 6, 4, 5};
    static const rug_glcm_feature f[] = {
        RUG_GLCM_CORRELATION, RUG_GLCM_INFO_CORRELATION_1, RUG_GLCM_INFO_CORRELATION_2,
        RUG_GLCM_MAX_CORRELATION_COEFFICIENT};
    glcm_row row = measure_one(once, 2, 3, 2, 1, 1);
    assert_feature(&row, RUG_GLCM_CORRELATION, -1, 0);
    uint64_t rng = 15;
    for (int i = 0; i < 3000; i++) {
        uint8_t pixels[12];
        for (int k = 0; k < 12; k++)
            pixels[k] = (uint8_t)test_below(&rng, 9);
        row = measure_one(pixels, 3, 4, (uint32_t)i % 4, 1, i % 2);
        for (int k = 0; k < 4; k++)
            assert_true(!(fabs(row.features[f[k]]) > 1));
    }
}

/* The same pixels by a mask and as a label: the frame is about what the mask leaves. */
static void frame_of_a_mask(void **state)
{
    (void)state;
    static uint8_t pixels[30], inside[30];
    for (size_t i = 0; i < 30; i++) {
        pixels[i] = (uint8_t)(1 + i % 7);
        inside[i] = i / 6 >= 1 && i / 6 < 3 && i % 6 >= 2 && i % 6 < 5;
    }
    rug_image chosen = test_u8(inside, 0, 5, 6);
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.pairs = RUG_GLCM_PAIRS_FRAME;
    o.directions = 1;
    o.features = RUG_GLCM_FEATURES_ALL;
    o.labels = glcm_source(&chosen);
    glcm_rows label = measure_u8(pixels, 5, 6, &o);
    o.labels = NULL;
    o.mask = glcm_source(&chosen);
    glcm_rows mask = measure_u8(pixels, 5, 6, &o);
    assert_int_equal(mask.row[0].pairs, 16);
    label.row[0].label = 0;
    assert_same_rows(&mask, &label);
    free(mask.row);
    free(label.row);
}

static void names_of_choices(void **state)
{
    (void)state;
    assert_string_equal(rug_glcm_status_name(RUG_GLCM_NO_PAIRS), "no pairs");
    assert_string_equal(rug_glcm_features_name(RUG_GLCM_FEATURES_ALL), "all");
    assert_string_equal(rug_glcm_levels_name(RUG_GLCM_LEVELS_WIDTH), "width");
    assert_string_equal(rug_glcm_range_name(RUG_GLCM_RANGE_GIVEN), "given");
    assert_string_equal(rug_glcm_pairs_name(RUG_GLCM_PAIRS_FRAME), "frame");
    assert_string_equal(rug_glcm_aggregate_name(RUG_GLCM_AGGREGATE_MERGED), "merged");
    assert_string_equal(rug_glcm_slices_name(RUG_GLCM_SLICES_MERGED), "merged");
    assert_string_equal(rug_glcm_status_name((rug_glcm_status)3), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(info_correlation_of_flat_marginals),
        cmocka_unit_test(bounds_of_correlations),
        cmocka_unit_test(frame_of_a_mask),
        cmocka_unit_test(names_of_choices),
        cmocka_unit_test(example_of_1973),
        cmocka_unit_test(distances_of_diagonals),
        cmocka_unit_test(symmetric_or_not),
        cmocka_unit_test(flat_region),
        cmocka_unit_test(independent_levels),
        cmocka_unit_test(directions_and_their_means),
        cmocka_unit_test(distances_beyond_the_image),
        cmocka_unit_test(labels_by_hand),
        cmocka_unit_test(regions_without_pairs),
        cmocka_unit_test(pixels_in_a_frame),
        cmocka_unit_test(frame_of_a_width),
        cmocka_unit_test(refused_frames),
        cmocka_unit_test(nan_is_left_out),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
