/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The engine of the processor: an image is read band by band. Each thread has columns of an
 * image, or rows of the slices of a volume, and adds up the boxes that end there, row by row. The
 * mass of a box is a difference of sums over all pixels above and to the left of its corners
 * (Crow 1984). */

#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "lacunarity_window.h"
#include <string.h>

/* Pixels times sizes below which more threads cost more than they help. */
#define SMALL_PIXELS ((size_t)1 << 18)

/* Columns of a strip begin at multiples of this, so that vectors are aligned. */
#define STRIP_STEP 64

/* What a strip keeps for one size. Columns are those of the image. */
typedef struct track {
    const rugi_lacunarity_box *box;
    size_t begin, first, end; /* the first column; boxes end (fixed ones: lie) at columns
                                 first .. end - 1; none if end <= first */
    char *masses; /* sums over the rows of boxes, unless they come from a ring */
    char *inside; /* the same of the mask */
    rugi_lacunarity_sums sums;
} track;

/* The columns first .. end - 1 of an image, for all sizes; or the rows first .. end - 1 of
 * all slices of a volume, for one. */
typedef struct strip {
    size_t first, end;
    size_t n_tracks;
    track *tracks;
    size_t ring_begin[RUGI_LACUNARITY_TYPES]; /* the first column */
    char *ring[RUGI_LACUNARITY_TYPES];
    size_t row_begin;                    /* volumes: the first row of the slices below */
    rugi_lacunarity_rows masses, inside; /* volumes: sums over the slices of boxes */
    char *scratch;                       /* a row of past flags */
} strip;

typedef struct work {
    const rugi_lacunarity_plan *plan;
    rugi_lacunarity_kernels kernels;
    rugi_lacunarity_window window;
    size_t n_strips, strips_per_task;
    strip *strips;
    track *tracks;
    char *memory;
} work;

/* ---- Memory of strips ---- */

/* Hands out memory; counts only, as long as there is none. */
typedef struct carver {
    char *memory;
    size_t used;
} carver;

/* Rows of sums; numbers begin after the first pad. */
static char *take(carver *c, size_t n_rows, size_t row_bytes)
{
    char *row = c->memory != NULL ? c->memory + c->used + RUGI_LACUNARITY_PAD : NULL;
    int is_too_much = n_rows > (SIZE_MAX - c->used) / row_bytes;
    c->used = is_too_much ? SIZE_MAX : c->used + n_rows * row_bytes;
    return row;
}

/* The first column or row that boxes of e pixels hold which end at `first` or a later one. */
static size_t begin_of(size_t first, size_t e)
{
    return first >= e - 1 ? first - (e - 1) : 0;
}

static size_t round_down(size_t n, size_t step)
{
    return n / step * step;
}

static size_t round_up(size_t n, size_t step)
{
    return (n + step - 1) / step * step;
}

/* The places of boxes of a size in columns first .. end - 1 of n. */
static void place_track(track *t, const rugi_lacunarity_plan *plan, size_t first,
                        size_t end)
{
    size_t e = t->box->e[2];
    if (plan->is_fixed) {
        t->begin = t->first = round_up(first, e);
        t->end = rugi_smaller(round_up(end, e), round_down(plan->n[2], e));
    } else {
        t->begin = round_down(begin_of(first, e), STRIP_STEP);
        t->first = rugi_larger(first, e - 1);
        t->end = end;
    }
}

static void carve_track(carver *c, track *t, const rugi_lacunarity_plan *plan)
{
    size_t n = t->end > t->first ? t->end - t->begin : 0;
    size_t row_bytes = rugi_lacunarity_row_bytes(n, t->box->type);
    if (!t->box->is_ring)
        t->masses = take(c, 1, row_bytes);
    if (plan->has_mask)
        t->inside = take(c, 1, row_bytes);
}

static void carve_columns(carver *c, strip *s, const rugi_lacunarity_plan *plan)
{
    for (size_t k = 0; k < s->n_tracks; k++) {
        track *t = &s->tracks[k];
        place_track(t, plan, s->first, s->end);
        carve_track(c, t, plan);
    }
    for (unsigned t = 1; t < RUGI_LACUNARITY_TYPES; t++) {
        if (plan->ring_rows[t] == 0)
            continue;
        s->ring_begin[t] =
            round_down(begin_of(s->first, plan->ring_columns[t]), STRIP_STEP);
        s->ring[t] = take(c, plan->ring_rows[t],
                          rugi_lacunarity_row_bytes(s->end - s->ring_begin[t], t));
    }
}

