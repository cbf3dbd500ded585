/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Names of files that are written: checked before anything is read, made for each image, and
 * claimed so that nothing is written over an input or over another output. */

#define _XOPEN_SOURCE 700 /* realpath */

#include "workers.h"
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* ---- Which file a name leads to ---- */

static int is_same_file(const struct stat *a, const char *path)
{
    struct stat b;
    return path != NULL && stat(path, &b) == 0 && a->st_dev == b.st_dev &&
           a->st_ino == b.st_ino;
}

/* Likewise where the path is that of an array in a file. */
static int is_file_of(const struct stat *a, const char *path)
{
    char file[CLI_PATH_MAX];
    size_t n = path != NULL ? rugi_array_file(path) : 0;
    if (n == 0 || n >= sizeof file)
        return is_same_file(a, path);
    snprintf(file, sizeof file, "%.*s", (int)n, path);
    return is_same_file(a, file);
}

/* The folder of a path, resolved, and its last name. @return 0 when there is no folder */
static int split_path(char folder[PATH_MAX], const char **name, const char *path)
{
    char copy[PATH_MAX];
    const char *slash = strrchr(path, '/');
    *name = slash != NULL ? slash + 1 : path;
    int n = slash == NULL
                ? snprintf(copy, sizeof copy, ".")
                : snprintf(copy, sizeof copy, "%.*s", (int)(slash + 1 - path), path);
    return n > 0 && n < PATH_MAX && realpath(copy, folder) != NULL;
}

int cli_same_path(const char *a, const char *b)
{
    struct stat facts;
    char folder_a[PATH_MAX], folder_b[PATH_MAX];
    const char *name_a, *name_b;
    if (strcmp(a, b) == 0)
        return 1;
    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
        return 0;
    if (stat(a, &facts) == 0 && is_same_file(&facts, b))
        return 1;
    return split_path(folder_a, &name_a, a) && split_path(folder_b, &name_b, b) &&
           strcmp(folder_a, folder_b) == 0 && strcmp(name_a, name_b) == 0;
}

/* Whether a file is an image in a folder that is read as a volume. */
static int is_slice(const cli_run *run, const char *path)
{
    struct stat facts;
    char folder[PATH_MAX];
    const char *name;
    int is_image = 0, is_in = 0;
    if (!run->reading.volume || !split_path(folder, &name, path) ||
        stat(folder, &facts) != 0)
        return 0;
    for (size_t i = 0; i < run->n_inputs && !is_in; i++)
        is_in = is_same_file(&facts, run->inputs[i].path) ||
                is_same_file(&facts, run->inputs[i].mask) ||
                is_same_file(&facts, run->inputs[i].labels);
    if (is_in || is_same_file(&facts, run->mask))
        rug_file_is_image(run->ctx, &is_image, path);
    return is_image;
}

/* The file that a name leads to, whether it is there or not; NULL without memory. */
static char *resolve(const char *path)
{
    char folder[PATH_MAX];
    const char *name;
    char *real = realpath(path, NULL);
    if (real != NULL)
        return real;
    if (!split_path(folder, &name, path))
        return strdup(path);
    size_t size = strlen(folder) + strlen(name) + 2;
    char *out = malloc(size);
    if (out != NULL)
        snprintf(out, size, "%s/%s", strcmp(folder, "/") != 0 ? folder : "", name);
    return out;
}

static const char *name_of(const char *path)
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    return slash != NULL ? slash + 1 : path;
}

/* An input of another shard is known by its name, so that a long list costs a shard nothing. */
static int is_file_of_input(const struct stat *facts, const cli_input *input,
                            const char *path)
{
    if (input->is_others && strcmp(name_of(input->path), name_of(path)) != 0)
        return 0;
    return is_file_of(facts, input->path) || is_file_of(facts, input->mask) ||
           is_file_of(facts, input->labels);
}

static int is_read(const cli_run *run, const char *path)
{
    struct stat facts;
    if (path == NULL || stat(path, &facts) != 0 || !S_ISREG(facts.st_mode))
        return 0;
    for (size_t i = 0; i < run->n_slices; i++)
        if (is_same_file(&facts, run->slices[i]))
            return 1;
    if (is_slice(run, path))
        return 1;
    for (size_t i = 0; i < run->n_inputs; i++)
        if (is_file_of_input(&facts, &run->inputs[i], path))
            return 1;
    return is_same_file(&facts, run->common.list) || is_file_of(&facts, run->mask) ||
           is_same_file(&facts, run->model) || is_same_file(&facts, run->common.values);
}

