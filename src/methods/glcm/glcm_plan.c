/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Options to numbers: what is asked for, and whether it can be. */

#include "glcm_plan.h"
#include "core/context/context_internal.h"
#include "core/image/image_internal.h"
#include <math.h>
#include <string.h>

static int is_float(rug_dtype dtype)
{
    return dtype == RUG_F32 || dtype == RUG_F64;
}

static rug_status check_enum(rug_context *ctx, const char *what, int value, int last)
{
    if ((unsigned)value <= (unsigned)last)
        return RUG_OK;
    return rug_context_fail(ctx, RUG_E_ARG, "co-occurrence: %s %d given, 0..%d expected",
                            what, value, last);
}

static rug_status check_enums(rug_context *ctx, const rug_glcm_options *o)
{
    const struct {
        const char *what;
        int value, last;
    } all[] = {
        {"pairs", (int)o->pairs, RUG_GLCM_PAIRS_FRAME},
        {"levels", (int)o->levels, RUG_GLCM_LEVELS_WIDTH},
        {"range", (int)o->range, RUG_GLCM_RANGE_GIVEN},
        {"aggregate", (int)o->aggregate, RUG_GLCM_AGGREGATE_MERGED},
        {"slices", (int)o->slices, RUG_GLCM_SLICES_MERGED},
        {"features", (int)o->features, RUG_GLCM_FEATURES_ALL},
    };
    rug_status status = RUG_OK;
    for (size_t i = 0; i < sizeof all / sizeof all[0] && status == RUG_OK; i++)
        status = check_enum(ctx, all[i].what, all[i].value, all[i].last);
    return status;
}

static rug_status check_offsets(rug_context *ctx, const rug_glcm_options *o)
{
    if ((o->distances == NULL) != (o->n_distances == 0) ||
        o->n_distances > RUG_GLCM_MAX_DISTANCES)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence: %lu distances given, 1..%d expected (or "
                                "NULL and 0 for the distance 1)",
                                (unsigned long)o->n_distances, RUG_GLCM_MAX_DISTANCES);
    for (uint32_t i = 0; i < o->n_distances; i++) {
        uint32_t d = o->distances[i], before = i > 0 ? o->distances[i - 1] : 0;
        if (d < 1 || d > RUG_GLCM_MAX_DISTANCE || d <= before)
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "co-occurrence: distance %lu given, 1..%d in "
                                    "ascending order expected",
                                    (unsigned long)d, RUG_GLCM_MAX_DISTANCE);
    }
    if (o->directions >> RUG_GLCM_DIRECTIONS_3D != 0)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence: directions 0x%lx given, bits 0..%d "
                                "expected",
                                (unsigned long)o->directions, RUG_GLCM_DIRECTIONS_3D - 1);
    return RUG_OK;
}

static rug_status check_bins(rug_context *ctx, const rug_glcm_options *o)
{
    int is_count = o->levels == RUG_GLCM_LEVELS_COUNT;
    int is_width = o->levels == RUG_GLCM_LEVELS_WIDTH;
    if (is_count ? o->n_levels < 2 || o->n_levels > RUG_GLCM_MAX_SPAN : o->n_levels != 0)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence: %lu levels given; 2..%d expected with "
                                "levels COUNT, else 0",
                                (unsigned long)o->n_levels, RUG_GLCM_MAX_SPAN);
    if (is_width ? !(o->bin_width > 0) || isinf(o->bin_width)
                 : o->bin_width != 0 || isnan(o->bin_width))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence: bins of width %g given; above 0 expected "
                                "with levels WIDTH, else 0",
                                o->bin_width);
    if (o->levels == RUG_GLCM_LEVELS_EXACT && o->range != RUG_GLCM_RANGE_AUTO)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence: a range is given, but exact levels have "
                                "no bins; use levels COUNT or WIDTH");
    return RUG_OK;
}

