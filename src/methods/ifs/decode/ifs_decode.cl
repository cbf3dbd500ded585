/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The decoder of fractal streams, an item for each pixel, in whole numbers: FORMAT.md,
 * "Decoding". All values are in 1/64 of a grey level. Compiled behind ocl_group.cl.
 *
 * A transform is eight numbers: x and y (of leaves), domain_x, domain_y and side at the coded
 * size, the symmetry, k (0: no domain) and the mean (of blocks). */

#define PARTS 16 /* of a group, which are summed first */

/* Where pixel (y, x) of a turned block is found: rugi_ifs_isometry_place(). */
static int2 turned(int symmetry, int n, int y, int x)
{
    const int up = n - 1 - y, left = n - 1 - x;
    switch (symmetry) {
    case 1: return (int2)(x, up);
    case 2: return (int2)(up, left);
    case 3: return (int2)(left, y);
    case 4: return (int2)(y, left);
    case 5: return (int2)(up, x);
    case 6: return (int2)(x, y);
    case 7: return (int2)(left, up);
    default: return (int2)(y, x);
    }
}

static int scaled(int value, uint up, uint down)
{
    return value << up >> down;
}

/* A pixel of a turned domain: as it lies, or the sum of 2 x 2 pixels.
 * @param place  of the domain's first pixel: row, column */
static int domain_pixel(__global const int *from, ulong from_nx, int2 place, int2 pixel,
                       uint is_shrunk)
{
    if (!is_shrunk)
        return from[(ulong)(place.x + pixel.x) * from_nx + (ulong)(place.y + pixel.y)];
    const ulong at =
        (ulong)(place.x + 2 * pixel.x) * from_nx + (ulong)(place.y + 2 * pixel.y);
    return from[at] + from[at + 1] + from[at + from_nx] + from[at + from_nx + 1];
}

/* A pixel of a plane whose edges domains go round; they are at most as large as it.
 * @param size  of the plane: pixels a row, rows */
static int around(__global const int *from, ulong2 size, ulong row, ulong column)
{
    row = row < size.y ? row : row - size.y;
    return from[row * size.x + (column < size.x ? column : column - size.x)];
}

/* domain_pixel() of a domain that may go round. */
static int pixel_around(__global const int *from, ulong2 size, int2 place, int2 pixel,
                       uint is_shrunk)
{
    const int2 at = place + (is_shrunk ? 2 * pixel : pixel);
    const ulong row = (ulong)at.x, column = (ulong)at.y;
    const int value = around(from, size, row, column);
    return !is_shrunk ? value
                      : value + around(from, size, row, column + 1) +
                            around(from, size, row + 1, column) +
                            around(from, size, row + 1, column + 1);
}

/* Means of domains. One group for each transform.
 * @param first      transform
 * @param scale      of sides: left shift, right shift; of places of domains: both
 * @param from_size  pixels a row, rows
 * @param means      [transform] of pixels, or of sums of 2 x 2 pixels, rounded */
__kernel GROUP void ifs_means(__global const int8 *transforms, uint first, uint4 scale,
                              uint is_shrunk, __global const int *from, ulong2 from_size,
                              __global int *means)
{
    __local long sums[ITEMS], parts[PARTS];
    const uint item = get_local_id(0), at = first + get_group_id(0);
    const int8 t = transforms[at];
    const int n = scaled(t.s4, scale.x, scale.y);
    const uint side = t.s6 == 0 ? 0 : (uint)(is_shrunk ? 2 * n : n);
    const ulong row = (ulong)scaled(t.s3, scale.z, scale.w);
    const ulong column = (ulong)scaled(t.s2, scale.z, scale.w);
    long sum = 0;
    for (uint i = item; i < side * side; i += ITEMS)
        sum += around(from, from_size, row + i / side, column + i % side);
    sums[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = item; k < PARTS; k += ITEMS) {
        long part = 0;
        for (uint i = k; i < ITEMS; i += PARTS)
            part += sums[i];
        parts[k] = part;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) {
        const long pixels = (long)n * n;
        long all = pixels / 2;
        for (uint k = 0; k < PARTS; k++)
            all += parts[k];
        means[at] = (int)((all < 0 ? all - pixels + 1 : all) / pixels);
    }
}

