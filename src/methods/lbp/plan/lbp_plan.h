/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Every number that follows from the options, worked out once for all engines; and the job
 * that an engine is given. */

#ifndef RUGI_LBP_PLAN_H
#define RUGI_LBP_PLAN_H

#include "core/context/context_internal.h"
#include <rugose/lbp.h>

/** Weights of the decimal rule are multiples of 1 / RUGI_LBP_DECIMAL. */
#define RUGI_LBP_DECIMAL 100000

/** A weight as the rule FLOAT takes it. A device is handed these numbers: its own division
 *  may be less exact. */
static inline float rugi_lbp_float_weight(int32_t weight)
{
    return (float)weight / (float)RUGI_LBP_DECIMAL;
}

/** One sample of a circle. The offset is in pixels, rounded to 5 decimals. */
typedef struct rugi_lbp_point {
    double row, col;                /* offset */
    int top, bottom, left, right;   /* floor and ceil of it: the pixels around. NEAREST:
                                        top = bottom, left = right, and the offset is theirs */
    int32_t row_weight, col_weight; /* of bottom and of right, in 1 / RUGI_LBP_DECIMAL: 0
                                        where both are one pixel */
    int column; /* the number of its column offset among the distinct ones */
} rugi_lbp_point;

/** What is looked up for one operator; NULL where nothing is. */
typedef struct rugi_lbp_table {
    uint16_t *code; /* [2^points] of a pattern: ROR and NRI_UNIFORM up to 16 points */
    uint32_t *rank; /* [2^points] the bin of a code: ROR, where there are bins */
} rugi_lbp_table;

/** One operator. */
typedef struct rugi_lbp_operator {
    uint32_t points;
    rugi_lbp_point point[RUG_LBP_MAX_POINTS];
    uint32_t n_columns; /* distinct column offsets */
    double column[RUG_LBP_MAX_POINTS];
    int32_t column_left[RUG_LBP_MAX_POINTS], column_weight[RUG_LBP_MAX_POINTS];
    size_t above, below, before, behind; /* rows and columns that the circle reaches */
    double *cuts;                        /* owned */
    uint32_t n_cuts;
    uint64_t n_codes;     /* 0 of VAR */
    uint32_t n_bins;      /* of the whole histogram; 0: there is none */
    rug_dtype code_dtype; /* of codes in memory: U8, U16, U32; F64 of VAR */
    int has_code_dtype;   /* 0: codes and "no code" do not fit 32 bits */
    rugi_lbp_table table; /* owned; see rugi_lbp_plan_make_tables() */
    uint64_t no_code;     /* in codes, where a pixel has none */
} rugi_lbp_operator;

/** All operators of a call. */
typedef struct rugi_lbp_plan {
    rug_lbp_method method;
    rug_lbp_border border;
    rug_lbp_exact exact;
    int is_nearest;
    int is_filtered; /* samples by the hardware of a device */
    uint64_t origin
        [2]; /* what is added to a pixel's row and column where weights follow them */
    uint32_t n_operators;
    rugi_lbp_operator op[RUG_LBP_MAX_OPERATORS];
    size_t above, below; /* the most of all operators */
    int has_joint;       /* an operator has cuts and the method is not VAR */
    int leaves_out_nan;  /* circles that touch NaN have no code */
    /* Columns at the left and at the right that have no code, since another part of the image has
     * them; none at first. */
    size_t left_out[2];
} rugi_lbp_plan;

/** Checks the options and makes the plan.
 *  @param opts  the library's own, of RUGI_TAKE()
 *  @return RUG_OK, RUG_E_ARG, RUG_E_NOMEM; free it with rugi_lbp_plan_free() after RUG_OK */
rug_status rugi_lbp_plan_make(rug_context *ctx, rugi_lbp_plan *out,
                              const rug_lbp_options *opts);
void rugi_lbp_plan_free(rug_context *ctx, rugi_lbp_plan *plan);

/** Whether a plan can be made of the options: the same status and text. */
rug_status rugi_lbp_plan_check(rug_context *ctx, const rug_lbp_options *opts);

/** The operators of the options, or the default one. @param n  how many */
const rug_lbp_operator *rugi_lbp_operators(const rug_lbp_options *opts, uint32_t *n);

/** Makes the tables of a plan, once for all jobs of a call, which have them.
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_lbp_plan_make_tables(rug_context *ctx, rugi_lbp_plan *plan);

/** RUG_OK when codes of an operator can be kept, else RUG_E_ARG with an error text. */
static inline rug_status rugi_lbp_plan_check_map(rug_context *ctx,
                                                 const rugi_lbp_plan *plan, uint32_t op)
{
    if (plan->op[op].has_code_dtype)
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "codes of %u points take all numbers of 32 bits, which leaves "
        "none for skipped pixels: use the border 'zero'",
        plan->op[op].points);
}

/** Rows first .. end - 1 of an operator whose pixels have codes, in an image of ny rows;
 *  and columns likewise. Empty when first >= end. */
typedef struct rugi_lbp_span {
    size_t first, end;
} rugi_lbp_span;
rugi_lbp_span rugi_lbp_coded_rows(const rugi_lbp_plan *plan, uint32_t op, size_t ny);
rugi_lbp_span rugi_lbp_coded_columns(const rugi_lbp_plan *plan, uint32_t op, size_t nx);

/** What a pattern becomes: the code by the method, for any pattern below 2^P. */
uint32_t rugi_lbp_code_of(rug_lbp_method method, uint32_t points, uint32_t pattern);

/** The number of a rotation's least pattern among all of them, ascending.
 *  @param table  [2^points], filled; other patterns than the least of their rotations get
 *                UINT32_MAX. points is at most 20 */
void rugi_lbp_rank_rotations(uint32_t points, uint32_t *table);

/** A pixel that is in no bin: it has no code, or a variance that is NaN. */
#define RUGI_LBP_NO_BIN UINT32_MAX

/** Rows of one image, or of one slice of a volume, to be coded. Any engine may be given
 *  any rows; all else follows from the plan. */
typedef struct rugi_lbp_job {
    const rugi_lbp_plan *plan;
    rug_image rows;   /* [n][nx]: rows first_row .. first_row + n - 1 of the image, any
                         dtype and strides */
    size_t first_row; /* of `rows` */
    size_t ny;        /* rows of the whole image */
    size_t from, to;  /* rows of the image to be coded; the rows that circles reach from
                         there are among `rows`, as far as the image has them */
    /* For each operator what is requested, or NULL. Codes: [to - from][nx] of its
     * code_dtype. Bins: [to - from][nx], the bin of each pixel in the histogram, or
     * RUGI_LBP_NO_BIN. Counts: [n_bins], to which each pixel is added that has a bin. */
    void *codes[RUG_LBP_MAX_OPERATORS];
    uint32_t *bins[RUG_LBP_MAX_OPERATORS];
    uint64_t *counts[RUG_LBP_MAX_OPERATORS];
    const char *engine; /* set by the engine that did it */
} rugi_lbp_job;

/** The engines; job is a rugi_lbp_job. RUG_E_DEVICE leaves counts as they were. */
rug_status rugi_lbp_cpu(rug_context *ctx, void *job);
rug_status rugi_lbp_opencl(rug_context *ctx, void *job);

#endif
