/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Co-occurrence of one cell as Gipp et al. (2009) formulate it: a matrix without the rows and
 * columns of grey levels that do not occur, and each feature by sums over that matrix. */

#ifndef BENCH_GLCM_PACKED_H
#define BENCH_GLCM_PACKED_H

#include <rugose/glcm.h>
#include <stddef.h>
#include <stdint.h>

/** The steps, each of which is timed. */
typedef enum packed_step {
    PACKED_MATRIX,    /**< the matrix, cleared, counted and divided by its sum */
    PACKED_MARGINALS, /**< sums of rows, and over i + j and |i - j| */
    PACKED_F1,
    PACKED_F2_F10_F11, /**< from |i - j| */
    PACKED_F3_F4,
    PACKED_F5,
    PACKED_F6_F8, /**< f6, f7 and f8, from i + j */
    PACKED_F9,
    PACKED_F12_F13,
    PACKED_N_STEPS
} packed_step;

extern const char *const packed_step_names[PACKED_N_STEPS];

/** A cell cut out, and memory for its matrices. */
typedef struct packed_cell {
    size_t ny, nx, n_pixels;
    int32_t *rank;   /**< [ny][nx] among the levels that occur; -1: outside the cell */
    size_t n_levels; /**< that occur */
    double *level;   /**< [n_levels] rising */
    double *p, *px;  /**< [n_levels][n_levels], [n_levels] */
    double *plus, *minus;
    size_t n_plus, n_minus;
    size_t n_entries; /**< of the last matrix, those that are not 0 */
    double seconds[PACKED_N_STEPS];
} packed_cell;

/** Cuts out the pixels with a label; ends the program when there is no memory. */
void packed_cell_new(packed_cell *out, const uint16_t *pixels, const uint16_t *labels,
                     size_t ny, size_t nx, uint16_t label);
void packed_cell_free(packed_cell *cell);

/** Counts pairs of the cell at an offset both ways, and fills f1 to f13, entropies in bits;
 *  adds the times of the steps. */
void packed_measure(packed_cell *cell, int dy, int dx,
                    double features[RUG_GLCM_N_FEATURES]);

#endif
