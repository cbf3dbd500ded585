/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The pyramid of a brick, after boxcount_pixels.cl.
 *
 * A group of 256 items owns a tile: 4 x 4 blocks of an image, one block of a volume. An
 * item packs 16 x 16 pixels of it, or 16 x 8 x 8, in units of 16 x 4 (x 4), and counts
 * their levels in registers; those above go through local memory.
 *
 * A code holds boxes side by side: of each the bit "any pixel is set", and PAIR bits above
 * it the bit "all are". The lowest code of a block is what the host wants of it:
 * RUGI_BLOCK_ANY | RUGI_BLOCK_ALL.
 *
 * Bits stay where comparing words leaves them, so the order of pixels in a word depends on
 * their type. Distances in bits: PAIR between the two pixels of a box of level 1, PAIRS
 * between two such boxes, ROWS between rows y and y + 2, BOXES between boxes of level 2.
 * ANY_BITS has the "any" of all boxes, KEEP_m those of both kinds of level m. */

#define ITEMS  256
#define UNIT_X 16
#define UNIT_Y 4
#define BLOCK  64

#if BOX_AXES == 3
#define DEEP         2 /* boxes along z that make one of the next level */
#define UNIT_Z       4
#define ITEM_Y       8
#define ITEM_Z       8
#define TILE_BLOCKS  1 /* along x and along y */
#define TILE_LAYERS  8
#else
#define DEEP         1
#define UNIT_Z       1
#define ITEM_Y       16
#define ITEM_Z       1
#define TILE_BLOCKS  4
#define TILE_LAYERS  1
#endif
#define TILE_COLUMNS (TILE_BLOCKS * BLOCK / UNIT_X) /* items along x */
#define TILE_ROWS    (TILE_BLOCKS * BLOCK / ITEM_Y)
#define N_BOXES_16   64 /* of a block of a volume */
#define COLUMNS_32   (TILE_BLOCKS * 2)
#define N_BOXES_32   (COLUMNS_32 * COLUMNS_32 * DEEP)
#define N_BLOCKS     (TILE_BLOCKS * TILE_BLOCKS)
#define N_TALLIES    7

#if PIXEL_TYPE == TYPE_BIT
#define PAIR     1
#define PAIRS    2
#define ROWS     16
#define BOXES    4
#define ANY_BITS 0x55555555U
#define KEEP_2   0x3333U
#define KEEP_3   0x0303U
#define KEEP_4   0x0003U
#elif PIXEL_TYPE == TYPE_U16
#define PAIR     16
#define PAIRS    8
#define ROWS     4
#define BOXES    1
#define ANY_BITS 0x0000ffffU
#define KEEP_2   0x000f000fU
#define KEEP_3   0x00050005U
#define KEEP_4   0x00010001U
#else
#define PAIR     8
#define PAIRS    16
#define ROWS     4
#define BOXES    1
#define ANY_BITS 0x00ff00ffU
#define KEEP_2   0x0f0fU
#define KEEP_3   0x0505U
#define KEEP_4   0x0101U
#endif

/* ---- Pixels to bits ---- */

#define HIGH_BITS 0x80808080U

#if PIXEL_TYPE == TYPE_BIT

typedef struct test {
    uint if_clear, if_set;
} test;

static test make_test(ulong4 rule)
{
    test t = {(uint)rule.x * 0x00010001U, (uint)rule.y * 0x00010001U};
    return t;
}

/* Sixteen pixels of each of two rows, the first pixel in bit 0. */
static uint pack_rows(__global const uchar *row, __global const uchar *row2, uint x,
                      test t)
{
    uint v = row[x / 8] | (uint)row[x / 8 + 1] << 8 | (uint)row2[x / 8] << 16 |
             (uint)row2[x / 8 + 1] << 24;
    return bitselect(t.if_clear, t.if_set, v);
}

/* The first pixels of a row as bits; n < 16. */
static uint first_columns(uint n)
{
    return (1U << n) - 1;
}

#define ALL_COLUMNS 0xffffU

#else

#if PIXEL_TYPE == TYPE_U8 || PIXEL_TYPE == TYPE_U16

/* Words of 4 or 2 pixels. The answer for a pixel is its highest bit: with it cleared,
 * adding 2^(bits-1) - k cannot reach the next pixel and sets it where the other bits are
 * k or more; which of both bits decides depends on the highest bit of what is compared. */
#define PIXEL_BITS (8 * (uint)sizeof(pixel))
#define HALF       (1U << (PIXEL_BITS - 1))
#define EACH       (0xffffffffU / (2 * HALF - 1)) /* 1 in each pixel of a word */

