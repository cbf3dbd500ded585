/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Reading in general: arguments, what cannot be read, names, checksums, cancelling, memory that runs
 * out, and colours that are kept as planes. must_read() reads slab by slab as well. */

#define _XOPEN_SOURCE 700

#include "support.h"

#include "io_scratch.h"
#include "tables/checksum.h"
#include "tables/read_line.h"

#include "read_support.h"

#include "picture_support.h"

#include <pthread.h>

/* ---- Files ---- */

/* Callers of older and newer headers. */
static void options_of_other_sizes(void **state)
{
    const char *path = put_gray_png(*state, "a.png");
    struct {
        rug_read_options known;
        size_t more;
    } newer = {RUG_READ_OPTIONS_INIT, 0};
    rug_read_options older = RUG_READ_OPTIONS_INIT;
    newer.known.struct_size = sizeof newer;
    rug_file_free(must_read(path, &newer.known));
    newer.more = 1;
    rug_file *file;
    assert_int_equal(rug_file_read(ctx, &file, path, &newer.known), RUG_E_ARG);
    assert_null(file);
    assert_non_null(strstr(rug_context_error(ctx), "rug_read_options: byte"));
    older.struct_size = offsetof(rug_read_options, level);
    older.level = 7; /* not part of what that caller knows */
    rug_file_free(must_read(path, &older));
}

static void bad_arguments(void **state)
{
    const char *path = put_gray_png(*state, "a.png");
    rug_file *file = NULL;
    char sum[CLI_SHA256_TEXT_MAX];
    assert_int_equal(rug_file_read(NULL, &file, path, NULL), RUG_E_ARG);
    assert_int_equal(rug_file_read(ctx, NULL, path, NULL), RUG_E_ARG);
    assert_int_equal(rug_file_read(ctx, &file, NULL, NULL), RUG_E_ARG);
    assert_int_equal(cli_file_sha256(ctx, sum, NULL, 1), RUG_E_ARG);
    assert_int_equal(cli_file_sha256(ctx, NULL, &path, 1), RUG_E_ARG);
    rug_file_free(NULL);
    rug_read_options opts = RUG_READ_OPTIONS_INIT, with_page = opts, channel = opts,
                     level = opts;
    opts.struct_size = 4;
    assert_int_equal(rug_file_read(ctx, &file, path, &opts), RUG_E_ARG);
    assert_non_null(strstr(rug_context_error(ctx), "struct_size is 4"));
    with_page.page = -2;
    channel.channel = -3;
    level.level = -1;
    must_fail(path, &with_page, RUG_E_ARG, "page -2");
    must_fail(path, &channel, RUG_E_ARG, "channel -3");
    must_fail(path, &level, RUG_E_ARG, "level -1");
}

static void what_is_no_image(void **state)
{
    scratch *here = *state;
    static const struct {
        const char *text, *says;
    } files[] = {{"hello\n", NULL},
                 {"x", NULL},
                 {"1,2,3\n4,5,6\n", NULL},
                 {"2 2\n1 2\n3 4\n", NULL},
                 {"\x1f\x8b garbage", "looks like something compressed by gzip"},
                 {"", NULL},
                 {"PK\3\4", "looks like a ZIP archive"},
                 {"<html></html>", "looks like a web page"},
                 {"\xb6\xa6\xf2\x08", NULL}};
    static const char *const names[] = {"a",     "a.csv", "a.mat", "a.raw",
                                        "a.v",   "a.hdr", "a.img", "a.txt",
                                        "a.tif", "a.nii", "a.png"};
    int kept = begin_silence(here);
    must_fail(scratch_path(here, "none"), NULL, RUG_E_IO, "No such file");
    must_fail(here->folder, NULL, RUG_E_IO, "is a directory");
    must_fail(put_bytes(here, "empty.png", "", 0), NULL, RUG_E_FORMAT,
              "is empty (0 bytes)");
    for (size_t t = 0; t < sizeof files / sizeof files[0]; t++)
        for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
            must_fail(put_bytes(here, names[n], files[t].text, strlen(files[t].text) + 1),
                      NULL, RUG_E_FORMAT,
                      files[t].says != NULL ? files[t].says
                                            : "is not an image that rugose can read");
    assert_int_equal(mkfifo(scratch_path(here, "pipe"), 0600), 0);
    must_fail(here->path, NULL, RUG_E_IO, "not a regular file");
    end_silence(here, kept);
}

