/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The boxes of every size by mass: the fine levels from tables and lists, those above from
 * the masses of blocks; and what is known about them. */

#include "masses_state.h"
#include "core/context/threads.h"
#include "core/points/point_cells.h"
#include "core/points/radix_sort.h"
#include <string.h>

/* ---- Lists ----
 *
 * Masses that wait are sorted in when they are as many as those that are sorted, so that
 * each is moved only a few times, however many there are. */

/* Masses that wait before they are sorted in: 64 MB. */
#define FEW_WAITING ((size_t)1 << 23)

/* Masses are counted instead of sorted if the largest is below this many times their
 * number. */
#define COUNTED_SPREAD 4

static unsigned bit_length(uint64_t v)
{
    unsigned n = 0;
    for (; v != 0; v >>= 1)
        n++;
    return n;
}

static rug_mass_boxes *new_pairs(rug_context *ctx, size_t n)
{
    return rug_context_allocate(ctx, n, sizeof(rug_mass_boxes), "masses of boxes");
}

/* Makes a table of zeros, piece by piece: the system clears memory when it is first touched. */
static rug_status clear_table(rug_context *ctx, uint64_t *counts, size_t n)
{
    rug_status status = RUG_OK;
    for (size_t m = 0; m < n && status == RUG_OK; status = rugi_look(ctx)) {
        size_t end = rugi_look_end(m, n);
        memset(counts + m, 0, (end - m) * sizeof *counts);
        m = end;
    }
    return status;
}

static rug_status fill_table(rug_context *ctx, uint64_t *counts, const uint64_t *masses,
                             size_t n)
{
    rug_status status = RUG_OK;
    for (size_t i = 0; i < n && status == RUG_OK; status = rugi_look(ctx))
        for (size_t end = rugi_look_end(i, n); i < end; i++)
            counts[masses[i]]++;
    return status;
}

/* The pairs of a table. @param out  NULL: they are only counted */
static rug_status read_table(rug_context *ctx, rug_mass_boxes *out, size_t *n_out,
                             const uint64_t *counts, size_t n)
{
    rug_status status = RUG_OK;
    *n_out = 0;
    for (size_t m = 1; m < n && status == RUG_OK; status = rugi_look(ctx))
        for (size_t end = rugi_look_end(m, n); m < end; m++) {
            if (counts[m] == 0)
                continue;
            if (out != NULL)
                out[*n_out] = (rug_mass_boxes){m, counts[m]};
            (*n_out)++;
        }
    return status;
}

/* By a table: few masses are possible. */
static rug_status count_masses(rug_context *ctx, rug_mass_boxes **out, size_t *n_out,
                               const uint64_t *masses, size_t n, uint64_t largest)
{
    size_t n_counts = (size_t)largest + 1;
    uint64_t *counts = rug_context_allocate(ctx, n_counts, sizeof *counts, "table");
    if (counts == NULL)
        return RUG_E_NOMEM;
    rug_status status = clear_table(ctx, counts, n_counts);
    if (status == RUG_OK)
        status = fill_table(ctx, counts, masses, n);
    if (status == RUG_OK)
        status = read_table(ctx, NULL, n_out, counts, n_counts);
    if (status == RUG_OK) {
        *out = new_pairs(ctx, *n_out);
        status =
            *out != NULL ? read_table(ctx, *out, n_out, counts, n_counts) : RUG_E_NOMEM;
    }
    rug_context_release(ctx, counts);
    return status;
}

/* How many different masses above 0 there are among sorted ones. */
static rug_status count_different(rug_context *ctx, size_t *used, const uint64_t *masses,
                                  size_t n)
{
    rug_status status = RUG_OK;
    *used = 0;
    for (size_t i = 0; i < n && status == RUG_OK; status = rugi_look(ctx))
        for (size_t end = rugi_look_end(i, n); i < end; i++)
            *used += masses[i] > 0 && (i == 0 || masses[i] != masses[i - 1]);
    return status;
}

/* Sorted masses as pairs. */
static rug_status pair_masses(rug_context *ctx, rug_mass_boxes *out, size_t *n_out,
                              const uint64_t *masses, size_t n)
{
    rug_status status = RUG_OK;
    for (size_t i = 0; i < n && status == RUG_OK; status = rugi_look(ctx))
        for (size_t end = rugi_look_end(i, n); i < end; i++) {
            if (masses[i] == 0)
                continue;
            if (*n_out > 0 && out[*n_out - 1].mass == masses[i])
                out[*n_out - 1].boxes++;
            else
                out[(*n_out)++] = (rug_mass_boxes){masses[i], 1};
        }
    return status;
}

