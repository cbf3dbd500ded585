/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What becomes of a pattern, after lbp_pixels.cl: the code by the method, as in lbp_plan.c,
 * and its bin. Numbers of methods are those of rug_lbp_method. */

#define RIU2        0
#define ROR         2
#define NRI_UNIFORM 3
#define VAR         4

#define NO_BIN 0xffffffffU

/* One step round the circle. */
static uint rotate_once(uint pattern, uint points)
{
    return pattern >> 1 | (pattern & 1) << (points - 1);
}

/* At most two changes round the circle (Ojala et al. 2002, equation 10). */
static int is_uniform(uint pattern, uint points)
{
    return popcount(pattern ^ rotate_once(pattern, points)) <= 2;
}

static uint least_rotation(uint pattern, uint points)
{
    uint least = pattern;
    for (uint i = 1; i < points; i++) {
        pattern = rotate_once(pattern, points);
        least = min(least, pattern);
    }
    return least;
}

/* The lowest bit that is set. */
static uint lowest(uint v)
{
    return 31 - clz(v & -v);
}

static uint uniform_number(uint pattern, uint points)
{
    uint n = popcount(pattern);
    if (!is_uniform(pattern, points))
        return points * (points - 1) + 2;
    if (n == 0)
        return 0;
    if (n == points)
        return points * (points - 1) + 1;
    uint first_one = lowest(pattern);
    uint turn = first_one == 0 ? n - lowest(~pattern) : points - first_one;
    return 1 + (n - 1) * points + turn;
}

static uint code_of(uint method, uint points, uint pattern)
{
    switch (method) {
    case RIU2: return is_uniform(pattern, points) ? popcount(pattern) : points + 1;
    case ROR: return least_rotation(pattern, points);
    case NRI_UNIFORM: return uniform_number(pattern, points);
    default: return pattern;
    }
}

static void put_code(__global uchar *codes, size_t i, uint n_bytes, uint code)
{
    if (n_bytes == 1)
        codes[i] = (uchar)code;
    else if (n_bytes == 2)
        ((__global ushort *)codes)[i] = (ushort)code;
    else
        ((__global uint *)codes)[i] = code;
}

#if VARIANCE
/* How many cuts are at most a variance. */
static uint variance_bin(__global const double *cuts, uint n_cuts, double variance)
{
    uint low = 0, high = n_cuts;
    while (low < high) {
        uint middle = (low + high) / 2;
        if (cuts[middle] <= variance)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
#endif
