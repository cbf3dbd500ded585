/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A large image of which a mask, or NaN, leaves a small part, against that part by itself:
 * what is counted is small then, however large the region was. */

#include "support.h"
/* support.h brings cmocka, which these use */
#include "glcm_support.h"

#define NY    ((size_t)400)
#define NX    ((size_t)410)
#define PART  ((size_t)250) /* rows and columns, from FIRST on: fewer pixels than 2^16 */
#define FIRST ((size_t)30)

typedef struct picture {
    uint8_t bytes[NY * NX], inside[NY * NX], ones[NY * NX];
    float floats[NY * NX];
    rug_image image, mask, labels, part;
} picture;

/* Few levels, so that counts are large. */
static void draw(rug_context *ctx, picture *p, rug_dtype dtype)
{
    size_t shape[2] = {NY, NX}, of_part[2] = {PART, PART};
    uint64_t seed = 211;
    for (size_t i = 0; i < NY * NX; i++) {
        size_t y = i / NX, x = i % NX;
        int inside = y >= FIRST && y < FIRST + PART && x >= FIRST && x < FIRST + PART;
        p->bytes[i] = (uint8_t)(test_below(&seed, 20) / 18);
        p->floats[i] = inside ? (float)p->bytes[i] : NAN;
        p->inside[i] = (uint8_t)inside;
        p->ones[i] = 1;
    }
    void *pixels = dtype == RUG_U8 ? (void *)p->bytes : p->floats;
    assert_int_equal(rug_image_view(ctx, &p->image, pixels, dtype, 2, shape), RUG_OK);
    assert_int_equal(rug_image_view(ctx, &p->mask, p->inside, RUG_U8, 2, shape), RUG_OK);
    assert_int_equal(rug_image_view(ctx, &p->labels, p->ones, RUG_U8, 2, shape), RUG_OK);
    assert_int_equal(rug_image_view(ctx, &p->part, pixels, dtype, 2, of_part), RUG_OK);
    p->part.stride[0] = p->image.stride[0];
    p->part.data = (const char *)p->image.data +
                   (ptrdiff_t)FIRST * (p->image.stride[0] + p->image.stride[1]);
}

/* Every CPU level, in directions one by one and together. */
static void compare(rug_context *ctx, picture *p, rug_glcm_options *opts)
{
    const rug_source *mask = opts->mask, *labels = opts->labels;
    for (int level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++)
        for (uint32_t bits = 1; bits < 16; bits += 7) {
            rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
            opts->directions = bits;
            opts->mask = opts->labels = NULL;
            glcm_rows expected = must_measure(ctx, &p->part, opts);
            opts->mask = mask;
            opts->labels = labels;
            glcm_rows got = must_measure(ctx, &p->image, opts);
            assert_int_equal(got.n, 1);
            got.row[0].label = 0;
            got.row[0].n_nan = 0;
            memcpy(got.row[0].first, expected.row[0].first, sizeof got.row[0].first);
            memcpy(got.row[0].shape, expected.row[0].shape, sizeof got.row[0].shape);
            assert_same_rows(&got, &expected);
            free(got.row);
            free(expected.row);
        }
}

static void by_a_mask(void **state)
{
    (void)state;
    static picture p;
    rug_context *ctx = test_context();
    rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
    draw(ctx, &p, RUG_U8);
    opts.features = RUG_GLCM_FEATURES_ALL;
    opts.mask = glcm_source(&p.mask);
    compare(ctx, &p, &opts);
    opts.labels = glcm_source(&p.labels);
    compare(ctx, &p, &opts);
    rug_context_free(ctx);
}

static void by_nan(void **state)
{
    (void)state;
    static picture p;
    rug_context *ctx = test_context();
    rug_glcm_options opts = RUG_GLCM_OPTIONS_INIT;
    draw(ctx, &p, RUG_F32);
    compare(ctx, &p, &opts);
    opts.labels = glcm_source(&p.labels);
    compare(ctx, &p, &opts);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_a_mask),
                                       cmocka_unit_test(by_nan)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
