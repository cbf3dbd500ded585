/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What is known of an image in parts: the bins of those that have come. */

#ifndef RUGI_LBP_STATE_H
#define RUGI_LBP_STATE_H

#include "core/blocks/partial_blocks.h"
#include <rugose/lbp_parts.h>

/** A bin and its pixels. Of labels the first bin is there even when it is 0. */
typedef struct rugi_lbp_bin {
    uint64_t label; /* 0 without labels */
    uint32_t op, number;
    uint64_t n;
} rugi_lbp_bin;

/** Whether it is the first one of a label. */
static inline int rugi_lbp_bin_is_first(const rugi_lbp_bin *bin)
{
    return bin->op == 0 && bin->number == 0;
}

/** Bins, ascending by label, operator and number. */
typedef struct rugi_lbp_bins {
    rugi_lbp_bin *at;
    size_t n, capacity;
} rugi_lbp_bins;

struct rug_lbp_parts {
    rug_context *ctx;
    /* Operators and cuts are those below; of mask and labels only whether they are there. */
    rug_lbp_options opts;
    rug_lbp_operator operators[RUG_LBP_MAX_OPERATORS];
    double *cuts; /* of all operators */
    rug_dtype dtype;
    int ndim;
    size_t shape[3]; /* z y x; z = 1 for an image */
    rugi_cover cover;
    rugi_lbp_bins bins;
    const char *engine; /* of what was counted here, or NULL */
};

#endif
