/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Domains of the grid: the exact search, level by level, for the blocks that it may pay
 * for. */

#include "core/context/context_internal.h"
#include "ifs/encode/ifs_encode.h"

/* Blocks whose squared deviation is worth fewer bits are left out: a domain takes about
 * twice as many, its place included. */
#define GRID_BITS 12

static const char what[] = "search for domains";

static int is_flat(const rugi_ifs_encoder *e, uint32_t x0, uint32_t y0, unsigned level)
{
    unsigned side = rugi_ifs_side(level);
    double sum = 0, squares = 0, n = (double)side * side;
    const int32_t *from = e->image->pixels + (size_t)y0 * e->image->nx + x0;
    for (unsigned y = 0; y < side; y++)
        for (unsigned x = 0; x < side; x++) {
            double v = from[(size_t)y * e->image->nx + x] - e->image->min;
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
    int64_t range = (int64_t)e->image->max - e->image->min;
    unsigned shift = 0;
    while (range >> shift > UINT16_MAX)
        shift++;
    for (size_t i = 0; i < plane->nx * plane->ny; i++)
        plane->pixels[i] = (uint16_t)((e->image->pixels[i] - e->image->min) >> shift);
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
