/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Files of images. Opening: checks that a path can be read at all, and finds the reader that knows the
 * content; whether one does. Pixels, all of them or slab by slab: both go through one function, so
 * that they cannot differ; here it is checked that layers are asked for in order, and owned what they
 * are decoded to. It knows no format itself. */

#include "core/context/names.h"
#include "core/context/sized.h"
#include "file_decode.h"
#include "io/dicom/dicom_files.h"
#include "io/pictures/picture_formats.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

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
    rug_context_release(file->ctx, file->place);
    rug_context_release(file->ctx, file->profile);
    rug_context_release(file->ctx, file->georeference);
    rug_context_release(file->ctx, file->pixels);
    rug_context_release(file->ctx, file->at_disk);
    rug_context_release(file->ctx, file->path);
    rug_context_release(file->ctx, file);
}

const rug_image *rug_file_image(const rug_file *file)
{
    return &file->shown;
}

const rug_file_facts *rug_file_get_facts(const rug_file *file)
{
    return file != NULL ? &file->facts : NULL;
}

uint64_t rug_file_bytes(const rug_file *file)
{
    const rug_image *image = &file->shown;
    if (image->dtype == RUG_BIT)
        return (uint64_t)image->shape[0] * (uint64_t)image->stride[0];
    return rug_image_pixels(image) * rug_dtype_size(image->dtype);
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
    const rug_image *image = &file->shown;
    void *pixels = rug_context_allocate(ctx, (size_t)rug_file_bytes(file), 1, file->path);
    if (pixels == NULL)
        return RUG_E_NOMEM;
    status = rugi_file_decode(ctx, file, pixels, 0, image->shape[0]);
    if (status != RUG_OK) {
        rug_context_release(ctx, pixels);
        return status;
    }
    file_close_slabs(file);
    file->pixels = pixels;
    file->shown.data = pixels;
    rug_source_of_image(&file->source, &file->shown); /* nothing is read any more */
    return RUG_OK;
}

static rug_status check_layers(rug_context *ctx, const rug_file *file, size_t first,
                               size_t n)
{
    size_t n_layers = file->shown.shape[0];
    if (n == 0 || first > n_layers || n > n_layers - first)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "%s: %zu layers from %zu on requested, but there are %zu",
                                file->path, n, first, n_layers);
    if (!file->source.any_order && file->pixels == NULL && first != 0 &&
        first != file->next)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: layers from %zu on requested; %zu, where the last ones ended, or 0 expected",
            file->path, first, file->next);
    return RUG_OK;
}

/** Decodes layers into the file's slab, which grows as it is needed. */
static rug_status read_slab(rug_context *ctx, rug_file *file, size_t first, size_t n)
{
    size_t n_bytes = n * (size_t)file->shown.stride[0];
    if (n_bytes > file->slab_bytes) {
        rug_context_release(ctx, file->slab);
        file->slab_bytes = 0;
        file->slab = rug_context_allocate(ctx, n_bytes, 1, file->path);
        if (file->slab == NULL)
            return RUG_E_NOMEM;
        file->slab_bytes = n_bytes;
    }
    return rugi_file_decode(ctx, file, file->slab, first, n);
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
    *out = file->shown;
    out->shape[0] = n;
    if (file->pixels == NULL)
        out->data = file->slab;
    else
        out->data = (const unsigned char *)file->pixels +
                    (ptrdiff_t)first * file->shown.stride[0];
    return RUG_OK;
}

static void set_source(rug_file *file)
{
    const rug_image *image = &file->shown;
    rug_source *source = &file->source;
    source->struct_size = sizeof *source;
    source->dtype = image->dtype;
    source->ndim = image->ndim;
    memcpy(source->shape, image->shape, sizeof source->shape);
    memcpy(source->spacing, image->spacing, sizeof source->spacing);
    source->spacing_unit = image->spacing_unit;
    source->read = read_layers;
    source->user = file;
    source->any_order =
        file->slabs.any_order && !file->slabs.at_once && !file->slabs.whole_only;
}

const rug_source *rug_file_source(rug_file *file)
{
    return &file->source;
}

/* ---- Opening ---- */

/* The format table; the last row claims everything. */
static const rugi_reader *const readers[] = {
    &rugi_array_reader,     &rugi_npy_reader,  &rugi_nifti_reader,  &rugi_nrrd_reader,
    &rugi_metaimage_reader, &rugi_png.reader,  &rugi_pnm.reader,    &rugi_mrc_reader,
    &rugi_dicom_reader,     &rugi_tiff_reader, &rugi_raster_reader, &rugi_mesh_reader,
    &rugi_vips_reader};

