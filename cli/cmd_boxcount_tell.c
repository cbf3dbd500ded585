/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What `rugose boxcount` tells on stderr: the read line, and warnings with numbers. */

#include "cmd_boxcount.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
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
    if (isnan(share))
        snprintf(percent, sizeof percent, "nan");
    else
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

double cli_boxcount_share(const rug_boxcount_result *counts)
{
    return counts->n_cells == RUG_BOXCOUNT_TOO_MANY || counts->n_cells == 0
               ? (double)NAN
               : (double)counts->n_set / (double)counts->n_cells;
}

static void warn_of_values(cli_run *run, const cli_boxcount_job *job,
                           const cli_image *image)
{
    const rug_image_range *r = &image->range;
    rug_dtype dtype = image->pixels->dtype;
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

static int is_short_range(const rug_boxcount_dimension *d)
{
    return d->size_max < DECADE * d->size_min;
}

int cli_boxcount_is_short(const rug_boxcount_dimension *d)
{
    return strcmp(d->status, "empty") != 0 &&
           (d->n_sizes < FEW_SIZES || is_short_range(d));
}

static void warn_of_fit(cli_run *run, const rug_boxcount_dimension *d)
{
    if (strcmp(d->status, "empty") == 0)
        return;
    if (strcmp(d->status, "no scaling range") == 0 && d->n_sizes < 3)
        cli_warn(run, "fewer than three sizes are left without those at which every box "
                      "holds foreground, or one holds everything");
    else if (strcmp(d->status, "no scaling range") == 0)
        cli_warn(
            run,
            "no three sizes have local slopes within %g; the steadiest three were used",
            RUG_BOXCOUNT_SLOPE_SPREAD);
    if (d->n_sizes == 0)
        cli_warn(run,
                 "no size that has boxes lies in the range of the fit; give --fit A..B");
    else if (cli_boxcount_is_short(d))
        cli_warn(run, "the fit covers %u size%s (%llu..%llu)%s", d->n_sizes,
                 d->n_sizes == 1 ? "" : "s", (unsigned long long)d->size_min,
                 (unsigned long long)d->size_max,
                 is_short_range(d) ? ", less than a decade" : "");
}

/* How far the threads' work lies apart, where the method knows. */
static void print_spread(const rug_boxcount_result *c)
{
    if (c->busy_most > 0)
        fprintf(stderr, ", threads busy %.3f ms to %.3f ms (spread %.1f %%)",
                c->busy_least * 1e3, c->busy_most * 1e3,
                100 * (c->busy_most - c->busy_least) / c->busy_most);
}

/* @param engine  NULL: many counts, each with its own */
static void print_times(const cli_run *run, const cli_image *image,
                        const cli_boxcount_found *found, const char *engine)
{
    if (!run->common.verbose)
        return;
    fprintf(stderr,
            "time %s: read %.3f ms, range %.3f ms, threshold %.3f ms, count %.3f ms "
            "(%s%s%d threads)",
            image->name, image->read_seconds * 1e3, image->range_seconds * 1e3,
            found->threshold_seconds * 1e3, found->count_seconds * 1e3,
            engine != NULL ? engine : "", engine != NULL ? ", " : "",
            rug_context_threads(run->ctx));
    print_spread(&found->counts);
    cli_print_device_times(run);
    fputc('\n', stderr);
}

static void warn_of_image(cli_run *run, const cli_boxcount_job *job,
                          const cli_image *image)
{
    warn_of_values(run, job, image);
    warn_of_spacing(run, image->pixels);
}

void cli_boxcount_tell_image(cli_run *run, const cli_boxcount_job *job,
                             const cli_image *image, const cli_boxcount_found *found)
{
    char foreground[160];
    double share = cli_boxcount_share(&found->counts);
    format_foreground(foreground, job, image, found->counts.foreground, share);
    if (image->mask_path != NULL)
        snprintf(foreground + strlen(foreground), sizeof foreground - strlen(foreground),
                 " of %" PRIu64 " cells inside the mask", found->counts.n_cells);
    if (!run->common.quiet)
        cli_print_line(run, rug_file_read_line(image->file, &image->range, foreground));
    if (found->counts.n_cells == 0)
        cli_warn(run, "the mask holds no cell");
    else if (share > SHARE_HIGH || share < SHARE_LOW)
        cli_warn(run, "foreground is %.4g %% of the image: is --foreground right?",
                 share * 100);
    warn_of_image(run, job, image);
    warn_of_fit(run, &found->dimension);
    print_times(run, image, found, found->counts.engine);
}

void cli_boxcount_tell_labels(cli_run *run, const cli_boxcount_job *job,
                              const cli_image *image, const cli_boxcount_found *whole,
                              size_t n_labels, size_t n_short)
{
    char text[RUG_FOREGROUND_TEXT_MAX], extra[RUG_FOREGROUND_TEXT_MAX + 64];
    rug_foreground_format(text, whole->counts.foreground);
    snprintf(extra, sizeof extra, "foreground %s, %zu label%s", text, n_labels,
             n_labels == 1 ? "" : "s");
    if (!run->common.quiet)
        cli_print_line(run, rug_file_read_line(image->file, &image->range, extra));
    warn_of_image(run, job, image);
    if (n_labels == 0)
        cli_warn(run, "the label image %s has no label but 0", job->values.labels);
    if (n_short > 0)
        cli_warn(run,
                 "the fits of %zu of %zu labels cover fewer than %d sizes or less than a "
                 "decade",
                 n_short, n_labels, FEW_SIZES);
    print_times(run, image, whole, NULL);
}

void cli_boxcount_tell_points(cli_run *run, const cli_points *points,
                              const cli_boxcount_found *found)
{
    const rug_boxcount_result *c = &found->counts;
    char shape[CLI_SHAPE_MAX], extra[CLI_SHAPE_MAX + 80];
    cli_format_shape(shape, c->ndim, c->shape);
    snprintf(extra, sizeof extra, "%" PRIu64 " cells of %s are set", c->n_set, shape);
    if (!run->common.quiet)
        cli_print_line(run, rug_point_file_read_line(points->file, extra));
    warn_of_fit(run, &found->dimension);
    if (!run->common.verbose)
        return;
    fprintf(stderr, "time %s: read %.3f ms, count %.3f ms (%s, %d threads)", points->path,
            points->read_seconds * 1e3, found->count_seconds * 1e3, c->engine,
            rug_context_threads(run->ctx));
    print_spread(c);
    cli_print_device_times(run);
    fputc('\n', stderr);
}
