/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Turned blocks: how to walk over a block so that its pixels come in the order of the
 * turned one. The symmetries are those of rug_ifs_transform. */

#ifndef RUGI_IFS_TURN_H
#define RUGI_IFS_TURN_H

#include <stddef.h>

/** Pixel (y, x) of the turned block is at start + y * row + x * column. */
typedef struct rugi_ifs_turn {
    ptrdiff_t start, row, column;
} rugi_ifs_turn;

/** @param n      side of the block
 *  @param pitch  from one of its rows to the next */
static inline rugi_ifs_turn rugi_ifs_turn_of(unsigned symmetry, size_t n, size_t pitch)
{
    ptrdiff_t p = (ptrdiff_t)pitch, last = (ptrdiff_t)n - 1;
    switch (symmetry) {
    case 1: return (rugi_ifs_turn){last, -1, p};
    case 2: return (rugi_ifs_turn){last * p + last, -p, -1};
    case 3: return (rugi_ifs_turn){last * p, 1, -p};
    case 4: return (rugi_ifs_turn){last, p, -1};
    case 5: return (rugi_ifs_turn){last * p, -p, 1};
    case 6: return (rugi_ifs_turn){0, 1, p};
    case 7: return (rugi_ifs_turn){last * p + last, -1, -p};
    default: return (rugi_ifs_turn){0, p, 1};
    }
}

#endif
