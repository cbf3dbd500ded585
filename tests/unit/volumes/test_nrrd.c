/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reading NRRD: every type and its names, encodings, skips, files of values, axes that are no
 * space, places, and headers that lie. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include "support.h"
#include "volume_support.h"

/* A header of shorts; its fields come last, and so win. */
#define HEAD      "NRRD0004\ntype: short\ndimension: 3\nsizes: 4 3 2\nendian: little\n"
#define SHORTS(s) HEAD "encoding: raw\n" s "\n"

static const size_t volume[3] = {2, 3, 4};
static unsigned char values[4096], packed[4096];

/* A file with 24 shorts behind its header. */
static const char *put_shorts(scratch *here, const char *header)
{
    return put_behind(here, "a.nrrd", header, values,
                      put_values(values, RUG_I16, 0, 0, N_VALUES));
}

static void every_type(void **state)
{
    static const struct {
        const char *name;
        rug_dtype dtype;
    } types[] = {{"signed char", RUG_I8},
                 {"int8", RUG_I8},
                 {"uchar", RUG_U8},
                 {"unsigned char", RUG_U8},
                 {"uint8_t", RUG_U8},
                 {"short", RUG_I16},
                 {"signed short int", RUG_I16},
                 {"unsigned short", RUG_U16},
                 {"ushort", RUG_U16},
                 {"uint16", RUG_U16},
                 {"int", RUG_I32},
                 {"signed int", RUG_I32},
                 {"uint", RUG_U32},
                 {"unsigned int", RUG_U32},
                 {"longlong", RUG_I64},
                 {"long long int", RUG_I64},
                 {"signed long long int", RUG_I64},
                 {"unsigned long long int", RUG_U64},
                 {"uint64", RUG_U64},
                 {"FLOAT", RUG_F32},
                 {"double", RUG_F64}};
    char header[256];
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        for (int is_big = 0; is_big < 2; is_big++) {
            snprintf(header, sizeof header,
                     "NRRD0001\n# a comment\ntype: %s\nkey:=value\ndimension: 3\n"
                     "sizes: 4 3 2\nencoding: raw\nendian: %s\n\n",
                     types[i].name, is_big ? "big" : "little");
            size_t n = put_values(values, types[i].dtype, is_big, 0, N_VALUES);
            assert_values(put_behind(*state, "a", header, values, n), NULL,
                          types[i].dtype, volume, 0, 1);
        }
    must_fail(put_shorts(*state, HEAD "dimension: 4\nencoding: raw\n\n"), NULL,
              RUG_E_FORMAT, "second dimension is '4', one expected");
    must_fail(put_shorts(*state, HEAD "encoding: raw\ntype: block\n\n"), NULL,
              RUG_E_UNSUPPORTED, "type 'block'");
}

static void encodings(void **state)
{
    size_t n = put_values(values, RUG_I16, 0, 0, N_VALUES);
    size_t n_packed = pack(packed, sizeof packed, values, n, 31);
    assert_values(put_behind(*state, "a", HEAD "encoding: gzip\n\n", packed, n_packed),
                  NULL, RUG_I16, volume, 0, 1);
    must_fail(put_behind(*state, "a", HEAD "encoding: gz\n\n", packed, n_packed - 9),
              NULL, RUG_E_FORMAT, "cut off");
    must_fail(put_shorts(*state, HEAD "encoding: gz\n\n"), NULL, RUG_E_FORMAT,
              "the gzip stream is damaged");
    must_fail(put_shorts(*state, HEAD "encoding: hex\n\n"), NULL, RUG_E_UNSUPPORTED,
              "encoding 'hex'");
    must_fail(put_shorts(*state, HEAD "encoding: bz2\n\n"), NULL, RUG_E_FORMAT,
              "the bzip2 stream is damaged");
    must_fail(put_shorts(*state, "NRRD0004\ntype: double\ndimension: 3\nendian: big\n"
                                 "sizes: 9999 9999 9999\nencoding: bzip2\n\n"),
              NULL, RUG_E_FORMAT, "more than a bzip2 file of 48 bytes can hold");
}

