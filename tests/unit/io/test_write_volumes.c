/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Volumes written as NIfTI and read again: pixels, whatever their steps and slabs; NIfTI-1 and -2; spacing, units
 * and place; volumes that never come to be. */

#define _XOPEN_SOURCE 700

#include "support.h"

#include "io_scratch.h"

#include "memory_support.h"

#include "read_support.h"

#include <math.h>
#include <rugose/volume_writer.h>

static const char *const names[] = {"v.nii", "v.nii.gz"};

/* ---- Sources ---- */

/* 0 and 1. */
static uint8_t *random_bytes(size_t n, uint64_t seed)
{
    uint8_t *bytes = malloc(n);
    assert_non_null(bytes);
    for (size_t i = 0; i < n; i++)
        bytes[i] = (uint8_t)test_below(&seed, 2);
    return bytes;
}

static void assert_written(const char *path, const rug_source *source,
                           const rug_file *file)
{
    if (rug_volume_write(ctx, path, source, file) != RUG_OK)
        fail_msg("%s", rug_context_error(ctx));
}

/* Writes an image by both names, and reads it. */
static void assert_comes_back(scratch *here, const rug_image *image)
{
    rug_source source = RUG_SOURCE_INIT;
    assert_non_null(rug_source_of_image(&source, image));
    for (size_t i = 0; i < 2; i++) {
        rug_read_options opts = RUG_READ_OPTIONS_INIT;
        const char *path = scratch_path(here, names[i]);
        assert_written(path, &source, NULL);
        opts.volume = image->ndim == 3;
        rug_file *file = must_read(path, &opts);
        assert_true(same_views(rug_file_image(file), image));
        assert_null(rug_file_get_facts(file)->located_by);
        rug_file_free(file);
    }
    assert_int_equal(scratch_count(here), 2);
}

/* ---- Pixels ---- */

