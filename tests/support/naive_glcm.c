/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Co-occurrence straight from the definitions. */

#include "naive_glcm.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Levels of the pixels of one region: an index of the matrix, or -1 outside. */
typedef struct region {
    int *level;
    size_t n;            /* of the matrix */
    double least, ng;    /* the level of index 0 */
    size_t lo[3], hi[3]; /* bounding box, both included, of all pixels with the label */
} region;

static size_t n_pixels(const naive_pixels *c)
{
    return c->nz * c->ny * c->nx;
}

static int is_float(rug_dtype dtype)
{
    return dtype == RUG_F32 || dtype == RUG_F64;
}

static int has_label(const naive_pixels *c, uint64_t label, size_t i)
{
    return c->label == NULL || c->label[i] == label;
}

static int is_in_mask(const naive_pixels *c, size_t i)
{
    return c->inside == NULL || c->inside[i];
}

static int is_in(const naive_pixels *c, uint64_t label, size_t i)
{
    return has_label(c, label, i) && is_in_mask(c, i) && isfinite(c->value[i]);
}

static void find_range(const naive_pixels *c, const rug_glcm_options *o,
                       rug_glcm_range range, uint64_t label, double *lo, double *hi)
{
    static const double types[][2] = {
        {0, 1}, {0, 255}, {-128, 127}, {0, 65535}, {-32768, 32767}};
    *lo = INFINITY;
    *hi = -INFINITY;
    for (size_t i = 0; i < n_pixels(c); i++)
        if (is_in_mask(c, i) && isfinite(c->value[i]) &&
            (range == RUG_GLCM_RANGE_IMAGE || has_label(c, label, i))) {
            *lo = fmin(*lo, c->value[i]);
            *hi = fmax(*hi, c->value[i]);
        }
    if (range == RUG_GLCM_RANGE_TYPE) {
        *lo = types[c->dtype][0];
        *hi = types[c->dtype][1];
    }
    if (range == RUG_GLCM_RANGE_GIVEN) {
        *lo = o->range_lo;
        *hi = o->range_hi;
    }
}

/* Where bins of a width begin. */
static double find_origin(const naive_pixels *c, const rug_glcm_options *o,
                          rug_glcm_range range, uint64_t label, double lo, double hi)
{
    double least, most;
    int is_given = range == RUG_GLCM_RANGE_GIVEN;
    find_range(c, o, RUG_GLCM_RANGE_ROI, label, &least, &most);
    if (o->origin == RUG_GLCM_ORIGIN_GIVEN)
        return o->bin_origin;
    if (o->origin == RUG_GLCM_ORIGIN_MIN)
        return is_given ? fmin(fmax(least, lo), hi) : lo;
    if (o->origin == RUG_GLCM_ORIGIN_AUTO && is_given)
        return lo;
    if (o->origin == RUG_GLCM_ORIGIN_AUTO && o->resegment && isfinite(o->resegment_lo))
        return o->resegment_lo;
    return floor(lo / o->bin_width) * o->bin_width;
}

static double count_bin(double v, double lo, double hi, double n)
{
    if (v <= lo || hi <= lo)
        return 1;
    return v >= hi ? n : fmin(n, 1 + floor(n * (v - lo) / (hi - lo)));
}

