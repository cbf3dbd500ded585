/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Runs of equal labels, as they lie in the image. */

#ifndef RUGI_REGIONS_INTERNAL_H
#define RUGI_REGIONS_INTERNAL_H

#include <rugose/regions.h>

typedef struct rugi_label_run {
    uint64_t label; /* 1..RUG_LABEL_MAX */
    rug_region_run run;
} rugi_label_run;

/** Runs are sorted by label digit by digit, the lowest first. */
#define RUGI_DIGIT_BITS 11
#define RUGI_DIGITS     ((size_t)1 << RUGI_DIGIT_BITS)

static inline size_t rugi_label_digit(uint64_t label, unsigned shift)
{
    return (size_t)(label >> shift) & (RUGI_DIGITS - 1);
}

/** Turns how often each digit occurs into the place of its first run. */
void rugi_digit_places(size_t counts[RUGI_DIGITS]);

/** Reads a label image once.
 *  @param out     all its runs by the lowest digit of the label, equal ones in the order of
 *                 z, y, x; to be released; NULL on failure
 *  @param labels  checked
 *  @return RUG_OK, RUG_E_ARG (a pixel that is no label), RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_label_runs(rug_context *ctx, rugi_label_run **out, size_t *n_runs,
                           const rug_image *labels);

#endif
