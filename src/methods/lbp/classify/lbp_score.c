/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Scores: how like the histograms of an image are to those of a class or sample, and which
 * class wins. */

#include "core/context/names.h"
#include "core/context/sized.h"
#include "lbp_samples.h"
#include <math.h>
#include <string.h>

static const char what[] = "scores of texture classes";

/* What the histograms of one image are compared by. */
typedef struct job {
    const rug_lbp_model *model;
    const rug_lbp_classify_options *opts;
    const uint64_t *bins;               /* of the image */
    double sums[RUG_LBP_MAX_OPERATORS]; /* of its bins, each above 0 */
} job;

/* The best of a class so far; candidate: the sample or class that it is of. */
typedef struct best {
    double score;
    size_t candidate;
    int is_set;
} best;

/* Ojala et al. 2002, equation 13, with a model that has seen every pattern alpha times; minus
 * infinity where alpha is 0 and the model lacks a pattern. 0 ln 0 is 0. */
static double log_likelihood(const uint64_t *s, const uint64_t *m, size_t n, double m_sum,
                             double alpha)
{
    double sum = 0, whole = m_sum + alpha * (double)n;
    for (size_t b = 0; b < n; b++)
        if (s[b] > 0)
            sum += (double)s[b] * log(((double)m[b] + alpha) / whole);
    return sum;
}

static double chi2(const uint64_t *s, const uint64_t *m, size_t n, double s_sum,
                   double m_sum)
{
    double sum = 0;
    for (size_t b = 0; b < n; b++) {
        double p = (double)s[b] / s_sum, q = (double)m[b] / m_sum;
        if (p + q > 0)
            sum += (p - q) * (p - q) / (p + q);
    }
    return sum;
}

/* Sokal and Rohlf's G, in which Ojala, Pietikainen and Harwood (1996) compared textures:
 * the part of it that depends on the model. */
static double g_statistic(const uint64_t *s, const uint64_t *m, size_t n, double s_sum,
                          double m_sum, double alpha)
{
    double sum = 0, whole = m_sum + alpha * (double)n;
    for (size_t b = 0; b < n; b++)
        if (s[b] > 0) {
            double p = (double)s[b] / s_sum, q = ((double)m[b] + alpha) / whole;
            sum += p * log(p / q);
        }
    return 2 * sum;
}

/* The score against the bins of a class or sample; operators add up. */
static double score_of(const job *j, const uint64_t *m)
{
    const uint64_t *s = j->bins;
    double sum = 0;
    for (uint32_t op = 0; op < j->model->options.n_operators; op++) {
        size_t n = j->model->op_bins[op];
        int too_many;
        double m_sum = (double)rugi_lbp_sum(m, n, &too_many);
        switch (j->opts->score) {
        case RUG_LBP_LOG_LIKELIHOOD:
            sum += log_likelihood(s, m, n, m_sum, j->opts->alpha);
            break;
        case RUG_LBP_CHI2: sum += chi2(s, m, n, j->sums[op], m_sum); break;
        case RUG_LBP_G:
            sum += g_statistic(s, m, n, j->sums[op], m_sum, j->opts->alpha);
            break;
        }
        s += n;
        m += n;
    }
    return sum;
}

/* Strictly better, so that of equals the first one stays; equals of two classes go by who
 * was added first. */
static int is_better(const job *j, const best *a, const best *b)
{
    if (!a->is_set || !b->is_set)
        return a->is_set;
    if (a->score == b->score)
        return a->candidate < b->candidate;
    return j->opts->score == RUG_LBP_LOG_LIKELIHOOD ? a->score > b->score
                                                    : a->score < b->score;
}

/* The best score of each class. */
static rug_status score_all(rug_context *ctx, const job *j, best *classes)
{
    const rug_lbp_model *model = j->model;
    size_t n = j->opts->nearest_sample ? model->n_samples : model->n_classes;
    for (size_t i = 0; i < n; i++) {
        size_t c = j->opts->nearest_sample ? model->samples[i].class_index : i;
        const uint64_t *m =
            j->opts->nearest_sample ? model->samples[i].bins : model->classes[i].bins;
        best found = {score_of(j, m), i, 1};
        if (is_better(j, &found, &classes[c]))
            classes[c] = found;
        rug_status status = rug_context_step(ctx, (double)(i + 1) / (double)n);
        if (status != RUG_OK)
            return status;
    }
    return RUG_OK;
}

/* The best class but one. @return n_classes when there is none */
static size_t find_best(const job *j, const best *classes, size_t but)
{
    size_t n = j->model->n_classes, found = n;
    for (size_t c = 0; c < n; c++)
        if (c != but && (found == n || is_better(j, &classes[c], &classes[found])))
            found = c;
    return found;
}