/* Levels of all pixels of the region, as the options define them. */
static void find_levels(double *level, glcm_row *row, double *ng, const naive_pixels *c,
                        const rug_glcm_options *o, uint64_t label)
{
    rug_glcm_levels kind = o->levels;
    if (kind == RUG_GLCM_LEVELS_AUTO)
        kind = is_float(c->dtype) ? RUG_GLCM_LEVELS_COUNT : RUG_GLCM_LEVELS_EXACT;
    double n = o->n_levels != 0 ? o->n_levels : 64, lo, hi;
    rug_glcm_range range = o->range;
    if (range == RUG_GLCM_RANGE_AUTO)
        range = kind == RUG_GLCM_LEVELS_COUNT ? RUG_GLCM_RANGE_IMAGE : RUG_GLCM_RANGE_ROI;
    find_range(c, o, range, label, &lo, &hi);
    double origin = find_origin(c, o, range, label, lo, hi);
    int is_from = o->origin == RUG_GLCM_ORIGIN_GIVEN;
    int given = range == RUG_GLCM_RANGE_GIVEN && kind != RUG_GLCM_LEVELS_EXACT;
    double most = 0;
    for (size_t i = 0; i < n_pixels(c); i++) {
        if (!is_in(c, label, i))
            continue;
        double v = c->value[i];
        row->n_clamped += (given && (v < lo || v > hi)) || (is_from && v < origin);
        level[i] = v;
        if (kind == RUG_GLCM_LEVELS_COUNT)
            level[i] = count_bin(v, lo, hi, n);
        if (kind == RUG_GLCM_LEVELS_WIDTH)
            level[i] =
                1 + floor((fmax(fmin(fmax(v, lo), hi), origin) - origin) / o->bin_width);
        most = fmax(most, level[i]);
    }
    *ng = kind == RUG_GLCM_LEVELS_COUNT ? n : kind == RUG_GLCM_LEVELS_WIDTH ? most : 0;
    row->bin_origin = row->bin_width = NAN;
    if (kind == RUG_GLCM_LEVELS_COUNT) {
        row->bin_origin = lo;
        row->bin_width = (hi - lo) / n;
    } else if (kind == RUG_GLCM_LEVELS_WIDTH) {
        row->bin_origin = origin;
        row->bin_width = o->bin_width;
    }
}

/* Levels to indices of the matrix; with a frame level 0 has one too. */
static int make_region(region *r, glcm_row *row, const naive_pixels *c,
                       const rug_glcm_options *o, uint64_t label)
{
    size_t n = n_pixels(c);
    double *level = malloc(n * sizeof *level), least = INFINITY, most = -INFINITY;
    r->level = malloc(n * sizeof *r->level);
    if (level == NULL || r->level == NULL) {
        free(level);
        return 0;
    }
    find_levels(level, row, &r->ng, c, o, label);
    if (o->pairs == RUG_GLCM_PAIRS_FRAME)
        least = most = 0;
    for (int a = 0; a < 3; a++) {
        r->lo[a] = SIZE_MAX;
        r->hi[a] = 0;
    }
    for (size_t i = 0; i < n; i++) {
        const size_t at[3] = {i / (c->ny * c->nx), i / c->nx % c->ny, i % c->nx};
        for (int a = 0; a < 3 && has_label(c, label, i) && is_in_mask(c, i); a++) {
            r->lo[a] = at[a] < r->lo[a] ? at[a] : r->lo[a];
            r->hi[a] = at[a] > r->hi[a] ? at[a] : r->hi[a];
        }
        row->n_nan +=
            has_label(c, label, i) && is_in_mask(c, i) && !isfinite(c->value[i]);
        if (!is_in(c, label, i))
            continue;
        row->area++;
        least = fmin(least, level[i]);
        most = fmax(most, level[i]);
    }
    least = most < least ? 0 : least;
    r->n = most < least ? 1 : (size_t)(most - least) + 1;
    r->least = least;
    r->ng = r->ng > 0 ? r->ng : (double)r->n;
    char *seen = calloc(r->n, 1);
    for (size_t i = 0; i < n && seen != NULL; i++) {
        r->level[i] = is_in(c, label, i) ? (int)(level[i] - least) : -1;
        if (r->level[i] >= 0 && !seen[r->level[i]]) {
            seen[r->level[i]] = 1;
            row->levels++;
        }
    }
    free(level);
    free(seen);
    return seen != NULL;
}

