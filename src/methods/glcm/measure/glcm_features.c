/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The matrices of a region, their features, and the means, ranges and sums over
 * directions and slices that become rows. */

#include "glcm_measure.h"
#include <math.h>
#include <string.h>

/* ---- Features ----
 *
 * Those of Haralick, Shanmugam and Dinstein (1973), appendix I, and of IBSI (2016),
 * section 3.6, from sums. With N the sum of the matrix, X1 and X2 sums of the levels of
 * its first marginal and their squares, Y1, Y2 those of the second, Q that of (i - j)^2:
 *
 *     N^2 variance of i = N X2 - X1^2,   N sum i j = (X2 + Y2 - Q') / 2
 *
 * with Q' over all entries. They are exact in 128 bits, so that differences of large
 * numbers lose nothing. The entropies of products of marginals, HXY1 and HXY2, are HX +
 * HY. */

typedef struct variances {
    rugi_glcm_i128 x, y, both; /* N^2 times the variances and the covariance */
} variances;

/* The sum of i j over the matrix. */
static rugi_glcm_i128 products(const rugi_glcm_sums *s)
{
    rugi_glcm_i128 q = (rugi_glcm_i128)s->d2 * (s->is_symmetric ? 2 : 1);
    return ((rugi_glcm_i128)(s->x2 + s->y2) - q) / 2;
}

static variances find_variances(const rugi_glcm_sums *s)
{
    rugi_glcm_i128 n = (rugi_glcm_i128)s->total, x1 = (rugi_glcm_i128)s->x1;
    rugi_glcm_i128 y1 = (rugi_glcm_i128)s->y1;
    return (variances){n * (rugi_glcm_i128)s->x2 - x1 * x1,
                       n * (rugi_glcm_i128)s->y2 - y1 * y1, n * products(s) - x1 * y1};
}

/* Whether the variance of one of the levels is 0, so that f3 and f14 are undefined. */
static int is_flat(const rugi_glcm_sums *s)
{
    variances v = find_variances(s);
    return s->pairs > 0 && (v.x == 0 || v.y == 0);
}

static double nats(rugi_glcm_u128 units)
{
    return ldexp((double)units, -RUGI_GLCM_LN_BITS);
}

/* The entropy in nats of counts that sum up to n, from the sum of their t. Exactly 0
 * where one of them is n: its t is larger than that of any others that sum up to n. */
static double entropy(const rugi_glcm_logs *logs, uint64_t n, rugi_glcm_u128 t)
{
    if (n == 0 || t == rugi_glcm_t(logs, n))
        return 0;
    rugi_glcm_u128 most = rugi_glcm_ln(n), less = rugi_glcm_share(t, n);
    return most > less ? nats(most - less) : 0;
}

/* The entropy of the matrix in nats. When only the t of unordered pairs is known: entries
 * (i, j) and (j, i) are equal, and one on the diagonal is twice its pairs, so that the
 * matrix has ln 2 more for each pair off the diagonal. */
static double joint_entropy(const rugi_glcm_sums *s, const rugi_glcm_plan *plan)
{
    double h = entropy(&plan->logs, s->pairs, s->t);
    if (!s->is_symmetric)
        return h;
    return h + (double)(s->pairs - s->equal) / (double)s->pairs * RUGI_GLCM_LN_2;
}

/* HX + HY - HXY in nats, (t(N) + sum t(p) - sum t(px) - sum t(py)) / N with p, px, py in
 * counts. Every t may be wrong by half a unit, those of 0 and 1 are not, so less than N /
 * 2 units are nothing: levels that are independent have exactly 0. */
static double shared_entropy(const rugi_glcm_sums *s, const rugi_glcm_plan *plan)
{
    rugi_glcm_i128 t = (rugi_glcm_i128)s->t;
    if (s->is_symmetric)
        t = 2 * t +
            (rugi_glcm_i128)((2 * (rugi_glcm_u128)s->equal * RUGI_GLCM_LN_2_BITS) >>
                             (64 - RUGI_GLCM_T_BITS));
    t += (rugi_glcm_i128)rugi_glcm_t(&plan->logs, s->total);
    t -= (rugi_glcm_i128)(s->t_x + s->t_y);
    if (t <= (rugi_glcm_i128)(s->total / 2))
        return 0;
    return nats(rugi_glcm_share((rugi_glcm_u128)t, s->total));
}

/* Correlations that rounding has led out of -1..1. */
static double correlation(double v)
{
    return v > 1 ? 1 : v < -1 ? -1 : v;
}

