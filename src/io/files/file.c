/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Files of images. Opening: checks that a path can be read at all, and finds the reader that knows the
 * content; whether one does. Pixels, all of them or slab by slab: both go through the reader's one function, so that
 * they cannot differ; here it is checked that layers are asked for in order, and owned what they are
 * decoded to. It knows no format itself. */

#include "core/context/sized.h"
#include "io/base/reader.h"
#include "io/pictures/picture_formats.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- Pixels ---- */

/* Frees what is needed only to read pixels. */
static void file_close_slabs(rug_file *file)
{
    if (file->slabs.close != NULL)
        file->slabs.close(file->ctx, file->slabs.state);
    rug_context_release(file->ctx, file->slab);
    memset(&file->slabs, 0, sizeof file->slabs);
    file->slab = NULL;
    file->slab_bytes = 0;
}

void rug_file_free(rug_file *file)
{
    if (file == NULL)
        return;
    file_close_slabs(file);
    rug_context_release(file->ctx, file->pixels);
    rug_context_release(file->ctx, file->path);
    rug_context_release(file->ctx, file);
}

const rug_image *rug_file_image(const rug_file *file)
{
    return &file->image;
}

const rug_file_facts *rug_file_get_facts(const rug_file *file)
{
    return file != NULL ? &file->facts : NULL;
}

uint64_t rug_file_bytes(const rug_file *file)
{
    return rug_image_pixels(&file->image) * rug_dtype_size(file->image.dtype);
}

/* ---- Turning ----
 *
 * EXIF (tag 274, as TIFF) numbers the ways in which a picture is stored: which side of it the first row
 * and the first column are. */

static int swaps_axes(int orientation)
{
    return orientation >= 5;
}

static int reverses_rows(int orientation)
{
    return orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
}

static int reverses_columns(int orientation)
{
    return orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
}

/** Where the pixels of an upright layer stand in the stored one, in pixels. */
typedef struct turn {
    size_t height, width;     /* of the upright one */
    size_t first;             /* its first pixel */
    ptrdiff_t down, to_right; /* from one to the next */
} turn;

/** @param height, width  of the stored layer */
static turn plan_turn(int orientation, size_t height, size_t width)
{
    ptrdiff_t row = (ptrdiff_t)width, column = 1;
    turn t = {height, width, 0, 0, 0};
    if (reverses_rows(orientation)) {
        t.first += (height - 1) * width;
        row = -row;
    }
    if (reverses_columns(orientation)) {
        t.first += width - 1;
        column = -column;
    }
    if (swaps_axes(orientation))
        return (turn){width, height, t.first, column, row};
    t.down = row;
    t.to_right = column;
    return t;
}

/* Columns that are turned together, for the sake of the caches. */
#define TURN_COLUMNS 64

#define TURN(type)                                                                  \
    do {                                                                            \
        type *out = to;                                                             \
        const type *in = (const type *)from + t->first;                             \
        for (size_t left = 0; left < t->width; left += TURN_COLUMNS)                \
            for (size_t y = 0; y < t->height; y++)                                  \
                for (size_t x = left; x < t->width && x < left + TURN_COLUMNS; x++) \
                    out[y * t->width + x] =                                         \
                        in[(ptrdiff_t)y * t->down + (ptrdiff_t)x * t->to_right];    \
    } while (0)

static void turn_layer(void *to, const void *from, const turn *t, size_t size)
{
    switch (size) {
    case 1: TURN(uint8_t); break;
    case 2: TURN(uint16_t); break;
    case 4: TURN(uint32_t); break;
    default: TURN(uint64_t); break;
    }
}

/** Turns what was read of n stored layers. Layers of volumes and planes of colour are turned one by one, and so
 * are rows that are only mirrored; else the rows are one layer. */
static rug_status turn_layers(rug_context *ctx, const rug_file *file, void *pixels,
                              size_t n)
{
    const rug_image *image = &file->image;
    int orientation = file->facts.orientation, swaps = swaps_axes(orientation);
    int y = image->ndim - 2, is_one = y == 0 && orientation != 2;
    size_t height = y == 0 ? 1 : image->shape[swaps ? 2 : 1];
    const turn t =
        plan_turn(orientation, is_one ? n : height, image->shape[swaps ? y : y + 1]);
    size_t size = rug_dtype_size(image->dtype), n_bytes = t.height * t.width * size;
    unsigned char *layer = pixels;
    unsigned char *stored = rug_context_allocate(ctx, n_bytes, 1, file->path);
    if (stored == NULL)
        return RUG_E_NOMEM;
    for (size_t left = is_one ? 1 : n; left > 0; left--, layer += n_bytes) {
        memcpy(stored, layer, n_bytes);
        turn_layer(layer, stored, &t, size);
    }
    rug_context_release(ctx, stored);
    return RUG_OK;
}

