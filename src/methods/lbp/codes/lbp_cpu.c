/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The engine of the processor: chooses arithmetic and tiles for a job, makes the workers,
 * and gives tiles to threads. */

#include "core/context/small.h"
#include "core/context/threads.h"
#include "core/image/image_internal.h"
#include "lbp_tile.h"
#include <string.h>

/* The most rows of a band, and the least for each row that circles reach: the rows above and
 * below a band are read once more for it. */
#define BAND         256
#define BAND_PER_ROW 8

/* So many tasks for each thread end at about the same time. */
#define TASKS_PER_THREAD 4

/* ---- What all workers of a job share ---- */

static int is_between_rows(const rugi_lbp_point *p)
{
    return p->top != p->bottom;
}

static void group_points(rugi_lbp_work *work, uint32_t i)
{
    const rugi_lbp_operator *op = &work->job->plan->op[i];
    for (int between = 1; between >= 0; between--)
        for (uint32_t point = 0; point < op->points; point++) {
            rugi_lbp_group *g = &work->group[i][op->point[point].column];
            if (is_between_rows(&op->point[point]) != between)
                continue;
            g->point[g->n++] = (uint8_t)point;
            g->n_two_rows += between;
            work->row_weight[i][point] =
                rugi_lbp_weight(work->rule, op->point[point].row_weight);
        }
}

static int is_short(rug_dtype dtype)
{
    return dtype <= RUG_I16;
}

/* Nearest pixels are compared as they are, and short ones are exact as floats. */
static void choose_arithmetic(rugi_lbp_work *work)
{
    const rugi_lbp_plan *plan = work->job->plan;
    rug_dtype dtype = work->job->rows.dtype;
    work->needs_variance = plan->has_joint || plan->method == RUG_LBP_VAR;
    work->rule = plan->exact;
    if (plan->is_nearest && is_short(dtype) && !work->needs_variance)
        work->rule = RUG_LBP_EXACT_FLOAT;
    work->is_float = work->rule == RUG_LBP_EXACT_FLOAT;
    work->is_strict = !plan->is_nearest && (dtype == RUG_F32 || dtype == RUG_F64);
    work->has_centres = work->rule == RUG_LBP_EXACT_DECIMAL ||
                        (work->rule == RUG_LBP_EXACT_SKIMAGE && work->is_strict);
}

static void choose_tiles(rug_context *ctx, rugi_lbp_work *work)
{
    const rugi_lbp_job *job = work->job;
    size_t reach = job->plan->above + job->plan->below, rows = job->to - job->from;
    size_t n_tasks = TASKS_PER_THREAD * (size_t)rug_context_threads(ctx);
    work->n_tiles = (job->rows.shape[1] - 1) / RUGI_LBP_TILE + 1;
    size_t bands = (n_tasks - 1) / work->n_tiles + 1;
    work->band = (rows - 1) / bands + 1;
    work->band = rugi_smaller(work->band, BAND);
    work->band = rugi_larger(work->band, BAND_PER_ROW * reach + 1);
    work->n_bands = (rows - 1) / work->band + 1;
}

static void prepare(rug_context *ctx, rugi_lbp_work *work)
{
    const rugi_lbp_job *job = work->job;
    const rugi_lbp_plan *plan = job->plan;
    rugi_lbp_set_kernels(&work->kernels, rug_context_cpu_level(ctx));
    choose_arithmetic(work);
    choose_tiles(ctx, work);
    work->volume = rugi_image_with_z(&job->rows);
    work->n_kept_rows = plan->above + plan->below + 1;
    if (work->needs_variance) /* it is made with the codes, when samples below are there */
        work->n_kept_rows += plan->above;
    for (uint32_t i = 0; i < plan->n_operators; i++) {
        work->before = rugi_larger(work->before, plan->op[i].before);
        work->behind = rugi_larger(work->behind, plan->op[i].behind);
        group_points(work, i);
    }
    /* Whole lines of the cache: vectors of centres lie in one, and those of samples in two
     * that can be read. */
    work->before = (work->before + 15) / 16 * 16;
    work->behind = rugi_larger((work->behind + 15) / 16, 1) * 16;
}

/* ---- Workers ---- */

/* Hands out aligned pieces of the worker's memory; of none, counts their bytes. */
typedef struct pieces {
    char *memory;
    size_t used;
} pieces;

static void *take(pieces *p, size_t n, size_t size)
{
    void *piece = p->memory != NULL ? p->memory + p->used : NULL;
    p->used += (n * size + 63) / 64 * 64;
    return piece;
}

