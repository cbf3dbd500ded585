/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The plan: options are checked, and turned into offsets, weights, numbers of bins and
 * tables. What a pattern becomes by each method is here, too, one pattern at a time: the
 * truth for all tables and kernels. */

#include "lbp_plan.h"
#include "core/context/names.h"
#include "core/context/sized.h"
#include "core/context/small.h"
#include <math.h>
#include <rugose/lbp_parts.h>
#include <string.h>

/* ---- Patterns to codes ---- */

static uint32_t mask_of(uint32_t points)
{
    return points == 32 ? UINT32_MAX : ((uint32_t)1 << points) - 1;
}

/* One step round the circle: bit i takes the place of bit i - 1. */
static uint32_t rotate(uint32_t pattern, uint32_t points)
{
    return (pattern >> 1) | ((pattern & 1) << (points - 1));
}

static uint32_t ones_of(uint32_t pattern)
{
    return (uint32_t)__builtin_popcount(pattern);
}

/* At most two changes round the circle (Ojala et al. 2002, equation 10). */
static int is_uniform(uint32_t pattern, uint32_t points)
{
    return ones_of(pattern ^ rotate(pattern, points)) <= 2;
}

static uint32_t least_rotation(uint32_t pattern, uint32_t points)
{
    uint32_t least = pattern;
    for (uint32_t i = 1; i < points; i++) {
        pattern = rotate(pattern, points);
        if (pattern < least)
            least = pattern;
    }
    return least;
}

/* Uniform patterns by their number of ones, then by where the ones lie; scikit-image's
 * numbers. */
static uint32_t uniform_number(uint32_t pattern, uint32_t points)
{
    uint32_t n = ones_of(pattern);
    if (!is_uniform(pattern, points))
        return points * (points - 1) + 2;
    if (n == 0)
        return 0;
    if (n == points)
        return points * (points - 1) + 1;
    uint32_t first_one = (uint32_t)__builtin_ctz(pattern);
    uint32_t first_zero = (uint32_t)__builtin_ctz(~pattern);
    uint32_t turn = first_one == 0 ? n - first_zero : points - first_one;
    return 1 + (n - 1) * points + turn;
}

uint32_t rugi_lbp_code_of(rug_lbp_method method, uint32_t points, uint32_t pattern)
{
    switch (method) {
    case RUG_LBP_RIU2: return is_uniform(pattern, points) ? ones_of(pattern) : points + 1;
    case RUG_LBP_ROR: return least_rotation(pattern, points);
    case RUG_LBP_NRI_UNIFORM: return uniform_number(pattern, points);
    case RUG_LBP_DEFAULT:
    case RUG_LBP_VAR: break;
    }
    return pattern;
}

void rugi_lbp_rank_rotations(uint32_t points, uint32_t *table)
{
    uint32_t n = 0;
    for (uint32_t pattern = 0; pattern <= mask_of(points); pattern++)
        table[pattern] = least_rotation(pattern, points) == pattern ? n++ : UINT32_MAX;
}

/* ---- Offsets and weights ---- */

/* numpy.round(x, 5), as scikit-image rounds offsets. */
static double round5(double x)
{
    return rint(x * 1e5) / 1e5;
}

/* The weight of the upper pixel in 1e-5; 0 where the offset is whole. */
static int32_t weight_of(double offset)
{
    return (int32_t)lrint((offset - floor(offset)) * RUGI_LBP_DECIMAL);
}

static void place_point(rugi_lbp_point *p, double row, double col, int is_nearest)
{
    p->row = is_nearest ? floor(row + 0.5) : row;
    p->col = is_nearest ? floor(col + 0.5) : col;
    p->top = (int)floor(p->row);
    p->bottom = (int)ceil(p->row);
    p->left = (int)floor(p->col);
    p->right = (int)ceil(p->col);
    p->row_weight = weight_of(p->row);
    p->col_weight = weight_of(p->col);
}

static void number_column(rugi_lbp_operator *op, rugi_lbp_point *p)
{
    uint32_t k = 0;
    while (k < op->n_columns && op->column[k] != p->col)
        k++;
    p->column = (int)k;
    if (k < op->n_columns)
        return;
    op->column[k] = p->col;
    op->column_left[k] = p->left;
    op->column_weight[k] = p->col_weight;
    op->n_columns++;
}

