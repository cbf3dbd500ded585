/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Opened files: checks that a path can be read at all, finds the reader that knows the
 * content, and owns what it found. It knows no format itself; pixels are read by
 * file_slabs.c. */

#include "reader.h"
#include <errno.h>
#include <glib.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/** Bytes that a checksum reads at once. */
#define SUM_CHUNK ((size_t)1 << 20)

/* The format table; the last row claims everything. */
static const rugi_reader *const readers[] = {&rugi_npy_reader, &rugi_nifti_reader,
                                             &rugi_vips_reader};

const char *const *rug_file_formats(void)
{
    static const char *const formats[] = {
        "TIFF    1 to 32 bits, float; BigTIFF, OME-TIFF, ImageJ stacks, volumes, "
        "pyramids",
        "PNG     1 to 16 bits",
        "JPEG    8 bits",
        "PNM     PBM, PGM, PPM, PFM",
        "GIF     first or chosen frame",
        "WebP    first or chosen frame",
        "slides  whole slides that OpenSlide reads, with --level",
        "other   what else libvips reads: JPEG 2000, JPEG XL, HEIF, OpenEXR, FITS, BMP "
        "...",
        "NIfTI   NIfTI-1 and -2, .nii, .nii.gz, .hdr with .img; integers, f32, f64",
        "npy     NumPy arrays of 2 or 3 axes, or of points; integers, booleans, f16, "
        "f32, f64",
        "points  .csv, .tsv, .txt, .xyz: a point of 1 to 10 numbers a line",
        NULL};
    return formats;
}

rug_status rugi_open_regular(rug_context *ctx, const char *path, FILE **stream,
                             uint64_t *n_bytes)
{
    struct stat info;
    *stream = NULL;
    if (stat(path, &info) != 0)
        return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be opened: %s", path,
                                g_strerror(errno));
    if (S_ISDIR(info.st_mode))
        return rug_context_fail(ctx, RUG_E_IO, "%s: is a directory; give a file in it",
                                path);
    if (!S_ISREG(info.st_mode))
        return rug_context_fail(
            ctx, RUG_E_IO,
            "%s: is no regular file (a pipe or a device); save it to a file", path);
    *stream = fopen(path, "rb");
    if (*stream == NULL)
        return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be opened: %s", path,
                                g_strerror(errno));
    *n_bytes = (uint64_t)info.st_size;
    return RUG_OK;
}

/** Checks that the file can be read, and reads its first bytes. */
static rug_status look(rug_context *ctx, rug_file *file,
                       unsigned char head[RUGI_HEAD_MAX])
{
    FILE *stream;
    rug_status status = rugi_open_regular(ctx, file->path, &stream, &file->n_bytes);
    if (status != RUG_OK)
        return status;
    file->head = head;
    file->n_head = fread(head, 1, RUGI_HEAD_MAX, stream);
    int failed = ferror(stream);
    int why = errno;
    fclose(stream);
    if (failed)
        return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be read: %s", file->path,
                                g_strerror(why));
    if (file->n_head == 0)
        return rug_context_fail(ctx, RUG_E_FORMAT, "%s: is empty (0 bytes)", file->path);
    return RUG_OK;
}

static rug_status check_options(rug_context *ctx, const char *path,
                                const rug_read_options *opts)
{
    if (opts->struct_size < sizeof *opts)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "rug_read_options.struct_size is %zu, at least %zu expected: start "
            "from its INIT macro",
            opts->struct_size, sizeof *opts);
    if (opts->page < -1 || opts->channel < -1)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: page %d and channel %d given, 0 or more expected (-1 = "
            "default)",
            path, opts->page, opts->channel);
    if (opts->planes && (opts->channel >= 0 || opts->volume))
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: planes of colour asked, and a channel or a volume too; one of them "
            "expected",
            path);
    if (opts->level < 0)
        return rug_context_fail(ctx, RUG_E_ARG, "%s: level %d given, 0 or more expected",
                                path, opts->level);
    return RUG_OK;
}