static rugi_lacunarity_rows carve_slice(carver *c, const strip *s,
                                        const rugi_lacunarity_plan *plan)
{
    unsigned type = s->tracks[0].box->type;
    rugi_lacunarity_rows rows = {.type = type};
    rows.row_bytes = rugi_lacunarity_row_bytes(plan->n[2], type);
    rows.data = take(c, s->end - s->row_begin, rows.row_bytes);
    return rows;
}

/* The rows of slices in which boxes of a size end, or fixed ones lie. */
static void carve_rows(carver *c, strip *s, const rugi_lacunarity_plan *plan)
{
    track *t = &s->tracks[0];
    size_t e = t->box->e[1];
    place_track(t, plan, 0, plan->n[2]);
    carve_track(c, t, plan);
    if (plan->is_fixed) {
        s->first = s->row_begin = round_up(s->first, e);
        s->end = rugi_smaller(round_up(s->end, e), round_down(plan->n[1], e));
    } else {
        s->row_begin = begin_of(s->first, e);
        s->first = rugi_larger(s->first, e - 1);
    }
    s->end = rugi_larger(s->end, s->row_begin);
    s->masses = carve_slice(c, s, plan);
    if (plan->has_mask)
        s->inside = carve_slice(c, s, plan);
}

/* Cuts n columns or rows into n_parts; part i ends where the next one begins. */
static size_t cut(size_t n, size_t n_parts, size_t i, size_t step)
{
    return i == n_parts ? n
                        : round_down(n / n_parts * i + n % n_parts * i / n_parts, step);
}

/* Sets up all strips. @return bytes that they take */
static size_t carve(work *w, size_t n_parts, char *memory)
{
    const rugi_lacunarity_plan *plan = w->plan;
    int is_volume = plan->n[0] > 1;
    size_t n = plan->n[is_volume ? 1 : 2], step = is_volume ? 1 : STRIP_STEP,
           n_tracks = is_volume ? 1 : plan->n_boxes;
    carver c = {memory, 0};
    for (size_t i = 0; i < w->n_strips; i++) {
        strip *s = &w->strips[i];
        size_t part = i % n_parts, first_box = is_volume ? i / n_parts : 0;
        *s = (strip){.n_tracks = n_tracks, .tracks = w->tracks + i * n_tracks};
        s->first = cut(n, n_parts, part, step);
        s->end = cut(n, n_parts, part + 1, step);
        for (size_t k = 0; k < n_tracks; k++)
            s->tracks[k] = (track){.box = &plan->boxes[first_box + k]};
        if (is_volume)
            carve_rows(&c, s, plan);
        else
            carve_columns(&c, s, plan);
        s->scratch = take(&c, 1, rugi_lacunarity_row_bytes(plan->n[2], 0));
    }
    return c.used;
}

static rug_status make_strips(rug_context *ctx, work *w)
{
    const rugi_lacunarity_plan *plan = w->plan;
    int is_volume = plan->n[0] > 1;
    size_t n_parts = (size_t)rug_context_threads(ctx),
           most = is_volume ? plan->n[1] : (plan->n[2] - 1) / STRIP_STEP + 1;
    double n_pixels = (double)plan->n[0] * (double)plan->n[1] * (double)plan->n[2];
    int is_small = n_pixels * (double)plan->n_boxes < (double)SMALL_PIXELS;
    if (plan->n[2] > SIZE_MAX / 64)
        return rug_context_fail(ctx, RUG_E_NOMEM,
                                "masses: rows of %zu pixels do not fit in memory",
                                plan->n[2]);
    if (plan->n_boxes == 0)
        return RUG_OK;
    n_parts = is_small ? 1 : rugi_smaller(n_parts, most);
    w->n_strips = n_parts * (is_volume ? plan->n_boxes : 1);
    w->strips_per_task = is_small ? w->n_strips : 1;
    w->strips =
        rug_context_allocate(ctx, w->n_strips, sizeof *w->strips, "strips of boxes");
    w->tracks = rug_context_allocate(ctx, n_parts * plan->n_boxes, sizeof *w->tracks,
                                     "strips of boxes");
    if (w->strips == NULL || w->tracks == NULL)
        return RUG_E_NOMEM;
    w->memory = rugi_allocate_zeros(ctx, carve(w, n_parts, NULL), 1, "sums over boxes");
    if (w->memory == NULL)
        return RUG_E_NOMEM;
    carve(w, n_parts, w->memory);
    return RUG_OK;
}

