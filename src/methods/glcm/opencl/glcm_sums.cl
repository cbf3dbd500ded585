/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Sums of co-occurrence matrices, compiled behind glcm.cl: where the entries are not asked for
 * of symmetric matrices of pairs inside, they need not leave the device. All are integers; t
 * is c ln c in the fixed point of glcm_plan.h, and its table the processor's, so they are those
 * of the processor. What is left are the differences of levels, for sums of floats.
 *
 * A group counts a matrix four times: pairs of ranks, sums of levels, ranks, differences of
 * levels. Fewer than 2^15 pairs, so that counts fit beside keys of 17 bits. */

#define N_SUMS 7 /* pairs, squares, t, t of the marginal, its sum and squares, t of sums */

#define RANK_SHIFT  16 /* a rank is in two pixels of a pair */
#define LEVEL_SHIFT 15

#define EACH_PAIR(DO)                                                  \
    for (uint k = 0; k < m->n_offsets; k++) {                          \
        int4 offset = offsets[m->first_offset + k];                    \
        for (uint pixel = item; pixel < n_pixels; pixel += n_items) {      \
            uint next = is_inside(mask, pixel)                          \
                            ? partner(mask, m, pixel, offset)           \
                            : NOBODY;                                  \
            if (next != NOBODY) {                                      \
                uint a = rank[pixel], b = rank[next];                   \
                DO;                                                    \
            }                                                          \
        }                                                              \
    }                                                                  \
    barrier(CLK_LOCAL_MEM_FENCE);

__kernel void glcm_sums(__global const ulong *masks, __global const ushort *ranks,
                        __global const matrix *matrices, __global const int4 *offsets,
                        __global uint2 *entries, __global volatile uint *n_all,
                        __global uint2 *found, __global const ushort *levels,
                        __global const ulong *t_of, __global ulong *sums,
                        __local ulong *scratch)
{
    __local uint n_here, first;
    __local volatile uint *slots = (__local volatile uint *)scratch;
    uint item = get_local_id(0), n_items = get_local_size(0);
    __global const matrix *m = matrices + get_group_id(0);
    __global const ulong *mask = masks + m->first_word;
    __global const ushort *rank = ranks + (size_t)m->first_word * 64;
    __global const ushort *level = levels + m->first_level;
    uint bits = m->rank_bits, shift = 32 - 2 * bits, n_slots = m->n_slots;
    uint n_pixels = (uint)tile_pixels(m);
    ulong pairs = 0, squares = 0, t = 0, t_x = 0, x1 = 0, x2 = 0, t_sum = 0;
    if (item == 0)
        n_here = 0;
    CLEAR(slots, n_slots)
    EACH_PAIR(count_local(slots, n_slots, key_of(a, b, bits), shift))
    for (uint i = item; i < n_slots; i += n_items) {
        uint c = slots[i] & ((1u << shift) - 1), key = slots[i] >> shift;
        uint equal = key >> bits == (key & ((1u << bits) - 1));
        pairs += c;
        squares += ((ulong)c * c) << equal;
        t += t_of[c];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    CLEAR(slots, n_slots)
    EACH_PAIR(count_local(slots, n_slots, (uint)level[a] + level[b], LEVEL_SHIFT))
    for (uint i = item; i < n_slots; i += n_items)
        t_sum += t_of[slots[i] & ((1u << LEVEL_SHIFT) - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    CLEAR(slots, n_slots)
    EACH_PAIR(count_local(slots, n_slots, a, RANK_SHIFT);
              count_local(slots, n_slots, b, RANK_SHIFT))
    for (uint i = item; i < n_slots; i += n_items) {
        uint c = slots[i] & ((1u << RANK_SHIFT) - 1);
        ulong v = c > 0 ? level[slots[i] >> RANK_SHIFT] : 0;
        t_x += t_of[c];
        x1 += v * c;
        x2 += v * v * c;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    CLEAR(slots, n_slots)
    EACH_PAIR(count_local(slots, n_slots, abs_diff(level[a], level[b]), LEVEL_SHIFT))
    TAKE_PLACE(slots, n_slots)
    for (uint i = item; i < n_slots; i += n_items) {
        uint slot = slots[i];
        if (slot != 0)
            entries[first + atomic_inc(&n_here)] =
                (uint2)(slot >> LEVEL_SHIFT, slot & ((1u << LEVEL_SHIFT) - 1));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    scratch[item] = pairs;
    scratch[n_items + item] = squares;
    scratch[2 * n_items + item] = t;
    scratch[3 * n_items + item] = t_x;
    scratch[4 * n_items + item] = x1;
    scratch[5 * n_items + item] = x2;
    scratch[6 * n_items + item] = t_sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = item; s < N_SUMS; s += n_items) {
        ulong sum = 0;
        for (uint i = 0; i < n_items; i++)
            sum += scratch[s * n_items + i];
        sums[get_group_id(0) * N_SUMS + s] = sum;
    }
}
