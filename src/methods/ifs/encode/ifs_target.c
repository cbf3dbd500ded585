/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Coding until a rate or a PSNR is met: the image is coded with one Δ after another, each
 * between those that are known to be too fine and too coarse. */

#include "core/context/context_internal.h"
#include "ifs_coded.h"
#include <math.h>
#include <string.h>

/* Codings at most, how near the two ends are when it is enough, and how near what is
 * measured is to the goal: 1 / NEAR, which is 0.04 dB of a PSNR. */
#define CODINGS 14
#define NEAR    100

/* A search for Δ. What is measured grows with Δ: the squared error, or pixels per byte. */
typedef struct aim {
    int wants_coarse; /* PSNR: the coarsest Δ that does; else the finest */
    double goal;
    double low_value, high_value; /* at low and high */
    uint32_t low, high;           /* too fine or just good; just good or too coarse */
    int has_low, has_high;
    int last_side, n_same; /* the end that moved, and how often in a row */
} aim;

static double value_of(const rugi_ifs_plan *plan, const rugi_ifs_coded *coded)
{
    return plan->target == RUG_IFS_TARGET_PSNR ? coded->squared_error
                                               : 1 / (double)coded->n_bytes;
}

/* 10 log10(peak² / mse) >= P, as a bound of the sum of squared errors, and the bytes of a
 * rate. */
static double goal_of(const rugi_ifs_plan *plan, const rugi_ifs_image *image)
{
    double n = (double)image->nx * image->ny, peak = image->depth == 8 ? 255 : 65535;
    if (plan->target == RUG_IFS_TARGET_RATE)
        return 1 / floor(plan->target_value * n / 8);
    double log2_of_10 = 3.3219280948873626;
    return peak * peak * n * image->n_planes *
           rugi_ifs_power_of_2(-plan->target_value / 10 * log2_of_10);
}

static int is_good(const aim *a, double value)
{
    return a->wants_coarse ? value <= a->goal : value >= a->goal;
}

static int is_near(const aim *a, double value)
{
    return is_good(a, value) && fabs(value - a->goal) * NEAR <= a->goal;
}

static void learn(aim *a, uint32_t delta, double value)
{
    int is_low = value < a->goal || (a->wants_coarse && value <= a->goal);
    if (is_low) {
        a->low = delta;
        a->low_value = value;
        a->has_low = 1;
    } else {
        a->high = delta;
        a->high_value = value;
        a->has_high = 1;
    }
    a->n_same = a->last_side == is_low ? a->n_same + 1 : 0;
    a->last_side = is_low;
}

/* What is aimed at: half of what is near is on the good side of it. */
static double inside(const aim *a)
{
    return a->goal * (a->wants_coarse ? 1 - 0.5 / NEAR : 1 + 0.5 / NEAR);
}

/* Between the ends in proportion, or in the middle when that moves one of them only. */
static uint32_t between(const aim *a)
{
    double low = a->low, high = a->high, next = sqrt(low * high);
    if (a->n_same < 2 && a->high_value > a->low_value) {
        double share = (inside(a) - a->low_value) / (a->high_value - a->low_value);
        share = share < 0.03 ? 0.03 : share > 0.97 ? 0.97 : share;
        next = low + share * (high - low);
    }
    uint32_t delta = (uint32_t)(next + 0.5);
    return delta <= a->low ? a->low + 1 : delta >= a->high ? a->high - 1 : delta;
}

/* One step out from the only end that is known, longer each time. */
static uint32_t beyond(const aim *a, uint32_t most)
{
    double value = a->has_low ? a->low_value : a->high_value;
    double ratio = value > 0 ? inside(a) / value : 16, least = 1.03;
    for (int i = 0; i < a->n_same; i++)
        least = 4 * least - 3;
    least = least < 16 ? least : 16;
    if (a->has_low) {
        ratio = !(ratio < 16) ? 16 : ratio < least ? least : ratio;
        double next = a->low * ratio + 1;
        return next < most ? (uint32_t)next : most;
    }
    ratio = !(ratio > 1.0 / 16) ? 1.0 / 16 : ratio > 1 / least ? 1 / least : ratio;
    double next = a->high * ratio;
    return next > 1 ? (uint32_t)next : 1;
}

static rug_status unreachable(rug_context *ctx, const rugi_ifs_plan *plan,
                              const rugi_ifs_image *image, const rugi_ifs_coded *coded)
{
    double n = (double)image->nx * image->ny, peak = image->depth == 8 ? 255 : 65535;
    if (plan->target == RUG_IFS_TARGET_RATE)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "%g bits for each pixel are asked for, but the smallest "
                                "stream of this image of %u x %u pixels has %g",
                                plan->target_value, image->nx, image->ny,
                                8 * (double)coded->n_bytes / n);
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "a PSNR of %g dB is asked for, but the best that can be "
        "reached for this image is %.2f dB%s",
        plan->target_value,
        10 * log10(peak * peak * n * image->n_planes / coded->squared_error),
        plan->has_residual ? "" : ": code it with a residual");
}

