/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Writes a texture model as JSON, laid out so that people can read it: a line for each
 * operator and each sample. */

#include "core/image/number.h"
#include "io/base/disk.h"
#include "io/base/utf8.h"
#include "lbp_names.h"
#include <inttypes.h>
#include <json-c/json.h>
#include <rugose/lbp_file.h>
#include <rugose/version.h>
#include <string.h>

/* Puts a text in quotes; bytes that are no UTF-8 are replaced, as in reports. @return 0
 * when out of memory */
static int put_text(FILE *out, const char *text)
{
    json_object *object = json_object_new_string(text);
    const char *quoted =
        object != NULL
            ? json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN |
                                                         JSON_C_TO_STRING_NOSLASHESCAPE)
            : NULL;
    uint32_t code;
    for (const char *at = quoted; at != NULL && *at != '\0';) {
        at += rugi_utf8_next(&code, at);
        rugi_utf8_put(out, code);
    }
    json_object_put(object);
    return quoted != NULL;
}

static void put_real(FILE *out, double value)
{
    char text[RUGI_REAL_TEXT_MAX];
    rugi_format_real(text, value);
    fputs(text, out);
}

static void put_operator(FILE *out, const rug_lbp_operator *op)
{
    fprintf(out, "    {\"points\": %" PRIu32 ", \"radius\": ", op->points);
    put_real(out, op->radius);
    fputs(", \"cuts\": [", out);
    for (uint32_t i = 0; i < op->n_cuts; i++) {
        fputs(i > 0 ? ", " : "", out);
        put_real(out, op->cuts[i]);
    }
    fputs("]}", out);
}

static void put_head(FILE *out, const rug_lbp_options *opts)
{
    fprintf(out,
            "{\n  \"format\": \"%s\",\n  \"format_version\": %d,\n  \"rugose\": \"%s\",\n"
            "  \"method\": \"%s\",\n  \"interpolation\": \"%s\",\n  \"border\": \"%s\",\n"
            "  \"exact\": \"%s\",\n  \"operators\": [\n",
            RUGI_LBP_FORMAT_NAME, RUG_LBP_MODEL_FORMAT, rug_version(),
            rug_lbp_method_name(opts->method),
            rug_lbp_interpolation_name(opts->interpolation),
            rug_lbp_border_name(opts->border), rug_lbp_exact_name(opts->exact));
    for (uint32_t i = 0; i < opts->n_operators; i++) {
        fputs(i > 0 ? ",\n" : "", out);
        put_operator(out, &opts->operators[i]);
    }
    fputs("\n  ],\n", out);
}

static void put_histograms(FILE *out, const rug_lbp_options *opts, const uint64_t *bins)
{
    for (uint32_t op = 0; op < opts->n_operators; op++) {
        uint32_t n = rug_lbp_n_bins(opts->method, &opts->operators[op]);
        fputs(op > 0 ? ", [" : "[", out);
        for (uint32_t b = 0; b < n; b++)
            fprintf(out, "%s%" PRIu64, b > 0 ? "," : "", bins[b]);
        fputc(']', out);
        bins += n;
    }
}

/* @return 0 when out of memory */
static int put_classes(FILE *out, const rug_lbp_model *model)
{
    int good = 1;
    fputs("  \"classes\": [", out);
    for (size_t i = 0; i < rug_lbp_model_n_classes(model) && good; i++) {
        fputs(i > 0 ? ", " : "", out);
        good = put_text(out, rug_lbp_model_class(model, i));
    }
    fputs("],\n", out);
    return good;
}

static int put_samples(FILE *out, const rug_lbp_model *model, const rug_lbp_options *opts)
{
    int good = 1;
    fputs("  \"samples\": [\n", out);
    for (size_t i = 0; i < rug_lbp_model_n_samples(model) && good; i++) {
        const rug_lbp_sample *s = rug_lbp_model_sample(model, i);
        fputs(i > 0 ? ",\n    {\"class\": " : "    {\"class\": ", out);
        good = put_text(out, rug_lbp_model_class(model, s->class_index));
        fputs(", \"image\": ", out);
        good = good && put_text(out, s->name);
        fputs(", \"histograms\": [", out);
        put_histograms(out, opts, s->bins);
        fputs("]}", out);
    }
    fputs("\n  ]\n}\n", out);
    return good;
}

/* Two names must not become one by replacement. */
static int is_utf8(const char *text)
{
    uint32_t code = 0;
    while (*text != '\0') {
        size_t n = rugi_utf8_next(&code, text);
        if (code == RUGI_UTF8_REPLACEMENT && n == 1)
            return 0;
        text += n;
    }
    return 1;
}

/* A sample has an object, three members and a list of one list for each operator; there is
 * also the head. */
static size_t count_nodes(const rug_lbp_model *model, size_t n_operators)
{
    return 16 + 5 * n_operators + rug_lbp_model_n_samples(model) * (5 + n_operators);
}

static rug_status check(rug_context *ctx, const rug_lbp_model *model,
                        const rug_lbp_options *opts, const char *path)
{
    if (rug_lbp_model_n_samples(model) == 0)
        return rug_context_fail(
            ctx, RUG_E_ARG, "%s: the model has no class: add samples to it first", path);
    if (count_nodes(model, opts->n_operators) > RUG_LBP_MODEL_MAX_NODES)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "%s: %zu samples of %u operators are more than a "
                                "model file can hold: use fewer",
                                path, rug_lbp_model_n_samples(model), opts->n_operators);
    for (size_t i = 0; i < rug_lbp_model_n_classes(model); i++)
        if (!is_utf8(rug_lbp_model_class(model, i)))
            return rug_context_fail(ctx, RUG_E_ARG,
                                    "%s: the name of class %zu is not UTF-8; rename it",
                                    path, i);
    return RUG_OK;
}

rug_status rug_lbp_model_write(rug_context *ctx, const rug_lbp_model *model,
                               const char *path)
{
    rugi_output *output;
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    if (ctx == NULL || model == NULL || path == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lbp_model_write: NULL given");
    rug_status status = rug_lbp_model_get_options(ctx, &opts, model);
    if (status == RUG_OK)
        status = check(ctx, model, &opts, path);
    if (status == RUG_OK)
        status = rugi_output_open(ctx, &output, path);
    if (status != RUG_OK)
        return status;
    FILE *out = rugi_output_stream(output);
    put_head(out, &opts);
    if (!put_classes(out, model) || !put_samples(out, model, &opts))
        status = rug_context_fail(ctx, RUG_E_NOMEM, "%s: out of memory", path);
    else if (ftell(out) > (long)RUG_LBP_MODEL_MAX_BYTES)
        status = rug_context_fail(ctx, RUG_E_ARG,
                                  "%s: the model takes %ld bytes, at most %zu expected: "
                                  "fewer bins or samples",
                                  path, ftell(out), RUG_LBP_MODEL_MAX_BYTES);
    if (status == RUG_OK)
        return rugi_output_commit(ctx, output);
    rugi_output_discard(output);
    return status;
}
