/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The loop over a row of cells, which all leaves share. It packs groups of eight words and counts
 * each while the next is on its way from memory, so that arithmetic costs little more than reading:
 * a group is looked at one turn after its words were stored, when a vector load of them need not
 * wait any more. A leaf defines, before it uses the macros:
 *
 *     leaf_order(word)      64 cells, lowest bit first, in the leaf's own order of bits
 *     block_NAME(cells, p)  64 cells to a word
 *     row_counter           what one call counts; zero when zeroed
 *     row_group(boxes, words, mode, counter)  joins eight words to eight words of boxes
 *     row_end(counter, tally)
 */

#ifndef RUGI_BOXCOUNT_ROW_H
#define RUGI_BOXCOUNT_ROW_H

#include "boxcount_kernels.h"
#include <string.h>

#define RUGI_GROUP       8 /* words: one 512-bit vector */
#define RUGI_GROUP_CELLS ((size_t)RUGI_GROUP * RUGI_BLOCK)

/** row_NAME(): a rugi_row_fn over block_NAME().
 *  @param block  bytes of 64 cells
 *  @param bytes  of n cells, n < 64 */
#define RUGI_DEFINE_ROW(name, block, bytes)                                               \
    /* Packs at most eight words; the others are 0. */                                    \
    static void row_##name##_tail(uint64_t *words, const char *cells, size_t n,           \
                                  const rugi_predicate *p)                                \
    {                                                                                     \
        memset(words, 0, RUGI_GROUP * sizeof *words);                                     \
        for (; n >= RUGI_BLOCK; n -= RUGI_BLOCK, cells += (block))                        \
            *words++ = block_##name(cells, p);                                            \
        if (n > 0) {                                                                      \
            char tail[block] = {0};                                                       \
            memcpy(tail, cells, (bytes));                                                 \
            *words = block_##name(tail, p) & leaf_order(((uint64_t)1 << n) - 1);          \
        }                                                                                 \
    }                                                                                     \
                                                                                          \
    static inline void row_##name##_in(uint64_t *boxes, const char *cells, size_t n,      \
                                       const rugi_predicate *predicate,                   \
                                       rugi_row_mode mode, rugi_boxcount_tally *tally)    \
    {                                                                                     \
        const rugi_predicate p = *predicate; /* a copy that no store can alias */         \
        row_counter counter;                                                              \
        uint64_t words[2][RUGI_GROUP], last[RUGI_GROUP] = {0};                            \
        size_t n_groups = n / RUGI_GROUP_CELLS, turn = 0;                                 \
        memset(&counter, 0, sizeof counter);                                              \
        for (size_t g = 0; g < n_groups; g++, turn = !turn) {                             \
            for (size_t i = 0; i < RUGI_GROUP; i++, cells += (block))                     \
                words[turn][i] = block_##name(cells, &p);                                 \
            if (g > 0)                                                                    \
                row_group(boxes + (g - 1) * RUGI_GROUP, words[!turn], mode, &counter);    \
        }                                                                                 \
        if (n_groups > 0)                                                                 \
            row_group(boxes + (n_groups - 1) * RUGI_GROUP, words[!turn], mode, &counter); \
        n -= n_groups * RUGI_GROUP_CELLS;                                                 \
        if (n > 0) {                                                                      \
            size_t n_words = (n - 1) / RUGI_BLOCK + 1;                                    \
            boxes += n_groups * RUGI_GROUP;                                               \
            row_##name##_tail(words[0], cells, n, &p);                                    \
            memcpy(last, boxes, n_words * sizeof *last);                                  \
            row_group(last, words[0], mode, &counter);                                    \
            memcpy(boxes, last, n_words * sizeof *last);                                  \
        }                                                                                 \
        row_end(&counter, tally);                                                         \
    }                                                                                     \
                                                                                          \
    static void row_##name(uint64_t *boxes, const void *cells, size_t n,                  \
                           const rugi_predicate *predicate, rugi_row_mode mode,           \
                           rugi_boxcount_tally *tally)                                    \
    {                                                                                     \
        if (mode == RUGI_ROW_FIRST)                                                       \
            row_##name##_in(boxes, cells, n, predicate, RUGI_ROW_FIRST, tally);           \
        else if (mode == RUGI_ROW_MIDDLE)                                                 \
            row_##name##_in(boxes, cells, n, predicate, RUGI_ROW_MIDDLE, tally);          \
        else                                                                              \
            row_##name##_in(boxes, cells, n, predicate, RUGI_ROW_LAST, tally);            \
    }

/** block_bit(), and the row functions of every dtype; block_8 … block_f64 must be there. */
#define RUGI_DEFINE_ALL_ROWS                                                              \
    static inline uint64_t block_bit(const void *cells, const rugi_predicate *p)          \
    {                                                                                     \
        const uint8_t *v = cells;                                                         \
        uint64_t word = 0;                                                                \
        for (int b = 0; b < 8; b++)                                                       \
            word |= (uint64_t)v[b] << 8 * b;                                              \
        word = (p->set_bit[1] ? word : 0) | (p->set_bit[0] ? ~word : 0);                  \
        return leaf_order(word);                                                          \
    }                                                                                     \
    RUGI_DEFINE_ROW(bit, 8, (n + 7) / 8)                                                  \
    RUGI_DEFINE_ROW(8, 64, n)                                                             \
    RUGI_DEFINE_ROW(16, 128, 2 * n)                                                       \
    RUGI_DEFINE_ROW(32, 256, 4 * n)                                                       \
    RUGI_DEFINE_ROW(64, 512, 8 * n)                                                       \
    RUGI_DEFINE_ROW(f32, 256, 4 * n)                                                      \
    RUGI_DEFINE_ROW(f64, 512, 8 * n)

/** The table of them. */
#define RUGI_ALL_ROWS                                                                     \
    {                                                                                     \
        [RUG_BIT] = row_bit, [RUG_U8] = row_8, [RUG_I8] = row_8, [RUG_U16] = row_16,      \
        [RUG_I16] = row_16, [RUG_U32] = row_32, [RUG_I32] = row_32, [RUG_U64] = row_64,   \
        [RUG_I64] = row_64, [RUG_F32] = row_f32, [RUG_F64] = row_f64                      \
    }

#endif
