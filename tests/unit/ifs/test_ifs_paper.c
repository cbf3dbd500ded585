/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Codes of the paper's modes: the decoder against one that is written from the
 * definition, and their calls. */

#include "support.h"

#include "ifs_paper_support.h"
#include "memory_support.h"

/* The transforms repeated in double precision, on [ny][nx] of the padded plane. */
static double *naive_decode(const rug_ifs_code *code, size_t n_grids, size_t ny,
                            size_t nx, size_t scale, int iterations)
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
        for (size_t i = 0; i < rug_ifs_code_count(code); i++) {
            const rug_ifs_transform *t = rug_ifs_code_at(code, i);
            size_t side = t->size * scale;
            naive_apply(made, t, pixels[0], ny, nx, scale);
            for (size_t c = 0; c < side * side; c++)
                pixels[1][(t->range_y * scale + c / side) % ny * nx +
                          (t->range_x * scale + c % side) % nx] +=
                    made[c] / (double)n_grids;
        }
        double *last = pixels[0];
        pixels[0] = pixels[1];
        pixels[1] = last;
    }
    free(pixels[1]);
    return pixels[0];
}

static void assert_decoded(rug_context *ctx, const gray *g, const rug_ifs_options *opts,
                           uint32_t scale)
{
    rug_ifs_code *code = must_find(ctx, &g->img, opts);
    rug_ifs_picture p = must_iterate(ctx, code, scale, 9);
    size_t ny = padded(g->ny, opts->range_size), nx = padded(g->nx, opts->range_size);
    size_t n_grids = opts->partition == RUG_IFS_OVERLAP ? 4 : 1;
    assert_int_equal(rug_ifs_code_count(code),
                     n_grids * ny * nx / (opts->range_size * opts->range_size));
    double *pixels = naive_decode(code, n_grids, ny * scale, nx * scale, scale, 9);
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

/* Any size of image and range; an odd range has a middle that isometries leave in place. */
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
            for (int wraps = 0; wraps < 2; wraps++) {
                rug_ifs_options opts =
                    paper_options(RUG_IFS_FIXED, ranges[r], 1 + (uint32_t)r);
                opts.domain_wrap = wraps;
                assert_decoded(ctx, &g, &opts, 1U << (i + r) % 3);
                opts.partition = RUG_IFS_OVERLAP;
                if (ranges[r] % 2 == 0)
                    assert_decoded(ctx, &g, &opts, 1U << i % 2);
            }
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
            for (size_t i = 0; i < 30 * 21; i++)
                pixels[i] = values[v];
            assert_int_equal(rug_image_view(ctx, &img, pixels, RUG_U16, 2, shape),
                             RUG_OK);
            rug_ifs_options opts =
                paper_options(k == 0 ? RUG_IFS_FIXED : RUG_IFS_OVERLAP, 4, 1);
            rug_ifs_code *code = must_find(ctx, &img, &opts);
            for (size_t i = 0; i < rug_ifs_code_count(code); i++) {
                const rug_ifs_transform *t = rug_ifs_code_at(code, i);
                assert_true(!t->has_domain && t->s == 0 && t->error == 0 &&
                            t->mean == values[v]);
            }
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
    for (int i = 0; i < 2; i++) {
        assert_int_equal(rug_ifs_code_count(other[i]), rug_ifs_code_count(code));
        for (size_t k = 0; k < rug_ifs_code_count(code); k++) {
            const rug_ifs_transform *t = rug_ifs_code_at(code, k),
                                    *u = rug_ifs_code_at(other[i], k);
            assert_true(t->domain_x == u->domain_x && t->domain_y == u->domain_y &&
                        t->symmetry == u->symmetry && t->s == u->s &&
                        t->mean == u->mean && t->error == u->error);
        }
        rug_ifs_code_free(other[i]);
    }
    rug_ifs_code_free(code);
    free(g.pixels);
    rug_context_free(ctx);
}

/* ---- Calls: frames, what is refused, failing memory, cancelling ---- */

typedef struct frames {
    uint32_t next, n_pixels, stop_at;
    int first, last; /* a pixel at the start and at the end */
} frames;

static rug_status see_frame(void *user, uint32_t iteration, const rug_ifs_picture *p)
{
    frames *f = user;
    assert_int_equal(iteration, f->next++);
    assert_int_equal(p->nx * p->ny, f->n_pixels);
    if (iteration == 0)
        f->first = ((const uint8_t *)p->pixels)[5];
    f->last = ((const uint8_t *)p->pixels)[5];
    return f->stop_at != 0 && iteration == f->stop_at ? RUG_E_IO : RUG_OK;
}