static rug_status sort_masses(rug_context *ctx, rug_mass_boxes **out, size_t *n_out,
                              uint64_t *masses, size_t n, uint64_t largest)
{
    uint64_t *scratch = rug_context_allocate(ctx, n, sizeof *scratch, "masses to sort");
    if (scratch == NULL)
        return RUG_E_NOMEM;
    rug_status status = rugi_sort_u64(ctx, masses, scratch, n, bit_length(largest), NULL);
    rug_context_release(ctx, scratch);
    size_t used;
    if (status == RUG_OK)
        status = count_different(ctx, &used, masses, n);
    if (status != RUG_OK)
        return status;
    *out = new_pairs(ctx, used);
    return *out != NULL ? pair_masses(ctx, *out, n_out, masses, n) : RUG_E_NOMEM;
}

/* The same of a copy: a sort that was stopped has lost some of what it was given. */
static rug_status sort_copy(rug_context *ctx, rug_mass_boxes **out, size_t *n_out,
                            const uint64_t *masses, size_t n, uint64_t largest)
{
    uint64_t *copy = rug_context_allocate(ctx, n, sizeof *copy, "copy of masses");
    rug_status status = copy != NULL ? RUG_OK : RUG_E_NOMEM;
    for (size_t i = 0; i < n && status == RUG_OK; status = rugi_look(ctx)) {
        size_t end = rugi_look_end(i, n);
        memcpy(copy + i, masses + i, (end - i) * sizeof *copy);
        i = end;
    }
    if (status == RUG_OK)
        status = sort_masses(ctx, out, n_out, copy, n, largest);
    rug_context_release(ctx, copy);
    return status;
}

rug_status rugi_mass_list_of(rug_context *ctx, rug_mass_boxes **out, size_t *n_out,
                             uint64_t *masses, size_t n, int is_kept)
{
    uint64_t largest = 0;
    *out = NULL;
    *n_out = 0;
    for (size_t i = 0; i < n; i++)
        largest = masses[i] > largest ? masses[i] : largest;
    if (largest == 0)
        return RUG_OK;
    rug_status status = largest / COUNTED_SPREAD <= n
                            ? count_masses(ctx, out, n_out, masses, n, largest)
                        : is_kept ? sort_copy(ctx, out, n_out, masses, n, largest)
                                  : sort_masses(ctx, out, n_out, masses, n, largest);
    if (status != RUG_OK) {
        rug_context_release(ctx, *out);
        *out = NULL;
    }
    return status;
}

/* Sorted pairs on their way to one list. */
typedef struct merging {
    rug_mass_boxes *out;
    const rug_mass_boxes *a, *b;
    size_t n_a, n_b, i, j, n;
} merging;

/* The next pair of the one list that is to be. */
static inline void merge_pair(merging *m)
{
    if (m->j == m->n_b || (m->i < m->n_a && m->a[m->i].mass < m->b[m->j].mass)) {
        m->out[m->n++] = m->a[m->i++];
    } else if (m->i == m->n_a || m->a[m->i].mass > m->b[m->j].mass) {
        m->out[m->n++] = m->b[m->j++];
    } else {
        m->out[m->n] = m->a[m->i++];
        m->out[m->n++].boxes += m->b[m->j++].boxes;
    }
}

/* Adds sorted pairs. */
static rug_status add_pairs(rug_context *ctx, rugi_mass_list *list,
                            const rug_mass_boxes *more, size_t n)
{
    if (n == 0)
        return RUG_OK;
    merging m = {.a = list->boxes, .b = more, .n_a = list->n, .n_b = n};
    m.out = new_pairs(ctx, list->n + n);
    if (m.out == NULL)
        return RUG_E_NOMEM;
    rug_status status = RUG_OK;
    while ((m.i < m.n_a || m.j < m.n_b) && status == RUG_OK) {
        size_t end = m.n + RUGI_LOOK_ITEMS;
        while (m.n < end && (m.i < m.n_a || m.j < m.n_b))
            merge_pair(&m);
        status = rugi_look(ctx);
    }
    if (status != RUG_OK) {
        rug_context_release(ctx, m.out);
        return status;
    }
    rug_context_release(ctx, list->boxes);
    list->boxes = m.out;
    list->n = m.n;
    return RUG_OK;
}

