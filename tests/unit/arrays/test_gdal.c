/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Arrays in HDF5, NetCDF and Zarr, and rasters of maps, as h5py, netCDF4, zarr, ome-zarr and rasterio wrote them:
 * tests/data/arrays/make_arrays.py. Voxel z, y, x of a volume is 100 z + 10 y + x. */

#define _XOPEN_SOURCE 700

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include "../io/source_support.h"
#include "../io/tag_support.h"

#define ARRAYS RUGOSE_TEST_DATA "/arrays/"

/* Every pixel is 100 z + 10 y + x, times `slope` and more by `more`, but for no data. */
static void assert_ramp(const rug_file *file, double slope, double more)
{
    const rug_image *m = rug_file_image(file);
    size_t nz = m->ndim == 3 ? m->shape[0] : 1;
    size_t ny = m->shape[m->ndim - 2], nx = m->shape[m->ndim - 1];
    for (size_t z = 0; z < nz; z++)
        for (size_t y = 0; y < ny; y++)
            for (size_t x = 0; x < nx; x++)
                if (!isnan(pixel(file, z, y, x)))
                    assert_pixel(file, z, y, x,
                                 slope * (double)(100 * z + 10 * y + x) + more);
}

/* Reads, checks type, shape and all values. */
static void check(const char *path, const rug_read_options *opts, rug_dtype dtype,
                  size_t nz, double slope, double more)
{
    rug_file *file = must_read(path, opts);
    assert_shape(file, dtype, nz, 5, 6);
    assert_ramp(file, slope, more);
    rug_file_free(file);
}

static void one_array(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 4; threads += 3) {
        rug_context_set_threads(ctx, threads);
        check(ARRAYS "volume.h5", NULL, RUG_U16, 4, 1, 0);
        check(ARRAYS "volume.h5:/a/volume", NULL, RUG_U16, 4, 1, 0);
        check(ARRAYS "volume.zarr", NULL, RUG_U16, 4, 1, 0);
        check(ARRAYS "group.zarr:inner/a", NULL, RUG_U16, 4, 1, 0);
        check(ARRAYS "group.zarr:/b", NULL, RUG_I16, 0, 1, -20);
        check(ARRAYS "group.zarr/inner/a", NULL, RUG_U16, 4, 1, 0);
    }
    rug_file *file = must_read(ARRAYS "volume.h5", NULL);
    assert_string_equal(rug_file_get_facts(file)->format, "hdf5");
    assert_int_equal(rug_file_get_facts(file)->has_nodata, 0);
    rug_file_free(file);
}

static void types(void **state)
{
    (void)state;
    check(ARRAYS "several.h5:i8", NULL, RUG_I16, 0, 1, -20);
    check(ARRAYS "several.h5:half", NULL, RUG_F32, 0, 1, 0);
    check(ARRAYS "several.h5:big", NULL, RUG_U16, 0, 1, 0);
    check(ARRAYS "several.h5:f64", NULL, RUG_F64, 0, 0.25, 0);
    check(ARRAYS "several.h5:flat", NULL, RUG_U16, 0, 1, 0);
    rug_file *file = must_read(ARRAYS "several.h5:i64", NULL);
    assert_true(((const int64_t *)rug_file_image(file)->data)[29] ==
                45 - ((int64_t)1 << 60));
    rug_file_free(file);
    file = must_read(ARRAYS "several.h5:u64", NULL);
    assert_true(((const uint64_t *)rug_file_image(file)->data)[29] ==
                45 + ((uint64_t)1 << 63));
    rug_file_free(file);
    file = must_read(ARRAYS "several.h5:bool", NULL);
    assert_pixel(file, 0, 2, 0, 0);
    assert_pixel(file, 0, 2, 1, 1);
    rug_file_free(file);
}

static void which_array(void **state)
{
    (void)state;
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    const char *several = ARRAYS "several.h5";
    must_fail(several, NULL, RUG_E_ARG,
              "/raw (4x5x6 u16), /u64 (5x6 u64), /seg/labels (4x5x6 u8)");
    must_fail(several, NULL, RUG_E_ARG, "with --dataset NAME, or FILE:NAME");
    opts.dataset = "raw";
    check(several, &opts, RUG_U16, 4, 1, 0);
    opts.dataset = "/nothing";
    must_fail(several, &opts, RUG_E_ARG, "has no array '/nothing', but /big");
    must_fail(RUGOSE_TEST_DATA "/camera.png", &opts, RUG_E_ARG,
              "array '/nothing' requested, but this is no file of arrays");
    must_fail(RUGOSE_TEST_DATA "/camera.png:x", NULL, RUG_E_ARG, "array 'x' requested");
    must_fail(ARRAYS "several.h5:raw", &opts, RUG_E_ARG, "and so does --dataset");
    opts.dataset = "complex";
    must_fail(several, &opts, RUG_E_UNSUPPORTED, "are not numbers that can be read");
    opts.dataset = "line";
    must_fail(several, &opts, RUG_E_UNSUPPORTED, "2 (image) or 3 (volume) axes expected");
    must_fail(ARRAYS "nothing.h5:raw", NULL, RUG_E_IO, "cannot be opened");
    must_fail("/vsimem/a.h5", NULL, RUG_E_IO, "cannot be opened");
}