static void pixels_come_back(void **state)
{
    static const size_t shapes[][3] = {{1, 1, 1}, {1, 1, 9}, {1, 7, 1},
                                       {5, 1, 1}, {3, 4, 5}, {20, 33, 70}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (int ndim = 2; ndim <= 3; ndim++) {
            uint8_t *bytes =
                random_bytes(shapes[s][0] * shapes[s][1] * shapes[s][2], 3 + s);
            rug_image image;
            assert_int_equal(
                rug_image_view(ctx, &image, bytes, RUG_U8, ndim, shapes[s] + 3 - ndim),
                RUG_OK);
            assert_comes_back(*state, &image);
            free(bytes);
        }
}

/* Mirrored, with gaps, with its axes in another order. */
static void steps_of_any_kind(void **state)
{
    const size_t shape[3] = {4, 5, 6};
    uint8_t *bytes = random_bytes(4 * 5 * 6, 9);
    rug_image whole, image;
    assert_int_equal(rug_image_view(ctx, &whole, bytes, RUG_U8, 3, shape), RUG_OK);
    image = whole;
    image.data = bytes + 5;
    image.stride[2] = -1;
    assert_comes_back(*state, &image);
    image = whole;
    image.shape[1] = 3;
    image.stride[1] *= 2;
    assert_comes_back(*state, &image);
    image = whole;
    for (int a = 0; a < 3; a++) {
        image.shape[a] = whole.shape[2 - a];
        image.stride[a] = whole.stride[2 - a];
    }
    assert_comes_back(*state, &image);
    free(bytes);
}

/* What a source made here was asked for. */
typedef struct asked {
    const rug_image *whole;
    size_t n_reads, next;
    size_t fail_at;                           /* the read that fails; 0: none */
    void (*spoil)(rug_image *slab, size_t n); /* NULL: slabs are right */
} asked;

static rug_status read_layers(rug_context *context, void *user, rug_image *out,
                              size_t first, size_t n)
{
    asked *a = user;
    assert_int_equal(first, a->next);
    a->next = first + n;
    if (++a->n_reads == a->fail_at)
        return rug_context_fail(context, RUG_E_FORMAT, "no such layer");
    *out = layers_of(a->whole, first, n);
    if (a->spoil != NULL)
        a->spoil(out, n);
    return RUG_OK;
}

static rug_source source_of(asked *a)
{
    rug_source source = RUG_SOURCE_INIT;
    rug_source_of_image(&source, a->whole);
    source.read = read_layers;
    source.user = a;
    return source;
}

/* More than is read at once, in one pass. */
static void slab_by_slab(void **state)
{
    const size_t shape[3] = {20, 1000, 1000};
    uint8_t *bytes = random_bytes(shape[0] * shape[1] * shape[2], 1);
    rug_image whole;
    assert_int_equal(rug_image_view(ctx, &whole, bytes, RUG_U8, 3, shape), RUG_OK);
    for (size_t i = 0; i < 2; i++) {
        asked a = {.whole = &whole};
        rug_source source = source_of(&a);
        const char *path = scratch_path(*state, names[i]);
        assert_written(path, &source, NULL);
        assert_int_equal(a.next, shape[0]);
        assert_true(a.n_reads > 1);
        rug_file *file;
        assert_int_equal(rug_file_read(ctx, &file, path, NULL), RUG_OK);
        assert_true(same_views(rug_file_image(file), &whole));
        rug_file_free(file);
    }
    free(bytes);
}

/* The first number of a file. */
static int32_t header_size(scratch *here, const char *name)
{
    size_t n;
    int32_t size;
    char *bytes = scratch_read(here, name, &n);
    memcpy(&size, bytes, sizeof size);
    free(bytes);
    return size;
}

/* 16 bits hold 32767. */
static void long_axes(void **state)
{
    for (size_t n = 32767; n <= 32768; n++)
        for (int a = 2; a >= 0; a -= TEST_STEP(3)) {
            size_t shape[3] = {1, 1, 1};
            uint8_t *bytes = random_bytes(n, 4);
            rug_image image;
            shape[a] = n;
            assert_int_equal(rug_image_view(ctx, &image, bytes, RUG_U8, 3, shape),
                             RUG_OK);
            assert_comes_back(*state, &image);
            assert_int_equal(header_size(*state, "v.nii"), n > 32767 ? 540 : 348);
            free(bytes);
        }
}

/* ---- Where it lies ---- */

static void units(void **state)
{
    static const struct {
        const char *unit, *read;
        double factor;
    } cases[] = {{"mm", "mm", 1},  {"um", "um", 1},    {"m", "m", 1},
                 {"cm", "mm", 10}, {"nm", "um", 1e-3}, {"angstrom", "um", 1e-4},
                 {"ell", NULL, 1}, {NULL, NULL, 1}};
    static const uint8_t bytes[2][3][4];
    const size_t shape[3] = {2, 3, 4};
    rug_image image;
    assert_int_equal(rug_image_view(ctx, &image, bytes, RUG_U8, 3, shape), RUG_OK);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rug_source source = RUG_SOURCE_INIT;
        const char *path = scratch_path(*state, "v.nii");
        image.spacing[0] = 3;
        image.spacing[1] = 0; /* not known */
        image.spacing[2] = 0.25;
        image.spacing_unit = cases[i].unit;
        assert_written(path, rug_source_of_image(&source, &image), NULL);
        rug_file *file = must_read(path, NULL);
        const rug_image *read = rug_file_image(file);
        assert_true(fabs(read->spacing[0] - 3 * cases[i].factor) < 1e-6);
        assert_true(fabs(read->spacing[1] - 1) < 1e-6);
        assert_true(fabs(read->spacing[2] - 0.25 * cases[i].factor) < 1e-6);
        if (cases[i].read == NULL)
            assert_null(read->spacing_unit);
        else
            assert_string_equal(read->spacing_unit, cases[i].read);
        rug_file_free(file);
    }
}