/** @param y  the column of rows, before that of columns
 *  @param height, width  of a stored layer */
static void turn_affine(rug_file_facts *facts, int y, size_t height, size_t width)
{
    for (int i = 0; i < 3; i++) {
        double *row = facts->affine[i], down = row[y], to_right = row[y + 1];
        if (reverses_rows(facts->orientation)) {
            row[3] += down * (double)(height - 1);
            down = -down;
        }
        if (reverses_columns(facts->orientation)) {
            row[3] += to_right * (double)(width - 1);
            to_right = -to_right;
        }
        row[y] = swaps_axes(facts->orientation) ? to_right : down;
        row[y + 1] = swaps_axes(facts->orientation) ? down : to_right;
    }
}

/** Sets the image of an opened file as it will be turned. Only rows that are mirrored, and those that are
 * reversed where a reader can go back, come in parts. */
static void turn_image(rug_file *file, int as_stored)
{
    rug_image *image = &file->image;
    rug_file_facts *facts = &file->facts;
    int orientation = facts->orientation, y = image->ndim - 2;
    size_t height = image->shape[y];
    double distance = image->spacing[y];
    file->n_layers = image->shape[0];
    if (as_stored || orientation == 1)
        return;
    facts->is_turned = 1;
    turn_affine(facts, facts->n_planes > 1 ? 0 : y, height, image->shape[y + 1]);
    if (y == 0 && orientation > (file->slabs.any_order ? 4 : 2))
        file->slabs.whole_only = 1;
    if (!swaps_axes(orientation))
        return;
    image->shape[y] = image->shape[y + 1];
    image->shape[y + 1] = height;
    image->stride[y] = (ptrdiff_t)height * image->stride[y + 1];
    image->spacing[y] = image->spacing[y + 1];
    image->spacing[y + 1] = distance;
}

/** The first stored one of n layers, which all are n_layers or follow on others. */
static size_t first_stored(const rug_file *file, size_t first, size_t n)
{
    int is_back = file->facts.is_turned && file->image.ndim == 2 &&
                  reverses_rows(file->facts.orientation);
    return is_back ? file->n_layers - first - n : first;
}

/** Has layers decoded and turned, and notes how far the pass is. */
static rug_status decode(rug_context *ctx, rug_file *file, void *to, size_t first,
                         size_t n)
{
    file->next = 0;
    size_t n_stored = file->slabs.whole_only ? file->n_layers : n;
    rug_status status =
        file->slabs.read(ctx, file, to, first_stored(file, first, n_stored), n_stored);
    if (status == RUG_OK && file->facts.is_turned)
        status = turn_layers(ctx, file, to, n_stored);
    if (status != RUG_OK)
        return status;
    file->next = first + n;
    if (file->next == file->image.shape[0])
        file->facts.equal_channels = file->is_colour && !file->unequal;
    return RUG_OK;
}

/** Memory comes from the context that opened the file and goes back there. */
static rug_status check_context(rug_context *ctx, const rug_file *file)
{
    if (ctx == file->ctx)
        return RUG_OK;
    return rug_context_fail(ctx, RUG_E_ARG,
                            "%s: read with a context other than the one that opened it",
                            file->path);
}

rug_status rug_file_load(rug_context *ctx, rug_file *file)
{
    if (ctx == NULL || file == NULL)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "rug_file_load: NULL given for the context or the file");
    rug_status status = check_context(ctx, file);
    if (status != RUG_OK || file->pixels != NULL)
        return status;
    const rug_image *image = &file->image;
    void *pixels = rug_context_allocate(ctx, (size_t)rug_image_pixels(image),
                                        rug_dtype_size(image->dtype), file->path);
    if (pixels == NULL)
        return RUG_E_NOMEM;
    status = decode(ctx, file, pixels, 0, image->shape[0]);
    if (status != RUG_OK) {
        rug_context_release(ctx, pixels);
        return status;
    }
    file_close_slabs(file);
    file->pixels = pixels;
    file->image.data = pixels;
    rug_source_of_image(&file->source, &file->image); /* nothing is read any more */
    return RUG_OK;
}

static rug_status check_layers(rug_context *ctx, const rug_file *file, size_t first,
                               size_t n)
{
    size_t n_layers = file->image.shape[0];
    if (n == 0 || first > n_layers || n > n_layers - first)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "%s: %zu layers from %zu on requested, but there are %zu",
                                file->path, n, first, n_layers);
    if (file->pixels == NULL && first != 0 && first != file->next)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: layers from %zu on requested; %zu, where the last ones ended, or 0 expected",
            file->path, first, file->next);
    return RUG_OK;
}

