/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Makes pixels of bands strip by strip while libvips decodes, so that no second copy of the whole
 * is made. Which page or level is read is decided elsewhere. */

#include "vips_pixels.h"
#include <assert.h>
#include <string.h>

/** Bytes of pixels that are decoded at once for a slab, unless a row has more. */
#define STRIP_BYTES ((size_t)4 << 20)

/** Rows that are decoded at once for a slab at most. */
#define STRIP_ROWS 128

/** What taking strips needs. They come one after another, on any thread. */
typedef struct pull {
    const rugi_pixels *pixels;
    const rugi_rows *rows;
    int unequal; /* set once colours differed */
} pull;

/** What the progress signal works with, on the calling thread. */
typedef struct watch {
    rug_context *ctx;
    const rugi_rows *rows;
    rug_status status;
} watch;

static int find_dtype(VipsBandFormat format, rug_dtype *dtype)
{
    switch (format) {
    case VIPS_FORMAT_UCHAR: *dtype = RUG_U8; return 1;
    case VIPS_FORMAT_CHAR: *dtype = RUG_I8; return 1;
    case VIPS_FORMAT_USHORT: *dtype = RUG_U16; return 1;
    case VIPS_FORMAT_SHORT: *dtype = RUG_I16; return 1;
    case VIPS_FORMAT_UINT: *dtype = RUG_U32; return 1;
    case VIPS_FORMAT_INT: *dtype = RUG_I32; return 1;
    case VIPS_FORMAT_FLOAT: *dtype = RUG_F32; return 1;
    case VIPS_FORMAT_DOUBLE: *dtype = RUG_F64; return 1;
    default: return 0;
    }
}

/** Nonzero when the first three bands are red, green and blue. */
static int is_colour(const VipsImage *image)
{
    switch (rugi_vips.vips_image_get_interpretation(image)) {
    case VIPS_INTERPRETATION_sRGB:
    case VIPS_INTERPRETATION_RGB:
    case VIPS_INTERPRETATION_RGB16:
    case VIPS_INTERPRETATION_scRGB: return 1;
    default: return 0;
    }
}

rug_status rugi_pixels_begin(rug_context *ctx, rug_file *file, rugi_pixels *pixels,
                             int n_alpha, int channel)
{
    VipsImage *image = pixels->image;
    rugi_bands *bands = &pixels->bands;
    pixels->width = rugi_vips.vips_image_get_width(image);
    pixels->height = rugi_vips.vips_image_get_height(image);
    if (!find_dtype(rugi_vips.vips_image_get_format(image), &bands->dtype))
        return rug_context_fail(
            ctx, RUG_E_UNSUPPORTED,
            "%s: complex values have no order; store a magnitude or one part",
            file->path);
    bands->n = rugi_vips.vips_image_get_bands(image);
    if (n_alpha < 0)
        n_alpha = rugi_vips.vips_image_hasalpha(image) != 0;
    rug_status status =
        rugi_bands_choose(ctx, file, bands, n_alpha, is_colour(image), channel);
    rugi_bands_keep_alpha(file, bands, n_alpha, channel);
    if (n_alpha > 0 && file->notes.alpha == RUG_ALPHA_NONE)
        file->notes.alpha = RUG_ALPHA_STRAIGHT;
    return status;
}

rug_status rugi_pixels_open(rug_context *ctx, const rug_file *file, rugi_pixels *pixels)
{
    rug_dtype dtype = RUG_BIT;
    rugi_pixels_close(pixels);
    rug_status status = rugi_vips_open(ctx, file, &pixels->part, &pixels->image);
    if (status != RUG_OK)
        return status;
    VipsImage *image = pixels->image;
    if (find_dtype(rugi_vips.vips_image_get_format(image), &dtype) &&
        dtype == pixels->bands.dtype &&
        rugi_vips.vips_image_get_bands(image) == pixels->bands.n &&
        rugi_vips.vips_image_get_width(image) == pixels->width &&
        rugi_vips.vips_image_get_height(image) == pixels->height)
        return RUG_OK;
    rugi_pixels_close(pixels);
    return rug_context_fail(ctx, RUG_E_FORMAT,
                            "%s: %d rows of %d pixels of %s expected, but there are "
                            "others: the file has changed, or its pages differ",
                            file->path, pixels->height, pixels->width,
                            rug_dtype_name(pixels->bands.dtype));
}

