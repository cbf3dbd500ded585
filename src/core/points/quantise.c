/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The cells of points: the range of the coordinates, the rule, and the cells of a block
 * of points. Integers never go through floating point unless the rule needs it. */

#include "quantise.h"
#include "core/context/threads.h"
#include <float.h>
#include <math.h>
#include <rugose/boxcount.h>
#include <string.h>

#define SIGN ((uint64_t)1 << 63)

/* ---- Checks ---- */

rug_status rugi_cell_size_check(rug_context *ctx, double spacing, uint64_t resolution)
{
    if (!(spacing >= 0) || !(spacing <= 1.7976931348623157e308))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "spacing %g given, a positive number expected, or 0 for "
                                "none",
                                spacing);
    if (resolution > RUG_BOXCOUNT_SIZE_MAX)
        return rug_context_fail(ctx, RUG_E_ARG, "resolution %llu given, 1..%llu expected",
                                (unsigned long long)resolution,
                                (unsigned long long)RUG_BOXCOUNT_SIZE_MAX);
    if (spacing > 0 && resolution > 0)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "both spacing %g and resolution %llu given, one of them "
                                "expected",
                                spacing, (unsigned long long)resolution);
    return RUG_OK;
}

/* |stride| * (n - 1) more bytes, or SIZE_MAX when that is beyond an address. */
static size_t add_span(size_t span, ptrdiff_t stride, uint64_t n)
{
    size_t step = stride < 0 ? 0 - (size_t)stride : (size_t)stride;
    if (n > 1 && step > 0 && (span > PTRDIFF_MAX || n - 1 > (PTRDIFF_MAX - span) / step))
        return SIZE_MAX;
    return n > 1 ? span + step * (size_t)(n - 1) : span;
}

rug_status rugi_points_check(rug_context *ctx, const rug_points *p)
{
    if (p == NULL || (p->data == NULL && p->n > 0))
        return rug_context_fail(ctx, RUG_E_ARG, "points: NULL given");
    if ((unsigned)p->dtype >= RUG_N_DTYPES || p->dtype == RUG_BIT)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "points of dtype %d given, 1..%d expected", (int)p->dtype,
                                RUG_N_DTYPES - 1);
    if (p->ndim < 1 || p->ndim > RUG_POINTS_MAX_AXES)
        return rug_context_fail(ctx, RUG_E_ARG, "points of %d axes given, 1..%d expected",
                                p->ndim, RUG_POINTS_MAX_AXES);
    size_t span = add_span(0, p->stride[0], p->n);
    if (p->n > PTRDIFF_MAX / RUG_POINTS_MAX_AXES ||
        add_span(span, p->stride[1], (uint64_t)p->ndim) == SIZE_MAX)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "%llu points of strides %td and %td given: more than an "
                                "address can count",
                                (unsigned long long)p->n, p->stride[0], p->stride[1]);
    return RUG_OK;
}

/* ---- The ends of the coordinates ---- */

typedef struct measuring {
    const rug_points *points;
    rugi_key_kernels kernels;
    size_t n_blocks, n_tasks;
    rugi_ends *seen; /* per thread */
} measuring;

/* Blocks of a task that measures. */
#define TASK_BLOCKS 64

static int is_real(rug_dtype dtype)
{
    return dtype == RUG_F32 || dtype == RUG_F64;
}

/* The place of coordinate 0 among places of integers. */
static uint64_t integer_zero(rug_dtype dtype)
{
    return dtype == RUG_U64 ? 0 : SIGN;
}

static size_t block_points(const rug_points *points, size_t block)
{
    uint64_t left = points->n - (uint64_t)block * RUGI_CELLS_BLOCK;
    return left < RUGI_CELLS_BLOCK ? (size_t)left : RUGI_CELLS_BLOCK;
}

static const char *coordinate(const rug_points *points, size_t block, int axis)
{
    return (const char *)points->data +
           (ptrdiff_t)(block * RUGI_CELLS_BLOCK) * points->stride[0] +
           axis * points->stride[1];
}

#define READ(type, expression)                   \
    for (size_t i = 0; i < n; i++, at += step) { \
        type v;                                  \
        memcpy(&v, at, sizeof v);                \
        out[i] = (expression);                   \
    }                                            \
    break

/* The places of integer coordinates of a block: in their order, two's complement with the
 * sign turned round. */
