/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Files of parts: what is written is read, several become one, and those of other runs are refused;
 * and the layers of a part. */

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/state/state.h"
#include "io_scratch.h"
#include "shared/in_parts.h"
#include "tables/part_file.h"

#define N_PARTS 3

static rug_context *ctx;

static char *copy(const char *text)
{
    char *copied = strdup(text);
    assert_non_null(copied);
    return copied;
}

static uint32_t *one(uint32_t part)
{
    uint32_t *parts = malloc(sizeof *parts);
    assert_non_null(parts);
    *parts = part;
    return parts;
}

/* Part k of two images, of which the second failed in part 1. */
static cli_part_file make_part(uint32_t k, const char *word)
{
    cli_part_file file = {.path = "made", .n = N_PARTS, .n_parts = 1};
    cli_part_entry e = {.parts = one(k),
                        .n_parts = 1,
                        .n_bytes = 1000,
                        .dtype = RUG_U16,
                        .ndim = 2,
                        .shape = {7, 300, 0}};
    const uint8_t bytes[] = {0, 255, (uint8_t)k};
    file.command = copy("boxcount");
    file.words = calloc(2, sizeof *file.words);
    assert_non_null(file.words);
    file.words[file.n_words++] = copy("--fit");
    file.words[file.n_words++] = copy(word);
    file.parts = one(k);
    assert_int_equal(cli_part_entry_add(ctx, &e, "boxcount", bytes, 3), RUG_OK);
    assert_int_equal(cli_part_entry_add(ctx, &e, "values", bytes, k), RUG_OK);
    assert_int_equal(cli_part_file_add(ctx, &file, 2, 1, "b.tif[page=1]", &e), RUG_OK);
    e = (cli_part_entry){.parts = one(k), .n_parts = 1};
    if (k == 1)
        e.failure = copy("cut off");
    assert_int_equal(cli_part_file_add(ctx, &file, 0, 0, "a.tif", &e), RUG_OK);
    return file;
}

static void assert_error(const char *part)
{
    const char *error = rug_context_error(ctx);
    if (strstr(error, part) == NULL)
        fail_msg("the error is \"%s\", not \"%s\"", error, part);
}

static void what_is_written_is_read(void **state)
{
    cli_part_file file = make_part(1, "1..8"), again = {.path = NULL};
    const char *path = scratch_path(*state, "part.rgs");
    assert_int_equal(cli_part_file_write(ctx, &file, path), RUG_OK);
    assert_int_equal(cli_part_file_read(ctx, &again, path), RUG_OK);
    assert_string_equal(again.command, "boxcount");
    assert_int_equal(again.n_words, 2);
    assert_string_equal(again.words[1], "1..8");
    assert_int_equal(again.n, N_PARTS);
    assert_int_equal(again.n_parts, 1);
    assert_int_equal(again.parts[0], 1);
    assert_int_equal(again.n_images, 2);
    assert_null(cli_part_file_find(&again, 2, 0));
    const cli_part_image *a = cli_part_file_find(&again, 0, 0);
    const cli_part_image *b = cli_part_file_find(&again, 2, 1);
    assert_string_equal(a->name, "a.tif");
    assert_string_equal(a->entries[0].failure, "cut off");
    assert_string_equal(b->name, "b.tif[page=1]");
    const cli_part_entry *e = &b->entries[0];
    assert_null(e->failure);
    assert_int_equal(e->n_bytes, 1000);
    assert_int_equal(e->dtype, RUG_U16);
    assert_int_equal(e->ndim, 2);
    assert_int_equal(e->shape[1], 300);
    assert_int_equal(e->n_states, 2);
    assert_string_equal(e->states[1].kind, "values");
    assert_int_equal(e->states[0].n, 3);
    assert_memory_equal(e->states[0].bytes, ((uint8_t[]){0, 255, 1}), 3);
    cli_part_file_free(&file);
    cli_part_file_free(&again);
}

static void several_become_one(void **state)
{
    (void)state;
    cli_part_file all = {.path = "all"};
    for (uint32_t k = N_PARTS; k-- > 0;) {
        cli_part_file part = make_part(k, "1..8");
        assert_int_equal(cli_part_file_join(ctx, &all, &part), RUG_OK);
        cli_part_file_free(&part);
    }
    assert_int_equal(all.n_parts, N_PARTS);
    for (uint32_t k = 0; k < N_PARTS; k++)
        assert_int_equal(all.parts[k], k);
    assert_int_equal(all.n_images, 2);
    assert_int_equal(all.images[0].n_entries, N_PARTS);
    assert_int_equal(all.images[1].n_entries, N_PARTS);
    for (uint32_t k = 0; k < N_PARTS; k++)
        assert_int_equal(all.images[1].entries[k].parts[0], k);
    cli_part_file_free(&all);
}

