/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The portable leaves: plain C that compilers vectorise.
 *
 * Cell 8k + j of a block is bit 8j + k of its word: a transposed order, in which eight bytes of
 * flags make eight words' bits at once without a multiplication. Neighbours along x are then 8,
 * 16, 32, 1, 2 and 4 bits apart at levels 1 to 6. */

#include "boxcount_row.h"

/* Where x-neighbours of a level lie. */
static const int level_shift[RUGI_BLOCK_LEVEL + 1] = {0, 8, 16, 32, 1, 2, 4};

/* The bits that hold boxes of a level: "any" in the even bytes, "all" in the odd ones. */
static const uint64_t level_mask[RUGI_BLOCK_LEVEL + 1] = {
    0, ~(uint64_t)0, 0x0000ffff0000ffffu, 0x000000000000ffffu, 0x0000000000005555u,
    0x0000000000001111u, 0x0000000000000101u};
#define ANY     0x00ff00ff00ff00ffu
#define ALL_BIT 8 /* from the "any" of a box to its "all" */

/* The transpose of 8 x 8 bits (Warren, Hacker's Delight, section 7-3). */
static inline uint64_t leaf_order(uint64_t x)
{
    uint64_t t = (x ^ x >> 7) & 0x00aa00aa00aa00aau;
    x ^= t ^ t << 7;
    t = (x ^ x >> 14) & 0x0000cccc0000ccccu;
    x ^= t ^ t << 14;
    t = (x ^ x >> 28) & 0x00000000f0f0f0f0u;
    return x ^ t ^ t << 28;
}