/* A tetrahedron that begins at x, as a mesh: its place is its own coordinates. */
static rug_file *open_mesh(scratch *here, double x)
{
    char text[256];
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    snprintf(text, sizeof text,
             "v %.6f 0 0\nv %.6f 0 0\nv %.6f 1 0\nv %.6f 0 1\n"
             "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n",
             x, x + 1, x, x);
    scratch_write(here, "mesh.obj", text);
    opts.resolution = 30;
    rug_file *file;
    assert_int_equal(rug_file_open(ctx, &file, scratch_path(here, "mesh.obj"), &opts),
                     RUG_OK);
    return file;
}

/* Near the origin floats are enough; far from it they are not. */
static void the_place_of_a_file(void **state)
{
    static const double from[] = {0, 4500000.3};
    uint8_t *bytes = random_bytes(30 * 30 * 30, 6);
    for (size_t i = 0; i < 2; i++) {
        rug_file *mesh = open_mesh(*state, from[i]);
        rug_image image = *rug_file_image(mesh);
        rug_source source = RUG_SOURCE_INIT;
        const size_t shape[3] = {30, 30, 30};
        const double spacing = image.spacing[0];
        assert_int_equal(rug_image_view(ctx, &image, bytes, RUG_U8, 3, shape), RUG_OK);
        for (int a = 0; a < 3; a++)
            image.spacing[a] = spacing;
        const char *path = scratch_path(*state, "v.nii");
        assert_written(path, rug_source_of_image(&source, &image), mesh);
        assert_int_equal(header_size(*state, "v.nii"), i == 0 ? 348 : 540);
        rug_file *file = must_read(scratch_path(*state, "v.nii"), NULL);
        const rug_file_facts *is = rug_file_get_facts(file);
        const rug_file_facts *was = rug_file_get_facts(mesh);
        assert_string_equal(is->located_by, "sform");
        assert_null(rug_file_image(file)->spacing_unit);
        assert_true(fabs(rug_file_image(file)->spacing[2] - spacing) < 1e-6);
        for (int k = 0; k < 3; k++)
            for (int a = 0; a < 4; a++)
                assert_true(fabs(is->affine[k][a] - was->affine[k][a]) < 1e-6);
        rug_file_free(file);
        rug_file_free(mesh);
    }
    free(bytes);
}

/* ---- Volumes that never come to be ---- */

static void assert_refused(const char *path, const rug_source *source,
                           const rug_file *file, rug_status status, const char *text)
{
    assert_int_equal(rug_volume_write(ctx, path, source, file), status);
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("'%s' does not say '%s'", rug_context_error(ctx), text);
}

static void refused(void **state)
{
    static const uint8_t bytes[6][5];
    const size_t shape[2] = {6, 5};
    rug_image image;
    rug_source good = RUG_SOURCE_INIT;
    assert_int_equal(rug_image_view(ctx, &image, bytes, RUG_U8, 2, shape), RUG_OK);
    rug_source_of_image(&good, &image);
    rug_source bad = good;
    assert_refused("v.tif", &good, NULL, RUG_E_ARG, ".nii.gz expected");
    assert_refused("v.gz", &good, NULL, RUG_E_ARG, ".nii.gz expected");
    assert_refused("", &good, NULL, RUG_E_ARG, ".nii.gz expected");
    assert_refused(NULL, &good, NULL, RUG_E_ARG, "NULL given");
    assert_refused("v.nii", NULL, NULL, RUG_E_ARG, "NULL given");
    assert_refused("/nowhere/v.nii", &good, NULL, RUG_E_IO, "/nowhere/v.nii");
    bad.dtype = RUG_BIT;
    assert_refused("v.nii", &bad, NULL, RUG_E_ARG, "dtype bit given");
    bad = good;
    bad.ndim = 4;
    assert_refused("v.nii", &bad, NULL, RUG_E_ARG, "4 axes");
    bad = good;
    bad.shape[1] = 0;
    assert_refused("v.nii", &bad, NULL, RUG_E_ARG, "0 pixels");
    bad = good;
    bad.read = NULL;
    assert_refused("v.nii", &bad, NULL, RUG_E_ARG, "expected");
    rug_file *mesh = open_mesh(*state, 0);
    assert_refused("v.nii", &good, mesh, RUG_E_ARG, "2 axes given");
    rug_file_free(mesh);
}

