/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* YCbCr to red, green and blue (TIFF 6.0, section 21). Every pixel has the colour of its group: nothing is
 * interpolated, as libtiff does not, either. */

#include "tiff_ycbcr.h"
#include <math.h>

/* What luminance and chrominance stand for. */
typedef struct meaning {
    double scale[3], zero[3];             /* of Y, Cb and Cr */
    double red, green_cb, green_cr, blue; /* what Cb and Cr add to them */
} meaning;

/* The codes of black and white, and what luminance is made of. */
static int find_meaning(TIFF *tiff, meaning *m)
{
    static const double ranges[3] = {255, 127, 127};
    const float *luma = NULL, *ends = NULL;
    if (!rugi_tiff.TIFFGetFieldDefaulted(tiff, TIFFTAG_YCBCRCOEFFICIENTS, &luma) ||
        !rugi_tiff.TIFFGetFieldDefaulted(tiff, TIFFTAG_REFERENCEBLACKWHITE, &ends))
        return 0;
    const double red = (double)luma[0], green = (double)luma[1], blue = (double)luma[2];
    int is_valid = green >= 0.001 && green <= 1 && fabs(red) <= 1 && fabs(blue) <= 1;
    for (int i = 0; i < 3; i++) {
        const double first = (double)ends[2 * i], last = (double)ends[2 * i + 1];
        m->zero[i] = first;
        m->scale[i] = ranges[i] / (last - first);
        is_valid = is_valid && isfinite(first) && isfinite(m->scale[i]);
    }
    m->red = 2 - 2 * red;
    m->blue = 2 - 2 * blue;
    m->green_cr = -m->red * red / green;
    m->green_cb = -m->blue * blue / green;
    return is_valid;
}

static unsigned char rounded(double value)
{
    return !(value > 0) ? 0 : value >= 255 ? 255 : (unsigned char)(value + 0.5);
}

/* Makes the pixels of a group that lie in a block.
 *  @param to           the first of them
 *  @param across, n    how many pixels a row has, and how many rows */
static void take_group(const meaning *m, const int subsampling[2], unsigned char *to,
                       size_t row_bytes, const unsigned char *from, size_t across,
                       size_t n)
{
    const unsigned char *chroma = from + subsampling[0] * subsampling[1];
    const double cb = ((double)chroma[0] - m->zero[1]) * m->scale[1];
    const double cr = ((double)chroma[1] - m->zero[2]) * m->scale[2];
    const double add[3] = {m->red * cr, m->green_cb * cb + m->green_cr * cr,
                           m->blue * cb};
    for (size_t y = 0; y < n; y++)
        for (size_t x = 0; x < across; x++) {
            const double light =
                ((double)from[y * (size_t)subsampling[0] + x] - m->zero[0]) * m->scale[0];
            for (size_t c = 0; c < 3; c++)
                to[y * row_bytes + 3 * x + c] = rounded(light + add[c]);
        }
}

int rugi_tiff_ycbcr(TIFF *tiff, const rugi_tiff_page *page, unsigned char *to,
                    const unsigned char *from, size_t width, size_t n)
{
    const size_t across = (size_t)page->subsampling[0],
                 down = (size_t)page->subsampling[1];
    meaning m;
    if (!find_meaning(tiff, &m))
        return 0;
    for (size_t y = 0; y < n; y += down)
        for (size_t x = 0; x < width; x += across, from += across * down + 2)
            take_group(&m, page->subsampling, to + 3 * (y * width + x), 3 * width, from,
                       width - x < across ? width - x : across,
                       n - y < down ? n - y : down);
    return 1;
}
