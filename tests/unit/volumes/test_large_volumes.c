/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Volumes of several files, and channels between others, which several threads read, each a piece:
 * the same pixels for any number of threads; files that shrink; progress. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include "support.h"

#include "memory_support.h"
#include "volume_support.h"

/* Five files; pieces of 4 MiB do not end where files or layers do. */
#define N_FILES  5
#define N_ROWS   601
#define N_COLS   1600
#define N_PIXELS ((size_t)N_FILES * N_ROWS * N_COLS)

#define HEAD "NRRD0004\ntype: ushort\ndimension: 3\nendian: big\nencoding: raw\n"

static uint16_t expected_at(size_t i)
{
    return (uint16_t)(i * 40503u >> 3);
}

/* Writes stored values first .. first + n - 1, big-endian, into file number i. */
static void put_part(scratch *here, int i, size_t first, size_t n)
{
    char name[32];
    unsigned char *bytes = malloc(2 * n);
    assert_non_null(bytes);
    for (size_t k = 0; k < n; k++) {
        uint16_t v = expected_at(first + k);
        bytes[2 * k] = (unsigned char)(v >> 8);
        bytes[2 * k + 1] = (unsigned char)v;
    }
    snprintf(name, sizeof name, "s%d.raw", i);
    put_bytes(here, name, bytes, 2 * n);
    free(bytes);
}

static const char *put_all(scratch *here, const char *axes)
{
    char header[256];
    for (int i = 0; i < N_FILES; i++)
        put_part(here, i, (size_t)i * N_ROWS * N_COLS, (size_t)N_ROWS * N_COLS);
    snprintf(header, sizeof header, HEAD "%s\ndata file: s%%d.raw 0 %d 1\n", axes,
             N_FILES - 1);
    return put_behind(here, "a.nhdr", header, NULL, 0);
}

/* Reads a file by several numbers of threads; pixel i must be value first + i * step. */
static void assert_read(const char *path, const rug_read_options *opts, size_t n,
                        size_t first, size_t step)
{
    for (int threads = 1; threads <= 7; threads += 3) {
        rug_file *file;
        assert_int_equal(rug_context_set_threads(ctx, threads), RUG_OK);
        assert_int_equal(rug_file_read(ctx, &file, path, opts), RUG_OK);
        const rug_image *m = rug_file_image(file);
        const uint16_t *got = m->data;
        assert_true(m->dtype == RUG_U16 && rug_image_pixels(m) == n);
        for (size_t i = 0; i < n; i++)
            if (got[i] != expected_at(first + i * step))
                fail_msg("pixel %zu of %s is %u", i, path, got[i]);
        rug_file_free(file);
    }
}

static void several_files(void **state)
{
    assert_read(put_all(*state, "sizes: 1600 601 5"), NULL, N_PIXELS, 0, 1);
}

static void channels_between_others(void **state)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    const char *path = put_all(*state, "sizes: 4 400 3005\nkinds: vector domain domain");
    opts.channel = 3;
    assert_read(path, &opts, N_PIXELS / 4, 3, 4);
    /* so many that others are not read for the sake of one */
    path = put_all(*state, "sizes: 24040 40 5\nkinds: vector domain domain");
    opts.channel = 24039;
    assert_read(path, &opts, 200, 24039, 24040);
}

static void files_that_shrink(void **state)
{
    scratch *here = *state;
    rug_file *file;
    const char *path = put_all(here, "sizes: 1600 601 5");
    assert_int_equal(rug_file_open(ctx, &file, path, NULL), RUG_OK);
    put_part(here, 3, 0, 1000);
    assert_int_equal(rug_file_load(ctx, file), RUG_E_FORMAT);
    assert_non_null(strstr(rug_context_error(ctx), "a.nhdr: its pixels: "));
    assert_non_null(strstr(rug_context_error(ctx), "s3.raw: became shorter"));
    assert_int_equal(unlink(scratch_path(here, "s3.raw")), 0);
    assert_int_equal(rug_file_load(ctx, file), RUG_E_IO);
    assert_non_null(strstr(rug_context_error(ctx), "s3.raw: cannot be opened"));
    put_part(here, 3, (size_t)3 * N_ROWS * N_COLS, (size_t)N_ROWS * N_COLS);
    assert_int_equal(rug_file_load(ctx, file), RUG_OK);
    rug_file_free(file);
}

static double last_share;
static int is_falling;

static void see_progress(void *user, double share)
{
    (void)user;
    is_falling |= share < last_share;
    last_share = share;
}

static int is_stopped(void *user)
{
    (void)user;
    return last_share > 0.3;
}

