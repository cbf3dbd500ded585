/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the files of the method HOU share. */

#ifndef RUGI_BOXCOUNT_HOU_JOB_H
#define RUGI_BOXCOUNT_HOU_JOB_H

#include "boxcount_hou.h"
#include "boxcount_scan.h"
#include "core/context/context_internal.h"

/* The work at hand. */
typedef struct rugi_hou {
    rug_context *ctx;
    const rugi_cells *cells;
    const rugi_key_layout *layout;
    rugi_key_kernels kernels;
    int is_wide;      /* keys of 128 bits */
    double *seconds;  /* per thread */
    uint64_t *places; /* of a block, per thread */
    size_t places_step;
    size_t n, n_tasks;                 /* keys, and tasks of a loop over them */
    void *keys, *scratch, *third;      /* the third for sizes with an odd part */
    uint64_t *maps;                    /* a bitmap for each thread */
    size_t n_maps, map_words;          /* words of each */
    uint64_t box_size;                 /* odd */
    const rugi_key_layout *box_layout; /* of the boxes of that size */
} rugi_hou;

/** Where a task's share of n items begins. */
static inline size_t rugi_share_begin(size_t n, size_t n_tasks, size_t task)
{
    size_t share = n / n_tasks, rest = n % n_tasks;
    return task * share + (task < rest ? task : rest);
}

/** The sets of keys that are boxes, as bits; sets of 64 bits are always counted. */
static inline uint64_t rugi_hou_asked_sets(const rugi_key_layout *layout)
{
    uint64_t asked = 0;
    for (int m = 0; m < RUGI_LEVELS; m++)
        if (layout->box_bits[m] < 64)
            asked |= (uint64_t)1 << layout->box_bits[m];
    return asked;
}

/** The block at which a task's equal share of the cells begins. */
size_t rugi_hou_first_block(const rugi_hou *h, size_t n_tasks, size_t task);

/** The keys of a block's cells, 64 bits at most, or 32. @return how many */
size_t rugi_hou_keys_u64(const rugi_hou *h, size_t block, int thread, uint64_t *keys);
size_t rugi_hou_keys_u32(const rugi_hou *h, size_t block, int thread, uint32_t *keys);

/** Sets h->keys to those of all cells. */
rug_status rugi_hou_encode(rugi_hou *h);

/** Whether a bitmap is faster than the sort; sets n_maps and map_words. */
int rugi_hou_plan_bitmap(rugi_hou *h);

/** Sets the keys of all cells in h->maps, and counts their sets. */
rug_status rugi_hou_count_by_bitmap(rugi_hou *h, rugi_key_counts *out);

#endif
