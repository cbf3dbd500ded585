/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The boxes of every size by mass: the fine levels from tables and lists, those above
 * from the masses of blocks; and what is known about them. */

#include "masses_state.h"
#include "core/points/point_cells.h"
#include <string.h>

/* ---- Tables ---- */

/* Entry b * size + a is one of the 4 tables, or counts a pair of pixels a, b; odd pixels
 * are counted as pairs with 0, which is no mass. */
static void add_table(uint64_t *counts, const rugi_masses_table *t,
                      const uint32_t *entries)
{
    size_t n_rows = rugi_masses_entries(t) / t->size;
    for (size_t b = 0; b < n_rows; b++, entries += t->size)
        for (size_t a = 0; a < t->size; a++) {
            counts[a] += entries[a];
            if (t->is_paired)
                counts[b] += entries[a];
        }
}

void rugi_masses_add_tables(rug_masses *m, const rug_masses *other)
{
    for (unsigned level = 0; level < RUGI_MASSES_FINE; level++) {
        const rugi_masses_table *t = &m->plan.tables[level];
        for (size_t k = 0; t->size > 0 && k < other->n_tables; k++)
            add_table(m->counts + t->counts_at, t,
                      other->tables + k * m->plan.n_entries + t->at);
    }
}

void rugi_masses_drain(rug_masses *m)
{
    rugi_masses_add_tables(m, m);
    if (m->n_tables > 0)
        memset(m->tables, 0, m->n_tables * m->plan.n_entries * sizeof *m->tables);
    m->n_tabled = 0;
}

/* ---- Levels ---- */

static rug_status level_of_table(rug_context *ctx, rugi_mass_level *out,
                                 const rugi_masses_table *t, const uint64_t *counts)
{
    size_t n = 0;
    for (size_t mass = 1; mass < t->size; mass++)
        n += counts[t->counts_at + mass] > 0;
    out->own = rug_context_allocate(ctx, n, sizeof *out->own, "masses of boxes");
    if (out->own == NULL)
        return RUG_E_NOMEM;
    out->boxes = out->own;
    for (size_t mass = 1; mass < t->size; mass++) {
        uint64_t boxes = counts[t->counts_at + mass];
        if (boxes > 0)
            out->own[out->n++] = (rug_mass_boxes){mass, boxes};
    }
    return RUG_OK;
}

/* Two or four rows of boxes that make one of twice the size; a row behind the last one is
 * left out. */
static void halve_row(uint64_t *out, const uint64_t *const *rows, size_t n_rows, size_t n)
{
    memset(out, 0, (n + 1) / 2 * sizeof *out);
    for (size_t r = 0; r < n_rows; r++) {
        for (size_t x = 0; x + 1 < n; x += 2)
            out[x / 2] += rows[r][x] + rows[r][x + 1];
        if (n % 2 > 0)
            out[n / 2] += rows[r][n - 1];
    }
}

/* Boxes of twice the size. */
static void halve(uint64_t *out, const uint64_t *masses, size_t n[3], int n_axes)
{
    size_t deep = n_axes == 3 ? 2 : 1;
    size_t half[3] = {(n[0] + deep - 1) / deep, (n[1] + 1) / 2, (n[2] + 1) / 2};
    for (size_t i = 0; i < half[0] * half[1]; i++, out += half[2]) {
        const uint64_t *rows[4];
        size_t n_rows = 0;
        for (size_t k = 0; k < 2 * deep; k++) {
            size_t z = i / half[1] * deep + k / 2, y = i % half[1] * 2 + k % 2;
            if (z < n[0] && y < n[1])
                rows[n_rows++] = masses + (z * n[1] + y) * n[2];
        }
        halve_row(out, rows, n_rows, n[2]);
    }
    memcpy(n, half, sizeof half);
}

/* The levels from that of a block on. */
static rug_status coarse_levels(rug_context *ctx, rug_masses *m)
{
    size_t n[3], n_blocks = rugi_partial_blocks_n(&m->partial);
    memcpy(n, m->plan.n_blocks, sizeof n);
    uint64_t *memory = rug_context_allocate(ctx, 2 * n_blocks, sizeof *memory, "boxes");
    if (memory == NULL)
        return RUG_E_NOMEM;
    uint64_t *masses = memory, *next = memory + n_blocks;
    memcpy(masses, m->blocks, n_blocks * sizeof *masses);
    rug_status status = RUG_OK;
    for (uint32_t level = m->plan.block_level;
         level < m->plan.n_levels && status == RUG_OK; level++) {
        rugi_mass_level *out = &m->levels[level];
        size_t n_all = n[0] * n[1] * n[2];
        halve(next, masses, n, m->plan.n_axes);
        status = rugi_mass_list_of(ctx, &out->own, &out->n, masses, n_all);
        out->boxes = out->own;
        uint64_t *done = masses;
        masses = next;
        next = done;
    }
    rug_context_release(ctx, memory);
    return status;
}

static rug_status fine_levels(rug_context *ctx, rug_masses *m)
{
    const rugi_masses_plan *p = &m->plan;
    rug_status status = RUG_OK;
    rugi_masses_drain(m);
    for (unsigned level = 0; level < p->block_level && level < p->n_levels; level++) {
        rugi_mass_level *out = &m->levels[level];
        if (p->tables[level].size > 0) {
            status = level_of_table(ctx, out, &p->tables[level], m->counts);
        } else {
            status = rugi_mass_list_sort(ctx, &m->lists[level]);
            out->boxes = m->lists[level].boxes;
            out->n = m->lists[level].n;
        }
        if (status != RUG_OK)
            return status;
    }
    return RUG_OK;
}

