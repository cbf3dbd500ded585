/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Domains of the grid: the exact search, level by level, for the blocks that it may pay
 * for. */

#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "ifs/search_cpu/ifs_search.h"
#include "ifs_encode.h"
#include <string.h>

static const char what[] = "encoder of fractal coding";

/* Blocks whose squared deviation is worth fewer bits are left out: a domain takes about
 * twice as many, its place included. */
#define GRID_BITS 12

static int is_flat(const rugi_ifs_encoder *e, uint32_t x0, uint32_t y0, unsigned level)
{
    unsigned side = rugi_ifs_side(level);
    double sum = 0, squares = 0, n = (double)side * side;
    size_t from = (size_t)y0 * e->plane->nx + x0;
    for (unsigned y = 0; y < side; y++)
        for (unsigned x = 0; x < side; x++) {
            size_t at = from + (size_t)y * e->plane->nx + x;
            double v = rugi_ifs_pixel_at(e->plane, at) - e->plane->min;
            sum += v;
            squares += v * v;
        }
    double least = e->effort.with_all ? 0 : GRID_BITS * e->lambda;
    return squares - sum * sum / n <= least;
}

/* Bytes that ranges take while they are searched for. */
#define BATCH_LEAST ((size_t)1 << 20)
#define BATCH_MOST  ((size_t)1 << 23)

/* The search of a level. */
typedef struct level_search {
    rugi_ifs_encoder *e;
    unsigned level;
    rugi_ifs_place *ranges;
} level_search;

static uint32_t list_ranges(rugi_ifs_encoder *e, unsigned level, rugi_ifs_place *ranges)
{
    uint32_t side = rugi_ifs_side(level), n = 0;
    for (uint32_t y = 0; y < e->frame.ny; y += side)
        for (uint32_t x = 0; x < e->frame.nx; x += side)
            if (!is_flat(e, x, y, level))
                ranges[n++] = (rugi_ifs_place){x, y};
    return n;
}

static void take_matches(void *user, const rugi_ifs_match *matches, size_t first,
                         size_t n)
{
    const level_search *s = user;
    uint32_t side = rugi_ifs_side(s->level);
    for (size_t i = 0; i < n; i++) {
        rugi_ifs_place at = s->ranges[first + i];
        size_t block = (size_t)(at.y / side) * (s->e->frame.nx / side) + at.x / side;
        s->e->grid[s->level][block] = rugi_ifs_grid_domain(&matches[i]);
    }
}

/* Ranges at once: so many that they take about a byte for each pixel of the plane. */
static size_t batch_of(const rugi_ifs_frame *frame, size_t side)
{
    size_t bytes = (size_t)frame->nx * frame->ny;
    bytes = bytes < BATCH_LEAST ? BATCH_LEAST : bytes > BATCH_MOST ? BATCH_MOST : bytes;
    return bytes / rugi_ifs_range_bytes(side);
}

static rug_status search_ranges(level_search *s, size_t n, const rugi_ifs_plane *plane)
{
    const rugi_ifs_encoder *e = s->e;
    size_t batch = batch_of(&e->frame, rugi_ifs_side(s->level));
    rugi_ifs_search_job job = {.image = plane,
                               .source = plane,
                               .size = rugi_ifs_side(s->level),
                               .step = e->frame.step,
                               .s_max = (double)e->effort.k_max / RUGI_IFS_K_MAX,
                               .ranges = s->ranges,
                               .n_ranges = n,
                               .batch = batch,
                               .take = take_matches,
                               .user = s};
    job.matches =
        rug_context_allocate(e->ctx, rugi_smaller(n, batch), sizeof *job.matches, what);
    rug_status status = job.matches != NULL ? rugi_ifs_search(e->ctx, &job) : RUG_E_NOMEM;
    rug_context_release(e->ctx, job.matches);
    return status;
}

static rug_status search_level(rugi_ifs_encoder *e, unsigned level,
                               const rugi_ifs_plane *plane)
{
    size_t side = rugi_ifs_side(level);
    size_t n = (size_t)(e->frame.nx / side) * (e->frame.ny / side);
    level_search s = {.e = e, .level = level};
    e->grid[level] = rug_context_allocate(e->ctx, n, sizeof **e->grid, what);
    s.ranges = rug_context_allocate(e->ctx, n, sizeof *s.ranges, what);
    rug_status status = e->grid[level] != NULL && s.ranges != NULL ? RUG_OK : RUG_E_NOMEM;
    if (status == RUG_OK) {
        memset(e->grid[level], 0, n * sizeof **e->grid);
        n = list_ranges(e, level, s.ranges);
        if (n > 0)
            status = search_ranges(&s, n, plane);
    }
    rug_context_release(e->ctx, s.ranges);
    return status;
}

/* Pixels of more than 16 bits as the search takes them: from 0 on, in 16 bits. */
static void fill_plane(const rugi_ifs_encoder *e, const rugi_ifs_plane *plane)
{
    int64_t range = (int64_t)e->plane->max - e->plane->min;
    unsigned shift = 0;
    while (range >> shift > UINT16_MAX)
        shift++;
    for (size_t i = 0; i < plane->nx * plane->ny; i++)
        plane->pixels[i] = (uint16_t)((e->plane->wide[i] - e->plane->min) >> shift);
}

/* A constant that all pixels share changes no match, so narrow ones are searched as they
 * are. */
rug_status rugi_ifs_search_grid(rugi_ifs_encoder *e)
{
    rugi_ifs_plane plane = {e->plane->narrow, e->frame.nx, e->frame.ny};
    if (plane.pixels == NULL) {
        plane.pixels =
            rug_context_allocate(e->ctx, plane.nx * plane.ny, sizeof *plane.pixels, what);
        if (plane.pixels == NULL)
            return RUG_E_NOMEM;
        fill_plane(e, &plane);
    }
    rug_status status = RUG_OK;
    for (unsigned level = 0; level < RUGI_IFS_LEVELS && status == RUG_OK; level++) {
        if (rugi_ifs_has_domains(&e->frame, level))
            RUGI_PHASE(e->ctx, (double)level / RUGI_IFS_LEVELS,
                       (double)(level + 1) / RUGI_IFS_LEVELS, status,
                       search_level(e, level, &plane));
    }
    if (plane.pixels != e->plane->narrow)
        rug_context_release(e->ctx, plane.pixels);
    return status;
}