static void reach(size_t *least, int pixels)
{
    if (pixels > 0 && (size_t)pixels > *least)
        *least = (size_t)pixels;
}

/* Ojala et al. 2002, section 2.1, with rows downwards. scikit-image takes the radius in
 * single precision, which shows where an offset is rounded. */
static void place_points(rugi_lbp_operator *op, float given_radius, int is_nearest)
{
    const double radius = (double)given_radius;
    const double pi = 3.14159265358979323846;
    for (uint32_t i = 0; i < op->points; i++) {
        rugi_lbp_point *p = &op->point[i];
        double angle = 2 * pi * i / op->points;
        place_point(p, round5(-radius * sin(angle)), round5(radius * cos(angle)),
                    is_nearest);
        number_column(op, p);
        reach(&op->above, -p->top);
        reach(&op->below, p->bottom);
        reach(&op->before, -p->left);
        reach(&op->behind, p->right);
    }
}

/* ---- Numbers of codes and bins ---- */

uint64_t rug_lbp_n_codes(rug_lbp_method method, uint32_t points)
{
    switch (method) {
    case RUG_LBP_RIU2: return points + 2;
    case RUG_LBP_DEFAULT:
    case RUG_LBP_ROR: return (uint64_t)1 << points;
    case RUG_LBP_NRI_UNIFORM: return (uint64_t)points * (points - 1) + 3;
    case RUG_LBP_VAR: return 0;
    }
    return 0;
}

static uint32_t greatest_divisor(uint32_t a, uint32_t b)
{
    return b == 0 ? a : greatest_divisor(b, a % b);
}

/* Patterns that differ by more than a rotation (Burnside). */
static uint64_t n_rotations(uint32_t points)
{
    uint64_t sum = 0;
    for (uint32_t k = 1; k <= points; k++)
        sum += (uint64_t)1 << greatest_divisor(k, points);
    return sum / points;
}

uint32_t rug_lbp_n_bins(rug_lbp_method method, const rug_lbp_operator *op)
{
    if (op == NULL || op->points < 1 || op->points > RUG_LBP_MAX_POINTS)
        return 0;
    uint64_t n = rug_lbp_n_codes(method, op->points);
    if (method == RUG_LBP_ROR)
        n = n_rotations(op->points);
    if (method == RUG_LBP_VAR)
        n = op->n_cuts > 0;
    n *= (uint64_t)op->n_cuts + 1;
    return n <= RUG_LBP_MAX_BINS ? (uint32_t)n : 0;
}

/* "No code" has a number only where pixels lack one. */
static int find_code_dtype(rugi_lbp_operator *op, const rugi_lbp_plan *plan)
{
    int may_lack = plan->border == RUG_LBP_BORDER_SKIP || plan->leaves_out_nan;
    uint64_t most = op->n_codes - 1 + (may_lack ? 1 : 0);
    op->no_code = op->n_codes;
    op->code_dtype = most <= UINT8_MAX ? RUG_U8 : most <= UINT16_MAX ? RUG_U16 : RUG_U32;
    if (plan->method == RUG_LBP_VAR)
        op->code_dtype = RUG_F64;
    return plan->method == RUG_LBP_VAR || most <= UINT32_MAX;
}

/* ---- Options ---- */

static rug_status check_cuts(rug_context *ctx, const rug_lbp_operator *op)
{
    for (uint32_t i = 0; i < op->n_cuts; i++)
        if (!(op->cuts[i] > (i > 0 ? op->cuts[i - 1] : 0)) || isinf(op->cuts[i]))
            return rug_context_fail(
                ctx, RUG_E_ARG,
                "cut %u of the variance is %g; finite numbers above 0 "
                "in ascending order expected",
                i, op->cuts[i]);
    return RUG_OK;
}

