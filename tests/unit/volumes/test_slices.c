/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Volumes whose slices are files of their own, and which files are images. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"
#include "watch_support.h"

#include "../io/read_support.h"

#include "../io/picture_support.h"

enum { NZ = 5, NY = 3, NX = 4 };

static char names[NZ][SCRATCH_PATH_MAX];
static const char *paths[NZ];

static const page gray = {
    .width = NX, .height = NY, .photometric = PHOTOMETRIC_MINISBLACK};

/* Slice z, by the name that sorts as its number does. */
static const char *name_of(scratch *here, int z, const char *ending)
{
    char name[64];
    snprintf(name, sizeof name, "s%d.%s", z, ending);
    snprintf(names[z], sizeof names[z], "%s", scratch_path(here, name));
    paths[z] = names[z];
    return names[z];
}

/* A .npy file of u8 pixels. */
static const char *put_npy(scratch *here, const char *name, const char *order,
                           const char *shape, const unsigned char *pixels, size_t n)
{
    unsigned char file[128 + NY * NX];
    char head[129];
    snprintf(head, sizeof head, "{'descr': '|u1', 'fortran_order': %s, 'shape': %s, }",
             order, shape);
    memcpy(file, "\x93NUMPY\1\0\x76\0", 10);
    memset(file + 10, ' ', 118);
    memcpy(file + 10, head, strlen(head));
    memcpy(file + 128, pixels, n);
    return put_bytes(here, name, file, 128 + n);
}

/* In Fortran order its columns stand one after the other. */
static void put_slice(scratch *here, int z, int is_fortran, const unsigned char *pixels)
{
    unsigned char stored[NY * NX];
    for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++)
            stored[is_fortran ? x * NY + y : y * NX + x] = pixels[y * NX + x];
    name_of(here, z, "npy");
    put_npy(here, strrchr(names[z], '/') + 1, is_fortran ? "True" : "False", "(3, 4)",
            stored, sizeof stored);
}

/* The slices of 0, 1, 2 ... */
static void put_slices(scratch *here, unsigned char pixels[NZ * NY * NX])
{
    for (int i = 0; i < NZ * NY * NX; i++)
        pixels[i] = (unsigned char)i;
    for (int z = 0; z < NZ; z++)
        put_slice(here, z, z % 2, pixels + z * NY * NX);
}

static void put_tiff_slice(scratch *here, int z, const page *p)
{
    unsigned char pixels[NY * NX * 6];
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (unsigned char)(z + (int)i);
    name_of(here, z, "tif");
    assert_int_equal(rename(put_tiff(here, "w", p, pixels), names[z]), 0);
}

static rug_file *must_open(size_t n)
{
    rug_file *file = NULL;
    if (rug_file_open_slices(ctx, &file, paths, n, NULL) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
    return file;
}

static void must_refuse(size_t n, const rug_read_options *opts, rug_status expected,
                        const char *text)
{
    rug_file *file = (rug_file *)&file;
    assert_int_equal(rug_file_open_slices(ctx, &file, paths, n, opts), expected);
    assert_null(file);
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("\"%s\" expected: %s", text, rug_context_error(ctx));
}

static void whole_and_slab_by_slab(void **state)
{
    unsigned char pixels[NZ * NY * NX];
    put_slices(*state, pixels);
    rug_image expected;
    assert_int_equal(
        rug_image_view(ctx, &expected, pixels, RUG_U8, 3, (size_t[]){NZ, NY, NX}),
        RUG_OK);
    rug_file *file = must_open(NZ);
    const rug_file_facts *facts = rug_file_get_facts(file);
    assert_string_equal(facts->path, paths[0]);
    assert_string_equal(facts->format, "npy");
    assert_true(facts->n_files == NZ && facts->n_pages == 1 && facts->page == -1);
    for (size_t n = 1; n <= NZ; n++)
        for (int pass = 0; pass < 2; pass++)
            assert_int_equal(read_pass(ctx, file, n, &expected), RUG_OK);
    assert_int_equal(rug_file_load(ctx, file), RUG_OK);
    assert_true(same_views(rug_file_image(file), &expected));
    assert_int_equal(read_pass(ctx, file, 2, &expected), RUG_OK);
    rug_file_free(file);
    file = must_open(1);
    assert_int_equal(rug_file_image(file)->shape[0], 1);
    assert_int_equal(rug_file_get_facts(file)->n_files, 1);
    rug_file_free(file);
}

static void arguments(void **state)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT, volume = opts, planes = opts;
    unsigned char pixels[NZ * NY * NX];
    rug_file *file;
    volume.volume = planes.planes = 1;
    put_slices(*state, pixels);
    must_refuse(0, NULL, RUG_E_ARG, "0 files given");
    must_refuse(2, &volume, RUG_E_ARG, "neither a volume");
    must_refuse(2, &planes, RUG_E_ARG, "nor planes");
    opts.channel = 1;
    must_refuse(2, &opts, RUG_E_ARG, "channel 1 requested");
    paths[1] = NULL;
    must_refuse(2, NULL, RUG_E_ARG, "NULL given for path 1");
    assert_int_equal(rug_file_open_slices(ctx, &file, NULL, 1, NULL), RUG_E_ARG);
    assert_int_equal(rug_file_open_slices(ctx, NULL, paths, 1, NULL), RUG_E_ARG);
    assert_int_equal(rug_file_open_slices(NULL, &file, paths, 1, NULL), RUG_E_ARG);
}