/** Decodes layers into the file's slab, which grows as it is needed. */
static rug_status read_slab(rug_context *ctx, rug_file *file, size_t first, size_t n)
{
    size_t n_bytes = n * (size_t)file->image.stride[0];
    if (n_bytes > file->slab_bytes) {
        rug_context_release(ctx, file->slab);
        file->slab_bytes = 0;
        file->slab = rug_context_allocate(ctx, n_bytes, 1, file->path);
        if (file->slab == NULL)
            return RUG_E_NOMEM;
        file->slab_bytes = n_bytes;
    }
    return decode(ctx, file, file->slab, first, n);
}

static rug_status read_layers(rug_context *ctx, void *user, rug_image *out, size_t first,
                              size_t n)
{
    rug_file *file = user;
    memset(out, 0, sizeof *out);
    rug_status status = check_context(ctx, file);
    if (status == RUG_OK)
        status = check_layers(ctx, file, first, n);
    if (status == RUG_OK && file->slabs.whole_only)
        status = rug_file_load(ctx, file);
    if (status == RUG_OK && file->pixels == NULL)
        status = read_slab(ctx, file, first, n);
    if (status != RUG_OK)
        return status;
    *out = file->image;
    out->shape[0] = n;
    if (file->pixels == NULL)
        out->data = file->slab;
    else
        out->data = (const unsigned char *)file->pixels +
                    (ptrdiff_t)first * file->image.stride[0];
    return RUG_OK;
}

static void set_source(rug_file *file)
{
    const rug_image *image = &file->image;
    rug_source *source = &file->source;
    source->struct_size = sizeof *source;
    source->dtype = image->dtype;
    source->ndim = image->ndim;
    memcpy(source->shape, image->shape, sizeof source->shape);
    memcpy(source->spacing, image->spacing, sizeof source->spacing);
    source->spacing_unit = image->spacing_unit;
    source->read = read_layers;
    source->user = file;
}

const rug_source *rug_file_source(rug_file *file)
{
    return &file->source;
}

/* ---- Opening ---- */

/* The format table; the last row claims everything. */
static const rugi_reader *const readers[] = {&rugi_npy_reader,  &rugi_nifti_reader,
                                             &rugi_png.reader,  &rugi_pnm.reader,
                                             &rugi_tiff_reader, &rugi_vips_reader};

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
        "other   JPEG 2000, JPEG XL, HEIF and AVIF, OpenEXR, FITS, Radiance, where the "
        "installed libvips reads them",
        "NIfTI   NIfTI-1 and -2, .nii, .nii.gz, .hdr with .img; integers, f32, f64",
        "npy     NumPy arrays of 2 or 3 axes, or of points; integers, booleans, f16, "
        "f32, f64",
        "points  .csv, .tsv, .txt, .xyz: a point of 1 to 10 numbers a line",
        NULL};
    return formats;
}

/** Nonzero for a folder that is a Zarr array or group. */
static int is_zarr(const char *path)
{
    static const char *const names[] = {".zarray", ".zgroup", "zarr.json"};
    char name[4096];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        int n = snprintf(name, sizeof name, "%s/%s", path, names[i]);
        if (n > 0 && (size_t)n < sizeof name && access(name, F_OK) == 0)
            return 1;
    }
    return 0;
}

/** Checks that the file can be read, and reads its first bytes. */
static rug_status read_head(rug_context *ctx, rug_file *file,
                            unsigned char head[RUGI_HEAD_MAX])
{
    FILE *stream;
    if (is_zarr(file->path))
        return rug_context_fail(
            ctx, RUG_E_FORMAT,
            "%s: cannot be read: it looks like Zarr; save its array as .npy, for example with zarr",
            file->path);
    rug_status status = rugi_open_regular(ctx, file->path, &stream, &file->n_bytes);
    if (status != RUG_OK)
        return status;
    file->head = head;
    /* some files of /proc have no size and never end */
    file->n_head = file->n_bytes > 0 ? fread(head, 1, RUGI_HEAD_MAX, stream) : 0;
    int failed = ferror(stream);
    int why = errno;
    fclose(stream);
    if (failed)
        return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be read: %s", file->path,
                                strerror(why));
    if (file->n_head == 0)
        return rug_context_fail(ctx, RUG_E_FORMAT, "%s: is empty (0 bytes)", file->path);
    return RUG_OK;
}

static rug_status check_options(rug_context *ctx, const char *path,
                                const rug_read_options *opts)
{
    if (opts->page < -1 || opts->channel < -1)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: page %d and channel %d given, 0 or more expected (-1 = "
            "default)",
            path, opts->page, opts->channel);
    if (opts->volume < 0 || opts->volume > 2)
        return rug_context_fail(ctx, RUG_E_ARG, "%s: volume %d given, 0, 1 or 2 expected",
                                path, opts->volume);
    if (opts->planes && (opts->channel >= 0 || opts->volume == 1))
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: planes of colour requested, and a channel or a volume too; one of them "
            "expected",
            path);
    if (opts->level < 0)
        return rug_context_fail(ctx, RUG_E_ARG, "%s: level %d given, 0 or more expected",
                                path, opts->level);
    return RUG_OK;
}

