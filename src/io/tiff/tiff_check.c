/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Which pages are refused, why, and what converts them. */

#include "tiff_check.h"
#include "tiff_decode.h"
#include <inttypes.h>

/* What samples mean that are no brightness: read as numbers, they would be raw codes.
 *  @return why a page is refused, or NULL */
static const char *refused_meaning(const rugi_tiff_page *page)
{
    switch (page->photometric) {
    case PHOTOMETRIC_YCBCR:
        return rugi_tiff_is_known(page)
                   ? NULL
                   : "YCbCr other than of 8 bits side by side, or of JPEG's first kind: convert it "
                     "to RGB, for example with gdal_translate or bfconvert";
    case PHOTOMETRIC_LOGL:
        return rugi_tiff_is_log(page)
                   ? NULL
                   : "LogL without SGI compression: convert it to float";
    case PHOTOMETRIC_CFA:
        return "a camera's mosaic of red, green and blue pixels: develop it to RGB";
    case PHOTOMETRIC_MASK: return "a transparency mask, no image";
    default: return NULL;
    }
}

#define BY_PYTHON                                                     \
    "Python's tifffile and imagecodecs: tifffile.imwrite('OUT.tif', " \
    "tifffile.imread('IN.tif'), compression='deflate')"

/* Compressions that libtiff, or the one that is installed, does not decode. */
static const char *codec_name(int compression, const char **advice)
{
    static const struct {
        int compression;
        const char *name, *advice;
    } codecs[] = {{34712, "JPEG 2000", BY_PYTHON},
                  {33003, "JPEG 2000", BY_PYTHON},
                  {33004, "JPEG 2000", BY_PYTHON},
                  {33005, "JPEG 2000", BY_PYTHON},
                  {22610, "JPEG XR", "bfconvert"},
                  {34934, "JPEG XR", "bfconvert"},
                  {34892, "lossy JPEG of DNG", "dcraw_emu -T"},
                  {34713, "Nikon's NEF", "dcraw_emu -T"},
                  {32767, "Sony's ARW", "dcraw_emu -T"},
                  {50002, "JPEG XL", BY_PYTHON},
                  {52546, "JPEG XL", "dcraw_emu -T"},
                  {34933, "PNG", BY_PYTHON},
                  {34887, "LERC", "gdal_translate"},
                  {50000, "ZSTD", "gdal_translate"},
                  {50001, "WebP", "gdal_translate"},
                  {34925, "LZMA", "gdal_translate"},
                  {34661, "JBIG", "gdal_translate"},
                  {COMPRESSION_OJPEG, "JPEG", "bfconvert"},
                  {65000, "EER", "IMOD's clip or RELION"},
                  {65001, "EER", "IMOD's clip or RELION"}};
    *advice = "the program that wrote it";
    for (size_t i = 0; i < sizeof codecs / sizeof codecs[0]; i++)
        if (codecs[i].compression == compression) {
            *advice = codecs[i].advice;
            return codecs[i].name;
        }
    return "a method without a name here";
}

/* Fails when a page is compressed in a way that neither libtiff nor libvips decodes. The latter knows
 * tiles of JPEG 2000, of which it takes three components for YCbCr. */
static rug_status check_codec(rug_context *ctx, const rug_file *file,
                              const rugi_tiff_page *page)
{
    enum { JP2_YCBCR = 33003, JP2_LOSSY = 33004, JP2_RGB = 33005 };
    int is_vips = page->compression == JP2_YCBCR || page->compression == JP2_LOSSY ||
                  (page->compression == JP2_RGB && page->samples == 1);
    const char *advice, *name = codec_name(page->compression, &advice);
    if (is_vips || rugi_tiff.TIFFIsCODECConfigured((uint16_t)page->compression))
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_UNSUPPORTED,
        "%s: the TIFF page is compressed with %s (%d), which the installed libtiff does not "
        "decode: write it with LZW or deflate, for example with %s",
        file->path, name, page->compression, advice);
}

/* Fails when the samples of a page are not read. What is no page of ours goes to libvips, which has
 * types of its own. */
static rug_status check_samples(rug_context *ctx, const rug_file *file,
                                const rugi_tiff_page *page)
{
    static const char *const formats[] = {"?", "unsigned", "signed", "float",
                                          "?", "complex",  "complex"};
    const char *why = refused_meaning(page);
    if (why != NULL)
        return rug_context_fail(ctx, RUG_E_UNSUPPORTED, "%s: the TIFF page holds %s",
                                file->path, why);
    int is_float = page->format == SAMPLEFORMAT_IEEEFP;
    int is_vips = page->format <= SAMPLEFORMAT_IEEEFP &&
                  (page->bits == 32 ||
                   (!is_float && (page->bits == 1 || page->bits == 2 || page->bits == 4 ||
                                  page->bits == 8 || page->bits == 16)));
    if (rugi_tiff_is_known(page) || page->photometric == PHOTOMETRIC_LOGLUV || is_vips)
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_UNSUPPORTED,
        "%s: TIFF samples of %d bits (%s%s) are not supported; integers of 1 to 32 bits (but 24, "
        "whose byte order is not agreed on) and of 64 are, floats of 16, 24, 32 and 64, and "
        "palettes of 1 to 8 and 16: save it as one of these%s",
        file->path, page->bits, page->format <= 6 ? formats[page->format] : "?",
        page->photometric == PHOTOMETRIC_PALETTE ? ", a palette" : "",
        page->bits == 24 && page->format == SAMPLEFORMAT_UINT
            ? "; one that GDAL wrote: gdal_translate -ot UInt32 IN.tif OUT.tif"
            : "");
}

rug_status rugi_tiff_check_page(rug_context *ctx, const rug_file *file,
                                const rugi_tiff_page *page, size_t n_pages)
{
    rug_status status = check_samples(ctx, file, page);
    if (status == RUG_OK)
        status = check_codec(ctx, file, page);
    if (status != RUG_OK)
        return status;
    if (page->width == 0 || page->height == 0)
        return rug_context_fail(ctx, RUG_E_FORMAT,
                                "%s: a TIFF page of %ux%u pixels; at least 1x1 expected",
                                file->path, page->height, page->width);
    uint64_t bits = (uint64_t)page->bits,
             most = rugi_tiff_largest_ratio(page->compression);
    int samples = page->photometric == PHOTOMETRIC_YCBCR ? 1 : page->samples;
    int fits = rugi_multiply(&bits, bits, (uint64_t)samples) &&
               rugi_multiply(&bits, bits, page->width) &&
               rugi_multiply(&bits, bits, page->height) &&
               rugi_multiply(&bits, bits, n_pages);
    if (most == 0 || !rugi_multiply(&most, most, file->n_bytes) ||
        (fits && bits / 8 <= most))
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_FORMAT,
        "%s: cut off: %zu x %ux%u pixels are more than a TIFF file of %" PRIu64
        " bytes can hold",
        file->path, n_pages, page->height, page->width, file->n_bytes);
}
