/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The loops over lines of pixels, which all kernels share. A group is counted, joined and
 * carried to the last level that it completes as soon as it is packed: the work on it
 * overlaps the reading of the next ones, while a pass of its own over packed rows or
 * boxes leaves the memory idle. What is to be read later is prefetched behind the loads of
 * a group, which is a few percent faster than before them.
 *
 * A kernel defines, before it uses the macros:
 *
 *     group                            a vector of 64 bytes
 *     row_counter                      what one call counts; zero when zeroed
 *     pack_NAME(pixels, at, p)         eight blocks of 64 pixels to a group: at at[0..7], or
 *                                      where `at` is NULL side by side from `pixels` on
 *     keep(a, b)                       a where the group in memory at b has bits, else 0
 *     add_group(to, g, pixels, counter, tally)
 *                                      joins a group of pixels to level 1 and carries on
 *     add_counter(counter, tally)
 *     raise_empty(to, g, level, tally) joins a group of empty boxes of a level > 0
 */

#ifndef RUGI_BOXCOUNT_ROW_TMPL_H
#define RUGI_BOXCOUNT_ROW_TMPL_H

#include "boxcount/bits/boxcount_prefetch.h"
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

static inline const void *rugi_block_at(const void *pixels, const char *const *at,
                                        size_t k, size_t n_bytes)
{
    return at == NULL ? (const char *)pixels + k * n_bytes : at[k];
}

/** The first line of a turn. */
static inline const char *rugi_turn_at(const rugi_lines *lines, size_t y, size_t k)
{
    return lines->pixels + (ptrdiff_t)y * lines->stride + (ptrdiff_t)k * lines->slice;
}

/** lines_NAME(): a rugi_lines_fn over pack_NAME(). Whole groups and scattered ones have a
 * loop each, and lines of whole groups, the most frequent, a function that has nothing
 * else.
 *  @param block  bytes of 64 pixels
 *  @param bytes  of n pixels, n < 64 */
#define RUGI_DEFINE_LINES(name, block, bytes)                                            \
    /* Ends of parts that are too near to the end of the image to be read whole. */      \
    static group copied_##name(const rugi_layout *l, const char *row,                    \
                               const rugi_scattered *s, const rugi_predicate *p)         \
    {                                                                                    \
        char copies[RUGI_GROUP][block];                                                  \
        const char *at[RUGI_GROUP];                                                      \
        memset(copies, 0, sizeof copies);                                                \
        for (size_t k = 0; k < RUGI_GROUP; k++)                                          \
            at[k] = k < s->n_blocks ? row + s->at[k] : copies[k];                        \
        for (size_t k = s->first_end; k < s->n_blocks; k += l->part_blocks) {            \
            size_t n = l->n_end;                                                         \
            at[k] = memcpy(copies[k], at[k], bytes);                                     \
        }                                                                                \
        return pack_##name(NULL, at, p);                                                 \
    }                                                                                    \
                                                                                         \
    static inline group scattered_##name(const rugi_lines *lines, const char *row,       \
                                         const rugi_scattered *s, ptrdiff_t ahead,       \
                                         const rugi_predicate *p)                        \
    {                                                                                    \
        const char *at[RUGI_GROUP];                                                      \
        for (size_t k = 0; k < RUGI_GROUP; k++) {                                        \
            at[k] = row + s->at[k];                                                      \
        }                                                                                \
        int fits = (uintptr_t)row + (uintptr_t)s->end_of_end <= (uintptr_t)lines->limit; \
        group g = s->end_of_end == 0 || fits ? pack_##name(NULL, at, p)                  \
                                             : copied_##name(lines->layout, row, s, p);  \
        for (size_t k = 0; k < RUGI_GROUP; k++)                                          \
            rugi_prefetch(at[k], ahead, block);                                          \
        return keep(g, s->inside);                                                       \
    }                                                                                    \
                                                                                         \
    static inline void whole_##name(                                                     \
        const rugi_rise *to, const char *at, size_t n_groups, ptrdiff_t ahead,           \
        const rugi_predicate *p, row_counter *counter, rugi_boxcount_tally *tally)       \
    {                                                                                    \
        for (size_t g = 0; g < n_groups; g++, at += RUGI_GROUP * (block)) {              \
            RUGI_PREFETCH(rugi_waiting(to, 1, g + RUGI_GROUPS_AHEAD));                   \
            group pixels = pack_##name(at, NULL, p);                                     \
            rugi_prefetch(at, ahead, RUGI_GROUP *(block));                               \
            add_group(to, g, pixels, counter, tally);                                    \
        }                                                                                \
    }                                                                                    \
                                                                                         \
    RUGI_DEFINE_TURNS(whole_lines_##name,                                                \
                      whole_##name(&to, row, l.n_groups, ahead, &p, &counter, tally))    \
                                                                                         \
    RUGI_DEFINE_TURNS(                                                                   \
        mixed_lines_##name,                                                              \
        whole_##name(&to, row, l.n_whole, ahead, &p, &counter, tally);                   \
        for (size_t g = l.n_whole; g < l.n_groups; g++) add_group(                       \
            &to, g,                                                                      \
            scattered_##name(lines, row, l.scattered + g - l.n_whole, ahead, &p),        \
            &counter, tally))                                                            \
                                                                                         \
    static void lines_##name(rugi_rise to, const rugi_lines *lines,                      \
                             const rugi_predicate *p, rugi_boxcount_tally *tally)        \
    {                                                                                    \
        if (lines->layout->n_whole == lines->layout->n_groups)                           \
            whole_lines_##name(to, lines, p, tally);                                     \
        else                                                                             \
            mixed_lines_##name(to, lines, p, tally);                                     \
    }

