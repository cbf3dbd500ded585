/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Domains worth trying for a block. Which one is near enough is decided on pixels of 10
 * bits, in whole numbers; what it is worth is computed from the pixels themselves later. */

#include "ifs_encode.h"
#include <stdlib.h>

/* A range in all turns, and the best so far. */
typedef struct look {
    const rugi_ifs_encoder *e;
    rugi_ifs_work *work;
    unsigned level;
    size_t n;    /* pixels */
    int64_t sum; /* of the range */
    double s_max, best;
    rugi_ifs_candidate *out;
} look;

/* Domains lie as they are, and the range is turned the other way. */
static void turn_range(look *l, uint32_t x, uint32_t y)
{
    const rugi_ifs_encoder *e = l->e;
    unsigned side = rugi_ifs_side(l->level);
    int16_t *piece = l->work->piece;
    l->sum = 0;
    for (unsigned row = 0; row < side; row++)
        for (unsigned col = 0; col < side; col++) {
            int16_t v = e->short_pixels[(size_t)(y + row) * e->frame.nx + x + col];
            piece[row * side + col] = v;
            l->sum += v;
        }
    for (unsigned g = 0; g < RUGI_IFS_TURNS; g++) {
        const uint16_t *place = e->tables->place[l->level][g];
        int16_t *turned = l->work->ranges + g * l->n;
        for (size_t i = 0; i < l->n; i++)
            turned[place[i]] = piece[i];
    }
}

static void read_domain(look *l, uint32_t x, uint32_t y, int64_t *sum, int64_t *norm2)
{
    unsigned side = rugi_ifs_side(l->level);
    size_t stride = l->e->frame.nx / 2;
    int32_t total = 0, squares = 0;
    for (unsigned row = 0; row < side; row++) {
        const int16_t *from = l->e->half_short + (y / 2 + row) * stride + x / 2;
        int16_t *to = l->work->piece + row * side;
        for (unsigned col = 0; col < side; col++) {
            to[col] = from[col];
            total += from[col];
            squares += from[col] * from[col];
        }
    }
    *sum = total;
    *norm2 = (int64_t)l->n * squares - (int64_t)total * total;
}

/* How much of the range's squared deviation goes, up to a factor that all share. */
static double gain_of(double cross, double norm2, double s_max)
{
    if (cross >= s_max * norm2)
        return s_max * (2 * cross - s_max * norm2);
    return cross * cross / norm2;
}

static void try_domain(look *l, const rugi_ifs_candidate *candidate)
{
    int64_t sum, norm2;
    int32_t products[RUGI_IFS_TURNS];
    read_domain(l, candidate->x, candidate->y, &sum, &norm2);
    if (norm2 == 0)
        return;
    l->e->tables->kernels.cross(products, l->work->ranges, l->work->piece, l->n);
    int64_t best = 0;
    unsigned symmetry = 0;
    for (unsigned g = 0; g < RUGI_IFS_TURNS; g++) {
        int64_t cross = llabs((int64_t)l->n * products[g] - l->sum * sum);
        if (cross > best) {
            best = cross;
            symmetry = g;
        }
    }
    double gain = gain_of((double)best, (double)norm2, l->s_max);
    if (gain > l->best) {
        l->best = gain;
        *l->out = *candidate;
        l->out->symmetry = (uint8_t)symmetry;
    }
}

static void try_zone(look *l, uint32_t x, uint32_t y, rugi_ifs_zone zone, unsigned near)
{
    rugi_ifs_leaf leaf = {.x = x,
                          .y = y,
                          .level = (uint8_t)l->level,
                          .zone = (uint8_t)zone,
                          .near = (uint8_t)near};
    rugi_ifs_place_domain(&l->e->frame, &leaf);
    rugi_ifs_candidate candidate = {(uint8_t)zone, 0, (uint8_t)near, leaf.domain_x,
                                    leaf.domain_y};
    try_domain(l, &candidate);
}

static int grid_candidate(const rugi_ifs_encoder *e, uint32_t x, uint32_t y,
                          unsigned level, rugi_ifs_candidate *out)
{
    if (e->match_of[level] == NULL)
        return 0;
    unsigned side = rugi_ifs_side(level);
    size_t block = (size_t)(y / side) * (e->frame.nx / side) + x / side;
    uint32_t at = e->match_of[level][block];
    if (at == 0 || !e->matches[level][at - 1].found)
        return 0;
    const rugi_ifs_match *m = &e->matches[level][at - 1];
    *out = (rugi_ifs_candidate){RUGI_IFS_GRID, m->symmetry, 0, m->x, m->y};
    return 1;
}

int rugi_ifs_candidates(const rugi_ifs_encoder *e, rugi_ifs_work *work, uint32_t x,
                        uint32_t y, unsigned level, rugi_ifs_candidate out[3])
{
    unsigned side = rugi_ifs_side(level);
    look l = {.e = e,
              .work = work,
              .level = level,
              .n = (size_t)side * side,
              .s_max = (double)e->effort.k_max / RUGI_IFS_K_MAX};
    turn_range(&l, x, y);
    int n = 0;
    l.out = &out[n];
    try_zone(&l, x, y, RUGI_IFS_OVER, 0);
    n += l.best > 0;
    l.best = 0;
    l.out = &out[n];
    for (unsigned near = 0; near < 64; near++)
        try_zone(&l, x, y, RUGI_IFS_NEAR, near);
    n += l.best > 0;
    return n + grid_candidate(e, x, y, level, &out[n]);
}
