/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Filters of a region's planes, and their part of the stream. */

#ifndef RUGI_IFS_PATCH_FILTER_H
#define RUGI_IFS_PATCH_FILTER_H

#include "ifs/filter/ifs_filter.h"
#include "ifs_patch_picture.h"

/** The filters of all planes. */
typedef struct rugi_ifs_plane_filters {
    rugi_ifs_filters filters[RUGI_IFS_PATCH_PLANES];
    uint8_t
        *on[RUGI_IFS_PATCH_PLANES]; /* [rows of roots][roots a row] of the whole plane */
    uint32_t nx[RUGI_IFS_PATCH_PLANES], ny[RUGI_IFS_PATCH_PLANES]; /* roots */
} rugi_ifs_plane_filters;

/** Memory for those of an image, none on.
 *  @return RUG_OK, RUG_E_NOMEM; either way rugi_ifs_plane_filters_end() */
rug_status rugi_ifs_plane_filters_begin(rug_context *ctx, rugi_ifs_plane_filters *filters,
                                        const rugi_ifs_tiled *t);
void rugi_ifs_plane_filters_end(rug_context *ctx, rugi_ifs_plane_filters *filters);

/** Writes or reads them, plane by plane. */
void rugi_ifs_code_plane_filters(rugi_ifs_coder *coder, rugi_ifs_plane_filters *filters,
                                 const rugi_ifs_tiled *t);

/** The plane of a region as filters see it. */
rugi_ifs_unfiltered rugi_ifs_unfiltered_of(const rugi_ifs_region *region, int plane);

/** Filters a plane of a region: its samples are others afterwards.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_ifs_filter_plane(rug_context *ctx, rugi_ifs_region *region, int plane,
                                 const rugi_ifs_plane_filters *filters);

#endif
