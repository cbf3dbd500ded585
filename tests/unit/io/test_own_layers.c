/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Some layers from the middle of a large file are read without the others: the bytes are counted.
 * Those of arrays are in test_gdal.c. And which files say so, and what is known of such a pass. */

#define _XOPEN_SOURCE     700
#define _FILE_OFFSET_BITS 64

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"
#include <rugose/io.h>

#include "source_support.h"

/* Layers of 256 x 256 bytes, of which there are 16 GiB or 4 GiB, nearly all of them holes. */
#define LAYER  ((size_t)65536)
#define AT     ((size_t)50000)
#define N_READ ((size_t)64)

/* Writes a head, and behind it a volume of n layers, in which one byte of layer AT is 7. */
static const char *put_sparse(scratch *here, const char *name, const void *head,
                              size_t n_head, size_t n)
{
    const char *path = put_bytes(here, name, head, n_head);
    FILE *out = fopen(path, "r+b");
    assert_non_null(out);
    assert_int_equal(fseeko(out, (off_t)(n_head + AT * LAYER + 5), SEEK_SET), 0);
    assert_int_equal(fputc(7, out), 7);
    assert_int_equal(fclose(out), 0);
    if (truncate(path, (off_t)(n_head + n * LAYER)) != 0)
        skip(); /* files of this size are not for this disk */
    return path;
}

static void take(const char *path, const rug_read_options *opts, size_t n_bytes)
{
    rug_image slab;
    rug_file *file = read_within(path, opts, AT - N_READ / 2, N_READ, n_bytes, &slab);
    assert_int_equal(slab.shape[0], N_READ / 2); /* the second half begins at AT */
    assert_int_equal(((const unsigned char *)slab.data)[5], 7);
    assert_int_equal(((const unsigned char *)slab.data)[6], 0);
    rug_file_free(file);
}

static void npy_and_raw(void **state)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    char head[129];
    memset(head, ' ', sizeof head);
    memcpy(head, "\x93NUMPY\1\0\x76\0", 10);
    int n = snprintf(
        head + 10, sizeof head - 10,
        "{'descr': '|u1', 'fortran_order': False, 'shape': (262144, 256, 256), }");
    head[10 + n] = ' ';
    take(put_sparse(*state, "a.npy", head, 128, 262144), NULL, N_READ * LAYER);
    opts.raw = "u8,262144x256x256,offset=128";
    take(((const scratch *)*state)->path, &opts, N_READ * LAYER);
}

static void nifti(void **state)
{
    unsigned char head[352] = {0};
    int32_t size = 348;
    int16_t dim[8] = {4, 256, 256, 32767, 8, 1, 1, 1}, type = 2;
    float offset = 352;
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    memcpy(head, &size, 4);
    memcpy(head + 40, dim, sizeof dim);
    memcpy(head + 70, &type, 2);
    memcpy(head + 108, &offset, 4);
    memcpy(head + 344, "n+1", 4);
    opts.page = 1; /* the second of 8 volumes, in which the layer is the 17234th */
    rug_image slab;
    const char *path = put_sparse(*state, "a.nii", head, sizeof head, (size_t)32767 * 8);
    rug_file *file =
        read_within(path, &opts, AT - 32767 - N_READ / 2, N_READ, N_READ * LAYER, &slab);
    assert_int_equal(((const unsigned char *)slab.data)[5], 7);
    rug_file_free(file);
}

static void nrrd(void **state)
{
    static const char head[] =
        "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 256 256 65536\n"
        "encoding: raw\n\n";
    take(put_sparse(*state, "a.nrrd", head, sizeof head - 1, 65536), NULL,
         N_READ * LAYER);
}

/* Only one file of a volume of slices is read to its end. */
static void slices(void **state)
{
    enum { N = 6 };
    static char names[N][SCRATCH_PATH_MAX];
    const char *paths[N];
    unsigned char *pixels = calloc(512, 512);
    page p = {.width = 512, .height = 512, .photometric = PHOTOMETRIC_MINISBLACK};
    assert_non_null(pixels);
    for (int i = 0; i < N; i++) {
        memset(pixels, i, (size_t)512 * 512);
        snprintf(names[i], sizeof names[i], "%s/%d.tif",
                 ((const scratch *)*state)->folder, i);
        assert_int_equal(rename(put_tiff(*state, "w", &p, pixels), names[i]), 0);
        paths[i] = names[i];
    }
    free(pixels);
    rug_file *file;
    rug_image slab;
    assert_int_equal(rug_file_open_slices(ctx, &file, paths, N, NULL), RUG_OK);
    const rug_source *source = rug_file_source(file);
    assert_int_equal(source->any_order, 1);
    size_t before = bytes_read();
    assert_int_equal(source->read(ctx, source->user, &slab, 4, 1), RUG_OK);
    assert_int_equal(*(const unsigned char *)slab.data, 4);
    assert_true(bytes_read() - before <= 512 * 512 + HEAD_BYTES);
    rug_file_free(file);
}

