/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Box masses, level by level: pixels or boxes are counted by mass, and joined to boxes of
 * twice the side. Built with
 *   IN_BYTES   of a mass that comes in: 1, 2, 4, 8
 *   OUT_BYTES  of a sum: 4, 8
 * and for masses_count_local, which alone has barriers, behind ocl_group.cl.
 * Bricks have whole blocks and less than 2^31 pixels, so that every side is even where it is
 * halved and indices have 32 bits. */

#if IN_BYTES == 1
typedef uchar mass_in;
#elif IN_BYTES == 2
typedef ushort mass_in;
#elif IN_BYTES == 4
typedef uint mass_in;
#else
typedef ulong mass_in;
#endif

#if OUT_BYTES == 4
typedef uint mass_out;
#else
typedef ulong mass_out;
#endif

/* One item for each box that is made.
 * @param in   masses of boxes of half the side, x fastest
 * @param n    boxes that are made along x and y; z: layers that one has, 1 or 2; w: all
 * @param out  their masses */
__kernel void masses_join(__global const mass_in *in, uint4 n, __global mass_out *out)
{
    const uint i = get_global_id(0);
    if (i >= n.w)
        return;
    const uint row = i / n.x, x = i - row * n.x;
    const uint z = row / n.y, y = row - z * n.y;
    mass_out sum = 0;
    for (uint layer = 0; layer < n.z; layer++) {
        const uint at = 4 * ((z * n.z + layer) * n.y + y) * n.x + 2 * x;
        sum += (mass_out)in[at] + (mass_out)in[at + 1];
        sum += (mass_out)in[at + 2 * n.x] + (mass_out)in[at + 2 * n.x + 1];
    }
    out[i] = sum;
}

/* One item for each box: counts[at + mass] goes up by one where there is a mass. */
__kernel void masses_count(__global const mass_in *in, uint n,
                           volatile __global uint *counts, uint at)
{
    const uint i = get_global_id(0);
    if (i < n && in[i] > 0)
        atomic_inc(&counts[at + (uint)in[i]]);
}

#ifdef ITEMS

/* The same by a table in local memory. Items take turns with copies of it, so that equal
 * neighbours do not wait for each other.
 * @param size    of the table, above every mass
 * @param copies  a power of two
 * @param table   [size][copies] */
__kernel GROUP void masses_count_local(__global const mass_in *in, uint n,
                                       volatile __global uint *counts, uint at, uint size,
                                       uint copies, volatile __local uint *table)
{
    const uint item = get_local_id(0);
    const uint copy = item & (copies - 1);
    for (uint k = item; k < size * copies; k += ITEMS)
        table[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        if (in[i] > 0)
            atomic_inc(&table[(uint)in[i] * copies + copy]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = item; k < size; k += ITEMS) {
        uint sum = 0;
        for (uint c = 0; c < copies; c++)
            sum += table[k * copies + c];
        if (sum > 0)
            atomic_add(&counts[at + k], sum);
    }
}

#endif