static void read_places(const rug_points *points, size_t block, int axis, uint64_t *out)
{
    size_t n = block_points(points, block);
    const char *at = coordinate(points, block, axis);
    ptrdiff_t step = points->stride[0];
    switch (points->dtype) {
    case RUG_U8: READ(uint8_t, v ^ SIGN);
    case RUG_I8: READ(int8_t, (uint64_t)v ^ SIGN);
    case RUG_U16: READ(uint16_t, v ^ SIGN);
    case RUG_I16: READ(int16_t, (uint64_t)v ^ SIGN);
    case RUG_U32: READ(uint32_t, v ^ SIGN);
    case RUG_I32: READ(int32_t, (uint64_t)v ^ SIGN);
    case RUG_U64: READ(uint64_t, v);
    default: READ(int64_t, (uint64_t)v ^ SIGN);
    }
}

static double value_of(uint64_t place, rug_dtype dtype)
{
    return dtype == RUG_U64 ? (double)place : (double)(int64_t)(place ^ SIGN);
}

/* The coordinates of a block as doubles: exact for all but 64-bit integers. */
static void read_reals(const rug_points *points, size_t block, int axis, double *out)
{
    size_t n = block_points(points, block);
    const char *at = coordinate(points, block, axis);
    ptrdiff_t step = points->stride[0];
    switch (points->dtype) {
    case RUG_F32: READ(float, (double)v);
    case RUG_F64: READ(double, v);
    default: {
        uint64_t places[RUGI_CELLS_BLOCK];
        read_places(points, block, axis, places);
        for (size_t i = 0; i < n; i++)
            out[i] = value_of(places[i], points->dtype);
    }
    }
}

static int is_whole(double v)
{
    return !(fabs(v) < 0x1p53) || (double)(int64_t)v == v;
}

/* The least and the largest of n coordinates, in their own type. */
#define SEE(type)                                               \
    {                                                           \
        type v, low, high;                                      \
        memcpy(&low, at, sizeof low);                           \
        high = low;                                             \
        for (size_t i = 1; i < n; i++) {                        \
            memcpy(&v, at + (ptrdiff_t)i * step, sizeof v);     \
            low = v < low ? v : low;                            \
            high = v > high ? v : high;                         \
        }                                                       \
        ends[0] = (uint64_t)low ^ integer_zero(points->dtype);  \
        ends[1] = (uint64_t)high ^ integer_zero(points->dtype); \
        break;                                                  \
    }

static void see_places(rugi_ends *e, const rug_points *points, size_t block, int axis)
{
    size_t n = block_points(points, block);
    const char *at = coordinate(points, block, axis);
    ptrdiff_t step = points->stride[0];
    uint64_t ends[2];
    switch (points->dtype) {
    case RUG_U8: SEE(uint8_t)
    case RUG_I8: SEE(int8_t)
    case RUG_U16: SEE(uint16_t)
    case RUG_I16: SEE(int16_t)
    case RUG_U32: SEE(uint32_t)
    case RUG_I32: SEE(int32_t)
    case RUG_U64: SEE(uint64_t)
    default: SEE(int64_t)
    }
    if (ends[0] < e->least_place[axis])
        e->least_place[axis] = ends[0];
    if (ends[1] > e->most_place[axis])
        e->most_place[axis] = ends[1];
}

static void see_reals(rugi_ends *e, const rug_points *points, size_t block, int axis)
{
    double v[RUGI_CELLS_BLOCK], least = e->least[axis], most = e->most[axis];
    size_t n = block_points(points, block);
    int is_bad = 0, is_broken = 0;
    read_reals(points, block, axis, v);
    for (size_t i = 0; i < n; i++) {
        least = v[i] < least ? v[i] : least;
        most = v[i] > most ? v[i] : most;
        is_bad |= !(fabs(v[i]) <= DBL_MAX);
        is_broken |= !is_whole(v[i]);
    }
    e->least[axis] = least;
    e->most[axis] = most;
    e->is_broken |= is_broken;
    for (size_t i = 0; is_bad && i < n; i++) {
        uint64_t point = (uint64_t)block * RUGI_CELLS_BLOCK + i;
        if (!(fabs(v[i]) <= DBL_MAX) && point < e->bad_point)
            e->bad_point = point;
    }
}

static void measure_block(rugi_ends *e, const rug_points *points, size_t block)
{
    for (int a = 0; a < points->ndim; a++)
        if (is_real(points->dtype))
            see_reals(e, points, block, a);
        else
            see_places(e, points, block, a);
}

static void measure_task(void *shared, size_t task, int thread)
{
    const measuring *m = shared;
    size_t first = task * TASK_BLOCKS, left = m->n_blocks - first;
    size_t end = left < TASK_BLOCKS ? m->n_blocks : first + TASK_BLOCKS;
    rugi_ends *e = &m->seen[thread];
    uint64_t point = (uint64_t)first * RUGI_CELLS_BLOCK;
    uint64_t n =
        (uint64_t)(end - 1 - first) * RUGI_CELLS_BLOCK + block_points(m->points, end - 1);
    if (m->kernels.see_ends != NULL && m->kernels.see_ends(e, m->points, point, n))
        return;
    for (size_t b = first; b < end; b++)
        measure_block(e, m->points, b);
}

