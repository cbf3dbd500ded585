/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Co-occurrence features of every region: the call is checked and resolved to a plan,
 * engines measure regions in batches, and the caller sees rows in their order. Of an image
 * that is read slab by slab, the pixels of regions are kept until the last one of a region
 * has come, when it is measured; its rows wait for those of lower labels. */

#include "core/context/engine.h"
#include "core/context/sized.h"
#include "core/context/small.h"
#include "glcm/measure/glcm_measure.h"
#include <rugose/devices.h>
#include <stdlib.h>
#include <string.h>

/* Rows of a batch at most, 20 MB, and regions of it per thread: so many that threads
 * seldom wait for each other. */
#define BATCH_ROWS    ((size_t)1 << 16)
#define BATCH_REGIONS 256

/* `auto` takes no device: no measurement shows that one is faster than the processor,
 * which counts a pair in a few nanoseconds and has to cut regions out and to finish
 * features in any case. */
static const rugi_engine engines[] = {
#ifdef RUGI_HAVE_OPENCL
    {"opencl", RUGI_DEVICE_OPENCL, rugi_glcm_opencl, rugi_engine_only_by_name},
#endif
    {"cpu", RUGI_DEVICE_CPU, rugi_glcm_cpu, NULL},
};

/* What a call works with. */
typedef struct work {
    rugi_glcm_plan plan;
    rugi_glcm_job job;
    size_t most; /* regions of a batch */
    rug_glcm_row_fn fn;
    void *user;
    const char *engine; /* of the last row */

    /* Of an image that is read slab by slab, with labels. */
    size_t *by_start; /* [n_regions] regions in the order of their first layers */
    size_t n_started;
    size_t *open; /* [n_regions] those whose last pixel has not come */
    size_t n_open;
    size_t *order; /* [n_regions] of those that are complete */
    size_t n_complete;
    struct progress *progress; /* [n_regions] */
    rugi_glcm_kept *kept;      /* [n_regions] */
    rugi_glcm_row **waiting;   /* [n_regions] rows of regions that are measured */
    size_t n_done;             /* regions whose rows are handed out, by label */
    uint64_t pixel[RUGI_SEGMENT_PIXELS]; /* room for a segment */
} work;

/* How much of a region has come. */
typedef struct progress {
    size_t n_runs, n_pixels;
} progress;

/* ---- Batches ---- */

/* Regions of a batch at most. */
static size_t batch_max(const rug_context *ctx, const rugi_glcm_plan *plan)
{
    size_t n = BATCH_ROWS / plan->n_rows;
    n = rugi_smaller(n, BATCH_REGIONS * (size_t)rug_context_threads(ctx));
    n = rugi_smaller(n, plan->n_regions);
    return rugi_larger(n, 1);
}

/* Regions of the batch that begins with region `first` and ends before `end`: a large
 * region is alone. */
static size_t batch_size(const rugi_glcm_plan *plan, size_t first, size_t end,
                         size_t most)
{
    size_t n = 0;
    while (first + n < end && n < most &&
           rugi_glcm_area(plan, first + n) < RUGI_GLCM_LARGE)
        n++;
    return rugi_larger(n, 1);
}

/* The rows of one region. */
static rug_status hand_out(work *w, rugi_glcm_row *rows)
{
    rug_status status = RUG_OK;
    for (uint32_t k = 0; k < w->plan.n_rows && status == RUG_OK; k++) {
        rows[k].row.features = rows[k].features;
        w->engine = rows[k].row.engine;
        status = w->fn(w->user, &rows[k].row);
    }
    return status;
}