static void text_values(void **state)
{
    static const char text[] = "1,2 3\r\n4\t-5 6e0 7 8 9 1.0e1 11 12\n"
                               "13 14 15 16 17 18 19 20 21 22 23 +24";
    rug_file *file = must_read(
        put_behind(*state, "a", HEAD "encoding: text\n\n", text, sizeof text), NULL);
    assert_pixel(file, 0, 1, 0, -5);
    assert_pixel(file, 0, 2, 1, 10);
    assert_pixel(file, 1, 2, 3, 24);
    rug_file_free(file);
    static const char floats[] = "nan -inf 1e-3 4";
    file = must_read(put_behind(*state, "a",
                                "NRRD0004\ntype: float\ndimension: 2\nsizes: 2 2\n"
                                "encoding: ascii\n\n",
                                floats, sizeof floats - 1),
                     NULL);
    assert_true(isnan(pixel(file, 0, 0, 0)));
    assert_pixel(file, 0, 0, 1, (double)-INFINITY);
    assert_pixel(file, 0, 1, 0, (double)1e-3f);
    rug_file_free(file);
}

static void text_that_lies(void **state)
{
    static const struct {
        const char *type, *text, *error;
    } lies[] = {{"uint8", "1 2 3 256", "value 4 of its text, '256', is no u8"},
                {"int8", "1 2 -129 4", "value 3 of its text, '-129', is no i8"},
                {"uint16", "1 -1 3 4", "'-1', is no u16"},
                {"uint64", "18446744073709551616 2 3 4", "is no u64"},
                {"int16", "1 2.5 3 4", "'2.5', is no i16"},
                {"float", "1 2 3 x", "'x', is no f32"},
                {"float", "1 2 3 1e", "'1e', is no f32"},
                {"double", "1 2 3", "cut off"},
                {"double", "1000 2000 3000", "cut off: its text ends behind 3 values"}};
    char header[256];
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        snprintf(header, sizeof header,
                 "NRRD0004\ntype: %s\ndimension: 2\nsizes: 2 2\nencoding: txt\n\n%s",
                 lies[i].type, lies[i].text);
        must_fail(put_behind(*state, "a", header, NULL, 0), NULL, RUG_E_FORMAT,
                  lies[i].error);
    }
    static const char most[] = "18446744073709551615 0 -0 9223372036854775808";
    rug_file *file = must_read(put_behind(*state, "a",
                                          "NRRD0004\ntype: uint64\ndimension: 2\n"
                                          "sizes: 2 2\nencoding: txt\n\n",
                                          most, sizeof most),
                               NULL);
    const uint64_t *got = rug_file_image(file)->data;
    assert_true(got[0] == UINT64_MAX && got[2] == 0 && got[3] == (uint64_t)1 << 63);
    rug_file_free(file);
}

/* Lines are skipped as they are stored, bytes in what was unpacked. */
static void skips(void **state)
{
    static const char begin[] = "two\nlines\nand";
    const size_t n_begin = sizeof begin - 1;
    memcpy(values, begin, n_begin);
    size_t n = n_begin + put_values(values + n_begin, RUG_I16, 0, 0, N_VALUES);
    assert_values(
        put_behind(*state, "a", SHORTS("line skip: 2\nbyte skip: 3\n"), values, n), NULL,
        RUG_I16, volume, 0, 1);
    assert_values(put_behind(*state, "a", SHORTS("byteskip: -1\n"), values, n), NULL,
                  RUG_I16, volume, 0, 1);
    must_fail(put_behind(*state, "a", SHORTS("byteskip: -1\n"), values, 47), NULL,
              RUG_E_FORMAT, "cut off: 47 of 48");
    memcpy(values + n, "end", 3);
    assert_values(put_behind(*state, "a", SHORTS("byteskip: -4\n"), values, n + 3), NULL,
                  RUG_I16, volume, 0, 1);
    must_fail(put_behind(*state, "a.nhdr", SHORTS("byteskip: -9999\n"), values, n), NULL,
              RUG_E_FORMAT, "cut off");
    must_fail(put_behind(*state, "a", SHORTS("lineskip: 99\n"), values, n), NULL,
              RUG_E_FORMAT, "fewer than 99 lines");
    must_fail(put_behind(*state, "a", SHORTS("byteskip: 14\n"), values, n), NULL,
              RUG_E_FORMAT, "cut off: 47 of 48");
    must_fail(
        put_behind(*state, "a", SHORTS("byteskip: 9223372036854775807\n"), values, n),
        NULL, RUG_E_FORMAT, "cut off: 0 of 48");
    size_t n_packed = pack(packed, sizeof packed, values + 10, n - 10, 31);
    memmove(packed + 10, packed, n_packed);
    memcpy(packed, begin, 10);
    assert_values(put_behind(*state, "a",
                             HEAD "encoding: gzip\nline skip: 2\nbyte skip: 3\n\n",
                             packed, n_packed + 10),
                  NULL, RUG_I16, volume, 0, 1);
    must_fail(put_shorts(*state, HEAD "encoding: gzip\nbyte skip: -1\n\n"), NULL,
              RUG_E_FORMAT, "goes with raw values only");
}

