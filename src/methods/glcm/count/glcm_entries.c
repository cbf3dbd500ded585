/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the entries of a matrix say that sums do not: the largest, and f14. They are
 * sorted first, so that it does not matter how they were found. */

#include "core/context/threads.h"
#include "glcm_count.h"
#include <math.h>
#include <string.h>

/* Entries between two looks for cancellation. */
#define LOOK_ENTRIES ((size_t)1 << 20)

static rug_status look(rug_context *ctx, size_t e)
{
    return e % LOOK_ENTRIES == LOOK_ENTRIES - 1 ? rugi_look(ctx) : RUG_OK;
}

/* Sorts by i or by j, stably. */
static rug_status sort_by(rug_context *ctx, rugi_glcm_entry *to,
                          const rugi_glcm_entry *from, size_t n, int by_i, size_t *place,
                          size_t n_ranks)
{
    memset(place, 0, (n_ranks + 1) * sizeof *place);
    rug_status status = RUG_OK;
    for (size_t e = 0; e < n; e++)
        place[(by_i ? from[e].i : from[e].j) + (size_t)1]++;
    for (size_t k = 0; k < n_ranks; k++)
        place[k + 1] += place[k];
    for (size_t e = 0; e < n && status == RUG_OK; e++) {
        to[place[by_i ? from[e].i : from[e].j]++] = from[e];
        status = look(ctx, e);
    }
    return status;
}

static rug_status sort(rug_context *ctx, rugi_glcm_counting *c, size_t n_ranks)
{
    rugi_glcm_entry *other = rugi_glcm_grow(ctx, &c->sorted_scratch, c->n_entries,
                                            sizeof *other, "entries of a matrix");
    size_t *place = rugi_glcm_grow(ctx, &c->rank_place_scratch, n_ranks + 1,
                                   sizeof *place, "entries of a matrix");
    if (other == NULL || place == NULL)
        return RUG_E_NOMEM;
    rug_status status = rugi_glcm_clear(ctx, other, c->n_entries * sizeof *other);
    if (status == RUG_OK)
        status = sort_by(ctx, other, c->entry, c->n_entries, 0, place, n_ranks);
    return status == RUG_OK
               ? sort_by(ctx, c->entry, other, c->n_entries, 1, place, n_ranks)
               : status;
}

/* ---- f14 ----
 *
 * The maximal correlation coefficient: the root of the second largest eigenvalue of Q(i,
 * j) = sum over k of p(i, k) p(j, k) / (px(i) py(k)) (Haralick et al. 1973), which is the
 * second singular value of A(i, j) = p(i, j) / sqrt(px(i) py(j)). The first one is 1,
 * with the vectors sqrt(px) and sqrt(py). A symmetric A has the same in its eigenvalues;
 * of another one they are the eigenvalues of the symmetric (0 A; A' 0), with both signs.
 *
 * Lanczos' iteration (1950) finds the largest of the others by amount. The known vectors
 * are taken out of each new one, and the two before it once more; others are not needed:
 * what rounding brings back of them repeats eigenvalues that are there and makes no
 * others (Paige 1971). So it takes four vectors of memory, however many levels there are.
 * Power iteration would not do: the next eigenvalues nearly coincide in real pixels.
 * Entries are in a fixed order and the start is a fixed vector, so that the number is the
 * same on every engine. */

/* Steps at most, and between two checks. */
#define MAX_STEPS   1000
#define CHECK_STEPS 6

/* It ends when it grows by so little between checks. */
#define TOLERANCE 1e-14

/* Eigenvalues are not told apart any further. */
#define CLOSE 1e-15

/* A vector that is left with less than this is 0: the space of the start is exhausted,
 * and eigenvalues are exact. */
#define NOTHING 1e-13

/* Entries that make another thread worthwhile. */
#define ENTRIES_PER_TASK 200000

/* A sparse symmetric matrix by rows, counts with a factor for each row and column; and
 * the iteration's vectors. */
typedef struct lanczos {
    rug_context *ctx;
    size_t n;
    const size_t *first;
    const uint32_t *column;
    const uint32_t *count;
    const double *factor;
    size_t bulk_i, bulk_j; /* where so many more are */
    double bulk;
    double *scaled; /* [n] scratch */
    double *known;  /* [n_known][n] eigenvectors of eigenvalue 1 or -1 */
    size_t n_known;
    double *basis; /* [3][n], in turns */
    double alpha[MAX_STEPS], beta[MAX_STEPS];
} lanczos;

/* In lanes, so that any compiler makes vectors of it, and always in the same order. */
static double dot(const double *a, const double *b, size_t n)
{
    double lane[RUGI_GLCM_LANES] = {0};
    size_t i = 0;
    for (; i + RUGI_GLCM_LANES <= n; i += RUGI_GLCM_LANES)
        for (size_t k = 0; k < RUGI_GLCM_LANES; k++)
            lane[k] += a[i + k] * b[i + k];
    for (; i < n; i++)
        lane[i % RUGI_GLCM_LANES] += a[i] * b[i];
    return rugi_glcm_fold(lane);
}

