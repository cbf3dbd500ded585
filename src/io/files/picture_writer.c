/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pictures. PNG, PNM and TIFF have writers of their own. For libvips planes are woven into pixels, encoded in
 * memory, and written as every output is. */

#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "core/context/sized.h"
#include "io/base/file_notes.h"
#include "io/pictures/picture_formats.h"
#include "io/pictures/png_chunks.h"
#include "io/tiff/tiff_library.h"
#include "io/vips/vips_library.h"
#include "tiff_writer.h"
#include <math.h>
#include <rugose/bytes.h>
#include <rugose/picture.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Rows between two reports of progress. */
#define STEP_ROWS 64

/* Red, green, blue, and alpha behind them. */
#define PLANES_MAX 4

/* Writes TIFF. */
static rug_status write_tiff(rug_context *ctx, const char *path, const rug_image *planes,
                             int n_planes, const rug_file_notes *notes)
{
    size_t n = planes->shape[1] * (size_t)n_planes, height = planes->shape[0];
    rug_image_writer *writer = NULL;
    unsigned char *row =
        rug_context_allocate(ctx, n, rug_dtype_size(planes->dtype), path);
    if (row == NULL)
        return RUG_E_NOMEM;
    rug_status status = rugi_tiff_writer_open(ctx, &writer, path, planes->dtype,
                                              planes->shape, n_planes, notes);
    for (size_t y = 0; y < height && status == RUG_OK; y++) {
        rugi_weave_row(row, planes, n_planes, y);
        status = rug_image_writer_add(ctx, writer, row, 1);
        if (status == RUG_OK && (y % STEP_ROWS == 0 || y + 1 == height))
            status = rug_context_step(ctx, (double)(y + 1) / (double)height);
    }
    rug_context_release(ctx, row);
    if (status == RUG_OK)
        return rug_image_writer_commit(ctx, writer);
    rug_image_writer_discard(writer);
    return status;
}

static const rugi_picture tiff = {{NULL, NULL}, rugi_tiff_load, NULL, write_tiff};

/* One ending. */
typedef struct picture_format {
    const char *ending;
    const rugi_picture *own; /* NULL: by libvips */
    const char *saver;       /* of libvips */
    const char *options;     /* behind the ending */
    int bits_max;
    int n_planes; /* 0: any */
    int has_alpha;
    int has_notes;
} picture_format;

/* JPEG so that its loss is small beside that of a codec. */
static const picture_format formats[] = {
    {".png", &rugi_png, NULL, NULL, 16, 0, 1, 1},
    {".tif", &tiff, NULL, NULL, 16, 0, 1, 1},
    {".tiff", &tiff, NULL, NULL, 16, 0, 1, 1},
    {".pgm", &rugi_pnm, NULL, NULL, 16, 1, 0, 0},
    {".ppm", &rugi_pnm, NULL, NULL, 16, 3, 0, 0},
    {".pnm", &rugi_pnm, NULL, NULL, 16, 0, 0, 0},
    {".jpg", NULL, "jpegsave", ".jpg[Q=95,subsample-mode=off]", 8, 0, 0, 1},
    {".jpeg", NULL, "jpegsave", ".jpg[Q=95,subsample-mode=off]", 8, 0, 0, 1},
    {".webp", NULL, "webpsave", ".webp[lossless]", 8, 0, 0, 1},
};

static rug_status find_format(rug_context *ctx, const picture_format **out,
                              const char *path)
{
    const char *dot = strrchr(path, '.');
    const size_t n = sizeof formats / sizeof formats[0];
    for (size_t i = 0; i < n && dot != NULL; i++)
        if (strcasecmp(dot, formats[i].ending) == 0) {
            *out = &formats[i];
            return RUG_OK;
        }
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "%s: a name that ends in .png, .tif, .tiff, .pgm, .ppm, .pnm, "
        ".jpg, .jpeg or .webp expected",
        path);
}

