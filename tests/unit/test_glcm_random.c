/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Co-occurrence against the slow, obvious way: random images and volumes of every dtype, with
 * odd strides and shapes, labels, masks and options; at every CPU level, with one to four
 * threads. */

#include "support.h"

#include "glcm_support.h"
#include "labels_support.h"
#include "naive_glcm.h"
#include <stdio.h>

/* Relative to the larger of a feature and 1; shade and prominence to the size of their terms. */
#define BOUND 1e-10
#define ROOT_BOUND \
    1e-7 /* of f13 and f14, for which the naive way takes the root of a
                           number near 0 */

#define MAX_CELLS 4096

/* One random job. */
typedef struct job {
    uint64_t seed, rng;
    size_t nz, ny, nx, n;
    double value[MAX_CELLS];
    uint64_t label[MAX_CELLS];
    uint8_t inside[MAX_CELLS];
    stored image, labels, mask;
    int has_labels, has_mask;
    int is_far; /* from 0, which has no place in the naive matrix then */
    uint32_t distances[3];
    rug_glcm_options opts;
    naive_cells cells;
} job;

static void random_shape(job *j)
{
    j->nz = test_below(&j->rng, 3) == 0 ? 1 + test_below(&j->rng, 5) : 0;
    size_t most = j->nz > 0 ? 12 : test_below(&j->rng, 4) == 0 ? 200 : 24;
    j->nx = 1 + test_below(&j->rng, most);
    j->ny = 1 + test_below(&j->rng, most == 200 ? 20 : most);
    j->n = (j->nz > 0 ? j->nz : 1) * j->ny * j->nx;
}

/* Values of few or many levels, some far from 0. */
static double random_value(job *j, rug_dtype dtype, uint64_t n_levels, double base)
{
    double v = (double)test_below(&j->rng, n_levels);
    switch (dtype) {
    case RUG_BIT: return (double)((uint64_t)v & 1);
    case RUG_U8: return (double)((uint64_t)v & 255);
    case RUG_I8: return (double)((uint64_t)v & 255) - 128;
    case RUG_U16: return v;
    case RUG_I16: return v - 32768;
    case RUG_U32:
    case RUG_U64: return v + base;
    case RUG_I32:
    case RUG_I64: return v - base;
    default:
        if (test_below(&j->rng, 20) == 0)
            return test_below(&j->rng, 2) ? NAN : INFINITY;
        return (v - base) / 8;
    }
}

static void store_double(unsigned char *to, rug_dtype dtype, double v)
{
    if (dtype == RUG_F32) {
        float f = (float)v;
        memcpy(to, &f, sizeof f);
    } else {
        memcpy(to, &v, sizeof v);
    }
}

/* Values as an image with odd strides. */
static stored store_values(job *j, rug_dtype dtype, int odd)
{
    static uint64_t numbers[MAX_CELLS];
    for (size_t i = 0; i < j->n; i++)
        numbers[i] = dtype >= RUG_F32 ? 0 : (uint64_t)(int64_t)j->value[i];
    stored s = store_numbers(numbers, dtype, j->nz, j->ny, j->nx, odd);
    for (size_t i = 0; i < j->n && dtype >= RUG_F32; i++) {
        const size_t at[3] = {i / (j->ny * j->nx), i / j->nx % j->ny, i % j->nx};
        unsigned char *to = (unsigned char *)(uintptr_t)s.img.data;
        for (int a = 0; a < s.img.ndim; a++)
            to += (ptrdiff_t)at[a + 3 - s.img.ndim] * s.img.stride[a];
        store_double(to, dtype, j->value[i]);
    }
    return s;
}

static void random_image(job *j)
{
    static const uint64_t levels[] = {1, 2, 3, 8, 20, 40, 256};
    rug_dtype dtype = (rug_dtype)test_below(&j->rng, RUG_N_DTYPES);
    uint64_t n_levels = levels[test_below(&j->rng, 7)];
    double base = (double)test_below(&j->rng, 100000);
    j->is_far = test_below(&j->rng, 2) != 0;
    base = j->is_far ? base : (double)(uint64_t)(base / 1000);
    for (size_t i = 0; i < j->n; i++) {
        double v = random_value(j, dtype, n_levels, base);
        j->value[i] = dtype == RUG_F32 ? (double)(float)v : v;
    }
    j->image = store_values(j, dtype, (int)test_below(&j->rng, 4));
}

static void random_twins(job *j)
{
    static const rug_dtype types[] = {RUG_U8, RUG_U16, RUG_I32, RUG_F64};
    static uint64_t numbers[MAX_CELLS];
    j->has_labels = test_below(&j->rng, 2) != 0;
    j->has_mask = test_below(&j->rng, 4) == 0;
    int is_noise = test_below(&j->rng, 4) == 0; /* labels are scattered */
    for (size_t i = 0; i < j->n; i++) {
        size_t x = i % j->nx, y = i / j->nx % j->ny;
        uint64_t block = 1 + 3 * (x / 9 + 2 * (y / 7)), place = test_below(&j->rng, 50);
        j->label[i] = test_below(&j->rng, 6) == 0 ? 0 : is_noise ? 1 + place : block;
        j->inside[i] = test_below(&j->rng, 5) != 0;
        numbers[i] = j->inside[i];
    }
    rug_dtype type = types[test_below(&j->rng, 4)];
    j->labels =
        store_numbers(j->label, type, j->nz, j->ny, j->nx, (int)test_below(&j->rng, 4));
    j->mask = store_numbers(numbers, types[test_below(&j->rng, 4)], j->nz, j->ny, j->nx,
                            (int)test_below(&j->rng, 4));
}

