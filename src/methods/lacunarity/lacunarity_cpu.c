/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The engine of the processor: strips of rows of an image, or of slices of a volume, go to
 * threads, which add up boxes row by row. The mass of a box is a difference of sums over all
 * pixels above and to the left of its corners (Crow 1984). */

#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "lacunarity_plan.h"
#include <string.h>

/* Pixels times sizes that a thread does between two looks at cancellation. */
#define ROUND_PIXELS ((size_t)1 << 22)

/* Pixels times sizes below which more threads cost more than they help. */
#define SMALL_PIXELS ((size_t)1 << 18)

/* ---- The boxes that end in some rows of a plane, by one thread ---- */

/* What a strip keeps for one size. */
typedef struct track {
    const rugi_lacunarity_box *box;
    size_t begin; /* the first row that boxes hold */
    char *masses; /* sums over the rows of boxes, unless they come from the ring */
    char *inside; /* the same of the mask */
    rugi_lacunarity_sums sums;
} track;

typedef struct strip {
    const rugi_lacunarity_kernels *kernels;
    int is_fixed;
    size_t nx;
    rugi_lacunarity_rows masses, inside; /* of the plane, not owned */
    size_t first, end; /* boxes that end in rows first .. end - 1 count */
    size_t y;          /* the next row */
    size_t ring_rows[RUGI_LACUNARITY_TYPES], ring_begin[RUGI_LACUNARITY_TYPES];
    char *ring[RUGI_LACUNARITY_TYPES];
    size_t n_tracks;
    track *tracks;
} strip;

static size_t round_up(size_t n)
{
    return (n + RUGI_LACUNARITY_PAD - 1) / RUGI_LACUNARITY_PAD * RUGI_LACUNARITY_PAD;
}

static size_t tracks_bytes(size_t n_boxes)
{
    return round_up(n_boxes * sizeof(track));
}

/* Bytes of memory for a strip of some sizes. */
static size_t strip_bytes(const rugi_lacunarity_plan *plan, size_t first_box,
                          size_t n_boxes)
{
    size_t nx = plan->plane->n[2], n = tracks_bytes(n_boxes);
    size_t copies = plan->plane->inside.data != NULL ? 2 : 1;
    for (unsigned t = 1; t < RUGI_LACUNARITY_TYPES; t++)
        n += plan->ring_rows[t] * rugi_lacunarity_row_bytes(nx, t);
    for (size_t k = first_box; k < first_box + n_boxes; k++)
        if (!plan->boxes[k].is_ring)
            n += copies * rugi_lacunarity_row_bytes(nx, plan->boxes[k].type);
    return n;
}

/* Hands out memory for rows of sums; numbers begin after the first pad. */
static char *take(char **memory, size_t n_rows, size_t row_bytes)
{
    char *row = *memory + RUGI_LACUNARITY_PAD;
    *memory += n_rows * row_bytes;
    return row;
}

/* Makes a strip; its sums are 0.
 * @param memory  of strip_bytes(), aligned for vectors */
static void init_strip(strip *s, const rugi_lacunarity_plan *plan,
                       const rugi_lacunarity_kernels *kernels, size_t first_box,
                       size_t n_boxes, char *memory)
{
    memset(s, 0, sizeof *s);
    s->kernels = kernels;
    s->is_fixed = plan->is_fixed;
    s->nx = plan->plane->n[2];
    s->n_tracks = n_boxes;
    s->tracks = (track *)(void *)memory;
    memory += tracks_bytes(n_boxes);
    for (unsigned t = 1; t < RUGI_LACUNARITY_TYPES; t++) {
        s->ring_rows[t] = plan->ring_rows[t];
        s->ring[t] = take(&memory, s->ring_rows[t], rugi_lacunarity_row_bytes(s->nx, t));
    }
    for (size_t k = 0; k < n_boxes; k++) {
        const rugi_lacunarity_box *box = &plan->boxes[first_box + k];
        track *t = &s->tracks[k];
        size_t n = rugi_lacunarity_row_bytes(s->nx, box->type);
        *t = (track){.box = box};
        if (!box->is_ring)
            t->masses = take(&memory, 1, n);
        if (plan->plane->inside.data != NULL)
            t->inside = take(&memory, 1, n);
    }
}

/* The first row that boxes of e rows hold whose last row is `first` or a later one. */
static size_t begin_of(size_t first, size_t e)
{
    return first >= e - 1 ? first - (e - 1) : 0;
}

static void clear(char *row, size_t n_rows, size_t row_bytes)
{
    if (row != NULL)
        memset(row - RUGI_LACUNARITY_PAD, 0, n_rows * row_bytes);
}

