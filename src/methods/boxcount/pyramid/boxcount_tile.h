/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* One thread's work of box counting on the CPU: levels 0..6 of one tile. */

#ifndef RUGI_BOXCOUNT_TILE_H
#define RUGI_BOXCOUNT_TILE_H

#include "boxcount_kernels.h"

#define RUGI_BLOCK_ANY 1 /**< bit of a block's byte: some pixel is set */
#define RUGI_BLOCK_ALL 2 /**< all pixels are set */

/** What one thread works with. */
typedef struct rugi_worker {
    const rugi_boxcount_plan *plan;
    const rugi_boxcount_kernels *kernels;
    uint8_t *blocks; /* [bz][by][bx] of RUGI_BLOCK_ANY | RUGI_BLOCK_ALL; shared, but each
                        tile has its own */
    rugi_boxcount_tally tally;
    uint64_t *slab_words;                 /* memory of the slabs */
    uint64_t *slab[RUGI_BLOCK_LEVEL + 2]; /* of the tile at hand, see rugi_rise */
    char *gathered; /* strided pixels, made contiguous; NULL: they are */
} rugi_worker;

/** Bytes of memory that rugi_worker_init() hands out. */
size_t rugi_worker_bytes(const rugi_boxcount_plan *plan);

/** @param memory  rugi_worker_bytes(), aligned to RUGI_ALIGNMENT */
void rugi_worker_init(rugi_worker *w, const rugi_boxcount_plan *plan,
                      const rugi_boxcount_kernels *kernels, uint8_t *blocks,
                      void *memory);

/** Counts tile `index`: adds to the tally and stores the tile's blocks. */
void rugi_worker_count_tile(rugi_worker *w, size_t index);

#endif
