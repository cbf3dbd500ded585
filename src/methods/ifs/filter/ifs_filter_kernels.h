/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What a CPU level does for the filters of a plane: one root, a block of 32 x 32 pixels, at
 * a time. FORMAT.md says it in formulas. */

#ifndef RUGI_IFS_FILTER_KERNELS_H
#define RUGI_IFS_FILTER_KERNELS_H

#include "core/context/levels.h"
#include "ifs/stream/ifs_syntax.h"

/** Pixels around a root that matter; rows of a root with them; columns that are read, more than
 *  matter, so that they are whole vectors. */
#define RUGI_IFS_FILTER_EDGE  3
#define RUGI_IFS_FILTER_ROWS  (RUGI_IFS_BLOCK + 2 * RUGI_IFS_FILTER_EDGE)
#define RUGI_IFS_FILTER_PITCH 48

/** Squares of 4 x 4 pixels: along a side of a root, and in it. */
#define RUGI_IFS_FILTER_SIDE    (RUGI_IFS_BLOCK / RUGI_IFS_LEAST)
#define RUGI_IFS_FILTER_SQUARES (RUGI_IFS_FILTER_SIDE * RUGI_IFS_FILTER_SIDE)

/** Classes of squares, and how the filter of a class lies: bit 0 exchanges rows and columns,
 *  bit 1 the diagonals. A kind is 4 class + orientation. */
#define RUGI_IFS_FILTER_DIRECTIONS   5
#define RUGI_IFS_FILTER_ACTIVITIES   8
#define RUGI_IFS_FILTER_CLASSES      (RUGI_IFS_FILTER_DIRECTIONS * RUGI_IFS_FILTER_ACTIVITIES)
#define RUGI_IFS_FILTER_ORIENTATIONS 4
#define RUGI_IFS_FILTER_KINDS        (RUGI_IFS_FILTER_CLASSES * RUGI_IFS_FILTER_ORIENTATIONS)

/** Taps: pairs of pixels on both sides of one; those from LINEAR on are limited. They are in
 *  2^-SHIFT. */
#define RUGI_IFS_FILTER_TAPS   14
#define RUGI_IFS_FILTER_LINEAR 8
#define RUGI_IFS_FILTER_SHIFT  6

/** What is measured of each pixel: the differences of its taps, its error, and a 0. */
#define RUGI_IFS_FILTER_VALUES 16

/** A root with its edge: row y, column x of it is [y + EDGE][x + EDGE]. */
typedef int32_t rugi_ifs_filter_window[RUGI_IFS_FILTER_ROWS][RUGI_IFS_FILTER_PITCH];

/** Pixels of a root. */
typedef int32_t rugi_ifs_filter_root[RUGI_IFS_BLOCK][RUGI_IFS_BLOCK];

/** Sums of products of values. */
typedef double rugi_ifs_filter_sums[RUGI_IFS_FILTER_VALUES][RUGI_IFS_FILTER_VALUES];

/** The taps of each kind. */
typedef int16_t rugi_ifs_filter_table[RUGI_IFS_FILTER_KINDS][RUGI_IFS_FILTER_TAPS];

/** A CPU level. Pixels are numbers of 16 bits; limit is 1..46340. */
typedef struct rugi_ifs_filter_kernels {
    /** The kinds of the squares of a root, row by row. */
    void (*classify)(uint8_t kinds[RUGI_IFS_FILTER_SQUARES],
                     rugi_ifs_filter_window window, int32_t limit);
    /** Filters a root; pixels are limited to least..most. |taps| are below 2^SHIFT. */
    void (*apply)(rugi_ifs_filter_root out, rugi_ifs_filter_window window,
                  const uint8_t kinds[RUGI_IFS_FILTER_SQUARES],
                  rugi_ifs_filter_table table, int32_t limit, int32_t least,
                  int32_t most);
    /** Adds the products of each pixel's values to the sums of its kind; of used_x columns
     *  and used_y rows. Only products [k][l] with l <= k are valid.
     *  @param sums   [RUGI_IFS_FILTER_KINDS]
     *  @param error  original - decoded */
    void (*measure)(rugi_ifs_filter_sums *sums, rugi_ifs_filter_window window,
                    rugi_ifs_filter_root error,
                    const uint8_t kinds[RUGI_IFS_FILTER_SQUARES], int32_t limit,
                    uint32_t used_x, uint32_t used_y);
} rugi_ifs_filter_kernels;

RUGI_KERNEL_LEVELS_X86(rugi_ifs_set_filter_kernels, rugi_ifs_filter_kernels)

#endif
