/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Local binary patterns of a part of an image, after lbp_pixels.cl and lbp_codes.cl. A group
 * has pixels side by side, and rows_each rows of them for each row of items. Built without
 * contraction, so that codes are those of the processor bit for bit. */

#define OUTPUT_CODES 1U
#define OUTPUT_BINS  2U
#define OUTPUT_COUNT 4U
#define OUTPUT_TALLY 8U /* counts go by way of local memory */

#define DECIMAL 100000 /* weights of the decimal rules are multiples of 1 / DECIMAL */

/* A centre as samples are compared with it. scikit-image looks at the sign of sample -
 * centre, which is NaN between infinities of one sign: no sample reaches a centre of
 * infinity, and only finite ones and infinity that of its negative. */
static sample scale(value centre)
{
#if RULE == RULE_DECIMAL_INTEGER || RULE == RULE_DECIMAL_REAL
    return DECIMAL * (DECIMAL * (sample)centre);
#elif RULE == RULE_SKIMAGE && (PIXEL == PIXEL_F32 || PIXEL == PIXEL_F64)
    return !isinf(centre) ? centre : centre > 0 ? (sample)NAN : -DBL_MAX;
#else
    return centre;
#endif
}

/* Between two pixels, or two samples of rows. By scikit-image's rule the weight is that of
 * the second one, and the order of operations is its own; else it is a step. */
static sample between(sample from, sample to, sample w)
{
#if RULE == RULE_SKIMAGE
    return (1 - w) * from + w * to;
#elif RULE == RULE_FLOAT
    return from + w * (to - from);
#else
    return DECIMAL * from + w * (to - from);
#endif
}

/* The weight along an axis: by scikit-image's rule from the absolute coordinate.
 * @param at    of the centre in the image
 * @param pixel  the lower pixel of the point, from the centre */
#if RULE == RULE_SKIMAGE
#define WEIGHT(at, pixel, w) (((double)(at) + (w)) - ((double)(at) + (pixel)))
#else
#define WEIGHT(at, pixel, w) (w)
#endif

/* The sample of one point of the circle.
 * @param row, column  of the centre in the picture
 * @param at           the centre in the whole image: column and row
 * @param around       the rows above and below the point and the columns left and right of
 *                     it, from the centre
 * @param w            of the row and the column */
static sample sample_at(PICTURE_PARAMS, int row, int column, ulong2 at, int4 around,
                        weight w)
{
#if RULE == RULE_HARDWARE
    return filtered_at(pixels, row, column, w);
#else
    sample a = PIXEL_AT(row + around.s0, column + around.s2);
#if RULE == RULE_NEAREST
    return a;
#else
    sample b = PIXEL_AT(row + around.s0, column + around.s3);
    sample c = PIXEL_AT(row + around.s1, column + around.s2);
    sample d = PIXEL_AT(row + around.s1, column + around.s3);
    sample w_column = WEIGHT(at.x, around.s2, w.y);
    return between(between(a, b, w_column), between(c, d, w_column),
                   WEIGHT(at.y, around.s0, w.x));
#endif
#endif
}

/* What is known of one pixel. */
typedef struct seen {
    uint pattern;
#if VARIANCE
    double variance; /* Ojala et al. 2002, equation 14, divided by the number of samples */
#endif
} seen;

static seen look(PICTURE_PARAMS, int row, int column, ulong2 at, uint n_points,
                 __constant int4 *around, __constant weight *weights)
{
    const sample centre = scale(PIXEL_AT(row, column));
    seen s;
    s.pattern = 0;
#if VARIANCE
    double sum = 0, squares = 0;
#endif
    for (uint i = 0; i < n_points; i++) {
        sample v = sample_at(PICTURE_ARGS, row, column, at, around[i], weights[i]);
        s.pattern |= (uint)(v >= centre) << i;
#if VARIANCE
        sum += (double)v;
        squares += (double)v * (double)v;
#endif
    }
#if VARIANCE
    const double n = n_points;
    s.variance = (squares - sum * sum / n) / n;
#endif
    return s;
}

/* The code of a pixel is written; @return its bin.
 * @param is_coded  0: it has no code
 * @param ranks     numbers of rotations, when there are bins of ROR */
