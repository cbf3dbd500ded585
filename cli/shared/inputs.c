/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The inputs of a run: operands, the rows of a list, and folders whose sub-folders are
 * classes. */

#include "cli.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int say_no_memory(void)
{
    cli_print(stderr, "rugose: no memory for the list of inputs\n");
    return -1;
}

/* Copies a text that may be NULL. @return 0, or -1 */
static int copy(char **out, const char *text)
{
    *out = text != NULL ? strdup(text) : NULL;
    return text != NULL && *out == NULL ? -1 : 0;
}

/* Adds an input; all texts are copied. @return 0, or -1 with a message printed */
static int add_input(cli_run *run, const char *path, const char *mask, const char *labels,
                     const char *class_name)
{
    size_t n = run->n_inputs;
    if ((n & (n - 1)) == 0) { /* the capacity is a power of two */
        cli_input *more = realloc(run->inputs, (n > 0 ? 2 * n : 1) * sizeof *more);
        if (more == NULL)
            return say_no_memory();
        run->inputs = more;
    }
    cli_input *input = &run->inputs[n];
    *input = (cli_input){.path = NULL};
    run->n_inputs++;
    return copy(&input->path, path) != 0 || copy(&input->mask, mask) != 0 ||
                   copy(&input->labels, labels) != 0 ||
                   copy(&input->class_name, class_name) != 0
               ? say_no_memory()
               : 0;
}

static int refuse_column(const cli_run *run, const char *column, const char *what)
{
    cli_print(stderr,
              "rugose: %s: column '%s': %s does not use %s; take the column out\n",
              run->common.list, column, run->command->name, what);
    return -1;
}

/* Takes the paths of a list; a column that this command does not use must not be dropped
 * silently. */
static int add_list(cli_run *run, const cli_list *list)
{
    int has_class = 0, bad = 0, uses_classes = run->command->takes_classes;
    for (size_t i = 0; i < list->n_rows && !bad; i++) {
        const cli_list_row *row = &list->rows[i];
        if (row->mask != NULL && !run->command->takes_masks)
            return refuse_column(run, "mask", "masks");
        if (row->labels != NULL && !run->command->takes_labels)
            return refuse_column(run, "labels", "labels");
        has_class |= row->class_name != NULL;
        bad = add_input(run, row->image, row->mask, row->labels,
                        uses_classes ? row->class_name : NULL);
    }
    if (has_class && !uses_classes)
        cli_print(stderr, "rugose: warning: %s: column 'class' is not used by %s\n",
                  run->common.list, run->command->name);
    return bad;
}

static int is_folder(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

/* Names in a folder. */
typedef struct names {
    char **items; /* owned, by bytes */
    size_t n;
} names;

static void free_names(names *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->items[i]);
    free(list->items);
    *list = (names){NULL, 0};
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Folder and name with a slash between them; NULL without memory. */
static char *join(const char *folder, const char *name)
{
    size_t n = strlen(folder);
    const char *slash = n > 0 && folder[n - 1] == '/' ? "" : "/";
    size_t size = n + strlen(name) + 2;
    char *path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%s%s%s", folder, slash, name);
    return path;
}

/* Keeps a path, which is owned from here on. @return 0, or -1 */
static int keep_path(names *list, char *path)
{
    char **more = realloc(list->items, (list->n + 1) * sizeof *more);
    if (more == NULL || path == NULL) {
        list->items = more != NULL ? more : list->items;
        free(path);
        return -1;
    }
    list->items = more;
    list->items[list->n++] = path;
    return 0;
}

/* What a folder holds, but for names that begin with a dot. @return 0, or -1 with a
 * message printed; free both lists in either case */
static int scan_folder(const char *folder, names *folders, names *files)
{
    struct dirent **entries;
    int bad = 0, n = scandir(folder, &entries, is_shown, by_bytes);
    *folders = *files = (names){NULL, 0};
    if (n < 0) {
        cli_print(stderr, "rugose: %s: the folder cannot be read: %s\n", folder,
                  strerror(errno));
        return -1;
    }
    for (int i = 0; i < n; i++) {
        char *path = bad ? NULL : join(folder, entries[i]->d_name);
        if (!bad)
            bad = keep_path(path != NULL && is_folder(path) ? folders : files, path);
        free(entries[i]);
    }
    free(entries);
    return bad ? say_no_memory() : 0;
}

/* Warns of files and folders where no image of a class is expected. */
static void warn_left_out(const char *folder, const names *left, const char *what,
                          const char *where)
{
    if (left->n > 0)
        cli_print(stderr, "rugose: warning: %s: %zu %s%s %s not read, such as %s\n",
                  folder, left->n, what, left->n == 1 ? "" : "s", where, left->items[0]);
}

/* All files of a folder, as images of a class; NULL: of none. */
static int add_files(cli_run *run, const char *class_name, const names *files)
{
    int bad = 0;
    for (size_t i = 0; i < files->n && !bad; i++)
        bad = add_input(run, files->items[i], NULL, NULL, class_name);
    return bad;
}

static int add_class_folder(cli_run *run, const char *folder)
{
    names folders, files;
    int bad = scan_folder(folder, &folders, &files);
    if (!bad) {
        warn_left_out(folder, &folders, "folder", "inside the folder of a class");
        if (files.n == 0)
            cli_print(stderr, "rugose: warning: %s: the folder of a class is empty\n",
                      folder);
        bad = add_files(run, strrchr(folder, '/') + 1, &files);
    }
    free_names(&folders);
    free_names(&files);
    return bad;
}

/* A folder with folders: one for each class. Without: images of no class. */
static int add_folder(cli_run *run, const char *folder)
{
    names folders, files;
    int bad = scan_folder(folder, &folders, &files);
    if (!bad && folders.n == 0)
        bad = add_files(run, NULL, &files);
    else if (!bad)
        warn_left_out(folder, &files, "file", "beside the folders of classes");
    for (size_t i = 0; i < folders.n && !bad; i++)
        bad = add_class_folder(run, folders.items[i]);
    if (!bad && folders.n + files.n == 0) {
        cli_print(stderr, "rugose: %s: the folder is empty\n", folder);
        bad = -1;
    }
    free_names(&folders);
    free_names(&files);
    return bad;
}

int cli_collect_inputs(cli_run *run)
{
    const cli_words *words = &run->words;
    cli_list *list = NULL;
    if (run->common.list != NULL &&
        cli_list_read(run->ctx, &list, run->common.list) != RUG_OK) {
        cli_print(stderr, "rugose: %s\n", rug_context_error(run->ctx));
        return -1;
    }
    int bad = 0;
    for (size_t i = 0; !bad && i < words->n_operands; i++)
        bad = run->command->takes_classes && is_folder(words->operands[i])
                  ? add_folder(run, words->operands[i])
                  : add_input(run, words->operands[i], NULL, NULL, NULL);
    if (!bad && list != NULL)
        bad = add_list(run, list);
    cli_list_free(list);
    return bad;
}
