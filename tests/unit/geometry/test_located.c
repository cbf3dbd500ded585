/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Where files say that they lie in space: NIfTI by sform or qform, GeoTIFF by a point or a matrix. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <unistd.h>

#include "io_scratch.h"

#include "../io/read_support.h"

#include "../io/picture_support.h"

/* Fails the test unless a file lies so. @param expected  the rows of its affine; NULL: nothing is known */
static void assert_place(const rug_file *file, const char *by, const char *unit,
                         const double *expected)
{
    const rug_file_facts *facts = rug_file_get_facts(file);
    if (expected == NULL) {
        assert_null(facts->located_by);
        assert_null(facts->affine_unit);
    } else {
        assert_string_equal(facts->located_by, by);
        assert_string_equal(facts->affine_unit != NULL ? facts->affine_unit : "-", unit);
    }
    for (int i = 0; i < 12; i++) {
        double got = facts->affine[i / 4][i % 4];
        double wanted = expected != NULL ? expected[i] : 0;
        if (!(fabs(got - wanted) <= 1e-6 * (1 + fabs(wanted))))
            fail_msg("affine[%d][%d] is %.17g, %.17g expected", i / 4, i % 4, got,
                     wanted);
    }
}

/* ---- NIfTI ---- */

/* What a header says. */
typedef struct header {
    int nz, sform_code, qform_code, units;
    float spacing[4]; /* pixdim[0] to [3] */
    float quaternion[6], sform[12];
} header;

static void put_floats(unsigned char *to, const float *values, size_t n)
{
    memcpy(to, values, n * sizeof *values);
}

static void put_short(unsigned char *to, int value)
{
    const int16_t v = (int16_t)value;
    memcpy(to, &v, 2);
}

/* Reverses the bytes of n numbers of a size. */
static void swap(unsigned char *at, size_t n, size_t size)
{
    for (; n > 0; n--, at += size)
        for (size_t i = 0; i < size / 2; i++) {
            unsigned char byte = at[i];
            at[i] = at[size - 1 - i];
            at[size - 1 - i] = byte;
        }
}

/* NIfTI-1 (nifti1.h): a volume of nz x 3 x 2 bytes. */
static const char *put_nifti(scratch *here, const header *h, int is_swapped)
{
    unsigned char bytes[352 + 64] = {0};
    const int32_t size = 348;
    memcpy(bytes, &size, 4);
    for (int i = 0; i < 4; i++)
        put_short(bytes + 40 + 2 * i, (const int[]){3, 2, 3, h->nz}[i]);
    put_short(bytes + 70, 2);
    put_short(bytes + 72, 8);
    put_floats(bytes + 76, h->spacing, 4);
    put_floats(bytes + 108, (const float[]){352}, 1);
    bytes[123] = (unsigned char)h->units;
    put_short(bytes + 252, h->qform_code);
    put_short(bytes + 254, h->sform_code);
    put_floats(bytes + 256, h->quaternion, 6);
    put_floats(bytes + 280, h->sform, 12);
    memcpy(bytes + 344, "n+1", 4);
    if (is_swapped) {
        swap(bytes, 1, 4);
        swap(bytes + 40, 8, 2);
        swap(bytes + 70, 2, 2);
        swap(bytes + 76, 8, 4);
        swap(bytes + 108, 3, 4);
        swap(bytes + 252, 2, 2);
        swap(bytes + 256, 18, 4);
    }
    return put_bytes(here, "a.nii", bytes, 352 + (size_t)(h->nz * 6));
}

static header plain(void)
{
    return (header){.nz = 4,
                    .sform_code = 1,
                    .units = 2,
                    .spacing = {1, 2, 3, 5},
                    .sform = {2, 0, 0, -10, 0, 3, 0.5f, 20, 0, 0, 5, 30}};
}

static void assert_nifti(scratch *here, const header *h, const char *by, const char *unit,
                         const double *expected)
{
    for (int is_swapped = 0; is_swapped < 2; is_swapped++) {
        rug_file *file = must_read(put_nifti(here, h, is_swapped), NULL);
        assert_place(file, by, unit, expected);
        rug_file_free(file);
    }
}

