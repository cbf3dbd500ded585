/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From the image and the options to numbers: whether they fit together, regions, offsets,
 * the range, and the tables that all engines need. */

#include "glcm_plan.h"
#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "glcm_values.h"
#include <math.h>
#include <string.h>

/* Bins of floats if their number is not given. */
#define AUTO_LEVELS 64

/* ---- The image ---- */

static int is_float(rug_dtype dtype)
{
    return dtype == RUG_F32 || dtype == RUG_F64;
}

/* EXACT or bins, with this image. */
static rug_glcm_levels resolve_levels(const rug_glcm_options *opts, rug_dtype dtype)
{
    if (opts->levels != RUG_GLCM_LEVELS_AUTO)
        return opts->levels;
    return is_float(dtype) ? RUG_GLCM_LEVELS_COUNT : RUG_GLCM_LEVELS_EXACT;
}

static rug_status check_levels(rug_context *ctx, rug_dtype dtype,
                               const rug_glcm_options *opts)
{
    const char *name = rug_dtype_name(dtype);
    rug_glcm_levels levels = resolve_levels(opts, dtype);
    if (levels == RUG_GLCM_LEVELS_EXACT && opts->range != RUG_GLCM_RANGE_AUTO)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence: a range is given, but the levels of %s "
                                "pixels are exact; use levels COUNT or WIDTH",
                                name);
    if (opts->range == RUG_GLCM_RANGE_TYPE && (is_float(dtype) || dtype >= RUG_U32))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence: the full range of %s requested, "
                                "integers of up to 16 bits expected; use another range",
                                name);
    return RUG_OK;
}

static int is_flat(const rug_source *image, const rug_glcm_options *opts)
{
    return image->ndim == 2 || opts->slices != RUG_GLCM_SLICES_NONE;
}

static rug_status check_axes(rug_context *ctx, const rug_source *image,
                             const rug_glcm_options *opts)
{
    if (image->ndim == 2 && opts->slices != RUG_GLCM_SLICES_NONE)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence: slices of an image of 2 axes requested, "
                                "a volume expected");
    if (is_flat(image, opts) && opts->directions >> RUG_GLCM_DIRECTIONS_2D != 0)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence: directions 0x%lx given, bits 0..3 "
                                "expected for an image or slices",
                                (unsigned long)opts->directions);
    for (int a = 0; a < image->ndim; a++)
        if (image->shape[a] > UINT32_MAX)
            return rug_context_fail(
                ctx, RUG_E_UNSUPPORTED,
                "image of %zu pixels along axis %d given, at most %lu expected",
                image->shape[a], a, (unsigned long)UINT32_MAX);
    return RUG_OK;
}

/* How the image is reached: as it lies in memory, or by its shape alone. */
static rug_image view_of(const rug_source *source)
{
    rug_image view = {.dtype = source->dtype, .ndim = source->ndim};
    memcpy(view.shape, source->shape, sizeof view.shape);
    return rugi_image_with_z(
        rugi_source_is_memory(source) ? (const rug_image *)source->user : &view);
}

/* Takes the image, its mask and its labels, and says whether options fit them. */
static rug_status take(rug_context *ctx, rugi_glcm_plan *plan, rug_source *own_labels,
                       const rug_source **labels, const rug_source *source,
                       const rug_glcm_options *opts)
{
    rug_status status = rugi_source_take(ctx, &plan->source, source, "image");
    if (status == RUG_OK)
        status = rugi_twin_source_take(ctx, own_labels, labels, opts->labels,
                                       "label image", &plan->source);
    if (status == RUG_OK)
        status = rugi_twin_source_take(ctx, &plan->own_mask, &plan->mask_source,
                                       opts->mask, "mask", &plan->source);
    if (status == RUG_OK)
        status = check_levels(ctx, plan->source.dtype, opts);
    return status == RUG_OK ? check_axes(ctx, &plan->source, opts) : status;
}

/* The mask of an image in memory is in memory too. */
static rug_status open_mask(rug_context *ctx, rugi_glcm_plan *plan)
{
    plan->with_mask = plan->mask_source != NULL;
    if (!plan->with_mask || rugi_glcm_is_streamed(plan))
        return RUG_OK;
    rug_status status =
        rugi_twin_open(ctx, &plan->twin, plan->mask_source, "mask", plan->source.user);
    if (status == RUG_OK)
        plan->mask = rugi_image_with_z(&plan->twin.view);
    return status;
}

