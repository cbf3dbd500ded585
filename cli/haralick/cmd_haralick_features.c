/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Which features `rugose haralick` gives, and what they are called. */

#include "cmd_haralick.h"
#include <string.h>

static void take_first(cli_haralick_job *job, uint32_t n)
{
    for (job->n_features = 0; job->n_features < n; job->n_features++)
        job->feature[job->n_features] = (rug_glcm_feature)job->n_features;
}

/* The feature that a text begins with, by our name or as asked for. @return where it
 * ends, or NULL */
static const char *parse_feature(rug_glcm_feature *feature, const cli_haralick_job *job,
                                 const char *text)
{
    size_t n = strcspn(text, ",");
    for (int f = 0; f < RUG_GLCM_N_FEATURES; f++) {
        *feature = (rug_glcm_feature)f;
        const char *names[] = {rug_glcm_feature_name(*feature),
                               cli_haralick_name(job, *feature)};
        for (int i = 0; i < 2; i++)
            if (strlen(names[i]) == n && strncmp(text, names[i], n) == 0)
                return text + n;
    }
    return NULL;
}

static const char *parse_list(cli_haralick_job *job, const char *text)
{
    job->n_features = 0;
    for (const char *at = text;; at++) {
        rug_glcm_feature feature;
        at = parse_feature(&feature, job, at);
        if (at == NULL)
            return "--features: 13, 14, 'all' or names of columns expected, such as "
                   "contrast,entropy";
        for (uint32_t i = 0; i < job->n_features; i++)
            if (job->feature[i] == feature)
                return "--features: a feature is given twice";
        job->feature[job->n_features++] = feature;
        if (*at == '\0')
            return NULL;
    }
}

/* The fewest that the library can be asked for. */
static rug_glcm_features least_features(const cli_haralick_job *job)
{
    rug_glcm_features least = RUG_GLCM_FEATURES_13;
    for (uint32_t i = 0; i < job->n_features; i++) {
        if (job->feature[i] > RUG_GLCM_MAX_CORRELATION_COEFFICIENT)
            return RUG_GLCM_FEATURES_ALL;
        if (job->feature[i] == RUG_GLCM_MAX_CORRELATION_COEFFICIENT)
            least = RUG_GLCM_FEATURES_14;
    }
    return least;
}

const char *cli_haralick_parse_features(cli_haralick_job *job)
{
    const char *text = job->values.features, *problem = NULL;
    if (text == NULL)
        text = job->values.window > 0 ? "13" : "14";
    if (strcmp(text, "13") == 0)
        take_first(job, RUG_GLCM_MAX_CORRELATION_COEFFICIENT);
    else if (strcmp(text, "14") == 0)
        take_first(job, RUG_GLCM_MAX_CORRELATION_COEFFICIENT + 1);
    else if (strcmp(text, "all") == 0)
        take_first(job, RUG_GLCM_N_FEATURES);
    else
        problem = parse_list(job, text);
    job->opts.features = least_features(job);
    return problem;
}

int cli_haralick_has(const cli_haralick_job *job, rug_glcm_feature feature)
{
    for (uint32_t i = 0; i < job->n_features; i++)
        if (job->feature[i] == feature)
            return 1;
    return 0;
}

const char *cli_haralick_name(const cli_haralick_job *job, rug_glcm_feature feature)
{
    const char *name = "";
    if (job->values.names == 1)
        name = rug_glcm_feature_ibsi(feature);
    else if (job->values.names == 2)
        name = rug_glcm_feature_pyradiomics(feature);
    return *name != '\0' ? name : rug_glcm_feature_name(feature);
}
