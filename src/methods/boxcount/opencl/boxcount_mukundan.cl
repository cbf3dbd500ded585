/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Kernels 1 and 2 of Mukundan (2015), extended to all sizes, volumes, and white, black
 * and grey boxes. After boxcount_pixels.cl.
 *
 * The status of a box: 0 at first, then what has been seen of it: WHITE (a pixel that is
 * not set), BLACK (one that is), or both, GRAY. A pixel that is set in a box that the edge
 * of the image cuts makes it grey at once, since the pixels outside are background. No
 * status is ever taken back, so the counts do not depend on the order of items.
 *
 * Further arguments: first is where the brick lies on the grid of the status, in pixels;
 * whole is how many pixels that grid covers, at the end of which the image ends unless it
 * is a border of boxes. */

#define WHITE 1
#define BLACK 2
#define GRAY  3
#define SEEN  3 /* counters of a level: white, black, grey */

/* Whether pixel x of a row is set. */
static int is_set(__global const uchar *row, uint x, ulong4 rule)
{
#if PIXEL_TYPE == TYPE_BIT
    return (row[x / 8] >> x % 8 & 1 ? rule.y : rule.x) != 0;
#else
    pixel v = ((__global const pixel *)row)[x];
#if IS_REAL
    v ^= (pixel)(AS_SIGNED(v) >> SIGN_SHIFT) & BELOW_SIGN;
    if (v - KEY_LEAST > KEYS_SPAN)
        return 0;
#endif
    return ((pixel)(v - (pixel)rule.x) <= (pixel)rule.y) != (rule.z != 0);
#endif
}

/* Whether the box of a pixel reaches beyond the image. */
static int is_cut(ulong4 at, ulong4 whole, uint level)
{
    const ulong last = ((ulong)1 << level) - 1;
#if BOX_AXES == 3
    if ((at.z | last) >= whole.z)
        return 1;
#endif
    return (at.x | last) >= whole.x || (at.y | last) >= whole.y;
}

/* How many boxes there are along n pixels. */
static ulong boxes_of(ulong n, uint level)
{
    return ((n - 1) >> level) + 1;
}

/* Index of the box of a pixel. */
static ulong box_of(ulong4 at, ulong4 whole, uint level)
{
    return ((at.z >> level) * boxes_of(whole.y, level) + (at.y >> level)) *
               boxes_of(whole.x, level) +
           (at.x >> level);
}

/* A box is seen white, black or grey; the counters follow. Once it has a status, the only
 * other one that it can get is grey. */
static void see(volatile __global int *status, volatile __global int *counts, int seen)
{
    int before = atomic_cmpxchg(status, 0, seen);
    if (before == 0) {
        atomic_inc(counts + seen - 1);
    } else if ((before | seen) != before &&
               atomic_cmpxchg(status, before, GRAY) == before) {
        atomic_dec(counts + before - 1);
        atomic_inc(counts + GRAY - 1);
    }
}

/* Kernel 1: one item for each pixel, one launch for each size.
 * @param counts  [level][SEEN]
 * @param status  the boxes of this level are there from begin on */
__kernel void boxes_atomic(__global const uchar *pixels, ulong4 shape, ulong4 rule,
                           ulong4 first, ulong4 whole, volatile __global int *counts,
                           volatile __global int *status, uint level, ulong begin)
{
    ulong4 at = (ulong4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
    if (at.x >= shape.x || at.y >= shape.y)
        return;
    __global const uchar *row = pixels + (at.z * shape.y + at.y) * shape.w;
    int seen = is_set(row, (uint)at.x, rule) ? BLACK : WHITE;
    at += first;
    if (seen == BLACK && is_cut(at, whole, level))
        seen = GRAY;
    see(status + begin + box_of(at, whole, level), counts + level * SEEN, seen);
}

#define SIDE         16 /* a group owns 16 x 16 (x 16) pixels, an item those along z */
#define LOCAL_LEVELS 5  /* sizes 1 to 16 */
#if BOX_AXES == 3
#define SLICES        SIDE
#define LOCAL_BOXES   (512 + 64 + 8 + 1)
#define BOXES_AT(m)   (1U << 3 * (4 - (m)))
#else
#define SLICES        1
#define LOCAL_BOXES   (64 + 16 + 4 + 1)
#define BOXES_AT(m)   (1U << 2 * (4 - (m)))
#endif

/* A pixel is seen by its boxes of sizes 2 to 16 in local memory.
 * @param own  place in the group, x y z */
static void see_locally(volatile __local int *status, uint4 own, ulong4 at, ulong4 whole,
                        int is_black)
{
    for (uint m = 1; m < LOCAL_LEVELS; m++) {
        uint side = SIDE >> m;
        uint box = ((own.z >> m) * side + (own.y >> m)) * side + (own.x >> m);
        atomic_or(status + box, !is_black                ? WHITE
                                : is_cut(at, whole, m) ? GRAY
                                                       : BLACK);
        status += BOXES_AT(m);
    }
}

/* Kernel 2: boxes of sizes 1 to 16 in local memory, one launch for all sizes. A group is
 * 16 x 16 items.
 * @param counts    [level][SEEN]
 * @param status    of the boxes of levels 5 and above of the whole image, level by level
 * @param n_levels  of the image */
__kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1))) void
boxes_local(__global const uchar *pixels, ulong4 shape, ulong4 rule, ulong4 first,
            ulong4 whole, volatile __global int *counts, volatile __global int *status,
            uint n_levels)
{
    __local int seen[LOCAL_BOXES], tally[LOCAL_LEVELS * SEEN];
    const uint x = get_local_id(0), y = get_local_id(1), item = y * SIDE + x;
    ulong4 corner = (ulong4)(get_group_id(0), get_group_id(1), get_group_id(2), 0) * SIDE;
    for (uint i = item; i < LOCAL_BOXES; i += SIDE * SIDE)
        seen[i] = 0;
    if (item < LOCAL_LEVELS * SEEN)
        tally[item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint z = 0; z < SLICES; z++) {
        ulong4 at = corner + (ulong4)(x, y, z, 0);
        if (at.x >= shape.x || at.y >= shape.y || at.z >= shape.z)
            continue;
        __global const uchar *row = pixels + (at.z * shape.y + at.y) * shape.w;
        int is_black = is_set(row, (uint)at.x, rule);
        atomic_inc(tally + (is_black ? BLACK : WHITE) - 1);
        see_locally(seen, (uint4)(x, y, z, 0), at + first, whole, is_black);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint m = 1, begin = 0; m < LOCAL_LEVELS; begin += BOXES_AT(m), m++)
        for (uint i = item; i < BOXES_AT(m); i += SIDE * SIDE)
            if (seen[begin + i] != 0)
                atomic_inc(tally + m * SEEN + seen[begin + i] - 1);
    barrier(CLK_LOCAL_MEM_FENCE);

    if (item < LOCAL_LEVELS * SEEN)
        atomic_add(counts + item, tally[item]);
    uint level = LOCAL_LEVELS + item; /* its box of size 16 is seen by a larger one */
    if (level < n_levels) {
        corner += first;
        int of_16 = seen[LOCAL_BOXES - 1];
        if (of_16 == BLACK && is_cut(corner, whole, level))
            of_16 = GRAY;
        for (uint m = LOCAL_LEVELS; m < level; m++)
            status += boxes_of(whole.x, m) * boxes_of(whole.y, m) * boxes_of(whole.z, m);
        see(status + box_of(corner, whole, level), counts + level * SEEN, of_16);
    }
}
