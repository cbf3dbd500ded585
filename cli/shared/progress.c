/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The progress line on stderr: what is being done and how long it will still take. */

#include "cli.h"
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define SHOW_AFTER 1.0 /* seconds of work before the line appears */
#define CLEAR_LINE "\r\033[K"

double cli_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void cli_format_progress(char text[CLI_PROGRESS_MAX], size_t input, size_t n_inputs,
                         double share, double elapsed)
{
    if (share <= 0) {
        snprintf(text, CLI_PROGRESS_MAX, "%zu of %zu  0 %%", input + 1, n_inputs);
        return;
    }
    double left = elapsed * (1 - share) / share;
    unsigned long seconds = left < 359999 ? (unsigned long)(left + 0.5) : 359999;
    if (seconds >= 3600)
        snprintf(text, CLI_PROGRESS_MAX,
                 "%zu of %zu  %.0f %%  about %lu:%02lu:%02lu left", input + 1, n_inputs,
                 share * 100, seconds / 3600, seconds / 60 % 60, seconds % 60);
    else
        snprintf(text, CLI_PROGRESS_MAX, "%zu of %zu  %.0f %%  about %lu:%02lu left",
                 input + 1, n_inputs, share * 100, seconds / 60, seconds % 60);
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

void cli_progress(void *user, double share)
{
    cli_run *run = user;
    double elapsed = cli_now() - run->started;
    if (run->common.no_progress || run->common.quiet || elapsed < SHOW_AFTER ||
        !isatty(STDERR_FILENO))
        return;
    double done = (double)run->input + run->phase_at + run->phase_share * share;
    char text[CLI_PROGRESS_MAX];
    cli_format_progress(text, run->input, run->n_inputs, done / (double)run->n_inputs,
                        elapsed);
    fprintf(stderr, CLEAR_LINE "%s", text);
    fflush(stderr);
    run->progress_shown = 1;
}

void cli_clear_progress(cli_run *run)
{
    if (run->progress_shown)
        fputs(CLEAR_LINE, stderr);
    run->progress_shown = 0;
}