/* ---- Boxes that end in a row ---- */

/* Columns from `begin` on of a row of the band, and of the same row before; NULL: there is
 * none. */
typedef struct pair {
    const char *now, *old;
} pair;

/* A row that boxes of e layers leave behind. */
static const char *old_row(const work *w, const strip *s,
                           const rugi_lacunarity_rows *rows, size_t row, size_t e,
                           size_t begin, size_t end)
{
    if (row < e * w->window.layer_rows)
        return NULL;
    size_t at = (row - e * w->window.layer_rows) % w->window.past_rows;
    const char *from = rows->past + at * rows->past_row_bytes;
    if (!rows->is_bits)
        return from + (begin << rows->type);
    size_t first = begin / 8;
    w->kernels.unpack(s->scratch, from + first, (end + 7) / 8 - first);
    return s->scratch + begin % 8;
}

static const char *band_row(const work *w, const rugi_lacunarity_rows *rows, size_t row,
                            size_t begin)
{
    return rows->data + (row - w->window.first) * rows->row_bytes + (begin << rows->type);
}

static rugi_lacunarity_row sums_of(const track *t, size_t begin, const void *now,
                                   const void *before)
{
    return (rugi_lacunarity_row){.now = now,
                                 .before = before,
                                 .first = t->first - begin,
                                 .n = t->end - begin,
                                 .e = t->box->e[2],
                                 .most = t->box->most};
}

static void add_boxes(const work *w, track *t, const rugi_lacunarity_row *row)
{
    if (t->inside == NULL) {
        w->kernels.sum[t->box->type](row, &t->sums);
    } else {
        rugi_lacunarity_row count = sums_of(t, t->begin, t->inside, NULL);
        w->kernels.sum_full[t->box->type](row, &count, t->box->full, &t->sums);
    }
}

/* Moves sums over the rows of boxes on by a row. */
static void slide_along(const work *w, const track *t, unsigned type, char *sums,
                        const char *now, const char *old)
{
    w->kernels.accumulate[type][t->box->type](sums, sums, now, old, t->end - t->begin);
}

/* ---- Columns of an image ---- */

/* The sums over all rows up to a row of a strip's columns; row + 1 = 0: none. */
static char *ring_row(const work *w, const strip *s, unsigned type, size_t row)
{
    size_t i = (row + 1) % w->plan->ring_rows[type];
    return s->ring[type] +
           i * rugi_lacunarity_row_bytes(s->end - s->ring_begin[type], type);
}

static void add_to_rings(const work *w, const strip *s, size_t row)
{
    const rugi_lacunarity_rows *masses = &w->window.masses;
    for (unsigned t = 1; t < RUGI_LACUNARITY_TYPES; t++)
        if (s->ring[t] != NULL)
            w->kernels.accumulate[masses->type][t](
                ring_row(w, s, t, row), ring_row(w, s, t, row - 1),
                band_row(w, masses, row, s->ring_begin[t]), NULL,
                s->end - s->ring_begin[t]);
}

static void slide_row(const work *w, const strip *s, const track *t,
                      const rugi_lacunarity_rows *rows, char *sums, size_t row)
{
    slide_along(w, t, rows->type, sums, band_row(w, rows, row, t->begin),
                old_row(w, s, rows, row, t->box->e[1], t->begin, t->end));
}

