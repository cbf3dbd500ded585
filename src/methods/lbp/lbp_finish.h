/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* From planes of bits to what a job asks for: codes, bins and counts. */

#ifndef RUGI_LBP_FINISH_H
#define RUGI_LBP_FINISH_H

#include "lbp_kernels.h"

/** What is looked up for one operator; NULL where nothing is. */
typedef struct rugi_lbp_table {
    uint16_t *code; /* [2^points] of a pattern: ROR and NRI_UNIFORM up to 16 points */
    uint32_t *rank; /* [2^points] the bin of a code: ROR, where there are bins */
} rugi_lbp_table;

/** @return RUG_OK, RUG_E_NOMEM; free it in both cases */
rug_status rugi_lbp_table_make(rug_context *ctx, rugi_lbp_table *out,
                               rug_lbp_method method, const rugi_lbp_operator *op,
                               int needs_bins);
void rugi_lbp_table_free(rug_context *ctx, rugi_lbp_table *table);

/** One row of a tile of one operator. */
typedef struct rugi_lbp_finish {
    const rugi_lbp_leaf *leaf;
    rug_lbp_method method;
    const rugi_lbp_operator *op;
    const rugi_lbp_table *table;
    const uint64_t (*planes)[RUGI_LBP_WORDS]; /* [points] */
    double *variances; /* [RUGI_LBP_TILE]; NULL: not asked for. Changed */
    size_t n;          /* pixels */
    size_t first, end; /* those that have a code */
    void *codes;       /* [n] of the operator's code_dtype; NULL: not asked for */
    uint32_t *bins;    /* [n], or NULL */
    uint64_t *counts;  /* or NULL */
} rugi_lbp_finish;

void rugi_lbp_finish_row(const rugi_lbp_finish *f);

#endif