/* The level at a place: of the region, of the frame's background, or -1. */
static int level_at(const naive_pixels *c, const region *r, int frame, long z, long y,
                    long x)
{
    if (z >= 0 && y >= 0 && x >= 0 && z < (long)c->nz && y < (long)c->ny &&
        x < (long)c->nx) {
        int level = r->level[((size_t)z * c->ny + (size_t)y) * c->nx + (size_t)x];
        if (level >= 0)
            return level;
    }
    return frame ? (int)(0 - r->least) : -1;
}

/* Whether slices z0..z1 hold a pixel of the region. */
static int has_pixels(const naive_pixels *c, const region *r, long z0, long z1)
{
    size_t slice = c->ny * c->nx, end = ((size_t)z1 + 1) * slice;
    for (size_t i = (size_t)z0 * slice; i < end; i++)
        if (r->level[i] >= 0)
            return 1;
    return 0;
}

/* Adds the pairs at an offset within slices z0..z1 to the matrix. */
static uint64_t add_pairs(double *p, const naive_pixels *c, const region *r,
                          const rug_glcm_options *o, const long offset[3], long reach,
                          long z0, long z1)
{
    int frame = o->pairs == RUG_GLCM_PAIRS_FRAME;
    int flat = c->ndim == 2 || o->slices != RUG_GLCM_SLICES_NONE;
    uint64_t pairs = 0;
    long wide = !frame ? 0 : o->frame > 0 ? (long)o->frame : reach;
    long wide_z = flat ? 0 : wide;
    long lo[3] = {z0 - wide_z, (long)r->lo[1] - wide, (long)r->lo[2] - wide};
    long hi[3] = {z1 + wide_z, (long)r->hi[1] + wide, (long)r->hi[2] + wide};
    for (long z = lo[0]; z <= hi[0]; z++)
        for (long y = lo[1]; y <= hi[1]; y++)
            for (long x = lo[2]; x <= hi[2]; x++) {
                long to[3] = {z + offset[0], y + offset[1], x + offset[2]};
                if (to[0] < lo[0] || to[0] > hi[0] || to[1] < lo[1] || to[1] > hi[1] ||
                    to[2] < lo[2] || to[2] > hi[2])
                    continue;
                int i = level_at(c, r, frame, z, y, x);
                int j = level_at(c, r, frame, to[0], to[1], to[2]);
                if (i < 0 || j < 0)
                    continue;
                pairs++;
                p[(size_t)i * r->n + (size_t)j]++;
                if (!o->asymmetric)
                    p[(size_t)j * r->n + (size_t)i]++;
            }
    return pairs;
}

static double log_of(double x, double base)
{
    return log(x) / log(base);
}

static double entropy(const double *p, size_t n, double base)
{
    double h = 0;
    for (size_t i = 0; i < n; i++)
        h -= p[i] > 0 ? p[i] * log_of(p[i], base) : 0;
    return h + 0.0;
}

/* The second largest eigenvalue of the symmetric a, by Jacobi's rotations. */
static double second_eigenvalue(double *a, size_t n)
{
    for (int sweep = 0; sweep < 60; sweep++)
        for (size_t p = 0; p < n; p++)
            for (size_t q = p + 1; q < n; q++) {
                if (fabs(a[p * n + q]) < 1e-300)
                    continue;
                double theta = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
                double t =
                    (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
                double c = 1 / sqrt(t * t + 1), s = t * c;
                for (size_t k = 0; k < n; k++) {
                    double x = a[k * n + p], y = a[k * n + q];
                    a[k * n + p] = c * x - s * y;
                    a[k * n + q] = s * x + c * y;
                }
                for (size_t k = 0; k < n; k++) {
                    double x = a[p * n + k], y = a[q * n + k];
                    a[p * n + k] = c * x - s * y;
                    a[q * n + k] = s * x + c * y;
                }
            }
    double first = 0, second = 0;
    for (size_t i = 0; i < n; i++) {
        double v = a[i * n + i];
        second = v > first ? first : v > second ? v : second;
        first = v > first ? v : first;
    }
    return second;
}

/* Q is similar to B B' with B(i, k) = p(i, k) / sqrt(px(i) py(k)). */
static double max_correlation(const double *p, const double *px, const double *py,
                              size_t n)
{
    double *q = calloc(n * n, sizeof *q);
    if (q == NULL)
        return NAN;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++)
                if (px[i] > 0 && px[j] > 0 && py[k] > 0)
                    q[i * n + j] +=
                        p[i * n + k] * p[j * n + k] / (sqrt(px[i] * px[j]) * py[k]);
    double second = second_eigenvalue(q, n);
    free(q);
    return sqrt(fmin(fmax(second, 0), 1));
}

