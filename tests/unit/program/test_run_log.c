/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Tables that are written as their rows come, and the log that lets a run go on: from every cut of
 * each of the files, and from damage. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"
#include "tables/run_log.h"

#define N_INPUTS 5

/* Rows of each input: none of one that failed. */
static const int n_rows[N_INPUTS] = {1, 0, 3, 1, 2};

static const char *const columns[] = {"image", "row", NULL};

/* What a run writes, and what was there before it ended. */
typedef struct files {
    char *csv, *json, *csv_part, *json_part, *log;
} files;

static cli_record *identity_of(const char *foreground)
{
    cli_record *identity = cli_record_new(), *options = cli_record_new();
    cli_record_set_text(options, "foreground", foreground);
    cli_record_set_text(identity, "version", "0.2.0");
    cli_record_set_text(identity, "command", "boxcount");
    cli_record_set_record(identity, "options", options);
    for (int i = 0; i < N_INPUTS; i++) {
        cli_record *input = cli_record_new();
        cli_record_set_integer(input, "image", (uint64_t)i);
        cli_record_append(identity, "inputs", input);
    }
    return identity;
}

static void add_rows(cli_report *report, int input)
{
    for (int i = 0; i < n_rows[input]; i++) {
        cli_record *row = cli_record_new();
        cli_record_set_text(row, "image", input == 2 ? "a,\nb" : "c");
        cli_record_set_integer(row, "row", (uint64_t)(10 * input + i));
        cli_report_add(report, row);
    }
}

static void do_input(rug_context *ctx, cli_log *log, const cli_record *identity,
                     cli_report *const reports[2], int input)
{
    char failure[] = "input 1 failed";
    char *failures[] = {failure};
    for (int t = 0; t < 2; t++) {
        add_rows(reports[t], input);
        assert_int_equal(cli_report_flush(ctx, reports[t], 0), RUG_OK);
        assert_int_equal(cli_report_rows(reports[t]), 0);
        log->marks[t] = cli_report_written(reports[t])->mark;
    }
    log->n_inputs = (size_t)input + 1;
    assert_int_equal(cli_log_add(ctx, log, identity, failures, input == 1), RUG_OK);
}

/* Runs until all inputs are done. @return how many were done already */
static int run(scratch *here, int resume, int is_ended)
{
    static const char *const names[] = {"a.csv", "a.json"};
    rug_context *ctx;
    char paths[2][SCRATCH_PATH_MAX];
    cli_report *reports[2];
    cli_log log = {.n_tables = 2};
    cli_record *identity = identity_of("auto");
    assert_int_equal(rug_context_new(&ctx), RUG_OK);
    for (int t = 0; t < 2; t++) {
        snprintf(paths[t], sizeof paths[t], "%s", scratch_path(here, names[t]));
        log.tables[t] = paths[t];
    }
    if (resume)
        assert_int_equal(cli_log_read(ctx, &log, identity), RUG_OK);
    for (int t = 0; t < 2; t++) {
        reports[t] = cli_report_new(columns);
        cli_record_set_text(cli_report_head(reports[t]), "program", "rugose");
        assert_int_equal(cli_report_open(ctx, reports[t], paths[t],
                                         t == 0 ? CLI_REPORT_CSV : CLI_REPORT_JSON,
                                         log.is_found ? &log.marks[t] : NULL),
                         RUG_OK);
        log.marks[t] = cli_report_written(reports[t])->mark;
    }
    assert_int_equal(cli_log_add(ctx, &log, identity, NULL, 0), RUG_OK);
    int n_done = (int)log.n_inputs;
    assert_int_equal(log.failures.n, n_done > 1);
    for (int i = n_done; i < N_INPUTS; i++)
        do_input(ctx, &log, identity, reports, i);
    for (int t = 0; t < 2; t++) {
        if (is_ended)
            assert_int_equal(cli_report_flush(ctx, reports[t], 1), RUG_OK);
        cli_report_free(reports[t]);
    }
    cli_log_end(&log, is_ended);
    cli_record_free(identity);
    rug_context_free(ctx);
    return n_done;
}