/* ---- Slabs ---- */

/* The share of a slab's work that reading is, for progress. */
#define READ_SHARE 0.5

static rug_status read_slab(const rugi_glcm_plan *plan, rug_image *slab, rug_image *mask,
                            size_t first, size_t n)
{
    rug_status status = rugi_source_read(plan->reader, &plan->source, slab, first, n);
    return status == RUG_OK && plan->with_mask
               ? rugi_source_read(plan->reader, plan->mask_source, mask, first, n)
               : status;
}

rug_status rugi_glcm_for_slabs(rug_context *ctx, const rugi_glcm_plan *plan, double from,
                               double to, rugi_slab_fn fn, void *user)
{
    rug_context *reader = plan->reader;
    size_t n_all = plan->source.shape[0];
    rug_status status = RUG_OK;
    for (size_t first = 0; first < n_all && status == RUG_OK;
         first += plan->slab_layers) {
        size_t n = rugi_smaller(n_all - first, plan->slab_layers);
        double begin = from + (to - from) * (double)first / (double)n_all;
        double end = from + (to - from) * (double)(first + n) / (double)n_all;
        double middle = begin + READ_SHARE * (end - begin);
        rug_image slab, mask;
        RUGI_PHASE(reader, begin, middle, status,
                   read_slab(plan, &slab, &mask, first, n));
        if (status != RUG_OK && ctx != reader)
            return rug_context_fail(ctx, status, "%s", rug_context_error(reader));
        RUGI_PHASE(reader, middle, end, status,
                   fn(ctx, user, &slab, plan->with_mask ? &mask : NULL, first));
        if (status == RUG_OK)
            status = rug_context_step(reader, end);
    }
    return status;
}

/* ---- Offsets ---- */

static void plan_offsets(rugi_glcm_plan *plan, const rug_glcm_options *opts)
{
    static const uint32_t default_distance = 1;
    uint32_t n = plan->is_flat ? RUG_GLCM_DIRECTIONS_2D : RUG_GLCM_DIRECTIONS_3D;
    uint32_t bits = opts->directions != 0 ? opts->directions : (1U << n) - 1;
    for (uint32_t k = 0; k < n; k++)
        if (bits >> k & 1)
            plan->direction[plan->n_directions++] = k;
    plan->distance = opts->distances != NULL ? opts->distances : &default_distance;
    plan->n_distances = opts->distances != NULL ? opts->n_distances : 1;
    plan->n_rows = plan->n_distances *
                   (plan->aggregate == RUG_GLCM_AGGREGATE_NONE ? plan->n_directions : 1);
}

void rugi_glcm_offset(const rugi_glcm_plan *plan, int out[3], uint32_t i,
                      uint32_t distance)
{
    if (plan->offset == NULL)
        rug_glcm_direction(NULL, out, plan->ndim, plan->direction[i]);
    for (int a = 0; a < 3; a++)
        out[a] = plan->offset == NULL ? out[a] * (int)distance : plan->offset[i][a];
}

/* ---- The range ---- */

static void type_range(rug_dtype dtype, double *lo, double *hi)
{
    static const double all[][2] = {
        {0, 1}, {0, 255}, {-128, 127}, {0, 65535}, {-32768, 32767}};
    *lo = all[dtype][0];
    *hi = all[dtype][1];
}

/* What re-segmentation leaves, as a thread sees it. */
typedef struct kept_range {
    const rugi_glcm_plan *plan;
    double lo, hi;
    char apart[64]; /* from the next thread's cache line */
} kept_range;

/* Pixels that are looked at together. */
#define CHUNK ((size_t)512)

