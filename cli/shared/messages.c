/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Everything on stderr that commands print alike: the progress line, warnings, failures, what
 * was read, and times. */

#include "io/base/utf8.h"
#include "nodata.h"
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- Lines for people ---- */

/* Bytes of a line that needs no memory. */
#define LINE_MAX_HERE 1024

/* Without memory a long text is cut off. */
static void print_shown(FILE *out, const char *format, va_list arguments)
{
    char here[LINE_MAX_HERE], *text = here;
    va_list again;
    va_copy(again, arguments);
    int n = vsnprintf(here, sizeof here, format, arguments);
    if (n >= (int)sizeof here) {
        char *more = malloc((size_t)n + 1);
        text = more != NULL ? more : here;
        if (more != NULL)
            vsnprintf(more, (size_t)n + 1, format, again);
    }
    va_end(again);
    size_t n_text = strlen(text), n_format = strlen(format);
    int ends_line = n_format > 0 && format[n_format - 1] == '\n';
    if (ends_line && n_text > 0 && text[n_text - 1] == '\n')
        text[n_text - 1] = '\0';
    rugi_utf8_show(out, text);
    if (ends_line)
        fputc('\n', out);
    if (text != here)
        free(text);
}

void cli_print(FILE *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_shown(out, format, arguments);
    va_end(arguments);
}

const char cli_no_memory[] = "out of memory";

rug_context *cli_new_context(void)
{
    rug_context *ctx;
    if (rug_context_new(&ctx) != RUG_OK)
        cli_print(stderr, "rugose: %s\n", cli_no_memory);
    return ctx;
}

/* ---- The progress line ---- */

#define SHOW_AFTER 1.0 /* seconds of work before the line appears */
#define REDRAW     0.1 /* seconds between two looks of it */
#define CLEAR_LINE "\r\033[K"

#define PROGRESS_MAX 80

double cli_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* "12 of 300  4 %  about 2:10 left" */
static void format_progress(char text[PROGRESS_MAX], const cli_run *run, double share,
                            double elapsed)
{
    int n = snprintf(text, PROGRESS_MAX, "%zu of %zu  ", run->input + 1, run->n_inputs);
    char *at = text + n;
    size_t rest = PROGRESS_MAX - (size_t)n;
    if (share <= 0) {
        snprintf(at, rest, "0 %%");
        return;
    }
    double left = elapsed * (1 - share) / share;
    unsigned long seconds = left < 359999 ? (unsigned long)(left + 0.5) : 359999;
    if (seconds >= 3600)
        snprintf(at, rest, "%.0f %%  about %lu:%02lu:%02lu left", share * 100,
                 seconds / 3600, seconds / 60 % 60, seconds % 60);
    else
        snprintf(at, rest, "%.0f %%  about %lu:%02lu left", share * 100, seconds / 60,
                 seconds % 60);
}

void cli_phase(cli_run *run, double until)
{
    run->phase_at += run->phase_share;
    run->phase_share = until - run->phase_at;
}

void cli_shorten_phase(cli_run *run, double until)
{
    run->phase_share = until - run->phase_at;
}

static void show_progress(void *user, double share)
{
    cli_run *run = user;
    double of_input = run->phase_at + run->phase_share * share;
    if (run->permille != NULL) {
        atomic_store_explicit(run->permille, (int)(1000 * of_input),
                              memory_order_relaxed);
        return;
    }
    double elapsed = cli_now() - run->started;
    if (run->common.no_progress || run->common.quiet || elapsed < SHOW_AFTER ||
        elapsed < run->redraw_at || !isatty(STDERR_FILENO))
        return;
    run->redraw_at = elapsed + REDRAW;
    double done = (double)(run->input - run->writing.n_skipped) + of_input;
    char text[PROGRESS_MAX];
    format_progress(text, run, done / (double)(run->n_inputs - run->writing.n_skipped),
                    elapsed);
    fprintf(run->err, CLEAR_LINE "%s", text);
    fflush(run->err);
    run->progress_shown = 1;
}