static void axes(void **state)
{
    (void)state;
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    must_fail(ARRAYS "ilastik.h5", NULL, RUG_E_ARG,
              "has 2 channels; choose one with --channel 0..1");
    opts.dataset = "exported_data";
    opts.channel = 1;
    check(ARRAYS "ilastik.h5", &opts, RUG_F32, 4, 1, 1000);
    opts.channel = 2;
    must_fail(ARRAYS "ilastik.h5", &opts, RUG_E_ARG, "channel 2 requested");
    opts = (rug_read_options)RUG_READ_OPTIONS_INIT;
    check(ARRAYS "several.h5:four", &opts, RUG_U16, 4, 1, 0);
    opts.page = 1;
    check(ARRAYS "several.h5:four", &opts, RUG_U16, 4, 1, 1000);
    opts.page = 2;
    must_fail(ARRAYS "several.h5:four", &opts, RUG_E_ARG, "page 2 requested");
    rug_file *file = must_read(ARRAYS "several.h5:raw", NULL);
    assert_string_equal(rug_file_image(file)->spacing_unit, "um");
    assert_near(rug_file_image(file)->spacing[0], 2);
    assert_near(rug_file_image(file)->spacing[2], 0.5);
    rug_file_free(file);
    opts = (rug_read_options)RUG_READ_OPTIONS_INIT;
    opts.volume = 1;
    must_fail(ARRAYS "several.h5:big", &opts, RUG_E_ARG, "a volume is requested");
    opts.volume = 0;
    opts.level = 1;
    must_fail(ARRAYS "several.h5:big", &opts, RUG_E_ARG, "level 1 requested");
}

static void heights(void **state)
{
    (void)state;
    static const char *const paths[] = {ARRAYS "height.nc", ARRAYS "height4.nc"};
    for (size_t i = 0; i < 2; i++) {
        rug_read_options opts = RUG_READ_OPTIONS_INIT;
        rug_file *file = must_read(paths[i], NULL);
        const rug_file_facts *facts = rug_file_get_facts(file);
        assert_shape(file, RUG_F32, 0, 5, 6);
        assert_ramp(file, 0.5, 10);
        assert_true(isnan(pixel(file, 0, 0, 1)) && !isnan(pixel(file, 0, 0, 2)));
        assert_int_equal(facts->n_nodata, 2);
        assert_near(-facts->nodata, 4989.5);
        assert_near(facts->slope, 0.5);
        assert_near(facts->intercept, 10);
        assert_int_equal(facts->n_pages, 2);
        assert_string_equal(rug_file_image(file)->spacing_unit, "degree");
        assert_near(rug_file_image(file)->spacing[0], 0.25);
        assert_string_equal(facts->located_by, "coordinates");
        assert_near(facts->affine[0][1], 0.25);
        assert_near(-facts->affine[1][0], 0.25);
        assert_near(facts->affine[0][3], 5);
        assert_near(facts->affine[1][3], 50);
        rug_file_free(file);
        opts.page = 1;
        check(paths[i], &opts, RUG_F32, 0, 0.5, 60);
        opts.nodata_as = RUG_NODATA_AS_STORED;
        opts.nodata = RUG_NODATA_NONE;
        opts.page = 0;
        file = must_read(paths[i], &opts);
        assert_pixel(file, 0, 0, 0, -4989.5);
        rug_file_free(file);
    }
}

