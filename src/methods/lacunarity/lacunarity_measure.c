/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From masses to lacunarities. The plan says which sizes fit and in how many bits their sums are
 * kept; the sums come from rugi_lacunarity_cpu(); results are quotients of whole numbers that are
 * rounded once. */

#include "lacunarity_plan.h"
#include <math.h>
#include <string.h>

/* ---- The plan ---- */

/* The most bytes of rows of sums that sizes share: more of them are cheaper to make anew for each
 * size than to fetch from memory. */
#define RING_BYTES ((size_t)8 << 20)

/* The sizes that are asked for, or the default ones. @return how many */
static uint32_t take_sizes(uint64_t sizes[RUG_LACUNARITY_MAX_SIZES],
                           const size_t shape[3], const rug_lacunarity_options *opts)
{
    uint64_t shortest = UINT64_MAX;
    uint32_t n = 0;
    if (opts->sizes != NULL) {
        memcpy(sizes, opts->sizes, opts->n_sizes * sizeof *sizes);
        return opts->n_sizes;
    }
    for (int a = 0; a < 3; a++)
        if (shape[a] > 1 && shape[a] < shortest)
            shortest = shape[a];
    if (shortest == UINT64_MAX)
        shortest = 1;
    for (uint64_t s = 1; s <= shortest && s > 0; s *= 2)
        sizes[n++] = s;
    return n;
}

/* Whether boxes of a size fit; then sets their sides. Axes of a single pixel are no sides unless
 * there is no other. */
static int fits(rugi_lacunarity_box *box, const size_t n[3], uint64_t size)
{
    box->full = 1;
    if (size > 1 && n[0] == 1 && n[1] == 1 && n[2] == 1)
        return 0;
    for (int a = 0; a < 3; a++) {
        if (n[a] > 1 && size > n[a])
            return 0;
        box->e[a] = n[a] > 1 ? (size_t)size : 1;
        box->full *= box->e[a];
    }
    return 1;
}

static void choose_type(rugi_lacunarity_box *box, const rugi_lacunarity_plane *plane)
{
    rugi_lacunarity_u128 most = (rugi_lacunarity_u128)plane->largest * box->full;
    box->most = most < plane->total ? (uint64_t)most : plane->total;
    uint64_t wide = box->most;
    if (plane->inside.data != NULL && box->full > wide)
        wide = box->full;
    box->type = wide <= RUGI_LACUNARITY_MAX_16 ? 1 : wide <= UINT32_MAX ? 2 : 3;
    if (box->type < plane->masses.type)
        box->type = plane->masses.type;
}

static void make_plan(rugi_lacunarity_plan *plan, const rugi_lacunarity_plane *plane,
                      uint32_t n_sizes, const uint64_t *sizes, int is_fixed)
{
    plan->plane = plane;
    plan->is_fixed = is_fixed;
    plan->n_boxes = 0;
    memset(plan->ring_rows, 0, sizeof plan->ring_rows);
    for (uint32_t i = 0; i < n_sizes; i++) {
        rugi_lacunarity_box *box = &plan->boxes[plan->n_boxes];
        if (!fits(box, plane->n, sizes[i]))
            continue;
        box->index = i;
        choose_type(box, plane);
        size_t most = RING_BYTES / rugi_lacunarity_row_bytes(plane->n[2], box->type);
        box->is_ring = !is_fixed && plane->inside.data == NULL && plane->n[0] == 1 &&
                       box->e[1] < most;
        if (box->is_ring)
            plan->ring_rows[box->type] = box->e[1] + 1; /* sizes ascend */
        plan->n_boxes++;
    }
}

/* ---- Quotients of large whole numbers ---- */

/* Whole numbers below 2^512. With P positions, sums S1 of M and S2 of M^2: P < 2^63, S1 < 2^126 and
 * S2 < 2^190, so that what is divided stays below 2^256, and 2^384 shifted. */
#define LIMBS 8

typedef struct large {
    uint64_t limb[LIMBS]; /* the lowest first */
} large;

typedef rugi_lacunarity_u128 u128;

static large large_of(u128 low, uint64_t high)
{
    return (large){{(uint64_t)low, (uint64_t)(low >> 64), high}};
}

static large product(const large *a, const large *b)
{
    large out = {{0}};
    for (int i = 0; i < LIMBS; i++) {
        u128 carry = 0;
        for (int j = 0; i + j < LIMBS; j++) {
            carry += (u128)a->limb[i] * b->limb[j] + out.limb[i + j];
            out.limb[i + j] = (uint64_t)carry;
            carry >>= 64;
        }
    }
    return out;
}