static void sform_of_nifti(void **state)
{
    header h = plain();
    const double volume[] = {0, 0, 2, -10, 0.5, 3, 0, 20, 5, 0, 0, 30};
    const double slice[] = {0, 2, 0, -10, 3, 0, 0, 20, 0, 0, 0, 30};
    assert_nifti(*state, &h, "sform", "mm", volume);
    h.qform_code = 1; /* it is not looked at */
    assert_nifti(*state, &h, "sform", "mm", volume);
    h.units = 3;
    assert_nifti(*state, &h, "sform", "um", volume);
    h.units = 0; /* not stated */
    assert_nifti(*state, &h, "sform", "mm", volume);
    h.nz = 1;
    assert_nifti(*state, &h, "sform", "mm", slice);
}

static void qform_of_nifti(void **state)
{
    header h = plain();
    h.sform_code = 0;
    h.qform_code = 2;
    const float identity[6] = {0, 0, 0, 1, 2, 3};
    memcpy(h.quaternion, identity, sizeof identity);
    assert_nifti(*state, &h, "qform", "mm",
                 (const double[]){0, 0, 2, 1, 0, 3, 0, 2, 5, 0, 0, 3});
    h.spacing[0] = -1;
    assert_nifti(*state, &h, "qform", "mm",
                 (const double[]){0, 0, 2, 1, 0, 3, 0, 2, -5, 0, 0, 3});
    h.quaternion[2] = 1; /* half a turn about z */
    assert_nifti(*state, &h, "qform", "mm",
                 (const double[]){0, 0, -2, 1, 0, -3, 0, 2, -5, 0, 0, 3});
    h.spacing[0] = 0;
    h.quaternion[2] = (float)sqrt(0.5); /* a quarter: x becomes y, and y becomes -x */
    assert_nifti(*state, &h, "qform", "mm",
                 (const double[]){0, -3, 0, 1, 0, 0, 2, 2, 5, 0, 0, 3});
    h.quaternion[2] = 7; /* overlong */
    h.spacing[3] = 0;
    assert_nifti(*state, &h, "qform", "mm",
                 (const double[]){0, 0, -2, 1, 0, -3, 0, 2, 1, 0, 0, 3});
}

static void no_place_of_nifti(void **state)
{
    header h = plain();
    h.sform_code = 0;
    assert_nifti(*state, &h, NULL, NULL, NULL);
    assert_string_equal(warning, "");
    h.sform_code = 1;
    for (int i = 0; i < 4; i++) {
        h = plain();
        h.sform[(const int[]){3, 10, 0, 6}[i]] = i == 0 ? NAN : i == 3 ? 1e30f : 0;
        if (i == 3) /* parallel axes */
            h.sform[10] = 0, h.sform[6] = 7;
        assert_nifti(*state, &h, NULL, NULL, NULL);
        assert_non_null(strstr(warning, "where it lies is not known: its sform"));
    }
    h.sform_code = 0;
    h.qform_code = 1;
    h.quaternion[0] = INFINITY;
    assert_nifti(*state, &h, NULL, NULL, NULL);
    assert_non_null(strstr(warning, "its qform"));
}

/* ---- GeoTIFF ---- */

enum { SCALE = 33550, TIE_POINTS = 33922, MATRIX = 34264, KEYS = 34735, NUMBERS = 34736 };

/* What a page says; counts of 0 say nothing. */
typedef struct map {
    TIFFDataType type; /* of the numbers */
    uint16_t n_scale, n_points, n_matrix, n_keys, n_numbers;
    double scale[3], points[6], matrix[16], numbers[1];
    uint16_t keys[16];
    int orientation, has_level;
    float per_cm;            /* a resolution; 0 = none */
    const char *description; /* of a stack of two slices; NULL = none */
} map;

static char tag_name[] = "Geo";

