/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Files as sources when something goes wrong in the middle: damage, files that change,
 * cancelling, and memory that runs out. */

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
#include "tiff_support.h"
#include "vips_support.h"

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
        assert_failure(path, read_layers(file, &slab, good, n), RUG_E_ARG,
                       "asked; 0, where the last ones ended");
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
    assert_breaks(here->path, NULL, 100, 156, RUG_E_FORMAT, "cannot be read");
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
    assert_failure(here->path, read_layers(file, &slab, 0, 10), RUG_E_FORMAT,
                   "cut off: 394 of 640 bytes of pixels are there");
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
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(damage_in_the_middle),
        SCRATCH_TEST(files_that_change),
        SCRATCH_TEST(progress_and_cancel),
        SCRATCH_TEST(memory_runs_out),
    };
    if (VIPS_INIT(argv[0]) != 0)
        return 1;
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
