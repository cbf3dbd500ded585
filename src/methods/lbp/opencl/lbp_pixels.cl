/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* How the kernel sees pixels, before lbp_codes.cl and lbp.cl. Built with
 *   PICTURE  where samples are taken from: a tile in local memory with the halo that the
 *            circle reaches, the buffer itself, or an image object (the two kernels of
 *            Bianda 2018, and what is left where circles are too large for a tile)
 *   PIXEL     the type of a pixel in memory
 *   RULE     the arithmetic: the rules of rug_lbp_exact, that of decimal weights for
 *            integers and for others; or the nearest pixel, or what the device's hardware
 *            interpolates in an image object
 *   VARIANCE 1 when the variance of the samples is wanted
 *
 * A value is a pixel as it is computed with, a sample what is compared, a weight what
 * belongs to a point of the circle. */

/* Of lbp_opencl.h, and of pixels the numbers of rug_dtype. */
#define PICTURE_TILE  1
#define PICTURE_PIXELS 2
#define PICTURE_IMAGE 3

#define PIXEL_U8  1
#define PIXEL_U16 3
#define PIXEL_I16 4
#define PIXEL_F32 9
#define PIXEL_F64 10

#define RULE_SKIMAGE         0
#define RULE_DECIMAL_INTEGER 1
#define RULE_DECIMAL_REAL    2
#define RULE_FLOAT           3
#define RULE_NEAREST         4
#define RULE_HARDWARE        5

#if RULE == RULE_SKIMAGE || RULE == RULE_DECIMAL_REAL || VARIANCE || PIXEL == PIXEL_F64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#if PIXEL == PIXEL_U8
typedef uchar pixel;
#elif PIXEL == PIXEL_U16
typedef ushort pixel;
#elif PIXEL == PIXEL_I16
typedef short pixel;
#elif PIXEL == PIXEL_F32
typedef float pixel;
#else
typedef double pixel;
#endif

#if RULE == RULE_SKIMAGE || RULE == RULE_DECIMAL_REAL
typedef double value;
typedef double sample;
typedef double2 weight;
#elif RULE == RULE_DECIMAL_INTEGER
typedef int value;
typedef long sample;
typedef int2 weight;
#elif RULE == RULE_FLOAT || RULE == RULE_HARDWARE || \
    (RULE == RULE_NEAREST && PIXEL == PIXEL_F32)
typedef float value;
typedef float sample;
typedef float2 weight;
#elif RULE == RULE_NEAREST && PIXEL == PIXEL_F64
typedef double value;
typedef double sample;
typedef double2 weight;
#else
typedef int value;
typedef int sample;
typedef int2 weight;
#endif

#if VARIANCE
typedef double double_or_none;
#else
typedef uint double_or_none; /* there are no cuts */
#endif

/* What a kernel is to do; the struct of lbp_opencl.h. Columns go along x. */
typedef struct task {
    int columns, rows;                  /* of the pixels that are here */
    int x, y, width, height;            /* of them, the pixels */
    int first_x, end_x, first_y, end_y; /* of the pixels, those that have a code */
    int before, behind, above, below;   /* how far the circle reaches */
    int rows_each;                      /* of an item */
    uint points, method;
    uint outputs, code_bytes, no_code;
    uint n_cuts, n_bins, first_bin;
} task;

/* PIXEL_AT(): a pixel of the picture that samples are taken from; outside of the image it is
 * 0. PICTURE_PARAMS is the picture as parameters of a function, PICTURE_ARGS as arguments. */
#define PIXEL_AT(row, column) pixel_at(PICTURE_ARGS, row, column)

#if PICTURE == PICTURE_IMAGE

#define SOURCE         __read_only image2d_t
#define PICTURE_PARAMS __read_only image2d_t pixels
#define PICTURE_ARGS   pixels

/* Not the hardware's interpolation, whose weights have 8 bits, unless that is asked for. */
__constant sampler_t one_pixel =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

static value pixel_at(PICTURE_PARAMS, int row, int column)
{
#if PIXEL == PIXEL_F32 || RULE == RULE_HARDWARE
    return (value)read_imagef(pixels, one_pixel, (int2)(column, row)).x;
#elif PIXEL == PIXEL_I16
    return (value)read_imagei(pixels, one_pixel, (int2)(column, row)).x;
#else
    return (value)read_imageui(pixels, one_pixel, (int2)(column, row)).x;
#endif
}

#if RULE == RULE_HARDWARE

__constant sampler_t four_pixels =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;

/* Bilinear by the device. The centre of a pixel lies at its number + 0.5; offsets are
 * multiples of 1/256 and images have up to 2^15 pixels along an axis, so that sums are exact. */
static value filtered_at(__read_only image2d_t pixels, int row, int column, float2 offset)
{
    const float2 at = (float2)(column, row) + (offset.yx + 0.5f);
    return read_imagef(pixels, four_pixels, at).x;
}

/* Whether the device does it: samples of two pixels, at each quarter of the way. */
__kernel void filter_quarters(__read_only image2d_t pixels, __global float *out)
{
    const int i = get_global_id(0);
    out[i] = filtered_at(pixels, 0, 0, (float2)(0, 0.25f * i));
}

#endif

#else

#define SOURCE __global const pixel *

static value pixel_of_buffer(__global const pixel *pixels, int rows, int columns, int row,
                            int column)
{
    if (row < 0 || row >= rows || column < 0 || column >= columns)
        return 0;
    return (value)pixels[(size_t)row * columns + column];
}

#if PICTURE == PICTURE_TILE

#define PICTURE_PARAMS __local const value *tile, int pitch
#define PICTURE_ARGS   tile, pitch

static value pixel_at(PICTURE_PARAMS, int row, int column)
{
    return tile[row * pitch + column];
}

/* Loads the tile of a group, each pixel once.
 * @param row, column  of its first pixel; may lie outside */
static void load_tile(__local value *tile, int pitch, int tile_rows,
                      __global const pixel *pixels, task t, int row, int column)
{
    for (int r = get_local_id(1); r < tile_rows; r += get_local_size(1))
        for (int c = get_local_id(0); c < pitch; c += get_local_size(0))
            tile[r * pitch + c] =
                pixel_of_buffer(pixels, t.rows, t.columns, row + r, column + c);
}

#else

#define PICTURE_PARAMS __global const pixel *pixels, int rows, int columns
#define PICTURE_ARGS   pixels, rows, columns

static value pixel_at(PICTURE_PARAMS, int row, int column)
{
    return pixel_of_buffer(pixels, rows, columns, row, column);
}

#endif
#endif