#ifdef RUGI_HAVE_GDAL
#define BY_GDAL ", by GDAL"
#else
#define BY_GDAL " (not read: built without GDAL)"
#endif

#ifdef RUGI_BZIP2_FILE
#define OR_BZIP2 ", bzip2"
#else
#define OR_BZIP2 ""
#endif

const char *const *rug_file_formats(void)
{
    static const char *const formats[] = {
        "TIFF    1 to 64 bits, float; BigTIFF, OME-TIFF, ImageJ stacks, volumes, "
        "pyramids",
        "PNG     1 to 16 bits",
        "JPEG    8 bits",
        "PNM     PBM, PGM, PPM, PFM",
        "GIF     first or chosen frame",
        "WebP    first or chosen frame",
        "slides  whole slides that OpenSlide reads, with --level",
        "other   JPEG 2000, JPEG XL, HEIF and AVIF, OpenEXR, FITS, Radiance, where the "
        "installed libvips reads them",
#ifdef RUGI_HAVE_DICOM
        "DICOM   files, and folders of one or more series",
#else
        "DICOM   (built without it)",
#endif
        "NIfTI   NIfTI-1 and -2, .nii, .nii.gz, .hdr with .img; integers, f32, f64",
        "NRRD    .nrrd, .nhdr; raw, text, gzip" OR_BZIP2 "; integers, f32, f64",
        "Meta    MetaImage, .mha, .mhd; plain, compressed, text; integers, f32, f64",
        "MRC     .mrc, .map, .rec, also gzipped; i8, u8, i16, u16, f16, f32",
        "arrays  HDF5, NetCDF, Zarr (version 2), OME-Zarr" BY_GDAL,
        "maps    ERDAS Imagine, ENVI, GRIB, Arc/Info ASCII grid" BY_GDAL,
        "npy     NumPy arrays of 2 or 3 axes, or of points; integers, booleans, f16, "
        "f32, f64",
        "raw     pixels without a header, with --raw; .gz too",
        "matrix  numbers as text, a row a line, with --matrix",
        "meshes  PLY, STL, OBJ, with --resolution",
        "points  .csv, .tsv, .txt, .xyz: a point of 1 to 10 numbers a line",
        NULL};
    return formats;
}

int rugi_is_image_folder(const char *path)
{
    return rugi_is_zarr(path) || rugi_dicom_is_folder(path);
}

/** Checks that the file can be read, and reads its first bytes; a folder has none. */
static rug_status read_head(rug_context *ctx, rug_file *file,
                            unsigned char head[RUGI_HEAD_MAX])
{
    FILE *stream;
    const char *path = rugi_file_disk_path(file);
    file->is_folder = rugi_is_image_folder(path);
    file->head = head;
    if (file->is_folder)
        return RUG_OK;
    rug_status status = rugi_open_regular(ctx, path, &stream, &file->n_bytes);
    if (status != RUG_OK)
        return status;
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
    if (opts->page < -1 || opts->channel < RUG_CHANNEL_INDICES)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: page %d and channel %d given, 0 or more expected (-1 = "
            "default)",
            path, opts->page, opts->channel);
    if (opts->volume < 0 || opts->volume > 2)
        return rug_context_fail(ctx, RUG_E_ARG, "%s: volume %d given, 0, 1 or 2 expected",
                                path, opts->volume);
    if (opts->planes && (opts->channel != -1 || opts->volume == 1))
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: planes of colour requested, and a channel or a volume too; one of them "
            "expected",
            path);
    if (opts->raw != NULL && opts->matrix)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: a layout of raw pixels and a text matrix given; one of them expected",
            path);
    if (opts->level < 0)
        return rug_context_fail(ctx, RUG_E_ARG, "%s: level %d given, 0 or more expected",
                                path, opts->level);
    if ((unsigned)opts->nodata > RUG_NODATA_VALUE ||
        (unsigned)opts->nodata_as > RUG_NODATA_AS_ZERO)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "%s: nodata %d as %d given, 0..2 and 0..2 expected", path,
                                (int)opts->nodata, (int)opts->nodata_as);
    return RUG_OK;
}

const char *rug_nodata_name(rug_nodata nodata)
{
    static const char *const names[] = {"of file", "none", "value"};
    return RUGI_NAME(names, nodata);
}

