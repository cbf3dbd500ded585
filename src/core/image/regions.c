/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Regions of a label image: the pass that finds its runs, and the sorting of runs by label.
 *
 * In the pass rows go to threads, and pixels become runs of equal labels. Each task has a list
 * of its own that grows, so that memory follows the runs, not the pixels. Sorting digit by
 * digit takes the same time for all labels, few or many, consecutive or scattered, and keeps
 * the order of z, y, x. */

#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "image_internal.h"
#include "number.h"
#include "source_internal.h"
#include <inttypes.h>
#include <rugose/regions.h>
#include <stdio.h>
#include <string.h>

/* Pixels of a task, about. */
#define TASK_PIXELS ((size_t)1 << 18)

/* Capacity of a list at first, in runs. */
#define FIRST_CAPACITY 256

/* The largest label of a float dtype, 2^53: up to there each whole number is one. */
#define REAL_LABEL_MAX ((uint64_t)1 << 53)

/* Bytes that a thread works with: a segment's pixels, then its changes. */
#define SCRATCH_BYTES (RUGI_SEGMENT_PIXELS * (sizeof(uint64_t) + 1))

/* Runs are sorted by label digit by digit, the lowest first. */
#define DIGIT_BITS 11
#define DIGITS     ((size_t)1 << DIGIT_BITS)

static inline size_t label_digit(uint64_t label, unsigned shift)
{
    return (size_t)(label >> shift) & (DIGITS - 1);
}

typedef struct label_run {
    uint64_t label; /* at least 1 */
    rug_region_run run;
} label_run;

typedef struct run_list {
    label_run *runs;
    size_t n, capacity;
    rug_status status; /* RUG_E_NOMEM; RUG_E_ARG: the pixel `bad` is no label */
    size_t bad[3];     /* z y x, in the slab */
} run_list;

/* The pass: the lists of all slabs, and the slab at work. */
typedef struct scan {
    rug_context *ctx;
    char *scratch;              /* SCRATCH_BYTES per thread */
    run_list *lists;            /* one per task, slab after slab */
    size_t n_lists, first_list; /* first_list: of this slab */
    rug_image volume;           /* this slab, in the axes of the image */
    size_t origin[3];           /* of its first pixel, z y x */
    size_t rows_per_task;
} scan;

/* changes[i]: pixel i is not as the one before it. */
#define MARK_CHANGES(type)                            \
    do {                                              \
        const type *v = pixels;                       \
        for (size_t i = 1; i < n; i++)                \
            changes[i] = (uint8_t)(v[i] != v[i - 1]); \
    } while (0)

static void mark_changes(uint8_t *changes, const void *pixels, size_t n, rug_dtype dtype)
{
    switch (dtype) {
    case RUG_U8:
    case RUG_I8: MARK_CHANGES(uint8_t); break;
    case RUG_U16:
    case RUG_I16: MARK_CHANGES(uint16_t); break;
    case RUG_U32:
    case RUG_I32: MARK_CHANGES(uint32_t); break;
    case RUG_U64:
    case RUG_I64: MARK_CHANGES(uint64_t); break;
    case RUG_F32: MARK_CHANGES(float); break;
    default: MARK_CHANGES(double); break;
    }
}

/* The first change from i on; n when there is none. */
static size_t next_change(const uint8_t *changes, size_t i, size_t n)
{
    for (uint64_t eight; i + sizeof eight <= n; i += sizeof eight) {
        memcpy(&eight, changes + i, sizeof eight);
        if (eight != 0)
            break;
    }
    while (i < n && changes[i] == 0)
        i++;
    return i;
}

static int label_of_signed(uint64_t *label, int64_t v)
{
    *label = (uint64_t)v;
    return v >= 0;
}

static int label_of_real(uint64_t *label, double v)
{
    if (!(v >= 0 && v <= (double)REAL_LABEL_MAX)) /* a NaN neither */
        return 0;
    *label = (uint64_t)v;
    return (double)*label == v;
}

static int label_of_unsigned(uint64_t *label, uint64_t v)
{
    *label = v;
    return 1;
}

#define LABEL_OF(kind, type) label_of_##kind(label, ((const type *)pixels)[i])

/* Reads pixel i as a label. @return whether it is one */
static int label_of(uint64_t *label, const void *pixels, size_t i, rug_dtype dtype)
{
    switch (dtype) {
    case RUG_U8: return LABEL_OF(unsigned, uint8_t);
    case RUG_I8: return LABEL_OF(signed, int8_t);
    case RUG_U16: return LABEL_OF(unsigned, uint16_t);
    case RUG_I16: return LABEL_OF(signed, int16_t);
    case RUG_U32: return LABEL_OF(unsigned, uint32_t);
    case RUG_I32: return LABEL_OF(signed, int32_t);
    case RUG_U64: return LABEL_OF(unsigned, uint64_t);
    case RUG_I64: return LABEL_OF(signed, int64_t);
    case RUG_F32: return label_of_real(label, (double)((const float *)pixels)[i]);
    default: return LABEL_OF(real, double);
    }
}