static void widen_kept(void *state, const void *pixels, size_t n)
{
    kept_range *k = state;
    const rugi_glcm_plan *plan = k->plan;
    rug_dtype dtype = rugi_segment_dtype(plan->source.dtype);
    uint64_t loaded[CHUNK];
    uint8_t inside[CHUNK];
    for (size_t first = 0; first < n; first += CHUNK) {
        size_t n_here = rugi_smaller(n - first, CHUNK);
        memset(inside, 1, n_here);
        rugi_glcm_load(loaded, (const char *)pixels + first * rug_dtype_size(dtype),
                       n_here, dtype, !plan->is_float);
        rugi_glcm_leave_out(inside, plan, loaded, n_here);
        for (size_t i = 0; i < n_here; i++) {
            double v = rugi_glcm_value(plan, loaded, i);
            if (!inside[i] || !isfinite(v))
                continue;
            k->lo = v < k->lo ? v : k->lo;
            k->hi = v > k->hi ? v : k->hi;
        }
    }
}

/* The range of the image inside of the mask, after re-segmentation. */
static rug_status kept_image_range(rug_context *ctx, rugi_glcm_plan *plan)
{
    size_t n = (size_t)rug_context_threads(ctx);
    kept_range *k = rug_context_allocate(ctx, n, sizeof *k, "ranges of threads");
    if (k == NULL)
        return RUG_E_NOMEM;
    for (size_t i = 0; i < n; i++)
        k[i] = (kept_range){plan, INFINITY, -INFINITY, {0}};
    rug_status status = rugi_source_for_segments(ctx, &plan->source, plan->mask_source,
                                                 widen_kept, k, sizeof *k);
    double lo = INFINITY, hi = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        lo = fmin(lo, k[i].lo);
        hi = fmax(hi, k[i].hi);
    }
    plan->range_lo = lo <= hi ? lo : (double)NAN;
    plan->range_hi = lo <= hi ? hi : (double)NAN;
    rug_context_release(ctx, k);
    return status;
}

/* The range of the image inside of the mask. */
static rug_status image_range(rug_context *ctx, rugi_glcm_plan *plan)
{
    rug_image_range range;
    if (plan->is_resegmented)
        return kept_image_range(ctx, plan);
    rug_status status = rugi_source_range(ctx, &range, &plan->source, plan->mask_source);
    if (status == RUG_OK) {
        plan->range_lo = range.min;
        plan->range_hi = range.max;
    }
    return status;
}

static rug_status plan_range(rug_context *ctx, rugi_glcm_plan *plan)
{
    if (plan->range == RUG_GLCM_RANGE_AUTO)
        plan->range = plan->levels == RUG_GLCM_LEVELS_COUNT ? RUG_GLCM_RANGE_IMAGE
                                                            : RUG_GLCM_RANGE_ROI;
    if (plan->range == RUG_GLCM_RANGE_TYPE)
        type_range(plan->image.dtype, &plan->range_lo, &plan->range_hi);
    if (plan->range == RUG_GLCM_RANGE_IMAGE && plan->is_resegmented &&
        plan->regions == NULL) /* the same, without another pass */
        plan->range = RUG_GLCM_RANGE_ROI;
    return plan->range == RUG_GLCM_RANGE_IMAGE ? image_range(ctx, plan) : RUG_OK;
}

/* Bins of a width that begin at a given value, which the default is with a given range and
 * with re-segmentation (IBSI 2016, section 2.7). */
static void plan_origin(rugi_glcm_plan *plan, const rug_glcm_options *opts)
{
    int is_range = opts->range == RUG_GLCM_RANGE_GIVEN;
    plan->origin = opts->origin;
    plan->bin_origin = opts->bin_origin;
    if (opts->origin == RUG_GLCM_ORIGIN_AUTO) {
        int is_given = is_range || (plan->is_resegmented && isfinite(plan->keep_lo));
        plan->origin = is_given ? RUG_GLCM_ORIGIN_GIVEN : RUG_GLCM_ORIGIN_ZERO;
        plan->bin_origin = is_range ? opts->range_lo : plan->keep_lo;
    }
    plan->clamp_lo = is_range ? opts->range_lo : -INFINITY;
    plan->clamp_hi = is_range ? opts->range_hi : INFINITY;
    if (opts->origin == RUG_GLCM_ORIGIN_GIVEN)
        plan->clamp_lo = fmax(plan->clamp_lo, opts->bin_origin);
}

/* ---- Re-segmentation ---- */

/* A whole number that the dtype can hold. */
static int64_t to_integer(double v, int is_shifted)
{
    return is_shifted ? (int64_t)((uint64_t)v ^ (uint64_t)1 << 63) : (int64_t)v;
}