static void pyramids(void **state)
{
    (void)state;
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    const char *path = ARRAYS "ome.zarr";
    must_fail(path, NULL, RUG_E_ARG, "has 2 channels");
    opts.channel = 1;
    rug_file *file = must_read(path, &opts);
    assert_shape(file, RUG_U16, 2, 6, 8);
    assert_ramp(file, 1, 1000);
    assert_string_equal(rug_file_get_facts(file)->format, "ome-zarr");
    assert_int_equal(rug_file_get_facts(file)->n_levels, 2);
    assert_near(rug_file_image(file)->spacing[0], 2);
    assert_near(rug_file_image(file)->spacing[1], 0.5);
    rug_file_free(file);
    opts.level = 1;
    file = must_read(path, &opts);
    assert_shape(file, RUG_U16, 2, 3, 4);
    assert_pixel(file, 1, 2, 3, 1146);
    assert_near(rug_file_image(file)->spacing[2], 1);
    assert_string_equal(rug_file_image(file)->spacing_unit, "um");
    rug_file_free(file);
    opts.level = 2;
    must_fail(path, &opts, RUG_E_ARG, "level 2 requested");
    file = must_read(ARRAYS "ome.zarr:/labels/cells", NULL);
    assert_shape(file, RUG_U8, 2, 6, 8);
    assert_pixel(file, 1, 0, 1, 1);
    rug_file_free(file);
    file = must_read(ARRAYS "ome.zarr/labels/cells", NULL);
    assert_shape(file, RUG_U8, 2, 6, 8);
    rug_file_free(file);
    file = must_read(ARRAYS "ome.zarr/labels/cells/s1", NULL);
    assert_shape(file, RUG_U8, 2, 3, 4);
    rug_file_free(file);
}

static void rasters(void **state)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.channel = 0;
    scratch_write(*state, "dem.asc",
                  "NCOLS 3\nNROWS 2\nXLLCORNER 500000\nYLLCORNER 4599940\nCELLSIZE 30\n"
                  "NODATA_VALUE -9999\n1.5 2 -9999\n4 5 6\n");
    const char *const paths[] = {ARRAYS "dem.img", ARRAYS "bands.dat", ARRAYS "bands.hdr",
                                 scratch_path(*state, "dem.asc")};
    for (size_t i = 0; i < 4; i++) {
        rug_file *file = must_read(paths[i], &opts);
        const rug_file_facts *facts = rug_file_get_facts(file);
        assert_string_equal(facts->located_by, "geotransform");
        assert_near(facts->affine[0][1], 30);
        assert_near(-facts->affine[1][0], 30);
        assert_near(facts->affine[0][3], 500015);
        assert_near(facts->affine[1][3], 4599985);
        assert_near(-facts->nodata, 9999);
        assert_int_equal(facts->n_nodata, i < 3 ? 2 : 1);
        if (i < 3)
            assert_ramp(file, 1, 100);
        rug_file_free(file);
    }
    rug_file *file = must_read(ARRAYS "dem.grb2", &opts);
    assert_string_equal(rug_file_get_facts(file)->format, "grib");
    assert_int_equal(rug_file_get_facts(file)->n_nodata, 2);
    assert_near(pixel(file, 0, 4, 5), 145);
    rug_file_free(file);
    opts.channel = 1;
    file = must_read(ARRAYS "bands.dat", &opts);
    assert_pixel(file, 0, 0, 0, -9998);
    assert_pixel(file, 0, 4, 5, 146);
    rug_file_free(file);
    must_fail(ARRAYS "bands.dat", NULL, RUG_E_ARG, "has 2 channels");
}

/* ---- Maps ---- */

/* Column, row to x, y at the corner of the first pixel, from either form of the tags. */
static void told_transform(const told *t, double out[6])
{
    if (t->n_matrix == 16) {
        const int at[6] = {3, 0, 1, 7, 4, 5};
        for (int i = 0; i < 6; i++)
            out[i] = t->matrix[at[i]];
        return;
    }
    assert_int_equal(t->n_scale, 3);
    assert_int_equal(t->n_tie, 6);
    const double all[6] = {
        t->tie[3] - t->tie[0] * t->scale[0], t->scale[0], 0,
        t->tie[4] + t->tie[1] * t->scale[1], 0,           -t->scale[1]};
    memcpy(out, all, sizeof all);
}

