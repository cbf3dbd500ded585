/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Measures the extent of points, and refuses what has no place: NaN and infinities. */

#include "point_file.h"
#include <inttypes.h>
#include <math.h>

/** A coordinate that is no finite number. */
typedef struct fault {
    uint64_t point;
    int axis;
    double value;
} fault;

/* Looks at every coordinate; each is compared as the double nearest to it. Returns 0 at
 * the first one that is not finite. */
#define MEASURE(name, type)                                                           \
    static int name(const rug_points *points, rug_point_facts *facts, fault *wrong)   \
    {                                                                                 \
        const char *row = points->data;                                               \
        for (uint64_t i = 0; i < points->n; i++, row += points->stride[0])            \
            for (int a = 0; a < points->ndim; a++) {                                  \
                const void *at = row + a * points->stride[1];                         \
                double value = (double)*(const type *)at;                             \
                if (!isfinite(value)) {                                               \
                    *wrong = (fault){i, a, value};                                    \
                    return 0;                                                         \
                }                                                                     \
                facts->min[a] = value < facts->min[a] ? value : facts->min[a];        \
                facts->max[a] = value > facts->max[a] ? value : facts->max[a];        \
                facts->all_whole = facts->all_whole && value <= floor(value) ? 1 : 0; \
            }                                                                         \
        return 1;                                                                     \
    }

MEASURE(measure_u8, uint8_t)
MEASURE(measure_i8, int8_t)
MEASURE(measure_u16, uint16_t)
MEASURE(measure_i16, int16_t)
MEASURE(measure_u32, uint32_t)
MEASURE(measure_i32, int32_t)
MEASURE(measure_u64, uint64_t)
MEASURE(measure_i64, int64_t)
MEASURE(measure_f32, float)
MEASURE(measure_f64, double)

rug_status rugi_measure_points(rug_context *ctx, rug_point_file *file)
{
    typedef int (*measure)(const rug_points *, rug_point_facts *, fault *);
    static const measure measures[RUG_N_DTYPES] = {
        NULL,        measure_u8,  measure_i8,  measure_u16, measure_i16, measure_u32,
        measure_i32, measure_u64, measure_i64, measure_f32, measure_f64};
    fault wrong;
    char name[16], value[RUG_REAL_TEXT_MAX];
    file->facts.all_whole = 1;
    for (int a = 0; a < file->points.ndim; a++) {
        file->facts.min[a] = (double)INFINITY;
        file->facts.max[a] = -(double)INFINITY;
    }
    if (measures[file->points.dtype](&file->points, &file->facts, &wrong))
        return RUG_OK;
    rugi_axis_name(name, wrong.axis);
    rug_format_real(value, wrong.value);
    return rug_context_fail(ctx, RUG_E_FORMAT,
                            "%s: point %" PRIu64
                            " (from 0): %s is %s; finite coordinates expected",
                            file->path, wrong.point, name, value);
}