static rug_status check_range(rug_context *ctx, const rug_glcm_options *o)
{
    double lo = o->range_lo, hi = o->range_hi;
    if (o->range == RUG_GLCM_RANGE_GIVEN && !(lo < hi && isfinite(lo) && isfinite(hi)))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence: range %g..%g given, two finite numbers "
                                "expected, the lower first",
                                lo, hi);
    if (o->range != RUG_GLCM_RANGE_GIVEN && !(lo == 0 && hi == 0))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence: range %g..%g given with a range rule "
                                "other than GIVEN; use GIVEN, or 0 and 0",
                                lo, hi);
    return RUG_OK;
}

rug_status rugi_glcm_check(rug_context *ctx, const rug_glcm_options *o)
{
    if (!rugi_options_fit(ctx, o->struct_size, sizeof *o, "rug_glcm_options"))
        return RUG_E_ARG;
    rug_status status = check_enums(ctx, o);
    if (status == RUG_OK)
        status = check_offsets(ctx, o);
    if (status == RUG_OK)
        status = check_bins(ctx, o);
    if (status == RUG_OK)
        status = check_range(ctx, o);
    if (status == RUG_OK && o->log_base != 2.0 &&
        !(fabs(o->log_base - 2.718281828459045) <= 1e-15))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence: logarithms to the base %g given, 2 or "
                                "M_E expected",
                                o->log_base);
    return status;
}

/* EXACT or bins, with this image. */
static rug_glcm_levels resolve_levels(const rug_glcm_options *o, rug_dtype dtype)
{
    if (o->levels != RUG_GLCM_LEVELS_AUTO)
        return o->levels;
    return is_float(dtype) ? RUG_GLCM_LEVELS_COUNT : RUG_GLCM_LEVELS_EXACT;
}

static rug_status check_levels(rug_context *ctx, const rug_image *img,
                               const rug_glcm_options *o)
{
    rug_glcm_levels levels = resolve_levels(o, img->dtype);
    if (levels == RUG_GLCM_LEVELS_EXACT && is_float(img->dtype))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence: exact levels of %s pixels asked for, "
                                "integers expected; use levels COUNT or WIDTH",
                                rug_dtype_name(img->dtype));
    if (levels == RUG_GLCM_LEVELS_EXACT && o->range != RUG_GLCM_RANGE_AUTO)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence: a range is given, but the levels of %s "
                                "pixels are exact; use levels COUNT or WIDTH",
                                rug_dtype_name(img->dtype));
    if (o->range == RUG_GLCM_RANGE_TYPE &&
        (is_float(img->dtype) || img->dtype >= RUG_U32))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence: the range of all %s numbers asked for, "
                                "integers of up to 16 bits expected; use another range",
                                rug_dtype_name(img->dtype));
    return RUG_OK;
}

static rug_status check_axes(rug_context *ctx, const rug_image *img,
                             const rug_glcm_options *o)
{
    int flat = img->ndim == 2 || o->slices != RUG_GLCM_SLICES_NONE;
    if (img->ndim == 2 && o->slices != RUG_GLCM_SLICES_NONE)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence: slices of an image of 2 axes asked for, "
                                "a volume expected");
    if (flat && o->directions >> RUG_GLCM_DIRECTIONS_2D != 0)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence: directions 0x%lx given, bits 0..3 "
                                "expected for an image or slices",
                                (unsigned long)o->directions);
    for (int a = 0; a < img->ndim; a++)
        if (img->shape[a] > UINT32_MAX)
            return rug_context_fail(
                ctx, RUG_E_UNSUPPORTED,
                "image of %zu pixels along axis %d given, at most %lu "
                "expected",
                img->shape[a], a, (unsigned long)UINT32_MAX);
    return RUG_OK;
}

rug_status rugi_glcm_check_images(rug_context *ctx, const rug_image *img,
                                  const rug_glcm_options *o)
{
    rug_status status = rugi_image_check(ctx, img);
    if (status == RUG_OK && o->labels != NULL)
        status = rugi_image_check_twin(ctx, o->labels, "label image", img);
    if (status == RUG_OK && o->mask != NULL)
        status = rugi_image_check_twin(ctx, o->mask, "mask", img);
    if (status == RUG_OK)
        status = check_levels(ctx, img, o);
    if (status == RUG_OK)
        status = check_axes(ctx, img, o);
    return status;
}