/* Writes the layers of the volume into files of their own. */
static void put_layers(scratch *here, const char *format)
{
    char name[32];
    for (int z = 0; z < 2; z++) {
        snprintf(name, sizeof name, format, z + 9);
        put_bytes(here, name, values, put_values(values, RUG_I16, 0, (size_t)z * 12, 12));
    }
}

static void files_of_values(void **state)
{
    static const char *const headers[] = {
        SHORTS("data file: all.raw\n"),
        SHORTS("datafile: s%02d.raw 9 10 1\n"),
        SHORTS("data file: s%02d.raw 9 10 1 2\n"),
        SHORTS("data file: LIST 2\ns09.raw\n") "s10.raw\n",
        HEAD "encoding: raw\ndata file: LIST\ns09.raw\n\ns10.raw",
        HEAD "encoding: raw\ndata file: all.raw"};
    put_layers(*state, "s%02d.raw");
    put_bytes(*state, "all.raw", values, put_values(values, RUG_I16, 0, 0, N_VALUES));
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        assert_values(put_behind(*state, "a.nhdr", headers[i], NULL, 0), NULL, RUG_I16,
                      volume, 0, 1);
    const char *path =
        put_behind(*state, "a.nhdr", SHORTS("data file: s%02d.raw 10 9 -1\n"), NULL, 0);
    rug_file *file = must_read(path, NULL);
    assert_pixel(file, 0, 0, 0, value_at(12));
    assert_pixel(file, 1, 0, 0, value_at(0));
    rug_file_free(file);
}

static void files_that_lie(void **state)
{
    static const struct {
        const char *field;
        rug_status status;
        const char *text;
    } lies[] = {{"s%02d.raw 9 11 1", RUG_E_FORMAT, "names 3 files"},
                {"s%02d.raw 8 9 1", RUG_E_IO, "s08.raw: cannot be opened"},
                {"s%02d.raw 9 10", RUG_E_FORMAT, "names no files of pixels"},
                {"s%02d.raw 9 10 0", RUG_E_FORMAT, "names no files of pixels"},
                {"s%02d.raw 9 10 -1", RUG_E_FORMAT, "names no files of pixels"},
                {"s%s.raw 9 10 1", RUG_E_FORMAT, "names no files of pixels"},
                {"s%02d%n.raw 9 10 1", RUG_E_FORMAT, "names no files of pixels"},
                {"s%99999d.raw 9 10 1", RUG_E_FORMAT, "names no files of pixels"},
                {"s% 9 10 1", RUG_E_FORMAT, "names no files of pixels"},
                {"%d 1 1099511627777 1", RUG_E_FORMAT, "names no files of pixels"},
                {"%d 1 9999999 1", RUG_E_UNSUPPORTED, "more than 131072 files"},
                {"s09.raw", RUG_E_FORMAT, "s09.raw: cut off: 24 of 48"},
                {"/dev/zero", RUG_E_IO, "is not a regular file"},
                {".", RUG_E_IO, "is a directory"},
                {"none.raw", RUG_E_IO, "none.raw: cannot be opened"},
                {"LIST", RUG_E_FORMAT, "names 0 files"},
                {"", RUG_E_FORMAT, "is empty"},
                {"s09.raw\ndata file: s10.raw", RUG_E_FORMAT, "one such line"}};
    char header[256];
    put_layers(*state, "s%02d.raw");
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        snprintf(header, sizeof header, HEAD "encoding: raw\ndata file: %s\n",
                 lies[i].field);
        must_fail(put_behind(*state, "a.nhdr", header, NULL, 0), NULL, lies[i].status,
                  lies[i].text);
    }
}

