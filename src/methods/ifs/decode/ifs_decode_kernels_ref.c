/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The portable level of decoding. */

#include "ifs_decode_tmpl.h"

void rugi_ifs_decode_kernels_ref(rugi_ifs_decode_kernels *kernels)
{
    fill_kernels(kernels, "cpu-ref");
}