static void put_map(TIFF *tiff, const map *m)
{
    const TIFFFieldInfo fields[] = {
        {SCALE, -1, -1, m->type, FIELD_CUSTOM, 1, 1, tag_name},
        {TIE_POINTS, -1, -1, m->type, FIELD_CUSTOM, 1, 1, tag_name},
        {MATRIX, -1, -1, m->type, FIELD_CUSTOM, 1, 1, tag_name},
        {KEYS, -1, -1, TIFF_SHORT, FIELD_CUSTOM, 1, 1, tag_name},
        {NUMBERS, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, tag_name}};
    assert_int_equal(TIFFMergeFieldInfo(tiff, fields, 5), 0);
    TIFFSetField(tiff, TIFFTAG_ORIENTATION, m->orientation > 0 ? m->orientation : 1);
    if (m->n_scale > 0)
        TIFFSetField(tiff, SCALE, m->n_scale, m->scale);
    if (m->n_points > 0)
        TIFFSetField(tiff, TIE_POINTS, m->n_points, m->points);
    if (m->n_matrix > 0)
        TIFFSetField(tiff, MATRIX, m->n_matrix, m->matrix);
    if (m->n_keys > 0)
        TIFFSetField(tiff, KEYS, m->n_keys, m->keys);
    if (m->n_numbers > 0)
        TIFFSetField(tiff, NUMBERS, m->n_numbers, m->numbers);
    if (m->description != NULL)
        TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, m->description);
    if (m->per_cm > 0) {
        TIFFSetField(tiff, TIFFTAG_XRESOLUTION, m->per_cm);
        TIFFSetField(tiff, TIFFTAG_YRESOLUTION, m->per_cm);
        TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_CENTIMETER);
    }
}

/* 6 rows of 4 pixels, and a level of 3 x 2. */
static const char *put_geotiff(scratch *here, const map *m)
{
    static const unsigned char pixels[24] = {0};
    page p = {.width = 4, .height = 6, .photometric = PHOTOMETRIC_MINISBLACK};
    TIFF *tiff = TIFFOpen(scratch_path(here, "a.tif"), "w");
    put_map(tiff, m);
    add_page(tiff, &p, pixels);
    if (m->description != NULL)
        add_page(tiff, &p, pixels);
    if (m->has_level) {
        p.width = 2;
        p.height = 3;
        p.reduced = FILETYPE_REDUCEDIMAGE;
        add_page(tiff, &p, pixels);
    }
    TIFFClose(tiff);
    return here->path;
}

static void assert_map(scratch *here, const map *m, int level, const double *expected)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.level = level;
    rug_file *file = must_read(put_geotiff(here, m), &opts);
    assert_place(file, "GeoTIFF", "-", expected);
    rug_file_free(file);
}

static map located(void)
{
    return (map){.type = TIFF_DOUBLE,
                 .n_scale = 3,
                 .n_points = 6,
                 .scale = {10, 20, 0},
                 .points = {1, 2, 0, 500000.5, 4600000, 0}};
}

/* The point is a corner of pixels, unless the file says that it is the centre of one. */
static void point_of_geotiff(void **state)
{
    map m = located();
    const double corner[] = {0, 10, 0, 499995.5, -20, 0, 0, 4600030, 0, 0, 0, 0};
    const double centre[] = {0, 10, 0, 499990.5, -20, 0, 0, 4600040, 0, 0, 0, 0};
    assert_map(*state, &m, 0, corner);
    m.n_keys = 8;
    memcpy(m.keys, (const uint16_t[]){1, 1, 0, 1, 1025, 0, 1, 1}, 8 * sizeof *m.keys);
    assert_map(*state, &m, 0, corner);
    m.keys[7] = 2;
    assert_map(*state, &m, 0, centre);
    m.n_keys = 7; /* cut off */
    assert_map(*state, &m, 0, corner);
}

static void matrix_of_geotiff(void **state)
{
    map m = {.type = TIFF_DOUBLE,
             .n_matrix = 16,
             .matrix = {6, 8, 0, 100, 8, -6, 0, 200, 0, 0, 0, 5, 0, 0, 0, 1}};
    assert_map(*state, &m, 0, (const double[]){8, 6, 0, 107, -6, 8, 0, 201, 0, 0, 0, 5});
}

/* Pixels of a coarser level are larger, within the same edges. */
static void level_of_geotiff(void **state)
{
    map m = located();
    m.has_level = 1;
    assert_map(*state, &m, 0,
               (const double[]){0, 10, 0, 499995.5, -20, 0, 0, 4600030, 0, 0, 0, 0});
    assert_map(*state, &m, 1,
               (const double[]){0, 20, 0, 500000.5, -40, 0, 0, 4600020, 0, 0, 0, 0});
}

