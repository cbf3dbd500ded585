/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the files of the method HOU share. */

#ifndef RUGI_BOXCOUNT_HOU_JOB_H
#define RUGI_BOXCOUNT_HOU_JOB_H

#include "boxcount/opencl/boxcount_pixels.h"
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

/* A step of the work, which is this part of the progress. */
#define RUGI_PHASE(h, from, to, status, call)                        \
    do {                                                             \
        if ((status) == RUG_OK) {                                    \
            rugi_phase outer = rugi_phase_enter((h)->ctx, from, to); \
            (status) = (call);                                       \
            rugi_phase_leave((h)->ctx, outer);                       \
        }                                                            \
    } while (0)

/** Where a task's share of n items begins. */
static inline size_t rugi_share_begin(size_t n, size_t n_tasks, size_t task)
{
    size_t share = n / n_tasks, rest = n % n_tasks;
    return task * share + (task < rest ? task : rest);
}

/** The exponent of the power of two in a size. */
static inline unsigned rugi_twos_of(uint64_t size)
{
    return (unsigned)__builtin_ctzll(size);
}

/** The block at which a task's equal share of the cells begins. */
size_t rugi_hou_first_block(const rugi_hou *h, size_t n_tasks, size_t task);

/** The keys of a block's cells, 64 bits at most, or 32. @return how many */
size_t rugi_hou_keys_u64(const rugi_hou *h, size_t block, int thread, uint64_t *keys);
size_t rugi_hou_keys_u32(const rugi_hou *h, size_t block, int thread, uint32_t *keys);

/** Whether keys are so many and in so little order that their bits are better set in
 *  slices of the bitmap, one after the other. */
int rugi_hou_slices_pay(const rugi_hou *h);

/** Clears the first bitmap and sets the bits of all cells in it. */
rug_status rugi_hou_set_by_slices(const rugi_hou *h);

/** Memory for keys; NULL with an error text when there is none. */
void *rugi_hou_new_keys(const rugi_hou *h, size_t n);

/** Sets the keys in hand, and the tasks of a loop over them. */
void rugi_hou_set_tasks(rugi_hou *h, size_t n);

/** Sorts or scans keys of either width. */
rug_status rugi_hou_sort(const rugi_hou *h, void *keys, void *scratch, size_t n,
                         unsigned bits);
rug_status rugi_hou_scan(const rugi_hou *h, rugi_key_counts *out, const void *keys,
                         size_t n, const rugi_key_layout *layout);

/** Sets the counts of all sizes with an odd part. */
void rugi_hou_fill_sizes(rug_boxcount_result *result, uint64_t odd,
                         const rugi_key_layout *layout, const uint64_t *nonempty,
                         const uint64_t *full);

/** Whether a size has an odd part above 1 that no size before it has. */
int rugi_hou_is_new_odd(const rug_boxcount_result *result, uint32_t i, uint64_t *odd);

/** The layout of the keys of boxes of an odd size above 1, which have no more bits than
 *  those of their cells. */
void rugi_hou_box_layout(rugi_key_layout *out, const rugi_cell_range *cells,
                         uint64_t size);

/** size^axes, or SIZE_MAX when that is not in reach of n. */
size_t rugi_hou_cells_of_box(uint64_t size, int axes, size_t n);

/** Keeps each of the sorted keys once. */
rug_status rugi_hou_keep_distinct(rugi_hou *h);

/** Counts all sizes with an odd part above 1, from sorted and distinct keys. */
rug_status rugi_hou_count_odd_sizes(rugi_hou *h, rug_boxcount_result *result);

#endif
