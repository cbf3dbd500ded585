/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The method HOU on random points of every dtype, layout and number of axes, and on
 * images, against counting every box, at every CPU level and on 1 to 4 threads. */

#include "support.h"

#include "box_points_support.h"
#include "boxcount/count/boxcount_count.h" /* src/methods/boxcount */
#include "boxcount_support.h"
#include "core/points/morton.h"
#include "memory_support.h"
#include <math.h>
#include <rugose/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_CASES TEST_CASES(20000)
#define GUARD   64

static int bits_of_dtype(rug_dtype dtype)
{
    return dtype == RUG_F32 ? 24 : dtype == RUG_F64 ? 53 : (int)rug_dtype_size(dtype) * 8;
}

/* Coordinates within 2^bits of one another, anywhere in the dtype, and close to one of the
 * borders where boxes of all sizes part. */
static void random_coordinate(uint64_t *rng, rug_dtype dtype, int bits, int64_t centre,
                              void *at)
{
    uint64_t spread = bits < 64 ? test_below(rng, (uint64_t)1 << bits) : test_random(rng);
    int64_t v = (int64_t)((uint64_t)centre + spread - ((uint64_t)1 << bits) / 2);
    float f = (float)v;
    double d = (double)v;
    if (dtype == RUG_F32)
        memcpy(at, &f, sizeof f);
    else if (dtype == RUG_F64)
        memcpy(at, &d, sizeof d);
    else
        memcpy(at, &v, rug_dtype_size(dtype)); /* the low bytes; wraps round */
}

static int64_t random_centre(uint64_t *rng, int bits)
{
    int64_t centre = 0;
    if (test_below(rng, 2) != 0)
        centre =
            (int64_t)((test_random(rng) >> (64 - bits)) - ((uint64_t)1 << (bits - 2)));
    if (test_below(rng, 3) == 0)
        centre = centre / 64 * 64;
    return centre;
}

typedef struct sample {
    rug_points points;
    char *buffer, *copy;
    size_t n_bytes;
} sample;

/* Points of a random layout: C or Fortran order, padded, or backwards. */
static sample random_points(uint64_t *rng)
{
    sample s = {.points = {.dtype = (rug_dtype)(1 + test_below(rng, RUG_N_DTYPES - 1))}};
    rug_points *p = &s.points;
    p->ndim = 1 + (int)test_below(rng, RUG_POINTS_MAX_AXES);
    p->n = 1 + test_below(rng, (uint64_t)1 << test_below(rng, 9));
    size_t size = rug_dtype_size(p->dtype), pad = test_below(rng, 3);
    size_t n_fast = test_below(rng, 2) ? p->n : (size_t)p->ndim;
    size_t n_slow = p->n * (size_t)p->ndim / n_fast, first = GUARD;
    ptrdiff_t fast = (ptrdiff_t)(size + pad),
              slow = (ptrdiff_t)(n_fast * (size + pad) + pad);
    s.n_bytes = 2 * GUARD + n_slow * (size_t)slow;
    s.buffer = malloc(s.n_bytes);
    s.copy = malloc(s.n_bytes);
    assert_non_null(s.buffer);
    assert_non_null(s.copy);
    int by_point = n_fast == (size_t)p->ndim && n_slow == p->n;
    p->stride[0] = by_point ? slow : fast;
    p->stride[1] = by_point ? fast : slow;
    for (int k = 0; k < 2; k++)
        if (test_below(rng, 3) == 0) {
            uint64_t n = k == 0 ? p->n : (uint64_t)p->ndim;
            first += (size_t)(n - 1) * (size_t)p->stride[k];
            p->stride[k] = -p->stride[k];
        }
    p->data = s.buffer + first;
    return s;
}

