/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Notes of a stream: what is written comes back, the bytes are those of FORMAT.md, and what is damaged
 * is refused without a byte read beyond it. */

#include "support.h"

#include "ifs/stream/ifs_notes.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Writes notes to a block of exactly their bytes. */
static uint8_t *written(rug_context *ctx, const rug_ifs_notes *notes, size_t *n)
{
    assert_int_equal(rugi_ifs_notes_check(ctx, notes), RUG_OK);
    *n = rugi_ifs_notes_size(notes);
    uint8_t *bytes = malloc(*n + (*n == 0));
    assert_non_null(bytes);
    rugi_ifs_notes_write(bytes, notes);
    return bytes;
}

static rug_status read_copy(rug_context *ctx, rug_ifs_notes *out, const uint8_t *bytes,
                            size_t n)
{
    uint8_t *copy = malloc(n + (n == 0)); /* so that a byte too many is found */
    assert_non_null(copy);
    if (n > 0)
        memcpy(copy, bytes, n);
    rug_status status = rugi_ifs_notes_read(ctx, out, copy, n);
    out->icc = out->icc != NULL ? bytes + (out->icc - copy) : NULL;
    free(copy);
    return status;
}

static void assert_same(const rug_ifs_notes *a, const rug_ifs_notes *b)
{
    assert_int_equal(a->struct_size, b->struct_size);
    assert_int_equal(a->orientation, b->orientation);
    assert_int_equal(a->premultiplied, b->premultiplied);
    assert_memory_equal(a->spacing, b->spacing, sizeof a->spacing);
    assert_string_equal(a->unit, b->unit);
    assert_int_equal(a->icc_size, b->icc_size);
    assert_int_equal(a->icc != NULL, b->icc != NULL);
    if (a->icc_size > 0)
        assert_memory_equal(a->icc, b->icc, a->icc_size);
}

static rug_ifs_notes some_notes(uint64_t *seed, const uint8_t *profile, size_t n)
{
    static const char *const units[] = {"", "mm", "in", "a-unit-of-15-ch"};
    rug_ifs_notes notes = RUG_IFS_NOTES_INIT;
    if (test_below(seed, 2)) {
        notes.icc_size = 1 + (size_t)test_below(seed, n);
        notes.icc = profile;
    }
    notes.orientation = (int)test_below(seed, 9);
    notes.premultiplied = (int)test_below(seed, 2);
    if (test_below(seed, 2)) {
        notes.spacing[test_below(seed, 2)] = ldexp(1, (int)test_below(seed, 90) - 50) / 3;
        strcpy(notes.unit, units[test_below(seed, 4)]);
    }
    return notes;
}

static void notes_come_back(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    uint64_t seed = test_seed(ctx, 20261130, TEST_CASES(500));
    uint8_t profile[300];
    for (size_t i = 0; i < sizeof profile; i++)
        profile[i] = (uint8_t)test_below(&seed, 256);
    for (int i = 0; i < TEST_CASES(500); i++) {
        rug_ifs_notes notes = some_notes(&seed, profile, sizeof profile);
        rug_ifs_notes back = RUG_IFS_NOTES_INIT;
        size_t n;
        uint8_t *bytes = written(ctx, &notes, &n);
        assert_int_equal(read_copy(ctx, &back, bytes, n), RUG_OK);
        assert_same(&back, &notes);
        for (size_t cut = 1; cut < n;
             cut += 1 + cut / 16) { /* only whole chunks are read */
            rug_ifs_notes part = RUG_IFS_NOTES_INIT;
            if (read_copy(ctx, &part, bytes, cut) == RUG_OK)
                assert_int_equal(rugi_ifs_notes_size(&part), cut);
            else
                assert_int_equal(rugi_ifs_notes_size(&part), 0);
        }
        free(bytes);
    }
    rug_context_free(ctx);
}

