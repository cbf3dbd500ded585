/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* libvips as the readers use it: started, silenced, and asked by content. */

#ifndef RUGI_VIPS_LIBRARY_H
#define RUGI_VIPS_LIBRARY_H

#include "io/base/reader.h"
#include <vips/vips.h>

/** Which part of a file libvips is to open. 0 or -1 leave an option alone, so that
 *  loaders without it work. */
typedef struct rugi_vips_part {
    const char *loader; /**< such as "tiffload" */
    int page;           /**< first page, from 0 */
    int n_pages;        /**< pages below each other; at least 1 */
    int level;          /**< of a whole slide, from 0 */
    int subifd;         /**< of a TIFF page; -1 = the page itself */
} rugi_vips_part;

/** Starts libvips once; fails when it is not there in a usable state.
 *  @return RUG_OK, RUG_E_IO */
rug_status rugi_vips_start(rug_context *ctx);

/** Keeps GObject from printing warnings about broken files, such as widths of 0.
 *  @return what rugi_vips_unhush() needs */
unsigned rugi_vips_hush(void);
void rugi_vips_unhush(unsigned hush);

/** Opens a part of a file for reading from top to bottom; pixels are read later. Packed
 *  ones (Radiance, CIELAB, LogLuv) become plain.
 *  @param out  to be released with g_object_unref()
 *  @return RUG_OK, RUG_E_FORMAT */
rug_status rugi_vips_open(rug_context *ctx, const rug_file *file,
                          const rugi_vips_part *part, VipsImage **out);

/** Fails with what libvips has to say, as one line that names the file.
 *  @param doing  such as "cannot be read" */
rug_status rugi_vips_fail(rug_context *ctx, const rug_file *file, const char *doing);

#endif
