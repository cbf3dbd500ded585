/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What `rugose multifractal --method moments` prints on stderr: what was read, D0, D1 and D2,
 * and warnings with numbers. */

#include "cmd_multifractal.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define EXTRA_MAX (CLI_SHAPE_MAX + CLI_FOREGROUND_MAX)

/* What rounding may add to a slope. */
#define ROUNDING 1e-6

static double share_of(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : (double)NAN;
}

void cli_multifractal_alpha_span(double span[2], const cli_multifractal_job *job,
                                 const cli_multifractal_found *found)
{
    span[0] = span[1] = (double)NAN;
    for (size_t i = 0; i < job->n_q; i++) {
        double alpha = cli_multifractal_order(found, i)->alpha;
        span[0] = fmin(span[0], alpha); /* which leave NaN out */
        span[1] = fmax(span[1], alpha);
    }
}

/* How grey values became masses, for the read line. */
static void format_gray(char text[EXTRA_MAX], const cli_image *image,
                        const rug_masses_facts *f)
{
    int n = snprintf(text, EXTRA_MAX, "mass = grey values, above 0 in %.1f %%",
                     share_of(f->n_set, f->n_pixels) * 100);
    snprintf(text + n, EXTRA_MAX - (size_t)n,
             image->mask_path != NULL ? " of %" PRIu64 " pixels inside the mask"
                                      : " of %" PRIu64 " pixels",
             f->n_pixels);
}

static void warn_of_gray(cli_run *run, const rug_masses_facts *f)
{
    cli_warn_of_left_out(run, f->n_left_out, "without mass");
    if (f->n_lost > 0)
        cli_warn(run,
                 "%" PRIu64 " pixels above 0 are too small beside the total to have a "
                 "mass",
                 f->n_lost);
    if (f->n_pixels == 0)
        cli_warn(run, "the mask is empty");
    else if (f->n_set == 0)
        cli_warn(run, "no pixel has a mass");
}

/* Orders whose Z is that of a few boxes that hold next to nothing. */
static void warn_of_near_empty(cli_run *run, const cli_multifractal_job *job,
                               const cli_multifractal_found *found)
{
    const rug_multifractal_order *least = NULL, *most = NULL;
    size_t n = 0;
    for (size_t i = 0; i < job->n_q; i++)
        if (cli_multifractal_order(found, i)->status == RUG_FIT_NEAR_EMPTY_BOXES) {
            least = least == NULL ? cli_multifractal_order(found, i) : least;
            most = cli_multifractal_order(found, i);
            n++;
        }
    if (n == 0)
        return;
    char orders[96];
    snprintf(orders, sizeof orders, "order q = %g", most->q);
    if (n > 1)
        snprintf(orders, sizeof orders, "%zu orders from q = %g to %g", n, least->q,
                 most->q);
    cli_warn(run,
             "%s: boxes with less than %g of the mean mass make up to %.1f %% of Z (at "
             "q = %g), so D, alpha and f describe those boxes",
             orders, RUG_MULTIFRACTAL_NEAR_EMPTY, most->near_empty * 100, most->q);
}

/* A standard error, which two sizes do not have. */
static double error_of(double error)
{
    return isnan(error) ? 0 : error;
}

/* 0 <= f <= D0, but for the errors: beyond them the fit is not that of a multifractal. */
static void warn_of_f(cli_run *run, const cli_multifractal_job *job,
                      const cli_multifractal_found *found)
{
    const rug_multifractal_order *support = cli_multifractal_main(job, found, 0);
    const rug_multifractal_order *worst = NULL;
    double excess = 0;
    size_t n = 0;
    for (size_t i = 0; i < job->n_q; i++) {
        const rug_multifractal_order *o = cli_multifractal_order(found, i);
        double above = o->f - support->dimension - error_of(support->dimension_error);
        double beyond = fmax(above, -o->f) - error_of(o->f_error) - ROUNDING;
        n += beyond > 0;
        if (beyond > excess) {
            excess = beyond;
            worst = o;
        }
    }
    if (worst != NULL)
        cli_warn(
            run,
            "f(alpha) is below 0 or above D0 at %zu order%s; the worst is q = %g with "
            "f = %.5g +- %.2g (D0 = %.5g +- %.2g)",
            n, n == 1 ? "" : "s", worst->q, worst->f, worst->f_error, support->dimension,
            support->dimension_error);
}

/* The orders from q on between which D rises most, errors taken away; left alone
 * when it does not. */
static void find_rise(const cli_multifractal_job *job,
                      const cli_multifractal_found *found, double q,
                      const rug_multifractal_order *ends[2])
{
    const rug_multifractal_order *lowest = NULL;
    double most = 0;
    for (size_t i = 0; i < job->n_q; i++) {
        const rug_multifractal_order *o = cli_multifractal_order(found, i);
        if (isnan(o->dimension) || o->q < q)
            continue;
        if (lowest != NULL) {
            double rise = o->dimension - error_of(o->dimension_error) -
                          lowest->dimension - error_of(lowest->dimension_error) -
                          ROUNDING;
            if (rise > most) {
                most = rise;
                ends[0] = lowest;
                ends[1] = o;
            }
        }
        if (lowest == NULL || o->dimension < lowest->dimension)
            lowest = o;
    }
}

