/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Differential box counting straight from its definition. Include it after support.h. */

#ifndef RUGOSE_DBC_SUPPORT_H
#define RUGOSE_DBC_SUPPORT_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 dbc_i128;

/* The counts of a result as plain values. */
typedef struct dbc_counts {
    int ndim;
    uint64_t shape[RUG_MAX_AXES];
    uint64_t n_pixels, n_left_out;
    double min, max, levels, base;
    const char *engine;
    uint32_t n_sizes;
    rug_dbc_size sizes[RUG_DBC_MAX_SIZES];
} dbc_counts;

/* Copies and frees a result; a failed call must give none, and makes the copy 0. */
static inline rug_status dbc_taken(rug_context *ctx, dbc_counts *out,
                                   rug_dbc_result *result, rug_status status)
{
    memset(out, 0, sizeof *out);
    assert_int_equal(status == RUG_OK, result != NULL);
    if (result == NULL)
        return status;
    const rug_dbc_facts *f = rug_dbc_get_facts(result);
    out->ndim = f->ndim;
    memcpy(out->shape, f->shape, sizeof out->shape);
    out->n_pixels = f->n_pixels;
    out->n_left_out = f->n_left_out;
    out->min = f->min;
    out->max = f->max;
    out->levels = f->levels;
    out->base = f->base;
    out->engine = f->engine;
    out->n_sizes = f->n_sizes;
    for (uint32_t i = 0; i < f->n_sizes; i++)
        out->sizes[i] = *rug_dbc_at(result, i);
    assert_null(rug_dbc_at(result, f->n_sizes));
    assert_string_equal(rug_context_engine(ctx), f->engine);
    rug_dbc_free(result);
    return status;
}

static inline rug_status dbc_count(rug_context *ctx, dbc_counts *out,
                                   const rug_image *image, const rug_dbc_options *opts)
{
    rug_dbc_result *result = (rug_dbc_result *)(uintptr_t)64;
    rug_status status = rug_dbc(ctx, &result, image, opts);
    return dbc_taken(ctx, out, result, status);
}

static inline rug_status dbc_count_source(rug_context *ctx, dbc_counts *out,
                                          const rug_source *source,
                                          const rug_dbc_options *opts)
{
    rug_dbc_result *result = (rug_dbc_result *)(uintptr_t)64;
    rug_status status = rug_dbc_source(ctx, &result, source, opts);
    return dbc_taken(ctx, out, result, status);
}

/* The pixels of an image as long doubles, those that are not looked at as NaN. */
typedef struct dbc_pixels {
    size_t n[3];
    long double *v;
    long double min, max; /* NaN: none */
    uint64_t n_pixels, n_left_out;
} dbc_pixels;

static inline dbc_pixels dbc_read(const rug_image *img, const rug_image *mask)
{
    dbc_pixels c = {.n = {1, 1, 1}, .min = NAN, .max = NAN};
    for (int a = 0; a < img->ndim; a++)
        c.n[3 - img->ndim + a] = img->shape[a];
    c.v = malloc(c.n[0] * c.n[1] * c.n[2] * sizeof *c.v);
    assert_non_null(c.v);
    long double *to = c.v;
    for (size_t z = 0; z < c.n[0]; z++)
        for (size_t y = 0; y < c.n[1]; y++)
            for (size_t x = 0; x < c.n[2]; x++, to++) {
                *to = test_pixel(img, z, y, x);
                long double m = mask != NULL ? test_pixel(mask, z, y, x) : 1;
                int inside = !isnan(m) && m != 0;
                c.n_pixels += (uint64_t)inside;
                c.n_left_out += (uint64_t)(inside && !isfinite(*to));
                if (!inside || !isfinite(*to)) {
                    *to = NAN;
                    continue;
                }
                c.min = !(c.min <= *to) ? *to : c.min;
                c.max = !(c.max >= *to) ? *to : c.max;
            }
    return c;
}

/* G and what counts as 0, by the rules of the options. */
static inline void dbc_levels(const dbc_pixels *c, rug_dtype dtype, double asked,
                              rug_dbc_anchor anchor, long double *levels,
                              long double *base)
{
    int is_real = dtype == RUG_F32 || dtype == RUG_F64;
    int is_signed =
        dtype == RUG_I8 || dtype == RUG_I16 || dtype == RUG_I32 || dtype == RUG_I64;
    size_t size = rug_dtype_size(dtype);
    int some = !isnan(c->min);
    if (is_real) {
        *base = some ? c->min : NAN;
        *levels = asked > 0 ? asked : some ? c->max - c->min : 0;
    } else if (asked > 0 || size <= 1) {
        *levels = asked > 0 ? asked : size == 0 ? 2 : 256;
    } else {
        *levels = some ? c->max - c->min + 1 : 1;
    }
    if (!is_real)
        *base = is_signed ? -ldexpl(1, (int)size * 8 - 1) : 0;
    if (!is_real && some && (anchor == RUG_DBC_ANCHOR_MIN || (size > 1 && !(asked > 0))))
        *base = c->min;
}

/* floor((v - base) / h) of integers by whole numbers, of floats in double precision. */
static inline uint64_t dbc_box(long double v, rug_dtype dtype, uint64_t size,
                               uint64_t longest, long double levels, long double base)
{
    if (dtype == RUG_F32 || dtype == RUG_F64) {
        double half = isinf((double)(levels)) ? 0.5 : 1;
        double g = (double)(levels * half);
        if (half < 1) /* the difference of two doubles, rounded once */
            g = (double)(levels / 2);
        double above = (double)v * half - (double)base * half;
        return g > 0 ? (uint64_t)floor(above / g * (double)longest) / size : 0;
    }
    dbc_i128 w = (dbc_i128)(v - base), m = (dbc_i128)longest;
    dbc_i128 sg = (dbc_i128)size * (dbc_i128)levels;
    return (uint64_t)(sg <= m ? w : w * m / sg);
}

