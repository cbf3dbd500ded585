/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A pass of a radix sort by a few items, each of which counts and moves the keys of its
 * chunk one after the other. */

#if KEY_BYTES == 4
typedef uint sort_key;
#else
typedef ulong sort_key;
#endif

/* The first key of chunk c. */
static uint chunk_begin(uint n, ulong c, ulong n_chunks)
{
    return (uint)(n * c / n_chunks);
}

/* @param mask    the digit is key >> shift & mask, below DIGITS
 * @param counts  [digit][chunk] */
__kernel void count_chunks(__global const sort_key *keys, uint n, uint shift, uint mask,
                           __global uint *counts)
{
    uint tally[DIGITS];
    const ulong c = get_global_id(0), n_chunks = get_global_size(0);
    const ulong end = chunk_begin(n, c + 1, n_chunks);
    for (uint d = 0; d <= mask; d++)
        tally[d] = 0;
    for (ulong i = chunk_begin(n, c, n_chunks); i < end; i++)
        tally[(uint)(keys[i] >> shift) & mask]++;
    for (uint d = 0; d <= mask; d++)
        counts[d * n_chunks + c] = tally[d];
}

/* @param starts  [digit][chunk]: where the chunk's first key of a digit goes */
__kernel void scatter_chunks(__global const sort_key *keys, __global sort_key *out,
                             uint n, uint shift, uint mask, __global const uint *starts)
{
    uint next[DIGITS];
    const ulong c = get_global_id(0), n_chunks = get_global_size(0);
    const ulong end = chunk_begin(n, c + 1, n_chunks);
    for (uint d = 0; d <= mask; d++)
        next[d] = starts[d * n_chunks + c];
    for (ulong i = chunk_begin(n, c, n_chunks); i < end; i++) {
        sort_key key = keys[i];
        out[next[(uint)(key >> shift) & mask]++] = key;
    }
}
