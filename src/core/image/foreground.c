/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Foreground rules: reading, writing and resolving them. */

#include "core/context/context_internal.h"
#include "core/context/names.h"
#include "core/context/sized.h"
#include "core/context/threads.h"
#include "histogram.h"
#include "number.h"
#include "predicate.h"
#include "source_internal.h"
#include "whole.h"
#include <math.h>
#include <rugose/foreground.h>
#include <stdio.h>
#include <string.h>

static int is_flat(const rug_image_range *range)
{
    return !(range->min < range->max ||
             (range->min <= range->max && range->min_rest < range->max_rest));
}

int rugi_rule_of_range(rug_foreground *out, const rug_image_range *range,
                       rug_foreground asked)
{
    int is_dark = asked.kind == RUG_FOREGROUND_OTSU_DARK;
    int two_valued = range->n_distinct == 2 && !range->distinct_is_min;
    if (is_flat(range)) { /* or no finite value at all */
        *out = (rug_foreground){is_dark ? RUG_FOREGROUND_LABEL : RUG_FOREGROUND_NONZERO,
                                0.0, 0};
        return 1;
    }
    *out =
        (rug_foreground){is_dark ? RUG_FOREGROUND_BELOW : RUG_FOREGROUND_ABOVE, 0.0, 0};
    if (asked.kind != RUG_FOREGROUND_AUTO || !two_valued)
        return 0;
    out->value = range->max;
    out->rest = range->max_rest;
    return 1;
}

static rug_status find_threshold(rug_context *ctx, rugi_exact *out, rugi_histogram *h,
                                 const rug_source *source, const rug_source *mask,
                                 const rug_image_range *range)
{
    rug_status status = rugi_histogram_begin(ctx, h, 0);
    RUGI_PHASE(ctx, 0, 0.7, status, rugi_histogram_count(ctx, h, source, mask));
    if (status != RUG_OK || h->has_parts)
        return status;
    size_t below = rugi_histogram_otsu(h);
    if (h->is_exact)
        *out = rugi_histogram_level(h, below + 1);
    else
        RUGI_PHASE(ctx, 0.7, 1, status,
                   rugi_histogram_upper(ctx, out, h, range, below, source, mask));
    return status;
}

/* @param has_parts  whether floats are known to be no whole numbers; set when they are not */
static rug_status otsu(rug_context *ctx, rug_foreground *rule, const rug_source *source,
                       const rug_source *mask, const rug_image_range *range,
                       int *has_parts)
{
    rugi_exact threshold = {0, 0};
    rugi_histogram h =
        rugi_histogram_plan(rugi_segment_dtype(source->dtype), range, *has_parts);
    rug_status status = find_threshold(ctx, &threshold, &h, source, mask, range);
    *has_parts = h.has_parts;
    rule->value = threshold.value;
    rule->rest = threshold.rest;
    rugi_histogram_free(ctx, &h);
    return status;
}

/* Nanoseconds of work for each pixel, at least. */
#define PIXEL_WORK 0.3

static rug_status resolve(rug_context *ctx, rug_foreground *out, const rug_source *source,
                          const rug_source *mask, const rug_image_range *range,
                          rug_foreground asked)
{
    rug_status status = RUG_OK;
    int has_parts = 0;
    if (rugi_rule_of_range(out, range, asked))
        return rugi_rule_take(ctx, out, *out);
    int most = rugi_threads_enter(ctx, PIXEL_WORK * rugi_source_pixels(source));
    RUGI_PHASE(ctx, 0, source->dtype < RUG_F32 ? 1 : 0.5, status,
               otsu(ctx, out, source, mask, range, &has_parts));
    if (has_parts)
        RUGI_PHASE(ctx, 0.5, 1, status, otsu(ctx, out, source, mask, range, &has_parts));
    rugi_threads_leave(ctx, most);
    return status;
}

/* The source and the mask are checked. */
static rug_status resolve_checked(rug_context *ctx, rug_foreground *out,
                                  const rug_source *source, const rug_source *mask,
                                  const rug_image_range *range, rug_foreground asked)
{
    rug_foreground resolved;
    rug_status status = rugi_rule_take(ctx, &resolved, asked);
    if (status == RUG_OK && rugi_rule_is_open(asked)) {
        rug_image_range own;
        if (range == NULL)
            RUGI_PHASE(ctx, 0, 0.5, status, rugi_source_range(ctx, &own, source, mask));
        RUGI_PHASE(
            ctx, range == NULL ? 0.5 : 0, 1, status,
            resolve(ctx, &resolved, source, mask, range == NULL ? &own : range, asked));
    }
    if (status == RUG_OK)
        *out = resolved;
    return status;
}

