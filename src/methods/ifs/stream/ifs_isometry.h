/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The eight isometries of a block: how to walk over it so that its pixels come in the
 * order of the block that an isometry makes of it. Their numbers are those of
 * rug_ifs_transform. */

#ifndef RUGI_IFS_ISOMETRY_H
#define RUGI_IFS_ISOMETRY_H

#include <stddef.h>

#define RUGI_IFS_ISOMETRIES 8

/** Pixel (y, x) of the result is at start + y * row + x * column of the block. */
typedef struct rugi_ifs_isometry {
    ptrdiff_t start, row, column;
} rugi_ifs_isometry;

/** @param n      side of the block
 *  @param pitch  from one of its rows to the next */
static inline rugi_ifs_isometry rugi_ifs_isometry_of(unsigned symmetry, size_t n,
                                                     size_t pitch)
{
    ptrdiff_t p = (ptrdiff_t)pitch, last = (ptrdiff_t)n - 1;
    switch (symmetry) {
    case 1: return (rugi_ifs_isometry){last, -1, p};
    case 2: return (rugi_ifs_isometry){last * p + last, -p, -1};
    case 3: return (rugi_ifs_isometry){last * p, 1, -p};
    case 4: return (rugi_ifs_isometry){last, p, -1};
    case 5: return (rugi_ifs_isometry){last * p, -p, 1};
    case 6: return (rugi_ifs_isometry){0, 1, p};
    case 7: return (rugi_ifs_isometry){last * p + last, -1, -p};
    default: return (rugi_ifs_isometry){0, p, 1};
    }
}

/** Where pixel (y, x) of the result is found in a block of side n: its index, row by
 *  row. */
static inline size_t rugi_ifs_isometry_place(unsigned symmetry, size_t n, size_t y,
                                             size_t x)
{
    rugi_ifs_isometry to = rugi_ifs_isometry_of(symmetry, n, n);
    return (size_t)(to.start + (ptrdiff_t)y * to.row + (ptrdiff_t)x * to.column);
}

#endif
