/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The small picture that a progressive stream begins with. */

#ifndef RUGI_IFS_PREVIEW_H
#define RUGI_IFS_PREVIEW_H

#include "ifs/cells/ifs_tiles.h"
#include "ifs/encode/ifs_job.h"

/** Codes the image reduced by RUGI_IFS_PREVIEW along each side, as a stream of its own.
 *  @param out  its bytes, owned by the caller, on RUG_OK
 *  @param t    the header of the image: values have its range */
rug_status rugi_ifs_make_preview(rug_context *ctx, rugi_ifs_part *out,
                                 const rugi_ifs_job *job, const rugi_ifs_tiled *t);

#endif
