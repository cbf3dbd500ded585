/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Files as sources: what is known when, the order of layers, passes, loading, samples that are
 * larger than what is decoded at once, and what goes wrong in the middle. That slabs of every other
 * sample are what is read whole is checked by read_support.h in all tests that read. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"
#include <rugose/io.h>

#include "memory_support.h"

#include "read_support.h"

#include "source_support.h"

/* ---- Passes ---- */

static void bad_arguments(void **state)
{
    const char *path = put_gray_png(*state, "a.png");
    rug_file *file = NULL;
    assert_int_equal(rug_file_open(NULL, &file, path, NULL), RUG_E_ARG);
    assert_int_equal(rug_file_open(ctx, NULL, path, NULL), RUG_E_ARG);
    assert_int_equal(rug_file_open(ctx, &file, NULL, NULL), RUG_E_ARG);
    assert_null(file);
    file = must_open(path, NULL);
    assert_int_equal(rug_file_load(NULL, file), RUG_E_ARG);
    assert_int_equal(rug_file_load(ctx, NULL), RUG_E_ARG);
    rug_context *other;
    rug_image slab;
    assert_int_equal(rug_context_new(&other), RUG_OK);
    assert_int_equal(rug_file_load(other, file), RUG_E_ARG);
    assert_non_null(strstr(rug_context_error(other), "a context other"));
    const rug_source *source = rug_file_source(file);
    assert_int_equal(source->read(other, source->user, &slab, 0, 1), RUG_E_ARG);
    rug_context_free(other);
    rug_file_free(file);
}

/* Layers of a decoder that cannot go back come in order; a refused call does not end the pass. */
static void order_of_layers(void **state)
{
    static const struct {
        size_t first, n;
    } bad[] = {{0, 0}, {0, 6}, {5, 1}, {6, 1}, {3, SIZE_MAX}, {SIZE_MAX, 1}, {2, 4}};
    unsigned char *pixels = noise(5 * 12);
    rug_file *file = must_open(
        put_image(*state, "a.png", pixels, 12, 5, 1, 8, VIPS_INTERPRETATION_B_W), NULL);
    rug_image slab;
    assert_int_equal(rug_file_source(file)->any_order, 0);
    assert_failure("a.png", read_layers(file, &slab, 2, 1), RUG_E_ARG,
                   "layers from 2 on requested; 0, where the last ones ended, or 0");
    assert_int_equal(read_layers(file, &slab, 0, 2), RUG_OK);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_failure("a.png", read_layers(file, &slab, bad[i].first, bad[i].n),
                       RUG_E_ARG, "but there are 5");
        assert_null(slab.data);
    }
    assert_failure("a.png", read_layers(file, &slab, 3, 1), RUG_E_ARG,
                   "layers from 3 on requested; 2, where the last ones ended");
    assert_failure("a.png", read_layers(file, &slab, 1, 1), RUG_E_ARG,
                   "1 on requested; 2");
    assert_int_equal(read_layers(file, &slab, 2, 1), RUG_OK);
    assert_memory_equal(slab.data, pixels + 2 * 12, 12);
    assert_int_equal(read_layers(file, &slab, 0, 1), RUG_OK); /* a new pass */
    assert_memory_equal(slab.data, pixels, 12);
    assert_int_equal(slab.shape[0], 1);
    assert_int_equal(slab.shape[1], 12);
    assert_int_equal(read_layers(file, &slab, 1, 4), RUG_OK);
    assert_memory_equal(slab.data, pixels + 12, 48);
    rug_file_free(file);
    free(pixels);
}

/* Reads n layers from 0 on and one more, then begins again and reads all in two slabs. */
static void begin_again(const char *path, const rug_read_options *opts, size_t n)
{
    rug_file *whole = must_read(path, opts), *file = must_open(path, opts);
    rug_image slab;
    for (int again = 0; again < 2; again++) {
        assert_int_equal(read_layers(file, &slab, 0, n), RUG_OK);
        rug_image expected = layers_of(rug_file_image(whole), 0, n);
        assert_true(same_views(&slab, &expected));
        if (again == 0)
            assert_int_equal(read_layers(file, &slab, n, 1), RUG_OK);
    }
    size_t n_layers = rug_file_image(whole)->shape[0];
    assert_int_equal(read_layers(file, &slab, n, n_layers - n), RUG_OK);
    rug_image expected = layers_of(rug_file_image(whole), n, n_layers - n);
    assert_true(same_views(&slab, &expected));
    rug_file_free(whole);
    rug_file_free(file);
}