/* D must not rise with q, but for the errors. Orders from 0 on come first, because they
 * are those to rely on. */
static void warn_of_rise(cli_run *run, const cli_multifractal_job *job,
                         const cli_multifractal_found *found)
{
    const rug_multifractal_order *ends[2] = {NULL, NULL};
    find_rise(job, found, 0, ends);
    if (ends[1] == NULL)
        find_rise(job, found, -RUG_MULTIFRACTAL_Q_MAX, ends);
    if (ends[1] == NULL)
        return;
    cli_warn(
        run,
        "D rises with q, from %.5g +- %.2g at q = %g to %.5g +- %.2g at q = %g, which is "
        "impossible for a multifractal: no single power law holds over the sizes of the "
        "fit; check the sums (--moments FILE) and choose a range (--fit A..B)",
        ends[0]->dimension, ends[0]->dimension_error, ends[0]->q, ends[1]->dimension,
        ends[1]->dimension_error, ends[1]->q);
}

static void warn_of_orders(cli_run *run, const cli_multifractal_job *job,
                           const cli_multifractal_found *found)
{
    const rug_multifractal_facts *f = found->fit;
    cli_warn_of_fit(run, f->status, f->n_sizes, f->size_min, f->size_max);
    warn_of_near_empty(run, job, found);
    warn_of_f(run, job, found);
    warn_of_rise(run, job, found);
}

/* The line that sums an image up. */
static void print_dimensions(cli_run *run, const char *name,
                             const cli_multifractal_job *job,
                             const cli_multifractal_found *found)
{
    double span[2];
    char number[RUGI_REAL_TEXT_MAX], largest[RUGI_REAL_TEXT_MAX];
    if (run->common.quiet)
        return;
    cli_multifractal_alpha_span(span, job, found);
    cli_clear_progress(run);
    fprintf(run->err, "%s:", name);
    for (size_t i = 0; i < CLI_MULTIFRACTAL_N_MAIN; i++) {
        rugi_format_real_short(number, cli_multifractal_main(job, found, i)->dimension);
        fprintf(run->err, " D%zu %s +- %.2g%s", i, number,
                cli_multifractal_main(job, found, i)->dimension_error,
                i + 1 < CLI_MULTIFRACTAL_N_MAIN ? "," : ";");
    }
    rugi_format_real_short(number, span[0]);
    rugi_format_real_short(largest, span[1]);
    fprintf(run->err, " alpha %s..%s over %zu order%s\n", number, largest, job->n_q,
            job->n_q == 1 ? "" : "s");
}

static void print_times(const cli_run *run, const cli_multifractal_found *found)
{
    if (found->facts.of == RUG_MASS_OF_FOREGROUND && !found->is_points)
        fprintf(run->err, ", threshold %.3f ms", found->threshold_seconds * 1e3);
    fprintf(run->err, ", masses %.3f ms, orders %.3f ms", found->count_seconds * 1e3,
            found->fit_seconds * 1e3);
    cli_end_times(run, found->facts.engine, "");
}

void cli_multifractal_print_image(cli_run *run, const cli_multifractal_job *job,
                                  const cli_image *image,
                                  const cli_multifractal_found *found)
{
    const rug_masses_facts *f = &found->facts;
    rug_foreground asked = job->values.foreground;
    int is_gray = f->of == RUG_MASS_OF_GRAY;
    double share = share_of(f->n_set, f->n_pixels);
    char extra[EXTRA_MAX];
    if (is_gray)
        format_gray(extra, image, f);
    else
        cli_format_foreground(extra, image, asked, f->foreground, share, f->n_pixels);
    cli_print_read(run, image, extra);
    if (is_gray) {
        warn_of_gray(run, f);
    } else {
        cli_warn_of_share(run, share, f->n_pixels);
        cli_warn_of_values(run, image, asked);
    }
    cli_warn_of_spacing(run, image->pixels);
    warn_of_orders(run, job, found);
    print_dimensions(run, image->name, job, found);
    if (cli_begin_times(run, image))
        print_times(run, found);
}

void cli_multifractal_print_points(cli_run *run, const cli_multifractal_job *job,
                                   const cli_points *points,
                                   const cli_multifractal_found *found)
{
    const rug_masses_facts *f = &found->facts;
    char shape[CLI_SHAPE_MAX], extra[EXTRA_MAX];
    cli_format_shape(shape, f->ndim, f->shape);
    snprintf(extra, sizeof extra,
             "%" PRIu64 " of %s lattice cells hold %" PRIu64 " points", f->n_set, shape,
             f->total);
    if (!run->common.quiet)
        cli_print_line(run, cli_point_file_read_line(points->file, extra));
    warn_of_orders(run, job, found);
    print_dimensions(run, points->path, job, found);
    if (!run->common.verbose)
        return;
    fprintf(run->err, "time %s: read %.3f ms", points->path, points->read_seconds * 1e3);
    print_times(run, found);
}
