/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Streams: what a header says, what is refused, and that stored ones decode to the
 * same pixels for ever. */

#include "support.h"

#include "ifs/stream/ifs_container.h"
#include "ifs_compress_support.h"
#include "ifs_stream_support.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void test_crc(void **unused)
{
    (void)unused;
    assert_int_equal(rugi_crc((const uint8_t *)"123456789", 9), 0xcbf43926);
    assert_int_equal(rugi_crc(NULL, 0), 0);
}

static void test_info(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    for (unsigned i = 0; i < N_HEADERS; i++) {
        rugi_ifs_header h = header_of(i);
        rug_ifs_stream stream = random_stream(ctx, &h, i);
        rug_ifs_info info = RUG_IFS_INFO_INIT;
        assert_int_equal(rug_ifs_read_info(ctx, &info, stream.bytes, stream.size),
                         RUG_OK);
        assert_int_equal(info.version, h.wraps ? 2 : 1);
        assert_int_equal(info.domain_wrap, h.wraps);
        assert_int_equal(info.nx, h.nx);
        assert_int_equal(info.ny, h.ny);
        assert_int_equal(info.n_planes, h.n_planes);
        assert_int_equal(info.depth, h.depth);
        assert_int_equal(info.partition, h.partition);
        assert_int_equal(info.range_min, h.range_size > 0 ? h.range_size : 4);
        assert_int_equal(info.range_max, h.range_size > 0 ? h.range_size : 32);
        assert_int_equal(info.domain_step, h.step);
        assert_int_equal(info.has_residual, h.has_residual);
        assert_true(info.quantiser_step == (h.has_residual ? h.delta[0] / 16.0 : 0));
        assert_int_equal(info.iterations, h.iterations);
        assert_int_equal(info.is_deblocked, h.deblock > 0);
        assert_int_equal(info.bytes, stream.size);
        rugi_ifs_header back;
        rugi_ifs_part parts[RUG_IFS_PLANES_MAX];
        assert_int_equal(
            rugi_ifs_container_read(ctx, &back, parts, stream.bytes, stream.size),
            RUG_OK);
        assert_int_equal(back.is_ycocg, h.is_ycocg);
        assert_int_equal(back.deblock, h.deblock);
        for (int k = 0; k < h.n_planes; k++) {
            assert_int_equal(back.delta[k], h.delta[k]);
            assert_int_equal(rugi_ifs_check_part(ctx, &parts[k], k), RUG_OK);
        }
        rug_ifs_stream_free(ctx, &stream);
        assert_null(stream.bytes);
    }
    rug_ifs_stream_free(ctx, NULL);
    rug_context_free(ctx);
}

