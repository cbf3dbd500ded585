/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The range coder: binary decisions with adaptive probabilities, written, read, or only
 * priced. One set of functions for all three, so that encoder and decoder cannot differ. */

#ifndef RUGI_IFS_CODER_H
#define RUGI_IFS_CODER_H

#include <rugose/context.h>
#include <stddef.h>
#include <stdint.h>

/** The probability of a 0, learned at two rates. */
typedef struct rugi_ifs_bit {
    uint16_t fast, slow; /* of 65536 */
    uint16_t seen;       /* decisions, up to 254: the first ones teach more */
} rugi_ifs_bit;

typedef enum rugi_ifs_coding {
    RUGI_IFS_WRITE,
    RUGI_IFS_READ,
    RUGI_IFS_PRICE,
    RUGI_IFS_LEARN /* as if written: probabilities learn, nothing else happens */
} rugi_ifs_coding;

/** Bits are priced in units of 2^-16. */
#define RUGI_IFS_PRICE_BITS 16

/** What a decision costs, -log2 of its probability, comes from a table, so that prices are
 *  the same on every machine: 65536 log2(1 + i / 256). */
extern const uint32_t rugi_ifs_log2[257];

/** -log2(p / 65536) in that unit, of p in 1..65536. */
static inline uint32_t rugi_ifs_price_of(uint32_t p)
{
    unsigned top = 31u - (unsigned)__builtin_clz(p);
    uint32_t mantissa = (p << (16 - top)) - 65536; /* below 65536 */
    uint32_t at = mantissa >> 8, part = mantissa & 255, below = rugi_ifs_log2[at];
    uint32_t log2 = below + (((rugi_ifs_log2[at + 1] - below) * part + 128) >> 8);
    return ((16 - top) << 16) - log2;
}

/** No decision is surer than 1 - 64 / 65536. */
#define RUGI_IFS_CHANCE_LEAST 64u

/** The chance of a 0, of 65536. */
static inline uint32_t rugi_ifs_chance_of(const rugi_ifs_bit *bit)
{
    const uint32_t p = ((uint32_t)bit->fast + bit->slow) >> 1;
    const uint32_t least = RUGI_IFS_CHANCE_LEAST, most = 65536 - RUGI_IFS_CHANCE_LEAST;
    return p < least ? least : p > most ? most : p;
}

/** What a decision costs in its present state. */
static inline uint32_t rugi_ifs_price_of_bit(const rugi_ifs_bit *bit, int value)
{
    const uint32_t p = rugi_ifs_chance_of(bit);
    return rugi_ifs_price_of(value ? 65536 - p : p);
}

typedef struct rugi_ifs_coder {
    rugi_ifs_coding coding;
    uint64_t low;         /* WRITE */
    uint32_t range, code; /* code: READ */
    uint8_t cache;        /* WRITE: the byte that waits for a carry */
    uint64_t n_cached;
    uint8_t *bytes;           /* WRITE: owned; READ: borrowed */
    size_t n_bytes, capacity; /* READ: n_bytes is the place of the next one */
    uint64_t price;           /* PRICE */
    rug_context *ctx;         /* WRITE: its memory */
    int failed; /* WRITE: out of memory; READ: the end was passed by more than the coder's
                   own width, or a value was out of bounds */
} rugi_ifs_coder;

void rugi_ifs_write_begin(rugi_ifs_coder *coder, rug_context *ctx);
void rugi_ifs_write_end(rugi_ifs_coder *coder);
void rugi_ifs_read_begin(rugi_ifs_coder *coder, const uint8_t *bytes, size_t n);

static inline void rugi_ifs_price_begin(rugi_ifs_coder *coder)
{
    *coder = (rugi_ifs_coder){.coding = RUGI_IFS_PRICE};
}

void rugi_ifs_bits_begin(rugi_ifs_bit *bits, size_t n);

/** One decision that is not only priced. */
int rugi_ifs_code_decision(rugi_ifs_coder *coder, rugi_ifs_bit *bit, int value);

/** One decision; the value is used when writing and pricing. Pricing changes no
 *  probability. @return the value */
static inline int rugi_ifs_code_bit(rugi_ifs_coder *coder, rugi_ifs_bit *bit, int value)
{
    if (coder->coding != RUGI_IFS_PRICE)
        return rugi_ifs_code_decision(coder, bit, value);
    coder->price += rugi_ifs_price_of_bit(bit, value);
    return value;
}
/** One decision of a known chance.
 *  @param chance  of a 0, of 65536, 1..65535
 *  @return the value */
int rugi_ifs_code_chance(rugi_ifs_coder *coder, uint32_t chance, int value);
/** n_bits with equal chances. */
uint32_t rugi_ifs_code_raw(rugi_ifs_coder *coder, unsigned n_bits, uint32_t value);
/** A number below n with equal chances, n up to 2^32 - 1. */
uint32_t rugi_ifs_code_uniform(rugi_ifs_coder *coder, uint32_t n, uint32_t value);
/** n_bits from the highest on, each in the context of those before: bits[1 << n_bits]. */
uint32_t rugi_ifs_code_tree(rugi_ifs_coder *coder, rugi_ifs_bit *bits, unsigned n_bits,
                            uint32_t value);
/** A number from 0 to RUGI_IFS_NUMBER_MAX: unary up to n_unary, then exponential
 *  Golomb: bits[n_unary + RUGI_IFS_GOLOMB], first for how many bits follow, then for
 *  the highest of them. */
#define RUGI_IFS_GOLOMB_LENGTHS 13
#define RUGI_IFS_GOLOMB_TOPS    9
#define RUGI_IFS_GOLOMB         (RUGI_IFS_GOLOMB_LENGTHS + RUGI_IFS_GOLOMB_TOPS)
#define RUGI_IFS_GOLOMB_BITS    28
#define RUGI_IFS_NUMBER_MAX     (1u << 28)
/** The part of such a number that is above the unary one: from 1 on.
 *  @param bits  [RUGI_IFS_GOLOMB] */
uint32_t rugi_ifs_code_golomb(rugi_ifs_coder *coder, rugi_ifs_bit *bits, uint32_t value);
uint32_t rugi_ifs_code_number(rugi_ifs_coder *coder, rugi_ifs_bit *bits, unsigned n_unary,
                              uint32_t value);

#endif
