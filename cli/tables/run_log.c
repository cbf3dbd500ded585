/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The log of a run. Its lines are JSON; whatever is no whole line of its kind ends it. */

#define _XOPEN_SOURCE 700 /* realpath */
#include "run_log.h"
#include "record_json.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Names ---- */

/* Another text behind one; NULL without memory. */
static char *append(const char *text, const char *ending)
{
    size_t size = strlen(text) + strlen(ending) + 1;
    char *out = malloc(size);
    if (out != NULL)
        snprintf(out, size, "%s%s", text, ending);
    return out;
}

/* Parts stand beside what links lead to. @return whether there was memory */
static int make_names(cli_log *log)
{
    int is_made = 1;
    for (size_t i = 0; i < log->n_tables; i++) {
        char *target = realpath(log->tables[i], NULL);
        log->parts[i] = append(target != NULL ? target : log->tables[i], ".part");
        free(target);
        is_made &= log->parts[i] != NULL;
    }
    if (is_made)
        log->path = append(log->parts[0], ".log");
    return log->path != NULL;
}

static rug_status fail_memory(rug_context *ctx)
{
    return rug_context_fail(ctx, RUG_E_NOMEM, "out of memory for the log of the run");
}

/* ---- Which run it is ---- */

static json_object *member(json_object *object, const char *name)
{
    json_object *value = NULL;
    return json_object_object_get_ex(object, name, &value) ? value : NULL;
}

static const char *text_of(json_object *value)
{
    return value != NULL ? json_object_to_json_string(value) : "not given";
}

static int is_equal(json_object *a, json_object *b)
{
    return strcmp(text_of(a), text_of(b)) == 0;
}

#define WHAT_TO_DO "give the same command line, or leave out --resume to begin anew"

/* @param name  which, with - for _ */
static rug_status refuse(rug_context *ctx, const cli_log *log, const char *what,
                         const char *name, json_object *old, json_object *now)
{
    char shown[64];
    snprintf(shown, sizeof shown, "%s%s", what, name);
    for (char *at = shown; *at != '\0'; at++)
        *at = *at == '_' ? '-' : *at;
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "--resume: %s.part is of another run: %s was %s and is %s now; " WHAT_TO_DO,
        log->tables[0], shown, text_of(old), text_of(now));
}

static rug_status compare_options(rug_context *ctx, const cli_log *log, json_object *old,
                                  json_object *now)
{
    json_object_object_foreach(now, name, value)
    {
        if (!is_equal(member(old, name), value))
            return refuse(ctx, log, "--", name, member(old, name), value);
    }
    if (!json_object_is_type(old, json_type_object))
        return RUG_OK;
    json_object_object_foreach(old, old_name, old_value)
    {
        if (member(now, old_name) == NULL && old_value != NULL)
            return refuse(ctx, log, "--", old_name, old_value, NULL);
    }
    return RUG_OK;
}

static size_t length_of(json_object *list)
{
    return json_object_is_type(list, json_type_array) ? json_object_array_length(list)
                                                      : 0;
}

/* The image says which input it is, unless another file of it differs. */
static rug_status refuse_input(rug_context *ctx, const cli_log *log, size_t i,
                               json_object *old, json_object *now)
{
    char which[32];
    json_object *a = member(old, "image"), *b = member(now, "image");
    int is_same = is_equal(a, b);
    snprintf(which, sizeof which, "%zu", i + 1);
    return refuse(ctx, log, "input ", which, is_same ? old : a, is_same ? now : b);
}

static rug_status compare_inputs(rug_context *ctx, const cli_log *log, json_object *old,
                                 json_object *now)
{
    size_t n_old = length_of(old), n_now = length_of(now);
    for (size_t i = 0; i < n_old && i < n_now; i++) {
        json_object *a = json_object_array_get_idx(old, i);
        json_object *b = json_object_array_get_idx(now, i);
        if (!is_equal(a, b))
            return refuse_input(ctx, log, i, a, b);
    }
    if (n_old == n_now)
        return RUG_OK;
    return rug_context_fail(
        ctx, RUG_E_ARG,
        "--resume: %s.part is of another run: it had %zu inputs and has %zu now; " WHAT_TO_DO,
        log->tables[0], n_old, n_now);
}