static rug_status check_operator(rug_context *ctx, const rug_lbp_operator *op)
{
    if (op->points < 1 || op->points > RUG_LBP_MAX_POINTS)
        return rug_context_fail(ctx, RUG_E_ARG, "%u points given, 1..%d expected",
                                op->points, RUG_LBP_MAX_POINTS);
    if (!(op->radius > 0 && op->radius <= RUG_LBP_MAX_RADIUS))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "radius %g given, a number above 0 and up to %d expected",
                                op->radius, RUG_LBP_MAX_RADIUS);
    if (op->n_cuts > 0 && op->cuts == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "%u cuts given, but they are NULL",
                                op->n_cuts);
    if (op->n_cuts >= RUG_LBP_MAX_BINS)
        return rug_context_fail(ctx, RUG_E_ARG, "%u cuts given, at most %d expected",
                                op->n_cuts, RUG_LBP_MAX_BINS - 1);
    return check_cuts(ctx, op);
}

static int is_in(int value, int most)
{
    return value >= 0 && value <= most;
}

static rug_status check_together(rug_context *ctx, const rug_lbp_options *opts,
                                 const rug_lbp_operator *ops, uint32_t n)
{
    int needs_variance = opts->method == RUG_LBP_VAR;
    for (uint32_t i = 0; i < n; i++)
        needs_variance |= ops[i].n_cuts > 0;
    if (needs_variance && opts->interpolation == RUG_LBP_HARDWARE)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "the variance is not made of what hardware interpolates: "
                                "use the interpolation 'bilinear'");
    if (opts->exact == RUG_LBP_EXACT_SKIMAGE)
        return RUG_OK;
    if (needs_variance)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "the variance is computed in double precision: leave the "
                                "rule of exactness at 'skimage'");
    if (opts->interpolation == RUG_LBP_NEAREST)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "nearest pixels need no rule of exactness: leave it at "
                                "'skimage'");
    if (opts->interpolation == RUG_LBP_HARDWARE)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "hardware interpolates by a rule of its own: leave the rule "
            "of exactness at 'skimage'");
    return RUG_OK;
}

static rug_status check_options(rug_context *ctx, const rug_lbp_options *opts,
                                const rug_lbp_operator *ops, uint32_t n)
{
    if (!is_in((int)opts->method, RUG_LBP_VAR) ||
        !is_in((int)opts->interpolation, RUG_LBP_HARDWARE) ||
        !is_in((int)opts->border, RUG_LBP_BORDER_SKIP) ||
        !is_in((int)opts->exact, RUG_LBP_EXACT_FLOAT) ||
        !is_in((int)opts->planes, RUG_LBP_PLANES_YZ))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "method, interpolation, border, exact or planes has an "
                                "unknown value");
    if (opts->unused != 0)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "rug_lbp_options: %u given for `unused`, 0 expected",
                                (unsigned)opts->unused);
    for (int a = 0; a < 2; a++)
        if (opts->origin[a] >= (uint64_t)1 << 53)
            return rug_context_fail(
                ctx, RUG_E_ARG, "origin: %llu given, a coordinate below 2^53 expected",
                (unsigned long long)opts->origin[a]);
    if (n < 1 || n > RUG_LBP_MAX_OPERATORS)
        return rug_context_fail(ctx, RUG_E_ARG, "%u operators given, 1..%d expected", n,
                                RUG_LBP_MAX_OPERATORS);
    rug_status status = RUG_OK;
    for (uint32_t i = 0; i < n && status == RUG_OK; i++)
        status = check_operator(ctx, &ops[i]);
    return status == RUG_OK ? check_together(ctx, opts, ops, n) : status;
}

/* ---- The plan ---- */

const rug_lbp_operator *rugi_lbp_operators(const rug_lbp_options *opts, uint32_t *n)
{
    static const rug_lbp_operator default_operator = {8, 1, NULL, 0};
    *n = opts->operators != NULL ? opts->n_operators : 1;
    return opts->operators != NULL ? opts->operators : &default_operator;
}

static rug_status copy_cuts(rug_context *ctx, rugi_lbp_operator *out,
                            const rug_lbp_operator *op)
{
    out->n_cuts = op->n_cuts;
    if (op->n_cuts == 0)
        return RUG_OK;
    double *cuts =
        rug_context_allocate(ctx, op->n_cuts, sizeof *cuts, "cuts of the variance");
    if (cuts == NULL)
        return RUG_E_NOMEM;
    memcpy(cuts, op->cuts, op->n_cuts * sizeof *cuts);
    out->cuts = cuts;
    return RUG_OK;
}

