/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The kernels of the filters, the same text for each level: plain loops over pixels, of which
 * the compiler makes what the level has. Classes and pixels are whole numbers; the sums of
 * the encoder are single precision over a square and double beyond it, each in the order of
 * pixels, so the levels cannot differ. */

#include "ifs_filter_kernels.h"
#include <string.h>

#define SIDE   RUGI_IFS_FILTER_SIDE
#define EDGE   RUGI_IFS_FILTER_EDGE
#define LEAST  RUGI_IFS_LEAST
#define BLOCK  RUGI_IFS_BLOCK
#define TAPS   RUGI_IFS_FILTER_TAPS
#define LINEAR RUGI_IFS_FILTER_LINEAR
#define VALUES RUGI_IFS_FILTER_VALUES

/* Of a length or distance that is known to the compiler. */
#define INLINE static inline __attribute__((always_inline))

INLINE int32_t size_of(int32_t v)
{
    return v < 0 ? -v : v;
}

/* ---- Classes ---- */

/* Second differences along rows, along columns and along both diagonals. */
enum { ROW, COLUMN, FALLING, RISING, N_SLOPES };

/* They are summed in cells of 4 x 4 pixels, of which each square touches 2 x 2: the grid
 * begins 2 pixels before the root. */
#define CELLS  (SIDE + 1)
#define MARGIN (EDGE - 1)
#define WIDTH  (CELLS * LEAST)

static void sum_cells(int32_t cells[N_SLOPES][CELLS], const int32_t *at)
{
    int32_t sums[N_SLOPES][WIDTH] = {{0}};
    const ptrdiff_t down = RUGI_IFS_FILTER_PITCH;
    for (int y = 0; y < LEAST; y++, at += down)
        for (int x = 0; x < WIDTH; x++) {
            const int32_t *p = at + x;
            int32_t twice = 2 * p[0];
            sums[ROW][x] += size_of(twice - p[-1] - p[1]);
            sums[COLUMN][x] += size_of(twice - p[-down] - p[down]);
            sums[FALLING][x] += size_of(twice - p[-down - 1] - p[down + 1]);
            sums[RISING][x] += size_of(twice - p[-down + 1] - p[down - 1]);
        }
    for (int s = 0; s < N_SLOPES; s++)
        for (int i = 0; i < CELLS; i++) {
            const int32_t *four = sums[s] + LEAST * i;
            cells[s][i] = four[0] + four[1] + four[2] + four[3];
        }
}

/* The kind of a square with these sums: Tsai et al. 2013, with the limit as the unit of
 * activity. */
static uint8_t kind_of(const int32_t sum[N_SLOPES], int32_t limit)
{
    int32_t straight = sum[ROW] + sum[COLUMN], activity = 0;
    while (activity < RUGI_IFS_FILTER_ACTIVITIES - 1 && straight > (24 * (int64_t)limit)
                                                                       << activity)
        activity++;
    int turned = sum[COLUMN] > sum[ROW], mirrored = sum[RISING] > sum[FALLING];
    int64_t most = sum[turned ? COLUMN : ROW], least = sum[turned ? ROW : COLUMN];
    int64_t most_diagonal = sum[mirrored ? RISING : FALLING];
    int64_t least_diagonal = sum[mirrored ? FALLING : RISING];
    int is_diagonal = most_diagonal * least > most * least_diagonal, direction = 0;
    if (is_diagonal) {
        most = most_diagonal;
        least = least_diagonal;
    }
    if (2 * most > 3 * least)
        direction = (is_diagonal ? 1 : 3) + (most > 4 * least);
    int class = activity * RUGI_IFS_FILTER_DIRECTIONS + direction;
    return (uint8_t)(class * RUGI_IFS_FILTER_ORIENTATIONS + 2 * mirrored + turned);
}

static void classify(uint8_t kinds[RUGI_IFS_FILTER_SQUARES],
                     rugi_ifs_filter_window window, int32_t limit)
{
    int32_t cells[CELLS][N_SLOPES][CELLS];
    for (int i = 0; i < CELLS; i++)
        sum_cells(cells[i], &window[LEAST * i + EDGE - MARGIN][EDGE - MARGIN]);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            int32_t sum[N_SLOPES];
            for (int s = 0; s < N_SLOPES; s++)
                sum[s] = cells[y][s][x] + cells[y][s][x + 1] + cells[y + 1][s][x] +
                         cells[y + 1][s][x + 1];
            kinds[y * SIDE + x] = kind_of(sum, limit);
        }
}

/* ---- Taps ---- */

INLINE int32_t limited(int32_t difference, int32_t limit)
{
    int32_t least = difference < -limit ? -limit : difference;
    return least > limit ? limit : least;
}

INLINE int32_t linear(const int32_t *p, ptrdiff_t offset)
{
    return p[offset] + p[-offset] - 2 * p[0];
}

INLINE int32_t bounded(const int32_t *p, ptrdiff_t offset, int32_t limit)
{
    return limited(p[offset] - p[0], limit) + limited(p[-offset] - p[0], limit);
}

