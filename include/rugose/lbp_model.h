/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Texture classification by histograms of local binary patterns (Ojala, Pietikainen and
 * Maenpaa 2002; Bianda 2018): a model is made of labelled samples, and an image is assigned
 * to the class whose histograms are most like its own.
 *
 *     rug_lbp_verdict verdict = RUG_LBP_VERDICT_INIT;
 *     rug_lbp_result *holes = NULL, *waves = NULL;
 *     rug_lbp_model *model; // of images that are coded with the default options
 *     rug_status status = rug_lbp_model_new(ctx, &model, NULL);
 *     if (status == RUG_OK)
 *         status = rug_lbp(ctx, &holes, &image, NULL);
 *     if (status == RUG_OK)
 *         status = rug_lbp_model_add(ctx, model, "holes", "image.png", holes);
 *     if (status == RUG_OK)
 *         status = rug_lbp(ctx, &waves, &grey, NULL);
 *     if (status == RUG_OK)
 *         status = rug_lbp_model_add(ctx, model, "waves", "grey.png", waves);
 *     if (status == RUG_OK)
 *         status = rug_lbp_model_classify(ctx, &verdict, model, waves, NULL);
 *     if (status == RUG_OK)
 *         puts(verdict.predicted);
 *     rug_lbp_free(holes);
 *     rug_lbp_free(waves);
 *     rug_lbp_model_free(model);
 *     // prints: waves
 */

#ifndef RUGOSE_LBP_MODEL_H
#define RUGOSE_LBP_MODEL_H

#include <rugose/lbp.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The most classes of a model. */
#define RUG_LBP_MAX_CLASSES 4096

/** The range of alpha in rug_lbp_classify_options, within which scores are finite; 0 is
 *  allowed too. */
#define RUG_LBP_MIN_ALPHA 1e-100
#define RUG_LBP_MAX_ALPHA 1e100

/** Classes, training samples and their histograms. Opaque, owned by the caller. */
typedef struct rug_lbp_model rug_lbp_model;

/** Makes a model without classes.
 *  @param out   NULL on failure; free it with rug_lbp_model_free(), before its context
 *  @param opts  how images are coded: operators (with cuts for VAR or joint histograms),
 *               method, interpolation, border, exact; copied. Mask, labels, planes and map
 *               must not be set. NULL = defaults
 *  @return RUG_OK, RUG_E_ARG (also an operator without bins), RUG_E_NOMEM */
RUG_API rug_status rug_lbp_model_new(rug_context *ctx, rug_lbp_model **out,
                                     const rug_lbp_options *opts);

/** Frees a model. NULL is allowed. */
RUG_API void rug_lbp_model_free(rug_lbp_model *model);

/** How images are to be coded for this model: options of rug_lbp(), to which a mask may be
 *  added.
 *  @param out  begun with RUG_LBP_OPTIONS_INIT; filled on RUG_OK, zeroed otherwise. Its
 *              operators belong to the model
 *  @return RUG_OK, RUG_E_ARG */
RUG_API rug_status rug_lbp_model_get_options(rug_context *ctx, rug_lbp_options *out,
                                             const rug_lbp_model *model);

/** Adds a training sample. Classes are ordered by their first samples.
 *  @param class_name  not empty; copied
 *  @param sample      the sample's name, such as its path; copied
 *  @param result      of an image without labels, coded by rug_lbp_model_get_options()
 *  @return RUG_OK; or RUG_E_ARG (also when the result's bins are not those of the
 *          operators, an operator has no pixels, or there are too many classes) or
 *          RUG_E_NOMEM, and nothing is added */
RUG_API rug_status rug_lbp_model_add(rug_context *ctx, rug_lbp_model *model,
                                     const char *class_name, const char *sample,
                                     const rug_lbp_result *result);

/** The same from bins, as model files hold them.
 *  @param bins  of all operators, one after the other: rug_lbp_model_n_bins() numbers */
RUG_API rug_status rug_lbp_model_add_bins(rug_context *ctx, rug_lbp_model *model,
                                          const char *class_name, const char *sample,
                                          const uint64_t *bins);

/** The number of bins of all operators together. */
RUG_API size_t rug_lbp_model_n_bins(const rug_lbp_model *model);

/** The numbers of classes and of samples. */
RUG_API size_t rug_lbp_model_n_classes(const rug_lbp_model *model);
RUG_API size_t rug_lbp_model_n_samples(const rug_lbp_model *model);

/** The name of class i; NULL if there is none. Valid as long as the model. */
RUG_API const char *rug_lbp_model_class(const rug_lbp_model *model, size_t i);

/** A training sample. */
typedef struct rug_lbp_sample {
    const char *name;
    size_t class_index;
    const uint64_t *bins; /**< rug_lbp_model_n_bins() of them */
} rug_lbp_sample;

/** Sample i < rug_lbp_model_n_samples(), in the order of adding; valid until another one is
 *  added.
 *  @return NULL if there is none */
RUG_API const rug_lbp_sample *rug_lbp_model_sample(const rug_lbp_model *model, size_t i);

/** How the likeness of two histograms is scored. S are the bins of the image and M those of
 *  the model, each divided by their sum; scores of several operators add up. The numbers are
 *  never changed. */
