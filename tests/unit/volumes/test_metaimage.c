/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reading MetaImage: every type, values behind the header or in files of their own, compressed
 * or as text, channels and pages, places, and headers that lie. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include "support.h"
#include "volume_support.h"

#define HEAD     "ObjectType = Image\nNDims = 3\nDimSize = 4 3 2\nElementType = MET_SHORT\n"
#define LOCAL(s) HEAD s "ElementDataFile = LOCAL\n"

static const size_t volume[3] = {2, 3, 4};
static unsigned char values[4096], packed[4096];

static const char *put_shorts(scratch *here, const char *header)
{
    return put_behind(here, "a.mha", header, values,
                      put_values(values, RUG_I16, 0, 0, N_VALUES));
}

static void every_type(void **state)
{
    static const struct {
        const char *name;
        rug_dtype dtype;
    } types[] = {
        {"MET_CHAR", RUG_I8},        {"MET_UCHAR", RUG_U8},  {"MET_SHORT", RUG_I16},
        {"MET_USHORT", RUG_U16},     {"MET_INT", RUG_I32},   {"MET_UINT", RUG_U32},
        {"MET_LONG", RUG_I32},       {"MET_ULONG", RUG_U32}, {"MET_LONG_LONG", RUG_I64},
        {"MET_ULONG_LONG", RUG_U64}, {"MET_FLOAT", RUG_F32}, {"MET_DOUBLE", RUG_F64},
        {"MET_FLOAT_ARRAY", RUG_F32}};
    static const char *const orders[] = {"ElementByteOrderMSB", "BinaryDataByteOrderMSB"};
    char header[256];
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        for (int is_big = 0; is_big < 2; is_big++) {
            snprintf(
                header, sizeof header,
                "NDims=3\r\nComment = x = y\r\nDimSize = 4 3 2\r\nElementType = %s\r\n"
                "%s = %s\r\nElementDataFile = LOCAL\r\n",
                types[i].name, orders[i % 2], is_big ? "True" : "False");
            size_t n = put_values(values, types[i].dtype, is_big, 0, N_VALUES);
            assert_values(put_behind(*state, "a", header, values, n), NULL,
                          types[i].dtype, volume, 0, 1);
        }
    must_fail(put_shorts(*state, LOCAL("ElementType = MET_STRING\n")), NULL,
              RUG_E_UNSUPPORTED, "type 'MET_STRING'");
}

static void compressed(void **state)
{
    size_t n = put_values(values, RUG_I16, 0, 0, N_VALUES);
    for (int bits = 15; bits < 32; bits += 16) { /* zlib and gzip */
        size_t n_packed = pack(packed, sizeof packed, values, n, bits);
        memcpy(packed + n_packed, "rest", 4);
        assert_values(put_behind(*state, "a.mha",
                                 LOCAL("CompressedData = True\nCompressedDataSize = 9\n"),
                                 packed, n_packed + 4),
                      NULL, RUG_I16, volume, 0, 1);
    }
    size_t n_packed = pack(packed, sizeof packed, values, n, 15);
    put_bytes(*state, "a.zraw", packed, n_packed);
    assert_values(put_behind(*state, "a.mhd",
                             HEAD "CompressedData = True\nElementDataFile = a.zraw\n",
                             NULL, 0),
                  NULL, RUG_I16, volume, 0, 1);
    packed[n_packed - 1] ^= 1;
    must_fail(
        put_behind(*state, "a.mha", LOCAL("CompressedData = True\n"), packed, n_packed),
        NULL, RUG_E_FORMAT, "the zlib stream is damaged: its checksum is wrong");
    must_fail(put_behind(*state, "a.mha", LOCAL("CompressedData = True\n"), packed,
                         n_packed - 3),
              NULL, RUG_E_FORMAT, "the zlib stream is cut off");
    must_fail(put_behind(*state, "a.mha",
                         "NDims = 3\nDimSize = 4000 3000 2000\nElementType = MET_SHORT\n"
                         "CompressedData = True\nElementDataFile = LOCAL\n",
                         packed, n_packed),
              NULL, RUG_E_FORMAT, "more than a zlib file of");
}

