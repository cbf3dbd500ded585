/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

#ifndef RUGOSE_LBP_MODEL_H
#define RUGOSE_LBP_MODEL_H

#include <rugose/lbp.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RUG_LBP_MAX_CLASSES 4096

#define RUG_LBP_MIN_ALPHA 1e-100
#define RUG_LBP_MAX_ALPHA 1e100

typedef struct rug_lbp_model rug_lbp_model;

RUG_API rug_status rug_lbp_model_new(rug_context *ctx, rug_lbp_model **out,
                                     const rug_lbp_options *opts);

RUG_API void rug_lbp_model_free(rug_lbp_model *model);

RUG_API rug_status rug_lbp_model_get_options(rug_context *ctx, rug_lbp_options *out,
                                             const rug_lbp_model *model);

RUG_API rug_status rug_lbp_model_add(rug_context *ctx, rug_lbp_model *model,
                                     const char *class_name, const char *sample,
                                     const rug_lbp_result *result);

RUG_API rug_status rug_lbp_model_add_bins(rug_context *ctx, rug_lbp_model *model,
                                          const char *class_name, const char *sample,
                                          const uint64_t *bins);

RUG_API size_t rug_lbp_model_n_bins(const rug_lbp_model *model);

RUG_API size_t rug_lbp_model_n_classes(const rug_lbp_model *model);
RUG_API size_t rug_lbp_model_n_samples(const rug_lbp_model *model);

RUG_API const char *rug_lbp_model_class(const rug_lbp_model *model, size_t i);

typedef struct rug_lbp_sample {
    const char *name;
    size_t class_index;
    const uint64_t *bins;
} rug_lbp_sample;

RUG_API const rug_lbp_sample *rug_lbp_model_sample(const rug_lbp_model *model, size_t i);

typedef enum rug_lbp_score {

    RUG_LBP_LOG_LIKELIHOOD = 0,

    RUG_LBP_CHI2 = 1,

    RUG_LBP_G = 2
} rug_lbp_score;

RUG_API const char *rug_lbp_score_name(rug_lbp_score score);

typedef struct rug_lbp_classify_options {
    size_t struct_size;
    rug_lbp_score score;
    int nearest_sample;
} rug_lbp_classify_options;

#define RUG_LBP_CLASSIFY_OPTIONS_INIT                                   {                                                                   sizeof(rug_lbp_classify_options), RUG_LBP_LOG_LIKELIHOOD, 0 }

typedef struct rug_lbp_verdict {
    size_t struct_size;
    const char *predicted;
    const char *second;
    double score;
    double margin;
} rug_lbp_verdict;

#define RUG_LBP_VERDICT_INIT                             {                                                    sizeof(rug_lbp_verdict), NULL, NULL, 0, 0 }

RUG_API rug_status rug_lbp_model_classify(rug_context *ctx, rug_lbp_verdict *out,
                                          const rug_lbp_model *model,
                                          const rug_lbp_result *result,
                                          const rug_lbp_classify_options *opts);

RUG_API rug_status rug_lbp_model_classify_bins(rug_context *ctx, rug_lbp_verdict *out,
                                               const rug_lbp_model *model,
                                               const uint64_t *bins,
                                               const rug_lbp_classify_options *opts);

typedef struct rug_lbp_variances rug_lbp_variances;

RUG_API rug_status rug_lbp_variances_new(rug_context *ctx, rug_lbp_variances **out,
                                         const rug_lbp_options *opts);

RUG_API void rug_lbp_variances_free(rug_lbp_variances *variances);

RUG_API rug_status rug_lbp_variances_add(rug_context *ctx, rug_lbp_variances *variances,
                                         const rug_source *source,
                                         const rug_source *mask);

RUG_API rug_status rug_lbp_variances_cuts(rug_context *ctx,
                                          const rug_lbp_variances *variances, uint32_t op,
                                          uint32_t n_bins, double *cuts,
                                          uint32_t *n_cuts);

#ifdef __cplusplus
}
#endif

#endif
