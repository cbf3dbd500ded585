/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the tests of point files share. Include it after io_scratch.h. */

#ifndef RUGOSE_POINTS_SUPPORT_H
#define RUGOSE_POINTS_SUPPORT_H

#include "read_support.h"

/* Reads the points of some columns behind some rows; fails the test when that fails.
 * @param columns  NULL: not given */
static inline rug_point_file *must_read_columns(const char *path, const char *columns,
                                                uint64_t skip_rows)
{
    rug_point_file *file = NULL;
    rug_point_file_options opts = RUG_POINT_FILE_OPTIONS_INIT;
    opts.columns = columns;
    opts.skip_rows = skip_rows;
    if (rug_point_file_open(ctx, &file, path, &opts) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    assert_non_null(file);
    return file;
}

static inline rug_point_file *must_read_points(const char *path)
{
    rug_point_file *file = NULL;
    if (rug_point_file_read(ctx, &file, path) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    assert_non_null(file);
    return file;
}

/* Fails the test unless reading fails with this status and one line of text that names
 * the file and holds `text`. */
static inline void must_refuse_columns(const char *path, const char *columns,
                                       uint64_t skip_rows, rug_status status,
                                       const char *text)
{
    rug_point_file *file = (rug_point_file *)&file;
    rug_point_file_options opts = RUG_POINT_FILE_OPTIONS_INIT;
    opts.columns = columns;
    opts.skip_rows = skip_rows;
    rug_status got = rug_point_file_open(ctx, &file, path, &opts);
    const char *error = rug_context_error(ctx);
    if (got != status)
        fail_msg("status %s, %s expected for \"%s\": %s", rug_status_name(got),
                 rug_status_name(status), text, got != RUG_OK ? error : path);
    assert_null(file);
    if (strstr(error, path) == NULL || strstr(error, text) == NULL)
        fail_msg("\"%s\" and the path are not part of the error text: %s", text, error);
    for (const char *c = error; *c != '\0'; c++)
        if ((unsigned char)*c < ' ')
            fail_msg("the error text has control characters: %s", error);
}

static inline void must_refuse_points(const char *path, rug_status status,
                                      const char *text)
{
    must_refuse_columns(path, NULL, 0, status, text);
}

/* Coordinate a of point i, of a type that double can hold. */
static inline double coordinate(const rug_point_file *file, size_t i, int a)
{
    const rug_points *p = rug_point_file_points(file);
    const char *at = p->data;
    at += (ptrdiff_t)i * p->stride[0] + a * p->stride[1];
    assert_true(i < p->n && a < p->ndim);
    switch (p->dtype) {
    case RUG_U8: return *(const uint8_t *)(const void *)at;
    case RUG_I16: return *(const int16_t *)(const void *)at;
    case RUG_U64: return (double)*(const uint64_t *)(const void *)at;
    case RUG_I64: return (double)*(const int64_t *)(const void *)at;
    case RUG_F32: return (double)*(const float *)(const void *)at;
    case RUG_F64: return *(const double *)(const void *)at;
    default: fail_msg("unexpected type %s", rug_dtype_name(p->dtype)); return 0;
    }
}

/* Compares all coordinates with those of an array, row after row. */
static inline void assert_points(const rug_point_file *file, rug_dtype dtype, uint64_t n,
                                 int ndim, const double *expected)
{
    const rug_points *p = rug_point_file_points(file);
    assert_string_equal(rug_dtype_name(p->dtype), rug_dtype_name(dtype));
    assert_int_equal(p->n, n);
    assert_int_equal(p->ndim, ndim);
    for (size_t i = 0; i < n; i++)
        for (int a = 0; a < ndim; a++) {
            double want = expected[i * (size_t)ndim + (size_t)a];
            double got = coordinate(file, i, a);
            if (memcmp(&got, &want, sizeof got) != 0)
                fail_msg("point %zu, axis %d: %.17g, %.17g expected", i, a, got, want);
        }
}

#endif
