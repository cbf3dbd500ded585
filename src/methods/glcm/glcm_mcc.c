/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* f14, the maximal correlation coefficient: the root of the second largest eigenvalue of
 * Q(i, j) = sum over k of p(i, k) p(j, k) / (px(i) py(k)) (Haralick et al. 1973), which is the
 * second singular value of A(i, j) = p(i, j) / sqrt(px(i) py(j)). The first one is 1, with
 * the vectors sqrt(px) and sqrt(py). A symmetric A has the same in its eigenvalues; of another
 * one they are the eigenvalues of the symmetric (0 A; A' 0), with both signs.
 *
 * Lanczos' iteration (1950) finds the largest of the others by amount. The known vectors are
 * taken out of each new one, and the two before it once more; others are not needed: what
 * rounding brings back of them repeats eigenvalues that are there and makes no others (Paige
 * 1971). So it takes four vectors of memory, however many levels there are. Power iteration
 * would not do: the next eigenvalues nearly coincide in real cells. Entries are in a fixed
 * order and the start is a fixed vector, so that the number is the same on every engine. */

#include "glcm_mcc.h"
#include <math.h>
#include <string.h>

/* Steps at most, and between two looks. */
#define MAX_STEPS 1000
#define LOOK      6

/* So little that it grows between looks ends it. */
#define TOLERANCE 1e-14

/* A vector that is left with less than this is 0: the space of the start is exhausted, and
 * eigenvalues are exact. */
#define NOTHING 1e-13

/* A sparse symmetric matrix by rows, and the iteration's vectors. */
typedef struct lanczos {
    size_t n;
    const size_t *first;
    const uint32_t *column;
    const double *value;
    double *known; /* [n_known][n] eigenvectors of eigenvalue 1 or -1 */
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

static void multiply(const lanczos *l, double *out, const double *v)
{
    for (size_t i = 0; i < l->n; i++) {
        double sum = 0;
        for (size_t e = l->first[i]; e < l->first[i + 1]; e++)
            sum += l->value[e] * v[l->column[e]];
        out[i] = sum;
    }
}

/* Whether the tridiagonal matrix of k steps has eigenvalues above x[i] or below -x[i], for
 * two x at once: four of Sturm's sequences side by side, each of which waits for divisions. */
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

/* The largest eigenvalue of k steps by its amount, which is at least `lo`: thirds of an
 * interval. */
static double largest(const lanczos *l, size_t k, double lo)
{
    double hi = 1.0000001;
    while (hi - lo > 1e-15) {
        double x[2] = {lo + (hi - lo) / 3, hi - (hi - lo) / 3};
        int beyond[2];
        if (!(x[0] > lo && x[1] < hi))
            break;
        has_beyond(beyond, l, k, x);
        lo = beyond[1] ? x[1] : beyond[0] ? x[0] : lo;
        hi = !beyond[0] ? x[0] : !beyond[1] ? x[1] : hi;
    }
    double x = 0.5 * (lo + hi);
    return x < 1 ? x : 1;
}

/* Fixed numbers without a pattern. @return whether anything is left of them without what is
 * known */
static int start(const lanczos *l)
{
    uint32_t state = 12345;
    for (size_t i = 0; i < l->n; i++) {
        state = state * 1664525 + 1013904223;
        double v = (double)(state >> 8) / (1 << 24) - 0.5;
        l->basis[i] = l->first[i] < l->first[i + 1] ? v : 0;
    }
    take_out_known(l, l->basis);
    take_out_known(l, l->basis);
    double length = sqrt(dot(l->basis, l->basis, l->n));
    if (length > NOTHING)
        scale(l->basis, 1 / length, l->n);
    return length > NOTHING;
}

/* One step: the next vector, not yet of length 1. */
static void step(lanczos *l, size_t k)
{
    double *v = l->basis + k % 3 * l->n, *next = l->basis + (k + 1) % 3 * l->n;
    const double *before = l->basis + (k + 2) % 3 * l->n;
    multiply(l, next, v);
    if (k > 0)
        subtract(next, before, l->beta[k - 1], l->n);
    l->alpha[k] = dot(next, v, l->n);
    subtract(next, v, l->alpha[k], l->n);
    take_out_known(l, next);
    take_out(next, v, l->n);
    if (k > 0)
        take_out(next, before, l->n);
    l->beta[k] = sqrt(dot(next, next, l->n));
}

static double iterate(lanczos *l)
{
    double found = 0;
    if (!start(l))
        return 0;
    for (size_t k = 0; k < MAX_STEPS; k++) {
        step(l, k);
        int last = k + 1 == MAX_STEPS || l->beta[k] < NOTHING;
        if (last || k % LOOK == LOOK - 1) {
            double before = found;
            found = largest(l, k + 1, found > 1e-13 ? found - 1e-13 : 0);
            if (last || found - before < TOLERANCE)
                break;
        }
        scale(l->basis + (k + 1) % 3 * l->n, 1 / l->beta[k], l->n);
    }
    return found;
}

/* Sums of the rows and of the columns. In a symmetric matrix they are the same. */
static void find_marginals(double *x, double *y, const rugi_glcm_counting *c,
                           int symmetric, size_t n)
{
    memset(x, 0, n * sizeof *x);
    memset(y, 0, n * sizeof *y);
    for (size_t e = 0; e < c->n_entries; e++) {
        const rugi_glcm_entry *at = &c->entry[e];
        x[at->i] += (double)at->n;
        y[at->j] += (double)at->n;
    }
    for (size_t i = 0; symmetric && i < n; i++)
        x[i] = y[i] = x[i] + y[i];
}

/* Where the rows begin: entry (i, j) is at (i, j) and (j, i), with j shifted by n when the
 * matrix is not symmetric. */
static void find_rows(size_t *first, const rugi_glcm_counting *c, size_t shift, size_t n)
{
    memset(first, 0, (n + 1) * sizeof *first);
    for (size_t e = 0; e < c->n_entries; e++) {
        size_t i = c->entry[e].i, j = c->entry[e].j + shift;
        first[i + 1]++;
        if (i != j)
            first[j + 1]++;
    }
    for (size_t i = 0; i < n; i++)
        first[i + 1] += first[i];
}

/* Entries are sorted by i and then j, so columns of each row ascend: those of j come when
 * all smaller i have come. */
static void fill_rows(const size_t *first, size_t *next, uint32_t *column, double *value,
                      const rugi_glcm_counting *c, const double *x, const double *y,
                      size_t shift, size_t n)
{
    memcpy(next, first, n * sizeof *next);
    for (size_t e = 0; e < c->n_entries; e++) {
        const rugi_glcm_entry *at = &c->entry[e];
        size_t i = at->i, j = at->j + shift;
        double a = (double)at->n / (sqrt(x[at->i]) * sqrt(y[at->j]));
        column[next[i]] = (uint32_t)j;
        value[next[i]++] = i == j ? 2 * a : a;
        if (i == j)
            continue;
        column[next[j]] = (uint32_t)i;
        value[next[j]++] = a;
    }
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

rug_status rugi_glcm_mcc(rug_context *ctx, rugi_glcm_counting *c, double *out,
                         size_t n_ranks, int symmetric, uint64_t total)
{
    static const char what[] = "the maximal correlation coefficient";
    size_t n = symmetric ? n_ranks : 2 * n_ranks, shift = symmetric ? 0 : n_ranks;
    double *marginal =
        rugi_glcm_room(ctx, &c->mcc_block[0], 2 * n_ranks, sizeof *marginal, what);
    size_t *first = rugi_glcm_room(ctx, &c->mcc_block[1], 2 * n + 1, sizeof *first, what);
    uint32_t *column =
        rugi_glcm_room(ctx, &c->mcc_block[2], 2 * c->n_entries, sizeof *column, what);
    double *value =
        rugi_glcm_room(ctx, &c->mcc_block[3], 2 * c->n_entries, sizeof *value, what);
    double *known = rugi_glcm_room(ctx, &c->mcc_block[4], 2 * n, sizeof *known, what);
    double *basis = rugi_glcm_room(ctx, &c->mcc_block[5], 3 * n, sizeof *basis, what);
    if (marginal == NULL || first == NULL || column == NULL || value == NULL ||
        known == NULL || basis == NULL)
        return RUG_E_NOMEM;
    double *x = marginal, *y = marginal + n_ranks;
    find_marginals(x, y, c, symmetric, n_ranks);
    find_rows(first, c, shift, n);
    fill_rows(first, first + n + 1, column, value, c, x, y, shift, n);
    fill_known(known, x, y, n_ranks, symmetric, (double)total);
    lanczos l = {.n = n,
                 .first = first,
                 .column = column,
                 .value = value,
                 .known = known,
                 .n_known = symmetric ? 1 : 2,
                 .basis = basis};
    *out = iterate(&l);
    return RUG_OK;
}