static inline uint64_t load_word(const uint8_t *b)
{
    return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 |
           (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 |
           (uint64_t)b[7] << 56;
}

/* 64 bytes of 0 or 255 to a word. */
static inline uint64_t word_of_flags(const uint8_t *flags)
{
    uint64_t word = 0;
    for (int k = 0; k < 8; k++)
        word |= load_word(flags + 8 * k) & (uint64_t)0x0101010101010101u << k;
    return word;
}

#define FLAG(condition) (uint8_t)((condition) ? 255 : 0)

#define DEFINE_INTEGER_BLOCK(name, type)                                                 \
    static inline uint64_t block_##name(const void *cells, const rugi_predicate *p)      \
    {                                                                                    \
        const type *v = cells;                                                           \
        type lo = (type)p->lo, span = (type)p->span;                                     \
        uint8_t flags[RUGI_BLOCK];                                                       \
        for (int i = 0; i < RUGI_BLOCK; i++)                                             \
            flags[i] = FLAG((type)(v[i] - lo) <= span);                                  \
        uint64_t word = word_of_flags(flags);                                            \
        return p->outside ? ~word : word;                                                \
    }

#define DEFINE_REAL_BLOCK(name, type)                                                    \
    static inline uint64_t block_##name(const void *cells, const rugi_predicate *p)      \
    {                                                                                    \
        const type *v = cells;                                                           \
        type lo = (type)p->real_lo, hi = (type)p->real_hi;                               \
        uint8_t flags[RUGI_BLOCK];                                                       \
        if (p->outside)                                                                  \
            for (int i = 0; i < RUGI_BLOCK; i++)                                         \
                flags[i] = FLAG((v[i] < lo) | (v[i] > hi));                              \
        else                                                                             \
            for (int i = 0; i < RUGI_BLOCK; i++)                                         \
                flags[i] = FLAG((v[i] >= lo) & (v[i] <= hi));                            \
        return word_of_flags(flags);                                                     \
    }

DEFINE_INTEGER_BLOCK(8, uint8_t)
DEFINE_INTEGER_BLOCK(16, uint16_t)
DEFINE_INTEGER_BLOCK(32, uint32_t)
DEFINE_INTEGER_BLOCK(64, uint64_t)
DEFINE_REAL_BLOCK(f32, float)
DEFINE_REAL_BLOCK(f64, double)

/* Population counts in bytes: the sum over the bytes of the answer is the number of set bits. */
static inline uint64_t byte_counts(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    return (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
}

static inline uint64_t sum_even_bytes(uint64_t x)
{
    return (x & 0x00ff00ff00ff00ffu) * 0x0001000100010001u >> 48;
}

/* a | b where "any" is, a & b where "all" is. */
static inline uint64_t join_pair(uint64_t a, uint64_t b)
{
    return (a & b) | ((a | b) & ANY);
}

static inline uint64_t join_x(uint64_t cells)
{
    return ((cells | cells >> 8) & ANY) | (cells & cells << 8 & ~ANY);
}

/* Sums of neighbouring bytes, in four fields of 16 bits. */
static inline uint64_t pair_bytes(uint64_t x)
{
    return (x & ANY) + (x >> 8 & ANY);
}

/* Counts of a row, in fields of 16 bits: a row of a tile is short enough. */
typedef struct row_counter {
    uint64_t cells, any, all;
} row_counter;

static inline void row_group(uint64_t *boxes, const uint64_t *words, rugi_row_mode mode,
                             row_counter *c)
{
    uint64_t cells = 0, both = 0;
    for (int i = 0; i < RUGI_GROUP; i++) {
        uint64_t v = join_x(words[i]);
        cells += byte_counts(words[i]);
        if (mode != RUGI_ROW_FIRST)
            v = join_pair(v, boxes[i]);
        if (mode == RUGI_ROW_LAST)
            both += byte_counts(v);
        boxes[i] = v;
    }
    c->cells += pair_bytes(cells);
    c->any += both & ANY;
    c->all += both >> 8 & ANY;
}

static inline uint64_t sum_fields(uint64_t x)
{
    return (x & 0xffff) + (x >> 16 & 0xffff) + (x >> 32 & 0xffff) + (x >> 48);
}

static inline void row_end(const row_counter *c, rugi_boxcount_tally *tally)
{
    tally->nonempty[0][0] += sum_fields(c->cells);
    tally->nonempty[1][0] += sum_fields(c->any);
    tally->black[1][0] += sum_fields(c->all);
}

RUGI_DEFINE_ALL_ROWS

/* Words whose byte counts can be added before a byte overflows: 31 times 8 bits. */
#define COUNTER_WORDS 31

static inline void join_chunk(uint64_t *boxes, const uint64_t *near, const uint64_t *far,
                              size_t half, size_t n, int level, rugi_boxcount_tally *tally)
{
    uint64_t both = 0, mask = level_mask[level];
    int shift = level_shift[level];
    for (size_t i = 0; i < n; i++) {
        uint64_t v = join_pair(near[i], near[half + i]);
        if (far != NULL)
            v = join_pair(v, join_pair(far[i], far[half + i]));
        v = join_pair(v, v >> shift) & mask;
        both += byte_counts(v);
        boxes[i] = v;
    }
    tally->nonempty[level][0] += sum_even_bytes(both);
    tally->black[level][0] += sum_even_bytes(both >> 8);
}

static void join(uint64_t *boxes, const uint64_t *near, const uint64_t *far, size_t half, size_t n,
                 int level, rugi_boxcount_tally *tally)
{
    for (size_t i = 0; i < n; i += COUNTER_WORDS) {
        size_t chunk = n - i < COUNTER_WORDS ? n - i : COUNTER_WORDS;
        if (far == NULL)
            join_chunk(boxes + i, near + i, NULL, half, chunk, level, tally);
        else
            join_chunk(boxes + i, near + i, far + i, half, chunk, level, tally);
    }
}

void rugi_boxcount_leaf_ref(rugi_boxcount_leaf *leaf)
{
    static const rugi_boxcount_leaf ref = {"cpu-ref", RUGI_ALL_ROWS, join, ALL_BIT};
    *leaf = ref;
}