/* A pixel is set when it is least or more and not above the last, or else the other way
 * round: flip. */
typedef struct test {
    uint add_least, add_last;
    uint or_least, or_last; /* all ones: either bit will do; 0: both are needed */
    uint flip;
} test;

static test make_test(ulong4 rule)
{
    const uint most = 2 * HALF - 1;
    uint least = (uint)rule.x, last = least + (uint)rule.y;
    int is_wrapped = last > most; /* then what lies between is not set */
    if (is_wrapped) {
        uint end = least;
        least = (last + 1) & most;
        last = end - 1;
    }
    test t;
    t.add_least = (HALF - least % HALF) * EACH;
    t.add_last = (HALF - 1 - last % HALF) * EACH;
    t.or_least = least < HALF ? 0xffffffffU : 0;
    t.or_last = last < HALF ? 0xffffffffU : 0;
    t.flip = is_wrapped != (rule.z != 0) ? 0xffffffffU : 0;
    return t;
}

/* Either bit where a bit of is_or is set, else both: the majority of the three. */
#define EITHER_OR_BOTH(p, q, is_or) (((p) & (q)) | (((p) | (q)) & (is_or)))

#define COMPARE(name, words)                                                            \
    static words name(words v, test t)                                                  \
    {                                                                                   \
        words low = v & (words)(HALF * EACH - EACH);                                    \
        words least = low + t.add_least, last = low + t.add_last;                       \
        return EITHER_OR_BOTH(v, least, t.or_least) &                                   \
               ~EITHER_OR_BOTH(v, last, t.or_last);                                     \
    }

COMPARE(compare, uint4)

#if PIXEL_TYPE == TYPE_U8

/* Sixteen pixels, bit 7 of each byte the answer; the other bits are anything. */
static uint4 see_row(__global const uchar *row, uint x, test t)
{
    return compare(((__global const uint4 *)row)[x / 16], t);
}

#else

/* Of two words the answers for four pixels go into the bytes in the order 0, 2, 1, 3. */
static uint4 see_row(__global const uchar *row, uint x, test t)
{
    __global const uint4 *words = (__global const uint4 *)row + x / 8;
    uint4 p = compare(words[0], t), q = compare(words[1], t);
    uint4 even = (uint4)(p.x, p.z, q.x, q.z), odd = (uint4)(p.y, p.w, q.y, q.w);
    return bitselect(even >> 8, odd, (uint4)(0xff00ff00U));
}

#endif

#else

/* A pixel is set when its distance from the least is at most the span; or else the other
 * way round, but for what is not a number. */
typedef struct test {
    pixel least, span, outside;
    uint flip;
} test;

static test make_test(ulong4 rule)
{
    int is_outside = rule.z != 0;
    test t = {(pixel)rule.x, (pixel)rule.y, 0, 0};
#if IS_REAL
    t.outside = is_outside ? ~(pixel)0 : 0;
#else
    t.flip = is_outside ? ~0U : 0;
#endif
    return t;
}

/* Four pixels, bit 7 of each byte the answer. */
static uint see_four(__global const pixels4 *at, test t)
{
    pixels4 v = *at;
#if IS_REAL
    v ^= AS_PIXELS(AS_SIGNED4(v) >> SIGN_SHIFT) & BELOW_SIGN;
    pixels4 in = (AS_PIXELS(v - t.least <= t.span) ^ t.outside) &
                 AS_PIXELS(v - KEY_LEAST <= KEYS_SPAN);
#else
    pixels4 in = AS_PIXELS(v - t.least <= t.span);
#endif
    uint4 bits = convert_uint4(in) & (uint4)(0x80, 0x8000, 0x800000, 0x80000000U);
    return bits.x | bits.y | bits.z | bits.w;
}

static uint4 see_row(__global const uchar *row, uint x, test t)
{
    __global const pixels4 *at = (__global const pixels4 *)row + x / 4;
    return (uint4)(see_four(at, t), see_four(at + 1, t), see_four(at + 2, t),
                   see_four(at + 3, t));
}

#endif

/* Sixteen pixels of each of two rows: pixel 4 w + b of the first is bit w of byte b. The
 * answers are moved down by a bit before those of the next word come in above them. */
static uint pack_rows(__global const uchar *row, __global const uchar *row2, uint x,
                      test t)
{
    uint4 v = see_row(row, x, t), v2 = see_row(row2, x, t);
    v = bitselect(v >> 4, v2, (uint4)(HIGH_BITS));
    uint bits = bitselect(v.x >> 1, v.y, HIGH_BITS | HIGH_BITS >> 4);
    bits = bitselect(bits >> 1, v.z, HIGH_BITS | HIGH_BITS >> 4);
    bits = bitselect(bits >> 1, v.w, HIGH_BITS | HIGH_BITS >> 4);
    return bits ^ t.flip;
}

