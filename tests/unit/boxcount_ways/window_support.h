/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Counting boxes of any size from packed pixels, and the same by looking at every pixel of
 * every box of every grid position. Include it after support.h. */

#ifndef RUGOSE_WINDOW_SUPPORT_H
#define RUGOSE_WINDOW_SUPPORT_H

#include "boxcount/window/boxcount_window.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Packs the pixels that are not 0. */
static inline rugi_bits must_pack(rug_context *ctx, const rug_image *img)
{
    rugi_bits bits;
    size_t first[3] = {0};
    rug_foreground rule = RUG_FOREGROUND_INIT;
    rule.kind = RUG_FOREGROUND_NONZERO;
    rugi_predicate predicate = rugi_predicate_make(img->dtype, rule);
    if (rugi_bits_new(ctx, &bits, img->ndim, img->shape, "packed pixels") != RUG_OK ||
        rugi_bits_add(ctx, &bits, img, &predicate, first) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return bits;
}

/* A result that asks for sizes. The caller frees it. */
static inline rug_boxcount_result *new_result(rug_boxcount_grid grid, uint32_t n_sizes,
                                              const uint64_t *sizes)
{
    rug_boxcount_result *r =
        calloc(1, sizeof *r + n_sizes * (sizeof *r->counts + sizeof *r->positions));
    assert_non_null(r);
    r->counts = (rug_box_count *)(r + 1);
    r->positions = (rug_box_positions *)(r->counts + n_sizes);
    r->facts.grid = grid;
    r->facts.n_sizes = n_sizes;
    for (uint32_t i = 0; i < n_sizes; i++)
        r->counts[i].size = sizes[i];
    return r;
}

static inline rug_boxcount_result *
must_count_windows(rug_context *ctx, const rug_image *img, rug_boxcount_grid grid,
                   uint32_t n_sizes, const uint64_t *sizes)
{
    rug_boxcount_result *r = new_result(grid, n_sizes, sizes);
    rugi_bits bits = must_pack(ctx, img);
    if (rugi_boxcount_window(ctx, r, &bits) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    rugi_bits_free(ctx, &bits);
    return r;
}

/* The boxes of one grid of a u8 image or volume in C order. */
typedef struct naive_boxes {
    uint64_t total, nonempty, black;
} naive_boxes;

/* The pixels of box b along an axis of n pixels: from first to end - 1. */
static inline void naive_band(uint64_t s, uint64_t shift, size_t n, uint64_t b,
                              size_t *first, size_t *end)
{
    uint64_t to = (b + 1) * s - shift;
    *first = b == 0 ? 0 : (size_t)(b * s - shift);
    *end = to < n ? (size_t)to : n;
}

static inline uint64_t naive_box(const uint8_t *pixels, const size_t n[3],
                                 const size_t first[3], const size_t end[3])
{
    uint64_t n_set = 0;
    for (size_t z = first[0]; z < end[0]; z++)
        for (size_t y = first[1]; y < end[1]; y++)
            for (size_t x = first[2]; x < end[2]; x++)
                n_set += pixels[(z * n[1] + y) * n[2] + x] != 0;
    return n_set;
}

/* @param n, shift  z y x; z is 1 and 0 in 2D, where boxes are 1 deep */
static inline naive_boxes naive_grid(const uint8_t *pixels, int ndim, const size_t n[3],
                                     uint64_t s, const uint64_t shift[3])
{
    naive_boxes out = {1, 0, 0};
    uint64_t side[3] = {ndim == 3 ? s : 1, s, s}, n_boxes[3];
    for (int a = 0; a < 3; a++)
        out.total *= n_boxes[a] = (n[a] + shift[a] - 1) / side[a] + 1;
    for (uint64_t i = 0; i < out.total; i++) {
        uint64_t b[3] = {i / n_boxes[2] / n_boxes[1], i / n_boxes[2] % n_boxes[1],
                         i % n_boxes[2]};
        size_t first[3], end[3];
        for (int a = 0; a < 3; a++)
            naive_band(side[a], shift[a], n[a], b[a], &first[a], &end[a]);
        uint64_t n_set = naive_box(pixels, n, first, end);
        out.nonempty += n_set > 0;
        out.black += n_set == side[0] * side[1] * side[2];
    }
    return out;
}

/* All positions, and the counts of the grid that is asked for. */
static inline void naive_positions(rug_box_count *count, rug_box_positions *out,
                                   const uint8_t *pixels, int ndim, const size_t n[3],
                                   rug_boxcount_grid grid)
{
    uint64_t s = count->size, deep = ndim == 3 ? s : 1, sum[3] = {0};
    memset(out, 0, sizeof *out);
    out->least = UINT64_MAX;
    for (uint64_t i = 0; i < deep * s * s; i++) {
        uint64_t shift[3] = {i / s / s, i / s % s, i % s};
        naive_boxes here = naive_grid(pixels, ndim, n, s, shift);
        sum[0] += here.total;
        sum[1] += here.nonempty;
        sum[2] += here.black;
        out->most = here.nonempty > out->most ? here.nonempty : out->most;
        int is_best = here.nonempty < out->least;
        if (is_best) {
            out->least = here.nonempty;
            for (int a = 0; a < ndim; a++)
                out->shift[a] = shift[3 - ndim + a];
        }
        if (i == 0 || (is_best && grid == RUG_BOXCOUNT_GRID_MIN)) {
            count->nonempty = here.nonempty;
            count->black = here.black;
        }
    }
    out->mean_total = (double)sum[0] / (double)(deep * s * s);
    out->mean_nonempty = (double)sum[1] / (double)(deep * s * s);
    out->mean_black = (double)sum[2] / (double)(deep * s * s);
}

static inline void assert_positions(const rug_box_positions *got,
                                    const rug_box_positions *expected, const char *what)
{
    if (memcmp(got, expected, sizeof *got) != 0)
        fail_msg(
            "%s: shift %llu %llu %llu, %llu..%llu, means %.17g %.17g %.17g; expected "
            "shift %llu %llu %llu, %llu..%llu, means %.17g %.17g %.17g",
            what, (unsigned long long)got->shift[0], (unsigned long long)got->shift[1],
            (unsigned long long)got->shift[2], (unsigned long long)got->least,
            (unsigned long long)got->most, got->mean_total, got->mean_nonempty,
            got->mean_black, (unsigned long long)expected->shift[0],
            (unsigned long long)expected->shift[1],
            (unsigned long long)expected->shift[2], (unsigned long long)expected->least,
            (unsigned long long)expected->most, expected->mean_total,
            expected->mean_nonempty, expected->mean_black);
}

static inline void assert_boxes(const rug_box_count *got, uint64_t nonempty,
                                uint64_t black, const char *what)
{
    if (got->nonempty != nonempty || got->black != black)
        fail_msg("%s, size %llu: %llu nonempty, %llu black; %llu and %llu expected", what,
                 (unsigned long long)got->size, (unsigned long long)got->nonempty,
                 (unsigned long long)got->black, (unsigned long long)nonempty,
                 (unsigned long long)black);
}

#endif
