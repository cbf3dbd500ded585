/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Exclusive prefix sums by a few items, each of which walks through its chunk of the
 * numbers. */

/* The first number of chunk c. */
static ulong chunk_begin(ulong n, ulong c, ulong n_chunks)
{
    ulong share = n / n_chunks, rest = n % n_chunks;
    return c * share + (c < rest ? c : rest);
}

__kernel void sum_chunks(__global const uint *numbers, ulong n, __global uint *sums)
{
    const ulong c = get_global_id(0), n_chunks = get_global_size(0);
    const ulong end = chunk_begin(n, c + 1, n_chunks);
    uint sum = 0;
    for (ulong i = chunk_begin(n, c, n_chunks); i < end; i++)
        sum += numbers[i];
    sums[c] = sum;
}

/* @param sums  of each chunk */
__kernel void scan_chunks(__global uint *numbers, ulong n, __global const uint *sums)
{
    const ulong c = get_global_id(0), n_chunks = get_global_size(0);
    const ulong end = chunk_begin(n, c + 1, n_chunks);
    uint sum = 0;
    for (ulong k = 0; k < c; k++)
        sum += sums[k];
    for (ulong i = chunk_begin(n, c, n_chunks); i < end; i++) {
        uint number = numbers[i];
        numbers[i] = sum;
        sum += number;
    }
}