/* A pass may be given up anywhere. */
static void passes_that_end_early(void **state)
{
    scratch *here = *state;
    rug_read_options volume = RUG_READ_OPTIONS_INIT;
    page p = {.width = 20, .height = 200, .photometric = PHOTOMETRIC_MINISBLACK};
    unsigned char *pixels = noise(20 * 200);
    volume.volume = 1;
    begin_again(put_image(here, "a.png", pixels, 20, 200, 1, 8, VIPS_INTERPRETATION_B_W),
                NULL, 70);
    begin_again(put_tiff(here, "w", &p, pixels), NULL, 70);
    put_nifti(here, "a.nii.gz", 10, 10, 20, 0, (const int16_t *)(void *)pixels);
    begin_again(here->path, NULL, 7);
    p.height = 20;
    p.tile = 16;
    begin_again(put_stack(here, &p, 6, 3), &volume, 4);
    p.tile = 0;
    begin_again(put_stack(here, &p, 6, 3), &volume, 4);
    free(pixels);
}

/* Loading in the middle of a pass; afterwards any layers may be asked. */
static void loaded_files(void **state)
{
    unsigned char *pixels = noise(5 * 4 * 3);
    rug_file *file =
        must_open(put_pixels(*state, "False", "(5, 4, 3)", pixels, 60), NULL);
    rug_image slab;
    assert_int_equal(rug_file_bytes(file), 60);
    assert_int_equal(read_layers(file, &slab, 0, 2), RUG_OK);
    assert_int_equal(rug_file_load(ctx, file), RUG_OK);
    const void *data = rug_file_image(file)->data;
    assert_memory_equal(data, pixels, 60);
    assert_int_equal(rug_file_load(ctx, file), RUG_OK);
    assert_ptr_equal(rug_file_image(file)->data, data);
    for (size_t z = 5; z-- > 0;) {
        assert_int_equal(read_layers(file, &slab, z, 1), RUG_OK);
        assert_ptr_equal(slab.data, (const unsigned char *)data + 12 * z);
    }
    assert_int_equal(read_layers(file, &slab, 4, 2), RUG_E_ARG);
    rug_file_free(file);
    free(pixels);
}

/* Fortran order is loaded by the first read; its slabs have the strides of the whole. */
static void fortran_order(void **state)
{
    unsigned char *pixels = noise(5 * 4 * 3);
    rug_file *file = must_open(put_pixels(*state, "True", "(5, 4, 3)", pixels, 60), NULL);
    rug_image slab;
    assert_null(rug_file_image(file)->data);
    assert_int_equal(read_layers(file, &slab, 0, 2), RUG_OK);
    assert_non_null(rug_file_image(file)->data);
    assert_int_equal(read_layers(file, &slab, 2, 3), RUG_OK);
    assert_int_equal(slab.shape[0], 3);
    for (size_t z = 0; z < 3; z++)
        for (size_t y = 0; y < 4; y++)
            for (size_t x = 0; x < 3; x++)
                assert_int_equal(
                    *((const unsigned char *)slab.data + (ptrdiff_t)z * slab.stride[0] +
                      (ptrdiff_t)y * slab.stride[1] + (ptrdiff_t)x * slab.stride[2]),
                    pixels[(z + 2) + 5 * y + 20 * x]);
    rug_file_free(file);
    free(pixels);
}

/* Images of several strips in every layout, and rows that are wider than a strip. */
static void large_images(void **state)
{
    scratch *here = *state;
    const uint32_t width = 600, height = 330;
    unsigned char *pixels = noise((size_t)width * height);
    for (int way = 0; way < 6; way++) {
        page p = {.width = width,
                  .height = height,
                  .photometric = PHOTOMETRIC_MINISBLACK,
                  .tile = way % 2 == 0 ? 64 : 0,
                  .compression = way < 2   ? COMPRESSION_NONE
                                 : way < 4 ? COMPRESSION_ADOBE_DEFLATE
                                           : COMPRESSION_LZW};
        rug_file *file =
            must_read(put_tiff(here, way == 3 ? "wb" : "w", &p, pixels), NULL);
        assert_memory_equal(rug_file_image(file)->data, pixels, width * height);
        rug_file_free(file);
    }
    for (int way = 0; way < 2; way++)
        rug_file_free(must_read(put_image(here, way == 0 ? "a.png" : "a.jpg", pixels, 20,
                                          (int)height, 3, 8, VIPS_INTERPRETATION_sRGB),
                                NULL));
    free(pixels);
    const int wide = 3 * 1024 * 1024; /* pixels of a row of more than 4 MB */
    pixels = noise((size_t)wide * 2 * 3);
    rug_file_free(must_read(
        put_image(here, "a.pgm", pixels, wide, 3, 1, 16, VIPS_INTERPRETATION_GREY16),
        NULL));
    free(pixels);
}

