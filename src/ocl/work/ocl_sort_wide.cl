/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A pass of a radix sort by groups, after ocl_group.cl: keys are moved by a digit of up
 * to 8 bits, and those of equal digits stay in order. A group has a tile of keys.
 * count_tiles() counts the tile's digits; prefix sums turn the counts of all tiles to
 * places; scatter_tiles() sorts the tile in local memory, four bits at a time, so that
 * keys of a digit are written side by side. The ranks of four bits are those of Merrill
 * and Grimshaw (2011): each item counts its keys on its own, two counts in a word.
 *
 * A pass moves three times the bytes of a key (two are read, one is written), and five
 * times the counts of all digits of a tile, which is 1.3 bytes for a key of 4 bytes and
 * 2.9 for one of 8 where a digit has 8 bits. In all that is 51 bytes for a key of 27 bits
 * in 4 passes, and 215 for one of 63 bits in 8. */

#if KEY_BYTES == 4
typedef uint sort_key;
#define PER_256 15 /* odd: items that read keys so far apart use all banks */
#else
typedef ulong sort_key;
#define PER_256 7
#endif

#define TILE     (256 * PER_256)
#define PER_ITEM (TILE / ITEMS)
#define ROWS     8 /* words of counts: digit d < 8 in the lower half of word d */

/* @param mask    the digit is key >> shift & mask, below DIGITS
 * @param counts  [digit][tile] */
__kernel GROUP void count_tiles(__global const sort_key *keys, uint n, uint shift,
                                uint mask, __global uint *counts)
{
    __local uint tally[DIGITS];
    const uint item = get_local_id(0);
    const ulong tile = get_group_id(0), n_tiles = get_num_groups(0);
    for (uint d = item; d < DIGITS; d += ITEMS)
        tally[d] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < PER_ITEM; k++) {
        ulong i = tile * TILE + k * ITEMS + item;
        if (i < n)
            atomic_inc(&tally[(uint)(keys[i] >> shift) & mask]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = item; d <= mask; d += ITEMS)
        counts[d * n_tiles + tile] = tally[d];
}

/* Four bits of the digit of a key: they are counted in word `word` at bit `bit`. */
typedef struct nibble {
    uint word, bit;
} nibble;

static nibble nibble_of(sort_key key, uint shift, uint mask, uint from)
{
    uint value = ((uint)(key >> shift) & mask) >> from & 15;
    nibble n = {value & 7, (value >> 3) * 16};
    return n;
}

/* Takes an item's keys out of the tile and counts them. */
static void count_mine(__local const sort_key *keys, __local uint *counts, uint item,
                       uint shift, uint mask, uint from, sort_key *mine)
{
    for (uint r = 0; r < ROWS; r++)
        counts[PADDED(r * ITEMS + item)] = 0;
#pragma unroll
    for (uint k = 0; k < PER_ITEM; k++) {
        mine[k] = keys[item * PER_ITEM + k];
        nibble n = nibble_of(mine[k], shift, mask, from);
        counts[PADDED(n.word * ITEMS + item)] += 1U << n.bit;
    }
}

/* Of ROWS words that follow each other: those of all items at digit 0, then 1 ... */
static uint sum_words(__local const uint *counts, uint item)
{
    uint sum = 0;
    for (uint r = 0; r < ROWS; r++)
        sum += counts[PADDED(item * ROWS + r)];
    return sum;
}

/* Turns the same words to places. Digits 8 to 15 come behind all below 8. */
static void place_words(__local uint *counts, __local const uint *sums, uint item)
{
    uint sum = sum_before(sums, item) + (sums[ITEMS - 1] << 16);
    for (uint r = 0; r < ROWS; r++) {
        uint at = PADDED(item * ROWS + r), count = counts[at];
        counts[at] = sum;
        sum += count;
    }
}

static void place_mine(__local sort_key *keys, __local uint *counts, uint item,
                       uint shift, uint mask, uint from, const sort_key *mine)
{
#pragma unroll
    for (uint k = 0; k < PER_ITEM; k++) {
        nibble n = nibble_of(mine[k], shift, mask, from);
        uint at = PADDED(n.word * ITEMS + item), places = counts[at];
        counts[at] = places + (1U << n.bit);
        keys[places >> n.bit & 0xffff] = mine[k];
    }
}

/* Sorts the tile by four bits of the digit. A macro, because compilers for processors
 * have broken on barriers in functions. */
#define SORT_TILE(from)                                           \
    count_mine(tile_keys, counts, item, shift, mask, from, mine); \
    barrier(CLK_LOCAL_MEM_FENCE);                                 \
    GROUP_SUMS(sums, item, sum_words(counts, item))               \
    place_words(counts, sums, item);                              \
    barrier(CLK_LOCAL_MEM_FENCE);                                 \
    place_mine(tile_keys, counts, item, shift, mask, from, mine); \
    barrier(CLK_LOCAL_MEM_FENCE);

/* @param starts  [digit][tile]: where the tile's first key of a digit goes */
__kernel GROUP void scatter_tiles(__global const sort_key *keys, __global sort_key *out,
                                  uint n, uint shift, uint mask,
                                  __global const uint *starts)
{
    __local sort_key tile_keys[TILE];
    __local uint counts[PADDED(ROWS * ITEMS)], sums[N_SUMS];
    __local uint bases[DIGITS], begins[DIGITS]; /* of a digit: elsewhere, in the tile */
    const uint item = get_local_id(0);
    const ulong tile = get_group_id(0), n_tiles = get_num_groups(0);
    sort_key mine[PER_ITEM];
    for (uint d = item; d <= mask; d += ITEMS)
        bases[d] = starts[d * n_tiles + tile];
    for (uint k = 0; k < PER_ITEM; k++) {
        uint at = k * ITEMS + item;
        ulong i = tile * TILE + at;
        tile_keys[at] = i < n ? keys[i] : ~(sort_key)0; /* stay behind all others */
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    SORT_TILE(0)
    SORT_TILE(4)

    for (uint k = 0; k < PER_ITEM; k++) {
        uint at = k * ITEMS + item;
        uint digit = (uint)(tile_keys[at] >> shift) & mask;
        if (at == 0 || digit != ((uint)(tile_keys[at - 1] >> shift) & mask))
            begins[digit] = at;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < PER_ITEM; k++) {
        uint at = k * ITEMS + item;
        sort_key key = tile_keys[at];
        uint digit = (uint)(key >> shift) & mask;
        if (tile * TILE + at < n)
            out[bases[digit] + (at - begins[digit])] = key;
    }
}
