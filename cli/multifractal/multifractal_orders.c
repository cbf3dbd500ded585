/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* `rugose multifractal --method moments`: measuring one image or one set of points; its lines on stderr, with
 * D0, D1 and D2; its tables, of each order, of its sums, and one row of each image for the summary. */

#include "cmd_multifractal.h"
#include "overlay/overlay.h"
#include "parts/parts.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lines on stderr ---- */

#define EXTRA_MAX (CLI_SHAPE_MAX + CLI_FOREGROUND_MAX)

static double share_of(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : (double)NAN;
}

static void alpha_span(double span[2], const cli_multifractal_job *job,
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

static void warn_of_gray(cli_run *run, const cli_image *image, const rug_masses_facts *f)
{
    cli_warn_of_left_out(run, image, f->n_left_out, "without mass");
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
        double beyond = cli_multifractal_excess(job, found, i);
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

/* D must not rise with q, but for the errors. */
static void warn_of_rise(cli_run *run, const cli_multifractal_job *job,
                         const cli_multifractal_found *found)
{
    const rug_multifractal_order *ends[2];
    if (!cli_multifractal_find_rise(job, found, ends))
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
    cli_warn_of_fit(run, f->status, f->n_sizes, f->size_min, f->size_max, NULL);
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
    alpha_span(span, job, found);
    cli_clear_progress(run);
    cli_print(run->err, "%s:", name);
    for (size_t i = 0; i < CLI_MULTIFRACTAL_N_MAIN; i++) {
        rugi_format_real_short(number, cli_multifractal_main(job, found, i)->dimension);
        cli_print(run->err, " D%zu %s +- %.2g%s", i, number,
                  cli_multifractal_main(job, found, i)->dimension_error,
                  i + 1 < CLI_MULTIFRACTAL_N_MAIN ? "," : ";");
    }
    rugi_format_real_short(number, span[0]);
    rugi_format_real_short(largest, span[1]);
    cli_print(run->err, " alpha %s..%s over %zu order%s\n", number, largest, job->n_q,
              job->n_q == 1 ? "" : "s");
}

static void print_times(const cli_run *run, const cli_multifractal_found *found)
{
    if (found->facts.of == RUG_MASS_OF_FOREGROUND && !found->is_points)
        cli_print(run->err, ", threshold %.3f ms", found->threshold_seconds * 1e3);
    cli_print(run->err, ", masses %.3f ms, orders %.3f ms", found->count_seconds * 1e3,
              found->fit_seconds * 1e3);
    cli_end_times(run, found->facts.engine, "");
}

static void print_image(cli_run *run, const cli_multifractal_job *job,
                        const cli_image *image, const cli_multifractal_found *found)
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
        warn_of_gray(run, image, f);
    } else {
        cli_warn_of_share(run, asked, share, f->n_pixels);
        cli_warn_of_values(run, image, asked);
    }
    cli_warn_of_spacing(run, image->pixels, CLI_RESAMPLE);
    cli_warn_of_thin_axis(run, image, &job->values.fit, NULL, found->fit->size_max);
    warn_of_orders(run, job, found);
    print_dimensions(run, image->name, job, found);
    if (cli_begin_times(run, image))
        print_times(run, found);
}

static void print_points(cli_run *run, const cli_multifractal_job *job,
                         const cli_points *points, const cli_multifractal_found *found)
{
    const rug_masses_facts *f = &found->facts;
    char shape[CLI_SHAPE_MAX], extra[EXTRA_MAX];
    cli_format_shape(shape, f->ndim, f->shape);
    snprintf(extra, sizeof extra,
             "%" PRIu64 " of %s lattice cells hold %" PRIu64 " points", f->n_set, shape,
             f->total);
    if (!run->common.quiet)
        cli_print_line(run, cli_point_file_read_line(points->file, points->path, extra));
    warn_of_orders(run, job, found);
    print_dimensions(run, points->path, job, found);
    if (!run->common.verbose)
        return;
    cli_print(run->err, "time %s: read %.3f ms", points->path,
              points->read_seconds * 1e3);
    print_times(run, found);
}

/* ---- Rows ---- */

/* What mass is: a foreground rule, grey values or points. */
static void set_mass(cli_record *r, const cli_multifractal_found *found)
{
    char rule[RUG_FOREGROUND_TEXT_MAX];
    rug_foreground_format(rule, found->facts.foreground);
    cli_record_set_text(r, "mass",
                        found->is_points ? "points"
                        : found->facts.of == RUG_MASS_OF_FOREGROUND
                            ? rule
                            : rug_mass_of_name(found->facts.of));
}