/* Doubles the capacity. On any thread, where an error text must not be written. */
static int grow(rug_context *ctx, run_list *list)
{
    size_t capacity = list->capacity > 0 ? 2 * list->capacity : FIRST_CAPACITY;
    if (capacity > (size_t)PTRDIFF_MAX / sizeof *list->runs)
        return 0;
    label_run *runs = ctx->allocator.allocate(ctx->allocator.user,
                                              capacity * sizeof *runs, RUGI_ALIGNMENT);
    if (runs == NULL)
        return 0;
    if (list->n > 0)
        memcpy(runs, list->runs, list->n * sizeof *runs);
    rug_context_release(ctx, list->runs);
    list->runs = runs;
    list->capacity = capacity;
    return 1;
}

/* Adds a run, or makes the last one longer when this one goes on where it ends. */
static void add_run(rug_context *ctx, run_list *list, uint64_t label, rug_region_run run)
{
    label_run *last = list->n > 0 ? &list->runs[list->n - 1] : NULL;
    if (last != NULL && last->label == label && last->run.y == run.y &&
        last->run.z == run.z && last->run.x + last->run.n == run.x) {
        last->run.n += run.n;
        return;
    }
    if (list->n == list->capacity && !grow(ctx, list)) {
        list->status = RUG_E_NOMEM;
        return;
    }
    list->runs[list->n++] = (label_run){label, run};
}

/* Adds the runs of n contiguous pixels from (z, y, x) of the slab on. */
static void scan_segment(const scan *s, run_list *list, const void *pixels, size_t n,
                         const size_t at[3], uint8_t *changes)
{
    rug_dtype dtype = rugi_segment_dtype(s->volume.dtype);
    mark_changes(changes, pixels, n, dtype);
    for (size_t from = 0, to; from < n && list->status == RUG_OK; from = to) {
        to = next_change(changes, from + 1, n);
        uint64_t label;
        if (!label_of(&label, pixels, from, dtype)) {
            list->status = RUG_E_ARG;
            memcpy(list->bad, (size_t[3]){at[0], at[1], at[2] + from}, sizeof list->bad);
        } else if (label > 0) {
            rug_region_run run = {(uint32_t)(s->origin[0] + at[0]),
                                  (uint32_t)(s->origin[1] + at[1]),
                                  (uint32_t)(at[2] + from), (uint32_t)(to - from)};
            add_run(s->ctx, list, label, run);
        }
    }
}

static void scan_task(void *shared, size_t task, int thread)
{
    const scan *s = shared;
    const rug_image *v = &s->volume;
    run_list *list = &s->lists[s->first_list + task];
    char *scratch = s->scratch + (size_t)thread * SCRATCH_BYTES;
    uint8_t *changes = (uint8_t *)scratch + RUGI_SEGMENT_PIXELS * sizeof(uint64_t);
    size_t n_rows = v->shape[0] * v->shape[1], row = task * s->rows_per_task;
    size_t n = rugi_smaller(n_rows - row, s->rows_per_task);
    for (size_t end = row + n; row < end; row++)
        for (size_t x = 0; x < v->shape[2]; x += RUGI_SEGMENT_PIXELS) {
            size_t left = v->shape[2] - x,
                   at[3] = {row / v->shape[1], row % v->shape[1], x};
            size_t n_pixels = rugi_smaller(left, RUGI_SEGMENT_PIXELS);
            const void *pixels = rugi_image_segment(v, at, n_pixels, scratch);
            scan_segment(s, list, pixels, n_pixels, at, changes);
            if (list->status != RUG_OK)
                return;
        }
}

static void format_pixel(char text[RUGI_REAL_TEXT_MAX], const rug_image *v,
                         const size_t at[3])
{
    uint64_t scratch[1];
    const void *pixel = rugi_image_segment(v, at, 1, scratch);
    switch (v->dtype) {
    case RUG_I8: rugi_format_real(text, *(const int8_t *)pixel); break;
    case RUG_I16: rugi_format_real(text, *(const int16_t *)pixel); break;
    case RUG_I32: rugi_format_real(text, *(const int32_t *)pixel); break;
    case RUG_U64:
        snprintf(text, RUGI_REAL_TEXT_MAX, "%" PRIu64, *(const uint64_t *)pixel);
        break;
    case RUG_I64:
        snprintf(text, RUGI_REAL_TEXT_MAX, "%" PRId64, *(const int64_t *)pixel);
        break;
    case RUG_F32: rugi_format_real(text, (double)*(const float *)pixel); break;
    default: rugi_format_real(text, *(const double *)pixel); break;
    }
}

