/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box counts per label. The image is packed once, and each label is cut out of it by its
 * runs alone, so that what a label costs follows its size and not the image's. Small
 * labels are counted in batches, one thread each, large ones alone by all threads. The
 * caller sees them in their order. */

#include "boxcount/count/boxcount_count.h"
#include "boxcount/result/boxcount_result.h"
#include "core/context/engine.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "core/fit/scaling.h"
#include <rugose/boxcount_labels.h>
#include <string.h>

/* The part of the work that comes before the first label. */
#define PREPARE_SHARE 0.5

/* Labels of a batch per thread: so many that threads seldom wait for each other. */
#define BATCH 1024

/* Pixels of a bounding box at which a label is worth all threads. */
#define LARGE ((uint64_t)1 << 20)

/* Bytes of a result before its counts. */
#define RESULT_HEAD offsetof(rug_boxcount_result, counts)

/* What all labels of an image have in common. */
typedef struct labelling {
    rug_regions *regions;
    rug_foreground foreground; /* resolved */
    rugi_bits image;           /* its foreground */
    rugi_bits mask;            /* words NULL: none */
    const rug_boxcount_options *opts;
} labelling;

/* A crop whose memory is used again for the next label. */
typedef struct crop {
    rugi_bits bits;
    size_t n_held;
} crop;

/* What one thread works with; all 0 at first. */
typedef struct cropper {
    crop pixels, inside;        /* of the current label: its foreground, the mask */
    rug_boxcount_result result; /* 0 behind its n_sizes entries */
} cropper;

/* ---- One label ---- */

/* An empty crop of the size of a region. */
static rug_status begin(rug_context *ctx, crop *c, const rug_region *region, int ndim)
{
    return rugi_bits_renew(ctx, &c->bits, &c->n_held, ndim, region->shape + 3 - ndim,
                           "packed pixels of a label");
}

/* The foreground of region i. */
static rug_status crop_pixels(rug_context *ctx, crop *c, const labelling *l, size_t i)
{
    size_t n;
    const rug_region *region = rug_regions_at(l->regions, i);
    const rug_region_run *run = rug_regions_runs(l->regions, i, &n);
    rug_status status = begin(ctx, c, region, l->image.box_axes);
    if (status != RUG_OK)
        return status;
    for (const rug_region_run *end = run + n; run < end; run++) {
        const size_t at[3] = {run->z, run->y, run->x};
        const size_t to[3] = {at[0] - region->first[0], at[1] - region->first[1],
                              at[2] - region->first[2]};
        rugi_bits_add_run(&c->bits, to, &l->image, at, run->n);
    }
    return RUG_OK;
}

/* The mask in the bounding box of a region. */
static rug_status crop_mask(rug_context *ctx, crop *c, const labelling *l,
                            const rug_region *region)
{
    rug_status status = begin(ctx, c, region, l->mask.box_axes);
    for (size_t z = 0; z < region->shape[0] && status == RUG_OK; z++)
        for (size_t y = 0; y < region->shape[1]; y++) {
            const size_t to[3] = {z, y, 0};
            const size_t at[3] = {region->first[0] + z, region->first[1] + y,
                                  region->first[2]};
            rugi_bits_add_run(&c->bits, to, &l->mask, at, region->shape[2]);
        }
    return status;
}

/* Makes a result all 0 that is 0 behind its entries. */
static void clear(rug_boxcount_result *r)
{
    memset(r->counts, 0, r->n_sizes * sizeof r->counts[0]);
    memset(r->positions, 0, r->n_sizes * sizeof r->positions[0]);
    memset(r, 0, RESULT_HEAD);
    r->busy_least = r->busy_most = 0;
}

/* Counts the boxes of region i into the cropper's result. */
static rug_status count_label(rug_context *ctx, cropper *c, const labelling *l, size_t i)
{
    rug_status status = crop_pixels(ctx, &c->pixels, l, i);
    if (status == RUG_OK && l->opts->mask != NULL)
        status = crop_mask(ctx, &c->inside, l, rug_regions_at(l->regions, i));
    if (status != RUG_OK)
        return status;
    clear(&c->result);
    rug_image image = rugi_bits_view(&c->pixels.bits);
    rug_image mask = rugi_bits_view(&c->inside.bits);
    rugi_boxcount_job job = {
        .image = &image,
        .mask = l->opts->mask != NULL ? &mask : NULL,
        .is_set = rugi_bits_are_set(),
        .method = rugi_boxcount_begin(&c->result, image.ndim, image.shape, l->opts)};
    c->result.foreground = l->foreground;
    return rugi_boxcount_count(ctx, &c->result, &job);
}

static void free_cropper(rug_context *ctx, cropper *c)
{
    rugi_bits_free(ctx, &c->inside.bits);
    rugi_bits_free(ctx, &c->pixels.bits);
}

/* ---- Batches of labels ---- */

/* A result without its unused entries: a whole one takes 100 KB. */
typedef struct kept {
    rug_status status;
    int thread; /* that counted, for the error text */
    unsigned char head[RESULT_HEAD];
    rug_box_count *counts;
    rug_box_positions *positions; /* NULL: all 0 */
    double busy_least, busy_most;
} kept;