/* All axes together have at most 128 bits, now and then exactly so many. */
static void fill_points(uint64_t *rng, sample *s)
{
    rug_points *p = &s->points;
    int all = bits_of_dtype(p->dtype), most = 126 / p->ndim - 1;
    most = most > all - 2 ? all - 2 : most;
    int64_t centre[RUG_POINTS_MAX_AXES];
    int bits[RUG_POINTS_MAX_AXES], common = (int)test_below(rng, (uint64_t)most + 1);
    int is_small = test_below(rng, 2) != 0 && most > 3;
    for (int a = 0; a < p->ndim; a++) {
        centre[a] = random_centre(rng, all);
        bits[a] = test_below(rng, 3) ? common : (int)test_below(rng, (uint64_t)most + 1);
        if (is_small)
            bits[a] = p->ndim < 3 ? 3 : 1;
    }
    for (size_t i = 0; i < s->n_bytes; i++)
        s->buffer[i] = (char)test_random(rng);
    for (uint64_t i = 0; i < p->n; i++)
        for (int a = 0; a < p->ndim; a++) {
            char *at = s->buffer + ((const char *)p->data - s->buffer) +
                       (ptrdiff_t)i * p->stride[0] + a * p->stride[1];
            random_coordinate(rng, p->dtype, bits[a], centre[a], at);
        }
    memcpy(s->copy, s->buffer, s->n_bytes);
}

static uint32_t random_sizes(uint64_t *rng, uint64_t *sizes)
{
    uint32_t n = (uint32_t)test_below(rng, 8);
    uint64_t last = 0;
    for (uint32_t i = 0; i < n; i++) {
        last += 1 + test_below(rng, (uint64_t)1 << test_below(rng, i < 6 ? 3 : 60));
        sizes[i] = last;
    }
    return n;
}

static int is_real(rug_dtype dtype)
{
    return dtype == RUG_F32 || dtype == RUG_F64;
}

/* The distinct cells of whole coordinates. */
static size_t cells_of(test_pixel_at *out, const rug_points *p)
{
    memset(out, 0, p->n * sizeof *out);
    for (uint64_t i = 0; i < p->n; i++)
        for (int a = 0; a < p->ndim; a++) {
            double real;
            wide_int whole = point_coordinate(p, i, a, &real);
            out[i].at[a] = is_real(p->dtype) ? (wide_int)floor(real) : whole;
        }
    return distinct_cells(out, p->n);
}

/* Returns 1 when the points lie too far apart for keys. */
static int check_points(rug_context *ctx, uint64_t *rng, int i)
{
    char what[128];
    uint64_t sizes[8];
    sample s = random_points(rng);
    fill_points(rng, &s);
    rug_boxcount_points_options opts = RUG_BOXCOUNT_POINTS_OPTIONS_INIT;
    opts.n_sizes = random_sizes(rng, sizes);
    opts.sizes = opts.n_sizes > 0 ? sizes : NULL;
    rug_context_set_threads(ctx, 1 + i % 4);
    rug_context_set_cpu_level(ctx, (rug_cpu_level)(i / 4 % (RUG_CPU_MAX + 1)));
    test_pixel_at *cells = malloc(s.points.n * sizeof *cells);
    assert_non_null(cells);
    size_t n = cells_of(cells, &s.points);
    snprintf(what, sizeof what, "case %d: %llu points of %d axes, %s", i,
             (unsigned long long)s.points.n, s.points.ndim,
             rug_dtype_name(s.points.dtype));
    test_counts r;
    rug_status status = test_boxcount_points(ctx, &r, &s.points, &opts);
    int is_far = status == RUG_E_ARG && strstr(rug_context_error(ctx), "128") != NULL;
    if (status != RUG_OK && !is_far)
        fail_msg("%s: %s", what, rug_context_error(ctx));
    if (status == RUG_OK)
        assert_counts_of(&r, cells, n, what);
    assert_memory_equal(s.buffer, s.copy, s.n_bytes);
    free(cells);
    free(s.buffer);
    free(s.copy);
    return is_far;
}

static void random_sets(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    uint64_t rng = 20;
    int n_far = 0;
    for (int i = 0; i < N_CASES; i++)
        n_far += check_points(ctx, &rng, i);
    assert_in_range(n_far, 0, N_CASES / 10);
    rug_context_free(ctx);
}