#define SIDE 1024

/* An image of noise, which compression does not make smaller, and under it one of half the side. */
static const char *put_pyramid(scratch *here, const char *mode, const page *like)
{
    static unsigned char pixels[SIDE * SIDE];
    uint32_t x = 1;
    page p = *like;
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (unsigned char)((x = x * 1664525u + 1013904223u) >> 24);
    TIFF *tiff = TIFFOpen(scratch_path(here, "a.tif"), mode);
    p.width = p.height = SIDE;
    p.photometric = PHOTOMETRIC_MINISBLACK;
    p.n_sub = 1;
    add_page(tiff, &p, pixels);
    p.width = p.height = SIDE / 2;
    p.n_sub = 0;
    p.reduced = FILETYPE_REDUCEDIMAGE;
    add_page(tiff, &p, pixels);
    TIFFClose(tiff);
    return here->path;
}

/* What is decoded are whole rows of tiles or strips; compressed noise is a little longer. */
static void tiff(void **state)
{
    static const page pages[] = {{.tile = 64},
                                 {.tile = 64, .compression = COMPRESSION_ADOBE_DEFLATE},
                                 {.strip = 16},
                                 {.strip = 16, .compression = COMPRESSION_ADOBE_DEFLATE},
                                 {.strip = SIDE}};
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++)
        for (int level = 0; level < 2; level++) {
            const char *path = put_pyramid(*state, i % 2 == 0 ? "w" : "w8", &pages[i]);
            rug_read_options opts = RUG_READ_OPTIONS_INIT;
            opts.level = level;
            size_t side = SIDE >> level, first = side / 2 + 5, n = 40;
            size_t block = pages[i].tile != 0 ? 64 : pages[i].strip < 64 ? 16 : 1;
            size_t rows = (first + n - 1) / block * block + block - first / block * block;
            rug_image slab;
            rug_file *file =
                read_within(path, &opts, first, n, rows * side + rows * side / 64, &slab);
            rug_file *whole = must_read(path, &opts);
            rug_image expected = layers_of(rug_file_image(whole), first + n / 2, n / 2);
            assert_true(same_views(&slab, &expected));
            rug_file_free(whole);
            rug_file_free(file);
        }
}

/* Pages that are slices. */
static void pages(void **state)
{
    enum { N = 8 };
    static unsigned char pixels[256 * 256];
    page p = {
        .width = 256, .height = 256, .tile = 64, .photometric = PHOTOMETRIC_MINISBLACK};
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    rug_image slab;
    TIFF *tiff = TIFFOpen(scratch_path(*state, "stack.tif"), "w");
    for (int i = 0; i < N; i++) {
        memset(pixels, i, sizeof pixels);
        add_page(tiff, &p, pixels);
    }
    TIFFClose(tiff);
    opts.volume = 1;
    rug_file *file = read_within(((const scratch *)*state)->path, &opts, 5, 2,
                                 2 * sizeof pixels, &slab);
    assert_int_equal(*(const unsigned char *)slab.data, 6);
    rug_file_free(file);
}

/* ---- Passes ---- */

/* Where pixels lie one after the other, any layers may be asked for. */
static void layers_in_any_order(void **state)
{
    static const size_t first[] = {3, 4, 1, 0, 2, 0}, n[] = {1, 1, 2, 5, 3, 1};
    unsigned char *pixels = noise(5 * 4 * 3);
    rug_file *file =
        must_open(put_pixels(*state, "False", "(5, 4, 3)", pixels, 60), NULL);
    rug_image slab;
    assert_failure("a.npy", read_layers(file, &slab, 5, 1), RUG_E_ARG, "but there are 5");
    assert_failure("a.npy", read_layers(file, &slab, 4, 2), RUG_E_ARG, "but there are 5");
    for (size_t i = 0; i < sizeof n / sizeof n[0]; i++) {
        assert_int_equal(read_layers(file, &slab, first[i], n[i]), RUG_OK);
        assert_int_equal(slab.shape[0], n[i]);
        assert_memory_equal(slab.data, pixels + first[i] * 12, n[i] * 12);
    }
    rug_file_free(file);
    free(pixels);
}