static void slices_that_do_not_go_together(void **state)
{
    scratch *here = *state;
    page other = gray;
    for (int z = 0; z < NZ; z++)
        put_tiff_slice(here, z, &gray);
    other.height = 2;
    put_tiff_slice(here, 3, &other);
    must_refuse(NZ, NULL, RUG_E_ARG, "s3.tif: is 2x4 u8, but the first slice");
    must_refuse(NZ, NULL, RUG_E_ARG, "s0.tif, is 3x4 u8;");
    other = gray;
    other.bits = 16;
    put_tiff_slice(here, 3, &other);
    must_refuse(NZ, NULL, RUG_E_ARG, "s3.tif: is 3x4 u16");
    other = gray;
    other.samples = 3;
    other.photometric = PHOTOMETRIC_RGB;
    put_tiff_slice(here, 3, &other);
    must_refuse(NZ, NULL, RUG_E_ARG, "s3.tif: is 3x4 u8 of 3 channels");
    put_tiff_slice(here, 3, &gray);
    paths[4] = put_stack(here, &gray, 2, 0);
    must_refuse(NZ, NULL, RUG_E_ARG, "stack.tif: has 2 pages");
    paths[4] =
        put_npy(here, "v.npy", "False", "(1, 1, 1)", (const unsigned char *)"x", 1);
    must_refuse(NZ, NULL, RUG_E_ARG, "v.npy: is a volume itself, of 1x1x1");
    paths[4] = scratch_path(here, "none");
    must_refuse(NZ, NULL, RUG_E_IO, "none: cannot be opened");
}

static void pages_and_channels(void **state)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    rug_file *file;
    paths[0] = paths[1] = put_stack(*state, &gray, 3, 7);
    opts.page = 2;
    assert_int_equal(rug_file_open_slices(ctx, &file, paths, 2, &opts), RUG_OK);
    assert_int_equal(rug_file_load(ctx, file), RUG_OK);
    assert_int_equal(*(const unsigned char *)rug_file_image(file)->data, 9);
    rug_file_free(file);
    page colours = gray;
    colours.samples = 3;
    colours.photometric = PHOTOMETRIC_RGB;
    put_tiff_slice(*state, 0, &colours);
    put_tiff_slice(*state, 1, &colours);
    opts.page = -1;
    opts.channel = 2;
    assert_int_equal(rug_file_open_slices(ctx, &file, paths, 2, &opts), RUG_OK);
    assert_int_equal(rug_file_load(ctx, file), RUG_OK);
    assert_int_equal(*(const unsigned char *)rug_file_image(file)->data, 2);
    rug_file_free(file);
}

/* Where all files agree, and never from slice to slice. */
static void spacing(void **state)
{
    page p = gray;
    p.unit = RESUNIT_CENTIMETER;
    p.x_per_unit = p.y_per_unit = 100;
    put_tiff_slice(*state, 0, &p);
    put_tiff_slice(*state, 1, &p);
    p.x_per_unit = 200;
    put_tiff_slice(*state, 2, &p);
    rug_file *file = must_open(2);
    const double *known = rug_file_image(file)->spacing;
    assert_true(known[0] <= 0 && known[1] > 0 && known[2] > 0);
    assert_non_null(rug_file_image(file)->spacing_unit);
    rug_file_free(file);
    file = must_open(3);
    known = rug_file_image(file)->spacing;
    assert_true(known[0] <= 0 && known[1] > 0 && known[2] <= 0);
    rug_file_free(file);
}

/* A slice that was changed, or cut off, since all were opened; then it is as it was. */
static void files_that_change(void **state)
{
    unsigned char pixels[NZ * NY * NX];
    rug_image slab;
    put_slices(*state, pixels);
    rug_file *file = must_open(NZ);
    put_tiff_slice(*state, 0, &gray);
    assert_int_equal(rename(names[0], scratch_path(*state, "s2.npy")), 0);
    assert_int_equal(read_pass(ctx, file, NZ, NULL), RUG_OK); /* of the same kind */
    page other = gray;
    other.width = 2;
    put_tiff_slice(*state, 0, &other);
    assert_int_equal(rename(names[0], scratch_path(*state, "s2.npy")), 0);
    assert_int_equal(read_pass(ctx, file, 2, NULL), RUG_E_FORMAT);
    assert_non_null(strstr(rug_context_error(ctx), "s2.npy: is another image"));
    put_bytes(*state, "s2.npy", "\x93NUMPY", 6);
    assert_int_equal(rug_file_load(ctx, file), RUG_E_FORMAT);
    assert_non_null(strstr(rug_context_error(ctx), "s2.npy: "));
    put_slice(*state, 2, 0, pixels);
    const rug_source *source = rug_file_source(file);
    assert_int_equal(source->read(ctx, source->user, &slab, 3, 1), RUG_OK);
    assert_int_equal(read_pass(ctx, file, 2, NULL), RUG_OK);
    rug_file_free(file);
}

