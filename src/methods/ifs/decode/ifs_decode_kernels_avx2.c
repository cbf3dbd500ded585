/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The AVX2 level of decoding. */

#include "ifs_decode_tmpl.h"

void rugi_ifs_decode_kernels_avx2(rugi_ifs_decode_kernels *kernels)
{
    fill_kernels(kernels, "cpu-avx2");
}