/* The labels that a dtype may have, and what to do about others, for the error text. */
static const char *labels_of(rug_dtype dtype)
{
    return dtype == RUG_F32 || dtype == RUG_F64
               ? "whole numbers 0..9007199254740992 expected; round the values, and"
               : "0 or more expected;";
}

static rug_status refuse(const scan *s, int ndim, const size_t bad[3])
{
    char value[RUGI_REAL_TEXT_MAX], layer[32] = "";
    format_pixel(value, &s->volume, bad);
    if (ndim == 3)
        snprintf(layer, sizeof layer, "z %zu, ", s->origin[0] + bad[0]);
    return rug_context_fail(
        s->ctx, RUG_E_ARG,
        "label image: %s at %sy %zu, x %zu given, %s set pixels without a label to 0",
        value, layer, s->origin[1] + bad[1], bad[2], labels_of(s->volume.dtype));
}

/* Turns how often each digit occurs into the place of its first run. */
static void digit_places(size_t counts[DIGITS])
{
    size_t sum = 0;
    for (size_t d = 0; d < DIGITS; d++) {
        size_t count = counts[d];
        counts[d] = sum;
        sum += count;
    }
}

/* The runs of all lists, sorted by the lowest digit on the way. Each list is released as
 * soon as it is copied. */
static rug_status join(rug_context *ctx, label_run **out, size_t *n_runs, run_list *lists,
                       size_t n_lists)
{
    size_t n = 0, place[DIGITS] = {0};
    for (size_t i = 0; i < n_lists; i++) {
        n += lists[i].n;
        for (size_t k = 0; k < lists[i].n; k++)
            place[label_digit(lists[i].runs[k].label, 0)]++;
    }
    label_run *all = rug_context_allocate(ctx, n, sizeof *all, "runs of labels");
    if (all == NULL)
        return RUG_E_NOMEM;
    digit_places(place);
    for (size_t i = 0; i < n_lists; i++) {
        for (size_t k = 0; k < lists[i].n; k++)
            all[place[label_digit(lists[i].runs[k].label, 0)]++] = lists[i].runs[k];
        rug_context_release(ctx, lists[i].runs);
        lists[i].runs = NULL;
    }
    *out = all;
    *n_runs = n;
    return RUG_OK;
}

/* Makes room for the lists of n more tasks. */
static rug_status add_lists(scan *s, size_t n)
{
    run_list *lists =
        rug_context_allocate(s->ctx, s->n_lists + n, sizeof *lists, "lists of runs");
    if (lists == NULL)
        return RUG_E_NOMEM;
    memset(lists, 0, (s->n_lists + n) * sizeof *lists);
    if (s->n_lists > 0)
        memcpy(lists, s->lists, s->n_lists * sizeof *lists);
    rug_context_release(s->ctx, s->lists);
    s->lists = lists;
    s->first_list = s->n_lists;
    s->n_lists += n;
    return RUG_OK;
}

static rug_status scan_slab(rug_context *ctx, void *user, const rug_image *slab,
                            const rug_image *mask, size_t first)
{
    scan *s = user;
    (void)mask;
    s->volume = rugi_image_with_z(slab);
    s->origin[slab->ndim == 3 ? 0 : 1] = first;
    size_t n_rows = s->volume.shape[0] * s->volume.shape[1];
    s->rows_per_task = 1 + TASK_PIXELS / s->volume.shape[2];
    size_t n_tasks = (n_rows - 1) / s->rows_per_task + 1;
    rug_status status = add_lists(s, n_tasks);
    if (status == RUG_OK)
        status = rugi_parallel_for(ctx, n_tasks, scan_task, s);
    for (size_t i = s->first_list; i < s->n_lists && status == RUG_OK; i++) {
        status = s->lists[i].status;
        if (status == RUG_E_ARG)
            refuse(s, slab->ndim, s->lists[i].bad);
        else if (status != RUG_OK)
            rug_context_fail(ctx, status,
                             "runs of labels: not enough memory for more than %zu",
                             s->lists[i].n);
    }
    return status;
}

/* Reads a label image once.
 * @param out     all its runs by the lowest digit of the label, equal ones in the order of
 *                z, y, x; to be released; NULL on failure
 * @param labels  checked
 * @return RUG_OK, RUG_E_ARG (a pixel that is no label), RUG_E_NOMEM, RUG_E_CANCELLED, what
 *         the source returns */
