/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What a pattern becomes by each method, one pattern at a time: the truth for all tables and
 * kernels. */

#include "lbp_plan.h"

static uint32_t mask_of(uint32_t points)
{
    return points == 32 ? UINT32_MAX : ((uint32_t)1 << points) - 1;
}

/* One step round the circle: bit i takes the place of bit i - 1. */
static uint32_t rotate(uint32_t pattern, uint32_t points)
{
    return (pattern >> 1) | ((pattern & 1) << (points - 1));
}

static uint32_t ones_of(uint32_t pattern)
{
    return (uint32_t)__builtin_popcount(pattern);
}

/* At most two changes round the circle (Ojala et al. 2002, equation 10). */
static int is_uniform(uint32_t pattern, uint32_t points)
{
    return ones_of(pattern ^ rotate(pattern, points)) <= 2;
}

static uint32_t least_rotation(uint32_t pattern, uint32_t points)
{
    uint32_t least = pattern;
    for (uint32_t i = 1; i < points; i++) {
        pattern = rotate(pattern, points);
        if (pattern < least)
            least = pattern;
    }
    return least;
}

/* Uniform patterns by their number of ones, then by where the ones lie; scikit-image's
 * numbers. */
static uint32_t uniform_number(uint32_t pattern, uint32_t points)
{
    uint32_t n = ones_of(pattern);
    if (!is_uniform(pattern, points))
        return points * (points - 1) + 2;
    if (n == 0)
        return 0;
    if (n == points)
        return points * (points - 1) + 1;
    uint32_t first_one = (uint32_t)__builtin_ctz(pattern);
    uint32_t first_zero = (uint32_t)__builtin_ctz(~pattern);
    uint32_t turn = first_one == 0 ? n - first_zero : points - first_one;
    return 1 + (n - 1) * points + turn;
}

uint32_t rugi_lbp_code_of(rug_lbp_method method, uint32_t points, uint32_t pattern)
{
    switch (method) {
    case RUG_LBP_RIU2: return is_uniform(pattern, points) ? ones_of(pattern) : points + 1;
    case RUG_LBP_ROR: return least_rotation(pattern, points);
    case RUG_LBP_NRI_UNIFORM: return uniform_number(pattern, points);
    case RUG_LBP_DEFAULT:
    case RUG_LBP_VAR: break;
    }
    return pattern;
}

void rugi_lbp_rank_rotations(uint32_t points, uint32_t *table)
{
    uint32_t n = 0;
    for (uint32_t pattern = 0; pattern <= mask_of(points); pattern++)
        table[pattern] = least_rotation(pattern, points) == pattern ? n++ : UINT32_MAX;
}
