/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reads a texture model, a JSON document. */

#include "json_file.h"
#include "lbp_names.h"
#include <rugose/lbp_file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value as JSON, for messages: texts in quotes, without control characters. */
static const char *json_text(json_object *value)
{
    const char *text = json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN);
    return text != NULL ? text : "null";
}

/* Counts up to here are exact in any program that reads JSON. */
#define MAX_COUNT ((int64_t)1 << 53)

typedef struct reader {
    rugi_json_file json;
    rug_lbp_operator operators[RUG_LBP_MAX_OPERATORS]; /* cuts are owned */
    rug_lbp_options options;                           /* of these operators */
    rug_lbp_model *model;                              /* owned */
} reader;

/* The names of values that a word may have. */
typedef const char *(*name_fn)(int value);

static const char *method_name(int value)
{
    return rug_lbp_method_name((rug_lbp_method)value);
}

static const char *interpolation_name(int value)
{
    return rug_lbp_interpolation_name((rug_lbp_interpolation)value);
}

static const char *border_name(int value)
{
    return rug_lbp_border_name((rug_lbp_border)value);
}

static const char *exact_name(int value)
{
    return rug_lbp_exact_name((rug_lbp_exact)value);
}

/* The value whose name a member's word is. */
static rug_status word(const reader *r, int *out, const char *name, name_fn name_of)
{
    json_object *value;
    rug_status status =
        rugi_json_member(&r->json, &value, r->json.root, "", name, json_type_string);
    if (status != RUG_OK)
        return status;
    const char *text = json_object_get_string(value);
    for (*out = 0; name_of(*out)[0] != '?'; ++*out)
        if (strcmp(name_of(*out), text) == 0)
            return RUG_OK;
    return rug_context_fail(r->json.ctx, RUG_E_FORMAT,
                            "%s: %s is '%.40s', which is unknown", r->json.path, name,
                            text);
}

static rug_status check_format(const reader *r)
{
    json_object *name, *number_of_format;
    rug_status status =
        rugi_json_member(&r->json, &name, r->json.root, "", "format", json_type_string);
    if (status == RUG_OK && strcmp(json_object_get_string(name), RUGI_LBP_FORMAT_NAME))
        return rug_context_fail(r->json.ctx, RUG_E_FORMAT,
                                "%s: the format is '%.40s', '%s' expected", r->json.path,
                                json_object_get_string(name), RUGI_LBP_FORMAT_NAME);
    if (status == RUG_OK)
        status = rugi_json_member(&r->json, &number_of_format, r->json.root, "",
                                  "format_version", json_type_int);
    if (status != RUG_OK)
        return status;
    int64_t n = json_object_get_int64(number_of_format);
    if (n > RUG_LBP_MODEL_FORMAT)
        return rug_context_fail(r->json.ctx, RUG_E_UNSUPPORTED,
                                "%s: format_version %lld is newer than %d, which this "
                                "version of rugose reads",
                                r->json.path, (long long)n, RUG_LBP_MODEL_FORMAT);
    return n >= 1 ? RUG_OK
                  : rug_context_fail(r->json.ctx, RUG_E_FORMAT,
                                     "%s: format_version %lld given, 1 expected",
                                     r->json.path, (long long)n);
}

static rug_status read_cuts(reader *r, rug_lbp_operator *op, json_object *cuts,
                            const char *where)
{
    size_t n = json_object_array_length(cuts);
    if (n >= RUG_LBP_MAX_BINS)
        return rug_context_fail(r->json.ctx, RUG_E_FORMAT,
                                "%s: %s.cuts: %zu numbers, fewer than %d expected",
                                r->json.path, where, n, RUG_LBP_MAX_BINS);
    double *values = n > 0 ? calloc(n, sizeof *values) : NULL;
    if (n > 0 && values == NULL)
        return rug_context_fail(r->json.ctx, RUG_E_NOMEM, "%s: no memory for cuts",
                                r->json.path);
    op->cuts = values;
    op->n_cuts = (uint32_t)n;
    for (size_t i = 0; i < n; i++) {
        char place[96];
        snprintf(place, sizeof place, "%s.cuts[%zu]", where, i);
        rug_status status = rugi_json_number(&r->json, &values[i],
                                             json_object_array_get_idx(cuts, i), place);
        if (status != RUG_OK)
            return status;
    }
    return RUG_OK;
}

