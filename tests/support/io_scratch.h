/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* A folder of its own for each test that writes files, and a German locale to print in.
 * Include it after cmocka.h; the file that includes it defines _XOPEN_SOURCE 700. */

#ifndef RUGOSE_IO_SCRATCH_H
#define RUGOSE_IO_SCRATCH_H

#include <dirent.h>
#include <ftw.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Long enough for a temporary folder and a short name. */
#define SCRATCH_PATH_MAX 512

typedef struct scratch {
    char folder[SCRATCH_PATH_MAX / 2];
    char path[SCRATCH_PATH_MAX]; /* of the last scratch_path() */
} scratch;

static inline int scratch_setup(void **state)
{
    const char *parent = getenv("TMPDIR");
    scratch *here = calloc(1, sizeof *here);

    assert_non_null(here);
    snprintf(here->folder, sizeof here->folder, "%s/rugose-test-XXXXXX",
             parent == NULL ? "/tmp" : parent);
    assert_non_null(mkdtemp(here->folder));
    *state = here;
    return 0;
}

static inline int scratch_remove(const char *path, const struct stat *facts, int kind,
                                 struct FTW *at)
{
    (void)facts;
    (void)kind;
    (void)at;
    return remove(path);
}

static inline int scratch_teardown(void **state)
{
    scratch *here = *state;

    setlocale(LC_ALL, "C");
    nftw(here->folder, scratch_remove, 8, FTW_DEPTH | FTW_PHYS);
    free(here);
    return 0;
}

/* The path of a name in the folder; valid until the next call. */
static inline const char *scratch_path(scratch *here, const char *name)
{
    snprintf(here->path, sizeof here->path, "%s/%s", here->folder, name);
    return here->path;
}

/* Writes a small file. */
static inline void scratch_write(scratch *here, const char *name, const char *text)
{
    FILE *file = fopen(scratch_path(here, name), "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

/* The bytes of a file with a 0 behind them; free them. */
static inline char *scratch_read(scratch *here, const char *name, size_t *n_bytes)
{
    const size_t most = 1 << 22;
    FILE *file = fopen(scratch_path(here, name), "rb");
    char *text = malloc(most + 1);
    size_t n;

    assert_non_null(file);
    assert_non_null(text);
    n = fread(text, 1, most, file);
    assert_true(n < most);
    text[n] = '\0';
    fclose(file);
    if (n_bytes != NULL)
        *n_bytes = n;
    return text;
}

static inline void assert_file_holds(scratch *here, const char *name,
                                     const char *expected)
{
    char *text = scratch_read(here, name, NULL);

    assert_string_equal(text, expected);
    free(text);
}

/* How many files the folder holds, hidden ones too. */
static inline int scratch_count(const scratch *here)
{
    DIR *folder = opendir(here->folder);
    int n = 0;

    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder))
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    return n;
}

/* Switches to a locale with a decimal comma, which is made when the system has none. Says
 * so and skips the test when that cannot be done. scratch_teardown() goes back. */
static inline void scratch_speak_german(scratch *here)
{
    char command[2 * SCRATCH_PATH_MAX];

    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        snprintf(command, sizeof command,
                 "localedef -i de_DE -f UTF-8 '%s/de_DE.UTF-8' >/dev/null 2>&1",
                 here->folder);
        if (system(command) == 0)
            setenv("LOCPATH", here->folder, 1);
        setlocale(LC_ALL, "de_DE.UTF-8");
    }
    if (strcmp(localeconv()->decimal_point, ",") != 0) {
        print_message(
            "SKIPPED: there is no locale de_DE.UTF-8 and localedef cannot make it\n");
        skip();
    }
}

#endif
