/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reads layers of an array by rows of its chunks. Every chunk is decoded once in a pass: a row of which not all
 * layers are asked at once, or that has to be scaled, is kept. Chunks are decoded side by side, each thread
 * by a handle of its own, but for HDF5 and NetCDF, whose library lets in one thread at a time. */

#include "gdal_pixels.h"
#include "io/base/parallel.h"
#include <stdio.h>
#include <string.h>

#define CHUNK_MAX   ((uint64_t)4 << 30) /* bytes; HDF5 allows no more */
#define PIECE_BYTES ((uint64_t)256 << 10)
#define ROW_BYTES   ((uint64_t)64 << 20)

typedef struct pixels_job {
    rugi_gdal_where where;
    rugi_gdal_handle *handles; /* of threads */
    int n_handles;
    rugi_pixel_coding coding;
    size_t n_axes;
    GUInt64 start[RUGI_AXES_MAX]; /* of the page and channel */
    int axis[2];                  /* the slowest of the image, and the next */
    int space[RUG_MAX_AXES], n_space;
    size_t size[2];      /* pixels along them */
    size_t piece[2];     /* of one piece */
    size_t layer_pixels; /* of the image */
    size_t row_pixels;   /* of one step along the second axis */
    void *kept;          /* the stored layers of a row of chunks */
    size_t kept_bytes, kept_first, kept_n;
} pixels_job;

/** Whether threads decode side by side. */
static int is_parallel(const pixels_job *job)
{
    return strcmp(job->where.driver, "Zarr") == 0;
}

/* ---- Pieces ---- */

/** Some layers, as they are decoded. */
typedef struct some_layers {
    pixels_job *job;
    unsigned char *to;
    size_t first, n;
    size_t n_across; /* pieces of a row */
} some_layers;

static GDALExtendedDataTypeH make_type(rug_dtype dtype)
{
    GDALDataType types[RUG_N_DTYPES] = {
        [RUG_U8] = GDT_Byte,
        [RUG_U16] = GDT_UInt16,
        [RUG_I16] = GDT_Int16,
        [RUG_U32] = GDT_UInt32,
        [RUG_I32] = GDT_Int32,
        [RUG_U64] = GDT_UInt64,
        [RUG_I64] = GDT_Int64,
        [RUG_F32] = GDT_Float32,
        [RUG_F64] = GDT_Float64,
#if GDAL_VERSION_NUM >= 3070000
        [RUG_I8] = GDT_Int8,
#endif
    };
    return rugi_gdal.GDALExtendedDataTypeCreate(types[dtype]);
}

/** Has a piece decoded to its place. */
static int read_block(const some_layers *l, const rugi_gdal_handle *handle, size_t row,
                      size_t column)
{
    const pixels_job *job = l->job;
    GUInt64 start[RUGI_AXES_MAX];
    size_t count[RUGI_AXES_MAX];
    GPtrDiff_t stride[RUGI_AXES_MAX] = {0};
    size_t down = row * job->piece[0], across = column * job->piece[1];
    size_t rows = l->n - down < job->piece[0] ? l->n - down : job->piece[0];
    size_t columns =
        job->size[1] - across < job->piece[1] ? job->size[1] - across : job->piece[1];
    for (size_t i = 0; i < job->n_axes; i++) {
        start[i] = job->start[i];
        count[i] = 1;
    }
    start[job->axis[0]] = l->first + down;
    count[job->axis[0]] = rows;
    stride[job->axis[0]] = (GPtrDiff_t)job->layer_pixels;
    start[job->axis[1]] = across;
    count[job->axis[1]] = columns;
    stride[job->axis[1]] = (GPtrDiff_t)job->row_pixels;
    if (job->n_space == 3) {
        count[job->space[2]] = job->row_pixels;
        stride[job->space[2]] = 1;
    }
    size_t size = rug_dtype_size(job->coding.stored);
    GDALExtendedDataTypeH type = make_type(job->coding.stored);
    int good = rugi_gdal.GDALMDArrayRead(
        handle->array, start, count, NULL, stride, type,
        l->to + (down * job->layer_pixels + across * job->row_pixels) * size, NULL, 0);
    rugi_gdal.GDALExtendedDataTypeRelease(type);
    return good ? 0 : -1;
}

static rug_status read_piece(void *shared, size_t piece, int thread, char *text)
{
    some_layers *l = shared;
    pixels_job *job = l->job;
    rugi_gdal_handle *handle = &job->handles[thread];
    rugi_gdal_stay stay;
    rugi_gdal_enter(&stay, job->where.driver);
    int bad = handle->array == NULL ? rugi_gdal_open_handle(handle, &job->where) : 0;
    if (!bad)
        bad = read_block(l, handle, piece / l->n_across, piece % l->n_across);
    rugi_gdal_leave(&stay);
    if (bad)
        snprintf(text, RUGI_PIECE_TEXT, "%s: its pixels cannot be read: %s",
                 job->where.path + (strncmp(job->where.path, "./", 2) == 0 ? 2 : 0),
                 stay.text[0] != '\0' ? stay.text : "damaged, or cut off");
    return bad ? RUG_E_FORMAT : RUG_OK;
}

