/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reading NIfTI: every type, both versions and byte orders, scaling, 4D, gzip, pairs, and
 * headers that lie. The files are put together byte by byte. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include "read_support.h"
#include "support.h"
#include <math.h>
#include <zlib.h>

/* A file to be made. */
typedef struct spec {
    int version; /* 1 or 2 */
    int big;     /* big-endian */
    int pair;    /* header only */
    int datatype;
    int64_t dim[8];
    double pixdim[4];
    double slope, intercept;
    int units;
} spec;

/* 2 x 2 x 3 (x fastest) of a type, without scaling. */
static spec plain(int datatype)
{
    spec s = {1, 0, 0, datatype, {3, 3, 2, 2}, {1, 0.5, 0.25, 2}, 0, 0, 2};
    return s;
}

static unsigned char bytes[4096];

/* Puts a number of `size` bytes at a place. */
static void put(size_t at, size_t size, const void *little, int big)
{
    for (size_t i = 0; i < size; i++)
        bytes[at + (big ? size - 1 - i : i)] = ((const unsigned char *)little)[i];
}

static void put_integer(size_t at, size_t size, int64_t value, int big)
{
    put(at, size, &value, big);
}

static void put_real(size_t at, size_t size, double value, int big)
{
    float f = (float)value;
    put(at, size, size == 4 ? (const void *)&f : (const void *)&value, big);
}

static size_t put_nifti1(const spec *s)
{
    put_integer(0, 4, 348, s->big);
    for (size_t i = 0; i < 8; i++)
        put_integer(40 + 2 * i, 2, s->dim[i], s->big);
    put_integer(70, 2, s->datatype, s->big);
    for (size_t i = 0; i < 4; i++)
        put_real(76 + 4 * i, 4, s->pixdim[i], s->big);
    put_real(108, 4, s->pair ? 0 : 352, s->big);
    put_real(112, 4, s->slope, s->big);
    put_real(116, 4, s->intercept, s->big);
    bytes[123] = (unsigned char)s->units;
    memcpy(bytes + 344, s->pair ? "ni1" : "n+1", 4);
    return 352;
}

static size_t put_nifti2(const spec *s)
{
    put_integer(0, 4, 540, s->big);
    memcpy(bytes + 4, s->pair ? "ni2\0\r\n\032\n" : "n+2\0\r\n\032\n", 8);
    put_integer(12, 2, s->datatype, s->big);
    for (size_t i = 0; i < 8; i++)
        put_integer(16 + 8 * i, 8, s->dim[i], s->big);
    for (size_t i = 0; i < 4; i++)
        put_real(104 + 8 * i, 8, s->pixdim[i], s->big);
    put_integer(168, 8, s->pair ? 0 : 544, s->big);
    put_real(176, 8, s->slope, s->big);
    put_real(184, 8, s->intercept, s->big);
    put_integer(500, 4, s->units, s->big);
    return 544;
}

/* Makes header and pixels in `bytes`; returns how many. */
static size_t make(const spec *s, const void *pixels, size_t pixel_size, size_t n_pixels)
{
    memset(bytes, 0, sizeof bytes);
    size_t at = s->version == 1 ? put_nifti1(s) : put_nifti2(s);
    assert_true(at + n_pixels * pixel_size <= sizeof bytes);
    for (size_t i = 0; i < n_pixels; i++)
        put(at + i * pixel_size, pixel_size,
            (const unsigned char *)pixels + i * pixel_size, s->big);
    return at + n_pixels * pixel_size;
}

static const char *put_nifti(scratch *here, const spec *s, const void *pixels,
                             size_t pixel_size, size_t n_pixels)
{
    return put_bytes(here, "a.nii", bytes, make(s, pixels, pixel_size, n_pixels));
}

static const char *put_zipped(scratch *here, const char *name, size_t n)
{
    gzFile out = gzopen(scratch_path(here, name), "wb");
    assert_non_null(out);
    assert_int_equal(gzwrite(out, bytes, (unsigned)n), n);
    assert_int_equal(gzclose(out), Z_OK);
    return here->path;
}

#define PIXELS(type) ((const type[12]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 100})

