/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Filters that bring a decoded plane nearer to the original: what they are, how they go
 * through the coder, and what they make of a plane. FORMAT.md is their specification. */

#ifndef RUGI_IFS_FILTER_H
#define RUGI_IFS_FILTER_H

#include "ifs/stream/ifs_coder.h"
#include "ifs_filter_kernels.h"

/** The most filters of a plane. */
#define RUGI_IFS_FILTERS_MAX 32

/** The choices of the limit, the half powers of 2 from 1 on. */
#define RUGI_IFS_FILTER_LIMITS 32

/** Taps are from -TAP_MAX to TAP_MAX, in 1/64. */
#define RUGI_IFS_FILTER_TAP_MAX 63

/** The filters of a plane. */
typedef struct rugi_ifs_filters {
    uint8_t n_filters; /* 0: the plane is not filtered, and the rest is 0 */
    uint8_t limit;     /* below RUGI_IFS_FILTER_LIMITS */
    uint8_t of_class[RUGI_IFS_FILTER_CLASSES]; /* 0: none, else filter of_class - 1 */
    int8_t taps[RUGI_IFS_FILTERS_MAX][RUGI_IFS_FILTER_TAPS];
} rugi_ifs_filters;

/** A plane to be filtered: 2^octave times as large as it is coded. */
typedef struct rugi_ifs_unfiltered {
    const int16_t *pixels; /* [ny][pitch] */
    size_t pitch;
    uint32_t nx, ny; /* multiples of 32 << octave */
    unsigned octave;
    int32_t least, most; /* what pixels are within, and limited to */
} rugi_ifs_unfiltered;

/** The limit itself, 1..46340, in the units of pixels. */
int32_t rugi_ifs_filter_limit(unsigned limit);

/** Writes, prices or reads filters. What is read is valid whatever the bytes are; else, too,
 *  `failed` of the coder says that they were wrong.
 *  @param on  [n_y][n_x] whether a root is filtered, 0 or 1; all 0 without filters */
void rugi_ifs_code_filters(rugi_ifs_coder *coder, rugi_ifs_filters *filters, uint8_t *on,
                           size_t n_x, size_t n_y);

/** Filters rows from..to-1, both multiples of 32 << octave. Of the plane no rows are read but
 *  these and 3 << octave on both sides of them.
 *  @param out  [ny][pitch], another one than the plane; only these rows are written
 *  @param on   of all roots of the plane */
void rugi_ifs_filter_rows(const rugi_ifs_filter_kernels *kernels, int16_t *out,
                          const rugi_ifs_unfiltered *plane, uint32_t from, uint32_t to,
                          const rugi_ifs_filters *filters, const uint8_t *on);

/* ---- Parts ---- */

/** The taps of each kind, as the classes have them. */
void rugi_ifs_filter_table_of(rugi_ifs_filter_table table,
                              const rugi_ifs_filters *filters);

/** The tap that stands in for one in an orientation. */
unsigned rugi_ifs_filter_tap(unsigned tap, unsigned orientation);

/** The window of a root at octave 0. */
void rugi_ifs_filter_window_of(rugi_ifs_filter_window out,
                               const rugi_ifs_unfiltered *plane, uint32_t x, uint32_t y);

#endif
