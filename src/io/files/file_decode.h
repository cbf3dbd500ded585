/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pixels as they are handed out, made of what a reader decodes. */

#ifndef RUGI_FILE_DECODE_H
#define RUGI_FILE_DECODE_H

#include "io/base/reader.h"

/** Sets the image of a file that its reader has opened as it is handed out: turned, and with NaN.
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_file_plan_decoding(rug_context *ctx, rug_file *file,
                                   const rug_read_options *opts);

/** Has layers decoded, and notes how far the pass is.
 *  @param to  n layers of the image that is handed out */
rug_status rugi_file_decode(rug_context *ctx, rug_file *file, void *to, size_t first,
                            size_t n);

#endif
