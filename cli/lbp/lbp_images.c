/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Measuring for `rugose lbp`: one image, or planes of one volume, with their labels. Rows: one
 * for each operator; tables have a column for each bin of the largest operator, JSON has a list
 * of bins. Maps: the code of each pixel, as TIFF files. */

#include "cmd_lbp.h"
#include "draw/map_file.h"
#include "overlay/overlay.h"
#include "parts/parts.h"
#include "shared/nodata.h"
#include "shared/twin.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Rows ---- */

static const char *plane_name(int plane)
{
    return rug_lbp_planes_name((rug_lbp_planes)plane);
}

/* Bins as shares of all pixels; NaN without any. */
static double share_of(const rug_lbp_histogram *h, uint32_t b)
{
    return h->pixels > 0 ? (double)h->bins[b] / (double)h->pixels : (double)NAN;
}

/* The list that the columns of bins are of. */
static void set_bins(cli_record *row, const rug_lbp_histogram *h, int normalize)
{
    cli_record_set_integer(row, "n_bins", h->n_bins);
    if (!normalize) {
        cli_record_set_integers(row, CLI_BINS, h->bins, h->n_bins);
        return;
    }
    double *shares = calloc(h->n_bins > 0 ? h->n_bins : 1, sizeof *shares);
    for (uint32_t b = 0; b < h->n_bins && shares != NULL; b++)
        shares[b] = share_of(h, b);
    if (shares != NULL)
        cli_record_set_reals(row, CLI_BINS, shares, h->n_bins);
    free(shares);
}

/* The rows of one plane or image, by label, then by operator. */
static void add_rows(cli_run *run, const cli_lbp_job *job, const cli_image *image,
                     int plane, const rug_lbp_result *result, const cli_labels *labels)
{
    const rug_lbp_facts *facts = rug_lbp_get_facts(result);
    for (size_t i = 0; i < facts->n_histograms; i++) {
        const rug_lbp_histogram *h = rug_lbp_at(result, i);
        const rug_lbp_operator *op = &job->plan.op[h->op];
        cli_record *row = cli_image_row(run, image);
        if (run->has_details && labels->path != NULL)
            cli_add_file(row, "labels", cli_as_listed(run, labels->path), labels->digest);
        if (plane > 0)
            cli_record_set_text(row, "plane", plane_name(plane));
        if (labels->path != NULL)
            cli_record_set_integer(row, "label", h->label);
        cli_record_set_integer(row, "points", op->points);
        cli_record_set_real(row, "radius", op->radius);
        cli_record_set_text(row, "method", rug_lbp_method_name(job->plan.options.method));
        if (h->n_bins > 0)
            cli_record_set_integer(row, "pixels", h->pixels);
        else /* nothing was counted */
            cli_record_set_real(row, "pixels", (double)NAN);
        cli_record_set_text(row, "engine", cli_engine_of(run, facts->engine));
        set_bins(row, h, job->values.normalize);
        cli_report_add(run->report, row);
    }
}

/* ---- The plot ---- */

/* The bins of one histogram. */
typedef struct plotted_bins {
    double *x, *share; /* owned */
    char label[64];
} plotted_bins;

static int take_bins(plotted_bins *out, const cli_lbp_job *job,
                     const rug_lbp_histogram *h)
{
    const rug_lbp_operator *op = &job->plan.op[h->op];
    char radius[RUGI_REAL_TEXT_MAX];
    rugi_format_real_short(radius, op->radius);
    snprintf(out->label, sizeof out->label, "bin of (%u, %.30s)", op->points, radius);
    out->x = malloc((h->n_bins + 1) * sizeof *out->x);
    out->share = malloc((h->n_bins + 1) * sizeof *out->share);
    for (uint32_t b = 0; out->x != NULL && out->share != NULL && b < h->n_bins; b++) {
        out->x[b] = b;
        out->share[b] = share_of(h, b);
    }
    return out->x != NULL && out->share != NULL;
}

/* The histograms of one label or image, which stand behind each other. */
static rug_status draw_label(cli_run *run, cli_lbp_job *job, const char *name,
                             const rug_lbp_result *result, size_t first, size_t n)
{
    plotted_bins bins[RUG_LBP_MAX_OPERATORS] = {{NULL, NULL, ""}};
    cli_plot_series series[RUG_LBP_MAX_OPERATORS];
    cli_plot_panel panels[RUG_LBP_MAX_OPERATORS];
    rug_status status = RUG_OK;
    for (size_t i = 0; i < n; i++) {
        const rug_lbp_histogram *h = rug_lbp_at(result, first + i);
        if (!take_bins(&bins[i], job, h))
            status = rug_context_fail(run->ctx, RUG_E_NOMEM, "--plot: out of memory");
        series[i] = (cli_plot_series){
            .style = CLI_PLOT_BARS, .n = h->n_bins, .x = bins[i].x, .y = bins[i].share};
        panels[i] = (cli_plot_panel){.x_label = bins[i].label,
                                     .y_label = "share of pixels",
                                     .n_series = 1,
                                     .series = &series[i]};
    }
    int is_empty = n > 0 && rug_lbp_at(result, first)->pixels == 0;
    const cli_plot_sheet sheet = {.note = is_empty ? "no pixel was counted" : NULL,
                                  .mark = is_empty ? "no pixels" : NULL,
                                  .n_panels = n,
                                  .panels = panels};
    if (status == RUG_OK)
        status = cli_draw(run, &job->plots, name, &sheet);
    for (size_t i = 0; i < n; i++) {
        free(bins[i].x);
        free(bins[i].share);
    }
    return status;
}

