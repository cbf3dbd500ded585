/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Sums over boxes, row by row. The mass of a box is a difference of sums over all pixels above
 * and to the left of its corners (Crow 1984). */

#include "lacunarity_strip.h"
#include <string.h>

static size_t round_up(size_t n)
{
    return (n + RUGI_LACUNARITY_PAD - 1) / RUGI_LACUNARITY_PAD * RUGI_LACUNARITY_PAD;
}

static size_t tracks_bytes(size_t n_lanes)
{
    return round_up(n_lanes * sizeof(rugi_lacunarity_track));
}

size_t rugi_lacunarity_strip_bytes(const rugi_lacunarity_plan *plan, size_t first_lane,
                                   size_t n_lanes)
{
    size_t nx = plan->plane->n[2], n = tracks_bytes(n_lanes);
    size_t copies = plan->plane->inside.data != NULL ? 2 : 1;
    for (unsigned t = 1; t < RUGI_LACUNARITY_TYPES; t++)
        n += plan->ring_rows[t] * rugi_lacunarity_row_bytes(nx, t);
    for (size_t k = first_lane; k < first_lane + n_lanes; k++)
        if (!plan->lanes[k].is_ring)
            n += copies * rugi_lacunarity_row_bytes(nx, plan->lanes[k].type);
    return n;
}

/* Gives out a row of sums: numbers begin behind the first pad. */
static char *take(char **memory, size_t n_rows, size_t row_bytes)
{
    char *row = *memory + RUGI_LACUNARITY_PAD;
    *memory += n_rows * row_bytes;
    return row;
}

void rugi_lacunarity_strip_init(rugi_lacunarity_strip *s,
                                const rugi_lacunarity_plan *plan,
                                const rugi_lacunarity_kernels *kernels, size_t first_lane,
                                size_t n_lanes, char *memory)
{
    memset(s, 0, sizeof *s);
    s->kernels = kernels;
    s->is_fixed = plan->is_fixed;
    s->nx = plan->plane->n[2];
    s->n_tracks = n_lanes;
    s->tracks = (rugi_lacunarity_track *)(void *)memory;
    memory += tracks_bytes(n_lanes);
    for (unsigned t = 1; t < RUGI_LACUNARITY_TYPES; t++) {
        s->ring_rows[t] = plan->ring_rows[t];
        s->ring[t] = take(&memory, s->ring_rows[t], rugi_lacunarity_row_bytes(s->nx, t));
    }
    for (size_t k = 0; k < n_lanes; k++) {
        const rugi_lacunarity_lane *lane = &plan->lanes[first_lane + k];
        rugi_lacunarity_track *track = &s->tracks[k];
        size_t n = rugi_lacunarity_row_bytes(s->nx, lane->type);
        *track = (rugi_lacunarity_track){.lane = lane};
        if (!lane->is_ring)
            track->masses = take(&memory, 1, n);
        if (plan->plane->inside.data != NULL)
            track->inside = take(&memory, 1, n);
    }
}

static size_t begin_of(size_t first, size_t e)
{
    return first >= e - 1 ? first - (e - 1) : 0;
}

static void clear(char *row, size_t n_rows, size_t row_bytes)
{
    if (row != NULL)
        memset(row - RUGI_LACUNARITY_PAD, 0, n_rows * row_bytes);
}

void rugi_lacunarity_strip_begin(rugi_lacunarity_strip *s, rugi_lacunarity_rows masses,
                                 rugi_lacunarity_rows inside, size_t first, size_t end)
{
    s->masses = masses;
    s->inside = inside;
    s->first = s->y = first;
    s->end = end;
    for (unsigned t = 1; t < RUGI_LACUNARITY_TYPES; t++) {
        if (s->ring_rows[t] == 0)
            continue;
        s->ring_begin[t] = begin_of(first, s->ring_rows[t] - 1);
        s->y = s->ring_begin[t] < s->y ? s->ring_begin[t] : s->y;
        clear(s->ring[t], s->ring_rows[t], rugi_lacunarity_row_bytes(s->nx, t));
    }
    for (size_t k = 0; k < s->n_tracks; k++) {
        rugi_lacunarity_track *track = &s->tracks[k];
        track->begin = begin_of(first, track->lane->e[1]);
        s->y = track->begin < s->y ? track->begin : s->y;
        size_t n = rugi_lacunarity_row_bytes(s->nx, track->lane->type);
        clear(track->masses, 1, n);
        clear(track->inside, 1, n);
    }
}