/* Maps lie where the raster lies, in its system: GeoTIFF 1.1, keys 1024, 2048 and 3072. */
static void maps_of_rasters(void **state)
{
    scratch_write(*state, "centres.asc",
                  "ncols 3\nnrows 2\nxllcenter 100\nyllcenter 200\ncellsize 10\n"
                  "1 2 3\n4 5 6\n");
    char asc[sizeof((scratch *)*state)->path];
    snprintf(asc, sizeof asc, "%s", scratch_path(*state, "centres.asc"));
    const struct {
        const char *path;
        double transform[6];
        int model, geographic, projected;
    } cases[] = {{ARRAYS "dem.img", {500000, 30, 0, 4600000, 0, -30}, 1, -1, 32633},
                 {ARRAYS "bands.dat", {500000, 30, 0, 4600000, 0, -30}, 1, -1, 32633},
                 {ARRAYS "degrees.dat", {5.03, 0.1, 0, 50.7, 0, -0.1}, 2, 4326, -1},
                 {ARRAYS "turned.dat", {4321000, 20, 5, 3210000, 5, -20}, 1, -1, 32767},
                 {ARRAYS "height.nc", {4.875, 0.25, 0, 50.125, 0, -0.25}, -1, -1, -1},
                 {asc, {95, 10, 0, 215, 0, -10}, -1, -1, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rug_read_options opts = RUG_READ_OPTIONS_INIT;
        const double *g = cases[i].transform, step[2] = {2, 3}, first[2] = {0.5, 1};
        double got[6];
        opts.channel = 0;
        told t = write_map_of(*state, cases[i].path, &opts, NULL, NULL);
        told_transform(&t, got);
        assert_all_near(got, g, 6);
        if (cases[i].model >= 0) {
            assert_int_equal(told_key(&t, 1024), cases[i].model);
            assert_int_equal(told_key(&t, 3072), cases[i].projected);
        }
        if (cases[i].geographic > 0)
            assert_int_equal(told_key(&t, 2048), cases[i].geographic);
        t = write_map_of(*state, cases[i].path, &opts, first, step);
        told_transform(&t, got);
        assert_all_near(
            got, (const double[]){g[0], 3 * g[1], 2 * g[2], g[3], 3 * g[4], 2 * g[5]}, 6);
    }
}

/* ---- What is refused ---- */

static void copy(scratch *here, const char *from, const char *to)
{
    size_t n;
    unsigned char *bytes = get_bytes(from, &n);
    put_bytes(here, to, bytes, n);
    free(bytes);
}

static void zarr_that_lies(void **state)
{
    static const char array[] =
        "{\"zarr_format\":2,\"shape\":[%s],\"chunks\":[%s],\"dtype\":\"<u2\",\"compressor\":null,"
        "\"fill_value\":0,\"order\":\"C\",\"filters\":null}";
    static const struct {
        const char *shape, *chunks;
        rug_status status;
        const char *text;
    } cases[] = {{"4,0", "4,4", RUG_E_FORMAT, ""},
                 {"4294967296,4294967296,4294967296", "4,4,4", RUG_E_FORMAT, ""},
                 {"200000,200000", "200000,200000", RUG_E_UNSUPPORTED,
                  "chunks of more than 4 GiB"},
                 {"4,5,6,7,8", "4,5,6,7,8", RUG_E_UNSUPPORTED, "the array is 4x5x6x7x8"}};
    char text[512];
    scratch *here = *state;
    int kept = begin_silence(here);
    mkdir(scratch_path(here, "a.zarr"), 0700);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(text, sizeof text, array, cases[i].shape, cases[i].chunks);
        scratch_write(here, "a.zarr/.zarray", text);
        must_fail(scratch_path(here, "a.zarr"), NULL, cases[i].status, cases[i].text);
    }
    scratch_write(here, "a.zarr/.zarray", "{");
    must_fail(scratch_path(here, "a.zarr"), NULL, RUG_E_FORMAT, "");
    snprintf(text, sizeof text, array, "4,5", "4,5");
    scratch_write(here, "a.zarr/.zarray", text);
    scratch_write(here, "a.zarr/0.0", "cut");
    must_fail(scratch_path(here, "a.zarr"), NULL, RUG_E_FORMAT, "cannot be read");
    must_fail(ARRAYS "v3.zarr", NULL, RUG_E_FORMAT, "version 2 of Zarr expected");
    end_silence(here, kept);
}

static void pyramid_that_lies(void **state)
{
    static const char *const attributes[] = {
        "{\"multiscales\":[]}", "{\"multiscales\":5}",
        "{\"multiscales\":[{\"datasets\":[]}]}",
        "{\"multiscales\":[{\"datasets\":[{\"path\":\"../../x\"}]}]}",
        "{\"multiscales\":[{\"axes\":[\"y\"],\"datasets\":[{\"path\":\"nothing\"}]}]}"};
    scratch *here = *state;
    mkdir(scratch_path(here, "a.zarr"), 0700);
    scratch_write(here, "a.zarr/.zgroup", "{\"zarr_format\":2}");
    int kept = begin_silence(here);
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
        scratch_write(here, "a.zarr/.zattrs", attributes[i]);
        must_fail(scratch_path(here, "a.zarr"), NULL, RUG_E_FORMAT, "");
    }
    end_silence(here, kept);
}