static void take_state(pieces *p, rugi_lbp_state *state, const rugi_lbp_work *work,
                       uint32_t i)
{
    const rugi_lbp_operator *op = &work->job->plan->op[i];
    size_t pixels = (size_t)op->n_columns * RUGI_LBP_TILE;
    for (int k = 0; k < 2; k++)
        state->kept[k] = take(p, pixels, rugi_lbp_pixel_size(work));
    state->weights = take(p, pixels, sizeof *state->weights);
    state->row_mask = 1;
    while (state->row_mask < op->above + op->below + 1)
        state->row_mask *= 2;
    state->planes = take(p, state->row_mask * op->points, sizeof *state->planes);
    state->row_mask--;
    state->counts = NULL;
    state->n_counters =
        rugi_lbp_counters(work->job->plan->method, op, work->job->bins[i] != NULL);
    if (work->job->counts[i] != NULL)
        state->counts = take(p, op->n_bins * state->n_counters, sizeof *state->counts);
}

static size_t take_all(rugi_lbp_worker *w, const rugi_lbp_work *work, char *memory)
{
    const rugi_lbp_plan *plan = work->job->plan;
    pieces p = {memory, 0};
    w->rows =
        take(&p, work->n_kept_rows * rugi_lbp_row_width(work), rugi_lbp_pixel_size(work));
    if (work->has_centres)
        w->centres =
            take(&p, work->n_kept_rows * RUGI_LBP_TILE, rugi_lbp_pixel_size(work));
    w->scratch = take(&p, rugi_lbp_row_width(work), sizeof(uint64_t));
    for (uint32_t i = 0; i < plan->n_operators; i++)
        take_state(&p, &w->state[i], work, i);
    return p.used;
}

/* Bytes of a worker's memory. SIZE_MAX: more than an address */
static size_t worker_bytes(const rugi_lbp_work *work)
{
    rugi_lbp_worker w;
    return take_all(&w, work, NULL);
}

/* @param memory  of worker_bytes(), aligned */
static void init_worker(rugi_lbp_worker *w, const rugi_lbp_work *work, char *memory)
{
    memset(w, 0, sizeof *w);
    w->work = work;
    memset(memory, 0, take_all(w, work, memory));
}

static void code_tile(void *workers, size_t task, int thread)
{
    rugi_lbp_code_tile((rugi_lbp_worker *)workers + thread, task);
}

static void add_counts(const rugi_lbp_job *job, const rugi_lbp_worker *w)
{
    for (uint32_t i = 0; i < job->plan->n_operators; i++) {
        const rugi_lbp_state *state = &w->state[i];
        size_t n = (size_t)job->plan->op[i].n_bins * state->n_counters;
        for (size_t k = 0; k < n && job->counts[i] != NULL; k++)
            job->counts[i][k / state->n_counters] += state->counts[k];
    }
}

static rug_status code_tiles(rug_context *ctx, rugi_lbp_work *work, rugi_lbp_job *job)
{
    size_t n_tasks = work->n_tiles * work->n_bands;
    size_t n_workers = (size_t)rugi_loop_threads(ctx, n_tasks);
    size_t n_bytes = worker_bytes(work);
    rug_status status = RUG_E_NOMEM;
    rugi_lbp_worker *workers =
        rug_context_allocate(ctx, n_workers, sizeof *workers, "workers of patterns");
    char *memory = rug_context_allocate(ctx, n_workers, n_bytes, "rows of patterns");
    if (workers == NULL || memory == NULL)
        goto done;
    for (size_t t = 0; t < n_workers; t++)
        init_worker(&workers[t], work, memory + t * n_bytes);
    status = rugi_parallel_for(ctx, n_tasks, code_tile, workers);
    for (size_t t = 0; t < n_workers && status == RUG_OK; t++)
        add_counts(job, &workers[t]);
done:
    rug_context_release(ctx, memory);
    rug_context_release(ctx, workers);
    return status;
}

static rug_status run(rug_context *ctx, rugi_lbp_work *work, rugi_lbp_job *job)
{
    prepare(ctx, work);
    return code_tiles(ctx, work, job);
}

/* Nanoseconds of work for each pixel and operator, at least. */
#define PIXEL_WORK 1.0

static double work_of(const rugi_lbp_job *j)
{
    return PIXEL_WORK * (double)(j->to - j->from) * (double)j->rows.shape[1] *
           (double)j->plan->n_operators;
}

rug_status rugi_lbp_cpu(rug_context *ctx, void *job)
{
    rugi_lbp_job *j = job;
    rugi_lbp_work *work = rug_context_allocate(ctx, 1, sizeof *work, "the work of a job");
    if (work == NULL)
        return RUG_E_NOMEM;
    memset(work, 0, sizeof *work);
    work->job = j;
    rug_status status = RUG_OK;
    RUGI_WORK(ctx, work_of(j), status, run(ctx, work, j));
    j->engine = work->kernels.name;
    rug_context_release(ctx, work);
    return status;
}
