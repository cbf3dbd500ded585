/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* What the kernels of vectors have in common, included at the end of each, which has
 * join_u8_u8_of(), join_u8_u16_of(), join_u16_u16_of(), count_flags() and count_equal(),
 * and COMPARED_SIZE: up to this size of a table each mass is compared with, which costs
 * less than a table. */

#ifndef RUGI_MASSES_KERNELS_TMPL_H
#define RUGI_MASSES_KERNELS_TMPL_H

#include "masses_kernels.h"

static void join_u8_u8(void *out, const void *const *rows, int n_rows, size_t n)
{
    if (n_rows == 2)
        join_u8_u8_of(out, rows, 2, n);
    else
        join_u8_u8_of(out, rows, 4, n);
}

static void join_u8_u16(void *out, const void *const *rows, int n_rows, size_t n)
{
    if (n_rows == 2)
        join_u8_u16_of(out, rows, 2, n);
    else
        join_u8_u16_of(out, rows, 4, n);
}

static void join_u16_u16(void *out, const void *const *rows, int n_rows, size_t n)
{
    if (n_rows == 2)
        join_u16_u16_of(out, rows, 2, n);
    else
        join_u16_u16_of(out, rows, 4, n);
}

static void count_few(uint32_t *t, size_t size, size_t step, const void *masses, size_t n)
{
    if (size > COMPARED_SIZE) {
        rugi_masses_count_u8(t, size, step, masses, n);
        return;
    }
    for (size_t mass = 1; mass < size; mass++)
        t[mass] += (uint32_t)count_equal(masses, n, (uint8_t)mass);
}

/* Sets the functions for a kind that vectors make faster. */
static inline void set_kernels(rugi_masses_kernels *kernels)
{
    if (kernels->kind == RUGI_MASSES_FLAGS) {
        kernels->join_pixels = kernels->join_sums = join_u8_u8;
        kernels->count_pixels = count_flags;
        kernels->count_sums = count_few;
    } else if (kernels->kind == RUGI_MASSES_U8) {
        kernels->join_pixels = join_u8_u16;
        kernels->join_sums = join_u16_u16;
    }
}

#endif
