/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Blocks that parts cut: their pixels are kept until all have come, and then go the way of
 * whole blocks. */

#include "core/image/image_internal.h"
#include "masses_state.h"
#include <string.h>

/* What the rim is made with. */
typedef struct rim {
    rug_context *ctx;
    rug_masses *masses;
    rugi_masses_kernels kernels;
    char *memory; /* of a tile, behind it the scratch of a row */
    size_t scratch;
} rim;

static size_t block_pixels(const rugi_masses_plan *p)
{
    return (size_t)1 << (p->block_bits[0] + p->block_bits[1] + p->block_bits[2]);
}

static rug_status begin(rug_context *ctx, rim *r, rug_masses *m)
{
    *r = (rim){.ctx = ctx, .masses = m};
    size_t block = (size_t)1 << m->plan.block_level, n_blocks;
    r->kernels = rugi_masses_kernels_choose(RUG_CPU_REF, RUGI_MASSES_WIDE);
    r->scratch = rugi_masses_tile_bytes(&m->plan, &r->kernels, block);
    r->memory =
        rug_context_allocate(ctx, 1, r->scratch + RUGI_MASSES_SCRATCH, "rows of masses");
    n_blocks = rugi_masses_blocks(&m->plan);
    if (r->memory != NULL && m->open == NULL) {
        m->open = rug_context_allocate(ctx, n_blocks, sizeof *m->open, "open blocks");
        if (m->open != NULL)
            memset(m->open, 0, n_blocks * sizeof *m->open);
    }
    if (r->memory == NULL || m->open == NULL)
        return RUG_E_NOMEM;
    return rugi_masses_tables(ctx, m);
}

static size_t index_of(const rugi_masses_plan *p, const size_t block[3])
{
    return (block[0] * p->n_blocks[1] + block[1]) * p->n_blocks[2] + block[2];
}

/* The pixels of a block that the image has. */
static rugi_box box_of(const rugi_masses_plan *p, const size_t block[3])
{
    rugi_box box;
    for (int a = 0; a < 3; a++) {
        box.first[a] = block[a] << p->block_bits[a];
        box.end[a] = box.first[a] + ((size_t)1 << p->block_bits[a]);
        if (box.end[a] > p->shape[a] || box.end[a] < box.first[a])
            box.end[a] = p->shape[a];
    }
    return box;
}

static rug_status open_block(rug_context *ctx, rug_masses *m, size_t index)
{
    size_t n = sizeof(rugi_open_block) + block_pixels(&m->plan) * sizeof(uint64_t);
    if (m->open[index] != NULL)
        return RUG_OK;
    m->open[index] = rug_context_allocate(ctx, 1, n, "open block");
    if (m->open[index] == NULL)
        return RUG_E_NOMEM;
    memset(m->open[index], 0, n);
    return RUG_OK;
}

/* Counts the boxes of a block that has come whole. */
static rug_status close_block(rim *r, size_t index)
{
    rug_masses *m = r->masses;
    const rugi_masses_plan *p = &m->plan;
    size_t n = (size_t)1 << p->block_level;
    for (unsigned level = 0; level < p->block_level; level++)
        if (rugi_masses_has_list(p, level)) {
            rug_status status = rugi_mass_list_reserve(
                r->ctx, &m->lists[level], block_pixels(p) >> (unsigned)p->n_axes * level);
            if (status != RUG_OK)
                return status;
        }
    if (m->n_tabled + block_pixels(p) > UINT32_MAX)
        rugi_masses_drain(m);
    m->n_tabled += block_pixels(p);
    rugi_masses_sink sink = {m->tables, m->lists};
    rugi_masses_tile tile;
    rugi_masses_tile_begin(&tile, p, &r->kernels, r->memory, n, sink, m->blocks + index);
    for (size_t k = 0; k < rugi_masses_tile_rows(p); k++) {
        size_t z, y;
        rugi_masses_tile_row(p, k, &z, &y);
        rugi_masses_tile_add(&tile,
                             m->open[index]->pixels +
                                 (((z << p->block_bits[1]) + y) << p->block_bits[2]));
    }
    rug_context_release(r->ctx, m->open[index]);
    m->open[index] = NULL;
    return RUG_OK;
}

