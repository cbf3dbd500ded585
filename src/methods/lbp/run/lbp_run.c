/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A call at work: rows go to an engine in chunks, whose codes are shown to the caller and
 * whose bins are counted. The engine counts bins itself unless there is a mask or labels,
 * when pixels are counted here one by one. */

#include "lbp_run.h"
#include "core/context/engine.h"
#include "core/context/sized.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "core/image/image_internal.h"
#include "core/image/predicate.h"
#include <string.h>

/* Bytes of codes and bins that are kept at once, about. */
#define CHUNK_BYTES ((size_t)32 << 20)

/* Circles reach above and below a chunk, so it has 4 times the rows that they reach, but
 * not more bytes than so many times CHUNK_BYTES. */
#define MOST_CHUNKS 16

/* Where in a chunk's work the engine ends, and the mask. */
#define ENGINE_SHARE 0.8
#define MASK_SHARE   0.9

/* So many tasks for each thread end at about the same time. */
#define TASKS_PER_THREAD 16

/* `auto` takes no device: what one gains over many processors is not known, and double
 * precision is slow on most. */
static const rugi_engine engines[] = {
#ifdef RUGI_HAVE_OPENCL
    {"opencl", RUGI_DEVICE_OPENCL, rugi_lbp_opencl, rugi_engine_only_by_name},
#endif
    {"cpu", RUGI_DEVICE_CPU, rugi_lbp_cpu, NULL},
};

rug_status rug_lbp_check_options(rug_context *ctx, const rug_lbp_options *opts)
{
    rug_lbp_options own = RUG_LBP_OPTIONS_INIT;
    if (ctx == NULL)
        return RUG_E_ARG;
    rug_status status = RUGI_TAKE(ctx, &own, opts, "rug_lbp_options");
    if (status == RUG_OK)
        status = rugi_lbp_plan_check(ctx, &own);
    if (status != RUG_OK)
        return status;
    if (own.interpolation == RUG_LBP_HARDWARE && ctx->device != RUGI_DEVICE_OPENCL)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "the interpolation 'hardware' is that of an OpenCL device, "
            "and not of the processor: choose the device 'opencl', or the "
            "interpolation 'bilinear'");
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++)
        if (ctx->device == RUGI_DEVICE_AUTO || engines[i].device == ctx->device)
            return RUG_OK;
    return rugi_engine_cpu_only(ctx, "coding local binary patterns");
}

/* ---- The result ---- */

/* Makes the histograms of one label, whose bins begin at *bins, and moves *bins past them. */
static void make_label(rug_lbp_histogram *h, const rugi_lbp_plan *plan, uint64_t **bins)
{
    for (uint32_t i = 0; i < plan->n_operators; i++) {
        h[i] = (rug_lbp_histogram){.op = i, .n_bins = plan->op[i].n_bins, .bins = *bins};
        *bins += plan->op[i].n_bins;
    }
}

static rug_status make_histograms(rug_context *ctx, rug_lbp_result *r,
                                  const rugi_lbp_plan *plan, size_t n_labels)
{
    size_t n_bins = 0;
    for (uint32_t i = 0; i < plan->n_operators; i++)
        n_bins += plan->op[i].n_bins;
    r->histograms = rug_context_allocate(
        ctx, n_labels, plan->n_operators * sizeof *r->histograms, "histograms");
    r->bins = rug_context_allocate(ctx, n_labels, n_bins * sizeof *r->bins,
                                   "bins of histograms");
    if (r->histograms == NULL || r->bins == NULL)
        return RUG_E_NOMEM;
    memset(r->bins, 0, n_labels * n_bins * sizeof *r->bins);
    r->facts.n_histograms = n_labels * plan->n_operators;
    r->facts.n_operators = plan->n_operators;
    uint64_t *bins = r->bins;
    for (size_t k = 0; k < n_labels; k++)
        make_label(r->histograms + k * plan->n_operators, plan, &bins);
    return RUG_OK;
}

