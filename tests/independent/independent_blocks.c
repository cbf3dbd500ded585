/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* FORMAT.md, section 5: planes of blocks of one size. */

#include "independent.h"
#include <stdlib.h>

typedef struct range {
    ind_square square; /* at the coded size; may lie across the right and lower edges */
    int64_t mean;
} range;

typedef struct blocks {
    range *ranges;
    int64_t n;
    int64_t nx, ny; /* padded */
    int grids;      /* how many ranges cover a pixel */
    int depth;
} blocks;

typedef struct reader {
    ind_coder coder;
    ind_context has_domain[2], sign[1], scale[64];
    const ind_head *head;
    int depth;
    bool before; /* whether the range before has a domain */
} reader;

/* A domain's place along one axis. */
static int64_t read_place(reader *r, int64_t n, int64_t side)
{
    int64_t most = r->head->wraps ? n - 1 : n - 2 * side;
    return r->head->step * ind_uniform(&r->coder, most / r->head->step + 1);
}

static range read_range(reader *r, int64_t y, int64_t x)
{
    int64_t side = r->head->range_side, nx = r->head->padded_nx, ny = r->head->padded_ny;
    range out = {{.x = x, .y = y, .side = side}, 0};
    ind_square *s = &out.square;
    if (2 * side <= nx && 2 * side <= ny)
        s->has_domain = ind_bit(&r->coder, &r->has_domain[r->before]);
    r->before = s->has_domain;
    if (s->has_domain) {
        s->domain_x = read_place(r, nx, side);
        s->domain_y = read_place(r, ny, side);
        s->symmetry = (int)ind_raw(&r->coder, 3);
        int sign = ind_bit(&r->coder, &r->sign[0]);
        s->k = 1 + ind_tree(&r->coder, r->scale, 6);
        if (sign)
            s->k = -s->k;
    }
    out.mean = 16 * ind_uniform(&r->coder, 4 * (((int64_t)1 << r->depth) - 1) + 1);
    return out;
}

static const char *read_ranges(blocks *out, const ind_head *head, int plane)
{
    const ind_plane_head *p = &head->planes[plane];
    int64_t side = head->range_side;
    *out = (blocks){.nx = head->padded_nx, .ny = head->padded_ny, .depth = p->depth};
    out->grids = head->partition == IND_OVERLAP ? 4 : 1;
    out->ranges = ind_alloc((size_t)(out->nx / side * (out->ny / side) * out->grids),
                            sizeof *out->ranges);
    reader r = {.head = head, .depth = p->depth};
    ind_begin(&r.coder, p->payload, p->size);
    ind_begin_contexts(r.has_domain, sizeof r.has_domain);
    ind_begin_contexts(r.sign, sizeof r.sign);
    ind_begin_contexts(r.scale, sizeof r.scale);
    for (int grid = 0; grid < out->grids; grid++) {
        int64_t right = grid % 2 * side / 2, down = grid / 2 * side / 2;
        for (int64_t y = 0; y < out->ny; y += side)
            for (int64_t x = 0; x < out->nx && !r.coder.damaged; x += side)
                out->ranges[out->n++] = read_range(&r, y + down, x + right);
    }
    return r.coder.damaged;
}

/* A plane of all ranges, 2^octave times as large as coded: of their means alone, or with what they
 * take from `from`, which is as large (an iteration) or half as large (an octave). */
static ind_plane transform(const blocks *b, const ind_plane *from, int octave)
{
    ind_plane to = ind_new_plane(b->nx << octave, b->ny << octave);
    for (int64_t i = 0; i < b->n; i++) {
        ind_square s = b->ranges[i].square;
        s.x <<= octave;
        s.y <<= octave;
        s.side <<= octave;
        s.domain_x = (s.domain_x << octave) / (octave ? 2 : 1);
        s.domain_y = (s.domain_y << octave) / (octave ? 2 : 1);
        int64_t *change = ind_alloc((size_t)(s.side * s.side), sizeof *change);
        if (from)
            ind_changes(change, from, &s, octave == 0, octave ? 6 : 8);
        for (int64_t y = 0; y < s.side; y++)
            for (int64_t x = 0; x < s.side; x++)
                *ind_at(&to, (s.y + y) % to.ny, (s.x + x) % to.nx) +=
                    ind_clamp(b->ranges[i].mean + change[y * s.side + x], b->depth);
        free(change);
    }
    for (int64_t i = 0; b->grids == 4 && i < to.nx * to.ny; i++)
        to.v[i] = ind_round(to.v[i], 2);
    return to;
}

const char *ind_decode_blocks(ind_plane *out, const ind_head *head, int plane, int octave)
{
    blocks b;
    const char *damaged = read_ranges(&b, head, plane);
    if (!damaged) {
        ind_plane v = transform(&b, NULL, 0);
        for (int i = 0; i < head->iterations + octave; i++) {
            ind_plane next =
                transform(&b, &v, i < head->iterations ? 0 : i + 1 - head->iterations);
            free(v.v);
            v = next;
        }
        *out = v;
    }
    free(b.ranges);
    return damaged;
}