static void cut_off(void **state)
{
    scratch *here = *state;
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    copy(here, ARRAYS "volume.h5", "volume.h5");
    copy(here, ARRAYS "height.nc", "height.nc");
    copy(here, ARRAYS "bands.dat", "bands.dat");
    copy(here, ARRAYS "bands.hdr", "bands.hdr");
    copy(here, ARRAYS "dem.img", "dem.img");
    int kept = begin_silence(here);
    assert_true(cut_everywhere(here, "volume.h5", NULL, 97) > 50);
    assert_true(cut_everywhere(here, "height.nc", NULL, 7) > 80);
    assert_true(cut_everywhere(here, "dem.img", NULL, 293) > 50);
    opts.channel = 1;
    copy(here, ARRAYS "bands.hdr", "cut.hdr");
    assert_true(cut_everywhere(here, "bands.dat", &opts, 7) > 8);
    end_silence(here, kept);
}

/* Bytes that are wrong give an error or pixels, in silence. */
static void damaged(void **state)
{
    static const char *const paths[] = {ARRAYS "volume.h5", ARRAYS "height.nc",
                                        ARRAYS "dem.img"};
    scratch *here = *state;
    int kept = begin_silence(here);
    for (size_t i = 0; i < 3; i++) {
        size_t n, n_errors = 0;
        unsigned char *bytes = get_bytes(paths[i], &n);
        for (size_t at = 8; at < n && at < 8 + 97 * 60; at += 97) {
            rug_file *file = NULL;
            bytes[at] ^= 0xff;
            n_errors +=
                rug_file_read(ctx, &file, put_bytes(here, "a", bytes, n), NULL) != RUG_OK;
            rug_file_free(file);
            bytes[at] ^= 0xff;
        }
        assert_true(n_errors > 0);
        free(bytes);
    }
    end_silence(here, kept);
}

/* Layers from the middle of an array take the rows of chunks that they are in. */
static void own_layers(void **state)
{
    static const char head[] =
        "{\"zarr_format\": 2, \"shape\": [256, 256, 128], \"chunks\": [16, 128, 128], "
        "\"dtype\": \"|u1\", \"compressor\": null, \"filters\": null, \"order\": \"C\", "
        "\"fill_value\": 0}";
    static unsigned char chunk[16 * 128 * 128];
    scratch *here = *state;
    rug_image slab;
    char name[32];
    assert_int_equal(mkdir(scratch_path(here, "a.zarr"), 0700), 0);
    put_bytes(here, "a.zarr/.zarray", head, sizeof head - 1);
    for (int i = 0; i < 32; i++) {
        memset(chunk, i / 2, sizeof chunk);
        snprintf(name, sizeof name, "a.zarr/%d.%d.0", i / 2, i % 2);
        put_bytes(here, name, chunk, sizeof chunk);
    }
    const char *path = scratch_path(here, "a.zarr");
    rug_file_free(must_read(path, NULL)); /* GDAL is loaded */
    rug_file *file = read_within(path, NULL, 160, 32, 4 * sizeof chunk, &slab);
    assert_int_equal(*(const unsigned char *)slab.data, 11);
    rug_file_free(file);
    file = read_within(path, NULL, 175, 2, 4 * sizeof chunk, &slab);
    assert_int_equal(*(const unsigned char *)slab.data, 11);
    rug_file_free(file);
}

static void folders_are_images(void **state)
{
    (void)state;
    int answer = 0;
    assert_int_equal(rug_file_is_image(ctx, &answer, ARRAYS "ome.zarr"), RUG_OK);
    assert_int_equal(answer, 1);
    assert_int_equal(rug_file_is_image(ctx, &answer, ARRAYS "volume.h5"), RUG_OK);
    assert_int_equal(answer, 1);
    assert_int_equal(rug_file_is_image(ctx, &answer, ARRAYS "make_arrays.py"), RUG_OK);
    assert_int_equal(answer, 0);
    assert_int_equal(rug_file_is_image(ctx, &answer, ARRAYS), RUG_E_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_array),   cmocka_unit_test(types),
        cmocka_unit_test(which_array), cmocka_unit_test(axes),
        cmocka_unit_test(heights),     cmocka_unit_test(pyramids),
        SCRATCH_TEST(maps_of_rasters), SCRATCH_TEST(rasters),
        SCRATCH_TEST(zarr_that_lies),  SCRATCH_TEST(pyramid_that_lies),
        SCRATCH_TEST(cut_off),         SCRATCH_TEST(damaged),
        SCRATCH_TEST(own_layers),      cmocka_unit_test(folders_are_images),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
