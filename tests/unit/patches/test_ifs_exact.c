/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Planes coded exactly: what is written is read, simple ones are small, and of damaged bytes
 * nothing comes but values within their bounds or an error. */

#include "support.h"

#include "ifs/exact/ifs_exact.h"
#include "memory_support.h"
#include <stdio.h>

typedef struct picture {
    rugi_ifs_exact_frame frame;
    int n_planes;
    int32_t *planes[RUGI_IFS_EXACT_PLANES];
} picture;

static picture picture_of(int n_planes, uint32_t ny, uint32_t nx, unsigned depth)
{
    picture p = {{nx, ny, {depth, depth, depth, depth}}, n_planes, {NULL}};
    for (int i = 0; i < n_planes; i++) {
        p.planes[i] = calloc((size_t)nx * ny, sizeof *p.planes[i]);
        assert_non_null(p.planes[i]);
    }
    return p;
}

static void picture_free(picture *p)
{
    for (int i = 0; i < p->n_planes; i++)
        free(p->planes[i]);
}

/* The bytes, to be released. */
static uint8_t *write_picture(rug_context *ctx, const picture *p, size_t *n)
{
    rugi_ifs_coder c;
    rugi_ifs_write_begin(&c, ctx);
    assert_int_equal(rugi_ifs_code_exact(ctx, &c, p->planes, p->n_planes, &p->frame),
                     RUG_OK);
    rugi_ifs_write_end(&c);
    assert_false(c.failed);
    *n = c.n_bytes;
    return c.bytes;
}

static rug_status read_picture(rug_context *ctx, picture *p, const uint8_t *bytes,
                               size_t n)
{
    rugi_ifs_coder c;
    rugi_ifs_read_begin(&c, bytes, n);
    return rugi_ifs_code_exact(ctx, &c, p->planes, p->n_planes, &p->frame);
}

/* Writes and reads it; returns its size. */
static size_t round_trip(const picture *p)
{
    rug_context *ctx = test_context();
    const size_t n = (size_t)p->frame.nx * p->frame.ny;
    picture copy = picture_of(p->n_planes, p->frame.ny, p->frame.nx, 1);
    size_t size;
    memcpy(copy.frame.depth, p->frame.depth, sizeof copy.frame.depth);
    uint8_t *bytes = write_picture(ctx, p, &size);
    assert_int_equal(read_picture(ctx, &copy, bytes, size), RUG_OK);
    for (int i = 0; i < p->n_planes; i++)
        assert_memory_equal(copy.planes[i], p->planes[i], n * sizeof(int32_t));
    rug_context_release(ctx, bytes);
    picture_free(&copy);
    rug_context_free(ctx);
    return size;
}

/* ---- Pictures ---- */

typedef enum kind { NOISE, FLAT, RAMP, WALK, SPARSE, BLOCKS, N_KINDS } kind;

static int32_t value_of(kind k, uint64_t *state, unsigned depth, uint32_t y, uint32_t x)
{
    const int32_t max = (1 << depth) - 1;
    const int32_t noise = (int32_t)test_below(state, (uint64_t)max + 1);
    switch (k) {
    case NOISE: return noise;
    case FLAT: return max;
    case RAMP: return (int32_t)(3 * x + 7 * y) & max;
    case WALK: return (int32_t)((64 * x + 32 * y + (uint32_t)noise / 8) >> 3) & max;
    case SPARSE: return (noise & 12) + (max - 15 > 0 ? max - 15 : 0);
    default: return (int32_t)((x / 9 + y / 7 * 3) * 11) & max;
    }
}

static void fill(picture *p, uint64_t *state)
{
    const uint32_t nx = p->frame.nx;
    for (int i = 0; i < p->n_planes; i++) {
        const kind k = (kind)test_below(state, N_KINDS);
        for (uint32_t y = 0; y < p->frame.ny; y++)
            for (uint32_t x = 0; x < nx; x++)
                p->planes[i][(size_t)y * nx + x] =
                    value_of(k, state, p->frame.depth[i], y, x) &
                    ((1 << p->frame.depth[i]) - 1);
    }
}

/* ---- Tests ---- */

