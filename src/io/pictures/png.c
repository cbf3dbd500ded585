/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* PNG by libpng. Reading: rows come once from top to bottom, straight to where they are wanted when a
 * pixel has one band; interlaced files come whole. Few bits become 8, palettes become colours. What
 * libpng warns of is no damage. Writing: as fast as libpng's usual level is, without filters.
 *
 * libpng reports failures by a jump. Each function that calls it for a file catches the jump itself, and
 * keeps no variable across it. */

#include "io/base/bands.h"
#include "io/base/library.h"
#include "picture_formats.h"
#include "png_chunks.h"
#include "png_palette.h"
#include <errno.h>
#include <inttypes.h>
#include <png.h>
#include <setjmp.h>
#include <string.h>

/* ---- libpng ---- */

#define PNG_FUNCTIONS(X)              \
    X(png_create_read_struct)         \
    X(png_create_write_struct)        \
    X(png_create_info_struct)         \
    X(png_destroy_read_struct)        \
    X(png_destroy_write_struct)       \
    X(png_error)                      \
    X(png_get_error_ptr)              \
    X(png_get_io_ptr)                 \
    X(png_set_read_fn)                \
    X(png_set_write_fn)               \
    X(png_set_user_limits)            \
    X(png_set_keep_unknown_chunks)    \
    X(png_read_info)                  \
    X(png_get_IHDR)                   \
    X(png_get_valid)                  \
    X(png_get_channels)               \
    X(png_set_palette_to_rgb)         \
    X(png_set_packing)                \
    X(png_set_expand_gray_1_2_4_to_8) \
    X(png_set_tRNS_to_alpha)          \
    X(png_set_swap)                   \
    X(png_set_interlace_handling)     \
    X(png_read_update_info)           \
    X(png_read_row)                   \
    X(png_set_IHDR)                   \
    X(png_set_PLTE)                   \
    X(png_set_filter)                 \
    X(png_set_compression_level)      \
    X(png_write_info_before_PLTE)     \
    X(png_write_chunk)                \
    X(png_write_info)                 \
    X(png_write_row)                  \
    X(png_write_end)

static struct {
    PNG_FUNCTIONS(RUGI_LIBRARY_MEMBER)
} lib;

static const char *const symbols[] = {PNG_FUNCTIONS(RUGI_LIBRARY_SYMBOL) NULL};

static const rugi_library library = {"libpng", RUGI_PNG_FILE, "libpng16-16", symbols,
                                     &lib};

static rug_status load_png(rug_context *ctx, const char *path)
{
    return rugi_library_load(ctx, &library, path);
}

/* Levels of zlib: what libpng and libvips write by default, and what is quick. */
#define LEVEL       6
#define QUICK_LEVEL 1

/* Bytes of rows between two reports of progress, unless a row has more. */
#define STEP_BYTES ((size_t)1 << 18)

/* Bytes that are read from a file at once. */
#define FILE_BUFFER ((size_t)1 << 16)

/* Whether samples of 16 bits are swapped: PNG has the high byte first. */
#define IS_LITTLE (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

/* Where a failure jumps to, and what it says. */
typedef struct trap {
    jmp_buf jump;
    char text[128];
} trap;

