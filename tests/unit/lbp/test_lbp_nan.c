/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Circles that touch a pixel that is NaN have no code when that is asked: no bin, and in maps the
 * number of codes; all others have the code that they have without it. In memory and slab by slab. */

#include "support.h"

#include <math.h>
#include <string.h>

enum { NY = 43, NX = 37, N = NY * NX };

static float pixels[N], clean[N];

static void make_image(void)
{
    static const size_t none[] = {0,           5 * NX + 20,  5 * NX + 21,
                                  20 * NX + 3, 30 * NX + 36, N - 1};
    uint64_t seed = 3;
    for (size_t i = 0; i < N; i++)
        clean[i] = (float)test_below(&seed, 50);
    memcpy(pixels, clean, sizeof pixels);
    for (size_t k = 0; k < sizeof none / sizeof none[0]; k++)
        pixels[none[k]] = NAN;
}

/* Whether the pixels between which a sample lies, or the centre, are NaN; the offsets are those of the
 * header. */
static int touches(size_t y, size_t x, const rug_lbp_operator *op)
{
    int found = isnan(pixels[y * NX + x]) != 0;
    for (uint32_t i = 0; i < op->points; i++) {
        double angle = 2 * 3.14159265358979323846 * i / op->points;
        double row = round(-(double)(float)op->radius * sin(angle) * 1e5) / 1e5;
        double col = round((double)(float)op->radius * cos(angle) * 1e5) / 1e5;
        for (int k = 0; k < 4; k++) {
            double py = (double)y + (k & 1 ? floor(row) : ceil(row));
            double px = (double)x + (k & 2 ? floor(col) : ceil(col));
            if (py >= 0 && py < NY && px >= 0 && px < NX)
                found |= isnan(pixels[(size_t)py * NX + (size_t)px]) != 0;
        }
    }
    return found;
}

static uint32_t map[N];

static rug_status keep(void *user, const rug_lbp_rows *rows)
{
    uint32_t *to = (uint32_t *)user + rows->first * NX;
    for (size_t i = 0; i < rows->n * rows->nx; i++)
        to[i] = rows->dtype == RUG_U8    ? ((const uint8_t *)rows->codes)[i]
                : rows->dtype == RUG_U16 ? ((const uint16_t *)rows->codes)[i]
                                         : ((const uint32_t *)rows->codes)[i];
    return RUG_OK;
}

static rug_image view_of(rug_context *ctx, const float *from)
{
    rug_image view;
    assert_int_equal(rug_image_view(ctx, &view, from, RUG_F32, 2, (size_t[]){NY, NX}),
                     RUG_OK);
    return view;
}

static rug_status read_rows(rug_context *ctx, void *user, rug_image *out, size_t first,
                            size_t n)
{
    (void)user;
    return rug_image_view(ctx, out, pixels + first * NX, RUG_F32, 2, (size_t[]){n, NX});
}

static rug_source streamed(void)
{
    rug_source s = RUG_SOURCE_INIT;
    s.dtype = RUG_F32;
    s.ndim = 2;
    s.shape[0] = NY;
    s.shape[1] = NX;
    s.read = read_rows;
    return s;
}

static void check(rug_context *ctx, rug_lbp_options *o)
{
    static uint32_t expected[N], again[N];
    const rug_lbp_operator *op = o->operators;
    rug_image image = view_of(ctx, pixels), other = view_of(ctx, clean);
    uint64_t none = rug_lbp_n_codes(o->method, op->points), n = 0;
    rug_lbp_result *r;
    rug_source source = streamed();
    o->map = keep;
    o->map_user = expected;
    o->leave_out_nan = 0;
    assert_int_equal(rug_lbp(ctx, &r, &other, o), RUG_OK);
    rug_lbp_free(r);
    o->leave_out_nan = 1;
    o->map_user = map;
    assert_int_equal(rug_lbp(ctx, &r, &image, o), RUG_OK);
    for (size_t i = 0; i < N; i++) {
        uint32_t code = touches(i / NX, i % NX, op) ? (uint32_t)none : expected[i];
        if (map[i] != code)
            fail_msg("(%zu, %zu) has %u, %u expected", i / NX, i % NX, map[i], code);
        n += code != none;
    }
    assert_int_equal(rug_lbp_at(r, 0)->pixels, n);
    rug_lbp_free(r);
    o->map_user = again;
    assert_int_equal(rug_lbp_source(ctx, &r, &source, o), RUG_OK);
    assert_int_equal(rug_lbp_at(r, 0)->pixels, n);
    rug_lbp_free(r);
    assert_memory_equal(map, again, sizeof map);
}

static void circles_that_touch_nan(void **state)
{
    (void)state;
    static const rug_lbp_operator ops[] = {
        {8, 1, NULL, 0}, {16, 2.5, NULL, 0}, {8, 3, NULL, 0}};
    static const rug_lbp_method methods[] = {RUG_LBP_RIU2, RUG_LBP_DEFAULT, RUG_LBP_ROR,
                                             RUG_LBP_NRI_UNIFORM};
    make_image();
    for (int threads = 1; threads <= 3; threads += 2) {
        rug_context *ctx = test_context();
        assert_int_equal(rug_context_set_threads(ctx, threads), RUG_OK);
        for (size_t k = 0; k < sizeof ops / sizeof ops[0]; k++)
            for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++)
                for (int skip = 0; skip < 2; skip++) {
                    rug_lbp_options o = RUG_LBP_OPTIONS_INIT;
                    o.operators = &ops[k];
                    o.n_operators = 1;
                    o.method = methods[m];
                    o.border = skip ? RUG_LBP_BORDER_SKIP : RUG_LBP_BORDER_ZERO;
                    check(ctx, &o);
                }
        rug_context_free(ctx);
    }
}

/* With "no code" there is one number more. */
static void dtypes_of_maps(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    rug_lbp_options o = RUG_LBP_OPTIONS_INIT;
    rug_dtype dtype;
    o.method = RUG_LBP_DEFAULT;
    assert_int_equal(rug_lbp_map_dtype(ctx, &dtype, &o, 0), RUG_OK);
    assert_int_equal(dtype, RUG_U8);
    o.leave_out_nan = 1;
    assert_int_equal(rug_lbp_map_dtype(ctx, &dtype, &o, 0), RUG_OK);
    assert_int_equal(dtype, RUG_U16);
    o.unused = 1;
    assert_int_equal(rug_lbp_map_dtype(ctx, &dtype, &o, 0), RUG_E_ARG);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circles_that_touch_nan),
        cmocka_unit_test(dtypes_of_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
