/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Images as planes that are coded: one colour transform, padded to whole blocks. */

#ifndef RUGI_IFS_COLOUR_H
#define RUGI_IFS_COLOUR_H

#include "ifs_encode.h"
#include <rugose/ifs.h>

/** An image as it is coded. */
typedef struct rugi_ifs_image {
    const rug_image *views; /* the caller's */
    int n_planes;
    unsigned depth;  /* of a pixel of the views: 8 or 16 */
    unsigned bits;   /* that its largest value needs, at least 1 */
    uint32_t nx, ny; /* without padding */
    rugi_ifs_pixels planes[RUG_IFS_PLANES_MAX];
} rugi_ifs_image;

/** @return RUG_OK, RUG_E_ARG with an error text */
rug_status rugi_ifs_check_views(rug_context *ctx, const rug_image *views, int n_planes);

/** Reads views that were checked.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED; either way rugi_ifs_image_free() */
rug_status rugi_ifs_image_read(rug_context *ctx, rugi_ifs_image *in,
                               const rug_image *views, int n_planes);
void rugi_ifs_image_free(rug_context *ctx, rugi_ifs_image *in);

/** Bits of a coded plane: those of chroma have one more. */
static inline unsigned rugi_ifs_plane_depth(const rugi_ifs_image *image, int plane)
{
    return image->n_planes > 1 && plane > 0 ? image->depth + 1 : image->depth;
}

/** The sum of squared errors of decoded planes, over all pixels and colours.
 *  @param decoded  [n_planes], each [ny][nx] of the padded planes in 1/64 of a grey level */
rug_status rugi_ifs_squared_error(rug_context *ctx, double *out, const rugi_ifs_image *in,
                                  int32_t *const decoded[RUG_IFS_PLANES_MAX]);

#endif