static void no_permission(void **state)
{
    scratch *here = *state;
    assert_int_equal(chmod(put_gray_png(here, "a.png"), 0), 0);
    assert_int_equal(chmod(here->folder, 0755), 0);
    int is_root = geteuid() == 0; /* whom nothing is forbidden */
    if (is_root)
        assert_int_equal(seteuid(65534), 0);
    must_fail(here->path, NULL, RUG_E_IO, "Permission denied");
    if (is_root)
        assert_int_equal(seteuid(0), 0);
}

static void names_decide_nothing(void **state)
{
    static const char *const names[] = {"a.csv",    "a.nii.gz",     "a.npy",
                                        "noending", "img[1]",       "odd [page=1].png",
                                        "a.tif",    "\xff\xfe.png", "sp ace%s.jpg"};
    size_t n;
    unsigned char *bytes = get_bytes(put_gray_png(*state, "a.png"), &n);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        rug_file *file = must_read(put_bytes(*state, names[i], bytes, n), NULL);
        assert_string_equal(rug_file_get_facts(file)->format, "png");
        assert_pixel(file, 0, 1, 1, 40);
        rug_file_free(file);
    }
    free(bytes);
}

/* Progress is reported on the calling thread and grows; cancelling ends the call. */
typedef struct watcher {
    pthread_t thread;
    double last;
    int n_calls, n_foreign, n_back, cancel_at;
} watcher;

static void on_progress(void *user, double share)
{
    watcher *w = user;
    w->n_calls++;
    w->n_foreign += !pthread_equal(w->thread, pthread_self());
    w->n_back += share < w->last || share > 1;
    w->last = share;
}

static int on_cancel(void *user)
{
    watcher *w = user;
    w->n_foreign += !pthread_equal(w->thread, pthread_self());
    return w->cancel_at != 0 && w->n_calls >= w->cancel_at;
}

static void progress_and_cancel(void **state)
{
    unsigned char *pixels = calloc(2000 * 2000, 1);
    const char *path =
        put_image(*state, "a.png", pixels, 2000, 2000, 1, 8, VIPS_INTERPRETATION_B_W);
    for (int cancel_at = 0; cancel_at < 2; cancel_at++) {
        watcher w = {.thread = pthread_self(), .cancel_at = cancel_at};
        rug_file *file = NULL;
        rug_context_set_progress(ctx, on_progress, &w);
        rug_context_set_cancel(ctx, on_cancel, &w);
        rug_status status = rug_file_read(ctx, &file, path, NULL);
        rug_context_set_progress(ctx, NULL, NULL);
        rug_context_set_cancel(ctx, NULL, NULL);
        assert_int_equal(status, cancel_at == 0 ? RUG_OK : RUG_E_CANCELLED);
        assert_true(w.n_calls > 0 && w.n_foreign == 0 && w.n_back == 0);
        assert_true((file == NULL) == (cancel_at != 0));
        rug_file_free(file);
    }
    free(pixels);
}

/* An allocator whose n-th allocation fails. */
static int n_until_failure, n_blocks;

static void *failing_allocate(void *user, size_t n_bytes, size_t alignment)
{
    void *block = NULL;
    (void)user;
    if (n_until_failure-- == 0 || posix_memalign(&block, alignment, n_bytes) != 0)
        return NULL;
    n_blocks++;
    return block;
}

static void failing_release(void *user, void *block)
{
    (void)user;
    n_blocks--;
    free(block);
}

static void memory_runs_out(void **state)
{
    const rug_allocator failing = {failing_allocate, failing_release, NULL};
    const char *path = put_gray_png(*state, "a.png");
    int n_failures = 0;
    for (rug_status status = RUG_E_NOMEM; status != RUG_OK; n_failures++) {
        rug_context *poor;
        rug_file *file;
        assert_int_equal(rug_context_new(&poor), RUG_OK);
        rug_context_set_allocator(poor, &failing);
        n_until_failure = n_failures;
        status = rug_file_read(poor, &file, path, NULL);
        assert_true(status == RUG_OK || status == RUG_E_NOMEM);
        if (status != RUG_OK)
            assert_non_null(strstr(rug_context_error(poor), path));
        rug_file_free(file);
        assert_int_equal(n_blocks, 0);
        rug_context_free(poor);
    }
    assert_true(n_failures > 3);
}

