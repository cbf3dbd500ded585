/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* DICOM files that pydicom and GDCM wrote, beside the arrays they were made from. */

#include "support.h"
#include <dirent.h>
#include <math.h>
#include <rugose/io.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static rug_context *ctx;

static const char *path_of(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, RUGOSE_TEST_DATA "/dicom/%s", name);
    return path;
}

static rug_file *read_with(const char *name, const rug_read_options *opts)
{
    rug_file *file;
    rug_status status = rug_file_read(ctx, &file, path_of(name), opts);
    if (status != RUG_OK)
        fail_msg("%s: %s", name, rug_context_error(ctx));
    return file;
}

static void expect_failure(const char *name, const rug_read_options *opts,
                           rug_status expected, const char *text)
{
    rug_file *file;
    assert_int_equal(rug_file_read(ctx, &file, path_of(name), opts), expected);
    assert_null(file);
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("'%s' is not in: %s", text, rug_context_error(ctx));
}

static void expect_near(double is, double expected)
{
    if (!(fabs(is - expected) <= 1e-6))
        fail_msg("%.17g, %.17g expected", is, expected);
}

/* Two files have the same pixels. */
static void expect_same(const char *name, const rug_read_options *opts,
                        const char *expected)
{
    rug_file *a = read_with(name, opts), *b = read_with(expected, NULL);
    const rug_image *p = rug_file_image(a), *q = rug_file_image(b);
    assert_int_equal(p->ndim, q->ndim);
    assert_int_equal(p->dtype, q->dtype);
    for (int i = 0; i < p->ndim; i++)
        assert_int_equal(p->shape[i], q->shape[i]);
    if (memcmp(p->data, q->data, (size_t)rug_file_bytes(b)) != 0)
        fail_msg("%s and %s differ", name, expected);
    rug_file_free(a);
    rug_file_free(b);
}

/* Byte orders, deflate, and every coding that GDCM writes. */
static void codings(void **state)
{
    (void)state;
    static const char *const names[] = {"little",   "implicit", "big",    "deflated",
                                        "inverted", "rle",      "jpegls", "jpeg2000",
                                        "jpeg",     "icon"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s.dcm", names[i]);
        expect_same(name, NULL, "grey.npy");
    }
}

/* Bits above the stored ones are no part of the value; colours become luma. */
static void values(void **state)
{
    (void)state;
    expect_same("signed.dcm", NULL, "signed.npy");
    expect_same("rgb.dcm", NULL, "luma.npy");
    expect_same("palette.dcm", NULL, "palette.npy");
}

/* Pixels of the padding's value hold no data. */
static void padding(void **state)
{
    (void)state;
    rug_file *file = read_with("padded.dcm", NULL);
    const float *v = rug_file_image(file)->data;
    assert_int_equal(rug_file_image(file)->dtype, RUG_F32);
    assert_int_equal(rug_file_get_facts(file)->n_nodata, 4 * 20);
    assert_true(isnan(v[0]) && isnan(v[79]) && !isnan(v[80]));
    rug_file_free(file);
}

/* What has a value from that of the padding to another one, both counted, holds no data. */
static void padding_range(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double nodata, limit;
        int first, n; /* pixels, in the order of the file */
    } cases[] = {{"padded_range.dcm", 4010, 3810, 0, 26},
                 {"padded_white.dcm", 263, 295, 475, 5}};
    for (int i = 0; i < 2; i++) {
        rug_read_options opts = RUG_READ_OPTIONS_INIT;
        rug_file *file = read_with(cases[i].name, NULL);
        const rug_file_facts *facts = rug_file_get_facts(file);
        const float *v = rug_file_image(file)->data;
        expect_near(facts->nodata, cases[i].nodata);
        expect_near(facts->nodata_limit, cases[i].limit);
        assert_int_equal(facts->n_nodata, cases[i].n);
        for (int p = 0; p < 480; p++)
            assert_int_equal(isnan(v[p]) != 0,
                             p >= cases[i].first && p < cases[i].first + cases[i].n);
        rug_file_free(file);
        opts.nodata_as = RUG_NODATA_AS_STORED;
        file = read_with(cases[i].name, &opts);
        assert_int_equal(rug_file_get_facts(file)->n_nodata, cases[i].n);
        const void *stored = rug_file_image(file)->data;
        if (i == 0)
            expect_near(((const float *)stored)[25], -2.0 * (-2000 + 4 * 25) + 10);
        else
            assert_int_equal(((const uint16_t *)stored)[475], 4095 - 8 * 475);
        rug_file_free(file);
        opts.nodata = RUG_NODATA_VALUE;
        opts.nodata_value = cases[i].limit;
        file = read_with(cases[i].name, &opts);
        expect_near(rug_file_get_facts(file)->nodata_limit, cases[i].limit);
        assert_int_equal(rug_file_get_facts(file)->n_nodata, 1);
        rug_file_free(file);
    }
}

