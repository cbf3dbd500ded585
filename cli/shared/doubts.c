/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What several commands say of an image and warn of: its foreground, spacing, and fits. */

#include "cli.h"
#include "nodata.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* How the rule came about. */
static const char *name_of_rule(const cli_image *image, rug_foreground asked,
                                rug_foreground rule)
{
    const rug_image_range *range = cli_range_for(image, asked);
    if (range != NULL) {
        int two_valued = range->n_distinct == 2 && !range->distinct_is_min;
        if (asked.kind == RUG_FOREGROUND_OTSU_DARK)
            return "otsu-dark";
        return asked.kind == RUG_FOREGROUND_AUTO && two_valued ? "larger value" : "otsu";
    }
    return rug_foreground_kind_name(rule.kind);
}

void cli_format_foreground(char text[CLI_FOREGROUND_MAX], const cli_image *image,
                           rug_foreground asked, rug_foreground rule, double share,
                           uint64_t n_pixels)
{
    char number[RUGI_REAL_TEXT_MAX], percent[RUGI_REAL_TEXT_MAX] = "nan";
    int n;
    rugi_format_exact(number, rule.value, rule.rest);
    if (!isnan(share))
        snprintf(percent, sizeof percent, "%.1f", share * 100);
    if (rule.kind == RUG_FOREGROUND_NONZERO)
        n = snprintf(text, CLI_FOREGROUND_MAX, "foreground %s %% (nonzero)", percent);
    else
        n = snprintf(text, CLI_FOREGROUND_MAX, "foreground %s %% (%s %s)", percent,
                     name_of_rule(image, asked, rule), number);
    if (image->mask_path != NULL)
        snprintf(text + n, CLI_FOREGROUND_MAX - (size_t)n,
                 " of %" PRIu64 " pixels inside the mask", n_pixels);
}

/* When the foreground is probably not what was meant. */
#define SHARE_HIGH 0.5
#define SHARE_LOW  0.001

/* How the pixels that a rule leaves out are called and taken; NULL: by no other rule. */
static const char *format_others(char text[RUG_FOREGROUND_TEXT_MAX + 40],
                                 rug_foreground asked)
{
    rug_foreground rule = asked;
    const char *name = "dark";
    switch (asked.kind) {
    case RUG_FOREGROUND_AUTO:
    case RUG_FOREGROUND_OTSU: rule.kind = RUG_FOREGROUND_OTSU_DARK; break;
    case RUG_FOREGROUND_ABOVE: rule.kind = RUG_FOREGROUND_BELOW; break;
    case RUG_FOREGROUND_NONZERO:
        rule = (rug_foreground){RUG_FOREGROUND_LABEL, 0, 0};
        name = "zero";
        break;
    case RUG_FOREGROUND_OTSU_DARK:
        rule.kind = RUG_FOREGROUND_OTSU;
        name = "bright";
        break;
    case RUG_FOREGROUND_BELOW:
        rule.kind = RUG_FOREGROUND_ABOVE;
        name = "bright";
        break;
    default: return NULL;
    }
    char value[RUG_FOREGROUND_TEXT_MAX];
    rug_foreground_format(value, rule);
    snprintf(text, RUG_FOREGROUND_TEXT_MAX + 40, "--foreground %s takes the %s pixels",
             value, name);
    return text;
}

void cli_warn_of_share(cli_run *run, rug_foreground asked, double share,
                       uint64_t n_pixels)
{
    char text[RUG_FOREGROUND_TEXT_MAX + 40];
    const char *others = share < 1 ? format_others(text, asked) : NULL;
    if (n_pixels == 0)
        cli_warn(run, "the mask is empty");
    else if (share > SHARE_HIGH && others != NULL)
        cli_warn(run, "foreground is %.4g %% of the image; %s", share * 100, others);
    else if (share > SHARE_HIGH || share < SHARE_LOW)
        cli_warn(run, "foreground is %.4g %% of the image: is --foreground right?",
                 share * 100);
}

