/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A call at work: rows go to an engine in chunks, whose codes are shown and whose bins are
 * counted. */

#include "lbp_run.h"
#include <string.h>

/* Bytes of codes and bins that are kept at once, about. */
#define CHUNK_BYTES ((size_t)32 << 20)

/* Circles reach above and below a chunk, so it has 4 times the rows that they reach, but
 * not more bytes than so many times CHUNK_BYTES. */
#define MOST_CHUNKS 16

/* Where in a chunk's work the engine ends, and the mask. */
#define ENGINE_SHARE 0.8
#define MASK_SHARE   0.9

/* Where pixels are counted one by one, since not all of an image count alike. */
static int needs_bins(const rugi_lbp_run *run, uint32_t i)
{
    return (run->has_mask || run->regions != NULL) && run->plan.op[i].n_bins > 0;
}

static rug_status check_use(rug_context *ctx, const rugi_lbp_run *run)
{
    const rugi_lbp_plan *plan = &run->plan;
    rug_status status = RUG_OK;
    for (uint32_t i = 0; i < plan->n_operators && status == RUG_OK; i++) {
        if (run->opts->map != NULL)
            status = rugi_lbp_plan_check_map(ctx, plan, i);
        else if (plan->op[i].n_bins == 0)
            return rug_context_fail(
                ctx, RUG_E_ARG,
                "no histogram of method '%s' with %u points and %u cuts: VAR needs cuts, "
                "and at most %d bins are counted; ask for a map, or for fewer points",
                rug_lbp_method_name(plan->method), plan->op[i].points, plan->op[i].n_cuts,
                RUG_LBP_MAX_BINS);
    }
    return status;
}

static void choose_chunk(rugi_lbp_run *run)
{
    size_t pixel = 0, reach = run->plan.above + run->plan.below;
    for (uint32_t i = 0; i < run->plan.n_operators; i++) {
        if (run->opts->map != NULL)
            pixel += rug_dtype_size(run->plan.op[i].code_dtype);
        if (needs_bins(run, i))
            pixel += sizeof *run->bins[i];
    }
    run->chunk = run->ny;
    if (pixel == 0)
        return;
    size_t n = CHUNK_BYTES / pixel / run->nx;
    size_t most = MOST_CHUNKS * CHUNK_BYTES / pixel / run->nx;
    n = n > 4 * reach ? n : 4 * reach < most ? 4 * reach : most;
    run->chunk = n < 1 ? 1 : n < run->ny ? n : run->ny;
}

/* Memory for a chunk's rows; their product may be more than an address. */
static int allocate_rows(rug_context *ctx, const rugi_lbp_run *run, void **out,
                         size_t size, const char *what)
{
    *out = rug_context_allocate(ctx, run->nx, run->chunk * size, what);
    return *out != NULL;
}

static rug_status allocate(rug_context *ctx, rugi_lbp_run *run)
{
    int is_there = 1;
    choose_chunk(run);
    for (uint32_t i = 0; i < run->plan.n_operators && is_there; i++) {
        void *bins = NULL;
        if (run->opts->map != NULL)
            is_there = allocate_rows(ctx, run, &run->codes[i],
                                     rug_dtype_size(run->plan.op[i].code_dtype), "codes");
        if (is_there && needs_bins(run, i))
            is_there =
                allocate_rows(ctx, run, &bins, sizeof *run->bins[i], "bins of pixels");
        run->bins[i] = bins;
    }
    if (run->regions == NULL || !is_there)
        return is_there ? RUG_OK : RUG_E_NOMEM;
    size_t n = rug_regions_count(run->regions);
    run->cursors = rug_context_allocate(ctx, n, sizeof *run->cursors, "runs of labels");
    if (run->cursors == NULL)
        return RUG_E_NOMEM;
    memset(run->cursors, 0, n * sizeof *run->cursors);
    return RUG_OK;
}

rug_status rugi_lbp_run_begin(rug_context *ctx, rugi_lbp_run *run)
{
    rug_status status = rugi_lbp_plan_make(ctx, &run->plan, run->opts);
    if (status == RUG_OK)
        status = check_use(ctx, run);
    if (status == RUG_OK)
        status = rugi_lbp_plan_make_tables(ctx, &run->plan);
    if (status == RUG_OK)
        status = rugi_lbp_result_new(ctx, &run->result, &run->plan, run->regions);
    return status == RUG_OK ? allocate(ctx, run) : status;
}