/* Where pixels are turned their places are, too. */
static void turned_geotiff(void **state)
{
    static const double places[9][6] = {{0},
                                        {0, 10, 499995.5, -20, 0, 4600030},
                                        {0, -10, 500025.5, -20, 0, 4600030},
                                        {0, -10, 500025.5, 20, 0, 4599930},
                                        {0, 10, 499995.5, 20, 0, 4599930},
                                        {10, 0, 499995.5, 0, -20, 4600030},
                                        {10, 0, 499995.5, 0, 20, 4599930},
                                        {-10, 0, 500025.5, 0, 20, 4599930},
                                        {-10, 0, 500025.5, 0, -20, 4600030}};
    map m = located();
    for (m.orientation = 1; m.orientation <= 8; m.orientation++) {
        const double *p = places[m.orientation];
        assert_map(
            *state, &m, 0,
            (const double[]){p[0], p[1], 0, p[2], p[3], p[4], 0, p[5], 0, 0, 0, 0});
    }
}

static void no_place_of_geotiff(void **state)
{
    map m = {.type = TIFF_DOUBLE};
    assert_map(*state, &m, 0, NULL);
    m = located();
    m.n_scale = 1;
    assert_map(*state, &m, 0, NULL);
    m = located();
    m.n_points = 5;
    assert_map(*state, &m, 0, NULL);
    m = located();
    m.n_scale = 0;
    m.n_matrix = 15;
    assert_map(*state, &m, 0, NULL);
    assert_string_equal(warning, "");
    m = located();
    m.scale[1] = 0;
    assert_map(*state, &m, 0, NULL);
    assert_non_null(strstr(warning, "its GeoTIFF"));
}

/* Numbers of another type are no places: libtiff would hand out other bytes. */
static void other_types_of_geotiff(void **state)
{
    const map m = {.type = TIFF_SHORT, .n_scale = 3, .n_points = 6};
    assert_map(*state, &m, 0, NULL);
}

/* @param unit  NULL: none. @param y, x  0: not known */
static void assert_spacing(scratch *here, const map *m, int level, const char *unit,
                           double y, double x)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.level = level;
    rug_file *file = must_read(put_geotiff(here, m), &opts);
    const rug_image *image = rug_file_image(file);
    const double expected[2] = {y, x};
    for (int a = 0; a < 2; a++)
        if (!(fabs(image->spacing[a] - expected[a]) <= 1e-12 * expected[a]))
            fail_msg("spacing[%d] is %.17g, %.17g expected", a, image->spacing[a],
                     expected[a]);
    if (unit == NULL)
        assert_null(image->spacing_unit);
    else {
        assert_non_null(image->spacing_unit);
        assert_string_equal(image->spacing_unit, unit);
    }
    rug_file_free(file);
}

