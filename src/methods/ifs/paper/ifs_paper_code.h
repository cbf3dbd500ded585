/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The transforms of one plane, and the decoder that repeats them in single precision. */

#ifndef RUGI_IFS_PAPER_CODE_H
#define RUGI_IFS_PAPER_CODE_H

#include <rugose/ifs_paper.h>

/** Grids of ranges: one, or four that are half a range apart. */
#define RUGI_IFS_GRIDS_MAX 4

struct rug_ifs_code {
    rug_context *ctx;
    rug_dtype dtype;
    uint32_t nx, ny;             /* of the image */
    uint32_t padded_x, padded_y; /* continued to whole ranges and at least one domain */
    uint32_t size;               /* of a range */
    int n_grids;
    int wraps; /* domains that cross an edge go on at the opposite one */
    size_t n;  /* transforms, as many of each grid */
    rug_ifs_transform *transforms;
};

/** Ranges of 16 bits cannot have more variance. */
#define RUGI_IFS_SHADOW_MAX (65535.0 * 65535 / 4)

/** How a plane is coded. */
typedef struct rugi_ifs_settings {
    uint32_t size; /* of a range, 2..32; of several grids even */
    uint32_t step; /* of domains, 1..1024 */
    int n_grids;
    double s_max;        /* above 0, at most 1 */
    double shadow_limit; /* from 0 on: the largest variance of a range without a domain */
    int wraps;           /* domains may cross an edge and go on at the opposite one */
} rugi_ifs_settings;

/** Finds the transforms of a plane and settings that were checked; rug_ifs_code_free(). */
rug_status rugi_ifs_find(rug_context *ctx, rug_ifs_code **out, const rug_image *plane,
                         const rugi_ifs_settings *settings);

/** The largest value of a pixel. */
static inline float rugi_ifs_top(rug_dtype dtype)
{
    return dtype == RUG_U8 ? 255.0f : 65535.0f;
}

/** Sees the pixels after an iteration: [padded_y scale][padded_x scale].
 *  @return RUG_OK; anything else ends the decoder */
typedef rug_status (*rugi_ifs_pixels_fn)(void *user, uint32_t iteration,
                                         const float *pixels);

/** Repeats the transforms.
 *  @param pixels  [padded_y scale][padded_x scale], from rug_context_allocate(); the
 *                caller's on RUG_OK, else NULL
 *  @param see    or NULL */
rug_status rugi_ifs_repeat(rug_context *ctx, float **pixels, const rug_ifs_code *code,
                           uint32_t scale, uint32_t iterations, rugi_ifs_pixels_fn see,
                           void *user);

/** Checks a plane: an image of U8 or U16 with sides up to RUG_IFS_SIDE_MAX.
 *  @return RUG_OK, RUG_E_ARG */
rug_status rugi_ifs_check_plane(rug_context *ctx, const rug_image *plane);

#endif
