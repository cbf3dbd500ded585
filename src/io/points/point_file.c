/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Files of points in memory: finds out by the content which reader is the right one, owns what it
 * read, measures it, and refuses NaN and infinities. */

#include "core/context/sized.h"
#include "core/image/number.h"
#include "io/arrays/npy_array.h"
#include "point_columns.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The extent ---- */

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

/* Fills min, max and all_whole. Fails when a coordinate is no finite number.
 *  @return RUG_OK, RUG_E_FORMAT */
static rug_status measure_points(rug_context *ctx, rug_point_file *file)
{
    typedef int (*measure)(const rug_points *, rug_point_facts *, fault *);
    static const measure measures[RUG_N_DTYPES] = {
        NULL,        measure_u8,  measure_i8,  measure_u16, measure_i16, measure_u32,
        measure_i32, measure_u64, measure_i64, measure_f32, measure_f64};
    fault wrong;
    char name[16], value[RUGI_REAL_TEXT_MAX];
    file->facts.all_whole = 1;
    for (int a = 0; a < file->points.ndim; a++) {
        file->facts.min[a] = (double)INFINITY;
        file->facts.max[a] = -(double)INFINITY;
    }
    if (measures[file->points.dtype](&file->points, &file->facts, &wrong))
        return RUG_OK;
    rugi_axis_name(name, wrong.axis);
    rugi_format_real(value, wrong.value);
    return rug_context_fail(ctx, RUG_E_FORMAT,
                            "%s: point %" PRIu64
                            " (from 0): %s is %s; finite coordinates expected",
                            file->path, wrong.point, name, value);
}

/* A coordinate as the double nearest to it; whole numbers of points in memory only. */
static int is_count(const rug_points *points, uint64_t i)
{
    const char *at = (const char *)points->data + (ptrdiff_t)i * points->stride[0];
    const char *first = points->data;
    int is_whole = points->dtype == RUG_I64;
    double begin = is_whole ? (double)*(const int64_t *)first : *(const double *)first;
    double value = is_whole ? (double)*(const int64_t *)at : *(const double *)at;
    return begin + (double)i <= value && value <= begin + (double)i;
}

/* Warns where nothing says that the first column is a coordinate, and it numbers the points. */
static void warn_of_index(rug_context *ctx, const rug_point_file *file)
{
    const rug_points *points = &file->points;
    int is_known = points->dtype == RUG_I64 || points->dtype == RUG_F64;
    uint64_t i = 0;
    if (!file->is_guess || points->ndim < 2 || points->n < 3 || !is_known)
        return;
    while (i < points->n && is_count(points, i))
        i++;
    if (i == points->n)
        rug_context_warn(ctx,
                         "%s: the first column numbers the points, from %g to %g, and is "
                         "taken for a coordinate; if it is none, leave it out (--columns "
                         "%s)",
                         file->path, file->facts.min[0], file->facts.max[0],
                         points->ndim == 2 ? "2" : "2,3");
}

/* ---- Arrays ----
 *
 * A point is a row, or a number. Rows keep the order that they have in the file; Fortran order
 * becomes strides. */

static rug_status check_shape(rug_context *ctx, const rugi_npy_array *array,
                              const rug_point_file_options *opts)
{
    const rugi_npy_header *header = &array->header;
    if (header->ndim != 1 && header->ndim != 2)
        return rug_context_fail(
            ctx, RUG_E_UNSUPPORTED,
            "%s: the npy array has %d axes; 2 (a row for each point) or 1 expected",
            array->path, header->ndim);
    if (header->shape[0] == 0)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: the npy array has no points; at least 1 expected",
                                array->path);
    if (header->ndim == 2 && header->shape[1] > RUG_POINTS_MAX_AXES &&
        opts->columns == NULL)
        return rug_context_fail(
            ctx, RUG_E_UNSUPPORTED,
            "%s: the npy array is %" PRIu64 "x%" PRIu64
            ": its rows are points of %" PRIu64
            " coordinates; at most %d expected, so transpose it if its columns are the "
            "points",
            array->path, header->shape[0], header->shape[1], header->shape[1],
            RUG_POINTS_MAX_AXES);
    if (opts->skip_rows > 0)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: rows to be skipped given for an npy array, which is no text; none expected",
            array->path);
    return RUG_OK;
}

static size_t columns_of(const rugi_npy_header *header)
{
    return header->ndim == 2 ? (size_t)header->shape[1] : 1;
}

/** Makes the view of numbers of the type that their coding gives. */
static void make_view(rug_point_file *file, const rugi_npy_array *array,
                      const rugi_columns *columns)
{
    const rugi_npy_header *header = &array->header;
    rug_points *points = &file->points;
    points->data = file->coordinates;
    points->dtype = rugi_coding_dtype(&array->coding);
    points->n = header->shape[0];
    ptrdiff_t n_columns = (ptrdiff_t)columns_of(header);
    ptrdiff_t size = (ptrdiff_t)rug_dtype_size(points->dtype);
    points->ndim = columns->ndim;
    points->stride[0] = header->fortran_order ? size : size * n_columns;
    points->stride[1] = header->fortran_order ? size * (ptrdiff_t)points->n : size;
}