typedef struct marginals {
    double *px, *py, *sum, *difference; /* of i, j, i + j, |i - j| as indices */
    double mean_x, mean_y, var_x, var_y;
} marginals;

static void find_marginals(marginals *m, const double *p, size_t n, double least)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double v = p[i * n + j];
            m->px[i] += v;
            m->py[j] += v;
            m->sum[i + j] += v;
            m->difference[i > j ? i - j : j - i] += v;
        }
    for (size_t i = 0; i < n; i++) {
        m->mean_x += m->px[i] * ((double)i + least);
        m->mean_y += m->py[i] * ((double)i + least);
    }
    for (size_t i = 0; i < n; i++) {
        m->var_x += m->px[i] * pow((double)i + least - m->mean_x, 2);
        m->var_y += m->py[i] * pow((double)i + least - m->mean_y, 2);
    }
}

static void matrix_sums(double *f, const double *p, const marginals *m, size_t n,
                        double least, double ng)
{
    double mean = m->mean_x + m->mean_y, covariance = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double v = p[i * n + j], a = (double)i + least, b = (double)j + least;
            double d = fabs(a - b), s = a + b - mean;
            f[RUG_GLCM_ANGULAR_SECOND_MOMENT] += v * v;
            f[RUG_GLCM_CONTRAST] += d * d * v;
            covariance += (a - m->mean_x) * (b - m->mean_y) * v;
            f[RUG_GLCM_INVERSE_DIFFERENCE_MOMENT] += v / (1 + d * d);
            f[RUG_GLCM_JOINT_MAXIMUM] = fmax(f[RUG_GLCM_JOINT_MAXIMUM], v);
            f[RUG_GLCM_DIFFERENCE_AVERAGE] += d * v;
            f[RUG_GLCM_INVERSE_DIFFERENCE] += v / (1 + d);
            f[RUG_GLCM_INVERSE_DIFFERENCE_NORMALISED] += v / (1 + d / ng);
            f[RUG_GLCM_INVERSE_DIFFERENCE_MOMENT_NORMALISED] +=
                v / (1 + d * d / (ng * ng));
            f[RUG_GLCM_INVERSE_VARIANCE] += i != j ? v / (d * d) : 0;
            f[RUG_GLCM_AUTOCORRELATION] += a * b * v;
            f[RUG_GLCM_CLUSTER_TENDENCY] += s * s * v;
            f[RUG_GLCM_CLUSTER_SHADE] += s * s * s * v;
            f[RUG_GLCM_CLUSTER_PROMINENCE] += s * s * s * s * v;
        }
    f[RUG_GLCM_CORRELATION] = covariance / sqrt(m->var_x * m->var_y);
    f[RUG_GLCM_DISSIMILARITY] = f[RUG_GLCM_DIFFERENCE_AVERAGE];
    f[RUG_GLCM_SUM_AVERAGE] = mean;
    f[RUG_GLCM_JOINT_AVERAGE] = m->mean_x;
    f[RUG_GLCM_VARIANCE] = m->var_x;
    f[RUG_GLCM_SUM_VARIANCE] = f[RUG_GLCM_CLUSTER_TENDENCY];
    for (size_t k = 0; k < n; k++)
        f[RUG_GLCM_DIFFERENCE_VARIANCE] +=
            m->difference[k] * pow((double)k - f[RUG_GLCM_DIFFERENCE_AVERAGE], 2);
}

