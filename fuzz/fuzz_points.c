/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Fuzz target: files of points, with columns chosen and rows passed over. Every coordinate of a file
 * that is accepted lies within the extent that the facts give. */

#include "fuzz_file.h"

/* Coordinate a of point i, to the nearest double. */
static double coordinate(const rug_points *p, uint64_t i, int a)
{
    const void *at =
        (const char *)p->data + (ptrdiff_t)i * p->stride[0] + (ptrdiff_t)a * p->stride[1];
    switch (p->dtype) {
    case RUG_U8: return *(const uint8_t *)at;
    case RUG_I8: return *(const int8_t *)at;
    case RUG_U16: return *(const uint16_t *)at;
    case RUG_I16: return *(const int16_t *)at;
    case RUG_U32: return *(const uint32_t *)at;
    case RUG_I32: return *(const int32_t *)at;
    case RUG_U64: return (double)*(const uint64_t *)at;
    case RUG_I64: return (double)*(const int64_t *)at;
    case RUG_F32: return (double)*(const float *)at;
    case RUG_F64: return *(const double *)at;
    default: abort();
    }
}

static void check_points(const rug_point_file *file)
{
    const rug_points *points = rug_point_file_points(file);
    const rug_point_facts *facts = rug_point_file_get_facts(file);
    if (points->n == 0 || points->ndim < 1 || points->ndim > RUG_POINTS_MAX_AXES)
        abort();
    for (uint64_t i = 0; i < points->n; i++)
        for (int a = 0; a < points->ndim; a++) {
            double value = coordinate(points, i, a);
            if (!(value >= facts->min[a] && value <= facts->max[a]))
                abort();
        }
}

/* The first line: of a file with a header it is a list of columns. */
static const char *first_line(const uint8_t *data, size_t n)
{
    static char line[64];
    size_t length = 0;
    for (; length < n && length < sizeof line - 1 && data[length] != '\n'; length++)
        line[length] = (char)data[length];
    line[length] = '\0';
    return line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const char *const columns[] = {NULL, NULL,    "x,y",  "2,1",
                                          "z",  "1,3,2", "2,x,1"};
    rug_context *ctx = fuzz_context();
    rug_point_file *file;
    rug_point_file_options opts = RUG_POINT_FILE_OPTIONS_INIT;
    uint32_t choice = fuzz_choice(data, n);
    opts.columns = choice % 8 < 7 ? columns[choice % 8] : first_line(data, n);
    opts.skip_rows = choice / 8 % 3 == 0 ? choice / 24 % 4 : 0;
    if (rug_point_file_open(ctx, &file, fuzz_write(data, n), &opts) == RUG_OK) {
        check_points(file);
        free(cli_point_file_read_line(file, NULL, NULL));
        rug_point_file_free(file);
    } else if (rug_context_error(ctx)[0] == '\0')
        abort();
    return 0;
}
