/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pictures as TIFF, by the writer of <rugose/image_writer.h>. */

#ifndef RUGI_TIFF_WRITER_H
#define RUGI_TIFF_WRITER_H

#include <rugose/file.h>
#include <rugose/image_writer.h>

/** As rug_image_writer_open(), for a picture whose pixels have several samples, which stand together
 *  in its rows. It is compressed as photographs are.
 *  @param dtype      RUG_U8 or RUG_U16
 *  @param shape      [ny][nx]
 *  @param n_samples  1, or 3: red, green, blue; 2 and 4: with alpha behind them
 *  @param notes      what goes with the picture, there until the writer is; NULL: nothing */
rug_status rugi_tiff_writer_open(rug_context *ctx, rug_image_writer **out,
                                 const char *path, rug_dtype dtype, const size_t *shape,
                                 int n_samples, const rug_file_notes *notes);

#endif
