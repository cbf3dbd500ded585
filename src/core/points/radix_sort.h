/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Sorting of integer keys on many threads. */

#ifndef RUGI_RADIX_SORT_H
#define RUGI_RADIX_SORT_H

#include <rugose/context.h>
#include <stddef.h>
#include <stdint.h>

/** A key of 128 bits. */
__extension__ typedef unsigned __int128 rugi_u128;

/** Sorts keys, the least first.
 *  @param keys     64-byte aligned
 *  @param scratch  memory for as many keys, 64-byte aligned; holds rubbish afterwards
 *  @param bits     all keys are below 2^bits; 0..64
 *  @param seconds  [rug_context_threads()]: the time that each thread works is added; or
 *                  NULL
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED; the order is undefined on failure */
rug_status rugi_sort_u64(rug_context *ctx, uint64_t *keys, uint64_t *scratch, size_t n,
                         unsigned bits, double *seconds);

/** The same with keys of up to 128 bits. */
rug_status rugi_sort_u128(rug_context *ctx, rugi_u128 *keys, rugi_u128 *scratch, size_t n,
                          unsigned bits, double *seconds);

#endif
