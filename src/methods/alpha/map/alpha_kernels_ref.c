/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The portable kernel of maps of alpha: the truth for the others. */

#include "alpha_tmpl.h"

void rugi_alpha_kernels_ref(rugi_alpha_kernels *kernels)
{
    fill_kernels(kernels, "cpu-ref");
}