/* Files that are packed one by one, and are read from the second on. */
static void packed_files(void **state)
{
    char name[32];
    rug_read_options page = RUG_READ_OPTIONS_INIT;
    for (int z = 0; z < 2; z++) {
        snprintf(name, sizeof name, "p%d.gz", z);
        size_t n = put_values(values, RUG_I16, 0, (size_t)z * 12, 12);
        put_bytes(*state, name, packed, pack(packed, sizeof packed, values, n, 31));
    }
    put_behind(*state, "a.nhdr", HEAD "encoding: gzip\ndata file: p%d.gz 0 1 1\n", NULL,
               0);
    assert_values(scratch_path(*state, "a.nhdr"), NULL, RUG_I16, volume, 0, 1);
    put_behind(*state, "b.nhdr",
               HEAD
               "encoding: gzip\nkinds: domain domain list\ndata file: p%d.gz 0 1 1\n",
               NULL, 0);
    for (page.page = 0; page.page < 2; page.page++)
        assert_values(scratch_path(*state, "b.nhdr"), &page, RUG_I16,
                      (const size_t[]){0, 3, 4}, 12 * (size_t)page.page, 1);
    put_bytes(*state, "p1.gz", packed, 20);
    must_fail(scratch_path(*state, "a.nhdr"), NULL, RUG_E_FORMAT, "");
}

/* Of axes, those of channels and pages wherever they stand. */
static void other_axes(void **state)
{
    static const struct {
        const char *axes;
        int channel, page;
        size_t shape[3], first, step;
    } ways[] = {
        {"dimension: 3\nsizes: 4 3 2\nkinds: vector domain domain",
         1,
         -1,
         {0, 2, 3},
         1,
         4},
        {"dimension: 3\nsizes: 4 3 2\nkinds: list space space", 3, -1, {0, 2, 3}, 3, 4},
        {"dimension: 3\nsizes: 4 3 2\nkinds: domain domain vector",
         1,
         -1,
         {0, 3, 4},
         12,
         1},
        {"dimension: 3\nsizes: 4 3 2\nkinds: domain domain time",
         -1,
         1,
         {0, 3, 4},
         12,
         1},
        {"dimension: 3\nsizes: 4 3 2\nkinds: domain domain list",
         -1,
         -1,
         {0, 3, 4},
         0,
         1},
        {"dimension: 4\nsizes: 4 3 2 1", -1, -1, {2, 3, 4}, 0, 1},
        {"dimension: 4\nsizes: 1 4 3 2\nkinds: scalar space space space",
         -1,
         -1,
         {2, 3, 4},
         0,
         1},
        {"dimension: 4\nsizes: 2 3 2 2", -1, 1, {2, 3, 2}, 12, 1},
        {"dimension: 4\nsizes: 2 3 2 2\nkinds: vector domain domain time",
         1,
         1,
         {0, 2, 3},
         13,
         2},
        {"dimension: 2\nsizes: 24 1", -1, -1, {0, 1, 24}, 0, 1},
        {"dimension: 3\nsizes: 4 6 1", -1, -1, {0, 6, 4}, 0, 1}};
    char header[256];
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        rug_read_options opts = RUG_READ_OPTIONS_INIT;
        opts.channel = ways[i].channel;
        opts.page = ways[i].page;
        snprintf(header, sizeof header,
                 "NRRD0005\ntype: int16\nencoding: raw\nendian: little\n%s\n\n",
                 ways[i].axes);
        assert_values(put_shorts(*state, header), &opts, RUG_I16, ways[i].shape,
                      ways[i].first, ways[i].step);
    }
    /* channels between the axes of space */
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.channel = 1;
    rug_file *file =
        must_read(put_shorts(*state, SHORTS("kinds: domain vector domain\n")), &opts);
    assert_shape(file, RUG_I16, 0, 2, 4);
    assert_pixel(file, 0, 0, 3, value_at(7));
    assert_pixel(file, 0, 1, 0, value_at(16));
    rug_file_free(file);
    must_fail(put_shorts(*state, SHORTS("kinds: vector domain domain\n")), NULL,
              RUG_E_ARG, "4 channels that are not red, green and blue");
}

