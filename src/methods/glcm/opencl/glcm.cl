/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Entries of co-occurrence matrices. Gipp et al. (2009) gave a matrix of fixed size to each
 * work group; here a group counts in a hash table of local memory, whose size follows the
 * pixels of the region and not the square of its levels.
 *
 * A slot of the table in local memory is one number, key and count in one, so that two
 * operations of 32 bits count a pair. The table in global memory, of large regions, has a
 * number for each, the key plus 1. Numbers 0 are empty slots. SYMMETRIC: the larger rank
 * comes first in a key. FRAME: pixels without a partner have one in the background.
 *
 * Kernels give entries in any order. Barriers stand in kernels alone, and nothing but single
 * numbers is kept across them: compilers for processors have got other code wrong. */

/* A matrix, and the tile of its region; as in glcm_opencl.h. Row r = z ny + y of the tile
 * begins at word n_words r of its mask and at pixel 64 n_words r. */
typedef struct matrix {
    uint first_word; /* of the tile among those that were brought */
    uint n_words, ny, nz;
    uint first_offset, n_offsets;
    uint rank_bits;
    uint n_slots;
    uint background;  /* its rank */
    uint first_level; /* of its levels, by rank */
} matrix;

#define NOBODY UINT_MAX

static ulong tile_pixels(__global const matrix *m)
{
    return (ulong)m->n_words * m->ny * m->nz * 64;
}

static int is_inside(__global const ulong *mask, uint pixel)
{
    return (int)(mask[pixel >> 6] >> (pixel & 63)) & 1;
}

/* The pixel at an offset from another one, NOBODY where the region has none. */
static uint partner(__global const ulong *mask, __global const matrix *m, uint pixel,
                    int4 offset)
{
    int row = (int)((pixel >> 6) / m->n_words), z = row / (int)m->ny;
    int wide = (int)m->n_words * 64, x = (int)pixel - row * wide + offset.x;
    int y = row - z * (int)m->ny + offset.y;
    z += offset.z;
    if (x < 0 || x >= wide || y < 0 || y >= (int)m->ny || z < 0 || z >= (int)m->nz)
        return NOBODY;
    uint other = (uint)((z * (int)m->ny + y) * wide + x);
    return is_inside(mask, other) ? other : NOBODY;
}

static uint key_of(uint a, uint b, uint bits)
{
#if SYMMETRIC
    return max(a, b) << bits | min(a, b);
#else
    return a << bits | b;
#endif
}

/* Spreads keys over n slots. */
static uint place_of(uint key, uint n)
{
    return mul_hi(key * 2654435769u, n);
}

/* Counts a key. There are more slots than keys. */
static void count_local(__local volatile uint *slots, uint n_slots, uint key, uint shift)
{
    uint at = place_of(key, n_slots);
    for (uint k = 0; k < n_slots; k++) {
        uint before = atomic_cmpxchg(&slots[at], 0u, key << shift | 1);
        if (before == 0)
            return;
        if (before >> shift == key) {
            atomic_inc(&slots[at]);
            return;
        }
        at = at + 1 < n_slots ? at + 1 : 0;
    }
}

/* The same in global memory, n times. The largest key of all has a slot of its own behind
 * the others, since it plus 1 is 0. */
static void count_global(__global volatile uint *table, uint n_slots, uint key, uint n)
{
    uint at = place_of(key, n_slots);
    if (key == UINT_MAX) {
        atomic_add(&table[2 * (size_t)n_slots + 1], n);
        return;
    }
    for (uint k = 0; k < n_slots; k++) {
        uint before = atomic_cmpxchg(&table[2 * (size_t)at], 0u, key + 1);
        if (before == 0 || before == key + 1) {
            atomic_add(&table[2 * (size_t)at + 1], n);
            return;
        }
        at = at + 1 < n_slots ? at + 1 : 0;
    }
}

/* Counts the pairs of a pixel by COUNT(key). */
#define FOR_PAIRS(pixel, BITS, COUNT)                                         \
    if (is_inside(mask, pixel)) {                                             \
        uint here_ = rank[pixel], next_ = partner(mask, m, pixel, offset);     \
        if (FRAME || next_ != NOBODY) {                                      \
            uint there_ = next_ != NOBODY ? rank[next_] : m->background;     \
            uint key_ = key_of(here_, there_, BITS);                         \
            COUNT(key_);                                                     \
        }                                                                    \
        if (FRAME && partner(mask, m, pixel, -offset) == NOBODY) {            \
            uint key_ = key_of(m->background, here_, BITS);                  \
            COUNT(key_);                                                     \
        }                                                                    \
    }

/* Finds a place for what a group has in its slots, among that of all groups: items count
 * theirs, the first one takes room for all. `found` is what the group has, and where. */
#define TAKE_PLACE(slots, n_slots)                           \
    {                                                        \
        uint mine_ = 0;                                      \
        for (uint i = item; i < (n_slots); i += n_items)     \
            mine_ += (slots)[i] != 0;                        \
        atomic_add(&n_here, mine_);                          \
        barrier(CLK_LOCAL_MEM_FENCE);                        \
        if (item == 0) {                                     \
            first = atomic_add(n_all, n_here);               \
            found[get_group_id(0)] = (uint2)(first, n_here); \
            n_here = 0;                                      \
        }                                                    \
        barrier(CLK_LOCAL_MEM_FENCE);                        \
    }

