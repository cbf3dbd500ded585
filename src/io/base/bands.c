/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Chooses a channel, luma or colours, and makes pixels of a row's bands. Where rows come from is not
 * known here. */

#include "bands.h"
#include <math.h>
#include <string.h>

/* ---- The choice ---- */

int rugi_asked_channel(const rug_read_options *opts)
{
    return opts->planes ? RUGI_COLOURS : opts->channel;
}

rug_status rugi_bands_choose(rug_context *ctx, rug_file *file, rugi_bands *bands,
                             int n_alpha, int is_colour, int channel)
{
    rug_file_facts *facts = &file->facts;
    facts->dropped_alpha = n_alpha > 0;
    facts->n_channels = bands->n - n_alpha;
    int colour = facts->n_channels == 3 && is_colour;
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

void rugi_bands_keep_alpha(rug_file *file, rugi_bands *bands, int n_alpha, int channel)
{
    if (!file->wants_alpha || channel != RUGI_COLOURS || n_alpha == 0 ||
        n_alpha >= bands->n)
        return;
    bands->alpha = bands->n - n_alpha;
    file->facts.n_planes++;
    file->facts.dropped_alpha = n_alpha > 1;
}

rug_status rugi_bands_set_image(rug_context *ctx, rug_file *file, const rugi_bands *bands,
                                size_t height, size_t width)
{
    const size_t shape[3] = {(size_t)file->facts.n_planes, height, width};
    int are_planes = file->facts.n_planes > 1;
    file->slabs.whole_only = are_planes;
    return rugi_file_set_image(ctx, file, bands->dtype, are_planes ? 3 : 2,
                               are_planes ? shape : shape + 1);
}

/* ---- Rows ---- */

#define COPY_BAND(type)            \
    for (size_t x = 0; x < n; x++) \
    memcpy(to + x * sizeof(type), from + (x * bands + band) * sizeof(type), sizeof(type))

/* Copies one band of n pixels. */
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

/* Rec. 601 luma of integers, halves rounded up. */
static int64_t integer_luma(int64_t r, int64_t g, int64_t b)
{
    int64_t sum = 299 * r + 587 * g + 114 * b + 500;
    return sum >= 0 ? sum / 1000 : -((999 - sum) / 1000);
}

/* Likewise, in parts whose sum fits into 64 bits where the colours do. */
static uint64_t long_luma(uint64_t r, uint64_t g, uint64_t b)
{
    uint64_t rest = 299 * (r % 1000) + 587 * (g % 1000) + 114 * (b % 1000) + 500;
    return 299 * (r / 1000) + 587 * (g / 1000) + 114 * (b / 1000) + rest / 1000;
}

/* Likewise, counted from the least: luma goes along with what is added to all colours. */
static int64_t signed_long_luma(int64_t r, int64_t g, int64_t b)
{
    const uint64_t least = (uint64_t)1 << 63;
    return (int64_t)(long_luma((uint64_t)r ^ least, (uint64_t)g ^ least,
                               (uint64_t)b ^ least) ^
                     least);
}

static int same_natural(uint64_t a, uint64_t b)
{
    return a == b;
}

static uint32_t short_luma(uint32_t r, uint32_t g, uint32_t b)
{
    return (299 * r + 587 * g + 114 * b + 500) / 1000;
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

LUMA(luma_u8, uint8_t, short_luma, same_integer)
LUMA(luma_i8, int8_t, integer_luma, same_integer)
LUMA(luma_u16, uint16_t, short_luma, same_integer)
LUMA(luma_i16, int16_t, integer_luma, same_integer)
LUMA(luma_u32, uint32_t, integer_luma, same_integer)
LUMA(luma_i32, int32_t, integer_luma, same_integer)
LUMA(luma_u64, uint64_t, long_luma, same_natural)
LUMA(luma_i64, int64_t, signed_long_luma, same_integer)
LUMA(luma_f32, float, real_luma, same_real)
LUMA(luma_f64, double, real_luma, same_real)

static int luma_row(void *to, const void *from, size_t n, const rugi_bands *bands)
{
    typedef int (*luma)(void *, const void *, size_t, size_t);
    static const luma lumas[RUG_N_DTYPES] = {NULL,     luma_u8,  luma_i8,  luma_u16,
                                             luma_i16, luma_u32, luma_i32, luma_u64,
                                             luma_i64, luma_f32, luma_f64};
    return lumas[bands->dtype](to, from, n, (size_t)bands->n);
}

/* Copies the three colours of n pixels to planes that many bytes apart.
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

int rugi_bands_take(const rugi_bands *bands, void *to, const void *from, size_t n,
                    size_t plane)
{
    if (bands->alpha > 0)
        copy_band((unsigned char *)to + (bands->chosen < 0 ? 3 : 1) * plane, from, n,
                  (size_t)bands->n, (size_t)bands->alpha, rug_dtype_size(bands->dtype));
    if (bands->chosen == RUGI_LUMA)
        return !luma_row(to, from, n, bands);
    if (bands->chosen == RUGI_COLOURS)
        return !copy_colours(to, from, n, bands, plane);
    copy_band(to, from, n, (size_t)bands->n, (size_t)bands->chosen,
              rug_dtype_size(bands->dtype));
    return 0;
}
