/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The maximal correlation coefficient of a matrix by its entries. */

#ifndef RUGI_GLCM_MCC_H
#define RUGI_GLCM_MCC_H

#include "glcm/count/glcm_count.h"

/** f14 of the entries of `c`, sorted by i and j, each once.
 *  @param total  the sum of the matrix
 *  @return RUG_OK, RUG_E_NOMEM */
rug_status rugi_glcm_mcc(rug_context *ctx, rugi_glcm_counting *c, double *out,
                         size_t n_ranks, int symmetric, uint64_t total);

#endif
