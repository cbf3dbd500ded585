/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reading TIFF files that are no whole slides. */

#ifndef RUGI_TIFF_READER_H
#define RUGI_TIFF_READER_H

#include "io/base/reader.h"

/** Opens a TIFF file: a page, a level of it, or all pages as a volume. */
rug_status rugi_open_tiff(rug_context *ctx, rug_file *file, const rug_read_options *opts);

#endif
