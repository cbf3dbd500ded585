/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The range coder: that of LZMA (Martin 1979, with Subbotin's carry), whose
 * probabilities are the mean of two that learn at different rates, both fast at first.
 * FORMAT.md says it in numbers. */

#include "ifs_coder.h"
#include "ifs_coder_inline.h"
#include <string.h>

/* ---- Prices ---- */

const uint32_t rugi_ifs_log2[257] = {
    0,     369,   736,   1102,  1466,  1829,  2190,  2551,  2909,  3267,  3623,  3978,
    4331,  4683,  5034,  5384,  5732,  6079,  6425,  6769,  7112,  7454,  7795,  8134,
    8473,  8810,  9146,  9480,  9814,  10146, 10477, 10807, 11136, 11464, 11791, 12116,
    12440, 12764, 13086, 13407, 13727, 14046, 14363, 14680, 14996, 15310, 15624, 15937,
    16248, 16559, 16868, 17177, 17484, 17791, 18096, 18401, 18704, 19007, 19308, 19609,
    19909, 20207, 20505, 20802, 21098, 21393, 21687, 21980, 22272, 22564, 22854, 23144,
    23433, 23720, 24007, 24293, 24579, 24863, 25146, 25429, 25711, 25992, 26272, 26551,
    26830, 27108, 27384, 27660, 27936, 28210, 28484, 28757, 29029, 29300, 29571, 29840,
    30109, 30378, 30645, 30912, 31178, 31443, 31707, 31971, 32234, 32496, 32758, 33019,
    33279, 33538, 33797, 34055, 34312, 34569, 34825, 35080, 35334, 35588, 35841, 36094,
    36346, 36597, 36847, 37097, 37346, 37595, 37842, 38090, 38336, 38582, 38827, 39072,
    39316, 39559, 39802, 40044, 40286, 40527, 40767, 41006, 41246, 41484, 41722, 41959,
    42196, 42432, 42667, 42902, 43137, 43370, 43603, 43836, 44068, 44300, 44530, 44761,
    44990, 45220, 45448, 45676, 45904, 46131, 46357, 46583, 46809, 47034, 47258, 47482,
    47705, 47928, 48150, 48372, 48593, 48813, 49034, 49253, 49472, 49691, 49909, 50127,
    50344, 50560, 50776, 50992, 51207, 51422, 51636, 51850, 52063, 52276, 52488, 52700,
    52911, 53122, 53332, 53542, 53751, 53960, 54169, 54377, 54584, 54791, 54998, 55204,
    55410, 55615, 55820, 56025, 56229, 56432, 56635, 56838, 57040, 57242, 57443, 57644,
    57845, 58045, 58245, 58444, 58643, 58841, 59039, 59237, 59434, 59631, 59827, 60023,
    60219, 60414, 60609, 60803, 60997, 61190, 61384, 61576, 61769, 61961, 62152, 62343,
    62534, 62725, 62915, 63104, 63294, 63483, 63671, 63859, 64047, 64234, 64421, 64608,
    64794, 64980, 65166, 65351, 65536,
};

/* ---- Writing and reading ---- */

/* The largest number of chances that are coded at once. */
#define UNIFORM_BITS 16
#define UNIFORM_MAX  (1u << UNIFORM_BITS)

static const char what[] = "stream of fractal coding";

static int grow(rugi_ifs_coder *c)
{
    size_t more = c->capacity > 0 ? 2 * c->capacity : 4096;
    uint8_t *bytes = rug_context_allocate(c->ctx, more, 1, what);
    if (bytes == NULL)
        return 0;
    if (c->n_bytes > 0)
        memcpy(bytes, c->bytes, c->n_bytes);
    rug_context_release(c->ctx, c->bytes);
    c->bytes = bytes;
    c->capacity = more;
    return 1;
}

static void put_byte(rugi_ifs_coder *c, uint8_t byte)
{
    if (c->failed)
        return;
    if (c->n_bytes == c->capacity && !grow(c)) {
        c->failed = 1;
        return;
    }
    c->bytes[c->n_bytes++] = byte;
}

/* Moves the top byte of low out. A carry may still run through it and all 0xff behind
 * it, so these wait. */
void rugi_ifs_shift_low(rugi_ifs_coder *c)
{
    if ((uint32_t)c->low < 0xff000000u || c->low >> 32 != 0) {
        uint8_t carry = (uint8_t)(c->low >> 32), byte = c->cache;
        for (; c->n_cached > 0; c->n_cached--) {
            put_byte(c, (uint8_t)(byte + carry));
            byte = 0xff;
        }
        c->cache = (uint8_t)(c->low >> 24);
    }
    c->n_cached++;
    c->low = (uint32_t)c->low << 8 & 0xffffffffu;
}

void rugi_ifs_write_begin(rugi_ifs_coder *c, rug_context *ctx)
{
    memset(c, 0, sizeof *c);
    c->coding = RUGI_IFS_WRITE;
    c->ctx = ctx;
    c->range = UINT32_MAX;
    c->n_cached = 1; /* a byte that is always 0; it is left out in the end */
}

/* The number of the interval that ends in most zeros is written, and its zeros are left
 * out: a reader makes up as many as its width. */
void rugi_ifs_write_end(rugi_ifs_coder *c)
{
    uint64_t last = c->low + c->range - 1;
    unsigned bits = 32;
    while (bits > 0 && ((c->low + ((1ull << bits) - 1)) >> bits << bits) > last)
        bits--;
    c->low = (c->low + ((1ull << bits) - 1)) >> bits << bits;
    for (int i = 0; i <= RUGI_IFS_CODER_WIDTH; i++)
        rugi_ifs_shift_low(c);
    if (c->failed)
        return;
    c->n_bytes--;
    memmove(c->bytes, c->bytes + 1, c->n_bytes);
    for (int i = 0;
         i < RUGI_IFS_CODER_WIDTH && c->n_bytes > 0 && c->bytes[c->n_bytes - 1] == 0; i++)
        c->n_bytes--;
}

void rugi_ifs_read_begin(rugi_ifs_coder *c, const uint8_t *bytes, size_t n)
{
    memset(c, 0, sizeof *c);
    c->coding = RUGI_IFS_READ;
    c->bytes = (uint8_t *)(uintptr_t)bytes; /* not written when reading */
    c->capacity = n;
    c->range = UINT32_MAX;
    for (int i = 0; i < RUGI_IFS_CODER_WIDTH; i++)
        c->code = c->code << 8 | rugi_ifs_next_byte(c);
}

void rugi_ifs_bits_begin(rugi_ifs_bit *bits, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bits[i] = (rugi_ifs_bit){32768, 32768, 0};
}

int rugi_ifs_code_chance(rugi_ifs_coder *c, uint32_t chance, int value)
{
    switch (c->coding) {
    case RUGI_IFS_READ: return rugi_ifs_chance_as(c, chance, value, RUGI_IFS_READ);
    case RUGI_IFS_WRITE: return rugi_ifs_chance_as(c, chance, value, RUGI_IFS_WRITE);
    case RUGI_IFS_PRICE:
        c->price += rugi_ifs_price_of(value ? 65536 - chance : chance);
        return value;
    default: return value;
    }
}

int rugi_ifs_code_decision(rugi_ifs_coder *c, rugi_ifs_bit *bit, int value)
{
    switch (c->coding) {
    case RUGI_IFS_READ: return rugi_ifs_bit_as(c, bit, value, RUGI_IFS_READ);
    case RUGI_IFS_WRITE: return rugi_ifs_bit_as(c, bit, value, RUGI_IFS_WRITE);
    case RUGI_IFS_LEARN: return rugi_ifs_bit_as(c, bit, value, RUGI_IFS_LEARN);
    default: return rugi_ifs_bit_as(c, bit, value, RUGI_IFS_PRICE);
    }
}

/* One of n equal chances of the width `part` each. */
static uint32_t code_part(rugi_ifs_coder *c, uint32_t part, uint32_t n, uint32_t value)
{
    if (c->coding == RUGI_IFS_WRITE)
        c->low += (uint64_t)part * value;
    else {
        value = c->code / part;
        if (value >= n) {
            c->failed = 1;
            value = n - 1;
        }
        c->code -= part * value;
    }
    c->range = part;
    rugi_ifs_widen(c, c->coding);
    return value;
}

uint32_t rugi_ifs_code_raw(rugi_ifs_coder *c, unsigned n_bits, uint32_t value)
{
    uint32_t out = 0;
    if (c->coding == RUGI_IFS_PRICE) {
        c->price += (uint64_t)n_bits << RUGI_IFS_PRICE_BITS;
        return value;
    }
    if (c->coding == RUGI_IFS_LEARN)
        return value;
    while (n_bits > 0) {
        unsigned n = n_bits < UNIFORM_BITS ? n_bits : UNIFORM_BITS;
        n_bits -= n;
        uint32_t part = value >> n_bits & ((1u << n) - 1);
        out = out << n | code_part(c, c->range >> n, 1u << n, part);
    }
    return out;
}

static uint64_t price_of_uniform(uint32_t n)
{
    unsigned top = 31u - (unsigned)__builtin_clz(n);
    uint32_t scaled = top > 15 ? n >> (top - 15) : n << (15 - top); /* 2^15..2^16 */
    return ((uint64_t)(top + 1) << RUGI_IFS_PRICE_BITS) - rugi_ifs_price_of(scaled);
}

uint32_t rugi_ifs_code_uniform(rugi_ifs_coder *c, uint32_t n, uint32_t value)
{
    if (n <= 1)
        return 0;
    if (c->coding == RUGI_IFS_PRICE) {
        c->price += price_of_uniform(n);
        return value;
    }
    if (c->coding == RUGI_IFS_LEARN)
        return value;
    if (n <= UNIFORM_MAX)
        return code_part(c, c->range / n, n, value);
    uint32_t n_high = ((n - 1) >> UNIFORM_BITS) + 1;
    uint32_t high = rugi_ifs_code_uniform(c, n_high, value >> UNIFORM_BITS);
    uint32_t low = rugi_ifs_code_raw(c, UNIFORM_BITS, value & (UNIFORM_MAX - 1));
    value = high << UNIFORM_BITS | low;
    if (value >= n) {
        c->failed = 1;
        value = n - 1;
    }
    return value;
}

uint32_t rugi_ifs_code_tree(rugi_ifs_coder *c, rugi_ifs_bit *bits, unsigned n_bits,
                            uint32_t value)
{
    return rugi_ifs_tree_as(c, bits, n_bits, value, c->coding);
}

/* A number from 1 on: how many bits follow its first, then these, of which the highest
 * is no more than likely. */
RUGI_IFS_INLINE uint32_t golomb_as(rugi_ifs_coder *c, rugi_ifs_bit *bits, uint32_t value,
                                   rugi_ifs_coding coding)
{
    unsigned n = 0, length = 31u - (unsigned)__builtin_clz(value | 1);
    while (n < RUGI_IFS_GOLOMB_BITS &&
           rugi_ifs_bit_as(
               c, &bits[n < RUGI_IFS_GOLOMB_LENGTHS ? n : RUGI_IFS_GOLOMB_LENGTHS - 1],
               n < length, coding))
        n++;
    if (n == 0)
        return 1;
    rugi_ifs_bit *top = &bits[RUGI_IFS_GOLOMB_LENGTHS +
                              (n <= RUGI_IFS_GOLOMB_TOPS ? n : RUGI_IFS_GOLOMB_TOPS) - 1];
    uint32_t high = (uint32_t)rugi_ifs_bit_as(c, top, value >> (n - 1) & 1, coding);
    uint32_t low = rugi_ifs_code_raw(c, n - 1, value & ((1u << (n - 1)) - 1));
    return (2 | high) << (n - 1) | low;
}

uint32_t rugi_ifs_code_golomb(rugi_ifs_coder *c, rugi_ifs_bit *bits, uint32_t value)
{
    switch (c->coding) {
    case RUGI_IFS_READ: return golomb_as(c, bits, value, RUGI_IFS_READ);
    case RUGI_IFS_WRITE: return golomb_as(c, bits, value, RUGI_IFS_WRITE);
    case RUGI_IFS_LEARN: return golomb_as(c, bits, value, RUGI_IFS_LEARN);
    default: return golomb_as(c, bits, value, RUGI_IFS_PRICE);
    }
}

uint32_t rugi_ifs_code_number(rugi_ifs_coder *c, rugi_ifs_bit *bits, unsigned n_unary,
                              uint32_t value)
{
    return rugi_ifs_number_as(c, bits, n_unary, value, c->coding);
}