static void random_bins(job *j)
{
    rug_glcm_options *o = &j->opts;
    int is_float = j->image.img.dtype >= RUG_F32;
    uint64_t kind = test_below(&j->rng, 4);
    if (kind < 2 && (kind == 0 || is_float))
        return;
    if (kind == 1) {
        o->levels = RUG_GLCM_LEVELS_EXACT;
        return;
    }
    o->levels = kind == 2 ? RUG_GLCM_LEVELS_COUNT : RUG_GLCM_LEVELS_WIDTH;
    o->n_levels = kind == 2 ? 2 + (uint32_t)test_below(&j->rng, 40) : 0;
    o->bin_width = kind == 3 ? 0.5 + (double)test_below(&j->rng, 40) : 0;
    o->range = (rug_glcm_range)test_below(&j->rng, 5);
    if (o->range == RUG_GLCM_RANGE_TYPE && (is_float || j->image.img.dtype >= RUG_I16))
        o->range = RUG_GLCM_RANGE_ROI;
    if (o->range == RUG_GLCM_RANGE_GIVEN) {
        o->range_lo = j->value[0] > -1e9 && j->value[0] < 1e9 ? j->value[0] - 3 : -2;
        o->range_hi = o->range_lo + 1 + (double)test_below(&j->rng, 30);
    }
}

static void random_options(job *j)
{
    rug_glcm_options *o = &j->opts;
    *o = (rug_glcm_options)RUG_GLCM_OPTIONS_INIT;
    o->labels = j->has_labels ? &j->labels.img : NULL;
    o->mask = j->has_mask ? &j->mask.img : NULL;
    uint32_t d = 1 + (uint32_t)test_below(&j->rng, 2);
    for (int i = 0; i < 3; i++, d += 1 + (uint32_t)test_below(&j->rng, 4))
        j->distances[i] = d;
    o->n_distances = (uint32_t)test_below(&j->rng, 4);
    o->distances = o->n_distances > 0 ? j->distances : NULL;
    o->asymmetric = test_below(&j->rng, 3) == 0;
    if (test_below(&j->rng, 5) == 0 && !j->is_far && j->image.img.dtype != RUG_I16)
        o->pairs = RUG_GLCM_PAIRS_FRAME;
    o->aggregate = (rug_glcm_aggregate)test_below(&j->rng, 4);
    o->slices =
        j->nz > 0 ? (rug_glcm_slices)test_below(&j->rng, 3) : RUG_GLCM_SLICES_NONE;
    int flat = j->nz == 0 || o->slices != RUG_GLCM_SLICES_NONE;
    if (test_below(&j->rng, 3) == 0)
        o->directions = 1 + (uint32_t)test_below(&j->rng, flat ? 15 : 8191);
    o->features = (rug_glcm_features)test_below(&j->rng, 3);
    o->log_base = test_below(&j->rng, 2) ? 2.0 : 2.718281828459045;
    random_bins(j);
}

static void make_job(job *j, uint64_t seed)
{
    *j = (job){.seed = seed, .rng = seed};
    random_shape(j);
    random_image(j);
    random_twins(j);
    random_options(j);
    j->cells = (naive_cells){.nz = j->nz > 0 ? j->nz : 1,
                             .ny = j->ny,
                             .nx = j->nx,
                             .ndim = j->nz > 0 ? 3 : 2,
                             .value = j->value,
                             .label = j->has_labels ? j->label : NULL,
                             .inside = j->has_mask ? j->inside : NULL,
                             .dtype = j->image.img.dtype};
}

static void free_job(job *j)
{
    free(j->image.buffer);
    free(j->labels.buffer);
    free(j->mask.buffer);
}

static int is_asked_for(const rug_glcm_options *o, int feature)
{
    if (o->features == RUG_GLCM_FEATURES_ALL)
        return 1;
    return feature < (o->features == RUG_GLCM_FEATURES_14 ? 14 : 13);
}

/* Powers of levels that far apart cancel, in the naive sums too. */
static double unit_of(int feature, const rug_glcm_row *expected)
{
    double spread = sqrt(fabs(expected->features[RUG_GLCM_CLUSTER_TENDENCY]));
    double average = fabs(expected->features[RUG_GLCM_JOINT_AVERAGE]);
    switch (feature) {
    case RUG_GLCM_CLUSTER_SHADE: return 1 + 100 * spread * spread * spread;
    case RUG_GLCM_AUTOCORRELATION: return 1 + average * average;
    default: return 1;
    }
}

static void compare(const job *j, const rug_glcm_row *row, double *worst)
{
    rug_glcm_row expected;
    if (!naive_glcm(&expected, &j->cells, &j->opts, row->label, row->distance,
                    row->direction, row->levels <= 24 && j->n < 2000))
        fail_msg("no memory");
    int same = row->area == expected.area && row->n_nan == expected.n_nan &&
               row->n_clamped == expected.n_clamped && row->pairs == expected.pairs &&
               row->levels == expected.levels;
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
    for (uint64_t seed = 1; seed <= 300; seed++) {
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
    for (uint64_t seed = 1001; seed <= 1060; seed++) {
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
