/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Files of texture models: what is written is read back the same, in any locale, and what
 * is no model is refused with its place. */

#define _XOPEN_SOURCE 700

#include "support.h"

#include "io_scratch.h"

#include "model_support.h"

#include "read_support.h"
#include <rugose/lbp_file.h>

static const double cuts[] = {0.1, 2.0 / 3, 1e300};

/* Everything that can be said: cuts, several operators, names to be quoted. */
static rug_lbp_model *full_model(void)
{
    const rug_lbp_operator ops[] = {{3, 1.25, cuts, 3}, {1, 1.0 / 3, NULL, 0}};
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    rug_lbp_model *model;
    opts.method = RUG_LBP_NRI_UNIFORM;
    opts.interpolation = RUG_LBP_NEAREST;
    opts.border = RUG_LBP_BORDER_SKIP;
    opts.operators = ops;
    opts.n_operators = 2;
    assert_int_equal(rug_lbp_model_new(ctx, &model, &opts), RUG_OK);
    assert_true(rug_lbp_model_n_bins(model) > 20);
    uint64_t *all = calloc(rug_lbp_model_n_bins(model), sizeof *all);
    assert_non_null(all);
    for (size_t i = 0; i < rug_lbp_model_n_bins(model); i++)
        all[i] = i * i * 1000003;
    all[0] = (uint64_t)1 << 50;
    add(ctx, model, "stone \"grey\"", "a\\b/c.png", all);
    add(ctx, model,
        "Stra\xc3\x9f"
        "e",
        "bytes \xff\xfe", all);
    add(ctx, model, "stone \"grey\"", "again", all);
    free(all);
    return model;
}

static rug_lbp_options options_of(const rug_lbp_model *model)
{
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    assert_int_equal(rug_lbp_model_get_options(ctx, &opts, model), RUG_OK);
    return opts;
}

static void assert_models_equal(const rug_lbp_model *a, const rug_lbp_model *b)
{
    const rug_lbp_options x = options_of(a), y = options_of(b);
    assert_int_equal(x.method, y.method);
    assert_int_equal(x.interpolation, y.interpolation);
    assert_int_equal(x.border, y.border);
    assert_int_equal(x.exact, y.exact);
    assert_int_equal(x.n_operators, y.n_operators);
    for (uint32_t i = 0; i < x.n_operators; i++) {
        const rug_lbp_operator *p = &x.operators[i], *q = &y.operators[i];
        assert_int_equal(p->points, q->points);
        assert_true(p->radius == q->radius);
        assert_int_equal(p->n_cuts, q->n_cuts);
        for (uint32_t k = 0; k < p->n_cuts; k++)
            assert_true(p->cuts[k] == q->cuts[k]);
    }
    assert_int_equal(rug_lbp_model_n_classes(a), rug_lbp_model_n_classes(b));
    assert_int_equal(rug_lbp_model_n_samples(a), rug_lbp_model_n_samples(b));
    for (size_t i = 0; i < rug_lbp_model_n_classes(a); i++)
        assert_string_equal(rug_lbp_model_class(a, i), rug_lbp_model_class(b, i));
    for (size_t i = 0; i < rug_lbp_model_n_samples(a); i++) {
        const rug_lbp_sample *p = rug_lbp_model_sample(a, i),
                             *q = rug_lbp_model_sample(b, i);
        assert_int_equal(p->class_index, q->class_index);
        assert_memory_equal(p->bins, q->bins, rug_lbp_model_n_bins(a) * sizeof *p->bins);
    }
}

