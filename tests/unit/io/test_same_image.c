/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The same pixels in every kind of file give the same counts: PNG, 16-bit TIFF, NIfTI and
 * npy; a volume as NIfTI, npy and the pages of a TIFF file. */

#define _XOPEN_SOURCE 700

#include "support.h"

#include "boxcount_support.h"
#include "io_scratch.h"

#include "read_support.h"

#include "tiff_support.h"
#include <math.h>

/* Pixels in C order as 16-bit numbers. */
typedef struct pixels16 {
    int ndim;
    size_t shape[3]; /* slowest first */
    size_t n;
    uint16_t *values;
} pixels16;

static pixels16 pixels_of(const char *path)
{
    rug_file *file = must_read(path, NULL);
    const rug_image *img = rug_file_image(file);
    pixels16 c = {.ndim = img->ndim, .n = rug_image_pixels(img)};
    memcpy(c.shape, img->shape, sizeof c.shape);
    c.values = malloc(c.n * sizeof *c.values);
    assert_non_null(c.values);
    size_t nx = c.shape[c.ndim - 1], ny = c.shape[c.ndim - 2];
    for (size_t i = 0; i < c.n; i++)
        c.values[i] = (uint16_t)test_pixel(img, i / nx / ny, i / nx % ny, i % nx);
    rug_file_free(file);
    return c;
}

/* Joins a head and the pixels in a file of the folder. */
static void put_file(scratch *here, const char *name, const void *head, size_t n_head,
                     const pixels16 *c)
{
    FILE *out = fopen(scratch_path(here, name), "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(head, 1, n_head, out), n_head);
    assert_int_equal(fwrite(c->values, sizeof *c->values, c->n, out), c->n);
    assert_int_equal(fclose(out), 0);
}

static void put_nifti(scratch *here, const pixels16 *c)
{
    unsigned char head[352] = {0};
    const int32_t size = 348;
    const float offset = 352, one = 1;
    const int16_t type = 512, bits = 16; /* unsigned */
    int16_t dim[8] = {(int16_t)c->ndim, 1, 1, 1, 1, 1, 1, 1};
    for (int a = 0; a < c->ndim; a++)
        dim[1 + a] = (int16_t)c->shape[c->ndim - 1 - a]; /* fastest first */
    memcpy(head, &size, 4);
    memcpy(head + 40, dim, sizeof dim);
    memcpy(head + 70, &type, 2);
    memcpy(head + 72, &bits, 2);
    for (int a = 0; a < 8; a++)
        memcpy(head + 76 + 4 * a, &one, 4);
    memcpy(head + 108, &offset, 4);
    memcpy(head + 344, "n+1", 4);
    put_file(here, "a.nii", head, sizeof head, c);
}

static void put_npy(scratch *here, const pixels16 *c)
{
    char head[256];
    unsigned n[3] = {1, 1, 1};
    for (int a = 0; a < c->ndim; a++)
        n[3 - c->ndim + a] = (unsigned)c->shape[a];
    memcpy(head, "\x93NUMPY\x01\x00\x76\x00", 10); /* 118 bytes of text follow */
    memset(head + 10, ' ', 118);
    int end = 10;
    end +=
        snprintf(head + 10, 118, "{'descr': '<u2', 'fortran_order': False, 'shape': (");
    end += c->ndim == 3 ? snprintf(head + end, 40, "%u, %u, %u), }", n[0], n[1], n[2])
                        : snprintf(head + end, 40, "%u, %u), }", n[1], n[2]);
    head[end] = ' ';
    head[127] = '\n';
    put_file(here, "a.npy", head, 128, c);
}

static void put_pages(scratch *here, const pixels16 *c)
{
    size_t nz = c->ndim == 3 ? c->shape[0] : 1, ny = c->shape[c->ndim - 2];
    size_t nx = c->shape[c->ndim - 1];
    page p = {.width = (uint32_t)nx,
              .height = (uint32_t)ny,
              .bits = 16,
              .photometric = PHOTOMETRIC_MINISBLACK};
    TIFF *tiff = TIFFOpen(scratch_path(here, "a.tif"), "w");
    for (size_t z = 0; z < nz; z++)
        add_page(tiff, &p, c->values + z * ny * nx);
    TIFFClose(tiff);
}

static rug_boxcount_result count_file(const char *path, int volume, rug_foreground rule)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.volume = volume;
    rug_file *file = must_read(path, &opts);
    rug_boxcount_result r = must_count(ctx, rug_file_image(file), rule);
    rug_file_free(file);
    return r;
}

/* Counts a file of tests/data, and copies of it in three formats. */
static void check_copies(scratch *here, const char *name, rug_foreground rule)
{
    pixels16 c = pixels_of(test_data(name));
    put_nifti(here, &c);
    put_npy(here, &c);
    put_pages(here, &c);
    rug_boxcount_result first = count_file(test_data(name), 0, rule);
    assert_true(first.counts[0].nonempty > 0);
    static const char *const copies[] = {"a.nii", "a.npy", "a.tif"};
    for (int i = 0; i < 3; i++) {
        int volume = c.ndim == 3 && i == 2;
        rug_boxcount_result r = count_file(scratch_path(here, copies[i]), volume, rule);
        test_assert_counts_equal(&r, &first, copies[i]);
        assert_int_equal(r.foreground.kind, first.foreground.kind);
        assert_true(r.foreground.value == first.foreground.value);
    }
    free(c.values);
}

static void photograph(void **state)
{
    check_copies(*state, "camera.png", (rug_foreground){RUG_FOREGROUND_AUTO, 0});
    check_copies(*state, "camera.png", (rug_foreground){RUG_FOREGROUND_NONZERO, 0});
    check_copies(*state, "camera.png", (rug_foreground){RUG_FOREGROUND_BELOW, 30.5});
    check_copies(*state, "camera.png", (rug_foreground){RUG_FOREGROUND_LABEL, 200});
}

static void silhouette(void **state)
{
    check_copies(*state, "bin_horse.png", (rug_foreground){RUG_FOREGROUND_AUTO, 0});
}

static void volume(void **state)
{
    check_copies(*state, "menger_81.nii.gz", (rug_foreground){RUG_FOREGROUND_AUTO, 0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(photograph),
        SCRATCH_TEST(silhouette),
        SCRATCH_TEST(volume),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
