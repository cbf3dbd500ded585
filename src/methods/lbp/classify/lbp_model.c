/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Models: the operators, the classes and the samples that they were trained with. Scores
 * are in lbp_score.c. */

#include "core/context/sized.h"
#include "lbp/plan/lbp_plan.h"
#include "lbp_samples.h"
#include <string.h>

static const char what[] = "model of texture classes";

static rug_status fail_null(rug_context *ctx, const char *call)
{
    return rug_context_fail(ctx, RUG_E_ARG, "%s: NULL given", call);
}

/* A copy of n items; NULL with an error text. */
static void *copy(rug_context *ctx, const void *items, size_t n, size_t item_size)
{
    void *block = rug_context_allocate(ctx, n, item_size, what);
    if (block != NULL && n > 0)
        memcpy(block, items, n * item_size);
    return block;
}

static rug_status check_own(rug_context *ctx, const rug_lbp_options *opts)
{
    if (opts->mask != NULL || opts->labels != NULL || opts->map != NULL ||
        opts->planes != RUG_LBP_PLANES_NONE)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "a model is made of images without labels or planes: "
                                "mask, labels, planes and map must not be set");
    return RUG_OK;
}

static rug_status take_operator(rug_context *ctx, rug_lbp_model *model, uint32_t i,
                                const rug_lbp_operator *op)
{
    uint32_t n_bins = rug_lbp_n_bins(model->options.method, op);
    if (n_bins == 0)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "operator %u (%u points, %s) has no histogram of at most %d bins, which a "
            "model needs: give fewer points or bins of the variance, and cuts to 'var'",
            i, op->points, rug_lbp_method_name(model->options.method), RUG_LBP_MAX_BINS);
    model->operators[i] = *op;
    model->operators[i].cuts = NULL;
    model->op_bins[i] = n_bins;
    model->n_bins += n_bins;
    if (op->n_cuts == 0)
        return RUG_OK;
    model->operators[i].cuts = copy(ctx, op->cuts, op->n_cuts, sizeof *op->cuts);
    return model->operators[i].cuts != NULL ? RUG_OK : RUG_E_NOMEM;
}

static rug_status take_options(rug_context *ctx, rug_lbp_model *model,
                               const rug_lbp_options *opts)
{
    uint32_t n;
    const rug_lbp_operator *ops = rugi_lbp_operators(opts, &n);
    rug_status status = RUG_OK;
    model->options = *opts;
    model->options.operators = model->operators;
    model->options.n_operators = 0;
    for (uint32_t i = 0; i < n && status == RUG_OK; i++) {
        status = take_operator(ctx, model, i, &ops[i]);
        model->options.n_operators += status == RUG_OK;
    }
    return status;
}

rug_status rug_lbp_model_new(rug_context *ctx, rug_lbp_model **out,
                             const rug_lbp_options *opts)
{
    rug_lbp_options own = RUG_LBP_OPTIONS_INIT;
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL)
        return fail_null(ctx, "rug_lbp_model_new");
    rug_status status = RUGI_TAKE(ctx, &own, opts, "rug_lbp_options");
    if (status == RUG_OK)
        status = rugi_lbp_plan_check(ctx, &own);
    if (status == RUG_OK)
        status = check_own(ctx, &own);
    if (status != RUG_OK)
        return status;
    rug_lbp_model *model = rug_context_allocate(ctx, 1, sizeof *model, what);
    if (model == NULL)
        return RUG_E_NOMEM;
    memset(model, 0, sizeof *model);
    model->ctx = ctx;
    status = take_options(ctx, model, &own);
    if (status == RUG_OK)
        *out = model;
    else
        rug_lbp_model_free(model);
    return status;
}

void rug_lbp_model_free(rug_lbp_model *model)
{
    if (model == NULL)
        return;
    rug_context *ctx = model->ctx;
    for (size_t i = 0; i < RUG_LBP_MAX_OPERATORS; i++)
        rug_context_release(ctx, (void *)(uintptr_t)model->operators[i].cuts);
    for (size_t i = 0; i < model->n_classes; i++) {
        rug_context_release(ctx, model->classes[i].name);
        rug_context_release(ctx, model->classes[i].bins);
    }
    for (size_t i = 0; i < model->n_samples; i++) {
        rug_context_release(ctx, (void *)(uintptr_t)model->samples[i].name);
        rug_context_release(ctx, (void *)(uintptr_t)model->samples[i].bins);
    }
    rug_context_release(ctx, model->classes);
    rug_context_release(ctx, model->samples);
    rug_context_release(ctx, model);
}

