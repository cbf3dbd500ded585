/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Chroma from luma along a line: mean + slope (luma - its mean), with means along the edges of the
 * cell. The slope is coded (Trudeau et al. 2018), or that of the least squares along the edges
 * (Zhang et al. 2018). */

#include "ifs/stream/ifs_pixel.h"
#include "ifs_cell_predict.h"

/* Slopes are in 1/256 of a chroma sample for one of luma. */
#define SLOPE_BITS 8
#define SLOPE_MOST 512

/* What is added to the variance of luma along edges, so that noise has no slope: that of 64. */
#define NOISE (64 * 64)

/* Sums over the edges of a cell. Of halved planes a value of luma is the sum of 2 x 2. */
typedef struct edge_sums {
    int64_t n, chroma, luma, both, square;
} edge_sums;

static int32_t luma_at(const rugi_ifs_source *s, size_t y, size_t x)
{
    const int16_t *at = s->from + (y * s->pitch + x) * (1 + s->halved);
    return s->halved ? at[0] + at[1] + at[s->pitch] + at[s->pitch + 1] : at[0];
}

/* Adds n samples of an edge.
 *  @param s  of luma where the edge begins
 *  @param is_left  it goes down, else to the right
 *  @param corner  of the edges of chroma */
static void add_edge(edge_sums *sums, const rugi_ifs_source *s, int is_left,
                     const int16_t *corner, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        int64_t luma = is_left ? luma_at(s, i, 0) : luma_at(s, 0, i);
        int64_t chroma = corner[is_left ? -(ptrdiff_t)i - 1 : (ptrdiff_t)i + 1];
        sums->chroma += chroma;
        sums->luma += luma;
        sums->both += chroma * luma;
        sums->square += luma * luma;
    }
    sums->n += n;
}

static edge_sums sum_edges(const rugi_ifs_source *s, const rugi_ifs_cell *cell,
                           const int16_t *corner, uint32_t n)
{
    edge_sums sums = {0};
    rugi_ifs_source edge = *s;
    if (cell->x > 0) {
        edge.from = s->from - 1 - s->halved;
        add_edge(&sums, &edge, 1, corner, n);
    }
    if (cell->y > 0) {
        edge.from = s->from - (s->pitch << s->halved);
        add_edge(&sums, &edge, 0, corner, n);
    }
    return sums;
}

/* a / b rounded to the nearest, halves up. */
static int64_t divide(int64_t a, int64_t b)
{
    return rugi_ifs_floor_div(2 * a + b, 2 * b);
}

/* Of values of luma whose unit is 2^-unit. */
static int32_t fit_slope(const edge_sums *e, unsigned unit)
{
    int64_t cross = e->n * e->both - e->chroma * e->luma;
    int64_t square = e->n * (e->square + (e->n * NOISE << 2 * unit)) - e->luma * e->luma;
    int64_t slope =
        e->n > 0 ? divide(cross * ((int64_t)1 << (SLOPE_BITS + unit)), square) : 0;
    return (int32_t)(slope < -SLOPE_MOST  ? -SLOPE_MOST
                     : slope > SLOPE_MOST ? SLOPE_MOST
                                          : slope);
}

static int32_t mean_luma(const rugi_ifs_source *s, uint32_t n)
{
    int64_t sum = 0;
    for (uint32_t y = 0; y < n; y++)
        for (uint32_t x = 0; x < n; x++)
            sum += luma_at(s, y, x);
    return (int32_t)divide(sum, (int64_t)n * n);
}

void rugi_ifs_predict_luma(int16_t *out, const rugi_ifs_cell_tools *tools,
                           const rugi_ifs_cell_plane *plane, const rugi_ifs_edges *edges,
                           const rugi_ifs_cell *cell)
{
    uint32_t n = rugi_ifs_side(cell->level) << tools->octave;
    rugi_ifs_source s = {plane->luma, plane->luma_pitch, plane->frame.halved};
    unsigned unit = 2 * s.halved, shift = SLOPE_BITS + unit, octave = tools->octave;
    s.from += (((size_t)cell->y << s.halved) << octave) * s.pitch +
              (((size_t)cell->x << s.halved) << octave);
    edge_sums sums = sum_edges(&s, cell, edges->samples + 2 * n, n);
    int32_t slope =
        cell->k == 0 ? fit_slope(&sums, unit) : cell->k * (1 << (SLOPE_BITS - 3));
    int32_t mean = edges->mean, middle;
    if (sums.n > 0) {
        mean = (int32_t)divide(sums.chroma, sums.n);
        middle = (int32_t)divide(sums.luma, sums.n);
    } else
        middle = mean_luma(&s, n);
    const rugi_ifs_line line = {mean, middle, slope, shift};
    tools->kernels.follow(out, &s, n, &line);
}