/* A table is also written under other names, see tables/report.h and tables/run_log.h. */
int cli_is_input(const cli_run *run, const char *path)
{
    char other[CLI_PATH_MAX];
    static const char *const endings[] = {"", ".part", ".part.log"};
    for (size_t i = 0; path != NULL && i < sizeof endings / sizeof endings[0]; i++) {
        snprintf(other, sizeof other, "%s%s", path, endings[i]);
        if (is_read(run, other))
            return 1;
    }
    return 0;
}

uint64_t cli_file_bytes(const char *path)
{
    struct stat facts;
    int is_file = stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
    return is_file && facts.st_size > 0 ? (uint64_t)facts.st_size : 0;
}

/* ---- Checks of the command line ---- */

static const char *refuse(cli_run *run, const char *option, const char *why)
{
    rug_context_fail(run->ctx, RUG_E_ARG, "--%s%s", option, why);
    return rug_context_error(run->ctx);
}

const char *cli_check_exclusive(cli_run *run, const char *a, const char *b)
{
    if (!cli_is_given(&run->words, a) || !cli_is_given(&run->words, b))
        return NULL;
    rug_context_fail(run->ctx, RUG_E_ARG, "--%s and --%s cannot be used together", a, b);
    return rug_context_error(run->ctx);
}

const char *cli_refuse_word(cli_run *run, const char *option, const char *word,
                            const char *expected)
{
    size_t n = strcspn(word, ",");
    rug_context_fail(run->ctx, RUG_E_ARG, "--%s: '%.*s%s' given, %s expected", option,
                     n < 64 ? (int)n : 60, word, n < 64 ? "" : "...", expected);
    return rug_context_error(run->ctx);
}

const char *cli_check_mode(cli_run *run, unsigned mode, const char *why)
{
    run->mode = mode;
    for (size_t i = 0; i < run->words.n_given; i++) {
        const cli_option *o = run->words.given[i];
        if (o->modes == 0 || o->modes & mode)
            continue;
        rug_context_fail(run->ctx, RUG_E_ARG, "--%s %s", o->name, why);
        return rug_context_error(run->ctx);
    }
    return NULL;
}

/* Values of pixels, separated by commas. */
static const char *parse_values(cli_run *run, const char *text)
{
    cli_inside *inside = &run->inside;
    for (const char *at = text; at != NULL;) {
        char word[64];
        size_t n = strcspn(at, ",");
        snprintf(word, sizeof word, "label=%.*s", n < 50 ? (int)n : 50, at);
        if (inside->n == CLI_INSIDE_MAX)
            return "--mask-value: more than 64 values";
        if (n == 0 ||
            rug_foreground_parse(run->ctx, &inside->values[inside->n++], word) != RUG_OK)
            return "--mask-value: numbers expected, such as 1 or 1,2";
        at = at[n] == ',' ? at + n + 1 : NULL;
    }
    return NULL;
}

static int parse_threshold(cli_run *run, const char *text)
{
    char word[64];
    snprintf(word, sizeof word, "above=%.50s", text);
    run->inside.n = 1;
    return rug_foreground_parse(run->ctx, &run->inside.values[0], word) == RUG_OK;
}

static int has_masks(const cli_run *run)
{
    for (size_t i = 0; i < run->n_inputs; i++)
        if (run->inputs[i].mask != NULL)
            return 1;
    return run->mask != NULL;
}

/* What is inside of masks. */
static const char *take_inside(cli_run *run)
{
    const cli_reading *r = &run->reading;
    int n = (r->mask_value != NULL) + (r->mask_above != NULL) + (r->mask_below != NULL);
    if (n == 0)
        return NULL;
    if (n > 1)
        return "only one of --mask-value, --mask-above and --mask-below can be given";
    if (!has_masks(run))
        return "--mask-value, --mask-above and --mask-below need a mask: --mask FILE, or a "
               "column 'mask' in a list";
    run->inside.kind = r->mask_value != NULL   ? CLI_INSIDE_VALUES
                       : r->mask_above != NULL ? CLI_INSIDE_ABOVE
                                               : CLI_INSIDE_BELOW;
    if (r->mask_value != NULL)
        return parse_values(run, r->mask_value);
    if (r->mask_above != NULL)
        return parse_threshold(run, r->mask_above) ? NULL
                                                   : "--mask-above: a number expected";
    return parse_threshold(run, r->mask_below) ? NULL : "--mask-below: a number expected";
}

