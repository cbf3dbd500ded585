/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The names of features and directions, and whether options fit together. */

#include "core/context/context_internal.h"
#include "core/context/names.h"
#include "glcm_plan.h"
#include <math.h>
#include <string.h>

/* ---- Names ---- */

typedef struct names {
    const char *ours, *ibsi, *pyradiomics;
} names;

static const names feature_names[RUG_GLCM_N_FEATURES] = {
    {"angular_second_moment", "angular_second_moment", "JointEnergy"},
    {"contrast", "contrast", "Contrast"},
    {"correlation", "correlation", "Correlation"},
    {"variance", "joint_variance", "SumSquares"},
    {"inverse_difference_moment", "inverse_difference_moment", "Idm"},
    {"sum_average", "sum_average", "SumAverage"},
    {"sum_variance", "sum_variance", ""},
    {"sum_entropy", "sum_entropy", "SumEntropy"},
    {"entropy", "joint_entropy", "JointEntropy"},
    {"difference_variance", "difference_variance", "DifferenceVariance"},
    {"difference_entropy", "difference_entropy", "DifferenceEntropy"},
    {"info_correlation_1", "information_correlation_1", "Imc1"},
    {"info_correlation_2", "information_correlation_2", "Imc2"},
    {"max_correlation_coefficient", "", "MCC"},
    {"joint_maximum", "joint_maximum", "MaximumProbability"},
    {"joint_average", "joint_average", "JointAverage"},
    {"difference_average", "difference_average", "DifferenceAverage"},
    {"dissimilarity", "dissimilarity", ""},
    {"inverse_difference", "inverse_difference", "Id"},
    {"inverse_difference_normalised", "normalised_inverse_difference", "Idn"},
    {"inverse_difference_moment_normalised", "normalised_inverse_difference_moment",
     "Idmn"},
    {"inverse_variance", "inverse_variance", "InverseVariance"},
    {"autocorrelation", "autocorrelation", "Autocorrelation"},
    {"cluster_tendency", "cluster_tendency", "ClusterTendency"},
    {"cluster_shade", "cluster_shade", "ClusterShade"},
    {"cluster_prominence", "cluster_prominence", "ClusterProminence"},
};

static const names *names_of(rug_glcm_feature feature)
{
    static const names unknown = {"?", "?", "?"};
    return (unsigned)feature < RUG_GLCM_N_FEATURES ? &feature_names[feature] : &unknown;
}

const char *rug_glcm_feature_name(rug_glcm_feature feature)
{
    return names_of(feature)->ours;
}

const char *rug_glcm_feature_ibsi(rug_glcm_feature feature)
{
    return names_of(feature)->ibsi;
}

const char *rug_glcm_feature_pyradiomics(rug_glcm_feature feature)
{
    return names_of(feature)->pyradiomics;
}

const char *rug_glcm_status_name(rug_glcm_status status)
{
    static const char *const texts[] = {"ok", "no pairs", "flat"};
    return RUGI_NAME(texts, status);
}

const char *rug_glcm_features_name(rug_glcm_features features)
{
    static const char *const texts[] = {"14", "13", "all"};
    return RUGI_NAME(texts, features);
}

const char *rug_glcm_levels_name(rug_glcm_levels levels)
{
    static const char *const texts[] = {"auto", "exact", "count", "width"};
    return RUGI_NAME(texts, levels);
}

const char *rug_glcm_origin_name(rug_glcm_origin origin)
{
    static const char *const texts[] = {"auto", "zero", "min", "given"};
    return RUGI_NAME(texts, origin);
}

const char *rug_glcm_range_name(rug_glcm_range range)
{
    static const char *const texts[] = {"auto", "type", "image", "roi", "given"};
    return RUGI_NAME(texts, range);
}

const char *rug_glcm_pairs_name(rug_glcm_pairs pairs)
{
    static const char *const texts[] = {"inside", "frame"};
    return RUGI_NAME(texts, pairs);
}

const char *rug_glcm_aggregate_name(rug_glcm_aggregate aggregate)
{
    static const char *const texts[] = {"mean", "none", "range", "merged"};
    return RUGI_NAME(texts, aggregate);
}

const char *rug_glcm_slices_name(rug_glcm_slices slices)
{
    static const char *const texts[] = {"none", "mean", "merged"};
    return RUGI_NAME(texts, slices);
}

