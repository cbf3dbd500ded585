/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Which values a plane has, so that those it never has cost nothing: values that are used
 * are numbered in their order. */

#ifndef RUGI_IFS_EXACT_VALUES_H
#define RUGI_IFS_EXACT_VALUES_H

#include "ifs/stream/ifs_coder.h"

typedef struct rugi_ifs_values {
    int32_t low, high; /* the least and the largest */
    int32_t n;         /* how many have numbers */
    int32_t *of;       /* [n] the value of a number; NULL: low + number */
    int32_t
        *number; /* [high - low + 1] of value - low, when writing; NULL: value - low */
} rugi_ifs_values;

/** Counts values of n pixels, each 0..2^depth - 1.
 *  @return RUG_OK, RUG_E_NOMEM, both with a result to be freed */
rug_status rugi_ifs_values_find(rug_context *ctx, rugi_ifs_values *out,
                                const int32_t *pixels, size_t n, unsigned depth);

/** Writes or reads them; read ones are within 0..2^depth - 1, or the coder has failed.
 *  @return RUG_OK, RUG_E_NOMEM, both with a result to be freed */
rug_status rugi_ifs_values_code(rug_context *ctx, rugi_ifs_values *values,
                                rugi_ifs_coder *coder, unsigned depth);

void rugi_ifs_values_free(rug_context *ctx, rugi_ifs_values *values);

#endif
