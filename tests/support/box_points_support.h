/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Points for the tests, and counting their boxes by sorting the boxes of all points, one
 * size at a time. Include it after support.h. */

#ifndef RUGOSE_BOX_POINTS_SUPPORT_H
#define RUGOSE_BOX_POINTS_SUPPORT_H

#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide_int;

/* The coordinates of a cell or a box. */
typedef struct test_pixel_at {
    wide_int at[RUG_POINTS_MAX_AXES];
} test_pixel_at;

/* Coordinate a of point i, exactly: an integer, or a double in `real`. */
static inline wide_int point_coordinate(const rug_points *p, uint64_t i, int a,
                                        double *real)
{
    const char *at =
        (const char *)p->data + (ptrdiff_t)i * p->stride[0] + (ptrdiff_t)a * p->stride[1];
    union {
        uint8_t u8;
        int8_t i8;
        uint16_t u16;
        int16_t i16;
        uint32_t u32;
        int32_t i32;
        uint64_t u64;
        int64_t i64;
        float f32;
        double f64;
    } v;
    memcpy(&v, at, rug_dtype_size(p->dtype));
    wide_int whole = 0;
    switch (p->dtype) {
    case RUG_U8: whole = v.u8; break;
    case RUG_I8: whole = v.i8; break;
    case RUG_U16: whole = v.u16; break;
    case RUG_I16: whole = v.i16; break;
    case RUG_U32: whole = v.u32; break;
    case RUG_I32: whole = v.i32; break;
    case RUG_U64: whole = v.u64; break;
    case RUG_I64: whole = v.i64; break;
    case RUG_F32: *real = (double)v.f32; return 0;
    default: *real = v.f64; return 0;
    }
    *real = (double)whole;
    return whole;
}

static inline wide_int floor_div(wide_int a, wide_int b)
{
    return a >= 0 ? a / b : -1 - (-1 - a) / b;
}

static inline int compare_cells(const void *a, const void *b)
{
    const test_pixel_at *x = a, *y = b;
    for (int i = 0; i < RUG_POINTS_MAX_AXES; i++)
        if (x->at[i] != y->at[i])
            return x->at[i] < y->at[i] ? -1 : 1;
    return 0;
}

/* Sorts cells and drops equal ones. Returns how many there are. */
static inline size_t distinct_cells(test_pixel_at *cells, size_t n)
{
    size_t m = 0;
    qsort(cells, n, sizeof *cells, compare_cells);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || compare_cells(&cells[i], &cells[m - 1]) != 0)
            cells[m++] = cells[i];
    return m;
}

static inline uint64_t saturated(wide_int a, wide_int b)
{
    return b > (wide_int)UINT64_MAX / (a > 0 ? a : 1) ? UINT64_MAX : (uint64_t)(a * b);
}

/* The boxes of one size, from the distinct cells. */
static inline rug_box_count naive_boxes(const test_pixel_at *cells, size_t n, int axes,
                                        uint64_t size)
{
    rug_box_count c = {.size = size, .total = 1};
    test_pixel_at *boxes = calloc(n, sizeof *boxes);
    assert_non_null(boxes);
    for (size_t i = 0; i < n; i++)
        for (int a = 0; a < axes; a++)
            boxes[i].at[a] = floor_div(cells[i].at[a], size);
    for (int a = 0; a < axes; a++) {
        wide_int least = boxes[0].at[a], most = least;
        for (size_t i = 0; i < n; i++) {
            least = boxes[i].at[a] < least ? boxes[i].at[a] : least;
            most = boxes[i].at[a] > most ? boxes[i].at[a] : most;
        }
        c.total = c.total == UINT64_MAX ? UINT64_MAX
                                        : saturated((wide_int)c.total, most - least + 1);
    }
    qsort(boxes, n, sizeof *boxes, compare_cells);
    double full = 1;
    for (int a = 0; a < axes; a++)
        full *= (double)size;
    for (size_t i = 0, begin = 0; i < n; i++)
        if (i + 1 == n || compare_cells(&boxes[i], &boxes[i + 1]) != 0) {
            c.nonempty++;
            c.black += (double)(i + 1 - begin) == full;
            begin = i + 1;
        }
    c.gray = c.nonempty - c.black;
    c.white = c.total == UINT64_MAX ? UINT64_MAX : c.total - c.nonempty;
    free(boxes);
    return c;
}

static inline void assert_boxes(const rug_box_count *got, const rug_box_count *expected,
                                const char *what)
{
    if (memcmp(got, expected, sizeof *got) != 0)
        fail_msg("%s, size %llu: total %llu nonempty %llu black %llu grey %llu white "
                 "%llu; %llu %llu %llu %llu %llu expected",
                 what, (unsigned long long)expected->size, (unsigned long long)got->total,
                 (unsigned long long)got->nonempty, (unsigned long long)got->black,
                 (unsigned long long)got->gray, (unsigned long long)got->white,
                 (unsigned long long)expected->total,
                 (unsigned long long)expected->nonempty,
                 (unsigned long long)expected->black, (unsigned long long)expected->gray,
                 (unsigned long long)expected->white);
}

/* The cells by whole coordinates; integers only. */
static inline size_t whole_cells(test_pixel_at *out, const rug_points *p)
{
    memset(out, 0, p->n * sizeof *out);
    for (uint64_t i = 0; i < p->n; i++)
        for (int a = 0; a < p->ndim; a++) {
            double real;
            out[i].at[a] = point_coordinate(p, i, a, &real);
        }
    return distinct_cells(out, p->n);
}

/* Fails unless all counts of a result are those of the cells. */
static inline void assert_counts_of(const test_counts *r, const test_pixel_at *cells,
                                    size_t n, const char *what)
{
    for (uint32_t i = 0; i < r->n_sizes; i++) {
        rug_box_count expected = naive_boxes(cells, n, r->ndim, r->counts[i].size);
        assert_boxes(&r->counts[i], &expected, what);
    }
}

/* Points of C order: all coordinates of a point side by side. */
static inline rug_points points_view(const void *data, rug_dtype dtype, uint64_t n,
                                     int ndim)
{
    ptrdiff_t size = (ptrdiff_t)rug_dtype_size(dtype);
    return (rug_points){data, dtype, n, ndim, {ndim * size, size}};
}

static inline test_counts must_count_points(rug_context *ctx, const rug_points *p,
                                            const rug_boxcount_points_options *opts)
{
    test_counts out;
    if (test_boxcount_points(ctx, &out, p, opts) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return out;
}

#endif
