/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* One label of a label image, cut out and counted. */

#ifndef RUGI_BOXCOUNT_CROP_H
#define RUGI_BOXCOUNT_CROP_H

#include "boxcount/bits/boxcount_bits.h"
#include <rugose/boxcount.h>
#include <rugose/regions.h>
#include <stddef.h>

/** What all labels of an image have in common. */
typedef struct rugi_labelling {
    rug_regions *regions;
    rug_foreground foreground; /* resolved */
    rugi_bits image;           /* its foreground */
    rugi_bits mask;            /* words NULL: none */
    const rug_boxcount_options *opts;
} rugi_labelling;

/** A crop whose memory is used again for the next label. */
typedef struct rugi_crop {
    rugi_bits bits;
    size_t n_held;
} rugi_crop;

/** What one thread works with; all 0 at first. */
typedef struct rugi_cropper {
    rugi_crop pixels, inside;   /* of the label at hand: its foreground, the mask */
    rug_boxcount_result result; /* 0 behind its n_sizes entries */
} rugi_cropper;

/** Counts the boxes of region i into the cropper's result.
 *  @return as rug_boxcount() */
rug_status rugi_cropper_count(rug_context *ctx, rugi_cropper *c, const rugi_labelling *l,
                              size_t i);

/** rug_boxcount() into a result that is all 0 already: setting 100 KB to 0 takes as long
 *  as counting a small label. */
rug_status rugi_boxcount_zeroed(rug_context *ctx, rug_boxcount_result *out,
                                const rug_image *img, const rug_boxcount_options *opts);

/** Bytes of a result before its counts. */
#define RUGI_RESULT_HEAD offsetof(rug_boxcount_result, counts)

/** Frees what a cropper holds. */
void rugi_cropper_free(rug_context *ctx, rugi_cropper *c);

#endif
