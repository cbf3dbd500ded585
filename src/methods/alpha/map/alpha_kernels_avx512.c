/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The AVX-512 kernel of maps of alpha. */

#include "alpha_tmpl.h"

void rugi_alpha_kernels_avx512(rugi_alpha_kernels *kernels)
{
    fill_kernels(kernels, "cpu-avx512");
}
