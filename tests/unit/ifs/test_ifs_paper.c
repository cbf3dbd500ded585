/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Codes of the paper's modes and their decoder: sizes, types, strides, the decoder against
 * one that is written from the definition. */

#include "support.h"

#include "ifs_paper_support.h"

/* The transforms repeated in double precision, on [ny][nx] of the padded plane. */
static double *naive_decode(const rug_ifs_transform *t, size_t n, size_t n_grids,
                            size_t ny, size_t nx, size_t scale, int iterations)
{
    static double made[512 * 512];
    double *pixels[2];
    for (int i = 0; i < 2; i++) {
        pixels[i] = calloc(ny * nx, sizeof(double));
        assert_non_null(pixels[i]);
    }
    for (size_t i = 0; i < ny * nx; i++)
        pixels[0][i] = 128;
    for (int k = 0; k < iterations; k++) {
        memset(pixels[1], 0, ny * nx * sizeof(double));
        for (size_t i = 0; i < n; i++) {
            size_t side = t[i].size * scale;
            naive_apply(made, &t[i], pixels[0], nx, scale);
            for (size_t c = 0; c < side * side; c++)
                pixels[1][(t[i].range_y * scale + c / side) % ny * nx +
                          (t[i].range_x * scale + c % side) % nx] +=
                    made[c] / (double)n_grids;
        }
        double *last = pixels[0];
        pixels[0] = pixels[1];
        pixels[1] = last;
    }
    free(pixels[1]);
    return pixels[0];
}

static size_t padded(size_t n, size_t size)
{
    size_t whole = (n + size - 1) / size * size;
    return whole < 2 * size ? 2 * size : whole;
}

static void assert_decoded(rug_context *ctx, const gray *g, const rug_ifs_options *opts,
                           uint32_t scale)
{
    rug_ifs_code *code = must_find(ctx, &g->img, opts);
    rug_ifs_picture p = must_iterate(ctx, code, scale, 9);
    size_t n, ny = padded(g->ny, opts->range_size), nx = padded(g->nx, opts->range_size);
    const rug_ifs_transform *t = rug_ifs_code_transforms(code, &n);
    size_t n_grids = opts->partition == RUG_IFS_OVERLAP ? 4 : 1;
    assert_int_equal(n, n_grids * ny * nx / (opts->range_size * opts->range_size));
    double *pixels = naive_decode(t, n, n_grids, ny * scale, nx * scale, scale, 9);
    assert_int_equal(p.nx, g->nx * scale);
    assert_int_equal(p.ny, g->ny * scale);
    assert_int_equal(p.dtype, RUG_U8);
    for (size_t y = 0; y < p.ny; y++)
        for (size_t x = 0; x < p.nx; x++) {
            double v = fmin(fmax(pixels[y * nx * scale + x], 0), 255);
            if (fabs(((uint8_t *)p.pixels)[y * p.nx + x] - v) > 0.501)
                fail_msg("%zux%zu scale %u: pixel (%zu, %zu) is %u, not %g", g->ny, g->nx,
                         scale, y, x, ((uint8_t *)p.pixels)[y * p.nx + x], v);
        }
    free(pixels);
    rug_context_release(ctx, p.pixels);
    rug_ifs_code_free(code);
}

/* Any size of image and range; an odd range has a middle that turning leaves in place. */
static void decoding(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{64, 64}, {17, 13}, {1, 1},
                                      {3, 90},  {40, 5},  {8, 8}};
    static const uint32_t ranges[] = {2, 3, 4, 5, 8, 12};
    uint64_t rng = 42;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (size_t r = 0; r < sizeof ranges / sizeof ranges[0]; r++) {
            rug_context *ctx = test_context();
            gray g = random_gray(&rng, sizes[i][0], sizes[i][1]);
            rug_context_set_threads(ctx, 1 + (int)(i + r) % 4);
            rug_ifs_options opts =
                paper_options(RUG_IFS_FIXED, ranges[r], 1 + (uint32_t)r);
            assert_decoded(ctx, &g, &opts, 1U << (i + r) % 3);
            opts.partition = RUG_IFS_OVERLAP;
            if (ranges[r] % 2 == 0)
                assert_decoded(ctx, &g, &opts, 1U << i % 2);
            free(g.pixels);
            rug_context_free(ctx);
        }
}

/* The decoded picture has the size of the image, whatever that is, or so many times it. */
static void sizes(void **state)
{
    (void)state;
    static const size_t shapes[][2] = {{64, 64}, {17, 13}, {1, 1}, {640, 1}, {1, 640}};
    uint64_t rng = 43;
    rug_context *ctx = test_context();
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        gray g = random_gray(&rng, shapes[i][0], shapes[i][1]);
        rug_ifs_code *code = must_find(ctx, &g.img, NULL);
        for (uint32_t scale = 1; scale <= 16; scale *= 2) {
            rug_ifs_picture p = must_iterate(ctx, code, scale, 1);
            assert_int_equal(p.ny, shapes[i][0] * scale);
            assert_int_equal(p.nx, shapes[i][1] * scale);
            rug_context_release(ctx, p.pixels);
        }
        rug_ifs_code_free(code);
        free(g.pixels);
    }
    rug_context_free(ctx);
}

/* The root mean squared error of pixels within `edge` of the border, or of all others. */
static double rms_of(const gray *g, const uint8_t *made, size_t edge, int at_border)
{
    double sum = 0, n = 0;
    for (size_t y = 0; y < g->ny; y++)
        for (size_t x = 0; x < g->nx; x++) {
            int is_border =
                y < edge || x < edge || g->ny - y <= edge || g->nx - x <= edge;
            double d = (double)made[y * g->nx + x] - g->pixels[y * g->nx + x];
            sum += is_border == at_border ? d * d : 0;
            n += is_border == at_border;
        }
    return sqrt(sum / n);
}