/* The unit of the pixels' size is that of the kind of coordinates: the key is another for each. */
static void units_of_geotiff(void **state)
{
    static const struct {
        uint16_t model, key, code, size_key;
        double size;
        const char *unit;
        double factor;
    } cases[] = {{1, 3076, 9001, 0, 0, "m", 1},
                 {1, 3076, 9002, 0, 0, "foot", 1},
                 {1, 3076, 9003, 0, 0, "US_survey_foot", 1},
                 {1, 3076, 9036, 0, 0, "km", 1},
                 {1, 3076, 32767, 3077, 0.25, "m", 0.25},
                 {1, 3076, 32767, 3077, -1, NULL, 1},
                 {1, 3076, 32767, 3077, NAN, NULL, 1},
                 {1, 3076, 32767, 2055, 0.25, NULL, 1},
                 {1, 3076, 9102, 0, 0, NULL, 1},
                 {1, 3076, 9005, 0, 0, NULL, 1},
                 {1, 2054, 9102, 0, 0, NULL, 1},
                 {2, 2054, 9102, 0, 0, "degree", 1},
                 {2, 2054, 9122, 0, 0, "degree", 1},
                 {2, 2054, 9101, 0, 0, "radian", 1},
                 {2, 2054, 32767, 2055, 3.14159265358979323846 / 200, "degree", 0.9},
                 {2, 2054, 9001, 0, 0, NULL, 1},
                 {2, 3076, 9001, 0, 0, NULL, 1},
                 {3, 2052, 9001, 0, 0, "m", 1},
                 {3, 2052, 32767, 2053, 1000, "m", 1000},
                 {4, 3076, 9001, 0, 0, NULL, 1},
                 {0, 0, 9001, 0, 0, NULL, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        map m = located();
        const uint16_t keys[16] = {1,
                                   1,
                                   0,
                                   3,
                                   1024,
                                   0,
                                   1,
                                   cases[i].model,
                                   cases[i].key,
                                   0,
                                   1,
                                   cases[i].code,
                                   cases[i].size_key,
                                   NUMBERS,
                                   1,
                                   0};
        m.n_keys = 16;
        memcpy(m.keys, keys, sizeof m.keys);
        m.n_numbers = 1;
        m.numbers[0] = cases[i].size;
        assert_spacing(*state, &m, 0, cases[i].unit, 20 * cases[i].factor,
                       10 * cases[i].factor);
        m.keys[15] = 1; /* beyond the numbers */
        assert_spacing(*state, &m, 0, cases[i].size_key > 0 ? NULL : cases[i].unit, 20,
                       10);
    }
}

static void spacing_of_geotiff(void **state)
{
    map m = located();
    m.per_cm = 100; /* which would be 0.1 mm */
    m.has_level = 1;
    assert_spacing(*state, &m, 0, NULL, 20, 10);
    assert_spacing(*state, &m, 1, NULL, 40, 20);
    m.n_points = 0;
    assert_spacing(*state, &m, 0, NULL, 20, 10);
    m.orientation = 6; /* a quarter turn */
    assert_spacing(*state, &m, 0, NULL, 10, 20);
    m.n_scale = 0;
    m.orientation = 0;
    assert_spacing(*state, &m, 0, "mm", 0.1, 0.1);
    m.per_cm = 0;
    m.n_matrix = 16;
    memcpy(m.matrix, (const double[16]){3, -8, 0, 0, 4, 6}, sizeof m.matrix);
    assert_spacing(*state, &m, 0, NULL, 10, 5);
    m.matrix[5] = 6.1; /* no right angle */
    assert_spacing(*state, &m, 0, NULL, 0, 0);
    m = located();
    m.scale[0] = NAN;
    assert_spacing(*state, &m, 0, NULL, 0, 0);
    m.scale[0] = 0;
    assert_spacing(*state, &m, 0, NULL, 0, 0);
    m.scale[0] = -10; /* from right to left */
    assert_spacing(*state, &m, 0, NULL, 20, 10);
}

/* The distance of slices counts where it has the unit of the pixels. */
static void slices_of_geotiff(void **state)
{
    map m = located();
    m.n_keys = 12;
    memcpy(m.keys, (const uint16_t[]){1, 1, 0, 2, 1024, 0, 1, 1, 3076, 0, 1, 9001},
           12 * sizeof *m.keys);
    m.description = "ImageJ=1.54f\nimages=2\nslices=2\nunit=m\nspacing=3\n";
    for (int i = 0; i < 2; i++) {
        rug_read_options opts = RUG_READ_OPTIONS_INIT;
        opts.volume = 1;
        rug_file *file = must_read(put_geotiff(*state, &m), &opts);
        const rug_image *image = rug_file_image(file);
        const double expected[3] = {i == 0 ? 3 : 0, 20, 10};
        for (int a = 0; a < 3; a++)
            assert_true(fabs(image->spacing[a] - expected[a]) <= 0);
        assert_string_equal(image->spacing_unit, "m");
        rug_file_free(file);
        m.description = "ImageJ=1.54f\nimages=2\nslices=2\nunit=mm\nspacing=3\n";
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(sform_of_nifti),         SCRATCH_TEST(qform_of_nifti),
        SCRATCH_TEST(no_place_of_nifti),      SCRATCH_TEST(point_of_geotiff),
        SCRATCH_TEST(matrix_of_geotiff),      SCRATCH_TEST(level_of_geotiff),
        SCRATCH_TEST(turned_geotiff),         SCRATCH_TEST(no_place_of_geotiff),
        SCRATCH_TEST(other_types_of_geotiff), SCRATCH_TEST(units_of_geotiff),
        SCRATCH_TEST(spacing_of_geotiff),     SCRATCH_TEST(slices_of_geotiff),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
