/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The inputs of a run: operands, the rows of a list, folders of images, which may be classes or the
 * slices of volumes; and the files that stand behind a path. */

#include "cli.h"
#include "options/natural.h"
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
static int add_input(cli_run *run, const cli_input *given)
{
    size_t n = run->n_inputs;
    if ((n & (n - 1)) == 0) { /* the capacity is a power of two */
        cli_input *more = realloc(run->inputs, (n > 0 ? 2 * n : 1) * sizeof *more);
        if (more == NULL)
            return say_no_memory();
        run->inputs = more;
    }
    cli_input *input = &run->inputs[n];
    *input = *given;
    input->mask = input->labels = input->class_name = NULL;
    run->n_inputs++;
    return copy(&input->path, given->path) != 0 || copy(&input->mask, given->mask) != 0 ||
                   copy(&input->labels, given->labels) != 0 ||
                   copy(&input->class_name, given->class_name) != 0
               ? say_no_memory()
               : 0;
}

/* Adds one that differs from another in its path. */
static int add_like(cli_run *run, const cli_input *model, char *path)
{
    cli_input input = *model;
    input.path = path;
    return add_input(run, &input);
}

/* ---- Folders ---- */

/* One of images, not one that is an image itself. Textures are learnt from pictures. */
static int is_folder(const cli_run *run, const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode) && !rugi_is_zarr(path) &&
           (run->command->takes_classes || !rugi_is_image_folder(path));
}

/* Paths, in natural order. */
typedef struct names {
    char **items; /* owned */
    size_t n;
    size_t n_skipped; /* files that are no images, */
    char *skipped;    /* and the first of them; owned */
    size_t at;        /* where all paths begin as the list has them */
} names;

static void free_names(names *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->items[i]);
    free(list->items);
    free(list->skipped);
    *list = (names){NULL, 0, 0, NULL, 0};
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int by_nature(const struct dirent **a, const struct dirent **b)
{
    return cli_compare_naturally((*a)->d_name, (*b)->d_name);
}

static int by_nature_of_paths(const void *a, const void *b)
{
    return cli_compare_naturally(*(const char *const *)a, *(const char *const *)b);
}

