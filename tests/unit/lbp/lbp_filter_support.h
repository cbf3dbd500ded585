/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Codes of samples that a device's hardware interpolates, against exact sums. The last bits are
 * the device's own, so that only samples that differ clearly from their centre decide. Include
 * it after support.h. */

#ifndef RUGOSE_LBP_FILTER_SUPPORT_H
#define RUGOSE_LBP_FILTER_SUPPORT_H

#include "lbp_cl_support.h"

#define FILTER_NX     70
#define FILTER_NY     40
#define FILTER_PIXELS (FILTER_NX * FILTER_NY)

/* Of 255: what a sample of fractions of 8 bits may be wrong by, and more. */
#define FILTER_DOUBT 2.0

/* Random bytes as pixels of a dtype, which they fill: the same codes for all of them.
 * @param room  [FILTER_PIXELS] of any dtype */
static inline rug_image filter_noise(rug_context *ctx, rug_dtype dtype, double *room)
{
    rug_image img;
    uint64_t rng = 77;
    for (size_t i = 0; i < FILTER_PIXELS; i++) {
        unsigned v = (unsigned)test_below(&rng, 256);
        switch (dtype) {
        case RUG_U8: ((uint8_t *)room)[i] = (uint8_t)v; break;
        case RUG_I8: ((int8_t *)room)[i] = (int8_t)((int)v - 128); break;
        case RUG_U16: ((uint16_t *)room)[i] = (uint16_t)(257 * v); break;
        case RUG_I16: ((int16_t *)room)[i] = (int16_t)(257 * (int)v - 32768); break;
        default: ((float *)room)[i] = (float)v / 255; break;
        }
    }
    assert_int_equal(
        rug_image_view(ctx, &img, room, dtype, 2, (size_t[]){FILTER_NY, FILTER_NX}),
        RUG_OK);
    return img;
}

/* The exact sample at an offset in 1/256 of a pixel, minus the centre. */
static inline double filter_step(const rug_image *img, double y, double x, double row,
                                 double column)
{
    double top = floor(row / 256), left = floor(column / 256);
    double b = row / 256 - top, r = column / 256 - left;
    double above = (1 - r) * slow_pixel(img, y + top, x + left) +
                   r * slow_pixel(img, y + top, x + left + 1);
    double below = (1 - r) * slow_pixel(img, y + top + 1, x + left) +
                   r * slow_pixel(img, y + top + 1, x + left + 1);
    return (1 - b) * above + b * below - slow_pixel(img, y, x);
}

/* Checks the patterns of an operator. @return the share of bits that were beyond doubt */
static inline double check_patterns(const rug_image *img, const rugi_lbp_operator *op,
                                    const uint8_t *patterns, double step)
{
    size_t n_clear = 0;
    for (size_t i = 0; i < FILTER_PIXELS; i++)
        for (uint32_t k = 0; k < op->points; k++) {
            const rugi_lbp_point *p = &op->point[k];
            double d = filter_step(img, (double)(i / FILTER_NX), (double)(i % FILTER_NX),
                                   rint(256 * p->row), rint(256 * p->col));
            if (fabs(d) < FILTER_DOUBT * step)
                continue;
            n_clear++;
            if ((patterns[i] >> k & 1) != (d > 0))
                fail_msg("%s: pixel %zu, sample %u differs by %g from its centre",
                         rug_dtype_name(img->dtype), i, (unsigned)k, d);
        }
    return (double)n_clear / FILTER_PIXELS / op->points;
}

/* Codes an image of filter_noise() whole and in small pieces, which give the same. */
static inline void check_filter(rug_context *device, rug_dtype dtype)
{
    static double room[FILTER_PIXELS];
    static filled whole, cut;
    static filled *const all[] = {&whole}, *const all_cut[] = {&cut};
    const rug_lbp_operator op = {8, 1.7, NULL, 0};
    rug_image img = filter_noise(device, dtype, room);
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    rugi_lbp_plan plan;
    double step = dtype == RUG_F32 ? 1.0 / 255 : rug_dtype_size(dtype) == 1 ? 1 : 257;
    opts.operators = &op;
    opts.n_operators = 1;
    opts.method = RUG_LBP_DEFAULT;
    opts.interpolation = RUG_LBP_HARDWARE;
    must_plan(device, &plan, &opts);
    rugi_lbp_job job = make_job(&plan, &img, 0, FILTER_NY, all);
    must_run(device, &job, RUGI_LBP_PICTURE_AUTO, RUGI_LBP_OPENCL_BYTES, "whole");
    assert_true(check_patterns(&img, &plan.op[0], (const uint8_t *)whole.codes, step) >
                0.95);
    job = make_job(&plan, &img, 0, FILTER_NY, all_cut);
    must_run(device, &job, RUGI_LBP_PICTURE_TILE, 1, "pieces");
    assert_memory_equal(cut.codes, whole.codes, FILTER_PIXELS);
    assert_memory_equal(cut.counts, whole.counts, 256 * sizeof *cut.counts);
    rugi_lbp_plan_free(device, &plan);
}

#endif
