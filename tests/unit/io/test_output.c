/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Output files: whole or not there, whatever stands under the name already. A fault in
 * the code under test may replace what it is pointed at, and root may replace anything:
 * no test points it at a name in /dev that is not root's own copy of the device. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/base/disk.h"
#include "io_scratch.h"
#include "tables/report.h"

#include <fcntl.h>
#include <rugose/context.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/sysmacros.h>

/* A context for the error texts, made anew for each failure that is looked at. */
static void assert_fails(rug_status (*action)(rug_context *, const char *),
                         const char *path, rug_status status, const char *text)
{
    rug_context *ctx;

    assert_int_equal(rug_context_new(&ctx), RUG_OK);
    assert_int_equal(action(ctx, path), status);
    if (strstr(rug_context_error(ctx), text) == NULL)
        fail_msg("\"%s\" is not part of the error text: %s", text,
                 rug_context_error(ctx));
    rug_context_free(ctx);
}

static rug_status write_new(rug_context *ctx, const char *path)
{
    rugi_output *output = NULL;
    rug_status status = rugi_output_open(ctx, &output, path);

    if (status != RUG_OK) {
        assert_null(output);
        return status;
    }
    fputs("new\n", rugi_output_stream(output));
    return rugi_output_commit(ctx, output);
}

static mode_t permissions(const char *path)
{
    struct stat facts;

    assert_int_equal(lstat(path, &facts), 0);
    return facts.st_mode & 0777;
}

static void appears_at_the_end(void **state)
{
    rugi_output *output;
    const char *path = scratch_path(*state, "out");
    mode_t mask = umask(027);

    assert_int_equal(rugi_output_open(NULL, &output, path), RUG_OK);
    fputs("new\n", rugi_output_stream(output));
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(rugi_output_commit(NULL, output), RUG_OK);
    umask(mask);
    assert_int_equal(permissions(path), 0640);
    assert_file_holds(*state, "out", "new\n");
    assert_int_equal(scratch_count(*state), 1);
}

static void discard_kernels_nothing(void **state)
{
    rugi_output *output;

    scratch_write(*state, "out", "old\n");
    assert_int_equal(rugi_output_open(NULL, &output, scratch_path(*state, "out")),
                     RUG_OK);
    fputs("new\n", rugi_output_stream(output));
    rugi_output_discard(output);
    assert_file_holds(*state, "out", "old\n");
    assert_int_equal(scratch_count(*state), 1);
    rugi_output_discard(NULL);
}

static void replaces_and_keeps_permissions(void **state)
{
    const char *path;

    scratch_write(*state, "out", "old\n");
    path = scratch_path(*state, "out");
    assert_int_equal(chmod(path, 0604), 0);
    assert_int_equal(write_new(NULL, path), RUG_OK);
    assert_int_equal(permissions(path), 0604);
    assert_file_holds(*state, "out", "new\n");
    assert_int_equal(scratch_count(*state), 1);
}

static void two_at_once_in_one_folder(void **state)
{
    rugi_output *a, *b;

    assert_int_equal(rugi_output_open(NULL, &a, scratch_path(*state, "a")), RUG_OK);
    assert_int_equal(rugi_output_open(NULL, &b, scratch_path(*state, "b")), RUG_OK);
    fputs("A", rugi_output_stream(a));
    fputs("B", rugi_output_stream(b));
    assert_int_equal(rugi_output_commit(NULL, b), RUG_OK);
    assert_int_equal(rugi_output_commit(NULL, a), RUG_OK);
    assert_file_holds(*state, "a", "A");
    assert_file_holds(*state, "b", "B");
    assert_int_equal(scratch_count(*state), 2);
}

/* `relative` leads to `absolute`, which leads to the file. */
static void links_stay_links(void **state)
{
    char absolute[SCRATCH_PATH_MAX], relative[SCRATCH_PATH_MAX];
    struct stat facts;

    strcpy(absolute, scratch_path(*state, "absolute"));
    strcpy(relative, scratch_path(*state, "relative"));
    assert_int_equal(symlink("absolute", relative), 0);
    assert_int_equal(symlink(scratch_path(*state, "out"), absolute), 0);
    for (int i = 0; i < 2;
         i++) { /* the file is not there at first, then it is replaced */
        assert_int_equal(write_new(NULL, relative), RUG_OK);
        assert_file_holds(*state, "out", "new\n");
        assert_int_equal(lstat(relative, &facts), 0);
        assert_true(S_ISLNK(facts.st_mode));
        assert_int_equal(lstat(absolute, &facts), 0);
        assert_true(S_ISLNK(facts.st_mode));
        assert_int_equal(scratch_count(*state), 3);
        scratch_write(*state, "out", "old\n");
    }
}

