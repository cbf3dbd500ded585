/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The plan of the exact search, and its blocks in the basis of the isometries. Whether
 * a block has variance, and what its norm is, are whole numbers. */

#include "ifs_search_plan.h"
#include "core/context/context_internal.h"
#include "core/context/small.h"
#include "core/context/threads.h"
#include "core/points/radix_sort.h"
#include "ifs/stream/ifs_isometry.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- The basis ---- */

/* Pixels that isometries exchange make an orbit: of 8 pixels, of 4 on a diagonal or
 * (odd sides) on the middle row and column, of 1 in the middle. Sums are made in
 * double precision and rounded once. */

#define LANES     RUGI_IFS_LANES
#define HALF_ROOT 0.70710678118654752440

/* Where the next coefficients go. */
typedef struct places {
    float *a1, *b1, *b2, *a2, *pairs;
    const double *scale;
} places;

/* A pixel and its three mirror images: sums that are even or odd along x and y,
 * halved. */
typedef struct mirrored {
    double even[LANES], odd[LANES], x_odd[LANES], y_odd[LANES];
} mirrored;

static void mirror(mirrored *out, const double *in, size_t size, size_t y, size_t x)
{
    const size_t down = size - 1 - y, right = size - 1 - x;
    const double *a = in + (y * size + x) * LANES, *b = in + (y * size + right) * LANES,
                 *c = in + (down * size + x) * LANES,
                 *d = in + (down * size + right) * LANES;
    for (int i = 0; i < LANES; i++) {
        const double top = a[i] + b[i], bottom = c[i] + d[i];
        const double top_odd = a[i] - b[i], bottom_odd = c[i] - d[i];
        out->even[i] = 0.5 * (top + bottom);
        out->y_odd[i] = 0.5 * (top - bottom);
        out->x_odd[i] = 0.5 * (top_odd + bottom_odd);
        out->odd[i] = 0.5 * (top_odd - bottom_odd);
    }
}

static void put(float **to, const double *values, const double *scale)
{
    for (int i = 0; i < LANES; i++)
        (*to)[i] = (float)(values[i] * scale[i]);
    *to += LANES;
}

static void put_sum(float **to, const double *a, const double *b, double sign,
                    const double *scale)
{
    for (int i = 0; i < LANES; i++)
        (*to)[i] = (float)((a[i] + sign * b[i]) * HALF_ROOT * scale[i]);
    *to += LANES;
}

static void put_diagonal(places *to, const mirrored *m)
{
    put(&to->a1, m->even, to->scale);
    put(&to->b2, m->odd, to->scale);
    put(&to->pairs, m->x_odd, to->scale);
    put(&to->pairs, m->y_odd, to->scale);
}

/* m at (y, x) and t at (x, y). */
static void put_eight(places *to, const mirrored *m, const mirrored *t)
{
    put_sum(&to->a1, m->even, t->even, 1, to->scale);
    put_sum(&to->b1, m->even, t->even, -1, to->scale);
    put_sum(&to->b2, m->odd, t->odd, 1, to->scale);
    put_sum(&to->a2, m->odd, t->odd, -1, to->scale);
    put(&to->pairs, m->x_odd, to->scale);
    put(&to->pairs, t->y_odd, to->scale);
    put(&to->pairs, t->x_odd, to->scale);
    put(&to->pairs, m->y_odd, to->scale);
}

/* Two pixels of the middle row and two of the middle column, x pixels from the edge. */
static void put_axes(places *to, const double *in, size_t size, size_t x)
{
    const size_t h = size / 2, far = size - 1 - x;
    const double *left = in + (h * size + x) * LANES,
                 *right = in + (h * size + far) * LANES,
                 *top = in + (x * size + h) * LANES,
                 *bottom = in + (far * size + h) * LANES;
    double row[LANES], column[LANES];
    for (int i = 0; i < LANES; i++) {
        row[i] = (left[i] + right[i]) * HALF_ROOT;
        column[i] = (top[i] + bottom[i]) * HALF_ROOT;
    }
    put_sum(&to->a1, row, column, 1, to->scale);
    put_sum(&to->b1, row, column, -1, to->scale);
    put_sum(&to->pairs, left, right, -1, to->scale);
    put_sum(&to->pairs, top, bottom, -1, to->scale);
}

