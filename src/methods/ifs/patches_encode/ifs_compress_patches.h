/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Streams of version 3. */

#ifndef RUGI_IFS_COMPRESS_PATCHES_H
#define RUGI_IFS_COMPRESS_PATCHES_H

#include "ifs/encode/ifs_job.h"

/** Codes an image as the job says.
 *  @param out  filled on RUG_OK, zeroed otherwise */
rug_status rugi_ifs_compress_patches(rug_context *ctx, rug_ifs_stream *out,
                                     const rugi_ifs_job *job);

#endif