static void bytes_are_those_of_the_format(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    static const uint8_t expected[] = {'O', 1,  0,    0, 0, 6, /* */
                                       'S', 18, 0,    0, 0, 0, 0, 0,    0,   0,
                                       0,   0,  0x40, /* 2, then 2^-15 */
                                       0,   0,  0,    0, 0, 0, 0, 0x3f, 'm', 'm', /* */
                                       'P', 1,  0,    0, 0, 1,                    /* */
                                       'I', 3,  0,    0, 0, 9, 8, 7};
    static const uint8_t profile[] = {9, 8, 7};
    rug_ifs_notes notes = {sizeof notes, profile, 3, {2, 0x1p-15}, "mm", 6, 1};
    size_t n;
    uint8_t *bytes = written(ctx, &notes, &n);
    assert_int_equal(n, sizeof expected);
    assert_memory_equal(bytes, expected, n);
    free(bytes);
    assert_int_equal(rugi_ifs_notes_size(NULL), 0);
    rug_context_free(ctx);
}

static void unknown_chunks_are_passed_over(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    static const uint8_t bytes[] = {'Z', 2,   0, 0, 0, 1, 2,   'O', 1, 0, 0, 0,
                                    3,   'Z', 0, 0, 0, 0, 'Z', 1,   0, 0, 0, 'O'};
    rug_ifs_notes back = RUG_IFS_NOTES_INIT;
    assert_int_equal(read_copy(ctx, &back, bytes, sizeof bytes), RUG_OK);
    assert_int_equal(back.orientation, 3);
    assert_int_equal(back.struct_size, sizeof back);
    rug_context_free(ctx);
}

