/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What programs write into a TIFF file's ImageDescription: ImageJ's lines and OME-XML. */

#ifndef RUGI_TIFF_TEXT_H
#define RUGI_TIFF_TEXT_H

#include "io/base/reader.h"

/** Who wrote a description. */
typedef enum rugi_tiff_writer {
    RUGI_TIFF_PLAIN, /**< nobody that is known: pages are pages */
    RUGI_TIFF_IMAGEJ,
    RUGI_TIFF_OME
} rugi_tiff_writer;

/** How the pages of a file are to be understood. */
typedef struct rugi_tiff_text {
    rugi_tiff_writer writer;
    int n_channels; /**< pages that differ in channel only; at least 1 */
    int n_slices;   /**< in z */
    int n_times;
    char order[6];     /**< such as "XYCZT", fastest first */
    int has_own_order; /**< pages are assigned in a way that `order` does not describe */
    double spacing[3]; /**< z, y, x; 0 = not said; ImageJ says z only */
    char unit[RUGI_UNIT_MAX]; /**< of the spacing; "" = not said */
} rugi_tiff_text;

/** Reads a description; what it does not understand counts as not said.
 *  @param text  a whole ImageDescription
 *  @param path  its file, for the error text
 *  @return RUG_OK; RUG_E_UNSUPPORTED when it is OME-XML and GLib is not installed */
rug_status rugi_tiff_parse_text(rug_context *ctx, rugi_tiff_text *out, const char *text,
                                const char *path);

/** The page of a slice, counted among all that the text describes.
 *  @param z, c, t  from 0 */
static inline size_t rugi_tiff_page_of(const rugi_tiff_text *text, size_t z, size_t c,
                                       size_t t)
{
    size_t page = 0, step = 1;
    for (const char *axis = text->order + 2; *axis != '\0'; axis++) {
        page += step * (*axis == 'Z' ? z : *axis == 'C' ? c : t);
        step *= (size_t)(*axis == 'Z'   ? text->n_slices
                         : *axis == 'C' ? text->n_channels
                                        : text->n_times);
    }
    return page;
}

/** Writes a unit in the house's form: every micrometre is "um", cm and inch become mm.
 *  @param unit    as written; replaced
 *  @param factor  what the numbers must be multiplied by
 *  @return nonzero when the unit is a length */
int rugi_normalise_unit(char unit[RUGI_UNIT_MAX], double *factor);

#endif
