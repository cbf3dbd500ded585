/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The boxes of cells, the layout of their Morton keys, and the portable way between the two:
 * eight bits at a time through tables, which are cheap to make for each block of cells. */

#include "point_cells.h"
#include <string.h>

/* ---- Boxes of cells ---- */

uint64_t rugi_cells_extent(uint64_t least, uint64_t most)
{
    return most - least < UINT64_MAX ? most - least + 1 : UINT64_MAX;
}

uint64_t rugi_saturating_product(uint64_t a, uint64_t b)
{
    return a != 0 && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

uint64_t rugi_box_place(uint64_t place, uint64_t zero, uint64_t size)
{
    const uint64_t box_zero = (uint64_t)1 << 63;
    if (size == 1)
        return place;
    if (place >= zero)
        return box_zero + (place - zero) / size;
    return box_zero - 1 - (zero - 1 - place) / size;
}

uint64_t rugi_cells_boxes(const rugi_cell_range *range, uint64_t size)
{
    uint64_t total = 1;
    for (int a = 0; a < range->axes; a++)
        total = rugi_saturating_product(
            total, rugi_cells_extent(rugi_box_place(range->least[a], range->zero, size),
                                     rugi_box_place(range->most[a], range->zero, size)));
    return total;
}

/* ---- The layout of keys ---- */

/* A bit of the coordinate of an axis. */
typedef struct key_bit {
    unsigned axis;
    unsigned needed_to; /* it distinguishes boxes of size 2^m for m below this */
} key_bit;

static unsigned bit_length(uint64_t v)
{
    unsigned n = 0;
    for (; v != 0; v >>= 1)
        n++;
    return n;
}

/* The place of the last multiple of 2^bits at or below the least place. */
static uint64_t base_of(uint64_t least, unsigned bits)
{
    return bits < 64 ? least >> bits << bits : 0;
}

/* The largest m <= 64 for which a place is a multiple of 2^m; counted from a zero that is
 * itself a multiple of 2^63, of which there are but two. */
static unsigned multiple_of(uint64_t place, uint64_t zero)
{
    uint64_t v = place - zero;
    unsigned m = 0;
    while (m < 64 && (v >> m & 1) == 0)
        m++;
    return m;
}

/* The bits of an axis, the lowest first. */
static unsigned bits_of_axis(rugi_key_layout *layout, const rugi_cell_range *range, int a,
                             key_bit *bits)
{
    unsigned n = bit_length(range->most[a] - range->least[a]);
    uint64_t base = base_of(range->least[a], n);
    layout->base[a] = base;
    for (unsigned b = 0; b < n; b++)
        bits[b] = (key_bit){(unsigned)a, b + 1};
    if (n == 64 || range->most[a] - base < (uint64_t)1 << n)
        return n;
    uint64_t border = base + ((uint64_t)1 << n);
    bits[n] = (key_bit){(unsigned)a, multiple_of(border, range->zero) + 1};
    return n + 1;
}

static void add_bit(rugi_key_layout *layout, key_bit bit)
{
    unsigned at = layout->bits++;
    if (at < RUGI_KEY_BITS) {
        layout->axis[at] = (uint8_t)bit.axis;
        layout->axis_bit[at] = (uint8_t)layout->n_bits[bit.axis];
        layout->key_bit[bit.axis][layout->n_bits[bit.axis]] = (uint8_t)at;
    }
    layout->n_bits[bit.axis]++;
    for (unsigned m = bit.needed_to; m < RUGI_LEVELS; m++)
        layout->box_bits[m]++;
}

void rugi_key_layout_make(rugi_key_layout *out, const rugi_cell_range *range)
{
    key_bit bits[RUG_POINTS_MAX_AXES][64];
    unsigned n[RUG_POINTS_MAX_AXES], next[RUG_POINTS_MAX_AXES] = {0};
    memset(out, 0, sizeof *out);
    out->axes = range->axes;
    for (int a = 0; a < range->axes; a++)
        n[a] = bits_of_axis(out, range, a, bits[a]);
    for (unsigned needed_to = 1; needed_to <= 65; needed_to++)
        for (int a = range->axes - 1; a >= 0; a--)
            while (next[a] < n[a] && bits[a][next[a]].needed_to == needed_to)
                add_bit(out, bits[a][next[a]++]);
}

/* ---- Between cells and keys ---- */

/* What the eight bits of a byte add up to when each has a value. */
#define FILL_TABLE(KEY, table, value_of_bit)                   \
    do {                                                       \
        (table)[0] = 0;                                        \
        for (unsigned bit = 0; bit < 8; bit++) {               \
            KEY value = (value_of_bit);                        \
            for (unsigned i = 0; i < 1u << bit; i++)           \
                (table)[(1u << bit) + i] = (table)[i] | value; \
        }                                                      \
    } while (0)

#define DEFINE_KERNELS(KEY, encode, decode)                                        \
    static void encode(const rugi_key_layout *l, const uint64_t *places, size_t n, \
                       KEY *keys)                                                  \
    {                                                                              \
        memset(keys, 0, n * sizeof *keys);                                         \
        for (int a = 0; a < l->axes; a++, places += RUGI_CELLS_BLOCK)              \
            for (unsigned first = 0; first < l->n_bits[a]; first += 8) {           \
                KEY table[256];                                                    \
                FILL_TABLE(KEY, table,                                             \
                           first + bit < l->n_bits[a]                              \
                               ? (KEY)1 << l->key_bit[a][first + bit]              \
                               : 0);                                               \
                for (size_t i = 0; i < n; i++)                                     \
                    keys[i] |= table[(places[i] - l->base[a]) >> first & 255];     \
            }                                                                      \
    }                                                                              \
                                                                                   \
    static void decode(const rugi_key_layout *l, const KEY *keys, size_t n,        \
                       uint64_t *places)                                           \
    {                                                                              \
        for (int a = 0; a < l->axes; a++, places += RUGI_CELLS_BLOCK) {            \
            for (size_t i = 0; i < n; i++)                                         \
                places[i] = l->base[a];                                            \
            for (unsigned first = 0; first < l->bits; first += 8) {                \
                uint64_t table[256];                                               \
                FILL_TABLE(uint64_t, table,                                        \
                           first + bit < l->bits && l->axis[first + bit] == a      \
                               ? (uint64_t)1 << l->axis_bit[first + bit]           \
                               : 0);                                               \
                for (size_t i = 0; i < n; i++)                                     \
                    places[i] += table[(size_t)(keys[i] >> first) & 255];          \
            }                                                                      \
        }                                                                          \
    }

DEFINE_KERNELS(uint64_t, encode_u64, decode_u64)
DEFINE_KERNELS(rugi_u128, encode_u128, decode_u128)

void rugi_key_kernels_set_ref(rugi_key_kernels *kernels)
{
    *kernels = (rugi_key_kernels){.encode_u64 = encode_u64,
                                  .encode_u128 = encode_u128,
                                  .decode_u64 = decode_u64,
                                  .decode_u128 = decode_u128};
}
