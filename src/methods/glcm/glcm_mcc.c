/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* f14, the maximal correlation coefficient: the root of the second largest eigenvalue of
 * Q(i, j) = sum over k of p(i, k) p(j, k) / (px(i) py(k)) (Haralick et al. 1973), which is the
 * second singular value of A(i, j) = p(i, j) / sqrt(px(i) py(j)). The first one is 1, with
 * the vectors sqrt(px) and sqrt(py). A symmetric A has the same in its eigenvalues; of another
 * one they are the eigenvalues of the symmetric (0 A; A' 0), with both signs.
 *
 * Lanczos (1950) with full re-orthogonalisation, also against the vectors that are known,
 * finds the largest of the others. Power iteration would not do: the next eigenvalues nearly
 * coincide in real cells. Entries are in a fixed order and the start is a fixed vector, so
 * that the number is the same on every engine. */

#include "glcm_mcc.h"
#include <math.h>
#include <string.h>

/* Steps at most, doubles of the basis at most (32 MB), and steps between two looks. */
#define MAX_STEPS 400
#define MAX_BASIS ((size_t)1 << 22)
#define LOOK      4

#define TOLERANCE 1e-14

/* A vector that is left with less than this after orthogonalisation is 0: the space of the
 * start is exhausted, and eigenvalues are exact. */
#define NOTHING 1e-13

/* A sparse symmetric matrix by rows, and Lanczos' vectors. */
typedef struct lanczos {
    size_t n;
    const size_t *first;
    const uint32_t *column;
    const double *value;
    double *known; /* [n_known][n] eigenvectors of eigenvalue 1 or -1 */
    size_t n_known;
    double *basis; /* [steps + 1][n] */
    double alpha[MAX_STEPS], beta[MAX_STEPS];
} lanczos;

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void subtract(double *v, const double *from, double times, size_t n)
{
    for (size_t i = 0; i < n; i++)
        v[i] -= times * from[i];
}

/* Makes v orthogonal to what is known and to the basis of k vectors, twice, which is
 * enough (Parlett). @return its length then, to which it is not yet scaled */
static double orthogonalise(const lanczos *l, double *v, size_t k)
{
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < l->n_known; i++)
            subtract(v, l->known + i * l->n, dot(v, l->known + i * l->n, l->n), l->n);
        for (size_t i = k; i-- > 0;)
            subtract(v, l->basis + i * l->n, dot(v, l->basis + i * l->n, l->n), l->n);
    }
    return sqrt(dot(v, v, l->n));
}

static void scale(double *v, double by, size_t n)
{
    for (size_t i = 0; i < n; i++)
        v[i] *= by;
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

/* Eigenvalues below x of the tridiagonal matrix of k steps (Sturm). */
static size_t count_below(const lanczos *l, size_t k, double x)
{
    size_t n = 0;
    double q = 1;
    for (size_t i = 0; i < k; i++) {
        q = l->alpha[i] - x - (i > 0 ? l->beta[i - 1] * l->beta[i - 1] / q : 0);
        q = q == 0 ? 1e-300 : q;
        n += q < 0;
    }
    return n;
}

/* The largest eigenvalue by its amount, by bisection. */
static double largest(const lanczos *l, size_t k)
{
    double ends[2];
    for (int top = 0; top < 2; top++) {
        double lo = -1.0000001, hi = 1.0000001;
        for (int i = 0; i < 54; i++) {
            double x = 0.5 * (lo + hi);
            size_t n = count_below(l, k, x);
            if (top ? n == k : n > 0)
                hi = x;
            else
                lo = x;
        }
        ends[top] = fabs(0.5 * (lo + hi));
    }
    double x = ends[0] > ends[1] ? ends[0] : ends[1];
    return x < 1 ? x : 1;
}

/* Fixed numbers in -0.5..0.5 without a pattern. @return whether anything is left of them */
static int start(const lanczos *l)
{
    uint32_t state = 12345;
    for (size_t i = 0; i < l->n; i++) {
        state = state * 1664525 + 1013904223;
        l->basis[i] =
            l->first[i] < l->first[i + 1] ? (double)(state >> 8) / (1 << 24) - 0.5 : 0;
    }
    double length = orthogonalise(l, l->basis, 0);
    if (length > NOTHING)
        scale(l->basis, 1 / length, l->n);
    return length > NOTHING;
}

static double iterate(lanczos *l, size_t max_steps)
{
    double found = 0, before = -1;
    if (!start(l))
        return 0;
    for (size_t k = 0; k < max_steps; k++) {
        double *v = l->basis + k * l->n, *next = v + l->n;
        multiply(l, next, v);
        l->alpha[k] = dot(next, v, l->n);
        l->beta[k] = orthogonalise(l, next, k + 1);
        int last = k + 1 == max_steps || l->beta[k] < NOTHING;
        if (last || k % LOOK == LOOK - 1) {
            found = largest(l, k + 1);
            if (last || fabs(found - before) < TOLERANCE)
                break;
            before = found;
        }
        scale(next, 1 / l->beta[k], l->n);
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
    size_t steps = MAX_BASIS / n < MAX_STEPS ? MAX_BASIS / n : MAX_STEPS;
    steps = steps < n ? steps : n;
    double *marginal =
        rugi_glcm_room(ctx, &c->mcc_block[0], 2 * n_ranks, sizeof *marginal, what);
    size_t *first = rugi_glcm_room(ctx, &c->mcc_block[1], 2 * n + 1, sizeof *first, what);
    uint32_t *column =
        rugi_glcm_room(ctx, &c->mcc_block[2], 2 * c->n_entries, sizeof *column, what);
    double *value =
        rugi_glcm_room(ctx, &c->mcc_block[3], 2 * c->n_entries, sizeof *value, what);
    double *known = rugi_glcm_room(ctx, &c->mcc_block[4], 2 * n, sizeof *known, what);
    double *basis =
        rugi_glcm_room(ctx, &c->mcc_block[5], n * (steps + 1), sizeof *basis, what);
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
    *out = iterate(&l, steps);
    return RUG_OK;
}