static void join(rugi_ends *e, const rugi_ends *other, int axes)
{
    for (int a = 0; a < axes; a++) {
        if (other->least_place[a] < e->least_place[a])
            e->least_place[a] = other->least_place[a];
        if (other->most_place[a] > e->most_place[a])
            e->most_place[a] = other->most_place[a];
        e->least[a] = fmin(e->least[a], other->least[a]);
        e->most[a] = fmax(e->most[a], other->most[a]);
    }
    e->is_broken |= other->is_broken;
    if (other->bad_point < e->bad_point)
        e->bad_point = other->bad_point;
}

static rugi_ends nothing_seen(void)
{
    rugi_ends e = {.bad_point = UINT64_MAX};
    for (int a = 0; a < RUG_POINTS_MAX_AXES; a++) {
        e.least_place[a] = UINT64_MAX;
        e.least[a] = INFINITY;
        e.most[a] = -INFINITY;
    }
    return e;
}

/* Names the first point with a coordinate that is not finite. */
static rug_status refuse_point(rug_context *ctx, const rug_points *points, uint64_t point)
{
    double v[RUGI_CELLS_BLOCK];
    int axis = -1;
    do
        read_reals(points, (size_t)(point / RUGI_CELLS_BLOCK), ++axis, v);
    while (fabs(v[point % RUGI_CELLS_BLOCK]) <= DBL_MAX);
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "point %llu has %g as coordinate %d, finite numbers expected; leave it out",
        (unsigned long long)point, v[point % RUGI_CELLS_BLOCK], axis);
}

/* Nanoseconds of work for each coordinate. */
#define NUMBER_WORK 0.5

rug_status rugi_points_ends(rug_context *ctx, rugi_ends *out, const rug_points *points)
{
    size_t n_threads = (size_t)rug_context_threads(ctx);
    measuring m = {.points = points, .kernels = rugi_key_kernels_choose(ctx)};
    m.n_blocks = (size_t)((points->n - 1) / RUGI_CELLS_BLOCK) + 1;
    m.seen = rug_context_allocate(ctx, n_threads, sizeof *m.seen, "range of points");
    if (m.seen == NULL)
        return RUG_E_NOMEM;
    for (size_t t = 0; t < n_threads; t++)
        m.seen[t] = nothing_seen();
    rug_status status = RUG_OK;
    RUGI_WORK(
        ctx, NUMBER_WORK * (double)points->n * (double)points->ndim, status,
        rugi_parallel_for(ctx, (m.n_blocks - 1) / TASK_BLOCKS + 1, measure_task, &m));
    *out = nothing_seen();
    for (size_t t = 0; t < n_threads; t++)
        join(out, &m.seen[t], points->ndim);
    rug_context_release(ctx, m.seen);
    if (status == RUG_OK && out->bad_point != UINT64_MAX)
        return refuse_point(ctx, points, out->bad_point);
    for (int a = 0; a < points->ndim; a++) { /* -0 and 0 are equal: always name 0 */
        out->least[a] += 0.0;
        out->most[a] += 0.0;
    }
    for (int a = 0; a < points->ndim && !is_real(points->dtype); a++) {
        out->least[a] = value_of(out->least_place[a], points->dtype);
        out->most[a] = value_of(out->most_place[a], points->dtype);
    }
    return status;
}

/* ---- From coordinates to cells ---- */

/* floor(v), the place of it: truncated, and one less where that went up. */
static inline uint64_t floor_place(double v)
{
    int64_t down = (int64_t)v;
    return (uint64_t)(down - ((double)down > v)) ^ SIGN;
}

static inline uint64_t resolved(const rugi_quantiser *q, double least, double v)
{
    uint64_t cell = (uint64_t)((v - least) / q->longest * (double)q->resolution);
    return cell < q->resolution ? cell : q->resolution - 1;
}

static void load_block(const void *user, size_t block, uint64_t *places)
{
    const rugi_quantiser *q = user;
    size_t n = block_points(q->points, block);
    for (int a = 0; a < q->points->ndim; a++, places += RUGI_CELLS_BLOCK) {
        double v[RUGI_CELLS_BLOCK];
        if (q->rule == RUGI_CELL_WHOLE) {
            uint64_t zero = integer_zero(q->points->dtype);
            read_places(q->points, block, a, places);
            for (size_t i = 0; q->whole_spacing > 1 && i < n; i++)
                places[i] = rugi_box_place(places[i], zero, q->whole_spacing);
            continue;
        }
        read_reals(q->points, block, a, v);
        if (q->rule == RUGI_CELL_SPACING)
            for (size_t i = 0; i < n; i++)
                places[i] = floor_place(v[i] / q->spacing);
        else
            for (size_t i = 0; i < n; i++)
                places[i] = resolved(q, q->least[a], v[i]);
    }
}

