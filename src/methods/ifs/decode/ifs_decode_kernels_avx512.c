/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The AVX-512 level of decoding. */

#include "ifs_decode_tmpl.h"

void rugi_ifs_decode_kernels_avx512(rugi_ifs_decode_kernels *kernels)
{
    fill_kernels(kernels, "cpu-avx512");
}