void rugi_pixels_close(rugi_pixels *pixels)
{
    rugi_vips_release(pixels->image);
    pixels->image = NULL;
    pixels->next = 0;
}

/** Takes a strip of pixels; what libvips calls while it decodes. */
static int take_strip(VipsRegion *region, VipsRect *area, void *user)
{
    pull *p = user;
    const rugi_bands *bands = &p->pixels->bands;
    size_t size = rug_dtype_size(bands->dtype);
    size_t n = (size_t)area->width, width = (size_t)p->pixels->width;
    size_t row = (size_t)area->top - p->rows->top;
    unsigned char *to = p->rows->to + (row * width + (size_t)area->left) * size;
    ptrdiff_t pitch = (ptrdiff_t)VIPS_REGION_LSKIP(region);
    const unsigned char *from =
        VIPS_REGION_ADDR_TOPLEFT(region) + (area->top - region->valid.top) * pitch +
        (area->left - region->valid.left) * bands->n * (ptrdiff_t)size;
    for (int y = 0; y < area->height; y++, from += pitch, to += width * size)
        if (rugi_bands_take(bands, to, from, n, p->rows->n * width * size))
            p->unequal = 1;
    return 0;
}

/** Reports progress. @param share  of these rows */
static void report(watch *w, double share)
{
    const rugi_rows *rows = w->rows;
    share = rows->share_begin + share * (rows->share_end - rows->share_begin);
    if (w->status == RUG_OK)
        w->status = rug_context_step(w->ctx, share);
}

static void on_progress(VipsImage *image, VipsProgress *progress, watch *w)
{
    report(w,
           (double)progress->npels / (double)(progress->tpels > 0 ? progress->tpels : 1));
    if (w->status != RUG_OK)
        rugi_vips.vips_image_set_kill(image, TRUE);
}

/** Takes all rows of an image. @return nonzero on failure */
static int pull_image(VipsImage *image, pull *p, watch *w)
{
    rugi_vips.vips_image_set_progress(image, TRUE);
    gulong handler = rugi_vips_connect(image, "eval", G_CALLBACK(on_progress), w);
    int failed = rugi_vips.vips_sink_disc(image, take_strip, p);
    rugi_vips.g_signal_handler_disconnect(image, handler);
    rugi_vips.vips_image_set_progress(image, FALSE);
    if (!failed)
        report(w, 1); /* libvips is silent when it is fast */
    return failed != 0;
}

/** How many rows are decoded at once. */
static int strip_rows(const rugi_pixels *pixels)
{
    size_t row = (size_t)pixels->width * (size_t)pixels->bands.n *
                 rug_dtype_size(pixels->bands.dtype);
    size_t n = STRIP_BYTES / row;
    return n < 1 ? 1 : n > STRIP_ROWS ? STRIP_ROWS : (int)n;
}

/** Takes rows on the calling thread: at the end of what runs on its own threads libvips
 * forgets the rows that it has decoded ahead. What is above them is decoded as far as
 * the file's order demands, a pixel wide, and dropped.
 *  @return nonzero on failure */
static int pull_rows(rugi_pixels *pixels, pull *p, watch *w)
{
    const rugi_rows *rows = p->rows;
    int strip = strip_rows(pixels), top = (int)rows->top, end = top + (int)rows->n;
    VipsRegion *region = rugi_vips.vips_region_new(pixels->image);
    int failed = region == NULL;
    while (pixels->next < end && !failed && w->status == RUG_OK) {
        int wanted = pixels->next >= top, most = (wanted ? end : top) - pixels->next;
        VipsRect area = {0, pixels->next, wanted ? pixels->width : 1,
                         most < strip ? most : strip};
        failed = rugi_vips.vips_region_prepare(region, &area) != 0;
        if (wanted && !failed)
            take_strip(region, &area, p);
        pixels->next += area.height;
        report(w, wanted ? (double)(pixels->next - top) / (double)rows->n : 0);
    }
    rugi_vips_release(region);
    return failed;
}