/* Slices that are every third page of strips, taller than what is decoded at once. */
static void slices_between_pages(void **state)
{
    scratch *here = *state;
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    const uint32_t side = 300;
    unsigned char *pixels = malloc((size_t)side * side);
    assert_non_null(pixels);
    TIFF *tiff = TIFFOpen(scratch_path(here, "stack.tif"), "w");
    for (int i = 0; i < 12; i++) {
        page p = {.width = side,
                  .height = side,
                  .photometric = PHOTOMETRIC_MINISBLACK,
                  .compression = i < 9 ? COMPRESSION_LZW : COMPRESSION_NONE,
                  .description = "ImageJ=1.53\nimages=12\nchannels=3\nslices=4\n"
                                 "hyperstack=true\n"};
        for (size_t k = 0; k < (size_t)side * side; k++)
            pixels[k] = (unsigned char)(k / side + (size_t)i * 50);
        add_page(tiff, &p, pixels);
    }
    TIFFClose(tiff);
    opts.volume = 1;
    for (opts.channel = 0; opts.channel < 3; opts.channel++) {
        rug_file *file = must_read(scratch_path(here, "stack.tif"), &opts);
        assert_shape(file, RUG_U8, 4, side, side);
        for (size_t z = 0; z < 4; z++) {
            size_t at = z * 3 + (size_t)opts.channel;
            assert_pixel(file, z, 299, 7, (unsigned char)(299 + at * 50));
        }
        rug_file_free(file);
    }
    free(pixels);
}

/* Whether three colours are equal is known after a pass, and found out in each. */
static void equal_channels(void **state)
{
    scratch *here = *state;
    unsigned char pixels[8 * 4 * 3];
    memset(pixels, 9, sizeof pixels);
    for (int differ = 0; differ < 2; differ++) {
        pixels[1] = differ ? 8 : 9; /* in the first row */
        rug_file *file = must_open(
            put_image(here, "a.png", pixels, 4, 8, 3, 8, VIPS_INTERPRETATION_sRGB), NULL);
        const rug_file_facts *facts = rug_file_get_facts(file);
        rug_image slab;
        assert_int_equal(facts->channel, -1);
        for (int pass = 0; pass < 2; pass++) {
            assert_int_equal(read_layers(file, &slab, 0, 5), RUG_OK);
            assert_int_equal(facts->equal_channels, pass == 1 && !differ);
            assert_int_equal(read_layers(file, &slab, 5, 3), RUG_OK);
            assert_int_equal(facts->equal_channels, !differ);
        }
        assert_int_equal(rug_file_load(ctx, file), RUG_OK);
        assert_int_equal(facts->equal_channels, !differ);
        rug_file_free(file);
    }
}

/* ---- Failures in the middle ---- */

/* A failure in the middle: the text names the file, the pass has ended, and it fails
 * again. */
static void assert_breaks(const char *path, const rug_read_options *opts, size_t good,
                          size_t n, rug_status status, const char *text)
{
    rug_file *file = must_open(path, opts);
    rug_image slab;
    for (int pass = 0; pass < 2; pass++) {
        if (read_layers(file, &slab, 0, good) != RUG_OK)
            fail_msg("%s", rug_context_error(ctx));
        assert_failure(path, read_layers(file, &slab, good, n), status, text);
        assert_null(slab.data);
        int again = rug_file_source(file)->any_order != 0;
        assert_failure(path, read_layers(file, &slab, good, n),
                       again ? status : RUG_E_ARG,
                       again ? text : "requested; 0, where the last ones ended");
    }
    assert_failure(path, rug_file_load(ctx, file), status, text);
    assert_null(rug_file_image(file)->data);
    assert_int_equal(read_layers(file, &slab, 0, good), RUG_OK);
    rug_file_free(file);
}

static void overwrite(const char *path, long at, const void *bytes, size_t n)
{
    FILE *out = fopen(path, "r+b");
    assert_non_null(out);
    assert_int_equal(fseek(out, at, SEEK_SET), 0);
    assert_int_equal(fwrite(bytes, 1, n, out), n);
    assert_int_equal(fclose(out), 0);
}

