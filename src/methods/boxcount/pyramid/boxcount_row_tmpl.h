/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The loops over rows of pixels, which all kernels share. A group is counted, joined and
 * carried to the last level that it completes as soon as it is packed: the work on it
 * overlaps the reading of the next ones, while a pass of its own over packed rows or
 * boxes leaves the memory idle. Pixels are prefetched by software too: the hardware foresees
 * their order, but tells streams apart by the addresses of the instructions that load, so
 * that without it the speed depended, by half, on where the linker had put this code.
 *
 * A kernel defines, before it uses the macros:
 *
 *     group                            a vector of 64 bytes
 *     row_counter                      what one call counts; zero when zeroed
 *     pack_NAME(pixels, n_blocks, p)    n_blocks * 64 pixels to a group; the rest is 0
 *     with_block(a, b, k, n)           a, and as block k the first n pixels of b's block 0
 *     add_group(to, g, pixels, counter, tally)
 *                                      joins a group of pixels to level 1 and carries on
 *     add_counter(counter, tally)
 *     raise_empty(to, g, level, tally) joins a group of empty boxes of a level > 0
 */

#ifndef RUGI_BOXCOUNT_ROW_TMPL_H
#define RUGI_BOXCOUNT_ROW_TMPL_H

#include "boxcount_kernels.h"
#include <string.h>

/* The waiting boxes of a wide row have left the first-level cache when their turn comes,
 * and would queue behind the pixels, so they are prefetched some groups ahead. */
#define RUGI_GROUPS_AHEAD 4
#ifdef __GNUC__
#define RUGI_PREFETCH(p) __builtin_prefetch(p, 1)
#else
#define RUGI_PREFETCH(p) ((void)(p))
#endif

/* Pixels are prefetched this far ahead, which may be behind the image: a page. */
#define RUGI_BYTES_AHEAD 4096

static inline void prefetch_pixels(const char *at, size_t n_bytes)
{
#ifdef __GNUC__
    for (size_t i = 0; i < n_bytes; i += 64)
        __builtin_prefetch((const void *)((uintptr_t)at + i + RUGI_BYTES_AHEAD));
#else
    (void)at;
    (void)n_bytes;
#endif
}

/** rows_NAME(): a rugi_rows_fn over pack_NAME().
 *  @param block  bytes of 64 pixels
 *  @param bytes  of n pixels, n < 64 */
#define RUGI_DEFINE_ROWS(name, block, bytes)                                            \
    /* Fewer pixels than a group has. */                                                \
    static group pack_end_##name(const char *pixels, size_t n, const rugi_predicate *p) \
    {                                                                                   \
        size_t k = n / RUGI_BLOCK;                                                      \
        group all = pack_##name(pixels, k, p);                                          \
        n %= RUGI_BLOCK;                                                                \
        if (n > 0) {                                                                    \
            char end[block] = {0};                                                      \
            memcpy(end, pixels + k * (block), (bytes));                                 \
            all = with_block(all, pack_##name(end, 1, p), k, n);                        \
        }                                                                               \
        return all;                                                                     \
    }                                                                                   \
                                                                                        \
    static void rows_##name(rugi_rise to, const void *pixels, size_t n, size_t n_rows,  \
                            ptrdiff_t stride, const rugi_predicate *predicate,          \
                            rugi_boxcount_tally *tally)                                 \
    {                                                                                   \
        const rugi_predicate p = *predicate; /* a copy that no store can alias */       \
        const char *row = pixels;                                                       \
        size_t n_groups = n / RUGI_GROUP_PIXELS, n_end = n % RUGI_GROUP_PIXELS;         \
        row_counter counter;                                                            \
        memset(&counter, 0, sizeof counter);                                            \
        for (; n_rows > 0; n_rows--, to.y++, row += stride) {                           \
            const char *at = row;                                                       \
            for (size_t g = 0; g < n_groups; g++, at += RUGI_GROUP * (block)) {         \
                RUGI_PREFETCH(rugi_waiting(&to, 1, g + RUGI_GROUPS_AHEAD));             \
                prefetch_pixels(at, RUGI_GROUP *(block));                               \
                add_group(&to, g, pack_##name(at, RUGI_GROUP, &p), &counter, tally);    \
            }                                                                           \
            if (n_end > 0)                                                              \
                add_group(&to, n_groups, pack_end_##name(at, n_end, &p), &counter,      \
                          tally);                                                       \
        }                                                                               \
        add_counter(&counter, tally);                                                   \
    }

/** The row functions of every dtype, from pack_bit and pack_8 … pack_f64, and
 * empty_row(). */
#define RUGI_DEFINE_ALL_ROWS                                                   \
    RUGI_DEFINE_ROWS(bit, 8, (n + 7) / 8)                                      \
    RUGI_DEFINE_ROWS(8, 64, n)                                                 \
    RUGI_DEFINE_ROWS(16, 128, 2 * n)                                           \
    RUGI_DEFINE_ROWS(32, 256, 4 * n)                                           \
    RUGI_DEFINE_ROWS(64, 512, 8 * n)                                           \
    RUGI_DEFINE_ROWS(f32, 256, 4 * n)                                          \
    RUGI_DEFINE_ROWS(f64, 512, 8 * n)                                          \
    static void empty_row(rugi_rise to, int level, size_t n_groups,            \
                          rugi_boxcount_tally *tally)                          \
    {                                                                          \
        static const rugi_predicate none;                                      \
        static const uint64_t empty[RUGI_GROUP];                               \
        if (level == 0)                                                        \
            for (size_t g = 0; g < n_groups; g++) {                            \
                row_counter counter;                                           \
                memset(&counter, 0, sizeof counter);                           \
                add_group(&to, g, pack_bit(empty, 0, &none), &counter, tally); \
                add_counter(&counter, tally);                                  \
            }                                                                  \
        else                                                                   \
            for (size_t g = 0; g < n_groups; g++)                              \
                raise_empty(&to, g, level, tally);                             \
    }

/** The table of them. */
#define RUGI_ALL_ROWS                                                                    \
    {                                                                                    \
        [RUG_BIT] = rows_bit, [RUG_U8] = rows_8, [RUG_I8] = rows_8, [RUG_U16] = rows_16, \
        [RUG_I16] = rows_16, [RUG_U32] = rows_32, [RUG_I32] = rows_32,                   \
        [RUG_U64] = rows_64, [RUG_I64] = rows_64, [RUG_F32] = rows_f32,                  \
        [RUG_F64] = rows_f64                                                             \
    }

/** 64 packed pixels, lowest bit first, by the predicate. */
static inline uint64_t rugi_block_bit(const void *pixels, const rugi_predicate *p)
{
    const uint8_t *v = pixels;
    uint64_t word = 0;
    for (int b = 0; b < 8; b++)
        word |= (uint64_t)v[b] << 8 * b;
    return (p->set_bit[1] ? word : 0) | (p->set_bit[0] ? ~word : 0);
}

#endif