static rug_status use_spacing(rug_context *ctx, const rugi_quantiser *q,
                              rugi_cell_range *range, const rugi_ends *e)
{
    range->zero = SIGN;
    for (int a = 0; a < range->axes; a++) {
        double least = e->least[a] / q->spacing, most = e->most[a] / q->spacing;
        if (!(least >= -0x1p63 && most < 0x1p63))
            return rug_context_fail(
                ctx, RUG_E_ARG,
                "points: coordinates %g..%g on axis %d in lattice cells of %g span more of "
                "them than 64 bits can count; give a larger spacing, or a resolution",
                e->least[a], e->most[a], a, q->spacing);
        range->least[a] = floor_place(least);
        range->most[a] = floor_place(most);
    }
    return RUG_OK;
}

static rug_status use_resolution(rug_context *ctx, rugi_quantiser *q,
                                 rugi_cell_range *range, const rugi_ends *e,
                                 const double *least, const double *most)
{
    range->zero = 0;
    for (int a = 0; a < range->axes; a++)
        q->longest = fmax(q->longest, most[a] - least[a]);
    if (!(q->longest <= DBL_MAX))
        return rug_context_fail(ctx, RUG_E_ARG,
                                "points: the longest side is beyond the largest double; "
                                "smaller coordinates are needed for a resolution");
    if (q->longest == 0)
        q->longest = 1; /* all points are equal: cell 0 */
    for (int a = 0; a < range->axes; a++) {
        q->least[a] = least[a];
        range->least[a] = resolved(q, least[a], e->least[a]);
        range->most[a] = resolved(q, least[a], e->most[a]);
    }
    return RUG_OK;
}

static void use_whole(const rugi_quantiser *q, rugi_cell_range *range, const rugi_ends *e)
{
    uint64_t zero = integer_zero(q->points->dtype);
    range->zero = q->whole_spacing > 1 ? SIGN : zero;
    for (int a = 0; a < range->axes; a++) {
        range->least[a] = rugi_box_place(e->least_place[a], zero, q->whole_spacing);
        range->most[a] = rugi_box_place(e->most_place[a], zero, q->whole_spacing);
    }
}

rugi_cell_rule rugi_cell_rule_of(rug_dtype dtype, double spacing, uint64_t resolution)
{
    if (resolution > 0)
        return RUGI_CELL_RESOLUTION;
    return is_real(dtype) || spacing != floor(spacing) || spacing >= 0x1p63
               ? RUGI_CELL_SPACING
               : RUGI_CELL_WHOLE;
}

rug_status rugi_quantise_part(rug_context *ctx, rugi_quantiser *out, rugi_cells *cells,
                              const rug_points *points, double spacing,
                              uint64_t resolution, const rugi_ends *ends,
                              const double *least, const double *most)
{
    *out =
        (rugi_quantiser){.points = points, .spacing = spacing, .resolution = resolution};
    *cells = (rugi_cells){.range.axes = points->ndim, .n = points->n};
    cells->n_blocks = (size_t)((points->n - 1) / RUGI_CELLS_BLOCK) + 1;
    cells->load = load_block;
    cells->user = out;
    cells->plain = resolution == 0 && spacing == 1 ? points : NULL;
    out->rule = rugi_cell_rule_of(points->dtype, spacing, resolution);
    if (out->rule == RUGI_CELL_RESOLUTION)
        return use_resolution(ctx, out, &cells->range, ends, least, most);
    if (out->rule == RUGI_CELL_SPACING)
        return use_spacing(ctx, out, &cells->range, ends);
    out->whole_spacing = (uint64_t)spacing;
    use_whole(out, &cells->range, ends);
    return RUG_OK;
}

rug_status rugi_quantise(rug_context *ctx, rugi_quantiser *out, rugi_cells *cells,
                         const rug_points *points, double spacing, uint64_t resolution)
{
    rugi_ends e;
    rug_status status = rugi_points_ends(ctx, &e, points);
    if (status != RUG_OK)
        return status;
    if (spacing == 0 && resolution == 0) {
        if (e.is_broken)
            resolution = RUGI_DEFAULT_RESOLUTION;
        else
            spacing = 1;
    }
    return rugi_quantise_part(ctx, out, cells, points, spacing, resolution, &e, e.least,
                              e.most);
}