/* What the summary and every row of JSON say of an image. */
static void set_summary(cli_record *r, const cli_multifractal_job *job,
                        const cli_multifractal_found *found)
{
    static const char *const names[CLI_MULTIFRACTAL_N_MAIN][2] = {
        {"D0", "D0_error"}, {"D1", "D1_error"}, {"D2", "D2_error"}};
    double span[2];
    alpha_span(span, job, found);
    set_mass(r, found);
    for (size_t i = 0; i < CLI_MULTIFRACTAL_N_MAIN; i++) {
        cli_record_set_real(r, names[i][0],
                            cli_multifractal_main(job, found, i)->dimension);
        cli_record_set_real(r, names[i][1],
                            cli_multifractal_main(job, found, i)->dimension_error);
    }
    cli_record_set_real(r, "alpha_min", span[0]);
    cli_record_set_real(r, "alpha_max", span[1]);
    cli_record_set_real(r, "width", span[1] - span[0]);
    cli_record_set_integer(r, "size_min", found->fit->size_min);
    cli_record_set_integer(r, "size_max", found->fit->size_max);
    cli_record_set_text(r, "engine", found->facts.engine);
    cli_record_set_text(r, "status", rug_fit_status_name(found->fit->status));
}

/* A row with what was read, and the shape. */
static cli_record *input_row(cli_run *run, const cli_image *image,
                             const cli_points *points,
                             const cli_multifractal_found *found)
{
    char shape[CLI_SHAPE_MAX];
    cli_record *row =
        image != NULL ? cli_image_row(run, image) : cli_points_row(run, points);
    cli_format_shape(shape, found->facts.ndim, found->facts.shape);
    cli_record_set_text(row, "shape", shape);
    return row;
}

/* Z, where a double holds it in full. */
static double shown_z(const rug_moments *m, uint64_t boxes)
{
    return boxes == 0 || isnormal(m->z) ? m->z : (double)NAN;
}

static cli_record *moment_record(const cli_multifractal_found *found, size_t i,
                                 uint32_t l)
{
    const rug_moments *m = &found->moments[i * found->facts.n_sizes + l];
    cli_record *r = cli_record_new();
    cli_record_set_integer(r, "size", (uint64_t)1 << l);
    cli_record_set_integer(r, "boxes", found->boxes[l]);
    cli_record_set_real(r, "Z", shown_z(m, found->boxes[l]));
    cli_record_set_real(r, "ln_Z", m->log_z);
    cli_record_set_real(r, "p_ln_p", m->p_log_p);
    cli_record_set_real(r, "mu_ln_p", m->mu_log_p);
    cli_record_set_real(r, "mu_ln_mu", m->mu_log_mu);
    return r;
}

static void add_moments(cli_run *run, const cli_multifractal_job *job, const char *name,
                        const cli_multifractal_found *found)
{
    for (size_t i = 0; run->second != NULL && i < job->n_q; i++)
        for (uint32_t l = 0; l < found->facts.n_sizes; l++) {
            cli_record *row = moment_record(found, i, l);
            cli_set_image(run, row, name);
            cli_record_set_real(row, "q", job->q[i]);
            cli_report_add(run->second, row);
        }
}

static void set_order(cli_record *r, const cli_multifractal_found *found,
                      const rug_multifractal_order *o)
{
    cli_record_set_real(r, "q", o->q);
    cli_record_set_real(r, "tau", o->tau);
    cli_record_set_real(r, "tau_error", o->tau_error);
    cli_record_set_real(r, "D", o->dimension);
    cli_record_set_real(r, "D_error", o->dimension_error);
    cli_record_set_real(r, "alpha", o->alpha);
    cli_record_set_real(r, "f", o->f);
    cli_record_set_real(r, "r_squared", o->r_squared);
    cli_record_set_integer(r, "size_min", found->fit->size_min);
    cli_record_set_integer(r, "size_max", found->fit->size_max);
    cli_record_set_real(r, "near_empty", o->near_empty);
    cli_record_set_text(r, "status", rug_fit_status_name(o->status));
}