/* Hands out the rows of a batch, or keeps them until it is their turn. */
static rug_status end_batch(rug_context *ctx, work *w)
{
    size_t n_rows = w->plan.n_rows;
    rug_status status = RUG_OK;
    for (size_t i = 0; i < w->job.n && status == RUG_OK; i++) {
        rugi_glcm_row *rows = w->job.rows + i * n_rows;
        if (w->order == NULL) {
            status = hand_out(w, rows);
            continue;
        }
        size_t region = w->order[w->job.first + i];
        rug_context_release(ctx, w->kept[region].pixels);
        rug_context_release(ctx, w->kept[region].mask);
        w->kept[region] = (rugi_glcm_kept){NULL, NULL};
        w->waiting[region] =
            rug_context_allocate(ctx, n_rows, sizeof *rows, "rows of regions");
        if (w->waiting[region] == NULL)
            return RUG_E_NOMEM;
        memcpy(w->waiting[region], rows, n_rows * sizeof *rows);
    }
    while (w->order != NULL && w->n_done < w->plan.n_regions && status == RUG_OK &&
           w->waiting[w->n_done] != NULL) {
        status = hand_out(w, w->waiting[w->n_done]);
        rug_context_release(ctx, w->waiting[w->n_done]);
        w->waiting[w->n_done++] = NULL;
    }
    return status;
}

/* Measures all regions up to the one that is measured `end`-th. */
static rug_status measure(rug_context *ctx, work *w, size_t end)
{
    rugi_glcm_job *job = &w->job;
    rug_status status = RUG_OK;
    size_t begin = job->first;
    double n = (double)(end - begin);
    for (; job->first < end && status == RUG_OK; job->first += job->n) {
        job->n = batch_size(&w->plan, job->first, end, w->most);
        RUGI_PHASE(
            ctx, (double)(job->first - begin) / n,
            (double)(job->first + job->n - begin) / n, status,
            rugi_engine_run(ctx, engines, sizeof engines / sizeof engines[0], job));
        if (status == RUG_OK)
            status = end_batch(ctx, w);
    }
    return status;
}

/* ---- Regions of slabs ---- */

/* The axis that slabs follow one another along, of those with z. */
static int slab_axis(const rugi_glcm_plan *plan)
{
    return plan->ndim == 2;
}

typedef struct start {
    size_t layer, region;
} start;

static int compare_starts(const void *a, const void *b)
{
    const start *x = a, *y = b;
    if (x->layer != y->layer)
        return x->layer < y->layer ? -1 : 1;
    return x->region < y->region ? -1 : x->region > y->region;
}

static rug_status sort_by_start(rug_context *ctx, work *w)
{
    size_t n = w->plan.n_regions;
    start *all = rug_context_allocate(ctx, n, sizeof *all, "the order of regions");
    if (all == NULL)
        return RUG_E_NOMEM;
    for (size_t i = 0; i < n; i++)
        all[i] =
            (start){rug_regions_at(w->plan.regions, i)->first[slab_axis(&w->plan)], i};
    qsort(all, n, sizeof *all, compare_starts);
    for (size_t i = 0; i < n; i++)
        w->by_start[i] = all[i].region;
    rug_context_release(ctx, all);
    return RUG_OK;
}

static rug_status begin_slabs(rug_context *ctx, work *w)
{
    static const char what[] = "regions of slabs";
    size_t n = w->plan.n_regions;
    w->by_start = rug_context_allocate(ctx, n, sizeof *w->by_start, what);
    w->open = rug_context_allocate(ctx, n, sizeof *w->open, what);
    w->order = rug_context_allocate(ctx, n, sizeof *w->order, what);
    w->progress = rugi_allocate_zeros(ctx, n, sizeof *w->progress, what);
    w->kept = rugi_allocate_zeros(ctx, n, sizeof *w->kept, what);
    w->waiting = rugi_allocate_zeros(ctx, n, sizeof *w->waiting, what);
    if (w->by_start == NULL || w->open == NULL || w->order == NULL ||
        w->progress == NULL || w->kept == NULL || w->waiting == NULL)
        return RUG_E_NOMEM;
    w->plan.order = w->order;
    w->plan.kept = w->kept;
    return sort_by_start(ctx, w);
}

