/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A range of alpha cut into slices, and which slice an alpha is in. */

#ifndef RUGI_ALPHA_CUT_H
#define RUGI_ALPHA_CUT_H

#include <rugose/multifractal_alpha.h>
#include <stdint.h>

/** In no slice. */
#define RUGI_ALPHA_NO_SLICE UINT16_MAX

typedef struct rugi_alpha_cut {
    uint32_t n; /* slices */
    double edge[RUG_ALPHA_MAX_SLICES +
                1]; /* ascending; slice i: edge[i] <= alpha < edge[i + 1],
                                              the last one with its upper edge */
    /* The same for single precision without exceptions: slice i is least[i] <= alpha <
     * least[i + 1]. */
    float least[RUG_ALPHA_MAX_SLICES + 1];
    /* Slices are of equal width: with t = (alpha - least[0]) * scale, rounded twice, the
     * slice is between the whole parts of t - slack and t + slack, which are the same but
     * near edges. */
    float scale, slack;
    int has_guess; /* 0: they are too narrow for that */
} rugi_alpha_cut;

/** Cuts min..max, finite, into n slices; min may be max. */
void rugi_alpha_cut_make(rugi_alpha_cut *cut, uint32_t n, double min, double max);

/** The slice of an alpha by halving; RUGI_ALPHA_NO_SLICE. */
uint16_t rugi_alpha_cut_find(const rugi_alpha_cut *cut, float alpha);

#endif
