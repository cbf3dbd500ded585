/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the tests of maps share: all features that have one, and maps as a whole. Include
 * it after support.h. */

#ifndef RUGOSE_GLCM_MAPS_SUPPORT_H
#define RUGOSE_GLCM_MAPS_SUPPORT_H

#include "glcm_support.h"
#include <rugose/glcm_maps.h>

static const rug_glcm_feature all_features[] = {
    RUG_GLCM_CLUSTER_TENDENCY,
    RUG_GLCM_ANGULAR_SECOND_MOMENT,
    RUG_GLCM_CONTRAST,
    RUG_GLCM_CORRELATION,
    RUG_GLCM_VARIANCE,
    RUG_GLCM_INVERSE_DIFFERENCE_MOMENT,
    RUG_GLCM_SUM_AVERAGE,
    RUG_GLCM_SUM_VARIANCE,
    RUG_GLCM_SUM_ENTROPY,
    RUG_GLCM_ENTROPY,
    RUG_GLCM_DIFFERENCE_VARIANCE,
    RUG_GLCM_DIFFERENCE_ENTROPY,
    RUG_GLCM_INFO_CORRELATION_1,
    RUG_GLCM_INFO_CORRELATION_2,
    RUG_GLCM_JOINT_AVERAGE,
    RUG_GLCM_DIFFERENCE_AVERAGE,
    RUG_GLCM_DISSIMILARITY,
    RUG_GLCM_AUTOCORRELATION,
};
#define N_ALL (sizeof all_features / sizeof all_features[0])

/* All rows of a call, which must come in order. */
typedef struct kept {
    size_t ny, nx;
    uint32_t n_maps, next_map;
    size_t next_row;
    const rug_glcm_feature *features;
    double *values; /* [n_maps][ny][nx] */
} kept;

static inline rug_status keep_maps(void *user, const rug_glcm_map_rows *rows)
{
    kept *k = user;
    assert_int_equal(rows->map, k->next_map);
    assert_int_equal(rows->first, k->next_row);
    assert_int_equal(rows->feature, k->features[rows->map]);
    assert_int_equal(rows->nx, k->nx);
    assert_true(rows->n >= 1 && rows->first + rows->n <= k->ny);
    memcpy(k->values + (rows->map * k->ny + rows->first) * k->nx, rows->values,
           rows->n * rows->nx * sizeof *k->values);
    k->next_map = (k->next_map + 1) % k->n_maps;
    k->next_row += k->next_map == 0 ? rows->n : 0;
    return RUG_OK;
}

/* @param window  rows and columns */
static inline kept must_map_sides(rug_context *ctx, const rug_image *img,
                                  const rug_glcm_options *opts, const uint32_t window[2],
                                  const rug_glcm_feature *features, uint32_t n)
{
    kept k = {
        .ny = img->shape[0], .nx = img->shape[1], .n_maps = n, .features = features};
    rug_glcm_maps_options maps = RUG_GLCM_MAPS_OPTIONS_INIT;
    maps.window = window[0];
    if (window[0] != window[1]) {
        maps.rows = window[0];
        maps.columns = window[1];
    }
    maps.features = features;
    maps.n_features = n;
    k.values = calloc(n * k.ny * k.nx, sizeof *k.values);
    assert_non_null(k.values);
    if (rug_glcm_maps(ctx, img, opts, &maps, keep_maps, &k) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    assert_int_equal(k.next_row, k.ny);
    assert_int_equal(k.next_map, 0);
    return k;
}

static inline kept must_map(rug_context *ctx, const rug_image *img,
                            const rug_glcm_options *opts, uint32_t window,
                            const rug_glcm_feature *features, uint32_t n)
{
    const uint32_t both[2] = {window, window};
    return must_map_sides(ctx, img, opts, both, features, n);
}

#endif