typedef struct worker {
    rug_context ctx; /* one thread, no callbacks, an error text of its own */
    rug_status status;
    cropper cropper;
} worker;

/* The current batch. */
typedef struct batch {
    const labelling *labelling;
    size_t first; /* its first region */
    size_t n_workers;
    worker *workers;
    kept *kept;
    rug_box_count *counts; /* of all that are kept */
    rug_box_positions *positions;
    rug_boxcount_result *shown; /* what the caller sees; 0 between two calls */
} batch;

static rug_status check(rug_context *ctx, const rug_image *image, const rug_image *labels,
                        const rug_boxcount_options *opts)
{
    rug_status status = rugi_boxcount_check(ctx, opts);
    if (status == RUG_OK && rugi_boxcount_is_mukundan(opts->method))
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "labels: methods atomic and local count whole images; use auto");
    if (status == RUG_OK)
        status = rugi_engine_cpu_only(ctx, "counting labels");
    if (status == RUG_OK)
        status = rugi_image_check(ctx, image);
    if (status == RUG_OK)
        status = rugi_image_check_twin(ctx, labels, "label image", image);
    if (status == RUG_OK && opts->mask != NULL)
        status = rugi_image_check_twin(ctx, opts->mask, "mask", image);
    return status;
}

/* All that is done once for the whole image. */
static rug_status prepare(rug_context *ctx, labelling *l, const rug_image *image,
                          const rug_image *labels)
{
    const rug_image *mask = l->opts->mask;
    rug_status status = RUG_OK;
    RUGI_PHASE(ctx, 0, 0.4, status,
               rugi_image_resolve_foreground(ctx, &l->foreground, image, mask,
                                             l->opts->foreground));
    RUGI_PHASE(ctx, 0.4, 0.8, status, rug_regions_find(ctx, &l->regions, labels));
    if (status != RUG_OK)
        return status;
    rugi_predicate is_set = rugi_predicate_make(image->dtype, l->foreground);
    RUGI_PHASE(ctx, 0.8, 0.9, status,
               rugi_bits_of_image(ctx, &l->image, image, &is_set, "packed pixels"));
    if (mask != NULL)
        RUGI_PHASE(ctx, 0.9, 1, status, rugi_bits_of_mask(ctx, &l->mask, mask));
    return status;
}

/* Sizes of a result at most. */
static size_t most_sizes(const labelling *l)
{
    size_t longest = 1;
    for (size_t i = 0; i < rug_regions_count(l->regions); i++)
        for (int a = 0; a < 3; a++) {
            size_t side = rug_regions_at(l->regions, i)->shape[a];
            longest = rugi_larger(side, longest);
        }
    size_t n = rugi_scaling_n_dyadic(longest);
    if (l->opts->sizes != NULL && l->opts->n_sizes > n)
        n = rugi_smaller(l->opts->n_sizes, RUG_BOXCOUNT_MAX_SIZES);
    return n;
}

static rug_status make_batch(rug_context *ctx, batch *b, const labelling *l)
{
    size_t n_labels = rug_regions_count(l->regions);
    size_t n_sizes = most_sizes(l);
    size_t n_positions = l->opts->grid == RUG_BOXCOUNT_GRID_ORIGIN ? 0 : n_sizes;
    *b = (batch){.labelling = l, .n_workers = (size_t)rugi_loop_threads(ctx, n_labels)};
    size_t n_kept = rugi_smaller(n_labels, BATCH * b->n_workers);
    b->shown = rug_context_allocate(ctx, 1, sizeof *b->shown, "counts of a label");
    b->kept = rug_context_allocate(ctx, n_kept, sizeof *b->kept, "counts of labels");
    b->counts = rug_context_allocate(ctx, n_kept * n_sizes, sizeof *b->counts,
                                     "counts of labels");
    b->positions = rug_context_allocate(ctx, n_kept * n_positions, sizeof *b->positions,
                                        "counts of labels");
    b->workers = rug_context_allocate(ctx, b->n_workers, sizeof *b->workers,
                                      "workers that count labels");
    if (b->workers != NULL)
        memset(b->workers, 0, b->n_workers * sizeof *b->workers);
    if (b->shown == NULL || b->kept == NULL || b->counts == NULL ||
        b->positions == NULL || b->workers == NULL)
        return RUG_E_NOMEM;
    memset(b->shown, 0, sizeof *b->shown);
    for (size_t i = 0; i < n_kept; i++) {
        b->kept[i].counts = b->counts + i * n_sizes;
        b->kept[i].positions = n_positions > 0 ? b->positions + i * n_positions : NULL;
    }
    for (size_t t = 0; t < b->n_workers; t++)
        b->workers[t].ctx = rugi_context_for_worker(ctx);
    return RUG_OK;
}