/* What a run leaves before it ends, and when it has ended. */
static void make_files(scratch *here, files *f)
{
    assert_int_equal(run(here, 0, 0), 0);
    f->csv_part = scratch_read(here, "a.csv.part", NULL);
    f->json_part = scratch_read(here, "a.json.part", NULL);
    f->log = scratch_read(here, "a.csv.part.log", NULL);
    assert_int_equal(run(here, 0, 1), 0);
    f->csv = scratch_read(here, "a.csv", NULL);
    f->json = scratch_read(here, "a.json", NULL);
    assert_int_equal(scratch_count(here), 2);
}

static void free_files(files *f)
{
    free(f->csv);
    free(f->json);
    free(f->csv_part);
    free(f->json_part);
    free(f->log);
}

/* A new file, as some systems wait for the disk where one is replaced. */
static void put(scratch *here, const char *name, const char *text)
{
    unlink(scratch_path(here, name));
    scratch_write(here, name, text);
}

static void restore(scratch *here, const files *f)
{
    put(here, "a.csv.part", f->csv_part);
    put(here, "a.json.part", f->json_part);
    put(here, "a.csv.part.log", f->log);
}

static void assert_parts(scratch *here, const files *f)
{
    assert_file_holds(here, "a.csv.part", f->csv_part);
    assert_file_holds(here, "a.json.part", f->json_part);
    assert_file_holds(here, "a.csv.part.log", f->log);
}

static void rows_stand_as_they_come(void **state)
{
    files f;
    make_files(*state, &f);
    assert_string_equal(f.csv,
                        "image,row\nc,0\n\"a,\nb\",20\n\"a,\nb\",21\n\"a,\nb\",22\n"
                        "c,30\nc,40\nc,41\n");
    assert_string_equal(f.csv_part, f.csv);
    assert_memory_equal(f.json, f.json_part, strlen(f.json_part));
    assert_string_equal(f.json + strlen(f.json_part), "\n  ]\n}\n");
    free_files(&f);
}

static void cut_each(scratch *here, const files *f, const char *name, const char *text)
{
    int least = N_INPUTS;
    for (size_t at = strlen(text); at + 1 > 0; at--) {
        restore(here, f);
        assert_int_equal(truncate(scratch_path(here, name), (off_t)at), 0);
        int n_done = run(here, 1, at % 256 == 0);
        assert_true(n_done <= least);
        least = n_done;
        if (at % 256 != 0) {
            assert_parts(here, f);
            continue;
        }
        assert_file_holds(here, "a.csv", f->csv);
        assert_file_holds(here, "a.json", f->json);
        assert_int_equal(scratch_count(here), 2);
    }
    assert_int_equal(least, 0);
}

static void goes_on_from_each_cut(void **state)
{
    files f;
    make_files(*state, &f);
    cut_each(*state, &f, "a.csv.part", f.csv_part);
    cut_each(*state, &f, "a.json.part", f.json_part);
    cut_each(*state, &f, "a.csv.part.log", f.log);
    free_files(&f);
}

/* What belongs to no finished input goes away; a changed byte ends what counts. */
static void goes_on_from_damage(void **state)
{
    files f;
    make_files(*state, &f);
    restore(*state, &f);
    FILE *part = fopen(scratch_path(*state, "a.csv.part"), "ab");
    fputs("half a row,", part);
    fclose(part);
    assert_int_equal(run(*state, 1, 0), N_INPUTS);
    assert_parts(*state, &f);

    for (size_t at = 0; f.csv_part[at] != '\0'; at++) {
        char was = f.csv_part[at];
        f.csv_part[at] = 'x';
        restore(*state, &f);
        f.csv_part[at] = was;
        assert_true(run(*state, 1, 0) < N_INPUTS);
        assert_parts(*state, &f);
    }
    free_files(&f);
}

/* A run that was killed when one of its tables had its name. */
static void goes_on_with_names(void **state)
{
    files f;
    make_files(*state, &f);
    scratch_write(*state, "a.csv.part", f.csv);
    scratch_write(*state, "a.csv.part.log", f.log);
    assert_int_equal(run(*state, 1, 1), N_INPUTS);
    assert_file_holds(*state, "a.csv", f.csv);
    assert_file_holds(*state, "a.json", f.json);
    assert_int_equal(scratch_count(*state), 2);
    free_files(&f);
}