static void subtract(double *v, const double *from, double times, size_t n)
{
    for (size_t i = 0; i < n; i++)
        v[i] -= times * from[i];
}

static void scale(double *v, double by, size_t n)
{
    for (size_t i = 0; i < n; i++)
        v[i] *= by;
}

static void take_out(double *v, const double *other, size_t n)
{
    subtract(v, other, dot(v, other, n), n);
}

static void take_out_known(const lanczos *l, double *v)
{
    for (size_t i = 0; i < l->n_known; i++)
        take_out(v, l->known + i * l->n, l->n);
}

/* Rows of a product, for a thread. */
typedef struct product {
    const lanczos *l;
    double *out;
    size_t n_tasks;
} product;

static void multiply_task(void *shared, size_t task, int thread)
{
    const product *p = shared;
    const lanczos *l = p->l;
    (void)thread;
    for (size_t i = l->n * task / p->n_tasks; i < l->n * (task + 1) / p->n_tasks; i++) {
        double sum = 0;
        for (size_t e = l->first[i]; e < l->first[i + 1]; e++)
            sum += l->count[e] * l->scaled[l->column[e]];
        p->out[i] = sum * l->factor[i];
    }
}

static rug_status multiply(const lanczos *l, double *out, const double *v)
{
    for (size_t i = 0; i < l->n; i++)
        l->scaled[i] = v[i] * l->factor[i];
    product p = {l, out, l->first[l->n] / ENTRIES_PER_TASK + 1};
    rug_status status = rugi_parallel_for(l->ctx, p.n_tasks, multiply_task, &p);
    if (l->bulk > 0) {
        out[l->bulk_i] += l->bulk * l->scaled[l->bulk_j] * l->factor[l->bulk_i];
        if (l->bulk_i != l->bulk_j)
            out[l->bulk_j] += l->bulk * l->scaled[l->bulk_i] * l->factor[l->bulk_j];
    }
    return status;
}

/* Whether the tridiagonal matrix of k steps has eigenvalues above x[i] or below -x[i],
 * for two x at once: four of Sturm's sequences side by side, each of which waits for
 * divisions. */
static void has_beyond(int out[2], const lanczos *l, size_t k, const double x[2])
{
    double at[4] = {x[0], -x[0], x[1], -x[1]}, q[4] = {1, 1, 1, 1}, square = 0;
    size_t below[4] = {0};
    for (size_t i = 0; i < k; i++) {
        for (int j = 0; j < 4; j++) {
            q[j] = l->alpha[i] - at[j] - square / q[j];
            q[j] = q[j] == 0 ? 1e-300 : q[j];
            below[j] += q[j] < 0;
        }
        square = l->beta[i] * l->beta[i];
    }
    for (int i = 0; i < 2; i++)
        out[i] = below[2 * i] < k || below[2 * i + 1] > 0;
}

/* The largest eigenvalue by its amount, as far as it is known. */
typedef struct bounds {
    double lo, hi;
    double growth; /* of lo at the last check */
} bounds;

/* An upper bound, and a better lower one: steps that grow from the lower bound on. */
static void bracket(bounds *b, const lanczos *l, size_t k)
{
    double step = b->growth > CLOSE ? b->growth : CLOSE;
    for (b->hi = 0; b->hi == 0; step *= 8) {
        double x[2] = {b->lo + step, b->lo + 4 * step};
        int beyond[2];
        if (x[0] > 1)
            b->hi = 1 + CLOSE;
        else {
            has_beyond(beyond, l, k, x);
            b->hi = !beyond[0] ? x[0] : !beyond[1] ? x[1] : 0;
            b->lo = beyond[1] ? x[1] : beyond[0] ? x[0] : b->lo;
        }
    }
}

/* Checks the eigenvalues of k steps, of which the largest never becomes less: thirds of
 * an interval, until its width is nothing against what has been gained, or against 1. */
static void check(bounds *b, const lanczos *l, size_t k, int exactly)
{
    double before = b->lo;
    bracket(b, l, k);
    for (double width = b->hi - b->lo;
         width > CLOSE && (exactly || width > 0.01 * (b->lo - before));
         width = b->hi - b->lo) {
        double x[2] = {b->lo + width / 3, b->hi - width / 3};
        int beyond[2];
        if (!(x[0] > b->lo && x[1] < b->hi))
            break;
        has_beyond(beyond, l, k, x);
        b->lo = beyond[1] ? x[1] : beyond[0] ? x[0] : b->lo;
        b->hi = !beyond[0] ? x[0] : !beyond[1] ? x[1] : b->hi;
    }
    b->growth = b->lo - before;
}

