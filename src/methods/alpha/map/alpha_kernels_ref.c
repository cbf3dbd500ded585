/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The portable leaf of maps of alpha: the truth for the others. */

#include "alpha_leaf.h"

void rugi_alpha_leaf_ref(rugi_alpha_leaf *leaf)
{
    fill_leaf(leaf, "cpu-ref");
}