static void others_are_refused(void **state)
{
    (void)state;
    cli_part_file all = {.path = "all"}, part = make_part(0, "1..8");
    assert_int_equal(cli_part_file_join(ctx, &all, &part), RUG_OK);
    part = make_part(0, "1..8");
    assert_int_equal(cli_part_file_join(ctx, &all, &part), RUG_E_ARG);
    assert_error("part 1 of 3 is given twice, the second time in made");
    cli_part_file_free(&part);
    part = make_part(1, "1..9");
    assert_int_equal(cli_part_file_join(ctx, &all, &part), RUG_E_ARG);
    assert_error("1..9 given, 1..8 expected");
    part.n = 4;
    assert_int_equal(cli_part_file_join(ctx, &all, &part), RUG_E_ARG);
    assert_error("is one of 4 parts");
    part.command[0] = 'x';
    assert_int_equal(cli_part_file_join(ctx, &all, &part), RUG_E_ARG);
    assert_error("'rugose xoxcount'");
    cli_part_file_free(&part);
    part = make_part(1, "1..8");
    part.images[0].name[0] = 'z';
    assert_int_equal(cli_part_file_join(ctx, &all, &part), RUG_E_ARG);
    assert_error("made has z.tif where made has a.tif");
    cli_part_file_free(&part);
    cli_part_file_free(&all);
}

/* Of three parts the third and one behind it, which leaves no room for it. */
static void lists_beyond_the_last_part_are_refused(void **state)
{
    const char *path = scratch_path(*state, "lies.rgs");
    cli_part_file file = {.path = NULL};
    uint8_t *bytes;
    size_t n;
    rugi_state_writer w = rugi_state_begin(ctx, RUGI_STATE_RUN);
    rugi_state_put(&w, CLI_PART_FILE);
    rugi_state_put_block(&w, "boxcount", 8);
    rugi_state_put(&w, 0); /* words */
    rugi_state_put(&w, N_PARTS);
    rugi_state_put(&w, 2); /* parts */
    rugi_state_put(&w, 2);
    rugi_state_put(&w, 0); /* images */
    assert_int_equal(rugi_state_end(&w, &bytes, &n), RUG_OK);
    assert_int_equal(rug_bytes_write(ctx, path, bytes, n), RUG_OK);
    rug_context_release(ctx, bytes);
    assert_int_equal(cli_part_file_read(ctx, &file, path), RUG_E_FORMAT);
    cli_part_file_free(&file);
}

static void parts_are_listed(void **state)
{
    (void)state;
    uint8_t marks[12] = {1, 0, 1, 1};
    char text[CLI_PART_LIST_MAX];
    assert_int_equal(cli_part_list(text, marks, 4, 1), 3);
    assert_string_equal(text, "1, 3, 4");
    assert_int_equal(cli_part_list(text, marks, 4, 2), 0);
    assert_string_equal(text, "");
    assert_int_equal(cli_part_list(text, marks, 12, 0), 9);
    assert_string_equal(text, "2, 5, 6, 7, 8, 9, 10, 11 and 1 more");
}

/* Every layer is in one part, cuts are at multiples of the largest unit that does, and shares differ by
 * one unit at most. */
static void layers_are_divided(void **state)
{
    (void)state;
    for (size_t n_layers = 1; n_layers < 400; n_layers += n_layers < 20 ? 1 : 7)
        for (uint32_t n = 1; n < 20; n++) {
            size_t next = 0, unit = 64, first, end, least = SIZE_MAX, most = 0;
            while (unit > 1 && (n_layers + unit - 1) / unit < n)
                unit /= 2;
            for (uint32_t k = 0; k < n; k++) {
                cli_part_layers(&first, &end, n_layers, k, n);
                assert_int_equal(first, next);
                assert_true(end == n_layers || end % unit == 0);
                size_t n_units = (end - first + unit - 1) / unit;
                least = n_units < least ? n_units : least;
                most = n_units > most ? n_units : most;
                next = end;
            }
            assert_int_equal(next, n_layers);
            assert_true(most <= least + 1);
            cli_part_layers(&first, &end, n_layers, n, n);
            assert_int_equal(first, end);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(several_become_one),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(lists_beyond_the_last_part_are_refused),
        cmocka_unit_test(parts_are_listed),
        cmocka_unit_test(layers_are_divided),
    };
    if (rug_context_new(&ctx) != RUG_OK)
        return 1;
    int n_failed = cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
    rug_context_free(ctx);
    return n_failed;
}