/** Whether a line is libtiff's word about a tag, or says that a tag's value lies behind the file's end.
 * libtiff says so itself when it misses pixels. */
static int is_about_tags(const char *line, const char *path)
{
    static const char *const modules[] = {"_TIFFVSetField", "_TIFFVGetField", "TIFFFetch",
                                          "TIFFReadDir", "TIFFReadCustomDir"};
    size_t n = strlen(path);
    for (size_t i = 0; i < sizeof modules / sizeof modules[0]; i++)
        if (strncmp(line, modules[i], strlen(modules[i])) == 0)
            return 1;
    return strncmp(line, path, n) == 0 && strncmp(line + n, ": bad seek to ", 14) == 0;
}

/** Whether a line is libjpeg's word about something that is not the pixels: bytes between the parts of a
 * file, its head, its colour profile. Bytes before a restart marker are left of pixels that could not be
 * decoded. */
static int is_beside_pixels(const char *line)
{
    static const char *const words[] = {
        "extraneous bytes before marker 0x", "unknown JFIF revision number",
        "Unknown Adobe color transform code", "bad ICC marker"};
    size_t n = strcspn(line, "\n");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const char *at = strstr(line, words[i]);
        if (at != NULL && at < line + n)
            return i > 0 || at[strlen(words[0])] != 'd' || at[strlen(words[0]) + 1] > '7';
    }
    return 0;
}

/** Whether something that libvips has written down tells of pixels that are missing. A directory
 * that lacks what its pixels need is refused when it is read. */
static int tells_of_damage(const char *text, const char *path)
{
    for (; *text != '\0'; text += *text != '\0') {
        if (!is_about_tags(text, path) && !is_beside_pixels(text))
            return 1;
        text += strcspn(text, "\n");
    }
    return 0;
}

static rug_status fail_reading(rug_context *ctx, const rug_file *file)
{
    char text[RUGI_VIPS_TEXT_MAX];
    rugi_vips_take_error(text, "damaged, or cut off");
    return rug_context_fail(ctx, RUG_E_FORMAT, "%s: cannot be read: %s", file->path,
                            text);
}

rug_status rugi_pixels_read(rug_context *ctx, rug_file *file, rugi_pixels *pixels,
                            const rugi_rows *rows)
{
    pull p = {pixels, rows, 0};
    watch w = {ctx, rows, RUG_OK};
    assert(pixels->image != NULL && rows->top >= (size_t)pixels->next);
    rugi_vips.vips_error_clear();
    int all = rows->n == (size_t)pixels->height;
    int failed = all ? pull_image(pixels->image, &p, &w) : pull_rows(pixels, &p, &w);
    pixels->next = (int)(rows->top + rows->n);
    /* The answer of libvips 8.14 misses failures of the last strips, when a worker fails
     * after another has found no more work. What it writes down is complete, all workers
     * having ended. */
    failed = failed || tells_of_damage(rugi_vips.vips_error_buffer(), file->path);
    if (p.unequal)
        file->unequal = 1;
    if (failed || w.status != RUG_OK || pixels->next == pixels->height)
        rugi_pixels_close(pixels);
    if (failed && w.status == RUG_OK)
        return fail_reading(ctx, file);
    rugi_vips.vips_error_clear();
    return w.status;
}

rug_status rugi_pixels_read_layers(rug_context *ctx, rug_file *file, rugi_pixels *pixels,
                                   void *to, size_t first, size_t n)
{
    int are_planes = file->facts.n_planes > 1; /* and all rows are wanted */
    const rugi_rows rows = {first, are_planes ? (size_t)pixels->height : n, to, 0, 1};
    rug_status status = RUG_OK;
    if (pixels->image == NULL || (first == 0 && pixels->next != 0))
        status = rugi_pixels_open(ctx, file, pixels);
    return status == RUG_OK ? rugi_pixels_read(ctx, file, pixels, &rows) : status;
}