/* A sheet for each label of one plane or image. */
static rug_status draw(cli_run *run, cli_lbp_job *job, const cli_image *image, int plane,
                       const rug_lbp_result *result, const cli_labels *labels)
{
    char of_plane[CLI_NAME_MAX + 32], name[CLI_LABEL_NAME_MAX];
    size_t n_all = rug_lbp_get_facts(result)->n_histograms;
    size_t n = job->plan.options.n_operators;
    rug_status status = RUG_OK;
    if (job->plots.asked == NULL)
        return RUG_OK;
    if (job->planes == CLI_LBP_PLANES_ALL)
        snprintf(of_plane, sizeof of_plane, "%s[plane=%s]", image->name,
                 plane_name(plane));
    else
        snprintf(of_plane, sizeof of_plane, "%s", image->name);
    for (size_t i = 0; i + n <= n_all && status == RUG_OK; i += n) {
        cli_name_label(name, of_plane, rug_lbp_at(result, i)->label);
        status =
            draw_label(run, job, labels->path != NULL ? name : of_plane, result, i, n);
    }
    return status;
}

/* ---- Maps ---- */

typedef struct plane_maps {
    cli_run *run;
    uint32_t n;
    rug_image_writer *writer[RUG_LBP_MAX_OPERATORS]; /* NULL: not begun, or ended */
} plane_maps;

static rug_status write_rows(void *user, const rug_lbp_rows *rows)
{
    plane_maps *m = user;
    return rug_image_writer_add(m->run->ctx, m->writer[rows->op], rows->codes, rows->n);
}

/* What follows the image's name: the plane, and of several operators which. */
static void format_suffix(char text[64], const cli_lbp_job *job, int plane, uint32_t i)
{
    const rug_lbp_operator *op = &job->plan.op[i];
    int n = plane > 0 ? snprintf(text, 64, "-%s", plane_name(plane)) : 0;
    char radius[RUGI_REAL_TEXT_MAX]; /* all digits, or two may become one name */
    rugi_format_real(radius, op->radius);
    text[n] = '\0';
    if (job->plan.options.n_operators > 1)
        snprintf(text + n, 64 - (size_t)n, "-%u-%s", op->points, radius);
}

static rug_status begin_map(cli_run *run, cli_lbp_job *job, const cli_image *image,
                            int plane, const rug_lbp_options *opts, uint32_t i,
                            plane_maps *m)
{
    static const int axes[][3] = {{0, 1, 2}, {0, 1, 2}, {1, 0, 2}, {2, 0, 1}};
    char suffix[64];
    cli_map map = {.name = job->values.map,
                   .suffix = suffix,
                   .axes = axes[plane],
                   .has_nodata =
                       opts->border == RUG_LBP_BORDER_SKIP || opts->leave_out_nan};
    map.nodata = (double)rug_lbp_n_codes(opts->method, job->plan.op[i].points);
    format_suffix(suffix, job, plane, i);
    rug_status status = rug_lbp_map_dtype(run->ctx, &map.dtype, opts, i);
    return status == RUG_OK ? cli_open_map(run, &m->writer[i], &job->maps, image, &map)
                            : status;
}

static rug_status end_maps(cli_run *run, plane_maps *m, rug_status status)
{
    if (m == NULL)
        return status;
    for (uint32_t i = 0; i < m->n; i++)
        if (status == RUG_OK)
            status = rug_image_writer_commit(run->ctx, m->writer[i]);
        else
            rug_image_writer_discard(m->writer[i]);
    free(m);
    return status;
}

static rug_status begin_maps(cli_run *run, cli_lbp_job *job, const cli_image *image,
                             int plane, rug_lbp_options *opts, plane_maps **out)
{
    *out = NULL;
    if (job->values.map == NULL)
        return RUG_OK;
    plane_maps *m = calloc(1, sizeof *m);
    if (m == NULL)
        return rug_context_fail(run->ctx, RUG_E_NOMEM, "--map: out of memory");
    m->run = run;
    m->n = opts->n_operators;
    rug_status status = RUG_OK;
    for (uint32_t i = 0; i < m->n && status == RUG_OK; i++)
        status = begin_map(run, job, image, plane, opts, i, m);
    if (status != RUG_OK)
        return end_maps(run, m, status);
    opts->map = write_rows;
    opts->map_user = m;
    *out = m;
    return RUG_OK;
}