/* Frees the levels, which are out of date once masses were added. */
static void forget_levels(rug_masses *m)
{
    for (unsigned level = 0; level < RUGI_MASSES_LEVELS; level++) {
        rug_context_release(m->ctx, m->levels[level].own);
        m->levels[level] = (rugi_mass_level){0};
    }
}

static rug_status make_levels(rug_context *ctx, rug_masses *m)
{
    forget_levels(m);
    rug_status status = fine_levels(ctx, m);
    if (status == RUG_OK)
        status = coarse_levels(ctx, m);
    if (status == RUG_OK && m->inside != NULL)
        status = make_levels(ctx, m->inside);
    if (status == RUG_OK)
        m->is_finished = 1;
    else
        forget_levels(m);
    return status;
}

rug_status rugi_masses_finish(rug_context *ctx, rug_masses *m)
{
    if (m->is_finished)
        return RUG_OK;
    rug_status status = rugi_cover_check_whole(ctx, &m->cover, m->plan.shape, "masses");
    return status == RUG_OK ? make_levels(ctx, m) : status;
}

const rug_mass_boxes *rug_masses_boxes(rug_context *ctx, rug_masses *masses,
                                       uint32_t level, size_t *n)
{
    if (n != NULL)
        *n = 0;
    if (ctx == NULL || masses == NULL || n == NULL) {
        rug_context_fail(ctx, RUG_E_ARG, "rug_masses_boxes: NULL given");
        return NULL;
    }
    if (rugi_masses_finish(ctx, masses) != RUG_OK || level >= masses->plan.n_levels)
        return NULL;
    *n = masses->levels[level].n;
    return *n > 0 ? masses->levels[level].boxes : NULL;
}

/* ---- Facts ---- */

/* Pixels with a mass in a table. */
static uint64_t count_set_of_table(const rugi_masses_table *t, const uint32_t *entries)
{
    uint64_t n = 0;
    size_t n_rows = rugi_masses_entries(t) / t->size;
    for (size_t b = 0; b < n_rows; b++, entries += t->size)
        for (size_t a = 0; a < t->size; a++)
            n += entries[a] * (uint64_t)((a > 0) + (t->is_paired && b > 0));
    return n;
}

/* Pixels with a mass among those that have come. */
static uint64_t count_set(const rug_masses *m)
{
    const rugi_masses_table *t = &m->plan.tables[0];
    uint64_t n = rugi_mass_list_boxes(&m->lists[0]);
    for (size_t mass = 1; mass < t->size; mass++)
        n += m->counts[t->counts_at + mass];
    for (size_t k = 0; t->size > 0 && k < m->n_tables; k++)
        n += count_set_of_table(t, m->tables + k * m->plan.n_entries + t->at);
    return n;
}

/* Of blocks that are not whole. */
static void add_partial(const rug_masses *m, rug_masses_facts *out)
{
    const rugi_partial_blocks *p = &m->partial;
    for (size_t i = 0; p->waiting != NULL && i < rugi_partial_blocks_n(p); i++)
        for (size_t k = 0; p->waiting[i] != NULL && k < p->n_words; k++) {
            out->total += p->waiting[i]->words[k];
            out->n_set += p->waiting[i]->words[k] > 0;
        }
}

static void describe_image(const rug_masses *m, rug_masses_facts *out)
{
    uint64_t n_all = 1;
    out->ndim = m->plan.n_axes;
    for (int a = 0; a < 3; a++)
        n_all *= m->plan.shape[a];
    for (int a = 0; a < out->ndim; a++)
        out->shape[a] = m->plan.shape[3 - out->ndim + a];
    out->n_pixels = m->cover.n_pixels;
    out->is_whole = m->cover.n_pixels == n_all;
    out->n_set = count_set(m);
    for (size_t i = 0; i < rugi_partial_blocks_n(&m->partial); i++)
        out->total += m->blocks[i];
    add_partial(m, out);
    if (m->inside != NULL) {
        rug_masses_facts inside;
        rug_masses_get_facts(m->inside, &inside);
        out->n_pixels = inside.n_set;
    }
}

static void describe_points(const rug_masses *m, rug_masses_facts *out)
{
    out->ndim = m->plan.n_axes;
    memcpy(out->shape, m->point_shape, sizeof out->shape);
    out->n_pixels = 1;
    for (int a = 0; a < out->ndim; a++)
        out->n_pixels = rugi_saturating_product(out->n_pixels, m->point_shape[a]);
    out->is_whole = 1;
    out->total = m->n_points;
    for (size_t i = 0; i < m->levels[0].n; i++)
        out->n_set += m->levels[0].boxes[i].boxes;
}

void rug_masses_get_facts(const rug_masses *masses, rug_masses_facts *out)
{
    memset(out, 0, sizeof *out);
    if (masses == NULL)
        return;
    if (masses->is_points)
        describe_points(masses, out);
    else
        describe_image(masses, out);
    out->n_left_out = masses->n_left_out;
    out->n_lost = masses->n_lost;
    out->unit_exponent = masses->mass.exponent;
    out->foreground = masses->foreground;
    out->of = masses->of;
    out->n_sizes = masses->plan.n_levels;
    out->engine = masses->engine;
}

void rug_masses_free(rug_masses *m)
{
    if (m == NULL)
        return;
    rug_masses_free(m->inside);
    forget_levels(m);
    rugi_cover_free(m->ctx, &m->cover);
    for (unsigned level = 0; level < RUGI_MASSES_FINE; level++)
        rugi_mass_list_free(m->ctx, &m->lists[level]);
    rugi_partial_blocks_free(m->ctx, &m->partial);
    rug_context_release(m->ctx, m->tables);
    rug_context_release(m->ctx, m->counts);
    rug_context_release(m->ctx, m->blocks);
    rug_context_release(m->ctx, m);
}
