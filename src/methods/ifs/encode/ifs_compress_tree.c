/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* An image by QUADTREE, in version 1: all planes with one Δ (trees, bytes, and what a decoder
 * makes of them), and one Δ after another until a rate or a PSNR is met. */

#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "ifs/decode/ifs_bands.h"
#include "ifs/stream/ifs_pixel.h"
#include "ifs_aim.h"
#include "ifs_image.h"
#include <math.h>
#include <string.h>

/* The default step of the grid is 4, or the next multiple of it that leaves so few
 * domains: the search takes time in proportion to both blocks and domains. */
#define DOMAINS_MOST 32768

/* Strengths of deblocking that are tried. */
static const int strengths[] = {0, 2, 4, 6};

/* What is coded. */
typedef struct source {
    const rugi_ifs_job *job;
    const rugi_ifs_image *image;
    const rugi_ifs_tables *tables;
} source;

/* ---- Planes ---- */

/* Δ of a plane of a colour image: planes of chroma weigh less. Errors of Co and Cg
 * reach red, green and blue with a half: their squares are 1/2 and 3/4 of the plane's,
 * those of Y three times; so steps of equal use are sqrt(6) and 2 times as large. */
static uint32_t delta_of_plane(uint32_t delta, int n_planes, int plane)
{
    static const uint32_t sixteenths[RUG_IFS_PLANES_MAX] = {16, 39, 32};
    if (n_planes == 1)
        return delta;
    return (uint32_t)(((uint64_t)delta * sixteenths[plane] + 8) / 16);
}

/* One coding at work. */
typedef struct coding {
    rug_context *ctx;
    source from;
    rugi_ifs_coded *coded;
    rugi_ifs_tree trees[RUG_IFS_PLANES_MAX];
    rugi_ifs_bands bands[RUG_IFS_PLANES_MAX];
} coding;

void rugi_ifs_coded_free(rug_context *ctx, rugi_ifs_coded *coded)
{
    for (int i = 0; i < RUG_IFS_PLANES_MAX; i++)
        rug_context_release(ctx, coded->planes[i].bytes);
    memset(coded, 0, sizeof *coded);
}

static uint32_t step_of(const rugi_ifs_job *job, uint32_t nx, uint32_t ny)
{
    uint32_t step = RUGI_IFS_LEAST;
    if (job->domain_step != 0)
        return job->domain_step;
    while (!job->effort.with_all && step < 1024 &&
           (uint64_t)(nx / step) * (ny / step) > DOMAINS_MOST)
        step += RUGI_IFS_LEAST;
    return step;
}

static void make_header(coding *c, uint32_t delta)
{
    const rugi_ifs_job *job = c->from.job;
    const rugi_ifs_pixels *planes = c->from.image->planes;
    c->coded->header = (rugi_ifs_header){
        .partition = RUG_IFS_QUADTREE,
        .n_planes = job->n_planes,
        .depth = job->depth,
        .is_ycocg = job->n_planes == 3,
        .has_residual = job->has_residual,
        .nx = job->nx,
        .ny = job->ny,
        .step = step_of(job, planes[0].nx, planes[0].ny),
        .iterations = 1,
    };
    for (int i = 0; i < job->n_planes; i++) {
        uint32_t of_plane = delta_of_plane(delta, job->n_planes, i);
        if (planes[i].min == planes[i].max)
            of_plane = 1; /* a flat plane costs nothing and is exact */
        c->coded->header.delta[i] =
            of_plane < RUGI_IFS_DELTA_MAX ? of_plane : RUGI_IFS_DELTA_MAX;
    }
}

static rug_status write_plane(coding *c, int plane)
{
    rugi_ifs_coder *coder = &c->coded->planes[plane];
    rugi_ifs_write_begin(coder, c->ctx);
    rugi_phase outer = rugi_ifs_quiet(c->ctx, 0.95 * (plane + 1) / c->from.job->n_planes);
    rug_status status = rugi_ifs_write_tree(c->ctx, coder, &c->trees[plane]);
    rugi_phase_leave(c->ctx, outer);
    if (status == RUG_OK)
        rugi_ifs_write_end(coder);
    return status == RUG_OK && coder->failed ? RUG_E_NOMEM : status;
}