/** Decodes stored layers; only the last row of chunks may be cut. */
static rug_status read_layers(rug_context *ctx, pixels_job *job, void *to, size_t first,
                              size_t n)
{
    some_layers l = {.job = job,
                     .to = to,
                     .first = first,
                     .n = n,
                     .n_across = (job->size[1] + job->piece[1] - 1) / job->piece[1]};
    size_t n_pieces = (n + job->piece[0] - 1) / job->piece[0] * l.n_across;
    if (job->n_handles > 1)
        return rugi_for_pieces(ctx, n_pieces, read_piece, &l);
    for (size_t i = 0; i < n_pieces; i++) {
        char text[RUGI_PIECE_TEXT] = "";
        rug_status status = rug_context_step(ctx, (double)i / (double)n_pieces);
        if (status != RUG_OK)
            return status;
        status = read_piece(&l, i, 0, text);
        if (status != RUG_OK)
            return rug_context_fail(ctx, status, "%s", text);
    }
    return rug_context_step(ctx, 1);
}

/* ---- Rows of chunks ---- */

static size_t layer_bytes(const pixels_job *job)
{
    return job->layer_pixels * rug_dtype_size(job->coding.stored);
}

/** Decodes the row of chunks that a layer is in, unless it is kept. */
static rug_status keep_row(rug_context *ctx, const rug_file *file, pixels_job *job,
                           size_t layer)
{
    size_t first = layer - layer % job->piece[0];
    size_t n =
        job->size[0] - first < job->piece[0] ? job->size[0] - first : job->piece[0];
    if (job->kept_n > 0 && job->kept_first == first)
        return RUG_OK;
    if (job->kept == NULL) {
        job->kept =
            rug_context_allocate(ctx, job->piece[0], layer_bytes(job), file->path);
        if (job->kept == NULL)
            return RUG_E_NOMEM;
    }
    job->kept_n = 0;
    rug_status status = read_layers(ctx, job, job->kept, first, n);
    job->kept_first = first;
    job->kept_n = status == RUG_OK ? n : 0;
    return status;
}

/** Hands out layers of the row that is kept. @return how many */
static size_t take_kept(pixels_job *job, void *to, size_t layer, size_t n)
{
    size_t from = layer - job->kept_first, m = job->kept_n - from;
    unsigned char *stored = (unsigned char *)job->kept + from * layer_bytes(job);
    m = m < n ? m : n;
    if (rugi_coding_converts(&job->coding))
        rugi_decode_pixels(to, stored, m * job->layer_pixels, &job->coding);
    else
        memcpy(to, stored, m * layer_bytes(job));
    return m;
}

/** Makes room for a handle of each thread. */
static rug_status make_handles(rug_context *ctx, const rug_file *file, pixels_job *job)
{
    int n = is_parallel(job) ? rug_context_threads(ctx) : 1;
    if (n <= job->n_handles)
        return RUG_OK;
    rugi_gdal_handle *more =
        rug_context_allocate(ctx, (size_t)n, sizeof *more, file->path);
    if (more == NULL)
        return RUG_E_NOMEM;
    memset(more, 0, (size_t)n * sizeof *more);
    if (job->n_handles > 0)
        memcpy(more, job->handles, (size_t)job->n_handles * sizeof *more);
    rug_context_release(ctx, job->handles);
    job->handles = more;
    job->n_handles = n;
    return RUG_OK;
}

static rug_status read_slab(rug_context *ctx, rug_file *file, void *to, size_t first,
                            size_t n)
{
    pixels_job *job = file->slabs.state;
    size_t out_bytes =
        job->layer_pixels * rug_dtype_size(rugi_coding_dtype(&job->coding));
    size_t chunk = job->piece[0];
    unsigned char *at = to;
    rug_status status = make_handles(ctx, file, job);
    while (status == RUG_OK && n > 0) {
        size_t whole = first + n == job->size[0] ? n : n - n % chunk, m = whole;
        if (first % chunk == 0 && whole > 0 && !rugi_coding_converts(&job->coding))
            status = read_layers(ctx, job, at, first, whole);
        else {
            status = keep_row(ctx, file, job, first);
            m = status == RUG_OK ? take_kept(job, at, first, n) : 0;
        }
        first += m;
        n -= m;
        at += m * out_bytes;
    }
    return status;
}

/* ---- The job ---- */

