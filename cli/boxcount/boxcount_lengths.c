/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* `--box-unit`: sizes of boxes as lengths. The spacing of pixels is known from the file as rounded
 * numbers, such as 0.3 of single precision; the library counts in whole numbers. So the smallest
 * side of a pixel is divided into parts, the fewest of which all sides and sizes are multiples. */

#include "cmd_boxcount.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Lengths are equal within this share of them: what single precision and the numbers of TIFF hold. */
#define PRECISION 1e-6

/* Sizes and sides, as multiples of the smallest side. */
#define RATIO_MAX 1e12

/* ---- What is asked for ---- */

static int is_pixels(const char *unit)
{
    return unit == NULL || strcmp(unit, "pixel") == 0;
}

/* A number above 0, up to a comma, a colon or two points. @return where it ends, or NULL */
static const char *parse_length(double *length, const char *text)
{
    char word[64];
    size_t n = strcspn(text, ",:");
    const char *dots = strstr(text, "..");
    if (dots != NULL && (size_t)(dots - text) < n)
        n = (size_t)(dots - text);
    if (n >= sizeof word)
        return NULL;
    memcpy(word, text, n);
    word[n] = '\0';
    return rugi_parse_real(length, word) && *length > 0 ? text + n : NULL;
}

/* "A..B". @return where it ends, or NULL */
static const char *parse_ends(double *lo, double *hi, const char *text)
{
    const char *at = parse_length(lo, text);
    if (at == NULL || strncmp(at, "..", 2) != 0)
        return NULL;
    at = parse_length(hi, at + 2);
    return at != NULL && *lo <= *hi ? at : NULL;
}

/* Puts a length in its place; one that could be as many parts as another is the same.
 *  @return 0: there are too many */
static int add_length(cli_boxcount_asked *asked, double length)
{
    uint32_t at = asked->n;
    while (at > 0 && asked->length[at - 1] > length * (1 + 3 * PRECISION))
        at--;
    if (at > 0 && asked->length[at - 1] > length * (1 - 3 * PRECISION))
        return 1;
    if (asked->n == RUG_BOXCOUNT_MAX_SIZES)
        return 0;
    memmove(&asked->length[at + 1], &asked->length[at],
            (asked->n - at) * sizeof asked->length[0]);
    asked->length[at] = length;
    asked->n++;
    return 1;
}

/* "A..B" or "A..B:STEP". @return -1: it is neither; 0: too many; 1 */
static int parse_steps(cli_boxcount_asked *asked, const char *text)
{
    double lo, hi, step = 1;
    const char *end = parse_ends(&lo, &hi, text);
    if (end != NULL && *end == ':')
        end = parse_length(&step, end + 1);
    if (end == NULL || *end != '\0')
        return -1;
    double n = floor((hi - lo) / step * (1 + PRECISION)) + 1;
    if (!(n <= RUG_BOXCOUNT_MAX_SIZES))
        return 0;
    for (double i = 0; i < n; i++)
        add_length(asked, lo + i * step);
    return 1;
}

static int parse_lengths(cli_boxcount_asked *asked, const char *text)
{
    int are_steps = parse_steps(asked, text);
    if (are_steps >= 0)
        return are_steps;
    for (const char *at = text;; at++) {
        double length;
        at = parse_length(&length, at);
        if (at == NULL || (*at != ',' && *at != '\0') || !add_length(asked, length))
            return 0;
        if (*at == '\0')
            return 1;
    }
}

static const char *refuse(cli_run *run, const char *option, const char *given,
                          const char *expected)
{
    rug_context_fail(run->ctx, RUG_E_ARG, "--%s: '%s' given, %s", option, given,
                     expected);
    return rug_context_error(run->ctx);
}

