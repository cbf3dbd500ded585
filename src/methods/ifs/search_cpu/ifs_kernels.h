/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What a CPU level does for the exact search: the screen, which computes in single precision
 * by how much each domain can lessen the error of a range, under all isometries at once.
 *
 * Of one pair of blocks in the basis, the sums of products SA1, SB1, SB2, SA2 of the four
 * kinds, and PP, QQ, PQ, QP of pairs (P, Q), give the products of the range with the domain
 * under all eight isometries: their largest size is
 *     max(|X1 + X2| + |PP + QQ|, |X1 - X2| + |PP - QQ|,
 *         |Y1 + Y2| + |PQ + QP|, |Y1 - Y2| + |PQ - QP|)
 * with X1, Y1 = SA1 ± SB1 and X2, Y2 = SB2 ± SA2. */

#ifndef RUGI_IFS_KERNELS_H
#define RUGI_IFS_KERNELS_H

#include "core/context/levels.h"
#include "ifs/search/ifs_search_plan.h"
#include "ifs_shrink.h"

/** Ranges that are screened at once. */
#define RUGI_IFS_RANGES 3

/** Some ranges against tiles of domains, in every form. */
typedef struct rugi_ifs_screen {
    rugi_ifs_forms forms;
    const float *ranges[RUGI_IFS_FORMS]; /* [rows][RUGI_IFS_RANGES] */
    const float *tiles[RUGI_IFS_FORMS];  /* of norm 1; the first one's rows begin here */
    size_t pitch[RUGI_IFS_FORMS];        /* values from one tile to the next */
    const float *caps; /* [n_tiles][RUGI_IFS_LANES] the largest s times the norm */
    size_t n_tiles;
    float floor[RUGI_IFS_RANGES]; /* the least score that is of interest */
    /* of the tile that was found; below the floor perhaps only what a score is at most */
    float scores[RUGI_IFS_RANGES][RUGI_IFS_LANES];
} rugi_ifs_screen;

/** A CPU level. */
typedef struct rugi_ifs_kernels {
    const char *name; /* "cpu-avx512"; static text */
    /** Finds the first tile, from `first` on, with a score that is not below the floor of
     *  its range, and fills the scores of that tile. With m the largest product and
     *  t = min(m, cap), a score is t (2 m - t): by how much the domain lessens the squared
     *  error of the range.
     *  @return the tile, or n_tiles */
    size_t (*screen)(rugi_ifs_screen *screen, size_t first);
    /** Shrinks RUGI_IFS_LANES blocks in the basis, of a size with more than one form.
     *  @param out  [rows of the forms][RUGI_IFS_LANES]
     *  @param in   [n][RUGI_IFS_LANES] */
    void (*shrink)(const rugi_ifs_forms *forms, float *out, const float *in,
                   rugi_ifs_lanes *lanes);
} rugi_ifs_kernels;

RUGI_KERNEL_LEVELS_X86(rugi_ifs_set_kernels, rugi_ifs_kernels)

#endif
