/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Pixels as integers, before boxcount_pyramid.cl or boxcount_mukundan.cl. Built once for
 * each dtype and number of axes: PIXEL_TYPE is the number of a rug_dtype (u8 for i8 and so
 * on, since the rule does not see the sign), BOX_AXES is 2 or 3.
 *
 * All kernels begin with the same arguments:
 *   pixels  a brick: a part of an image, of whole blocks of 64 pixels but at its end
 *   shape  pixels along x, y, z, and bytes from row to row, a multiple of 16 pixels
 *   rule   lo, span, outside: a pixel v is set when ((v - lo) mod 2^bits <= span) differs
 *          from outside. RUG_BIT: lo and span are 0xffff where 0 and 1 are set, else 0
 *
 * Floating point is compared as integers in the same order, so that doubles need no
 * device that computes with them: where the sign is set, the bits below it are turned
 * over. */

#define TYPE_BIT 0
#define TYPE_U8  1
#define TYPE_U16 3
#define TYPE_U64 7
#define TYPE_F32 9
#define TYPE_F64 10
#define IS_REAL  (PIXEL_TYPE == TYPE_F32 || PIXEL_TYPE == TYPE_F64)

#if PIXEL_TYPE == TYPE_BIT || PIXEL_TYPE == TYPE_U8
typedef uchar pixel;
#elif PIXEL_TYPE == TYPE_U16
typedef ushort pixel;
#elif PIXEL_TYPE == TYPE_U64 || PIXEL_TYPE == TYPE_F64
typedef ulong pixel;
typedef ulong4 pixels4;
#define AS_PIXELS     as_ulong4
#define AS_SIGNED    as_long
#define AS_SIGNED4   as_long4
#define SIGN_SHIFT   63
#define BELOW_SIGN   0x7fffffffffffffffUL
#define KEY_LEAST    0x800fffffffffffffUL /* of minus infinity */
#define KEYS_SPAN    0xffe0000000000001UL /* from there to plus infinity */
#else
typedef uint pixel;
typedef uint4 pixels4;
#define AS_PIXELS     as_uint4
#define AS_SIGNED    as_int
#define AS_SIGNED4   as_int4
#define SIGN_SHIFT   31
#define BELOW_SIGN   0x7fffffffU
#define KEY_LEAST    0x807fffffU
#define KEYS_SPAN    0xff000001U
#endif