static void plan_resegment(rugi_glcm_plan *plan, const rug_glcm_options *opts)
{
    int is_shifted = plan->image.dtype == RUG_U64;
    double first = is_shifted ? 0 : -0x1p63, end = is_shifted ? 0x1p64 : 0x1p63;
    double lo = ceil(opts->resegment_lo), hi = floor(opts->resegment_hi);
    plan->is_resegmented = opts->resegment != 0;
    plan->keep_lo = opts->resegment_lo;
    plan->keep_hi = opts->resegment_hi;
    int is_any = lo < end && hi >= first;
    plan->keep_least = !is_any       ? INT64_MAX
                       : lo <= first ? INT64_MIN
                                     : to_integer(lo, is_shifted);
    plan->keep_most = !is_any     ? INT64_MIN
                      : hi >= end ? INT64_MAX
                                  : to_integer(hi, is_shifted);
}

/* ---- Tables ---- */

/* Most counts of large regions are below. */
#define COMMON ((uint64_t)1 << 9)

/* Counts that have to be in tables: the pixels of the largest small region. Large ones
 * have few counts above COMMON, and a table for all of them would take longer than their
 * pairs; but what a mask, re-segmentation or NaN leaves of one may be small, as may a
 * slice. */
static uint64_t largest_small_area(const rugi_glcm_plan *plan)
{
    int may_lose = plan->with_mask || plan->is_float || plan->is_resegmented;
    uint64_t most = 1, of_large = may_lose ? RUGI_GLCM_SMALL : COMMON;
    if (plan->slices != RUG_GLCM_SLICES_NONE)
        return RUGI_GLCM_SMALL;
    for (size_t i = 0; i < plan->n_regions; i++) {
        uint64_t area = rugi_glcm_area(plan, i);
        area = area <= RUGI_GLCM_SMALL ? area : of_large;
        most = area > most ? area : most;
    }
    return most;
}

/* Levels that a region can have at most. */
static size_t most_levels(const rugi_glcm_plan *plan)
{
    static const size_t of_type[] = {2, 256, 256};
    if (plan->levels == RUG_GLCM_LEVELS_COUNT)
        return plan->n_levels;
    int is_small = plan->levels == RUG_GLCM_LEVELS_EXACT && plan->image.dtype <= RUG_I8;
    return is_small ? of_type[plan->image.dtype] : RUG_GLCM_MAX_SPAN;
}

static rug_status make_closeness(rug_context *ctx, rugi_glcm_plan *plan)
{
    size_t n = most_levels(plan) + (size_t)plan->is_frame;
    plan->n_weights = n + RUGI_GLCM_SLACK;
    plan->closeness = rug_context_allocate(ctx, plan->n_weights, sizeof *plan->closeness,
                                           "weights of differences");
    for (size_t k = 0; plan->closeness != NULL && k < plan->n_weights; k++)
        plan->closeness[k] = k < n ? 1 / (1 + (double)k * (double)k) : 0;
    return plan->closeness != NULL ? RUG_OK : RUG_E_NOMEM;
}

/* ---- All of it ---- */

static void resolve(rugi_glcm_plan *out, const rug_glcm_options *opts)
{
    const rug_source *image = &out->source;
    size_t n_bytes = out->mask_source != NULL ? RUGI_SLAB_BYTES / 2 : RUGI_SLAB_BYTES;
    out->image = view_of(image);
    out->slab_layers = rug_source_layers(image, n_bytes);
    if (out->mask_source != NULL)
        out->slab_layers =
            rugi_smaller(out->slab_layers, rug_source_layers(out->mask_source, n_bytes));
    out->n_regions = 1;
    out->ndim = image->ndim;
    out->is_flat = is_flat(image, opts);
    out->is_float = is_float(image->dtype);
    out->is_symmetric = !opts->asymmetric;
    out->is_frame = opts->pairs == RUG_GLCM_PAIRS_FRAME;
    out->frame = opts->frame;
    out->aggregate = opts->aggregate;
    out->slices = opts->slices;
    out->levels = resolve_levels(opts, image->dtype);
    out->n_levels = opts->n_levels != 0 ? opts->n_levels : AUTO_LEVELS;
    out->bin_width = opts->bin_width;
    out->range = opts->range;
    out->range_lo = opts->range_lo;
    out->range_hi = opts->range_hi;
    out->with_mcc = out->with_entries = opts->features != RUG_GLCM_FEATURES_13;
    out->with_all = opts->features == RUG_GLCM_FEATURES_ALL;
    out->per_nat = rugi_glcm_per_nat(opts->log_base);
    plan_offsets(out, opts);
    plan_resegment(out, opts);
    plan_origin(out, opts);
}