const char *cli_boxcount_check_lengths(cli_run *run, cli_boxcount_job *job)
{
    const cli_sizes *sizes = &job->values.sizes;
    const cli_range *fit = &job->values.fit;
    cli_boxcount_asked *asked = &job->asked;
    const char *end = "";
    job->has_lengths = !is_pixels(job->values.box_unit);
    if (!job->has_lengths) {
        if (sizes->has_fractions || fit->has_fractions)
            return refuse(
                run, sizes->has_fractions ? "sizes" : "fit",
                sizes->has_fractions ? sizes->text : fit->text,
                "whole numbers of pixels expected; fractions go with --box-unit");
        return NULL;
    }
    if (job->values.box_unit[0] == '\0')
        return refuse(run, "box-unit", "", "a unit such as um, or 'file' expected");
    if (sizes->text != NULL && !parse_lengths(asked, sizes->text))
        return refuse(run, "sizes", sizes->text,
                      "up to 1024 lengths above 0 such as 0.5,1,2, or A..B or A..B:STEP "
                      "with A <= B expected");
    if (fit->text != NULL && !fit->is_auto)
        end = parse_ends(&asked->fit_min, &asked->fit_max, fit->text);
    return end != NULL && *end == '\0'
               ? NULL
               : refuse(run, "fit", fit->text,
                        "'auto' or two lengths A..B with 0 < A <= B expected");
}

/* ---- Units ---- */

/* The power of ten of a metre; 1: not known, not a metric unit. */
static int power_of(const char *unit)
{
    static const struct {
        const char *name;
        int power;
    } units[] = {{"pm", -12},       {"angstrom", -10}, {"\xc3\x85", -10}, {"nm", -9},
                 {"um", -6},        {"micron", -6},    {"microns", -6},   {"mm", -3},
                 {"\xc2\xb5m", -6}, {"\xce\xbcm", -6}, {"cm", -2},        {"dm", -1},
                 {"m", 0},          {"km", 3}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(unit, units[i].name) == 0)
            return units[i].power;
    return 1;
}

/* A factor as a power of ten, by which lengths of the image are turned into the unit.
 *  @return RUG_OK, RUG_E_ARG */
static rug_status find_power(cli_run *run, int *power, const char *unit,
                             const char *of_file)
{
    *power = 0;
    if (strcmp(unit, "file") == 0 || (of_file != NULL && strcmp(unit, of_file) == 0))
        return RUG_OK;
    if (of_file == NULL)
        return rug_context_fail(
            run->ctx, RUG_E_ARG,
            "boxes in %s are asked for, but the file says the spacing of its pixels "
            "without a unit; --box-unit file takes it as it is",
            unit);
    int to = power_of(unit), from = power_of(of_file);
    if (to == 1 || from == 1)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "boxes in '%s' are asked for, but the file says the "
                                "spacing of its pixels in '%s'; use --box-unit file, or "
                                "a metric unit where the file has one",
                                unit, of_file);
    *power = from - to;
    return RUG_OK;
}

/* The shortest decimal that reads back to a number of single precision. */
static double undo_single(double value)
{
    char text[32];
    double shorter;
    if ((double)(float)value < value || (double)(float)value > value)
        return value;
    for (int digits = 6; digits < 9; digits++) {
        snprintf(text, sizeof text, "%.*e", digits - 1, value);
        shorter = strtod(text, NULL);
        if (!((float)shorter < (float)value || (float)shorter > (float)value))
            return shorter;
    }
    return value;
}

/* The sides of pixels, in the unit. */
static rug_status find_sides(cli_run *run, double *side, const char *unit,
                             const rug_image *image)
{
    int power;
    for (int a = 0; a < image->ndim; a++)
        if (!(image->spacing[a] > 0))
            return rug_context_fail(
                run->ctx, RUG_E_ARG,
                "boxes in a unit of length are asked for, but the file does not say the "
                "spacing of its pixels on axis %c; leave out --box-unit, or write it into "
                "the file (as NIfTI, ImageJ's TIFF and OME-TIFF hold it)",
                "zyx"[3 - image->ndim + a]);
    rug_status status = find_power(run, &power, unit, image->spacing_unit);
    for (int a = 0; a < image->ndim && status == RUG_OK; a++) {
        side[a] = undo_single(image->spacing[a]);
        side[a] = power < 0 ? side[a] / pow(10, -power) : side[a] * pow(10, power);
    }
    return status;
}

/* ---- Parts ---- */

static int is_multiple(double ratio, double n_parts)
{
    double n = ratio * n_parts;
    return fabs(n - round(n)) <= PRECISION * n;
}

static int are_multiples(const double *ratio, size_t n, double n_parts)
{
    size_t i = 0;
    while (i < n && is_multiple(ratio[i], n_parts))
        i++;
    return i == n;
}