void cli_warn_of_values(cli_run *run, const cli_image *image, rug_foreground asked)
{
    if (!cli_is_real(image))
        return;
    const rug_image_range *r = cli_image_range(image);
    uint64_t n_nan = cli_nan_of_file(image->facts, r->n_nan);
    if (r->n_distinct > 2 && asked.kind == RUG_FOREGROUND_AUTO)
        cli_warn(
            run,
            "values are not integers (%g..%g, %s%u distinct), so Otsu's threshold is "
            "used; choose another with --foreground above=T or label=L",
            r->min, r->max, r->distinct_is_min ? "more than " : "", r->n_distinct);
    if (n_nan > 0)
        cli_warn(run, "%" PRIu64 " pixels are NaN and count as background", n_nan);
}

void cli_warn_of_spacing(cli_run *run, const rug_image *img, const char *remedy)
{
    double lo, hi;
    if (cli_is_unequal(&lo, &hi, img, CLI_ALL_AXES))
        cli_warn(run,
                 "spacing is unequal (%g to %g, ratio %.3g): boxes are cubes in pixels, "
                 "not in space; %s",
                 lo, hi, hi / lo, remedy);
}

/* The shortest axis longer than a pixel; -1: there is none. */
static int find_thinnest(const rug_image *img, const uint64_t *pixel_size)
{
    int thinnest = -1;
    double least = INFINITY;
    for (int a = 0; a < img->ndim; a++) {
        double extent =
            (double)img->shape[a] * (pixel_size != NULL ? (double)pixel_size[a] : 1);
        if (img->shape[a] == 1 || extent >= least)
            continue;
        least = extent;
        thinnest = a;
    }
    return thinnest;
}

void cli_warn_of_thin_axis(cli_run *run, const cli_image *image, const cli_range *asked,
                           const uint64_t *pixel_size, uint64_t size_max)
{
    const rug_image *img = image->pixels;
    int a = find_thinnest(img, pixel_size);
    if (a < 0 || (asked->text != NULL && !asked->is_auto))
        return;
    double side = pixel_size != NULL ? (double)pixel_size[a] : 1;
    char name = "zyx"[3 - img->ndim + a];
    size_t n = img->shape[a];
    int are_pictures = img->ndim == 3 && image->facts->n_pages > 1;
    if ((double)size_max <= side * (double)n)
        return;
    cli_warn(run,
             "axis %c has %zu pixels, and the fit takes boxes of up to %.4g of them, "
             "which measure the other ax%s alone; choose sizes with --fit A..B%s",
             name, n, (double)size_max / side, img->ndim == 2 ? "is" : "es",
             are_pictures ? ", or take the pages as pictures with --page all" : "");
}

void cli_warn_of_left_out(cli_run *run, const cli_image *image, uint64_t n,
                          const char *what)
{
    if (n > 0 && image->facts->is_counted) {
        uint64_t own = image->facts->n_nan + cli_image_range(image)->n_infinite;
        n = n < own ? n : own;
    }
    if (n > 0)
        cli_warn(run, "%" PRIu64 " NaN or infinite pixel%s %s", n, n == 1 ? "" : "s",
                 what);
}

void cli_warn_of_fit(cli_run *run, rug_fit_status status, uint32_t n_sizes,
                     uint64_t size_min, uint64_t size_max, const char *range)
{
    char whole[64];
    snprintf(whole, sizeof whole, "%" PRIu64 "..%" PRIu64, size_min, size_max);
    if (status == RUG_FIT_EMPTY)
        return;
    if (status == RUG_FIT_NO_SCALING_RANGE)
        cli_warn(
            run,
            "no three sizes have local slopes within %g of each other; the three with "
            "the steadiest slopes were used",
            RUG_FIT_SLOPE_SPREAD);
    if (n_sizes == 0)
        cli_warn(run, "the range of the fit holds no size to fit; give --fit A..B");
    else if (cli_is_short_fit(n_sizes, size_min, size_max))
        cli_warn(run, "the fit covers %" PRIu32 " size%s (%s)%s", n_sizes,
                 n_sizes == 1 ? "" : "s", range != NULL ? range : whole,
                 cli_is_below_decade(size_min, size_max) ? ", less than a decade" : "");
}
