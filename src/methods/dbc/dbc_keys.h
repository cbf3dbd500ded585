/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pixels to keys. */

#ifndef RUGI_DBC_KEYS_H
#define RUGI_DBC_KEYS_H

#include "dbc_plan.h"

/** How many pixels were seen. */
typedef struct rugi_dbc_pixels {
    uint64_t n_pixels;   /* inside of the mask */
    uint64_t n_left_out; /* of them, NaN or infinite */
} rugi_dbc_pixels;

/** The keys of n pixels that lie side by side, of plan->key_bytes bytes. Pixels that are not
 *  looked at are an empty range: the least key is the largest number, the largest is 0.
 *  @param lo, hi  the same where plan->may_be_empty is 0
 *  @param pixels   of rugi_segment_dtype()
 *  @param inside  of the mask; NULL: all are */
void rugi_dbc_keys(const rugi_dbc_plan *plan, void *lo, void *hi, const void *pixels,
                   size_t n, const uint8_t *inside, rugi_dbc_pixels *seen);

#endif