static void seeing_frames(void **state)
{
    (void)state;
    uint64_t rng = 45;
    rug_context *ctx = test_context();
    gray g = random_gray(&rng, 20, 24);
    rug_ifs_code *code = must_find(ctx, &g.img, NULL);
    frames f = {.n_pixels = 4 * 20 * 24};
    rug_ifs_picture p = RUG_IFS_PICTURE_INIT;
    assert_int_equal(rug_ifs_iterate(ctx, code, &p, 2, 6, see_frame, &f), RUG_OK);
    assert_int_equal(f.next, 7);
    assert_int_equal(f.first, 128);
    assert_int_equal(f.last, ((uint8_t *)p.pixels)[5]);
    rug_context_release(ctx, p.pixels);
    f = (frames){.n_pixels = 4 * 20 * 24, .stop_at = 3};
    assert_int_equal(rug_ifs_iterate(ctx, code, &p, 2, 6, see_frame, &f), RUG_E_IO);
    assert_int_equal(f.next, 4);
    assert_null(p.pixels);
    rug_ifs_code_free(code);
    free(g.pixels);
    rug_context_free(ctx);
}

static void refused(rug_context *ctx, const rug_image *img, const rug_ifs_options *opts,
                    const char *why)
{
    rug_ifs_code *code = (rug_ifs_code *)(uintptr_t)why;
    assert_int_equal(rug_ifs_find(ctx, &code, img, opts), RUG_E_ARG);
    assert_null(code);
    if (strstr(rug_context_error(ctx), why) == NULL)
        fail_msg("'%s' does not say '%s'", rug_context_error(ctx), why);
}

static void bad_calls(void **state)
{
    (void)state;
    uint64_t rng = 46;
    rug_context *ctx = test_context();
    gray g = random_gray(&rng, 20, 24);
    rug_image bad = g.img;
    rug_ifs_options good = paper_options(RUG_IFS_FIXED, 4, 4), o = good;
    refused(ctx, NULL, &good, "NULL");
    bad.dtype = RUG_F32;
    refused(ctx, &bad, &good, "f32");
    bad = test_u8(g.pixels, 2, 10, 24);
    refused(ctx, &bad, &good, "volume");
    bad = g.img;
    bad.shape[0] = 65536;
    bad.stride[0] = 0;
    refused(ctx, &bad, &good, "65536");
    o.partition = RUG_IFS_QUADTREE;
    refused(ctx, &g.img, &o, "partition");
    o = good, o.struct_size = 8;
    refused(ctx, &g.img, &o, "rug_ifs_options");
    o = good, o.search = RUG_IFS_SEARCH_FAST;
    refused(ctx, &g.img, &o, "search");
    o = good, o.range_size = 1;
    refused(ctx, &g.img, &o, "range size 1");
    o = good, o.range_size = 33;
    refused(ctx, &g.img, &o, "range size 33");
    o = good, o.range_size = 5, o.partition = RUG_IFS_OVERLAP;
    refused(ctx, &g.img, &o, "even");
    o = good, o.domain_step = 1025;
    refused(ctx, &g.img, &o, "domain step 1025");
    o = good, o.unused = 1;
    refused(ctx, &g.img, &o, "unused");
    static const double scales[] = {-1, 1.5, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        o = good, o.scale_max = scales[i];
        refused(ctx, &g.img, &o, "scale");
    }
    rug_ifs_code *code = must_find(ctx, &g.img, &good);
    rug_ifs_picture p = RUG_IFS_PICTURE_INIT;
    static const uint32_t bad_scales[] = {0, 3, 32, 1U << 31};
    for (int i = 0; i < 4; i++)
        assert_int_equal(rug_ifs_iterate(ctx, code, &p, bad_scales[i], 1, NULL, NULL),
                         RUG_E_ARG);
    assert_int_equal(rug_ifs_iterate(ctx, code, &p, 1, 0, NULL, NULL), RUG_E_ARG);
    assert_int_equal(rug_ifs_iterate(ctx, code, &p, 1, 65, NULL, NULL), RUG_E_ARG);
    assert_int_equal(rug_ifs_iterate(ctx, NULL, &p, 1, 1, NULL, NULL), RUG_E_ARG);
    assert_int_equal(rug_ifs_iterate(ctx, code, NULL, 1, 1, NULL, NULL), RUG_E_ARG);
    assert_int_equal(rug_ifs_iterate(NULL, code, &p, 1, 1, NULL, NULL), RUG_E_ARG);
    assert_null(p.pixels);
    assert_null(rug_ifs_code_at(code, rug_ifs_code_count(code)));
    rug_ifs_code_free(code);
    assert_int_equal(rug_ifs_find(NULL, &code, &g.img, NULL), RUG_E_ARG);
    assert_int_equal(rug_ifs_find(ctx, NULL, &g.img, NULL), RUG_E_ARG);
    rug_ifs_code_free(NULL);
    assert_null(rug_ifs_code_at(NULL, 0));
    assert_int_equal(rug_ifs_code_count(NULL), 0);
    free(g.pixels);
    rug_context_free(ctx);
}

