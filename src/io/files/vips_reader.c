/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Opens what libvips reads of a written list of formats: one page of a flat image, or one level of a whole slide. A TIFF
 * file that is no slide after all goes to the reader of TIFF. It is the last row of the format table: it
 * claims everything, and names the known formats when no reader knows a file. */

#include "io/base/file_notes.h"
#include "io/base/text.h"
#include "io/tiff/tiff_reader.h"
#include "io/vips/vips_library.h"
#include "io/vips/vips_pixels.h"
#include "strangers.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What libvips calls a colour profile. */
#define PROFILE "icc-profile-data"

/* ---- The loader ---- */

/** The beginning of a format, and its loader. */
typedef struct known {
    rugi_magic magic;
    const char *loader;
} known;

/** The formats that libvips decodes, each known by its first bytes. No other loader is ever asked:
 * some take any bytes for an image, or the small picture in a file for the file. */
static const known loaders[] = {
    {{"\xff\xd8\xff", 3, 0}, "jpegload"},
    {{"GIF87a", 6, 0}, "gifload"},
    {{"GIF89a", 6, 0}, "gifload"},
    {{"WEBP", 4, 8}, "webpload"},
    {{"II*\0", 4, 0}, "tiffload"}, /* which is not asked: see open_known() */
    {{"MM\0*", 4, 0}, "tiffload"},
    {{"II+\0", 4, 0}, "tiffload"},
    {{"MM\0+", 4, 0}, "tiffload"},
    {{"\0\0\0\x0cjP  \r\n\x87\n", 12, 0}, "jp2kload"},
    {{"\xff\x4f\xff\x51", 4, 0}, "jp2kload"},
    {{"\0\0\0\x0cJXL \r\n\x87\n", 12, 0}, "jxlload"},
    {{"\xff\x0a", 2, 0}, "jxlload"},
    {{"ftypheic", 8, 4}, "heifload"},
    {{"ftypheix", 8, 4}, "heifload"},
    {{"ftypmif1", 8, 4}, "heifload"},
    {{"ftypavif", 8, 4}, "heifload"},
    {{"\x76\x2f\x31\x01", 4, 0}, "openexrload"},
    {{"SIMPLE  =", 9, 0}, "fitsload"},
    {{"#?RADIANCE", 10, 0}, "radload"}};

/** The loader of the first row whose bytes a file has, or NULL. */
static const char *find_known(const rug_file *file)
{
    for (size_t i = 0; i < sizeof loaders / sizeof loaders[0]; i++)
        if (rugi_has_magic(file, &loaders[i].magic))
            return loaders[i].loader;
    return NULL;
}

/** Nonzero for the small picture that stands for a MIRAX slide: a JPEG file. */
static int is_mirax(const char *path)
{
    size_t n = strlen(path);
    return n >= 5 && rugi_same_letters(path + n - 5, ".mrxs", 6);
}

static int is_slide(const rug_file *file)
{
    int answer = rugi_vips.vips_foreign_is_a("openslideload", file->path);
    rugi_vips.vips_error_clear();
    return answer;
}

/* The loader whose format the content has, whatever the file's name.
 * @return static text such as "gifload", or NULL */
static const char *find_loader(const rug_file *file)
{
    const char *loader = find_known(file);
    int stands_for_slide = is_mirax(file->path);
    int may_be_slide =
        loader == NULL || strcmp(loader, "tiffload") == 0 || stands_for_slide;
    if (may_be_slide && is_slide(file))
        return "openslideload";
    return stands_for_slide ? NULL : loader;
}

/* ---- The reader ---- */

/** Everything; first bytes that are known for sure. */
static int claims(const rug_file *file)
{
    return find_known(file) != NULL ? 1 : -1;
}

/** "gifload" → "gif". Static text. */
static const char *format_name(const char *loader)
{
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)(strlen(loader) - strlen("load")), loader);
    return rugi_vips.g_intern_string(name);
}

/** A text that libvips keeps with an image, or NULL. */
static const char *image_text(VipsImage *image, const char *name)
{
    const char *text;
    if (rugi_vips.vips_image_get_typeof(image, name) == 0 ||
        rugi_vips.vips_image_get_string(image, name, &text) != 0)
        return NULL;
    return text;
}

static double image_number(VipsImage *image, const char *name)
{
    const char *text = image_text(image, name);
    return text != NULL ? rugi_leading_real(text) : 0;
}

/** What libvips calls the pages of JPEG 2000 are its resolutions. */
static int pages_are_levels(const rug_file *file)
{
    return strcmp(file->facts.format, "jp2k") == 0;
}