/* Sets a strip on rows of a plane: boxes that end in rows first .. end - 1 count.
 * @param inside  without data: no mask */
static void begin_strip(strip *s, rugi_lacunarity_rows masses,
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
        s->y = rugi_smaller(s->y, s->ring_begin[t]);
        clear(s->ring[t], s->ring_rows[t], rugi_lacunarity_row_bytes(s->nx, t));
    }
    for (size_t k = 0; k < s->n_tracks; k++) {
        track *t = &s->tracks[k];
        t->begin = begin_of(first, t->box->e[1]);
        s->y = rugi_smaller(s->y, t->begin);
        size_t n = rugi_lacunarity_row_bytes(s->nx, t->box->type);
        clear(t->masses, 1, n);
        clear(t->inside, 1, n);
    }
}

static const char *row_of(const rugi_lacunarity_rows *rows, size_t y)
{
    return rows->data + y * rows->row_bytes;
}

/* The sums over all rows up to y from where the ring began; y + 1 = 0: none. */
static char *ring_row(const strip *s, unsigned type, size_t y)
{
    size_t i = (y + 1) % s->ring_rows[type];
    return s->ring[type] + i * rugi_lacunarity_row_bytes(s->nx, type);
}

static void add_to_rings(strip *s)
{
    for (unsigned t = 1; t < RUGI_LACUNARITY_TYPES; t++)
        if (s->ring_rows[t] > 0 && s->y >= s->ring_begin[t])
            s->kernels->accumulate[s->masses.type][t](
                ring_row(s, t, s->y), ring_row(s, t, s->y - 1), row_of(&s->masses, s->y),
                NULL, s->nx);
}

static rugi_lacunarity_row sums_of(const strip *s, const rugi_lacunarity_box *box,
                                   const void *now, const void *before)
{
    return (rugi_lacunarity_row){now, before, s->nx, box->e[2], box->most};
}

/* Moves sums over the rows of boxes on by a row. */
static void slide_along(const strip *s, const track *t, const rugi_lacunarity_rows *rows,
                        char *sums)
{
    size_t e = t->box->e[1];
    const void *old = s->y - t->begin >= e ? row_of(rows, s->y - e) : NULL;
    s->kernels->accumulate[rows->type][t->box->type](sums, sums, row_of(rows, s->y), old,
                                                     s->nx);
}

static void add_gliding(strip *s, track *t)
{
    const rugi_lacunarity_box *box = t->box;
    int counts = s->y >= s->first && s->y + 1 >= box->e[1];
    if (!box->is_ring)
        slide_along(s, t, &s->masses, t->masses);
    if (t->inside != NULL)
        slide_along(s, t, &s->inside, t->inside);
    if (!counts)
        return;
    rugi_lacunarity_row row = sums_of(s, box, t->masses, NULL);
    if (box->is_ring)
        row = sums_of(s, box, ring_row(s, box->type, s->y),
                      ring_row(s, box->type, s->y - box->e[1]));
    if (t->inside == NULL) {
        s->kernels->sum[box->type](&row, &t->sums);
    } else {
        rugi_lacunarity_row count = sums_of(s, box, t->inside, NULL);
        s->kernels->sum_full[box->type](&row, &count, box->full, &t->sums);
    }
}

static void add_column(const strip *s, const rugi_lacunarity_box *box,
                       const rugi_lacunarity_rows *rows, char *column)
{
    if (s->y % box->e[1] == 0)
        memset(column, 0, s->nx << box->type);
    s->kernels->slide[rows->type][box->type](column, row_of(rows, s->y), NULL, s->nx);
}

static void add_fixed(strip *s, track *t)
{
    const rugi_lacunarity_box *box = t->box;
    add_column(s, box, &s->masses, t->masses);
    if (t->inside != NULL)
        add_column(s, box, &s->inside, t->inside);
    if ((s->y + 1) % box->e[1] == 0 && s->y >= s->first)
        s->kernels->fixed[box->type](t->masses, t->inside, s->nx, box->e[2], box->full,
                                     &t->sums);
}

/* Adds the boxes that end in the next n rows, or in all that are left. */
static void add_rows(strip *s, size_t n)
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

/* ---- Strips to threads ---- */

/* What a thread has: a strip of rows of an image. Of a volume a strip of slices: sums over the
 * slices of boxes, which slide along z, and boxes in these as in an image. */
typedef struct slab {
    strip rows;
    size_t z, begin, first, end;         /* slices, as rows in a strip */
    rugi_lacunarity_rows masses, inside; /* one slice of sums */
} slab;

