/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Domains worth trying for a block: those of the grid, found by the exact search for whole levels,
 * and those over and near the block. Which of the latter is near enough is decided on pixels of 10
 * bits, in whole numbers; what it is worth is computed from the pixels themselves later. */

#include "core/context/context_internal.h"
#include "ifs/search_cpu/ifs_search.h"
#include "ifs_encode.h"
#include <stdlib.h>

/* ---- Domains of the grid ---- */

/* Blocks whose squared deviation is worth fewer bits are left out: a domain takes about
 * twice as many, its place included. */
#define GRID_BITS 12

static const char what[] = "search for domains";

static int is_flat(const rugi_ifs_encoder *e, uint32_t x0, uint32_t y0, unsigned level)
{
    unsigned side = rugi_ifs_side(level);
    double sum = 0, squares = 0, n = (double)side * side;
    const int32_t *from = e->plane->pixels + (size_t)y0 * e->plane->nx + x0;
    for (unsigned y = 0; y < side; y++)
        for (unsigned x = 0; x < side; x++) {
            double v = from[(size_t)y * e->plane->nx + x] - e->plane->min;
            sum += v;
            squares += v * v;
        }
    double least = e->effort.with_all ? 0 : GRID_BITS * e->lambda;
    return squares - sum * sum / n <= least;
}

static void list_ranges(rugi_ifs_encoder *e, unsigned level)
{
    uint32_t side = rugi_ifs_side(level), n = 0, *of = e->match_of[level];
    for (uint32_t y = 0; y < e->frame.ny; y += side)
        for (uint32_t x = 0; x < e->frame.nx; x += side, of++) {
            *of = 0;
            if (is_flat(e, x, y, level))
                continue;
            e->ranges[level][n] = (rugi_ifs_place){x, y};
            *of = ++n;
        }
    e->n_grid[level] = n;
}

static rug_status search_level(rugi_ifs_encoder *e, unsigned level,
                               const rugi_ifs_plane *image, const rugi_ifs_plane *source)
{
    size_t side = rugi_ifs_side(level);
    size_t n = (size_t)(e->frame.nx / side) * (e->frame.ny / side);
    e->match_of[level] = rug_context_allocate(e->ctx, n, sizeof **e->match_of, what);
    e->ranges[level] = rug_context_allocate(e->ctx, n, sizeof **e->ranges, what);
    if (e->match_of[level] == NULL || e->ranges[level] == NULL)
        return RUG_E_NOMEM;
    list_ranges(e, level);
    e->matches[level] =
        rug_context_allocate(e->ctx, e->n_grid[level], sizeof **e->matches, what);
    if (e->matches[level] == NULL)
        return RUG_E_NOMEM;
    if (e->n_grid[level] == 0)
        return RUG_OK;
    rugi_ifs_search_job job = {.image = image,
                               .source = source,
                               .size = (uint32_t)side,
                               .step = e->frame.step,
                               .s_max = (double)e->effort.k_max / RUGI_IFS_K_MAX,
                               .ranges = e->ranges[level],
                               .n_ranges = e->n_grid[level],
                               .matches = e->matches[level]};
    return rugi_ifs_search(e->ctx, &job);
}

/* Pixels as the search takes them: from 0 on, in 16 bits. */
static void fill_plane(const rugi_ifs_encoder *e, const rugi_ifs_plane *plane)
{
    int64_t range = (int64_t)e->plane->max - e->plane->min;
    unsigned shift = 0;
    while (range >> shift > UINT16_MAX)
        shift++;
    for (size_t i = 0; i < plane->nx * plane->ny; i++)
        plane->pixels[i] = (uint16_t)((e->plane->pixels[i] - e->plane->min) >> shift);
}

rug_status rugi_ifs_grid_search(rugi_ifs_encoder *e)
{
    rugi_ifs_plane plane = {.nx = e->frame.nx, .ny = e->frame.ny};
    plane.pixels =
        rug_context_allocate(e->ctx, plane.nx * plane.ny, sizeof *plane.pixels, what);
    if (plane.pixels == NULL)
        return RUG_E_NOMEM;
    fill_plane(e, &plane);
    rug_status status = RUG_OK;
    for (unsigned level = 0; level < RUGI_IFS_LEVELS && status == RUG_OK; level++) {
        rugi_phase outer = rugi_phase_enter(e->ctx, (double)level / RUGI_IFS_LEVELS,
                                            (double)(level + 1) / RUGI_IFS_LEVELS);
        if (rugi_ifs_has_domains(&e->frame, level))
            status = search_level(e, level, &plane, &plane);
        rugi_phase_leave(e->ctx, outer);
    }
    rug_context_release(e->ctx, plane.pixels);
    return status;
}

