/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Domains are compared by how much they lessen the squared error of a range, exactly.
 *
 * With c = |cross|, N = norm2 and s' = s / 4 (of sums instead of means), n times the gain is
 * c² / N where c / N is at most s'max, and s'max (2 c - s'max N) else. Pixels have 16 bits and
 * blocks at most 1024 pixels, so c <= 2^54 and N <= 2^56; s'max is p / 2^30 with p <= 2^28.
 * Both gains, times 2^60, are fractions of whole numbers that 256 bits hold. */

#include "ifs_search_engine.h"
#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 u128;

/* s'max = p / 2^S_BITS. */
#define S_BITS (RUGI_IFS_S_BITS + 2)

/* Gains whose relative difference is above this are compared as doubles. */
#define NEAR 1e-13

/* A whole number, the low word first. */
typedef struct wide {
    uint64_t word[4];
} wide;

static wide wide_of(u128 x)
{
    return (wide){{(uint64_t)x, (uint64_t)(x >> 64), 0, 0}};
}

static wide wide_times(wide a, uint64_t b)
{
    wide out;
    u128 carry = 0;
    for (int i = 0; i < 4; i++) {
        carry += (u128)a.word[i] * b;
        out.word[i] = (uint64_t)carry;
        carry >>= 64;
    }
    return out;
}

static int wide_compare(const wide *a, const wide *b)
{
    for (int i = 3; i >= 0; i--)
        if (a->word[i] != b->word[i])
            return a->word[i] > b->word[i] ? 1 : -1;
    return 0;
}

static uint64_t size_of(int64_t cross)
{
    return cross < 0 ? 0 - (uint64_t)cross : (uint64_t)cross;
}

static int is_clamped(uint64_t top, const rugi_ifs_best *b)
{
    return (u128)size_of(b->cross) << S_BITS > (u128)top * b->norm2;
}

/* n 2^(2 S_BITS) times a clamped gain. */
static u128 clamped_gain(uint64_t top, const rugi_ifs_best *b)
{
    return (((u128)size_of(b->cross) << (S_BITS + 1)) - (u128)top * b->norm2) * top;
}

/* n 2^(2 S_BITS) times a gain, as a fraction. */
static wide numerator(uint64_t top, const rugi_ifs_best *b, uint64_t *denominator)
{
    uint64_t c = size_of(b->cross);
    *denominator = is_clamped(top, b) ? 1 : b->norm2;
    if (*denominator == 1)
        return wide_of(clamped_gain(top, b));
    return wide_times(wide_of((u128)c * c), UINT64_C(1) << (2 * S_BITS));
}

static int compare_exactly(uint64_t top, const rugi_ifs_best *a, const rugi_ifs_best *b)
{
    uint64_t under_a, under_b;
    wide left = numerator(top, a, &under_a), right = numerator(top, b, &under_b);
    left = wide_times(left, under_b);
    right = wide_times(right, under_a);
    return wide_compare(&left, &right);
}

/* n times the gain. Each step is off by 2^-53 of it at most; clamped, the difference
 * is no smaller than c. */
static double rounded_gain(uint64_t top, const rugi_ifs_best *b)
{
    double c = (double)size_of(b->cross), norm2 = (double)b->norm2;
    double s = ldexp((double)top, -S_BITS);
    return c > s * norm2 ? s * (2 * c - s * norm2) : c * c / norm2;
}

double rugi_ifs_gain(const rugi_ifs_search_plan *plan, const rugi_ifs_best *best)
{
    return rounded_gain(plan->s_top, best) / plan->basis.n;
}

static float rounded_down(double x)
{
    return nextafterf((float)x, -INFINITY);
}

/* With the norm h of the range, a domain whose cap is k lessens the squared error by
 * at most k (2 h - k). */
void rugi_ifs_floor(const rugi_ifs_search_plan *plan, const rugi_ifs_range *range,
                    const rugi_ifs_best *best, double margin, float *floor, float *need)
{
    const double norm2 = (double)range->norm2 / plan->basis.n;
    const double least = rugi_ifs_gain(plan, best) - margin * norm2;
    *floor = rounded_down(least);
    if (least > 0)
        *need = rounded_down(sqrt(norm2) - sqrt(norm2 - least));
}

/* Whether a is better than b. */
static int is_better(uint64_t top, const rugi_ifs_best *a, const rugi_ifs_best *b)
{
    if (!b->found)
        return 1;
    double left = rounded_gain(top, a), right = rounded_gain(top, b);
    double most = left > right ? left : right;
    if (fabs(left - right) > NEAR * most)
        return left > right;
    int order = compare_exactly(top, a, b);
    return order > 0 || (order == 0 && a->domain < b->domain);
}

static void measure(const rugi_ifs_search_plan *plan, const rugi_ifs_range *range,
                    rugi_ifs_best *out)
{
    const uint32_t n = plan->basis.n;
    uint32_t r[RUGI_IFS_PIXELS_MAX], d[RUGI_IFS_PIXELS_MAX];
    rugi_ifs_range_pixels(plan->job, range->number, r);
    rugi_ifs_domain_pixels(plan, out->domain, d);
    uint64_t sum = 0, squares = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += d[i];
        squares += (uint64_t)d[i] * d[i];
    }
    out->norm2 = n * squares - sum * sum;
    for (uint8_t k = 0; k < 8; k++) {
        uint64_t products = 0;
        for (uint32_t i = 0; i < n; i++)
            products += (uint64_t)r[i] * d[plan->place[k][i]];
        int64_t cross = (int64_t)(n * products) - (int64_t)(range->sum * sum);
        if (k == 0 || size_of(cross) > size_of(out->cross)) {
            out->cross = cross;
            out->symmetry = k;
        }
    }
}

