/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Opens whatever else libvips reads: one page of a flat image, or one level of a whole slide. TIFF
 * files go to their own reader. It is the last row of the format table: it claims everything,
 * and names the known formats when no reader knows a file. */

#include "io/base/reader.h"
#include "io/base/text.h"
#include "io/tiff/tiff_reader.h"
#include "io/vips/vips_library.h"
#include "io/vips/vips_pixels.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Whether a PNM file is whole ----
 *
 * Samples are counted before libvips reads them: it silently takes missing ones of text and of
 * one-bit files for 0 (checked with 8.14). Their values are not checked. */

/** What the header says. */
typedef struct pnm_header {
    char kind; /* '1' to '6', 'f', 'F' */
    uint64_t width;
    uint64_t height;
    uint64_t max; /* largest value; 1 where the kind has none */
    uint64_t n_bands;
} pnm_header;

static int is_blank(int c)
{
    return c > 0 && strchr(RUGI_BLANKS, c) != NULL;
}

/** Takes a word after blanks and comments, and the one character behind it.
 *  @return nonzero when there is a word that fits */
static int take_word(FILE *in, char *word, size_t size)
{
    int c = getc(in);
    size_t n = 0;
    while (c == '#' || is_blank(c)) {
        while (c == '#' && (c = getc(in)) != EOF && c != '\n')
            c = '#';
        c = getc(in);
    }
    for (; c != EOF && !is_blank(c) && n + 1 < size; c = getc(in))
        word[n++] = (char)c;
    word[n] = '\0';
    return n > 0 && (c == EOF || is_blank(c));
}

static int take_number(FILE *in, uint64_t *number)
{
    char word[16];
    if (!take_word(in, word, sizeof word) || word[strspn(word, "0123456789")] != '\0')
        return 0;
    *number = strtoull(word, NULL, 10);
    return *number >= 1 && *number <= UINT32_MAX;
}

static int take_header(FILE *in, pnm_header *h)
{
    char scale[32];
    if (getc(in) != 'P')
        return 0;
    h->kind = (char)getc(in);
    h->max = 1;
    h->n_bands = h->kind == '3' || h->kind == '6' || h->kind == 'F' ? 3 : 1;
    if (!take_number(in, &h->width) || !take_number(in, &h->height))
        return 0;
    if (h->kind == 'f' || h->kind == 'F')
        return take_word(in, scale, sizeof scale);
    return h->kind == '1' || h->kind == '4' || take_number(in, &h->max);
}

/** How many bytes (of binary kinds) or numbers (of text kinds) the header asks for. */
static int count_needed(const pnm_header *h, uint64_t *needed)
{
    uint64_t row = h->width * h->n_bands;
    if (h->kind == '4')
        row = (h->width + 7) / 8;
    else if (h->kind == 'f' || h->kind == 'F')
        row *= 4;
    else if (h->kind >= '5')
        row *= h->max > 65535 ? 4 : h->max > 255 ? 2 : 1;
    return rugi_multiply(needed, row, h->height);
}

/** How many numbers follow, as far as they are needed. */
static uint64_t count_numbers(FILE *in, uint64_t needed)
{
    char word[32];
    uint64_t n = 0;
    while (n < needed && take_word(in, word, sizeof word))
        n++;
    return n;
}

static rug_status check_stream(rug_context *ctx, const rug_file *file, FILE *in)
{
    pnm_header h;
    uint64_t needed;
    if (!take_header(in, &h) || !count_needed(&h, &needed))
        return rug_context_fail(
            ctx, RUG_E_FORMAT,
            "%s: the PNM header is invalid: width, height and largest "
            "value of 1 or more expected",
            file->path);
    int is_text = h.kind >= '1' && h.kind <= '3';
    uint64_t there =
        is_text ? count_numbers(in, needed) : file->n_bytes - (uint64_t)ftell(in);
    if (there < needed)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: cut off: %" PRIu64 " of %" PRIu64
                                " %s of pixels are there",
                                file->path, there, needed, is_text ? "numbers" : "bytes");
    return RUG_OK;
}

/* Checks the header of a PBM, PGM, PPM or PFM file, and that all its samples are there.
 *  @return RUG_OK, RUG_E_IO, RUG_E_FORMAT */
static rug_status check_pnm(rug_context *ctx, const rug_file *file)
{
    FILE *in = fopen(file->path, "rb");
    if (in == NULL)
        return rug_context_fail(ctx, RUG_E_IO, "%s: cannot be opened: %s", file->path,
                                strerror(errno));
    rug_status status = check_stream(ctx, file, in);
    fclose(in);
    return status;
}

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
    } sure[] = {{"II*\0", 4, 0, "tiffload"},  {"MM\0*", 4, 0, "tiffload"},
                {"II+\0", 4, 0, "tiffload"},  {"MM\0+", 4, 0, "tiffload"},
                {"\x89PNG", 4, 0, "pngload"}, {"\xff\xd8\xff", 3, 0, "jpegload"},
                {"GIF8", 4, 0, "gifload"},    {"WEBP", 4, 8, "webpload"}};
    for (size_t i = 0; i < sizeof sure / sizeof sure[0]; i++)
        if (file->n_head >= sure[i].at + sure[i].n &&
            memcmp(file->head + sure[i].at, sure[i].magic, sure[i].n) == 0)
            return sure[i].loader;
    return NULL;
}

/* The loader whose format the content has, whatever the file's name.
 * @return static text such as "pngload", or NULL */
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

/** "ppmload" → "pnm", "pngload" → "png". Static text. */
static const char *format_name(const char *loader)
{
    char name[32];
    if (strcmp(loader, "ppmload") == 0)
        return "pnm";
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

/** Fails when a PNG file is too short for its pixels, one bit each. */
static rug_status check_size(rug_context *ctx, const rug_file *file, VipsImage *image)
{
    uint64_t width = (uint64_t)rugi_vips.vips_image_get_width(image);
    uint64_t height = (uint64_t)rugi_vips.vips_image_get_height(image);
    if (strcmp(file->facts.format, "png") != 0 ||
        width * height / (8 * RUGI_DEFLATE_MAX) <= file->n_bytes)
        return RUG_OK;
    return rug_context_fail(ctx, RUG_E_FORMAT,
                            "%s: cut off: %" PRIu64 "x%" PRIu64
                            " pixels are more than a PNG file of "
                            "%" PRIu64 " bytes can hold",
                            file->path, height, width, file->n_bytes);
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
    rug_status status = RUG_OK;
    rugi_pixels *pixels = rug_context_allocate(ctx, 1, sizeof *pixels, file->path);
    if (pixels == NULL)
        return RUG_E_NOMEM;
    *pixels = (rugi_pixels){.part = {loader, 0, 1, 0, -1}};
    file->slabs = (rugi_slabs){.read = read_flat, .close = close_flat, .state = pixels};
    if (strcmp(file->facts.format, "pnm") == 0)
        status = check_pnm(ctx, file);
    if (status == RUG_OK)
        status = open_part(ctx, file, opts, &pixels->part, &pixels->image);
    if (status == RUG_OK)
        status = check_size(ctx, file, pixels->image);
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