typedef struct work {
    const rugi_lacunarity_plan *plan;
    const rugi_lacunarity_box *box; /* of slabs */
    rugi_lacunarity_kernels kernels;
    size_t n_strips, step; /* step: rows or slices of a round */
    slab *slabs;
    char *memory;
} work;

static void add_sums(rugi_lacunarity_sums *to, const rugi_lacunarity_sums *from)
{
    to->positions += from->positions;
    to->mass += from->mass;
    rugi_lacunarity_add_square(to, from->square);
    to->square_high += from->square_high;
}

/* How many strips, and how much of each makes a round, of n rows or slices of some pixels. */
static void plan_strips(rug_context *ctx, work *w, size_t n, size_t pixels,
                        size_t n_boxes)
{
    size_t work_pixels = pixels * n_boxes, most = (n - 1) / 4 + 1;
    w->n_strips = (size_t)rug_context_threads(ctx);
    if (work_pixels * n < SMALL_PIXELS)
        w->n_strips = 1;
    w->n_strips = rugi_smaller(w->n_strips, most);
    w->step = ROUND_PIXELS / work_pixels + 1;
}

/* The first of n rows or slices that is strip i's. */
static size_t first_of(const work *w, size_t n, size_t i)
{
    return i * (n / w->n_strips) + rugi_smaller(i, n % w->n_strips);
}

static rug_status allocate(rug_context *ctx, work *w, size_t n_bytes)
{
    w->slabs =
        rug_context_allocate(ctx, w->n_strips, sizeof *w->slabs, "strips of boxes");
    if (w->slabs != NULL)
        memset(w->slabs, 0, w->n_strips * sizeof *w->slabs);
    w->memory = rug_context_allocate(ctx, w->n_strips, n_bytes, "sums over boxes");
    return w->slabs != NULL && w->memory != NULL ? RUG_OK : RUG_E_NOMEM;
}

static void release(rug_context *ctx, work *w)
{
    for (size_t i = 0; w->slabs != NULL && i < w->n_strips; i++) {
        rug_context_release(ctx, w->slabs[i].masses.data);
        rug_context_release(ctx, w->slabs[i].inside.data);
    }
    rug_context_release(ctx, w->memory);
    rug_context_release(ctx, w->slabs);
    w->memory = NULL;
    w->slabs = NULL;
}

/* Runs rounds until no strip has anything left.
 * @param rounds  of the longest strip */
static rug_status run_rounds(rug_context *ctx, work *w, rugi_task_fn task, size_t rounds)
{
    rug_status status = RUG_OK;
    for (size_t r = 0; r < rounds && status == RUG_OK; r++) {
        RUGI_PHASE(ctx, (double)r / (double)rounds, (double)(r + 1) / (double)rounds,
                   status, rugi_parallel_for(ctx, w->n_strips, task, w));
    }
    return status;
}

static void advance_strip(void *shared, size_t task, int thread)
{
    work *w = shared;
    (void)thread;
    add_rows(&w->slabs[task].rows, w->step);
}

static size_t rounds_of(size_t n, size_t step)
{
    return (n + step - 1) / step;
}

static rug_status run_image(rug_context *ctx, rugi_lacunarity_sums *out, work *w)
{
    const rugi_lacunarity_plan *plan = w->plan;
    const rugi_lacunarity_plane *p = plan->plane;
    size_t n_bytes = strip_bytes(plan, 0, plan->n_boxes), longest = 0;
    plan_strips(ctx, w, p->n[1], p->n[2], plan->n_boxes);
    rug_status status = allocate(ctx, w, n_bytes);
    if (status != RUG_OK)
        return status;
    for (size_t i = 0; i < w->n_strips; i++) {
        strip *s = &w->slabs[i].rows;
        init_strip(s, plan, &w->kernels, 0, plan->n_boxes, w->memory + i * n_bytes);
        begin_strip(s, p->masses, p->inside, first_of(w, p->n[1], i),
                    first_of(w, p->n[1], i + 1));
        longest = rugi_larger(longest, s->end - s->y);
    }
    status = run_rounds(ctx, w, advance_strip, rounds_of(longest, w->step));
    for (size_t i = 0; i < w->n_strips && status == RUG_OK; i++)
        for (size_t k = 0; k < plan->n_boxes; k++)
            add_sums(&out[k], &w->slabs[i].rows.tracks[k].sums);
    return status;
}

