/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The portable kernel of the moments, and the choice among all. */

#define WIDTH 2
#include "moments_tmpl.h"

static rugi_moment_sums sums_ref(const double *log_p, const double *boxes, size_t n,
                                 double q, double reference)
{
    return sums_of(log_p, boxes, n, q, reference);
}

rugi_moment_fn rugi_moment_kernels_choose(rug_cpu_level level)
{
#ifdef RUGI_HAVE_X86_KERNELS
    if (level >= RUG_CPU_AVX512)
        return rugi_moment_sums_avx512;
    if (level >= RUG_CPU_AVX2)
        return rugi_moment_sums_avx2;
#else
    (void)level;
#endif
    return sums_ref;
}
