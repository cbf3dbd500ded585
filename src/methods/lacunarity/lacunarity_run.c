/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The processor's work: strips of rows of an image, of slices of a volume, to threads. */

#include "core/context/context_internal.h"
#include "core/context/threads.h"
#include "lacunarity_strip.h"
#include <string.h>

/* Pixels times sizes that a thread does between two looks at cancellation. */
#define ROUND_PIXELS ((size_t)1 << 22)

/* Pixels times sizes below which more threads cost more than they help. */
#define SMALL_PIXELS ((size_t)1 << 18)

/* A strip of slices: sums over the slices of boxes, and boxes in these as in an image. */
typedef struct slab {
    rugi_lacunarity_strip strip;
    size_t z, begin, first, end;         /* as in a strip */
    rugi_lacunarity_rows masses, inside; /* one slice of sums */
} slab;

typedef struct work {
    const rugi_lacunarity_plan *plan;
    const rugi_lacunarity_lane *lane; /* of slabs */
    rugi_lacunarity_kernels kernels;
    size_t n_strips, step; /* rows or slices of a round */
    slab *slabs;
    char *memory;
} work;

static void choose_kernels(rug_context *ctx, rugi_lacunarity_kernels *kernels)
{
    rugi_lacunarity_kernels_ref(kernels);
#ifdef RUGI_HAVE_X86_KERNELS
    if (rug_context_cpu_level(ctx) >= RUG_CPU_AVX2)
        rugi_lacunarity_kernels_avx2(kernels);
    if (rug_context_cpu_level(ctx) >= RUG_CPU_AVX512)
        rugi_lacunarity_kernels_avx512(kernels);
#else
    (void)ctx;
#endif
}

static void add_sums(rugi_lacunarity_sums *to, const rugi_lacunarity_sums *from)
{
    to->positions += from->positions;
    to->mass += from->mass;
    rugi_lacunarity_add_square(to, from->square);
    to->square_high += from->square_high;
}

/* How many strips, and how much of each makes a round, of n rows or slices of some pixels. */
static void plan_strips(rug_context *ctx, work *w, size_t n, size_t pixels,
                        size_t n_lanes)
{
    size_t work_pixels = pixels * n_lanes, most = (n - 1) / 4 + 1;
    w->n_strips = (size_t)rug_context_threads(ctx);
    if (work_pixels * n < SMALL_PIXELS)
        w->n_strips = 1;
    w->n_strips = w->n_strips < most ? w->n_strips : most;
    w->step = ROUND_PIXELS / work_pixels + 1;
}

static rug_status allocate(rug_context *ctx, work *w, size_t strip_bytes)
{
    w->slabs =
        rug_context_allocate(ctx, w->n_strips, sizeof *w->slabs, "strips of boxes");
    if (w->slabs != NULL)
        memset(w->slabs, 0, w->n_strips * sizeof *w->slabs);
    w->memory = rug_context_allocate(ctx, w->n_strips, strip_bytes, "sums over boxes");
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
        rugi_phase outer = rugi_phase_enter(ctx, (double)r / (double)rounds,
                                            (double)(r + 1) / (double)rounds);
        status = rugi_parallel_for(ctx, w->n_strips, task, w);
        rugi_phase_leave(ctx, outer);
    }
    return status;
}

static void advance_strip(void *shared, size_t task, int thread)
{
    work *w = shared;
    (void)thread;
    rugi_lacunarity_strip_advance(&w->slabs[task].strip, w->step);
}

static size_t rounds_of(size_t n, size_t step)
{
    return (n + step - 1) / step;
}

static rug_status run_image(rug_context *ctx, rugi_lacunarity_sums *out, work *w)
{
    const rugi_lacunarity_plan *plan = w->plan;
    const rugi_lacunarity_plane *p = plan->plane;
    size_t n_bytes = rugi_lacunarity_strip_bytes(plan, 0, plan->n_lanes), longest = 0;
    plan_strips(ctx, w, p->n[1], p->n[2], plan->n_lanes);
    rug_status status = allocate(ctx, w, n_bytes);
    if (status != RUG_OK)
        return status;
    for (size_t i = 0; i < w->n_strips; i++) {
        rugi_lacunarity_strip *s = &w->slabs[i].strip;
        size_t share = p->n[1] / w->n_strips, rest = p->n[1] % w->n_strips;
        size_t first = i * share + (i < rest ? i : rest);
        rugi_lacunarity_strip_init(s, plan, &w->kernels, 0, plan->n_lanes,
                                   w->memory + i * n_bytes);
        rugi_lacunarity_strip_begin(s, p->masses, p->inside, first,
                                    first + share + (i < rest));
        longest = s->end - s->y > longest ? s->end - s->y : longest;
    }
    status = run_rounds(ctx, w, advance_strip, rounds_of(longest, w->step));
    for (size_t i = 0; i < w->n_strips && status == RUG_OK; i++)
        for (size_t k = 0; k < plan->n_lanes; k++)
            add_sums(&out[k], &w->slabs[i].strip.tracks[k].sums);
    return status;
}