#define ALL_COLUMNS 0x0f0f0f0fU

/* The first pixels of a row as bits; n < 16. */
static uint first_columns(uint n)
{
    const uint left = n % 4; /* pixels of the word that is inside in part */
    const uint more = (uint)(left > 0) | (uint)(left > 1) << PAIR | (uint)(left > 2) << PAIRS;
    return ((1U << n / 4) - 1) * 0x01010101U + (more << n / 4);
}

#endif

/* ---- Boxes ---- */

/* Two codes to one of boxes that hold both: the majority of their bits and ANY_BITS. */
static uint join(uint p, uint q)
{
    return (p & q) | ((p | q) & ANY_BITS);
}

/* Boxes with any pixel in the lower half, with all pixels in the upper. */
static uint count(uint code)
{
    return popcount(code & ANY_BITS) | popcount(code & ~ANY_BITS) << 16;
}

/* The pixels of an item, from (x, y, z) on, in the brick of this shape.
 * pitch, slice: bytes from row to row and from slice to slice
 * columns: the bits of the pixels of a row that are inside */
typedef struct region {
    __global const uchar *pixels;
    uint3 shape;
    ulong pitch, slice;
    uint x, y, z, columns;
} region;

/* The bits of rows y and y + 2, those inside. */
static uint mask_rows(const region *r, uint y)
{
    return (y < r->shape.y ? r->columns : 0) |
           (y + 2 < r->shape.y ? r->columns << ROWS : 0);
}

/* Level 2 of a unit. Rows behind the end are read as the last one and masked, so that
 * nothing waits for a branch.
 * @param y, z   of its first pixel, which is inside
 * @param tally  of levels 0 to 2; grows */
static uint count_unit(const region *r, test t, uint y, uint z, uint *tally)
{
    const uint in_even = mask_rows(r, y), in_odd = mask_rows(r, y + 1);
    const uint end_y = r->shape.y - 1, end_z = r->shape.z - 1;
    const ulong row0 = y * r->pitch, row1 = min(y + 1, end_y) * r->pitch;
    const ulong row2 = min(y + 2, end_y) * r->pitch, row3 = min(y + 3, end_y) * r->pitch;
    uint code = ~ANY_BITS;
    for (uint pair = z; pair < z + UNIT_Z; pair += DEEP) {
        uint any = 0, all = ~0U;
        for (uint at = pair; at < pair + DEEP; at++) {
            __global const uchar *slice = r->pixels + min(at, end_z) * r->slice;
            const uint in_slice = at <= end_z ? ~0U : 0;
            uint even = pack_rows(slice + row0, slice + row2, r->x, t) & in_even & in_slice;
            uint odd = pack_rows(slice + row1, slice + row3, r->x, t) & in_odd & in_slice;
            tally[0] += popcount(even) + popcount(odd);
            any |= even | odd;
            all &= even & odd;
        }
        uint boxes = ((any | any >> PAIR) & ANY_BITS) | ((all & all << PAIR) & ~ANY_BITS);
        tally[1] += count(boxes);
        code = join(code, boxes);
    }
    code = join(code, code >> PAIRS);
    code = join(code, code >> ROWS) & KEEP_2;
    tally[2] += count(code);
    return code;
}

/* Levels 3 and 4, from boxes of the level below that lie side by side. */
static uint fold_3(uint code)
{
    return join(code, code >> BOXES) & KEEP_3;
}

static uint fold_4(uint code)
{
    return join(code, code >> 2 * BOXES) & KEEP_4;
}

static uint count_unit_inside(const region *r, test t, uint y, uint z, uint *tally)
{
    return y < r->shape.y && z < r->shape.z ? count_unit(r, t, y, z, tally) : 0;
}

/* Level 3 of the pixels of an item in a volume, level 4 in an image.
 * @param tally  of these levels; grows */
static uint count_item(const region *r, test t, uint *tally)
{
    uint code = ~ANY_BITS;
    for (uint i = 0; i < 2; i++) {
        uint box = ~ANY_BITS;
        for (uint k = 0; k < 2; k++)
#if BOX_AXES == 3
            box = join(box, count_unit_inside(r, t, r->y + k * UNIT_Y, r->z + i * UNIT_Z,
                                              tally));
        code = join(code, box);
    }
    code = fold_3(code);
    tally[3] += count(code);
#else
            box = join(box, count_unit_inside(r, t, r->y + (2 * i + k) * UNIT_Y, 0, tally));
        box = fold_3(box);
        tally[3] += count(box);
        code = join(code, box);
    }
    code = fold_4(code);
    tally[4] += count(code);
