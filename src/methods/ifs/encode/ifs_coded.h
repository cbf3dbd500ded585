/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A whole image, coded once or as often as its target takes. */

#ifndef RUGI_IFS_CODED_H
#define RUGI_IFS_CODED_H

#include "ifs/stream/ifs_container.h"
#include "ifs_colour.h"
#include "ifs_plan.h"

/** An image as it was coded. */
typedef struct rugi_ifs_coded {
    rugi_ifs_header header;
    rugi_ifs_coder planes[RUG_IFS_PLANES_MAX]; /* bytes of each */
    uint64_t n_bytes;                          /* of the whole stream */
    double squared_error; /* of all pixels of the decoded image; QUADTREE only */
} rugi_ifs_coded;

void rugi_ifs_coded_free(rug_context *ctx, rugi_ifs_coded *coded);

/** Codes an image with one Δ, in 1/16 of a grey level.
 *  @param coded  filled on RUG_OK, zeroed otherwise; rugi_ifs_coded_free() */
rug_status rugi_ifs_code_once(rug_context *ctx, rugi_ifs_coded *coded,
                              const rugi_ifs_plan *plan, const rugi_ifs_tables *tables,
                              const rugi_ifs_image *image, uint32_t delta);

/** Codes an image as the plan's target asks for. */
rug_status rugi_ifs_code_to_target(rug_context *ctx, rugi_ifs_coded *coded,
                                   const rugi_ifs_plan *plan,
                                   const rugi_ifs_tables *tables,
                                   const rugi_ifs_image *image);

/** Codes an image by FIXED or OVERLAP. */
rug_status rugi_ifs_code_blocks(rug_context *ctx, rugi_ifs_coded *coded,
                                const rugi_ifs_plan *plan, const rug_ifs_options *opts,
                                const rug_image *views, int n_planes);

#endif