void cli_clear_progress(cli_run *run)
{
    if (run->progress_shown)
        fputs(CLEAR_LINE, run->err);
    run->progress_shown = 0;
}

/* ---- Warnings and failures ---- */

#define SHOWN_OF_KIND 3 /* images that are named */

/* FNV-1a of a text without its digits. */
static uint64_t hash(const char *text)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (; *text != '\0'; text++)
        if (*text < '0' || *text > '9')
            h = (h ^ (unsigned char)*text) * 0x100000001b3u;
    return h;
}

/* That of a format, or of the text itself where it was made by another. */
static uint64_t kind_of(const char *format, const char *text)
{
    return hash(strcmp(format, "%s") != 0 ? format : text);
}

/* @return NULL: there is no memory */
static cli_warnings *warnings_of(cli_run *run, uint64_t kind)
{
    for (size_t i = 0; i < run->n_warnings; i++)
        if (run->warnings[i].kind == kind)
            return &run->warnings[i];
    cli_warnings *more = realloc(run->warnings, (run->n_warnings + 1) * sizeof *more);
    if (more == NULL)
        return NULL;
    run->warnings = more;
    more[run->n_warnings] = (cli_warnings){.kind = kind};
    return &more[run->n_warnings++];
}

/* Counts a warning. @return whether it is to be printed */
static int count_warning(cli_run *run, const cli_warned *w, const char *line, size_t n)
{
    cli_warnings *k = warnings_of(run, w->kind);
    if (k == NULL)
        return 1;
    int is_same = k->n_shown > 0 && k->input == w->input && k->page == w->page;
    if (!is_same) {
        *(k->n_shown < SHOWN_OF_KIND ? &k->n_shown : &k->n_more) += 1;
        k->input = w->input;
        k->page = w->page;
    }
    if (k->first == NULL)
        k->first = strndup(line, n);
    return k->n_more == 0;
}

/* One about no image, for the page. */
static void note_of_run(cli_run *run, const char *line)
{
    cli_warnings *k = warnings_of(run, hash(line));
    if (k == NULL)
        return;
    k->is_of_run = 1;
    if (k->first == NULL)
        k->first = strdup(line);
}

/* Where a worker keeps its text: the run of the batch decides. */
static void keep_warning(cli_run *run, cli_warned warned, const char *line)
{
    warned.begin = ftello(run->err);
    cli_print(run->err, "%s\n", line);
    warned.end = ftello(run->err);
    cli_warned *more = realloc(run->warned, (run->n_warned + 1) * sizeof *more);
    if (more == NULL)
        return; /* then it is printed */
    run->warned = more;
    more[run->n_warned++] = warned;
}

/* The text of a warning without the name of its file, for JSON; without a text (NULL) the report is not
 * whole. */
static void note_warning(cli_run *run, const char *text)
{
    const char *names[] = {run->image, run->inputs[run->input].path};
    if (run->report == NULL || !run->has_details)
        return;
    if (text == NULL) {
        cli_report_add(run->report, NULL);
        return;
    }
    for (int i = 0; i < 2; i++) {
        size_t n = strlen(names[i]);
        if (strncmp(text, names[i], n) == 0 && strncmp(text + n, ": ", 2) == 0)
            text += n + 2;
    }
    cli_report_note(run->report, text);
}

static char *make_line(const cli_run *run, const char *format, va_list arguments,
                       uint64_t *kind, size_t *n_head)
{
    char *line = NULL;
    size_t n;
    FILE *out = open_memstream(&line, &n);
    if (out == NULL)
        return NULL;
    fputs("rugose: warning: ", out);
    if (run->image != NULL)
        fprintf(out, "%s: ", run->image);
    fflush(out);
    *n_head = n;
    vfprintf(out, format, arguments);
    if (!rugi_close_text(out, &line))
        return NULL;
    *kind = run->image != NULL ? kind_of(format, line + *n_head) : 0;
    return line;
}

