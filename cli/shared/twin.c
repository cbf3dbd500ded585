/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reading of twins: turned to lie as their image does, their values counted, and masks whose inside is a
 * rule. */

#include "twin.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values that a text names. */
#define SHOWN 5

/* Places for values at first; a power of two. */
#define FIRST_CAPACITY ((size_t)64)

/* ---- Values ---- */

/* 2^64 does not fit, but the sum of both parts is right modulo 2^64. */
static cli_twin_value of_unsigned(uint64_t v)
{
    double value = (double)v;
    uint64_t near = value < 0x1p64 ? (uint64_t)value : 0;
    return (cli_twin_value){value, (int64_t)(v - near), 0};
}

static cli_twin_value of_signed(int64_t v)
{
    cli_twin_value a = of_unsigned(v < 0 ? -(uint64_t)v : (uint64_t)v);
    return v < 0 ? (cli_twin_value){-a.value, -a.rest, 0} : a;
}

static cli_twin_value of_real(double v)
{
    return (cli_twin_value){v + 0.0, 0, 0}; /* -0 becomes 0 */
}

#define VALUE_OF(kind, type) return of_##kind(((const type *)row)[i])

static cli_twin_value value_at(const void *row, size_t i, rug_dtype dtype)
{
    switch (dtype) {
    case RUG_I8: VALUE_OF(signed, int8_t);
    case RUG_U16: VALUE_OF(unsigned, uint16_t);
    case RUG_I16: VALUE_OF(signed, int16_t);
    case RUG_U32: VALUE_OF(unsigned, uint32_t);
    case RUG_I32: VALUE_OF(signed, int32_t);
    case RUG_U64: VALUE_OF(unsigned, uint64_t);
    case RUG_I64: VALUE_OF(signed, int64_t);
    case RUG_F32: VALUE_OF(real, float);
    case RUG_F64: VALUE_OF(real, double);
    default: VALUE_OF(unsigned, uint8_t);
    }
}

static int compare(double a, int64_t a_rest, double b, int64_t b_rest)
{
    if (a < b || a > b)
        return a < b ? -1 : 1;
    return (a_rest > b_rest) - (a_rest < b_rest);
}

static int is_zero(const cli_twin_value *v)
{
    return compare(v->value, v->rest, 0, 0) == 0;
}

/* @param v  not NaN */
static int is_inside(const cli_inside *inside, const cli_twin_value *v)
{
    if (inside->kind == CLI_INSIDE_NONZERO)
        return !is_zero(v);
    for (size_t i = 0; i < inside->n; i++) {
        const rug_foreground *bound = &inside->values[i];
        int order = compare(v->value, v->rest, bound->value, bound->rest);
        if (inside->kind == CLI_INSIDE_VALUES
                ? order == 0
                : (order < 0) == (inside->kind == CLI_INSIDE_BELOW))
            return 1;
    }
    return 0;
}

/* ---- Counting ---- */

/* Where a value is, or the free place where it belongs. */
static cli_twin_value *find(cli_twin_value *values, size_t capacity,
                            const cli_twin_value *v)
{
    uint64_t bits;
    memcpy(&bits, &v->value, sizeof bits);
    bits = (bits + (uint64_t)v->rest) * UINT64_C(0x9e3779b97f4a7c15);
    size_t i = (size_t)(bits >> 32) & (capacity - 1);
    while (values[i].n > 0 &&
           compare(values[i].value, values[i].rest, v->value, v->rest) != 0)
        i = (i + 1) & (capacity - 1);
    return &values[i];
}

/* Doubles the places, half of which stay free. @return 0: there is no memory */
static int grow(cli_twin *t)
{
    size_t capacity = t->capacity > 0 ? 2 * t->capacity : FIRST_CAPACITY;
    cli_twin_value *values = calloc(capacity, sizeof *values);
    if (values == NULL)
        return 0;
    for (size_t i = 0; i < t->capacity; i++)
        if (t->values[i].n > 0)
            *find(values, capacity, &t->values[i]) = t->values[i];
    free(t->values);
    t->values = values;
    t->capacity = capacity;
    return 1;
}