/* Labels are those of one image, and of no other that happens to have its shape. */
static const char *check_labels(cli_run *run)
{
    size_t n_own = 0;
    for (size_t i = 0; i < run->n_inputs; i++)
        n_own += run->inputs[i].labels != NULL;
    run->has_labels = run->labels != NULL || n_own > 0;
    if (run->labels != NULL && n_own > 0)
        return "--labels and a column 'labels' in the list cannot be used together";
    if (n_own > 0 && n_own < run->n_inputs) {
        rug_context_fail(run->ctx, RUG_E_ARG,
                         "column 'labels': %zu of %zu images have a label image; all or "
                         "none expected",
                         n_own, run->n_inputs);
        return rug_context_error(run->ctx);
    }
    if (run->labels == NULL || run->n_inputs < 2 || strstr(run->labels, "{}") != NULL ||
        strstr(run->labels, "{dir}") != NULL)
        return NULL;
    rug_context_fail(
        run->ctx, RUG_E_ARG,
        "--labels %s: one label image for %zu images; put '{}' into its name, "
        "for the name of each image, or list both with --list, in the columns "
        "'image' and 'labels'",
        run->labels, run->n_inputs);
    return rug_context_error(run->ctx);
}

/* Gives each input its label image. */
static const char *take_labels(cli_run *run)
{
    const char *problem = check_labels(run);
    for (size_t i = 0; problem == NULL && run->labels != NULL && i < run->n_inputs; i++) {
        char path[CLI_PATH_MAX];
        if (!cli_put_name(path, run->labels, run->inputs[i].path, ""))
            return "--labels: the name is too long";
        run->inputs[i].labels = strdup(path);
        if (run->inputs[i].labels == NULL)
            return cli_no_memory;
    }
    return problem;
}

const char *cli_check_masks(cli_run *run)
{
    const char *problem = take_labels(run);
    if (problem == NULL)
        problem = take_inside(run);
    if (problem != NULL)
        return problem;
    if (run->reading.ignore_geometry && !has_masks(run) && !run->has_labels)
        return "--ignore-geometry needs a mask or labels, whose geometry could be compared";
    if (cli_is_input(run, run->common.output))
        return "--output: the file is an input";
    for (size_t i = 0; run->mask != NULL && i < run->n_inputs; i++)
        if (run->inputs[i].mask != NULL)
            return "--mask and a column 'mask' in the list cannot be used together";
    return NULL;
}

int cli_is_every_page(const cli_run *run)
{
    return run->reading.page != NULL && strcmp(run->reading.page, "all") == 0;
}

/* A file that will be written for an input. */
typedef struct promised {
    char *path; /* owned */
    size_t input;
} promised;

static int by_path(const void *a, const void *b)
{
    const promised *x = a, *y = b;
    int order = strcmp(x->path, y->path);
    return order != 0 ? order : (x->input > y->input) - (x->input < y->input);
}

/* Fills in which file each input has. @return how many there is memory for */
static size_t promise(const cli_run *run, promised *files, const char *name,
                      int has_labels)
{
    char image[CLI_PATH_MAX], path[CLI_PATH_MAX];
    for (size_t i = 0; i < run->n_inputs; i++) {
        snprintf(image, sizeof image, "%s%s%s", run->inputs[i].path,
                 cli_is_every_page(run) ? "[page=0]" : "", has_labels ? "[label=1]" : "");
        cli_put_name(path, name, image, "");
        files[i] = (promised){resolve(path), i};
        if (files[i].path == NULL)
            return i;
    }
    return run->n_inputs;
}