static void damage_in_the_middle(void **state)
{
    scratch *here = *state;
    const page tiled = {.width = 200,
                        .height = 256,
                        .tile = 64,
                        .photometric = PHOTOMETRIC_MINISBLACK,
                        .compression = COMPRESSION_ADOBE_DEFLATE};
    unsigned char rubbish[64];
    size_t n;
    memset(rubbish, 0xee, sizeof rubbish);
    unsigned char *pixels = noise(200 * 256);
    int kept = begin_silence(here);
    put_tiff(here, "w", &tiled, pixels);
    TIFF *tiff = TIFFOpen(scratch_path(here, "a.tif"), "r");
    uint64_t *offsets;
    assert_int_equal(TIFFGetField(tiff, TIFFTAG_TILEOFFSETS, &offsets), 1);
    long at = (long)offsets[9]; /* of the third row of tiles */
    TIFFClose(tiff);
    overwrite(here->path, at, rubbish, sizeof rubbish);
    assert_breaks(here->path, NULL, 100, 100, RUG_E_FORMAT, "cannot be read");
    put_image(here, "a.png", pixels, 200, 256, 1, 8, VIPS_INTERPRETATION_B_W);
    unsigned char *png = get_bytes(here->path, &n);
    put_bytes(here, "a.png", png, n * 3 / 4);
    free(png);
    assert_breaks(here->path, NULL, 100, 156, RUG_E_FORMAT, "cut off after ");
    end_silence(here, kept);
    put_nifti(here, "a.nii.gz", 40, 40, 16, 0, (const int16_t *)(void *)pixels);
    unsigned char *gz = get_bytes(here->path, &n);
    put_bytes(here, "a.nii.gz", gz, n / 2);
    assert_breaks(here->path, NULL, 4, 12, RUG_E_FORMAT, "cut off: ");
    gz[n - 6] ^= 1; /* the checksum, which stands behind the last pixel */
    put_bytes(here, "a.nii.gz", gz, n);
    free(gz);
    must_fail(here->path, NULL, RUG_E_FORMAT, "gzip stream is damaged");
    free(pixels);
}

/* Files that change after they were opened. */
static void files_that_change(void **state)
{
    scratch *here = *state;
    unsigned char *pixels = noise(200 * 256);
    rug_image slab;
    rug_file *file =
        must_open(put_pixels(here, "False", "(10, 8, 8)", pixels, 640), NULL);
    assert_int_equal(read_layers(file, &slab, 0, 4), RUG_OK);
    assert_int_equal(truncate(here->path, 128 + 64 * 6 + 10), 0);
    assert_failure(
        here->path, read_layers(file, &slab, 0, 10), RUG_E_FORMAT,
        "became shorter while it was being read: 394 of 640 bytes of pixels are there");
    assert_int_equal(remove(here->path), 0);
    assert_failure(here->path, read_layers(file, &slab, 0, 10), RUG_E_IO, "No such file");
    rug_file_free(file);
    file = must_open(
        put_image(here, "a.png", pixels, 20, 30, 1, 8, VIPS_INTERPRETATION_B_W), NULL);
    assert_int_equal(read_layers(file, &slab, 0, 30), RUG_OK);
    put_image(here, "a.png", pixels, 20, 31, 1, 8, VIPS_INTERPRETATION_B_W);
    assert_failure(here->path, read_layers(file, &slab, 0, 30), RUG_E_FORMAT,
                   "30 rows of 20 pixels of u8 expected");
    rug_file_free(file);
    free(pixels);
}

/* Progress runs from 0 to 1 in each read; cancelling ends the pass, not the file. */
typedef struct watcher {
    double last;
    int n_calls, n_back, cancel;
} watcher;

static void on_progress(void *user, double share)
{
    watcher *w = user;
    w->n_calls++;
    w->n_back += share < w->last || share > 1;
    w->last = share;
}

static int on_cancel(void *user)
{
    return ((watcher *)user)->cancel;
}