static void damage_is_refused(void **unused)
{
    (void)unused;
    static const struct {
        uint8_t bytes[40];
        size_t n;
    } cases[] = {
        {"O", 1},                                                  /* no length */
        {"O\1\0\0", 4},                                            /* */
        {"O\1\0\0\0", 5},                                          /* nothing behind it */
        {"O\1\0\0\0\0", 6},                                        /* 0 */
        {"O\1\0\0\0\x09", 6},                                      /* 9 */
        {"O\2\0\0\0\1\1", 7},                                      /* two bytes */
        {"O\1\0\0\0\1O\1\0\0\0\1", 12},                            /* twice */
        {"P\1\0\0\0\0", 6},                                        /* */
        {"I\0\0\0\0", 5},                                          /* no profile */
        {"I\xff\xff\xff\xff\1", 6},                                /* 4 GiB */
        {"Z\2\0\0\0\1", 6},                                        /* cut off */
        {"S\x0f\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20},         /* 15 bytes */
        {"S\x10\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 21},       /* 0 and 0 */
        {"S\x10\0\0\0\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\xf0\x7f", 21}, /* infinite */
        {"S\x10\0\0\0\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\0\xc0", 21},   /* -2 */
        {"S\x11\0\0\0\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\0\x40\x1b", 22}, /* escape */
    };
    rug_context *ctx = test_context();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rug_ifs_notes back = RUG_IFS_NOTES_INIT;
        assert_int_equal(read_copy(ctx, &back, cases[i].bytes, cases[i].n), RUG_E_FORMAT);
        assert_int_equal(rugi_ifs_notes_size(&back), 0);
        assert_non_null(strstr(rug_context_error(ctx), "damaged"));
    }
    rug_context_free(ctx);
}

static void wrong_notes_are_refused(void **unused)
{
    (void)unused;
    static const uint8_t byte = 0;
    const rug_ifs_notes good = {sizeof good, &byte, 1, {1, 1}, "mm", 8, 0};
    rug_ifs_notes cases[8];
    rug_context *ctx = test_context();
    assert_int_equal(rugi_ifs_notes_check(ctx, &good), RUG_OK);
    for (size_t i = 0; i < 8; i++)
        cases[i] = good;
    cases[0].icc = NULL;
    cases[1].icc_size = 0;
    cases[2].icc_size = RUG_IFS_PROFILE_MAX + 1;
    cases[3].orientation = 9;
    cases[4].orientation = -1;
    cases[5].spacing[1] = INFINITY;
    memset(cases[6].unit, 'm', sizeof cases[6].unit); /* it has no end */
    strcpy(cases[7].unit, "m m");
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(rugi_ifs_notes_check(ctx, &cases[i]), RUG_E_ARG);
    rug_context_free(ctx);
}

/* ---- In streams ---- */

static rug_status coded(rug_context *ctx, rug_ifs_stream *out,
                        const rug_ifs_options *opts)
{
    static uint8_t pixels[40][50];
    for (int y = 0; y < 40; y++)
        for (int x = 0; x < 50; x++)
            pixels[y][x] = (uint8_t)(x * y % 200);
    rug_image image = test_u8(pixels[0], 0, 40, 50);
    return rug_ifs_compress(ctx, out, &image, 1, opts);
}

static void streams_carry_notes(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    uint8_t profile[1000];
    rug_ifs_stream plain, stream;
    rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
    rug_ifs_notes back = RUG_IFS_NOTES_INIT;
    const rug_ifs_notes notes = {
        sizeof notes, profile, sizeof profile, {1 / 300.0, 1 / 150.0}, "in", 7, 1};
    for (size_t i = 0; i < sizeof profile; i++)
        profile[i] = (uint8_t)(i * 31);
    assert_int_equal(coded(ctx, &plain, &opts), RUG_OK);
    assert_int_equal(rug_ifs_read_notes(ctx, &back, plain.bytes, plain.size), RUG_OK);
    assert_int_equal(rugi_ifs_notes_size(&back), 0);
    opts.notes = &notes;
    assert_int_equal(coded(ctx, &stream, &opts), RUG_OK);
    assert_true(stream.size >= plain.size + sizeof profile);
    assert_true(stream.size <= plain.size + sizeof profile + 64);
    assert_int_equal(rug_ifs_read_notes(ctx, &back, stream.bytes, stream.size), RUG_OK);
    assert_same(&back, &notes);
    assert_true(back.icc > stream.bytes && back.icc < stream.bytes + stream.size);
    uint8_t *in_profile = (uint8_t *)(uintptr_t)back.icc + 500;
    size_t behind = (size_t)(back.icc + back.icc_size - stream.bytes);
    assert_int_equal(rug_ifs_read_notes(ctx, &back, stream.bytes, behind), RUG_OK);
    assert_same(&back, &notes);
    assert_int_equal(rug_ifs_read_notes(ctx, &back, stream.bytes, behind - 1),
                     RUG_E_FORMAT);
    assert_null(back.icc);
    ++*in_profile;
    assert_int_equal(rug_ifs_read_notes(ctx, &back, stream.bytes, stream.size),
                     RUG_E_FORMAT);
    assert_non_null(strstr(rug_context_error(ctx), "checksum"));
    assert_int_equal(rug_ifs_read_notes(ctx, &back, NULL, 9), RUG_E_ARG);
    rug_ifs_stream_free(ctx, &plain);
    rug_ifs_stream_free(ctx, &stream);
    rug_context_free(ctx);
}

static void early_versions_refuse_notes(void **unused)
{
    (void)unused;
    rug_context *ctx = test_context();
    rug_ifs_notes notes = RUG_IFS_NOTES_INIT;
    rug_ifs_options opts = RUG_IFS_OPTIONS_INIT;
    rug_ifs_stream stream;
    opts.version = 1;
    opts.notes = &notes; /* which say nothing */
    assert_int_equal(coded(ctx, &stream, &opts), RUG_OK);
    rug_ifs_notes back = RUG_IFS_NOTES_INIT;
    assert_int_equal(rug_ifs_read_notes(ctx, &back, stream.bytes, stream.size), RUG_OK);
    assert_int_equal(rugi_ifs_notes_size(&back), 0);
    rug_ifs_stream_free(ctx, &stream);
    notes.orientation = 3;
    assert_int_equal(rug_ifs_check_options(ctx, &opts), RUG_E_ARG);
    assert_non_null(strstr(rug_context_error(ctx), "version 3"));
    opts.version = 0;
    assert_int_equal(rug_ifs_check_options(ctx, &opts), RUG_OK);
    notes.orientation = 10;
    assert_int_equal(rug_ifs_check_options(ctx, &opts), RUG_E_ARG);
    notes.struct_size = 3;
    assert_int_equal(rug_ifs_check_options(ctx, &opts), RUG_E_ARG);
    rug_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notes_come_back),
        cmocka_unit_test(bytes_are_those_of_the_format),
        cmocka_unit_test(unknown_chunks_are_passed_over),
        cmocka_unit_test(damage_is_refused),
        cmocka_unit_test(wrong_notes_are_refused),
        cmocka_unit_test(streams_carry_notes),
        cmocka_unit_test(early_versions_refuse_notes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