static rug_lbp_model *read_back(const char *path)
{
    rug_lbp_model *model = NULL;
    if (rug_lbp_model_read(ctx, &model, path) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return model;
}

static void there_and_back(void **state)
{
    scratch *here = *state;
    rug_lbp_model *model = full_model();
    const char *path = scratch_path(here, "m.json");
    assert_int_equal(rug_lbp_model_write(ctx, model, path), RUG_OK);
    assert_int_equal(scratch_count(here), 1);
    rug_lbp_model *back = read_back(path);
    assert_models_equal(model, back);
    assert_string_equal(rug_lbp_model_sample(back, 0)->name, "a\\b/c.png");
    /* the bytes of a path that are no UTF-8 are replaced, or the file would be no JSON */
    assert_string_equal(rug_lbp_model_sample(back, 1)->name,
                        "bytes \xef\xbf\xbd\xef\xbf\xbd");
    rug_lbp_model_free(back);
    rug_lbp_model_free(model);
}

static void with_a_decimal_comma(void **state)
{
    scratch *here = *state;
    rug_lbp_model *model = full_model();
    char *text, *german;
    assert_int_equal(rug_lbp_model_write(ctx, model, scratch_path(here, "m.json")),
                     RUG_OK);
    text = scratch_read(here, "m.json", NULL);
    scratch_speak_german(here);
    unsetenv(
        "LOCPATH"); /* glibc loses its copy at each newlocale(), which json-c calls */
    assert_int_equal(rug_lbp_model_write(ctx, model, scratch_path(here, "m.json")),
                     RUG_OK);
    german = scratch_read(here, "m.json", NULL);
    assert_string_equal(text, german);
    rug_lbp_model *back = read_back(scratch_path(here, "m.json"));
    assert_models_equal(model, back);
    free(text);
    free(german);
    rug_lbp_model_free(back);
    rug_lbp_model_free(model);
}

static void what_is_not_written(void **state)
{
    scratch *here = *state;
    const uint64_t bins[] = {1, 2};
    rug_lbp_model *model = bit_model(ctx, 1);
    const char *path = scratch_path(here, "m.json");
    assert_int_equal(rug_lbp_model_write(ctx, model, path), RUG_E_ARG);
    assert_int_equal(rug_lbp_model_write(ctx, NULL, path), RUG_E_ARG);
    add(ctx, model, "a\xff", "s", bins);
    assert_int_equal(rug_lbp_model_write(ctx, model, path), RUG_E_ARG);
    assert_says(ctx, "not UTF-8");
    assert_int_equal(scratch_count(here), 0);
    rug_lbp_model_free(model);
    model = bit_model(ctx, 1);
    add(ctx, model, "a", "s", bins);
    assert_int_equal(rug_lbp_model_write(ctx, model, "/nowhere/m.json"), RUG_E_IO);
    rug_lbp_model_free(model);
}

static const char good[] =
    "{\"format\": \"rugose lbp model\", \"format_version\": 1, \"method\": \"default\", "
    "\"interpolation\": \"bilinear\", \"border\": \"zero\", \"exact\": \"decimal\", "
    "\"operators\": [{\"points\": 1, \"radius\": 1, \"cuts\": []}], \"classes\": [\"a\"], "
    "\"samples\": [{\"class\": \"a\", \"image\": \"i\", \"histograms\": [[3,4]]}]}";

/* The good file with one piece replaced. */
static void put_changed(scratch *here, const char *from, const char *to)
{
    char text[2048];
    const char *at = strstr(good, from);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, to,
             at + strlen(from));
    scratch_write(here, "m.json", text);
}

static void must_refuse(scratch *here, rug_status expected, const char *text)
{
    rug_lbp_model *model = (rug_lbp_model *)&model;
    const char *path = scratch_path(here, "m.json");
    rug_status got = rug_lbp_model_read(ctx, &model, path);
    assert_failure(path, got, expected, text);
    assert_null(model);
}

static void what_is_refused(void **state)
{
    static const struct {
        const char *from, *to, *text;
    } cases[] = {
        {"{\"format\"", "[\"format\"", "not JSON"},
        {"[[3,4]]}]}", "[[3,4", "cut off"},
        {"[[3,4]]}]}", "[[3,4]]}]} x", "not JSON"},
        {"rugose lbp model", "weights", "the format is 'weights'"},
        {"\"format\": \"rugose lbp model\"", "\"format\": 7", "of type int, string"},
        {"\"format_version\": 1", "\"format_version\": 0", "format_version 0"},
        {"\"format_version\": 1, ", "", "format_version is missing"},
        {"\"default\"", "\"defualt\"", "method is 'defualt', which is unknown"},
        {"\"default\"", "\"default\\u0000\"", "method holds a zero byte"},
        {"\"bilinear\"", "null", "interpolation is of type null, string expected"},
        {"\"zero\"", "\"mirror\"", "border is 'mirror'"},
        {"\"decimal\"", "\"quick\"", "exact is 'quick'"},
        {"[{\"points\": 1, \"radius\": 1, \"cuts\": []}]", "[]", "0 operators"},
        {"{\"points\": 1, \"radius\": 1, \"cuts\": []}", "8",
         "operators[0] is of type int"},
        {"\"points\": 1", "\"points\": 33", "operators[0].points is 33, 1..32 expected"},
        {"\"points\": 1", "\"points\": 1.0", "operators[0].points is of type double"},
        {"\"points\": 1", "\"points\": 24", "operators"},
        {"\"radius\": 1", "\"radius\": -1", "radius -1 given"},
        {"\"radius\": 1", "\"radius\": \"1\"", "operators[0].radius is of type string"},
        {"\"radius\": 1, ", "", "operators[0].radius is missing"},
        {"\"cuts\": []", "\"cuts\": [1]", "operators"},
        {"\"cuts\": []", "\"cuts\": [[]]", "operators[0].cuts[0] is of type array"},
        {"\"cuts\": []", "\"cuts\": 3", "operators[0].cuts is of type int"},
        {"[\"a\"]", "[\"b\"]", "classes[0] is not 'a'"},
        {"[\"a\"]", "[]", "0 classes listed, but the samples have 1"},
        {"[\"a\"]", "[1]", "classes[0] is not 'a'"},
        {"\"class\": \"a\"", "\"class\": \"\"", "samples[0]"},
        {"\"class\": \"a\", ", "", "samples[0].class is missing"},
        {"[{\"class\": \"a\", \"image\": \"i\", \"histograms\": [[3,4]]}]", "[]",
         "no samples"},
        {"[[3,4]]", "[[3,4,5]]", "samples[0].histograms[0]: 3 bins found, 2 expected"},
        {"[[3,4]]", "[3,4]", "samples[0].histograms: 2 found"},
        {"[[3,4]]", "[3]", "samples[0].histograms[0]: 0 bins found"},
        {"[[3,4]]", "[[3,-4]]", "samples[0].histograms[0][1] is -4"},
        {"[[3,4]]", "[[3,4.5]]", "samples[0].histograms[0][1] is 4.5"},
        {"[[3,4]]", "[[\"\",4]]", "samples[0].histograms[0][0] is \"\", a whole"},
        {"[[3,4]]", "[[\"\\u001b[31m\",4]]", "[0][0] is \"\\u001b[31m\", a whole"},
        {"[[3,4]]", "[[null,4]]", "samples[0].histograms[0][0] is null"},
        {"[[3,4]]", "[[3,99999999999999999999]]", "samples[0].histograms[0][1]"},
        {"[[3,4]]", "[[0,0]]", "no pixel has a code"},
        {"[[3,4]]", "[[[[[[[[[[3]]]]]]]]]]", "not JSON"},
        {"\"i\"", "\"\xff\"", "not JSON"},
    };
    scratch *here = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put_changed(here, cases[i].from, cases[i].to);
        must_refuse(here, RUG_E_FORMAT, cases[i].text);
    }
    put_changed(here, "\"format_version\": 1", "\"format_version\": 2");
    must_refuse(here, RUG_E_UNSUPPORTED, "newer");
    scratch_write(here, "m.json", "");
    must_refuse(here, RUG_E_FORMAT, "empty");
    scratch_write(here, "m.json", "[3]");
    must_refuse(here, RUG_E_FORMAT, "the document is of type array, object expected");
    remove(scratch_path(here, "m.json"));
    must_refuse(here, RUG_E_IO, "cannot be opened");
    rug_lbp_model *model;
    assert_int_equal(rug_lbp_model_read(ctx, &model, here->folder), RUG_E_IO);
    assert_int_equal(rug_lbp_model_read(ctx, NULL, "m"), RUG_E_ARG);
}