/* Changes blocks to the basis.
 * @param out    [n][LANES]
 * @param in     [n][LANES] pixels row by row, with a mean of 0
 * @param scale  of each block */
static void change_basis(const rugi_ifs_basis *basis, float *out, const double *in,
                         const double scale[RUGI_IFS_LANES])
{
    const size_t size = basis->size, h = size / 2;
    places to = {.scale = scale, .a1 = out};
    to.b1 = to.a1 + (size_t)basis->n_a1 * LANES;
    to.b2 = to.b1 + (size_t)basis->n_b1 * LANES;
    to.a2 = to.b2 + (size_t)basis->n_b2 * LANES;
    to.pairs = to.a2 + (size_t)basis->n_a2 * LANES;
    for (size_t y = 0; y < h; y++)
        for (size_t x = y; x < h; x++) {
            mirrored m, t;
            mirror(&m, in, size, y, x);
            if (x == y) {
                put_diagonal(&to, &m);
            } else {
                mirror(&t, in, size, x, y);
                put_eight(&to, &m, &t);
            }
        }
    if (size % 2 == 0)
        return;
    for (size_t x = 0; x < h; x++)
        put_axes(&to, in, size, x);
    put(&to.a1, in + (h * size + h) * LANES, scale);
}

/* ---- The plan ---- */

/* Shares of making a plan. */
#define SUMS_SHARE 0.1
#define KEYS_SHARE 0.6
#define SORT_SHARE 0.8

#define RANGES_PER_TASK 256

/* A domain's key: its squared norm, the largest first, then a hash of its pixels without
 * their constant, then its number on the grid. All of it set: it has no variance. */
#define NORM2_MAX (UINT64_C(1) << 56)
#define NORM2_AT  72
#define HASH_AT   32
#define FLAT_KEY  (~(rugi_u128)0)

static uint32_t number_of(rugi_u128 key)
{
    return (uint32_t)key;
}

static uint64_t norm2_of(rugi_u128 key)
{
    return NORM2_MAX - (uint64_t)(key >> NORM2_AT);
}

/* Work that is handed out by rows or by tiles. */
typedef struct making {
    rugi_ifs_search_plan *plan;
    uint32_t odd[RUGI_IFS_PIXELS_MAX]; /* factors of the hash */
    rugi_u128 *keys;
    uint64_t *range_keys;
} making;

static size_t sum_rows(const rugi_ifs_search_plan *plan)
{
    const size_t ny = plan->job->source->ny;
    return plan->spread == 1 ? ny / 2 : ny - 1;
}

static void sum_row(void *shared, size_t y, int thread)
{
    const making *m = shared;
    const rugi_ifs_plane *source = m->plan->job->source;
    const size_t apart = 2 / m->plan->spread;
    const uint16_t *a = source->pixels + apart * y * source->nx, *b = a + source->nx;
    uint32_t *out = m->plan->sums + y * m->plan->row;
    (void)thread;
    for (size_t x = 0; x < m->plan->row; x++, a += apart, b += apart)
        out[x] = (uint32_t)a[0] + a[1] + b[0] + b[1];
}

/* n sum v² - (sum v)², exactly. */
static uint64_t measure(const uint32_t *v, uint32_t n, uint64_t *sum)
{
    uint64_t all = 0, squares = 0;
    for (uint32_t i = 0; i < n; i++) {
        all += v[i];
        squares += (uint64_t)v[i] * v[i];
    }
    *sum = all;
    return n * squares - all * all;
}

static void make_keys_of_row(void *shared, size_t y, int thread)
{
    const making *m = shared;
    const rugi_ifs_search_plan *plan = m->plan;
    uint32_t d[RUGI_IFS_PIXELS_MAX];
    (void)thread;
    for (size_t x = 0; x < plan->grid_nx; x++) {
        const uint32_t number = (uint32_t)(y * plan->grid_nx + x);
        rugi_ifs_domain_pixels(plan, number, d);
        uint64_t sum, norm2 = measure(d, plan->basis.n, &sum);
        uint32_t hash = 0;
        for (uint32_t i = 0; i < plan->basis.n; i++)
            hash += (d[i] - d[0]) * m->odd[i];
        m->keys[number] = norm2 == 0 ? FLAT_KEY
                                     : (rugi_u128)(NORM2_MAX - norm2) << NORM2_AT |
                                           (rugi_u128)hash << HASH_AT | number;
    }
}