static void every_type(void **state)
{
    const struct {
        int datatype;
        rug_dtype dtype;
        size_t size;
        const void *pixels;
    } types[] = {
        {2, RUG_U8, 1, PIXELS(uint8_t)},      {256, RUG_I8, 1, PIXELS(int8_t)},
        {512, RUG_U16, 2, PIXELS(uint16_t)},  {4, RUG_I16, 2, PIXELS(int16_t)},
        {768, RUG_U32, 4, PIXELS(uint32_t)},  {8, RUG_I32, 4, PIXELS(int32_t)},
        {1280, RUG_U64, 8, PIXELS(uint64_t)}, {1024, RUG_I64, 8, PIXELS(int64_t)},
        {16, RUG_F32, 4, PIXELS(float)},      {64, RUG_F64, 8, PIXELS(double)}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        for (int way = 0; way < 4; way++) {
            spec s = plain(types[i].datatype);
            s.version = 1 + way / 2;
            s.big = way % 2;
            rug_file *file = must_read(
                put_nifti(*state, &s, types[i].pixels, types[i].size, 12), NULL);
            assert_shape(file, types[i].dtype, 2, 2, 3);
            assert_pixel(file, 0, 0, 1, 1);
            assert_pixel(file, 0, 1, 0, 3);
            assert_pixel(file, 1, 0, 0, 6);
            assert_pixel(file, 1, 1, 2, 100);
            assert_string_equal(rug_file_get_facts(file)->format, "nifti");
            rug_file_free(file);
        }
}

/* A slope of 0 means no scaling; others are applied. */
static void slope_and_intercept(void **state)
{
    static const struct {
        double slope, intercept;
        rug_dtype dtype;
        double last; /* of 100 */
    } ways[] = {{0, 0, RUG_I16, 100},
                {1, 0, RUG_I16, 100},
                {0, 7, RUG_I16, 100},
                {2, 0, RUG_F32, 200},
                {2, -1024, RUG_F32, -824},
                {1, 0.5, RUG_F32, 100.5},
                {-1, 0, RUG_F32, -100},
                {(double)NAN, 3, RUG_I16, 100},
                {(double)INFINITY, 0, RUG_I16, 100}};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        spec s = plain(4);
        s.slope = ways[i].slope;
        s.intercept = ways[i].intercept;
        rug_file *file = must_read(put_nifti(*state, &s, PIXELS(int16_t), 2, 12), NULL);
        const rug_file_facts *facts = rug_file_get_facts(file);
        int kept = ways[i].dtype == RUG_I16;
        assert_shape(file, ways[i].dtype, 2, 2, 3);
        assert_pixel(file, 1, 1, 2, ways[i].last);
        assert_true(kept ? facts->slope == 1 && facts->intercept == 0
                         : facts->slope == ways[i].slope &&
                               facts->intercept == ways[i].intercept);
        rug_file_free(file);
    }
    spec s = plain(8); /* 32-bit integers need doubles */
    s.slope = 0.5;
    const int32_t large[12] = {2147483647};
    rug_file *file = must_read(put_nifti(*state, &s, large, 4, 12), NULL);
    assert_shape(file, RUG_F64, 2, 2, 3);
    assert_pixel(file, 0, 0, 0, 1073741823.5);
    rug_file_free(file);
}

static void nan_survives(void **state)
{
    spec s = plain(16);
    const float pixels[12] = {NAN, INFINITY, -INFINITY, 1};
    for (int scaled = 0; scaled < 2; scaled++) {
        s.slope = scaled ? 2 : 1;
        rug_file *file = must_read(put_nifti(*state, &s, pixels, 4, 12), NULL);
        assert_true(isnan(pixel(file, 0, 0, 0)));
        assert_pixel(file, 0, 0, 1, (double)INFINITY);
        assert_pixel(file, 0, 0, 2, (double)-INFINITY);
        assert_pixel(file, 0, 1, 0, scaled ? 2 : 1);
        rug_file_free(file);
    }
}

static void spacing_and_units(void **state)
{
    static const char *const units[8] = {NULL, "m", "mm", "um"};
    spec s = plain(2);
    for (int unit = 0; unit < 8; unit++) {
        s.units = unit | 8; /* and seconds */
        s.pixdim[2] = -0.25;
        s.pixdim[3] = unit == 2 ? (double)NAN : 2;
        rug_file *file = must_read(put_nifti(*state, &s, PIXELS(uint8_t), 1, 12), NULL);
        const rug_image *m = rug_file_image(file);
        assert_true(m->spacing[0] == (unit == 2 ? 0 : 2));
        assert_true(m->spacing[1] == 0.25 && m->spacing[2] == 0.5);
        assert_true((m->spacing_unit == NULL) == (units[unit] == NULL));
        if (units[unit] != NULL)
            assert_string_equal(m->spacing_unit, units[unit]);
        rug_file_free(file);
    }
}

