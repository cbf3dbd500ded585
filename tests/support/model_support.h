/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the tests of texture models share: small models made of bins. Include it after
 * support.h. */

#ifndef RUGOSE_MODEL_SUPPORT_H
#define RUGOSE_MODEL_SUPPORT_H

/* One sample of a circle: the pattern is one bit, and a histogram has two bins. */
static const rug_lbp_operator one_bit[2] = {{1, 1, NULL, 0}, {1, 2, NULL, 0}};

static inline rug_lbp_options bit_options(uint32_t n_operators)
{
    rug_lbp_options opts = RUG_LBP_OPTIONS_INIT;
    opts.method = RUG_LBP_DEFAULT;
    opts.operators = one_bit;
    opts.n_operators = n_operators;
    return opts;
}

static inline rug_lbp_model *bit_model(rug_context *ctx, uint32_t n_operators)
{
    rug_lbp_options opts = bit_options(n_operators);
    rug_lbp_model *model = NULL;
    if (rug_lbp_model_new(ctx, &model, &opts) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return model;
}

static inline void add(rug_context *ctx, rug_lbp_model *model, const char *class_name,
                       const char *sample, const uint64_t *bins)
{
    if (rug_lbp_model_add_bins(ctx, model, class_name, sample, bins) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
}

/* Fails unless the text of the last failure holds `text`. */
static inline void assert_says(const rug_context *ctx, const char *text)
{
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("\"%s\" expected: %s", text, rug_context_error(ctx));
}

#endif