static rug_status label_runs(rug_context *ctx, label_run **out, size_t *n_runs,
                             const rug_source *labels)
{
    scan s = {.ctx = ctx};
    *out = NULL;
    s.scratch = rug_context_allocate(ctx, (size_t)rug_context_threads(ctx), SCRATCH_BYTES,
                                     "row buffers");
    rug_status status = s.scratch != NULL
                            ? rugi_source_for_slabs(ctx, labels, NULL, scan_slab, &s)
                            : RUG_E_NOMEM;
    if (status == RUG_OK)
        status = join(ctx, out, n_runs, s.lists, s.n_lists);
    for (size_t i = 0; i < s.n_lists; i++)
        rug_context_release(ctx, s.lists[i].runs);
    rug_context_release(ctx, s.lists);
    rug_context_release(ctx, s.scratch);
    return status;
}

/* ---- Regions ---- */

struct rug_regions {
    rug_context *ctx;
    size_t n_regions;
    rug_region *regions;
    size_t *first_run; /* of each region, and at the end the number of all runs */
    rug_region_run *runs;
};

/* Copies runs to another array, stably by one digit. */
static void sort_by_digit(label_run *to, const label_run *from, size_t n, unsigned shift)
{
    size_t place[DIGITS] = {0};
    for (size_t i = 0; i < n; i++)
        place[label_digit(from[i].label, shift)]++;
    digit_places(place);
    for (size_t i = 0; i < n; i++)
        to[place[label_digit(from[i].label, shift)]++] = from[i];
}

/* Sorts runs by label that are sorted by its lowest digit; equal labels keep their order.
 * The array may become another. */
static rug_status sort_by_label(rug_context *ctx, label_run **runs, size_t n)
{
    uint64_t differ = 0; /* bits in which labels differ */
    for (size_t i = 1; i < n; i++)
        differ |= (*runs)[i].label ^ (*runs)[0].label;
    if (differ >> DIGIT_BITS == 0)
        return RUG_OK;
    label_run *other = rug_context_allocate(ctx, n, sizeof *other, "sorted runs");
    if (other == NULL)
        return RUG_E_NOMEM;
    for (unsigned shift = DIGIT_BITS; shift < 64; shift += DIGIT_BITS) {
        if (label_digit(differ, shift) == 0)
            continue;
        sort_by_digit(other, *runs, n, shift);
        label_run *sorted = other;
        other = *runs;
        *runs = sorted;
    }
    rug_context_release(ctx, other);
    return RUG_OK;
}

static size_t count_labels(const label_run *runs, size_t n)
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
static void fill(rug_regions *r, const label_run *sorted, size_t n_runs)
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

static rug_status find(rug_regions *r, const rug_source *labels)
{
    label_run *runs = NULL;
    size_t n_runs = 0;
    rug_status status = label_runs(r->ctx, &runs, &n_runs, labels);
    if (status == RUG_OK)
        status = sort_by_label(r->ctx, &runs, n_runs);
    if (status == RUG_OK)
        status = make_room(r, count_labels(runs, n_runs), n_runs);
    if (status == RUG_OK)
        fill(r, runs, n_runs);
    rug_context_release(r->ctx, runs);
    return status;
}

static rug_status check_axes(rug_context *ctx, const rug_source *labels)
{
    for (int a = 0; a < labels->ndim; a++)
        if (labels->shape[a] > UINT32_MAX)
            return rug_context_fail(
                ctx, RUG_E_UNSUPPORTED,
                "label image of %zu pixels along axis %d given, at most %llu expected",
                labels->shape[a], a, (unsigned long long)UINT32_MAX);
    return RUG_OK;
}

/* Nanoseconds of work for each pixel. */
#define PIXEL_WORK 0.3

rug_status rug_regions_find_source(rug_context *ctx, rug_regions **out,
                                   const rug_source *labels)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "regions: NULL given");
    rug_source own;
    rug_status status = rugi_source_take(ctx, &own, labels, "label image");
    if (status == RUG_OK)
        status = check_axes(ctx, &own);
    if (status != RUG_OK)
        return status;
    rug_regions *regions = rug_context_allocate(ctx, 1, sizeof *regions, "regions");
    if (regions == NULL)
        return RUG_E_NOMEM;
    *regions = (rug_regions){.ctx = ctx};
    RUGI_WORK(ctx, PIXEL_WORK * rugi_source_pixels(&own), status, find(regions, &own));
    if (status == RUG_OK)
        *out = regions;
    else
        rug_regions_free(regions);
    return status;
}

rug_status rug_regions_find(rug_context *ctx, rug_regions **out, const rug_image *labels)
{
    if (out != NULL)
        *out = NULL;
    rug_status status = rugi_image_check(ctx, labels);
    if (status != RUG_OK)
        return status;
    rug_source source = rugi_source_of_image(labels);
    return rug_regions_find_source(ctx, out, &source);
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