/** A rugi_lines_fn that does ADD_LINE, with `row` at the line's first pixel. */
#define RUGI_DEFINE_TURNS(name, ADD_LINE)                                               \
    static void name(rugi_rise to, const rugi_lines *lines,                             \
                     const rugi_predicate *predicate, rugi_boxcount_tally *tally)       \
    {                                                                                   \
        const rugi_predicate p = *predicate; /* copies that no store can alias */       \
        const rugi_layout l = *lines->layout;                                           \
        const size_t y0 = to.y, z0 = to.z, n_lines = lines->n;                          \
        row_counter counter;                                                            \
        memset(&counter, 0, sizeof counter);                                            \
        for (size_t y = 0, n; y < n_lines; y += n) {                                    \
            n = n_lines - y < lines->turn ? n_lines - y : lines->turn;                  \
            ptrdiff_t ahead = y + n < n_lines ? lines->ahead : lines->ahead_at_end;     \
            for (size_t k = 0; k < lines->n_slices; k++) {                              \
                const char *row = rugi_turn_at(lines, y, k);                            \
                to.z = z0 + k;                                                          \
                to.y = y0 + y;                                                          \
                for (size_t end = to.y + n; to.y < end; to.y++, row += lines->stride) { \
                    ADD_LINE;                                                           \
                }                                                                       \
            }                                                                           \
        }                                                                               \
        add_counter(&counter, tally);                                                   \
    }

/** The functions of lines of every dtype, from pack_bit and pack_8 … pack_f64, and
 * empty_row(). */
#define RUGI_DEFINE_ALL_LINES                                                     \
    RUGI_DEFINE_LINES(bit, 8, (n + 7) / 8)                                        \
    RUGI_DEFINE_LINES(8, 64, n)                                                   \
    RUGI_DEFINE_LINES(16, 128, 2 * n)                                             \
    RUGI_DEFINE_LINES(32, 256, 4 * n)                                             \
    RUGI_DEFINE_LINES(64, 512, 8 * n)                                             \
    RUGI_DEFINE_LINES(f32, 256, 4 * n)                                            \
    RUGI_DEFINE_LINES(f64, 512, 8 * n)                                            \
    static void empty_row(rugi_rise to, int level, size_t n_groups,               \
                          rugi_boxcount_tally *tally)                             \
    {                                                                             \
        static const rugi_predicate none;                                         \
        static const uint64_t empty[RUGI_GROUP];                                  \
        if (level == 0)                                                           \
            for (size_t g = 0; g < n_groups; g++) {                               \
                row_counter counter;                                              \
                memset(&counter, 0, sizeof counter);                              \
                add_group(&to, g, pack_bit(empty, NULL, &none), &counter, tally); \
                add_counter(&counter, tally);                                     \
            }                                                                     \
        else                                                                      \
            for (size_t g = 0; g < n_groups; g++)                                 \
                raise_empty(&to, g, level, tally);                                \
    }

/** The table of them. */
#define RUGI_ALL_LINES                                                    \
    {                                                                     \
        [RUG_BIT] = lines_bit, [RUG_U8] = lines_8, [RUG_I8] = lines_8,    \
        [RUG_U16] = lines_16, [RUG_I16] = lines_16, [RUG_U32] = lines_32, \
        [RUG_I32] = lines_32, [RUG_U64] = lines_64, [RUG_I64] = lines_64, \
        [RUG_F32] = lines_f32, [RUG_F64] = lines_f64                      \
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
