/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What follows once all tiles are coded: how their edges are smoothed, and how far the picture is
 * from the image. */

#ifndef RUGI_IFS_PATCH_FINISH_H
#define RUGI_IFS_PATCH_FINISH_H

#include "ifs_patch_image.h"

typedef struct rugi_ifs_finishing {
    rug_context *ctx;
    rugi_ifs_region *region; /* as it is decoded; is smoothed */
    const rugi_ifs_patch_image *image;
    rugi_ifs_tiled *tiled; /* the header: its planes get their strengths */
} rugi_ifs_finishing;

/** Chooses the strength of smoothing of each plane that helps most.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_ifs_choose_edges(const rugi_ifs_finishing *finishing);

/** Finds the filters of all planes, filters the region, and writes them into the header's part.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_ifs_choose_filters(const rugi_ifs_finishing *finishing,
                                   double lambda_factor);

/** The squared error of the picture, over all pixels and colours. */
rug_status rugi_ifs_measure_region(const rugi_ifs_finishing *finishing,
                                   double *squared_error);

#endif