static rug_status plan_operator(rug_context *ctx, rugi_lbp_plan *plan,
                                rugi_lbp_operator *out, const rug_lbp_operator *op)
{
    out->points = op->points;
    place_points(out, (float)op->radius, plan->is_nearest);
    out->n_codes = rug_lbp_n_codes(plan->method, op->points);
    out->n_bins = rug_lbp_n_bins(plan->method, op);
    out->has_code_dtype = find_code_dtype(out, plan);
    reach(&plan->above, (int)out->above);
    reach(&plan->below, (int)out->below);
    plan->has_joint |= op->n_cuts > 0 && plan->method != RUG_LBP_VAR;
    return copy_cuts(ctx, out, op);
}

rug_status rugi_lbp_plan_make(rug_context *ctx, rugi_lbp_plan *out,
                              const rug_lbp_options *opts)
{
    memset(out, 0, sizeof *out);
    uint32_t n;
    const rug_lbp_operator *ops = rugi_lbp_operators(opts, &n);
    rug_status status = check_options(ctx, opts, ops, n);
    if (status != RUG_OK)
        return status;
    out->method = opts->method;
    out->border = opts->border;
    out->leaves_out_nan = opts->leave_out_nan != 0;
    out->exact = opts->exact;
    memcpy(out->origin, opts->origin, sizeof out->origin);
    out->is_nearest = opts->interpolation == RUG_LBP_NEAREST;
    out->is_filtered = opts->interpolation == RUG_LBP_HARDWARE;
    out->n_operators = n;
    for (uint32_t i = 0; i < n && status == RUG_OK; i++)
        status = plan_operator(ctx, out, &out->op[i], &ops[i]);
    if (status != RUG_OK)
        rugi_lbp_plan_free(ctx, out);
    return status;
}

/* ---- Tables ---- */

/* Points up to which codes are looked up: larger tables leave the cache. */
#define TABLE_POINTS 16

static rug_status make_codes(rug_context *ctx, rugi_lbp_operator *op,
                             rug_lbp_method method)
{
    size_t n = (size_t)1 << op->points;
    uint16_t *code = rug_context_allocate(ctx, n, sizeof *code, "codes of patterns");
    if (code == NULL)
        return RUG_E_NOMEM;
    for (uint32_t pattern = 0; pattern < n; pattern++)
        code[pattern] = (uint16_t)rugi_lbp_code_of(method, op->points, pattern);
    op->table.code = code;
    return RUG_OK;
}

static rug_status make_ranks(rug_context *ctx, rugi_lbp_operator *op)
{
    op->table.rank = rug_context_allocate(ctx, (size_t)1 << op->points,
                                          sizeof *op->table.rank, "bins of codes");
    if (op->table.rank == NULL)
        return RUG_E_NOMEM;
    rugi_lbp_rank_rotations(op->points, op->table.rank);
    return RUG_OK;
}

rug_status rugi_lbp_plan_make_tables(rug_context *ctx, rugi_lbp_plan *plan)
{
    rug_status status = RUG_OK;
    int is_ror = plan->method == RUG_LBP_ROR;
    for (uint32_t i = 0; i < plan->n_operators && status == RUG_OK; i++) {
        rugi_lbp_operator *op = &plan->op[i];
        if ((is_ror || plan->method == RUG_LBP_NRI_UNIFORM) && op->points <= TABLE_POINTS)
            status = make_codes(ctx, op, plan->method);
        if (status == RUG_OK && is_ror && op->n_bins > 0)
            status = make_ranks(ctx, op);
    }
    return status;
}

void rugi_lbp_plan_free(rug_context *ctx, rugi_lbp_plan *plan)
{
    for (uint32_t i = 0; i < plan->n_operators; i++) {
        rug_context_release(ctx, plan->op[i].table.rank);
        rug_context_release(ctx, plan->op[i].table.code);
        rug_context_release(ctx, plan->op[i].cuts);
    }
    memset(plan, 0, sizeof *plan);
}