#endif
    return code;
}

/* The box of the next level of boxes [z][y][x] in local memory, one code each. */
static uint join_boxes(__local const uint *below, uint columns, uint rows, uint x, uint y,
                       uint z)
{
    uint code = ~ANY_BITS;
    for (uint d = 0; d < DEEP; d++)
        for (uint r = 0; r < 2; r++)
            for (uint c = 0; c < 2; c++)
                code = join(code, below[((DEEP * z + d) * rows + 2 * y + r) * columns +
                                        2 * x + c]);
    return code;
}

/* Level 4 of a volume, from items in local memory. */
static uint join_items(__local const uint *items, uint x, uint y, uint z)
{
    uint code = ~ANY_BITS;
    for (uint d = 0; d < 2; d++)
        for (uint r = 0; r < 2; r++)
            code = join(code, items[((2 * z + d) * TILE_ROWS + 2 * y + r) * TILE_COLUMNS +
                                    x]);
    return fold_4(code);
}

/* One group for each tile: group (x, y, z) of tiles side by side.
 * @param counts  [tile][7]: set pixels, and of levels 1 to 6 boxes with any pixel in the
 *                lower half and with all pixels in the upper
 * @param blocks  [z][y][x] of the brick */
__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void
boxes_pyramid(__global const uchar *pixels, ulong4 shape, ulong4 rule,
              __global uint *counts, __global uchar *blocks)
{
    __local uint items[ITEMS], boxes_32[N_BOXES_32];
#if BOX_AXES == 3
    __local uint boxes_16[N_BOXES_16];
#else
    __local uint *boxes_16 = items;
#endif
    __local uint tallies[N_TALLIES * ITEMS], sums[ITEMS];
    const uint item = get_local_id(0);
    const uint tile_x = get_group_id(0), tile_y = get_group_id(1);
    const uint block_z = get_group_id(2);
    uint tally[N_TALLIES] = {0, 0, 0, 0, 0, 0, 0};

    region r;
    r.pixels = pixels;
    r.shape = (uint3)((uint)shape.x, (uint)shape.y, (uint)shape.z);
    r.pitch = shape.w;
    r.slice = shape.y * shape.w;
    r.x = (tile_x * TILE_COLUMNS + item % TILE_COLUMNS) * UNIT_X;
    r.y = (tile_y * TILE_ROWS + item / TILE_COLUMNS % TILE_ROWS) * ITEM_Y;
    r.z = (block_z * TILE_LAYERS + item / (TILE_COLUMNS * TILE_ROWS)) * ITEM_Z;
    const uint columns = r.shape.x - r.x;
    r.columns = columns < UNIT_X ? first_columns(columns) : ALL_COLUMNS;
    items[item] = r.x < r.shape.x ? count_item(&r, make_test(rule), tally) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);

#if BOX_AXES == 3
    if (item < N_BOXES_16) {
        uint code = join_items(items, item % 4, item / 4 % 4, item / 16);
        boxes_16[item] = code;
        tally[4] = count(code);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#endif

    if (item < N_BOXES_32) {
        uint code = join_boxes(boxes_16, 2 * COLUMNS_32, 2 * COLUMNS_32, item % COLUMNS_32,
                               item / COLUMNS_32 % COLUMNS_32,
                               item / (COLUMNS_32 * COLUMNS_32));
        boxes_32[item] = code;
        tally[5] = count(code);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (item < N_BLOCKS) {
        uint code = join_boxes(boxes_32, COLUMNS_32, COLUMNS_32, item % TILE_BLOCKS,
                               item / TILE_BLOCKS, 0);
        ulong n_x = (shape.x + BLOCK - 1) / BLOCK, n_y = (shape.y + BLOCK - 1) / BLOCK;
        ulong x = (ulong)tile_x * TILE_BLOCKS + item % TILE_BLOCKS;
        ulong y = (ulong)tile_y * TILE_BLOCKS + item / TILE_BLOCKS;
        if (x < n_x && y < n_y)
            blocks[(block_z * n_y + y) * n_x + x] = (code & 1) | (code >> PAIR & 1) << 1;
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
        ulong tile = ((ulong)block_z * get_num_groups(1) + tile_y) * get_num_groups(0);
        counts[(tile + tile_x) * N_TALLIES + item] = sum;
    }
}
