/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Local binary patterns of samples that the hardware of a device interpolates: against exact
 * sums, by public calls, and what is refused. */

#include "support.h"

#include "lbp_filter_support.h"
#include "ocl_support.h"
#include <rugose/lbp_model.h>

static void exact_sums(void **state)
{
    (void)state;
    static const rug_dtype dtypes[] = {RUG_U8, RUG_I8, RUG_U16, RUG_I16, RUG_F32};
    rug_context *device = ocl_context();
    for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; i++)
        check_filter(device, dtypes[i]);
    rug_context_free(device);
}

/* A step of 0 and 1 along x, whose samples are far from their centres or equal by whole offsets:
 * (4, 1) looks right, up, left and down. Packed pixels, as bytes. */
static void a_step(void **state)
{
    (void)state;
    static uint8_t bits[6];
    static const rug_lbp_operator op = {4, 1, NULL, 0};
    rug_context *device = ocl_context();
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    rug_lbp_result *result;
    rug_image img;
    for (int i = 0; i < 6; i++)
        bits[i] = 0xf0; /* columns 4 to 7 of 8 */
    assert_int_equal(rug_image_view(device, &img, bits, RUG_BIT, 2, (size_t[]){6, 8}),
                     RUG_OK);
    opts.operators = &op;
    opts.n_operators = 1;
    opts.method = RUG_LBP_DEFAULT;
    opts.border = RUG_LBP_BORDER_SKIP;
    opts.interpolation = RUG_LBP_HARDWARE;
    if (rug_lbp(device, &result, &img, &opts) != RUG_OK)
        fail_msg("%s", rug_context_error(device));
    const rug_lbp_histogram *h = rug_lbp_at(result, 0);
    assert_int_equal(h->pixels, 4 * 6);
    assert_int_equal(h->bins[15], 4 * 5);
    assert_int_equal(h->bins[15 - 4], 4); /* column 4: what is left of it is 0 */
    rug_lbp_free(result);
    rug_context_free(device);
}

static void refused(rug_context *ctx, const rug_lbp_options *opts, const char *part)
{
    assert_int_equal(rug_lbp_check_options(ctx, opts), RUG_E_ARG);
    assert_error_part(ctx, part);
}

static void what_is_refused(void **state)
{
    (void)state;
    static const rug_dtype dtypes[] = {RUG_U32, RUG_I32, RUG_U64, RUG_I64, RUG_F64};
    static const double cut = 3;
    static uint64_t pixels[64];
    rug_lbp_operator op = {8, 1, NULL, 0};
    rug_context *ctx = test_context(), *device = ocl_context();
    rug_lbp_variances *variances;
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    opts.operators = &op;
    opts.n_operators = 1;
    opts.interpolation = RUG_LBP_HARDWARE;
    assert_int_equal(rug_lbp_check_options(device, &opts), RUG_OK);
    refused(ctx, &opts, "choose the device 'opencl'");
    assert_int_equal(rug_context_set_device(ctx, "auto"), RUG_OK);
    refused(ctx, &opts, "choose the device 'opencl'");
    for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; i++) {
        rug_lbp_result *result;
        rug_image img;
        assert_int_equal(
            rug_image_view(device, &img, pixels, dtypes[i], 2, (size_t[]){8, 8}), RUG_OK);
        assert_int_equal(rug_lbp(ctx, &result, &img, &opts), RUG_E_ARG);
        assert_null(result);
        assert_int_equal(rug_lbp(device, &result, &img, &opts), RUG_E_UNSUPPORTED);
        assert_error_part(device, rug_dtype_name(dtypes[i]));
    }
    opts.exact = RUG_LBP_EXACT_DECIMAL;
    refused(device, &opts, "exactness");
    opts.exact = RUG_LBP_EXACT_SKIMAGE;
    op.cuts = &cut;
    op.n_cuts = 1;
    refused(device, &opts, "variance");
    op.n_cuts = 0;
    opts.method = RUG_LBP_VAR;
    refused(device, &opts, "variance");
    assert_int_equal(rug_lbp_variances_new(device, &variances, &opts), RUG_E_ARG);
    assert_error_part(device, "variance");
    rug_context_free(device);
    rug_context_free(ctx);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_sums),
        cmocka_unit_test(a_step),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