rug_status rugi_lbp_result_new(rug_context *ctx, rug_lbp_result **out,
                               const rugi_lbp_plan *plan, int has_labels, size_t n_labels)
{
    *out = NULL;
    rug_lbp_result *r = rug_context_allocate(ctx, 1, sizeof *r, "a result");
    if (r == NULL)
        return RUG_E_NOMEM;
    *r = (rug_lbp_result){.ctx = ctx, .facts = {.engine = "none"}};
    rug_status status = make_histograms(ctx, r, plan, has_labels ? n_labels : 1);
    r->facts.n_labels = has_labels ? n_labels : 0;
    if (status == RUG_OK)
        *out = r;
    else
        rug_lbp_free(r);
    return status;
}

/* Histograms of zeros, by labels where there are any. */
static rug_status make_result(rug_context *ctx, rugi_lbp_run *run)
{
    const rug_regions *regions = run->regions;
    size_t n_labels = rug_regions_count(regions);
    rug_status status =
        rugi_lbp_result_new(ctx, &run->result, &run->plan, regions != NULL, n_labels);
    for (size_t i = 0; status == RUG_OK && i < run->result->facts.n_histograms; i++)
        if (regions != NULL)
            run->result->histograms[i].label =
                rug_regions_at(regions, i / run->plan.n_operators)->label;
    return status;
}

void rugi_lbp_result_close(rug_lbp_result *result)
{
    for (size_t i = 0; i < result->facts.n_histograms; i++) {
        rug_lbp_histogram *h = &result->histograms[i];
        for (uint32_t b = 0; b < h->n_bins; b++)
            h->pixels += h->bins[b];
    }
    rugi_context_set_engine(result->ctx, result->facts.engine);
}

void rug_lbp_free(rug_lbp_result *result)
{
    if (result == NULL)
        return;
    rug_context *ctx = result->ctx;
    rug_context_release(ctx, result->bins);
    rug_context_release(ctx, result->histograms);
    rug_context_release(ctx, result);
}

const rug_lbp_facts *rug_lbp_get_facts(const rug_lbp_result *result)
{
    return result != NULL ? &result->facts : NULL;
}

const rug_lbp_histogram *rug_lbp_at(const rug_lbp_result *result, size_t i)
{
    return result != NULL && i < result->facts.n_histograms ? &result->histograms[i]
                                                            : NULL;
}

/* ---- The beginning and the end of a call ---- */

/* Whether pixels are counted one by one, since not all of an image count alike. */
static int counts_pixels(const rugi_lbp_run *run)
{
    return run->has_mask || run->regions != NULL || run->plan.leaves_out_nan;
}

