/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The multifractal spectrum: lines through the moments of all sizes of one range. */

#include <rugose/multifractal.h>

#include "core/context/context_internal.h"
#include "core/fit/scaling.h"
#include "multifractal/moments/multifractal_moments.h"
#include <math.h>
#include <string.h>

/* What all orders have in common. */
typedef struct spectrum {
    const rug_masses *masses;
    rugi_scaling_points points; /* of the support */
    const char *status;
} spectrum;

/* The boxes of a level that could have a mass: all, or those that the mask leaves. */
static double total_of(const rug_masses *m, uint32_t level)
{
    double n = 1;
    if (m->is_points)
        return (double)m->point_boxes[level];
    if (m->inside != NULL)
        return (double)rugi_mass_level_boxes(&m->inside->levels[level]);
    for (int a = 0; a < 3; a++)
        n *= (double)(((m->plan.shape[a] - 1) >> level) + 1);
    return n;
}

/* The sizes that rug_boxcount_fit() takes of the support. */
static void choose_range(spectrum *s, rugi_scaling_range range)
{
    const rug_masses *m = s->masses;
    rug_masses_facts facts;
    uint64_t sizes[RUGI_MASSES_LEVELS];
    double boxes[RUGI_MASSES_LEVELS], totals[RUGI_MASSES_LEVELS];
    rug_masses_get_facts(m, &facts);
    for (uint32_t l = 0; l < m->plan.n_levels; l++) {
        sizes[l] = (uint64_t)1 << l;
        boxes[l] = (double)rugi_mass_level_boxes(&m->levels[l]);
        totals[l] = total_of(m, l);
    }
    rugi_scaling_collect_range(&s->points, range, facts.ndim, facts.shape,
                               m->plan.n_levels, sizes, boxes);
    s->status = "ok";
    if (range.is_auto)
        s->status = rugi_scaling_choose(&s->points, boxes,
                                        facts.n_set == facts.n_pixels ? NULL : totals);
    if (facts.total == 0)
        s->status = "empty";
    else if (s->points.n < 2)
        s->status = "too few sizes";
}

/* The line of one of the sums against ln(1 / size). */
static rugi_line line_of(const spectrum *s, const rug_moments *moments, size_t offset)
{
    double y[RUGI_MASSES_LEVELS];
    for (size_t i = 0; i < s->points.n; i++)
        y[i] = *(const double *)((const char *)&moments[s->points.index[i]] + offset);
    return rugi_fit_line(s->points.n, s->points.x, y);
}

#define LINE(sum) line_of(s, moments, offsetof(rug_moments, sum))

/* Slopes against ln s are those against ln(1 / s) with the other sign; + 0.0 turns -0
 * into 0. */
static void fit_order(const spectrum *s, rug_multifractal_order *out, double q,
                      const rug_moments *moments, const double *near_empty)
{
    rugi_line z = LINE(log_z), alpha = LINE(mu_log_p), f = LINE(mu_log_mu);
    int is_first = q == 1;
    *out = (rug_multifractal_order){.q = q, .status = s->status};
    out->tau = 0.0 - z.slope;
    out->tau_error = z.std_error;
    rugi_line d = is_first ? LINE(p_log_p) : z;
    out->dimension = is_first ? 0.0 - d.slope : d.slope / (1 - q) + 0.0;
    out->dimension_error = is_first ? d.std_error : d.std_error / fabs(1 - q);
    out->r_squared = d.r_squared;
    out->alpha = 0.0 - alpha.slope;
    out->alpha_error = alpha.std_error;
    out->f = 0.0 - f.slope;
    out->f_error = f.std_error;
    for (size_t i = 0; i < s->points.n; i++)
        out->near_empty = fmax(out->near_empty, near_empty[s->points.index[i]]);
    if (out->near_empty > 0.5 && strcmp(s->status, "ok") == 0)
        out->status = "near-empty boxes";
    if (s->points.n > 0) {
        out->size_min = (uint64_t)1 << s->points.index[0];
        out->size_max = (uint64_t)1 << s->points.index[s->points.n - 1];
    }
}

static rug_status fit_all(rug_context *ctx, rug_multifractal_order *out,
                          rug_masses *masses, const double *q, size_t n_q,
                          rugi_scaling_range range)
{
    size_t n = masses->plan.n_levels;
    spectrum s = {.masses = masses};
    choose_range(&s, range);
    rug_moments *moments = rug_context_allocate(ctx, n_q, n * sizeof *moments, "moments");
    double *near_empty =
        rug_context_allocate(ctx, n_q, n * sizeof *near_empty, "shares of boxes");
    rug_status status =
        moments != NULL && near_empty != NULL
            ? rugi_multifractal_sums(ctx, moments, near_empty, masses, q, n_q)
            : RUG_E_NOMEM;
    for (size_t k = 0; k < n_q && status == RUG_OK; k++)
        fit_order(&s, &out[k], q[k], moments + k * n, near_empty + k * n);
    rug_context_release(ctx, near_empty);
    rug_context_release(ctx, moments);
    return status;
}

rug_status rug_multifractal_fit(rug_context *ctx, rug_multifractal_order *out,
                                rug_masses *masses, const double *q, size_t n_q,
                                const rug_multifractal_fit_options *opts)
{
    static const rug_multifractal_fit_options defaults =
        RUG_MULTIFRACTAL_FIT_OPTIONS_INIT;
    if (ctx == NULL || out == NULL || masses == NULL || (q == NULL && n_q > 0))
        return rug_context_fail(ctx, RUG_E_ARG, "rug_multifractal_fit: NULL given");
    if (opts == NULL)
        opts = &defaults;
    if (!rugi_options_fit(ctx, opts->struct_size, sizeof *opts,
                          "rug_multifractal_fit_options"))
        return RUG_E_ARG;
    rugi_scaling_range range = {opts->auto_range, opts->size_min, opts->size_max};
    rug_status status = rugi_scaling_check(ctx, range);
    if (status == RUG_OK)
        status = rugi_orders_check(ctx, q, n_q);
    if (status == RUG_OK)
        status = rugi_masses_finish(ctx, masses);
    return status == RUG_OK ? fit_all(ctx, out, masses, q, n_q, range) : status;
}