static void test_random_pictures(void **unused)
{
    (void)unused;
    static const uint32_t sides[] = {1, 2, 3, 5, 31, 64, 65, 97};
    uint64_t state = 7;
    for (int i = 0; i < TEST_CASES(60); i++) {
        const uint32_t ny = sides[test_below(&state, 8)],
                       nx = sides[test_below(&state, 8)];
        picture p = picture_of(1 + (int)test_below(&state, 4), ny, nx, 1);
        for (int k = 0; k < p.n_planes; k++)
            p.frame.depth[k] = 1 + (unsigned)test_below(&state, 17);
        fill(&p, &state);
        round_trip(&p);
        picture_free(&p);
    }
}

static void test_long_rows(void **unused)
{
    (void)unused;
    uint64_t state = 11;
    picture row = picture_of(1, 1, 65535, 17), column = picture_of(1, 65535, 1, 9);
    fill(&row, &state);
    fill(&column, &state);
    round_trip(&row);
    round_trip(&column);
    picture_free(&row);
    picture_free(&column);
}

/* A colour picture whose planes move together, of which the noise is shared. */
static void test_planes_help_each_other(void **unused)
{
    (void)unused;
    uint64_t state = 3;
    picture p = picture_of(3, 64, 64, 9), alone = picture_of(1, 64, 64, 9);
    for (uint32_t i = 0; i < 64 * 64; i++) {
        const int32_t v = (int32_t)test_below(&state, 256);
        alone.planes[0][i] = p.planes[0][i] = v;
        p.planes[1][i] = 256 + v / 2;
        p.planes[2][i] = 511 - v;
    }
    assert_true(round_trip(&p) < 2 * round_trip(&alone));
    picture_free(&p);
    picture_free(&alone);
}

static void test_simple_ones_are_small(void **unused)
{
    (void)unused;
    picture flat = picture_of(1, 1024, 1024, 8), dot = picture_of(1, 1024, 1024, 8);
    picture disc = picture_of(1, 256, 256, 1), sparse = picture_of(1, 64, 64, 16);
    picture dense = picture_of(1, 64, 64, 12);
    uint64_t state = 5;
    for (int32_t i = 0; i < 1024 * 1024; i++)
        flat.planes[0][i] = dot.planes[0][i] = 200;
    dot.planes[0][500 * 1024 + 300] = 3;
    for (int32_t i = 0; i < 256 * 256; i++) {
        const int32_t x = i % 256 - 128, y = i / 256 - 128;
        disc.planes[0][i] = x * x + y * y < 10000;
    }
    for (int32_t i = 0; i < 64 * 64; i++) {
        dense.planes[0][i] = (int32_t)(2000 + test_below(&state, 64));
        sparse.planes[0][i] = dense.planes[0][i] << 4;
    }
    assert_true(round_trip(&flat) <= 8);
    assert_true(round_trip(&dot) <= 48);
    assert_true(round_trip(&disc) <= 200);
    assert_in_range(round_trip(&sparse), 0, round_trip(&dense) + 16);
    assert_true(round_trip(&dense) < 64 * 64 * 7 / 8);
    picture_free(&flat);
    picture_free(&dot);
    picture_free(&disc);
    picture_free(&sparse);
    picture_free(&dense);
}

/* The sum of the bytes of fixed pictures: they are the same for every compiler and machine, and
 * a change of the format does not go unseen. */
static void test_bytes_stay(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    uint64_t state = 99, sum = 0;
    for (int n_planes = 1; n_planes <= 4; n_planes++) {
        picture p = picture_of(n_planes, 40, 70, 9);
        size_t n;
        fill(&p, &state);
        uint8_t *bytes = write_picture(ctx, &p, &n);
        for (size_t i = 0; i < n; i++)
            sum = sum * 1099511628211u + bytes[i];
        rug_context_release(ctx, bytes);
        picture_free(&p);
    }
    rug_context_free(ctx);
    if (sum != 0xd0af4565816c6aa5u)
        fail_msg("the sum of the bytes is %llx", (unsigned long long)sum);
}

static void test_a_price_is_the_size(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    uint64_t state = 21;
    picture p = picture_of(3, 50, 60, 8);
    rugi_ifs_coder price;
    fill(&p, &state);
    rugi_ifs_price_begin(&price);
    assert_int_equal(rugi_ifs_code_exact(ctx, &price, p.planes, 3, &p.frame), RUG_OK);
    const double bytes = (double)price.price / 65536 / 8, size = (double)round_trip(&p);
    assert_true(bytes > size - 16 && bytes < size + 16);
    picture_free(&p);
    rug_context_free(ctx);
}

