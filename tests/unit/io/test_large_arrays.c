/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Arrays that several threads read, each a piece: the same pixels for any number of threads, and files
 * that shrink while they are read. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include "npy_support.h"
#include "support.h"
#include <unistd.h>
#include <zlib.h>

/* The largest file has three pieces of 4 MiB and a rest; the layers do not end where pieces do. */
#define N_LAYERS 7
#define N_ROWS   601
#define N_BYTES  ((size_t)N_LAYERS * N_ROWS * 3200)
#define HEADER   128

static unsigned char *noise(size_t n)
{
    uint64_t seed = 5;
    unsigned char *bytes = malloc(n);
    assert_non_null(bytes);
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)test_random(&seed);
    return bytes;
}

/* Writes an array of N_BYTES bytes. */
static const char *put_array(scratch *here, const char *descr, size_t size,
                             const unsigned char *pixels)
{
    char shape[64], header[HEADER];
    snprintf(shape, sizeof shape, "(%d, %d, %zu)", N_LAYERS, N_ROWS, 3200 / size);
    const char *text = dictionary(descr, "False", shape);
    memset(header, ' ', HEADER);
    memcpy(header, "\x93NUMPY\x01\0\x76\0", 10);
    memcpy(header + 10, text, strlen(text));
    FILE *out = fopen(scratch_path(here, "a.npy"), "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(header, 1, HEADER, out), HEADER);
    assert_int_equal(fwrite(pixels, 1, N_BYTES, out), N_BYTES);
    assert_int_equal(fclose(out), 0);
    return here->path;
}

static void set_threads(int n)
{
    assert_int_equal(rug_context_set_threads(ctx, n), RUG_OK);
}

/* What the file stores is what is read, but for the order of bytes. */
static void bytes_of_numbers(void **state)
{
    static const struct {
        const char *little, *big;
        size_t size;
    } types[] = {{"'|u1'", "'|u1'", 1},
                 {"'<i2'", "'>i2'", 2},
                 {"'<u4'", "'>u4'", 4},
                 {"'<f4'", "'>f4'", 4},
                 {"'<u8'", "'>u8'", 8}};
    unsigned char *little = noise(N_BYTES), *big = malloc(N_BYTES);
    assert_non_null(big);
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        const size_t size = types[t].size;
        for (size_t i = 0; i < N_BYTES; i++)
            big[i - i % size + size - 1 - i % size] = little[i];
        for (int threads = 1; threads <= 5; threads += 2)
            for (int is_big = 0; is_big < 2; is_big++) {
                rug_file *file;
                set_threads(threads);
                put_array(*state, is_big ? types[t].big : types[t].little, size,
                          is_big ? big : little);
                assert_int_equal(
                    rug_file_read(ctx, &file, ((scratch *)*state)->path, NULL), RUG_OK);
                assert_memory_equal(rug_file_image(file)->data, little, N_BYTES);
                rug_file_free(file);
            }
    }
    free(little);
    free(big);
}

/* Values that change are the same whole, slab by slab, and for any number of threads. */
static void converted(void **state)
{
    unsigned char *pixels = noise(N_BYTES);
    put_array(*state, "'>f2'", 2, pixels);
    set_threads(1);
    rug_file *one = must_read(((scratch *)*state)->path, NULL);
    for (int threads = 2; threads <= 4; threads++) {
        set_threads(threads);
        rug_file *file;
        assert_int_equal(rug_file_read(ctx, &file, ((scratch *)*state)->path, NULL),
                         RUG_OK);
        assert_memory_equal(rug_file_image(file)->data, rug_file_image(one)->data,
                            2 * N_BYTES);
        rug_file_free(file);
    }
    rug_file_free(one);
    free(pixels);
}

/* ---- Files that shrink ---- */

static rug_status read_slab(rug_file *file, size_t first, size_t n)
{
    const rug_source *source = rug_file_source(file);
    rug_image slab;
    return source->read(ctx, source->user, &slab, first, n);
}