/* How many of s pixels from `first` on an axis has. */
static inline uint64_t dbc_inside(uint64_t n, uint64_t first, uint64_t s)
{
    return n - first < s ? n - first : s;
}

static inline void dbc_naive_size(rug_dbc_size *out, const dbc_pixels *c, int ndim,
                                  rug_dtype dtype, uint64_t longest, long double levels,
                                  long double base)
{
    uint64_t s = out->size;
    size_t deep = ndim == 3 ? s : 1;
    dbc_i128 by_area = 0; /* boxes times pixels */
    for (size_t z = 0; z < c->n[0]; z += deep)
        for (size_t y = 0; y < c->n[1]; y += s)
            for (size_t x = 0; x < c->n[2]; x += s) {
                long double lo = NAN, hi = NAN;
                for (size_t i = z; i < z + deep && i < c->n[0]; i++)
                    for (size_t j = y; j < y + s && j < c->n[1]; j++)
                        for (size_t k = x; k < x + s && k < c->n[2]; k++) {
                            long double v = c->v[(i * c->n[1] + j) * c->n[2] + k];
                            if (isnan(v))
                                continue;
                            lo = !(lo <= v) ? v : lo;
                            hi = !(hi >= v) ? v : hi;
                        }
                if (isnan(lo))
                    continue;
                uint64_t n = dbc_box(hi, dtype, s, longest, levels, base) -
                             dbc_box(lo, dtype, s, longest, levels, base) + 1;
                out->blocks++;
                out->boxes += n;
                by_area += (dbc_i128)n * dbc_inside(c->n[0], z, deep) *
                           dbc_inside(c->n[1], y, s) * dbc_inside(c->n[2], x, s);
            }
    /* s is a power of 2, so there is but one rounding, of the sum */
    out->boxes_by_area = (double)by_area / (double)deep / (double)s / (double)s;
}

static inline dbc_counts dbc_naive_from(const rug_image *img, const rug_image *mask,
                                        double asked, rug_dbc_anchor anchor)
{
    dbc_counts out = {.ndim = img->ndim};
    dbc_pixels c = dbc_read(img, mask);
    uint64_t longest = 1;
    for (int a = 0; a < img->ndim; a++) {
        out.shape[a] = img->shape[a];
        longest = img->shape[a] > longest ? img->shape[a] : longest;
    }
    long double levels, base;
    dbc_levels(&c, img->dtype, asked, anchor, &levels, &base);
    int is_real = img->dtype == RUG_F32 || img->dtype == RUG_F64;
    if (is_real && isfinite((double)levels))
        levels = (double)levels;
    for (uint64_t s = 2; s < longest; s *= 2) {
        rug_dbc_size *at = &out.sizes[out.n_sizes++];
        at->size = s;
        at->height = (double)(levels * (long double)s / (long double)longest);
        if (!is_real && at->height < 1)
            at->height = 1;
        dbc_naive_size(at, &c, img->ndim, img->dtype, longest, levels, base);
    }
    out.n_pixels = c.n_pixels;
    out.n_left_out = c.n_left_out;
    out.min = (double)c.min;
    out.max = (double)c.max;
    out.levels = (double)levels;
    out.base = (double)base;
    free(c.v);
    return out;
}

static inline dbc_counts dbc_naive(const rug_image *img, const rug_image *mask,
                                   double asked)
{
    return dbc_naive_from(img, mask, asked, RUG_DBC_ANCHOR_ZERO);
}

/* Equal, NaN to NaN too. */
static inline int dbc_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static inline void dbc_assert_equal(const dbc_counts *a, const dbc_counts *b,
                                    const char *what)
{
    if (a->ndim != b->ndim || memcmp(a->shape, b->shape, sizeof a->shape) != 0 ||
        a->n_sizes != b->n_sizes || a->n_pixels != b->n_pixels ||
        a->n_left_out != b->n_left_out)
        fail_msg("%s: %u sizes, %llu pixels, %llu left out; %u, %llu, %llu expected",
                 what, a->n_sizes, (unsigned long long)a->n_pixels,
                 (unsigned long long)a->n_left_out, b->n_sizes,
                 (unsigned long long)b->n_pixels, (unsigned long long)b->n_left_out);
    if (!dbc_same(a->min, b->min) || !dbc_same(a->max, b->max) ||
        !dbc_same(a->levels, b->levels) || !dbc_same(a->base, b->base))
        fail_msg("%s: min %g max %g levels %g base %g; %g %g %g %g expected", what,
                 a->min, a->max, a->levels, a->base, b->min, b->max, b->levels, b->base);
    for (uint32_t i = 0; i < a->n_sizes; i++) {
        const rug_dbc_size *p = &a->sizes[i], *q = &b->sizes[i];
        if (p->size != q->size || p->blocks != q->blocks || p->boxes != q->boxes ||
            p->boxes_by_area != q->boxes_by_area ||
            !(fabs(p->height - q->height) <= 1e-14 * q->height + 1e-320 ||
              p->height == q->height))
            fail_msg(
                "%s: size %llu: %llu blocks %llu boxes %.17g by area h %.17g; size %llu: "
                "%llu %llu %.17g %.17g expected",
                what, (unsigned long long)p->size, (unsigned long long)p->blocks,
                (unsigned long long)p->boxes, p->boxes_by_area, p->height,
                (unsigned long long)q->size, (unsigned long long)q->blocks,
                (unsigned long long)q->boxes, q->boxes_by_area, q->height);
    }
}

#endif