/** Lets the first reader that claims the content open it. */
static rug_status open_content(rug_context *ctx, rug_file *file,
                               const rug_read_options *opts)
{
    unsigned char head[RUGI_HEAD_MAX];
    rug_status status = look(ctx, file, head);
    size_t i = 0;
    if (status != RUG_OK)
        return status;
    while (!readers[i]->claims(file))
        i++;
    status = readers[i]->open(ctx, file, opts);
    file->head = NULL;
    return status;
}

static rug_file *new_file(rug_context *ctx, const char *path)
{
    rug_file *file = rug_context_allocate(ctx, 1, sizeof *file, path);
    if (file == NULL)
        return NULL;
    memset(file, 0, sizeof *file);
    file->ctx = ctx;
    file->facts = (rug_file_facts){
        .n_pages = 1, .n_levels = 1, .n_channels = 1, .slope = 1, .n_planes = 1};
    size_t n = strlen(path) + 1;
    file->path = rug_context_allocate(ctx, n, 1, path);
    if (file->path == NULL) {
        rug_file_free(file);
        return NULL;
    }
    memcpy(file->path, path, n);
    return file;
}

/** @param who  the public function that is called */
static rug_status open_file(rug_context *ctx, rug_file **out, const char *path,
                            const rug_read_options *opts, const char *who)
{
    static const rug_read_options defaults = RUG_READ_OPTIONS_INIT;
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || path == NULL)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "%s: NULL given for the context, the result or the path",
                                who);
    if (opts == NULL)
        opts = &defaults;
    rug_status status = check_options(ctx, path, opts);
    if (status != RUG_OK)
        return status;
    rug_file *file = new_file(ctx, path);
    if (file == NULL)
        return RUG_E_NOMEM;
    status = open_content(ctx, file, opts);
    if (status == RUG_OK) {
        rugi_file_set_source(file);
        *out = file;
    } else
        rug_file_free(file);
    return status;
}

rug_status rug_file_open(rug_context *ctx, rug_file **out, const char *path,
                         const rug_read_options *opts)
{
    return open_file(ctx, out, path, opts, "rug_file_open");
}

rug_status rug_file_read(rug_context *ctx, rug_file **out, const char *path,
                         const rug_read_options *opts)
{
    rug_status status = open_file(ctx, out, path, opts, "rug_file_read");
    if (status == RUG_OK)
        status = rug_file_load(ctx, *out);
    if (status != RUG_OK && out != NULL) {
        rug_file_free(*out);
        *out = NULL;
    }
    return status;
}

void rug_file_free(rug_file *file)
{
    if (file == NULL)
        return;
    rugi_file_close_slabs(file);
    rug_context_release(file->ctx, file->pixels);
    rug_context_release(file->ctx, file->path);
    rug_context_release(file->ctx, file);
}

const rug_image *rug_file_image(const rug_file *file)
{
    return &file->image;
}

rug_image rug_file_plane(const rug_file *file, int plane)
{
    rug_image image = file->image;
    if (file->facts.n_planes == 1)
        return image;
    if (image.data != NULL)
        image.data = (const unsigned char *)image.data + plane * image.stride[0];
    image.ndim = 2;
    for (int a = 0; a < 2; a++) {
        image.shape[a] = image.shape[a + 1];
        image.stride[a] = image.stride[a + 1];
        image.spacing[a] = image.spacing[a + 1];
    }
    image.shape[2] = 0;
    return image;
}

const rug_file_facts *rug_file_get_facts(const rug_file *file)
{
    return &file->facts;
}

int rugi_multiply(uint64_t *out, uint64_t a, uint64_t b)
{
    if (b != 0 && a > UINT64_MAX / b)
        return 0;
    *out = a * b;
    return 1;
}

