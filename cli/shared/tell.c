/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Lines on stderr that every command over images prints alike. */

#include "cli.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* When the foreground is probably not what was meant. */
#define SHARE_HIGH 0.95
#define SHARE_LOW  0.001
/* The largest size of a fit as a multiple of the least, below which it says little. */
#define DECADE 10

void cli_print_line(cli_run *run, char *line)
{
    cli_clear_progress(run);
    if (line != NULL)
        fprintf(stderr, "%s\n", line);
    free(line);
}

void cli_print_device_times(const cli_run *run)
{
    rug_device_times t;
    rug_devices_take_times(run->ctx, &t);
    if (t.n_kernels > 0)
        fprintf(stderr,
                ", device: upload %.3f ms of %.1f MB, %" PRIu64
                " kernels %.3f ms, download %.3f ms",
                t.upload_seconds * 1e3, (double)t.upload_bytes * 1e-6, t.n_kernels,
                t.kernel_seconds * 1e3, t.download_seconds * 1e3);
}

/* How the rule came about. */
static const char *name_of_rule(const cli_image *image, rug_foreground asked,
                                rug_foreground rule)
{
    int two_valued = image->range.n_distinct == 2 && !image->range.distinct_is_min;
    if (asked.kind <= RUG_FOREGROUND_OTSU)
        return asked.kind == RUG_FOREGROUND_AUTO && two_valued ? "larger value" : "otsu";
    if (rule.kind == RUG_FOREGROUND_ABOVE)
        return "above";
    return rule.kind == RUG_FOREGROUND_BELOW ? "below" : "label";
}

void cli_format_foreground(char text[CLI_FOREGROUND_MAX], const cli_image *image,
                           rug_foreground asked, rug_foreground rule, double share,
                           uint64_t n_pixels)
{
    char number[RUG_REAL_TEXT_MAX], percent[RUG_REAL_TEXT_MAX] = "nan";
    int n;
    rug_format_real(number, rule.value);
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

void cli_warn_of_share(cli_run *run, double share, uint64_t n_pixels)
{
    if (n_pixels == 0)
        cli_warn(run, "the mask holds no pixel");
    else if (share > SHARE_HIGH || share < SHARE_LOW)
        cli_warn(run, "foreground is %.4g %% of the image: is --foreground right?",
                 share * 100);
}

void cli_warn_of_values(cli_run *run, const cli_image *image, rug_foreground asked)
{
    const rug_image_range *r = &image->range;
    rug_dtype dtype = image->pixels->dtype;
    if ((dtype == RUG_F32 || dtype == RUG_F64) && r->n_distinct > 2 &&
        asked.kind == RUG_FOREGROUND_AUTO)
        cli_warn(run,
                 "values are not integers (%g..%g, %s%u distinct); the threshold is "
                 "Otsu's: give "
                 "--foreground above=T or label=L to choose",
                 r->min, r->max, r->distinct_is_min ? "more than " : "", r->n_distinct);
    if (r->n_nan > 0)
        cli_warn(run, "%" PRIu64 " pixels are NaN and count as background", r->n_nan);
}

void cli_warn_of_spacing(cli_run *run, const rug_image *img)
{
    double lo = INFINITY, hi = 0;
    for (int a = 0; a < img->ndim; a++) {
        if (!(img->spacing[a] > 0))
            return;
        lo = fmin(lo, img->spacing[a]);
        hi = fmax(hi, img->spacing[a]);
    }
    if (hi > 1.01 * lo)
        cli_warn(run,
                 "spacing is unequal (%g to %g, ratio %.3g): boxes are cubes of pixels, "
                 "not of space; "
                 "resample to equal spacing first",
                 lo, hi, hi / lo);
}

static int is_below_decade(uint64_t size_min, uint64_t size_max)
{
    return size_max < DECADE * size_min;
}

int cli_is_short_fit(uint32_t n_sizes, uint64_t size_min, uint64_t size_max)
{
    return n_sizes < CLI_FEW_SIZES || is_below_decade(size_min, size_max);
}

void cli_warn_of_short_fit(cli_run *run, uint32_t n_sizes, uint64_t size_min,
                           uint64_t size_max)
{
    if (cli_is_short_fit(n_sizes, size_min, size_max))
        cli_warn(run, "the fit covers %" PRIu32 " size%s (%" PRIu64 "..%" PRIu64 ")%s",
                 n_sizes, n_sizes == 1 ? "" : "s", size_min, size_max,
                 is_below_decade(size_min, size_max) ? ", less than a decade" : "");
}
