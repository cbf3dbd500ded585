/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Masses in parts as bytes (docs/states.md). Masses of a size add up to those of any other, and
 * no pixel is more than its type allows: so tables hold what is loaded. */

#include "core/context/context_internal.h"
#include "core/state/state.h"
#include "multifractal/masses/masses_state.h"
#include <string.h>

/* Bytes of the mass of a pixel; 0: a bit. */
static unsigned pixel_bytes(const rugi_mass *mass)
{
    if (mass->is_binary)
        return 0;
    return mass->dtype == RUG_BIT   ? 0
           : mass->dtype >= RUG_F32 ? 8
                                    : (unsigned)rug_dtype_size(mass->dtype);
}

/* The largest mass of a pixel. */
static uint64_t pixel_max(const rugi_mass *mass)
{
    if (pixel_bytes(mass) == 0)
        return 1;
    switch (mass->dtype) {
    case RUG_U8: return UINT8_MAX;
    case RUG_I8: return INT8_MAX;
    case RUG_U16: return UINT16_MAX;
    case RUG_I16: return INT16_MAX;
    case RUG_U32: return UINT32_MAX;
    case RUG_I32: return INT32_MAX;
    default: return RUGI_MASS_MAX;
    }
}

/* ---- Saving ---- */

static void put_options(rugi_state_writer *w, const rug_masses *m)
{
    rugi_state_put_shape(w, m->plan.n_axes, m->plan.shape);
    rugi_state_put(w, m->mass.dtype);
    rugi_state_put(w, m->of);
    rugi_state_put(w, m->inside != NULL ? 1 : 0);
    rugi_state_put_rule(w, m->foreground);
    rugi_state_put_bytes(w, (uint64_t)(int64_t)m->mass.exponent, 8);
}

static void put_pairs(rugi_state_writer *w, const rug_mass_boxes *pairs, size_t n)
{
    uint64_t last = 0;
    rugi_state_put(w, n);
    for (size_t i = 0; i < n; i++) {
        rugi_state_put(w, pairs[i].mass - last);
        rugi_state_put(w, pairs[i].boxes);
        last = pairs[i].mass;
    }
}

/* A level that is kept as a list. */
static void put_list(rugi_state_writer *w, const rugi_mass_list *list)
{
    rugi_mass_list sorted = {0};
    if (w->status == RUG_OK)
        w->status = rugi_mass_list_add(w->ctx, &sorted, list);
    if (w->status == RUG_OK)
        w->status = rugi_mass_list_sort(w->ctx, &sorted);
    put_pairs(w, sorted.boxes, sorted.n);
    rugi_mass_list_free(w->ctx, &sorted);
}

/* A level that is counted in tables.
 *  @param counts  of its masses */
static void put_table(rugi_state_writer *w, const uint64_t *counts, size_t n)
{
    size_t n_pairs = 0;
    for (size_t mass = 1; mass < n; mass++)
        n_pairs += counts[mass] > 0;
    rug_mass_boxes *pairs =
        rug_context_allocate(w->ctx, n_pairs, sizeof *pairs, "masses of boxes");
    if (pairs == NULL && w->status == RUG_OK)
        w->status = RUG_E_NOMEM;
    n_pairs = 0;
    for (size_t mass = 1; mass < n && w->status == RUG_OK; mass++)
        if (counts[mass] > 0)
            pairs[n_pairs++] = (rug_mass_boxes){mass, counts[mass]};
    put_pairs(w, pairs, n_pairs);
    rug_context_release(w->ctx, pairs);
}

/* All levels below that of a block. */
static void put_levels(rugi_state_writer *w, const rug_masses *m)
{
    const rugi_masses_plan *p = &m->plan;
    rug_masses all = *m; /* with counts of its own, to which the tables are added */
    all.counts =
        rug_context_allocate(w->ctx, p->n_counts, sizeof *all.counts, "tables of masses");
    if (all.counts == NULL) {
        w->status = RUG_E_NOMEM;
        return;
    }
    memcpy(all.counts, m->counts, p->n_counts * sizeof *all.counts);
    rugi_masses_add_tables(&all, m);
    for (unsigned level = 0; level < p->block_level && level < p->n_levels; level++) {
        const rugi_masses_table *t = &p->tables[level];
        if (t->size > 0)
            put_table(w, all.counts + t->counts_at, t->size);
        else
            put_list(w, &m->lists[level]);
    }
    rug_context_release(w->ctx, all.counts);
}

/* Blocks that have a mass, on their way. */
typedef struct listing {
    rugi_state_writer *w; /* NULL: they are only counted */
    uint64_t n;
    size_t next; /* behind the last one */
} listing;

