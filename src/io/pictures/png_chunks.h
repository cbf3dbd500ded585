/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What PNG files say besides pixels: the chunks eXIf, pHYs and iCCP, found and made. */

#ifndef RUGI_PNG_CHUNKS_H
#define RUGI_PNG_CHUNKS_H

#include "io/base/reader.h"

/** Notes the orientation of a file, and where notes are wanted its resolution and profile. Chunks may
 *  stand before or behind the pixels. What is damaged is not noted.
 *  @param in  the open file, which is read at places of its own
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_png_read_notes(rug_context *ctx, rug_file *file, int in);

/** Bytes of chunks of one size. */
#define RUGI_PNG_EXIF_BYTES 26
#define RUGI_PNG_PHYS_BYTES 9

/** Makes the bytes of a chunk eXIf that states an orientation. */
void rugi_png_make_exif(uint8_t to[RUGI_PNG_EXIF_BYTES], int orientation);

/** Makes those of a chunk pHYs.
 *  @return 0: nothing is known, or PNG cannot say it: 1 to 2^31 - 1 pixels in a metre */
int rugi_png_make_phys(uint8_t to[RUGI_PNG_PHYS_BYTES], const rug_file_notes *notes);

/** Makes those of a chunk iCCP, deflated without being made smaller.
 *  @param n  how many
 *  @return to be released with rug_context_release(); NULL with an error text */
uint8_t *rugi_png_make_profile(rug_context *ctx, size_t *n, const rug_file_notes *notes);

#endif