void rugi_ifs_grid_free(rugi_ifs_encoder *e)
{
    for (unsigned level = 0; level < RUGI_IFS_LEVELS; level++) {
        rug_context_release(e->ctx, e->match_of[level]);
        rug_context_release(e->ctx, e->ranges[level]);
        rug_context_release(e->ctx, e->matches[level]);
    }
}

/* ---- Domains over and near a block ---- */

/* A range under all isometries, and the best domain so far. */
typedef struct trial {
    const rugi_ifs_encoder *e;
    rugi_ifs_work *work;
    unsigned level;
    size_t n;    /* pixels */
    int64_t sum; /* of the range */
    double s_max, best;
    rugi_ifs_candidate *out;
} trial;

/* Domains lie as they are, and the range is mapped the other way. */
static void map_range(trial *t, uint32_t x, uint32_t y)
{
    const rugi_ifs_encoder *e = t->e;
    unsigned side = rugi_ifs_side(t->level);
    int16_t *piece = t->work->piece;
    t->sum = 0;
    for (unsigned row = 0; row < side; row++)
        for (unsigned col = 0; col < side; col++) {
            int16_t v = e->short_pixels[(size_t)(y + row) * e->frame.nx + x + col];
            piece[row * side + col] = v;
            t->sum += v;
        }
    for (unsigned g = 0; g < RUGI_IFS_ISOMETRIES; g++) {
        const uint16_t *place = e->tables->place[t->level][g];
        int16_t *mapped = t->work->ranges + g * t->n;
        for (size_t i = 0; i < t->n; i++)
            mapped[place[i]] = piece[i];
    }
}

static void read_domain(trial *t, uint32_t x, uint32_t y, int64_t *sum, int64_t *norm2)
{
    unsigned side = rugi_ifs_side(t->level);
    size_t stride = t->e->frame.nx / 2;
    int32_t total = 0, squares = 0;
    for (unsigned row = 0; row < side; row++) {
        const int16_t *from = t->e->half_short + (y / 2 + row) * stride + x / 2;
        int16_t *to = t->work->piece + row * side;
        for (unsigned col = 0; col < side; col++) {
            to[col] = from[col];
            total += from[col];
            squares += from[col] * from[col];
        }
    }
    *sum = total;
    *norm2 = (int64_t)t->n * squares - (int64_t)total * total;
}

/* How much of the range's squared deviation goes, up to a factor that all share. */
static double gain_of(double cross, double norm2, double s_max)
{
    if (cross >= s_max * norm2)
        return s_max * (2 * cross - s_max * norm2);
    return cross * cross / norm2;
}

static void try_domain(trial *t, const rugi_ifs_candidate *candidate)
{
    int64_t sum, norm2;
    int32_t products[RUGI_IFS_ISOMETRIES];
    read_domain(t, candidate->x, candidate->y, &sum, &norm2);
    if (norm2 == 0)
        return;
    t->e->tables->kernels.cross(products, t->work->ranges, t->work->piece, t->n);
    int64_t best = 0;
    unsigned symmetry = 0;
    for (unsigned g = 0; g < RUGI_IFS_ISOMETRIES; g++) {
        int64_t cross = llabs((int64_t)t->n * products[g] - t->sum * sum);
        if (cross > best) {
            best = cross;
            symmetry = g;
        }
    }
    double gain = gain_of((double)best, (double)norm2, t->s_max);
    if (gain > t->best) {
        t->best = gain;
        *t->out = *candidate;
        t->out->symmetry = (uint8_t)symmetry;
    }
}

static void try_zone(trial *t, uint32_t x, uint32_t y, rugi_ifs_zone zone, unsigned near)
{
    rugi_ifs_leaf leaf = {.x = x,
                          .y = y,
                          .level = (uint8_t)t->level,
                          .zone = (uint8_t)zone,
                          .near = (uint8_t)near};
    rugi_ifs_place_domain(&t->e->frame, &leaf);
    rugi_ifs_candidate candidate = {(uint8_t)zone, 0, (uint8_t)near, leaf.domain_x,
                                    leaf.domain_y};
    try_domain(t, &candidate);
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
    trial t = {.e = e,
               .work = work,
               .level = level,
               .n = (size_t)side * side,
               .s_max = (double)e->effort.k_max / RUGI_IFS_K_MAX};
    map_range(&t, x, y);
    int n = 0;
    t.out = &out[n];
    try_zone(&t, x, y, RUGI_IFS_OVER, 0);
    n += t.best > 0;
    t.best = 0;
    t.out = &out[n];
    for (unsigned near = 0; near < 64; near++)
        try_zone(&t, x, y, RUGI_IFS_NEAR, near);
    n += t.best > 0;
    return n + grid_candidate(e, x, y, level, &out[n]);
}