/* It rises from 0 to 1 over all files, and stops when asked. */
static void progress_and_cancel(void **state)
{
    scratch *here = *state;
    for (int packed = 0; packed < 2; packed++) {
        rug_file *file;
        const char *path = put_all(here, "sizes: 1600 601 5");
        for (int i = 0; packed && i < N_FILES; i++) {
            char name[32];
            size_t n;
            snprintf(name, sizeof name, "s%d.raw", i);
            unsigned char *bytes = get_bytes(scratch_path(here, name), &n);
            gzFile out = gzopen(here->path, "wb1");
            assert_non_null(out);
            assert_int_equal(gzwrite(out, bytes, (unsigned)n), n);
            assert_int_equal(gzclose(out), Z_OK);
            free(bytes);
        }
        if (packed)
            path = put_behind(here, "a.nhdr",
                              "NRRD0004\ntype: ushort\ndimension: 3\nendian: big\n"
                              "encoding: gzip\nsizes: 1600 601 5\n"
                              "data file: s%d.raw 0 4 1\n",
                              NULL, 0);
        assert_int_equal(rug_file_open(ctx, &file, path, NULL), RUG_OK);
        last_share = 0;
        is_falling = 0;
        rug_context_set_progress(ctx, see_progress, NULL);
        assert_int_equal(rug_file_load(ctx, file), RUG_OK);
        assert_true(!is_falling && last_share >= 1);
        rug_file_free(file);
        assert_int_equal(rug_file_open(ctx, &file, path, NULL), RUG_OK);
        last_share = 0;
        rug_context_set_cancel(ctx, is_stopped, NULL);
        assert_int_equal(rug_file_load(ctx, file), RUG_E_CANCELLED);
        rug_context_set_cancel(ctx, NULL, NULL);
        rug_context_set_progress(ctx, NULL, NULL);
        rug_file_free(file);
    }
}

/* Reads a file whole and in slabs while the k-th allocation fails, for each k that there is. */
static void fail_everywhere(const char *path, const rug_read_options *opts)
{
    for (int in_slabs = 0; in_slabs < 2; in_slabs++) {
        rug_status status = RUG_E_NOMEM;
        size_t k = 1;
        for (; status != RUG_OK && k < 100; k++) {
            memory m = {.fail_at = k};
            rug_context *own;
            rug_file *file = NULL;
            assert_int_equal(rug_context_new(&own), RUG_OK);
            memory_hook(own, &m);
            status = in_slabs ? slab_status(own, path, opts, 1, NULL)
                              : rug_file_read(own, &file, path, opts);
            assert_true(status == RUG_OK || status == RUG_E_NOMEM);
            rug_file_free(file);
            rug_context_free(own);
            assert_int_equal(m.n_live, 0);
            assert_int_equal(m.n_wrong, 0);
        }
        assert_in_range(k, 5, 99);
    }
}

static void memory_runs_out(void **state)
{
    scratch *here = *state;
    unsigned char packed[256], values[64];
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    size_t n = put_values(values, RUG_U16, 0, 0, 12);
    for (int i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "s%d.raw", i);
        put_bytes(here, name, values, n);
        snprintf(name, sizeof name, "s%d.gz", i);
        put_bytes(here, name, packed, pack(packed, sizeof packed, values, n, 31));
    }
    put_behind(here, "a.nhdr", HEAD "sizes: 4 3 3\ndata file: s%d.raw 0 2 1\n", NULL, 0);
    fail_everywhere(scratch_path(here, "a.nhdr"), NULL);
    put_behind(here, "a.nhdr",
               "NRRD0004\ntype: ushort\ndimension: 3\nendian: big\nencoding: gzip\n"
               "sizes: 4 3 3\ndata file: LIST\ns0.gz\ns1.gz\ns2.gz\n",
               NULL, 0);
    fail_everywhere(scratch_path(here, "a.nhdr"), NULL);
    put_behind(
        here, "a.mha",
        "NDims = 2\nDimSize = 2 2\nElementType = MET_FLOAT\n"
        "ElementNumberOfChannels = 2\nBinaryData = False\nElementDataFile = LOCAL\n"
        "1 2 3 4 5 6 7 8\n",
        NULL, 0);
    opts.channel = 1;
    fail_everywhere(scratch_path(here, "a.mha"), &opts);
    put_behind(here, "a.nrrd",
               "NRRD0004\ntype: uchar\ndimension: 2\nencoding: raw\nsizes: 2 2\n\n",
               values, 4);
    fail_everywhere(scratch_path(here, "a.nrrd"), NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(several_files),     SCRATCH_TEST(channels_between_others),
        SCRATCH_TEST(files_that_shrink), SCRATCH_TEST(progress_and_cancel),
        SCRATCH_TEST(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
