/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the tests of co-occurrence share: rows that a call made, and how features compare.
 * Include it after support.h. */

#ifndef RUGOSE_GLCM_SUPPORT_H
#define RUGOSE_GLCM_SUPPORT_H

#include "naive_glcm.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The source of an image, for options: one of some that take turns. */
static inline const rug_source *glcm_source(const rug_image *image)
{
    static rug_source sources[64];
    static unsigned next;
    rug_source *source = &sources[next++ % 64];
    *source = (rug_source)RUG_SOURCE_INIT;
    return rug_source_of_image(source, image);
}

/* All rows of a call. */
typedef struct glcm_rows {
    size_t n, room;
    glcm_row *row;
} glcm_rows;

static inline rug_status glcm_keep(void *user, const rug_glcm_row *row)
{
    glcm_rows *rows = user;
    if (rows->n == rows->room) {
        rows->room = 2 * rows->room + 16;
        rows->row = realloc(rows->row, rows->room * sizeof *rows->row);
        assert_non_null(rows->row);
    }
    glcm_copy_row(&rows->row[rows->n++], row);
    return RUG_OK;
}

static inline glcm_rows must_measure(rug_context *ctx, const rug_image *img,
                                     const rug_glcm_options *opts)
{
    glcm_rows rows = {0};
    if (rug_glcm(ctx, img, opts, glcm_keep, &rows) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return rows;
}

/* How far v is from what is expected, relative to the larger of it and `unit`; infinite when
 * just one of them is NaN. */
static inline double glcm_error(double v, double expected, double unit)
{
    if (isnan(v) || isnan(expected))
        return isnan(v) && isnan(expected) ? 0 : INFINITY;
    return fabs(v - expected) / fmax(unit, fabs(expected));
}

static inline void assert_feature(const glcm_row *row, rug_glcm_feature feature,
                                  double expected, double bound)
{
    double v = row->features[feature];
    if (glcm_error(v, expected, 1) > bound)
        fail_msg("label %llu, distance %u, direction %d: %s is %.17g, %.17g expected",
                 (unsigned long long)row->label, row->distance, row->direction,
                 rug_glcm_feature_name(feature), v, expected);
}

static inline int same_number(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

/* Fails unless two calls made the same rows, to the last bit. */
static inline void assert_same_rows(const glcm_rows *a, const glcm_rows *b)
{
    assert_int_equal(a->n, b->n);
    for (size_t i = 0; i < a->n; i++) {
        const glcm_row *x = &a->row[i], *y = &b->row[i];
        assert_int_equal(x->label, y->label);
        assert_int_equal(x->area, y->area);
        assert_memory_equal(x->first, y->first, sizeof x->first);
        assert_memory_equal(x->shape, y->shape, sizeof x->shape);
        assert_int_equal(x->n_nan, y->n_nan);
        assert_int_equal(x->n_clamped, y->n_clamped);
        assert_int_equal(x->n_outside, y->n_outside);
        assert_int_equal(x->distance, y->distance);
        assert_int_equal(x->direction, y->direction);
        assert_int_equal(x->pairs, y->pairs);
        assert_int_equal(x->levels, y->levels);
        assert_int_equal(x->status, y->status);
        assert_true(same_number(x->bin_origin, y->bin_origin));
        assert_true(same_number(x->bin_width, y->bin_width));
        for (int f = 0; f < RUG_GLCM_N_FEATURES; f++)
            if (!same_number(x->features[f], y->features[f]))
                fail_msg("label %llu: %s is %.17g and %.17g",
                         (unsigned long long)x->label,
                         rug_glcm_feature_name((rug_glcm_feature)f), x->features[f],
                         y->features[f]);
    }
}

#endif