static void list_blocks(void *user, size_t first, const void *items, size_t n)
{
    listing *l = user;
    const uint64_t *masses = items;
    for (size_t i = 0; i < n; i++) {
        if (masses[i] == 0)
            continue;
        if (l->w != NULL) {
            rugi_state_put(l->w, first + i - l->next);
            rugi_state_put(l->w, masses[i]);
        }
        l->next = first + i + 1;
        l->n++;
    }
}

static void put_masses(rugi_state_writer *w, const rug_masses *m, const rugi_cover *cover)
{
    listing counted = {0}, listed = {.w = w};
    put_levels(w, m);
    if (w->status == RUG_OK)
        w->status = rugi_sparse_each(w->ctx, &m->blocks, list_blocks, &counted);
    rugi_state_put(w, counted.n);
    if (w->status == RUG_OK)
        w->status = rugi_sparse_each(w->ctx, &m->blocks, list_blocks, &listed);
    rugi_state_put_blocks(w, &m->partial, cover, pixel_bytes(&m->mass));
}

rug_status rug_masses_save(rug_context *ctx, uint8_t **out, size_t *n,
                           const rug_masses *masses)
{
    if (out != NULL)
        *out = NULL;
    if (n != NULL)
        *n = 0;
    if (ctx == NULL || out == NULL || n == NULL || masses == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_masses_save: NULL given");
    if (masses->is_points)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "rug_masses_save: masses of points given, masses of an "
                                "image expected, as points do not come in parts");
    rugi_cover cover;
    rug_status status = rugi_cover_sorted(ctx, &cover, &masses->cover, SIZE_MAX);
    if (status == RUG_OK) {
        rugi_state_writer w = rugi_state_begin(ctx, RUGI_STATE_MASSES);
        put_options(&w, masses);
        rugi_state_put(&w, masses->n_left_out);
        rugi_state_put(&w, masses->n_lost);
        rugi_state_put_cover(&w, masses->plan.n_axes, &cover);
        put_masses(&w, masses, &cover);
        if (masses->inside != NULL)
            put_masses(&w, masses->inside, &cover);
        status = rugi_state_end(&w, out, n);
    }
    rugi_cover_free(ctx, &cover);
    return status;
}

/* ---- Loading ---- */

static rug_masses *get_options(rugi_state_reader *r)
{
    static const rug_source some_mask;
    rug_masses_options opts = RUG_MASSES_OPTIONS_INIT;
    rug_masses *m = NULL;
    size_t shape[3];
    int ndim = rugi_state_get_shape(r, shape);
    rug_dtype dtype = (rug_dtype)rugi_state_get_below(r, RUG_N_DTYPES - 1, "dtype");
    opts.of =
        (rug_mass_of)rugi_state_get_below(r, RUG_MASS_OF_FOREGROUND, "kind of mass");
    opts.mask = rugi_state_get_below(r, 1, "mask") == 1 ? &some_mask : NULL;
    opts.foreground = rugi_state_get_rule(r);
    uint64_t bits = rugi_state_get_bytes(r, 8);
    int64_t exponent;
    memcpy(&exponent, &bits, sizeof exponent);
    if (exponent < RUGI_MASS_EXPONENT_MIN || exponent > RUGI_MASS_EXPONENT_MAX)
        rugi_state_refuse(r, "the unit is none");
    if (r->status == RUG_OK)
        rugi_state_note(
            r, rug_masses_new(r->ctx, &m, dtype, ndim, shape, (int)exponent, &opts));
    return m;
}

/* The next pair of a level.
 *  @param most   what masses may be
 *  @param total  of those before; is counted on */
static rug_mass_boxes get_pair(rugi_state_reader *r, uint64_t last, uint64_t most,
                               uint64_t *total)
{
    rug_mass_boxes pair = {0, 0};
    uint64_t left = RUGI_MASS_MAX - *total;
    pair.mass = last + rugi_state_get_below(r, most - last, "mass");
    pair.boxes = rugi_state_get(r);
    if (pair.mass == last || pair.boxes == 0 || pair.boxes > left / pair.mass)
        rugi_state_refuse(r, "masses of boxes are none, or too many");
    if (r->status == RUG_OK)
        *total += pair.mass * pair.boxes;
    return pair;
}

