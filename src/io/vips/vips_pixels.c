/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Chooses a channel or luma, and copies bands to pixels strip by strip while libvips
 * decodes, so that no second copy of the whole is made. Which page or level is read is
 * decided elsewhere. */

#include "vips_pixels.h"
#include <assert.h>
#include <inttypes.h>
#include <math.h>
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
    switch (vips_image_get_interpretation(image)) {
    case VIPS_INTERPRETATION_sRGB:
    case VIPS_INTERPRETATION_RGB:
    case VIPS_INTERPRETATION_RGB16:
    case VIPS_INTERPRETATION_scRGB: return 1;
    default: return 0;
    }
}

static rug_status choose_bands(rug_context *ctx, rug_file *file, VipsImage *image,
                               int n_alpha, int channel, rugi_bands *bands)
{
    rug_file_facts *facts = &file->facts;
    if (!find_dtype(vips_image_get_format(image), &bands->dtype))
        return rug_context_fail(
            ctx, RUG_E_UNSUPPORTED,
            "%s: complex values have no order; store a magnitude or one part",
            file->path);
    bands->n = vips_image_get_bands(image);
    if (n_alpha < 0)
        n_alpha = vips_image_hasalpha(image) != 0;
    facts->dropped_alpha = n_alpha > 0;
    facts->n_channels = bands->n - n_alpha;
    int colour = facts->n_channels == 3 && is_colour(image);
    if (channel < 0 && facts->n_channels > 1 && !colour)
        return rug_context_fail(
            ctx, RUG_E_ARG,
            "%s: %d channels that are not red, green and blue; choose one with "
            "--channel 0..%d",
            file->path, facts->n_channels, facts->n_channels - 1);
    rug_status status = rugi_check_channel(ctx, file, channel);
    bands->chosen = channel >= 0 ? channel : colour ? channel : 0;
    facts->n_planes = bands->chosen == RUGI_COLOURS ? 3 : 1;
    facts->channel = bands->chosen < 0 ? -1 : bands->chosen;
    file->is_colour = bands->chosen < 0;
    return status;
}

int rugi_asked_channel(const rug_read_options *opts)
{
    return opts->planes ? RUGI_COLOURS : opts->channel;
}

rug_status rugi_pixels_set_image(rug_context *ctx, rug_file *file,
                                 const rugi_pixels *pixels)
{
    const size_t shape[3] = {3, (size_t)pixels->height, (size_t)pixels->width};
    int are_planes = file->facts.n_planes > 1;
    file->slabs.whole_only = are_planes;
    return rugi_file_set_image(ctx, file, pixels->bands.dtype, are_planes ? 3 : 2,
                               are_planes ? shape : shape + 1);
}

rug_status rugi_pixels_begin(rug_context *ctx, rug_file *file, rugi_pixels *pixels,
                             int n_alpha, int channel)
{
    pixels->width = vips_image_get_width(pixels->image);
    pixels->height = vips_image_get_height(pixels->image);
    return choose_bands(ctx, file, pixels->image, n_alpha, channel, &pixels->bands);
}

rug_status rugi_pixels_open(rug_context *ctx, const rug_file *file, rugi_pixels *pixels)
{
    rug_dtype dtype = RUG_BIT;
    rugi_pixels_close(pixels);
    rug_status status = rugi_vips_open(ctx, file, &pixels->part, &pixels->image);
    if (status != RUG_OK)
        return status;
    VipsImage *image = pixels->image;
    if (find_dtype(vips_image_get_format(image), &dtype) &&
        dtype == pixels->bands.dtype && vips_image_get_bands(image) == pixels->bands.n &&
        vips_image_get_width(image) == pixels->width &&
        vips_image_get_height(image) == pixels->height)
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
    VIPS_UNREF(pixels->image);
    pixels->next = 0;
}

#define COPY_BAND(type)            \
    for (size_t x = 0; x < n; x++) \
    memcpy(to + x * sizeof(type), from + (x * bands + band) * sizeof(type), sizeof(type))

/** Copies one band of n pixels. */
static void copy_band(unsigned char *to, const unsigned char *from, size_t n,
                      size_t bands, size_t band, size_t size)
{
    if (bands == 1)
        memcpy(to, from, n * size);
    else if (size == 1)
        COPY_BAND(uint8_t);
    else if (size == 2)
        COPY_BAND(uint16_t);
    else if (size == 4)
        COPY_BAND(uint32_t);
    else
        COPY_BAND(uint64_t);
}

/** Rec. 601 luma of integers, halves rounded up. */
static int64_t integer_luma(int64_t r, int64_t g, int64_t b)
{
    int64_t sum = 299 * r + 587 * g + 114 * b + 500;
    return sum >= 0 ? sum / 1000 : -((999 - sum) / 1000);
}

static double real_luma(double r, double g, double b)
{
    return (299 * r + 587 * g + 114 * b) / 1000;
}

static int same_integer(int64_t a, int64_t b)
{
    return a == b;
}

static int same_real(double a, double b)
{
    return (a <= b && a >= b) || (isnan(a) && isnan(b));
}

/* Luma of n pixels; answers whether all of them had three equal colours. Equal colours
 * are copied: the weighted sum of doubles could differ from them in the last bit. */
