/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reads the values of options that several commands have. */

#include "option_values.h"
#include <stdio.h>
#include <string.h>

/* Digits only, up to 2^63. @return where the number ends, or NULL */
static const char *parse_size(uint64_t *size, const char *text)
{
    *size = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++) {
        unsigned digit = (unsigned)(*at - '0');
        if (*size > (RUG_BOXCOUNT_SIZE_MAX - digit) / 10)
            return NULL;
        *size = *size * 10 + digit;
    }
    return at > text && *size > 0 ? at : NULL;
}

/* "A..B", the first not above the second. @return where it ends, or NULL */
static const char *parse_range(uint64_t *lo, uint64_t *hi, const char *text)
{
    const char *at = parse_size(lo, text);
    if (at == NULL || strncmp(at, "..", 2) != 0)
        return NULL;
    at = parse_size(hi, at + 2);
    return at != NULL && *lo <= *hi ? at : NULL;
}

const char *cli_parse_fit(cli_fit *fit, const char *text)
{
    *fit = (cli_fit){.is_auto = strcmp(text, "auto") == 0};
    if (fit->is_auto)
        return NULL;
    const char *end = parse_range(&fit->size_min, &fit->size_max, text);
    return end != NULL && *end == '\0'
               ? NULL
               : "--fit: 'auto' or two sizes A..B with 1 <= A <= B <= 2^63 expected";
}

static const char too_many_sizes[] = "--sizes: more than 1024 sizes";

/* "A..B" or "A..B:STEP". @return an error text, or NULL; *taken says whether it is one */
static const char *parse_steps(cli_sizes *sizes, const char *text, int *taken)
{
    uint64_t lo, hi, step = 1;
    const char *end = parse_range(&lo, &hi, text);
    if (end != NULL && *end == ':')
        end = parse_size(&step, end + 1);
    *taken = end != NULL && *end == '\0';
    if (!*taken)
        return NULL;
    if ((hi - lo) / step >= RUG_BOXCOUNT_MAX_SIZES)
        return too_many_sizes;
    for (uint64_t i = 0; i <= (hi - lo) / step; i++)
        sizes->size[sizes->n++] = lo + i * step;
    return NULL;
}

const char *cli_parse_sizes(cli_sizes *sizes, const char *text)
{
    int taken;
    const char *problem = parse_steps(sizes, text, &taken), *at = text;
    while (problem == NULL && !taken) {
        uint64_t size;
        at = parse_size(&size, at);
        if (at == NULL || (*at != ',' && *at != '\0') ||
            (sizes->n > 0 && size <= sizes->size[sizes->n - 1]))
            return "--sizes: ascending sizes such as 3,9,27, or A..B or A..B:STEP with "
                   "1 <= A <= B <= 2^63 expected";
        if (sizes->n == RUG_BOXCOUNT_MAX_SIZES)
            return too_many_sizes;
        sizes->size[sizes->n++] = size;
        taken = *at++ == '\0';
    }
    return problem;
}

const char *cli_parse_pixels(uint64_t *resolution, double *spacing,
                             const char *resolution_text, const char *spacing_text)
{
    if (resolution_text != NULL && spacing_text != NULL)
        return "--resolution and --spacing exclude each other";
    if (resolution_text != NULL) {
        const char *end = parse_size(resolution, resolution_text);
        if (end == NULL || *end != '\0')
            return "--resolution: a whole number of pixels from 1 to 2^63 expected";
    }
    if (spacing_text != NULL &&
        (!rug_parse_real(spacing, spacing_text) || !(*spacing > 0)))
        return "--spacing: a number above 0 expected";
    return NULL;
}

void cli_describe_pixels(rug_record *p, uint64_t resolution, double spacing)
{
    if (resolution > 0)
        rug_record_set_integer(p, "resolution", resolution);
    else
        rug_record_set_text(p, "resolution", "default");
    if (spacing > 0)
        rug_record_set_real(p, "spacing", spacing);
    else
        rug_record_set_text(p, "spacing", "default");
}

int cli_parse_real_range(double *lo, double *hi, const char *text)
{
    char low[64];
    const char *dots = strstr(text, "..");
    if (dots == NULL || (size_t)(dots - text) >= sizeof low)
        return 0;
    snprintf(low, sizeof low, "%.*s", (int)(dots - text), text);
    return rug_parse_real(lo, low) && rug_parse_real(hi, dots + 2) && *lo < *hi;
}

void cli_set_choice(rug_record *p, const char *name, const char *choices, int value)
{
    char text[CLI_CHOICE_MAX];
    cli_choice_name(text, choices, value);
    rug_record_set_text(p, name, text);
}

const char *cli_check_masks(const cli_run *run)
{
    if (cli_is_input(run, run->common.output))
        return "--output: the file is an input";
    for (size_t i = 0; run->mask != NULL && i < run->n_inputs; i++)
        if (run->inputs[i].mask != NULL)
            return "--mask and the column 'mask' of the list exclude each other";
    return NULL;
}
