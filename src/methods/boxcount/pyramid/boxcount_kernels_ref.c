/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The portable kernels: plain C that compilers vectorise. */

#include "boxcount_row_tmpl.h"

/* Population counts in bytes: the sum over the bytes of the answer is the number of set
 * bits. */
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

static inline void count_boxes(const uint64_t *v, int n, int level,
                               rugi_boxcount_tally *tally)
{
    uint64_t both = 0; /* at most 8 words of 8 a byte */
    for (int i = 0; i < n; i++)
        both += byte_counts(v[i]);
    tally->nonempty[level][0] += sum_even_bytes(both);
    tally->black[level][0] += sum_even_bytes(both >> 8);
}

/* Where "any" is. */
#define ANY 0x00ff00ff00ff00ffu

/* a | b where "any" is, a & b where "all" is. */
static inline uint64_t join(uint64_t a, uint64_t b)
{
    return (a & b) | ((a | b) & ANY);
}

/* Joins fields 0 with 1 and 2 with 3, to fields 0 and 1. */
static inline uint64_t join_fields(uint64_t v)
{
    v = join(v, v >> 16) & 0x0000ffff0000ffffu;
    return (v | v >> 16) & 0xffffffffu;
}

/* Joins x-neighbours: n words to half as many. */
static inline void halve(uint64_t *half, const uint64_t *v, int n)
{
    for (int i = 0; i < n / 2; i++)
        half[i] = join_fields(v[2 * i]) | join_fields(v[2 * i + 1]) << 32;
}

static inline void join_all(uint64_t *v, const uint64_t *waiting, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = join(v[i], waiting[i]);
}

/* Joins v, boxes of `level` > 1, to all boxes that it completes. */
static void raise(const rugi_rise *to, size_t g, uint64_t v[RUGI_GROUP / 2], int level,
                  rugi_boxcount_tally *tally)
{
    uint64_t *waiting = rugi_waiting(to, level + 1, g);
    while (rugi_is_last(to, level)) {
        uint64_t half[RUGI_GROUP / 2] = {0};
        join_all(v, waiting, RUGI_GROUP / 2);
        halve(half, v, RUGI_GROUP / 2);
        memcpy(v, half, sizeof half);
        level++;
        count_boxes(v, RUGI_GROUP / 2, level, tally);
        waiting = rugi_waiting(to, level + 1, g);
    }
    if (rugi_joins(to, level))
        join_all(v, waiting, RUGI_GROUP / 2);
    memcpy(waiting, v, RUGI_GROUP / 2 * sizeof *v);
}

/* The same of level 1. */
static void raise_first(const rugi_rise *to, size_t g, uint64_t v[RUGI_GROUP],
                        rugi_boxcount_tally *tally)
{
    uint64_t *waiting = rugi_waiting(to, 2, g), half[RUGI_GROUP / 2];
    int is_last = rugi_is_last(to, 1);
    if (is_last || rugi_joins(to, 1))
        join_all(v, waiting, RUGI_GROUP);
    if (is_last) {
        halve(half, v, RUGI_GROUP);
        count_boxes(half, RUGI_GROUP / 2, 2, tally);
        raise(to, g, half, 2, tally);
    } else {
        memcpy(waiting, v, RUGI_GROUP * sizeof *v);
    }
}

static inline void raise_empty(const rugi_rise *to, size_t g, int level,
                               rugi_boxcount_tally *tally)
{
    uint64_t v[RUGI_GROUP] = {0};
    if (level == 1)
        raise_first(to, g, v, tally);
    else
        raise(to, g, v, level, tally);
}

typedef struct group {
    uint64_t word[RUGI_GROUP];
} group;