/* The names of two inputs must differ, as far as can be told before they are read. */
static const char *check_clashes(cli_run *run, const char *option, const char *name,
                                 int has_labels)
{
    promised *files = calloc(run->n_inputs + 1, sizeof *files);
    size_t n = files != NULL ? promise(run, files, name, has_labels) : 0;
    const char *problem = n < run->n_inputs ? cli_no_memory : NULL;
    if (problem == NULL)
        qsort(files, n, sizeof *files, by_path);
    for (size_t i = 1; i < n && problem == NULL; i++) {
        if (strcmp(files[i - 1].path, files[i].path) != 0)
            continue;
        char path[CLI_PATH_MAX];
        cli_put_name(path, name, run->inputs[files[i].input].path, "");
        rug_context_fail(
            run->ctx, RUG_E_ARG,
            "--%s: %s and %s would both write %s; '{}' stands for the name of "
            "an image, '{dir}' for its folder",
            option, run->inputs[files[i - 1].input].path,
            run->inputs[files[i].input].path, path);
        problem = rug_context_error(run->ctx);
    }
    for (size_t i = 0; i < n; i++)
        free(files[i].path);
    free(files);
    return problem;
}

/* Several files of one kind are written: their names must differ.
 * @param is_several  there is more than one of an input */
static const char *check_braces(cli_run *run, const char *option, const char *name,
                                int is_several, int has_labels)
{
    int has_name = strstr(name, "{}") != NULL;
    is_several |= has_labels || cli_is_every_page(run);
    run->writing.writes_files = 1;
    if (!has_name && (is_several || (run->n_inputs > 1 && strstr(name, "{dir}") == NULL)))
        return refuse(run, option,
                      ": several files are written, so the name must contain '{}'");
    return cli_is_input(run, name) ? refuse(run, option, ": the file is an input")
                                   : check_clashes(run, option, name, has_labels);
}

const char *cli_check_result_name(cli_run *run, const char *option, const char *name)
{
    if (name[0] == '\0' || strcmp(name, "-") == 0)
        return refuse(run, option, ": a file expected; standard output is for the table");
    return check_braces(run, option, name, 0, 0);
}

const char *cli_check_map_name(cli_run *run, const char *name, int is_several)
{
    if (!rugi_has_ending(name, ".tif") && !rugi_has_ending(name, ".tiff"))
        return "--map: a name that ends in .tif or .tiff expected";
    if (run->common.output != NULL && cli_same_path(name, run->common.output))
        return "--map and --output name the same file";
    return check_braces(run, "map", name, is_several, 0);
}

const char *cli_check_plot_name(cli_run *run, const char *name, int is_several,
                                int *is_joined)
{
    if (name == NULL)
        return NULL;
    if (cli_plot_check_name(run->ctx, name) != RUG_OK)
        return rug_context_error(run->ctx);
    if (run->common.overlay != NULL && cli_same_path(name, run->common.overlay))
        return "--plot and --overlay name the same file";
    if (run->common.output != NULL && cli_same_path(name, run->common.output))
        return "--plot and --output name the same file";
    *is_joined = strstr(name, "{}") == NULL && strstr(name, "{dir}") == NULL &&
                 (is_several || cli_is_every_page(run) || run->n_inputs > 1);
    if (!*is_joined)
        return check_braces(run, "plot", name, is_several, run->has_labels && is_several);
    if (run->common.resume)
        return "--resume: one plot of all images needs all of them; put '{}' into the name of "
               "--plot, for one of each";
    return cli_is_input(run, name) ? refuse(run, "plot", ": the file is an input") : NULL;
}

const char *cli_check_overlay_name(cli_run *run, const char *name)
{
    if (name == NULL)
        return NULL;
    if (!rugi_has_ending(name, ".png"))
        return refuse(run, "overlay", ": a name that ends in .png expected");
    if (run->common.output != NULL && cli_same_path(name, run->common.output))
        return "--overlay and --output name the same file";
    rug_status status = rug_picture_check_name(run->ctx, name);
    if (status != RUG_OK)
        return status == RUG_E_NOMEM ? cli_no_memory : rug_context_error(run->ctx);
    return check_braces(run, "overlay", name, 0, 0);
}