static void count_value(cli_twin *t, const cli_twin_value *v, size_t n)
{
    cli_twin_value *place = t->capacity > 0 ? find(t->values, t->capacity, v) : NULL;
    if (place == NULL || place->n == 0) {
        t->is_more |= t->n_distinct == CLI_TWIN_MAX_DISTINCT;
        if (!t->is_more && 2 * t->n_distinct >= t->capacity)
            t->is_more |= !grow(t);
        if (t->is_more)
            return;
        place = find(t->values, t->capacity, v);
        *place = *v;
        t->n_distinct++;
        t->has_fractions |= isfinite(v->value) && floor(v->value) < v->value;
    }
    place->n += n;
}

/* Takes a run of n equal pixels. @return whether they are inside */
static int take_run(cli_twin *t, const cli_twin_value *v, size_t n)
{
    int is_nan = isnan(v->value);
    int inside = !is_nan && t->inside != NULL && is_inside(t->inside, v);
    if (t->is_known)
        return inside;
    t->n_pixels += n;
    t->n_nan += is_nan ? n : 0;
    t->n_inside += inside ? n : 0;
    int is_set = !is_nan && !is_zero(v);
    t->n_set += is_set ? n : 0;
    t->n_runs += is_set ? 1 : 0;
    t->n_touching += is_set && t->is_behind_run ? 1 : 0;
    t->is_behind_run = is_set;
    if (is_nan)
        return 0;
    count_value(t, v, n);
    return inside;
}

#define END_OF_RUN(type)                              \
    do {                                              \
        const type *p = row;                          \
        for (end = i + 1; end < n && p[end] == p[i];) \
            end++;                                    \
    } while (0)

static size_t end_of_run(const void *row, size_t i, size_t n, size_t n_bytes)
{
    size_t end;
    switch (n_bytes) {
    case 1: END_OF_RUN(uint8_t); break;
    case 2: END_OF_RUN(uint16_t); break;
    case 4: END_OF_RUN(uint32_t); break;
    default: END_OF_RUN(uint64_t); break;
    }
    return end;
}

/* @param flags  NULL: not asked for */
static void take_row(cli_twin *t, const void *row, size_t n, rug_dtype dtype,
                     uint8_t *flags)
{
    size_t n_bytes = dtype == RUG_BIT ? 1 : rug_dtype_size(dtype);
    t->is_behind_run = 0;
    for (size_t i = 0, end; i < n; i = end) {
        cli_twin_value v = value_at(row, i, dtype);
        end = end_of_run(row, i, n, n_bytes);
        int inside = take_run(t, &v, end - i);
        if (flags != NULL)
            memset(flags + i, inside, end - i);
    }
}

/* A row in order, a byte or more for each pixel. */
static const void *row_in_order(cli_twin *t, const rug_image *slab, size_t z, size_t y)
{
    int last = slab->ndim - 1;
    size_t n = slab->shape[last], n_bytes = rug_dtype_size(slab->dtype);
    const unsigned char *row =
        (const unsigned char *)slab->data + (ptrdiff_t)y * slab->stride[last - 1];
    if (last == 2)
        row += (ptrdiff_t)z * slab->stride[0];
    if (slab->dtype == RUG_BIT) {
        for (size_t x = 0; x < n; x++)
            t->row[x] = row[x / 8] >> (x % 8) & 1;
        return t->row;
    }
    if (slab->stride[last] == (ptrdiff_t)n_bytes)
        return row;
    for (size_t x = 0; x < n; x++)
        memcpy(t->row + x * n_bytes, row + (ptrdiff_t)x * slab->stride[last], n_bytes);
    return t->row;
}

/* ---- What was counted ---- */

static int by_value(const void *a, const void *b)
{
    const cli_twin_value *x = a, *y = b;
    return compare(x->value, x->rest, y->value, y->rest);
}