static void free_batch(rug_context *ctx, batch *b)
{
    for (size_t t = 0; t < b->n_workers && b->workers != NULL; t++)
        free_cropper(ctx, &b->workers[t].cropper);
    rug_context_release(ctx, b->workers);
    rug_context_release(ctx, b->positions);
    rug_context_release(ctx, b->counts);
    rug_context_release(ctx, b->kept);
    rug_context_release(ctx, b->shown);
}

static void keep(kept *k, const rug_boxcount_result *r)
{
    memcpy(k->head, r, RESULT_HEAD);
    memcpy(k->counts, r->counts, r->n_sizes * sizeof *k->counts);
    if (k->positions != NULL)
        memcpy(k->positions, r->positions, r->n_sizes * sizeof *k->positions);
    k->busy_least = r->busy_least;
    k->busy_most = r->busy_most;
}

/* A thread that has failed does no more: its text is that of its first failure. */
static void count_task(void *shared, size_t task, int thread)
{
    batch *b = shared;
    worker *w = &b->workers[thread];
    kept *k = &b->kept[task];
    if (w->status == RUG_OK)
        w->status = count_label(&w->ctx, &w->cropper, b->labelling, b->first + task);
    k->status = w->status;
    k->thread = thread;
    if (k->status == RUG_OK)
        keep(k, &w->cropper.result);
}

static rug_status count_alone(rug_context *ctx, batch *b)
{
    cropper *c = &b->workers[0].cropper;
    rug_status status = count_label(ctx, c, b->labelling, b->first);
    b->kept[0].status = status;
    if (status == RUG_OK)
        keep(&b->kept[0], &c->result);
    return status;
}

/* Shows one label to the caller. */
static rug_status show(rug_context *ctx, const batch *b, size_t i,
                       rug_boxcount_label_fn fn, void *user)
{
    const kept *k = &b->kept[i];
    if (k->status != RUG_OK)
        return rug_context_fail(ctx, k->status, "%s", b->workers[k->thread].ctx.error);
    rug_boxcount_result *r = b->shown;
    memcpy(r, k->head, RESULT_HEAD);
    memcpy(r->counts, k->counts, r->n_sizes * sizeof *k->counts);
    if (k->positions != NULL)
        memcpy(r->positions, k->positions, r->n_sizes * sizeof *k->positions);
    r->busy_least = k->busy_least;
    r->busy_most = k->busy_most;
    rug_status status = fn(user, rug_regions_at(b->labelling->regions, b->first + i), r);
    memset(r->counts, 0, r->n_sizes * sizeof *k->counts);
    memset(r->positions, 0, r->n_sizes * sizeof *k->positions);
    return status;
}

static int is_large(const labelling *l, size_t i)
{
    const rug_region *r = rug_regions_at(l->regions, i);
    return (uint64_t)r->shape[0] * r->shape[1] * r->shape[2] >= LARGE;
}

/* Where the batch ends that begins with region i. */
static size_t end_of_batch(const batch *b, size_t i)
{
    size_t left = rug_regions_count(b->labelling->regions) - i;
    size_t end = i + rugi_smaller(left, BATCH * b->n_workers), k = i;
    while (k < end && !is_large(b->labelling, k))
        k++;
    return k > i ? k : i + 1;
}

static rug_status count_labels(rug_context *ctx, batch *b, rug_boxcount_label_fn fn,
                               void *user)
{
    size_t n = rug_regions_count(b->labelling->regions);
    rug_status status = RUG_OK;
    for (size_t end; b->first < n && status == RUG_OK; b->first = end) {
        end = end_of_batch(b, b->first);
        size_t n_here = end - b->first;
        RUGI_PHASE(ctx, (double)b->first / (double)n, (double)end / (double)n, status,
                   n_here == 1 ? count_alone(ctx, b)
                               : rugi_parallel_for(ctx, n_here, count_task, b));
        for (size_t i = 0; i < n_here && status == RUG_OK; i++)
            status = show(ctx, b, i, fn, user);
    }
    return status;
}

static void release(rug_context *ctx, labelling *l)
{
    rugi_bits_free(ctx, &l->mask);
    rugi_bits_free(ctx, &l->image);
    rug_regions_free(l->regions);
}

rug_status rug_boxcount_labels(rug_context *ctx, const rug_image *image,
                               const rug_image *labels, const rug_boxcount_options *opts,
                               rug_boxcount_label_fn fn, void *user)
{
    static const rug_boxcount_options defaults = RUG_BOXCOUNT_OPTIONS_INIT;
    if (ctx == NULL || fn == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_boxcount_labels: NULL given");
    if (opts == NULL)
        opts = &defaults;
    rug_status status = check(ctx, image, labels, opts);
    if (status != RUG_OK)
        return status;
    labelling l = {.opts = opts};
    batch b = {0};
    RUGI_PHASE(ctx, 0, PREPARE_SHARE, status, prepare(ctx, &l, image, labels));
    if (status == RUG_OK)
        status = make_batch(ctx, &b, &l);
    RUGI_PHASE(ctx, PREPARE_SHARE, 1, status, count_labels(ctx, &b, fn, user));
    free_batch(ctx, &b);
    release(ctx, &l);
    return status;
}
