/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Packing pixels to bits in portable C: comparisons to bytes, which compilers vectorise,
 * and eight of these to eight bits by a multiplication. */

#include "boxcount_pack.h"
#include <string.h>

static inline uint64_t load_word(const uint8_t *b)
{
    return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 |
           (uint64_t)b[3] << 24 | (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 |
           (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
}

/* Byte i, 0 or 1, is moved to bit 56 + i by the factor 2^(56 - 7 i). */
static inline uint64_t bits_of_bytes(const uint8_t flags[64])
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++)
        word |= (load_word(flags + 8 * i) * 0x0102040810204080u >> 56) << 8 * i;
    return word;
}

#define DEFINE_INTEGER_WORD(name, type)                                             \
    static inline uint64_t word_##name(const void *pixels, const rugi_predicate *p) \
    {                                                                               \
        type v[64], lo = (type)p->lo, span = (type)p->span;                         \
        uint8_t flags[64];                                                          \
        memcpy(v, pixels, sizeof v);                                                \
        for (int i = 0; i < 64; i++)                                                \
            flags[i] = (type)(v[i] - lo) <= span;                                   \
        uint64_t word = bits_of_bytes(flags);                                       \
        return p->outside ? ~word : word;                                           \
    }

#define DEFINE_REAL_WORD(name, type)                                                \
    static inline uint64_t word_##name(const void *pixels, const rugi_predicate *p) \
    {                                                                               \
        type v[64], lo = (type)p->real_lo, hi = (type)p->real_hi;                   \
        uint8_t flags[64];                                                          \
        memcpy(v, pixels, sizeof v);                                                \
        if (p->outside)                                                             \
            for (int i = 0; i < 64; i++)                                            \
                flags[i] = (v[i] < lo) | (v[i] > hi);                               \
        else                                                                        \
            for (int i = 0; i < 64; i++)                                            \
                flags[i] = (v[i] >= lo) & (v[i] <= hi);                             \
        return bits_of_bytes(flags);                                                \
    }

DEFINE_INTEGER_WORD(8, uint8_t)
DEFINE_INTEGER_WORD(16, uint16_t)
DEFINE_INTEGER_WORD(32, uint32_t)
DEFINE_INTEGER_WORD(64, uint64_t)
DEFINE_REAL_WORD(f32, float)
DEFINE_REAL_WORD(f64, double)

static inline uint64_t word_bit(const void *pixels, const rugi_predicate *p)
{
    uint64_t word = load_word(pixels);
    return (p->set_bit[1] ? word : 0) | (p->set_bit[0] ? ~word : 0);
}

RUGI_DEFINE_ALL_PACKS
RUGI_DEFINE_PACK(bit, 8)

void rugi_pack_set_kernels_ref(rugi_pack_kernels *kernels)
{
    static const rugi_pack_fn integer[4] = {pack_8, pack_16, pack_32, pack_64};
    rugi_pack_fill(kernels, integer, pack_f32, pack_f64);
    kernels->pack[RUG_BIT] = pack_bit;
}
