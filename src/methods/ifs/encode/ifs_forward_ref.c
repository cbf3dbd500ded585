/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The encoder's leaf: portable C. */

#include "ifs_forward_leaf.h"

void rugi_ifs_leaf_level_ref(rugi_ifs_leaf_level *level)
{
    *level = (rugi_ifs_leaf_level){forward, cross, residual};
}