static void files_of_values(void **state)
{
    static const char *const headers[] = {
        HEAD "ElementDataFile = all.raw\n",
        HEAD "ElementDataFile = s%d.raw 0 1 1\n",
        HEAD "ElementDataFile = LIST 2\ns0.raw\ns1.raw\n",
        HEAD "ElementDataFile = LIST\ns0.raw\ns1.raw",
        HEAD "HeaderSize = -1\nElementDataFile = head.raw\n",
        HEAD "HeaderSize = 5\nElementDataFile = head.raw\n",
        HEAD "HeaderSize = -1\nElementDataFile = LOCAL\n"};
    char name[32];
    for (int z = 0; z < 2; z++) {
        snprintf(name, sizeof name, "s%d.raw", z);
        put_bytes(*state, name, values,
                  put_values(values, RUG_I16, 0, (size_t)z * 12, 12));
    }
    size_t n = put_values(values, RUG_I16, 0, 0, N_VALUES);
    put_bytes(*state, "all.raw", values, n);
    put_behind(*state, "head.raw", "12345", values, n);
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        int is_local = i + 1 == sizeof headers / sizeof headers[0];
        assert_values(put_behind(*state, "a.mhd", headers[i], values, is_local ? n : 0),
                      NULL, RUG_I16, volume, 0, 1);
    }
    must_fail(
        put_behind(*state, "a.mhd", HEAD "ElementDataFile = ../none.raw\n", NULL, 0),
        NULL, RUG_E_IO, "none.raw: cannot be opened");
    must_fail(put_behind(*state, "a.mhd", HEAD "ElementDataFile = s0.raw\n", NULL, 0),
              NULL, RUG_E_FORMAT, "s0.raw: cut off: 24 of 48");
}

static void text_values(void **state)
{
    assert_values(
        put_behind(*state, "a.mha", LOCAL("BinaryData = False\n"),
                   "0 3 6 9 12 15 18 21 24 27 30 33 36 39 42 45 48 51 54 57 60 63 66 69",
                   67),
        NULL, RUG_I16, volume, 0, 1);
    must_fail(put_shorts(*state, LOCAL("BinaryData = False\nCompressedData = True\n")),
              NULL, RUG_E_UNSUPPORTED, "text that is compressed");
}

static void scaled(void **state)
{
    rug_file *file =
        must_read(put_shorts(*state, LOCAL("ElementToIntensityFunctionSlope = 2\n"
                                           "ElementToIntensityFunctionOffset = -1\n")),
                  NULL);
    assert_shape(file, RUG_F32, 2, 3, 4);
    assert_pixel(file, 0, 0, 1, 5);
    assert_true(rug_file_get_facts(file)->slope == 2 &&
                rug_file_get_facts(file)->intercept == -1);
    rug_file_free(file);
}

static void channels_and_pages(void **state)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    const char *path =
        put_shorts(*state, "NDims = 2\nDimSize = 3 2\nElementNumberOfChannels = 4\n"
                           "ElementType = MET_SHORT\nElementDataFile = LOCAL\n");
    for (opts.channel = 0; opts.channel < 4; opts.channel++)
        assert_values(path, &opts, RUG_I16, (const size_t[]){0, 2, 3},
                      (size_t)opts.channel, 4);
    must_fail(path, NULL, RUG_E_ARG, "choose one with --channel 0..3");
    must_fail(path, &opts, RUG_E_ARG, "channel 4 requested");
    opts.channel = -1;
    path = put_shorts(*state, "NDims = 4\nDimSize = 2 3 2 2\nElementType = MET_SHORT\n"
                              "ElementDataFile = LOCAL\n");
    for (opts.page = 0; opts.page < 2; opts.page++)
        assert_values(path, &opts, RUG_I16, (const size_t[]){2, 3, 2},
                      (size_t)opts.page * 12, 1);
    must_fail(put_shorts(*state,
                         "NDims = 5\nDimSize = 2 3 2 2 2\nElementType = MET_SHORT\n"
                         "ElementDataFile = LOCAL\n"),
              NULL, RUG_E_UNSUPPORTED, "5 axes, 5 of them of space");
}