/* The facts of the masses, and the sums of the order. */
static void add_json_details(cli_record *row, const cli_multifractal_job *job,
                             const cli_multifractal_found *found, size_t i)
{
    const rug_masses_facts *f = &found->facts;
    cli_record *of_image = cli_record_new();
    cli_record_set_real(row, "alpha_error",
                        cli_multifractal_order(found, i)->alpha_error);
    cli_record_set_real(row, "f_error", cli_multifractal_order(found, i)->f_error);
    set_summary(of_image, job, found);
    cli_record_set_integer(of_image, "pixels", f->n_pixels);
    cli_record_set_integer(of_image, "pixels_with_mass", f->n_set);
    cli_record_set_integer(of_image, "left_out", f->n_left_out);
    cli_record_set_integer(of_image, "lost", f->n_lost);
    cli_record_set_integer(of_image, "total", f->total);
    cli_record_set_signed(of_image, "unit_exponent", f->unit_exponent);
    cli_record_set_record(row, "summary", of_image);
    for (uint32_t l = 0; l < f->n_sizes; l++)
        cli_record_append(row, CLI_MOMENTS, moment_record(found, i, l));
}

static void add_orders(cli_run *run, cli_multifractal_job *job, const cli_image *image,
                       const cli_points *points, const cli_multifractal_found *found)
{
    for (size_t i = 0; i < job->n_q; i++) {
        cli_record *row = input_row(run, image, points, found);
        set_order(row, found, cli_multifractal_order(found, i));
        if (run->has_details)
            add_json_details(row, job, found, i);
        cli_report_add(run->report, row);
    }
    add_moments(run, job, image != NULL ? image->name : points->path, found);
    if (run->third == NULL)
        return;
    cli_record *row = input_row(run, image, points, found);
    set_summary(row, job, found);
    cli_report_add(run->third, row);
}

/* ---- Measuring ---- */

/* The options of masses in parts. */
typedef struct parts_options {
    rug_masses_options masses;
    int unit_exponent;
} parts_options;

static rug_status begin_parts(rug_context *ctx, void **state, const cli_image *image,
                              const void *opts)
{
    const parts_options *o = opts;
    rug_masses *masses;
    rug_status status =
        rug_masses_new(ctx, &masses, image->source.dtype, image->source.ndim,
                       image->source.shape, o->unit_exponent, &o->masses);
    *state = masses;
    return status;
}

static rug_status add_part(rug_context *ctx, void *state, const rug_image *slab,
                           const rug_image *mask, const rug_image *labels,
                           const cli_where *where)
{
    (void)labels;
    return rug_masses_add(ctx, state, slab, mask, where->first);
}

CLI_STATE_CALLS(rug_masses, rug_masses_merge, rug_masses_save, rug_masses_load,
                rug_masses_free)

/* @param masses  NULL: another run or process goes on */
static rug_status measure_parts(cli_run *run, const cli_image *image,
                                const rug_masses_options *opts, rug_masses **masses)
{
    static const cli_state_kind kind = {
        .name = "masses", .begin = begin_parts, .add = add_part, CLI_STATE_MEMBERS};
    parts_options o = {.masses = *opts};
    void *state = NULL;
    rug_status status = opts->of == RUG_MASS_OF_GRAY
                            ? cli_find_unit(run, image, &o.unit_exponent)
                            : RUG_OK;
    if (status == RUG_OK)
        status = cli_measure_state(run, image, &kind, &o, 0, &state);
    *masses = state;
    return status;
}

/* The masses of an image, with the rule found in the range that is known already. */
static rug_status measure_image(cli_run *run, const cli_multifractal_job *job,
                                const cli_image *image, rug_masses **masses,
                                cli_multifractal_found *found)
{
    rug_masses_options opts = RUG_MASSES_OPTIONS_INIT;
    const rug_source *mask = image->mask_path != NULL ? &image->mask : NULL;
    rug_status status = RUG_OK;
    double start = cli_now();
    if (cli_is_given(&run->words, "foreground")) {
        opts.of = RUG_MASS_OF_FOREGROUND;
        status =
            cli_resolve_foreground(run, image, job->values.foreground, &opts.foreground);
    }
    double counting = cli_now();
    found->threshold_seconds = counting - start;
    opts.mask = mask;
    if (status == RUG_OK)
        status = run->parts != NULL ? measure_parts(run, image, &opts, masses)
                 : image->pixels->data == NULL
                     ? rug_masses_measure_source(run->ctx, masses, &image->source, &opts)
                     : rug_masses_measure(run->ctx, masses, image->pixels, &opts);
    found->count_seconds = cli_now() - counting;
    return status;
}

