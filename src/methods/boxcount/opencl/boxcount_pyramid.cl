/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The pyramid of a brick, after boxcount_pixels.cl.
 *
 * A group of 256 items owns a tile: 4 blocks side by side of an image, one block of a
 * volume. An item packs units of 16 x 4 (x 4) pixels and counts levels 0 to 2 of them in
 * registers; levels 3 to 6 go through local memory.
 *
 * A code holds boxes side by side: of each the bit "any pixel is set" and above it the bit
 * "all are", 2^level bits from box to box. The lowest code of a block is what the host
 * wants of it: RUGI_BLOCK_ANY | RUGI_BLOCK_ALL. */

#define ITEMS     256
#define UNIT_X    16
#define UNIT_Y    4
#define BLOCK     64

#if BOX_AXES == 3
#define DEEP         2 /* boxes along z that make one of the next level */
#define UNIT_Z       4
#define TILE_COLUMNS 4 /* units along x of a tile */
#define TILE_LAYERS  16
#else
#define DEEP         1
#define UNIT_Z       1
#define TILE_COLUMNS 16
#define TILE_LAYERS  1
#endif
#define TILE_ROWS   16
#define TILE_BLOCKS (TILE_COLUMNS * UNIT_X / BLOCK)
#define N_UNITS     (TILE_COLUMNS * TILE_ROWS * TILE_LAYERS)
#define N_BOXES_16  64 /* of size 16 in a tile, of images and volumes */
#define N_BOXES_32  (TILE_BLOCKS * 2 * 2 * DEEP)
#define N_TALLIES   7

#define ANY_BITS 0x55555555U
#define ALL_BITS 0xaaaaaaaaU

/* Sixteen pixels along x as bits, the first in bit 0. */
#if PIXEL_TYPE == TYPE_BIT

static uint pack16(__global const uchar *row, uint x, ulong4 rule)
{
    uint v = row[x / 8] | (uint)row[x / 8 + 1] << 8;
    return (v & (uint)rule.y) | (~v & (uint)rule.x);
}

#elif PIXEL_TYPE == TYPE_U8

/* Four bytes in a word: differences and comparisons that do not cross the bytes. Bit 7 of
 * a byte is the answer; the product gathers the four of a word in its highest bits. */
static uint pack16(__global const uchar *row, uint x, ulong4 rule)
{
    const uint high = 0x80808080U;
    uint lo = (uint)rule.x * 0x01010101U, span = (uint)rule.y * 0x01010101U;
    uint4 v = ((__global const uint4 *)row)[x / 16];
    uint4 t = ((v | high) - (lo & ~high)) ^ ((v ^ ~lo) & high);
    uint4 no_borrow = (span | high) - (t & ~high);
    uint4 in = (span & ~t) | (~(span ^ t) & no_borrow);
    in = ((in & high) * 0x00204081U) >> 28;
    uint bits = in.x | in.y << 4 | in.z << 8 | in.w << 12;
    return rule.z != 0 ? ~bits : bits;
}

#else

static uint pack16(__global const uchar *row, uint x, ulong4 rule)
{
    pixels16 v = ((__global const pixels16 *)row)[x / 16];
    const pixel lo = (pixel)rule.x, span = (pixel)rule.y;
    const pixels16 flip = (pixels16)(rule.z != 0 ? (pixel)~(pixel)0 : (pixel)0);
#if IS_REAL
    v ^= AS_PIXELS(AS_SIGNED16(v) >> SIGN_SHIFT) & BELOW_SIGN;
#endif
    pixels16 in = AS_PIXELS(v - lo <= span) ^ flip;
#if IS_REAL
    in &= AS_PIXELS(v - KEY_LEAST <= KEYS_SPAN); /* not a number: never set */
#endif
    in &= COLUMNS16;
    in.lo |= in.hi;
    in.lo.lo |= in.lo.hi;
    in.s01 |= in.s23;
    return (uint)(in.s0 | in.s1);
}

#endif

/* Two codes to one of boxes that hold both. ALL_BITS joined with a code is the code. */
static uint join(uint p, uint q)
{
    return (p & q) | ((p | q) & ANY_BITS);
}

/* Joins boxes of the level below that lie side by side. */
static uint fold(uint code, uint level)
{
    const uint keep = level == 2 ? 0x3333 : level == 3 ? 0x0303 : 0x0003;
    return join(code, code >> (1 << (level - 1))) & keep;
}

/* Boxes with any pixel in the lower half, with all pixels in the upper. */
static uint count(uint code)
{
    return popcount(code & ANY_BITS) | popcount(code & ALL_BITS) << 16;
}

/* Level 1 of a slice of a unit, two rows of boxes.
 * @param n_set  grows by the pixels that are set */
static uint pack_slice(__global const uchar *slice, ulong4 shape, ulong4 rule, uint y,
                       uint x, uint *n_set)
{
    uint columns = (uint)shape.x - x, rows[UNIT_Y];
    uint inside = columns < UNIT_X ? (1U << columns) - 1 : 0xffffU;
    for (uint r = 0; r < UNIT_Y; r++)
        rows[r] = y + r < (uint)shape.y
                      ? pack16(slice + (y + r) * shape.w, x, rule) & inside
                      : 0;
    *n_set += popcount(rows[0] | rows[1] << 16) + popcount(rows[2] | rows[3] << 16);
    uint any = (rows[0] | rows[1]) | (rows[2] | rows[3]) << 16;
    uint all = (rows[0] & rows[1]) | (rows[2] & rows[3]) << 16;
    return ((any | any >> 1) & ANY_BITS) | ((all & all >> 1) & ANY_BITS) << 1;
}