static rug_status read_operator(reader *r, rug_lbp_operator *op, json_object *object,
                                size_t i)
{
    char where[48], place[64];
    json_object *points, *radius = NULL, *cuts;
    snprintf(where, sizeof where, "operators[%zu]", i);
    snprintf(place, sizeof place, "%s.radius", where);
    rug_status status =
        rugi_json_member(&r->json, &points, object, where, "points", json_type_int);
    if (status == RUG_OK && !json_object_object_get_ex(object, "radius", &radius))
        return rug_context_fail(r->json.ctx, RUG_E_FORMAT, "%s: %s is missing",
                                r->json.path, place);
    if (status == RUG_OK)
        status = rugi_json_number(&r->json, &op->radius, radius, place);
    if (status == RUG_OK)
        status =
            rugi_json_member(&r->json, &cuts, object, where, "cuts", json_type_array);
    if (status != RUG_OK)
        return status;
    int64_t n = json_object_get_int64(points);
    if (n < 1 || n > RUG_LBP_MAX_POINTS)
        return rug_context_fail(r->json.ctx, RUG_E_FORMAT,
                                "%s: %s.points is %lld, 1..%d expected", r->json.path,
                                where, (long long)n, RUG_LBP_MAX_POINTS);
    op->points = (uint32_t)n;
    return read_cuts(r, op, cuts, where);
}

/* Gives a failure of the library the file's name and the place. */
static rug_status refuse(const reader *r, rug_status status, const char *where)
{
    char text[512];
    if (status == RUG_OK || status == RUG_E_NOMEM)
        return status;
    snprintf(text, sizeof text, "%s", rug_context_error(r->json.ctx));
    return rug_context_fail(r->json.ctx, RUG_E_FORMAT, "%s: %s: %s", r->json.path, where,
                            text);
}

static rug_status read_options(reader *r, rug_lbp_options *opts)
{
    int method = 0, interpolation = 0, border = 0, exact = 0;
    rug_status status = word(r, &method, "method", method_name);
    if (status == RUG_OK)
        status = word(r, &interpolation, "interpolation", interpolation_name);
    if (status == RUG_OK)
        status = word(r, &border, "border", border_name);
    if (status == RUG_OK)
        status = word(r, &exact, "exact", exact_name);
    opts->method = (rug_lbp_method)method;
    opts->interpolation = (rug_lbp_interpolation)interpolation;
    opts->border = (rug_lbp_border)border;
    opts->exact = (rug_lbp_exact)exact;
    return status;
}

static rug_status make_model(reader *r)
{
    json_object *operators;
    rug_status status = read_options(r, &r->options);
    if (status == RUG_OK)
        status = rugi_json_member(&r->json, &operators, r->json.root, "", "operators",
                                  json_type_array);
    if (status != RUG_OK)
        return status;
    size_t n = json_object_array_length(operators);
    if (n < 1 || n > RUG_LBP_MAX_OPERATORS)
        return rug_context_fail(r->json.ctx, RUG_E_FORMAT,
                                "%s: %zu operators, 1..%d expected", r->json.path, n,
                                RUG_LBP_MAX_OPERATORS);
    for (size_t i = 0; i < n && status == RUG_OK; i++)
        status = read_operator(r, &r->operators[i],
                               json_object_array_get_idx(operators, i), i);
    r->options.operators = r->operators;
    r->options.n_operators = (uint32_t)n;
    return status == RUG_OK
               ? refuse(r, rug_lbp_model_new(r->json.ctx, &r->model, &r->options),
                        "operators")
               : status;
}

/* The bins of one operator of a sample. */
static rug_status read_bins(const reader *r, uint64_t *bins, size_t n, json_object *list,
                            const char *where)
{
    if (!json_object_is_type(list, json_type_array) ||
        json_object_array_length(list) != n)
        return rug_context_fail(
            r->json.ctx, RUG_E_FORMAT, "%s: %s: %zu bins found, %zu expected",
            r->json.path, where,
            json_object_is_type(list, json_type_array) ? json_object_array_length(list)
                                                       : (size_t)0,
            n);
    for (size_t b = 0; b < n; b++) {
        json_object *value = json_object_array_get_idx(list, b);
        int64_t count =
            json_object_is_type(value, json_type_int) ? json_object_get_int64(value) : -1;
        if (count < 0 || count > MAX_COUNT)
            return rug_context_fail(r->json.ctx, RUG_E_FORMAT,
                                    "%s: %s[%zu] is %.40s, a whole number 0..2^53 "
                                    "expected",
                                    r->json.path, where, b, json_text(value));
        bins[b] = (uint64_t)count;
    }
    return RUG_OK;
}

