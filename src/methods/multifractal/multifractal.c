/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Moments of box masses, and the multifractal spectrum: lines through the moments of all
 * sizes of one range.
 *
 * Moments are Z(q, s) = sum p^q, and what Chhabra and Jensen (1989), Phys.
 * Rev. Lett. 62, 1327, eqs. 6 and 7, add up with the weights mu = p^q / Z.
 *
 * p^q = e^(q u) p_ref^q with u = ln p - ln p_ref, where p_ref is the largest p for q >= 0
 * and the least for q < 0: so no term overflows, and the largest is 1. Masses go through
 * in blocks; each block adds up in lanes, and blocks in their order, so that neither
 * threads nor CPU levels change a bit. */

#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "core/fit/scaling.h"
#include "multifractal/masses/masses_state.h"
#include "multifractal/moments/moments_kernels.h"
#include <math.h>
#include <string.h>

/* Masses of a block. */
#define BLOCK 2048

/* Sums that are kept at once, about: 64 MB. */
#define SUMS_MAX ((size_t)1 << 22)

/* A block of masses of one level, all nearly empty or none. */
typedef struct moment_block {
    uint32_t level;
    int is_near_empty;
    size_t first, n;
} moment_block;

typedef struct moment_job {
    const rug_masses *masses;
    rugi_moment_fn kernel;
    double total;
    const double *q;
    size_t n_q;
    double boxes[RUGI_MASSES_LEVELS]; /* that have a mass */
    moment_block *blocks;
    size_t n_blocks;
    size_t level_first[RUGI_MASSES_LEVELS + 1]; /* block of each level */
    rugi_moment_sums *sums;                     /* [n_blocks][n_q] */
    double *scratch;                            /* [threads][2][BLOCK] */
} moment_job;

/* A sum that keeps what rounding takes from it (Neumaier 1974). */
typedef struct careful {
    double sum, lost;
} careful;

static void add(careful *s, double v)
{
    double t = s->sum + v;
    s->lost += fabs(s->sum) >= fabs(v) ? (s->sum - t) + v : (v - t) + s->sum;
    s->sum = t;
}

static rug_status check_orders(rug_context *ctx, const double *q, size_t n_q)
{
    for (size_t k = 0; k < n_q; k++)
        if (!(fabs(q[k]) <= RUG_MULTIFRACTAL_Q_MAX))
            return rug_context_fail(
                ctx, RUG_E_ARG, "order q = %g given, a number from -%g to %g expected",
                q[k], RUG_MULTIFRACTAL_Q_MAX, RUG_MULTIFRACTAL_Q_MAX);
    return RUG_OK;
}

/* The boxes of each level that have a mass.
 *  @param out  [n_levels] */
static rug_status count_boxes(rug_context *ctx, double *out, const rug_masses *masses)
{
    rug_status status = RUG_OK;
    for (uint32_t l = 0; l < masses->plan.n_levels && status == RUG_OK; l++) {
        const rugi_mass_level *level = &masses->levels[l];
        uint64_t n = 0;
        for (size_t i = 0; i < level->n && status == RUG_OK; status = rugi_look(ctx))
            for (size_t end = rugi_look_end(i, level->n); i < end; i++)
                n += level->boxes[i].boxes;
        out[l] = (double)n;
    }
    return status;
}

static double log_of(const moment_job *j, uint64_t mass)
{
    return log((double)mass / j->total);
}

static uint64_t reference_mass(const rugi_mass_level *level, double q)
{
    return level->boxes[q >= 0 ? level->n - 1 : 0].mass;
}

