/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The container of version 3: its bytes, its bounds one by one, and what a header may ask for. */

#include "support.h"

#include "../ifs/ifs_compress_support.h"
#include "patches_support.h"

/* A header of 300 x 130 pixels in tiles of 128, in colours of 16 bits with everything. */
static rugi_ifs_tiled full_header(rugi_ifs_part *tiles)
{
    static const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    rugi_ifs_tiled t = {.nx = 300,
                        .ny = 130,
                        .tile = 128,
                        .depth = 12,
                        .minimum = 700,
                        .is_16 = 1,
                        .is_colour = 1,
                        .has_alpha = 1,
                        .halved = 1,
                        .has_notes = 1,
                        .has_filters = 1,
                        .has_preview = 1,
                        .planes = {{0x12345, 3, 1}, {7, 15, 0}, {1, 0, 1}},
                        .notes = {bytes, 3, 0, 0},
                        .filters = {bytes, 1, 0, 0},
                        .preview = {bytes, 2, 0, 0},
                        .tiles = tiles};
    for (size_t i = 0; i < 6; i++)
        tiles[i] = (rugi_ifs_part){bytes + i, 7, 0, 0};
    return t;
}

static void bytes_are_those_of_the_format(void **state)
{
    (void)state;
    static const uint8_t header[] = {0x8a, 'R',  'F', 'I',  3, 0xfe, 12,   0,
                                     44,   1,    130, 0,    2, 0,    0xbc, 2, /* planes */
                                     0x45, 0x23, 1,   0x13, 7, 0,    0,    15,
                                     1,    0,    0,   0x10, /* notes */
                                     3,    0,    0,   0};
    rugi_ifs_part tiles[6];
    rugi_ifs_tiled t = full_header(tiles), back;
    rug_context *ctx = test_context();
    rug_ifs_stream s;
    assert_int_equal(rugi_ifs_tiled_write(ctx, &s, &t), RUG_OK);
    size_t n = 16 + 3 * 4 + 9 * 8 + 4;
    assert_int_equal(rugi_ifs_tiled_header_bytes(&t), n);
    assert_int_equal(s.size, n + 3 + 1 + 2 + 6 * 7);
    assert_memory_equal(s.bytes, header, sizeof header);
    assert_int_equal(get_number(s.bytes + 32, 4), rugi_crc((const uint8_t *)"\1\2\3", 3));
    assert_int_equal(get_number(s.bytes + 36, 4),
                     1); /* filters, then the small picture */
    assert_int_equal(get_number(s.bytes + 44, 4), 2);
    assert_int_equal(get_number(s.bytes + n - 4, 4), rugi_crc(s.bytes, n - 4));
    assert_memory_equal(s.bytes + n, "\1\2\3\1\1\2\1\2\3\4\5\6\7\2\3", 15);
    assert_int_equal(rugi_ifs_tiled_read(ctx, &back, s.bytes, s.size, 0), RUG_OK);
    assert_int_equal(back.planes[0].delta, 0x12345);
    assert_int_equal(back.planes[1].deblock, 15);
    assert_true(back.planes[2].has_offsets && !back.planes[1].has_offsets);
    assert_int_equal(back.tiles[5].n, 7);
    assert_ptr_equal(back.tiles[5].bytes, s.bytes + s.size - 7);
    rugi_ifs_tiled_free(ctx, &back);
    rug_ifs_stream_free(ctx, &s);
    rug_context_free(ctx);
}

static void what_info_says(void **state)
{
    (void)state;
    rugi_ifs_part tiles[6];
    rugi_ifs_tiled t = full_header(tiles);
    rug_context *ctx = test_context();
    rug_ifs_stream s;
    rug_ifs_info info = RUG_IFS_INFO_INIT;
    assert_int_equal(rugi_ifs_tiled_write(ctx, &s, &t), RUG_OK);
    for (int is_cut = 0; is_cut < 2; is_cut++) {
        size_t n = is_cut ? s.size - 30 : s.size;
        assert_int_equal(rug_ifs_read_info(ctx, &info, s.bytes, n), RUG_OK);
        assert_int_equal(info.bytes, n);
        assert_int_equal(info.version, 3);
        assert_true(info.nx == 300 && info.ny == 130 && info.n_planes == 4);
        assert_true(info.depth == 16 && info.has_alpha && !info.is_lossless);
        assert_true(info.range_min == 4 && info.range_max == 32 && info.has_residual);
        assert_true(info.chroma == RUG_IFS_CHROMA_420 && info.has_preview);
        assert_true(info.tile_nx == 128 && info.tile_ny == 128 && info.is_deblocked);
        assert_true(info.value_min == 700 && info.value_max == 700 + 4095);
        assert_true(info.quantiser_step == 0x12345 / 16.0);
    }
    rug_ifs_stream_free(ctx, &s);
    rug_context_free(ctx);
}