/* What is shown of one image. */
typedef struct results {
    rug_multifractal_result *orders;
    rug_moments *moments; /* [n_q][n_sizes]; NULL: not needed */
} results;

static void free_results(results *r)
{
    rug_multifractal_free(r->orders);
    free(r->moments);
}

/* The sums of all orders, where they are shown. */
static rug_status find_moments(cli_run *run, const cli_multifractal_job *job,
                               rug_masses *masses, results *r, uint32_t n_sizes)
{
    if (run->second == NULL && !run->has_details)
        return RUG_OK;
    r->moments = calloc(job->n_q * n_sizes, sizeof *r->moments);
    if (r->moments == NULL)
        return rug_context_fail(run->ctx, RUG_E_NOMEM, "no memory for %zu orders",
                                job->n_q);
    return rug_multifractal_moments(run->ctx, r->moments, masses, job->q, job->n_q);
}

static void count_boxes(cli_run *run, rug_masses *masses, cli_multifractal_found *found)
{
    for (uint32_t l = 0; l < found->facts.n_sizes; l++) {
        size_t n;
        const rug_mass_boxes *boxes = rug_masses_boxes(run->ctx, masses, l, &n);
        for (size_t i = 0; boxes != NULL && i < n; i++)
            found->boxes[l] += boxes[i].boxes;
    }
}

/* All orders with those of the summary behind them, over the same sizes. */
static rug_status fit(cli_run *run, const cli_multifractal_job *job, rug_masses *masses,
                      results *r, cli_multifractal_found *found)
{
    const rug_fit_options opts = cli_fit_options(&job->values.fit);
    found->facts = *rug_masses_get_facts(masses);
    found->facts.engine = cli_engine_of(run, found->facts.engine);
    double start = cli_now();
    rug_status status = rug_multifractal_fit(run->ctx, &r->orders, masses, job->q,
                                             job->n_q + CLI_MULTIFRACTAL_N_MAIN, &opts);
    if (status == RUG_OK)
        status = find_moments(run, job, masses, r, found->facts.n_sizes);
    found->fit_seconds = cli_now() - start;
    if (status != RUG_OK)
        return status;
    found->orders = r->orders;
    found->fit = rug_multifractal_get_facts(r->orders);
    found->moments = r->moments;
    count_boxes(run, masses, found);
    return RUG_OK;
}

rug_status cli_multifractal_image(cli_run *run, const cli_image *image, void *user)
{
    cli_multifractal_job *job = user;
    cli_multifractal_found found = {.is_points = 0};
    results r = {NULL, NULL};
    rug_masses *masses = NULL;
    if (job->values.spacing > 0)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "--spacing can only be used with points");
    rug_status status = measure_image(run, job, image, &masses, &found);
    if (masses == NULL)
        return status;
    if (status == RUG_OK)
        status = fit(run, job, masses, &r, &found);
    const rug_foreground *rule =
        found.facts.of == RUG_MASS_OF_FOREGROUND ? &found.facts.foreground : NULL;
    if (status == RUG_OK)
        status = cli_show_image(run, image, &(cli_shown){rule, NULL});
    if (status == RUG_OK) {
        print_image(run, job, image, &found);
        add_orders(run, job, image, NULL, &found);
        status = cli_multifractal_draw(run, job, image->name, &found);
    }
    free_results(&r);
    rug_masses_free(masses);
    return status;
}

rug_status cli_multifractal_points(cli_run *run, const cli_points *points, void *user)
{
    cli_multifractal_job *job = user;
    cli_multifractal_found found = {.is_points = 1};
    results r = {NULL, NULL};
    rug_masses *masses = NULL;
    rug_masses_points_options opts = RUG_MASSES_POINTS_OPTIONS_INIT;
    opts.spacing = job->values.spacing;
    opts.resolution = job->values.resolution;
    if (cli_is_given(&run->words, "foreground"))
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "points have no foreground; leave out --foreground");
    double start = cli_now();
    rug_status status =
        rug_masses_measure_points(run->ctx, &masses, points->points, &opts);
    found.count_seconds = cli_now() - start;
    if (status == RUG_OK)
        status = fit(run, job, masses, &r, &found);
    if (status == RUG_OK)
        status = cli_show_points(run, points);
    if (status == RUG_OK) {
        print_points(run, job, points, &found);
        add_orders(run, job, NULL, points, &found);
        status = cli_multifractal_draw(run, job, points->path, &found);
    }
    free_results(&r);
    rug_masses_free(masses);
    return status;
}
