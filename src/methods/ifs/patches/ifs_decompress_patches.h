/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Streams of version 3 to pictures, and to transforms. */

#ifndef RUGI_IFS_DECOMPRESS_PATCHES_H
#define RUGI_IFS_DECOMPRESS_PATCHES_H

#include <rugose/ifs.h>

/** rug_ifs_decompress() of such a stream, with options that were checked as far as they
 *  do not depend on it.
 *  @param out  zeroed; filled on RUG_OK, else to be freed */
rug_status rugi_ifs_decompress_patches(rug_context *ctx, rug_ifs_picture *out,
                                       const uint8_t *bytes, size_t size,
                                       const rug_ifs_decode_options *opts);

/** rug_ifs_read_transforms() of such a stream. A patch that has no domain is its mean. */
rug_status rugi_ifs_show_patches(rug_context *ctx, const uint8_t *bytes, size_t size,
                                 uint64_t pixels_max, rug_ifs_transform_fn fn,
                                 void *user);

#endif
