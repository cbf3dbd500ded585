/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Co-occurrence against the slow, obvious way: random images and volumes of every dtype, with
 * odd strides and shapes, labels, masks and options; at every CPU level, with one to four
 * threads. */

#include "support.h"

#include "glcm_support.h"
#include "labels_support.h"
#include "naive_glcm.h"

#include "glcm_random_support.h"
#include <stdio.h>

/* Relative to the larger of a feature and 1; shade and prominence to the size of their terms. */
#define BOUND 1e-10
#define ROOT_BOUND \
    1e-7 /* of f13 and f14, for which the naive way takes the root of a
                           number near 0 */

static int is_asked_for(const rug_glcm_options *o, int feature)
{
    if (o->features == RUG_GLCM_FEATURES_ALL)
        return 1;
    return feature < (o->features == RUG_GLCM_FEATURES_14 ? 14 : 13);
}

/* Powers of levels that far apart cancel, in the naive sums too. */
static double unit_of(int feature, const glcm_row *expected)
{
    double spread = sqrt(fabs(expected->features[RUG_GLCM_CLUSTER_TENDENCY]));
    double average = fabs(expected->features[RUG_GLCM_JOINT_AVERAGE]);
    switch (feature) {
    case RUG_GLCM_CLUSTER_SHADE: return 1 + 100 * spread * spread * spread;
    case RUG_GLCM_AUTOCORRELATION: return 1 + average * average;
    default: return 1;
    }
}

static uint64_t count_outside(const job *j, uint64_t label)
{
    uint64_t n = 0;
    for (size_t i = 0; i < j->n; i++)
        n += (!j->has_mask || j->inside[i]) && !j->kept[i] &&
             (!j->has_labels || j->label[i] == label);
    return n;
}

static void compare(const job *j, const glcm_row *row, double *worst)
{
    glcm_row expected;
    if (!naive_glcm(&expected, &j->pixels, &j->opts, row->label, row->distance,
                    row->direction, row->levels <= 24 && j->n < 2000))
        fail_msg("no memory");
    int same = row->area == expected.area && row->n_nan == expected.n_nan &&
               row->n_clamped == expected.n_clamped && row->pairs == expected.pairs &&
               row->levels == expected.levels &&
               row->n_outside == count_outside(j, row->label);
    if (!same)
        fail_msg(
            "seed %llu, label %llu: area %llu nan %llu clamped %llu pairs %llu levels "
            "%u; %llu %llu %llu %llu %u expected",
            (unsigned long long)j->seed, (unsigned long long)row->label,
            (unsigned long long)row->area, (unsigned long long)row->n_nan,
            (unsigned long long)row->n_clamped, (unsigned long long)row->pairs,
            row->levels, (unsigned long long)expected.area,
            (unsigned long long)expected.n_nan, (unsigned long long)expected.n_clamped,
            (unsigned long long)expected.pairs, expected.levels);
    for (int f = 0; f < RUG_GLCM_N_FEATURES; f++) {
        double v = row->features[f], e = expected.features[f];
        int is_mcc = f == RUG_GLCM_MAX_CORRELATION_COEFFICIENT;
        int is_root = is_mcc || f == RUG_GLCM_INFO_CORRELATION_2;
        if (!is_asked_for(&j->opts, f)) {
            assert_true(isnan(v));
            continue;
        }
        if (is_mcc && isnan(e))
            continue; /* flat, or left out */
        double error = glcm_error(v, e, unit_of(f, &expected));
        if (!(error <= (is_root ? ROOT_BOUND : BOUND)))
            fail_msg(
                "seed %llu, label %llu, distance %u, direction %d: %s is %.17g, %.17g "
                "expected",
                (unsigned long long)j->seed, (unsigned long long)row->label,
                row->distance, row->direction, rug_glcm_feature_name((rug_glcm_feature)f),
                v, e);
        worst[is_root] = fmax(worst[is_root], error);
    }
}

static void against_naive(void **state)
{
    (void)state;
    static job j;
    double worst[2] = {0, 0};
    size_t n_rows = 0;
    rug_context *ctx = test_context();
    for (uint64_t seed = 1; seed <= 300; seed += TEST_STEP(4)) {
        make_job(&j, seed);
        rug_context_set_threads(ctx, 1 + (int)(seed % 4));
        rug_context_set_cpu_level(ctx, (rug_cpu_level)(seed / 4 % (RUG_CPU_MAX + 1)));
        glcm_rows rows = {0};
        if (rug_glcm(ctx, &j.image.img, &j.opts, glcm_keep, &rows) != RUG_OK)
            fail_msg("seed %llu: %s", (unsigned long long)seed, rug_context_error(ctx));
        for (size_t i = 0; i < rows.n; i++)
            compare(&j, &rows.row[i], worst);
        n_rows += rows.n;
        free(rows.row);
        free_job(&j);
    }
    printf("seeds 1..300: %zu rows, largest error %.2g, of f13 and f14 %.2g\n", n_rows,
           worst[0], worst[1]);
    rug_context_free(ctx);
}

/* Every level and number of threads gives the same bits. */
static void threads_and_levels_agree(void **state)
{
    (void)state;
    static job j;
    rug_context *ctx = test_context();
    for (uint64_t seed = 1001; seed <= 1060; seed += TEST_STEP(4)) {
        make_job(&j, seed);
        glcm_rows first = {0};
        for (int threads = 1; threads <= 4; threads++)
            for (int level = 0; level <= RUG_CPU_MAX; level++) {
                rug_context_set_threads(ctx, threads);
                rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
                glcm_rows rows = must_measure(ctx, &j.image.img, &j.opts);
                if (first.row == NULL) {
                    first = rows;
                    continue;
                }
                assert_same_rows(&first, &rows);
                free(rows.row);
            }
        free(first.row);
        free_job(&j);
    }
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_naive),
        cmocka_unit_test(threads_and_levels_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