rug_status rug_lbp_model_get_options(rug_context *ctx, rug_lbp_options *out,
                                     const rug_lbp_model *model)
{
    rug_status status = rugi_clear(ctx, out, "rug_lbp_options");
    if (status != RUG_OK)
        return status;
    if (ctx == NULL || model == NULL)
        return fail_null(ctx, "rug_lbp_model_get_options");
    RUGI_GIVE(out, &model->options);
    return RUG_OK;
}

size_t rug_lbp_model_n_bins(const rug_lbp_model *model)
{
    return model->n_bins;
}

size_t rug_lbp_model_n_classes(const rug_lbp_model *model)
{
    return model->n_classes;
}

size_t rug_lbp_model_n_samples(const rug_lbp_model *model)
{
    return model->n_samples;
}

const char *rug_lbp_model_class(const rug_lbp_model *model, size_t i)
{
    return i < model->n_classes ? model->classes[i].name : NULL;
}

const rug_lbp_sample *rug_lbp_model_sample(const rug_lbp_model *model, size_t i)
{
    return i < model->n_samples ? &model->samples[i] : NULL;
}

/* Makes an array large enough for one more item. */
static rug_status grow(rug_context *ctx, void **items, size_t n, size_t *capacity,
                       size_t item_size)
{
    if (n < *capacity)
        return RUG_OK;
    size_t more = *capacity > 0 ? 2 * *capacity : 16;
    void *block = rug_context_allocate(ctx, more, item_size, what);
    if (block == NULL)
        return RUG_E_NOMEM;
    if (n > 0)
        memcpy(block, *items, n * item_size);
    rug_context_release(ctx, *items);
    *items = block;
    *capacity = more;
    return RUG_OK;
}

static size_t find_class(const rug_lbp_model *model, const char *name)
{
    size_t i = 0;
    while (i < model->n_classes && strcmp(model->classes[i].name, name) != 0)
        i++;
    return i;
}

/* Adds a class without pixels. */
static rug_status add_class(rug_context *ctx, rug_lbp_model *model, const char *name)
{
    if (model->n_classes == RUG_LBP_MAX_CLASSES)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "class '%.100s': at most %d classes expected", name,
                                RUG_LBP_MAX_CLASSES);
    void *classes = model->classes;
    rug_status status = grow(ctx, &classes, model->n_classes, &model->class_capacity,
                             sizeof *model->classes);
    model->classes = classes;
    if (status != RUG_OK)
        return status;
    rugi_lbp_class *c = &model->classes[model->n_classes];
    c->name = copy(ctx, name, strlen(name) + 1, 1);
    c->bins = c->name != NULL
                  ? rug_context_allocate(ctx, model->n_bins, sizeof *c->bins, what)
                  : NULL;
    if (c->bins == NULL) {
        rug_context_release(ctx, c->name);
        return RUG_E_NOMEM;
    }
    memset(c->bins, 0, model->n_bins * sizeof *c->bins);
    model->n_classes++;
    return RUG_OK;
}

/* Keeps a sample of a class, without adding its bins to those of the class. */
static rug_status keep_sample(rug_context *ctx, rug_lbp_model *model, size_t class_index,
                              const char *name, const uint64_t *bins)
{
    void *samples = model->samples;
    rug_status status = grow(ctx, &samples, model->n_samples, &model->sample_capacity,
                             sizeof *model->samples);
    model->samples = samples;
    if (status != RUG_OK)
        return status;
    char *own_name = copy(ctx, name, strlen(name) + 1, 1);
    uint64_t *own_bins =
        own_name != NULL ? copy(ctx, bins, model->n_bins, sizeof *bins) : NULL;
    if (own_bins == NULL) {
        rug_context_release(ctx, own_name);
        return RUG_E_NOMEM;
    }
    model->samples[model->n_samples++] =
        (rug_lbp_sample){.name = own_name, .class_index = class_index, .bins = own_bins};
    return RUG_OK;
}

/* Every operator must have pixels, and not more than a class may have.
 *  @param known  the bins of the class so far, or NULL */