static void block_task(void *shared, size_t task, int thread)
{
    const moment_job *j = shared;
    const moment_block *b = &j->blocks[task];
    const rugi_mass_level *level = &j->masses->levels[b->level];
    double *log_p = j->scratch + (size_t)thread * 2 * BLOCK, *boxes = log_p + BLOCK;
    double most = log_of(j, reference_mass(level, 1));
    double least = log_of(j, reference_mass(level, -1));
    for (size_t i = 0; i < b->n; i++) {
        log_p[i] = log_of(j, level->boxes[b->first + i].mass);
        boxes[i] = (double)level->boxes[b->first + i].boxes;
    }
    size_t n = (b->n + RUGI_MOMENT_LANES - 1) / RUGI_MOMENT_LANES * RUGI_MOMENT_LANES;
    for (size_t i = b->n; i < n; i++) {
        log_p[i] = log_p[0];
        boxes[i] = 0;
    }
    for (size_t k = 0; k < j->n_q; k++)
        j->sums[task * j->n_q + k] =
            j->kernel(log_p, boxes, n, j->q[k], j->q[k] >= 0 ? most : least);
}

/* How many of the first masses are those of nearly empty boxes. */
static size_t count_near_empty(const rugi_mass_level *level, double boxes, double total)
{
    double limit = RUG_MULTIFRACTAL_NEAR_EMPTY * (total / boxes);
    size_t low = 0, high = level->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((double)level->boxes[middle].mass < limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void cut_blocks(moment_job *j)
{
    j->n_blocks = 0;
    for (uint32_t l = 0; l < j->masses->plan.n_levels; l++) {
        const rugi_mass_level *level = &j->masses->levels[l];
        size_t border = level->n > 0 ? count_near_empty(level, j->boxes[l], j->total) : 0;
        j->level_first[l] = j->n_blocks;
        for (size_t first = 0; first < level->n;) {
            size_t end = first < border ? border : level->n;
            size_t n = end - first < BLOCK ? end - first : BLOCK;
            if (j->blocks != NULL)
                j->blocks[j->n_blocks] = (moment_block){l, first < border, first, n};
            j->n_blocks++;
            first += n;
        }
    }
    j->level_first[j->masses->plan.n_levels] = j->n_blocks;
}

/* The sums of a size from those of its blocks. */
static void combine(const moment_job *j, rug_moments *out, double *near_empty, uint32_t l,
                    size_t k)
{
    const rugi_mass_level *level = &j->masses->levels[l];
    careful w = {0}, w_u = {0}, near = {0};
    for (size_t b = j->level_first[l]; b < j->level_first[l + 1]; b++) {
        const rugi_moment_sums *s = &j->sums[b * j->n_q + k];
        add(&w, s->w);
        add(&w_u, s->w_u);
        if (j->blocks[b].is_near_empty)
            add(&near, s->w);
    }
    double q = j->q[k], sum = w.sum + w.lost, mean_u = (w_u.sum + w_u.lost) / sum;
    double p = (double)reference_mass(level, q) / j->total, log_p = log(p);
    out->log_z = q * log_p + log(sum);
    out->z = pow(p, q) * sum;
    if (!isnormal(out->z)) /* the first factor may have left the range */
        out->z = exp(out->log_z);
    out->mu_log_p = log_p + mean_u;
    out->mu_log_mu = q * mean_u - log(sum); /* ln mu = q u - ln sum e^(q u) */
    *near_empty = (near.sum + near.lost) / sum;
}

/* Of q = 1 it is known that Z = 1. */
static void set_first_order(rug_moments *m)
{
    m->z = 1;
    m->log_z = 0;
    m->mu_log_mu = m->mu_log_p;
}

/* One order of j over all sizes. */
static void combine_order(const moment_job *j, rug_moments *out, double *near_empty,
                          size_t k)
{
    for (uint32_t l = 0; l < j->masses->plan.n_levels; l++) {
        double near = 0;
        if (j->masses->levels[l].n > 0)
            combine(j, &out[l], &near, l, k);
        else
            out[l] = (rug_moments){0, -INFINITY, NAN, NAN, NAN};
        if (j->q[k] == 1 && j->masses->levels[l].n > 0)
            set_first_order(&out[l]);
        if (near_empty != NULL)
            near_empty[l] = j->q[k] < 0 ? near : 0;
    }
}

/* What is asked for. */
typedef struct moment_results {
    rug_moments *out;
    double *near_empty;                    /* or NULL */
    rug_moments first[RUGI_MASSES_LEVELS]; /* of q = 1 */
} moment_results;

/* Nanoseconds of work for each mass: for its logarithm, and for each order. */
#define LOG_WORK   5.0
#define ORDER_WORK 0.5

static double work_of(const moment_job *j)
{
    double n = 0;
    for (size_t b = 0; b < j->n_blocks; b++)
        n += (double)j->blocks[b].n;
    return n * (LOG_WORK + ORDER_WORK * (double)j->n_q);
}

/* Orders at .. at + n - 1; order 0 is q = 1, and order k that which was asked for as
 * k - 1. */
static rug_status run_orders(rug_context *ctx, moment_job *j, moment_results *r,
                             const double *orders, size_t at, size_t n)
{
    size_t n_levels = j->masses->plan.n_levels;
    j->q = orders + at;
    j->n_q = n;
    rug_status status = RUG_OK;
    RUGI_WORK(ctx, work_of(j), status,
              rugi_parallel_for(ctx, j->n_blocks, block_task, j));
    for (size_t k = 0; k < n && status == RUG_OK; k++) {
        size_t row = (at + k - 1) * n_levels;
        if (at + k == 0)
            combine_order(j, r->first, NULL, 0);
        else
            combine_order(j, r->out + row,
                          r->near_empty != NULL ? r->near_empty + row : NULL, k);
    }
    return status;
}

/* p ln p is the mean of ln p with the weights of q = 1: that order comes first. */
static rug_status all_orders(rug_context *ctx, moment_job *j, moment_results *r,
                             const double *orders, size_t n_orders, size_t batch)
{
    size_t n_levels = j->masses->plan.n_levels;
    rug_status status = RUG_OK;
    for (size_t k = 0; k < n_orders && status == RUG_OK; k += batch) {
        size_t n = n_orders - k < batch ? n_orders - k : batch;
        double all = (double)n_orders;
        RUGI_PHASE(ctx, (double)k / all, (double)(k + n) / all, status,
                   run_orders(ctx, j, r, orders, k, n));
    }
    for (size_t i = 0; i < (n_orders - 1) * n_levels && status == RUG_OK; i++)
        r->out[i].p_log_p = r->first[i % n_levels].mu_log_p;
    return status;
}

static double total_of(const rug_masses *m)
{
    const rugi_mass_level *top = &m->levels[m->plan.n_levels - 1];
    double total = 0;
    for (size_t i = 0; i < top->n; i++) /* one box, or a few of points round 0 */
        total += (double)top->boxes[i].mass * (double)top->boxes[i].boxes;
    return total;
}

/* rug_multifractal_moments() of levels that are there.
 *  @param near_empty  [n_q][n_levels], the share of Z of nearly empty boxes, or NULL */
static rug_status moments_of(rug_context *ctx, rug_moments *out, double *near_empty,
                             const rug_masses *masses, const double *q, size_t n_q)
{
    moment_job j = {.masses = masses, .total = total_of(masses)};
    moment_results results = {.out = out, .near_empty = near_empty};
    rugi_moments_set_kernel(&j.kernel, rug_context_cpu_level(ctx));
    rug_status status = count_boxes(ctx, j.boxes, masses);
    if (status != RUG_OK)
        return status;
    cut_blocks(&j);
    size_t batch = SUMS_MAX / (j.n_blocks + 1) + 1;
    batch = batch < n_q + 1 ? batch : n_q + 1;
    status = RUG_E_NOMEM;
    double *orders = rug_context_allocate(ctx, n_q + 1, sizeof *orders, "orders");
    j.blocks =
        rug_context_allocate(ctx, j.n_blocks, sizeof *j.blocks, "blocks of masses");
    j.sums = rug_context_allocate(ctx, j.n_blocks * batch, sizeof *j.sums, "moments");
    j.scratch = rug_context_allocate(ctx, (size_t)rug_context_threads(ctx),
                                     2 * BLOCK * sizeof(double), "logarithms");
    if (orders != NULL && j.blocks != NULL && j.sums != NULL && j.scratch != NULL) {
        cut_blocks(&j);
        orders[0] = 1;
        if (n_q > 0)
            memcpy(orders + 1, q, n_q * sizeof *orders);
        status = all_orders(ctx, &j, &results, orders, n_q + 1, batch);
    }
    rug_context_release(ctx, j.scratch);
    rug_context_release(ctx, j.sums);
    rug_context_release(ctx, j.blocks);
    rug_context_release(ctx, orders);
    return status;
}

rug_status rug_multifractal_moments(rug_context *ctx, rug_moments *out,
                                    rug_masses *masses, const double *q, size_t n_q)
{
    if (ctx == NULL || out == NULL || masses == NULL || (q == NULL && n_q > 0))
        return rug_context_fail(ctx, RUG_E_ARG, "rug_multifractal_moments: NULL given");
    rug_status status = check_orders(ctx, q, n_q);
    if (status == RUG_OK)
        status = rugi_masses_finish(ctx, masses);
    return status == RUG_OK ? moments_of(ctx, out, NULL, masses, q, n_q) : status;
}

/* ---- Lines ---- */

/* Fitted orders. */
struct rug_multifractal_result {
    rug_context *ctx;
    rug_multifractal_facts facts;
    rug_multifractal_order orders[]; /* [facts.n_orders] */
};

/* What the lines of all orders have in common: the sizes that they go through. */
typedef struct spectrum {
    const rug_masses *masses;
    rug_fit_status status;
    size_t n;
    uint32_t level[RUGI_MASSES_LEVELS];
    double x[RUGI_MASSES_LEVELS]; /* ln(1 / size) */
} spectrum;

/* The boxes of a level that could have a mass, without a mask. */
static double boxes_possible(const rug_masses *m, uint32_t level)
{
    double n = 1;
    if (m->is_points)
        return (double)m->point_boxes[level];
    for (int a = 0; a < 3; a++)
        n *= (double)(((m->plan.shape[a] - 1) >> level) + 1);
    return n;
}

/* The sizes that rug_boxcount_fit() takes of the support. */
static rug_status choose_range(rug_context *ctx, spectrum *s, rug_masses *m,
                               const rug_fit_options *range)
{
    const rug_masses_facts *facts = rug_masses_get_facts(m);
    uint64_t sizes[RUGI_MASSES_LEVELS];
    double boxes[RUGI_MASSES_LEVELS], totals[RUGI_MASSES_LEVELS];
    for (uint32_t l = 0; l < m->plan.n_levels; l++) {
        sizes[l] = (uint64_t)1 << l;
        totals[l] = boxes_possible(m, l);
    }
    rug_status status = count_boxes(ctx, boxes, m);
    if (status == RUG_OK && m->inside != NULL)
        status = count_boxes(ctx, totals, m->inside);
    if (status != RUG_OK)
        return status;
    const rugi_fit_input support = {.n_axes = facts->ndim,
                                    .shape = facts->shape,
                                    .n_sizes = m->plan.n_levels,
                                    .sizes = sizes,
                                    .values = boxes,
                                    .boxes = boxes,
                                    .n_points = m->is_points ? (double)m->n_points : 0,
                                    .totals =
                                        facts->n_set == facts->n_pixels ? NULL : totals};
    rug_fit fit = RUG_FIT_INIT;
    rugi_fit(&fit, range, &support);
    s->status = facts->total == 0 ? RUG_FIT_EMPTY : fit.status;
    for (uint32_t l = 0; l < m->plan.n_levels; l++)
        if (fit.used[l]) {
            s->level[s->n] = l;
            s->x[s->n++] = -log((double)sizes[l]);
        }
    return RUG_OK;
}

/* The line of one of the sums against ln(1 / size). */
static rugi_line line_of(const spectrum *s, const rug_moments *moments, size_t offset)
{
    double y[RUGI_MASSES_LEVELS];
    for (size_t i = 0; i < s->n; i++)
        y[i] = *(const double *)((const char *)&moments[s->level[i]] + offset);
    return rugi_fit_line(s->n, s->x, y);
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
    for (size_t i = 0; i < s->n; i++)
        out->near_empty = fmax(out->near_empty, near_empty[s->level[i]]);
    if (out->near_empty > 0.5 &&
        (s->status == RUG_FIT_OK || s->status == RUG_FIT_DOUBTFUL))
        out->status = RUG_FIT_NEAR_EMPTY_BOXES;
}

static void fill_facts(rug_multifractal_facts *out, const spectrum *s, size_t n_orders)
{
    out->n_orders = n_orders;
    out->n_sizes = (uint32_t)s->n;
    out->status = s->status;
    if (s->n == 0)
        return;
    out->size_min = (uint64_t)1 << s->level[0];
    out->size_max = (uint64_t)1 << s->level[s->n - 1];
}

static rug_status fit_all(rug_context *ctx, rug_multifractal_result *out,
                          rug_masses *masses, const double *q, size_t n_q,
                          const rug_fit_options *range)
{
    size_t n = masses->plan.n_levels;
    spectrum s = {.masses = masses};
    rug_status status = choose_range(ctx, &s, masses, range);
    if (status != RUG_OK)
        return status;
    rug_moments *moments = rug_context_allocate(ctx, n_q, n * sizeof *moments, "moments");
    double *near_empty =
        rug_context_allocate(ctx, n_q, n * sizeof *near_empty, "shares of boxes");
    status = moments != NULL && near_empty != NULL
                 ? moments_of(ctx, moments, near_empty, masses, q, n_q)
                 : RUG_E_NOMEM;
    for (size_t k = 0; k < n_q && status == RUG_OK; k++)
        fit_order(&s, &out->orders[k], q[k], moments + k * n, near_empty + k * n);
    fill_facts(&out->facts, &s, n_q);
    rug_context_release(ctx, near_empty);
    rug_context_release(ctx, moments);
    return status;
}

static rug_multifractal_result *new_result(rug_context *ctx, size_t n_q)
{
    size_t most =
        (SIZE_MAX - sizeof(rug_multifractal_result)) / sizeof(rug_multifractal_order);
    size_t n_bytes = sizeof(rug_multifractal_result) +
                     rugi_smaller(n_q, most) * sizeof(rug_multifractal_order);
    rug_multifractal_result *r = rug_context_allocate(ctx, 1, n_bytes, "orders");
    if (r == NULL)
        return NULL;
    memset(r, 0, n_bytes);
    r->ctx = ctx;
    return r;
}

rug_status rug_multifractal_fit(rug_context *ctx, rug_multifractal_result **out,
                                rug_masses *masses, const double *q, size_t n_q,
                                const rug_fit_options *opts)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || masses == NULL || (q == NULL && n_q > 0))
        return rug_context_fail(ctx, RUG_E_ARG, "rug_multifractal_fit: NULL given");
    rug_fit_options range;
    rug_status status = rugi_fit_options_take(ctx, &range, opts);
    if (status == RUG_OK)
        status = check_orders(ctx, q, n_q);
    if (status == RUG_OK)
        status = rugi_masses_finish(ctx, masses);
    if (status != RUG_OK)
        return status;
    rug_multifractal_result *r = new_result(ctx, n_q);
    if (r == NULL)
        return RUG_E_NOMEM;
    status = fit_all(ctx, r, masses, q, n_q, &range);
    if (status == RUG_OK)
        *out = r;
    else
        rug_multifractal_free(r);
    return status;
}

void rug_multifractal_free(rug_multifractal_result *result)
{
    if (result != NULL)
        rug_context_release(result->ctx, result);
}

const rug_multifractal_facts *
rug_multifractal_get_facts(const rug_multifractal_result *result)
{
    return result != NULL ? &result->facts : NULL;
}

const rug_multifractal_order *rug_multifractal_at(const rug_multifractal_result *result,
                                                  size_t i)
{
    return result != NULL && i < result->facts.n_orders ? &result->orders[i] : NULL;
}