static rug_status compare(rug_context *ctx, const cli_log *log, json_object *old,
                          json_object *now)
{
    static const char *const names[] = {"version", "command"};
    rug_status status = RUG_OK;
    for (int i = 0; i < 2 && status == RUG_OK; i++)
        if (!is_equal(member(old, names[i]), member(now, names[i])))
            status = refuse(ctx, log, "the ", names[i], member(old, names[i]),
                            member(now, names[i]));
    if (status == RUG_OK)
        status =
            compare_options(ctx, log, member(old, "options"), member(now, "options"));
    return status == RUG_OK
               ? compare_inputs(ctx, log, member(old, "inputs"), member(now, "inputs"))
               : status;
}

/* ---- What is finished ---- */

/* A table that is read along with the log. */
typedef struct reader {
    FILE *stream; /* NULL: there is none */
    cli_mark at;
    int is_named; /* it has its name already */
} reader;

/* Whether a table holds the bytes up to a mark. Marks ascend. */
static int holds(reader *r, const cli_mark *mark)
{
    char bytes[1 << 14];
    while (r->stream != NULL && r->at.end < mark->end) {
        uint64_t rest = mark->end - r->at.end;
        size_t n = rest < sizeof bytes ? (size_t)rest : sizeof bytes;
        n = fread(bytes, 1, n, r->stream);
        if (n == 0)
            return 0;
        r->at.hash = cli_mark_hash(r->at.hash, bytes, n);
        r->at.end += n;
    }
    return r->stream != NULL && r->at.end == mark->end && r->at.hash == mark->hash;
}

static int read_mark(cli_mark *mark, json_object *list)
{
    if (length_of(list) != 3)
        return 0;
    mark->end = json_object_get_uint64(json_object_array_get_idx(list, 0));
    mark->hash = json_object_get_uint64(json_object_array_get_idx(list, 1));
    mark->n_rows = json_object_get_uint64(json_object_array_get_idx(list, 2));
    return 1;
}

static int keep_failures(cli_log *log, json_object *list)
{
    cli_lines *lines = &log->failures;
    size_t n = length_of(list);
    char **more = realloc(lines->items, (lines->n + n + 1) * sizeof *more);
    if (more == NULL)
        return 0;
    lines->items = more;
    for (size_t i = 0; i < n; i++) {
        const char *text = json_object_get_string(json_object_array_get_idx(list, i));
        more[lines->n] = text != NULL ? strdup(text) : NULL;
        if (more[lines->n] == NULL)
            return 0;
        lines->n++;
    }
    return 1;
}

/* Takes a line in, if it counts. */
static int take_line(cli_log *log, json_object *line, reader *readers)
{
    cli_mark marks[CLI_LOG_TABLES];
    json_object *list = member(line, "tables");
    uint64_t n_inputs = json_object_get_uint64(member(line, "inputs"));
    if (length_of(list) != log->n_tables ||
        n_inputs != (log->is_found ? log->n_inputs + 1 : 0))
        return 0;
    for (size_t i = 0; i < log->n_tables; i++)
        if (!read_mark(&marks[i], json_object_array_get_idx(list, i)) ||
            !holds(&readers[i], &marks[i]))
            return 0;
    if (!keep_failures(log, member(line, "failures")))
        return 0;
    memcpy(log->marks, marks, sizeof marks);
    log->n_inputs = (size_t)n_inputs;
    log->is_found = 1;
    return 1;
}

/* The next line; NULL: there is no whole one. */
static json_object *read_line(FILE *in)
{
    char *text = NULL;
    size_t size = 0;
    ssize_t n = getline(&text, &size, in);
    json_object *line = NULL;
    if (n > 0 && text[n - 1] == '\n')
        line = json_tokener_parse(text);
    free(text);
    if (!json_object_is_type(line, json_type_object)) {
        json_object_put(line);
        return NULL;
    }
    return line;
}

