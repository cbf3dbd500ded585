/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Chooses a channel or luma, and copies pixels into cells strip by strip while libvips
 * decodes, so that no second copy of the whole is made. Which page or level is read is
 * decided elsewhere. */

#include "vips_pixels.h"
#include "vips_library.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

/** What the strips' callback works with. Strips come one after another, on a thread of
 * libvips. */
typedef struct pull {
    rug_file *file;
    const rugi_bands *bands;
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

rug_status rugi_choose_bands(rug_context *ctx, rug_file *file, VipsImage *image,
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
    bands->taken = channel >= 0 ? channel : colour ? -1 : 0;
    facts->channel = bands->taken;
    facts->equal_channels = bands->taken < 0;
    return status;
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
        type *cells = to;                                               \
        int all_equal = 1;                                              \
        for (size_t x = 0; x < n; x++, p += bands) {                    \
            int equal = same(p[0], p[1]) && same(p[1], p[2]);           \
            all_equal &= equal;                                         \
            cells[x] = equal ? p[0] : (type)formula(p[0], p[1], p[2]);  \
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

/** Takes one row of pixels from `left` on. */
static void take_row(pull *p, const unsigned char *from, size_t y, size_t left, size_t n)
{
    const rugi_rows *rows = p->rows;
    const rug_image *image = &p->file->image;
    size_t page = y / rows->per_page;
    ptrdiff_t slice = rows->slices != NULL ? rows->slices[page] : (ptrdiff_t)page;
    if (slice < 0)
        return;
    size_t size = rug_dtype_size(image->dtype);
    size_t row = (size_t)slice * rows->per_page + y % rows->per_page;
    size_t width = image->shape[image->ndim - 1];
    unsigned char *to = (unsigned char *)p->file->cells + (row * width + left) * size;
    if (p->bands->taken >= 0)
        copy_band(to, from, n, (size_t)p->bands->n, (size_t)p->bands->taken, size);
    else if (!luma_row(to, from, n, p->bands))
        p->unequal = 1;
}

static int take_strip(VipsRegion *region, VipsRect *area, void *user)
{
    pull *p = user;
    ptrdiff_t pitch = (ptrdiff_t)VIPS_REGION_LSKIP(region);
    ptrdiff_t pixel = p->bands->n * (ptrdiff_t)rug_dtype_size(p->bands->dtype);
    const unsigned char *from = VIPS_REGION_ADDR_TOPLEFT(region) +
                                (area->top - region->valid.top) * pitch +
                                (area->left - region->valid.left) * pixel;
    for (int y = 0; y < area->height; y++, from += pitch)
        take_row(p, from, (size_t)(area->top + y), (size_t)area->left,
                 (size_t)area->width);
    return 0;
}

static void on_progress(VipsImage *image, VipsProgress *progress, watch *w)
{
    double share =
        (double)progress->npels / (double)(progress->tpels > 0 ? progress->tpels : 1);
    share = w->rows->share_begin + share * (w->rows->share_end - w->rows->share_begin);
    if (w->status == RUG_OK)
        w->status = rug_context_step(w->ctx, share);
    if (w->status != RUG_OK)
        vips_image_set_kill(image, TRUE);
}

rug_status rugi_pull_pixels(rug_context *ctx, rug_file *file, VipsImage *image,
                            const rugi_bands *bands, const rugi_rows *rows)
{
    pull p = {file, bands, rows, 0};
    watch w = {ctx, rows, RUG_OK};
    vips_error_clear();
    vips_image_set_progress(image, TRUE);
    gulong handler = g_signal_connect(image, "eval", G_CALLBACK(on_progress), &w);
    int failed = vips_sink_disc(image, take_strip, &p);
    g_signal_handler_disconnect(image, handler);
    vips_image_set_progress(image, FALSE);
    /* The answer of libvips 8.14 misses failures of the last strips, when a worker fails
     * after another has found no more work. What it writes down is complete, all workers
     * having ended. */
    failed = failed || vips_error_buffer()[0] != '\0';
    if (p.unequal)
        file->facts.equal_channels = 0;
    if (w.status != RUG_OK) {
        vips_error_clear();
        return w.status;
    }
    return failed ? rugi_vips_fail(ctx, file, "cannot be read") : RUG_OK;
}
