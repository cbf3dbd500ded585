/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What `rugose boxcount` tells on stderr: the read line, and warnings with numbers. */

#include "cmd_boxcount.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* When the foreground is probably not what was meant. */
#define SHARE_HIGH 0.95
#define SHARE_LOW  0.001
/* A fit over less than this says little. */
#define FEW_SIZES 5
#define DECADE    10

/* The foreground for the read line: its share and how it was chosen. */
static void format_foreground(char text[128], const cli_boxcount_job *job,
                              const cli_image *image, rug_foreground rule, double share)
{
    char number[RUG_REAL_TEXT_MAX], percent[RUG_REAL_TEXT_MAX];
    rug_format_real(number, rule.value);
    snprintf(percent, sizeof percent, "%.1f", share * 100);
    int two_valued = image->range.n_distinct == 2 && !image->range.distinct_is_min;
    const char *how = "otsu";
    if (job->foreground.kind == RUG_FOREGROUND_AUTO && two_valued)
        how = "larger value";
    if (rule.kind == RUG_FOREGROUND_NONZERO)
        snprintf(text, 128, "foreground %s %% (nonzero)", percent);
    else if (job->foreground.kind > RUG_FOREGROUND_OTSU)
        snprintf(text, 128, "foreground %s %% (%s %s)", percent,
                 rule.kind == RUG_FOREGROUND_ABOVE   ? "above"
                 : rule.kind == RUG_FOREGROUND_BELOW ? "below"
                                                     : "label",
                 number);
    else
        snprintf(text, 128, "foreground %s %% (%s %s)", percent, how, number);
}

static void print_read_line(cli_run *run, const cli_boxcount_job *job,
                            const cli_image *image, rug_foreground rule, double share)
{
    char foreground[128];
    if (run->common.quiet)
        return;
    format_foreground(foreground, job, image, rule, share);
    char *line = rug_file_read_line(image->file, &image->range, foreground);
    cli_clear_progress(run);
    if (line != NULL)
        fprintf(stderr, "%s\n", line);
    free(line);
}

static void warn_of_foreground(cli_run *run, const cli_boxcount_job *job,
                               const cli_image *image, double share)
{
    const rug_image_range *r = &image->range;
    rug_dtype dtype = image->pixels->dtype;
    if (share > SHARE_HIGH || share < SHARE_LOW)
        cli_warn(run, "foreground is %.4g %% of the image: is --foreground right?",
                 share * 100);
    if ((dtype == RUG_F32 || dtype == RUG_F64) && r->n_distinct > 2 &&
        job->foreground.kind == RUG_FOREGROUND_AUTO)
        cli_warn(run,
                 "values are not integers (%g..%g, %s%u distinct); the threshold is "
                 "Otsu's: give "
                 "--foreground above=T or label=L to choose",
                 r->min, r->max, r->distinct_is_min ? "more than " : "", r->n_distinct);
    if (r->n_nan > 0)
        cli_warn(run, "%llu cells are NaN and count as background",
                 (unsigned long long)r->n_nan);
}

static void warn_of_spacing(cli_run *run, const rug_image *img)
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
                 "spacing is unequal (%g to %g, ratio %.3g): boxes are cubes of cells, "
                 "not of space; "
                 "resample to equal spacing first",
                 lo, hi, hi / lo);
}

static void warn_of_fit(cli_run *run, const rug_boxcount_dimension *d)
{
    if (strcmp(d->status, "no scaling range") == 0)
        cli_warn(
            run,
            "no three sizes have local slopes within %g; the steadiest three were used",
            RUG_BOXCOUNT_SLOPE_SPREAD);
    int short_range = d->size_max < DECADE * d->size_min;
    if (d->n_sizes == 0)
        cli_warn(run, "no size in the range of the fit has boxes");
    else if (d->n_sizes < FEW_SIZES || short_range)
        cli_warn(run, "the fit covers %u size%s (%llu..%llu)%s", d->n_sizes,
                 d->n_sizes == 1 ? "" : "s", (unsigned long long)d->size_min,
                 (unsigned long long)d->size_max,
                 short_range ? ", less than a decade" : "");
}

void cli_boxcount_tell(cli_run *run, const cli_boxcount_job *job, const cli_image *image,
                       const cli_boxcount_found *found)
{
    print_read_line(run, job, image, found->counts.foreground, found->share);
    warn_of_foreground(run, job, image, found->share);
    warn_of_spacing(run, image->pixels);
    if (strcmp(found->dimension.status, "empty") != 0)
        warn_of_fit(run, &found->dimension);
}
