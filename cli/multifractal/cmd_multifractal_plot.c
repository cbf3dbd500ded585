/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The plots of `rugose multifractal`: the spectrum f(alpha), and below it D of each order,
 * or the pixels of each slice. */

#include "cmd_multifractal.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Points of orders, in their order: those that say something, and those of boxes that are
 * nearly empty. */
typedef struct order_points {
    double alpha[CLI_MULTIFRACTAL_MAX_Q];
    double f[CLI_MULTIFRACTAL_MAX_Q], f_doubtful[CLI_MULTIFRACTAL_MAX_Q];
    double d[CLI_MULTIFRACTAL_MAX_Q], d_doubtful[CLI_MULTIFRACTAL_MAX_Q];
} order_points;

/* @return whether there are any of the second kind */
static int collect(order_points *p, const cli_multifractal_job *job,
                   const cli_multifractal_found *found)
{
    int any = 0;
    for (size_t i = 0; i < job->n_q; i++) {
        const rug_multifractal_order *o = &found->order[i];
        int is_doubtful = strcmp(o->status, "near-empty boxes") == 0;
        any |= is_doubtful;
        p->alpha[i] = o->alpha;
        p->f[i] = is_doubtful ? (double)NAN : o->f;
        p->f_doubtful[i] = is_doubtful ? o->f : (double)NAN;
        p->d[i] = is_doubtful ? (double)NAN : o->dimension;
        p->d_doubtful[i] = is_doubtful ? o->dimension : (double)NAN;
    }
    return any;
}

rug_status cli_multifractal_plot_orders(cli_run *run, cli_multifractal_job *job,
                                        const char *name,
                                        const cli_multifractal_found *found)
{
    char path[CLI_PATH_MAX], dimensions[128];
    order_points p;
    if (job->values.plot == NULL)
        return RUG_OK;
    rug_status status = cli_claim_plot(run, &job->plots, path, job->values.plot, name);
    if (status != RUG_OK)
        return status;
    size_t n_series = collect(&p, job, found) ? 2 : 1;
    snprintf(dimensions, sizeof dimensions, "D0 = %.4f, D1 = %.4f, D2 = %.4f",
             found->main[0].dimension, found->main[1].dimension,
             found->main[2].dimension);
    const rug_plot_series f[] = {
        {dimensions, RUG_PLOT_LINE_POINTS, job->n_q, p.alpha, p.f},
        {"near-empty boxes", RUG_PLOT_OPEN_POINTS, job->n_q, p.alpha, p.f_doubtful},
    };
    const rug_plot_series d[] = {
        {NULL, RUG_PLOT_LINE_POINTS, job->n_q, job->q, p.d},
        {NULL, RUG_PLOT_OPEN_POINTS, job->n_q, job->q, p.d_doubtful},
    };
    const rug_plot_panel panels[] = {
        {"alpha", "f(alpha)", 0, 0, n_series, f},
        {"order q", "D", 0, 0, n_series, d},
    };
    return rug_plot_write(run->ctx, path, name, 2, panels);
}

rug_status cli_multifractal_plot_slices(cli_run *run, cli_multifractal_job *job,
                                        const char *name,
                                        const cli_multifractal_sliced *found)
{
    char path[CLI_PATH_MAX];
    double alpha[RUG_ALPHA_MAX_SLICES], f[RUG_ALPHA_MAX_SLICES];
    double pixels[RUG_ALPHA_MAX_SLICES];
    size_t n = found->result.n_slices;
    if (job->values.plot == NULL)
        return RUG_OK;
    rug_status status = cli_claim_plot(run, &job->plots, path, job->values.plot, name);
    if (status != RUG_OK)
        return status;
    for (size_t i = 0; i < n; i++) {
        const rug_alpha_slice *s = &found->slices[i];
        alpha[i] = (s->alpha_min + s->alpha_max) / 2;
        f[i] = s->f;
        pixels[i] = (double)s->n_pixels;
    }
    const rug_plot_series dimensions[] = {
        {NULL, RUG_PLOT_LINE_POINTS, n, alpha, f},
    };
    const rug_plot_series counts[] = {
        {NULL, RUG_PLOT_LINE_POINTS, n, alpha, pixels},
    };
    const rug_plot_panel panels[] = {
        {"alpha", "f(alpha)", 0, 0, 1, dimensions},
        {"alpha", "pixels", 0, 1, 1, counts},
    };
    return rug_plot_write(run->ctx, path, name, 2, panels);
}