/** Lets the first reader that claims the content open it.
 *  @param opts  rug_read_options */
static rug_status open_content(rug_context *ctx, rug_file *file, const void *opts)
{
    unsigned char head[RUGI_HEAD_MAX];
    rug_status status = read_head(ctx, file, head);
    size_t i = 0;
    if (status != RUG_OK)
        return status;
    while (!readers[i]->claims(file))
        i++;
    rug_read_options own = *(const rug_read_options *)opts;
    if (own.volume == 2 &&
        (readers[i] != &rugi_tiff_reader || own.page >= 0 || own.planes))
        own.volume = 0;
    status = readers[i]->open(ctx, file, &own);
    file->head = NULL;
    if (status == RUG_OK)
        turn_image(file, own.as_stored != 0);
    return status;
}

static rug_file *new_file(rug_context *ctx, const char *path)
{
    rug_file *file = rug_context_allocate(ctx, 1, sizeof *file, path);
    if (file == NULL)
        return NULL;
    memset(file, 0, sizeof *file);
    file->ctx = ctx;
    file->facts = (rug_file_facts){.n_pages = 1,
                                   .n_levels = 1,
                                   .n_channels = 1,
                                   .slope = 1,
                                   .n_planes = 1,
                                   .orientation = 1,
                                   .n_files = 1};
    size_t n = strlen(path) + 1;
    file->path = rug_context_allocate(ctx, n, 1, path);
    if (file->path == NULL) {
        rug_file_free(file);
        return NULL;
    }
    memcpy(file->path, path, n);
    file->facts.path = file->path;
    return file;
}

rug_status rugi_file_make(rug_context *ctx, rug_file **out, const char *path,
                          rugi_open_fn open, const void *user)
{
    rug_file *file = new_file(ctx, path);
    if (file == NULL)
        return RUG_E_NOMEM;
    rug_status status = open(ctx, file, user);
    if (status == RUG_OK) {
        set_source(file);
        *out = file;
    } else
        rug_file_free(file);
    return status;
}

/** @param who  the public function that is called */
static rug_status open_file(rug_context *ctx, rug_file **out, const char *path,
                            const rug_read_options *opts, const char *who)
{
    rug_read_options own = RUG_READ_OPTIONS_INIT;
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL || path == NULL)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "%s: NULL given for the context, the result or the path",
                                who);
    rug_status status = RUGI_TAKE(ctx, &own, opts, "rug_read_options");
    if (status == RUG_OK)
        status = check_options(ctx, path, &own);
    return status == RUG_OK ? rugi_file_make(ctx, out, path, open_content, &own) : status;
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

/* ---- What is an image ---- */

/** Whether a name ends as those of images do, also of formats that are refused with a hint: then
 *  what is no such image is damaged, and no file of another kind. */
static int is_called_image(const char *path)
{
    static const char *const endings[] = {
        ".tif",  ".tiff", ".btf",  ".png", ".jpg",  ".jpeg", ".pbm", ".pgm",
        ".ppm",  ".pnm",  ".pfm",  ".gif", ".webp", ".jp2",  ".j2k", ".jxl",
        ".heic", ".heif", ".avif", ".exr", ".fits", ".fit",  ".nii", ".npy",
        ".svs",  ".ndpi", ".scn",  ".bif", ".mrxs", ".vms",  ".vmu", ".dcm",
        ".nrrd", ".nhdr", ".mha",  ".mhd", ".bmp",  ".czi",  ".nd2"};
    size_t n = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (rugi_has_ending(path, endings[i]))
            return 1;
    return n >= 7 && strcasecmp(path + n - 7, ".nii.gz") == 0;
}

/** Whether a reader knows the first bytes. That of TIFF would open the file; the last one has its
 *  first bytes, too. */
static int is_known(const rug_file *file)
{
    for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++)
        if (readers[i] != &rugi_tiff_reader && readers[i]->claims(file) > 0)
            return 1;
    return 0;
}

rug_status rug_file_is_image(rug_context *ctx, int *out, const char *path)
{
    unsigned char head[RUGI_HEAD_MAX];
    if (out != NULL)
        *out = 0;
    if (ctx == NULL || out == NULL || path == NULL)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "rug_file_is_image: NULL given for the context, the result or the path");
    *out = is_called_image(path);
    if (*out)
        return RUG_OK;
    rug_file *file = new_file(ctx, path);
    if (file == NULL)
        return RUG_E_NOMEM;
    rug_status status = read_head(ctx, file, head);
    if (status == RUG_OK)
        *out = is_known(file);
    else if (status == RUG_E_FORMAT) /* it is empty */
        status = RUG_OK;
    rug_file_free(file);
    return status;
}
