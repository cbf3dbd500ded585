/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Floats that stand for integers, such as those beside pixels that hold no data: they are measured as
 * integers under a mask are, and NaN is left out. */

#include "support.h"

#include <math.h>
#include <string.h>

enum { NY = 70, NX = 61, N = NY * NX };

/* An image of integers, the same as floats with NaN in a corner, and the mask of the others. */
typedef struct twins {
    int16_t whole[N];
    float single[N];
    double real[N];
    uint8_t inside[N];
    rug_image image, as_f32, as_f64, mask;
    rug_source source;
} twins;

static void make_twins(rug_context *ctx, twins *t, int16_t least, uint32_t range)
{
    const size_t shape[2] = {NY, NX};
    uint64_t seed = 7 + range;
    for (size_t i = 0; i < N; i++) {
        t->inside[i] = i / NX >= 9 || i % NX >= 13;
        t->whole[i] = (int16_t)(least + (int)test_below(&seed, range) / 2 +
                                (int)test_below(&seed, range / 2));
        t->single[i] = t->inside[i] ? (float)t->whole[i] : NAN;
        t->real[i] = t->inside[i] ? (double)t->whole[i] : (double)NAN;
    }
    assert_int_equal(rug_image_view(ctx, &t->image, t->whole, RUG_I16, 2, shape), RUG_OK);
    assert_int_equal(rug_image_view(ctx, &t->as_f32, t->single, RUG_F32, 2, shape),
                     RUG_OK);
    assert_int_equal(rug_image_view(ctx, &t->as_f64, t->real, RUG_F64, 2, shape), RUG_OK);
    assert_int_equal(rug_image_view(ctx, &t->mask, t->inside, RUG_U8, 2, shape), RUG_OK);
    t->source = (rug_source)RUG_SOURCE_INIT;
    rug_source_of_image(&t->source, &t->mask);
}

/* ---- Co-occurrence ---- */

static rug_status keep_row(void *user, const rug_glcm_row *row)
{
    double *features = user;
    memcpy(features, row->features, 14 * sizeof *features);
    features[14] = row->levels;
    features[15] = (double)row->pairs;
    features[16] = (double)row->area;
    return RUG_OK;
}

static void exact_levels(void **state)
{
    (void)state;
    static twins t;
    rug_context *ctx = test_context();
    for (int frame = 0; frame < 2; frame++)
        for (int far = 0; far < 2; far++) {
            double a[17], b[17];
            rug_glcm_options o = RUG_GLCM_OPTIONS_INIT;
            make_twins(ctx, &t, far ? -300 : 4, far ? 500 : 40);
            o.levels = RUG_GLCM_LEVELS_EXACT;
            o.pairs = frame ? RUG_GLCM_PAIRS_FRAME : RUG_GLCM_PAIRS_INSIDE;
            assert_int_equal(rug_glcm(ctx, &t.as_f32, &o, keep_row, a), RUG_OK);
            assert_int_equal(rug_glcm(ctx, &t.as_f64, &o, keep_row, b), RUG_OK);
            assert_memory_equal(a, b, sizeof a);
            o.mask = &t.source;
            assert_int_equal(rug_glcm(ctx, &t.image, &o, keep_row, b), RUG_OK);
            assert_memory_equal(a, b, sizeof a);
        }
    rug_context_free(ctx);
}

/* In maps of features pixels that are in no pair may be left out. */
static rug_status keep_map(void *user, const rug_glcm_map_rows *rows)
{
    memcpy((double *)user + rows->first * rows->nx, rows->values,
           rows->n * rows->nx * sizeof(double));
    return RUG_OK;
}

static void maps_leave_out(void **state)
{
    (void)state;
    static twins t;
    static double all[N], left[N];
    static const rug_glcm_feature contrast = RUG_GLCM_CONTRAST;
    rug_context *ctx = test_context();
    rug_glcm_maps_options maps = RUG_GLCM_MAPS_OPTIONS_INIT;
    make_twins(ctx, &t, 4, 40);
    maps.features = &contrast;
    maps.n_features = 1;
    assert_int_equal(rug_glcm_maps(ctx, &t.as_f32, NULL, &maps, keep_map, all), RUG_OK);
    maps.leave_out = 1;
    assert_int_equal(rug_glcm_maps(ctx, &t.as_f32, NULL, &maps, keep_map, left), RUG_OK);
    assert_true(all[8 * NX + 12] >= 0); /* its window has pairs */
    for (size_t i = 0; i < N; i++)
        assert_true(t.inside[i] ? left[i] == all[i] : isnan(left[i]));
    rug_context_free(ctx);
}

/* ---- Differential box counting ---- */

