/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Sets of points, and states of them. Include it after support.h and box_points_support.h. */

#ifndef RUGOSE_POINTS_PARTS_SUPPORT_H
#define RUGOSE_POINTS_PARTS_SUPPORT_H

#include <math.h>
#include <rugose/points_parts.h>
#include <string.h>

enum { MOST = 300 };

static inline void must(rug_context *ctx, rug_status status)
{
    if (status != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
}

static inline void refused(rug_context *ctx, rug_status status, rug_status expected,
                           const char *text)
{
    assert_int_equal(status, expected);
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("\"%s\" is not part of the error text: %s", text,
                 rug_context_error(ctx));
}

/* ---- Points ---- */

/* A set of points, and how they are measured. */
typedef struct set {
    rug_points points;
    double real[MOST * RUG_POINTS_MAX_AXES]; /* their memory, whatever the dtype */
    rug_points_parts_options opts;
    rug_points_range range;
} set;

static inline void set_coordinate(set *s, size_t i, double v)
{
    static const uint16_t one = 1;
    const size_t size = rug_dtype_size(s->points.dtype);
    const int64_t whole = (int64_t)v;
    /* its lowest bytes */
    const char *low =
        (const char *)&whole + (*(const char *)&one ? 0 : sizeof whole - size);
    char *at = (char *)s->real + i * size;
    const float single = (float)v;
    if (s->points.dtype == RUG_F64)
        memcpy(at, &v, sizeof v);
    else if (s->points.dtype == RUG_F32)
        memcpy(at, &single, sizeof single);
    else
        memcpy(at, low, size); /* modulo 2^bits */
}

/* Random points of any kind: few places or many, near 0 or over the whole of a type. */
static inline void make(set *s, rug_context *ctx, uint64_t *rng)
{
    static const double spacings[] = {0, 1, 1, 3, 0.75, 1000};
    rug_dtype dtype = (rug_dtype)(RUG_U8 + test_below(rng, RUG_N_DTYPES - RUG_U8));
    int ndim = 1 + (int)test_below(rng, test_below(rng, 3) > 0 ? 3 : RUG_POINTS_MAX_AXES);
    size_t n = test_below(rng, 8) == 0 ? 0 : test_below(rng, MOST);
    double span = (double)((uint64_t)1 << (1 + test_below(rng, ndim > 2 ? 7 : 15)));
    int is_whole = test_below(rng, 2) == 0;
    int is_unsigned = dtype == RUG_U16 || dtype == RUG_U32 || dtype == RUG_U64;
    s->points = points_view(s->real, dtype, n, ndim);
    for (size_t i = 0; i < n * (size_t)ndim; i++) {
        double v = span * (double)test_below(rng, 1 << 20) / (1 << 20) - span / 2;
        v = is_whole ? floor(v) : v;
        set_coordinate(s, i, is_unsigned ? fabs(v) : v);
    }
    s->opts = (rug_points_parts_options)RUG_POINTS_PARTS_OPTIONS_INIT;
    s->range = (rug_points_range)RUG_POINTS_RANGE_INIT;
    s->opts.spacing = spacings[test_below(rng, 6)];
    if (s->opts.spacing == 0 && test_below(rng, 2) == 0)
        s->opts.resolution = 1 + test_below(rng, 4000);
    must(ctx, rug_points_measure_range(ctx, &s->range, &s->points));
    s->opts.range = &s->range;
    s->opts.n_points = test_below(rng, 2) == 0 ? n : 0;
}

/* Points `first` to `end` - 1. */
static inline rug_points part_of(const rug_points *all, size_t first, size_t end)
{
    rug_points part = *all;
    part.n = end - first;
    part.data = (const char *)all->data + (ptrdiff_t)first * all->stride[0];
    return part;
}

static inline void add(rug_context *ctx, rug_points_parts *p, const set *s, size_t first,
                       size_t end)
{
    rug_points part = part_of(&s->points, first, end);
    if (test_below(&(uint64_t){first}, 2) == 0 && part.n > 0 && s->opts.n_points == 0) {
        part.data = (const char *)part.data + (ptrdiff_t)(part.n - 1) * part.stride[0];
        part.stride[0] = -part.stride[0]; /* rows in any order */
    }
    must(ctx, rug_points_parts_add(ctx, p, &part, s->opts.n_points > 0 ? first : 0));
}

static inline rug_points_parts *begin(rug_context *ctx, const set *s)
{
    rug_points_parts *p;
    must(ctx, rug_points_parts_new(ctx, &p, s->points.dtype, s->points.ndim, &s->opts));
    return p;
}

/* All points in one part. */
static inline rug_points_parts *at_once(rug_context *ctx, const set *s)
{
    rug_points_parts *p = begin(ctx, s);
    must(ctx, rug_points_parts_add(ctx, p, &s->points, 0));
    return p;
}

static inline void save_and_load(rug_context *ctx, rug_points_parts **p)
{
    uint8_t *bytes;
    size_t n;
    must(ctx, rug_points_parts_save(ctx, &bytes, &n, *p));
    rug_points_parts_free(*p);
    must(ctx, rug_points_parts_load(ctx, p, bytes, n));
    rug_context_release(ctx, bytes);
}

static inline void assert_same_bytes(rug_context *ctx, const rug_points_parts *a,
                                     const rug_points_parts *b)
{
    uint8_t *x, *y;
    size_t n_x, n_y;
    must(ctx, rug_points_parts_save(ctx, &x, &n_x, a));
    must(ctx, rug_points_parts_save(ctx, &y, &n_y, b));
    assert_int_equal(n_x, n_y);
    assert_memory_equal(x, y, n_x);
    rug_context_release(ctx, x);
    rug_context_release(ctx, y);
}

#endif