const char *rug_glcm_direction_name(uint32_t k)
{
    static const char *const direction[RUG_GLCM_DIRECTIONS_3D] = {
        "0",           "45",          "90",          "135",         "z+1,y-1,x-1",
        "z+1,y-1,x+0", "z+1,y-1,x+1", "z+1,y+0,x-1", "z+1,y+0,x+0", "z+1,y+0,x+1",
        "z+1,y+1,x-1", "z+1,y+1,x+0", "z+1,y+1,x+1"};
    return k < RUG_GLCM_DIRECTIONS_3D ? direction[k] : "?";
}

rug_status rug_glcm_direction(rug_context *ctx, int out[3], int ndim, uint32_t k)
{
    static const int flat[RUG_GLCM_DIRECTIONS_2D][3] = {
        {0, 0, 1}, {0, -1, 1}, {0, -1, 0}, {0, -1, -1}};
    if (out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_glcm_direction: NULL given");
    memset(out, 0, 3 * sizeof *out);
    uint32_t n = ndim == 2 ? RUG_GLCM_DIRECTIONS_2D : RUG_GLCM_DIRECTIONS_3D;
    if (ndim < 2 || ndim > 3 || k >= n)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "direction %lu of %d axes given: 0..3 of 2 axes or 0..12 of 3 expected",
            (unsigned long)k, ndim);
    if (k < RUG_GLCM_DIRECTIONS_2D) {
        memcpy(out, flat[k], sizeof flat[k]);
        return RUG_OK;
    }
    int steps = (int)k - RUG_GLCM_DIRECTIONS_2D;
    out[0] = 1;
    out[1] = steps / 3 - 1;
    out[2] = steps % 3 - 1;
    return RUG_OK;
}

/* ---- Checks ---- */

static rug_status check_enum(rug_context *ctx, const char *what, int value, int last)
{
    if ((unsigned)value <= (unsigned)last)
        return RUG_OK;
    return rug_context_fail(ctx, RUG_E_ARG, "co-occurrence: %s %d given, 0..%d expected",
                            what, value, last);
}

static rug_status check_enums(rug_context *ctx, const rug_glcm_options *opts)
{
    const struct {
        const char *what;
        int value, last;
    } all[] = {
        {"pairs", (int)opts->pairs, RUG_GLCM_PAIRS_FRAME},
        {"levels", (int)opts->levels, RUG_GLCM_LEVELS_WIDTH},
        {"range", (int)opts->range, RUG_GLCM_RANGE_GIVEN},
        {"origin", (int)opts->origin, RUG_GLCM_ORIGIN_GIVEN},
        {"aggregate", (int)opts->aggregate, RUG_GLCM_AGGREGATE_MERGED},
        {"slices", (int)opts->slices, RUG_GLCM_SLICES_MERGED},
        {"features", (int)opts->features, RUG_GLCM_FEATURES_ALL},
    };
    rug_status status = RUG_OK;
    for (size_t i = 0; i < sizeof all / sizeof all[0] && status == RUG_OK; i++)
        status = check_enum(ctx, all[i].what, all[i].value, all[i].last);
    return status;
}

static rug_status check_offsets(rug_context *ctx, const rug_glcm_options *opts)
{
    if ((opts->distances == NULL) != (opts->n_distances == 0) ||
        opts->n_distances > RUG_GLCM_MAX_DISTANCES)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence: %lu distances given, 1..%d expected (or "
                                "NULL and 0 for the distance 1)",
                                (unsigned long)opts->n_distances, RUG_GLCM_MAX_DISTANCES);
    for (uint32_t i = 0; i < opts->n_distances; i++) {
        uint32_t d = opts->distances[i], before = i > 0 ? opts->distances[i - 1] : 0;
        if (d < 1 || d > RUG_GLCM_MAX_DISTANCE || d <= before)
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "co-occurrence: distance %lu given, 1..%d in "
                                    "ascending order expected",
                                    (unsigned long)d, RUG_GLCM_MAX_DISTANCE);
    }
    if (opts->directions >> RUG_GLCM_DIRECTIONS_3D != 0)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence: directions 0x%lx given, bits 0..%d "
                                "expected",
                                (unsigned long)opts->directions,
                                RUG_GLCM_DIRECTIONS_3D - 1);
    return RUG_OK;
}

static rug_status check_frame(rug_context *ctx, const rug_glcm_options *opts)
{
    uint32_t frame = opts->frame, n = opts->n_distances;
    if (opts->unused != 0)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "rug_glcm_options: %lu given for `unused`, 0 expected",
                                (unsigned long)opts->unused);
    if (frame > 0 && opts->pairs != RUG_GLCM_PAIRS_FRAME)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence: a frame of %lu pixels given, which only "
                                "pairs of a FRAME have; use pairs FRAME, or frame 0",
                                (unsigned long)frame);
    if (frame > RUG_GLCM_MAX_DISTANCE)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence: a frame of %lu pixels given, at most %d "
                                "expected",
                                (unsigned long)frame, RUG_GLCM_MAX_DISTANCE);
    for (uint32_t i = 0; i < n && frame > 0; i++)
        if (opts->distances[i] > frame)
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "co-occurrence: a frame of %lu pixels given with "
                                    "distance %lu; the largest distance, %lu, or more "
                                    "expected",
                                    (unsigned long)frame,
                                    (unsigned long)opts->distances[i],
                                    (unsigned long)opts->distances[n - 1]);
    return RUG_OK;
}

