/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Compiled programs on disk: kept, found again, and made anew when they are not whole. */

#define _XOPEN_SOURCE 700

#include "support.h"

#include "io_scratch.h"
#include "memory_support.h"
#include "ocl/device/ocl_cache.h"
#include "ocl/ocl.h"
#include "ocl_support.h"
#include <inttypes.h>

extern const rugi_ocl_source rugi_cl_ocl_probe;

static const rugi_ocl_source *const probe[] = {&rugi_cl_ocl_probe};
static const uint64_t key[2] = {1, 0xfedcba9876543210};
static const char name_of_key[] = "0000000000000001fedcba9876543210.cl-program";

#define SCRATCH_TEST(f) \
    cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_teardown)

/* Known values of FNV-1a with 64 bits, from its authors' test suite. */
static void known_hashes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t hash;
    } known[] = {{"", 0xcbf29ce484222325},
                 {"a", 0xaf63dc4c8601ec8c},
                 {"foobar", 0x85944171f73967e8}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        uint64_t hash[2] = RUGI_HASH_INIT;
        rugi_hash_add(hash, known[i].text, strlen(known[i].text));
        assert_int_equal(hash[0], known[i].hash);
        assert_int_not_equal(hash[1], hash[0]);
    }
}

/* Whether the folder gives back these bytes, or, for NULL, nothing. */
static void assert_kept(rug_context *ctx, const char *folder, const char *bytes)
{
    unsigned char *found;
    size_t n;
    assert_int_equal(rugi_cache_read(ctx, &found, &n, folder, key), RUG_OK);
    if (bytes == NULL) {
        assert_null(found);
        assert_int_equal(n, 0);
        return;
    }
    assert_non_null(found);
    assert_int_equal(n, strlen(bytes));
    assert_memory_equal(found, bytes, n);
    rug_context_release(ctx, found);
}

static void keep(const char *folder, const char *bytes)
{
    rugi_cache_write(folder, key, (const unsigned char *)bytes, strlen(bytes));
}

static void kept_and_replaced(void **state)
{
    scratch *here = *state;
    rug_context *ctx = test_context();
    char deep[SCRATCH_PATH_MAX + 16];
    snprintf(deep, sizeof deep, "%s/a/b", here->folder);
    assert_kept(ctx, deep, NULL);
    keep(deep, "first");
    assert_kept(ctx, deep, "first");
    keep(deep, "the second");
    assert_kept(ctx, deep, "the second");
    memcpy(here->folder, deep, sizeof here->folder);
    assert_int_equal(scratch_count(here), 1); /* no temporary file is left */
    *strstr(here->folder, "/a/b") = '\0';
    rug_context_free(ctx);
}