/** Brings some of the columns together, row after row. */
static rug_status take_columns(rug_context *ctx, rug_point_file *file,
                               const rugi_columns *columns)
{
    rug_points *points = &file->points;
    size_t size = rug_dtype_size(points->dtype), ndim = (size_t)columns->ndim;
    char *all = rug_context_allocate(ctx, (size_t)points->n, ndim * size, file->path);
    if (all == NULL)
        return RUG_E_NOMEM;
    const char *row = file->coordinates;
    char *to = all;
    for (uint64_t i = 0; i < points->n; i++, row += points->stride[0])
        for (size_t a = 0; a < ndim; a++, to += size)
            memcpy(to, row + (ptrdiff_t)columns->index[a] * points->stride[1], size);
    rug_context_release(ctx, file->coordinates);
    points->data = file->coordinates = all;
    points->stride[0] = (ptrdiff_t)(ndim * size);
    points->stride[1] = (ptrdiff_t)size;
    return RUG_OK;
}

/* The same for an npy array of the shape (N,) or (N, D).
 *  @return also RUG_E_UNSUPPORTED */
static rug_status read_point_array(rug_context *ctx, rug_point_file *file,
                                   const rug_point_file_options *opts)
{
    rugi_columns columns;
    rugi_npy_array array = {.path = file->path, .n_bytes = file->n_bytes};
    uint64_t n_numbers = 0;
    file->facts.format = "npy";
    rug_status status = rugi_npy_open(ctx, &array);
    if (status == RUG_OK)
        status = check_shape(ctx, &array, opts);
    if (status == RUG_OK)
        status = rugi_columns_find(ctx, &columns, file,
                                   &(rugi_column_facts){.n = columns_of(&array.header)},
                                   opts->columns);
    if (status == RUG_OK)
        status = rugi_npy_count_pixels(ctx, &array, &n_numbers);
    if (status == RUG_OK)
        status = rugi_npy_check_length(ctx, &array, n_numbers);
    if (status != RUG_OK)
        return status;
    /* the file holds the numbers, so that their number fits an address */
    file->coordinates = rug_context_allocate(
        ctx, (size_t)n_numbers, rug_dtype_size(rugi_coding_dtype(&array.coding)),
        file->path);
    if (file->coordinates == NULL)
        return RUG_E_NOMEM;
    make_view(file, &array, &columns);
    const rugi_pixel_place place = rugi_npy_place(&array);
    status = rugi_read_pixels(ctx, file->coordinates, n_numbers, &array.coding, &place);
    return status == RUG_OK && !columns.are_all ? take_columns(ctx, file, &columns)
                                                : status;
}

/* ---- Files ---- */

static rug_status read_stream(rug_context *ctx, rug_point_file *file, FILE *in,
                              const rug_point_file_options *opts)
{
    unsigned char head[8];
    size_t n = file->n_bytes > 0 ? fread(head, 1, sizeof head, in) : 0;
    if (ferror(in))
        return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be read: %s", file->path,
                                strerror(errno));
    if (n == 0)
        return rug_context_fail(ctx, RUG_E_FORMAT, "%s: is empty (0 bytes)", file->path);
    if (rugi_npy_claims(head, n))
        return read_point_array(ctx, file, opts);
    rewind(in);
    return rugi_read_point_text(ctx, file, in, opts);
}

static rug_status read_content(rug_context *ctx, rug_point_file *file,
                               const rug_point_file_options *opts)
{
    FILE *in;
    rug_status status = rugi_open_regular(ctx, file->path, &in, &file->n_bytes);
    if (status != RUG_OK)
        return status;
    status = read_stream(ctx, file, in, opts);
    fclose(in);
    if (status == RUG_OK)
        status = measure_points(ctx, file);
    if (status == RUG_OK)
        warn_of_index(ctx, file);
    return status;
}

static rug_point_file *new_file(rug_context *ctx, const char *path)
{
    rug_point_file *file = rug_context_allocate(ctx, 1, sizeof *file, path);
    if (file == NULL)
        return NULL;
    size_t n = strlen(path) + 1;
    memset(file, 0, sizeof *file);
    file->ctx = ctx;
    file->path = rug_context_allocate(ctx, n, 1, path);
    file->facts.path = file->path;
    if (file->path == NULL) {
        rug_point_file_free(file);
        return NULL;
    }
    memcpy(file->path, path, n);
    return file;
}

rug_status rug_point_file_read(rug_context *ctx, rug_point_file **out, const char *path)
{
    return rug_point_file_open(ctx, out, path, NULL);
}

rug_status rug_point_file_open(rug_context *ctx, rug_point_file **out, const char *path,
                               const rug_point_file_options *opts)
{
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || path == NULL)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "rug_point_file_open: NULL given for the context, the result or the path");
    rug_point_file_options own = RUG_POINT_FILE_OPTIONS_INIT;
    rug_status status = RUGI_TAKE(ctx, &own, opts, "rug_point_file_options");
    if (status != RUG_OK)
        return status;
    rug_point_file *file = new_file(ctx, path);
    if (file == NULL)
        return RUG_E_NOMEM;
    status = read_content(ctx, file, &own);
    if (status == RUG_OK)
        *out = file;
    else
        rug_point_file_free(file);
    return status;
}

void rug_point_file_free(rug_point_file *file)
{
    if (file == NULL)
        return;
    rug_context_release(file->ctx, file->coordinates);
    rug_context_release(file->ctx, file->path);
    rug_context_release(file->ctx, file);
}

const rug_points *rug_point_file_points(const rug_point_file *file)
{
    return &file->points;
}

const rug_point_facts *rug_point_file_get_facts(const rug_point_file *file)
{
    return file != NULL ? &file->facts : NULL;
}
