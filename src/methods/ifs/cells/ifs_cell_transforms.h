/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The cells of a stream of version 3 as transforms. */

#ifndef RUGI_IFS_CELL_TRANSFORMS_H
#define RUGI_IFS_CELL_TRANSFORMS_H

#include <rugose/ifs.h>

/** rug_ifs_read_transforms() of such a stream. A cell that has no domain is its mean. */
rug_status rugi_ifs_show_cells(rug_context *ctx, const uint8_t *bytes, size_t size,
                               uint64_t pixels_max, rug_ifs_transform_fn fn, void *user);

#endif
