/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The bodies of the kernels for sliced numbers; the end of boxcount_window_tmpl.h. All
 * numbers of a vector are added or compared at once, bit by bit. */

#ifndef RUGI_BOXCOUNT_WINDOW_PLANES_TMPL_H
#define RUGI_BOXCOUNT_WINDOW_PLANES_TMPL_H

#include "boxcount_window_tmpl.h"

static void add(const rugi_counter *c, size_t at, uint64_t *bits, size_t n)
{
    for (int l = 0; l < c->n_planes; l++) {
        uint64_t *sums = c->sums + (size_t)l * c->stride + at;
        uint64_t *held = c->held + (size_t)l * c->stride + at;
        if ((c->n_added >> l & 1) == 0) {
            memcpy(held, bits, n * sizeof *bits);
            return;
        }
        int is_empty = c->n_added >> l == 1;
        for (size_t i = 0; i < n; i += RUGI_LANES) {
            lanes a = {0}, b = load_lanes(held + i), d = load_lanes(bits + i);
            if (!is_empty)
                a = load_lanes(sums + i);
            store_lanes(sums + i, a ^ b ^ d);
            store_lanes(bits + i, (a & b) | (d & (a ^ b)));
        }
    }
}

static void settle(rugi_planes dst, const rugi_counter *c, size_t at, size_t n)
{
    size_t i = 0;
    for (; i < n; i += RUGI_LANES) {
        lanes carry = {0};
        for (int l = 0; l < c->n_planes; l++) {
            size_t from = (size_t)l * c->stride + at + i;
            lanes a = {0}, b = {0};
            if (c->n_added >> l > 1)
                a = load_lanes(c->sums + from);
            if (c->n_added >> l & 1)
                b = load_lanes(c->held + from);
            store_lanes(dst.words + (size_t)l * dst.stride + i, a ^ b ^ carry);
            carry = (a & b) | (carry & (a ^ b));
        }
    }
    for (int l = 0; l < c->n_planes; l++)
        for (size_t k = n; k < i; k++)
            dst.words[(size_t)l * dst.stride + k] = 0;
}

/* The bits of two words from bit `shift` of the first on. */
static inline lanes load_shifted(const uint64_t *from, uint64_t shift)
{
    lanes v = load_lanes(from);
    return shift == 0 ? v : v >> shift | load_lanes(from + 1) << (64 - shift);
}

/* The same numbers, in as many planes as dst has. */
static inline void copy_planes(rugi_planes dst, rugi_planes src)
{
    for (int l = 0; l < dst.n_planes; l++) {
        lanes v = {0};
        if (l < src.n_planes)
            v = load_lanes(src.words + (size_t)l * src.stride);
        store_lanes(dst.words + (size_t)l * dst.stride, v);
    }
}

/* Adds the numbers from bit `shift` of src on to those of dst. */
static inline void add_planes(rugi_planes dst, rugi_planes src, uint64_t shift)
{
    lanes carry = {0};
    for (int l = 0; l < src.n_planes; l++) {
        uint64_t *to = dst.words + (size_t)l * dst.stride;
        lanes a = load_lanes(to);
        lanes b = load_shifted(src.words + (size_t)l * src.stride, shift);
        store_lanes(to, a ^ b ^ carry);
        carry = (a & b) | (carry & (a ^ b));
    }
    for (int l = src.n_planes; l < dst.n_planes; l++) {
        uint64_t *to = dst.words + (size_t)l * dst.stride;
        lanes a = load_lanes(to);
        store_lanes(to, a ^ carry);
        carry &= a;
    }
}

static void fold(rugi_planes dst, rugi_planes src, size_t n_pieces, size_t period)
{
    for (size_t i = 0; i < dst.stride; i += RUGI_LANES) {
        rugi_planes to = dst, from = src;
        to.words += i;
        from.words += i;
        copy_planes(to, from);
        for (size_t k = 1; k < n_pieces; k++) {
            from.words = src.words + k * period / 64 + i;
            add_planes(to, from, k * period % 64);
        }
    }
}

static uint64_t survey(int *is_beyond, rugi_planes p, const uint64_t *mask,
                       const uint64_t range[2])
{
    lanes sum = {0}, beyond = {0};
    for (size_t i = 0; i < p.stride; i += RUGI_LANES) {
        lanes valid = load_lanes(mask + i), below = {0}, above = {0};
        for (int l = 0; l < p.n_planes; l++) { /* a higher bit overrules those before */
            lanes v = load_lanes(p.words + (size_t)l * p.stride + i) & valid;
            sum += word_counts(v) << (uint64_t)l;
            below = range[0] >> l & 1 ? below | ~v : below & ~v;
            above = range[1] >> l & 1 ? above & v : above | v;
        }
        beyond |= (below & valid) | above;
    }
    *is_beyond = has_bits(beyond);
    return sum_of_lanes(sum);
}

/* Bits to numbers without shifts, which many vectors cannot do by lane. */
static inline void plain_columns(uint64_t *counts, rugi_planes p, size_t n)
{
    uint64_t bit[64];
    for (int k = 0; k < 64; k++)
        bit[k] = (uint64_t)1 << k;
    for (size_t i = 0; i < n; i++, counts += 64) {
        memset(counts, 0, 64 * sizeof *counts);
        for (int l = 0; l < p.n_planes; l++) {
            uint64_t word = p.words[(size_t)l * p.stride + i], worth = (uint64_t)1 << l;
            for (int k = 0; k < 64; k++)
                counts[k] += (word & bit[k]) != 0 ? worth : 0;
        }
    }
}

#endif