/* Whether no Δ lies between the ends that is worth a try. */
static int is_enough(const aim *a, uint32_t most)
{
    if (a->has_low && a->has_high)
        return a->high - a->low <= 1 + a->low / NEAR;
    if (a->has_low)
        return a->low >= most;
    return a->has_high && a->high <= 1;
}

/* Keeps the better of two codings; the other one is freed. */
static void keep_better(rug_context *ctx, const aim *a, const rugi_ifs_plan *plan,
                        rugi_ifs_coded *best, rugi_ifs_coded *next)
{
    double was = best->n_bytes > 0 ? value_of(plan, best) : 0, is = value_of(plan, next);
    int good = is_good(a, is), better = best->n_bytes == 0;
    if (!better && good != is_good(a, was))
        better = good;
    else if (!better) /* of good ones that nearest to the goal, of others too */
        better = fabs(is - a->goal) < fabs(was - a->goal);
    if (better) {
        rugi_ifs_coded_free(ctx, best);
        *best = *next;
    } else
        rugi_ifs_coded_free(ctx, next);
}

/* Looks for Δ from `delta` on with one effort, until the best is near the goal or no Δ is
 * left to try. */
static rug_status search(rug_context *ctx, rugi_ifs_coded *best, aim *a,
                         const rugi_ifs_plan *plan, const rugi_ifs_tables *tables,
                         const rugi_ifs_image *image, uint32_t *delta)
{
    uint32_t most = RUGI_IFS_DELTA_MAX >> (16 - image->bits);
    for (int i = 0; i < CODINGS || !is_good(a, value_of(plan, best)); i++) {
        rugi_ifs_coded next;
        double from = 1 - 1.0 / (1 + 0.3 * i), to = 1 - 1.0 / (1.3 + 0.3 * i);
        rugi_phase outer = rugi_phase_enter(ctx, from, to);
        rug_status status = rugi_ifs_code_once(ctx, &next, plan, tables, image, *delta);
        rugi_phase_leave(ctx, outer);
        if (status != RUG_OK)
            return status;
        learn(a, *delta, value_of(plan, &next));
        keep_better(ctx, a, plan, best, &next);
        if (is_near(a, value_of(plan, best)) || is_enough(a, most))
            break;
        *delta = a->has_low && a->has_high ? between(a) : beyond(a, most);
    }
    return RUG_OK;
}

/* A search with the fast effort says where the asked one has to begin. */
static rug_status begin_at(rug_context *ctx, uint32_t *delta, const aim *a,
                           const rugi_ifs_plan *plan, const rugi_ifs_tables *tables,
                           const rugi_ifs_image *image)
{
    rugi_ifs_coded coded = {0};
    rugi_ifs_plan fast = *plan;
    aim trial = *a;
    *delta = rugi_ifs_delta_of_quality(50, image->bits);
    if (!plan->effort.with_grid)
        return RUG_OK;
    fast.effort.with_grid = fast.effort.with_all = 0;
    fast.effort.n_passes = 1;
    rugi_phase outer = rugi_phase_enter(ctx, 0, 0.4);
    rug_status status = search(ctx, &coded, &trial, &fast, tables, image, delta);
    rugi_phase_leave(ctx, outer);
    rugi_ifs_coded_free(ctx, &coded);
    return status;
}

rug_status rugi_ifs_code_to_target(rug_context *ctx, rugi_ifs_coded *coded,
                                   const rugi_ifs_plan *plan,
                                   const rugi_ifs_tables *tables,
                                   const rugi_ifs_image *image)
{
    memset(coded, 0, sizeof *coded);
    if (plan->target == RUG_IFS_TARGET_QUALITY)
        return rugi_ifs_code_once(
            ctx, coded, plan, tables, image,
            rugi_ifs_delta_of_quality(plan->target_value, image->bits));
    aim a = {.wants_coarse = plan->target == RUG_IFS_TARGET_PSNR,
             .goal = goal_of(plan, image),
             .last_side = -1};
    uint32_t delta;
    rug_status status = begin_at(ctx, &delta, &a, plan, tables, image);
    rugi_phase outer = rugi_phase_enter(ctx, plan->effort.with_grid ? 0.4 : 0, 1);
    if (status == RUG_OK)
        status = search(ctx, coded, &a, plan, tables, image, &delta);
    rugi_phase_leave(ctx, outer);
    if (status == RUG_OK && !is_good(&a, value_of(plan, coded)))
        status = unreachable(ctx, plan, image, coded);
    if (status != RUG_OK)
        rugi_ifs_coded_free(ctx, coded);
    return status;
}
