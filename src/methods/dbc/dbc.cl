/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Differential box counting: blocks joined to those of twice the side, level by level. Built
 * once for each number of bytes of a key (KEY_BYTES). The numbers of boxes are those of
 * rugi_dbc_box(), by the same operations on whole numbers. */

#if KEY_BYTES == 1
typedef uchar key;
#elif KEY_BYTES == 2
typedef ushort key;
#else
typedef uint key;
#endif

#define ITEMS 64
#define PARTS 8 /* sums of a group that are made first */

#define BY_SHIFT    0 /* key >> b */
#define BY_FACTOR   1 /* (key - base) * a >> b */
#define BY_QUOTIENT 2 /* (key - base) * a / b */

/* The number of the box in its column that a key lies in.
 * @param rule  one of these, base, a, b */
static ulong box_of(ulong k, ulong4 rule)
{
    ulong w = k - rule.y;
    if (rule.x == BY_SHIFT)
        return k >> rule.w;
    return rule.x == BY_FACTOR ? w * rule.z >> rule.w : w * rule.z / rule.w;
}

/* One item for each block that is made: those of a box of blocks of one class.
 * @param lo, hi      keys of the blocks below, [z][y][x]; pixels without a mask are both
 * @param n           of them along x, y, z
 * @param first       x, y, z of the first block of the box
 * @param box         blocks of the box along x, y, z; w: in all
 * @param out_lo, hi  the blocks that are made
 * @param sums        [group][2]: blocks that hold a pixel, boxes beyond the first of each */
__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void
dbc_join(__global const key *lo, __global const key *hi, ulong4 n, ulong4 first,
         ulong4 box, ulong4 rule, __global key *out_lo, __global key *out_hi,
         __global ulong *sums)
{
    __local ulong beyond[ITEMS], parts[PARTS];
    __local uint blocks[ITEMS], part_blocks[PARTS];
    const uint item = get_local_id(0);
    const ulong i = get_global_id(0);
    const ulong nx = (n.x + 1) / 2, ny = (n.y + 1) / 2;
    ulong mine = 0;
    uint is_block = 0;
    if (i < box.w) {
        const ulong bx = first.x + i % box.x, by = first.y + i / box.x % box.y,
                    bz = first.z + i / box.x / box.y, to = (bz * ny + by) * nx + bx;
        const ulong x = 2 * bx, y = 2 * by, z = 2 * bz;
        key least = (key) ~(key)0, largest = 0;
        for (ulong c = z; c < min(z + 2, n.z); c++)
            for (ulong b = y; b < min(y + 2, n.y); b++)
                for (ulong a = x; a < min(x + 2, n.x); a++) {
                    const ulong at = (c * n.y + b) * n.x + a;
                    least = min(least, lo[at]);
                    largest = max(largest, hi[at]);
                }
        out_lo[to] = least;
        out_hi[to] = largest;
        is_block = least <= largest;
        mine = is_block ? box_of(largest, rule) - box_of(least, rule) : 0;
    }
    beyond[item] = mine;
    blocks[item] = is_block;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < PARTS) {
        ulong sum = 0;
        uint count = 0;
        for (uint k = item; k < ITEMS; k += PARTS) {
            sum += beyond[k];
            count += blocks[k];
        }
        parts[item] = sum;
        part_blocks[item] = count;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) {
        ulong sum = 0, count = 0;
        for (uint k = 0; k < PARTS; k++) {
            sum += parts[k];
            count += part_blocks[k];
        }
        sums[2 * get_group_id(0)] = count;
        sums[2 * get_group_id(0) + 1] = sum;
    }
}