static void take_lines(cli_log *log, FILE *in, reader *readers)
{
    json_object *line;
    int counts = 1;
    while (counts && (line = read_line(in)) != NULL) {
        counts = take_line(log, line, readers);
        if (counts)
            log->end = ftell(in);
        json_object_put(line);
    }
}

/* A table whose part is gone may have its name already: the run was stopped between the two.
 * @param first  the first table, or its part */
static void open_readers(const cli_log *log, reader readers[CLI_LOG_TABLES], FILE *first)
{
    for (size_t i = 0; i < log->n_tables; i++) {
        FILE *part = i == 0 ? first : fopen(log->parts[i], "rb");
        readers[i] = (reader){.stream = part, .at = CLI_MARK_INIT};
        if (readers[i].stream == NULL && errno == ENOENT) {
            readers[i].stream = fopen(log->tables[i], "rb");
            readers[i].is_named = readers[i].stream != NULL;
        }
    }
}

/* Makes a table a part again. */
static rug_status take_back(rug_context *ctx, const cli_log *log, size_t i)
{
    char *target = realpath(log->tables[i], NULL);
    int is_done = target != NULL && rename(target, log->parts[i]) == 0;
    free(target);
    return is_done ? RUG_OK
                   : rug_context_fail(ctx, RUG_E_IO, "%s cannot be renamed to %s: %s",
                                      log->tables[i], log->parts[i], strerror(errno));
}

/* Takes the part of the first table for this run alone, before anything is changed: it stays open, since
 * a process gives up its locks of a file when it closes it for the first time. Where files cannot be locked
 * it goes without. */
static rug_status take_part(rug_context *ctx, cli_log *log, FILE *part)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    struct stat facts, named;
    log->part = part;
    if (log->is_complete)
        return RUG_OK;
    int is_taken =
        fcntl(fileno(part), F_SETLK, &whole) != 0 && (errno == EACCES || errno == EAGAIN);
    if (!is_taken && fstat(fileno(part), &facts) == 0 &&
        stat(log->parts[0], &named) == 0 && named.st_ino == facts.st_ino &&
        named.st_dev == facts.st_dev)
        return RUG_OK;
    return rug_context_fail(ctx, RUG_E_IO, "cannot write %s: another run writes %s.part",
                            log->tables[0], log->tables[0]);
}

/* What is there and cannot be opened must not be begun anew. */
static rug_status fail_to_open(rug_context *ctx, const char *path)
{
    return errno == ENOENT
               ? RUG_OK
               : rug_context_fail(ctx, RUG_E_IO, "--resume: cannot open %s: %s", path,
                                  strerror(errno));
}

static rug_status read_tables(rug_context *ctx, cli_log *log, FILE *in)
{
    reader readers[CLI_LOG_TABLES];
    rug_status status = RUG_OK;
    const char *path = log->is_complete ? log->tables[0] : log->parts[0];
    FILE *part = fopen(path, log->is_complete ? "rb" : "r+b");
    if (part == NULL)
        return fail_to_open(ctx, path);
    status = take_part(ctx, log, part);
    if (status != RUG_OK)
        return status;
    open_readers(log, readers, part);
    take_lines(log, in, readers);
    for (size_t i = 0; i < log->n_tables; i++) {
        if (readers[i].stream != NULL && readers[i].stream != part)
            fclose(readers[i].stream);
        if (log->is_found && readers[i].is_named && !log->is_complete && status == RUG_OK)
            status = take_back(ctx, log, i);
    }
    return status;
}

rug_status cli_log_read(rug_context *ctx, cli_log *log, const cli_record *identity)
{
    if (identity == NULL || identity->failed || !make_names(log))
        return fail_memory(ctx);
    log->is_complete =
        access(log->parts[0], F_OK) != 0 && access(log->tables[0], F_OK) == 0;
    FILE *in = fopen(log->path, "rb");
    rug_status status = in != NULL ? RUG_OK : fail_to_open(ctx, log->path);
    json_object *old = in != NULL ? read_line(in) : NULL;
    if (old != NULL)
        status = compare(ctx, log, old, identity->object);
    if (old != NULL && status == RUG_OK)
        status = read_tables(ctx, log, in);
    if (log->is_complete && status == RUG_E_ARG) /* the log is of another one */
        status = RUG_OK;
    if (log->n_inputs > length_of(member(identity->object, "inputs")))
        status = rug_context_fail(ctx, RUG_E_ARG,
                                  "--resume: %s is damaged: it has more inputs than the "
                                  "run; remove it to begin anew",
                                  log->path);
    json_object_put(old);
    if (in != NULL)
        fclose(in);
    return status;
}

