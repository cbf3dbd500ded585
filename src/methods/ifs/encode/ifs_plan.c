/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Options of the encoder. */

#include "ifs_plan.h"
#include "core/context/context_internal.h"
#include "core/context/engine.h"
#include <math.h>

/* The default step of the grid is 4, or the next multiple of it that leaves so few
 * domains: the search takes time in proportion to both blocks and domains. */
#define DOMAINS_MOST 32768

/* lambda = this times delta², found by trial on photographs: distortion at high rates is
 * delta² / 12, and a bit less costs 6 dB / 2 of it, which gives 0.115 (Sullivan and Wiegand
 * 1998); blocks whose coefficients are nearly all 0 want less. */
#define LAMBDA_FACTOR 0.1

/* Δ in grey levels of 8 bits: that of quality 50, which looks about as JPEG's of 50 does,
 * and how many qualities halve or double it. */
#define DELTA_OF_50   26.0
#define FINER_STEPS   10.0
#define COARSER_STEPS 22.0

static rug_status wrong_number(rug_context *ctx, const char *name, double given,
                               const char *expected)
{
    return rug_context_fail(ctx, RUG_E_ARG, "%s is %g, expected %s", name, given,
                            expected);
}

static rug_status check_target(rug_context *ctx, const rug_ifs_options *o)
{
    double v = o->target_value;
    switch (o->target) {
    case RUG_IFS_TARGET_QUALITY:
        if (o->partition == RUG_IFS_QUADTREE && !(v >= 1 && v <= 100))
            return wrong_number(ctx, "the quality", v, "1 to 100");
        return RUG_OK;
    case RUG_IFS_TARGET_RATE:
        if (!(v > 0 && v <= 1000))
            return wrong_number(ctx, "the rate", v,
                                "bits for each pixel above 0 and at most 1000");
        break;
    case RUG_IFS_TARGET_PSNR:
        if (!(v > 0 && v <= 200))
            return wrong_number(ctx, "the PSNR", v, "dB above 0 and at most 200");
        break;
    default:
        return wrong_number(ctx, "the target", o->target,
                            "RUG_IFS_TARGET_QUALITY, RATE or PSNR");
    }
    if (o->partition != RUG_IFS_QUADTREE)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "a rate or a PSNR is asked for with the partition %s, "
                                "which cannot aim at one: take QUADTREE",
                                o->partition == RUG_IFS_FIXED ? "FIXED" : "OVERLAP");
    return RUG_OK;
}

static rug_status check_quadtree(rug_context *ctx, const rug_ifs_options *o)
{
    if (o->range_size != 0)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "a range size of %u is given with QUADTREE, whose ranges "
                                "are 4 to 32: leave it 0, or take FIXED or OVERLAP",
                                o->range_size);
    if (o->domain_step > 1024 || o->domain_step % RUGI_IFS_LEAST != 0)
        return wrong_number(ctx, "the domain step", o->domain_step,
                            "a multiple of 4 up to 1024 with QUADTREE, or 0 for the "
                            "default");
    return RUG_OK;
}

static rug_status check_blocks(rug_context *ctx, const rug_ifs_options *o)
{
    uint32_t size = o->range_size;
    if (size != 0 && (size < 2 || size > 32))
        return wrong_number(ctx, "the range size", size, "2 to 32 pixels, or 0 for 8");
    if (o->partition == RUG_IFS_OVERLAP && size % 2 != 0)
        return wrong_number(ctx, "the range size", size,
                            "an even one with OVERLAP, whose grids lie half a range "
                            "apart");
    if (o->domain_step > 1024)
        return wrong_number(ctx, "the domain step", o->domain_step,
                            "1 to 1024 pixels, or 0 for 8");
    if (o->search == RUG_IFS_SEARCH_FAST)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "the search FAST is asked for with the partition %s, which "
            "always looks at all domains: take QUADTREE, or AUTO",
            o->partition == RUG_IFS_FIXED ? "FIXED" : "OVERLAP");
    return RUG_OK;
}