static void end_slabs(rug_context *ctx, work *w)
{
    for (size_t i = 0; i < w->plan.n_regions && w->kept != NULL; i++) {
        rug_context_release(ctx, w->kept[i].pixels);
        rug_context_release(ctx, w->kept[i].mask);
    }
    for (size_t i = 0; i < w->plan.n_regions && w->waiting != NULL; i++)
        rug_context_release(ctx, w->waiting[i]);
    rug_context_release(ctx, w->by_start);
    rug_context_release(ctx, w->open);
    rug_context_release(ctx, w->order);
    rug_context_release(ctx, w->progress);
    rug_context_release(ctx, w->kept);
    rug_context_release(ctx, w->waiting);
}

static size_t pixel_size(rug_dtype dtype)
{
    return rug_dtype_size(rugi_segment_dtype(dtype));
}

/* Opens the regions that begin before layer `end`. */
static rug_status open_regions(rug_context *ctx, work *w, size_t end)
{
    const rugi_glcm_plan *plan = &w->plan;
    for (; w->n_started < plan->n_regions; w->n_started++) {
        size_t i = w->by_start[w->n_started];
        const rug_region *region = rug_regions_at(plan->regions, i);
        if (region->first[slab_axis(plan)] >= end)
            break;
        rugi_glcm_kept *kept = &w->kept[i];
        size_t n = (size_t)region->area;
        w->open[w->n_open++] = i;
        kept->pixels = rug_context_allocate(ctx, n, pixel_size(plan->image.dtype),
                                            "the pixels of a region");
        if (kept->pixels != NULL && plan->with_mask)
            kept->mask = rug_context_allocate(
                ctx, n, pixel_size(plan->mask_source->dtype), "the mask of a region");
        if (kept->pixels == NULL || (plan->with_mask && kept->mask == NULL))
            return RUG_E_NOMEM;
    }
    return RUG_OK;
}

/* What has come of an image, and of its mask. */
typedef struct slab {
    rug_image image, mask; /* with z; mask.data NULL: none */
    size_t first[3], end;  /* layers along the axis of slabs */
} slab;

/* Copies n pixels of a run from a slab. */
static void copy_pixels(work *w, char *to, const rug_image *from, const slab *s,
                        const rug_region_run *run)
{
    size_t size = pixel_size(from->dtype);
    for (size_t x = 0; x < run->n; x += RUGI_SEGMENT_PIXELS) {
        size_t n = rugi_smaller(run->n - x, RUGI_SEGMENT_PIXELS);
        const size_t at[3] = {run->z - s->first[0], run->y - s->first[1], run->x + x};
        memcpy(to + x * size, rugi_image_segment(from, at, n, w->pixel), n * size);
    }
}

/* Takes what a slab has of a region. @return whether the region is complete */
static int take_pixels(work *w, const slab *s, size_t region)
{
    size_t n_runs;
    const rug_region_run *runs = rug_regions_runs(w->plan.regions, region, &n_runs);
    progress *p = &w->progress[region];
    const rugi_glcm_kept *kept = &w->kept[region];
    for (; p->n_runs < n_runs; p->n_runs++) {
        const rug_region_run *run = &runs[p->n_runs];
        if ((slab_axis(&w->plan) == 0 ? run->z : run->y) >= s->end)
            return 0;
        copy_pixels(w, kept->pixels + p->n_pixels * pixel_size(s->image.dtype), &s->image,
                    s, run);
        if (s->mask.data != NULL)
            copy_pixels(w, kept->mask + p->n_pixels * pixel_size(s->mask.dtype), &s->mask,
                        s, run);
        p->n_pixels += run->n;
    }
    return 1;
}

static rug_status take_slab(rug_context *ctx, void *user, const rug_image *image,
                            const rug_image *mask, size_t first)
{
    work *w = user;
    slab s = {.image = rugi_image_with_z(image), .end = first + image->shape[0]};
    if (mask != NULL)
        s.mask = rugi_image_with_z(mask);
    s.first[slab_axis(&w->plan)] = first;
    rug_status status = open_regions(ctx, w, s.end);
    if (status != RUG_OK)
        return status;
    size_t n_open = 0;
    for (size_t i = 0; i < w->n_open; i++) {
        size_t region = w->open[i];
        if (take_pixels(w, &s, region))
            w->order[w->n_complete++] = region;
        else
            w->open[n_open++] = region;
    }
    w->n_open = n_open;
    return measure(ctx, w, w->n_complete);
}

