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
#include "core/image/source_internal.h"
#include <rugose/boxcount_labels.h>
#include <string.h>

/* The part of the work that comes before the first label. */
#define PREPARE_SHARE 0.5

/* Labels of a batch per thread: so many that threads seldom wait for each other. */
#define BATCH 1024

/* Pixels of a bounding box at which a label is worth all threads. */
#define LARGE ((uint64_t)1 << 20)

/* What all labels of an image have in common. */
typedef struct labelling {
    rug_regions *regions;
    rug_foreground foreground; /* resolved */
    rugi_bits image;           /* its foreground */
    int has_mask;
    rugi_bits mask;
    const rug_boxcount_options *opts; /* checked */
} labelling;

/* A crop whose memory is used again for the next label. */
typedef struct crop {
    rugi_bits bits;
    size_t n_held;
} crop;

/* What one thread works with; all 0 at first. */
typedef struct cropper {
    crop pixels, inside; /* of the current label: its foreground, the mask */
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

/* Counts the boxes of region i.
 *  @param out  NULL on failure */
static rug_status count_label(rug_context *ctx, rug_boxcount_result **out, cropper *c,
                              const labelling *l, size_t i)
{
    *out = NULL;
    rug_status status = crop_pixels(ctx, &c->pixels, l, i);
    if (status == RUG_OK && l->has_mask)
        status = crop_mask(ctx, &c->inside, l, rug_regions_at(l->regions, i));
    if (status != RUG_OK)
        return status;
    rug_image image = rugi_bits_view(&c->pixels.bits);
    rug_image mask = rugi_bits_view(&c->inside.bits);
    rug_boxcount_result *result;
    status = rugi_boxcount_begin(ctx, &result, image.ndim, image.shape, l->opts);
    if (status != RUG_OK)
        return status;
    result->facts.foreground = l->foreground;
    rugi_boxcount_job job = {.image = &image,
                             .mask = l->has_mask ? &mask : NULL,
                             .is_set = rugi_bits_are_set(),
                             .method = result->facts.method};
    status = rugi_boxcount_count(ctx, result, &job);
    return rugi_boxcount_hand_over(ctx, out, result, status);
}

static void free_cropper(rug_context *ctx, cropper *c)
{
    rugi_bits_free(ctx, &c->inside.bits);
    rugi_bits_free(ctx, &c->pixels.bits);
}

/* ---- Batches of labels ---- */

/* What was counted of a label. */
typedef struct counted {
    rug_status status;
    int thread; /* that counted, for the error text */
    rug_boxcount_result *result;
} counted;

typedef struct worker {
    RUGI_OWN_LINES rug_context
        ctx; /* one thread, no callbacks, an error text of its own */
    rug_status status;
    cropper cropper;
} worker;

/* The current batch. */
typedef struct batch {
    const labelling *labelling;
    size_t first; /* its first region */
    size_t n_workers;
    worker *workers;
    counted *counted;
} batch;

static rug_status check(rug_context *ctx, const rug_image *image,
                        const rug_source *labels, const rug_boxcount_options *opts)
{
    if (rugi_boxcount_is_mukundan(opts->method))
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "labels: methods atomic and local count whole images; use auto");
    rug_status status = rugi_engine_cpu_only(ctx, "counting labels");
    if (status == RUG_OK)
        status = rugi_image_check(ctx, image);
    return status == RUG_OK && labels == NULL
               ? rug_context_fail(ctx, RUG_E_ARG, "label image: NULL given")
               : status;
}

static rug_status find_regions(rug_context *ctx, labelling *l, const rug_source *labels,
                               const rug_image *image)
{
    rug_source pixels = rugi_source_of_image(image), own;
    const rug_source *twin;
    rug_status status =
        rugi_twin_source_take(ctx, &own, &twin, labels, "label image", &pixels);
    return status == RUG_OK ? rug_regions_find_source(ctx, &l->regions, twin) : status;
}

/* Packs what all labels have in common. */
static rug_status pack(rug_context *ctx, labelling *l, const rug_image *image,
                       const rug_image *mask)
{
    rug_status status = RUG_OK;
    RUGI_PHASE(ctx, 0, 0.8, status,
               rugi_image_resolve_foreground(ctx, &l->foreground, image, mask,
                                             l->opts->foreground));
    if (status != RUG_OK)
        return status;
    rugi_predicate is_set = rugi_predicate_make(image->dtype, l->foreground);
    RUGI_PHASE(ctx, 0.8, 0.9, status,
               rugi_bits_of_image(ctx, &l->image, image, &is_set, "packed pixels"));
    l->has_mask = mask != NULL;
    if (mask != NULL)
        RUGI_PHASE(ctx, 0.9, 1, status, rugi_bits_of_mask(ctx, &l->mask, mask));
    return status;
}