/** Fills the facts about pages and levels, and checks what is asked. */
static rug_status check_parts(rug_context *ctx, rug_file *file, VipsImage *image,
                              const rug_read_options *opts)
{
    double n_levels = image_number(image, "openslide.level-count");
    file->facts.n_pages = rugi_vips.vips_image_get_n_pages(image);
    file->facts.n_levels = n_levels >= 1 && n_levels <= INT_MAX ? (int)n_levels : 1;
    if (pages_are_levels(file)) {
        file->facts.n_levels = file->facts.n_pages;
        file->facts.n_pages = 1;
    }
    file->facts.page = opts->page > 0 ? opts->page : 0;
    file->facts.level = opts->level;
    rug_status status = rugi_check_page(ctx, file, opts->page);
    return status == RUG_OK ? rugi_check_level(ctx, file, opts->level) : status;
}

/** Opens the page or level that is asked.
 *  @param part  its loader is given, all else is found */
static rug_status open_part(rug_context *ctx, rug_file *file,
                            const rug_read_options *opts, rugi_vips_part *part,
                            VipsImage **image)
{
    rug_status status = rugi_vips_open(ctx, file, part, image);
    if (status == RUG_OK)
        status = check_parts(ctx, file, *image, opts);
    if (status == RUG_OK && (opts->page > 0 || opts->level > 0)) {
        rugi_vips_release(*image);
        *image = NULL;
        part->page = pages_are_levels(file) ? opts->level : opts->page;
        part->level = pages_are_levels(file) ? 0 : opts->level;
        status = rugi_vips_open(ctx, file, part, image);
    }
    return status;
}

/** Micrometres per pixel of a whole slide; coarser levels have larger pixels. */
static void set_spacing(rug_file *file, VipsImage *image)
{
    double spacing[3] = {0, image_number(image, "openslide.mpp-y"),
                         image_number(image, "openslide.mpp-x")};
    const rug_image plane = rug_file_plane(file, 0);
    double height = image_number(image, "openslide.level[0].height");
    double width = image_number(image, "openslide.level[0].width");
    spacing[1] *= height / (double)plane.shape[0];
    spacing[2] *= width / (double)plane.shape[1];
    rugi_file_set_spacing(file, spacing + 3 - file->image.ndim, "um");
}

/* What EXIF says. Decoders of HEIF and JPEG XL have turned their pixels already. */
static void note_orientation(rug_file *file, VipsImage *image)
{
    int orientation = 1;
    if (strcmp(file->facts.format, "jpeg") != 0 &&
        strcmp(file->facts.format, "webp") != 0)
        return;
    if (rugi_vips.vips_image_get_typeof(image, "orientation") == G_TYPE_INT)
        rugi_vips.vips_image_get_int(image, "orientation", &orientation);
    rugi_file_set_orientation(file, orientation);
}

/** A number that EXIF has as "150000/1000 (150.000, ...)"; 0: it is not there. */
static double exif_number(VipsImage *image, const char *name)
{
    const char *text = image_text(image, name), *slash;
    if (text == NULL)
        return 0;
    slash = strchr(text, '/');
    double below = slash != NULL ? rugi_leading_real(slash + 1) : 1;
    return below > 0 ? rugi_leading_real(text) / below : 0;
}

/** The resolution that EXIF states, or libvips has found elsewhere, in pixels of a millimetre. Where it has
 *  found none it says 1, which it writes into EXIF as 25.4 of an inch; of two that differ without a unit
 *  only the ratio is known. */
static void note_resolution(rug_file *file, VipsImage *image)
{
    double x = exif_number(image, "exif-ifd0-XResolution");
    double y = exif_number(image, "exif-ifd0-YResolution");
    const char *unit = image_text(image, "resolution-unit");
    if (x > 0 && y > 0) {
        int is_cm = exif_number(image, "exif-ifd0-ResolutionUnit") > 2;
        int is_default = !is_cm && fabs(x - 25.4) < 1e-3 && fabs(y - 25.4) < 1e-3;
        if (is_default)
            return;
        rugi_note_resolution(file, y / (is_cm ? 10 : 1), x / (is_cm ? 10 : 1),
                             is_cm ? "mm" : "in");
        return;
    }
    x = rugi_vips.vips_image_get_xres(image);
    y = rugi_vips.vips_image_get_yres(image);
    if (unit != NULL && strcmp(unit, "in") == 0)
        rugi_note_resolution(file, y * rugi_mm_of("in"), x * rugi_mm_of("in"), "in");
    else if (unit != NULL)
        rugi_note_resolution(file, y, x, "mm");
    else if (x < y || x > y)
        rugi_note_resolution(file, y, x, NULL);
}

/** Notes what goes with the pixels, where it is wanted. */
static rug_status note_rest(rug_context *ctx, rug_file *file, VipsImage *image)
{
    const void *profile = NULL;
    size_t n = 0;
    if (!file->wants_notes)
        return RUG_OK;
    note_resolution(file, image);
    if (rugi_vips.vips_image_get_typeof(image, PROFILE) == 0 ||
        rugi_vips.vips_image_get_blob(image, PROFILE, &profile, &n) != 0)
        return RUG_OK;
    return rugi_keep_profile(ctx, file, profile, n);
}