static inline uint64_t load_word(const uint8_t *b)
{
    return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 |
           (uint64_t)b[3] << 24 | (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 |
           (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
}

static inline group group_of_bytes(const uint8_t bytes[RUGI_BLOCK])
{
    group g;
    for (int i = 0; i < RUGI_GROUP; i++)
        g.word[i] = load_word(bytes + 8 * i);
    return g;
}

/* Whether a pixel is set. Integers: whether v - lo > span, both taken half the range
 * lower, because the vectors of many processors compare signed numbers only. */
#define OFF_SPAN(type, v, lo, span) ((type)((v) - (lo)) > (span))
#define IN_RANGE(type, v, lo, hi)   (((v) >= (lo)) & ((v) <= (hi)))
#define OFF_RANGE(type, v, lo, hi)  (((v) < (lo)) | ((v) > (hi)))

#define BIT_IF(condition, k) ((condition) ? RUGI_BLOCK_BIT(k) : 0)

/* Where block k is, copied if it is not aligned to its type. */
#define ALIGNED_BLOCK(v, type, k)                                            \
    const type *v = rugi_block_at(pixels, at, k, RUGI_BLOCK * sizeof(type)); \
    if ((uintptr_t)v % _Alignof(type) != 0)                                  \
    v = memcpy(copy[k], v, sizeof copy[k])

/* pack_NAME(). The eight blocks are taken together, so that a compiler makes each vector
 * of bytes in a register. */
#define DEFINE_PACK(name, type, bound, IS_SET)                                          \
    static inline group pack_##name(const void *pixels, const char *const *at, type lo, \
                                    bound hi)                                           \
    {                                                                                   \
        type copy[RUGI_GROUP][RUGI_BLOCK];                                              \
        uint8_t bytes[RUGI_BLOCK];                                                      \
        ALIGNED_BLOCK(v0, type, 0);                                                     \
        ALIGNED_BLOCK(v1, type, 1);                                                     \
        ALIGNED_BLOCK(v2, type, 2);                                                     \
        ALIGNED_BLOCK(v3, type, 3);                                                     \
        ALIGNED_BLOCK(v4, type, 4);                                                     \
        ALIGNED_BLOCK(v5, type, 5);                                                     \
        ALIGNED_BLOCK(v6, type, 6);                                                     \
        ALIGNED_BLOCK(v7, type, 7);                                                     \
        for (size_t i = 0; i < RUGI_BLOCK; i++)                                         \
            bytes[i] = (uint8_t)(BIT_IF(IS_SET(bound, v0[i], lo, hi), 0) |              \
                                 BIT_IF(IS_SET(bound, v1[i], lo, hi), 1) |              \
                                 BIT_IF(IS_SET(bound, v2[i], lo, hi), 2) |              \
                                 BIT_IF(IS_SET(bound, v3[i], lo, hi), 3) |              \
                                 BIT_IF(IS_SET(bound, v4[i], lo, hi), 4) |              \
                                 BIT_IF(IS_SET(bound, v5[i], lo, hi), 5) |              \
                                 BIT_IF(IS_SET(bound, v6[i], lo, hi), 6) |              \
                                 BIT_IF(IS_SET(bound, v7[i], lo, hi), 7));              \
        return group_of_bytes(bytes);                                                   \
    }

#define DEFINE_INTEGER_PACK(name, type, bound)                                 \
    DEFINE_PACK(name##_outside, type, bound, OFF_SPAN)                         \
    static inline group pack_##name(const void *pixels, const char *const *at, \
                                    const rugi_predicate *p)                   \
    {                                                                          \
        const uint64_t top = (uint64_t)1 << (8 * sizeof(type) - 1);            \
        group g = pack_##name##_outside(pixels, at, (type)(p->lo + top),       \
                                        (bound)(p->span - top));               \
        uint64_t flip = p->outside ? 0 : UINT64_MAX;                           \
        for (int i = 0; i < RUGI_GROUP; i++)                                   \
            g.word[i] ^= flip;                                                 \
        return g;                                                              \
    }

