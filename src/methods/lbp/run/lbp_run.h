/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* One call: its plan, its result, and rows of it that are coded, shown and counted. */

#ifndef RUGI_LBP_RUN_H
#define RUGI_LBP_RUN_H

#include "lbp/plan/lbp_plan.h"
#include <rugose/regions.h>

struct rug_lbp_result {
    rug_context *ctx;
    rug_lbp_facts facts;
    rug_lbp_histogram *histograms; /* [n_histograms] by label, then by operator */
    uint64_t *bins;                /* of all */
};

/** Histograms of zeros.
 *  @param n_labels  where there are labels, all of which are 0 then
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_lbp_result_new(rug_context *ctx, rug_lbp_result **out,
                               const rugi_lbp_plan *plan, int has_labels,
                               size_t n_labels);

/** Ends a result: adds up its bins, and tells the context which engine ran. */
void rugi_lbp_result_close(rug_lbp_result *result);

/** A call at work. */
typedef struct rugi_lbp_run {
    const rug_lbp_options *opts;
    rugi_lbp_plan plan;
    size_t nx, ny; /* of the image or of a slice */
    int has_mask;
    const rug_regions *regions; /* the labels, or NULL */
    size_t regions_first[3];    /* slice, row and column where the label image begins */
    size_t *cursors;            /* [regions] the next run of each; owned */
    rug_lbp_result *result;
    size_t chunk; /* rows that are coded at once where codes or bins are kept */
    void *codes[RUG_LBP_MAX_OPERATORS]; /* [chunk][nx], or NULL; owned, as the next */
    uint32_t *bins[RUG_LBP_MAX_OPERATORS];
} rugi_lbp_run;

/** Begins a call: makes plan, result and memory. The fields opts, nx, ny, has_mask and
 *  regions are set; all others are 0.
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM; end it in all cases */
rug_status rugi_lbp_run_begin(rug_context *ctx, rugi_lbp_run *run);

/** Frees what the run has, but for the result. */
void rugi_lbp_run_end(rug_context *ctx, rugi_lbp_run *run);

/** Rows of one image or slice that are in memory. */
typedef struct rugi_lbp_part {
    rug_image rows; /* 2D; row 0 is row first_row of the image */
    rug_image mask; /* of the same rows, where there is one */
    size_t first_row;
    size_t slice;
    size_t from, to; /* rows to be coded; see rugi_lbp_job */
} rugi_lbp_part;

/** Takes the code and the bin of centres whose circles touch a pixel that is NaN.
 *  @param from, to  rows of the image, whose codes and bins the run has */
rug_status rugi_lbp_leave_out_nan(rug_context *ctx, const rugi_lbp_run *run,
                                  const rugi_lbp_part *part, size_t from, size_t to);

/** Codes a part, counts it and shows its codes. Parts come in order. */
rug_status rugi_lbp_run_part(rug_context *ctx, rugi_lbp_run *run,
                             const rugi_lbp_part *part);

#endif
