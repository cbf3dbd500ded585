/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Options that say how images are coded by local binary patterns: read, checked and put
 * down in the report. */

#include "lbp_coding.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char bad_operator[] =
    "--lbp: points and radius P,R expected, such as 16,2, with P from 1 to 32 and R above "
    "0 up to 1024";
static const char bad_radius[] = "--radius: a number above 0 up to 1024 expected";

static int is_radius(double radius)
{
    return radius > 0 && radius <= RUG_LBP_MAX_RADIUS;
}

/* "16,2". @return 0, or -1 */
static int parse_operator(rug_lbp_operator *op, const char *text)
{
    char points[8] = "";
    int n = 0;
    const char *comma = strchr(text, ',');
    if (comma == NULL || comma - text >= (ptrdiff_t)sizeof points)
        return -1;
    memcpy(points, text, (size_t)(comma - text));
    if (cli_parse_int(&n, points, 1, RUG_LBP_MAX_POINTS) != 0 ||
        !rug_parse_real(&op->radius, comma + 1) || !is_radius(op->radius))
        return -1;
    op->points = (uint32_t)n;
    return 0;
}

static const char *parse_list(cli_lbp_plan *plan, const cli_texts *lbp)
{
    if (lbp->n > RUG_LBP_MAX_OPERATORS)
        return "--lbp: at most 16 operators expected";
    for (size_t i = 0; i < lbp->n; i++) {
        if (parse_operator(&plan->op[i], lbp->items[i]) != 0)
            return bad_operator;
        for (size_t k = 0; k < i; k++)
            if (plan->op[k].points == plan->op[i].points &&
                plan->op[k].radius == plan->op[i].radius)
                return "--lbp: the same operator is given twice";
    }
    plan->options.n_operators = (uint32_t)lbp->n;
    return NULL;
}

const char *cli_lbp_parse(cli_lbp_plan *plan, const cli_lbp_coding *coding)
{
    *plan = (cli_lbp_plan){.op = {{8, 1, NULL, 0}}, .options = RUG_LBP_OPTIONS_INIT};
    rug_lbp_options *o = &plan->options;
    o->operators = plan->op;
    o->n_operators = 1;
    o->method = (rug_lbp_method)coding->method;
    o->interpolation = (rug_lbp_interpolation)coding->interpolation;
    o->border = (rug_lbp_border)coding->border;
    o->exact = (rug_lbp_exact)coding->exact;
    if (coding->lbp.n > 0)
        return coding->points != 0 || coding->radius != NULL
                   ? "--lbp has points and radius; leave out --points and --radius"
                   : parse_list(plan, &coding->lbp);
    if (coding->points != 0)
        plan->op[0].points = (uint32_t)coding->points;
    if (coding->radius != NULL && (!rug_parse_real(&plan->op[0].radius, coding->radius) ||
                                   !is_radius(plan->op[0].radius)))
        return bad_radius;
    return NULL;
}

/* How many bins there would be. ROR: patterns that differ by more than a rotation
 * (Burnside). */
static double n_wanted(rug_lbp_method method, const rug_lbp_operator *op)
{
    double n = (double)rug_lbp_n_codes(method, op->points);
    if (method == RUG_LBP_ROR) {
        n = 0;
        for (uint32_t k = 1; k <= op->points; k++) {
            uint32_t a = op->points, b = k;
            while (b != 0) {
                uint32_t rest = a % b;
                a = b;
                b = rest;
            }
            n += (double)((uint64_t)1 << a);
        }
        n /= op->points;
    }
    return n * (op->n_cuts + 1.0);
}

const char *cli_lbp_check_bins(cli_run *run, const rug_lbp_options *opts)
{
    for (uint32_t i = 0; i < opts->n_operators; i++) {
        const rug_lbp_operator *op = &opts->operators[i];
        if (rug_lbp_n_bins(opts->method, op) > 0)
            continue;
        rug_context_fail(run->ctx, RUG_E_ARG,
                         "method %s with %" PRIu32 " points has %.0f bins, more than %d: "
                         "take fewer points, or riu2 or nri_uniform",
                         rug_lbp_method_name(opts->method), op->points,
                         n_wanted(opts->method, op), RUG_LBP_MAX_BINS);
        return rug_context_error(run->ctx);
    }
    return NULL;
}

void cli_lbp_describe(rug_record *p, const rug_lbp_options *opts)
{
    for (uint32_t i = 0; i < opts->n_operators; i++) {
        const rug_lbp_operator *op = &opts->operators[i];
        rug_record *r = rug_record_new();
        rug_record_set_integer(r, "points", op->points);
        rug_record_set_real(r, "radius", op->radius);
        rug_record_set_integer(r, "bins", rug_lbp_n_bins(opts->method, op));
        rug_record_set_reals(r, "cuts", op->cuts, op->n_cuts);
        rug_record_append(p, "operators", r);
    }
    cli_set_choice(p, "method", CLI_LBP_METHOD, (int)opts->method);
    cli_set_choice(p, "interpolation", CLI_LBP_INTERPOLATION, (int)opts->interpolation);
    cli_set_choice(p, "border", CLI_LBP_BORDER, (int)opts->border);
    cli_set_choice(p, "exact", CLI_LBP_EXACT, (int)opts->exact);
}

void cli_lbp_format(char *text, size_t size, const rug_lbp_options *opts)
{
    int n = snprintf(text, size, "%s", rug_lbp_method_name(opts->method));
    size_t at = (size_t)n;
    for (uint32_t i = 0; i < opts->n_operators && at < size; i++) {
        const rug_lbp_operator *op = &opts->operators[i];
        uint32_t n_bins = rug_lbp_n_bins(opts->method, op);
        char bins[16] = "no";
        if (n_bins > 0)
            snprintf(bins, sizeof bins, "%" PRIu32, n_bins);
        n = snprintf(text + at, size - at, "%s (%" PRIu32 ", %g) %s bins",
                     i > 0 ? "," : "", op->points, op->radius, bins);
        at += (size_t)n;
    }
}