static const char *row_of(const rugi_lacunarity_rows *rows, size_t y)
{
    return rows->data + y * rows->row_bytes;
}

/* The sums over all rows up to y from where the ring began; y + 1 = 0: none. */
static char *ring_row(const rugi_lacunarity_strip *s, unsigned type, size_t y)
{
    size_t i = (y + 1) % s->ring_rows[type];
    return s->ring[type] + i * rugi_lacunarity_row_bytes(s->nx, type);
}

static void add_to_rings(rugi_lacunarity_strip *s)
{
    for (unsigned t = 1; t < RUGI_LACUNARITY_TYPES; t++)
        if (s->ring_rows[t] > 0 && s->y >= s->ring_begin[t])
            s->kernels->accumulate[s->masses.type][t](
                ring_row(s, t, s->y), ring_row(s, t, s->y - 1), row_of(&s->masses, s->y),
                NULL, s->nx);
}

static rugi_lacunarity_row sums_of(const rugi_lacunarity_strip *s,
                                   const rugi_lacunarity_lane *lane, const void *now,
                                   const void *before)
{
    return (rugi_lacunarity_row){now, before, s->nx, lane->e[2], lane->most};
}

/* Moves sums over the rows of boxes on by a row. */
static void slide_along(const rugi_lacunarity_strip *s,
                        const rugi_lacunarity_track *track,
                        const rugi_lacunarity_rows *rows, char *sums)
{
    size_t e = track->lane->e[1];
    const void *old = s->y - track->begin >= e ? row_of(rows, s->y - e) : NULL;
    s->kernels->accumulate[rows->type][track->lane->type](sums, sums, row_of(rows, s->y),
                                                          old, s->nx);
}

static void add_gliding(rugi_lacunarity_strip *s, rugi_lacunarity_track *track)
{
    const rugi_lacunarity_lane *lane = track->lane;
    int counts = s->y >= s->first && s->y + 1 >= lane->e[1];
    if (!lane->is_ring)
        slide_along(s, track, &s->masses, track->masses);
    if (track->inside != NULL)
        slide_along(s, track, &s->inside, track->inside);
    if (!counts)
        return;
    rugi_lacunarity_row row = sums_of(s, lane, track->masses, NULL);
    if (lane->is_ring)
        row = sums_of(s, lane, ring_row(s, lane->type, s->y),
                      ring_row(s, lane->type, s->y - lane->e[1]));
    if (track->inside == NULL) {
        s->kernels->sum[lane->type](&row, &track->sums);
    } else {
        rugi_lacunarity_row count = sums_of(s, lane, track->inside, NULL);
        s->kernels->sum_full[lane->type](&row, &count, lane->full, &track->sums);
    }
}

static void add_column(const rugi_lacunarity_strip *s, const rugi_lacunarity_lane *lane,
                       const rugi_lacunarity_rows *rows, char *column)
{
    if (s->y % lane->e[1] == 0)
        memset(column, 0, s->nx << lane->type);
    s->kernels->slide[rows->type][lane->type](column, row_of(rows, s->y), NULL, s->nx);
}

static void add_fixed(rugi_lacunarity_strip *s, rugi_lacunarity_track *track)
{
    const rugi_lacunarity_lane *lane = track->lane;
    add_column(s, lane, &s->masses, track->masses);
    if (track->inside != NULL)
        add_column(s, lane, &s->inside, track->inside);
    if ((s->y + 1) % lane->e[1] == 0 && s->y >= s->first)
        s->kernels->fixed[lane->type](track->masses, track->inside, s->nx, lane->e[2],
                                      lane->full, &track->sums);
}

void rugi_lacunarity_strip_advance(rugi_lacunarity_strip *s, size_t n)
{
    for (; n > 0 && s->y < s->end; n--, s->y++) {
        add_to_rings(s);
        for (size_t k = 0; k < s->n_tracks; k++)
            if (s->y >= s->tracks[k].begin) {
                if (s->is_fixed)
                    add_fixed(s, &s->tracks[k]);
                else
                    add_gliding(s, &s->tracks[k]);
            }
    }
}
