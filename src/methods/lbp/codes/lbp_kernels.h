/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What a CPU level does for local binary patterns: one column offset in one row of a tile.
 *
 * Rows come one by one. When row n is there, all samples that have a column offset are
 * interpolated between its pixels, once; and each sample whose lower pixel is in row n is
 * interpolated between that and what was kept of row n - 1, and compared with its centre,
 * which lies in another row. So a row of each column offset is all that is kept, however
 * large the radius. The bits of a comparison go to a plane of their own: 64 pixels are one
 * word, and what follows works on planes. */

#ifndef RUGI_LBP_KERNELS_H
#define RUGI_LBP_KERNELS_H

#include "core/context/levels.h"
#include "lbp/plan/lbp_plan.h"

/** Pixels of a tile's row. */
#define RUGI_LBP_TILE 512

/** Words of a plane: one vector of AVX-512. */
#define RUGI_LBP_WORDS (RUGI_LBP_TILE / 64)

/** Planes of a number up to 33. */
#define RUGI_LBP_NUMBER_PLANES 6

/** How a sample is made of a row and the row before. */
typedef enum rugi_lbp_rows {
    RUGI_LBP_ROW,      /**< of the row alone: no interpolation */
    RUGI_LBP_SAME_ROW, /**< interpolated between the row and itself, which differs from
                            RUGI_LBP_ROW where a pixel is infinite */
    RUGI_LBP_TWO_ROWS
} rugi_lbp_rows;

/** One sample of the column. */
typedef struct rugi_lbp_test {
    rugi_lbp_rows rows;
    double weight;      /* of the row; that of the row before is the rest */
    const void *centre; /* [RUGI_LBP_TILE] */
    uint64_t *plane;    /* [RUGI_LBP_WORDS], overwritten */
} rugi_lbp_test;

/** One column offset in one row. Pixels are double, float by the rule FLOAT. */
typedef struct rugi_lbp_column {
    const void *left, *right; /* [RUGI_LBP_TILE] pixels of the row around the samples; one
                                 may be the other. The lines of the cache that they begin
                                 and end in can be read, and the next one */
    const void *kept;         /* [RUGI_LBP_TILE] values of the row before */
    void *here; /* [RUGI_LBP_TILE] filled with those of this row; may be the same memory
                   where at most two samples lie between rows */
    /* [RUGI_LBP_TILE] of the right pixels; NULL: all are `weight` */
    const double *weights;
    double weight;
    int is_whole;            /* no interpolation: the left pixels are the values */
    int is_kept;             /* the next row needs the values of this one */
    int n_two_rows, n_tests; /* those between rows come first */
    rugi_lbp_test test[RUG_LBP_MAX_POINTS]; /* the first two can always be read */
    size_t n_words;                         /* of the planes */
} rugi_lbp_column;

/** Numbers of pixels by riu2. */
typedef struct rugi_lbp_riu2 {
    uint32_t points;
    const uint64_t (*planes)[RUGI_LBP_WORDS]; /* [points] */
    uint64_t valid[RUGI_LBP_WORDS];           /* pixels that are counted */
    uint64_t (*codes)[RUGI_LBP_WORDS]; /* [RUGI_LBP_NUMBER_PLANES] of the codes; NULL: not
                                          requested */
    uint64_t (*counts)[RUGI_LBP_WORDS]; /* [points + 2], one for each word; NULL:
                                                 nothing is counted */
} rugi_lbp_riu2;

/** The variance of samples in one row. */
typedef struct rugi_lbp_variance {
    uint32_t points;
    int is_whole[RUG_LBP_MAX_POINTS]; /* both offsets: the top left pixel is the value */
    /* top left, top right, bottom left, right */
    const double *pixel[RUG_LBP_MAX_POINTS][4];
    const double *col_weights[RUG_LBP_MAX_POINTS]; /* of the right pixels */
    double row_weight[RUG_LBP_MAX_POINTS];         /* of the bottom pixels */
    size_t n;                                      /* at most RUGI_LBP_TILE */
} rugi_lbp_variance;

/** A CPU level. */
typedef struct rugi_lbp_kernels {
    const char *name;                            /* "cpu-avx512"; static text */
    void (*column[3])(const rugi_lbp_column *c); /* by rug_lbp_exact */
    void (*riu2)(const rugi_lbp_riu2 *r);
    /** Bit k of bytes[x] is bit x of planes[k]. n_planes is at most 8. */
    void (*spread)(uint8_t *bytes, const uint64_t (*planes)[RUGI_LBP_WORDS],
                   uint32_t n_planes);
    /** n contiguous pixels of a dtype other than RUG_BIT as doubles or floats. */
    void (*to_double)(double *out, const void *pixels, rug_dtype dtype, size_t n);
    void (*to_float)(float *out, const void *pixels, rug_dtype dtype, size_t n);
    void (*variance)(double *out, const rugi_lbp_variance *v);
} rugi_lbp_kernels;

RUGI_KERNEL_LEVELS(rugi_lbp_set_kernels, rugi_lbp_kernels)

#endif