static int has_any_order(const char *path, const rug_read_options *opts)
{
    rug_file *file = must_open(path, opts);
    int answer = rug_file_source(file)->any_order != 0;
    assert_int_equal(rug_file_load(ctx, file), RUG_OK);
    assert_int_equal(rug_file_source(file)->any_order, 1);
    rug_file_free(file);
    return answer;
}

/* A pass begins where it should only where that costs no more than its layers. */
static void who_has_any_order(void **state)
{
    scratch *here = *state;
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    unsigned char *pixels = noise(600 * 64);
    page p = {.width = 64, .height = 600, .photometric = PHOTOMETRIC_MINISBLACK};
    assert_true(has_any_order(put_pixels(here, "False", "(5, 4, 3)", pixels, 60), NULL));
    assert_false(has_any_order(put_pixels(here, "True", "(5, 4, 3)", pixels, 60), NULL));
    const int16_t *numbers = (const int16_t *)(void *)pixels;
    assert_true(has_any_order(put_nifti(here, "a.nii", 8, 8, 4, 0.5f, numbers), NULL));
    assert_false(has_any_order(put_nifti(here, "a.nii.gz", 8, 8, 4, 0, numbers), NULL));
    assert_true(has_any_order(put_tiff(here, "w", &p, pixels), NULL));
    p.orientation = 4; /* from the last row to the first */
    assert_true(has_any_order(put_tiff(here, "w", &p, pixels), NULL));
    p.orientation = 6; /* rows are columns */
    assert_false(has_any_order(put_tiff(here, "w", &p, pixels), NULL));
    p.orientation = 0;
    p.compression = COMPRESSION_ADOBE_DEFLATE;
    assert_true(has_any_order(put_tiff(here, "w8", &p, pixels), NULL));
    p.tile = 64;
    assert_true(has_any_order(put_tiff(here, "w8", &p, pixels), NULL));
    p.tile = 0;
    p.strip = 600; /* which are decoded together */
    assert_false(has_any_order(put_tiff(here, "w", &p, pixels), NULL));
    p.height = 60;
    p.strip = 60;
    opts.volume = 1;
    assert_true(has_any_order(put_stack(here, &p, 6, 3), &opts));
    free(pixels);
}

/* What a pass sees that begins in the middle is kept for itself. */
static void nodata_of_passes(void **state)
{
    static const unsigned char pixels[5 * 4] = {7, 7, 1, 2, 7, 1, 1, 1, 1, 1,
                                                1, 1, 7, 7, 7, 7, 7, 1, 1, 1};
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    rug_image slab;
    opts.nodata = RUG_NODATA_VALUE;
    opts.nodata_value = 7;
    rug_file *file =
        must_open(put_pixels(*state, "False", "(5, 4)", pixels, sizeof pixels), &opts);
    const rug_file_facts *facts = rug_file_get_facts(file);
    assert_int_equal(read_layers(file, &slab, 3, 1), RUG_OK);
    assert_int_equal(facts->pass_nodata, 4);
    assert_int_equal(read_layers(file, &slab, 4, 1), RUG_OK); /* goes on, to the end */
    assert_int_equal(facts->pass_first, 3);
    assert_int_equal(facts->pass_layers, 2);
    assert_int_equal(facts->pass_nodata, 5);
    assert_true(!facts->is_counted && facts->n_nodata == 0);
    assert_int_equal(read_layers(file, &slab, 1, 2), RUG_OK);
    assert_int_equal(facts->pass_nodata, 1);
    assert_int_equal(read_layers(file, &slab, 0, 3), RUG_OK);
    assert_int_equal(read_layers(file, &slab, 4, 1), RUG_OK); /* one is left out */
    assert_false(facts->is_counted);
    assert_int_equal(read_layers(file, &slab, 0, 2), RUG_OK);
    assert_int_equal(read_layers(file, &slab, 2, 3), RUG_OK);
    assert_true(facts->is_counted);
    assert_int_equal(facts->n_nodata, 8);
    assert_int_equal(read_layers(file, &slab, 2, 3), RUG_OK); /* takes nothing back */
    assert_int_equal(facts->pass_nodata, 5);
    assert_int_equal(facts->n_nodata, 8);
    rug_file_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(npy_and_raw),
        SCRATCH_TEST(nifti),
        SCRATCH_TEST(nrrd),
        SCRATCH_TEST(slices),
        SCRATCH_TEST(tiff),
        SCRATCH_TEST(pages),
        SCRATCH_TEST(layers_in_any_order),
        SCRATCH_TEST(who_has_any_order),
        SCRATCH_TEST(nodata_of_passes),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