static rug_status check_bins(rug_context *ctx, const rug_lbp_model *model,
                             const char *sample, const uint64_t *known,
                             const uint64_t *bins)
{
    for (uint32_t op = 0; op < model->options.n_operators; op++) {
        size_t n = model->op_bins[op];
        int is_large, class_is_large = 0;
        uint64_t sum = rugi_lbp_sum(bins, n, &is_large), before = 0;
        if (known != NULL)
            before = rugi_lbp_sum(known, n, &class_is_large);
        if (is_large || class_is_large || sum > RUGI_LBP_MAX_PIXELS - before)
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "%s: a class of more than 2^53 pixels", sample);
        if (sum == 0)
            return rug_context_fail(
                ctx, RUG_E_ARG,
                "%s: no pixel has a code of (%u, %g): a larger image or mask expected",
                sample, model->operators[op].points, model->operators[op].radius);
        bins += n;
        known = known != NULL ? known + n : NULL;
    }
    return RUG_OK;
}

rug_status rug_lbp_model_add_bins(rug_context *ctx, rug_lbp_model *model,
                                  const char *class_name, const char *sample,
                                  const uint64_t *bins)
{
    if (ctx == NULL || model == NULL || class_name == NULL || sample == NULL ||
        bins == NULL)
        return fail_null(ctx, "rug_lbp_model_add");
    if (class_name[0] == '\0')
        return rug_context_fail(ctx, RUG_E_ARG, "%s: the class has no name", sample);
    size_t i = find_class(model, class_name);
    int is_new = i == model->n_classes;
    rug_status status =
        check_bins(ctx, model, sample, is_new ? NULL : model->classes[i].bins, bins);
    if (status == RUG_OK && is_new)
        status = add_class(ctx, model, class_name);
    if (status != RUG_OK)
        return status;
    status = keep_sample(ctx, model, i, sample, bins);
    if (status == RUG_OK) {
        for (size_t b = 0; b < model->n_bins; b++)
            model->classes[i].bins[b] += bins[b];
    } else if (is_new) { /* no class without a sample */
        model->n_classes--;
        rug_context_release(ctx, model->classes[i].name);
        rug_context_release(ctx, model->classes[i].bins);
    }
    return status;
}

/* The bins of a result, one operator after the other: rug_lbp_model_n_bins() numbers.
 * RUG_E_ARG where they are not of the model's operators, or of labels. */
static rug_status take_bins(rug_context *ctx, const rug_lbp_model *model,
                            const rug_lbp_result *result, uint64_t *bins)
{
    uint32_t n = model->options.n_operators;
    int fits = rug_lbp_get_facts(result)->n_histograms == n;
    for (uint32_t op = 0; op < n && fits; op++) {
        const rug_lbp_histogram *h = rug_lbp_at(result, op);
        fits = h->label == 0 && h->op == op && h->n_bins == model->op_bins[op];
        if (fits)
            memcpy(bins, h->bins, h->n_bins * sizeof *bins);
        bins += model->op_bins[op];
    }
    return fits ? RUG_OK
                : rug_context_fail(
                      ctx, RUG_E_ARG,
                      "the histograms are not those of the model's %u operators: code "
                      "the image with the model's options, without labels",
                      n);
}

rug_status rug_lbp_model_add(rug_context *ctx, rug_lbp_model *model,
                             const char *class_name, const char *sample,
                             const rug_lbp_result *result)
{
    if (ctx == NULL || model == NULL || result == NULL)
        return fail_null(ctx, "rug_lbp_model_add");
    uint64_t *bins = rug_context_allocate(ctx, model->n_bins, sizeof *bins, what);
    if (bins == NULL)
        return RUG_E_NOMEM;
    rug_status status = take_bins(ctx, model, result, bins);
    if (status == RUG_OK)
        status = rug_lbp_model_add_bins(ctx, model, class_name, sample, bins);
    rug_context_release(ctx, bins);
    return status;
}

rug_status rug_lbp_model_classify(rug_context *ctx, rug_lbp_verdict *out,
                                  const rug_lbp_model *model,
                                  const rug_lbp_result *result,
                                  const rug_lbp_classify_options *opts)
{
    rug_status status = rugi_clear(ctx, out, "rug_lbp_verdict");
    if (status != RUG_OK)
        return status;
    if (ctx == NULL || model == NULL || result == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lbp_model_classify: NULL given");
    uint64_t *bins = rug_context_allocate(ctx, model->n_bins, sizeof *bins, what);
    if (bins == NULL)
        return RUG_E_NOMEM;
    status = take_bins(ctx, model, result, bins);
    if (status == RUG_OK)
        status = rug_lbp_model_classify_bins(ctx, out, model, bins, opts);
    rug_context_release(ctx, bins);
    return status;
}