/* Slices come in their order in space, whatever the files are called and numbered, and so do frames. */
static void volumes(void **state)
{
    (void)state;
    static const char *const names[] = {"ct", "enhanced.dcm"};
    for (int i = 0; i < 2; i++) {
        expect_same(names[i], NULL, "ct.npy");
        rug_file *file = read_with(names[i], NULL);
        const rug_file_facts *facts = rug_file_get_facts(file);
        const rug_image *image = rug_file_image(file);
        expect_near(image->spacing[0], 2.5);
        expect_near(image->spacing[1], 0.5);
        expect_near(image->spacing[2], 0.75);
        assert_string_equal(image->spacing_unit, "mm");
        assert_string_equal(facts->located_by, "DICOM");
        assert_int_equal(facts->n_files, i == 0 ? 5 : 1);
        expect_near(facts->affine[0][3], 31.5);
        expect_near(facts->affine[1][3], -12.25);
        expect_near(facts->affine[2][3], 40);
        expect_near(facts->affine[2][0], 2.5);
        expect_near(facts->affine[0][2], -0.96 * 0.75);
        expect_near(facts->affine[1][2], -0.28 * 0.75);
        expect_near(facts->affine[0][1], 0.28 * 0.5);
        rug_file_free(file);
    }
}

/* Slabs are the layers of the whole, also backwards to the first one. */
static void slabs(void **state)
{
    (void)state;
    static const char *const names[] = {"ct", "enhanced.dcm", "little.dcm"};
    for (int i = 0; i < 3; i++) {
        rug_file *whole = read_with(names[i], NULL), *file;
        assert_int_equal(rug_file_open(ctx, &file, path_of(names[i]), NULL), RUG_OK);
        const rug_source *source = rug_file_source(file);
        size_t layer = (size_t)rug_file_image(whole)->stride[0];
        assert_int_equal(source->any_order, i == 0); /* a file for each slice */
        for (int pass = 0; pass < 2; pass++)
            for (size_t z = i == 0 ? 2 * (size_t)pass : 0; z < source->shape[0]; z += 2) {
                rug_image slab;
                size_t n = source->shape[0] - z < 2 ? 1 : 2;
                assert_int_equal(source->read(ctx, source->user, &slab, z, n), RUG_OK);
                assert_memory_equal(slab.data,
                                    (const char *)rug_file_image(whole)->data + z * layer,
                                    n * layer);
            }
        rug_file_free(file);
        rug_file_free(whole);
    }
}

/* Frames that lie nowhere are pages, or slices where a volume is asked. */
static void frames(void **state)
{
    (void)state;
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.volume = 1;
    expect_same("frames.dcm", &opts, "frames.npy");
    rug_file *all = read_with("frames.npy", NULL);
    for (int page = 0; page < 5; page++) {
        opts = (rug_read_options)RUG_READ_OPTIONS_INIT;
        opts.page = page;
        rug_file *one = read_with("frames.dcm", &opts);
        assert_int_equal(rug_file_get_facts(one)->n_pages, 5);
        assert_memory_equal(rug_file_image(one)->data,
                            (const char *)rug_file_image(all)->data + page * 480, 480);
        rug_file_free(one);
    }
    rug_file_free(all);
    opts.page = 5;
    expect_failure("frames.dcm", &opts, RUG_E_ARG, "page 5");
}

