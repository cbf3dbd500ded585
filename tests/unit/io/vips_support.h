/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Writing small images with libvips. Include it after read_support.h; main() calls
 * VIPS_INIT(). */

#ifndef RUGOSE_VIPS_SUPPORT_H
#define RUGOSE_VIPS_SUPPORT_H

#include <vips/vips.h>

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