/* Moves a slice of sums on by the slice z. */
static void slide_slice(const work *w, const slab *s, const rugi_lacunarity_rows *from,
                        const rugi_lacunarity_rows *to)
{
    const size_t *n = w->plan->plane->n;
    size_t e = w->lane->e[0];
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
    size_t e = w->lane->e[0];
    (void)thread;
    for (size_t n = w->step; n > 0 && s->z < s->end; n--, s->z++) {
        slide_slice(w, s, &p->masses, &s->masses);
        if (p->inside.data != NULL)
            slide_slice(w, s, &p->inside, &s->inside);
        int ends = w->plan->is_fixed ? (s->z + 1) % e == 0 : s->z + 1 >= e;
        if (s->z < s->first || !ends)
            continue;
        rugi_lacunarity_strip_begin(&s->strip, s->masses, s->inside, 0, p->n[1]);
        rugi_lacunarity_strip_advance(&s->strip, p->n[1]);
    }
}

static rug_status begin_slab(rug_context *ctx, const work *w, slab *s, size_t first,
                             size_t end)
{
    const rugi_lacunarity_plane *p = w->plan->plane;
    size_t e = w->lane->e[0];
    s->first = first;
    s->end = end;
    s->begin = s->z = first >= e - 1 ? first - (e - 1) : 0;
    rug_status status =
        rugi_lacunarity_rows_new(ctx, &s->masses, p->n[1], p->n[2], w->lane->type);
    if (status == RUG_OK && p->inside.data != NULL)
        status =
            rugi_lacunarity_rows_new(ctx, &s->inside, p->n[1], p->n[2], w->lane->type);
    if (status == RUG_OK)
        memset(s->masses.data, 0, p->n[1] * s->masses.row_bytes);
    if (status == RUG_OK && s->inside.data != NULL)
        memset(s->inside.data, 0, p->n[1] * s->inside.row_bytes);
    return status;
}

/* One size in a volume. */
static rug_status run_lane(rug_context *ctx, rugi_lacunarity_sums *out, work *w, size_t k)
{
    const rugi_lacunarity_plan *plan = w->plan;
    const size_t *n = plan->plane->n;
    size_t n_bytes = rugi_lacunarity_strip_bytes(plan, k, 1), longest = 0;
    w->lane = &plan->lanes[k];
    plan_strips(ctx, w, n[0], n[1] * n[2], 1);
    rug_status status = allocate(ctx, w, n_bytes);
    for (size_t i = 0; i < w->n_strips && status == RUG_OK; i++) {
        slab *s = &w->slabs[i];
        size_t share = n[0] / w->n_strips, rest = n[0] % w->n_strips;
        size_t first = i * share + (i < rest ? i : rest);
        rugi_lacunarity_strip_init(&s->strip, plan, &w->kernels, k, 1,
                                   w->memory + i * n_bytes);
        status = begin_slab(ctx, w, s, first, first + share + (i < rest));
        longest = s->end - s->z > longest ? s->end - s->z : longest;
    }
    if (status == RUG_OK)
        status = run_rounds(ctx, w, advance_slab, rounds_of(longest, w->step));
    for (size_t i = 0; i < w->n_strips && status == RUG_OK; i++)
        add_sums(&out[k], &w->slabs[i].strip.tracks[0].sums);
    release(ctx, w);
    return status;
}

rug_status rugi_lacunarity_run(rug_context *ctx, rugi_lacunarity_sums *out,
                               const char **engine, const rugi_lacunarity_plan *plan)
{
    work w = {.plan = plan};
    rug_status status = RUG_OK;
    choose_kernels(ctx, &w.kernels);
    *engine = w.kernels.name;
    memset(out, 0, plan->n_lanes * sizeof *out);
    if (plan->n_lanes == 0)
        return RUG_OK;
    if (plan->plane->n[0] == 1) {
        status = run_image(ctx, out, &w);
        release(ctx, &w);
        return status;
    }
    for (size_t k = 0; k < plan->n_lanes && status == RUG_OK; k++) {
        rugi_phase outer = rugi_phase_enter(ctx, (double)k / (double)plan->n_lanes,
                                            (double)(k + 1) / (double)plan->n_lanes);
        status = run_lane(ctx, out, &w, k);
        rugi_phase_leave(ctx, outer);
    }
    return status;
}
