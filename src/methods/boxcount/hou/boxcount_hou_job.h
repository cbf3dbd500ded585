/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the files of the method HOU share. */

#ifndef RUGI_BOXCOUNT_HOU_JOB_H
#define RUGI_BOXCOUNT_HOU_JOB_H

#include "boxcount_hou.h"
#include "boxcount_scan.h"
#include "core/context/context_internal.h"

/* One count. */
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

/** Sets h->keys to those of all cells. */
rug_status rugi_hou_encode(rugi_hou *h);

/** Makes the bitmaps h->maps of map_words words, and sets in them the keys of all cells.
 *  @param h  n_maps may become less */
rug_status rugi_hou_set_bitmap(rugi_hou *h);

#endif