static void entropies(double *f, const rugi_glcm_sums *s, const rugi_glcm_plan *plan)
{
    const rugi_glcm_logs *logs = &plan->logs;
    double per_nat = plan->per_nat;
    double hx = entropy(logs, s->total, s->t_x) * per_nat;
    double hy = entropy(logs, s->total, s->t_y) * per_nat;
    double hxy = joint_entropy(s, plan) * per_nat;
    double shared = shared_entropy(s, plan) * per_nat, largest = hx > hy ? hx : hy;
    f[RUG_GLCM_SUM_ENTROPY] = entropy(logs, s->pairs, s->t_sum) * per_nat;
    f[RUG_GLCM_DIFFERENCE_ENTROPY] = entropy(logs, s->pairs, s->t_difference) * per_nat;
    f[RUG_GLCM_ENTROPY] = hxy;
    f[RUG_GLCM_INFO_CORRELATION_1] =
        largest > 0 ? correlation(0 - shared / largest) : NAN;
    f[RUG_GLCM_INFO_CORRELATION_2] = sqrt(0 - expm1(-2 * shared));
}

static void moments(double *f, const rugi_glcm_sums *s)
{
    variances v = find_variances(s);
    double n = (double)s->total, pairs = (double)s->pairs;
    rugi_glcm_i128 d1 = (rugi_glcm_i128)s->d1;
    f[RUG_GLCM_ANGULAR_SECOND_MOMENT] = (double)s->squares / n / n;
    f[RUG_GLCM_CONTRAST] = (double)s->d2 / pairs;
    f[RUG_GLCM_CORRELATION] = correlation(
        (double)v.both /
        (s->is_symmetric ? (double)v.x : sqrt((double)v.x) * sqrt((double)v.y)));
    f[RUG_GLCM_VARIANCE] = (double)v.x / n / n;
    f[RUG_GLCM_INVERSE_DIFFERENCE_MOMENT] = s->closeness / pairs;
    f[RUG_GLCM_SUM_VARIANCE] = (double)(v.x + v.y + 2 * v.both) / n / n;
    f[RUG_GLCM_DIFFERENCE_VARIANCE] =
        (double)((rugi_glcm_i128)s->pairs * (rugi_glcm_i128)s->d2 - d1 * d1) / pairs /
        pairs;
}

/* Averages see the least level, which variances do not. */
static void averages(double *f, const rugi_glcm_sums *s, rugi_glcm_i128 base)
{
    rugi_glcm_i128 n = (rugi_glcm_i128)s->total, x1 = (rugi_glcm_i128)s->x1;
    rugi_glcm_i128 both = x1 + (rugi_glcm_i128)s->y1;
    f[RUG_GLCM_SUM_AVERAGE] = (double)(both + 2 * n * base) / (double)n;
    f[RUG_GLCM_JOINT_AVERAGE] = (double)(x1 + n * base) / (double)n;
    if (base < RUGI_GLCM_EXACT_BASE && base > -RUGI_GLCM_EXACT_BASE) {
        rugi_glcm_i128 sum = products(s) + both * base + n * base * base;
        f[RUG_GLCM_AUTOCORRELATION] = (double)sum / (double)n;
    } else {
        long double least = (long double)base, total = (long double)n;
        long double sum = ((long double)products(s) + (long double)both * least) / total;
        f[RUG_GLCM_AUTOCORRELATION] = (double)(sum + least * least);
    }
}

static void more(double *f, const rugi_glcm_sums *s)
{
    double n = (double)s->pairs;
    f[RUG_GLCM_JOINT_MAXIMUM] = (double)s->largest / (double)s->total;
    f[RUG_GLCM_DIFFERENCE_AVERAGE] = (double)s->d1 / n;
    f[RUG_GLCM_DISSIMILARITY] = f[RUG_GLCM_DIFFERENCE_AVERAGE];
    f[RUG_GLCM_INVERSE_DIFFERENCE] = s->inverse / n;
    f[RUG_GLCM_INVERSE_DIFFERENCE_NORMALISED] = s->inverse_scaled / n;
    f[RUG_GLCM_INVERSE_DIFFERENCE_MOMENT_NORMALISED] = s->closeness_scaled / n;
    f[RUG_GLCM_INVERSE_VARIANCE] = s->inverse_variance / n;
    f[RUG_GLCM_CLUSTER_TENDENCY] = f[RUG_GLCM_SUM_VARIANCE];
    f[RUG_GLCM_CLUSTER_SHADE] = s->shade / n;
    f[RUG_GLCM_CLUSTER_PROMINENCE] = s->prominence / n;
}

/* All features that are asked for; the others, and all of a matrix without pairs, NaN.
 * `base` is the least level, which the sums leave out. */