/* Fails when what writes a format is not there. */
static rug_status check_writer(rug_context *ctx, const char *path,
                               const picture_format *format)
{
    if (format->own != NULL)
        return format->own->load != NULL ? format->own->load(ctx, path) : RUG_OK;
    rug_status status = rugi_vips_start(ctx, path);
    if (status == RUG_OK && rugi_vips.vips_type_find("VipsOperation", format->saver) == 0)
        return rug_context_fail(ctx, RUG_E_UNSUPPORTED,
                                "%s: the installed libvips writes no %s files; use .png "
                                "or .tif",
                                path, format->ending);
    return status;
}

rug_status rug_picture_check_name(rug_context *ctx, const char *path)
{
    const picture_format *format = NULL;
    if (ctx == NULL || path == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_picture_check_name: NULL given");
    rug_status status = find_format(ctx, &format, path);
    return status == RUG_OK ? check_writer(ctx, path, format) : status;
}

static rug_status check_planes(rug_context *ctx, const char *path,
                               const rug_image *planes, int n_planes)
{
    if (planes == NULL || n_planes < 1 || n_planes > PLANES_MAX)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "cannot write %s: %d planes given, 1 to %d expected",
                                path, planes == NULL ? 0 : n_planes, PLANES_MAX);
    for (int i = 0; i < n_planes; i++) {
        const rug_image *p = &planes[i];
        if (p->data == NULL || p->ndim != 2 || p->dtype != planes[0].dtype ||
            (p->dtype != RUG_U8 && p->dtype != RUG_U16) ||
            p->shape[0] != planes[0].shape[0] || p->shape[1] != planes[0].shape[1])
            return rug_context_fail(
                ctx, RUG_E_ARG,
                "cannot write %s: planes of one shape [ny][nx] of u8 or u16 expected",
                path);
        for (int a = 0; a < 2; a++)
            if (p->shape[a] < 1 || p->shape[a] > VIPS_MAX_COORD)
                return rug_context_fail(
                    ctx, RUG_E_ARG,
                    "cannot write %s: a side of %zu pixels given, 1 to "
                    "%d expected",
                    path, p->shape[a], VIPS_MAX_COORD);
    }
    return RUG_OK;
}

static rug_status check_format(rug_context *ctx, const char *path,
                               const picture_format *format, const rug_image *plane,
                               int n_planes)
{
    int bits = 8 * (int)rug_dtype_size(plane->dtype);
    if (bits > format->bits_max)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "cannot write %s: a pixel has %d bits, %s files hold %d; "
                                "use .png or .tif",
                                path, bits, format->ending, format->bits_max);
    if (n_planes % 2 == 0 && !format->has_alpha)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "cannot write %s: the picture has alpha, which %s files do "
            "not hold; use .png or .tif",
            path, format->ending);
    if (format->n_planes != 0 && format->n_planes != n_planes)
        return rug_context_fail(ctx, RUG_E_ARG,
                                "cannot write %s: the picture is %s; use .pnm, .png or "
                                ".tif",
                                path, n_planes == 1 ? "grey" : "in colours");
    return RUG_OK;
}

/* ---- What goes with the picture ---- */

/* Of a profile: where it says what its colours are, in four letters. */
#define PROFILE_SPACE 16

static int is_size(double v)
{
    return isfinite(v) && v >= 0;
}

static rug_status check_notes(rug_context *ctx, const char *path, const rug_file_notes *n)
{
    int is_profile = (n->icc == NULL) == (n->icc_size == 0);
    if (is_profile && n->icc_size <= RUG_FILE_PROFILE_MAX && n->orientation >= 0 &&
        n->orientation <= 8 && is_size(n->spacing[0]) && is_size(n->spacing[1]))
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "cannot write %s: a profile of %zu bytes at %s, orientation %d and pixels of %g x %g "
        "given; at most %zu bytes or NULL, 0 to 8, and sizes from 0 on expected",
        path, n->icc_size, n->icc != NULL ? "an address" : "NULL", n->orientation,
        n->spacing[0], n->spacing[1], RUG_FILE_PROFILE_MAX);
}

/* Whether a profile is one of other colours than those of the planes. Others, such as links between
 * devices, may be right. */
