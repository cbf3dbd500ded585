/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* Runs gnuplot as a child: script on its standard input, picture from its standard
 * output, so that no file name is ever part of a command. It does not know what is drawn.
 */

#define _POSIX_C_SOURCE 200809L

#include "gnuplot.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXIT_NOT_FOUND 127 /* how a system says it that tells only after the fork */

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

/* The exit status, or -1 when the child was killed or cannot be waited for. */
static int wait_for(pid_t child)
{
    int state = 0;
    pid_t ended;

    do
        ended = waitpid(child, &state, 0);
    while (ended < 0 && errno == EINTR);
    return ended == child && WIFEXITED(state) ? WEXITSTATUS(state) : -1;
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

    if (error == ENOENT)
        return fail_missing(ctx);
    if (error != 0)
        return rug_context_fail(ctx, error == ENOMEM ? RUG_E_NOMEM : RUG_E_IO,
                                "cannot start gnuplot: %s", strerror(error));
    result = wait_for(child);
    if (result == EXIT_NOT_FOUND)
        return fail_missing(ctx);
    return result == 0 ? RUG_OK : fail_with_messages(ctx, messages);
}

rug_status rugi_gnuplot_run(rug_context *ctx, FILE *picture, FILE *script)
{
    FILE *messages = tmpfile();
    rug_status status;

    if (messages == NULL)
        return rug_context_fail(ctx, RUG_E_IO, "cannot make a temporary file: %s",
                                strerror(errno));
    rewind(script);
    status = run(ctx, picture, script, messages);
    fclose(messages);
    return status;
}