static void shrinks_before_it_is_loaded(void **state)
{
    static const size_t left[] = {0, 1, 4194304, 4194305, 9000000, N_BYTES - 1};
    scratch *here = *state;
    unsigned char *pixels = noise(N_BYTES);
    for (int threads = 1; threads <= 4; threads += TEST_STEP(3))
        for (size_t i = 0; i < sizeof left / sizeof left[0]; i++) {
            char expected[128];
            rug_file *file;
            set_threads(threads);
            put_array(here, "'>u2'", 2, pixels);
            assert_int_equal(rug_file_open(ctx, &file, here->path, NULL), RUG_OK);
            assert_int_equal(truncate(here->path, (off_t)(HEADER + left[i])), 0);
            snprintf(expected, sizeof expected,
                     "became shorter while it was being read: %zu of %zu bytes of pixels "
                     "are there",
                     left[i], N_BYTES);
            assert_failure(here->path, rug_file_load(ctx, file), RUG_E_FORMAT, expected);
            assert_null(rug_file_image(file)->data);
            rug_file_free(file);
        }
    free(pixels);
}

static void shrinks_between_slabs(void **state)
{
    scratch *here = *state;
    unsigned char *pixels = noise(N_BYTES);
    for (int threads = 1; threads <= 4; threads += TEST_STEP(3)) {
        rug_file *file;
        set_threads(threads);
        put_array(here, "'|u1'", 1, pixels);
        assert_int_equal(rug_file_open(ctx, &file, here->path, NULL), RUG_OK);
        assert_int_equal(read_slab(file, 0, 3), RUG_OK);
        assert_int_equal(truncate(here->path, HEADER + N_BYTES / 2), 0);
        assert_failure(here->path, read_slab(file, 3, 4), RUG_E_FORMAT,
                       "became shorter while it was being read: 6731200 of 13462400");
        assert_int_equal(read_slab(file, 0, 3), RUG_OK); /* these are there */
        assert_int_equal(remove(here->path), 0);
        assert_failure(here->path, read_slab(file, 3, 1), RUG_E_IO, "No such file");
        rug_file_free(file);
    }
    free(pixels);
}

/* A volume of 8 layers of noise, which does not become smaller by zipping. */
static const char *put_zipped_noise(scratch *here)
{
    enum { SIDE = 512, LAYERS = 8, HEAD = 352 };
    static const int16_t dim[8] = {3, SIDE, SIDE, LAYERS, 1, 1, 1, 1};
    static const int16_t type[2] = {2, 8};
    const float offset = HEAD;
    const int32_t size = 348;
    unsigned char head[HEAD] = {0};
    unsigned char *pixels = noise(SIDE * SIDE * LAYERS);
    memcpy(head, &size, 4);
    memcpy(head + 40, dim, sizeof dim);
    memcpy(head + 70, type, sizeof type);
    memcpy(head + 108, &offset, 4);
    memcpy(head + 344, "n+1", 4);
    gzFile out = gzopen(scratch_path(here, "a.nii.gz"), "wb1");
    assert_non_null(out);
    assert_int_equal(gzwrite(out, head, HEAD), HEAD);
    assert_int_equal(gzwrite(out, pixels, SIDE * SIDE * LAYERS), SIDE * SIDE * LAYERS);
    assert_int_equal(gzclose(out), Z_OK);
    free(pixels);
    return here->path;
}

static void a_gzip_stream_shrinks(void **state)
{
    scratch *here = *state;
    for (int slabs = 0; slabs < 2; slabs++) {
        rug_file *file;
        assert_int_equal(rug_file_open(ctx, &file, put_zipped_noise(here), NULL), RUG_OK);
        if (slabs)
            assert_int_equal(read_slab(file, 0, 2), RUG_OK);
        assert_int_equal(truncate(here->path, 1500000), 0);
        assert_failure(here->path,
                       slabs ? read_slab(file, 2, 6) : rug_file_load(ctx, file),
                       RUG_E_FORMAT, "of 2097152 bytes of pixels are there");
        assert_int_equal(truncate(here->path, 0), 0);
        assert_failure(here->path, read_slab(file, 0, 1), RUG_E_FORMAT,
                       "cut off: 0 of 2097152 bytes of pixels are there");
        rug_file_free(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(bytes_of_numbers),
        SCRATCH_TEST(converted),
        SCRATCH_TEST(shrinks_before_it_is_loaded),
        SCRATCH_TEST(shrinks_between_slabs),
        SCRATCH_TEST(a_gzip_stream_shrinks),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