static rug_status code_plane(coding *c, int plane)
{
    rugi_ifs_header *header = &c->coded->header;
    rugi_ifs_frame frame = rugi_ifs_frame_of(header, plane);
    uint32_t iterations;
    int n = c->from.job->n_planes;
    rug_status status = RUG_OK;
    RUGI_PHASE(c->ctx, 0.95 * plane / n, 0.95 * (plane + 1) / n, status,
               rugi_ifs_encode(c->ctx, &c->trees[plane], &iterations, c->from.tables,
                               &c->from.image->planes[plane], &frame,
                               &c->from.job->effort));
    if (status != RUG_OK)
        return status;
    if (iterations > header->iterations)
        header->iterations = iterations;
    return write_plane(c, plane);
}

/* ---- The strength of deblocking ---- */

#define STRENGTHS (sizeof strengths / sizeof strengths[0])

/* Rows of roots that are a task: they are decoded with what lies above and below. */
#define ROWS_OF_TASK 2

/* All strengths tried, band by band. */
typedef struct trying {
    const coding *c;
    size_t nx, n_rows;           /* of the padded planes, n_rows of roots */
    size_t n;                    /* pixels of a window */
    int32_t *windows;            /* [threads][plane][2][n]: decoded, and smoothed */
    double (*errors)[STRENGTHS]; /* [pixel row of the image] */
} trying;

/* The squared errors of a row of pixels, over all colours.
 * @param decoded  [n_planes] the row in 1/64 of a grey level */
static double row_error(const rugi_ifs_image *image, size_t y,
                        const int32_t *const decoded[RUG_IFS_PLANES_MAX])
{
    const rugi_ifs_job *job = image->job;
    int32_t top = (1 << job->depth) - 1;
    double sum = 0;
    for (size_t x = 0; x < job->nx; x++) {
        int32_t pixels[RUG_IFS_PLANES_MAX];
        for (int i = 0; i < job->n_planes; i++)
            pixels[i] = rugi_ifs_gray(decoded[i][x], image->planes[i].depth);
        if (job->n_planes == 3)
            rugi_ifs_from_ycocg(pixels, job->depth);
        for (int i = 0; i < job->n_planes; i++) {
            int32_t pixel = pixels[i] < 0 ? 0 : pixels[i] > top ? top : pixels[i];
            double error = pixel - rugi_ifs_pixel_of(&job->planes[i], y, x);
            sum += error * error;
        }
    }
    return sum;
}

/* The errors of a band's rows with the windows that were smoothed last. */
static void measure_band(const trying *t, const int32_t *windows, size_t from, size_t to,
                         size_t strength)
{
    const int32_t *row[RUG_IFS_PLANES_MAX];
    const rugi_ifs_job *job = t->c->from.job;
    for (size_t y = from * RUGI_IFS_BLOCK; y < to * RUGI_IFS_BLOCK && y < job->ny; y++) {
        size_t at = (y - from * RUGI_IFS_BLOCK + RUGI_IFS_BLOCK) * t->nx;
        for (int i = 0; i < job->n_planes; i++)
            row[i] = windows + (2 * (size_t)i + 1) * t->n + at;
        t->errors[y][strength] = row_error(t->c->from.image, y, row);
    }
}

static void try_task(void *shared, size_t task, int thread)
{
    const trying *t = shared;
    int n_planes = t->c->from.job->n_planes;
    int32_t *windows = t->windows + (size_t)thread * (size_t)n_planes * 2 * t->n;
    size_t from = task * ROWS_OF_TASK, to = rugi_smaller(from + ROWS_OF_TASK, t->n_rows);
    for (int i = 0; i < n_planes; i++)
        rugi_ifs_decode_band(&t->c->bands[i], windows + 2 * (size_t)i * t->n, from, to,
                             1);
    for (size_t k = 0; k < STRENGTHS; k++) {
        for (int i = 0; i < n_planes; i++) {
            int32_t *window = windows + (2 * (size_t)i + 1) * t->n;
            memcpy(window, window - t->n, t->n * sizeof *window);
            if (strengths[k] > 0)
                rugi_ifs_deblock_band(&t->c->bands[i], window, from, to, strengths[k]);
        }
        measure_band(t, windows, from, to, k);
    }
}

