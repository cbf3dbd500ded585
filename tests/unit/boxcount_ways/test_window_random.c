/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Boxes of any size on small random inputs, at every CPU level and number of threads,
 * against looking at every pixel of every box of every grid position. */

#include "support.h"
/* support.h brings cmocka, which these use */
#include "window_support.h"

#define N_IMAGES  TEST_CASES(2000)
#define N_VOLUMES TEST_CASES(1000)
#define MAX_SIZES 3

typedef struct subject {
    uint8_t *pixels;
    int ndim;
    size_t n[3]; /* z y x */
    uint32_t n_sizes;
    uint64_t sizes[MAX_SIZES];
} subject;

/* None, all, few, half, nearly all, or solid blocks. */
static uint8_t draw_pixel(uint64_t *seed, uint64_t kind, size_t z, size_t y, size_t x)
{
    switch (kind) {
    case 0: return 0;
    case 1: return 1;
    case 2: return test_below(seed, 40) == 0;
    case 3: return test_below(seed, 2) == 0;
    case 4: return test_below(seed, 60) > 0;
    default: return (z / 5 + y / 7 + x / 11) % 3 > 0;
    }
}

/* Mostly short axes, often of one pixel, some about whole words long. */
static size_t draw_axis(uint64_t *seed, int is_x, int ndim)
{
    uint64_t way = test_below(seed, 8);
    if (way == 0)
        return 1;
    if (way == 1 && is_x)
        return (size_t)(62 + test_below(seed, ndim == 2 ? 140 : 12));
    return (size_t)(1 + test_below(seed, ndim == 2 ? 40 : 11));
}

static void fill_subject(const subject *s, uint64_t *seed, uint64_t kind)
{
    uint8_t *at = s->pixels;
    for (size_t z = 0; z < s->n[0]; z++)
        for (size_t y = 0; y < s->n[1]; y++)
            for (size_t x = 0; x < s->n[2]; x++)
                *at++ = draw_pixel(seed, kind, z, y, x);
}

static subject draw_subject(uint64_t *seed, int ndim)
{
    subject s = {.ndim = ndim, .n = {1, 1, 1}};
    for (int a = 3 - ndim; a < 3; a++)
        s.n[a] = draw_axis(seed, a == 2, ndim);
    uint64_t kind = test_below(seed, 6);
    s.pixels = malloc(s.n[0] * s.n[1] * s.n[2]);
    assert_non_null(s.pixels);
    fill_subject(&s, seed, kind);
    s.n_sizes = MAX_SIZES;
    for (uint32_t i = 0; i < s.n_sizes; i++)
        s.sizes[i] = 1 + test_below(seed, ndim == 2 ? 20 : 7);
    if (ndim == 2 && test_below(seed, 8) == 0)
        s.sizes[1] = 60 + test_below(seed, 12);
    return s;
}

/* At every CPU level, with n_threads, and more by one at each level. */
static void check_subject(rug_context *ctx, const subject *s, rug_boxcount_grid grid,
                          int n_threads, const char *what)
{
    rug_image img = test_u8(s->pixels, s->ndim == 3 ? s->n[0] : 0, s->n[1], s->n[2]);
    rug_boxcount_result *expected = new_result(grid, s->n_sizes, s->sizes);
    for (uint32_t i = 0; i < s->n_sizes; i++)
        naive_positions(&expected->counts[i], &expected->positions[i], s->pixels, s->ndim,
                        s->n, grid);
    if (grid == RUG_BOXCOUNT_GRID_ORIGIN)
        memset(expected->positions, 0, s->n_sizes * sizeof *expected->positions);
    for (int level = 0; level <= RUG_CPU_MAX; level++) {
        rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
        rug_context_set_threads(ctx, (n_threads + level) % 4 + 1);
        rug_boxcount_result *got =
            must_count_windows(ctx, &img, grid, s->n_sizes, s->sizes);
        char text[160];
        for (uint32_t i = 0; i < s->n_sizes; i++) {
            snprintf(text, sizeof text, "%s, %zu %zu %zu, size %d, level %d, threads %d",
                     what, s->n[0], s->n[1], s->n[2], (int)s->sizes[i], level,
                     rug_context_threads(ctx));
            assert_boxes(&got->counts[i], expected->counts[i].nonempty,
                         expected->counts[i].black, text);
            assert_positions(&got->positions[i], &expected->positions[i], text);
        }
        free(got);
    }
    free(expected);
}

static void check_many(uint64_t seed, int ndim, int n)
{
    rug_context *ctx = test_context();
    for (int i = 0; i < n; i++) {
        char what[64];
        snprintf(what, sizeof what, "seed %llu, subject %d", (unsigned long long)seed, i);
        subject s = draw_subject(&seed, ndim);
        check_subject(ctx, &s, (rug_boxcount_grid)(i % 3), i / 3, what);
        free(s.pixels);
    }
    rug_context_free(ctx);
}

static void images(void **state)
{
    (void)state;
    check_many(20, 2, N_IMAGES);
}

static void volumes(void **state)
{
    (void)state;
    check_many(21, 3, N_VOLUMES);
}

/* Windows of several words, streams of several chunks, and tasks with a part of the
 * image each. */
static void large_subjects(void **state)
{
    (void)state;
    static const subject shapes[] = {{NULL, 2, {1, 3, 330}, 3, {65, 70, 129}},
                                     {NULL, 2, {1, 2, 450}, 2, {140, 257, 0}},
                                     {NULL, 2, {1, 61, 3000}, 2, {3, 6, 0}},
                                     {NULL, 2, {1, 300, 70}, 3, {2, 5, 16}},
                                     {NULL, 3, {130, 3, 5}, 3, {1, 2, 4}},
                                     {NULL, 3, {70, 20, 66}, 2, {2, 4, 0}},
                                     {NULL, 2, {1, 150, 3}, 2, {70, 100, 0}},
                                     {NULL, 3, {30, 13, 40}, 1, {13, 0, 0}}};
    rug_context *ctx = test_context();
    uint64_t seed = 22;
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++)
        for (uint64_t kind = 1; kind < 6; kind += 2) {
            subject s = shapes[k];
            s.pixels = malloc(s.n[0] * s.n[1] * s.n[2]);
            assert_non_null(s.pixels);
            fill_subject(&s, &seed, kind);
            check_subject(ctx, &s, RUG_BOXCOUNT_GRID_MIN, (int)kind, "large");
            free(s.pixels);
        }
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images),
        cmocka_unit_test(volumes),
        cmocka_unit_test(large_subjects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