void cli_warn(cli_run *run, const char *format, ...)
{
    va_list arguments;
    cli_warned warned = {.input = run->input, .page = run->page};
    size_t n_head;
    cli_clear_progress(run);
    va_start(arguments, format);
    char *line = make_line(run, format, arguments, &warned.kind, &n_head);
    va_end(arguments);
    if (run->image != NULL)
        note_warning(run, line != NULL ? line + n_head : NULL);
    else if (line != NULL && run->batch == NULL)
        note_of_run(run, line);
    if (line == NULL)
        cli_print(run->err, "rugose: warning: %s: no memory for a warning\n",
                  run->image != NULL ? run->image : "");
    else if (run->image != NULL && run->batch != NULL)
        keep_warning(run, warned, line);
    else if (run->image == NULL || count_warning(run, &warned, line, strlen(line)))
        cli_print(run->err, "%s\n", line);
    free(line);
}

void cli_print_kept(cli_run *run, const cli_run *worker, const char *text, size_t n)
{
    size_t at = 0;
    for (size_t i = 0; i < worker->n_warned; i++) {
        const cli_warned *w = &worker->warned[i];
        size_t begin = (size_t)w->begin, end = (size_t)w->end;
        fwrite(text + at, 1, begin - at, run->err);
        if (count_warning(run, w, text + begin, end - begin - 1))
            fwrite(text + begin, 1, end - begin, run->err);
        at = end;
    }
    fwrite(text + at, 1, n - at, run->err);
}

/* Where a text begins behind a path and the folder of the list in it; NULL: it does not begin so. */
static const char *behind(const char *text, const char *path, size_t at)
{
    return path != NULL && strncmp(text, path, strlen(path)) == 0 ? text + at : NULL;
}

const char *cli_as_listed(const cli_run *run, const char *text)
{
    if (run->input >= run->n_inputs)
        return text;
    const cli_input *input = &run->inputs[run->input];
    const char *shown = behind(text, input->path, input->path_at);
    if (shown == NULL)
        shown = behind(text, input->mask, input->mask_at);
    if (shown == NULL)
        shown = behind(text, input->labels, input->labels_at);
    return shown != NULL ? shown : text;
}

void cli_end_image(cli_run *run)
{
    if (run->report != NULL && run->has_details)
        cli_report_note(run->report, NULL);
    run->image = NULL;
}

void cli_fail(cli_run *run, const char *text)
{
    cli_clear_progress(run);
    cli_print(run->err, "rugose: %s\n", text);
    run->n_failures++;
    char **more = realloc(run->failures, (run->n_told + 1) * sizeof *more);
    if (more == NULL)
        return;
    run->failures = more;
    run->failures[run->n_told] = strdup(text);
    run->n_told += run->failures[run->n_told] != NULL;
}

void cli_fail_input(cli_run *run, const char *path, const char *name)
{
    char text[2 * CLI_NAME_MAX + 1100];
    const char *error = rug_context_error(run->ctx);
    int named = strncmp(error, path, strlen(path)) == 0;
    if (run->labels != NULL && strncmp(error, "label image: ", 13) == 0)
        snprintf(text, sizeof text, "%s: label image of %s: %s", run->labels, name,
                 error + 13);
    else
        snprintf(text, sizeof text, "%s%s%s", named ? "" : name, named ? "" : ": ",
                 cli_as_listed(run, error));
    cli_fail(run, text);
    if (run->parts != NULL && run->parts->fail != NULL)
        run->parts->fail(run, name, text);
}

/* ---- What a context tells ---- */

static atomic_int interrupted; /* by this signal; workers read it, too */

static void on_interrupt(int signal)
{
    interrupted = signal;
}

static int is_cancelled(void *run)
{
    if (interrupted)
        ((cli_run *)run)->interrupted = interrupted;
    return interrupted != 0;
}

int cli_is_reader_gone(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO};
    return poll(&out, 1, 0) == 1 && (out.revents & (POLLERR | POLLHUP)) != 0;
}

