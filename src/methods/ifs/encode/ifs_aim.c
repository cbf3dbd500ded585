/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* One quantiser step after another, each between those that are known to be too fine and too
 * coarse, until a rate or a PSNR is met. */

#include "ifs_aim.h"
#include "core/context/context_internal.h"
#include <math.h>
#include <string.h>

/* Δ in grey levels of 8 bits: that of quality 50, which looks about as JPEG's of 50
 * does, and how many qualities halve or double it. */
#define DELTA_OF_50   26.0
#define FINER_STEPS   10.0
#define COARSER_STEPS 22.0

/* ---- Steps of the quantiser ---- */

/* 2^x, in arithmetic that no library's rounding changes; |x| up to 1000. */
static double power_of_2(double x)
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
    double delta = DELTA_OF_50 * power_of_2((50 - quality) / steps + (double)bits - 8);
    double in_16ths = floor(delta * 16 + 0.5);
    return in_16ths < 1 ? 1 : (uint32_t)in_16ths;
}

/* ---- The target ---- */

/* Codings at most, how near the two ends are when it is enough, and how near what is
 * measured is to the goal: 1 / NEAR, which is 0.04 dB of a PSNR. */
#define CODINGS 14
#define NEAR    100

/* A search for Δ. What is measured grows with Δ: the squared error, or pixels per
 * byte. */
typedef struct search {
    int wants_coarse; /* PSNR: the coarsest Δ that does; else the finest */
    double goal;
    double low_value, high_value; /* at low and high */
    uint32_t low, high;           /* too fine or just good; just good or too coarse */
    int has_low, has_high;
    int last_side, n_same; /* the end that moved, and how often in a row */
} search;

static double value_of(const rugi_ifs_job *job, const rugi_ifs_measured *m)
{
    return job->target == RUG_IFS_TARGET_PSNR ? m->squared_error : 1 / (double)m->n_bytes;
}

/* 10 log10(peak² / mse) >= P, as a bound of the sum of squared errors, and the bytes
 * of a rate. */
static double goal_of(const rugi_ifs_job *job)
{
    double n = (double)job->nx * job->ny, peak = job->depth == 8 ? 255 : 65535;
    if (job->target == RUG_IFS_TARGET_RATE)
        return 1 / floor(job->target_value * n / 8);
    double log2_of_10 = 3.3219280948873626;
    return peak * peak * n * job->n_planes *
           power_of_2(-job->target_value / 10 * log2_of_10);
}

static int is_good(const search *a, double value)
{
    return a->wants_coarse ? value <= a->goal : value >= a->goal;
}

static int is_near(const search *a, double value)
{
    return is_good(a, value) && fabs(value - a->goal) * NEAR <= a->goal;
}

static void learn(search *a, uint32_t delta, double value)
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
static double inside(const search *a)
{
    return a->goal * (a->wants_coarse ? 1 - 0.5 / NEAR : 1 + 0.5 / NEAR);
}

/* Between the ends in proportion, or in the middle when that moves one of them only. */
static uint32_t between(const search *a)
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
static uint32_t beyond(const search *a, uint32_t most)
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

static rug_status unreachable(rug_context *ctx, const rugi_ifs_job *job,
                              const rugi_ifs_measured *m)
{
    double n = (double)job->nx * job->ny, peak = job->depth == 8 ? 255 : 65535;
    if (job->target == RUG_IFS_TARGET_RATE)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "%g bits per pixel asked for, but the smallest stream of "
                                "this image (%ux%u pixels) has %g",
                                job->target_value, job->ny, job->nx,
                                8 * (double)m->n_bytes / n);
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "a PSNR of %g dB is asked for, but the best that can be "
        "reached for this image is %.2f dB%s",
        job->target_value, 10 * log10(peak * peak * n * job->n_planes / m->squared_error),
        job->has_residual ? "" : ": code it with a residual");
}

/* Whether no Δ lies between the ends that is worth a try. */
static int is_enough(const search *a, uint32_t most)
{
    if (a->has_low && a->has_high)
        return a->high - a->low <= 1 + a->low / NEAR;
    if (a->has_low)
        return a->low >= most;
    return a->has_high && a->high <= 1;
}

/* Whether a coding is better than the best so far. */
static int is_better(const search *a, double was, double is)
{
    if (is_good(a, is) != is_good(a, was))
        return is_good(a, is);
    /* of good ones that nearest to the goal, of others too */
    return fabs(is - a->goal) < fabs(was - a->goal);
}

rug_status rugi_ifs_find_delta(rug_context *ctx, const rugi_ifs_aim *aim, uint32_t *delta,
                               rugi_ifs_measured *best)
{
    const rugi_ifs_job *job = aim->job;
    search a = {.wants_coarse = job->target == RUG_IFS_TARGET_PSNR,
                .goal = goal_of(job),
                .last_side = -1};
    memset(best, 0, sizeof *best);
    for (int i = 0; i < CODINGS || !is_good(&a, value_of(job, best)); i++) {
        rugi_ifs_measured next;
        rug_status status = RUG_OK;
        RUGI_PHASE(ctx, 1 - 1.0 / (1 + 0.3 * i), 1 - 1.0 / (1.3 + 0.3 * i), status,
                   aim->try_delta(aim->user, *delta, &next));
        if (status != RUG_OK)
            return status;
        learn(&a, *delta, value_of(job, &next));
        if (i == 0 || is_better(&a, value_of(job, best), value_of(job, &next))) {
            aim->keep(aim->user);
            *best = next;
        }
        if (is_near(&a, value_of(job, best)) || is_enough(&a, aim->most))
            break;
        *delta = a.has_low && a.has_high ? between(&a) : beyond(&a, aim->most);
    }
    return RUG_OK;
}

rug_status rugi_ifs_check_target(rug_context *ctx, const rugi_ifs_job *job,
                                 const rugi_ifs_measured *measured)
{
    const search a = {.wants_coarse = job->target == RUG_IFS_TARGET_PSNR,
                      .goal = goal_of(job)};
    return is_good(&a, value_of(job, measured)) ? RUG_OK
                                                : unreachable(ctx, job, measured);
}