/* Subtracts b from a. @return whether b was larger, and a has wrapped around */
static int subtract(large *a, const large *b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < LIMBS; i++) {
        u128 d = (u128)a->limb[i] - b->limb[i] - borrow;
        a->limb[i] = (uint64_t)d;
        borrow = (uint64_t)(d >> 64) & 1;
    }
    return borrow > 0;
}

static int bits_of(const large *a)
{
    for (int i = LIMBS - 1; i >= 0; i--)
        for (int b = 63; b >= 0; b--)
            if (a->limb[i] >> b & 1)
                return 64 * i + b + 1;
    return 0;
}

static large shifted(const large *a, int left)
{
    large out = {{0}};
    int limbs = left / 64, bits = left % 64;
    for (int i = LIMBS - 1; i >= limbs; i--) {
        out.limb[i] = a->limb[i - limbs] << bits;
        if (bits > 0 && i > limbs)
            out.limb[i] |= a->limb[i - limbs - 1] >> (64 - bits);
    }
    return out;
}

/* a / b, rounded to the nearest double: 64 or 65 bits of the quotient by long division, and one
 * more that says whether anything is left. */
static double quotient(large a, large b)
{
    int scale = 64 - bits_of(&a) + bits_of(&b);
    if (bits_of(&a) == 0)
        return 0;
    if (scale > 0)
        a = shifted(&a, scale);
    else
        b = shifted(&b, -scale);
    u128 q = 0;
    for (int k = 65; k >= 0; k--) {
        large step = shifted(&b, k), rest = a;
        if (subtract(&rest, &step))
            continue;
        a = rest;
        q |= (u128)1 << k;
    }
    q |= bits_of(&a) > 0;
    return ldexp((double)q, -scale);
}

/* ---- Results ---- */

/* Lacunarity, mean and variance of a size, each exact until it is rounded once.
 * @param sums           NULL: no box fits
 * @param unit_exponent  a mass of 1 is 2^unit_exponent */
static void fill(rug_lacunarity_size *out, uint64_t size,
                 const rugi_lacunarity_sums *sums, int unit_exponent)
{
    *out = (rug_lacunarity_size){size, NAN, NAN, NAN, 0, "no boxes"};
    if (sums == NULL || sums->positions == 0)
        return;
    large p = large_of(sums->positions, 0), s1 = large_of(sums->mass, 0);
    large s2 = large_of(sums->square, sums->square_high);
    large p_s2 = product(&p, &s2), s1_s1 = product(&s1, &s1), p_p = product(&p, &p);
    large spread = p_s2;
    subtract(&spread, &s1_s1); /* never negative: Cauchy and Schwarz */
    out->positions = sums->positions;
    out->mean = ldexp(quotient(s1, p), unit_exponent);
    out->variance = ldexp(quotient(spread, p_p), 2 * unit_exponent);
    out->status = sums->mass > 0 ? "ok" : "empty";
    if (sums->mass > 0)
        out->lacunarity = quotient(p_s2, s1_s1);
}

rug_status rugi_lacunarity_measure(rug_context *ctx, rug_lacunarity_result *out,
                                   rugi_lacunarity_scratch *scratch,
                                   const rugi_lacunarity_plane *plane,
                                   const rug_lacunarity_options *opts, int unit_exponent)
{
    const rugi_lacunarity_plan *plan = &scratch->plan;
    out->n_sizes = take_sizes(scratch->sizes, plane->n, opts);
    make_plan(&scratch->plan, plane, out->n_sizes, scratch->sizes,
              opts->boxes == RUG_LACUNARITY_FIXED);
    rug_status status = rugi_lacunarity_cpu(ctx, scratch->sums, &out->engine, plan);
    if (status != RUG_OK)
        return status;
    size_t k = 0;
    for (uint32_t i = 0; i < out->n_sizes; i++) {
        int fits = k < plan->n_boxes && plan->boxes[k].index == i;
        fill(&out->sizes[i], scratch->sizes[i], fits ? &scratch->sums[k] : NULL,
             unit_exponent);
        k += (size_t)fits;
    }
    out->n_pixels = plane->n_pixels;
    out->n_set = plane->n_set;
    out->n_left_out = plane->n_left_out;
    out->unit_exponent = unit_exponent;
    return RUG_OK;
}
