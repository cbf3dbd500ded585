/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* An image as samples, and what is known of it before it is coded. */

#ifndef RUGI_IFS_PATCH_IMAGE_H
#define RUGI_IFS_PATCH_IMAGE_H

#include "ifs/encode/ifs_job.h"
#include "ifs/patches/ifs_patch_picture.h"

/** The originals of a region that is the whole image: planes of the same shape and pitch. */
typedef struct rugi_ifs_patch_image {
    const rugi_ifs_job *job;
    int16_t *samples[RUGI_IFS_PATCH_PLANES];
    int is_flat[RUGI_IFS_PATCH_PLANES]; /* all samples are equal */
    float *weights; /* [roots of luma] of squared errors; NULL: all 1 */
} rugi_ifs_patch_image;

/** The range of an image's values: minimum and depth of a header. */
void rugi_ifs_find_range(const rugi_ifs_job *job, rugi_ifs_tiled *t);

/** @param region  of the whole image, of the coded size
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED; either way rugi_ifs_patch_image_free() */
rug_status rugi_ifs_patch_image_read(rug_context *ctx, rugi_ifs_patch_image *image,
                                     const rugi_ifs_job *job,
                                     const rugi_ifs_region *region);
void rugi_ifs_patch_image_free(rug_context *ctx, rugi_ifs_patch_image *image);

#endif