static void colours(void **state)
{
    const unsigned char rgb[6] = {10, 20, 30, 7, 7, 7}, rgba[4] = {10, 20, 30, 99};
    rug_file *file = must_read(put_behind(*state, "a",
                                          "NRRD0004\ntype: uchar\ndimension: 3\n"
                                          "sizes: 3 2 1\nencoding: raw\n"
                                          "kinds: RGB-color domain domain\n\n",
                                          rgb, 6),
                               NULL);
    assert_shape(file, RUG_U8, 0, 1, 2);
    assert_pixel(file, 0, 0, 0, 18); /* (299 10 + 587 20 + 114 30) / 1000 = 18.15 */
    assert_pixel(file, 0, 0, 1, 7);
    assert_int_equal(rug_file_get_facts(file)->n_channels, 3);
    rug_file_free(file);
    file = must_read(put_behind(*state, "a",
                                "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 4 1 1\n"
                                "encoding: raw\nkinds: RGBA-color domain domain\n\n",
                                rgba, 4),
                     NULL);
    assert_pixel(file, 0, 0, 0, 18);
    assert_int_equal(rug_file_get_facts(file)->dropped_alpha, 1);
    rug_file_free(file);
}

/* Colours that are kept are planes, of 37 x 500 pixels, plain, packed and with alpha. */
static void planes(void **state)
{
    enum { N = 37 * 500 };
    static uint16_t pixels[4 * N];
    static unsigned char stored[sizeof pixels + 256];
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.planes = 1;
    for (int way = 0; way < 3; way++) {
        const size_t n = way == 2 ? 4 : 3, n_bytes = n * N * sizeof pixels[0];
        char header[256];
        for (size_t i = 0; i < n * N; i++)
            pixels[i] = (uint16_t)(i * 7);
        int n_header =
            snprintf(header, sizeof header,
                     "NRRD0004\ntype: uint16\ndimension: 3\nsizes: %zu 500 37\n"
                     "endian: little\nencoding: %s\nkinds: RGB%s-color space space\n\n",
                     n, way == 1 ? "gzip" : "raw", way == 2 ? "A" : "");
        memcpy(stored, header, (size_t)n_header);
        size_t size = n_bytes;
        if (way == 1)
            size = pack(stored + n_header, sizeof pixels, pixels, n_bytes, 31);
        else
            memcpy(stored + n_header, pixels, n_bytes);
        const char *path =
            put_bytes(*state, "planes.nrrd", stored, (size_t)n_header + size);
        rug_file *file = must_read(path, &opts);
        assert_int_equal(rug_file_get_facts(file)->n_planes, 3);
        for (int c = 0; c < 3; c++) {
            const rug_image plane = rug_file_plane(file, c);
            const uint16_t *v = plane.data;
            for (size_t i = 0; i < N; i++)
                assert_int_equal(v[i], pixels[n * i + (size_t)c]);
        }
        rug_file_free(file);
    }
    must_fail(put_behind(*state, "a",
                         "NRRD0004\ntype: uchar\ndimension: 4\nsizes: 3 1 1 2\n"
                         "encoding: raw\nkinds: RGB-color space space space\n\n",
                         stored, 6),
              &opts, RUG_E_ARG, "a volume in colours; choose a channel");
}

