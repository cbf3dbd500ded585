/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Streams of version 3 that are cut off or damaged: what is there is shown, or an error says what is
 * wrong, and memory stays small. */

#include "support.h"

#include "../ifs/ifs_compress_support.h"
#include "patches_support.h"

/* Streams of all kinds, small ones. */
enum { GREY, COLOURS, PROGRESSIVE, TILES, ALPHA, LOSSLESS, WIDE, N_STREAMS };

static rug_ifs_stream stream_of(rug_context *ctx, int kind)
{
    static const uint8_t profile[] = {'i', 'c', 'c'};
    rug_ifs_notes notes = {sizeof notes, profile, 3, {0.5, 0.25}, "mm", 3, 0};
    rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
    int n_planes = kind == GREY || kind == WIDE ? 1 : kind == ALPHA ? 4 : 3;
    picture p = picture_of(kind == LOSSLESS ? RAMP : EDGES, kind == TILES ? 300 : 75,
                           kind == TILES ? 40 : 58, n_planes, kind == WIDE ? 16 : 8);
    opts.effort = 1;
    if (kind == LOSSLESS) {
        opts.effort = 0;
        opts.lossless = 1;
    }
    opts.target_value = 25;
    if (kind == PROGRESSIVE || kind == TILES) {
        opts.progressive = 1;
        opts.chroma = RUG_IFS_CHROMA_420;
    }
    opts.tile = kind == TILES ? 256 : 0;
    opts.notes = kind == PROGRESSIVE ? &notes : NULL;
    rug_ifs_stream stream = must_compress(ctx, &p, &opts);
    picture_free(&p);
    return stream;
}

/* The bytes that no cut may reach: the header with its checksum. */
static size_t header_of(const rug_ifs_stream *s)
{
    size_t at, n = parts_of_header(s->bytes, &at);
    return at + 8 * n + 4;
}

/* Every cut of a stream: behind its header it gives a picture, and more bytes never show less. */
static void cuts(void **state)
{
    (void)state;
    rug_context *ctx = small_context();
    rug_ifs_decode_options partial = RUG_IFS_DECODE_OPTIONS_INIT;
    partial.partial = 1;
    for (int kind = 0; kind < N_STREAMS; kind++) {
        rug_ifs_stream s = stream_of(ctx, kind);
        rug_ifs_picture whole = must_decompress(ctx, &s), got = RUG_IFS_PICTURE_INIT;
        size_t header = header_of(&s), step = 1 + s.size / (size_t)(TEST_CASES(100));
        double last = 0;
        for (size_t n = 0; n < s.size; n += n < header ? 1 + header / 30 : step) {
            uint8_t *copy = malloc(n + 1);
            assert_non_null(copy);
            memcpy(copy, s.bytes, n);
            assert_int_equal(rug_ifs_decompress(ctx, &got, copy, n, NULL), RUG_E_FORMAT);
            rug_status status = rug_ifs_decompress(ctx, &got, copy, n, &partial);
            if (status != (n < header ? RUG_E_FORMAT : RUG_OK))
                fail_msg("stream %d cut to %zu: %s", kind, n, rug_context_error(ctx));
            if (status == RUG_OK) {
                assert_true(got.share >= last && got.share <= 1);
                assert_true(got.nx == whole.nx && got.n_planes == whole.n_planes);
                last = got.share;
            }
            rug_ifs_picture_free(ctx, &got);
            free(copy);
        }
        double least = step < s.size / 9 ? 0.3 : 0; /* a few cuts may end long before */
        assert_true(kind == LOSSLESS ? last == 0 : last > least);
        assert_int_equal(rug_ifs_decompress(ctx, &got, s.bytes, s.size, &partial),
                         RUG_OK);
        assert_true(got.share == 1 && whole.share == 1);
        assert_memory_equal(got.pixels, whole.pixels,
                            (size_t)got.nx * got.ny * (size_t)got.n_planes);
        rug_ifs_picture_free(ctx, &got);
        rug_ifs_picture_free(ctx, &whole);
        rug_ifs_stream_free(ctx, &s);
    }
    rug_context_free(ctx);
}

/* Of the three planes of a tile only the last is cut off with its last byte. */
static void planes_before_the_cut_are_whole(void **state)
{
    (void)state;
    rug_context *ctx = small_context();
    rug_ifs_decode_options partial = RUG_IFS_DECODE_OPTIONS_INIT;
    rug_ifs_picture got = RUG_IFS_PICTURE_INIT;
    partial.partial = 1;
    picture p = picture_of(EDGES, 200, 120, 3, 8);
    rug_ifs_stream s = must_compress(ctx, &p, NULL);
    assert_int_equal(rug_ifs_decompress(ctx, &got, s.bytes, s.size - 1, &partial),
                     RUG_OK);
    assert_true(got.share >= 2.0 / 3 && got.share < 1);
    rug_ifs_picture_free(ctx, &got);
    rug_ifs_stream_free(ctx, &s);
    picture_free(&p);
    rug_context_free(ctx);
}