/* Of each tap, the differences between a pixel and the pair of pixels that belong to it. */
#define FOR_TAPS(p, limit, use)                    \
    do {                                           \
        const ptrdiff_t d = RUGI_IFS_FILTER_PITCH; \
        use(0, linear(p, 1));                      \
        use(1, linear(p, d));                      \
        use(2, linear(p, d + 1));                  \
        use(3, linear(p, d - 1));                  \
        use(4, linear(p, 2));                      \
        use(5, linear(p, 2 * d));                  \
        use(6, linear(p, 3));                      \
        use(7, linear(p, 3 * d));                  \
        use(8, bounded(p, 1, limit));              \
        use(9, bounded(p, d, limit));              \
        use(10, bounded(p, d + 1, limit));         \
        use(11, bounded(p, d - 1, limit));         \
        use(12, bounded(p, 2, (limit) >> 1));      \
        use(13, bounded(p, 2 * d, (limit) >> 1));  \
    } while (0)

/* ---- Filtering ---- */

/* The taps of a row of squares, for each of its columns. */
static void spread_taps(int32_t taps[TAPS][BLOCK], const uint8_t kinds[SIDE],
                        rugi_ifs_filter_table table)
{
    for (int x = 0; x < SIDE; x++) {
        const int16_t *of_kind = table[kinds[x]];
        for (int t = 0; t < TAPS; t++)
            for (int i = 0; i < LEAST; i++)
                taps[t][LEAST * x + i] = of_kind[t];
    }
}

static void filter_row(int32_t *restrict out, const int32_t *restrict row,
                       int32_t taps[TAPS][BLOCK], int32_t limit)
{
    for (int x = 0; x < BLOCK; x++) {
        const int32_t *p = row + x;
        int32_t sum = 1 << (RUGI_IFS_FILTER_SHIFT - 1);
#define ADD(tap, value) sum += taps[tap][x] * (value)
        FOR_TAPS(p, limit, ADD);
#undef ADD
        out[x] = p[0] + (sum >> RUGI_IFS_FILTER_SHIFT);
    }
}

static void apply(rugi_ifs_filter_root out, rugi_ifs_filter_window window,
                  const uint8_t kinds[RUGI_IFS_FILTER_SQUARES],
                  rugi_ifs_filter_table table, int32_t limit)
{
    int32_t taps[TAPS][BLOCK];
    for (int y = 0; y < BLOCK; y++) {
        if (y % LEAST == 0)
            spread_taps(taps, kinds + y / LEAST * SIDE, table);
        filter_row(out[y], &window[y + EDGE][EDGE], taps, limit);
    }
}

/* ---- Measuring ---- */

typedef float row_values[VALUES][BLOCK];

static void measure_row(row_values values, const int32_t *row, const int32_t *error,
                        int32_t limit)
{
    for (int x = 0; x < BLOCK; x++) {
        const int32_t *p = row + x;
#define PUT(tap, value) values[tap][x] = (float)(value)
        FOR_TAPS(p, limit, PUT);
#undef PUT
        values[TAPS][x] = (float)error[x];
        values[TAPS + 1][x] = 0;
    }
}

/* The values of the pixels of a square, pixel by pixel. @return how many there are */
static int gather(float (*out)[VALUES], row_values *rows, int x, uint32_t n_x,
                  uint32_t n_y)
{
    int n = 0;
    for (uint32_t y = 0; y < n_y; y++)
        for (uint32_t i = 0; i < n_x; i++, n++)
            for (int v = 0; v < VALUES; v++)
                out[n][v] = rows[y][v][(uint32_t)x + i];
    return n;
}

/* Products of n pixels' value k with the first `most` ones. */
INLINE void add_products(double *sums, float (*values)[VALUES], int n, int k, int most)
{
    float sum[VALUES] = {0};
    for (int i = 0; i < n; i++)
        for (int l = 0; l < most; l++)
            sum[l] += values[i][k] * values[i][l];
    for (int l = 0; l < most; l++)
        sums[l] += (double)sum[l];
}

static void add_square(rugi_ifs_filter_sums sums, float (*values)[VALUES], int n)
{
    for (int k = 0; k < VALUES / 2; k++)
        add_products(sums[k], values, n, k, VALUES / 2);
    for (int k = VALUES / 2; k < VALUES - 1; k++)
        add_products(sums[k], values, n, k, VALUES);
}

/* How many of the 4 pixels from `at` on are below `used`. */
static uint32_t within(uint32_t at, uint32_t used)
{
    return used < at ? 0 : used - at < LEAST ? used - at : LEAST;
}

static void measure(rugi_ifs_filter_sums *sums, rugi_ifs_filter_window window,
                    rugi_ifs_filter_root error,
                    const uint8_t kinds[RUGI_IFS_FILTER_SQUARES], int32_t limit,
                    uint32_t used_x, uint32_t used_y)
{
    row_values rows[LEAST];
    float values[LEAST * LEAST][VALUES];
    for (int y = 0; y < SIDE; y++) {
        for (int i = 0; i < LEAST; i++)
            measure_row(rows[i], &window[LEAST * y + i + EDGE][EDGE],
                        error[LEAST * y + i], limit);
        for (int x = 0; x < SIDE; x++) {
            uint32_t n_x = within(LEAST * (uint32_t)x, used_x);
            uint32_t n_y = within(LEAST * (uint32_t)y, used_y);
            int n = gather(values, rows, LEAST * x, n_x, n_y);
            add_square(sums[kinds[y * SIDE + x]], values, n);
        }
    }
}

void RUGI_AT_LEVEL(rugi_ifs_set_filter_kernels)(rugi_ifs_filter_kernels *kernels)
{
    *kernels = (rugi_ifs_filter_kernels){classify, apply, measure};
}
