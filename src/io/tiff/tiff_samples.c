/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Makes pixels of samples: looks up indices, inverts where white is 0, and brings planes together.
 * The pixels are those of libvips. Which rows are wanted, and how they are decoded, is not known
 * here. */

#include "tiff_samples.h"
#include <string.h>

static int is_gray_kind(const rugi_tiff_page *page)
{
    return page->photometric == PHOTOMETRIC_MINISBLACK ||
           page->photometric == PHOTOMETRIC_MINISWHITE;
}

static int find_dtype(const rugi_tiff_page *page, rug_dtype *dtype)
{
    static const rug_dtype integers[2][3] = {{RUG_U8, RUG_U16, RUG_U32},
                                             {RUG_I8, RUG_I16, RUG_I32}};
    int size = page->bits == 8 ? 0 : page->bits == 16 ? 1 : page->bits == 32 ? 2 : -1;
    int is_signed = page->format == SAMPLEFORMAT_INT;
    if (page->format == SAMPLEFORMAT_IEEEFP && size == 2)
        *dtype = RUG_F32;
    else if (size >= 0 && (is_signed || page->format == SAMPLEFORMAT_UINT))
        *dtype = integers[is_signed][size];
    else
        return 0;
    return 1;
}

/* Indices are one unsigned sample of a pixel. */
static int can_be_indexed(const rugi_tiff_page *page)
{
    return page->samples == 1 && page->format == SAMPLEFORMAT_UINT &&
           (page->bits == 1 || page->bits == 2 || page->bits == 4 || page->bits == 8);
}

int rugi_tiff_is_known(const rugi_tiff_page *page)
{
    rug_dtype dtype;
    int is_plain = find_dtype(page, &dtype) && page->samples >= 1;
    if (!rugi_tiff.TIFFIsCODECConfigured((uint16_t)page->compression) ||
        page->compression == COMPRESSION_OJPEG || page->is_premultiplied ||
        page->block[0] == 0)
        return 0;
    switch (page->photometric) {
    case PHOTOMETRIC_MINISBLACK:
    case PHOTOMETRIC_MINISWHITE: return is_plain || can_be_indexed(page);
    case PHOTOMETRIC_PALETTE: return can_be_indexed(page);
    case PHOTOMETRIC_RGB: return is_plain;
    case PHOTOMETRIC_YCBCR: /* libtiff makes RGB of it */
        return is_plain && page->compression == COMPRESSION_JPEG && page->bits == 8 &&
               page->samples == 3 && !page->is_planar;
    default: return 0;
    }
}

/* ---- Tables ---- */

/* Old colour maps have 8 bits. @param maps  of n colours each */
static void copy_maps(rugi_tiff_table table, uint16_t *const maps[3], size_t n)
{
    int is_wide = 0;
    for (int c = 0; c < 3; c++)
        for (size_t i = 0; i < n; i++)
            is_wide |= maps[c][i] >= 256;
    for (int c = 0; c < 3; c++)
        for (size_t i = 0; i < n; i++)
            table[c][i] = (uint8_t)(is_wide ? maps[c][i] >> 8 : maps[c][i]);
}

int rugi_tiff_read_table(TIFF *tiff, const rugi_tiff_page *page, rugi_tiff_table table,
                         int *is_gray)
{
    uint16_t *maps[3];
    unsigned n = 1u << page->bits;
    *is_gray = 1;
    if (page->photometric != PHOTOMETRIC_PALETTE) {
        for (unsigned i = 0; i < n; i++) {
            unsigned light = i * 255 / (n - 1);
            table[0][i] =
                (uint8_t)(page->photometric == PHOTOMETRIC_MINISWHITE ? 255 - light
                                                                      : light);
        }
        return 1;
    }
    if (!rugi_tiff.TIFFGetField(tiff, TIFFTAG_COLORMAP, &maps[0], &maps[1], &maps[2]))
        return 0;
    copy_maps(table, maps, n);
    *is_gray = memcmp(table[0], table[1], n) == 0 && memcmp(table[0], table[2], n) == 0;
    return 1;
}

/* ---- The choice ---- */

rug_status rugi_tiff_choose(rug_context *ctx, rug_file *file, rugi_tiff_samples *out,
                            const rugi_tiff_page *page, int is_gray, int channel)
{
    int is_palette = page->photometric == PHOTOMETRIC_PALETTE;
    memset(out, 0, sizeof *out);
    out->bits = page->bits;
    out->is_indexed = is_palette || page->bits < 8;
    out->bands = (rugi_bands){RUG_U8, is_palette && !is_gray ? 3 : page->samples, 0};
    if (!out->is_indexed)
        find_dtype(page, &out->bands.dtype);
    int is_colour = out->bands.n >= 3 && !is_gray_kind(page);
    rug_status status =
        rugi_bands_choose(ctx, file, &out->bands, page->n_alpha, is_colour, channel);
    int is_apart = page->is_planar && page->samples > 1, chosen = out->bands.chosen;
    out->is_inverted = !out->is_indexed && chosen == 0 &&
                       page->photometric == PHOTOMETRIC_MINISWHITE &&
                       page->format == SAMPLEFORMAT_UINT;
    out->n_parts = is_apart && chosen < 0 ? 3 : 1;
    out->part = is_apart && chosen >= 0 ? chosen : 0;
    out->n_mixed = is_apart ? 1 : page->samples;
    return status;
}

/* ---- Rows ---- */

/* Looks up n indices. @param step  from one value of `to` to the next */
static void look_up(uint8_t *to, size_t step, const unsigned char *from, size_t n,
                    int bits, const uint8_t *table)
{
    unsigned mask = (1u << bits) - 1;
    size_t x = 0;
    for (; x < n; from++)
        for (int shift = 8 - bits; shift >= 0 && x < n; shift -= bits, x++)
            to[x * step] = table[(unsigned)*from >> shift & mask];
}

#define MIX(type)                  \
    for (size_t x = 0; x < n; x++) \
    memcpy(to + 3 * x * sizeof(type), from + x * sizeof(type), sizeof(type))

/* Puts a plane's values where every third one belongs. */
static void mix_plane(unsigned char *to, const unsigned char *from, size_t n, size_t size)
{
    if (size == 1)
        MIX(uint8_t);
    else if (size == 2)
        MIX(uint16_t);
    else
        MIX(uint32_t);
}

int rugi_tiff_take(const rugi_tiff_samples *samples, rugi_tiff_table table, void *to,
                   const unsigned char *from, size_t step, size_t n, size_t plane,
                   void *room)
{
    const rugi_bands *bands = &samples->bands;
    rugi_bands beside = {bands->dtype, samples->n_mixed, bands->chosen};
    size_t size = rug_dtype_size(bands->dtype);
    if (samples->is_indexed && bands->n == 1) {
        look_up(to, 1, from, n, samples->bits, table[0]);
        return 0;
    }
    if (samples->n_parts == 3 || samples->is_indexed) {
        beside.n = 3;
        for (size_t c = 0; c < 3; c++)
            if (samples->is_indexed)
                look_up((uint8_t *)room + c, 3, from, n, samples->bits, table[c]);
            else
                mix_plane((unsigned char *)room + c * size, from + c * step, n, size);
        return rugi_bands_take(&beside, to, room, n, plane);
    }
    if (samples->n_mixed == 1)
        beside.chosen = 0; /* the part is the plane that was chosen */
    int differ = rugi_bands_take(&beside, to, from, n, plane);
    rugi_tiff_invert(samples, to, n);
    return differ;
}