const char *rug_nodata_as_name(rug_nodata_as as)
{
    static const char *const names[] = {"NaN", "stored", "zero"};
    return RUGI_NAME(names, as);
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

/** The first reader that claims the content, unless the caller knows better. */
static const rugi_reader *find_reader(const rug_file *file, const rug_read_options *opts)
{
    size_t i = 0;
    int answer;
    if (opts->raw != NULL)
        return &rugi_raw_reader;
    while ((answer = readers[i]->claims(file)) == 0)
        i++;
    if (answer < 0 && (opts->matrix || rugi_matrix_reader.claims(file)))
        return &rugi_matrix_reader;
    return readers[i];
}

/** An image with a header is rarely meant to be read as pixels from its first byte on. */
static void warn_of_header(rug_context *ctx, const rug_file *file, const char *raw)
{
    if (raw != NULL && strstr(raw, "offset=") == NULL && is_known(file))
        rug_context_warn(
            ctx,
            "%s: begins as an image file with a header does, but all of it "
            "is read as pixels; offset=N passes over a header, offset=0 says "
            "that there is none",
            file->path);
}

/** Refuses what only files of another kind have; the name of an array may be in the path. */
static rug_status check_reader(rug_context *ctx, const rug_file *file,
                               rug_read_options *opts, const rugi_reader *reader)
{
    if (opts->raw != NULL && file->is_folder)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: is a folder that is one image, no file without a header; leave out --raw",
            file->path);
    if (opts->series != NULL && reader != &rugi_dicom_reader)
        return rug_context_fail(
            ctx, RUG_E_ARG, "%s: series %s requested, but it is no folder of DICOM files",
            file->path, opts->series);
    if (reader != &rugi_mesh_reader && (opts->resolution > 0 || opts->solid))
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: is no mesh (PLY, STL, OBJ), which alone has a resolution "
            "and an inside; leave out --resolution and --solid%s",
            file->path,
            reader == &rugi_npy_reader ? ", or add --points if it is an array of points"
                                       : "");
    if (opts->dataset != NULL && file->array_name != NULL)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "%s: names an array, and so does --dataset (%s); one of "
                                "them expected",
                                file->path, opts->dataset);
    if (file->array_name != NULL)
        opts->dataset = file->array_name;
    if (opts->dataset == NULL || reader == &rugi_array_reader)
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "%s: array '%s' requested, but this is no file of arrays; HDF5, "
        "NetCDF or Zarr expected",
        file->path, opts->dataset);
}

/** Lets the reader of the content open it.
 *  @param opts  rug_read_options */
static rug_status open_content(rug_context *ctx, rug_file *file, const void *opts)
{
    unsigned char head[RUGI_HEAD_MAX];
    rug_status status = read_head(ctx, file, head);
    if (status != RUG_OK)
        return status;
    const rugi_reader *reader = find_reader(file, opts);
    rug_read_options own = *(const rug_read_options *)opts;
    status = check_reader(ctx, file, &own, reader);
    if (status != RUG_OK)
        return status;
    file->as_indices = own.channel == RUG_CHANNEL_INDICES;
    file->wants_alpha = own.alpha != 0;
    file->wants_notes = own.notes != 0;
    own.channel = file->as_indices ? -1 : own.channel;
    if (own.volume == 2 && (reader != &rugi_tiff_reader || own.page >= 0 || own.planes))
        own.volume = 0;
    warn_of_header(ctx, file, own.raw);
    status = reader->open(ctx, file, &own);
    file->head = NULL;
    return status == RUG_OK ? rugi_file_plan_decoding(ctx, file, &own) : status;
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
    size_t n_file = rugi_array_file(path);
    if (n_file == 0)
        return file;
    file->array_name = file->path + n_file + 1;
    file->at_disk = rug_context_allocate(ctx, n_file + 1, 1, path);
    if (file->at_disk == NULL) {
        rug_file_free(file);
        return NULL;
    }
    memcpy(file->at_disk, path, n_file);
    file->at_disk[n_file] = '\0';
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
        ".tif",  ".tiff", ".btf",  ".png",  ".jpg", ".jpeg", ".pbm",  ".pgm",  ".ppm",
        ".pnm",  ".pfm",  ".gif",  ".webp", ".jp2", ".j2k",  ".jxl",  ".heic", ".heif",
        ".avif", ".exr",  ".fits", ".fit",  ".nii", ".npy",  ".svs",  ".ndpi", ".scn",
        ".bif",  ".mrxs", ".vms",  ".vmu",  ".dcm", ".nrrd", ".nhdr", ".mha",  ".mhd",
        ".bmp",  ".czi",  ".nd2",  ".lif",  ".oib", ".oif",  ".vsi",  ".dm3",  ".dm4",
        ".mrc",  ".ply",  ".stl",  ".obj"};
    size_t n = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (rugi_has_ending(path, endings[i]))
            return 1;
    return n >= 7 && strcasecmp(path + n - 7, ".nii.gz") == 0;
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
    *out = is_called_image(path) || rugi_is_image_folder(path);
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