/* Fixed numbers without a pattern. @return whether anything is left of them without what
 * is known */
static int start(const lanczos *l)
{
    uint32_t state = 12345;
    for (size_t i = 0; i < l->n; i++) {
        state = state * 1664525 + 1013904223;
        double v = (double)(state >> 8) / (1 << 24) - 0.5;
        l->basis[i] = l->factor[i] > 0 ? v : 0;
    }
    take_out_known(l, l->basis);
    take_out_known(l, l->basis);
    double length = sqrt(dot(l->basis, l->basis, l->n));
    if (length > NOTHING)
        scale(l->basis, 1 / length, l->n);
    return length > NOTHING;
}

/* One step: the next vector, not yet of length 1. */
static rug_status step(lanczos *l, size_t k)
{
    double *v = l->basis + k % 3 * l->n, *next = l->basis + (k + 1) % 3 * l->n;
    const double *before = l->basis + (k + 2) % 3 * l->n;
    rug_status status = multiply(l, next, v);
    if (k > 0)
        subtract(next, before, l->beta[k - 1], l->n);
    l->alpha[k] = dot(next, v, l->n);
    subtract(next, v, l->alpha[k], l->n);
    take_out_known(l, next);
    take_out(next, v, l->n);
    if (k > 0)
        take_out(next, before, l->n);
    l->beta[k] = sqrt(dot(next, next, l->n));
    return status;
}

static rug_status iterate(lanczos *l, double *out)
{
    bounds b = {.growth = 0.25};
    *out = 0;
    if (!start(l))
        return RUG_OK;
    for (size_t k = 0; k < MAX_STEPS; k++) {
        rug_status status = step(l, k);
        if (status == RUG_OK)
            status = rugi_look(l->ctx);
        if (status != RUG_OK)
            return status;
        int last = k + 1 == MAX_STEPS || l->beta[k] < NOTHING;
        if (last || k % CHECK_STEPS == CHECK_STEPS - 1) {
            check(&b, l, k + 1, last);
            if (last || b.growth < TOLERANCE)
                break;
        }
        scale(l->basis + (k + 1) % 3 * l->n, 1 / l->beta[k], l->n);
    }
    *out = fmin(0.5 * (b.lo + b.hi), 1);
    return RUG_OK;
}

/* Sums of the rows and of the columns. In a symmetric matrix they are the same. */
static void find_marginals(double *x, double *y, const rugi_glcm_counting *c,
                           int symmetric, size_t n)
{
    memset(x, 0, n * sizeof *x);
    memset(y, 0, n * sizeof *y);
    for (size_t e = 0; e < c->n_entries; e++) {
        const rugi_glcm_entry *at = &c->entry[e];
        x[at->i] += at->n;
        y[at->j] += at->n;
    }
    if (c->bulk.n > 0) {
        x[c->bulk.rank] += (double)c->bulk.n;
        y[c->bulk.rank] += (double)c->bulk.n;
    }
    for (size_t i = 0; symmetric && i < n; i++)
        x[i] = y[i] = x[i] + y[i];
}

/* An entry of the diagonal is there once with twice its pairs, if so many fit 32 bits. */
static int is_doubled(const rugi_glcm_entry *at, size_t shift)
{
    return at->i == at->j + shift && at->n <= UINT32_MAX / 2;
}

/* Where the rows begin: entry (i, j) is at (i, j) and (j, i), with j shifted by n when
 * the matrix is not symmetric. */
static void find_rows(size_t *first, const rugi_glcm_counting *c, size_t shift, size_t n)
{
    memset(first, 0, (n + 1) * sizeof *first);
    for (size_t e = 0; e < c->n_entries; e++) {
        size_t i = c->entry[e].i, j = c->entry[e].j + shift;
        first[i + 1]++;
        if (!is_doubled(&c->entry[e], shift))
            first[j + 1]++;
    }
    for (size_t i = 0; i < n; i++)
        first[i + 1] += first[i];
}

/* Entries are sorted by i and then j, so columns of each row ascend: those of j come when
 * all smaller i have come. */
static rug_status fill_rows(rug_context *ctx, const size_t *first, size_t *next,
                            uint32_t *column, uint32_t *count,
                            const rugi_glcm_counting *c, size_t shift, size_t n)
{
    memcpy(next, first, n * sizeof *next);
    rug_status status = RUG_OK;
    for (size_t e = 0; e < c->n_entries && status == RUG_OK; e++) {
        const rugi_glcm_entry *at = &c->entry[e];
        size_t i = at->i, j = at->j + shift;
        column[next[i]] = (uint32_t)j;
        count[next[i]++] = is_doubled(at, shift) ? 2 * at->n : at->n;
        status = look(ctx, e);
        if (is_doubled(at, shift))
            continue;
        column[next[j]] = (uint32_t)i;
        count[next[j]++] = at->n;
    }
    return status;
}

