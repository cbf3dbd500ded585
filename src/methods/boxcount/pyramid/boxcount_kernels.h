/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The single-thread kernels of box counting on the CPU: `ref` in portable C, the others
 * with the instructions of their level. All give the same counts, and lay out pixels and
 * boxes alike.
 *
 * RUGI_GROUP blocks of 64 pixels along x are packed together, to a *group* of 64 bytes:
 * bit 7 - k of byte j is pixel 64 k + j. So 64 comparisons side by side give 64 bytes
 * without moving a bit from its place, and x-neighbours are neighbouring bytes. Boxes are
 * *fields* of 16 bits, four in a word, lowest first: bit 7 - k of field i belongs to the
 * i-th box of block k, in the low byte "any" of its pixels is set, in the high byte "all"
 * are. */

#ifndef RUGI_BOXCOUNT_KERNELS_H
#define RUGI_BOXCOUNT_KERNELS_H

#include "boxcount_pyramid.h"
#include "core/context/levels.h"
#include <stddef.h>
#include <stdint.h>

#define RUGI_GROUP        8 /* blocks, and words of a group of pixels */
#define RUGI_GROUP_PIXELS ((size_t)RUGI_GROUP * RUGI_BLOCK)

/** Where block k is in the bytes of a group. */
#define RUGI_BLOCK_BIT(k) (1 << (RUGI_GROUP - 1 - (int)(k)))

/** Lanes of a tally, so that a vector of counters can be added without folding it. */
#define RUGI_TALLY_LANES 8

/** Counters of one thread for levels 0..6; each is the sum of its lanes. Level 0 has no
 * `black`: a nonempty pixel is black. */
typedef struct rugi_boxcount_tally {
    uint64_t nonempty[RUGI_BLOCK_LEVEL + 1][RUGI_TALLY_LANES];
    uint64_t black[RUGI_BLOCK_LEVEL + 1][RUGI_TALLY_LANES];
} rugi_boxcount_tally;

/** Where a line of pixels or a row of boxes goes. Its boxes wait in a slab until the others
 * have come that make a box of the next level with them: two rows in 2D, two of each of two
 * layers in 3D. The last one joins them and goes on, like the carry of a binary counter. */
typedef struct rugi_rise {
    uint64_t *const *slab; /**< [level]: boxes that wait to be joined to a box of `level`;
                              the last slab keeps the boxes of RUGI_BLOCK_LEVEL */
    size_t n_groups;       /**< of a line; 0 in 2D, where a slab is one row */
    size_t z, y;           /**< of the last pixels, in lines; z is RUGI_BLOCK - 1 in 2D */
} rugi_rise;

/** A group whose blocks are not all whole, or do not lie side by side in memory. */
typedef struct rugi_scattered {
    ptrdiff_t at[RUGI_GROUP]; /**< of each block, in bytes from the line's first pixel; of
                                 those behind the last one the first one's */
    uint64_t inside[RUGI_GROUP]; /**< as a group: where there are pixels; all else is
                                    background */
    size_t n_blocks;
    size_t first_end; /**< the first block that ends a part */
    ptrdiff_t
        end_of_end; /**< of a whole block at the furthest end of a part; 0: the group
                             has only whole blocks */
} rugi_scattered;

/** The groups of a line: a row of the image, or several. A row of few blocks would fill its
 *  groups badly, so it shares them with the rows one, two … blocks below: the line's
 *  *parts*. No box of levels 0..6 notices, because groups join no blocks. */
typedef struct rugi_layout {
    size_t n_groups;
    size_t n_whole; /**< of them, the first ones: whole blocks side by side in memory */
    const rugi_scattered *scattered; /**< the others */
    size_t part_blocks;              /**< blocks of each part */
    size_t n_end;                    /**< pixels of a part's last block; 0: it is whole */
} rugi_layout;

/** Lines of pixels, of one slice or in turns of two. */
typedef struct rugi_lines {
    const rugi_layout *layout;
    const char *pixels; /**< the first one of part 0 */
    size_t n, n_slices;
    size_t turn;             /**< lines of a slice before the other's turn */
    ptrdiff_t stride, slice; /**< bytes from line to line, from slice to slice */
    ptrdiff_t ahead;         /**< bytes to what is to be read about a page later */
    ptrdiff_t ahead_at_end;  /**< the same in the last turn */
    const char *limit; /**< blocks that end here or before may be read whole, though fewer
                          pixels of them count; NULL: none */
} rugi_lines;

/** Adds lines y, y + 1 … of slice z (and z + 1). */
typedef void (*rugi_lines_fn)(rugi_rise to, const rugi_lines *lines,
                              const rugi_predicate *predicate,
                              rugi_boxcount_tally *tally);

/** Adds a row of empty boxes of `level`, a level 0..5. */
typedef void (*rugi_empty_row_fn)(rugi_rise to, int level, size_t n_groups,
                                  rugi_boxcount_tally *tally);

/** One set of kernels. */
typedef struct rugi_boxcount_kernels {
    const char *name; /**< of the engine in results */
    rugi_lines_fn lines[RUG_N_DTYPES];
    rugi_empty_row_fn empty_row;
} rugi_boxcount_kernels;

RUGI_KERNEL_LEVELS_X86(rugi_boxcount_set_kernels, rugi_boxcount_kernels)

/** Words of a group in slab[level]: boxes of level 2 and above, half as many fields a
 * level, are kept in four words, of which the last ones become 0. Fewer bytes than that
 * save nothing. */
static inline size_t rugi_slab_words(int level)
{
    return level <= 2 ? RUGI_GROUP : RUGI_GROUP / 2;
}

/** From row to row of slab[level], in lines of pixels, as a power of two. */
static inline int rugi_slab_shift(int level)
{
    return level < RUGI_BLOCK_LEVEL ? level : RUGI_BLOCK_LEVEL;
}

/** Where group g of the row waits in slab[level]. */
static inline uint64_t *rugi_waiting(const rugi_rise *to, int level, size_t g)
{
    size_t row = (to->y >> rugi_slab_shift(level)) * to->n_groups;
    return to->slab[level] + (row + g) * rugi_slab_words(level);
}

/** Whether the row, of `level`, is the last of those that make
 *  a row of the next level. */
static inline int rugi_is_last(const rugi_rise *to, int level)
{
    return level < RUGI_BLOCK_LEVEL && (to->y & to->z) >> level & 1;
}

/** Whether it is not the first either, and joins those that wait. */
static inline int rugi_joins(const rugi_rise *to, int level)
{
    return level < RUGI_BLOCK_LEVEL && to->n_groups > 0 && (to->y | to->z) >> level & 1;
}

#endif
