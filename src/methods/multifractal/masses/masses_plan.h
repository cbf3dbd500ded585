/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The plan of a mass pyramid: which levels are made while pixels are read, from which
 * kind of rows, and which of them are counted in tables. */

#ifndef RUGI_MASSES_PLAN_H
#define RUGI_MASSES_PLAN_H

#include "core/image/mass.h"
#include <stddef.h>
#include <stdint.h>

/** Sizes 2^0 .. 2^63 at most. */
#define RUGI_MASSES_LEVELS 64

/** Levels below that of a block, at most. */
#define RUGI_MASSES_FINE 4

/** What a row of pixels is made of. */
typedef enum rugi_masses_kind {
    RUGI_MASSES_FLAGS, /* u8, 0 or 1 */
    RUGI_MASSES_U8,    /* u8 */
    RUGI_MASSES_U16,   /* u16 */
    RUGI_MASSES_WIDE,  /* u64 */
    RUGI_MASSES_KINDS
} rugi_masses_kind;

/** Bytes of a mass in such a row. */
static inline size_t rugi_masses_kind_size(rugi_masses_kind kind)
{
    return kind == RUGI_MASSES_WIDE ? 8 : kind == RUGI_MASSES_U16 ? 2 : 1;
}

/** Counts of one level in the memory of a thread: 4 tables side by side that are added
 *  up, so that equal neighbours do not wait for each other; a single large one; or one of
 *  pairs of 8-bit pixels, which halves the steps. */
typedef struct rugi_masses_table {
    size_t size;      /* masses 0 .. size - 1; 0: there is no table */
    size_t at;        /* its first entry among those of a thread */
    size_t counts_at; /* the first of its masses among those of all tables */
    size_t step;      /* entries from one of the 4 to the next; 0: they are one */
    int is_paired;    /* entry 256 b + a counts the pairs a, b */
} rugi_masses_table;

typedef struct rugi_masses_plan {
    int n_axes;        /* 2, 3 */
    size_t shape[3];   /* z y x; z = 1 for an image */
    uint32_t n_levels; /* sizes 1, 2, 4 … up to the first that is >= the longest axis */
    rugi_masses_kind kind;
    unsigned block_level;   /* blocks have 2^block_level pixels along each axis */
    unsigned block_bits[3]; /* the same by axis, z y x; 0 along z of an image */
    size_t n_blocks[3];
    int group;    /* rows that make one of the level above: 2, or 4 of a volume */
    size_t piece; /* pixels of a row that are worked on at once; a multiple of a block */
    rugi_masses_table tables[RUGI_MASSES_FINE]; /* of levels below block_level */
    size_t n_entries;                           /* of all tables */
    size_t n_counts;                            /* of all their masses */
} rugi_masses_plan;

/** The number of entries of a table. */
static inline size_t rugi_masses_entries(const rugi_masses_table *table)
{
    if (table->is_paired)
        return table->size * table->size;
    return table->step > 0 ? 4 * table->step : table->size;
}

/** Whether a level below that of a block is wanted, and kept as a list. */
static inline int rugi_masses_has_list(const rugi_masses_plan *plan, unsigned level)
{
    return level < plan->n_levels && plan->tables[level].size == 0;
}

#endif
