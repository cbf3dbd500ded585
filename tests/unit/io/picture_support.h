/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Writing small images: TIFF files of every kind with libtiff, others with libvips. Include it
 * after read_support.h; main() of a test that uses libvips calls VIPS_INIT(). */

#ifndef RUGOSE_PICTURE_SUPPORT_H
#define RUGOSE_PICTURE_SUPPORT_H

#include <tiffio.h>
#include <vips/vips.h>

/* A page to be written; 0 stands for the usual. */
typedef struct page {
    uint32_t width, height;
    int bits, format, samples, photometric, compression;
    int planar;  /* samples in planes of their own */
    int tile;    /* side of a tile; 0 = strips of 2 rows */
    int reduced; /* SubfileType */
    int n_sub;   /* sub-directories that follow */
    int extra;   /* 1 + EXTRASAMPLE_* of the last sample; 0 = none */
    int unit;    /* ResolutionUnit; 0 = none */
    float x_per_unit, y_per_unit;
    const char *description;
    const char *nodata; /* GDAL's tag; NULL = none */
    int strip;          /* rows of a strip; 0 = 2 */
    int orientation;    /* 0 = not said */
} page;

static inline void set_nodata(TIFF *tiff, const char *text)
{
    static char name[] = "nodata";
    const TIFFFieldInfo field = {42113, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, name};
    TIFFMergeFieldInfo(tiff, &field, 1);
    TIFFSetField(tiff, 42113, text);
}

static inline void set_tags(TIFF *tiff, const page *p)
{
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, p->width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, p->height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, p->bits != 0 ? p->bits : 8);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT,
                 p->format != 0 ? p->format : SAMPLEFORMAT_UINT);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, p->samples != 0 ? p->samples : 1);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, p->photometric);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION,
                 p->compression != 0 ? p->compression : COMPRESSION_NONE);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG,
                 p->planar ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, p->reduced);
    if (p->orientation != 0)
        TIFFSetField(tiff, TIFFTAG_ORIENTATION, p->orientation);
    if (p->nodata != NULL)
        set_nodata(tiff, p->nodata);
    if (p->description != NULL)
        TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, p->description);
    if (p->extra != 0)
        TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1,
                     &(uint16_t){(uint16_t)(p->extra - 1)});
    if (p->unit != 0) {
        TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, p->unit);
        TIFFSetField(tiff, TIFFTAG_XRESOLUTION, (double)p->x_per_unit);
        TIFFSetField(tiff, TIFFTAG_YRESOLUTION, (double)p->y_per_unit);
    }
    if (p->n_sub != 0) {
        uint64_t offsets[8] = {0};
        TIFFSetField(tiff, TIFFTAG_SUBIFD, p->n_sub, offsets);
    }
}

static inline void write_tiles(TIFF *tiff, const page *p, const unsigned char *pixels)
{
    size_t pixel = (size_t)(p->bits != 0 ? p->bits : 8) / 8 *
                   (size_t)(p->samples != 0 ? p->samples : 1);
    size_t side = (size_t)p->tile;
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, (uint32_t)side);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, (uint32_t)side);
    unsigned char *tile = calloc(side * side, pixel);
    assert_non_null(tile);
    for (size_t top = 0; top < p->height; top += side)
        for (size_t left = 0; left < p->width; left += side) {
            for (size_t y = 0; y < side && top + y < p->height; y++)
                for (size_t x = 0; x < side && left + x < p->width; x++)
                    memcpy(tile + (y * side + x) * pixel,
                           pixels + ((top + y) * p->width + left + x) * pixel, pixel);
            assert_true(TIFFWriteTile(tiff, tile, (uint32_t)left, (uint32_t)top, 0, 0) >
                        0);
        }
    free(tile);
}

/* Adds a page. Pixels are in the machine's order, one plane after the other when
 * planar. */
static inline void add_page(TIFF *tiff, const page *p, const void *pixels)
{
    assert_non_null(tiff);
    set_tags(tiff, p);
    if (p->tile != 0)
        write_tiles(tiff, p, pixels);
    else {
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, p->strip != 0 ? p->strip : 2);
        size_t row = (size_t)TIFFScanlineSize(tiff);
        uint16_t n_planes = (uint16_t)(p->planar ? p->samples : 1);
        const unsigned char *from = pixels;
        unsigned char line[4096]; /* libtiff swaps in place */
        assert_true(row <= sizeof line);
        for (uint16_t plane = 0; plane < n_planes; plane++)
            for (uint32_t y = 0; y < p->height; y++, from += row) {
                memcpy(line, from, row);
                assert_int_equal(TIFFWriteScanline(tiff, line, y, plane), 1);
            }
    }
    assert_int_equal(TIFFWriteDirectory(tiff), 1);
}

/* Writes a file of one page; mode such as "w", "wb" (big-endian), "w8" (BigTIFF). */
static inline const char *put_tiff(scratch *here, const char *mode, const page *p,
                                   const void *pixels)
{
    TIFF *tiff = TIFFOpen(scratch_path(here, "a.tif"), mode);
    add_page(tiff, p, pixels);
    TIFFClose(tiff);
    return here->path;
}

/* Writes a file of n pages like p, page i full of the value first + i; only the first
 * page has the description. */
static inline const char *put_stack(scratch *here, const page *p, int n, int first)
{
    page like = *p;
    unsigned char pixels[4096];
    TIFF *tiff = TIFFOpen(scratch_path(here, "stack.tif"), "w");
    for (int i = 0; i < n; i++) {
        memset(pixels, first + i, sizeof pixels);
        like.description = i == 0 ? p->description : NULL;
        add_page(tiff, &like, pixels);
    }
    TIFFClose(tiff);
    return here->path;
}

/* ---- libvips ---- */

/* An image of u8 or u16 pixels with some bands. */
static inline VipsImage *image_of(const void *pixels, int width, int height, int bands,
                                  int bits, VipsInterpretation interpretation)
{
    VipsImage *raw = vips_image_new_from_memory_copy(
        pixels, (size_t)(width * height * bands * bits / 8), width, height, bands,
        bits == 8 ? VIPS_FORMAT_UCHAR : VIPS_FORMAT_USHORT);
    VipsImage *image = NULL;
    assert_non_null(raw);
    assert_int_equal(vips_copy(raw, &image, "interpretation", interpretation, NULL), 0);
    g_object_unref(raw);
    return image;
}

/* Writes an image in the format of the name's ending. */
static inline const char *put_image(scratch *here, const char *name, const void *pixels,
                                    int width, int height, int bands, int bits,
                                    VipsInterpretation interpretation)
{
    VipsImage *image = image_of(pixels, width, height, bands, bits, interpretation);
    char with_options[SCRATCH_PATH_MAX + 16];
    snprintf(with_options, sizeof with_options, "%s%s", scratch_path(here, name),
             strstr(name, ".webp") != NULL ? "[lossless]" : "");
    assert_int_equal(vips_image_write_to_file(image, with_options, NULL), 0);
    g_object_unref(image);
    return here->path;
}

static inline const char *put_gray_png(scratch *here, const char *name)
{
    return put_image(here, name, "\0\x0a\x14\x1e\x28\xff", 3, 2, 1, 8,
                     VIPS_INTERPRETATION_B_W);
}

#endif