static rug_status check(rug_context *ctx, const rug_ifs_options *o)
{
    if (o->partition != RUG_IFS_QUADTREE && o->partition != RUG_IFS_FIXED &&
        o->partition != RUG_IFS_OVERLAP)
        return wrong_number(ctx, "the partition", o->partition,
                            "RUG_IFS_QUADTREE, FIXED or OVERLAP");
    if (o->search != RUG_IFS_SEARCH_AUTO && o->search != RUG_IFS_SEARCH_EXHAUSTIVE &&
        o->search != RUG_IFS_SEARCH_FAST)
        return wrong_number(ctx, "the search", o->search,
                            "RUG_IFS_SEARCH_AUTO, EXHAUSTIVE or FAST");
    if (!(o->scale_max >= 0 && o->scale_max <= 1))
        return wrong_number(ctx, "the largest scale", o->scale_max,
                            "above 0 and at most 1, or 0 for 1");
    rug_status status = check_target(ctx, o);
    if (status != RUG_OK)
        return status;
    return o->partition == RUG_IFS_QUADTREE ? check_quadtree(ctx, o)
                                            : check_blocks(ctx, o);
}

rug_status rugi_ifs_plan_make(rug_context *ctx, rugi_ifs_plan *plan,
                              const rug_ifs_options *opts)
{
    static const rug_ifs_options defaults = RUG_IFS_OPTIONS_INIT;
    const rug_ifs_options *o = opts != NULL ? opts : &defaults;
    if (!rugi_options_fit(ctx, o->struct_size, sizeof *o, "rug_ifs_options"))
        return RUG_E_ARG;
    rug_status status = check(ctx, o);
    if (status != RUG_OK)
        return status;
    if (o->search == RUG_IFS_SEARCH_FAST)
        status = rugi_engine_cpu_only(ctx, "coding without a search of all domains");
    if (status != RUG_OK)
        return status;
    double scale_max = o->scale_max > 0 ? o->scale_max : 1;
    *plan = (rugi_ifs_plan){.partition = o->partition,
                            .target = o->target,
                            .target_value = o->target_value,
                            .range_size = o->range_size,
                            .domain_step = o->domain_step,
                            .has_residual = !o->without_residual,
                            .scale_max = scale_max};
    plan->effort =
        (rugi_ifs_effort){.lambda_factor = LAMBDA_FACTOR,
                          .k_max = (int)(scale_max * RUGI_IFS_K_MAX),
                          .with_grid = o->search != RUG_IFS_SEARCH_FAST,
                          .with_all = o->search == RUG_IFS_SEARCH_EXHAUSTIVE,
                          .n_passes = o->search != RUG_IFS_SEARCH_FAST ? 2 : 1};
    return RUG_OK;
}

uint32_t rugi_ifs_plan_step(const rugi_ifs_plan *plan, uint32_t nx, uint32_t ny)
{
    uint32_t step = RUGI_IFS_LEAST;
    if (plan->domain_step != 0)
        return plan->domain_step;
    while (!plan->effort.with_all && step < 1024 &&
           (uint64_t)(nx / step) * (ny / step) > DOMAINS_MOST)
        step += RUGI_IFS_LEAST;
    return step;
}

double rugi_ifs_power_of_2(double x)
{
    double whole = floor(x), fraction = (x - whole) * 0.69314718055994531, term = 1,
           sum = 1;
    for (int i = 1; i < 24; i++) { /* the series of e^fraction */
        term = term * fraction / i;
        sum += term;
    }
    for (; whole > 0; whole--)
        sum *= 2;
    for (; whole < 0; whole++)
        sum /= 2;
    return sum;
}

uint32_t rugi_ifs_delta_of_quality(double quality, unsigned bits)
{
    double steps = quality > 50 ? FINER_STEPS : COARSER_STEPS;
    double delta =
        DELTA_OF_50 * rugi_ifs_power_of_2((50 - quality) / steps + (double)bits - 8);
    double in_16ths = floor(delta * 16 + 0.5);
    return in_16ths < 1 ? 1 : (uint32_t)in_16ths;
}

/* Errors of Co and Cg reach red, green and blue with a half: their squares are 1/2 and 3/4
 * of the plane's, those of Y three times; so steps of equal use are sqrt(6) and 2 times as
 * large. */
uint32_t rugi_ifs_delta_of_plane(uint32_t delta, int n_planes, int plane)
{
    static const uint32_t sixteenths[RUG_IFS_PLANES_MAX] = {16, 39, 32};
    if (n_planes == 1)
        return delta;
    return (uint32_t)(((uint64_t)delta * sixteenths[plane] + 8) / 16);
}