/* All of it, with the k-th allocation failing, or cancelled at the k-th step. */
static rug_status whole(rug_context *ctx, const gray *g)
{
    rug_ifs_options opts = paper_options(RUG_IFS_OVERLAP, 4, 2);
    opts.domain_wrap = 1;
    rug_ifs_code *code;
    rug_ifs_picture p = RUG_IFS_PICTURE_INIT;
    rug_status status = rug_ifs_find(ctx, &code, &g->img, &opts);
    if (status != RUG_OK) {
        assert_null(code);
        return status;
    }
    status = rug_ifs_iterate(ctx, code, &p, 2, 4, NULL, NULL);
    assert_true((p.pixels == NULL) == (status != RUG_OK));
    rug_context_release(ctx, p.pixels);
    rug_ifs_code_free(code);
    return status;
}

static void failing_memory(void **state)
{
    (void)state;
    uint64_t rng = 47;
    gray g = random_gray(&rng, 20, 24);
    rug_status status = RUG_E_NOMEM;
    size_t n_fails = 0;
    while (status != RUG_OK) {
        memory m = {.fail_at = n_fails + 1};
        rug_context *ctx = test_context();
        memory_hook(ctx, &m);
        status = whole(ctx, &g);
        if (status != RUG_OK) {
            assert_int_equal(status, RUG_E_NOMEM);
            assert_string_not_equal(rug_context_error(ctx), "");
            n_fails++;
        }
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
        rug_context_free(ctx);
    }
    assert_in_range(n_fails, 15, 100);
    free(g.pixels);
}

static int count_down(void *user)
{
    int *left = user;
    return (*left)-- <= 0;
}

static void cancelling(void **state)
{
    (void)state;
    uint64_t rng = 48;
    gray g = random_gray(&rng, 20, 24);
    rug_status status = RUG_E_CANCELLED;
    int n = 0;
    while (status != RUG_OK) {
        rug_context *ctx = test_context();
        int left = n;
        rug_context_set_cancel(ctx, count_down, &left);
        status = whole(ctx, &g);
        assert_true(status == RUG_OK || status == RUG_E_CANCELLED);
        n++;
        rug_context_free(ctx);
    }
    assert_in_range(n, 10, 1000);
    free(g.pixels);
}

/* Ranges whose variance is at most the limit, and no others, lose their domain. */
static void shadows(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    gray g = new_gray(16, 16);
    /* ranges of 4 x 4 in which half the pixels are k higher have a variance of k² / 4 */
    for (size_t i = 0; i < 256; i++) {
        size_t range = i / 64 * 4 + i % 16 / 4;
        g.pixels[i] = (uint8_t)(100 + (i % 2 == 0 ? range : 0));
    }
    rug_ifs_options o = RUG_IFS_OPTIONS_INIT;
    o.partition = RUG_IFS_FIXED;
    o.range_size = 4;
    o.domain_step = 1;
    for (int limit = 0; limit < 3; limit++) {
        o.shadow_limit = limit == 0 ? 0 : limit == 1 ? 9 : 8.99; /* 6² / 4 = 9 */
        const size_t last = limit == 0 ? 0 : limit == 1 ? 6 : 5;
        rug_ifs_code *code = must_find(ctx, &g.img, &o);
        for (size_t i = 0; i < 16; i++) {
            const rug_ifs_transform *t = rug_ifs_code_at(code, i);
            assert_int_equal(t->has_domain, i > last);
            if (i <= last) {
                assert_true(t->s == 0);
                assert_true(t->mean == 100 + (double)i / 2);
                assert_true(t->error == 4 * (double)(i * i)); /* 16 pixels */
            }
        }
        rug_ifs_code_free(code);
    }
    o.shadow_limit = -1;
    rug_ifs_code *code;
    assert_int_equal(rug_ifs_find(ctx, &code, &g.img, &o), RUG_E_ARG);
    o.shadow_limit = NAN;
    assert_int_equal(rug_ifs_find(ctx, &code, &g.img, &o), RUG_E_ARG);
    free(g.pixels);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decoding),   cmocka_unit_test(sizes),
        cmocka_unit_test(borders),    cmocka_unit_test(flat),
        cmocka_unit_test(strides),    cmocka_unit_test(seeing_frames),
        cmocka_unit_test(bad_calls),  cmocka_unit_test(failing_memory),
        cmocka_unit_test(cancelling), cmocka_unit_test(shadows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