void rugi_lbp_run_end(rug_context *ctx, rugi_lbp_run *run)
{
    for (uint32_t i = 0; i < RUG_LBP_MAX_OPERATORS; i++) {
        rug_context_release(ctx, run->bins[i]);
        rug_context_release(ctx, run->codes[i]);
    }
    rug_context_release(ctx, run->cursors);
    rugi_lbp_plan_free(ctx, &run->plan);
}

static void make_job(rugi_lbp_job *job, const rugi_lbp_run *run,
                     const rugi_lbp_part *part)
{
    *job = (rugi_lbp_job){.plan = &run->plan,
                          .rows = part->rows,
                          .first_row = part->first_row,
                          .ny = run->ny};
    for (uint32_t i = 0; i < run->plan.n_operators; i++) {
        job->codes[i] = run->codes[i];
        job->bins[i] = run->bins[i];
        if (run->plan.op[i].n_bins > 0 && run->bins[i] == NULL)
            job->counts[i] = (uint64_t *)run->result->histograms[i].bins;
    }
}

static rug_status show(const rugi_lbp_run *run, const rugi_lbp_part *part, size_t from,
                       size_t to)
{
    rug_status status = RUG_OK;
    for (uint32_t i = 0; i < run->plan.n_operators && status == RUG_OK; i++) {
        rug_lbp_rows rows = {.op = i,
                             .slice = part->slice,
                             .first = from,
                             .n = to - from,
                             .nx = run->nx,
                             .dtype = run->plan.op[i].code_dtype,
                             .codes = run->codes[i]};
        status = run->opts->map(run->opts->map_user, &rows);
    }
    return status;
}

/* What is counted pixel by pixel, after the engine. */
static rug_status count(rug_context *ctx, rugi_lbp_run *run, const rugi_lbp_part *part,
                        const rugi_lbp_job *job)
{
    rug_status status = RUG_OK;
    rugi_phase outer = rugi_phase_enter(ctx, ENGINE_SHARE, MASK_SHARE);
    if (run->has_mask)
        status = rugi_lbp_apply_mask(ctx, run, part, job->from, job->to);
    rugi_phase_leave(ctx, outer);
    outer = rugi_phase_enter(ctx, MASK_SHARE, 1);
    if (status == RUG_OK && (run->has_mask || run->regions != NULL))
        status = rugi_lbp_count_bins(ctx, run, part->slice, job->from, job->to);
    rugi_phase_leave(ctx, outer);
    return status;
}

static rug_status run_chunk(rug_context *ctx, rugi_lbp_run *run,
                            const rugi_lbp_part *part, rugi_lbp_job *job)
{
    int is_engine_all = !run->has_mask && run->regions == NULL;
    rugi_phase outer = rugi_phase_enter(ctx, 0, is_engine_all ? 1 : ENGINE_SHARE);
    rug_status status = rugi_lbp_run_engine(ctx, job);
    rugi_phase_leave(ctx, outer);
    if (status == RUG_OK)
        status = count(ctx, run, part, job);
    if (status == RUG_OK && run->opts->map != NULL)
        status = show(run, part, job->from, job->to);
    return status;
}

rug_status rugi_lbp_run_part(rug_context *ctx, rugi_lbp_run *run,
                             const rugi_lbp_part *part)
{
    rugi_lbp_job job;
    make_job(&job, run, part);
    rug_status status = RUG_OK;
    double all = (double)(part->to - part->from);
    for (size_t y = part->from; y < part->to && status == RUG_OK; y = job.to) {
        job.from = y;
        job.to = part->to - y < run->chunk ? part->to : y + run->chunk;
        rugi_phase outer = rugi_phase_enter(ctx, (double)(y - part->from) / all,
                                            (double)(job.to - part->from) / all);
        status = run_chunk(ctx, run, part, &job);
        rugi_phase_leave(ctx, outer);
    }
    run->result->engine = job.engine != NULL ? job.engine : run->result->engine;
    return status;
}