static rug_status try_strengths(coding *c, trying *t)
{
    static const char what[] = "decoded planes";
    size_t n_tasks = (t->n_rows + ROWS_OF_TASK - 1) / ROWS_OF_TASK;
    size_t n_windows =
        (size_t)rugi_loop_threads(c->ctx, n_tasks) * (size_t)c->from.job->n_planes * 2;
    t->errors = rug_context_allocate(c->ctx, c->from.job->ny, sizeof *t->errors, what);
    t->windows = rug_context_allocate(c->ctx, n_windows, t->n * sizeof *t->windows, what);
    if (t->errors == NULL || t->windows == NULL)
        return RUG_E_NOMEM;
    memset(t->windows, 0, n_windows * t->n * sizeof *t->windows);
    return rugi_parallel_for(c->ctx, n_tasks, try_task, t);
}

/* The strength that leaves the least error; 0 where smoothing hurts. */
static void take_best(coding *c, const trying *t)
{
    for (size_t k = 0; k < STRENGTHS; k++) {
        double error = 0;
        for (size_t y = 0; y < c->from.job->ny; y++)
            error += t->errors[y][k];
        if (k > 0 && !(error < c->coded->squared_error))
            break;
        c->coded->squared_error = error;
        c->coded->header.deblock = strengths[k];
    }
}

static rug_status choose_strength(coding *c)
{
    const rugi_ifs_frame *frame = &c->trees[0].frame;
    trying t = {.c = c, .nx = frame->nx, .n_rows = frame->ny / RUGI_IFS_BLOCK};
    t.n = (ROWS_OF_TASK + 2) * RUGI_IFS_BLOCK * t.nx;
    rug_status status = RUG_OK;
    for (int i = 0; i < c->from.job->n_planes && status == RUG_OK; i++)
        status = rugi_ifs_bands_begin(c->ctx, &c->bands[i], &c->trees[i],
                                      c->coded->header.iterations);
    if (status == RUG_OK)
        status = try_strengths(c, &t);
    if (status == RUG_OK)
        take_best(c, &t);
    rug_context_release(c->ctx, t.errors);
    rug_context_release(c->ctx, t.windows);
    return status;
}

/* ---- A coding ---- */

static rug_status run(coding *c)
{
    rug_status status = RUG_OK;
    size_t n[RUG_IFS_PLANES_MAX] = {0};
    for (int i = 0; i < c->from.job->n_planes && status == RUG_OK; i++) {
        status = code_plane(c, i);
        n[i] = c->coded->planes[i].n_bytes;
    }
    rugi_phase outer = rugi_ifs_quiet(c->ctx, 0.95);
    if (status == RUG_OK)
        status = choose_strength(c);
    rugi_phase_leave(c->ctx, outer);
    c->coded->n_bytes = rugi_ifs_container_size(&c->coded->header, n);
    return status;
}

/* Codes an image with one Δ, in 1/16 of a grey level.
 * @param coded  filled on RUG_OK, zeroed otherwise */
static rug_status code_once(rug_context *ctx, rugi_ifs_coded *coded, const source *from,
                            uint32_t delta)
{
    coding c = {.ctx = ctx, .from = *from, .coded = coded};
    memset(coded, 0, sizeof *coded);
    make_header(&c, delta);
    rug_status status = run(&c);
    for (int i = 0; i < RUG_IFS_PLANES_MAX; i++) {
        rugi_ifs_bands_end(ctx, &c.bands[i]);
        rugi_ifs_tree_free(ctx, &c.trees[i]);
    }
    if (status != RUG_OK)
        rugi_ifs_coded_free(ctx, coded);
    return status;
}

/* ---- The target ---- */

/* A search at work: what was coded last, and the best so far. */
typedef struct searching {
    rug_context *ctx;
    const source *from;
    rugi_ifs_coded next, *best;
} searching;

