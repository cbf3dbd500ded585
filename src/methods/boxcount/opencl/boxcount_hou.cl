/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The method HOU after Jimenez and Ruiz de Miras (2013): keys of cells, and the scan of
 * sorted keys. Built once for each width of keys (KEY_BITS 32 or 64) and of places
 * (PLACE_BITS 32 or 64), and each shape of launch (IS_WIDE).
 *
 * Each group has one run of the n things at hand, an equal share; where it has many items
 * (IS_WIDE) neighbours take neighbours of it in turns, else its only item takes them all.
 *
 * A layout is [axis][65]: how many bits the axis has, and which bit of a key each is. Its
 * tables are [axis][byte of a place][256]: what the bits of the byte are in a key. */

#define LAYOUT_AXIS 65
#define TABLES_AXIS (PLACE_BITS / 8 * 256)

#if KEY_BITS == 64
typedef ulong key;
#else
typedef uint key;
#endif

#if PLACE_BITS == 64
typedef ulong place;
#else
typedef uint place;
#endif

#define SHARE_BEGIN(n, group) ((ulong)(n) * (group) / get_num_groups(0))

#define FOR_SHARE(i, n)                                                       \
    for (ulong i = SHARE_BEGIN(n, get_group_id(0)) + get_local_id(0),         \
               share_end = SHARE_BEGIN(n, get_group_id(0) + 1);               \
         i < share_end; i += get_local_size(0))

static key spread(ulong v, __constant const uchar *axis, __global const key *tables)
{
    key k = 0;
    for (uint b = 0; b < axis[0]; b += 8)
        k |= tables[b * 32 + (uint)(v >> b & 255)];
    return k;
}

static ulong gather(key k, __constant const uchar *axis)
{
    ulong v = 0;
    for (uint b = 0; b < axis[0]; b++)
        v |= (ulong)(k >> axis[1 + b] & 1) << b;
    return v;
}

/* Interleaves the bits of places, which count from the base of their axis.
 * @param places  [axis][n]
 * @param first   where the keys go */
__kernel void hou_keys(__global const place *places, ulong n, uint axes,
                       __constant const uchar *layout, __global const key *tables,
                       __global key *keys, ulong first)
{
    FOR_SHARE(i, n)
    {
        key k = 0;
        for (uint a = 0; a < axes; a++)
            k |= spread(places[a * n + i], layout + a * LAYOUT_AXIS,
                        tables + a * TABLES_AXIS);
        keys[first + i] = k;
    }
}

/* ---- Cells of packed images ---- */

/* @param counts  n + 1, the last of which becomes 0: their exclusive sums say where the
 *                cells of words go */
__kernel void hou_count_cells(__global const ulong *words, ulong n, __global uint *counts)
{
    FOR_SHARE(i, n + 1) counts[i] = i < n ? (uint)popcount(words[i]) : 0;
}

/* The keys of the lowest n cells of a word.
 * @param at     the word's place among all words of the image
 * @param shape  words of a row, rows of a slice */
static void put_word(ulong word, ulong at, uint n, ulong2 shape, uint axes,
                     __constant const uchar *layout, __global const key *tables,
                     __global key *keys)
{
    ulong row = at / shape.x, column = at % shape.x;
    uint x = axes - 1, y = axes - 2;
    key rest = spread(row % shape.y, layout + y * LAYOUT_AXIS, tables + y * TABLES_AXIS);
    if (axes == 3)
        rest |= spread(row / shape.y, layout, tables);
    for (uint i = 0; i < n; i++, word &= word - 1) {
        ulong cell = column * 64 + 63 - clz(word & -word);
        keys[i] = rest | spread(cell, layout + x * LAYOUT_AXIS, tables + x * TABLES_AXIS);
    }
}

/* Keys of the cells of some words of an image. An item alone takes an equal share of the
 * cells, wherever they are: it looks for the word that its first one lies in.
 * @param sums        of hou_count_cells(), so that sums[n] is the number of cells
 * @param first_word  of these words among those of the image
 * @param first       where the keys go */
__kernel void hou_cells(__global const ulong *words, ulong n, __global const uint *sums,
                        ulong first_word, ulong2 shape, uint axes,
                        __constant const uchar *layout, __global const key *tables,
                        __global key *keys, ulong first)
{
#if IS_WIDE
    FOR_SHARE(i, n)
    if (sums[i + 1] > sums[i])
        put_word(words[i], first_word + i, sums[i + 1] - sums[i], shape, axes, layout,
                 tables, keys + first + sums[i]);
#else
    ulong at = SHARE_BEGIN(sums[n], get_group_id(0));
    const ulong end = SHARE_BEGIN(sums[n], get_group_id(0) + 1);
    ulong low = 0, high = n;
    while (low < high) { /* the first word that ends behind it */
        ulong middle = (low + high) / 2;
        if (sums[middle + 1] <= at)
            low = middle + 1;
        else
            high = middle;
    }
    for (ulong w = low; at < end; w++) {
        ulong word = words[w];
        for (ulong before = sums[w]; before < at; before++)
            word &= word - 1;
        ulong last = min((ulong)sums[w + 1], end);
        put_word(word, first_word + w, (uint)(last - at), shape, axes, layout, tables,
                 keys + first + at);
        at = last;
    }
#endif
}

