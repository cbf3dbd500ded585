/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Images that are written lie where the image lies that they are made from: GeoTIFF's tags as libtiff
 * reads them, the spacing as rugose reads it. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <rugose/image_writer.h>
#include <unistd.h>

#include "io_scratch.h"

#include "../io/read_support.h"

#include "../io/picture_support.h"
#include "../io/tag_support.h"

enum { SCALE, TIE, MATRIX, KEYS, NAMES, NODATA, N_TAGS };

/* As programs register them that have libtiff know GeoTIFF. */
static void know_tags(TIFF *tiff)
{
    static char name[] = "geo";
    static const TIFFFieldInfo fields[N_TAGS] = {
        {33550, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, name},
        {33922, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, name},
        {34264, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, name},
        {34735, -1, -1, TIFF_SHORT, FIELD_CUSTOM, 1, 1, name},
        {34737, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, name},
        {42113, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, name}};
    assert_int_equal(TIFFMergeFieldInfo(tiff, fields, N_TAGS), 0);
}

static const double scale[3] = {10, 20, 0};
static const double matrix[16] = {10, 0, 0, 500, 0, -20, 0, 900, 0, 0, 0, 0, 0, 0, 0, 1};

/* A source of 6x8 pixels, which is of half the resolution of what its tags tell of when it has a full
 * page before it. */
static const char *put_source(scratch *here, int has_matrix, int are_points,
                              int has_levels)
{
    static const double tie[6] = {2, 1, 0, 500, 900, 0};
    const uint16_t keys[8] = {1, 1, 0, 1, 1025, 0, 1, are_points ? 2 : 1};
    uint8_t pixels[12 * 16] = {1};
    page p = {.width = has_levels ? 16 : 8,
              .height = has_levels ? 12 : 6,
              .photometric = PHOTOMETRIC_MINISBLACK};
    TIFF *tiff = TIFFOpen(scratch_path(here, "source.tif"), "w");
    know_tags(tiff);
    TIFFSetField(tiff, 34735, 8, keys);
    TIFFSetField(tiff, 34737, "WGS 84|");
    if (has_matrix)
        TIFFSetField(tiff, 34264, 16, matrix);
    else {
        TIFFSetField(tiff, 33550, 3, scale);
        TIFFSetField(tiff, 33922, 6, tie);
    }
    add_page(tiff, &p, pixels);
    p.width = 8;
    p.height = 6;
    p.reduced = FILETYPE_REDUCEDIMAGE;
    if (has_levels)
        add_page(tiff, &p, pixels);
    TIFFClose(tiff);
    return here->path;
}

static told write_map(scratch *here, const char *source, int level, const double *first,
                      const double *step)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.level = level;
    return write_map_of(here, source, &opts, first, step);
}

static void the_place_is_kept(void **state)
{
    for (int has_matrix = 0; has_matrix < 2; has_matrix++) {
        const char *source = put_source(*state, has_matrix, 0, 0);
        char path[sizeof((scratch *)*state)->path];
        snprintf(path, sizeof path, "%s", source);
        told t = write_map(*state, path, 0, NULL, NULL);
        assert_int_equal(t.n_scale, has_matrix ? 0 : 3);
        assert_int_equal(t.n_matrix, has_matrix ? 16 : 0);
        if (has_matrix)
            assert_all_near(t.matrix, matrix, 16);
        else {
            assert_all_near(t.scale, scale, 3);
            assert_all_near(t.tie, (const double[]){2, 1, 0, 500, 900, 0}, 6);
        }
        assert_int_equal(t.keys[4], 1025);
        assert_string_equal(t.names, "WGS 84|");
        assert_string_equal(t.nodata, "nan");
    }
}

/* Every third pixel of every second row, the first at row 1, column 2: its centre lies at 1.5, 2.5
 * from the corner, so that the pixels of the map begin half of their sides before. */
static void steps_move_it(void **state)
{
    const double first[2] = {1, 2}, step[2] = {2, 3};
    char path[sizeof((scratch *)*state)->path];
    snprintf(path, sizeof path, "%s", put_source(*state, 0, 0, 0));
    told t = write_map(*state, path, 0, first, step);
    assert_all_near(t.scale, (const double[]){30, 40, 0}, 3);
    assert_all_near(t.tie, (const double[]){(2 - 1.0) / 3, (1 - 0.5) / 2, 0, 500, 900, 0},
                    6);
    snprintf(path, sizeof path, "%s", put_source(*state, 1, 0, 0));
    t = write_map(*state, path, 0, first, step);
    assert_all_near(
        t.matrix, (const double[]){30, 0, 0, 510, 0, -40, 0, 890, 0, 0, 0, 0, 0, 0, 0, 1},
        16);
    snprintf(path, sizeof path, "%s", put_source(*state, 0, 1, 0)); /* from centres */
    t = write_map(*state, path, 0, first, step);
    assert_all_near(t.tie, (const double[]){0, 0, 0, 500, 900, 0}, 6);
}