static int needs_bins(const rugi_lbp_run *run, uint32_t i)
{
    return counts_pixels(run) && run->plan.op[i].n_bins > 0;
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
                "and a histogram has at most %d bins; request a map, or fewer points",
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
    n = rugi_larger(n, rugi_smaller(4 * reach, most));
    run->chunk = rugi_larger(rugi_smaller(n, run->ny), 1);
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
        status = make_result(ctx, run);
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

/* ---- Counting pixel by pixel, for masks and labels ---- */

/* Rows, or labels, that tasks share among them. */
typedef struct share {
    const rugi_lbp_run *run;
    size_t from, to;  /* rows of the image that the bins are of */
    size_t n, n_each; /* rows or labels, of all tasks and of one */
    rug_image mask;   /* with an axis z */
    size_t first_row; /* of the mask */
    char *scratch;    /* [threads][RUGI_SEGMENT_PIXELS] pixels of any dtype */
    uint64_t *counts; /* [threads][n_counts], and up to the end of a cache line */
    size_t n_counts, counts_step;
    size_t slice;
} share;

static size_t divide(rug_context *ctx, share *s, size_t n)
{
    size_t n_threads = (size_t)rug_context_threads(ctx);
    size_t n_tasks = n_threads > 1 ? TASKS_PER_THREAD * n_threads : 1;
    s->n = n;
    s->n_each = n > 0 ? (n - 1) / n_tasks + 1 : 1;
    return n > 0 ? (n - 1) / s->n_each + 1 : 0;
}

/* Nanoseconds of work for each pixel and operator. */
#define PIXEL_WORK 0.5

static double work_of(const rugi_lbp_run *run, size_t n_rows)
{
    return PIXEL_WORK * (double)n_rows * (double)run->nx * (double)run->plan.n_operators;
}

static size_t end_of_task(const share *s, size_t task)
{
    size_t begin = task * s->n_each;
    return begin + rugi_smaller(s->n - begin, s->n_each);
}

/* Inside is what is neither 0 nor NaN. */
static void drop_outside(uint32_t *bins, const uint8_t *inside, size_t n)
{
    for (size_t x = 0; x < n; x++)
        bins[x] = inside[x] ? bins[x] : RUGI_LBP_NO_BIN;
}

static void mask_row(const share *s, size_t row, void *scratch)
{
    const rugi_lbp_run *run = s->run;
    uint8_t inside[RUGI_SEGMENT_PIXELS];
    for (size_t x = 0; x < run->nx; x += RUGI_SEGMENT_PIXELS) {
        size_t n = rugi_smaller(run->nx - x, RUGI_SEGMENT_PIXELS);
        const size_t at[3] = {0, s->from + row - s->first_row, x};
        rugi_mask_flags(&s->mask, at, n, inside, scratch);
        for (uint32_t i = 0; i < run->plan.n_operators; i++)
            if (run->bins[i] != NULL)
                drop_outside(run->bins[i] + row * run->nx + x, inside, n);
    }
}

static void mask_task(void *shared, size_t task, int thread)
{
    const share *s = shared;
    for (size_t row = task * s->n_each; row < end_of_task(s, task); row++)
        mask_row(s, row,
                 s->scratch + (size_t)thread * RUGI_SEGMENT_PIXELS * sizeof(uint64_t));
}

static rug_status mask_rows(rug_context *ctx, share *s)
{
    s->scratch =
        rug_context_allocate(ctx, (size_t)rug_context_threads(ctx),
                             RUGI_SEGMENT_PIXELS * sizeof(uint64_t), "mask rows");
    if (s->scratch == NULL)
        return RUG_E_NOMEM;
    rug_status status =
        rugi_parallel_for(ctx, divide(ctx, s, s->to - s->from), mask_task, s);
    rug_context_release(ctx, s->scratch);
    return status;
}

/* Takes pixels outside the part's mask out of the bins of rows from .. to - 1. */
static rug_status apply_mask(rug_context *ctx, const rugi_lbp_run *run,
                             const rugi_lbp_part *part, size_t from, size_t to)
{
    share s = {.run = run,
               .from = from,
               .to = to,
               .mask = rugi_image_with_z(&part->mask),
               .first_row = part->first_row};
    rug_status status = RUG_OK;
    RUGI_WORK(ctx, work_of(run, to - from), status, mask_rows(ctx, &s));
    return status;
}

static void count_pixels(uint64_t *counts, const uint32_t *bins, size_t n)
{
    for (size_t x = 0; x < n; x++)
        if (bins[x] != RUGI_LBP_NO_BIN)
            counts[bins[x]]++;
}

static void row_task(void *shared, size_t task, int thread)
{
    const share *s = shared;
    const rugi_lbp_run *run = s->run;
    uint64_t *counts = s->counts + (size_t)thread * s->counts_step;
    size_t row = task * s->n_each, n_rows = end_of_task(s, task) - row;
    for (uint32_t i = 0; i < run->plan.n_operators; i++) {
        if (run->bins[i] != NULL)
            count_pixels(counts, run->bins[i] + row * run->nx, n_rows * run->nx);
        counts += run->plan.op[i].n_bins;
    }
}

static rug_status count_all(rug_context *ctx, rugi_lbp_run *run, share *s)
{
    size_t n_threads = (size_t)rug_context_threads(ctx);
    for (uint32_t i = 0; i < run->plan.n_operators; i++)
        s->n_counts += run->plan.op[i].n_bins;
    s->counts_step =
        rugi_whole_lines(s->n_counts * sizeof *s->counts) / sizeof *s->counts;
    s->counts = rug_context_allocate(ctx, n_threads, s->counts_step * sizeof *s->counts,
                                     "bins of threads");
    if (s->counts == NULL)
        return RUG_E_NOMEM;
    memset(s->counts, 0, n_threads * s->counts_step * sizeof *s->counts);
    rug_status status =
        rugi_parallel_for(ctx, divide(ctx, s, s->to - s->from), row_task, s);
    for (size_t t = 0; t < n_threads; t++)
        for (size_t k = 0; k < s->n_counts; k++)
            run->result->bins[k] += s->counts[t * s->counts_step + k];
    rug_context_release(ctx, s->counts);
    return status;
}

/* Counts what one region has in the rows whose bins are there. */
static void count_region(const share *s, size_t region)
{
    const rugi_lbp_run *run = s->run;
    const uint32_t n_operators = run->plan.n_operators;
    const size_t *first = run->regions_first;
    size_t n_runs, k = run->cursors[region];
    const rug_region_run *runs = rug_regions_runs(run->regions, region, &n_runs);
    for (; k < n_runs; k++) {
        size_t z = first[0] + runs[k].z, y = first[1] + runs[k].y;
        if (z > s->slice || (z == s->slice && y >= s->to))
            break;
        size_t at = (y - s->from) * run->nx + first[2] + runs[k].x;
        for (uint32_t i = 0; i < n_operators; i++) {
            const rug_lbp_histogram *h =
                &run->result->histograms[region * n_operators + i];
            if (run->bins[i] != NULL)
                count_pixels((uint64_t *)h->bins, run->bins[i] + at, runs[k].n);
        }
    }
    run->cursors[region] = k;
}

static void region_task(void *shared, size_t task, int thread)
{
    const share *s = shared;
    (void)thread;
    for (size_t i = task * s->n_each; i < end_of_task(s, task); i++)
        count_region(s, i);
}

static rug_status count_regions(rug_context *ctx, share *s)
{
    size_t n_tasks = divide(ctx, s, rug_regions_count(s->run->regions));
    return rugi_parallel_for(ctx, n_tasks, region_task, s);
}

/* Counts the bins of rows from .. to - 1, of all pixels or of each label. */
static rug_status count_bins(rug_context *ctx, rugi_lbp_run *run, size_t slice,
                             size_t from, size_t to)
{
    share s = {.run = run, .from = from, .to = to, .slice = slice};
    rug_status status = RUG_OK;
    RUGI_WORK(ctx, work_of(run, to - from), status,
              run->regions == NULL ? count_all(ctx, run, &s) : count_regions(ctx, &s));
    return status;
}

/* ---- Chunks ---- */

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
    if (run->plan.leaves_out_nan)
        RUGI_WORK(ctx, work_of(run, job->to - job->from), status,
                  rugi_lbp_leave_out_nan(ctx, run, part, job->from, job->to));
    if (run->has_mask)
        RUGI_PHASE(ctx, ENGINE_SHARE, MASK_SHARE, status,
                   apply_mask(ctx, run, part, job->from, job->to));
    if (counts_pixels(run))
        RUGI_PHASE(ctx, MASK_SHARE, 1, status,
                   count_bins(ctx, run, part->slice, job->from, job->to));
    return status;
}

static rug_status run_chunk(rug_context *ctx, rugi_lbp_run *run,
                            const rugi_lbp_part *part, rugi_lbp_job *job)
{
    int is_engine_all = !counts_pixels(run);
    rug_status status = RUG_OK;
    RUGI_PHASE(ctx, 0, is_engine_all ? 1 : ENGINE_SHARE, status,
               rugi_engine_run(ctx, engines, sizeof engines / sizeof engines[0], job));
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
        job.to = y + rugi_smaller(part->to - y, run->chunk);
        RUGI_PHASE(ctx, (double)(y - part->from) / all,
                   (double)(job.to - part->from) / all, status,
                   run_chunk(ctx, run, part, &job));
    }
    if (job.engine != NULL)
        run->result->facts.engine = job.engine;
    return status;
}