/* ---- The scan ---- */

/* Keys that differ first in bit b from the one before, and that end a full set of 2^b. */
#define N_FULL    32
#define N_TALLIES (KEY_BITS + N_FULL)

/* The bits of the largest full set that ends with key i; 0: there is none. Keys are
 * distinct and ascending, so that 2^b of them follow each other when the first lies as far
 * below the last as it comes before it.
 * @param axes, most  sets of axes, 2 axes ... most bits are asked for; most < N_FULL */
static uint full_bits(__global const key *keys, ulong i, key k, uint axes, uint most)
{
    uint bits = 0;
    for (uint b = axes; b <= most; b += axes) {
        key low = ((key)1 << b) - 1;
        if ((k & low) != low || low > i || keys[i - low] != k - low)
            break;
        bits = b;
    }
    return bits;
}

#if IS_WIDE
/* Neighbours count in other lanes, so that fewer of them wait for each other. */
#define LANES           8
#define TALLY           __local uint
#define COUNT(tally, t) atomic_inc(&(tally)[(t)*LANES])
#else
#define TALLY           uint
#define COUNT(tally, t) (tally)[t]++
#endif

static void scan_share(__global const key *keys, ulong n, uint axes, uint most,
                       TALLY *tally)
{
    FOR_SHARE(i, n)
    {
        key k = keys[i];
        key differ = i > 0 ? k ^ keys[i - 1] : 0;
        uint full = full_bits(keys, i, k, axes, most);
        if (differ != 0)
            COUNT(tally, KEY_BITS - 1 - clz(differ));
        if (full != 0)
            COUNT(tally, KEY_BITS + full);
    }
}

/* Sets of 2^b keys begin where a key differs from the one before in bit b or above (Hou,
 * Gilmore, Mindlin and Solari 1990).
 * @param keys    ascending; distinct where full sets are asked for (most > 0)
 * @param counts  [group][N_TALLIES] */
__kernel void hou_scan(__global const key *keys, ulong n, uint axes, uint most,
                       __global uint *counts)
{
    __global uint *out = counts + get_group_id(0) * N_TALLIES;
#if IS_WIDE
    __local uint tallies[N_TALLIES * LANES];
    for (uint t = get_local_id(0); t < N_TALLIES * LANES; t += get_local_size(0))
        tallies[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    scan_share(keys, n, axes, most, tallies + get_local_id(0) % LANES);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint t = get_local_id(0); t < N_TALLIES; t += get_local_size(0)) {
        uint sum = 0;
        for (uint lane = 0; lane < LANES; lane++)
            sum += tallies[t * LANES + lane];
        out[t] = sum;
    }
#else
    uint tally[N_TALLIES];
    for (uint t = 0; t < N_TALLIES; t++)
        tally[t] = 0;
    scan_share(keys, n, axes, most, tally);
    for (uint t = 0; t < N_TALLIES; t++)
        out[t] = tally[t];
#endif
}

/* ---- Sizes with an odd part ---- */

/* Whether a run of so many equal keys begins here. */
static uint is_run(__global const key *keys, ulong n, ulong i, ulong length)
{
    return (i == 0 || keys[i] != keys[i - 1]) && length <= n - i &&
           keys[i + length - 1] == keys[i];
}

/* @param flags  n + 1, the last of which becomes 0: their exclusive sums say where the
 *               keys of runs go, and how many there are */
__kernel void hou_flag_runs(__global const key *keys, ulong n, ulong length,
                            __global uint *flags)
{
    FOR_SHARE(i, n + 1) flags[i] = i < n ? is_run(keys, n, i, length) : 0;
}

__kernel void hou_take_runs(__global const key *keys, ulong n, ulong length,
                            __global const uint *sums, __global key *out)
{
    FOR_SHARE(i, n)
    if (is_run(keys, n, i, length))
        out[sums[i]] = keys[i];
}

/* As rugi_box_place(), for sizes above 1. */
static ulong box_place(ulong at, ulong zero, ulong size)
{
    const ulong box_zero = 1UL << 63;
    return at >= zero ? box_zero + (at - zero) / size
                      : box_zero - 1 - (zero - 1 - at) / size;
}

/* The keys of the boxes that hold cells, from the keys of the cells.
 * @param layouts  of the cells, and behind it that of the boxes
 * @param tables   of the boxes
 * @param bases    [axis][2]: the places that count as 0, of cells and of boxes */
__kernel void hou_boxes(__global const key *keys, ulong n, uint axes,
                        __constant const uchar *layouts, __global const key *tables,
                        __constant const ulong *bases, ulong zero, ulong size,
                        __global key *boxes)
{
    FOR_SHARE(i, n)
    {
        key cell = keys[i], box = 0;
        for (uint a = 0; a < axes; a++) {
            ulong at = bases[2 * a] + gather(cell, layouts + a * LAYOUT_AXIS);
            ulong v = box_place(at, zero, size) - bases[2 * a + 1];
            box |= spread(v, layouts + (axes + a) * LAYOUT_AXIS,
                          tables + a * TABLES_AXIS);
        }
        boxes[i] = box;
    }
}
