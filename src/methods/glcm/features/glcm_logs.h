/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* t(c) = c ln c as a whole number, in units of 2^-RUGI_GLCM_T_BITS: so sums do not depend on
 * their order, and are equal on every engine. An entropy is ln n - sum t(c) / n. */

#ifndef RUGI_GLCM_LOGS_H
#define RUGI_GLCM_LOGS_H

#include <rugose/context.h>
#include <stddef.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 rugi_glcm_u128;
__extension__ typedef __int128 rugi_glcm_i128;

/** So many that the sum over a matrix of fewer than 2^16 pairs fits 64 bits, and that an
 *  entropy is right to 2^-43. */
#define RUGI_GLCM_T_BITS 42

/** Entries of the tables at most: enough for the marginals of 65535 pairs. */
#define RUGI_GLCM_TABLE_MAX ((size_t)1 << 17)

/** Tables, made once a call. */
typedef struct rugi_glcm_logs {
    size_t n;       /**< entries; t(0) and t(1) are 0 */
    uint64_t *t;    /**< [n] */
    uint64_t *step; /**< [n]: t(c + 1) - t(c), what the next of c equal pairs adds */
} rugi_glcm_logs;

/** @param largest  the largest count that is likely; others take longer */
rug_status rugi_glcm_logs_new(rug_context *ctx, rugi_glcm_logs *out, uint64_t largest);
void rugi_glcm_logs_free(rug_context *ctx, rugi_glcm_logs *logs);

/** t(c) of any count, by the logarithm. */
rugi_glcm_u128 rugi_glcm_t_far(uint64_t c);

static inline rugi_glcm_u128 rugi_glcm_t(const rugi_glcm_logs *logs, uint64_t c)
{
    return c < logs->n ? logs->t[c] : rugi_glcm_t_far(c);
}

/** The entropy in nats of counts that sum up to n, from the sum of their t. Exactly 0 where
 *  one of them is n. */
double rugi_glcm_entropy(const rugi_glcm_logs *logs, uint64_t n, rugi_glcm_u128 t);

#endif