static rug_status close_if_whole(rim *r, const size_t block[3])
{
    size_t index = index_of(&r->masses->plan, block);
    rugi_box box = box_of(&r->masses->plan, block);
    return r->masses->open[index]->n_come == rugi_box_pixels(&box) ? close_block(r, index)
                                                                   : RUG_OK;
}

/* Takes the pixels of a part that lie in a block. */
static rug_status fill_block(rim *r, const rugi_masses_part *part, const size_t block[3])
{
    rug_masses *m = r->masses;
    const rugi_masses_plan *p = &m->plan;
    rugi_box pixels, whole = box_of(p, block);
    size_t index = index_of(p, block);
    if (!rugi_box_intersect(&pixels, &whole, &part->place))
        return RUG_OK;
    rug_status status = open_block(r->ctx, m, index);
    if (status != RUG_OK)
        return status;
    size_t n = pixels.end[2] - pixels.first[2];
    for (size_t z = pixels.first[0]; z < pixels.end[0]; z++)
        for (size_t y = pixels.first[1]; y < pixels.end[1]; y++) {
            size_t at[3] = {z, y, pixels.first[2]};
            size_t row = ((z - whole.first[0]) << p->block_bits[1]) + y - whole.first[1];
            rugi_masses_row(&m->mass, RUGI_MASSES_WIDE, part, at, n, n,
                            m->open[index]->pixels + (row << p->block_bits[2]) +
                                pixels.first[2] - whole.first[2],
                            r->memory + r->scratch);
        }
    m->open[index]->n_come += rugi_box_pixels(&pixels);
    return close_if_whole(r, block);
}

static int contains(const rugi_box *box, const size_t at[3])
{
    for (int a = 0; a < 3; a++)
        if (at[a] < box->first[a] || at[a] >= box->end[a])
            return 0;
    return 1;
}

rug_status rugi_masses_add_rim(rug_context *ctx, rug_masses *masses,
                               const rugi_masses_part *part, const rugi_box *whole)
{
    const rugi_masses_plan *p = &masses->plan;
    size_t first[3], last[3], at[3];
    rim r;
    rug_status status = begin(ctx, &r, masses);
    for (int a = 0; a < 3; a++) {
        first[a] = part->place.first[a] >> p->block_bits[a];
        last[a] = (part->place.end[a] - 1) >> p->block_bits[a];
    }
    for (at[0] = first[0]; at[0] <= last[0] && status == RUG_OK; at[0]++)
        for (at[1] = first[1]; at[1] <= last[1] && status == RUG_OK; at[1]++)
            for (at[2] = first[2]; at[2] <= last[2] && status == RUG_OK; at[2]++) {
                if (contains(whole, at))
                    at[2] = whole->end[2] - 1; /* none up to there */
                else
                    status = fill_block(&r, part, at);
            }
    rug_context_release(ctx, r.memory);
    return status == RUG_OK ? rug_context_step(ctx, 1) : status;
}

static rug_status merge_block(rim *r, const rugi_open_block *theirs,
                              const size_t block[3])
{
    rug_masses *m = r->masses;
    size_t index = index_of(&m->plan, block);
    rug_status status = open_block(r->ctx, m, index);
    if (status != RUG_OK)
        return status;
    for (size_t i = 0; i < block_pixels(&m->plan); i++)
        m->open[index]->pixels[i] += theirs->pixels[i];
    m->open[index]->n_come += theirs->n_come;
    return close_if_whole(r, block);
}

rug_status rugi_masses_merge_rim(rug_context *ctx, rug_masses *masses,
                                 const rug_masses *other)
{
    const size_t *n = masses->plan.n_blocks;
    size_t at[3], index = 0;
    rim r;
    if (other->open == NULL)
        return RUG_OK;
    rug_status status = begin(ctx, &r, masses);
    for (at[0] = 0; at[0] < n[0] && status == RUG_OK; at[0]++)
        for (at[1] = 0; at[1] < n[1] && status == RUG_OK; at[1]++)
            for (at[2] = 0; at[2] < n[2] && status == RUG_OK; at[2]++, index++)
                if (other->open[index] != NULL)
                    status = merge_block(&r, other->open[index], at);
    rug_context_release(ctx, r.memory);
    return status;
}