/* Slices at the same places are volumes of their own. */
static void times(void **state)
{
    (void)state;
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    opts.page = 1;
    rug_file *first = read_with("times", NULL), *second = read_with("times", &opts);
    const int16_t *a = rug_file_image(first)->data, *b = rug_file_image(second)->data;
    assert_int_equal(rug_file_get_facts(first)->n_pages, 2);
    assert_int_equal(rug_file_image(first)->shape[0], 3);
    for (int i = 0; i < 90; i++)
        assert_int_equal(b[i], a[i] + 1);
    rug_file_free(first);
    rug_file_free(second);
}

/* Of several series one is chosen. */
static void series(void **state)
{
    (void)state;
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    expect_failure(
        "two", NULL, RUG_E_ARG,
        "1: CT, 2 files, 'before' (1.2.3.4); 2: CT, 2 files, 'after' (1.2.3.5)");
    opts.series = "3";
    expect_failure("two", &opts, RUG_E_ARG, "there is no series 3");
    expect_failure("little.dcm", &opts, RUG_E_ARG, "series are in folders");
    expect_failure("grey.npy", &opts, RUG_E_ARG, "no folder of DICOM files");
    opts.series = "2";
    rug_file *by_number = read_with("two", &opts);
    opts.series = "1.2.3.5";
    rug_file *by_uid = read_with("two", &opts);
    assert_memory_equal(rug_file_image(by_number)->data, rug_file_image(by_uid)->data,
                        (size_t)rug_file_bytes(by_uid));
    rug_file_free(by_number);
    rug_file_free(by_uid);
    expect_failure("..", NULL, RUG_E_IO, ""); /* a folder of other files */
}

static int n_warnings;

static void take_warning(void *user, const char *text)
{
    (void)user;
    n_warnings++;
    assert_non_null(strstr(text, "2.5 to 5 mm, and 1 of 3 distances are not 2.5 mm"));
}

static void missing_slice(void **state)
{
    (void)state;
    rug_context_set_warn(ctx, take_warning, NULL);
    rug_file *file = read_with("uneven", NULL);
    rug_context_set_warn(ctx, NULL, NULL);
    assert_int_equal(n_warnings, 1);
    expect_near(rug_file_image(file)->spacing[0], 2.5);
    rug_file_free(file);
}

/* Puts bytes into a file of their own. */
static void put(int out, const unsigned char *bytes, size_t n)
{
    assert_int_equal(ftruncate(out, 0), 0);
    assert_int_equal(pwrite(out, bytes, n, 0), (ssize_t)n);
}

/* Whether a file of these bytes is an image, and if so that of padded.dcm. */
static int is_padded(const unsigned char *bytes, size_t n)
{
    char path[] = "/tmp/rugose-dicom-XXXXXX";
    int out = mkstemp(path), answer = 0;
    assert_true(out >= 0);
    put(out, bytes, n);
    assert_int_equal(rug_file_is_image(ctx, &answer, path), RUG_OK);
    rug_file *file = NULL, *padded = read_with("padded.dcm", NULL);
    if (answer) {
        assert_int_equal(rug_file_read(ctx, &file, path, NULL), RUG_OK);
        assert_memory_equal(rug_file_image(file)->data, rug_file_image(padded)->data,
                            (size_t)rug_file_bytes(padded));
    } else
        assert_int_not_equal(rug_file_read(ctx, &file, path, NULL), RUG_OK);
    rug_file_free(file);
    rug_file_free(padded);
    close(out);
    unlink(path);
    return answer;
}

/* Files without the 128 bytes and the magic are DICOM where they begin with its attributes; other bytes
 * that look a little like it are not. */
