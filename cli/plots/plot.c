/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Plots: checks what is asked, has the script written, and gnuplot draw it. A file appears only
 * when gnuplot has drawn all of it. */

#define _POSIX_C_SOURCE 200809L
#include "io/base/disk.h"
#include "plot_join.h"
#include "plot_script.h"
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- Running gnuplot ----
 *
 * As a child: script on its standard input, picture from its standard output, so that no file
 * name is ever part of a command. Its exit status says nothing of a full disk. */

#define EXIT_NOT_FOUND 127     /* of systems that find out only after the fork */
#define PATIENCE       2000000 /* nanoseconds between looks at the child */

extern char **environ;

/* Starts the program. Returns 0 or an errno. */
static int start(pid_t *child, FILE *picture, FILE *script, FILE *messages)
{
    /* -d: no start-up files, so that a plot looks the same for everybody. */
    char program[] = "gnuplot", defaults[] = "-d", from_stdin[] = "-";
    char *arguments[] = {program, defaults, from_stdin, NULL};
    posix_spawn_file_actions_t files;
    int error = posix_spawn_file_actions_init(&files);

    if (error != 0)
        return error;
    error = posix_spawn_file_actions_adddup2(&files, fileno(script), STDIN_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&files, fileno(picture), STDOUT_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&files, fileno(messages), STDERR_FILENO);
    if (error == 0)
        error = posix_spawnp(child, program, &files, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

/* Waits for the end, or ends it when the work is cancelled.
 *  @param result  the exit status; the negative of a signal that ended the child
 *  @return RUG_OK, RUG_E_CANCELLED */
static rug_status wait_for(rug_context *ctx, pid_t child, int *result)
{
    const struct timespec pause = {0, PATIENCE};
    rug_status status = RUG_OK;
    int state = 0;
    pid_t ended = waitpid(child, &state, WNOHANG);

    while (ended == 0 || (ended < 0 && errno == EINTR)) {
        if (status == RUG_OK) {
            status = rug_context_step(ctx, 0);
            if (status != RUG_OK)
                kill(child, SIGKILL);
        }
        nanosleep(&pause, NULL);
        ended = waitpid(child, &state, WNOHANG);
    }
    *result = ended != child       ? EXIT_FAILURE
              : WIFSIGNALED(state) ? -WTERMSIG(state)
                                   : WEXITSTATUS(state);
    return status;
}

static rug_status fail_missing(rug_context *ctx)
{
    return rug_context_fail(
        ctx, RUG_E_IO,
        "gnuplot is not installed: apt-get install gnuplot-nox, or ask for a "
        ".gp file");
}

/* gnuplot repeats the line and marks the place before it says what is wrong, in the last
 * line. */
static rug_status fail_with_messages(rug_context *ctx, FILE *messages)
{
    char line[200], last[200] = "no message";

    rewind(messages);
    while (fgets(line, sizeof line, messages) != NULL) {
        size_t n_blank = strspn(line, " \t\n");

        line[strcspn(line, "\n")] = '\0';
        if (line[n_blank] != '\0')
            strcpy(last, line + n_blank);
    }
    return rug_context_fail(ctx, RUG_E_IO, "gnuplot failed: %s", last);
}

static rug_status run(rug_context *ctx, FILE *picture, FILE *script, FILE *messages)
{
    pid_t child;
    int error = start(&child, picture, script, messages);
    int result;
    rug_status status;

    if (error == ENOENT)
        return fail_missing(ctx);
    if (error != 0)
        return rug_context_fail(ctx, error == ENOMEM ? RUG_E_NOMEM : RUG_E_IO,
                                "cannot start gnuplot: %s", strerror(error));
    status = wait_for(ctx, child, &result);
    if (status != RUG_OK)
        return status;
    if (result == EXIT_NOT_FOUND)
        return fail_missing(ctx);
    if (result < 0)
        return rug_context_fail(ctx, RUG_E_IO, "gnuplot was ended by a signal: %s",
                                strsignal(-result));
    return result == 0 ? RUG_OK : fail_with_messages(ctx, messages);
}

/* @param what  could not be done, "make" or "write" */
static rug_status fail_temporary(rug_context *ctx, const char *what)
{
    return rug_context_fail(ctx, RUG_E_IO, "cannot %s a temporary file: %s", what,
                            strerror(errno));
}

/* Runs a script and waits for the end.
 *  @param picture  takes gnuplot's standard output; nothing may be buffered in it
 *  @param script   a file, read from its beginning
 *  @return RUG_OK, RUG_E_IO (gnuplot is missing or failed), RUG_E_NOMEM, RUG_E_CANCELLED */
static rug_status gnuplot_run(rug_context *ctx, FILE *picture, FILE *script)
{
    FILE *messages = tmpfile();
    rug_status status;

    if (messages == NULL)
        return fail_temporary(ctx, "make");
    rewind(script);
    status = run(ctx, picture, script, messages);
    fclose(messages);
    return status;
}

/* ---- Plots ---- */

/* The name was checked: it has one of the endings. */
static cli_plot_form form_of(const char *path)
{
    static const struct {
        const char *ending;
        cli_plot_form form;
    } known[] = {{".svg", CLI_PLOT_SVG}, {".png", CLI_PLOT_PNG}, {".pdf", CLI_PLOT_PDF}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (rugi_has_ending(path, known[i].ending))
            return known[i].form;
    return CLI_PLOT_SCRIPT;
}

static int is_series_valid(const cli_plot_series *series)
{
    int has_ends = series->style == CLI_PLOT_BOX || series->style == CLI_PLOT_TILES;
    return (int)series->style >= CLI_PLOT_POINTS && (int)series->style <= CLI_PLOT_BOX &&
           (series->n == 0 ||
            (series->x != NULL && series->y != NULL &&
             (!has_ends || (series->low != NULL && series->high != NULL))));
}

static rug_status check_panels(rug_context *ctx, size_t n_panels,
                               const cli_plot_panel *panels)
{
    if (n_panels == 0 || panels == NULL)
        return rug_context_fail(ctx, RUG_E_ARG, "a plot needs at least one panel");
    for (size_t p = 0; p < n_panels; p++) {
        if (panels[p].n_series > 0 && panels[p].series == NULL)
            return rug_context_fail(ctx, RUG_E_ARG, "plot panel %zu has no series", p);
        for (size_t s = 0; s < panels[p].n_series; s++)
            if (!is_series_valid(&panels[p].series[s]))
                return rug_context_fail(
                    ctx, RUG_E_ARG,
                    "series %zu of plot panel %zu has an unknown style or "
                    "lacks its numbers",
                    s, p);
    }
    return RUG_OK;
}

static rug_status check_sheets(rug_context *ctx, size_t n, const cli_plot_sheet *sheets)
{
    rug_status status = RUG_OK;
    if (n == 0)
        return rug_context_fail(ctx, RUG_E_ARG, "a plot needs at least one sheet");
    for (size_t i = 0; i < n && status == RUG_OK; i++)
        status = check_panels(ctx, sheets[i].n_panels, sheets[i].panels);
    return status;
}

/* The last part of the path with the ending .svg; free it. gnuplot runs a name that begins with | as a
 * command, so unusual names get a folder. NULL when out of memory. */
static char *picture_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = strdup(slash == NULL ? path : slash + 1);
    char *picture = name == NULL ? NULL : malloc(strlen(name) + sizeof "./.svg");

    if (picture != NULL) {
        *strrchr(name, '.') = '\0';
        strcpy(picture, isalnum((unsigned char)name[0]) ? "" : "./");
        strcat(picture, name);
        strcat(picture, ".svg");
    }
    free(name);
    return picture;
}

/* Keeps the script, which draws an SVG with the script's name in the current folder. */
static rug_status keep_script(rug_context *ctx, FILE *stream, const char *path,
                              const cli_plot_sheet *sheet)
{
    char *name = picture_name(path);

    if (name == NULL)
        return rug_context_fail(ctx, RUG_E_NOMEM, "out of memory for a plot");
    cli_plot_script_write(stream, CLI_PLOT_SCRIPT, name, sheet);
    free(name);
    return RUG_OK;
}

/* Whether a picture has its last bytes. */
static int is_whole(FILE *picture, cli_plot_form form)
{
    static const char *const ends[] = {
        [CLI_PLOT_SVG] = "</svg>", [CLI_PLOT_PNG] = "IEND", [CLI_PLOT_PDF] = "%%EOF"};
    const char *end = ends[form];
    char tail[16];

    if (fseek(picture, -(long)sizeof tail, SEEK_END) != 0 ||
        fread(tail, 1, sizeof tail, picture) != sizeof tail)
        return 0;
    for (size_t i = 0; i + strlen(end) <= sizeof tail; i++)
        if (memcmp(tail + i, end, strlen(end)) == 0)
            return 1;
    return 0;
}

static void copy(FILE *to, FILE *from)
{
    char bytes[1 << 14];
    size_t n;

    rewind(from);
    while ((n = fread(bytes, 1, sizeof bytes, from)) > 0)
        fwrite(bytes, 1, n, to); /* whose errors show when it is closed */
}

/* Has a picture drawn into a file of its own, since the output may be a pipe. */
static rug_status draw_whole(rug_context *ctx, FILE *output, FILE *script,
                             cli_plot_form form)
{
    FILE *picture = tmpfile();
    rug_status status;

    if (picture == NULL)
        return fail_temporary(ctx, "make");
    status = gnuplot_run(ctx, picture, script);
    if (status == RUG_OK && !is_whole(picture, form))
        status = rug_context_fail(
            ctx, RUG_E_IO, "gnuplot wrote only a part of the picture: is the disk full?");
    if (status == RUG_OK)
        copy(output, picture);
    fclose(picture);
    return status;
}

static rug_status draw(rug_context *ctx, FILE *output, cli_plot_form form,
                       const cli_plot_sheet *sheet)
{
    FILE *script = tmpfile();
    rug_status status;

    if (script == NULL)
        return fail_temporary(ctx, "make");
    cli_plot_script_write(script, form, NULL, sheet);
    if (fflush(script) != 0)
        status = fail_temporary(ctx, "write");
    else
        status = draw_whole(ctx, output, script, form);
    fclose(script);
    return status;
}

static rug_status write_sheet(rug_context *ctx, const char *path,
                              const cli_plot_sheet *sheet)
{
    cli_plot_form form = form_of(path);
    rugi_output *output;
    rug_status status = rugi_output_open(ctx, &output, path);

    if (status != RUG_OK)
        return status;
    if (form == CLI_PLOT_SCRIPT)
        status = keep_script(ctx, rugi_output_stream(output), path, sheet);
    else
        status = draw(ctx, rugi_output_stream(output), form, sheet);
    if (status == RUG_OK)
        return rugi_output_commit(ctx, output);
    rugi_output_discard(output);
    return status;
}

rug_status cli_plot_write(rug_context *ctx, const char *path, size_t n_sheets,
                          const cli_plot_sheet *sheets)
{
    cli_plot_pool pool = {.blocks = NULL};
    cli_plot_sheet sheet;
    rug_status status = check_sheets(ctx, n_sheets, sheets);

    if (status == RUG_OK)
        status = cli_plot_check_name(ctx, path);
    if (status == RUG_OK)
        status = cli_plot_join(ctx, &pool, &sheet, n_sheets, sheets);
    if (status == RUG_OK)
        status = write_sheet(ctx, path, &sheet);
    cli_plot_free_pool(&pool);
    return status;
}