static void assert_same_boxes(const test_counts *a, const test_counts *b,
                              const char *what)
{
    assert_int_equal(a->n_sizes, b->n_sizes);
    for (uint32_t i = 0; i < a->n_sizes; i++)
        if (a->counts[i].nonempty != b->counts[i].nonempty ||
            a->counts[i].black != b->counts[i].black)
            fail_msg("%s, size %llu: %llu nonempty, %llu black; %llu, %llu expected",
                     what, (unsigned long long)b->counts[i].size,
                     (unsigned long long)a->counts[i].nonempty,
                     (unsigned long long)a->counts[i].black,
                     (unsigned long long)b->counts[i].nonempty,
                     (unsigned long long)b->counts[i].black);
}

/* Filled cubes, whole and with a hole, on and off the grid: many parts of the keys are one
 * long run. Shuffled, and each cell three times; a cell far away keeps them from going to
 * a bitmap. */
static void check_cube(int axes, int side, int32_t corner, int has_hole, int has_far)
{
    char what[64];
    size_t n = 1, k = 0;
    for (int a = 0; a < axes; a++)
        n *= (size_t)side;
    int32_t *points = malloc(3 * (n + 1) * (size_t)axes * sizeof *points);
    test_pixel_at *cells = calloc(n + 1, sizeof *cells);
    assert_non_null(points);
    assert_non_null(cells);
    for (size_t i = 0; i < n; i++) {
        if (has_hole && i == n / 3)
            continue;
        size_t rest = i;
        for (int a = 0; a < axes; a++, rest /= (size_t)side)
            cells[k].at[a] = corner + (int32_t)(rest % (size_t)side);
        k++;
    }
    if (has_far)
        cells[k++].at[0] = 1 << 30;
    for (size_t i = 0; i < 3 * k; i++)
        for (int a = 0; a < axes; a++)
            points[i * (size_t)axes + (size_t)a] =
                (int32_t)cells[(i * 7919 + i / k) % k].at[a];
    static const uint64_t sizes[] = {1, 2, 3, 4, 5, 6, 8, 12, 16, 32, 64, 1024};
    rug_boxcount_points_options opts = RUG_BOXCOUNT_POINTS_OPTIONS_INIT;
    rug_points p = points_view(points, RUG_I32, 3 * k, axes);
    rug_context *ctx = test_context();
    test_counts alone[2]; /* by one thread: counted box by box */
    for (int threads = 1; threads <= 4; threads += TEST_STEP(3))
        for (int any_size = 0; any_size < 2; any_size++) {
            opts.sizes = any_size ? sizes : NULL;
            opts.n_sizes = any_size ? 12 : 0;
            assert_int_equal(rug_context_set_threads(ctx, threads), RUG_OK);
            test_counts r = must_count_points(ctx, &p, &opts);
            snprintf(what, sizeof what, "cube of %d in %d axes at %d", side, axes,
                     corner);
            if (threads == 1) {
                assert_counts_of(&r, cells, k, what);
                alone[any_size] = r;
            } else
                assert_same_boxes(&r, &alone[any_size], what);
        }
    rug_context_free(ctx);
    free(points);
    free(cells);
}

static void filled_cubes(void **state)
{
    (void)state;
    for (int way = 0; way < 4; way += TEST_STEP(3))
        for (int32_t corner = -3; corner <= TEST_RACES(-3, 0); corner += 3) {
            check_cube(1, 5000, corner, way % 2, way / 2);
            check_cube(2, 70, corner, way % 2, way / 2);
            check_cube(3, 20, corner, way % 2, way / 2);
            check_cube(4, 9, corner, way % 2, way / 2);
            check_cube(6, 4, corner, way % 2, way / 2);
            check_cube(10, 2, corner, way % 2, way / 2);
        }
    check_cube(3, 36, 0, 0, 1); /* more than one part of the keys */
}

/* A line of 2^19 cells along a diagonal, so long that no bitmap pays: parts of the keys
 * follow one another without a gap along each axis. */
