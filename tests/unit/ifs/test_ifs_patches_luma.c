/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Colours of version 3: between pixels and samples, and predicted from luma. */

#include "support.h"

#include "ifs/patches/ifs_patch_predict.h"
#include <stdlib.h>

/* ---- Colours ---- */

/* 8 bits leave room for the quarters of Y and the halves of Cg, so nothing is lost. */
static void test_colours_return(void **unused)
{
    (void)unused;
    for (int32_t red = 0; red < 256; red += 15)
        for (int32_t green = 0; green < 256; green += 17)
            for (int32_t blue = 0; blue < 256; blue += 3) {
                const int32_t rgb[3] = {red, green, blue};
                int16_t samples[3];
                rugi_ifs_samples_of_colour(samples, rgb, 8);
                int32_t back[3] = {samples[0], samples[1], samples[2]};
                rugi_ifs_colour_of_samples(back, 8);
                for (int i = 0; i < 3; i++)
                    assert_int_equal(back[i], rgb[i]);
            }
}

/* Of 16 bits samples are coarser than pixels; what is beyond the range is its bound. */
static void test_colours_of_16_bits(void **unused)
{
    (void)unused;
    static const int32_t levels[] = {0, 1, 1000, 32768, 65534, 65535};
    for (int i = 0; i < 6 * 6 * 6; i++) {
        const int32_t rgb[3] = {levels[i % 6], levels[i / 6 % 6], levels[i / 36]};
        int16_t samples[3];
        rugi_ifs_samples_of_colour(samples, rgb, 16);
        int32_t back[3] = {samples[0], samples[1], samples[2]};
        rugi_ifs_colour_of_samples(back, 16);
        for (int k = 0; k < 3; k++)
            assert_in_range(back[k] - rgb[k] + 6, 0, 12);
    }
    int32_t above[3] = {RUGI_IFS_SAMPLE_MOST, RUGI_IFS_SAMPLE_MOST,
                        RUGI_IFS_SAMPLE_LEAST};
    rugi_ifs_colour_of_samples(above, 16);
    assert_int_equal(above[0], 65535);
    int32_t below[3] = {RUGI_IFS_SAMPLE_LEAST, 0, RUGI_IFS_SAMPLE_LEAST};
    rugi_ifs_colour_of_samples(below, 16);
    assert_int_equal(below[1], 0);
}

/* ---- Chroma from luma ---- */

#define SIDE   64 /* of the plane of chroma */
#define SLOPE  3  /* chroma is OFFSET + SLOPE / 8 luma */
#define OFFSET 700

typedef struct planes {
    int16_t chroma[2 * SIDE * 2 * SIDE], luma[4 * SIDE * 4 * SIDE];
    rugi_ifs_patch_plane plane;
    rugi_ifs_patch_tools tools;
    rugi_ifs_edges edges;
    int16_t out[64 * 64], scratch[64 * 64];
} planes;

/* Luma of noise, the same for all samples that are one of chroma. */
static planes *make_planes(rug_context *ctx, unsigned halved, unsigned octave)
{
    planes *p = calloc(1, sizeof *p);
    assert_non_null(p);
    size_t n = (size_t)SIDE << octave;
    uint32_t seed = 1;
    p->plane = (rugi_ifs_patch_plane){
        .frame = {.nx = SIDE, .ny = SIDE, .depth = 9, .has_luma = 1, .halved = halved},
        .samples = p->chroma,
        .pitch = n,
        .luma = p->luma,
        .luma_pitch = n << halved};
    assert_int_equal(rugi_ifs_patch_tools_new(ctx, &p->tools, octave), RUG_OK);
    for (size_t y = 0; y < n; y++)
        for (size_t x = 0; x < n; x++) {
            seed = seed * 1664525 + 1013904223;
            int32_t luma = ((int32_t)(seed >> 19) - 4096) / 8 * 8;
            p->chroma[y * n + x] = (int16_t)(OFFSET + SLOPE * luma / 8);
            for (size_t i = 0; i < (halved ? 4 : 1); i++)
                p->luma[((y << halved) + i / 2) * (n << halved) + (x << halved) + i % 2] =
                    (int16_t)luma;
        }
    return p;
}

static void predict(planes *p, rugi_ifs_patch *patch)
{
    rugi_ifs_read_edges(&p->edges, &p->plane, p->tools.octave, patch->x, patch->y,
                        patch->level);
    rugi_ifs_predict(p->out, p->scratch, &p->tools, &p->plane, &p->edges, patch);
}

static void assert_predicted(planes *p, uint32_t x, uint32_t y, unsigned level, int k)
{
    rugi_ifs_patch patch = {
        .x = x, .y = y, .level = (uint8_t)level, .kind = RUGI_IFS_LUMA, .k = (int8_t)k};
    unsigned octave = p->tools.octave;
    size_t n = (size_t)rugi_ifs_side(level) << octave, pitch = p->plane.pitch;
    predict(p, &patch);
    for (size_t i = 0; i < n * n; i++) {
        int32_t expected = p->chroma[(((size_t)y << octave) + i / n) * pitch +
                                     ((size_t)x << octave) + i % n];
        assert_in_range(p->out[i] - expected + 3, 0, 6);
    }
}

/* Chroma that is a line of luma is known once its edges are, without a slope in the stream (k 0)
 * and with it, at any size. */
static void test_lines_are_found(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    for (unsigned i = 0; i < 4; i++) {
        planes *p = make_planes(ctx, i % 2, i / 2);
        for (unsigned level = 0; level < RUGI_IFS_LEVELS; level++)
            for (int k = 0; k <= SLOPE; k += SLOPE) {
                assert_predicted(p, 32, 32, level, k);
                assert_predicted(p, 0, 32, level, k);
                assert_predicted(p, 32, 0, level, k);
            }
        rugi_ifs_patch_tools_free(ctx, &p->tools);
        free(p);
    }
    rug_context_free(ctx);
}

/* The first patch has no edges: luma about its own mean, and 0 where a slope would be fitted.
 * Edges without luma's detail have no slope, whatever chroma does there. */
static void test_nothing_to_fit(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    planes *p = make_planes(ctx, 0, 0);
    rugi_ifs_patch patch = {.level = 2, .kind = RUGI_IFS_LUMA, .k = 0};
    predict(p, &patch);
    for (int i = 0; i < 64; i++)
        assert_int_equal(p->out[i], 0);
    int32_t sum = 0;
    patch.k = 8;
    predict(p, &patch);
    for (int i = 0; i < 64; i++)
        sum += p->out[i];
    assert_in_range(sum + 64, 0, 128);
    assert_int_equal(p->out[1] - p->out[0], p->luma[1] - p->luma[0]);
    for (int i = 0; i < SIDE; i++)
        p->luma[31 * SIDE + i] = p->luma[i * SIDE + 31] = 500;
    patch = (rugi_ifs_patch){.x = 32, .y = 32, .level = 2, .kind = RUGI_IFS_LUMA, .k = 0};
    predict(p, &patch);
    for (int i = 1; i < 64; i++)
        assert_int_equal(p->out[i], p->out[0]);
    rugi_ifs_patch_tools_free(ctx, &p->tools);
    free(p);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_colours_return),
        cmocka_unit_test(test_colours_of_16_bits),
        cmocka_unit_test(test_lines_are_found),
        cmocka_unit_test(test_nothing_to_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