static void add_gliding(const work *w, const strip *s, track *t, size_t row)
{
    const rugi_lacunarity_box *box = t->box;
    if (!box->is_ring)
        slide_row(w, s, t, &w->window.masses, t->masses, row);
    if (t->inside != NULL)
        slide_row(w, s, t, &w->window.inside, t->inside, row);
    if (row + 1 < box->e[1])
        return;
    rugi_lacunarity_row sums = sums_of(t, t->begin, t->masses, NULL);
    if (box->is_ring)
        sums = sums_of(t, s->ring_begin[box->type], ring_row(w, s, box->type, row),
                       ring_row(w, s, box->type, row - box->e[1]));
    add_boxes(w, t, &sums);
}

/* Adds a row to sums over columns, which begin anew with each row of boxes.
 * @param y  the row, counted from one at which boxes begin */
static void add_column(const work *w, const track *t, unsigned type, char *column,
                       const char *now, size_t y)
{
    size_t n = t->end - t->begin;
    if (y % t->box->e[1] == 0)
        memset(column, 0, n << t->box->type);
    w->kernels.slide[type][t->box->type](column, now, NULL, n);
}

static void add_fixed_boxes(const work *w, track *t)
{
    w->kernels.fixed[t->box->type](t->masses, t->inside, t->end - t->begin, t->box->e[2],
                                   t->box->full, &t->sums);
}

static void add_fixed(const work *w, track *t, size_t row)
{
    const rugi_lacunarity_window *win = &w->window;
    add_column(w, t, win->masses.type, t->masses,
               band_row(w, &win->masses, row, t->begin), row);
    if (t->inside != NULL)
        add_column(w, t, win->inside.type, t->inside,
                   band_row(w, &win->inside, row, t->begin), row);
    if ((row + 1) % t->box->e[1] == 0)
        add_fixed_boxes(w, t);
}

static void add_columns(const work *w, strip *s)
{
    size_t end = w->window.first + w->window.n_rows;
    for (size_t row = w->window.first; row < end; row++) {
        add_to_rings(w, s, row);
        for (size_t k = 0; k < s->n_tracks; k++) {
            track *t = &s->tracks[k];
            if (t->end <= t->first)
                continue;
            if (w->plan->is_fixed)
                add_fixed(w, t, row);
            else
                add_gliding(w, s, t, row);
        }
    }
}

/* ---- Rows of the slices of a volume ---- */

static char *slice_row(const strip *s, const rugi_lacunarity_rows *slice, size_t y)
{
    return slice->data + (y - s->row_begin) * slice->row_bytes;
}

/* Moves sums over the slices of boxes on by the slice z. */
static void slide_slice(const work *w, const strip *s, const rugi_lacunarity_rows *from,
                        const rugi_lacunarity_rows *to, size_t z)
{
    const size_t *n = w->plan->n;
    size_t e = s->tracks[0].box->e[0];
    int is_fixed = w->plan->is_fixed;
    if (is_fixed && z % e == 0)
        memset(to->data, 0,
               (s->end - s->row_begin) * to->row_bytes - RUGI_LACUNARITY_PAD);
    for (size_t y = s->row_begin; y < s->end; y++) {
        size_t row = z * n[1] + y;
        const char *old = is_fixed ? NULL : old_row(w, s, from, row, e, 0, n[2]);
        w->kernels.slide[from->type][to->type](slice_row(s, to, y),
                                               band_row(w, from, row, 0), old, n[2]);
    }
}

static void clear(const track *t, char *sums)
{
    if (sums != NULL)
        memset(sums, 0, (t->end - t->begin) << t->box->type);
}

static void slide_in_slice(const work *w, const strip *s,
                           const rugi_lacunarity_rows *slice, char *sums, size_t y)
{
    const track *t = &s->tracks[0];
    size_t e = t->box->e[1];
    slide_along(w, t, slice->type, sums, slice_row(s, slice, y),
                y - s->row_begin >= e ? slice_row(s, slice, y - e) : NULL);
}