static void many_parts(void **state)
{
    (void)state;
    enum { N = 1 << 19 };
    int64_t *points = malloc(N * sizeof *points);
    assert_non_null(points);
    rug_context *ctx = test_context();
    for (int far = 0; far < 2; far++) {
        for (int64_t i = 0; i < N; i++)
            points[i] = i - 12345;
        points[0] = far ? (int64_t)1 << 45 : points[0]; /* too far for a bitmap */
        rug_points p = points_view(points, RUG_I64, N, 1);
        for (int threads = 1; threads <= 4; threads += TEST_STEP(3)) {
            assert_int_equal(rug_context_set_threads(ctx, threads), RUG_OK);
            test_counts r = must_count_points(ctx, &p, NULL);
            int64_t least = points[1 - 1 + far], end = N - 12345;
            for (uint32_t i = 0; i < r.n_sizes; i++) {
                int64_t s = (int64_t)r.counts[i].size;
                int64_t first = (int64_t)floor_div(least, s);
                int64_t last = (int64_t)floor_div(end - 1, s);
                int64_t black = (int64_t)(floor_div(end, s) + floor_div(-least, s));
                int is_apart = far && floor_div(points[0], s) > last;
                black = black > 0 ? black : 0;
                assert_int_equal(r.counts[i].nonempty, last - first + 1 + is_apart);
                assert_int_equal(r.counts[i].black, black + (far && s == 1));
            }
        }
    }
    rug_context_free(ctx);
    free(points);
}

/* Keys that are made of random places, and read back. */
static void keys_and_back(void **state)
{
    (void)state;
    enum { N = 100 };
    static uint64_t places[RUG_POINTS_MAX_AXES * RUGI_CELLS_BLOCK];
    static uint64_t back[RUG_POINTS_MAX_AXES * RUGI_CELLS_BLOCK];
    rug_context *ctx = test_context();
    uint64_t rng = 77;
    for (int i = 0; i < TEST_CASES(3000); i++) {
        rugi_cell_range range = {.axes = 1 + i % RUG_POINTS_MAX_AXES};
        range.zero = (uint64_t)test_below(&rng, 2) << 63;
        for (int a = 0; a < range.axes; a++) {
            uint64_t spread = test_random(&rng) >> test_below(&rng, 64);
            range.least[a] = test_random(&rng) >> test_below(&rng, 64);
            if (test_below(&rng, 2))
                range.least[a] += range.zero;
            uint64_t room = UINT64_MAX - range.least[a];
            range.most[a] = range.least[a] + (spread < room ? spread : room);
            for (int j = 0; j < N; j++) {
                uint64_t span = range.most[a] - range.least[a];
                places[a * RUGI_CELLS_BLOCK + j] =
                    range.least[a] +
                    (j == 0   ? 0
                     : j == 1 ? span
                              : test_below(&rng, span == UINT64_MAX ? span : span + 1));
            }
        }
        rugi_key_layout layout;
        rugi_key_layout_make(&layout, &range);
        assert_int_equal(layout.box_bits[0], 0);
        if (layout.bits > RUGI_KEY_BITS)
            continue;
        rugi_u128 wide[RUG_CPU_MAX + 1][N];
        for (int level = 0; level <= RUG_CPU_MAX; level++) {
            rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
            rugi_key_kernels kernels = rugi_key_kernels_choose(ctx);
            kernels.encode_u128(&layout, places, N, wide[level]);
            assert_memory_equal(wide[level], wide[0], sizeof wide[0]);
            memset(back, 0, sizeof back);
            kernels.decode_u128(&layout, wide[level], N, back);
            for (int a = 0; a < range.axes; a++)
                assert_memory_equal(back + a * RUGI_CELLS_BLOCK,
                                    places + a * RUGI_CELLS_BLOCK, N * sizeof *back);
            if (layout.bits > 64)
                continue;
            uint64_t narrow[N];
            kernels.encode_u64(&layout, places, N, narrow);
            for (int j = 0; j < N; j++)
                assert_true(narrow[j] == wide[0][j]);
            memset(back, 0, sizeof back);
            kernels.decode_u64(&layout, narrow, N, back);
            for (int a = 0; a < range.axes; a++)
                assert_memory_equal(back + a * RUGI_CELLS_BLOCK,
                                    places + a * RUGI_CELLS_BLOCK, N * sizeof *back);
        }
    }
    rug_context_free(ctx);
}

