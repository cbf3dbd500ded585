/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Co-occurrence matrices: the paper's example, features equal to those of rug_glcm(), parts that
 * add up, and what is refused. */

#include "support.h"

#include "glcm_support.h"
#include <rugose/glcm_matrix.h>
#include <stdio.h>

/* ---- Matrices of a call ---- */

typedef struct kept {
    size_t n;
    rug_glcm_matrix m[400];
} kept;

static rug_status keep(void *user, const rug_glcm_matrix *m)
{
    kept *k = user;
    size_t n = (size_t)m->n_levels * m->n_levels;
    assert_true(k->n < 400);
    uint64_t *counts = malloc(n * sizeof *counts);
    assert_non_null(counts);
    memcpy(counts, m->counts, n * sizeof *counts);
    k->m[k->n] = *m;
    k->m[k->n++].counts = counts;
    return RUG_OK;
}

static void must_count(rug_context *ctx, kept *out, const rug_image *img,
                       const rug_glcm_options *o)
{
    out->n = 0;
    if (rug_glcm_matrices(ctx, img, o, keep, out) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
}

static void forget(kept *k)
{
    for (size_t i = 0; i < k->n; i++)
        free((void *)(uintptr_t)k->m[i].counts);
    k->n = 0;
}

/* ---- The paper's example ---- */

/* Haralick, Shanmugam and Dinstein (1973), figure 3. */
static const uint8_t paper[16] = {0, 0, 1, 1, 0, 0, 1, 1, 0, 2, 2, 2, 2, 2, 3, 3};

static void example(void **state)
{
    (void)state;
    static const uint64_t expected[4][16] = {
        {4, 2, 1, 0, 2, 4, 0, 0, 1, 0, 6, 1, 0, 0, 1, 2},
        {4, 1, 0, 0, 1, 2, 2, 0, 0, 2, 4, 1, 0, 0, 1, 0},
        {6, 0, 2, 0, 0, 4, 2, 0, 2, 2, 2, 2, 0, 0, 2, 0},
        {2, 1, 3, 0, 1, 2, 1, 0, 3, 1, 0, 2, 0, 0, 2, 0}};
    rug_context *ctx = test_context();
    rug_image img = test_u8(paper, 0, 4, 4);
    kept k;
    must_count(ctx, &k, &img, NULL);
    assert_int_equal(k.n, 4);
    for (int d = 0; d < 4; d++) {
        assert_int_equal(k.m[d].direction, d);
        assert_int_equal(k.m[d].level_min, 0);
        assert_int_equal(k.m[d].n_levels, 4);
        assert_int_equal(k.m[d].pairs, d % 2 == 0 ? 12 : 9);
        assert_memory_equal(k.m[d].counts, expected[d], sizeof expected[d]);
    }
    forget(&k);
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.aggregate = RUG_GLCM_AGGREGATE_MERGED;
    must_count(ctx, &k, &img, &o);
    assert_int_equal(k.n, 1);
    assert_int_equal(k.m[0].direction, -1);
    for (size_t i = 0; i < 16; i++)
        assert_int_equal(k.m[0].counts[i], expected[0][i] + expected[1][i] +
                                               expected[2][i] + expected[3][i]);
    forget(&k);
    o = (rug_glcm_options)RUG_GLCM_OPTIONS_INIT;
    o.asymmetric = 1;
    o.directions = 1;
    must_count(ctx, &k, &img, &o);
    static const uint64_t one_way[16] = {2, 2, 1, 0, 0, 2, 0, 0, 0, 0, 3, 1, 0, 0, 0, 1};
    assert_memory_equal(k.m[0].counts, one_way, sizeof one_way);
    forget(&k);
    rug_context_free(ctx);
}

/* ---- Features ---- */

static void compare_features(const rug_glcm_matrix *m, const glcm_row *row,
                             const double *f, rug_glcm_status status)
{
    assert_int_equal(row->label, m->label);
    assert_int_equal(row->distance, m->distance);
    assert_int_equal(row->direction, m->direction);
    assert_int_equal(row->pairs, m->pairs);
    assert_int_equal(row->status, status);
    for (int i = 0; i < RUG_GLCM_N_FEATURES; i++) {
        double bound = i == RUG_GLCM_MAX_CORRELATION_COEFFICIENT ? 1e-10 : 0;
        if (!same_number(f[i], row->features[i]) &&
            !(glcm_error(f[i], row->features[i], 1) <= bound))
            fail_msg("label %d, direction %d: %s is %.17g, of the region %.17g",
                     (int)m->label, m->direction,
                     rug_glcm_feature_name((rug_glcm_feature)i), f[i], row->features[i]);
    }
}

/* Whether features of matrices are those of regions. */
static void must_agree(rug_context *ctx, const rug_image *img, rug_glcm_options o)
{
    static kept k;
    must_count(ctx, &k, img, &o);
    o.aggregate = o.aggregate == RUG_GLCM_AGGREGATE_MERGED ? RUG_GLCM_AGGREGATE_MERGED
                                                           : RUG_GLCM_AGGREGATE_NONE;
    o.features = RUG_GLCM_FEATURES_ALL;
    glcm_rows rows = must_measure(ctx, img, &o);
    assert_int_equal(k.n, rows.n);
    for (size_t i = 0; i < k.n; i++) {
        const rug_glcm_matrix *m = &k.m[i];
        double f[RUG_GLCM_N_FEATURES + 1];
        rug_glcm_status status;
        rug_glcm_matrix_options mo = RUG_GLCM_MATRIX_OPTIONS_INIT;
        mo.level_min = m->level_min;
        mo.n_gray = m->n_gray;
        mo.asymmetric = o.asymmetric;
        mo.features = RUG_GLCM_FEATURES_ALL;
        if (rug_glcm_matrix_features(ctx, f, RUG_GLCM_N_FEATURES + 1, &status, m->counts,
                                     m->n_levels, &mo) != RUG_OK)
            fail_msg("%s", rug_context_error(ctx));
        assert_true(isnan(f[RUG_GLCM_N_FEATURES]));
        compare_features(m, &rows.row[i], f, status);
    }
    free(rows.row);
    forget(&k);
}

static uint64_t seed = 5;
static uint8_t bytes[40 * 50];
static int32_t words[8 * 9 * 10];

static rug_image random_bytes(uint32_t n_levels, uint32_t least)
{
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(least + test_random(&seed) % n_levels);
    return test_u8(bytes, 0, 40, 50);
}

static void features_of_images(void **state)
{
    (void)state;
    static const uint32_t distances[] = {1, 3, 60};
    rug_context *ctx = test_context();
    for (uint32_t n = 1; n < 256; n = 3 * n + 1) {
        rug_image img = random_bytes(n, 255 - n);
        rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
        o.distances = distances;
        o.n_distances = 3;
        must_agree(ctx, &img, o);
        o.asymmetric = 1;
        must_agree(ctx, &img, o);
        o.pairs = RUG_GLCM_PAIRS_FRAME;
        must_agree(ctx, &img, o);
        o.asymmetric = 0;
        o.aggregate = RUG_GLCM_AGGREGATE_MERGED;
        must_agree(ctx, &img, o);
        o.levels = RUG_GLCM_LEVELS_COUNT;
        o.n_levels = 7;
        must_agree(ctx, &img, o);
        o = (rug_glcm_options)RUG_GLCM_OPTIONS_INIT;
        o.levels = RUG_GLCM_LEVELS_WIDTH;
        o.bin_width = 3.5;
        must_agree(ctx, &img, o);
    }
    rug_context_free(ctx);
}

static void features_of_regions(void **state)
{
    (void)state;
    static uint8_t labels[8 * 9 * 10];
    rug_context *ctx = test_context();
    rug_image img;
    assert_int_equal(rug_image_view(ctx, &img, words, RUG_I32, 3, (size_t[]){8, 9, 10}),
                     RUG_OK);
    rug_image regions = test_u8(labels, 8, 9, 10);
    for (size_t i = 0; i < sizeof labels; i++) {
        words[i] = (int32_t)(test_random(&seed) % 900) - 400;
        labels[i] = (uint8_t)(i / 100 + i % 3 / 2);
    }
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.labels = glcm_source(&regions);
    must_agree(ctx, &img, o);
    o.slices = RUG_GLCM_SLICES_MERGED;
    must_agree(ctx, &img, o);
    kept k;
    o.slices = RUG_GLCM_SLICES_MEAN;
    o.directions = 1;
    must_count(ctx, &k, &img, &o);
    assert_int_equal(k.m[0].slice, 0);
    assert_int_equal(k.m[k.n - 1].slice, 7);
    forget(&k);
    rug_context_free(ctx);
}

/* Counts above 32 bits: features of a matrix do not change when all counts grow alike, but for
 * the last bits. */
static void large_counts(void **state)
{
    (void)state;
    static const uint64_t small[9] = {4, 7, 1, 7, 20, 3, 1, 3, 2};
    uint64_t large[9];
    double a[RUG_GLCM_N_FEATURES], b[RUG_GLCM_N_FEATURES];
    rug_context *ctx = test_context();
    rug_glcm_matrix_options o = RUG_GLCM_MATRIX_OPTIONS_INIT;
    o.features = RUG_GLCM_FEATURES_ALL;
    for (size_t i = 0; i < 9; i++)
        large[i] = small[i] << 37;
    for (o.asymmetric = 0; o.asymmetric < 2; o.asymmetric++) {
        assert_int_equal(
            rug_glcm_matrix_features(ctx, a, RUG_GLCM_N_FEATURES, NULL, small, 3, &o),
            RUG_OK);
        assert_int_equal(
            rug_glcm_matrix_features(ctx, b, RUG_GLCM_N_FEATURES, NULL, large, 3, &o),
            RUG_OK);
        for (int f = 0; f < RUG_GLCM_N_FEATURES; f++)
            assert_true(glcm_error(b[f], a[f], 1) < 1e-11);
    }
    rug_context_free(ctx);
}

/* ---- Parts ---- */

/* Adds, or takes off, the counts of a part of the bytes. */
static void add_part(rug_context *ctx, int64_t *sum, const size_t first[2],
                     const size_t end[2], int sign)
{
    static const uint32_t distances[] = {2};
    if (first[0] >= end[0] || first[1] >= end[1])
        return;
    rug_image part = test_u8(bytes, 0, 40, 50);
    part.data = bytes + first[0] * 50 + first[1];
    part.shape[0] = end[0] - first[0];
    part.shape[1] = end[1] - first[1];
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.distances = distances;
    o.n_distances = 1;
    kept k;
    must_count(ctx, &k, &part, &o);
    for (size_t d = 0; d < 4; d++) {
        const rug_glcm_matrix *m = &k.m[d];
        for (size_t i = 0; i < m->n_levels; i++)
            for (size_t j = 0; j < m->n_levels; j++)
                sum[(d * 16 + (size_t)m->level_min + i) * 16 + (size_t)m->level_min +
                    j] += sign * (int64_t)m->counts[i * m->n_levels + j];
    }
    forget(&k);
}

/* As the header says: parts with halos, less the halos, and what lies in both again. */
static void parts_add_up(void **state)
{
    (void)state;
    static const size_t rows[] = {0, 11, 12, 30, 40}, columns[] = {0, 23, 24, 50};
    static int64_t sum[4 * 256], whole[4 * 256];
    rug_context *ctx = test_context();
    random_bytes(16, 0);
    add_part(ctx, whole, (size_t[]){0, 0}, (size_t[]){40, 50}, 1);
    for (size_t r = 0; r < 4; r++)
        for (size_t c = 0; c < 3; c++) {
            size_t end[2] = {rows[r + 1] + 2, columns[c + 1] + 2};
            end[0] = end[0] < 40 ? end[0] : 40;
            end[1] = end[1] < 50 ? end[1] : 50;
            for (int halo = 0; halo < 4; halo++) {
                size_t first[2] = {halo & 1 ? rows[r + 1] : rows[r],
                                   halo & 2 ? columns[c + 1] : columns[c]};
                add_part(ctx, sum, first, end, halo == 1 || halo == 2 ? -1 : 1);
            }
        }
    assert_memory_equal(sum, whole, sizeof whole);
    rug_context_free(ctx);
}

/* ---- Any offset ---- */

static void must_be_counted(const rug_glcm_matrix *m, const int32_t offset[3],
                            int is_symmetric)
{
    static int64_t expected[16 * 16];
    uint64_t pairs = 0;
    memset(expected, 0, sizeof expected);
    for (int y = 0; y < 40; y++)
        for (int x = 0; x < 50; x++) {
            int to_y = y + offset[1], to_x = x + offset[2];
            if (to_y < 0 || to_x < 0 || to_y >= 40 || to_x >= 50)
                continue;
            int i = bytes[y * 50 + x], j = bytes[to_y * 50 + to_x];
            expected[i * 16 + j]++;
            expected[j * 16 + i] += is_symmetric;
            pairs++;
        }
    assert_int_equal(m->n_levels, 16);
    assert_int_equal(m->direction, -1);
    assert_int_equal(m->pairs, pairs);
    assert_memory_equal(m->offset, offset, sizeof m->offset);
    assert_memory_equal(m->counts, expected, sizeof expected);
}

static void any_offset(void **state)
{
    (void)state;
    static const int32_t offsets[][3] = {{0, 1, 2},  {0, -2, 1}, {0, 3, -1},  {0, 0, -1},
                                         {0, 39, 0}, {0, 40, 3}, {0, -7, -49}};
    rug_context *ctx = test_context();
    rug_image img = random_bytes(16, 0);
    for (int asymmetric = 0; asymmetric < 2; asymmetric++) {
        rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
        o.asymmetric = asymmetric;
        kept k = {0};
        assert_int_equal(rug_glcm_matrices_at(ctx, &img, offsets, 7, &o, keep, &k),
                         RUG_OK);
        assert_int_equal(k.n, 7);
        for (size_t i = 0; i < 7; i++)
            must_be_counted(&k.m[i], offsets[i], !asymmetric);
        forget(&k);
    }
    rug_context_free(ctx);
}

/* ---- What is refused ---- */

static void assert_text(rug_context *ctx, const char *text)
{
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("'%s' does not hold '%s'", rug_context_error(ctx), text);
}

static rug_status stop(void *user, const rug_glcm_matrix *m)
{
    (void)m;
    return ++*(int *)user == 2 ? RUG_E_IO : RUG_OK;
}

static void refused_calls(void **state)
{
    (void)state;
    static const uint16_t wide[4] = {0, 9000, 1, 2};
    static const uint64_t huge[4] = {UINT64_MAX, 0, 0, UINT64_MAX};
    rug_context *ctx = test_context();
    rug_image img = random_bytes(9, 0), far;
    kept k = {0};
    int n = 0;
    assert_int_equal(rug_image_view(ctx, &far, wide, RUG_U16, 2, (size_t[]){2, 2}),
                     RUG_OK);
    assert_int_equal(rug_glcm_matrices(ctx, &far, NULL, keep, &k), RUG_E_ARG);
    assert_text(ctx, "label 0 has levels from 0 to 9000");
    assert_int_equal(rug_glcm_matrices(ctx, &img, NULL, NULL, &k), RUG_E_ARG);
    assert_int_equal(rug_glcm_matrices(ctx, &img, NULL, stop, &n), RUG_E_IO);
    assert_int_equal(n, 2);
    rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
    o.aggregate = RUG_GLCM_AGGREGATE_RANGE;
    assert_int_equal(rug_glcm_matrices(ctx, &img, &o, keep, &k), RUG_E_ARG);
    assert_text(ctx, "RANGE");
    o = (rug_glcm_options)RUG_GLCM_OPTIONS_INIT;
    o.features = RUG_GLCM_FEATURES_13;
    assert_int_equal(rug_glcm_matrices(ctx, &img, &o, keep, &k), RUG_E_ARG);
    assert_text(ctx, "choice of features");
    assert_int_equal(k.n, 0);

    static const int32_t bad[][3] = {
        {0, 0, 0}, {1, 0, 0}, {0, 32768, 0}, {0, 0, INT32_MIN}};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(rug_glcm_matrices_at(ctx, &img, bad + i, 1, NULL, keep, &k),
                         RUG_E_ARG);
        assert_text(ctx, "offset");
    }
    o = (rug_glcm_options)RUG_GLCM_OPTIONS_INIT;
    o.directions = 1;
    assert_int_equal(rug_glcm_matrices_at(ctx, &img, bad, 1, &o, keep, &k), RUG_E_ARG);
    assert_text(ctx, "beside offsets");
    assert_int_equal(rug_glcm_matrices_at(ctx, &img, bad, 0, NULL, keep, &k), RUG_E_ARG);
    assert_int_equal(rug_glcm_matrices_at(ctx, &img, NULL, 1, NULL, keep, &k), RUG_E_ARG);

    double f[3] = {1, 1, 1};
    rug_glcm_matrix_options mo = RUG_GLCM_MATRIX_OPTIONS_INIT;
    assert_int_equal(
        rug_glcm_matrix_features(ctx, f, 3, NULL, (uint64_t[]){2, 1, 0, 2}, 2, &mo),
        RUG_E_ARG);
    assert_text(ctx, "1 the other way");
    assert_true(f[0] == 0 && f[2] == 0);
    assert_int_equal(rug_glcm_matrix_features(ctx, f, 3, NULL, (uint64_t[]){1}, 1, &mo),
                     RUG_E_ARG);
    assert_text(ctx, "even numbers");
    assert_int_equal(rug_glcm_matrix_features(ctx, f, 3, NULL, huge, 0, &mo), RUG_E_ARG);
    assert_int_equal(rug_glcm_matrix_features(ctx, f, 0, NULL, huge, 2, &mo), RUG_E_ARG);
    mo.asymmetric = 1;
    assert_int_equal(rug_glcm_matrix_features(ctx, f, 3, NULL, huge, 2, &mo),
                     RUG_E_UNSUPPORTED);
    mo.log_base = 10;
    assert_int_equal(rug_glcm_matrix_features(ctx, f, 3, NULL, (uint64_t[]){1}, 1, &mo),
                     RUG_E_ARG);
    rug_context_free(ctx);
}