static int is_of_others(const rug_file_notes *notes, int n_planes)
{
    const char *others = n_planes >= 3 ? "GRAY" : "RGB ";
    return notes->icc_size >= PROFILE_SPACE + 4 &&
           memcmp(notes->icc + PROFILE_SPACE, others, 4) == 0;
}

/* Leaves out what the format cannot say, which it warns of. */
static void fit_notes(rug_context *ctx, rug_file_notes *own, const char *path,
                      const picture_format *format, int n_planes)
{
    uint8_t phys[RUGI_PNG_PHYS_BYTES];
    int has_spacing = own->spacing[0] > 0 && own->spacing[1] > 0;
    if (!format->has_notes && (own->icc_size > 0 || own->orientation > 1 || has_spacing))
        rug_context_warn(
            ctx,
            "%s: %s files hold no colour profile, orientation or distance of pixels: what is "
            "known of these is left out; use .png or .tif",
            path, format->ending);
    else if (is_of_others(own, n_planes)) {
        rug_context_warn(ctx, "%s: the colour profile is left out: it is one of %s", path,
                         n_planes >= 3 ? "grey" : "colours");
        own->icc = NULL;
        own->icc_size = 0;
    }
    if (format->has_notes && has_spacing && own->unit != NULL &&
        !(rugi_mm_of(own->unit) > 0)) {
        rug_context_warn(
            ctx,
            "%s: the distance of pixels is left out: its unit is %s; nm, um, "
            "mm, m or in expected",
            path, own->unit);
        own->spacing[0] = own->spacing[1] = 0;
    }
    if (format->has_notes && format->own == NULL && has_spacing && own->unit == NULL &&
        (own->spacing[0] < own->spacing[1] || own->spacing[0] > own->spacing[1]))
        rug_context_warn(
            ctx,
            "%s: the shape of pixels, %g x %g without a unit, is left out; use .png or .tif",
            path, own->spacing[0], own->spacing[1]);
    if (format->own == &rugi_png && has_spacing && own->spacing[0] > 0 &&
        !rugi_png_make_phys(phys, own))
        rug_context_warn(
            ctx,
            "%s: the distance of pixels is left out: %g x %g %s are more than "
            "PNG can say, which has pixels of 0.5 nm to 1 m",
            path, own->spacing[0], own->spacing[1], own->unit != NULL ? own->unit : "");
    if (n_planes % 2 == 0 && own->alpha == RUG_ALPHA_PREMULTIPLIED &&
        format->own != &tiff)
        rug_context_warn(
            ctx,
            "%s: the colours are multiplied by alpha, which only a TIFF file "
            "can say; readers will take them as they are",
            path);
}

/* Gives an image of libvips what goes with it. */
static void set_notes(VipsImage *image, const rug_file_notes *notes)
{
    if (notes->icc_size > 0)
        rugi_vips.vips_image_set_blob_copy(image, "icc-profile-data", notes->icc,
                                           notes->icc_size);
    if (notes->orientation > 1)
        rugi_vips.vips_image_set_int(image, "orientation", notes->orientation);
    if (notes->unit != NULL)
        rugi_vips.vips_image_set_string(image, "resolution-unit",
                                        strcmp(notes->unit, "in") == 0 ? "in" : "cm");
}

/* Pixels of a millimetre along an axis; 1, as libvips has it, where that is not known. */
static double resolution(const rug_file_notes *notes, int axis)
{
    if (notes == NULL || notes->unit == NULL || !(notes->spacing[axis] > 0))
        return 1;
    return 1 / (notes->spacing[axis] * rugi_mm_of(notes->unit));
}

/* ---- By libvips ---- */

/* What the progress signal works with, on the calling thread. */
typedef struct watch {
    rug_context *ctx;
    rug_status status;
} watch;

static void on_progress(VipsImage *image, VipsProgress *progress, watch *w)
{
    double share =
        (double)progress->npels / (double)(progress->tpels > 0 ? progress->tpels : 1);
    if (w->status == RUG_OK)
        w->status = rug_context_step(w->ctx, share < 1 ? share : 1);
    if (w->status != RUG_OK)
        rugi_vips.vips_image_set_kill(image, TRUE);
}