/* A progressive stream without any of its tile is like the image, only softer; another one is
 * grey. */
static void small_picture_stands_in(void **state)
{
    (void)state;
    rug_context *ctx = small_context();
    rug_ifs_decode_options partial = RUG_IFS_DECODE_OPTIONS_INIT;
    partial.partial = 1;
    picture p = picture_of(RAMP, 200, 120, 3, 8);
    for (int progressive = 0; progressive < 2; progressive++) {
        rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
        rug_ifs_picture got = RUG_IFS_PICTURE_INIT;
        opts.progressive = progressive;
        rug_ifs_stream s = must_compress(ctx, &p, &opts);
        size_t tile = get_number(s.bytes + header_of(&s) - 12, 4), n = s.size - tile;
        assert_int_equal(rug_ifs_decompress(ctx, &got, s.bytes, n, &partial), RUG_OK);
        assert_true(got.share == 0);
        if (progressive)
            assert_true(psnr_of(&p, &got) > 30);
        for (int i = 0; i < 200 * 120 * 3 && !progressive; i++)
            assert_in_range(((uint8_t *)got.pixels)[i], 127, 129);
        rug_ifs_picture_free(ctx, &got);
        rug_ifs_stream_free(ctx, &s);
    }
    picture_free(&p);
    rug_context_free(ctx);
}

/* Whatever a stream says, calls end with a picture or a text, and ask for little. */
static void survive(rug_context *ctx, const uint8_t *bytes, size_t n, uint64_t *rng)
{
    static const double scales[] = {1, 1, 2, 0.6};
    rug_ifs_picture out = RUG_IFS_PICTURE_INIT;
    rug_ifs_notes notes = RUG_IFS_NOTES_INIT;
    rug_ifs_info info = RUG_IFS_INFO_INIT;
    rug_ifs_decode_options o = RUG_IFS_DECODE_OPTIONS_INIT;
    o.pixels_max = 1 << 17;
    o.scale = scales[test_below(rng, 4)];
    o.partial = (int)test_below(rng, 2);
    if (test_below(rng, 3) == 0) {
        o.crop_nx = o.crop_ny = 16;
        o.crop_x = (uint32_t)test_below(rng, 60);
    }
    rug_status status = rug_ifs_decompress(ctx, &out, bytes, n, &o);
    assert_true(status == RUG_OK || status == RUG_E_FORMAT || status == RUG_E_ARG);
    assert_true((status == RUG_OK) == (out.pixels != NULL));
    assert_true(status == RUG_OK || rug_context_error(ctx)[0] != '\0');
    rug_ifs_picture_free(ctx, &out);
    status = rug_ifs_read_notes(ctx, &notes, bytes, n);
    assert_true(status == RUG_OK || status == RUG_E_FORMAT);
    status = rug_ifs_read_info(ctx, &info, bytes, n);
    assert_true(status == RUG_OK || status == RUG_E_FORMAT);
}

static void damage(void **state)
{
    (void)state;
    rug_context *ctx = small_context();
    counted memory = {.limit = 16 << 20};
    uint64_t rng = test_seed(ctx, 30, TEST_CASES(900));
    rug_ifs_stream streams[N_STREAMS];
    for (int kind = 0; kind < N_STREAMS; kind++)
        streams[kind] = stream_of(ctx, kind);
    rug_context *limited = small_context();
    counted_hook(limited, &memory);
    for (int i = 0; i < TEST_CASES(900); i++) {
        const rug_ifs_stream *s = &streams[i % N_STREAMS];
        size_t n = test_below(&rng, 4) > 0 ? s->size : test_below(&rng, s->size + 1);
        uint8_t *copy = malloc(n + 1);
        assert_non_null(copy);
        memcpy(copy, s->bytes, n);
        for (uint64_t k = 1 + test_below(&rng, 3); k > 0 && n > 0; k--) {
            size_t room = test_below(&rng, 2) ? header_of(s) : n;
            copy[test_below(&rng, room < n ? room : n)] ^=
                (uint8_t)(1u << test_below(&rng, 8));
        }
        survive(limited, copy, n, &rng);
        mend_patches(copy, n);
        survive(limited, copy, n, &rng);
        free(copy);
    }
    assert_int_equal(atomic_load(&memory.now), 0);
    rug_context_free(limited);
    for (int kind = 0; kind < N_STREAMS; kind++)
        rug_ifs_stream_free(ctx, &streams[kind]);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts),
        cmocka_unit_test(planes_before_the_cut_are_whole),
        cmocka_unit_test(small_picture_stands_in),
        cmocka_unit_test(damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