static void entropies(double *f, const double *p, const marginals *m, size_t n,
                      double base)
{
    double hx = entropy(m->px, n, base), hy = entropy(m->py, n, base);
    double hxy1 = 0, hxy2 = 0;
    f[RUG_GLCM_ENTROPY] = entropy(p, n * n, base);
    f[RUG_GLCM_SUM_ENTROPY] = entropy(m->sum, 2 * n - 1, base);
    f[RUG_GLCM_DIFFERENCE_ENTROPY] = entropy(m->difference, n, base);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double v = m->px[i] * m->py[j];
            hxy1 -= v > 0 ? p[i * n + j] * log_of(v, base) : 0;
            hxy2 -= v > 0 ? v * log_of(v, base) : 0;
        }
    f[RUG_GLCM_INFO_CORRELATION_1] = (f[RUG_GLCM_ENTROPY] - hxy1) / fmax(hx, hy);
    f[RUG_GLCM_INFO_CORRELATION_2] =
        sqrt(fmax(0, 1 - exp(-2 * (hxy2 - f[RUG_GLCM_ENTROPY]))));
}

/* Whether only one entry is not 0: then the variance is 0, whatever rounding says. */
static int is_single(const double *p, size_t n)
{
    size_t n_set = 0;
    for (size_t i = 0; i < n; i++)
        n_set += p[i] > 0;
    return n_set == 1;
}

void naive_glcm_features(double out[RUG_GLCM_N_FEATURES], const double *p, size_t n,
                         double least, double ng, double log_base, int with_mcc)
{
    double *room = calloc(5 * n, sizeof *room);
    for (int i = 0; i < RUG_GLCM_N_FEATURES; i++)
        out[i] = room != NULL ? 0 : NAN;
    if (room == NULL)
        return;
    marginals m = {room, room + n, room + 2 * n, room + 4 * n, 0, 0, 0, 0};
    find_marginals(&m, p, n, least);
    matrix_sums(out, p, &m, n, least, ng);
    entropies(out, p, &m, n, log_base);
    out[RUG_GLCM_MAX_CORRELATION_COEFFICIENT] =
        with_mcc ? max_correlation(p, m.px, m.py, n) : NAN;
    if (is_single(m.px, n) || is_single(m.py, n))
        out[RUG_GLCM_CORRELATION] = out[RUG_GLCM_MAX_CORRELATION_COEFFICIENT] = NAN;
    free(room);
}

/* The features of the summed matrices of directions in slices z0..z1. */
static int measure(double f[RUG_GLCM_N_FEATURES], uint64_t *pairs, const naive_pixels *c,
                   const region *r, const rug_glcm_options *o, const int *directions,
                   int n, uint32_t distance, long z0, long z1, int with_mcc)
{
    double *p = calloc(r->n * r->n, sizeof *p), total = 0;
    if (p == NULL)
        return 0;
    *pairs = 0;
    for (int k = 0; k < n && has_pixels(c, r, z0, z1); k++) {
        int unit[3];
        rug_glcm_direction(NULL, unit, c->ndim, (uint32_t)directions[k]);
        const long offset[3] = {unit[0] * (long)distance, unit[1] * (long)distance,
                                unit[2] * (long)distance};
        *pairs += add_pairs(p, c, r, o, offset, (long)distance, z0, z1);
    }
    for (size_t i = 0; i < r->n * r->n; i++)
        total += p[i];
    for (size_t i = 0; i < r->n * r->n && total > 0; i++)
        p[i] /= total;
    for (int i = 0; i < RUG_GLCM_N_FEATURES; i++)
        f[i] = NAN;
    if (*pairs > 0)
        naive_glcm_features(f, p, r->n, r->least, r->ng, o->log_base, with_mcc);
    free(p);
    return 1;
}

/* Means over what has pairs, for one set of directions: over slices where they are asked
 * for. */