/* A matrix without pairs, and one of a single level. */
static void nothing_in_it(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_glcm_status status;
    double f[2];
    assert_int_equal(
        rug_glcm_matrix_features(ctx, f, 2, &status, (uint64_t[4]){0}, 2, NULL), RUG_OK);
    assert_int_equal(status, RUG_GLCM_NO_PAIRS);
    assert_true(isnan(f[0]) && isnan(f[1]));
    assert_int_equal(
        rug_glcm_matrix_features(ctx, f, 2, &status, (uint64_t[4]){0, 0, 0, 6}, 2, NULL),
        RUG_OK);
    assert_int_equal(status, RUG_GLCM_FLAT);
    assert_true(f[0] >= 1 && f[0] <= 1);
    rug_context_free(ctx);
}

/* Asks that the call stops at the k-th look. */
static int countdown(void *user)
{
    int *left = user;
    return --*left == 0;
}

static void features_can_be_stopped(void **state)
{
    (void)state;
    enum { N = 300 };
    rug_context *ctx = test_context();
    uint64_t *counts = calloc(N * N, sizeof *counts);
    double f[3];
    assert_non_null(counts);
    for (size_t i = 0; i < N * N; i++)
        counts[i] = 2;
    rug_glcm_matrix_options mo = RUG_GLCM_MATRIX_OPTIONS_INIT;
    mo.features = RUG_GLCM_FEATURES_13;
    rug_status status = RUG_E_CANCELLED;
    int n = 0;
    for (; status == RUG_E_CANCELLED; n++) {
        int left = n + 1;
        rug_context_set_cancel(ctx, countdown, &left);
        status = rug_glcm_matrix_features(ctx, f, 3, NULL, counts, N, &mo);
    }
    assert_int_equal(status, RUG_OK);
    assert_int_equal(n, 2 * N + 1);
    free(counts);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example),
        cmocka_unit_test(features_of_images),
        cmocka_unit_test(features_of_regions),
        cmocka_unit_test(large_counts),
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(any_offset),
        cmocka_unit_test(refused_calls),
        cmocka_unit_test(nothing_in_it),
        cmocka_unit_test(features_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
