/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* One decision of the coder, whose kind of work is known where it is compiled: nearly all
 * of the time of decoding goes through here. */

#ifndef RUGI_IFS_CODER_INLINE_H
#define RUGI_IFS_CODER_INLINE_H

#include "ifs_coder.h"

#define RUGI_IFS_INLINE static inline __attribute__((always_inline))

/** The range is kept above this by giving bytes out. */
#define RUGI_IFS_RANGE_LEAST (1u << 24)

/** The coder's own width in bytes: so far beyond the end zeros are read. */
#define RUGI_IFS_CODER_WIDTH 4

/** Learning: by 2^-shift of the difference, with shift = log2(2 + decisions seen), of the
 *  fast one at most this. */
#define RUGI_IFS_SHIFT_FAST 5u
#define RUGI_IFS_SEEN_MAX   254

/** Moves the top byte of low out. */
void rugi_ifs_shift_low(rugi_ifs_coder *coder);

RUGI_IFS_INLINE uint8_t rugi_ifs_next_byte(rugi_ifs_coder *c)
{
    size_t at = c->n_bytes++;
    if (at < c->capacity)
        return c->bytes[at];
    if (at >= c->capacity + RUGI_IFS_CODER_WIDTH)
        c->failed = 1;
    return 0;
}

RUGI_IFS_INLINE void rugi_ifs_widen(rugi_ifs_coder *c, rugi_ifs_coding coding)
{
    while (c->range < RUGI_IFS_RANGE_LEAST) {
        c->range <<= 8;
        if (coding == RUGI_IFS_WRITE)
            rugi_ifs_shift_low(c);
        else
            c->code = c->code << 8 | rugi_ifs_next_byte(c);
    }
}

RUGI_IFS_INLINE void rugi_ifs_learn(rugi_ifs_bit *b, int value)
{
    unsigned seen = b->seen, slow = 31u - (unsigned)__builtin_clz(seen + 2);
    unsigned fast = slow < RUGI_IFS_SHIFT_FAST ? slow : RUGI_IFS_SHIFT_FAST;
    if (value) {
        b->fast = (uint16_t)(b->fast - (b->fast >> fast));
        b->slow = (uint16_t)(b->slow - (b->slow >> slow));
    } else {
        b->fast = (uint16_t)(b->fast + ((65535 - b->fast) >> fast));
        b->slow = (uint16_t)(b->slow + ((65535 - b->slow) >> slow));
    }
    b->seen = (uint16_t)(seen < RUGI_IFS_SEEN_MAX ? seen + 1 : RUGI_IFS_SEEN_MAX);
}

/** rugi_ifs_code_chance() for a coder that writes or reads.
 *  @param coding  that of the coder, a constant */
RUGI_IFS_INLINE int rugi_ifs_chance_as(rugi_ifs_coder *c, uint32_t chance, int value,
                                       rugi_ifs_coding coding)
{
    uint32_t split = (uint32_t)(((uint64_t)c->range * chance) >> 16);
    if (coding == RUGI_IFS_READ)
        value = c->code >= split;
    if (!value)
        c->range = split;
    else {
        c->range -= split;
        if (coding == RUGI_IFS_WRITE)
            c->low += split;
        else
            c->code -= split;
    }
    rugi_ifs_widen(c, coding);
    return value;
}

/** rugi_ifs_code_bit() for a coder of one kind.
 *  @param coding  that of the coder, a constant */
RUGI_IFS_INLINE int rugi_ifs_bit_as(rugi_ifs_coder *c, rugi_ifs_bit *bit, int value,
                                    rugi_ifs_coding coding)
{
    if (coding == RUGI_IFS_PRICE) {
        c->price += rugi_ifs_price_of_bit(bit, value);
        return value;
    }
    if (coding != RUGI_IFS_LEARN)
        value = rugi_ifs_chance_as(c, rugi_ifs_chance_of(bit), value, coding);
    rugi_ifs_learn(bit, value);
    return value;
}

/** rugi_ifs_code_raw() of a single bit. */
RUGI_IFS_INLINE int rugi_ifs_raw_as(rugi_ifs_coder *c, int value, rugi_ifs_coding coding)
{
    if (coding == RUGI_IFS_PRICE)
        c->price += (uint64_t)1 << RUGI_IFS_PRICE_BITS;
    if (coding == RUGI_IFS_PRICE || coding == RUGI_IFS_LEARN)
        return value;
    c->range >>= 1;
    if (coding == RUGI_IFS_WRITE)
        c->low += value ? c->range : 0;
    else {
        value = c->code >= c->range;
        if (c->code - (value ? c->range : 0) >= c->range)
            c->failed = 1; /* not a number of the interval */
        c->code -= value ? c->range : 0;
    }
    rugi_ifs_widen(c, coding);
    return value;
}

/** rugi_ifs_code_tree(). */
RUGI_IFS_INLINE uint32_t rugi_ifs_tree_as(rugi_ifs_coder *c, rugi_ifs_bit *bits,
                                          unsigned n_bits, uint32_t value,
                                          rugi_ifs_coding coding)
{
    uint32_t node = 1;
    for (unsigned i = n_bits; i-- > 0;)
        node = 2 * node +
               (uint32_t)rugi_ifs_bit_as(c, &bits[node], (int)(value >> i & 1), coding);
    return node - (1u << n_bits);
}

/** rugi_ifs_code_number(). */
RUGI_IFS_INLINE uint32_t rugi_ifs_number_as(rugi_ifs_coder *c, rugi_ifs_bit *bits,
                                            unsigned n_unary, uint32_t value,
                                            rugi_ifs_coding coding)
{
    for (uint32_t i = 0; i < n_unary; i++)
        if (!rugi_ifs_bit_as(c, &bits[i], value > i, coding))
            return i;
    return n_unary - 1 + rugi_ifs_code_golomb(c, bits + n_unary, value - n_unary + 1);
}

#endif
