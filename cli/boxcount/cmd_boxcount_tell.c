/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What `rugose boxcount` tells on stderr: the read line, and warnings with numbers. */

#include "cmd_boxcount.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

double cli_boxcount_share(const rug_boxcount_result *counts)
{
    return counts->n_pixels == RUG_BOXCOUNT_TOO_MANY || counts->n_pixels == 0
               ? (double)NAN
               : (double)counts->n_set / (double)counts->n_pixels;
}

int cli_boxcount_is_short(const rug_boxcount_dimension *d)
{
    return strcmp(d->status, "empty") != 0 &&
           cli_is_short_fit(d->n_sizes, d->size_min, d->size_max);
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
    else
        cli_warn_of_short_fit(run, d->n_sizes, d->size_min, d->size_max);
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
    cli_warn_of_values(run, image, job->foreground);
    cli_warn_of_spacing(run, image->pixels);
}

void cli_boxcount_tell_image(cli_run *run, const cli_boxcount_job *job,
                             const cli_image *image, const cli_boxcount_found *found)
{
    char foreground[CLI_FOREGROUND_MAX];
    double share = cli_boxcount_share(&found->counts);
    cli_format_foreground(foreground, image, job->foreground, found->counts.foreground,
                          share, found->counts.n_pixels);
    if (!run->common.quiet)
        cli_print_line(run, rug_file_read_line(image->file, &image->range, foreground));
    cli_warn_of_share(run, share, found->counts.n_pixels);
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
                 n_short, n_labels, CLI_FEW_SIZES);
    print_times(run, image, whole, NULL);
}

void cli_boxcount_tell_points(cli_run *run, const cli_points *points,
                              const cli_boxcount_found *found)
{
    const rug_boxcount_result *c = &found->counts;
    char shape[CLI_SHAPE_MAX], extra[CLI_SHAPE_MAX + 80];
    cli_format_shape(shape, c->ndim, c->shape);
    snprintf(extra, sizeof extra, "%" PRIu64 " pixels of %s are set", c->n_set, shape);
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
