/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The eight symmetries of a square, as numbers of rug_ifs_transform. */

#include "ifs/search/ifs_search.h"

size_t rugi_ifs_turned(unsigned symmetry, size_t n, size_t y, size_t x)
{
    const size_t up = n - 1 - y, left = n - 1 - x;
    switch (symmetry) {
    case 1: return x * n + up;
    case 2: return up * n + left;
    case 3: return left * n + y;
    case 4: return y * n + left;
    case 5: return up * n + x;
    case 6: return x * n + y;
    case 7: return left * n + up;
    default: return y * n + x;
    }
}