/* The least values come first; the places are not searched again. */
static void name_values(cli_twin *t)
{
    rug_dtype values = t->facts->values;
    int is_real = values == RUG_F32 || values == RUG_F64;
    size_t n = 0, shown = t->n_distinct <= SHOWN ? t->n_distinct : SHOWN;
    for (size_t i = 0; i < t->capacity; i++)
        if (t->values[i].n > 0)
            t->values[n++] = t->values[i];
    if (n > 0)
        qsort(t->values, n, sizeof *t->values, by_value);
    int at = snprintf(t->text, sizeof t->text, "%s%zu value%s",
                      t->is_more ? "more than " : "", n, n == 1 ? "" : "s");
    for (size_t i = 0; i < shown; i++) {
        char number[RUGI_REAL_TEXT_MAX];
        if (is_real)
            rugi_format_real_short(number, t->values[i].value);
        else
            rugi_format_exact(number, t->values[i].value, t->values[i].rest);
        at += snprintf(t->text + at, sizeof t->text - (size_t)at, " %s", number);
    }
    if (shown < n)
        snprintf(t->text + at, sizeof t->text - (size_t)at, " ...");
}

void cli_twin_add(cli_twin *t, const cli_twin *part)
{
    t->n_pixels += part->n_pixels;
    t->n_nan += part->n_nan;
    t->n_inside += part->n_inside;
    t->n_set += part->n_set;
    t->n_runs += part->n_runs;
    t->n_touching += part->n_touching;
    for (size_t i = 0; i < part->capacity; i++) {
        const cli_twin_value *v = &part->values[i];
        if (v->n > 0)
            count_value(t, &(cli_twin_value){v->value, v->rest, 0}, (size_t)v->n);
    }
    t->is_more |= part->is_more;
}

static void end_count(cli_twin *t)
{
    t->is_known = 1;
    for (size_t i = 0; i < t->capacity; i++)
        t->n_small += t->values[i].n > 0 && t->values[i].n < CLI_SMALL_LABEL &&
                      !is_zero(&t->values[i]);
    name_values(t);
    free(t->values);
    t->values = NULL;
    t->capacity = 0;
}

static void begin_count(cli_twin *t)
{
    free(t->values);
    t->values = NULL;
    t->capacity = t->n_distinct = t->n_layers = 0;
    t->n_pixels = t->n_nan = t->n_inside = t->n_set = t->n_runs = t->n_touching = 0;
    t->is_more = t->has_fractions = 0;
}

void cli_twin_set(cli_twin *t, const cli_twin *all)
{
    begin_count(t);
    cli_twin_add(t, all);
    end_count(t);
}

/* ---- Reading ---- */

static int has_rule(const cli_twin *t)
{
    return t->inside != NULL && t->inside->kind != CLI_INSIDE_NONZERO;
}

/* Room for a row, and for the flags of a slab where they are asked for. */
static rug_status make_room(rug_context *ctx, cli_twin *t, const rug_image *slab)
{
    size_t n_row = slab->shape[slab->ndim - 1], n_rows = 1;
    for (int a = 0; a < slab->ndim - 1; a++)
        n_rows *= slab->shape[a];
    if (t->row == NULL)
        t->row = malloc(n_row * sizeof(uint64_t));
    if (has_rule(t)) {
        free(t->flags);
        t->flags = malloc(n_row * n_rows);
    }
    return t->row != NULL && (t->flags != NULL || !has_rule(t))
               ? RUG_OK
               : rug_context_fail(ctx, RUG_E_NOMEM, "no memory for the rows of a mask");
}