rug_status rug_source_resolve_foreground(rug_context *ctx, rug_foreground *out,
                                         const rug_source *source, const rug_source *mask,
                                         const rug_image_range *range,
                                         rug_foreground asked)
{
    if (out != NULL)
        *out = (rug_foreground)RUG_FOREGROUND_INIT;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "foreground: NULL given");
    rug_source own, inside;
    rug_image_range known = RUG_IMAGE_RANGE_INIT;
    rug_status status = rugi_source_take(ctx, &own, source, "source");
    if (status == RUG_OK)
        status = rugi_twin_source_take(ctx, &inside, &mask, mask, "mask", &own);
    if (status == RUG_OK)
        status = RUGI_TAKE(ctx, &known, range, "rug_image_range");
    return status == RUG_OK ? resolve_checked(ctx, out, &own, mask,
                                              range != NULL ? &known : NULL, asked)
                            : status;
}

rug_status rugi_image_resolve_foreground(rug_context *ctx, rug_foreground *out,
                                         const rug_image *image, const rug_image *mask,
                                         rug_foreground asked)
{
    rug_source source = rugi_source_of_image(image), inside;
    if (mask != NULL)
        inside = rugi_source_of_image(mask);
    return resolve_checked(ctx, out, &source, mask != NULL ? &inside : NULL, NULL, asked);
}

rug_status rug_foreground_resolve(rug_context *ctx, rug_foreground *out,
                                  const rug_image *image, const rug_image_range *range,
                                  rug_foreground asked)
{
    if (out != NULL)
        *out = (rug_foreground)RUG_FOREGROUND_INIT;
    rug_status status = rugi_image_check(ctx, image);
    if (status != RUG_OK)
        return status;
    rug_source source = rugi_source_of_image(image);
    return rug_source_resolve_foreground(ctx, out, &source, NULL, range, asked);
}

static const char *const kind_names[] = {"auto",  "nonzero", "otsu",     "above",
                                         "below", "label",   "otsu-dark"};

const char *rug_foreground_kind_name(rug_foreground_kind kind)
{
    return RUGI_NAME(kind_names, kind);
}

/* Digits alone that make a whole number of 64 bits, signed or unsigned. */
static int parse_whole(rugi_whole *out, const char *text)
{
    int is_negative = text[0] == '-';
    const char *at = text + (is_negative || text[0] == '+');
    uint64_t most = is_negative ? (uint64_t)1 << 63 : UINT64_MAX, size = 0;
    if (*at == '\0')
        return 0;
    for (; *at >= '0' && *at <= '9'; at++) {
        unsigned digit = (unsigned)(*at - '0');
        if (size > (most - digit) / 10)
            return 0;
        size = 10 * size + digit;
    }
    *out = (rugi_whole){is_negative && size > 0, is_negative ? 0 - size : size};
    return *at == '\0';
}

/* T of a rule: a number, or "inf" and "-inf" as they are written by
 * rug_foreground_format(). */
static int parse_value(double *value, int64_t *rest, const char *text)
{
    rugi_whole whole;
    *rest = 0;
    if (parse_whole(&whole, text)) {
        *value = rugi_whole_split(whole, rest);
        return 1;
    }
    if (strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0) {
        *value = text[0] == '-' ? -INFINITY : INFINITY;
        return 1;
    }
    return rugi_parse_real(value, text);
}

rug_status rug_foreground_parse(rug_context *ctx, rug_foreground *out, const char *text)
{
    if (out != NULL)
        *out = (rug_foreground)RUG_FOREGROUND_INIT;
    if (out == NULL || text == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "foreground: NULL given");
    for (int k = RUG_FOREGROUND_AUTO; k <= RUG_FOREGROUND_OTSU_DARK; k++) {
        size_t n = strlen(kind_names[k]);
        if (strncmp(text, kind_names[k], n) != 0)
            continue;
        rug_foreground_kind kind = (rug_foreground_kind)k;
        if (!rugi_kind_has_value(kind) && text[n] == '\0') {
            out->kind = kind;
            return RUG_OK;
        }
        double value;
        int64_t rest;
        if (rugi_kind_has_value(kind) && text[n] == '=' &&
            parse_value(&value, &rest, text + n + 1)) {
            *out = (rug_foreground){kind, value, rest};
            return RUG_OK;
        }
    }
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "foreground '%s' given; auto, nonzero, otsu, otsu-dark, above=T, below=T or "
        "label=L expected, with a number for T or L",
        text);
}

void rug_foreground_format(char text[RUG_FOREGROUND_TEXT_MAX], rug_foreground rule)
{
    const char *name = rug_foreground_kind_name(rule.kind);
    if (!rugi_kind_has_value(rule.kind)) {
        snprintf(text, RUG_FOREGROUND_TEXT_MAX, "%s", name);
        return;
    }
    char number[RUGI_REAL_TEXT_MAX];
    rugi_format_exact(number, rule.value, rule.rest);
    snprintf(text, RUG_FOREGROUND_TEXT_MAX, "%s=%s", name, number);
}