static void flat_and_long_shapes(void **state)
{
    static const struct {
        int64_t dim[8];
        size_t nz, ny, nx;
        int n_pages;
    } shapes[] = {{{2, 4, 3}, 0, 3, 4, 1},
                  {{3, 4, 3, 1}, 0, 3, 4, 1},
                  {{1, 12}, 0, 1, 12, 1},
                  {{4, 2, 3, 1, 2}, 0, 3, 2, 2},
                  {{4, 1, 2, 2, 3}, 2, 2, 1, 3},
                  {{5, 1, 1, 2, 2, 3}, 2, 1, 1, 6},
                  {{7, 3, 2, 2, 1, 1, 1, 1}, 2, 2, 3, 1}};
    rug_read_options volume = RUG_READ_OPTIONS_INIT;
    volume.volume = 1;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        spec s = plain(2);
        memcpy(s.dim, shapes[i].dim, sizeof s.dim);
        const char *path = put_nifti(*state, &s, PIXELS(uint8_t), 1, 12);
        rug_file *file = must_read(path, NULL);
        assert_shape(file, RUG_U8, shapes[i].nz, shapes[i].ny, shapes[i].nx);
        assert_int_equal(rug_file_get_facts(file)->n_pages, shapes[i].n_pages);
        rug_file_free(file);
        file = must_read(path, &volume); /* a flat one becomes one slice */
        assert_shape(file, RUG_U8, shapes[i].nz == 0 ? 1 : shapes[i].nz, shapes[i].ny,
                     shapes[i].nx);
        rug_file_free(file);
    }
}

static void volume_of_4d(void **state)
{
    spec s = plain(4);
    memcpy(s.dim, (int64_t[8]){4, 3, 1, 2, 2}, sizeof s.dim);
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    for (int zipped = 0; zipped < 2; zipped++) {
        const char *path = put_nifti(*state, &s, PIXELS(int16_t), 2, 12);
        if (zipped)
            path = put_zipped(*state, "a.nii.gz", make(&s, PIXELS(int16_t), 2, 12));
        for (opts.page = -1; opts.page < 2; opts.page++) {
            rug_file *file = must_read(path, &opts);
            assert_shape(file, RUG_I16, 2, 1, 3);
            assert_pixel(file, 0, 0, 0, opts.page == 1 ? 6 : 0);
            assert_pixel(file, 1, 0, 2, opts.page == 1 ? 100 : 5);
            assert_int_equal(rug_file_get_facts(file)->page, opts.page == 1);
            rug_file_free(file);
        }
        opts.page = 2;
        must_fail(path, &opts, RUG_E_ARG,
                  "page 2 requested, but the nifti file has 2 (0..1)");
    }
}

static void options_without_effect(void **state)
{
    spec s = plain(2);
    const char *path = put_nifti(*state, &s, PIXELS(uint8_t), 1, 12);
    rug_read_options level = RUG_READ_OPTIONS_INIT, channel = level;
    level.level = 1;
    channel.channel = 2;
    must_fail(path, &level, RUG_E_ARG, "level 1 requested");
    must_fail(path, &channel, RUG_E_ARG, "channel 2 requested");
}