static void refuses_another_run(void **state)
{
    files f;
    rug_context *ctx;
    char path[SCRATCH_PATH_MAX], other[SCRATCH_PATH_MAX];
    make_files(*state, &f);
    restore(*state, &f);
    snprintf(path, sizeof path, "%s", scratch_path(*state, "a.csv"));
    snprintf(other, sizeof other, "%s", scratch_path(*state, "a.json"));
    assert_int_equal(rug_context_new(&ctx), RUG_OK);
    cli_log log = {.tables = {path, other}, .n_tables = 2};
    cli_record *identity = identity_of("above=3");
    assert_int_equal(cli_log_read(ctx, &log, identity), RUG_E_ARG);
    assert_non_null(strstr(rug_context_error(ctx),
                           "--foreground was \"auto\" and is \"above=3\" now"));
    cli_log_end(&log, 0);
    cli_record_free(identity);
    rug_context_free(ctx);
    assert_parts(*state, &f);
    free_files(&f);
}

/* A failed write leaves whole inputs, and is told once. */
static void keeps_whole_inputs(void **state)
{
    rug_context *ctx;
    char path[SCRATCH_PATH_MAX];
    cli_report *report = cli_report_new(columns);
    snprintf(path, sizeof path, "%s", scratch_path(*state, "a.csv"));
    assert_int_equal(rug_context_new(&ctx), RUG_OK);
    assert_int_equal(cli_report_open(ctx, report, path, CLI_REPORT_CSV, NULL), RUG_OK);
    add_rows(report, 0);
    assert_int_equal(cli_report_flush(ctx, report, 0), RUG_OK);
    cli_report_add(report, NULL);
    assert_int_equal(cli_report_flush(ctx, report, 0), RUG_E_NOMEM);
    assert_true(cli_report_written(report)->is_lost);
    assert_int_equal(cli_report_flush(ctx, report, 0), RUG_OK);
    cli_report_free(report);
    assert_file_holds(*state, "a.csv.part", "image,row\nc,0\n");
    assert_int_equal(scratch_count(*state), 1);
    rug_context_free(ctx);
}

/* Warnings belong to the rows of their image. */
static void warnings_of_images(void **state)
{
    cli_report *report = cli_report_new(columns), *worker = cli_report_new(columns);
    cli_report_note(report, "first");
    add_rows(report, 0);
    cli_report_note(report, "second");
    cli_report_note(report, NULL);
    add_rows(report, 0);
    cli_report_note(report, NULL);
    cli_report_note(worker, "forgotten");
    cli_report_note(worker, NULL);
    cli_report_note(worker, "third");
    add_rows(worker, 4);
    cli_report_note(worker, NULL);
    cli_report_take(report, worker);
    cli_report_note(report, NULL);
    assert_int_equal(
        cli_report_write(NULL, report, scratch_path(*state, "a.json"), CLI_REPORT_JSON),
        RUG_OK);
    char *text = scratch_read(*state, "a.json", NULL), *to = text;
    for (const char *from = text; *from != '\0'; from++)
        if (*from != ' ' && *from != '\n')
            *to++ = *from;
    *to = '\0';
    assert_string_equal(
        text,
        "{\"results\":[{\"image\":\"c\",\"row\":0,\"warnings\":[\"first\",\"second\"]},"
        "{\"image\":\"c\",\"row\":0,\"warnings\":[]},"
        "{\"image\":\"c\",\"row\":40,\"warnings\":[\"third\"]},"
        "{\"image\":\"c\",\"row\":41,\"warnings\":[\"third\"]}]}");
    free(text);
    cli_report_free(report);
    cli_report_free(worker);
}

#define WITH_SCRATCH(test) \
    cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(rows_stand_as_they_come), WITH_SCRATCH(goes_on_from_each_cut),
        WITH_SCRATCH(goes_on_from_damage),     WITH_SCRATCH(goes_on_with_names),
        WITH_SCRATCH(refuses_another_run),     WITH_SCRATCH(keeps_whole_inputs),
        WITH_SCRATCH(warnings_of_images),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