static void progress_and_cancel(void **state)
{
    scratch *here = *state;
    unsigned char *pixels = noise(600 * 600);
    for (int way = 0; way < 2; way++) {
        const char *path =
            way == 0 ? put_image(here, "a.png", pixels, 600, 600, 1, 8,
                                 VIPS_INTERPRETATION_B_W)
                     : put_pixels(here, "False", "(600, 600)", pixels, 600 * 600);
        rug_file *file = must_open(path, NULL);
        rug_image slab;
        watcher w = {0};
        rug_context_set_progress(ctx, on_progress, &w);
        rug_context_set_cancel(ctx, on_cancel, &w);
        for (size_t y = 0; y < 600; y += 300) {
            w = (watcher){0};
            assert_int_equal(read_layers(file, &slab, y, 300), RUG_OK);
            assert_true(w.n_calls > 0 && w.n_back == 0 && w.last > 0.999);
        }
        assert_int_equal(read_layers(file, &slab, 0, 300), RUG_OK);
        w.cancel = 1;
        assert_int_equal(read_layers(file, &slab, 300, 300), RUG_E_CANCELLED);
        assert_int_equal(rug_file_load(ctx, file), RUG_E_CANCELLED);
        w.cancel = 0;
        assert_int_equal(read_layers(file, &slab, 0, 300), RUG_OK);
        assert_int_equal(read_layers(file, &slab, 300, 300), RUG_OK);
        assert_memory_equal(slab.data, pixels + 300 * 600, 300 * 600);
        rug_context_set_progress(ctx, NULL, NULL);
        rug_context_set_cancel(ctx, NULL, NULL);
        rug_file_free(file);
    }
    free(pixels);
}

/* Opens, reads two slabs and loads. */
static rug_status use(rug_context *poor, const char *path, const rug_read_options *opts)
{
    rug_file *file;
    rug_image slab;
    rug_status status = rug_file_open(poor, &file, path, opts);
    if (status != RUG_OK)
        return status;
    const rug_source *source = rug_file_source(file);
    status = source->read(poor, source->user, &slab, 0, 1);
    if (status == RUG_OK)
        status = source->read(poor, source->user, &slab, 1, 2);
    if (status == RUG_OK)
        status = rug_file_load(poor, file);
    rug_file_free(file);
    return status;
}

static void fail_everywhere(const char *path, const rug_read_options *opts)
{
    size_t n_failures = 0;
    for (rug_status status = RUG_E_NOMEM; status != RUG_OK; n_failures++) {
        rug_context *poor;
        memory m = {.fail_at = n_failures + 1};
        assert_int_equal(rug_context_new(&poor), RUG_OK);
        memory_hook(poor, &m);
        status = use(poor, path, opts);
        assert_true(status == RUG_OK || status == RUG_E_NOMEM);
        if (status != RUG_OK)
            assert_non_null(strstr(rug_context_error(poor), path));
        assert_int_equal(m.n_live, 0);
        assert_int_equal(m.n_wrong, 0);
        rug_context_free(poor);
    }
    assert_true(n_failures > 5);
}

static void memory_runs_out(void **state)
{
    scratch *here = *state;
    unsigned char pixels[4 * 16 * 16] = {1, 2, 3};
    rug_read_options volume = RUG_READ_OPTIONS_INIT;
    const page small = {.width = 16, .height = 16, .photometric = PHOTOMETRIC_MINISBLACK};
    volume.volume = 1;
    fail_everywhere(
        put_image(here, "a.png", pixels, 16, 16, 1, 8, VIPS_INTERPRETATION_B_W), NULL);
    fail_everywhere(put_pixels(here, "False", "(4, 16, 16)", pixels, sizeof pixels),
                    NULL);
    fail_everywhere(put_pixels(here, "True", "(4, 16, 16)", pixels, sizeof pixels), NULL);
    fail_everywhere(
        put_nifti(here, "a.nii", 8, 8, 4, 0.5f, (const int16_t *)(void *)pixels), NULL);
    fail_everywhere(put_tiff(here, "w", &small, pixels), NULL);
    fail_everywhere(put_stack(here, &small, 4, 1), &volume);
}

int main(int argc, char **argv)
{
    (void)argc;
    if (VIPS_INIT(argv[0]) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(bad_arguments),         SCRATCH_TEST(order_of_layers),
        SCRATCH_TEST(passes_that_end_early), SCRATCH_TEST(loaded_files),
        SCRATCH_TEST(fortran_order),         SCRATCH_TEST(large_images),
        SCRATCH_TEST(slices_between_pages),  SCRATCH_TEST(equal_channels),
        SCRATCH_TEST(damage_in_the_middle),  SCRATCH_TEST(files_that_change),
        SCRATCH_TEST(progress_and_cancel),   SCRATCH_TEST(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