static void find_features(double out[RUG_GLCM_N_FEATURES], const rugi_glcm_sums *s,
                          const rugi_glcm_plan *plan, rugi_glcm_i128 base)
{
    for (int i = 0; i < RUG_GLCM_N_FEATURES; i++)
        out[i] = NAN;
    if (s->pairs == 0)
        return;
    moments(out, s);
    averages(out, s, base);
    entropies(out, s, plan);
    if (plan->with_all)
        more(out, s);
    else
        out[RUG_GLCM_JOINT_AVERAGE] = out[RUG_GLCM_AUTOCORRELATION] = NAN;
    if (plan->with_mcc)
        out[RUG_GLCM_MAX_CORRELATION_COEFFICIENT] = correlation(s->mcc);
    if (is_flat(s))
        out[RUG_GLCM_CORRELATION] = out[RUG_GLCM_MAX_CORRELATION_COEFFICIENT] = NAN;
}

/* ---- Matrices ---- */

static int is_merged(const rugi_glcm_plan *plan)
{
    return plan->aggregate == RUG_GLCM_AGGREGATE_MERGED;
}

rugi_glcm_matrices rugi_glcm_matrices_of(const rugi_glcm_plan *plan,
                                         const rugi_glcm_region *r)
{
    return (rugi_glcm_matrices){
        .n_directions = is_merged(plan) ? 1 : plan->n_directions,
        .n_slices = plan->slices == RUG_GLCM_SLICES_MEAN ? r->tile.nz : 1};
}

/* Those of slice z follow one another. */
static void slice_pixels(rugi_glcm_tile *t, size_t z, uint32_t *count)
{
    int64_t begin = (int64_t)z * ((int64_t)t->ny + RUGI_GLCM_ROW_GAP);
    int64_t end = begin + (int64_t)t->ny;
    size_t first = 0;
    while (first < t->n_pixels && t->pixel_row[first] < begin)
        first++;
    size_t n = first;
    for (; n < t->n_pixels && t->pixel_row[n] < end; n++)
        count[t->rank[n]]++;
    t->pixel_row += first;
    t->pixel_x += first;
    t->rank += first;
    t->level += first;
    t->n_pixels = t->area = n - first;
}

/* Slice z of a tile, as a tile that shares its memory. `count`, [n_ranks + SLACK],
 * becomes the pixels of each rank in the slice. */
static rugi_glcm_tile slice_of(const rugi_glcm_tile *tile, size_t z, uint32_t *count)
{
    rugi_glcm_tile t = *tile;
    size_t first = z * t.ny * t.n_words;
    t.nz = 1;
    t.count = count;
    t.area = 0;
    memset(count, 0, ((size_t)t.n_ranks + RUGI_GLCM_SLACK) * sizeof *count);
    if (t.pixel_row != NULL) {
        slice_pixels(&t, z, count);
        return t;
    }
    t.mask += first;
    t.rank += 64 * first;
    t.level += 64 * first;
    for (size_t i = 0; i < t.ny * t.n_words; i++)
        for (uint64_t bits = t.mask[i]; bits != 0; bits &= bits - 1, t.area++)
            count[t.rank[64 * i + (size_t)__builtin_ctzll(bits)]]++;
    return t;
}

/* Offsets of a matrix that fit into the tile. @return how many */
static uint32_t find_offsets(int offsets[][3], const rugi_glcm_plan *plan,
                             const rugi_glcm_tile *tile, uint32_t distance,
                             uint32_t direction)
{
    const size_t shape[3] = {tile->nz, tile->ny, tile->nx};
    uint32_t n = 0, first = is_merged(plan) ? 0 : direction;
    uint32_t end = is_merged(plan) ? plan->n_directions : direction + 1;
    for (uint32_t i = first; i < end; i++) {
        int *o = offsets[n], fits = 1;
        rugi_glcm_offset(plan, o, i, distance);
        for (int a = 0; a < 3; a++)
            fits = fits && (size_t)(o[a] < 0 ? -o[a] : o[a]) < shape[a];
        n += fits || plan->is_frame;
    }
    return n;
}

