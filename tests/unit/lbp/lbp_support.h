/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Local binary patterns for tests: maps collected in memory, and a slow, obvious
 * reimplementation, pixel by pixel from the definitions. Include it after support.h. */

#ifndef RUGOSE_LBP_SUPPORT_H
#define RUGOSE_LBP_SUPPORT_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Codes of an image or of all slices, of one operator, as numbers. */
typedef struct codes {
    size_t n_slices, ny, nx;
    double *at; /* [n_slices][ny][nx] */
} codes;

/* All maps of a call. */
typedef struct lbp_maps {
    uint32_t n;
    codes op[RUG_LBP_MAX_OPERATORS];
    size_t next_slice, next_row; /* rows come in order */
    uint32_t next_op;
    rug_status answer; /* of the callback */
    int n_calls;
} lbp_maps;

static inline double code_at(const rug_lbp_rows *rows, size_t i)
{
    switch (rows->dtype) {
    case RUG_U8: return ((const uint8_t *)rows->codes)[i];
    case RUG_U16: return ((const uint16_t *)rows->codes)[i];
    case RUG_U32: return ((const uint32_t *)rows->codes)[i];
    case RUG_F64: return ((const double *)rows->codes)[i];
    default: fail_msg("codes of dtype %d", (int)rows->dtype); return 0;
    }
}

/* Blocks of rows come in order, and operators in each of them. */
static inline rug_status keep_codes(void *user, const rug_lbp_rows *rows)
{
    lbp_maps *m = user;
    codes *c = &m->op[rows->op];
    m->n_calls++;
    assert_int_equal(rows->op, m->next_op);
    assert_int_equal(rows->slice, m->next_slice);
    assert_int_equal(rows->first, m->next_row);
    assert_int_equal(rows->nx, c->nx);
    assert_true(rows->n > 0 && rows->first + rows->n <= c->ny);
    double *to = c->at + (rows->slice * c->ny + rows->first) * c->nx;
    for (size_t i = 0; i < rows->n * rows->nx; i++)
        to[i] = code_at(rows, i);
    m->next_op = (m->next_op + 1) % m->n;
    if (m->next_op == 0)
        m->next_row += rows->n;
    if (m->next_row == c->ny) {
        m->next_row = 0;
        m->next_slice++;
    }
    return m->answer;
}

static inline codes new_codes(size_t n_slices, size_t ny, size_t nx)
{
    codes c = {n_slices, ny, nx, malloc(n_slices * ny * nx * sizeof(double))};
    assert_non_null(c.at);
    return c;
}

static inline lbp_maps new_maps(uint32_t n, size_t n_slices, size_t ny, size_t nx)
{
    lbp_maps m = {.n = n};
    for (uint32_t i = 0; i < n; i++)
        m.op[i] = new_codes(n_slices, ny, nx);
    return m;
}

static inline void free_maps(const lbp_maps *m)
{
    for (uint32_t i = 0; i < m->n; i++)
        free(m->op[i].at);
}