/* All that is done once for the whole image. */
static rug_status prepare(rug_context *ctx, labelling *l, const rug_image *image,
                          const rug_source *labels)
{
    rugi_twin mask = {0};
    rug_status status = RUG_OK;
    RUGI_PHASE(ctx, 0, 0.5, status, find_regions(ctx, l, labels, image));
    if (status == RUG_OK)
        status = rugi_twin_open(ctx, &mask, l->opts->mask, "mask", image);
    RUGI_PHASE(ctx, 0.5, 1, status, pack(ctx, l, image, mask.image));
    rugi_twin_close(ctx, &mask);
    return status;
}

static rug_status make_batch(rug_context *ctx, batch *b, const labelling *l)
{
    size_t n_labels = rug_regions_count(l->regions);
    *b = (batch){.labelling = l, .n_workers = (size_t)rugi_loop_threads(ctx, n_labels)};
    b->counted = rug_context_allocate(ctx, rugi_smaller(n_labels, BATCH * b->n_workers),
                                      sizeof *b->counted, "counts of labels");
    b->workers = rugi_allocate_zeros(ctx, b->n_workers, sizeof *b->workers,
                                     "workers that count labels");
    if (b->counted == NULL || b->workers == NULL)
        return RUG_E_NOMEM;
    for (size_t t = 0; t < b->n_workers; t++)
        b->workers[t].ctx = rugi_context_for_worker(ctx);
    return RUG_OK;
}

static void free_batch(rug_context *ctx, batch *b)
{
    for (size_t t = 0; t < b->n_workers && b->workers != NULL; t++)
        free_cropper(ctx, &b->workers[t].cropper);
    rug_context_release(ctx, b->workers);
    rug_context_release(ctx, b->counted);
}

/* A thread that has failed does no more: its text is that of its first failure. */
static void count_task(void *shared, size_t task, int thread)
{
    batch *b = shared;
    worker *w = &b->workers[thread];
    counted *c = &b->counted[task];
    c->thread = thread;
    if (w->status == RUG_OK)
        w->status =
            count_label(&w->ctx, &c->result, &w->cropper, b->labelling, b->first + task);
    c->status = w->status;
}

static rug_status count_alone(rug_context *ctx, batch *b)
{
    counted *c = &b->counted[0];
    c->status =
        count_label(ctx, &c->result, &b->workers[0].cropper, b->labelling, b->first);
    return c->status;
}

/* Counts the n labels of a batch. */
static rug_status count_batch(rug_context *ctx, batch *b, size_t n)
{
    memset(b->counted, 0, n * sizeof *b->counted);
    return n == 1 ? count_alone(ctx, b) : rugi_parallel_for(ctx, n, count_task, b);
}

/* Shows one label to the caller. */
static rug_status show(rug_context *ctx, const batch *b, size_t i,
                       rug_boxcount_label_fn fn, void *user)
{
    const counted *c = &b->counted[i];
    if (c->status != RUG_OK)
        return rug_context_fail(ctx, c->status, "%s", b->workers[c->thread].ctx.error);
    rugi_context_set_engine(ctx, c->result->facts.engine);
    return fn(user, rug_regions_at(b->labelling->regions, b->first + i), c->result);
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
                   count_batch(ctx, b, n_here));
        for (size_t i = 0; i < n_here; i++) {
            if (status == RUG_OK)
                status = show(ctx, b, i, fn, user);
            rug_boxcount_free(b->counted[i].result);
        }
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
                               const rug_source *labels, const rug_boxcount_options *opts,
                               rug_boxcount_label_fn fn, void *user)
{
    if (ctx == NULL || fn == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_boxcount_labels: NULL given");
    rug_boxcount_options own;
    rug_status status = rugi_boxcount_take(ctx, &own, opts);
    if (status == RUG_OK)
        status = check(ctx, image, labels, &own);
    if (status != RUG_OK)
        return status;
    labelling l = {.opts = &own};
    batch b = {0};
    RUGI_PHASE(ctx, 0, PREPARE_SHARE, status, prepare(ctx, &l, image, labels));
    if (status == RUG_OK)
        status = make_batch(ctx, &b, &l);
    RUGI_PHASE(ctx, PREPARE_SHARE, 1, status, count_labels(ctx, &b, fn, user));
    free_batch(ctx, &b);
    release(ctx, &l);
    return status;
}