/* What it does not know is left alone, and every cut of the file is refused. */
static void more_members_and_less_text(void **state)
{
    scratch *here = *state;
    put_changed(here, "{\"format\"", "{\"note\": [1, {}], \"format\"");
    rug_lbp_model *model = read_back(scratch_path(here, "m.json"));
    assert_int_equal(options_of(model).exact, RUG_LBP_EXACT_DECIMAL);
    assert_int_equal(rug_lbp_model_sample(model, 0)->bins[1], 4);
    rug_lbp_model_free(model);
    for (size_t n = 1; n + 1 < sizeof good; n++) {
        put_bytes(here, "m.json", good, n);
        must_refuse(here, RUG_E_FORMAT, "");
    }
}

/* A list of so many empty objects would take a hundred times the memory of its text. */
static void more_lists_than_are_read(void **state)
{
    scratch *here = *state;
    size_t n = RUG_LBP_MODEL_MAX_NODES + 1;
    char *text = malloc(3 * n + 2);
    assert_non_null(text);
    text[0] = '[';
    for (size_t i = 0; i < n; i++)
        memcpy(text + 1 + 3 * i, "{},", 3);
    memcpy(text + 3 * n, "]", 2);
    scratch_write(here, "m.json", text);
    must_refuse(here, RUG_E_FORMAT, "objects, lists and members");
    /* in texts they are none */
    memset(text, '{', n);
    memcpy(text, "[\"\\\"", 4);
    memcpy(text + n, "\"]", 3);
    scratch_write(here, "m.json", text);
    must_refuse(here, RUG_E_FORMAT, "the document is of type array");
    free(text);
}

/* What is not read is not written. */
static void more_samples_than_are_read(void **state)
{
    scratch *here = *state;
    const uint64_t bins[] = {1, 2};
    rug_lbp_model *model = bit_model(ctx, 1);
    for (size_t i = 0; i < RUG_LBP_MODEL_MAX_NODES / 6; i++)
        add(ctx, model, "a", "", bins);
    const char *path = scratch_path(here, "m.json");
    assert_int_equal(rug_lbp_model_write(ctx, model, path), RUG_E_ARG);
    assert_says(ctx, "fewer");
    assert_int_equal(scratch_count(here), 0);
    rug_lbp_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(there_and_back),
        SCRATCH_TEST(with_a_decimal_comma),
        SCRATCH_TEST(what_is_not_written),
        SCRATCH_TEST(what_is_refused),
        SCRATCH_TEST(more_members_and_less_text),
        SCRATCH_TEST(more_lists_than_are_read),
        SCRATCH_TEST(more_samples_than_are_read),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
