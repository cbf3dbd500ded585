/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What reading finds out, as a state. */

#include "found.h"
#include "core/state/state.h"
#include "tables/part_file.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static rug_status no_memory(rug_context *ctx)
{
    return rug_context_fail(ctx, RUG_E_NOMEM, "no memory for what was read");
}

static rug_status begin(rug_context *ctx, void **state, const cli_image *image,
                        const void *opts)
{
    (void)image;
    cli_found *found = calloc(1, sizeof *found);
    *state = found;
    if (found == NULL)
        return no_memory(ctx);
    if (opts != NULL)
        *found = *(const cli_found *)opts;
    return RUG_OK;
}

static void free_found(void *state)
{
    cli_found *found = state;
    if (found == NULL)
        return;
    cli_free_twin(&found->mask_values);
    cli_free_twin(&found->labels_values);
    free(found);
}

/* ---- Merging ---- */

static void add_file(cli_found_file *file, const cli_found_file *part)
{
    file->n_nodata += part->n_nodata;
    file->n_nan += part->n_nan;
    file->is_unequal |= part->is_unequal;
}

static int is_same_rule(rug_foreground a, rug_foreground b)
{
    return a.kind == b.kind && !(a.value < b.value || a.value > b.value) &&
           a.rest == b.rest;
}

static rug_status merge(rug_context *ctx, void *state, const void *other)
{
    cli_found *found = state;
    const cli_found *part = other;
    char given[RUG_FOREGROUND_TEXT_MAX], expected[RUG_FOREGROUND_TEXT_MAX];
    if (!found->has_rule && part->has_rule)
        found->rule = part->rule;
    else if (part->has_rule && !is_same_rule(found->rule, part->rule)) {
        rug_foreground_format(given, part->rule);
        rug_foreground_format(expected, found->rule);
        return rug_context_fail(ctx, RUG_E_ARG,
                                "parts of it were measured with different rules: "
                                "foreground %s given, %s expected",
                                given, expected);
    }
    found->has_rule |= part->has_rule;
    add_file(&found->image, &part->image);
    add_file(&found->mask, &part->mask);
    add_file(&found->labels, &part->labels);
    cli_twin_add(&found->mask_values, &part->mask_values);
    cli_twin_add(&found->labels_values, &part->labels_values);
    return RUG_OK;
}

/* ---- Bytes ---- */

static int by_value(const void *a, const void *b)
{
    const cli_twin_value *x = a, *y = b;
    int order = (x->value > y->value) - (x->value < y->value);
    return order != 0 ? order : (x->rest > y->rest) - (x->rest < y->rest);
}

static void put_file(rugi_state_writer *w, const cli_found_file *file)
{
    rugi_state_put(w, file->n_nodata);
    rugi_state_put(w, file->n_nan);
    rugi_state_put(w, (uint64_t)file->is_unequal);
}

static void put_value(rugi_state_writer *w, const cli_twin_value *v)
{
    uint64_t bits;
    memcpy(&bits, &v->value, sizeof bits);
    rugi_state_put_bytes(w, bits, 8);
    rugi_state_put_bytes(w, (uint64_t)v->rest, 8);
    rugi_state_put(w, v->n);
}

/* Whether there was no memory for a value. */
static int is_short(const cli_twin *t)
{
    return t->is_more && t->n_distinct < CLI_TWIN_MAX_DISTINCT;
}

/* The values ascend. */
static void put_values(rugi_state_writer *w, const cli_twin *t)
{
    size_t n = 0;
    cli_twin_value *sorted =
        rug_context_allocate(w->ctx, t->n_distinct, sizeof *sorted, "values of a mask");
    if (sorted == NULL || is_short(t)) {
        w->status = w->status == RUG_OK ? no_memory(w->ctx) : w->status;
        rug_context_release(w->ctx, sorted);
        return;
    }
    for (size_t i = 0; i < t->capacity; i++)
        if (t->values[i].n > 0)
            sorted[n++] = t->values[i];
    qsort(sorted, n, sizeof *sorted, by_value);
    rugi_state_put(w, n);
    for (size_t i = 0; i < n; i++)
        put_value(w, &sorted[i]);
    rug_context_release(w->ctx, sorted);
}

static void put_twin(rugi_state_writer *w, const cli_twin *t)
{
    const uint64_t counts[] = {t->n_pixels, t->n_nan,      t->n_inside,         t->n_set,
                               t->n_runs,   t->n_touching, (uint64_t)t->is_more};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        rugi_state_put(w, counts[i]);
    put_values(w, t);
}