static uint put_pixel(task t, seen s, int is_coded, size_t i, __global uchar *codes,
                      __global const uint *ranks, __global const double_or_none *cuts)
{
    const uint code = code_of(t.method, t.points, s.pattern);
    uint bin = t.method == ROR && (t.outputs & ~OUTPUT_CODES) ? ranks[code] : code;
#if VARIANCE
    if (t.outputs & ~OUTPUT_CODES) {
        uint of_cuts = variance_bin(cuts, t.n_cuts, s.variance);
        bin = t.method == VAR ? of_cuts : bin * (t.n_cuts + 1) + of_cuts;
        if (isnan(s.variance))
            bin = NO_BIN;
    }
    if (t.method == VAR && (t.outputs & OUTPUT_CODES))
        ((__global double *)codes)[i] =
            is_coded && s.variance != 0 ? s.variance : as_double(0x7ff8000000000000UL);
#endif
    if (t.method != VAR && (t.outputs & OUTPUT_CODES))
        put_code(codes, i, t.code_bytes, is_coded ? code : t.no_code);
    return is_coded ? bin : NO_BIN;
}

/* @param origin  where the pixels that are here begin in the whole image, column and row
 * @param around  [points] pixels around each point of the circle
 * @param weights [points]
 * @param codes   [height][width] of code_bytes each
 * @param bins    [height][width]
 * @param counts  of all operators; those of this one begin at first_bin
 * @param tally   [n_bins] in local memory
 * @param tile    room for the pixels that a group sees */
__kernel void lbp(SOURCE pixels, task t, ulong2 origin, __constant int4 *around,
                  __constant weight *weights, __global const uint *ranks,
                  __global const double_or_none *cuts, __global uchar *codes,
                  __global uint *bins, volatile __global uint *counts,
                  volatile __local uint *tally, __local value *tile)
{
    const int item = get_local_id(1) * get_local_size(0) + get_local_id(0);
    const int n_items = get_local_size(0) * get_local_size(1);
    const int n_rows = get_local_size(1) * t.rows_each; /* of a group */
    const int first_x = get_group_id(0) * get_local_size(0);
    const int first_y = get_group_id(1) * n_rows;
    if (t.outputs & OUTPUT_TALLY)
        for (uint i = item; i < t.n_bins; i += n_items)
            tally[i] = 0;
#if PICTURE == PICTURE_TILE
    const int pitch = get_local_size(0) + t.before + t.behind;
    load_tile(tile, pitch, n_rows + t.above + t.below, pixels, t,
              t.y + first_y - t.above, t.x + first_x - t.before);
    const int to_row = t.above - first_y, to_column = t.before - first_x;
#else
    const int rows = t.rows, columns = t.columns;
    const int to_row = t.y, to_column = t.x;
#endif
    barrier(CLK_LOCAL_MEM_FENCE);

    const int x = first_x + get_local_id(0);
    for (int k = 0; k < t.rows_each; k++) {
        const int y = first_y + k * get_local_size(1) + get_local_id(1);
        if (x >= t.width || y >= t.height)
            continue;
        const ulong2 at = origin + (ulong2)(t.x + x, t.y + y);
        seen s = look(PICTURE_ARGS, to_row + y, to_column + x, at, t.points, around,
                      weights);
        const int is_coded =
            x >= t.first_x && x < t.end_x && y >= t.first_y && y < t.end_y;
        const size_t i = (size_t)y * t.width + x;
        const uint bin = put_pixel(t, s, is_coded, i, codes, ranks, cuts);
        if (t.outputs & OUTPUT_BINS)
            bins[i] = bin;
        if (bin == NO_BIN)
            continue;
        if (t.outputs & OUTPUT_TALLY)
            atomic_inc(tally + bin);
        else if (t.outputs & OUTPUT_COUNT)
            atomic_inc(counts + t.first_bin + bin);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (t.outputs & OUTPUT_TALLY)
        for (uint i = item; i < t.n_bins; i += n_items)
            if (tally[i] != 0)
                atomic_add(counts + t.first_bin + i, tally[i]);
}