static void close_pixels(rug_context *ctx, void *state)
{
    pixels_job *job = state;
    rugi_gdal_stay stay;
    if (rugi_gdal.GDALClose != NULL) {
        rugi_gdal_enter(&stay, job->where.driver);
        for (int i = 0; i < job->n_handles; i++)
            rugi_gdal_close_handle(&job->handles[i]);
        rugi_gdal_leave(&stay);
    }
    rugi_gdal_free_where(ctx, &job->where);
    rug_context_release(ctx, job->handles);
    rug_context_release(ctx, job->kept);
    rug_context_release(ctx, job);
}

/** Layers to decode at once where the size of chunks is not known, as of HDF5 in GDAL 3.6: many, so that few
 * chunks are decoded twice, and a power of two, as those of many chunks are. */
static size_t guess_layers(const pixels_job *job)
{
    uint64_t layer = (uint64_t)job->layer_pixels * rug_dtype_size(job->coding.stored);
    size_t n = 1;
    while (n < job->size[0] && 2 * n * layer <= ROW_BYTES)
        n *= 2;
    return n < job->size[0] ? n : job->size[0];
}

/** Plans pieces: whole chunks along the two slowest axes of the image, all of the third, of 256 KB or more. */
static rug_status plan_pieces(rug_context *ctx, const rug_file *file, pixels_job *job,
                              const rugi_axes *axes, GDALMDArrayH array)
{
    size_t n = 0, chunk[2];
    uint64_t bytes = rug_dtype_size(job->coding.stored);
    size_t size = (size_t)bytes;
    int fits = 1;
    GUInt64 *block = rugi_gdal.GDALMDArrayGetBlockSize(array, &n);
    for (int k = 0; k < 2; k++) {
        GUInt64 given =
            block != NULL && (size_t)job->axis[k] < n ? block[job->axis[k]] : 0;
        chunk[k] = given > 0 && given < job->size[k] ? (size_t)given : job->size[k];
        if (given == 0 && k == 0)
            chunk[0] = guess_layers(job);
    }
    for (size_t i = 0; block != NULL && i < n && (int)i < axes->n; i++)
        fits = fits && rugi_multiply(&bytes, bytes, block[i] > 0 ? block[i] : 1);
    rugi_gdal.VSIFree(block);
    if (!fits || bytes > CHUNK_MAX)
        return rug_context_fail(ctx, RUG_E_UNSUPPORTED,
                                "%s: has chunks of more than 4 GiB, which cannot be "
                                "decoded in parts; store it in smaller ones",
                                file->path);
    uint64_t one = (uint64_t)chunk[0] * chunk[1] * job->row_pixels * size;
    size_t n_across = (job->size[1] + chunk[1] - 1) / chunk[1];
    size_t across = (size_t)(PIECE_BYTES / (one + 1)) + 1;
    if (across > n_across ||
        !is_parallel(job)) /* others read line by line into such a block */
        across = n_across;
    size_t down =
        across == n_across
            ? (size_t)(PIECE_BYTES / (chunk[0] * job->layer_pixels * size + 1)) + 1
            : 1;
    job->piece[0] = chunk[0] * down < job->size[0] ? chunk[0] * down : job->size[0];
    job->piece[1] = chunk[1] * across < job->size[1] ? chunk[1] * across : job->size[1];
    return RUG_OK;
}

static void set_axes(pixels_job *job, const rugi_gdal_pixels *from,
                     const rug_image *image)
{
    const rugi_axes *axes = from->axes;
    job->n_axes = (size_t)axes->n;
    job->n_space = axes->n_space;
    memcpy(job->space, axes->space, sizeof job->space);
    if (axes->page >= 0)
        job->start[axes->page] = (GUInt64)from->page;
    if (axes->channel >= 0)
        job->start[axes->channel] = (GUInt64)from->channel;
    for (int k = 0; k < 2; k++) {
        job->axis[k] = axes->space[k];
        job->size[k] = image->shape[k];
    }
    job->row_pixels = axes->n_space == 3 ? image->shape[2] : 1;
    job->layer_pixels = job->row_pixels * job->size[1];
}

rug_status rugi_gdal_stream(rug_context *ctx, rug_file *file, rugi_gdal_pixels *from,
                            GDALMDArrayH array)
{
    pixels_job *job = rug_context_allocate(ctx, 1, sizeof *job, file->path);
    if (job == NULL)
        return RUG_E_NOMEM;
    memset(job, 0, sizeof *job);
    job->where = from->where;
    from->where.path = from->where.array = NULL;
    file->slabs = (rugi_slabs){.read = read_slab,
                               .close = close_pixels,
                               .state = job,
                               .any_order = 1,
                               .at_once = strcmp(job->where.driver, "GRIB") == 0 ||
                                          strcmp(job->where.driver, "AAIGrid") == 0};
    job->coding = from->coding;
    set_axes(job, from, &file->image);
    return plan_pieces(ctx, file, job, from->axes, array);
}