static rug_status fail_encoding(rug_context *ctx, const char *path)
{
    char text[RUGI_VIPS_TEXT_MAX];
    rugi_vips_take_error(text, "libvips failed");
    return rug_context_fail(ctx, RUG_E_IO, "cannot write %s: %s", path, text);
}

/* Encodes in memory. @param out  to be freed with rugi_vips.vips_area_unref() */
static rug_status encode(rug_context *ctx, const char *path, const char *options,
                         VipsImage *image, VipsBlob **out)
{
    watch w = {ctx, RUG_OK};
    VipsTarget *target = rugi_vips.vips_target_new_to_memory();
    if (target == NULL)
        return fail_encoding(ctx, path);
    unsigned hush = rugi_vips_hush();
    rugi_vips.vips_image_set_progress(image, TRUE);
    gulong handler = rugi_vips_connect(image, "eval", G_CALLBACK(on_progress), &w);
    int failed = rugi_vips.vips_image_write_to_target(image, options, target, NULL) != 0;
    rugi_vips.g_signal_handler_disconnect(image, handler);
    rugi_vips_unhush(hush);
    rug_status status = w.status;
    if (status == RUG_OK)
        status = failed
                     ? fail_encoding(ctx, path)
                     : rug_context_step(ctx, 1); /* libvips is silent when it is fast */
    if (status == RUG_OK)
        rugi_vips.g_object_get(target, "blob", out, NULL);
    if (status == RUG_OK && *out == NULL)
        status = fail_encoding(ctx, path);
    rugi_vips.vips_error_clear();
    rugi_vips_release(target);
    return status;
}

static rug_status write_pixels(rug_context *ctx, const char *path, const char *options,
                               const unsigned char *pixels, const rug_image *plane,
                               int n_planes, const rug_file_notes *notes)
{
    static const VipsInterpretation meaning[2][2] = {
        {VIPS_INTERPRETATION_B_W, VIPS_INTERPRETATION_GREY16},
        {VIPS_INTERPRETATION_sRGB, VIPS_INTERPRETATION_RGB16}};
    int is_wide = plane->dtype == RUG_U16;
    size_t n_bytes = plane->shape[0] * plane->shape[1] * (size_t)n_planes *
                     rug_dtype_size(plane->dtype);
    VipsImage *raw = rugi_vips.vips_image_new_from_memory(
        pixels, n_bytes, (int)plane->shape[1], (int)plane->shape[0], n_planes,
        is_wide ? VIPS_FORMAT_USHORT : VIPS_FORMAT_UCHAR);
    VipsImage *image = NULL;
    VipsBlob *blob = NULL;
    size_t n = 0;
    if (raw == NULL ||
        rugi_vips.vips_copy(raw, &image, "interpretation",
                            meaning[n_planes >= 3][is_wide], "xres", resolution(notes, 1),
                            "yres", resolution(notes, 0), NULL) != 0) {
        rugi_vips_release(raw);
        return fail_encoding(ctx, path);
    }
    if (notes != NULL)
        set_notes(image, notes);
    rug_status status = encode(ctx, path, options, image, &blob);
    rugi_vips_release(image);
    rugi_vips_release(raw);
    if (status != RUG_OK)
        return status;
    const uint8_t *bytes = rugi_vips.vips_blob_get(blob, &n);
    status = rug_bytes_write(ctx, path, bytes, n);
    rugi_vips.vips_area_unref((VipsArea *)blob);
    return status;
}

/* Writes by libvips. */
static rug_status write_vips(rug_context *ctx, const char *path,
                             const picture_format *format, const rug_image *planes,
                             int n_planes, const rug_file_notes *notes)
{
    size_t height = planes->shape[0];
    size_t pitch = planes->shape[1] * (size_t)n_planes * rug_dtype_size(planes->dtype);
    unsigned char *pixels = rug_context_allocate(ctx, height, pitch, path);
    if (pixels == NULL)
        return RUG_E_NOMEM;
    for (size_t y = 0; y < height; y++)
        rugi_weave_row(pixels + y * pitch, planes, n_planes, y);
    rug_status status =
        write_pixels(ctx, path, format->options, pixels, planes, n_planes, notes);
    rug_context_release(ctx, pixels);
    return status;
}