/* A smooth gradient whose sides are no multiples of the range: as good at the border as
 * inside, up to the half level that rounding is. */
static void borders(void **state)
{
    (void)state;
    static const size_t shapes[][2] = {{63, 65}, {107, 205}, {33, 70}};
    rug_context *ctx = test_context();
    for (size_t i = 0; i < 3; i++) {
        gray g = new_gray(shapes[i][0], shapes[i][1]);
        for (size_t c = 0; c < g.ny * g.nx; c++)
            g.pixels[c] =
                (uint8_t)((c / g.nx + 2 * (c % g.nx)) * 200 / (g.ny + 2 * g.nx));
        rug_ifs_options opts = paper_options(RUG_IFS_FIXED, 4, 1);
        rug_ifs_code *code = must_find(ctx, &g.img, &opts);
        rug_ifs_picture p = must_iterate(ctx, code, 1, 20);
        double border = rms_of(&g, p.pixels, 4, 1), inside = rms_of(&g, p.pixels, 4, 0);
        if (border > 2 * inside + 0.5)
            fail_msg("%zux%zu: %g at the border, %g inside", g.ny, g.nx, border, inside);
        rug_context_release(ctx, p.pixels);
        rug_ifs_code_free(code);
        free(g.pixels);
    }
    rug_context_free(ctx);
}

/* Pixels of a flat image stay what they are, in every type, at every size. */
static void flat(void **state)
{
    (void)state;
    static uint16_t pixels[30 * 21];
    const size_t shape[2] = {30, 21};
    static const uint16_t values[] = {0, 1, 77, 128, 40000, 65535};
    rug_context *ctx = test_context();
    for (size_t v = 0; v < sizeof values / sizeof values[0]; v++)
        for (int k = 0; k < 2; k++) {
            rug_image img;
            size_t n;
            for (size_t i = 0; i < 30 * 21; i++)
                pixels[i] = values[v];
            assert_int_equal(rug_image_view(ctx, &img, pixels, RUG_U16, 2, shape),
                             RUG_OK);
            rug_ifs_options opts =
                paper_options(k == 0 ? RUG_IFS_FIXED : RUG_IFS_OVERLAP, 4, 1);
            rug_ifs_code *code = must_find(ctx, &img, &opts);
            const rug_ifs_transform *t = rug_ifs_code_transforms(code, &n);
            for (size_t i = 0; i < n; i++)
                assert_true(!t[i].has_domain && t[i].s == 0 && t[i].error == 0 &&
                            t[i].mean == values[v]);
            rug_ifs_picture p = must_iterate(ctx, code, 2, 3);
            assert_int_equal(p.dtype, RUG_U16);
            for (size_t i = 0; i < 4 * 30 * 21; i++)
                assert_int_equal(((uint16_t *)p.pixels)[i], values[v]);
            rug_context_release(ctx, p.pixels);
            rug_ifs_code_free(code);
        }
    rug_context_free(ctx);
}

/* Padded rows, pixels apart, backwards, unaligned, 16 bits: the same transforms. */
static void strides(void **state)
{
    (void)state;
    enum { NY = 21, NX = 34 };
    static uint8_t wide[NY * (NX * 3 + 5) + 1];
    static uint8_t deep[NY * (NX * 2 + 3) + 1];
    uint64_t rng = 44;
    rug_context *ctx = test_context();
    gray g = random_gray(&rng, NY, NX);
    const ptrdiff_t row = NX * 3 + 5, deep_row = NX * 2 + 3;
    for (ptrdiff_t y = 0; y < NY; y++)
        for (ptrdiff_t x = 0; x < NX; x++) {
            uint16_t v = g.pixels[y * NX + x];
            wide[(NY - 1 - y) * row + 3 * x] = (uint8_t)v;
            memcpy(&deep[1 + y * deep_row + 2 * (NX - 1 - x)], &v, 2);
        }
    rug_image a = g.img, b = g.img;
    a.data = wide + (NY - 1) * row;
    a.stride[0] = -row;
    a.stride[1] = 3;
    b.dtype = RUG_U16;
    b.data = deep + 1 + 2 * (NX - 1);
    b.stride[0] = deep_row;
    b.stride[1] = -2;
    rug_ifs_options opts = paper_options(RUG_IFS_OVERLAP, 4, 3);
    rug_ifs_code *code = must_find(ctx, &g.img, &opts);
    rug_ifs_code *other[2] = {must_find(ctx, &a, &opts), must_find(ctx, &b, &opts)};
    size_t n, m;
    const rug_ifs_transform *t = rug_ifs_code_transforms(code, &n);
    for (int i = 0; i < 2; i++) {
        const rug_ifs_transform *u = rug_ifs_code_transforms(other[i], &m);
        assert_int_equal(m, n);
        for (size_t k = 0; k < n; k++)
            assert_true(t[k].domain_x == u[k].domain_x &&
                        t[k].domain_y == u[k].domain_y &&
                        t[k].symmetry == u[k].symmetry && t[k].s == u[k].s &&
                        t[k].mean == u[k].mean && t[k].error == u[k].error);
        rug_ifs_code_free(other[i]);
    }
    rug_ifs_code_free(code);
    free(g.pixels);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decoding), cmocka_unit_test(sizes),   cmocka_unit_test(borders),
        cmocka_unit_test(flat),     cmocka_unit_test(strides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