static int measure_slices(double f[RUG_GLCM_N_FEATURES], uint64_t *pairs,
                          const naive_pixels *c, const region *r,
                          const rug_glcm_options *o, const int *directions, int n,
                          uint32_t distance, int with_mcc)
{
    if (o->slices != RUG_GLCM_SLICES_MEAN)
        return measure(f, pairs, c, r, o, directions, n, distance, (long)r->lo[0],
                       (long)r->hi[0], with_mcc);
    double sum[RUG_GLCM_N_FEATURES] = {0}, n_joined = 0;
    uint64_t all = 0;
    for (size_t z = r->lo[0]; z <= r->hi[0]; z++) {
        uint64_t here;
        if (!measure(f, &here, c, r, o, directions, n, distance, (long)z, (long)z,
                     with_mcc))
            return 0;
        all += here;
        n_joined += here > 0;
        for (int i = 0; i < RUG_GLCM_N_FEATURES && here > 0; i++)
            sum[i] += f[i];
    }
    for (int i = 0; i < RUG_GLCM_N_FEATURES; i++)
        f[i] = n_joined > 0 ? sum[i] / n_joined : NAN;
    *pairs = all;
    return 1;
}

static int find_directions(int *directions, const naive_pixels *c,
                           const rug_glcm_options *o)
{
    int flat = c->ndim == 2 || o->slices != RUG_GLCM_SLICES_NONE, n = 0;
    for (int k = 0; k < (flat ? RUG_GLCM_DIRECTIONS_2D : RUG_GLCM_DIRECTIONS_3D); k++)
        if (o->directions == 0 || o->directions >> k & 1)
            directions[n++] = k;
    return n;
}

/* The mean or the range over directions that have pairs. */
static int measure_directions(glcm_row *out, const naive_pixels *c, const region *r,
                              const rug_glcm_options *o, const int *directions, int n,
                              uint32_t distance, int with_mcc)
{
    double all[RUG_GLCM_DIRECTIONS_3D][RUG_GLCM_N_FEATURES];
    int n_joined = 0;
    for (int k = 0; k < n; k++) {
        uint64_t pairs;
        if (!measure_slices(all[n_joined], &pairs, c, r, o, directions + k, 1, distance,
                            with_mcc))
            return 0;
        n_joined += pairs > 0;
        out->pairs += pairs;
    }
    for (int i = 0; i < RUG_GLCM_N_FEATURES; i++) {
        double sum = 0, least = INFINITY, most = -INFINITY;
        for (int k = 0; k < n_joined; k++) {
            sum += all[k][i];
            least = fmin(least, all[k][i]);
            most = fmax(most, all[k][i]);
        }
        int is_range = o->aggregate == RUG_GLCM_AGGREGATE_RANGE;
        out->features[i] = n_joined == 0 || isnan(sum) ? NAN
                           : is_range                  ? most - least
                                                       : sum / n_joined;
    }
    return 1;
}

int naive_glcm(glcm_row *out, const naive_pixels *pixels, const rug_glcm_options *opts,
               uint64_t label, uint32_t distance, int direction, int with_mcc)
{
    region r = {0};
    int directions[RUG_GLCM_DIRECTIONS_3D], n = find_directions(directions, pixels, opts);
    *out = (glcm_row){.label = label, .distance = distance, .direction = direction};
    int ok = make_region(&r, out, pixels, opts, label);
    if (ok && direction >= 0)
        ok = measure_slices(out->features, &out->pairs, pixels, &r, opts, &direction, 1,
                            distance, with_mcc);
    else if (ok && opts->aggregate == RUG_GLCM_AGGREGATE_MERGED)
        ok = measure_slices(out->features, &out->pairs, pixels, &r, opts, directions, n,
                            distance, with_mcc);
    else if (ok)
        ok = measure_directions(out, pixels, &r, opts, directions, n, distance, with_mcc);
    free(r.level);
    return ok;
}