/** Where bytes stand in the head of a file; NULL: nowhere, or fewer than `more` follow. */
static const unsigned char *find_in_head(const rug_file *file, const char *bytes,
                                         size_t n, size_t more)
{
    for (size_t i = 0; i + n + more <= file->n_head; i++)
        if (memcmp(file->head + i, bytes, n) == 0)
            return file->head + i;
    return NULL;
}

/** What is lossy about a file: its format; of WebP a chunk of that kind; of JPEG 2000 the wavelets of
 * real numbers that its COD marker (ISO 15444-1, A.6.1) names. */
static const char *lossy_name(const rug_file *file)
{
    enum { COD_WAVELET = 13 };
    const unsigned char *cod;
    if (strcmp(file->facts.format, "jpeg") == 0)
        return "JPEG";
    if (strcmp(file->facts.format, "webp") == 0)
        return find_in_head(file, "VP8 ", 4, 0) != NULL ? "WebP" : NULL;
    if (strcmp(file->facts.format, "jp2k") != 0)
        return NULL;
    cod = find_in_head(file, "\xff\x52\0", 3, COD_WAVELET);
    return cod != NULL && cod[COD_WAVELET] == 0 ? "JPEG 2000" : NULL;
}

static rug_status read_flat(rug_context *ctx, rug_file *file, void *to, size_t first,
                            size_t n)
{
    rug_status status = rugi_vips_start(ctx, file->path);
    if (status != RUG_OK)
        return status;
    unsigned hush = rugi_vips_hush();
    status = rugi_pixels_read_layers(ctx, file, file->slabs.state, to, first, n);
    rugi_vips_unhush(hush);
    return status;
}

static void close_flat(rug_context *ctx, void *state)
{
    rugi_pixels_close(state);
    rug_context_release(ctx, state);
}

static rug_status open_flat(rug_context *ctx, rug_file *file, const char *loader,
                            const rug_read_options *opts)
{
    rugi_pixels *pixels = rug_context_allocate(ctx, 1, sizeof *pixels, file->path);
    if (pixels == NULL)
        return RUG_E_NOMEM;
    *pixels = (rugi_pixels){.part = {loader, 0, 1, 0, -1}};
    file->slabs = (rugi_slabs){.read = read_flat, .close = close_flat, .state = pixels};
    rug_status status = open_part(ctx, file, opts, &pixels->part, &pixels->image);
    if (status == RUG_OK)
        status = rugi_pixels_begin(ctx, file, pixels, -1, rugi_asked_channel(opts));
    if (status != RUG_OK)
        return status;
    status = rugi_bands_set_image(ctx, file, &pixels->bands, (size_t)pixels->height,
                                  (size_t)pixels->width);
    if (status != RUG_OK)
        return status;
    set_spacing(file, pixels->image);
    note_orientation(file, pixels->image);
    file->facts.lossy = lossy_name(file);
    return note_rest(ctx, file, pixels->image);
}

/** Says what a file is, if that is known, and what to convert it to. */
static rug_status refuse(rug_context *ctx, const rug_file *file)
{
    const rugi_stranger *stranger = rugi_find_stranger(file);
    if (stranger != NULL)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: cannot be read: it looks like %s; %s", file->path,
                                stranger->name, stranger->advice);
    return rug_context_fail(
        ctx, RUG_E_FORMAT,
        "%s: is not an image that rugose can read ('rugose version' lists the formats): "
        "convert a picture to PNG or TIFF, a volume to NIfTI or npy%s",
        file->path,
        rugi_path_is_points(file->path)
            ? "; its ending suggests points, which only commands "
              "that take points read"
            : "");
}

static rug_status open_known(rug_context *ctx, rug_file *file,
                             const rug_read_options *opts)
{
    const char *loader = find_loader(file);
    if (loader == NULL)
        return refuse(ctx, file);
    if (rugi_vips.vips_type_find("VipsForeignLoad", loader) == 0)
        return rug_context_fail(
            ctx, RUG_E_UNSUPPORTED,
            "%s: the installed libvips has no %s, which reads such files: "
            "install a libvips that has it, or convert the file to TIFF",
            file->path, loader);
    file->facts.format = format_name(loader);
    if (strcmp(loader, "tiffload") == 0)
        return rugi_open_tiff(ctx, file, opts);
    if (opts->volume)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: a %s file holds no volume; TIFF (its pages), NIfTI and npy do",
            file->path, file->facts.format);
    return open_flat(ctx, file, loader, opts);
}

static rug_status open_vips(rug_context *ctx, rug_file *file,
                            const rug_read_options *opts)
{
    rug_status status = rugi_vips_start(ctx, file->path);
    int is_strange = find_known(file) == NULL && rugi_find_stranger(file) != NULL;
    if (status != RUG_OK) /* the library would not help */
        return is_strange ? refuse(ctx, file) : status;
    unsigned hush = rugi_vips_hush();
    status = open_known(ctx, file, opts);
    rugi_vips_unhush(hush);
    return status;
}

const rugi_reader rugi_vips_reader = {claims, open_vips};
