/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The pyramid of a row of blocks. Rows wait at each level for the others of their boxes,
 * as the digits of a counter do. */

#include "masses_tile.h"
#include <string.h>

static size_t row_bytes(const rugi_masses_kernels *kernels, size_t n, unsigned level)
{
    return ((n >> level) * kernels->sum_size + 63) / 64 * 64;
}

size_t rugi_masses_tile_bytes(const rugi_masses_plan *plan,
                              const rugi_masses_kernels *kernels, size_t n)
{
    size_t bytes = 0;
    for (unsigned level = 1; level < plan->block_level; level++)
        bytes += (size_t)plan->group * row_bytes(kernels, n, level);
    return bytes;
}

void rugi_masses_tile_begin(rugi_masses_tile *tile, const rugi_masses_plan *plan,
                            const rugi_masses_kernels *kernels, void *memory, size_t n,
                            rugi_masses_sink sink, uint64_t *last)
{
    memset(tile, 0, sizeof *tile);
    tile->plan = plan;
    tile->kernels = kernels;
    tile->sink = sink;
    tile->last = last;
    tile->n = n;
    char *at = memory;
    for (unsigned level = 1; level < plan->block_level; level++) {
        tile->rows[level] = at;
        at += (size_t)plan->group * row_bytes(kernels, n, level);
    }
}

size_t rugi_masses_tile_rows(const rugi_masses_plan *plan)
{
    return (size_t)1 << (plan->block_bits[0] + plan->block_bits[1]);
}

void rugi_masses_tile_row(const rugi_masses_plan *plan, size_t k, size_t *z, size_t *y)
{
    *z = 0;
    *y = k;
    if (plan->n_axes == 2)
        return;
    *y = 0;
    for (unsigned bit = 0; bit < plan->block_level; bit++) {
        *y |= (k >> 2 * bit & 1) << bit;
        *z |= (k >> (2 * bit + 1) & 1) << bit;
    }
}

/* Counts the boxes of a row. */
static void count_row(rugi_masses_tile *tile, unsigned level, const void *row, size_t n)
{
    const rugi_masses_table *table = &tile->plan->tables[level];
    const rugi_masses_kernels *kernels = tile->kernels;
    rugi_masses_count_fn count = level > 0 ? kernels->count_sums : kernels->count_pixels;
    if (table->is_paired && kernels->count_pairs != NULL)
        count = kernels->count_pairs;
    if (table->size > 0)
        count(tile->sink.tables + table->at, table->size, table->step, row, n);
    else if (rugi_masses_has_list(tile->plan, level))
        (level == 0 ? kernels->widen_pixels : kernels->widen_sums)(
            rugi_mass_list_take(&tile->sink.lists[level], n), row, n);
}

void rugi_masses_tile_add(rugi_masses_tile *tile, const void *row)
{
    const rugi_masses_kernels *kernels = tile->kernels;
    int group = tile->plan->group;
    for (unsigned level = 0;; level++) {
        size_t n = tile->n >> level;
        count_row(tile, level, row, n);
        tile->waiting[level][tile->n_waiting[level]++] = row;
        if (tile->n_waiting[level] < group)
            return;
        tile->n_waiting[level] = 0;
        if (level + 1 == tile->plan->block_level) {
            kernels->join_last(tile->last, tile->waiting[level], group, n / 2);
            return;
        }
        size_t slot = (size_t)tile->n_waiting[level + 1];
        char *joined =
            tile->rows[level + 1] + slot * row_bytes(kernels, tile->n, level + 1);
        (level == 0 ? kernels->join_pixels
                    : kernels->join_sums)(joined, tile->waiting[level], group, n / 2);
        row = joined;
    }
}