typedef enum rug_lbp_score {
    /** sum S_b ln M_b, where S_b are the counts of the image as they are, and M_b =
     *  (count + alpha) / (N + alpha B); the largest wins (Ojala et al. 2002, equation 13). */
    RUG_LBP_LOG_LIKELIHOOD = 0,
    /** sum (S_b - M_b)^2 / (S_b + M_b) over bins that are not both 0; the smallest wins. */
    RUG_LBP_CHI2 = 1,
    /** 2 sum S_b ln(S_b / M_b), M_b with alpha as above; the smallest wins (Sokal and
     *  Rohlf's G). */
    RUG_LBP_G = 2
} rug_lbp_score;

/** "likelihood", "chi2" or "g"; "?" for other numbers. Static text. */
RUG_API const char *rug_lbp_score_name(rug_lbp_score score);

/** Options of rug_lbp_model_classify(). */
typedef struct rug_lbp_classify_options {
    size_t struct_size;  /**< sizeof(rug_lbp_classify_options); set by the INIT macro */
    rug_lbp_score score; /**< default LOG_LIKELIHOOD */
    int nearest_sample;  /**< nonzero: the class of the single most alike sample; 0
                              (default): M is the sum of all samples of a class */
    double alpha;        /**< added to each bin of M, RUG_LBP_MIN_ALPHA ..
                              RUG_LBP_MAX_ALPHA; default 1. 0: nothing is added, and a class
                              or sample that lacks a pattern of the image is ruled out: its
                              log-likelihood is minus infinity, its G infinity, which decide
                              nothing among themselves. CHI2 ignores it */
} rug_lbp_classify_options;

/** The defaults. */
#define RUG_LBP_CLASSIFY_OPTIONS_INIT                                  \
    {                                                                  \
        sizeof(rug_lbp_classify_options), RUG_LBP_LOG_LIKELIHOOD, 0, 1 \
    }

/** The class of an image. Texts belong to the model. */
typedef struct rug_lbp_verdict {
    size_t struct_size;    /**< sizeof(rug_lbp_verdict); set by the INIT macro */
    const char *predicted; /**< the class that wins; of equal scores the class or sample
                                that was added first. NULL if an operator has no pixels, or
                                all classes are ruled out */
    const char *second; /**< the best of the other classes that are not ruled out; NULL if
                                there is none */
    double score;       /**< of the class that wins; NaN without one */
    double margin;      /**< how much better it is than the second, at least 0; NaN
                                without a second */
    const char *nearest;  /**< the sample that won; NULL unless nearest_sample */
    uint64_t n_ruled_out; /**< classes that alpha = 0 rules out, with nearest_sample those
                                whose samples all are; 0 if an operator has no pixels */
} rug_lbp_verdict;

/** A verdict to be filled. */
#define RUG_LBP_VERDICT_INIT                               \
    {                                                      \
        sizeof(rug_lbp_verdict), NULL, NULL, 0, 0, NULL, 0 \
    }

/** Finds the class of an image.
 *  @param out     begun with RUG_LBP_VERDICT_INIT; filled on RUG_OK, zeroed otherwise
 *  @param model   with at least one sample
 *  @param result  as for rug_lbp_model_add(), but it may have no pixels
 *  @param opts    NULL = defaults
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM */
RUG_API rug_status rug_lbp_model_classify(rug_context *ctx, rug_lbp_verdict *out,
                                          const rug_lbp_model *model,
                                          const rug_lbp_result *result,
                                          const rug_lbp_classify_options *opts);

/** The same from bins. @param bins  as for rug_lbp_model_add_bins(), but all may be 0 */
RUG_API rug_status rug_lbp_model_classify_bins(rug_context *ctx, rug_lbp_verdict *out,
                                               const rug_lbp_model *model,
                                               const uint64_t *bins,
                                               const rug_lbp_classify_options *opts);

/** The variances of many images, from which cuts for bins of equal frequency are found
 *  (Ojala et al. 2002, section 2.4). Opaque, owned by the caller; 4 MB for each operator. */
typedef struct rug_lbp_variances rug_lbp_variances;

/** Begins a collection.
 *  @param out   NULL on failure; free it with rug_lbp_variances_free(), before its context
 *  @param opts  operators, interpolation and border; the rest is ignored. NULL = defaults
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM */
RUG_API rug_status rug_lbp_variances_new(rug_context *ctx, rug_lbp_variances **out,
                                         const rug_lbp_options *opts);

/** Frees a collection. NULL is allowed. */
RUG_API void rug_lbp_variances_free(rug_lbp_variances *variances);

/** Adds the variances of all pixels of an image, including those of 0. After a failure the
 *  collection may hold some of them: free it.
 *  @param mask  of the image's shape: only pixels where it is neither 0 nor NaN count. NULL:
 *               all do. One that is not in memory is read whole */
RUG_API rug_status rug_lbp_variances_add(rug_context *ctx, rug_lbp_variances *variances,
                                         const rug_source *source,
                                         const rug_source *mask);

/** Finds the cuts that divide all variances of an operator into n_bins bins of about equal
 *  frequency: quantiles, exact to 2^-8 of their value. There are fewer cuts where quantiles
 *  coincide, so that cuts ascend and there are variances on both sides of each.
 *  @param n_bins  2..1024
 *  @param cuts    capacity for n_bins - 1 numbers
 *  @param n_cuts  the number of cuts found
 *  @return RUG_OK, RUG_E_ARG (also when all variances are about the same) */
RUG_API rug_status rug_lbp_variances_cuts(rug_context *ctx,
                                          const rug_lbp_variances *variances, uint32_t op,
                                          uint32_t n_bins, double *cuts,
                                          uint32_t *n_cuts);

#ifdef __cplusplus
}
#endif

#endif