/* The header's bytes are those of FORMAT.md. */
static void test_bytes(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    rugi_ifs_header h = {RUG_IFS_QUADTREE, 1, 16, 0, 1, 300, 513, 0, 12, 9, 4,
                         {0x12345},        0};
    static const uint8_t payload[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
    static const uint8_t header[] = {0x8a, 'R',  'F', 'I', 1, 0x28,
                                     9,    0x24, 44,  1,   1, 2,
                                     4,    32,   12,  0,   3, /* plane */ 0x45,
                                     0x23, 1,    13,  0,   0, 0};
    rugi_ifs_part part = {payload, sizeof payload, 0, 0};
    rug_ifs_stream s;
    assert_int_equal(rugi_ifs_container_write(ctx, &s, &h, &part), RUG_OK);
    assert_int_equal(s.size, 32 + sizeof payload);
    assert_memory_equal(s.bytes, header, sizeof header);
    assert_memory_equal(s.bytes + 32, payload, sizeof payload);
    rug_ifs_stream_free(ctx, &s);
    static const uint8_t fixed[] = {0x8a, 'R', 'F', 'I', 2, 0x41, 9, 0, 3,
                                    0,    3,   0,   3,   3, 5,    0, 6};
    h = (rugi_ifs_header){RUG_IFS_FIXED, 1, 8, 0, 0, 3, 3, 3, 5, 9, 0, {1}, 1};
    assert_int_equal(rugi_ifs_container_write(ctx, &s, &h, &part), RUG_OK);
    assert_memory_equal(s.bytes, fixed, sizeof fixed);
    rug_ifs_stream_free(ctx, &s);
    h = (rugi_ifs_header){RUG_IFS_QUADTREE, 1, 16, 0, 1, 300, 513, 0, 12, 9, 4, {5}, 0};
    part.n = 1; /* 10 x 17 blocks have at least 11 bytes */
    assert_int_equal(rugi_ifs_container_write(ctx, &s, &h, &part), RUG_OK);
    assert_int_equal(s.size, 32 + 11);
    assert_int_equal(s.bytes[32], 1);
    assert_int_equal(s.bytes[33], 0);
    rug_ifs_stream_free(ctx, &s);
    rug_context_free(ctx);
}

/* One byte of the header, with right checksums. */
static void refuse_byte(rug_context *ctx, const rug_ifs_stream *s, size_t at,
                        uint8_t byte, const char *text)
{
    uint8_t *copy = malloc(s->size);
    memcpy(copy, s->bytes, s->size);
    copy[at] = byte;
    mend_stream(copy, s->size);
    refuse(ctx, copy, s->size, text);
    free(copy);
}

static void test_refused(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    rugi_ifs_header h = header_of(0), fixed = header_of(5), overlap = header_of(6);
    rugi_ifs_header wraps = header_of(9);
    rug_ifs_stream s = random_stream(ctx, &h, 3), f = random_stream(ctx, &fixed, 4);
    rug_ifs_stream o = random_stream(ctx, &overlap, 5), w = random_stream(ctx, &wraps, 6);
    refuse(ctx, NULL, 0, "0 bytes that do not begin");
    refuse(ctx, (const uint8_t *)"P5 1 1 255\n0", 12, "do not begin");
    refuse(ctx, s.bytes, 4, "cut off");
    refuse(ctx, s.bytes, 31, "cut off");
    refuse(ctx, s.bytes, s.size - 1, "cut off");
    uint8_t *copy = calloc(s.size + 1, 1);
    memcpy(copy, s.bytes, s.size);
    refuse(ctx, copy, s.size + 1, "1 bytes follow");
    copy[20] ^= 1;
    refuse(ctx, copy, s.size, "checksum of the stream's header is wrong");
    free(copy);
    refuse_byte(ctx, &s, 4, 4, "version 4 given, 1..3 expected");
    refuse_byte(ctx, &s, 4, 0, "version 0");
    refuse_byte(ctx, &s, 5, 0x63, "mode");
    refuse_byte(ctx, &s, 5, 0x23, "mode");
    refuse_byte(ctx, &s, 5, 0x30, "mode");
    refuse_byte(ctx, &f, 5, 0x21, "mode");
    refuse_byte(ctx, &s, 4, 2, "mode in the header is not allowed in version 2");
    refuse_byte(ctx, &f, 4, 2, "mode in the header is not allowed in version 2");
    refuse_byte(ctx, &f, 5, 0x41, "mode in the header is not allowed in version 1");
    refuse_byte(ctx, &w, 4, 1, "mode in the header is not allowed in version 1");
    refuse_byte(ctx, &w, 5, 0x40, "mode in the header is not allowed in version 2");
    refuse_byte(ctx, &w, 5, 0xc1, "mode in the header is not allowed in version 2");
    refuse_byte(ctx, &s, 6, 0, "iterations");
    refuse_byte(ctx, &s, 6, 65, "iterations");
    refuse_byte(ctx, &s, 7, 4, "deblocking");
    refuse_byte(ctx, &f, 7, 1, "deblocking");
    refuse_byte(ctx, &s, 8, 0, "size");
    refuse_byte(ctx, &s, 12, 8, "range size");
    refuse_byte(ctx, &s, 13, 64, "range size");
    refuse_byte(ctx, &f, 12, 1, "range size");
    refuse_byte(ctx, &f, 13, 9, "range size");
    refuse_byte(ctx, &s, 14, 5, "domain step");
    refuse_byte(ctx, &s, 14, 0, "domain step");
    refuse_byte(ctx, &s, 15, 5, "domain step");
    refuse_byte(ctx, &s, 16, 6, "levels of s");
    refuse_byte(ctx, &s, 19, 0xff, "quantiser step");
    refuse_byte(ctx, &s, 23, 1, "cut off");
    refuse_byte(ctx, &o, 11, 0xff, "at least");
    rug_ifs_stream_free(ctx, &s);
    rug_ifs_stream_free(ctx, &f);
    rug_ifs_stream_free(ctx, &o);
    rug_ifs_stream_free(ctx, &w);
    rug_context_free(ctx);
}

/* A few bytes cannot ask for much memory. */
static void test_small_promise(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    uint8_t bytes[60] = {0x8a, 'R', 'F', 'I', 1, 0, 8,  0x20, 0xff, 0xff, 0xff,
                         0xff, 4,   32,  4,   0, 3, 16, 0,    0,    28};
    mend_stream(bytes, sizeof bytes);
    refuse(ctx, bytes, sizeof bytes, "262144");
    bytes[5] = 1; /* FIXED: a byte for each block */
    bytes[7] = 0;
    bytes[12] = bytes[13] = 32;
    bytes[16] = 6;
    mend_stream(bytes, sizeof bytes);
    refuse(ctx, bytes, sizeof bytes, "4194304");
    rug_context_free(ctx);
}

/* What a stream is trusted with: a flat image of 9600 x 9600 pixels in colours has 16929 bytes. */
static void test_trust(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    rugi_ifs_size h = {.nx = 9600, .ny = 9600, .n_planes = 3, .depth = 8};
    rugi_ifs_part part = {.n = 16000};
    assert_int_equal(rugi_ifs_check_pixels(ctx, &h, 16929, 0), RUG_OK);
    h.depth = 16;
    assert_int_equal(rugi_ifs_check_pixels(ctx, &h, 16929, 0), RUG_E_ARG);
    assert_non_null(strstr(rug_context_error(ctx), "276480000 in all planes"));
    assert_non_null(strstr(rug_context_error(ctx), "150000000 are decoded from 16929"));
    assert_int_equal(rugi_ifs_check_pixels(ctx, &h, 16929, 276480000), RUG_OK);
    assert_int_equal(rugi_ifs_check_pixels(ctx, &h, 67500, 0), RUG_OK);
    assert_int_equal(rugi_ifs_check_pixels(ctx, &h, 67499, 0), RUG_E_ARG);
    assert_true(rugi_ifs_tree_room(&part, 0) == ((size_t)64 << 20) + 16384000);
    assert_true(rugi_ifs_tree_room(&part, 1) == SIZE_MAX);
    rug_context_free(ctx);
}

/* What happens to a stream: never anything but a text, within memory. */
static void survive(rug_context *ctx, const uint8_t *bytes, size_t n, int is_whole)
{
    rug_ifs_picture got = RUG_IFS_PICTURE_INIT;
    rug_ifs_decode_options o = RUG_IFS_DECODE_OPTIONS_INIT;
    o.pixels_max = 1 << 16;
    rug_status status = rug_ifs_decompress(ctx, &got, bytes, n, &o);
    if (status == RUG_OK) {
        assert_true(is_whole);
        rug_ifs_picture_free(ctx, &got);
    } else {
        assert_true(status == RUG_E_FORMAT || status == RUG_E_ARG);
        assert_null(got.pixels);
        assert_true(rug_context_error(ctx)[0] != '\0');
    }
}

/* P72: a stream cut at each byte, and with each byte inverted; also with checksums that
 * were made right. */
static void test_damage(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    rug_context_set_threads(ctx, 1);
    for (unsigned i = 0; i < N_HEADERS; i++) {
        rugi_ifs_header h = header_of(i);
        h.iterations = 1;
        rug_ifs_stream s = random_stream(ctx, &h, 20 + i);
        size_t step = 1 + s.size / 400;
        for (size_t at = 0; at < s.size; at += at < 64 ? 1 : step) {
            uint8_t *copy = malloc(s.size);
            memcpy(copy, s.bytes, s.size);
            survive(ctx, copy, at, 0);
            copy[at] ^= 0xff;
            survive(ctx, copy, s.size, 0);
            mend_stream(copy, s.size);
            survive(ctx, copy, s.size, 1);
            free(copy);
        }
        rug_ifs_stream_free(ctx, &s);
    }
    rug_context_free(ctx);
}

/* Transforms that are counted, and compared with the blocks of the stream. */
typedef struct seen {
    size_t n, n_domains, stop_at;
    uint64_t area;
    const rugi_ifs_blocks *blocks;
} seen;

static rug_status see(void *user, const rug_ifs_transform *t)
{
    seen *s = user;
    assert_true(isnan(t->error) && t->symmetry < 8 && fabs(t->s) <= 1);
    if (s->blocks != NULL) {
        const rugi_ifs_block *b = &s->blocks->blocks[s->n];
        assert_true(t->range_x == b->x && t->range_y == b->y && t->plane == 0);
        assert_true(t->domain_x == b->domain_x && t->domain_y == b->domain_y);
        assert_true(t->has_domain == (b->k != 0) && t->s == b->k / 64.0);
        assert_true(t->mean == b->mean / 4.0 && t->symmetry == b->symmetry);
    }
    s->area += (uint64_t)t->size * t->size;
    s->n_domains += t->has_domain;
    return ++s->n == s->stop_at ? RUG_E_IO : RUG_OK;
}

static void test_transforms(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    for (unsigned i = 0; i < N_HEADERS; i++) {
        rugi_ifs_header h = header_of(i);
        rug_ifs_stream s = random_stream(ctx, &h, 40 + i);
        seen all = {0}, some = {.stop_at = 1};
        rugi_ifs_blocks blocks = {0};
        uint64_t state = 40 + i;
        uint32_t unit = h.range_size > 0 ? h.range_size : 32;
        uint64_t area = (uint64_t)((h.nx + unit - 1) / unit) *
                        ((h.ny + unit - 1) / unit) * unit * unit * (uint64_t)h.n_planes;
        if (h.partition != RUG_IFS_QUADTREE && h.n_planes == 1) {
            rugi_ifs_block_frame frame = rugi_ifs_block_frame_of(&h, 0);
            random_blocks(ctx, &blocks, &frame, &state);
            all.blocks = &blocks;
        }
        assert_int_equal(
            rug_ifs_read_transforms(ctx, s.bytes, s.size, 1 << 20, see, &all), RUG_OK);
        assert_int_equal(all.area, h.partition == RUG_IFS_OVERLAP ? 4 * area : area);
        assert_true(h.nx < 64 || all.n_domains > 0);
        assert_int_equal(
            rug_ifs_read_transforms(ctx, s.bytes, s.size, 1 << 20, see, &some), RUG_E_IO);
        assert_int_equal(some.n, 1);
        uint64_t n = (uint64_t)h.nx * h.ny * (uint64_t)h.n_planes;
        if (n > 1) /* 0 would be the default */
            assert_int_equal(
                rug_ifs_read_transforms(ctx, s.bytes, s.size, n - 1, see, &some),
                RUG_E_ARG);
        rugi_ifs_blocks_free(ctx, &blocks);
        rug_ifs_stream_free(ctx, &s);
    }
    assert_int_equal(rug_ifs_read_transforms(ctx, NULL, 0, 1, NULL, NULL), RUG_E_ARG);
    assert_int_equal(rug_ifs_read_info(ctx, NULL, NULL, 0), RUG_E_ARG);
    rug_context_free(ctx);
}

/* ---- Stored streams decode to the same pixels for ever ---- */

static size_t read_file(const char *name, uint8_t *bytes, size_t room)
{
    FILE *in = fopen(test_data(name), "rb");
    assert_non_null(in);
    size_t n = fread(bytes, 1, room, in);
    assert_int_equal(fclose(in), 0);
    return n;
}

static uint32_t decode(rug_context *ctx, const uint8_t *bytes, size_t n, double scale)
{
    rug_ifs_picture p = RUG_IFS_PICTURE_INIT;
    rug_ifs_decode_options o = RUG_IFS_DECODE_OPTIONS_INIT;
    o.scale = scale;
    assert_int_equal(rug_ifs_decompress(ctx, &p, bytes, n, &o), RUG_OK);
    uint32_t crc = rugi_crc(p.pixels, (size_t)p.nx * p.ny * (size_t)p.n_planes);
    rug_ifs_picture_free(ctx, &p);
    return crc;
}

static void test_stored(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        uint32_t plain, twice, less; /* CRC-32 of the pixels */
    } stored[] = {
        {"ifs/colour.rfi", 0x3e729910, 0xc227804f, 0x41abb375},
        {"ifs/domains.rfi", 0x163ca817, 0x1cd87f95, 0x0b6711b5},
        {"ifs/fixed.rfi", 0x80e07c6b, 0x06b5c97a, 0x813e1c78},
        {"ifs/overlap.rfi", 0xc1abdd66, 0x115c606d, 0x80b3d213},
        {"ifs/fixed_wrap.rfi", 0xa7530972, 0xeb5147de, 0xb427c926},
        {"ifs/overlap_wrap.rfi", 0x119eaeea, 0xdae9cef3, 0x9b1d197c},
    };
    uint8_t bytes[4096];
    rug_context *ctx = test_context();
    for (size_t i = 0; i < sizeof stored / sizeof stored[0]; i++)
        for (int level = RUG_CPU_REF; level <= RUG_CPU_MAX; level++) {
            size_t n = read_file(stored[i].name, bytes, sizeof bytes);
            rug_context_set_cpu_level(ctx, (rug_cpu_level)level);
            uint32_t plain = decode(ctx, bytes, n, 1), twice = decode(ctx, bytes, n, 2);
            uint32_t less = decode(ctx, bytes, n, 0.6);
            if (plain != stored[i].plain || twice != stored[i].twice ||
                less != stored[i].less)
                fail_msg("%s: %08x %08x %08x", stored[i].name, plain, twice, less);
        }
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crc),           cmocka_unit_test(test_info),
        cmocka_unit_test(test_bytes),         cmocka_unit_test(test_refused),
        cmocka_unit_test(test_small_promise), cmocka_unit_test(test_damage),
        cmocka_unit_test(test_transforms),    cmocka_unit_test(test_stored),
        cmocka_unit_test(test_trust),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