/* Layers count as long as they come one after the other, from the first on. */
static rug_status take_slab(rug_context *ctx, cli_twin *t, rug_image *slab, size_t first,
                            size_t n)
{
    rug_status status = make_room(ctx, t, slab);
    if (status != RUG_OK)
        return status;
    int last = slab->ndim - 1;
    size_t nz = last == 2 ? slab->shape[0] : 1, ny = slab->shape[last - 1];
    size_t nx = slab->shape[last], shape[RUG_MAX_AXES];
    memcpy(shape, slab->shape, sizeof shape);
    uint8_t *flags = has_rule(t) ? t->flags : NULL;
    if (first == 0 && !t->is_known && !t->is_part)
        begin_count(t);
    int counts = t->is_part ? t->is_own : !t->is_known && first == t->n_layers;
    if (!counts && flags == NULL)
        return RUG_OK;
    cli_twin other = {.inside = t->inside, .is_known = 1};
    for (size_t z = 0; z < nz; z++)
        for (size_t y = 0; y < ny; y++)
            take_row(counts ? t : &other, row_in_order(t, slab, z, y), nx, slab->dtype,
                     flags != NULL ? flags + (z * ny + y) * nx : NULL);
    t->n_layers += counts ? n : 0;
    if (counts && !t->is_part && t->n_layers == t->given.shape[0])
        end_count(t);
    return flags == NULL ? RUG_OK
                         : rug_image_view(ctx, slab, flags, RUG_U8, slab->ndim, shape);
}

static rug_status read_slab(rug_context *ctx, void *user, rug_image *out, size_t first,
                            size_t n)
{
    cli_twin *t = user;
    rug_status status = t->given.read(ctx, t->given.user, out, first, n);
    if (status != RUG_OK || (t->is_known && !has_rule(t)))
        return status;
    return take_slab(ctx, t, out, first, n);
}

/* Reads a twin that is in memory once. What is inside is in memory, too. */
static rug_status read_all(rug_context *ctx, cli_twin *t)
{
    rug_status status = read_slab(ctx, t, &t->view, 0, t->given.shape[0]);
    if (status != RUG_OK)
        return status;
    rug_source all = RUG_SOURCE_INIT;
    t->source = has_rule(t) ? *rug_source_of_image(&all, &t->view) : t->given;
    return RUG_OK;
}

/* In a label image what holds no data is no label, and its labels stay integers. */
static rug_status open_page(cli_run *run, rug_file **out, const cli_twin *t,
                            const char *path, int page)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.page = page;
    opts.volume = run->reading.volume ? 1 : run->is_flat ? 0 : 2;
    opts.level = run->reading.level;
    opts.matrix = run->reading.matrix;
    if (t->inside == NULL)
        opts.nodata_as = RUG_NODATA_AS_ZERO;
    opts.channel = RUG_CHANNEL_INDICES;
    return cli_open_file(run, out, path, &opts);
}

/* What a turn makes of the stored pixels, all of them or some layers. */
static rug_image turn_view(const cli_turn *turn, const rug_image *stored)
{
    rug_image view = *stored;
    const char *first = stored->data;
    view.ndim = turn->ndim;
    for (int a = 0; a < turn->ndim; a++) {
        int k = turn->axis[a];
        view.shape[a] = k >= 0 ? stored->shape[k] : 1;
        view.stride[a] = k >= 0 ? stored->stride[k] : 0;
        view.spacing[a] = k >= 0 ? stored->spacing[k] : 0;
        if (!turn->is_reversed[a])
            continue;
        first += (ptrdiff_t)(view.shape[a] - 1) * view.stride[a];
        view.stride[a] = -view.stride[a];
    }
    view.data = first;
    return view;
}

static rug_status read_turned(rug_context *ctx, void *user, rug_image *out, size_t first,
                              size_t n)
{
    const cli_twin *t = user;
    rug_status status = t->stored.read(ctx, t->stored.user, out, first, n);
    if (status == RUG_OK)
        *out = turn_view(&t->turn, out);
    return status;
}

/* Sets what the file gives. */
static void set_given(cli_twin *t)
{
    const rug_image *image = rug_file_image(t->file);
    rug_source all = RUG_SOURCE_INIT;
    t->given = *rug_file_source(t->file);
    if (!t->turn.is_needed)
        return;
    if (image->data != NULL) {
        t->turned = turn_view(&t->turn, image);
        t->given = *rug_source_of_image(&all, &t->turned);
        return;
    }
    t->stored = t->given;
    t->given.read = read_turned;
    t->given.user = t;
    for (int a = 0; a < t->turn.ndim; a++) {
        int k = t->turn.axis[a];
        t->given.shape[a] = k >= 0 ? t->stored.shape[k] : 1;
        t->given.spacing[a] = k >= 0 ? t->stored.spacing[k] : 0;
    }
}