static void plan_directions(rugi_glcm_plan *p)
{
    int flat = p->ndim == 2 || p->opts->slices != RUG_GLCM_SLICES_NONE;
    uint32_t n = flat ? RUG_GLCM_DIRECTIONS_2D : RUG_GLCM_DIRECTIONS_3D;
    uint32_t bits = p->opts->directions != 0 ? p->opts->directions : (1U << n) - 1;
    for (uint32_t k = 0; k < n; k++)
        if (bits >> k & 1)
            p->direction[p->n_directions++] = k;
    p->n_distances = p->opts->distances != NULL ? p->opts->n_distances : 1;
    p->n_rows = p->n_distances *
                (p->opts->aggregate == RUG_GLCM_AGGREGATE_NONE ? p->n_directions : 1);
}

static void type_range(rug_dtype dtype, double *lo, double *hi)
{
    static const double all[][2] = {
        {0, 1}, {0, 255}, {-128, 127}, {0, 65535}, {-32768, 32767}};
    *lo = all[dtype][0];
    *hi = all[dtype][1];
}

typedef struct extremes {
    double lo, hi;
    rug_dtype dtype;
} extremes;

#define WIDEN(type)                                   \
    for (size_t i = 0; i < n; i++) {                  \
        double v = (double)((const type *)pixels)[i]; \
        if (isfinite(v)) {                            \
            e->lo = v < e->lo ? v : e->lo;            \
            e->hi = v > e->hi ? v : e->hi;            \
        }                                             \
    }                                                 \
    break

static void widen(void *state, const void *pixels, size_t n)
{
    extremes *e = state;
    switch (e->dtype) {
    case RUG_BIT:
    case RUG_U8: WIDEN(uint8_t);
    case RUG_I8: WIDEN(int8_t);
    case RUG_U16: WIDEN(uint16_t);
    case RUG_I16: WIDEN(int16_t);
    case RUG_U32: WIDEN(uint32_t);
    case RUG_I32: WIDEN(int32_t);
    case RUG_U64: WIDEN(uint64_t);
    case RUG_I64: WIDEN(int64_t);
    case RUG_F32: WIDEN(float);
    default: WIDEN(double);
    }
}

/* The range of the image inside of the mask. */
static rug_status image_range(rug_context *ctx, rugi_glcm_plan *p, const rug_image *img)
{
    size_t n = (size_t)rug_context_threads(ctx);
    extremes *e = rug_context_allocate(ctx, n, sizeof *e, "ranges of threads");
    if (e == NULL)
        return RUG_E_NOMEM;
    for (size_t i = 0; i < n; i++)
        e[i] = (extremes){INFINITY, -INFINITY, img->dtype};
    rug_status status =
        rugi_image_for_segments(ctx, img, p->opts->mask, widen, e, sizeof *e);
    for (size_t i = 1; i < n; i++) {
        e->lo = e[i].lo < e->lo ? e[i].lo : e->lo;
        e->hi = e[i].hi > e->hi ? e[i].hi : e->hi;
    }
    p->range_lo = e->lo <= e->hi ? e->lo : NAN;
    p->range_hi = e->lo <= e->hi ? e->hi : NAN;
    rug_context_release(ctx, e);
    return status;
}

static rug_status plan_range(rug_context *ctx, rugi_glcm_plan *p, const rug_image *img)
{
    p->levels = resolve_levels(p->opts, img->dtype);
    p->range = p->opts->range;
    if (p->range == RUG_GLCM_RANGE_AUTO)
        p->range = p->levels == RUG_GLCM_LEVELS_COUNT ? RUG_GLCM_RANGE_IMAGE
                                                      : RUG_GLCM_RANGE_ROI;
    p->range_lo = p->opts->range_lo;
    p->range_hi = p->opts->range_hi;
    if (p->range == RUG_GLCM_RANGE_TYPE)
        type_range(img->dtype, &p->range_lo, &p->range_hi);
    return p->range == RUG_GLCM_RANGE_IMAGE ? image_range(ctx, p, img) : RUG_OK;
}

