/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Prices of decisions. */

#ifndef RUGI_IFS_PRICE_H
#define RUGI_IFS_PRICE_H

#include <stdint.h>

/** -log2(p / 65536) in units of 2^-16 bit, of p in 1..65536. */
uint32_t rugi_ifs_price_of(uint32_t p);

#endif