static rug_status save(rug_context *ctx, uint8_t **bytes, size_t *n, const void *state)
{
    const cli_found *found = state;
    rugi_state_writer w = rugi_state_begin(ctx, RUGI_STATE_RUN);
    rugi_state_put(&w, CLI_PART_FOUND);
    rugi_state_put(&w, (uint64_t)found->has_rule);
    if (found->has_rule)
        rugi_state_put_rule(&w, found->rule);
    put_file(&w, &found->image);
    put_file(&w, &found->mask);
    put_file(&w, &found->labels);
    put_twin(&w, &found->mask_values);
    put_twin(&w, &found->labels_values);
    *bytes = NULL;
    *n = 0;
    return rugi_state_end(&w, bytes, n);
}

/* No sum of parts goes beyond 64 bits. */
#define COUNT_MAX (UINT64_MAX >> 16)

static void get_rule(rugi_state_reader *r, rug_foreground *rule)
{
    *rule = rugi_state_get_rule(r);
    if (rule->kind == RUG_FOREGROUND_AUTO || rule->kind == RUG_FOREGROUND_OTSU)
        rugi_state_refuse(r, "its rule is not resolved");
}

static void get_file(rugi_state_reader *r, cli_found_file *file)
{
    file->n_nodata = rugi_state_get_below(r, COUNT_MAX, "number of pixels without data");
    file->n_nan = rugi_state_get_below(r, COUNT_MAX, "number of NaN");
    file->is_unequal = (int)rugi_state_get_below(r, 1, "whether channels differ");
}

static void get_value(rugi_state_reader *r, cli_twin_value *v)
{
    uint64_t bits = rugi_state_get_bytes(r, 8);
    memcpy(&v->value, &bits, sizeof v->value);
    bits = rugi_state_get_bytes(r, 8);
    memcpy(&v->rest, &bits, sizeof v->rest);
    v->n = rugi_state_get_below(r, COUNT_MAX, "number of pixels");
    if (isnan(v->value) || v->n == 0)
        rugi_state_refuse(r, "a value is NaN, or no pixel has it");
}

/* Bytes of a value at least. */
#define VALUE_BYTES 17

static void get_values(rugi_state_reader *r, cli_twin *t)
{
    uint64_t most = (uint64_t)(r->end - r->at) / VALUE_BYTES;
    size_t n = (size_t)rugi_state_get_below(r, most, "number of values");
    cli_twin_value before = {.n = 0};
    if (n > CLI_TWIN_MAX_DISTINCT)
        rugi_state_refuse(r, "there are more values than are told apart");
    for (size_t i = 0; i < n && r->status == RUG_OK; i++) {
        cli_twin_value v;
        get_value(r, &v);
        if (i > 0 && by_value(&before, &v) >= 0)
            rugi_state_refuse(r, "values are not sorted");
        before = v;
        if (r->status == RUG_OK)
            cli_twin_add(t, &(cli_twin){.values = &v, .capacity = 1});
    }
}

static void get_twin(rugi_state_reader *r, cli_twin *t)
{
    uint64_t *const counts[] = {&t->n_pixels, &t->n_nan,  &t->n_inside,
                                &t->n_set,    &t->n_runs, &t->n_touching};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        *counts[i] = rugi_state_get_below(r, COUNT_MAX, "number of pixels");
    int is_more = (int)rugi_state_get_below(r, 1, "whether there are more values");
    get_values(r, t);
    if (r->status == RUG_OK && is_short(t))
        r->status = no_memory(r->ctx);
    else if (is_more && t->n_distinct < CLI_TWIN_MAX_DISTINCT)
        rugi_state_refuse(r, "there are more values, but few are listed");
    t->is_more |= is_more;
}

static rug_status load(rug_context *ctx, void **state, const uint8_t *bytes, size_t n)
{
    rug_status status = begin(ctx, state, NULL, NULL);
    if (status != RUG_OK)
        return status;
    cli_found *found = *state;
    rugi_state_reader r = rugi_state_open(ctx, bytes, n, RUGI_STATE_RUN);
    if (rugi_state_get(&r) != CLI_PART_FOUND)
        rugi_state_refuse(&r, "it is not what was found besides");
    found->has_rule = (int)rugi_state_get_below(&r, 1, "whether there is a rule");
    if (found->has_rule)
        get_rule(&r, &found->rule);
    get_file(&r, &found->image);
    get_file(&r, &found->mask);
    get_file(&r, &found->labels);
    get_twin(&r, &found->mask_values);
    get_twin(&r, &found->labels_values);
    status = rugi_state_close(&r);
    if (status != RUG_OK) {
        free_found(found);
        *state = NULL;
    }
    return status;
}

const cli_state_kind cli_found_kind = {.name = "found",
                                       .begin = begin,
                                       .merge = merge,
                                       .save = save,
                                       .load = load,
                                       .free = free_found};