/* The boxes that end in the slice that is at work. */
static void add_slice(const work *w, strip *s)
{
    track *t = &s->tracks[0];
    clear(t, t->masses);
    clear(t, t->inside);
    for (size_t y = s->row_begin; y < s->end; y++) {
        if (w->plan->is_fixed) {
            add_column(w, t, s->masses.type, t->masses, slice_row(s, &s->masses, y), y);
            if (t->inside != NULL)
                add_column(w, t, s->inside.type, t->inside, slice_row(s, &s->inside, y),
                           y);
            if ((y + 1) % t->box->e[1] == 0)
                add_fixed_boxes(w, t);
            continue;
        }
        slide_in_slice(w, s, &s->masses, t->masses, y);
        if (t->inside != NULL)
            slide_in_slice(w, s, &s->inside, t->inside, y);
        rugi_lacunarity_row row = sums_of(t, t->begin, t->masses, NULL);
        if (y >= s->first)
            add_boxes(w, t, &row);
    }
}

static void add_slices(const work *w, strip *s)
{
    size_t e = s->tracks[0].box->e[0], ny = w->plan->n[1],
           end = (w->window.first + w->window.n_rows) / ny;
    if (s->end <= s->first)
        return;
    for (size_t z = w->window.first / ny; z < end; z++) {
        slide_slice(w, s, &w->window.masses, &s->masses, z);
        if (w->plan->has_mask)
            slide_slice(w, s, &w->window.inside, &s->inside, z);
        if (w->plan->is_fixed ? (z + 1) % e == 0 : z + 1 >= e)
            add_slice(w, s);
    }
}

/* ---- Bands ---- */

static void add_strips(void *shared, size_t task, int thread)
{
    const work *w = shared;
    (void)thread;
    for (size_t i = 0; i < w->strips_per_task; i++) {
        strip *s = &w->strips[task * w->strips_per_task + i];
        if (w->plan->n[0] > 1)
            add_slices(w, s);
        else
            add_columns(w, s);
    }
}

static rug_status add_band(rug_context *ctx, void *user)
{
    work *w = user;
    return w->n_strips > 0
               ? rugi_parallel_for(ctx, w->n_strips / w->strips_per_task, add_strips, w)
               : RUG_OK;
}

static void release(rug_context *ctx, const work *w)
{
    rug_context_release(ctx, w->memory);
    rug_context_release(ctx, w->tracks);
    rug_context_release(ctx, w->strips);
}

static void add_sums(rugi_lacunarity_sums *to, const rugi_lacunarity_sums *from)
{
    to->positions += from->positions;
    to->mass += from->mass;
    rugi_lacunarity_add_square(to, from->square);
    to->square_high += from->square_high;
}

static void gather(rugi_lacunarity_found *out, const work *w)
{
    const rugi_lacunarity_plan *plan = w->plan;
    memset(out->sums, 0, plan->n_boxes * sizeof out->sums[0]);
    for (size_t i = 0; i < w->n_strips; i++)
        for (size_t k = 0; k < w->strips[i].n_tracks; k++) {
            const track *t = &w->strips[i].tracks[k];
            add_sums(&out->sums[t->box - plan->boxes], &t->sums);
        }
    out->n_pixels = w->window.n_pixels;
    out->n_set = w->window.n_set;
    out->n_left_out = w->window.n_left_out;
    out->engine = w->kernels.name;
}

static rug_status run(rug_context *ctx, work *w, const rugi_lacunarity_input *input)
{
    rug_status status = make_strips(ctx, w);
    return status == RUG_OK
               ? rugi_lacunarity_for_bands(ctx, &w->window, w->plan, input, add_band, w)
               : status;
}

/* Nanoseconds of work for each pixel: to find its mass, and for each size of boxes. */
#define MASS_WORK 0.1
#define BOX_WORK  0.2

static double work_of(const rugi_lacunarity_plan *plan)
{
    double n_pixels = (double)plan->n[0] * (double)plan->n[1] * (double)plan->n[2];
    return n_pixels * (MASS_WORK + BOX_WORK * (double)plan->n_boxes);
}

rug_status rugi_lacunarity_cpu(rug_context *ctx, rugi_lacunarity_found *out,
                               const rugi_lacunarity_plan *plan,
                               const rugi_lacunarity_input *input)
{
    work w = {.plan = plan};
    rugi_lacunarity_set_kernels(&w.kernels, rug_context_cpu_level(ctx));
    rug_status status = RUG_OK;
    RUGI_WORK(ctx, work_of(plan), status, run(ctx, &w, input));
    if (status == RUG_OK)
        gather(out, &w);
    release(ctx, &w);
    return status;
}