rug_status rugi_glcm_matrix_of(rug_context *ctx, rugi_glcm_counting *c,
                               rugi_glcm_place *place, const rugi_glcm_plan *plan,
                               const rugi_glcm_region *r, uint32_t distance,
                               size_t matrix)
{
    rugi_glcm_matrices all = rugi_glcm_matrices_of(plan, r);
    place->tile = r->tile;
    if (plan->slices == RUG_GLCM_SLICES_MEAN) {
        uint32_t *count = rugi_glcm_grow(ctx, &c->slice_count,
                                         (size_t)r->tile.n_ranks + RUGI_GLCM_SLACK,
                                         sizeof *count, "the levels of a slice");
        if (count == NULL)
            return RUG_E_NOMEM;
        place->tile = slice_of(&r->tile, matrix / all.n_directions, count);
    }
    uint32_t n = find_offsets(place->offset, plan, &place->tile, distance,
                              (uint32_t)(matrix % all.n_directions));
    place->matrix = (rugi_glcm_matrix){.plan = plan,
                                       .tile = &place->tile,
                                       .offset = (const int(*)[3])place->offset,
                                       .n_offsets = n,
                                       .first = is_merged(plan) ? 0 : (uint32_t)matrix,
                                       .whole = r->whole,
                                       .n_gray = r->binning.largest,
                                       .n_most = r->n_most,
                                       .background = r->background,
                                       .box = r->shape,
                                       .reach = plan->frame > 0 ? plan->frame : distance,
                                       .frame_axes = plan->is_flat ? 2 : 3};
    return RUG_OK;
}

void rugi_glcm_finish(rugi_glcm_measured *out, const rugi_glcm_sums *sums,
                      const rugi_glcm_plan *plan, const rugi_glcm_region *r)
{
    out->pairs = sums->pairs;
    out->is_flat = is_flat(sums);
    find_features(out->features, sums, plan, r->binning.true_base);
}

/* ---- Rows ---- */

/* The mean, or the range, of those that have pairs: n of them, `step` apart. */
static rugi_glcm_measured join(const rugi_glcm_measured *all, size_t n, size_t step,
                               int is_range)
{
    rugi_glcm_measured out = {.pairs = 0};
    double n_joined = 0, least[RUG_GLCM_N_FEATURES];
    for (int f = 0; f < RUG_GLCM_N_FEATURES; f++)
        out.features[f] = least[f] = NAN;
    for (size_t i = 0; i < n; i++) {
        const rugi_glcm_measured *one = &all[i * step];
        if (one->pairs == 0)
            continue;
        for (int f = 0; f < RUG_GLCM_N_FEATURES; f++) {
            double v = one->features[f], *sum = &out.features[f];
            if (n_joined == 0)
                *sum = least[f] = v;
            else if (!is_range)
                *sum += v;
            else {
                *sum = v > *sum || isnan(v) ? v : *sum;
                least[f] = v < least[f] || isnan(v) ? v : least[f];
            }
        }
        n_joined++;
        out.pairs += one->pairs;
        out.is_flat = out.is_flat || one->is_flat;
    }
    for (int f = 0; f < RUG_GLCM_N_FEATURES && n_joined > 0; f++)
        out.features[f] =
            is_range ? out.features[f] - least[f] : out.features[f] / n_joined;
    return out;
}

static rugi_glcm_row make_row(const rugi_glcm_plan *plan, const rugi_glcm_region *r,
                              uint32_t distance, int direction,
                              const rugi_glcm_measured *measured)
{
    rug_glcm_row row = {.label = r->label,
                        .first = {r->first[0], r->first[1], r->first[2]},
                        .shape = {r->shape[0], r->shape[1], r->shape[2]},
                        .area = r->values.n,
                        .n_nan = r->values.n_nan,
                        .n_clamped = r->values.n_clamped,
                        .distance = distance,
                        .direction = direction,
                        .pairs = measured->pairs,
                        .levels = r->n_levels,
                        .bin_origin = r->binning.bin_origin + 0.0, /* -0 is 0 */
                        .bin_width = r->binning.bin_width,
                        .status = rugi_glcm_status_of(measured),
                        .engine = plan->kernels.name,
                        .n_features = RUG_GLCM_N_FEATURES,
                        .n_outside = r->values.n_outside};
    rugi_glcm_row out = {.row = row};
    memcpy(out.features, measured->features, sizeof out.features);
    return out;
}

void rugi_glcm_rows(rugi_glcm_row *rows, rugi_glcm_measured *measured,
                    const rugi_glcm_plan *plan, const rugi_glcm_region *r,
                    uint32_t distance)
{
    rugi_glcm_matrices all = rugi_glcm_matrices_of(plan, r);
    rug_glcm_aggregate aggregate = plan->aggregate;
    for (uint32_t k = 0; k < all.n_directions; k++)
        measured[k] = join(measured + k, all.n_slices, all.n_directions, 0);
    if (aggregate == RUG_GLCM_AGGREGATE_NONE) {
        for (uint32_t k = 0; k < all.n_directions; k++)
            rows[k] = make_row(plan, r, distance, (int)plan->direction[k], &measured[k]);
        return;
    }
    rugi_glcm_measured joined =
        join(measured, all.n_directions, 1, aggregate == RUG_GLCM_AGGREGATE_RANGE);
    rows[0] = make_row(plan, r, distance, -1, &joined);
}
