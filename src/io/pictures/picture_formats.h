/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Formats of flat pictures that are read and written here. */

#ifndef RUGI_PICTURE_FORMATS_H
#define RUGI_PICTURE_FORMATS_H

#include "io/base/reader.h"
#include <stdio.h>

/** A format. Its reader or its writer may be elsewhere. */
typedef struct rugi_picture {
    rugi_reader reader;
    /** Loads what writing needs; NULL = nothing. @return RUG_OK, RUG_E_UNSUPPORTED */
    rug_status (*load)(rug_context *ctx, const char *path);
    /** Writes planes.
     *  @param path    for messages
     *  @param planes  n_planes (1, or 3: red, green, blue; 2 and 4: alpha behind them) of one shape
     *                 [ny][nx], u8 or u16, any strides
     *  @param notes   what goes with them; NULL: nothing
     *  @param is_quick  fewer seconds rather than fewer bytes, and a palette for few colours,
     *                   where the format has such a choice
     *  @return RUG_OK, RUG_E_NOMEM, RUG_E_IO, RUG_E_UNSUPPORTED (no library), RUG_E_CANCELLED */
    rug_status (*write)(rug_context *ctx, const char *path, FILE *out,
                        const rug_image *planes, int n_planes,
                        const rug_file_notes *notes, int is_quick);
    /** Likewise, to a file that it opens itself; NULL: the other does it. */
    rug_status (*write_file)(rug_context *ctx, const char *path, const rug_image *planes,
                             int n_planes, const rug_file_notes *notes);
} rugi_picture;

extern const rugi_picture rugi_png;
extern const rugi_picture rugi_pnm;

/** Weaves row y of planes into pixels.
 *  @param to  n_planes values of each pixel, without padding */
void rugi_weave_row(void *to, const rug_image *planes, int n_planes, size_t y);

#endif