/* The tags tell of the full resolution. */
static void a_level_is_coarser(void **state)
{
    char path[sizeof((scratch *)*state)->path];
    snprintf(path, sizeof path, "%s", put_source(*state, 0, 0, 1));
    told t = write_map(*state, path, 1, NULL, NULL);
    assert_all_near(t.scale, (const double[]){20, 40, 0}, 3);
    assert_all_near(t.tie, (const double[]){1, 0.5, 0, 500, 900, 0}, 6);
    snprintf(path, sizeof path, "%s", put_source(*state, 0, 1, 1));
    t = write_map(*state, path, 1, NULL, NULL);
    assert_all_near(t.tie, (const double[]){0.75, 0.25, 0, 500, 900, 0}, 6);
}

static void spacing_is_read_back(void **state)
{
    static const struct {
        int ndim;
        double spacing[3];
        const char *unit;
        int is_known;
    } cases[] = {{2, {0.65, 0.65, 0}, "um", 1},  {2, {3, 1.5, 0}, "mm", 1},
                 {3, {2.5, 0.5, 0.25}, "um", 1}, {3, {4, 0, 0}, "mm", 1},
                 {2, {NAN, -1, 0}, "um", 0},     {2, {1, 1, 0}, NULL, 0},
                 {2, {1, 1, 0}, "parsec", 0}};
    const size_t shape[3] = {2, 2, 2};
    const uint8_t rows[8] = {0};
    const char *path = scratch_path(*state, "map.tif");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rug_image_writer *w;
        rug_read_options opts = RUG_READ_OPTIONS_INIT;
        int ndim = cases[i].ndim;
        opts.volume = ndim == 3;
        assert_int_equal(rug_image_writer_open(ctx, &w, path, RUG_U8, ndim, shape),
                         RUG_OK);
        assert_int_equal(
            rug_image_writer_set_spacing(ctx, w, cases[i].spacing, cases[i].unit),
            RUG_OK);
        assert_int_equal(rug_image_writer_add(ctx, w, rows, ndim == 3 ? 4 : 2), RUG_OK);
        assert_int_equal(rug_image_writer_commit(ctx, w), RUG_OK);
        rug_file *file = must_read(path, &opts);
        const rug_image *img = rug_file_image(file);
        for (int a = 0; a < ndim; a++)
            assert_true(fabs(img->spacing[a] -
                             (cases[i].is_known ? cases[i].spacing[a] : 0)) < 1e-6);
        if (cases[i].is_known)
            assert_string_equal(img->spacing_unit, cases[i].unit);
        else
            assert_null(img->spacing_unit);
        rug_file_free(file);
    }
}

static void what_is_refused(void **state)
{
    const size_t shape[2] = {2, 2};
    const uint8_t rows[4] = {0};
    const double spacing[2] = {1, 1}, zero[2] = {1, 0};
    const char *path = scratch_path(*state, "map.tif");
    rug_image_writer *w;
    assert_int_equal(rug_image_writer_open(ctx, &w, path, RUG_U8, 2, shape), RUG_OK);
    assert_int_equal(rug_image_writer_set_spacing(ctx, NULL, spacing, "um"), RUG_E_ARG);
    assert_int_equal(rug_image_writer_set_spacing(ctx, w, NULL, "um"), RUG_E_ARG);
    assert_int_equal(rug_image_writer_set_place(ctx, w, NULL, NULL, NULL), RUG_E_ARG);
    assert_int_equal(rug_image_writer_set_nodata(ctx, w, 256), RUG_E_ARG);
    assert_int_equal(rug_image_writer_set_nodata(ctx, w, (double)NAN), RUG_E_ARG);
    assert_int_equal(rug_image_writer_set_nodata(ctx, w, 10), RUG_OK);
    assert_int_equal(rug_image_writer_add(ctx, w, rows, 1), RUG_OK);
    assert_int_equal(rug_image_writer_set_nodata(ctx, w, 10), RUG_E_ARG);
    assert_int_equal(rug_image_writer_add(ctx, w, rows, 1), RUG_OK);
    assert_int_equal(rug_image_writer_commit(ctx, w), RUG_OK);
    rug_file *file = must_read(path, NULL);
    assert_true(rug_file_get_facts(file)->nodata == 10);
    assert_int_equal(rug_image_writer_open(ctx, &w, path, RUG_U8, 2, shape), RUG_OK);
    assert_int_equal(rug_image_writer_set_place(ctx, w, file, NULL, zero), RUG_E_ARG);
    assert_int_equal(rug_image_writer_set_place(ctx, w, file, NULL, NULL), RUG_OK);
    rug_image_writer_discard(w);
    rug_file_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(the_place_is_kept),  SCRATCH_TEST(steps_move_it),
        SCRATCH_TEST(a_level_is_coarser), SCRATCH_TEST(spacing_is_read_back),
        SCRATCH_TEST(what_is_refused),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