/* The name decides nothing, but for the pairs. */
static void zipped_renamed_and_pairs(void **state)
{
    spec s = plain(4);
    size_t n = make(&s, PIXELS(int16_t), 2, 12);
    rug_file *file = must_read(put_bytes(*state, "plain.png", bytes, n), NULL);
    rug_file *zipped = must_read(put_zipped(*state, "zipped", n), NULL);
    assert_true(same_pixels(file, zipped));
    rug_file_free(zipped);
    s.pair = 1;
    n = make(&s, PIXELS(int16_t), 2, 12);
    must_fail(put_bytes(*state, "b.HDR", bytes, 348), NULL, RUG_E_IO,
              "no .img or .img.gz");
    put_bytes(*state, "b.img", bytes + 352, n - 352);
    rug_file *pair = must_read(scratch_path(*state, "b.HDR"), NULL);
    assert_true(same_pixels(file, pair));
    rug_file_free(pair);
    put_bytes(*state, "b.img", bytes + 352, n - 353);
    rug_file *none = NULL;
    assert_int_equal(rug_file_read(ctx, &none, scratch_path(*state, "b.HDR"), NULL),
                     RUG_E_FORMAT);
    assert_non_null(strstr(rug_context_error(ctx), "b.img: cut off: 23 of 24 bytes"));
    must_fail(put_bytes(*state, "pair.nii", bytes, n), NULL, RUG_E_IO,
              "no .img or .img.gz");
    rug_file_free(file);
}

static void refused_types(void **state)
{
    static const int types[] = {0, 1, 32, 128, 1536, 1792, 2048, 2304, 9999, -5};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        spec s = plain(types[i]);
        must_fail(put_nifti(*state, &s, PIXELS(double), 8, 12), NULL, RUG_E_UNSUPPORTED,
                  "is not supported");
    }
}

static void headers_that_lie(void **state)
{
    static const struct {
        int64_t dim[8];
        const char *text;
    } lies[] = {{{0, 3, 2, 2}, "says 0 axes"},
                {{8, 3, 2, 2}, "says 8 axes"},
                {{-3, 3, 2, 2}, "says -3 axes"},
                {{3, 0, 2, 2}, "axis 1 of the NIfTI file has 0"},
                {{3, 3, -2, 2}, "axis 2 of the NIfTI file has -2"},
                {{4, 3, 2, 2, -1}, "axis 4"},
                {{3, 10000, 10000, 10000}, "1000000000000 bytes"},
                {{3, 3, 2, 3}, "cut off: 12 of 18 bytes"}};
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        spec s = plain(2);
        memcpy(s.dim, lies[i].dim, sizeof s.dim);
        must_fail(put_nifti(*state, &s, PIXELS(uint8_t), 1, 12), NULL, RUG_E_FORMAT,
                  lies[i].text);
    }
    spec s = plain(2);
    s.version = 2;
    memcpy(s.dim, (int64_t[8]){3, INT64_MAX, INT64_MAX, 4}, sizeof s.dim);
    must_fail(put_nifti(*state, &s, PIXELS(uint8_t), 1, 12), NULL, RUG_E_FORMAT,
              "more pixels than");
    memcpy(s.dim, (int64_t[8]){4, 2, 2, 2, INT64_MAX}, sizeof s.dim);
    must_fail(put_nifti(*state, &s, PIXELS(uint8_t), 1, 12), NULL, RUG_E_UNSUPPORTED,
              "more volumes");
    memcpy(s.dim, (int64_t[8]){3, 10000, 10000, 10000}, sizeof s.dim);
    size_t n = make(&s, PIXELS(uint8_t), 1, 12);
    must_fail(put_zipped(*state, "a.nii.gz", n), NULL, RUG_E_FORMAT, "can hold");
}

static void offsets_that_lie(void **state)
{
    static const double offsets[] = {-1, (double)NAN, (double)INFINITY, 1e30, 1e15, 400};
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        spec s = plain(2);
        size_t n = make(&s, PIXELS(uint8_t), 1, 12);
        put_real(108, 4, offsets[i], 0);
        must_fail(put_bytes(*state, "a.nii", bytes, n), NULL, RUG_E_FORMAT,
                  i < 4 ? "vox_offset" : "cut off");
        if (i >= 4)
            must_fail(put_zipped(*state, "a.nii.gz", n), NULL, RUG_E_FORMAT, "");
    }
}

static void cut_off(void **state)
{
    scratch *here = *state;
    spec s = plain(64);
    size_t n_cut, n = make(&s, PIXELS(double), 8, 12);
    put_bytes(here, "a.nii", bytes, n);
    assert_int_equal(cut_everywhere(here, "a.nii", NULL, 1), n);
    put_zipped(here, "a.nii.gz", n);
    free(get_bytes(here->path, &n_cut));
    assert_int_equal(cut_everywhere(here, "a.nii.gz", NULL, 1), n_cut);
}