/* Whether a twin is read at once. @param asked  as of cli_open_twin() */
static int is_in_memory(const cli_run *run, const cli_twin *t, int asked)
{
    if (run->parts != NULL)
        return 0;
    return asked < 0 ? rug_file_bytes(t->file) <= CLI_MEMORY_BYTES ||
                           rug_file_get_facts(t->file)->n_channels > 1
                     : asked;
}

/* Whether all of it is needed before slabs of it: where layers change their order, and to know that
 * the channels of labels are equal. */
static int needs_all(const cli_run *run, const cli_twin *t)
{
    return (t->turn.is_needed && !t->turn.keeps_layers) ||
           (run->parts != NULL && t->inside == NULL &&
            rug_file_get_facts(t->file)->n_channels > 1);
}

rug_status cli_open_twin(cli_run *run, cli_twin *t, const char *path,
                         const rug_file *image, int page, int in_memory)
{
    t->path = path;
    rug_status status = open_page(run, &t->file, t, path, -1);
    if (status == RUG_OK && page >= 0 && rug_file_get_facts(t->file)->n_pages > 1) {
        rug_file_free(t->file);
        status = open_page(run, &t->file, t, path, page);
    }
    if (status == RUG_OK)
        status = cli_find_turn(run, &t->turn, image, t->file,
                               t->inside != NULL ? "mask" : "label image");
    if (status == RUG_OK)
        in_memory = is_in_memory(run, t, in_memory);
    if (status == RUG_OK && (in_memory || needs_all(run, t)))
        status = rug_file_load(run->ctx, t->file);
    if (status != RUG_OK)
        return status;
    t->facts = rug_file_get_facts(t->file);
    t->is_part = run->parts != NULL;
    set_given(t);
    t->source = t->given;
    t->source.read = read_slab;
    t->source.user = t;
    t->source.dtype = has_rule(t) ? RUG_U8 : t->given.dtype;
    return in_memory ? read_all(run->ctx, t) : RUG_OK;
}

void cli_free_twin(cli_twin *t)
{
    rug_file_free(t->file);
    free(t->values);
    free(t->flags);
    free(t->row);
    *t = (cli_twin){.file = NULL};
}

/* ---- Lines on stderr ---- */

static void print_mask(cli_run *run, const cli_twin *t)
{
    char extra[sizeof t->text + CLI_TURN_MAX + 64] = "";
    double share = t->n_pixels > 0 ? (double)t->n_inside / (double)t->n_pixels : 0;
    int n = 0, is_turned = t->turn.text[0] != '\0';
    if (t->is_known)
        n = snprintf(extra, sizeof extra, "inside %.1f %%, %s%s", share * 100, t->text,
                     is_turned ? ", " : "");
    snprintf(extra + n, sizeof extra - (size_t)n, "%s", t->turn.text);
    char *line = cli_file_read_line(t->file, t->facts, cli_as_listed(run, t->path), NULL,
                                    extra[0] != '\0' ? extra : NULL);
    if (line != NULL) /* "read PATH: ..." becomes "mask PATH: ..." */
        memcpy(line, "mask", 4);
    cli_print_line(run, line);
}

void cli_tell_twin(cli_run *run, const cli_twin *t)
{
    const rug_file_facts *facts = t->facts;
    const char *turn = t->turn.text[0] != '\0' ? t->turn.text : NULL;
    if (!run->common.quiet && t->inside != NULL)
        print_mask(run, t);
    else if (!run->common.quiet)
        cli_print_line(run, cli_file_read_line(t->file, t->facts,
                                               cli_as_listed(run, t->path), NULL, turn));
    if (facts->lossy != NULL && !has_rule(t))
        cli_warn(run,
                 "the %s %s is a %s file, whose values are not exact: save it as PNG%s",
                 t->inside != NULL ? "mask" : "label image", cli_as_listed(run, t->path),
                 facts->lossy, t->inside != NULL ? ", or give --mask-above T" : "");
}