/* The least number of parts; at a half of 1 / PRECISION any ratio is a multiple of one. */
static double find_parts(const double *ratio, size_t n)
{
    double n_parts = 1;
    while (!are_multiples(ratio, n, n_parts))
        n_parts++;
    return n_parts;
}

static rug_status check_sizes(cli_run *run, const cli_boxcount_asked *asked,
                              double smallest, double largest)
{
    char given[RUGI_REAL_TEXT_MAX], expected[RUGI_REAL_TEXT_MAX];
    double hi = asked->n > 0 ? asked->length[asked->n - 1] : largest;
    if (hi > RATIO_MAX * smallest || largest > RATIO_MAX * smallest) {
        rugi_format_real_short(given, fmax(hi, largest));
        rugi_format_real_short(expected, smallest);
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "a length of %s is given, beside pixels of side %s; at "
                                "most 10^12 times as long expected",
                                given, expected);
    }
    if (asked->n == 0 || asked->length[0] > largest * (1 - PRECISION))
        return RUG_OK;
    rugi_format_real_short(given, asked->length[0]);
    rugi_format_real_short(expected, largest);
    return rug_context_fail(
        run->ctx, RUG_E_ARG,
        "box size %s given, at least %s expected, the largest side of "
        "a pixel in this unit: smaller boxes would lie between pixels "
        "and hold none",
        given, expected);
}

/* A length in parts. */
static uint64_t parts_of(const cli_boxcount_lengths *l, double length)
{
    return (uint64_t)round(length * l->parts);
}

static void divide(cli_boxcount_lengths *l, const double *side, int ndim)
{
    const cli_boxcount_asked *asked = l->asked;
    double ratio[RUG_MAX_AXES + RUG_BOXCOUNT_MAX_SIZES], smallest = side[0];
    size_t n = 0;
    for (int a = 1; a < ndim; a++)
        smallest = fmin(smallest, side[a]);
    for (int a = 0; a < ndim; a++)
        ratio[n++] = side[a] / smallest;
    for (uint32_t i = 0; i < asked->n; i++)
        ratio[n++] = asked->length[i] / smallest;
    l->parts = find_parts(ratio, n) / smallest;
    for (int a = 0; a < ndim; a++) {
        l->pixel_size[a] = parts_of(l, side[a]);
        l->largest = l->pixel_size[a] > l->largest ? l->pixel_size[a] : l->largest;
    }
    for (uint32_t i = 0; i < asked->n; i++) {
        uint64_t size = parts_of(l, asked->length[i]);
        l->size[i] = size > l->largest ? size : l->largest;
    }
    if (asked->fit_max > 0) {
        double longest = RATIO_MAX * smallest;
        l->fit_min =
            (uint64_t)ceil(fmin(asked->fit_min, longest) * l->parts * (1 - PRECISION));
        l->fit_max =
            (uint64_t)floor(fmin(asked->fit_max, longest) * l->parts * (1 + PRECISION));
        l->fit_max += l->fit_max == 0; /* which would be no range */
    }
}

rug_status cli_boxcount_find_lengths(cli_run *run, cli_boxcount_lengths *out,
                                     const cli_boxcount_job *job, const rug_image *image)
{
    const char *unit = job->values.box_unit;
    double side[RUG_MAX_AXES], smallest = INFINITY;
    *out = (cli_boxcount_lengths){.asked = &job->asked,
                                  .unit = strcmp(unit, "file") == 0 ? image->spacing_unit
                                                                    : unit};
    rug_status status = find_sides(run, side, unit, image);
    if (status != RUG_OK)
        return status;
    for (int a = 0; a < image->ndim; a++) {
        out->pixel = fmax(out->pixel, side[a]);
        smallest = fmin(smallest, side[a]);
    }
    status = check_sizes(run, &job->asked, smallest, out->pixel);
    if (status == RUG_OK)
        divide(out, side, image->ndim);
    return status;
}

double cli_boxcount_length(const cli_boxcount_lengths *l, uint64_t size)
{
    for (uint32_t i = 0; i < l->asked->n; i++)
        if (l->size[i] == size)
            return l->asked->length[i];
    return l->pixel * (double)(size / l->largest);
}
