/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The boxes of all slices of a map of alpha, of every size, in one pass over the map. */

#ifndef RUGI_ALPHA_BOXES_H
#define RUGI_ALPHA_BOXES_H

#include "alpha_slice_kernels.h"
#include <rugose/image.h>

/** Sizes at most: 1, 2, 4 … 2^63. */
#define RUGI_ALPHA_MAX_SIZES 64

/** A slice and its boxes. */
typedef struct rugi_alpha_counted {
    rug_alpha_slice slice;
    uint64_t boxes[RUGI_ALPHA_MAX_SIZES]; /* [i]: of size 2^i */
} rugi_alpha_counted;

typedef struct rugi_alpha_boxes {
    rug_image map;  /* [nz][ny][nx], F32; nz = 1 for an image */
    rug_image mask; /* with the same axes; data NULL: no mask */
    int box_axes;   /* D: 2 or 3 */
    const rugi_alpha_slice_kernels *kernels;
    uint32_t n_sizes;
    rugi_alpha_counted *slices; /* [cut.n]: boxes[0 .. n_sizes - 1] are filled */
    rugi_alpha_cut cut;         /* filled */
    uint64_t n_pixels;          /* filled: inside the mask */
    uint64_t n_undefined;       /* filled: of them, without an alpha */
} rugi_alpha_boxes;

/** Cuts the range min..max, finite, into n slices, and counts their boxes; min may be
 *  max.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_alpha_count_boxes(rug_context *ctx, rugi_alpha_boxes *job, uint32_t n,
                                  double min, double max);

#endif
