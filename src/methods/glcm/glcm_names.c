/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What features and directions are called. */

#include <rugose/glcm.h>
#include <string.h>

typedef struct names {
    const char *ours, *ibsi, *pyradiomics;
} names;

static const names of_feature[RUG_GLCM_N_FEATURES] = {
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

static const names *find(rug_glcm_feature feature)
{
    static const names unknown = {"?", "?", "?"};
    return (unsigned)feature < RUG_GLCM_N_FEATURES ? &of_feature[feature] : &unknown;
}

const char *rug_glcm_feature_name(rug_glcm_feature feature)
{
    return find(feature)->ours;
}

const char *rug_glcm_feature_ibsi(rug_glcm_feature feature)
{
    return find(feature)->ibsi;
}

const char *rug_glcm_feature_pyradiomics(rug_glcm_feature feature)
{
    return find(feature)->pyradiomics;
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