/* Of many warnings one is told, when the files are opened and not again. */
static void warnings(void **state)
{
    page p = gray;
    p.format = SAMPLEFORMAT_INT;
    p.photometric = PHOTOMETRIC_MINISWHITE;
    for (int z = 0; z < 3; z++)
        put_tiff_slice(*state, z, &p);
    warning[0] = '\0';
    rug_file *file = must_open(3);
    assert_non_null(strstr(warning, "s0.tif"));
    assert_non_null(strstr(warning, "and 2 more warnings about its slices"));
    warning[0] = '\0';
    assert_int_equal(rug_file_load(ctx, file), RUG_OK);
    assert_string_equal(warning, "");
    rug_file_free(file);
}

static void progress_and_cancelling(void **state)
{
    unsigned char pixels[NZ * NY * NX];
    watch w = {0};
    put_slices(*state, pixels);
    rug_file *file = must_open(NZ);
    rug_context_set_progress(ctx, see_progress, &w);
    rug_context_set_cancel(ctx, see_cancel, &w);
    assert_int_equal(rug_file_load(ctx, file), RUG_OK);
    assert_true(w.n_calls >= NZ && w.n_backwards == 0 && w.last >= 1);
    rug_file_free(file);
    file = must_open(NZ);
    w = (watch){.cancel_at = 2};
    assert_int_equal(rug_file_load(ctx, file), RUG_E_CANCELLED);
    w = (watch){0};
    assert_int_equal(rug_file_load(ctx, file), RUG_OK);
    rug_file_free(file);
    w = (watch){.cancel_at = 1};
    must_refuse(NZ, NULL, RUG_E_CANCELLED, "");
    rug_context_set_progress(ctx, NULL, NULL);
    rug_context_set_cancel(ctx, NULL, NULL);
}

static int is_image(const char *path)
{
    int answer = -1;
    assert_int_equal(rug_file_is_image(ctx, &answer, path), RUG_OK);
    return answer;
}

static void what_is_an_image(void **state)
{
    static const struct {
        const char *name, *bytes;
        size_t n;
        int expected;
    } files[] = {{"a", "\x89PNG", 4, 1},
                 {"b", "II*\0", 4, 1},
                 {"c", "MM\0*", 4, 1},
                 {"d", "\xff\xd8\xff\xe0", 4, 1},
                 {"e", "P5 1 1 255\n", 11, 1},
                 {"f", "\x93NUMPY\1\0", 8, 1},
                 {"g.txt", "GIF89a", 6, 1},
                 {"h", "", 0, 0},
                 {"i", "text", 4, 0},
                 {"j.csv", "1,2\n", 4, 0},
                 {"Thumbs.db", "\xd0\xcf\x11\xe0", 4, 0},
                 {"k.pdf", "%PDF-1.7", 8, 0},
                 {"l.tif", "", 0, 1},
                 {"m.PNG", "text", 4, 1},
                 {"n.nii.gz", "text", 4, 1},
                 {"o.gz", "text", 4, 0},
                 {"p.dcm", "text", 4, 1}};
    int answer = -1;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (is_image(put_bytes(*state, files[i].name, files[i].bytes, files[i].n)) !=
            files[i].expected)
            fail_msg("%s: %d expected", files[i].name, files[i].expected);
    scratch *here = *state;
    assert_int_equal(rug_file_is_image(ctx, &answer, here->folder), RUG_E_IO);
    assert_int_equal(answer, 0);
    assert_int_equal(rug_file_is_image(ctx, &answer, scratch_path(here, "none")),
                     RUG_E_IO);
    assert_int_equal(rug_file_is_image(ctx, NULL, here->path), RUG_E_ARG);
    assert_int_equal(rug_file_is_image(ctx, &answer, NULL), RUG_E_ARG);
    assert_int_equal(rug_file_is_image(NULL, &answer, here->path), RUG_E_ARG);
}

int main(int argc, char **argv)
{
    (void)argc;
    if (VIPS_INIT(argv[0]) != 0)
        return 1;
    const struct CMUnitTest tests[] = {SCRATCH_TEST(whole_and_slab_by_slab),
                                       SCRATCH_TEST(arguments),
                                       SCRATCH_TEST(slices_that_do_not_go_together),
                                       SCRATCH_TEST(pages_and_channels),
                                       SCRATCH_TEST(spacing),
                                       SCRATCH_TEST(files_that_change),
                                       SCRATCH_TEST(warnings),
                                       SCRATCH_TEST(progress_and_cancelling),
                                       SCRATCH_TEST(what_is_an_image)};
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