rug_status rugi_lbp_plan_check(rug_context *ctx, const rug_lbp_options *opts)
{
    rugi_lbp_plan plan;
    rug_status status = rugi_lbp_plan_make(ctx, &plan, opts);
    if (status == RUG_OK)
        rugi_lbp_plan_free(ctx, &plan);
    return status;
}

static rugi_lbp_span coded(const rugi_lbp_plan *plan, size_t n, size_t before,
                           size_t behind)
{
    if (plan->border == RUG_LBP_BORDER_ZERO)
        return (rugi_lbp_span){0, n};
    return (rugi_lbp_span){before, n > behind ? n - behind : 0};
}

rugi_lbp_span rugi_lbp_coded_rows(const rugi_lbp_plan *plan, uint32_t op, size_t ny)
{
    return coded(plan, ny, plan->op[op].above, plan->op[op].below);
}

rugi_lbp_span rugi_lbp_coded_columns(const rugi_lbp_plan *plan, uint32_t op, size_t nx)
{
    rugi_lbp_span span = coded(plan, nx, plan->op[op].before, plan->op[op].behind);
    span.first = rugi_larger(span.first, plan->left_out[0]);
    span.end = rugi_smaller(span.end, nx - plan->left_out[1]);
    return span;
}

/* ---- What a caller may know of it ---- */

const char *rug_lbp_method_name(rug_lbp_method method)
{
    static const char *const names[] = {"riu2", "default", "ror", "nri_uniform", "var"};
    return RUGI_NAME(names, method);
}

const char *rug_lbp_interpolation_name(rug_lbp_interpolation interpolation)
{
    static const char *const names[] = {"bilinear", "nearest", "hardware"};
    return RUGI_NAME(names, interpolation);
}

const char *rug_lbp_border_name(rug_lbp_border border)
{
    static const char *const names[] = {"zero", "skip"};
    return RUGI_NAME(names, border);
}

const char *rug_lbp_exact_name(rug_lbp_exact exact)
{
    static const char *const names[] = {"skimage", "decimal", "float"};
    return RUGI_NAME(names, exact);
}

const char *rug_lbp_planes_name(rug_lbp_planes planes)
{
    static const char *const names[] = {"none", "xy", "xz", "yz"};
    return RUGI_NAME(names, planes);
}

size_t rug_lbp_reach(const rug_lbp_options *opts)
{
    rug_lbp_options own = RUG_LBP_OPTIONS_INIT;
    uint32_t n;
    size_t most = 0;
    if (RUGI_TAKE(NULL, &own, opts, "rug_lbp_options") != RUG_OK)
        return 0;
    const rug_lbp_operator *ops = rugi_lbp_operators(&own, &n);
    if (check_options(NULL, &own, ops, n) != RUG_OK)
        return 0;
    for (uint32_t i = 0; i < n; i++) {
        rugi_lbp_operator op = {.points = ops[i].points};
        place_points(&op, (float)ops[i].radius, own.interpolation == RUG_LBP_NEAREST);
        most = rugi_larger(most, rugi_larger(op.above, op.below));
        most = rugi_larger(most, rugi_larger(op.before, op.behind));
    }
    return most;
}

rug_status rug_lbp_map_dtype(rug_context *ctx, rug_dtype *out,
                             const rug_lbp_options *opts, uint32_t op)
{
    if (out != NULL)
        *out = RUG_U8;
    if (ctx == NULL || out == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_lbp_map_dtype: NULL given");
    rugi_lbp_plan plan;
    rug_lbp_options own = RUG_LBP_OPTIONS_INIT;
    rug_status status = RUGI_TAKE(ctx, &own, opts, "rug_lbp_options");
    if (status == RUG_OK)
        status = rugi_lbp_plan_make(ctx, &plan, &own);
    if (status != RUG_OK)
        return status;
    if (op >= plan.n_operators)
        status = rug_context_fail(ctx, RUG_E_ARG, "operator %u of %u requested", op,
                                  plan.n_operators);
    else
        status = rugi_lbp_plan_check_map(ctx, &plan, op);
    if (status == RUG_OK)
        *out = plan.op[op].code_dtype;
    rugi_lbp_plan_free(ctx, &plan);
    return status;
}