static rug_status measure_all(rug_context *ctx, work *w)
{
    if (!rugi_glcm_is_streamed(&w->plan) || w->plan.regions == NULL)
        return measure(ctx, w, w->plan.n_regions);
    if (w->plan.n_regions == 0)
        return RUG_OK;
    rug_status status = begin_slabs(ctx, w);
    if (status == RUG_OK)
        status = rugi_glcm_for_slabs(ctx, &w->plan, 0, 1, take_slab, w);
    end_slabs(ctx, w);
    return status;
}

/* ---- Calls ---- */

static rug_status take_options(rug_context *ctx, rug_glcm_options *own,
                               const rug_glcm_options *opts)
{
    *own = (rug_glcm_options)RUG_GLCM_OPTIONS_INIT;
    rug_status status = RUGI_TAKE(ctx, own, opts, "rug_glcm_options");
    if (status == RUG_OK)
        status = rugi_glcm_check_options(ctx, own);
    return status == RUG_OK && !rug_devices_built_in()
               ? rugi_engine_cpu_only(ctx, "co-occurrence")
               : status;
}

rug_status rug_glcm_check_options(rug_context *ctx, const rug_glcm_options *opts)
{
    rug_glcm_options own;
    return ctx != NULL ? take_options(ctx, &own, opts) : RUG_E_ARG;
}

rug_status rugi_glcm_in_slabs(rug_context *ctx, const rug_source *source,
                              const rug_glcm_options *opts, size_t most_layers,
                              rug_glcm_row_fn fn, void *user)
{
    rug_glcm_options own;
    rug_status status = take_options(ctx, &own, opts);
    if (status != RUG_OK)
        return status;
    work *w = rugi_allocate_zeros(ctx, 1, sizeof *w, "regions");
    if (w == NULL)
        return RUG_E_NOMEM;
    w->job.plan = &w->plan;
    w->fn = fn;
    w->user = user;
    RUGI_PHASE(ctx, 0, 0.1, status, rugi_glcm_plan_new(ctx, &w->plan, source, &own, 0));
    if (most_layers > 0)
        w->plan.slab_layers = most_layers;
    if (status == RUG_OK) {
        w->engine = w->plan.kernels.name;
        w->most = batch_max(ctx, &w->plan);
        w->job.rows = rug_context_allocate(ctx, w->most * w->plan.n_rows,
                                           sizeof *w->job.rows, "rows of regions");
        status = w->job.rows != NULL
                     ? rugi_glcm_workers_new(ctx, &w->job.workers, w->most)
                     : RUG_E_NOMEM;
    }
    RUGI_PHASE(ctx, 0.1, 1, status, measure_all(ctx, w));
    if (status == RUG_OK)
        rugi_context_set_engine(ctx, w->engine);
    rugi_glcm_workers_free(ctx, w->job.workers);
    rug_context_release(ctx, w->job.rows);
    rugi_glcm_plan_free(ctx, &w->plan);
    rug_context_release(ctx, w);
    return status;
}

rug_status rug_glcm_source(rug_context *ctx, const rug_source *source,
                           const rug_glcm_options *opts, rug_glcm_row_fn fn, void *user)
{
    if (ctx == NULL || fn == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_glcm_source: NULL given");
    return rugi_glcm_in_slabs(ctx, source, opts, 0, fn, user);
}

rug_status rug_glcm(rug_context *ctx, const rug_image *image,
                    const rug_glcm_options *opts, rug_glcm_row_fn fn, void *user)
{
    if (ctx == NULL || image == NULL || fn == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_glcm: NULL given");
    rug_source source = rugi_source_of_image(image);
    return rugi_glcm_in_slabs(ctx, &source, opts, 0, fn, user);
}
