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

/* They are summed in patches of 4 x 4 pixels, of which each square touches 2 x 2: the grid
 * begins 2 pixels before the root. Columns are rounded up to whole vectors. */
#define PATCHES (SIDE + 1)
#define MARGIN  (EDGE - 1)
#define WIDTH   (BLOCK + 8)

static void sum_patches(int32_t patches[N_SLOPES][PATCHES], const int32_t *at)
{
    int32_t sums[N_SLOPES][WIDTH];
    const ptrdiff_t down = RUGI_IFS_FILTER_PITCH;
    for (int x = 0; x < WIDTH; x++) {
        int32_t row = 0, column = 0, falling = 0, rising = 0;
        for (int y = 0; y < LEAST; y++) {
            const int32_t *p = at + y * down + x;
            int32_t twice = 2 * p[0];
            row += size_of(twice - p[-1] - p[1]);
            column += size_of(twice - p[-down] - p[down]);
            falling += size_of(twice - p[-down - 1] - p[down + 1]);
            rising += size_of(twice - p[-down + 1] - p[down - 1]);
        }
        sums[ROW][x] = row;
        sums[COLUMN][x] = column;
        sums[FALLING][x] = falling;
        sums[RISING][x] = rising;
    }
    for (int s = 0; s < N_SLOPES; s++)
        for (int i = 0; i < PATCHES; i++) {
            const int32_t *four = sums[s] + LEAST * i;
            patches[s][i] = four[0] + four[1] + four[2] + four[3];
        }
}

/* Sums of all squares. */
typedef int32_t square_sums[N_SLOPES][RUGI_IFS_FILTER_SQUARES];

/* The kind of square i: Tsai et al. 2013, with the limit as the unit of activity. Sums are below
 * 2^25. */
INLINE uint8_t kind_of(square_sums sums, int i, int32_t limit)
{
    int32_t row = sums[ROW][i], column = sums[COLUMN][i];
    int32_t falling = sums[FALLING][i], rising = sums[RISING][i];
    int32_t straight = row + column, activity = 0;
    for (int k = 0; k < RUGI_IFS_FILTER_ACTIVITIES - 1; k++)
        activity += straight > (24 * limit) << k;
    int32_t turned = column > row, mirrored = rising > falling;
    int32_t most = turned ? column : row, least = turned ? row : column;
    int32_t most_diagonal = mirrored ? rising : falling;
    int32_t least_diagonal = mirrored ? falling : rising;
    int32_t is_diagonal = (uint64_t)(uint32_t)most_diagonal * (uint32_t)least >
                          (uint64_t)(uint32_t)most * (uint32_t)least_diagonal;
    most = is_diagonal ? most_diagonal : most;
    least = is_diagonal ? least_diagonal : least;
    int32_t direction = (is_diagonal ? 1 : 3) + (most > 4 * least);
    direction = 2 * most > 3 * least ? direction : 0;
    int32_t of_class = activity * RUGI_IFS_FILTER_DIRECTIONS + direction;
    return (uint8_t)(of_class * RUGI_IFS_FILTER_ORIENTATIONS + 2 * mirrored + turned);
}

