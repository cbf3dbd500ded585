/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Regions of a label image: its runs, sorted by label. Sorting digit by digit takes the
 * same time for all labels, few or many, consecutive or scattered, and keeps the order of
 * z, y, x. */

#include "core/context/context_internal.h"
#include "image_internal.h"
#include "regions_internal.h"
#include <string.h>

struct rug_regions {
    rug_context *ctx;
    size_t n_regions;
    rug_region *regions;
    size_t *first_run; /* of each region, and at the end the number of all runs */
    rug_region_run *runs;
};

void rugi_digit_places(size_t counts[RUGI_DIGITS])
{
    size_t sum = 0;
    for (size_t d = 0; d < RUGI_DIGITS; d++) {
        size_t count = counts[d];
        counts[d] = sum;
        sum += count;
    }
}

/* Copies runs to another array, stably by one digit. */
static void sort_by_digit(rugi_label_run *to, const rugi_label_run *from, size_t n,
                          unsigned shift)
{
    size_t place[RUGI_DIGITS] = {0};
    for (size_t i = 0; i < n; i++)
        place[rugi_label_digit(from[i].label, shift)]++;
    rugi_digit_places(place);
    for (size_t i = 0; i < n; i++)
        to[place[rugi_label_digit(from[i].label, shift)]++] = from[i];
}

/* Sorts runs by label that are sorted by its lowest digit; equal labels keep their order.
 * The array may become another. */
static rug_status sort_by_label(rug_context *ctx, rugi_label_run **runs, size_t n)
{
    uint64_t differ = 0; /* bits in which labels differ */
    for (size_t i = 1; i < n; i++)
        differ |= (*runs)[i].label ^ (*runs)[0].label;
    if (differ >> RUGI_DIGIT_BITS == 0)
        return RUG_OK;
    rugi_label_run *other = rug_context_allocate(ctx, n, sizeof *other, "sorted runs");
    if (other == NULL)
        return RUG_E_NOMEM;
    for (unsigned shift = RUGI_DIGIT_BITS; differ >> shift > 0;
         shift += RUGI_DIGIT_BITS) {
        if (rugi_label_digit(differ, shift) == 0)
            continue;
        sort_by_digit(other, *runs, n, shift);
        rugi_label_run *sorted = other;
        other = *runs;
        *runs = sorted;
    }
    rug_context_release(ctx, other);
    return RUG_OK;
}

static size_t count_labels(const rugi_label_run *runs, size_t n)
{
    size_t n_labels = n > 0;
    for (size_t i = 1; i < n; i++)
        n_labels += runs[i].label != runs[i - 1].label;
    return n_labels;
}

static rug_status make_room(rug_regions *r, size_t n_regions, size_t n_runs)
{
    rug_context *ctx = r->ctx;
    r->regions = rug_context_allocate(ctx, n_regions, sizeof *r->regions, "regions");
    r->first_run = rug_context_allocate(ctx, n_regions + 1, sizeof *r->first_run,
                                        "first runs of regions");
    r->runs = rug_context_allocate(ctx, n_runs, sizeof *r->runs, "runs of regions");
    return r->regions != NULL && r->first_run != NULL && r->runs != NULL ? RUG_OK
                                                                         : RUG_E_NOMEM;
}

/* The region of the runs first .. end - 1. */
static rug_region measure(const rug_region_run *runs, size_t first, size_t end,
                          uint64_t label)
{
    rug_region region = {.label = label};
    size_t lo[3] = {SIZE_MAX, SIZE_MAX, SIZE_MAX}, hi[3] = {0, 0, 0};
    for (size_t i = first; i < end; i++) {
        const rug_region_run *run = &runs[i];
        size_t from[3] = {run->z, run->y, run->x};
        size_t to[3] = {run->z, run->y, (size_t)run->x + run->n - 1};
        for (int a = 0; a < 3; a++) {
            lo[a] = from[a] < lo[a] ? from[a] : lo[a];
            hi[a] = to[a] > hi[a] ? to[a] : hi[a];
        }
        region.area += run->n;
    }
    for (int a = 0; a < 3; a++) {
        region.first[a] = lo[a];
        region.shape[a] = hi[a] - lo[a] + 1;
    }
    return region;
}

/* Fills regions from runs that are sorted by label. */
static void fill(rug_regions *r, const rugi_label_run *sorted, size_t n_runs)
{
    for (size_t i = 0; i < n_runs; i++)
        r->runs[i] = sorted[i].run;
    for (size_t i = 0, end; i < n_runs; i = end) {
        for (end = i + 1; end < n_runs && sorted[end].label == sorted[i].label;)
            end++;
        r->first_run[r->n_regions] = i;
        r->regions[r->n_regions++] = measure(r->runs, i, end, sorted[i].label);
    }
    r->first_run[r->n_regions] = n_runs;
}

static rug_status find(rug_regions *r, const rug_image *labels)
{
    rugi_label_run *runs = NULL;
    size_t n_runs = 0;
    rug_status status = rugi_label_runs(r->ctx, &runs, &n_runs, labels);
    if (status == RUG_OK)
        status = sort_by_label(r->ctx, &runs, n_runs);
    if (status == RUG_OK)
        status = make_room(r, count_labels(runs, n_runs), n_runs);
    if (status == RUG_OK)
        fill(r, runs, n_runs);
    rug_context_release(r->ctx, runs);
    return status;
}

static rug_status check_labels(rug_context *ctx, const rug_image *labels)
{
    rug_status status = rugi_image_check(ctx, labels);
    for (int a = 0; status == RUG_OK && a < labels->ndim; a++)
        if (labels->shape[a] > UINT32_MAX)
            status = rug_context_fail(
                ctx, RUG_E_UNSUPPORTED,
                "label image of %zu pixels along axis %d given, at most %llu expected",
                labels->shape[a], a, (unsigned long long)UINT32_MAX);
    return status;
}

rug_status rug_regions_find(rug_context *ctx, rug_regions **out, const rug_image *labels)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_regions_find: NULL given");
    rug_status status = check_labels(ctx, labels);
    if (status != RUG_OK)
        return status;
    rug_regions *regions = rug_context_allocate(ctx, 1, sizeof *regions, "regions");
    if (regions == NULL)
        return RUG_E_NOMEM;
    *regions = (rug_regions){.ctx = ctx};
    status = find(regions, labels);
    if (status == RUG_OK)
        *out = regions;
    else
        rug_regions_free(regions);
    return status;
}

void rug_regions_free(rug_regions *regions)
{
    if (regions == NULL)
        return;
    rug_context_release(regions->ctx, regions->runs);
    rug_context_release(regions->ctx, regions->first_run);
    rug_context_release(regions->ctx, regions->regions);
    rug_context_release(regions->ctx, regions);
}

size_t rug_regions_count(const rug_regions *regions)
{
    return regions != NULL ? regions->n_regions : 0;
}

const rug_region *rug_regions_at(const rug_regions *regions, size_t i)
{
    return i < rug_regions_count(regions) ? &regions->regions[i] : NULL;
}

const rug_region_run *rug_regions_runs(const rug_regions *regions, size_t i,
                                       size_t *n_runs)
{
    int there = i < rug_regions_count(regions);
    if (n_runs != NULL)
        *n_runs = there ? regions->first_run[i + 1] - regions->first_run[i] : 0;
    return there ? regions->runs + regions->first_run[i] : NULL;
}