rug_status rugi_mass_list_sort(rug_context *ctx, rugi_mass_list *list)
{
    rug_mass_boxes *pairs;
    size_t n;
    rug_status status =
        rugi_mass_list_of(ctx, &pairs, &n, list->waiting, list->n_waiting, 1);
    if (status == RUG_OK && list->n == 0) { /* the first become the list */
        rug_mass_boxes *none = list->boxes;
        list->boxes = pairs;
        list->n = n;
        pairs = none;
    } else if (status == RUG_OK) {
        status = add_pairs(ctx, list, pairs, n);
    }
    if (status == RUG_OK)
        list->n_waiting = 0;
    rug_context_release(ctx, pairs);
    return status;
}

/* A larger capacity, with what waits. */
static rug_status enlarge(rug_context *ctx, rugi_mass_list *list, size_t capacity)
{
    uint64_t *waiting = rug_context_allocate(ctx, capacity, sizeof *waiting, "masses");
    if (waiting == NULL)
        return RUG_E_NOMEM;
    if (list->n_waiting > 0)
        memcpy(waiting, list->waiting, list->n_waiting * sizeof *waiting);
    rug_context_release(ctx, list->waiting);
    list->waiting = waiting;
    list->capacity = capacity;
    return RUG_OK;
}

rug_status rugi_mass_list_reserve(rug_context *ctx, rugi_mass_list *list, size_t more)
{
    if (more <= list->capacity - list->n_waiting)
        return RUG_OK;
    size_t most = list->n > FEW_WAITING ? list->n : FEW_WAITING;
    if (list->n_waiting + more > most) {
        rug_status status = rugi_mass_list_sort(ctx, list);
        if (status != RUG_OK)
            return status;
    }
    size_t wanted = list->n_waiting + more;
    if (wanted <= list->capacity)
        return RUG_OK;
    size_t doubled = 2 * list->capacity < most ? 2 * list->capacity : most;
    return enlarge(ctx, list, wanted > doubled ? wanted : doubled);
}

uint64_t *rugi_mass_list_take(rugi_mass_list *list, size_t n)
{
    return list->waiting +
           atomic_fetch_add_explicit(&list->n_waiting, n, memory_order_relaxed);
}

rug_status rugi_mass_list_add(rug_context *ctx, rugi_mass_list *list,
                              const rugi_mass_list *other)
{
    rug_status status = rugi_mass_list_reserve(ctx, list, other->n_waiting);
    if (status != RUG_OK)
        return status;
    size_t n = other->n_waiting;
    if (n > 0)
        memcpy(rugi_mass_list_take(list, n), other->waiting, n * sizeof *other->waiting);
    return add_pairs(ctx, list, other->boxes, other->n);
}

uint64_t rugi_mass_list_boxes(const rugi_mass_list *list)
{
    uint64_t n = 0;
    for (size_t i = 0; i < list->n; i++)
        n += list->boxes[i].boxes;
    for (size_t i = 0; i < list->n_waiting; i++)
        n += list->waiting[i] > 0;
    return n;
}

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
    rugi_sparse_get(&m->blocks, masses);
    rug_status status = RUG_OK;
    for (uint32_t level = m->plan.block_level;
         level < m->plan.n_levels && status == RUG_OK; level++) {
        rugi_mass_level *out = &m->levels[level];
        size_t n_all = n[0] * n[1] * n[2];
        halve(next, masses, n, m->plan.n_axes);
        status = rugi_mass_list_of(ctx, &out->own, &out->n, masses, n_all, 0);
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

/* Of blocks, as they are kept. */
static void add_blocks(const rugi_sparse *blocks, int has_pixels, rug_masses_facts *out)
{
    size_t n = blocks->item_bytes / sizeof(uint64_t) << 2 * blocks->bits;
    for (size_t i = 0; i < blocks->capacity; i++) {
        const uint64_t *masses = blocks->slots[i].items;
        for (size_t k = 0; masses != NULL && k < n; k++) {
            out->total += masses[k];
            out->n_set += has_pixels && masses[k] > 0;
        }
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
    add_blocks(&m->blocks, 0, out);
    add_blocks(&m->partial.waiting, 1, out);
    if (m->inside != NULL)
        out->n_pixels = rug_masses_get_facts(m->inside)->n_set;
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

const rug_masses_facts *rug_masses_get_facts(rug_masses *masses)
{
    if (masses == NULL)
        return NULL;
    rug_masses_facts *out = &masses->facts;
    memset(out, 0, sizeof *out);
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
    return out;
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
    rugi_sparse_free(m->ctx, &m->blocks);
    rug_context_release(m->ctx, m);
}