/* Images and volumes, sparse and dense, as the pyramid counts them. */
static test_counts count_image(rug_context *ctx, const rug_image *img,
                               const uint64_t *sizes, uint32_t n_sizes)
{
    static const rug_foreground nonzero = {RUG_FOREGROUND_NONZERO, 0, 0};
    rugi_predicate predicate = rugi_predicate_make(img->dtype, nonzero);
    test_counts r;
    memset(&r, 0, sizeof r);
    r.ndim = img->ndim;
    r.n_sizes = n_sizes;
    for (uint32_t i = 0; i < n_sizes; i++)
        r.counts[i].size = sizes != NULL ? sizes[i] : (uint64_t)1 << i;
    rugi_boxcount_job job = {img, NULL, predicate, RUG_BOXCOUNT_HOU};
    rug_boxcount_result view = result_view(&r);
    if (rugi_boxcount_count(ctx, &view, &job) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    keep_facts(&r, &view);
    assert_string_equal(r.engine, "cpu");
    return r;
}

static void check_any_sizes(rug_context *ctx, const rug_image *img)
{
    static const uint64_t sizes[] = {1, 2, 3, 5, 6, 7, 9, 12, 40, 1000, 1 << 20};
    test_counts r = count_image(ctx, img, sizes, 11);
    size_t n = 0, n_cells = (size_t)rug_image_pixels(img);
    test_pixel_at *cells = calloc(n_cells, sizeof *cells);
    assert_non_null(cells);
    size_t nz = img->ndim == 3 ? img->shape[0] : 1, ny = img->shape[img->ndim - 2];
    for (size_t z = 0; z < nz; z++)
        for (size_t y = 0; y < ny; y++)
            for (size_t x = 0; x < img->shape[img->ndim - 1]; x++)
                if (test_pixel(img, z, y, x) != 0) {
                    cells[n].at[0] = (wide_int)x;
                    cells[n].at[1] = (wide_int)y;
                    cells[n++].at[2] = (wide_int)z;
                }
    for (uint32_t i = 0; i < r.n_sizes; i++) {
        rug_box_count expected = {0};
        if (n > 0)
            expected = naive_boxes(cells, n, img->ndim, r.counts[i].size);
        assert_int_equal(r.counts[i].nonempty, expected.nonempty);
        assert_int_equal(r.counts[i].black, expected.black);
    }
    free(cells);
}

static void random_images(void **state)
{
    (void)state;
    static uint8_t cells[80 * 90 * 150];
    rug_context *ctx = test_context();
    uint64_t rng = 8;
    for (int i = 0; i < TEST_CASES(300); i++) {
        size_t nz = i % 2 ? 1 + test_below(&rng, 40) : 0;
        size_t ny = 1 + test_below(&rng, 60),
               nx = 1 + test_below(&rng, 300) / (1 + nz / 8);
        uint64_t one_in = 1 + test_below(&rng, (uint64_t)1 << test_below(&rng, 12));
        int dense = i % 3 == 0;
        size_t n = (nz > 0 ? nz : 1) * ny * nx;
        for (size_t k = 0; k < n; k++)
            cells[k] = (uint8_t)((test_below(&rng, one_in) == 0) ^ dense);
        rug_image img = test_u8(cells, nz, ny, nx);
        rug_context_set_threads(ctx, 1 + i % 4);
        rug_context_set_cpu_level(ctx, (rug_cpu_level)(i / 4 % (RUG_CPU_MAX + 1)));
        rug_foreground rule = {RUG_FOREGROUND_NONZERO, 0, 0};
        test_counts expected = must_count(ctx, &img, rule);
        test_counts r = count_image(ctx, &img, NULL, expected.n_sizes);
        assert_same_boxes(&r, &expected, "random image");
        if (i % 10 < 2)
            check_any_sizes(ctx, &img);
    }
    rug_context_free(ctx);
}

/* Strides of Fortran order and backwards, floats, and packed bits. */
static void other_images(void **state)
{
    (void)state;
    enum { NZ = 9, NY = 21, NX = 70 };
    static float cells[NZ * NY * NX];
    static uint8_t bits[NZ * NY * 9];
    rug_context *ctx = test_context();
    uint64_t rng = 3;
    for (int k = 0; k < NZ * NY * NX; k++)
        cells[k] = test_below(&rng, 6) == 0 ? (test_below(&rng, 2) ? -0.5f : NAN) : 0;
    for (size_t k = 0; k < sizeof bits; k++)
        bits[k] = (uint8_t)(test_random(&rng) & test_random(&rng));
    rug_image img = {.data = cells + NX - 1, .dtype = RUG_F32, .ndim = 3};
    img = (rug_image){
        cells + NX - 1, RUG_F32, 3, {NX, NY, NZ}, {-4, 4 * NX, 4 * NX * NY}, {0}, NULL};
    rug_foreground rule = {RUG_FOREGROUND_NONZERO, 0, 0};
    test_counts expected = must_count(ctx, &img, rule);
    test_counts r = count_image(ctx, &img, NULL, expected.n_sizes);
    assert_same_boxes(&r, &expected, "backwards");
    assert_int_equal(rug_image_view(ctx, &img, bits, RUG_BIT, 3, (size_t[]){NZ, NY, NX}),
                     RUG_OK);
    expected = must_count(ctx, &img, rule);
    r = count_image(ctx, &img, NULL, expected.n_sizes);
    assert_same_boxes(&r, &expected, "bits");
    rug_context_free(ctx);
}

static void failing_memory_of_images(void **state)
{
    (void)state;
    rug_image img = draw_shape(30, 40, 50, is_sierpinski);
    static const rug_foreground nonzero = {RUG_FOREGROUND_NONZERO, 0, 0};
    rugi_predicate predicate = rugi_predicate_make(img.dtype, nonzero);
    rug_status status = RUG_E_NOMEM;
    size_t k = 0;
    while (status != RUG_OK) {
        memory m = {.fail_at = ++k};
        rug_context *ctx = test_context();
        test_counts r = {.ndim = 3, .n_sizes = 2};
        r.counts[0].size = 1;
        r.counts[1].size = 3;
        memory_hook(ctx, &m);
        rugi_boxcount_job job = {&img, NULL, predicate, RUG_BOXCOUNT_HOU};
        rug_boxcount_result view = result_view(&r);
        status = rugi_boxcount_count(ctx, &view, &job);
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
        assert_true(status == RUG_OK || status == RUG_E_NOMEM);
        rug_context_free(ctx);
    }
    assert_in_range(k, 6, 40);
    free_shape(img);
}

/* Real surfaces, which lie unevenly in their volumes. How evenly the work lies is for the
 * bench to tell: on a busy machine a thread may begin late. */
static void real_volumes(void **state)
{
    (void)state;
    static const char *const names[] = {"bunny_surface_256", "bunny_solid_256",
                                        "bunny_surface_512"};
    if (test_shared_data() == NULL)
        skip();
    for (int i = 0; i < 3; i++) {
        char path[512];
        rug_file *file = NULL;
        rug_context *ctx = test_context();
        snprintf(path, sizeof path, "%s/volumes/%s.nii.gz", test_shared_data(), names[i]);
        if (rug_file_read(ctx, &file, path, NULL) != RUG_OK)
            fail_msg("%s", rug_context_error(ctx));
        const rug_image *img = rug_file_image(file);
        rug_foreground rule = {RUG_FOREGROUND_NONZERO, 0, 0};
        test_counts expected = must_count(ctx, img, rule);
        assert_int_equal(rug_context_set_threads(ctx, 2), RUG_OK);
        test_counts r = count_image(ctx, img, NULL, expected.n_sizes);
        assert_same_boxes(&r, &expected, names[i]);
        assert_true(r.busy_most > 0 && r.busy_least <= r.busy_most);
        rug_file_free(file);
        rug_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sets),
        cmocka_unit_test(filled_cubes),
        cmocka_unit_test(many_parts),
        cmocka_unit_test(keys_and_back),

        cmocka_unit_test(random_images),
        cmocka_unit_test(other_images),
        cmocka_unit_test(failing_memory_of_images),
        cmocka_unit_test(real_volumes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