static void checksum(void **state)
{
    char sum[CLI_SHA256_TEXT_MAX];
    const char *paths[] = {put_bytes(*state, "abc", "abc", 3), NULL};
    assert_int_equal(cli_file_sha256(ctx, sum, paths, 1), RUG_OK);
    assert_string_equal(
        sum, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    char first[SCRATCH_PATH_MAX]; /* one file after the other */
    snprintf(first, sizeof first, "%s", put_bytes(*state, "a", "a", 1));
    const char *two[] = {first, put_bytes(*state, "bc", "bc", 2)};
    assert_int_equal(cli_file_sha256(ctx, sum, two, 2), RUG_OK);
    assert_string_equal(
        sum, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    paths[0] = put_bytes(*state, "empty", "", 0);
    assert_int_equal(cli_file_sha256(ctx, sum, paths, 1), RUG_OK);
    assert_string_equal(
        sum, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    /* of 56 bytes, whose padding needs a block of its own (FIPS 180-2, B.2) */
    static const char more[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    paths[0] = put_bytes(*state, "more", more, 56);
    assert_int_equal(cli_file_sha256(ctx, sum, paths, 1), RUG_OK);
    assert_string_equal(
        sum, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    paths[0] = scratch_path(*state, "none");
    assert_int_equal(cli_file_sha256(ctx, sum, paths, 1), RUG_E_IO);
    assert_string_equal(sum, "");
}

static void format_list(void **state)
{
    (void)state;
    const char *const *formats = rug_file_formats();
    int n = 0, has_nifti = 0;
    for (; formats[n] != NULL; n++)
        has_nifti |= strncmp(formats[n], "NIfTI", 5) == 0;
    assert_true(n >= 8 && has_nifti);
}

/* Everything in the shared data set reads, and the same image as PNG and as TIFF is the
 * same. */
static void shared_data(void **state)
{
    (void)state;
    const char *folder = getenv("RUGOSE_SHARED_DATA");
    char path[1024];
    if (folder == NULL) {
        print_message("SKIPPED: RUGOSE_SHARED_DATA is not set\n");
        skip();
    }
    snprintf(path, sizeof path, "%s/cells/bbbc022_ch0.png", folder);
    rug_file *png = must_read(path, NULL);
    snprintf(path, sizeof path, "%s/cells/bbbc022_ch0.tif", folder);
    rug_file *tiff = must_read(path, NULL);
    assert_shape(tiff, RUG_U16, 0, 395, 695);
    assert_true(same_pixels(png, tiff));
    rug_file_free(png);
    rug_file_free(tiff);
    snprintf(path, sizeof path, "%s/volumes/pyrad_brain1.nii.gz", folder);
    rug_file *brain = must_read(path, NULL);
    assert_shape(brain, RUG_I16, 25, 256, 256);
    rug_file_free(brain);
}

/* ---- Colours ---- */

static rug_read_options with_planes(void)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.planes = 1;
    return opts;
}

/* Pixels of pixel i and band b: 10 i + b, or that times 256. */
static const char *put_colours(scratch *here, const char *name, int bands, int bits)
{
    uint8_t narrow[6 * 4];
    uint16_t wide[6 * 4];
    for (int i = 0; i < 6 * bands; i++) {
        narrow[i] = (uint8_t)(10 * (i / bands) + i % bands);
        wide[i] = (uint16_t)(256 * narrow[i]);
    }
    return put_image(here, name, bits == 8 ? (void *)narrow : (void *)wide, 3, 2, bands,
                     bits,
                     bits == 8 ? VIPS_INTERPRETATION_sRGB : VIPS_INTERPRETATION_RGB16);
}

static void assert_planes(const char *path, int bits, int has_alpha)
{
    const rug_read_options opts = with_planes();
    rug_file *file = must_read(path, &opts);
    const rug_file_facts *f = rug_file_get_facts(file);
    assert_int_equal(f->n_planes, 3);
    assert_int_equal(f->n_channels, 3);
    assert_int_equal(f->channel, -1);
    assert_int_equal(f->dropped_alpha, has_alpha);
    assert_int_equal(f->equal_channels, 0);
    assert_shape(file, bits == 8 ? RUG_U8 : RUG_U16, 3, 2, 3);
    for (int p = 0; p < 3; p++) {
        rug_image plane = rug_file_plane(file, p);
        assert_int_equal(plane.ndim, 2);
        assert_true(plane.shape[0] == 2 && plane.shape[1] == 3);
        for (size_t i = 0; i < 6; i++)
            assert_true(test_pixel(&plane, 0, i / 3, i % 3) ==
                        (10 * (int)i + p) * (bits == 8 ? 1 : 256));
    }
    rug_file_free(file);
}

static void every_format(void **state)
{
    for (int bands = 3; bands <= 4; bands++) {
        for (int bits = 8; bits <= 16; bits += 8) {
            assert_planes(put_colours(*state, "a.png", bands, bits), bits, bands == 4);
            assert_planes(put_colours(*state, "a.tif", bands, bits), bits, bands == 4);
        }
        if (bands == 3)
            assert_planes(put_colours(*state, "a.ppm", bands, 8), 8, 0);
    }
}

static void the_line(const char *path, const char *expected)
{
    const rug_read_options opts = with_planes();
    char whole[1024];
    rug_file *file = must_read(path, &opts);
    char *line = cli_file_read_line(file, rug_file_get_facts(file), NULL, NULL, NULL);
    snprintf(whole, sizeof whole, "read %s: %s", path, expected);
    assert_string_equal(line, whole);
    free(line);
    rug_file_free(file);
}

static void lines(void **state)
{
    scratch *here = *state;
    the_line(put_colours(here, "a.png", 3, 8), "2x3 u8, red, green and blue kept");
    the_line(put_colours(here, "a.png", 4, 16),
             "2x3 u16, red, green and blue kept, alpha dropped");
    the_line(
        put_image(here, "a.png", "\1\1\1\7\7\7", 2, 1, 3, 8, VIPS_INTERPRETATION_sRGB),
        "1x2 u8, 3 equal channels, all kept");
    the_line(put_gray_png(here, "a.png"), "2x3 u8");
}

/* Grey and what has no colours is read as without the option. */
static void without_colours(void **state)
{
    scratch *here = *state;
    const rug_read_options opts = with_planes();
    rug_file *file = must_read(put_gray_png(here, "a.png"), &opts);
    assert_shape(file, RUG_U8, 0, 2, 3);
    assert_int_equal(rug_file_get_facts(file)->n_planes, 1);
    rug_image plane = rug_file_plane(file, 0);
    assert_memory_equal(&plane, rug_file_image(file), sizeof plane);
    rug_file_free(file);
    const page two = {
        .width = 2, .height = 1, .samples = 2, .photometric = PHOTOMETRIC_MINISBLACK};
    must_fail(put_tiff(here, "w", &two, "abcd"), &opts, RUG_E_ARG, "--channel 0..1");
}

static void spacing_of_planes(void **state)
{
    const page p = {.width = 2,
                    .height = 1,
                    .samples = 3,
                    .photometric = PHOTOMETRIC_RGB,
                    .unit = RESUNIT_CENTIMETER,
                    .x_per_unit = 20,
                    .y_per_unit = 10};
    const rug_read_options opts = with_planes();
    rug_file *file = must_read(put_tiff(*state, "w", &p, "abcdef"), &opts);
    rug_image plane = rug_file_plane(file, 2);
    assert_near(plane.spacing[0], 1);
    assert_near(plane.spacing[1], 0.5);
    assert_true(test_pixel(&plane, 0, 0, 1) == 'f');
    rug_file_free(file);
}

static void what_does_not_fit(void **state)
{
    scratch *here = *state;
    rug_read_options opts = with_planes();
    const char *path = put_colours(here, "a.tif", 3, 8);
    opts.channel = 1;
    must_fail(path, &opts, RUG_E_ARG, "one of them");
    opts.channel = -1;
    opts.volume = 1;
    must_fail(path, &opts, RUG_E_ARG, "one of them");
}

int main(int argc, char **argv)
{
    (void)argc;
    if (VIPS_INIT(argv[0]) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(options_of_other_sizes), SCRATCH_TEST(bad_arguments),
        SCRATCH_TEST(what_is_no_image),       SCRATCH_TEST(no_permission),
        SCRATCH_TEST(names_decide_nothing),   SCRATCH_TEST(progress_and_cancel),
        SCRATCH_TEST(memory_runs_out),        SCRATCH_TEST(checksum),
        cmocka_unit_test(format_list),        cmocka_unit_test(shared_data),
        SCRATCH_TEST(every_format),           SCRATCH_TEST(lines),
        SCRATCH_TEST(without_colours),        SCRATCH_TEST(spacing_of_planes),
        SCRATCH_TEST(what_does_not_fit),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
