/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Morton keys of lattice cells: the bits of a cell's coordinates in one number, so that the cells of a box
 * whose size is a power of two are the numbers that agree in all but their lowest bits
 * (Hou, Gilmore, Mindlin and Solari 1990).
 *
 * Coordinates are handled as *places*: unsigned numbers in the order of the coordinates,
 * so that coordinate 0 has a place too, which is 0 or 2^63. */

#ifndef RUGI_MORTON_H
#define RUGI_MORTON_H

#include "core/context/levels.h"
#include "core/context/threads.h"
#include "radix_sort.h"
#include <rugose/boxcount.h>
#include <rugose/points.h>

/** Cells that become keys at once: they stay in the first-level cache. */
#define RUGI_CELLS_BLOCK 1024

/** Sizes that are powers of two: 2^0 .. 2^63. */
#define RUGI_LEVELS 64

/** The most bits of a key. */
#define RUGI_KEY_BITS 128

/** The places that cells take on each axis. */
typedef struct rugi_cell_range {
    int axes;
    uint64_t zero; /* the place of coordinate 0; a multiple of 2^63 */
    uint64_t least[RUG_POINTS_MAX_AXES], most[RUG_POINTS_MAX_AXES];
} rugi_cell_range;

/** Which bit of which axis is which bit of a key.
 *
 *  Each axis begins at a multiple of 2^b at or below its least place, where its extent is
 *  at most 2^b, so that boxes of up to 2^b cells stay whole. What lies beyond the next
 *  multiple has one more bit, which distinguishes larger boxes as long as the multiple is
 *  the border of one. Bits are ordered by the size of the box that no longer needs them. */
typedef struct rugi_key_layout {
    int axes;
    unsigned bits;                  /* of a key; 128 at most, or there are no keys */
    unsigned box_bits[RUGI_LEVELS]; /* [m]: the cells of a box of size 2^m agree above so
                                         many low bits */
    uint64_t base[RUG_POINTS_MAX_AXES];       /* the place that counts as 0 */
    unsigned n_bits[RUG_POINTS_MAX_AXES];     /* of the axis */
    uint8_t key_bit[RUG_POINTS_MAX_AXES][64]; /* [axis][its bit]: the bit of the key */
    uint8_t axis[RUGI_KEY_BITS];              /* [bit of the key]: whose it is, */
    uint8_t axis_bit[RUGI_KEY_BITS];          /* and which of its bits */
} rugi_key_layout;

/** Makes the layout, with bits > RUGI_KEY_BITS when there is none. */
void rugi_key_layout_make(rugi_key_layout *out, const rugi_cell_range *range);

/** What a thread has seen of the coordinates of points. */
typedef struct rugi_ends {
    RUGI_OWN_LINES uint64_t least_place[RUG_POINTS_MAX_AXES]; /* of integers */
    uint64_t most_place[RUG_POINTS_MAX_AXES];
    double least[RUG_POINTS_MAX_AXES], most[RUG_POINTS_MAX_AXES]; /* of floats */
    int is_broken;      /* a coordinate is not a whole number */
    uint64_t bad_point; /* the first that is not finite; UINT64_MAX when all are */
} rugi_ends;

/** The most axes of points of which a kernel makes keys without places. */
#define RUGI_PLAIN_AXES 3

/** Between cells and keys. Cells: places[a * RUGI_CELLS_BLOCK + i] of cell i; n is at
 *  most RUGI_CELLS_BLOCK. The functions on uint64_t need layout->bits <= 64.
 *
 *  of_points: the keys of points first .. first + n - 1, whose cells are floor() of the
 *  coordinates; zero is the place of 0 in the layout, which has at most RUGI_PLAIN_AXES
 *  axes. Those of 32 bits need layout->bits <= 32. NULL where a kernel has none.
 *
 *  see_ends: takes in points first .. first + n - 1, n > 0, if they lie one behind the other,
 *  are finite, and of a type and a number of axes that fit the kernel's registers. Returns
 *  whether it did. NULL where a kernel has none. */
typedef struct rugi_key_kernels {
    void (*encode_u64)(const rugi_key_layout *layout, const uint64_t *places, size_t n,
                       uint64_t *keys);
    void (*encode_u128)(const rugi_key_layout *layout, const uint64_t *places, size_t n,
                        rugi_u128 *keys);
    void (*decode_u64)(const rugi_key_layout *layout, const uint64_t *keys, size_t n,
                       uint64_t *places);
    void (*decode_u128)(const rugi_key_layout *layout, const rugi_u128 *keys, size_t n,
                        uint64_t *places);
    void (*of_points_u32)(const rugi_key_layout *layout, const rug_points *points,
                          uint64_t zero, uint64_t first, size_t n, uint32_t *keys);
    void (*of_points_u64)(const rugi_key_layout *layout, const rug_points *points,
                          uint64_t zero, uint64_t first, size_t n, uint64_t *keys);
    int (*see_ends)(rugi_ends *ends, const rug_points *points, uint64_t first,
                    uint64_t n);
} rugi_key_kernels;

RUGI_KERNEL_LEVELS_AVX2(rugi_key_kernels_set, rugi_key_kernels)

/** The kernels for this context's CPU level. */
static inline rugi_key_kernels rugi_key_kernels_choose(const rug_context *ctx)
{
    rugi_key_kernels kernels;
    rugi_key_kernels_set(&kernels, rug_context_cpu_level(ctx));
    return kernels;
}

#endif
