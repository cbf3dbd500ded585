/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Exclusive prefix sums, after ocl_group.cl. A group adds up a block of numbers, or gives
 * each number of a block the sum of those before; 12 bytes are moved for each number.
 * Numbers lie in one buffer from `first` on, sums of blocks in another from
 * `sums_first`. */

#define BLOCK    2048
#define PER_ITEM (BLOCK / ITEMS)

__kernel GROUP void sum_blocks(__global const uint *numbers, ulong first, ulong n,
                               __global uint *sums, ulong sums_first)
{
    __local uint shared[N_SUMS];
    const uint item = get_local_id(0);
    const ulong block = get_group_id(0);
    uint sum = 0;
    for (uint k = 0; k < PER_ITEM; k++) {
        ulong i = block * BLOCK + k * ITEMS + item;
        if (i < n)
            sum += numbers[first + i];
    }
    GROUP_SUMS(shared, item, sum)
    if (item == 0)
        sums[sums_first + block] = shared[ITEMS - 1];
}

/* @param sums  of all numbers before each block; read where has_sums is not 0 */
__kernel GROUP void scan_blocks(__global uint *numbers, ulong first, ulong n,
                                __global const uint *sums, ulong sums_first,
                                uint has_sums)
{
    __local uint pixels[PADDED(BLOCK)], shared[N_SUMS];
    const uint item = get_local_id(0);
    const ulong block = get_group_id(0);
    for (uint k = 0; k < PER_ITEM; k++) {
        uint at = k * ITEMS + item;
        ulong i = block * BLOCK + at;
        pixels[PADDED(at)] = i < n ? numbers[first + i] : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    uint sum = 0;
    for (uint k = 0; k < PER_ITEM; k++)
        sum += pixels[PADDED(item * PER_ITEM + k)];
    GROUP_SUMS(shared, item, sum)
    sum = sum_before(shared, item);
    if (has_sums)
        sum += sums[sums_first + block];
    for (uint k = 0; k < PER_ITEM; k++) {
        uint at = PADDED(item * PER_ITEM + k), number = pixels[at];
        pixels[at] = sum;
        sum += number;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint k = 0; k < PER_ITEM; k++) {
        uint at = k * ITEMS + item;
        ulong i = block * BLOCK + at;
        if (i < n)
            numbers[first + i] = pixels[PADDED(at)];
    }
}