static void check_bounds(const picture *p)
{
    for (int i = 0; i < p->n_planes; i++)
        for (size_t k = 0; k < (size_t)p->frame.nx * p->frame.ny; k++)
            assert_in_range(p->planes[i][k], 0, (1 << p->frame.depth[i]) - 1);
}

static void test_damaged_bytes(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    uint64_t state = 13;
    int n_failed = 0;
    for (int i = 0; i < TEST_CASES(80); i++) {
        picture p = picture_of(1 + i % 4, 24, 40, 1 + (unsigned)i % 17);
        size_t n;
        fill(&p, &state);
        uint8_t *bytes = write_picture(ctx, &p, &n);
        for (int k = 0; k < 4 && n > 0; k++)
            bytes[test_below(&state, n)] ^= (uint8_t)(1u << test_below(&state, 8));
        const size_t cut = (size_t)test_below(&state, n + 1);
        n_failed += read_picture(ctx, &p, bytes, i % 2 ? n : cut) == RUG_E_FORMAT;
        check_bounds(&p);
        rug_context_release(ctx, bytes);
        picture_free(&p);
    }
    assert_true(n_failed > 0);
    rug_context_free(ctx);
}

static void test_rubbish(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    uint64_t state = 17;
    uint8_t bytes[4000];
    for (int i = 0; i < TEST_CASES(40); i++) {
        picture p = picture_of(1 + i % 4, 40, 40, 1 + (unsigned)i % 17);
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (uint8_t)test_below(&state, 256);
        (void)read_picture(ctx, &p, bytes, sizeof bytes);
        check_bounds(&p);
        picture_free(&p);
    }
    rug_context_free(ctx);
}

static void test_arguments(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    picture p = picture_of(1, 2, 2, 8);
    rugi_ifs_coder c;
    rugi_ifs_price_begin(&c);
    assert_int_equal(rugi_ifs_code_exact(ctx, &c, p.planes, 0, &p.frame), RUG_E_ARG);
    assert_int_equal(rugi_ifs_code_exact(ctx, &c, p.planes, 5, &p.frame), RUG_E_ARG);
    p.frame.depth[0] = 18;
    assert_int_equal(rugi_ifs_code_exact(ctx, &c, p.planes, 1, &p.frame), RUG_E_ARG);
    assert_non_null(strstr(rug_context_error(ctx), "18 bits given, 1..17 expected"));
    p.frame.depth[0] = 8;
    p.frame.ny = 65536;
    assert_int_equal(rugi_ifs_code_exact(ctx, &c, p.planes, 1, &p.frame), RUG_E_ARG);
    picture_free(&p);
    rug_context_free(ctx);
}

/* Whichever block is refused, the call says so and nothing is lost. */
static void test_memory_runs_out(void **unused)
{
    (void)unused;
    uint64_t state = 1;
    picture p = picture_of(3, 8, 8, 8);
    fill(&p, &state);
    rug_status status = RUG_E_NOMEM;
    for (size_t at = 1; status != RUG_OK && at < 100; at++) {
        memory m = {.fail_at = 0};
        rug_context *ctx = test_context();
        rug_allocator allocator = {memory_allocate, memory_release, &m};
        rug_context_set_allocator(ctx, &allocator);
        rugi_ifs_coder c;
        rugi_ifs_price_begin(&c);
        m.fail_at = atomic_load(&m.n_calls) + at;
        status = rugi_ifs_code_exact(ctx, &c, p.planes, 3, &p.frame);
        assert_true(status == RUG_OK || status == RUG_E_NOMEM);
        assert_int_equal(atomic_load(&m.n_live), 0);
        rug_context_free(ctx);
    }
    assert_int_equal(status, RUG_OK);
    picture_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_pictures),
        cmocka_unit_test(test_long_rows),
        cmocka_unit_test(test_planes_help_each_other),
        cmocka_unit_test(test_simple_ones_are_small),
        cmocka_unit_test(test_bytes_stay),
        cmocka_unit_test(test_a_price_is_the_size),
        cmocka_unit_test(test_damaged_bytes),
        cmocka_unit_test(test_rubbish),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
