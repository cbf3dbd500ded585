/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What a model is made of, for the files that train it and that score by it. */

#ifndef RUGI_LBP_SAMPLES_H
#define RUGI_LBP_SAMPLES_H

#include "core/context/context_internal.h"
#include <rugose/lbp_model.h>

/** Pixels that one class may have: up to there counts are exact as doubles. */
#define RUGI_LBP_MAX_PIXELS ((uint64_t)1 << 53)

/** A class: its name, and the bins of all its samples added up. */
typedef struct rugi_lbp_class {
    char *name;
    uint64_t *bins;
} rugi_lbp_class;

struct rug_lbp_model {
    rug_context *ctx;
    rug_lbp_options options;
    rug_lbp_operator operators[RUG_LBP_MAX_OPERATORS]; /* cuts are owned */
    uint32_t op_bins[RUG_LBP_MAX_OPERATORS];
    size_t n_bins; /* of all operators */
    size_t n_classes, class_capacity;
    rugi_lbp_class *classes;
    size_t n_samples, sample_capacity;
    rug_lbp_sample *samples; /* names and bins are owned */
};

/** The sum of n bins. @return 0 also when they are more than RUGI_LBP_MAX_PIXELS, which
 *  *too_many says */
static inline uint64_t rugi_lbp_sum(const uint64_t *bins, size_t n, int *too_many)
{
    uint64_t sum = 0;
    *too_many = 0;
    for (size_t i = 0; i < n; i++) {
        if (bins[i] > RUGI_LBP_MAX_PIXELS - sum) {
            *too_many = 1;
            return 0;
        }
        sum += bins[i];
    }
    return sum;
}

#endif