/* Whether two domains differ by a constant. */
static int are_alike(const rugi_ifs_search_plan *plan, uint32_t a, uint32_t b)
{
    uint32_t one[RUGI_IFS_PIXELS_MAX], other[RUGI_IFS_PIXELS_MAX];
    rugi_ifs_domain_pixels(plan, a, one);
    rugi_ifs_domain_pixels(plan, b, other);
    for (uint32_t i = 1; i < plan->basis.n; i++)
        if (one[i] - one[0] != other[i] - other[0])
            return 0;
    return 1;
}

/* Of those that are alike the first one has won against all others whenever it wins:
 * ties go to the lowest number. */
static void list_domains(const making *m, size_t n_grid)
{
    rugi_ifs_search_plan *plan = m->plan;
    const uint32_t n = plan->basis.n;
    for (size_t i = 0; i < n_grid && m->keys[i] != FLAT_KEY; i++) {
        const rugi_u128 key = m->keys[i];
        if (i > 0 && key >> HASH_AT == m->keys[i - 1] >> HASH_AT &&
            are_alike(plan, plan->domains[plan->n_domains - 1], number_of(key)))
            continue;
        const double s_max = ldexp((double)plan->s_top, -RUGI_IFS_S_BITS);
        plan->caps[plan->n_domains] =
            (float)(s_max / 4 * sqrt((double)norm2_of(key) / n));
        plan->domains[plan->n_domains++] = number_of(key);
    }
    for (size_t i = plan->n_domains; i % LANES != 0; i++)
        plan->caps[i] = 0;
}

static void choose_factors(making *m)
{
    uint64_t factor = 1;
    for (int i = 0; i < RUGI_IFS_PIXELS_MAX; i++) {
        factor *= UINT64_C(6364136223846793005);
        m->odd[i] = (uint32_t)(factor >> 32) | 1;
    }
}

static rug_status sort_domains(rug_context *ctx, const making *m, size_t n_grid)
{
    rugi_u128 *scratch =
        rug_context_allocate(ctx, n_grid, sizeof *scratch, "keys of domains");
    if (scratch == NULL)
        return RUG_E_NOMEM;
    rug_status status = rugi_sort_u128(ctx, m->keys, scratch, n_grid, 128, NULL);
    rug_context_release(ctx, scratch);
    return status;
}

static rug_status find_domains(rug_context *ctx, making *m, size_t n_grid)
{
    const rugi_ifs_search_plan *plan = m->plan;
    choose_factors(m);
    rug_status status = RUG_OK;
    RUGI_PHASE(ctx, 0, SUMS_SHARE, status,
               rugi_parallel_for(ctx, sum_rows(plan), sum_row, m));
    RUGI_PHASE(ctx, SUMS_SHARE, KEYS_SHARE, status,
               rugi_parallel_for(ctx, plan->grid_ny, make_keys_of_row, m));
    RUGI_PHASE(ctx, KEYS_SHARE, SORT_SHARE, status, sort_domains(ctx, m, n_grid));
    if (status == RUG_OK)
        list_domains(m, n_grid);
    return status;
}

/* A range's key: its squared norm in single precision, whose bits are in its order,
 * then its number. Ranges are in no other order than for speed. */
static void make_range_keys(void *shared, size_t task, int thread)
{
    const making *m = shared;
    const rugi_ifs_search_plan *plan = m->plan;
    uint32_t r[RUGI_IFS_PIXELS_MAX];
    size_t to = (task + 1) * RANGES_PER_TASK;
    (void)thread;
    for (size_t i = task * RANGES_PER_TASK; i < to && i < plan->n_batch; i++) {
        uint64_t sum, number = plan->first + i;
        rugi_ifs_range_pixels(plan->job, (uint32_t)number, r);
        float norm2 = (float)measure(r, m->plan->basis.n, &sum);
        uint32_t bits;
        memcpy(&bits, &norm2, sizeof bits);
        m->range_keys[i] = (uint64_t)bits << 32 | number;
    }
}

