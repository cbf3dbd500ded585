/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Edges of slices, and the proof that arithmetic in single precision finds the slice. */

#include "alpha_cut.h"
#include <math.h>
#include <string.h>

/* The least float that is not below x. */
static float float_from(double x)
{
    float f = (float)x;
    return (double)f < x ? nextafterf(f, INFINITY) : f;
}

static int whole(float t)
{
    return (int)t;
}

/* The arithmetic of kernels is monotone in alpha: no rounding turns the order of two
 * numbers. So a slice whose first and last float are found right is found right as a
 * whole. */
static int is_found(const rugi_alpha_cut *cut, uint32_t i)
{
    float first = cut->least[i], last = nextafterf(cut->least[i + 1], -INFINITY);
    if (!(first < cut->least[i + 1]))
        return 1; /* no float is in it */
    float a = (first - cut->least[0]) * cut->scale;
    float b = (last - cut->least[0]) * cut->scale;
    return isfinite(b) && whole(b - cut->slack) <= (int)i &&
           whole(a + cut->slack) >= (int)i && whole(b + cut->slack) <= (int)cut->n;
}

static int all_are_found(const rugi_alpha_cut *cut)
{
    int all = 1;
    for (uint32_t i = 0; i < cut->n && all; i++)
        all = is_found(cut, i);
    return all;
}

/* As little slack as will do: alphas within it of an edge are looked up. */
static void make_guess(rugi_alpha_cut *cut)
{
    cut->scale = (float)(cut->n / (cut->edge[cut->n] - cut->edge[0]));
    cut->slack = (float)cut->n * 0x1p-22F;
    while (isfinite(cut->scale) && !cut->has_guess && cut->slack < 0.125F) {
        cut->slack *= 2;
        cut->has_guess = all_are_found(cut);
    }
}

void rugi_alpha_cut_make(rugi_alpha_cut *cut, uint32_t n, double min, double max)
{
    memset(cut, 0, sizeof *cut);
    cut->n = n;
    for (uint32_t i = 0; i <= n; i++) {
        double edge = min + (max - min) * i / n;
        cut->edge[i] = i == n || edge > max ? max : edge;
        cut->least[i] = float_from(cut->edge[i]);
    }
    if ((double)cut->least[n] <= max)
        cut->least[n] = nextafterf(cut->least[n], INFINITY);
    make_guess(cut);
}

uint16_t rugi_alpha_cut_find(const rugi_alpha_cut *cut, float alpha)
{
    if (!(alpha >= cut->least[0] && alpha < cut->least[cut->n]))
        return RUGI_ALPHA_NO_SLICE;
    uint32_t from = 0, to = cut->n; /* least[from] <= alpha < least[to] */
    while (to - from > 1) {
        uint32_t middle = (from + to) / 2;
        if (alpha >= cut->least[middle])
            from = middle;
        else
            to = middle;
    }
    return (uint16_t)from;
}