static void classify(uint8_t kinds[RUGI_IFS_FILTER_SQUARES],
                     rugi_ifs_filter_window window, int32_t limit)
{
    int32_t patches[PATCHES][N_SLOPES][PATCHES];
    square_sums sums;
    for (int i = 0; i < PATCHES; i++)
        sum_patches(patches[i], &window[LEAST * i + EDGE - MARGIN][EDGE - MARGIN]);
    for (int y = 0; y < SIDE; y++)
        for (int s = 0; s < N_SLOPES; s++)
            for (int x = 0; x < SIDE; x++)
                sums[s][y * SIDE + x] = patches[y][s][x] + patches[y][s][x + 1] +
                                        patches[y + 1][s][x] + patches[y + 1][s][x + 1];
    for (int i = 0; i < RUGI_IFS_FILTER_SQUARES; i++)
        kinds[i] = kind_of(sums, i, limit);
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

/* Those of a square, as a vector: compilers make worse of a loop. */
typedef int32_t columns __attribute__((vector_size(4 * LEAST)));

/* The taps of a row of squares, for each of its columns. */
static void spread_taps(int32_t taps[TAPS][BLOCK], const uint8_t kinds[SIDE],
                        rugi_ifs_filter_table table)
{
    for (int x = 0; x < SIDE; x++) {
        const int16_t *of_kind = table[kinds[x]];
        for (int t = 0; t < TAPS; t++) {
            const columns all = (columns){0} + of_kind[t];
            memcpy(&taps[t][LEAST * x], &all, sizeof all);
        }
    }
}

static void filter_row(int32_t *restrict out, const int32_t *restrict row,
                       int32_t taps[TAPS][BLOCK], int32_t limit, int32_t least,
                       int32_t most)
{
    for (int x = 0; x < BLOCK; x++) {
        const int32_t *p = row + x;
        int32_t sum = 1 << (RUGI_IFS_FILTER_SHIFT - 1);
#define ADD(tap, value) sum += taps[tap][x] * (value)
        FOR_TAPS(p, limit, ADD);
#undef ADD
        int32_t value = p[0] + (sum >> RUGI_IFS_FILTER_SHIFT);
        value = value < least ? least : value;
        out[x] = value > most ? most : value;
    }
}

static void apply(rugi_ifs_filter_root out, rugi_ifs_filter_window window,
                  const uint8_t kinds[RUGI_IFS_FILTER_SQUARES],
                  rugi_ifs_filter_table table, int32_t limit, int32_t least, int32_t most)
{
    int32_t taps[TAPS][BLOCK];
    for (int y = 0; y < BLOCK; y++) {
        if (y % LEAST == 0)
            spread_taps(taps, kinds + y / LEAST * SIDE, table);
        filter_row(out[y], &window[y + EDGE][EDGE], taps, limit, least, most);
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

/* Lanes of the vectors that the compiler makes the best of. The order of each sum is the same
 * with any number. */
#if RUGI_VECTOR_BYTES > 16
#define LANES 8
#else
#define LANES 4
#endif
#define GROUPS (VALUES / LANES)
typedef float lanes __attribute__((vector_size(LANES * sizeof(float))));
typedef double wide_lanes __attribute__((vector_size(LANES * sizeof(double))));

/* The values of the pixels of a square, pixel by pixel; 0 beyond those that are used. */
typedef struct square_values {
    lanes of[LEAST * LEAST][GROUPS];
} square_values;

static void gather(square_values *out, row_values *rows, int x, int n_x, int n_y)
{
    if (n_x < LEAST || n_y < LEAST)
        memset(out, 0, sizeof *out);
    for (int y = 0; y < n_y; y++)
        for (int i = 0; i < n_x; i++)
            for (int g = 0; g < GROUPS; g++)
                for (int v = 0; v < LANES; v++)
                    out->of[LEAST * y + i][g][v] = rows[y][LANES * g + v][x + i];
}

/* Products of the values of a group with all up to theirs. */
INLINE void add_group(rugi_ifs_filter_sums sums, const square_values *values, int group)
{
    for (int k = 0; k < LANES && LANES * group + k <= TAPS; k++) {
        lanes sum[GROUPS];
        for (int g = 0; g <= group; g++)
            sum[g] = (lanes){0};
        for (int i = 0; i < LEAST * LEAST; i++)
            for (int g = 0; g <= group; g++)
                sum[g] += values->of[i][g] * values->of[i][group][k];
        for (int g = 0; g <= group; g++) {
            double *out = sums[LANES * group + k] + LANES * g;
            wide_lanes all;
            memcpy(&all, out, sizeof all);
            all += __builtin_convertvector(sum[g], wide_lanes);
            memcpy(out, &all, sizeof all);
        }
    }
}

static void add_square(rugi_ifs_filter_sums sums, const square_values *values)
{
    add_group(sums, values, 0);
    add_group(sums, values, 1);
#if GROUPS > 2
    add_group(sums, values, 2);
    add_group(sums, values, 3);
#endif
}

/* How many of the 4 pixels from `at` on are below `used`. */
static int within(int at, int used)
{
    return used < at ? 0 : used - at < LEAST ? used - at : LEAST;
}

static void measure(rugi_ifs_filter_sums *sums, rugi_ifs_filter_window window,
                    rugi_ifs_filter_root error,
                    const uint8_t kinds[RUGI_IFS_FILTER_SQUARES], int32_t limit,
                    uint32_t used_x, uint32_t used_y)
{
    row_values rows[LEAST];
    square_values values;
    for (int y = 0; y < SIDE; y++) {
        for (int i = 0; i < LEAST; i++)
            measure_row(rows[i], &window[LEAST * y + i + EDGE][EDGE],
                        error[LEAST * y + i], limit);
        for (int x = 0; x < SIDE; x++) {
            gather(&values, rows, LEAST * x, within(LEAST * x, (int)used_x),
                   within(LEAST * y, (int)used_y));
            add_square(sums[kinds[y * SIDE + x]], &values);
        }
    }
}

void RUGI_AT_LEVEL(rugi_ifs_set_filter_kernels)(rugi_ifs_filter_kernels *kernels)
{
    *kernels = (rugi_ifs_filter_kernels){classify, apply, measure};
}
