/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What a CPU level does for a patch: its prediction, and its residual. Whole numbers, so the
 * levels cannot differ. A patch of n samples a side at octave o has n = side << o. */

#ifndef RUGI_IFS_PATCH_KERNELS_H
#define RUGI_IFS_PATCH_KERNELS_H

#include "core/context/levels.h"
#include "ifs/stream/ifs_isometry.h"
#include "ifs_patches.h"

/** The largest octave, and the largest side of a patch there. */
#define RUGI_IFS_PATCH_OCTAVE_MAX 4
#define RUGI_IFS_PATCH_MOST       (RUGI_IFS_BLOCK << RUGI_IFS_PATCH_OCTAVE_MAX)

/** What lies around a patch: 2 n samples to the left, from below up, the corner, and 2 n above, from
 *  left to right. Index 0 is the corner, -1 the first one to the left, 1 the first above. */
typedef struct rugi_ifs_edges {
    int16_t samples[4 * RUGI_IFS_PATCH_MOST + 1];
    int16_t smooth[4 * RUGI_IFS_PATCH_MOST + 1];
    int32_t mean; /* of the n to the left and the n above */
} rugi_ifs_edges;

/** A block that a patch is predicted from, in a plane. */
typedef struct rugi_ifs_source {
    const int16_t *from;
    size_t pitch;
    unsigned halved; /* 1: 2 x 2 samples become their sum */
} rugi_ifs_source;

static inline int32_t rugi_ifs_source_at(const rugi_ifs_source *s, size_t y, size_t x)
{
    const int16_t *at = s->from + (y * s->pitch + x) * (1 + s->halved);
    return s->halved ? at[0] + at[1] + at[s->pitch] + at[s->pitch + 1] : at[0];
}

/** What samples become: mean + slope (sample - middle) / 2^shift, rounded. */
typedef struct rugi_ifs_line {
    int32_t mean, middle, slope;
    unsigned shift;
} rugi_ifs_line;

/** The residual of a patch. */
typedef struct rugi_ifs_rest {
    const int32_t *coefs;   /* [side²] row by row, in half steps */
    const uint16_t *places; /* [n_places] those that may be other than 0 */
    uint32_t n_places;
    uint32_t side, n;
    int is_symmetric; /* functions of even numbers are, the others but for the sign: cosines */
    const int16_t *basis; /* [side][n] the functions, in 1/4096 */
    int32_t delta;
    int shift; /* from half steps to coefficients */
} rugi_ifs_rest;

/** Values of pixels. */
typedef struct rugi_ifs_levels {
    unsigned depth; /* bits of value - minimum, 1..16 */
    int32_t minimum, most;
    int is_colour; /* samples are Y, Co, Cg, pixels red, green and blue */
} rugi_ifs_levels;

typedef struct rugi_ifs_patch_kernels {
    /** Straight continuation of edges.
     *  @param out    [n][n], rows one after the other
     *  @param edge   the edge, edge[0] its corner; as many before it as the angle needs
     *  @param slope  in 1/32, -32..32
     *  @param is_sharp  between samples by cubics, which take one sample more at either end */
    void (*project)(int16_t *out, const int16_t *edge, uint32_t n, int slope,
                    int is_sharp);
    void (*planar)(int16_t *out, const int16_t *corner, uint32_t n);
    void (*median)(int16_t *out, const int16_t *corner, uint32_t n);
    /** Draws a prediction to its edges.
     *  @param left, above  [n] weights of 64 of columns and rows
     *  @param is_straight  edges tell how samples change, not what they are */
    void (*pull)(int16_t *out, const int16_t *corner, uint32_t n, const int16_t *left,
                 const int16_t *above, int is_straight);
    /** mean + k (source - its mean) / 8 of a halved source, under an isometry. */
    void (*copy)(int16_t *out, const rugi_ifs_source *source, uint32_t n, int32_t mean,
                 int32_t k, unsigned symmetry);
    /** The samples of a source along a line. */
    void (*follow)(int16_t *out, const rugi_ifs_source *source, uint32_t n,
                   const rugi_ifs_line *line);
    /** Adds the residual to a prediction. */
    void (*add)(int16_t *out, size_t pitch, const int16_t *prediction,
                const rugi_ifs_rest *rest);
    /** Samples of all planes to pixels, in place.
     *  @param samples  [planes][n] */
    void (*pixels)(int32_t *samples, size_t n, const rugi_ifs_levels *levels);
    /** Pixels of 0..255 as bytes. */
    void (*narrow)(uint8_t *out, const int32_t *pixels, size_t n);
} rugi_ifs_patch_kernels;

RUGI_KERNEL_LEVELS_X86(rugi_ifs_set_patch_kernels, rugi_ifs_patch_kernels)

#endif