/* Scores are finite but for those of patterns that a class lacks: these decide nothing, so
 * that no such class is the first or second one. */
static void give_verdict(const job *j, const best *classes, rug_lbp_verdict *out)
{
    size_t n = j->model->n_classes, first = find_best(j, classes, n),
           second = find_best(j, classes, first);
    for (size_t c = 0; c < n; c++)
        out->n_ruled_out += isinf(classes[c].score) != 0;
    if (out->n_ruled_out == n)
        return;
    out->predicted = j->model->classes[first].name;
    out->score = classes[first].score;
    if (second < n && !isinf(classes[second].score)) {
        out->second = j->model->classes[second].name;
        out->margin = fabs(classes[first].score - classes[second].score);
    }
    if (j->opts->nearest_sample)
        out->nearest = j->model->samples[classes[first].candidate].name;
}

const char *rug_lbp_score_name(rug_lbp_score score)
{
    static const char *const names[] = {"likelihood", "chi2", "g"};
    return RUGI_NAME(names, score);
}

static rug_status check(rug_context *ctx, const rug_lbp_model *model,
                        const rug_lbp_classify_options *opts)
{
    if ((int)opts->score < 0 || (int)opts->score > RUG_LBP_G)
        return rug_context_fail(ctx, RUG_E_ARG, "score %d given, 0..%d expected",
                                (int)opts->score, RUG_LBP_G);
    if (opts->alpha != 0 &&
        !(opts->alpha >= RUG_LBP_MIN_ALPHA && opts->alpha <= RUG_LBP_MAX_ALPHA))
        return rug_context_fail(ctx, RUG_E_ARG, "alpha %g given, 0 or %g to %g expected",
                                opts->alpha, RUG_LBP_MIN_ALPHA, RUG_LBP_MAX_ALPHA);
    return model->n_samples > 0
               ? RUG_OK
               : rug_context_fail(ctx, RUG_E_ARG,
                                  "the model has no class: add samples to it first");
}

/* The sums of the image's bins. @return whether each operator has pixels */
static rug_status sum_bins(rug_context *ctx, job *j, int *is_empty)
{
    const uint64_t *bins = j->bins;
    int too_many = 0;
    *is_empty = 0;
    for (uint32_t op = 0; op < j->model->options.n_operators && !too_many; op++) {
        j->sums[op] = (double)rugi_lbp_sum(bins, j->model->op_bins[op], &too_many);
        *is_empty |= !(j->sums[op] > 0);
        bins += j->model->op_bins[op];
    }
    return too_many
               ? rug_context_fail(ctx, RUG_E_ARG, "an image of more than 2^53 pixels")
               : RUG_OK;
}

/* The verdict, with options of our own. */
static rug_status classify(rug_context *ctx, rug_lbp_verdict *found, const job *j)
{
    best *classes = rug_context_allocate(ctx, j->model->n_classes, sizeof *classes, what);
    if (classes == NULL)
        return RUG_E_NOMEM;
    memset(classes, 0, j->model->n_classes * sizeof *classes);
    rug_status status = score_all(ctx, j, classes);
    if (status == RUG_OK)
        give_verdict(j, classes, found);
    rug_context_release(ctx, classes);
    return status;
}

rug_status rug_lbp_model_classify_bins(rug_context *ctx, rug_lbp_verdict *out,
                                       const rug_lbp_model *model, const uint64_t *bins,
                                       const rug_lbp_classify_options *opts)
{
    rug_lbp_classify_options own = RUG_LBP_CLASSIFY_OPTIONS_INIT;
    rug_lbp_verdict found = {.score = (double)NAN, .margin = (double)NAN};
    int is_empty = 0;
    rug_status status = rugi_clear(ctx, out, "rug_lbp_verdict");
    if (status == RUG_OK && (ctx == NULL || model == NULL || bins == NULL))
        status = rug_context_fail(ctx, RUG_E_ARG, "rug_lbp_model_classify: NULL given");
    if (status == RUG_OK)
        status = RUGI_TAKE(ctx, &own, opts, "rug_lbp_classify_options");
    job j = {.model = model, .opts = &own, .bins = bins};
    if (status == RUG_OK)
        status = check(ctx, model, &own);
    if (status == RUG_OK)
        status = sum_bins(ctx, &j, &is_empty);
    if (status == RUG_OK && !is_empty)
        status = classify(ctx, &found, &j);
    if (status == RUG_OK)
        RUGI_GIVE(out, &found);
    return status;
}
