/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Opens whatever else libvips reads: one page of a flat image, or one level of a whole slide. A TIFF
 * file that is no slide after all goes to the reader of TIFF. It is the last row of the format table: it
 * claims everything, and names the known formats when no reader knows a file. */

#include "io/base/reader.h"
#include "io/base/text.h"
#include "io/tiff/tiff_reader.h"
#include "io/vips/vips_library.h"
#include "io/vips/vips_pixels.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ---- The loader ---- */

static int ends_in(const char *text, const char *ending)
{
    size_t n = strlen(text), n_ending = strlen(ending);
    return n >= n_ending && strcmp(text + n - n_ending, ending) == 0;
}

/** Loaders that would take tables for images, that show volumes as pages, or that map
 * files into memory. */
static int is_refused(const char *nickname)
{
    static const char *const refused[] = {"csvload",  "matrixload", "matload",
                                          "rawload",  "vipsload",   "analyzeload",
                                          "niftiload"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (strcmp(nickname, refused[i]) == 0)
            return 1;
    return ends_in(nickname, "_buffer") || ends_in(nickname, "_source");
}

/** Called for every loader in the order of priority; anything but NULL ends the walk. */
static void *try_loader(void *item, void *path, void *unused)
{
    VipsForeignLoadClass *loader = item;
    const char *nickname = ((VipsObjectClass *)item)->nickname;
    (void)unused;
    if (loader->is_a == NULL || is_refused(nickname) || !loader->is_a(path))
        return NULL;
    return loader;
}

/** The loader of the formats that must not fall to another one when they are damaged:
 * ImageMagick would read part of them, and scale their values. */
static const char *sure_loader(const rug_file *file)
{
    static const struct {
        const char *magic;
        size_t n;
        size_t at;
        const char *loader;
    } sure[] = {{"II*\0", 4, 0, "tiffload"},        {"MM\0*", 4, 0, "tiffload"},
                {"II+\0", 4, 0, "tiffload"},        {"MM\0+", 4, 0, "tiffload"},
                {"\xff\xd8\xff", 3, 0, "jpegload"}, {"GIF8", 4, 0, "gifload"},
                {"WEBP", 4, 8, "webpload"}};
    for (size_t i = 0; i < sizeof sure / sizeof sure[0]; i++)
        if (file->n_head >= sure[i].at + sure[i].n &&
            memcmp(file->head + sure[i].at, sure[i].magic, sure[i].n) == 0)
            return sure[i].loader;
    return NULL;
}

/* The loader whose format the content has, whatever the file's name.
 * @return static text such as "gifload", or NULL */
static const char *find_loader(const rug_file *file)
{
    const char *sure = sure_loader(file);
    if (sure != NULL && strcmp(sure, "tiffload") != 0)
        return sure;
    if (sure != NULL) { /* many slides are TIFF files */
        int is_slide = rugi_vips.vips_foreign_is_a("openslideload", file->path);
        rugi_vips.vips_error_clear();
        return is_slide ? "openslideload" : sure;
    }
    const VipsObjectClass *loader =
        rugi_vips.vips_foreign_map("VipsForeignLoad", try_loader, file->path, NULL);
    rugi_vips.vips_error_clear();
    return loader != NULL ? loader->nickname : NULL;
}

/* ---- The reader ---- */

static int claims(const rug_file *file)
{
    (void)file;
    return 1;
}

/** "gifload" → "gif". Static text. */
static const char *format_name(const char *loader)
{
    char name[32];
    snprintf(name, sizeof name, "%s", loader);
    if (ends_in(name, "load"))
        name[strlen(name) - 4] = '\0';
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
    if (status == RUG_OK)
        set_spacing(file, pixels->image);
    return status;
}

static rug_status open_known(rug_context *ctx, rug_file *file,
                             const rug_read_options *opts)
{
    /* Some loaders believe what a gzip file says of its unpacked size. */
    int is_gzip = file->n_head >= 2 && memcmp(file->head, "\x1f\x8b", 2) == 0;
    const char *loader = is_gzip ? NULL : find_loader(file);
    if (loader == NULL)
        return rug_context_fail(
            ctx, RUG_E_FORMAT,
            "%s: is not an image that rugose can read (TIFF, PNG, JPEG, "
            "PNM, GIF, WebP, whole slides and whatever else libvips reads, NIfTI, "
            "npy)%s",
            file->path,
            rugi_path_is_points(file->path) ? "; its ending suggests points, which "
                                              "only commands that take points read"
                                            : "");
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
    if (status != RUG_OK)
        return status;
    unsigned hush = rugi_vips_hush();
    status = open_known(ctx, file, opts);
    rugi_vips_unhush(hush);
    return status;
}

const rugi_reader rugi_vips_reader = {claims, open_vips};
