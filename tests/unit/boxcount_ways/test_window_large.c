/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Boxes as long as words, vectors and joined blocks, a little more and a little less, and
 * many of them, at every CPU level and number of threads, against sums of pixels by table:
 * a box is the difference of eight sums from the origin. */

#include "support.h"
/* support.h brings cmocka, which this uses */
#include "window_support.h"

#define MAX_SIZES 8
#define KIND_STEP TEST_STEP(2)

typedef struct subject {
    int ndim;
    size_t n[3]; /* z y x */
    uint64_t sizes[MAX_SIZES];
} subject;

/* [z][y][x], pixels before z y x; each axis is a pixel longer than that of the image. */
typedef struct sums {
    const size_t *n;
    uint32_t *before;
} sums;

static uint32_t *sum_at(const sums *s, size_t z, size_t y, size_t x)
{
    return &s->before[(z * (s->n[1] + 1) + y) * (s->n[2] + 1) + x];
}

static sums sum_pixels(const uint8_t *pixels, const size_t n[3])
{
    sums s = {n, calloc((n[0] + 1) * (n[1] + 1) * (n[2] + 1), sizeof *s.before)};
    assert_non_null(s.before);
    for (size_t z = 0; z < n[0]; z++)
        for (size_t y = 0; y < n[1]; y++) {
            uint32_t in_row = 0;
            for (size_t x = 0; x < n[2]; x++) {
                in_row += *pixels++;
                *sum_at(&s, z + 1, y + 1, x + 1) = in_row + *sum_at(&s, z, y + 1, x + 1) +
                                                   *sum_at(&s, z + 1, y, x + 1) -
                                                   *sum_at(&s, z, y, x + 1);
            }
        }
    return s;
}

static uint64_t pixels_of_box(const sums *s, const size_t a[3], const size_t b[3])
{
    uint32_t layer[2];
    for (int i = 0; i < 2; i++) {
        size_t z = i == 0 ? a[0] : b[0];
        layer[i] = *sum_at(s, z, b[1], b[2]) - *sum_at(s, z, a[1], b[2]) -
                   *sum_at(s, z, b[1], a[2]) + *sum_at(s, z, a[1], a[2]);
    }
    return layer[1] - layer[0];
}

/* The boxes of one grid. */
static naive_boxes count_grid(const sums *s, const uint64_t side[3],
                              const uint64_t shift[3])
{
    naive_boxes out = {0};
    size_t a[3], b[3];
    for (uint64_t z = 0; z * side[0] < s->n[0] + shift[0]; z++) {
        naive_band(side[0], shift[0], s->n[0], z, &a[0], &b[0]);
        for (uint64_t y = 0; y * side[1] < s->n[1] + shift[1]; y++) {
            naive_band(side[1], shift[1], s->n[1], y, &a[1], &b[1]);
            for (uint64_t x = 0; x * side[2] < s->n[2] + shift[2]; x++) {
                naive_band(side[2], shift[2], s->n[2], x, &a[2], &b[2]);
                uint64_t n_set = pixels_of_box(s, a, b);
                out.total++;
                out.nonempty += n_set > 0;
                out.black += n_set == side[0] * side[1] * side[2];
            }
        }
    }
    return out;
}

/* All positions, and the boxes of the grid with the least. */
static void count_positions(rug_box_count *count, rug_box_positions *out, const sums *s,
                            int ndim)
{
    uint64_t size = count->size, deep = ndim == 3 ? size : 1, total[3] = {0};
    uint64_t side[3] = {deep, size, size}, n = deep * size * size;
    memset(out, 0, sizeof *out);
    out->least = UINT64_MAX;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t shift[3] = {i / size / size, i / size % size, i % size};
        naive_boxes here = count_grid(s, side, shift);
        total[0] += here.total;
        total[1] += here.nonempty;
        total[2] += here.black;
        out->most = here.nonempty > out->most ? here.nonempty : out->most;
        if (here.nonempty >= out->least)
            continue;
        out->least = count->nonempty = here.nonempty;
        count->black = here.black;
        for (int a = 0; a < ndim; a++)
            out->shift[a] = shift[3 - ndim + a];
    }
    out->mean_total = (double)total[0] / (double)n;
    out->mean_nonempty = (double)total[1] / (double)n;
    out->mean_black = (double)total[2] / (double)n;
}

