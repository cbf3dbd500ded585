/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* An image as planes that are coded: one colour transform, padded to whole blocks. */

#ifndef RUGI_IFS_IMAGE_H
#define RUGI_IFS_IMAGE_H

#include "ifs_encode.h"

/** The planes of a job as they are coded. */
typedef struct rugi_ifs_image {
    const rugi_ifs_job *job;
    unsigned bits; /* that its largest value needs, at least 1 */
    rugi_ifs_pixels planes[RUG_IFS_PLANES_MAX];
} rugi_ifs_image;

/** @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED; either way rugi_ifs_image_free() */
rug_status rugi_ifs_image_read(rug_context *ctx, rugi_ifs_image *image,
                               const rugi_ifs_job *job);

#endif