static void places(void **state)
{
    static const struct {
        const char *fields;
        double affine[12];
    } ways[] = {
        {"Offset = 1 2 3\nElementSpacing = 4 5 6\n",
         {0, 0, -4, -1, 0, -5, 0, -2, 6, 0, 0, 3}},
        {"Position = 1 2 3\nElementSize = 4 5 6\nOrientation = 0 1 0 0 0 1 1 0 0\n",
         {-6, 0, 0, -1, 0, 0, -4, -2, 0, 5, 0, 3}},
        {"TransformMatrix = 1 0 0 0 -1 0 0 0 1\nDistanceUnits = cm\n"
         "ElementSpacing = 4 5 6\nElementSize = 9 9 9\n",
         {0, 0, -40, 0, 0, 50, 0, 0, 60, 0, 0, 0}}};
    char header[512];
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        snprintf(header, sizeof header, HEAD "%sElementDataFile = LOCAL\n",
                 ways[i].fields);
        assert_located(put_shorts(*state, header), "MetaImage", "mm", ways[i].affine);
    }
    assert_located(put_shorts(*state, LOCAL("ElementSpacing = 1 2 3\n")), NULL, NULL,
                   NULL);
    rug_file *file = must_read(
        put_shorts(*state, LOCAL("ElementSpacing = 1 2 3\nDistanceUnits = um\n")), NULL);
    assert_true(rug_file_image(file)->spacing[0] == 3);
    assert_string_equal(rug_file_image(file)->spacing_unit, "um");
    rug_file_free(file);
}

static void headers_that_lie(void **state)
{
    static const struct {
        const char *fields, *text;
    } lies[] = {{"NDims = 0\n", "NDims is '0'"},
                {"NDims = 11\n", "NDims is '11'"},
                {"NDims = 2\n", "3 numbers of DimSize, but 2 axes"},
                {"DimSize = 4 3 2.5\n", "axis 3 of the MetaImage file has 2.5"},
                {"DimSize = 4 3 -2\n", "axis 3 of the MetaImage file has -2"},
                {"DimSize = 4 3 nan\n", "axis 3"},
                {"DimSize = 4 3 1e300\n", "axis 3"},
                {"DimSize = 4 x 2\n", "DimSize is '4 x 2'"},
                {"DimSize = 4294967296 4294967296 4294967296\n", "more pixels than"},
                {"DimSize = 4 3 3\n", "cut off: 48 of 72"},
                {"ElementSpacing = 1 2\n", "2 numbers of ElementSpacing"},
                {"Offset = 1 2 3 4\n", "4 numbers of Offset"},
                {"TransformMatrix = 1 0 0 1\n", "9 expected"},
                {"ElementNumberOfChannels = 0\n", "ElementNumberOfChannels is '0'"},
                {"HeaderSize = -2\n", "HeaderSize is '-2'"},
                {"HeaderSize = 9223372036854775807\n", "cut off: 0 of 48"},
                {"HeaderSize = -1\nCompressedData = True\n", "plain values only"},
                {"nothing\n", "is no field"}};
    char header[256];
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        snprintf(header, sizeof header, HEAD "%sElementDataFile = LOCAL\n",
                 lies[i].fields);
        must_fail(put_shorts(*state, header), NULL, RUG_E_FORMAT, lies[i].text);
    }
    must_fail(put_shorts(*state, "ObjectType = Tube\nNDims = 3\n"), NULL,
              RUG_E_UNSUPPORTED, "ObjectType is 'Tube'");
    must_fail(put_behind(*state, "a.mha", HEAD, NULL, 0), NULL, RUG_E_FORMAT,
              "does not say ElementDataFile");
    must_fail(put_shorts(*state, "NDims = 3\nElementDataFile = LOCAL\n"), NULL,
              RUG_E_FORMAT, "does not say DimSize");
    must_fail(put_shorts(*state, "NDims = 1\nDimSize = 9\nElementDataFile = LOCAL\n"),
              NULL, RUG_E_FORMAT, "does not say ElementType");
}

/* A text is one of these only by its first words. */
static void texts_that_are_none(void **state)
{
    static const char *const texts[] = {"NDimsion = 3\n", "Comment = nothing\n",
                                        "ElementType = MET_SHORT\n", "ObjectType"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        must_fail(put_behind(*state, "a.bin", texts[i], NULL, 0), NULL, RUG_E_FORMAT,
                  "read");
    assert_values(put_shorts(*state, "Comment = mine\n" LOCAL("")), NULL, RUG_I16, volume,
                  0, 1);
}

static void cut_off(void **state)
{
    put_shorts(*state, LOCAL(""));
    const size_t n = strlen(LOCAL("")) + 48;
    assert_int_equal(cut_everywhere(*state, "a.mha", NULL, TEST_STEP(1)), n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(every_type),
        SCRATCH_TEST(compressed),
        SCRATCH_TEST(files_of_values),
        SCRATCH_TEST(text_values),
        SCRATCH_TEST(scaled),
        SCRATCH_TEST(channels_and_pages),
        SCRATCH_TEST(places),
        SCRATCH_TEST(headers_that_lie),
        SCRATCH_TEST(texts_that_are_none),
        SCRATCH_TEST(cut_off),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
