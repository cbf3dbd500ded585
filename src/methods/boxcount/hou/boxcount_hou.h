/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Boxes of sparse sets (the method HOU): the foreground of an image, or points, as Morton
 * keys, sorted or in a bitmap. */

#ifndef RUGI_BOXCOUNT_HOU_H
#define RUGI_BOXCOUNT_HOU_H

#include "boxcount/bits/boxcount_bits.h"
#include "boxcount/result/boxcount_result.h"
#include "core/context/context_internal.h"
#include "core/points/point_cells.h"

/** The foreground of an image as lattice cells. */
typedef struct rugi_packed_cells {
    rugi_cells cells; /* borrows the rest, so that it must not move */
    rugi_bits bits;
    size_t n_words;
    uint64_t *first; /* [n_blocks + 1]: cells before each block */
} rugi_packed_cells;

/** @param image  any dtype, shape and strides
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_packed_cells_new(rug_context *ctx, rugi_packed_cells *out,
                                 const rug_image *image, const rugi_predicate *predicate);

static inline void rugi_packed_cells_free(rug_context *ctx, rugi_packed_cells *cells)
{
    rug_context_release(ctx, cells->first);
    rugi_bits_free(ctx, &cells->bits);
    cells->first = NULL;
}

/** One count; job of the engines. */
typedef struct rugi_hou_call {
    rug_boxcount_result *result;
    const rugi_cells *cells;
    const rugi_key_layout *layout; /* of the cells, RUGI_KEY_BITS at most */
} rugi_hou_call;

/** The engine of the processor.
 *  @param call  a rugi_hou_call
 *  @return RUG_OK, RUG_E_NOMEM, RUG_E_CANCELLED */
rug_status rugi_boxcount_hou_cpu(rug_context *ctx, void *call);

/** The exponent of the power of two in a size. */
static inline unsigned rugi_twos_of(uint64_t size)
{
    return (unsigned)__builtin_ctzll(size);
}

/** Sets the counts of all sizes with an odd part. */
static inline void rugi_hou_fill_sizes(rug_boxcount_result *result, uint64_t odd,
                                       const rugi_key_layout *layout,
                                       const uint64_t *nonempty, const uint64_t *full)
{
    for (uint32_t i = 0; i < result->facts.n_sizes; i++) {
        rug_box_count *c = &result->counts[i];
        unsigned m = rugi_twos_of(c->size), bits = layout->box_bits[m];
        if (c->size >> m != odd)
            continue;
        c->nonempty = nonempty[bits];
        c->black = bits == m * (unsigned)layout->axes ? full[bits] : 0;
    }
}

/** Whether a size has an odd part above 1 that no size before it has. */
static inline int rugi_hou_is_new_odd(const rug_boxcount_result *result, uint32_t i,
                                      uint64_t *odd)
{
    const rug_box_count *c = result->counts;
    *odd = c[i].size >> rugi_twos_of(c[i].size);
    for (uint32_t j = 0; j < i; j++)
        if (c[j].size >> rugi_twos_of(c[j].size) == *odd)
            return 0;
    return *odd > 1;
}

/** The layout of the keys of boxes of an odd size above 1, which have no more bits than
 *  those of their cells. */
static inline void rugi_hou_box_layout(rugi_key_layout *out, const rugi_cell_range *cells,
                                       uint64_t size)
{
    rugi_cell_range boxes = *cells;
    for (int a = 0; a < boxes.axes; a++) {
        boxes.least[a] = rugi_box_place(boxes.least[a], cells->zero, size);
        boxes.most[a] = rugi_box_place(boxes.most[a], cells->zero, size);
    }
    boxes.zero = (uint64_t)1 << 63;
    rugi_key_layout_make(out, &boxes);
}

/** size^axes, or SIZE_MAX when that is not in reach of n. */
static inline size_t rugi_hou_cells_of_box(uint64_t size, int axes, size_t n)
{
    size_t cells = 1;
    for (int a = 0; a < axes; a++) {
        if (size > n / cells)
            return SIZE_MAX;
        cells *= (size_t)size;
    }
    return cells;
}

#endif