#define CLEAR(slots, n_slots)                            \
    {                                                    \
        for (uint i = item; i < (n_slots); i += n_items) \
            (slots)[i] = 0;                              \
        barrier(CLK_LOCAL_MEM_FENCE);                    \
    }

/* A group counts a matrix. */
__kernel void glcm_small(__global const ulong *masks, __global const ushort *ranks,
                         __global const matrix *matrices, __global const int4 *offsets,
                         __global uint2 *entries, __global volatile uint *n_all,
                         __global uint2 *found, __local volatile uint *slots)
{
    __local uint n_here, first;
    uint item = get_local_id(0), n_items = get_local_size(0);
    __global const matrix *m = matrices + get_group_id(0);
    __global const ulong *mask = masks + m->first_word;
    __global const ushort *rank = ranks + (size_t)m->first_word * 64;
    uint bits = m->rank_bits, shift = 32 - 2 * bits, n_slots = m->n_slots;
    uint n_pixels = (uint)tile_pixels(m);
    if (item == 0)
        n_here = 0;
    CLEAR(slots, n_slots)
#define COUNT(key) count_local(slots, n_slots, key, shift)
    for (uint k = 0; k < m->n_offsets; k++) {
        int4 offset = offsets[m->first_offset + k];
        for (uint pixel = item; pixel < n_pixels; pixel += n_items)
            FOR_PAIRS(pixel, bits, COUNT)
    }
#undef COUNT
    barrier(CLK_LOCAL_MEM_FENCE);
    TAKE_PLACE(slots, n_slots)
    for (uint i = item; i < n_slots; i += n_items) {
        uint slot = slots[i], key = slot >> shift;
        if (slot != 0)
            entries[first + atomic_inc(&n_here)] =
                (uint2)(key >> bits << 16 | (key & ((1u << bits) - 1)),
                        slot & ((1u << shift) - 1));
    }
}

/* Few levels: a group counts a run of pixels at one offset, so few of them that counts fit
 * their part of a slot, and adds what it has to the table. */
__kernel void glcm_runs(__global const ulong *masks, __global const ushort *ranks,
                        __global const matrix *m, __global const int4 *offsets,
                        __global volatile uint *table, uint n_table, uint run_pixels,
                        __local volatile uint *slots)
{
    uint item = get_local_id(0), n_items = get_local_size(0);
    __global const ulong *mask = masks + m->first_word;
    __global const ushort *rank = ranks + (size_t)m->first_word * 64;
    uint n_offsets = m->n_offsets, bits = m->rank_bits, shift = 32 - 2 * bits;
    uint n_slots = m->n_slots;
    int4 offset = offsets[m->first_offset + get_group_id(0) % n_offsets];
    uint first = (uint)(get_group_id(0) / n_offsets) * run_pixels;
    uint end = (uint)min(tile_pixels(m), (ulong)first + run_pixels);
    for (uint i = item; i < n_slots; i += n_items)
        slots[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#define COUNT(key) count_local(slots, n_slots, key, shift)
    for (uint pixel = first + item; pixel < end; pixel += n_items)
        FOR_PAIRS(pixel, bits, COUNT)
#undef COUNT
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = item; i < n_slots; i += n_items) {
        uint slot = slots[i], key = slot >> shift;
        if (slot != 0)
            count_global(table, n_table,
                         key >> bits << 16 | (key & ((1u << bits) - 1)),
                         slot & ((1u << shift) - 1));
    }
}

/* Many levels, which seldom meet again: an item counts the pairs of a pixel in the table. */
__kernel void glcm_pixels(__global const ulong *masks, __global const ushort *ranks,
                         __global const matrix *m, __global const int4 *offsets,
                         __global volatile uint *table, uint n_table)
{
    __global const ulong *mask = masks + m->first_word;
    __global const ushort *rank = ranks + (size_t)m->first_word * 64;
    uint pixel = (uint)get_global_id(0);
    int4 offset = offsets[m->first_offset + get_global_id(1)];
    if (get_global_id(0) >= tile_pixels(m))
        return;
#define COUNT(key) count_global(table, n_table, key, 1)
    FOR_PAIRS(pixel, 16, COUNT)
#undef COUNT
}

/* Takes the entries out of the table, which has one slot more than n_table. */
__kernel void glcm_take(__global const uint2 *table, uint n_table,
                        __global uint2 *entries, __global volatile uint *n_entries)
{
    __local uint n_here, first;
    uint slot = (uint)get_global_id(0);
    uint2 found = slot <= n_table ? table[slot] : (uint2)(0, 0);
    uint at = 0;
    if (get_local_id(0) == 0)
        n_here = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (found.y != 0)
        at = atomic_inc(&n_here);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        first = atomic_add(n_entries, n_here);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (found.y != 0)
        entries[first + at] = (uint2)(found.x - 1, found.y);
}
