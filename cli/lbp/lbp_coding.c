/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Coding images by local binary patterns, for `lbp`, `train` and `classify`: the options that
 * say how, and an image that is coded. */

#include "lbp_coding.h"
#include "shared/nodata.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The read line names operators as far as they fit. */
#define EXTRA_MAX 640

/* ---- Options ---- */

static const char bad_operator[] =
    "--lbp: points and radius P,R expected, such as 16,2, with P from 1 to 32 and R above "
    "0, at most 1024";

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
        !rugi_parse_real(&op->radius, comma + 1) || !is_radius(op->radius))
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

const char *cli_lbp_parse(cli_run *run, cli_lbp_plan *plan, const cli_lbp_coding *coding)
{
    const char *problem = cli_check_exclusive(run, "lbp", "points");
    if (problem == NULL)
        problem = cli_check_exclusive(run, "lbp", "radius");
    *plan = (cli_lbp_plan){.options = RUG_LBP_OPTIONS_INIT};
    rug_lbp_options *o = &plan->options;
    o->operators = plan->op;
    o->n_operators = 1;
    o->method = (rug_lbp_method)coding->method;
    o->interpolation = (rug_lbp_interpolation)coding->interpolation;
    o->border = (rug_lbp_border)coding->border;
    o->exact = (rug_lbp_exact)coding->exact;
    plan->op[0] = (rug_lbp_operator){(uint32_t)coding->points, coding->radius, NULL, 0};
    return problem == NULL && coding->lbp.n > 0 ? parse_list(plan, &coding->lbp)
                                                : problem;
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
                         "use fewer points, or riu2 or nri_uniform",
                         rug_lbp_method_name(opts->method), op->points,
                         n_wanted(opts->method, op), RUG_LBP_MAX_BINS);
        return rug_context_error(run->ctx);
    }
    return NULL;
}

void cli_lbp_describe(cli_record *p, const rug_lbp_options *opts)
{
    for (uint32_t i = 0; i < opts->n_operators; i++) {
        const rug_lbp_operator *op = &opts->operators[i];
        cli_record *r = cli_record_new();
        cli_record_set_integer(r, "points", op->points);
        cli_record_set_real(r, "radius", op->radius);
        cli_record_set_integer(r, "bins", rug_lbp_n_bins(opts->method, op));
        cli_record_set_reals(r, "cuts", op->cuts, op->n_cuts);
        cli_record_append(p, "operators", r);
    }
    cli_record_set_text(p, "method", rug_lbp_method_name(opts->method));
    cli_record_set_text(p, "interpolation",
                        rug_lbp_interpolation_name(opts->interpolation));
    cli_record_set_text(p, "border", rug_lbp_border_name(opts->border));
    cli_record_set_text(p, "exact", rug_lbp_exact_name(opts->exact));
}

/* ---- One image ---- */

rug_status cli_lbp_check_image(cli_run *run, const cli_image *image)
{
    if (image->pixels->ndim == 2)
        return RUG_OK;
    return rug_context_fail(run->ctx, RUG_E_ARG,
                            "a volume of %zux%zux%zu pixels; textures are learnt from "
                            "images: save its slices as images",
                            image->pixels->shape[0], image->pixels->shape[1],
                            image->pixels->shape[2]);
}

rug_status cli_lbp_code(cli_run *run, rug_lbp_result **out, const cli_image *image,
                        const rug_lbp_options *opts, double *seconds)
{
    double start = cli_now();
    rug_lbp_options with = *opts;
    with.leave_out_nan = cli_lacks_data(image) ? 1 : 0;
    with.mask = image->mask_path != NULL ? &image->mask : NULL;
    rug_status status = rug_lbp_source(run->ctx, out, &image->source, &with);
    *seconds += cli_now() - start;
    return status;
}

void cli_lbp_print(cli_run *run, const cli_image *image, const rug_lbp_options *opts,
                   const char *extra)
{
    char text[EXTRA_MAX], all[EXTRA_MAX + 80];
    cli_lbp_format(text, sizeof text, opts);
    snprintf(all, sizeof all, "%s%s%s", text, extra != NULL ? ", " : "",
             extra != NULL ? extra : "");
    cli_print_read(run, image, all);
}

void cli_lbp_warn_values(cli_run *run, const cli_image *image,
                         const rug_lbp_options *opts)
{
    if (cli_is_real(image) && opts->method != RUG_LBP_VAR &&
        opts->interpolation == RUG_LBP_BILINEAR && opts->exact == RUG_LBP_EXACT_SKIMAGE)
        cli_warn(run,
                 "values are %s: rounding decides whether a sample equals its centre; "
                 "--exact decimal keeps flat areas flat",
                 rug_dtype_name(image->pixels->dtype));
    uint64_t n_nan = cli_is_real(image) ? cli_image_range(image)->n_nan : 0;
    n_nan = cli_nan_of_file(image->facts, n_nan);
    if (n_nan == 0)
        return;
    int has_variance = opts->method == RUG_LBP_VAR || opts->operators[0].n_cuts > 0;
    cli_warn(run, "%" PRIu64 " pixels are NaN; %s", n_nan,
             has_variance ? "circles that touch them have no variance and are not counted"
             : cli_lacks_data(image)
                 ? "circles that touch them are not counted"
                 : "the bits of samples next to them, and all bits of their own "
                   "patterns, are 0");
}

void cli_lbp_warn_empty(cli_run *run, const cli_image *image, const rug_lbp_options *opts,
                        const rug_lbp_result *result)
{
    for (size_t i = 0; i < rug_lbp_get_facts(result)->n_histograms; i++) {
        const rug_lbp_histogram *h = rug_lbp_at(result, i);
        const rug_lbp_operator *op = &opts->operators[h->op];
        if (h->n_bins == 0)
            cli_warn(
                run, "(%" PRIu32 ", %g) has no histogram, and pixels is nan: %s",
                op->points, op->radius,
                opts->method == RUG_LBP_VAR
                    ? "variances have no bins without --cuts"
                    : "so many points have more codes than a histogram may have bins");
        if (h->n_bins == 0 || h->pixels > 0)
            continue;
        cli_warn(run, "no pixel has a code of (%" PRIu32 ", %g)%s", op->points,
                 op->radius,
                 image->mask_path != NULL ? ": is the mask right?"
                 : opts->border == RUG_LBP_BORDER_SKIP
                     ? ": with --border skip the whole circle must lie inside the image"
                 : cli_lacks_data(image) ? ": all circles touch pixels without data"
                                         : ": the variance of every pixel is NaN");
    }
}

void cli_lbp_print_times(const cli_run *run, const cli_image *image, double code_seconds,
                         const char *engine)
{
    if (!cli_begin_times(run, image))
        return;
    cli_print(run->err, ", code %.3f ms", code_seconds * 1e3);
    cli_end_times(run, engine, "");
}