#define DEFINE_REAL_PACK(name, type)                                           \
    DEFINE_PACK(name##_inside, type, type, IN_RANGE)                           \
    DEFINE_PACK(name##_outside, type, type, OFF_RANGE)                         \
    static inline group pack_##name(const void *pixels, const char *const *at, \
                                    const rugi_predicate *p)                   \
    {                                                                          \
        type lo = (type)p->real_lo, hi = (type)p->real_hi;                     \
        return p->outside ? pack_##name##_outside(pixels, at, lo, hi)          \
                          : pack_##name##_inside(pixels, at, lo, hi);          \
    }

DEFINE_INTEGER_PACK(8, uint8_t, int8_t)
DEFINE_INTEGER_PACK(16, uint16_t, int16_t)
DEFINE_INTEGER_PACK(32, uint32_t, int32_t)
DEFINE_INTEGER_PACK(64, uint64_t, int64_t)
DEFINE_REAL_PACK(f32, float)
DEFINE_REAL_PACK(f64, double)

/* The transpose of 8 x 8 bits (Warren, Hacker's Delight, section 7-3). */
static inline uint64_t transpose_bits(uint64_t x)
{
    uint64_t t = (x ^ x >> 7) & 0x00aa00aa00aa00aau;
    x ^= t ^ t << 7;
    t = (x ^ x >> 14) & 0x0000cccc0000ccccu;
    x ^= t ^ t << 14;
    t = (x ^ x >> 28) & 0x00000000f0f0f0f0u;
    return x ^ t ^ t << 28;
}

static inline group pack_bit(const void *pixels, const char *const *at,
                             const rugi_predicate *p)
{
    group g = {{0}};
    for (size_t k = 0; k < RUGI_GROUP; k++) {
        uint64_t block = rugi_block_bit(rugi_block_at(pixels, at, k, 8), p);
        for (int i = 0; i < RUGI_GROUP; i++) /* byte 7 - k of word i: byte i of block k */
            g.word[i] |= (block >> 8 * i & 0xff) << 8 * (RUGI_GROUP - 1 - k);
    }
    for (int i = 0; i < RUGI_GROUP; i++)
        g.word[i] = transpose_bits(g.word[i]);
    return g;
}

static inline group keep(group a, const uint64_t inside[RUGI_GROUP])
{
    for (int i = 0; i < RUGI_GROUP; i++)
        a.word[i] &= inside[i];
    return a;
}

typedef struct row_counter {
    uint64_t pixels;
} row_counter;

/* Not inline: the loop that packs needs the registers. */
static void add_group(const rugi_rise *to, size_t g, group pixels, row_counter *c,
                      rugi_boxcount_tally *tally)
{
    uint64_t *waiting = rugi_waiting(to, 1, g), n_pixels = 0, v[RUGI_GROUP];
    int is_last = rugi_is_last(to, 0), joins = is_last || rugi_joins(to, 0);
    for (int i = 0; i < RUGI_GROUP; i++) {
        uint64_t w = pixels.word[i];
        n_pixels += byte_counts(w);
        v[i] = ((w | w >> 8) & ANY) | (w & w << 8 & ~ANY);
    }
    c->pixels += sum_even_bytes(n_pixels) + sum_even_bytes(n_pixels >> 8);
    if (joins)
        join_all(v, waiting, RUGI_GROUP);
    if (is_last) {
        count_boxes(v, RUGI_GROUP, 1, tally);
        raise_first(to, g, v, tally);
    } else {
        memcpy(waiting, v, sizeof v);
    }
}

static inline void add_counter(const row_counter *c, rugi_boxcount_tally *tally)
{
    tally->nonempty[0][0] += c->pixels;
}

RUGI_DEFINE_ALL_LINES

void rugi_boxcount_set_kernels_ref(rugi_boxcount_kernels *kernels)
{
    static const rugi_boxcount_kernels ref = {"cpu-ref", RUGI_ALL_LINES, empty_row};
    *kernels = ref;
}
