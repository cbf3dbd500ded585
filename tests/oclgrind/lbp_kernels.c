/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Each kernel of local binary patterns on small images, for every dtype and rule. */

#include "kernels.h"

#include "lbp/lbp_cl_support.h"
#include "lbp/lbp_filter_support.h"
#include "sample_support.h"
#include <stdio.h>

/* One job by all kernels: two operators, of which one has tiles of several rows. */
static void code_image(rug_context *device, const rug_image *img,
                       const rug_lbp_options *opts)
{
    static filled got[2], expected[2];
    static filled *const all[] = {&got[0], &got[1]};
    static filled *const all_expected[] = {&expected[0], &expected[1]};
    rugi_lbp_plan plan;
    rug_context *cpu = test_context();
    size_t ny = img->shape[0];
    char what[96];
    assert_int_equal(rugi_lbp_plan_make(cpu, &plan, opts), RUG_OK);
    assert_int_equal(rugi_lbp_plan_make_tables(cpu, &plan), RUG_OK);
    rugi_lbp_job by_cpu = make_job(&plan, img, 0, ny, all_expected);
    assert_int_equal(rugi_lbp_cpu(cpu, &by_cpu), RUG_OK);
    for (int p = RUGI_LBP_PICTURE_TILE; p <= RUGI_LBP_PICTURE_IMAGE; p++) {
        rugi_lbp_job job = make_job(&plan, img, 0, ny, all);
        snprintf(what, sizeof what, "%s %s exact %d kernel %d",
                 rug_dtype_name(img->dtype), rug_lbp_method_name(opts->method),
                 (int)opts->exact, p);
        const rugi_lbp_way way = {.picture = (rugi_lbp_picture)p, .most_bytes = 1};
        if (rugi_lbp_opencl_by(device, &job, &way) != RUG_OK)
            fail_msg("%s: %s", what, rug_context_error(device));
        for (uint32_t i = 0; i < plan.n_operators; i++)
            assert_filled(all[i], all_expected[i], &plan.op[i], rug_image_pixels(img),
                          what);
    }
    rugi_lbp_plan_free(cpu, &plan);
    rug_context_free(cpu);
}

/* Each dtype of the kernels by each rule, with methods, borders and cuts in turn. Pieces
 * have their edges at column 64 and row 4. */
void run_kernels(rug_context *device)
{
    static const rug_dtype dtypes[] = {RUG_U8, RUG_U16, RUG_I16, RUG_F32, RUG_F64};
    static const double cuts[] = {1, 2000};
    static uint64_t words[5 * 66];
    uint64_t rng = 9;
    for (int k = 0; k < 20; k++) {
        rug_image img;
        rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
        rug_lbp_operator ops[] = {{4, 1.4, cuts, 0}, {3, 2, cuts, 0}};
        int is_nearest = k / 5 == 3, has_cuts = k % 3 == 0 && (k < 5 || is_nearest);
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
            words[i] = test_below(&rng, 8) << 48 | test_below(&rng, 8) << 20 |
                       test_below(&rng, 8);
        assert_int_equal(
            rug_image_view(device, &img, words, dtypes[k % 5], 2, (size_t[]){5, 66}),
            RUG_OK);
        opts.exact = is_nearest ? RUG_LBP_EXACT_SKIMAGE : (rug_lbp_exact)(k / 5);
        opts.interpolation = is_nearest ? RUG_LBP_NEAREST : RUG_LBP_BILINEAR;
        opts.method = (rug_lbp_method)(k < 5 ? (k + 2) % 5 : k % 4);
        opts.border = (rug_lbp_border)(k % 2);
        opts.operators = ops;
        opts.n_operators = 1 + (uint32_t)k % 2;
        for (int i = 0; i < 2; i++)
            ops[i].n_cuts = has_cuts || opts.method == RUG_LBP_VAR ? 2 : 0;
        code_image(device, &img, &opts);
    }
    check_filter(device, RUG_U8);
    check_filter(device, RUG_F32);
}