static void get_level(rugi_state_reader *r, rug_masses *m, unsigned level,
                      uint64_t *total)
{
    const rugi_masses_table *t = &m->plan.tables[level];
    uint64_t n_left = (uint64_t)(r->end - r->at) / 2, mass = 0;
    uint64_t n_boxes = 0, most = t->size > 0 ? t->size - 1 : RUGI_MASS_MAX;
    rugi_mass_list *list = &m->lists[level];
    size_t n = (size_t)rugi_state_get_below(r, n_left, "number of masses");
    if (t->size == 0 && r->status == RUG_OK) {
        list->boxes =
            rug_context_allocate(r->ctx, n, sizeof *list->boxes, "masses of boxes");
        if (list->boxes == NULL)
            r->status = RUG_E_NOMEM;
    }
    for (size_t i = 0; i < n && r->status == RUG_OK; i++) {
        rug_mass_boxes pair = get_pair(r, mass, most, total);
        mass = pair.mass;
        if (r->status != RUG_OK)
            return;
        n_boxes += pair.boxes;
        if (t->size > 0)
            m->counts[t->counts_at + mass] = pair.boxes;
        else
            list->boxes[list->n++] = pair;
    }
    if (n_boxes > m->partial.cover->n_pixels)
        rugi_state_refuse(r, "there are more boxes than pixels");
}

/* Blocks that have a mass. @return their total */
static uint64_t get_blocks(rugi_state_reader *r, rug_masses *m)
{
    const rugi_partial_blocks *p = &m->partial;
    size_t n_all = rugi_partial_blocks_n(p), block = 0;
    size_t n = (size_t)rugi_state_get_below(r, n_all, "number of blocks");
    uint64_t total = 0;
    for (size_t i = 0; i < n && r->status == RUG_OK; i++) {
        rugi_state_look(r, i);
        if (block == n_all)
            rugi_state_refuse(r, "more blocks are listed than there are");
        else
            block +=
                (size_t)rugi_state_get_below(r, n_all - block - 1, "place of a block");
        uint64_t mass = rugi_state_get_below(r, RUGI_MASS_MAX - total, "mass of a block");
        if (r->status != RUG_OK)
            break;
        rugi_box pixels = rugi_partial_blocks_block(p, block), place;
        if (mass == 0 || !rugi_partial_blocks_is_whole(p, &pixels))
            rugi_state_refuse(r, "a block has a mass that is not whole, or none");
        rugi_sparse_place(&p->waiting, block++, place.first);
        for (int a = 0; a < 3; a++)
            place.end[a] = place.first[a] + 1;
        if (r->status == RUG_OK)
            r->status = rugi_sparse_put(r->ctx, &m->blocks, &place, &mass);
        total += mass;
    }
    return total;
}

/* The masses of pixels in blocks that wait; RUGI_MASS_MAX + 1 if they are too many. */
static uint64_t total_waiting(const rug_masses *m)
{
    const rugi_sparse *s = &m->partial.waiting;
    uint64_t total = 0;
    for (size_t i = 0; i < s->capacity; i++) {
        const uint64_t *masses = s->slots[i].items;
        for (size_t k = 0; masses != NULL && k < m->partial.n_words; k++) {
            if (masses[k] > RUGI_MASS_MAX - total)
                return RUGI_MASS_MAX + 1;
            total += masses[k];
        }
    }
    return total;
}

static void get_masses(rugi_state_reader *r, rug_masses *m)
{
    uint64_t totals[RUGI_MASSES_FINE] = {0};
    unsigned n =
        m->plan.n_levels < m->plan.block_level ? m->plan.n_levels : m->plan.block_level;
    for (unsigned level = 0; level < n; level++)
        get_level(r, m, level, &totals[level]);
    uint64_t total = get_blocks(r, m);
    for (unsigned level = 0; level < n; level++)
        if (totals[level] != total)
            rugi_state_refuse(r, "the masses of two sizes do not add up to the same");
    rugi_state_get_blocks(r, &m->partial, pixel_bytes(&m->mass), pixel_max(&m->mass), 0);
    uint64_t waiting = total_waiting(m);
    if (waiting > RUGI_MASS_MAX - total)
        rugi_state_refuse(r, "the masses add up to too much");
    m->n_measured = total + waiting;
}

rug_status rug_masses_load(rug_context *ctx, rug_masses **out, const uint8_t *bytes,
                           size_t n)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || bytes == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_masses_load: NULL given");
    rugi_state_reader r = rugi_state_open(ctx, bytes, n, RUGI_STATE_MASSES);
    rug_masses *m = get_options(&r);
    if (m != NULL) {
        m->n_left_out = rugi_state_get(&r);
        m->n_lost = rugi_state_get(&r);
        rugi_state_get_cover(&r, m->plan.n_axes, m->plan.shape, &m->cover);
        uint64_t most = m->cover.n_pixels;
        if (m->n_left_out > most || m->n_lost > most - m->n_left_out)
            rugi_state_refuse(&r, "more pixels are left out than have come");
        get_masses(&r, m);
        if (m->inside != NULL)
            get_masses(&r, m->inside);
    }
    rug_status status = rugi_state_close(&r);
    if (status == RUG_OK)
        *out = m;
    else
        rug_masses_free(m);
    return status;
}