static rug_status find_regions(rug_context *ctx, rugi_glcm_plan *plan,
                               const rug_source *labels)
{
    if (labels == NULL)
        return RUG_OK;
    rug_status status = rug_regions_find_source(ctx, &plan->regions, labels);
    plan->n_regions = status == RUG_OK ? rug_regions_count(plan->regions) : 0;
    return status;
}

rug_status rugi_glcm_plan_begin(rug_context *ctx, rugi_glcm_plan *out,
                                const rug_source *source, const rug_glcm_options *opts)
{
    rug_source own_labels;
    const rug_source *labels;
    *out = (rugi_glcm_plan){.reader = ctx};
    rug_status status = take(ctx, out, &own_labels, &labels, source, opts);
    if (status != RUG_OK)
        return status;
    resolve(out, opts);
    rugi_glcm_set_kernels(&out->kernels, rug_context_cpu_level(ctx));
    status = open_mask(ctx, out);
    if (status == RUG_OK)
        status = find_regions(ctx, out, labels);
    return status == RUG_OK ? plan_range(ctx, out) : status;
}

rug_status rugi_glcm_plan_tables(rug_context *ctx, rugi_glcm_plan *plan, uint64_t window)
{
    uint64_t pairs = window > 0 ? window : largest_small_area(plan);
    rug_status status =
        rugi_glcm_make_logs(ctx, &plan->logs, 2 * pairs * plan->n_directions);
    return status == RUG_OK ? make_closeness(ctx, plan) : status;
}

rug_status rugi_glcm_plan_new(rug_context *ctx, rugi_glcm_plan *out,
                              const rug_source *source, const rug_glcm_options *opts,
                              uint64_t window)
{
    rug_status status = rugi_glcm_plan_begin(ctx, out, source, opts);
    return status == RUG_OK ? rugi_glcm_plan_tables(ctx, out, window) : status;
}

void rugi_glcm_plan_free(rug_context *ctx, rugi_glcm_plan *plan)
{
    rug_context_release(ctx, plan->closeness);
    rug_context_release(ctx, plan->logs.step);
    rug_context_release(ctx, plan->logs.t);
    rug_regions_free(plan->regions);
    rugi_twin_close(ctx, &plan->twin);
}

/* ---- Memory that grows ---- */

void *rugi_glcm_grow(rug_context *ctx, rugi_glcm_scratch *scratch, uint64_t n,
                     size_t size, const char *what)
{
    size_t n_items =
        n < SIZE_MAX ? (size_t)n : SIZE_MAX; /* refused where memory is taken */
    if (scratch->data != NULL && n <= scratch->n_bytes / size)
        return scratch->data;
    rugi_glcm_scratch_free(ctx, scratch);
    scratch->data = rug_context_allocate(ctx, n_items, size, what);
    scratch->n_bytes = scratch->data != NULL ? n_items * size : 0;
    return scratch->data;
}

/* Bytes between two looks for cancellation. */
#define LOOK_BYTES ((size_t)1 << 22)

rug_status rugi_glcm_clear(rug_context *ctx, void *block, size_t n_bytes)
{
    rug_status status = RUG_OK;
    for (size_t i = 0; i < n_bytes && status == RUG_OK; i += LOOK_BYTES) {
        memset((char *)block + i, 0, rugi_smaller(n_bytes - i, LOOK_BYTES));
        if (n_bytes > LOOK_BYTES)
            status = rugi_look(ctx);
    }
    return status;
}

void rugi_glcm_scratch_free(rug_context *ctx, rugi_glcm_scratch *scratch)
{
    rug_context_release(ctx, scratch->data);
    *scratch = (rugi_glcm_scratch){0};
}
