/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What a row of co-occurrence says of its region besides features: where it lies. */

#include "support.h"

#include "glcm_support.h"

/* A volume of 3 x 4 x 5 pixels: label 2 in a corner and far from it, label 9 in the middle. */
static void places_of_labels(void **state)
{
    (void)state;
    static uint8_t pixels[3 * 4 * 5], labels[3 * 4 * 5];
    static const size_t first[][3] = {{0, 0, 0}, {1, 1, 1}};
    static const size_t shape[][3] = {{3, 1, 5}, {1, 2, 3}};
    labels[0] = labels[2 * 20 + 4] = 2;
    labels[20 + 5 + 1] = labels[20 + 5 + 2] = labels[20 + 10 + 3] = 9;
    rug_image img = test_u8(pixels, 3, 4, 5), label_image = test_u8(labels, 3, 4, 5);
    rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
    opts.labels = &label_image;
    opts.aggregate = RUG_GLCM_AGGREGATE_NONE;
    rug_context *ctx = test_context();
    glcm_rows rows = must_measure(ctx, &img, &opts);
    assert_int_equal(rows.n, 2 * RUG_GLCM_DIRECTIONS_3D);
    for (size_t i = 0; i < rows.n; i++) {
        size_t region = i / RUG_GLCM_DIRECTIONS_3D;
        assert_int_equal(rows.row[i].label, region == 0 ? 2 : 9);
        assert_memory_equal(rows.row[i].first, first[region], sizeof first[0]);
        assert_memory_equal(rows.row[i].shape, shape[region], sizeof shape[0]);
    }
    free(rows.row);
    rug_context_free(ctx);
}

/* Without labels it is the image, also inside a mask. */
static void place_of_an_image(void **state)
{
    (void)state;
    static const uint8_t pixels[2 * 3] = {1, 2, 3, 4, 5, 6},
                                    mask[2 * 3] = {0, 0, 1, 0, 0, 1};
    static const size_t first[3] = {0, 0, 0}, shape[3] = {1, 2, 3};
    rug_image img = test_u8(pixels, 0, 2, 3), mask_image = test_u8(mask, 0, 2, 3);
    rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
    rug_context *ctx = test_context();
    for (int masked = 0; masked < 2; masked++) {
        opts.mask = masked ? &mask_image : NULL;
        glcm_rows rows = must_measure(ctx, &img, &opts);
        assert_int_equal(rows.n, 1);
        assert_memory_equal(rows.row[0].first, first, sizeof first);
        assert_memory_equal(rows.row[0].shape, shape, sizeof shape);
        free(rows.row);
    }
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_of_labels),
        cmocka_unit_test(place_of_an_image),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
