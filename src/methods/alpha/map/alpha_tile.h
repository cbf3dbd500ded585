/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* One tile of a map of alpha on the processor: a band of rows, some columns wide, that
 * goes through the slices of a volume one by one. */

#ifndef RUGI_ALPHA_TILE_H
#define RUGI_ALPHA_TILE_H

#include "alpha_kernels.h"

/** Columns of a tile at most. */
#define RUGI_ALPHA_TILE 512

/** What all threads share. */
typedef struct rugi_alpha_work {
    rugi_alpha_kernels kernels;
    const rugi_alpha_job *job;
    int reach, n_windows, n_parts, is_wide;
    size_t depth; /* slices that the largest window reaches: 2 reach + 1 */
    size_t
        n_rows; /* of a band and of what windows reach above and below of it, at most */
    size_t row; /* doubles of a row with what windows reach to its left and right */
    size_t columns, band, run;         /* columns, rows and slices of a tile */
    size_t n_columns, n_bands, n_runs; /* tiles along each axis */
} rugi_alpha_work;

/** Doubles of memory that a thread needs. */
size_t rugi_alpha_tile_doubles(const rugi_alpha_work *work);

/** Fills a tile of the map.
 *  @param memory  rugi_alpha_tile_doubles(), aligned, nobody else's */
void rugi_alpha_tile(const rugi_alpha_work *work, size_t tile, double *memory);

#endif