static void damaged_gzip(void **state)
{
    scratch *here = *state;
    spec s = plain(2);
    put_zipped(here, "a.nii.gz", make(&s, PIXELS(uint8_t), 1, 12));
    size_t n;
    unsigned char *zipped = get_bytes(here->path, &n);
    zipped[n - 8] ^= 1; /* its checksum */
    must_fail(put_bytes(here, "b.nii.gz", zipped, n), NULL, RUG_E_FORMAT,
              "its checksum is wrong");
    must_fail(put_bytes(here, "b.nii.gz", zipped, n - 3), NULL, RUG_E_FORMAT,
              "all 12 bytes of pixels are there, but not its end");
    free(zipped);
}

/* Appends a file to a block of bytes; returns how many there are then. */
static size_t append(unsigned char *to, size_t at, const char *path)
{
    size_t n;
    unsigned char *more = get_bytes(path, &n);
    memcpy(to + at, more, n);
    free(more);
    return at + n;
}

/* The members of a gzip stream follow each other wherever its bytes are cut; what follows the last one
 * and is none is ignored. */
static void members_and_rubbish(void **state)
{
    scratch *here = *state;
    static unsigned char whole[sizeof bytes], stream[2 * sizeof bytes];
    spec s = plain(2);
    const size_t n = make(&s, PIXELS(uint8_t), 1, 12);
    rug_file *file = must_read(put_bytes(here, "a.nii", bytes, n), NULL);
    memcpy(whole, bytes, n);
    for (size_t first = 0; first <= n; first += TEST_STEP(7)) {
        const size_t cuts[4] = {0, first, first + (n - first) / 2, n};
        size_t at = 0;
        for (size_t i = 0; i < 3; i++) {
            memcpy(bytes, whole + cuts[i], cuts[i + 1] - cuts[i]);
            at = append(stream, at, put_zipped(here, "part.gz", cuts[i + 1] - cuts[i]));
        }
        memcpy(stream + at, "\x1f rubbish", 9);
        for (size_t rubbish = 0; rubbish < 10; rubbish += 3) {
            rug_file *zipped =
                must_read(put_bytes(here, "a.nii.gz", stream, at + rubbish), NULL);
            assert_true(same_pixels(file, zipped));
            rug_file_free(zipped);
        }
        memcpy(stream + at, "\x1f\x8b\x09 more rubbish", 16);
        must_fail(put_bytes(here, "a.nii.gz", stream, at + 16), NULL, RUG_E_FORMAT,
                  "gzip stream is damaged");
    }
    rug_file_free(file);
}

/* Whatever bit is wrong, the pixels are right or there is an error. */
static void every_bit_of_gzip(void **state)
{
    scratch *here = *state;
    static unsigned char zipped[sizeof bytes];
    spec s = plain(2);
    const size_t n = make(&s, PIXELS(uint8_t), 1, 12);
    rug_file *file = must_read(put_bytes(here, "a.nii", bytes, n), NULL);
    const size_t n_zipped = append(zipped, 0, put_zipped(here, "a.nii.gz", n));
    for (size_t bit = 0; bit < 8 * n_zipped; bit++) {
        rug_file *damaged = NULL;
        zipped[bit / 8] ^= (unsigned char)(1 << bit % 8);
        put_bytes(here, "b.nii.gz", zipped, n_zipped);
        rug_status status = rug_file_read(ctx, &damaged, here->path, NULL);
        if (status == RUG_OK)
            assert_true(same_pixels(file, damaged));
        else
            assert_non_null(strstr(rug_context_error(ctx), "b.nii.gz"));
        rug_file_free(damaged);
        zipped[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    rug_file_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(every_type),
        SCRATCH_TEST(slope_and_intercept),
        SCRATCH_TEST(nan_survives),
        SCRATCH_TEST(spacing_and_units),
        SCRATCH_TEST(flat_and_long_shapes),
        SCRATCH_TEST(volume_of_4d),
        SCRATCH_TEST(options_without_effect),
        SCRATCH_TEST(zipped_renamed_and_pairs),
        SCRATCH_TEST(refused_types),
        SCRATCH_TEST(headers_that_lie),
        SCRATCH_TEST(offsets_that_lie),
        SCRATCH_TEST(cut_off),
        SCRATCH_TEST(damaged_gzip),
        SCRATCH_TEST(members_and_rubbish),
        SCRATCH_TEST(every_bit_of_gzip),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