int rugi_ifs_try(const rugi_ifs_search_plan *plan, const rugi_ifs_range *range,
                 rugi_ifs_best *best, uint32_t domain)
{
    rugi_ifs_best given = {.domain = domain, .found = 1};
    measure(plan, range, &given);
    if (!is_better(plan->s_top, &given, best))
        return 0;
    *best = given;
    return 1;
}

/* Squared error that is left: n of it is the difference of whole numbers, but for one
 * division. */
static double error_of(const rugi_ifs_search_plan *plan, const rugi_ifs_range *range,
                       const rugi_ifs_best *b)
{
    double n = plan->basis.n;
    if (!b->found)
        return (double)range->norm2 / n;
    uint64_t c = size_of(b->cross);
    if (!is_clamped(plan->s_top, b))
        return (double)((u128)range->norm2 * b->norm2 - (u128)c * c) / (double)b->norm2 /
               n;
    u128 left = ((u128)range->norm2 << (2 * S_BITS)) - clamped_gain(plan->s_top, b);
    return ldexp((double)left, -2 * S_BITS) / n;
}

/* Where the matches of the batch go. */
static rugi_ifs_match *matches_of(const rugi_ifs_search_plan *plan)
{
    return plan->job->matches + (plan->job->take != NULL ? 0 : plan->first);
}

static void finish_range(const rugi_ifs_search_plan *plan, const rugi_ifs_range *range,
                         const rugi_ifs_best *best)
{
    rugi_ifs_match *m = &matches_of(plan)[range->number - plan->first];
    memset(m, 0, sizeof *m);
    m->error = error_of(plan, range, best);
    if (!best->found)
        return;
    m->x = (uint32_t)(best->domain % plan->grid_nx * plan->job->step);
    m->y = (uint32_t)(best->domain / plan->grid_nx * plan->job->step);
    m->symmetry = best->symmetry;
    m->found = 1;
    m->cross = best->cross;
    m->norm2 = best->norm2;
    double top = ldexp((double)plan->s_top, -RUGI_IFS_S_BITS);
    m->s = is_clamped(plan->s_top, best) ? copysign(top, (double)best->cross)
                                         : 4 * (double)best->cross / (double)best->norm2;
}

void rugi_ifs_finish(const rugi_ifs_search_plan *plan, const rugi_ifs_best *best)
{
    const rugi_ifs_best none = {.found = 0};
    for (size_t i = 0; i < plan->n_batch; i++)
        memset(&matches_of(plan)[i], 0, sizeof *plan->job->matches);
    for (size_t i = 0; i < plan->n_ranges; i++)
        finish_range(plan, &plan->ranges[i], best != NULL ? &best[i] : &none);
}
