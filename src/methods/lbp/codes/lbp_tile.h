/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The processor's way through a job: tiles of columns times bands of rows, and the worker
 * that codes one after the other. lbp_cpu.c makes what is declared here, lbp_tile.c works
 * with it. */

#ifndef RUGI_LBP_TILE_H
#define RUGI_LBP_TILE_H

#include "core/context/threads.h"
#include "lbp_kernels.h"

/** The samples of one column offset. */
typedef struct rugi_lbp_group {
    int n, n_two_rows; /* those between rows come first */
    uint8_t point[RUG_LBP_MAX_POINTS];
} rugi_lbp_group;

/** What all workers of a job share. */
typedef struct rugi_lbp_work {
    const rugi_lbp_job *job;
    rugi_lbp_kernels kernels;
    rug_image volume;   /* the job's rows with an axis z */
    int is_float;       /* pixels are float, else double */
    int is_strict;      /* pixels may be infinite: whole offsets are interpolated too */
    rug_lbp_exact rule; /* of the kernels */
    int needs_variance; /* VAR, or an operator has cuts */
    size_t before, behind;         /* columns, the most of all operators */
    int has_centres;               /* centres are not the pixels as they are */
    size_t n_kept_rows;            /* of pixels */
    size_t n_tiles, n_bands, band; /* rows of a band */
    double row_weight[RUG_LBP_MAX_OPERATORS][RUG_LBP_MAX_POINTS];    /* but for SKIMAGE */
    rugi_lbp_group group[RUG_LBP_MAX_OPERATORS][RUG_LBP_MAX_POINTS]; /* by column */
} rugi_lbp_work;

/** What a worker keeps for one operator. */
typedef struct rugi_lbp_state {
    char *kept[2];   /* [n_columns][RUGI_LBP_TILE] pixels */
    double *weights; /* [n_columns][RUGI_LBP_TILE] of the right pixels */
    int is_uniform[RUG_LBP_MAX_POINTS]; /* by column: all weights are the first */
    uint64_t (*planes)[RUGI_LBP_WORDS]; /* [row_mask + 1][points] */
    size_t row_mask;                    /* of the row that planes are kept of */
    rugi_lbp_span rows;                 /* of the band that have codes */
    rugi_lbp_span columns;              /* of the tile, from its first one on */
    size_t n_counters;                  /* of a bin */
    uint64_t *counts;                   /* [n_bins][n_counters], or NULL */
} rugi_lbp_state;

/** One thread's memory. */
typedef struct rugi_lbp_worker {
    RUGI_OWN_LINES const rugi_lbp_work *work;
    char *rows;         /* [n_kept_rows][before + RUGI_LBP_TILE + behind] pixels */
    size_t newest;      /* which of the rows was made last */
    ptrdiff_t newest_y; /* the image's row that it is */
    char *centres;      /* [above + below + 1][RUGI_LBP_TILE] pixels */
    void *scratch;      /* a row of pixels of any dtype */
    rugi_lbp_state state[RUG_LBP_MAX_OPERATORS];
    size_t x0, n;  /* columns of the tile at hand */
    size_t y0, y1; /* rows of the band at hand */
} rugi_lbp_worker;

/** Bytes of a pixel as a number. */
static inline size_t rugi_lbp_pixel_size(const rugi_lbp_work *work)
{
    return work->is_float ? sizeof(float) : sizeof(double);
}

/** Pixels of a row that is kept. */
static inline size_t rugi_lbp_row_width(const rugi_lbp_work *work)
{
    return work->before + RUGI_LBP_TILE + work->behind;
}

/** A weight by a rule that knows no coordinates. */
static inline double rugi_lbp_weight(rug_lbp_exact rule, int32_t decimal)
{
    return rule == RUG_LBP_EXACT_FLOAT ? (double)rugi_lbp_float_weight(decimal) : decimal;
}

/** How many counters a bin has, which are to be added up: where pixels are counted as planes
 *  one for each word of a plane, else 1.
 *  @param has_bins  whether the bins of pixels are requested */
static inline size_t rugi_lbp_counters(rug_lbp_method method, const rugi_lbp_operator *op,
                                       int has_bins)
{
    return method == RUG_LBP_RIU2 && op->n_cuts == 0 && !has_bins ? RUGI_LBP_WORDS : 1;
}

/** Codes tile number `task` % n_tiles in band `task` / n_tiles. */
void rugi_lbp_code_tile(rugi_lbp_worker *w, size_t task);

#endif