static void without_magic(void **state)
{
    (void)state;
    enum { META = 218 }; /* bytes of the group 0002 of padded.dcm */
    unsigned char bytes[4096];
    FILE *in = fopen(path_of("padded.dcm"), "rb");
    assert_non_null(in);
    size_t n = fread(bytes, 1, sizeof bytes, in) - 132;
    fclose(in);
    unsigned char *begin = bytes + 132, *set = begin + META;
    assert_int_equal(set[0], 8);
    assert_true(is_padded(begin, n));
    assert_true(is_padded(set, n - META));
    rug_file *bare = read_with("bare_implicit.dcm", NULL);
    assert_string_equal(rug_file_get_facts(bare)->format, "dicom");
    assert_int_equal(rug_file_get_facts(bare)->n_nodata, 4 * 20);
    rug_file_free(bare);
    set[8] = '3'; /* 3.2.840.10008.5.1.4.1.1.2 is no UID of DICOM */
    assert_false(is_padded(set, n - META));
    set[8] = '1';
    set[6]++; /* an odd length */
    assert_false(is_padded(set, n - META));
    set[6]--;
    set[0] = 9; /* another group */
    assert_false(is_padded(set, n - META));
    set[0] = 8;
    assert_false(is_padded(set, 20)); /* cut off in the UID */
}

/* Damages a file in two ways, neither of which may end this process: cut anywhere it is never read;
 * with other bytes it is an image or an error. */
static void damage(const char *name)
{
    char path[] = "/tmp/rugose-dicom-XXXXXX";
    unsigned char bytes[8192];
    FILE *in = fopen(path_of(name), "rb");
    assert_non_null(in);
    size_t n = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    int out = mkstemp(path);
    assert_true(out >= 0);
    rug_file *file = NULL;
    for (size_t length = 133; length < n - 16; length += 61 * TEST_STEP(7)) {
        put(out, bytes, length);
        if (rug_file_read(ctx, &file, path, NULL) == RUG_OK)
            fail_msg("%s was read with %zu of %zu bytes", name, length, n);
    }
    uint64_t random = 1;
    for (int i = 0; i < TEST_CASES(30); i++) {
        size_t at = 132 + (size_t)test_below(&random, n - 132);
        unsigned char was = bytes[at];
        bytes[at] = (unsigned char)test_below(&random, 256);
        put(out, bytes, n);
        if (rug_file_read(ctx, &file, path, NULL) != RUG_OK)
            assert_true(rug_context_error(ctx)[0] != '\0');
        rug_file_free(file);
        bytes[at] = was;
    }
    close(out);
    unlink(path);
}

static void damaged(void **state)
{
    (void)state;
    static const char *const names[] = {"little.dcm",   "jpeg.dcm", "jpegls.dcm",
                                        "jpeg2000.dcm", "rle.dcm",  "enhanced.dcm"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        damage(names[i]);
}

/* Kills the processes that this one has started. @return how many */
static int kill_children(void)
{
    int n = 0;
    DIR *processes = opendir("/proc");
    assert_non_null(processes);
    for (struct dirent *entry; (entry = readdir(processes)) != NULL;) {
        char path[300];
        int pid = 0, parent = 0;
        snprintf(path, sizeof path, "/proc/%.32s/stat", entry->d_name);
        FILE *in = fopen(path, "r");
        if (in == NULL)
            continue;
        if (fscanf(in, "%d (rugose-dicom) %*c %d", &pid, &parent) == 2 &&
            parent == getpid())
            n += kill(pid, SIGKILL) == 0;
        fclose(in);
    }
    closedir(processes);
    return n;
}

/* A process that has ended while nobody asked it is no fault of the next file. */
static void killed(void **state)
{
    (void)state;
    expect_same("little.dcm", NULL, "grey.npy");
    assert_true(kill_children() > 0);
    expect_same("little.dcm", NULL, "grey.npy");
}

static int set_up(void **state)
{
    (void)state;
    return rug_context_new(&ctx) == RUG_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    rug_context_free(ctx);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codings),       cmocka_unit_test(values),
        cmocka_unit_test(padding),       cmocka_unit_test(volumes),
        cmocka_unit_test(slabs),         cmocka_unit_test(frames),
        cmocka_unit_test(times),         cmocka_unit_test(series),
        cmocka_unit_test(missing_slice), cmocka_unit_test(damaged),
        cmocka_unit_test(killed),        cmocka_unit_test(padding_range),
        cmocka_unit_test(without_magic),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
