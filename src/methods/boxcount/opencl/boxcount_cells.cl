/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Cells as integers, before boxcount_pyramid.cl or boxcount_mukundan.cl. Built once for
 * each dtype and number of axes: CELL_TYPE is the number of a rug_dtype (u8 for i8 and so
 * on, since the rule does not see the sign), BOX_AXES is 2 or 3.
 *
 * All kernels begin with the same arguments:
 *   cells  a brick: a part of an image, of whole blocks of 64 cells but at its end
 *   shape  cells along x, y, z, and bytes from row to row, a multiple of 16 cells
 *   rule   lo, span, outside: a cell v is set when ((v - lo) mod 2^bits <= span) differs
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
#define IS_REAL  (CELL_TYPE == TYPE_F32 || CELL_TYPE == TYPE_F64)

#if CELL_TYPE == TYPE_BIT || CELL_TYPE == TYPE_U8
typedef uchar cell;
#elif CELL_TYPE == TYPE_U16
typedef ushort cell;
typedef ushort16 cells16;
#define AS_CELLS as_ushort16
#elif CELL_TYPE == TYPE_U64 || CELL_TYPE == TYPE_F64
typedef ulong cell;
typedef ulong16 cells16;
#define AS_CELLS     as_ulong16
#define AS_SIGNED    as_long
#define AS_SIGNED16  as_long16
#define SIGN_SHIFT   63
#define BELOW_SIGN   0x7fffffffffffffffUL
#define KEY_LEAST    0x800fffffffffffffUL /* of minus infinity */
#define KEYS_SPAN    0xffe0000000000001UL /* from there to plus infinity */
#else
typedef uint cell;
typedef uint16 cells16;
#define AS_CELLS     as_uint16
#define AS_SIGNED    as_int
#define AS_SIGNED16  as_int16
#define SIGN_SHIFT   31
#define BELOW_SIGN   0x7fffffffU
#define KEY_LEAST    0x807fffffU
#define KEYS_SPAN    0xff000001U
#endif

/* The place of each of 16 cells among 16 bits. */
#define COLUMNS16                                                                       \
    (cells16)(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384,     \
              32768)