static void links_in_a_circle(void **state)
{
    const char *path = scratch_path(*state, "loop");

    assert_int_equal(symlink("loop", path), 0);
    assert_fails(write_new, path, RUG_E_IO, "loop: Too many levels of symbolic links");
    assert_int_equal(scratch_count(*state), 1);
}

static void relative_names(void **state)
{
    scratch *here = *state;
    char before[4096];

    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(here->folder), 0);
    assert_int_equal(write_new(NULL, "out"), RUG_OK);
    assert_int_equal(chdir(before), 0);
    assert_file_holds(here, "out", "new\n");
    assert_int_equal(scratch_count(here), 1);
}

static void pipes_are_written_directly(void **state)
{
    const char *path = scratch_path(*state, "pipe");
    char text[16] = "";
    int reader;

    assert_int_equal(mkfifo(path, 0600), 0);
    reader = open(path, O_RDWR | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_int_equal(write_new(NULL, path), RUG_OK);
    assert_int_equal(read(reader, text, sizeof text), 4);
    assert_string_equal(text, "new\n");
    close(reader);
    assert_int_equal(scratch_count(*state), 1);
}

/* Runs an action while standard output is a file, which it appends to. */
static rug_status redirected(const char *to,
                             rug_status (*action)(rug_context *, const char *),
                             rug_context *ctx, const char *path)
{
    int saved, file;
    rug_status status;

    fflush(stdout);
    saved = dup(STDOUT_FILENO);
    file = open(to, O_WRONLY | O_CREAT | O_APPEND, 0600);
    assert_true(saved >= 0 && file >= 0);
    dup2(file, STDOUT_FILENO);
    status = action(ctx, path);
    clearerr(stdout);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    close(file);
    return status;
}

/* `rugose ... -o /dev/stdout >> file` must not put another file in the place of `file`.
 * The link is what /dev/stdout is. */
static void standard_output_by_name(void **state)
{
    char file[SCRATCH_PATH_MAX], link[SCRATCH_PATH_MAX];

    scratch_write(*state, "file", "head\n");
    strcpy(file, scratch_path(*state, "file"));
    strcpy(link, scratch_path(*state, "stdout"));
    assert_int_equal(symlink("/proc/self/fd/1", link), 0);
    assert_int_equal(redirected(file, write_new, NULL, link), RUG_OK);
    assert_file_holds(*state, "file", "head\nnew\n");
    assert_int_equal(redirected(file, write_new, NULL, "/dev/fd/1"), RUG_OK);
    assert_file_holds(*state, "file", "head\nnew\nnew\n");
    assert_int_equal(scratch_count(*state), 2);
}

static rug_status write_report(rug_context *ctx, const char *path)
{
    static const char *const columns[] = {"a", NULL};
    cli_report *report = cli_report_new(columns);
    rug_status status = cli_report_write(ctx, report, path, CLI_REPORT_CSV);

    cli_report_free(report);
    return status;
}

static rug_status write_report_to(rug_context *ctx, const char *device)
{
    return redirected(device, write_report, ctx, NULL);
}

static void reports_on_standard_output(void **state)
{
    const char *path = scratch_path(*state, "file");

    assert_int_equal(redirected(path, write_report, NULL, NULL), RUG_OK);
    assert_file_holds(*state, "file", "a\n");
}

/* A memory device of Linux under its name in /dev; for root a copy in the folder. Says so
 * and skips the test where neither is to be had. */
static void find_device(char path[SCRATCH_PATH_MAX], scratch *here, const char *name,
                        unsigned minor_number)
{
    int file;

    snprintf(path, SCRATCH_PATH_MAX, "/dev/%s", name);
    if (geteuid() == 0) {
        strcpy(path, scratch_path(here, name));
        mknod(path, S_IFCHR | 0666, makedev(1, minor_number));
    }
    file = open(path, O_WRONLY);
    if (file < 0) {
        print_message("SKIPPED: there is no device %s\n", path);
        skip();
    }
    close(file);
}

static void full_devices(void **state)
{
    char path[SCRATCH_PATH_MAX];

    find_device(path, *state, "full", 7);
    assert_fails(write_new, path, RUG_E_IO, "/full: No space left on device");
    assert_fails(write_report, path, RUG_E_IO, "/full: No space left on device");
    assert_fails(write_report_to, path, RUG_E_IO, "cannot write standard output");
}

static void devices_stay_devices(void **state)
{
    char path[SCRATCH_PATH_MAX];
    struct stat facts;

    find_device(path, *state, "null", 3);
    assert_int_equal(write_new(NULL, path), RUG_OK);
    assert_int_equal(stat(path, &facts), 0);
    assert_true(S_ISCHR(facts.st_mode));
}

/* Writes more than the limit on file sizes allows.
 * @param lift_first  whether the limit is gone at the commit, which then finds only the
 * traces */
static rug_status write_beyond_limit(rug_context *ctx, const char *path, int lift_first)
{
    struct rlimit before, limit;
    rugi_output *output;
    rug_status status;

    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 1000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(rugi_output_open(ctx, &output, path), RUG_OK);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    for (int i = 0; i < 100000; i++)
        fputc('x', rugi_output_stream(output));
    if (lift_first)
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    status = rugi_output_commit(ctx, output);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    return status;
}

static rug_status write_too_much(rug_context *ctx, const char *path)
{
    return write_beyond_limit(ctx, path, 0);
}

static rug_status write_too_much_early(rug_context *ctx, const char *path)
{
    return write_beyond_limit(ctx, path, 1);
}

static void failed_writes_leave_nothing(void **state)
{
    assert_fails(write_too_much, scratch_path(*state, "out"), RUG_E_IO,
                 "/out: File too large");
    assert_int_equal(scratch_count(*state), 0);
    assert_fails(write_too_much_early, scratch_path(*state, "out"), RUG_E_IO,
                 "/out: Input/output error");
    assert_int_equal(scratch_count(*state), 0);
    scratch_write(*state, "out", "old\n");
    assert_fails(write_too_much, scratch_path(*state, "out"), RUG_E_IO,
                 "/out: File too large");
    assert_file_holds(*state, "out", "old\n");
    assert_int_equal(scratch_count(*state), 1);
}

static rug_status write_while_the_name_becomes_a_folder(rug_context *ctx,
                                                        const char *path)
{
    rugi_output *output;

    assert_int_equal(rugi_output_open(ctx, &output, path), RUG_OK);
    assert_int_equal(mkdir(path, 0700), 0);
    return rugi_output_commit(ctx, output);
}

static void failed_renames_leave_nothing(void **state)
{
    assert_fails(write_while_the_name_becomes_a_folder, scratch_path(*state, "out"),
                 RUG_E_IO, "/out: Is a directory");
    assert_int_equal(scratch_count(*state), 1);
}

static void names_that_cannot_be(void **state)
{
    scratch *here = *state;

    assert_fails(write_new, NULL, RUG_E_ARG, "no name");
    assert_fails(write_new, "", RUG_E_ARG, "no name");
    assert_fails(write_new, here->folder, RUG_E_IO, "Is a directory");
    assert_fails(write_new, scratch_path(here, "no/out"), RUG_E_IO,
                 "/no/out: No such file or directory");
    assert_int_equal(scratch_count(here), 0);
}

static void protected_files_stay(void **state)
{
    const char *path;

    if (geteuid() == 0) {
        print_message("SKIPPED: root may write everything\n");
        skip();
    }
    scratch_write(*state, "out", "old\n");
    path = scratch_path(*state, "out");
    assert_int_equal(chmod(path, 0400), 0);
    assert_fails(write_new, path, RUG_E_IO, "/out: Permission denied");
    assert_file_holds(*state, "out", "old\n");
    assert_int_equal(scratch_count(*state), 1);
}

#define WITH_SCRATCH(test) \
    cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(appears_at_the_end),
        WITH_SCRATCH(discard_kernels_nothing),
        WITH_SCRATCH(replaces_and_keeps_permissions),
        WITH_SCRATCH(two_at_once_in_one_folder),
        WITH_SCRATCH(links_stay_links),
        WITH_SCRATCH(links_in_a_circle),
        WITH_SCRATCH(relative_names),
        WITH_SCRATCH(pipes_are_written_directly),
        WITH_SCRATCH(standard_output_by_name),
        WITH_SCRATCH(reports_on_standard_output),
        WITH_SCRATCH(full_devices),
        WITH_SCRATCH(devices_stay_devices),
        WITH_SCRATCH(failed_writes_leave_nothing),
        WITH_SCRATCH(failed_renames_leave_nothing),
        WITH_SCRATCH(names_that_cannot_be),
        WITH_SCRATCH(protected_files_stay),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
