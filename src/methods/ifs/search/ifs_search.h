/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The exact search: of all domains and 8 symmetries, the one that leaves a range the least
 * squared error. */

#ifndef RUGI_IFS_SEARCH_H
#define RUGI_IFS_SEARCH_H

#include <rugose/context.h>
#include <stddef.h>
#include <stdint.h>

/** One plane, continued by its last row and column to whole ranges or blocks. */
typedef struct rugi_ifs_plane {
    uint16_t *pixels;
    size_t nx, ny; /* pixels a row without padding between rows; rows */
} rugi_ifs_plane;

/** Where a range of the job's size lies. */
typedef struct rugi_ifs_place {
    uint32_t x, y;
} rugi_ifs_place;

/** What was found for one range. With n = size², r the range's pixels and d the domain's,
 *  each the sum of 2 x 2 pixels of the source, turned:
 *  cross = sum (n r - sum r)(d - mean d) = n sum r d - sum r sum d, exactly. */
typedef struct rugi_ifs_match {
    uint32_t x, y;    /* the domain's first pixel */
    uint8_t symmetry; /* as in rug_ifs_transform */
    uint8_t found;    /* 0: a flat range, or no domain with variance */
    int64_t cross;    /* n sum r d - sum r sum d */
    uint64_t norm2;   /* n sum d² - (sum d)² */
    double s;     /* of the mean of 2 x 2 pixels: 4 cross / norm2, clamped to ±s_max */
    double error; /* sum of squared errors of the range with s and the best mean */
} rugi_ifs_match;

/** One search. */
typedef struct rugi_ifs_search_job {
    const rugi_ifs_plane *image;  /* of the ranges; OVERLAP: ranges go round its edges */
    const rugi_ifs_plane *source; /* of the domains */
    uint32_t size;                /* of a range, 2..32 */
    uint32_t step; /* domains begin at multiples of it, wholly inside of the source */
    double s_max;  /* above 0, at most 1; taken down to a multiple of 2^-28 */
    const rugi_ifs_place *ranges;
    size_t n_ranges;
    rugi_ifs_match *matches; /* [n_ranges] */
    const char *engine;      /* what ran */
} rugi_ifs_search_job;

/** Runs a search on the engine that the context's device choice picks: the same matches on every
 *  engine, CPU level and number of threads. Ties go to the lowest domain, then symmetry.
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_DEVICE, RUG_E_CANCELLED */
rug_status rugi_ifs_search(rug_context *ctx, rugi_ifs_search_job *job);

/** Where pixel (y, x) of a turned block of side n is found in the block as it lies: its
 *  index, row by row. */
size_t rugi_ifs_turned(unsigned symmetry, size_t n, size_t y, size_t x);

#endif