static void places(void **state)
{
    static const struct {
        const char *fields, *unit;
        double affine[12];
    } ways[] = {
        {"space: left-posterior-superior\nspace directions: (2,0,0) (0,0,3) (0,-4,0)\n"
         "space origin: (1,2,3)\n",
         "mm",
         {0, 0, -2, -1, 4, 0, 0, -2, 0, 3, 0, 3}},
        {"space: RAS\nspace directions: (2,0,0) (0,3,0) (0,0,4)\n"
         "space units: \"cm\" \"cm\" \"cm\"\nspace origin: (1,2,3)\n",
         "mm",
         {0, 0, 20, 10, 0, 30, 0, 20, 40, 0, 0, 30}},
        {"space: LAS\nspace directions: ( 2 , 0 , 0 ) (0,3,0) (0,0,4)\n"
         "space units: \"um\" \"um\" \"um\"\nspace origin: (0,0,0)\n",
         "um",
         {0, 0, -2, 0, 0, 3, 0, 0, 4, 0, 0, 0}}};
    static const char *const nowhere[] = {
        "spacings: 1 2 3\n", "space: RAS\n",
        "space: RAS\nspace directions: (2,0,0) (0,3,0) (0,0,4)\n",
        ("space: scanner-xyz\nspace directions: (2,0,0) (0,3,0) (0,0,4)\n"
         "space origin: (1,2,3)\n"),
        "space: RAS\nspace directions: (2,0,0) (2,0,0) (0,0,4)\nspace origin: (1,2,3)\n"};
    char header[512];
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        snprintf(header, sizeof header, HEAD "encoding: raw\n%s\n", ways[i].fields);
        assert_located(put_shorts(*state, header), "NRRD", ways[i].unit, ways[i].affine);
    }
    for (size_t i = 0; i < sizeof nowhere / sizeof nowhere[0]; i++) {
        snprintf(header, sizeof header, HEAD "encoding: raw\n%s\n", nowhere[i]);
        assert_located(put_shorts(*state, header), NULL, NULL, NULL);
        assert_true((warning[0] != '\0') == (i == 4)); /* of axes that are parallel */
    }
}

static void spacing_and_units(void **state)
{
    static const struct {
        const char *fields;
        double spacing[3]; /* z, y, x */
        const char *unit;
    } ways[] = {{"spacings: 1 2 3", {3, 2, 1}, NULL},
                {"spacings: nan -2 inf", {0, 2, 0}, NULL},
                {"spacings: 1 2 3\nunits: \"mm\" \"mm\" \"mm\"", {3, 2, 1}, "mm"},
                {"units: \"cm\" \"cm\" \"cm\"\nspacings: 1 2 3", {30, 20, 10}, "mm"},
                {"spacings: 1 2 3\nunits: \"\xc2\xb5m\" \"\xc2\xb5m\" \"\xc2\xb5m\"",
                 {3, 2, 1},
                 "um"},
                {"spacings: 1 2 3\nunits: \"mm\" \"mm\" \"s\"", {3, 2, 1}, NULL},
                {"space dimension: 3\nspace directions: (3,4,0) (0,0,2) (1,0,0)",
                 {1, 2, 5},
                 NULL}};
    char header[256];
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        snprintf(header, sizeof header, HEAD "encoding: raw\n%s\n\n", ways[i].fields);
        rug_file *file = must_read(put_shorts(*state, header), NULL);
        const rug_image *m = rug_file_image(file);
        for (int a = 0; a < 3; a++)
            assert_true(m->spacing[a] >= ways[i].spacing[a] &&
                        m->spacing[a] <= ways[i].spacing[a]);
        assert_true((m->spacing_unit == NULL) == (ways[i].unit == NULL));
        if (ways[i].unit != NULL)
            assert_string_equal(m->spacing_unit, ways[i].unit);
        rug_file_free(file);
    }
}