static rug_status check_bins(rug_context *ctx, const rug_glcm_options *opts)
{
    int is_count = opts->levels == RUG_GLCM_LEVELS_COUNT;
    int is_width = opts->levels == RUG_GLCM_LEVELS_WIDTH;
    if (is_count ? opts->n_levels < 2 || opts->n_levels > RUG_GLCM_MAX_SPAN
                 : opts->n_levels != 0)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence: %lu levels given; 2..%d expected with "
                                "levels COUNT, else 0",
                                (unsigned long)opts->n_levels, RUG_GLCM_MAX_SPAN);
    if (is_width ? !(opts->bin_width > 0) || isinf(opts->bin_width)
                 : opts->bin_width != 0 || isnan(opts->bin_width))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence: bins of width %g given; above 0 expected "
                                "with levels WIDTH, else 0",
                                opts->bin_width);
    if (opts->levels == RUG_GLCM_LEVELS_EXACT && opts->range != RUG_GLCM_RANGE_AUTO)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence: a range is given, but exact levels have "
                                "no bins; use levels COUNT or WIDTH");
    return RUG_OK;
}

static rug_status check_range(rug_context *ctx, const rug_glcm_options *opts)
{
    double lo = opts->range_lo, hi = opts->range_hi;
    if (opts->range == RUG_GLCM_RANGE_GIVEN && !(lo < hi && isfinite(lo) && isfinite(hi)))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence: range %g..%g given, two finite numbers "
                                "expected, the lower first",
                                lo, hi);
    if (opts->range != RUG_GLCM_RANGE_GIVEN && !(lo == 0 && hi == 0))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence: range %g..%g given with a range rule "
                                "other than GIVEN; use GIVEN, or 0 and 0",
                                lo, hi);
    return RUG_OK;
}

static rug_status check_origin(rug_context *ctx, const rug_glcm_options *opts)
{
    if (opts->origin != RUG_GLCM_ORIGIN_AUTO && opts->levels != RUG_GLCM_LEVELS_WIDTH)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "co-occurrence: an origin of bins is given, which only bins "
            "of a width have; use levels WIDTH");
    int is_given = opts->origin == RUG_GLCM_ORIGIN_GIVEN;
    if (is_given ? !isfinite(opts->bin_origin)
                 : !(opts->bin_origin >= 0 && opts->bin_origin <= 0))
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "co-occurrence: bins that begin at %g given; a finite number "
            "expected with origin GIVEN, else 0",
            opts->bin_origin);
    return RUG_OK;
}

static rug_status check_resegment(rug_context *ctx, const rug_glcm_options *opts)
{
    double lo = opts->resegment_lo, hi = opts->resegment_hi;
    if (!opts->resegment && !(lo >= 0 && lo <= 0 && hi >= 0 && hi <= 0))
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "co-occurrence: re-segmentation to %g..%g given, but it is "
            "not asked for; set resegment, or use 0 and 0",
            lo, hi);
    if (opts->resegment && !(lo < hi && (isfinite(lo) || isfinite(hi))))
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "co-occurrence: re-segmentation to %g..%g given, two numbers "
            "expected, the lower first, at most one of them infinite",
            lo, hi);
    return RUG_OK;
}

rug_status rugi_glcm_check_options(rug_context *ctx, const rug_glcm_options *opts)
{
    rug_status status = check_enums(ctx, opts);
    if (status == RUG_OK)
        status = check_offsets(ctx, opts);
    if (status == RUG_OK)
        status = check_frame(ctx, opts);
    if (status == RUG_OK)
        status = check_bins(ctx, opts);
    if (status == RUG_OK)
        status = check_range(ctx, opts);
    if (status == RUG_OK)
        status = check_origin(ctx, opts);
    if (status == RUG_OK)
        status = check_resegment(ctx, opts);
    if (status == RUG_OK && opts->log_base != 2.0 &&
        !(fabs(opts->log_base - 2.718281828459045) <= 1e-15))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "co-occurrence: logarithms to the base %g given, 2 or "
                                "M_E expected",
                                opts->log_base);
    return status;
}
