/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Cells to bytes and back; the runs of parts joined. */

#include "point_runs.h"
#include <string.h>

/* Bytes of a number, at most. */
#define NUMBER_BYTES 10

/* rugi_state_put() without a call, where there is room for any number. */
static inline void put(rugi_state_writer *w, uint64_t number)
{
    if (w->status != RUG_OK || w->capacity - w->n < NUMBER_BYTES) {
        rugi_state_put(w, number);
        return;
    }
    uint8_t *to = w->bytes + w->n;
    for (; number > 127; number >>= 7)
        *to++ = (uint8_t)(number | 128);
    *to++ = (uint8_t)number;
    w->n = (size_t)(to - w->bytes);
}

/* rugi_state_get() without a call, where any number would end, of up to 63 bits. */
static inline uint64_t get(rugi_state_reader *r)
{
    if (r->status != RUG_OK || r->end - r->at < NUMBER_BYTES)
        return rugi_state_get(r);
    uint64_t number = 0;
    const uint8_t *from = r->at;
    unsigned shift = 0;
    for (; *from > 127 && shift < 56; shift += 7)
        number |= (uint64_t)(*from++ & 127) << shift;
    if (*from > 127 || (*from == 0 && shift > 0)) /* longer, or refused */
        return rugi_state_get(r);
    r->at = from + 1;
    return number | (uint64_t)*from << shift;
}

/* A place that may lie on either side of the one before. */
static uint64_t difference(uint64_t place, uint64_t before)
{
    uint64_t d = place - before;
    return d << 1 ^ (0 - (d >> 63));
}

static uint64_t place_at(uint64_t difference, uint64_t before)
{
    return before + (difference >> 1 ^ (0 - (difference & 1)));
}

/* Puts a cell behind all others. */
void rugi_cell_run_put(rugi_cell_run_writer *w, const uint64_t *place, uint64_t count)
{
    int a = 0;
    while (w->n > 0 && a < w->axes - 1 && place[a] == w->at[a])
        a++;
    put(w->to, (count - 1) * (unsigned)w->axes + (unsigned)(w->axes - 1 - a));
    if (w->n > 0) {
        put(w->to, place[a] - w->at[a] - 1);
        w->at[a] = place[a];
        a++;
    }
    for (; a < w->axes; a++) {
        put(w->to, difference(place[a], w->at[a]));
        w->at[a] = place[a];
    }
    w->n++;
}

/* Takes in the next cell. @return 0 when there is none */
int rugi_cell_run_get(rugi_cell_run_reader *r)
{
    if (r->n_left == 0 || r->from->status != RUG_OK)
        return 0;
    uint64_t head = get(r->from);
    int a = r->axes - 1 - (int)(head % (unsigned)r->axes);
    r->count = head / (unsigned)r->axes;
    if (r->count >= RUGI_RUN_POINTS_MAX || (r->n == 0 && a > 0))
        rugi_state_refuse(r->from, "a lattice cell contradicts itself");
    r->count++;
    if (r->n > 0) {
        uint64_t d = get(r->from);
        if (d >= UINT64_MAX - r->at[a])
            rugi_state_refuse(r->from, "a lattice cell lies beyond 64 bits");
        r->at[a++] += d + 1;
    }
    for (; a < r->axes; a++)
        r->at[a] = place_at(get(r->from), r->at[a]);
    r->n++;
    r->n_left--;
    return r->from->status == RUG_OK;
}

/* Runs that are read side by side. */
typedef struct cell_merge {
    size_t n;
    int axes;
    rugi_state_reader bytes[RUGI_RUNS_MAX];
    rugi_cell_run_reader
        readers[RUGI_RUNS_MAX]; /* those that have a cell; the others are gone */
} cell_merge;

static void begin_merge(cell_merge *m, rug_context *ctx, rugi_cell_run_form form,
                        const rugi_cell_run *runs, size_t n_runs)
{
    m->n = 0;
    m->axes = form.axes;
    for (size_t i = 0; i < n_runs; i++) {
        m->bytes[i] = rugi_cell_run_bytes(ctx, &runs[i]);
        m->readers[m->n] = rugi_cell_run_open(&m->bytes[i], form, runs[i].n_cells);
        m->n += rugi_cell_run_get(&m->readers[m->n]) ? 1 : 0;
    }
}

static int compare(const uint64_t *a, const uint64_t *b, int axes)
{
    for (int i = 0; i < axes; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* The next cell of all runs. @return its points; 0 when there is none */
static uint64_t next_cell(cell_merge *m, uint64_t *place)
{
    size_t size = (size_t)m->axes * sizeof *place;
    uint64_t count = 0;
    if (m->n == 0)
        return 0;
    memcpy(place, m->readers[0].at, size);
    for (size_t i = 1; i < m->n; i++)
        if (compare(m->readers[i].at, place, m->axes) < 0)
            memcpy(place, m->readers[i].at, size);
    for (size_t i = 0; i < m->n;) {
        rugi_cell_run_reader *r = &m->readers[i];
        int is_there = 1;
        if (compare(r->at, place, m->axes) == 0) {
            count += r->count;
            is_there = rugi_cell_run_get(r);
        }
        if (is_there)
            i++;
        else
            *r = m->readers[--m->n];
    }
    return count;
}

rug_status rugi_cell_run_end(rugi_cell_run *out, const rugi_cell_run_writer *w)
{
    const rugi_state_writer *to = w->to;
    if (to->status == RUG_OK)
        *out = (rugi_cell_run){to->bytes, to->n, w->n};
    else
        rug_context_release(to->ctx, to->bytes);
    return to->status;
}

static rug_status copy_run(rug_context *ctx, rugi_cell_run *out, const rugi_cell_run *run)
{
    *out = *run;
    out->bytes = rug_context_allocate(ctx, run->n_bytes, 1, "lattice cells");
    if (out->bytes == NULL)
        return RUG_E_NOMEM;
    memcpy(out->bytes, run->bytes, run->n_bytes);
    return RUG_OK;
}

rug_status rugi_cell_runs_join(rug_context *ctx, rugi_cell_run *out,
                               rugi_cell_run_form form, const rugi_cell_run *runs,
                               size_t n_runs)
{
    rugi_state_writer to = {.ctx = ctx, .status = rugi_look(ctx)};
    rugi_cell_run_writer w = rugi_cell_run_begin(&to, form);
    cell_merge m;
    uint64_t place[RUG_POINTS_MAX_AXES], count;
    if (n_runs == 1 && to.status == RUG_OK)
        return copy_run(ctx, out, runs);
    begin_merge(&m, ctx, form, runs, n_runs);
    while (to.status == RUG_OK && (count = next_cell(&m, place)) > 0) {
        rugi_cell_run_put(&w, place, count);
        to.status = rugi_cell_run_look(ctx, to.status, w.n);
    }
    return rugi_cell_run_end(out, &w);
}