rug_status rugi_file_set_image(rug_context *ctx, rug_file *file, rug_dtype dtype,
                               int ndim, const size_t *shape)
{
    uint64_t n_bytes = rug_dtype_size(dtype);
    int fits = 1;
    for (int i = 0; i < ndim; i++)
        fits = fits && rugi_multiply(&n_bytes, n_bytes, shape[i]);
    if (!fits || n_bytes > PTRDIFF_MAX)
        return rug_context_fail(ctx, RUG_E_NOMEM,
                                "%s: more pixels than an address can count", file->path);
    /* A view must point to something: the file stands in for its pixels. */
    rug_status status = rug_image_view(ctx, &file->image, file, dtype, ndim, shape);
    file->image.data = NULL;
    return status;
}

void rugi_file_set_spacing(rug_file *file, const double *spacing, const char *unit)
{
    int known = 0;
    for (int i = 0; i < file->image.ndim; i++) {
        int good = isfinite(spacing[i]) && spacing[i] > 0;
        file->image.spacing[i] = good ? spacing[i] : 0;
        known = known || good;
    }
    size_t n = unit != NULL ? strlen(unit) : 0;
    if (!known || n == 0 || n >= sizeof file->unit)
        return;
    memcpy(file->unit, unit, n + 1);
    file->image.spacing_unit = file->unit;
}

/** @param what  "page", "level", "channel" */
static rug_status check_count(rug_context *ctx, const rug_file *file, const char *what,
                              int asked, int count)
{
    if (asked < count)
        return RUG_OK;
    if (count == 1)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "%s: %s %d asked, but the %s file has one %s (0)",
                                file->path, what, asked, file->facts.format, what);
    return rug_context_fail(ctx, RUG_E_ARG,
                            "%s: %s %d asked, but the %s file has %d (0..%d)", file->path,
                            what, asked, file->facts.format, count, count - 1);
}

rug_status rugi_check_page(rug_context *ctx, const rug_file *file, int page)
{
    return check_count(ctx, file, "page", page, file->facts.n_pages);
}

rug_status rugi_check_level(rug_context *ctx, const rug_file *file, int level)
{
    return check_count(ctx, file, "level", level, file->facts.n_levels);
}

rug_status rugi_check_channel(rug_context *ctx, const rug_file *file, int channel)
{
    return check_count(ctx, file, "channel", channel, file->facts.n_channels);
}

/** Feeds a whole stream to a checksum. */
static rug_status sum_stream(rug_context *ctx, GChecksum *sum, FILE *stream,
                             const char *path, uint64_t n_bytes)
{
    unsigned char *chunk = rug_context_allocate(ctx, SUM_CHUNK, 1, path);
    if (chunk == NULL)
        return RUG_E_NOMEM;
    rug_status status = RUG_OK;
    uint64_t done = 0;
    size_t n;
    while (status == RUG_OK && (n = fread(chunk, 1, SUM_CHUNK, stream)) > 0) {
        g_checksum_update(sum, chunk, (gssize)n);
        done += n;
        status =
            rug_context_step(ctx, done < n_bytes ? (double)done / (double)n_bytes : 1);
    }
    if (status == RUG_OK && ferror(stream))
        status = rug_context_fail(ctx, RUG_E_IO, "%s: cannot be read: %s", path,
                                  g_strerror(errno));
    rug_context_release(ctx, chunk);
    return status;
}

rug_status rug_file_sha256(rug_context *ctx, char out[RUG_SHA256_TEXT_MAX],
                           const char *path)
{
    if (out != NULL)
        out[0] = '\0';
    if (ctx == NULL || out == NULL || path == NULL)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "rug_file_sha256: NULL given for the context, the result or the path");
    FILE *stream;
    uint64_t n_bytes;
    rug_status status = rugi_open_regular(ctx, path, &stream, &n_bytes);
    if (status != RUG_OK)
        return status;
    GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
    status = sum_stream(ctx, sum, stream, path, n_bytes);
    if (status == RUG_OK)
        g_strlcpy(out, g_checksum_get_string(sum), RUG_SHA256_TEXT_MAX);
    g_checksum_free(sum);
    fclose(stream);
    return status;
}
