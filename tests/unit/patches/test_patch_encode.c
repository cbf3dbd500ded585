/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Planes of patches: what the encoder leaves in its plane is what a decoder makes of its bytes, and its
 * kernels are the same on every CPU level. */

#include "support.h"

#include "ifs/patches/ifs_patch_decode.h"
#include "ifs/patches_encode/ifs_patch_encode.h"
#include "patches_support.h"

#define NX 128
#define NY 96

static int16_t original[NX * NY], made[NX * NY], decoded[NX * NY], luma[4 * NX * NY];

static void fill(int way, uint64_t seed)
{
    for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++) {
            int v =
                (x + 2 * y) / 7 % 2 * 9000 + (3 * x + y) / 29 % 2 * 5000 + 40 * x - 8000;
            if (way == 1)
                v = 90 * x + 60 * y - 9000;
            if (way == 2)
                v = (int)test_below(&seed, 32768) - 16384;
            original[y * NX + x] = rugi_ifs_clip(v);
        }
    for (int i = 0; i < 4 * NX * NY; i++)
        luma[i] = rugi_ifs_clip(2 * original[i / 2 / (2 * NX) * NX + i / 2 % NX] + 700);
}

static void there_and_back(rug_context *ctx, const rugi_ifs_patch_frame *frame,
                           unsigned effort)
{
    rugi_ifs_patch_tables *tables;
    rugi_ifs_coder coder;
    rugi_ifs_patch_plane plane = {*frame, made, NX, frame->has_luma ? luma : NULL,
                                  2 * NX};
    rugi_ifs_patch_map map, read;
    assert_int_equal(rugi_ifs_patch_tables_new(ctx, &tables), RUG_OK);
    assert_int_equal(rugi_ifs_patch_map_new(ctx, &map, NX, NY), RUG_OK);
    assert_int_equal(rugi_ifs_patch_map_new(ctx, &read, NX, NY), RUG_OK);
    for (int i = 0; i < NX * NY / 1024 && frame->has_offsets; i++)
        map.offsets[i] = (int8_t)(i * 7 % 37 - 18);
    rugi_ifs_patch_encoder e = {.ctx = ctx,
                                .tables = tables,
                                .plane = plane,
                                .original = original,
                                .map = map,
                                .effort = rugi_ifs_patch_effort_of(effort),
                                .lambda_factor = 0.07};
    rugi_ifs_write_begin(&coder, ctx);
    assert_int_equal(rugi_ifs_write_patches(&e, &coder), RUG_OK);
    rugi_ifs_write_end(&coder);
    plane.samples = decoded;
    rugi_ifs_patch_reading reading = {.tools = &tables->tools,
                                      .plane = &plane,
                                      .map = &read,
                                      .bytes = coder.bytes,
                                      .n_bytes = coder.n_bytes};
    memset(decoded, 0, sizeof decoded);
    assert_int_equal(rugi_ifs_read_patches(ctx, &reading), RUG_OK);
    assert_int_equal(reading.n_roots, NX * NY / 1024);
    assert_memory_equal(decoded, made, sizeof made);
    for (size_t i = 0; i < (size_t)map.nx * map.ny; i++) {
        rugi_ifs_patch_square a = map.squares[i], b = read.squares[i];
        assert_true(a.level == b.level && a.kind == b.kind && a.is_coded == b.is_coded);
        assert_true(a.kind != RUGI_IFS_ANGLE || a.angle == b.angle);
    }
    assert_memory_equal(read.offsets, map.offsets, NX * NY / 1024);
    rug_context_release(ctx, coder.bytes);
    rugi_ifs_patch_map_free(ctx, &map);
    rugi_ifs_patch_map_free(ctx, &read);
    rugi_ifs_patch_tables_free(ctx, tables);
}

/* Squared error in samples, a mean. */
static double error_of(void)
{
    double sum = 0;
    for (int i = 0; i < NX * NY; i++)
        sum += (double)(made[i] - original[i]) * (made[i] - original[i]);
    return sum / (NX * NY);
}

static void encoder_sees_what_is_decoded(void **state)
{
    (void)state;
    static const unsigned efforts[] = {1, 5, 9};
    rug_context *ctx = test_context();
    for (int i = 0; i < 18; i += TEST_STEP(TEST_RACES(7, 2))) {
        rugi_ifs_patch_frame frame = {.nx = NX, .ny = NY, .depth = 8, .delta = 160};
        int way = i / 6;
        frame.delta = i % 2 ? 12 : 400;
        frame.depth = i % 4 == 3 ? 9 : 8;
        frame.has_luma = i % 3 == 1;
        frame.halved = i % 6 == 1;
        frame.has_offsets = i % 4 == 0;
        fill(way, (uint64_t)i + 1);
        rug_context_set_threads(ctx, 1 + i % 4);
        there_and_back(ctx, &frame, efforts[i % 3]);
        /* an error of a step at most, but where steps differ */
        double step = frame.delta / 16.0 * 128 / (frame.depth == 9 ? 2 : 1);
        assert_true(error_of() < step * step * (frame.has_offsets ? 8 : 0.5));
    }
    rug_context_free(ctx);
}

static void kernels_of_levels_agree(void **state)
{
    (void)state;
    static int16_t a[32 * 32], b[32 * 32];
    static float x[32 * 32], y[32 * 32];
    rug_context *ctx = test_context();
    rugi_ifs_distance_kernels ref, fast;
    uint64_t rng = 3;
    rugi_ifs_set_distance_kernels(&ref, RUG_CPU_REF);
    for (rug_cpu_level cpu = RUG_CPU_REF; cpu <= rug_context_cpu_level(ctx); cpu++) {
        rugi_ifs_set_distance_kernels(&fast, cpu);
        for (uint32_t n = 4; n <= 32; n *= 2)
            for (int way = 0; way < 3; way++) {
                for (int i = 0; i < 32 * 32; i++) {
                    a[i] = (int16_t)(way == 0 ? 16383
                                              : (int)test_below(&rng, 32768) - 16384);
                    b[i] = (int16_t)(way == 0   ? -16384
                                     : way == 1 ? a[i]
                                                : (int)test_below(&rng, 32768) - 16384);
                }
                uint32_t distance = ref.hadamard(a, b, n);
                assert_int_equal(distance, fast.hadamard(a, b, n));
                assert_true((way == 1) == (distance == 0));
                ref.subtract(x, a, b, n * n);
                fast.subtract(y, a, b, n * n);
                assert_memory_equal(x, y, n * n * sizeof *x);
                for (uint32_t i = 0; i < n * n; i++)
                    assert_true(x[i] == (float)(a[i] - b[i]));
            }
    }
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(encoder_sees_what_is_decoded),
        cmocka_unit_test(kernels_of_levels_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