/* ---- Measuring ---- */

/* What goes with one image. */
typedef struct measure {
    cli_labels labels;
    void *parts; /* the image was measured in parts; owned */
    double seconds;
    size_t n_labels;
    int is_printed;
    const char *engine;
} measure;

static rug_status check_planes(cli_run *run, const cli_lbp_job *job,
                               const cli_image *image)
{
    if (image->pixels->ndim == 3 && job->planes == 0)
        return rug_context_fail(
            run->ctx, RUG_E_ARG,
            "a volume of %zux%zux%zu pixels: patterns are measured on planes; choose "
            "--planes xy (its slices), xz, yz or all (three histograms: LBP-TOP), or one "
            "page of a TIFF file with --page",
            image->pixels->shape[0], image->pixels->shape[1], image->pixels->shape[2]);
    if (image->pixels->ndim == 2 && job->planes > 0)
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "an image has no planes; leave out --planes, or read "
                                "pages as a volume with --volume");
    return RUG_OK;
}

/* Prints what was read, once. */
static void print_once(cli_run *run, const cli_lbp_job *job, const cli_image *image,
                       measure *m)
{
    char labels[64] = "";
    if (m->is_printed)
        return;
    m->is_printed = 1;
    if (m->labels.path != NULL)
        snprintf(labels, sizeof labels, "%zu label%s", m->n_labels,
                 m->n_labels == 1 ? "" : "s");
    cli_lbp_print(run, image, &job->plan.options, m->labels.path != NULL ? labels : NULL);
    cli_lbp_warn_values(run, image, &job->plan.options);
    cli_warn_of_labels(run, &m->labels, m->n_labels);
}

static rug_status measure_plane(cli_run *run, cli_lbp_job *job, const cli_image *image,
                                int plane, measure *m)
{
    rug_lbp_options opts = job->plan.options;
    rug_lbp_result *result = NULL;
    plane_maps *maps;
    opts.planes = (rug_lbp_planes)plane;
    opts.leave_out_nan = cli_lacks_data(image) ? 1 : 0;
    if (m->labels.path != NULL)
        opts.labels = &m->labels.twin.source;
    rug_status status = begin_maps(run, job, image, plane, &opts, &maps);
    if (status == RUG_OK) {
        status =
            m->parts != NULL
                ? cli_lbp_finish_parts(
                      run, m->parts,
                      job->planes == CLI_LBP_PLANES_ALL ? (size_t)plane - 1 : 0, &result)
                : cli_lbp_code(run, &result, image, &opts, &m->seconds);
        status = end_maps(run, maps, status);
    }
    if (status == RUG_OK && !m->is_printed)
        status = cli_show_image(run, image, &(cli_shown){NULL, opts.labels});
    if (status == RUG_OK) {
        m->engine = cli_engine_of(run, rug_lbp_get_facts(result)->engine);
        m->n_labels = rug_lbp_get_facts(result)->n_labels;
        add_rows(run, job, image, plane, result, &m->labels);
        print_once(run, job, image, m);
        if (m->labels.path == NULL)
            cli_lbp_warn_empty(run, image, &opts, result);
        status = draw(run, job, image, plane, result, &m->labels);
    }
    rug_lbp_free(result);
    return status;
}

/* The planes that are asked for. */
static rug_status measure_planes(cli_run *run, cli_lbp_job *job, const cli_image *image,
                                 measure *m)
{
    int all = job->planes == CLI_LBP_PLANES_ALL;
    int first = all ? 1 : job->planes, last = all ? CLI_LBP_N_PLANES : job->planes;
    rug_status status = RUG_OK;
    if (run->parts != NULL) {
        double start = cli_now();
        status = cli_lbp_measure_parts(run, image, job, &m->labels, &m->parts);
        m->seconds = cli_now() - start;
        if (m->parts == NULL)
            return status;
    }
    for (int plane = first; plane <= last && status == RUG_OK; plane++)
        status = measure_plane(run, job, image, plane, m);
    if (status == RUG_OK)
        cli_lbp_print_times(run, image, m->seconds, m->engine);
    return status;
}

rug_status cli_lbp_image(cli_run *run, const cli_image *image, void *user)
{
    cli_lbp_job *job = user;
    measure m = {.engine = "none"};
    rug_status status = check_planes(run, job, image);
    if (status == RUG_OK)
        status = cli_read_labels(run, &m.labels, image);
    if (status == RUG_OK)
        status = measure_planes(run, job, image, &m);
    cli_lbp_free_parts(m.parts);
    status = cli_end_labels(run, &m.labels, status);
    return cli_end_sheets(run, &job->plots, status);
}