static void list_ranges(const making *m)
{
    rugi_ifs_search_plan *plan = m->plan;
    uint32_t r[RUGI_IFS_PIXELS_MAX];
    plan->n_ranges = 0;
    for (size_t i = 0; i < plan->n_batch; i++) {
        rugi_ifs_range *range = &plan->ranges[plan->n_ranges];
        range->number = (uint32_t)m->range_keys[i];
        rugi_ifs_range_pixels(plan->job, range->number, r);
        range->norm2 = measure(r, plan->basis.n, &range->sum);
        plan->n_ranges += (double)range->norm2 > plan->shadow;
    }
}

static rug_status find_ranges(rug_context *ctx, making *m)
{
    const size_t n = m->plan->n_batch;
    uint64_t *scratch = rug_context_allocate(ctx, n, sizeof *scratch, "keys of ranges");
    m->range_keys = rug_context_allocate(ctx, n, sizeof *scratch, "keys of ranges");
    rug_status status = scratch == NULL || m->range_keys == NULL ? RUG_E_NOMEM : RUG_OK;
    if (status == RUG_OK)
        status = rugi_parallel_for(ctx, (n + RANGES_PER_TASK - 1) / RANGES_PER_TASK,
                                   make_range_keys, m);
    if (status == RUG_OK)
        status = rugi_sort_u64(ctx, m->range_keys, scratch, n, 64, NULL);
    if (status == RUG_OK)
        list_ranges(m);
    rug_context_release(ctx, m->range_keys);
    rug_context_release(ctx, scratch);
    return status;
}

static size_t batch_of(const rugi_ifs_search_job *job)
{
    return rugi_smaller(job->batch > 0 ? job->batch : RUGI_IFS_BATCH, job->n_ranges);
}

static rug_status plan_ranges(rug_context *ctx, rugi_ifs_search_plan *plan, size_t first)
{
    making m = {.plan = plan};
    plan->first = first;
    plan->n_batch = rugi_smaller(batch_of(plan->job), plan->job->n_ranges - first);
    return find_ranges(ctx, &m);
}

/* What the screen's arithmetic can be off by, in squared norms of the range. Blocks
 * are unit vectors here. Products of coefficients that were rounded to single
 * precision (2 u of each product, with u = 2^-24) are summed in chains of at most L,
 * each product rounded before unless it is fused, and three sums join chains: by
 * Higham's bound the largest product is off by less than (L + 6) u / (1 - (L + 6) u)
 * times the sum of the products' sizes, which is at most 1 (Cauchy and Schwarz). The
 * score t (2 m - t) grows at most twice as fast as m, and its own arithmetic and the
 * rounded cap add less than 6 u. */
static double margin_of(const rugi_ifs_basis *b)
{
    const double u = ldexp(1, -24);
    uint32_t chain = b->n_a1 > b->n_pairs ? b->n_a1 : b->n_pairs;
    double product = (chain + 6) * u / (1 - (chain + 6) * u);
    return 1.01 * (2 * product + 6 * u);
}

static void choose_numbers(rugi_ifs_search_plan *plan, const rugi_ifs_search_job *job)
{
    const rugi_ifs_plane *source = job->source;
    const size_t side = 2 * (size_t)job->size;
    assert(job->size >= 2 && job->size <= 32 && job->step > 0);
    assert(job->s_max > 0 && job->s_max <= 1);
    *plan = (rugi_ifs_search_plan){.job = job, .basis = rugi_ifs_basis_of(job->size)};
    plan->shadow = job->shadow_limit * plan->basis.n * plan->basis.n;
    plan->s_top = (uint64_t)ldexp(job->s_max, RUGI_IFS_S_BITS);
    plan->s_top += plan->s_top == 0;
    plan->margin = margin_of(&plan->basis);
    if (source->nx < side || source->ny < side)
        return;
    plan->spread = job->step % 2 == 0 ? 1 : 2;
    plan->row = plan->spread == 1 ? source->nx / 2 : source->nx - 1;
    plan->grid_nx = (source->nx - side) / job->step + 1;
    plan->grid_ny = (source->ny - side) / job->step + 1;
}