static inline rug_lbp_result *must_lbp(rug_context *ctx, const rug_image *img,
                                       const rug_lbp_options *opts)
{
    rug_lbp_result *result = NULL;
    if (rug_lbp(ctx, &result, img, opts) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    assert_non_null(result);
    return result;
}

/* The number of histograms. */
static inline size_t n_histograms(const rug_lbp_result *result)
{
    return rug_lbp_get_facts(result)->n_histograms;
}

static inline rug_lbp_options options_of(const rug_lbp_operator *op,
                                         rug_lbp_method method)
{
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    opts.operators = op;
    opts.n_operators = 1;
    opts.method = method;
    return opts;
}

/* The map of one operator. */
static inline codes map_of(rug_context *ctx, const rug_image *img, rug_lbp_options opts)
{
    lbp_maps m = new_maps(1, 1, img->shape[0], img->shape[1]);
    opts.map = keep_codes;
    opts.map_user = &m;
    rug_lbp_free(must_lbp(ctx, img, &opts));
    return m.op[0];
}

/* Same numbers; NaN is equal to NaN. */
static inline void assert_same_codes(const codes *got, const codes *expected,
                                     const char *what)
{
    assert_true(got->n_slices == expected->n_slices && got->ny == expected->ny &&
                got->nx == expected->nx);
    for (size_t i = 0; i < got->n_slices * got->ny * got->nx; i++) {
        double a = got->at[i], b = expected->at[i];
        if (memcmp(&a, &b, sizeof a) != 0 && !(isnan(a) && isnan(b)))
            fail_msg("%s: pixel (%zu, %zu) of slice %zu has %.17g, not %.17g", what,
                     i / got->nx % got->ny, i % got->nx, i / got->nx / got->ny, a, b);
    }
}

static inline double round_to_5(double x)
{
    return rint(x * 1e5) / 1e5;
}

static inline void naive_offset(const rug_lbp_operator *op, uint32_t i,
                                rug_lbp_interpolation how, double offset[2])
{
    double angle = 2 * 3.14159265358979323846 * i / op->points;
    double radius = (double)(float)op->radius;
    offset[0] = round_to_5(-radius * sin(angle));
    offset[1] = round_to_5(radius * cos(angle));
    if (how == RUG_LBP_NEAREST) {
        offset[0] = floor(offset[0] + 0.5);
        offset[1] = floor(offset[1] + 0.5);
    }
}

/* A pixel as a double; 0 outside of the image. */
static inline double naive_pixel(const rug_image *img, double y, double x)
{
    if (y < 0 || x < 0 || y >= (double)img->shape[0] || x >= (double)img->shape[1])
        return 0;
    return (double)test_pixel(img, 0, (size_t)y, (size_t)x);
}

/* One sample between its four pixels. */
typedef struct naive_sample {
    double pixel[2][2]; /* top and bottom, left and right */
    double weight[2];   /* of bottom and of right, in the absolute coordinate */
    double decimal[2];  /* the same in 1e-5 */
} naive_sample;

static inline naive_sample naive_take(const rug_image *img, size_t y, size_t x,
                                      const double offset[2])
{
    naive_sample s;
    double at[2] = {(double)y + offset[0], (double)x + offset[1]};
    for (int a = 0; a < 2; a++) {
        s.weight[a] = at[a] - floor(at[a]);
        s.decimal[a] = rint((offset[a] - floor(offset[a])) * 1e5);
    }
    for (int b = 0; b < 2; b++)
        for (int r = 0; r < 2; r++)
            s.pixel[b][r] = naive_pixel(img, b ? ceil(at[0]) : floor(at[0]),
                                        r ? ceil(at[1]) : floor(at[1]));
    return s;
}

static inline double naive_value(const naive_sample *s)
{
    double top = (1 - s->weight[1]) * s->pixel[0][0] + s->weight[1] * s->pixel[0][1];
    double bottom = (1 - s->weight[1]) * s->pixel[1][0] + s->weight[1] * s->pixel[1][1];
    return (1 - s->weight[0]) * top + s->weight[0] * bottom;
}

static inline double decimal_lerp(double from, double to, double weight)
{
    return 100000 * from + weight * (to - from);
}

static inline float float_lerp(float from, float to, float weight)
{
    return from + weight * (to - from);
}

static inline int naive_bit(const naive_sample *s, double centre, rug_lbp_exact exact)
{
    if (exact == RUG_LBP_EXACT_SKIMAGE)
        return naive_value(s) - centre >= 0;
    if (exact == RUG_LBP_EXACT_DECIMAL) {
        double top = decimal_lerp(s->pixel[0][0], s->pixel[0][1], s->decimal[1]);
        double bottom = decimal_lerp(s->pixel[1][0], s->pixel[1][1], s->decimal[1]);
        return decimal_lerp(top, bottom, s->decimal[0]) >= 100000 * (100000 * centre);
    }
    float row = (float)s->decimal[0] / 100000, col = (float)s->decimal[1] / 100000;
    float top = float_lerp((float)s->pixel[0][0], (float)s->pixel[0][1], col);
    float bottom = float_lerp((float)s->pixel[1][0], (float)s->pixel[1][1], col);
    return float_lerp(top, bottom, row) >= (float)centre;
}

static inline uint32_t naive_pattern(const rug_image *img, size_t y, size_t x,
                                     const rug_lbp_operator *op,
                                     const rug_lbp_options *opts)
{
    uint32_t pattern = 0;
    double centre = naive_pixel(img, (double)y, (double)x);
    for (uint32_t i = 0; i < op->points; i++) {
        double offset[2];
        naive_offset(op, i, opts->interpolation, offset);
        naive_sample s = naive_take(img, y, x, offset);
        int bit = opts->interpolation == RUG_LBP_NEAREST
                      ? s.pixel[0][0] >= centre
                      : naive_bit(&s, centre, opts->exact);
        pattern |= (uint32_t)bit << i;
    }
    return pattern;
}

static inline double naive_variance(const rug_image *img, size_t y, size_t x,
                                    const rug_lbp_operator *op,
                                    const rug_lbp_options *opts)
{
    double sum = 0, squares = 0, n = op->points;
    for (uint32_t i = 0; i < op->points; i++) {
        double offset[2];
        naive_offset(op, i, opts->interpolation, offset);
        naive_sample s = naive_take(img, y, x, offset);
        double v =
            opts->interpolation == RUG_LBP_NEAREST ? s.pixel[0][0] : naive_value(&s);
        sum += v;
        squares += v * v;
    }
    return (squares - sum * sum / n) / n;
}

static inline uint32_t naive_turn(uint32_t pattern, uint32_t points)
{
    return points == 1 ? pattern : pattern >> 1 | (pattern & 1) << (points - 1);
}

/* Uniform patterns are k ones from bit s on, round the circle. */
static inline uint32_t naive_uniform_number(uint32_t pattern, uint32_t points)
{
    uint32_t all = points == 32 ? UINT32_MAX : ((uint32_t)1 << points) - 1;
    if (pattern == 0)
        return 0;
    if (pattern == all)
        return points * (points - 1) + 1;
    for (uint32_t k = 1; k < points; k++)
        for (uint32_t s = 0; s < points; s++) {
            uint32_t p = 0;
            for (uint32_t i = 0; i < k; i++)
                p |= (uint32_t)1 << (s + i) % points;
            if (p == pattern)
                return 1 + (k - 1) * points + (points - s) % points;
        }
    return points * (points - 1) + 2;
}

static inline uint32_t naive_code(rug_lbp_method method, uint32_t pattern,
                                  uint32_t points)
{
    uint32_t least = pattern, turned = pattern, ones = 0, changes = 0;
    for (uint32_t i = 0; i < points; i++) {
        ones += pattern >> i & 1;
        changes += (pattern >> i & 1) != (pattern >> (i + 1) % points & 1);
        turned = naive_turn(turned, points);
        least = turned < least ? turned : least;
    }
    switch (method) {
    case RUG_LBP_RIU2: return changes <= 2 ? ones : points + 1;
    case RUG_LBP_ROR: return least;
    case RUG_LBP_NRI_UNIFORM: return naive_uniform_number(pattern, points);
    default: return pattern;
    }
}

/* Whether all samples of a pixel lie inside. */
static inline int naive_is_inside(const rug_image *img, size_t y, size_t x,
                                  const rug_lbp_operator *op, rug_lbp_interpolation how)
{
    for (uint32_t i = 0; i < op->points; i++) {
        double offset[2];
        naive_offset(op, i, how, offset);
        if ((double)y + floor(offset[0]) < 0 || (double)x + floor(offset[1]) < 0 ||
            (double)y + ceil(offset[0]) >= (double)img->shape[0] ||
            (double)x + ceil(offset[1]) >= (double)img->shape[1])
            return 0;
    }
    return 1;
}

/* The map of a 2D image. */
static inline codes naive_map(const rug_image *img, const rug_lbp_operator *op,
                              const rug_lbp_options *opts)
{
    codes c = new_codes(1, img->shape[0], img->shape[1]);
    for (size_t i = 0; i < c.ny * c.nx; i++) {
        size_t y = i / c.nx, x = i % c.nx;
        int is_coded = opts->border == RUG_LBP_BORDER_ZERO ||
                       naive_is_inside(img, y, x, op, opts->interpolation);
        if (opts->method == RUG_LBP_VAR) {
            double v = is_coded ? naive_variance(img, y, x, op, opts) : 0;
            c.at[i] = v == 0 ? (double)NAN : v;
        } else if (is_coded) {
            c.at[i] =
                naive_code(opts->method, naive_pattern(img, y, x, op, opts), op->points);
        } else {
            c.at[i] = (double)rug_lbp_n_codes(opts->method, op->points);
        }
    }
    return c;
}

#endif