/* Writes by a writer of our own. */
static rug_status write_own(rug_context *ctx, const char *path, const rugi_picture *own,
                            const rug_image *planes, int n_planes,
                            const rug_file_notes *notes)
{
    rugi_output *output;
    if (own->write_file != NULL)
        return own->write_file(ctx, path, planes, n_planes, notes);
    rug_status status = rugi_output_open(ctx, &output, path);
    if (status == RUG_OK)
        status =
            own->write(ctx, path, rugi_output_stream(output), planes, n_planes, notes, 0);
    if (status == RUG_OK)
        return rugi_output_commit(ctx, output);
    rugi_output_discard(output);
    return status;
}

/* @param notes  with defaults; changed */
static rug_status write_picture(rug_context *ctx, const char *path,
                                const rug_image *planes, int n_planes,
                                rug_file_notes *notes)
{
    const picture_format *format = NULL;
    rug_status status = rug_picture_check_name(ctx, path);
    if (status == RUG_OK)
        status = find_format(ctx, &format, path);
    if (status == RUG_OK)
        status = check_planes(ctx, path, planes, n_planes);
    if (status == RUG_OK)
        status = check_format(ctx, path, format, planes, n_planes);
    if (status != RUG_OK)
        return status;
    fit_notes(ctx, notes, path, format, n_planes);
    if (format->own != NULL)
        return write_own(ctx, path, format->own, planes, n_planes, notes);
    return write_vips(ctx, path, format, planes, n_planes, notes);
}

rug_status rug_picture_write(rug_context *ctx, const char *path, const rug_image *planes,
                             int n_planes)
{
    rug_file_notes none = RUG_FILE_NOTES_INIT;
    return write_picture(ctx, path, planes, n_planes, &none);
}

rug_status rug_picture_write_notes(rug_context *ctx, const char *path,
                                   const rug_image *planes, int n_planes,
                                   const rug_file_notes *notes)
{
    rug_file_notes own = RUG_FILE_NOTES_INIT;
    rug_status status = RUGI_TAKE(ctx, &own, notes, "rug_file_notes");
    if (status == RUG_OK)
        status = check_notes(ctx, path != NULL ? path : "a picture", &own);
    return status == RUG_OK ? write_picture(ctx, path, planes, n_planes, &own) : status;
}

/* Moves bytes to where the caller releases them. */
static rug_status take_bytes(rug_context *ctx, uint8_t **out, size_t *n,
                             const char *bytes, size_t n_bytes)
{
    *out = rug_context_allocate(ctx, n_bytes, 1, "a PNG file in memory");
    if (*out == NULL)
        return RUG_E_NOMEM;
    memcpy(*out, bytes, n_bytes);
    *n = n_bytes;
    return RUG_OK;
}

rug_status rug_picture_encode_png(rug_context *ctx, uint8_t **out, size_t *n,
                                  const rug_image *planes, int n_planes)
{
    static const char name[] = "a PNG file in memory";
    char *bytes = NULL;
    size_t n_bytes = 0;
    if (ctx == NULL || out == NULL || n == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "rug_picture_encode_png: NULL given");
    *out = NULL;
    *n = 0;
    rug_status status = check_planes(ctx, name, planes, n_planes);
    if (status != RUG_OK)
        return status;
    FILE *stream = open_memstream(&bytes, &n_bytes);
    if (stream == NULL)
        return rug_context_fail(ctx, RUG_E_NOMEM, "no memory for %s", name);
    status = rugi_png.write(ctx, name, stream, planes, n_planes, NULL, 1);
    if (!rugi_close_text(stream, &bytes) && status == RUG_OK)
        status = rug_context_fail(ctx, RUG_E_NOMEM, "no memory for %s", name);
    if (status == RUG_OK)
        status = take_bytes(ctx, out, n, bytes, n_bytes);
    free(bytes);
    return status;
}