static rug_status allocate(rug_context *ctx, rugi_ifs_search_plan *plan, size_t n_grid)
{
    const rugi_ifs_search_job *job = plan->job;
    plan->place = rug_context_allocate(ctx, RUGI_IFS_ISOMETRIES, sizeof *plan->place,
                                       "isometries of blocks");
    plan->ranges =
        rug_context_allocate(ctx, batch_of(job), sizeof *plan->ranges, "ranges");
    if (plan->place == NULL || plan->ranges == NULL)
        return RUG_E_NOMEM;
    if (n_grid == 0)
        return RUG_OK;
    plan->sums = rug_context_allocate(ctx, sum_rows(plan), plan->row * sizeof *plan->sums,
                                      "sums of pixels");
    plan->domains = rug_context_allocate(ctx, n_grid, sizeof *plan->domains, "domains");
    plan->caps = rug_context_allocate(ctx, n_grid + LANES, sizeof *plan->caps, "domains");
    if (plan->sums == NULL || plan->domains == NULL || plan->caps == NULL)
        return RUG_E_NOMEM;
    return RUG_OK;
}

rug_status rugi_ifs_search_plan_make(rug_context *ctx, rugi_ifs_search_plan *out,
                                     const rugi_ifs_search_job *job, size_t first)
{
    making m = {.plan = out};
    if (first > 0)
        return plan_ranges(ctx, out, first);
    choose_numbers(out, job);
    const size_t n_grid = out->grid_nx * out->grid_ny, size = job->size;
    if (n_grid > UINT32_MAX || job->n_ranges > UINT32_MAX)
        return rug_context_fail(
            ctx, RUG_E_NOMEM,
            "more than 2^32 ranges or domains: use larger ranges or a "
            "larger step");
    rug_status status = allocate(ctx, out, n_grid);
    for (unsigned k = 0; k < RUGI_IFS_ISOMETRIES && status == RUG_OK; k++)
        for (size_t i = 0; i < out->basis.n; i++)
            out->place[k][i] =
                (uint16_t)rugi_ifs_isometry_place(k, size, i / size, i % size);
    if (status == RUG_OK && n_grid > 0) {
        m.keys = rug_context_allocate(ctx, n_grid, sizeof *m.keys, "keys of domains");
        status = m.keys != NULL ? find_domains(ctx, &m, n_grid) : RUG_E_NOMEM;
        rug_context_release(ctx, m.keys);
    }
    RUGI_PHASE(ctx, SORT_SHARE, 1, status, plan_ranges(ctx, out, 0));
    return status;
}

void rugi_ifs_search_plan_free(rug_context *ctx, rugi_ifs_search_plan *plan)
{
    rug_context_release(ctx, plan->caps);
    rug_context_release(ctx, plan->domains);
    rug_context_release(ctx, plan->sums);
    rug_context_release(ctx, plan->ranges);
    rug_context_release(ctx, plan->place);
}

/* Puts a block without its mean, n times as large, into a lane. */
static void put_block(double *to, const uint32_t *v, uint32_t n, uint64_t sum)
{
    for (uint32_t i = 0; i < n; i++)
        to[(size_t)i * LANES] = (double)((int64_t)((uint64_t)n * v[i]) - (int64_t)sum);
}

void rugi_ifs_make_tile(const rugi_ifs_search_plan *plan, float *out, size_t first,
                        rugi_ifs_lanes *lanes)
{
    const uint32_t n = plan->basis.n;
    double *pixels = lanes->pixels, scale[LANES] = {0};
    uint32_t d[RUGI_IFS_PIXELS_MAX];
    memset(pixels, 0, n * LANES * sizeof *pixels);
    for (size_t i = 0; i < LANES && first + i < plan->n_domains; i++) {
        uint64_t sum;
        rugi_ifs_domain_pixels(plan, plan->domains[first + i], d);
        scale[i] = 1 / sqrt((double)n * (double)measure(d, n, &sum));
        put_block(pixels + i, d, n, sum);
    }
    change_basis(&plan->basis, out, pixels, scale);
}

void rugi_ifs_make_ranges(const rugi_ifs_search_plan *plan, float *out, size_t first,
                          rugi_ifs_lanes *lanes)
{
    const uint32_t n = plan->basis.n;
    double *pixels = lanes->pixels, scale[LANES] = {0};
    uint32_t r[RUGI_IFS_PIXELS_MAX];
    memset(pixels, 0, n * LANES * sizeof *pixels);
    for (size_t i = 0; i < LANES && first + i < plan->n_ranges; i++) {
        const rugi_ifs_range *range = &plan->ranges[first + i];
        rugi_ifs_range_pixels(plan->job, range->number, r);
        scale[i] = 1.0 / n;
        put_block(pixels + i, r, n, range->sum);
    }
    change_basis(&plan->basis, out, pixels, scale);
}