/* One pass of a tree.
 * @param map        [map_nx] the leaf of each 4 x 4 pixels of the coded size
 * @param scale      as of ifs_means
 * @param first, nx  pixel; pixels of a row
 * @param end        behind the last pixel
 * @param base, out  [pixel]; may be the same
 * @param bounds     least and largest value */
__kernel GROUP void ifs_tree_pixels(__global const int8 *transforms,
                                   __global const int *means, __global const uint *map,
                                   ulong map_nx, uint4 scale, uint is_shrunk,
                                   __global const int *from, ulong from_nx,
                                   __global const int *base, __global int *out,
                                   ulong first, ulong nx, ulong end, int2 bounds)
{
    const ulong i = first + get_global_id(0);
    if (i >= end)
        return;
    const int y = (int)(i / nx), x = (int)(i % nx);
    const ulong row = (ulong)(y << scale.y >> scale.x >> 2);
    const ulong column = (ulong)(x << scale.y >> scale.x >> 2);
    const uint leaf = map[row * map_nx + column];
    const int8 t = transforms[leaf];
    const int n = scaled(t.s4, scale.x, scale.y);
    int value = base[i];
    if (t.s6 != 0 && n > 1) { /* a block of one pixel is its mean */
        const int2 pixel = turned(t.s5, n, y - scaled(t.s1, scale.x, scale.y),
                                 x - scaled(t.s0, scale.x, scale.y));
        const int2 place =
            (int2)(scaled(t.s3, scale.z, scale.w), scaled(t.s2, scale.z, scale.w));
        const int d = domain_pixel(from, from_nx, place, pixel, is_shrunk) - means[leaf];
        const uint shift = is_shrunk ? 5 : 3;
        value = clamp(value + ((t.s6 * d + (1 << (shift - 1))) >> shift), bounds.x,
                      bounds.y);
    }
    out[i] = value;
}

/* One pass of blocks of one size: all grids.
 * @param shape  nx, ny of out, side of a block there, grids (1 or 4) */
__kernel GROUP void ifs_block_pixels(__global const int8 *transforms,
                                    __global const int *means, uint4 scale,
                                    uint is_shrunk, __global const int *from,
                                    ulong2 from_size, __global int *out, ulong first,
                                    ulong end, uint4 shape, int2 bounds)
{
    const ulong i = first + get_global_id(0);
    if (i >= end)
        return;
    const uint nx = shape.x, ny = shape.y, n = shape.z;
    const uint y = (uint)(i / nx), x = (uint)(i % nx), shift = is_shrunk ? 8 : 6;
    int sum = 0;
    for (uint grid = 0; grid < shape.w; grid++) {
        const uint row = (y + ny - grid / 2 * (n / 2)) % ny;
        const uint column = (x + nx - grid % 2 * (n / 2)) % nx;
        const uint at = (grid * (ny / n) + row / n) * (nx / n) + column / n;
        const int8 t = transforms[at];
        int value = t.s7;
        if (t.s6 != 0) {
            const int2 pixel = turned(t.s5, (int)n, (int)(row % n), (int)(column % n));
            const int2 place =
                (int2)(scaled(t.s3, scale.z, scale.w), scaled(t.s2, scale.z, scale.w));
            const int d =
                pixel_around(from, from_size, place, pixel, is_shrunk) - means[at];
            value += (int)(((long)t.s6 * d + (1 << (shift - 1))) >> shift);
        }
        sum += clamp(value, bounds.x, bounds.y);
    }
    out[i] = shape.w == 1 ? sum : (sum + 2) >> 2;
}