static rug_status try_delta(void *user, uint32_t delta, rugi_ifs_measured *measured)
{
    searching *s = user;
    rugi_ifs_coded_free(s->ctx, &s->next);
    rug_status status = code_once(s->ctx, &s->next, s->from, delta);
    *measured = (rugi_ifs_measured){s->next.n_bytes, s->next.squared_error};
    return status;
}

static void keep(void *user)
{
    searching *s = user;
    rugi_ifs_coded_free(s->ctx, s->best);
    *s->best = s->next;
    memset(&s->next, 0, sizeof s->next);
}

static rug_status search(rug_context *ctx, rugi_ifs_coded *best, const source *from,
                         uint32_t *delta, rugi_ifs_measured *measured)
{
    searching s = {.ctx = ctx, .from = from, .best = best};
    rugi_ifs_aim aim = {.job = from->job,
                        .most = RUGI_IFS_DELTA_MAX >> (16 - from->image->bits),
                        .try_delta = try_delta,
                        .keep = keep,
                        .user = &s};
    rug_status status = rugi_ifs_find_delta(ctx, &aim, delta, measured);
    rugi_ifs_coded_free(ctx, &s.next);
    return status;
}

/* A search with the fast effort says where the asked one has to begin. */
static rug_status begin_at(rug_context *ctx, uint32_t *delta, const source *from)
{
    rugi_ifs_coded coded = {0};
    rugi_ifs_measured measured;
    rugi_ifs_job fast = *from->job;
    source trial = {&fast, from->image, from->tables};
    *delta = rugi_ifs_delta_of_quality(50, from->image->bits);
    if (!from->job->effort.with_grid)
        return RUG_OK;
    fast.effort.with_grid = fast.effort.with_all = 0;
    fast.effort.n_passes = 1;
    rug_status status = RUG_OK;
    RUGI_PHASE(ctx, 0, 0.4, status, search(ctx, &coded, &trial, delta, &measured));
    rugi_ifs_coded_free(ctx, &coded);
    return status;
}

static rug_status code_to_target(rug_context *ctx, rugi_ifs_coded *coded,
                                 const source *from)
{
    const rugi_ifs_job *job = from->job;
    rugi_ifs_measured measured;
    if (job->target == RUG_IFS_TARGET_QUALITY)
        return code_once(ctx, coded, from,
                         rugi_ifs_delta_of_quality(job->target_value, from->image->bits));
    uint32_t delta;
    rug_status status = begin_at(ctx, &delta, from);
    RUGI_PHASE(ctx, job->effort.with_grid ? 0.4 : 0, 1, status,
               search(ctx, coded, from, &delta, &measured));
    if (status == RUG_OK)
        status = rugi_ifs_check_target(ctx, job, &measured);
    if (status != RUG_OK)
        rugi_ifs_coded_free(ctx, coded);
    return status;
}

static void ifs_image_free(rug_context *ctx, rugi_ifs_image *image)
{
    for (int i = 0; i < RUG_IFS_PLANES_MAX; i++) {
        rug_context_release(ctx, image->planes[i].narrow);
        rug_context_release(ctx, image->planes[i].wide);
    }
    memset(image, 0, sizeof *image);
}

rug_status rugi_ifs_compress_tree(rug_context *ctx, rugi_ifs_coded *coded,
                                  const rugi_ifs_job *job)
{
    rugi_ifs_image image;
    rugi_ifs_tables *tables = NULL;
    memset(coded, 0, sizeof *coded);
    rugi_phase outer = rugi_ifs_quiet(ctx, 0);
    rug_status status = rugi_ifs_image_read(ctx, &image, job);
    rugi_phase_leave(ctx, outer);
    if (status == RUG_OK) {
        tables = rug_context_allocate(ctx, 1, sizeof *tables, "tables of fractal coding");
        status = tables != NULL ? RUG_OK : RUG_E_NOMEM;
    }
    if (status == RUG_OK) {
        rugi_ifs_tables_make(ctx, tables);
        source from = {job, &image, tables};
        status = code_to_target(ctx, coded, &from);
    }
    rug_context_release(ctx, tables);
    ifs_image_free(ctx, &image);
    return status;
}