static void on_error(png_structp png, png_const_charp text)
{
    trap *t = lib.png_get_error_ptr(png);
    snprintf(t->text, sizeof t->text, "%s", text);
    longjmp(t->jump, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

/* Rows between two reports of progress. */
static size_t step_rows(size_t row_bytes)
{
    size_t n = STEP_BYTES / row_bytes;
    return n > 0 ? n : 1;
}

/* ---- Reading ---- */

typedef struct png_job {
    trap trap;
    FILE *in; /* NULL between passes */
    int is_cut;
    int why; /* errno of a read that failed, or 0 */
    png_structp png;
    png_infop info;
    png_uint_32 width, height;
    int depth, colour, interlaced, has_alpha;
    int wants_indices, as_indices; /* of a palette; whether there is one */
    int keeps_alpha;
    rugi_bands bands;
    size_t row_bytes;    /* of interleaved bands */
    size_t next;         /* rows that have been read in this pass */
    int n_passes;        /* over the rows; 1 unless the file is interlaced */
    unsigned char *rows; /* some of interleaved bands; NULL where there is but one band */
} png_job;

static int claims(const rug_file *file)
{
    return file->n_head >= 4 && memcmp(file->head, "\x89PNG", 4) == 0;
}

static void take_bytes(png_structp png, png_bytep to, size_t n)
{
    png_job *job = lib.png_get_io_ptr(png);
    errno = 0;
    if (fread(to, 1, n, job->in) == n)
        return;
    job->why = ferror(job->in) ? errno : 0;
    job->is_cut = !ferror(job->in);
    lib.png_error(png, "the file ends");
}

static void end_pass(png_job *job)
{
    if (job->png != NULL)
        lib.png_destroy_read_struct(&job->png, &job->info, NULL);
    if (job->in != NULL)
        fclose(job->in);
    job->in = NULL;
    job->next = 0;
}

/* The failure of what libpng was asked last. */
static rug_status fail(rug_context *ctx, const rug_file *file, const png_job *job)
{
    if (job->why != 0)
        return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be read: %s", file->path,
                                strerror(job->why));
    if (job->row_bytes == 0)
        return rug_context_fail(ctx, RUG_E_FORMAT, "%s: %s%s", file->path,
                                job->is_cut ? "cut off within the PNG header"
                                            : "the PNG header is damaged: ",
                                job->is_cut ? "" : job->trap.text);
    char place[64];
    if (job->n_passes > 1)
        snprintf(place, sizeof place, "in pass %zu of %d", job->next / job->height + 1,
                 job->n_passes);
    else
        snprintf(place, sizeof place, "after %zu of %" PRIu32 " rows", job->next,
                 (uint32_t)job->height);
    if (job->is_cut)
        return rug_context_fail(ctx, RUG_E_FORMAT, "%s: cut off %s", file->path, place);
    return rug_context_fail(ctx, RUG_E_FORMAT, "%s: damaged %s: %s", file->path, place,
                            job->trap.text);
}

/* Reads all that stands before the pixels. Of chunks that are no pixels only those that say which
 * pixels are transparent are looked at. @return 0 on failure */
static int read_info(png_job *job)
{
    if (setjmp(job->trap.jump) != 0)
        return 0;
    lib.png_set_read_fn(job->png, job, take_bytes);
    lib.png_set_user_limits(job->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    lib.png_set_keep_unknown_chunks(job->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    lib.png_read_info(job->png, job->info);
    lib.png_get_IHDR(job->png, job->info, &job->width, &job->height, &job->depth,
                     &job->colour, &job->interlaced, NULL, NULL);
    return 1;
}

/* Has few bits made 8, palettes colours, and 16 bits those of the machine. */
static int set_up(png_job *job)
{
    if (setjmp(job->trap.jump) != 0)
        return 0;
    job->as_indices = job->wants_indices && job->colour == PNG_COLOR_TYPE_PALETTE;
    job->has_alpha =
        !job->as_indices && ((job->colour & PNG_COLOR_MASK_ALPHA) != 0 ||
                             lib.png_get_valid(job->png, job->info, PNG_INFO_tRNS) != 0);
    if (job->as_indices)
        lib.png_set_packing(job->png);
    else if (job->colour == PNG_COLOR_TYPE_PALETTE)
        lib.png_set_palette_to_rgb(job->png);
    else if (job->depth < 8)
        lib.png_set_expand_gray_1_2_4_to_8(job->png);
    if (job->has_alpha && job->keeps_alpha)
        lib.png_set_tRNS_to_alpha(job->png); /* of colours that stand for it */
    if (job->depth == 16 && IS_LITTLE)
        lib.png_set_swap(job->png);
    job->n_passes = lib.png_set_interlace_handling(job->png);
    lib.png_read_update_info(job->png, job->info);
    job->bands.dtype = job->depth == 16 ? RUG_U16 : RUG_U8;
    job->bands.n = lib.png_get_channels(job->png, job->info);
    job->row_bytes = job->width * (size_t)job->bands.n * rug_dtype_size(job->bands.dtype);
    return 1;
}

/* Opens the file, and reads what stands before the pixels. */
static rug_status begin_pass(rug_context *ctx, const rug_file *file, png_job *job)
{
    uint64_t n_bytes;
    end_pass(job);
    job->row_bytes = 0;
    job->is_cut = job->why = 0;
    rug_status status = rugi_open_regular(ctx, file->path, &job->in, &n_bytes);
    if (status != RUG_OK)
        return status;
    setvbuf(job->in, NULL, _IOFBF, FILE_BUFFER);
    job->png = lib.png_create_read_struct(PNG_LIBPNG_VER_STRING, &job->trap, on_error,
                                          on_warning);
    job->info = job->png != NULL ? lib.png_create_info_struct(job->png) : NULL;
    if (job->info == NULL)
        return rug_context_fail(ctx, RUG_E_NOMEM, "%s: no memory for libpng", file->path);
    return read_info(job) ? RUG_OK : fail(ctx, file, job);
}

/* Begins another pass over a file that should be what it was. */
static rug_status begin_again(rug_context *ctx, const rug_file *file, png_job *job)
{
    const png_uint_32 width = job->width, height = job->height;
    const rugi_bands bands = job->bands;
    const int n_passes = job->n_passes;
    rug_status status = begin_pass(ctx, file, job);
    if (status == RUG_OK && !set_up(job))
        status = fail(ctx, file, job);
    if (status == RUG_OK &&
        (job->width != width || job->height != height || job->n_passes != n_passes ||
         job->bands.dtype != bands.dtype || job->bands.n != bands.n))
        status = rug_context_fail(
            ctx, RUG_E_FORMAT,
            "%s: %" PRIu32 " rows of %" PRIu32
            " pixels of %s expected, but there are others: the file has changed",
            file->path, (uint32_t)height, (uint32_t)width, rug_dtype_name(bands.dtype));
    if (status == RUG_OK)
        return RUG_OK;
    end_pass(job);
    job->width = width;
    job->height = height;
    job->bands = bands;
    job->n_passes = n_passes;
    return status;
}

/* Decodes n rows of interleaved bands. @return 0 on failure */
static int take_rows(png_job *job, unsigned char *to, size_t n)
{
    if (setjmp(job->trap.jump) != 0)
        return 0;
    for (size_t y = 0; y < n; y++) {
        lib.png_read_row(job->png, to + y * job->row_bytes, NULL);
        job->next++;
    }
    return 1;
}

/* Makes pixels of n rows of interleaved bands.
 *  @param plane  bytes from one plane of colour to the next */
static void take_bands(rug_file *file, const png_job *job, unsigned char *to,
                       const unsigned char *from, size_t n, size_t plane)
{
    size_t width = job->width, pitch = width * rug_dtype_size(job->bands.dtype);
    for (size_t y = 0; y < n; y++, to += pitch, from += job->row_bytes)
        if (rugi_bands_take(&job->bands, to, from, width, plane))
            file->unequal = 1;
}

/* Reads the next n rows. */
static rug_status read_rows(rug_context *ctx, rug_file *file, png_job *job,
                            unsigned char *to, size_t n)
{
    size_t pitch = job->width * rug_dtype_size(job->bands.dtype);
    size_t step = step_rows(job->row_bytes);
    rug_status status = RUG_OK;
    for (size_t y = 0; y < n && status == RUG_OK; y += step) {
        size_t k = n - y < step ? n - y : step;
        unsigned char *rows = job->rows != NULL ? job->rows : to + y * pitch;
        if (!take_rows(job, rows, k))
            return fail(ctx, file, job);
        if (job->rows != NULL)
            take_bands(file, job, to + y * pitch, rows, k, n * pitch);
        status = rug_context_step(ctx, (double)(y + k) / (double)n);
    }
    return status;
}

/* Reads the whole of an interlaced file: each pass fills in some pixels of its rows.
 *  @param image  all rows of interleaved bands */
static rug_status read_passes(rug_context *ctx, const rug_file *file, png_job *job,
                              unsigned char *image)
{
    size_t step = step_rows(job->row_bytes), height = job->height;
    rug_status status = RUG_OK;
    for (int pass = 0; pass < job->n_passes; pass++)
        for (size_t y = 0; y < height && status == RUG_OK; y += step) {
            size_t k = height - y < step ? height - y : step;
            if (!take_rows(job, image + y * job->row_bytes, k))
                return fail(ctx, file, job);
            status = rug_context_step(ctx, (double)job->next / (double)height /
                                               (double)job->n_passes);
        }
    return status;
}

static rug_status read_interlaced(rug_context *ctx, rug_file *file, png_job *job,
                                  unsigned char *to)
{
    size_t height = job->height;
    if (job->bands.n == 1)
        return read_passes(ctx, file, job, to);
    unsigned char *image = rug_context_allocate(ctx, height, job->row_bytes, file->path);
    if (image == NULL)
        return RUG_E_NOMEM;
    rug_status status = read_passes(ctx, file, job, image);
    if (status == RUG_OK)
        take_bands(file, job, to, image, height,
                   height * job->width * rug_dtype_size(job->bands.dtype));
    rug_context_release(ctx, image);
    return status;
}

static rug_status read_png(rug_context *ctx, rug_file *file, void *to, size_t first,
                           size_t n)
{
    png_job *job = file->slabs.state;
    rug_status status = RUG_OK;
    if (job->in == NULL || (first == 0 && job->next != 0))
        status = begin_again(ctx, file, job);
    if (status != RUG_OK)
        return status;
    if (file->slabs.whole_only)
        n = job->height;
    status = job->n_passes > 1 ? read_interlaced(ctx, file, job, to)
                               : read_rows(ctx, file, job, to, n);
    if (status != RUG_OK || job->next >= job->height)
        end_pass(job);
    return status;
}

static void close_png(rug_context *ctx, void *state)
{
    png_job *job = state;
    end_pass(job);
    rug_context_release(ctx, job->rows);
    rug_context_release(ctx, job);
}

/* ---- Opening ---- */

/* Fails when the file is too short for its pixels. */
static rug_status check_size(rug_context *ctx, const rug_file *file, const png_job *job)
{
    static const int n_samples[] = {1, 0, 3, 1, 2, 0, 4}; /* for each type of colour */
    uint64_t n_bits = (uint64_t)job->depth * (uint64_t)n_samples[job->colour];
    uint64_t row = (job->width * n_bits + 7) / 8, all;
    if (rugi_multiply(&all, row, job->height) && all / RUGI_DEFLATE_MAX <= file->n_bytes)
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_FORMAT,
        "%s: cut off: %" PRIu32 "x%" PRIu32 " pixels are more than a PNG file of %" PRIu64
        " bytes can hold",
        file->path, (uint32_t)job->height, (uint32_t)job->width, file->n_bytes);
}

/* Chooses the bands, and sets the image. */
static rug_status set_image(rug_context *ctx, rug_file *file, png_job *job, int channel)
{
    int n_alpha = job->bands.n == 2 || job->bands.n == 4;
    rug_status status = rugi_bands_choose(ctx, file, &job->bands, n_alpha, 1, channel);
    file->facts.dropped_alpha = job->has_alpha;
    if (job->has_alpha)
        file->notes.alpha = RUG_ALPHA_STRAIGHT;
    rugi_bands_keep_alpha(file, &job->bands, n_alpha, channel);
    if (status == RUG_OK)
        status = rugi_bands_set_image(ctx, file, &job->bands, job->height, job->width);
    if (status != RUG_OK)
        return status;
    if (job->as_indices)
        file->facts.meaning = "palette indices";
    if (job->n_passes > 1)
        file->slabs.whole_only = 1;
    else if (job->bands.n > 1) {
        job->rows = rug_context_allocate(ctx, step_rows(job->row_bytes), job->row_bytes,
                                         file->path);
        status = job->rows != NULL ? RUG_OK : RUG_E_NOMEM;
    }
    return status;
}

static rug_status open_png(rug_context *ctx, rug_file *file, const rug_read_options *opts)
{
    file->facts.format = "png";
    rug_status status = load_png(ctx, file->path);
    if (status != RUG_OK)
        return status;
    png_job *job = rug_context_allocate(ctx, 1, sizeof *job, file->path);
    if (job == NULL)
        return RUG_E_NOMEM;
    memset(job, 0, sizeof *job);
    job->wants_indices = file->as_indices;
    job->keeps_alpha = file->wants_alpha && rugi_asked_channel(opts) == RUGI_COLOURS;
    file->slabs = (rugi_slabs){.read = read_png, .close = close_png, .state = job};
    status = rugi_check_flat(ctx, file, opts);
    if (status == RUG_OK)
        status = begin_pass(ctx, file, job);
    if (status == RUG_OK)
        status = check_size(ctx, file, job);
    if (status == RUG_OK && !set_up(job))
        status = fail(ctx, file, job);
    if (status != RUG_OK)
        return status;
    status = rugi_png_read_notes(ctx, file, fileno(job->in));
    return status == RUG_OK ? set_image(ctx, file, job, rugi_asked_channel(opts))
                            : status;
}

/* ---- Writing ---- */

typedef struct png_output {
    trap trap;
    FILE *out;
    png_structp png;
    png_infop info;
    const rug_image *planes;
    int n_planes;
    const rug_file_notes *notes; /* NULL: none */
    uint8_t *profile;            /* the bytes of its chunk; NULL: there is none */
    size_t n_profile;
    int level;
    size_t next;        /* the row that comes next */
    unsigned char *row; /* of interleaved bands */
    rugi_palette palette;
} png_output;

static void put_bytes(png_structp png, png_bytep from, size_t n)
{
    png_output *o = lib.png_get_io_ptr(png);
    errno = 0;
    if (fwrite(from, 1, n, o->out) != n)
        lib.png_error(png, strerror(errno));
}

static void put_nothing(png_structp png)
{
    (void)png;
}

static int colour_type(const png_output *o)
{
    static const int types[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA,
                                PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
    return o->palette.n > 0 ? PNG_COLOR_TYPE_PALETTE : types[o->n_planes - 1];
}

/* What goes with the pixels, which stands before any palette. */
static void put_notes(const png_output *o)
{
    uint8_t exif[RUGI_PNG_EXIF_BYTES], phys[RUGI_PNG_PHYS_BYTES];
    if (o->profile != NULL)
        lib.png_write_chunk(o->png, (png_const_bytep) "iCCP", o->profile, o->n_profile);
    if (rugi_png_make_phys(phys, o->notes))
        lib.png_write_chunk(o->png, (png_const_bytep) "pHYs", phys, sizeof phys);
    if (o->notes->orientation <= 1)
        return;
    rugi_png_make_exif(exif, o->notes->orientation);
    lib.png_write_chunk(o->png, (png_const_bytep) "eXIf", exif, sizeof exif);
}

/* @return 0 on failure */
static int put_head(png_output *o)
{
    if (setjmp(o->trap.jump) != 0)
        return 0;
    const rug_image *plane = o->planes;
    lib.png_set_write_fn(o->png, o, put_bytes, put_nothing);
    lib.png_set_user_limits(o->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    lib.png_set_compression_level(o->png, o->level);
    lib.png_set_filter(o->png, 0, PNG_FILTER_NONE);
    lib.png_set_IHDR(o->png, o->info, (png_uint_32)plane->shape[1],
                     (png_uint_32)plane->shape[0], plane->dtype == RUG_U16 ? 16 : 8,
                     colour_type(o), PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                     PNG_FILTER_TYPE_DEFAULT);
    if (o->palette.n > 0)
        lib.png_set_PLTE(o->png, o->info, o->palette.colours, o->palette.n);
    lib.png_write_info_before_PLTE(o->png, o->info);
    if (o->notes != NULL)
        put_notes(o);
    lib.png_write_info(o->png, o->info);
    if (plane->dtype == RUG_U16 && IS_LITTLE)
        lib.png_set_swap(o->png);
    return 1;
}

/* Writes n rows, and the end after the last one. @return 0 on failure */
static int put_rows(png_output *o, size_t n)
{
    if (setjmp(o->trap.jump) != 0)
        return 0;
    for (size_t i = 0; i < n; i++) {
        rugi_weave_row(o->row, o->planes, o->n_planes, o->next++);
        if (o->palette.n > 0)
            rugi_palette_apply(&o->palette, o->row, o->planes->shape[1]);
        lib.png_write_row(o->png, o->row);
    }
    if (o->next == o->planes->shape[0])
        lib.png_write_end(o->png, NULL);
    return 1;
}

static rug_status write_to(rug_context *ctx, const char *path, png_output *o,
                           size_t row_bytes)
{
    size_t height = o->planes->shape[0], step = step_rows(row_bytes);
    o->png = lib.png_create_write_struct(PNG_LIBPNG_VER_STRING, &o->trap, on_error,
                                         on_warning);
    o->info = o->png != NULL ? lib.png_create_info_struct(o->png) : NULL;
    if (o->info == NULL)
        return rug_context_fail(ctx, RUG_E_NOMEM, "cannot write %s: no memory for libpng",
                                path);
    int is_good = put_head(o);
    rug_status status = RUG_OK;
    while (is_good && status == RUG_OK && o->next < height) {
        size_t left = height - o->next;
        is_good = put_rows(o, left < step ? left : step);
        if (is_good)
            status = rug_context_step(ctx, (double)o->next / (double)height);
    }
    if (!is_good)
        status =
            rug_context_fail(ctx, RUG_E_IO, "cannot write %s: %s", path, o->trap.text);
    return status;
}

static rug_status write_png(rug_context *ctx, const char *path, FILE *out,
                            const rug_image *planes, int n_planes,
                            const rug_file_notes *notes, int is_quick)
{
    png_output o = {.out = out, .planes = planes, .n_planes = n_planes, .notes = notes};
    size_t row_bytes =
        planes->shape[1] * (size_t)n_planes * rug_dtype_size(planes->dtype);
    rug_status status = load_png(ctx, path);
    if (status != RUG_OK)
        return status;
    o.row = rug_context_allocate(ctx, row_bytes, 1, path);
    if (o.row == NULL)
        return RUG_E_NOMEM;
    if (notes != NULL && notes->icc_size > 0)
        o.profile = rugi_png_make_profile(ctx, &o.n_profile, notes);
    if (notes != NULL && notes->icc_size > 0 && o.profile == NULL)
        status = RUG_E_NOMEM;
    o.level = is_quick ? QUICK_LEVEL : LEVEL;
    if (is_quick && n_planes == 3 && planes->dtype == RUG_U8)
        rugi_palette_find(&o.palette, planes, o.row);
    if (status == RUG_OK)
        status = write_to(ctx, path, &o, row_bytes);
    if (o.png != NULL)
        lib.png_destroy_write_struct(&o.png, &o.info);
    rug_context_release(ctx, o.profile);
    rug_context_release(ctx, o.row);
    return status;
}

const rugi_picture rugi_png = {{claims, open_png}, load_png, write_png, NULL};