#define LUMA(name, type, formula, same)                                 \
    static int name(void *to, const void *from, size_t n, size_t bands) \
    {                                                                   \
        const type *p = from;                                           \
        type *pixels = to;                                              \
        int all_equal = 1;                                              \
        for (size_t x = 0; x < n; x++, p += bands) {                    \
            int equal = same(p[0], p[1]) && same(p[1], p[2]);           \
            all_equal &= equal;                                         \
            pixels[x] = equal ? p[0] : (type)formula(p[0], p[1], p[2]); \
        }                                                               \
        return all_equal;                                               \
    }

LUMA(luma_u8, uint8_t, integer_luma, same_integer)
LUMA(luma_i8, int8_t, integer_luma, same_integer)
LUMA(luma_u16, uint16_t, integer_luma, same_integer)
LUMA(luma_i16, int16_t, integer_luma, same_integer)
LUMA(luma_u32, uint32_t, integer_luma, same_integer)
LUMA(luma_i32, int32_t, integer_luma, same_integer)
LUMA(luma_f32, float, real_luma, same_real)
LUMA(luma_f64, double, real_luma, same_real)

static int luma_row(void *to, const void *from, size_t n, const rugi_bands *bands)
{
    typedef int (*luma)(void *, const void *, size_t, size_t);
    static const luma lumas[RUG_N_DTYPES] = {NULL,     luma_u8,  luma_i8,  luma_u16,
                                             luma_i16, luma_u32, luma_i32, NULL,
                                             NULL,     luma_f32, luma_f64};
    return lumas[bands->dtype](to, from, n, (size_t)bands->n);
}

/** Copies the three colours of n pixels to planes that many bytes apart.
 *  @return whether all of them had three equal colours */
static int copy_colours(unsigned char *to, const unsigned char *from, size_t n,
                        const rugi_bands *bands, size_t plane)
{
    size_t size = rug_dtype_size(bands->dtype);
    for (size_t i = 0; i < 3; i++)
        copy_band(to + i * plane, from, n, (size_t)bands->n, i, size);
    return memcmp(to, to + plane, n * size) == 0 &&
           memcmp(to, to + 2 * plane, n * size) == 0;
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
        if (bands->chosen >= 0)
            copy_band(to, from, n, (size_t)bands->n, (size_t)bands->chosen, size);
        else if (!(bands->chosen == RUGI_LUMA
                       ? luma_row(to, from, n, bands)
                       : copy_colours(to, from, n, bands, p->rows->n * width * size)))
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
        vips_image_set_kill(image, TRUE);
}

/** Takes all rows of an image. @return nonzero on failure */
static int pull_image(VipsImage *image, pull *p, watch *w)
{
    vips_image_set_progress(image, TRUE);
    gulong handler = g_signal_connect(image, "eval", G_CALLBACK(on_progress), w);
    int failed = vips_sink_disc(image, take_strip, p);
    g_signal_handler_disconnect(image, handler);
    vips_image_set_progress(image, FALSE);
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
    VipsRegion *region = vips_region_new(pixels->image);
    int failed = region == NULL;
    while (pixels->next < end && !failed && w->status == RUG_OK) {
        int wanted = pixels->next >= top, most = (wanted ? end : top) - pixels->next;
        VipsRect area = {0, pixels->next, wanted ? pixels->width : 1,
                         most < strip ? most : strip};
        failed = vips_region_prepare(region, &area) != 0;
        if (wanted && !failed)
            take_strip(region, &area, p);
        pixels->next += area.height;
        report(w, wanted ? (double)(pixels->next - top) / (double)rows->n : 0);
    }
    VIPS_UNREF(region);
    return failed;
}

rug_status rugi_pixels_read(rug_context *ctx, rug_file *file, rugi_pixels *pixels,
                            const rugi_rows *rows)
{
    pull p = {pixels, rows, 0};
    watch w = {ctx, rows, RUG_OK};
    assert(pixels->image != NULL && rows->top >= (size_t)pixels->next);
    vips_error_clear();
    int all = rows->n == (size_t)pixels->height;
    int failed = all ? pull_image(pixels->image, &p, &w) : pull_rows(pixels, &p, &w);
    pixels->next = (int)(rows->top + rows->n);
    /* The answer of libvips 8.14 misses failures of the last strips, when a worker fails
     * after another has found no more work. What it writes down is complete, all workers
     * having ended. */
    failed = failed || vips_error_buffer()[0] != '\0';
    if (p.unequal)
        file->unequal = 1;
    if (failed || w.status != RUG_OK || pixels->next == pixels->height)
        rugi_pixels_close(pixels);
    if (w.status != RUG_OK) {
        vips_error_clear();
        return w.status;
    }
    return failed ? rugi_vips_fail(ctx, file, "cannot be read") : RUG_OK;
}

rug_status rugi_pixels_read_layers(rug_context *ctx, rug_file *file, rugi_pixels *pixels,
                                   void *to, size_t first, size_t n)
{
    int are_planes = pixels->bands.chosen == RUGI_COLOURS; /* and all rows are wanted */
    const rugi_rows rows = {first, are_planes ? (size_t)pixels->height : n, to, 0, 1};
    rug_status status = RUG_OK;
    if (pixels->image == NULL || (first == 0 && pixels->next != 0))
        status = rugi_pixels_open(ctx, file, pixels);
    return status == RUG_OK ? rugi_pixels_read(ctx, file, pixels, &rows) : status;
}