/* All, all but few, few, or solid blocks. */
enum { ALL, MOST, FEW, BLOCKS, N_KINDS };

static uint8_t *draw_pixels(const size_t n[3], int kind)
{
    uint64_t seed = 40;
    uint8_t *pixels = malloc(n[0] * n[1] * n[2]), *at = pixels;
    assert_non_null(pixels);
    for (size_t z = 0; z < n[0]; z++)
        for (size_t y = 0; y < n[1]; y++)
            for (size_t x = 0; x < n[2]; x++) {
                int is_rare = test_below(&seed, 20000) == 0;
                if (kind == BLOCKS)
                    *at++ = z % 37 < 30 && y % 350 < 270 && x % 390 < 290;
                else
                    *at++ = kind == ALL || is_rare == (kind == FEW);
            }
    return pixels;
}

static void check_subject(rug_context *ctx, const subject *s, int kind)
{
    uint32_t n_sizes = 0;
    while (n_sizes < MAX_SIZES && s->sizes[n_sizes] > 0)
        n_sizes++;
    uint8_t *pixels = draw_pixels(s->n, kind);
    sums table = sum_pixels(pixels, s->n);
    rug_boxcount_result *expected = new_result(RUG_BOXCOUNT_GRID_MIN, n_sizes, s->sizes);
    for (uint32_t i = 0; i < n_sizes; i++)
        count_positions(&expected->counts[i], &expected->positions[i], &table, s->ndim);
    rug_image img = test_u8(pixels, s->ndim == 3 ? s->n[0] : 0, s->n[1], s->n[2]);
    for (int run = 0; run < 2 * (RUG_CPU_MAX + 1); run++) {
        rug_context_set_cpu_level(ctx, (rug_cpu_level)(run / 2));
        rug_context_set_threads(ctx, run % 2 == 0 ? 1 : 2 + run / 2);
        rug_boxcount_result *got =
            must_count_windows(ctx, &img, RUG_BOXCOUNT_GRID_MIN, n_sizes, s->sizes);
        for (uint32_t i = 0; i < n_sizes; i++) {
            char text[128];
            snprintf(text, sizeof text, "%zu %zu %zu, kind %d, size %d, level %d, run %d",
                     s->n[0], s->n[1], s->n[2], kind, (int)s->sizes[i], run / 2, run);
            assert_boxes(&got->counts[i], expected->counts[i].nonempty,
                         expected->counts[i].black, text);
            assert_positions(&got->positions[i], &expected->positions[i], text);
        }
        free(got);
    }
    free(expected);
    free(table.before);
    free(pixels);
}

static void check_all(const subject *subjects, size_t n)
{
    rug_context *ctx = test_context();
    for (size_t i = 0; i < n; i++)
        for (int kind = (int)i % KIND_STEP; kind < N_KINDS; kind += KIND_STEP)
            check_subject(ctx, &subjects[i], kind);
    rug_context_free(ctx);
}

/* Long and short rows; rows that are folded in one step and in two; more than 2^8 rows of
 * boxes. */
static void images(void **state)
{
    (void)state;
    static const subject subjects[] = {
        {2, {1, 300, 700}, {63, 64, 65, 127, 128, 129, 191, 192}},
        {2, {1, 270, 1300}, {193, 200, 255, 256, 257}},
        {2, {1, 7, 3000}, {64, 66, 100, 128}},
        {2, {1, 20, 1500}, {511, 512, 513, 639, 640, 641}},
        {2, {1, 17000, 70}, {64, 65}},
        {2, {1, 700, 5}, {150, 400}},
    };
    check_all(subjects, sizeof subjects / sizeof subjects[0]);
}

static void volumes(void **state)
{
    (void)state;
    static const subject subjects[] = {
        {3, {60, 33, 70}, {16, 33, 40}},
        {3, {70, 66, 130}, {24, 64, 65}},
        {3, {90, 40, 36}, {32, 36}},
    };
    check_all(subjects, sizeof subjects / sizeof subjects[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images),
        cmocka_unit_test(volumes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