/* Levels that a region can have at most. */
static size_t most_levels(const rugi_glcm_plan *p)
{
    static const size_t of_type[] = {2, 256, 256};
    if (p->levels == RUG_GLCM_LEVELS_COUNT)
        return p->opts->n_levels != 0 ? p->opts->n_levels : RUGI_GLCM_AUTO_LEVELS;
    int is_small = p->levels == RUG_GLCM_LEVELS_EXACT && p->image.dtype <= RUG_I8;
    return is_small ? of_type[p->image.dtype] : RUG_GLCM_MAX_SPAN;
}

static rug_status make_closeness(rug_context *ctx, rugi_glcm_plan *p)
{
    size_t n = most_levels(p) + (size_t)p->is_frame;
    p->n_weights = n + RUGI_GLCM_SLACK;
    p->closeness = rug_context_allocate(ctx, p->n_weights, sizeof *p->closeness,
                                        "weights of differences");
    for (size_t k = 0; p->closeness != NULL && k < p->n_weights; k++)
        p->closeness[k] = k < n ? 1 / (1 + (double)k * (double)k) : 0;
    return p->closeness != NULL ? RUG_OK : RUG_E_NOMEM;
}

static void choose_kernels(rug_context *ctx, rugi_glcm_plan *p)
{
    rugi_glcm_kernels_ref(&p->kernels);
#ifdef RUGI_HAVE_X86_KERNELS
    if (rug_context_cpu_level(ctx) >= RUG_CPU_AVX2)
        rugi_glcm_kernels_avx2(&p->kernels);
    if (rug_context_cpu_level(ctx) >= RUG_CPU_AVX512)
        rugi_glcm_kernels_avx512(&p->kernels);
#else
    (void)ctx;
#endif
}

rug_status rugi_glcm_plan_new(rug_context *ctx, rugi_glcm_plan *out, const rug_image *img,
                              const rug_glcm_options *opts, uint64_t small_area)
{
    *out = (rugi_glcm_plan){.opts = opts,
                            .image = rugi_image_with_z(img),
                            .ndim = img->ndim,
                            .is_float = is_float(img->dtype),
                            .is_symmetric = !opts->asymmetric,
                            .is_frame = opts->pairs == RUG_GLCM_PAIRS_FRAME,
                            .with_mcc = opts->features != RUG_GLCM_FEATURES_13,
                            .with_all = opts->features == RUG_GLCM_FEATURES_ALL,
                            .per_nat =
                                opts->log_base == 2.0 ? 1 / 0.6931471805599453094 : 1};
    out->with_entries = out->with_mcc;
    if (opts->mask != NULL)
        out->mask = rugi_image_with_z(opts->mask);
    if (opts->labels != NULL)
        out->labels = rugi_image_with_z(opts->labels);
    choose_kernels(ctx, out);
    plan_directions(out);
    rug_status status = plan_range(ctx, out, img);
    /* a slice of a large region may be small */
    uint64_t pairs = opts->slices != RUG_GLCM_SLICES_NONE ? RUGI_GLCM_SMALL : small_area;
    if (status == RUG_OK)
        status = rugi_glcm_logs_new(ctx, &out->logs, 2 * pairs * out->n_directions);
    if (status == RUG_OK)
        status = make_closeness(ctx, out);
    return status;
}

void rugi_glcm_plan_free(rug_context *ctx, rugi_glcm_plan *plan)
{
    rug_context_release(ctx, plan->closeness);
    rugi_glcm_logs_free(ctx, &plan->logs);
}

void rugi_glcm_offset(const rugi_glcm_plan *plan, int out[3], uint32_t i,
                      uint32_t distance)
{
    rug_glcm_direction(NULL, out, plan->ndim, plan->direction[i]);
    for (int a = 0; a < 3; a++)
        out[a] *= (int)distance;
}