/* Moves a slice of sums on by the slice z. */
static void slide_slice(const work *w, const slab *s, const rugi_lacunarity_rows *from,
                        const rugi_lacunarity_rows *to)
{
    const size_t *n = w->plan->plane->n;
    size_t e = w->box->e[0];
    int is_fixed = w->plan->is_fixed;
    if (is_fixed && s->z % e == 0)
        memset(to->data, 0, n[1] * to->row_bytes);
    int has_old = !is_fixed && s->z - s->begin >= e;
    for (size_t y = 0; y < n[1]; y++) {
        const char *add = from->data + (s->z * n[1] + y) * from->row_bytes;
        const char *old = has_old ? add - e * n[1] * from->row_bytes : NULL;
        w->kernels.slide[from->type][to->type](to->data + y * to->row_bytes, add, old,
                                               n[2]);
    }
}

static void advance_slab(void *shared, size_t task, int thread)
{
    work *w = shared;
    slab *s = &w->slabs[task];
    const rugi_lacunarity_plane *p = w->plan->plane;
    size_t e = w->box->e[0];
    (void)thread;
    for (size_t n = w->step; n > 0 && s->z < s->end; n--, s->z++) {
        slide_slice(w, s, &p->masses, &s->masses);
        if (p->inside.data != NULL)
            slide_slice(w, s, &p->inside, &s->inside);
        int ends = w->plan->is_fixed ? (s->z + 1) % e == 0 : s->z + 1 >= e;
        if (s->z < s->first || !ends)
            continue;
        begin_strip(&s->rows, s->masses, s->inside, 0, p->n[1]);
        add_rows(&s->rows, p->n[1]);
    }
}

static rug_status begin_slab(rug_context *ctx, const work *w, slab *s, size_t first,
                             size_t end)
{
    const rugi_lacunarity_plane *p = w->plan->plane;
    size_t e = w->box->e[0];
    s->first = first;
    s->end = end;
    s->begin = s->z = begin_of(first, e);
    rug_status status =
        rugi_lacunarity_rows_new(ctx, &s->masses, p->n[1], p->n[2], w->box->type);
    if (status == RUG_OK && p->inside.data != NULL)
        status =
            rugi_lacunarity_rows_new(ctx, &s->inside, p->n[1], p->n[2], w->box->type);
    if (status == RUG_OK)
        memset(s->masses.data, 0, p->n[1] * s->masses.row_bytes);
    if (status == RUG_OK && s->inside.data != NULL)
        memset(s->inside.data, 0, p->n[1] * s->inside.row_bytes);
    return status;
}

/* One size in a volume. */
static rug_status run_size(rug_context *ctx, rugi_lacunarity_sums *out, work *w, size_t k)
{
    const rugi_lacunarity_plan *plan = w->plan;
    const size_t *n = plan->plane->n;
    size_t n_bytes = strip_bytes(plan, k, 1), longest = 0;
    w->box = &plan->boxes[k];
    plan_strips(ctx, w, n[0], n[1] * n[2], 1);
    rug_status status = allocate(ctx, w, n_bytes);
    for (size_t i = 0; i < w->n_strips && status == RUG_OK; i++) {
        slab *s = &w->slabs[i];
        init_strip(&s->rows, plan, &w->kernels, k, 1, w->memory + i * n_bytes);
        status = begin_slab(ctx, w, s, first_of(w, n[0], i), first_of(w, n[0], i + 1));
        longest = rugi_larger(longest, s->end - s->z);
    }
    if (status == RUG_OK)
        status = run_rounds(ctx, w, advance_slab, rounds_of(longest, w->step));
    for (size_t i = 0; i < w->n_strips && status == RUG_OK; i++)
        add_sums(&out[k], &w->slabs[i].rows.tracks[0].sums);
    release(ctx, w);
    return status;
}

rug_status rugi_lacunarity_cpu(rug_context *ctx, rugi_lacunarity_sums *out,
                               const char **engine, const rugi_lacunarity_plan *plan)
{
    work w = {.plan = plan};
    rug_status status = RUG_OK;
    rugi_lacunarity_set_kernels(&w.kernels, rug_context_cpu_level(ctx));
    *engine = w.kernels.name;
    memset(out, 0, plan->n_boxes * sizeof *out);
    if (plan->n_boxes == 0)
        return RUG_OK;
    if (plan->plane->n[0] == 1) {
        status = run_image(ctx, out, &w);
        release(ctx, &w);
        return status;
    }
    for (size_t k = 0; k < plan->n_boxes && status == RUG_OK; k++) {
        RUGI_PHASE(ctx, (double)k / (double)plan->n_boxes,
                   (double)(k + 1) / (double)plan->n_boxes, status,
                   run_size(ctx, out, &w, k));
    }
    return status;
}
