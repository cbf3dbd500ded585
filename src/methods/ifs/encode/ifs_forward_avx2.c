/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The encoder's kernel: the same loops in vectors of AVX2. */

#include "ifs_forward_tmpl.h"

void rugi_ifs_forward_kernels_avx2(rugi_ifs_forward_kernels *level)
{
    *level = (rugi_ifs_forward_kernels){forward, cross, residual};
}