/* ---- Writing ---- */

static rug_status fail_to_write(rug_context *ctx, const cli_log *log)
{
    return rug_context_fail(ctx, RUG_E_IO, "cannot write %s: %s", log->path,
                            strerror(errno));
}

/* Writes a line, which is freed. */
static rug_status write_line(rug_context *ctx, cli_log *log, json_object *line,
                             int is_made)
{
    const char *text = NULL;
    if (line != NULL && is_made)
        text = cli_json_text(line, JSON_C_TO_STRING_PLAIN);
    rug_status status = RUG_OK;
    if (text == NULL)
        status = fail_memory(ctx);
    else if (fprintf(log->stream, "%s\n", text) < 0 || fflush(log->stream) != 0)
        status = fail_to_write(ctx, log);
    json_object_put(line);
    return status;
}

/* Adds an item to a list, which takes it over. @return whether there was memory */
static int add_item(json_object *list, json_object *item)
{
    if (list != NULL && item != NULL && json_object_array_add(list, item) == 0)
        return 1;
    json_object_put(item);
    return 0;
}

/* Likewise a list to an object. */
static int add_list(json_object *object, const char *name, json_object *list)
{
    if (object != NULL && list != NULL && json_object_object_add(object, name, list) == 0)
        return 1;
    json_object_put(list);
    return 0;
}

static int add_mark(json_object *list, const cli_mark *mark)
{
    json_object *numbers = json_object_new_array();
    int is_made = add_item(numbers, json_object_new_uint64(mark->end)) &
                  add_item(numbers, json_object_new_uint64(mark->hash)) &
                  add_item(numbers, json_object_new_uint64(mark->n_rows));
    return add_item(list, numbers) & is_made;
}

static rug_status add_line(rug_context *ctx, cli_log *log, char *const *failures,
                           size_t n)
{
    json_object *line = json_object_new_object(), *marks = json_object_new_array();
    json_object *texts = json_object_new_array();
    int is_made = add_list(line, "inputs", json_object_new_uint64(log->n_inputs));
    for (size_t i = 0; i < log->n_tables; i++)
        is_made &= add_mark(marks, &log->marks[i]);
    for (size_t i = 0; i < n; i++)
        is_made &= add_item(texts, json_object_new_string(failures[i]));
    is_made &= add_list(line, "tables", marks);
    is_made &= add_list(line, "failures", texts);
    return write_line(ctx, log, line, is_made);
}

static rug_status begin(rug_context *ctx, cli_log *log, const cli_record *identity)
{
    if ((log->path == NULL && !make_names(log)) || (identity == NULL && !log->is_found))
        return fail_memory(ctx);
    log->stream = fopen(log->path, log->is_found ? "r+b" : "wb");
    if (log->stream == NULL)
        return fail_to_write(ctx, log);
    setvbuf(log->stream, NULL, _IOLBF, BUFSIZ);
    if (!log->is_found)
        return write_line(ctx, log, json_object_get(identity->object), !identity->failed);
    if (ftruncate(fileno(log->stream), log->end) != 0 ||
        fseek(log->stream, log->end, SEEK_SET) != 0)
        return fail_to_write(ctx, log);
    return RUG_OK;
}

rug_status cli_log_add(rug_context *ctx, cli_log *log, const cli_record *identity,
                       char *const *failures, size_t n)
{
    if (log->stream == NULL) {
        rug_status status = begin(ctx, log, identity);
        if (status != RUG_OK || log->is_found)
            return status;
    }
    return add_line(ctx, log, failures, n);
}
