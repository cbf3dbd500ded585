/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Ranges of values, of which slabs that a method reads are as good as a pass of their own. */

#include "watch.h"
#include <math.h>
#include <time.h>

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int is_less(double a, int64_t a_rest, double b, int64_t b_rest)
{
    return a < b || (a <= b && a_rest < b_rest);
}

static void join(rug_image_range *all, const rug_image_range *part)
{
    all->n_nan += part->n_nan;
    all->n_infinite += part->n_infinite;
    all->distinct_is_min = 1;
    if (part->n_distinct > all->n_distinct)
        all->n_distinct = part->n_distinct;
    if (isnan(part->min)) /* no finite value */
        return;
    if (isnan(all->min) || is_less(part->min, part->min_rest, all->min, all->min_rest)) {
        all->min = part->min;
        all->min_rest = part->min_rest;
    }
    if (isnan(all->max) || is_less(all->max, all->max_rest, part->max, part->max_rest)) {
        all->max = part->max;
        all->max_rest = part->max_rest;
    }
}

/* Slabs count as long as they come one after the other, from the first layer on. */
static void see(cli_watch *w, const rug_image *slab, size_t first, size_t n)
{
    rug_image_range part = RUG_IMAGE_RANGE_INIT;
    double start = seconds_now();
    if (first == 0) {
        w->range = (rug_image_range)RUG_IMAGE_RANGE_INIT;
        w->range.min = w->range.max = NAN;
        w->n_seen = 0;
    }
    if (first != w->n_seen)
        return;
    if (slab->dtype == RUG_BIT && w->range.min <= 0 && w->range.max >= 1) {
        w->n_seen += n; /* there is nothing more to see */
        w->is_known = w->n_seen == w->source.shape[0];
        return;
    }
    rug_status status = rug_image_measure_range(w->ctx, &part, slab);
    if (status == RUG_OK) {
        join(&w->range, &part);
        w->n_seen += n;
        w->is_known = w->n_seen == w->source.shape[0];
    }
    w->seconds += seconds_now() - start;
}

static rug_status read_and_see(rug_context *ctx, void *user, rug_image *out, size_t first,
                               size_t n)
{
    cli_watch *w = user;
    rug_status status = w->source.read(ctx, w->source.user, out, first, n);
    if (status == RUG_OK && !w->is_known && w->mask == NULL)
        see(w, out, first, n);
    return status;
}

rug_source cli_watch_begin(cli_watch *watch, rug_context *ctx, const rug_source *source,
                           const rug_source *mask)
{
    *watch = (cli_watch){.ctx = ctx, .source = *source, .mask = mask};
    rug_source watched = *source;
    watched.read = read_and_see;
    watched.user = watch;
    return watched;
}

const rug_image_range *cli_watch_range(cli_watch *watch)
{
    if (watch->is_known || watch->status != RUG_OK)
        return &watch->range;
    double start = seconds_now();
    watch->range = (rug_image_range)RUG_IMAGE_RANGE_INIT;
    watch->status = watch->find != NULL
                        ? watch->find(watch->user, &watch->range)
                        : rug_source_measure_range(watch->ctx, &watch->range,
                                                   &watch->source, watch->mask);
    watch->is_known = watch->status == RUG_OK;
    watch->seconds += seconds_now() - start;
    return &watch->range;
}