const char *cli_check_second_report(cli_run *run, const char *option, const char *path)
{
    const char *output = run->common.output != NULL ? run->common.output : "-";
    int is_stdout = path != NULL && strcmp(path, "-") == 0;
    cli_report_format format;
    if (path == NULL)
        return NULL;
    if (cli_is_input(run, path))
        return refuse(run, option, ": the file is an input");
    if (run->common.report != NULL && cli_same_path(path, run->common.report))
        return refuse(run, option,
                      is_stdout ? " and --report cannot both go to standard output"
                                : " and --report name the same file");
    if (!is_stdout && cli_report_format_of(run->ctx, &format, path) != RUG_OK)
        return rug_context_error(run->ctx);
    if (!cli_same_path(path, output))
        return NULL;
    if (!is_stdout)
        return refuse(run, option, " and --output name the same file");
    return run->common.format == CLI_REPORT_TEXT
               ? NULL
               : refuse(run, option,
                        " -: the results already go to standard output; give --output or "
                        "a file");
}

/* ---- The outputs of an image ---- */

static rug_status expand_name(cli_run *run, char path[CLI_PATH_MAX], const char *option,
                              const char *asked, const char *image, const char *suffix)
{
    return cli_put_name(path, asked, image, suffix)
               ? RUG_OK
               : rug_context_fail(run->ctx, RUG_E_ARG, "--%s: the name is too long",
                                  option);
}

/* @param resolved  taken over */
static rug_status keep_name(cli_outputs *outputs, char *resolved)
{
    char **more = realloc(outputs->items, (outputs->n + 1) * sizeof *more);
    if (more == NULL) {
        free(resolved);
        return RUG_E_NOMEM;
    }
    outputs->items = more;
    more[outputs->n++] = resolved;
    return RUG_OK;
}

static int is_written(const cli_outputs *outputs, const char *resolved)
{
    for (size_t i = 0; i < outputs->n; i++)
        if (strcmp(outputs->items[i], resolved) == 0)
            return 1;
    return 0;
}

static rug_status claim_path(cli_run *run, cli_outputs *outputs, const char *option,
                             const char *path)
{
    if (cli_is_input(run, path))
        return rug_context_fail(run->ctx, RUG_E_ARG, "--%s: %s is an input", option,
                                path);
    if (run->common.output != NULL && cli_same_path(path, run->common.output))
        return rug_context_fail(run->ctx, RUG_E_ARG, "--%s: %s is the --output", option,
                                path);
    if (run->common.report != NULL && cli_same_path(path, run->common.report))
        return rug_context_fail(run->ctx, RUG_E_ARG, "--%s: %s is the --report", option,
                                path);
    char *resolved = resolve(path);
    if (resolved != NULL &&
        (is_written(outputs, resolved) || is_written(run->overlays, resolved))) {
        free(resolved);
        return rug_context_fail(run->ctx, RUG_E_ARG,
                                "--%s: %s was already written by this run", option, path);
    }
    return resolved != NULL && keep_name(outputs, resolved) == RUG_OK
               ? RUG_OK
               : rug_context_fail(run->ctx, RUG_E_NOMEM, "--%s: out of memory", option);
}

/* Whether an earlier input may have an output of the same name: all names of its outputs begin
 * with its short name. */
static int may_claim_same(const cli_run *run, size_t earlier)
{
    char a[CLI_PATH_MAX], b[CLI_PATH_MAX];
    cli_put_name(a, "{}", run->inputs[earlier].path, "");
    cli_put_name(b, "{}", run->inputs[run->input].path, "");
    size_t n_a = strlen(a), n_b = strlen(b);
    return strncmp(a, b, n_a < n_b ? n_a : n_b) == 0;
}

rug_status cli_claim(cli_run *run, cli_outputs *outputs, char path[CLI_PATH_MAX],
                     const char *option, const char *asked, const char *image,
                     const char *suffix)
{
    static pthread_mutex_t claiming = PTHREAD_MUTEX_INITIALIZER;
    int is_for_each = strstr(asked, "{}") != NULL;
    rug_status status = expand_name(run, path, option, asked, image, suffix);
    if (status == RUG_OK)
        status = cli_await_turn(run, is_for_each ? may_claim_same : NULL);
    if (status != RUG_OK)
        return status;
    pthread_mutex_lock(&claiming);
    status = claim_path(run, outputs, option, path);
    pthread_mutex_unlock(&claiming);
    return status;
}

void cli_free_outputs(cli_outputs *outputs)
{
    for (size_t i = 0; i < outputs->n; i++)
        free(outputs->items[i]);
    free(outputs->items);
}