/* A text about the file in work begins with its name, which the warning has already. */
static void warn_from_library(void *user, const char *text)
{
    const cli_run *run = user;
    if (run->image != NULL && run->input < run->n_inputs) {
        const char *path = run->inputs[run->input].path;
        size_t n = strlen(path);
        if (strncmp(text, path, n) == 0 && strncmp(text + n, ": ", 2) == 0)
            text += n + 2;
    }
    cli_warn(user, "%s", cli_as_listed(run, text));
}

void cli_listen(cli_run *run)
{
    rug_context_set_progress(run->ctx, show_progress, run);
    rug_context_set_cancel(run->ctx, is_cancelled, run);
    rug_context_set_warn(run->ctx, warn_from_library, run);
    if (run->batch != NULL)
        return;
    struct sigaction action = {.sa_handler = on_interrupt}, old;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
}

/* ---- What was read, and times ---- */

void cli_print_line(cli_run *run, char *line)
{
    cli_clear_progress(run);
    if (line != NULL)
        cli_print(run->err, "%s\n", line);
    free(line);
}

/* When pixels without data leave little. */
#define NODATA_HIGH 0.95

/* Warns where nearly nothing is left, where nothing has the value that was given, and where pixels
 * without data are measured all the same. */
static void warn_of_nodata(cli_run *run, const cli_image *image)
{
    const rug_file_facts *f = image->facts;
    uint64_t n = rug_image_pixels(image->pixels), left = n - f->n_nodata;
    char value[CLI_NODATA_MAX];
    if (!f->is_counted)
        return;
    cli_nodata_text(value, f);
    if (!run->command->takes_nodata && f->n_nodata > 0)
        cli_warn(run,
                 "nodata %s: %" PRIu64 " of %" PRIu64
                 " values stand for no data, and are taken as they are stored",
                 value, f->n_nodata, n);
    else if (run->command->takes_nodata && left == 0)
        cli_warn(run, "nodata %s: no pixel is left; --nodata none reads all", value);
    else if (run->command->takes_nodata && (double)left < (1 - NODATA_HIGH) * (double)n)
        cli_warn(run,
                 "nodata %s: only %" PRIu64 " of %" PRIu64
                 " pixels are left; --nodata none reads all",
                 value, left, n);
    else if (run->nodata == RUG_NODATA_VALUE && f->n_nodata == 0 && !isnan(f->nodata))
        cli_warn(run, "nodata %s: no pixel has this value", value);
}

void cli_print_read(cli_run *run, const cli_image *image, const char *extra)
{
    if (!run->common.quiet)
        cli_print_line(run,
                       cli_file_read_line(
                           image->file, image->facts, cli_as_listed(run, image->path),
                           image->watch != NULL ? cli_image_range(image) : NULL, extra));
    warn_of_nodata(run, image);
}

int cli_begin_times(const cli_run *run, const cli_image *image)
{
    if (run->common.verbose)
        cli_print(run->err, "time %s: read %.3f ms", image->name,
                  image->read_seconds * 1e3);
    if (run->common.verbose && image->watch != NULL)
        cli_print(run->err, ", range %.3f ms", image->watch->seconds * 1e3);
    return run->common.verbose;
}

/* What an OpenCL device did, by its own clock. */
static void print_device_times(const cli_run *run)
{
    rug_device_times t = RUG_DEVICE_TIMES_INIT;
    rug_devices_take_times(run->ctx, &t);
    if (t.n_kernels > 0)
        cli_print(run->err,
                  ", device: upload %.3f ms of %.1f MB, %" PRIu64
                  " kernels %.3f ms, download %.3f ms",
                  t.upload_seconds * 1e3, (double)t.upload_bytes * 1e-6, t.n_kernels,
                  t.kernel_seconds * 1e3, t.download_seconds * 1e3);
}

void cli_end_times(const cli_run *run, const char *engine, const char *extra)
{
    cli_print(run->err, " (%s%s%d threads)%s", engine != NULL ? engine : "",
              engine != NULL ? ", " : "", rug_context_threads(run->ctx), extra);
    print_device_times(run);
    cli_print(run->err, "\n");
}