static rug_status read_histograms(const reader *r, uint64_t *bins, json_object *lists,
                                  const char *where)
{
    const rug_lbp_options *opts = &r->options;
    if (json_object_array_length(lists) != opts->n_operators)
        return rug_context_fail(r->json.ctx, RUG_E_FORMAT,
                                "%s: %s.histograms: %zu found, one for each of %u "
                                "operators expected",
                                r->json.path, where, json_object_array_length(lists),
                                opts->n_operators);
    rug_status status = RUG_OK;
    for (uint32_t op = 0; op < opts->n_operators && status == RUG_OK; op++) {
        uint32_t n = rug_lbp_n_bins(opts->method, &opts->operators[op]);
        char place[96];
        snprintf(place, sizeof place, "%s.histograms[%u]", where, op);
        status = read_bins(r, bins, n, json_object_array_get_idx(lists, op), place);
        bins += n;
    }
    return status;
}

static rug_status read_sample(reader *r, json_object *object, size_t i, uint64_t *bins)
{
    char where[48];
    json_object *class_name, *image, *lists;
    snprintf(where, sizeof where, "samples[%zu]", i);
    rug_status status =
        rugi_json_member(&r->json, &class_name, object, where, "class", json_type_string);
    if (status == RUG_OK)
        status =
            rugi_json_member(&r->json, &image, object, where, "image", json_type_string);
    if (status == RUG_OK)
        status = rugi_json_member(&r->json, &lists, object, where, "histograms",
                                  json_type_array);
    if (status == RUG_OK)
        status = read_histograms(r, bins, lists, where);
    if (status != RUG_OK)
        return status;
    return refuse(r,
                  rug_lbp_model_add_bins(r->json.ctx, r->model,
                                         json_object_get_string(class_name),
                                         json_object_get_string(image), bins),
                  where);
}

/* The list of classes must say what the samples do, in the order in which they come. */
static rug_status check_classes(const reader *r)
{
    json_object *classes;
    rug_status status = rugi_json_member(&r->json, &classes, r->json.root, "", "classes",
                                         json_type_array);
    if (status != RUG_OK)
        return status;
    size_t n = rug_lbp_model_n_classes(r->model);
    if (json_object_array_length(classes) != n)
        return rug_context_fail(r->json.ctx, RUG_E_FORMAT,
                                "%s: %zu classes listed, but the samples have %zu",
                                r->json.path, json_object_array_length(classes), n);
    for (size_t i = 0; i < n; i++) {
        const char *name = rug_lbp_model_class(r->model, i);
        json_object *found = json_object_array_get_idx(classes, i);
        if (!json_object_is_type(found, json_type_string) ||
            strcmp(json_object_get_string(found), name) != 0)
            return rug_context_fail(r->json.ctx, RUG_E_FORMAT,
                                    "%s: classes[%zu] is not '%s', the next class in "
                                    "the order of the samples",
                                    r->json.path, i, name);
    }
    return RUG_OK;
}

static rug_status read_samples(reader *r)
{
    json_object *samples;
    rug_status status = rugi_json_member(&r->json, &samples, r->json.root, "", "samples",
                                         json_type_array);
    if (status != RUG_OK)
        return status;
    size_t n = json_object_array_length(samples);
    if (n == 0)
        return rug_context_fail(r->json.ctx, RUG_E_FORMAT,
                                "%s: no samples, so no classes", r->json.path);
    uint64_t *bins = rug_context_allocate(r->json.ctx, rug_lbp_model_n_bins(r->model),
                                          sizeof *bins, r->json.path);
    if (bins == NULL)
        return RUG_E_NOMEM;
    for (size_t i = 0; i < n && status == RUG_OK; i++)
        status = read_sample(r, json_object_array_get_idx(samples, i), i, bins);
    rug_context_release(r->json.ctx, bins);
    return status == RUG_OK ? check_classes(r) : status;
}

rug_status rug_lbp_model_read(rug_context *ctx, rug_lbp_model **out, const char *path)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || path == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lbp_model_read: NULL given");
    reader r = {.json = {ctx, path, NULL}, .options = RUG_LBP_OPTIONS_INIT};
    rug_status status =
        rugi_json_read(&r.json, RUG_LBP_MODEL_MAX_BYTES, RUG_LBP_MODEL_MAX_NODES);
    if (status == RUG_OK)
        status = check_format(&r);
    if (status == RUG_OK)
        status = make_model(&r);
    if (status == RUG_OK)
        status = read_samples(&r);
    for (size_t i = 0; i < RUG_LBP_MAX_OPERATORS; i++)
        free((void *)(uintptr_t)r.operators[i].cuts);
    json_object_put(r.json.root);
    if (status == RUG_OK)
        *out = r.model;
    else
        rug_lbp_model_free(r.model);
    return status;
}