/* Level 2 of a unit.
 * @param at     its first pixel, x y z; inside the brick
 * @param tally  of levels 0 to 2; grows */
static uint count_unit(__global const uchar *pixels, ulong4 shape, ulong4 rule, uint4 at,
                       uint tally[3])
{
    uint code = ALL_BITS;
    for (uint z = 0; z < UNIT_Z; z += DEEP) {
        uint pair = ALL_BITS;
        for (uint d = 0; d < DEEP; d++) {
            ulong slice = at.z + z + d;
            pair = join(pair, slice < shape.z
                                  ? pack_slice(pixels + slice * shape.y * shape.w, shape,
                                               rule, at.y, at.x, &tally[0])
                                  : 0);
        }
        tally[1] += count(pair);
        code = join(code, pair);
    }
    code = fold(join(code, code >> 16), 2);
    tally[2] += count(code);
    return code;
}

/* The box of the next level of boxes [z][y][x] in local memory, one code each. */
static uint join_boxes(__local const uchar *below, uint columns, uint rows, uint x,
                       uint y, uint z)
{
    uint code = ALL_BITS;
    for (uint d = 0; d < DEEP; d++)
        for (uint r = 0; r < 2; r++)
            for (uint c = 0; c < 2; c++)
                code = join(code, below[((DEEP * z + d) * rows + 2 * y + r) * columns +
                                        2 * x + c]);
    return code;
}

/* Levels 3 and 4: the box of size 16 at (x, y, z) of a tile.
 * @param tally  of levels 3 and 4; grows */
static uint count_box_16(__local const ushort *units, uint x, uint y, uint z,
                         uint tally[2])
{
    uint code = ALL_BITS;
    for (uint i = 0; i < 2 * DEEP; i++) {
        uint box = ALL_BITS;
        for (uint k = 0; k < 2 * DEEP; k++) {
            uint row = 4 * y + i % 2 * 2 + k % 2;
            uint layer = 2 * DEEP * z + i / 2 * 2 + k / 2;
            box = join(box, units[(layer * TILE_ROWS + row) * TILE_COLUMNS + x]);
        }
        box = fold(box, 3);
        tally[0] += count(box);
        code = join(code, box);
    }
    code = fold(code, 4);
    tally[1] += count(code);
    return code;
}

/* One group for each tile: group (x, y, z) of tiles side by side.
 * @param counts  [tile][7]: set pixels, and of levels 1 to 6 boxes with any pixel in the
 *                lower half and with all pixels in the upper
 * @param blocks  [z][y][x] of the brick */
__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void
boxes_pyramid(__global const uchar *pixels, ulong4 shape, ulong4 rule,
              __global uint *counts, __global uchar *blocks)
{
    __local ushort units[N_UNITS];
    __local uchar boxes_16[N_BOXES_16], boxes_32[N_BOXES_32];
    __local uint tallies[N_TALLIES * ITEMS], sums[ITEMS];
    const uint item = get_local_id(0);
    const uint tile_x = get_group_id(0), block_y = get_group_id(1);
    const uint block_z = get_group_id(2);
    uint tally[N_TALLIES] = {0, 0, 0, 0, 0, 0, 0};

    for (uint u = item; u < N_UNITS; u += ITEMS) {
        uint4 at;
        at.x = (tile_x * TILE_COLUMNS + u % TILE_COLUMNS) * UNIT_X;
        at.y = block_y * BLOCK + u / TILE_COLUMNS % TILE_ROWS * UNIT_Y;
        at.z = block_z * BLOCK + u / (TILE_COLUMNS * TILE_ROWS) * UNIT_Z;
        at.w = 0;
        int is_inside = at.x < shape.x && at.y < shape.y && at.z < shape.z;
        units[u] = is_inside ? count_unit(pixels, shape, rule, at, tally) : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (item < N_BOXES_16)
        boxes_16[item] =
            count_box_16(units, item % TILE_COLUMNS, item / TILE_COLUMNS % 4,
                         item / (TILE_COLUMNS * 4), tally + 3);
    barrier(CLK_LOCAL_MEM_FENCE);

    if (item < N_BOXES_32) {
        const uint columns = TILE_COLUMNS / 2;
        uint code = join_boxes(boxes_16, TILE_COLUMNS, 4, item % columns,
                               item / columns % 2, item / (columns * 2));
        boxes_32[item] = code;
        tally[5] = count(code & 3);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (item < TILE_BLOCKS) {
        uint code = join_boxes(boxes_32, TILE_COLUMNS / 2, 2, item, 0, 0) & 3;
        ulong n_x = (shape.x + BLOCK - 1) / BLOCK, n_y = (shape.y + BLOCK - 1) / BLOCK;
        ulong x = (ulong)tile_x * TILE_BLOCKS + item;
        if (x < n_x)
            blocks[(block_z * n_y + block_y) * n_x + x] = code;
        tally[6] = count(code);
    }

    for (uint t = 0; t < N_TALLIES; t++)
        tallies[t * ITEMS + item] = tally[t];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0; /* eight of a tally to each item, then 32 sums to the first few */
    if (item < N_TALLIES * 32)
        for (uint i = 0; i < ITEMS; i += 32)
            sum += tallies[item / 32 * ITEMS + item % 32 + i];
    sums[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < N_TALLIES) {
        sum = 0;
        for (uint i = 0; i < 32; i++)
            sum += sums[item * 32 + i];
        ulong tile = ((ulong)block_z * get_num_groups(1) + block_y) * get_num_groups(0);
        counts[(tile + tile_x) * N_TALLIES + item] = sum;
    }
}