static void assert_same_boxes(const rug_dbc_result *a, const rug_dbc_result *b)
{
    const rug_dbc_facts *f = rug_dbc_get_facts(a), *g = rug_dbc_get_facts(b);
    assert_int_equal(f->n_sizes, g->n_sizes);
    assert_true(f->levels == g->levels && f->base == g->base && f->min == g->min &&
                f->max == g->max);
    assert_int_equal(f->n_pixels - f->n_left_out, g->n_pixels);
    for (uint32_t i = 0; i < f->n_sizes; i++) {
        assert_int_equal(rug_dbc_at(a, i)->boxes, rug_dbc_at(b, i)->boxes);
        assert_int_equal(rug_dbc_at(a, i)->blocks, rug_dbc_at(b, i)->blocks);
        assert_true(rug_dbc_at(a, i)->height == rug_dbc_at(b, i)->height);
    }
}

static void boxes_of_integers(void **state)
{
    (void)state;
    static twins t;
    rug_context *ctx = test_context();
    for (int k = 0; k < 8; k++) {
        rug_dbc_options o = RUG_DBC_OPTIONS_INIT;
        rug_dbc_result *a, *b;
        make_twins(ctx, &t, k & 1 ? -300 : 4, k & 1 ? 500 : 40);
        o.anchor = k & 2 ? RUG_DBC_ANCHOR_MIN : RUG_DBC_ANCHOR_ZERO;
        o.levels = k & 4 ? 100 : 0;
        o.values = RUG_I16;
        assert_int_equal(rug_dbc(ctx, &a, k & 1 ? &t.as_f32 : &t.as_f64, &o), RUG_OK);
        o.mask = &t.source;
        assert_int_equal(rug_dbc(ctx, &b, &t.image, &o), RUG_OK);
        assert_same_boxes(a, b);
        assert_int_equal(rug_dbc_get_facts(a)->n_left_out, 9 * 13);
        rug_dbc_free(a);
        rug_dbc_free(b);
    }
    rug_context_free(ctx);
}

/* What the dtype does not hold is left out. */
static void boxes_of_others(void **state)
{
    (void)state;
    static const float pixels[] = {1, 2.5f, 300, -1, 255, 0, INFINITY, 7};
    rug_context *ctx = test_context();
    rug_dbc_options o = RUG_DBC_OPTIONS_INIT;
    rug_dbc_result *r;
    rug_image view;
    assert_int_equal(rug_image_view(ctx, &view, pixels, RUG_F32, 2, (size_t[]){2, 4}),
                     RUG_OK);
    o.values = RUG_U8;
    assert_int_equal(rug_dbc(ctx, &r, &view, &o), RUG_OK);
    assert_int_equal(rug_dbc_get_facts(r)->n_left_out, 4);
    assert_true(rug_dbc_get_facts(r)->levels == 256);
    rug_dbc_free(r);
    o.values = RUG_F32;
    assert_int_equal(rug_dbc(ctx, &r, &view, &o), RUG_E_ARG);
    o.values = RUG_U8;
    o.unused_too = 1;
    assert_int_equal(rug_dbc(ctx, &r, &view, &o), RUG_E_ARG);
    rug_context_free(ctx);
}

/* ---- Otsu's threshold ---- */

static rug_foreground threshold(rug_context *ctx, const rug_image *image,
                                const rug_source *mask)
{
    rug_foreground rule, asked = RUG_FOREGROUND_INIT;
    rug_source source = RUG_SOURCE_INIT;
    rug_source_of_image(&source, image);
    asked.kind = RUG_FOREGROUND_OTSU;
    assert_int_equal(
        rug_source_resolve_foreground(ctx, &rule, &source, mask, NULL, asked), RUG_OK);
    return rule;
}

static void thresholds(void **state)
{
    (void)state;
    static twins t;
    rug_context *ctx = test_context();
    for (uint32_t range = 8; range < 20000; range *= 3) {
        make_twins(ctx, &t, (int16_t)(range % 2 ? 3 : -90), range);
        rug_foreground whole = threshold(ctx, &t.image, &t.source);
        rug_foreground f32 = threshold(ctx, &t.as_f32, NULL);
        rug_foreground f64 = threshold(ctx, &t.as_f64, NULL);
        assert_true(whole.value == f32.value && whole.value == f64.value);
    }
    t.single[N - 1] = 0.25f; /* a part, between whole ends: bins of the range */
    rug_foreground rule = threshold(ctx, &t.as_f32, NULL);
    size_t n = 0;
    for (size_t i = 0; i < N; i++)
        n += t.single[i] == (float)rule.value;
    assert_true(n > 0); /* the least value of the upper class */
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_levels),      cmocka_unit_test(maps_leave_out),
        cmocka_unit_test(boxes_of_integers), cmocka_unit_test(boxes_of_others),
        cmocka_unit_test(thresholds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