static void headers_that_lie(void **state)
{
    static const struct {
        const char *fields, *text;
    } lies[] = {
        {"dimension: 0", "dimension is '0', 1 to 16 expected"},
        {"dimension: 17", "1 to 16"},
        {"dimension: 3 3", "1 to 16"},
        {"sizes: 4 3", "sizes is '4 3'"},
        {"sizes: 4 3 2 1", "as many numbers as axes"},
        {"sizes: 4 3 0", "at least 1"},
        {"sizes: 4 3 -2", "at least 1"},
        {"sizes: 4 3 99999999999999999999", "at least 1"},
        {"sizes: 4294967296 4294967296 4294967296", "more pixels than an address"},
        {"sizes: 1000000 1000000 1000", "cut off: 48 of 2000000000000000"},
        {"sizes: 4 3 3", "cut off: 48 of 72"},
        {"endian: middle", "'little' or 'big'"},
        {"line skip: -1", "line skip is '-1'"},
        {"byte skip: x", "byte skip is 'x'"},
        {"spacings: 1 2", "spacings is '1 2'"},
        {"kinds: domain", "a word for each axis"},
        {"units: \"mm\" \"mm", "a text in quotes"},
        {"space: nowhere", "space is 'nowhere'"},
        {"space dimension: 9", "1 to 4"},
        {"space directions: (1,0,0) (0,1,0) (0,0,1)", "space directions"},
        {"space dimension: 3\nspace directions: (1,0) (0,1,0) (0,0,1)", "a vector"},
        {"space dimension: 3\nspace directions: (1,0,0) (0,1,0", "a vector"},
        {"space dimension: 3\nspace origin: 1,2,3", "space origin"},
        {"no field", "line 7 of the NRRD header is no field"}};
    char header[256];
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        snprintf(header, sizeof header, HEAD "encoding: raw\n%s\n\n", lies[i].fields);
        must_fail(put_shorts(*state, header), NULL, RUG_E_FORMAT, lies[i].text);
    }
    must_fail(put_shorts(*state, SHORTS("kinds: complex domain domain\n")), NULL,
              RUG_E_UNSUPPORTED, "complex values");
    must_fail(put_shorts(*state, SHORTS("kinds: vector vector domain\n")), NULL,
              RUG_E_UNSUPPORTED, "several of channels");
    must_fail(put_shorts(*state, "NRRD0009\n\n"), NULL, RUG_E_UNSUPPORTED, "version");
    must_fail(put_shorts(*state, "NRRD0004\nsizes: 4\n\n"), NULL, RUG_E_FORMAT,
              "sizes stands before dimension");
    must_fail(put_behind(*state, "a", HEAD "encoding: raw\n", NULL, 0), NULL,
              RUG_E_FORMAT, "no empty line ends");
}

static void what_is_not_said(void **state)
{
    static const char *const fields[] = {"dimension: 3\nsizes: 4 3 2\n", "type: short\n",
                                         "encoding: raw\n", "endian: little\n"};
    static const char *const missing[] = {"dimension", "type", "encoding", "endian"};
    char header[256], text[64];
    for (size_t left_out = 0; left_out < 4; left_out++) {
        size_t n = (size_t)snprintf(header, sizeof header, "NRRD0004\n");
        for (size_t i = 0; i < 4; i++)
            if (i != left_out)
                n += (size_t)snprintf(header + n, sizeof header - n, "%s", fields[i]);
        snprintf(header + n, sizeof header - n, "\n");
        snprintf(text, sizeof text, "does not say '%s'", missing[left_out]);
        must_fail(put_shorts(*state, header), NULL, RUG_E_FORMAT, text);
    }
    must_fail(put_shorts(*state, "NRRD0004\ndimension: 3\n\n"), NULL, RUG_E_FORMAT,
              "does not say 'sizes'");
}

static void cut_off(void **state)
{
    put_shorts(*state, SHORTS("spacings: 1 2 3\n"));
    const size_t n = strlen(SHORTS("spacings: 1 2 3\n")) + 48;
    assert_int_equal(cut_everywhere(*state, "a.nrrd", NULL, TEST_STEP(1)),
                     (n + TEST_STEP(1) - 1) / TEST_STEP(1));
}

static void options_without_effect(void **state)
{
    const char *path = put_shorts(*state, SHORTS(""));
    rug_read_options level = RUG_READ_OPTIONS_INIT, channel = level, page = level;
    level.level = 1;
    channel.channel = 1;
    page.page = 1;
    must_fail(path, &level, RUG_E_ARG, "level 1 requested");
    must_fail(path, &channel, RUG_E_ARG, "channel 1 requested");
    must_fail(path, &page, RUG_E_ARG, "page 1 requested, but the nrrd file has one");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(every_type),
        SCRATCH_TEST(encodings),
        SCRATCH_TEST(text_values),
        SCRATCH_TEST(text_that_lies),
        SCRATCH_TEST(skips),
        SCRATCH_TEST(files_of_values),
        SCRATCH_TEST(files_that_lie),
        SCRATCH_TEST(packed_files),
        SCRATCH_TEST(other_axes),
        SCRATCH_TEST(colours),
        SCRATCH_TEST(planes),
        SCRATCH_TEST(places),
        SCRATCH_TEST(spacing_and_units),
        SCRATCH_TEST(headers_that_lie),
        SCRATCH_TEST(what_is_not_said),
        SCRATCH_TEST(cut_off),
        SCRATCH_TEST(options_without_effect),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
