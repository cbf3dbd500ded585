/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The plot of `rugose multifractal --method moments`: f(alpha), and D of each order, with standard
 * errors. Orders that say nothing are hollow, and a line says why there is no spectrum. */

#include "cmd_multifractal.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TEXT_MAX 256

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
            double rise = o->dimension - cli_multifractal_error(o->dimension_error) -
                          lowest->dimension -
                          cli_multifractal_error(lowest->dimension_error) -
                          CLI_MULTIFRACTAL_ROUNDING;
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

int cli_multifractal_find_rise(const cli_multifractal_job *job,
                               const cli_multifractal_found *found,
                               const rug_multifractal_order *ends[2])
{
    ends[0] = ends[1] = NULL;
    find_rise(job, found, 0, ends);
    if (ends[1] == NULL)
        find_rise(job, found, -RUG_MULTIFRACTAL_Q_MAX, ends);
    return ends[1] != NULL;
}

/* Orders in their order. */
typedef struct order_points {
    double alpha[CLI_MULTIFRACTAL_MAX_Q];
    double f[CLI_MULTIFRACTAL_MAX_Q], f_low[CLI_MULTIFRACTAL_MAX_Q],
        f_high[CLI_MULTIFRACTAL_MAX_Q];
    double d[CLI_MULTIFRACTAL_MAX_Q], d_low[CLI_MULTIFRACTAL_MAX_Q],
        d_high[CLI_MULTIFRACTAL_MAX_Q];
    uint8_t is_hollow[CLI_MULTIFRACTAL_MAX_Q];
    size_t n_near_empty, n_outside;
} order_points;

static void collect(order_points *p, const cli_multifractal_job *job,
                    const cli_multifractal_found *found)
{
    p->n_near_empty = p->n_outside = 0;
    for (size_t i = 0; i < job->n_q; i++) {
        const rug_multifractal_order *o = cli_multifractal_order(found, i);
        int is_near_empty = o->status == RUG_FIT_NEAR_EMPTY_BOXES;
        int is_outside = cli_multifractal_excess(job, found, i) > 0;
        p->n_near_empty += (size_t)is_near_empty;
        p->n_outside += (size_t)is_outside;
        p->is_hollow[i] = is_near_empty || is_outside;
        p->alpha[i] = o->alpha;
        p->f[i] = o->f;
        p->f_low[i] = o->f - o->f_error;
        p->f_high[i] = o->f + o->f_error;
        p->d[i] = o->dimension;
        p->d_low[i] = o->dimension - o->dimension_error;
        p->d_high[i] = o->dimension + o->dimension_error;
    }
}

static const char *name_hollow(const order_points *p)
{
    return p->n_outside == 0      ? "near-empty boxes"
           : p->n_near_empty == 0 ? "f(\xCE\xB1) outside 0 to D\xE2\x82\x80"
                                  : "near-empty boxes, or f(\xCE\xB1) outside 0 to "
                                    "D\xE2\x82\x80";
}

/* Why there is no spectrum, or why it says little. @return that in a word or two, NULL: it is one */
static const char *format_note(char text[TEXT_MAX], const cli_multifractal_job *job,
                               const cli_multifractal_found *found, const order_points *p)
{
    static const char none[] = "no spectrum";
    const rug_multifractal_order *ends[2];
    int does_rise = cli_multifractal_find_rise(job, found, ends);
    rug_fit_status status = found->fit->status;
    if (p->n_outside == 0 && !does_rise) {
        const char *name = rug_fit_status_name(status);
        int is_weak = status == RUG_FIT_DOUBTFUL || status == RUG_FIT_NO_SCALING_RANGE;
        snprintf(text, TEXT_MAX, "%s: %s", is_weak ? "the spectrum says little" : none,
                 name);
        return status == RUG_FIT_OK ? NULL : is_weak ? name : none;
    }
    int n = snprintf(text, TEXT_MAX, "%s: ", none);
    if (p->n_outside > 0)
        n += snprintf(
            text + n, TEXT_MAX - (size_t)n,
            "f(\xCE\xB1) is below 0 or above D\xE2\x82\x80 at %zu of %zu orders%s",
            p->n_outside, job->n_q, does_rise ? "; " : "");
    if (does_rise)
        snprintf(text + n, TEXT_MAX - (size_t)n, "D rises with q from q = %g to q = %g",
                 ends[0]->q, ends[1]->q);
    return none;
}

/* @param with_errors  as there is room alone, but not among others */
static void format_dimensions(char text[TEXT_MAX], const cli_multifractal_job *job,
                              const cli_multifractal_found *found, int with_errors)
{
    int n = 0;
    for (size_t i = 0; i < CLI_MULTIFRACTAL_N_MAIN; i++) {
        const rug_multifractal_order *o = cli_multifractal_main(job, found, i);
        n += snprintf(text + n, TEXT_MAX - (size_t)n, "%sD\xE2\x82%c = %.4f",
                      i > 0 ? ", " : "", (char)(0x80 + i), o->dimension);
        if (with_errors && !isnan(o->dimension_error))
            n += snprintf(text + n, TEXT_MAX - (size_t)n, " \xC2\xB1 %.4f",
                          o->dimension_error);
    }
}

static rug_status draw(cli_run *run, cli_multifractal_job *job, const char *name,
                       const cli_multifractal_found *found, const order_points *p)
{
    char dimensions[TEXT_MAX], summary[TEXT_MAX], note[TEXT_MAX];
    const char *mark = format_note(note, job, found, p);
    format_dimensions(dimensions, job, found, 1);
    format_dimensions(summary, job, found, 0);
    const cli_plot_series f = {.title = dimensions,
                               .style = CLI_PLOT_LINE_POINTS,
                               .n = job->n_q,
                               .x = p->alpha,
                               .y = p->f,
                               .low = p->f_low,
                               .high = p->f_high,
                               .is_hollow = p->is_hollow,
                               .hollow_title = name_hollow(p)};
    const cli_plot_series d = {.style = CLI_PLOT_LINE_POINTS,
                               .n = job->n_q,
                               .x = job->q,
                               .y = p->d,
                               .low = p->d_low,
                               .high = p->d_high,
                               .is_hollow = p->is_hollow};
    const cli_plot_panel panels[] = {
        {.x_label = "\xCE\xB1", .y_label = "f(\xCE\xB1)", .n_series = 1, .series = &f},
        {"order q", "D_q", 0, 0, 1, &d, .has_subscript = 1},
    };
    const cli_plot_sheet sheet = {.summary = summary,
                                  .note = mark != NULL ? note : NULL,
                                  .mark = mark,
                                  .n_panels = 2,
                                  .panels = panels};
    return cli_draw(run, &job->plots, name, &sheet);
}

rug_status cli_multifractal_draw(cli_run *run, cli_multifractal_job *job,
                                 const char *name, const cli_multifractal_found *found)
{
    if (job->plots.asked == NULL)
        return RUG_OK;
    order_points *p = malloc(sizeof *p); /* too much for a stack */
    if (p == NULL)
        return rug_context_fail(run->ctx, RUG_E_NOMEM, "--plot: out of memory");
    collect(p, job, found);
    rug_status status = draw(run, job, name, found, p);
    free(p);
    return status;
}