static void other_files_are_not_taken(void **state)
{
    scratch *here = *state;
    rug_context *ctx = test_context();
    keep(here->folder, "program");
    size_t n_bytes;
    char *whole = scratch_read(here, name_of_key, &n_bytes);
    for (size_t i = 0; i < n_bytes;
         i++) { /* any byte damaged; magic, key, size, hash too */
        FILE *file = fopen(scratch_path(here, name_of_key), "wb");
        assert_non_null(file);
        whole[i] ^= 0x10;
        assert_int_equal(fwrite(whole, 1, n_bytes, file), n_bytes);
        whole[i] ^= 0x10;
        fclose(file);
        assert_kept(ctx, here->folder, NULL);
    }
    for (size_t n = 0; n <= n_bytes + 1; n++) { /* cut off, and one too long */
        FILE *file = fopen(scratch_path(here, name_of_key), "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(whole, 1, n, file), n); /* scratch_read() adds a 0 */
        fclose(file);
        assert_kept(ctx, here->folder, n == n_bytes ? "program" : NULL);
    }
    free(whole);
    rug_context_free(ctx);
}

/* A pipe does not block, a folder is no file, a folder that is a file is not written. */
static void strange_places(void **state)
{
    scratch *here = *state;
    rug_context *ctx = test_context();
    assert_kept(ctx, NULL, NULL);
    keep(NULL, "x");
    scratch_path(here, name_of_key);
    assert_int_equal(mkfifo(here->path, 0600), 0);
    assert_kept(ctx, here->folder, NULL);
    keep(here->folder, "over the pipe");
    assert_kept(ctx, here->folder, "over the pipe");
    assert_int_equal(remove(scratch_path(here, name_of_key)), 0);
    assert_int_equal(mkdir(here->path, 0700), 0);
    keep(here->folder, "x");
    assert_kept(ctx, here->folder, NULL);
    assert_int_equal(scratch_count(here), 1);
    scratch_write(here, "file", "text");
    char folder[SCRATCH_PATH_MAX];
    snprintf(folder, sizeof folder, "%s", scratch_path(here, "file"));
    keep(folder, "x");
    assert_kept(ctx, folder, NULL);
    assert_file_holds(here, "file", "text");
    static char longest[RUGI_CACHE_PATH_MAX + 10];
    memset(longest, 'x', sizeof longest - 1);
    keep(longest, "x");
    assert_kept(ctx, longest, NULL);
    rug_context_free(ctx);
}

static void reading_without_memory(void **state)
{
    scratch *here = *state;
    rug_context *ctx = test_context();
    memory m = {.fail_at = 1};
    unsigned char *found;
    size_t n;
    keep(here->folder, "program");
    memory_hook(ctx, &m);
    assert_int_equal(rugi_cache_read(ctx, &found, &n, here->folder, key), RUG_E_NOMEM);
    assert_null(found);
    assert_kept(ctx, here->folder, "program");
    assert_int_equal(m.n_live, 0);
    rug_context_free(ctx);
}

/* 0 * FACTOR + 5 and 1 * FACTOR + 5, by a fresh context whose cache is the folder.
 * @return FACTOR as the kernel has it */
static uint32_t factor_of(const char *folder, const char *options)
{
    rug_context *ctx = ocl_context();
    rugi_ocl *device;
    rugi_ocl_kernel *kernel;
    rugi_ocl_buffer *from, *to;
    rugi_ocl_build build = {.sources = probe, .n_sources = 1, .options = options};
    const uint32_t in[2] = {0, 1}, add = 5;
    uint32_t out[2] = {0, 0};
    const size_t global = 2, local = 1;
    assert_int_equal(rug_context_set_cache_folder(ctx, folder), RUG_OK);
    assert_int_equal(rugi_ocl_open(ctx, &device), RUG_OK);
    assert_int_equal(rugi_ocl_kernel_get(ctx, device, &kernel, &build, "scale"), RUG_OK);
    assert_int_equal(rugi_ocl_buffer_new(ctx, device, &from, 2, 4, RUGI_OCL_READ, "in"),
                     RUG_OK);
    assert_int_equal(rugi_ocl_buffer_new(ctx, device, &to, 2, 4, RUGI_OCL_WRITE, "out"),
                     RUG_OK);
    assert_int_equal(rugi_ocl_write(ctx, device, from, 0, in, sizeof in), RUG_OK);
    rugi_ocl_arg args[] = {rugi_ocl_arg_buffer(from), rugi_ocl_arg_buffer(to),
                           RUGI_OCL_ARG(add), rugi_ocl_arg_local(4)};
    assert_int_equal(rugi_ocl_run(ctx, device, kernel, args, 4, 1, &global, &local),
                     RUG_OK);
    assert_int_equal(rugi_ocl_read(ctx, device, to, 0, out, sizeof out), RUG_OK);
    rugi_ocl_buffer_free(device, from);
    rugi_ocl_buffer_free(device, to);
    rug_context_free(ctx);
    assert_int_equal(out[0], 5);
    return out[1] - 5;
}

/* The name of the one program in the folder that is not `but`. */
static void find_program(const scratch *here, char name[256], const char *but)
{
    DIR *folder = opendir(here->folder);
    assert_non_null(folder);
    name[0] = '\0';
    for (struct dirent *e = readdir(folder); e != NULL; e = readdir(folder))
        if (strstr(e->d_name, ".cl-program") != NULL &&
            (but == NULL || strcmp(e->d_name, but) != 0))
            snprintf(name, 256, "%s", e->d_name);
    closedir(folder);
    assert_true(name[0] != '\0');
}

static void key_of_name(uint64_t out[2], const char *name)
{
    assert_int_equal(sscanf(name, "%16" SCNx64 "%16" SCNx64, &out[0], &out[1]), 2);
}

/* A program that is put under the key of another one is what runs: so the cache is used. */
static void programs_come_from_the_cache(void **state)
{
    scratch *here = *state;
    rug_context *ctx = ocl_context();
    char three[256], seven[256];
    uint64_t key_three[2], key_seven[2];
    unsigned char *bytes;
    size_t n;
    assert_int_equal(factor_of(here->folder, "-DFACTOR=3"), 3);
    find_program(here, three, NULL);
    assert_int_equal(factor_of(here->folder, "-DFACTOR=7"), 7);
    find_program(here, seven, three);
    assert_int_equal(scratch_count(here), 2);
    key_of_name(key_three, three);
    key_of_name(key_seven, seven);
    assert_int_equal(rugi_cache_read(ctx, &bytes, &n, here->folder, key_three), RUG_OK);
    assert_non_null(bytes);
    rugi_cache_write(here->folder, key_seven, bytes, n);
    rug_context_release(ctx, bytes);
    assert_int_equal(factor_of(here->folder, "-DFACTOR=7"), 3);
    assert_int_equal(factor_of(NULL, "-DFACTOR=7"), 7);
    rug_context_free(ctx);
}

/* Damaged, and whole but no program of this driver: both are compiled again and replaced. */
static void bad_programs_are_rebuilt(void **state)
{
    scratch *here = *state;
    rug_context *ctx = ocl_context();
    char name[256];
    uint64_t its_key[2];
    unsigned char *bytes;
    size_t n;
    assert_int_equal(factor_of(here->folder, "-DFACTOR=3"), 3);
    find_program(here, name, NULL);
    key_of_name(its_key, name);
    scratch_write(here, name, "rubbish");
    assert_int_equal(factor_of(here->folder, "-DFACTOR=3"), 3);
    assert_int_equal(rugi_cache_read(ctx, &bytes, &n, here->folder, its_key), RUG_OK);
    assert_non_null(bytes);
    size_t n_program = n;
    rug_context_release(ctx, bytes);
    static const unsigned char foreign[] = "this is no program of any driver at all";
    rugi_cache_write(here->folder, its_key, foreign, sizeof foreign);
    assert_int_equal(factor_of(here->folder, "-DFACTOR=3"), 3);
    assert_int_equal(rugi_cache_read(ctx, &bytes, &n, here->folder, its_key), RUG_OK);
    assert_non_null(bytes);
    assert_true(n > sizeof foreign && n >= n_program / 2);
    rug_context_release(ctx, bytes);
    assert_int_equal(scratch_count(here), 1);
    rug_context_free(ctx);
}

static void the_folder_of_a_context(void **state)
{
    (void)state;
    rug_context *ctx = test_context();
    memory m = {0};
    memory_hook(ctx, &m);
    assert_int_equal(rug_context_set_cache_folder(NULL, "/x"), RUG_E_ARG);
    assert_int_equal(rug_context_set_cache_folder(ctx, "/x"), RUG_OK);
    assert_int_equal(rug_context_set_cache_folder(ctx, "/y"), RUG_OK);
    assert_int_equal(m.n_live, 1);
    assert_int_equal(rug_context_set_cache_folder(ctx, NULL), RUG_OK);
    assert_int_equal(m.n_live, 0);
    assert_int_equal(rug_context_set_cache_folder(ctx, "/x"), RUG_OK);
    m.fail_at = m.n_calls + 1;
    assert_int_equal(rug_context_set_cache_folder(ctx, "/y"), RUG_E_NOMEM);
    assert_string_equal(ctx->cache_folder, "/x"); /* as before */
    rug_context_free(ctx);
    assert_int_equal(m.n_live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_hashes),
        SCRATCH_TEST(kept_and_replaced),
        SCRATCH_TEST(other_files_are_not_taken),
        SCRATCH_TEST(strange_places),
        SCRATCH_TEST(reading_without_memory),
        SCRATCH_TEST(programs_come_from_the_cache),
        SCRATCH_TEST(bad_programs_are_rebuilt),
        cmocka_unit_test(the_folder_of_a_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
