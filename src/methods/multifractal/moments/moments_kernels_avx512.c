/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The AVX-512 kernel of the moments. */

#define WIDTH 8
#include "moments_tmpl.h"

rugi_moment_sums rugi_moment_sums_avx512(const double *log_p, const double *boxes,
                                         size_t n, double q, double reference)
{
    return sums_of(log_p, boxes, n, q, reference);
}
