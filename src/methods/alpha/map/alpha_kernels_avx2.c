/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The AVX2 leaf of maps of alpha. */

#include "alpha_leaf.h"

void rugi_alpha_leaf_avx2(rugi_alpha_leaf *leaf)
{
    fill_leaf(leaf, "cpu-avx2");
}