static void other_dtype(rug_image *slab, size_t n)
{
    (void)n;
    slab->dtype = RUG_I8;
}

static void fewer_layers(rug_image *slab, size_t n)
{
    slab->shape[0] = n - 1;
}

static void longer_rows(rug_image *slab, size_t n)
{
    (void)n;
    slab->shape[1]++;
}

static void no_pixels(rug_image *slab, size_t n)
{
    (void)n;
    slab->data = NULL;
}

static int cancel_at_once(void *user)
{
    (void)user;
    return 1;
}

/* The old file stays, and nothing else. */
static void the_old_file_stays(void **state)
{
    static void (*const spoils[])(rug_image *, size_t) = {other_dtype, fewer_layers,
                                                          longer_rows, no_pixels};
    static const uint8_t bytes[6][5];
    const size_t shape[2] = {6, 5};
    rug_image image;
    assert_int_equal(rug_image_view(ctx, &image, bytes, RUG_U8, 2, shape), RUG_OK);
    scratch_write(*state, "v.nii.gz", "old");
    const char *path = scratch_path(*state, "v.nii.gz");
    for (size_t i = 0; i < sizeof spoils / sizeof spoils[0]; i++) {
        asked a = {.whole = &image, .spoil = spoils[i]};
        rug_source source = source_of(&a);
        assert_refused(path, &source, NULL, RUG_E_ARG, "another slab");
    }
    asked a = {.whole = &image, .fail_at = 1};
    rug_source source = source_of(&a);
    assert_refused(path, &source, NULL, RUG_E_FORMAT, "no such layer");
    rug_source_of_image(&source, &image);
    rug_context_set_cancel(ctx, cancel_at_once, NULL);
    rug_status status = rug_volume_write(ctx, path, &source, NULL);
    rug_context_set_cancel(ctx, NULL, NULL);
    assert_int_equal(status, RUG_E_CANCELLED);
    for (size_t k = 1; status != RUG_OK; k++) {
        memory m = {.fail_at = k};
        rug_context *poor = test_context();
        memory_hook(poor, &m);
        size_t n;
        char *text = scratch_read(*state, "v.nii.gz", &n);
        assert_string_equal(text, "old");
        free(text);
        status = rug_volume_write(poor, path, &source, NULL);
        rug_context_free(poor);
        assert_int_equal(m.n_live, 0);
        assert_int_equal(status, k <= 2 ? RUG_E_NOMEM : RUG_OK);
    }
    assert_int_equal(scratch_count(*state), 1);
}

static void full_disk(void **state)
{
    (void)state;
    const size_t shape[2] = {1000, 1000};
    uint8_t *bytes = random_bytes(1000000, 2);
    rug_image image;
    rug_source source = RUG_SOURCE_INIT;
    assert_int_equal(rug_image_view(ctx, &image, bytes, RUG_U8, 2, shape), RUG_OK);
    rug_source_of_image(&source, &image);
    for (size_t i = 0; i < 2; i++) {
        const char *path = scratch_path(*state, names[i]);
        assert_int_equal(symlink("/dev/full", path), 0);
        assert_refused(path, &source, NULL, RUG_E_IO, "No space left");
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(pixels_come_back),
        SCRATCH_TEST(steps_of_any_kind),
        SCRATCH_TEST(slab_by_slab),
        SCRATCH_TEST(long_axes),
        SCRATCH_TEST(units),
        SCRATCH_TEST(the_place_of_a_file),
        SCRATCH_TEST(refused),
        SCRATCH_TEST(the_old_file_stays),
        SCRATCH_TEST(full_disk),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