/* 1 / sqrt(px), and below that 1 / sqrt(py) of a matrix that is not symmetric. */
static void fill_factors(double *factor, const double *marginal, size_t n)
{
    for (size_t i = 0; i < n; i++)
        factor[i] = marginal[i] > 0 ? 1 / sqrt(marginal[i]) : 0;
}

/* The vectors of the singular value 1, of length 1. */
static void fill_known(double *known, const double *x, const double *y, size_t n,
                       int symmetric, double total)
{
    size_t size = symmetric ? n : 2 * n;
    for (size_t i = 0; i < n; i++) {
        known[i] = sqrt(x[i] / total);
        if (symmetric)
            continue;
        known[n + i] = known[size + i] = 0;
        known[size + n + i] = sqrt(y[i] / total);
    }
}

static rug_status find_mcc(rug_context *ctx, rugi_glcm_counting *c, double *out,
                           size_t n_ranks, int symmetric, uint64_t total)
{
    static const char what[] = "the maximal correlation coefficient";
    size_t n = symmetric ? n_ranks : 2 * n_ranks, shift = symmetric ? 0 : n_ranks;
    size_t n_counts = 2 * c->n_entries;
    double *marginal =
        rugi_glcm_grow(ctx, &c->mcc_scratch[0], 2 * n_ranks, sizeof *marginal, what);
    size_t *first =
        rugi_glcm_grow(ctx, &c->mcc_scratch[1], 2 * n + 1, sizeof *first, what);
    uint32_t *column = /* the memory that sorting entries needed */
        rugi_glcm_grow(ctx, &c->sorted_scratch, n_counts, sizeof *column, what);
    uint32_t *count =
        rugi_glcm_grow(ctx, &c->mcc_scratch[2], n_counts, sizeof *count, what);
    double *known = rugi_glcm_grow(ctx, &c->mcc_scratch[3], 2 * n, sizeof *known, what);
    double *basis = rugi_glcm_grow(ctx, &c->mcc_scratch[4], 5 * n, sizeof *basis, what);
    if (marginal == NULL || first == NULL || column == NULL || count == NULL ||
        known == NULL || basis == NULL)
        return RUG_E_NOMEM;
    double *x = marginal, *y = marginal + n_ranks;
    find_marginals(x, y, c, symmetric, n_ranks);
    find_rows(first, c, shift, n);
    rug_status status = rugi_glcm_clear(ctx, count, n_counts * sizeof *count);
    if (status == RUG_OK)
        status = fill_rows(ctx, first, first + n + 1, column, count, c, shift, n);
    if (status != RUG_OK)
        return status;
    fill_factors(basis + 4 * n, marginal, n);
    fill_known(known, x, y, n_ranks, symmetric, (double)total);
    lanczos l = {.ctx = ctx,
                 .n = n,
                 .first = first,
                 .column = column,
                 .count = count,
                 .factor = basis + 4 * n,
                 .bulk_i = c->bulk.rank,
                 .bulk_j = c->bulk.rank + shift,
                 .bulk = (double)c->bulk.n * (symmetric ? 2 : 1),
                 .scaled = basis + 3 * n,
                 .known = known,
                 .n_known = symmetric ? 1 : 2,
                 .basis = basis};
    return iterate(&l, out);
}

/* ---- All of it ---- */

/* The largest entry: on the diagonal of a symmetric matrix pairs count twice. */
static uint64_t find_largest(const rugi_glcm_counting *c, int is_symmetric)
{
    uint64_t largest = is_symmetric ? 2 * c->bulk.n : c->bulk.n;
    for (size_t e = 0; e < c->n_entries; e++) {
        const rugi_glcm_entry *at = &c->entry[e];
        uint64_t n = at->n;
        if (at->i == at->j) {
            n += at->i == c->bulk.rank ? c->bulk.n : 0;
            n *= is_symmetric ? 2 : 1;
        }
        largest = n > largest ? n : largest;
    }
    return largest;
}

rug_status rugi_glcm_entry_sums(rug_context *ctx, rugi_glcm_counting *c,
                                rugi_glcm_sums *out, const rugi_glcm_matrix *m)
{
    rug_status status = sort(ctx, c, m->tile->n_ranks);
    if (status != RUG_OK)
        return status;
    uint64_t total = out->is_symmetric ? 2 * out->pairs : out->pairs;
    out->largest = find_largest(c, out->is_symmetric);
    return m->plan->with_mcc
               ? find_mcc(ctx, c, &out->mcc, m->tile->n_ranks, out->is_symmetric, total)
               : RUG_OK;
}