/* A byte of the header that is another one, with a right checksum. */
static void refuse_byte(rug_context *ctx, const rug_ifs_stream *s, size_t at,
                        uint8_t byte, const char *text)
{
    uint8_t *copy = malloc(s->size);
    size_t n = 16 + 3 * 4 + 9 * 8;
    assert_non_null(copy);
    memcpy(copy, s->bytes, s->size);
    copy[at] = byte;
    put_number(copy + n, rugi_crc(copy, n), 4);
    refuse(ctx, copy, s->size, text);
    free(copy);
}

static void bounds_one_by_one(void **state)
{
    (void)state;
    rugi_ifs_part tiles[6];
    rugi_ifs_tiled t = full_header(tiles);
    rug_context *ctx = test_context();
    rug_ifs_stream s;
    assert_int_equal(rugi_ifs_tiled_write(ctx, &s, &t), RUG_OK);
    refuse(ctx, s.bytes, 4, "cut off");
    refuse(ctx, s.bytes, 15, "cut off");
    refuse(ctx, s.bytes, 103, "cut off");
    refuse_byte(ctx, &s, 0, 0x8b, "do not begin");
    refuse_byte(ctx, &s, 4, 4, "version 4");
    refuse_byte(ctx, &s, 5, 0xff, "flags"); /* lossless, with filters and halved */
    refuse_byte(ctx, &s, 5, 0x11, "flags"); /* lossless and halved */
    refuse_byte(ctx, &s, 5, 0xfa, "flags"); /* grey and halved */
    refuse_byte(ctx, &s, 5, 0x81, "flags"); /* filters without loss */
    refuse_byte(ctx, &s, 6, 0, "depth");
    refuse_byte(ctx, &s, 6, 17, "depth");
    refuse_byte(ctx, &s, 5, 0xf6, "depth"); /* 12 bits in pixels of 8 */
    refuse_byte(ctx, &s, 7, 1, "flags");
    refuse_byte(ctx, &s, 19, 0x33, "plane");
    refuse_byte(ctx, &s, 18, 0x11, "quantiser step");
    refuse_byte(ctx, &s, 20, 0, "quantiser step");
    refuse_byte(ctx, &s, 13, 4, "tile");
    refuse_byte(ctx, &s, 52, 0, "at least 1 expected");
    rug_ifs_picture got = RUG_IFS_PICTURE_INIT;
    assert_int_equal(rug_ifs_decompress(ctx, &got, s.bytes, s.size - 1, NULL),
                     RUG_E_FORMAT);
    assert_non_null(strstr(rug_context_error(ctx), "151 of 152 bytes are there"));
    s.bytes[104] ^= 1; /* the notes alone: read_info does not look at them */
    rug_ifs_notes notes = RUG_IFS_NOTES_INIT;
    assert_int_equal(rug_ifs_read_notes(ctx, &notes, s.bytes, s.size), RUG_E_FORMAT);
    assert_non_null(strstr(rug_context_error(ctx), "checksum of the stream's notes"));
    s.bytes[40] ^= 1;
    refuse(ctx, s.bytes, s.size, "checksum of the stream's header");
    rug_ifs_stream_free(ctx, &s);
    rug_context_free(ctx);
}

/* Sides of 0, and a minimum beyond the type. */
static void sizes_and_minimum(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    for (int i = 0; i < 4; i++) {
        uint8_t bytes[40] = {0x8a, 'R', 'F', 'I', 3, 0, 8, 0, 1, 0, 1, 0, 1, 0, 0, 0, 16};
        static const uint8_t at[] = {8, 10, 12, 15};
        static const char *const texts[] = {"size", "size", "tile", "minimum"};
        bytes[at[i]] = i == 3;
        mend_patches(bytes, 32);
        put_number(bytes + 28, rugi_crc(bytes, 28), 4);
        refuse(ctx, bytes, sizeof bytes, texts[i]);
    }
    rug_context_free(ctx);
}

/* A few bytes cannot ask for much memory: each tile has a byte for 16 roots, each 8 in the header. */
static void small_promise(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    uint8_t bytes[80] = {0x8a, 'R', 'F', 'I', 3, 0,  8, 0, 0xff, 0xff, 0xff,
                         0xff, 0,   4,   0,   0, 16, 0, 0, 0,    48};
    put_number(bytes + 28, rugi_crc(bytes, 28), 4);
    refuse(ctx, bytes, sizeof bytes, "at least 262144 expected");
    put_number(bytes + 12, 1, 2);
    refuse(ctx, bytes, sizeof bytes, "8388632"); /* 1024² tiles */
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_those_of_the_format),
        cmocka_unit_test(what_info_says),
        cmocka_unit_test(bounds_one_by_one),
        cmocka_unit_test(sizes_and_minimum),
        cmocka_unit_test(small_promise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
