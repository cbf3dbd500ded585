/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The smaller and the larger of two sizes. */

#ifndef RUGI_SMALL_H
#define RUGI_SMALL_H

#include <stddef.h>

static inline size_t rugi_smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline size_t rugi_larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

#endif