/* Folder and name with a slash between them; NULL without memory. */
static char *join(const char *folder, const char *name)
{
    size_t n = strlen(folder);
    const char *slash = n == 0 || folder[n - 1] == '/' ? "" : "/";
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

/* Whether a name is that of a file of which only the options say how to read it. */
static int is_called_so(const cli_run *run, const char *path)
{
    static const char *const endings[] = {".csv", ".tsv", ".txt", ".raw",
                                          ".bin", ".dat", ".vol", ".gz"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (rugi_has_ending(path, endings[i]))
            return i < 3 ? run->reading.matrix : run->reading.raw != NULL;
    return 0;
}

/* Whether a file in a folder is an input. One that cannot be opened is, so that it fails. */
static int is_wanted(cli_run *run, const char *path)
{
    int answer;
    if (is_called_so(run, path))
        return 1;
    if (cli_is_given(&run->words, "points") &&
        (rugi_path_is_points(path) || rugi_has_ending(path, ".npy")))
        return 1;
    return rug_file_is_image(run->ctx, &answer, path) != RUG_OK ||
           (answer && !cli_is_given(&run->words, "points"));
}

/* Counts a file that is none. The path is owned from here on. */
static void skip(names *files, char *path)
{
    if (files->n_skipped++ == 0)
        files->skipped = path;
    else
        free(path);
}

/* What a folder holds, but for names that begin with a dot.
 * @param at  where its path begins as the list has it
 * @return 0, or -1: errno says why; free both lists in either case */
static int scan_folder(cli_run *run, const char *folder, size_t at, names *folders,
                       names *files)
{
    struct dirent **entries;
    int bad = 0, n = scandir(folder, &entries, is_shown, by_nature);
    *folders = *files = (names){NULL, 0, 0, NULL, at};
    for (int i = 0; i < n; i++) {
        char *path = bad ? NULL : join(folder, entries[i]->d_name);
        if (path != NULL && is_folder(run, path))
            bad = keep_path(folders, path);
        else if (path != NULL && !is_wanted(run, path))
            skip(files, path);
        else if (!bad)
            bad = keep_path(files, path);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    if (bad)
        errno = ENOMEM;
    return bad || n < 0 ? -1 : 0;
}

static int say_unreadable(const char *folder)
{
    cli_print(stderr, "rugose: %s: the folder cannot be read: %s\n", folder,
              strerror(errno));
    return -1;
}

/* The name of a folder and a colon for a warning, which begins with that of the image. */
static const char *lead(const cli_run *run, const char *folder, const char **colon)
{
    int is_said = run->image != NULL && strcmp(run->image, folder) == 0;
    *colon = is_said ? "" : ": ";
    return is_said ? "" : folder;
}

/* Warns of files and folders where none are expected. */
static void warn_left_out(cli_run *run, const char *folder, const names *left,
                          const char *what, const char *where)
{
    const char *colon, *name = lead(run, folder, &colon);
    size_t n = left->n + left->n_skipped;
    if (n > 0)
        cli_warn(run, "%s%s%zu %s%s %s not read, such as %s", name, colon, n, what,
                 n == 1 ? "" : "s", where,
                 (left->n > 0 ? left->items[0] : left->skipped) + left->at);
}

static void warn_skipped(cli_run *run, const char *folder, const names *files)
{
    int are_points = cli_is_given(&run->words, "points"), is_one = files->n_skipped == 1;
    const char *one = are_points ? " is no set of points" : " is no image";
    const char *several = are_points ? "s are no sets of points" : "s are no images";
    const char *colon, *name = lead(run, folder, &colon);
    if (files->n_skipped > 0)
        cli_warn(run, "%s%s%zu file%s and not read, such as %s", name, colon,
                 files->n_skipped, is_one ? one : several, files->skipped + files->at);
}

/* All images of a folder. @param model  what they have in common */
static int add_files(cli_run *run, const cli_input *model, const names *files)
{
    int bad = 0;
    for (size_t i = 0; i < files->n && !bad; i++)
        bad = add_like(run, model, files->items[i]);
    return bad;
}

static int add_class_folder(cli_run *run, char *folder)
{
    names folders, files;
    int bad = scan_folder(run, folder, 0, &folders, &files);
    if (bad)
        say_unreadable(folder);
    else {
        const cli_input model = {.class_name = strrchr(folder, '/') + 1};
        warn_left_out(run, folder, &folders, "folder", "inside the folder of a class");
        warn_skipped(run, folder, &files);
        if (files.n == 0)
            cli_warn(run, "%s: the folder of a class is empty", folder);
        bad = add_files(run, &model, &files);
    }
    free_names(&folders);
    free_names(&files);
    return bad;
}

static int add_class_folders(cli_run *run, const char *folder, const names *folders,
                             const names *files)
{
    int bad = 0;
    warn_left_out(run, folder, files, "file", "beside the folders of classes");
    for (size_t i = 0; i < folders->n && !bad; i++)
        bad = add_class_folder(run, folders->items[i]);
    return bad;
}

/* The images of a folder. One without fails when it is opened, like a file that is none.
 * @param input  that stands for them; its path is the folder */
static int add_images(cli_run *run, const cli_input *input, const names *folders,
                      const names *files)
{
    if (files->n > 0)
        warn_left_out(run, input->path + input->path_at, folders, "folder",
                      "inside the folder");
    warn_skipped(run, input->path + input->path_at, files);
    return files->n > 0 ? add_files(run, input, files) : add_input(run, input);
}

/* A folder that is given. With folders in it they are classes, where a command takes such. */
static int add_folder(cli_run *run, const cli_input *input)
{
    names folders, files;
    int takes_classes = run->command->takes_classes && input->row == NULL;
    int bad = scan_folder(run, input->path, input->path_at, &folders, &files);
    if (bad)
        say_unreadable(input->path);
    else if (takes_classes && folders.n + files.n == 0) {
        warn_skipped(run, input->path, &files);
        cli_print(stderr, "rugose: %s: the folder %s\n", input->path,
                  files.n_skipped > 0 ? "has no image" : "is empty");
        bad = -1;
    } else if (takes_classes && folders.n > 0)
        bad = add_class_folders(run, input->path, &folders, &files);
    else
        bad = add_images(run, input, &folders, &files);
    free_names(&folders);
    free_names(&files);
    return bad;
}

/* Whether folders and several files are volumes. Textures are learnt from pictures. */
static int makes_volumes(const cli_run *run)
{
    return run->command->takes_images && !run->command->takes_classes &&
           run->reading.volume;
}

/* Adds what a path stands for. */
static int add_path(cli_run *run, const cli_input *input)
{
    if (!run->command->takes_images || makes_volumes(run) || !is_folder(run, input->path))
        return add_input(run, input);
    if (input->labels != NULL) {
        cli_print(stderr,
                  "rugose: %s: a folder with a label image, which is one image's; list "
                  "its images, or read them as a volume with --volume\n",
                  input->path + input->path_at);
        return -1;
    }
    return add_folder(run, input);
}

/* ---- Files that are slices ---- */

/* The pages of a file, or 0: it cannot be opened, and will say so when it is read. */
static int count_pages(cli_run *run, const char *path)
{
    rug_read_options opts = RUG_READ_OPTIONS_INIT;
    rug_file *file = NULL;
    int n = 0;
    opts.volume = 2;
    opts.channel = run->reading.channel;
    cli_set_reading(&opts, &run->reading);
    if (rug_file_open(run->ctx, &file, path, &opts) == RUG_OK)
        n = rug_file_image(file)->ndim == 3 ? 2 : rug_file_get_facts(file)->n_pages;
    rug_file_free(file);
    return n;
}

/* Counts operands that are files of one page. @return 0, or -1 with a message printed: others have
 * several */
static int count_slices(cli_run *run, size_t *n)
{
    const char *one = NULL, *several = NULL;
    size_t n_files = 0;
    for (size_t i = 0; i < run->words.n_operands; i++) {
        const char *path = run->words.operands[i];
        if (is_folder(run, path))
            continue;
        int n_pages = count_pages(run, path);
        one = n_pages == 1 ? path : one;
        several = n_pages > 1 ? path : several;
        n_files++;
    }
    *n = n_files > 1 && several == NULL && one != NULL ? n_files : 0;
    if (one == NULL || several == NULL)
        return 0;
    cli_print(stderr,
              "rugose: --volume: %s is one image and %s several; give the slices of one "
              "volume, or volumes\n",
              one, several);
    return -1;
}

/* With --volume, several operands of one page each are the slices of one volume. */
static int gather_slices(cli_run *run)
{
    const cli_words *words = &run->words;
    size_t n;
    if (!makes_volumes(run) || words->n_operands < 2)
        return 0;
    rug_context_set_warn(run->ctx, NULL, NULL); /* they are opened again */
    int bad = count_slices(run, &n);
    cli_listen(run);
    if (bad || n == 0)
        return bad;
    run->slices = calloc(n, sizeof *run->slices);
    if (run->slices == NULL)
        return say_no_memory();
    for (size_t i = 0; i < words->n_operands; i++)
        if (!is_folder(run, words->operands[i]))
            run->slices[run->n_slices++] = words->operands[i];
    qsort(run->slices, n, sizeof *run->slices, by_nature_of_paths);
    return 0;
}

/* Adds an operand; of the slices of a volume the first one stands for all. */
static int add_operand(cli_run *run, const char *path)
{
    int is_slice = run->n_slices > 0 && !is_folder(run, path);
    for (size_t i = 0; is_slice && i < run->n_inputs; i++)
        if (run->inputs[i].is_slices)
            return 0;
    char *copied = strdup(is_slice ? run->slices[0] : path);
    cli_input input = {.path = copied, .is_slices = is_slice};
    int bad = copied != NULL ? add_path(run, &input) : say_no_memory();
    free(copied);
    return bad;
}

/* ---- Lists ---- */

static const char *name_of_list(const cli_run *run)
{
    return strcmp(run->common.list, "-") == 0 ? "standard input" : run->common.list;
}

static int refuse_column(const cli_run *run, const char *column, const char *what)
{
    cli_print(stderr,
              "rugose: %s: column '%s': %s does not use %s; take the column out\n",
              name_of_list(run), column, run->command->name, what);
    return -1;
}

/* Puts the list's folder before a relative path. @param at  where the path begins in it
 * @return to be freed; NULL for NULL, or without memory */
static char *from_list(const cli_list *list, const char *path, size_t *at)
{
    *at = 0;
    if (path == NULL || path[0] == '/' || list->folder[0] == '\0')
        return path != NULL ? strdup(path) : NULL;
    *at = strlen(list->folder);
    return join(list->folder, path);
}

static int add_row(cli_run *run, const cli_list *list, const cli_list_row *row)
{
    cli_input input = {.row = row};
    input.path = from_list(list, row->image, &input.path_at);
    input.mask = from_list(list, row->mask, &input.mask_at);
    input.labels = from_list(list, row->labels, &input.labels_at);
    input.class_name = row->class_name;
    int bad = input.path == NULL || (row->mask != NULL && input.mask == NULL) ||
                      (row->labels != NULL && input.labels == NULL)
                  ? say_no_memory()
                  : add_path(run, &input);
    free(input.path);
    free(input.mask);
    free(input.labels);
    return bad;
}

/* Takes the paths of a list; a column that this command does not use must not be dropped
 * silently. */
static int add_list(cli_run *run, const cli_list *list)
{
    int bad = 0;
    for (size_t i = 0; i < list->n_rows && !bad; i++) {
        const cli_list_row *row = &list->rows[i];
        if (row->mask != NULL && !run->command->takes_masks)
            return refuse_column(run, "mask", "masks");
        if (row->labels != NULL && !run->command->takes_labels)
            return refuse_column(run, "labels", "labels");
        bad = add_row(run, list, row);
    }
    return bad;
}

int cli_collect_inputs(cli_run *run)
{
    const cli_words *words = &run->words;
    if (run->common.list != NULL &&
        cli_list_read(run->ctx, &run->list, run->common.list,
                      run->command->takes_classes) != RUG_OK) {
        cli_print(stderr, "rugose: %s\n", rug_context_error(run->ctx));
        return -1;
    }
    int bad = gather_slices(run);
    for (size_t i = 0; !bad && i < words->n_operands; i++)
        bad = add_operand(run, words->operands[i]);
    return !bad && run->list != NULL ? add_list(run, run->list) : bad;
}

/* ---- The files behind a path ---- */

/* What a path stands for. */
typedef struct behind {
    int is_folder;
    names in_folder;           /* its images; owned */
    names folders;             /* its folders; owned */
    const char *const *slices; /* of a volume; NULL: the path is the file */
    size_t n;
} behind;

/* @param is_opened  with warnings; else the files are read as bytes
 * @return a status; to be freed in either case */
static rug_status look_behind(cli_run *run, behind *b, const char *path, int is_opened)
{
    const cli_input *input = &run->inputs[run->input];
    size_t at = (size_t)(cli_as_listed(run, path) - path);
    *b = (behind){.is_folder = is_folder(run, path)};
    if (input->is_slices && strcmp(path, input->path) == 0) {
        b->slices = run->slices;
        b->n = run->n_slices;
    }
    int are_bytes = !is_opened && !b->is_folder && rugi_is_image_folder(path);
    if (!b->is_folder && !are_bytes)
        return RUG_OK;
    rug_status status = RUG_OK;
    if (scan_folder(run, path, at, &b->folders, &b->in_folder) != 0)
        status = rug_context_fail(run->ctx, RUG_E_IO, "%s: the folder cannot be read: %s",
                                  path, strerror(errno));
    if (status == RUG_OK && is_opened && run->reading.volume) {
        if (b->in_folder.n > 0)
            warn_left_out(run, path + at, &b->folders, "folder", "inside the folder");
        warn_skipped(run, path + at, &b->in_folder);
    }
    if ((run->reading.volume || are_bytes) && b->in_folder.n > 0) {
        b->slices = (const char *const *)b->in_folder.items;
        b->n = b->in_folder.n;
    }
    return status;
}

static void free_behind(behind *b)
{
    free_names(&b->in_folder);
    free_names(&b->folders);
}

/* Opens a path that is no volume of several files. */
static rug_status open_one(cli_run *run, rug_file **out, const char *path,
                           const rug_read_options *opts, const behind *b)
{
    rug_status status = rug_file_open(run->ctx, out, path, opts);
    if (status != RUG_E_IO || !b->is_folder || b->in_folder.n > 0)
        return status;
    const names *files = &b->in_folder, *folders = &b->folders;
    char others[CLI_PATH_MAX + 64] = "", below[2 * CLI_PATH_MAX + 120] = "";
    if (files->n_skipped > 0)
        snprintf(others, sizeof others, ", but %zu other file%s, such as %s",
                 files->n_skipped, files->n_skipped == 1 ? "" : "s",
                 files->skipped + files->at);
    if (folders->n == 1)
        snprintf(below, sizeof below,
                 "; the folder inside it, %s, is not read: name that instead",
                 folders->items[0] + folders->at);
    else if (folders->n > 1)
        snprintf(below, sizeof below,
                 "; the %zu folders inside it, such as %s, are not read: name those "
                 "instead, as with %.*s/*",
                 folders->n, folders->items[0] + folders->at,
                 (int)(strrchr(folders->items[0], '/') - folders->items[0]) -
                     (int)folders->at,
                 folders->items[0] + folders->at);
    return rug_context_fail(run->ctx, RUG_E_IO, "%s: the folder has no image%s%s", path,
                            others, below);
}

rug_status cli_open_file(cli_run *run, rug_file **out, const char *path,
                         const rug_read_options *opts)
{
    behind b;
    rug_read_options own = *opts;
    rug_status status = look_behind(run, &b, path, 1);
    own.volume = own.planes = 0;
    if (status == RUG_OK)
        status = b.slices == NULL
                     ? open_one(run, out, path, opts, &b)
                     : rug_file_open_slices(run->ctx, out, b.slices, b.n, &own);
    free_behind(&b);
    return status;
}

rug_status cli_digest(cli_run *run, char digest[CLI_SHA256_TEXT_MAX], const char *path)
{
    behind b;
    char file[CLI_PATH_MAX];
    int n = (int)rugi_array_file(path);
    digest[0] = '\0';
    if (!run->has_details || run->parts != NULL || rugi_is_zarr(path))
        return RUG_OK;
    if (n > 0 && snprintf(file, sizeof file, "%.*s", n, path) < (int)sizeof file)
        return cli_digest(run, digest, file);
    rug_status status = look_behind(run, &b, path, 0);
    if (status == RUG_OK)
        status = cli_file_sha256(run->ctx, digest, b.slices != NULL ? b.slices : &path,
                                 b.slices != NULL ? b.n : 1);
    free_behind(&b);
    if (status != RUG_OK && status != RUG_E_CANCELLED && status != RUG_E_NOMEM)
        cli_warn(run, "there is no SHA-256: %s", rug_context_error(run->ctx));
    return status == RUG_E_NOMEM ? status : RUG_OK;
}
